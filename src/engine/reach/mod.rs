//! What the rules of a class could eliminate at all. In: a state and a class. Out: the candidates that come to a
//! contradiction by the inferences of the class.
//!
//! Every inference leads from one node that is true to others: it excludes what it sees, and where that is all of one part
//! of a cell, a house or an almost locked set, the other part is true. A candidate from which this leads back to its own
//! negation is in reach. Which rules eliminate nothing else is told by their text (`engine/plan/class`); whether they are
//! sound does not matter, for what is in reach by mistake only costs a search.

mod draft;
mod web;

use super::plan::Class;
use super::tables::BoardMasks;
use super::tables::als::AlsTable;
use super::tables::bit_rows;
use super::tables::closure::{Closure, LinkLists};
use super::tables::index::CandidateSet;
use super::tables::index::Index;
use crate::grid::Bits;
use draft::{Draft, Ground};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use web::{Web, WebLists};

/// What is in reach of each class, as far as it was asked for.
pub(super) struct Reach<const W: usize> {
    of: [OnceCell<Box<Known<W>>>; 4],
    /// The most cells that an almost locked set may have, as it was first asked for.
    most: OnceCell<usize>,
    /// The nodes and links that were found for it.
    draft: RefCell<Option<Draft<W>>>,
}

/// What is in reach of a class, and what it was found by.
struct Known<const W: usize> {
    marks: CandidateSet<W>,
    /// The same by the numbers of candidates, as far as it was found by links.
    refuted: Vec<u64>,
    lists: WebLists,
    closure: RefCell<Closure>,
}

impl<const W: usize> Default for Reach<W> {
    fn default() -> Self {
        Reach { of: Default::default(), most: OnceCell::new(), draft: RefCell::default() }
    }
}

impl<const W: usize> Reach<W> {
    /// The candidates in reach of a class; almost locked sets have at most `most` cells on boards where that is limited.
    /// None where it was asked for other sets before.
    pub fn of(
        &self,
        tables: &BoardMasks<W>,
        facts: &Index<W>,
        class: Class,
        most: usize,
        sets: impl FnOnce() -> Rc<AlsTable<W>>,
    ) -> Option<&CandidateSet<W>> {
        (*self.most.get_or_init(|| most) == most).then(|| {
            let known = self.of[class as usize].get_or_init(|| {
                // What is in reach of a class is so of those after it.
                let before = self.of[..class as usize].iter().rev().find_map(OnceCell::get);
                let mut known = before.map_or(CandidateSet::EMPTY, |before| before.marks);
                if class >= Class::Groups {
                    add_leaving_none(tables, facts, &mut known);
                }
                let mut draft = self.draft.borrow_mut();
                let draft = draft.get_or_insert_with(|| Draft::new((tables, facts)));
                draft.add_up_to(class, (tables, facts), sets);
                Box::new(Known::of(draft, known))
            });
            &known.marks
        })
    }

    /// Whether a digit in some cells may be an end of a link of a chain by the inferences of a class that eliminates something: a
    /// candidate that is eliminated comes to it being false, so it is false where this is true.
    pub fn may_be_end(&self, (tables, facts): Ground<'_, W>, class: Class, (digit, cells): (usize, Bits<W>)) -> bool {
        let (draft, known) = (self.draft.borrow(), self.of[class as usize].get());
        let (Some(draft), Some(known)) = (&*draft, known) else { return true };
        let places = cells & facts.places[digit];
        match draft.find(digit, places) {
            Some(node) => known.excludes_some(draft, node),
            // What nothing excludes is not false.
            None => tables.seeing_every(&places).meets(&facts.places[digit]),
        }
    }
}

/// Adds the candidates that exclude all places of their digit in a house.
fn add_leaving_none<const W: usize>(tables: &BoardMasks<W>, facts: &Index<W>, to: &mut CandidateSet<W>) {
    for digit in 0..tables.size {
        for house in &tables.cells_of_house {
            let places = facts.places[digit] & *house;
            if !places.is_empty() {
                to.0[digit] |= facts.places[digit] & tables.seeing_every(&places);
            }
        }
    }
}

impl<const W: usize> Known<W> {
    /// Adds to `marks` the candidates that lead to their own negation: all that a node excludes which is excluded as well
    /// where the node is false.
    fn of(draft: &Draft<W>, mut marks: CandidateSet<W>) -> Self {
        let lists = WebLists::of(draft);
        let web = Web { draft, lists: &lists };
        let mut closure = Closure::new(&web);
        let mut refuted = vec![0; web.words()];
        for node in 0..draft.members.len() {
            let led = closure.consequences(&web, (node, false)).iter().zip(draft.excluded.row(node));
            refuted.iter_mut().zip(led).for_each(|(row, (led, excluded))| *row |= led & excluded);
        }
        for (digit, cell) in bit_rows::bits(&refuted).map(|number| draft.candidates[number]) {
            marks.0[digit].insert(cell);
        }
        Known { marks, refuted, lists, closure: RefCell::new(closure) }
    }

    /// Whether a candidate in reach is false where a node is true; yes for one that was not known then.
    fn excludes_some(&self, draft: &Draft<W>, node: usize) -> bool {
        let web = Web { draft, lists: &self.lists };
        node >= web.lists(true).len()
            || bit_rows::meet(self.closure.borrow_mut().consequences(&web, (node, true)), &self.refuted)
    }
}
