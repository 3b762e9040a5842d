//! Names that stand for sets of a sort: almost locked sets, groups. In: constraints. Out: of which sort a name's set is, which
//! two the rule keeps apart, how many sets there are about.

use super::constraints::{Constraint, Constraints};
use super::program::SetKind;
use crate::lang::ir::{Condition, Expr, PredicateId, VarId};

/// Of which sort a name's set is, if the rule says that it is almost locked or a group.
pub(super) fn sort(conditions: &[Constraint], var: VarId) -> Option<SetKind> {
    conditions.iter().find_map(|one| match &one.condition {
        Condition::AlmostLocked(Expr::Var(name), over) if *name == var => Some(SetKind::Locked(*over)),
        Condition::Predicate(PredicateId::Group, args, _) if args[0].is(var) => Some(SetKind::Group),
        _ => None,
    })
}

/// Whether two names stand for almost locked sets of one sort that the rule keeps apart.
pub(super) fn differ(constraints: &Constraints, a: VarId, b: VarId) -> bool {
    let pair = |x: &Expr, y: &Expr| (x.is(a) && y.is(b)) || (x.is(b) && y.is(a));
    let apart = |one: &Constraint| match &one.condition {
        Condition::Disjoint(x, y) => pair(x, y),
        Condition::Not(part) => matches!(part.as_ref(), Condition::Equal(x, y) if pair(x, y)),
        _ => false,
    };
    let sort = |name| sort(&constraints.list, name);
    a != b && sort(a).is_some() && sort(a) == sort(b) && constraints.list.iter().any(apart)
}

/// How many sets there are about, given the names that have values.
pub(super) fn ways(constraints: &Constraints, var: VarId, bound: &dyn Fn(VarId) -> bool) -> f64 {
    let ready = |one: &&Constraint| one.names.contains(&var) && one.names.iter().all(|&n| n == var || bound(n));
    let share = |one: &Constraint| match &one.condition {
        Condition::NotEmpty(_) => 0.45,
        Condition::No(_) | Condition::Lacks(..) | Condition::Not(_) => 0.6,
        Condition::Disjoint(..) => 0.6,
        Condition::Sees(..) | Condition::Within(..) => 0.15,
        _ => 1.0,
    };
    let all = if sort(&constraints.list, var) == Some(SetKind::Group) { 120.0 } else { 600.0 };
    constraints.list.iter().filter(ready).map(share).product::<f64>() * all
}
