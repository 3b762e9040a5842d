//! Checks of the rules of a text. In: the rules, perhaps a time limit. Out: results of their examples and near misses; proofs with
//! counterexamples and repairs; their soundness on the board of the grid.

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

/// An example or near miss with its result.
#[derive(Debug, Serialize)]
struct ExampleView {
    label: String,
    title: Option<String>,
    near_miss: bool,
    passed: bool,
    /// Why the example could not be tried.
    unusable: Option<String>,
    /// Deductions that are listed and not found.
    missing: Vec<String>,
    /// Deductions that are found and not listed.
    extra: Vec<String>,
    finds: Vec<String>,
    board: Option<String>,
    grid: String,
    picture: Option<PictureRecord>,
}

/// Results of all examples of a text.
#[derive(Debug, Serialize)]
pub struct TestRecord {
    examples: Vec<ExampleView>,
    /// Rules without an example or without a near miss, one sentence each.
    without: Vec<String>,
}

/// The verdict on one member of a rule.
#[derive(Debug, Serialize)]
pub struct ProofView {
    technique: String,
    label: String,
    name: String,
    board: String,
    /// `proved`, `supposed`, `refuted`, `undecided` or `vacuous`.
    status: &'static str,
    sound: bool,
    words: String,
    rests_on: Vec<String>,
    counterexample: Option<CounterexampleView>,
    repairs: Vec<String>,
}

/// A grid in which a rule is wrong.
#[derive(Debug, Serialize)]
struct CounterexampleView {
    /// The grid as text that the page can read back.
    grid: String,
    /// The wrong conclusion: `r1c2<>3`.
    concludes: String,
    /// The digit of that cell in a solution, as a sentence.
    holds: String,
    /// Values of the rule's names.
    names: String,
    picture: PictureRecord,
}

/// The soundness of a rule of the text on the board of the grid.
#[derive(Debug, Serialize)]
pub struct SoundnessRecord {
    id: String,
    /// The soundness of its worst member.
    soundness: Soundness,
}

/// Runs all examples and near misses of a text.
pub fn test(text: &RuleText) -> TestRecord {
    let book = text.rulebook();
    let mut without = Vec::new();
    for technique in text.techniques(None) {
        for (near, noun) in [(false, "example"), (true, "near miss")] {
            if technique.examples.iter().all(|one| one.near_miss != near) {
                without.push(format!("`{}` has no {noun} yet.", technique.id));
            }
        }
    }
    let checked = text.techniques(None).flat_map(|technique| check_technique(book, technique, Halt::default()));
    TestRecord { examples: checked.map(|one| example_record(book, one)).collect(), without }
}

fn example_record(book: &Rulebook, checked: CheckedExample) -> ExampleView {
    let (unusable, missing, extra) = match &checked.verdict {
        ExampleVerdict::Passed => (None, Vec::new(), Vec::new()),
        ExampleVerdict::Failed { missing, extra } => (None, missing.clone(), extra.clone()),
        ExampleVerdict::Unusable(words) => (Some(words.clone()), Vec::new(), Vec::new()),
        ExampleVerdict::Wrong(wrong) => (Some(wrong.join("; ")), Vec::new(), Vec::new()),
    };
    let scene = example_position(book, &checked.example).ok();
    ExampleView {
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
        picture: scene.map(|scene| PictureRecord::new(&scene.geometry, &Scene::of_state(scene.state))),
    }
}

/// Proves the rules on the boards they are for, one after the other, for at most `seconds`.
pub fn prove(text: &RuleText, only: Option<&str>, clock: fn() -> f64, seconds: f64) -> Result<Vec<ProofView>, String> {
    let end = clock() + seconds * 1_000.0;
    let over: Rc<dyn Fn() -> bool> = Rc::new(move || clock() >= end);
    let book = text.rulebook();
    let mut out = Vec::new();
    for technique in text.techniques(only) {
        for board in examples::boards(technique) {
            let geometry = book.board(board)?;
            let rules = (book.techniques(), book.sources());
            let prover = Prover::new(&geometry, rules.1).with_rules(rules.0).with_cancellation(Rc::clone(&over));
            for (args, variant) in prover.members(technique) {
                let member = Member { technique, args: &args, variant };
                let verdict = prove_or_refute(&prover, &geometry, member, rules, &over);
                let repairs = match verdict.status {
                    Status::Refuted(_) => repairs(&geometry, member, rules, &over),
                    _ => Vec::new(),
                };
                let timeout = over().then(|| format!("not settled within {seconds} s"));
                out.push(proof_record(&geometry, technique, verdict, repairs, timeout));
            }
        }
    }
    Ok(out)
}

/// Writes a verdict; `timeout` replaces the words of an undecided one.
fn proof_record(
    geometry: &Arc<Geometry>,
    technique: &Technique,
    verdict: Verdict,
    repairs: Vec<String>,
    timeout: Option<String>,
) -> ProofView {
    let words = match &verdict.status {
        Status::Refuted(_) => "wrong: there is a grid in which it fails".to_string(),
        Status::Undecided(_) => timeout.unwrap_or_else(|| verdict.status.to_string()),
        other => other.to_string(),
    };
    ProofView {
        label: member_label(&technique.id, &verdict.args),
        name: member_names(technique, verdict.variant, &verdict.args, Space::Rc).title,
        technique: verdict.technique,
        board: verdict.board,
        status: verdict.status.name(),
        sound: verdict.status.is_proved(),
        words,
        rests_on: verdict.rests_on.iter().map(ToString::to_string).collect(),
        counterexample: match &verdict.status {
            Status::Refuted(found) => {
                let rule = (technique, verdict.variant, verdict.args.as_slice());
                Some(counterexample_record(geometry, found, refute::explain(geometry, rule, found, &[]).0))
            }
            _ => None,
        },
        repairs,
    }
}

fn counterexample_record(
    geometry: &Geometry,
    found: &Counterexample,
    names: Vec<(String, String)>,
) -> CounterexampleView {
    let cell = notation::cell(geometry, found.wrong.cell);
    let truth = found.solution[found.wrong.cell.index()];
    let names: Vec<String> = names.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
    CounterexampleView {
        grid: found.grid().to_string(),
        concludes: notation::deduction(geometry, found.wrong, found.placed),
        holds: format!("{cell} is {truth} in a solution of this grid"),
        names: names.join(", "),
        picture: PictureRecord::new(geometry, &Scene::of_counterexample(found)),
    }
}

/// Returns the soundness of each rule of the text, after a bounded amount of work.
pub fn soundness(here: &mut Playground) -> Result<Vec<SoundnessRecord>, String> {
    let knowledge = here.knowledge()?;
    let (text, grid) = here.text_and_grid()?;
    let size = grid.geometry().size() as u32;
    let mut out = Vec::new();
    for technique in text.techniques(None) {
        let members = technique.member_variants(size).into_iter();
        let worst = members.map(|(args, variant)| knowledge.get(technique, (&args, variant))).max();
        out.push(SoundnessRecord { id: technique.id.clone(), soundness: worst.unwrap_or_default() });
    }
    Ok(out)
}
