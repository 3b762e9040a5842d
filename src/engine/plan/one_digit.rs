//! Rules that speak of the candidates of one digit alone. In: a variant. Out: the name of the digit, if it is such a
//! rule.
//!
//! Such a rule knows nothing but where the digit can stand. If it is sound, all that it eliminates is in no way to
//! put the digit into every house, for any such way could be the solution.

use crate::lang::ir::{Choose, Claim, Condition, Expr, Kind, Origin, Statement, VarId, VarShape, Variant};

/// The one digit that a rule speaks of, and whether it may place it. To know all ways of every digit costs more than to
/// search a rule that chooses no sets: of such a rule there is none.
pub(super) fn of(variant: &Variant) -> Option<(VarId, bool)> {
    let sets = |one: &Statement| matches!(one, Statement::Choose(Choose { size: Some(_), .. }));
    if !variant.body.iter().any(sets) {
        return None;
    }
    let mut digits = (0..variant.vars.len()).map(VarId).filter(|&name| variant.var(name).kind == Kind::Digit);
    let (Some(digit), None) = (digits.next(), digits.next()) else { return None };
    let declared = variant.var(digit);
    let kinds = variant.vars.iter().all(|var| var.kind != Kind::Candidate || var.origin == Origin::Let);
    let single = declared.shape == VarShape::Single && declared.origin == Origin::Chosen;
    let only = Only { digit };
    let body = variant.body.iter().all(|statement| only.statement(statement));
    let claims = variant.conclusions.iter().all(|one| match &one.claim {
        Claim::Links { .. } => false,
        Claim::Some(noun) | Claim::Eliminate(noun) | Claim::Place(noun) => {
            only.expr(noun) && one.per.as_ref().is_none_or(|(_, of)| only.expr(of))
        }
    });
    let places = variant.conclusions.iter().any(|one| !matches!(one.claim, Claim::Eliminate(_)));
    (kinds && single && body && claims).then_some((digit, places))
}

struct Only {
    digit: VarId,
}

impl Only {
    fn statement(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Choose(choose) => choose.per.is_none() && choose.such_that.iter().all(|one| self.condition(one)),
            Statement::Let { value, .. } => self.expr(value),
            Statement::Require(condition) => self.condition(condition),
            Statement::Trail(trail) => {
                trail.nodes.iter().all(|node| node.digit == self.digit)
                    && trail.nodes.windows(2).all(|pair| pair[0].cell != pair[1].cell)
            }
            Statement::Chain(_)
            | Statement::Loop(_)
            | Statement::Cluster(_)
            | Statement::Ring(_)
            | Statement::Suppose(_) => false,
        }
    }

    fn condition(&self, condition: &Condition) -> bool {
        !matches!(
            condition,
            Condition::AlmostLocked(..) | Condition::Closed(_) | Condition::ClosedBetween(..) | Condition::OpenTo(..)
        ) && condition.exprs().into_iter().all(|expr| self.expr(expr))
            && condition.parts().into_iter().all(|part| self.condition(part))
    }

    fn expr(&self, expr: &Expr) -> bool {
        match expr {
            Expr::AllDigits | Expr::Digits(_) | Expr::Values(_) => false,
            Expr::Impossible(of) | Expr::Certain(of) => **of == Expr::Var(self.digit),
            Expr::Those { of, when, .. } => self.expr(of) && self.condition(when),
            other => other.children().into_iter().all(|child| self.expr(child)),
        }
    }
}
