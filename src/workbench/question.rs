//! A question about a technique that does not match. In: a position, a technique, the cells and effects that its match
//! should have. Out: whether a match answers it, and the limits of a search for one.

use crate::engine::{Engine, Halt, Limits, Match, MemberId, Search, Value};
use crate::grid::{Candidate, Cell, Geometry, State, notation};
use crate::lang::ir::{LinkSource, Param, Technique, Variant};
use crate::solve::{Rulebook, Step, step_of};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Machine instructions and matches of one search.
const LIMITS: (u64, usize) = (3_000_000, 5_000);

/// The question.
pub struct Asked<'a> {
    /// The rulebook with the rule and everything it uses.
    pub rulebook: &'a Rulebook,
    /// The board.
    pub geometry: &'a Arc<Geometry>,
    /// The position.
    pub state: &'a State,
    /// The rule.
    pub technique: &'a Technique,
    /// Members to examine.
    pub members: &'a [MemberId],
    /// Cells that the match should be about.
    pub on: &'a [Cell],
    /// Expected eliminations.
    pub eliminate: &'a [Candidate],
    /// Expected placements.
    pub place: &'a [Candidate],
    /// Number of near misses wanted.
    pub most: usize,
    /// Returns true once the caller has cancelled: asked between two searches and while a result is put into words.
    pub enough: &'a dyn Fn() -> bool,
    /// Flags that end a search.
    pub halt: Halt,
}

/// Limits of one search.
pub(super) fn limits(asked: &Asked<'_>) -> Limits {
    Limits { instructions: LIMITS.0, matches: LIMITS.1, halt: asked.halt, ..Limits::default() }
}

/// Effects of a match, as text.
pub(super) fn shows(geometry: &Geometry, seen: &Seen) -> String {
    notation::deductions(geometry, &seen.found.eliminations, &seen.found.placements)
}

/// Returns true if a match has the requested cells and effects.
pub(super) fn fits(asked: &Asked<'_>, seen: &Seen, has_effect: bool) -> bool {
    let shown = |wanted: &[Candidate], list: &[Candidate]| wanted.iter().all(|one| list.contains(one));
    let none = asked.eliminate.is_empty() && asked.place.is_empty();
    let effect = shown(asked.eliminate, &seen.found.eliminations) && shown(asked.place, &seen.found.placements);
    about(asked, seen) && (none || has_effect && effect)
}

/// Returns true if a match cites the requested cells.
pub(super) fn about(asked: &Asked<'_>, seen: &Seen) -> bool {
    let cited = |cell: &Cell| seen.step.cites.cells.iter().any(|(known, _)| known == cell);
    asked.on.iter().all(cited)
}

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

/// Techniques compiled for one board: the examined one, then those it uses.
pub struct Subject {
    /// The examined technique, then those it uses.
    pub techniques: Vec<Technique>,
    engine: Engine,
}

/// A match and the step it is.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The match, with a value for each name.
    pub found: Match,
    /// In words.
    pub step: Step,
}

impl Subject {
    /// Compiles the techniques; `None` if one cannot be compiled for the board.
    pub fn new(techniques: Vec<Technique>, sources: &[LinkSource], geometry: &Arc<Geometry>) -> Option<Subject> {
        let engine = Engine::new(Arc::clone(geometry), &techniques, sources).ok()?;
        Some(Subject { techniques, engine })
    }

    /// Every match of the first technique, each pattern once, and whether a limit cut the search short.
    pub fn matches(&self, state: &State, limits: &Limits) -> (Vec<Seen>, bool) {
        self.matches_of(state, limits, &|_| true)
    }

    /// Every match of the selected members of the first technique, each pattern once, and whether a limit cut the search
    /// short.
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

/// Identity of a match: its effects, and the values of the chosen names in any roles.
pub fn key(seen: &Seen) -> (Vec<u32>, Vec<Candidate>, Vec<Candidate>, Vec<Value>) {
    let free = seen.step.bindings.iter().filter(|binding| binding.free);
    let mut values: Vec<Value> = free.map(|binding| binding.value.clone()).collect();
    values.sort();
    let Match { eliminations, placements, member, .. } = &seen.found;
    (member.args.clone(), eliminations.clone(), placements.clone(), values)
}
