//! The parser. In: any text. Out: a syntax tree of the readable lines, and a diagnostic for every unreadable line.
//!
//! Files in reading order:
//! - [`tokens`]: text → tokens. [`layout`]: tokens → lines → items with their lines.
//! - [`item`], [`statement`], [`text`]: lines → syntax tree.
//! - [`grammar`]: line → parse tree of pest. [`build`]: parse tree → syntax tree of expressions, conditions and chains.
//! - [`expected`]: diagnostics of lines that pest rejects.
//!
//! Each line is parsed separately, so a mistake makes only one line unreadable. The grammar is written for the parser
//! generator pest.

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

/// Parses a file. Each unreadable line becomes a diagnostic. In the body of a rule, the tree keeps the line as
/// [`ast::StatementKind::Broken`].
pub fn parse(source: &str) -> (ast::File, Vec<Diagnostic>) {
    let source = &*lone_cr_as_lf(source);
    if let Some(diagnostic) = tokens::too_large(source) {
        return (ast::File { items: Vec::new(), comments: Vec::new() }, vec![diagnostic]);
    }
    let layout = layout::layout(source);
    let (items_with_lines, mut diagnostics) = layout::group(layout.lines);
    diagnostics.extend(layout.diagnostics);
    let mut items = Vec::new();
    for lines in items_with_lines {
        let mut reader = ItemReader { source, masked: &layout.masked, diagnostics: Vec::new() };
        items.extend(reader.item(lines));
        diagnostics.extend(limit_diagnostics(reader.diagnostics));
    }
    if items.is_empty() && diagnostics.is_empty() && has_no_item(source) {
        diagnostics.push(SyntaxProblem::NoTechnique.at(&(0..0)));
    }
    diagnostics.sort_by_key(Diagnostic::start);
    (ast::File { items, comments: layout.comments }, diagnostics)
}

/// Returns true if a text has no tokens except comments.
pub fn has_no_item(source: &str) -> bool {
    tokens::iter_tokens(&lone_cr_as_lf(source))
        .all(|token| matches!(token.class, TokenClass::Comment | TokenClass::Doc | TokenClass::Newline))
}

/// Parses a price in a profile: an expression and, after `when`, a condition.
pub fn price(source: &str) -> (Option<ast::PriceLine>, Vec<Diagnostic>) {
    let source = &*lone_cr_as_lf(source);
    let layout = layout::layout(source);
    let mut reader = ItemReader { source, masked: &layout.masked, diagnostics: layout.diagnostics };
    let [line] = layout.lines.as_slice() else {
        reader.diagnostics.push(SyntaxProblem::PriceOfLines.at(&(0..source.len())));
        return (None, reader.diagnostics);
    };
    let node = reader.node(grammar::Rule::price_line, line);
    (node.and_then(|node| ast::PriceLine::build(node).ok()), reader.diagnostics)
}

/// Returns true if the grammar's rule for whole files accepts a text. Tests compare that rule with [`parse`].
pub fn accepts(source: &str) -> bool {
    let source = &*lone_cr_as_lf(source);
    grammar::accepts_file(&layout::layout(source).masked)
}

/// Maximum number of diagnostics about one item.
const MAX_DIAGNOSTICS: usize = 10;

/// Replaces the diagnostics beyond [`MAX_DIAGNOSTICS`] by a diagnostic with their number.
fn limit_diagnostics(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // One diagnostic more is shown, because the message "1 more error" would take as much space.
    if diagnostics.len() > MAX_DIAGNOSTICS + 1 {
        let next = diagnostics[MAX_DIAGNOSTICS].labels.first().map_or(0..0, |label| label.span.clone());
        let more = diagnostics.len() - MAX_DIAGNOSTICS;
        diagnostics.truncate(MAX_DIAGNOSTICS);
        diagnostics.push(SyntaxProblem::MoreErrors { more }.at(&next));
    }
    diagnostics
}

struct ItemReader<'a> {
    source: &'a str,
    /// The source with comments and continued newlines replaced by blanks.
    masked: &'a str,
    diagnostics: Vec<Diagnostic>,
}
