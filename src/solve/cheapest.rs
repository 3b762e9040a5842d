//! Finds the cheapest match of several ranks whose matches compete by price. In: the ranks, a search for their members.
//! Out: the match.
//!
//! The price of the best match so far limits the length of further matches, see [`Rank::longest`]. Prices may depend on
//! [`EliminationTimes`].

use super::path::{ChosenMatch, Cut};
use super::price::Formula;
use super::ranking::Rank;
use super::solver::{Solver, WatchedSearches, has_effect};
use crate::engine::{Match, SearchMode, SearchOutcome};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The sort key of a match: price, values of `order`, length. The smallest key wins.
type MatchOrder = (u32, Vec<u32>, u32);

/// The search for the cheapest match of a list of ranks. If a rank has groups, only the shortest match of each group
/// competes.
struct CheapestSearch<'s> {
    solver: &'s Solver,
    state: &'s State,
    /// Times of eliminations, see [`EliminationTimes::times`].
    history: &'s [u32],
    best: Option<(MatchOrder, ChosenMatch)>,
    /// For the key of a group, the index into `shortest`.
    groups: BTreeMap<Vec<u32>, usize>,
    shortest: Vec<GroupedMatch>,
}

struct GroupedMatch {
    /// Length, then values of the group's `order`. The smallest key wins.
    key: (u32, Vec<u32>),
    rank: usize,
    rule_match: Match,
}

impl Solver {
    /// Finds the match with the smallest price in a list of ranks. Among matches of equal price, the smallest `order`
    /// wins, then the shortest match, then the first match.
    ///
    /// `cache` holds the results of complete searches, by member.
    pub(super) fn find_cheapest(
        &self,
        ranks: Range<usize>,
        (state, history): (&State, &[u32]),
        cache: &mut BTreeMap<usize, SearchOutcome>,
        cuts: &mut Vec<Cut>,
        searches: &mut WatchedSearches<'_, '_>,
    ) -> Option<ChosenMatch> {
        let groups = BTreeMap::new();
        let shortest = Vec::new();
        let mut cheapest = CheapestSearch { solver: self, state, history, best: None, groups, shortest };
        let rank_list = &self.ranking.ranks[ranks.clone()];
        let compares_patterns = rank_list.iter().any(|rank| !rank.order.is_empty() || rank.groups.is_some());
        // Matches with equal deductions may differ in their patterns.
        let search = if compares_patterns { SearchMode::AllWithDuplicates } else { SearchMode::All };
        for index in ranks {
            let rank = &self.ranking.ranks[index];
            for &member in &rank.members {
                // The price of the shortest chain limits the length of all other chains, so the shortest chain is
                // searched first.
                let has_no_bound = cheapest.best.is_none() && rank.groups.is_none() && !cache.contains_key(&member);
                if has_no_bound && self.is_open_chain(member) && rank.price_grows_with_length(&self.members()[member]) {
                    let first = searches.find(member, SearchMode::First, u32::MAX);
                    cheapest.add_matches(index, &first);
                    if first.matches.is_empty() {
                        cache.insert(member, first);
                    }
                }
                // Another rank of the list may allow longer matches of the member.
                let ranks_of_member = rank_list.iter().filter(|rank| rank.members.contains(&member));
                let lengths = ranks_of_member.filter_map(|rank| cheapest.longest(rank, member));
                let Some(longest) = lengths.max() else { continue };
                let result = cache.entry(member).or_insert_with(|| searches.find(member, search, longest));
                self.add_cuts(cuts, member, &result.limits);
                cheapest.add_matches(index, result);
            }
        }
        cheapest.finish()
    }

    /// Returns true if a member finds open chains without suppositions. The engine can search the shortest of such chains
    /// alone.
    fn is_open_chain(&self, member: usize) -> bool {
        let member = &self.members()[member];
        let variant = &self.techniques[member.technique].variants[member.variant];
        variant.body.iter().any(|statement| statement.graph().is_some_and(|graph| graph.chain().is_some()))
            && variant.suppositions().next().is_none()
    }
}

impl CheapestSearch<'_> {
    /// Adds the matches of a rank, given by its index.
    fn add_matches(&mut self, rank: usize, result: &SearchOutcome) {
        for rule_match in &result.matches {
            let rule_match =
                self.solver.adapted_to_profile_row(&self.solver.ranking.ranks[rank], rule_match, self.state);
            if has_effect(&rule_match, self.state) {
                self.add(rank, rule_match);
            }
        }
    }

    fn best_price(&self) -> u32 {
        self.best.as_ref().map_or(u32::MAX, |((price, ..), _)| *price)
    }

    /// Returns the largest length with which a match of the rank may cost at most as much as the best match; `None` if
    /// every match of the rank costs more.
    fn longest(&self, rank: &Rank, member: usize) -> Option<u32> {
        match self.best {
            Some(_) => rank.longest(&self.solver.members()[member], self.best_price()),
            None => Some(u32::MAX),
        }
    }

    /// Adds a match to its group. If the rank has no groups, compares the match with the best match.
    fn add(&mut self, rank: usize, rule_match: Cow<'_, Match>) {
        let Some((group_by, order)) = &self.solver.ranking.ranks[rank].groups else {
            return self.compare(rank, rule_match);
        };
        let key = (rule_match.length(self.solver.geometry(), self.state), self.values(order, &rule_match));
        let group = self.values(group_by, &rule_match);
        if let Some(&index) = self.groups.get(&group) {
            if key < self.shortest[index].key {
                self.shortest[index] = GroupedMatch { key, rank, rule_match: rule_match.into_owned() };
            }
        } else {
            self.groups.insert(group, self.shortest.len());
            self.shortest.push(GroupedMatch { key, rank, rule_match: rule_match.into_owned() });
        }
    }

    /// Replaces the best match if the key of `rule_match` is smaller.
    fn compare(&mut self, rank_index: usize, rule_match: Cow<'_, Match>) {
        let rank = &self.solver.ranking.ranks[rank_index];
        let best_price = self.best_price();
        // The bound is much quicker to compute than the price.
        if rank.lower_bound(&rule_match.member, rule_match.chain.len() as u32) > best_price {
            return;
        }
        let own_price = self.solver.own_price(rank, &rule_match, self.state);
        let Some(price) = own_price.or(rank.fallback_price()) else { return };
        if price > best_price {
            return;
        }
        let key = (price, self.values(&rank.order, &rule_match), rule_match.length(self.solver.geometry(), self.state));
        let is_better = self.best.as_ref().is_none_or(|(best, _)| key < *best);
        if is_better && (!rank.shares_members || self.solver.belongs(&rule_match, rank, self.state)) {
            self.best =
                Some((key, ChosenMatch { rule_match: rule_match.into_owned(), rank: rank_index, price: own_price }));
        }
    }

    fn finish(mut self) -> Option<ChosenMatch> {
        for GroupedMatch { rank, rule_match, .. } in std::mem::take(&mut self.shortest) {
            self.compare(rank, Cow::Owned(rule_match));
        }
        self.best.map(|(_, chosen)| chosen)
    }

    fn values(&self, formulas: &[Formula], rule_match: &Match) -> Vec<u32> {
        let board = (&**self.solver.geometry(), self.state);
        let values =
            formulas.iter().map(|formula| formula.evaluate(rule_match, &self.solver.techniques, board, self.history));
        values.map(Option::unwrap_or_default).collect()
    }
}

/// Times of eliminations, for expressions of a profile ([`Measure::Since`](crate::lang::ir::Measure::Since)). The time
/// of an elimination is its number, counted from the first state of a path. A placement eliminates first the digit from
/// the peers of the cell, then the other digits of the cell.
pub(super) struct EliminationTimes<'g> {
    geometry: &'g Geometry,
    count: u32,
    /// Time at which each candidate was eliminated, indexed by cell × size + digit; 0 if the candidate is present.
    pub times: Vec<u32>,
}

impl<'g> EliminationTimes<'g> {
    /// Counts the eliminations that lead from an empty board to a state: of the placements, cell by cell, then of the
    /// other missing candidates.
    pub fn new(geometry: &'g Geometry, state: &State) -> EliminationTimes<'g> {
        let mut times =
            EliminationTimes { geometry, count: 0, times: vec![0; geometry.cell_count() * geometry.size()] };
        for cell in geometry.cells() {
            if let Some(digit) = state.value(cell) {
                times.place(cell, digit);
            }
        }
        for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
            let missing = DigitSet::all(geometry.size()) - state.candidates(cell);
            missing.iter().for_each(|digit| times.eliminate(Candidate::new(digit, cell)));
        }
        times
    }

    /// Counts the eliminations and placements of a match.
    pub fn add(&mut self, rule_match: &Match) {
        rule_match.eliminations.iter().for_each(|&candidate| self.eliminate(candidate));
        rule_match.placements.iter().for_each(|candidate| self.place(candidate.cell, candidate.digit));
    }

    fn eliminate(&mut self, candidate: Candidate) {
        let time = &mut self.times[candidate.cell.index() * self.geometry.size() + candidate.digit.index()];
        if *time == 0 {
            self.count += 1;
            *time = self.count;
        }
    }

    fn place(&mut self, cell: Cell, digit: Digit) {
        for &peer in self.geometry.peers(cell) {
            self.eliminate(Candidate::new(digit, peer));
        }
        let other_digits = DigitSet::all(self.geometry.size()) - DigitSet::single(digit);
        other_digits.iter().for_each(|digit| self.eliminate(Candidate::new(digit, cell)));
    }
}
