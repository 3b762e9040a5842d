//! `pinion audit`. In: files of puzzles. Out: what every technique finds on every state of the solution paths, compared with the
//! solutions, as a table; the exit code says whether anything was wrong.
//!
//! Options and [`run`] come first, then the work on one puzzle, the sums, and the table.

use crate::cli::corpus::{Puzzles, add_fields, each, threads};
use crate::cli::find::unknown;
use crate::cli::output::Sheet;
use crate::cli::prelude::*;
use crate::engine::{Aim, Memory};
use crate::grid::draw;
use crate::proof::{Uniqueness, had_unique_solution, uniqueness};
use crate::render::count_phrase_of;
use crate::solve::{FalseDeductions, MatchCounts};
use serde::Serializer;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Compare every match along solution paths with the solutions
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion audit puzzles.txt
  pinion audit *.txt --every 10 --threads 4
  pinion audit *.txt --wrong-only --skip 20000 --first 10000
  pinion audit puzzles.txt --technique NAME --rules my-rules/

Pinion solves each puzzle with the profile and compares all matches of its techniques (or of those you name), on every
state of the path, with the solution. Puzzles without exactly one solution are skipped. A wrong match is printed with its
state; paste that into `pinion find`. The exit code is 1 if anything was wrong.")]
pub struct AuditArgs {
    /// Files with puzzles, puzzles, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Read puzzles for this board only: a size such as 16x16, a name such as windoku, or a board file (otherwise the
    /// length tells)
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Option<String>,
    /// Only this technique, whether the profile uses it or not; repeatable
    #[arg(short, long, value_name = "NAME")]
    technique: Vec<String>,
    /// Look at every Nth state of a path only, from a different first one in each puzzle
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// Look only for matches that contradict the solution: many times faster, but right ones are not counted
    #[arg(long)]
    wrong_only: bool,
    /// Skip the first N puzzles
    #[arg(long, value_name = "N", default_value = "0")]
    skip: usize,
    /// Only the first N puzzles (of the rest)
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    /// Work on N puzzles at a time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

/// Audits.
pub fn run(args: &AuditArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    args.time.begin_run();
    let geometry = asked_board(&args.board)?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut puzzles = Puzzles::open(&args.files, geometry.as_ref())?;
    let mut tasks = puzzles.by_ref().skip(args.skip).take(args.first.unwrap_or(usize::MAX)).peekable();
    if let Some((_, puzzle)) = tasks.peek() {
        check_names(&mut solvers, &puzzle.geometry, &args.technique)?;
    }
    let ids = solvers.rulebook().techniques().iter().enumerate();
    let order = ids.map(|(place, technique)| (technique.id.clone(), place)).collect();
    let worker = AuditWorker { args, solvers: Mutex::new(solvers), order };
    let (matches, searches) = ((!args.wrong_only).then_some(0), args.wrong_only.then_some(0));
    let mut sums = AuditSums { matches, searches, ..AuditSums::default() };
    each(
        tasks,
        threads(args.threads),
        |number, (file, puzzle)| worker.puzzle(number, &file, &puzzle),
        |one| sums.add(one),
    );
    sums.unreadable = puzzles.unreadable;
    print_results(&sums, args.wrong_only, out)?;
    let found = if sums.wrong > 0 { Exit::Short } else { Exit::Done };
    Ok(found.max(puzzles.exit(sums.puzzles)))
}

/// Checks that every name is known on the first board or on 9×9: a typing error must not cost a run. On other
/// boards a technique may be left out.
fn check_names(solvers: &mut Solvers, first: &Arc<Geometry>, names: &[String]) -> Result<(), Failure> {
    for name in names {
        if solvers.on(first, true).members_by_name(Some(name)).is_ok() {
            continue;
        }
        let Some(usual) = Geometry::standard(9).map(Arc::new) else { continue };
        solvers.on(&usual, true).members_by_name(Some(name)).map_err(unknown)?;
    }
    Ok(())
}

/// State shared by all worker threads.
struct AuditWorker<'a> {
    args: &'a AuditArgs,
    solvers: Mutex<Solvers>,
    /// Place of each technique in the rulebook, which boards may change.
    order: BTreeMap<String, usize>,
}

impl AuditWorker<'_> {
    fn puzzle(&self, number: usize, file: &str, puzzle: &Puzzle) -> AuditSums {
        let start = puzzle.state();
        let solution = match uniqueness(&puzzle.geometry, &start) {
            Uniqueness::One(solution) => solution,
            Uniqueness::None => return AuditSums { no_solution: 1, ..AuditSums::default() },
            Uniqueness::Many(..) => return AuditSums { several_solutions: 1, ..AuditSums::default() },
        };
        let solver = locked(&self.solvers).on(&puzzle.geometry, had_unique_solution(puzzle));
        let groups = self.groups(&solver);
        let clock = Instant::now();
        let path = solver.solve(start);
        let (states, went_wrong) = solver.states(&path, &solution);
        let mut sums = AuditSums { puzzles: 1, path_seconds: clock.elapsed(), ..AuditSums::default() };
        let (aim, memory) = (Aim::against(&solution), Memory::default());
        for (step, state) in states.iter().enumerate() {
            // The state of a wrong step is one to look at, whatever the sample.
            let last = went_wrong && step + 1 == states.len();
            if !(step + number + self.args.skip).is_multiple_of(self.args.every.get()) && !last {
                continue;
            }
            sums.states += 1;
            let mut survey = match self.args.wrong_only {
                true => solver.survey_against(state, &aim, &memory),
                false => solver.survey(state),
            };
            for (key, members) in &groups {
                let clock = Instant::now();
                let cases: Vec<_> = members.iter().map(|&member| survey.count_matches(member, &solution)).collect();
                let time = clock.elapsed();
                let row = sums.techniques.entry(key.clone()).or_default();
                row.label = solver.member_label(&solver.members()[members[0]]);
                row.add_cases(&cases, time, self.args.wrong_only);
                let wrong =
                    cases.iter().flat_map(|case| &case.false_deductions).take(KEPT.saturating_sub(row.shown.len()));
                row.shown.extend(wrong.map(|FalseDeductions { eliminations, placements }| WrongMatch {
                    task: number,
                    file: file.into(),
                    line: puzzle.line,
                    step,
                    says: notation::deductions(&puzzle.geometry, eliminations, placements),
                    state: draw::candidate_line(&puzzle.geometry, state),
                }));
            }
        }
        let rows = sums.techniques.values();
        sums.wrong = rows.clone().map(|row| row.wrong).sum();
        match self.args.wrong_only {
            true => sums.searches = Some(rows.map(|row| row.searched).sum()),
            false => sums.matches = Some(rows.filter_map(|row| row.found).map(|found| found.matches).sum()),
        }
        sums
    }

    /// Groups the members to search: members that differ in their case only are one group.
    fn groups(&self, solver: &Solver) -> BTreeMap<RowKey, Vec<usize>> {
        let asked: BTreeSet<usize> = match self.args.technique.as_slice() {
            [] => solver.members_by_name(None).into_iter().flatten().collect(),
            // Here a technique may be left out that other boards have.
            names => names.iter().filter_map(|name| solver.members_by_name(Some(name)).ok()).flatten().collect(),
        };
        let mut groups: BTreeMap<RowKey, Vec<usize>> = BTreeMap::new();
        for at in asked {
            let member = &solver.members()[at];
            let id = &solver.techniques()[member.technique].id;
            let place = self.order.get(id).copied().unwrap_or(usize::MAX);
            groups.entry((place, member.args.clone())).or_default().push(at);
        }
        groups
    }
}

/// At most this many wrong matches of each row are kept to be shown.
const KEPT: usize = 3;

/// Index of a technique in the rulebook, with its arguments: the order of the rows.
type RowKey = (usize, Vec<u32>);

/// Sums over puzzles.
#[derive(Default, Serialize)]
struct AuditSums {
    /// Puzzles with one solution.
    puzzles: usize,
    no_solution: usize,
    several_solutions: usize,
    unreadable: usize,
    /// States that were examined.
    states: usize,
    /// Matches of all rows; none if only wrong ones are searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<usize>,
    /// Searches of all rows, if only wrong matches are searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    searches: Option<usize>,
    /// Wrong matches of all rows.
    wrong: usize,
    /// Time that the paths took.
    #[serde(serialize_with = "seconds")]
    path_seconds: Duration,
    /// One for each member of each technique.
    #[serde(serialize_with = "values")]
    techniques: BTreeMap<RowKey, AuditRow>,
}

/// Sums of one member of a technique, all its cases together.
#[derive(Default, Serialize)]
struct AuditRow {
    /// `id` or `id(4)`.
    #[serde(rename = "technique")]
    label: String,
    /// States that were searched.
    searched: usize,
    /// States with a match.
    states: usize,
    /// Matches and deductions; none if only wrong ones are searched.
    #[serde(flatten)]
    found: Option<FoundSums>,
    /// Matches that say something wrong.
    wrong: usize,
    /// States where a limit cut the search short.
    limits: usize,
    #[serde(rename = "seconds", serialize_with = "seconds")]
    time: Duration,
    /// The first of the wrong matches.
    #[serde(rename = "examples")]
    shown: Vec<WrongMatch>,
}

/// Numbers of matches and deductions, right or wrong.
#[derive(Clone, Copy, Default, Serialize)]
struct FoundSums {
    matches: usize,
    eliminations: usize,
    placements: usize,
}

fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

fn values<S: Serializer>(rows: &BTreeMap<RowKey, AuditRow>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rows.values())
}

/// A wrong match in words. The first ones of all puzzles are kept, in whatever order the puzzles are done.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct WrongMatch {
    /// Number of the puzzle among all.
    #[serde(skip)]
    task: usize,
    /// Source file and line of the puzzle.
    file: String,
    line: usize,
    /// Steps before the state.
    step: usize,
    /// The wrong deductions.
    says: String,
    /// The state, candidates of every cell.
    state: String,
}

impl AuditRow {
    /// Adds the matches of the cases of a member on one state.
    fn add_cases(&mut self, cases: &[MatchCounts], time: Duration, wrong_only: bool) {
        let mut found = FoundSums::default();
        for case in cases {
            add_fields!(found, case; matches, eliminations, placements);
            self.wrong += case.false_deductions.len();
        }
        self.searched += 1;
        self.states += usize::from(found.matches > 0);
        self.limits += usize::from(cases.iter().any(|case| !case.limits.is_empty()));
        self.time += time;
        if !wrong_only {
            add_fields!(self.found.get_or_insert_default(), found; matches, eliminations, placements);
        }
    }

    fn add(&mut self, other: AuditRow) {
        add_fields!(self, other; searched, states, wrong, limits, time);
        if let Some(found) = other.found {
            add_fields!(self.found.get_or_insert_default(), found; matches, eliminations, placements);
        }
        self.label = other.label;
        self.shown.extend(other.shown);
        self.shown.sort();
        self.shown.truncate(KEPT);
    }
}

impl AuditSums {
    fn add(&mut self, other: AuditSums) {
        add_fields!(self, other; puzzles, no_solution, several_solutions, states, wrong, path_seconds);
        for (sum, more) in [(&mut self.matches, other.matches), (&mut self.searches, other.searches)] {
            sum.iter_mut().for_each(|sum| *sum += more.unwrap_or_default());
        }
        for (key, row) in other.techniques {
            self.techniques.entry(key).or_default().add(row);
        }
    }
}

/// Prints the sums. With `wrong_only`, numbers of matches are left out: right ones were not searched.
fn print_results(sums: &AuditSums, wrong_only: bool, out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        return Ok(out.value(sums)?);
    }
    table(sums, wrong_only).print_unbroken(out)?;
    let mut lines = Vec::new();
    for row in sums.techniques.values().filter(|row| row.wrong > 0) {
        lines.extend(wrong(row, wrong_only));
    }
    let skipped = [
        (sums.no_solution, "without a solution"),
        (sums.several_solutions, "with several"),
        (sums.unreadable, "not readable"),
    ];
    let skipped = skipped.into_iter().filter(|(number, _)| *number > 0);
    let skipped: Vec<String> = skipped.map(|(number, words)| format!("{number} {words}")).collect();
    if !skipped.is_empty() {
        lines.push(Line::text(format!("Skipped: {}", skipped.join(", "))));
    }
    let compared = match wrong_only {
        true => count_phrase_of(sums.searches.unwrap_or_default(), "search", "searches"),
        false => count_phrase_of(sums.matches.unwrap_or_default(), "match", "matches"),
    };
    let role = if sums.wrong == 0 && sums.puzzles > 0 { Role::Success } else { Role::Failure };
    let (puzzles, states) = (count_phrase(sums.puzzles, "puzzle"), count_phrase(sums.states, "state"));
    lines.push(Line::styled(role, format!("{puzzles}, {states}, {compared}, {} wrong", sums.wrong)));
    Ok(out.lines(&lines)?)
}

fn wrong(row: &AuditRow, wrong_only: bool) -> Vec<Line> {
    let head = match wrong_only {
        true => format!("{}: {} wrong", row.label, row.wrong),
        false => format!("{}: {} of {} matches wrong", row.label, row.wrong, row.found.unwrap_or_default().matches),
    };
    let mut lines = vec![Line::styled(Role::Failure, head)];
    for WrongMatch { file, line, step, says, state, .. } in &row.shown {
        let place = if file.is_empty() { String::new() } else { format!("{file}:{line}, ") };
        let after = count_phrase(*step, "step");
        lines.push(Line::text(format!("  {place}after {after}: {says} contradicts the solution")));
        lines.push(Line::styled(Role::Quiet, format!("    {state}")));
    }
    lines
}

fn table(sums: &AuditSums, wrong_only: bool) -> Sheet {
    let mut sheet = Sheet::new(match wrong_only {
        true => &["technique", "states", "searches", "wrong", "limits", "seconds"],
        false => &["technique", "states", "matches", "eliminations", "placements", "wrong", "limits", "seconds"],
    });
    for AuditRow { label, searched, states, found, wrong, limits, time, .. } in sums.techniques.values() {
        let numbers = match found {
            None => vec![states, searched, wrong, limits],
            Some(FoundSums { matches, eliminations, placements }) => {
                vec![states, matches, eliminations, placements, wrong, limits]
            }
        };
        let numbers = numbers.into_iter().map(ToString::to_string);
        let seconds = format!("{:.3}", time.as_secs_f64());
        sheet.row([label.clone()].into_iter().chain(numbers).chain([seconds]).collect());
    }
    sheet
}
