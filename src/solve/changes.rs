//! When candidates went. In: the state that a way begins with, then what is done. Out: for each candidate the number of the change
//! that took it: an expression of a profile may ask for it ([`Expr::Since`](crate::lang::ir::Expr::Since)).
//!
//! A digit that is put takes it from the cells that see it, in their order, then the other digits of its cell.

use crate::engine::Match;
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};

/// When candidates went, counted change by change.
pub(super) struct Changes<'g> {
    geometry: &'g Geometry,
    now: u32,
    /// For each candidate (cell × size + digit) the number of the change that took it; 0 if it is there.
    at: Vec<u32>,
}

impl<'g> Changes<'g> {
    /// As if the digits had been written one by one into an empty board, and then the other candidates that lack been taken.
    pub fn new(geometry: &'g Geometry, state: &State) -> Changes<'g> {
        let at = vec![0; geometry.cell_count() * geometry.size()];
        let mut changes = Changes { geometry, now: 0, at };
        for cell in geometry.cells() {
            if let Some(digit) = state.value(cell) {
                changes.put(cell, digit);
            }
        }
        for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
            let gone = DigitSet::all(geometry.size()) - state.candidates(cell);
            gone.iter().for_each(|digit| changes.take(Candidate::new(digit, cell)));
        }
        changes
    }

    /// For each candidate (cell × size + digit) when it went.
    pub fn list(&self) -> &[u32] {
        &self.at
    }

    /// What a match shows is done.
    pub fn note(&mut self, found: &Match) {
        found.eliminations.iter().for_each(|&one| self.take(one));
        found.placements.iter().for_each(|one| self.put(one.cell, one.digit));
    }

    /// A candidate goes.
    fn take(&mut self, one: Candidate) {
        let at = &mut self.at[one.cell.index() * self.geometry.size() + one.digit.index()];
        if *at == 0 {
            self.now += 1;
            *at = self.now;
        }
    }

    /// A digit is put into a cell.
    fn put(&mut self, cell: Cell, digit: Digit) {
        for &peer in self.geometry.peers(cell) {
            self.take(Candidate::new(digit, peer));
        }
        let others = DigitSet::all(self.geometry.size()) - DigitSet::single(digit);
        others.iter().for_each(|other| self.take(Candidate::new(other, cell)));
    }
}
