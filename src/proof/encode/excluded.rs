//! What candidates exclude. In: a set of candidates. Out: the candidates that are false if each one, or some one, of
//! these is true, and what is so of sets of which not every member is in the world.

use super::value::{Candidates, Truth};
use super::{Encoder, Refusal};
use crate::lang::ir::Expr;
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// `candidates excluded by every K`, `candidates excluded by some K`.
    ///
    /// Where some member of K is true, what every member excludes is false; where all are true, what some member
    /// excludes is. This needs no knowledge of which members there are.
    pub(super) fn excluded_by(&mut self, every: bool, of: &Expr) -> Result<Candidates, Refusal> {
        let of = self.candidates(of)?;
        let digits = self.digits();
        let hits = if every { self.hit_by_every(&of) } else { self.hit_by_some(&of) };
        let here = self.circuit.or(of.bits.iter().copied());
        let outside = self.circuit.or(of.rest.iter().copied());
        let mut bits = Vec::with_capacity(hits.len());
        for (at, hit) in hits.into_iter().enumerate() {
            let (must, may) = if every {
                let some = self.circuit.or2(here, outside);
                (self.circuit.and([hit, here, !outside]), self.circuit.and2(hit, some))
            } else {
                (hit, self.circuit.or2(hit, outside))
            };
            let is = self.circuit.between(must, may);
            bits.push(self.circuit.and2(is, self.world.cells[at / digits].candidate[at % digits]));
        }
        let rest = (0..digits).map(|_| self.beyond()).collect();
        let true_here = self.true_here(&of);
        let none = if every { self.circuit.or2(of.truth.some, true_here) } else { of.truth.all };
        Ok(self.settled(Candidates { bits, rest, truth: Truth { none, ..Truth::OPEN } }))
    }

    /// Whether a member in the world is true.
    pub(super) fn true_here(&mut self, of: &Candidates) -> Lit {
        let digits = self.digits();
        let mut ways = Vec::new();
        for (at, &member) in of.bits.iter().enumerate().filter(|(_, member)| **member != Lit::FALSE) {
            ways.push(self.circuit.and2(member, self.world.cells[at / digits].solution[at % digits]));
        }
        self.circuit.or(ways)
    }

    /// Says of the members what is known of the truth of all of them. Candidates that are both true and false are none.
    pub(super) fn settled(&mut self, of: Candidates) -> Candidates {
        let digits = self.digits();
        let Truth { all, none, some } = of.truth;
        for (at, &member) in of.bits.iter().enumerate().filter(|(_, member)| **member != Lit::FALSE) {
            let is_true = self.world.cells[at / digits].solution[at % digits];
            self.circuit.clause(&[!member, !all, is_true]);
            self.circuit.clause(&[!member, !none, !is_true]);
        }
        for &outside in &of.rest {
            self.circuit.clause(&[!outside, !all, !none]);
        }
        self.circuit.clause(&[!none, !some]);
        of
    }

    /// For each candidate whether every member in the world excludes it.
    fn hit_by_every(&mut self, of: &Candidates) -> Vec<Lit> {
        let (count, digits) = (self.world.count(), self.digits());
        let mut out = vec![Lit::FALSE; count * digits];
        for digit in 0..digits {
            // A member of another digit excludes only what is in its own cell.
            let mut others = Vec::with_capacity(count);
            for cell in of.bits.chunks(digits) {
                others.push(self.circuit.or((0..digits).filter(|&other| other != digit).map(|other| cell[other])));
            }
            let elsewhere = self.without_each(&others);
            for cell in 0..count {
                let mut misses = vec![elsewhere[cell], of.bits[cell * digits + digit]];
                for other in (0..count).filter(|&other| other != cell) {
                    let sees = self.world.sees(cell, other);
                    misses.push(self.circuit.and2(of.bits[other * digits + digit], !sees));
                }
                out[cell * digits + digit] = !self.circuit.or(misses);
            }
        }
        out
    }

    /// For each place whether one of the others holds.
    fn without_each(&mut self, of: &[Lit]) -> Vec<Lit> {
        let mut after = vec![Lit::FALSE; of.len() + 1];
        for at in (0..of.len()).rev() {
            after[at] = self.circuit.or2(after[at + 1], of[at]);
        }
        let (mut before, mut out) = (Lit::FALSE, Vec::with_capacity(of.len()));
        for at in 0..of.len() {
            out.push(self.circuit.or2(before, after[at + 1]));
            before = self.circuit.or2(before, of[at]);
        }
        out
    }

    /// For each candidate whether some member in the world excludes it.
    fn hit_by_some(&mut self, of: &Candidates) -> Vec<Lit> {
        let (count, digits) = (self.world.count(), self.digits());
        let mut out = Vec::with_capacity(count * digits);
        for cell in 0..count {
            for digit in 0..digits {
                let own = (0..digits).filter(|&other| other != digit).map(|other| of.bits[cell * digits + other]);
                let mut ways: Vec<Lit> = own.collect();
                for other in (0..count).filter(|&other| other != cell) {
                    let sees = self.world.sees(cell, other);
                    ways.push(self.circuit.and2(of.bits[other * digits + digit], sees));
                }
                out.push(self.circuit.or(ways));
            }
        }
        out
    }
}
