//! One cell per index. In: the cells each member may be. Out: every way to choose them, all different, the
//! member with the fewest cells first; cut where the running targets are gone.

use super::super::tables::BoardMasks;
use crate::grid::{Bits, Cell};

/// Members collected for one family and the state of the walk through their combinations.
#[derive(Default)]
pub(super) struct FamilyState<const W: usize> {
    members: Vec<Member<W>>,
    levels: Vec<Level<W>>,
    started: bool,
}

#[derive(Clone, Copy)]
struct Member<const W: usize> {
    index: u16,
    domain: Bits<W>,
}

/// The choice at one depth: what is left to try, what was chosen, and the targets after it.
#[derive(Clone, Copy)]
struct Level<const W: usize> {
    rest: Bits<W>,
    chosen: usize,
    taken: Bits<W>,
    targets: Option<Bits<W>>,
    seen: usize,
}

/// Where the walk starts: the targets left and how many cells they are seen by.
#[derive(Clone, Copy)]
pub(super) struct Start<const W: usize> {
    pub targets: Option<Bits<W>>,
    pub seen: usize,
}

impl<const W: usize> FamilyState<W> {
    pub fn clear(&mut self) {
        self.members.clear();
        self.levels.clear();
        self.started = false;
    }

    /// Adds a member; `false` where it has no cell.
    pub fn add(&mut self, index: usize, domain: Bits<W>) -> bool {
        self.members.push(Member { index: index as u16, domain });
        !domain.is_empty()
    }

    /// The next way to choose; the union of the cells chosen.
    pub fn next(&mut self, tables: &BoardMasks<W>, start: Start<W>, budget: &mut u64) -> Option<Bits<W>> {
        if !self.started {
            self.started = true;
            self.members.sort_by_key(|member| (member.domain.len(), member.index));
            if self.members.is_empty() {
                return Some(Bits::EMPTY);
            }
            self.push(start, Bits::EMPTY);
        }
        while let Some(level) = self.levels.last_mut() {
            *budget = budget.saturating_sub(1);
            let Some(cell) = level.rest.pop().filter(|_| *budget > 0) else {
                self.levels.pop();
                continue;
            };
            level.chosen = cell;
            let mut taken = level.taken;
            taken.insert(cell);
            let targets = level.targets.map(|targets| targets & tables.peers[cell]);
            let seen = level.seen + 1;
            if seen >= 2 && targets.is_some_and(|targets| targets.is_empty()) {
                continue;
            }
            if self.levels.len() == self.members.len() {
                return Some(taken);
            }
            self.push(Start { targets, seen }, taken);
        }
        None
    }

    fn push(&mut self, start: Start<W>, taken: Bits<W>) {
        let rest = self.members[self.levels.len()].domain - taken;
        self.levels.push(Level { rest, chosen: 0, taken, targets: start.targets, seen: start.seen });
    }

    /// The cell chosen for an index.
    pub fn member(&self, index: usize) -> Option<usize> {
        let depth = self.members.iter().position(|member| usize::from(member.index) == index)?;
        self.levels.get(depth).map(|level| level.chosen)
    }

    /// All members with their indexes, by index.
    pub fn pairs(&self) -> Vec<(u16, Vec<Cell>)> {
        let mut pairs: Vec<_> = self
            .members
            .iter()
            .zip(&self.levels)
            .map(|(member, level)| (member.index, vec![Cell(level.chosen as u16)]))
            .collect();
        pairs.sort();
        pairs
    }
}

/// The targets of a digit before any member of the family is chosen.
pub(super) fn start<const W: usize>(targets: Bits<W>, so_far: Option<(Bits<W>, Bits<W>)>) -> Start<W> {
    match so_far {
        Some((targets, cells)) => Start { targets: Some(targets), seen: cells.len() },
        None => Start { targets: Some(targets), seen: 0 },
    }
}
