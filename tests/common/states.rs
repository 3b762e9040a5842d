//! States from solution paths, and two checks of all techniques on a state: every match agrees with the solution, and a
//! transformed copy of the state has the transformed matches.

use super::Mapping;
use pinion::grid::formats::{Puzzle, read_many};
use pinion::grid::{Candidate, Digit, Geometry, State, draw, notation};
use pinion::proof::{Uniqueness, uniqueness};
use pinion::solve::Solver;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files of 9×9 puzzles in the folder of the collections.
pub const COLLECTIONS: [&str; 12] = [
    "top1465.txt",
    "17-clue-5000.txt",
    "hardest-375.txt",
    "hardest-rated-500.txt",
    "se-rated-2000.txt",
    "se-ladder.txt",
    "tridagon-300.txt",
    "pencilmarks-100.txt",
    "sukaku-rated-500.txt",
    "reglib-half.txt",
    "technique/exemplars.txt",
    "technique/whips-and-more.txt",
];

/// Returns the folder of the puzzle collections. Panics if the variable `PINION_DATA` does not name it.
pub fn collections_folder() -> PathBuf {
    std::env::var_os("PINION_DATA").map(PathBuf::from).expect("PINION_DATA names the folder of the collections")
}

/// Returns states from the middle of the solution paths of twenty generated puzzles.
pub fn middle_states() -> Vec<State> {
    let text = include_str!("../states/middle.txt");
    read_many(text, None).into_iter().map(|puzzle| puzzle.expect("a good puzzle").state()).collect()
}

/// A state of a solution path, with the solution of the puzzle.
pub struct Sample {
    /// File and line of the puzzle, and the number of steps that lead to the state.
    pub origin: String,
    pub state: State,
    pub solution: Vec<Digit>,
}

/// Returns `count` evenly spaced indices of a list of this length, or every index of a shorter list.
pub fn evenly_spaced(length: usize, count: usize) -> impl Iterator<Item = usize> {
    let count = count.min(length);
    // The middle of each of `count` equal parts.
    (0..count).map(move |number| (2 * number + 1) * length / (2 * count))
}

/// Returns the puzzles of a file. Without `board`, the length of each puzzle decides its board.
pub fn puzzles_of(file: &Path, board: Option<&Arc<Geometry>>) -> Vec<Puzzle> {
    let text = std::fs::read_to_string(file).expect("the collection is readable");
    read_many(&text, board).into_iter().flatten().collect()
}

/// Returns states of the solution path of a puzzle in `file`; none if the puzzle has several solutions.
///
/// A puzzle with eliminated candidates may have one solution where its clues alone have several. It gives no states either,
/// because techniques that assume one solution are wrong on it.
pub fn samples(solver: &Solver, file: &str, puzzle: &Puzzle, count: usize) -> Vec<Sample> {
    let start = puzzle.state();
    let Uniqueness::One(solution) = uniqueness(solver.geometry(), &start) else { return Vec::new() };
    if let Some(initial) = puzzle.initial_state()
        && !matches!(uniqueness(solver.geometry(), &initial), Uniqueness::One(_))
    {
        return Vec::new();
    }
    let path = solver.solve(start);
    let (states, has_wrong_step) = solver.states(&path, &solution);
    assert!(!has_wrong_step, "{file}:{}: a step of the path contradicts the solution", puzzle.line);
    let sample = |steps: usize| Sample {
        origin: format!("{file}:{} after {steps} steps", puzzle.line),
        state: states[steps].clone(),
        solution: solution.clone(),
    };
    evenly_spaced(states.len(), count).map(sample).collect()
}

/// Returns about `count` states of the 9×9 collections, equally many of each.
pub fn corpus_samples(solver: &Solver, folder: &Path, count: usize) -> Vec<Sample> {
    const STATES_PER_PUZZLE: usize = 2;
    let puzzles_per_file = (count / COLLECTIONS.len()).div_ceil(STATES_PER_PUZZLE);
    let mut chosen: Vec<(&str, Puzzle)> = Vec::new();
    for file in COLLECTIONS {
        let puzzles = puzzles_of(&folder.join(file), Some(solver.geometry()));
        chosen.extend(evenly_spaced(puzzles.len(), puzzles_per_file).map(|index| (file, puzzles[index].clone())));
    }
    let samples = in_parallel(&chosen, |(file, puzzle)| samples(solver, file, puzzle, STATES_PER_PUZZLE));
    samples.into_iter().flatten().collect()
}

/// Calls `work` for each item on all processors, and returns the results in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next_index = AtomicUsize::new(0);
    let run_thread = || {
        let mut results = Vec::new();
        loop {
            let index = next_index.fetch_add(1, Ordering::Relaxed);
            match items.get(index) {
                Some(item) => results.push((index, work(item))),
                None => return results,
            }
        }
    };
    let thread_count = std::thread::available_parallelism().map_or(1, usize::from);
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..thread_count).map(|_| scope.spawn(run_thread)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no thread panics")).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Result of a check of all techniques on one state.
#[derive(Clone, Default)]
pub struct CheckReport {
    /// Number of matches that were compared.
    pub compared: usize,
    /// Members whose search a limit cut short.
    pub cut_short: BTreeSet<String>,
    /// Violations in words. Each begins with the member and a colon.
    pub violations: Vec<String>,
}

/// Compares every match of every technique with the solution.
pub fn check_matches(solver: &Solver, sample: &Sample) -> CheckReport {
    let mut report = CheckReport::default();
    let mut survey = solver.survey(&sample.state);
    for member in solver.members_by_name(None).expect("no name was asked for") {
        let counts = survey.count_matches(member, &sample.solution);
        let label = solver.member_label(&solver.members()[member]);
        report.compared += counts.matches;
        for wrong in &counts.false_deductions {
            let deductions = notation::deductions(solver.geometry(), &wrong.eliminations, &wrong.placements);
            report.violations.push(format!("{label}: {}: wrong: {deductions}", sample.origin));
        }
        if !counts.limits.is_empty() {
            report.cut_short.insert(label);
        }
    }
    report
}

/// Eliminations and placements of a match.
type Effect = (Vec<Candidate>, Vec<Candidate>);

/// Searches groups of members, and returns the effects of each group after `map`. Adds groups whose search a limit cuts
/// short to `cut_short`.
fn mapped_effects(
    solver: &Solver,
    state: &State,
    groups: &BTreeMap<String, Vec<usize>>,
    map: impl Fn(Candidate) -> Candidate,
    cut_short: &mut BTreeSet<String>,
) -> BTreeMap<String, BTreeSet<Effect>> {
    let mapped = |list: &[Candidate]| {
        let mut list: Vec<Candidate> = list.iter().map(|&candidate| map(candidate)).collect();
        list.sort();
        list
    };
    let mut effects: BTreeMap<String, BTreeSet<Effect>> = BTreeMap::new();
    let mut survey = solver.survey(state);
    for (label, members) in groups {
        let effects = effects.entry(label.clone()).or_default();
        for &member in members {
            let outcome = survey.find(member);
            if !outcome.limits.is_empty() {
                cut_short.insert(label.clone());
            }
            effects
                .extend(outcome.matches.iter().map(|found| (mapped(&found.eliminations), mapped(&found.placements))));
        }
    }
    effects
}

/// Compares the matches on a state with the matches on a transformed copy. Techniques whose search a limit cuts short are
/// not compared.
///
/// The techniques are divided into parts; `part` is (number of the part to search, number of parts).
pub fn check_copy(solver: &Solver, name: &str, state: &State, mapping: &Mapping, part: (usize, usize)) -> CheckReport {
    let mut report = CheckReport::default();
    // A transposed copy exchanges the cases and the views of a technique, and techniques of rows and of columns, so their
    // matches are compared together.
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for member in solver.members_by_name(None).expect("no name was asked for") {
        let label = solver.member_label(&solver.members()[member]);
        let label = label.replace("row_", "line_").replace("column_", "line_");
        groups.entry(label).or_default().push(member);
    }
    let (part_number, part_count) = part;
    let numbered = groups.into_iter().enumerate();
    let groups: BTreeMap<String, Vec<usize>> = numbered
        .filter(|(number, _)| (number + 1) % part_count == part_number % part_count)
        .map(|(_, group)| group)
        .collect();
    let geometry = solver.geometry();
    let original =
        mapped_effects(solver, state, &groups, |candidate| mapping.candidate(candidate), &mut report.cut_short);
    let copied_state = mapping.state(geometry, state);
    let copied = mapped_effects(solver, &copied_state, &groups, |candidate| candidate, &mut report.cut_short);
    for (label, expected) in &original {
        if report.cut_short.contains(label) {
            continue;
        }
        let found = &copied[label];
        report.compared += expected.len();
        if found != expected {
            let text = |effect: Option<&Effect>| match effect {
                Some((eliminations, placements)) => notation::deductions(geometry, eliminations, placements),
                None => "nothing".into(),
            };
            let missing = text(expected.difference(found).next());
            let extra = text(found.difference(expected).next());
            let state_line = draw::candidate_line(geometry, state);
            let copy_line = draw::candidate_line(geometry, &copied_state);
            report.violations.push(format!(
                "{label}: {name}: the copy lacks {missing} and has in addition {extra}\n  {state_line}\n  {copy_line}"
            ));
        }
    }
    report
}

/// Returns a line for each technique that violates a check: the number of its violations, and the first violation.
pub fn summary(violations: &[&String]) -> String {
    let mut by_label: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for violation in violations {
        let (label, _) = violation.split_once(':').expect("a violation begins with a label");
        by_label.entry(label).or_default().push(violation);
    }
    by_label.values().map(|list| format!("{} times {}\n", list.len(), list[0])).collect()
}
