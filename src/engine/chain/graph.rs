//! The graph that a search walks. In: the links of a state, which sources, which weak links. Out: the nodes that have a
//! strong link, numbered densely, with strong links as lists and weak links as bit rows.
//!
//! A node without a strong link never carries a chain on, so it is left out: most candidates are.

use super::links::{Links, Node};
use super::rows::{self, Rows};
use crate::engine::tables::Tables;
use crate::lang::ir::Weak;

/// A node of a graph by its place in it.
pub(crate) type Place = u16;

/// A strong link from a node: where it leads, and which link of which source it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub to: Place,
    pub source: u16,
    pub link: u32,
    /// Which of the rule's sources it is, from 0.
    pub rank: u8,
}

/// Nodes with strong links.
pub(crate) struct Graph {
    /// The nodes, ascending.
    pub nodes: Vec<Node>,
    /// Their digits.
    pub digits: Vec<u8>,
    edges: Vec<Edge>,
    /// Where the edges of each node begin.
    begin: Vec<u32>,
    /// Every strong link, those between the same two nodes side by side.
    all: Vec<(Place, Edge)>,
    weak: Rows,
}

impl Graph {
    pub fn new<const W: usize>(links: &Links<W>, tables: &Tables<W>, sources: &[usize], weak: Weak) -> Graph {
        let all = || sources.iter().flat_map(|&source| links.strong(source).iter());
        let mut nodes: Vec<Node> = all().filter(|link| link.guardians.is_empty()).flat_map(|link| link.ends).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let digits = nodes.iter().map(|&node| links.spot(node).digit as u8).collect();
        let mut graph = Graph {
            edges: Vec::new(),
            begin: Vec::new(),
            all: Vec::new(),
            weak: Rows::new(nodes.len()),
            nodes,
            digits,
        };
        graph.add_edges(links, sources);
        graph.add_weak(links, tables, weak);
        graph
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Where a node stands, if it is in the graph.
    pub fn place(&self, node: Node) -> Option<Place> {
        self.nodes.binary_search(&node).ok().map(|place| place as Place)
    }

    /// The strong links of a node, by where they lead; of several to one node the first.
    #[inline]
    pub fn strong(&self, place: Place) -> &[Edge] {
        let place = usize::from(place);
        &self.edges[self.begin[place] as usize..self.begin[place + 1] as usize]
    }

    /// All strong links between two nodes.
    pub fn between(&self, from: Place, to: Place) -> impl Iterator<Item = &Edge> {
        let begin = self.all.partition_point(|(place, edge)| (*place, edge.to) < (from, to));
        self.all[begin..].iter().take_while(move |(place, edge)| (*place, edge.to) == (from, to)).map(|(_, edge)| edge)
    }

    /// All strong links, each from both of its ends.
    pub fn links(&self) -> impl Iterator<Item = &(Place, Edge)> {
        self.all.iter()
    }

    /// The nodes that exclude a node and are excluded by it.
    #[inline]
    pub fn weak(&self, place: Place) -> &[u64] {
        self.weak.row(usize::from(place))
    }

    fn add_edges<const W: usize>(&mut self, links: &Links<W>, sources: &[usize]) {
        let mut all: Vec<(Place, Edge)> = Vec::new();
        for (rank, &source) in sources.iter().enumerate() {
            for (link, strong) in links.strong(source).iter().enumerate() {
                let [Some(a), Some(b)] = strong.ends.map(|end| self.place(end)) else { continue };
                if strong.guardians.is_empty() && a != b {
                    let edge = |to| Edge { to, source: source as u16, link: link as u32, rank: rank.min(255) as u8 };
                    all.extend([(a, edge(b)), (b, edge(a))]);
                }
            }
        }
        // Sources in the order of the rule, so that the first to make a link is the one that is told.
        all.sort_unstable_by_key(|(from, edge)| (*from, edge.to, edge.rank, edge.link));
        self.all.clone_from(&all);
        all.dedup_by_key(|(from, edge)| (*from, edge.to));
        self.begin =
            (0..=self.len()).map(|place| all.partition_point(|(from, _)| usize::from(*from) < place) as u32).collect();
        self.edges = all.into_iter().map(|(_, edge)| edge).collect();
    }

    fn add_weak<const W: usize>(&mut self, links: &Links<W>, tables: &Tables<W>, weak: Weak) {
        let mut by_digit: Vec<Vec<Place>> = vec![Vec::new(); tables.size];
        for place in 0..self.len() {
            by_digit[usize::from(self.digits[place])].push(place as Place);
        }
        for place in 0..self.len() {
            let spot = links.spot(self.nodes[place]);
            let row = self.weak.push();
            if weak != Weak::Cell {
                let seen = links.seen(self.nodes[place]);
                let others = by_digit[spot.digit]
                    .iter()
                    .filter(|&&other| links.spot(self.nodes[usize::from(other)]).cells.within(seen));
                others.for_each(|&other| rows::set(row, usize::from(other)));
            }
            if weak != Weak::SameDigit && links.is_single(self.nodes[place]) {
                // Candidates of a cell stand side by side.
                let same = |other: &usize| {
                    links.is_single(self.nodes[*other]) && links.spot(self.nodes[*other]).cells == spot.cells
                };
                (0..place).rev().take_while(same).for_each(|other| rows::set(row, other));
                (place + 1..self.nodes.len()).take_while(same).for_each(|other| rows::set(row, other));
            }
        }
    }
}
