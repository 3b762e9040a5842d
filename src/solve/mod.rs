//! From matches to solutions. In: rule texts, a profile, states. Out: [`Step`]s and [`Path`]s as data.
//!
//! [`Rulebook`] holds the rules, [`Profile`] their order and cost, [`Solver`] both for one board. No file is
//! read here: texts come in as (name, text).

mod arg_range;
mod around;
mod build;
mod cases;
mod catalogue;
mod changes;
mod circle;
mod claims;
pub mod embedded;
mod faults;
mod find;
mod guess;
mod joined;
mod least;
mod meaning;
mod names;
mod order;
mod path;
mod price;
mod profile;
mod rating;
mod row;
mod rulebook;
mod short;
mod slips;
mod solver;
mod standing;
mod step;
mod survey;
mod tally;
mod together;
mod unnamed;
mod view;
mod walk;

pub use arg_range::ArgRange;
pub use build::{claims_by_conclusion, step_of};
pub use catalogue::{Catalogue, Entry, Target, alias};
pub use faults::{PriceFault, faults};
pub use find::{Findings, Finds, UnknownTechnique};
pub use guess::Replay;
pub use meaning::Meaning;
pub use names::{MemberNames, folded, member_names, names_of, nearest};
pub use order::{MissingRow, Rank, Ranking};
pub use path::{Cost, CostLine, Cut, Outcome, Path};
pub use price::Price;
pub use profile::{By, DEFAULT, Others, Profile, ProfileError, Rating};
pub use rating::Rated;
pub use row::{Alike, Row, member_label};
pub use rulebook::{RuleFile, Rulebook};
pub use short::{short, with_digits};
pub use solver::{Next, Solver, Unwatched, Watch};
pub use standing::{Boards, Knowledge, Proved, Soundness, Standing, name_of};
pub use step::{Binding, CaseStep, Cites, Deduction, InnerStep, Link, LinkTold, Since, Step, Trial, apply, links_told};
pub use survey::{Survey, Untrue, Weighed, untrue};
pub use view::{ViewContext, text_of};
pub use walk::Walk;
