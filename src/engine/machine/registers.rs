//! The registers of a running program. In: register counts. Out: typed storage with set operations over
//! registers of one type.

use super::super::plan::{Program, Set, SetOp, SetTest};
use super::super::tables::marks::Marks;
use crate::grid::{Bits, DigitSet, HouseSet};

/// Storage for one program.
#[derive(Default)]
pub(super) struct Registers<const W: usize> {
    pub cells: Vec<Bits<W>>,
    pub digits: Vec<DigitSet>,
    pub houses: Vec<HouseSet>,
    pub candidates: Vec<Marks<W>>,
    pub numbers: Vec<i32>,
    pub values: Vec<u16>,
    /// Cells of the board, for the numbers of candidates.
    pub cell_count: usize,
}

impl<const W: usize> Registers<W> {
    pub fn new(program: &Program, cell_count: usize) -> Self {
        let counts = program.registers;
        Registers {
            cells: vec![Bits::EMPTY; counts.cells.into()],
            digits: vec![DigitSet::EMPTY; counts.digits.into()],
            houses: vec![HouseSet::EMPTY; counts.houses.into()],
            candidates: vec![Marks::EMPTY; counts.candidates.into()],
            cell_count,
            numbers: vec![0; counts.numbers.into()],
            values: vec![0; counts.values.into()],
        }
    }

    #[inline]
    pub fn c(&self, reg: u16) -> &Bits<W> {
        &self.cells[usize::from(reg)]
    }

    #[inline]
    pub fn d(&self, reg: u16) -> DigitSet {
        self.digits[usize::from(reg)]
    }

    #[inline]
    pub fn h(&self, reg: u16) -> &HouseSet {
        &self.houses[usize::from(reg)]
    }

    #[inline]
    pub fn p(&self, reg: u16) -> &Marks<W> {
        &self.candidates[usize::from(reg)]
    }

    #[inline]
    pub fn n(&self, reg: u16) -> i32 {
        self.numbers[usize::from(reg)]
    }

    #[inline]
    pub fn v(&self, reg: u16) -> usize {
        usize::from(self.values[usize::from(reg)])
    }

    #[inline]
    pub fn op(&mut self, op: SetOp, to: Set, a: Set, b: Set) {
        match (to, a, b) {
            (Set::C(to), Set::C(a), Set::C(b)) => {
                let (a, b) = (*self.c(a), *self.c(b));
                self.cells[usize::from(to)] = match op {
                    SetOp::Or => a | b,
                    SetOp::And => a & b,
                    SetOp::Minus => a - b,
                };
            }
            (Set::D(to), Set::D(a), Set::D(b)) => {
                let (a, b) = (self.d(a), self.d(b));
                self.digits[usize::from(to)] = match op {
                    SetOp::Or => a | b,
                    SetOp::And => a & b,
                    SetOp::Minus => a - b,
                };
            }
            (Set::H(to), Set::H(a), Set::H(b)) => {
                let (a, b) = (*self.h(a), *self.h(b));
                self.houses[usize::from(to)] = match op {
                    SetOp::Or => a | b,
                    SetOp::And => a & b,
                    SetOp::Minus => a - b,
                };
            }
            (Set::P(to), Set::P(a), Set::P(b)) => {
                self.candidates[usize::from(to)] = self.p(a).zip(self.p(b), |a, b| match op {
                    SetOp::Or => a | b,
                    SetOp::And => a & b,
                    SetOp::Minus => a - b,
                });
            }
            // No plan has registers of different kinds here: `Instr::fits`.
            _ => {}
        }
    }

    pub fn test(&self, test: SetTest, a: Set, b: Set) -> bool {
        match (a, b) {
            (Set::C(a), Set::C(b)) => compare(test, self.c(a), self.c(b)),
            (Set::H(a), Set::H(b)) => compare(test, self.h(a), self.h(b)),
            (Set::D(a), Set::D(b)) => {
                let (a, b) = (self.d(a), self.d(b));
                match test {
                    SetTest::Within => !a.is_empty() && a.within(b),
                    SetTest::Equal => a == b,
                    SetTest::Disjoint => (a & b).is_empty(),
                }
            }
            (Set::P(a), Set::P(b)) => {
                let (a, b) = (self.p(a), self.p(b));
                match test {
                    SetTest::Within => !a.is_empty() && a.within(b),
                    SetTest::Equal => a == b,
                    SetTest::Disjoint => !a.meets(b),
                }
            }
            // As above.
            _ => false,
        }
    }

    #[inline]
    pub fn is_empty(&self, set: Set) -> bool {
        match set {
            Set::C(reg) => self.c(reg).is_empty(),
            Set::D(reg) => self.d(reg).is_empty(),
            Set::H(reg) => self.h(reg).is_empty(),
            Set::P(reg) => self.p(reg).is_empty(),
        }
    }

    #[inline]
    pub fn len(&self, set: Set) -> usize {
        match set {
            Set::C(reg) => self.c(reg).len(),
            Set::D(reg) => self.d(reg).len(),
            Set::H(reg) => self.h(reg).len(),
            Set::P(reg) => self.p(reg).len(),
        }
    }

    #[inline]
    pub fn copy(&mut self, from: Set, to: Set) {
        match (from, to) {
            (Set::C(from), Set::C(to)) => self.cells[usize::from(to)] = *self.c(from),
            (Set::D(from), Set::D(to)) => self.digits[usize::from(to)] = self.d(from),
            (Set::H(from), Set::H(to)) => self.houses[usize::from(to)] = *self.h(from),
            (Set::P(from), Set::P(to)) => self.candidates[usize::from(to)] = *self.p(from),
            // No plan has registers of different kinds here: `Instr::fits`.
            _ => {}
        }
    }

    /// Takes the smallest member out of a set, and makes a set of it alone.
    #[inline]
    pub fn next(&mut self, rest: Set, one: Set) -> Option<usize> {
        match (rest, one) {
            (Set::C(rest), Set::C(one)) => {
                let first = self.cells[usize::from(rest)].pop()?;
                self.cells[usize::from(one)] = Bits::single(first);
                Some(first)
            }
            (Set::D(rest), Set::D(one)) => {
                let rest = &mut self.digits[usize::from(rest)];
                let first = rest.first()?;
                rest.remove(first);
                self.digits[usize::from(one)] = DigitSet::single(first);
                Some(first.index())
            }
            (Set::H(rest), Set::H(one)) => {
                let first = self.houses[usize::from(rest)].pop()?;
                self.houses[usize::from(one)] = HouseSet::single(first);
                Some(first)
            }
            (Set::P(rest), Set::P(one)) => {
                let first = self.candidates[usize::from(rest)].pop(self.cell_count)?;
                self.set_candidate(one, first);
                Some(first)
            }
            // No plan has registers of different kinds here: `Instr::fits`.
            _ => None,
        }
    }

    /// Makes a set of one cell or house.
    #[inline]
    pub fn set_one(&mut self, set: Set, index: usize) {
        match set {
            Set::C(reg) => self.cells[usize::from(reg)] = Bits::single(index),
            Set::H(reg) => self.houses[usize::from(reg)] = HouseSet::single(index),
            // No column of a table is of another type.
            Set::D(_) | Set::P(_) => {}
        }
    }

    /// Large and seldom wanted, so it stands apart.
    #[cold]
    fn set_candidate(&mut self, reg: u16, index: usize) {
        self.candidates[usize::from(reg)] = Marks::single(index, self.cell_count);
    }

    /// Keeps the members after an index.
    #[inline]
    pub fn after(&mut self, to: Set, of: Set, index: usize) {
        match (to, of) {
            (Set::C(to), Set::C(of)) => self.cells[usize::from(to)] = self.c(of).after(index),
            (Set::H(to), Set::H(of)) => self.houses[usize::from(to)] = self.h(of).after(index),
            (Set::D(to), Set::D(of)) => {
                self.digits[usize::from(to)] = DigitSet(self.d(of).0 & !(u32::MAX >> (31 - index)));
            }
            // No plan has registers of different kinds here: `Instr::fits`.
            _ => {}
        }
    }
}

fn compare<const W: usize>(test: SetTest, a: &Bits<W>, b: &Bits<W>) -> bool {
    match test {
        SetTest::Within => !a.is_empty() && a.within(b),
        SetTest::Equal => a == b,
        SetTest::Disjoint => !a.meets(b),
    }
}
