//! Sets of cells with what is known of how they hang together. In: the sets of a sort. Out: [`SetTables`]: tables that are
//! filled when a search first asks for them.

use super::board::Tables;
use super::bridges::Bridges;
use super::index::Index;
use super::locked::LockedSets;
use super::scope::{SCOPES, Scope};
use super::twice::Twice;
use crate::engine::plan::Sort;
use std::cell::OnceCell;
use std::ops::Deref;

/// The sets of a sort.
pub(in crate::engine) struct SetTables<const W: usize> {
    sets: LockedSets<W>,
    bridges: [OnceCell<Bridges>; SCOPES],
    twice: OnceCell<Twice>,
}

impl<const W: usize> Deref for SetTables<W> {
    type Target = LockedSets<W>;

    fn deref(&self) -> &LockedSets<W> {
        &self.sets
    }
}

impl<const W: usize> SetTables<W> {
    pub fn new(tables: &Tables<W>, index: &Index<W>, sort: Sort, most: usize) -> Self {
        let sets = LockedSets::new(tables, index, sort, most);
        SetTables { sets, bridges: Default::default(), twice: OnceCell::new() }
    }

    /// Which sets can be in a row of two or three whose ends share a target; targets are places of each digit.
    pub fn bridges(&self, scope: &Scope<W>) -> &Bridges {
        self.bridges[scope.number].get_or_init(|| Bridges::new(&self.sets, &scope.gone.0))
    }

    /// Which sets two digits link to another.
    pub fn twice(&self) -> &Twice {
        self.twice.get_or_init(|| Twice::new(&self.sets))
    }
}
