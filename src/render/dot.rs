//! The candidate graph as DOT. In: a state. Out: text for Graphviz: candidates as nodes, strong links solid,
//! weak links dashed; an exclusion that is strong as well is solid and bold.

use crate::grid::{Candidate, Geometry, State, notation};
use petgraph::dot::{Config, Dot};
use petgraph::graph::{NodeIndex, UnGraph};
use std::collections::BTreeMap;

/// What joins two candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Edge {
    strong: bool,
    weak: bool,
}

/// The graph as DOT, the same text for the same state.
pub fn dot(geometry: &Geometry, state: &State) -> String {
    let graph = graph(geometry, state);
    let node = |_: &_, (_, candidate): (NodeIndex, &Candidate)| {
        format!("label=\"({}){}\"", candidate.digit, notation::cell(geometry, candidate.cell))
    };
    let edge = |_: &_, link: petgraph::graph::EdgeReference<'_, Edge>| match *link.weight() {
        Edge { strong: true, weak: true } => "style=\"bold\"".to_string(),
        Edge { strong: true, .. } => "style=\"solid\"".to_string(),
        Edge { .. } => "style=\"dashed\"".to_string(),
    };
    let labels = [Config::NodeNoLabel, Config::EdgeNoLabel];
    let body = format!("{:?}", Dot::with_attr_getters(&graph, &labels, &edge, &node));
    let legend = "// nodes: candidates; solid: strong (not both false); dashed: weak (not both true); bold: both\n";
    format!("{legend}{body}")
}

fn graph(geometry: &Geometry, state: &State) -> UnGraph<Candidate, Edge> {
    let mut graph = UnGraph::new_undirected();
    let all: Vec<Candidate> = geometry
        .cells()
        .flat_map(|cell| state.candidates(cell).iter().map(move |digit| Candidate::new(digit, cell)))
        .collect();
    let index: BTreeMap<(u16, u8), NodeIndex> =
        all.iter().map(|&candidate| ((candidate.cell.0, candidate.digit.0), graph.add_node(candidate))).collect();
    let node = |candidate: &Candidate| index[&(candidate.cell.0, candidate.digit.0)];
    for (from, to, edge) in links(geometry, state, &all) {
        graph.add_edge(node(&from), node(&to), edge);
    }
    graph
}

/// Every two candidates that cannot both be true, strong where no third stands beside them.
fn links(geometry: &Geometry, state: &State, all: &[Candidate]) -> Vec<(Candidate, Candidate, Edge)> {
    let mut links = Vec::new();
    for (place, &a) in all.iter().enumerate() {
        for &b in &all[place + 1..] {
            let same_cell = a.cell == b.cell;
            if same_cell || (a.digit == b.digit && geometry.sees(a.cell, b.cell)) {
                let strong =
                    if same_cell { state.candidates(a.cell).len() == 2 } else { two_places(geometry, state, a, b) };
                links.push((a, b, Edge { strong, weak: true }));
            }
        }
    }
    links
}

fn two_places(geometry: &Geometry, state: &State, a: Candidate, b: Candidate) -> bool {
    geometry.houses_of(a.cell).iter().filter(|id| geometry.houses_of(b.cell).contains(id)).any(|&id| {
        let cells = &geometry.house(id).cells;
        cells.iter().filter(|&&cell| state.has(Candidate::new(a.digit, cell))).count() == 2
    })
}
