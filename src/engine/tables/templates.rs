//! Templates: complete placements of one digit, one in each house.
//!
//! In: a board and a state. Out: the places in no template and those in every template; `None` if there are too many to
//! follow.
//!
//! For each place that no template found so far has, a template with it is searched: house by house, always the one with the
//! fewest places first. A template has a place in each row, so a few templates show nearly every possible place.
//!
//! With several digits, a template of one digit can't use a place that all templates of another digit have. Such places are
//! excluded, and the templates followed again, in rounds until nothing changes.

use super::board::Tables;
use super::index::Index;
use crate::grid::{Bits, Digit, DigitSet, HouseSet};
use crate::lang::ir::HouseClass;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

/// Most placements tried for one digit.
const MOST: usize = 20_000;

/// The templates of each digit of a state, found when they are asked for.
pub(crate) struct Templates<'m, const W: usize> {
    digits: Vec<OnceCell<Option<TemplateSummary<W>>>>,
    known: Option<&'m TemplateMemory<W>>,
    /// Results for several digits together.
    together: RefCell<BTreeMap<DigitSet, Together<W>>>,
}

/// Results of earlier states, the latest for each digit: a step seldom touches more than one or two digits.
#[derive(Clone, Default)]
pub(crate) struct TemplateMemory<const W: usize> {
    digits: RefCell<BTreeMap<usize, DigitRecord<W>>>,
}

/// The cells that hold a digit, its places, and what its templates have in common.
type DigitRecord<const W: usize> = (Bits<W>, Bits<W>, Option<TemplateSummary<W>>);

impl<const W: usize> TemplateMemory<W> {
    /// Returns the earlier result if nothing has changed for the digit, otherwise the result of `find`.
    fn or_find(
        &self,
        digit: usize,
        (placed, places): (Bits<W>, Bits<W>),
        find: impl FnOnce() -> Option<TemplateSummary<W>>,
    ) -> Option<TemplateSummary<W>> {
        if let Some(&(before, there, templates)) = self.digits.borrow().get(&digit)
            && (before, there) == (placed, places)
        {
            return templates;
        }
        let templates = find();
        self.digits.borrow_mut().insert(digit, (placed, places, templates));
        templates
    }
}

/// For each digit of a set, in order, its summary; `None` if the digit has too many templates to follow.
pub(crate) type Together<const W: usize> = Vec<(Digit, Option<TemplateSummary<W>>)>;

/// Places common to all templates of a digit, and places in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TemplateSummary<const W: usize> {
    /// Places that are in no template.
    pub in_none: Bits<W>,
    /// Places in every template; empty if there is no template.
    pub in_every: Bits<W>,
}

impl<'m, const W: usize> Templates<'m, W> {
    pub fn new(size: usize, known: Option<&'m TemplateMemory<W>>) -> Self {
        Templates { digits: (0..size).map(|_| OnceCell::new()).collect(), known, together: RefCell::default() }
    }

    /// Summary of a digit's templates; `None` if there are too many to follow.
    pub fn of(&self, tables: &Tables<W>, facts: &Index<W>, digit: usize) -> Option<TemplateSummary<W>> {
        *self.digits[digit].get_or_init(|| {
            let places = facts.places[digit];
            let Some(known) = self.known else { return summary(tables, facts, digit, places) };
            let placed = placed(tables, facts, digit);
            known.or_find(digit, (placed, places), || summary(tables, facts, digit, places))
        })
    }

    /// Summaries of several digits, counting only templates that leave room for the other digits.
    pub fn together(&self, tables: &Tables<W>, facts: &Index<W>, digits: DigitSet) -> Together<W> {
        if let Some(known) = self.together.borrow().get(&digits) {
            return known.clone();
        }
        let mut all: Together<W> = digits.iter().map(|digit| (digit, self.of(tables, facts, digit.index()))).collect();
        let mut places: Vec<Bits<W>> = all.iter().map(|(digit, _)| facts.places[digit.index()]).collect();
        loop {
            let in_every: Vec<Bits<W>> = all.iter().map(|(_, w)| w.map_or(Bits::EMPTY, |w| w.in_every)).collect();
            let mut changed = false;
            for (index, (digit, known)) in all.iter_mut().enumerate() {
                let others = in_every.iter().enumerate().filter(|&(other, _)| other != index);
                let taken = others.fold(Bits::EMPTY, |taken, (_, places)| taken | *places);
                if known.is_none() || !taken.meets(&places[index]) {
                    continue;
                }
                places[index] -= taken;
                changed = true;
                let excluded = facts.places[digit.index()] - places[index];
                *known = summary(tables, facts, digit.index(), places[index])
                    .map(|left| TemplateSummary { in_none: left.in_none | excluded, ..left });
            }
            if !changed {
                break;
            }
        }
        self.together.borrow_mut().insert(digits, all.clone());
        all
    }
}

/// The cells that hold a digit.
fn placed<const W: usize>(tables: &Tables<W>, facts: &Index<W>, digit: usize) -> Bits<W> {
    (0..tables.cell_count).filter(|&cell| facts.values[cell].has(Digit(digit as u8))).collect()
}

/// The templates of a digit that keep to some of its places.
fn summary<const W: usize>(
    tables: &Tables<W>,
    facts: &Index<W>,
    digit: usize,
    places: Bits<W>,
) -> Option<TemplateSummary<W>> {
    let placed = placed(tables, facts, digit);
    let (filled, free) = (tables.houses_meeting(&placed), places - tables.seeing_some(&placed));
    // Only houses that hold every digit must get this one.
    let lacking: HouseSet = (0..tables.house.len())
        .filter(|&house| tables.house[house].len() == tables.size && !filled.has(house))
        .collect();
    let mut search = TemplateSearch { tables, possible: Bits::EMPTY, left: MOST };
    for place in free.iter() {
        if !search.possible.has(place) {
            search.place(place, &free, &lacking)?;
        }
    }
    let possible = search.possible;
    let rows = tables.class(HouseClass::Row).iter().map(|row| possible & tables.house[row]);
    let in_every = rows.filter(|here| here.len() == 1).fold(Bits::EMPTY, |all, here| all | here);
    Some(TemplateSummary { in_none: places - possible, in_every })
}

/// The search for templates, one at a time.
struct TemplateSearch<'t, const W: usize> {
    tables: &'t Tables<W>,
    /// The places of the templates so far.
    possible: Bits<W>,
    /// Placements that may still be tried.
    left: usize,
}

impl<const W: usize> TemplateSearch<'_, W> {
    /// Returns true if some template has `place` and fills `lacking` from `free`, and records its places. `None` if the
    /// limit of placements was reached.
    fn place(&mut self, place: usize, free: &Bits<W>, lacking: &HouseSet) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        let mut free = *free - self.tables.peers[place];
        free.remove(place);
        let fills = self.fill(&free, &(*lacking - self.tables.houses_of[place]))?;
        if fills {
            self.possible.insert(place);
        }
        Some(fills)
    }

    /// Returns true if the houses can be filled, the one with the fewest places first.
    fn fill(&mut self, free: &Bits<W>, lacking: &HouseSet) -> Option<bool> {
        let mut fewest = (usize::MAX, Bits::EMPTY);
        for house in lacking.iter() {
            let here = *free & self.tables.house[house];
            let count = here.len();
            if count < fewest.0 {
                fewest = (count, here);
            }
            if count < 2 {
                break;
            }
        }
        if fewest.0 == usize::MAX {
            return Some(true);
        }
        // Places not yet seen in a template come first, so few templates are needed.
        for cells in [fewest.1 - self.possible, fewest.1 & self.possible] {
            for place in cells.iter() {
                if self.place(place, free, lacking)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }
}
