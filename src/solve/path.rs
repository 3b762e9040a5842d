//! Paths through a puzzle. In: matches and guesses, one after the other. Out: a [`Walk`] of moves without words, for ratings; from it a
//! [`Path`] of steps with its outcome and cost. [`Replay`] carries out the steps of a path.
//!
//! Words take as long as the search itself, and most walks are only counted. A guess tries the first candidate of the first cell with the
//! fewest candidates. If it leads to a contradiction, the position before it is restored without that candidate, which is then proved
//! false.

use super::ranking::MissingRow;
use super::rating::Tally;
use super::solver::Solver;
use super::step::{Cites, Step, Trial, apply, carry_out};
use crate::engine::{LimitHit, Match, MemberId};
use crate::grid::{Candidate, Contradiction, Geometry, State};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// A solution path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// The first position.
    pub start: State,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// Outcome.
    pub outcome: Outcome,
    /// The last position.
    pub end: State,
    /// Searches that a limit cut short; without the limit another step might have come first.
    pub cuts: Vec<Cut>,
    /// Cost of the steps.
    pub cost: Cost,
}

impl Path {
    /// Returns the index of the most expensive step, the first of several; `None` if no step has a price.
    pub fn hardest(&self) -> Option<usize> {
        let priced = self.steps.iter().enumerate().filter_map(|(at, step)| Some((step.cost?, Reverse(at))));
        priced.max().map(|(_, Reverse(at))| at)
    }

    /// Returns the position before each step, and the last one.
    pub fn positions(&self, geometry: &Geometry) -> Vec<State> {
        let mut replay = Replay::new(self.start.clone());
        let mut out = vec![self.start.clone()];
        for step in &self.steps {
            replay.apply(geometry, step);
            out.push(replay.state().clone());
        }
        out
    }

    /// Returns the number of guesses.
    pub fn guesses(&self) -> usize {
        self.steps.iter().filter(|step| step.trial == Some(Trial::Guess)).count()
    }
}

/// The end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Every cell is solved.
    Solved,
    /// No technique of the profile finds anything.
    Stuck,
    /// The grid contradicts itself.
    Broken(Contradiction),
}

/// A search that was cut short by a limit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cut {
    /// Member that was searched, `id(4)`.
    pub member: String,
    /// The limit.
    pub limit: LimitHit,
}

/// The cost of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Name of the profile.
    pub profile: String,
    /// Sum of all prices.
    pub total: u64,
    /// Uses by name, in the order of the profile.
    pub lines: Vec<CostLine>,
    /// Steps without a price: name and number.
    pub unpriced: Vec<(String, usize)>,
    /// Rows of the profile without a rule.
    pub missing: Vec<MissingRow>,
}

/// Uses of one name and their price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CostLine {
    /// Name of the steps.
    pub name: String,
    /// Number of uses.
    pub uses: usize,
    /// Price of all uses.
    pub cost: u64,
}

/// A path without words: its moves as matches and guesses.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The first position.
    pub start: State,
    pub(super) moves: Vec<Move>,
    /// Outcome.
    pub outcome: Outcome,
    /// The last position.
    pub end: State,
    /// Searches that a limit cut short.
    pub cuts: Vec<Cut>,
}

/// A move of a walk.
#[derive(Clone, Debug)]
pub(super) enum Move {
    /// A match.
    Taken(Taken),
    /// A guess, or one that is taken back.
    Trial(Box<Step>),
}

/// A match that was chosen as the next move.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    pub found: Match,
    /// Index of its rank in the ranking.
    pub place: usize,
    /// Price of the match, if the price depends on the match.
    pub price: Option<u32>,
}

impl Move {
    /// Returns true if it places a digit.
    pub fn places(&self) -> bool {
        match self {
            Move::Taken(taken) => !taken.found.placements.is_empty(),
            Move::Trial(step) => !step.placements.is_empty(),
        }
    }

    /// Carries out the move.
    pub fn carry_out(&self, geometry: &Geometry, replay: &mut Replay) {
        match self {
            Move::Taken(Taken { found, .. }) => replay.change(|state| {
                carry_out((&found.eliminations, &found.placements), geometry, state);
            }),
            Move::Trial(step) => replay.apply(geometry, step),
        }
    }
}

impl Walk {
    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns true if there are no moves.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Turns the moves into steps and adds up their cost; `solver` is the one that made the walk.
    pub fn path(self, solver: &Solver) -> Path {
        let Walk { start, moves, outcome, end, cuts } = self;
        let (mut replay, mut tally) = (Replay::new(start.clone()), Tally::default());
        let mut steps = Vec::with_capacity(moves.len());
        for one in moves {
            let guesses = replay.guesses();
            let step = match &one {
                Move::Taken(taken) => {
                    let step = solver.step_of(taken, replay.state());
                    Step {
                        cost: tally.count(solver.ranking(), (taken.place, taken.price), &step.name),
                        guesses,
                        ..step
                    }
                }
                Move::Trial(step) => step.as_ref().clone(),
            };
            one.carry_out(solver.geometry(), &mut replay);
            steps.push(step);
        }
        Path { start, steps, outcome, end, cuts, cost: tally.finish(solver.profile(), solver.ranking()) }
    }
}

/// A position that follows the steps of a path, with its guesses.
#[derive(Clone, Debug)]
pub struct Replay {
    state: State,
    /// For each open guess the position before it, and the candidate that it tries.
    open: Vec<(State, Candidate)>,
}

impl Replay {
    /// Begins at a position.
    pub fn new(start: State) -> Replay {
        Replay { state: start, open: Vec::new() }
    }

    /// Returns the current position.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Ends, and returns the current position.
    pub fn into_state(self) -> State {
        self.state
    }

    /// Returns the number of open guesses.
    pub fn guesses(&self) -> usize {
        self.open.len()
    }

    /// Carries out a step.
    pub fn apply(&mut self, geometry: &Geometry, step: &Step) {
        match (step.trial, step.placements.first()) {
            (Some(Trial::Guess), Some(&tried)) => self.open.push((self.state.clone(), tried)),
            (Some(Trial::TakenBack(_)), _) => {
                if let Some((before, _)) = self.open.pop() {
                    self.state = before;
                }
            }
            _ => {}
        }
        apply(step, geometry, &mut self.state);
    }

    /// Changes the position without a guess.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut State)) {
        change(&mut self.state);
    }

    /// Returns the next guess, if there is a cell to guess in.
    pub(super) fn guess(&self, geometry: &Geometry) -> Option<Step> {
        let open = geometry.cells().filter(|&cell| !self.state.candidates(cell).is_empty());
        let cell = open.min_by_key(|&cell| self.state.candidates(cell).len())?;
        let digits = self.state.candidates(cell);
        let cites = Cites { cells: vec![(cell, digits)], ..Cites::default() };
        let placements = vec![Candidate::new(digits.first()?, cell)];
        Some(Step { placements, cites, guesses: self.guesses(), ..trial_step("Guess", Trial::Guess) })
    }

    /// Returns the step that takes back the last guess, if one is open.
    pub(super) fn take_back(&self, found: Contradiction) -> Option<Step> {
        let (_, tried) = self.open.last()?;
        let guesses = self.guesses() - 1;
        Some(Step { eliminations: vec![*tried], guesses, ..trial_step("Guess taken back", Trial::TakenBack(found)) })
    }
}

/// Returns a step without a technique.
fn trial_step(name: &str, trial: Trial) -> Step {
    let member = MemberId { technique: usize::MAX, ..MemberId::default() };
    let (technique, title, name) = ("guess".into(), name.into(), name.into());
    Step { technique, member, title, name, trial: Some(trial), ..Step::default() }
}
