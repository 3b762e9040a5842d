//! Runs a command on one puzzle after the other. In: a puzzle argument and the work for each puzzle. Out: headings, errors with their lines,
//! records, a summary and the highest exit code.
//! [`AboutArg`] has the questions about the puzzle itself: the number of its solutions, its superfluous clues, its canonical form.

use crate::cli::prelude::*;
use crate::cli::source::{PuzzleSource, ReadError};
use crate::grid::{Cell, canonical, draw};
use crate::proof::{Uniqueness, clues_have_unique_solution, count, mistakes, superfluous_clues, uniqueness};
use crate::render::contradiction_words;
use crate::workbench::{mistake_words, solutions_words};
use erased_serde::Serialize as Value;
use std::io;

const UNCHECKED_HELP: &str = "with --unchecked Pinion continues nevertheless";

pub struct Objection {
    /// `no_solution` or `several_solutions`.
    pub status: &'static str,
    pub message: String,
}

impl Objection {
    pub fn into_failure(self, puzzle: &Puzzle) -> Failure {
        let message = format!("line {}: {}", puzzle.line, self.message);
        Failure { exit: Exit::Puzzle, message, help: Some(UNCHECKED_HELP.to_owned()) }
    }
}

/// Refuses a puzzle without exactly one solution. For an admitted puzzle, returns true if both the position and the clues
/// alone are known to have one solution.
///
/// Without a guard, every puzzle is admitted. With `--unchecked`, every puzzle is admitted without counting the solutions,
/// and the result is false.
///
/// # Errors
/// If there is a guard without `--unchecked`, and the position has no solution or several.
pub fn admit(puzzle: &Puzzle, state: &State, guard: Option<&UniquenessGuardArg>) -> Result<bool, Objection> {
    let Some(guard) = guard else { return Ok(has_one_solution(puzzle, state)) };
    if guard.unchecked {
        return Ok(false);
    }
    match objection(puzzle, state) {
        Some(objection) => Err(objection),
        None => Ok(clues_have_unique_solution(puzzle)),
    }
}

/// Returns true if both the position and the clues alone are known to have one solution.
pub fn has_one_solution(puzzle: &Puzzle, state: &State) -> bool {
    matches!(uniqueness(&puzzle.geometry, state), Uniqueness::One(_)) && clues_have_unique_solution(puzzle)
}

/// Maximum number of solutions that are counted for a message.
const MAX_COUNTED: usize = 1_000;

/// Returns the objection to a position with no solution or several, and `None` for a position with one solution.
pub fn objection(puzzle: &Puzzle, state: &State) -> Option<Objection> {
    match uniqueness(&puzzle.geometry, state) {
        Uniqueness::One(_) => None,
        Uniqueness::None => {
            let message = match broken_reason(puzzle, state) {
                Some(reason) => format!("this puzzle has no solution: {reason}"),
                None => "this puzzle has no solution".to_owned(),
            };
            Some(Objection { status: "no_solution", message })
        }
        Uniqueness::Many(first, second) => {
            let geometry = &puzzle.geometry;
            let count = solutions_words(count(geometry, state, MAX_COUNTED));
            let differing_cells: Vec<Cell> =
                geometry.cells().filter(|cell| first[cell.index()] != second[cell.index()]).collect();
            let example = differing_cells.first().map_or_else(String::new, |&cell| {
                let (a, b) = (first[cell.index()], second[cell.index()]);
                format!(", {} can be {a} or {b}", notation::cell(geometry, cell))
            });
            let cells = shorten(notation::cells(geometry, &differing_cells));
            let message = format!("this puzzle has {count}{example}; two of them differ in {cells}");
            Some(Objection { status: "several_solutions", message })
        }
    }
}

/// Returns the reason why a position has no solution, if a reason is known. The reason is a mistake of the player if
/// there is one, else a contradiction in the grid.
pub fn broken_reason(puzzle: &Puzzle, state: &State) -> Option<String> {
    let geometry = &puzzle.geometry;
    if let Some(mistakes) = mistakes(puzzle, state) {
        return Some(mistake_words(geometry, &mistakes));
    }
    Some(contradiction_words(geometry, state.contradiction(geometry)?))
}

/// Shortens a list of more than eight groups of cells.
fn shorten(cells: String) -> String {
    let groups: Vec<&str> = cells.split(',').collect();
    if groups.len() <= 8 {
        groups.join(", ")
    } else {
        format!("{} and {} more groups of cells", groups[..8].join(", "), groups.len() - 8)
    }
}

pub struct PuzzleResult {
    /// One word: `solved`, `stuck`, `found` …
    pub status: &'static str,
    pub exit: Exit,
    pub lines: Vec<Line>,
    /// Output as JSON or RON.
    pub result: Box<dyn Value>,
}

#[derive(Default, Serialize)]
struct PuzzleRecord<'a> {
    line: usize,
    board: Option<&'a str>,
    puzzle: Option<String>,
    note: Option<&'a str>,
    /// Remarks of the reader: ignored text around the puzzle, and doubtful readings.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
    status: &'a str,
    /// Code of the error of an unreadable puzzle, such as `P03`.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    message: Option<String>,
    result: Option<&'a dyn Value>,
}

/// The run over the puzzles of an argument.
pub struct Batch<'o> {
    pub out: &'o mut Output,
    /// True unless the puzzle is known to be the only puzzle.
    has_many: bool,
    number: usize,
    highest_exit: Exit,
    /// Number of puzzles by status, in order of occurrence.
    counts: Vec<(&'static str, usize)>,
    /// The objection to the present puzzle, if the puzzle is admitted nevertheless.
    tolerated_objection: Option<String>,
}

/// Runs `work` on every puzzle of the argument, as soon as the puzzle is read. The bool is the result of [`admit`]: true if the puzzle is
/// known to have one solution.
pub fn for_each_puzzle(
    argument: &PuzzleArg,
    guard: Option<&UniquenessGuardArg>,
    out: &mut Output,
    mut work: impl FnMut(&Puzzle, &State, bool) -> Result<PuzzleResult, CommandError>,
) -> Result<Exit, CommandError> {
    for_each_puzzle_streaming(argument, guard, out, |puzzle, state, is_unique, batch| {
        let PuzzleResult { status, exit, lines, result } = work(puzzle, state, is_unique)?;
        batch.count(status, exit);
        Ok(if batch.out.is_text() { batch.out.lines(&lines) } else { batch.value(puzzle, status, result.as_ref()) }?)
    })
}

/// Runs `work` on every puzzle like [`for_each_puzzle`], but lets `work` print its own results while it searches.
pub fn for_each_puzzle_streaming(
    argument: &PuzzleArg,
    guard: Option<&UniquenessGuardArg>,
    out: &mut Output,
    mut work: impl FnMut(&Puzzle, &State, bool, &mut Batch<'_>) -> Result<(), CommandError>,
) -> Result<Exit, CommandError> {
    let board = argument.board.geometry()?;
    let mut source = PuzzleSource::open(&argument.puzzle, board.as_ref())?;
    let mut batch =
        Batch { out, has_many: false, number: 0, highest_exit: Exit::Done, counts: vec![], tolerated_objection: None };
    while let Some(puzzle) = source.next() {
        batch.has_many = batch.has_many || !source.is_alone();
        batch.number += 1;
        match puzzle {
            Err(error) => batch.report_unreadable(error)?,
            Ok(puzzle) => batch.run(&puzzle, guard, &mut work)?,
        }
        batch.out.flush()?;
    }
    batch.print_summary()?;
    Ok(batch.highest_exit)
}

impl Batch<'_> {
    fn run(
        &mut self,
        puzzle: &Puzzle,
        guard: Option<&UniquenessGuardArg>,
        work: &mut impl FnMut(&Puzzle, &State, bool, &mut Batch<'_>) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let state = puzzle.state();
        self.print_heading(puzzle)?;
        let is_unique = match admit(puzzle, &state, guard) {
            Ok(is_unique) => is_unique,
            Err(Objection { status, message }) => {
                let help = if self.has_many { None } else { Some(UNCHECKED_HELP.to_owned()) };
                return self.skip(puzzle, status, Failure { exit: Exit::Puzzle, message, help });
            }
        };
        self.tolerated_objection = None;
        if !is_unique && guard.is_none() {
            self.tolerated_objection = objection(puzzle, &state).map(|objection| objection.message);
        }
        if let Some(message) = &self.tolerated_objection
            && self.out.is_text()
        {
            self.out.lines(&[note(format!("{message}."))])?;
        }
        let result = {
            let _work = announce_work(format!("puzzle {}, line {}", self.number, puzzle.line));
            work(puzzle, &state, is_unique, self)
        };
        match result {
            Err(CommandError::ThisPuzzle(failure)) if self.has_many => self.skip(puzzle, "passed_over", failure),
            result => result,
        }
    }

    /// Prints the number and the givens of the puzzle, if there are several puzzles.
    fn print_heading(&mut self, puzzle: &Puzzle) -> Result<(), CommandError> {
        if !self.has_many || !self.out.is_text() {
            return Ok(());
        }
        let mut lines = if self.number == 1 { Vec::new() } else { vec![Line::default()] };
        let note = if puzzle.note.is_empty() { String::new() } else { format!("  {}", puzzle.note) };
        let heading = Line::styled(Role::Name, format!("Puzzle {} (line {}): ", self.number, puzzle.line));
        lines.push(heading.with(Role::Plain, draw::givens_line(puzzle)).with(Role::Quiet, note));
        Ok(self.out.lines(&lines)?)
    }

    /// Counts the puzzle in the summary, and includes its exit code in the exit code of the run.
    pub fn count(&mut self, status: &'static str, exit: Exit) {
        self.highest_exit = self.highest_exit.max(exit);
        match self.counts.iter_mut().find(|(counted, _)| *counted == status) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((status, 1)),
        }
    }

    fn report_unreadable(&mut self, ReadError { line, code, failure }: ReadError) -> Result<(), CommandError> {
        self.out.flush()?;
        let exit = failure.report();
        self.count("unreadable", exit);
        if self.out.is_text() {
            return Ok(());
        }
        let (status, message) = ("unreadable", Some(failure.message));
        Ok(self.out.value(&PuzzleRecord { line, status, code, message, ..PuzzleRecord::default() })?)
    }

    fn skip(&mut self, puzzle: &Puzzle, status: &'static str, reason: Failure) -> Result<(), CommandError> {
        let location = if self.has_many { format!("line {}: ", puzzle.line) } else { String::new() };
        self.out.flush()?;
        Failure { message: format!("{location}{}", reason.message), ..reason.clone() }.report();
        self.count(status, reason.exit);
        if !self.out.is_text() {
            self.write_record(puzzle, status, Some(reason.message), None)?;
        }
        Ok(())
    }

    /// Writes the record of the puzzle. Call this function once for each puzzle. A value may search while it is
    /// serialized; each result is then written as soon as it is found.
    pub fn value(&mut self, puzzle: &Puzzle, status: &str, value: &dyn Value) -> io::Result<()> {
        let message = self.tolerated_objection.take();
        self.write_record(puzzle, status, message, Some(value))
    }

    fn write_record(
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
            note: if puzzle.note.is_empty() { None } else { Some(&puzzle.note) },
            remarks: &puzzle.remarks,
            status,
            code: None,
            message,
            result,
        };
        self.out.value(&record)
    }

    /// Prints the number of puzzles by status, if there are several puzzles.
    fn print_summary(&mut self) -> io::Result<()> {
        let total = self.counts.iter().map(|(_, count)| count).sum();
        if total <= 1 || !self.out.is_text() {
            return Ok(());
        }
        let mut counts = Vec::new();
        for (status, count) in &self.counts {
            counts.push(format!("{count} {}", status.replace('_', " ")));
        }
        let line = Line::styled(Role::Name, count_phrase(total, "puzzle"))
            .with(Role::Plain, format!(": {}", counts.join(", ")));
        self.out.lines(&[Line::default(), line])
    }
}

/// Options that ask questions about the puzzle itself.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct AboutArg {
    /// Count the solutions, up to N
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1000")]
    pub count: Option<usize>,
    /// Name the clues without which the puzzle still has one solution
    #[arg(long)]
    pub clues: bool,
    /// Give the canonical form, which is equal for puzzles that differ only in labels, order of lines or transposition
    #[arg(long)]
    pub canonical: bool,
}

/// The answers to the questions of [`AboutArg`]. A question that was not asked has no field in the record.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AboutRecord {
    /// Number of solutions, or a lower bound if `solutions_exact` is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions_exact: Option<bool>,
    /// Clues without which the puzzle still has one solution, as `r1c1=5`; null if the puzzle does not have exactly one
    /// solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    superfluous: Option<Option<Vec<String>>>,
    /// True if no clue is superfluous.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<String>,
}

impl AboutArg {
    pub fn has_questions(self) -> bool {
        self.count.is_some() || self.clues || self.canonical
    }

    /// Returns the answers as lines and as a record. Fails without a canonical form.
    pub fn answer(self, puzzle: &Puzzle) -> Result<(Vec<Line>, AboutRecord), Failure> {
        let mut lines = Vec::new();
        let mut record = AboutRecord::default();
        let state = puzzle.state();
        if let Some(max_solutions) = self.count {
            let solutions = count(&puzzle.geometry, &state, max_solutions.max(1));
            lines.push(answer_line("Counted", solutions_words(solutions)));
            (record.solutions, record.solutions_exact) = (Some(solutions.number), Some(solutions.is_exact));
        }
        if self.clues {
            let clues = superfluous_clues(puzzle);
            let names: Option<Vec<String>> = clues
                .map(|clues| clues.iter().map(|clue| notation::deduction(&puzzle.geometry, *clue, true)).collect());
            lines.push(answer_line("Clues", clues_message(puzzle, names.as_deref())));
            record.minimal = names.as_ref().map(Vec::is_empty);
            record.superfluous = Some(names);
        }
        if self.canonical {
            let form = canonical_form(puzzle)?;
            let line = draw::givens_line(&form);
            lines.push(answer_line("Canonical form", line.clone()));
            record.canonical = Some(line);
        }
        Ok((lines, record))
    }
}

fn answer_line(heading: &str, answer: String) -> Line {
    Line::styled(Role::Name, format!("{heading}: ")).with(Role::Plain, answer)
}

/// Returns a message with the number of clues and the superfluous clues. `superfluous` is `None` if the puzzle does not
/// have exactly one solution.
fn clues_message(puzzle: &Puzzle, superfluous: Option<&[String]>) -> String {
    let clues = puzzle.clue_count();
    match superfluous {
        None => format!("{clues}; only in a puzzle with one solution can clues be superfluous"),
        Some([]) => format!("{clues}, none superfluous: the puzzle is minimal"),
        Some(names) => format!("{clues}; each of these {} alone can be left out: {}", names.len(), names.join(", ")),
    }
}

/// Returns the puzzle with the canonical form of its clues. Fails for boards without one, and for candidate lists.
pub fn canonical_form(puzzle: &Puzzle) -> Result<Puzzle, Failure> {
    let line = puzzle.line;
    if puzzle.lists_are_puzzle || puzzle.initial_candidates.is_some() {
        let message = "a puzzle of candidate lists has no canonical form; only clues have one";
        return Err(Failure::unsuccessful(format!("line {line}: {message}")));
    }
    let givens = canonical(&puzzle.geometry, &puzzle.givens)
        .map_err(|error| Failure::unsuccessful(format!("line {line}: {error}")))?;
    let placed = vec![None; givens.len()];
    Ok(Puzzle { givens, placed, candidates: None, ..puzzle.clone() })
}
