//! What can be shown without the engine. In: boards, positions, checked rules. Out: solutions, and proofs of
//! rules or counterexamples to them.
//!
//! Imports `grid` and the checked form of rules, never the engine: each checks the other.

mod cache;
mod cases;
mod chains;
mod circuit;
mod counterexample;
mod encode;
mod ground;
mod halt;
mod implied;
mod lattice;
mod linkless;
mod mistakes;
mod premises;
mod prover;
mod question;
mod reading;
mod refusal;
mod refute;
mod sat;
mod search;
mod solutions;
mod solver;
mod step;
mod suggest;
mod symmetry;
mod transcript;
mod unique;
mod verdict;

pub use cache::cache_key;
pub use cases::{CaseCited, EndCited, InferenceCited, StepCited, check_cited};
pub use chains::covers as covers_chains;
pub use counterexample::{Counterexample, Named};
pub use ground::Ground;
pub use implied::Member;
pub use lattice::direct_cases;
pub use mistakes::{Mistakes, Slips, mistakes};
pub use prover::{ProofLimits, Prover};
pub use reading::Reading;
pub use refusal::Refusal;
pub use solutions::{
    Count, Uniqueness, count, had_unique_solution, shared_digits, solutions, superfluous_clues, uniqueness,
};
pub use step::StepCheck;
pub use suggest::{Change, Suggestion};
pub use transcript::Told;
pub use verdict::{Effort, Status, Verdict};
