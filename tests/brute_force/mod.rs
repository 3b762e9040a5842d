//! Finds every match of a rule by brute force. Tests compare the engine with this search on small states. The engine and this
//! search have no code in common.
//!
//! In: a variant of a rule, parameter values, a board, a state, link sources. Out: the matches, each as the values of the
//! rule's names.
//!
//! Names are bound one after the other, and each name takes every value of its kind. A condition is tested as soon as all
//! of its names have values. The name with the fewest possible values comes first, so that the search of a small state
//! ends soon. Matches without effect are listed, too, and so are matches that only exchange the values of two names.

mod chain;
mod domain;
mod family;

use chain::ChainRule;
use pinion::engine::Value;
use pinion::eval::Evaluator;
use pinion::eval::elements::Element;
use pinion::grid::{Candidate, Geometry, State};
use pinion::lang::ir::{Choose, Condition, Expr, LinkSource, Origin, Statement, Var, VarId, VarShape, Variant};
use std::cell::Cell;
use std::collections::BTreeSet;

/// The values of a variant's names, by `VarId`. A loop variable (`for d in D`) has `None`.
pub type Bindings = Vec<Option<Value>>;

/// Bounds of the brute-force search.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Maximum number of strong links in an open chain.
    pub links: usize,
    /// Maximum number of values tried, for all names and all members of families together.
    pub values: u64,
}

impl Bounds {
    /// Returns bounds with a maximum of strong links and without a maximum of values.
    pub fn links(links: usize) -> Self {
        Bounds { links, values: u64::MAX }
    }

    /// Returns bounds for rules without open chains, without a maximum of values.
    pub fn without_chains() -> Self {
        Bounds::links(0)
    }
}

/// Returns every match of a variant, sorted by its values; `None` if `bounds.values` is reached.
pub fn naive_matches(
    variant: &Variant,
    args: &[u32],
    geometry: &Geometry,
    state: &State,
    sources: &[LinkSource],
    bounds: Bounds,
) -> Option<Vec<Bindings>> {
    let evaluator = Evaluator::new(variant, args, geometry, state, &[]);
    let graphs = variant.body.iter().filter_map(|statement| match statement {
        Statement::Graph(graph) => Some(graph),
        _ => None,
    });
    let chains = graphs.filter_map(|graph| {
        let chain = graph.chain()?;
        Some(ChainRule::new(graph, chain, geometry, state, sources, bounds.links))
    });
    let search = Search {
        variant,
        conditions: conditions(variant),
        chains: chains.collect(),
        values_left: Cell::new(bounds.values),
    };
    let mut matches = BTreeSet::new();
    // No binding of a name triggers the test of a condition on parameters alone.
    let mut nameless = search.conditions.iter().filter(|needed| needed.names.is_empty());
    if nameless.all(|needed| evaluator.holds(&needed.condition)) {
        search.bind_next(&evaluator, &mut matches);
    }
    if search.values_left.get() == 0 {
        return None;
    }
    Some(matches.into_iter().collect())
}

/// Returns the eliminations and placements of all matches that have any, without duplicates; `None` if `bounds.values` is
/// reached.
pub fn naive_effects(
    variant: &Variant,
    args: &[u32],
    geometry: &Geometry,
    state: &State,
    sources: &[LinkSource],
    bounds: Bounds,
) -> Option<BTreeSet<(Vec<Candidate>, Vec<Candidate>)>> {
    let matches = naive_matches(variant, args, geometry, state, sources, bounds)?;
    let effects = matches.iter().map(|bindings| Evaluator::new(variant, args, geometry, state, bindings).conclusions());
    Some(effects.filter(|(eliminations, placements)| !eliminations.is_empty() || !placements.is_empty()).collect())
}

/// A condition and the names that occur in it.
struct NeededCondition {
    condition: Condition,
    names: Vec<VarId>,
}

struct Search<'a> {
    variant: &'a Variant,
    conditions: Vec<NeededCondition>,
    chains: Vec<ChainRule<'a>>,
    /// Number of values that may still be tried.
    values_left: Cell<u64>,
}

impl Search<'_> {
    /// Binds the next name to each of its values in turn. If every name is bound, adds the bindings to `matches`.
    fn bind_next(&self, evaluator: &Evaluator<'_>, matches: &mut BTreeSet<Bindings>) {
        if self.unbound_names(evaluator).is_empty() {
            matches.insert(evaluator.bindings().to_vec());
            return;
        }
        let name = self.next_name(evaluator).expect("no two names depend on each other");
        self.each_value(evaluator, name, &mut |value| {
            let extended = evaluator.with_value(name, value);
            if self.count_value() && self.is_consistent(&extended, name) {
                self.bind_next(&extended, matches);
            }
        });
    }

    /// Counts one more tried value. Returns false once the maximum is reached.
    fn count_value(&self) -> bool {
        self.values_left.set(self.values_left.get().saturating_sub(1));
        self.values_left.get() > 0
    }

    fn unbound_names(&self, evaluator: &Evaluator<'_>) -> Vec<VarId> {
        (0..self.variant.vars.len()).map(VarId).filter(|name| !self.is_bound(evaluator, *name)).collect()
    }

    /// Returns true if a name has a value. A loop variable needs none, so it counts as bound.
    fn is_bound(&self, evaluator: &Evaluator<'_>, name: VarId) -> bool {
        evaluator.bindings()[name.0].is_some() || self.variant.var(name).origin == Origin::Index
    }

    fn are_bound(&self, evaluator: &Evaluator<'_>, names: &[VarId]) -> bool {
        names.iter().all(|name| self.is_bound(evaluator, *name))
    }

    /// Returns true if the value just bound to `name` is no forbidden duplicate, and if every condition and chain holds
    /// whose last unbound name was `name`.
    fn is_consistent(&self, evaluator: &Evaluator<'_>, name: VarId) -> bool {
        let values = evaluator.bindings();
        for other in (0..values.len()).map(VarId) {
            if self.must_differ(name, other) && values[other.0] == values[name.0] {
                return false;
            }
        }
        for needed in &self.conditions {
            let is_testable = needed.names.contains(&name) && self.are_bound(evaluator, &needed.names);
            if is_testable && !evaluator.holds(&needed.condition) {
                return false;
            }
        }
        self.chains.iter().all(|chain| !self.are_bound(evaluator, &chain.names) || chain.holds(evaluator))
    }

    /// Returns true if two names may not have equal values. Single names of one kind must differ, unless `let` defines
    /// one of them or one of them is a loop variable.
    fn must_differ(&self, a: VarId, b: VarId) -> bool {
        let (var_a, var_b) = (self.variant.var(a), self.variant.var(b));
        a != b && var_a.kind == var_b.kind && is_free_single(var_a) && is_free_single(var_b)
    }

    /// Returns the statement that chooses a name. A name that a pattern or a chain binds has none.
    fn choice(&self, name: VarId) -> Option<&Choose> {
        self.variant.body.iter().find_map(|statement| match statement {
            Statement::Choose(choose) if choose.var == name => Some(choose),
            _ => None,
        })
    }

    fn definition(&self, name: VarId) -> Option<&Expr> {
        self.variant.body.iter().find_map(|statement| match statement {
            Statement::Let { var, value } if *var == name => Some(value),
            _ => None,
        })
    }
}

fn is_free_single(var: &Var) -> bool {
    var.shape == VarShape::Single && matches!(var.origin, Origin::Chosen | Origin::Pattern)
}

/// Returns everything that must hold, split at each `and`. The conditions of a family must hold for every index.
///
/// Colour clusters, rings and assumptions are ignored: other tests check them.
fn conditions(variant: &Variant) -> Vec<NeededCondition> {
    let mut conditions = Vec::new();
    for statement in &variant.body {
        match statement {
            Statement::Choose(Choose { for_each: Some((index, index_set)), such_that, .. }) => {
                let of_member = Condition::And(such_that.clone());
                conditions.push(Condition::ForAll(*index, index_set.clone(), Box::new(of_member)));
            }
            _ => statement.conditions(&variant.vars).iter().for_each(|part| split_at_and(part, &mut conditions)),
        }
    }
    let with_names = |condition: Condition| NeededCondition { names: condition.free_names(), condition };
    conditions.into_iter().map(with_names).collect()
}

fn split_at_and(condition: &Condition, conditions: &mut Vec<Condition>) {
    match condition {
        Condition::And(parts) => parts.iter().for_each(|part| split_at_and(part, conditions)),
        other => conditions.push(other.clone()),
    }
}

/// Calls `visit` with `chosen` and each subset of `size` members of `items`, each subset once.
fn subsets(items: &[Element], size: usize, chosen: &mut Vec<Element>, visit: &mut dyn FnMut(&[Element])) {
    if size == 0 {
        visit(chosen);
        return;
    }
    for (index, item) in items.iter().enumerate() {
        chosen.push(*item);
        subsets(&items[index + 1..], size - 1, chosen, visit);
        chosen.pop();
    }
}
