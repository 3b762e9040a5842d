//! Searches of one technique. In: a technique, a position. Out: every match with its step, on one board ([`matches`]) or on several
//! ([`Engines`]). [`WhyNotQuery`] asks why the technique has no match with certain cells and deductions.

use crate::engine::{Engine, Halt, Limits, Match, MemberId, PlanError, SearchMode, SearchOutcome, Value};
use crate::grid::{Candidate, Cell, Geometry, State, notation};
use crate::lang::ir::{Param, Technique, Variant};
use crate::solve::{Rulebook, Step, step_of};
use std::collections::BTreeSet;
use std::sync::Arc;

const MAX_INSTRUCTIONS: u64 = 3_000_000;
const MAX_MATCHES: usize = 5_000;

/// The query why a technique does not match.
pub struct WhyNotQuery<'a> {
    /// The rulebook with the rule and everything it uses.
    pub rulebook: &'a Rulebook,
    pub geometry: &'a Arc<Geometry>,
    pub state: &'a State,
    pub technique: &'a Technique,
    pub members: &'a [MemberId],
    /// Cells that the match should cite.
    pub cells: &'a [Cell],
    pub eliminate: &'a [Candidate],
    pub place: &'a [Candidate],
    pub max_misses: usize,
    /// Returns true once the caller has cancelled. It is called between two searches and during the wording of a result.
    pub is_cancelled: &'a dyn Fn() -> bool,
    pub halt: Halt,
}

impl WhyNotQuery<'_> {
    pub(super) fn limits(&self) -> Limits {
        Limits { instructions: MAX_INSTRUCTIONS, matches: MAX_MATCHES, halt: self.halt, ..Limits::default() }
    }

    /// Returns true if the query names an expected elimination or placement.
    pub(super) fn expects_deduction(&self) -> bool {
        !(self.eliminate.is_empty() && self.place.is_empty())
    }

    /// Returns true if the match has all expected eliminations and placements.
    pub(super) fn is_deduced_by(&self, rule_match: &Match) -> bool {
        self.eliminate.iter().all(|expected| rule_match.eliminations.contains(expected))
            && self.place.iter().all(|expected| rule_match.placements.contains(expected))
    }

    pub(super) fn is_answered_by(&self, matched: &MatchedStep) -> bool {
        self.has_cells(matched) && self.is_deduced_by(&matched.rule_match)
    }

    pub(super) fn has_cells(&self, matched: &MatchedStep) -> bool {
        self.cells.iter().all(|cell| matched.step.cites.cells.iter().any(|(cited, _)| cited == cell))
    }
}

/// Writes the deductions of a match: `r1c1=5 r2c34<>3`.
pub(super) fn deduction_text(geometry: &Geometry, rule_match: &Match) -> String {
    notation::deductions(geometry, &rule_match.eliminations, &rule_match.placements)
}

/// Returns a technique with a single member and `variant` as its only variant.
pub fn only_member(technique: &Technique, member: &MemberId, variant: Variant) -> Technique {
    let params = technique.params.iter().zip(&member.args);
    Technique {
        params: params.map(|(param, &low)| Param { name: param.name.clone(), low, high: Some(low) }).collect(),
        variants: vec![variant],
        views: technique.views.iter().filter(|view| view.space == member.space).cloned().collect(),
        ..technique.clone()
    }
}

/// A technique and the techniques that it uses, compiled once for each board on which it is searched.
pub struct Engines<'r> {
    rulebook: &'r Rulebook,
    /// The examined technique, then the techniques that it uses.
    techniques: Vec<Technique>,
    /// Engines compiled up to now, one for each board.
    engines: Vec<Engine>,
}

impl<'r> Engines<'r> {
    /// Prepares searches without compiling anything yet.
    pub fn new(rulebook: &'r Rulebook, technique: &Technique) -> Engines<'r> {
        Engines { rulebook, techniques: rulebook.with_dependencies(vec![technique.clone()]), engines: Vec::new() }
    }

    /// Returns the engine for a board, and compiles it on the first call.
    ///
    /// # Errors
    /// The first technique that cannot be compiled for the board.
    pub fn for_board(&mut self, geometry: &Arc<Geometry>) -> Result<&Engine, PlanError> {
        let index = match self.engines.iter().position(|engine| engine.geometry().spec() == geometry.spec()) {
            Some(index) => index,
            None => {
                let engine = Engine::new(Arc::clone(geometry), &self.techniques, self.rulebook.sources());
                self.engines.push(engine.map_err(|mut errors| errors.swap_remove(0))?);
                self.engines.len() - 1
            }
        };
        Ok(&self.engines[index])
    }
}

/// Returns true if a member has the arguments of a test. A test without arguments applies to all members.
pub(super) fn is_selected(args: &[u32], member: &MemberId) -> bool {
    args.is_empty() || args == member.args
}

/// Searches the selected members of the engine's first technique. The iterator runs one search for each item.
pub(super) fn searches<'e>(
    engine: &'e Engine,
    state: &'e State,
    limits: &'e Limits,
    is_wanted: impl Fn(&MemberId) -> bool + 'e,
) -> impl Iterator<Item = (&'e MemberId, SearchOutcome)> + 'e {
    let mut position = engine.position(state);
    let members = engine.members().iter().enumerate();
    members
        .filter(move |(_, member)| member.technique == 0 && is_wanted(member))
        .map(move |(number, member)| (member, position.find(number, SearchMode::All, limits)))
}

#[derive(Clone, Debug)]
pub struct MatchedStep {
    pub rule_match: Match,
    pub step: Step,
}

/// The matches of a search, each pattern once.
pub struct Matches {
    pub steps: Vec<MatchedStep>,
    pub is_cut: bool,
}

/// Compiles a technique and the techniques that it uses for one board; `None` if one cannot be compiled.
pub fn compiled(rulebook: &Rulebook, technique: &Technique, geometry: &Arc<Geometry>) -> Option<Engine> {
    let techniques = rulebook.with_dependencies(vec![technique.clone()]);
    Engine::new(Arc::clone(geometry), &techniques, rulebook.sources()).ok()
}

/// Returns every match of the selected members of the engine's first technique.
pub fn matches(engine: &Engine, state: &State, limits: &Limits, is_wanted: &dyn Fn(&MemberId) -> bool) -> Matches {
    let mut matches = Matches { steps: Vec::new(), is_cut: false };
    let mut keys = BTreeSet::new();
    for (_, found) in searches(engine, state, limits, is_wanted) {
        matches.is_cut |= !found.limits.is_empty();
        for rule_match in found.matches {
            let step = step_of(&rule_match, engine.techniques(), engine.geometry(), state);
            let matched = MatchedStep { rule_match, step };
            if keys.insert(MatchKey::new(&matched)) {
                matches.steps.push(matched);
            }
        }
    }
    matches
}

/// Identity of a match. Values are sorted without their names, so a pattern whose names have exchanged values has the same key.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MatchKey {
    args: Vec<u32>,
    eliminations: Vec<Candidate>,
    placements: Vec<Candidate>,
    /// Values that the rule chose.
    pub values: Vec<Value>,
}

impl MatchKey {
    pub fn new(matched: &MatchedStep) -> MatchKey {
        let chosen = matched.step.bindings.iter().filter(|binding| binding.is_chosen);
        let mut values: Vec<Value> = chosen.map(|binding| binding.value.clone()).collect();
        values.sort();
        let Match { eliminations, placements, member, .. } = &matched.rule_match;
        let (args, eliminations, placements) = (member.args.clone(), eliminations.clone(), placements.clone());
        MatchKey { args, eliminations, placements, values }
    }
}
