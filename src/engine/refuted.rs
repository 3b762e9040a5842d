//! Candidates that come to a contradiction by almost locked sets and houses. In: a state and the aim of a search. Out:
//! whether there are any among those whose elimination counts.
//!
//! A candidate is supposed, and what follows is worked out to the end: an almost locked set that lacks a digit has all its
//! others, a house has each digit in one of the places that are left, and what all these places exclude is false. A
//! set that lacks two digits, and a house without a place for one, are contradictions. A rule whose matches each say why
//! a candidate cannot be true in these words finds nothing where there is none; which rules are such is worked out of
//! their text (`engine/plan/refuting`). Soundness is not asked for here: what follows too easily only costs a search.

use super::aim::Aimed;
use super::facts::{DIGITS, Facts};
use super::locked::LockedSets;
use super::rows;
use super::tables::Tables;
use crate::grid::{Bits, Digit, HouseSet};

/// Whether something that counts comes to a contradiction; sets are the almost locked ones of the state.
pub(super) fn some<const W: usize>(
    tables: &Tables<W>,
    facts: &Facts<'_, W>,
    aimed: &Aimed<'_, W>,
    sets: &LockedSets<W>,
) -> bool {
    // A placement counts where another candidate of its cell does: it is excluded.
    if !aimed.put.cells().within(&aimed.gone.cells()) {
        return true;
    }
    let words = rows::words_for(sets.sets.len());
    let empty = || vec![0; words];
    let mut run = Run {
        tables,
        facts,
        sets,
        dead: [Bits::EMPTY; DIGITS],
        gone_on: [Bits::EMPTY; DIGITS],
        lacking: empty(),
        row: empty(),
        changed: 0,
    };
    let mut targets = aimed.gone;
    while let Some(number) = targets.pop(tables.cell_count) {
        if run.refutes(number % tables.cell_count, number / tables.cell_count) {
            return true;
        }
    }
    false
}

struct Run<'r, 's, const W: usize> {
    tables: &'r Tables<W>,
    facts: &'r Facts<'s, W>,
    sets: &'r LockedSets<W>,
    /// For each digit where it is false.
    dead: [Bits<W>; DIGITS],
    /// The same when this was last gone on from.
    gone_on: [Bits<W>; DIGITS],
    /// The sets that lack a digit.
    lacking: Vec<u64>,
    row: Vec<u64>,
    /// The digits that are false somewhere since, a bit each.
    changed: u32,
}

impl<const W: usize> Run<'_, '_, W> {
    fn refutes(&mut self, cell: usize, digit: usize) -> bool {
        self.dead = [Bits::EMPTY; DIGITS];
        self.gone_on = [Bits::EMPTY; DIGITS];
        self.lacking.fill(0);
        self.changed = 0;
        self.hold(digit, &Bits::single(cell));
        while self.changed != 0 {
            let digit = self.changed.trailing_zeros() as usize;
            self.changed &= self.changed - 1;
            let new = self.dead[digit] - self.gone_on[digit];
            self.gone_on[digit] = self.dead[digit];
            if !self.houses(digit, &new) || !self.locked(digit, &new) {
                return true;
            }
        }
        false
    }

    /// One of these cells has the digit.
    fn hold(&mut self, digit: usize, cells: &Bits<W>) {
        self.kill(digit, self.tables.seeing_every(cells));
        if let Some(cell) = cells.first().filter(|_| cells.is_one()) {
            for other in self.facts.candidates[cell].iter().map(Digit::index).filter(|&other| other != digit) {
                self.kill(other, Bits::single(cell));
            }
        }
    }

    fn kill(&mut self, digit: usize, cells: Bits<W>) {
        let cells = cells & self.facts.places[digit];
        if !cells.within(&self.dead[digit]) {
            self.dead[digit] |= cells;
            self.changed |= 1 << digit;
        }
    }

    /// What houses say where a digit is false in these cells; `false` is a contradiction.
    fn houses(&mut self, digit: usize, new: &Bits<W>) -> bool {
        let through = new.iter().fold(HouseSet::EMPTY, |all, cell| all | self.tables.houses_of[cell]);
        for house in through.iter() {
            let left = (self.facts.places[digit] & self.tables.house[house]) - self.dead[digit];
            if left.is_empty() {
                return false;
            }
            self.hold(digit, &left);
        }
        true
    }

    /// What sets say.
    fn locked(&mut self, digit: usize, new: &Bits<W>) -> bool {
        let mut row = std::mem::take(&mut self.row);
        self.sets.lacking(digit, new, &self.gone_on[digit], &mut row);
        let stands = rows::bits(&row).all(|number| self.lacks(number, digit));
        self.row = row;
        stands
    }

    /// A set lacks a digit.
    fn lacks(&mut self, number: usize, digit: usize) -> bool {
        if rows::has(&self.lacking, number) {
            return false;
        }
        rows::set(&mut self.lacking, number);
        let set = &self.sets.sets[number];
        for other in set.digits.iter().map(Digit::index).filter(|&other| other != digit) {
            let Some(mark) = self.sets.mark(set, other) else { continue };
            let left = mark.places - self.dead[other];
            if left.is_empty() {
                return false;
            }
            self.hold(other, &left);
        }
        true
    }
}
