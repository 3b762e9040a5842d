//! Tools for authors of rules. In: rules, a solver, puzzles. Out: data and sentences that the commands show.
//!
//! In reading order:
//!
//! - `question`: searches for one technique, and `WhyNotQuery`, which asks why it does not match. `names`: names that its steps may have.
//! - `wording`: values and expressions as English phrases. `phrases`: for each condition, a sentence, its negation, the
//!   cells that prove it, and the elements that are missing if it fails. `why`: a match explained requirement by requirement.
//! - `weaken`: rules with one requirement less. `near_miss` searches them to answer why a technique does not match. If more than one
//!   requirement fails, `longest_prefix` answers. `text` writes both answers as lines.
//! - `soundness`: verdicts, from the prover and from `refute`, which searches positions of `generate` for a wrong deduction.
//! - `examples`, `snapshots`: tests of rules. `mutate`: requirements that no test needs. `lint`: possible improvements. `scaffold`: new rule
//!   files. `hunt`: examples found in puzzles.
//! - `experiment`: use of techniques in puzzles. `explain`: techniques that justify the difference of two positions.
//!
//! ```text
//! WhyNotQuery ──weaken──▶ WeakerRule ──question──▶ MatchedStep ──phrases──▶ Miss ──text──▶ lines
//! match ──why──▶ Requirement ──phrases──▶ Why ──text──▶ lines
//! ```

pub mod examples;
pub mod experiment;
pub mod explain;
pub mod generate;
pub mod hunt;
pub mod lint;
mod longest_prefix;
pub mod mutate;
pub mod names;
mod near_miss;
mod phrases;
mod question;
pub mod refute;
pub mod scaffold;
pub mod snapshots;
mod soundness;
mod text;
mod weaken;
mod why;
mod wording;

pub use longest_prefix::{LongestPrefix, longest_prefix};
pub use near_miss::{GridChange, Miss, NearMisses, near_misses};
pub use question::{Engines, MatchedStep, WhyNotQuery, compiled, matches, only_member};
pub use soundness::{
    contradictions, first_wrong_step, judge_changes, prove_or_refute, quick_verdict, repairs, soundness_of,
    soundness_of_added_rules,
};
pub use text::{miss_lines, mistake_words, prefix_lines, requirement_lines, solutions_words, wrong_move_words};
pub use weaken::{Weakening, WeakerRule, weaker_rules};
pub use why::{ExplainedLine, Requirement, SourceLine, Why, lines_of, requirements, why};
pub use wording::Wording;
