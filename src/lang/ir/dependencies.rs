//! Dependencies between rules. In: techniques and link sources, or any graph whose edges lead from a user to what it uses. Out: the
//! graph, everything that is reached from some of its nodes, and circles.

use super::{InferenceMethods, LinkSource, Statement, Suppose, Technique, Variant};
use petgraph::algo::{astar, kosaraju_scc, toposort};
use petgraph::graphmap::DiGraphMap;
use petgraph::visit::{
    Bfs, IntoEdges, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, NodeIndexable, VisitMap, Visitable,
    Walker,
};
use rustc_hash::FxBuildHasher;
use std::collections::HashMap;
use std::hash::Hash;

/// A declared item that others use, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemName<'a> {
    /// A technique.
    Technique(&'a str),
    /// A strong link that chains take.
    LinkSource(&'a str),
    /// A pattern whose lines stand in rules.
    Pattern(&'a str),
    /// A list of techniques and of other lists.
    RuleList(&'a str),
}

impl<'a> ItemName<'a> {
    /// The identifier after its keyword.
    pub fn id(self) -> &'a str {
        match self {
            Self::Technique(id) | Self::LinkSource(id) | Self::Pattern(id) | Self::RuleList(id) => id,
        }
    }
}

/// The manner in which one item uses another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UseKind {
    /// Joins its steps.
    Joins,
    /// Applies it under a supposition.
    Supposes,
    /// Takes strong links from it.
    Links,
    /// Takes its lines.
    Expands,
    /// Lists it.
    Lists,
}

/// The graph of what uses what: an edge leads from the user to what it uses.
pub type Dependencies<'a> = DiGraphMap<ItemName<'a>, UseKind, FxBuildHasher>;

impl Variant {
    /// The techniques that this case joins or uses under suppositions, in order.
    pub fn uses(&self) -> impl Iterator<Item = (&str, UseKind)> {
        let joined = self.join.iter().map(|join| (join.technique.as_str(), UseKind::Joins));
        let rules = self.body.iter().flat_map(|statement| match statement {
            Statement::Suppose(Suppose { methods: InferenceMethods::Rules(rules), .. }) => rules.as_slice(),
            _ => &[],
        });
        joined.chain(rules.map(|rule| (rule.technique.as_str(), UseKind::Supposes)))
    }
}

/// Builds the graph of techniques and link sources. Nodes are in the order given, then names that nobody declares; the edges of a node
/// are in the order of the nodes.
pub fn dependencies<'a>(
    techniques: impl Iterator<Item = &'a Technique> + Clone,
    sources: &'a [LinkSource],
) -> Dependencies<'a> {
    let mut graph = Dependencies::new();
    techniques.clone().for_each(|one| _ = graph.add_node(ItemName::Technique(&one.id)));
    sources.iter().for_each(|one| _ = graph.add_node(ItemName::LinkSource(&one.id)));
    for technique in techniques {
        let uses = technique.variants.iter().flat_map(Variant::uses);
        let mut used: Vec<_> = uses.map(|(id, how)| (ItemName::Technique(id), how)).collect();
        used.extend(technique.links().into_iter().map(|id| (ItemName::LinkSource(id), UseKind::Links)));
        used.iter().for_each(|&(one, _)| _ = graph.add_node(one));
        used.sort_by_cached_key(|&(one, _)| graph.to_index(one));
        used.dedup_by_key(|(one, _)| *one);
        for (one, how) in used {
            graph.add_edge(ItemName::Technique(&technique.id), one, how);
        }
    }
    graph
}

/// Returns the starts and every node that they lead to, breadth first.
pub fn reachable<G>(graph: G, starts: impl IntoIterator<Item = G::NodeId>) -> Vec<G::NodeId>
where
    G: IntoNeighbors + Visitable,
{
    let mut discovered = graph.visit_map();
    let stack = starts.into_iter().filter(|&start| discovered.visit(start)).collect();
    Bfs { stack, discovered }.iter(graph).collect()
}

/// Appends the techniques of a rulebook that some techniques use, and those that these use. A technique given stands for the one of the
/// rulebook with the same id.
pub fn with_dependencies(mut all: Vec<Technique>, rulebook: &[Technique]) -> Vec<Technique> {
    if all.iter().flat_map(|one| &one.variants).flat_map(Variant::uses).next().is_none() {
        return all;
    }
    let others = rulebook.iter().filter(|other| all.iter().all(|one| one.id != other.id));
    let graph = dependencies(all.iter().chain(others.clone()), &[]);
    let used = reachable(&graph, all.iter().map(|one| ItemName::Technique(&one.id)));
    let more: Vec<Technique> =
        used.iter().filter_map(|used| others.clone().find(|other| other.id == used.id())).cloned().collect();
    all.extend(more);
    all
}

/// The circles of a graph.
#[derive(Clone, Debug)]
pub struct Cycles<N> {
    /// A circle through each node that is in one: each node uses the next, the last one the first.
    ways: Vec<Vec<N>>,
    /// The strongly connected component of each node that is in a circle.
    parts: HashMap<N, usize>,
}

impl<N: Copy + Eq + Hash> Cycles<N> {
    /// Finds the circles; nodes of one component lead to one another.
    pub fn find<G>(graph: G) -> Cycles<N>
    where
        G: IntoEdges<NodeId = N> + IntoNeighborsDirected + IntoNodeIdentifiers + NodeIndexable + Visitable,
    {
        let mut circles = Cycles { ways: Vec::new(), parts: HashMap::new() };
        if toposort(graph, None).is_ok() {
            return circles;
        }
        // Not by Tarjan's search, which is recursive here: a file of a stranger may have a very long circle.
        let mut components = kosaraju_scc(graph);
        components.retain(|nodes| nodes.len() > 1 || graph.neighbors(nodes[0]).any(|next| next == nodes[0]));
        for (number, nodes) in components.iter().enumerate() {
            circles.parts.extend(nodes.iter().map(|&node| (node, number)));
        }
        for node in graph.node_identifiers().filter(|node| circles.parts.contains_key(node)).collect::<Vec<N>>() {
            if circles.through(node).is_none() {
                let ways = graph.neighbors(node).filter_map(|next| astar(graph, next, |at| at == node, |_| 1, |_| 0));
                circles.ways.extend(ways.min_by_key(|(length, _)| *length).map(|(_, mut way)| {
                    way.rotate_right(1);
                    way
                }));
            }
        }
        circles
    }

    /// Returns a circle through a node, from that node on.
    pub fn through(&self, node: N) -> Option<Vec<N>> {
        self.ways.iter().find_map(|way| {
            let at = way.iter().position(|&one| one == node)?;
            Some([&way[at..], &way[..at]].concat())
        })
    }

    /// Returns true if each of two nodes leads to the other.
    pub fn join(&self, a: N, b: N) -> bool {
        self.parts.get(&a).is_some_and(|part| self.parts.get(&b) == Some(part))
    }
}

/// Maximum number of names of a circle that a message lists.
pub const MAX_LISTED_NAMES: usize = 12;

/// Describes a circle of `length` names, from the first back to it: `a → b → a`. Of a very long one the middle is counted.
pub fn describe_cycle(names: &[String], length: usize) -> String {
    let mut words = names[..names.len().min(MAX_LISTED_NAMES)].to_vec();
    if length > words.len() {
        words.push(format!("{} more", length - words.len()));
    }
    words.extend(names.first().cloned());
    words.join(" → ")
}
