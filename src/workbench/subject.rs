//! A technique under the lamp. In: a rulebook, a board, a technique. Out: its raw matches on a position, and those of
//! rules that are made of it, each with the step it is.

use crate::engine::{Engine, Limits, Match, MemberId, Search, Value};
use crate::grid::{Candidate, Geometry, State};
use crate::lang::ir::{LinkSource, Param, Technique, Variant};
use crate::solve::{Step, step_of};
use std::collections::BTreeSet;
use std::sync::Arc;

/// One member of a technique as a technique of its own: no other member, and one case.
pub fn only_member(technique: &Technique, member: &MemberId, variant: Variant) -> Technique {
    let pinned = |(param, value): (&Param, &u32)| Param { name: param.name.clone(), low: *value, high: Some(*value) };
    let views = technique.views.iter().filter(|view| view.space == member.space).cloned();
    Technique {
        params: technique.params.iter().zip(&member.args).map(pinned).collect(),
        variants: vec![variant],
        views: views.collect(),
        ..technique.clone()
    }
}

/// Techniques compiled for one board: the first is the one that is looked at.
pub struct Subject {
    /// The first, and those it uses.
    pub techniques: Vec<Technique>,
    engine: Engine,
}

/// A match and the step it is.
#[derive(Clone, Debug)]
pub struct Seen {
    /// With a value for each name.
    pub found: Match,
    /// In words.
    pub step: Step,
}

impl Subject {
    /// Compiles; none where the technique cannot be compiled for the board.
    pub fn new(techniques: Vec<Technique>, sources: &[LinkSource], geometry: &Arc<Geometry>) -> Option<Subject> {
        let engine = Engine::new(Arc::clone(geometry), &techniques, sources).ok()?;
        Some(Subject { techniques, engine })
    }

    /// Every match of the first technique, each pattern once, and whether a limit cut the search short.
    pub fn matches(&self, state: &State, limits: &Limits) -> (Vec<Seen>, bool) {
        self.matches_of(state, limits, &|_| true)
    }

    /// The same of some of its members.
    pub fn matches_of(&self, state: &State, limits: &Limits, wanted: &dyn Fn(&MemberId) -> bool) -> (Vec<Seen>, bool) {
        let mut position = self.engine.on(state);
        let (mut out, mut cut) = (Vec::new(), false);
        let mut known = BTreeSet::new();
        for (number, member) in self.engine.members().iter().enumerate() {
            if member.technique != 0 || !wanted(member) {
                continue;
            }
            let found = position.find(number, Search::All, limits);
            cut |= !found.limits.is_empty();
            for found in found.matches {
                let step = step_of(&found, &self.techniques, self.engine.geometry(), state);
                let seen = Seen { found, step };
                if known.insert(key(&seen)) {
                    out.push(seen);
                }
            }
        }
        (out, cut)
    }
}

/// What makes two matches the same: what they show, and the values of the names that the rule chose, whichever has which.
pub fn key(seen: &Seen) -> (Vec<u32>, Vec<Candidate>, Vec<Candidate>, Vec<Value>) {
    let free = seen.step.bindings.iter().filter(|binding| binding.free);
    let mut values: Vec<Value> = free.map(|binding| binding.value.clone()).collect();
    values.sort();
    let Match { eliminations, placements, member, .. } = &seen.found;
    (member.args.clone(), eliminations.clone(), placements.clone(), values)
}
