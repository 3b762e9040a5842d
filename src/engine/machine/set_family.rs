//! Families of almost locked sets in a running program. In: for each member the sets that it may be. Out: the combinations of
//! them, one after the other.

use super::super::tables::als::AlsTable;
use super::super::tables::index::cell_list;
use crate::grid::{Bits, Cell};

/// The members of a family of sets and the walk through their combinations, the member with the fewest sets first.
#[derive(Default)]
pub(super) struct SetFamily<const W: usize> {
    members: Vec<(u16, Vec<u32>)>,
    levels: Vec<Level<W>>,
    started: bool,
}

/// The choice at one depth: where the walk is in the list, what was chosen, and what holds after it.
struct Level<const W: usize> {
    at: usize,
    cells: Bits<W>,
    taken: Bits<W>,
    targets: Bits<W>,
    seen: Bits<W>,
}

pub(super) struct Walk<'w, const W: usize> {
    pub sets: &'w AlsTable<W>,
    pub apart: bool,
    pub digit: Option<usize>,
    /// The targets left before the first member, and the cells that they see.
    pub start: (Bits<W>, Bits<W>),
}

impl<const W: usize> SetFamily<W> {
    pub fn clear(&mut self) {
        self.members.clear();
        self.levels.clear();
        self.started = false;
    }

    /// A member, with the sets that it may be.
    pub fn add(&mut self, index: u16, sets: Vec<u32>) {
        self.members.push((index, sets));
    }

    /// The next choice of all members; the cells of all of them.
    pub fn next(&mut self, walk: &Walk<'_, W>, budget: &mut u64) -> Option<Bits<W>> {
        if !self.started {
            self.started = true;
            self.members.sort_by_key(|(index, list)| (list.len(), *index));
            if self.members.is_empty() {
                return Some(Bits::EMPTY);
            }
            self.push(Bits::EMPTY, walk.start);
        }
        while let Some(depth) = self.levels.len().checked_sub(1) {
            *budget = budget.saturating_sub(1);
            let level = &mut self.levels[depth];
            let number = if *budget == 0 { None } else { self.members[depth].1.get(level.at) };
            let Some(&number) = number else {
                self.levels.pop();
                continue;
            };
            level.at += 1;
            let set = &walk.sets.sets[number as usize];
            if walk.apart && set.cells.meets(&level.taken) {
                continue;
            }
            level.cells = set.cells;
            let taken = level.taken | set.cells;
            let (mut targets, mut seen) = (level.targets, level.seen);
            if let Some(mark) = walk.digit.and_then(|digit| walk.sets.digit_places(set, digit)) {
                (targets, seen) = (targets & mark.seen, seen | mark.places);
                if targets.is_empty() && seen.len() >= 2 {
                    continue;
                }
            }
            if depth + 1 == self.members.len() {
                return Some(taken);
            }
            self.push(taken, (targets, seen));
        }
        None
    }

    fn push(&mut self, taken: Bits<W>, (targets, seen): (Bits<W>, Bits<W>)) {
        self.levels.push(Level { at: 0, cells: Bits::EMPTY, taken, targets, seen });
    }

    /// The set chosen for an index.
    pub fn member(&self, index: usize) -> Option<Bits<W>> {
        let depth = self.members.iter().position(|(known, _)| usize::from(*known) == index)?;
        self.levels.get(depth).map(|level| level.cells)
    }

    /// All members with their indexes, by index.
    pub fn pairs(&self) -> Vec<(u16, Vec<Cell>)> {
        let cells = |level: &Level<W>| cell_list(&level.cells);
        let mut pairs: Vec<_> =
            self.members.iter().zip(&self.levels).map(|((index, _), level)| (*index, cells(level))).collect();
        pairs.sort();
        pairs
    }
}
