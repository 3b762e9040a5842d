//! Loops: chains whose ends exclude each other. In: a graph and what a rule admits. Out: loops that show something, each
//! once, shortest first.
//!
//! A loop shows what the two ends of one of its weak links exclude, or what the source of one of its strong links says
//! where just one end is true. So it is looked for at that link: from a node to one that it excludes, where both exclude
//! a third candidate or such a strong link comes last.

use super::graph::{Graph, Place};
use super::links::{Links, Strong};
use super::rows;
use super::search::{Admit, Hit, Search};
use std::collections::BTreeSet;

/// How many shortest chains between the same two nodes are tried.
const MOST_PATHS: usize = 24;

/// A loop: its nodes, false and true in turn if the first is false; the last excludes the first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LoopHit {
    /// In the rule's unit.
    pub length: u32,
    /// All links.
    pub links: u32,
    pub places: Vec<Place>,
    /// The candidates that it shows false, by number.
    pub gone: Vec<usize>,
}

/// Every loop; says as well whether a limit cut something.
pub(crate) fn loops<const W: usize>(admit: &Admit<'_, W>) -> (Vec<LoopHit>, bool) {
    let (graph, links) = (admit.graph, admit.links);
    let mut search = Search::new(admit);
    let mut found = BTreeSet::new();
    let mut known: BTreeSet<Vec<Place>> = BTreeSet::new();
    for start in (0..graph.len() as Place).filter(|&start| !graph.strong(start).is_empty()) {
        let ends: Vec<Hit> =
            search.hits(start).filter(|hit| rows::has(graph.weak(start), usize::from(hit.to))).collect();
        for hit in ends {
            let (from, to) = (graph.nodes[usize::from(start)], graph.nodes[usize::from(hit.to)]);
            // One strong link alone is no loop: its ends would be joined by one that is weak as well.
            let shows =
                rows::meet(links.excluded(from), links.excluded(to)) || last_shows(&search, graph, links, hit.to);
            if hit.links < 3 || !shows {
                continue;
            }
            for places in search.paths(hit, MOST_PATHS) {
                if known.insert(canonical(&places)) {
                    let gone = gone(graph, links, &places);
                    if !gone.is_empty() {
                        found.insert(LoopHit { length: hit.length, links: hit.links, places, gone });
                    }
                }
            }
        }
    }
    (found.into_iter().collect(), search.cut)
}

/// Whether a shortest chain to a node ends with a link that shows something by itself in a loop.
fn last_shows<const W: usize>(search: &Search<'_, W>, graph: &Graph, links: &Links<W>, to: Place) -> bool {
    let fits =
        |from: Place| search.off(from).zip(search.on(to)).is_some_and(|(off, on)| off < on && off >> 16 < on >> 16);
    graph.strong(to).iter().any(|edge| !strong(links, edge).extra.is_empty() && fits(edge.to))
}

fn strong<'l, const W: usize>(links: &'l Links<W>, edge: &super::graph::Edge) -> &'l Strong<W> {
    &links.strong(usize::from(edge.source))[edge.link as usize]
}

/// The nodes from the smallest on, the way that its strong link leads: the same for every way to read a loop.
fn canonical(places: &[Place]) -> Vec<Place> {
    let count = places.len();
    let first = (0..count).min_by_key(|&at| places[at]).unwrap_or(0);
    // Strong links lead from even to odd places.
    let step = |at: usize| if first.is_multiple_of(2) { (first + at) % count } else { (first + count - at) % count };
    (0..count).map(|at| places[step(at)]).collect()
}

/// What a loop shows false: candidates, by number.
fn gone<const W: usize>(graph: &Graph, links: &Links<W>, places: &[Place]) -> Vec<usize> {
    let mut out = BTreeSet::new();
    let node = |place: Place| graph.nodes[usize::from(place)];
    for (at, &place) in places.iter().enumerate() {
        let next = places[(at + 1) % places.len()];
        if at % 2 == 1 {
            let both = links.excluded(node(place)).iter().zip(links.excluded(node(next))).map(|(a, b)| a & b);
            out.extend(rows::bits(&both.collect::<Vec<u64>>()));
        } else if let Some(edge) = graph.strong(place).iter().find(|edge| edge.to == next) {
            out.extend(strong(links, edge).extra.iter().copied());
        }
    }
    out.into_iter().collect()
}
