//! The formatter, which returns a rule file in canonical layout.
//!
//! The formatter works on tokens, not on the syntax tree. Tokens keep their text and their order; only the blanks and
//! newlines between tokens change. Comments are tokens, too, so no comment can be lost.
//!
//! Data flow: [`layout`] writes the lines of the file. A result with other tokens or another syntax tree is rejected.

mod layout;

use super::ast::{File, Item, visited_json};
use super::diagnostic::{Diagnostic, has_errors};
use super::line_ends::{LineEnd, all_as_lf};
use super::parse::tokens::{TokenClass, iter_tokens};
use serde_json::Value;

/// Maximum width of a line that can be broken.
pub const WIDTH: usize = 120;

/// The reason why a text could not be formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatterError {
    Unreadable(Vec<Diagnostic>),
    /// The formatted text would differ in meaning. No text is known to cause this error.
    Changed,
}

/// Returns the canonical layout of a rule file. Keeps the line ends and the byte order mark. A text with mixed line
/// ends gets its most common line end everywhere.
///
/// # Errors
/// If the text has syntax errors, or if the result would differ in meaning.
pub fn format(source: &str) -> Result<String, FormatterError> {
    let (mark, text) = match source.strip_prefix(BYTE_ORDER_MARK) {
        Some(text) => (BYTE_ORDER_MARK, text),
        None => ("", source),
    };
    let (tree, diagnostics) = super::parse(text);
    if has_errors(&diagnostics) {
        let diagnostics = diagnostics.into_iter().map(|diagnostic| diagnostic.shifted(mark.len()));
        return Err(FormatterError::Unreadable(diagnostics.collect()));
    }
    let lines = all_as_lf(text);
    let formatted = layout::canonical_text(&lines);
    let (new_tree, new_diagnostics) = super::parse(&formatted);
    let are_tokens_kept = comparable_tokens(&lines).eq(comparable_tokens(&formatted));
    if has_errors(&new_diagnostics) || !are_tokens_kept || !have_same_meaning(&tree, &new_tree) {
        return Err(FormatterError::Changed);
    }
    Ok(format!("{mark}{}", LineEnd::most_common(text).replace_lf(formatted)))
}

/// The mark that some editors on Windows write before a text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Returns all tokens except newlines, without blanks that the formatter may change.
fn comparable_tokens(source: &str) -> impl Iterator<Item = (TokenClass, String)> + '_ {
    iter_tokens(source).filter(|token| token.class != TokenClass::Newline).map(|token| {
        let text = match token.class {
            // The formatter may have added a blank after the slashes.
            TokenClass::Comment | TokenClass::Doc => trim_lines(token.text).replace(' ', ""),
            TokenClass::Text => without_outer_lines(token.text),
            _ => trim_lines(token.text),
        };
        (token.class, text)
    })
}

/// Returns the text of a string. A string with three quotes loses the blank lines next to the quotes.
fn without_outer_lines(text: &str) -> String {
    match text.strip_prefix("\"\"\"") {
        Some(rest) => format!("\"\"\"{}", trim_lines(rest.trim_end_matches('"'))),
        None => text.to_owned(),
    }
}

/// Returns true if two trees differ only in spans and in blanks around the lines of strings.
fn have_same_meaning(old: &File, new: &File) -> bool {
    // The items are compared one by one, because their JSON is large. `null` means that the conversion to JSON failed.
    old.items.len() == new.items.len()
        && old.items.iter().zip(&new.items).all(|(old, new)| {
            let old = without_spans(old);
            !old.is_null() && old == without_spans(new)
        })
}

/// Returns the JSON form of an item without spans and without the blanks around lines of strings.
fn without_spans(item: &Item) -> Value {
    visited_json(item, |value| match value {
        Value::String(text) => *text = trim_lines(text),
        Value::Object(fields) => {
            fields.remove("start");
            fields.remove("end");
        }
        _ => {}
    })
}

/// Returns a text without blanks around lines and without empty lines at either end.
fn trim_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join("\n").trim().to_owned()
}
