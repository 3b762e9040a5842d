//! The formatter. In: the text of a rule file. Out: the same file in its one canonical layout.
//!
//! It works on tokens, not on the tree: words and marks stay as they are and in their order, and only blanks and
//! newlines between them change. So comments cannot be lost, and nothing that the tree leaves out either.

mod blocks;
mod items;
mod same;
mod spaces;
mod wrap;

use super::diagnostic::{Diagnostic, Severity};
use super::line_ends::{LineEnd, all_as_lf, lone_cr_as_lf};
use items::items;

/// Columns of a line, at most, where it can be broken.
pub const WIDTH: usize = 120;

/// Why a text was not formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unformatted {
    /// The text has errors.
    Unreadable(Vec<Diagnostic>),
    /// The formatted text would mean something else. Nothing that the parser accepts is known to come to this.
    Changed,
}

/// The canonical layout of a rule file. Its line ends and its byte order mark are kept; where line ends differ, all become
/// what most of them are.
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
                found.extend(super::parse(item).1.into_iter().map(|finding| finding.moved(at)));
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

/// The canonical layout of one item.
fn formatted(source: &str) -> Result<String, Unformatted> {
    let (before, found) = super::parse(source);
    if found.iter().any(|finding| finding.severity == Severity::Error) {
        return Err(Unformatted::Unreadable(found));
    }
    let text = blocks::lay_out(source);
    let (after, found) = super::parse(&text);
    let sound = found.iter().all(|finding| finding.severity != Severity::Error);
    if sound && same::tokens(source, &text) && same::trees(&before, &after) {
        Ok(text)
    } else {
        Err(Unformatted::Changed)
    }
}
