//! Guessing, for a solver that is told to: no technique, and no deduction. In: a position on which no technique finds
//! anything, or one that contradicts itself. Out: marked steps that try a candidate, or take the last try back.
//!
//! The first cell with the fewest candidates is tried with its first candidate. If that leads to a contradiction the
//! position before is there again, without the candidate: that much is proved.

use super::step::{Cites, Step, Trial, apply};
use crate::engine::MemberId;
use crate::grid::{Candidate, Contradiction, Geometry, State};
use crate::lang::ir::Space;

/// Carries out the steps of a path, guesses and all.
#[derive(Clone, Debug)]
pub struct Replay {
    state: State,
    /// For each open guess the position before it, and what was tried.
    open: Vec<(State, Candidate)>,
}

impl Replay {
    /// At the beginning.
    pub fn new(start: State) -> Replay {
        Replay { state: start, open: Vec::new() }
    }

    /// The position by now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// At the end.
    pub fn into_state(self) -> State {
        self.state
    }

    /// How many guesses are open.
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

    /// Changes the position by what is no guess.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut State)) {
        change(&mut self.state);
    }

    /// The guess to make now, if there is a cell to guess in.
    pub(super) fn guess(&self, geometry: &Geometry) -> Option<Step> {
        let open = geometry.cells().filter(|&cell| !self.state.candidates(cell).is_empty());
        let cell = open.min_by_key(|&cell| self.state.candidates(cell).len())?;
        let digits = self.state.candidates(cell);
        let cites = Cites { cells: vec![(cell, digits)], ..Cites::default() };
        let placements = vec![Candidate::new(digits.first()?, cell)];
        Some(Step { placements, cites, guesses: self.guesses(), ..blank("Guess", Trial::Guess) })
    }

    /// The step that takes the last guess back, if there is one.
    pub(super) fn take_back(&self, found: Contradiction) -> Option<Step> {
        let (_, tried) = self.open.last()?;
        let guesses = self.guesses() - 1;
        Some(Step { eliminations: vec![*tried], guesses, ..blank("Guess taken back", Trial::TakenBack(found)) })
    }
}

/// A step of no technique.
fn blank(name: &str, trial: Trial) -> Step {
    Step {
        technique: "guess".into(),
        member: MemberId { technique: usize::MAX, args: Vec::new(), variant: 0, space: Space::Rc },
        args: Vec::new(),
        case: None,
        title: name.into(),
        name: name.into(),
        bindings: Vec::new(),
        claims: Vec::new(),
        says: None,
        because: None,
        eliminations: Vec::new(),
        placements: Vec::new(),
        chain: Vec::new(),
        cases: Vec::new(),
        joined: Vec::new(),
        cites: Cites::default(),
        cost: None,
        assumes_one_solution: false,
        trial: Some(trial),
        soundness: super::standing::Soundness::Proved,
        guesses: 0,
    }
}
