//! Steps and matches on puzzle collections, compared with the solutions. The collections are not in the repository:
//! `PINION_DATA` names their folder. `PINION_DATA=FOLDER cargo test --locked --test suite -- --ignored corpus collections`
//! runs these tests.

use crate::common::states::{self, COLLECTIONS, CheckReport, collections_folder, in_parallel, puzzles_of};
use crate::common::{geometry, solver};
use pinion::engine::Limits;
use pinion::grid::formats::read_many;
use pinion::grid::{BoardSpec, Candidate, Geometry};
use pinion::proof::{Uniqueness, uniqueness};
use pinion::solve::{Profile, Rulebook, Solver};
use std::sync::Arc;

/// Counts of the puzzles whose paths were compared with their solutions.
struct PathCounts {
    puzzles: usize,
    steps: usize,
    solved_puzzles: usize,
}

/// Compares the path of every `interval`-th puzzle of a file with the solution. Puzzles without a unique solution are
/// skipped.
fn check_paths(file: &str, solver: &Solver, interval: usize) -> PathCounts {
    let text = std::fs::read_to_string(collections_folder().join(file)).expect("the collection is readable");
    let mut counts = PathCounts { puzzles: 0, steps: 0, solved_puzzles: 0 };
    for puzzle in read_many(&text, Some(solver.geometry())).into_iter().flatten().step_by(interval) {
        let Uniqueness::One(solution) = uniqueness(solver.geometry(), &puzzle.state()) else { continue };
        let path = solver.solve(puzzle.state());
        for step in &path.steps {
            let is_right = |candidate: &Candidate| solution[candidate.cell.index()] == candidate.digit;
            assert!(!step.eliminations.iter().any(is_right), "{file}: {} ({})", step.name, puzzle.note);
            assert!(step.placements.iter().all(is_right), "{file}: {} ({})", step.name, puzzle.note);
        }
        counts.puzzles += 1;
        counts.steps += path.steps.len();
        counts.solved_puzzles += usize::from(path.end.is_solved());
    }
    println!("{file}: {} puzzles, {} steps, {} solved", counts.puzzles, counts.steps, counts.solved_puzzles);
    counts
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn every_step_of_every_collection_agrees_with_the_solution() {
    let solver = solver(9);
    let steps: usize = COLLECTIONS.iter().map(|file| check_paths(file, &solver, 400).steps).sum();
    assert!(steps > 500, "only {steps} steps were checked");
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn the_deep_profile_solves_the_hardest_puzzles() {
    let profile = Profile::embedded("deep").expect("a built-in profile");
    let solver = Solver::new(&Rulebook::embedded(), &geometry(9), &profile, Limits::default());
    let counts = check_paths("hardest-375.txt", &solver, 180);
    assert!(counts.puzzles > 1);
    assert_eq!(counts.solved_puzzles, counts.puzzles);
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn every_step_on_other_board_sizes_agrees_with_the_solution() {
    let rulebook = Rulebook::embedded();
    for size in BoardSpec::standard_sizes().filter(|&size| size != 9 && size <= 12) {
        let solver = Solver::new(&rulebook, &geometry(size), &Profile::default(), Limits::default());
        let counts = check_paths(&format!("variants/plain_{size}x{size}.txt"), &solver, 25);
        assert!(counts.steps > 0, "{size}: no step was found");
    }
}

/// Files of puzzles on other boards. The board is named where the length and the note of a puzzle do not determine it.
const VARIANTS: [(&str, Option<&str>); 13] = [
    ("X_6x6", Some("diagonal 6x6")),
    ("X_9x9", Some("diagonal")),
    ("Xjigsaw_9x9", Some("diagonal")),
    ("Xwindoku_9x9", Some("diagonal windoku")),
    ("antiking_9x9", Some("anti-king")),
    ("antiknight_9x9", Some("anti-knight")),
    ("disjoint_9x9", Some("disjoint groups")),
    ("jigsaw_9x9", None),
    ("windoku_9x9", Some("windoku")),
    ("plain_4x4", None),
    ("plain_6x6", None),
    ("plain_8x8", None),
    ("plain_16x16", None),
];

/// Compares all matches of all techniques on some states of a file's puzzles with the solutions. Returns a report for each state.
fn check_all_matches(file: &str, board: Option<&str>, puzzles: usize, states_of_each: usize) -> Vec<CheckReport> {
    let board = board.map(|name| Geometry::new(BoardSpec::named(name).expect("a board")).expect("a good board"));
    let list = puzzles_of(&collections_folder().join(file), board.map(Arc::new).as_ref());
    let chosen: Vec<_> = states::evenly_spaced(list.len(), puzzles).map(|at| &list[at]).collect();
    let rulebook = Rulebook::embedded();
    let standard_solver = solver(9);
    let reports: Vec<Vec<CheckReport>> = in_parallel(&chosen, |puzzle| {
        let board_solver;
        let solver = if puzzle.geometry == *standard_solver.geometry() {
            &standard_solver
        } else {
            board_solver = Solver::new(&rulebook, &puzzle.geometry, &Profile::default(), Limits::default());
            &board_solver
        };
        let samples = states::samples(solver, file, puzzle, states_of_each);
        samples.iter().map(|sample| states::check_matches(solver, sample)).collect()
    });
    let reports = reports.concat();
    let violations: Vec<&String> = reports.iter().flat_map(|report| &report.violations).collect();
    println!("{file}: {} states, {} matches, {} wrong", reports.len(), match_count(&reports), violations.len());
    assert!(violations.is_empty(), "{file}: {} wrong, first {}", violations.len(), violations[0]);
    reports
}

fn match_count(reports: &[CheckReport]) -> usize {
    reports.iter().map(|report| report.compared).sum()
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn every_match_on_states_of_the_collections_agrees_with_the_solution() {
    let reports: Vec<CheckReport> = COLLECTIONS.iter().flat_map(|file| check_all_matches(file, None, 1, 1)).collect();
    let (states, matches) = (reports.len(), match_count(&reports));
    assert!(states >= 5 && matches > 100, "{states} states, {matches} matches");
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn every_match_on_other_boards_agrees_with_the_solution() {
    for (name, board) in VARIANTS.into_iter().step_by(4) {
        let reports = check_all_matches(&format!("variants/{name}.txt"), board, 2, 1);
        assert!(match_count(&reports) > 0, "{name}: {} states", reports.len());
    }
}
