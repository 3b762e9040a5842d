//! Open chains link by link, for examples of them. In: a chain and a number of strong links. Out: literals
//! that say such a chain lies on the board.

use super::ends::Node;
use super::names::Bound;
use super::value::{Cells, Number};
use super::{Encoder, Refusal, Scope, layout};
use crate::lang::ir::{Chain, Comparison, LengthUnit, LinkSource, TrailNode, VarId, Weak};
use crate::proof::solver::Lit;

impl<'a> Encoder<'a> {
    /// What makes a chain of this many strong links from one end to the other, no candidate twice.
    pub fn chain_links(
        &mut self,
        chain: &Chain,
        sources: &[&'a LinkSource],
        strong: usize,
    ) -> Result<Vec<Lit>, Refusal> {
        if self.world.open {
            return Err("a chain link by link without a board".into());
        }
        let nodes = self.nodes(chain, strong)?;
        let mut out = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            out.push(self.present(node));
            for other in &nodes[..index] {
                out.push(self.apart_nodes(node, other));
            }
            if let Some(on) = &chain.on {
                let on = self.digit_set(on)?;
                out.push(self.digit_among(node, &on));
            }
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

    fn nodes(&mut self, chain: &Chain, strong: usize) -> Result<Vec<Node>, Refusal> {
        let mut nodes = vec![self.end(chain.from)?];
        let (cells, digits): (Vec<usize>, Vec<usize>) =
            ((0..self.world.count()).collect(), (0..self.digits()).collect());
        for _ in 0..2 * strong.max(1) - 2 {
            let cell = self.choice(&cells, cells.len());
            nodes.push(Node { digit: self.choice(&digits, digits.len()), cell });
        }
        nodes.push(self.end(chain.to)?);
        Ok(nodes)
    }

    fn weak_link(&mut self, weak: Weak, a: &Node, b: &Node) -> Lit {
        let (digit, cell) = (self.same_choice(&a.digit, &b.digit), self.same_choice(&a.cell, &b.cell));
        let mut pairs = Vec::new();
        for (i, &x) in a.cell.iter().enumerate() {
            let mut seen = Vec::new();
            for (j, &y) in b.cell.iter().enumerate() {
                seen.push(self.circuit.and2(self.world.sees(i, j), y));
            }
            let seen = self.circuit.or(seen);
            pairs.push(self.circuit.and2(x, seen));
        }
        let sees = self.circuit.or(pairs);
        let in_cell = self.circuit.and2(cell, !digit);
        let of_digit = self.circuit.and2(digit, sees);
        match weak {
            Weak::Any => self.circuit.or2(in_cell, of_digit),
            Weak::Cell => in_cell,
            Weak::SameDigit => of_digit,
        }
    }

    /// One of the sources joins the two nodes, read from either side.
    fn strong_link(&mut self, sources: &[&'a LinkSource], a: &Node, b: &Node) -> Result<Lit, Refusal> {
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
        let mut bind = |var: VarId, wanted: &[Lit], digit: bool, this: &mut Self| {
            let known = match &scope.bound[var.0] {
                Some(Bound::Digits(bits)) => bits.clone(),
                Some(Bound::Cells(cells)) => cells.bits.clone(),
                _ => {
                    let all: Vec<usize> = (0..wanted.len()).collect();
                    let bits = this.choice(&all, all.len());
                    scope.bound[var.0] = Some(if digit {
                        Bound::Digits(bits.clone())
                    } else {
                        Bound::Cells(Cells::closed(bits.clone()))
                    });
                    bits
                }
            };
            same.push(this.same_choice(&known, wanted));
        };
        bind(end.digit, &node.digit, true, self);
        bind(end.cell, &node.cell, false, self);
    }

    fn pattern_holds(&mut self, source: &'a LinkSource) -> Result<Lit, Refusal> {
        let layout = layout::board_layout(&source.pattern, self.world.count(), self.world.houses.len(), self.digits());
        self.bind_names(&layout)?;
        let mut parts = Vec::new();
        for statement in &source.pattern.body {
            parts.extend(self.demands(statement)?);
        }
        Ok(self.circuit.and(parts))
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
