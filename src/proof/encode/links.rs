//! Nodes of chains on a board and the links between them. In: nodes and link sources. Out: literals for a strong and
//! for a weak link.

use super::names::Bound;
use super::values::Cells;
use super::{Encoder, Flaw, FlawNode, Refusal, Scope, board_layout, noun};
use crate::lang::ir::{
    Chain, ChainEnd, Cluster, Condition, Expr, LengthUnit, LinkSource, TrailNode, VarId, VarShape, WeakLinks,
};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

/// The nodes and strong links that a pattern may use.
#[derive(Clone, Copy)]
pub(crate) struct LinkRules<'l, 'a> {
    /// The digits of nodes; `None` is any.
    pub on: Option<&'l Expr>,
    pub sources: &'l [&'a LinkSource],
}

/// A digit and the cells of its candidates, as choices.
#[derive(Clone, Debug)]
pub(super) struct NodeLits {
    pub digit: Vec<Lit>,
    pub cell: Vec<Lit>,
    /// True if the node may have several cells.
    pub wide: bool,
}

impl<'a> Encoder<'a> {
    /// A node without constraints.
    pub(super) fn free_node(&mut self, wide: bool) -> NodeLits {
        let digit = self.free_choice(self.digits());
        let count = self.world.count();
        let cell = if wide { self.circuit.fresh_set(count) } else { self.free_choice(count) };
        NodeLits { digit, cell, wide }
    }

    /// The node at an end of a chain. A set of candidates is one node, which is demanded.
    pub(super) fn end_node(&mut self, end: ChainEnd, demands: &mut Vec<Lit>) -> Result<NodeLits, Refusal> {
        match end {
            ChainEnd::At(node) => {
                let digit = self.digit_set(&Expr::Var(node.digit))?;
                let wide = self.scope.variant.var(node.cell).shape != VarShape::Single;
                let cells = if wide { noun(node.digit, node.cell) } else { Expr::Var(node.cell) };
                Ok(NodeLits { digit, cell: self.cell_set(&cells)?.bits, wide })
            }
            ChainEnd::Candidate(var) => match self.scope.bound[var.0].clone() {
                Some(Bound::Candidate { digit, cell }) => Ok(NodeLits { digit, cell, wide: false }),
                Some(Bound::Candidates(all)) => {
                    let node = self.free_node(true);
                    for (at, &is) in all.bits.iter().enumerate() {
                        let here = self.at(&node, at);
                        demands.push(self.circuit.same(is, here));
                    }
                    Ok(node)
                }
                _ => Err(Refusal::Construct("a chain's end that is not a candidate")),
            },
        }
    }

    /// Literal that is true iff the node has the candidate with index `at`.
    pub(super) fn at(&mut self, node: &NodeLits, at: usize) -> Lit {
        let digits = self.digits();
        self.circuit.and2(node.cell[at / digits], node.digit[at % digits])
    }

    /// Literal that is true iff the node has candidates, all of them present.
    pub(super) fn present(&mut self, node: &NodeLits) -> Lit {
        let mut parts = vec![self.circuit.or(node.cell.iter().copied())];
        for (cell, here) in members(&node.cell) {
            let has = self.has(cell, &node.digit);
            parts.push(self.circuit.or2(!here, has));
        }
        self.circuit.and(parts)
    }

    /// Literal that is true iff a cell has one of these digits as a candidate.
    pub(super) fn has(&mut self, cell: usize, digit: &[Lit]) -> Lit {
        self.circuit.some_both(pairs(digit, &self.world.cells[cell].candidate))
    }

    /// Literal that is true iff two choices, of digits or of cells, have a member in common.
    pub(super) fn same_choice(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        self.circuit.some_both(pairs(a, b))
    }

    /// Literal that is true iff two nodes have no candidate in common.
    pub(super) fn disjoint_nodes(&mut self, a: &NodeLits, b: &NodeLits) -> Lit {
        let (digit, cell) = (self.same_choice(&a.digit, &b.digit), self.same_choice(&a.cell, &b.cell));
        !self.circuit.and2(digit, cell)
    }

    /// For each candidate, a literal: the node has it.
    pub(super) fn candidates_at(&mut self, node: &NodeLits) -> Vec<Lit> {
        (0..self.world.count() * self.digits()).map(|at| self.at(node, at)).collect()
    }

    /// Literal that is true iff the node has an allowed digit.
    fn on_digits(&mut self, node: &NodeLits, links: LinkRules<'_, 'a>) -> Result<Lit, Refusal> {
        let Some(on) = links.on else { return Ok(Lit::TRUE) };
        let on = self.digit_set(on)?;
        Ok(self.same_choice(&node.digit, &on))
    }

    /// Every candidate of the one excludes every candidate of the other.
    pub(super) fn weak_link(&mut self, weak: WeakLinks, a: &NodeLits, b: &NodeLits) -> Lit {
        let digit = self.same_choice(&a.digit, &b.digit);
        let mut parts = vec![self.same_choice(&a.cell, &b.cell)];
        for node in [a, b].into_iter().filter(|node| node.wide) {
            parts.push(!self.circuit.at_least(&node.cell, 2));
        }
        let one_cell = self.circuit.and(parts);
        let mut seen = Vec::new();
        for (i, x) in members(&a.cell) {
            for (j, y) in members(&b.cell) {
                if self.world.sees(i, j) != Lit::TRUE {
                    seen.push(!self.circuit.and2(x, y));
                }
            }
        }
        let seen = self.circuit.and(seen);
        let in_cell = self.circuit.and2(one_cell, !digit);
        let of_digit = self.circuit.and2(digit, seen);
        match weak {
            WeakLinks::Any => self.circuit.or2(in_cell, of_digit),
            WeakLinks::Cell => in_cell,
            WeakLinks::SameDigit => of_digit,
        }
    }

    /// Literal that is true iff one of the sources links the two nodes, in either direction.
    fn strong_link(&mut self, links: LinkRules<'_, 'a>, a: &NodeLits, b: &NodeLits) -> Result<Lit, Refusal> {
        let mut ways = Vec::new();
        for source in links.sources {
            ways.push(self.by_source(source, a, b)?);
            ways.push(self.by_source(source, b, a)?);
        }
        Ok(self.circuit.or(ways))
    }

    /// Literal that is true iff the source's pattern, with names of its own, has its left end at `a` and its right end at
    /// `b`.
    fn by_source(&mut self, source: &'a LinkSource, a: &NodeLits, b: &NodeLits) -> Result<Lit, Refusal> {
        let mut scope = Scope::new(&source.pattern, &[]);
        let mut same = Vec::new();
        for (ends, node) in [(source.left, a), (source.right, b)] {
            self.bind_end(&mut scope, ends, node, &mut same);
        }
        same.push(self.in_scope(scope, |this| this.pattern_holds(source))?);
        Ok(self.circuit.and(same))
    }

    /// Binds the names of an end freely: they must differ even if the link is not used.
    fn bind_end(&mut self, scope: &mut Scope<'a>, end: TrailNode, node: &NodeLits, same: &mut Vec<Lit>) {
        let digit = match &scope.bound[end.digit.0] {
            Some(Bound::Digits(bits)) => bits.clone(),
            _ => {
                let bits = self.free_choice(node.digit.len());
                scope.bound[end.digit.0] = Some(Bound::Digits(bits.clone()));
                bits
            }
        };
        same.push(self.same_choice(&digit, &node.digit));
        let cells = match &scope.bound[end.cell.0] {
            Some(Bound::Cells(cells)) => cells.bits.clone(),
            _ => self.end_cells(scope, end.cell, same),
        };
        if scope.variant.var(end.cell).shape == VarShape::Single && !node.wide {
            same.push(self.same_choice(&cells, &node.cell));
            return;
        }
        for (cell, (&is, &here)) in cells.iter().zip(&node.cell).enumerate() {
            let has = self.has(cell, &digit);
            let wanted = self.circuit.and2(is, has);
            same.push(self.circuit.same(here, wanted));
        }
    }

    /// The cells of an end: one, or a set of as many as its declaration says.
    fn end_cells(&mut self, scope: &mut Scope<'a>, id: VarId, same: &mut Vec<Lit>) -> Vec<Lit> {
        let count = self.world.count();
        let bits = if scope.variant.var(id).shape == VarShape::Single {
            self.free_choice(count)
        } else {
            let bits: Vec<Lit> = (0..count).map(|cell| self.part_of(&[self.world.cells[cell].unsolved])).collect();
            let size = scope.variant.choice(id).and_then(|choose| choose.size.as_ref());
            let low = size.and_then(|(low, _)| low.constant(&[])).unwrap_or(1);
            same.push(self.circuit.at_least(&bits, low));
            if let Some(high) = size.and_then(|(_, high)| high.as_ref()?.constant(&[])) {
                same.push(!self.circuit.at_least(&bits, high + 1));
            }
            bits
        };
        scope.bound[id.0] = Some(Bound::Cells(Cells::closed(bits.clone())));
        bits
    }

    fn pattern_holds(&mut self, source: &'a LinkSource) -> Result<Lit, Refusal> {
        let layout = board_layout(&source.pattern, self.world.count(), self.world.houses.len(), self.digits());
        self.bind_names(&layout, true)?;
        let mut parts = Vec::new();
        for statement in &source.pattern.body {
            parts.extend(self.demands(statement)?);
        }
        Ok(self.circuit.and(parts))
    }
}

impl Encoder<'_> {
    /// The last places of a digit in some house, without a board: two cells, or two sets of cells together. The house is one that the
    /// world has for this condition.
    pub(super) fn conjugate(
        &mut self,
        condition: &Condition,
        digit: &Expr,
        [a, b]: [&Expr; 2],
    ) -> Result<Lit, Refusal> {
        let digits = self.digit_set(digit)?;
        let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
        let slot = self.unnamed.conjugate.iter().find(|(known, _)| known == condition);
        let house = slot.map(|(_, house)| *house).ok_or(Refusal::Construct("a strong link inside `for`"))?;
        let may = self.last_two(house, &digits, &a, &b);
        Ok(self.circuit.between(Lit::FALSE, may))
    }

    /// Literal that is true iff the digit's places in the house are those in the two sets together, with at least one in
    /// each.
    fn last_two(&mut self, house: usize, digits: &[Lit], a: &Cells, b: &Cells) -> Lit {
        let mut parts = Vec::new();
        let mut ends = [vec![a.rest], vec![b.rest]];
        for cell in 0..self.world.count() {
            let holds = self.world.houses[house].holds[cell];
            let mut present = Vec::new();
            for (digit, &is) in digits.iter().enumerate().filter(|(_, is)| **is != Lit::FALSE) {
                present.push(self.circuit.and2(is, self.world.cells[cell].candidate[digit]));
                // A digit with places in a house is not solved there, even if those places are not modelled.
                let value = self.world.value(&mut self.circuit, cell, digit);
                parts.push(!self.circuit.and([holds, is, value]));
            }
            let present = self.circuit.or(present);
            let named = [a, b].map(|set| self.circuit.and2(set.bits[cell], present));
            let place = self.circuit.and2(holds, present);
            let one = self.circuit.or(named);
            parts.push(self.circuit.same(place, one));
            ends.iter_mut().zip(named).for_each(|(end, here)| end.push(here));
        }
        for end in ends {
            parts.push(self.circuit.or(end));
        }
        self.circuit.and(parts)
    }
}

impl<'a> Encoder<'a> {
    /// Lays out a chain with `strong` strong links from one end to the other, without repeated nodes.
    pub fn chain_links(&mut self, chain: &Chain, links: LinkRules<'_, 'a>, strong: usize) -> Result<Vec<Lit>, Refusal> {
        if self.world.open {
            return Err(Refusal::NoBoard("a chain link by link"));
        }
        let mut out = Vec::new();
        let nodes = self.nodes(chain, links, strong, &mut out)?;
        let back = chain.from == chain.to;
        out.extend(self.along(chain, links, &nodes)?);
        out.push(self.length(chain, &nodes, chain.length.low));
        // The shortest chain is reported, so no shorter one may violate the required length.
        for fewer in (1..=strong).take_while(|&fewer| !back && least(chain.length.unit, fewer) < chain.length.low) {
            let (first, last) = (nodes[0].clone(), nodes[nodes.len() - 1].clone());
            let inner = (0..2 * fewer - 2).map(|_| self.free_node(nodes.iter().any(|node| node.wide)));
            let short: Vec<NodeLits> = [first].into_iter().chain(inner).chain([last]).collect();
            let mut parts = self.along(chain, links, &short)?;
            parts.push(!self.length(chain, &short, chain.length.low));
            let is = self.circuit.and(parts);
            let mut flaw = Flaw { is, nodes: Vec::new() };
            for (index, node) in short.iter().enumerate() {
                let at = self.candidates_at(node);
                let mut unless = vec![self.absent()];
                if index == 0 || index == short.len() - 1 {
                    unless.push(at.iter().map(|&lit| !lit).collect());
                }
                flaw.nodes.push(FlawNode { at, unless });
            }
            self.flaws.push(flaw);
        }
        Ok(out)
    }

    /// For each candidate, a literal: it is absent.
    fn absent(&self) -> Vec<Lit> {
        self.world.candidates().map(|lit| !lit).collect()
    }

    /// Nodes that are there, no candidate twice, and links in turn.
    fn along(&mut self, chain: &Chain, links: LinkRules<'_, 'a>, nodes: &[NodeLits]) -> Result<Vec<Lit>, Refusal> {
        let mut out = Vec::new();
        let back = chain.from == chain.to;
        for (index, node) in nodes.iter().enumerate() {
            out.push(self.present(node));
            for (before, other) in nodes[..index].iter().enumerate() {
                if !(back && before == 0 && index == nodes.len() - 1) {
                    out.push(self.disjoint_nodes(node, other));
                }
            }
            out.push(self.on_digits(node, links)?);
        }
        for (index, pair) in nodes.windows(2).enumerate() {
            out.push(match index % 2 {
                0 => self.strong_link(links, &pair[0], &pair[1])?,
                _ => self.weak_link(chain.weak, &pair[0], &pair[1]),
            });
        }
        Ok(out)
    }

    fn nodes(
        &mut self,
        chain: &Chain,
        links: LinkRules<'_, 'a>,
        strong: usize,
        demands: &mut Vec<Lit>,
    ) -> Result<Vec<NodeLits>, Refusal> {
        let sets = links.sources.iter().any(|source| {
            [source.left, source.right].iter().any(|end| source.pattern.var(end.cell).shape == VarShape::Set)
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
        links: LinkRules<'_, 'a>,
        count: usize,
    ) -> Result<Vec<Lit>, Refusal> {
        if self.world.open {
            return Err(Refusal::NoBoard("a cluster link by link"));
        }
        let mut nodes: Vec<NodeLits> = Vec::new();
        let mut out = Vec::new();
        for _ in 0..count {
            let node = self.free_node(false);
            out.push(self.present(&node));
            out.push(self.on_digits(&node, links)?);
            for other in &nodes {
                out.push(self.disjoint_nodes(&node, other));
            }
            if let Some(last) = nodes.last().cloned() {
                out.push(self.both_links(links, &last, &node)?);
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
                    ways.push(self.circuit.and2(here, first.signed(index % 2 == number)));
                }
                let member = self.circuit.or(ways);
                out.push(self.circuit.same(is, member));
            }
        }
        let grown = self.grown(&nodes, links)?;
        self.flaws.push(grown);
        Ok(out)
    }

    /// Literal that is true iff a candidate outside of the nodes is linked to one of them.
    fn grown(&mut self, nodes: &[NodeLits], links: LinkRules<'_, 'a>) -> Result<Flaw, Refusal> {
        let (inner, outer) = (self.free_node(false), self.free_node(false));
        let mut parts = vec![self.present(&outer), self.on_digits(&outer, links)?];
        let mut ways = Vec::new();
        for node in nodes {
            ways.push(!self.disjoint_nodes(node, &inner));
            parts.push(self.disjoint_nodes(node, &outer));
        }
        parts.push(self.circuit.or(ways));
        parts.push(self.both_links(links, &inner, &outer)?);
        let is = self.circuit.and(parts);
        let mut members = vec![Lit::FALSE; self.world.count() * self.digits()];
        for node in nodes {
            let here = self.candidates_at(node);
            members = self.circuit.each_either(pairs(&members, &here));
        }
        let outside = members.iter().map(|&lit| !lit).collect();
        let inner = FlawNode { at: self.candidates_at(&inner), unless: vec![outside] };
        let outer = FlawNode { at: self.candidates_at(&outer), unless: vec![self.absent(), members] };
        Ok(Flaw { is, nodes: vec![inner, outer] })
    }

    /// Some two candidates are linked strongly and weakly.
    pub fn conjugate_link(&mut self, links: LinkRules<'_, 'a>) -> Result<Lit, Refusal> {
        let (a, b) = (self.free_node(false), self.free_node(false));
        let mut parts = vec![self.disjoint_nodes(&a, &b), self.both_links(links, &a, &b)?];
        for node in [&a, &b] {
            parts.extend([self.present(node), self.on_digits(node, links)?]);
        }
        Ok(self.circuit.and(parts))
    }

    /// Linked strongly and weakly.
    fn both_links(&mut self, links: LinkRules<'_, 'a>, a: &NodeLits, b: &NodeLits) -> Result<Lit, Refusal> {
        let strong = self.strong_link(links, a, b)?;
        let weak = self.weak_link(WeakLinks::Any, a, b);
        Ok(self.circuit.and2(strong, weak))
    }

    /// Literal that is true iff the length is at least `low` and at most the chain's maximum.
    fn length(&mut self, chain: &Chain, nodes: &[NodeLits], low: u32) -> Lit {
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
