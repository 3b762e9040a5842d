//! Dependencies between rules: a graph with an edge from each item to every item that it uses, and its cycles.

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

/// The kind and the id of an item that other items can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemName<'a> {
    Technique(&'a str),
    LinkSource(&'a str),
    Pattern(&'a str),
    RuleList(&'a str),
}

impl<'a> ItemName<'a> {
    pub fn id(self) -> &'a str {
        match self {
            Self::Technique(id) | Self::LinkSource(id) | Self::Pattern(id) | Self::RuleList(id) => id,
        }
    }
}

/// The way in which one item uses another item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UseKind {
    /// A technique joins the steps of a technique.
    Joins,
    /// A technique or pattern applies a technique or rule list under a supposition.
    Supposes,
    /// A technique or pattern takes strong links from a source.
    Links,
    /// A technique, pattern or source includes the lines of a pattern.
    Expands,
    /// A rule list contains a technique or rule list.
    Lists,
}

/// The dependency graph; edges lead from the user to the used item.
pub type Dependencies<'a> = DiGraphMap<ItemName<'a>, UseKind, FxBuildHasher>;

impl Variant {
    /// Returns the ids of the techniques that this variant joins or uses under suppositions, in order.
    pub fn uses(&self) -> impl Iterator<Item = (&str, UseKind)> {
        let joins = self.join.iter().map(|join| (join.technique.as_str(), UseKind::Joins));
        let supposed_rules = self.body.iter().flat_map(|statement| match statement {
            Statement::Suppose(Suppose { methods: InferenceMethods::Rules(rules), .. }) => rules.as_slice(),
            _ => &[],
        });
        joins.chain(supposed_rules.map(|rule| (rule.technique.as_str(), UseKind::Supposes)))
    }
}

/// Builds the graph of techniques and link sources. The nodes are the given items in their order, then the used items
/// that are not given. The edges of a node are sorted by the position of the used item. If a technique uses an item
/// several times, the edge has the kind of the first use.
pub fn dependencies<'a>(
    techniques: impl Iterator<Item = &'a Technique> + Clone,
    sources: &'a [LinkSource],
) -> Dependencies<'a> {
    let mut graph = Dependencies::new();
    for technique in techniques.clone() {
        graph.add_node(ItemName::Technique(&technique.id));
    }
    for source in sources {
        graph.add_node(ItemName::LinkSource(&source.id));
    }
    for technique in techniques {
        let uses = technique.variants.iter().flat_map(Variant::uses);
        let mut used: Vec<(ItemName, UseKind)> = uses.map(|(id, kind)| (ItemName::Technique(id), kind)).collect();
        used.extend(technique.strong_source_ids().into_iter().map(|id| (ItemName::LinkSource(id), UseKind::Links)));
        for &(item, _) in &used {
            graph.add_node(item);
        }
        used.sort_by_cached_key(|&(item, _)| graph.to_index(item));
        used.dedup_by_key(|(item, _)| *item);
        for (item, kind) in used {
            graph.add_edge(ItemName::Technique(&technique.id), item, kind);
        }
    }
    graph
}

/// Returns `starts` and all nodes that are reachable from `starts`, in breadth-first order.
pub fn reachable<G>(graph: G, starts: impl IntoIterator<Item = G::NodeId>) -> Vec<G::NodeId>
where
    G: IntoNeighbors + Visitable,
{
    let mut discovered = graph.visit_map();
    let stack = starts.into_iter().filter(|&start| discovered.visit(start)).collect();
    Bfs { stack, discovered }.iter(graph).collect()
}

/// Appends to `techniques` every technique of the rulebook that a given technique uses, directly or indirectly. A given
/// technique replaces the technique with the same id in the rulebook.
pub fn with_dependencies(mut techniques: Vec<Technique>, rulebook: &[Technique]) -> Vec<Technique> {
    if techniques.iter().flat_map(|technique| &technique.variants).flat_map(Variant::uses).next().is_none() {
        return techniques;
    }
    let available = rulebook.iter().filter(|other| techniques.iter().all(|technique| technique.id != other.id));
    let graph = dependencies(techniques.iter().chain(available.clone()), &[]);
    let used_items = reachable(&graph, techniques.iter().map(|technique| ItemName::Technique(&technique.id)));
    let used = used_items.iter().filter_map(|item| available.clone().find(|technique| technique.id == item.id()));
    let used: Vec<Technique> = used.cloned().collect();
    techniques.extend(used);
    techniques
}

#[derive(Clone, Debug)]
pub struct Cycles<N> {
    /// Cycles that together contain every node that lies in a cycle. In each cycle, a node uses the next node, and the
    /// last node uses the first node.
    paths: Vec<Vec<N>>,
    /// The number of the strongly connected component of each node in a cycle.
    components: HashMap<N, usize>,
}

impl<N: Copy + Eq + Hash> Cycles<N> {
    pub fn find<G>(graph: G) -> Cycles<N>
    where
        G: IntoEdges<NodeId = N> + IntoNeighborsDirected + IntoNodeIdentifiers + NodeIndexable + Visitable,
    {
        let mut cycles = Cycles { paths: Vec::new(), components: HashMap::new() };
        if toposort(graph, None).is_ok() {
            return cycles;
        }
        // Not `tarjan_scc`: it is recursive, and a very long cycle in a file could overflow the stack.
        let mut components = kosaraju_scc(graph);
        components.retain(|nodes| nodes.len() > 1 || graph.neighbors(nodes[0]).any(|next| next == nodes[0]));
        for (number, nodes) in components.iter().enumerate() {
            cycles.components.extend(nodes.iter().map(|&node| (node, number)));
        }
        for node in graph.node_identifiers() {
            if !cycles.components.contains_key(&node) || cycles.through(node).is_some() {
                continue;
            }
            let back = graph.neighbors(node).filter_map(|next| astar(graph, next, |at| at == node, |_| 1, |_| 0));
            if let Some((_, mut path)) = back.min_by_key(|(length, _)| *length) {
                // The path ends at `node`, and the stored cycle begins with it.
                path.rotate_right(1);
                cycles.paths.push(path);
            }
        }
        cycles
    }

    /// Returns a cycle through a node, beginning with the node.
    pub fn through(&self, node: N) -> Option<Vec<N>> {
        self.paths.iter().find_map(|path| {
            let position = path.iter().position(|&other| other == node)?;
            Some([&path[position..], &path[..position]].concat())
        })
    }

    /// Returns true if a cycle contains both nodes.
    pub fn contain_both(&self, a: N, b: N) -> bool {
        self.components.get(&a).is_some_and(|component| self.components.get(&b) == Some(component))
    }
}

/// Maximum number of names of a cycle that a message lists.
pub const MAX_LISTED_NAMES: usize = 12;

/// Describes a cycle of `length` nodes as `a → b → a`. `names` are the names of its first nodes. Nodes beyond
/// [`MAX_LISTED_NAMES`] are only counted: `a → b → 3 more → a`.
pub fn describe_cycle(names: &[String], length: usize) -> String {
    let mut parts = names[..names.len().min(MAX_LISTED_NAMES)].to_vec();
    if length > parts.len() {
        parts.push(format!("{} more", length - parts.len()));
    }
    parts.extend(names.first().cloned());
    parts.join(" → ")
}
