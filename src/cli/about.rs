//! What is asked about a puzzle itself. In: a puzzle, options. Out: how many solutions it has, which clues are superfluous, and its
//! canonical form, as lines and as a record.

use super::exit::{Exit, Failure};
use crate::grid::formats::Puzzle;
use crate::grid::{Candidate, canonical, draw, notation};
use crate::proof::{count, superfluous_clues};
use crate::render::{Line, Role};
use crate::workbench::solutions_words;
use clap::Args;
use serde::Serialize;

/// What to say about the puzzle itself.
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
