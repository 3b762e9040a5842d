//! Almost locked sets in a running program. In: a choice of the program and the registers. Out: the sets it admits one
//! after the other.

use super::super::matches::LimitHit;
use super::super::plan::{AlsBase, AlsFilter, AlsSpec, TripleRole};
use super::super::tables::als::{Als, AlsTable};
use super::super::tables::bit_rows;
use super::super::tables::facts::Facts;
use super::set_family::Walk;
use super::state::LockedState;
use super::{Machine, SearchContext};
use crate::grid::Bits;

/// Most sets for which links are tabulated at once.
const MOST_SETS: usize = 4_096;

/// How many sets are looked at for the price of an instruction.
const CHEAP: u64 = 8;

impl<const W: usize> Machine<'_, W> {
    /// Starts a choice: what can be said of all sets at once is.
    pub(super) fn start_locked(&mut self, locked: usize) {
        let spec = &self.program.locked[locked];
        let sets = match self.locked[locked].sets.take() {
            Some(known) => known,
            None => self.context.facts.als_table(self.context.tables, spec.sort, self.limits.locked_cells),
        };
        if sets.is_cut {
            self.note(LimitHit::LockedCells);
        }
        let mut row = std::mem::take(&mut self.locked[locked].row);
        row.clear();
        match spec.base {
            AlsBase::All => row.resize(sets.sets.len().div_ceil(64), !0),
            AlsBase::With(digit) => row.extend_from_slice(sets.row_with(self.regs.v(digit))),
        }
        if spec.low > 1 || spec.high.is_some() || spec.base == AlsBase::All {
            let (from, to) = sets.size_range(spec.low, spec.high);
            drop_below(&mut row, from);
            drop_from(&mut row, to);
        }
        spec.filters.iter().for_each(|filter| self.narrow(filter, &sets, &mut row));
        self.budget = self.budget.saturating_sub(row.len() as u64 / CHEAP);
        self.locked[locked] = LockedState { sets: Some(sets), row, word: 0, chosen: 0 };
    }

    /// Applies a filter to all sets at once, if it is known of all.
    fn narrow(&self, filter: &AlsFilter, sets: &AlsTable<W>, row: &mut [u64]) {
        match *filter {
            AlsFilter::Meets(digits) => {
                let digits = self.regs.d(digits);
                match digits.first().filter(|_| digits.len() == 1) {
                    Some(digit) => and(row, Some(sets.row_with(digit.index()))),
                    None => row.iter_mut().enumerate().for_each(|(at, word)| {
                        *word &= digits.iter().fold(0, |all, digit| all | sets.row_with(digit.index())[at]);
                    }),
                }
            }
            AlsFilter::Avoids(digits) => {
                for digit in self.regs.d(digits).iter() {
                    bit_rows::remove(row, sets.row_with(digit.index()));
                }
            }
            AlsFilter::Differs(other) => {
                let chosen = self.locked[other].chosen;
                if let Some(word) = row.get_mut(chosen as usize / 64) {
                    *word &= !(1 << (chosen % 64));
                }
            }
            AlsFilter::After(other) => drop_below(row, self.locked[other].chosen + 1),
            AlsFilter::Before(other) => drop_from(row, self.locked[other].chosen),
            AlsFilter::Inside(cells) => and(row, Some(&sets.within(self.regs.c(cells)))),
            AlsFilter::Sees(digit, reach) => sets.remove_outside(self.regs.v(digit), self.regs.c(reach), row),
            AlsFilter::LinkedTo(digit, other) => {
                let (digit, other) = (self.regs.v(digit), self.locked[other].chosen);
                if sets.sets.len() <= MOST_SETS {
                    and(row, sets.linked(digit, other).as_deref());
                } else if let Some(mark) = sets.digit_places(&sets.sets[other as usize], digit) {
                    sets.remove_outside(digit, &mark.seen, row);
                }
            }
            // With many more sets to know it of all takes longer than to try some.
            AlsFilter::Triple(_) | AlsFilter::DoublyLinked { .. } if sets.sets.len() > MOST_SETS => {}
            AlsFilter::Triple(part) => {
                let sequences = sets.sequences(self.context.scope);
                let fit = match part {
                    TripleRole::Linked(digit) => &sequences.linked[self.regs.v(digit)],
                    TripleRole::Apart(digit) => &sequences.separated[self.regs.v(digit)],
                    TripleRole::End => &sequences.ends,
                    TripleRole::Middle => &sequences.middles,
                };
                and(row, Some(fit));
            }
            AlsFilter::DoublyLinked { digits, later } => {
                and(row, Some(sets.doubly_linked().row(digits.map(|digit| self.regs.v(digit)), later)));
            }
            AlsFilter::End(digit) => {
                let (SearchContext { tables, facts, scope, .. }, digit) = (self.context, self.regs.v(digit));
                if let Some(class) = scope.class {
                    and(row, Some(&sets.ends(class, digit, |cells| facts.may_be_end(tables, class, (digit, cells)))));
                }
            }
            AlsFilter::Apart(_) | AlsFilter::Covers(..) => {}
        }
    }

    /// The number of the next set.
    fn next_number(&mut self, locked: usize) -> Option<u32> {
        let spec = &self.program.locked[locked];
        let state = &mut self.locked[locked];
        let (sets, mut row, mut at) = (state.sets.take()?, std::mem::take(&mut state.row), state.word);
        let mut found = None;
        let mut looked = 0;
        while found.is_none() && at < row.len() {
            let word = &mut row[at];
            if *word == 0 {
                at += 1;
                continue;
            }
            let number = at as u32 * 64 + word.trailing_zeros();
            *word &= *word - 1;
            looked += 1;
            found = self.admits(spec, &sets, number).then_some(number);
        }
        let state = &mut self.locked[locked];
        state.chosen = found.unwrap_or(state.chosen);
        (state.sets, state.row, state.word) = (Some(sets), row, at);
        self.budget = self.budget.saturating_sub(looked / CHEAP);
        found
    }

    /// The next set into a register.
    pub(super) fn next_locked(&mut self, locked: usize, to: u16) -> bool {
        let Some(number) = self.next_number(locked) else { return false };
        if let Some(sets) = &self.locked[locked].sets {
            self.regs.cells[usize::from(to)] = sets.sets[number as usize].cells;
        }
        true
    }

    /// What cannot be said of all sets at once.
    #[inline]
    fn admits(&self, spec: &AlsSpec, sets: &AlsTable<W>, number: u32) -> bool {
        let set = &sets.sets[number as usize];
        spec.filters.iter().all(|filter| self.passes(filter, sets, set)) && self.leaves_targets(spec, sets, set)
    }

    #[inline]
    fn passes(&self, filter: &AlsFilter, sets: &AlsTable<W>, set: &Als<W>) -> bool {
        match *filter {
            AlsFilter::Apart(cells) => !set.cells.meets(self.regs.c(cells)),
            AlsFilter::Covers(digit, cells) => {
                let cells = self.regs.c(cells);
                sets.digit_places(set, self.regs.v(digit)).map_or(cells.is_empty(), |mark| cells.within(&mark.places))
            }
            _ => true,
        }
    }

    /// Whether something can still be eliminated with this set: a match without effect is no step.
    #[inline]
    fn leaves_targets(&self, spec: &AlsSpec, sets: &AlsTable<W>, set: &Als<W>) -> bool {
        let Some((digit, so_far)) = spec.target else { return true };
        let digit = self.regs.v(digit);
        let Some(mark) = sets.digit_places(set, digit) else { return true };
        let (targets, seen) = match so_far {
            Some((targets, seen)) => (*self.regs.c(targets), *self.regs.c(seen)),
            None => (self.context.scope.eliminations.0[digit], Bits::EMPTY),
        };
        {
            let all = seen | mark.places;
            targets.meets(&mark.seen) || all.is_empty() || all.is_one()
        }
    }

    /// Collects the sets that a member of a family may be; `false` where there is none.
    pub(super) fn add_sets(&mut self, family: usize, index: usize, locked: usize) -> bool {
        self.start_locked(locked);
        let mut list = Vec::new();
        while let Some(number) = self.next_number(locked) {
            list.push(number);
        }
        let some = !list.is_empty();
        self.set_families[family].add(index as u16, list);
        some
    }

    /// The next way to choose the members of a family of sets; the union of their cells.
    pub(super) fn next_sets(&mut self, family: usize, union: u16) -> bool {
        let spec = &self.program.families[family];
        let Some(of_sets) = spec.sets else { return false };
        let sort = self.program.locked[of_sets.locked].sort;
        let sets = self.context.facts.als_table(self.context.tables, sort, self.limits.locked_cells);
        let walk = Walk {
            sets: &sets,
            apart: of_sets.apart,
            digit: spec.target.map(|(digit, _)| self.regs.v(digit)),
            start: self.start_of(spec.target),
        };
        match self.set_families[family].next(&walk, &mut self.budget) {
            None => false,
            Some(cells) => {
                self.regs.cells[usize::from(union)] = cells;
                true
            }
        }
    }

    fn start_of(&self, target: Option<(u16, Option<(u16, u16)>)>) -> (Bits<W>, Bits<W>) {
        match target {
            Some((_, Some((targets, seen)))) => (*self.regs.c(targets), *self.regs.c(seen)),
            Some((digit, None)) => (self.context.scope.eliminations.0[self.regs.v(digit)], Bits::EMPTY),
            None => (Bits::EMPTY, Bits::EMPTY),
        }
    }

    /// Whether cells lie in one house and have exactly `over` digits more than cells.
    pub(super) fn is_locked(&self, cells: &Bits<W>, over: u32) -> bool {
        let (facts, tables): (&Facts<'_, W>, _) = (self.context.facts, self.context.tables);
        !cells.is_empty()
            && cells.within(&facts.unsolved)
            && !tables.houses_through(cells).is_empty()
            && facts.digits(cells).len() == cells.len() + over as usize
    }
}

/// Keeps the bits that are in another row as well; none where there is no other.
#[inline]
fn and(row: &mut [u64], other: Option<&[u64]>) {
    match other {
        Some(other) => bit_rows::intersect(row, other),
        None => row.fill(0),
    }
}

/// Clears the bits before a number.
#[inline]
fn drop_below(row: &mut [u64], number: u32) {
    let at = (number / 64) as usize;
    let whole = at.min(row.len());
    row[..whole].fill(0);
    if let Some(word) = row.get_mut(at) {
        *word &= !0 << (number % 64);
    }
}

/// Clears the bits from a number on.
#[inline]
fn drop_from(row: &mut [u64], number: u32) {
    let at = (number / 64) as usize;
    if let Some(word) = row.get_mut(at) {
        *word &= (1 << (number % 64)) - 1;
        row[at + 1..].fill(0);
    }
}
