//! The rule language: from rule text to a syntax tree (AST), checked rules (IR) and diagnostics. Imports nothing else
//! of Pinion.
//!
//! Files in reading order:
//! - [`words`]: the words of the language. [`line_ends`]: LF, CR LF and CR.
//! - `parse`: text → [`ast`], line by line. [`format`]: text → canonical text.
//! - `lower`: [`ast`] → [`ir`], with all checks of one file and across files. [`price`]: the expressions of profiles, by which
//!   matches are rated and ordered.
//! - [`diagnostic`]: a diagnostic as data. [`codes`]: all diagnostics with their texts and explanations.
//! - [`book`]: several files together. [`stored_book`]: a checked book as bytes, which the build script writes.
//!
//! Data flow: text → `parse` → [`ast::File`] → `lower` → [`ir::Technique`], [`ir::LinkSource`]; each stage adds
//! [`Diagnostic`]s.

pub mod ast;
pub mod book;
pub mod codes;
pub mod diagnostic;
pub mod format;
pub mod ir;
pub mod line_ends;
mod lower;
mod parse;
pub mod stored_book;
pub mod words;

pub use codes::explain;
pub use lower::{Lowered, Patterns, check_across, file_dependencies, is_price_word, item_name, price, statement_spans};
pub use parse::tokens::{TokenClass, spans as token_spans};
pub use parse::{accepts, has_no_item, parse};

use diagnostic::Diagnostic;

/// Parses and checks a file. Returns the rules without errors, and all diagnostics sorted by position.
pub fn compile(source: &str) -> (Lowered, Vec<Diagnostic>) {
    compile_with(source, &Patterns::default())
}

/// Parses and checks a file that may use the patterns of other files.
pub fn compile_with(source: &str, patterns: &Patterns) -> (Lowered, Vec<Diagnostic>) {
    let (file, mut diagnostics) = parse(source);
    let (lowered, lower_diagnostics) = lower::lower_with(&file, patterns, lower::NO_OTHER_FILES);
    diagnostics.extend(lower_diagnostics);
    diagnostics.sort_by_key(Diagnostic::start);
    (lowered, diagnostics)
}
