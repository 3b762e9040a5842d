//! Rules whose matches say, in the words of almost locked sets and houses, why a candidate cannot be true. In: a variant
//! and the link sources. Out: whether it is such a rule.
//!
//! Its conclusion is that one of some candidates is true. It is supposed that a candidate excludes all of these, and what
//! follows by the lines of the rule is worked out on its names: of a chain that has one end false the other is
//! true, an almost locked set that lacks a digit has its others, and what all places of a digit see lacks it. Where
//! that comes to a contradiction, so does every candidate that a match eliminates, and by the same steps: a search that
//! asks for candidates that come to none finds nothing.

use crate::lang::ir::{
    Chain, ChainEnd, Claim, Condition, Expr, LinkSource, Operand, Origin, Quantifier, Statement, Trail, TrailNode,
    VarId, VarShape, Variant,
};
use std::collections::BTreeSet;

/// What is false or true: candidates of a digit in a set or cell, or the candidates of a chain's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Of(VarId, VarId),
    End(VarId),
}

/// Whether every candidate that a match eliminates comes to a contradiction.
pub(super) fn is(variant: &Variant, sources: &[LinkSource]) -> bool {
    let [conclusion] = variant.conclusions.as_slice() else { return false };
    let (Claim::Some(noun), None) = (&conclusion.claim, &conclusion.per) else { return false };
    if !variant.guardians.is_empty() {
        return false;
    }
    let mut names = Names { variant, sources, lets: Vec::new(), conditions: Vec::new() };
    names.read();
    let mut known = Known { names: &names, gone: names.things(noun), held: BTreeSet::new() };
    loop {
        let before = (known.gone.len(), known.held.len());
        if known.go_on() {
            return true;
        }
        if before == (known.gone.len(), known.held.len()) {
            return false;
        }
    }
}

/// The lines of a rule.
struct Names<'v> {
    variant: &'v Variant,
    sources: &'v [LinkSource],
    lets: Vec<(VarId, &'v Expr)>,
    /// What it says of its names, outside of chains.
    conditions: Vec<&'v Condition>,
}

impl<'v> Names<'v> {
    fn read(&mut self) {
        for statement in &self.variant.body {
            match statement {
                Statement::Choose(choose) if choose.per.is_none() => {
                    choose.such_that.iter().for_each(|condition| self.add(condition));
                }
                Statement::Let { var, value } => self.lets.push((*var, value)),
                Statement::Require(condition) => self.add(condition),
                _ => {}
            }
        }
    }

    fn add(&mut self, condition: &'v Condition) {
        match condition {
            Condition::And(parts) => parts.iter().for_each(|part| self.add(part)),
            other => self.conditions.push(other),
        }
    }

    /// The candidates of a noun, as far as they are those of a digit in a named set or cell.
    fn things(&self, noun: &Expr) -> BTreeSet<Thing> {
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
    fn chains(&self) -> impl Iterator<Item = &'v Chain> {
        let plain = |name: &String| self.sources.iter().any(|source| source.id == *name && is_plain(source));
        self.variant.body.iter().filter_map(move |statement| match statement {
            Statement::Chain(chain) if chain.strong.iter().all(plain) => Some(chain),
            _ => None,
        })
    }

    fn trails(&self) -> impl Iterator<Item = &'v Trail> {
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
    fn locked(&self) -> impl Iterator<Item = VarId> {
        self.conditions.iter().filter_map(|condition| match condition {
            Condition::AlmostLocked(Expr::Var(set), 1) => Some(*set),
            _ => None,
        })
    }

    /// The digits that a set surely has, by names that stand for different ones.
    fn digits_of(&self, set: VarId) -> impl Iterator<Item = VarId> {
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
    fn seen_from(&self, digit: VarId, set: VarId) -> BTreeSet<Thing> {
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
    fn seen_from_end(&self, end: VarId) -> BTreeSet<Thing> {
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

/// What is known so far.
struct Known<'n, 'v> {
    names: &'n Names<'v>,
    gone: BTreeSet<Thing>,
    held: BTreeSet<Thing>,
}

impl Known<'_, '_> {
    /// Draws what follows; `true` is a contradiction.
    fn go_on(&mut self) -> bool {
        let names = self.names;
        let node = |node: &TrailNode| Thing::Of(node.digit, node.cell);
        for trail in names.trails() {
            let (Some(left), Some(right)) = (trail.nodes.first(), trail.nodes.last()) else { continue };
            if self.either(node(left), node(right)) {
                return true;
            }
        }
        for chain in names.chains() {
            if let (ChainEnd::Candidate(from), ChainEnd::Candidate(to)) = (chain.from, chain.to)
                && from != to
                && self.either(Thing::End(from), Thing::End(to))
            {
                return true;
            }
        }
        for set in names.locked() {
            let digits: BTreeSet<VarId> = names.digits_of(set).collect();
            for &digit in digits.iter().filter(|&&digit| self.gone.contains(&Thing::Of(digit, set))) {
                let others = digits.iter().filter(|&&other| other != digit);
                let others: Vec<Thing> = others.map(|&other| Thing::Of(other, set)).collect();
                if others.iter().any(|other| self.gone.contains(other)) {
                    return true;
                }
                self.held.extend(others);
            }
        }
        let seen = self.held.iter().flat_map(|held| match held {
            Thing::Of(digit, set) => names.seen_from(*digit, *set),
            Thing::End(end) => names.seen_from_end(*end),
        });
        self.gone.extend(seen.collect::<Vec<_>>());
        false
    }

    /// One of two is true; `true` where neither is.
    fn either(&mut self, a: Thing, b: Thing) -> bool {
        match (self.gone.contains(&a), self.gone.contains(&b)) {
            (true, true) => return true,
            (true, false) => self.held.insert(b),
            (false, true) => self.held.insert(a),
            (false, false) => false,
        };
        false
    }
}

fn places(digit: VarId, cells: Expr) -> Expr {
    Expr::Cells(Box::new(Expr::In(Box::new(Expr::Var(digit)), Box::new(cells))))
}

/// Whether a link is that of two digits of an almost locked set (one cell is one), or of the places of a digit in a house.
fn is_plain(source: &LinkSource) -> bool {
    let LinkSource { left, right, pattern, .. } = source;
    let mut names = Names { variant: pattern, sources: &[], lets: Vec::new(), conditions: Vec::new() };
    names.read();
    let set = Expr::Var(left.cell);
    let inside = left.cell == right.cell
        && names.conditions.iter().any(|condition| match condition {
            Condition::AlmostLocked(of, 1) => *of == set,
            Condition::Exactly(Expr::Digits(of), digits) => {
                **of == set && digits.len() == 2 && digits.contains(&left.digit) && digits.contains(&right.digit)
            }
            _ => false,
        });
    let in_house = left.digit == right.digit
        && names.conditions.iter().any(|condition| match condition {
            Condition::Exactly(Expr::Cells(noun), cells) => {
                is_house(noun, left.digit)
                    && cells.len() == 2
                    && cells.contains(&left.cell)
                    && cells.contains(&right.cell)
            }
            Condition::Equal(noun, both) => {
                let parts = Expr::Union(vec![Expr::Var(left.cell), Expr::Var(right.cell)]);
                is_house(noun, left.digit) && *both == Expr::In(Box::new(Expr::Var(left.digit)), Box::new(parts))
            }
            _ => false,
        });
    pattern.guardians.is_empty() && (inside || in_house)
}

/// Whether a noun is a digit in a house.
fn is_house(noun: &Expr, digit: VarId) -> bool {
    let Expr::In(of, cells) = noun else { return false };
    let house = matches!(cells.as_ref(), Expr::CellsOf(house) if matches!(house.as_ref(), Expr::Var(_)));
    **of == Expr::Var(digit) && house
}
