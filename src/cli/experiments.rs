//! `pinion compare` and `pinion stats`: counts what techniques find on a collection, and which puzzles need a technique. `compare` also
//! proves which techniques are special cases of other techniques.

use crate::cli::corpus::{
    Corpus, CorpusArgs, CountRow, CutShort, SearchClock, SearchStats, TableArgs, add_fields, parallel_each,
};
use crate::cli::find::unknown_technique;
use crate::cli::prelude::*;
use crate::cli::progress::progress;
use crate::cli::rules;
use crate::lang::ir::Space;
use crate::proof::{Member, Prover, direct_cases};
use crate::render::Bar;
use crate::solve::{Outcome, Path, Profile, member_label};
use crate::workbench::experiment::{Contender, Experiment, FoundLiteral, PuzzleTrial, is_solved, profile_without};

/// Compare techniques on puzzles: what each finds, what only it finds, what it unlocks
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion compare NAME OTHER --on puzzles.txt
  pinion compare NAME OTHER --on puzzles.txt --rules my-rules/ --every 5 --svg chart.svg

Pinion solves each puzzle with the profile (`basic` by default): without the techniques, with each of them alone, and with
all of them. On the positions of the last path it counts the matches and deductions of each technique. Matches that `find`
would list in one line count once; a deduction counts once for each puzzle. In the table, `positions` are those with a
match. If a limit cuts searches short, a column says on how many positions.")]
pub struct CompareArgs {
    /// The techniques, by id, member or name
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Files with puzzles, puzzles, or - for standard input
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    on: Vec<String>,
    /// Look only at every Nth position of a path
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// Do not ask whether a technique is a special case of another one
    #[arg(long)]
    no_proof: bool,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

#[derive(Default, Serialize)]
struct CompareRecord {
    puzzles: usize,
    skipped: usize,
    positions: usize,
    solved_without: usize,
    solved_with_all: usize,
    /// Puzzles that were not solved to the end because of a limit.
    #[serde(flatten)]
    cut: CutShort,
    techniques: Vec<ContenderRecord>,
    both: Vec<SharedRecord>,
    special_cases: Vec<SpecialCaseRecord>,
}

#[derive(Default, Serialize)]
struct ContenderRecord {
    name: String,
    puzzles: usize,
    /// Positions with a match.
    positions: usize,
    matches: usize,
    deductions: usize,
    /// Deductions that no other compared technique has.
    only: usize,
    solved: usize,
    /// Puzzles that are solved with this technique, but are not solved if all compared techniques are left out.
    unlocked: usize,
    /// Positions on which a limit cut the search short.
    #[serde(flatten)]
    cut: CutShort,
    seconds: f64,
}

#[derive(Serialize)]
struct SharedRecord {
    a: String,
    b: String,
    deductions: usize,
}

#[derive(Serialize)]
struct SpecialCaseRecord {
    special: String,
    general: String,
    /// Values of the general rule's names, in terms of the special rule.
    names: Vec<(String, String)>,
    /// False if the special case follows from other special cases by transitivity.
    direct: bool,
}

pub fn compare(args: &CompareArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    args.time.begin_interruptible();
    let board = args.corpus.board.geometry()?;
    let mut corpus = Corpus::open(&args.on, board.as_ref(), args.corpus.first)?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let solver = solvers.on(&corpus.geometry, ASSUME_UNIQUE);
    let base = match &args.profile.profile {
        Some(_) => rules::profile(&args.profile)?,
        None => Profile::embedded("basic").unwrap_or_default(),
    };
    let mut contenders = Vec::new();
    for name in &args.names {
        let members = solver.members_by_name(Some(name)).map_err(unknown_technique)?;
        contenders.push(Contender { name: name.clone(), members });
    }
    let experiment = Experiment::new(&solver, &base, &contenders, args.every.get());
    let mut record = CompareRecord::new(&contenders);
    parallel_each(
        &mut corpus,
        args.corpus.thread_count(),
        |_, puzzle: Puzzle| {
            let mut clock = SearchClock::new(contenders.len());
            let trial = experiment.run(&puzzle.state(), &mut clock);
            (trial, clock.stats)
        },
        |(trial, search_stats)| record.add(&trial, &search_stats),
    );
    record.skipped = corpus.skipped();
    if !args.no_proof && limits::early_end().is_none() {
        record.special_cases = special_cases(&solver, &solvers.rulebook, &contenders);
    }
    let bars = record.techniques.iter().map(|row| {
        let parts = vec![row.only as u64, (row.deductions - row.only) as u64];
        Bar { label: row.name.clone(), parts }
    });
    args.table.draw_chart("Deductions", &["only this one", "others too"], &Vec::from_iter(bars))?;
    print_comparison(args, &record, out)?;
    Ok(corpus.exit(record.puzzles))
}

impl CompareRecord {
    fn new(contenders: &[Contender]) -> CompareRecord {
        let mut record = CompareRecord::default();
        for (index, Contender { name, .. }) in contenders.iter().enumerate() {
            record.techniques.push(ContenderRecord { name: name.clone(), ..ContenderRecord::default() });
            for other in &contenders[index + 1..] {
                record.both.push(SharedRecord { a: name.clone(), b: other.name.clone(), deductions: 0 });
            }
        }
        record
    }

    /// Adds a puzzle; `search_stats` has an element for each contender.
    fn add(&mut self, trial: &PuzzleTrial, search_stats: &[SearchStats]) {
        self.puzzles += 1;
        self.positions += trial.states;
        self.solved_without += usize::from(trial.solved_without);
        self.solved_with_all += usize::from(trial.solved_with_all);
        self.cut.add(usize::from(!trial.limits.is_empty()), trial.limits.iter().copied());
        for (index, row) in self.techniques.iter_mut().enumerate() {
            let finds = &trial.finds[index];
            let mut deductions_of_others: BTreeSet<FoundLiteral> = BTreeSet::new();
            for (other, finds) in trial.finds.iter().enumerate() {
                if other != index {
                    deductions_of_others.extend(&finds.deductions);
                }
            }
            row.puzzles += usize::from(finds.states > 0);
            row.positions += finds.states;
            row.matches += finds.matches;
            row.deductions += finds.deductions.len();
            row.only += finds.deductions.difference(&deductions_of_others).count();
            row.solved += usize::from(trial.solved_with[index]);
            row.unlocked += usize::from(trial.solved_with[index] && !trial.solved_without);
            row.cut.add(finds.cut, finds.limits.iter().copied());
            row.seconds += search_stats[index].time.as_secs_f64();
        }
        // The pairs are in the order of `CompareRecord::new`.
        let mut shared = self.both.iter_mut();
        for (index, a) in trial.finds.iter().enumerate() {
            for b in &trial.finds[index + 1..] {
                if let Some(record) = shared.next() {
                    record.deductions += a.deductions.intersection(&b.deductions).count();
                }
            }
        }
    }
}

/// Returns the members of a contender that are searched on the grid itself, not on views of the grid.
fn grid_members<'s>(solver: &'s Solver, contender: &Contender) -> Vec<Member<'s>> {
    let mut members = Vec::new();
    for &index in &contender.members {
        let MemberId { technique, args, variant, space } = &solver.members()[index];
        if *space == Space::Rc {
            members.push(Member { technique: &solver.techniques()[*technique], args, variant: *variant });
        }
    }
    members
}

fn special_cases(solver: &Solver, rulebook: &Rulebook, contenders: &[Contender]) -> Vec<SpecialCaseRecord> {
    let prover = Prover::new(solver.geometry(), rulebook.sources()).with_rules(rulebook.techniques());
    let prover = prover.with_cancellation(Rc::new(limits::is_reached));
    let mut cases: Vec<SpecialCaseRecord> = Vec::new();
    let bar = progress(Some(contenders.len()));
    for contender in contenders {
        bar.set_message(format!("what {} is a special case of", visible(&contender.name)));
        for other in contenders.iter().filter(|other| other.name != contender.name) {
            for special in grid_members(solver, contender) {
                for general in grid_members(solver, other) {
                    let [special_label, general_label] =
                        [special, general].map(|member| member_label(&member.technique.id, member.args));
                    if special_label == general_label {
                        continue;
                    }
                    if let Ok(Some(names)) = prover.implied_by(special, general) {
                        let (special, general) = (special_label, general_label);
                        cases.push(SpecialCaseRecord { special, general, names, direct: true });
                    }
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    // `direct_cases` takes pairs of numbers, so the labels are numbered.
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let mut pairs = Vec::new();
    for case in &cases {
        let [special, general] = [&case.special, &case.general].map(|label| {
            let next = numbers.len() as u32;
            *numbers.entry(label).or_insert(next)
        });
        pairs.push((special, general));
    }
    for (case, is_direct) in cases.iter_mut().zip(direct_cases(&pairs)) {
        case.direct = is_direct;
    }
    cases
}

fn print_comparison(args: &CompareArgs, record: &CompareRecord, out: &mut Output) -> Result<(), CommandError> {
    if !out.is_text() {
        return Ok(out.value(record)?);
    }
    let headings = ["technique", "puzzles", "positions", "matches", "deductions", "only it", "solved", "unlocked"];
    let rows = record.techniques.iter().map(|row| {
        let counts = [row.puzzles, row.positions, row.matches, row.deductions, row.only, row.solved, row.unlocked];
        CountRow {
            name: &row.name,
            counts: counts.map(Some).to_vec(),
            cut_short: &row.cut,
            milliseconds: row.seconds * 1e3,
        }
    });
    args.table.print(&headings, &headings, rows.collect(), out)?;
    if args.table.csv {
        return Ok(());
    }
    let mut lines = vec![Line::default()];
    lines.extend(record.techniques.iter().filter_map(|row| row.cut.search_note(&row.name, "position")));
    lines.extend(record.cut.solution_note("", "more may be solved than the table says"));
    for both in &record.both {
        lines.push(Line::text(match both.deductions {
            0 => format!("{} and {} have no deduction in common.", both.a, both.b),
            count => format!("{} and {} both show {}.", both.a, both.b, count_phrase(count, "deduction")),
        }));
    }
    for case in record.special_cases.iter().filter(|case| case.direct) {
        let names: Vec<String> = case.names.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let text = format!("Every {} is a {}: {}.", case.special, case.general, names.join(", "));
        lines.push(Line::styled(Role::Success, text));
    }
    for case in record.special_cases.iter().filter(|case| !case.direct) {
        lines.push(Line::styled(Role::Success, format!("So every {} is a {}, too.", case.special, case.general)));
    }
    let (puzzles, positions) = (count_phrase(record.puzzles, "puzzle"), count_phrase(record.positions, "position"));
    let without = record.solved_without;
    let with_all = record.solved_with_all;
    let summary = format!("{puzzles}, {positions}; solved without any of them {without}, with all of them {with_all}.");
    lines.push(Line::styled(Role::Quiet, summary));
    Ok(out.lines(&lines)?)
}

/// Count what each technique of the rulebook does on puzzles, and which it alone unlocks
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion stats puzzles.txt
  pinion stats puzzles.txt --profile classic --csv
  pinion stats puzzles.txt --rules my-rules/ --svg chart.svg

For each technique the table has the number of puzzles and steps that used it, of candidates that it eliminated (elims) and
placed, of searches (tried), and the time of its searches in milliseconds. A technique unlocks a puzzle if the puzzle is not
solved without the technique. To find out, Pinion solves each puzzle again without each technique of its path;
--no-leave-out skips this. If a limit cuts searches short, a column says on how many puzzles.")]
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
    table: TableArgs,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

/// Counts over one puzzle, or over all puzzles.
#[derive(Clone, Default, Serialize)]
struct StatsRecord {
    puzzles: usize,
    skipped: usize,
    solved: usize,
    steps: usize,
    /// Puzzles that were not solved to the end without a technique, because of a limit.
    #[serde(flatten)]
    cut: CutShort,
    /// The techniques of the profile, in its order.
    techniques: Vec<TechniqueRecord>,
}

#[derive(Clone, Default, Serialize)]
struct TechniqueRecord {
    technique: String,
    puzzles: usize,
    steps: usize,
    eliminations: usize,
    placements: usize,
    /// Puzzles that are not solved without the technique; `None` with `--no-leave-out`.
    unlocks: Option<usize>,
    /// Lines of the puzzles that `unlocks` counts.
    unlocked_lines: Vec<usize>,
    searches: usize,
    /// Puzzles on whose paths a limit cut a search for the technique short.
    #[serde(flatten)]
    cut: CutShort,
    milliseconds: f64,
}

pub fn stats(args: &StatsArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    args.time.begin_interruptible();
    let board = args.corpus.board.geometry()?;
    let mut corpus = Corpus::open(&args.files, board.as_ref(), args.corpus.first)?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let (solver, profile) = (solvers.on(&corpus.geometry, ASSUME_UNIQUE), rules::profile(&args.profile)?);
    let blank = StatsRecord::blank(&solver, args.no_leave_out);
    let mut record = blank.clone();
    parallel_each(
        &mut corpus,
        args.corpus.thread_count(),
        |_, puzzle: Puzzle| blank.count_puzzle(&puzzle, &solver, &profile),
        |puzzle_record| record.add(puzzle_record),
    );
    record.skipped = corpus.skipped();
    let legend: &[&str] = if args.no_leave_out { &["use it"] } else { &["unlocked by it alone", "also uses it"] };
    let bars = record.techniques.iter().filter(|row| row.puzzles > 0).map(|row| {
        let parts = match row.unlocks {
            Some(unlocks) => vec![unlocks as u64, (row.puzzles - unlocks) as u64],
            None => vec![row.puzzles as u64],
        };
        Bar { label: row.technique.clone(), parts }
    });
    args.table.draw_chart("Puzzles", legend, &Vec::from_iter(bars))?;
    print_stats(args, &record, out)?;
    Ok(corpus.exit(record.puzzles))
}

impl StatsRecord {
    /// Creates a record without puzzles, with a row for each technique of the profile.
    fn blank(solver: &Solver, no_leave_out: bool) -> StatsRecord {
        let mut techniques: Vec<TechniqueRecord> = Vec::new();
        for &member in solver.ranking().ranks.iter().flat_map(|rank| &rank.members) {
            let technique = solver.techniques()[solver.members()[member].technique].id.clone();
            if techniques.iter().all(|row| row.technique != technique) {
                let unlocks = if no_leave_out { None } else { Some(0) };
                techniques.push(TechniqueRecord { technique, unlocks, ..TechniqueRecord::default() });
            }
        }
        StatsRecord { techniques, ..StatsRecord::default() }
    }

    fn row(&mut self, id: &str) -> Option<&mut TechniqueRecord> {
        self.techniques.iter_mut().find(|row| row.technique == id)
    }

    /// Returns the counts of one puzzle; `self` is a blank record.
    fn count_puzzle(&self, puzzle: &Puzzle, solver: &Arc<Solver>, profile: &Profile) -> StatsRecord {
        let mut record = self.clone();
        let start = puzzle.state();
        let mut clock = SearchClock::new(solver.members().len());
        let path: Path = solver.walk(start.clone(), &mut clock).path(solver);
        let is_solved_with_all = path.outcome == Outcome::Solved;
        (record.puzzles, record.solved, record.steps) = (1, usize::from(is_solved_with_all), path.steps.len());
        for (member, stats) in solver.members().iter().zip(&clock.stats) {
            if let Some(row) = record.row(&solver.techniques()[member.technique].id) {
                row.searches += stats.count;
                row.milliseconds += stats.time.as_secs_f64() * 1e3;
            }
        }
        for step in &path.steps {
            if let Some(row) = record.row(&step.technique) {
                row.puzzles = 1;
                row.steps += 1;
                row.eliminations += step.eliminations.len();
                row.placements += step.placements.len();
            }
        }
        for cut in &path.cuts {
            // A member is named `id` or `id(4)`.
            if let Some(row) = record.row(cut.member.split('(').next().unwrap_or_default()) {
                row.cut.count = 1;
                row.cut.limits.insert(cut.limit);
            }
        }
        for row in &mut record.techniques {
            if !is_solved_with_all || row.steps == 0 || row.unlocks.is_none() {
                continue;
            }
            let without = solver.reordered(&profile_without(profile, &row.technique));
            if !is_solved(&without, &start, &mut record.cut.limits) {
                row.unlocks = Some(1);
                row.unlocked_lines.push(puzzle.line);
            }
        }
        record.cut.count = usize::from(!record.cut.limits.is_empty());
        record
    }

    fn add(&mut self, other: StatsRecord) {
        add_fields!(self, other; puzzles, solved, steps);
        self.cut.add(other.cut.count, other.cut.limits);
        for (row, other) in self.techniques.iter_mut().zip(other.techniques) {
            add_fields!(row, other; puzzles, steps, eliminations, placements, searches, milliseconds);
            if let (Some(sum), Some(unlocks)) = (&mut row.unlocks, other.unlocks) {
                *sum += unlocks;
            }
            row.unlocked_lines.extend(other.unlocked_lines);
            row.cut.add(other.cut.count, other.cut.limits);
        }
    }
}

/// Maximum number of unlocked puzzles whose line numbers are printed.
const MAX_LINES: usize = 8;

fn print_stats(args: &StatsArgs, record: &StatsRecord, out: &mut Output) -> Result<(), CommandError> {
    if !out.is_text() {
        return Ok(out.value(record)?);
    }
    let csv_headings = ["technique", "puzzles", "steps", "eliminations", "placements", "unlocks", "searches"];
    let text_headings = ["technique", "puzzles", "steps", "elims", "placed", "unlocks", "tried"];
    let (used, unused): (Vec<_>, Vec<_>) = record.techniques.iter().partition(|row| row.steps + row.cut.count > 0);
    let rows = used.iter().map(|row| {
        let mut counts = [row.puzzles, row.steps, row.eliminations, row.placements].map(Some).to_vec();
        counts.extend([row.unlocks, Some(row.searches)]);
        CountRow { name: &row.technique, counts, cut_short: &row.cut, milliseconds: row.milliseconds }
    });
    args.table.print(&csv_headings, &text_headings, rows.collect(), out)?;
    if args.table.csv {
        return Ok(());
    }
    let mut lines = vec![Line::default()];
    for row in record.techniques.iter().filter(|row| !row.unlocked_lines.is_empty()) {
        let line_numbers: Vec<String> = row.unlocked_lines.iter().take(MAX_LINES).map(usize::to_string).collect();
        let more = if row.unlocked_lines.len() > MAX_LINES { " …" } else { "" };
        let (technique, line_numbers) = (&row.technique, line_numbers.join(", "));
        lines.push(Line::text(format!("Only {technique} unlocks the puzzles of lines {line_numbers}{more}")));
    }
    lines.extend(record.techniques.iter().filter_map(|row| row.cut.search_note(&row.technique, "puzzle")));
    lines.extend(record.cut.solution_note(" without a technique", "fewer may be unlocked"));
    if !unused.is_empty() {
        let names: Vec<&str> = unused.iter().map(|row| row.technique.as_str()).collect();
        lines.push(Line::styled(Role::Quiet, format!("Never used: {}.", names.join(", "))));
    }
    let (puzzles, steps) = (count_phrase(record.puzzles, "puzzle"), count_phrase(record.steps, "step"));
    lines.push(Line::styled(Role::Name, format!("{puzzles}, {} solved, {steps}.", record.solved)));
    Ok(out.lines(&lines)?)
}
