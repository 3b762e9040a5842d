//! Counts uses and adds up prices. In: the rank of each step. Out: its price, and at the end a [`Cost`].

use super::order::Ranking;
use super::path::{Cost, CostLine};
use super::profile::Profile;
use std::collections::BTreeMap;

/// Uses so far.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    uses: BTreeMap<String, usize>,
    lines: BTreeMap<(usize, String), (usize, u64)>,
    unpriced: BTreeMap<String, usize>,
}

impl Tally {
    /// Counts a use of the rank at `place`, by a step called `name`, with the price of the match where it has one of its own;
    /// says what it costs.
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

    /// The sum.
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
