//! Domains of names. In: the values so far. Out: the name to bind next, and its possible values one by one.

use super::family::is_almost_locked;
use super::{Naive, subsets};
use pinion::engine::Value;
use pinion::eval::Evaluator;
use pinion::eval::elements::{Element, elements, value_of_kind};
use pinion::lang::ir::{Choose, Condition, Expr, Kind, PredicateId, VarId};
use std::collections::BTreeSet;

impl Naive<'_> {
    /// A defined name first; else the name that conditions leave the fewest things; else the author's order.
    pub(super) fn next_name(&self, now: &Evaluator<'_>) -> Option<VarId> {
        let open = self.open_names(now);
        let defined = |name: &VarId| self.definition(*name).is_some_and(|value| self.knows(now, value));
        if let Some(name) = open.iter().copied().find(|name| defined(name)) {
            return Some(name);
        }
        let ready: Vec<VarId> = open.into_iter().filter(|name| self.is_ready(now, *name)).collect();
        let narrowed = ready.iter().filter_map(|name| Some((self.narrowed(now, *name)?.len(), *name)));
        narrowed.min().map(|(_, name)| name).or(ready.first().copied())
    }

    /// Returns true if every name of an expression has a value.
    fn knows(&self, now: &Evaluator<'_>, expr: &Expr) -> bool {
        self.all_bound(now, &expr.names())
    }

    /// Returns true if a name can be bound: its number of members, or the range of its index, is known.
    fn is_ready(&self, now: &Evaluator<'_>, name: VarId) -> bool {
        if self.definition(name).is_some() {
            return false;
        }
        let Some(choose) = self.choice(name) else { return true };
        let size = choose.size.iter().flat_map(|(low, high)| [Some(low), high.as_ref()]).flatten();
        let per = choose.for_each.iter().map(|(_, of)| of);
        size.chain(per).all(|expr| self.knows(now, expr))
    }

    /// Returns the values that the conditions leave for a name, if one of them restricts it already: `X within S` for the
    /// name X and `S = {…}` with the name among the members leave the members of S; a chain leaves its ends.
    fn narrowed(&self, now: &Evaluator<'_>, name: VarId) -> Option<BTreeSet<Element>> {
        let mut left: Option<BTreeSet<Element>> = None;
        let mut keep = |set: BTreeSet<Element>| {
            left = Some(match left.take() {
                Some(before) => before.intersection(&set).copied().collect(),
                None => set,
            });
        };
        for waiting in &self.conditions {
            match &waiting.condition {
                Condition::Within(Expr::Var(subject), set) if *subject == name && self.knows(now, set) => {
                    keep(elements(&now.value(set)));
                }
                Condition::Exactly(set, names) if names.contains(&name) && self.knows(now, set) => {
                    keep(elements(&now.value(set)));
                }
                _ => {}
            }
        }
        for chain in self.chains.iter().filter(|chain| self.all_bound(now, &chain.first_names)) {
            chain.ends_for(now, name).into_iter().for_each(&mut keep);
        }
        let all = self.all_of(now, self.variant.var(name).kind);
        left.map(|set| set.intersection(&all).copied().collect())
    }

    /// Everything of a kind: digits, unsolved cells, houses of a class, candidates.
    pub(super) fn all_of(&self, now: &Evaluator<'_>, kind: Kind) -> BTreeSet<Element> {
        let candidates = || Expr::CandidatesIn(Box::new(Expr::AllDigits), Box::new(Expr::AllCells));
        match kind {
            Kind::Digit => elements(&now.value(&Expr::AllDigits)),
            Kind::Cell => elements(&now.value(&Expr::AllCells)),
            Kind::House(class) => elements(&now.value(&Expr::AllHouses(class))),
            Kind::Candidate => elements(&now.value(&candidates())),
            Kind::Number => BTreeSet::new(),
        }
    }

    /// Every value that a name can have, one after the other.
    pub(super) fn each_value(&self, now: &Evaluator<'_>, name: VarId, visit: &mut dyn FnMut(Value)) {
        if let Some(value) = self.definition(name) {
            return visit(now.value(value));
        }
        let kind = self.variant.var(name).kind;
        let choice = self.choice(name);
        if let Some(choose @ Choose { for_each: Some(_), .. }) = choice {
            return self.families(now, choose, visit);
        }
        if let Some(choose) = choice.filter(|choose| is_almost_locked(choose)) {
            return self.locked_sets(now, choose).into_iter().for_each(|cells| visit(Value::Cells(cells)));
        }
        let group = |choose: &&Choose| {
            choose.such_that.iter().any(|one| matches!(one, Condition::Predicate(PredicateId::Group, ..)))
        };
        if choice.filter(group).is_some() {
            return now.groups().into_iter().for_each(|cells| visit(Value::Cells(cells)));
        }
        let domain = self.narrowed(now, name).unwrap_or_else(|| self.all_of(now, kind));
        let domain: Vec<Element> = domain.into_iter().collect();
        let (low, high) = match choice.and_then(|choose| choose.size.as_ref()) {
            Some((low, high)) => {
                let half = || Expr::Number((elements(&now.value(&Expr::AllDigits)).len() / 2) as u32);
                (now.number(low), now.number(&high.clone().unwrap_or_else(half)))
            }
            None => (1, 1),
        };
        for size in low.max(0)..=high.min(domain.len() as i64) {
            subsets(&domain, size as usize, &mut Vec::new(), &mut |members| {
                visit(value_of_kind(kind, &members.iter().copied().collect()));
            });
        }
    }
}
