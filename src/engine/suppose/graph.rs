//! The graph of nodes as suppositions need it. In: the [`Links`] of a state and what a rule admits. Out: every candidate and
//! every node of a strong link, with weak and strong neighbours in order.
//!
//! A chain leaves out candidates that carry it nowhere. Here they matter: they are supposed, shown, and counted where
//! nothing is left. This file alone knows how the links of chains are kept.

use crate::engine::chain::{Group, Links};
use crate::engine::matches::{ChainNode, SourceMatch};
use crate::engine::tables::BoardMasks;
use crate::engine::tables::csr::Lists;
use crate::grid::{Candidate, Digit, DigitSet};
use crate::lang::ir::WeakLinks;

/// A strong link: where it leads, and which link of which source it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub to: u16,
    source: u16,
    link: u32,
}

/// Nodes and links between them. Candidates come first, in order of cell and digit.
pub(super) struct Graph<const W: usize> {
    pub nodes: Vec<Group<W>>,
    /// How many of them are candidates.
    pub singles: usize,
    /// For each node those that are true if it is false, then those that it excludes; ascending.
    pub lists: [Lists; 2],
    /// What leads to each of the first.
    edges: Vec<Edge>,
    /// The node of each candidate (digit × cells + cell).
    number: Vec<u16>,
    cell_count: usize,
}

/// Of a candidate that has no node.
const NONE: u16 = u16::MAX;

/// What makes a strong link.
pub(super) fn via<const W: usize>(links: &Links<W>, edge: Edge) -> SourceMatch {
    let source = usize::from(edge.source);
    links.via(&links.strong(source)[edge.link as usize], source)
}

impl<const W: usize> Graph<W> {
    /// Nodes of the digits `on` (`None` is any), with links of some sources and of one sort of weak link.
    pub fn new(
        links: &Links<W>,
        tables: &BoardMasks<W>,
        on: Option<DigitSet>,
        sources: &[usize],
        weak: WeakLinks,
    ) -> Graph<W> {
        let linked = links.graph(sources, weak);
        let sets = linked.nodes.iter().copied().filter(|&node| !links.is_single(node));
        let admitted = |node: &u16| on.is_none_or(|on| on.0 >> links.group(*node).digit & 1 == 1);
        let all: Vec<u16> = (0..links.candidates() as u16).chain(sets).filter(admitted).collect();
        let mut places = vec![NONE; links.nodes()];
        all.iter().enumerate().for_each(|(place, &node)| places[usize::from(node)] = place as u16);
        let here = |node: u16| Some(places[usize::from(node)]).filter(|&place| place != NONE);
        let nodes: Vec<Group<W>> = all.iter().map(|&node| *links.group(node)).collect();
        let singles = all.iter().filter(|&&node| links.is_single(node)).count();
        let mut number = vec![NONE; tables.size * tables.cell_count];
        for (place, &node) in all[..singles].iter().enumerate() {
            let one = links.candidate(usize::from(node));
            number[one.digit.index() * tables.cell_count + one.cell.index()] = place as u16;
        }
        let (mut strong, mut edges) = (Lists::with_room(all.len()), Vec::new());
        for &node in &all {
            let there = linked.place(node).map_or(&[][..], |place| linked.strong(place));
            let first = edges.len();
            edges.extend(there.iter().filter_map(|edge| {
                let to = here(linked.nodes[usize::from(edge.to)])?;
                Some(Edge { to, source: edge.source, link: edge.link })
            }));
            edges[first..].sort_by_key(|edge| edge.to);
            strong.add(edges[first..].iter().map(|edge| u32::from(edge.to)));
            strong.end();
        }
        let lists = [strong, links.weak(&all, weak)];
        Graph { nodes, singles, lists, edges, number, cell_count: tables.cell_count }
    }

    /// The strong links of a node, by where they lead.
    pub fn strong(&self, node: u16) -> &[Edge] {
        &self.edges[self.lists[0].positions(usize::from(node))]
    }

    /// The nodes that a node excludes, ascending.
    pub fn weak(&self, node: u16) -> impl Iterator<Item = u16> {
        self.lists[1].list(usize::from(node)).map(|other| other as u16)
    }

    /// The node of a candidate.
    pub fn of(&self, candidate: Candidate) -> Option<u16> {
        self.at(candidate.digit.index(), candidate.cell.index())
    }

    /// The node of a digit in a cell.
    pub fn at(&self, digit: usize, cell: usize) -> Option<u16> {
        let number = self.number[digit * self.cell_count + cell];
        (number != NONE).then_some(number)
    }

    /// The candidates of a node.
    pub fn candidates(&self, node: u16) -> impl Iterator<Item = Candidate> + use<W> {
        let Group { digit, cells } = self.nodes[usize::from(node)];
        cells.cells().map(move |cell| Candidate::new(Digit(digit as u8), cell))
    }

    /// A node as data.
    pub fn told(&self, node: u16) -> ChainNode {
        let Group { digit, cells } = &self.nodes[usize::from(node)];
        ChainNode { digit: Digit(*digit as u8), cells: cells.cells().collect() }
    }
}
