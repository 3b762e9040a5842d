//! Subsets of a set, cut by bounds. In: the set, how many, the bounds of a [`Pick`]. Out: all subsets in
//! canonical order (by size as they grow, members ascending), each once.

use super::super::plan::{Bound, Pick, Set};
use super::super::tables::BoardMasks;
use super::super::tables::facts::Facts;
use super::registers::Registers;
use super::state::Subsets;
use super::{SearchContext, cover};
use crate::grid::{Bits, Digit, DigitSet};

/// The most memory that the sets of one choice take: large boards have more triples of cells than there is memory for.
const MOST_BYTES: usize = 256 * 1024 * 1024;

/// A set that is not complete.
struct Partial<const W: usize> {
    chosen: Bits<W>,
    count: u32,
    gathered: Gathered<W>,
    /// What can no more be added.
    barred: Bits<W>,
}

/// What is known of the members of a set together.
#[derive(Clone, Copy)]
struct Gathered<const W: usize> {
    digits: DigitSet,
    places: Bits<W>,
    loose: DigitSet,
    /// The cells that may have to see all of it.
    seeing: Bits<W>,
}

struct Picker<'a, const W: usize> {
    tables: &'a BoardMasks<W>,
    facts: &'a Facts<'a, W>,
    regs: &'a Registers<W>,
    pick: &'a Pick,
    cells: bool,
    /// Most digits that cells may have together.
    most_digits: usize,
    /// How many digits members may share that do not see each other, where that matters; and which do not count.
    loose: Option<(usize, DigitSet)>,
    budget: u64,
    out: Vec<Bits<W>>,
}

/// Finds all subsets; takes what it used off `budget`, and stops early where that is gone or [`MOST_BYTES`] are full.
pub(super) fn subsets<const W: usize>(
    context: &SearchContext<'_, W>,
    regs: &Registers<W>,
    pick: &Pick,
    budget: &mut u64,
) -> Subsets<W> {
    let SearchContext { tables, facts, .. } = *context;
    let from = match pick.from {
        Set::C(reg) => *regs.c(reg),
        Set::D(reg) => regs.d(reg).iter().map(|digit| digit.index()).collect(),
        Set::H(reg) => regs.h(reg).iter().collect(),
        Set::P(_) => Bits::EMPTY,
    };
    let cells = matches!(pick.from, Set::C(_));
    let most = pick.bounds.iter().filter_map(|bound| match bound {
        Bound::Digits(most) => Some(*most as usize),
        _ => None,
    });
    let most_digits = most.min().unwrap_or(usize::MAX);
    let loose = pick.bounds.iter().filter_map(|bound| match *bound {
        Bound::Apart(free, most) => Some((most as usize, free.map_or(DigitSet::EMPTY, |free| regs.d(free)))),
        _ => None,
    });
    let loose = loose.min_by_key(|(most, free)| most + free.len());
    let (budget_left, out) = (*budget, Vec::new());
    let mut picker = Picker { tables, facts, regs, pick, cells, most_digits, loose, budget: budget_left, out };
    let seeing = pick.bounds.iter().find_map(|bound| match bound {
        Bound::SeenBy(seeing, _) => Some(*regs.c(*seeing)),
        _ => None,
    });
    let gathered = Gathered {
        digits: DigitSet::EMPTY,
        places: Bits::EMPTY,
        loose: DigitSet::EMPTY,
        seeing: seeing.unwrap_or(Bits::EMPTY),
    };
    let empty = Partial { chosen: Bits::EMPTY, count: 0, gathered, barred: Bits::EMPTY };
    let fit = from.iter().filter(|&item| picker.with(&empty, item).is_some()).collect();
    if let Some(found) = cover::covers(tables, regs, pick, &mut picker.budget) {
        picker.out = found;
    } else if pick.low <= pick.high {
        picker.extend(&empty, fit);
    }
    *budget = picker.budget;
    Subsets { found: picker.out, next: 0 }
}

impl<const W: usize> Picker<'_, W> {
    /// What is gathered of a set with one more member, if no bound forbids it.
    #[inline]
    fn with(&self, partial: &Partial<W>, item: usize) -> Option<Gathered<W>> {
        let Gathered { mut digits, mut places, mut loose, mut seeing } = partial.gathered;
        if self.cells {
            let new = self.facts.candidates[item];
            // Most of what is tried has too many digits, and no more need be known of it.
            if (digits | new).len() > self.most_digits {
                return None;
            }
            loose = loose | self.newly_loose(partial, item, new);
            digits = digits | new;
        }
        for bound in &self.pick.bounds {
            let kept = match *bound {
                Bound::Places(within, most) => {
                    places |= self.facts.places[Digit(item as u8).index()] & *self.regs.c(within);
                    places.len() <= most as usize
                }
                Bound::Apart(free, most) => {
                    let free = free.map_or(DigitSet::EMPTY, |free| self.regs.d(free));
                    (loose - free).len() <= most as usize
                }
                Bound::SeenBy(_, least) => {
                    seeing &= self.tables.peers[item];
                    seeing.len() >= least as usize
                }
                Bound::Digits(_) | Bound::Cover(_) => true,
            };
            if !kept {
                return None;
            }
        }
        Some(Gathered { digits, places, loose, seeing })
    }

    /// Bars cells that would bring too many digits, or share one with a chosen cell that they do not see.
    fn bar(&self, partial: &Partial<W>, next: &mut Partial<W>, item: usize) {
        let Gathered { digits, loose, .. } = next.gathered;
        if digits.len() == self.most_digits {
            next.barred |= self.facts.places_of(DigitSet::all(self.tables.size) - digits);
        }
        let Some((most, free)) = self.loose else { return };
        let open = loose | free;
        if (loose - free).len() < most {
            return;
        }
        // With a further digit that may be shared there are no more: the chosen ones bar what they did not before.
        let before = partial.gathered.loose;
        let known = partial.count > 0 && (before - free).len() == most && before | free == open;
        let new = if known { Bits::single(item) } else { next.chosen };
        for cell in new.iter() {
            let shared = self.facts.places_of(self.facts.candidates[cell] - open);
            next.barred |= shared - self.tables.peers[cell];
        }
    }

    /// Digits that the new cell shares with a chosen one it does not see.
    fn newly_loose(&self, partial: &Partial<W>, item: usize, digits: DigitSet) -> DigitSet {
        if self.loose.is_none() || (digits & partial.gathered.digits).is_empty() {
            return DigitSet::EMPTY;
        }
        let apart = partial.chosen - self.tables.peers[item];
        self.facts.digits(&apart) & digits
    }

    fn extend(&mut self, partial: &Partial<W>, mut rest: Bits<W>) {
        rest -= partial.barred;
        if partial.count >= self.pick.low {
            self.out.push(partial.chosen);
        }
        if partial.count == self.pick.high {
            return;
        }
        while let Some(item) = rest.pop() {
            if partial.count + 1 + (rest.len() as u32) < self.pick.low || self.spent() {
                return;
            }
            let Some(gathered) = self.with(partial, item) else { continue };
            let (mut chosen, count) = (partial.chosen, partial.count + 1);
            chosen.insert(item);
            if count == self.pick.high {
                self.out.push(chosen);
                continue;
            }
            let mut next = Partial { chosen, count, gathered, barred: partial.barred };
            if self.cells {
                self.bar(partial, &mut next, item);
            }
            self.extend(&next, rest);
        }
    }

    fn spent(&mut self) -> bool {
        let full = size_of_val(self.out.as_slice()) >= MOST_BYTES;
        self.budget = if full { 0 } else { self.budget.saturating_sub(1) };
        self.budget == 0
    }
}
