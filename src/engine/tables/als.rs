//! Sets of cells that are listed once for each state: almost locked sets, and groups.
//!
//! In: a state and the kind of set. Out: [`AlsTable`]: each set once, however many houses hold it, with masks of its digits
//! and tables of its links that are filled on first use.

use super::als_links::{DoublyLinked, LinkedTriples};
use super::bit_rows;
use super::board::Tables;
use super::facts::{SCOPES, Wanted};
use super::index::Index;
use crate::engine::plan::{Class, SetKind};
use crate::grid::{Bits, Digit, DigitSet};
use crate::lang::ir::HouseClass;
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Up to this size of board the sets have no bound but their house.
const UNBOUNDED: usize = 9;

/// Maximum cached rows of the sets in some cells.
const MOST_ROWS: usize = 4_096;

/// One set.
pub(crate) struct Als<const W: usize> {
    pub cells: Bits<W>,
    pub digits: DigitSet,
    /// Index of the mask of the first digit.
    first: usize,
}

/// Position of one digit within a set.
#[derive(Clone, Copy)]
pub(crate) struct DigitPlaces<const W: usize> {
    /// The cells of the set that have it.
    pub places: Bits<W>,
    /// The cells that see all of these.
    pub seen: Bits<W>,
}

/// Sets as bits, by their number.
pub(crate) type SharedRow = Rc<[u64]>;

/// Rows of sets, by a digit and places of it: many sets have equal places.
type RowsByPlaces<const W: usize> = FxHashMap<(usize, Bits<W>), SharedRow>;

/// All sets of one kind, small ones first, then in board order, with tables about them.
pub(crate) struct AlsTable<const W: usize> {
    pub sets: Vec<Als<W>>,
    /// True if larger sets were left out.
    pub cut: bool,
    marks: Vec<DigitPlaces<W>>,
    with: Vec<Vec<u32>>,
    /// For each digit, the sets that have it.
    having: Vec<Vec<u64>>,
    /// For each digit, the cells that have it in some set.
    places: Vec<Bits<W>>,
    /// For each digit and cell, the row of `at`; `u32::MAX` if no set has the digit there.
    number: Vec<u32>,
    /// Rows of sets that have a digit in a cell.
    at: Vec<u64>,
    /// For each n, the index of the first set with n or more cells.
    starts: Vec<u32>,
    /// Sets linked to the places of a digit; filled on demand, never iterated.
    links: RefCell<RowsByPlaces<W>>,
    /// For each digit and cell, the sets whose places of the digit all see the cell; filled on demand.
    near: RefCell<Vec<Option<SharedRow>>>,
    /// For each cell, its peers.
    peers: Box<[Bits<W>]>,
    /// For each mark, the sets linked to it; filled on demand.
    linked: RefCell<Vec<Option<SharedRow>>>,
    /// Sets within given cells; never iterated.
    inside: RefCell<FxHashMap<Bits<W>, SharedRow>>,
    triples: [OnceCell<LinkedTriples>; SCOPES],
    doubly_linked: OnceCell<DoublyLinked>,
    /// For a class and a digit, the sets whose places of the digit may end a link; filled on demand.
    ends: RefCell<BTreeMap<(Class, usize), SharedRow>>,
}

impl<const W: usize> AlsTable<W> {
    /// Lists the sets of a kind; almost locked ones have at most `most` cells on large boards.
    pub fn new(tables: &Tables<W>, facts: &Index<W>, sort: SetKind, most: usize) -> Self {
        match sort {
            SetKind::Locked(over) => Self::locked(tables, facts, over, most),
            SetKind::Group => Self::of(tables, facts, groups(tables, facts), false),
        }
    }

    fn locked(tables: &Tables<W>, facts: &Index<W>, over: u32, most: usize) -> Self {
        let most = if tables.size <= UNBOUNDED { tables.size } else { most };
        let mut search =
            AlsSearch { tables, facts, over: over as usize, most, house: 0, cut: false, found: Vec::new() };
        for house in 0..tables.house.len() {
            search.house = house;
            search.extend(Bits::EMPTY, 0, DigitSet::EMPTY, tables.house[house] & facts.unsolved);
        }
        let cut = search.cut;
        Self::of(tables, facts, search.found, cut)
    }

    fn of(tables: &Tables<W>, facts: &Index<W>, mut found: Vec<(Bits<W>, DigitSet)>, cut: bool) -> Self {
        found.sort_unstable_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then_with(|| a.cmp_members(b)));
        let mut out = AlsTable {
            sets: Vec::with_capacity(found.len()),
            cut,
            marks: Vec::with_capacity(found.iter().map(|(_, digits)| digits.len()).sum()),
            with: vec![Vec::new(); tables.size],
            having: vec![vec![0; found.len().div_ceil(64)]; tables.size],
            places: vec![Bits::EMPTY; tables.size],
            number: vec![u32::MAX; tables.size * tables.cell_count],
            at: Vec::new(),
            starts: (0..=tables.size + 1)
                .map(|size| found.partition_point(|(cells, _)| cells.len() < size) as u32)
                .collect(),
            links: RefCell::default(),
            near: RefCell::new(vec![None; tables.size * tables.cell_count]),
            peers: tables.peers.as_slice().into(),
            linked: RefCell::default(),
            inside: RefCell::default(),
            triples: Default::default(),
            doubly_linked: OnceCell::new(),
            ends: RefCell::default(),
        };
        let words = bit_rows::words_for(found.len());
        for (number, (cells, digits)) in found.into_iter().enumerate() {
            let first = out.marks.len();
            for digit in digits.iter().map(Digit::index) {
                let places = cells & facts.places[digit];
                out.with[digit].push(number as u32);
                bit_rows::set(&mut out.having[digit], number);
                let mut seen = tables.cells;
                for cell in places.iter() {
                    seen &= tables.peers[cell];
                    let at = &mut out.number[digit * tables.cell_count + cell];
                    if *at == u32::MAX {
                        out.places[digit].insert(cell);
                        *at = (out.at.len() / words) as u32;
                        out.at.resize(out.at.len() + words, 0);
                    }
                    bit_rows::set(&mut out.at[*at as usize * words..], number);
                }
                out.marks.push(DigitPlaces { places, seen });
            }
            out.sets.push(Als { cells, digits, first });
        }
        out
    }

    /// Number of digits of the board.
    pub fn size(&self) -> usize {
        self.having.len()
    }

    /// The sets that have a digit.
    pub fn having(&self, digit: usize) -> &[u64] {
        &self.having[digit]
    }

    /// The numbers of the sets that have a digit.
    pub fn with(&self, digit: usize) -> &[u32] {
        &self.with[digit]
    }

    /// The numbers of the sets with `low` to `high` cells, as the first and the one after the last.
    pub fn sized(&self, low: u32, high: Option<u32>) -> (u32, u32) {
        (self.start(low as usize), self.start(high.map_or(usize::MAX, |high| high as usize + 1)))
    }

    fn start(&self, size: usize) -> u32 {
        self.starts.get(size).copied().unwrap_or(self.sets.len() as u32)
    }

    /// Position of a digit in a set, or `None` if the set lacks it.
    #[inline]
    pub fn mark(&self, set: &Als<W>, digit: usize) -> Option<&DigitPlaces<W>> {
        self.place(set, digit).map(|place| &self.marks[place])
    }

    fn place(&self, set: &Als<W>, digit: usize) -> Option<usize> {
        let before = set.digits.0 & ((1u32 << digit) - 1);
        set.digits.has(Digit(digit as u8)).then(|| set.first + before.count_ones() as usize)
    }

    /// Sets whose places of a digit all see every place of that digit in `set`; `None` if the set lacks it.
    pub fn linked(&self, digit: usize, set: u32) -> Option<SharedRow> {
        let place = self.place(&self.sets[set as usize], digit)?;
        if let Some(Some(known)) = self.linked.borrow().get(place) {
            return Some(Rc::clone(known));
        }
        let places = self.marks[place].places;
        let row = Rc::clone(self.links.borrow_mut().entry((digit, places)).or_insert_with(|| {
            let mut near = places.iter().map(|cell| self.near(digit, cell));
            let Some(mut row) = near.next() else { return Rc::default() };
            for other in near {
                match Rc::get_mut(&mut row) {
                    Some(own) => bit_rows::keep(own, &other),
                    None => row = row.iter().zip(&*other).map(|(one, other)| one & other).collect(),
                }
            }
            row
        }));
        let mut linked = self.linked.borrow_mut();
        linked.resize(self.marks.len(), None);
        linked[place] = Some(Rc::clone(&row));
        Some(row)
    }

    /// The sets that have a digit, all their places of it seen by a cell.
    fn near(&self, digit: usize, cell: usize) -> SharedRow {
        let number = digit * self.peers.len() + cell;
        if let Some(known) = &self.near.borrow()[number] {
            return Rc::clone(known);
        }
        let mut row = self.having[digit].clone();
        self.reached(digit, &self.peers[cell], &mut row);
        let row: SharedRow = row.into();
        self.near.borrow_mut()[number] = Some(Rc::clone(&row));
        row
    }

    /// Removes the sets that have the digit outside of `cells`. Sets without the digit stay.
    pub fn reached(&self, digit: usize, cells: &Bits<W>, row: &mut [u64]) {
        let (words, cell_count) = (self.having[digit].len(), self.number.len() / self.having.len());
        let numbers = &self.number[digit * cell_count..(digit + 1) * cell_count];
        for cell in (self.places[digit] - *cells).iter() {
            let begin = numbers[cell] as usize * words;
            bit_rows::take(row, &self.at[begin..begin + words]);
        }
    }

    /// The sets that lie in some cells.
    pub fn inside(&self, cells: &Bits<W>) -> SharedRow {
        if let Some(known) = self.inside.borrow().get(cells) {
            return Rc::clone(known);
        }
        let mut row = vec![0u64; bit_rows::words_for(self.sets.len())];
        for (number, _) in self.sets.iter().enumerate().filter(|(_, set)| set.cells.within(cells)) {
            bit_rows::set(&mut row, number);
        }
        let row: SharedRow = row.into();
        let mut inside = self.inside.borrow_mut();
        if inside.len() < MOST_ROWS {
            inside.insert(*cells, Rc::clone(&row));
        }
        row
    }

    /// Sets that can take part in a row of two or three whose ends share a target within `scope`.
    pub fn triples(&self, scope: &Wanted<W>) -> &LinkedTriples {
        self.triples[scope.number()].get_or_init(|| LinkedTriples::new(self, &scope.eliminations.0))
    }

    /// Sets linked to another one by two digits.
    pub fn doubly_linked(&self) -> &DoublyLinked {
        self.doubly_linked.get_or_init(|| DoublyLinked::new(self))
    }

    /// The sets whose places of a digit `may` be the end of a link by the inferences of a class.
    pub fn ends(&self, class: Class, digit: usize, may: impl Fn(Bits<W>) -> bool) -> SharedRow {
        let mut known = self.ends.borrow_mut();
        let row = known.entry((class, digit)).or_insert_with(|| {
            let mut row = vec![0; bit_rows::words_for(self.sets.len())];
            for set in self.with(digit).iter().map(|&set| set as usize) {
                if self.mark(&self.sets[set], digit).is_some_and(|mark| may(mark.places)) {
                    bit_rows::set(&mut row, set);
                }
            }
            row.into()
        });
        Rc::clone(row)
    }
}

/// Lists every unsolved cell, and the unsolved cells that a box and a line share if there are at least two, each set once.
fn groups<const W: usize>(tables: &Tables<W>, facts: &Index<W>) -> Vec<(Bits<W>, DigitSet)> {
    let mut out: Vec<(Bits<W>, DigitSet)> =
        facts.unsolved.iter().map(|cell| (Bits::single(cell), facts.candidates[cell])).collect();
    for line in tables.class(HouseClass::Line).iter() {
        for house in tables.class(HouseClass::Box).iter() {
            let cells = tables.house[line] & tables.house[house] & facts.unsolved;
            if cells.len() > 1 && out.iter().all(|(known, _)| *known != cells) {
                out.push((cells, facts.digits(&cells)));
            }
        }
    }
    out
}

struct AlsSearch<'a, const W: usize> {
    tables: &'a Tables<W>,
    facts: &'a Index<W>,
    over: usize,
    most: usize,
    house: usize,
    cut: bool,
    found: Vec<(Bits<W>, DigitSet)>,
}

impl<const W: usize> AlsSearch<'_, W> {
    /// Grows a set of `count` cells by cells of `rest`; a set that has more digits than it can still get cells for
    /// is not extended.
    fn extend(&mut self, cells: Bits<W>, count: usize, digits: DigitSet, mut rest: Bits<W>) {
        let is_locked = count > 0 && digits.len() == count + self.over;
        if is_locked && self.tables.houses_through(&cells).first() == Some(self.house) {
            self.found.push((cells, digits));
        }
        if count == self.most {
            self.cut |= !rest.is_empty() && self.tables.size > UNBOUNDED;
            return;
        }
        while let Some(cell) = rest.pop() {
            let next = digits | self.facts.candidates[cell];
            let largest = self.most.min(count + 1 + rest.len());
            if next.len() <= largest + self.over {
                let mut more = cells;
                more.insert(cell);
                self.extend(more, count + 1, next, rest);
            } else {
                self.cut |= self.tables.size > UNBOUNDED && next.len() <= count + 1 + rest.len() + self.over;
            }
        }
    }
}
