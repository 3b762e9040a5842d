//! The tools for authors as a library: every near miss of the rulebook is told from its example.

use pinion::grid::formats::read_one;
use pinion::grid::notation::read_deductions;
use pinion::grid::{Candidate, State};
use pinion::lang::ir::{Example, Technique};
use pinion::proof::Prover;
use pinion::solve::{Rulebook, Solver};
use pinion::workbench::{NearMisses, WhyNotQuery, near_misses};

use crate::common;

/// Searches near misses of a rule on a grid that would make the first deduction of an example.
fn asked(rulebook: &Rulebook, solver: &Solver, technique: &Technique, state: &State, example: &Example) -> NearMisses {
    let members: Vec<_> =
        solver.members().iter().filter(|one| solver.techniques()[one.technique].id == technique.id).cloned().collect();
    let wanted = read_deductions(solver.geometry(), &example.finds[0]).expect("deductions");
    let pick =
        |place: bool| -> Vec<Candidate> { wanted.iter().filter(|(_, is)| *is == place).map(|(one, _)| *one).collect() };
    near_misses(&WhyNotQuery {
        rulebook,
        geometry: solver.geometry(),
        state,
        technique,
        members: &members,
        cells: &[],
        eliminate: &pick(false),
        place: &pick(true),
        max_misses: 3,
        is_cancelled: &|| false,
        halt: pinion::engine::Halt::default(),
    })
}

/// The one candidate that a near miss has and its example has not, or the reverse.
fn planted(good: &State, near: &State) -> Option<(Candidate, bool)> {
    let (a, b) = (good.values_and_candidates(), near.values_and_candidates());
    if a.0 != b.0 {
        return None;
    }
    let pairs = a.1.iter().zip(b.1).enumerate().filter(|(_, (a, b))| a != b);
    let mut changes = pairs.flat_map(|(cell, (&a, &b))| {
        let at = pinion::grid::Cell(cell as u16);
        let more = (b - a).iter().map(move |digit| (Candidate::new(digit, at), true));
        more.chain((a - b).iter().map(move |digit| (Candidate::new(digit, at), false)))
    });
    changes.next().filter(|_| changes.next().is_none())
}

#[test]
fn planted_faults_are_found() {
    let rulebook = Rulebook::embedded();
    let solver = common::solver(9);
    let (mut all, mut first, mut missed) = (0, 0, Vec::new());
    for id in ["xyz_wing", "xy_wing", "w_wing", "two_string_kite", "skyscraper", "hidden_subset", "locked_candidates"] {
        let technique = rulebook.techniques().iter().find(|one| one.id == id).expect("it is there");
        let pairs = technique.examples.windows(2).filter(|pair| !pair[0].near_miss && pair[1].near_miss);
        for pair in pairs {
            let states = [&pair[0], &pair[1]].map(|one| read_one(&one.grid, None).expect("a grid"));
            if states[0].geometry.size() != 9 {
                continue;
            }
            let [good, near] = states.map(|puzzle| puzzle.state());
            let Some((candidate, added)) = planted(&good, &near) else { continue };
            let found = asked(&rulebook, &solver, technique, &near, &pair[0]);
            all += 1;
            let at = pinion::grid::notation::cell(solver.geometry(), candidate.cell);
            let words = format!("{} {} in {at}", if added { "without" } else { "with" }, candidate.digit);
            match found.misses.first().and_then(|miss| miss.grid_change.as_ref()) {
                Some(mend) if mend.phrase == words => first += 1,
                other => missed.push(format!("{id}: {words}, and not {:?}", other.map(|mend| &mend.phrase))),
            }
        }
    }
    assert!(all >= 5, "only {all} pairs");
    assert!(first * 10 >= all * 9, "{first} of {all}; {missed:#?}");
}

#[test]
fn the_rules_of_the_experiments_are_proved() {
    let text = include_str!("../docs/experiments/wings.pinion").to_string();
    let rulebook = Rulebook::embedded().with([("wings.pinion".to_string(), text)]);
    let file = rulebook.files().last().expect("it was added");
    assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
    let board = common::geometry(9);
    let prover = Prover::new(&board, rulebook.sources()).with_rules(rulebook.techniques());
    for id in &file.techniques {
        let technique = rulebook.techniques().iter().find(|one| one.id == *id).expect("it is there");
        let verdict = prover.prove(technique, &[3], 0);
        assert!(verdict.status.is_proved(), "{id}: {}", verdict.status);
    }
}
