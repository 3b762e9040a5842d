//! States taken from solution paths, and two questions to a state: is anything wrong, and does a transformed copy have
//! the transformed matches.

use super::Mapping;
use pinion::grid::formats::{Puzzle, read_many};
use pinion::grid::{Candidate, Digit, Geometry, State, draw, notation};
use pinion::proof::{Uniqueness, uniqueness};
use pinion::solve::Solver;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The collections of 9×9 puzzles.
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

/// Returns the folder of the collections; fails where `PINION_DATA` does not name it.
pub fn collections_folder() -> PathBuf {
    std::env::var_os("PINION_DATA").map(PathBuf::from).expect("PINION_DATA names the folder of the collections")
}

/// Positions from the middle of the paths of twenty generated puzzles.
pub fn middle_states() -> Vec<State> {
    let text = include_str!("../states/middle.txt");
    read_many(text, None).into_iter().map(|puzzle| puzzle.expect("a good puzzle").state()).collect()
}

/// A state with the solution of its puzzle.
pub struct Sample {
    /// File and line of the puzzle, and number of steps.
    pub origin: String,
    pub state: State,
    pub solution: Vec<Digit>,
}

/// A number of members of a list, spread over it.
pub fn evenly_spaced(length: usize, count: usize) -> impl Iterator<Item = usize> {
    let count = count.min(length);
    (0..count).map(move |number| (2 * number + 1) * length / (2 * count))
}

/// The puzzles of a file for one board, or for the boards of their lengths.
pub fn puzzles_of(file: &Path, board: Option<&Arc<Geometry>>) -> Vec<Puzzle> {
    let text = std::fs::read_to_string(file).expect("the collection is readable");
    read_many(&text, board).into_iter().flatten().collect()
}

/// States of the path of a puzzle that has one solution, and had one when its author left it.
pub fn samples(solver: &Solver, place: &str, puzzle: &Puzzle, count: usize) -> Vec<Sample> {
    let one = |state: &State| match uniqueness(solver.geometry(), state) {
        Uniqueness::One(solution) => Some(solution),
        _ => None,
    };
    let start = puzzle.state();
    let Some(solution) = one(&start).filter(|_| puzzle.initial_state().is_none_or(|state| one(&state).is_some()))
    else {
        return Vec::new();
    };
    let path = solver.solve(start);
    let (states, wrong) = solver.states(&path, &solution);
    assert!(!wrong, "{place}:{}: a step of the path contradicts the solution", puzzle.line);
    let sample = |at: usize| Sample {
        origin: format!("{place}:{} after {at} steps", puzzle.line),
        state: states[at].clone(),
        solution: solution.clone(),
    };
    evenly_spaced(states.len(), count).map(sample).collect()
}

/// About this many states of the 9×9 collections, equally many of each.
pub fn corpus_samples(solver: &Solver, folder: &Path, count: usize) -> Vec<Sample> {
    const OF_EACH_PUZZLE: usize = 2;
    let puzzles = (count / COLLECTIONS.len()).div_ceil(OF_EACH_PUZZLE);
    let mut work: Vec<(&str, Puzzle)> = Vec::new();
    for file in COLLECTIONS {
        let list = puzzles_of(&folder.join(file), Some(solver.geometry()));
        work.extend(evenly_spaced(list.len(), puzzles).map(|at| (file, list[at].clone())));
    }
    in_parallel(&work, |(file, puzzle)| samples(solver, file, puzzle, OF_EACH_PUZZLE)).into_iter().flatten().collect()
}

/// Does the same with each, on every processor; results in the order of the list.
pub fn in_parallel<T: Sync, R: Send>(list: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            match list.get(at) {
                Some(one) => done.push((at, work(one))),
                None => return done,
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        running.into_iter().flat_map(|thread| thread.join().expect("the work of a thread ends")).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Result of a law on one state.
#[derive(Default)]
pub struct CheckReport {
    /// Matches that were compared.
    pub compared: usize,
    /// Members whose search a limit cut short.
    pub cut_short: BTreeSet<String>,
    /// Violations of the law, in words.
    pub violations: Vec<String>,
}

/// Every match of every technique against the solution.
pub fn check_matches(solver: &Solver, sample: &Sample) -> CheckReport {
    let mut looked = CheckReport::default();
    let mut survey = solver.survey(&sample.state);
    for member in solver.members_by_name(None).expect("no name was asked for") {
        let counts = survey.count_matches(member, &sample.solution);
        let label = solver.member_label(&solver.members()[member]);
        looked.compared += counts.matches;
        for wrong in &counts.false_deductions {
            let says = notation::deductions(solver.geometry(), &wrong.eliminations, &wrong.placements);
            looked.violations.push(format!("{label}: {} says {says}", sample.origin));
        }
        if !counts.limits.is_empty() {
            looked.cut_short.insert(label);
        }
    }
    looked
}

/// Deductions by member; cases and views are merged, because a transposed grid exchanges them.
type Shown = BTreeMap<String, BTreeSet<(Vec<Candidate>, Vec<Candidate>)>>;

fn shown(
    solver: &Solver,
    state: &State,
    members: &BTreeMap<String, Vec<usize>>,
    map: impl Fn(Candidate) -> Candidate,
    cut: &mut BTreeSet<String>,
) -> Shown {
    let mapped = |list: &[Candidate]| {
        let mut list: Vec<Candidate> = list.iter().map(|&one| map(one)).collect();
        list.sort();
        list
    };
    let mut shown = Shown::new();
    let mut survey = solver.survey(state);
    for (label, cases) in members {
        for &member in cases {
            let found = survey.find(member);
            if !found.limits.is_empty() {
                cut.insert(label.clone());
            }
            let effects = found.matches.iter().map(|one| (mapped(&one.eliminations), mapped(&one.placements)));
            shown.entry(label.clone()).or_default().extend(effects);
        }
    }
    shown
}

/// Compares the matches of a state with those of a transformed copy, for every technique whose searches no limit cuts
/// short. `part` is (number, count): the members are divided into `count` parts, and one of them is searched.
pub fn check_copy(solver: &Solver, place: &str, state: &State, mapping: &Mapping, part: (usize, usize)) -> CheckReport {
    let mut looked = CheckReport::default();
    let mut members: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for member in solver.members_by_name(None).expect("no name was asked for") {
        // A copy may lie on its side.
        let label = solver.member_label(&solver.members()[member]);
        let label = label.replace("row_", "line_").replace("column_", "line_");
        members.entry(label).or_default().push(member);
    }
    let mut number = 0;
    members.retain(|_, _| {
        number += 1;
        number % part.1 == part.0 % part.1
    });
    let geometry = solver.geometry();
    let here = shown(solver, state, &members, |one| mapping.candidate(one), &mut looked.cut_short);
    let copy = mapping.state(geometry, state);
    let there = shown(solver, &copy, &members, |one| one, &mut looked.cut_short);
    for (label, mine) in &here {
        let other = &there[label];
        if looked.cut_short.contains(label) {
            continue;
        }
        looked.compared += mine.len();
        if mine != other {
            let text = |one: Option<&(Vec<Candidate>, Vec<Candidate>)>| {
                one.map_or("nothing".into(), |(gone, placed)| notation::deductions(geometry, gone, placed))
            };
            let (lost, more) = (text(mine.difference(other).next()), text(other.difference(mine).next()));
            let (state, copy) = (draw::candidate_line(geometry, state), draw::candidate_line(geometry, &copy));
            let words = format!("the copy lacks {lost}, has {more} besides\n  {state}\n  {copy}");
            looked.violations.push(format!("{label}: {place}: {words}"));
        }
    }
    looked
}

/// Lists the violations by technique: their number and the first of each.
pub fn summary(broken: &[&String]) -> String {
    let mut kinds: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for one in broken {
        kinds.entry(one.split(':').next().unwrap_or_default()).or_default().push(one);
    }
    kinds.values().map(|list| format!("{} times {}\n", list.len(), list[0])).collect()
}
