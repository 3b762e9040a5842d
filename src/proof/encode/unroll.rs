//! Open chains and clusters link by link, for examples of them. In: a chain or cluster and how many links. Out:
//! literals that say such a thing lies on the board.

use super::linked::Node;
use super::{Encoder, Flaw, FlawNode, Refusal};
use crate::lang::ir::{Chain, Cluster, Expr, LengthUnit, LinkSource, VarShape, Weak};
use crate::proof::solver::Lit;

impl<'a> Encoder<'a> {
    /// What makes a chain of this many strong links from one end to the other, no node twice.
    pub fn chain_links(
        &mut self,
        chain: &Chain,
        sources: &[&'a LinkSource],
        strong: usize,
    ) -> Result<Vec<Lit>, Refusal> {
        if self.world.open {
            return Err(Refusal::NoBoard("a chain link by link"));
        }
        let mut out = Vec::new();
        let nodes = self.nodes(chain, sources, strong, &mut out)?;
        let back = chain.from == chain.to;
        out.extend(self.along(chain, sources, &nodes)?);
        out.push(self.length(chain, &nodes, chain.length.low));
        // The shortest chain decides, so there must be none that is too short.
        for fewer in (1..=strong).take_while(|&fewer| !back && least(chain.length.unit, fewer) < chain.length.low) {
            let (first, last) = (nodes[0].clone(), nodes[nodes.len() - 1].clone());
            let inner = (0..2 * fewer - 2).map(|_| self.free_node(nodes.iter().any(|node| node.wide)));
            let short: Vec<Node> = [first].into_iter().chain(inner).chain([last]).collect();
            let mut parts = self.along(chain, sources, &short)?;
            parts.push(!self.length(chain, &short, chain.length.low));
            let is = self.circuit.and(parts);
            let nodes = short.iter().enumerate().map(|(index, node)| {
                let ends = index == 0 || index == short.len() - 1;
                let at = self.candidates_at(node);
                let mut unless = vec![self.absent()];
                unless.extend(ends.then(|| at.iter().map(|&lit| !lit).collect()));
                FlawNode { at, unless }
            });
            let nodes = nodes.collect();
            self.flaws.push(Flaw { is, nodes });
        }
        Ok(out)
    }

    /// For each candidate whether it is not there.
    fn absent(&self) -> Vec<Lit> {
        self.world.cells.iter().flat_map(|cell| cell.candidate.iter().map(|&lit| !lit)).collect()
    }

    /// Nodes that are there, no candidate twice, and links in turn.
    fn along(&mut self, chain: &Chain, sources: &[&'a LinkSource], nodes: &[Node]) -> Result<Vec<Lit>, Refusal> {
        let mut out = Vec::new();
        let back = chain.from == chain.to;
        for (index, node) in nodes.iter().enumerate() {
            out.push(self.present(node));
            for (before, other) in nodes[..index].iter().enumerate() {
                if !(back && before == 0 && index == nodes.len() - 1) {
                    out.push(self.apart_nodes(node, other));
                }
            }
            out.push(self.on_digits(node, chain.on.as_ref())?);
        }
        for (index, pair) in nodes.windows(2).enumerate() {
            out.push(match index % 2 {
                0 => self.strong_link(sources, &pair[0], &pair[1])?,
                _ => self.weak_link(chain.weak, &pair[0], &pair[1]),
            });
        }
        Ok(out)
    }

    fn nodes(
        &mut self,
        chain: &Chain,
        sources: &[&LinkSource],
        strong: usize,
        demands: &mut Vec<Lit>,
    ) -> Result<Vec<Node>, Refusal> {
        let shape = |source: &&LinkSource, cell| source.pattern.var(cell).shape;
        let sets = sources.iter().any(|source| {
            [source.left.cell, source.right.cell].into_iter().any(|cell| shape(source, cell) == VarShape::Set)
        });
        let mut nodes = vec![self.end_node(chain.from, demands)?];
        for _ in 0..2 * strong.max(1) - 2 {
            nodes.push(self.free_node(sets));
        }
        nodes.push(self.end_node(chain.to, demands)?);
        Ok(nodes)
    }

    /// A path through a number of candidates that are one cluster, in two colours; and whether more belongs to it.
    pub fn cluster_links(
        &mut self,
        cluster: &Cluster,
        sources: &[&'a LinkSource],
        count: usize,
    ) -> Result<Vec<Lit>, Refusal> {
        if self.world.open {
            return Err(Refusal::NoBoard("a cluster link by link"));
        }
        let mut nodes: Vec<Node> = Vec::new();
        let mut out = Vec::new();
        for _ in 0..count {
            let node = self.free_node(false);
            out.push(self.present(&node));
            out.push(self.on_digits(&node, cluster.on.as_ref())?);
            for other in &nodes {
                out.push(self.apart_nodes(&node, other));
            }
            if let Some(last) = nodes.last().cloned() {
                out.push(self.both_links(sources, &last, &node)?);
            }
            nodes.push(node);
        }
        let first = self.circuit.fresh();
        for (number, colour) in cluster.colours.into_iter().enumerate() {
            let bound = self.bound_candidates(colour)?;
            for (at, &is) in bound.bits.iter().enumerate() {
                let mut ways = Vec::new();
                for (index, node) in nodes.iter().enumerate() {
                    let here = self.at(node, at);
                    ways.push(self.circuit.and2(here, if index % 2 == number { first } else { !first }));
                }
                let member = self.circuit.or(ways);
                out.push(self.circuit.same(is, member));
            }
        }
        let grown = self.grown(&nodes, cluster.on.as_ref(), sources)?;
        self.flaws.push(grown);
        Ok(out)
    }

    /// Whether a candidate that is none of these is linked with one of them.
    fn grown(&mut self, nodes: &[Node], on: Option<&Expr>, sources: &[&'a LinkSource]) -> Result<Flaw, Refusal> {
        let (inner, outer) = (self.free_node(false), self.free_node(false));
        let mut parts = vec![self.present(&outer), self.on_digits(&outer, on)?];
        let mut ways = Vec::new();
        for node in nodes {
            ways.push(!self.apart_nodes(node, &inner));
            parts.push(self.apart_nodes(node, &outer));
        }
        parts.push(self.circuit.or(ways));
        parts.push(self.both_links(sources, &inner, &outer)?);
        let is = self.circuit.and(parts);
        let mut members = vec![Lit::FALSE; self.world.count() * self.digits()];
        for node in nodes {
            for (member, here) in members.iter_mut().zip(self.candidates_at(node)) {
                *member = self.circuit.or2(*member, here);
            }
        }
        let outside = members.iter().map(|&lit| !lit).collect();
        let inner = FlawNode { at: self.candidates_at(&inner), unless: vec![outside] };
        let outer = FlawNode { at: self.candidates_at(&outer), unless: vec![self.absent(), members] };
        Ok(Flaw { is, nodes: vec![inner, outer] })
    }

    /// Some two candidates are linked strongly and weakly.
    pub fn conjugate_link(&mut self, sources: &[&'a LinkSource], on: Option<&Expr>) -> Result<Lit, Refusal> {
        let (a, b) = (self.free_node(false), self.free_node(false));
        let mut parts = vec![self.apart_nodes(&a, &b), self.both_links(sources, &a, &b)?];
        for node in [&a, &b] {
            parts.extend([self.present(node), self.on_digits(node, on)?]);
        }
        Ok(self.circuit.and(parts))
    }

    /// Linked strongly and weakly.
    fn both_links(&mut self, sources: &[&'a LinkSource], a: &Node, b: &Node) -> Result<Lit, Refusal> {
        let strong = self.strong_link(sources, a, b)?;
        let weak = self.weak_link(Weak::Any, a, b);
        Ok(self.circuit.and2(strong, weak))
    }

    /// Whether the length is so much at least, and not more than the chain may have.
    fn length(&mut self, chain: &Chain, nodes: &[Node], low: u32) -> Lit {
        let mut lits = Vec::new();
        let plus = match chain.length.unit {
            LengthUnit::StrongLinks => nodes.len() as i64 / 2,
            LengthUnit::Links => nodes.len() as i64 - 1,
            LengthUnit::Cells => {
                for pair in nodes.windows(2) {
                    lits.push(!self.same_choice(&pair[0].cell, &pair[1].cell));
                }
                1
            }
        };
        let low = self.circuit.at_least(&lits, i64::from(low) - plus);
        let over = match chain.length.high {
            Some(high) => self.circuit.at_least(&lits, i64::from(high) + 1 - plus),
            None => Lit::FALSE,
        };
        self.circuit.and2(low, !over)
    }
}

/// The minimum length, in a unit, of a chain with this many strong links.
fn least(unit: LengthUnit, strong: usize) -> u32 {
    match unit {
        LengthUnit::StrongLinks => strong as u32,
        LengthUnit::Links => 2 * strong as u32 - 1,
        LengthUnit::Cells => 1,
    }
}
