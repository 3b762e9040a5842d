//! All that is derived from a state. In: a state. Out: [`Facts`], derived afresh for each state and shared by all searches on
//! it.

use super::als::SetTables;
use super::board::Tables;
use super::candidate_set::Marks;
use super::exclusions::Exclusions;
use super::index::Index;
use super::templates::{Known, Templates};
use super::wanted::{Aim, Aimed};
use super::wanted::{SCOPES, Scope};
use crate::engine::plan::{Class, Sort};
use crate::engine::reach::Reach;
use crate::grid::{Bits, Digit, DigitSet, State};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

/// The index of a state, and the tables that are derived from it when they are first asked for.
pub(in crate::engine) struct Facts<'s, const W: usize> {
    index: Index<W>,
    /// What else is known of the aim of the search.
    pub aim: Option<Box<Aimed<'s, W>>>,
    /// The templates of each digit.
    pub templates: Templates<'s, W>,
    /// Combinations that fill a few cells.
    pub exclusions: Exclusions,
    locked: RefCell<BTreeMap<(Sort, usize), Rc<SetTables<W>>>>,
    reach: Reach<W>,
    scopes: [OnceCell<Box<Scope<W>>>; SCOPES],
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

    /// The same, with what was found on states before.
    pub fn knowing(tables: &Tables<W>, state: &State, known: Option<&'s Known<W>>) -> Self {
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

    /// The sets of a sort; almost locked ones on boards of more than nine digits with at most `most` cells.
    pub fn locked(&self, tables: &Tables<W>, sort: Sort, most: usize) -> Rc<SetTables<W>> {
        let find = || Rc::new(SetTables::new(tables, &self.index, sort, most));
        Rc::clone(self.locked.borrow_mut().entry((sort, most)).or_insert_with(find))
    }

    /// What a search is for that is bound to no class.
    pub fn plain_scope(&self) -> &Scope<W> {
        self.scopes[0].get_or_init(|| Box::new(Scope::plain(&Marks(self.places), self.aim.as_deref())))
    }

    /// What a search is for whose rule has a class; almost locked sets have at most `most` cells, on boards where that is
    /// limited.
    pub fn scope(&self, tables: &Tables<W>, class: Class, most: usize) -> &Scope<W> {
        let plain = self.plain_scope();
        // What is placed in a cell with one candidate excludes nothing there; against a digit that is gone already,
        // neither.
        let open = |aimed: &Aimed<'_, W>| aimed.put.cells().within(&aimed.gone.cells());
        if !self.exact[1].is_empty() || !self.aim.as_deref().is_none_or(open) {
            return plain;
        }
        let Some(reach) =
            self.reach.of(tables, &self.index, class, most, || self.locked(tables, Sort::Locked(1), most))
        else {
            return plain;
        };
        self.scopes[1 + class as usize].get_or_init(|| Box::new(Scope::of(class, reach, plain, tables)))
    }

    /// Whether a digit in some cells may be an end of a link of a chain that eliminates what is in reach of a class.
    pub fn may_be_end(&self, tables: &Tables<W>, class: Class, end: (usize, Bits<W>)) -> bool {
        self.reach.may_be_end((tables, &self.index), class, end)
    }

    /// Whether rules may be taken to be sound: not where deductions that contradict the target digits are looked for.
    pub fn trusted(&self) -> bool {
        self.aim.is_none()
    }

    /// Digits of which some candidate is in no template, and where one is `placed` also those with one in every template.
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
