//! The formatter. In: the text of a rule file. Out: the same file in its one canonical layout.
//!
//! It works on tokens, not on the tree: words and marks stay as they are and in their order, and only blanks and
//! newlines between them change. So comments cannot be lost, and nothing that the tree leaves out either.

mod blocks;
mod same;
mod spaces;
mod wrap;

use super::diagnostic::{Diagnostic, Severity};

/// Columns of a line, at most, where it can be broken.
pub const WIDTH: usize = 120;

/// Why a text was not formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unformatted {
    /// It cannot be read; what is wrong with it.
    Unreadable(Vec<Diagnostic>),
    /// The formatted text would mean something else. Nothing that the parser accepts is known to come to this.
    Changed,
}

/// The canonical layout of a rule file.
///
/// # Errors
/// When the text has errors of syntax, or when the result would not say the same.
pub fn format(source: &str) -> Result<String, Unformatted> {
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
