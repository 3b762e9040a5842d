//! The number of solutions of puzzles, positions and empty boards.

use super::{EASY, EASY_SOLVED, LISTS, read_puzzle, standard_board};
use pinion::grid::{Candidate, Digit, State};
use pinion::proof::{Uniqueness, solutions, uniqueness};

fn solution_count(text: &str) -> &'static str {
    let puzzle = read_puzzle(text);
    match uniqueness(&puzzle.geometry, &puzzle.state()) {
        Uniqueness::None => "none",
        Uniqueness::One(_) => "one",
        Uniqueness::Many(first, second) => {
            assert_ne!(first, second);
            "many"
        }
    }
}

#[test]
fn solutions_are_counted_up_to_two() {
    let puzzle = read_puzzle(EASY);
    let solution: Vec<Digit> = EASY_SOLVED.chars().filter_map(Digit::from_symbol).collect();
    assert_eq!(uniqueness(&puzzle.geometry, &puzzle.state()), Uniqueness::One(solution));
    assert_eq!(solution_count(LISTS), "one");
    assert_eq!(solution_count(&EASY.replacen('5', "0", 1).replacen('3', "0", 1).replacen('7', "0", 1)), "many");
    assert_eq!(
        solution_count("..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3.."),
        "none"
    );
    assert_eq!(
        solution_count(".39...12....9.7...8..4.1..6.42...79...........91...54.5..1.9..3...8.5....14...87."),
        "many"
    );
}

#[test]
fn a_deleted_candidate_of_the_solution_leaves_no_solution() {
    let puzzle = read_puzzle(EASY);
    let mut state = puzzle.state();
    let r1c3 = puzzle.geometry.cell(0, 2);
    state.eliminate(Candidate::new(Digit(3), r1c3));
    assert_eq!(uniqueness(&puzzle.geometry, &state), Uniqueness::None);
}

#[test]
fn empty_boards_of_every_size_have_solutions() {
    for size in [4, 6, 8, 9, 10, 12, 16, 25] {
        let board = standard_board(size);
        let some_solutions = solutions(&board, &State::empty(&board), 3);
        assert_eq!(some_solutions.len(), 3, "{size}");
        for solution in &some_solutions {
            let mut state = State::empty(&board);
            board.cells().zip(solution).for_each(|(cell, digit)| state.place(&board, cell, *digit));
            assert_eq!(state.contradiction(&board), None);
        }
    }
    let all_4x4_grids = 288;
    assert_eq!(solutions(&standard_board(4), &State::empty(&standard_board(4)), 1000).len(), all_4x4_grids);
}
