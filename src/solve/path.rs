//! A whole solution as data. In: steps. Out: [`Path`]: where it began, each step, where it ended, what it cost.

use super::guess::Replay;
use super::order::MissingRow;
use super::step::{Step, Trial};
use crate::engine::LimitHit;
use crate::grid::{Contradiction, Geometry, State};
use serde::{Deserialize, Serialize};

/// A solution path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// Where it began.
    pub start: State,
    /// The steps.
    pub steps: Vec<Step>,
    /// How it ended.
    pub outcome: Outcome,
    /// Where it ended.
    pub end: State,
    /// Searches that were cut short on the way: without the cut another step might have come first.
    pub cuts: Vec<Cut>,
    /// What it cost.
    pub cost: Cost,
}

impl Path {
    /// The dearest step, the first of several, by its place; nothing where none has a price.
    pub fn hardest(&self) -> Option<usize> {
        let priced = self.steps.iter().enumerate().filter_map(|(at, step)| Some((step.cost?, std::cmp::Reverse(at))));
        priced.max().map(|(_, std::cmp::Reverse(at))| at)
    }

    /// The position before each step, and the last.
    pub fn positions(&self, geometry: &Geometry) -> Vec<State> {
        let mut replay = Replay::new(self.start.clone());
        let mut out = vec![self.start.clone()];
        for step in &self.steps {
            replay.apply(geometry, step);
            out.push(replay.state().clone());
        }
        out
    }

    /// How many guesses were made on the way; without them none is.
    pub fn guesses(&self) -> usize {
        self.steps.iter().filter(|step| step.trial == Some(Trial::Guess)).count()
    }
}

/// How a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Every cell has its value.
    Solved,
    /// No technique of the profile finds anything.
    Stuck,
    /// The grid contradicts itself.
    Broken(Contradiction),
}

/// A search that was cut short by a limit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cut {
    /// Which technique and member, as `id(4)`.
    pub member: String,
    /// Which limit.
    pub limit: LimitHit,
}

/// The price of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// The profile that priced it.
    pub profile: String,
    /// The sum.
    pub total: u64,
    /// One line for each row that was used, in the profile's order.
    pub lines: Vec<CostLine>,
    /// Steps that the profile has no price for: their names and how many.
    pub unpriced: Vec<(String, usize)>,
    /// Rows of the profile without a rule.
    pub missing: Vec<MissingRow>,
}

/// The price of one technique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CostLine {
    /// What the profile calls it.
    pub name: String,
    /// How often it was used.
    pub uses: usize,
    /// What these uses cost together.
    pub cost: u64,
}
