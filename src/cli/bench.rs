//! `pinion bench`. In: files of puzzles. Out: how fast they are solved, and what each technique costs.
//!
//! Options and [`run`] come first, then the measurement of one puzzle, the sums, and the table.

use crate::cli::corpus::{Clocks, Puzzles, Searches, each};
use crate::cli::files;
use crate::cli::output::Sheet;
use crate::cli::prelude::*;
use crate::solve::{Outcome, Path};
use serde::Serializer;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// Measure how fast puzzles are solved, and what each technique costs
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion bench puzzles.txt
  pinion bench puzzles.txt --threads 2 --profile hodoku
  pinion bench puzzles.txt --rules my-rules/ --format json
  pinion bench puzzles.txt --digests before.txt

Each puzzle is solved once. The table has a line for each technique: searches, searches that found something, total time,
time a search and share of the time. Puzzles are taken to have one solution. With several threads the times of techniques
are added up. Two runs with equal paths write equal digests.")]
pub struct BenchArgs {
    /// Files with puzzles, puzzles, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Read puzzles for this board only: a size such as 16x16, a name such as windoku, or a board file (otherwise the
    /// length tells)
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Option<String>,
    /// Work on N puzzles at a time
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Show the N slowest puzzles
    #[arg(long, value_name = "N", default_value = "5")]
    slowest: usize,
    /// Only the first N puzzles
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    /// Write a digest of each puzzle's path to this file
    #[arg(long, value_name = "FILE")]
    digests: Option<PathBuf>,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

/// Measures.
pub fn run(args: &BenchArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    args.time.begin_run();
    let geometry = asked_board(&args.board)?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut puzzles = Puzzles::open(&args.files, geometry.as_ref())?;
    let mut tasks = puzzles
        .by_ref()
        .take(args.first.unwrap_or(usize::MAX))
        .map(|(file, puzzle)| (file, solvers.on(&puzzle.geometry, true), puzzle))
        .peekable();
    // Compile the rules for the first board before any clock runs.
    tasks.peek();
    let clock = Instant::now();
    let (mut sums, mut digests) = (BenchSums::default(), String::new());
    each(
        tasks,
        args.threads.get(),
        |_, (file, solver, puzzle)| measure(&file, &solver, &puzzle, args.digests.is_some()),
        |(one, rows, digest)| {
            digests.extend(digest.map(|digest| format!("{digest} {}\n", one.outcome)));
            sums.add(one, rows, args.slowest);
        },
    );
    let elapsed = clock.elapsed();
    if let Some(file) = &args.digests {
        files::write(file, &digests)?;
    }
    print_results(&sums.record(elapsed, args.threads.get()), out)?;
    Ok(puzzles.exit(sums.times.len()))
}

/// Measurements of all puzzles.
#[derive(Default)]
struct BenchSums {
    /// Time of each puzzle.
    times: Vec<Duration>,
    /// Number of puzzles by outcome: `solved`, `stuck`, `broken`.
    outcomes: BTreeMap<&'static str, usize>,
    /// Steps of all paths.
    steps: usize,
    /// The slowest puzzles, slowest first.
    slowest: Vec<SlowRecord>,
    /// By technique and arguments.
    rows: BTreeMap<String, Searches>,
}

/// Measurement of one puzzle.
#[derive(Serialize)]
struct SlowRecord {
    file: String,
    line: usize,
    #[serde(rename = "milliseconds", serialize_with = "milliseconds")]
    time: Duration,
    steps: usize,
    /// One word.
    outcome: &'static str,
}

fn milliseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(millis(*time))
}

/// Solves a puzzle. Returns its measurement, the searches by technique, and a digest of its path if one is wanted.
fn measure(
    file: &str,
    solver: &Solver,
    puzzle: &Puzzle,
    digests: bool,
) -> (SlowRecord, BTreeMap<String, Searches>, Option<String>) {
    let mut rows: BTreeMap<String, Searches> = BTreeMap::new();
    let mut clocks = Clocks::new(solver.members().len());
    let start = puzzle.state();
    let clock = Instant::now();
    let walk = solver.walk(start, &mut clocks);
    let time = clock.elapsed();
    for (row, member) in clocks.searches.iter().zip(solver.members()).filter(|(row, _)| row.count > 0) {
        rows.entry(solver.member_label(member)).or_default().add(row);
    }
    let outcome = match walk.outcome {
        Outcome::Solved => "solved",
        Outcome::Stuck => "stuck",
        Outcome::Broken(_) => "broken",
    };
    let measured = SlowRecord { file: file.into(), line: puzzle.line, time, steps: walk.len(), outcome };
    (measured, rows, digests.then(|| digest(&walk.path(solver))))
}

/// A digest of what the steps of a path say and why, the same for two rulebooks that differ in other techniques.
fn digest(path: &Path) -> String {
    let steps: Vec<_> = path
        .steps
        .iter()
        .map(|one| {
            let says = (&one.name, &one.eliminations, &one.placements, &one.chain);
            (says, &one.bindings, &one.claims, &one.cases)
        })
        .collect();
    let text = serde_json::to_string(&steps).unwrap_or_default();
    blake3::hash(text.as_bytes()).to_hex()[..16].to_string()
}

impl BenchSums {
    fn add(&mut self, one: SlowRecord, rows: BTreeMap<String, Searches>, slowest: usize) {
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

    fn count(&self, outcome: &str) -> usize {
        self.outcomes.get(outcome).copied().unwrap_or_default()
    }

    fn record(&self, elapsed: Duration, threads: usize) -> BenchRecord<'_> {
        let (puzzles, seconds) = (self.times.len(), elapsed.as_secs_f64());
        let search: Duration = self.rows.values().map(|row| row.time).sum();
        let mut rows: Vec<(&String, &Searches)> = self.rows.iter().collect();
        rows.sort_by(|(a, one), (b, other)| other.time.cmp(&one.time).then_with(|| a.cmp(b)));
        let mut times = self.times.clone();
        times.sort_by_key(|time| Reverse(*time));
        BenchRecord {
            puzzles,
            solved: self.count("solved"),
            stuck: self.count("stuck"),
            broken: self.count("broken"),
            steps: self.steps,
            threads,
            seconds,
            puzzles_per_second: ratio(puzzles as f64, seconds),
            mean_ms: ratio(millis(times.iter().sum()), puzzles as f64),
            median_ms: times.get(puzzles / 2).map_or(0.0, |time| millis(*time)),
            search_seconds: search.as_secs_f64(),
            techniques: rows.into_iter().map(|(label, row)| SearchRecord::new(label, row, search)).collect(),
            slowest: &self.slowest,
        }
    }
}

#[derive(Serialize)]
struct BenchRecord<'a> {
    puzzles: usize,
    solved: usize,
    stuck: usize,
    broken: usize,
    steps: usize,
    threads: usize,
    seconds: f64,
    puzzles_per_second: f64,
    mean_ms: f64,
    median_ms: f64,
    search_seconds: f64,
    techniques: Vec<SearchRecord<'a>>,
    slowest: &'a [SlowRecord],
}

#[derive(Serialize)]
struct SearchRecord<'a> {
    technique: &'a str,
    searches: usize,
    found: usize,
    seconds: f64,
    microseconds_a_search: f64,
    share: f64,
}

impl SearchRecord<'_> {
    /// With the share of the time of all searches.
    fn new<'a>(technique: &'a str, row: &Searches, all: Duration) -> SearchRecord<'a> {
        let seconds = row.time.as_secs_f64();
        SearchRecord {
            technique,
            searches: row.count,
            found: row.found,
            seconds,
            microseconds_a_search: ratio(seconds * 1e6, row.count as f64),
            share: ratio(seconds, all.as_secs_f64()),
        }
    }
}

/// Prints the measurements.
fn print_results(record: &BenchRecord<'_>, out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        return Ok(out.value(record)?);
    }
    let mut sheet = Sheet::new(&["technique", "searches", "found", "seconds", "µs a search", "share"]);
    for row in &record.techniques {
        sheet.row(vec![
            row.technique.to_string(),
            row.searches.to_string(),
            row.found.to_string(),
            format!("{:.3}", row.seconds),
            format!("{:.1}", row.microseconds_a_search),
            format!("{:.1} %", row.share * 100.0),
        ]);
    }
    sheet.print_unbroken(out)?;
    let mut lines = vec![Line::text("")];
    for SlowRecord { file, line, time, steps, outcome } in record.slowest {
        let place = if file.is_empty() { String::new() } else { format!("{file}:{line}, ") };
        let words = format!("slowest: {place}{:.2} ms, {}, {outcome}", millis(*time), count_phrase(*steps, "step"));
        lines.push(Line::styled(Role::Quiet, words));
    }
    let broken = if record.broken > 0 { format!(", {} broken", record.broken) } else { String::new() };
    let steps = count_phrase(record.steps, "step");
    lines.push(Line::text(format!("{} solved, {} stuck{broken}; {steps}", record.solved, record.stuck)));
    lines.push(Line::text(format!(
        "{} in {:.3} s on {}: {:.1} a second; a puzzle {:.3} ms on average, {:.3} ms in the median",
        count_phrase(record.puzzles, "puzzle"),
        record.seconds,
        count_phrase(record.threads, "thread"),
        record.puzzles_per_second,
        record.mean_ms,
        record.median_ms
    )));
    Ok(out.lines(&lines)?)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}
