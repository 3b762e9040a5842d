//! Turns matches into steps and solution paths. In: rule files, a profile, a position. Out: [`Step`]s and [`Path`]s as data.
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
//! - *Member*: a technique with parameter values and one of its variants, in the grid or in one view. `case "Title":` begins a
//!   variant in a rule file.
//! - *Shape*: the matches for which a rule has a name of their own: `called "XY-Chain" when every link by cell`.
//! - *Profile row*: an entry of a profile. It gives some members or matches a price.
//! - *Rank*: the members of one profile row, tried together.
//! - *Catalogue*: the names that another program gives to techniques. Each name has *targets*, the members or matches that it
//!   means.
//! - *Walk*: a path as matches and guesses, without the steps that explain them.
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

pub use crate::lang::ir::member_label;
pub use build::{claims_by_conclusion, step_of};
pub use find::{FalseDeductions, FoundSteps, MatchCounts, StepSearch, Survey, UnknownTechnique, false_deductions};
pub use names::{
    Catalogue, Entry, MemberNames, Target, TypedName, fold_name, member_names, names_of, nearest, targets_named,
};
pub use path::{CostLine, Cut, Outcome, Path, PathCost, PathCursor, PuzzleRating, Walk};
pub use price::RowPrice;
pub use profile::{
    ArgRange, DEFAULT, MatchGroups, OtherTechniques, PriceFault, Profile, ProfileError, ProfileRow, Rating, RatingBy,
    price_faults,
};
pub use proof_record::{AddedRuleSoundness, ProofRecord, ProvedBoards, ProvedMember, Soundness, built_in_name};
pub use ranking::{MissingRow, Rank, Ranking};
pub use rulebook::{RuleFile, Rulebook, embedded};
pub use solver::{NextStep, Solver, Unwatched, Watch};
pub use step::{
    BoundName, CaseStep, Causes, CitedLink, Cites, Deduction, InnerStep, SourcedLink, Step, Trial, apply, chain_links,
    is_loop,
};
pub use view::{ViewedPosition, cells_with_digits, digits_in_words, headline_value, join_words, value_text};
