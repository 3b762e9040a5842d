//! The graph of nodes as suppositions need it. In: the [`Links`] of a state and what a rule admits. Out: nodes with their
//! weak and strong neighbours, in order. This file alone knows how the links of chains are kept.

use crate::engine::chain::Links;
use crate::engine::matches::{ChainNode, Via};
use crate::grid::{Candidate, DigitSet};
use crate::lang::ir::Weak;
use std::collections::BTreeMap;

/// Nodes and links between them.
pub(super) struct Graph {
    pub nodes: Vec<ChainNode>,
    /// For each node those it excludes, ascending.
    pub weak: Vec<Vec<u16>>,
    /// For each node those that are true if it is false, ascending, each with what makes the link.
    pub strong: Vec<Vec<(u16, Option<Via>)>>,
    /// The node of each candidate.
    pub single: BTreeMap<Candidate, u16>,
}

impl Graph {
    /// Nodes of the digits `on` (`None` is any), with links of some sources and of one sort of weak link.
    pub fn new(links: &Links, on: Option<DigitSet>, sources: &[usize], weak: Weak) -> Graph {
        let admitted = |node: &u16| on.is_none_or(|digits| digits.has(links.candidate(*node).digit));
        let mut graph =
            Graph { nodes: Vec::new(), weak: Vec::new(), strong: Vec::new(), single: BTreeMap::new() };
        for node in 0..links.len() as u16 {
            let candidate = links.candidate(node);
            let mut excluded: Vec<u16> = Vec::new();
            if weak != Weak::SameDigit {
                excluded.extend(links.weak_in_cell(node));
            }
            if weak != Weak::Cell {
                excluded.extend(links.weak_of_digit(node));
            }
            let mut strong: Vec<u16> = sources.iter().flat_map(|&source| links.strong(source, node)).copied().collect();
            for list in [&mut excluded, &mut strong] {
                list.retain(|other| admitted(&node) && admitted(other));
                list.sort_unstable();
                list.dedup();
            }
            graph.nodes.push(ChainNode::single(candidate));
            graph.weak.push(excluded);
            graph.strong.push(strong.into_iter().map(|other| (other, None)).collect());
            graph.single.insert(candidate, node);
        }
        graph
    }
}
