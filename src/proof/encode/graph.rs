//! Candidate sets bound by chains, loops, clusters, rings and assumptions. In: names and such statements. Out: free sets,
//! and the facts that lemmas provide about their truth.
//!
//! A free set may have any candidates. In the open world one member has a modelled cell: a true one if there is any. So
//! whether some member is true is known there, and other members need no cells.

use super::names::Bound;
use super::value::{Candidates, Truth};
use super::world::Domain;
use super::{Encoder, Lemma, Refusal};
use crate::lang::ir::{
    Cases, Cluster, Condition, Expr, Literal, Loop, Ring, Shows, Statement, Suppose, VarId, Variant,
};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// Gives a set of candidates a value: a literal's two sets together, every other set on its own.
    pub(super) fn candidates_name(&mut self, id: VarId, domain: &Domain) -> Result<(), Refusal> {
        match literal_of(self.scope.variant, id) {
            Some(literal) if self.scope.bound[literal.holds.0].is_none() => self.literal_name(literal, domain),
            Some(_) => Ok(()),
            None => {
                let all = self.free_candidates();
                self.scope.bound[id.0] = Some(Bound::Candidates(all));
                Ok(())
            }
        }
    }

    /// A set of candidates that is not empty and otherwise unconstrained.
    fn free_candidates(&mut self) -> Candidates {
        let digits = self.digits();
        let mut bits = Vec::with_capacity(self.world.count() * digits);
        for cell in 0..self.world.count() {
            for digit in 0..digits {
                let candidate = self.world.cells[cell].candidate[digit];
                bits.push(self.part_of(&[candidate]));
            }
        }
        let mut rest = vec![Lit::FALSE; digits];
        if self.world.open {
            for (digit, rest) in rest.iter_mut().enumerate() {
                *rest = self.part_of(&[self.world.digits[digit]]);
            }
        }
        self.circuit.clause(&bits);
        let free = Candidates::new(bits, rest);
        let some = self.true_here(&free);
        let all = self.all_true(&free);
        self.circuit.imply(all, some);
        self.settled(Candidates { truth: Truth { all, none: !some, some }, ..free })
    }

    /// Literal that is true iff every member is true; false if unmodelled members may be false.
    fn all_true(&mut self, of: &Candidates) -> Lit {
        let digits = self.digits();
        let mut parts = Vec::new();
        for (at, &member) in of.bits.iter().enumerate() {
            let is_true = self.world.cells[at / digits].solution[at % digits];
            parts.push(self.circuit.or2(!member, is_true));
        }
        let here = self.circuit.and(parts);
        if self.world.open { self.part_of(&[here]) } else { here }
    }

    /// A candidate, in the one set or in the other.
    fn literal_name(&mut self, literal: Literal, domain: &Domain) -> Result<(), Refusal> {
        let Bound::Candidate { digit, cell } = self.candidate_name(domain)? else {
            return Err(Refusal::LiteralKind);
        };
        let says = self.circuit.fresh();
        for (id, says) in [(literal.holds, says), (literal.fails, !says)] {
            let pairs = cell.iter().flat_map(|&c| digit.iter().map(move |&d| (c, d)));
            let bits = pairs.map(|(c, d)| self.circuit.and([c, d, says])).collect();
            let one = Candidates::closed(bits, digit.len());
            let is_true = self.true_here(&one);
            let truth = Truth { all: is_true, none: Lit::FALSE, some: is_true };
            self.scope.bound[id.0] = Some(Bound::Candidates(Candidates { truth, ..one }));
        }
        Ok(())
    }

    /// As many true ends as strong links at least, and as weak links at most: of each link just one end is true.
    pub fn loop_facts(&mut self, on: Option<&Expr>, round: &Loop) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Loop);
        let nodes = self.bound_candidates(round.name)?;
        let digits = self.digits_in(&nodes);
        let mut out = vec![nodes.truth.some, self.among(&digits, on)?];
        if let Some(colours) = round.colours {
            out.extend(self.one_of_two(colours, on)?);
        }
        Ok(out)
    }

    /// Exactly one end of each link is true, so colours alternate along links: one is true, the other is false.
    pub fn cluster_facts(&mut self, on: Option<&Expr>, cluster: &Cluster) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Cluster);
        self.one_of_two(cluster.colours, on)
    }

    /// All candidates of one colour are true, and none of the other.
    fn one_of_two(&mut self, colours: [VarId; 2], on: Option<&Expr>) -> Result<Vec<Lit>, Refusal> {
        let mut out = Vec::new();
        let [a, b] = colours.map(|colour| self.bound_candidates(colour));
        let (a, b) = (a?, b?);
        for all in [&a, &b] {
            let digits = self.digits_in(all);
            out.push(self.among(&digits, on)?);
        }
        let ways = [self.circuit.and2(a.truth.all, b.truth.none), self.circuit.and2(b.truth.all, a.truth.none)];
        out.push(self.circuit.or(ways));
        Ok(out)
    }

    /// Without guardians true and false would alternate around the ring, which an odd number cannot.
    pub fn ring_facts(&mut self, on: Option<&Expr>, ring: &Ring) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Ring);
        let (nodes, guardians) = (self.bound_candidates(ring.name)?, self.bound_candidates(ring.guardians)?);
        let digits = self.digits_in(&nodes);
        Ok(vec![guardians.truth.some, self.among(&digits, on)?])
    }
}

/// The literal that a name is a part of.
pub(super) fn literal_of(variant: &Variant, id: VarId) -> Option<Literal> {
    variant.body.iter().find_map(|statement| {
        let Statement::Suppose(suppose) = statement else { return None };
        let supposed = match suppose.cases {
            Cases::Literal(literal) => Some(literal),
            _ => None,
        };
        [supposed, suppose.shows.literal()]
            .into_iter()
            .flatten()
            .find(|literal| literal.holds == id || literal.fails == id)
    })
}

/// The noun of a node.
pub(in crate::proof) fn node(digit: VarId, cell: VarId) -> Expr {
    Expr::In(Box::new(Expr::Var(digit)), Box::new(Expr::Var(cell)))
}

impl Encoder<'_> {
    /// Facts that an assumption proves.
    pub fn suppose_facts(&mut self, suppose: &Suppose) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Suppose);
        let cases = self.cases(&suppose.cases)?;
        match suppose.shows {
            Shows::Contradiction => Ok(cases.into_iter().map(|case| !case).collect()),
            Shows::AllImply(literal) | Shows::AllImplyWithout(literal) => {
                let shown = self.literal_holds(literal)?;
                let one = self.circuit.or(cases);
                let mut out = vec![self.circuit.or2(!one, shown)];
                if let Cases::Each(all) = &suppose.cases {
                    // Without cases there is nothing that all cases agree on.
                    out.push(self.condition(&Condition::Some(all.clone()))?);
                }
                Ok(out)
            }
        }
    }

    /// For each case, a literal: it holds. For the candidates of a set: one of the modelled ones is true.
    pub fn cases(&mut self, cases: &Cases) -> Result<Vec<Lit>, Refusal> {
        Ok(match cases {
            Cases::Candidate(var) => vec![self.is_true(&Expr::Var(*var))?],
            Cases::Not(var) => vec![!self.is_true(&Expr::Var(*var))?],
            Cases::Literal(literal) => vec![self.literal_holds(*literal)?],
            Cases::Either(var) => {
                let is_true = self.is_true(&Expr::Var(*var))?;
                vec![is_true, !is_true]
            }
            Cases::Each(all) => vec![self.is_true(all)?],
        })
    }

    fn is_true(&mut self, of: &Expr) -> Result<Lit, Refusal> {
        let of = self.candidates(of)?;
        Ok(self.true_here(&of))
    }

    /// Literal that is true iff a literal of the rule is.
    fn literal_holds(&mut self, literal: Literal) -> Result<Lit, Refusal> {
        let (holds, fails) = (self.bound_candidates(literal.holds)?, self.bound_candidates(literal.fails)?);
        let says = self.circuit.or(holds.bits.iter().copied());
        let right = self.true_here(&holds);
        let wrong = self.true_here(&fails);
        let denies = self.circuit.and2(!says, !wrong);
        Ok(self.circuit.or2(right, denies))
    }
}
