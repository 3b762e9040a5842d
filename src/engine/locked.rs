//! Sets of cells that are found once for each state: almost locked sets, spots. In: facts, and the sort. Out: every
//! such set, each once however many houses hold it, with masks of its digits.

use super::facts::Facts;
use super::plan::Sort;
use super::tables::Tables;
use crate::grid::{Bits, Digit, DigitSet};
use crate::lang::ir::HouseClass;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Up to this size of board the sets have no bound but their house.
const UNBOUNDED: usize = 9;

/// One set.
pub(super) struct LockedSet<const W: usize> {
    pub cells: Bits<W>,
    pub digits: DigitSet,
    /// Where the masks of its first digit are.
    first: usize,
}

/// What a set says of one of its digits.
#[derive(Clone, Copy)]
pub(super) struct Mark<const W: usize> {
    /// The cells of the set that have it.
    pub places: Bits<W>,
    /// The cells that see all of these.
    pub seen: Bits<W>,
}

/// Lists of sets by a digit and the places of it that they link to: many sets have the same places.
type Links<const W: usize> = HashMap<(usize, Bits<W>), Rc<[u32]>>;

/// The sets that a set links to by one of its digits, as a list and as bits.
#[derive(Clone)]
pub(super) struct Linked {
    pub list: Rc<[u32]>,
    row: Rc<[u64]>,
}

impl Linked {
    /// Whether it links to a set.
    #[inline]
    fn has(&self, number: u32) -> bool {
        self.row[number as usize / 64] >> (number % 64) & 1 == 1
    }
}

/// All sets, small ones first, then in board order.
pub(super) struct LockedSets<const W: usize> {
    pub sets: Vec<LockedSet<W>>,
    /// Whether larger sets were left out.
    pub cut: bool,
    marks: Vec<Mark<W>>,
    with: Vec<Vec<u32>>,
    /// For a digit and places of it the sets that these link to, as far as they were asked for; only ever looked up.
    links: RefCell<Links<W>>,
    /// The same for each mark.
    linked: RefCell<Vec<Option<Linked>>>,
}

impl<const W: usize> LockedSets<W> {
    /// The sets of a sort.
    pub fn new(tables: &Tables<W>, facts: &Facts<'_, W>, sort: Sort, most: usize) -> Self {
        match sort {
            Sort::Locked(over) => Self::locked(tables, facts, over, most),
            Sort::Spot => Self::of(tables, facts, spots(tables, facts), false),
        }
    }

    fn locked(tables: &Tables<W>, facts: &Facts<'_, W>, over: u32, most: usize) -> Self {
        let most = if tables.size <= UNBOUNDED { tables.size } else { most };
        let mut search = Search { tables, facts, over: over as usize, most, house: 0, cut: false, found: Vec::new() };
        for house in 0..tables.house.len() {
            search.house = house;
            search.extend(Bits::EMPTY, 0, DigitSet::EMPTY, tables.house[house] & facts.unsolved);
        }
        let cut = search.cut;
        Self::of(tables, facts, search.found, cut)
    }

    fn of(tables: &Tables<W>, facts: &Facts<'_, W>, mut found: Vec<(Bits<W>, DigitSet)>, cut: bool) -> Self {
        found.sort_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then_with(|| a.iter().cmp(b.iter())));
        let mut out = LockedSets {
            sets: Vec::with_capacity(found.len()),
            cut,
            marks: Vec::new(),
            with: vec![Vec::new(); tables.size],
            links: RefCell::default(),
            linked: RefCell::default(),
        };
        for (cells, digits) in found {
            let number = out.sets.len() as u32;
            let first = out.marks.len();
            for digit in digits.iter() {
                let places = cells & facts.places[digit.index()];
                out.marks.push(Mark { places, seen: tables.seeing_every(&places) });
                out.with[digit.index()].push(number);
            }
            out.sets.push(LockedSet { cells, digits, first });
        }
        out.linked.replace(vec![None; out.marks.len()]);
        out
    }

    /// The numbers of the sets that have a digit, ascending.
    pub fn with(&self, digit: usize) -> &[u32] {
        &self.with[digit]
    }

    /// What a set says of a digit, if it has it.
    #[inline]
    pub fn mark(&self, set: &LockedSet<W>, digit: usize) -> Option<&Mark<W>> {
        self.place(set, digit).map(|place| &self.marks[place])
    }

    fn place(&self, set: &LockedSet<W>, digit: usize) -> Option<usize> {
        let before = set.digits.0 & ((1u32 << digit) - 1);
        set.digits.has(Digit(digit as u8)).then(|| set.first + before.count_ones() as usize)
    }

    /// The sets whose places of a digit are all seen by all of those of one set, ascending; none where it lacks the digit.
    pub fn linked(&self, digit: usize, set: u32) -> Option<Linked> {
        let place = self.place(&self.sets[set as usize], digit)?;
        if let Some(known) = &self.linked.borrow()[place] {
            return Some(known.clone());
        }
        let list = self.linked_to(digit, &self.marks[place]);
        let mut row = vec![0u64; self.sets.len().div_ceil(64)];
        list.iter().for_each(|&other| row[other as usize / 64] |= 1 << (other % 64));
        let linked = Linked { list, row: row.into() };
        self.linked.borrow_mut()[place] = Some(linked.clone());
        Some(linked)
    }

    /// Whether the first set links to the second by a digit.
    #[inline]
    pub fn are_linked(&self, digit: usize, first: u32, second: u32) -> bool {
        let Some(place) = self.place(&self.sets[first as usize], digit) else { return false };
        if let Some(known) = &self.linked.borrow()[place] {
            return known.has(second);
        }
        self.linked(digit, first).is_some_and(|linked| linked.has(second))
    }

    fn linked_to(&self, digit: usize, &Mark { places, seen: reach }: &Mark<W>) -> Rc<[u32]> {
        if let Some(known) = self.links.borrow().get(&(digit, places)) {
            return Rc::clone(known);
        }
        let linked = |&&other: &&u32| {
            let mark = self.mark(&self.sets[other as usize], digit);
            mark.is_some_and(|mark| mark.places.within(&reach))
        };
        let list: Rc<[u32]> = self.with[digit].iter().filter(linked).copied().collect();
        self.links.borrow_mut().insert((digit, places), Rc::clone(&list));
        list
    }
}

/// Every unsolved cell, and all unsolved cells of a box and a line where there are two or more, each once.
fn spots<const W: usize>(tables: &Tables<W>, facts: &Facts<'_, W>) -> Vec<(Bits<W>, DigitSet)> {
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

struct Search<'a, const W: usize> {
    tables: &'a Tables<W>,
    facts: &'a Facts<'a, W>,
    over: usize,
    most: usize,
    house: usize,
    cut: bool,
    found: Vec<(Bits<W>, DigitSet)>,
}

impl<const W: usize> Search<'_, W> {
    /// Grows a set of `count` cells by cells of `rest`; a set that has more digits than it can still get cells for
    /// is not extended.
    fn extend(&mut self, cells: Bits<W>, count: usize, digits: DigitSet, mut rest: Bits<W>) {
        let first = |cells: &Bits<W>| self.tables.houses_through(cells).first();
        if count > 0 && digits.len() == count + self.over && first(&cells) == Some(self.house) {
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
