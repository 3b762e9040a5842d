//! Graphs of a position and of a rulebook, as records, DOT and GraphML. In: a position or a rulebook. Out: the candidate graph with its
//! components and articulation points, or the dependency graph of the rules.

use super::names::BoardNames;
use super::record::CandidateRecord;
use super::signs::visible;
use super::svg::escaped;
use crate::grid::{Candidate, Geometry, State};
use crate::lang::ast::{File, Item};
use crate::lang::ir::{ItemName, UseKind};
use crate::lang::{file_dependencies, item_name, parse};
use crate::solve::{RuleFile, Rulebook};
use petgraph::algo::articulation_points::articulation_points;
use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, EdgeReference, NodeIndex, UnGraph};
use petgraph::visit::{EdgeRef, IntoNodeReferences, Reversed};
use petgraph::{EdgeType, Graph};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The candidates of a position as nodes, ordered by row, column and digit. An edge joins two candidates that cannot
/// both be true.
pub type CandidateGraph = UnGraph<CandidateRecord, CandidateLink>;

/// The link between two candidates that cannot both be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CandidateLink {
    /// At most one of the two candidates is true.
    Weak,
    /// Exactly one of the two candidates is true: they are the last two candidates of a cell, or the last two places of
    /// a digit in a house.
    Strong,
}

pub fn candidate_graph(geometry: &Geometry, state: &State) -> CandidateGraph {
    let names = BoardNames::new(geometry);
    let mut graph = CandidateGraph::default();
    let mut nodes = BTreeMap::new();
    for candidate in geometry.cells().flat_map(|cell| state.candidates(cell).in_cell(cell)) {
        nodes.insert((candidate.cell, candidate.digit), graph.add_node(names.candidate_record(candidate)));
    }
    for cell in geometry.cells() {
        for a in state.candidates(cell).in_cell(cell) {
            let in_peers = geometry.peers(cell).iter().map(|&peer| Candidate::new(a.digit, peer));
            let excluded = state.candidates(cell).in_cell(cell).chain(in_peers);
            // Each pair gets one edge, from the smaller candidate to the larger.
            let larger = excluded.filter(|b| (a.cell, a.digit) < (b.cell, b.digit));
            let mut neighbours: Vec<(NodeIndex, Candidate)> =
                larger.filter_map(|b| Some((*nodes.get(&(b.cell, b.digit))?, b))).collect();
            neighbours.sort_unstable_by_key(|(node, _)| *node);
            for (node, b) in neighbours {
                graph.add_edge(nodes[&(a.cell, a.digit)], node, link(geometry, state, a, b));
            }
        }
    }
    graph
}

fn link(geometry: &Geometry, state: &State, a: Candidate, b: Candidate) -> CandidateLink {
    let is_strong = if a.cell == b.cell {
        state.candidates(a.cell).len() == 2
    } else {
        let mut shared_houses = geometry.houses_of(a.cell).iter().filter(|id| geometry.houses_of(b.cell).contains(id));
        shared_houses.any(|&id| {
            let cells = &geometry.house(id).cells;
            cells.iter().filter(|&&cell| state.has(Candidate::new(a.digit, cell))).count() == 2
        })
    };
    if is_strong { CandidateLink::Strong } else { CandidateLink::Weak }
}

/// A candidate graph as data. Numbers are indexes into `candidates`.
#[derive(Debug, Serialize)]
pub struct CandidateGraphRecord<'g> {
    candidates: Vec<&'g CandidateRecord>,
    links: Vec<LinkedPair>,
    /// Connected components, ordered by their first candidate.
    components: Vec<Vec<usize>>,
    /// Candidates whose removal disconnects their component.
    articulation_points: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct LinkedPair {
    a: usize,
    b: usize,
    kind: CandidateLink,
}

impl<'g> CandidateGraphRecord<'g> {
    pub fn new(graph: &'g CandidateGraph) -> CandidateGraphRecord<'g> {
        let mut articulation_points: Vec<usize> =
            articulation_points(graph).into_iter().map(NodeIndex::index).collect();
        articulation_points.sort_unstable();
        let links = graph.edge_references().map(|edge| LinkedPair {
            a: edge.source().index(),
            b: edge.target().index(),
            kind: *edge.weight(),
        });
        CandidateGraphRecord {
            candidates: graph.node_weights().collect(),
            links: links.collect(),
            components: components(graph),
            articulation_points,
        }
    }

    pub fn attributes(&self, graph: &CandidateGraph) -> UnGraph<Attributes, Attributes> {
        let mut component = vec![0; graph.node_count()];
        for (number, nodes) in self.components.iter().enumerate() {
            nodes.iter().for_each(|&node| component[node] = number);
        }
        graph.map(
            |node, candidate| {
                let is_articulation_point = self.articulation_points.binary_search(&node.index()).is_ok();
                let shape = if is_articulation_point { "doublecircle" } else { "ellipse" };
                let component = component[node.index()].to_string();
                vec![("label", candidate.text.clone()), ("component", component), ("shape", shape.into())]
            },
            |_, link| line_style(*link),
        )
    }
}

/// Returns the nodes of each connected component in ascending order; the components are ordered by their first node.
fn components(graph: &CandidateGraph) -> Vec<Vec<usize>> {
    let mut components: Vec<Vec<usize>> = Vec::new();
    for nodes in kosaraju_scc(graph) {
        components.push(nodes.into_iter().map(NodeIndex::index).collect::<BTreeSet<_>>().into_iter().collect());
    }
    components.sort_unstable();
    components
}

/// Writes the graph as DOT, without components and articulation points.
pub fn candidate_dot(graph: &CandidateGraph) -> String {
    dot(LEGEND, &graph.map(|_, candidate| vec![("label", candidate.text.clone())], |_, link| line_style(*link)))
}

/// The explanation of the edges in the DOT file of a candidate graph.
pub const LEGEND: &str = "nodes: candidates; dashed: weak (not both true); bold: strong as well (one of them is true)";

fn line_style(link: CandidateLink) -> Attributes {
    vec![("style", if link == CandidateLink::Strong { "bold" } else { "dashed" }.into())]
}

/// The items of a rulebook in topological order: an item follows all items that it uses.
#[derive(Debug, Serialize)]
pub struct RuleGraphRecord {
    rules: Vec<RuleNode>,
}

#[derive(Debug, Serialize)]
struct RuleNode {
    kind: &'static str,
    id: String,
    title: Option<String>,
    file: String,
    uses: Vec<UseRecord>,
}

#[derive(Debug, Serialize)]
struct UseRecord {
    kind: &'static str,
    id: String,
    how: &'static str,
}

impl RuleGraphRecord {
    /// Builds the dependency graph of a rulebook. Parses the files again, because the IR contains no patterns and rule lists.
    pub fn new(rulebook: &Rulebook) -> RuleGraphRecord {
        let trees: Vec<File> = rulebook.files().iter().map(|file| parse(&file.text).0).collect();
        let graph = file_dependencies(&trees);
        let mut items = BTreeMap::new();
        for (file, tree) in rulebook.files().iter().zip(&trees) {
            items.extend(tree.items.iter().filter_map(|item| Some((item_name(item)?.0, (file, item)))));
        }
        // A rulebook with a cycle has errors. Its items are listed in the order of the files.
        let order = toposort(Reversed(&graph), None).unwrap_or_else(|_| graph.nodes().collect());
        let mut rules = Vec::new();
        for node in order {
            let Some(&(file, item)) = items.get(&node) else { continue };
            let uses = graph.edges(node).map(|(_, used, &use_kind)| UseRecord {
                kind: kind_word(used),
                id: used.id().to_owned(),
                how: use_words(use_kind),
            });
            rules.push(RuleNode {
                kind: kind_word(node),
                id: node.id().to_owned(),
                title: title(file, item),
                file: file.name.clone(),
                uses: uses.collect(),
            });
        }
        RuleGraphRecord { rules }
    }

    pub fn attributes(&self) -> DiGraph<Attributes, Attributes> {
        let mut graph = DiGraph::new();
        let mut nodes = BTreeMap::new();
        for rule in &self.rules {
            let shape = match rule.kind {
                "technique" => "box",
                "pattern" => "note",
                "rule list" => "folder",
                _ => "ellipse",
            };
            let mut attributes = vec![("label", rule.id.clone()), ("kind", rule.kind.into()), ("shape", shape.into())];
            attributes.extend(rule.title.clone().map(|title| ("tooltip", title)));
            attributes.push(("file", rule.file.clone()));
            nodes.insert((rule.kind, rule.id.as_str()), graph.add_node(attributes));
        }
        for rule in &self.rules {
            for used in &rule.uses {
                if let Some(&to) = nodes.get(&(used.kind, used.id.as_str())) {
                    graph.add_edge(nodes[&(rule.kind, rule.id.as_str())], to, vec![("label", used.how.into())]);
                }
            }
        }
        graph
    }
}

fn kind_word(item: ItemName) -> &'static str {
    match item {
        ItemName::Technique(_) => "technique",
        ItemName::LinkSource(_) => "strong link",
        ItemName::Pattern(_) => "pattern",
        ItemName::RuleList(_) => "rule list",
    }
}

fn use_words(use_kind: UseKind) -> &'static str {
    match use_kind {
        UseKind::Joins => "joins",
        UseKind::Supposes => "supposes by",
        UseKind::Links => "links by",
        UseKind::Expands => "uses",
        UseKind::Lists => "lists",
    }
}

fn title(file: &RuleFile, item: &Item) -> Option<String> {
    let Item::Technique(technique) = item else { return None };
    let text = file.text.get(technique.title.as_ref()?.span.clone())?;
    Some(text.trim_matches('"').to_owned())
}

/// Names and values of a node's or edge's attributes, in the order of output. Values may contain text of the user, so each writer escapes them.
pub type Attributes = Vec<(&'static str, String)>;

/// Writes a graph as DOT. `legend` is a comment in the first line.
pub fn dot<Ty: EdgeType>(legend: &str, graph: &Graph<Attributes, Attributes, Ty>) -> String {
    let config = [Config::NodeNoLabel, Config::EdgeNoLabel];
    let dot = Dot::with_attr_getters(
        graph,
        &config,
        &|_, edge: EdgeReference<'_, Attributes>| dot_attributes(edge.weight()),
        &|_, (_, node): (_, &Attributes)| dot_attributes(node),
    );
    format!("// {legend}\n{dot:?}")
}

fn dot_attributes(attributes: &Attributes) -> String {
    let texts = attributes.iter().map(|(name, value)| {
        // Double every backslash, which begins an escape sequence in DOT.
        let value = visible(value).replace('\\', "\\\\").replace('"', "\\\"");
        format!("{name}=\"{value}\"")
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// Writes a graph as GraphML. Every attribute is declared as text.
pub fn graphml<Ty: EdgeType>(graph: &Graph<Attributes, Attributes, Ty>) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    let domains = [("node", attribute_names(graph.node_weights())), ("edge", attribute_names(graph.edge_weights()))];
    for (domain, names) in domains {
        for name in names {
            let _ = writeln!(
                out,
                "  <key id=\"{domain}_{name}\" for=\"{domain}\" attr.name=\"{name}\" attr.type=\"string\"/>"
            );
        }
    }
    let direction = if graph.is_directed() { "directed" } else { "undirected" };
    let _ = writeln!(out, "  <graph id=\"G\" edgedefault=\"{direction}\">");
    for (node, attributes) in graph.node_references() {
        let _ = writeln!(out, "    <node id=\"n{}\">{}</node>", node.index(), data_elements("node", attributes));
    }
    for edge in graph.edge_references() {
        let (source, target) = (edge.source().index(), edge.target().index());
        let data = data_elements("edge", edge.weight());
        let _ = writeln!(out, "    <edge source=\"n{source}\" target=\"n{target}\">{data}</edge>");
    }
    out + "  </graph>\n</graphml>\n"
}

fn attribute_names<'a>(attributes: impl Iterator<Item = &'a Attributes>) -> BTreeSet<&'static str> {
    attributes.flatten().map(|(name, _)| *name).collect()
}

fn data_elements(domain: &str, attributes: &Attributes) -> String {
    let elements =
        attributes.iter().map(|(name, value)| format!("<data key=\"{domain}_{name}\">{}</data>", escaped(value)));
    elements.collect()
}
