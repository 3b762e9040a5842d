//! `pinion audit`: compares the matches of every technique, on every state of the solution paths, with the solutions.

use crate::cli::corpus::{CorpusArgs, Puzzles, add_fields, parallel_each};
use crate::cli::find::unknown_technique;
use crate::cli::output::NumberTable;
use crate::cli::prelude::*;
use crate::engine::{ContradictedDigits, PathCache};
use crate::proof::{Uniqueness, clues_have_unique_solution, uniqueness};
use crate::render::count_phrase_of;
use crate::solve::{FalseDeductions, MatchCounts};
use serde::Serializer;

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
state; paste the state into `pinion find`. The exit code is 1 if anything was wrong.")]
pub struct AuditArgs {
    /// Files with puzzles, puzzles, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Only this technique, whether the profile uses it or not; repeatable
    #[arg(short, long, value_name = "NAME")]
    technique: Vec<String>,
    /// Look only at every Nth state of a path, beginning with a different state in each puzzle
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// Look only for matches that contradict the solution: many times faster, but right matches are not counted
    #[arg(long)]
    wrong_only: bool,
    /// Skip the first N puzzles; --first counts from there
    #[arg(long, value_name = "N", default_value = "0")]
    skip: usize,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

pub fn run(args: &AuditArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    args.time.begin_interruptible();
    let geometry = args.corpus.board.geometry()?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut puzzles = Puzzles::open(&args.files, geometry.as_ref())?;
    let max_puzzles = args.corpus.first.unwrap_or(usize::MAX);
    let mut tasks = puzzles.by_ref().skip(args.skip).take(max_puzzles).peekable();
    if let Some((_, puzzle)) = tasks.peek() {
        check_names(&mut solvers, &puzzle.geometry, &args.technique)?;
    }
    let ids = solvers.rulebook.techniques().iter().enumerate();
    let technique_indices = ids.map(|(index, technique)| (technique.id.clone(), index)).collect();
    let auditor = Auditor { args, solvers: Mutex::new(solvers), technique_indices };
    let mut sums = AuditSums::default();
    parallel_each(
        tasks,
        args.corpus.thread_count(),
        |number, (file, puzzle)| auditor.audit(number, &file, &puzzle),
        |puzzle_sums| sums.add(puzzle_sums),
    );
    let rows = sums.techniques.values();
    sums.wrong = rows.clone().map(|row| row.wrong).sum();
    match args.wrong_only {
        true => sums.searches = Some(rows.map(|row| row.searched).sum()),
        false => sums.matches = Some(rows.filter_map(|row| row.found).map(|found| found.matches).sum()),
    }
    sums.unreadable = puzzles.unreadable;
    print_results(&sums, args.wrong_only, out)?;
    let exit = if sums.wrong > 0 { Exit::Unsuccessful } else { Exit::Done };
    Ok(exit.max(puzzles.exit(sums.puzzles)))
}

/// Checks that every name is known on the first board or on 9×9, so that a typing error is reported before the run. On
/// other boards, a technique may be absent.
fn check_names(solvers: &mut Solvers, first: &Arc<Geometry>, names: &[String]) -> Result<(), Failure> {
    for name in names {
        if solvers.on(first, ASSUME_UNIQUE).members_by_name(Some(name)).is_ok() {
            continue;
        }
        let Some(board_9x9) = Geometry::standard(9).map(Arc::new) else { continue };
        solvers.on(&board_9x9, ASSUME_UNIQUE).members_by_name(Some(name)).map_err(unknown_technique)?;
    }
    Ok(())
}

struct Auditor<'a> {
    args: &'a AuditArgs,
    solvers: Mutex<Solvers>,
    /// Index of each technique in the rulebook, by id. In a solver the indices depend on the board.
    technique_indices: BTreeMap<String, usize>,
}

impl Auditor<'_> {
    fn audit(&self, number: usize, file: &str, puzzle: &Puzzle) -> AuditSums {
        let start = puzzle.state();
        let solution = match uniqueness(&puzzle.geometry, &start) {
            Uniqueness::One(solution) => solution,
            Uniqueness::None => return AuditSums { no_solution: 1, ..AuditSums::default() },
            Uniqueness::Many(..) => return AuditSums { several_solutions: 1, ..AuditSums::default() },
        };
        let solver = lock(&self.solvers).on(&puzzle.geometry, clues_have_unique_solution(puzzle));
        let members_by_row = self.members_by_row(&solver);
        let clock = Instant::now();
        let path = solver.solve(start);
        let (states, has_wrong_step) = solver.states(&path, &solution);
        let mut sums = AuditSums { puzzles: 1, path_seconds: clock.elapsed(), ..AuditSums::default() };
        let aim = ContradictedDigits::new(&solution);
        let cache = PathCache::default();
        for (step, state) in states.iter().enumerate() {
            // `--every` skips states, but never the state before a wrong step, which is the last one.
            let is_in_sample = (step + number + self.args.skip).is_multiple_of(self.args.every.get());
            let is_state_of_wrong_step = has_wrong_step && step + 1 == states.len();
            if !is_in_sample && !is_state_of_wrong_step {
                continue;
            }
            sums.states += 1;
            let mut survey = match self.args.wrong_only {
                true => solver.survey_against(state, &aim, &cache),
                false => solver.survey(state),
            };
            for (key, members) in &members_by_row {
                let clock = Instant::now();
                let counts: Vec<_> = members.iter().map(|&member| survey.count_matches(member, &solution)).collect();
                let time = clock.elapsed();
                let row = sums.techniques.entry(key.clone()).or_default();
                row.label = solver.member_label(&solver.members()[members[0]]);
                row.add_counts(&counts, time, self.args.wrong_only);
                let room = MAX_EXAMPLES.saturating_sub(row.examples.len());
                let wrong_matches = counts.iter().flat_map(|counts| &counts.false_deductions);
                for FalseDeductions { eliminations, placements } in wrong_matches.take(room) {
                    row.examples.push(WrongMatch {
                        number,
                        file: file.into(),
                        line: puzzle.line,
                        step,
                        says: notation::deductions(&puzzle.geometry, eliminations, placements),
                        state: draw::candidate_line(&puzzle.geometry, state),
                    });
                }
            }
        }
        sums
    }

    /// Returns the members to search, by row. The variants of a rule share a row.
    fn members_by_row(&self, solver: &Solver) -> BTreeMap<RowKey, Vec<usize>> {
        let mut members = BTreeSet::new();
        if self.args.technique.is_empty() {
            members.extend(solver.members_by_name(None).unwrap_or_default());
        }
        for name in &self.args.technique {
            // A technique may be left out on this board.
            members.extend(solver.members_by_name(Some(name)).unwrap_or_default());
        }
        let mut members_by_row: BTreeMap<RowKey, Vec<usize>> = BTreeMap::new();
        for index in members {
            let member = &solver.members()[index];
            let id = &solver.techniques()[member.technique].id;
            let technique = self.technique_indices.get(id).copied().unwrap_or(usize::MAX);
            members_by_row.entry((technique, member.args.clone())).or_default().push(index);
        }
        members_by_row
    }
}

/// Maximum number of wrong matches of a row that are printed.
const MAX_EXAMPLES: usize = 3;

/// The key by which rows are sorted: the index of a technique in the rulebook, and the arguments.
type RowKey = (usize, Vec<u32>);

#[derive(Default, Serialize)]
struct AuditSums {
    /// Puzzles with one solution.
    puzzles: usize,
    no_solution: usize,
    several_solutions: usize,
    unreadable: usize,
    states: usize,
    /// Number of matches of all rows; `None` with `--wrong-only`.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<usize>,
    /// Number of searches of all rows; only with `--wrong-only`.
    #[serde(skip_serializing_if = "Option::is_none")]
    searches: Option<usize>,
    wrong: usize,
    #[serde(serialize_with = "seconds")]
    path_seconds: Duration,
    #[serde(serialize_with = "values")]
    techniques: BTreeMap<RowKey, AuditRow>,
}

/// Sums of a technique with given arguments, over all variants of its rule.
#[derive(Default, Serialize)]
struct AuditRow {
    /// `id` or `id(4)`.
    #[serde(rename = "technique")]
    label: String,
    searched: usize,
    /// Number of states with a match.
    states: usize,
    /// Matches and deductions; `None` with `--wrong-only`.
    #[serde(flatten)]
    found: Option<FoundSums>,
    wrong: usize,
    /// Number of states where a limit cut the search short.
    limits: usize,
    #[serde(rename = "seconds", serialize_with = "seconds")]
    time: Duration,
    examples: Vec<WrongMatch>,
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

/// A match that contradicts the solution. Matches are ordered by puzzle, then by state.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct WrongMatch {
    #[serde(skip)]
    number: usize,
    file: String,
    line: usize,
    /// Number of steps before the state.
    step: usize,
    /// The wrong deductions, in notation.
    says: String,
    /// The candidates of every cell.
    state: String,
}

impl AuditRow {
    /// Adds the matches on one state; `counts` has an element for each variant of the rule.
    fn add_counts(&mut self, counts: &[MatchCounts], time: Duration, wrong_only: bool) {
        let mut found = FoundSums::default();
        for variant in counts {
            add_fields!(found, variant; matches, eliminations, placements);
            self.wrong += variant.false_deductions.len();
        }
        self.searched += 1;
        self.states += usize::from(found.matches > 0);
        self.limits += usize::from(counts.iter().any(|variant| !variant.limits.is_empty()));
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
        self.examples.extend(other.examples);
        self.examples.sort();
        self.examples.truncate(MAX_EXAMPLES);
    }
}

impl AuditSums {
    fn add(&mut self, other: AuditSums) {
        add_fields!(self, other; puzzles, no_solution, several_solutions, states, path_seconds);
        for (key, row) in other.techniques {
            self.techniques.entry(key).or_default().add(row);
        }
    }
}

/// Prints the sums. With `wrong_only`, numbers of matches are left out, because right matches were not searched.
fn print_results(sums: &AuditSums, wrong_only: bool, out: &mut Output) -> Result<(), CommandError> {
    if !out.is_text() {
        return Ok(out.value(sums)?);
    }
    table(sums, wrong_only).print_unwrapped(out)?;
    let mut lines = Vec::new();
    for row in sums.techniques.values().filter(|row| row.wrong > 0) {
        lines.extend(wrong_match_lines(row, wrong_only));
    }
    let mut skipped = Vec::new();
    for (count, reason) in [
        (sums.no_solution, "without a solution"),
        (sums.several_solutions, "with several"),
        (sums.unreadable, "not readable"),
    ] {
        if count > 0 {
            skipped.push(format!("{count} {reason}"));
        }
    }
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

fn wrong_match_lines(row: &AuditRow, wrong_only: bool) -> Vec<Line> {
    let heading = match wrong_only {
        true => format!("{}: {} wrong", row.label, row.wrong),
        false => format!("{}: {} of {} matches wrong", row.label, row.wrong, row.found.unwrap_or_default().matches),
    };
    let mut lines = vec![Line::styled(Role::Failure, heading)];
    for WrongMatch { file, line, step, says, state, .. } in &row.examples {
        let location = if file.is_empty() { String::new() } else { format!("{file}:{line}, ") };
        let steps = count_phrase(*step, "step");
        lines.push(Line::text(format!("  {location}after {steps}: {says} contradicts the solution")));
        lines.push(Line::styled(Role::Quiet, format!("    {state}")));
    }
    lines
}

fn table(sums: &AuditSums, wrong_only: bool) -> NumberTable {
    let mut table = NumberTable::new(match wrong_only {
        true => &["technique", "states", "searches", "wrong", "limits", "seconds"],
        false => &["technique", "states", "matches", "eliminations", "placements", "wrong", "limits", "seconds"],
    });
    for AuditRow { label, searched, states, found, wrong, limits, time, .. } in sums.techniques.values() {
        let counts = match found {
            None => vec![states, searched, wrong, limits],
            Some(FoundSums { matches, eliminations, placements }) => {
                vec![states, matches, eliminations, placements, wrong, limits]
            }
        };
        let mut cells = vec![label.clone()];
        cells.extend(counts.into_iter().map(ToString::to_string));
        cells.push(format!("{:.3}", time.as_secs_f64()));
        table.add_row(cells);
    }
    table
}
