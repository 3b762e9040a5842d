//! The rule language. In: source text. Out: AST, checked IR, diagnostics. Imports nothing else of Pinion.

pub mod ast;
pub mod diagnostic;
pub mod ir;
pub mod parse;
pub mod words;
