//! A verdict as it is shown, written as JSON and kept. In: a verdict and how long it took. Out: plain data.

use crate::grid::{Geometry, notation};
use crate::proof::{Change, Counterexample, Ground, Status, Suggestion, Verdict};
use crate::render::Scene;
use crate::workbench::{Because, SourceLine};
use serde::{Deserialize, Serialize};

/// A member to be proved.
#[derive(Clone, Debug)]
pub struct Selected {
    /// Index of the technique.
    pub technique: usize,
    /// Values of its parameters.
    pub args: Vec<u32>,
    /// Index of the case.
    pub variant: usize,
    /// `id(4)`.
    pub label: String,
    /// Its display name.
    pub name: String,
}

/// One member on one board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofRecord {
    /// Id of the technique.
    pub technique: String,
    /// Values of its parameters.
    pub args: Vec<u32>,
    /// Which case, from zero.
    pub case: usize,
    /// `id(4)`.
    pub label: String,
    /// Display name.
    pub name: String,
    /// The board asked for.
    pub board: String,
    /// `proved`, `supposed`, `refuted`, `undecided` or `vacuous`.
    pub status: String,
    /// Of a rule that supposes something whether all that it uses under the supposition is proved.
    pub sound: Option<bool>,
    /// Proved from the cited facts alone, so on every board.
    pub every_board: bool,
    /// Reason of an undecided or vacuous verdict; for a proved rule that assumes one solution, how the second grid is made.
    pub reason: Option<String>,
    /// Lemmas, link sources and other techniques that the verdict rests on.
    pub rests_on: Vec<Ground>,
    /// The grid in which it is wrong.
    pub counterexample: Option<ExampleRecord>,
    /// What could be made more of it, where that was asked for: each with a line to paste.
    pub more: Option<Vec<String>>,
    /// Members of other rules that conclude all that this one does, with what their names stand for.
    #[serde(default)]
    pub implied_by: Option<Vec<String>>,
    /// Rules of `implied_by` that do not follow from others of the list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub implied_directly_by: Vec<String>,
    /// Rules that could not be compared with it, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_comparable: Vec<String>,
    /// Changes that make a wrong rule true, each proved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// Time, in seconds.
    pub seconds: f64,
    /// Clauses of all questions.
    pub clauses: u64,
    /// Variables of all questions.
    pub variables: u64,
    /// Conflicts of the solver.
    pub conflicts: u64,
    /// The counterexample in its grid, where it was found in this run.
    #[serde(skip)]
    pub scene: Option<Scene>,
    /// Whether this was known from an earlier run.
    pub cached: bool,
}

/// A counterexample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExampleRecord {
    /// The candidate grid, as `pinion find` reads it.
    pub grid: String,
    /// The wrongly concluded candidate, `r1c2<>3` or `r1c2=3`.
    pub concludes: String,
    /// The solution that contradicts it, row by row.
    pub solution: String,
    /// All of it, drawn.
    pub text: String,
    /// Each name of the rule with what it stands for.
    pub names: Vec<(String, String)>,
    /// The lines of the rule with what they demand.
    pub lines: Vec<Because>,
}

impl ExampleRecord {
    /// With what the names of the rule stand for, and what it demands, line by line.
    pub fn new(
        geometry: &Geometry,
        example: &Counterexample,
        (names, lines): (Vec<(String, String)>, Vec<Because>),
    ) -> ExampleRecord {
        let facts: Vec<String> = lines.iter().flat_map(|line| &line.facts).map(|fact| format!("  {fact}\n")).collect();
        let demanded = match facts.is_empty() {
            true => String::new(),
            false => format!("Everything that the rule demands holds:\n\n{}\n", facts.concat()),
        };
        ExampleRecord {
            grid: example.grid().to_string(),
            concludes: notation::deduction(geometry, example.wrong, example.placed),
            solution: example.solution.iter().map(ToString::to_string).collect(),
            text: format!("{}\n{demanded}{}", example.drawing, example.contradiction),
            names,
            lines,
        }
    }
}

impl ProofRecord {
    /// From a verdict; `lines` are those of the rule's file.
    pub fn new(
        verdict: &Verdict,
        one: &Selected,
        (more, lines): (Option<Vec<Suggestion>>, &[Option<SourceLine>]),
        seconds: f64,
    ) -> ProofRecord {
        let (every_board, reason) = match &verdict.status {
            Status::Proved { every_board, exchange } => (*every_board, exchange.clone()),
            Status::Supposed { every_board, .. } => (*every_board, None),
            Status::Undecided(reason) | Status::Vacuous(reason) => (false, Some(reason.clone())),
            Status::Refuted(_) => (false, None),
        };
        ProofRecord {
            technique: verdict.technique.clone(),
            args: verdict.args.clone(),
            case: verdict.variant,
            label: one.label.clone(),
            name: one.name.clone(),
            board: verdict.board.clone(),
            status: verdict.status.word().to_string(),
            sound: match verdict.status {
                Status::Supposed { sound, .. } => Some(sound),
                _ => None,
            },
            every_board,
            reason,
            rests_on: verdict.rests_on.clone(),
            counterexample: None,
            implied_by: None,
            implied_directly_by: Vec::new(),
            not_comparable: Vec::new(),
            repairs: Vec::new(),
            more: more.map(|more| more.iter().map(|one| said(one, lines)).collect()),
            seconds,
            clauses: verdict.effort.clauses,
            variables: verdict.effort.variables,
            conflicts: verdict.effort.conflicts,
            scene: None,
            cached: false,
        }
    }

    /// Status as a column of `pinion prove`. [`Status`] displays as a sentence with the reason; verdicts of premises are worded by
    /// the prover.
    pub fn words(&self) -> String {
        match (self.status.as_str(), self.every_board) {
            ("proved", true) => "proved on every board".into(),
            ("proved", false) => format!("proved on {}", self.board),
            ("supposed", _) if self.sound == Some(true) => "proved with what it uses".into(),
            ("supposed", _) => "as sound as what it uses".into(),
            ("undecided", _) => "not decided".into(),
            ("vacuous", _) => "says nothing".into(),
            (other, _) => other.into(),
        }
    }
}

/// A suggestion in words.
fn said(more: &Suggestion, lines: &[Option<SourceLine>]) -> String {
    let words = &more.line;
    let line = more.statement.and_then(|at| lines.get(at)?.as_ref());
    // The author's line, where it says it in other words.
    let line = line.map_or(String::new(), |line| match line.text.contains(words.as_str()) {
        true => format!(" (line {})", line.number),
        false => format!(" (line {}: `{}`)", line.number, line.text),
    });
    match more.change {
        Change::Conclude => format!("it could also conclude: {words}"),
        Change::Drop => format!("not needed: {words}{line}"),
        Change::Together => format!("not needed, even together: {words}"),
        Change::Alone => "only one of these can be dropped, not two together".to_owned(),
        Change::Relax => format!("a weaker requirement is enough: {words}{line}"),
    }
}
