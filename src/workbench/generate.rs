//! Puzzles out of nothing. In: a board, a source of chance. Out: puzzles with one solution, from which no clue can be
//! taken; the same for the same seed.

use crate::grid::{Cell, Digit, DigitSet, Geometry, State};
use crate::proof::{Uniqueness, solutions, uniqueness};
use fastrand::Rng;

/// Generates a solved grid; `None` if the board has none or `halt` cancelled the search.
pub fn solved(geometry: &Geometry, chance: &mut Rng, halt: &dyn Fn() -> bool) -> Option<Vec<Digit>> {
    let mut state = State::empty(geometry);
    // A few cells by chance, as long as something is left; the rest follows.
    let mut cells: Vec<Cell> = geometry.cells().collect();
    chance.shuffle(&mut cells);
    for &cell in cells.iter().take(geometry.size() * 3 / 2) {
        let options: Vec<Digit> = state.candidates(cell).iter().collect();
        let Some(&digit) = options.get(chance.usize(..options.len().max(1))) else { continue };
        if halt() {
            return None;
        }
        let mut next = state.clone();
        next.place(geometry, cell, digit);
        if next.contradiction(geometry).is_none() && !solutions(geometry, &next, 1).is_empty() {
            state = next;
        }
    }
    solutions(geometry, &state, 1).pop()
}

/// Generates a puzzle: clues are removed from a solved grid in random order as long as the solution stays unique. `None` if
/// `halt` cancelled the search.
pub fn puzzle(geometry: &Geometry, chance: &mut Rng, halt: &dyn Fn() -> bool) -> Option<Vec<Option<Digit>>> {
    let full = solved(geometry, chance, halt)?;
    let mut givens: Vec<Option<Digit>> = full.into_iter().map(Some).collect();
    let mut cells: Vec<usize> = (0..givens.len()).collect();
    chance.shuffle(&mut cells);
    for cell in cells {
        if halt() {
            return None;
        }
        let taken = givens[cell].take();
        if !matches!(uniqueness(geometry, &state(geometry, &givens)), Uniqueness::One(_)) {
            givens[cell] = taken;
        }
    }
    Some(givens)
}

/// The position of givens.
pub fn state(geometry: &Geometry, givens: &[Option<Digit>]) -> State {
    let mut state = State::empty(geometry);
    for (cell, given) in geometry.cells().zip(givens) {
        if let Some(digit) = *given {
            state.place(geometry, cell, digit);
            state.set_open(cell, DigitSet::single(digit));
        }
    }
    state
}
