//! The pieces of a file that are formatted one after the other. In: a text with LF. Out: its items, each with the
//! comments above it, cut where the parser begins a new item whatever stands before.

use crate::lang::parse::tokens::{Class, each};
use crate::lang::words::ITEMS;

/// Cuts a text after the `}` lines below which an item begins in the first column.
pub fn items(source: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut from = 0;
    // The end of the last `}` line, while only comments and empty lines follow it.
    let mut closed = None;
    let mut line = Line { start: 0, words: 0, is_brace: false };
    for token in each(source) {
        let text = &source[token.span.clone()];
        match token.class {
            Class::Newline => {
                if line.is_brace && line.words == 1 {
                    closed = Some(token.span.end);
                }
                line = Line { start: token.span.end, words: 0, is_brace: false };
                continue;
            }
            Class::Comment | Class::Doc => continue,
            _ => {}
        }
        if line.words == 0 {
            line.is_brace = text == "}";
            let begins = token.span.start == line.start && ITEMS.contains(&text);
            if let Some(end) = closed.take().filter(|_| begins) {
                out.push(&source[from..end]);
                from = end;
            }
        }
        line.words += 1;
    }
    out.push(&source[from..]);
    out
}

/// The line that is being read.
struct Line {
    start: usize,
    words: usize,
    /// True if its first token is `}`.
    is_brace: bool,
}
