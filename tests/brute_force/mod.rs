//! Every match by brute force: the judge of the machine on small states, and no part of a solver.
//!
//! In: a variant, arguments, a board, a state, link sources. Out: the values of its names, one list for each
//! match, also those that differ only in which of several alike names has which value, and those without
//! effect. Names are tried one after the other with every value of their kind; a condition is tested as soon
//! as all its names have values. What a name must lie in is asked first, so that small states end soon.

mod chain;
mod domain;
mod family;

use chain::ChainRule;
use pinion::engine::Value;
use pinion::eval::Evaluator;
use pinion::eval::elements::Element;
use pinion::grid::{Candidate, Geometry, State};
use pinion::lang::ir::{Choose, Condition, Expr, LinkSource, Origin, Statement, VarId, VarShape, Variant};
use std::cell::Cell;
use std::collections::BTreeSet;

/// A value for each name, by `VarId`; `None` for running names.
pub type Bindings = Vec<Option<Value>>;

/// Bounds of the brute-force search.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Open chains are followed to this many strong links.
    pub links: usize,
    /// Maximum values tried, of all names and members of families together.
    pub values: u64,
}

impl Bounds {
    /// To this many strong links, with as many values as there are.
    pub fn links(links: usize) -> Self {
        Bounds { links, values: u64::MAX }
    }
}

/// Every match of a variant, in order of its values; `None` where there are too many values to try.
pub fn naive_matches(
    variant: &Variant,
    args: &[u32],
    geometry: &Geometry,
    state: &State,
    sources: &[LinkSource],
    most: Bounds,
) -> Option<Vec<Bindings>> {
    let empty = Evaluator::new(variant, args, geometry, state, &[]);
    let chains = variant.body.iter().filter_map(|statement| match statement {
        Statement::Graph(graph) => {
            graph.chain().map(|chain| ChainRule::new(graph, chain, geometry, state, sources, most.links))
        }
        _ => None,
    });
    let naive =
        Naive { variant, conditions: conditions(variant), chains: chains.collect(), left: Cell::new(most.values) };
    let mut found = BTreeSet::new();
    // A condition on parameters alone waits for no name.
    let mut fixed = naive.conditions.iter().filter(|waiting| waiting.names.is_empty());
    if fixed.all(|waiting| empty.holds(&waiting.condition)) {
        naive.bind_next(&empty, &mut found);
    }
    (naive.left.get() > 0).then(|| found.into_iter().collect())
}

/// The different effects of all matches: eliminations and placements, where there are any; `None` where there are too
/// many values to try.
pub fn naive_effects(
    variant: &Variant,
    args: &[u32],
    geometry: &Geometry,
    state: &State,
    sources: &[LinkSource],
    most: Bounds,
) -> Option<BTreeSet<(Vec<Candidate>, Vec<Candidate>)>> {
    let matches = naive_matches(variant, args, geometry, state, sources, most)?;
    let effect = |bindings: &Bindings| Evaluator::new(variant, args, geometry, state, bindings).conclusions();
    Some(matches.iter().map(effect).filter(|(gone, placed)| !gone.is_empty() || !placed.is_empty()).collect())
}

/// A condition and the names that it waits for.
struct Waiting {
    condition: Condition,
    names: Vec<VarId>,
}

struct Naive<'a> {
    variant: &'a Variant,
    conditions: Vec<Waiting>,
    chains: Vec<ChainRule<'a>>,
    /// Number of values that may still be tried.
    left: Cell<u64>,
}

impl Naive<'_> {
    /// Gives the next name each of its values in turn; where no name is left, notes a match.
    fn bind_next(&self, now: &Evaluator<'_>, found: &mut BTreeSet<Bindings>) {
        if self.open_names(now).is_empty() {
            found.insert(now.bindings().to_vec());
            return;
        }
        let Some(name) = self.next_name(now) else { return };
        self.each_value(now, name, &mut |value| {
            let then = now.with_value(name, value);
            if self.tries() && self.allowed(&then, name) {
                self.bind_next(&then, found);
            }
        });
    }

    /// Counts a value that is tried; `false` where there were too many.
    fn tries(&self) -> bool {
        self.left.set(self.left.get().saturating_sub(1));
        self.left.get() > 0
    }

    /// The names that still need a value.
    fn open_names(&self, now: &Evaluator<'_>) -> Vec<VarId> {
        (0..self.variant.vars.len()).map(VarId).filter(|name| !self.is_bound(now, *name)).collect()
    }

    /// Returns true if a name has a value, or is a running name and needs none.
    fn is_bound(&self, now: &Evaluator<'_>, name: VarId) -> bool {
        now.bindings()[name.0].is_some() || self.variant.var(name).origin == Origin::Index
    }

    fn all_bound(&self, now: &Evaluator<'_>, names: &[VarId]) -> bool {
        names.iter().all(|name| self.is_bound(now, *name))
    }

    /// Returns true if the value just bound to a name agrees with the others and with every condition that can be tested
    /// now.
    fn allowed(&self, now: &Evaluator<'_>, name: VarId) -> bool {
        let differs =
            |other: usize| !self.must_differ(name, VarId(other)) || now.bindings()[other] != now.bindings()[name.0];
        let ready = |waiting: &&Waiting| waiting.names.contains(&name) && self.all_bound(now, &waiting.names);
        (0..self.variant.vars.len()).all(differs)
            && self.conditions.iter().filter(ready).all(|waiting| now.holds(&waiting.condition))
            && self.chains.iter().all(|chain| !self.all_bound(now, &chain.names) || chain.holds(now))
    }

    /// Different single names of one kind stand for different things.
    fn must_differ(&self, a: VarId, b: VarId) -> bool {
        let (x, y) = (self.variant.var(a), self.variant.var(b));
        let chosen = |origin| matches!(origin, Origin::Chosen | Origin::Pattern);
        let single = x.shape == VarShape::Single && y.shape == VarShape::Single;
        a != b && single && x.kind == y.kind && chosen(x.origin) && chosen(y.origin)
    }

    /// The statement that chooses a name; names of patterns and chains have none.
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

/// Everything that must hold, split at every `and`.
fn conditions(variant: &Variant) -> Vec<Waiting> {
    let mut out = Vec::new();
    for statement in &variant.body {
        match statement {
            Statement::Choose(Choose { for_each: Some((index, of)), such_that, .. }) => {
                let all = Condition::And(such_that.clone());
                out.push(Condition::ForAll(*index, of.clone(), Box::new(all)));
            }
            // Components, circles and cases have no plain reading here: their own tests judge them.
            _ => statement.conditions(&variant.vars).iter().for_each(|part| flatten(part, &mut out)),
        }
    }
    out.into_iter().map(|condition| Waiting { names: condition.free_names(), condition }).collect()
}

fn flatten(condition: &Condition, out: &mut Vec<Condition>) {
    match condition {
        Condition::And(parts) => parts.iter().for_each(|part| flatten(part, out)),
        other => out.push(other.clone()),
    }
}

/// Every subset of a size, each once.
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
