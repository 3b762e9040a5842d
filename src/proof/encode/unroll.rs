//! Open chains and clusters link by link, for examples of them. In: a chain or cluster and how many links. Out:
//! literals that say such a thing lies on the board.

use super::linked::Node;
use super::value::Number;
use super::{Encoder, Grown, Refusal};
use crate::lang::ir::{Chain, Cluster, Comparison, Expr, LengthUnit, LinkSource, VarShape, Weak};
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
            return Err("a chain link by link without a board".into());
        }
        let mut out = Vec::new();
        let nodes = self.nodes(chain, sources, strong, &mut out)?;
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
        out.push(self.length(chain, &nodes));
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

    /// A path through so many candidates that are one cluster, in two colours; and whether more belongs to it.
    pub fn cluster_links(
        &mut self,
        cluster: &Cluster,
        sources: &[&'a LinkSource],
        count: usize,
    ) -> Result<Vec<Lit>, Refusal> {
        if self.world.open {
            return Err("a cluster link by link without a board".into());
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
        self.grown.push(grown);
        Ok(out)
    }

    /// Whether a candidate that is none of these is linked with one of them.
    fn grown(&mut self, nodes: &[Node], on: Option<&Expr>, sources: &[&'a LinkSource]) -> Result<Grown, Refusal> {
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
        let all = self.world.count() * self.digits();
        let mut members = Vec::with_capacity(all);
        for at in 0..all {
            let here: Vec<Lit> = nodes.iter().map(|node| self.at(node, at)).collect();
            members.push(self.circuit.or(here));
        }
        let [inner, outer] = [&inner, &outer].map(|node| (0..all).map(|at| self.at(node, at)).collect());
        Ok(Grown { is, inner, outer, members })
    }

    /// Linked strongly and weakly.
    fn both_links(&mut self, sources: &[&'a LinkSource], a: &Node, b: &Node) -> Result<Lit, Refusal> {
        let strong = self.strong_link(sources, a, b)?;
        let weak = self.weak_link(Weak::Any, a, b);
        Ok(self.circuit.and2(strong, weak))
    }

    /// Whether the length is within the bounds of the chain.
    fn length(&mut self, chain: &Chain, nodes: &[Node]) -> Lit {
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
        let number = Number { plus, ..Number::count(lits, Lit::FALSE) };
        let low = self.against(&number, Comparison::GreaterEqual, i64::from(chain.length.low));
        let high = chain.length.high.map(|high| self.against(&number, Comparison::LessEqual, i64::from(high)));
        self.circuit.and2(low, high.unwrap_or(Lit::TRUE))
    }

    fn against(&mut self, number: &Number, op: Comparison, limit: i64) -> Lit {
        match op {
            Comparison::LessEqual => !self.circuit.at_least(&number.lits, limit + 1 - number.plus),
            _ => self.circuit.at_least(&number.lits, limit - number.plus),
        }
    }
}
