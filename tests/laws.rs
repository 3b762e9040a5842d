//! Laws that hold whatever the rules say: a grid that is relabelled, permuted or transposed has the same
//! matches, mapped; two runs agree; every step of a path agrees with the solution.

mod common;

use common::{Mapping, puzzles, solver, states_along};
use pinion::engine::Limits;
use pinion::grid::{Candidate, State};
use pinion::solve::{Profile, Rulebook, Solver};
use std::collections::BTreeSet;

/// What a match says, apart from how its chain runs.
type Said = BTreeSet<(String, Vec<Candidate>, Vec<Candidate>)>;

fn said(solver: &Solver, state: &State, map: impl Fn(Candidate) -> Candidate) -> Said {
    let findings = solver.find_all(state, None).expect("no name was asked for");
    assert!(findings.cuts.is_empty(), "a limit was hit: {:?}", findings.cuts);
    let mapped = |list: &[Candidate]| {
        let mut list: Vec<_> = list.iter().map(|&candidate| map(candidate)).collect();
        list.sort();
        list
    };
    findings
        .steps
        .iter()
        .map(|step| {
            let placements: Vec<Candidate> = step.placements.iter().map(|p| Candidate::new(p.digit, p.cell)).collect();
            (step.name.clone(), mapped(&step.eliminations), mapped(&placements))
        })
        .collect()
}

#[test]
fn a_transformed_grid_has_the_transformed_matches() {
    let solver = solver(9);
    let mut compared = 0;
    for puzzle in puzzles() {
        for (number, state) in states_along(&solver, &puzzle.state()).into_iter().enumerate().step_by(9) {
            let mapping = Mapping::numbered(9, 3, number as u64);
            let there = mapping.state(solver.geometry(), &state);
            let here = said(&solver, &state, |candidate| mapping.candidate(candidate));
            compared += here.len();
            assert_eq!(here, said(&solver, &there, |candidate| candidate), "{}", puzzle.note);
        }
    }
    assert!(compared > 200, "only {compared} matches were compared");
}

#[test]
fn two_runs_agree() {
    for puzzle in puzzles() {
        let first = solver(9).solve(puzzle.state());
        let second = solver(9).solve(puzzle.state());
        assert_eq!(first.steps, second.steps);
    }
}

#[test]
fn every_step_agrees_with_the_solution() {
    let solver = solver(9);
    for puzzle in puzzles() {
        common::check_path(&solver, &puzzle.state());
    }
}

/// The order in which a rulebook is written must not decide what a rule finds.
#[test]
fn searching_first_and_searching_all_begin_alike() {
    let rulebook = Rulebook::embedded();
    let geometry = common::geometry(9);
    let engine = pinion::engine::Engine::new(geometry.clone(), rulebook.techniques(), rulebook.sources())
        .expect("the rulebook compiles");
    let solver = Solver::new(&rulebook, &geometry, &Profile::default(), Limits::default());
    for puzzle in puzzles() {
        for state in states_along(&solver, &puzzle.state()).into_iter().step_by(17) {
            for member in 0..engine.members().len() {
                let all = engine.on(&state).find(member, pinion::engine::Search::All, &Limits::default());
                let first = engine.on(&state).find(member, pinion::engine::Search::First, &Limits::default());
                assert_eq!(all.matches.first(), first.matches.first(), "{:?}", engine.members()[member]);
            }
        }
    }
}
