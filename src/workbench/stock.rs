//! Positions on which rules are tried before they are proved. In: a board. Out: positions, each with its solution.
//!
//! A rule that is wrong in chains, almost locked sets or suppositions only is often wrong on the first rich position that it meets, where a
//! SAT solver would search for minutes. The common board has twenty positions of hard puzzles; on other boards clues of solved grids are
//! taken by chance, the same in every run.

use super::generate;
use crate::grid::formats::read_many;
use crate::grid::{Digit, Geometry, State};
use crate::proof::{Uniqueness, solutions, uniqueness};
use fastrand::Rng;

/// Positions of the common board.
const COMMON: &str = include_str!("stock.txt");

/// Boards above this size get no positions: their solved grids take too long to make.
const LARGEST: usize = 10;
/// Solved grids for a board without positions of its own, and positions made of each.
const GRIDS: usize = 2;
const POSITIONS_OF_A_GRID: usize = 8;
const SEED: u64 = 9;

/// Positions for a board with the solution of each. If `unique`, only those of puzzles with one solution.
pub fn positions(geometry: &Geometry, unique: bool, halt: &dyn Fn() -> bool) -> Vec<(State, Vec<Digit>)> {
    match Geometry::standard(9) {
        Some(common) if common.spec() == geometry.spec() => common_positions(geometry),
        _ if geometry.size() > LARGEST => Vec::new(),
        _ => made(geometry, unique, halt),
    }
}

fn common_positions(geometry: &Geometry) -> Vec<(State, Vec<Digit>)> {
    let states = read_many(COMMON, None).into_iter().filter_map(Result::ok).map(|puzzle| puzzle.state());
    states.filter_map(|state| Some((solutions(geometry, &state, 1).pop()?, state))).map(|(a, b)| (b, a)).collect()
}

/// Clues of solved grids, from a quarter of the cells to more than half of them.
fn made(geometry: &Geometry, unique: bool, halt: &dyn Fn() -> bool) -> Vec<(State, Vec<Digit>)> {
    let mut chance = Rng::with_seed(SEED);
    let mut out = Vec::new();
    for _ in 0..GRIDS {
        let Some(solution) = generate::solved(geometry, &mut chance, halt) else { break };
        for number in 0..POSITIONS_OF_A_GRID {
            let kept = 25 + 5 * number;
            let givens: Vec<Option<Digit>> =
                solution.iter().map(|&digit| (chance.usize(..100) < kept).then_some(digit)).collect();
            let state = generate::state(geometry, &givens);
            if !unique || matches!(uniqueness(geometry, &state), Uniqueness::One(_)) {
                out.push((state, solution.clone()));
            }
        }
    }
    out
}
