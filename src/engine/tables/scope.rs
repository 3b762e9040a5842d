//! What a search is for. In: the aim of a search, if it has one, and what is in reach of a rule's class. Out: the candidates
//! whose elimination counts, and those whose placement does.

use super::aim::Aimed;
use super::board::Tables;
use super::marks::Marks;
use crate::engine::plan::Class;

/// How many different scopes the searches of a state have.
pub(in crate::engine) const SCOPES: usize = 5;

/// What counts of what a match shows.
pub(in crate::engine) struct Scope<const W: usize> {
    /// Candidates whose elimination counts.
    pub gone: Marks<W>,
    /// Candidates whose placement counts.
    pub put: Marks<W>,
    /// Whether something does not count.
    pub cuts: bool,
    /// The class that bounds it.
    pub class: Option<Class>,
}

impl<const W: usize> Scope<W> {
    /// For rules of no class.
    pub fn plain(places: &Marks<W>, aimed: Option<&Aimed<'_, W>>) -> Self {
        let (gone, put) = aimed.map_or((*places, *places), |aimed| (aimed.gone, aimed.put));
        Scope { gone, put, cuts: aimed.is_some(), class: None }
    }

    /// For rules of a class, given what is in its reach. A placement counts by what it excludes: in a cell with several
    /// candidates it excludes one at least.
    pub fn of(class: Class, reach: &Marks<W>, plain: &Scope<W>, tables: &Tables<W>) -> Self {
        let gone = plain.gone.zip(reach, |gone, reach| gone & reach);
        let cells = gone.cells();
        let mut put = plain.put;
        for (digit, put) in put.0.iter_mut().enumerate() {
            *put &= tables.seeing_some(&gone.0[digit]) | cells;
        }
        Scope { gone, put, cuts: true, class: Some(class) }
    }

    /// Its number among those of the state.
    pub fn number(&self) -> usize {
        self.class.map_or(0, |class| 1 + class as usize)
    }

    /// Whether nothing counts.
    pub fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.put.is_empty()
    }
}
