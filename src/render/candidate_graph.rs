//! The candidate graph. In: a state. Out: a petgraph whose nodes are candidates, two joined where at most one can be true; and a record
//! of it with its connected components and articulation points.

use super::graph_formats::{Attributes, dot};
use super::record::{MarkRecord, candidate};
use crate::grid::{Candidate, Cell, Geometry, State};
use petgraph::algo::articulation_points::articulation_points;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::unionfind::UnionFind;
use petgraph::visit::{EdgeRef, NodeIndexable};
use serde::Serialize;
use std::collections::BTreeMap;

/// The candidates of a position, row by row and in each cell by digit. Two are joined if they cannot both be true.
pub type CandidateGraph = UnGraph<MarkRecord, CandidateLink>;

/// The link between two candidates that cannot both be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CandidateLink {
    /// Both may be false.
    Weak,
    /// Exactly one is true: they are the last two of a cell, or of a digit in a house.
    Strong,
}

/// Builds the candidate graph of a position.
pub fn candidate_graph(geometry: &Geometry, state: &State) -> CandidateGraph {
    let mut graph = CandidateGraph::default();
    let mut nodes = BTreeMap::new();
    for one in geometry.cells().flat_map(|cell| candidates(state, cell)) {
        nodes.insert((one.cell, one.digit), graph.add_node(candidate(geometry, one)));
    }
    for cell in geometry.cells() {
        for a in candidates(state, cell) {
            let in_peers = geometry.peers(cell).iter().map(|&peer| Candidate::new(a.digit, peer));
            let mut others: Vec<(NodeIndex, Candidate)> = candidates(state, cell)
                .chain(in_peers)
                .filter_map(|b| Some((*nodes.get(&(b.cell, b.digit))?, b)))
                .filter(|(_, b)| (a.cell, a.digit) < (b.cell, b.digit))
                .collect();
            others.sort_unstable_by_key(|(node, _)| *node);
            for (node, b) in others {
                graph.add_edge(nodes[&(a.cell, a.digit)], node, link(geometry, state, a, b));
            }
        }
    }
    graph
}

fn candidates(state: &State, cell: Cell) -> impl Iterator<Item = Candidate> {
    state.candidates(cell).iter().map(move |digit| Candidate::new(digit, cell))
}

/// The link between two candidates that exclude each other.
fn link(geometry: &Geometry, state: &State, a: Candidate, b: Candidate) -> CandidateLink {
    let is_strong = match a.cell == b.cell {
        true => state.candidates(a.cell).len() == 2,
        false => geometry.houses_of(a.cell).iter().filter(|id| geometry.houses_of(b.cell).contains(id)).any(|&id| {
            let cells = &geometry.house(id).cells;
            cells.iter().filter(|&&cell| state.has(Candidate::new(a.digit, cell))).count() == 2
        }),
    };
    if is_strong { CandidateLink::Strong } else { CandidateLink::Weak }
}

/// A candidate graph as plain data; candidates are numbered from zero, in the order of the list.
#[derive(Debug, Serialize)]
pub struct CandidateGraphRecord<'g> {
    candidates: Vec<&'g MarkRecord>,
    links: Vec<LinkedPair>,
    /// Connected components, the one with the first candidate first.
    components: Vec<Vec<usize>>,
    /// Candidates without which their component falls apart.
    articulation_points: Vec<usize>,
}

/// A link between two candidates, by their numbers.
#[derive(Debug, Serialize)]
struct LinkedPair {
    a: usize,
    b: usize,
    kind: CandidateLink,
}

impl<'g> CandidateGraphRecord<'g> {
    /// Finds the components and articulation points of a graph.
    pub fn new(graph: &'g CandidateGraph) -> CandidateGraphRecord<'g> {
        let mut articulation_points: Vec<usize> =
            articulation_points(graph).into_iter().map(NodeIndex::index).collect();
        articulation_points.sort_unstable();
        let link = |edge: petgraph::graph::EdgeReference<'_, CandidateLink>| LinkedPair {
            a: edge.source().index(),
            b: edge.target().index(),
            kind: *edge.weight(),
        };
        CandidateGraphRecord {
            candidates: graph.node_weights().collect(),
            links: graph.edge_references().map(link).collect(),
            components: components(graph),
            articulation_points,
        }
    }

    /// The graph with its findings as attributes, for formats that have no others.
    pub fn attributes(&self, graph: &CandidateGraph) -> UnGraph<Attributes, Attributes> {
        let mut component = vec![0; graph.node_count()];
        for (number, nodes) in self.components.iter().enumerate() {
            nodes.iter().for_each(|&node| component[node] = number);
        }
        let node = |node: NodeIndex, mark: &MarkRecord| {
            let node = node.index();
            let shape = if self.articulation_points.binary_search(&node).is_ok() { "doublecircle" } else { "ellipse" };
            vec![("label", mark.text.clone()), ("component", component[node].to_string()), ("shape", shape.into())]
        };
        graph.map(node, |_, link| style(*link))
    }
}

/// Numbers of the nodes of each connected component, ascending; the components by their first node.
fn components(graph: &CandidateGraph) -> Vec<Vec<usize>> {
    let mut joined = UnionFind::new(graph.node_bound());
    for edge in graph.edge_references() {
        joined.union(edge.source().index(), edge.target().index());
    }
    let mut numbers = BTreeMap::new();
    let mut components: Vec<Vec<usize>> = Vec::new();
    for (node, representative) in joined.into_labeling().into_iter().enumerate() {
        let number = *numbers.entry(representative).or_insert(components.len());
        if number == components.len() {
            components.push(Vec::new());
        }
        components[number].push(node);
    }
    components
}

/// The graph as DOT without its findings.
pub fn candidate_dot(graph: &CandidateGraph) -> String {
    dot(LEGEND, &graph.map(|_, mark| vec![("label", mark.text.clone())], |_, link| style(*link)))
}

/// A comment for the first line of DOT.
pub const LEGEND: &str = "nodes: candidates; dashed: weak (not both true); bold: strong as well (one of them is true)";

fn style(link: CandidateLink) -> Attributes {
    vec![("style", if link == CandidateLink::Strong { "bold" } else { "dashed" }.into())]
}
