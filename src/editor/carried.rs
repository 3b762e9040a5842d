//! The rules that the program carries, as an editor sees them. In: nothing. Out: its rule files by name, read once.

use super::document::Document;
use crate::solve::embedded;
use std::sync::OnceLock;

/// The rule files of the program.
pub fn carried() -> &'static [(&'static str, Document)] {
    static READ: OnceLock<Vec<(&'static str, Document)>> = OnceLock::new();
    READ.get_or_init(|| embedded::rules().iter().map(|(name, text)| (*name, Document::new((*text).into()))).collect())
}
