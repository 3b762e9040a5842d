//! All matches on one state. In: a state, perhaps the name of a technique; perhaps the solution. Out: steps in the order of the profile, of
//! matches with the same pattern and the same deductions only the first ([`StepSearch`]); or the matches of one member after the other, not
//! turned into steps, in numbers with the false ones ([`Survey`]): on many states of many puzzles only their deductions count.

use super::names::{Meaning, Target, fold_name, header_of, names_of, nearest};
use super::path::{Cut, Path};
use super::profile::Row;
use super::solver::Solver;
use super::step::{Step, apply};
use crate::engine::{Aim, Found, LimitHit, Limits, Match, MemberId, Memory, Position, Search, Value};
use crate::grid::{Candidate, Digit, State};
use crate::lang::ir::Technique;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Steps that were found on a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSteps {
    /// The steps.
    pub steps: Vec<Step>,
    /// Searches that a limit cut short.
    pub cuts: Vec<Cut>,
}

/// A test that requested steps pass.
type Filter<'s> = Box<dyn Fn(&Step, &Technique) -> bool + 's>;

/// An iterator over the steps on a state, which searches one technique at a time, and no further than requested.
pub struct StepSearch<'s> {
    solver: &'s Solver,
    state: &'s State,
    position: Position<'s>,
    /// Members still to search.
    members: std::vec::IntoIter<usize>,
    filter: Filter<'s>,
    /// Steps so far of techniques that are not finished.
    seen: BTreeSet<StepKey>,
    /// Matches of the member that was searched last.
    ready: std::vec::IntoIter<Match>,
    /// The first step, if [`StepSearch::is_empty`] has searched for it.
    first: Option<Step>,
    /// Most steps of a technique with its parameters.
    most: usize,
    /// Steps so far of each technique with its parameters.
    counts: BTreeMap<(usize, Vec<u32>), usize>,
    /// The member that was searched last.
    current: usize,
    cuts: Vec<Cut>,
}

/// Matches to search for each requested step, since many may be one pattern read in several ways.
const READINGS: usize = 10;
/// Fewest matches to search.
const FEW: usize = 10_000;

impl StepSearch<'_> {
    /// Returns the searches so far that a limit cut short.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// Returns the labels of members (`id` or `id(4)`) that were not searched because a limit on the whole run was reached.
    pub fn not_searched(&self) -> Vec<String> {
        let left = self.members.as_slice().iter().filter(|_| self.has_ended());
        let mut labels: Vec<String> =
            left.map(|&member| self.solver.member_label(&self.solver.members()[member])).collect();
        labels.dedup();
        labels
    }

    /// Returns true if there is no match; searches up to the first.
    pub fn is_empty(&mut self) -> bool {
        if self.first.is_none() {
            self.first = self.next();
        }
        self.first.is_none()
    }

    /// Returns all remaining steps.
    fn all(mut self) -> FoundSteps {
        let steps = self.by_ref().collect();
        FoundSteps { steps, cuts: self.cuts }
    }

    /// Returns true once time or memory is used up: every further search would end at once.
    fn has_ended(&self) -> bool {
        self.cuts.iter().any(Cut::ends_run)
    }

    /// Searches the next member; returns false if there is none.
    fn search(&mut self) -> bool {
        if self.has_ended() {
            return false;
        }
        let Some(member) = self.members.next() else { return false };
        self.forget_finished(member);
        self.current = member;
        if self.left(member) == 0 {
            self.report(&[LimitHit::Matches]);
            return true;
        }
        let limits = Limits { matches: self.raw_limit(), ..self.solver.limits };
        let found = self.position.find(member, Search::All, &limits);
        self.ready = found.matches.into_iter();
        self.report(&found.limits);
        true
    }

    /// Returns the limit on the matches of one search.
    fn raw_limit(&self) -> usize {
        self.most.saturating_mul(READINGS).clamp(FEW, self.solver.limits.matches.max(FEW)).max(self.most)
    }

    /// Returns the number of steps that are still requested of a member.
    fn left(&self, member: usize) -> usize {
        let id = &self.solver.members()[member];
        self.most - self.counts.get(&(id.technique, id.args.clone())).copied().unwrap_or(0).min(self.most)
    }

    /// Records limits that cut the current search short; a member of several cases is reported once.
    fn report(&mut self, hit: &[LimitHit]) {
        let mut new = hit.to_vec();
        new.retain(|limit| !self.cuts.contains(&self.solver.cut(self.current, *limit)));
        self.solver.add_cuts(&mut self.cuts, self.current, &new);
    }

    /// Forgets the steps of finished techniques.
    fn forget_finished(&mut self, current: usize) {
        let members = self.solver.members();
        let open: BTreeSet<usize> =
            self.members.as_slice().iter().chain([&current]).map(|&at| members[at].technique).collect();
        self.seen.retain(|(technique, ..)| open.contains(technique));
    }
}

impl Iterator for StepSearch<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if let Some(step) = self.first.take() {
            return Some(step);
        }
        loop {
            while let Some(found) = self.ready.next() {
                let step = self.solver.step_of(&found, self.state);
                let technique = &self.solver.techniques[found.member.technique];
                if (self.filter)(&step, technique) && self.seen.insert(key(&step)) {
                    *self.counts.entry((found.member.technique, found.member.args)).or_default() += 1;
                    if self.left(self.current) == 0 && self.ready.len() > 0 {
                        self.ready = Vec::new().into_iter();
                        self.report(&[LimitHit::Matches]);
                    }
                    return Some(step);
                }
            }
            if !self.search() {
                return None;
            }
        }
    }
}

/// A name that no technique has, with the nearest that exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTechnique {
    /// The name as typed.
    pub typed: String,
    /// Names that resemble it, the nearest first.
    pub nearest: Vec<String>,
}

/// Technique, parameters, eliminations, placements and values of a step.
type StepKey = (usize, Vec<u32>, Vec<Candidate>, Vec<Candidate>, Vec<Value>);

impl Solver {
    /// Finds all steps of the techniques that the profile uses; with a name, of all techniques, cases and shapes that have it
    /// ([`Meaning`]), whether the profile uses them or not.
    ///
    /// # Errors
    /// When nothing has the name.
    pub fn find_all(&self, state: &State, name: Option<&str>) -> Result<FoundSteps, UnknownTechnique> {
        Ok(self.find(state, name, self.limits.matches)?.all())
    }

    /// Like [`Solver::find_all`], one step at a time. The search for each technique with its parameters ends after `most` steps.
    ///
    /// # Errors
    /// When nothing has the name.
    pub fn find<'s>(
        &'s self,
        state: &'s State,
        name: Option<&str>,
        most: usize,
    ) -> Result<StepSearch<'s>, UnknownTechnique> {
        let Some(typed) = name else {
            return Ok(self.finds(self.members_in_use(), state, most, |_, _| true));
        };
        let meaning = Meaning::new(typed, &self.techniques);
        let named = self.members_that(|member| meaning.has_member(&self.techniques[member.technique], member));
        // A technique can be known and have no member on this board: then there is nothing to find.
        let known = !meaning.is_uncatalogued() || self.techniques.iter().any(|technique| meaning.is_id(technique));
        if !named.is_empty() || known {
            return Ok(self.finds(named, state, most, move |step, technique| meaning.has_step(step, technique)));
        }
        // Some names depend on the match.
        let members = self.members_that(|member| names_of(&self.techniques[member.technique], member).depends_on_match);
        let mut found = self.finds(members, state, most, move |step, technique| meaning.has_step(step, technique));
        if found.is_empty() { Err(self.unknown(typed)) } else { Ok(found) }
    }

    pub(super) fn unknown(&self, typed: &str) -> UnknownTechnique {
        let nearest = nearest(typed, self.names().iter().map(String::as_str));
        UnknownTechnique { typed: typed.into(), nearest }
    }

    /// Finds all steps that one of the targets means; a target without a rule has none.
    pub fn find_targets(&self, state: &State, targets: &[Target]) -> FoundSteps {
        let rows: Vec<(Row, &Target)> = targets.iter().map(|target| (target.row(), target)).collect();
        let fitting =
            self.members().iter().enumerate().filter(|(_, member)| {
                rows.iter().any(|(row, _)| row.covers(&self.techniques[member.technique], member))
            });
        let members = fitting.map(|(at, _)| at).collect();
        let found = self.finds(members, state, self.limits.matches, |step, technique| {
            rows.iter().any(|(row, target)| row.covers(technique, &step.member) && target.is_called(&step.name))
        });
        found.all()
    }

    fn finds<'s>(
        &'s self,
        members: Vec<usize>,
        state: &'s State,
        most: usize,
        filter: impl Fn(&Step, &Technique) -> bool + 's,
    ) -> StepSearch<'s> {
        StepSearch {
            solver: self,
            state,
            position: self.engine.on(state),
            members: members.into_iter(),
            filter: Box::new(filter),
            seen: BTreeSet::new(),
            ready: Vec::new().into_iter(),
            first: None,
            most,
            counts: BTreeMap::new(),
            current: 0,
            cuts: Vec::new(),
        }
    }

    /// Returns the members that the profile uses, in its order.
    pub(super) fn members_in_use(&self) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let ranked = self.ranking.ranks.iter().flat_map(|rank| rank.members.iter().copied());
        ranked.filter(|&member| seen.insert(member)).collect()
    }

    /// Returns the members that pass a test, those in use first.
    pub(super) fn members_that(&self, keep: impl Fn(&MemberId) -> bool) -> Vec<usize> {
        let mut order = self.members_in_use();
        let used: BTreeSet<usize> = order.iter().copied().collect();
        order.extend((0..self.members().len()).filter(|member| !used.contains(member)));
        order.retain(|&member| keep(&self.members()[member]));
        order
    }

    /// Returns true if a technique, case or shape has this name.
    pub fn has_name(&self, typed: &str) -> bool {
        let wanted = fold_name(typed);
        self.names().iter().any(|name| fold_name(name) == wanted)
    }

    /// Returns all names that [`Solver::find`] knows: ids and display names, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for member in self.members() {
            let technique = &self.techniques[member.technique];
            names.insert(technique.id.clone());
            names.extend(header_of(technique, member));
            names.extend(names_of(technique, member).all().cloned());
        }
        names.into_iter().collect()
    }
}

/// Returns the key by which steps are compared. It has values without their names: a pattern read from its other end is no second step.
fn key(step: &Step) -> StepKey {
    let mut values: Vec<Value> =
        step.bindings.iter().filter(|binding| binding.free).map(|binding| binding.value.clone()).collect();
    values.sort();
    (step.member.technique, step.member.args.clone(), step.eliminations.clone(), step.placements.clone(), values)
}

/// A state on which members are searched, one after the other.
pub struct Survey<'s> {
    solver: &'s Solver,
    position: Position<'s>,
}

/// Matches of one member on a state, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchCounts {
    /// Number of matches.
    pub matches: usize,
    /// Number of their eliminations.
    pub eliminations: usize,
    /// Number of their placements.
    pub placements: usize,
    /// False deductions of each unsound match, in match order.
    pub false_deductions: Vec<FalseDeductions>,
    /// Limits that cut the search short.
    pub limits: Vec<LimitHit>,
}

/// Deductions that contradict the solution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FalseDeductions {
    /// Eliminations of true candidates.
    pub eliminations: Vec<Candidate>,
    /// Placements of false candidates.
    pub placements: Vec<Candidate>,
}

/// Returns the deductions that contradict the solution (a digit for each cell, row by row); `None` if all are right.
pub fn false_deductions(
    eliminations: &[Candidate],
    placements: &[Candidate],
    solution: &[Digit],
) -> Option<FalseDeductions> {
    let [eliminations, placements] = [(eliminations, true), (placements, false)].map(|(list, wrong)| {
        list.iter().copied().filter(|one| (solution[one.cell.index()] == one.digit) == wrong).collect::<Vec<_>>()
    });
    (!eliminations.is_empty() || !placements.is_empty()).then_some(FalseDeductions { eliminations, placements })
}

impl Solver {
    /// Prepares searches on a state, which share everything that is derived from it.
    pub fn survey<'s>(&'s self, state: &'s State) -> Survey<'s> {
        Survey { solver: self, position: self.engine.on(state) }
    }

    /// Prepares searches for deductions that contradict the solution only, which is much faster. `memory` is shared by the states of one
    /// path.
    pub fn survey_against<'s>(&'s self, state: &'s State, solution: &'s Aim, memory: &'s Memory) -> Survey<'s> {
        Survey { solver: self, position: self.engine.with_aim(state, solution, memory) }
    }

    /// Returns the members that a name may mean ([`Meaning`]), or those in use if there is no name, as sorted indexes into
    /// [`Solver::members`].
    ///
    /// # Errors
    /// When nothing has the name.
    pub fn members_by_name(&self, name: Option<&str>) -> Result<Vec<usize>, UnknownTechnique> {
        let Some(typed) = name else {
            let mut members = self.members_in_use();
            members.sort_unstable();
            return Ok(members);
        };
        // Names that depend on the match are not considered: every technique that builds its name on another could have them.
        let meaning = Meaning::new(typed, &self.techniques);
        let mut members = self.members_that(|member| meaning.has_member(&self.techniques[member.technique], member));
        if members.is_empty() && !self.techniques.iter().any(|technique| meaning.is_id(technique)) {
            return Err(self.unknown(typed));
        }
        members.sort_unstable();
        Ok(members)
    }

    /// Returns the states of a path up to the first guess or the first step that contradicts the solution, since later matches say nothing
    /// about the rules. Also returns true if such a step was found.
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
    pub fn find(&mut self, member: usize) -> Found {
        self.position.find(member, Search::All, &self.solver.limits)
    }

    /// Compares all matches of a member, given by its index in [`Solver::members`], with the solution, a digit for each cell.
    pub fn count_matches(&mut self, member: usize, solution: &[Digit]) -> MatchCounts {
        let found = self.position.find(member, Search::Effects, &self.solver.limits);
        let mut out = MatchCounts { matches: found.matches.len(), limits: found.limits, ..MatchCounts::default() };
        for one in &found.matches {
            out.eliminations += one.eliminations.len();
            out.placements += one.placements.len();
            out.false_deductions.extend(false_deductions(&one.eliminations, &one.placements, solution));
        }
        out
    }
}
