//! The plainest of the shortest chains between two nodes. In: a search that was run from one of them. Out: the nodes of
//! that chain whose strong links are of the sources that the rule names first: of two equally short chains the one with
//! fewer links of the last source, among those the one with fewer of the last but one, and so on.
//!
//! How a chain is called can depend on the sources of its links. So the choice must not depend on the order of the nodes,
//! and it does not: only chains that use the same sources equally often are told apart by their nodes.

use super::graph::{Edge, Graph, Place};
use super::rows;
use super::search::{FAR, Search};

/// How often a chain uses each source, a byte for each, those named last in the highest.
type Makeup = u64;

/// Sources beyond these are counted together.
const BYTES: usize = 7;

/// What a strong link adds.
fn of_link(edge: &Edge) -> Makeup {
    1 << (8 * usize::from(edge.rank).min(BYTES))
}

/// The makeup of a chain; its first link is strong.
pub(super) fn makeup(graph: &Graph, chain: &[Place]) -> Makeup {
    let strong = chain.chunks_exact(2).map(|ends| graph.strong(ends[0]).iter().find(|edge| edge.to == ends[1]));
    strong.flatten().map(of_link).sum()
}

/// The makeup of the best way from the start, as far as it was asked for, and where it comes from.
#[derive(Clone, Copy)]
struct Way {
    makeup: Makeup,
    before: Place,
}

/// Ways from one start.
pub(super) struct Plainest<'s, 'a, const W: usize> {
    search: &'s Search<'a, W>,
    start: Place,
    /// For each node that is shown false, then for each that is shown true.
    known: Vec<Option<Way>>,
}

impl<'s, 'a, const W: usize> Plainest<'s, 'a, W> {
    pub fn of(search: &'s Search<'a, W>, start: Place) -> Self {
        Plainest { search, start, known: vec![None; 2 * search.admit.graph.len()] }
    }

    /// The chain to a node that is shown true; `None` if it holds a node twice other than as its two ends.
    pub fn chain(mut self, to: Place) -> Option<Vec<Place>> {
        let mut chain = vec![to];
        let (mut at, mut on) = (to, true);
        while (at, on) != (self.start, false) {
            at = self.way(at, on)?.before;
            on = !on;
            let ends = at == to && (at, on) == (self.start, false);
            if !ends && chain.contains(&at) {
                return None;
            }
            chain.push(at);
        }
        chain.reverse();
        Some(chain)
    }

    /// The best of the shortest ways to a node.
    fn way(&mut self, place: Place, on: bool) -> Option<Way> {
        let slot = usize::from(place) + usize::from(on) * self.search.admit.graph.len();
        if self.known[slot].is_none() {
            let mut best: Option<Way> = None;
            for (before, link) in self.before(place, on) {
                let so_far = match (before, !on) == (self.start, false) {
                    true => 0,
                    false => self.way(before, !on)?.makeup,
                };
                let makeup = so_far + link;
                if best.is_none_or(|known| makeup < known.makeup) {
                    best = Some(Way { makeup, before });
                }
            }
            self.known[slot] = best;
        }
        self.known[slot]
    }

    /// The nodes before a node on shortest ways, ascending, with what the link between them adds to the makeup.
    fn before(&self, place: Place, on: bool) -> Vec<(Place, Makeup)> {
        let Search { admit, on: shown_true, off: shown_false, .. } = self.search;
        let costs = if on { shown_false } else { shown_true };
        let there = if on { shown_true } else { shown_false }[usize::from(place)];
        let fits = |before: Place| {
            let cost = costs[usize::from(before)];
            rows::has(&admit.allowed, usize::from(before))
                && cost != FAR
                && cost + self.search.step(before, place, on) == there
        };
        match on {
            true => {
                let edges = admit.graph.strong(place).iter().filter(|edge| fits(edge.to));
                edges.map(|edge| (edge.to, of_link(edge))).collect()
            }
            false => {
                let nodes = rows::bits(admit.graph.weak(place)).map(|before| before as Place);
                nodes.filter(|&before| fits(before)).map(|before| (before, 0)).collect()
            }
        }
    }
}
