//! The registers of a running program. In: register counts. Out: typed storage with set operations over
//! registers of one type.

use super::super::plan::{Program, Set, SetOp, SetTest};
use super::super::tables::index::CandidateSet;
use crate::grid::{Bits, DigitSet, HouseSet};
use std::ops::{BitAnd, BitOr, Sub};

/// Storage for one program.
#[derive(Default)]
pub(super) struct Registers<const W: usize> {
    pub cells: Vec<Bits<W>>,
    pub digits: Vec<DigitSet>,
    pub houses: Vec<HouseSet>,
    pub candidates: Vec<CandidateSet<W>>,
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
            candidates: vec![CandidateSet::EMPTY; counts.candidates.into()],
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
    pub fn p(&self, reg: u16) -> &CandidateSet<W> {
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

    /// All three are of one type, and so are those of the functions below: `Instr::fits`.
    #[inline(always)]
    pub fn op(&mut self, op: SetOp, to: Set, a: Set, b: Set) {
        let (a, b) = (a.reg(), b.reg());
        match to {
            Set::C(to) => self.cells[usize::from(to)] = combined(op, *self.c(a), *self.c(b)),
            Set::D(to) => self.digits[usize::from(to)] = combined(op, self.d(a), self.d(b)),
            Set::H(to) => self.houses[usize::from(to)] = combined(op, *self.h(a), *self.h(b)),
            Set::P(to) => self.candidates[usize::from(to)] = self.p(a).zip(self.p(b), |a, b| combined(op, a, b)),
        }
    }

    #[inline(always)]
    pub fn test(&self, test: SetTest, a: Set, b: Set) -> bool {
        let b = b.reg();
        match a {
            Set::C(a) => compare(test, self.c(a), self.c(b)),
            Set::H(a) => compare(test, self.h(a), self.h(b)),
            Set::D(a) => {
                let (a, b) = (self.d(a), self.d(b));
                match test {
                    SetTest::Within => !a.is_empty() && a.within(b),
                    SetTest::Equal => a == b,
                    SetTest::Disjoint => (a & b).is_empty(),
                }
            }
            Set::P(a) => {
                let (a, b) = (self.p(a), self.p(b));
                match test {
                    SetTest::Within => !a.is_empty() && a.within(b),
                    SetTest::Equal => a == b,
                    SetTest::Disjoint => !a.meets(b),
                }
            }
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

    #[inline(always)]
    pub fn copy(&mut self, from: Set, to: Set) {
        let to = usize::from(to.reg());
        match from {
            Set::C(from) => self.cells[to] = *self.c(from),
            Set::D(from) => self.digits[to] = self.d(from),
            Set::H(from) => self.houses[to] = *self.h(from),
            Set::P(from) => self.candidates[to] = *self.p(from),
        }
    }

    /// Takes the smallest member out of a set, and makes a set of it alone.
    #[inline]
    pub fn next(&mut self, rest: Set, one: Set) -> Option<usize> {
        let one = usize::from(one.reg());
        match rest {
            Set::C(rest) => {
                let first = self.cells[usize::from(rest)].pop()?;
                self.cells[one] = Bits::single(first);
                Some(first)
            }
            Set::D(rest) => {
                let rest = &mut self.digits[usize::from(rest)];
                let first = rest.first()?;
                rest.remove(first);
                self.digits[one] = DigitSet::single(first);
                Some(first.index())
            }
            Set::H(rest) => {
                let first = self.houses[usize::from(rest)].pop()?;
                self.houses[one] = HouseSet::single(first);
                Some(first)
            }
            Set::P(rest) => {
                let first = self.candidates[usize::from(rest)].pop(self.cell_count)?;
                self.set_candidate(one, first);
                Some(first)
            }
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
    fn set_candidate(&mut self, reg: usize, index: usize) {
        self.candidates[reg] = CandidateSet::single(index, self.cell_count);
    }

    /// Keeps the members after an index.
    #[inline]
    pub fn after(&mut self, to: Set, of: Set, index: usize) {
        let to = usize::from(to.reg());
        match of {
            Set::C(of) => self.cells[to] = self.c(of).above(index),
            Set::H(of) => self.houses[to] = self.h(of).above(index),
            Set::D(of) => self.digits[to] = DigitSet(self.d(of).0 & !(u32::MAX >> (31 - index))),
            // No plan asks it of candidates.
            Set::P(_) => {}
        }
    }
}

#[inline(always)]
fn combined<T>(op: SetOp, a: T, b: T) -> T
where
    T: BitOr<Output = T> + BitAnd<Output = T> + Sub<Output = T>,
{
    match op {
        SetOp::Or => a | b,
        SetOp::And => a & b,
        SetOp::Minus => a - b,
    }
}

fn compare<const W: usize>(test: SetTest, a: &Bits<W>, b: &Bits<W>) -> bool {
    match test {
        SetTest::Within => !a.is_empty() && a.within(b),
        SetTest::Equal => a == b,
        SetTest::Disjoint => !a.meets(b),
    }
}
