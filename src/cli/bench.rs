//! `pinion bench`: measures the time to solve puzzles, and the time of each technique.

use crate::cli::corpus::{Puzzles, SearchClock, SearchStats, parallel_each};
use crate::cli::files::FileDraft;
use crate::cli::output::NumberTable;
use crate::cli::prelude::*;
use crate::solve::{Outcome, Path};
use serde::Serializer;
use std::cmp::Reverse;

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
    #[command(flatten)]
    board: BoardArg,
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

pub fn run(args: &BenchArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    args.time.begin_interruptible();
    let geometry = args.board.geometry()?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut puzzles = Puzzles::open(&args.files, geometry.as_ref())?;
    let mut tasks = puzzles
        .by_ref()
        .take(args.first.unwrap_or(usize::MAX))
        .map(|(file, puzzle)| (file, solvers.on(&puzzle.geometry, ASSUME_UNIQUE), puzzle))
        .peekable();
    // Compiles the rules for the first board before the clock starts.
    tasks.peek();
    let draft = args.digests.as_deref().map(FileDraft::open).transpose()?;
    let clock = Instant::now();
    let mut sums = BenchSums::default();
    let mut digests = String::new();
    parallel_each(
        tasks,
        args.threads.get(),
        |_, (file, solver, puzzle)| measure(&file, &solver, &puzzle, args.digests.is_some()),
        |measurement| {
            if let Some(digest) = &measurement.digest {
                digests += &format!("{digest} {}\n", measurement.puzzle.outcome);
            }
            sums.add(measurement, args.slowest);
        },
    );
    let elapsed = clock.elapsed();
    if let (Some(draft), Some(path)) = (draft, &args.digests) {
        draft.write_and_keep(path, &digests)?;
    }
    print_results(&sums.record(elapsed, args.threads.get()), out)?;
    Ok(puzzles.exit(sums.times.len()))
}

#[derive(Default)]
struct BenchSums {
    times: Vec<Duration>,
    /// Number of puzzles by outcome: `solved`, `stuck`, `broken`.
    outcomes: BTreeMap<&'static str, usize>,
    steps: usize,
    /// The slowest puzzles, slowest first.
    slowest: Vec<PuzzleTiming>,
    /// Statistics of searches by the label of the member, such as `id(4)`.
    searches: BTreeMap<String, SearchStats>,
}

struct Measurement {
    puzzle: PuzzleTiming,
    searches: BTreeMap<String, SearchStats>,
    digest: Option<String>,
}

#[derive(Serialize)]
struct PuzzleTiming {
    file: String,
    line: usize,
    #[serde(rename = "milliseconds", serialize_with = "milliseconds")]
    time: Duration,
    steps: usize,
    outcome: &'static str,
}

fn milliseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(millis(*time))
}

fn measure(file: &str, solver: &Solver, puzzle: &Puzzle, wants_digest: bool) -> Measurement {
    let mut search_clock = SearchClock::new(solver.members().len());
    let start = puzzle.state();
    let clock = Instant::now();
    let walk = solver.walk(start, &mut search_clock);
    let time = clock.elapsed();
    let mut searches: BTreeMap<String, SearchStats> = BTreeMap::new();
    for (stats, member) in search_clock.stats.iter().zip(solver.members()) {
        if stats.count > 0 {
            searches.entry(solver.member_label(member)).or_default().add(stats);
        }
    }
    let outcome = match walk.outcome {
        Outcome::Solved => "solved",
        Outcome::Stuck => "stuck",
        Outcome::Broken(_) => "broken",
    };
    let steps = walk.len();
    let digest = if wants_digest { Some(digest(&walk.path(solver))) } else { None };
    let puzzle = PuzzleTiming { file: file.into(), line: puzzle.line, time, steps, outcome };
    Measurement { puzzle, searches, digest }
}

/// Returns a digest of the conclusions and reasons of all steps. Only techniques that the path uses affect the digest.
fn digest(path: &Path) -> String {
    let mut steps = Vec::new();
    for step in &path.steps {
        let conclusions = (&step.name, &step.eliminations, &step.placements, &step.chain);
        steps.push((conclusions, &step.bindings, &step.claims, &step.cases));
    }
    let text = serde_json::to_string(&steps).unwrap_or_default();
    blake3::hash(text.as_bytes()).to_hex()[..16].to_string()
}

impl BenchSums {
    /// Adds a puzzle. Keeps the `max_slowest` slowest puzzles.
    fn add(&mut self, Measurement { puzzle, searches, .. }: Measurement, max_slowest: usize) {
        self.times.push(puzzle.time);
        *self.outcomes.entry(puzzle.outcome).or_default() += 1;
        self.steps += puzzle.steps;
        for (label, stats) in searches {
            self.searches.entry(label).or_default().add(&stats);
        }
        let index = self.slowest.partition_point(|other| other.time >= puzzle.time);
        self.slowest.insert(index, puzzle);
        self.slowest.truncate(max_slowest);
    }

    fn count(&self, outcome: &str) -> usize {
        self.outcomes.get(outcome).copied().unwrap_or_default()
    }

    fn record(&self, elapsed: Duration, threads: usize) -> BenchRecord<'_> {
        let puzzles = self.times.len();
        let seconds = elapsed.as_secs_f64();
        let search_time: Duration = self.searches.values().map(|stats| stats.time).sum();
        let mut searches: Vec<(&String, &SearchStats)> = self.searches.iter().collect();
        searches.sort_by_key(|(label, stats)| (Reverse(stats.time), *label));
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
            search_seconds: search_time.as_secs_f64(),
            techniques: searches
                .into_iter()
                .map(|(label, stats)| SearchRecord::new(label, stats, search_time))
                .collect(),
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
    slowest: &'a [PuzzleTiming],
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
    /// Creates the record of a member; `total_time` is the time of the searches of all members.
    fn new<'a>(technique: &'a str, stats: &SearchStats, total_time: Duration) -> SearchRecord<'a> {
        let seconds = stats.time.as_secs_f64();
        SearchRecord {
            technique,
            searches: stats.count,
            found: stats.successful,
            seconds,
            microseconds_a_search: ratio(seconds * 1e6, stats.count as f64),
            share: ratio(seconds, total_time.as_secs_f64()),
        }
    }
}

fn print_results(record: &BenchRecord<'_>, out: &mut Output) -> Result<(), CommandError> {
    if !out.is_text() {
        return Ok(out.value(record)?);
    }
    let mut table = NumberTable::new(&["technique", "searches", "found", "seconds", "µs a search", "share"]);
    for row in &record.techniques {
        table.add_row(vec![
            row.technique.to_string(),
            row.searches.to_string(),
            row.found.to_string(),
            format!("{:.3}", row.seconds),
            format!("{:.1}", row.microseconds_a_search),
            format!("{:.1} %", row.share * 100.0),
        ]);
    }
    table.print_unwrapped(out)?;
    let mut lines = vec![Line::text("")];
    for PuzzleTiming { file, line, time, steps, outcome } in record.slowest {
        let location = if file.is_empty() { String::new() } else { format!("{file}:{line}, ") };
        let text = format!("slowest: {location}{:.2} ms, {}, {outcome}", millis(*time), count_phrase(*steps, "step"));
        lines.push(Line::styled(Role::Quiet, text));
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

/// Returns `a / b`, or 0 if `b` is 0.
fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}
