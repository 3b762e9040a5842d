//! The preferred of the shortest chains between two nodes. In: a search that was run from one of them. Out: the nodes of
//! that chain whose strong links are of the sources that the rule names first: of two equally short chains the one with
//! fewer links of the last source, among those the one with fewer of the last but one, and so on.
//!
//! How a chain is called can depend on the sources of its links. So the choice must not depend on the order of the nodes,
//! and it does not: only chains that use the same sources equally often are told apart by their nodes.

use super::graph::{Edge, Graph, Place};
use super::search::{FAR, MOST_VISITS, Search};
use crate::engine::tables::bit_rows;

/// How often a chain uses each source, a byte for each, those named last in the highest.
pub(super) type LinkCounts = u64;

/// Sources beyond these are counted together.
const BYTES: usize = 7;

/// What a strong link adds.
fn of_link(edge: &Edge) -> LinkCounts {
    1 << (8 * usize::from(edge.rank).min(BYTES))
}

/// The sources of the strong links of a chain or loop whose first link is strong.
pub(super) fn link_counts(graph: &Graph, places: &[Place]) -> LinkCounts {
    let links = places.chunks_exact(2).map(|ends| graph.strong(ends[0]).iter().find(|edge| edge.to == ends[1]));
    links.flatten().map(of_link).sum()
}

/// Chains from one start.
pub(super) struct PreferredPath<'s, 'a, const W: usize> {
    search: &'s Search<'a, W>,
    start: Place,
    /// The link counts of the best way to each node that is shown false, then to each that is shown true, as far as it was
    /// asked for.
    known: Vec<Option<LinkCounts>>,
    best: Option<(LinkCounts, Vec<Place>)>,
    visits: usize,
}

impl<'s, 'a, const W: usize> PreferredPath<'s, 'a, W> {
    pub fn of(search: &'s Search<'a, W>, start: Place) -> Self {
        PreferredPath {
            search,
            start,
            known: vec![None; 2 * search.admit.graph.len()],
            best: None,
            visits: MOST_VISITS,
        }
    }

    /// The chain to a node that is shown true; `None` if each holds a node twice other than as its two ends.
    pub fn chain(mut self, to: Place) -> Option<Vec<Place>> {
        self.go(&mut vec![to], true, 0);
        self.best.map(|(_, mut chain)| {
            chain.reverse();
            chain
        })
    }

    /// Goes on towards the start from the last of `chain`, which is told from its end, best ways first; `spent` is the
    /// link counts so far. What can be no better than the best chain is left out.
    fn go(&mut self, chain: &mut Vec<Place>, on: bool, spent: LinkCounts) {
        let Some(&at) = chain.last() else { return };
        if (at, on) == (self.start, false) {
            self.best = Some((spent, chain.clone()));
            return;
        }
        let mut ways = Vec::new();
        for (before, link) in self.before(at, on) {
            let rest = if (before, !on) == (self.start, false) { Some(0) } else { self.way(before, !on) };
            ways.extend(rest.map(|rest| (spent + link + rest, before, link)));
        }
        ways.sort_unstable();
        for (whole, before, link) in ways {
            if self.visits == 0 || self.best.as_ref().is_some_and(|(best, _)| whole >= *best) {
                return;
            }
            self.visits -= 1;
            let ends = before == chain[0] && (before, !on) == (self.start, false);
            if ends || !chain.contains(&before) {
                chain.push(before);
                self.go(chain, !on, spent + link);
                chain.pop();
            }
        }
    }

    /// The best of the shortest ways to a node.
    fn way(&mut self, place: Place, on: bool) -> Option<LinkCounts> {
        let slot = usize::from(place) + usize::from(on) * self.search.admit.graph.len();
        if self.known[slot].is_none() {
            let mut best: Option<LinkCounts> = None;
            for (before, link) in self.before(place, on) {
                let so_far = match (before, !on) == (self.start, false) {
                    true => 0,
                    false => self.way(before, !on)?,
                };
                let link_counts = so_far + link;
                if best.is_none_or(|known| link_counts < known) {
                    best = Some(link_counts);
                }
            }
            self.known[slot] = best;
        }
        self.known[slot]
    }

    /// The nodes before a node on shortest ways, ascending, with what the link between them adds to the counts.
    fn before(&self, place: Place, on: bool) -> Vec<(Place, LinkCounts)> {
        let Search { admit, on: shown_true, off: shown_false, .. } = self.search;
        let costs = if on { shown_false } else { shown_true };
        let there = if on { shown_true } else { shown_false }[usize::from(place)];
        let fits = |before: Place| {
            let cost = costs[usize::from(before)];
            bit_rows::has(&admit.allowed, usize::from(before))
                && cost != FAR
                && cost + self.search.step(before, place, on) == there
        };
        match on {
            true => {
                let edges = admit.graph.strong(place).iter().filter(|edge| fits(edge.to));
                edges.map(|edge| (edge.to, of_link(edge))).collect()
            }
            false => {
                let nodes = bit_rows::bits(admit.graph.weak(place)).map(|before| before as Place);
                nodes.filter(|&before| fits(before)).map(|before| (before, 0)).collect()
            }
        }
    }
}
