//! Commands on puzzles, one puzzle after the other. In: a puzzle argument and the work for each puzzle. Out: headings,
//! errors with their lines, records, a summary and the worst exit code.

use super::admission::{Objection, UNCHECKED, admitted, objection};
use super::source::{Source, Unread};
use crate::cli::prelude::*;
use crate::grid::draw;
use erased_serde::Serialize as Value;
use std::io;

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
#[derive(Serialize)]
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
    let mut source = Source::open(&argument.puzzle, board.as_ref())?;
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
            self.out.lines(&[Line::of(Role::Bad, "Note: ").and(Role::Plain, format!("{words}."))])?;
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
        let head = Line::of(Role::Name, format!("Puzzle {} (line {}): ", self.index, puzzle.line));
        lines.push(head.and(Role::Plain, draw::givens_line(puzzle)).and(Role::Quiet, note));
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
        failure.report();
        self.count("unreadable", failure.exit);
        if self.out.is_text() {
            return Ok(());
        }
        let message = Some(failure.message);
        let status = "unreadable";
        self.out.value(&PuzzleRecord {
            line,
            board: None,
            puzzle: None,
            note: None,
            remarks: &[],
            status,
            message,
            result: None,
        })?;
        Ok(())
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
            let line =
                Line::of(Role::Name, counted(total, "puzzle")).and(Role::Plain, format!(": {}", parts.join(", ")));
            self.out.lines(&[Line::default(), line])?;
        }
        Ok(self.worst)
    }
}
