//! Ratings and costs. In: the prices of the moves on a path, and a profile. Out: [`Rated`]: the rating, the level, and the moves that decide
//! them; [`Cost`]: uses and prices by technique.

use super::path::{Cost, CostLine, Move, Outcome, Walk};
use super::profile::{By, Profile, Rating};
use super::ranking::Ranking;
use super::solver::Solver;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The rating of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated {
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
    pub fn rated(&self, solver: &Solver, is_complete: bool) -> Rated {
        let prices = self.prices(solver);
        let rating = &solver.profile().rating;
        let first = self.moves.iter().position(Move::places).map_or(self.moves.len(), |at| at + 1);
        let rest = rating.unsolved.filter(|_| !is_complete).map_or(0, u64::from);
        let whole = combined(rating.by, &prices);
        let number = match rating.by {
            By::Sum => whole + rest,
            By::Max => whole.max(rest),
        };
        let parts = [&prices[..], &prices[..first], &prices[..self.moves.len().min(1)]];
        Rated {
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
        let mut tally = Tally::default();
        let prices = self.moves.iter().map(|one| match one {
            Move::Taken(taken) => tally.count(solver.ranking(), (taken.place, taken.price), ""),
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
        let open = !is_complete && solver.profile().rating.unsolved.is_some();
        let fits = |at: &usize| levels[*at].1.is_none_or(|most| number <= most) && !open;
        levels.get((least..last).find(fits).unwrap_or(last)).map(|(name, _)| name.clone())
    }
}

/// Combines prices; moves without a price count 0.
fn combined(by: By, prices: &[Option<u32>]) -> u64 {
    let prices = prices.iter().map(|price| price.map_or(0, u64::from));
    match by {
        By::Sum => prices.sum(),
        By::Max => prices.max().unwrap_or(0),
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
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Number of uses by key of the rank.
    uses: BTreeMap<String, usize>,
    /// Uses and price by rank and name of the step.
    lines: BTreeMap<(usize, String), (usize, u64)>,
    /// Steps without a price, by name.
    unpriced: BTreeMap<String, usize>,
}

impl Tally {
    /// Counts a use of the rank at index `place` by a step called `name`, and returns its price. `own` is the price of the match, if it
    /// has one of its own.
    pub fn count(&mut self, ranking: &Ranking, (place, own): (usize, Option<u32>), name: &str) -> Option<u32> {
        let rank = &ranking.ranks[place];
        let Some((first, again)) = own.map(|own| (own, own)).or(rank.price) else {
            *self.unpriced.entry(name.to_string()).or_default() += 1;
            return None;
        };
        let uses = self.uses.entry(rank.key.clone()).or_default();
        let price = if *uses == 0 { first } else { again };
        *uses += 1;
        let line = self.lines.entry((place, name.to_string())).or_default();
        line.0 += 1;
        line.1 += u64::from(price);
        Some(price)
    }

    /// Adds up the prices.
    pub fn finish(self, profile: &Profile, ranking: &Ranking) -> Cost {
        let lines: Vec<CostLine> =
            self.lines.into_iter().map(|((_, name), (uses, cost))| CostLine { name, uses, cost }).collect();
        Cost {
            profile: profile.name.clone(),
            total: lines.iter().map(|line| line.cost).sum(),
            lines,
            unpriced: self.unpriced.into_iter().collect(),
            missing: ranking.missing.clone(),
        }
    }
}
