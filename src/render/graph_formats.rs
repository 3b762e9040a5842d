//! Graphs as text for other programs. In: a petgraph with attributes as weights. Out: DOT for Graphviz, and GraphML.

use super::signs::visible;
use super::svg::escaped;
use petgraph::dot::{Config, Dot};
use petgraph::visit::{EdgeRef, IntoNodeReferences};
use petgraph::{EdgeType, Graph};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Names of attributes with their values, in the order in which they are written. Values may be foreign text.
pub type Attributes = Vec<(&'static str, String)>;

/// Writes a graph as DOT, below a comment.
pub fn dot<Ty: EdgeType>(legend: &str, graph: &Graph<Attributes, Attributes, Ty>) -> String {
    let config = [Config::NodeNoLabel, Config::EdgeNoLabel];
    let edge =
        |_: &Graph<_, _, Ty>, edge: petgraph::graph::EdgeReference<'_, Attributes>| dot_attributes(edge.weight());
    let node = |_: &Graph<_, _, Ty>, (_, node): (_, &Attributes)| dot_attributes(node);
    format!("// {legend}\n{:?}", Dot::with_attr_getters(graph, &config, &edge, &node))
}

fn dot_attributes(all: &Attributes) -> String {
    let all = all.iter().map(|(name, value)| {
        // A backslash begins an escape, also one that stands for the name of the node.
        let value = visible(value).replace('\\', "\\\\").replace('"', "\\\"");
        format!("{name}=\"{value}\"")
    });
    all.collect::<Vec<_>>().join(" ")
}

/// Writes a graph as GraphML. Every attribute is declared as text.
pub fn graphml<Ty: EdgeType>(graph: &Graph<Attributes, Attributes, Ty>) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for (domain, all) in [("node", names(graph.node_weights())), ("edge", names(graph.edge_weights()))] {
        for name in all {
            let _ = writeln!(
                out,
                "  <key id=\"{domain}_{name}\" for=\"{domain}\" attr.name=\"{name}\" attr.type=\"string\"/>"
            );
        }
    }
    let direction = if graph.is_directed() { "directed" } else { "undirected" };
    let _ = writeln!(out, "  <graph id=\"G\" edgedefault=\"{direction}\">");
    for (node, attributes) in graph.node_references() {
        let _ = writeln!(out, "    <node id=\"n{}\">{}</node>", node.index(), data("node", attributes));
    }
    for edge in graph.edge_references() {
        let (source, target) = (edge.source().index(), edge.target().index());
        let data = data("edge", edge.weight());
        let _ = writeln!(out, "    <edge source=\"n{source}\" target=\"n{target}\">{data}</edge>");
    }
    out + "  </graph>\n</graphml>\n"
}

fn names<'a>(all: impl Iterator<Item = &'a Attributes>) -> BTreeSet<&'static str> {
    all.flatten().map(|(name, _)| *name).collect()
}

fn data(domain: &str, attributes: &Attributes) -> String {
    let all = attributes.iter();
    all.map(|(name, value)| format!("<data key=\"{domain}_{name}\">{}</data>", escaped(value))).collect()
}
