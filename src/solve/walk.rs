//! A way through a puzzle before it is put into words. In: what was taken, move by move. Out: a [`Walk`], and of it, for who
//! reads it, the [`Path`]. Words cost as much as finding what they tell, and most ways are only counted.

use super::guess::Replay;
use super::path::{Cut, Outcome, Path};
use super::solver::Solver;
use super::step::{Step, carry_out};
use super::tally::Tally;
use crate::engine::Match;
use crate::grid::{Geometry, State};

/// A way through a puzzle.
#[derive(Clone, Debug)]
pub struct Walk {
    /// Where it began.
    pub start: State,
    pub(super) moves: Vec<Move>,
    /// How it ended.
    pub outcome: Outcome,
    /// Where it ended.
    pub end: State,
    /// Searches that were cut short on the way.
    pub cuts: Vec<Cut>,
}

/// One move.
#[derive(Clone, Debug)]
pub(super) enum Move {
    Taken(Taken),
    /// A guess, or one taken back.
    Trial(Box<Step>),
}

/// A match that was taken, the place of its rank in the order of work, and its price where that is its own.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    pub found: Match,
    pub place: usize,
    pub price: Option<u32>,
}

impl Move {
    /// Whether it puts a digit into a cell.
    pub fn places(&self) -> bool {
        match self {
            Move::Taken(taken) => !taken.found.placements.is_empty(),
            Move::Trial(step) => !step.placements.is_empty(),
        }
    }

    /// Carries it out.
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
    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The same in words, with what it costs; `solver` is the one that walked.
    pub fn path(self, solver: &Solver) -> Path {
        let Walk { start, moves, outcome, end, cuts } = self;
        let (mut replay, mut tally) = (Replay::new(start.clone()), Tally::default());
        let mut steps = Vec::with_capacity(moves.len());
        for one in moves {
            let guesses = replay.guesses();
            let step = match &one {
                Move::Taken(taken) => {
                    let step = solver.told(taken, replay.state());
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
