//! Loops as somebody finds them who goes on from one node after the other. In: a graph and what a rule admits. Out: the loops
//! through each node that is supposed true, in the order in which it is come back to.
//!
//! First in, first out, and no node is reached twice: what a true node excludes is false, first in its cell, then in its
//! box, its row, its column; what a false node leaves is true. This is for profiles that ask for what is found first
//! ([`Limits::first_found`]).
//!
//! [`Limits::first_found`]: crate::engine::matches::Limits::first_found

use super::graph::Place;
use super::search::Admit;
use crate::engine::matches::LimitHit;
use crate::engine::tables::rows;

/// No place.
const NONE: Place = Place::MAX;

/// From one node.
struct Walk<'a, const W: usize> {
    admit: &'a Admit<'a, W>,
    /// The node before each that is true, and the one before that: a false and a true one.
    before: Vec<[Place; 2]>,
    /// The nodes that are false.
    gone: Vec<u64>,
    /// Whether the limit on strong links cut something.
    cut: bool,
}

/// Every loop that a walk comes to, with false and true nodes in turn, the last of which excludes the first; and the limit
/// that cut a walk.
pub(super) fn round_trips<const W: usize>(admit: &Admit<'_, W>) -> (Vec<Vec<Place>>, Vec<LimitHit>) {
    let (graph, links) = (admit.graph, admit.links);
    let group = |place: Place| links.group(graph.nodes[usize::from(place)]);
    let mut starts: Vec<Place> = rows::bits(&admit.allowed).map(|place| place as Place).collect();
    starts.sort_by_key(|&place| (group(place).cells.first(), group(place).digit));
    let mut walk = Walk { admit, before: Vec::new(), gone: Vec::new(), cut: false };
    let ways = starts.into_iter().flat_map(|start| walk.from(start)).collect();
    (ways, walk.cut.then_some(LimitHit::ChainLinks).into_iter().collect())
}

impl<const W: usize> Walk<'_, W> {
    fn from(&mut self, start: Place) -> Vec<Vec<Place>> {
        let graph = self.admit.graph;
        let mut found = Vec::new();
        self.before = vec![[NONE; 2]; graph.len()];
        self.gone = vec![0; rows::words_for(graph.len())];
        let mut held = vec![start];
        let mut links = 0;
        while !held.is_empty() && links < 2 * self.admit.most_links {
            let mut gone: Vec<[Place; 2]> = Vec::new();
            for &place in &held {
                // One strong link alone is no loop.
                if place != start {
                    found.extend(graph.strong(start).iter().filter_map(|edge| self.closed(edge.to, place, start)));
                }
                gone.extend(self.excluded(place).into_iter().map(|other| [other, place]));
            }
            held.clear();
            for before in gone {
                for to in self.near(before[0], graph.strong(before[0]).iter().map(|edge| edge.to)) {
                    if to != start && self.before[usize::from(to)][0] == NONE {
                        self.before[usize::from(to)] = before;
                        held.push(to);
                    }
                }
            }
            links += 2;
        }
        self.cut |= !held.is_empty();
        found
    }

    /// What a true node excludes that was not false before.
    fn excluded(&mut self, place: Place) -> Vec<Place> {
        let mut fresh = self.admit.graph.weak(place).to_vec();
        rows::keep(&mut fresh, &self.admit.allowed);
        rows::take(&mut fresh, &self.gone);
        rows::add(&mut self.gone, &fresh);
        self.near(place, rows::bits(&fresh).map(|other| other as Place))
    }

    /// The loop from a false node and the start to a true one that excludes the first, if no node is in it twice.
    fn closed(&self, first: Place, last: Place, start: Place) -> Option<Vec<Place>> {
        let allowed = rows::has(&self.admit.allowed, usize::from(first));
        if !allowed || !rows::has(self.admit.graph.weak(last), usize::from(first)) {
            return None;
        }
        let mut places = vec![last];
        let mut at = last;
        while at != start {
            let [gone, held] = self.before[usize::from(at)];
            places.extend([gone, held]);
            at = held;
        }
        places.push(first);
        places.reverse();
        let twice = places.iter().enumerate().any(|(at, place)| places[..at].contains(place));
        (!twice).then_some(places)
    }

    /// Allowed nodes in the order in which they are gone on to from a node.
    fn near(&self, from: Place, others: impl Iterator<Item = Place>) -> Vec<Place> {
        let (graph, links, tables) = (self.admit.graph, self.admit.links, self.admit.tables);
        let cells = |place: Place| links.group(graph.nodes[usize::from(place)]).cells;
        let mut others: Vec<Place> = others.filter(|&to| rows::has(&self.admit.allowed, usize::from(to))).collect();
        others.sort_by_cached_key(|&to| (tables.nearness(&cells(from), &cells(to)), to));
        others
    }
}
