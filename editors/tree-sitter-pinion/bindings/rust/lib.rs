//! The tree-sitter grammar of Pinion's rule language.
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&tree_sitter_pinion::LANGUAGE.into())?;
//! let tree = parser.parse("rules basics = naked_single, naked_subset(2)\n", None).ok_or("no tree")?;
//! assert!(!tree.root_node().has_error());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_pinion() -> *const ();
}

/// The language, for `Parser::set_language`.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_pinion) };

/// The query for syntax colours.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// The query that links each use of a name to its definition.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");
