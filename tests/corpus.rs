//! Steps and matches on the puzzle collections, compared with the solutions. The collections are not in the repository:
//! `PINION_DATA=FOLDER cargo test --locked --test suite -- --ignored corpus collections`.

use crate::common::states::{self, COLLECTIONS, CheckReport, collections_folder, in_parallel, puzzles_of};
use crate::common::{geometry, solver};
use pinion::engine::Limits;
use pinion::grid::formats::read_many;
use pinion::grid::{BoardSpec, Geometry};
use pinion::proof::{Uniqueness, uniqueness};
use pinion::solve::{Profile, Rulebook, Solver, apply};
use std::sync::Arc;

/// Compares every step of every n-th puzzle of a file with the solution, and returns the number of puzzles, of steps and of
/// puzzles solved. Puzzles without a single solution are skipped.
fn check(file: &str, solver: &Solver, every: usize) -> (usize, usize, usize) {
    let text = std::fs::read_to_string(collections_folder().join(file)).expect("the collection is readable");
    let (mut puzzles, mut steps, mut solved) = (0, 0, 0);
    for puzzle in read_many(&text, Some(solver.geometry())).into_iter().flatten().step_by(every) {
        let start = puzzle.state();
        let Uniqueness::One(solution) = uniqueness(solver.geometry(), &start) else { continue };
        let path = solver.solve(start.clone());
        let mut state = start;
        for step in &path.steps {
            let wrong = step.eliminations.iter().find(|gone| solution[gone.cell.index()] == gone.digit);
            assert_eq!(wrong, None, "{file}: {} ({})", step.name, puzzle.note);
            let wrong = step.placements.iter().find(|placed| solution[placed.cell.index()] != placed.digit);
            assert_eq!(wrong, None, "{file}: {} ({})", step.name, puzzle.note);
            apply(step, solver.geometry(), &mut state);
        }
        puzzles += 1;
        steps += path.steps.len();
        solved += usize::from(state.is_solved());
    }
    println!("{file}: {puzzles} puzzles, {steps} steps, none wrong, {solved} solved");
    (puzzles, steps, solved)
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn every_step_of_every_collection_is_right() {
    let solver = solver(9);
    let steps: usize = COLLECTIONS.iter().map(|file| check(file, &solver, 400).1).sum();
    assert!(steps > 500, "only {steps} steps were checked");
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn the_hardest_are_solved_with_suppositions_under_suppositions() {
    let profile = Profile::embedded("deep").expect("it is built in");
    let solver = Solver::new(&Rulebook::embedded(), &geometry(9), &profile, Limits::default());
    let (puzzles, _, solved) = check("hardest-375.txt", &solver, 180);
    assert!(puzzles > 1 && solved == puzzles, "{solved} of {puzzles}");
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn every_board_size_is_solved_as_far_as_the_rules_reach() {
    let rulebook = Rulebook::embedded();
    for size in BoardSpec::standard_sizes().filter(|&size| size != 9 && size <= 12) {
        let solver = Solver::new(&rulebook, &geometry(size), &Profile::default(), Limits::default());
        let (puzzles, steps, _) = check(&format!("variants/plain_{size}x{size}.txt"), &solver, 25);
        assert!(puzzles > 0 && steps > 0, "{size}: nothing was read");
    }
}

/// Files of variants, with the board if neither the length of a puzzle nor its note says it.
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

/// Compares all matches of all techniques on some states of some puzzles of a file with the solutions, and returns the number
/// of states and of matches.
fn weigh(file: &str, board: Option<&str>, puzzles: usize, of_each: usize) -> (usize, usize) {
    let board = board.map(|name| Geometry::new(BoardSpec::named(name).expect("a board")).expect("a good board"));
    let list = puzzles_of(&collections_folder().join(file), board.map(Arc::new).as_ref());
    let picked: Vec<_> = states::evenly_spaced(list.len(), puzzles).map(|at| &list[at]).collect();
    let rulebook = Rulebook::embedded();
    let usual = solver(9);
    let looked: Vec<CheckReport> = in_parallel(&picked, |puzzle| {
        let own = (puzzle.geometry != *usual.geometry())
            .then(|| Solver::new(&rulebook, &puzzle.geometry, &Profile::default(), Limits::default()));
        let solver = own.as_ref().unwrap_or(&usual);
        let samples = states::samples(solver, file, puzzle, of_each);
        samples.iter().map(|sample| states::check_matches(solver, sample)).collect::<Vec<_>>()
    })
    .into_iter()
    .flatten()
    .collect();
    let broken: Vec<&String> = looked.iter().flat_map(|one| &one.violations).collect();
    let matches = looked.iter().map(|one| one.compared).sum();
    println!("{file}: {} states, {matches} matches, {} wrong", looked.len(), broken.len());
    assert!(broken.is_empty(), "{file}: {} wrong, first {}", broken.len(), broken[0]);
    (looked.len(), matches)
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn no_match_on_states_of_the_collections_is_wrong() {
    let found = COLLECTIONS.map(|file| weigh(file, None, 1, 1));
    let (states, matches) = found.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(states >= 5 && matches > 100, "{states} states, {matches} matches");
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn no_match_on_other_boards_is_wrong() {
    for (name, board) in VARIANTS.into_iter().step_by(4) {
        let (states, matches) = weigh(&format!("variants/{name}.txt"), board, 2, 1);
        assert!(states > 0 && matches > 0, "{name}: {states} states, {matches} matches");
    }
}
