//! Sets of cells with what is known of their links. In: the sets of a sort. Out: [`SetTables`]: tables that are
//! filled when a search first asks for them.

use super::board::Tables;
use super::doubly_linked::DoublyLinked;
use super::index::Index;
use super::linked_triples::LinkedTriples;
use super::locked::LockedSets;
use super::scope::{SCOPES, Scope};
use crate::engine::plan::Sort;
use std::cell::OnceCell;
use std::ops::Deref;

/// The sets of a sort.
pub(in crate::engine) struct SetTables<const W: usize> {
    sets: LockedSets<W>,
    triples: [OnceCell<LinkedTriples>; SCOPES],
    doubly_linked: OnceCell<DoublyLinked>,
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
        SetTables { sets, triples: Default::default(), doubly_linked: OnceCell::new() }
    }

    /// Which sets can be in a row of two or three whose ends share a target; targets are places of each digit.
    pub fn triples(&self, scope: &Scope<W>) -> &LinkedTriples {
        self.triples[scope.number].get_or_init(|| LinkedTriples::new(&self.sets, &scope.gone.0))
    }

    /// Which sets two digits link to another.
    pub fn doubly_linked(&self) -> &DoublyLinked {
        self.doubly_linked.get_or_init(|| DoublyLinked::new(&self.sets))
    }
}
