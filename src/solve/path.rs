//! Paths through a puzzle. In: matches and guesses in order. Out: a [`Walk`] of moves; from a walk the
//! [`PuzzleRating`], or a [`Path`] of steps with its outcome and [`PathCost`]. [`PathCursor`] carries out the steps of
//! a path.
//!
//! A walk has no sentences: most walks are only counted, and the sentences of a path take as long as its search. A guess
//! tries the first candidate of the first cell with the fewest candidates. After a contradiction, the position before
//! the guess is restored, and the guessed candidate is eliminated.

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
        let costs = self.steps.iter().enumerate().filter_map(|(index, step)| Some((step.cost?, Reverse(index))));
        costs.max().map(|(_, Reverse(index))| index)
    }

    /// Returns the position before each step, and the last position.
    pub fn positions(&self, geometry: &Geometry) -> Vec<State> {
        let mut cursor = PathCursor::new(self.start.clone());
        let mut positions = vec![self.start.clone()];
        for step in &self.steps {
            cursor.apply(geometry, step);
            positions.push(cursor.state().clone());
        }
        positions
    }

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
    pub limit: LimitHit,
}

impl Cut {
    /// Returns true if time or memory is used up: every further search would end at once.
    pub(super) fn ends_run(&self) -> bool {
        matches!(self.limit, LimitHit::Time | LimitHit::Memory)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathCost {
    /// Name of the profile.
    pub profile: String,
    /// Sum of all prices.
    pub total: u64,
    /// Uses and price of each step name, in the order of the profile.
    pub lines: Vec<CostLine>,
    /// Name and number of the steps without a price.
    pub unpriced: Vec<(String, usize)>,
    /// Rows of the profile without a rule.
    pub missing: Vec<MissingRow>,
}

/// Uses and price of one step name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CostLine {
    /// Name of the steps.
    pub name: String,
    pub uses: usize,
    /// Price of all uses.
    pub cost: u64,
}

/// A path as matches and guesses, without the sentences of steps.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The first position.
    pub start: State,
    pub(super) moves: Vec<Move>,
    pub outcome: Outcome,
    /// The last position.
    pub end: State,
    /// Searches that a limit cut short.
    pub cuts: Vec<Cut>,
}

#[derive(Clone, Debug)]
pub(super) enum Move {
    Match(ChosenMatch),
    /// A guess, or the step that takes a guess back.
    Trial(Box<Step>),
}

#[derive(Clone, Debug)]
pub(super) struct ChosenMatch {
    pub rule_match: Match,
    /// Index of the rank in [`Ranking::ranks`].
    pub rank: usize,
    /// Price of the match if the row's price is a formula.
    pub price: Option<u32>,
}

impl Move {
    pub fn places_digit(&self) -> bool {
        match self {
            Move::Match(chosen) => !chosen.rule_match.placements.is_empty(),
            Move::Trial(step) => !step.placements.is_empty(),
        }
    }

    pub fn carry_out(&self, geometry: &Geometry, cursor: &mut PathCursor) {
        match self {
            Move::Match(ChosenMatch { rule_match, .. }) => {
                carry_out(&rule_match.eliminations, &rule_match.placements, geometry, &mut cursor.state);
            }
            Move::Trial(step) => cursor.apply(geometry, step),
        }
    }
}

impl Walk {
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Turns the moves into steps and adds up their cost. `solver` must be the solver that made the walk.
    pub fn path(self, solver: &Solver) -> Path {
        let Walk { start, moves, outcome, end, cuts } = self;
        let mut cursor = PathCursor::new(start.clone());
        let mut tally = CostTally::default();
        let mut steps = Vec::with_capacity(moves.len());
        for next_move in moves {
            let guesses = cursor.guesses();
            let step = match &next_move {
                Move::Match(chosen) => {
                    let step = solver.step_of(&chosen.rule_match, cursor.state());
                    Step { cost: tally.add_use(solver.ranking(), chosen, &step.name), guesses, ..step }
                }
                Move::Trial(step) => step.as_ref().clone(),
            };
            next_move.carry_out(solver.geometry(), &mut cursor);
            steps.push(step);
        }
        Path { start, steps, outcome, end, cuts, cost: tally.finish(solver.profile(), solver.ranking()) }
    }
}

/// A position to which the steps of a path are applied one by one, with the guesses that are not taken back.
#[derive(Clone, Debug)]
pub struct PathCursor {
    pub(super) state: State,
    open_guesses: Vec<OpenGuess>,
}

#[derive(Clone, Debug)]
struct OpenGuess {
    state_before: State,
    candidate: Candidate,
}

impl PathCursor {
    pub fn new(start: State) -> PathCursor {
        PathCursor { state: start, open_guesses: Vec::new() }
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn guesses(&self) -> usize {
        self.open_guesses.len()
    }

    pub fn apply(&mut self, geometry: &Geometry, step: &Step) {
        match step.trial {
            Some(Trial::Guess) => {
                if let Some(&candidate) = step.placements.first() {
                    self.open_guesses.push(OpenGuess { state_before: self.state.clone(), candidate });
                }
            }
            Some(Trial::TakenBack(_)) => {
                if let Some(guess) = self.open_guesses.pop() {
                    self.state = guess.state_before;
                }
            }
            None => {}
        }
        apply(step, geometry, &mut self.state);
    }

    pub(super) fn next_guess(&self, geometry: &Geometry) -> Option<Step> {
        let unsolved = geometry.cells().filter(|&cell| !self.state.candidates(cell).is_empty());
        let cell = unsolved.min_by_key(|&cell| self.state.candidates(cell).len())?;
        let digits = self.state.candidates(cell);
        let cites = Cites { cells: vec![(cell, digits)], ..Cites::default() };
        let placements = vec![Candidate::new(digits.first()?, cell)];
        Some(Step { placements, cites, guesses: self.guesses(), ..trial_step("Guess", Trial::Guess) })
    }

    /// Returns the step that takes back the last open guess because of a contradiction; `None` if no guess is open.
    pub(super) fn step_that_retracts_guess(&self, contradiction: Contradiction) -> Option<Step> {
        let guess = self.open_guesses.last()?;
        let step = trial_step("Guess taken back", Trial::TakenBack(contradiction));
        Some(Step { eliminations: vec![guess.candidate], guesses: self.guesses() - 1, ..step })
    }
}

/// Returns a step that belongs to no technique.
fn trial_step(name: &str, trial: Trial) -> Step {
    let member = MemberId { technique: usize::MAX, ..MemberId::default() };
    let (technique, title, name) = ("guess".into(), name.into(), name.into());
    Step { technique, member, title, name, trial: Some(trial), ..Step::default() }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleRating {
    /// Rating of the puzzle: sum of all prices or largest price, see [`RatingBy`].
    pub number: u64,
    /// Rating of the moves up to the first placement.
    pub first_placement: u64,
    pub first_move: u64,
    pub level: Option<String>,
    /// Index of the most expensive move: of all moves, of the moves up to the first placement, of the first move alone.
    pub deciding: [Option<usize>; 3],
    pub outcome: Outcome,
    pub unpriced: usize,
}

impl Walk {
    /// Rates the moves by the solver's profile. If `is_complete` is false, the profile's price of an unsolved puzzle is
    /// included.
    pub fn rating(&self, solver: &Solver, is_complete: bool) -> PuzzleRating {
        let prices = self.prices(solver);
        let rating = &solver.profile().rating;
        let unsolved_price = if is_complete { 0 } else { rating.unsolved.map_or(0, u64::from) };
        let path_price = combined_price(rating.by, &prices);
        let number = match rating.by {
            RatingBy::Sum => path_price + unsolved_price,
            RatingBy::Max => path_price.max(unsolved_price),
        };
        let placement_end = self.moves.iter().position(Move::places_digit).map_or(self.moves.len(), |index| index + 1);
        let to_placement = &prices[..placement_end];
        let first_move = &prices[..self.moves.len().min(1)];
        PuzzleRating {
            number,
            first_placement: combined_price(rating.by, to_placement),
            first_move: combined_price(rating.by, first_move),
            level: self.level(solver, number, is_complete),
            deciding: [&prices[..], to_placement, first_move].map(first_maximum),
            outcome: self.outcome,
            unpriced: prices.iter().filter(|price| price.is_none()).count(),
        }
    }

    fn prices(&self, solver: &Solver) -> Vec<Option<u32>> {
        let mut tally = CostTally::default();
        let prices = self.moves.iter().map(|each_move| match each_move {
            Move::Match(chosen) => tally.add_use(solver.ranking(), chosen, ""),
            Move::Trial(_) => None,
        });
        prices.collect()
    }

    /// Returns the level of the puzzle: the highest level of the used rows, or a higher level if the rating exceeds the
    /// limit of that level. An incomplete path has the last level if the profile has a price for unsolved puzzles.
    fn level(&self, solver: &Solver, number: u64, is_complete: bool) -> Option<String> {
        let Profile { rows, rating: Rating { levels, unsolved, .. }, .. } = solver.profile();
        let used_levels = self.moves.iter().filter_map(|each_move| match each_move {
            Move::Match(chosen) => rows[solver.ranking().ranks[chosen.rank].row?].level.as_ref(),
            Move::Trial(_) => None,
        });
        let lowest =
            used_levels.filter_map(|name| levels.iter().position(|(level, _)| level == name)).max().unwrap_or(0);
        let last = levels.len().checked_sub(1)?;
        let index = if unsolved.is_some() && !is_complete {
            last
        } else {
            (lowest..last).find(|&index| levels[index].1.is_none_or(|limit| number <= limit)).unwrap_or(last)
        };
        levels.get(index).map(|(name, _)| name.clone())
    }
}

/// Returns the index of the largest price, the first of several; `None` if there are no prices.
fn first_maximum(prices: &[Option<u32>]) -> Option<usize> {
    (0..prices.len()).max_by_key(|&index| (prices[index].unwrap_or(0), Reverse(index)))
}

/// Combines prices; a move without a price counts as 0.
fn combined_price(by: RatingBy, prices: &[Option<u32>]) -> u64 {
    let prices = prices.iter().map(|price| price.map_or(0, u64::from));
    match by {
        RatingBy::Sum => prices.sum(),
        RatingBy::Max => prices.max().unwrap_or(0),
    }
}

impl Rating {
    /// Writes a rating with as many decimals as the divisor requires: 12 with the divisor 10 is `1.2`.
    pub fn display(&self, number: u64) -> String {
        let digits = self.divisor.max(1).ilog10() as usize;
        match digits {
            0 => number.to_string(),
            _ => format!("{:.digits$}", number as f64 / f64::from(self.divisor)),
        }
    }
}

/// Uses and prices of the moves counted so far.
#[derive(Debug, Default)]
pub(super) struct CostTally {
    /// Number of uses by [`Rank::key`](super::Rank::key).
    uses: BTreeMap<String, usize>,
    /// Uses and total price by rank and name of the step.
    lines: BTreeMap<(usize, String), (usize, u64)>,
    /// Steps without a price, by name.
    unpriced: BTreeMap<String, usize>,
}

impl CostTally {
    /// Counts a match whose step has this name, and returns its price.
    pub fn add_use(&mut self, ranking: &Ranking, chosen: &ChosenMatch, name: &str) -> Option<u32> {
        let rank = &ranking.ranks[chosen.rank];
        let Some((first, again)) = chosen.price.map(|price| (price, price)).or(rank.price) else {
            *self.unpriced.entry(name.to_string()).or_default() += 1;
            return None;
        };
        let uses = self.uses.entry(rank.key.clone()).or_default();
        let price = if *uses == 0 { first } else { again };
        *uses += 1;
        let line = self.lines.entry((chosen.rank, name.to_string())).or_default();
        line.0 += 1;
        line.1 += u64::from(price);
        Some(price)
    }

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
