//! What a rule says of its names, as inferences from one thing to another. In: a variant, and the class whose inferences
//! count. Out: which two things are not both false, which sets lack one digit at most, what a true thing excludes.

use super::{Class, is_source};
use crate::lang::ir::{
    ChainEnd, Condition, Expr, FixedChain, Kind, LinkNode, LinkShape, LinkSource, OpenChain, Origin, PredicateId,
    Statement, VarId, VarShape, Variant,
};
use std::collections::BTreeSet;

/// What is false or true: candidates of a digit in a set or cell, the candidates of a chain's end, or all of a loop's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Thing {
    Of(VarId, VarId),
    End(VarId),
    Colour(VarId),
}

impl Thing {
    /// Its digit, if it is one in these cells.
    pub fn digit_in(&self, cells: VarId) -> Option<VarId> {
        match *self {
            Thing::Of(digit, of) if of == cells => Some(digit),
            _ => None,
        }
    }
}

/// The lines of a rule.
pub(super) struct Names<'v> {
    variant: &'v Variant,
    class: Class,
    lets: Vec<(VarId, &'v Expr)>,
    /// What it says of its names, outside of chains.
    pub conditions: Vec<&'v Condition>,
    trails: Vec<&'v FixedChain>,
    /// The chains of open length whose links the class knows, and the colours of such loops.
    chains: Vec<&'v OpenChain>,
    colours: Vec<[VarId; 2]>,
}

impl<'v> Names<'v> {
    pub fn of(variant: &'v Variant, sources: &'v [LinkSource], class: Class) -> Self {
        let (lets, conditions, trails) = (Vec::new(), Vec::new(), Vec::new());
        let (chains, colours) = (Vec::new(), Vec::new());
        let mut names = Names { variant, class, lets, conditions, trails, chains, colours };
        let known = |id: &String| sources.iter().any(|source| source.id == *id && is_source(source, class, false));
        for statement in &variant.body {
            match statement {
                Statement::Choose(choose) if choose.for_each.is_none() => {
                    choose.such_that.iter().for_each(|condition| names.add(condition));
                }
                Statement::Let { var, value } => names.lets.push((*var, value)),
                Statement::Require(condition) => names.add(condition),
                Statement::FixedChain(trail) => names.trails.push(trail),
                Statement::Graph(graph) if graph.strong.iter().all(known) => match &graph.shape {
                    LinkShape::Chain(chain) => names.chains.push(chain),
                    LinkShape::Loop(one) => names.colours.extend(one.colours),
                    LinkShape::Cluster(_) | LinkShape::Ring(_) => {}
                },
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
            Expr::Var(name) if self.chain_ends().any(|end| end == Thing::End(*name)) => {
                BTreeSet::from([Thing::End(*name)])
            }
            Expr::Var(name) => self.meaning(*name).map(|value| self.things(value)).unwrap_or_default(),
            Expr::CandidatesIn(digit, cells) => {
                digit.as_var().map(|digit| self.things_in(digit, cells)).unwrap_or_default()
            }
            _ => BTreeSet::new(),
        }
    }

    fn things_in(&self, digit: VarId, cells: &Expr) -> BTreeSet<Thing> {
        match cells {
            Expr::Union(parts) => parts.iter().flat_map(|part| self.things_in(digit, part)).collect(),
            Expr::Var(name) => match self.meaning(*name) {
                Some(value) => self.things_in(digit, value),
                None => self.thing(digit, *name).into_iter().collect(),
            },
            _ => BTreeSet::new(),
        }
    }

    /// What the candidates of a noun surely exclude all of, or of a colour one: each is of a digit in a cell that sees all places
    /// of it in these.
    pub fn excluding(&self, noun: &Expr) -> BTreeSet<Thing> {
        match noun {
            Expr::CandidatesIn(digit, cells) => {
                digit.as_var().map(|digit| self.excluding_in(digit, cells)).unwrap_or_default()
            }
            Expr::Intersection(a, b) => &self.excluding(a) | &self.excluding(b),
            Expr::Difference(all, _) => self.excluding(all),
            Expr::Excluded { every: true, candidates: of } => self.things(of),
            Expr::Excluded { every: false, candidates: of } => match of.as_ref() {
                Expr::Var(name) if self.colours.iter().flatten().any(|colour| colour == name) => {
                    BTreeSet::from([Thing::Colour(*name)])
                }
                _ => BTreeSet::new(),
            },
            _ => BTreeSet::new(),
        }
    }

    fn excluding_in(&self, digit: VarId, cells: &Expr) -> BTreeSet<Thing> {
        match cells {
            Expr::Difference(cells, _) => self.excluding_in(digit, cells),
            Expr::Intersection(a, b) => &self.excluding_in(digit, a) | &self.excluding_in(digit, b),
            Expr::Seeing { every: true, cells: of } => match of.as_ref() {
                Expr::CellsOf(noun) => match noun.as_candidates() {
                    Some((same, cells)) if same.is(digit) => self.things_in(digit, cells),
                    _ => BTreeSet::new(),
                },
                cells => self.things_in(digit, cells),
            },
            _ => BTreeSet::new(),
        }
    }

    fn meaning(&self, name: VarId) -> Option<&'v Expr> {
        self.lets.iter().find(|(var, _)| *var == name).map(|(_, value)| *value)
    }

    /// A digit in a cell or a set, if the class has such nodes.
    pub fn thing(&self, digit: VarId, cells: VarId) -> Option<Thing> {
        let named = self.variant.var(digit);
        let own = matches!(named.origin, Origin::Chosen | Origin::Pattern | Origin::Index);
        let node = match self.variant.var(cells).shape {
            VarShape::Single => true,
            VarShape::Set => self.is_group(cells) || self.class == Class::Sets && self.is_locked(cells),
            VarShape::Family => false,
        };
        (named.shape == VarShape::Single && own && node).then_some(Thing::Of(digit, cells))
    }

    pub fn is_single(&self, name: VarId) -> bool {
        self.variant.var(name).shape == VarShape::Single
    }

    fn is_group(&self, cells: VarId) -> bool {
        self.class >= Class::Groups && self.says(&PredicateId::Group.applied_to(vec![cells.into()]))
    }

    fn is_locked(&self, cells: VarId) -> bool {
        let within = |trail: &&FixedChain| {
            trail.links.iter().zip(trail.nodes.windows(2)).any(|(link, ends)| {
                link.strong && link.house.is_none() && ends[0].cells == cells && ends[1].cells == cells
            })
        };
        self.says(&Condition::AlmostLocked(Expr::Var(cells), 1)) || self.trails.iter().any(within)
    }

    pub fn says(&self, condition: &Condition) -> bool {
        self.conditions.contains(&condition)
    }

    /// The names that stand for one digit each, all different.
    pub fn digits(&self) -> impl Iterator<Item = VarId> {
        (0..self.variant.vars.len()).map(VarId).filter(|&name| {
            let var = self.variant.var(name);
            var.kind == Kind::Digit
                && var.shape == VarShape::Single
                && matches!(var.origin, Origin::Chosen | Origin::Pattern)
        })
    }

    /// Two things that are not both false.
    pub fn pairs(&self) -> Vec<(Thing, Thing)> {
        let mut out: Vec<_> = self.colours.iter().map(|[a, b]| (Thing::Colour(*a), Thing::Colour(*b))).collect();
        for chain in &self.chains {
            if let (Some(from), Some(to)) = (self.end(chain.from), self.end(chain.to)) {
                out.push((from, to));
            }
        }
        for (_, [a, b]) in self.trail_links().filter(|(strong, _)| *strong) {
            // Of the places in a house, parts are nodes where they are cells or groups.
            let part = |node: &LinkNode| self.is_single(node.cells) || self.is_group(node.cells);
            if a.cells == b.cells || self.class >= Class::Links && part(&a) && part(&b) {
                out.extend(self.thing(a.digit, a.cells).zip(self.thing(b.digit, b.cells)));
            }
        }
        if self.class >= Class::Links {
            out.extend(self.conditions.iter().filter_map(|condition| self.pair(condition)));
        }
        out
    }

    /// Two parts of the places of a digit in a house.
    fn pair(&self, condition: &Condition) -> Option<(Thing, Thing)> {
        let (digit, parts) = match condition {
            Condition::Predicate(PredicateId::Conjugate, args, _) => {
                (args[0].as_var()?, args[1..].iter().map(Expr::as_var).collect::<Option<Vec<_>>>()?)
            }
            Condition::Exactly(Expr::CellsOf(noun), cells) => (digit_in_house(noun)?, cells.clone()),
            Condition::Equal(noun, both) => {
                let digit = digit_in_house(noun)?;
                let (_, cells) = both.as_candidates().filter(|(same, _)| same.is(digit))?;
                let parts: Vec<VarId> = cells.parts().iter().map(Expr::as_var).collect::<Option<_>>()?;
                if !parts.iter().all(|&part| self.surely_has(part, digit)) {
                    return None;
                }
                (digit, parts)
            }
            _ => return None,
        };
        let [a, b] = parts.as_slice() else { return None };
        let part = |name: VarId| self.is_single(name) || self.is_group(name);
        (part(*a) && part(*b)).then(|| self.thing(digit, *a).zip(self.thing(digit, *b))).flatten()
    }

    /// Whether a rule says that a part of a house has a digit.
    fn surely_has(&self, part: VarId, digit: VarId) -> bool {
        let places = Expr::CandidatesIn(Box::new(Expr::Var(digit)), Box::new(Expr::Var(part)));
        self.conditions.iter().any(|condition| match condition {
            Condition::NotEmpty(Expr::Difference(noun, _)) => **noun == places,
            Condition::NotEmpty(noun) => *noun == places,
            Condition::Has(side, digits) => side.cells.is(part) && digits.is(digit),
            _ => false,
        })
    }

    /// The cells with two candidates, and the almost locked sets.
    pub fn locked(&self) -> BTreeSet<VarId> {
        let mut out = BTreeSet::new();
        for condition in &self.conditions {
            match condition {
                Condition::AlmostLocked(Expr::Var(set), 1) if self.class == Class::Sets => drop(out.insert(*set)),
                Condition::Exactly(Expr::Digits(of), digits) if digits.len() == 2 => match of.as_ref() {
                    Expr::Var(cell) if self.is_single(*cell) => drop(out.insert(*cell)),
                    _ => {}
                },
                _ => {}
            }
        }
        out
    }

    /// The digits that such a cell or set surely has.
    pub fn digits_of(&self, set: VarId) -> impl Iterator<Item = VarId> {
        let own = move |name: VarId| {
            let var = self.variant.var(name);
            var.shape == VarShape::Single && matches!(var.origin, Origin::Chosen | Origin::Pattern)
        };
        let has = move |condition: &&Condition| match condition {
            Condition::NotEmpty(Expr::CandidatesIn(digit, cells)) if cells.is(set) => {
                digit.as_var().into_iter().collect()
            }
            Condition::Within(digit, Expr::Digits(cells)) if cells.is(set) => digit.as_var().into_iter().collect(),
            Condition::Exactly(Expr::Digits(cells), digits) if cells.is(set) => digits.clone(),
            _ => Vec::new(),
        };
        self.conditions.iter().flat_map(has).filter(move |&name| own(name))
    }

    /// Whether a name runs over digits of a set in a conclusion.
    pub fn runs_over(&self, digit: VarId, set: VarId) -> bool {
        let runs = |(name, of): &(VarId, Expr)| {
            let mut of = of;
            while let Expr::Difference(all, _) = of {
                of = all;
            }
            *name == digit && matches!(of, Expr::Digits(cells) if cells.is(set))
        };
        self.variant.conclusions.iter().any(|one| one.for_each.as_ref().is_some_and(runs))
    }

    fn end(&self, end: ChainEnd) -> Option<Thing> {
        match end {
            ChainEnd::Candidate(name) => Some(Thing::End(name)),
            ChainEnd::At(node) => self.thing(node.digit, node.cells),
        }
    }

    pub fn chain_ends(&self) -> impl Iterator<Item = Thing> {
        self.chains.iter().flat_map(|chain| [chain.from, chain.to]).filter_map(|end| self.end(end))
    }

    /// The links of fixed chains, with whether they are strong.
    pub fn trail_links(&self) -> impl Iterator<Item = (bool, [LinkNode; 2])> {
        let links = |trail: &&'v FixedChain| trail.links.iter().zip(trail.nodes.windows(2));
        self.trails.iter().flat_map(links).map(|(link, ends)| (link.strong, [ends[0], ends[1]]))
    }
}

/// The digit of a noun that is a digit in a house.
fn digit_in_house(noun: &Expr) -> Option<VarId> {
    let (digit, cells) = noun.as_candidates()?;
    let in_house = matches!(cells, Expr::HouseCells(house) if house.as_var().is_some());
    digit.as_var().filter(|_| in_house)
}
