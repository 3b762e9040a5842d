//! Patterns and conclusions as literals. In: the body and the conclusions of a variant. Out: a literal for each
//! condition of the pattern, and literals for "a conclusion is false", "a conclusion eliminates the target" and "a
//! conclusion places the target".

use super::names::NameLits;
use super::values::Candidates;
use super::{Encoder, Lemma, Refusal};
use crate::lang::ir::{Choose, Claim, Conclusion, Expr, Kind, LinkShape, Statement};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

/// The target of a question: a candidate that the solver chooses, as a choice of cell and digit.
#[derive(Clone, Debug)]
pub(crate) struct TargetLits {
    pub cell: Vec<Lit>,
    pub digit: Vec<Lit>,
    /// For each candidate (cell × digits + digit), the literal "the candidate is the target".
    pub candidate: Vec<Lit>,
    /// Literal: the target is the solution of its cell.
    pub is_true: Lit,
}

/// Effects of the conclusions on the target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TargetEffects {
    pub eliminated: Lit,
    pub placed: Lit,
}

impl Encoder<'_> {
    /// Returns a literal for each condition of a statement of the pattern. All literals are true iff the statement is
    /// satisfied.
    pub fn pattern_literals(&mut self, statement: &Statement) -> Result<Vec<Lit>, Refusal> {
        match statement {
            Statement::Choose(choose) if choose.for_each.is_some() => return self.family_literals(choose),
            Statement::Graph(graph) => {
                return Err(match graph.shape {
                    LinkShape::Chain(_) => Refusal::Construct("a chain of open length"),
                    LinkShape::Loop(_) => Refusal::ByLemma("has a loop"),
                    LinkShape::Cluster(_) => Refusal::ByLemma("has a cluster"),
                    LinkShape::Ring(_) => Refusal::ByLemma("has a ring"),
                });
            }
            Statement::Suppose(_) => return Err(Refusal::ByLemma("supposes something")),
            Statement::Choose(_) | Statement::Let { .. } | Statement::Require(_) | Statement::FixedChain(_) => {}
        }
        let conditions = statement.conditions(&self.scope.variant.vars);
        conditions.iter().map(|condition| self.condition(condition)).collect()
    }

    /// Returns literals for a family. All are true iff the family has a member for every value of the index set and for
    /// no other value, and the members satisfy the conditions.
    fn family_literals(&mut self, choose: &Choose) -> Result<Vec<Lit>, Refusal> {
        let Some((index, index_set)) = &choose.for_each else { return Ok(Vec::new()) };
        let index_values = self.members(index_set)?.bits;
        let Some(NameLits::Family(members)) = self.scope.values[choose.var.0].clone() else {
            return Err(Refusal::Construct("a family whose members are not cells"));
        };
        let mut has_member = Vec::new();
        let mut satisfied = vec![Vec::new(); choose.such_that.len()];
        for (value, (&is_index, member)) in index_values.iter().zip(&members).enumerate() {
            let is_not_empty = self.circuit.or(member.bits.iter().copied().chain([member.has_unmodelled]));
            has_member.push(self.circuit.iff(is_not_empty, is_index));
            if is_index == Lit::FALSE {
                continue;
            }
            for (condition, satisfied) in choose.such_that.iter().zip(&mut satisfied) {
                let holds = self.with_loop_variable(*index, value, |this| this.condition(condition))?;
                satisfied.push(self.circuit.or2(!is_index, holds));
            }
        }
        let mut results = vec![self.circuit.and(has_member)];
        for parts in satisfied {
            results.push(self.circuit.and(parts));
        }
        Ok(results)
    }

    /// Runs `encode` for every value that the loop variable of a conclusion may have. `encode` gets the literal "the
    /// conclusion is drawn for this value". Without a loop variable, `encode` runs once with the true literal.
    fn per_index<T>(
        &mut self,
        conclusion: &Conclusion,
        encode: &mut dyn FnMut(&mut Self, Lit) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        let Some((index, index_set)) = &conclusion.for_each else { return Ok(vec![encode(self, Lit::TRUE)?]) };
        let values = self.members(index_set)?;
        if values.has_unmodelled != Lit::FALSE {
            return Err(Refusal::Construct(
                "a conclusion `for each` element of a set that may have unmodelled elements",
            ));
        }
        // Digits without a name are interchangeable, so the generic digit, which is the first unnamed digit, stands for
        // all unnamed digits.
        let last = match (self.slots.generic_digit, self.scope.variant.var(*index).kind) {
            (Some(generic_digit), Kind::Digit) => generic_digit,
            _ => usize::MAX,
        };
        let values = members(&values.bits).take_while(|&(value, _)| value <= last);
        values.map(|(value, is_drawn)| self.with_loop_variable(*index, value, |this| encode(this, is_drawn))).collect()
    }

    /// Returns the literal that is true iff all guardians are false and some conclusion is false in the solution. A
    /// conclusion `some K` with an empty set K is never false, because it claims nothing.
    pub fn violated(&mut self, conclusions: &[Conclusion]) -> Result<Lit, Refusal> {
        let mut guardians_false = Lit::TRUE;
        if let Some(guardians) = self.guardians()? {
            self.lemmas.insert(Lemma::Guardians);
            guardians_false = !self.modelled_true(&guardians);
        }
        let mut ways = Vec::new();
        for conclusion in conclusions {
            ways.extend(self.per_index(conclusion, &mut |this, is_drawn| {
                let is_violated = this.claim_violated(&conclusion.claim)?;
                Ok(this.circuit.and2(is_drawn, is_violated))
            })?);
        }
        let some_violated = self.circuit.or(ways);
        Ok(self.circuit.and2(some_violated, guardians_false))
    }

    /// Returns the union of all guardians of the pattern, or `None` if the pattern has no guardians.
    fn guardians(&mut self) -> Result<Option<Candidates>, Refusal> {
        let names = self.guardian_names();
        if names.is_empty() { Ok(None) } else { self.candidates(&Expr::Union(names)).map(Some) }
    }

    fn guardian_names(&self) -> Vec<Expr> {
        self.scope.variant.guardians.iter().map(|&name| Expr::Var(name)).collect()
    }

    fn claim_violated(&mut self, claim: &Claim) -> Result<Lit, Refusal> {
        // Never violated: by the loop lemma, exactly one end of each link is true. The conclusions from one true end
        // are proved separately for each link source.
        if matches!(claim, Claim::Links { .. }) {
            return Ok(Lit::FALSE);
        }
        let claimed = self.candidates(&self.claimed_candidates(claim))?;
        let truths = claimed.bits.iter().copied().zip(self.world.solutions());
        match claim {
            Claim::Eliminate(_) => Ok(self.circuit.any_pair_true(truths)),
            Claim::Place(_) => Ok(self.circuit.any_pair_true(truths.map(|(member, is_true)| (member, !is_true)))),
            Claim::SomeTrue(_) | Claim::Links { .. } => {
                let mut parts = self.circuit.or_each(truths.map(|(member, is_true)| (!member, !is_true)));
                parts.push(self.circuit.or(claimed.bits.iter().chain(&claimed.has_unmodelled).copied()));
                Ok(self.circuit.and(parts.into_iter().chain([!claimed.known.some_true])))
            }
        }
    }

    pub fn target(&mut self) -> TargetLits {
        let cell = self.free_choice(self.world.cell_count());
        let digit = self.free_choice(self.digits());
        let mut candidate = Vec::new();
        let mut truths = Vec::new();
        for (&in_cell, lits) in cell.iter().zip(&self.world.cells) {
            for (index, &has_digit) in digit.iter().enumerate() {
                let is_target = self.circuit.and2(in_cell, has_digit);
                self.circuit.imply(is_target, lits.candidate[index]);
                truths.push(self.circuit.and2(is_target, lits.solution[index]));
                candidate.push(is_target);
            }
        }
        let is_true = self.circuit.or(truths);
        TargetLits { cell, digit, candidate, is_true }
    }

    pub fn target_effects(
        &mut self,
        conclusions: &[Conclusion],
        target: &TargetLits,
    ) -> Result<TargetEffects, Refusal> {
        let mut effects = Vec::new();
        for conclusion in conclusions {
            effects.extend(self.per_index(conclusion, &mut |this, is_drawn| {
                let TargetEffects { eliminated, placed } = this.claim_effects(&conclusion.claim, target)?;
                Ok((this.circuit.and2(is_drawn, eliminated), this.circuit.and2(is_drawn, placed)))
            })?);
        }
        let (eliminated, placed): (Vec<Lit>, Vec<Lit>) = effects.into_iter().unzip();
        Ok(TargetEffects { eliminated: self.circuit.or(eliminated), placed: self.circuit.or(placed) })
    }

    fn claim_effects(&mut self, claim: &Claim, target: &TargetLits) -> Result<TargetEffects, Refusal> {
        if matches!(claim, Claim::Links { .. }) {
            // The effects of a loop's links are unknown, but they are sound: a true target is not eliminated, and a
            // false target is not placed.
            let eliminated = self.free_implying(&[!target.is_true]);
            return Ok(TargetEffects { eliminated, placed: self.free_implying(&[target.is_true]) });
        }
        let claimed = self.candidates(&self.claimed_candidates(claim))?;
        let guardians = self.guardians()?;
        let hits = self.circuit.and_each(pairs(&claimed.bits, &target.candidate));
        if matches!(claim, Claim::SomeTrue(_))
            && claimed.has_unmodelled.iter().any(|&has_unmodelled| has_unmodelled != Lit::FALSE)
        {
            return Err(Refusal::Construct("the candidates excluded by a set that may have unmodelled candidates"));
        }
        let is_claimed = self.circuit.or(hits);
        Ok(match claim {
            Claim::Eliminate(_) => {
                let seen_by_guardians = match guardians {
                    Some(guardians) => self.excluded_by_all(&guardians, target),
                    None => Lit::TRUE,
                };
                TargetEffects { eliminated: self.circuit.and2(is_claimed, seen_by_guardians), placed: Lit::FALSE }
            }
            Claim::Place(_) => match guardians {
                Some(guardians) => self.guarded_placement(&claimed, &guardians, target),
                None => TargetEffects { eliminated: Lit::FALSE, placed: is_claimed },
            },
            Claim::SomeTrue(_) | Claim::Links { .. } => {
                let is_not_empty = self.circuit.or(claimed.bits.iter().copied());
                let excluded_by_all = self.excluded_by_all(&claimed, target);
                let is_excluded = self.circuit.and2(is_not_empty, excluded_by_all);
                let is_single = self.circuit.exactly(&claimed.bits, 1);
                // A single member is placed; the eliminations that follow from the placement are not listed.
                let eliminated = self.circuit.and2(is_excluded, !is_single);
                TargetEffects { eliminated, placed: self.circuit.and2(is_single, is_claimed) }
            }
        })
    }

    /// Returns the candidates of a claim. For `some`, the guardians are added, because the true candidate may be a
    /// guardian.
    fn claimed_candidates(&self, claim: &Claim) -> Expr {
        let guardians = self.guardian_names();
        match claim {
            Claim::SomeTrue(candidates) if !guardians.is_empty() => {
                Expr::Union([vec![candidates.clone()], guardians].concat())
            }
            _ => claim.candidates(),
        }
    }

    /// Returns the effects of a placement with guardians. The claimed candidate or a guardian is true. If there are no
    /// guardians except the claimed candidate, the claimed candidate is placed. Otherwise the candidates are
    /// eliminated that the claimed candidate and all guardians exclude.
    fn guarded_placement(
        &mut self,
        claimed: &Candidates,
        guardians: &Candidates,
        target: &TargetLits,
    ) -> TargetEffects {
        let seen_by_guardians = self.excluded_by_all(guardians, target);
        let mut eliminated = Vec::new();
        let mut placed = Vec::new();
        let two_guardians = self.circuit.at_least(&guardians.bits, 2);
        let some_guardian = self.circuit.or(guardians.bits.iter().copied());
        for (candidate, is_member) in members(&claimed.bits) {
            let is_guardian = guardians.bits[candidate];
            let none_or_itself = self.circuit.or2(!some_guardian, is_guardian);
            let is_alone = self.circuit.and2(none_or_itself, !two_guardians);
            placed.push(self.circuit.and([is_member, is_alone, target.candidate[candidate]]));
            let is_excluded = self.excludes(candidate, target);
            eliminated.push(self.circuit.and([is_member, !is_alone, is_excluded, seen_by_guardians]));
        }
        TargetEffects { eliminated: self.circuit.or(eliminated), placed: self.circuit.or(placed) }
    }

    /// Returns the literal that is true iff every member of a possibly empty set excludes the target.
    fn excluded_by_all(&mut self, candidates: &Candidates, target: &TargetLits) -> Lit {
        let parts = members(&candidates.bits).map(|(candidate, is_member)| {
            let is_excluded = self.excludes(candidate, target);
            self.circuit.or2(!is_member, is_excluded)
        });
        let parts: Vec<Lit> = parts.collect();
        self.circuit.and(parts)
    }

    /// Returns the literal that is true iff the candidate with index `candidate` excludes the target: the target is
    /// another candidate of the same cell, or has the same digit in a peer.
    fn excludes(&mut self, candidate: usize, target: &TargetLits) -> Lit {
        let digits = self.digits();
        let cell = candidate / digits;
        let digit = candidate % digits;
        let mut ways = vec![self.circuit.and2(target.cell[cell], !target.digit[digit])];
        let cells = 0..self.world.cell_count();
        let peers = cells.map(|peer| (self.world.sees(cell, peer), target.candidate[peer * digits + digit]));
        ways.extend(self.circuit.and_each(peers));
        self.circuit.or(ways)
    }
}
