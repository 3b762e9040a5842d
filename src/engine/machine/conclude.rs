//! What follows. In: nouns (digits × cells) from the conclusions of a match. Out: candidates that become
//! false and candidates that become true, only those still open in the state.

use super::super::facts::{DIGITS, Facts};
use super::super::tables::Tables;
use crate::grid::{Bits, Candidate, Cell, Digit, DigitSet};

/// Conclusions gathered for one match.
pub(super) struct Conclusions<const W: usize> {
    out: [Bits<W>; DIGITS],
    placed: [Bits<W>; DIGITS],
}

impl<const W: usize> Conclusions<W> {
    pub fn new() -> Self {
        Conclusions { out: [Bits::EMPTY; DIGITS], placed: [Bits::EMPTY; DIGITS] }
    }

    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// The candidates of the nouns are false.
    pub fn eliminate(&mut self, facts: &Facts<'_, W>, nouns: &[(DigitSet, Bits<W>)]) {
        for (digits, cells) in nouns {
            for digit in digits.iter() {
                self.out[digit.index()] |= facts.places[digit.index()] & *cells;
            }
        }
    }

    /// The candidates of the nouns are true.
    pub fn place(&mut self, facts: &Facts<'_, W>, nouns: &[(DigitSet, Bits<W>)]) {
        for (digits, cells) in nouns {
            for digit in digits.iter() {
                self.placed[digit.index()] |= facts.places[digit.index()] & *cells;
            }
        }
    }

    /// At least one candidate of the nouns is true: what each of them excludes is false; one alone is true.
    pub fn some(&mut self, tables: &Tables<W>, facts: &Facts<'_, W>, nouns: &[(DigitSet, Bits<W>)]) {
        let mut members = [Bits::EMPTY; DIGITS];
        let mut digits = DigitSet::EMPTY;
        for (wanted, cells) in nouns {
            for digit in wanted.iter() {
                members[digit.index()] |= facts.places[digit.index()] & *cells;
                if !members[digit.index()].is_empty() {
                    digits.insert(digit);
                }
            }
        }
        let count: usize = digits.iter().map(|digit| members[digit.index()].len()).sum();
        match (count, digits.len()) {
            (0, _) => {}
            (1, _) => {
                digits.iter().for_each(|digit| self.placed[digit.index()] |= members[digit.index()]);
            }
            (_, 1) => {
                if let Some(digit) = digits.first() {
                    let seen = tables.seeing_every(&members[digit.index()]);
                    self.out[digit.index()] |= facts.places[digit.index()] & seen;
                }
            }
            _ => self.mixed(tables, facts, &members, digits),
        }
    }

    /// Candidates of several digits: a candidate is excluded by one of another digit only in its own cell.
    fn mixed(&mut self, tables: &Tables<W>, facts: &Facts<'_, W>, members: &[Bits<W>; DIGITS], digits: DigitSet) {
        for target in 0..tables.size {
            let mut excluded = facts.places[target];
            for digit in digits.iter() {
                let cells = &members[digit.index()];
                excluded &= match digit.index() == target {
                    true => tables.seeing_every(cells),
                    false if cells.len() == 1 => *cells,
                    false => Bits::EMPTY,
                };
            }
            self.out[target] |= excluded;
        }
    }

    /// Whether anything changes.
    pub fn has_effect(&self) -> bool {
        self.out.iter().chain(&self.placed).any(|cells| !cells.is_empty())
    }

    /// Eliminations and placements in order of cell, then digit. What a placement implies is not listed.
    pub fn lists(&self, tables: &Tables<W>) -> (Vec<Candidate>, Vec<Candidate>) {
        let placements = sorted(&self.placed);
        let mut out = self.out;
        for placed in &placements {
            out.iter_mut().for_each(|cells| cells.remove(placed.cell.index()));
            out[placed.digit.index()] -= tables.peers[placed.cell.index()];
        }
        (sorted(&out), placements)
    }
}

fn sorted<const W: usize>(by_digit: &[Bits<W>; DIGITS]) -> Vec<Candidate> {
    let mut list: Vec<Candidate> = (0..DIGITS)
        .flat_map(|digit| by_digit[digit].iter().map(move |cell| Candidate::new(Digit(digit as u8), Cell(cell as u16))))
        .collect();
    list.sort();
    list
}
