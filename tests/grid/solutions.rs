//! None, one or many solutions, on every size.

use super::{EASY, EASY_SOLVED, LISTS, board, one};
use pinion::grid::{Digit, State};
use pinion::proof::{Uniqueness, solutions, uniqueness};

fn check(text: &str) -> &'static str {
    let puzzle = one(text);
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
    let puzzle = one(EASY);
    let solution: Vec<Digit> = EASY_SOLVED.chars().filter_map(Digit::from_symbol).collect();
    assert_eq!(uniqueness(&puzzle.geometry, &puzzle.state()), Uniqueness::One(solution));
    assert_eq!(check(LISTS), "one");
    assert_eq!(check(&EASY.replacen('5', "0", 1).replacen('3', "0", 1).replacen('7', "0", 1)), "many");
    assert_eq!(check("..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3.."), "none");
    assert_eq!(check(".39...12....9.7...8..4.1..6.42...79...........91...54.5..1.9..3...8.5....14...87."), "many");
}

#[test]
fn candidate_lists_count() {
    let puzzle = one(EASY);
    let mut state = puzzle.state();
    let cell = puzzle.geometry.cell(0, 2);
    state.eliminate(pinion::grid::Candidate::new(Digit(3), cell));
    assert_eq!(uniqueness(&puzzle.geometry, &state), Uniqueness::None);
}

#[test]
fn the_empty_board_of_every_size() {
    for size in [4, 6, 8, 9, 10, 12, 16, 25] {
        let board = board(size);
        let found = solutions(&board, &State::empty(&board), 3);
        assert_eq!(found.len(), 3, "{size}");
        for solution in &found {
            let mut state = State::empty(&board);
            board.cells().zip(solution).for_each(|(cell, digit)| state.place(&board, cell, *digit));
            assert_eq!(state.contradiction(&board), None);
        }
    }
    assert_eq!(solutions(&board(4), &State::empty(&board(4)), 1000).len(), 288);
}
