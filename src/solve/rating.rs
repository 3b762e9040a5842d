//! What a puzzle is rated. In: a way through it and a profile. Out: [`Rated`]: the number that the profile makes of the prices
//! of its steps, the level, and the moves that decide.

use super::path::Outcome;
use super::profile::{By, Profile, Rating};
use super::solver::Solver;
use super::tally::Tally;
use super::walk::{Move, Walk};
use std::cmp::Reverse;

/// A rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated {
    /// The sum of all prices, or the largest.
    pub number: u64,
    /// The largest price up to the first placement, and the price of the first move; where the profile takes a sum, the sum
    /// up to there.
    pub first_placement: u64,
    /// See above.
    pub first_move: u64,
    /// The level, if the profile has some.
    pub level: Option<String>,
    /// The moves that decide the number, the first placement and the first move, by their places on the way.
    pub deciding: [Option<usize>; 3],
    /// How the way ends.
    pub outcome: Outcome,
    /// Moves without a price.
    pub unpriced: usize,
}

impl Walk {
    /// The rating that the solver's profile gives it. `is_complete`: nothing is left that a technique could find, so that the
    /// price of what no technique finds is not added.
    pub fn rated(&self, solver: &Solver, is_complete: bool) -> Rated {
        let prices = self.prices(solver);
        let rating = &solver.profile().rating;
        let first = self.moves.iter().position(Move::places).map_or(self.moves.len(), |at| at + 1);
        let priced = |at: usize| prices[at].map_or(0, u64::from);
        let number = |upto: usize| match rating.by {
            By::Sum => (0..upto).map(priced).sum(),
            By::Max => (0..upto).map(priced).max().unwrap_or(0),
        };
        let decides = |upto: usize| (0..upto).max_by_key(|&at| (priced(at), Reverse(at)));
        let rest = rating.unsolved.filter(|_| !is_complete).map_or(0, u64::from);
        let whole = match rating.by {
            By::Sum => number(prices.len()) + rest,
            By::Max => number(prices.len()).max(rest),
        };
        let early = self.moves.len().min(1);
        Rated {
            number: whole,
            first_placement: number(first),
            first_move: number(early),
            level: self.level(solver, whole, is_complete),
            deciding: [decides(prices.len()), decides(first), decides(early)],
            outcome: self.outcome,
            unpriced: prices.iter().filter(|price| price.is_none()).count(),
        }
    }

    /// What each move costs.
    fn prices(&self, solver: &Solver) -> Vec<Option<u32>> {
        let mut tally = Tally::default();
        let price = |one: &Move| match one {
            Move::Taken(taken) => tally.count(solver.ranking(), (taken.place, taken.price), ""),
            Move::Trial(_) => None,
        };
        self.moves.iter().map(price).collect()
    }

    /// The highest level of a row that was used, raised as long as the number is above what the level has.
    fn level(&self, solver: &Solver, number: u64, is_complete: bool) -> Option<String> {
        let Profile { rows, rating: Rating { levels, .. }, .. } = solver.profile();
        let place = |name: &String| levels.iter().position(|(level, _)| level == name);
        let used = self.moves.iter().filter_map(|one| match one {
            Move::Taken(taken) => solver.ranking().ranks[taken.place].row.and_then(|row| rows[row].level.as_ref()),
            Move::Trial(_) => None,
        });
        let least = used.filter_map(place).max().unwrap_or(0);
        let last = levels.len().checked_sub(1)?;
        let open = !is_complete && solver.profile().rating.unsolved.is_some();
        let fits = |at: &usize| levels[*at].1.is_none_or(|most| number <= most) && !open;
        levels.get((least..last).find(fits).unwrap_or(last)).map(|(name, _)| name.clone())
    }
}

impl Rating {
    /// A number as it is printed: in tenths, hundredths or whole.
    pub fn shown(&self, number: u64) -> String {
        let digits = self.parts.max(1).ilog10() as usize;
        match digits {
            0 => number.to_string(),
            _ => format!("{:.digits$}", number as f64 / f64::from(self.parts)),
        }
    }
}
