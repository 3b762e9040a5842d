//! Verdicts of proof attempts. In: answers of the solver. Out: [`Verdict`], plain data for the command line.

use super::counterexample::Counterexample;
use super::ground::Ground;
use crate::grid::Geometry;
use serde::Serialize;
use std::fmt;

/// The outcome for one member of a technique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Id of the technique.
    pub technique: String,
    /// A value for each parameter.
    pub args: Vec<u32>,
    /// Index of the case.
    pub variant: usize,
    /// Name of the board.
    pub board: String,
    /// Result of the attempt.
    pub status: Status,
    /// Lemmas, link sources and other techniques that it rests on.
    pub rests_on: Vec<Ground>,
    /// Size and difficulty of the questions.
    pub effort: Effort,
}

/// Proved, refuted or neither.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No state of the board, or of any board and variant, makes a conclusion false.
    Proved {
        /// True if the proof used only facts that the rule itself cites.
        every_board: bool,
        /// For a rule that assumes one solution: construction of the second grid, in words.
        exchange: Option<String>,
    },
    /// The conclusions say no more than the assumptions show, so they hold if everything used under the assumptions is
    /// sound; these premises are listed with the verdict.
    Supposed {
        /// True if all premises hold on every board.
        every_board: bool,
        /// True if all listed premises are proved.
        sound: bool,
    },
    /// A state in which a conclusion is false.
    Refuted(Box<Counterexample>),
    /// Why there is no answer.
    Undecided(String),
    /// Why the rule says nothing.
    Vacuous(String),
}

/// Sizes of all questions asked, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Effort {
    /// Clauses written.
    pub clauses: u64,
    /// Variables used.
    pub variables: u64,
    /// Conflicts of the solver.
    pub conflicts: u64,
}

impl Effort {
    pub(super) fn join(&mut self, other: &Effort) {
        self.clauses += other.clauses;
        self.variables += other.variables;
        self.conflicts += other.conflicts;
    }

    pub(super) fn add(&mut self, solver: &super::solver::Solver) {
        self.clauses += solver.clauses();
        self.variables += solver.variables();
        self.conflicts += solver.conflicts();
    }
}

impl Status {
    /// The word for it: `proved`, `supposed`, `refuted`, `undecided` or `vacuous`.
    pub fn word(&self) -> &'static str {
        match self {
            Status::Proved { .. } => "proved",
            Status::Supposed { .. } => "supposed",
            Status::Refuted(_) => "refuted",
            Status::Undecided(_) => "undecided",
            Status::Vacuous(_) => "vacuous",
        }
    }

    /// Returns true if the rule is proved.
    pub fn is_proved(&self) -> bool {
        matches!(self, Status::Proved { .. } | Status::Supposed { sound: true, .. })
    }

    /// Returns the verdict in a few words, as [`Ground::verdict`] of rules that rest on it. Only for display, like [`fmt::Display`], which
    /// makes a sentence of the whole status.
    pub(super) fn words(&self, geometry: &Geometry) -> String {
        let sound = if matches!(self, Status::Supposed { .. }) { ", with what it uses" } else { "" };
        match self {
            Status::Proved { every_board: true, .. } | Status::Supposed { every_board: true, sound: true } => {
                format!("proved on every board{sound}")
            }
            Status::Proved { .. } | Status::Supposed { sound: true, .. } => {
                format!("proved on {}{sound}", geometry.spec().name)
            }
            Status::Supposed { sound: false, .. } => "sound only if what it uses is".into(),
            Status::Refuted(_) => "refuted".into(),
            Status::Undecided(reason) => format!("not decided: {reason}"),
            Status::Vacuous(_) => "says nothing".into(),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Proved { every_board, exchange } => {
                f.write_str(if *every_board { "proved on every board" } else { "proved on this board" })?;
                exchange.as_ref().map_or(Ok(()), |how| write!(f, ": {how}"))
            }
            Status::Supposed { every_board: true, .. } => {
                f.write_str("sound on every board if the techniques that it uses are")
            }
            Status::Supposed { .. } => f.write_str("sound on this board if the techniques that it uses are"),
            Status::Refuted(example) => write!(f, "refuted\n{example}"),
            Status::Undecided(reason) => write!(f, "undecided: {reason}"),
            Status::Vacuous(reason) => write!(f, "vacuous: {reason}"),
        }
    }
}
