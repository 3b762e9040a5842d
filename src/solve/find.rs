//! Finds all matches on one state. In: a state, optionally the name of a technique, optionally the solution.
//!
//! - [`StepSearch`] returns steps in the order of the profile, without repetitions.
//! - [`Survey`] returns the number of matches of each member (a technique with parameter values and a variant), and
//!   their false deductions. A survey builds no steps, because it examines many states.

use super::names::{Target, TypedName, header_of, names_of, nearest};
use super::path::{Cut, Path};
use super::profile::ProfileRow;
use super::solver::Solver;
use super::step::{Step, apply};
use crate::engine::{
    ContradictedDigits, LimitHit, Limits, Match, MemberId, PathCache, Position, SearchMode, SearchOutcome, Value,
};
use crate::grid::{Candidate, Digit, State};
use crate::lang::ir::Technique;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSteps {
    pub steps: Vec<Step>,
    /// Searches that a limit cut short.
    pub cuts: Vec<Cut>,
}

/// A test that returns true for the requested steps.
type Filter<'s> = Box<dyn Fn(&Step, &Technique) -> bool + 's>;

/// A lazy iterator over the steps on a state: a member is searched when its first step is requested.
pub struct StepSearch<'s> {
    solver: &'s Solver,
    state: &'s State,
    position: Position<'s>,
    members: std::vec::IntoIter<usize>,
    filter: Filter<'s>,
    /// Keys of the returned steps, without the keys of techniques whose search is complete.
    seen: BTreeSet<StepKey>,
    matches: std::vec::IntoIter<Match>,
    /// The first step, if [`StepSearch::is_empty`] has searched for it.
    first: Option<Step>,
    /// Maximum number of steps for each technique with its parameters.
    max_steps: usize,
    /// Number of steps returned for each technique with its parameters.
    counts: BTreeMap<(usize, Vec<u32>), usize>,
    current_member: usize,
    cuts: Vec<Cut>,
}

/// Number of matches to search for each requested step: several matches may bind the same pattern to names in different
/// order.
const MATCHES_PER_STEP: usize = 10;
/// Minimum of the limit on the matches of one search.
const MIN_MATCH_LIMIT: usize = 10_000;

impl StepSearch<'_> {
    /// Returns the searches that a limit has cut short so far.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// Returns the labels of members (`id` or `id(4)`) that were not searched because a limit on the whole run was
    /// reached.
    pub fn not_searched(&self) -> Vec<String> {
        if !self.has_ended() {
            return Vec::new();
        }
        let remaining = self.members.as_slice().iter();
        let mut labels: Vec<String> =
            remaining.map(|&member| self.solver.member_label(&self.solver.members()[member])).collect();
        labels.dedup();
        labels
    }

    /// Searches up to the first step. Returns true if there is none.
    pub fn is_empty(&mut self) -> bool {
        if self.first.is_none() {
            self.first = self.next();
        }
        self.first.is_none()
    }

    fn collect_steps(mut self) -> FoundSteps {
        let steps = self.by_ref().collect();
        FoundSteps { steps, cuts: self.cuts }
    }

    /// Returns true once time or memory is used up: every further search would end at once.
    fn has_ended(&self) -> bool {
        self.cuts.iter().any(Cut::ends_run)
    }

    /// Searches the next member. Returns false if there is none, or time or memory is used up.
    fn search_next_member(&mut self) -> bool {
        if self.has_ended() {
            return false;
        }
        let Some(member) = self.members.next() else { return false };
        self.forget_finished(member);
        self.current_member = member;
        // Other variants of this technique may have returned the maximum number of steps.
        if self.remaining_steps(member) == 0 {
            self.add_cuts(&[LimitHit::Matches]);
            return true;
        }
        let limits = Limits { matches: self.match_limit(), ..self.solver.limits };
        let result = self.position.find(member, SearchMode::All, &limits);
        self.matches = result.matches.into_iter();
        self.add_cuts(&result.limits);
        true
    }

    fn match_limit(&self) -> usize {
        let limit = self.max_steps.saturating_mul(MATCHES_PER_STEP).min(self.solver.limits.matches);
        limit.max(MIN_MATCH_LIMIT).max(self.max_steps)
    }

    /// Returns the number of steps that may still be returned for a member.
    fn remaining_steps(&self, member: usize) -> usize {
        let id = &self.solver.members()[member];
        let count = self.counts.get(&(id.technique, id.args.clone())).copied().unwrap_or(0);
        self.max_steps.saturating_sub(count)
    }

    /// Records limits that cut the current search short. A cut contains no variant, so variants of one member are reported
    /// once.
    fn add_cuts(&mut self, limits: &[LimitHit]) {
        let mut new_limits = limits.to_vec();
        new_limits.retain(|limit| !self.cuts.contains(&self.solver.cut(self.current_member, *limit)));
        self.solver.add_cuts(&mut self.cuts, self.current_member, &new_limits);
    }

    /// Drops the keys of techniques that have no further members to search. `current` is the member that is searched
    /// next.
    fn forget_finished(&mut self, current: usize) {
        let members = self.solver.members();
        let remaining = self.members.as_slice().iter().chain([&current]);
        let unfinished: BTreeSet<usize> = remaining.map(|&member| members[member].technique).collect();
        self.seen.retain(|(technique, ..)| unfinished.contains(technique));
    }
}

impl Iterator for StepSearch<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if let Some(step) = self.first.take() {
            return Some(step);
        }
        loop {
            while let Some(rule_match) = self.matches.next() {
                let step = self.solver.step_of(&rule_match, self.state);
                let technique = &self.solver.techniques[rule_match.member.technique];
                if (self.filter)(&step, technique) && self.seen.insert(step_key(&step)) {
                    *self.counts.entry((rule_match.member.technique, rule_match.member.args)).or_default() += 1;
                    if self.remaining_steps(self.current_member) == 0 && self.matches.len() > 0 {
                        self.matches = Vec::new().into_iter();
                        self.add_cuts(&[LimitHit::Matches]);
                    }
                    return Some(step);
                }
            }
            if !self.search_next_member() {
                return None;
            }
        }
    }
}

/// A name that no technique has, with similar names that exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTechnique {
    pub typed: String,
    /// Existing names that resemble the typed name, the nearest first.
    pub nearest: Vec<String>,
}

/// Technique, parameters, eliminations, placements and values of a step: its identity among the found steps.
type StepKey = (usize, Vec<u32>, Vec<Candidate>, Vec<Candidate>, Vec<Value>);

impl Solver {
    /// Finds all steps of the techniques that the profile uses. With a name, finds the steps that the name can mean
    /// ([`TypedName`]), even if the profile does not use the technique. The name of a technique means all of its steps;
    /// the title of a variant, or the name in a `called` line, means some of them.
    ///
    /// # Errors
    /// If nothing has the name.
    pub fn find_all(&self, state: &State, name: Option<&str>) -> Result<FoundSteps, UnknownTechnique> {
        Ok(self.find(state, name, self.limits.matches)?.collect_steps())
    }

    /// Like [`Solver::find_all`], one step at a time. The search for each technique with its parameters ends after
    /// `max_steps` steps.
    ///
    /// # Errors
    /// If nothing has the name.
    pub fn find<'s>(
        &'s self,
        state: &'s State,
        name: Option<&str>,
        max_steps: usize,
    ) -> Result<StepSearch<'s>, UnknownTechnique> {
        let Some(typed) = name else {
            return Ok(self.step_search(self.members_in_use(), state, max_steps, |_, _| true));
        };
        let typed_name = TypedName::new(typed, &self.techniques);
        let members = self.members_where(|member| typed_name.covers_member(&self.techniques[member.technique], member));
        // A known technique may have no member on this board. The search then finds nothing, which is no error.
        let is_known =
            typed_name.is_catalogued() || self.techniques.iter().any(|technique| typed_name.is_id(technique));
        let covers_step = move |step: &Step, technique: &Technique| typed_name.covers_step(step, technique);
        if is_known || !members.is_empty() {
            return Ok(self.step_search(members, state, max_steps, covers_step));
        }
        // The name may still depend on the match. Only a search shows if some step has the name.
        let members = self.members_where(|member| names_of(&self.techniques[member.technique], member).may_have(typed));
        let mut search = self.step_search(members, state, max_steps, covers_step);
        if search.is_empty() { Err(self.unknown(typed)) } else { Ok(search) }
    }

    pub(super) fn unknown(&self, typed: &str) -> UnknownTechnique {
        let nearest = nearest(typed, self.names().iter().map(String::as_str));
        UnknownTechnique { typed: typed.into(), nearest }
    }

    /// Finds the steps of the targets of a [`Catalogue`](super::Catalogue) entry. A target without a rule in the rulebook
    /// has no steps.
    pub fn find_targets(&self, state: &State, targets: &[Target]) -> FoundSteps {
        let rows: Vec<(ProfileRow, &Target)> = targets.iter().map(|target| (target.row(), target)).collect();
        let covered =
            self.members().iter().enumerate().filter(|(_, member)| {
                rows.iter().any(|(row, _)| row.covers(&self.techniques[member.technique], member))
            });
        let members = covered.map(|(index, _)| index).collect();
        let search = self.step_search(members, state, self.limits.matches, |step, technique| {
            rows.iter().any(|(row, target)| row.covers(technique, &step.member) && target.has_name(&step.name))
        });
        search.collect_steps()
    }

    fn step_search<'s>(
        &'s self,
        members: Vec<usize>,
        state: &'s State,
        max_steps: usize,
        filter: impl Fn(&Step, &Technique) -> bool + 's,
    ) -> StepSearch<'s> {
        StepSearch {
            solver: self,
            state,
            position: self.engine.position(state),
            members: members.into_iter(),
            filter: Box::new(filter),
            seen: BTreeSet::new(),
            matches: Vec::new().into_iter(),
            first: None,
            max_steps,
            counts: BTreeMap::new(),
            current_member: 0,
            cuts: Vec::new(),
        }
    }

    /// Returns the members that the profile uses, in its order.
    pub(super) fn members_in_use(&self) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let ranked = self.ranking.ranks.iter().flat_map(|rank| rank.members.iter().copied());
        ranked.filter(|&member| seen.insert(member)).collect()
    }

    /// Returns the members that satisfy `predicate`, members that the profile uses first.
    fn members_where(&self, predicate: impl Fn(&MemberId) -> bool) -> Vec<usize> {
        let mut members = self.members_in_use();
        let used: BTreeSet<usize> = members.iter().copied().collect();
        members.extend((0..self.members().len()).filter(|member| !used.contains(member)));
        members.retain(|&member| predicate(&self.members()[member]));
        members
    }

    /// Returns all names that [`Solver::find`] knows: ids and display names, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for member in self.members() {
            let technique = &self.techniques[member.technique];
            names.insert(technique.id.clone());
            names.extend(header_of(technique, member));
            names.extend(names_of(technique, member).listed().cloned());
        }
        names.into_iter().collect()
    }
}

/// Returns the identity of a step. Values are sorted without their names, so a pattern read from its other end has the
/// same key.
fn step_key(step: &Step) -> StepKey {
    let mut values: Vec<Value> =
        step.bindings.iter().filter(|binding| binding.is_chosen).map(|binding| binding.value.clone()).collect();
    values.sort();
    (step.member.technique, step.member.args.clone(), step.eliminations.clone(), step.placements.clone(), values)
}

/// Searches of members on one state. The searches share the tables of the state.
pub struct Survey<'s> {
    solver: &'s Solver,
    position: Position<'s>,
}

/// The numbers of matches and deductions of one member on a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchCounts {
    pub matches: usize,
    pub eliminations: usize,
    pub placements: usize,
    /// False deductions of each unsound match, in match order.
    pub false_deductions: Vec<FalseDeductions>,
    /// Limits that cut the search short.
    pub limits: Vec<LimitHit>,
}

/// Deductions of one match that contradict the solution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FalseDeductions {
    pub eliminations: Vec<Candidate>,
    pub placements: Vec<Candidate>,
}

/// Returns the deductions that contradict the solution; `None` if all are right. `solution` has a digit for each cell,
/// row by row.
pub fn false_deductions(
    eliminations: &[Candidate],
    placements: &[Candidate],
    solution: &[Digit],
) -> Option<FalseDeductions> {
    let is_true = |candidate: &Candidate| solution[candidate.cell.index()] == candidate.digit;
    let eliminations: Vec<Candidate> = eliminations.iter().copied().filter(is_true).collect();
    let placements: Vec<Candidate> = placements.iter().copied().filter(|candidate| !is_true(candidate)).collect();
    (!eliminations.is_empty() || !placements.is_empty()).then_some(FalseDeductions { eliminations, placements })
}

impl Solver {
    pub fn survey<'s>(&'s self, state: &'s State) -> Survey<'s> {
        Survey { solver: self, position: self.engine.position(state) }
    }

    /// Prepares searches that find only deductions against the solution. Such searches are much faster. The states of one
    /// path share `path_cache`.
    pub fn survey_against<'s>(
        &'s self,
        state: &'s State,
        solution: &'s ContradictedDigits,
        path_cache: &'s PathCache,
    ) -> Survey<'s> {
        Survey { solver: self, position: self.engine.position_against(state, solution, path_cache) }
    }

    /// Returns the members with a name ([`TypedName`]) or, without a name, the members in use, as sorted indexes into
    /// [`Solver::members`].
    ///
    /// # Errors
    /// If nothing has the name.
    pub fn members_by_name(&self, name: Option<&str>) -> Result<Vec<usize>, UnknownTechnique> {
        let Some(typed) = name else {
            let mut members = self.members_in_use();
            members.sort_unstable();
            return Ok(members);
        };
        // Names that depend on the match are ignored, because every technique with such names would be returned.
        let typed_name = TypedName::new(typed, &self.techniques);
        let mut members =
            self.members_where(|member| typed_name.covers_member(&self.techniques[member.technique], member));
        if members.is_empty() && !self.techniques.iter().any(|technique| typed_name.is_id(technique)) {
            return Err(self.unknown(typed));
        }
        members.sort_unstable();
        Ok(members)
    }

    /// Returns the states of a path up to the first guess or wrong step. Also returns true if a step is wrong, which means
    /// that the step contradicts the solution. A match on a later state says nothing about its rule, because the state may
    /// have no solution.
    pub fn states(&self, path: &Path, solution: &[Digit]) -> (Vec<State>, bool) {
        let mut states = vec![path.start.clone()];
        let mut state = path.start.clone();
        for step in &path.steps {
            if step.trial.is_some() {
                break;
            }
            if false_deductions(&step.eliminations, &step.placements, solution).is_some() {
                return (states, true);
            }
            apply(step, self.geometry(), &mut state);
            states.push(state.clone());
        }
        (states, false)
    }
}

impl Survey<'_> {
    /// Finds all matches of a member, given by its index in [`Solver::members`].
    pub fn find(&mut self, member: usize) -> SearchOutcome {
        self.position.find(member, SearchMode::All, &self.solver.limits)
    }

    /// Counts the matches of a member, given by its index in [`Solver::members`], and compares them with the solution,
    /// a digit for each cell.
    pub fn count_matches(&mut self, member: usize, solution: &[Digit]) -> MatchCounts {
        // Counting needs no reasons, and a search for effects alone is faster.
        let result = self.position.find(member, SearchMode::AllEffects, &self.solver.limits);
        let mut counts = MatchCounts { matches: result.matches.len(), limits: result.limits, ..MatchCounts::default() };
        for rule_match in &result.matches {
            counts.eliminations += rule_match.eliminations.len();
            counts.placements += rule_match.placements.len();
            counts.false_deductions.extend(false_deductions(
                &rule_match.eliminations,
                &rule_match.placements,
                solution,
            ));
        }
        counts
    }
}
