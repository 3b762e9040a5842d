//! Editor support for rule files. In: texts and byte offsets. Out: completions, hover texts, definitions, references
//! and tokens, as data with byte ranges. `pinion lsp` and the playground translate the data to their own protocols.

mod document;
mod names;
mod table_scan;
mod words;

pub use document::{Document, MAX_ANALYZED_BYTES, built_in_documents};
pub use names::{FileSpan, ItemSymbol, definition, references, rename, rule_name_in_table, symbols};
pub use table_scan::{PositionContext, TableScan, TableToken, scan_table};
pub use words::{Completion, CompletionKind, TokenKind, complete, hover, tokens};

use crate::lang::diagnostic::Diagnostic;
use std::collections::BTreeMap;

/// The files of an editor.
pub struct Workspace {
    /// Files by URI.
    pub documents: BTreeMap<String, Document>,
}

/// Returns the word that a diagnostic suggests with `did you mean …?`. Returns `None` without a suggestion or with
/// several suggestions.
pub fn suggested_replacement(diagnostic: &Diagnostic) -> Option<&str> {
    let (word, rest) = diagnostic.help.as_deref()?.split_once("did you mean `")?.1.split_once('`')?;
    rest.starts_with('?').then_some(word)
}
