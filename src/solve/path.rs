//! Paths through a puzzle. In: matches and guesses, one after the other. Out: a [`Walk`] of moves without words; from it the rating and
//! level of the puzzle ([`PuzzleRating`]), or a [`Path`] of steps with its outcome and [`PathCost`]. [`Replay`] carries out the steps of a path.
//!
//! Words take as long as the search itself, and most walks are only counted. A guess tries the first candidate of the first cell with the
//! fewest candidates. If it leads to a contradiction, the position before it is restored without that candidate, which is then proved
//! false.

use super::profile::{Profile, Rating, RatingBy};
use super::ranking::{MissingRow, Ranking};
use super::solver::Solver;
use super::step::{Cites, Step, Trial, apply, carry_out};
use crate::engine::{LimitHit, Match, MemberId};
use crate::grid::{Candidate, Contradiction, Geometry, State};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

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
    pub cost: PathCost,
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

impl Cut {
    /// Returns true if time or memory is used up, so that every further search would end at once.
    pub(super) fn ends_run(&self) -> bool {
        matches!(self.limit, LimitHit::Time | LimitHit::Memory)
    }
}

/// The cost of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathCost {
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
            Move::Taken(Taken { found, .. }) => {
                carry_out((&found.eliminations, &found.placements), geometry, &mut replay.state);
            }
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
        let (mut replay, mut tally) = (Replay::new(start.clone()), CostTally::default());
        let mut steps = Vec::with_capacity(moves.len());
        for one in moves {
            let guesses = replay.guesses();
            let step = match &one {
                Move::Taken(taken) => {
                    let step = solver.step_of(&taken.found, replay.state());
                    Step { cost: tally.count(solver.ranking(), taken, &step.name), guesses, ..step }
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
    pub(super) state: State,
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

/// The rating of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleRating {
    /// Sum of all prices or largest price, as the profile says.
    pub number: u64,
    /// Sum or largest price up to the first placement.
    pub first_placement: u64,
    /// Price of the first move.
    pub first_move: u64,
    /// Level, if the profile has levels.
    pub level: Option<String>,
    /// Indexes of the moves that decide the number, the first placement and the first move.
    pub deciding: [Option<usize>; 3],
    /// Outcome of the path.
    pub outcome: Outcome,
    /// Number of moves without a price.
    pub unpriced: usize,
}

impl Walk {
    /// Rates the moves by the solver's profile. If `is_complete`, the path leaves nothing to find, so the price of unsolved puzzles is not
    /// added.
    pub fn rating(&self, solver: &Solver, is_complete: bool) -> PuzzleRating {
        let prices = self.prices(solver);
        let rating = &solver.profile().rating;
        let first = self.moves.iter().position(Move::places).map_or(self.moves.len(), |at| at + 1);
        let rest = rating.unsolved.filter(|_| !is_complete).map_or(0, u64::from);
        let whole = combined(rating.by, &prices);
        let number = match rating.by {
            RatingBy::Sum => whole + rest,
            RatingBy::Max => whole.max(rest),
        };
        let parts = [&prices[..], &prices[..first], &prices[..self.moves.len().min(1)]];
        PuzzleRating {
            number,
            first_placement: combined(rating.by, parts[1]),
            first_move: combined(rating.by, parts[2]),
            level: self.level(solver, number, is_complete),
            deciding: parts.map(|prices| (0..prices.len()).max_by_key(|&at| (prices[at].unwrap_or(0), Reverse(at)))),
            outcome: self.outcome,
            unpriced: prices.iter().filter(|price| price.is_none()).count(),
        }
    }

    /// Returns the price of each move.
    fn prices(&self, solver: &Solver) -> Vec<Option<u32>> {
        let mut tally = CostTally::default();
        let prices = self.moves.iter().map(|one| match one {
            Move::Taken(taken) => tally.count(solver.ranking(), taken, ""),
            Move::Trial(_) => None,
        });
        prices.collect()
    }

    /// Returns the highest level of the rows that were used, or a higher one if the number exceeds that level.
    fn level(&self, solver: &Solver, number: u64, is_complete: bool) -> Option<String> {
        let Profile { rows, rating: Rating { levels, .. }, .. } = solver.profile();
        let used = self.moves.iter().filter_map(|one| match one {
            Move::Taken(taken) => solver.ranking().ranks[taken.place].row.and_then(|row| rows[row].level.as_ref()),
            Move::Trial(_) => None,
        });
        let least = used.filter_map(|name| levels.iter().position(|(level, _)| level == name)).max().unwrap_or(0);
        let last = levels.len().checked_sub(1)?;
        let at = match solver.profile().rating.unsolved {
            Some(_) if !is_complete => last,
            _ => (least..last).find(|&at| levels[at].1.is_none_or(|most| number <= most)).unwrap_or(last),
        };
        levels.get(at).map(|(name, _)| name.clone())
    }
}

/// Combines prices; moves without a price count 0.
fn combined(by: RatingBy, prices: &[Option<u32>]) -> u64 {
    let prices = prices.iter().map(|price| price.map_or(0, u64::from));
    match by {
        RatingBy::Sum => prices.sum(),
        RatingBy::Max => prices.max().unwrap_or(0),
    }
}

impl Rating {
    /// Writes a number: whole, in tenths or in hundredths.
    pub fn shown(&self, number: u64) -> String {
        let digits = self.parts.max(1).ilog10() as usize;
        match digits {
            0 => number.to_string(),
            _ => format!("{:.digits$}", number as f64 / f64::from(self.parts)),
        }
    }
}

/// Uses and prices so far.
#[derive(Debug, Default)]
pub(super) struct CostTally {
    /// Number of uses by key of the rank.
    uses: BTreeMap<String, usize>,
    /// Uses and price by rank and name of the step.
    lines: BTreeMap<(usize, String), (usize, u64)>,
    /// Steps without a price, by name.
    unpriced: BTreeMap<String, usize>,
}

impl CostTally {
    /// Counts a move whose step is called `name`, and returns its price.
    pub fn count(&mut self, ranking: &Ranking, taken: &Taken, name: &str) -> Option<u32> {
        let rank = &ranking.ranks[taken.place];
        let Some((first, again)) = taken.price.map(|own| (own, own)).or(rank.price) else {
            *self.unpriced.entry(name.to_string()).or_default() += 1;
            return None;
        };
        let uses = self.uses.entry(rank.key.clone()).or_default();
        let price = if *uses == 0 { first } else { again };
        *uses += 1;
        let line = self.lines.entry((taken.place, name.to_string())).or_default();
        line.0 += 1;
        line.1 += u64::from(price);
        Some(price)
    }

    /// Adds up the prices.
    pub fn finish(self, profile: &Profile, ranking: &Ranking) -> PathCost {
        let lines: Vec<CostLine> =
            self.lines.into_iter().map(|((_, name), (uses, cost))| CostLine { name, uses, cost }).collect();
        PathCost {
            profile: profile.name.clone(),
            total: lines.iter().map(|line| line.cost).sum(),
            lines,
            unpriced: self.unpriced.into_iter().collect(),
            missing: ranking.missing.clone(),
        }
    }
}
