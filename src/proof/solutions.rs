//! How many solutions a position has. In: a board and a [`State`], whose candidate lists count. Out: the
//! solutions, or whether there is none, one or several (docs/decisions/0004-counting-solutions.md).

use super::{sat, search::Search};
use crate::grid::formats::Puzzle;
use crate::grid::{Candidate, Digit, Geometry, State};

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

/// Number of solutions, as far as they were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Solutions that were found: if the count is not exact, this is the least number.
    pub number: usize,
    /// True if there are no others.
    pub is_exact: bool,
}

/// Counts the solutions of the position up to `most` and one more. On large boards the count may end earlier, so that it does not take
/// long.
pub fn count(geometry: &Geometry, state: &State, most: usize) -> Count {
    let few = solutions(geometry, state, 2.min(most + 1)).len();
    if few < 2 || most < 2 {
        return Count { number: few, is_exact: few <= most };
    }
    let mut search = Search::new(geometry, most + 1, COUNTED.saturating_mul(most + 1));
    let is_finished = search.run(masks(geometry, state));
    let number = search.found.len().max(few);
    Count { number, is_exact: is_finished && number <= most }
}

/// Guesses for each solution that is counted.
const COUNTED: usize = 20;

/// Returns for each cell the digit that it has in all solutions, or `None` if there is no solution.
pub fn shared_digits(geometry: &Geometry, state: &State) -> Option<Vec<Option<Digit>>> {
    let mut shared: Vec<Option<Digit>> = solutions(geometry, state, 1).pop()?.into_iter().map(Some).collect();
    let keep_equal = |shared: &mut Vec<Option<Digit>>, other: Vec<Digit>| {
        shared.iter_mut().zip(other).for_each(|(here, digit)| *here = here.filter(|known| *known == digit));
    };
    for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
        let Some(digit) = shared[cell.index()] else { continue };
        let mut without = state.clone();
        without.eliminate(Candidate::new(digit, cell));
        if let Some(other) = solutions(geometry, &without, 1).pop() {
            keep_equal(&mut shared, other);
        }
    }
    Some(shared)
}

/// Returns the clues that can be left out one at a time: the puzzle still has one solution. `None` if it has not one.
pub fn superfluous_clues(puzzle: &Puzzle) -> Option<Vec<Candidate>> {
    let is_unique = |puzzle: &Puzzle| matches!(uniqueness(&puzzle.geometry, &puzzle.state()), Uniqueness::One(_));
    let mut clues = Puzzle { placed: vec![None; puzzle.placed.len()], ..puzzle.clone() };
    if !puzzle.lists_only {
        clues.candidates = puzzle.open.clone();
        clues.lists_only = puzzle.open.is_some();
    }
    if !is_unique(&clues) {
        return None;
    }
    // Candidate lists hold what their clues took away.
    let given = puzzle.geometry.cells().filter(|_| clues.candidates.is_none());
    let given = given.filter_map(|cell| clues.givens[cell.index()].map(|digit| Candidate::new(digit, cell)));
    let is_superfluous = |clue: &Candidate| {
        let mut without = clues.clone();
        without.givens[clue.cell.index()] = None;
        is_unique(&without)
    };
    Some(given.filter(is_superfluous).collect())
}

/// Returns the candidates of each cell as bits, a solved cell with its digit alone.
fn masks(geometry: &Geometry, state: &State) -> Vec<u32> {
    geometry.cells().map(|cell| state.value(cell).map_or(state.candidates(cell).0, |digit| 1 << digit.0)).collect()
}

/// Up to `at_most` solutions of the position, as digits row by row; the order is always the same.
pub fn solutions(geometry: &Geometry, state: &State, at_most: usize) -> Vec<Vec<Digit>> {
    let cells = masks(geometry, state);
    let mut search = Search::new(geometry, at_most, budget(geometry).saturating_mul(at_most));
    let mut found = if search.run(cells.clone()) { search.found } else { sat::solve(geometry, &cells, at_most) };
    found.truncate(at_most);
    found.into_iter().map(|cells| cells.into_iter().map(|mask| Digit(mask.trailing_zeros() as u8)).collect()).collect()
}
