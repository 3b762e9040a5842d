//! Tools for authors of rules. In: a solver, puzzles. Out: data that the commands show.

pub mod case;
pub mod coverage;
pub mod examples;
pub mod generate;
pub mod hunt;
pub mod lint;
mod mend;
pub mod mutate;
pub mod names;
mod near;
pub mod positions;
mod requirement;
pub mod scaffold;
pub mod snapshots;
mod subject;
mod weaken;
mod why;
mod words;

pub use mend::Mend;
pub use near::{Asked, Miss, NearMisses, judge, near_misses};
pub use requirement::{Requirement, SourceLine, lines_of, requirements};
pub use subject::{Seen, Subject, only_member, with_used};
pub use weaken::{Weaker, weaker};
pub use why::{Because, Why, why};
