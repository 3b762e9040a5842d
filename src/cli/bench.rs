//! `pinion bench`. In: files of puzzles. Out: how fast they are solved, and what each technique costs.
//!
//! Options and [`run`] come first, then the measurement of one puzzle, the sums, and the table.

use crate::cli::corpus::{Clocks, Puzzles, Searches, each};
use crate::cli::files;
use crate::cli::output::Sheet;
use crate::cli::prelude::*;
use crate::solve::{Outcome, Path, Step};
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
    limits::heed_interrupts();
    args.time.begin();
    let geometry = args.board.as_deref().map(board).transpose()?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut puzzles = Puzzles::open(&args.files, geometry.as_ref())?;
    let mut tasks = puzzles
        .by_ref()
        .take(args.first.unwrap_or(usize::MAX))
        .map(|(file, puzzle)| BenchTask { file, solver: solvers.on(&puzzle.geometry, true), puzzle })
        .peekable();
    // Compile the rules for the first board before any clock runs.
    tasks.peek();
    let mut digests = String::new();
    let sums = all(tasks, args.threads.get(), args.slowest, args.digests.is_some().then_some(&mut digests));
    if let Some(file) = &args.digests {
        files::write(file, &digests)?;
    }
    print_results(&sums, args.threads.get(), out)?;
    let exit = match (sums.times.is_empty(), puzzles.unreadable > 0) {
        (true, _) if !limits::reached() => Exit::Puzzle,
        (_, true) => Exit::Input,
        _ => Exit::Done,
    };
    Ok(exit.max(limits::run_exit(sums.times.len())))
}

/// A puzzle, the file that it is from, and who solves it.
pub struct BenchTask {
    pub file: Arc<str>,
    pub puzzle: Puzzle,
    pub solver: Arc<Solver>,
}

/// Measurements of all puzzles.
#[derive(Default)]
pub struct Sums {
    /// Time of each puzzle.
    pub times: Vec<Duration>,
    /// Number of puzzles by outcome: `solved`, `stuck`, `broken`.
    pub outcomes: BTreeMap<&'static str, usize>,
    /// Steps of all paths.
    pub steps: usize,
    /// The slowest puzzles, slowest first.
    pub slowest: Vec<Measured>,
    /// By technique and arguments.
    pub rows: BTreeMap<String, Searches>,
    /// From the first puzzle to the last.
    pub elapsed: Duration,
}

/// Measurement of one puzzle.
pub struct Measured {
    pub file: Arc<str>,
    pub line: usize,
    pub time: Duration,
    pub steps: usize,
    /// One word.
    pub outcome: &'static str,
}

/// Measurement of a puzzle, the rows of its techniques, and a digest of its path if one is wanted.
type MeasuredPath = (Measured, BTreeMap<String, Searches>, Option<String>);

/// Solves every puzzle. Keeps the `slowest` slowest, and writes a digest of each path on a line of its own.
pub fn all(
    tasks: impl Iterator<Item = BenchTask> + Send,
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

fn puzzle(task: &BenchTask, digests: bool) -> MeasuredPath {
    let mut rows: BTreeMap<String, Searches> = BTreeMap::new();
    let mut clocks = Clocks::new(task.solver.members().len());
    let start = task.puzzle.state();
    let clock = Instant::now();
    let walk = task.solver.walk(start, &mut clocks, false);
    let time = clock.elapsed();
    for (row, member) in clocks.searches.iter().zip(task.solver.members()) {
        if row.count > 0 {
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
    fn add(&mut self, one: Measured, rows: BTreeMap<String, Searches>, slowest: usize) {
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
    slowest: Vec<SlowRecord<'a>>,
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

#[derive(Serialize)]
struct SlowRecord<'a> {
    file: &'a str,
    line: usize,
    milliseconds: f64,
    steps: usize,
    outcome: &'a str,
}

/// Prints the measurements.
pub fn print_results(sums: &Sums, threads: usize, out: &mut Output) -> Result<(), Stop> {
    let record = record(sums, threads);
    if !out.is_text() {
        return Ok(out.value(&record)?);
    }
    table(&record).print_unbroken(out)?;
    let mut lines = vec![Line::text("")];
    for one in &record.slowest {
        let place = if one.file.is_empty() { String::new() } else { format!("{}:{}, ", one.file, one.line) };
        let words =
            format!("slowest: {place}{:.2} ms, {}, {}", one.milliseconds, counted(one.steps, "step"), one.outcome);
        lines.push(Line::of(Role::Quiet, words));
    }
    let broken = if record.broken > 0 { format!(", {} broken", record.broken) } else { String::new() };
    lines.push(Line::text(format!(
        "{} solved, {} stuck{broken}; {}",
        record.solved,
        record.stuck,
        counted(record.steps, "step")
    )));
    lines.push(Line::text(format!(
        "{} in {:.3} s on {}: {:.1} a second; a puzzle {:.3} ms on average, {:.3} ms in the median",
        counted(record.puzzles, "puzzle"),
        record.seconds,
        counted(threads, "thread"),
        record.puzzles_per_second,
        record.mean_ms,
        record.median_ms
    )));
    out.lines(&lines)?;
    Ok(())
}

fn record(sums: &Sums, threads: usize) -> BenchRecord<'_> {
    let count = |outcome: &str| sums.outcomes.get(outcome).copied().unwrap_or_default();
    let search: Duration = sums.rows.values().map(|row| row.time).sum();
    let mut rows: Vec<(&String, &Searches)> = sums.rows.iter().collect();
    rows.sort_by(|(a, one), (b, other)| other.time.cmp(&one.time).then_with(|| a.cmp(b)));
    let mut times = sums.times.clone();
    times.sort_by_key(|time| std::cmp::Reverse(*time));
    let median = times.get(times.len() / 2).map_or(0.0, |time| millis(*time));
    let total: Duration = times.iter().sum();
    let puzzles = times.len();
    BenchRecord {
        puzzles,
        solved: count("solved"),
        stuck: count("stuck"),
        broken: count("broken"),
        steps: sums.steps,
        threads,
        seconds: sums.elapsed.as_secs_f64(),
        puzzles_per_second: ratio(puzzles as f64, sums.elapsed.as_secs_f64()),
        mean_ms: ratio(millis(total), puzzles as f64),
        median_ms: median,
        search_seconds: search.as_secs_f64(),
        techniques: rows.into_iter().map(|(label, row)| row_record(label, row, search)).collect(),
        slowest: sums.slowest.iter().map(slow_record).collect(),
    }
}

fn row_record<'a>(technique: &'a str, row: &Searches, all: Duration) -> SearchRecord<'a> {
    SearchRecord {
        technique,
        searches: row.count,
        found: row.found,
        seconds: row.time.as_secs_f64(),
        microseconds_a_search: ratio(row.time.as_secs_f64() * 1e6, row.count as f64),
        share: ratio(row.time.as_secs_f64(), all.as_secs_f64()),
    }
}

fn slow_record(one: &Measured) -> SlowRecord<'_> {
    let Measured { file, line, time, steps, outcome } = one;
    SlowRecord { file, line: *line, milliseconds: millis(*time), steps: *steps, outcome }
}

fn table(record: &BenchRecord) -> Sheet {
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
    sheet
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}
