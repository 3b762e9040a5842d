//! Positions that `draw` has drawn are read back unchanged, and no text makes a reader panic.

use super::{EASY, EASY_SOLVED, LISTS, read_puzzle, standard_board};
use crate::common::quick_or_full_cases;
use pinion::grid::draw::{candidate_grid, candidate_line, values_line};
use pinion::grid::formats::{read_many, read_one};
use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};
use proptest::prelude::*;

/// Places each digit that is the only candidate of its cell and no candidate of a peer. Reading a candidate line does this, too.
fn with_lone_candidates_placed(geometry: &Geometry, mut state: State) -> State {
    for cell in geometry.cells() {
        let list = state.candidates(cell);
        if let (Some(digit), 1) = (list.first(), list.len()) {
            let has_digit = |peer: &Cell| state.has(Candidate::new(digit, *peer)) || state.value(*peer) == Some(digit);
            if !geometry.peers(cell).iter().any(has_digit) {
                state.place(geometry, cell, digit);
            }
        }
    }
    state
}

/// A board size and a state: some digits of a full grid are placed, and some other candidates are eliminated.
fn any_state() -> impl Strategy<Value = (usize, State)> {
    prop::sample::select(vec![4usize, 6, 8, 9, 10, 12, 16]).prop_flat_map(|size| {
        let placed_cells = prop::collection::vec(0..size * size, 1..size * size);
        let eliminated = prop::collection::vec((0..size * size, 0..size), 0..size * size * size);
        (placed_cells, eliminated)
            .prop_map(move |(placed_cells, eliminated)| (size, state_of(size, &placed_cells, &eliminated)))
    })
}

fn state_of(size: usize, placed_cells: &[usize], eliminated: &[(usize, usize)]) -> State {
    let board = standard_board(size);
    let (rows, columns) = board.spec().boxes().expect("a board with boxes");
    // Each row of a band is shifted by a box, and each band by one cell more: a full grid for every size.
    let solution_digit = |cell: Cell| {
        let row = board.row(cell);
        let shift = row % rows * columns + row / rows;
        Digit(((board.column(cell) + shift) % size) as u8)
    };
    let mut state = State::empty(&board);
    for &cell in placed_cells {
        let cell = Cell(cell as u16);
        state.place(&board, cell, solution_digit(cell));
    }
    for &(cell, digit) in eliminated {
        let (cell, digit) = (Cell(cell as u16), Digit(digit as u8));
        if solution_digit(cell) != digit {
            state.eliminate(Candidate::new(digit, cell));
        }
    }
    state
}

proptest! {
    #![proptest_config(quick_or_full_cases(256, 256))]

    #[test]
    fn drawn_candidates_are_read_back((size, state) in any_state()) {
        let board = standard_board(size);
        // A grid distinguishes a solved cell from a cell with one candidate; a line of candidates does not.
        let expected_of_line = with_lone_candidates_placed(&board, state.clone());
        for (text, expected) in [
            (candidate_grid(&board, &state), &state),
            (candidate_line(&board, &state), &expected_of_line),
        ] {
            let read = read_one(&text, Some(&board)).unwrap().state();
            prop_assert_eq!(read.values_and_candidates(), expected.values_and_candidates());
            // The initial candidates of a cell are the candidates that the text lists for it.
            for cell in board.cells() {
                let value = read.value(cell).map_or(DigitSet::EMPTY, DigitSet::single);
                prop_assert_eq!(read.initial_candidates(cell), read.candidates(cell) | value);
            }
        }
        let read = read_puzzle(&values_line(&board, &state)).state();
        prop_assert_eq!(read.values_and_candidates().0, state.values_and_candidates().0);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[0-9A-Zax.|:,+*\\- #\\[\\]\n\té\u{feff}]{0,200}") {
        let _ = read_one(&text, None);
        let _ = read_many(&text, Some(&standard_board(9)));
    }

    #[test]
    fn no_changed_character_makes_a_reader_panic(at in 0usize..400, character in any::<char>()) {
        for text in [EASY, EASY_SOLVED, LISTS] {
            let mut characters: Vec<char> = text.chars().collect();
            let at = at % characters.len();
            characters[at] = character;
            let _ = read_many(&characters.into_iter().collect::<String>(), None);
        }
    }
}

#[test]
fn a_candidate_grid_is_drawn_with_borders() {
    let puzzle = read_puzzle(EASY);
    insta::assert_snapshot!(candidate_grid(&puzzle.geometry, &puzzle.state()));
}
