//! How far choices have come. In: what a choice found. Out: [`Subsets`] and [`LockedState`], which the machine goes on from.

use crate::engine::tables::als::AlsTable;
use crate::grid::Bits;
use std::rc::Rc;

/// The subsets found, handed out one by one.
#[derive(Default)]
pub(super) struct Subsets<const W: usize> {
    pub found: Vec<Bits<W>>,
    pub next: usize,
}

impl<const W: usize> Subsets<W> {
    pub fn next(&mut self) -> Option<Bits<W>> {
        let subset = self.found.get(self.next).copied();
        self.next += 1;
        subset
    }
}

/// A running choice.
pub(super) struct LockedState<const W: usize> {
    pub sets: Option<Rc<AlsTable<W>>>,
    /// The sets that are left to look at, as bits.
    pub row: Vec<u64>,
    /// The word of the row to go on with.
    pub word: usize,
    /// The number of the set chosen last.
    pub chosen: u32,
}

impl<const W: usize> Default for LockedState<W> {
    fn default() -> Self {
        LockedState { sets: None, row: Vec::new(), word: 0, chosen: 0 }
    }
}
