//! Verdicts of proof attempts. In: answers of the solver. Out: [`Verdict`], the result as data without references;
//! [`Premise`]s; and [`Refusal`], the reason why a rule cannot be encoded.

use super::counterexample::Counterexample;
use super::solver::SatSolver;
use crate::grid::Geometry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// The outcome of an attempt to prove one member of a technique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Id of the technique.
    pub technique: String,
    /// A value for each parameter.
    pub args: Vec<u32>,
    /// Index of the variant.
    pub variant: usize,
    /// Name of the board.
    pub board: String,
    /// Result of the attempt.
    pub status: Status,
    /// Premises: lemmas, link sources and other techniques.
    pub rests_on: Vec<Premise>,
    /// Total size and difficulty of all questions.
    pub effort: Effort,
}

/// Proved, refuted or neither.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No state makes a conclusion false.
    Proved {
        /// True if the rule is proved on every board, from the facts that the rule cites alone; false if it is proved
        /// on the board of the verdict only.
        every_board: bool,
        /// For a rule that assumes one solution, a description of the exchange. A wrong conclusion would allow a second
        /// solution, which the exchange makes from the first.
        exchange: Option<String>,
    },
    /// The rule makes assumptions (`suppose`), and its conclusions follow from their results. It is sound if everything
    /// used under the assumptions is sound. The verdict lists these premises.
    #[serde(rename = "supposed")]
    Conditional {
        /// True if all premises hold on every board.
        every_board: bool,
        /// True if all listed premises are proved.
        sound: bool,
    },
    /// A conclusion is false in some state.
    Refuted(Box<Counterexample>),
    /// No answer was found, for the given reason.
    Undecided(String),
    /// The rule never concludes anything, for the given reason.
    Vacuous(String),
}

/// Sizes of all questions to the solver, added up.
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
    pub(super) fn add(&mut self, other: &Effort) {
        self.clauses += other.clauses;
        self.variables += other.variables;
        self.conflicts += other.conflicts;
    }

    pub(super) fn add_solver(&mut self, solver: &SatSolver) {
        self.clauses += solver.clauses;
        self.variables += solver.variables();
        self.conflicts += solver.conflicts();
    }
}

impl Status {
    /// Returns the name of the status: `proved`, `supposed`, `refuted`, `undecided` or `vacuous`.
    pub fn name(&self) -> &'static str {
        match self {
            Status::Proved { .. } => "proved",
            Status::Conditional { .. } => "supposed",
            Status::Refuted(_) => "refuted",
            Status::Undecided(_) => "undecided",
            Status::Vacuous(_) => "vacuous",
        }
    }

    /// Returns true if the rule is proved.
    pub fn is_proved(&self) -> bool {
        self.every_board().is_some()
    }

    /// Returns `Some(true)` for a rule that is proved on every board, `Some(false)` for a rule that is proved on one
    /// board only, and `None` for a rule that is not proved.
    pub(super) fn every_board(&self) -> Option<bool> {
        match self {
            Status::Proved { every_board, .. } | Status::Conditional { every_board, sound: true } => Some(*every_board),
            _ => None,
        }
    }

    /// Returns the status in a few words, without reasons and examples. If this rule is a premise of another rule, the
    /// other rule's verdict quotes these words ([`Premise::verdict`]).
    pub(super) fn summary(&self, geometry: &Geometry) -> String {
        match self {
            Status::Proved { every_board, .. } => proved_words(Some(*every_board), geometry),
            Status::Conditional { every_board, sound: true } => {
                format!("{}, with what it uses", proved_words(Some(*every_board), geometry))
            }
            Status::Conditional { sound: false, .. } => "sound only if what it uses is".into(),
            Status::Refuted(_) => "refuted".into(),
            Status::Undecided(reason) => format!("not decided: {reason}"),
            Status::Vacuous(_) => "says nothing".into(),
        }
    }
}

/// Returns words for the result of a proof: `Some(true)` for a proof on every board, `Some(false)` for a proof on one
/// board, `None` for no proof.
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
                if let Some(second_grids) = exchange {
                    write!(f, ": {second_grids}")?;
                }
                Ok(())
            }
            Status::Conditional { every_board, .. } => {
                let board = if *every_board { "every" } else { "this" };
                write!(f, "sound on {board} board if the techniques that it uses are")
            }
            Status::Refuted(example) => write!(f, "refuted\n{example}"),
            Status::Undecided(reason) => write!(f, "undecided: {reason}"),
            Status::Vacuous(reason) => write!(f, "vacuous: {reason}"),
        }
    }
}

/// A premise of a verdict.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Premise {
    /// Name of the premise.
    #[serde(rename = "what")]
    pub name: String,
    /// Verdict on a link source or technique, in words; `None` for a lemma.
    pub verdict: Option<String>,
    /// True if the premise holds.
    pub holds: bool,
}

impl Premise {
    /// Makes the premise of a link source or technique.
    pub(super) fn new(name: impl Into<String>, verdict: impl Into<String>, holds: bool) -> Premise {
        Premise { name: name.into(), verdict: Some(verdict.into()), holds }
    }
}

impl fmt::Display for Premise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.verdict {
            Some(verdict) => write!(f, "{}: {verdict}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// The lemmas that proofs of rules use. See docs/proofs.md for the reasons why they hold.
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
    fn text(self) -> &'static str {
        match self {
            Lemma::Chain => "one end of a chain is true",
            Lemma::ChainBack => "if a chain comes back to its first node, the node is true",
            Lemma::Mirror => "a chain through cells of two digits can be read with the two exchanged",
            Lemma::Loop => "exactly one end of each link of a loop is true",
            Lemma::Cluster => "of the two colours of a cluster one is true and the other is false",
            Lemma::Ring => "an odd ring has a true guardian",
            Lemma::Suppose => "a fact that every case implies is true if one of the cases is",
            Lemma::Singles => "the last candidate of a cell is true, and so is the last place of a digit in a house",
            Lemma::LockedSet => "a set with n cells and n + k digits misses at most k of its digits in the solution",
            Lemma::Numbers => "every cell holds one digit, so cells and digits can be counted against each other",
            Lemma::Guardians => "without a true guardian the pattern is complete",
            Lemma::Templates => "a candidate in no template or combination is false, one in every template is true",
        }
    }
}

/// Effort and premises of an attempt, collected during the proof of a rule.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempt {
    pub effort: Effort,
    pub lemmas: BTreeSet<Lemma>,
    /// The link sources and techniques among the premises.
    pub premises: BTreeSet<Premise>,
}

impl Attempt {
    pub fn premises_hold(&self) -> bool {
        self.premises.iter().all(|premise| premise.holds)
    }

    /// Returns the lemmas, then the other premises in order of their names.
    pub fn rests_on(self) -> Vec<Premise> {
        let lemmas = self.lemmas.into_iter();
        let lemmas = lemmas.map(|lemma| Premise { name: lemma.text().into(), verdict: None, holds: true });
        lemmas.chain(self.premises).collect()
    }
}

/// The reason why a rule, or a part of it, has no encoding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The clauses of the question have more literals than the limit.
    #[error(
        "it needs more than {thousands} thousand literals, the limit on the size of a question; \
         each `for` inside another multiplies them"
    )]
    TooLarge {
        /// The limit in thousands of literals.
        thousands: u64,
    },
    /// The caller cancelled the attempt.
    #[error("the attempt was cancelled before there was an answer")]
    Cancelled,
    /// An expression has the wrong kind for its position; the field names the kind that is needed.
    #[error("{0} are needed here")]
    Needs(&'static str),
    /// A number is needed.
    #[error("a number is needed here")]
    NeedsNumber,
    /// A set is needed and a number is given.
    #[error("a set is needed here, not a number")]
    NeedsSet,
    /// A name without a value is read.
    #[error("`{0}` has no value")]
    Unbound(String),
    /// A name of a kind that has no encoding.
    #[error("the kind of `{0}`")]
    UnsupportedKind(String),
    /// A name is used as a set of candidates, but is not a set of candidates.
    #[error("`{0}` is not a set of candidates")]
    NoCandidateSet(String),
    /// A construct without an encoding; the field names the construct.
    #[error("{0}")]
    Construct(&'static str),
    /// A name has no domain; the field describes the name.
    #[error("a {0} without a domain")]
    NoDomain(&'static str),
    /// A condition or number needs all cells of a set, but the set may have unmodelled cells. The field names the
    /// condition or number.
    #[error("{0} of a set that may have unmodelled cells")]
    NeedsAllCells(&'static str),
    /// A construct that can be encoded only on a board; the field names the construct.
    #[error("{0} without a board")]
    NoBoard(&'static str),
    /// A rule uses a link source that no file declares.
    #[error("no strong link `{0}` is declared")]
    NoSource(String),
    /// The rule has a pattern of links or a supposition. Only lemmas encode such a pattern; the field describes the
    /// rule.
    #[error("it {0}")]
    ByLemma(&'static str),
    /// A question about two rules names a variant that a rule does not have.
    #[error("`{technique}` has no case {variant}")]
    NoVariant {
        /// Id of the technique.
        technique: String,
        /// Index of the variant.
        variant: usize,
    },
}
