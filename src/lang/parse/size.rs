//! The size of an item as written. In: a text with LF. Out: an error for the first item that is too large to be read. Tokens are
//! counted before anything is kept of them, so that no text costs more than a small one.

use super::tokens::{Class, Token, each};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words::ITEMS;

/// Words, marks and placeholders of an item, at most. The largest built-in rule has 400.
const MOST: usize = 10_000;

/// Lines of comment with an item, at most.
const MOST_COMMENTS: usize = 50_000;

/// Finds the first item with more than [`MOST`] parts or [`MOST_COMMENTS`] comments. An item begins with its word in the first column.
pub fn too_large(source: &str) -> Option<Diagnostic> {
    let (mut parts, mut comments, mut line_start) = (0, 0, 0);
    for token in each(source) {
        let text = &source[token.span.clone()];
        match token.class {
            Class::Newline => {
                line_start = token.span.end;
                continue;
            }
            Class::Comment | Class::Doc => comments += 1,
            Class::Word if token.span.start == line_start && ITEMS.contains(&text) => (parts, comments) = (1, 0),
            _ => parts += weight(&token, text),
        }
        if parts > MOST || comments > MOST_COMMENTS {
            let label = match parts > MOST {
                true => format!("more than {MOST} words, marks and placeholders up to here"),
                false => format!("more than {MOST_COMMENTS} lines of comment up to here"),
            };
            let help = "make several techniques of it, and name what they share in a `pattern`";
            let place = token.span.start..token.span.start + text.chars().next().map_or(0, char::len_utf8);
            return Some(Diagnostic::error("E0112", place, "this item is too large", label).help(help));
        }
    }
    None
}

/// Counts a token, and in a text each placeholder and line.
pub fn weight(token: &Token, text: &str) -> usize {
    match token.class {
        Class::Text | Class::OpenText => 1 + text.matches(['{', '\n']).count(),
        _ => 1,
    }
}
