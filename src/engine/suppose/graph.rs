//! The graph of nodes as suppositions need it. In: the [`Links`] of a state and what a rule admits. Out: every candidate and
//! every node of a strong link, with weak and strong neighbours in order.
//!
//! A chain leaves out candidates that carry it nowhere. Here they matter: they are supposed, shown, and counted where
//! nothing is left. This file alone knows how the links of chains are kept.

use crate::engine::chain::{Links, Spot};
use crate::engine::matches::{ChainNode, Via};
use crate::engine::tables::Tables;
use crate::grid::{Candidate, DigitSet};
use crate::lang::ir::Weak;
use std::collections::BTreeMap;

/// A strong link: where it leads, and which link of which source it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub to: u16,
    source: u16,
    link: u32,
}

/// Nodes and links between them. Candidates come first, in order of cell and digit.
pub(super) struct Graph {
    pub nodes: Vec<ChainNode>,
    /// For each node those it excludes, ascending.
    pub weak: Vec<Vec<u16>>,
    /// For each node those that are true if it is false, ascending.
    pub strong: Vec<Vec<Edge>>,
    /// The node of each candidate.
    pub single: BTreeMap<Candidate, u16>,
}

/// What makes a strong link.
pub(super) fn via<const W: usize>(links: &Links<W>, edge: Edge) -> Via {
    let source = usize::from(edge.source);
    links.via(&links.strong(source)[edge.link as usize], source)
}

impl Graph {
    /// Nodes of the digits `on` (`None` is any), with links of some sources and of one sort of weak link.
    pub fn new<const W: usize>(
        links: &Links<W>,
        tables: &Tables<W>,
        on: Option<DigitSet>,
        sources: &[usize],
        weak: Weak,
    ) -> Graph {
        let linked = links.graph(tables, sources, weak);
        let sets = linked.nodes.iter().copied().filter(|&node| !links.is_single(node));
        // The number of a node in the links is its number here if it is a candidate.
        let all: Vec<u16> = (0..links.candidates() as u16).chain(sets).collect();
        let here = |node: u16| all.binary_search(&node).ok().map(|place| place as u16);
        let admitted = |node: u16| on.is_none_or(|on| on.0 >> links.spot(node).digit & 1 == 1);
        let mut graph = Graph {
            nodes: all.iter().map(|&node| links.told(node)).collect(),
            weak: neighbours(&all.iter().map(|&node| *links.spot(node)).collect::<Vec<_>>(), tables, weak),
            strong: vec![Vec::new(); all.len()],
            single: (0..links.candidates()).map(|number| (links.candidate(number), number as u16)).collect(),
        };
        for (place, &node) in all.iter().enumerate() {
            graph.weak[place].retain(|&other| admitted(node) && admitted(all[usize::from(other)]));
            let Some(there) = linked.place(node).filter(|_| admitted(node)) else { continue };
            let ends = linked.strong(there).iter().map(|edge| (linked.nodes[usize::from(edge.to)], edge));
            let ends = ends
                .filter(|(end, _)| admitted(*end))
                .filter_map(|(end, edge)| Some(Edge { to: here(end)?, source: edge.source, link: edge.link }));
            graph.strong[place] = ends.collect();
            graph.strong[place].sort_by_key(|edge| edge.to);
        }
        graph
    }
}

/// For each node the nodes that it excludes.
fn neighbours<const W: usize>(spots: &[Spot<W>], tables: &Tables<W>, weak: Weak) -> Vec<Vec<u16>> {
    let mut by_digit: Vec<Vec<u16>> = vec![Vec::new(); tables.size];
    let mut by_cell: Vec<Vec<u16>> = vec![Vec::new(); tables.cell_count];
    for (number, spot) in spots.iter().enumerate() {
        by_digit[spot.digit].push(number as u16);
        if let (1, Some(cell)) = (spot.cells.len(), spot.cells.first()) {
            by_cell[cell].push(number as u16);
        }
    }
    let of = |(number, spot): (usize, &Spot<W>)| {
        let mut out: Vec<u16> = Vec::new();
        if weak != Weak::Cell {
            let seen = tables.seeing_every(&spot.cells);
            let excluded = |other: &&u16| spots[usize::from(**other)].cells.within(&seen);
            out.extend(by_digit[spot.digit].iter().filter(excluded));
        }
        if let (true, 1, Some(cell)) = (weak != Weak::SameDigit, spot.cells.len(), spot.cells.first()) {
            out.extend(by_cell[cell].iter().filter(|&&other| usize::from(other) != number));
        }
        out.sort_unstable();
        out.dedup();
        out
    };
    spots.iter().enumerate().map(of).collect()
}
