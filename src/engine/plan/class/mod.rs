//! Classes of rules by what they can eliminate. In: a variant and the link sources. Out: the smallest class whose inferences
//! bring every candidate that a match eliminates to a contradiction, if there is one.
//!
//! It is supposed that a candidate excludes all that a conclusion says one of is true, and what follows by the lines of the rule
//! is worked out on its names: of a chain that has one end false the other is true, an almost locked set that lacks a
//! digit has its others, and what all places of a digit see lacks it. Each inference leads from one thing to another.
//! Where that comes to a contradiction, so does every candidate that a match eliminates, and by the same steps.
//! Whether the rule is right makes no difference.

mod names;
mod seen;

use crate::lang::ir::{Claim, Conclusion, Expr, LinkShape, LinkSource, Statement, VarId, Variant};
use names::{Names, Thing};
use serde::Serialize;
use std::collections::BTreeSet;

/// By what a candidate that can be eliminated comes to a contradiction; each class has the inferences of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Class {
    /// Cells with two candidates.
    Cells,
    /// The same with houses that have two places for a digit.
    Links,
    /// The same with all places of a digit in a box and a line as one.
    Groups,
    /// The same with almost locked sets.
    Sets,
}

impl Class {
    /// As the plan says it.
    pub fn word(self) -> &'static str {
        match self {
            Class::Cells => "cells",
            Class::Links => "links",
            Class::Groups => "groups",
            Class::Sets => "sets",
        }
    }
}

/// From the narrowest to the widest.
const ALL: [Class; 4] = [Class::Cells, Class::Links, Class::Groups, Class::Sets];

/// The class of a link: the first that infers by it.
pub(super) fn of_source(source: &LinkSource) -> Option<Class> {
    ALL.into_iter().find(|&class| is_source(source, class, false))
}

/// The class of a rule.
pub(super) fn of(variant: &Variant, sources: &[LinkSource]) -> Option<Class> {
    if !variant.guardians.is_empty() || variant.conclusions.is_empty() {
        return None;
    }
    ALL.into_iter().find(|&class| {
        let names = Names::of(variant, sources, class);
        variant.conclusions.iter().all(|one| is_refuted(&names, one) || is_loop(variant, sources, class, one))
    })
}

/// Whether a conclusion is that of a loop, all of whose links the class knows.
fn is_loop(variant: &Variant, sources: &[LinkSource], class: Class, conclusion: &Conclusion) -> bool {
    let Claim::Links { loop_name, .. } = &conclusion.claim else { return false };
    let named = variant.body.iter().filter_map(Statement::graph).find(|graph| match &graph.shape {
        LinkShape::Loop(one) => one.name == *loop_name,
        _ => false,
    });
    named.is_some_and(|graph| {
        graph.strong.iter().all(|id| sources.iter().any(|source| source.id == *id && is_source(source, class, true)))
    })
}

/// Whether a link is one that a class infers by; `whole` asks it as well of what the source says where just one end is true.
fn is_source(source: &LinkSource, class: Class, whole: bool) -> bool {
    let names = Names::of(&source.pattern, &[], class);
    let [left, right] = [source.left, source.right].map(|end| names.thing(end.digit, end.cells));
    let (Some(left), Some(right)) = (left, right) else { return false };
    // Both ends are true where what the source says fails, and then neither can go on around a loop.
    let both = |conclusion: &Conclusion| {
        starts(&names, conclusion).is_some_and(|starts| {
            starts.into_iter().all(|start| {
                let known = Known::from(&names, start);
                known.contradiction || known.held.contains(&left) && known.held.contains(&right)
            })
        })
    };
    source.pattern.guardians.is_empty()
        && [(left, right), (right, left)].into_iter().all(|(from, to)| {
            let known = Known::from(&names, Start { gone: BTreeSet::from([from]), meant: None });
            known.contradiction || known.held.contains(&to)
        })
        && (!whole || source.pattern.conclusions.iter().all(both))
}

/// Whether every candidate that a conclusion eliminates comes to a contradiction.
fn is_refuted(names: &Names<'_>, conclusion: &Conclusion) -> bool {
    let starts = starts(names, conclusion);
    starts.is_some_and(|starts| starts.into_iter().all(|start| Known::from(names, start).contradiction))
}

/// What is false where a candidate that a conclusion eliminates is true.
struct Start {
    gone: BTreeSet<Thing>,
    /// The running name, and the other name that it is here.
    meant: Option<(VarId, VarId)>,
}

/// One for each way that the running name can be one of other names.
fn starts(names: &Names<'_>, conclusion: &Conclusion) -> Option<Vec<Start>> {
    let gone = |name: Option<(VarId, VarId)>| -> Option<Start> {
        let things = match &conclusion.claim {
            Claim::SomeTrue(noun) => names.things(noun),
            Claim::Eliminate(noun) => names.excluding(noun),
            _ => return None,
        };
        let meant = |thing: &Thing| match (*thing, name) {
            (Thing::Of(digit, cells), Some((running, meant))) if digit == running => Thing::Of(meant, cells),
            (thing, _) => thing,
        };
        Some(Start { gone: things.iter().map(meant).collect(), meant: name })
    };
    match &conclusion.for_each {
        None => Some(vec![gone(None)?]),
        Some((running, Expr::Union(parts))) => {
            parts.iter().map(|part| gone(Some((*running, part.as_var()?)))).collect()
        }
        // It may be any of the other names but those that are taken out.
        Some((running, of)) => {
            let all = names.digits().filter(|name| !is_without(of, *name));
            let mut out = vec![gone(None)?];
            for meant in all {
                out.push(gone(Some((*running, meant)))?);
            }
            Some(out)
        }
    }
}

/// Whether an expression surely does not hold a name.
fn is_without(of: &Expr, name: VarId) -> bool {
    let Expr::Difference(rest, taken) = of else { return false };
    taken.parts().iter().any(|part| part.is(name)) || is_without(rest, name)
}

/// What is known.
struct Known<'n, 'v> {
    names: &'n Names<'v>,
    meant: Option<(VarId, VarId)>,
    gone: BTreeSet<Thing>,
    held: BTreeSet<Thing>,
    contradiction: bool,
}

impl<'n, 'v> Known<'n, 'v> {
    /// What follows where some things are false.
    fn from(names: &'n Names<'v>, Start { gone, meant }: Start) -> Self {
        let mut known = Known { names, meant, gone, held: BTreeSet::new(), contradiction: false };
        loop {
            let before = (known.gone.len(), known.held.len());
            known.go_on();
            known.contradiction |= !known.gone.is_disjoint(&known.held);
            if known.contradiction || before == (known.gone.len(), known.held.len()) {
                return known;
            }
        }
    }

    /// Draws what follows.
    fn go_on(&mut self) {
        let names = self.names;
        for (a, b) in names.pairs() {
            match (self.gone.contains(&a), self.gone.contains(&b)) {
                (true, true) => self.contradiction = true,
                (true, false) => drop(self.held.insert(b)),
                (false, true) => drop(self.held.insert(a)),
                (false, false) => {}
            }
        }
        for set in names.locked() {
            let digits: BTreeSet<VarId> = names.digits_of(set).collect();
            // It loses only what it has; a running digit is none of the others.
            let lost: Vec<VarId> = self.gone.iter().filter_map(|thing| thing.digit_in(set)).collect();
            let runs = |digit| match self.meant {
                Some((running, meant)) if meant == digit => names.runs_over(running, set),
                _ => names.runs_over(digit, set),
            };
            for digit in lost.into_iter().filter(|&digit| digits.contains(&digit) || runs(digit)) {
                self.held.extend(digits.iter().filter(|&&other| other != digit).map(|&other| Thing::Of(other, set)));
            }
        }
        let seen: Vec<Thing> = self.held.iter().flat_map(|&held| names.seen_from(held)).collect();
        self.gone.extend(seen);
    }
}
