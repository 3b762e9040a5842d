//! From matches to solutions. In: rule texts, a profile, states. Out: [`Step`]s and [`Path`]s as data. No file is read here: texts come in
//! as (name, text).
//!
//! In reading order:
//!
//! - `rulebook`: the rules with their files; `embedded` are the built-in texts. `proof_record`: soundness of rules on a board.
//! - `profile` and `row`: order and price of techniques; `profile_errors` checks them. `names` and `catalogue`: names of techniques here and
//!   in other programs. `ranking`: a profile applied to a rulebook.
//! - `solver`: the loop that finds one step after the other. `cheapest`: rows that are searched together by `price`, which `price_bound`
//!   bounds; `changes`: times of eliminations, for prices.
//! - `step`: a step as data. `build` makes it from a match, seen through its rule by `view`; `implicit_citations` and `cases` add citations
//!   and cases.
//! - `path`: walks, paths, guesses. `rating`: ratings and costs.
//! - `find`: all steps on a state. `survey`: matches compared with the solution.
//!
//! ```text
//! Rulebook, board, Profile ──▶ Solver (Engine, Ranking) ──State──▶ Match ──build──▶ Step
//!                                                                    └──▶ Walk ──▶ Path, Rated
//! ```

mod build;
mod cases;
mod catalogue;
mod changes;
mod cheapest;
pub mod embedded;
mod find;
mod implicit_citations;
mod names;
mod path;
mod price;
mod price_bound;
mod profile;
mod profile_errors;
mod proof_record;
mod ranking;
mod rating;
mod row;
mod rulebook;
mod solver;
mod step;
mod survey;
mod view;

pub use build::{claims_by_conclusion, step_of};
pub use catalogue::{Catalogue, Entry, Target, alias};
pub use find::{Findings, Finds, UnknownTechnique};
pub use names::{Meaning, MemberNames, folded, member_names, names_of, nearest};
pub use path::{Cost, CostLine, Cut, Outcome, Path, Replay, Walk};
pub use price::Price;
pub use profile::{By, DEFAULT, Others, Profile, ProfileError, Rating};
pub use profile_errors::{PriceFault, faults};
pub use proof_record::{Boards, Knowledge, ProofRecord, ProvedMember, Soundness, built_in_name};
pub use ranking::{MissingRow, Rank, Ranking};
pub use rating::Rated;
pub use row::{Alike, ArgRange, Row, member_label};
pub use rulebook::{RuleFile, Rulebook};
pub use solver::{Next, Solver, Unwatched, Watch};
pub use step::{
    Binding, CaseStep, Cites, Deduction, InnerStep, Link, Since, SourcedLink, Step, Trial, apply, chain_links,
};
pub use survey::{Survey, Untrue, Weighed, untrue};
pub use view::{ViewContext, short, text_of, with_digits};
