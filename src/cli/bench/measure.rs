//! The work of a measurement. In: puzzles with their solvers, threads. Out: the time of each puzzle and of each technique.

use super::super::parallel::each;
use crate::grid::formats::Puzzle;
use crate::solve::{Outcome, Path, Solver, Step, Watch};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A puzzle, the file that it is from, and who solves it.
pub struct Task {
    pub file: Arc<str>,
    pub puzzle: Puzzle,
    pub solver: Arc<Solver>,
}

/// What was measured.
#[derive(Default)]
pub struct Sums {
    /// Of each puzzle.
    pub times: Vec<Duration>,
    /// How many ended so: `solved`, `stuck`, `broken`.
    pub outcomes: BTreeMap<&'static str, usize>,
    /// Steps of all paths.
    pub steps: usize,
    /// The slowest puzzles, slowest first.
    pub slowest: Vec<Measured>,
    /// By technique and arguments.
    pub rows: BTreeMap<String, Row>,
    /// From the first puzzle to the last.
    pub elapsed: Duration,
}

/// A puzzle's part.
pub struct Measured {
    pub file: Arc<str>,
    pub line: usize,
    pub time: Duration,
    pub steps: usize,
    /// One word.
    pub outcome: &'static str,
}

/// A puzzle's part, that of each technique in it, and a digest of its path where one is wanted.
type Part = (Measured, BTreeMap<String, Row>, Option<String>);

/// A technique's part.
#[derive(Clone, Copy, Default)]
pub struct Row {
    pub searches: usize,
    /// Searches that found something.
    pub found: usize,
    pub time: Duration,
}

/// Solves every puzzle. Keeps the `slowest` slowest, and writes a digest of each path on a line of its own.
pub fn all(
    tasks: impl Iterator<Item = Task> + Send,
    threads: usize,
    slowest: usize,
    mut digests: Option<&mut String>,
) -> Sums {
    let clock = Instant::now();
    let mut sums = Sums::default();
    let wanted = digests.is_some();
    each(
        tasks,
        threads,
        |_, task| puzzle(&task, wanted),
        |(one, rows, digest)| {
            if let (Some(lines), Some(digest)) = (digests.as_mut(), digest) {
                lines.push_str(&format!("{digest} {}\n", one.outcome));
            }
            sums.add(one, rows, slowest);
        },
    );
    sums.elapsed = clock.elapsed();
    sums
}

fn puzzle(task: &Task, digests: bool) -> Part {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut clocks = Clocks { began: Instant::now(), rows: vec![Row::default(); task.solver.members().len()] };
    let start = task.puzzle.state();
    let clock = Instant::now();
    let walk = task.solver.walk(start, &mut clocks, false);
    let time = clock.elapsed();
    for (row, member) in clocks.rows.iter().zip(task.solver.members()) {
        if row.searches > 0 {
            rows.entry(task.solver.member_label(member)).or_default().add(row);
        }
    }
    let outcome = match walk.outcome {
        Outcome::Solved => "solved",
        Outcome::Stuck => "stuck",
        _ => "broken",
    };
    let measured = Measured { file: Arc::clone(&task.file), line: task.puzzle.line, time, steps: walk.len(), outcome };
    (measured, rows, digests.then(|| digest(&walk.path(&task.solver))))
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
    fn add(&mut self, one: Measured, rows: BTreeMap<String, Row>, slowest: usize) {
        self.times.push(one.time);
        *self.outcomes.entry(one.outcome).or_default() += 1;
        self.steps += one.steps;
        for (label, row) in rows {
            self.rows.entry(label).or_default().add(&row);
        }
        let place = self.slowest.partition_point(|other| other.time >= one.time);
        self.slowest.insert(place, one);
        self.slowest.truncate(slowest);
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
