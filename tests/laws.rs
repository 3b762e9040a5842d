//! Laws of the search, for all techniques. A transformed grid (digits, rows or columns permuted, or transposed) has the
//! transformed matches, two runs agree, and every step of a path agrees with the solution.

use crate::common::states::{check_copy, collections_folder, corpus_samples, in_parallel, middle_states, summary};
use crate::common::{
    self, BoardEngines, Mapping, env_number, geometry, paths, puzzles, quick_or_full, solver, states_along,
};
use pinion::engine::{Limits, PathCache, SearchMode, SearchOutcome};
use pinion::grid::{Candidate, State};
use pinion::lang::ir::{InferenceMethods, Statement, Technique};
use pinion::solve::{Solver, member_label};
use std::collections::BTreeSet;

/// Member, name of the step, eliminations and placements of each match.
type Deductions = BTreeSet<(String, String, Vec<Candidate>, Vec<Candidate>)>;

/// Returns the matches on a state with `map` applied to their candidates, and the members whose search a limit cut short.
/// Rows and columns have the same name, because a copy may be transposed.
fn mapped_deductions(
    solver: &Solver,
    state: &State,
    map: impl Fn(Candidate) -> Candidate,
) -> (Deductions, BTreeSet<String>) {
    let findings = solver.find_all(state, None).expect("no name was asked for");
    let cut_short: BTreeSet<String> = findings.cuts.iter().map(|cut| cut.member.clone()).collect();
    let mapped = |list: &[Candidate]| {
        let mut list: Vec<_> = list.iter().map(|&candidate| map(candidate)).collect();
        list.sort();
        list
    };
    let mut deductions = Deductions::new();
    for step in &findings.steps {
        let name = step.name.replace("Row-", "Line-").replace("Column-", "Line-");
        let values: Vec<u32> = step.args.iter().map(|(_, value)| *value).collect();
        let member = member_label(&step.technique, &values).replace("row_", "line_").replace("column_", "line_");
        deductions.insert((member, name, mapped(&step.eliminations), mapped(&step.placements)));
    }
    (deductions, cut_short)
}

/// Returns every 40th state of the second half of each puzzle's path, with its position in the path.
fn late_states() -> Vec<(usize, State)> {
    let mut late_states = Vec::new();
    for path in paths() {
        let states = path.positions(&geometry(9));
        let middle = states.len() / 2;
        late_states.extend(states.into_iter().enumerate().skip(middle).step_by(40));
    }
    late_states
}

#[test]
fn a_transformed_grid_has_the_transformed_matches() {
    let solver = solver(9);
    let states = late_states();
    let compared = in_parallel(&states[..quick_or_full(1, states.len())], |(number, state)| {
        let mapping = Mapping::from_seed(9, 3, *number as u64);
        let copy = mapping.state(solver.geometry(), state);
        let (mapped, mut cut_short) = mapped_deductions(&solver, state, |candidate| mapping.candidate(candidate));
        let (found_on_copy, cut_short_on_copy) = mapped_deductions(&solver, &copy, |candidate| candidate);
        cut_short.extend(cut_short_on_copy);
        for difference in mapped.symmetric_difference(&found_on_copy) {
            let (member, ..) = difference;
            assert!(cut_short.contains(member), "state {number}: {difference:?}");
        }
        mapped.len()
    });
    let compared: usize = compared.into_iter().sum();
    assert!(compared > quick_or_full(10, 200), "only {compared} matches were compared");
}

#[test]
fn two_runs_agree() {
    for puzzle in puzzles().into_iter().step_by(quick_or_full(3, 1)) {
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

/// Returns the inference methods of a technique's suppositions.
fn suppositions(technique: &Technique) -> Vec<&InferenceMethods> {
    let statements = technique.variants.iter().flat_map(|variant| &variant.body);
    statements
        .filter_map(|statement| if let Statement::Suppose(suppose) = statement { Some(&suppose.methods) } else { None })
        .collect()
}

/// Returns true if a technique uses a technique with suppositions under a supposition.
fn has_nested_suppositions(techniques: &[Technique], technique: &Technique) -> bool {
    let has_suppositions = |id: &str| {
        let technique = techniques.iter().find(|technique| technique.id == id);
        technique.is_some_and(|technique| !suppositions(technique).is_empty())
    };
    suppositions(technique).into_iter().any(|methods| match methods {
        InferenceMethods::Rules(rules) => rules.iter().any(|rule| has_suppositions(&rule.technique)),
        _ => false,
    })
}

/// Returns the distinct pairs of eliminations and placements.
fn effects(found: &SearchOutcome) -> BTreeSet<(Vec<Candidate>, Vec<Candidate>)> {
    found.matches.iter().map(|found| (found.eliminations.clone(), found.placements.clone())).collect()
}

/// A search for the first match finds the first match of a search for all matches. It finds the same match with results that are
/// cached along a path, and with the knowledge that the rules are sound, which lets the engine skip searches.
#[test]
fn the_first_match_does_not_depend_on_search_mode_cache_and_knowledge() {
    let BoardEngines { plain: engine, trusting, .. } = BoardEngines::named("9");
    let techniques = engine.techniques();
    let solver = solver(9);
    in_parallel(&puzzles()[..quick_or_full(1, 4)], |puzzle| {
        let cache = PathCache::default();
        for (number, state) in states_along(&solver, &puzzle.state()).into_iter().step_by(35).enumerate() {
            for member in (number % PARTS..engine.members().len()).step_by(PARTS * quick_or_full(8, 1)) {
                let id = &engine.members()[member];
                let find = |mode| engine.position(&state).find(member, mode, &Limits::default());
                let all = find(SearchMode::All);
                if all.limits.is_empty() {
                    assert_eq!(effects(&all), effects(&find(SearchMode::AllEffects)), "{id:?}");
                }
                let first = find(SearchMode::First);
                if has_nested_suppositions(techniques, &techniques[id.technique]) {
                    // Such a search returns the first argument that it meets, which need not be the shortest.
                    assert_eq!(all.matches.is_empty(), first.matches.is_empty(), "{id:?}");
                    assert!(first.matches.iter().all(|found| all.matches.contains(found)), "{id:?}");
                } else {
                    assert_eq!(all.matches.first(), first.matches.first(), "{id:?}");
                }
                let mut trusting_position = trusting.position_on_path(&state, &cache);
                let with_cache = trusting_position.find(member, SearchMode::First, &Limits::default());
                assert_eq!(first.matches, with_cache.matches, "{id:?}");
            }
        }
    });
}

/// The members are divided into this many parts. Each state is searched for one part, in rotation.
const PARTS: usize = 5;

#[test]
fn every_technique_finds_the_same_on_a_transformed_copy() {
    let solver = solver(9);
    let numbered: Vec<(usize, State)> = middle_states().into_iter().enumerate().collect();
    assert!(numbered.len() >= 20, "only {} states", numbered.len());
    let reports = in_parallel(&numbered[..quick_or_full(5, numbered.len())], |(number, state)| {
        check_copy(
            &solver,
            &format!("state {number}"),
            state,
            &Mapping::from_seed(9, 3, 1 + *number as u64),
            (*number, PARTS),
        )
    });
    let violations: Vec<&String> = reports.iter().flat_map(|report| &report.violations).collect();
    assert!(violations.is_empty(), "{}", summary(&violations));
    let compared: usize = reports.iter().map(|report| report.compared).sum();
    assert!(compared > quick_or_full(50, 700), "only {compared} matches were compared");
}

/// Checks two copies of each of 24 states, or of `PINION_STATES` states. One of the two is transposed.
#[test]
#[ignore = "in full: needs PINION_DATA"]
fn every_technique_finds_the_same_on_copies_of_states_of_the_collections() {
    let count = env_number("PINION_STATES").unwrap_or(24);
    let solver = solver(9);
    let samples: Vec<_> = corpus_samples(&solver, &collections_folder(), count).into_iter().enumerate().collect();
    let reports = in_parallel(&samples, |(number, sample)| {
        let mapping = |offset: u64| Mapping::from_seed(9, 3, 2 * *number as u64 + offset);
        [0, 1].map(|offset| check_copy(&solver, &sample.origin, &sample.state, &mapping(offset), (*number, PARTS)))
    });
    let reports = reports.concat();
    let compared: usize = reports.iter().map(|report| report.compared).sum();
    let cut_short: BTreeSet<&String> = reports.iter().flat_map(|report| &report.cut_short).collect();
    let violations: Vec<&String> = reports.iter().flat_map(|report| &report.violations).collect();
    println!("{} states, {compared} matches, {} violations", samples.len(), violations.len());
    println!("cut short: {cut_short:?}");
    assert!(violations.is_empty(), "{} of {compared}:\n{}", violations.len(), summary(&violations));
    // A few puzzles have no unique solution, and so no sample.
    assert!(samples.len() * 4 > count * 3 && compared > samples.len(), "{} states, {compared}", samples.len());
}
