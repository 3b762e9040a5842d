//! The parser. In: the text of a rule file, any text at all. Out: a syntax tree of what could be read and a
//! diagnostic for everything that could not. Only this folder knows which parser generator is used.

mod binding;
mod chain;
mod example;
mod expected;
mod grammar;
mod habits;
mod item;
pub(super) mod layout;
mod phrase;
mod pieces;
mod size;
mod statement;
mod text;
pub(super) mod tokens;

use crate::lang::ast;
use crate::lang::diagnostic::Diagnostic;
use crate::lang::line_ends::lone_cr_as_lf;
use tokens::Class;

/// Reads a file. Never fails: what cannot be read is reported and left out.
pub fn parse(source: &str) -> (ast::File, Vec<Diagnostic>) {
    let source = &*lone_cr_as_lf(source);
    if let Some(found) = size::too_large(source) {
        return (ast::File { items: Vec::new(), comments: Vec::new() }, vec![found]);
    }
    let tokens = tokens::tokens(source);
    let layout = layout::layout(source, &tokens);
    let (pieces, mut found) = pieces::pieces(source, layout.lines);
    found.extend(layout.found);
    let mut items = Vec::new();
    for piece in pieces {
        let mut reader = Reader { source, masked: &layout.masked, found: Vec::new() };
        items.extend(reader.item(piece));
        found.extend(limited(reader.found));
    }
    if items.is_empty() && found.is_empty() && has_no_item(source) {
        let message = "this file has no technique";
        let help = "write a technique into it, or delete the file";
        found.push(Diagnostic::warning("W0103", 0..0, message, "nothing but comments").help(help));
    }
    found.sort_by_key(Diagnostic::start);
    (ast::File { items, comments: layout.comments }, found)
}

/// Returns true if a text is empty or holds only comments.
pub fn has_no_item(source: &str) -> bool {
    tokens::each(&lone_cr_as_lf(source))
        .all(|token| matches!(token.class, Class::Comment | Class::Doc | Class::Newline))
}

/// Reads a price that a profile has for a match: an expression and, behind `when`, a condition.
pub fn price(source: &str) -> (Option<ast::Price>, Vec<Diagnostic>) {
    let source = &*lone_cr_as_lf(source);
    let layout = layout::layout(source, &tokens::tokens(source));
    let mut found = layout.found;
    let [line] = layout.lines.as_slice() else {
        let message = "a price is one expression";
        let help = "write a number, `66 + #s`, or `12 when #s = 2`";
        found.push(Diagnostic::error("E0101", 0..source.len(), message, "not one line").help(help));
        return (None, found);
    };
    let mut reader = Reader { source, masked: &layout.masked, found: Vec::new() };
    let node = (!line.broken).then(|| reader.node(grammar::Rule::price_line, line)).flatten();
    let price = node.and_then(|node| phrase::Builder { offset: line.span.start }.price(node));
    found.append(&mut reader.found);
    (price, found)
}

/// Returns true if the grammar as a whole accepts a text; for tests that compare its `file` rule with the parser.
pub fn accepts(source: &str) -> bool {
    let source = &*lone_cr_as_lf(source);
    grammar::accepts_file(&layout::layout(source, &tokens::tokens(source)).masked)
}

/// Findings of one item, at most.
const MOST: usize = 10;

fn limited(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let more = found.len().saturating_sub(MOST);
    if let Some(last) =
        found.get(MOST).filter(|_| more > 1).map(|next| next.labels.first().map(|label| label.span.clone()))
    {
        found.truncate(MOST);
        let message = format!("{more} more errors in this item are not shown");
        found.push(Diagnostic::warning("W0102", last.unwrap_or(0..0), message, "the next of them"));
    }
    found
}

/// Reads the lines of one item.
struct Reader<'a> {
    source: &'a str,
    masked: &'a str,
    found: Vec<Diagnostic>,
}
