//! Sets of cells that are listed once for each state: almost locked sets, and groups.
//!
//! In: a state and the kind of set. Out: [`AlsTable`]: each set once, however many houses hold it, with the places of
//! its digits. Tables of the links between sets are filled on first use.
//!
//! The number of a set is its index in the table. A *row of sets* is a bit row; bit n is set if the row has set n.

use super::als_links::{DoublyLinked, SequenceSets};
use super::bit_rows;
use super::board::BoardMasks;
use super::facts::{SCOPES, Wanted};
use super::index::Index;
use crate::engine::plan::{Class, SetKind};
use crate::grid::{Bits, Digit, DigitSet};
use crate::lang::ir::HouseClass;
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Boards up to this size have no limit on the number of cells of a set.
const UNLIMITED_SIZE: usize = 9;

/// Maximum number of cached rows of [`AlsTable::within`].
const MAX_CACHED_ROWS: usize = 4_096;

/// An almost locked set or group.
pub(crate) struct Als<const W: usize> {
    pub cells: Bits<W>,
    pub digits: DigitSet,
    /// Index in [`AlsTable::digit_places`] of the smallest digit of the set. The other digits of the set follow.
    first_digit: usize,
}

/// The places of one digit within a set.
#[derive(Clone, Copy)]
pub(crate) struct DigitPlaces<const W: usize> {
    /// The cells of the set that have the digit.
    pub places: Bits<W>,
    /// The cells that see all of these places.
    pub seen: Bits<W>,
}

/// A row of sets.
pub(crate) type SharedRow = Rc<[u64]>;

/// Rows of sets, by a digit and the places of the digit in a set. Many sets have equal places and so share a row.
type RowsByPlaces<const W: usize> = FxHashMap<(usize, Bits<W>), SharedRow>;

/// All sets of one kind, ordered by size and then in board order, with tables about them.
pub(crate) struct AlsTable<const W: usize> {
    pub sets: Vec<Als<W>>,
    /// True if larger sets were left out.
    pub is_cut: bool,
    /// The places of each digit of each set, one set after the other.
    digit_places: Vec<DigitPlaces<W>>,
    /// For each digit, the numbers of the sets that have the digit.
    numbers_with: Vec<Vec<u32>>,
    /// For each digit, the row of the sets that have the digit.
    rows_with: Vec<Vec<u64>>,
    /// For each digit, the cells of all sets that have the digit.
    places: Vec<Bits<W>>,
    /// For each digit and cell (digit × cells + cell), the index of a row in `place_rows`; `u32::MAX` if no set has the
    /// digit in the cell.
    place_row_index: Vec<u32>,
    /// For each digit and cell that some set has, the row of the sets that have the digit in the cell.
    place_rows: Vec<u64>,
    /// For each n, the number of the first set with n or more cells.
    starts: Vec<u32>,
    /// The rows of [`AlsTable::linked`] by places; filled on demand, never iterated.
    linked_by_places: RefCell<RowsByPlaces<W>>,
    /// For each digit and cell, the sets whose places of the digit all see the cell; filled on demand.
    seen_by_cell: RefCell<Vec<Option<SharedRow>>>,
    /// For each cell, its peers.
    peers: Box<[Bits<W>]>,
    /// For each element of `digit_places`, the row of [`AlsTable::linked`]; filled on demand.
    linked: RefCell<Vec<Option<SharedRow>>>,
    /// Sets within given cells; never iterated.
    within: RefCell<FxHashMap<Bits<W>, SharedRow>>,
    sequences: [OnceCell<SequenceSets>; SCOPES],
    doubly_linked: OnceCell<DoublyLinked>,
    /// For a class and a digit, the sets whose places of the digit may end a link; filled on demand.
    ends: RefCell<BTreeMap<(Class, usize), SharedRow>>,
}

impl<const W: usize> AlsTable<W> {
    /// Lists the sets of a kind. On large boards almost locked sets have at most `max_cells` cells.
    pub fn new(tables: &BoardMasks<W>, facts: &Index<W>, kind: SetKind, max_cells: usize) -> Self {
        match kind {
            SetKind::Locked(surplus) => Self::almost_locked(tables, facts, surplus, max_cells),
            SetKind::Group => Self::with_sets(tables, facts, groups(tables, facts)),
        }
    }

    fn almost_locked(tables: &BoardMasks<W>, facts: &Index<W>, surplus: u32, max_cells: usize) -> Self {
        let max_cells = if tables.size <= UNLIMITED_SIZE { tables.size } else { max_cells };
        let AlsSearch { found, is_cut, .. } = AlsSearch::run(tables, facts, surplus as usize, max_cells);
        AlsTable { is_cut, ..Self::with_sets(tables, facts, found) }
    }

    /// Makes the table of some sets of cells, each with the digits of the set.
    fn with_sets(tables: &BoardMasks<W>, facts: &Index<W>, mut found: Vec<(Bits<W>, DigitSet)>) -> Self {
        found.sort_unstable_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then_with(|| a.cmp_members(b)));
        let mut out = AlsTable {
            sets: Vec::with_capacity(found.len()),
            is_cut: false,
            digit_places: Vec::with_capacity(found.iter().map(|(_, digits)| digits.len()).sum()),
            numbers_with: vec![Vec::new(); tables.size],
            rows_with: vec![vec![0; found.len().div_ceil(64)]; tables.size],
            places: vec![Bits::EMPTY; tables.size],
            place_row_index: vec![u32::MAX; tables.size * tables.cell_count],
            place_rows: Vec::new(),
            starts: (0..=tables.size + 1)
                .map(|size| found.partition_point(|(cells, _)| cells.len() < size) as u32)
                .collect(),
            linked_by_places: RefCell::default(),
            seen_by_cell: RefCell::new(vec![None; tables.size * tables.cell_count]),
            peers: tables.peers.as_slice().into(),
            linked: RefCell::default(),
            within: RefCell::default(),
            sequences: Default::default(),
            doubly_linked: OnceCell::new(),
            ends: RefCell::default(),
        };
        let words = bit_rows::words_for(found.len());
        for (number, (cells, digits)) in found.into_iter().enumerate() {
            let first_digit = out.digit_places.len();
            for digit in digits.iter().map(Digit::index) {
                let places = cells & facts.places[digit];
                out.numbers_with[digit].push(number as u32);
                bit_rows::set(&mut out.rows_with[digit], number);
                let mut seen = tables.cells;
                for cell in places.iter() {
                    seen &= tables.peers[cell];
                    let row = &mut out.place_row_index[digit * tables.cell_count + cell];
                    if *row == u32::MAX {
                        out.places[digit].insert(cell);
                        *row = (out.place_rows.len() / words) as u32;
                        out.place_rows.resize(out.place_rows.len() + words, 0);
                    }
                    bit_rows::set(&mut out.place_rows[*row as usize * words..], number);
                }
                out.digit_places.push(DigitPlaces { places, seen });
            }
            out.sets.push(Als { cells, digits, first_digit });
        }
        out
    }

    /// Number of digits of the board.
    pub fn size(&self) -> usize {
        self.rows_with.len()
    }

    pub fn row_with(&self, digit: usize) -> &[u64] {
        &self.rows_with[digit]
    }

    pub fn numbers_with(&self, digit: usize) -> &[u32] {
        &self.numbers_with[digit]
    }

    /// Returns the number of the first set with `low` to `high` cells, and the number after the last of these sets.
    pub fn size_range(&self, low: u32, high: Option<u32>) -> (u32, u32) {
        (self.start(low as usize), self.start(high.map_or(usize::MAX, |high| high as usize + 1)))
    }

    fn start(&self, size: usize) -> u32 {
        self.starts.get(size).copied().unwrap_or(self.sets.len() as u32)
    }

    /// Returns the places of a digit in a set, or `None` if the set lacks the digit.
    #[inline]
    pub fn digit_places(&self, set: &Als<W>, digit: usize) -> Option<&DigitPlaces<W>> {
        self.digit_index(set, digit).map(|index| &self.digit_places[index])
    }

    /// Returns the index of a digit of a set in `digit_places`, or `None` if the set lacks the digit.
    fn digit_index(&self, set: &Als<W>, digit: usize) -> Option<usize> {
        if !set.digits.has(Digit(digit as u8)) {
            return None;
        }
        let smaller_digits = set.digits.0 & ((1u32 << digit) - 1);
        Some(set.first_digit + smaller_digits.count_ones() as usize)
    }

    /// Returns the sets that a digit links to the set with number `set`: every place of the digit in the one set sees
    /// every place of the digit in the other. `None` if the set lacks the digit.
    pub fn linked(&self, digit: usize, set: u32) -> Option<SharedRow> {
        let index = self.digit_index(&self.sets[set as usize], digit)?;
        if let Some(Some(row)) = self.linked.borrow().get(index) {
            return Some(Rc::clone(row));
        }
        let places = self.digit_places[index].places;
        let row = Rc::clone(self.linked_by_places.borrow_mut().entry((digit, places)).or_insert_with(|| {
            let mut seen_rows = places.iter().map(|cell| self.seen_by_cell(digit, cell));
            let Some(mut row) = seen_rows.next() else { return Rc::default() };
            // The first row is a cached one. It is copied for the first intersection, and the copy is changed in place.
            for other in seen_rows {
                match Rc::get_mut(&mut row) {
                    Some(own) => bit_rows::intersect(own, &other),
                    None => row = row.iter().zip(&*other).map(|(own, other)| own & other).collect(),
                }
            }
            row
        }));
        let mut linked = self.linked.borrow_mut();
        linked.resize(self.digit_places.len(), None);
        linked[index] = Some(Rc::clone(&row));
        Some(row)
    }

    /// Returns the sets that have a digit and have all places of the digit among the peers of a cell.
    fn seen_by_cell(&self, digit: usize, cell: usize) -> SharedRow {
        let index = digit * self.peers.len() + cell;
        if let Some(row) = &self.seen_by_cell.borrow()[index] {
            return Rc::clone(row);
        }
        let mut row = self.rows_with[digit].clone();
        self.remove_outside(digit, &self.peers[cell], &mut row);
        let row: SharedRow = row.into();
        self.seen_by_cell.borrow_mut()[index] = Some(Rc::clone(&row));
        row
    }

    /// Removes from a row the sets that have the digit outside of `cells`. Sets without the digit stay.
    pub fn remove_outside(&self, digit: usize, cells: &Bits<W>, row: &mut [u64]) {
        let words = self.rows_with[digit].len();
        let cell_count = self.place_row_index.len() / self.rows_with.len();
        let row_indices = &self.place_row_index[digit * cell_count..(digit + 1) * cell_count];
        for cell in (self.places[digit] - *cells).iter() {
            let begin = row_indices[cell] as usize * words;
            bit_rows::remove(row, &self.place_rows[begin..begin + words]);
        }
    }

    /// Returns the sets whose cells are all among `cells`.
    pub fn within(&self, cells: &Bits<W>) -> SharedRow {
        if let Some(row) = self.within.borrow().get(cells) {
            return Rc::clone(row);
        }
        let mut row = vec![0u64; bit_rows::words_for(self.sets.len())];
        for (number, set) in self.sets.iter().enumerate() {
            if set.cells.within(cells) {
                bit_rows::set(&mut row, number);
            }
        }
        let row: SharedRow = row.into();
        let mut cache = self.within.borrow_mut();
        if cache.len() < MAX_CACHED_ROWS {
            cache.insert(*cells, Rc::clone(&row));
        }
        row
    }

    /// Returns the sets that can take part in a sequence of two or three linked sets with a wanted elimination.
    pub fn sequences(&self, scope: &Wanted<W>) -> &SequenceSets {
        self.sequences[scope.index()].get_or_init(|| SequenceSets::new(self, &scope.eliminations.0))
    }

    /// Returns the sets that two digits link to another set.
    pub fn doubly_linked(&self) -> &DoublyLinked {
        self.doubly_linked.get_or_init(|| DoublyLinked::new(self))
    }

    /// Returns the sets that have a digit and whose places of the digit pass `may_be_end`. The row is cached for the
    /// class and the digit.
    pub fn ends(&self, class: Class, digit: usize, may_be_end: impl Fn(Bits<W>) -> bool) -> SharedRow {
        let mut cache = self.ends.borrow_mut();
        let row = cache.entry((class, digit)).or_insert_with(|| {
            let mut row = vec![0; bit_rows::words_for(self.sets.len())];
            for set in self.numbers_with(digit).iter().map(|&set| set as usize) {
                let digit_places = self.digit_places(&self.sets[set], digit);
                if digit_places.is_some_and(|digit_places| may_be_end(digit_places.places)) {
                    bit_rows::set(&mut row, set);
                }
            }
            row.into()
        });
        Rc::clone(row)
    }
}

/// Lists groups, each with its digits: every single unsolved cell, and the unsolved cells that a box and a line share
/// if they share at least two.
fn groups<const W: usize>(tables: &BoardMasks<W>, facts: &Index<W>) -> Vec<(Bits<W>, DigitSet)> {
    let mut out: Vec<(Bits<W>, DigitSet)> =
        facts.unsolved.iter().map(|cell| (Bits::single(cell), facts.candidates[cell])).collect();
    for line in tables.class(HouseClass::Line).iter() {
        for house in tables.class(HouseClass::Box).iter() {
            let cells = tables.cells_of_house[line] & tables.cells_of_house[house] & facts.unsolved;
            if cells.len() > 1 && out.iter().all(|(other, _)| *other != cells) {
                out.push((cells, facts.digits(&cells)));
            }
        }
    }
    out
}

/// A search for the almost locked sets of one house after the other.
pub(super) struct AlsSearch<'a, const W: usize> {
    tables: &'a BoardMasks<W>,
    facts: &'a Index<W>,
    /// Number of digits of a set minus number of its cells.
    surplus: usize,
    max_cells: usize,
    house: usize,
    /// True if larger sets were left out.
    is_cut: bool,
    /// The sets found, each with its digits.
    pub found: Vec<(Bits<W>, DigitSet)>,
}

impl<'a, const W: usize> AlsSearch<'a, W> {
    /// Finds every set of at most `max_cells` unsolved cells of one house that has the given surplus.
    pub fn run(tables: &'a BoardMasks<W>, facts: &'a Index<W>, surplus: usize, max_cells: usize) -> Self {
        let mut search = AlsSearch { tables, facts, surplus, max_cells, house: 0, is_cut: false, found: Vec::new() };
        for house in 0..tables.cells_of_house.len() {
            search.house = house;
            search.extend(Bits::EMPTY, 0, DigitSet::EMPTY, tables.cells_of_house[house] & facts.unsolved);
        }
        search
    }

    /// Extends a set of `count` cells by cells of `rest`. Skips a larger set if its digits are too many even with all
    /// remaining cells.
    fn extend(&mut self, cells: Bits<W>, count: usize, digits: DigitSet, mut rest: Bits<W>) {
        let is_almost_locked = count > 0 && digits.len() == count + self.surplus;
        // A set that lies in several houses is listed only for the first of these houses.
        if is_almost_locked && self.tables.houses_through(&cells).first() == Some(self.house) {
            self.found.push((cells, digits));
        }
        let is_limited = self.tables.size > UNLIMITED_SIZE;
        if count == self.max_cells {
            self.is_cut |= !rest.is_empty() && is_limited;
            return;
        }
        while let Some(cell) = rest.pop() {
            let next_digits = digits | self.facts.candidates[cell];
            let most_cells = count + 1 + rest.len();
            if next_digits.len() <= most_cells.min(self.max_cells) + self.surplus {
                let mut next_cells = cells;
                next_cells.insert(cell);
                self.extend(next_cells, count + 1, next_digits, rest);
            } else {
                self.is_cut |= is_limited && next_digits.len() <= most_cells + self.surplus;
            }
        }
    }
}
