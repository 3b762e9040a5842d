//! Searches of one technique. In: a technique, a position, and for a question why it does not match the cells and effects that the
//! match should have. Out: every match with its step, on one board ([`Subject`]) or on several ([`Engines`]), and whether a match
//! answers the question.

use crate::engine::{Engine, Found, Halt, Limits, Match, MemberId, PlanError, Search, Value};
use crate::grid::{Candidate, Cell, Geometry, State, notation};
use crate::lang::ir::{LinkSource, Param, Technique, Variant};
use crate::solve::{Rulebook, Step, step_of};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Machine instructions and matches of one search.
const LIMITS: (u64, usize) = (3_000_000, 5_000);

/// The question.
pub struct WhyNotQuery<'a> {
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

impl WhyNotQuery<'_> {
    /// Limits of one search.
    pub(super) fn limits(&self) -> Limits {
        Limits { instructions: LIMITS.0, matches: LIMITS.1, halt: self.halt, ..Limits::default() }
    }

    /// Returns true if the match should have a given effect.
    pub(super) fn wants_effect(&self) -> bool {
        !(self.eliminate.is_empty() && self.place.is_empty())
    }

    /// Returns true if a match has the requested effects.
    pub(super) fn has_effects(&self, found: &Match) -> bool {
        self.eliminate.iter().all(|one| found.eliminations.contains(one))
            && self.place.iter().all(|one| found.placements.contains(one))
    }

    /// Returns true if a match has the requested cells and effects.
    pub(super) fn fits(&self, seen: &MatchedStep, has_effect: bool) -> bool {
        self.is_about(seen) && (!self.wants_effect() || has_effect && self.has_effects(&seen.found))
    }

    /// Returns true if a match cites the requested cells.
    pub(super) fn is_about(&self, seen: &MatchedStep) -> bool {
        self.on.iter().all(|cell| seen.step.cites.cells.iter().any(|(cited, _)| cited == cell))
    }
}

/// Effects of a match, as text.
pub(super) fn shows(geometry: &Geometry, found: &Match) -> String {
    notation::deductions(geometry, &found.eliminations, &found.placements)
}

/// One member of a technique as a technique of its own: no other member, and one case.
pub fn only_member(technique: &Technique, member: &MemberId, variant: Variant) -> Technique {
    let params = technique.params.iter().zip(&member.args);
    Technique {
        params: params.map(|(param, &low)| Param { name: param.name.clone(), low, high: Some(low) }).collect(),
        variants: vec![variant],
        views: technique.views.iter().filter(|view| view.space == member.space).cloned().collect(),
        ..technique.clone()
    }
}

/// A technique and those it uses, compiled once for each board on which it is searched.
pub(super) struct Engines<'r> {
    rulebook: &'r Rulebook,
    /// The examined technique, then those it uses.
    pub techniques: Vec<Technique>,
    engines: Vec<Engine>,
}

impl<'r> Engines<'r> {
    /// Prepares searches without compiling anything yet.
    pub fn new(rulebook: &'r Rulebook, technique: &Technique) -> Engines<'r> {
        Engines { rulebook, techniques: rulebook.with_used(vec![technique.clone()]), engines: Vec::new() }
    }

    /// The engine for a board.
    ///
    /// # Errors
    /// The first technique that cannot be compiled for the board.
    pub fn on(&mut self, geometry: &Arc<Geometry>) -> Result<&Engine, PlanError> {
        let known = self.engines.iter().position(|engine| engine.geometry().spec() == geometry.spec());
        let at = match known {
            Some(at) => at,
            None => {
                let engine = Engine::new(Arc::clone(geometry), &self.techniques, self.rulebook.sources());
                self.engines.push(engine.map_err(|mut errors| errors.swap_remove(0))?);
                self.engines.len() - 1
            }
        };
        Ok(&self.engines[at])
    }
}

/// Returns true if a test with these arguments is about a member; one without arguments is about all.
pub(super) fn is_of(args: &[u32], member: &MemberId) -> bool {
    args.is_empty() || args == member.args
}

/// Searches the selected members of an engine's first technique for every match, one after the other.
pub(super) fn searches<'e>(
    engine: &'e Engine,
    state: &'e State,
    limits: &'e Limits,
    wanted: impl Fn(&MemberId) -> bool + 'e,
) -> impl Iterator<Item = (&'e MemberId, Found)> + 'e {
    let mut position = engine.on(state);
    let members = engine.members().iter().enumerate();
    members
        .filter(move |(_, member)| member.technique == 0 && wanted(member))
        .map(move |(number, member)| (member, position.find(number, Search::All, limits)))
}

/// Techniques compiled for one board: the examined one, then those it uses.
pub struct Subject {
    /// The examined technique, then those it uses.
    pub techniques: Vec<Technique>,
    engine: Engine,
}

/// A match and the step it is.
#[derive(Clone, Debug)]
pub struct MatchedStep {
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
    pub fn matches(&self, state: &State, limits: &Limits) -> (Vec<MatchedStep>, bool) {
        self.matches_of(state, limits, &|_| true)
    }

    /// Every match of the selected members of the first technique, each pattern once, and whether a limit cut the search
    /// short.
    pub fn matches_of(
        &self,
        state: &State,
        limits: &Limits,
        wanted: &dyn Fn(&MemberId) -> bool,
    ) -> (Vec<MatchedStep>, bool) {
        let (mut out, mut cut) = (Vec::new(), false);
        let mut known = BTreeSet::new();
        for (_, Found { matches, limits }) in searches(&self.engine, state, limits, wanted) {
            cut |= !limits.is_empty();
            for found in matches {
                let step = step_of(&found, &self.techniques, self.engine.geometry(), state);
                let seen = MatchedStep { found, step };
                if known.insert(key(&seen)) {
                    out.push(seen);
                }
            }
        }
        (out, cut)
    }
}

/// Identity of a match: its effects, and the values of the chosen names in any roles.
pub fn key(seen: &MatchedStep) -> (Vec<u32>, Vec<Candidate>, Vec<Candidate>, Vec<Value>) {
    let free = seen.step.bindings.iter().filter(|binding| binding.free);
    let mut values: Vec<Value> = free.map(|binding| binding.value.clone()).collect();
    values.sort();
    let Match { eliminations, placements, member, .. } = &seen.found;
    (member.args.clone(), eliminations.clone(), placements.clone(), values)
}
