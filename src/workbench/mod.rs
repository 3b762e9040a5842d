//! Tools for authors of rules. In: a solver, puzzles. Out: data that the commands show.

pub mod case;
pub mod coverage;
pub mod examples;
pub mod experiment;
pub mod explain;
mod furthest;
pub mod generate;
pub mod hunt;
mod judge;
pub mod lint;
mod mend;
pub mod mutate;
pub mod names;
mod near;
mod one_member;
pub mod positions;
pub mod refute;
mod requirement;
pub mod scaffold;
mod shortfall;
pub mod snapshots;
mod subject;
mod weaken;
mod why;
mod words;

pub use furthest::{Furthest, best as furthest_of};
pub use judge::judge;
pub use mend::Mend;
pub use near::{Asked, Miss, NearMisses, near_misses};
pub use requirement::{Requirement, SourceLine, lines_of, requirements};
pub use subject::{Seen, Subject, only_member};
pub use weaken::{Weaker, weaker};
pub use why::{Because, Why, why};
