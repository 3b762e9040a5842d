//! Subsets of a set, cut by bounds. In: the set, how many, the bounds of a [`Pick`]. Out: all subsets in
//! canonical order (by size as they grow, members ascending), each once.

use super::super::plan::{Bound, Pick, Reg, Set};
use super::super::tables::Tables;
use super::super::tables::facts::Facts;
use super::super::tables::scope::Scope;
use super::registers::Registers;
use super::state::Subsets;
use super::{Board, cover};
use crate::grid::{Bits, Digit, DigitSet, HouseSet};

/// The most memory that the sets of one choice take: large boards have more triples of cells than there is memory for.
const MOST_BYTES: usize = 256 * 1024 * 1024;

/// What was gathered on the way to a partial set.
#[derive(Clone, Copy)]
struct Partial<const W: usize> {
    chosen: Bits<W>,
    count: u32,
    digits: DigitSet,
    places: Bits<W>,
    loose: DigitSet,
    covered: Bits<W>,
    shared: Bits<W>,
    /// What can no more be added.
    barred: Bits<W>,
}

struct Picker<'a, const W: usize> {
    tables: &'a Tables<W>,
    facts: &'a Facts<'a, W>,
    scope: &'a Scope<W>,
    regs: &'a Registers<W>,
    pick: &'a Pick,
    cells: bool,
    /// At most so many digits of cells together.
    most_digits: usize,
    /// How many digits members may share that do not see each other, where that matters; and which do not count.
    loose: Option<(usize, DigitSet)>,
    /// Cells of which the others have at most so many digits.
    left: Option<(Bits<W>, usize)>,
    /// Only sets with one of these.
    only: Option<Bits<W>>,
    budget: u64,
    out: Vec<Bits<W>>,
}

/// Finds all subsets; takes what it used off `budget`, and stops early where that is gone or [`MOST_BYTES`] are full.
pub(super) fn subsets<const W: usize>(
    board: &Board<'_, W>,
    regs: &Registers<W>,
    pick: &Pick,
    budget: &mut u64,
) -> Subsets<W> {
    let Board { tables, facts, scope, .. } = *board;
    let from = match pick.from {
        Set::C(reg) => *regs.c(reg),
        Set::D(reg) => regs.d(reg).iter().map(|digit| digit.index()).collect(),
        Set::H(reg) => regs.h(reg).iter().collect(),
        Set::P(_) => Bits::EMPTY,
    };
    let cells = matches!(pick.from, Set::C(_));
    let only = without_target(tables, regs, pick, &from);
    let most = pick.bounds.iter().filter_map(|bound| match bound {
        Bound::Digits(most) => Some(*most as usize),
        _ => None,
    });
    let most_digits = most.min().unwrap_or(usize::MAX);
    let loose = pick.bounds.iter().filter_map(|bound| match bound {
        Bound::Restricted(free) => Some((0, regs.d(*free))),
        Bound::Unrestricted(most) => Some((*most as usize, DigitSet::EMPTY)),
        _ => None,
    });
    let loose = loose.min_by_key(|(most, free)| most + free.len());
    let left = pick.bounds.iter().find_map(|bound| match bound {
        Bound::Left(of, most) => Some((*regs.c(*of), *most as usize)),
        _ => None,
    });
    let (budget_left, out) = (*budget, Vec::new());
    let mut picker =
        Picker { tables, facts, scope, regs, pick, cells, most_digits, loose, left, only, budget: budget_left, out };
    let empty = Partial {
        chosen: Bits::EMPTY,
        count: 0,
        digits: DigitSet::EMPTY,
        places: Bits::EMPTY,
        loose: DigitSet::EMPTY,
        covered: Bits::EMPTY,
        shared: Bits::EMPTY,
        barred: Bits::EMPTY,
    };
    let fit = from.iter().filter(|&item| picker.add(&empty, item).is_some()).collect();
    if let Some(found) = cover::covers(tables, regs, pick, &mut picker.budget) {
        picker.out = found;
    } else if pick.bounds.contains(&Bound::Connected) {
        picker.connected(&empty, fit);
    } else {
        picker.extend(&empty, fit);
    }
    *budget = picker.budget;
    Subsets { found: picker.out, next: 0 }
}

/// The houses of which one must be picked, where there is nothing to eliminate if each of them holds a target.
fn without_target<const W: usize>(
    tables: &Tables<W>,
    regs: &Registers<W>,
    pick: &Pick,
    from: &Bits<W>,
) -> Option<Bits<W>> {
    let targets = pick.bounds.iter().find_map(|bound| match bound {
        Bound::Shared { targets, counted: true, .. } => *targets,
        _ => None,
    })?;
    let targets = regs.c(targets);
    let apart = targets.iter().all(|target| !targets.meets(&tables.peers[target]));
    apart.then(|| from.iter().filter(|&house| !tables.house[house].meets(targets)).collect())
}

impl<const W: usize> Picker<'_, W> {
    /// The partial set with one more member, if no bound forbids it.
    fn add(&self, partial: &Partial<W>, item: usize) -> Option<Partial<W>> {
        let digits = if self.cells { self.facts.candidates[item] } else { DigitSet::EMPTY };
        let together = partial.digits | digits;
        // Most of what is tried has too many digits, and no more need be known of it.
        if self.cells && together.len() > self.most_digits {
            return None;
        }
        let mut next = Partial { digits: together, ..*partial };
        if self.cells {
            next.loose = partial.loose | self.newly_loose(partial, item, digits);
        }
        for bound in &self.pick.bounds {
            let kept = match *bound {
                Bound::Places(within, most) => {
                    next.places |= self.facts.places[Digit(item as u8).index()] & *self.regs.c(within);
                    next.places.len() <= most as usize
                }
                Bound::Restricted(free) => next.loose.within(self.regs.d(free)),
                Bound::Unrestricted(most) => next.loose.len() <= most as usize,
                Bound::Parallel => {
                    let lines = self.tables.lines_by_direction(&HouseSet::single(item), true);
                    lines.has(item) && partial.chosen.iter().all(|house| lines.has(house))
                }
                Bound::Shared { among, most, targets, .. } => {
                    let cells = self.tables.house[item] & *self.regs.c(among);
                    next.shared |= next.covered & cells;
                    next.covered |= cells;
                    self.bearable(&next.shared, most, targets)
                }
                Bound::Aimed => self.leaves_target(&next, item),
                Bound::Digits(_) | Bound::Left(..) | Bound::Connected | Bound::Cover(_) => true,
            };
            if !kept {
                return None;
            }
        }
        next.chosen.insert(item);
        next.count += 1;
        if self.cells && next.count < self.pick.high {
            self.bar(partial, &mut next, item);
        }
        Some(next)
    }

    /// Bars cells that would bring too many digits, or share one with a chosen cell that they do not see.
    fn bar(&self, partial: &Partial<W>, next: &mut Partial<W>, item: usize) {
        if next.digits.len() == self.most_digits {
            next.barred |= self.facts.places_of(DigitSet::all(self.tables.size) - next.digits);
        }
        let Some((most, free)) = self.loose else { return };
        let open = next.loose | free;
        if (next.loose - free).len() < most {
            return;
        }
        // With a further digit that may be shared there are no more: the chosen ones bar what they did not before.
        let known = partial.count > 0 && (partial.loose - free).len() == most && partial.loose | free == open;
        let new = if known { Bits::single(item) } else { next.chosen };
        for cell in new.iter() {
            let shared = self.facts.places_of(self.facts.candidates[cell] - open);
            next.barred |= shared - self.tables.peers[cell];
        }
    }

    /// Whether the digit that is loose with one more member can still be eliminated somewhere.
    fn leaves_target(&self, next: &Partial<W>, item: usize) -> bool {
        let Some(digit) = next.loose.first() else { return true };
        let places = self.facts.places[digit.index()];
        let mut cells = next.chosen & places;
        if places.has(item) {
            cells.insert(item);
        }
        self.scope.gone.0[digit.index()].meets(&self.tables.seeing_every(&cells))
    }

    /// Whether guardians are few enough and leave a target that all of them see.
    fn bearable(&self, guardians: &Bits<W>, most: Option<u32>, targets: Option<Reg>) -> bool {
        most.is_none_or(|most| guardians.len() <= most as usize)
            && targets.is_none_or(|targets| (*self.regs.c(targets)).meets(&self.tables.seeing_every(guardians)))
    }

    /// Digits that the new cell shares with a chosen one it does not see.
    fn newly_loose(&self, partial: &Partial<W>, item: usize, digits: DigitSet) -> DigitSet {
        if self.loose.is_none() || (digits & partial.digits).is_empty() {
            return DigitSet::EMPTY;
        }
        let apart = partial.chosen - self.tables.peers[item];
        self.facts.digits(&apart) & digits
    }

    fn extend(&mut self, partial: &Partial<W>, mut rest: Bits<W>) {
        rest -= partial.barred;
        if !self.keep(partial, &mut rest, &Bits::EMPTY) {
            return;
        }
        while let Some(item) = rest.pop() {
            if partial.count + 1 + (rest.len() as u32) < self.pick.low || self.spent() {
                return;
            }
            if let Some(next) = self.add(partial, item) {
                self.extend(&next, rest);
            }
            if self.leaves_too_much(&partial.chosen, &rest) {
                return;
            }
        }
    }

    /// Whether cells that can no more be chosen have too many digits to be left.
    fn leaves_too_much(&self, chosen: &Bits<W>, rest: &Bits<W>) -> bool {
        self.left.is_some_and(|(of, most)| self.facts.digits(&(of - *chosen - *rest)).len() > most)
    }

    /// Sets of cells that hang together: from each smallest member, growing along cells that see the set.
    fn connected(&mut self, empty: &Partial<W>, mut fit: Bits<W>) {
        if !self.keep(empty, &mut fit, &Bits::EMPTY) {
            return;
        }
        for root in fit.iter() {
            if let Some(start) = self.add(empty, root) {
                let allowed = fit.after(root);
                let frontier = self.tables.peers[root] & allowed;
                self.grow(&start, frontier, allowed - frontier);
            }
        }
    }

    /// `frontier`: cells that may join next; `fresh`: cells that no chosen cell sees yet.
    fn grow(&mut self, partial: &Partial<W>, frontier: Bits<W>, fresh: Bits<W>) {
        let (mut frontier, fresh) = (frontier - partial.barred, fresh - partial.barred);
        if !self.keep(partial, &mut frontier, &fresh) {
            return;
        }
        while let Some(item) = frontier.pop() {
            if self.spent() {
                return;
            }
            if let Some(next) = self.add(partial, item) {
                let new = self.tables.peers[item] & fresh;
                self.grow(&next, frontier | new, fresh - new);
            }
        }
    }

    /// Keeps a set that is large enough; `false` where it cannot grow to another one. `next` are the members that may be
    /// added, `later` those that may become so.
    fn keep(&mut self, partial: &Partial<W>, next: &mut Bits<W>, later: &Bits<W>) -> bool {
        let new = self.only.is_none_or(|only| only.meets(&partial.chosen));
        if new && partial.count >= self.pick.low {
            self.out.push(partial.chosen);
        }
        if partial.count == self.pick.high {
            return false;
        }
        match self.only {
            Some(only) if !new => {
                if partial.count + 1 == self.pick.high {
                    *next &= only;
                }
                only.meets(next) || only.meets(later)
            }
            _ => true,
        }
    }

    fn spent(&mut self) -> bool {
        let full = size_of_val(self.out.as_slice()) >= MOST_BYTES;
        self.budget = if full { 0 } else { self.budget.saturating_sub(1) };
        self.budget == 0
    }
}
