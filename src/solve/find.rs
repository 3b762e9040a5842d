//! Every match on one state. In: a state, perhaps the name of a technique. Out: steps in the order of the
//! profile, each deduction from the same pattern once.

use super::build::step_of;
use super::catalogue::{Target, alias};
use super::names::{folded, names_of, nearest};
use super::path::Cut;
use super::solver::Solver;
use super::step::Step;
use crate::engine::{Limits, Match, MemberId, Position, Search, Value};
use crate::grid::{Candidate, State};
use crate::lang::ir::Technique;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

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
    seen: BTreeSet<Key>,
    /// Of the member that was searched last.
    ready: std::vec::IntoIter<Match>,
    /// A step that was looked at before its turn.
    first: Option<Step>,
    /// How many are wanted yet.
    left: usize,
    cuts: Vec<Cut>,
}

impl Finds<'_> {
    /// Searches so far that a limit cut short.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// The members that were not searched, `id` or `id(4)`, because as many matches were found as were wanted.
    pub fn not_searched(&self) -> Vec<String> {
        let left = self.members.as_slice().iter().filter(|_| self.left == 0);
        let mut labels: Vec<String> =
            left.map(|&member| self.solver.member_label(&self.solver.engine.members()[member])).collect();
        labels.dedup();
        labels
    }

    /// Whether there is none; it is looked for up to the first.
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

    /// Searches the next member; whether there was one.
    fn search(&mut self) -> bool {
        let Some(member) = self.members.next() else { return false };
        let limits = Limits { matches: self.solver.limits.matches.min(self.left), ..self.solver.limits };
        let found = self.position.find(member, Search::All, &limits);
        self.solver.add_cuts(&mut self.cuts, member, &found.limits);
        self.ready = found.matches.into_iter();
        true
    }
}

impl Iterator for Finds<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if let Some(step) = self.first.take() {
            return Some(step);
        }
        while self.left > 0 {
            for found in self.ready.by_ref() {
                let technique = &self.solver.techniques[found.member.technique];
                let step = step_of(&found, &self.solver.techniques, self.solver.geometry(), self.state);
                if (self.asked)(&step, technique) && self.seen.insert(key(&step)) {
                    self.left -= 1;
                    return Some(step);
                }
            }
            if !self.search() {
                return None;
            }
        }
        None
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
    /// that has it, whether the profile uses it or not. A name that nothing has here may be one that some program has
    /// for a technique ([`alias`]).
    ///
    /// # Errors
    /// When nothing has the name.
    pub fn find_all(&self, state: &State, name: Option<&str>) -> Result<Findings, UnknownTechnique> {
        Ok(self.find(state, name, usize::MAX)?.all())
    }

    /// The same, one match at a time as they are asked for, and at most `most` of them.
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
        let wanted = folded(typed);
        let named = self.members_named(&wanted);
        // A technique can be known and have no member on this board: then there is nothing to find.
        if !named.is_empty() || self.techniques.iter().any(|technique| folded(&technique.id) == wanted) {
            return Ok(self.finds(named, state, most, move |step, technique| has_name(step, technique, &wanted)));
        }
        let known = |target: &Target| self.techniques.iter().any(|technique| technique.id == target.technique);
        if let Some(means) = alias(typed).filter(|means| means.iter().any(known)) {
            return Ok(self.finds_of(state, means, most));
        }
        // Some names are known only once there is a match.
        let open = |member: &MemberId| names_of(&self.techniques[member.technique], member).open;
        let members = self.members_that(open);
        let mut found = self.finds(members, state, most, move |step, technique| has_name(step, technique, &wanted));
        if found.is_empty() { Err(self.unknown(typed)) } else { Ok(found) }
    }

    pub(super) fn unknown(&self, typed: &str) -> UnknownTechnique {
        let nearest = nearest(typed, self.names().iter().map(String::as_str));
        UnknownTechnique { typed: typed.into(), nearest }
    }

    /// Every match of any of the targets; a target without a rule has none.
    pub fn find_targets(&self, state: &State, targets: &[Target]) -> Findings {
        self.finds_of(state, targets.to_vec(), usize::MAX).all()
    }

    fn finds_of<'s>(&'s self, state: &'s State, targets: Vec<Target>, most: usize) -> Finds<'s> {
        let fits =
            |target: &Target, member: &MemberId| target.row().speaks_of(&self.techniques[member.technique], member);
        let fitting = |member: &usize| targets.iter().any(|target| fits(target, &self.engine.members()[*member]));
        let members = (0..self.engine.members().len()).filter(fitting).collect();
        self.finds(members, state, most, move |step, _| {
            let called = |target: &Target| {
                target.called.is_empty() || target.called.iter().any(|name| folded(name) == folded(&step.name))
            };
            targets.iter().any(|target| fits(target, &step.member) && called(target))
        })
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
            left: most,
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

    /// Whether a technique, case or shape has this name.
    pub fn has_name(&self, typed: &str) -> bool {
        let wanted = folded(typed);
        self.names().iter().any(|name| folded(name) == wanted)
    }

    /// The members that a name means, by their places: those of the technique (or the member) that has it as its id, if
    /// there is one, and else all whose steps can be called so.
    pub(super) fn members_named(&self, wanted: &str) -> Vec<usize> {
        let own = |member: &MemberId| {
            let id = &self.techniques[member.technique].id;
            folded(id) == wanted || folded(&self.member_label(member)) == wanted
        };
        let exactly = self.members_that(own);
        if exactly.is_empty() { self.members_that(|member| self.is_named(member, wanted)) } else { exactly }
    }

    /// Whether a case or shape is called so, whatever names matches may bring.
    fn is_named(&self, member: &MemberId, wanted: &str) -> bool {
        let technique = &self.techniques[member.technique];
        let names = names_of(technique, member);
        header_of(technique, member).is_some_and(|header| folded(&header) == wanted)
            || names.all().any(|name| folded(name) == wanted)
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

/// The filled title of the header: cases have one in common.
fn header_of(technique: &Technique, member: &MemberId) -> Option<String> {
    super::names::filled(technique, super::names::header(technique, member.space)?, &member.args, "")
}

/// A step has its own name, its rule's id, and its title where the name builds on the title.
fn has_name(step: &Step, technique: &Technique, wanted: &str) -> bool {
    let names = names_of(technique, &step.member);
    let builds = names.called.iter().any(|(name, builds)| *builds && *name == step.name);
    folded(&step.name) == wanted
        || folded(&step.technique) == wanted
        || folded(&super::row::member_label(&step.technique, &step.member.args)) == wanted
        || (builds && folded(&step.title) == wanted)
        || header_of(technique, &step.member).is_some_and(|header| header != step.title && folded(&header) == wanted)
}

/// Two matches are one if they are of one technique, show the same and bind the same things, whatever the
/// names: a pattern read from its other end is no second step.
fn key(step: &Step) -> Key {
    let mut values: Vec<Value> =
        step.bindings.iter().filter(|binding| binding.free).map(|binding| binding.value.clone()).collect();
    values.sort();
    (step.member.technique, step.member.args.clone(), step.eliminations.clone(), step.placements.clone(), values)
}
