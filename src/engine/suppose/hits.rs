//! What suppositions show. In: cases, and what follows from each. Out: what all cases that stand agree on, or that none
//! stands, as [`Hit`]s.

use super::Supposing;
use super::literal::{By, Literal};
use crate::engine::matches::{LimitHit, Limits};
use crate::grid::{Bits, Candidate, Digit};
use std::rc::Rc;

/// Cases that come to what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Hit {
    pub by: Rc<By>,
    pub cases: Vec<Literal>,
    /// What the cases agree on; `None` where each of them is a contradiction.
    pub shows: Option<Literal>,
}

/// What a rule asks of its cases.
#[derive(Clone, Copy)]
pub(in crate::engine) enum WantedEnd<'a, const W: usize> {
    /// Each is a contradiction.
    Contradiction,
    /// Those that stand agree on something; `all_stand`: none may be a contradiction. `counts` is what of it counts, laid
    /// out as an [`Outcome`]; without it everything does.
    Agreement { all_stand: bool, counts: Option<&'a [Bits<W>]> },
}

impl<const W: usize> Supposing<'_, W> {
    /// What the cases come to, with the limits that were hit: one contradiction, or all that is new and that they agree on,
    /// placements before eliminations, then by candidate.
    pub fn hits(
        &self,
        by: &Rc<By>,
        cases: &[Literal],
        wanted: WantedEnd<'_, W>,
        limits: &Limits,
    ) -> (Vec<Hit>, Vec<LimitHit>) {
        self.limit(limits);
        let known = self.known(by);
        let mut cut = Vec::new();
        // What the cases so far agree on, and whether one of them stands.
        let (mut left, counts, all_stand) = match wanted {
            WantedEnd::Contradiction => (None, None, false),
            WantedEnd::Agreement { all_stand, counts } => {
                (Some(counts.map_or_else(|| self.new_sets(), <[_]>::to_vec)), counts, all_stand)
            }
        };
        let mut stands = false;
        if left.as_ref().is_some_and(|left| left.iter().all(Bits::is_empty)) {
            return (Vec::new(), cut);
        }
        for case in self.plainest_first(cases, counts) {
            let outcome = self.outcome(by, &known, case, limits);
            cut.extend(&outcome.limits);
            let Some(sets) = &outcome.sets else {
                if all_stand {
                    return (Vec::new(), cut);
                }
                continue;
            };
            stands = true;
            // The first case that stands is enough to know that not all fall.
            let Some(left) = &mut left else { return (Vec::new(), cut) };
            left.iter_mut().zip(sets).for_each(|(left, shown)| *left &= *shown);
            if left.iter().all(Bits::is_empty) {
                return (Vec::new(), cut);
            }
        }
        let shown = match left {
            None if cases.is_empty() => Vec::new(),
            None => vec![None],
            Some(left) if stands || limits.first_found => self.literals(&left).into_iter().map(Some).collect(),
            Some(_) => Vec::new(),
        };
        let hit = |shows: Option<Literal>| Hit { by: Rc::clone(by), cases: cases.to_vec(), shows };
        if limits.first_found && !shown.is_empty() {
            return (
                self.found_first(by, cases, matches!(wanted, WantedEnd::Agreement { .. }), limits)
                    .into_iter()
                    .map(hit)
                    .collect(),
                cut,
            );
        }
        let mut hits: Vec<Hit> = shown.into_iter().map(hit).collect();
        hits.sort_by_key(|hit| hit.shows.map(|(candidate, holds)| (!holds, candidate)));
        (hits, cut)
    }

    /// What the cases come to by what is told one inference after the other, in the order in which the first case tells it.
    fn found_first(&self, by: &By, cases: &[Literal], agree: bool, limits: &Limits) -> Vec<Option<Literal>> {
        let accounts: Vec<_> = cases.iter().map(|&case| self.account(by, case, limits)).collect();
        let queues = || accounts.iter().filter_map(|account| account.queue());
        let Some(first) = queues().next() else { return Vec::new() };
        if !agree {
            return if queues().all(|queue| queue.refuted()) { vec![None] } else { Vec::new() };
        }
        let in_every = |&literal: &Literal| queues().all(|queue| queue.find(literal).is_some());
        let new = |&(candidate, _): &Literal| self.state.has(candidate);
        first.literals().into_iter().filter(new).filter(in_every).map(Some).collect()
    }

    /// Every candidate, as one that is true and as one that is false.
    fn new_sets(&self) -> Vec<Bits<W>> {
        let places = &self.facts.places[..self.boards.grid.size];
        places.iter().chain(places).copied().collect()
    }

    /// Whether nothing that counts follows from a literal, nor a contradiction; with the limits that were hit.
    pub fn proves_nothing(
        &self,
        by: &By,
        literal: Literal,
        counts: &[Bits<W>],
        limits: &Limits,
    ) -> (bool, Vec<LimitHit>) {
        self.limit(limits);
        let outcome = self.outcome(by, &self.known(by), literal, limits);
        let sets = outcome.sets.as_ref();
        let idle = sets.is_some_and(|sets| sets.iter().zip(counts).all(|(shown, counts)| !shown.meets(counts)));
        (idle, outcome.limits.clone())
    }

    /// What was found out with other limits is forgotten.
    fn limit(&self, limits: &Limits) {
        if self.memo.limits.replace(Some(*limits)).is_some_and(|before| before != *limits) {
            self.memo.known.borrow_mut().clear();
        }
    }

    /// The cases in the order in which they are looked at: those first of which the opposite counts. Against the solution
    /// what it holds comes first, which shows nothing else.
    fn plainest_first(&self, cases: &[Literal], counts: Option<&[Bits<W>]>) -> Vec<Literal> {
        let size = self.boards.grid.size;
        let mut cases = cases.to_vec();
        if let Some(counts) = counts {
            let opposite = |digit: usize, holds: bool| if holds { size + digit } else { digit };
            cases.sort_by_key(|&(candidate, holds)| {
                !counts[opposite(candidate.digit.index(), holds)].has(candidate.cell.index())
            });
        }
        cases
    }

    /// The literals of some sets, laid out as an [`Outcome`], that are not known.
    fn literals(&self, sets: &[Bits<W>]) -> Vec<Literal> {
        let size = self.boards.grid.size;
        let literals = sets.iter().enumerate().flat_map(|(place, cells)| {
            let (digit, holds) = (place % size, place < size);
            let new = *cells & self.facts.places[digit];
            new.cells().map(move |cell| (Candidate::new(Digit(digit as u8), cell), holds)).collect::<Vec<_>>()
        });
        literals.collect()
    }
}
