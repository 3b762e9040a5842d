//! Nodes of chains on a board and the links between them. In: nodes and link sources. Out: literals for a strong and
//! for a weak link.

use super::names::NameLits;
use super::values::Cells;
use super::{Encoder, Flaw, FlawNode, HouseSlot, Refusal, Scope, board_layout, node_expr};
use crate::lang::ir::{
    ChainEnd, Cluster, Condition, Expr, LengthUnit, LinkNode, LinkSource, OpenChain, VarId, VarShape, WeakLinks,
};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

/// The nodes and strong links that a pattern may use.
#[derive(Clone, Copy)]
pub(crate) struct LinkRules<'l, 'a> {
    /// The digits that nodes may have; `None` for any digit.
    pub digits: Option<&'l Expr>,
    pub sources: &'l [&'a LinkSource],
}

/// A node of a chain: a choice of the node's digit, and for each cell the literal "the cell belongs to the node".
#[derive(Clone, Debug)]
pub(super) struct NodeLits {
    digit: Vec<Lit>,
    cell: Vec<Lit>,
    width: NodeWidth,
}

/// The number of cells that a node may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeWidth {
    OneCell,
    ManyCells,
}

impl<'a> Encoder<'a> {
    fn free_node(&mut self, width: NodeWidth) -> NodeLits {
        let digit = self.free_choice(self.digits());
        let count = self.world.cell_count();
        let cell = match width {
            NodeWidth::OneCell => self.free_choice(count),
            NodeWidth::ManyCells => self.circuit.fresh_set(count),
        };
        NodeLits { digit, cell, width }
    }

    /// Returns the node at an end of a chain. If the end is a set of candidates, appends to `demands` the literals that
    /// make the node equal to the set.
    fn end_node(&mut self, end: ChainEnd, demands: &mut Vec<Lit>) -> Result<NodeLits, Refusal> {
        match end {
            ChainEnd::At(node) => {
                let digit = self.digit_set(&Expr::Var(node.digit))?;
                let (width, cells) = match self.scope.variant.var(node.cells).shape {
                    VarShape::Single => (NodeWidth::OneCell, Expr::Var(node.cells)),
                    _ => (NodeWidth::ManyCells, node_expr(node.digit, node.cells)),
                };
                Ok(NodeLits { digit, cell: self.cell_set(&cells)?.bits, width })
            }
            ChainEnd::Candidate(var) => match self.scope.values[var.0].clone() {
                Some(NameLits::Candidate { digit, cell }) => Ok(NodeLits { digit, cell, width: NodeWidth::OneCell }),
                Some(NameLits::Candidates(candidates)) => {
                    let node = self.free_node(NodeWidth::ManyCells);
                    for (candidate, &is_member) in candidates.bits.iter().enumerate() {
                        let in_node = self.has_candidate(&node, candidate);
                        demands.push(self.circuit.iff(is_member, in_node));
                    }
                    Ok(node)
                }
                _ => Err(Refusal::Construct("a chain's end that is not a candidate")),
            },
        }
    }

    /// Returns the literal that is true iff the node has the candidate with this index.
    fn has_candidate(&mut self, node: &NodeLits, candidate: usize) -> Lit {
        let digits = self.digits();
        self.circuit.and2(node.cell[candidate / digits], node.digit[candidate % digits])
    }

    /// Returns the literal that is true iff the node has candidates, all of them present.
    fn is_present(&mut self, node: &NodeLits) -> Lit {
        let mut parts = vec![self.circuit.or(node.cell.iter().copied())];
        for (cell, in_node) in members(&node.cell) {
            let has_digit = self.cell_has_digit(cell, &node.digit);
            parts.push(self.circuit.or2(!in_node, has_digit));
        }
        self.circuit.and(parts)
    }

    /// Returns the literal that is true iff a cell has one of these digits as a candidate.
    fn cell_has_digit(&mut self, cell: usize, digits: &[Lit]) -> Lit {
        self.circuit.any_pair_true(pairs(digits, &self.world.cells[cell].candidate))
    }

    /// Returns the literal that is true iff two choices (of digits or of cells) have a common member.
    fn same_choice(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        self.circuit.any_pair_true(pairs(a, b))
    }

    fn disjoint_nodes(&mut self, a: &NodeLits, b: &NodeLits) -> Lit {
        let (digit, cell) = (self.same_choice(&a.digit, &b.digit), self.same_choice(&a.cell, &b.cell));
        !self.circuit.and2(digit, cell)
    }

    /// Returns, for each candidate, the literal "the node has the candidate".
    fn node_candidates(&mut self, node: &NodeLits) -> Vec<Lit> {
        (0..self.world.cell_count() * self.digits()).map(|candidate| self.has_candidate(node, candidate)).collect()
    }

    fn has_allowed_digit(&mut self, node: &NodeLits, links: LinkRules<'_, 'a>) -> Result<Lit, Refusal> {
        let Some(allowed) = links.digits else { return Ok(Lit::TRUE) };
        let allowed = self.digit_set(allowed)?;
        Ok(self.same_choice(&node.digit, &allowed))
    }

    /// Returns the literal that is true iff every candidate of one node excludes every candidate of the other.
    fn weak_link(&mut self, weak: WeakLinks, a: &NodeLits, b: &NodeLits) -> Lit {
        let same_digit = self.same_choice(&a.digit, &b.digit);
        let mut parts = vec![self.same_choice(&a.cell, &b.cell)];
        for node in [a, b] {
            if node.width == NodeWidth::ManyCells {
                parts.push(!self.circuit.at_least(&node.cell, 2));
            }
        }
        let one_cell = self.circuit.and(parts);
        let mut all_see = Vec::new();
        for (a_cell, in_a) in members(&a.cell) {
            for (b_cell, in_b) in members(&b.cell) {
                if self.world.sees(a_cell, b_cell) != Lit::TRUE {
                    all_see.push(!self.circuit.and2(in_a, in_b));
                }
            }
        }
        let all_see = self.circuit.and(all_see);
        let in_cell = self.circuit.and2(one_cell, !same_digit);
        let of_digit = self.circuit.and2(same_digit, all_see);
        match weak {
            WeakLinks::Any => self.circuit.or2(in_cell, of_digit),
            WeakLinks::Cell => in_cell,
            WeakLinks::SameDigit => of_digit,
        }
    }

    /// Returns the literal that is true iff one of the sources links the two nodes, in either direction.
    fn strong_link(&mut self, links: LinkRules<'_, 'a>, a: &NodeLits, b: &NodeLits) -> Result<Lit, Refusal> {
        let mut ways = Vec::new();
        for source in links.sources {
            ways.push(self.links_ends(source, a, b)?);
            ways.push(self.links_ends(source, b, a)?);
        }
        Ok(self.circuit.or(ways))
    }

    /// Returns the literal that is true iff the source's pattern matches with its left end at `a` and its right end at
    /// `b`. The pattern has a scope of its own.
    fn links_ends(&mut self, source: &'a LinkSource, a: &NodeLits, b: &NodeLits) -> Result<Lit, Refusal> {
        let mut scope = Scope::new(&source.pattern, &[]);
        let mut parts = Vec::new();
        for (end, node) in [(source.left, a), (source.right, b)] {
            self.bind_end(&mut scope, end, node, &mut parts);
        }
        parts.push(self.in_scope(scope, |this| this.pattern_holds(source))?);
        Ok(self.circuit.and(parts))
    }

    /// Gives the names of an end free values, and appends to `parts` the literals for "the end is at `node`". The names
    /// don't get the node's values directly: names must differ from each other even if the link is not used, and the
    /// node's values may not differ.
    fn bind_end(&mut self, scope: &mut Scope<'a>, end: LinkNode, node: &NodeLits, parts: &mut Vec<Lit>) {
        let digit = match &scope.values[end.digit.0] {
            Some(NameLits::Digits(bits)) => bits.clone(),
            _ => {
                let bits = self.free_choice(node.digit.len());
                scope.values[end.digit.0] = Some(NameLits::Digits(bits.clone()));
                bits
            }
        };
        parts.push(self.same_choice(&digit, &node.digit));
        let cells = match &scope.values[end.cells.0] {
            Some(NameLits::Cells(cells)) => cells.bits.clone(),
            _ => self.bind_end_cells(scope, end.cells, parts),
        };
        if scope.variant.var(end.cells).shape == VarShape::Single && node.width == NodeWidth::OneCell {
            parts.push(self.same_choice(&cells, &node.cell));
            return;
        }
        for (cell, (&is_member, &in_node)) in cells.iter().zip(&node.cell).enumerate() {
            let has_digit = self.cell_has_digit(cell, &digit);
            let in_end = self.circuit.and2(is_member, has_digit);
            parts.push(self.circuit.iff(in_node, in_end));
        }
    }

    /// Gives the cells of an end a free value: one cell, or a set. For a set, appends to `parts` the literals for "the
    /// set has its declared size".
    fn bind_end_cells(&mut self, scope: &mut Scope<'a>, id: VarId, parts: &mut Vec<Lit>) -> Vec<Lit> {
        let count = self.world.cell_count();
        let bits = if scope.variant.var(id).shape == VarShape::Single {
            self.free_choice(count)
        } else {
            let bits: Vec<Lit> =
                (0..count).map(|cell| self.free_implying(&[self.world.cells[cell].unsolved])).collect();
            let size = scope.variant.choice(id).and_then(|choose| choose.size.as_ref());
            let low = size.and_then(|(low, _)| low.constant(&[])).unwrap_or(1);
            parts.push(self.circuit.at_least(&bits, low));
            if let Some(high) = size.and_then(|(_, high)| high.as_ref()?.constant(&[])) {
                parts.push(!self.circuit.at_least(&bits, high + 1));
            }
            bits
        };
        scope.values[id.0] = Some(NameLits::Cells(Cells::modelled(bits.clone())));
        bits
    }

    fn pattern_holds(&mut self, source: &'a LinkSource) -> Result<Lit, Refusal> {
        let layout = board_layout(&source.pattern, &self.world);
        self.bind_names(&layout, false)?;
        let mut parts = Vec::new();
        for statement in &source.pattern.body {
            parts.extend(self.pattern_literals(statement)?);
        }
        Ok(self.circuit.and(parts))
    }
}

impl Encoder<'_> {
    /// Returns the literal for `conjugate` in the open world: in some house, the only places of a digit are two cells,
    /// or two sets of cells together. The world has a house for each such condition.
    pub(super) fn conjugate(
        &mut self,
        condition: &Condition,
        digit: &Expr,
        [a, b]: [&Expr; 2],
    ) -> Result<Lit, Refusal> {
        let digits = self.digit_set(digit)?;
        let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
        let mut slots = self.slots.houses.iter();
        let house = slots.position(|slot| matches!(slot, HouseSlot::Conjugate(of) if of == condition));
        let house = house.ok_or(Refusal::Construct("a strong link inside `for`"))?;
        let necessary = self.are_only_places(house, &digits, &a, &b);
        Ok(self.circuit.between(Lit::FALSE, necessary))
    }

    /// Returns the literal that is true iff every place of the digit in the house is in one of the two sets, and each
    /// set has at least one place.
    fn are_only_places(&mut self, house: usize, digits: &[Lit], a: &Cells, b: &Cells) -> Lit {
        let mut parts = Vec::new();
        let mut ends = [vec![a.has_unmodelled], vec![b.has_unmodelled]];
        for cell in 0..self.world.cell_count() {
            let holds = self.world.houses[house].holds[cell];
            let mut candidates = Vec::new();
            for (digit, is_wanted) in members(digits) {
                candidates.push(self.circuit.and2(is_wanted, self.world.cells[cell].candidate[digit]));
                // A digit that has places in a house is not yet placed in the house, even if the places are not
                // modelled.
                let is_value = self.world.has_value(&mut self.circuit, cell, digit);
                parts.push(!self.circuit.and([holds, is_wanted, is_value]));
            }
            let has_digit = self.circuit.or(candidates);
            let in_sets = [a, b].map(|set| self.circuit.and2(set.bits[cell], has_digit));
            let is_place = self.circuit.and2(holds, has_digit);
            let in_some_set = self.circuit.or(in_sets);
            parts.push(self.circuit.iff(is_place, in_some_set));
            ends.iter_mut().zip(in_sets).for_each(|(end, in_set)| end.push(in_set));
        }
        for end in ends {
            parts.push(self.circuit.or(end));
        }
        self.circuit.and(parts)
    }
}

impl<'a> Encoder<'a> {
    /// Lays out a chain with `strong` strong links between its two ends, without repeated nodes.
    pub fn chain_links(
        &mut self,
        chain: &OpenChain,
        links: LinkRules<'_, 'a>,
        strong: usize,
    ) -> Result<Vec<Lit>, Refusal> {
        if self.world.is_open {
            return Err(Refusal::NoBoard("a chain link by link"));
        }
        let mut out = Vec::new();
        let nodes = self.chain_nodes(chain, links, strong, &mut out)?;
        out.extend(self.path_holds(chain, links, &nodes)?);
        out.push(self.has_length(chain, &nodes));
        if chain.from == chain.to {
            return Ok(out);
        }
        // The engine reports the shortest chain, so a shorter chain that violates the required length would be an
        // obstacle.
        for shorter in (1..=strong).take_while(|&strong| min_length(chain.length.unit, strong) < chain.length.low) {
            let flaw = self.shorter_chain(chain, links, &nodes, shorter)?;
            self.flaws.push(flaw);
        }
        Ok(out)
    }

    /// Returns the flaw "there is a chain with `strong` strong links between the same ends that violates the required
    /// length".
    fn shorter_chain(
        &mut self,
        chain: &OpenChain,
        links: LinkRules<'_, 'a>,
        nodes: &[NodeLits],
        strong: usize,
    ) -> Result<Flaw, Refusal> {
        let has_wide_node = nodes.iter().any(|node| node.width == NodeWidth::ManyCells);
        let width = if has_wide_node { NodeWidth::ManyCells } else { NodeWidth::OneCell };
        let mut path = vec![nodes[0].clone()];
        for _ in 0..2 * strong - 2 {
            path.push(self.free_node(width));
        }
        path.push(nodes[nodes.len() - 1].clone());
        let mut parts = self.path_holds(chain, links, &path)?;
        parts.push(!self.has_length(chain, &path));
        let exists = self.circuit.and(parts);
        let mut flaw_nodes = Vec::new();
        for (index, node) in path.iter().enumerate() {
            let candidates = self.node_candidates(node);
            let mut excuses = vec![self.absent()];
            if index == 0 || index == path.len() - 1 {
                excuses.push(candidates.iter().map(|&lit| !lit).collect());
            }
            flaw_nodes.push(FlawNode { candidates, excuses });
        }
        Ok(Flaw { exists, nodes: flaw_nodes })
    }

    fn absent(&self) -> Vec<Lit> {
        self.world.candidates().map(|lit| !lit).collect()
    }

    /// Returns literals for a path: the nodes are present, have no common candidates, and are joined by strong and weak
    /// links in turn.
    fn path_holds(
        &mut self,
        chain: &OpenChain,
        links: LinkRules<'_, 'a>,
        nodes: &[NodeLits],
    ) -> Result<Vec<Lit>, Refusal> {
        let mut out = Vec::new();
        let returns = chain.from == chain.to;
        for (index, node) in nodes.iter().enumerate() {
            out.push(self.is_present(node));
            for (other_index, other) in nodes[..index].iter().enumerate() {
                let are_both_ends = other_index == 0 && index == nodes.len() - 1;
                if !(returns && are_both_ends) {
                    out.push(self.disjoint_nodes(node, other));
                }
            }
            out.push(self.has_allowed_digit(node, links)?);
        }
        for (index, pair) in nodes.windows(2).enumerate() {
            out.push(match index % 2 {
                0 => self.strong_link(links, &pair[0], &pair[1])?,
                _ => self.weak_link(chain.weak, &pair[0], &pair[1]),
            });
        }
        Ok(out)
    }

    /// Makes the nodes of a chain with `strong` strong links. Appends to `demands` the literals of
    /// [`Encoder::end_node`].
    fn chain_nodes(
        &mut self,
        chain: &OpenChain,
        links: LinkRules<'_, 'a>,
        strong: usize,
        demands: &mut Vec<Lit>,
    ) -> Result<Vec<NodeLits>, Refusal> {
        let links_sets = links.sources.iter().any(|source| {
            [source.left, source.right].iter().any(|end| source.pattern.var(end.cells).shape == VarShape::Set)
        });
        let width = if links_sets { NodeWidth::ManyCells } else { NodeWidth::OneCell };
        let mut nodes = vec![self.end_node(chain.from, demands)?];
        for _ in 0..2 * strong.max(1) - 2 {
            nodes.push(self.free_node(width));
        }
        nodes.push(self.end_node(chain.to, demands)?);
        Ok(nodes)
    }

    /// Lays out a cluster as a path through `count` candidates in alternating colours. A further candidate that belongs
    /// to the cluster is a flaw.
    pub fn cluster_links(
        &mut self,
        cluster: &Cluster,
        links: LinkRules<'_, 'a>,
        count: usize,
    ) -> Result<Vec<Lit>, Refusal> {
        if self.world.is_open {
            return Err(Refusal::NoBoard("a cluster link by link"));
        }
        let mut nodes: Vec<NodeLits> = Vec::new();
        let mut out = Vec::new();
        for _ in 0..count {
            let node = self.free_node(NodeWidth::OneCell);
            out.push(self.is_present(&node));
            out.push(self.has_allowed_digit(&node, links)?);
            for other in &nodes {
                out.push(self.disjoint_nodes(&node, other));
            }
            if let Some(previous) = nodes.last().cloned() {
                out.push(self.strong_and_weak_link(links, &previous, &node)?);
            }
            nodes.push(node);
        }
        let first_has_first_colour = self.circuit.fresh();
        for (number, colour) in cluster.colours.into_iter().enumerate() {
            let colour = self.bound_candidates(colour)?;
            for (candidate, &is_member) in colour.bits.iter().enumerate() {
                let mut ways = Vec::new();
                for (index, node) in nodes.iter().enumerate() {
                    let in_node = self.has_candidate(node, candidate);
                    let has_colour = first_has_first_colour.signed(index % 2 == number);
                    ways.push(self.circuit.and2(in_node, has_colour));
                }
                let in_coloured_node = self.circuit.or(ways);
                out.push(self.circuit.iff(is_member, in_coloured_node));
            }
        }
        let flaw = self.larger_cluster(&nodes, links)?;
        self.flaws.push(flaw);
        Ok(out)
    }

    /// Returns the flaw "a candidate outside of the cluster is linked to a node of the cluster".
    fn larger_cluster(&mut self, nodes: &[NodeLits], links: LinkRules<'_, 'a>) -> Result<Flaw, Refusal> {
        let inner = self.free_node(NodeWidth::OneCell);
        let outer = self.free_node(NodeWidth::OneCell);
        let mut parts = vec![self.is_present(&outer), self.has_allowed_digit(&outer, links)?];
        let mut ways = Vec::new();
        for node in nodes {
            ways.push(!self.disjoint_nodes(node, &inner));
            parts.push(self.disjoint_nodes(node, &outer));
        }
        parts.push(self.circuit.or(ways));
        parts.push(self.strong_and_weak_link(links, &inner, &outer)?);
        let exists = self.circuit.and(parts);
        let mut in_cluster = vec![Lit::FALSE; self.world.cell_count() * self.digits()];
        for node in nodes {
            let candidates = self.node_candidates(node);
            in_cluster = self.circuit.or_each(pairs(&in_cluster, &candidates));
        }
        let outside_cluster = in_cluster.iter().map(|&lit| !lit).collect();
        let inner = FlawNode { candidates: self.node_candidates(&inner), excuses: vec![outside_cluster] };
        let outer = FlawNode { candidates: self.node_candidates(&outer), excuses: vec![self.absent(), in_cluster] };
        Ok(Flaw { exists, nodes: vec![inner, outer] })
    }

    /// Returns the literal that is true iff two freely chosen candidates are linked both strongly and weakly.
    pub fn conjugate_link(&mut self, links: LinkRules<'_, 'a>) -> Result<Lit, Refusal> {
        let a = self.free_node(NodeWidth::OneCell);
        let b = self.free_node(NodeWidth::OneCell);
        let mut parts = vec![self.disjoint_nodes(&a, &b), self.strong_and_weak_link(links, &a, &b)?];
        for node in [&a, &b] {
            parts.extend([self.is_present(node), self.has_allowed_digit(node, links)?]);
        }
        Ok(self.circuit.and(parts))
    }

    fn strong_and_weak_link(&mut self, links: LinkRules<'_, 'a>, a: &NodeLits, b: &NodeLits) -> Result<Lit, Refusal> {
        let strong = self.strong_link(links, a, b)?;
        let weak = self.weak_link(WeakLinks::Any, a, b);
        Ok(self.circuit.and2(strong, weak))
    }

    /// Returns the literal that is true iff the length of a path through `nodes` is allowed for the chain.
    fn has_length(&mut self, chain: &OpenChain, nodes: &[NodeLits]) -> Lit {
        let mut changes_cell = Vec::new();
        let fixed_length = match chain.length.unit {
            LengthUnit::StrongLinks => nodes.len() as i64 / 2,
            LengthUnit::Links => nodes.len() as i64 - 1,
            LengthUnit::Cells => {
                for pair in nodes.windows(2) {
                    changes_cell.push(!self.same_choice(&pair[0].cell, &pair[1].cell));
                }
                1
            }
        };
        let is_long_enough = self.circuit.at_least(&changes_cell, i64::from(chain.length.low) - fixed_length);
        let is_too_long = match chain.length.high {
            Some(high) => self.circuit.at_least(&changes_cell, i64::from(high) + 1 - fixed_length),
            None => Lit::FALSE,
        };
        self.circuit.and2(is_long_enough, !is_too_long)
    }
}

/// Returns the minimum length, in `unit`, of a chain with `strong` strong links.
fn min_length(unit: LengthUnit, strong: usize) -> u32 {
    match unit {
        LengthUnit::StrongLinks => strong as u32,
        LengthUnit::Links => 2 * strong as u32 - 1,
        LengthUnit::Cells => 1,
    }
}
