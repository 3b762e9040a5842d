//! Chooses the name that the search binds next, and lists its possible values.

use super::family::{is_almost_locked, is_group};
use super::{Search, subsets};
use pinion::engine::Value;
use pinion::eval::Evaluator;
use pinion::eval::elements::{Element, elements, value_of_kind};
use pinion::lang::ir::{Choose, Condition, Expr, Kind, VarId};
use std::collections::BTreeSet;

impl Search<'_> {
    /// Returns the name to bind next: a `let` name whose value can be computed, else the name whose conditions leave the
    /// fewest elements, else the first one in the author's order.
    pub(super) fn next_name(&self, evaluator: &Evaluator<'_>) -> Option<VarId> {
        let unbound = self.unbound_names(evaluator);
        for &name in &unbound {
            if let Some(value) = self.definition(name)
                && self.is_computable(evaluator, value)
            {
                return Some(name);
            }
        }
        let ready: Vec<VarId> = unbound.into_iter().filter(|name| self.is_ready(evaluator, *name)).collect();
        let sizes = ready.iter().filter_map(|name| Some((self.restricted_domain(evaluator, *name)?.len(), *name)));
        sizes.min().map(|(_, name)| name).or(ready.first().copied())
    }

    /// Returns true if every name of an expression has a value.
    fn is_computable(&self, evaluator: &Evaluator<'_>, expr: &Expr) -> bool {
        self.are_bound(evaluator, &expr.names())
    }

    /// Returns true if a name can be chosen now: the size of its set and the index set of its family can be computed. A
    /// `let` name is never chosen.
    fn is_ready(&self, evaluator: &Evaluator<'_>, name: VarId) -> bool {
        if self.definition(name).is_some() {
            return false;
        }
        let Some(choose) = self.choice(name) else { return true };
        let sizes = choose.size.iter().flat_map(|(low, high)| std::iter::once(low).chain(high));
        let index_sets = choose.for_each.iter().map(|(_, index_set)| index_set);
        sizes.chain(index_sets).all(|expr| self.is_computable(evaluator, expr))
    }

    /// Returns the elements that the conditions leave for a name, or `None` if no condition restricts it yet.
    ///
    /// `X within S` and `S = {X, Y}` leave the members of S for X. A chain from a known start leaves the ends that it
    /// reaches.
    fn restricted_domain(&self, evaluator: &Evaluator<'_>, name: VarId) -> Option<BTreeSet<Element>> {
        let mut restrictions: Vec<BTreeSet<Element>> = Vec::new();
        for needed in &self.conditions {
            match &needed.condition {
                Condition::Within(Expr::Var(subject), set)
                    if *subject == name && self.is_computable(evaluator, set) =>
                {
                    restrictions.push(elements(&evaluator.value(set)));
                }
                Condition::Exactly(set, members) if members.contains(&name) && self.is_computable(evaluator, set) => {
                    restrictions.push(elements(&evaluator.value(set)));
                }
                _ => {}
            }
        }
        for chain in &self.chains {
            if self.are_bound(evaluator, &chain.start_names) {
                restrictions.extend(chain.ends_for(evaluator, name));
            }
        }
        if restrictions.is_empty() {
            return None;
        }
        let mut domain = self.elements_of_kind(evaluator, self.variant.var(name).kind);
        domain.retain(|element| restrictions.iter().all(|set| set.contains(element)));
        Some(domain)
    }

    /// Returns all digits, unsolved cells, houses of a class, or candidates.
    pub(super) fn elements_of_kind(&self, evaluator: &Evaluator<'_>, kind: Kind) -> BTreeSet<Element> {
        let expr = match kind {
            Kind::Digit => Expr::AllDigits,
            Kind::Cell => Expr::AllCells,
            Kind::House(class) => Expr::AllHouses(class),
            Kind::Candidate => Expr::CandidatesIn(Box::new(Expr::AllDigits), Box::new(Expr::AllCells)),
            Kind::Number => return BTreeSet::new(),
        };
        elements(&evaluator.value(&expr))
    }

    /// Calls `visit` with each possible value of a name.
    pub(super) fn each_value(&self, evaluator: &Evaluator<'_>, name: VarId, visit: &mut dyn FnMut(Value)) {
        if let Some(value) = self.definition(name) {
            return visit(evaluator.value(value));
        }
        let choice = self.choice(name);
        if let Some(choose @ Choose { for_each: Some(_), .. }) = choice {
            return self.families(evaluator, choose, visit);
        }
        if let Some(choose) = choice
            && is_almost_locked(choose)
        {
            return self.locked_sets(evaluator, choose).into_iter().for_each(|cells| visit(Value::Cells(cells)));
        }
        if choice.is_some_and(is_group) {
            return evaluator.groups().into_iter().for_each(|cells| visit(Value::Cells(cells)));
        }
        let kind = self.variant.var(name).kind;
        let domain: Vec<Element> = match self.restricted_domain(evaluator, name) {
            Some(domain) => domain.into_iter().collect(),
            None => self.elements_of_kind(evaluator, kind).into_iter().collect(),
        };
        let (low, high) = match choice.and_then(|choose| choose.size.as_ref()) {
            Some((low, Some(high))) => (evaluator.number(low), evaluator.number(high)),
            // Without an upper end, a set has at most half as many members as the board has digits.
            Some((low, None)) => (evaluator.number(low), elements(&evaluator.value(&Expr::AllDigits)).len() as i64 / 2),
            None => (1, 1),
        };
        for size in low.max(0)..=high.min(domain.len() as i64) {
            subsets(&domain, size as usize, &mut Vec::new(), &mut |members| {
                visit(value_of_kind(kind, &members.iter().copied().collect()));
            });
        }
    }
}
