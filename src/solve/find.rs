//! Every match on one state. In: a state, perhaps the name of a technique. Out: steps in the order of the
//! profile, each deduction from the same pattern once.

use super::build::step_of;
use super::catalogue::Target;
use super::meaning::{Meaning, header_of};
use super::names::{folded, names_of, nearest};
use super::path::Cut;
use super::row::Row;
use super::solver::Solver;
use super::step::Step;
use crate::engine::{LimitHit, Limits, Match, MemberId, Position, Search, Value};
use crate::grid::{Candidate, State};
use crate::lang::ir::Technique;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// The matches.
    pub steps: Vec<Step>,
    /// Searches that a limit cut short.
    pub cuts: Vec<Cut>,
}

/// Whether a step is one that was asked for.
type Asked<'s> = Box<dyn Fn(&Step, &Technique) -> bool + 's>;

/// Matches on a state as they are asked for: one technique is searched at a time, and no more than is wanted.
pub struct Finds<'s> {
    solver: &'s Solver,
    state: &'s State,
    position: Position<'s>,
    /// Those to be searched yet.
    members: std::vec::IntoIter<usize>,
    asked: Asked<'s>,
    /// The steps so far of techniques that are not searched to the end.
    seen: BTreeSet<Key>,
    /// Of the member that was searched last.
    ready: std::vec::IntoIter<Match>,
    /// A step that was looked at before its turn.
    first: Option<Step>,
    /// The limit on the matches of a technique, or of a member of a family.
    most: usize,
    /// Matches so far of each technique and its parameters.
    counts: BTreeMap<(usize, Vec<u32>), usize>,
    /// The member that was searched last.
    current: usize,
    cuts: Vec<Cut>,
}

/// Raw matches that are searched for each one that is wanted, and at least.
const READINGS: usize = 10;
/// See above.
const FEW: usize = 10_000;

impl Finds<'_> {
    /// Searches so far that a limit cut short.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// The members that were not searched, `id` or `id(4)`, because a limit on the whole run was reached.
    pub fn not_searched(&self) -> Vec<String> {
        let left = self.members.as_slice().iter().filter(|_| self.has_ended());
        let mut labels: Vec<String> =
            left.map(|&member| self.solver.member_label(&self.solver.engine.members()[member])).collect();
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

    /// All of them.
    fn all(mut self) -> Findings {
        let steps = self.by_ref().collect();
        Findings { steps, cuts: self.cuts }
    }

    /// Returns true once time or memory is used up: every further search would end at once.
    fn has_ended(&self) -> bool {
        self.cuts.iter().any(|cut| matches!(cut.limit, LimitHit::Time | LimitHit::Memory))
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

    /// Returns the limit on the matches of one search: many of them may be one pattern read in several ways.
    fn raw_limit(&self) -> usize {
        self.most.saturating_mul(READINGS).clamp(FEW, self.solver.limits.matches.max(FEW)).max(self.most)
    }

    /// Returns how many matches of a member are wanted yet.
    fn left(&self, member: usize) -> usize {
        let id = &self.solver.engine.members()[member];
        self.most - self.counts.get(&(id.technique, id.args.clone())).copied().unwrap_or(0).min(self.most)
    }

    /// Notes limits that cut the current search short; a member of several cases is reported once.
    fn report(&mut self, hit: &[LimitHit]) {
        let member = self.current;
        let new = |limit: &&LimitHit| self.solver.cuts(member, &[**limit]).iter().all(|cut| !self.cuts.contains(cut));
        let new: Vec<LimitHit> = hit.iter().filter(new).copied().collect();
        self.solver.add_cuts(&mut self.cuts, member, &new);
    }

    /// Drops the steps of techniques that are not searched any more.
    fn forget_finished(&mut self, current: usize) {
        let members = self.solver.engine.members();
        let open: BTreeSet<usize> =
            self.members.as_slice().iter().chain([&current]).map(|&at| members[at].technique).collect();
        self.seen.retain(|(technique, ..)| open.contains(technique));
    }
}

impl Iterator for Finds<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if let Some(step) = self.first.take() {
            return Some(step);
        }
        loop {
            while let Some(found) = self.ready.next() {
                let technique = &self.solver.techniques[found.member.technique];
                let step = step_of(&found, &self.solver.techniques, self.solver.geometry(), self.state);
                let step = self.solver.marked(step);
                if (self.asked)(&step, technique) && self.seen.insert(key(&step)) {
                    *self.counts.entry((step.member.technique, step.member.args.clone())).or_default() += 1;
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
    /// As typed.
    pub typed: String,
    /// Nearest first.
    pub nearest: Vec<String>,
}

type Key = (usize, Vec<u32>, Vec<Candidate>, Vec<Candidate>, Vec<Value>);

impl Solver {
    /// Every match of every technique that the profile uses; with a name, of every technique, case or shape
    /// that has it ([`Meaning`]), whether the profile uses it or not.
    ///
    /// # Errors
    /// When nothing has the name.
    pub fn find_all(&self, state: &State, name: Option<&str>) -> Result<Findings, UnknownTechnique> {
        Ok(self.find(state, name, self.limits.matches)?.all())
    }

    /// Finds the same, one match at a time as they are asked for. The search for each technique, or member of a family, ends
    /// after `most` matches of it.
    ///
    /// # Errors
    /// When nothing has the name.
    pub fn find<'s>(
        &'s self,
        state: &'s State,
        name: Option<&str>,
        most: usize,
    ) -> Result<Finds<'s>, UnknownTechnique> {
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
        // Some names are known only once there is a match.
        let open = |member: &MemberId| names_of(&self.techniques[member.technique], member).open;
        let members = self.members_that(open);
        let mut found = self.finds(members, state, most, move |step, technique| meaning.has_step(step, technique));
        if found.is_empty() { Err(self.unknown(typed)) } else { Ok(found) }
    }

    pub(super) fn unknown(&self, typed: &str) -> UnknownTechnique {
        let nearest = nearest(typed, self.names().iter().map(String::as_str));
        UnknownTechnique { typed: typed.into(), nearest }
    }

    /// Every match of any of the targets; a target without a rule has none.
    pub fn find_targets(&self, state: &State, targets: &[Target]) -> Findings {
        let rows: Vec<(Row, &Target)> = targets.iter().map(|target| (target.row(), target)).collect();
        let fits = |row: &Row, member: &MemberId| row.speaks_of(&self.techniques[member.technique], member);
        let fitting = |member: &usize| rows.iter().any(|(row, _)| fits(row, &self.engine.members()[*member]));
        let members = (0..self.engine.members().len()).filter(fitting).collect();
        let asked = |step: &Step, _: &Technique| {
            rows.iter().any(|(row, target)| fits(row, &step.member) && target.is_called(&step.name))
        };
        self.finds(members, state, self.limits.matches, asked).all()
    }

    fn finds<'s>(
        &'s self,
        members: Vec<usize>,
        state: &'s State,
        most: usize,
        asked: impl Fn(&Step, &Technique) -> bool + 's,
    ) -> Finds<'s> {
        Finds {
            solver: self,
            state,
            position: self.position(state),
            members: members.into_iter(),
            asked: Box::new(asked),
            seen: BTreeSet::new(),
            ready: Vec::new().into_iter(),
            first: None,
            most,
            counts: BTreeMap::new(),
            current: 0,
            cuts: Vec::new(),
        }
    }

    pub(super) fn members_in_use(&self) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let ranked = self.ranking.ranks.iter().flat_map(|rank| rank.members.iter().copied());
        ranked.filter(|&member| seen.insert(member)).collect()
    }

    /// Members of some sort, those in use first.
    pub(super) fn members_that(&self, keep: impl Fn(&MemberId) -> bool) -> Vec<usize> {
        let mut order = self.members_in_use();
        let used: BTreeSet<usize> = order.iter().copied().collect();
        order.extend((0..self.engine.members().len()).filter(|member| !used.contains(member)));
        order.retain(|&member| keep(&self.engine.members()[member]));
        order
    }

    /// Returns true if a technique, case or shape has this name.
    pub fn has_name(&self, typed: &str) -> bool {
        let wanted = folded(typed);
        self.names().iter().any(|name| folded(name) == wanted)
    }

    /// Every name that can be asked for: ids and display names, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for member in self.engine.members() {
            let technique = &self.techniques[member.technique];
            names.insert(technique.id.clone());
            names.extend(header_of(technique, member));
            names.extend(names_of(technique, member).all().cloned());
        }
        names.into_iter().collect()
    }
}

/// Two matches are one if they are of one technique, show the same and bind the same things, whatever the
/// names: a pattern read from its other end is no second step.
fn key(step: &Step) -> Key {
    let mut values: Vec<Value> =
        step.bindings.iter().filter(|binding| binding.free).map(|binding| binding.value.clone()).collect();
    values.sort();
    (step.member.technique, step.member.args.clone(), step.eliminations.clone(), step.placements.clone(), values)
}
