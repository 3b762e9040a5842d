//! Loops in breadth-first order. In: a graph and what a rule admits. Out: for each node that is supposed true the loops
//! through it, in the order in which they close.
//!
//! The queue is first in, first out, and no node is reached twice: what a true node excludes is false, first in its cell,
//! then in its box, its row, its column; what a false node leaves is true. This is for profiles that ask for what is found
//! first ([`Limits::first_found`]).
//!
//! [`Limits::first_found`]: crate::engine::matches::Limits::first_found

use super::graph::Place;
use super::search::Admit;
use crate::engine::matches::LimitHit;
use crate::engine::tables::bit_rows;
use crate::engine::tables::csr::Lists;

/// No place.
const NONE: Place = Place::MAX;

/// Breadth-first search from one node at a time.
struct Walk<'a, const W: usize> {
    admit: &'a Admit<'a, W>,
    /// For each node those that it excludes, and those that are true where it is false, in the order in which they are visited.
    weak: Lists,
    strong: Lists,
    /// The node before each that is true, and the one before that: a false and a true one.
    before: Vec<[Place; 2]>,
    /// The nodes that are false.
    gone: Vec<u64>,
    /// Whether the limit on strong links cut something.
    cut: bool,
}

/// Finds loops from each node, by cell and digit, until `take` says `false`: false and true nodes in turn, the last of which
/// excludes the first. Returns the limit that was hit.
pub(super) fn breadth_first<const W: usize>(
    admit: &Admit<'_, W>,
    take: &mut dyn FnMut(Vec<Place>) -> bool,
) -> Vec<LimitHit> {
    let (graph, links) = (admit.graph, admit.links);
    let group = |place: Place| links.group(graph.nodes[usize::from(place)]);
    let mut starts: Vec<Place> = bit_rows::bits(&admit.allowed).map(|place| place as Place).collect();
    starts.sort_by_key(|&place| (group(place).cells.first(), group(place).digit));
    let weak = visited(admit, |place| bit_rows::bits(graph.weak(place)).map(|other| other as Place).collect());
    let strong = visited(admit, |place| graph.strong(place).iter().map(|edge| edge.to).collect());
    let mut walk = Walk { admit, weak, strong, before: Vec::new(), gone: Vec::new(), cut: false };
    starts.into_iter().all(|start| walk.go(start, take));
    walk.cut.then_some(LimitHit::ChainLinks).into_iter().collect()
}

/// For each node some allowed ones in the order in which they are visited.
fn visited<const W: usize>(admit: &Admit<'_, W>, others: impl Fn(Place) -> Vec<Place>) -> Lists {
    let cells = |place: Place| &admit.links.group(admit.graph.nodes[usize::from(place)]).cells;
    let allowed = |place: &Place| bit_rows::has(&admit.allowed, usize::from(*place));
    let mut lists = Lists::with_room(admit.graph.len());
    for place in 0..admit.graph.len() as Place {
        if allowed(&place) {
            let mut others = others(place);
            others.retain(allowed);
            others.sort_by_cached_key(|&to| (admit.tables.nearness(cells(place), cells(to)), to));
            lists.add(others.into_iter().map(u32::from));
        }
        lists.end();
    }
    lists
}

impl<const W: usize> Walk<'_, W> {
    /// Finds the loops through a node; `false` where `take` wants no more.
    fn go(&mut self, start: Place, take: &mut dyn FnMut(Vec<Place>) -> bool) -> bool {
        self.before.clear();
        self.before.resize(self.admit.graph.len(), [NONE; 2]);
        self.gone.clear();
        self.gone.resize(bit_rows::words_for(self.admit.graph.len()), 0);
        let (mut held, mut next, mut nodes) = (vec![start], Vec::new(), 2);
        while !held.is_empty() && nodes <= self.admit.longest {
            if nodes as usize > 2 * self.admit.most_links {
                self.cut = true;
                return true;
            }
            // One strong link alone is no loop.
            if nodes > 2 {
                let closed =
                    held.iter().flat_map(|&last| self.strong.list(start.into()).map(move |first| (first, last)));
                let mut loops = closed.filter_map(|(first, last)| self.closed(first as Place, last, start));
                if !loops.all(&mut *take) {
                    return false;
                }
            }
            for &place in &held {
                for gone in self.weak.list(place.into()).filter(|&other| !bit_rows::has(&self.gone, other)) {
                    next.push([gone as Place, place]);
                }
                next.iter().for_each(|[gone, _]| bit_rows::set(&mut self.gone, usize::from(*gone)));
            }
            held.clear();
            for before in next.drain(..) {
                for to in self.strong.list(before[0].into()) {
                    if to != usize::from(start) && self.before[to][0] == NONE {
                        self.before[to] = before;
                        held.push(to as Place);
                    }
                }
            }
            nodes += 2;
        }
        true
    }

    /// The loop from a false node and the start to a true one that excludes the first, if no node is in it twice.
    fn closed(&self, first: Place, last: Place, start: Place) -> Option<Vec<Place>> {
        if !bit_rows::has(self.admit.graph.weak(last), usize::from(first)) {
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
}
