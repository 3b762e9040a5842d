//! What rules find on one state, weighed against the solution. In: a state, its solution, members. Out: [`Weighed`]:
//! how much was found, and what of it is wrong.
//!
//! Steps are not made of the matches: on many states of many puzzles only what they say counts.

use super::find::UnknownTechnique;
use super::meaning::Meaning;
use super::path::Path;
use super::solver::Solver;
use super::step::apply;
use crate::engine::{Aim, Found, LimitHit, Memory, Position, Search};
use crate::grid::{Candidate, Digit, State};

/// A state on which members are looked for, one after the other.
pub struct Survey<'s> {
    solver: &'s Solver,
    position: Position<'s>,
}

/// What one member finds on a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weighed {
    /// Matches.
    pub matches: usize,
    /// Candidates that they show false, in all.
    pub eliminations: usize,
    /// Candidates that they show true, in all.
    pub placements: usize,
    /// What is wrong of each match that says something wrong, in the order of the matches.
    pub wrong: Vec<Untrue>,
    /// Limits that cut the search short.
    pub limits: Vec<LimitHit>,
}

/// What a match says against the solution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Untrue {
    /// True candidates that it shows false.
    pub eliminations: Vec<Candidate>,
    /// False candidates that it shows true.
    pub placements: Vec<Candidate>,
}

/// What of these deductions contradicts the solution (a digit for each cell, row by row), if anything does.
pub fn untrue(eliminations: &[Candidate], placements: &[Candidate], solution: &[Digit]) -> Option<Untrue> {
    let holds = |candidate: &Candidate| solution[candidate.cell.index()] == candidate.digit;
    let found = Untrue {
        eliminations: eliminations.iter().copied().filter(holds).collect(),
        placements: placements.iter().copied().filter(|candidate| !holds(candidate)).collect(),
    };
    (!found.eliminations.is_empty() || !found.placements.is_empty()).then_some(found)
}

impl Solver {
    /// Begins work on a state: what is shared by all searches on it is derived once.
    pub fn survey<'s>(&'s self, state: &'s State) -> Survey<'s> {
        Survey { solver: self, position: self.position(state) }
    }

    /// The same for what contradicts the solution alone, which is much less work: all that is right is left out. The
    /// memory is that of the states before on one path.
    pub fn survey_against<'s>(&'s self, state: &'s State, solution: &'s Aim, memory: &'s Memory) -> Survey<'s> {
        Survey { solver: self, position: self.engine.aimed(state, solution, memory) }
    }

    /// The members that a name may mean, or those in use if there is no name; by their place in [`Solver::members`],
    /// sorted; see [`Meaning`].
    ///
    /// # Errors
    /// When nothing has the name.
    pub fn members_asked(&self, name: Option<&str>) -> Result<Vec<usize>, UnknownTechnique> {
        let Some(typed) = name else {
            let mut members = self.members_in_use();
            members.sort_unstable();
            return Ok(members);
        };
        // Asked for names that only matches bring, every technique that takes its name from another would answer.
        let meaning = Meaning::new(typed, &self.techniques);
        let mut members = self.members_that(|member| meaning.has_member(&self.techniques[member.technique], member));
        if members.is_empty() && !self.techniques.iter().any(|technique| meaning.is_id(technique)) {
            return Err(self.unknown(typed));
        }
        members.sort_unstable();
        Ok(members)
    }

    /// The states of a path from its start to its end, as long as no step contradicts the solution: what is found
    /// after that says nothing about the rules, and so it is after a guess. Whether a step did is said as well.
    pub fn states(&self, path: &Path, solution: &[Digit]) -> (Vec<State>, bool) {
        let mut states = vec![path.start.clone()];
        let mut state = path.start.clone();
        for step in &path.steps {
            if step.trial.is_some() {
                break;
            }
            if untrue(&step.eliminations, &step.placements, solution).is_some() {
                return (states, true);
            }
            apply(step, self.geometry(), &mut state);
            states.push(state.clone());
        }
        (states, false)
    }
}

impl Survey<'_> {
    /// Every match of a member, by its place in [`Solver::members`].
    pub fn find(&mut self, member: usize) -> Found {
        self.position.find(member, Search::All, &self.solver.limits)
    }

    /// Every match of a member (by its place in [`Solver::members`]) against the solution, a digit for each cell.
    pub fn weigh(&mut self, member: usize, solution: &[Digit]) -> Weighed {
        let found = self.position.find(member, Search::Effects, &self.solver.limits);
        let mut out = Weighed { matches: found.matches.len(), limits: found.limits, ..Weighed::default() };
        for one in &found.matches {
            out.eliminations += one.eliminations.len();
            out.placements += one.placements.len();
            out.wrong.extend(untrue(&one.eliminations, &one.placements, solution));
        }
        out
    }
}
