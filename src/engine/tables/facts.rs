//! Everything derived from a state. In: a state. Out: [`Facts`], shared by all searches in the state and dropped with it.

use super::als::SetTables;
use super::board::Tables;
use super::candidate_set::CandidateSet;
use super::exclusions::Exclusions;
use super::index::Index;
use super::templates::{TemplateMemory, Templates};
use super::wanted::{Aim, Aimed};
use super::wanted::{SCOPES, Wanted};
use crate::engine::plan::{Class, SetKind};
use crate::engine::reach::Reach;
use crate::grid::{Bits, Digit, DigitSet, State};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

/// The index of a state, and the tables that are derived from it when they are first asked for.
pub(in crate::engine) struct Facts<'s, const W: usize> {
    index: Index<W>,
    /// The aim of the searches, applied to this state.
    pub aim: Option<Box<Aimed<'s, W>>>,
    /// The templates of each digit.
    pub templates: Templates<'s, W>,
    /// Combinations that fill a few cells.
    pub exclusions: Exclusions,
    locked: RefCell<BTreeMap<(SetKind, usize), Rc<SetTables<W>>>>,
    reach: Reach<W>,
    scopes: [OnceCell<Box<Wanted<W>>>; SCOPES],
}

impl<const W: usize> Deref for Facts<'_, W> {
    type Target = Index<W>;

    fn deref(&self) -> &Index<W> {
        &self.index
    }
}

impl<'s, const W: usize> Facts<'s, W> {
    pub fn new(tables: &Tables<W>, state: &State) -> Self {
        Self::knowing(tables, state, None)
    }

    /// Derives the facts of a state, reusing templates of earlier states.
    pub fn knowing(tables: &Tables<W>, state: &State, known: Option<&'s TemplateMemory<W>>) -> Self {
        Facts {
            index: Index::new(tables, state),
            aim: None,
            templates: Templates::new(tables.size, known),
            exclusions: Exclusions::default(),
            locked: RefCell::new(BTreeMap::new()),
            reach: Reach::default(),
            scopes: Default::default(),
        }
    }

    /// Says what the searches look for.
    pub fn aim(&mut self, aim: &'s Aim) {
        let aimed = Aimed::new(aim, &self.index);
        self.aim = Some(Box::new(aimed));
    }

    /// Sets of a kind; almost locked ones have at most `most` cells on boards of more than nine digits.
    pub fn locked(&self, tables: &Tables<W>, sort: SetKind, most: usize) -> Rc<SetTables<W>> {
        let find = || Rc::new(SetTables::new(tables, &self.index, sort, most));
        Rc::clone(self.locked.borrow_mut().entry((sort, most)).or_insert_with(find))
    }

    /// Wanted effects of rules without a class.
    pub fn unrestricted_scope(&self) -> &Wanted<W> {
        self.scopes[0].get_or_init(|| Box::new(Wanted::unrestricted(&CandidateSet(self.places), self.aim.as_deref())))
    }

    /// Wanted effects of rules of a class. On large boards almost locked sets have at most `most` cells.
    pub fn scope(&self, tables: &Tables<W>, class: Class, most: usize) -> &Wanted<W> {
        let unrestricted = self.unrestricted_scope();
        // A class says nothing about placements in cells with one candidate, nor about those that contradict an eliminated
        // digit.
        let open = |aimed: &Aimed<'_, W>| aimed.placements.cells().within(&aimed.eliminations.cells());
        if !self.exact[1].is_empty() || !self.aim.as_deref().is_none_or(open) {
            return unrestricted;
        }
        let Some(reach) =
            self.reach.of(tables, &self.index, class, most, || self.locked(tables, SetKind::Locked(1), most))
        else {
            return unrestricted;
        };
        self.scopes[1 + class as usize].get_or_init(|| Box::new(Wanted::of(class, reach, unrestricted, tables)))
    }

    /// Returns true if a digit in some cells may end a link of a chain with an elimination within reach of a class.
    pub fn may_be_end(&self, tables: &Tables<W>, class: Class, end: (usize, Bits<W>)) -> bool {
        self.reach.may_be_end((tables, &self.index), class, end)
    }

    /// Returns true if proved rules count as sound: not in an aimed search, which looks for wrong deductions.
    pub fn trusted(&self) -> bool {
        self.aim.is_none()
    }

    /// Digits with a candidate in no template; if `placed`, also those with a candidate in every template.
    pub fn digits_with_eliminations(&self, tables: &Tables<W>, placed: bool) -> DigitSet {
        if !self.trusted() {
            return DigitSet::all(tables.size);
        }
        let some = |digit: &usize| match self.templates.of(tables, &self.index, *digit) {
            None => true,
            Some(found) => !found.in_none.is_empty() || placed && !found.in_every.is_empty(),
        };
        (0..tables.size).filter(some).map(|digit| Digit(digit as u8)).collect()
    }
}
