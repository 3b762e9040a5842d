//! The grid of the page. In: a puzzle in any format, a change of a cell, a scene. Out: its position and cells; the changed grid as text that
//! reads back; pictures: SVG without the shapes and the style that all pictures of a page share, with a legend and a label of each cell for
//! screen readers.

use crate::grid::formats::{FormatError, Puzzle, read_one};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State, draw, notation};
use crate::proof::{Uniqueness, count, had_unique_solution, mistakes, uniqueness};
use crate::render::{LegendKey, Measures, Picture, Scene, board_svg, contradiction_words, html_legend, legend};
use crate::solve::Rulebook;
use crate::workbench::{mistake_words, solutions_words};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The most solutions that are counted for a remark.
const COUNTED: usize = 100;

/// A grid that was read.
pub struct PuzzleGrid {
    text: String,
    board: Option<String>,
    puzzle: Puzzle,
    /// The position that it shows.
    pub state: State,
    solutions: Uniqueness,
}

/// A change of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Removes a candidate, or adds it.
    Toggle,
    /// Places a digit.
    Place,
    /// Empties the cell and restores every candidate that its peers allow.
    Clear,
}

/// The grid for the page.
#[derive(Debug, Serialize)]
pub struct GridRecord {
    board: String,
    size: usize,
    measures: Measures,
    cells: Vec<GridCell>,
    /// `one`, `several` or `none`.
    solutions: &'static str,
    /// A sentence about the number of solutions, unless there is one.
    remark: Option<String>,
}

/// A cell of the grid; digits count from one.
#[derive(Debug, Serialize)]
struct GridCell {
    value: Option<usize>,
    given: bool,
    candidates: Vec<usize>,
}

impl PuzzleGrid {
    /// Reads a grid. `board` names the board if the number of cells does not determine it.
    pub fn read(rulebook: &Rulebook, text: String, board: Option<String>) -> Result<PuzzleGrid, String> {
        let asked = board.as_deref().map(|name| rulebook.board(name)).transpose()?;
        let puzzle = read_one(&text, asked.as_ref()).map_err(words)?;
        let state = puzzle.state();
        let solutions = uniqueness(&puzzle.geometry, &state);
        Ok(PuzzleGrid { text, board, puzzle, state, solutions })
    }

    /// Returns true if the grid was read from this text on this board.
    pub fn is(&self, text: &str, board: Option<&str>) -> bool {
        self.text == text && self.board.as_deref() == board
    }

    /// The board.
    pub fn geometry(&self) -> &Arc<Geometry> {
        &self.puzzle.geometry
    }

    /// Returns true if the puzzle is known to have one solution.
    pub fn has_one_solution(&self) -> bool {
        matches!(self.solutions, Uniqueness::One(_)) && had_unique_solution(&self.puzzle)
    }

    /// Returns a cell by its number, row by row from zero.
    pub fn cell(&self, number: usize) -> Result<Cell, String> {
        self.geometry().cells().nth(number).ok_or_else(|| "there is no such cell".to_string())
    }

    /// Returns a digit by its value, from one.
    pub fn digit(&self, value: usize) -> Result<Digit, String> {
        let fits = (1..=self.geometry().size()).contains(&value);
        let digit = u8::try_from(value).ok().filter(|_| fits).map(|value| Digit(value - 1));
        digit.ok_or_else(|| "there is no such digit on this board".to_string())
    }

    /// Returns the grid for the page.
    pub fn record(&self) -> GridRecord {
        let geometry = self.geometry();
        let cells = geometry.cells().map(|cell| GridCell {
            value: self.state.value(cell).map(|digit| digit.index() + 1),
            given: self.puzzle.givens[cell.index()].is_some(),
            candidates: self.state.candidates(cell).iter().map(|digit| digit.index() + 1).collect(),
        });
        let (solutions, remark) = match &self.solutions {
            Uniqueness::One(_) => ("one", None),
            Uniqueness::Many(..) => {
                let count = solutions_words(count(geometry, &self.state, COUNTED));
                ("several", Some(format!("This grid has {count}.")))
            }
            Uniqueness::None => {
                let mistake = mistakes(&self.puzzle, &self.state).map(|found| mistake_words(geometry, &found));
                let reason = mistake
                    .or_else(|| self.state.contradiction(geometry).map(|found| contradiction_words(geometry, found)));
                let reason = reason.map_or_else(String::new, |words| format!(": {words}"));
                ("none", Some(format!("This grid has no solution{reason}.")))
            }
        };
        GridRecord {
            board: geometry.spec().name.clone(),
            size: geometry.size(),
            measures: Picture::measures(geometry),
            cells: cells.collect(),
            solutions,
            remark,
        }
    }

    /// Returns the grid as text with one cell changed.
    pub fn changed(&self, cell: usize, digit: usize, act: Act) -> Result<String, String> {
        let (geometry, cell) = (self.geometry(), self.cell(cell)?);
        let mut cells: Vec<(DigitSet, bool)> = geometry
            .cells()
            .map(|cell| match self.state.value(cell) {
                Some(value) => (DigitSet::single(value), true),
                None => (self.state.candidates(cell), false),
            })
            .collect();
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

    /// Writes cells (digits, and true if solved) as a puzzle line with its deviations from the clues; if the source listed candidates, as a
    /// grid of candidates.
    fn text_of(&self, cells: &[(DigitSet, bool)]) -> String {
        let geometry = self.geometry();
        let mut state = State::from_candidate_grid(geometry, cells);
        if self.puzzle.lists_only || self.puzzle.initial_candidates.is_some() {
            return draw::candidate_grid(geometry, &state);
        }
        for cell in geometry.cells() {
            let given = self.puzzle.givens[cell.index()].filter(|digit| state.value(cell) == Some(*digit));
            state.set_initial_candidates(cell, given.map_or(DigitSet::all(geometry.size()), DigitSet::single));
        }
        draw::puzzle_line(geometry, &state)
    }
}

/// Refuses a digit that a peer has.
fn refuse_twice(geometry: &Geometry, cells: &[(DigitSet, bool)], cell: Cell, digit: Digit) -> Result<(), String> {
    let mut peers = geometry.peers(cell).iter();
    match peers.find(|peer| cells[peer.index()] == (DigitSet::single(digit), true)) {
        Some(&peer) => Err(format!("{digit} stands in {} already", notation::cell(geometry, peer))),
        None => Ok(()),
    }
}

/// Empties a cell. Its digit returns to those peers where no other cell forbids it.
fn clear(geometry: &Geometry, cells: &mut [(DigitSet, bool)], cell: Cell) {
    let (was, solved) = cells[cell.index()];
    cells[cell.index()] = (DigitSet::EMPTY, false);
    for &peer in geometry.peers(cell).iter().filter(|_| solved) {
        if !cells[peer.index()].1 {
            cells[peer.index()].0 = cells[peer.index()].0 | (was & allowed(geometry, cells, peer));
        }
    }
    cells[cell.index()].0 = allowed(geometry, cells, cell);
}

/// Returns the digits that no solved peer of a cell has.
fn allowed(geometry: &Geometry, cells: &[(DigitSet, bool)], cell: Cell) -> DigitSet {
    let solved = geometry.peers(cell).iter().filter(|peer| cells[peer.index()].1);
    solved.fold(DigitSet::all(geometry.size()), |left, peer| left - cells[peer.index()].0)
}

fn words(error: FormatError) -> String {
    let help = error.help.map_or_else(String::new, |help| format!("; {help}"));
    format!("line {}, character {}: {}{help}", error.line, error.column, error.message)
}

/// A picture of a grid.
#[derive(Debug, Serialize)]
pub struct PictureRecord {
    svg: String,
    /// HTML.
    legend: String,
    /// A label for each cell, row by row.
    labels: Vec<String>,
}

impl PictureRecord {
    /// Draws a scene.
    pub fn new(geometry: &Geometry, scene: &Scene) -> PictureRecord {
        let words = legend(geometry, scene);
        PictureRecord {
            svg: board_svg(geometry, &Picture::new(geometry, scene)),
            legend: html_legend(geometry, scene),
            labels: geometry.cells().map(|cell| label(geometry, scene, &words, cell)).collect(),
        }
    }
}

/// `r4c2, candidates 2 5 9; 9 goes; pattern`.
fn label(geometry: &Geometry, scene: &Scene, legend: &[(LegendKey, String)], cell: Cell) -> String {
    let name = notation::cell(geometry, cell);
    let state = &scene.state;
    let mut out = match state.value(cell) {
        Some(digit) if state.initial_candidates(cell).len() == 1 => return format!("{name}, {digit}, given"),
        Some(digit) => return format!("{name}, {digit}"),
        None if state.candidates(cell).is_empty() => return format!("{name}, no candidates"),
        None => {
            let digits: Vec<String> = state.candidates(cell).iter().map(|digit| digit.to_string()).collect();
            let noun = if digits.len() == 1 { "candidate" } else { "candidates" };
            format!("{name}, {noun} {}", digits.join(" "))
        }
    };
    for digit in state.candidates(cell).iter() {
        let Some(mark) = scene.mark_of(Candidate::new(digit, cell)) else { continue };
        if let Some((_, words)) = legend.iter().find(|(key, _)| *key == LegendKey::Mark(mark)) {
            out += &format!("; {digit}: {words}");
        }
    }
    out
}
