//! Verdicts of proof attempts. In: answers of the solver. Out: [`Verdict`], data without references for the command line; the
//! [`Ground`]s that it rests on; and [`Refusal`], the reason why a rule cannot be read.

use super::counterexample::Counterexample;
use super::solver::SatSolver;
use crate::grid::Geometry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

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

    pub(super) fn add(&mut self, solver: &SatSolver) {
        self.clauses += solver.clauses;
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
        self.every_board().is_some()
    }

    /// Returns true for a rule that is proved on every board, and `None` for one that is not proved.
    pub(super) fn every_board(&self) -> Option<bool> {
        match self {
            Status::Proved { every_board, .. } | Status::Supposed { every_board, sound: true } => Some(*every_board),
            _ => None,
        }
    }

    /// Returns the verdict in a few words, as [`Ground::verdict`] of rules that rest on it. Only for display, like [`fmt::Display`], which
    /// makes a sentence of the whole status.
    pub(super) fn words(&self, geometry: &Geometry) -> String {
        match self {
            Status::Proved { every_board, .. } => proved_words(Some(*every_board), geometry),
            Status::Supposed { every_board, sound: true } => {
                format!("{}, with what it uses", proved_words(Some(*every_board), geometry))
            }
            Status::Supposed { sound: false, .. } => "sound only if what it uses is".into(),
            Status::Refuted(_) => "refuted".into(),
            Status::Undecided(reason) => format!("not decided: {reason}"),
            Status::Vacuous(_) => "says nothing".into(),
        }
    }
}

/// Names the boards that something is proved on.
pub(super) fn proved_words(every_board: Option<bool>, geometry: &Geometry) -> String {
    match every_board {
        Some(true) => "proved on every board".into(),
        Some(false) => format!("proved on {}", geometry.spec().name),
        None => "not proved".into(),
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Proved { every_board, exchange } => {
                write!(f, "proved on {} board", if *every_board { "every" } else { "this" })?;
                exchange.as_ref().map_or(Ok(()), |how| write!(f, ": {how}"))
            }
            Status::Supposed { every_board, .. } => {
                let board = if *every_board { "every" } else { "this" };
                write!(f, "sound on {board} board if the techniques that it uses are")
            }
            Status::Refuted(example) => write!(f, "refuted\n{example}"),
            Status::Undecided(reason) => write!(f, "undecided: {reason}"),
            Status::Vacuous(reason) => write!(f, "vacuous: {reason}"),
        }
    }
}

/// Something that a verdict rests on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ground {
    /// Name of the premise.
    pub what: String,
    /// Verdict of the premise, for link sources and techniques.
    pub verdict: Option<String>,
    /// True if the premise holds.
    pub holds: bool,
}

impl Ground {
    /// A link source or technique, with the words for its verdict.
    pub(super) fn new(what: impl Into<String>, verdict: impl Into<String>, holds: bool) -> Ground {
        Ground { what: what.into(), verdict: Some(verdict.into()), holds }
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        self.verdict.as_ref().map_or(Ok(()), |verdict| write!(f, ": {verdict}"))
    }
}

/// The sentences that are proved once, for all rules (docs/proofs.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lemma {
    Chain,
    ChainBack,
    Mirror,
    Loop,
    Cluster,
    Ring,
    Suppose,
    Singles,
    LockedSet,
    Numbers,
    Guardians,
    Templates,
}

impl Lemma {
    fn words(self) -> &'static str {
        match self {
            Lemma::Chain => "one end of a chain is true",
            Lemma::ChainBack => "if a chain comes back to its first node, the node is true",
            Lemma::Mirror => "a chain through cells of two digits can be read with the two exchanged",
            Lemma::Loop => "exactly one end of each link of a loop is true",
            Lemma::Cluster => "of the two colours of a cluster one is true and the other is false",
            Lemma::Ring => "an odd ring has a true guardian",
            Lemma::Suppose => "what all cases imply holds, if one of the cases does",
            Lemma::Singles => "the last candidate of a cell is true, and so is the last place of a digit in a house",
            Lemma::LockedSet => "an almost locked set lacks at most as many digits as it has more than cells",
            Lemma::Numbers => "every cell holds one digit, so cells and digits can be counted against each other",
            Lemma::Guardians => "without a true guardian the pattern is complete",
            Lemma::Templates => "a candidate in no template or combination is false, one in every template is true",
        }
    }
}

/// Effort and premises of an attempt, collected while a rule is proved.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempt {
    pub effort: Effort,
    pub lemmas: BTreeSet<Lemma>,
    /// Link sources and techniques.
    pub premises: BTreeSet<Ground>,
}

impl Attempt {
    /// Returns true if all link sources and techniques hold.
    pub fn premises_hold(&self) -> bool {
        self.premises.iter().all(|ground| ground.holds)
    }

    /// Returns the lemmas, then the other premises in order of their names.
    pub fn rests_on(self) -> Vec<Ground> {
        let lemmas = self.lemmas.into_iter();
        lemmas
            .map(|lemma| Ground { what: lemma.words().into(), verdict: None, holds: true })
            .chain(self.premises)
            .collect()
    }
}

/// The reason why a rule, or a part of it, has no encoding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The clauses of the question hold more literals than the limit, given in thousands.
    #[error(
        "it needs more than {thousands} thousand literals, the limit on the size of a question; \
         each `for` inside another multiplies them"
    )]
    TooLarge {
        /// The limit.
        thousands: u64,
    },
    /// The caller stopped the attempt.
    #[error("it was given up before it was settled")]
    GivenUp,
    /// An expression has a value of another kind than its place needs; the field names the things needed.
    #[error("{0} are needed here")]
    Needs(&'static str),
    /// A number is needed.
    #[error("a number is needed here")]
    NeedsNumber,
    /// A set is needed and a number is given.
    #[error("a set is needed here, not a number")]
    NeedsSet,
    /// A name is read that stands for nothing.
    #[error("`{0}` has no value")]
    Unbound(String),
    /// A name whose meaning the encoding lacks.
    #[error("what `{0}` stands for")]
    Meaning(String),
    /// A name that should be a set of candidates.
    #[error("`{0}` is not a set of candidates")]
    NoCandidateSet(String),
    /// The field names what has no encoding.
    #[error("{0}")]
    Construct(&'static str),
    /// The field names something without a domain.
    #[error("a {0} without a domain")]
    NoDomain(&'static str),
    /// The field names a condition or number of cells; some of these cells may lie outside of the modelled ones.
    #[error("{0} of cells without a bound")]
    Unbounded(&'static str),
    /// The field names something that only a board has.
    #[error("{0} without a board")]
    NoBoard(&'static str),
    /// A rule names a link source that no file declares.
    #[error("no strong link `{0}` is declared")]
    NoSource(String),
    /// A pattern in the graph of links, or a supposition: it has lemmas and no encoding of its own.
    #[error("it {0}")]
    ByLemma(&'static str),
    /// A rule that is compared has fewer cases.
    #[error("`{technique}` has no case {case}")]
    NoCase {
        /// Id of the technique.
        technique: String,
        /// Number of the case.
        case: usize,
    },
}
