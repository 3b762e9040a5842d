//! The formatter, which returns a rule file in canonical layout.
//!
//! The formatter works on tokens, not on the syntax tree. Tokens keep their text and their order; only the blanks and
//! newlines between tokens change. Comments are tokens, too, so no comment can be lost.
//!
//! Data flow: the file is split into items, and [`layout`] writes each item. A result with other tokens or another
//! syntax tree is rejected.

mod layout;

use super::ast::{File, visited_json};
use super::diagnostic::{Diagnostic, has_errors};
use super::line_ends::{LineEnd, all_as_lf, lone_cr_as_lf};
use super::parse::tokens::{TokenClass, iter_tokens};
use super::words::ITEMS;
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
    let lines = lone_cr_as_lf(text);
    let mut formatted = String::new();
    let mut diagnostics = Vec::new();
    let mut item_start = mark.len();
    for item in split_items(&lines) {
        match format_item(&all_as_lf(item)) {
            Ok(item) => {
                if !formatted.is_empty() {
                    formatted.push('\n');
                }
                formatted.push_str(&item);
            }
            Err(FormatterError::Unreadable(_)) => {
                // Parse the item with its original line ends, so that the spans are positions in the source.
                let (_, item_diagnostics) = super::parse(item);
                diagnostics.extend(item_diagnostics.into_iter().map(|diagnostic| diagnostic.shifted(item_start)));
            }
            Err(reason) => return Err(reason),
        }
        item_start += item.len();
    }
    if !diagnostics.is_empty() {
        return Err(FormatterError::Unreadable(diagnostics));
    }
    Ok(format!("{mark}{}", LineEnd::most_common(text).replace_lf(formatted)))
}

/// The mark that some editors on Windows write before a text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

fn format_item(source: &str) -> Result<String, FormatterError> {
    let (tree, diagnostics) = super::parse(source);
    if has_errors(&diagnostics) {
        return Err(FormatterError::Unreadable(diagnostics));
    }
    let text = layout::lay_out(source);
    let (new_tree, diagnostics) = super::parse(&text);
    let are_tokens_kept = comparable_tokens(source).eq(comparable_tokens(&text));
    if !has_errors(&diagnostics) && are_tokens_kept && have_same_meaning(&tree, &new_tree) {
        Ok(text)
    } else {
        Err(FormatterError::Changed)
    }
}

/// Splits a text into items. An item ends after a `}` line if the next line with words begins an item in the first
/// column. A `///` comment after the `}` belongs to the next item.
fn split_items(source: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let mut item_start = 0;
    // The end of the last `}` line; `None` if a line with words follows it.
    let mut close_end = None;
    let mut line = ScannedLine::default();
    for token in iter_tokens(source) {
        let text = &source[token.span.clone()];
        match token.class {
            TokenClass::Newline => {
                if line.is_brace && line.words == 1 {
                    close_end = Some(line.doc_start.unwrap_or(token.span.end));
                }
                line = ScannedLine { start: token.span.end, ..ScannedLine::default() };
                continue;
            }
            TokenClass::Doc => {
                line.doc_start = Some(token.span.start);
                continue;
            }
            TokenClass::Comment => continue,
            _ => {}
        }
        if line.words == 0 {
            line.is_brace = text == "}";
            let begins_item = token.span.start == line.start && ITEMS.contains(&text);
            if let Some(end) = close_end.take()
                && begins_item
            {
                items.push(&source[item_start..end]);
                item_start = end;
            }
        }
        line.words += 1;
    }
    items.push(&source[item_start..]);
    items
}

#[derive(Default)]
struct ScannedLine {
    start: usize,
    /// Number of tokens, without comments.
    words: usize,
    /// True if the first token of the line is `}`.
    is_brace: bool,
    /// First byte of the `///` comment of the line.
    doc_start: Option<usize>,
}

/// Returns all tokens except newlines, without blanks that the formatter may change.
fn comparable_tokens(source: &str) -> impl Iterator<Item = (TokenClass, String)> + '_ {
    iter_tokens(source).filter(|token| token.class != TokenClass::Newline).map(|token| {
        let text = source.get(token.span).unwrap_or("");
        let text = match token.class {
            // The formatter may have added a blank after the slashes.
            TokenClass::Comment | TokenClass::Doc => trim_lines(text).replace(' ', ""),
            TokenClass::Text => without_outer_lines(text),
            _ => trim_lines(text),
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
    let old = without_spans(old);
    // `null` means that the conversion to JSON failed.
    !old.is_null() && old == without_spans(new)
}

/// Returns the JSON form of a tree without spans and without the blanks around lines of strings.
fn without_spans(file: &File) -> Value {
    visited_json(&file.items, |value| match value {
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
