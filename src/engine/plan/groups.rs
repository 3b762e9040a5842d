//! Names that the board alone relates: three or more cells and houses of which a condition wants something whatever they
//! hold. In: constraints. Out: such groups of names.

use super::constraints::{Constraint, Constraints};
use crate::lang::ir::{Condition, Expr, Kind, Operand as Side, Origin, PredicateId, VarId, VarShape, Variant};
use petgraph::unionfind::UnionFind;

/// The fewest names whose values are looked up together: of two, one narrows the other.
const TOGETHER: usize = 3;

/// Names and what the board says of them.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub names: Vec<VarId>,
    /// The places of the conditions in the list.
    pub conditions: Vec<usize>,
}

/// The groups of a rule; no name is in two.
pub(super) fn groups(variant: &Variant, constraints: &Constraints) -> Vec<Group> {
    let fixed = |one: &Constraint| holds_for_ever(variant, constraints, &said(one).condition);
    let fixed: Vec<usize> = (0..constraints.list.len()).filter(|&at| fixed(&constraints.list[at])).collect();
    let names_of = |at: usize| &said(&constraints.list[at]).names;
    let wide = || fixed.iter().map(|&at| names_of(at)).filter(|names| names.len() >= TOGETHER);
    let mut joined = UnionFind::new(variant.vars.len());
    for pair in wide().flat_map(|names| names.windows(2)) {
        joined.union(pair[0].0, pair[1].0);
    }
    // In order of the last condition of each.
    let mut groups: Vec<Vec<VarId>> = Vec::new();
    for names in wide() {
        let group = groups.iter().position(|group| joined.equiv(group[0].0, names[0].0));
        let mut group = group.map(|at| groups.remove(at)).unwrap_or_default();
        group.extend(names);
        group.sort();
        group.dedup();
        groups.push(group);
    }
    let of = |names: Vec<VarId>| {
        let within = |&at: &usize| names_of(at).iter().all(|name| names.contains(name));
        Group { conditions: fixed.iter().copied().filter(within).collect(), names }
    };
    groups.into_iter().map(of).collect()
}

/// What a constraint says of the names that are chosen.
pub(super) fn said(constraint: &Constraint) -> &Constraint {
    constraint.inlined.as_deref().unwrap_or(constraint)
}

/// Whether only the board decides a condition on single cells and houses.
fn holds_for_ever(variant: &Variant, constraints: &Constraints, condition: &Condition) -> bool {
    let chosen = |var: VarId| {
        let declared = variant.var(var);
        declared.shape == VarShape::Single
            && matches!(declared.origin, Origin::Chosen | Origin::Pattern)
            && matches!(declared.kind, Kind::Cell | Kind::House(_))
            && !constraints.graphs.iter().any(|graph| graph.names().contains(&var))
    };
    let set = |expr: &Expr| is_fixed(expr, &chosen);
    let side = |side: &Side| set(&side.cells);
    match condition {
        Condition::Within(a, b) | Condition::Equal(a, b) | Condition::Disjoint(a, b) | Condition::Incident(a, _, b) => {
            set(a) && set(b)
        }
        Condition::NotEmpty(of) | Condition::No(of) | Condition::Connected(of) => set(of),
        Condition::Predicate(PredicateId::InOneHouse(_) | PredicateId::Closed, args, _) => set(&args[0]),
        Condition::Sees(a, b) => side(a) && side(b),
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().all(|part| holds_for_ever(variant, constraints, part))
        }
        Condition::Not(part) => holds_for_ever(variant, constraints, part),
        _ => false,
    }
}

/// Whether a set is the same on every state.
pub(super) fn is_fixed(expr: &Expr, chosen: &dyn Fn(VarId) -> bool) -> bool {
    match expr {
        Expr::Var(var) => chosen(*var),
        Expr::AllHouses(_) => true,
        Expr::Union(parts) => parts.iter().all(|part| is_fixed(part, chosen)),
        Expr::Intersection(a, b) | Expr::Difference(a, b) => is_fixed(a, chosen) && is_fixed(b, chosen),
        Expr::HouseCells(of) | Expr::HousesOf(_, of) | Expr::Overlap(of) => is_fixed(of, chosen),
        _ => false,
    }
}
