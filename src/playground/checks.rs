//! Checks the rules of a text: runs the examples and near misses, proves rules within a time limit, and determines the
//! soundness of the rules on the board of the grid. A failed proof comes with counterexamples and repairs.

use super::Playground;
use super::grid::picture;
use super::text::RuleText;
use crate::engine::Halt;
use crate::grid::{Geometry, notation};
use crate::lang::ir::{Space, Technique};
use crate::proof::{Counterexample, Member, Prover, Status, Verdict};
use crate::render::Scene;
use crate::solve::{Rulebook, member_label, member_names};
use crate::workbench::examples::{self, CheckedExample, Verdict as ExampleVerdict, check_technique, example_position};
use crate::workbench::{prove_or_refute, refute, repairs};
use serde_json::{Value, json};
use std::rc::Rc;
use std::sync::Arc;

pub fn test(text: &RuleText) -> Value {
    let book = text.rulebook();
    let mut missing_tests = Vec::new();
    for technique in text.techniques(None) {
        for (is_near_miss, noun) in [(false, "example"), (true, "near miss")] {
            if technique.examples.iter().all(|example| example.near_miss != is_near_miss) {
                missing_tests.push(format!("`{}` has no {noun} yet.", technique.id));
            }
        }
    }
    let checked = text.techniques(None).flat_map(|technique| check_technique(book, technique, Halt::default()));
    let examples: Vec<Value> = checked.map(|checked| example_json(book, checked)).collect();
    json!({ "examples": examples, "missing_tests": missing_tests })
}

fn example_json(book: &Rulebook, CheckedExample { label, example, verdict, .. }: CheckedExample) -> Value {
    let passed = verdict == ExampleVerdict::Passed;
    let (unusable, missing, extra) = match verdict {
        ExampleVerdict::Passed => (None, Vec::new(), Vec::new()),
        ExampleVerdict::Failed { missing, extra } => (None, missing, extra),
        ExampleVerdict::Unusable(reason) => (Some(reason), Vec::new(), Vec::new()),
        ExampleVerdict::Wrong(reasons) => (Some(reasons.join("; ")), Vec::new(), Vec::new()),
    };
    let position = example_position(book, &example).ok();
    json!({
        "label": label,
        "title": example.title,
        "near_miss": example.near_miss,
        "passed": passed,
        "unusable": unusable,
        "missing": missing,
        "extra": extra,
        "finds": example.finds,
        "board": example.board,
        "grid": example.grid,
        "picture": position.map(|position| picture(&position.geometry, &Scene::of_state(position.state))),
    })
}

/// Proves the rules on the boards of their examples, for at most `seconds` in total.
pub fn prove(text: &RuleText, only: Option<&str>, clock: fn() -> f64, seconds: f64) -> Result<Value, String> {
    let end = clock() + seconds * 1_000.0;
    let is_over: Rc<dyn Fn() -> bool> = Rc::new(move || clock() >= end);
    let book = text.rulebook();
    let mut verdicts = Vec::new();
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
                verdicts.push(verdict_json(&geometry, technique, &verdict, repairs, timeout));
            }
        }
    }
    Ok(Value::Array(verdicts))
}

/// Converts a verdict for the page. `timeout` replaces the words of an undecided verdict.
fn verdict_json(
    geometry: &Arc<Geometry>,
    technique: &Technique,
    verdict: &Verdict,
    repairs: Vec<String>,
    timeout: Option<String>,
) -> Value {
    let words = match &verdict.status {
        Status::Refuted(_) => "wrong: there is a grid in which it fails".to_string(),
        Status::Undecided(_) => timeout.unwrap_or_else(|| verdict.status.to_string()),
        other => other.to_string(),
    };
    let wrong_grid = match &verdict.status {
        Status::Refuted(counterexample) => {
            let rule = (technique, verdict.variant, verdict.args.as_slice());
            let (names, _) = refute::explain(geometry, rule, counterexample, &[]);
            Some(wrong_grid_json(geometry, counterexample, names))
        }
        _ => None,
    };
    json!({
        "technique": verdict.technique,
        "label": member_label(&technique.id, &verdict.args),
        "name": member_names(technique, verdict.variant, &verdict.args, Space::Rc).title,
        "board": verdict.board,
        "status": verdict.status.name(),
        "sound": verdict.status.is_proved(),
        "words": words,
        "rests_on": verdict.rests_on.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "counterexample": wrong_grid,
        "repairs": repairs,
    })
}

fn wrong_grid_json(geometry: &Geometry, counterexample: &Counterexample, names: Vec<(String, String)>) -> Value {
    let wrong = counterexample.wrong;
    let cell = notation::cell(geometry, wrong.cell);
    let digit = counterexample.solution[wrong.cell.index()];
    let names: Vec<String> = names.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
    json!({
        "grid": counterexample.grid(),
        "concludes": notation::deduction(geometry, wrong, counterexample.placed),
        "holds": format!("{cell} is {digit} in a solution of this grid"),
        "names": names.join(", "),
        "picture": picture(geometry, &Scene::of_counterexample(counterexample)),
    })
}

/// Returns the soundness of each rule of the text, as far as a limited proof decides it: that of its least sound member.
pub fn soundness(playground: &mut Playground) -> Result<Value, String> {
    let soundness = playground.soundness()?;
    let (text, grid) = playground.text_and_grid()?;
    let size = grid.geometry().size() as u32;
    let rules = text.techniques(None).map(|technique| {
        let members = technique.member_variants(size).into_iter();
        let least_sound = members.map(|(args, variant)| soundness.get(technique, (&args, variant))).max();
        json!({ "id": technique.id, "soundness": least_sound.unwrap_or_default() })
    });
    Ok(rules.collect())
}
