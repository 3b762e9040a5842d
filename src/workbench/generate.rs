//! Generates random grids. In: a board, a random number generator. Out: solved grids; puzzles with a unique solution and without redundant
//! clues; positions on which rules are tried. Equal seeds give equal results.

use crate::grid::formats::read_many;
use crate::grid::{Cell, Digit, DigitSet, Geometry, State};
use crate::proof::{Uniqueness, solutions, uniqueness};
use fastrand::Rng;

/// Generates a solved grid; `None` if the board has none or `halt` cancelled the search.
pub fn solved_grid(geometry: &Geometry, random: &mut Rng, halt: &dyn Fn() -> bool) -> Option<Vec<Digit>> {
    let mut state = State::empty(geometry);
    // Random digits in a few cells. The other cells get the digits of the first solution with these digits.
    let mut cells: Vec<Cell> = geometry.cells().collect();
    random.shuffle(&mut cells);
    for &cell in cells.iter().take(geometry.size() * 3 / 2) {
        let candidates: Vec<Digit> = state.candidates(cell).iter().collect();
        let Some(&digit) = candidates.get(random.usize(..candidates.len().max(1))) else { continue };
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
pub fn puzzle(geometry: &Geometry, random: &mut Rng, halt: &dyn Fn() -> bool) -> Option<Vec<Option<Digit>>> {
    let full = solved_grid(geometry, random, halt)?;
    let mut givens: Vec<Option<Digit>> = full.into_iter().map(Some).collect();
    let mut cells: Vec<usize> = (0..givens.len()).collect();
    random.shuffle(&mut cells);
    for cell in cells {
        if halt() {
            return None;
        }
        let removed = givens[cell].take();
        if !matches!(uniqueness(geometry, &state(geometry, &givens)), Uniqueness::One(_)) {
            givens[cell] = removed;
        }
    }
    Some(givens)
}

/// Returns the starting position of a puzzle, from the given of each cell.
pub fn state(geometry: &Geometry, givens: &[Option<Digit>]) -> State {
    let mut state = State::empty(geometry);
    for (cell, given) in geometry.cells().zip(givens) {
        if let Some(digit) = *given {
            state.place(geometry, cell, digit);
            state.set_initial_candidates(cell, DigitSet::single(digit));
        }
    }
    state
}

/// Returns random candidates for every cell: the digit of the solution and, in unsolved cells, some false candidates. `true` marks a solved
/// cell.
pub(super) fn random_candidates(geometry: &Geometry, solution: &[Digit], random: &mut Rng) -> Vec<(DigitSet, bool)> {
    // Probabilities in tenths.
    let solved_cells = random.usize(1..9);
    let false_candidates = random.usize(1..6);
    let mut cells = Vec::new();
    for cell in geometry.cells() {
        let truth = solution[cell.index()];
        let is_solved = random.usize(..10) < solved_cells;
        let digits = DigitSet::all(geometry.size()).iter();
        let candidates = digits.filter(|&digit| digit == truth || random.usize(..10) < false_candidates).collect();
        cells.push(if is_solved { (DigitSet::single(truth), true) } else { (candidates, false) });
    }
    cells
}

/// Stored positions of the standard 9×9 board.
const STANDARD_POSITIONS: &str = include_str!("stock.txt");

/// Larger boards get no positions, because generating their solved grids takes too long.
const LARGEST_SIZE: usize = 10;
const GRIDS: usize = 2;
const POSITIONS_PER_GRID: usize = 8;
const SEED: u64 = 9;

/// Returns positions of a board with their solutions. If `unique`, returns only positions with a unique solution.
pub fn positions(geometry: &Geometry, unique: bool, halt: &dyn Fn() -> bool) -> Vec<(State, Vec<Digit>)> {
    match Geometry::standard(9) {
        Some(standard) if standard.spec() == geometry.spec() => standard_positions(geometry),
        _ if geometry.size() > LARGEST_SIZE => Vec::new(),
        _ => generated_positions(geometry, unique, halt),
    }
}

fn standard_positions(geometry: &Geometry) -> Vec<(State, Vec<Digit>)> {
    let mut positions = Vec::new();
    for puzzle in read_many(STANDARD_POSITIONS, None).into_iter().filter_map(Result::ok) {
        let state = puzzle.state();
        if let Some(solution) = solutions(geometry, &state, 1).pop() {
            positions.push((state, solution));
        }
    }
    positions
}

/// Keeps random cells of generated grids as givens: from 25 to 60 percent of the cells.
fn generated_positions(geometry: &Geometry, unique: bool, halt: &dyn Fn() -> bool) -> Vec<(State, Vec<Digit>)> {
    let mut random = Rng::with_seed(SEED);
    let mut positions = Vec::new();
    for _ in 0..GRIDS {
        let Some(solution) = solved_grid(geometry, &mut random, halt) else { break };
        for number in 0..POSITIONS_PER_GRID {
            let percent_given = 25 + 5 * number;
            let givens = solution.iter().map(|&digit| (random.usize(..100) < percent_given).then_some(digit));
            let givens: Vec<Option<Digit>> = givens.collect();
            let state = state(geometry, &givens);
            if !unique || matches!(uniqueness(geometry, &state), Uniqueness::One(_)) {
                positions.push((state, solution.clone()));
            }
        }
    }
    positions
}
