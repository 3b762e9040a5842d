//! Open chains, represented by their ends. In: a chain. Out: facts about its ends: both are present, and one of them is
//! true.
//!
//! Link by link it follows that one end is true: the ends of a strong link are not both false (each source is proved to be
//! one), the ends of a weak link are not both true (by the definition of exclusion). Length, `shortest` and restrictions of
//! weak links only exclude chains, so leaving them out is safe. A chain back to its first node says twice that this node is
//! true.

use super::names::Bound;
use super::value::Candidates;
use super::{Encoder, Lemma, Refusal};
use crate::lang::ir::{Chain, ChainEnd, Expr, Kind, LinkSource, TrailNode, VarId, VarShape};
use crate::proof::solver::Lit;

/// A node: candidates of one digit.
#[derive(Clone, Debug)]
struct End {
    candidates: Candidates,
    /// Literal: one of the candidates is the solution of its cell.
    is_true: Lit,
}

impl Encoder<'_> {
    /// Facts about the ends of a chain; `sources` are the link sources it may use.
    pub fn chain_facts(
        &mut self,
        on: Option<&Expr>,
        chain: &Chain,
        sources: &[&LinkSource],
    ) -> Result<Vec<Lit>, Refusal> {
        let (from, to) = (self.end(chain.from)?, self.end(chain.to)?);
        let mut out = Vec::new();
        if chain.from == chain.to {
            self.lemmas.insert(Lemma::ChainBack);
        } else {
            self.lemmas.insert(Lemma::Chain);
            if self.is_candidate(chain.from) && self.is_candidate(chain.to) {
                out.push(self.disjoint_candidates(&from.candidates, &to.candidates));
            }
        }
        for end in [&from, &to] {
            out.extend(self.is_node(&end.candidates, on)?);
        }
        out.push(self.circuit.or2(from.is_true, to.is_true));
        if let Some(pair) = self.mirror(on, chain, sources)? {
            self.lemmas.insert(Lemma::Mirror);
            let (from, to) = (self.swapped(&from.candidates, pair), self.swapped(&to.candidates, pair));
            for end in [&from, &to] {
                out.push(self.circuit.or(end.bits.iter().copied()));
            }
            let ends = [self.true_here(&from), self.true_here(&to)];
            out.push(self.circuit.or(ends));
        }
        Ok(out)
    }

    fn is_candidate(&self, end: ChainEnd) -> bool {
        let shape = |id| self.scope.variant.var(id).shape;
        match end {
            ChainEnd::At(node) => shape(node.cell) == VarShape::Single,
            ChainEnd::Candidate(var) => shape(var) == VarShape::Single,
        }
    }

    /// Literal that is true iff one of a node's candidates is. In the open world the node must be modelled.
    pub fn node_truth(&mut self, node: TrailNode) -> Result<Lit, Refusal> {
        self.end(ChainEnd::At(node)).map(|end| end.is_true)
    }

    /// The candidates at an end of a chain.
    fn end(&mut self, end: ChainEnd) -> Result<End, Refusal> {
        let noun = match end {
            ChainEnd::At(node) => Expr::In(Box::new(Expr::Var(node.digit)), Box::new(Expr::Var(node.cell))),
            ChainEnd::Candidate(var) => Expr::Var(var),
        };
        let candidates = self.candidates(&noun)?;
        let here = self.true_here(&candidates);
        let exact = match end {
            ChainEnd::At(node) => {
                let cells = self.cell_set(&Expr::Var(node.cell))?;
                let digit = self.digit_set(&Expr::Var(node.digit))?;
                (0..digit.len()).all(|at| digit[at] == Lit::FALSE || cells.knows(at))
            }
            ChainEnd::Candidate(_) => true,
        };
        // A true member outside the world is none of the modelled candidates.
        let outside = self.circuit.or(candidates.rest.iter().copied());
        let may = if exact { here } else { self.circuit.or2(here, outside) };
        let is_true = self.circuit.between(here, may);
        Ok(End { candidates, is_true })
    }

    /// One candidate at least, all of one digit, which is one that the chain may have.
    fn is_node(&mut self, node: &Candidates, on: Option<&Expr>) -> Result<[Lit; 3], Refusal> {
        let has = self.digits_in(node);
        let some = self.circuit.or(has.iter().copied());
        let more = self.circuit.at_least(&has, 2);
        let among = self.among(&has, on)?;
        Ok([some, !more, among])
    }

    /// For each digit, a literal: some member has it.
    pub(super) fn digits_in(&mut self, of: &Candidates) -> Vec<Lit> {
        let digits = self.digits();
        let ways = |digit: usize| of.of_digit(digit, digits).chain([of.rest[digit]]).collect::<Vec<_>>();
        (0..digits).map(|digit| self.circuit.or(ways(digit))).collect()
    }

    /// Literal that is true iff all of these digits are among `on`.
    pub(super) fn among(&mut self, digits: &[Lit], on: Option<&Expr>) -> Result<Lit, Refusal> {
        let Some(on) = on else { return Ok(Lit::TRUE) };
        let on = self.digit_set(on)?;
        let mut parts = Vec::new();
        for (&has, &may) in digits.iter().zip(&on) {
            parts.push(self.circuit.or2(!has, may));
        }
        Ok(self.circuit.and(parts))
    }

    /// Literal that is true iff the two candidate sets have no modelled member in common.
    fn disjoint_candidates(&mut self, a: &Candidates, b: &Candidates) -> Lit {
        let mut common = Vec::new();
        for (&x, &y) in a.bits.iter().zip(&b.bits) {
            common.push(self.circuit.and2(x, y));
        }
        !self.circuit.or(common)
    }

    /// The two digits that can be exchanged in a chain, if there are such.
    ///
    /// Two digits can change places if all strong links lie inside single cells and the chain has no other digits. Then each node's cell has
    /// both digits, every strong link reversed is the same link, and every weak link stays one, so the exchanged chain is a
    /// chain as well.
    fn mirror(
        &mut self,
        on: Option<&Expr>,
        chain: &Chain,
        sources: &[&LinkSource],
    ) -> Result<Option<[usize; 2]>, Refusal> {
        let inside = |source: &&LinkSource| {
            source.left.cell == source.right.cell
                && source.left.digit != source.right.digit
                && source.pattern.var(source.left.cell).shape == VarShape::Single
        };
        let Some(Expr::Union(names)) = on else { return Ok(None) };
        let single = |expr: &Expr| match expr {
            Expr::Var(var) => {
                let var = self.scope.variant.var(*var);
                var.kind == Kind::Digit && var.shape == VarShape::Single
            }
            _ => false,
        };
        let ends = self.is_candidate(chain.from) && self.is_candidate(chain.to);
        if !ends || names.len() != 2 || !names.iter().all(single) || sources.is_empty() || !sources.iter().all(inside) {
            return Ok(None);
        }
        let mut pair = Vec::new();
        for name in names {
            let bits = self.digit_set(name)?;
            pair.extend(bits.iter().position(|&bit| bit == Lit::TRUE));
        }
        Ok(pair.try_into().ok())
    }

    /// The set with two digits exchanged.
    fn swapped(&mut self, of: &Candidates, [x, y]: [usize; 2]) -> Candidates {
        let digits = self.digits();
        let mut bits = of.bits.clone();
        bits.chunks_mut(digits).for_each(|cell| cell.swap(x, y));
        for (at, bit) in bits.iter_mut().enumerate() {
            *bit = self.circuit.and2(*bit, self.world.cells[at / digits].candidate[at % digits]);
        }
        Candidates::closed(bits, digits)
    }

    /// The candidates of a name that a chain, loop, cluster, ring or assumption binds.
    pub(super) fn bound_candidates(&self, id: VarId) -> Result<Candidates, Refusal> {
        match &self.scope.bound[id.0] {
            Some(Bound::Candidates(all)) => Ok(all.clone()),
            _ => Err(Refusal::NoCandidateSet(self.scope.variant.var(id).name.clone())),
        }
    }
}
