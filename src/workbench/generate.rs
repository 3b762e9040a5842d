//! Grids made by chance. In: a board, a source of chance. Out: solved grids; puzzles with one solution, from which no clue can be taken;
//! positions to try a rule on. Equal seeds give equal results.

use crate::grid::formats::read_many;
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
            state.set_initial_candidates(cell, DigitSet::single(digit));
        }
    }
    state
}

/// Random candidates for every cell: in some cells only the solution, in the others some wrong candidates as well.
pub(super) fn position(geometry: &Geometry, solution: &[Digit], chance: &mut Rng) -> Vec<(DigitSet, bool)> {
    let (solved, kept) = (chance.usize(1..9), chance.usize(1..6));
    let mut cells = Vec::new();
    for cell in geometry.cells() {
        let truth = solution[cell.index()];
        let is_solved = chance.usize(..10) < solved;
        let all = DigitSet::all(geometry.size()).iter();
        let listed = all.filter(|&digit| digit == truth || chance.usize(..10) < kept).collect();
        cells.push(if is_solved { (DigitSet::single(truth), true) } else { (listed, false) });
    }
    cells
}

/// Positions of the common board.
const COMMON: &str = include_str!("stock.txt");

/// Boards above this size get no positions: their solved grids take too long to make.
const LARGEST: usize = 10;
/// Solved grids for a board without positions of its own, and positions made of each.
const GRIDS: usize = 2;
const POSITIONS_OF_A_GRID: usize = 8;
const STOCK_SEED: u64 = 9;

/// Positions for a board, each with its solution. If `unique`, only positions of puzzles with one solution.
pub fn positions(geometry: &Geometry, unique: bool, halt: &dyn Fn() -> bool) -> Vec<(State, Vec<Digit>)> {
    match Geometry::standard(9) {
        Some(common) if common.spec() == geometry.spec() => common_positions(geometry),
        _ if geometry.size() > LARGEST => Vec::new(),
        _ => made(geometry, unique, halt),
    }
}

fn common_positions(geometry: &Geometry) -> Vec<(State, Vec<Digit>)> {
    let states = read_many(COMMON, None).into_iter().filter_map(Result::ok).map(|puzzle| puzzle.state());
    let solved = states.filter_map(|state| Some((solutions(geometry, &state, 1).pop()?, state)));
    solved.map(|(solution, state)| (state, solution)).collect()
}

/// Clues of solved grids, from a quarter of the cells to more than half of them.
fn made(geometry: &Geometry, unique: bool, halt: &dyn Fn() -> bool) -> Vec<(State, Vec<Digit>)> {
    let mut chance = Rng::with_seed(STOCK_SEED);
    let mut out = Vec::new();
    for _ in 0..GRIDS {
        let Some(solution) = solved(geometry, &mut chance, halt) else { break };
        for number in 0..POSITIONS_OF_A_GRID {
            let kept = 25 + 5 * number;
            let givens: Vec<Option<Digit>> =
                solution.iter().map(|&digit| (chance.usize(..100) < kept).then_some(digit)).collect();
            let state = state(geometry, &givens);
            if !unique || matches!(uniqueness(geometry, &state), Uniqueness::One(_)) {
                out.push((state, solution.clone()));
            }
        }
    }
    out
}
