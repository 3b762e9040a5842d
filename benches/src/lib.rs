//! Input of the benchmarks: puzzles and a solver.

use pinion::engine::Limits;
use pinion::grid::Geometry;
use pinion::solve::{Profile, Rulebook, Solver};
use std::sync::Arc;

/// Puzzles from easy to hard, each with one solution.
pub const PUZZLES: [&str; 4] = [
    "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5",
    ".1..7.69.4.6.9..1.5.9.2...87....9....9..3..8....8....41...6.8.9.8..4.7.5.67.8..4.",
    "..8..5..6.3.......6.2.4.5.7...384.59..65..2.39..7...4...4.5.8.....2.8...8.946....",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
];

/// Returns a solver with the rulebook for 9×9.
pub fn solver() -> Solver {
    let geometry = Arc::new(Geometry::standard(9).expect("a standard size"));
    Solver::new(&Rulebook::embedded(), &geometry, &Profile::default(), Limits::default())
}
