//! Almost locked sets in a running program. In: a choice of the program and the registers. Out: the sets it admits one
//! after the other; and the walk through the combinations of a family of such sets.

use super::super::facts::Facts;
use super::super::locked::{LockedSet, LockedSets};
use super::super::matches::LimitHit;
use super::super::plan::{LockedBase, LockedFilter, LockedSpec};
use super::Machine;
use crate::grid::{Bits, Cell};
use std::rc::Rc;

/// How many sets are looked at for the price of an instruction.
const CHEAP: u64 = 8;

/// A running choice.
pub(super) struct LockedState<const W: usize> {
    sets: Option<Rc<LockedSets<W>>>,
    list: List,
    at: usize,
    /// The number of the set chosen last.
    chosen: u32,
}

/// The sets to look at, by number.
enum List {
    All,
    With(usize),
    Links(Rc<[u32]>),
}

impl<const W: usize> Default for LockedState<W> {
    fn default() -> Self {
        LockedState { sets: None, list: List::All, at: 0, chosen: 0 }
    }
}

impl<const W: usize> Machine<'_, W> {
    /// Starts a choice.
    pub(super) fn start_locked(&mut self, locked: usize) {
        let spec = &self.program.locked[locked];
        let sets = self.board.facts.locked(self.board.tables, spec.sort, self.limits.locked_cells);
        if sets.cut {
            self.note(LimitHit::LockedCells);
        }
        let list = match spec.base {
            LockedBase::All => List::All,
            LockedBase::With(digit) => List::With(self.regs.v(digit)),
            LockedBase::Linked(digit, other) => {
                let linked = sets.linked(self.regs.v(digit), self.locked[other].chosen);
                List::Links(linked.map_or_else(|| Rc::from([]), |linked| linked.list))
            }
        };
        self.locked[locked] = LockedState { sets: Some(sets), list, at: 0, chosen: 0 };
    }

    /// The number of the next set.
    fn next_number(&mut self, locked: usize) -> Option<u32> {
        let spec = &self.program.locked[locked];
        let state = &self.locked[locked];
        let sets = Rc::clone(state.sets.as_ref()?);
        let numbers = match &state.list {
            List::All => None,
            List::With(digit) => Some(sets.with(*digit)),
            List::Links(list) => Some(&list[..]),
        };
        let begin = state.at;
        let count = numbers.map_or(sets.sets.len(), <[u32]>::len);
        let mut at = begin;
        let mut found = None;
        while at < count && found.is_none() {
            let number = numbers.map_or(at as u32, |numbers| numbers[at]);
            at += 1;
            found = self.admits(spec, &sets, number).then_some(number);
        }
        self.budget = self.budget.saturating_sub((at - begin) as u64 / CHEAP);
        self.locked[locked].at = at;
        found
    }

    /// The next set into a register.
    pub(super) fn next_locked(&mut self, locked: usize, to: u16, fail: u16) -> Option<u16> {
        let Some(number) = self.next_number(locked) else { return Some(fail) };
        let state = &mut self.locked[locked];
        state.chosen = number;
        if let Some(sets) = &state.sets {
            self.regs.cells[usize::from(to)] = sets.sets[number as usize].cells;
        }
        None
    }

    #[inline]
    fn admits(&self, spec: &LockedSpec, sets: &LockedSets<W>, number: u32) -> bool {
        let set = &sets.sets[number as usize];
        let sized = spec.low <= 1 && spec.high.is_none()
            || (spec.low as usize <= set.cells.len() && spec.high.is_none_or(|high| set.cells.len() <= high as usize));
        sized
            && spec.filters.iter().all(|filter| self.passes(filter, sets, set, number))
            && self.leaves_targets(spec, sets, set)
    }

    #[inline]
    fn passes(&self, filter: &LockedFilter, sets: &LockedSets<W>, set: &LockedSet<W>, number: u32) -> bool {
        match *filter {
            LockedFilter::Meets(digits) => !(set.digits & self.regs.d(digits)).is_empty(),
            LockedFilter::Avoids(digits) => (set.digits & self.regs.d(digits)).is_empty(),
            LockedFilter::Inside(cells) => set.cells.within(self.regs.c(cells)),
            LockedFilter::Apart(cells) => !set.cells.meets(self.regs.c(cells)),
            LockedFilter::Sees(digit, reach) => {
                sets.mark(set, self.regs.v(digit)).is_none_or(|mark| mark.places.within(self.regs.c(reach)))
            }
            LockedFilter::Linked(digit, other) => {
                sets.are_linked(self.regs.v(digit), self.locked[other].chosen, number)
            }
            LockedFilter::Covers(digit, cells) => {
                let cells = self.regs.c(cells);
                sets.mark(set, self.regs.v(digit)).map_or(cells.is_empty(), |mark| cells.within(&mark.places))
            }
            LockedFilter::Differs(other) => number != self.locked[other].chosen,
            LockedFilter::After(other) => number > self.locked[other].chosen,
            LockedFilter::Before(other) => number < self.locked[other].chosen,
        }
    }

    /// Whether something can still be eliminated with this set: a match without effect is no step.
    #[inline]
    fn leaves_targets(&self, spec: &LockedSpec, sets: &LockedSets<W>, set: &LockedSet<W>) -> bool {
        let Some((digit, so_far)) = spec.target else { return true };
        let digit = self.regs.v(digit);
        let Some(mark) = sets.mark(set, digit) else { return true };
        let (targets, seen) = match so_far {
            Some((targets, seen)) => (*self.regs.c(targets), *self.regs.c(seen)),
            None => (self.board.facts.places[digit], Bits::EMPTY),
        };
        targets.meets(&mark.seen) || (seen | mark.places).len() < 2
    }

    /// Collects the sets that a member of a family may be.
    pub(super) fn add_sets(&mut self, family: usize, index: usize, locked: usize) {
        self.start_locked(locked);
        let mut list = Vec::new();
        while let Some(number) = self.next_number(locked) {
            list.push(number);
        }
        self.petals[family].members.push((index as u16, list));
    }

    /// The next way to choose the members of a family of sets; the union of their cells.
    pub(super) fn next_petals(&mut self, family: usize, union: u16, fail: u16) -> Option<u16> {
        let spec = &self.program.families[family];
        let Some(petals) = spec.sets else { return Some(fail) };
        let sort = self.program.locked[petals.locked].sort;
        let sets = self.board.facts.locked(self.board.tables, sort, self.limits.locked_cells);
        let walk = Walk {
            sets: &sets,
            apart: petals.apart,
            digit: spec.target.map(|(digit, _)| self.regs.v(digit)),
            start: self.start_of(spec.target),
        };
        match self.petals[family].next(&walk, &mut self.budget) {
            None => Some(fail),
            Some(cells) => {
                self.regs.cells[usize::from(union)] = cells;
                None
            }
        }
    }

    fn start_of(&self, target: Option<(u16, Option<(u16, u16)>)>) -> (Bits<W>, Bits<W>) {
        match target {
            Some((_, Some((targets, seen)))) => (*self.regs.c(targets), *self.regs.c(seen)),
            Some((digit, None)) => (self.board.facts.places[self.regs.v(digit)], Bits::EMPTY),
            None => (Bits::EMPTY, Bits::EMPTY),
        }
    }

    /// Whether cells lie in one house and have just so many digits more than cells.
    pub(super) fn is_locked(&self, cells: &Bits<W>, over: u32) -> bool {
        let (facts, tables): (&Facts<'_, W>, _) = (self.board.facts, self.board.tables);
        !cells.is_empty()
            && cells.within(&facts.unsolved)
            && !tables.houses_through(cells).is_empty()
            && facts.digits(cells).len() == cells.len() + over as usize
    }
}

/// The members of a family of sets and the walk through their combinations, the member with the fewest sets first.
#[derive(Default)]
pub(super) struct Petals<const W: usize> {
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

struct Walk<'w, const W: usize> {
    sets: &'w LockedSets<W>,
    apart: bool,
    digit: Option<usize>,
    /// The targets left before the first member, and the cells that they see.
    start: (Bits<W>, Bits<W>),
}

impl<const W: usize> Petals<W> {
    pub fn clear(&mut self) {
        self.members.clear();
        self.levels.clear();
        self.started = false;
    }

    fn next(&mut self, walk: &Walk<'_, W>, budget: &mut u64) -> Option<Bits<W>> {
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
            if let Some(mark) = walk.digit.and_then(|digit| walk.sets.mark(set, digit)) {
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
        let cells = |level: &Level<W>| super::super::facts::cell_list(&level.cells);
        let mut pairs: Vec<_> =
            self.members.iter().zip(&self.levels).map(|((index, _), level)| (*index, cells(level))).collect();
        pairs.sort();
        pairs
    }
}
