//! Commands on puzzles, one puzzle after the other. In: a puzzle argument and the work for each puzzle. Out: headings,
//! errors with their lines, records, a summary and the worst exit code.
//!
//! First comes the question whether a puzzle is admitted, with the reason if it is refused; last the answers about a puzzle itself: the number
//! of its solutions, its superfluous clues, its canonical form.

use crate::cli::prelude::*;
use crate::cli::source::{PuzzleSource, Unread};
use crate::grid::{Candidate, Cell, canonical, draw};
use crate::proof::{Uniqueness, count, had_unique_solution, mistakes, superfluous_clues, uniqueness};
use crate::render::contradiction_words;
use crate::workbench::{mistake_words, solutions_words};
use erased_serde::Serialize as Value;
use std::io;

/// Advice for a puzzle that is refused.
pub const UNCHECKED: &str = "with --unchecked Pinion goes on all the same";

/// Why a puzzle is refused.
pub struct Objection {
    /// One word for programs.
    pub status: &'static str,
    /// In words.
    pub words: String,
}

impl Objection {
    /// Converts it to an error that names the line of the puzzle.
    pub fn at(self, puzzle: &Puzzle) -> Failure {
        let message = format!("line {}: {}", puzzle.line, self.words);
        Failure { exit: Exit::Puzzle, message, help: Some(UNCHECKED.to_string()) }
    }
}

/// Returns true if the puzzle is known to have one solution, now and before anything was placed or eliminated. Without a guard no
/// puzzle is refused; with `--unchecked` it is not looked at.
///
/// # Errors
/// When it has none or several.
pub fn admitted(puzzle: &Puzzle, state: &State, guard: Option<&GuardArg>) -> Result<bool, Objection> {
    if guard.is_some_and(|guard| guard.unchecked) {
        return Ok(false);
    }
    let found = uniqueness(&puzzle.geometry, state);
    match objection_to(puzzle, state, &found).filter(|_| guard.is_some()) {
        Some(objection) => Err(objection),
        None => Ok(matches!(found, Uniqueness::One(_)) && had_unique_solution(puzzle)),
    }
}

/// Why the position has not one solution; `None` if it has.
pub fn objection(puzzle: &Puzzle, state: &State) -> Option<Objection> {
    objection_to(puzzle, state, &uniqueness(&puzzle.geometry, state))
}

/// The most solutions that are counted for a message.
const COUNTED: usize = 1_000;

/// Why the puzzle is invalid: no solution, with the mistakes that a player made; or several, with the cells in which two of
/// them differ.
fn objection_to(puzzle: &Puzzle, state: &State, found: &Uniqueness) -> Option<Objection> {
    let geometry = &puzzle.geometry;
    match found {
        Uniqueness::One(_) => None,
        Uniqueness::None => {
            let mistake = mistakes(puzzle, state).map(|found| mistake_words(geometry, &found));
            let words = mistake
                .or_else(|| state.contradiction(geometry).map(|found| contradiction_words(geometry, found)))
                .map_or_else(String::new, |words| format!(": {words}"));
            Some(Objection { status: "no_solution", words: format!("this puzzle has no solution{words}") })
        }
        Uniqueness::Many(a, b) => {
            let differ: Vec<Cell> = geometry.cells().filter(|cell| a[cell.index()] != b[cell.index()]).collect();
            let first = differ.first().map_or_else(String::new, |&cell| {
                let (a, b) = (a[cell.index()], b[cell.index()]);
                format!(", {} can be {a} or {b}", notation::cell(geometry, cell))
            });
            let shown = shortened(notation::cells(geometry, &differ));
            let count = solutions_words(count(geometry, state, COUNTED));
            let words = format!("this puzzle has {count}{first}; two of them differ in {shown}");
            Some(Objection { status: "several_solutions", words })
        }
    }
}

/// Shortens a long list of cells.
fn shortened(cells: String) -> String {
    let groups: Vec<&str> = cells.split(',').collect();
    if groups.len() <= 8 {
        groups.join(", ")
    } else {
        format!("{} and {} more groups of cells", groups[..8].join(", "), groups.len() - 8)
    }
}

/// The result for a puzzle.
pub struct PuzzleResult {
    /// One word: `solved`, `stuck`, `found` …
    pub status: &'static str,
    /// The exit code for this puzzle alone.
    pub exit: Exit,
    /// Lines for people.
    pub lines: Vec<Line>,
    /// Record for programs.
    pub result: Box<dyn Value>,
}

/// Reason for leaving a puzzle.
pub enum PuzzleHalt {
    /// A failure that concerns this puzzle only.
    Here(Failure),
    /// A failure that concerns the whole run.
    All(Failure),
    /// The answer cannot be written.
    Stop(Stop),
}

impl From<io::Error> for PuzzleHalt {
    fn from(error: io::Error) -> PuzzleHalt {
        PuzzleHalt::Stop(error.into())
    }
}

impl From<Failure> for PuzzleHalt {
    fn from(failure: Failure) -> PuzzleHalt {
        PuzzleHalt::All(failure)
    }
}

/// A puzzle's line of JSON or RON.
#[derive(Default, Serialize)]
struct PuzzleRecord<'a> {
    line: usize,
    board: Option<&'a str>,
    puzzle: Option<String>,
    note: Option<&'a str>,
    /// Text around the puzzle that was not read, and readings to be checked.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
    status: &'a str,
    message: Option<String>,
    result: Option<&'a dyn Value>,
}

/// The output for one puzzle.
pub struct Reply<'r, 'o> {
    batch: &'r mut Batch<'o>,
    puzzle: &'r Puzzle,
}

impl Reply<'_, '_> {
    /// Returns true if the output is text for people.
    pub fn is_text(&self) -> bool {
        self.batch.out.is_text()
    }

    /// Says what became of the puzzle, before its value is written.
    pub fn status(&mut self, status: &'static str, exit: Exit) {
        self.batch.count(status, exit);
    }

    /// Writes for people.
    pub fn lines(&mut self, lines: &[Line]) -> io::Result<()> {
        self.batch.out.lines(lines)
    }

    /// Hands on what was written so far: the search for more may take long.
    pub fn flush(&mut self) -> io::Result<()> {
        self.batch.out.flush()
    }

    /// Writes for programs: once, and what the value makes while it is written is written as it is made.
    pub fn value(&mut self, status: &str, value: &dyn Value) -> io::Result<()> {
        let remark = self.batch.remark.take();
        self.batch.record(self.puzzle, status, remark, Some(value))
    }
}

struct Batch<'o> {
    out: &'o mut Output,
    /// True if there is more than one puzzle, or may be.
    many: bool,
    /// The number of the puzzle, from one.
    index: usize,
    worst: Exit,
    counts: Vec<(&'static str, usize)>,
    /// Reason why the puzzle has not one solution, if it is not refused for that.
    remark: Option<String>,
}

/// Runs `work` on every puzzle of the argument, as it is read; its last argument is true if the puzzle is known to have one solution. With
/// `--unchecked` that is not looked at.
pub fn each(
    argument: &PuzzleArg,
    guard: Option<&GuardArg>,
    out: &mut Output,
    mut work: impl FnMut(&Puzzle, &State, bool) -> Result<PuzzleResult, PuzzleHalt>,
) -> Result<Exit, Stop> {
    each_streaming(argument, guard, out, |puzzle, state, one, reply| {
        let done = work(puzzle, state, one)?;
        reply.status(done.status, done.exit);
        match reply.is_text() {
            true => reply.lines(&done.lines)?,
            false => reply.value(done.status, done.result.as_ref())?,
        }
        Ok(())
    })
}

/// Runs `work` on every puzzle like [`each`]; `work` prints its results while it searches.
pub fn each_streaming(
    argument: &PuzzleArg,
    guard: Option<&GuardArg>,
    out: &mut Output,
    mut work: impl FnMut(&Puzzle, &State, bool, &mut Reply<'_, '_>) -> Result<(), PuzzleHalt>,
) -> Result<Exit, Stop> {
    let board = argument.geometry()?;
    let mut source = PuzzleSource::open(&argument.puzzle, board.as_ref())?;
    let mut batch = Batch { out, many: false, index: 0, worst: Exit::Done, counts: Vec::new(), remark: None };
    while let Some(puzzle) = source.next() {
        batch.many = batch.many || !source.is_alone();
        batch.index += 1;
        match puzzle {
            Err(error) => batch.unreadable(error)?,
            Ok(puzzle) => batch.puzzle(&puzzle, guard, &mut work)?,
        }
        batch.out.flush()?;
    }
    batch.summary()
}

impl Batch<'_> {
    fn puzzle(
        &mut self,
        puzzle: &Puzzle,
        guard: Option<&GuardArg>,
        work: &mut impl FnMut(&Puzzle, &State, bool, &mut Reply<'_, '_>) -> Result<(), PuzzleHalt>,
    ) -> Result<(), Stop> {
        let state = puzzle.state();
        self.heading(puzzle)?;
        let one = match admitted(puzzle, &state, guard) {
            Ok(one) => one,
            Err(Objection { status, words }) => return self.refused(puzzle, status, words),
        };
        // Without a guard the position is looked at all the same, so what is wrong with it is a remark.
        self.remark = if one || guard.is_some() { None } else { objection(puzzle, &state).map(|found| found.words) };
        if let Some(words) = self.remark.as_ref().filter(|_| self.out.is_text()) {
            self.out.lines(&[note(format!("{words}."))])?;
        }
        let busy = busy(format!("puzzle {}, line {}", self.index, puzzle.line));
        let done = work(puzzle, &state, one, &mut Reply { batch: self, puzzle });
        drop(busy);
        match done {
            Ok(()) => Ok(()),
            Err(PuzzleHalt::Stop(stop)) => Err(stop),
            Err(PuzzleHalt::Here(failure)) if self.many => self.left(puzzle, "passed_over", failure),
            Err(PuzzleHalt::Here(failure) | PuzzleHalt::All(failure)) => Err(failure.into()),
        }
    }

    fn heading(&mut self, puzzle: &Puzzle) -> Result<(), Stop> {
        if !self.many || !self.out.is_text() {
            return Ok(());
        }
        let mut lines = if self.index == 1 { Vec::new() } else { vec![Line::default()] };
        let note = if puzzle.note.is_empty() { String::new() } else { format!("  {}", puzzle.note) };
        let head = Line::styled(Role::Name, format!("Puzzle {} (line {}): ", self.index, puzzle.line));
        lines.push(head.with(Role::Plain, draw::givens_line(puzzle)).with(Role::Quiet, note));
        Ok(self.out.lines(&lines)?)
    }

    fn count(&mut self, status: &'static str, exit: Exit) {
        self.worst = self.worst.max(exit);
        match self.counts.iter_mut().find(|(known, _)| *known == status) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((status, 1)),
        }
    }

    fn unreadable(&mut self, Unread { line, failure }: Unread) -> Result<(), Stop> {
        self.out.flush()?;
        self.count("unreadable", failure.report());
        if self.out.is_text() {
            return Ok(());
        }
        let (status, message) = ("unreadable", Some(failure.message));
        Ok(self.out.value(&PuzzleRecord { line, status, message, ..PuzzleRecord::default() })?)
    }

    fn refused(&mut self, puzzle: &Puzzle, status: &'static str, words: String) -> Result<(), Stop> {
        let help = (!self.many).then(|| UNCHECKED.to_string());
        self.left(puzzle, status, Failure { exit: Exit::Puzzle, message: words, help })
    }

    /// Nothing is done with a puzzle, for this reason.
    fn left(&mut self, puzzle: &Puzzle, status: &'static str, why: Failure) -> Result<(), Stop> {
        let place = if self.many { format!("line {}: ", puzzle.line) } else { String::new() };
        self.out.flush()?;
        Failure { message: format!("{place}{}", why.message), ..why.clone() }.report();
        self.count(status, why.exit);
        if self.out.is_text() { Ok(()) } else { Ok(self.record(puzzle, status, Some(why.message), None)?) }
    }

    fn record(
        &mut self,
        puzzle: &Puzzle,
        status: &str,
        message: Option<String>,
        result: Option<&dyn Value>,
    ) -> io::Result<()> {
        let record = PuzzleRecord {
            line: puzzle.line,
            board: Some(&puzzle.geometry.spec().name),
            puzzle: Some(draw::givens_line(puzzle)),
            note: Some(puzzle.note.as_str()).filter(|note| !note.is_empty()),
            remarks: &puzzle.remarks,
            status,
            message,
            result,
        };
        self.out.value(&record)
    }

    fn summary(self) -> Result<Exit, Stop> {
        let total = self.counts.iter().map(|(_, count)| count).sum();
        if total > 1 && self.out.is_text() {
            let parts: Vec<String> =
                self.counts.iter().map(|(status, count)| format!("{count} {}", status.replace('_', " "))).collect();
            let line = Line::styled(Role::Name, count_phrase(total, "puzzle"))
                .with(Role::Plain, format!(": {}", parts.join(", ")));
            self.out.lines(&[Line::default(), line])?;
        }
        Ok(self.worst)
    }
}

/// Questions about the puzzle itself.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct AboutArg {
    /// Count the solutions, up to N
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1000")]
    pub count: Option<usize>,
    /// Name the clues without which the puzzle still has one solution
    #[arg(long)]
    pub clues: bool,
    /// Give the canonical form: all puzzles that differ in order, transposing and labels only have the same
    #[arg(long)]
    pub canonical: bool,
}

/// The answers; those that were not asked for are left out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AboutRecord {
    /// Number of solutions; if it is not exact, this is the least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions_exact: Option<bool>,
    /// Clues that can be left out one at a time; null if the puzzle has not one solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    superfluous: Option<Option<Vec<String>>>,
    /// True if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<String>,
}

impl AboutArg {
    /// Returns true if something is asked.
    pub fn is_asked(self) -> bool {
        self.count.is_some() || self.clues || self.canonical
    }

    /// Answers, as sentences and as a record.
    ///
    /// # Errors
    /// If the board or the puzzle has no canonical form.
    pub fn answer(self, puzzle: &Puzzle) -> Result<(Vec<Line>, AboutRecord), Failure> {
        let (mut lines, mut record) = (Vec::new(), AboutRecord::default());
        let state = puzzle.state();
        if let Some(most) = self.count {
            let found = count(&puzzle.geometry, &state, most.max(1));
            lines.push(said("Counted", solutions_words(found)));
            (record.solutions, record.solutions_exact) = (Some(found.number), Some(found.is_exact));
        }
        if self.clues {
            let found = superfluous_clues(puzzle);
            let names = found.as_ref().map(|clues| clues.iter().map(|clue| name(puzzle, *clue)).collect::<Vec<_>>());
            lines.push(said("Clues", clue_words(puzzle, names.as_deref())));
            record.minimal = found.map(|clues| clues.is_empty());
            record.superfluous = Some(names);
        }
        if self.canonical {
            let form = canonical_form(puzzle)?;
            let line = draw::givens_line(&form);
            lines.push(said("Canonical form", line.clone()));
            record.canonical = Some(line);
        }
        Ok((lines, record))
    }
}

fn said(what: &str, words: String) -> Line {
    Line::styled(Role::Name, format!("{what}: ")).with(Role::Plain, words)
}

fn name(puzzle: &Puzzle, clue: Candidate) -> String {
    format!("{}={}", notation::cell(&puzzle.geometry, clue.cell), clue.digit)
}

fn clue_words(puzzle: &Puzzle, superfluous: Option<&[String]>) -> String {
    let clues = puzzle.clue_count();
    match superfluous {
        None => format!("{clues}; only of a puzzle with one solution can some be superfluous"),
        Some([]) => format!("{clues}, none superfluous: the puzzle is minimal"),
        Some(names) => format!("{clues}; each of these {} alone can be left out: {}", names.len(), names.join(", ")),
    }
}

/// The canonical form of the clues as a puzzle of its own.
///
/// # Errors
/// If the board has none, or candidate lists are the puzzle.
pub fn canonical_form(puzzle: &Puzzle) -> Result<Puzzle, Failure> {
    let line = puzzle.line;
    if puzzle.lists_only || puzzle.initial_candidates.is_some() {
        let words = "a puzzle of candidate lists has no canonical form; only clues have one";
        return Err(Failure::short(format!("line {line}: {words}")));
    }
    let givens =
        canonical(&puzzle.geometry, &puzzle.givens).map_err(|error| Failure::short(format!("line {line}: {error}")))?;
    let placed = vec![None; givens.len()];
    Ok(Puzzle { givens, placed, candidates: None, ..puzzle.clone() })
}
