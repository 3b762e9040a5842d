//! `pinion compare` and `pinion stats`: techniques on collections. In: puzzles, perhaps names of techniques. Out: what each technique
//! finds, what only it finds, what is solved with it and without it; and from the proofs whether one is a special case of another.

use crate::cli::corpus::{
    Clocks, Corpus, CorpusArgs, CountRow, CutShort, Searches, TableArgs, add_fields, each, threads,
};
use crate::cli::find::unknown;
use crate::cli::prelude::*;
use crate::cli::progress::progress;
use crate::cli::rules;
use crate::engine::MemberId;
use crate::lang::ir::Space;
use crate::proof::{Member, Prover, direct_cases};
use crate::render::Bar;
use crate::render::signs::visible;
use crate::solve::{Outcome, Path, Profile, member_label};
use crate::workbench::experiment::{Contender, Experiment, PuzzleTrial, Shown, is_solved, profile_without};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::rc::Rc;

/// Compare techniques on puzzles: what each finds, what only it finds, what it unlocks
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion compare NAME OTHER --on puzzles.txt
  pinion compare NAME OTHER --on puzzles.txt --rules my-rules/ --every 5 --svg chart.svg

Pinion solves each puzzle with the profile (`basic` by default) without the techniques, with each alone and with all. On
the positions of the last path it counts the matches and deductions of each, matches as `find` lists them: each line once;
a deduction counts once for a puzzle. In the
table, grids are positions with a match, and shown are deductions. If a limit cuts searches short, a column says on how
many positions.")]
pub struct CompareArgs {
    /// The techniques, by id, member or name
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Files with puzzles, puzzles, or - for standard input
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    on: Vec<String>,
    /// Look at every Nth position of a path only
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// Do not ask whether one is a special case of another
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
    /// Puzzles whose solutions were cut short by a limit.
    #[serde(flatten)]
    cut: CutShort,
    techniques: Vec<ContenderRecord>,
    both: Vec<BothRecord>,
    special_cases: Vec<SpecialCaseRecord>,
}

#[derive(Default, Serialize)]
struct ContenderRecord {
    name: String,
    puzzles: usize,
    positions: usize,
    matches: usize,
    deductions: usize,
    only: usize,
    solved: usize,
    unlocked: usize,
    /// Positions on which a limit cut the search short.
    #[serde(flatten)]
    cut: CutShort,
    seconds: f64,
}

#[derive(Serialize)]
struct BothRecord {
    a: String,
    b: String,
    deductions: usize,
}

#[derive(Serialize)]
struct SpecialCaseRecord {
    special: String,
    general: String,
    names: Vec<(String, String)>,
    /// False if it follows from others.
    direct: bool,
}

/// Compares techniques on puzzles.
pub fn compare(args: &CompareArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    args.time.begin_run();
    let board = asked_board(&args.corpus.board)?;
    let mut corpus = Corpus::read(&args.on, board.as_ref(), args.corpus.first)?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let solver = solvers.on(&corpus.geometry, true);
    let base = match &args.profile.profile {
        Some(_) => rules::profile(&args.profile)?,
        None => Profile::embedded("basic").unwrap_or_default(),
    };
    let mut contenders = Vec::new();
    for name in &args.names {
        let members = solver.members_by_name(Some(name)).map_err(unknown)?;
        contenders.push(Contender { name: name.clone(), members });
    }
    let experiment = Experiment::new(&solver, &base, &contenders, args.every.get());
    let mut record = CompareRecord::of(&contenders);
    each(
        &mut corpus,
        threads(args.corpus.threads),
        |_, puzzle: Puzzle| {
            let mut clocks = Clocks::new(contenders.len());
            (experiment.run(&puzzle.state(), &mut clocks), clocks.searches)
        },
        |(trial, searches)| record.add(&trial, &searches),
    );
    record.skipped = corpus.skipped();
    if !args.no_proof && limits::why_ended().is_none() {
        record.special_cases = special_cases(&solver, solvers.rulebook(), &contenders);
    }
    args.table.draw("Deductions", &["only this one", "others too"], &record.techniques, |row| {
        let parts = vec![row.only as u64, (row.deductions - row.only) as u64];
        Some(Bar { label: row.name.clone(), parts })
    })?;
    print_comparison(args, &record, out)?;
    Ok(corpus.exit(record.puzzles))
}

impl CompareRecord {
    /// Creates the record, with nothing counted yet.
    fn of(contenders: &[Contender]) -> CompareRecord {
        let mut record = CompareRecord::default();
        for (at, one) in contenders.iter().enumerate() {
            record.techniques.push(ContenderRecord { name: one.name.clone(), ..ContenderRecord::default() });
            for other in &contenders[at + 1..] {
                record.both.push(BothRecord { a: one.name.clone(), b: other.name.clone(), deductions: 0 });
            }
        }
        record
    }

    /// Adds a puzzle, with the searches for each technique.
    fn add(&mut self, trial: &PuzzleTrial, searches: &[Searches]) {
        self.puzzles += 1;
        self.positions += trial.states;
        self.solved_without += usize::from(trial.without);
        self.solved_with_all += usize::from(trial.with_all);
        self.cut.add(usize::from(!trial.limits.is_empty()), trial.limits.iter().copied());
        for (number, row) in self.techniques.iter_mut().enumerate() {
            let finds = &trial.finds[number];
            let others = trial.finds.iter().enumerate().filter(|(other, _)| *other != number);
            let known: BTreeSet<Shown> = others.flat_map(|(_, other)| &other.shown).copied().collect();
            row.puzzles += usize::from(finds.states > 0);
            row.positions += finds.states;
            row.matches += finds.matches;
            row.deductions += finds.shown.len();
            row.only += finds.shown.difference(&known).count();
            row.solved += usize::from(trial.with[number]);
            row.unlocked += usize::from(trial.with[number] && !trial.without);
            row.cut.add(finds.cut, finds.limits.iter().copied());
            row.seconds += searches[number].time.as_secs_f64();
        }
        let finds = trial.finds.iter().enumerate();
        let pairs = finds.flat_map(|(at, one)| trial.finds[at + 1..].iter().map(move |other| (one, other)));
        for (both, (one, other)) in self.both.iter_mut().zip(pairs) {
            both.deductions += one.shown.intersection(&other.shown).count();
        }
    }
}

/// The members of a contender on the grid itself, not in its views.
fn members<'s>(solver: &'s Solver, one: &'s Contender) -> impl Iterator<Item = &'s MemberId> {
    one.members.iter().map(|&at| &solver.members()[at]).filter(|member| member.space == Space::Rc)
}

fn member_of<'s>(solver: &'s Solver, id: &'s MemberId) -> Member<'s> {
    Member { technique: &solver.techniques()[id.technique], args: &id.args, variant: id.variant }
}

/// Finds the members that are special cases of a member of another technique.
fn special_cases(solver: &Solver, rulebook: &Rulebook, contenders: &[Contender]) -> Vec<SpecialCaseRecord> {
    let prover = Prover::new(solver.geometry(), rulebook.sources()).with_rules(rulebook.techniques());
    let prover = prover.with_cancellation(Rc::new(limits::reached));
    let mut out: Vec<SpecialCaseRecord> = Vec::new();
    let bar = progress(contenders.len());
    for one in contenders {
        bar.set_message(format!("what {} is a special case of", visible(&one.name)));
        for other in contenders.iter().filter(|other| other.name != one.name) {
            for special in members(solver, one) {
                for general in members(solver, other) {
                    if (special.technique, &special.args) == (general.technique, &general.args) {
                        continue;
                    }
                    let (special, general) = (member_of(solver, special), member_of(solver, general));
                    let found = prover.implied_by(special, general);
                    out.extend(found.ok().flatten().map(|names| SpecialCaseRecord {
                        special: member_label(&special.technique.id, special.args),
                        general: member_label(&general.technique.id, general.args),
                        names,
                        direct: true,
                    }));
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let labels: BTreeSet<&str> = out.iter().flat_map(|case| [case.special.as_str(), &case.general]).collect();
    let labels = Vec::from_iter(labels);
    let pairs: Vec<(u32, u32)> = out
        .iter()
        .map(|case| {
            [&case.special, &case.general].map(|label| labels.partition_point(|other| *other < label.as_str()) as u32)
        })
        .map(|[special, general]| (special, general))
        .collect();
    out.iter_mut().zip(direct_cases(&pairs)).for_each(|(case, direct)| case.direct = direct);
    out
}

fn print_comparison(args: &CompareArgs, record: &CompareRecord, out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        return Ok(out.value(record)?);
    }
    let csv = ["technique", "puzzles", "positions", "matches", "deductions", "only it", "solved", "unlocked"];
    let text = ["technique", "puzzles", "grids", "matches", "shown", "only it", "solved", "unlocks"];
    args.table.print(&csv, &text, &record.techniques, out, |row| {
        let numbers = [row.puzzles, row.positions, row.matches, row.deductions, row.only, row.solved, row.unlocked];
        CountRow {
            name: &row.name,
            numbers: numbers.map(Some).to_vec(),
            cut: &row.cut,
            milliseconds: row.seconds * 1e3,
        }
    })?;
    if args.table.csv {
        return Ok(());
    }
    let mut lines = vec![Line::default()];
    lines.extend(record.techniques.iter().filter_map(|row| row.cut.search_note(&row.name, "position")));
    lines.extend(record.cut.solution_note("", "more may be solved than the table says"));
    for both in &record.both {
        lines.push(Line::text(match both.deductions {
            0 => format!("{} and {} have no deduction in common.", both.a, both.b),
            some => format!("{} and {} both show {}.", both.a, both.b, count_phrase(some, "deduction")),
        }));
    }
    let (direct, others): (Vec<_>, Vec<_>) = record.special_cases.iter().partition(|case| case.direct);
    for case in direct.into_iter().chain(others) {
        let names: Vec<String> = case.names.iter().map(|(name, what)| format!("{name} = {what}")).collect();
        let words = match case.direct {
            true => format!("Every {} is a {}: {}.", case.special, case.general, names.join(", ")),
            false => format!("So every {} is a {}, too.", case.special, case.general),
        };
        lines.push(Line::styled(Role::Success, words));
    }
    let (puzzles, positions) = (count_phrase(record.puzzles, "puzzle"), count_phrase(record.positions, "position"));
    let (without, all) = (record.solved_without, record.solved_with_all);
    let words = format!("{puzzles}, {positions}; solved without any of them {without}, with all of them {all}.");
    lines.push(Line::styled(Role::Quiet, words));
    Ok(out.lines(&lines)?)
}

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
    table: TableArgs,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

/// Counts of one puzzle, or of all.
#[derive(Clone, Default, Serialize)]
struct StatsRecord {
    puzzles: usize,
    skipped: usize,
    solved: usize,
    steps: usize,
    /// Puzzles that were solved again without a technique and cut short by a limit then.
    #[serde(flatten)]
    cut: CutShort,
    /// In the order of work.
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

/// Counts the uses of each technique.
pub fn stats(args: &StatsArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    args.time.begin_run();
    let board = asked_board(&args.corpus.board)?;
    let mut corpus = Corpus::read(&args.files, board.as_ref(), args.corpus.first)?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let (solver, profile) = (solvers.on(&corpus.geometry, true), rules::profile(&args.profile)?);
    let blank = StatsRecord::blank(&solver, args.no_leave_out);
    let mut record = blank.clone();
    each(
        &mut corpus,
        threads(args.corpus.threads),
        |_, puzzle: Puzzle| blank.with(&puzzle, &solver, &profile),
        |one| record.add(one),
    );
    record.skipped = corpus.skipped();
    let parts: &[&str] = if args.no_leave_out { &["use it"] } else { &["unlocked by it alone", "also uses it"] };
    args.table.draw("Puzzles", parts, &record.techniques, |row| {
        let alone = row.unlocks.map(|unlocks| unlocks as u64);
        let parts = alone.into_iter().chain([row.puzzles as u64 - alone.unwrap_or(0)]).collect();
        (row.puzzles > 0).then(|| Bar { label: row.technique.clone(), parts })
    })?;
    print_stats(args, &record, out)?;
    Ok(corpus.exit(record.puzzles))
}

impl StatsRecord {
    /// Creates the record of no puzzle. If `quick`, nothing is counted of what techniques unlock.
    fn blank(solver: &Solver, quick: bool) -> StatsRecord {
        let mut techniques: Vec<TechniqueRecord> = Vec::new();
        for &member in solver.ranking().ranks.iter().flat_map(|rank| &rank.members) {
            let technique = solver.techniques()[solver.members()[member].technique].id.clone();
            if techniques.iter().all(|row| row.technique != technique) {
                let unlocks = (!quick).then_some(0);
                techniques.push(TechniqueRecord { technique, unlocks, ..TechniqueRecord::default() });
            }
        }
        StatsRecord { techniques, ..StatsRecord::default() }
    }

    fn row(&mut self, id: &str) -> Option<&mut TechniqueRecord> {
        self.techniques.iter_mut().find(|row| row.technique == id)
    }

    /// Counts one puzzle, on a copy of a blank record.
    fn with(&self, puzzle: &Puzzle, solver: &Arc<Solver>, profile: &Profile) -> StatsRecord {
        let mut one = self.clone();
        let start = puzzle.state();
        let mut clocks = Clocks::new(solver.members().len());
        let path: Path = solver.walk(start.clone(), &mut clocks).path(solver);
        let is_solved_with = path.outcome == Outcome::Solved;
        (one.puzzles, one.solved, one.steps) = (1, usize::from(is_solved_with), path.steps.len());
        for (member, searches) in solver.members().iter().zip(&clocks.searches) {
            if let Some(row) = one.row(&solver.techniques()[member.technique].id) {
                row.searches += searches.count;
                row.milliseconds += searches.time.as_secs_f64() * 1e3;
            }
        }
        for step in &path.steps {
            if let Some(row) = one.row(&step.technique) {
                row.puzzles = 1;
                row.steps += 1;
                row.eliminations += step.eliminations.len();
                row.placements += step.placements.len();
            }
        }
        for cut in &path.cuts {
            if let Some(row) = one.row(cut.member.split('(').next().unwrap_or_default()) {
                row.cut.count = 1;
                row.cut.limits.insert(cut.limit);
            }
        }
        for row in one.techniques.iter_mut().filter(|row| is_solved_with && row.steps > 0 && row.unlocks.is_some()) {
            let without = solver.reordered(&profile_without(profile, &row.technique));
            if !is_solved(&without, &start, &mut one.cut.limits) {
                row.unlocks = Some(1);
                row.unlocked_lines.push(puzzle.line);
            }
        }
        one.cut.count = usize::from(!one.cut.limits.is_empty());
        one
    }

    fn add(&mut self, other: StatsRecord) {
        add_fields!(self, other; puzzles, solved, steps);
        self.cut.add(other.cut.count, other.cut.limits);
        for (row, other) in self.techniques.iter_mut().zip(other.techniques) {
            add_fields!(row, other; puzzles, steps, eliminations, placements, searches, milliseconds);
            row.unlocks = row.unlocks.zip(other.unlocks).map(|(so_far, more)| so_far + more);
            row.unlocked_lines.extend(other.unlocked_lines);
            row.cut.add(other.cut.count, other.cut.limits);
        }
    }
}

/// At most this many lines are listed.
const SHOWN: usize = 8;

fn print_stats(args: &StatsArgs, record: &StatsRecord, out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        return Ok(out.value(record)?);
    }
    let csv = ["technique", "puzzles", "steps", "eliminations", "placements", "unlocks", "searches"];
    let text = ["technique", "puzzles", "steps", "elims", "placed", "unlocks", "tried"];
    let (used, idle): (Vec<_>, Vec<_>) = record.techniques.iter().partition(|row| row.steps + row.cut.count > 0);
    args.table.print(&csv, &text, &used, out, |row| {
        let [puzzles, steps, elims] = [row.puzzles, row.steps, row.eliminations].map(Some);
        let numbers = vec![puzzles, steps, elims, Some(row.placements), row.unlocks, Some(row.searches)];
        CountRow { name: &row.technique, numbers, cut: &row.cut, milliseconds: row.milliseconds }
    })?;
    if args.table.csv {
        return Ok(());
    }
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
    lines.extend(record.techniques.iter().filter_map(|row| row.cut.search_note(&row.technique, "puzzle")));
    lines.extend(record.cut.solution_note(" without a technique", "fewer may be unlocked"));
    if !idle.is_empty() {
        let names: Vec<&str> = idle.iter().map(|row| row.technique.as_str()).collect();
        lines.push(Line::styled(Role::Quiet, format!("Never used: {}.", names.join(", "))));
    }
    let (puzzles, steps) = (count_phrase(record.puzzles, "puzzle"), count_phrase(record.steps, "step"));
    lines.push(Line::styled(Role::Name, format!("{puzzles}, {} solved, {steps}.", record.solved)));
    Ok(out.lines(&lines)?)
}
