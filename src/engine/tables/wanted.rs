//! Effects that a search wants. In: the aim of the search, if it has one, and the reach of the rule's class. Out: the wanted
//! eliminations and placements.
//!
//! An [`Aim`] asks for deductions that contradict given digits. Most of a search can't make such a deduction, so an aimed
//! search is much cheaper than a full one. It trusts neither rules nor digits.

use super::board::Tables;
use super::candidate_set::Marks;
use super::index::Index;
use crate::engine::matches::Match;
use crate::engine::plan::Class;
use crate::grid::{Bits, Candidate, Digit};

/// Number of different scopes in a state.
pub(in crate::engine) const SCOPES: usize = 5;

/// The eliminations and placements that a search is interested in.
pub(in crate::engine) struct Scope<const W: usize> {
    /// Candidates whose elimination counts.
    pub gone: Marks<W>,
    /// Candidates whose placement counts.
    pub put: Marks<W>,
    /// Candidates that rules of the class can eliminate, wanted or not; without a class, all.
    pub reach: Marks<W>,
    /// True if some effects are not wanted.
    pub cuts: bool,
    /// The class that bounds it.
    pub class: Option<Class>,
}

impl<const W: usize> Scope<W> {
    /// Makes the scope of rules without a class.
    pub fn plain(places: &Marks<W>, aimed: Option<&Aimed<'_, W>>) -> Self {
        let (gone, put) = aimed.map_or((*places, *places), |aimed| (aimed.gone, aimed.put));
        Scope { gone, put, reach: *places, cuts: aimed.is_some(), class: None }
    }

    /// Makes the scope of rules of a class, given its reach. They place only what excludes a candidate within reach, and that
    /// candidate need not be wanted itself.
    pub fn of(class: Class, reach: &Marks<W>, plain: &Scope<W>, tables: &Tables<W>) -> Self {
        let gone = plain.gone.zip(reach, |gone, reach| gone & reach);
        let cells = reach.cells();
        let mut put = plain.put;
        for (digit, put) in put.0.iter_mut().enumerate() {
            *put &= tables.seeing_some(&reach.0[digit]) | cells;
        }
        Scope { gone, put, reach: *reach, cuts: true, class: Some(class) }
    }

    /// Index of this scope among those of the state.
    pub fn number(&self) -> usize {
        self.class.map_or(0, |class| 1 + class as usize)
    }

    /// Returns true if no effect is wanted.
    pub fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.put.is_empty()
    }
}

/// Matches count only for what they say against these digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    digits: Vec<Digit>,
}

impl Aim {
    /// A digit for each cell, row by row: its elimination counts, and that another one is placed there.
    pub fn against(digits: &[Digit]) -> Aim {
        Aim { digits: digits.to_vec() }
    }

    fn says(&self, candidate: &Candidate) -> bool {
        self.digits.get(candidate.cell.index()) == Some(&candidate.digit)
    }

    /// Keeps the wanted eliminations and placements.
    pub(in crate::engine) fn cut(&self, gone: &mut Vec<Candidate>, put: &mut Vec<Candidate>) {
        gone.retain(|candidate| self.says(candidate));
        put.retain(|candidate| !self.says(candidate));
    }

    /// Keeps the wanted effects of each match, and drops matches without any.
    pub(in crate::engine) fn cut_all(&self, matches: &mut Vec<Match>) {
        matches.iter_mut().for_each(|one| self.cut(&mut one.eliminations, &mut one.placements));
        matches.retain(|one| !one.eliminations.is_empty() || !one.placements.is_empty());
    }
}

/// An aim in a state.
pub(in crate::engine) struct Aimed<'a, const W: usize> {
    pub aim: &'a Aim,
    /// Candidates whose elimination counts.
    pub gone: Marks<W>,
    /// Candidates whose placement counts.
    pub put: Marks<W>,
}

impl<'a, const W: usize> Aimed<'a, W> {
    pub fn new(aim: &'a Aim, facts: &Index<W>) -> Self {
        let mut gone = Marks::EMPTY;
        for (cell, digit) in aim.digits.iter().enumerate().take(facts.candidates.len()) {
            if facts.candidates[cell].has(*digit) {
                gone.0[digit.index()].insert(cell);
            }
        }
        let put = Marks(facts.places).zip(&gone, |places, gone| places - gone);
        Aimed { aim, gone, put }
    }

    /// Returns true if one of the eliminations or placements of a digit is wanted.
    pub fn counts(&self, digit: usize, gone: &Bits<W>, put: &Bits<W>) -> bool {
        self.gone.0[digit].meets(gone) || self.put.0[digit].meets(put)
    }
}
