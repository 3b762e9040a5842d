//! Turns matches into steps and solution paths. In: rule texts as (name, text), a profile, states. Out: [`Step`]s and [`Path`]s as data.
//!
//! In reading order:
//!
//! - `rulebook`: the rules with their files; [`embedded`] has the built-in texts. `proof_record`: soundness of rules on a board.
//! - `profile`: order and price of techniques, row by row. `names`: names of techniques here and in other programs. `ranking`: a profile
//!   applied to a rulebook.
//! - `solver`: the loop that finds one step after the other. `cheapest`: rows whose matches compete by `price`.
//! - `step`: a step as data. `build` makes a step from a match; `view` evaluates the rule's expressions for a match; `citations` collects
//!   the facts that a step rests on.
//! - `path`: walks, paths, guesses, ratings and costs.
//! - `find`: all steps on a state; comparison of matches with the solution.
//!
//! Terms:
//!
//! - *Member*: a technique with parameter values and one of its variants (cases), in the grid or in one view.
//! - *Shape*: a kind of matches with a name of its own, which a rule gives by a condition (`called`).
//! - *Row* of a profile: an entry of the profile, which covers some members or matches and has their price. It is no row of
//!   the board.
//! - *Rank*: the members of one row, tried together.
//! - *Catalogue*: the list of names of another program. Each entry means *targets*: a rule with parameters, a case and names.
//! - *Walk*: matches and guesses up to the end of a path, before they become steps.
//!
//! ```text
//! Rulebook, board, Profile ──▶ Solver (Engine, Ranking) ──State──▶ Match ──build──▶ Step
//!                                                                    └──▶ Walk ──▶ Path, PuzzleRating
//! ```

mod build;
mod cheapest;
mod citations;
mod find;
mod names;
mod path;
mod price;
mod profile;
mod proof_record;
mod ranking;
mod rulebook;
mod solver;
mod step;
mod view;

pub use build::{claims_by_conclusion, step_of};
pub use find::{FalseDeductions, FoundSteps, MatchCounts, StepSearch, Survey, UnknownTechnique, false_deductions};
pub use names::{
    Catalogue, Entry, MemberNames, Target, TypedName, fold_name, member_names, names_of, nearest, targets_named,
};
pub use path::{CostLine, Cut, Outcome, Path, PathCost, PathCursor, PuzzleRating, Walk};
pub use price::RowPrice;
pub use profile::{
    ArgRange, DEFAULT, MatchGroups, OtherTechniques, PriceFault, Profile, ProfileError, ProfileRow, Rating, RatingBy,
    member_label, price_faults,
};
pub use proof_record::{AddedSoundness, ProofRecord, ProvedBoards, ProvedMember, Soundness, built_in_name};
pub use ranking::{MissingRow, Rank, Ranking};
pub use rulebook::{RuleFile, Rulebook, embedded};
pub use solver::{NextStep, Solver, Unwatched, Watch};
pub use step::{
    BoundName, CaseStep, CitedLink, Cites, Deduction, InnerStep, Since, SourcedLink, Step, Trial, apply, chain_links,
};
pub use view::{ViewedPosition, cells_with_digits, digits_and, headline_value, join_words, value_text};
