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
use super::tables::Tables;
use super::tables::closure::{Closure, LinkRows};
use super::tables::index::Index;
use super::tables::marks::Marks;
use super::tables::rows;
use super::tables::sets::SetTables;
use draft::Draft;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use web::Web;

/// What is in reach of each class, as far as it was asked for.
pub(super) struct Reach<const W: usize> {
    of: [OnceCell<Box<Marks<W>>>; 4],
    /// The most cells that an almost locked set may have, as it was first asked for.
    most: OnceCell<usize>,
    /// The nodes and links that were found for it.
    draft: RefCell<Option<Draft<W>>>,
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
        tables: &Tables<W>,
        facts: &Index<W>,
        class: Class,
        most: usize,
        sets: impl FnOnce() -> Rc<SetTables<W>>,
    ) -> Option<&Marks<W>> {
        (*self.most.get_or_init(|| most) == most).then(|| {
            &**self.of[class as usize].get_or_init(|| {
                // What is in reach of a class is so of those after it.
                let known = self.of[..class as usize].iter().rev().find_map(OnceCell::get);
                let mut known = known.map_or(Marks::EMPTY, |known| **known);
                if class >= Class::Groups {
                    add_leaving_none(tables, facts, &mut known);
                }
                let mut draft = self.draft.borrow_mut();
                let draft = draft.get_or_insert_with(|| Draft::new(tables));
                draft.add_up_to(class, tables, facts, sets);
                Box::new(refuted(&Web::of(tables, draft), (tables, facts), &known))
            })
        })
    }
}

/// Adds the candidates that exclude all places of their digit in a house.
fn add_leaving_none<const W: usize>(tables: &Tables<W>, facts: &Index<W>, to: &mut Marks<W>) {
    for digit in 0..tables.size {
        for house in &tables.house {
            let places = facts.places[digit] & *house;
            if !places.is_empty() {
                to.0[digit] |= facts.places[digit] & tables.seeing_every(&places);
            }
        }
    }
}

/// The candidates that lead to their own negation; `known` are some of them. A link that leads from one literal to another
/// leads from the negation of the other to that of the one, so the same rows serve both ways.
fn refuted<const W: usize>(web: &Web<W>, (tables, facts): (&Tables<W>, &Index<W>), known: &Marks<W>) -> Marks<W> {
    let mut closure = Closure::new(web);
    let (mut out, mut goal) = (*known, vec![0; web.words()]);
    for digit in 0..tables.size {
        for cell in (facts.places[digit] - known.0[digit]).iter() {
            let returns = match web.candidate(digit, cell) {
                Some(node) => rows::has(closure.led(web, (node, true)).1, node),
                None => {
                    // It leads to something that excludes it.
                    web.excluded_by(digit, cell, &tables.peers[cell], &mut goal);
                    rows::bits(&goal).any(|node| rows::meet(closure.led(web, (node, false)).0, &goal))
                }
            };
            if returns {
                out.0[digit].insert(cell);
            }
        }
    }
    out
}
