//! The work of a measurement. In: puzzles with their solvers, threads. Out: the time of each puzzle and of each technique.

use super::super::parallel::each;
use crate::grid::formats::Puzzle;
use crate::solve::{Outcome, Path, Solver, Step, Watch};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A puzzle, the file that it is from, and who solves it.
pub struct Task {
    pub file: String,
    pub puzzle: Puzzle,
    pub solver: Arc<Solver>,
}

/// What was measured.
#[derive(Default)]
pub struct Sums {
    /// In the order of the puzzles.
    pub puzzles: Vec<Measured>,
    /// By technique and arguments.
    pub rows: BTreeMap<String, Row>,
    /// From the first puzzle to the last.
    pub elapsed: Duration,
}

/// A puzzle's part.
pub struct Measured {
    pub task: usize,
    pub time: Duration,
    pub steps: usize,
    /// One word.
    pub outcome: &'static str,
    /// Of the path, where it is wanted.
    pub digest: Option<String>,
}

/// A technique's part.
#[derive(Clone, Copy, Default)]
pub struct Row {
    pub searches: usize,
    /// Searches that found something.
    pub found: usize,
    pub time: Duration,
}

/// Solves every puzzle.
pub fn all(tasks: &[Task], threads: usize, digests: bool) -> Sums {
    let clock = Instant::now();
    let mut sums = Sums::default();
    each(tasks, threads, |number, task| puzzle(number, task, digests), |one| sums.add(one));
    sums.elapsed = clock.elapsed();
    sums
}

fn puzzle(number: usize, task: &Task, digests: bool) -> Sums {
    let mut sums = Sums::default();
    let mut clocks = Clocks { began: Instant::now(), rows: vec![Row::default(); task.solver.members().len()] };
    let start = task.puzzle.state();
    let clock = Instant::now();
    let walk = task.solver.walk(start, &mut clocks, false);
    let time = clock.elapsed();
    for (row, member) in clocks.rows.iter().zip(task.solver.members()) {
        if row.searches > 0 {
            sums.rows.entry(task.solver.member_label(member)).or_default().add(row);
        }
    }
    let outcome = match walk.outcome {
        Outcome::Solved => "solved",
        Outcome::Stuck => "stuck",
        _ => "broken",
    };
    sums.puzzles.push(Measured {
        task: number,
        time,
        steps: walk.len(),
        outcome,
        digest: digests.then(|| digest(&walk.path(&task.solver))),
    });
    sums
}

/// A digest of what the steps of a path say and why, the same for two rulebooks that differ in other techniques.
fn digest(path: &Path) -> String {
    let said =
        |step: &Step| (step.name.clone(), step.eliminations.clone(), step.placements.clone(), step.chain.clone());
    let steps: Vec<_> = path.steps.iter().map(|step| (said(step), &step.bindings, &step.claims, &step.cases)).collect();
    let text = serde_json::to_string(&steps).unwrap_or_default();
    blake3::hash(text.as_bytes()).to_hex()[..16].to_string()
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.puzzles.extend(other.puzzles);
        for (label, row) in other.rows {
            self.rows.entry(label).or_default().add(&row);
        }
    }
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.searches += other.searches;
        self.found += other.found;
        self.time += other.time;
    }
}

struct Clocks {
    began: Instant,
    rows: Vec<Row>,
}

impl Watch for Clocks {
    fn begin(&mut self, _: usize) {
        self.began = Instant::now();
    }

    fn end(&mut self, member: usize, matches: usize) {
        let row = &mut self.rows[member];
        row.searches += 1;
        row.found += usize::from(matches > 0);
        row.time += self.began.elapsed();
    }
}
