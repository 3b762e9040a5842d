//! What a state says, as bit sets. In: a state. Out: [`Index`]: places of each digit, cells by number of candidates, partners in
//! houses.

use super::board::Tables;
use super::marks::DIGITS;
use crate::grid::{Bits, Cell, Digit, DigitSet, State};
use std::cell::OnceCell;

/// The plain indexes of one state.
pub(in crate::engine) struct Index<const W: usize> {
    /// Candidates of each cell; none where it is solved.
    pub candidates: Box<[DigitSet]>,
    /// For each cell the digit placed there, as a set.
    pub values: Vec<DigitSet>,
    /// The unsolved cells.
    pub unsolved: Bits<W>,
    /// For each digit the cells that have it as a candidate.
    pub places: [Bits<W>; DIGITS],
    /// The cells with exactly n candidates, for each n.
    pub exact: [Bits<W>; DIGITS + 1],
    /// What the puzzle itself leaves possible in each cell.
    pub open: Box<[DigitSet]>,
    givens_allow: OnceCell<Box<[Bits<W>; DIGITS]>>,
    partners: OnceCell<Partners<W>>,
}

/// For each digit: which cells have a house with just one other place, and which place that is.
struct Partners<const W: usize> {
    any: [Bits<W>; DIGITS],
    of: Vec<Bits<W>>,
}

impl<const W: usize> Index<W> {
    pub fn new(tables: &Tables<W>, state: &State) -> Self {
        let (values, candidates) = state.parts();
        let mut index = Index {
            candidates: candidates.into(),
            values: values.iter().map(|value| DigitSet::single_of(*value)).collect(),
            unsolved: Bits::EMPTY,
            places: [Bits::EMPTY; DIGITS],
            exact: [Bits::EMPTY; DIGITS + 1],
            open: state.open_all().into(),
            givens_allow: OnceCell::new(),
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

    /// The digits a cell can hold or holds.
    pub fn options(&self, cell: usize) -> DigitSet {
        self.candidates[cell] | self.values[cell]
    }

    /// The candidates of cells, taken together.
    pub fn digits(&self, cells: &Bits<W>) -> DigitSet {
        cells.iter().fold(DigitSet::EMPTY, |digits, cell| digits | self.candidates[cell])
    }

    /// The cells that have one of `digits` as a candidate.
    pub fn places_of(&self, digits: DigitSet) -> Bits<W> {
        digits.iter().fold(Bits::EMPTY, |cells, digit| cells | self.places[digit.index()])
    }

    /// The unsolved cells that have every one of `digits` as a candidate.
    pub fn places_all(&self, digits: DigitSet) -> Bits<W> {
        digits.iter().fold(self.unsolved, |cells, digit| cells & self.places[digit.index()])
    }

    /// The cells that the puzzle leaves open to every one of `digits`.
    pub fn open_places(&self, digits: DigitSet) -> Bits<W> {
        let all = self.givens_allow.get_or_init(|| {
            let mut all = Box::new([Bits::EMPTY; DIGITS]);
            for (cell, open) in self.open.iter().enumerate() {
                open.iter().for_each(|digit| all[digit.index()].insert(cell));
            }
            all
        });
        let cells = Bits::below(self.open.len());
        digits.iter().fold(cells, |cells, digit| cells & all[digit.index()])
    }

    /// The cells that with `cell` are the only two places of `digit` in some house.
    pub fn partners(&self, tables: &Tables<W>, digit: usize, cell: usize) -> Bits<W> {
        self.partner_index(tables).of[digit * tables.cell_count + cell]
    }

    /// The cells that have such a partner.
    pub fn partnered(&self, tables: &Tables<W>, digit: usize) -> Bits<W> {
        self.partner_index(tables).any[digit]
    }

    fn partner_index(&self, tables: &Tables<W>) -> &Partners<W> {
        self.partners.get_or_init(|| {
            let mut index =
                Partners { any: [Bits::EMPTY; DIGITS], of: vec![Bits::EMPTY; tables.size * tables.cell_count] };
            for digit in 0..tables.size {
                for house in &tables.house {
                    let mut pair = self.places[digit] & *house;
                    if pair.len() != 2 {
                        continue;
                    }
                    index.any[digit] |= pair;
                    if let (Some(a), Some(b)) = (pair.pop(), pair.pop()) {
                        index.of[digit * tables.cell_count + a].insert(b);
                        index.of[digit * tables.cell_count + b].insert(a);
                    }
                }
            }
            index
        })
    }

    /// `times(d, S)`: the most of `cells` that can hold `digit` together; a solved cell holds its value.
    pub fn times(&self, tables: &Tables<W>, digit: usize, cells: &Bits<W>) -> usize {
        let holders = cells.iter().filter(|&cell| self.options(cell).has(Digit(digit as u8))).collect();
        most_apart(tables, holders)
    }
}

/// The size of a largest set of these cells in which no two see each other.
fn most_apart<const W: usize>(tables: &Tables<W>, mut cells: Bits<W>) -> usize {
    let Some(first) = cells.pop() else { return 0 };
    let without_peers = 1 + most_apart(tables, cells - tables.peers[first]);
    if !cells.meets(&tables.peers[first]) {
        return without_peers;
    }
    without_peers.max(most_apart(tables, cells))
}

/// The cells of a mask as typed ids.
pub(in crate::engine) fn cell_list<const W: usize>(cells: &Bits<W>) -> Vec<Cell> {
    cells.cells().collect()
}
