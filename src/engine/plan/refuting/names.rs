//! What a rule says of its names, for the question which candidates its matches refute. In: a variant. Out: its chains,
//! its almost locked sets with digits that they surely have, and what all places of a digit see.

use super::links::is_plain;
use crate::lang::ir::{
    Chain, ChainEnd, Condition, Expr, LinkSource, Operand, Origin, Quantifier, Statement, Trail, VarId, VarShape,
    Variant,
};
use std::collections::BTreeSet;

/// What is false or true: candidates of a digit in a set or cell, or the candidates of a chain's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Thing {
    Of(VarId, VarId),
    End(VarId),
}

/// The lines of a rule.
pub(super) struct Names<'v> {
    variant: &'v Variant,
    sources: &'v [LinkSource],
    lets: Vec<(VarId, &'v Expr)>,
    /// What it says of its names, outside of chains.
    pub conditions: Vec<&'v Condition>,
}

impl<'v> Names<'v> {
    pub fn of(variant: &'v Variant, sources: &'v [LinkSource]) -> Self {
        let mut names = Names { variant, sources, lets: Vec::new(), conditions: Vec::new() };
        for statement in &variant.body {
            match statement {
                Statement::Choose(choose) if choose.per.is_none() => {
                    choose.such_that.iter().for_each(|condition| names.add(condition));
                }
                Statement::Let { var, value } => names.lets.push((*var, value)),
                Statement::Require(condition) => names.add(condition),
                _ => {}
            }
        }
        names
    }

    fn add(&mut self, condition: &'v Condition) {
        match condition {
            Condition::And(parts) => parts.iter().for_each(|part| self.add(part)),
            other => self.conditions.push(other),
        }
    }

    /// The candidates of a noun, as far as they are those of a digit in a named set or cell.
    pub fn things(&self, noun: &Expr) -> BTreeSet<Thing> {
        match noun {
            Expr::Union(parts) => parts.iter().flat_map(|part| self.things(part)).collect(),
            Expr::Var(name) if self.chain_ends().any(|end| end == *name) => BTreeSet::from([Thing::End(*name)]),
            Expr::Var(name) => {
                let value = self.lets.iter().find(|(var, _)| var == name);
                value.map(|(_, value)| self.things(value)).unwrap_or_default()
            }
            Expr::In(digit, cells) => match (digit.as_ref(), cells.as_ref()) {
                (Expr::Var(digit), Expr::Var(cells)) => self.thing(*digit, *cells).into_iter().collect(),
                (Expr::Var(digit), Expr::Union(parts)) => {
                    let named = |part: &Expr| if let Expr::Var(cells) = part { Some(*cells) } else { None };
                    parts.iter().filter_map(named).filter_map(|cells| self.thing(*digit, cells)).collect()
                }
                _ => BTreeSet::new(),
            },
            _ => BTreeSet::new(),
        }
    }

    fn thing(&self, digit: VarId, cells: VarId) -> Option<Thing> {
        let one = |name: VarId| self.variant.var(name).shape == VarShape::Single;
        let family = self.variant.var(cells).shape == VarShape::Family;
        (one(digit) && !family).then_some(Thing::Of(digit, cells))
    }

    fn says(&self, condition: &Condition) -> bool {
        self.conditions.contains(&condition)
    }

    /// Whether the rule says that the candidates of a chain's end are of a digit.
    fn is_of(&self, end: VarId, digit: VarId) -> bool {
        let digits = |end: VarId| Expr::Digits(Box::new(Expr::Var(end)));
        let within = |end: VarId| self.says(&Condition::Within(Expr::Var(digit), digits(end)));
        let same = |other: VarId| {
            self.says(&Condition::Equal(digits(end), digits(other)))
                || self.says(&Condition::Equal(digits(other), digits(end)))
        };
        within(end) || self.chain_ends().any(|other| same(other) && within(other))
    }

    fn chain_ends(&self) -> impl Iterator<Item = VarId> {
        self.chains().flat_map(|chain| [chain.from, chain.to]).filter_map(|end| match end {
            ChainEnd::Candidate(name) => Some(name),
            ChainEnd::At(_) => None,
        })
    }

    /// The chains of open length, each of whose links is one of those that are gone on by.
    pub fn chains(&self) -> impl Iterator<Item = &'v Chain> {
        let plain = |name: &String| self.sources.iter().any(|source| source.id == *name && is_plain(source));
        self.variant.body.iter().filter_map(move |statement| match statement {
            Statement::Chain(chain) if chain.strong.iter().all(plain) => Some(chain),
            _ => None,
        })
    }

    pub fn trails(&self) -> impl Iterator<Item = &'v Trail> {
        let one = |name: VarId| self.variant.var(name).shape == VarShape::Single;
        // Two digits of a set exclude each other only where it is one cell.
        let plain = move |trail: &&Trail| {
            let links = trail.links.iter().zip(trail.nodes.windows(2));
            let mut weak = links.filter(|(link, _)| !link.strong);
            trail.nodes.iter().all(|node| one(node.digit))
                && weak.all(|(_, nodes)| nodes[0].cell != nodes[1].cell || one(nodes[0].cell))
        };
        let trails = self.variant.body.iter().filter_map(|statement| match statement {
            Statement::Trail(trail) => Some(trail),
            _ => None,
        });
        trails.filter(plain)
    }

    /// The almost locked sets, with one digit more than cells.
    pub fn locked(&self) -> impl Iterator<Item = VarId> {
        self.conditions.iter().filter_map(|condition| match condition {
            Condition::AlmostLocked(Expr::Var(set), 1) => Some(*set),
            _ => None,
        })
    }

    /// The digits that a set surely has, by names that stand for different ones.
    pub fn digits_of(&self, set: VarId) -> impl Iterator<Item = VarId> {
        let own = |name: VarId| {
            let var = self.variant.var(name);
            var.shape == VarShape::Single && matches!(var.origin, Origin::Chosen | Origin::Pattern)
        };
        let has = move |condition: &&Condition| match condition {
            Condition::Some(Expr::In(digit, cells)) if **cells == Expr::Var(set) => match digit.as_ref() {
                Expr::Var(digit) => Some(*digit),
                _ => None,
            },
            _ => None,
        };
        self.conditions.iter().filter_map(has).filter(move |&name| own(name))
    }

    /// What is false where candidates are true: the places of a digit that all see all of these.
    pub fn seen_from(&self, digit: VarId, set: VarId) -> BTreeSet<Thing> {
        let every = |side: &Operand| side.quantifier == Quantifier::Every;
        let is_this = |side: &Operand| side.of == places(digit, Expr::Var(set));
        let mut out = BTreeSet::new();
        for condition in &self.conditions {
            let Condition::Sees(a, b) = condition else { continue };
            for (this, other) in [(a, b), (b, a)] {
                if every(a) && every(b) && is_this(this) {
                    out.extend(self.places_of(digit, &other.of));
                }
            }
        }
        out
    }

    /// The thing whose places of a digit these cells are.
    fn places_of(&self, digit: VarId, cells: &Expr) -> Option<Thing> {
        let Expr::Cells(noun) = cells else { return None };
        let Expr::In(same, of) = noun.as_ref() else { return None };
        match of.as_ref() {
            _ if **same != Expr::Var(digit) => None,
            Expr::Var(set) => self.thing(digit, *set),
            Expr::Cells(end) => match end.as_ref() {
                Expr::Var(end) if self.chain_ends().any(|one| one == *end) && self.is_of(*end, digit) => {
                    Some(Thing::End(*end))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The same for what sees a chain's end.
    pub fn seen_from_end(&self, end: VarId) -> BTreeSet<Thing> {
        let mut out = BTreeSet::new();
        for condition in &self.conditions {
            let Condition::Sees(a, b) = condition else { continue };
            for (this, other) in [(&a.of, &b.of), (&b.of, &a.of)] {
                let Expr::Cells(noun) = other else { continue };
                let Expr::In(digit, set) = noun.as_ref() else { continue };
                let (Expr::Var(digit), Expr::Var(set)) = (digit.as_ref(), set.as_ref()) else { continue };
                let every = a.quantifier == Quantifier::Every && b.quantifier == Quantifier::Every;
                if every && self.places_of(*digit, this) == Some(Thing::End(end)) {
                    out.extend(self.thing(*digit, *set));
                }
            }
        }
        out
    }
}

fn places(digit: VarId, cells: Expr) -> Expr {
    Expr::Cells(Box::new(Expr::In(Box::new(Expr::Var(digit)), Box::new(cells))))
}
