//! What is asked of a technique that does not match. In: a position, a technique, what its match should be about and show.
//! Out: whether a match is an answer, and how far a search for one goes.

use super::subject::Seen;
use crate::engine::{Halt, Limits, MemberId};
use crate::grid::{Candidate, Cell, Geometry, State, notation};
use crate::lang::ir::Technique;
use crate::solve::Rulebook;
use std::sync::Arc;

/// Machine instructions and matches of one search.
const LIMITS: (u64, usize) = (3_000_000, 5_000);

/// What is asked.
pub struct Asked<'a> {
    /// Where the rule is from, and what it uses.
    pub rulebook: &'a Rulebook,
    /// The board.
    pub geometry: &'a Arc<Geometry>,
    /// The position.
    pub state: &'a State,
    /// The rule.
    pub technique: &'a Technique,
    /// Which of its members.
    pub members: &'a [MemberId],
    /// Cells that the match should be about.
    pub on: &'a [Cell],
    /// What it should eliminate.
    pub eliminate: &'a [Candidate],
    /// What it should place.
    pub place: &'a [Candidate],
    /// How many near misses are wanted.
    pub most: usize,
    /// Returns true once it is time to stop: asked between two searches, and while one is put into words.
    pub enough: &'a dyn Fn() -> bool,
    /// Flags that end a search.
    pub halt: Halt,
}

/// How far one search goes.
pub(super) fn limits(asked: &Asked<'_>) -> Limits {
    Limits { instructions: LIMITS.0, matches: LIMITS.1, halt: asked.halt, ..Limits::default() }
}

/// What a match shows, as text.
pub(super) fn shows(geometry: &Geometry, seen: &Seen) -> String {
    notation::deductions(geometry, &seen.found.eliminations, &seen.found.placements)
}

/// Whether a match is about the cells and shows the deductions that were asked for.
pub(super) fn fits(asked: &Asked<'_>, seen: &Seen, has_effect: bool) -> bool {
    let shown = |wanted: &[Candidate], list: &[Candidate]| wanted.iter().all(|one| list.contains(one));
    let none = asked.eliminate.is_empty() && asked.place.is_empty();
    let effect = shown(asked.eliminate, &seen.found.eliminations) && shown(asked.place, &seen.found.placements);
    about(asked, seen) && (none || has_effect && effect)
}

/// Whether a match is about the cells that were asked for.
pub(super) fn about(asked: &Asked<'_>, seen: &Seen) -> bool {
    let cited = |cell: &Cell| seen.step.cites.cells.iter().any(|(known, _)| known == cell);
    asked.on.iter().all(cited)
}
