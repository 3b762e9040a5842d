//! What a condition says of every member of a set by itself. In: a condition and the name of the set. Out: a narrowing of what
//! the set is picked from, so that the rest is never tried.

use super::known::names_of;
use super::narrow::{Narrowed, Narrowing};
use crate::lang::ir::{Comparison, Condition, Expr, Kind, VarId, VarShape, Variant};

/// How a condition narrows `var` member by member, where all its other names have values.
pub(super) fn of_members(variant: &Variant, condition: &Condition, var: VarId) -> Option<Narrowed> {
    let is = |expr: &Expr| *expr == Expr::Var(var);
    let free = |expr: &Expr| !names_of(expr).contains(&var);
    match condition {
        Condition::Disjoint(a, b) if is(a) && free(b) => Some(outside(b)),
        Condition::Disjoint(a, b) if is(b) && free(a) => Some(outside(a)),
        Condition::No(Expr::In(digits, cells)) if is(cells) && free(digits) && variant.var(var).kind == Kind::Cell => {
            Some(Narrowed { how: Narrowing::Lacks(digits.as_ref().clone()), share: 0.6, complete: true })
        }
        // A set has none of something if no member of it by itself has.
        Condition::No(of) if adds_up(of, var) => alone(condition, var),
        Condition::Compare(Expr::Count(of), Comparison::Equal, Expr::Number(0)) if adds_up(of, var) => {
            alone(condition, var)
        }
        // Partners lie in one house, so those of every member are looked at by themselves; of none nothing is said.
        Condition::ClosedBetween(of, k, l) if adds_up(of, var) && free(k) && free(l) => {
            alone(condition, var).map(|found| Narrowed { complete: false, ..found })
        }
        Condition::ForAll(member, of, part)
            if is(of) && variant.var(var).shape == VarShape::Set && !part.free_names().contains(&var) =>
        {
            let houses = matches!(variant.var(var).kind, Kind::House(_));
            let how = houses.then(|| holding(*member, part)).flatten();
            let how = how.unwrap_or_else(|| Narrowing::Filter(*member, part.as_ref().clone()));
            Some(Narrowed { how, share: 0.5, complete: true })
        }
        _ => None,
    }
}

/// Looks at the condition with the name standing for one member at a time.
fn alone(condition: &Condition, var: VarId) -> Option<Narrowed> {
    Some(Narrowed { how: Narrowing::Filter(var, condition.clone()), share: 0.5, complete: true })
}

/// Whether the value of an expression for a set is the union of its values for the members, one by one.
fn adds_up(expr: &Expr, var: VarId) -> bool {
    let free = |expr: &Expr| !names_of(expr).contains(&var);
    match expr {
        Expr::Var(name) => *name == var,
        Expr::CellsOf(of) | Expr::Cells(of) | Expr::Values(of) | Expr::Digits(of) => adds_up(of, var),
        Expr::Intersection(a, b) | Expr::In(a, b) => free(a) && adds_up(b, var) || free(b) && adds_up(a, var),
        Expr::Difference(a, b) => free(b) && adds_up(a, var),
        _ => false,
    }
}

fn outside(set: &Expr) -> Narrowed {
    Narrowed { how: Narrowing::NotInSet(set.clone()), share: 0.9, complete: true }
}

/// `some d in h`, `some d in h & X`: the houses that hold one of the places of d (in X).
fn holding(member: VarId, part: &Condition) -> Option<Narrowing> {
    let Condition::Some(Expr::In(digits, cells)) = part else { return None };
    let house = Expr::CellsOf(Box::new(Expr::Var(member)));
    let free = |expr: &Expr| !names_of(expr).contains(&member);
    let among = match cells.as_ref() {
        cells if *cells == house => None,
        Expr::Intersection(a, b) if **a == house && free(b) => Some(b.as_ref().clone()),
        Expr::Intersection(a, b) if **b == house && free(a) => Some(a.as_ref().clone()),
        _ => return None,
    };
    free(digits).then(|| Narrowing::HousesWith(digits.as_ref().clone(), among))
}
