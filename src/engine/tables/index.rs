//! A state as bit sets. In: a state. Out: [`Index`]: the places of each digit, the cells by number of candidates, the
//! conjugate pairs. [`CandidateSet`] is any set of candidates. The number of a candidate is
//! `digit × cells of the board + cell`.

use super::board::BoardMasks;
use crate::engine::matches::Halt;
use crate::grid::{Bits, Candidate, Cell, Digit, DigitSet, State};
use crate::lang::ir::HouseClass;
use std::cell::OnceCell;

/// Number of digits of the largest board.
pub(crate) const DIGITS: usize = 25;

/// A set of candidates: for each digit, the cells of its candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CandidateSet<const W: usize>(pub [Bits<W>; DIGITS]);

impl<const W: usize> CandidateSet<W> {
    pub const EMPTY: Self = CandidateSet([Bits::EMPTY; DIGITS]);

    /// The most digits of a board whose cells fit into `W` words of 64 bits.
    const MAX_DIGITS: usize = match W {
        2 => 11,
        4 => 16,
        _ => DIGITS,
    };

    #[inline]
    fn digit_cells(&self) -> &[Bits<W>] {
        &self.0[..Self::MAX_DIGITS]
    }

    /// Combines, for each digit, the cells of this set with the cells of another set.
    #[inline]
    pub fn zip(&self, other: &Self, combine: impl Fn(Bits<W>, Bits<W>) -> Bits<W>) -> Self {
        let mut out = Self::EMPTY;
        for digit in 0..Self::MAX_DIGITS {
            out.0[digit] = combine(self.0[digit], other.0[digit]);
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

    #[inline]
    pub fn digits(&self) -> DigitSet {
        (0..Self::MAX_DIGITS).filter(|&digit| !self.0[digit].is_empty()).map(|digit| Digit(digit as u8)).collect()
    }

    #[inline]
    pub fn cells(&self) -> Bits<W> {
        self.digit_cells().iter().fold(Bits::EMPTY, |all, cells| all | *cells)
    }

    /// Makes the set of one candidate, given by its number.
    #[inline]
    pub fn single(number: usize, cell_count: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[number / cell_count].insert(number % cell_count);
        set
    }

    /// Removes the candidate with the smallest number and returns the number.
    #[inline]
    pub fn pop(&mut self, cell_count: usize) -> Option<usize> {
        let digit = self.digit_cells().iter().position(|cells| !cells.is_empty())?;
        Some(digit * cell_count + self.0[digit].pop()?)
    }

    /// Returns the candidates in order of cell, then digit.
    pub fn list(&self) -> Vec<Candidate> {
        let mut list = Vec::new();
        for (digit, cells) in self.digit_cells().iter().enumerate() {
            list.extend(cells.iter().map(|cell| Candidate::new(Digit(digit as u8), Cell(cell as u16))));
        }
        list.sort();
        list
    }
}

pub(crate) struct Index<const W: usize> {
    /// Candidates of each cell; empty for a solved cell.
    pub candidates: Box<[DigitSet]>,
    /// For each cell, the set of its value; empty for an unsolved cell.
    pub values: Vec<DigitSet>,
    pub unsolved: Bits<W>,
    /// For each digit, the cells that have the digit as a candidate.
    pub places: [Bits<W>; DIGITS],
    /// The cells with exactly n candidates, for each n.
    pub exact: [Bits<W>; DIGITS + 1],
    /// For each cell, the digits that the givens allow.
    pub allowed: Box<[DigitSet]>,
    /// For each digit, the cells in which the givens allow the digit.
    allowed_places: OnceCell<Box<[Bits<W>; DIGITS]>>,
    partners: OnceCell<Partners<W>>,
}

/// The conjugate pairs of each digit: two cells that are the only places of the digit in some house.
struct Partners<const W: usize> {
    /// For each digit, the cells of its pairs.
    with_partner: [Bits<W>; DIGITS],
    /// For each digit and cell (digit × cells + cell), the cells that form a pair with the cell.
    partners: Vec<Bits<W>>,
}

impl<const W: usize> Index<W> {
    pub fn new(tables: &BoardMasks<W>, state: &State) -> Self {
        let (values, candidates) = state.values_and_candidates();
        let mut index = Index {
            candidates: candidates.into(),
            values: values.iter().map(|value| DigitSet::from_option(*value)).collect(),
            unsolved: Bits::EMPTY,
            places: [Bits::EMPTY; DIGITS],
            exact: [Bits::EMPTY; DIGITS + 1],
            allowed: state.all_initial_candidates().into(),
            allowed_places: OnceCell::new(),
            partners: OnceCell::new(),
        };
        for cell in 0..tables.cell_count {
            if values[cell].is_none() {
                index.unsolved.insert(cell);
                index.exact[candidates[cell].len()].insert(cell);
                candidates[cell].iter().for_each(|digit| index.places[digit.index()].insert(cell));
            }
        }
        index
    }

    /// Returns the digits that a cell can hold: its candidates, or its value.
    pub fn options(&self, cell: usize) -> DigitSet {
        self.candidates[cell] | self.values[cell]
    }

    /// Returns the digits that are a candidate of at least one of the cells.
    pub fn digits(&self, cells: &Bits<W>) -> DigitSet {
        cells.iter().fold(DigitSet::EMPTY, |digits, cell| digits | self.candidates[cell])
    }

    /// Returns the cells that have at least one of `digits` as a candidate.
    pub fn places_of(&self, digits: DigitSet) -> Bits<W> {
        digits.iter().fold(Bits::EMPTY, |cells, digit| cells | self.places[digit.index()])
    }

    /// Returns the unsolved cells that have every one of `digits` as a candidate.
    pub fn places_all(&self, digits: DigitSet) -> Bits<W> {
        digits.iter().fold(self.unsolved, |cells, digit| cells & self.places[digit.index()])
    }

    /// Returns the cells in which the givens allow every one of `digits`.
    pub fn allowed_places(&self, digits: DigitSet) -> Bits<W> {
        let allowed_places = self.allowed_places.get_or_init(|| {
            let mut places = Box::new([Bits::EMPTY; DIGITS]);
            for (cell, allowed) in self.allowed.iter().enumerate() {
                allowed.iter().for_each(|digit| places[digit.index()].insert(cell));
            }
            places
        });
        let cells = Bits::below(self.allowed.len());
        digits.iter().fold(cells, |cells, digit| cells & allowed_places[digit.index()])
    }

    /// Returns the cells that form a conjugate pair of `digit` with `cell`.
    pub fn partners(&self, tables: &BoardMasks<W>, digit: usize, cell: usize) -> Bits<W> {
        self.partner_index(tables).partners[digit * tables.cell_count + cell]
    }

    /// Returns the cells that belong to a conjugate pair of `digit`.
    pub fn with_partner(&self, tables: &BoardMasks<W>, digit: usize) -> Bits<W> {
        self.partner_index(tables).with_partner[digit]
    }

    fn partner_index(&self, tables: &BoardMasks<W>) -> &Partners<W> {
        self.partners.get_or_init(|| {
            let mut index = Partners {
                with_partner: [Bits::EMPTY; DIGITS],
                partners: vec![Bits::EMPTY; tables.size * tables.cell_count],
            };
            for digit in 0..tables.size {
                for house in &tables.cells_of_house {
                    let mut pair = self.places[digit] & *house;
                    if pair.len() != 2 {
                        continue;
                    }
                    index.with_partner[digit] |= pair;
                    if let (Some(a), Some(b)) = (pair.pop(), pair.pop()) {
                        index.partners[digit * tables.cell_count + a].insert(b);
                        index.partners[digit * tables.cell_count + b].insert(a);
                    }
                }
            }
            index
        })
    }

    /// Returns `times(d, S)`: the largest number of `cells` that can hold `digit` at the same time. If the search is
    /// halted, returns the largest number found by then.
    pub fn max_occurrences(&self, tables: &BoardMasks<W>, digit: usize, cells: &Bits<W>, halt: Halt) -> usize {
        let holders = cells.iter().filter(|&cell| self.options(cell).has(Digit(digit as u8))).collect();
        let mut search = IndependentSetSearch { tables, halt, largest: 0 };
        search.extend(holders, 0);
        search.largest
    }
}

/// A search for a largest set of cells in which no two see each other.
struct IndependentSetSearch<'a, const W: usize> {
    tables: &'a BoardMasks<W>,
    halt: Halt,
    largest: usize,
}

/// Up to this number of cells, all sets are tried without the bound by rows and columns.
const FEW_CELLS: usize = 10;

impl<const W: usize> IndependentSetSearch<'_, W> {
    /// Extends a set of `count` cells by cells of `rest`, none of which sees a cell of the set.
    fn extend(&mut self, rest: Bits<W>, count: usize) {
        self.largest = self.largest.max(count);
        let Some(first) = rest.first() else { return };
        if count + rest.len() <= self.largest {
            return;
        }
        if rest.len() <= FEW_CELLS {
            let without = rest - Bits::single(first);
            self.extend(without - self.tables.peers[first], count + 1);
            // If `first` sees no other cell, a set without `first` can't be larger.
            if without.meets(&self.tables.peers[first]) {
                self.extend(without, count);
            }
            return;
        }
        if self.halt.is_due() {
            return;
        }
        // The set has at most one cell of each row and of each column.
        let (row, rows) = self.houses_meeting(HouseClass::Row, &rest);
        let (_, columns) = self.houses_meeting(HouseClass::Column, &rest);
        if count + rows.min(columns) <= self.largest {
            return;
        }
        // Branch on the row with the fewest cells: the set has one cell of this row or none.
        let row = row.unwrap_or(Bits::single(first)) & rest;
        for cell in row.iter() {
            self.extend(rest - Bits::single(cell) - self.tables.peers[cell], count + 1);
        }
        self.extend(rest - row, count);
    }

    /// Examines the houses of a class that meet `cells`. Returns the cells of the house with the fewest of `cells`, and the
    /// number of houses.
    fn houses_meeting(&self, class: HouseClass, cells: &Bits<W>) -> (Option<Bits<W>>, usize) {
        let houses = self.tables.class(class);
        let met = houses.iter().map(|house| self.tables.cells_of_house[house]).filter(|house| house.meets(cells));
        (met.clone().min_by_key(|house| (*house & *cells).len()), met.count())
    }
}

pub(crate) fn cell_list<const W: usize>(cells: &Bits<W>) -> Vec<Cell> {
    cells.cells().collect()
}
