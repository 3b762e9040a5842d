//! The graph that a search walks. In: the links of a state, which sources, which weak links. Out: the nodes that have a
//! strong link, numbered densely, with strong links as lists and weak links as bit rows.
//!
//! A node without a strong link never carries a chain on, so it is left out: most candidates are.

use super::links::{Links, Node};
use crate::engine::tables::bit_rows::{self, BitRows};
use crate::lang::ir::WeakLinks;

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
    /// The nodes: candidates ascending, then sets by digit and cells.
    pub nodes: Vec<Node>,
    /// Their digits.
    pub digits: Vec<u8>,
    /// For each node of the state its place here, if it has one.
    places: Vec<Place>,
    edges: Vec<Edge>,
    /// Where the edges of each node begin.
    begin: Vec<u32>,
    /// Every strong link, those between the same two nodes side by side.
    all: Vec<(Place, Edge)>,
    weak: BitRows,
}

impl Graph {
    pub fn new<const W: usize>(links: &Links<W>, sources: &[usize], weak: WeakLinks) -> Graph {
        // Most nodes have many links, so they are marked and not gathered.
        let mut linked = vec![false; links.nodes()];
        for link in sources.iter().flat_map(|&source| links.strong(source)).filter(|link| link.guardians.is_empty()) {
            link.ends.iter().for_each(|&end| linked[usize::from(end)] = true);
        }
        let mut nodes: Vec<Node> = (0..links.nodes()).filter(|&node| linked[node]).map(|node| node as Node).collect();
        // Sets are numbered as they were found; the order of a graph must not depend on what was searched before.
        let sets = nodes.partition_point(|&node| links.is_single(node));
        nodes[sets..].sort_unstable_by_key(|&node| (links.group(node).digit, links.group(node).cells));
        let digits = nodes.iter().map(|&node| links.group(node).digit as u8).collect();
        let mut graph = Graph {
            edges: Vec::new(),
            begin: Vec::new(),
            all: Vec::new(),
            weak: BitRows::new(nodes.len(), nodes.len()),
            places: vec![Place::MAX; links.nodes()],
            nodes,
            digits,
        };
        graph.add_edges(links, sources);
        graph.add_weak(links, weak);
        graph
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Where a node stands, if it is in the graph.
    pub fn place(&self, node: Node) -> Option<Place> {
        let place = *self.places.get(usize::from(node))?;
        (place != Place::MAX).then_some(place)
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

    /// The nodes that exclude a node and are excluded by it.
    #[inline]
    pub fn weak(&self, place: Place) -> &[u64] {
        self.weak.row(usize::from(place))
    }

    fn add_edges<const W: usize>(&mut self, links: &Links<W>, sources: &[usize]) {
        for (at, &node) in self.nodes.iter().enumerate() {
            self.places[usize::from(node)] = at as Place;
        }
        // Sources in the order of the rule, so that the first to make a link is the one that is told.
        let most = sources.iter().map(|&source| 2 * links.strong(source).len()).sum();
        let mut found: Vec<(Place, Edge)> = Vec::with_capacity(most);
        let mut begin = vec![0u32; self.len() + 1];
        for (rank, &source) in sources.iter().enumerate() {
            for (link, strong) in links.strong(source).iter().enumerate() {
                let [a, b] = strong.ends.map(|end| self.places[usize::from(end)]);
                if strong.guardians.is_empty() && a != b {
                    let edge = |to| Edge { to, source: source as u16, link: link as u32, rank: rank.min(255) as u8 };
                    found.extend([(a, edge(b)), (b, edge(a))]);
                    begin[usize::from(a) + 1] += 1;
                    begin[usize::from(b) + 1] += 1;
                }
            }
        }
        (1..begin.len()).for_each(|at| begin[at] += begin[at - 1]);
        // By the node that they leave, then by the one that they lead to; what is equal keeps its order.
        let mut next = begin.clone();
        let mut all = vec![(0, Edge { to: 0, source: 0, link: 0, rank: 0 }); found.len()];
        for one in found {
            let at = &mut next[usize::from(one.0)];
            all[*at as usize] = one;
            *at += 1;
        }
        for (from, to) in begin.iter().zip(&begin[1..]) {
            all[*from as usize..*to as usize].sort_by_key(|(_, edge)| edge.to);
        }
        self.all.clone_from(&all);
        all.dedup_by_key(|(from, edge)| (*from, edge.to));
        let mut at = 0;
        self.begin = (0..=self.len())
            .map(|place| {
                at += all[at..].iter().take_while(|(from, _)| usize::from(*from) < place).count();
                at as u32
            })
            .collect();
        self.edges = all.into_iter().map(|(_, edge)| edge).collect();
    }

    fn add_weak<const W: usize>(&mut self, links: &Links<W>, weak: WeakLinks) {
        let weak = links.weak(&self.nodes, weak);
        for place in 0..self.len() {
            let row = self.weak.push();
            weak.list(place).for_each(|other| bit_rows::set(row, other));
        }
    }
}
