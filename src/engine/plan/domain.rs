//! Where a name looks for its value. In: what is known of the name. Out: the set that its loop runs over.

use super::build::{Refusal, Slot};
use super::compile::Compiler;
use super::constraints::differ;
use super::instr::{Instr, Set, SetOp};
use super::narrow::{Narrowed, Narrowing, narrowing};
use crate::lang::ir::{Condition, Expr, HouseClass, Incidence, Kind, VarId};

impl Compiler<'_> {
    /// The constraints that narrow a name now.
    pub fn narrowings(&self, var: VarId) -> Vec<(usize, Narrowed)> {
        let bound = |name: VarId| self.is_bound(name);
        let all = self.constraints.list.iter().enumerate();
        all.filter_map(|(i, one)| Some((i, narrowing(&self.builder, &bound, one, var)?))).collect()
    }

    /// The values a name can take, as narrow as what is known makes them. What an early look worked out is gone on from.
    pub fn domain(&mut self, var: VarId, found: &[(usize, Narrowed)]) -> Result<Set, Refusal> {
        let mut order: Vec<&Narrowed> = found.iter().map(|(_, narrowed)| narrowed).collect();
        order.sort_by(|a, b| a.share.total_cmp(&b.share));
        let Some((said, known)) = self.domains[var.0].take() else { return self.intersect(var, &order) };
        let (mut domain, mut rest) = (known, Vec::new());
        for one in order {
            match &one.how {
                how if said.contains(how) => {}
                Narrowing::Filter(..) => rest.push(one),
                how => {
                    let (op, set) = self.builder.narrowed(how)?;
                    domain = self.builder.op(op, domain, set);
                }
            }
        }
        for one in rest {
            if let Narrowing::Filter(member, part) = &one.how {
                domain = self.builder.filtered(*member, domain, part)?;
            }
        }
        Ok(domain)
    }

    /// The same for an early look; where the name is chosen in the end it is gone on from this.
    pub fn early_domain(&mut self, var: VarId, found: &[(usize, Narrowed)]) -> Result<Set, Refusal> {
        let domain = self.domain(var, found)?;
        self.domains[var.0] = Some((found.iter().map(|(_, one)| one.how.clone()).collect(), domain));
        Ok(domain)
    }

    pub fn intersect(&mut self, var: VarId, narrowed: &[&Narrowed]) -> Result<Set, Refusal> {
        let kind = self.builder.variant.var(var).kind;
        let mut domain: Option<Set> = None;
        // A first narrowing that may hold solved cells, or a difference, needs the whole kind to start from.
        for one in narrowed.iter().filter(|one| !matches!(one.how, Narrowing::Filter(..))) {
            let (op, set) = self.builder.narrowed(&one.how)?;
            domain = Some(match domain {
                None if op == SetOp::And && (kind != Kind::Cell || only_live(&one.how)) => set,
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
        if let Kind::House(class) = kind
            && class != HouseClass::Any
            && !narrowed.is_empty()
        {
            let all = self.builder.set(&Expr::AllHouses(class))?;
            domain = self.builder.op(SetOp::And, domain, all);
        }
        self.filters(var, domain, narrowed)
    }

    /// Narrows a domain by what must be looked at member by member, and by what no sound rule can do.
    fn filters(&mut self, var: VarId, mut domain: Set, narrowed: &[&Narrowed]) -> Result<Set, Refusal> {
        if let Some((_, placed)) = self.one_digit.filter(|(digit, _)| *digit == var) {
            let hopeful = self.builder.compute_digits(|to| Instr::Hopeful { to, placed });
            domain = self.builder.op(SetOp::And, domain, Set::D(hopeful));
        }
        for one in narrowed {
            if let Narrowing::Filter(member, part) = &one.how {
                domain = self.builder.filtered(*member, domain, part)?;
            }
        }
        Ok(domain)
    }

    fn everything(&mut self, kind: Kind) -> Result<Set, Refusal> {
        match kind {
            Kind::Cell => self.builder.set(&Expr::AllCells),
            Kind::Digit => self.builder.set(&Expr::AllDigits),
            Kind::House(class) => self.builder.set(&Expr::AllHouses(class)),
            Kind::Candidate => {
                let all = Expr::In(Box::new(Expr::AllDigits), Box::new(Expr::AllCells));
                let all = self.builder.expr(&all)?;
                self.builder.set_of(all)
            }
            Kind::Number => Err("a number cannot be chosen".into()),
        }
    }

    /// Takes the values of names that must be different out of a domain.
    pub fn without_others(&mut self, var: VarId, mut domain: Set) -> Set {
        for index in 0..self.builder.variant.vars.len() {
            let other = VarId(index);
            if !self.is_bound(other) || !differ(self.builder.variant, var, other) || self.seen_apart(var, other) {
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
        let pair = |x: &Expr, y: &Expr| {
            (*x == Expr::Var(a) && *y == Expr::Var(b)) || (*x == Expr::Var(b) && *y == Expr::Var(a))
        };
        let ordered = self.order_pairs.contains(&(a, b)) || self.order_pairs.contains(&(b, a));
        !ordered
            && self.constraints.list.iter().any(|one| match &one.condition {
                Condition::Sees(x, y) => pair(&x.of, &y.of),
                Condition::Conjugate(_, x, y) => pair(x, y),
                Condition::Lie(x, Incidence::Crossing | Incidence::Missing, y) => pair(x, y),
                _ => false,
            })
    }
}

/// Narrowings whose set holds only what the name can be: unsolved cells, digits, houses.
fn only_live(how: &Narrowing) -> bool {
    use Narrowing as N;
    matches!(
        how,
        N::Candidates { .. }
            | N::CandidateCount(..)
            | N::Just(..)
            | N::Has(_)
            | N::Partner(..)
            | N::Partnered(_)
            | N::OptionOf(_, true)
            | N::SomewhereIn(_)
            | N::Lying(..)
            | N::Holding(_)
            | N::HousesWith(..)
            | N::InCandidates(_)
    )
}
