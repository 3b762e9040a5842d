//! Whether a puzzle may be worked on. In: a puzzle and what the user wants of it. Out: whether it is known to have one solution,
//! or why it is refused.

use super::args::GuardArg;
use super::exit::{Exit, Failure};
use crate::grid::formats::Puzzle;
use crate::grid::{Cell, State, notation};
use crate::proof::{Uniqueness, count, had_unique_solution, mistakes, uniqueness};
use crate::render::contradiction_words;
use crate::workbench::{mistake_words, solutions_words};

/// How to go on with a puzzle that is refused.
pub const UNCHECKED: &str = "with --unchecked Pinion goes on all the same";

/// Why a puzzle is refused.
pub struct Objection {
    /// One word for programs.
    pub status: &'static str,
    /// In words.
    pub words: String,
}

impl Objection {
    /// As an error that names the line of the puzzle.
    pub fn at(self, puzzle: &Puzzle) -> Failure {
        let message = format!("line {}: {}", puzzle.line, self.words);
        Failure { exit: Exit::Puzzle, message, help: Some(UNCHECKED.to_string()) }
    }
}

/// Whether the puzzle is known to have one solution, now and before anything was placed or taken away. Without a guard no
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

/// Long lists of cells tell nobody anything.
fn shortened(cells: String) -> String {
    let groups: Vec<&str> = cells.split(',').collect();
    if groups.len() <= 8 {
        groups.join(", ")
    } else {
        format!("{} and {} more groups of cells", groups[..8].join(", "), groups.len() - 8)
    }
}
