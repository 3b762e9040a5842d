//! Tools for authors of rules. In: a solver, puzzles. Out: data that the commands show.

pub mod generate;
pub mod hunt;
