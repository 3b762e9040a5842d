//! The parser. In: the text of a rule file, any text at all. Out: a syntax tree of what could be read and a
//! diagnostic for everything that could not. Only this folder depends on the parser generator pest.
//!
//! Files in reading order:
//! - [`tokens`]: text → tokens. [`layout`]: tokens → lines → items with their lines.
//! - [`item`], [`statement`], [`text`]: lines → syntax tree, from the outside in.
//! - [`grammar`]: one line through pest → parse tree. [`build`]: parse tree → syntax tree of expressions, conditions, chains.
//! - [`expected`]: the diagnostic of a line that pest refuses.
//!
//! Each line is parsed alone, so one mistake costs one line.

mod build;
mod expected;
mod grammar;
mod item;
pub(super) mod layout;
mod statement;
mod text;
pub(super) mod tokens;

use crate::lang::ast;
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::line_ends::lone_cr_as_lf;
use grammar::Build;
use tokens::{TokenClass, text_at};

/// Reads a file. Never fails: unreadable parts are reported and left out.
pub fn parse(source: &str) -> (ast::File, Vec<Diagnostic>) {
    let source = &*lone_cr_as_lf(source);
    if let Some(found) = tokens::too_large(source) {
        return (ast::File { items: Vec::new(), comments: Vec::new() }, vec![found]);
    }
    let tokens = tokens::tokens(source);
    let layout = layout::layout(source, &tokens);
    let (grouped, mut found) = layout::group(source, layout.lines);
    found.extend(layout.found);
    let mut items = Vec::new();
    for lines in grouped {
        let mut reader = ItemReader { source, masked: &layout.masked, found: Vec::new() };
        items.extend(reader.item(lines));
        found.extend(limited(reader.found));
    }
    if items.is_empty() && found.is_empty() && has_no_item(source) {
        found.push(SyntaxProblem::NoTechnique.at(&(0..0)));
    }
    found.sort_by_key(Diagnostic::start);
    (ast::File { items, comments: layout.comments }, found)
}

/// Returns true if a text is empty or holds only comments.
pub fn has_no_item(source: &str) -> bool {
    tokens::each(&lone_cr_as_lf(source))
        .all(|token| matches!(token.class, TokenClass::Comment | TokenClass::Doc | TokenClass::Newline))
}

/// Reads a price that a profile has for a match: an expression and, behind `when`, a condition.
pub fn price(source: &str) -> (Option<ast::PriceLine>, Vec<Diagnostic>) {
    let source = &*lone_cr_as_lf(source);
    let layout = layout::layout(source, &tokens::tokens(source));
    let mut reader = ItemReader { source, masked: &layout.masked, found: layout.found };
    let [line] = layout.lines.as_slice() else {
        reader.found.push(SyntaxProblem::PriceOfLines.at(&(0..source.len())));
        return (None, reader.found);
    };
    let node = reader.node(grammar::Rule::price_line, line);
    (node.and_then(|node| ast::PriceLine::build(node).ok()), reader.found)
}

/// Returns true if the grammar as a whole accepts a text; for tests that compare its `file` rule with the parser.
pub fn accepts(source: &str) -> bool {
    let source = &*lone_cr_as_lf(source);
    grammar::accepts_file(&layout::layout(source, &tokens::tokens(source)).masked)
}

/// Maximum number of findings about one item.
const MOST: usize = 10;

fn limited(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if found.len() > MOST + 1 {
        let next = found[MOST].labels.first().map_or(0..0, |label| label.span.clone());
        let more = found.len() - MOST;
        found.truncate(MOST);
        found.push(SyntaxProblem::MoreErrors { more }.at(&next));
    }
    found
}

/// A reader of the lines of one item.
struct ItemReader<'a> {
    source: &'a str,
    masked: &'a str,
    found: Vec<Diagnostic>,
}
