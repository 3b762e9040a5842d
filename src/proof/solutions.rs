//! How many solutions a position has. In: a board and a [`State`], whose candidate lists count. Out: the
//! solutions, or whether there is none, one or several (docs/decisions/0004-counting-solutions.md).

use super::{sat, search::Search};
use crate::grid::formats::Puzzle;
use crate::grid::{Digit, Geometry, State};

/// Guesses that a search may make for each solution before the SAT solver takes over. A guess is cheap on
/// small boards; on large ones a search that guesses wrongly at the top never returns.
fn budget(geometry: &Geometry) -> usize {
    if geometry.size() <= 9 { 2_000 } else { 100 }
}

/// None, one or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uniqueness {
    /// No solution.
    None,
    /// This one only.
    One(Vec<Digit>),
    /// At least these two.
    Many(Vec<Digit>, Vec<Digit>),
}

/// Whether the puzzle had one solution before anything was placed or taken away.
pub fn had_unique_solution(puzzle: &Puzzle) -> bool {
    let one = |state: State| matches!(uniqueness(&puzzle.geometry, &state), Uniqueness::One(_));
    puzzle.beginning().is_none_or(one)
}

/// Whether the position has one solution.
pub fn uniqueness(geometry: &Geometry, state: &State) -> Uniqueness {
    let mut found = solutions(geometry, state, 2).into_iter();
    match (found.next(), found.next()) {
        (Some(first), Some(second)) => Uniqueness::Many(first, second),
        (Some(only), None) => Uniqueness::One(only),
        (None, _) => Uniqueness::None,
    }
}

/// Up to `at_most` solutions of the position, as digits row by row; the order is always the same.
pub fn solutions(geometry: &Geometry, state: &State, at_most: usize) -> Vec<Vec<Digit>> {
    let cells: Vec<u32> =
        geometry.cells().map(|cell| state.value(cell).map_or(state.candidates(cell).0, |digit| 1 << digit.0)).collect();
    let mut search = Search::new(geometry, at_most, budget(geometry).saturating_mul(at_most));
    let mut found = if search.run(cells.clone()) { search.found } else { sat::solve(geometry, &cells, at_most) };
    found.truncate(at_most);
    found.into_iter().map(|cells| cells.into_iter().map(|mask| Digit(mask.trailing_zeros() as u8)).collect()).collect()
}
