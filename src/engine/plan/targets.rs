//! Running targets: what a rule could still eliminate, narrowed as soon as each cell is chosen.
//!
//! In: a rule whose only conclusion is `conclude some z in A, B …` with one digit. Out: instructions that keep
//! the candidates z that see all chosen cells with z, and give up where there are none. A match without an
//! effect is no step, so nothing is lost.

use super::build::{Builder, NoPlan};
use super::constraints::Constraint;
use super::instr::{Instr, Reg, Targets};
use crate::lang::ir::{Claim, Condition, Expr, VarId, VarShape, Variant};

/// What a name of candidates stands for that the rule defines.
fn meaning(variant: &Variant, noun: &Expr) -> Expr {
    let value = noun.as_var().and_then(|name| variant.definition(name));
    value.map_or_else(|| noun.clone(), |value| meaning(variant, value))
}

/// What is to be seen, and how far we are.
#[derive(Debug, Default)]
pub(super) struct TargetPlan {
    digit: Option<VarId>,
    waiting: Vec<Expr>,
    so_far: Option<Targets>,
}

impl TargetPlan {
    pub fn of(variant: &Variant) -> TargetPlan {
        let [conclusion] = variant.conclusions.as_slice() else { return TargetPlan::default() };
        let (Claim::SomeTrue(noun), None) = (&conclusion.claim, &conclusion.for_each) else {
            return TargetPlan::default();
        };
        let noun = meaning(variant, noun);
        let mut plan = TargetPlan::default();
        for noun in noun.parts() {
            let named = noun.as_candidates().and_then(|(digits, cells)| Some((digits.as_var()?, cells)));
            let Some((digit, cells)) = named else { return TargetPlan::default() };
            if variant.var(digit).shape != VarShape::Single || plan.digit.is_some_and(|known| known != digit) {
                return TargetPlan::default();
            }
            plan.digit = Some(digit);
            plan.waiting.extend_from_slice(cells.parts());
        }
        plan
    }

    /// The digit and the cells that have it, if nothing was narrowed yet.
    pub fn wanted(&self) -> Option<(VarId, &[Expr])> {
        Some((self.digit?, &self.waiting))
    }

    /// Writes what can be narrowed now.
    pub fn advance(&mut self, builder: &mut Builder<'_>, bound: &dyn Fn(VarId) -> bool) -> Result<(), NoPlan> {
        let Some(digit) = self.digit.filter(|&digit| bound(digit)) else { return Ok(()) };
        let Some(digit) = builder.single(&digit.into()) else { return Ok(()) };
        let (ready, waiting) = self.waiting.drain(..).partition(|cells| cells.names().iter().all(|&name| bound(name)));
        self.waiting = waiting;
        let ready: Vec<Expr> = ready;
        for cells in ready {
            let cells = builder.cells(&cells)?;
            let (from, to) = (self.so_far, (builder.cell_reg(), builder.cell_reg()));
            let fail = builder.fail;
            builder.emit(Instr::Target { digit, cells, from, to, fail });
            self.so_far = Some(to);
        }
        Ok(())
    }

    /// What a set of cells narrows, if the digit has its value.
    pub fn for_set(&self, builder: &Builder<'_>, set: VarId) -> Option<(Reg, Option<Targets>)> {
        let value = builder.single(&self.digit?.into())?;
        self.waiting.contains(&set.into()).then_some((value, self.so_far))
    }

    /// Whether the choice of a set is cut by what others leave of the targets.
    pub fn cuts(&self, set: VarId, bound: &dyn Fn(VarId) -> bool) -> bool {
        let earlier = |part: &Expr| part.names().iter().all(|&name| name != set && bound(name));
        self.digit.is_some_and(bound) && self.waiting.contains(&set.into()) && self.waiting.iter().any(earlier)
    }

    /// What the members of a family narrow, if each of them surely has the digit.
    pub fn for_family(
        &self,
        builder: &Builder<'_>,
        family: VarId,
        conditions: &[Constraint],
    ) -> Option<(Reg, Option<Targets>)> {
        let digit = self.digit?;
        let value = builder.single(&digit.into())?;
        let member = Expr::from(family);
        let sure = conditions.iter().any(|one| match &one.condition {
            Condition::Exactly(Expr::Digits(of), digits) => **of == member && digits.contains(&digit),
            Condition::Has(side, digits) => side.cells == member && digits.is(digit),
            _ => false,
        });
        (sure && self.waiting.contains(&member)).then_some((value, self.so_far))
    }
}
