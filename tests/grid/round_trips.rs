//! Laws between `draw` and `formats`: drawn positions read back.

use super::{EASY, EASY_SOLVED, LISTS, board, one};
use crate::common::cases;
use pinion::grid::draw::{candidate_grid, candidate_line, values_line};
use pinion::grid::formats::{read_many, read_one};
use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};
use proptest::prelude::*;

/// Places every cell with one candidate that no peer has: reading a candidate line does the same.
fn settled(geometry: &Geometry, mut state: State) -> State {
    for cell in geometry.cells() {
        let list = state.candidates(cell);
        let Some(digit) = list.first().filter(|_| list.len() == 1) else { continue };
        let shared = |peer: &Cell| state.has(Candidate::new(digit, *peer)) || state.value(*peer) == Some(digit);
        if !geometry.peers(cell).iter().any(shared) {
            state.place(geometry, cell, digit);
        }
    }
    state
}

/// A state of some board: digits of a solution pattern placed, and candidates taken away.
fn any_state() -> impl Strategy<Value = (usize, State)> {
    prop::sample::select(vec![4usize, 6, 8, 9, 10, 12, 16]).prop_flat_map(|size| {
        let places = prop::collection::vec(0..size * size, 1..size * size);
        let gone = prop::collection::vec((0..size * size, 0..size), 0..size * size * size);
        (places, gone).prop_map(move |(places, gone)| (size, state_of(size, &places, &gone)))
    })
}

fn state_of(size: usize, places: &[usize], gone: &[(usize, usize)]) -> State {
    let board = board(size);
    let (rows, columns) = board.spec().boxes().expect("a board with boxes");
    // Rows shifted box by box: a full grid for every size.
    let truth = |cell: Cell| {
        let row = board.row(cell);
        let shift = row % rows * columns + row / rows;
        Digit(((board.column(cell) + shift) % size) as u8)
    };
    let mut state = State::empty(&board);
    for &place in places {
        state.place(&board, Cell(place as u16), truth(Cell(place as u16)));
    }
    for &(cell, digit) in gone {
        let (cell, digit) = (Cell(cell as u16), Digit(digit as u8));
        if truth(cell) != digit {
            state.eliminate(Candidate::new(digit, cell));
        }
    }
    state
}

proptest! {
    #![proptest_config(cases(256, 256))]

    #[test]
    fn grids_and_lines_of_candidates((size, state) in any_state()) {
        let board = board(size);
        // A grid tells what is solved; a line of candidates does not.
        let settled = settled(&board, state.clone());
        for (text, expected) in [(candidate_grid(&board, &state), &state), (candidate_line(&board, &state), &settled)] {
            let read = read_one(&text, Some(&board)).unwrap().state();
            prop_assert_eq!(read.values_and_candidates(), expected.values_and_candidates());
            // A text of candidates leaves open exactly the candidates that it lists.
            prop_assert!(board.cells().all(|cell| read.initial_candidates(cell) == read.candidates(cell) | read.value(cell).map_or(DigitSet::EMPTY, DigitSet::single)));
        }
        let read = one(&values_line(&board, &state)).state();
        prop_assert_eq!(read.values_and_candidates().0, state.values_and_candidates().0);
    }

    #[test]
    fn no_text_panics(text in "[0-9A-Zax.|:,+*\\- #\\[\\]\n\té\u{feff}]{0,200}") {
        let _ = read_one(&text, None);
        let _ = read_many(&text, Some(&board(9)));
    }

    #[test]
    fn a_damaged_text_does_not_panic(at in 0usize..400, with in any::<char>()) {
        for text in [EASY, EASY_SOLVED, LISTS] {
            let mut characters: Vec<char> = text.chars().collect();
            let at = at % characters.len();
            characters[at] = with;
            let _ = read_many(&characters.into_iter().collect::<String>(), None);
        }
    }
}

#[test]
fn the_bordered_form() {
    let puzzle = one(EASY);
    insta::assert_snapshot!(candidate_grid(&puzzle.geometry, &puzzle.state()));
}
