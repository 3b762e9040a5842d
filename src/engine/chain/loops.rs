//! Loops: chains whose ends exclude each other. In: a graph and what a rule admits. Out: loops, those that show something or
//! all of them, each once, shortest first.
//!
//! A loop shows what the two ends of one of its weak links exclude, or what a source of one of its strong links says where
//! just one end is true; where several sources link the same two nodes, each of them. It is looked for at each of its weak
//! links: a chain from one end to the other, the shortest or one that is little longer, since the shortest may pass a node
//! twice, or show less.

use super::first_found::breadth_first;
use super::graph::{Graph, Place};
use super::links::{Links, Strong};
use super::preferred::{LinkCounts, link_counts};
use super::search::{Admit, Hit, Search};
use crate::engine::matches::LimitHit;
use crate::engine::tables::bit_rows;
use crate::grid::Bits;
use crate::lang::ir::{Length, LengthUnit};
use std::collections::BTreeSet;

/// How many chains between the same two nodes are tried; where there are more, the search is cut short.
const MOST_PATHS: usize = 64;

/// How much longer than the shortest one between its ends a chain may be, in the rule's unit.
const SLACK: u32 = 1;

/// A loop: its nodes, false and true in turn if the first is false; the last excludes the first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LoopHit {
    /// In the rule's unit.
    pub length: u32,
    /// All links.
    pub links: u32,
    /// Of equally long ones which was found first, where that counts.
    number: usize,
    /// Which sources its strong links are of: of two loops through the same nodes the plainer one is told.
    link_counts: LinkCounts,
    pub places: Vec<Place>,
    /// The candidates that it shows false, by number.
    pub gone: Vec<usize>,
}

/// Every loop of a length that shows something by its links, or every one, and the limits that cut something.
pub(crate) fn loops<const W: usize>(
    admit: &Admit<'_, W>,
    Length { low, high, unit }: Length,
    all: bool,
) -> (Vec<LoopHit>, Vec<LimitHit>) {
    let (graph, links) = (admit.graph, admit.links);
    let mut found = BTreeSet::new();
    let mut known: BTreeSet<Vec<Place>> = BTreeSet::new();
    let mut take = |places: Vec<Place>| {
        let length = if unit == LengthUnit::Links { places.len() } else { places.len() / 2 } as u32;
        let fits = length >= low && high.is_none_or(|high| length <= high) && places.len() as u32 <= admit.longest;
        if !fits || !known.insert(canonical(&places)) {
            return true;
        }
        if !admit.complete {
            links.want_extras();
            return false;
        }
        let gone = gone(graph, links, &places, false);
        if all || !gone.is_empty() {
            let (links, link_counts) = (places.len() as u32, link_counts(graph, &places));
            let number = if admit.first_found { found.len() } else { 0 };
            found.insert(LoopHit { length, links, number, link_counts, places, gone });
        }
        true
    };
    let cuts = if admit.first_found { breadth_first(admit, &mut take) } else { shortest(admit, &mut take) };
    (found.into_iter().collect(), cuts)
}

/// Finds the loops through each node by chains that are the shortest or little longer, until `take` says `false`; returns the
/// limits that were hit.
fn shortest<const W: usize>(admit: &Admit<'_, W>, take: &mut dyn FnMut(Vec<Place>) -> bool) -> Vec<LimitHit> {
    let graph = admit.graph;
    let mut search = Search::new(admit);
    let mut cut = false;
    for start in (0..graph.len() as Place).filter(|&start| !graph.strong(start).is_empty()) {
        let ends: Vec<Hit> =
            search.hits(start).filter(|hit| bit_rows::has(graph.weak(start), usize::from(hit.to))).collect();
        for hit in ends {
            // One strong link alone is no loop: its ends would be joined by one that is weak as well.
            if hit.links < 3 {
                continue;
            }
            let (paths, more) = search.paths(hit, MOST_PATHS, SLACK);
            cut |= more;
            if !paths.into_iter().all(&mut *take) {
                return Vec::new();
            }
        }
    }
    let cuts = [(cut, LimitHit::Loops), (search.cut, LimitHit::ChainLinks)];
    cuts.into_iter().filter(|(hit, _)| *hit).map(|(_, limit)| limit).collect()
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

/// What a loop shows false: candidates, by number. `outside` leaves out what its weak links between cells show in the
/// cells that it goes through.
pub(crate) fn gone<const W: usize>(graph: &Graph, links: &Links<W>, places: &[Place], outside: bool) -> Vec<usize> {
    let mut out = BTreeSet::new();
    let node = |place: Place| graph.nodes[usize::from(place)];
    let kept = if outside { through(graph, links, places) } else { Bits::EMPTY };
    for (at, &place) in places.iter().enumerate() {
        let next = places[(at + 1) % places.len()];
        if at % 2 == 1 {
            let both = links.excluded(node(place)).iter().zip(links.excluded(node(next))).map(|(a, b)| a & b);
            let both: Vec<u64> = both.collect();
            let in_cell = links.group(node(place)).digit != links.group(node(next)).digit;
            let counts = |&number: &usize| in_cell || !kept.has(links.candidate(number).cell.index());
            out.extend(bit_rows::bits(&both).filter(counts));
        } else {
            out.extend(graph.between(place, next).flat_map(|edge| strong(links, edge).extra.iter().copied()));
        }
    }
    out.into_iter().collect()
}

/// The cells of a loop's nodes and of what its strong links rest on.
fn through<const W: usize>(graph: &Graph, links: &Links<W>, places: &[Place]) -> Bits<W> {
    let mut out = Bits::EMPTY;
    for pair in places.chunks_exact(2) {
        pair.iter().for_each(|&place| out |= links.group(graph.nodes[usize::from(place)]).cells);
        graph.between(pair[0], pair[1]).take(1).for_each(|edge| out |= strong(links, edge).cells);
    }
    out
}
