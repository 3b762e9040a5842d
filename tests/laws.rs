//! Laws that hold whatever the rules say: a grid that is relabelled, permuted or transposed has the same
//! matches, mapped; two runs agree; every step of a path agrees with the solution.

use crate::common;

use crate::common::states::{corpus_samples, data, law, side_by_side, summary};
use crate::common::{Mapping, puzzles, solver, states_along};
use pinion::engine::{Engine, Found, Limits, Memory, Search, Trust};
use pinion::grid::formats::{Puzzle, read_many};
use pinion::grid::{Candidate, State};
use pinion::lang::ir::{InferenceMethods, Statement, Technique};
use pinion::solve::{Profile, Rulebook, Solver, member_label};
use std::collections::BTreeSet;

/// What a match says, apart from how its chain runs.
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

/// Only every n-th state of a path is examined; all of them in a release build.
const TRANSFORMED: usize = if cfg!(debug_assertions) { 40 } else { 9 };
const SEARCHED: usize = if cfg!(debug_assertions) { 35 } else { 17 };

/// Every n-th state of each puzzle's path from its middle on, with its number.
fn states_of_puzzles(solver: &Solver, every: usize) -> Vec<(usize, State)> {
    let states = |puzzle: Puzzle| {
        let all = states_along(solver, &puzzle.state());
        let middle = all.len() / 2;
        all.into_iter().enumerate().skip(middle).step_by(every)
    };
    puzzles().into_iter().flat_map(states).collect()
}

#[test]
fn a_transformed_grid_has_the_transformed_matches() {
    let solver = solver(9);
    let compared = side_by_side(&states_of_puzzles(&solver, TRANSFORMED), |(number, state)| {
        let mapping = Mapping::numbered(9, 3, *number as u64);
        let there = mapping.state(solver.geometry(), state);
        let (here, cut) = said(&solver, state, |candidate| mapping.candidate(candidate));
        let (copied, cut_there) = said(&solver, &there, |candidate| candidate);
        let whole = |member: &String| !cut.contains(member) && !cut_there.contains(member);
        let apart: Vec<_> = here.symmetric_difference(&copied).filter(|one| whole(&one.0)).collect();
        assert!(apart.is_empty(), "state {number}: {apart:?}");
        here.len()
    });
    let compared: usize = compared.into_iter().sum();
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

/// Whether a technique supposes something under a supposition: of these one search takes what comes to hand.
fn nests(techniques: &[Technique], number: usize) -> bool {
    let supposed = |technique: &Technique| -> Vec<InferenceMethods> {
        let statements = technique.variants.iter().flat_map(|variant| variant.body.clone());
        statements
            .filter_map(|statement| if let Statement::Suppose(suppose) = statement { Some(suppose.by) } else { None })
            .collect()
    };
    let used = supposed(&techniques[number]).into_iter().flat_map(|by| match by {
        InferenceMethods::Rules(names) => names,
        _ => Vec::new(),
    });
    let of = |id: &str| techniques.iter().find(|technique| technique.id == id);
    used.into_iter().any(|name| of(&name.technique).is_some_and(|other| !supposed(other).is_empty()))
}

/// What the matches of a search eliminate and place, in no order.
fn shown(found: &Found) -> BTreeSet<(Vec<Candidate>, Vec<Candidate>)> {
    found.matches.iter().map(|one| (one.eliminations.clone(), one.placements.clone())).collect()
}

/// The order in which a rulebook is written must not decide what a rule finds; no more must what was found on the states
/// before, or that a proved rule is searched only where some sound rule can find something.
#[test]
fn searching_first_and_searching_all_begin_alike_with_and_without_memory() {
    let rulebook = Rulebook::embedded();
    let geometry = common::geometry(9);
    let (techniques, sources) = (rulebook.techniques(), rulebook.sources());
    let engine = Engine::new(geometry.clone(), techniques, sources).expect("the rulebook compiles");
    let trusting =
        Engine::trusting(geometry.clone(), techniques, sources, &|_| Trust::Planned).expect("the rulebook compiles");
    let solver = Solver::new(&rulebook, &geometry, &Profile::default(), Limits::default());
    side_by_side(&puzzles(), |puzzle| {
        let memory = Memory::default();
        for (number, state) in states_along(&solver, &puzzle.state()).into_iter().step_by(SEARCHED).enumerate() {
            for member in (number % PARTS..engine.members().len()).step_by(PARTS) {
                let all = engine.on(&state).find(member, Search::All, &Limits::default());
                let effects = engine.on(&state).find(member, Search::Effects, &Limits::default());
                if all.limits.is_empty() {
                    assert_eq!(shown(&all), shown(&effects), "{:?}", engine.members()[member]);
                }
                let first = engine.on(&state).find(member, Search::First, &Limits::default());
                let id = &engine.members()[member];
                if nests(techniques, id.technique) {
                    assert_eq!(all.matches.is_empty(), first.matches.is_empty(), "{id:?}");
                    assert!(first.matches.iter().all(|one| all.matches.contains(one)), "{id:?}");
                } else {
                    assert_eq!(all.matches.first(), first.matches.first(), "{id:?}");
                }
                let later = trusting.on_path(&state, &memory).find(member, Search::First, &Limits::default());
                assert_eq!(first.matches, later.matches, "{:?}", engine.members()[member]);
            }
        }
    });
}

/// States of puzzles that were made for this, each from the middle of its path; see the file.
const STATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/states/middle.txt");

/// Without optimisation each state is looked at for one part of the techniques, so that each technique has its states.
const PARTS: usize = if cfg!(debug_assertions) { 5 } else { 1 };

/// Bands and stacks, rows and columns within them, digits exchanged; some copies are transposed as well.
#[test]
fn every_technique_finds_the_same_on_copies() {
    let solver = solver(9);
    let text = std::fs::read_to_string(STATES).expect("the states are readable");
    let states: Vec<State> =
        read_many(&text, None).into_iter().map(|puzzle| puzzle.expect("a good puzzle").state()).collect();
    let numbered: Vec<(usize, State)> = states.into_iter().enumerate().collect();
    assert!(numbered.len() >= 20, "only {} states", numbered.len());
    let looked = side_by_side(&numbered, |(number, state)| {
        law(&solver, &format!("state {number}"), state, &Mapping::numbered(9, 3, 1 + *number as u64), (*number, PARTS))
    });
    let broken: Vec<&String> = looked.iter().flat_map(|one| &one.broken).collect();
    assert!(broken.is_empty(), "{}", summary(&broken));
    let compared: usize = looked.iter().map(|one| one.compared).sum();
    assert!(compared > 700, "only {compared} matches were compared");
}

/// The same on states of the collections, two copies of each.
fn copies_of_the_collections(count: usize) {
    let Some(folder) = data() else { return };
    let solver = solver(9);
    let samples: Vec<_> = corpus_samples(&solver, &folder, count).into_iter().enumerate().collect();
    let looked = side_by_side(&samples, |(number, sample)| {
        let copy = |odd: u64| Mapping::numbered(9, 3, 2 * *number as u64 + odd);
        [0, 1].map(|odd| law(&solver, &sample.place, &sample.state, &copy(odd), (*number, PARTS)))
    });
    let compared: usize = looked.iter().flatten().map(|one| one.compared).sum();
    let cut: BTreeSet<&String> = looked.iter().flatten().flat_map(|one| &one.cut).collect();
    let broken: Vec<&String> = looked.iter().flatten().flat_map(|one| &one.broken).collect();
    println!("{} states, {compared} matches, {} broken, cut short: {cut:?}", samples.len(), broken.len());
    assert!(broken.is_empty(), "{} broken of {compared}:\n{}", broken.len(), summary(&broken));
    assert!(samples.len() * 4 > count * 3 && compared > samples.len(), "{} states, {compared}", samples.len());
}

#[test]
fn copies_of_some_states_of_the_collections() {
    copies_of_the_collections(24);
}

/// `PINION_DATA=… cargo test --release --test suite -- --ignored copies_of_many_states --nocapture`; `PINION_STATES` is
/// how many, without it a thousand.
#[test]
#[ignore = "long: for release builds"]
fn copies_of_many_states_of_the_collections() {
    let asked = std::env::var("PINION_STATES").ok().and_then(|number| number.parse().ok());
    copies_of_the_collections(asked.unwrap_or(1_000));
}
