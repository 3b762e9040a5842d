//! Proofs of the rules of a text. In: the rules, how long it may take. Out: for each member whether it is right, and the grid in
//! which it is wrong.

use super::picture::Drawn;
use super::text::RuleText;
use super::{Playground, Refusal};
use crate::grid::{Geometry, notation};
use crate::lang::ir::{Space, Technique};
use crate::proof::{Counterexample, Member, Prover, Status, Verdict};
use crate::render::Scene;
use crate::solve::{Soundness, member_label, member_names};
use crate::workbench::{examples, refute, repairs, settle};
use serde::Serialize;
use std::rc::Rc;
use std::sync::Arc;

/// What a proof of one member says.
#[derive(Debug, Serialize)]
pub struct ProofRecord {
    technique: String,
    label: String,
    name: String,
    board: String,
    /// `proved`, `supposed`, `refuted`, `undecided` or `vacuous`.
    status: &'static str,
    sound: bool,
    words: String,
    rests_on: Vec<String>,
    counterexample: Option<CounterexampleRecord>,
    repairs: Vec<String>,
}

/// A grid in which a rule is wrong.
#[derive(Debug, Serialize)]
struct CounterexampleRecord {
    /// As a page reads it.
    grid: String,
    /// `r1c2<>3`.
    concludes: String,
    /// What the cell holds in a solution.
    holds: String,
    names: String,
    picture: Drawn,
}

/// Proves them on the boards that they are for, one after the other until the time is over.
pub fn prove(
    text: &RuleText,
    only: Option<&str>,
    clock: fn() -> f64,
    seconds: f64,
) -> Result<Vec<ProofRecord>, Refusal> {
    let end = clock() + seconds * 1_000.0;
    let over: Rc<dyn Fn() -> bool> = Rc::new(move || clock() >= end);
    let book = text.rulebook();
    let mut out = Vec::new();
    for technique in text.techniques(only) {
        for board in examples::boards(technique) {
            let geometry = book.board(board)?;
            let known = (book.techniques(), book.sources());
            let prover = Prover::new(&geometry, known.1).with_rules(known.0).until(Rc::clone(&over));
            for (args, variant) in prover.members(technique) {
                let member = Member { technique, args: &args, variant };
                let verdict = settle(&prover, &geometry, member, known, &over);
                let repairs = match verdict.status {
                    Status::Refuted(_) => repairs(&geometry, member, known, &over),
                    _ => Vec::new(),
                };
                let late = over().then(|| format!("not settled within {seconds} s"));
                out.push(record(&geometry, technique, verdict, repairs, late));
            }
        }
    }
    Ok(out)
}

/// A rule of the text and what is known of it on the board of the grid.
#[derive(Debug, Serialize)]
pub struct SoundnessRecord {
    id: String,
    /// That of the worst of its members.
    soundness: Soundness,
}

/// The soundness of each rule of the text, after a bounded amount of work.
pub fn soundness(here: &mut Playground) -> Result<Vec<SoundnessRecord>, Refusal> {
    let known = here.know()?;
    let (text, position) = here.both()?;
    let worst = |one: &Technique| {
        let all = one.cases(position.geometry().size() as u32).into_iter();
        all.map(|(args, variant)| known.of(one, (&args, variant))).max().unwrap_or_default()
    };
    Ok(text.techniques(None).map(|one| SoundnessRecord { id: one.id.clone(), soundness: worst(one) }).collect())
}

/// `late`: what is said of a member that is undecided because the time was over.
fn record(
    geometry: &Arc<Geometry>,
    technique: &Technique,
    verdict: Verdict,
    repairs: Vec<String>,
    late: Option<String>,
) -> ProofRecord {
    let words = match &verdict.status {
        Status::Refuted(_) => "wrong: there is a grid in which it fails".to_string(),
        Status::Undecided(_) => late.unwrap_or_else(|| verdict.status.to_string()),
        other => other.to_string(),
    };
    ProofRecord {
        label: member_label(&technique.id, &verdict.args),
        name: member_names(technique, verdict.variant, &verdict.args, Space::Rc).title,
        technique: verdict.technique,
        board: verdict.board,
        status: verdict.status.word(),
        sound: verdict.status.is_proved(),
        words,
        rests_on: verdict.rests_on.iter().map(ToString::to_string).collect(),
        counterexample: match &verdict.status {
            Status::Refuted(found) => {
                let rule = (technique, verdict.variant, verdict.args.as_slice());
                Some(counterexample(geometry, found, refute::demanded(geometry, rule, found, &[]).0))
            }
            _ => None,
        },
        repairs,
    }
}

fn counterexample(geometry: &Geometry, found: &Counterexample, names: Vec<(String, String)>) -> CounterexampleRecord {
    let cell = notation::cell(geometry, found.wrong.cell);
    let truth = found.solution[found.wrong.cell.index()];
    let names: Vec<String> = names.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
    CounterexampleRecord {
        grid: found.grid().to_string(),
        concludes: notation::deduction(geometry, found.wrong, found.placed),
        holds: format!("{cell} is {truth} in a solution of this grid"),
        names: names.join(", "),
        picture: Drawn::new(geometry, &Scene::of_counterexample(found)),
    }
}
