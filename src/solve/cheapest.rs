//! Lists of ranks that are searched together. In: the ranks of a list, a search for their members. Out: the cheapest match.
//!
//! The price of the best match so far bounds the length of further matches, see [`Rank::longest`]. Prices may depend on the times of
//! eliminations ([`Changes`]).

use super::path::{Cut, Taken};
use super::price::Formula;
use super::ranking::Rank;
use super::solver::{Solver, WatchedSearches, has_effect};
use crate::engine::{Found, Match, Search};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};
use crate::lang::ir::Statement;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The order of matches in a list: price, values of `order`, length.
type MatchOrder = (u32, Vec<u32>, u32);

/// The best match of a list so far.
struct Cheapest<'s> {
    solver: &'s Solver,
    state: &'s State,
    /// Times of eliminations.
    history: &'s [u32],
    best: Option<(MatchOrder, Taken)>,
    /// Index into `firsts` by the values that define a group.
    groups: BTreeMap<Vec<u32>, usize>,
    /// For each group the first match by length and order, with its rank.
    firsts: Vec<((u32, Vec<u32>), usize, Match)>,
}

impl Solver {
    /// Finds the match with the smallest price in a list of ranks; among equal prices the one with the smallest `order`, then the shortest,
    /// then the first.
    ///
    /// `whole` keeps the matches of members that were searched completely.
    pub(super) fn cheapest(
        &self,
        places: Range<usize>,
        (state, history): (&State, &[u32]),
        whole: &mut BTreeMap<usize, Found>,
        cuts: &mut Vec<Cut>,
        searches: &mut WatchedSearches<'_, '_>,
    ) -> Option<Taken> {
        let (groups, firsts) = (BTreeMap::new(), Vec::new());
        let mut cheapest = Cheapest { solver: self, state, history, best: None, groups, firsts };
        let mut ranks = self.ranking.ranks[places.clone()].iter();
        let each = ranks.any(|rank| !rank.order.is_empty() || rank.groups.is_some());
        let search = if each { Search::Each } else { Search::All };
        for place in places.clone() {
            let rank = &self.ranking.ranks[place];
            for &member in &rank.members {
                // The price of the shortest chain bounds the length of others, so find it first.
                let unbounded = cheapest.best.is_none() && rank.groups.is_none() && !whole.contains_key(&member);
                if unbounded && self.is_open_chain(member) && rank.grows(&self.members()[member]) {
                    let first = searches.find(member, Search::First, u32::MAX);
                    cheapest.add_all(place, &first);
                    if first.matches.is_empty() {
                        whole.insert(member, first);
                    }
                }
                // Another row may take longer matches of the member.
                let rows = self.ranking.ranks[places.clone()].iter().filter(|rank| rank.members.contains(&member));
                let Some(longest) = rows.filter_map(|rank| cheapest.longest(rank, member)).max() else { continue };
                let found = whole.entry(member).or_insert_with(|| searches.find(member, search, longest));
                self.add_cuts(cuts, member, &found.limits);
                cheapest.add_all(place, found);
            }
        }
        cheapest.finish()
    }

    /// Returns true if a member finds open chains without suppositions: then its shortest match can be found alone.
    fn is_open_chain(&self, member: usize) -> bool {
        let member = &self.members()[member];
        let body = &self.techniques[member.technique].variants[member.variant].body;
        body.iter().any(|line| line.graph().is_some_and(|graph| graph.chain().is_some()))
            && !body.iter().any(|line| matches!(line, Statement::Suppose(_)))
    }
}

impl Cheapest<'_> {
    /// Adds the matches of the rank at index `place`.
    fn add_all(&mut self, place: usize, found: &Found) {
        let rank = &self.solver.ranking.ranks[place];
        for one in &found.matches {
            let one = self.solver.adapted_to_row(rank, one, self.state);
            if has_effect(&one, self.state) {
                self.add(place, one);
            }
        }
    }

    /// Returns the largest length of a match of a rank that may cost no more than the best so far; `None` if all cost more.
    fn longest(&self, rank: &Rank, member: usize) -> Option<u32> {
        let Some(((known, ..), _)) = &self.best else { return Some(u32::MAX) };
        rank.longest(&self.solver.members()[member], *known)
    }

    /// Adds a match: to its group, if only the shortest of some matches counts, else to the comparison of prices.
    fn add(&mut self, place: usize, one: Cow<'_, Match>) {
        let rank = &self.solver.ranking.ranks[place];
        let Some((by, order)) = &rank.groups else { return self.compare(place, one) };
        let key = (one.length(self.solver.geometry(), self.state), self.numbers(order, &one));
        let next = self.firsts.len();
        let at = *self.groups.entry(self.numbers(by, &one)).or_insert(next);
        if at == next {
            self.firsts.push((key, place, one.into_owned()));
        } else if key < self.firsts[at].0 {
            self.firsts[at] = (key, place, one.into_owned());
        }
    }

    /// Takes a match if it is better than the best so far.
    fn compare(&mut self, place: usize, one: Cow<'_, Match>) {
        let rank = &self.solver.ranking.ranks[place];
        let known = self.best.as_ref().map_or(u32::MAX, |((known, ..), _)| *known);
        // The bound is much quicker to compute than the price.
        if rank.least(&one.member, one.chain.len() as u32) > known {
            return;
        }
        let price = self.solver.own_price(rank, &one, self.state);
        let Some(all) = price.or(rank.fixed()).filter(|&all| all <= known) else { return };
        let key = (all, self.numbers(&rank.order, &one), one.length(self.solver.geometry(), self.state));
        let better = self.best.as_ref().is_none_or(|(known, _)| key < *known);
        if better && (!rank.shares_members || self.solver.belongs(&one, rank, self.state)) {
            self.best = Some((key, Taken { found: one.into_owned(), place, price }));
        }
    }

    fn finish(mut self) -> Option<Taken> {
        for (_, place, one) in std::mem::take(&mut self.firsts) {
            self.compare(place, Cow::Owned(one));
        }
        self.best.map(|(_, taken)| taken)
    }

    fn numbers(&self, of: &[Formula], one: &Match) -> Vec<u32> {
        let board = (&**self.solver.geometry(), self.state);
        let numbers =
            of.iter().map(|formula| formula.of(one, &self.solver.techniques, board, self.history).unwrap_or(0));
        numbers.collect()
    }
}

/// Times of eliminations, counted change by change from the first state of a path, for expressions of a profile
/// ([`Measure::Since`](crate::lang::ir::Measure::Since)). A placement eliminates its digit from the cells that see it, in their order, then
/// the other digits of its cell.
pub(super) struct Changes<'g> {
    geometry: &'g Geometry,
    now: u32,
    /// For each candidate (cell × size + digit) the number of the change that eliminated it; 0 if it is present.
    pub times: Vec<u32>,
}

impl<'g> Changes<'g> {
    /// Counts the changes that lead from an empty board to a state: placements cell by cell, then the other missing candidates.
    pub fn new(geometry: &'g Geometry, state: &State) -> Changes<'g> {
        let mut changes = Changes { geometry, now: 0, times: vec![0; geometry.cell_count() * geometry.size()] };
        for cell in geometry.cells() {
            if let Some(digit) = state.value(cell) {
                changes.place(cell, digit);
            }
        }
        for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
            let missing = DigitSet::all(geometry.size()) - state.candidates(cell);
            missing.iter().for_each(|digit| changes.eliminate(Candidate::new(digit, cell)));
        }
        changes
    }

    /// Counts the eliminations and placements of a match.
    pub fn add(&mut self, found: &Match) {
        found.eliminations.iter().for_each(|&one| self.eliminate(one));
        found.placements.iter().for_each(|one| self.place(one.cell, one.digit));
    }

    fn eliminate(&mut self, one: Candidate) {
        let at = &mut self.times[one.cell.index() * self.geometry.size() + one.digit.index()];
        if *at == 0 {
            self.now += 1;
            *at = self.now;
        }
    }

    fn place(&mut self, cell: Cell, digit: Digit) {
        for &peer in self.geometry.peers(cell) {
            self.eliminate(Candidate::new(digit, peer));
        }
        let others = DigitSet::all(self.geometry.size()) - DigitSet::single(digit);
        others.iter().for_each(|other| self.eliminate(Candidate::new(other, cell)));
    }
}
