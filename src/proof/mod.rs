//! What can be shown without the engine. In: boards and positions. Out: solutions, and later proofs.
//!
//! Imports `grid` (and the checked form of rules), never the engine: each checks the other.

mod sat;
mod search;
mod solutions;

pub use solutions::{Uniqueness, solutions, uniqueness};
