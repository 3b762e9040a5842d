//! Templates: complete placements of one digit, one in each house.
//!
//! In: a board and a state. Out: the places in no template and the places in every template; `None` if there are too
//! many templates.
//!
//! For each place that no earlier template covers, a search tries to build a template with the place. It fills house
//! after house, always the house with the fewest places first. A template has a place in each row, so a few templates
//! cover nearly every possible place.
//!
//! For several digits: if all templates of one digit have a place, no template of another digit can use the place. Such
//! places are excluded and the templates are searched again, in rounds until nothing changes.

use super::board::BoardMasks;
use super::index::Index;
use crate::grid::{Bits, Digit, DigitSet, HouseSet};
use crate::lang::ir::HouseClass;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

/// Maximum number of placements tried for one digit.
const MAX_PLACEMENTS: usize = 20_000;

/// The templates of each digit of a state, searched on first use.
pub(crate) struct Templates<'m, const W: usize> {
    digits: Vec<OnceCell<Option<TemplateSummary<W>>>>,
    memory: Option<&'m TemplateMemory<W>>,
    /// Results for several digits together, by the set of these digits.
    joint_summaries: RefCell<BTreeMap<DigitSet, JointSummaries<W>>>,
}

/// For each digit, the cells that held the digit or had it as a candidate in an earlier state, and the latest result.
/// Most results stay valid, because a step seldom changes more than one or two digits.
#[derive(Clone, Default)]
pub(crate) struct TemplateMemory<const W: usize>(RefCell<BTreeMap<usize, DigitRecord<W>>>);

type DigitRecord<const W: usize> = ([Bits<W>; 2], Option<TemplateSummary<W>>);

/// The digits of a set in order, each with its summary. The summary is `None` if the digit has too many templates.
pub(crate) type JointSummaries<const W: usize> = Vec<(Digit, Option<TemplateSummary<W>>)>;

/// Places common to all templates of a digit, and places in no template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TemplateSummary<const W: usize> {
    /// Places that are in no template.
    pub in_none: Bits<W>,
    /// Places that are in every template; empty if there is no template.
    pub in_every: Bits<W>,
}

impl<'m, const W: usize> Templates<'m, W> {
    pub fn new(size: usize, memory: Option<&'m TemplateMemory<W>>) -> Self {
        Templates { digits: (0..size).map(|_| OnceCell::new()).collect(), memory, joint_summaries: RefCell::default() }
    }

    /// Summarizes the templates of a digit; `None` if there are too many templates.
    pub fn of(&self, tables: &BoardMasks<W>, facts: &Index<W>, digit: usize) -> Option<TemplateSummary<W>> {
        *self.digits[digit].get_or_init(|| {
            let places = facts.places[digit];
            let Some(TemplateMemory(memory)) = self.memory else { return summarize(tables, facts, digit, places) };
            let cells = [cells_with_value(tables, facts, digit), places];
            let mut memory = memory.borrow_mut();
            if let Some((earlier_cells, summary)) = memory.get(&digit)
                && *earlier_cells == cells
            {
                return *summary;
            }
            let summary = summarize(tables, facts, digit, places);
            memory.insert(digit, (cells, summary));
            summary
        })
    }

    /// Summarizes the templates of several digits. Templates that leave no room for the other digits are ignored.
    pub fn joint_summaries(&self, tables: &BoardMasks<W>, facts: &Index<W>, digits: DigitSet) -> JointSummaries<W> {
        if let Some(summaries) = self.joint_summaries.borrow().get(&digits) {
            return summaries.clone();
        }
        let mut summaries: JointSummaries<W> =
            digits.iter().map(|digit| (digit, self.of(tables, facts, digit.index()))).collect();
        // The places that templates of each digit may still use.
        let mut usable: Vec<Bits<W>> = summaries.iter().map(|(digit, _)| facts.places[digit.index()]).collect();
        loop {
            let in_every: Vec<Bits<W>> =
                summaries.iter().map(|(_, summary)| summary.map_or(Bits::EMPTY, |summary| summary.in_every)).collect();
            let mut has_changed = false;
            for (index, (digit, digit_summary)) in summaries.iter_mut().enumerate() {
                let others = in_every.iter().enumerate().filter(|&(other, _)| other != index);
                let used_by_others = others.fold(Bits::EMPTY, |used, (_, places)| used | *places);
                if digit_summary.is_none() || !used_by_others.meets(&usable[index]) {
                    continue;
                }
                usable[index] -= used_by_others;
                has_changed = true;
                *digit_summary = summarize(tables, facts, digit.index(), usable[index]);
                if let Some(summary) = digit_summary {
                    // The new summary covers only usable places.
                    summary.in_none |= facts.places[digit.index()] - usable[index];
                }
            }
            if !has_changed {
                break;
            }
        }
        self.joint_summaries.borrow_mut().insert(digits, summaries.clone());
        summaries
    }
}

fn cells_with_value<const W: usize>(tables: &BoardMasks<W>, facts: &Index<W>, digit: usize) -> Bits<W> {
    (0..tables.cell_count).filter(|&cell| facts.values[cell].has(Digit(digit as u8))).collect()
}

/// Summarizes the templates of a digit that lie within `places`; `None` if there are too many templates.
fn summarize<const W: usize>(
    tables: &BoardMasks<W>,
    facts: &Index<W>,
    digit: usize,
    places: Bits<W>,
) -> Option<TemplateSummary<W>> {
    let placed = cells_with_value(tables, facts, digit);
    let filled = tables.houses_meeting(&placed);
    let free = places - tables.seeing_some(&placed);
    // Houses still without the digit. A house with fewer cells than digits need not have the digit.
    let lacking: HouseSet = (0..tables.cells_of_house.len())
        .filter(|&house| tables.cells_of_house[house].len() == tables.size && !filled.has(house))
        .collect();
    let mut search = TemplateSearch { tables, possible: Bits::EMPTY, placements_left: MAX_PLACEMENTS };
    for place in free.iter() {
        if !search.possible.has(place) {
            search.try_place(place, &free, &lacking)?;
        }
    }
    let possible = search.possible;
    let rows = tables.class(HouseClass::Row).iter().map(|row| possible & tables.cells_of_house[row]);
    let in_every = rows.filter(|in_row| in_row.len() == 1).fold(Bits::EMPTY, |all, in_row| all | in_row);
    Some(TemplateSummary { in_none: places - possible, in_every })
}

/// The search for templates, one at a time.
struct TemplateSearch<'t, const W: usize> {
    tables: &'t BoardMasks<W>,
    possible: Bits<W>,
    placements_left: usize,
}

impl<const W: usize> TemplateSearch<'_, W> {
    /// Returns true if a template can be completed with `place` and, for the other houses of `lacking`, places of
    /// `free`. If so, adds the places of the template to `possible`. Returns `None` if the limit on placements is
    /// reached.
    fn try_place(&mut self, place: usize, free: &Bits<W>, lacking: &HouseSet) -> Option<bool> {
        self.placements_left = self.placements_left.checked_sub(1)?;
        let mut free = *free - self.tables.peers[place];
        free.remove(place);
        let is_filled = self.fill(&free, &(*lacking - self.tables.houses_of[place]))?;
        if is_filled {
            self.possible.insert(place);
        }
        Some(is_filled)
    }

    /// Returns true if the houses of `lacking` can be filled with places of `free`. Fills the house with the fewest
    /// places first.
    fn fill(&mut self, free: &Bits<W>, lacking: &HouseSet) -> Option<bool> {
        let mut fewest = usize::MAX;
        let mut fewest_places = Bits::EMPTY;
        for house in lacking.iter() {
            let places = *free & self.tables.cells_of_house[house];
            let count = places.len();
            if count < fewest {
                (fewest, fewest_places) = (count, places);
            }
            if count < 2 {
                break;
            }
        }
        if fewest == usize::MAX {
            return Some(true);
        }
        // Try places that are in no earlier template first, so that few templates are needed.
        for cells in [fewest_places - self.possible, fewest_places & self.possible] {
            for place in cells.iter() {
                if self.try_place(place, free, lacking)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }
}
