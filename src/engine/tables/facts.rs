//! Everything derived from a state. In: a state, and an optional aim of the searches. Out: [`Facts`], shared by all
//! searches in the state; [`Wanted`], the effects that a search is interested in.
//!
//! The aim of a search, [`ContradictedDigits`], asks for deductions that contradict a solution. Most branches of a
//! search can't lead to such a deduction, so an aimed search is much cheaper than a full search.

use super::als::AlsTable;
use super::board::BoardMasks;
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

/// Number of scopes of a state: one for each class, and one for rules without a class.
pub(crate) const SCOPES: usize = 5;

/// The scope of a search: the eliminations and placements in which the search is interested.
pub(crate) struct Wanted<const W: usize> {
    pub eliminations: CandidateSet<W>,
    pub placements: CandidateSet<W>,
    /// Candidates that rules of the class can eliminate, even if their elimination is not wanted. Without a class, all
    /// candidates.
    pub reach: CandidateSet<W>,
    /// True if some effects are not wanted.
    pub is_partial: bool,
    /// The class whose reach bounds the effects.
    pub class: Option<Class>,
}

impl<const W: usize> Wanted<W> {
    /// Makes the scope of rules without a class; `candidates` are all candidates of the state.
    pub fn unrestricted(candidates: &CandidateSet<W>, aimed: Option<&Aimed<'_, W>>) -> Self {
        let (eliminations, placements) = match aimed {
            Some(aimed) => (aimed.eliminations, aimed.placements),
            None => (*candidates, *candidates),
        };
        Wanted { eliminations, placements, reach: *candidates, is_partial: aimed.is_some(), class: None }
    }

    /// Makes the scope of rules of a class, given the candidates that they can eliminate (`reach`). A rule of a class
    /// places only candidates that exclude some candidate of `reach`.
    pub fn within_reach(
        class: Class,
        reach: &CandidateSet<W>,
        unrestricted: &Wanted<W>,
        tables: &BoardMasks<W>,
    ) -> Self {
        let eliminations = unrestricted.eliminations.zip(reach, |eliminations, reach| eliminations & reach);
        let cells = reach.cells();
        let mut placements = unrestricted.placements;
        for (digit, placements) in placements.0.iter_mut().enumerate() {
            *placements &= tables.seeing_some(&reach.0[digit]) | cells;
        }
        Wanted { eliminations, placements, reach: *reach, is_partial: true, class: Some(class) }
    }

    /// Returns the index of this scope in [`Facts::scopes`].
    pub fn index(&self) -> usize {
        self.class.map_or(0, |class| 1 + class as usize)
    }

    pub fn is_empty(&self) -> bool {
        self.eliminations.is_empty() && self.placements.is_empty()
    }
}

/// The aim of a search that wants only deductions that contradict given digits, such as the digits of the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContradictedDigits(Vec<Digit>);

impl ContradictedDigits {
    /// Makes the aim from a digit for each cell, row by row. Wanted are the elimination of this digit, and the
    /// placement of any other digit in the cell.
    pub fn new(digits: &[Digit]) -> ContradictedDigits {
        ContradictedDigits(digits.to_vec())
    }

    /// Returns true if the candidate is true in the solution.
    fn is_true(&self, candidate: &Candidate) -> bool {
        self.0.get(candidate.cell.index()) == Some(&candidate.digit)
    }

    pub(crate) fn keep_wanted(&self, eliminations: &mut Vec<Candidate>, placements: &mut Vec<Candidate>) {
        eliminations.retain(|candidate| self.is_true(candidate));
        placements.retain(|candidate| !self.is_true(candidate));
    }

    /// Keeps the wanted effects of each match, and drops matches without wanted effects.
    pub(crate) fn keep_wanted_matches(&self, matches: &mut Vec<Match>) {
        for found in matches.iter_mut() {
            self.keep_wanted(&mut found.eliminations, &mut found.placements);
        }
        matches.retain(|found| !found.eliminations.is_empty() || !found.placements.is_empty());
    }
}

/// An aim applied to a state.
pub(crate) struct Aimed<'a, const W: usize> {
    pub aim: &'a ContradictedDigits,
    pub eliminations: CandidateSet<W>,
    pub placements: CandidateSet<W>,
}

impl<'a, const W: usize> Aimed<'a, W> {
    pub fn new(aim: &'a ContradictedDigits, facts: &Index<W>) -> Self {
        let mut eliminations = CandidateSet::EMPTY;
        for (cell, digit) in aim.0.iter().enumerate().take(facts.candidates.len()) {
            if facts.candidates[cell].has(*digit) {
                eliminations.0[digit.index()].insert(cell);
            }
        }
        let placements = CandidateSet(facts.places).zip(&eliminations, |places, eliminations| places - eliminations);
        Aimed { aim, eliminations, placements }
    }

    /// Returns true if one of the eliminations or placements of a digit is wanted.
    pub fn wants_some(&self, digit: usize, eliminations: &Bits<W>, placements: &Bits<W>) -> bool {
        self.eliminations.0[digit].meets(eliminations) || self.placements.0[digit].meets(placements)
    }
}

/// The index of a state, and tables that are derived from the index on first use.
pub(crate) struct Facts<'s, const W: usize> {
    index: Index<W>,
    /// The aim of the searches, applied to this state.
    pub aim: Option<Box<Aimed<'s, W>>>,
    pub templates: Templates<'s, W>,
    pub exclusions: Exclusions,
    /// Tables of sets, by their kind and their maximum number of cells.
    als_tables: RefCell<BTreeMap<(SetKind, usize), Rc<AlsTable<W>>>>,
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
    /// Derives the facts of a state. `templates` has templates of earlier states.
    pub fn new(tables: &BoardMasks<W>, state: &State, templates: Option<&'s TemplateMemory<W>>) -> Self {
        Facts {
            index: Index::new(tables, state),
            aim: None,
            templates: Templates::new(tables.size, templates),
            exclusions: Exclusions::default(),
            als_tables: RefCell::new(BTreeMap::new()),
            reach: Reach::default(),
            scopes: Default::default(),
        }
    }

    /// Returns the sets of a kind. On boards with more than nine digits, almost locked sets have at most `max_cells`
    /// cells.
    pub fn als_table(&self, tables: &BoardMasks<W>, kind: SetKind, max_cells: usize) -> Rc<AlsTable<W>> {
        let mut als_tables = self.als_tables.borrow_mut();
        let table = als_tables.entry((kind, max_cells));
        Rc::clone(table.or_insert_with(|| Rc::new(AlsTable::new(tables, &self.index, kind, max_cells))))
    }

    /// Returns the scope of rules without a class.
    pub fn unrestricted_scope(&self) -> &Wanted<W> {
        self.scopes[0].get_or_init(|| Box::new(Wanted::unrestricted(&CandidateSet(self.places), self.aim.as_deref())))
    }

    /// Returns the scope of rules of a class. On boards with more than nine digits, almost locked sets have at most
    /// `max_cells` cells.
    pub fn scope(&self, tables: &BoardMasks<W>, class: Class, max_cells: usize) -> &Wanted<W> {
        let unrestricted = self.unrestricted_scope();
        // Reach does not bound two kinds of placements: placements in cells with one candidate, and wrong placements in
        // cells whose true candidate was already eliminated.
        let is_bounded =
            self.aim.as_ref().is_none_or(|aimed| aimed.placements.cells().within(&aimed.eliminations.cells()));
        if !self.exact[1].is_empty() || !is_bounded {
            return unrestricted;
        }
        let Some(reach) = self
            .reach
            .of(tables, &self.index, class, max_cells, || self.als_table(tables, SetKind::Locked(1), max_cells))
        else {
            return unrestricted;
        };
        self.scopes[1 + class as usize]
            .get_or_init(|| Box::new(Wanted::within_reach(class, reach, unrestricted, tables)))
    }

    /// Returns true if a digit in some cells may end a link of a chain with an elimination within reach of a class.
    pub fn may_be_end(&self, tables: &BoardMasks<W>, class: Class, end: (usize, Bits<W>)) -> bool {
        self.reach.may_be_end((tables, &self.index), class, end)
    }

    /// Returns true if proved rules count as sound. In an aimed search no rule counts as sound, because the search
    /// looks for wrong deductions.
    pub fn trusts_rules(&self) -> bool {
        self.aim.is_none()
    }

    /// Returns the digits with a candidate in no template; with `or_placements`, also the digits with a candidate in
    /// every template. Digits with too many templates are included.
    pub fn digits_with_eliminations(&self, tables: &BoardMasks<W>, or_placements: bool) -> DigitSet {
        if !self.trusts_rules() {
            return DigitSet::all(tables.size);
        }
        let digits = (0..tables.size).filter(|&digit| match self.templates.of(tables, &self.index, digit) {
            None => true,
            Some(summary) => !summary.in_none.is_empty() || or_placements && !summary.in_every.is_empty(),
        });
        digits.map(|digit| Digit(digit as u8)).collect()
    }
}
