//! Matches that are looked through together. In: the ranks of a list, and what their members find. Out: the match that is
//! taken.

use super::order::Rank;
use super::path::Cut;
use super::price::Formula;
use super::solver::{Solver, changes};
use super::walk::Taken;
use crate::engine::{Found, Match, Search};
use crate::grid::State;
use crate::lang::ir::Statement;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// By what matches of a list are compared: price, order, length.
type Key = (u32, Vec<u32>, u32);

/// Matches seen so far.
struct Together<'s> {
    solver: &'s Solver,
    state: &'s State,
    /// When candidates went.
    history: &'s [u32],
    best: Option<(Key, Taken)>,
    /// Of those that are alike the first by length and order, with its place; the numbers that they have in common lead to it.
    alike: BTreeMap<Vec<u32>, usize>,
    firsts: Vec<((u32, Vec<u32>), usize, Match)>,
}

impl Solver {
    /// Of all matches of the ranks of a list the one of the smallest price, of equal ones that of the smallest order, then the
    /// shortest, then the first.
    pub(super) fn cheapest(
        &self,
        places: Range<usize>,
        (state, history): (&State, &[u32]),
        whole: &mut BTreeMap<usize, Found>,
        cuts: &mut Vec<Cut>,
        find: &mut dyn FnMut(usize, Search, u32) -> Found,
    ) -> Option<Taken> {
        let (alike, firsts) = (BTreeMap::new(), Vec::new());
        let mut together = Together { solver: self, state, history, best: None, alike, firsts };
        let mut ranks = self.ranking.ranks[places.clone()].iter();
        let each = ranks.any(|rank| !rank.order.is_empty() || rank.alike.is_some());
        let search = if each { Search::Each } else { Search::All };
        for place in places.clone() {
            let rank = &self.ranking.ranks[place];
            for &member in &rank.members {
                // The shortest chain says how long others may be.
                let open = together.best.is_none() && rank.alike.is_none() && !whole.contains_key(&member);
                if open && self.is_open_chain(member) && rank.grows(&self.members()[member]) {
                    let first = find(member, Search::First, u32::MAX);
                    self.see(&mut together, place, &first);
                    if first.matches.is_empty() {
                        whole.insert(member, first);
                    }
                }
                // Another row may take longer matches of the member.
                let rows = self.ranking.ranks[places.clone()].iter().filter(|rank| rank.members.contains(&member));
                let Some(longest) = rows.filter_map(|rank| together.longest(rank, member)).max() else { continue };
                let found = whole.entry(member).or_insert_with(|| find(member, search, longest));
                self.add_cuts(cuts, member, &found.limits);
                self.see(&mut together, place, found);
            }
        }
        together.taken()
    }

    /// Whether a member looks for open chains and supposes nothing: the shortest is found before all are told.
    fn is_open_chain(&self, member: usize) -> bool {
        let member = &self.members()[member];
        let body = &self.techniques[member.technique].variants[member.variant].body;
        let has = |is: fn(&Statement) -> bool| body.iter().any(is);
        has(|line| matches!(line, Statement::Chain(_))) && !has(|line| matches!(line, Statement::Suppose(_)))
    }

    fn see(&self, together: &mut Together<'_>, place: usize, found: &Found) {
        let (rank, state) = (&self.ranking.ranks[place], together.state);
        let told = found.matches.iter().map(|one| self.as_the_row_says(rank, one, state));
        told.filter(|one| changes(one, state)).for_each(|one| together.see(place, one));
    }
}

impl Together<'_> {
    /// How many candidates a match of a row may tell that is no dearer than the best so far; none where all are dearer.
    fn longest(&self, rank: &Rank, member: usize) -> Option<u32> {
        let Some(((known, ..), _)) = &self.best else { return Some(u32::MAX) };
        rank.longest(&self.solver.members()[member], *known)
    }

    fn see(&mut self, place: usize, one: Cow<'_, Match>) {
        let rank = &self.solver.ranking.ranks[place];
        let Some((by, order)) = &rank.alike else { return self.compare(place, one) };
        let key = (one.length(self.solver.geometry(), self.state), self.numbers(order, &one));
        let next = self.firsts.len();
        let at = *self.alike.entry(self.numbers(by, &one)).or_insert(next);
        if at == next {
            self.firsts.push((key, place, one.into_owned()));
        } else if key < self.firsts[at].0 {
            self.firsts[at] = (key, place, one.into_owned());
        }
    }

    fn compare(&mut self, place: usize, one: Cow<'_, Match>) {
        let rank = &self.solver.ranking.ranks[place];
        let known = self.best.as_ref().map_or(u32::MAX, |((known, ..), _)| *known);
        // To work out what a match costs takes longer than to know that it costs too much.
        if rank.least(&one.member, one.chain.len() as u32) > known {
            return;
        }
        let price = self.solver.own_price(rank, &one, self.state);
        let Some(all) = price.or(rank.fixed()).filter(|&all| all <= known) else { return };
        let key = (all, self.numbers(&rank.order, &one), one.length(self.solver.geometry(), self.state));
        let better = self.best.as_ref().is_none_or(|(known, _)| key < *known);
        if better && (!rank.shared || self.solver.belongs(&one, rank, self.state)) {
            self.best = Some((key, Taken { found: one.into_owned(), place, price }));
        }
    }

    fn taken(mut self) -> Option<Taken> {
        for (_, place, one) in std::mem::take(&mut self.firsts) {
            self.compare(place, Cow::Owned(one));
        }
        self.best.map(|(_, taken)| taken)
    }

    fn numbers(&self, of: &[Formula], one: &Match) -> Vec<u32> {
        let number = |formula: &Formula| {
            let board = (&**self.solver.geometry(), self.state);
            formula.of(one, &self.solver.techniques, board, self.history).unwrap_or(0)
        };
        of.iter().map(number).collect()
    }
}
