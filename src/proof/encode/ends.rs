//! Open chains by what they prove. In: a chain. Out: what is known of its ends: both are there, and one of
//! them is true.
//!
//! That one end is true follows link by link: a strong link's ends are not both false (each source is proved
//! to be one), a weak link's ends are not both true (that is what exclusion means). Length, `shortest` and
//! the restriction of weak links only leave chains out, so nothing is lost by forgetting them.

use super::names::Bound;
use super::{Encoder, Refusal};
use crate::lang::ir::{Chain, ChainEnd, Expr, Kind, LinkSource, VarShape};
use crate::proof::solver::Lit;

/// A candidate as choices of digit and cell.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Node {
    pub digit: Vec<Lit>,
    pub cell: Vec<Lit>,
}

impl Encoder<'_> {
    /// The candidate at an end of a chain.
    pub fn end(&mut self, end: ChainEnd) -> Result<Node, Refusal> {
        match end {
            ChainEnd::At(node) => {
                let digit = self.digit_set(&Expr::Var(node.digit))?;
                Ok(Node { digit, cell: self.cell_set(&Expr::Var(node.cell))?.bits })
            }
            ChainEnd::Candidate(var) => match self.scope.bound[var.0].clone() {
                Some(Bound::Candidate { digit, cell }) => Ok(Node { digit, cell }),
                _ => Err("a chain's end that is no candidate".into()),
            },
        }
    }

    /// What a chain proves of its ends; `sources` are those it may use.
    pub fn chain_facts(&mut self, chain: &Chain, sources: &[&LinkSource]) -> Result<Vec<Lit>, Refusal> {
        let (from, to) = (self.end(chain.from)?, self.end(chain.to)?);
        let mut out = vec![self.apart_nodes(&from, &to)];
        if let Some(on) = &chain.on {
            let on = self.digit_set(on)?;
            out.extend([self.digit_among(&from, &on), self.digit_among(&to, &on)]);
        }
        out.extend(self.one_end(&from, &to));
        if let Some(pair) = self.mirror(chain, sources)? {
            let swapped = |node: &Node| Node { digit: swap(&node.digit, pair), cell: node.cell.clone() };
            out.extend(self.one_end(&swapped(&from), &swapped(&to)));
        }
        Ok(out)
    }

    /// Both ends are there, one of them is true.
    fn one_end(&mut self, from: &Node, to: &Node) -> [Lit; 3] {
        let present = [self.present(from), self.present(to)];
        let truth = [self.truth(from), self.truth(to)];
        [present[0], present[1], self.circuit.or(truth)]
    }

    /// Whether the node is a candidate of the state.
    pub fn present(&mut self, node: &Node) -> Lit {
        self.at(node, |this, cell, digit| this.world.cells[cell].candidate[digit])
    }

    /// Whether it is the solution of its cell.
    pub fn truth(&mut self, node: &Node) -> Lit {
        self.at(node, |this, cell, digit| this.world.cells[cell].solution[digit])
    }

    fn at(&mut self, node: &Node, what: fn(&Self, usize, usize) -> Lit) -> Lit {
        let mut ways = Vec::new();
        for (cell, &here) in node.cell.iter().enumerate().filter(|(_, here)| **here != Lit::FALSE) {
            for (digit, &is) in node.digit.iter().enumerate().filter(|(_, is)| **is != Lit::FALSE) {
                let lit = what(self, cell, digit);
                ways.push(self.circuit.and([here, is, lit]));
            }
        }
        self.circuit.or(ways)
    }

    /// Whether two choices, of digits or of cells, are one.
    pub fn same_choice(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut ways = Vec::new();
        for (&x, &y) in a.iter().zip(b) {
            ways.push(self.circuit.and2(x, y));
        }
        self.circuit.or(ways)
    }

    /// Whether two nodes are different candidates.
    pub fn apart_nodes(&mut self, a: &Node, b: &Node) -> Lit {
        let (digit, cell) = (self.same_choice(&a.digit, &b.digit), self.same_choice(&a.cell, &b.cell));
        !self.circuit.and2(digit, cell)
    }

    /// Whether a node has one of these digits.
    pub fn digit_among(&mut self, node: &Node, on: &[Lit]) -> Lit {
        self.same_choice(&node.digit, on)
    }

    /// The two digits of a chain that can be exchanged in it. All its strong links lie inside cells and it has
    /// no digits but these two, so each node's cell has both, every strong link read the other way round is
    /// the same link, and every weak link stays one: the chain with the two exchanged is a chain as well.
    fn mirror(&mut self, chain: &Chain, sources: &[&LinkSource]) -> Result<Option<[usize; 2]>, Refusal> {
        let inside =
            |source: &&LinkSource| source.left.cell == source.right.cell && source.left.digit != source.right.digit;
        let Some(Expr::Union(names)) = &chain.on else { return Ok(None) };
        let single = |expr: &Expr| match expr {
            Expr::Var(var) => {
                let var = self.scope.variant.var(*var);
                var.kind == Kind::Digit && var.shape == VarShape::Single
            }
            _ => false,
        };
        if names.len() != 2 || !names.iter().all(single) || sources.is_empty() || !sources.iter().all(inside) {
            return Ok(None);
        }
        let mut pair = Vec::new();
        for name in names {
            let bits = self.digit_set(name)?;
            pair.extend(bits.iter().position(|&bit| bit == Lit::TRUE));
        }
        Ok(pair.try_into().ok())
    }
}

/// The same choice with two digits exchanged.
fn swap(digit: &[Lit], pair: [usize; 2]) -> Vec<Lit> {
    let mut out = digit.to_vec();
    out.swap(pair[0], pair[1]);
    out
}
