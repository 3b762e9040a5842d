//! Sets of cells with what is known of their links. In: the sets of a sort. Out: [`SetTables`]: tables that are
//! filled when a search first asks for them.

use super::board::Tables;
use super::doubly_linked::DoublyLinked;
use super::index::Index;
use super::linked_triples::LinkedTriples;
use super::locked::{LockedSets, Row};
use super::rows;
use super::scope::{SCOPES, Scope};
use crate::engine::plan::{Class, Sort};
use crate::grid::Bits;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

/// The sets of a sort.
pub(in crate::engine) struct SetTables<const W: usize> {
    sets: LockedSets<W>,
    triples: [OnceCell<LinkedTriples>; SCOPES],
    doubly_linked: OnceCell<DoublyLinked>,
    /// For a class and a digit the sets whose places of the digit may be the end of a link, as far as they were asked for.
    ends: RefCell<BTreeMap<(Class, usize), Row>>,
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
        SetTables { sets, triples: Default::default(), doubly_linked: OnceCell::new(), ends: RefCell::default() }
    }

    /// Which sets can be in a row of two or three whose ends share a target; targets are places of each digit.
    pub fn triples(&self, scope: &Scope<W>) -> &LinkedTriples {
        self.triples[scope.number()].get_or_init(|| LinkedTriples::new(&self.sets, &scope.gone.0))
    }

    /// Which sets two digits link to another.
    pub fn doubly_linked(&self) -> &DoublyLinked {
        self.doubly_linked.get_or_init(|| DoublyLinked::new(&self.sets))
    }

    /// The sets whose places of a digit `may` be the end of a link by the inferences of a class.
    pub fn ends(&self, class: Class, digit: usize, may: impl Fn(Bits<W>) -> bool) -> Row {
        let mut known = self.ends.borrow_mut();
        let row = known.entry((class, digit)).or_insert_with(|| {
            let mut row = vec![0; rows::words_for(self.sets.sets.len())];
            let mark = |set: &u32| self.sets.mark(&self.sets.sets[*set as usize], digit);
            let with = self.sets.with(digit).iter().filter(|&set| mark(set).is_some_and(|mark| may(mark.places)));
            with.for_each(|&set| rows::set(&mut row, set as usize));
            row.into()
        });
        Rc::clone(row)
    }
}
