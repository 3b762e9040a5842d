//! Laws that hold whatever the rules say: a grid that is relabelled, permuted or transposed has the same
//! matches, mapped; two runs agree; every step of a path agrees with the solution.

use crate::common::states::{check_copy, collections_folder, corpus_samples, in_parallel, middle_states, summary};
use crate::common::{self, BoardEngines, Mapping, geometry, paths, puzzles, share, solver, states_along};
use pinion::engine::{Limits, PathCache, SearchMode, SearchOutcome};
use pinion::grid::{Candidate, State};
use pinion::lang::ir::{InferenceMethods, Statement, Technique};
use pinion::solve::{Path, Solver, member_label};
use std::collections::BTreeSet;

/// Technique, name, eliminations and placements of each match, without its chain.
type Deductions = BTreeSet<(String, String, Vec<Candidate>, Vec<Candidate>)>;

/// With the techniques that a limit cut short: what they found says nothing about what there is.
fn said(solver: &Solver, state: &State, map: impl Fn(Candidate) -> Candidate) -> (Deductions, BTreeSet<String>) {
    let findings = solver.find_all(state, None).expect("no name was asked for");
    let cut: BTreeSet<String> = findings.cuts.iter().map(|cut| cut.member.clone()).collect();
    let mapped = |list: &[Candidate]| {
        let mut list: Vec<_> = list.iter().map(|&candidate| map(candidate)).collect();
        list.sort();
        list
    };
    let said = findings
        .steps
        .iter()
        .map(|step| {
            let placements: Vec<Candidate> = step.placements.iter().map(|p| Candidate::new(p.digit, p.cell)).collect();
            // A copy may lie on its side.
            let name = step.name.replace("Row-", "Line-").replace("Column-", "Line-");
            let values: Vec<u32> = step.args.iter().map(|(_, value)| *value).collect();
            let member = member_label(&step.technique, &values).replace("row_", "line_").replace("column_", "line_");
            (member, name, mapped(&step.eliminations), mapped(&placements))
        })
        .collect();
    (said, cut)
}

/// Every n-th state of a path is transformed.
const TRANSFORMED: usize = 40;

/// Every n-th state of a path is searched.
const SEARCHED: usize = 35;

/// Every n-th state of each puzzle's path from its middle on, with its number.
fn states_of_puzzles(every: usize) -> Vec<(usize, State)> {
    let states = |path: &Path| {
        let all = path.positions(&geometry(9));
        let middle = all.len() / 2;
        all.into_iter().enumerate().skip(middle).step_by(every)
    };
    paths().iter().flat_map(states).collect()
}

#[test]
fn a_transformed_grid_has_the_transformed_matches() {
    let solver = solver(9);
    let states = states_of_puzzles(TRANSFORMED);
    let compared = in_parallel(&states[..share(1, states.len())], |(number, state)| {
        let mapping = Mapping::from_seed(9, 3, *number as u64);
        let there = mapping.state(solver.geometry(), state);
        let (here, cut) = said(&solver, state, |candidate| mapping.candidate(candidate));
        let (copied, cut_there) = said(&solver, &there, |candidate| candidate);
        let whole = |member: &String| !cut.contains(member) && !cut_there.contains(member);
        let apart: Vec<_> = here.symmetric_difference(&copied).filter(|one| whole(&one.0)).collect();
        assert!(apart.is_empty(), "state {number}: {apart:?}");
        here.len()
    });
    let compared: usize = compared.into_iter().sum();
    assert!(compared > share(10, 200), "only {compared} matches were compared");
}

#[test]
fn two_runs_agree() {
    for puzzle in puzzles().into_iter().step_by(share(3, 1)) {
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

/// Returns true if a technique assumes something under an assumption: its search reports the first argument it meets.
fn nests(techniques: &[Technique], number: usize) -> bool {
    let supposed = |technique: &Technique| -> Vec<InferenceMethods> {
        let statements = technique.variants.iter().flat_map(|variant| variant.body.clone());
        statements
            .filter_map(
                |statement| if let Statement::Suppose(suppose) = statement { Some(suppose.methods) } else { None },
            )
            .collect()
    };
    let used = supposed(&techniques[number]).into_iter().flat_map(|by| match by {
        InferenceMethods::Rules(names) => names,
        _ => Vec::new(),
    });
    let of = |id: &str| techniques.iter().find(|technique| technique.id == id);
    used.into_iter().any(|name| of(&name.technique).is_some_and(|other| !supposed(other).is_empty()))
}

/// Returns the eliminations and placements of the matches, without their order.
fn shown(found: &SearchOutcome) -> BTreeSet<(Vec<Candidate>, Vec<Candidate>)> {
    found.matches.iter().map(|one| (one.eliminations.clone(), one.placements.clone())).collect()
}

/// The order in which a rulebook is written must not decide what a rule finds; no more must what was found on the states
/// before, or that a proved rule is searched only where some sound rule can find something.
#[test]
fn searching_first_and_searching_all_begin_alike_with_and_without_memory() {
    let BoardEngines { plain: engine, trusting, .. } = BoardEngines::named("9");
    let techniques = engine.techniques();
    let solver = solver(9);
    in_parallel(&puzzles()[..share(1, 4)], |puzzle| {
        let memory = PathCache::default();
        for (number, state) in states_along(&solver, &puzzle.state()).into_iter().step_by(SEARCHED).enumerate() {
            for member in (number % PARTS..engine.members().len()).step_by(PARTS * share(8, 1)) {
                let all = engine.position(&state).find(member, SearchMode::All, &Limits::default());
                let effects = engine.position(&state).find(member, SearchMode::AllEffects, &Limits::default());
                if all.limits.is_empty() {
                    assert_eq!(shown(&all), shown(&effects), "{:?}", engine.members()[member]);
                }
                let first = engine.position(&state).find(member, SearchMode::First, &Limits::default());
                let id = &engine.members()[member];
                if nests(techniques, id.technique) {
                    assert_eq!(all.matches.is_empty(), first.matches.is_empty(), "{id:?}");
                    assert!(first.matches.iter().all(|one| all.matches.contains(one)), "{id:?}");
                } else {
                    assert_eq!(all.matches.first(), first.matches.first(), "{id:?}");
                }
                let later =
                    trusting.position_on_path(&state, &memory).find(member, SearchMode::First, &Limits::default());
                assert_eq!(first.matches, later.matches, "{:?}", engine.members()[member]);
            }
        }
    });
}

/// Each state is searched for one of this many parts of the techniques, in rotation.
const PARTS: usize = 5;

/// Bands and stacks, rows and columns within them, digits exchanged; some copies are transposed as well.
#[test]
fn every_technique_finds_the_same_on_copies() {
    let solver = solver(9);
    let numbered: Vec<(usize, State)> = middle_states().into_iter().enumerate().collect();
    assert!(numbered.len() >= 20, "only {} states", numbered.len());
    let looked = in_parallel(&numbered[..share(5, numbered.len())], |(number, state)| {
        check_copy(
            &solver,
            &format!("state {number}"),
            state,
            &Mapping::from_seed(9, 3, 1 + *number as u64),
            (*number, PARTS),
        )
    });
    let broken: Vec<&String> = looked.iter().flat_map(|one| &one.violations).collect();
    assert!(broken.is_empty(), "{}", summary(&broken));
    let compared: usize = looked.iter().map(|one| one.compared).sum();
    assert!(compared > share(50, 700), "only {compared} matches were compared");
}

/// Two copies of each of 24 states of the collections; `PINION_STATES` asks for more.
#[test]
#[ignore = "in full: needs PINION_DATA"]
fn copies_of_states_of_the_collections() {
    let asked = std::env::var("PINION_STATES").ok().and_then(|number| number.parse().ok());
    let count: usize = asked.unwrap_or(24);
    let solver = solver(9);
    let samples: Vec<_> = corpus_samples(&solver, &collections_folder(), count).into_iter().enumerate().collect();
    let looked = in_parallel(&samples, |(number, sample)| {
        let copy = |odd: u64| Mapping::from_seed(9, 3, 2 * *number as u64 + odd);
        [0, 1].map(|odd| check_copy(&solver, &sample.origin, &sample.state, &copy(odd), (*number, PARTS)))
    });
    let compared: usize = looked.iter().flatten().map(|one| one.compared).sum();
    let cut: BTreeSet<&String> = looked.iter().flatten().flat_map(|one| &one.cut_short).collect();
    let broken: Vec<&String> = looked.iter().flatten().flat_map(|one| &one.violations).collect();
    println!("{} states, {compared} matches, {} broken, cut short: {cut:?}", samples.len(), broken.len());
    assert!(broken.is_empty(), "{} broken of {compared}:\n{}", broken.len(), summary(&broken));
    assert!(samples.len() * 4 > count * 3 && compared > samples.len(), "{} states, {compared}", samples.len());
}
