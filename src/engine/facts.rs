//! What a state says, indexed. In: a state. Out: [`Facts`]: places of each digit, cells by number of
//! candidates, partners in houses. Derived afresh for each state and shared by all searches on it.

use super::aim::{Aim, Aimed};
use super::exclusions::Exclusions;
use super::fillings::{Fillings, Known};
use super::locked::LockedSets;
use super::marks::Marks;
use super::plan::{Class, Sort};
use super::reach::Reach;
use super::scope::{SCOPES, Scope};
use super::tables::Tables;
use crate::grid::{Bits, Cell, Digit, DigitSet, State};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The largest board has 25 digits.
pub(super) const DIGITS: usize = 25;

/// The indexes of one state.
pub(super) struct Facts<'s, const W: usize> {
    /// Candidates of each cell; none where it is solved.
    pub candidates: Box<[DigitSet]>,
    /// For each cell the digit placed there, as a set.
    pub values: Vec<DigitSet>,
    /// The unsolved cells.
    pub unsolved: Bits<W>,
    /// For each digit the cells that have it as a candidate.
    pub places: [Bits<W>; DIGITS],
    /// What else is known of the aim of the search.
    pub aim: Option<Box<Aimed<'s, W>>>,
    /// For each number the cells with just so many candidates.
    pub exact: [Bits<W>; DIGITS + 1],
    /// What the puzzle itself leaves possible in each cell.
    pub open: Box<[DigitSet]>,
    /// Every way to place each digit.
    pub fillings: Fillings<'s, W>,
    /// Ways to fill a few cells.
    pub exclusions: Exclusions,
    open_to: std::cell::OnceCell<Box<[Bits<W>; DIGITS]>>,
    partners: std::cell::OnceCell<Partners<W>>,
    locked: RefCell<BTreeMap<(Sort, usize), Rc<LockedSets<W>>>>,
    reach: Reach<W>,
    scopes: [std::cell::OnceCell<Box<Scope<W>>>; SCOPES],
}

/// For each digit: which cells have a house with just one other place, and which place that is.
struct Partners<const W: usize> {
    any: [Bits<W>; DIGITS],
    of: Vec<Bits<W>>,
}

impl<'s, const W: usize> Facts<'s, W> {
    pub fn new(tables: &Tables<W>, state: &State) -> Self {
        Self::knowing(tables, state, None)
    }

    /// The same, with what was found on states before.
    pub fn knowing(tables: &Tables<W>, state: &State, known: Option<&'s Known<W>>) -> Self {
        let (values, candidates) = state.parts();
        let mut facts = Facts {
            candidates: candidates.into(),
            values: values.iter().map(|value| DigitSet::single_of(*value)).collect(),
            unsolved: Bits::EMPTY,
            places: [Bits::EMPTY; DIGITS],
            aim: None,
            exact: [Bits::EMPTY; DIGITS + 1],
            open: state.open_all().into(),
            fillings: Fillings::new(tables.size, known),
            exclusions: Exclusions::default(),
            open_to: std::cell::OnceCell::new(),
            partners: std::cell::OnceCell::new(),
            locked: RefCell::new(BTreeMap::new()),
            reach: Reach::default(),
            scopes: Default::default(),
        };
        for cell in 0..tables.cell_count {
            if values[cell].is_none() {
                facts.unsolved.insert(cell);
                facts.exact[candidates[cell].len()].insert(cell);
                candidates[cell].iter().for_each(|digit| facts.places[digit.index()].insert(cell));
            }
        }
        facts
    }

    /// Says what the searches look for.
    pub fn aim(&mut self, aim: &'s Aim) {
        let aimed = Aimed::new(aim, self);
        self.aim = Some(Box::new(aimed));
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
        let all = self.open_to.get_or_init(|| {
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

    /// The sets of a sort; almost locked ones on boards of more than nine digits with at most `most` cells.
    pub fn locked(&self, tables: &Tables<W>, sort: Sort, most: usize) -> Rc<LockedSets<W>> {
        let find = || Rc::new(LockedSets::new(tables, self, sort, most));
        Rc::clone(self.locked.borrow_mut().entry((sort, most)).or_insert_with(find))
    }

    /// What a search is for that is bound to no class.
    pub fn plain_scope(&self) -> &Scope<W> {
        self.scopes[0].get_or_init(|| Box::new(Scope::plain(&Marks(self.places), self.aim.as_deref())))
    }

    /// What a search is for whose rule has a class; almost locked sets have at most `most` cells, on boards where that is
    /// limited.
    pub fn scope(&self, tables: &Tables<W>, class: Class, most: usize) -> &Scope<W> {
        let plain = self.plain_scope();
        // What is placed in a cell with one candidate excludes nothing there; against a digit that is gone already,
        // neither.
        let open = |aimed: &Aimed<'_, W>| aimed.put.cells().within(&aimed.gone.cells());
        if !self.exact[1].is_empty() || !self.aim.as_deref().is_none_or(open) {
            return plain;
        }
        let Some(reach) = self.reach.of(tables, self, class, most) else { return plain };
        self.scopes[1 + class as usize].get_or_init(|| Box::new(Scope::of(class, reach, plain, tables)))
    }

    /// Whether rules may be taken to be sound: not where what goes against digits is looked for.
    pub fn trusted(&self) -> bool {
        self.aim.is_none()
    }

    /// Digits of which some candidate is in no way to fill, and where one is `placed` also those with one in every way.
    pub fn hopeful(&self, tables: &Tables<W>, placed: bool) -> DigitSet {
        if !self.trusted() {
            return DigitSet::all(tables.size);
        }
        let some = |digit: &usize| match self.fillings.of(tables, self, *digit) {
            None => true,
            Some(ways) => !ways.impossible.is_empty() || placed && !ways.certain.is_empty(),
        };
        (0..tables.size).filter(some).map(|digit| Digit(digit as u8)).collect()
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
pub(super) fn cell_list<const W: usize>(cells: &Bits<W>) -> Vec<Cell> {
    cells.cells().collect()
}
