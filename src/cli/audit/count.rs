//! What an audit counts. In: what was found on states. Out: sums that do not depend on the order in which puzzles were
//! done.

use crate::grid::notation;
use crate::grid::{Geometry, State, draw};
use crate::solve::{Untrue, Weighed};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// At most this many wrong matches of each row are kept to be shown.
const KEPT: usize = 3;

/// Where a technique stands in the rulebook, with its arguments: the order of the rows.
pub type RowKey = (usize, Vec<u32>);

/// Sums over puzzles.
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// Puzzles with one solution.
    pub puzzles: usize,
    /// Puzzles without a solution.
    pub none: usize,
    /// Puzzles with several.
    pub several: usize,
    /// Puzzles that could not be read.
    pub unreadable: usize,
    /// States that were looked at.
    pub states: usize,
    /// Time that the paths took.
    pub paths: Duration,
    /// One for each member of each technique.
    pub rows: BTreeMap<RowKey, Row>,
}

/// Sums of one member of a technique, all its cases together.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// `id` or `id(4)`.
    pub label: String,
    /// States that were searched.
    pub searched: usize,
    /// States with a match.
    pub states: usize,
    pub matches: usize,
    pub eliminations: usize,
    pub placements: usize,
    /// Matches that say something wrong.
    pub wrong: usize,
    /// States where a limit cut the search short.
    pub limits: usize,
    pub time: Duration,
    /// The first of the wrong matches.
    pub shown: Vec<Shown>,
}

/// A wrong match, told.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Shown {
    /// Number of the puzzle among all.
    #[serde(skip)]
    pub task: usize,
    /// Where it is from, and its line there.
    pub file: String,
    pub line: usize,
    /// Steps before the state.
    pub step: usize,
    /// What is wrong of it.
    pub says: String,
    /// The state, candidates of every cell.
    pub state: String,
}

/// Where a state is from.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// Number of the puzzle among all.
    pub task: usize,
    pub file: &'a str,
    pub line: usize,
    /// Steps before the state.
    pub step: usize,
}

impl Row {
    /// Adds what the cases of a member find on one state.
    pub fn state(&mut self, geometry: &Geometry, at: At<'_>, state: &State, cases: &[Weighed], time: Duration) {
        let sum = |of: fn(&Weighed) -> usize| cases.iter().map(of).sum::<usize>();
        self.searched += 1;
        self.states += usize::from(sum(|one| one.matches) > 0);
        self.matches += sum(|one| one.matches);
        self.eliminations += sum(|one| one.eliminations);
        self.placements += sum(|one| one.placements);
        self.wrong += sum(|one| one.wrong.len());
        self.limits += usize::from(cases.iter().any(|one| !one.limits.is_empty()));
        self.time += time;
        let room = KEPT.saturating_sub(self.shown.len());
        self.shown.extend(cases.iter().flat_map(|one| &one.wrong).take(room).map(
            |Untrue { eliminations, placements }| {
                let says = notation::deductions(geometry, eliminations, placements);
                Shown {
                    task: at.task,
                    file: at.file.into(),
                    line: at.line,
                    step: at.step,
                    says,
                    state: draw::candidate_line(geometry, state),
                }
            },
        ));
    }

    fn add(&mut self, other: Row) {
        self.label = other.label;
        self.searched += other.searched;
        self.states += other.states;
        self.matches += other.matches;
        self.eliminations += other.eliminations;
        self.placements += other.placements;
        self.wrong += other.wrong;
        self.limits += other.limits;
        self.time += other.time;
        // The first ones of all puzzles, whoever came first.
        self.shown.extend(other.shown);
        self.shown.sort();
        self.shown.truncate(KEPT);
    }
}

impl Count {
    /// Adds other sums.
    pub fn add(&mut self, other: Count) {
        self.puzzles += other.puzzles;
        self.none += other.none;
        self.several += other.several;
        self.unreadable += other.unreadable;
        self.states += other.states;
        self.paths += other.paths;
        for (key, row) in other.rows {
            self.rows.entry(key).or_default().add(row);
        }
    }

    /// Matches of all rows.
    pub fn matches(&self) -> usize {
        self.rows.values().map(|row| row.matches).sum()
    }

    /// Searches of all rows.
    pub fn searches(&self) -> usize {
        self.rows.values().map(|row| row.searched).sum()
    }

    /// Wrong matches of all rows.
    pub fn wrong(&self) -> usize {
        self.rows.values().map(|row| row.wrong).sum()
    }
}
