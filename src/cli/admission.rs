//! Whether a puzzle may be worked on. In: a puzzle and what the user wants of it. Out: whether it is known to have one solution,
//! or why it is refused.

use super::args::GuardArg;
use super::exit::{Exit, Failure};
use crate::grid::formats::Puzzle;
use crate::grid::{Cell, Geometry, State, notation};
use crate::proof::{Uniqueness, had_unique_solution, uniqueness};

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
    match objection_to(&puzzle.geometry, state, &found).filter(|_| guard.is_some()) {
        Some(objection) => Err(objection),
        None => Ok(matches!(found, Uniqueness::One(_)) && had_unique_solution(puzzle)),
    }
}

/// Why the puzzle is invalid: no solution, or several, with the cells in which two of them differ.
fn objection_to(geometry: &Geometry, state: &State, found: &Uniqueness) -> Option<Objection> {
    match found {
        Uniqueness::One(_) => None,
        Uniqueness::None => {
            let seen = state.contradiction(geometry).map(|found| crate::render::contradiction_words(geometry, found));
            let seen = seen.map_or_else(String::new, |seen| format!(": {seen}"));
            Some(Objection { status: "no_solution", words: format!("this puzzle has no solution{seen}") })
        }
        Uniqueness::Many(a, b) => {
            let differ: Vec<Cell> = geometry.cells().filter(|cell| a[cell.index()] != b[cell.index()]).collect();
            let first = differ.first().map_or_else(String::new, |&cell| {
                let (a, b) = (a[cell.index()], b[cell.index()]);
                format!(", {} can be {a} or {b}", notation::cell(geometry, cell))
            });
            let shown = shortened(notation::cells(geometry, &differ));
            let words = format!("this puzzle has several solutions{first}; two of them differ in {shown}");
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
