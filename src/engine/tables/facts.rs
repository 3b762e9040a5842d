//! Everything derived from a state. In: a state, the aim of the searches in it if they have one. Out: [`Facts`], shared by all searches
//! in the state and dropped with it; [`Wanted`], the effects that a search is interested in.
//!
//! An [`Aim`] asks for deductions that contradict given digits. Most of a search can't make such a deduction, so an aimed
//! search is much cheaper than a full one. It trusts neither rules nor digits.

use super::als::AlsTable;
use super::board::Tables;
use super::exclusions::Exclusions;
use super::index::{CandidateSet, Index};
use super::templates::{TemplateMemory, Templates};
use crate::engine::matches::Match;
use crate::engine::plan::{Class, SetKind};
use crate::engine::reach::Reach;
use crate::grid::{Bits, Candidate, Digit, DigitSet, State};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

/// Number of different scopes in a state.
pub(crate) const SCOPES: usize = 5;

/// The eliminations and placements that a search is interested in.
pub(crate) struct Wanted<const W: usize> {
    /// Candidates whose elimination counts.
    pub eliminations: CandidateSet<W>,
    /// Candidates whose placement counts.
    pub placements: CandidateSet<W>,
    /// Candidates that rules of the class can eliminate, wanted or not; without a class, all.
    pub reach: CandidateSet<W>,
    /// True if some effects are not wanted.
    pub is_partial: bool,
    /// The class that bounds it.
    pub class: Option<Class>,
}

impl<const W: usize> Wanted<W> {
    /// Makes the scope of rules without a class.
    pub fn unrestricted(places: &CandidateSet<W>, aimed: Option<&Aimed<'_, W>>) -> Self {
        let (eliminations, placements) =
            aimed.map_or((*places, *places), |aimed| (aimed.eliminations, aimed.placements));
        Wanted { eliminations, placements, reach: *places, is_partial: aimed.is_some(), class: None }
    }

    /// Makes the scope of rules of a class, given its reach. They place only what excludes a candidate within reach, and that
    /// candidate need not be wanted itself.
    pub fn of(class: Class, reach: &CandidateSet<W>, unrestricted: &Wanted<W>, tables: &Tables<W>) -> Self {
        let eliminations = unrestricted.eliminations.zip(reach, |eliminations, reach| eliminations & reach);
        let cells = reach.cells();
        let mut placements = unrestricted.placements;
        for (digit, placements) in placements.0.iter_mut().enumerate() {
            *placements &= tables.seeing_some(&reach.0[digit]) | cells;
        }
        Wanted { eliminations, placements, reach: *reach, is_partial: true, class: Some(class) }
    }

    /// Index of this scope among those of the state.
    pub fn number(&self) -> usize {
        self.class.map_or(0, |class| 1 + class as usize)
    }

    /// Returns true if no effect is wanted.
    pub fn is_empty(&self) -> bool {
        self.eliminations.is_empty() && self.placements.is_empty()
    }
}

/// Digits that wanted deductions contradict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    digits: Vec<Digit>,
}

impl Aim {
    /// A digit for each cell, row by row: its elimination counts, and the placement of any other digit there.
    pub fn against(digits: &[Digit]) -> Aim {
        Aim { digits: digits.to_vec() }
    }

    fn says(&self, candidate: &Candidate) -> bool {
        self.digits.get(candidate.cell.index()) == Some(&candidate.digit)
    }

    /// Keeps the wanted eliminations and placements.
    pub(crate) fn cut(&self, eliminations: &mut Vec<Candidate>, placements: &mut Vec<Candidate>) {
        eliminations.retain(|candidate| self.says(candidate));
        placements.retain(|candidate| !self.says(candidate));
    }

    /// Keeps the wanted effects of each match, and drops matches without any.
    pub(crate) fn cut_all(&self, matches: &mut Vec<Match>) {
        matches.iter_mut().for_each(|found| self.cut(&mut found.eliminations, &mut found.placements));
        matches.retain(|found| !found.eliminations.is_empty() || !found.placements.is_empty());
    }
}

/// An aim in a state.
pub(crate) struct Aimed<'a, const W: usize> {
    pub aim: &'a Aim,
    /// Candidates whose elimination counts.
    pub eliminations: CandidateSet<W>,
    /// Candidates whose placement counts.
    pub placements: CandidateSet<W>,
}

impl<'a, const W: usize> Aimed<'a, W> {
    pub fn new(aim: &'a Aim, facts: &Index<W>) -> Self {
        let mut eliminations = CandidateSet::EMPTY;
        for (cell, digit) in aim.digits.iter().enumerate().take(facts.candidates.len()) {
            if facts.candidates[cell].has(*digit) {
                eliminations.0[digit.index()].insert(cell);
            }
        }
        let placements = CandidateSet(facts.places).zip(&eliminations, |places, eliminations| places - eliminations);
        Aimed { aim, eliminations, placements }
    }

    /// Returns true if one of the eliminations or placements of a digit is wanted.
    pub fn counts(&self, digit: usize, eliminations: &Bits<W>, placements: &Bits<W>) -> bool {
        self.eliminations.0[digit].meets(eliminations) || self.placements.0[digit].meets(placements)
    }
}

/// The index of a state, and the tables that are derived from it when they are first asked for.
pub(crate) struct Facts<'s, const W: usize> {
    index: Index<W>,
    /// The aim of the searches, applied to this state.
    pub aim: Option<Box<Aimed<'s, W>>>,
    /// The templates of each digit.
    pub templates: Templates<'s, W>,
    /// Combinations that fill a few cells.
    pub exclusions: Exclusions,
    locked: RefCell<BTreeMap<(SetKind, usize), Rc<AlsTable<W>>>>,
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

    /// Restricts the searches to an aim.
    pub fn aim(&mut self, aim: &'s Aim) {
        let aimed = Aimed::new(aim, &self.index);
        self.aim = Some(Box::new(aimed));
    }

    /// Sets of a kind; almost locked ones have at most `most` cells on boards of more than nine digits.
    pub fn locked(&self, tables: &Tables<W>, sort: SetKind, most: usize) -> Rc<AlsTable<W>> {
        let mut known = self.locked.borrow_mut();
        Rc::clone(known.entry((sort, most)).or_insert_with(|| Rc::new(AlsTable::new(tables, &self.index, sort, most))))
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
        let is_bounded =
            self.aim.as_ref().is_none_or(|aimed| aimed.placements.cells().within(&aimed.eliminations.cells()));
        if !self.exact[1].is_empty() || !is_bounded {
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
        let digits = (0..tables.size).filter(|&digit| match self.templates.of(tables, &self.index, digit) {
            None => true,
            Some(found) => !found.in_none.is_empty() || placed && !found.in_every.is_empty(),
        });
        digits.map(|digit| Digit(digit as u8)).collect()
    }
}
