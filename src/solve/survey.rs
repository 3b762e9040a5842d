//! Matches on one state compared with the solution. In: a state, its solution, members. Out: [`Weighed`]: the number of matches and
//! deductions, and the false ones.
//!
//! Matches are not turned into steps, because on many states of many puzzles only their deductions count.

use super::find::UnknownTechnique;
use super::names::Meaning;
use super::path::Path;
use super::solver::Solver;
use super::step::apply;
use crate::engine::{Aim, Found, LimitHit, Memory, Position, Search};
use crate::grid::{Candidate, Digit, State};

/// A state on which members are searched, one after the other.
pub struct Survey<'s> {
    solver: &'s Solver,
    position: Position<'s>,
}

/// Matches of one member on a state, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weighed {
    /// Number of matches.
    pub matches: usize,
    /// Number of their eliminations.
    pub eliminations: usize,
    /// Number of their placements.
    pub placements: usize,
    /// False deductions of each unsound match, in match order.
    pub wrong: Vec<Untrue>,
    /// Limits that cut the search short.
    pub limits: Vec<LimitHit>,
}

/// Deductions that contradict the solution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Untrue {
    /// Eliminations of true candidates.
    pub eliminations: Vec<Candidate>,
    /// Placements of false candidates.
    pub placements: Vec<Candidate>,
}

/// Returns the deductions that contradict the solution (a digit for each cell, row by row); `None` if all are right.
pub fn untrue(eliminations: &[Candidate], placements: &[Candidate], solution: &[Digit]) -> Option<Untrue> {
    let holds = |candidate: &Candidate| solution[candidate.cell.index()] == candidate.digit;
    let found = Untrue {
        eliminations: eliminations.iter().copied().filter(holds).collect(),
        placements: placements.iter().copied().filter(|candidate| !holds(candidate)).collect(),
    };
    (!found.eliminations.is_empty() || !found.placements.is_empty()).then_some(found)
}

impl Solver {
    /// Prepares searches on a state, which share everything that is derived from it.
    pub fn survey<'s>(&'s self, state: &'s State) -> Survey<'s> {
        Survey { solver: self, position: self.position(state) }
    }

    /// Prepares searches for deductions that contradict the solution only, which is much faster. `memory` is shared by the states of one
    /// path.
    pub fn survey_against<'s>(&'s self, state: &'s State, solution: &'s Aim, memory: &'s Memory) -> Survey<'s> {
        Survey { solver: self, position: self.engine.aimed(state, solution, memory) }
    }

    /// Returns the members that a name may mean ([`Meaning`]), or those in use if there is no name, as sorted indexes into
    /// [`Solver::members`].
    ///
    /// # Errors
    /// When nothing has the name.
    pub fn members_asked(&self, name: Option<&str>) -> Result<Vec<usize>, UnknownTechnique> {
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
    /// Finds all matches of a member, given by its index in [`Solver::members`].
    pub fn find(&mut self, member: usize) -> Found {
        self.position.find(member, Search::All, &self.solver.limits)
    }

    /// Compares all matches of a member, given by its index in [`Solver::members`], with the solution, a digit for each cell.
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
