//! Rules whose matches say, in the words of almost locked sets and houses, why a candidate cannot be true. In: a variant
//! and the link sources. Out: whether it is such a rule.
//!
//! Its conclusion is that one of some candidates is true. It is supposed that a candidate excludes all of these, and what
//! follows by the lines of the rule is worked out on its names: of a chain that has one end false the other is
//! true, an almost locked set that lacks a digit has its others, and what all places of a digit see lacks it. Where
//! that comes to a contradiction, so does every candidate that a match eliminates, and by the same steps: a search that
//! asks for candidates that come to none finds nothing.

mod links;
mod names;

use crate::lang::ir::{ChainEnd, Claim, LinkSource, TrailNode, VarId, Variant};
use names::{Names, Thing};
use std::collections::BTreeSet;

/// Whether every candidate that a match eliminates comes to a contradiction.
pub(super) fn is(variant: &Variant, sources: &[LinkSource]) -> bool {
    let [conclusion] = variant.conclusions.as_slice() else { return false };
    let (Claim::Some(noun), None) = (&conclusion.claim, &conclusion.per) else { return false };
    if !variant.guardians.is_empty() {
        return false;
    }
    let names = Names::of(variant, sources);
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
