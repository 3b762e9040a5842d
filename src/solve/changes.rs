//! Times of eliminations. In: the first state of a path, then its matches. Out: for each candidate the number of the change that eliminated
//! it, for expressions of a profile ([`Measure::Since`](crate::lang::ir::Measure::Since)).
//!
//! A placement eliminates its digit from the cells that see it, in their order, then the other digits of its cell.

use crate::engine::Match;
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};

/// Times of eliminations, counted change by change.
pub(super) struct Changes<'g> {
    geometry: &'g Geometry,
    now: u32,
    /// For each candidate (cell × size + digit) the number of the change that eliminated it; 0 if it is present.
    at: Vec<u32>,
}

impl<'g> Changes<'g> {
    /// Counts the changes that lead from an empty board to a state: placements cell by cell, then the other missing candidates.
    pub fn new(geometry: &'g Geometry, state: &State) -> Changes<'g> {
        let at = vec![0; geometry.cell_count() * geometry.size()];
        let mut changes = Changes { geometry, now: 0, at };
        for cell in geometry.cells() {
            if let Some(digit) = state.value(cell) {
                changes.place(cell, digit);
            }
        }
        for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
            let missing = DigitSet::all(geometry.size()) - state.candidates(cell);
            missing.iter().for_each(|digit| changes.eliminate(Candidate::new(digit, cell)));
        }
        changes
    }

    /// Returns the times by candidate (cell × size + digit).
    pub fn times(&self) -> &[u32] {
        &self.at
    }

    /// Counts the eliminations and placements of a match.
    pub fn add(&mut self, found: &Match) {
        found.eliminations.iter().for_each(|&one| self.eliminate(one));
        found.placements.iter().for_each(|one| self.place(one.cell, one.digit));
    }

    fn eliminate(&mut self, one: Candidate) {
        let at = &mut self.at[one.cell.index() * self.geometry.size() + one.digit.index()];
        if *at == 0 {
            self.now += 1;
            *at = self.now;
        }
    }

    fn place(&mut self, cell: Cell, digit: Digit) {
        for &peer in self.geometry.peers(cell) {
            self.eliminate(Candidate::new(digit, peer));
        }
        let others = DigitSet::all(self.geometry.size()) - DigitSet::single(digit);
        others.iter().for_each(|other| self.eliminate(Candidate::new(other, cell)));
    }
}
