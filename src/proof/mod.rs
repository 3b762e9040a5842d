//! Proofs and solutions, without the engine.
//!
//! In: boards, positions, checked rules, steps. Out: solutions, verdicts, counterexamples. Imports `grid` and the checked
//! form of rules, never the engine: each checks the other.
//!
//! In reading order:
//! - `solutions`, `mistakes`: solutions of positions, by search and by SAT.
//! - `solver`, `circuit`: the SAT solver with a deterministic limit, and gates over it.
//! - `encode`: rules as clauses, on one board or on an open world that covers all boards.
//! - `question`, `symmetry`: a rule as a question to the solver.
//! - `prover`, `premises`, `ground`, `verdict`, `refusal`: verdicts and everything they rest on.
//! - `counterexample`, `refute`: small states that refute a rule.
//! - `implied`, `suggest`: special cases, and improvements of a proved rule.
//! - `step_check`: single steps, checked against the facts they cite.
//! - `cache`: keys under which verdicts can be stored.

mod cache;
mod circuit;
mod counterexample;
mod encode;
mod ground;
mod implied;
mod mistakes;
mod premises;
mod prover;
mod question;
mod refusal;
mod refute;
mod solutions;
mod solver;
mod step_check;
mod suggest;
mod symmetry;
mod verdict;

pub use cache::cache_key;
pub use counterexample::{Counterexample, Named};
pub use ground::Ground;
pub use implied::Member;
pub use implied::covers as covers_chains;
pub use implied::direct_cases;
pub use mistakes::{Mistakes, Slips, mistakes};
pub use prover::{ProofLimits, Prover};
pub use question::Reading;
pub use refusal::Refusal;
pub use solutions::{
    Count, Uniqueness, count, had_unique_solution, shared_digits, solutions, superfluous_clues, uniqueness,
};
pub use solver::TranscriptLine;
pub use step_check::StepCheck;
pub use step_check::{CaseCited, EndCited, InferenceCited, StepCited, check_cited};
pub use suggest::{Change, Suggestion};
pub use verdict::{Effort, Status, Verdict};
