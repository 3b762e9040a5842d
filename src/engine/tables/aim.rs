//! What a search is aimed at. In: a digit for each cell. Out: the candidates whose elimination counts, and those whose
//! placement does; everything else that a match shows is left out, and a match that shows nothing more is none.
//!
//! To look only for what contradicts the target digits is much less work than to list all that there is: most of a search can
//! show nothing of the kind. Nothing is taken to be sound here, neither rules nor digits.

use super::index::Index;
use super::marks::Marks;
use crate::engine::matches::Match;
use crate::grid::{Bits, Candidate, Digit};

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

    /// What of some eliminations and placements counts.
    pub(in crate::engine) fn cut(&self, gone: &mut Vec<Candidate>, put: &mut Vec<Candidate>) {
        gone.retain(|candidate| self.says(candidate));
        put.retain(|candidate| !self.says(candidate));
    }

    /// What of some matches counts, without those of which nothing does.
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

    /// Whether something of a digit counts: candidates that are false, and that are true.
    pub fn counts(&self, digit: usize, gone: &Bits<W>, put: &Bits<W>) -> bool {
        self.gone.0[digit].meets(gone) || self.put.0[digit].meets(put)
    }
}
