//! A puzzle before any work. In: a puzzle and what the user wants of it. Out: whether it is known to have one solution, or why it is
//! refused; the number of its solutions, its superfluous clues and its canonical form.

use crate::cli::prelude::*;
use crate::grid::{Candidate, Cell, canonical, draw};
use crate::proof::{Uniqueness, count, had_unique_solution, mistakes, superfluous_clues, uniqueness};
use crate::render::contradiction_words;
use crate::workbench::{mistake_words, solutions_words};

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
            let seen = || state.contradiction(geometry).map(|found| contradiction_words(geometry, found));
            let words = mistakes(puzzle, state).map(|found| mistake_words(geometry, &found)).or_else(seen);
            let words = words.map_or_else(String::new, |words| format!(": {words}"));
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
    Line::of(Role::Name, format!("{what}: ")).and(Role::Plain, words)
}

fn name(puzzle: &Puzzle, clue: Candidate) -> String {
    format!("{}={}", notation::cell(&puzzle.geometry, clue.cell), clue.digit)
}

fn clue_words(puzzle: &Puzzle, superfluous: Option<&[String]>) -> String {
    let clues = puzzle.clues();
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
    let failure =
        |words: String| Failure { exit: Exit::Short, message: format!("line {}: {words}", puzzle.line), help: None };
    if puzzle.lists_only || puzzle.open.is_some() {
        return Err(failure("a puzzle of candidate lists has no canonical form; only clues have one".to_string()));
    }
    let givens = canonical(&puzzle.geometry, &puzzle.givens).map_err(|error| failure(error.to_string()))?;
    let placed = vec![None; givens.len()];
    Ok(Puzzle { givens, placed, candidates: None, ..puzzle.clone() })
}
