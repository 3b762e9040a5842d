//! The formatter. In: the text of a rule file. Out: the same file in its one canonical layout.
//!
//! It works on tokens, not on the tree: words and marks stay as they are and in their order, and only blanks and
//! newlines between them change. So comments cannot be lost, and nothing that the tree leaves out either.
//!
//! Data flow: the file is cut into items; [`layout`] writes each anew; a result that differs in more than blanks is refused.

mod layout;

use super::ast::{File, walked};
use super::diagnostic::{Diagnostic, has_errors};
use super::line_ends::{LineEnd, all_as_lf, lone_cr_as_lf};
use super::parse::tokens::{TokenClass, each};
use super::words::ITEMS;
use serde_json::Value;

/// Maximum width of a line that can be broken.
pub const WIDTH: usize = 120;

/// The reason why a text was not formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unformatted {
    /// The text has errors.
    Unreadable(Vec<Diagnostic>),
    /// The formatted text would differ in meaning. No known text leads to this.
    Changed,
}

/// Returns the canonical layout of a rule file. Keeps line ends and the byte order mark; mixed line ends all become
/// the most common one.
///
/// # Errors
/// When the text has errors of syntax, or when the result would not say the same.
pub fn format(source: &str) -> Result<String, Unformatted> {
    let (mark, text) = match source.strip_prefix(MARK) {
        Some(text) => (MARK, text),
        None => ("", source),
    };
    let lines = lone_cr_as_lf(text);
    let (mut out, mut found, mut at) = (String::new(), Vec::new(), mark.len());
    for item in items(&lines) {
        match formatted(&all_as_lf(item)) {
            Ok(item) if out.is_empty() => out = item,
            Ok(item) => {
                out.push('\n');
                out.push_str(&item);
            }
            Err(Unformatted::Unreadable(_)) => {
                found.extend(super::parse(item).1.into_iter().map(|finding| finding.shifted(at)));
            }
            Err(reason) => return Err(reason),
        }
        at += item.len();
    }
    if found.is_empty() {
        Ok(format!("{mark}{}", LineEnd::of(text).put_into(out)))
    } else {
        Err(Unformatted::Unreadable(found))
    }
}

/// U+FEFF, as editors on Windows write it before a text.
const MARK: &str = "\u{feff}";

/// Returns the canonical layout of one item.
fn formatted(source: &str) -> Result<String, Unformatted> {
    let (before, found) = super::parse(source);
    if has_errors(&found) {
        return Err(Unformatted::Unreadable(found));
    }
    let text = layout::lay_out(source);
    let (after, found) = super::parse(&text);
    if !has_errors(&found) && same_tokens(source, &text) && same_trees(&before, &after) {
        Ok(text)
    } else {
        Err(Unformatted::Changed)
    }
}

/// Cuts a text after the `}` lines below which an item begins in the first column.
fn items(source: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut from = 0;
    // The end of the last `}` line, while only comments and empty lines follow it.
    let mut closed = None;
    let mut line = ScannedLine { start: 0, words: 0, is_brace: false };
    for token in each(source) {
        let text = &source[token.span.clone()];
        match token.class {
            TokenClass::Newline => {
                if line.is_brace && line.words == 1 {
                    closed = Some(token.span.end);
                }
                line = ScannedLine { start: token.span.end, words: 0, is_brace: false };
                continue;
            }
            TokenClass::Comment | TokenClass::Doc => continue,
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

/// The line being read.
struct ScannedLine {
    start: usize,
    words: usize,
    /// True if its first token is `}`.
    is_brace: bool,
}

/// Lists words, marks, texts and comments in order.
fn tokens_of(source: &str) -> impl Iterator<Item = (TokenClass, String)> + '_ {
    each(source).filter(|token| token.class != TokenClass::Newline).map(|token| {
        let text = source.get(token.span).unwrap_or("");
        let text = match token.class {
            // The formatter may have added the blank after the slashes.
            TokenClass::Comment | TokenClass::Doc => trimmed(text).replace(' ', ""),
            TokenClass::Text => inside(text),
            _ => trimmed(text),
        };
        (token.class, text)
    })
}

/// Returns a long text without its quotes and the empty lines beside them.
fn inside(text: &str) -> String {
    match text.strip_prefix("\"\"\"") {
        Some(rest) => format!("\"\"\"{}", trimmed(rest.trim_end_matches('"'))),
        None => text.to_owned(),
    }
}

/// Returns true if two texts have the same tokens.
fn same_tokens(before: &str, after: &str) -> bool {
    tokens_of(before).eq(tokens_of(after))
}

/// Returns true if two trees differ in nothing but places, and blanks around the lines of texts.
fn same_trees(before: &File, after: &File) -> bool {
    let before = placeless(before);
    !before.is_null() && before == placeless(after)
}

/// Returns the JSON form of a tree without places and without the blanks around lines.
fn placeless(file: &File) -> Value {
    walked(&file.items, |value| match value {
        Value::String(text) => *text = trimmed(text),
        Value::Object(fields) => {
            fields.remove("start");
            fields.remove("end");
        }
        _ => {}
    })
}

/// Returns a text without blanks around its lines, and without the empty lines around all.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join("\n").trim().to_owned()
}
