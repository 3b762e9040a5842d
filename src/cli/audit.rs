//! `pinion audit`. In: files of puzzles. Out: what every technique finds on every state of the solution paths, compared with the
//! solutions, as a table; the exit code says whether anything was wrong.
//!
//! Options and [`run`] come first, then the work on one puzzle, the sums, and the table.

use crate::cli::corpus::{Puzzles, each, processors};
use crate::cli::find::unknown;
use crate::cli::output::Sheet;
use crate::cli::prelude::*;
use crate::engine::{Aim, Memory};
use crate::grid::{Digit, draw};
use crate::proof::{Uniqueness, had_unique_solution, uniqueness};
use crate::solve::{Survey, Untrue, Weighed};
use serde::Serializer;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
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
    limits::heed_interrupts();
    args.time.begin();
    let geometry = args.board.as_deref().map(board).transpose()?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut puzzles = Puzzles::open(&args.files, geometry.as_ref())?;
    let mut tasks = puzzles.by_ref().skip(args.skip).take(args.first.unwrap_or(usize::MAX)).peekable();
    if let Some((_, puzzle)) = tasks.peek() {
        known(&mut solvers, &puzzle.geometry, &args.technique)?;
    }
    let threads = args.threads.map_or_else(processors, NonZeroUsize::get);
    let (every, skipped, wrong_only) = (args.every.get(), args.skip, args.wrong_only);
    let wanted = AuditScope { names: &args.technique, every, skipped, wrong_only };
    let mut count = all(tasks, solvers, wanted, threads);
    count.unreadable = puzzles.unreadable;
    print_results(&count, args.wrong_only, out)?;
    let nothing = count.puzzles == 0 && !limits::reached();
    let of = |is: bool, exit: Exit| if is { exit } else { Exit::Done };
    let exits = [of(count.wrong() > 0, Exit::Short), of(count.unreadable > 0, Exit::Input), of(nothing, Exit::Puzzle)];
    Ok(exits.into_iter().max().unwrap_or_default().max(limits::run_exit(count.puzzles)))
}

/// Checks that every name is known on the first board or on 9×9: a typing error must not cost a run. On other
/// boards a technique may be left out.
fn known(solvers: &mut Solvers, first: &Arc<Geometry>, names: &[String]) -> Result<(), Failure> {
    for name in names {
        if solvers.on(first, true).members_asked(Some(name)).is_ok() {
            continue;
        }
        let Some(usual) = Geometry::standard(9).map(Arc::new) else { continue };
        solvers.on(&usual, true).members_asked(Some(name)).map_err(unknown)?;
    }
    Ok(())
}

/// A puzzle, behind the file that it is from.
type AuditTask = (Arc<str>, Puzzle);

/// State shared by all worker threads.
struct AuditWorker<'a> {
    solvers: Mutex<Solvers>,
    /// Place of each technique in the rulebook, which boards may change.
    order: BTreeMap<String, usize>,
    wanted: AuditScope<'a>,
}

/// Techniques and states to examine.
#[derive(Clone, Copy)]
pub struct AuditScope<'a> {
    /// Names of techniques; none means those in use.
    pub names: &'a [String],
    /// Only every n-th state.
    pub every: usize,
    /// The number of puzzles before the first.
    pub skipped: usize,
    /// Only what contradicts the solution.
    pub wrong_only: bool,
}

/// Audits every puzzle.
pub fn all(
    tasks: impl Iterator<Item = AuditTask> + Send,
    solvers: Solvers,
    wanted: AuditScope<'_>,
    threads: usize,
) -> AuditSums {
    let ids = solvers.rulebook().techniques().iter().enumerate();
    let order = ids.map(|(place, technique)| (technique.id.clone(), place)).collect();
    let shared = AuditWorker { solvers: Mutex::new(solvers), order, wanted };
    let mut count = AuditSums::default();
    each(tasks, threads, |number, (file, puzzle)| shared.puzzle(number, &file, &puzzle), |one| count.add(one));
    count
}

impl AuditWorker<'_> {
    fn puzzle(&self, number: usize, file: &str, puzzle: &Puzzle) -> AuditSums {
        let start = puzzle.state();
        let solution = match uniqueness(&puzzle.geometry, &start) {
            Uniqueness::One(solution) => solution,
            Uniqueness::None => return AuditSums { none: 1, ..AuditSums::default() },
            Uniqueness::Many(..) => return AuditSums { several: 1, ..AuditSums::default() },
        };
        let one = had_unique_solution(puzzle);
        let solver = self.solvers.lock().unwrap_or_else(PoisonError::into_inner).on(&puzzle.geometry, one);
        let groups = self.groups(&solver);
        let clock = Instant::now();
        let path = solver.solve(start);
        let (states, went_wrong) = solver.states(&path, &solution);
        let mut count = AuditSums { puzzles: 1, paths: clock.elapsed(), ..AuditSums::default() };
        let (aim, memory) = (Aim::against(&solution), Memory::default());
        for (step, state) in states.iter().enumerate() {
            // The state of a wrong step is one to look at, whatever the sample.
            let last = went_wrong && step + 1 == states.len();
            if (step + number + self.wanted.skipped).is_multiple_of(self.wanted.every) || last {
                count.states += 1;
                let survey = match self.wanted.wrong_only {
                    true => solver.survey_against(state, &aim, &memory),
                    false => solver.survey(state),
                };
                let at = Origin { task: number, file, line: puzzle.line, step };
                let wrong_only = self.wanted.wrong_only;
                let place = PathState { solver: &solver, at, state, solution: &solution, wrong_only };
                look(survey, &groups, &place, &mut count);
            }
        }
        count
    }

    /// Groups the members to search: members that differ in their case only are one group.
    fn groups(&self, solver: &Solver) -> BTreeMap<RowKey, Vec<usize>> {
        let asked: BTreeSet<usize> = match self.wanted.names {
            [] => solver.members_asked(None).into_iter().flatten().collect(),
            // Here a technique may be left out that other boards have.
            names => names.iter().filter_map(|name| solver.members_asked(Some(name)).ok()).flatten().collect(),
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

/// A state of a path.
struct PathState<'a> {
    solver: &'a Solver,
    at: Origin<'a>,
    state: &'a State,
    solution: &'a [Digit],
    wrong_only: bool,
}

fn look(mut survey: Survey<'_>, groups: &BTreeMap<RowKey, Vec<usize>>, place: &PathState<'_>, count: &mut AuditSums) {
    let &PathState { solver, solution, .. } = place;
    for (key, members) in groups {
        let clock = Instant::now();
        let cases: Vec<_> = members.iter().map(|&member| survey.weigh(member, solution)).collect();
        let time = clock.elapsed();
        let row = count.rows.entry(key.clone()).or_default();
        if row.label.is_empty() {
            row.label = solver.member_label(&solver.members()[members[0]]);
        }
        row.state(place, &cases, time);
    }
}

/// At most this many wrong matches of each row are kept to be shown.
const KEPT: usize = 3;

/// Index of a technique in the rulebook, with its arguments: the order of the rows.
pub type RowKey = (usize, Vec<u32>);

/// Sums over puzzles.
#[derive(Clone, Debug, Default)]
pub struct AuditSums {
    /// Puzzles with one solution.
    pub puzzles: usize,
    /// Puzzles without a solution.
    pub none: usize,
    /// Puzzles with several.
    pub several: usize,
    /// Puzzles that could not be read.
    pub unreadable: usize,
    /// States that were looked at.
    pub states: usize,
    /// Time that the paths took.
    pub paths: Duration,
    /// One for each member of each technique.
    pub rows: BTreeMap<RowKey, AuditRow>,
}

/// Sums of one member of a technique, all its cases together.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AuditRow {
    /// `id` or `id(4)`.
    #[serde(rename = "technique")]
    pub label: String,
    /// States that were searched.
    pub searched: usize,
    /// States with a match.
    pub states: usize,
    /// Matches and deductions; none if only wrong ones are searched.
    #[serde(flatten)]
    pub found: Option<FoundSums>,
    /// Matches that say something wrong.
    pub wrong: usize,
    /// States where a limit cut the search short.
    pub limits: usize,
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub time: Duration,
    /// The first of the wrong matches.
    #[serde(rename = "examples")]
    pub shown: Vec<WrongMatch>,
}

/// Numbers of matches and deductions, right or wrong.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct FoundSums {
    pub matches: usize,
    pub eliminations: usize,
    pub placements: usize,
}

fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// A wrong match in words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct WrongMatch {
    /// Number of the puzzle among all.
    #[serde(skip)]
    pub task: usize,
    /// Source file and line of the puzzle.
    pub file: String,
    pub line: usize,
    /// Steps before the state.
    pub step: usize,
    /// The wrong deductions.
    pub says: String,
    /// The state, candidates of every cell.
    pub state: String,
}

/// Origin of a state.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    /// Number of the puzzle among all.
    pub task: usize,
    pub file: &'a str,
    pub line: usize,
    /// Steps before the state.
    pub step: usize,
}

impl AuditRow {
    /// Adds the matches of the cases of a member on one state.
    fn state(&mut self, place: &PathState<'_>, cases: &[Weighed], time: Duration) {
        let &PathState { solver, at, state, wrong_only, .. } = place;
        let mut found = FoundSums::default();
        for case in cases {
            found.matches += case.matches;
            found.eliminations += case.eliminations;
            found.placements += case.placements;
        }
        self.add_sums(&AuditRow {
            searched: 1,
            states: usize::from(found.matches > 0),
            found: (!wrong_only).then_some(found),
            wrong: cases.iter().map(|case| case.wrong.len()).sum(),
            limits: usize::from(cases.iter().any(|case| !case.limits.is_empty())),
            time,
            ..AuditRow::default()
        });
        let room = KEPT.saturating_sub(self.shown.len());
        let geometry = solver.geometry();
        self.shown.extend(cases.iter().flat_map(|case| &case.wrong).take(room).map(
            |Untrue { eliminations, placements }| WrongMatch {
                task: at.task,
                file: at.file.into(),
                line: at.line,
                step: at.step,
                says: notation::deductions(geometry, eliminations, placements),
                state: draw::candidate_line(geometry, state),
            },
        ));
    }

    fn add_sums(&mut self, other: &AuditRow) {
        self.searched += other.searched;
        self.states += other.states;
        if let Some(found) = other.found {
            let sums = self.found.get_or_insert_default();
            sums.matches += found.matches;
            sums.eliminations += found.eliminations;
            sums.placements += found.placements;
        }
        self.wrong += other.wrong;
        self.limits += other.limits;
        self.time += other.time;
    }

    fn add(&mut self, other: AuditRow) {
        self.add_sums(&other);
        self.label = other.label;
        // The first ones of all puzzles, in whatever order the puzzles were done.
        self.shown.extend(other.shown);
        self.shown.sort();
        self.shown.truncate(KEPT);
    }
}

impl AuditSums {
    /// Adds other sums.
    pub fn add(&mut self, other: AuditSums) {
        self.puzzles += other.puzzles;
        self.none += other.none;
        self.several += other.several;
        self.unreadable += other.unreadable;
        self.states += other.states;
        self.paths += other.paths;
        for (key, row) in other.rows {
            self.rows.entry(key).or_default().add(row);
        }
    }

    /// Matches of all rows.
    pub fn matches(&self) -> usize {
        self.rows.values().filter_map(|row| row.found).map(|found| found.matches).sum()
    }

    /// Searches of all rows.
    pub fn searches(&self) -> usize {
        self.rows.values().map(|row| row.searched).sum()
    }

    /// Wrong matches of all rows.
    pub fn wrong(&self) -> usize {
        self.rows.values().map(|row| row.wrong).sum()
    }
}

#[derive(Serialize)]
struct AuditRecord<'a> {
    puzzles: usize,
    no_solution: usize,
    several_solutions: usize,
    unreadable: usize,
    states: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    searches: Option<usize>,
    wrong: usize,
    path_seconds: f64,
    techniques: Vec<&'a AuditRow>,
}

/// Prints the sums. With `wrong_only`, numbers of matches are left out: right ones were not searched.
pub fn print_results(count: &AuditSums, wrong_only: bool, out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        return Ok(out.value(&record(count, wrong_only))?);
    }
    table(count, wrong_only).print_unbroken(out)?;
    let mut lines = Vec::new();
    for row in count.rows.values().filter(|row| row.wrong > 0) {
        lines.extend(wrong(row, wrong_only));
    }
    lines.extend(skipped(count));
    let (wrong, looked) = (count.wrong(), looked(count, wrong_only));
    let role = if wrong == 0 && count.puzzles > 0 { Role::Good } else { Role::Bad };
    let (puzzles, states) = (counted(count.puzzles, "puzzle"), counted(count.states, "state"));
    lines.push(Line::of(role, format!("{puzzles}, {states}, {looked}, {wrong} wrong")));
    out.lines(&lines)?;
    Ok(())
}

/// Returns the number of matches or searches that were compared with the solutions, in words.
fn looked(count: &AuditSums, wrong_only: bool) -> String {
    match (wrong_only, count.matches(), count.searches()) {
        (true, _, 1) => "1 search".into(),
        (true, _, searches) => format!("{searches} searches"),
        (false, 1, _) => "1 match".into(),
        (false, matches, _) => format!("{matches} matches"),
    }
}

fn wrong(row: &AuditRow, wrong_only: bool) -> Vec<Line> {
    let head = match wrong_only {
        true => format!("{}: {} wrong", row.label, row.wrong),
        false => format!("{}: {} of {} matches wrong", row.label, row.wrong, row.found.unwrap_or_default().matches),
    };
    let mut lines = vec![Line::of(Role::Bad, head)];
    for shown in &row.shown {
        let WrongMatch { file, line, .. } = shown;
        let place = if file.is_empty() { String::new() } else { format!("{file}:{line}, ") };
        let after = counted(shown.step, "step");
        lines.push(Line::text(format!("  {place}after {after}: {} contradicts the solution", shown.says)));
        lines.push(Line::of(Role::Quiet, format!("    {}", shown.state)));
    }
    lines
}

fn skipped(count: &AuditSums) -> Option<Line> {
    let parts: Vec<String> =
        [(count.none, "without a solution"), (count.several, "with several"), (count.unreadable, "not readable")]
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, words)| format!("{number} {words}"))
            .collect();
    (!parts.is_empty()).then(|| Line::text(format!("Skipped: {}", parts.join(", "))))
}

fn table(count: &AuditSums, wrong_only: bool) -> Sheet {
    let mut sheet = Sheet::new(match wrong_only {
        true => &["technique", "states", "searches", "wrong", "limits", "seconds"],
        false => &["technique", "states", "matches", "eliminations", "placements", "wrong", "limits", "seconds"],
    });
    for AuditRow { label, searched, states, found, wrong, limits, time, .. } in count.rows.values() {
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

fn record(count: &AuditSums, wrong_only: bool) -> AuditRecord<'_> {
    AuditRecord {
        puzzles: count.puzzles,
        no_solution: count.none,
        several_solutions: count.several,
        unreadable: count.unreadable,
        states: count.states,
        matches: (!wrong_only).then(|| count.matches()),
        searches: wrong_only.then(|| count.searches()),
        wrong: count.wrong(),
        path_seconds: count.paths.as_secs_f64(),
        techniques: count.rows.values().collect(),
    }
}
