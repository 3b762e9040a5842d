//! Checks the rules of a text: runs the examples and near misses, proves rules within a time limit, and determines the
//! soundness of the rules on the board of the grid. A failed proof comes with counterexamples and repairs.

use super::Playground;
use super::grid::PictureRecord;
use super::text::RuleText;
use crate::engine::Halt;
use crate::grid::{Geometry, notation};
use crate::lang::ir::{Space, Technique};
use crate::proof::{Counterexample, Member, Prover, Status, Verdict};
use crate::render::Scene;
use crate::solve::{Rulebook, Soundness, member_label, member_names};
use crate::workbench::examples::{self, CheckedExample, Verdict as ExampleVerdict, check_technique, example_position};
use crate::workbench::{prove_or_refute, refute, repairs};
use serde::Serialize;
use std::rc::Rc;
use std::sync::Arc;

/// Result of an example or near miss.
#[derive(Debug, Serialize)]
struct ExampleResultRecord {
    label: String,
    title: Option<String>,
    near_miss: bool,
    passed: bool,
    /// Reason why the deductions were not compared: the example cannot be run, or deductions contradict the solution of
    /// its grid.
    unusable: Option<String>,
    /// Deductions that the example lists and the rule does not find.
    missing: Vec<String>,
    /// Deductions that the rule finds and the example does not list.
    extra: Vec<String>,
    /// Deductions that the example lists.
    finds: Vec<String>,
    board: Option<String>,
    grid: String,
    picture: Option<PictureRecord>,
}

/// Results of all examples of a text.
#[derive(Debug, Serialize)]
pub struct TestRecord {
    examples: Vec<ExampleResultRecord>,
    /// A sentence for each rule without an example, and for each rule without a near miss.
    #[serde(rename = "without")]
    gaps: Vec<String>,
}

/// The verdict on one member of a rule.
#[derive(Debug, Serialize)]
pub struct MemberVerdictRecord {
    technique: String,
    label: String,
    name: String,
    board: String,
    /// `proved`, `supposed` (sound if the rules that it uses under suppositions are sound), `refuted`, `undecided` or
    /// `vacuous`.
    status: &'static str,
    sound: bool,
    words: String,
    rests_on: Vec<String>,
    counterexample: Option<WrongGridRecord>,
    repairs: Vec<String>,
}

/// A grid on which a rule draws a wrong conclusion.
#[derive(Debug, Serialize)]
struct WrongGridRecord {
    /// The grid as a puzzle text.
    grid: String,
    /// The wrong conclusion, such as `r1c2<>3`.
    concludes: String,
    /// A sentence that refutes the conclusion: `r1c2 is 3 in a solution of this grid`.
    holds: String,
    /// Values of the rule's names.
    names: String,
    picture: PictureRecord,
}

/// The soundness of a rule of the text on the board of the grid.
#[derive(Debug, Serialize)]
pub struct SoundnessRecord {
    id: String,
    /// The soundness of the least sound member.
    soundness: Soundness,
}

/// Runs all examples and near misses of a text.
pub fn test(text: &RuleText) -> TestRecord {
    let book = text.rulebook();
    let mut gaps = Vec::new();
    for technique in text.techniques(None) {
        for (is_near_miss, noun) in [(false, "example"), (true, "near miss")] {
            if technique.examples.iter().all(|example| example.near_miss != is_near_miss) {
                gaps.push(format!("`{}` has no {noun} yet.", technique.id));
            }
        }
    }
    let checked = text.techniques(None).flat_map(|technique| check_technique(book, technique, Halt::default()));
    TestRecord { examples: checked.map(|checked| example_record(book, checked)).collect(), gaps }
}

fn example_record(book: &Rulebook, checked: CheckedExample) -> ExampleResultRecord {
    let (unusable, missing, extra) = match &checked.verdict {
        ExampleVerdict::Passed => (None, Vec::new(), Vec::new()),
        ExampleVerdict::Failed { missing, extra } => (None, missing.clone(), extra.clone()),
        ExampleVerdict::Unusable(reason) => (Some(reason.clone()), Vec::new(), Vec::new()),
        ExampleVerdict::Wrong(reasons) => (Some(reasons.join("; ")), Vec::new(), Vec::new()),
    };
    let position = example_position(book, &checked.example).ok();
    ExampleResultRecord {
        passed: checked.passed(),
        label: checked.label,
        title: checked.example.title,
        near_miss: checked.example.near_miss,
        unusable,
        missing,
        extra,
        finds: checked.example.finds,
        board: checked.example.board,
        grid: checked.example.grid,
        picture: position.map(|position| PictureRecord::new(&position.geometry, &Scene::of_state(position.state))),
    }
}

/// Proves the rules on the boards of their examples, for at most `seconds` in total.
pub fn prove(
    text: &RuleText,
    only: Option<&str>,
    clock: fn() -> f64,
    seconds: f64,
) -> Result<Vec<MemberVerdictRecord>, String> {
    let end = clock() + seconds * 1_000.0;
    let is_over: Rc<dyn Fn() -> bool> = Rc::new(move || clock() >= end);
    let book = text.rulebook();
    let mut records = Vec::new();
    for technique in text.techniques(only) {
        for board in examples::boards(technique) {
            let geometry = book.board(board)?;
            let (techniques, sources) = (book.techniques(), book.sources());
            let prover = Prover::new(&geometry, sources).with_rules(techniques).with_cancellation(is_over.clone());
            for (args, variant) in prover.members(technique) {
                let member = Member { technique, args: &args, variant };
                let verdict = prove_or_refute(&prover, &geometry, member, (techniques, sources), &is_over);
                let repairs = match verdict.status {
                    Status::Refuted(_) => repairs(&geometry, member, (techniques, sources), &is_over),
                    _ => Vec::new(),
                };
                let timeout = is_over().then(|| format!("not settled within {seconds} s"));
                records.push(verdict_record(&geometry, technique, verdict, repairs, timeout));
            }
        }
    }
    Ok(records)
}

/// Converts a verdict for the page. `timeout` replaces the words of an undecided verdict.
fn verdict_record(
    geometry: &Arc<Geometry>,
    technique: &Technique,
    verdict: Verdict,
    repairs: Vec<String>,
    timeout: Option<String>,
) -> MemberVerdictRecord {
    let words = match &verdict.status {
        Status::Refuted(_) => "wrong: there is a grid in which it fails".to_string(),
        Status::Undecided(_) => timeout.unwrap_or_else(|| verdict.status.to_string()),
        other => other.to_string(),
    };
    MemberVerdictRecord {
        label: member_label(&technique.id, &verdict.args),
        name: member_names(technique, verdict.variant, &verdict.args, Space::Rc).title,
        technique: verdict.technique,
        board: verdict.board,
        status: verdict.status.name(),
        sound: verdict.status.is_proved(),
        words,
        rests_on: verdict.rests_on.iter().map(ToString::to_string).collect(),
        counterexample: match &verdict.status {
            Status::Refuted(counterexample) => {
                let rule = (technique, verdict.variant, verdict.args.as_slice());
                let (names, _) = refute::explain(geometry, rule, counterexample, &[]);
                Some(wrong_grid_record(geometry, counterexample, names))
            }
            _ => None,
        },
        repairs,
    }
}

fn wrong_grid_record(
    geometry: &Geometry,
    counterexample: &Counterexample,
    names: Vec<(String, String)>,
) -> WrongGridRecord {
    let wrong = counterexample.wrong;
    let cell = notation::cell(geometry, wrong.cell);
    let digit = counterexample.solution[wrong.cell.index()];
    let names: Vec<String> = names.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
    WrongGridRecord {
        grid: counterexample.grid().to_string(),
        concludes: notation::deduction(geometry, wrong, counterexample.placed),
        holds: format!("{cell} is {digit} in a solution of this grid"),
        names: names.join(", "),
        picture: PictureRecord::new(geometry, &Scene::of_counterexample(counterexample)),
    }
}

/// Returns the soundness of each rule of the text, as far as a limited proof decides it.
pub fn soundness(playground: &mut Playground) -> Result<Vec<SoundnessRecord>, String> {
    let soundness = playground.soundness()?;
    let (text, grid) = playground.text_and_grid()?;
    let size = grid.geometry().size() as u32;
    let mut records = Vec::new();
    for technique in text.techniques(None) {
        let members = technique.member_variants(size).into_iter();
        let least_sound = members.map(|(args, variant)| soundness.get(technique, (&args, variant))).max();
        records.push(SoundnessRecord { id: technique.id.clone(), soundness: least_sound.unwrap_or_default() });
    }
    Ok(records)
}
