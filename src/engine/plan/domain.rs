//! Where a name looks for its value. In: what is known of the name. Out: the set that its loop runs over.

use super::build::{NoPlan, Slot};
use super::compile::Compiler;
use super::constraints::differ;
use super::instr::{Instr, Set, SetOp};
use super::operators::DigitOp;
use crate::engine::bounds::{EstimatedNarrowing, Narrowing};
use crate::lang::ir::{Condition, Expr, HouseClass, Incidence, Kind, PredicateId, VarId};

impl Compiler<'_> {
    /// The constraints that narrow a name now.
    pub fn narrowings(&self, var: VarId) -> Vec<(usize, EstimatedNarrowing)> {
        let bound = |name: VarId| self.is_bound(name);
        let all = self.constraints.list.iter().enumerate();
        let all = all.flat_map(|(at, one)| {
            one.narrowing(self.builder.known, &bound, var).into_iter().map(move |narrowed| (at, narrowed))
        });
        let mut found: Vec<(usize, EstimatedNarrowing)> = Vec::new();
        for (at, one) in all {
            if one.implies_condition || !found.iter().any(|(_, known)| known.implies(&one.narrowing)) {
                found.push((at, one));
            }
        }
        let all: Vec<EstimatedNarrowing> = found.iter().map(|(_, one)| one.clone()).collect();
        let said_by_another = |one: &EstimatedNarrowing| {
            all.iter().any(|other| other.narrowing != one.narrowing && other.implies(&one.narrowing))
        };
        found.retain(|(_, one)| !said_by_another(one));
        found
    }

    /// The values a name can take, as narrow as what is known makes them, starting from the last early look.
    pub fn domain(&mut self, var: VarId, found: &[(usize, EstimatedNarrowing)]) -> Result<Set, NoPlan> {
        let (said, start) = self.domains[var.0].take().unzip();
        let mut order: Vec<&EstimatedNarrowing> = found.iter().map(|(_, narrowed)| narrowed).collect();
        order.retain(|one| said.as_ref().is_none_or(|said: &Vec<_>| !said.contains(&one.narrowing)));
        order.sort_by(|a, b| a.share.total_cmp(&b.share));
        self.intersect(var, start, &order)
    }

    /// The same before the name is chosen, where conditions narrow it that no look before has used; a later look and the
    /// choice itself start from the result.
    pub fn early_domain(&mut self, var: VarId, found: &[(usize, EstimatedNarrowing)]) -> Result<Option<Set>, NoPlan> {
        if self.domains[var.0].as_ref().is_some_and(|(said, _)| said.len() >= found.len()) || found.is_empty() {
            return Ok(None);
        }
        let domain = self.domain(var, found)?;
        self.domains[var.0] = Some((found.iter().map(|(_, one)| one.narrowing.clone()).collect(), domain));
        Ok(Some(domain))
    }

    /// Narrows a domain, or everything that the name can be.
    pub fn intersect(
        &mut self,
        var: VarId,
        start: Option<Set>,
        narrowed: &[&EstimatedNarrowing],
    ) -> Result<Set, NoPlan> {
        let kind = self.builder.variant.var(var).kind;
        let mut domain = start;
        // A first narrowing that may hold solved cells, or a difference, needs the whole kind to start from.
        for one in narrowed.iter().filter(|one| !matches!(one.narrowing, Narrowing::Filter(..))) {
            let (op, set) = self.builder.narrowed(&one.narrowing)?;
            domain = Some(match domain {
                None if op == SetOp::And && (kind != Kind::Cell || only_live(&one.narrowing)) => set,
                None => {
                    let all = self.everything(kind)?;
                    self.builder.op(op, all, set)
                }
                Some(so_far) => self.builder.op(op, so_far, set),
            });
        }
        let mut domain = match domain {
            Some(domain) => domain,
            None => self.everything(kind)?,
        };
        if start.is_none() {
            domain = self.of_kind(var, domain, !narrowed.is_empty())?;
        }
        for one in narrowed {
            if let Narrowing::Filter(member, part) = &one.narrowing {
                domain = self.builder.filtered(*member, domain, part)?;
            }
        }
        Ok(domain)
    }

    /// Leaves the houses of the name's class, where a narrowing may have others, and digits that a sound rule can do
    /// something with.
    fn of_kind(&mut self, var: VarId, domain: Set, narrowed: bool) -> Result<Set, NoPlan> {
        if let Kind::House(class) = self.builder.variant.var(var).kind
            && class != HouseClass::Any
            && narrowed
        {
            let all = self.builder.set(&Expr::AllHouses(class))?;
            return Ok(self.builder.op(SetOp::And, domain, all));
        }
        let Some((_, placed)) = self.one_digit.filter(|(digit, _)| *digit == var) else { return Ok(domain) };
        let digits_with_eliminations = self.builder.compute_digits(DigitOp::WithEliminations { placed });
        Ok(self.builder.op(SetOp::And, domain, Set::D(digits_with_eliminations)))
    }

    fn everything(&mut self, kind: Kind) -> Result<Set, NoPlan> {
        match kind {
            Kind::Cell => self.builder.set(&Expr::AllCells),
            Kind::Digit => self.builder.set(&Expr::AllDigits),
            Kind::House(class) => self.builder.set(&Expr::AllHouses(class)),
            Kind::Candidate => {
                let all = Expr::CandidatesIn(Box::new(Expr::AllDigits), Box::new(Expr::AllCells));
                let all = self.builder.expr(&all)?;
                self.builder.set_of(all)
            }
            Kind::Number => Err(NoPlan::ChoiceOfNumber),
        }
    }

    /// Takes the values of names that must be different out of a domain, but for those of `together`.
    pub fn without_others(&mut self, var: VarId, mut domain: Set, together: &[VarId]) -> Set {
        for index in 0..self.builder.variant.vars.len() {
            let other = VarId(index);
            if !self.is_bound(other)
                || together.contains(&other)
                || !differ(self.builder.variant, var, other)
                || self.seen_apart(var, other)
            {
                continue;
            }
            if let Some(Slot::One { value, set }) = self.builder.slots[index].clone() {
                domain = if self.order_pairs.contains(&(other, var)) {
                    let to = self.builder.set_like(domain);
                    self.builder.emit(Instr::After { to, of: domain, value });
                    to
                } else {
                    self.builder.op(SetOp::Minus, domain, set)
                };
            }
        }
        domain
    }

    /// Whether a condition already keeps two names apart, so that no difference need be taken.
    fn seen_apart(&self, a: VarId, b: VarId) -> bool {
        let pair = |x: &Expr, y: &Expr| (x.is(a) && y.is(b)) || (x.is(b) && y.is(a));
        let ordered = self.order_pairs.contains(&(a, b)) || self.order_pairs.contains(&(b, a));
        !ordered
            && self.constraints.list.iter().any(|one| match &one.condition {
                Condition::Sees(x, y) => pair(&x.cells, &y.cells),
                Condition::Predicate(PredicateId::Conjugate, args, _) => pair(&args[1], &args[2]),
                Condition::Incident(x, Incidence::Crossing | Incidence::Avoiding, y) => pair(x, y),
                _ => false,
            })
    }
}

/// Narrowings whose set holds only what the name can be: unsolved cells, digits, houses.
fn only_live(how: &Narrowing) -> bool {
    use Narrowing as N;
    matches!(
        how,
        N::Counting(_)
            | N::Has(_)
            | N::Partner(..)
            | N::HasPartner(_)
            | N::OptionOf(_, true)
            | N::SomewhereIn(_)
            | N::Incident(..)
            | N::Holding(_)
            | N::HousesWith(..)
            | N::HousesCounting(..)
            | N::DigitsCounting(..)
            | N::DigitsWithin(..)
            | N::InCandidates(_)
    )
}
