//! Patterns and conclusions as literals. In: the body and the conclusions of a variant. Out: a literal for
//! each thing that the pattern demands, and literals for "the conclusion is false", "the conclusion takes
//! this candidate away" and "the conclusion places it".

use super::names::Bound;
use super::values::Candidates;
use super::{Encoder, Lemma, Refusal};
use crate::lang::ir::{Choose, Claim, Conclusion, Expr, Kind, LinkShape, Statement};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

/// A present candidate, as a choice of cell and digit.
#[derive(Clone, Debug)]
pub(crate) struct TargetLits {
    pub cell: Vec<Lit>,
    pub digit: Vec<Lit>,
    /// For each cell and digit, a literal: it is the target.
    pub at: Vec<Lit>,
    /// Literal: the target is the solution of its cell.
    pub is_true: Lit,
}

/// Effects of the conclusions on the target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Concluded {
    /// Literal: some conclusion eliminates the target.
    pub eliminated: Lit,
    /// Literal: some conclusion places the target.
    pub placed: Lit,
}

impl Encoder<'_> {
    /// Demands of a statement of the pattern on names and state, one literal for each condition.
    pub fn demands(&mut self, statement: &Statement) -> Result<Vec<Lit>, Refusal> {
        match statement {
            Statement::Choose(choose) if choose.for_each.is_some() => return self.family_demands(choose),
            Statement::Graph(graph) => {
                return Err(match graph.shape {
                    LinkShape::Chain(_) => Refusal::Construct("a chain of open length"),
                    LinkShape::Loop(_) => Refusal::ByLemma("has a loop"),
                    LinkShape::Cluster(_) => Refusal::ByLemma("has a cluster"),
                    LinkShape::Ring(_) => Refusal::ByLemma("has a ring"),
                });
            }
            Statement::Suppose(_) => return Err(Refusal::ByLemma("supposes something")),
            Statement::Choose(_) | Statement::Let { .. } | Statement::Require(_) | Statement::Trail(_) => {}
        }
        let conditions = statement.conditions(&self.scope.variant.vars);
        conditions.iter().map(|condition| self.condition(condition)).collect()
    }

    /// Demands of a family: a member for every value of the index, none for other values, and the conditions for each
    /// member.
    fn family_demands(&mut self, choose: &Choose) -> Result<Vec<Lit>, Refusal> {
        let Some((index, of)) = &choose.for_each else { return Ok(Vec::new()) };
        let (active, _) = self.members(of)?;
        let Some(Bound::Family(members)) = self.scope.bound[choose.var.0].clone() else {
            return Err(Refusal::Construct("a family of what is not a cell"));
        };
        let mut out = vec![Vec::new(); choose.such_that.len() + 1];
        for (value, (&is, member)) in active.iter().zip(&members).enumerate() {
            let some = self.circuit.or(member.bits.iter().copied().chain([member.rest]));
            out[0].push(self.circuit.same(some, is));
            if is == Lit::FALSE {
                continue;
            }
            for (condition, out) in choose.such_that.iter().zip(&mut out[1..]) {
                let holds = self.with_running(*index, value, |this| this.condition(condition))?;
                out.push(self.circuit.or2(!is, holds));
            }
        }
        Ok(out.into_iter().map(|parts| self.circuit.and(parts)).collect())
    }

    /// Runs `each` for every value of the running name of a conclusion, with whether the value is a member.
    fn per_index<T>(
        &mut self,
        conclusion: &Conclusion,
        each: &mut dyn FnMut(&mut Self, Lit) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        let Some((index, of)) = &conclusion.for_each else { return Ok(vec![each(self, Lit::TRUE)?]) };
        let (bits, outside) = self.members(of)?;
        if outside != Lit::FALSE {
            return Err(Refusal::Construct("a conclusion for each of what is not all in the world"));
        }
        let last = match (self.unnamed.generic, self.scope.variant.var(*index).kind) {
            (Some(generic), Kind::Digit) => generic,
            _ => usize::MAX,
        };
        let values = members(&bits).take_while(|&(value, _)| value <= last);
        values.map(|(value, is)| self.with_running(*index, value, |this| each(this, is))).collect()
    }

    /// Literal that is true iff one of the conclusions is false in the solution. `some K` of an empty K concludes nothing.
    ///
    /// With guardians, all of them must be false as well.
    pub fn violated(&mut self, conclusions: &[Conclusion]) -> Result<Lit, Refusal> {
        let mut unguarded = Lit::TRUE;
        if let Some(guardians) = self.guardians()? {
            self.lemmas.insert(Lemma::Guardians);
            unguarded = !self.true_here(&guardians);
        }
        let mut ways = Vec::new();
        for conclusion in conclusions {
            ways.extend(self.per_index(conclusion, &mut |this, is| {
                let violated = this.claim_violated(&conclusion.claim)?;
                Ok(this.circuit.and2(is, violated))
            })?);
        }
        let wrong = self.circuit.or(ways);
        Ok(self.circuit.and2(wrong, unguarded))
    }

    /// All guardians of the pattern, if it has any.
    fn guardians(&mut self) -> Result<Option<Candidates>, Refusal> {
        let names = self.guardian_names();
        if names.is_empty() { Ok(None) } else { self.candidates(&Expr::Union(names)).map(Some) }
    }

    fn guardian_names(&self) -> Vec<Expr> {
        self.scope.variant.guardians.iter().map(|&name| Expr::Var(name)).collect()
    }

    fn claim_violated(&mut self, claim: &Claim) -> Result<Lit, Refusal> {
        let noun = match claim {
            // The lemma says that exactly one end of each link is true; the sources were asked for the rest.
            Claim::Links { .. } => return Ok(Lit::FALSE),
            _ => self.candidates(&self.spoken_of(claim))?,
        };
        let truths = noun.bits.iter().copied().zip(self.world.solutions());
        match claim {
            Claim::Eliminate(_) => Ok(self.circuit.some_both(truths)),
            Claim::Place(_) => Ok(self.circuit.some_both(truths.map(|(member, is_true)| (member, !is_true)))),
            Claim::Some(_) | Claim::Links { .. } => {
                let mut parts = self.circuit.each_either(truths.map(|(member, is_true)| (!member, !is_true)));
                parts.push(self.circuit.or(noun.bits.iter().chain(&noun.rest).copied()));
                Ok(self.circuit.and(parts.into_iter().chain([!noun.truth.some])))
            }
        }
    }

    /// A candidate of the state, freely chosen.
    pub fn target(&mut self) -> TargetLits {
        let (cell, digit) = (self.free_choice(self.world.count()), self.free_choice(self.digits()));
        let (mut at, mut truths) = (Vec::new(), Vec::new());
        for (&here, lits) in cell.iter().zip(&self.world.cells) {
            for (d, &this) in digit.iter().enumerate() {
                let is = self.circuit.and2(here, this);
                self.circuit.imply(is, lits.candidate[d]);
                truths.push(self.circuit.and2(is, lits.solution[d]));
                at.push(is);
            }
        }
        let is_true = self.circuit.or(truths);
        TargetLits { cell, digit, at, is_true }
    }

    /// Effects of the conclusions on the target.
    pub fn concluded(&mut self, conclusions: &[Conclusion], target: &TargetLits) -> Result<Concluded, Refusal> {
        let mut effects = Vec::new();
        for conclusion in conclusions {
            effects.extend(self.per_index(conclusion, &mut |this, is| {
                let (eliminated, placed) = this.claim_on(&conclusion.claim, target)?;
                Ok((this.circuit.and2(is, eliminated), this.circuit.and2(is, placed)))
            })?);
        }
        let (eliminated, placed): (Vec<Lit>, Vec<Lit>) = effects.into_iter().unzip();
        Ok(Concluded { eliminated: self.circuit.or(eliminated), placed: self.circuit.or(placed) })
    }

    fn claim_on(&mut self, claim: &Claim, target: &TargetLits) -> Result<(Lit, Lit), Refusal> {
        if matches!(claim, Claim::Links { .. }) {
            // The effects of a loop's links are unknown, except that they are right.
            return Ok((self.part_of(&[!target.is_true]), self.part_of(&[target.is_true])));
        }
        let noun = self.candidates(&self.spoken_of(claim))?;
        let guardians = self.guardians()?;
        let hits = self.circuit.each_both(pairs(&noun.bits, &target.at));
        if matches!(claim, Claim::Some(_)) && noun.rest.iter().any(|&some| some != Lit::FALSE) {
            return Err(Refusal::Construct("what candidates without a bound exclude"));
        }
        let member = self.circuit.or(hits);
        Ok(match claim {
            Claim::Eliminate(_) => {
                let left = guardians.map_or(Lit::TRUE, |guardians| self.excluded_by_all(&guardians, target));
                (self.circuit.and2(member, left), Lit::FALSE)
            }
            Claim::Place(_) => match guardians {
                Some(guardians) => self.guarded_place(&noun, &guardians, target),
                None => (Lit::FALSE, member),
            },
            Claim::Some(_) | Claim::Links { .. } => {
                let some = self.circuit.or(noun.bits.iter().copied());
                let all = self.excluded_by_all(&noun, target);
                let excluded = self.circuit.and2(some, all);
                let one = self.circuit.exactly(&noun.bits, 1);
                // A single member is placed; the eliminations that follow from the placement are not listed.
                (self.circuit.and2(excluded, !one), self.circuit.and2(one, member))
            }
        })
    }

    /// Candidates of a claim. For `some`, the guardians are added, because one of them may be the true one.
    fn spoken_of(&self, claim: &Claim) -> Expr {
        match (claim, self.guardian_names()) {
            (Claim::Some(noun), guardians) if !guardians.is_empty() => {
                Expr::Union([vec![noun.clone()], guardians].concat())
            }
            _ => claim.candidates(),
        }
    }

    /// Each member together with the guardians contains a true candidate, so a member without guardians is placed.
    fn guarded_place(&mut self, noun: &Candidates, guardians: &Candidates, target: &TargetLits) -> (Lit, Lit) {
        let left = self.excluded_by_all(guardians, target);
        let (mut out, mut placed) = (Vec::new(), Vec::new());
        let two = self.circuit.at_least(&guardians.bits, 2);
        let some = self.circuit.or(guardians.bits.iter().copied());
        for (at, member) in members(&noun.bits) {
            let guards = guardians.bits[at];
            let alone = self.circuit.or2(!some, guards);
            let alone = self.circuit.and2(alone, !two);
            placed.push(self.circuit.and([member, alone, target.at[at]]));
            let hit = self.excludes(at, target);
            out.push(self.circuit.and([member, !alone, hit, left]));
        }
        (self.circuit.or(out), self.circuit.or(placed))
    }

    /// Literal that is true iff every member of a possibly empty set excludes the target.
    fn excluded_by_all(&mut self, noun: &Candidates, target: &TargetLits) -> Lit {
        let mut parts = Vec::new();
        for (at, member) in members(&noun.bits) {
            let hit = self.excludes(at, target);
            parts.push(self.circuit.or2(!member, hit));
        }
        self.circuit.and(parts)
    }

    /// Literal that is true iff the candidate with index `at` excludes the target: it is in the target's cell, or has its digit
    /// in a peer.
    fn excludes(&mut self, at: usize, target: &TargetLits) -> Lit {
        let digits = self.digits();
        let (cell, digit) = (at / digits, at % digits);
        let mut ways = vec![self.circuit.and2(target.cell[cell], !target.digit[digit])];
        let peers = (0..self.world.count()).map(|peer| (self.world.sees(cell, peer), target.at[peer * digits + digit]));
        ways.extend(self.circuit.each_both(peers));
        self.circuit.or(ways)
    }
}
