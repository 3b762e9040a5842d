//! Sets of candidates: for each digit the cells that hold it. In: candidates. Out: a `Copy` set with the usual
//! operations; a single candidate has the number `digit × cells of the board + cell`.

use crate::grid::{Bits, Candidate, Cell, Digit, DigitSet};

/// The largest board has 25 digits.
pub(in crate::engine) const DIGITS: usize = 25;

/// A set of candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct CandidateSet<const W: usize>(pub [Bits<W>; DIGITS]);

impl<const W: usize> CandidateSet<W> {
    pub const EMPTY: Self = CandidateSet([Bits::EMPTY; DIGITS]);

    /// As many digits as a board of this width can have.
    const MOST: usize = match W {
        2 => 11,
        4 => 16,
        _ => DIGITS,
    };

    #[inline]
    fn digit_cells(&self) -> &[Bits<W>] {
        &self.0[..Self::MOST]
    }

    #[inline]
    pub fn zip(&self, other: &Self, how: impl Fn(Bits<W>, Bits<W>) -> Bits<W>) -> Self {
        let mut out = Self::EMPTY;
        for digit in 0..Self::MOST {
            out.0[digit] = how(self.0[digit], other.0[digit]);
        }
        out
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.digit_cells().iter().map(Bits::len).sum()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.digit_cells().iter().all(Bits::is_empty)
    }

    #[inline]
    pub fn within(&self, other: &Self) -> bool {
        self.digit_cells().iter().zip(other.digit_cells()).all(|(a, b)| a.within(b))
    }

    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.digit_cells().iter().zip(other.digit_cells()).any(|(a, b)| a.meets(b))
    }

    /// The digits that have a cell.
    #[inline]
    pub fn digits(&self) -> DigitSet {
        (0..Self::MOST).filter(|&digit| !self.0[digit].is_empty()).map(|digit| Digit(digit as u8)).collect()
    }

    /// The cells that have a digit.
    #[inline]
    pub fn cells(&self) -> Bits<W> {
        self.digit_cells().iter().fold(Bits::EMPTY, |all, cells| all | *cells)
    }

    /// The set of the candidate with a number.
    #[inline]
    pub fn single(number: usize, cell_count: usize) -> Self {
        let mut one = Self::EMPTY;
        one.0[number / cell_count].insert(number % cell_count);
        one
    }

    /// Takes the candidate with the smallest number out.
    #[inline]
    pub fn pop(&mut self, cell_count: usize) -> Option<usize> {
        let digit = self.digit_cells().iter().position(|cells| !cells.is_empty())?;
        Some(digit * cell_count + self.0[digit].pop()?)
    }

    /// The candidates in order of cell, then digit.
    pub fn list(&self) -> Vec<Candidate> {
        let of =
            |digit: usize| self.0[digit].iter().map(move |cell| Candidate::new(Digit(digit as u8), Cell(cell as u16)));
        let mut list: Vec<Candidate> = (0..Self::MOST).flat_map(of).collect();
        list.sort();
        list
    }
}
