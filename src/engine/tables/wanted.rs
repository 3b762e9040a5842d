//! Effects that a search wants. In: the aim of the search, if it has found, and the reach of the rule's class. Out: the wanted
//! eliminations and placements.
//!
//! An [`Aim`] asks for deductions that contradict given digits. Most of a search can't make such a deduction, so an aimed
//! search is much cheaper than a full found. It trusts neither rules nor digits.

use super::board::Tables;
use super::candidate_set::CandidateSet;
use super::index::Index;
use crate::engine::matches::Match;
use crate::engine::plan::Class;
use crate::grid::{Bits, Candidate, Digit};

/// Number of different scopes in a state.
pub(in crate::engine) const SCOPES: usize = 5;

/// The eliminations and placements that a search is interested in.
pub(in crate::engine) struct Wanted<const W: usize> {
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

/// Matches count only for what they say against these digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    digits: Vec<Digit>,
}

impl Aim {
    /// A digit for each cell, row by row: its elimination counts, and that another found is placed there.
    pub fn against(digits: &[Digit]) -> Aim {
        Aim { digits: digits.to_vec() }
    }

    fn says(&self, candidate: &Candidate) -> bool {
        self.digits.get(candidate.cell.index()) == Some(&candidate.digit)
    }

    /// Keeps the wanted eliminations and placements.
    pub(in crate::engine) fn cut(&self, eliminations: &mut Vec<Candidate>, placements: &mut Vec<Candidate>) {
        eliminations.retain(|candidate| self.says(candidate));
        placements.retain(|candidate| !self.says(candidate));
    }

    /// Keeps the wanted effects of each match, and drops matches without any.
    pub(in crate::engine) fn cut_all(&self, matches: &mut Vec<Match>) {
        matches.iter_mut().for_each(|found| self.cut(&mut found.eliminations, &mut found.placements));
        matches.retain(|found| !found.eliminations.is_empty() || !found.placements.is_empty());
    }
}

/// An aim in a state.
pub(in crate::engine) struct Aimed<'a, const W: usize> {
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

    /// Returns true if found of the eliminations or placements of a digit is wanted.
    pub fn counts(&self, digit: usize, eliminations: &Bits<W>, placements: &Bits<W>) -> bool {
        self.eliminations.0[digit].meets(eliminations) || self.placements.0[digit].meets(placements)
    }
}
