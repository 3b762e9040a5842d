//! Proofs and solutions, without the engine.
//!
//! In: boards, positions, rules in the IR, steps. Out: solutions, verdicts, counterexamples. Imports `grid` and the IR,
//! never the engine: tests compare the prover and the engine, so they must be independent.
//!
//! In reading order:
//! - `solutions`: solutions of positions, by search and by SAT; mistakes of a player.
//! - `solver`, `circuit`: the SAT solver with a deterministic limit, and gates over it.
//! - `encode`: rules as clauses, on one board or on an open world that covers all boards.
//! - `question`: a rule as a question to the solver.
//! - `prover`, `premises`, `verdict`: verdicts and everything they rest on.
//! - `counterexample`, `refute`: small states that refute a rule.
//! - `implied`: rules that are special cases of another rule. `suggest`: improvements of a proved rule.
//! - `step_check`: single steps, checked against the facts they cite.
//! - `cache`: keys under which verdicts can be stored.
//!
//! Terms:
//! - *Open world*: a state of an unknown board. Only the cells and houses that the rule names are *modelled*; all other
//!   cells and houses are *unmodelled*. A proof in the open world holds on every board.
//! - *Generic digit*: the digit that stands for every digit without a name in the rule; such digits are
//!   interchangeable.
//! - *Premise*: a lemma, link source or technique that a verdict rests on.
//! - *Exchange*: the change of a solution that gives a *second solution* (second grid) of the puzzle. The proof of a
//!   rule that assumes one solution shows that a wrong conclusion would allow the exchange.
//! - *Member*: a technique with parameter values and one of its variants (`case` in a rule).

mod cache;
mod circuit;
mod counterexample;
mod encode;
mod implied;
mod premises;
mod prover;
mod question;
mod refute;
mod solutions;
mod solver;
mod step_check;
mod suggest;
mod verdict;

pub use cache::cache_key;
pub use counterexample::{Counterexample, NamedValue};
pub use implied::{Member, covers_chains, direct_cases};
pub use prover::{ProofLimits, Prover};
pub use question::StateReading;
pub use solutions::{
    Count, Mistakes, Uniqueness, WrongMoves, clues_have_unique_solution, count, mistakes, shared_digits, solutions,
    superfluous_clues, uniqueness,
};
pub use solver::TranscriptLine;
pub use step_check::{Citation, CitedCase, CitedEnd, CitedInference, CitedStep, StepCheck, check_cited};
pub use suggest::{SuggestedChange, Suggestion};
pub use verdict::{Effort, Premise, Refusal, Status, Verdict};
