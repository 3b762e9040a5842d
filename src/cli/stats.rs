//! `pinion stats`. In: puzzles. Out: what each technique of the rulebook did on their paths, and which puzzles it alone
//! unlocks.

use crate::cli::corpus::{Clocks, CorpusArgs, CountRow, CutShort, Searches, each, note};
use crate::cli::prelude::*;
use crate::cli::rules;
use crate::engine::LimitHit;
use crate::render::{Bar, bars};
use crate::solve::{Outcome, Path, Profile};
use crate::workbench::experiment::{is_solved, left_out};
use std::collections::{BTreeMap, BTreeSet};

/// Count what each technique of the rulebook does on puzzles, and which it alone unlocks
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion stats puzzles.txt
  pinion stats puzzles.txt --profile classic --csv
  pinion stats puzzles.txt --rules my-rules/ --svg chart.svg

Of each technique the table shows in how many puzzles and steps it was used, what it eliminated (elims) and placed, how
often it was searched for (tried), and how many milliseconds that took. A technique unlocks a puzzle if the puzzle is not solved without it. For that each puzzle is solved again without each
technique that it uses; --no-leave-out skips this. If a limit cuts searches short, a column says on how many puzzles.")]
pub struct StatsArgs {
    /// Files with puzzles, puzzles, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Do not count what each technique unlocks
    #[arg(long)]
    no_leave_out: bool,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

#[derive(Default, Serialize)]
struct StatsRecord {
    puzzles: usize,
    skipped: usize,
    solved: usize,
    steps: usize,
    /// Puzzles that were solved again without a technique and cut short by a limit then.
    #[serde(flatten)]
    cut: CutShort,
    techniques: Vec<TechniqueRecord>,
}

#[derive(Clone, Default, Serialize)]
struct TechniqueRecord {
    technique: String,
    puzzles: usize,
    steps: usize,
    eliminations: usize,
    placements: usize,
    /// None if it was not counted.
    unlocks: Option<usize>,
    /// The lines of the puzzles that it alone unlocks.
    unlocked_lines: Vec<usize>,
    searches: usize,
    /// Puzzles on whose paths a limit cut a search for it short.
    #[serde(flatten)]
    cut: CutShort,
    milliseconds: f64,
}

impl TechniqueRecord {
    fn counts(&self) -> CountRow<'_> {
        let numbers = [self.puzzles, self.steps, self.eliminations, self.placements].map(|number| number.to_string());
        let unlocks = self.unlocks.map_or("-".to_owned(), |unlocks| unlocks.to_string());
        let cells = numbers.into_iter().chain([unlocks, self.searches.to_string()]).collect();
        (&self.technique, cells, &self.cut, self.milliseconds)
    }
}

/// A technique's part in one path.
#[derive(Default)]
struct TechniqueShare {
    steps: usize,
    eliminations: usize,
    placements: usize,
    unlocks: bool,
    searches: Searches,
    limits: BTreeSet<LimitHit>,
}

/// Counts the uses of each technique.
pub fn run(args: &StatsArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    limits::heed_interrupts();
    args.time.begin();
    let board = args.corpus.board()?;
    let mut corpus = args.corpus.read(&args.files, board.as_ref())?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let (solver, profile) = (solvers.on(&corpus.geometry, true), rules::profile(&args.profile)?);
    let mut record = nothing(&solver, args.no_leave_out);
    let work = |_, puzzle: Puzzle| (puzzle.line, one(&puzzle, &solver, &profile, args.no_leave_out));
    each(&mut corpus, args.corpus.threads(), work, |(line, parts)| record.add(line, parts));
    record.skipped = corpus.skipped();
    let chart = || {
        let used = record.techniques.iter().filter(|row| row.puzzles > 0);
        let bar = |row: &TechniqueRecord| {
            let alone = row.unlocks.map(|unlocks| unlocks as u64);
            let parts = alone.into_iter().chain([row.puzzles as u64 - alone.unwrap_or(0)]).collect();
            Bar { label: row.technique.clone(), parts }
        };
        let words: &[&str] = if args.no_leave_out { &["use it"] } else { &["unlocked by it alone", "also uses it"] };
        bars("Puzzles", words, &used.map(bar).collect::<Vec<_>>())
    };
    args.corpus.draw(chart)?;
    print_results(args, &record, out)?;
    Ok(corpus.exit(record.puzzles))
}

/// One puzzle: whether it was solved, its steps, the techniques, and the limits that cut its solutions without one of them short.
type Parts = (bool, usize, BTreeMap<String, TechniqueShare>, BTreeSet<LimitHit>);

fn one(puzzle: &Puzzle, solver: &Arc<Solver>, profile: &Profile, quick: bool) -> Parts {
    let start = puzzle.state();
    let mut clocks = Clocks::new(solver.members().len());
    let path: Path = solver.solve_watched(start.clone(), &mut clocks);
    let solved = path.outcome == Outcome::Solved;
    let mut parts: BTreeMap<String, TechniqueShare> = BTreeMap::new();
    for (member, searches) in solver.members().iter().zip(&clocks.searches).filter(|(_, searches)| searches.count > 0) {
        let part = parts.entry(solver.techniques()[member.technique].id.clone()).or_default();
        part.searches.add(searches);
    }
    for step in &path.steps {
        let part = parts.entry(step.technique.clone()).or_default();
        part.steps += 1;
        part.eliminations += step.eliminations.len();
        part.placements += step.placements.len();
    }
    for cut in &path.cuts {
        let id = cut.member.split('(').next().unwrap_or_default();
        parts.entry(id.to_owned()).or_default().limits.insert(cut.limit);
    }
    let mut limits = BTreeSet::new();
    let used: BTreeSet<&String> = path.steps.iter().map(|step| &step.technique).collect();
    for technique in used.into_iter().filter(|_| solved && !quick) {
        let without = solver.reordered(&left_out(profile, technique));
        if let Some(part) = parts.get_mut(technique) {
            part.unlocks = !is_solved(&without, &start, &mut limits);
        }
    }
    (solved, path.steps.len(), parts, limits)
}

/// The rows in the order of work, with nothing counted yet.
fn nothing(solver: &Solver, quick: bool) -> StatsRecord {
    let mut order: Vec<String> = Vec::new();
    for rank in &solver.ranking().ranks {
        for &member in &rank.members {
            let id = &solver.techniques()[solver.members()[member].technique].id;
            if !order.contains(id) {
                order.push(id.clone());
            }
        }
    }
    let row = |technique| TechniqueRecord { technique, unlocks: (!quick).then_some(0), ..TechniqueRecord::default() };
    StatsRecord { techniques: order.into_iter().map(row).collect(), ..StatsRecord::default() }
}

impl StatsRecord {
    /// A sentence for each technique, and one for what techniques unlock, if a limit cut searches short.
    fn cuts(&self) -> Vec<Line> {
        let of_rows = self.techniques.iter().filter_map(|row| row.cut.search_note(&row.technique, "puzzle"));
        let (puzzles, by) = (counted(self.cut.count, "puzzle"), self.cut.by());
        let words = format!("Solving {puzzles} without a technique was cut short by {by}; fewer may be unlocked.");
        of_rows.chain((self.cut.count > 0).then(|| note(words))).collect()
    }

    /// Adds a puzzle, by its line.
    fn add(&mut self, line: usize, (is_solved, count, parts, limits): Parts) {
        self.puzzles += 1;
        self.solved += usize::from(is_solved);
        self.steps += count;
        self.cut.add(usize::from(!limits.is_empty()), limits);
        for (id, part) in parts {
            let Some(row) = self.techniques.iter_mut().find(|row| row.technique == id) else { continue };
            row.puzzles += usize::from(part.steps > 0);
            row.steps += part.steps;
            row.eliminations += part.eliminations;
            row.placements += part.placements;
            row.searches += part.searches.count;
            row.cut.add(usize::from(!part.limits.is_empty()), part.limits);
            row.milliseconds += part.searches.time.as_secs_f64() * 1000.0;
            if part.unlocks {
                row.unlocks = row.unlocks.map(|unlocks| unlocks + 1);
                row.unlocked_lines.push(line);
            }
        }
    }
}

fn print_results(args: &StatsArgs, record: &StatsRecord, out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        return Ok(out.value(record)?);
    }
    let csv = ["technique", "puzzles", "steps", "eliminations", "placements", "unlocks", "searches"];
    let text = ["technique", "puzzles", "steps", "elims", "placed", "unlocks", "tried"];
    let rows = record.techniques.iter().filter(|row| row.steps > 0 || row.cut.count > 0);
    args.corpus.print_counts(&csv, &text, &rows.map(TechniqueRecord::counts).collect::<Vec<_>>(), out)?;
    if args.corpus.csv {
        return Ok(());
    }
    let idle: Vec<&str> = record
        .techniques
        .iter()
        .filter(|row| row.steps + row.cut.count == 0)
        .map(|row| row.technique.as_str())
        .collect();
    let mut lines = vec![Line::default()];
    for row in record.techniques.iter().filter(|row| row.unlocks > Some(0)) {
        let shown: Vec<String> = row.unlocked_lines.iter().take(SHOWN).map(usize::to_string).collect();
        let more = if row.unlocks > Some(SHOWN) { " …" } else { "" };
        lines.push(Line::text(format!(
            "Only {} unlocks the puzzles of lines {}{more}",
            row.technique,
            shown.join(", ")
        )));
    }
    lines.extend(record.cuts());
    if !idle.is_empty() {
        lines.push(Line::of(Role::Quiet, format!("Never used: {}.", idle.join(", "))));
    }
    let words =
        format!("{}, {} solved, {}.", counted(record.puzzles, "puzzle"), record.solved, counted(record.steps, "step"));
    lines.push(Line::of(Role::Name, words));
    Ok(out.lines(&lines)?)
}

/// At most this many lines are listed.
const SHOWN: usize = 8;
