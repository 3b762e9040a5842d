//! A solver with rules of its own: the built-in rulebook and what lies in `rules/`.

use pinion::engine::Limits;
use pinion::grid::formats::Puzzle;
use pinion::solve::{Profile, Rulebook, Solver};

/// The rules at hand.
pub fn rules() -> Rulebook {
    let own = [("two_cells.pinion".to_string(), include_str!("../rules/two_cells.pinion").to_string())];
    Rulebook::embedded().with(own)
}

/// A solver for the board of a puzzle.
pub fn solver_for(puzzle: &Puzzle) -> Solver {
    Solver::new(&rules(), &puzzle.geometry, &Profile::default(), Limits::default())
}
