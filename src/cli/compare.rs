//! `pinion compare`. In: techniques, puzzles. Out: what each finds, what only it finds, what is solved with it and without
//! it; and from the proofs whether one is a special case of another.

use crate::cli::corpus::{Clocks, CorpusArgs, CountRow, CutShort, Searches, each, note};
use crate::cli::find::unknown;
use crate::cli::prelude::*;
use crate::cli::progress::progress;
use crate::cli::rules;
use crate::engine::MemberId;
use crate::proof::{Member, Prover, direct_cases};
use crate::render::signs::visible;
use crate::render::{Bar, bars};
use crate::solve::{Profile, member_label};
use crate::workbench::experiment::{Contender, Experiment, PuzzleTrial, Shown};
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
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

#[derive(Default, Serialize)]
struct Comparison {
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

impl ContenderRecord {
    fn counts(&self) -> CountRow<'_> {
        let numbers =
            [self.puzzles, self.positions, self.matches, self.deductions, self.only, self.solved, self.unlocked];
        (&self.name, numbers.iter().map(usize::to_string).collect(), &self.cut, self.seconds * 1000.0)
    }
}

/// Compares techniques on puzzles.
pub fn run(args: &CompareArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    limits::heed_interrupts();
    args.time.begin();
    let board = args.corpus.board()?;
    let mut corpus = args.corpus.read(&args.on, board.as_ref())?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let solver = solvers.on(&corpus.geometry, true);
    let base = match &args.profile.profile {
        Some(_) => rules::profile(&args.profile)?,
        None => Profile::embedded("basic").unwrap_or_default(),
    };
    let mut contenders = Vec::new();
    for name in &args.names {
        let members = solver.members_asked(Some(name)).map_err(unknown)?;
        contenders.push(Contender { name: name.clone(), members });
    }
    let experiment = Experiment::new(&solver, &base, &contenders, args.every.get());
    let work = |_, puzzle: Puzzle| {
        let mut clocks = Clocks::new(contenders.len());
        let trial = experiment.run(&puzzle.state(), &mut clocks);
        (trial, clocks.searches)
    };
    let mut record = Comparison::of(&contenders);
    each(&mut corpus, args.corpus.threads(), work, |(trial, searches)| record.add(&trial, &searches));
    record.skipped = corpus.skipped();
    if !args.no_proof && !limits::interrupted() && !limits::reached() {
        record.special_cases = special_cases(&solver, solvers.rulebook(), &contenders);
    }
    let chart = || {
        let bar = |row: &ContenderRecord| Bar {
            label: row.name.clone(),
            parts: vec![row.only as u64, (row.deductions - row.only) as u64],
        };
        bars("Deductions", &["only this one", "others too"], &record.techniques.iter().map(bar).collect::<Vec<_>>())
    };
    args.corpus.draw(chart)?;
    print_results(args, &record, out)?;
    Ok(corpus.exit(record.puzzles))
}

impl Comparison {
    /// With nothing counted yet.
    fn of(contenders: &[Contender]) -> Comparison {
        let rows =
            contenders.iter().map(|one| ContenderRecord { name: one.name.clone(), ..ContenderRecord::default() });
        let pairs = contenders.iter().enumerate().flat_map(|(at, one)| {
            let both = |other: &Contender| BothRecord { a: one.name.clone(), b: other.name.clone(), deductions: 0 };
            contenders[at + 1..].iter().map(both)
        });
        Comparison { techniques: rows.collect(), both: pairs.collect(), ..Comparison::default() }
    }

    /// A sentence for each technique, and one for the solutions, if a limit cut searches short.
    fn cuts(&self) -> Vec<Line> {
        let of_rows = self.techniques.iter().filter_map(|row| row.cut.search_note(&row.name, "position"));
        let (puzzles, by) = (counted(self.cut.count, "puzzle"), self.cut.by());
        let words = format!("Solving {puzzles} was cut short by {by}; more may be solved than the table says.");
        of_rows.chain((self.cut.count > 0).then(|| note(words))).collect()
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

fn member_of<'s>(solver: &'s Solver, id: &'s MemberId) -> Member<'s> {
    Member { technique: &solver.techniques()[id.technique], args: &id.args, variant: id.variant }
}

/// Finds the members that are special cases of a member of another technique.
fn special_cases(solver: &Solver, rulebook: &Rulebook, contenders: &[Contender]) -> Vec<SpecialCaseRecord> {
    let prover = Prover::new(solver.geometry(), rulebook.sources()).with_rules(rulebook.techniques());
    let prover = prover.until(Rc::new(limits::reached));
    let members = |one: &Contender| {
        let mut out: Vec<_> = one.members.iter().map(|&at| &solver.members()[at]).collect();
        out.retain(|member| member.space == crate::lang::ir::Space::Rc);
        out
    };
    let mut out = Vec::new();
    let bar = progress(contenders.len());
    for one in contenders {
        bar.set_message(format!("what {} is a special case of", visible(&one.name)));
        for other in contenders.iter().filter(|other| other.name != one.name) {
            for special in members(one) {
                for general in members(other) {
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
    let mut labels: Vec<&str> = out.iter().flat_map(|case| [case.special.as_str(), &case.general]).collect();
    labels.sort_unstable();
    labels.dedup();
    let number = |label: &str| labels.partition_point(|other| *other < label) as u32;
    let pairs: Vec<(u32, u32)> = out.iter().map(|case| (number(&case.special), number(&case.general))).collect();
    out.iter_mut().zip(direct_cases(&pairs)).for_each(|(case, direct)| case.direct = direct);
    out
}

fn print_results(args: &CompareArgs, record: &Comparison, out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        return Ok(out.value(record)?);
    }
    let csv = ["technique", "puzzles", "positions", "matches", "deductions", "only it", "solved", "unlocked"];
    let text = ["technique", "puzzles", "grids", "matches", "shown", "only it", "solved", "unlocks"];
    let rows: Vec<CountRow<'_>> = record.techniques.iter().map(ContenderRecord::counts).collect();
    args.corpus.print_counts(&csv, &text, &rows, out)?;
    if args.corpus.csv {
        return Ok(());
    }
    let mut lines = vec![Line::default()];
    lines.extend(record.cuts());
    for both in &record.both {
        let words = match both.deductions {
            0 => format!("{} and {} have no deduction in common.", both.a, both.b),
            some => format!("{} and {} both show {}.", both.a, both.b, counted(some, "deduction")),
        };
        lines.push(Line::text(words));
    }
    let (direct, others): (Vec<_>, Vec<_>) = record.special_cases.iter().partition(|case| case.direct);
    for case in direct.into_iter().chain(others) {
        let names: Vec<String> = case.names.iter().map(|(name, what)| format!("{name} = {what}")).collect();
        let words = match case.direct {
            true => format!("Every {} is a {}: {}.", case.special, case.general, names.join(", ")),
            false => format!("So every {} is a {}, too.", case.special, case.general),
        };
        lines.push(Line::of(Role::Good, words));
    }
    let (puzzles, positions) = (counted(record.puzzles, "puzzle"), counted(record.positions, "position"));
    let (without, all) = (record.solved_without, record.solved_with_all);
    lines.push(Line::of(
        Role::Quiet,
        format!("{puzzles}, {positions}; solved without any of them {without}, with all of them {all}."),
    ));
    Ok(out.lines(&lines)?)
}
