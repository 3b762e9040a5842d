//! The grid that a page shows. In: a puzzle in any format, a change of a cell. Out: the position, what each cell holds, and the
//! changed grid as a text that reads back.

use crate::grid::formats::{FormatError, Puzzle, read_one};
use crate::grid::{Cell, Digit, DigitSet, Geometry, State, draw};
use crate::proof::{Uniqueness, count, had_unique_solution, mistakes, uniqueness};
use crate::render::{Measures, Picture, contradiction_words};
use crate::solve::Rulebook;
use crate::workbench::{mistake_words, solutions_words};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The most solutions that are counted for a remark.
const COUNTED: usize = 100;

/// Why there is no answer, in words.
pub type Refusal = String;

/// A grid that was read.
pub struct Position {
    text: String,
    board: Option<String>,
    puzzle: Puzzle,
    /// What it shows.
    pub state: State,
    solutions: Uniqueness,
}

/// A change of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Takes a candidate away, or adds it.
    Toggle,
    /// Puts a digit in.
    Place,
    /// Makes the cell empty, with every candidate that it can have.
    Clear,
}

/// What a page knows of the grid.
#[derive(Debug, Serialize)]
pub struct GridRecord {
    board: String,
    size: usize,
    measures: Measures,
    cells: Vec<CellRecord>,
    /// `one`, `several` or `none`.
    solutions: &'static str,
    /// What is to be said of that.
    remark: Option<String>,
}

/// A cell.
#[derive(Debug, Serialize)]
struct CellRecord {
    value: Option<usize>,
    given: bool,
    candidates: Vec<usize>,
}

impl Position {
    /// Reads a grid; `board` is the name of a board, where the number of cells does not tell it.
    pub fn read(rulebook: &Rulebook, text: String, board: Option<String>) -> Result<Position, Refusal> {
        let asked = board.as_deref().map(|name| rulebook.board(name)).transpose()?;
        let puzzle = read_one(&text, asked.as_ref()).map_err(words)?;
        let state = puzzle.state();
        let solutions = uniqueness(&puzzle.geometry, &state);
        Ok(Position { text, board, puzzle, state, solutions })
    }

    /// Whether it was read from this.
    pub fn is(&self, text: &str, board: Option<&str>) -> bool {
        self.text == text && self.board.as_deref() == board
    }

    /// The board.
    pub fn geometry(&self) -> &Arc<Geometry> {
        &self.puzzle.geometry
    }

    /// Whether the puzzle is known to have one solution.
    pub fn has_one_solution(&self) -> bool {
        matches!(self.solutions, Uniqueness::One(_)) && had_unique_solution(&self.puzzle)
    }

    /// A cell by its number.
    pub fn cell(&self, number: usize) -> Result<Cell, Refusal> {
        self.geometry().cells().nth(number).ok_or_else(|| "there is no such cell".to_string())
    }

    /// A digit by its value.
    pub fn digit(&self, value: usize) -> Result<Digit, Refusal> {
        let fits = (1..=self.geometry().size()).contains(&value);
        let digit = u8::try_from(value).ok().filter(|_| fits).map(|value| Digit(value - 1));
        digit.ok_or_else(|| "there is no such digit on this board".to_string())
    }

    /// What a page knows of it.
    pub fn record(&self) -> GridRecord {
        let geometry = self.geometry();
        let cell = |cell: Cell| CellRecord {
            value: self.state.value(cell).map(|digit| digit.index() + 1),
            given: self.puzzle.givens[cell.index()].is_some(),
            candidates: self.state.candidates(cell).iter().map(|digit| digit.index() + 1).collect(),
        };
        let (solutions, remark) = match &self.solutions {
            Uniqueness::One(_) => ("one", None),
            Uniqueness::Many(..) => {
                let count = solutions_words(count(geometry, &self.state, COUNTED));
                ("several", Some(format!("This grid has {count}.")))
            }
            Uniqueness::None => {
                let seen = || self.state.contradiction(geometry).map(|found| contradiction_words(geometry, found));
                let found =
                    mistakes(&self.puzzle, &self.state).map(|found| mistake_words(geometry, &found)).or_else(seen);
                let found = found.map_or_else(String::new, |words| format!(": {words}"));
                ("none", Some(format!("This grid has no solution{found}.")))
            }
        };
        GridRecord {
            board: geometry.spec().name.clone(),
            size: geometry.size(),
            measures: Picture::measures(geometry),
            cells: geometry.cells().map(cell).collect(),
            solutions,
            remark,
        }
    }

    /// The grid as text with a cell changed.
    pub fn changed(&self, cell: usize, digit: usize, act: Act) -> Result<String, Refusal> {
        let (geometry, cell) = (self.geometry(), self.cell(cell)?);
        let shown = |cell: Cell| match self.state.value(cell) {
            Some(value) => (DigitSet::single(value), true),
            None => (self.state.candidates(cell), false),
        };
        let mut cells: Vec<(DigitSet, bool)> = geometry.cells().map(shown).collect();
        let here = cells[cell.index()];
        match act {
            Act::Clear => clear(geometry, &mut cells, cell),
            Act::Place => {
                let digit = self.digit(digit)?;
                refuse_twice(geometry, &cells, cell, digit)?;
                if here.1 {
                    clear(geometry, &mut cells, cell);
                }
                cells[cell.index()] = (DigitSet::single(digit), true);
            }
            Act::Toggle if here.1 => return Err("this cell is solved: clear it first".into()),
            Act::Toggle => {
                let digit = self.digit(digit)?;
                let one = DigitSet::single(digit);
                if !here.0.has(digit) {
                    refuse_twice(geometry, &cells, cell, digit)?;
                }
                cells[cell.index()].0 = if here.0.has(digit) { here.0 - one } else { here.0 | one };
            }
        }
        Ok(self.text_of(&cells))
    }

    /// As a puzzle with what was put in and taken away, where that says it all; else as a grid of candidates.
    fn text_of(&self, cells: &[(DigitSet, bool)]) -> String {
        let geometry = self.geometry();
        let mut state = State::shown(geometry, cells);
        if self.puzzle.lists_only || self.puzzle.open.is_some() {
            return draw::candidate_grid(geometry, &state);
        }
        for cell in geometry.cells() {
            let given = self.puzzle.givens[cell.index()].filter(|digit| state.value(cell) == Some(*digit));
            state.set_open(cell, given.map_or(DigitSet::all(geometry.size()), DigitSet::single));
        }
        draw::puzzle_line(geometry, &state)
    }
}

/// A digit cannot stand where a peer has it.
fn refuse_twice(geometry: &Geometry, cells: &[(DigitSet, bool)], cell: Cell, digit: Digit) -> Result<(), Refusal> {
    let holds = |peer: &&Cell| cells[peer.index()] == (DigitSet::single(digit), true);
    geometry.peers(cell).iter().find(holds).map_or(Ok(()), |peer| {
        Err(format!("{digit} stands in {} already", crate::grid::notation::cell(geometry, *peer)))
    })
}

/// Makes a cell empty; what its digit had taken from its peers comes back, where nothing else forbids it.
fn clear(geometry: &Geometry, cells: &mut [(DigitSet, bool)], cell: Cell) {
    let (was, solved) = cells[cell.index()];
    cells[cell.index()] = (DigitSet::EMPTY, false);
    let free = |cells: &[(DigitSet, bool)], cell: Cell| {
        let taken = geometry.peers(cell).iter().filter(|peer| cells[peer.index()].1);
        taken.fold(DigitSet::all(geometry.size()), |left, peer| left - cells[peer.index()].0)
    };
    for &peer in geometry.peers(cell).iter().filter(|_| solved) {
        if !cells[peer.index()].1 {
            cells[peer.index()].0 = cells[peer.index()].0 | (was & free(cells, peer));
        }
    }
    cells[cell.index()].0 = free(cells, cell);
}

fn words(error: FormatError) -> Refusal {
    let help = error.help.map_or_else(String::new, |help| format!("; {help}"));
    format!("line {}, character {}: {}{help}", error.line, error.column, error.message)
}
