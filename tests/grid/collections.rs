//! Reads and solves the puzzle collections in the folder that `PINION_DATA` names. The tests run on request only.

use super::read_puzzle;
use crate::common::states::collections_folder;
use pinion::engine::Limits;
use pinion::grid::draw::{candidate_grid, candidate_line};
use pinion::grid::formats::{Puzzle, read_library_line, read_many, read_one};
use pinion::grid::{BoardSpec, Geometry};
use pinion::proof::{Uniqueness, uniqueness};
use pinion::solve::{Outcome, Profile, Rulebook, Solver};
use std::sync::Arc;

fn collection_text(name: &str) -> String {
    std::fs::read_to_string(collections_folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn collection_puzzles(name: &str) -> Vec<Puzzle> {
    let read = read_many(&collection_text(name), None);
    read.into_iter().map(|result| result.unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

/// The number of solutions; 2 if there are more.
fn solution_count(puzzle: &Puzzle) -> usize {
    match uniqueness(&puzzle.geometry, &puzzle.state()) {
        Uniqueness::None => 0,
        Uniqueness::One(_) => 1,
        Uniqueness::Many(..) => 2,
    }
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn every_puzzle_is_read_and_has_one_solution() {
    // Each file with the number of its puzzles; 0 accepts any number from 1 on.
    for (name, count) in [
        ("17-clue-5000.txt", 5000),
        ("se-ladder.txt", 0),
        ("se-rated-2000.txt", 2000),
        ("sukaku-rated-500.txt", 487),
        ("hardest-375.txt", 375),
        ("hardest-rated-500.txt", 500),
        ("tridagon-300.txt", 300),
        ("top1465.txt", 1465),
        ("pencilmarks-100.txt", 98),
        ("reglib-half.txt", 582),
        ("technique/exemplars.txt", 0),
        ("technique/whips-and-more.txt", 0),
        ("variants/plain_4x4.txt", 0),
        ("variants/plain_6x6.txt", 0),
        ("variants/plain_8x8.txt", 0),
        ("variants/plain_10x10.txt", 0),
        ("variants/plain_12x12.txt", 0),
        ("variants/plain_16x16.txt", 0),
        ("variants/plain_25x25.txt", 0),
        ("variants/found_plain_16x16.txt", 0),
        ("variants/found_plain_25x25.txt", 0),
    ] {
        let start = std::time::Instant::now();
        let puzzle_list = collection_puzzles(name);
        let reading_time = start.elapsed();
        assert!(!puzzle_list.is_empty(), "{name} is empty");
        assert!(count == 0 || puzzle_list.len() == count, "{name}: {} puzzles", puzzle_list.len());
        let bad_lines: Vec<usize> =
            puzzle_list.iter().filter(|puzzle| solution_count(puzzle) != 1).map(|p| p.line).collect();
        assert!(bad_lines.is_empty(), "{name}: lines {bad_lines:?}");
        println!(
            "{name}: {} puzzles, read in {reading_time:?}, read and counted in {:?}",
            puzzle_list.len(),
            start.elapsed()
        );
    }
}

/// Files in `variants/`, each with the board that its puzzles are made for. Jigsaw puzzles name their regions in the note.
const VARIANTS: [(&str, &str); 14] = [
    ("X_6x6", "diagonal 6x6"),
    ("X_9x9", "diagonal"),
    ("Xjigsaw_9x9", "diagonal"),
    ("Xwindoku_9x9", "diagonal windoku"),
    ("antiking_9x9", "anti-king"),
    ("antiknight_9x9", "anti-knight"),
    ("disjoint_9x9", "disjoint groups"),
    ("jigsaw_9x9", "9x9"),
    ("plain_10x10", "10x10"),
    ("plain_12x12", "12x12"),
    ("plain_4x4", "4x4"),
    ("plain_6x6", "6x6"),
    ("plain_8x8", "8x8"),
    ("windoku_9x9", "windoku"),
];

/// Every thirtieth puzzle of each file. The note of a puzzle holds its solution.
#[test]
#[ignore = "in full: needs PINION_DATA"]
fn every_puzzle_of_a_variant_is_solved_on_its_board() {
    for (name, board) in VARIANTS {
        let text = collection_text(&format!("variants/{name}.txt"));
        let spec = BoardSpec::named(board).expect("a known board");
        let board = Arc::new(Geometry::new(spec).expect("a board"));
        let rules = Rulebook::embedded();
        let mut solver = Solver::new(&rules, &board, &Profile::default(), Limits::default());
        let results: Vec<_> = read_many(&text, Some(&board)).into_iter().step_by(30).collect();
        assert!(!results.is_empty(), "{name}");
        let count = results.len();
        let (mut solved, mut steps) = (0, 0);
        let start = std::time::Instant::now();
        for result in results {
            let puzzle = result.unwrap_or_else(|error| panic!("{name}: {error}"));
            let state = puzzle.state();
            let Uniqueness::One(solution) = uniqueness(&puzzle.geometry, &state) else {
                panic!("{name} line {}: not one solution", puzzle.line);
            };
            let expected = puzzle.note.split("solution=").nth(1).expect("a solution").trim();
            assert_eq!(solution.iter().map(|digit| digit.symbol()).collect::<String>(), expected, "{name}");
            // A puzzle with regions of its own has another board than the puzzle before.
            if solver.geometry().spec() != puzzle.geometry.spec() {
                solver = Solver::new(&rules, &puzzle.geometry, &Profile::default(), Limits::default());
            }
            let path = crate::common::check_path(&solver, &state);
            steps += path.steps.len();
            solved += usize::from(path.outcome == Outcome::Solved);
        }
        println!("{name}: {solved} of {count} solved, {steps} steps checked, {:?}", start.elapsed());
    }
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn malformed_lines_are_refused() {
    let text = collection_text("invalid/malformed_lines.txt");
    for line in text.lines() {
        assert!(read_one(line, None).is_err(), "{line}");
        assert!(read_one(&format!("{line}\n"), None).is_err(), "{line}");
        assert!(read_many(line, None).iter().all(Result::is_err), "{line}");
    }
    assert!(read_many(&text, None).iter().all(Result::is_err));
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn invalid_puzzles_have_no_or_several_solutions() {
    for (name, expected) in [("invalid/multi_solutions.txt", 2), ("invalid/zero_solutions.txt", 0)] {
        for result in read_many(&collection_text(name), None) {
            match result {
                Ok(puzzle) => assert_eq!(solution_count(&puzzle), expected, "{name} line {}", puzzle.line),
                // The reader already refuses a puzzle with two equal digits in a house (P06).
                Err(error) => assert!(expected == 0 && error.code == "P06", "{name}: {error}"),
            }
        }
    }
}

#[test]
#[ignore = "in full: needs PINION_DATA"]
fn library_lines_are_read_and_drawn_back() {
    for (index, line) in collection_text("reglib-half.txt").lines().enumerate() {
        if line.starts_with('#') {
            continue;
        }
        let case = read_library_line(line, index + 1).unwrap_or_else(|error| panic!("{error}"));
        let state = case.puzzle.state();
        // A code that ends with `-x` lists eliminations that a solver must not find; they may be gone already.
        let is_forbidden = case.code.ends_with("-x");
        assert!(is_forbidden || case.eliminations.iter().all(|candidate| state.has(*candidate)), "{line}");
        let state_of_grid = read_puzzle(&candidate_grid(&case.puzzle.geometry, &state)).state();
        assert_eq!(state_of_grid.values_and_candidates(), state.values_and_candidates(), "{line}");
        // In a line of candidates, a cell with one candidate may be read as solved.
        let state_of_line = read_puzzle(&candidate_line(&case.puzzle.geometry, &state)).state();
        assert!(case.puzzle.geometry.cells().all(
            |cell| state_of_line.candidates(cell) == state.candidates(cell) || state_of_line.value(cell).is_some()
        ));
    }
}
