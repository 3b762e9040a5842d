//! What an editor shows of rule files. In: texts and places in them. Out: what may come next, what a word is, where a name stands,
//! what each token is; as plain data with places in bytes. `pinion lsp` and the playground say it in their own forms.

mod complete;
mod document;
mod hover;
mod names;
mod scan;
mod tokens;

pub use complete::{Completion, Sort, complete};
pub use document::carried;
pub use document::{Document, LONGEST};
pub use hover::hover;
pub use names::{Place, Symbol, definition, references, rename, symbols, table_word};
pub use scan::{Around, Piece, Scan, scan};
pub use tokens::{Class, tokens};

use crate::lang::diagnostic::Diagnostic;
use crate::solve::Rulebook;
use std::collections::BTreeMap;

/// Files that know each other, and the rulebook that they add to.
pub struct Workspace {
    /// What is there without them.
    pub rulebook: Rulebook,
    /// Files by their address.
    pub documents: BTreeMap<String, Document>,
}

/// The word that is meant where a finding asks `did you mean …?`, if there is just one: it replaces the place of the finding.
pub fn meant(found: &Diagnostic) -> Option<&str> {
    let (word, rest) = found.help.as_deref()?.split_once("did you mean `")?.1.split_once('`')?;
    rest.starts_with('?').then_some(word)
}
