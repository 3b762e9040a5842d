//! Nodes of chains on a board and the links between them. In: nodes and link sources. Out: literals for a strong and
//! for a weak link.

use super::names::{Bound, constant, declaration};
use super::value::Cells;
use super::{Encoder, Refusal, Scope, layout};
use crate::lang::ir::{ChainEnd, Expr, LinkSource, TrailNode, VarId, VarShape, Weak};
use crate::proof::solver::Lit;

/// A digit and the cells of its candidates, as choices.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub digit: Vec<Lit>,
    pub cell: Vec<Lit>,
    /// Whether there may be more than one cell.
    pub wide: bool,
}

impl<'a> Encoder<'a> {
    /// A node of which nothing is known.
    pub(super) fn free_node(&mut self, wide: bool) -> Node {
        let digits: Vec<usize> = (0..self.digits()).collect();
        let digit = self.choice(&digits, digits.len());
        let cells: Vec<usize> = (0..self.world.count()).collect();
        let cell = match wide {
            true => cells.iter().map(|_| self.circuit.fresh()).collect(),
            false => self.choice(&cells, cells.len()),
        };
        Node { digit, cell, wide }
    }

    /// The node at an end of a chain. A set of candidates is one node, which is demanded.
    pub(super) fn end_node(&mut self, end: ChainEnd, demands: &mut Vec<Lit>) -> Result<Node, Refusal> {
        match end {
            ChainEnd::At(node) => {
                let digit = self.digit_set(&Expr::Var(node.digit))?;
                let wide = self.scope.variant.var(node.cell).shape != VarShape::Single;
                let cells = if wide { super::node(node.digit, node.cell) } else { Expr::Var(node.cell) };
                Ok(Node { digit, cell: self.cell_set(&cells)?.bits, wide })
            }
            ChainEnd::Candidate(var) => match self.scope.bound[var.0].clone() {
                Some(Bound::Candidate { digit, cell }) => Ok(Node { digit, cell, wide: false }),
                Some(Bound::Candidates(all)) => {
                    let node = self.free_node(true);
                    for (at, &is) in all.bits.iter().enumerate() {
                        let here = self.at(&node, at);
                        demands.push(self.circuit.same(is, here));
                    }
                    Ok(node)
                }
                _ => Err(Refusal::ChainEndKind),
            },
        }
    }

    /// Whether a candidate, by its place in sets of candidates, is one of a node.
    pub(super) fn at(&mut self, node: &Node, at: usize) -> Lit {
        let digits = self.digits();
        self.circuit.and2(node.cell[at / digits], node.digit[at % digits])
    }

    /// Whether there is a candidate, and all are there.
    pub(super) fn present(&mut self, node: &Node) -> Lit {
        let mut parts = vec![self.circuit.or(node.cell.iter().copied())];
        for (cell, &here) in node.cell.iter().enumerate().filter(|(_, here)| **here != Lit::FALSE) {
            let has = self.has(cell, &node.digit);
            parts.push(self.circuit.or2(!here, has));
        }
        self.circuit.and(parts)
    }

    pub(super) fn has(&mut self, cell: usize, digit: &[Lit]) -> Lit {
        let mut ways = Vec::new();
        for (at, &is) in digit.iter().enumerate().filter(|(_, is)| **is != Lit::FALSE) {
            ways.push(self.circuit.and2(is, self.world.cells[cell].candidate[at]));
        }
        self.circuit.or(ways)
    }

    /// Whether two choices, of digits or of cells, have something in common.
    pub(super) fn same_choice(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut ways = Vec::new();
        for (&x, &y) in a.iter().zip(b) {
            ways.push(self.circuit.and2(x, y));
        }
        self.circuit.or(ways)
    }

    /// Whether two nodes have no candidate in common.
    pub(super) fn apart_nodes(&mut self, a: &Node, b: &Node) -> Lit {
        let (digit, cell) = (self.same_choice(&a.digit, &b.digit), self.same_choice(&a.cell, &b.cell));
        !self.circuit.and2(digit, cell)
    }

    /// For each candidate whether it is one of a node.
    pub(super) fn candidates_at(&mut self, node: &Node) -> Vec<Lit> {
        (0..self.world.count() * self.digits()).map(|at| self.at(node, at)).collect()
    }

    /// Whether a node has one of these digits.
    pub(super) fn on_digits(&mut self, node: &Node, on: Option<&Expr>) -> Result<Lit, Refusal> {
        let Some(on) = on else { return Ok(Lit::TRUE) };
        let on = self.digit_set(on)?;
        Ok(self.same_choice(&node.digit, &on))
    }

    /// Every candidate of the one excludes every candidate of the other.
    pub(super) fn weak_link(&mut self, weak: Weak, a: &Node, b: &Node) -> Lit {
        let digit = self.same_choice(&a.digit, &b.digit);
        let mut parts = vec![self.same_choice(&a.cell, &b.cell)];
        for node in [a, b].into_iter().filter(|node| node.wide) {
            parts.push(!self.circuit.at_least(&node.cell, 2));
        }
        let one_cell = self.circuit.and(parts);
        let mut seen = Vec::new();
        for (i, &x) in a.cell.iter().enumerate().filter(|(_, x)| **x != Lit::FALSE) {
            for (j, &y) in b.cell.iter().enumerate().filter(|(_, y)| **y != Lit::FALSE) {
                if self.world.sees(i, j) != Lit::TRUE {
                    seen.push(!self.circuit.and2(x, y));
                }
            }
        }
        let seen = self.circuit.and(seen);
        let in_cell = self.circuit.and2(one_cell, !digit);
        let of_digit = self.circuit.and2(digit, seen);
        match weak {
            Weak::Any => self.circuit.or2(in_cell, of_digit),
            Weak::Cell => in_cell,
            Weak::SameDigit => of_digit,
        }
    }

    /// One of the sources joins the two nodes, read from either side.
    pub(super) fn strong_link(&mut self, sources: &[&'a LinkSource], a: &Node, b: &Node) -> Result<Lit, Refusal> {
        let mut ways = Vec::new();
        for source in sources {
            ways.push(self.by_source(source, a, b)?);
            ways.push(self.by_source(source, b, a)?);
        }
        Ok(self.circuit.or(ways))
    }

    /// Whether a source's pattern, with names of its own, has its left end at `a` and its right end at `b`.
    fn by_source(&mut self, source: &'a LinkSource, a: &Node, b: &Node) -> Result<Lit, Refusal> {
        let mut scope = Scope::new(&source.pattern, &[]);
        let mut same = Vec::new();
        for (ends, node) in [(source.left, a), (source.right, b)] {
            self.bind_end(&mut scope, ends, node, &mut same);
        }
        let outer = self.enter(scope);
        let holds = self.pattern_holds(source);
        self.enter(outer);
        same.push(holds?);
        Ok(self.circuit.and(same))
    }

    /// Lets the names of an end choose on their own: they must differ even where the link is not used.
    fn bind_end(&mut self, scope: &mut Scope<'a>, end: TrailNode, node: &Node, same: &mut Vec<Lit>) {
        let digit = match &scope.bound[end.digit.0] {
            Some(Bound::Digits(bits)) => bits.clone(),
            _ => {
                let all: Vec<usize> = (0..node.digit.len()).collect();
                let bits = self.choice(&all, all.len());
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
        let all: Vec<usize> = (0..self.world.count()).collect();
        let bits = if scope.variant.var(id).shape == VarShape::Single {
            self.choice(&all, all.len())
        } else {
            let bits: Vec<Lit> = all
                .iter()
                .map(|&cell| {
                    let unsolved = self.world.cells[cell].unsolved;
                    self.part_of(&[unsolved])
                })
                .collect();
            let size = declaration(scope.variant, id).and_then(|choose| choose.size.clone());
            let (low, high) = size.map_or((None, None), |(low, high)| (constant(&low, &[]), high));
            same.push(self.circuit.at_least(&bits, low.unwrap_or(1)));
            if let Some(high) = high.and_then(|high| constant(&high, &[])) {
                same.push(!self.circuit.at_least(&bits, high + 1));
            }
            bits
        };
        scope.bound[id.0] = Some(Bound::Cells(Cells::closed(bits.clone())));
        bits
    }

    fn pattern_holds(&mut self, source: &'a LinkSource) -> Result<Lit, Refusal> {
        let layout = layout::board_layout(&source.pattern, self.world.count(), self.world.houses.len(), self.digits());
        self.bind_names(&layout, true)?;
        let mut parts = Vec::new();
        for statement in &source.pattern.body {
            parts.extend(self.demands(statement)?);
        }
        Ok(self.circuit.and(parts))
    }
}
