//! Names that may change places. In: a rule's constraints and conclusions. Out: pairs of names of which the
//! first must be the smaller one, so that each match is found once and not once for every way to say it.
//!
//! A renaming of the single names that leaves everything the rule says unchanged is a symmetry. For the
//! names in order: those that a symmetry fixing all earlier names can bring to the place of the next one
//! must be larger than it. Names of one kind differ, so just one way of each match is left.

use super::constraints::{self, Constraints};
use crate::lang::ir::{Conclusion, Condition, Expr, Graph, Origin, VarId, VarShape, Variant};

/// What one search for a symmetry may try.
const TRIES: usize = 20_000;

/// Everything a rule says, in canonical order.
#[derive(PartialEq, Eq)]
struct Statements {
    conditions: Vec<Condition>,
    conclusions: Vec<Conclusion>,
    called: Vec<Option<Condition>>,
    graphs: Vec<Graph>,
    sets: Vec<(VarId, Option<super::constraints::Size>)>,
    per: Vec<VarId>,
    lets: Vec<(VarId, Expr)>,
    families: Vec<(VarId, Expr, Vec<Condition>)>,
    ends: Vec<(VarId, VarId)>,
}

fn statements(variant: &Variant, constraints: &Constraints, map: &dyn Fn(VarId) -> VarId) -> Statements {
    let renamed = |list: &[super::constraints::Constraint]| {
        let mut all: Vec<_> = list.iter().map(|one| one.condition.canonical_under(map)).collect();
        all.sort();
        all
    };
    let mut conclusions: Vec<_> = variant.conclusions.iter().map(|one| running(one, map)).collect();
    conclusions.sort();
    let mut lets: Vec<_> =
        constraints.lets.iter().map(|(var, value)| (map(*var), value.canonical_under(map))).collect();
    lets.sort();
    let mut sets: Vec<_> = constraints.sets.iter().map(|set| (map(set.var), set.size.clone())).collect();
    sets.sort();
    let mut per: Vec<VarId> = variant.merge_by.iter().map(|&name| map(name)).collect();
    per.sort();
    // The two ends of a link may change places, but a name of one end is no other name.
    let mut ends: Vec<_> = constraints.ends.iter().map(|node| (map(node.digit), map(node.cells))).collect();
    ends.sort();
    let unless_measure = |var: VarId| if var.measure_index().is_some() { var } else { map(var) };
    Statements {
        ends,
        conditions: renamed(&constraints.list),
        conclusions,
        called: variant
            .step_titles
            .iter()
            .map(|one| one.when.as_ref().map(|when| when.canonical_under(&unless_measure)))
            .collect(),
        graphs: constraints.graphs.iter().map(|graph| graph.canonical_under(map)).collect(),
        sets,
        per,
        lets,
        families: constraints
            .families
            .iter()
            .map(|family| (map(family.var), family.of.canonical_under(map), renamed(&family.conditions)))
            .collect(),
    }
}

/// A conclusion with every name replaced; what its running name is called does not matter.
fn running(conclusion: &Conclusion, map: &dyn Fn(VarId) -> VarId) -> Conclusion {
    match &conclusion.for_each {
        Some((index, _)) => conclusion.canonical_under(&|var| if var == *index { VarId(usize::MAX) } else { map(var) }),
        None => conclusion.canonical_under(map),
    }
}

/// The pairs `(a, b)` with a < b demanded.
pub(super) fn order_pairs(variant: &Variant, constraints: &Constraints) -> Vec<(VarId, VarId)> {
    let names: Vec<VarId> =
        (0..variant.vars.len()).map(VarId).filter(|&var| may_move(variant, constraints, var)).collect();
    let plain = statements(variant, constraints, &|var| var);
    let mut pairs = Vec::new();
    for (i, &name) in names.iter().enumerate() {
        for &other in &names[i + 1..] {
            if !differ(variant, constraints, name, other) {
                continue;
            }
            let mut search = Search { variant, constraints, names: &names, plain: &plain, tries: 0 };
            let mut image: Vec<Option<VarId>> = vec![None; variant.vars.len()];
            names[..i].iter().for_each(|&fixed| image[fixed.0] = Some(fixed));
            image[name.0] = Some(other);
            if search.complete(&mut image) {
                pairs.push((name, other));
            }
        }
    }
    pairs
}

/// Whether a rule says the same with two names exchanged.
pub(super) fn alike(variant: &Variant, constraints: &Constraints, a: VarId, b: VarId) -> bool {
    let exchanged = |var: VarId| match var {
        var if var == a => b,
        var if var == b => a,
        var => var,
    };
    statements(variant, constraints, &exchanged) == statements(variant, constraints, &|var| var)
}

/// Single things and almost locked sets, which are found as single things are.
fn may_move(variant: &Variant, constraints: &Constraints, var: VarId) -> bool {
    let declared = variant.var(var);
    let single = declared.shape == VarShape::Single && matches!(declared.origin, Origin::Chosen | Origin::Pattern);
    let supposed = constraints.supposes.iter().flat_map(|suppose| super::constraints::suppose_names(suppose).0);
    if supposed.into_iter().any(|name| name == var) {
        return false;
    }
    single || super::sorts::sort(&constraints.list, var).is_some()
}

fn differ(variant: &Variant, constraints: &Constraints, a: VarId, b: VarId) -> bool {
    constraints::differ(variant, a, b) || super::sorts::differ(constraints, a, b)
}

struct Search<'a> {
    variant: &'a Variant,
    constraints: &'a Constraints,
    names: &'a [VarId],
    plain: &'a Statements,
    tries: usize,
}

impl Search<'_> {
    /// Extends a partial renaming to a symmetry, if there is one.
    fn complete(&mut self, image: &mut Vec<Option<VarId>>) -> bool {
        self.tries += 1;
        if self.tries > TRIES || !self.plausible(image) {
            return false;
        }
        let Some(&next) = self.names.iter().find(|name| image[name.0].is_none()) else {
            return statements(self.variant, self.constraints, &|var| image[var.0].unwrap_or(var)) == *self.plain;
        };
        for &to in self.names {
            let free = !image.contains(&Some(to));
            if free && (to == next || differ(self.variant, self.constraints, next, to)) {
                image[next.0] = Some(to);
                if self.complete(image) {
                    return true;
                }
            }
        }
        image[next.0] = None;
        false
    }

    /// Whether every condition whose names are all mapped is said by the rule as well.
    fn plausible(&self, image: &[Option<VarId>]) -> bool {
        let mapped = |names: &[VarId]| names.iter().all(|name| image[name.0].is_some() || !self.names.contains(name));
        let rename = |var: VarId| image[var.0].unwrap_or(var);
        self.constraints.list.iter().filter(|one| mapped(&one.names)).all(|one| {
            let renamed = one.condition.canonical_under(&rename);
            self.plain.conditions.binary_search(&renamed).is_ok()
        })
    }
}
