//! The order of special cases. In: pairs of rules of which one is a special case of the other. Out: the pairs that do not follow
//! from others.

use petgraph::algo::condensation;
use petgraph::algo::toposort;
use petgraph::algo::tred::{dag_to_toposorted_adjacency_list, dag_transitive_reduction_closure};
use petgraph::graph::{DiGraph, NodeIndex};

/// Returns for each pair (special, general) true unless it follows from others: if every A is a B and every B is a C, then every A is a C.
/// Rules are numbers; of rules that are special cases of each other every pair counts.
pub fn direct_cases(pairs: &[(u32, u32)]) -> Vec<bool> {
    let graph = DiGraph::<(), ()>::from_edges(pairs);
    let equals = condensation(graph.map(|node, ()| node, |_, ()| ()), true);
    let mut part = vec![NodeIndex::new(0); graph.node_count()];
    for node in equals.node_indices() {
        equals[node].iter().for_each(|rule| part[rule.index()] = node);
    }
    let order = toposort(&equals, None).unwrap_or_default();
    let (sorted, rank) = dag_to_toposorted_adjacency_list::<_, u32>(&equals, &order);
    let (reduced, _) = dag_transitive_reduction_closure(&sorted);
    let is_direct = |&(special, general): &(u32, u32)| {
        let [a, b] = [special, general].map(|rule| part[rule as usize]);
        a == b || reduced.contains_edge(rank[a.index()], rank[b.index()])
    };
    pairs.iter().map(is_direct).collect()
}
