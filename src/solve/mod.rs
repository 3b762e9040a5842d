//! From matches to solutions. In: rule texts, a profile, states. Out: [`Step`]s and [`Path`]s as data. No file is read here: texts come in
//! as (name, text).
//!
//! In reading order:
//!
//! - `rulebook`: the rules with their files; [`embedded`] are the built-in texts. `proof_record`: soundness of rules on a board.
//! - `profile`: order and price of techniques, row by row. `names`: names of techniques here and in other programs. `ranking`: a profile
//!   applied to a rulebook.
//! - `solver`: the loop that finds one step after the other. `cheapest`: rows that are searched together by `price`.
//! - `step`: a step as data. `build` makes it from a match, seen through its rule by `view`; `citations` are the facts that it rests on.
//! - `path`: walks, paths, guesses, ratings and costs.
//! - `find`: all steps on a state; matches compared with the solution.
//!
//! ```text
//! Rulebook, board, Profile ──▶ Solver (Engine, Ranking) ──State──▶ Match ──build──▶ Step
//!                                                                    └──▶ Walk ──▶ Path, Rated
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
pub use find::{FoundSteps, StepSearch, Survey, UnknownTechnique, Untrue, Weighed, untrue};
pub use names::{Catalogue, Entry, Meaning, MemberNames, Target, alias, folded, member_names, names_of, nearest};
pub use path::{CostLine, Cut, Outcome, Path, PathCost, Rated, Replay, Walk};
pub use price::RowPrice;
pub use profile::{
    Alike, ArgRange, DEFAULT, Others, PriceFault, Profile, ProfileError, Rating, RatingBy, Row, faults, member_label,
};
pub use proof_record::{Knowledge, ProofRecord, ProvedBoards, ProvedMember, Soundness, built_in_name};
pub use ranking::{MissingRow, Rank, Ranking};
pub use rulebook::{RuleFile, Rulebook, embedded};
pub use solver::{NextStep, Solver, Unwatched, Watch};
pub use step::{
    BoundName, CaseStep, CitedLink, Cites, Deduction, InnerStep, Since, SourcedLink, Step, Trial, apply, chain_links,
};
pub use view::{ViewContext, digits_and, list, short, text_of, with_digits};
