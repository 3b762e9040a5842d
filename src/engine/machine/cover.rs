//! Houses that hold all but a few of some cells. In: the houses, the cells, how few. Out: all such sets of houses in
//! canonical order.
//!
//! Cell by cell: either one of the houses left holds it, or it is put aside as a guardian, and then no house with it
//! is taken. Guardians may not be too many, and a target must be left that all of them see.

use super::super::plan::{Bound, Cover, Pick, Set};
use super::super::tables::BoardMasks;
use super::registers::Registers;
use crate::grid::{Bits, HouseSet};

/// All sets for a pick that is bound to cover; `None` for any other pick. Takes what it used off `budget`.
pub(super) fn covers<const W: usize>(
    tables: &BoardMasks<W>,
    regs: &Registers<W>,
    pick: &Pick,
    budget: &mut u64,
) -> Option<Vec<Bits<W>>> {
    let Set::H(from) = pick.from else { return None };
    let cover = pick.bounds.iter().find_map(|bound| match bound {
        Bound::Cover(cover) => Some(*cover),
        _ => None,
    })?;
    let houses = *regs.h(from);
    let mut search = Coverer { tables, pick, most: cover.most.unwrap_or(u32::MAX), budget, out: Vec::new() };
    search.start(regs, &cover, houses);
    let mut out = search.out;
    out.sort_by(|a, b| a.iter().cmp(b.iter()));
    Some(out)
}

struct Coverer<'a, const W: usize> {
    tables: &'a BoardMasks<W>,
    pick: &'a Pick,
    most: u32,
    budget: &'a mut u64,
    out: Vec<Bits<W>>,
}

/// A set on its way.
#[derive(Clone, Copy)]
struct Way<const W: usize> {
    chosen: HouseSet,
    count: u32,
    rest: HouseSet,
    /// Cells of which it is open whether they are covered.
    open: Bits<W>,
    guardians: u32,
    /// Targets that every guardian sees; `None` where any will do.
    targets: Option<Bits<W>>,
}

impl<const W: usize> Coverer<'_, W> {
    fn start(&mut self, regs: &Registers<W>, cover: &Cover, rest: HouseSet) {
        let aside = *regs.c(cover.aside);
        let open = *regs.c(cover.cells) - aside;
        let start = Way {
            chosen: HouseSet::EMPTY,
            count: 0,
            rest,
            open,
            guardians: aside.len() as u32,
            targets: cover.targets.map(|targets| *regs.c(targets) & self.tables.seeing_every(&aside)),
        };
        if start.guardians <= self.most && start.targets.is_none_or(|targets| !targets.is_empty()) {
            self.decide(start);
        }
    }

    /// Decides about one open cell, if there is one; else takes any of the houses left.
    fn decide(&mut self, way: Way<W>) {
        *self.budget = self.budget.saturating_sub(1);
        if *self.budget == 0 || !self.feasible(&way) {
            return;
        }
        let Some((cell, holders)) = self.hardest(&way) else { return self.fill(way) };
        let mut rest = way.rest;
        if way.count < self.pick.high {
            for house in holders.iter() {
                rest.remove(house);
                let mut next =
                    Way { rest, count: way.count + 1, open: way.open - self.tables.cells_of_house[house], ..way };
                next.chosen.insert(house);
                self.decide(next);
            }
        }
        let mut aside = Way { rest: way.rest - holders, guardians: way.guardians + 1, ..way };
        aside.open.remove(cell);
        aside.targets = way.targets.map(|targets| targets & self.tables.peers[cell]);
        if aside.guardians <= self.most && aside.targets.is_none_or(|targets| !targets.is_empty()) {
            self.decide(aside);
        }
    }

    /// The open cell that the fewest of the houses left hold, and these houses.
    fn hardest(&self, way: &Way<W>) -> Option<(usize, HouseSet)> {
        let full = way.count == self.pick.high;
        let holders = |cell: usize| if full { HouseSet::EMPTY } else { self.tables.houses_of[cell] & way.rest };
        let mut best: Option<(usize, HouseSet)> = None;
        for cell in way.open.iter() {
            let here = holders(cell);
            if best.is_none_or(|(_, fewest)| here.len() < fewest.len()) {
                best = Some((cell, here));
            }
            if here.is_empty() {
                break;
            }
        }
        best
    }

    /// Whether the houses to come can hold enough: all open cells but those that may still be put aside. For some
    /// target only the open cells that it sees may be.
    fn feasible(&self, way: &Way<W>) -> bool {
        let left = (self.pick.high - way.count) as usize;
        if way.open.is_empty() {
            return true;
        }
        let widest =
            way.rest.iter().map(|house| (self.tables.cells_of_house[house] & way.open).len()).max().unwrap_or(0);
        let reach = left * widest;
        let spare = self.most.saturating_sub(way.guardians) as usize;
        if way.open.len() > reach.saturating_add(spare) {
            return false;
        }
        way.targets
            .is_none_or(|targets| targets.iter().any(|target| (way.open - self.tables.peers[target]).len() <= reach))
    }

    /// Every cell is decided: any houses left complete the set.
    fn fill(&mut self, way: Way<W>) {
        if way.count >= self.pick.low {
            self.out.push(way.chosen.iter().collect());
        }
        if way.count == self.pick.high {
            return;
        }
        let mut rest = way.rest;
        while let Some(house) = rest.pop() {
            if way.count + 1 + (rest.len() as u32) < self.pick.low {
                return;
            }
            let mut next = Way { rest, count: way.count + 1, ..way };
            next.chosen.insert(house);
            self.fill(next);
        }
    }
}
