//! Language features for rule files. In: texts and byte offsets in them. Out: completions, hovers, definitions, references,
//! tokens, as data with byte ranges. `pinion lsp` and the playground translate these to their own protocols.

mod document;
mod names;
mod scan;
mod words;

pub use document::{Document, MAX_ANALYZED_BYTES, built_in_documents};
pub use names::{FileSpan, ItemSymbol, definition, references, rename, symbols, table_word};
pub use scan::{PositionContext, Scan, TableToken, scan};
pub use words::{Completion, CompletionKind, TokenKind, complete, hover, tokens};

use crate::lang::diagnostic::Diagnostic;
use crate::solve::Rulebook;
use std::collections::BTreeMap;

/// Files that know each other, and the rulebook that they add to.
pub struct Workspace {
    /// The rulebook without the workspace's files.
    pub rulebook: Rulebook,
    /// Files by their address.
    pub documents: BTreeMap<String, Document>,
}

/// The replacement that a finding suggests with `did you mean …?`, if there is exactly one.
pub fn suggested_replacement(found: &Diagnostic) -> Option<&str> {
    let (word, rest) = found.help.as_deref()?.split_once("did you mean `")?.1.split_once('`')?;
    rest.starts_with('?').then_some(word)
}
