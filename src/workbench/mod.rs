//! Tools for authors of rules. In: a solver, puzzles. Out: data that the commands show.

pub mod case;
pub mod examples;
pub mod generate;
pub mod hunt;
pub mod names;
pub mod positions;
pub mod scaffold;
pub mod snapshots;
