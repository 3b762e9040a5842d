//! The rule language. In: source text. Out: AST, checked IR, diagnostics. Imports nothing else of Pinion.
//!
//! Files in reading order:
//! - [`words`]: the words of the language. [`line_ends`]: the forms of line ends.
//! - `parse`: text → [`ast`], line by line. [`format`]: text → canonical text.
//! - `lower`: [`ast`] → [`ir`], with all checks of one file and across files.
//! - [`diagnostic`]: a finding as data. [`codes`]: all findings with their words and explanations.
//! - [`book`]: several files together. [`stored_book`]: a checked book as bytes, which the build script writes.
//!
//! Data flow: text → `parse` → [`ast::File`] → `lower` → [`ir::Technique`], [`ir::LinkSource`]; each stage adds [`Diagnostic`]s.

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
pub use lower::{Lowered, Patterns, check_across, declared, file_dependencies, is_price_word, statement_spans};
pub use parse::tokens::{TokenClass, spans as token_spans};
pub use parse::{accepts, has_no_item, parse};

use diagnostic::Diagnostic;
use std::collections::BTreeMap;

/// Reads and checks a file: its rules without an error, and everything that is wrong, in order of place.
pub fn compile(source: &str) -> (Lowered, Vec<Diagnostic>) {
    compile_with(source, &Patterns::default())
}

/// Reads and checks a price that a profile has for the matches of a technique, in one of its cases; `named` are the
/// expressions that the profile has given names.
///
/// # Errors
/// With everything that is wrong with it; places are bytes of the price.
pub fn price(
    technique: &ir::Technique,
    variant: usize,
    source: &str,
    named: &BTreeMap<String, String>,
) -> Result<ir::Price, Vec<Diagnostic>> {
    let (read, mut found) = parse::price(source);
    let price = read.and_then(|price| {
        let (price, more) = lower::price(technique, variant, &price, named);
        found.extend(more);
        price
    });
    price.filter(|_| found.is_empty()).ok_or(found)
}

/// Reads and checks a file that may use the patterns of others.
pub fn compile_with(source: &str, patterns: &Patterns) -> (Lowered, Vec<Diagnostic>) {
    let (file, mut found) = parse(source);
    let (lowered, more) = lower::lower_with(&file, patterns, &|_| None);
    found.extend(more);
    found.sort_by_key(Diagnostic::start);
    (lowered, found)
}
