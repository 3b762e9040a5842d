//! The grid of the page. Reads a puzzle in any format, changes a cell of the grid, and draws pictures. A picture is an
//! SVG with a legend and with labels of the cells for screen readers. The SVG does not contain the shapes and styles
//! that all pictures of the page share.

use crate::grid::formats::{FormatError, Puzzle, read_one};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State, draw, notation};
use crate::proof::{Uniqueness, clues_have_unique_solution, count, mistakes, uniqueness};
use crate::render::{LegendKey, Picture, Scene, board_svg, contradiction_words, html_legend, legend, picture_measures};
use crate::solve::Rulebook;
use crate::workbench::{mistake_words, solutions_words};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

const MAX_COUNTED_SOLUTIONS: usize = 100;

/// A grid, with the text and board name from which it was read.
pub struct PuzzleGrid {
    text: String,
    board: Option<String>,
    puzzle: Puzzle,
    pub state: State,
    solutions: Uniqueness,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Removes a candidate that is present, or adds a candidate that is absent.
    Toggle,
    Place,
    /// Empties the cell and restores every candidate that its peers allow.
    Clear,
}

impl PuzzleGrid {
    /// Reads a grid. Without the name of a board, the text determines the board.
    pub fn read(rulebook: &Rulebook, text: String, board: Option<String>) -> Result<PuzzleGrid, String> {
        let required_board = board.as_deref().map(|name| rulebook.board(name)).transpose()?;
        let puzzle = read_one(&text, required_board.as_ref()).map_err(error_message)?;
        let state = puzzle.state();
        let solutions = uniqueness(&puzzle.geometry, &state);
        Ok(PuzzleGrid { text, board, puzzle, state, solutions })
    }

    pub fn was_read_from(&self, text: &str, board: Option<&str>) -> bool {
        self.text == text && self.board.as_deref() == board
    }

    pub fn geometry(&self) -> &Arc<Geometry> {
        &self.puzzle.geometry
    }

    pub fn has_one_solution(&self) -> bool {
        matches!(self.solutions, Uniqueness::One(_)) && clues_have_unique_solution(&self.puzzle)
    }

    /// Returns a cell by its number, row by row from zero.
    pub fn cell(&self, number: usize) -> Result<Cell, String> {
        self.geometry().cells().nth(number).ok_or_else(|| "there is no such cell".to_string())
    }

    /// Returns a digit by its value, from one.
    pub fn digit(&self, value: usize) -> Result<Digit, String> {
        if !(1..=self.geometry().size()).contains(&value) {
            return Err("there is no such digit on this board".to_string());
        }
        Ok(Digit(value as u8 - 1))
    }

    /// Returns the grid for the page, with a remark unless it has one solution. Digits count from one.
    pub fn json(&self) -> Value {
        let geometry = self.geometry();
        let cells = geometry.cells().map(|cell| {
            let candidates = self.state.candidates(cell).iter().map(|digit| digit.index() + 1);
            json!({
                "value": self.state.value(cell).map(|digit| digit.index() + 1),
                "given": self.puzzle.givens[cell.index()].is_some(),
                "candidates": candidates.collect::<Vec<_>>(),
            })
        });
        let (solutions, remark) = match &self.solutions {
            Uniqueness::One(_) => ("one", None),
            Uniqueness::Many(..) => {
                let count = solutions_words(count(geometry, &self.state, MAX_COUNTED_SOLUTIONS));
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
        json!({
            "board": geometry.spec().name,
            "size": geometry.size(),
            "measures": picture_measures(geometry),
            "cells": cells.collect::<Vec<_>>(),
            "solutions": solutions,
            "remark": remark,
        })
    }

    /// Returns the puzzle text of the grid with one cell changed.
    pub fn changed(&self, cell: usize, digit: usize, act: Act) -> Result<String, String> {
        let (geometry, cell) = (self.geometry(), self.cell(cell)?);
        let cell_state =
            |cell| CellState { digits: self.state.possible_digits(cell), is_solved: self.state.value(cell).is_some() };
        let mut cells: Vec<CellState> = geometry.cells().map(cell_state).collect();
        let CellState { digits, is_solved } = cells[cell.index()];
        match act {
            Act::Clear => clear(geometry, &mut cells, cell),
            Act::Place => {
                let digit = self.digit(digit)?;
                refuse_digit_of_peer(geometry, &cells, cell, digit)?;
                if is_solved {
                    clear(geometry, &mut cells, cell);
                }
                cells[cell.index()] = CellState { digits: DigitSet::single(digit), is_solved: true };
            }
            Act::Toggle if is_solved => return Err("this cell is solved: clear it first".into()),
            Act::Toggle => {
                let digit = self.digit(digit)?;
                if digits.has(digit) {
                    cells[cell.index()].digits.remove(digit);
                } else {
                    refuse_digit_of_peer(geometry, &cells, cell, digit)?;
                    cells[cell.index()].digits.insert(digit);
                }
            }
        }
        Ok(self.puzzle_text(&cells))
    }

    /// Writes the cells as a puzzle line with placed digits and deleted candidates. A puzzle that was read as candidate
    /// lists is written as a candidate grid.
    fn puzzle_text(&self, cells: &[CellState]) -> String {
        let geometry = self.geometry();
        let cells: Vec<(DigitSet, bool)> = cells.iter().map(|cell| (cell.digits, cell.is_solved)).collect();
        let mut state = State::from_candidate_grid(geometry, &cells);
        if self.puzzle.lists_are_puzzle || self.puzzle.initial_candidates.is_some() {
            return draw::candidate_grid(geometry, &state);
        }
        for cell in geometry.cells() {
            let given = self.puzzle.givens[cell.index()].filter(|digit| state.value(cell) == Some(*digit));
            state.set_initial_candidates(cell, given.map_or(DigitSet::all(geometry.size()), DigitSet::single));
        }
        draw::puzzle_line(geometry, &state)
    }
}

/// The candidates of an unsolved cell, or the value of a solved one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct CellState {
    digits: DigitSet,
    is_solved: bool,
}

fn refuse_digit_of_peer(geometry: &Geometry, cells: &[CellState], cell: Cell, digit: Digit) -> Result<(), String> {
    let solved = CellState { digits: DigitSet::single(digit), is_solved: true };
    match geometry.peers(cell).iter().find(|peer| cells[peer.index()] == solved) {
        Some(&peer) => Err(format!("{digit} stands in {} already", notation::cell(geometry, peer))),
        None => Ok(()),
    }
}

/// Empties a cell. The value of the cell becomes a candidate of each unsolved peer that has no other peer with the
/// value.
fn clear(geometry: &Geometry, cells: &mut [CellState], cell: Cell) {
    let before = cells[cell.index()];
    cells[cell.index()] = CellState { digits: DigitSet::EMPTY, is_solved: false };
    if before.is_solved {
        for &peer in geometry.peers(cell) {
            if !cells[peer.index()].is_solved {
                let restored = before.digits & allowed_digits(geometry, cells, peer);
                cells[peer.index()].digits = cells[peer.index()].digits | restored;
            }
        }
    }
    cells[cell.index()].digits = allowed_digits(geometry, cells, cell);
}

fn allowed_digits(geometry: &Geometry, cells: &[CellState], cell: Cell) -> DigitSet {
    let solved = geometry.peers(cell).iter().filter(|peer| cells[peer.index()].is_solved);
    solved.fold(DigitSet::all(geometry.size()), |allowed, peer| allowed - cells[peer.index()].digits)
}

fn error_message(error: FormatError) -> String {
    let help = error.help.map_or_else(String::new, |help| format!("; {help}"));
    format!("line {}, character {}: {}{help}", error.line, error.column, error.message)
}

/// Draws a scene as SVG, with its legend in HTML and a label for each cell, row by row.
pub fn picture(geometry: &Geometry, scene: &Scene) -> Value {
    let words = legend(geometry, scene);
    let labels = geometry.cells().map(|cell| label(geometry, scene, &words, cell));
    json!({
        "svg": board_svg(geometry, &Picture::new(geometry, scene)),
        "legend": html_legend(geometry, scene),
        "labels": labels.collect::<Vec<_>>(),
    })
}

/// Returns the label of a cell for screen readers, such as `r4c2, candidates 2 5 9; 9: eliminated`.
fn label(geometry: &Geometry, scene: &Scene, legend: &[(LegendKey, String)], cell: Cell) -> String {
    let name = notation::cell(geometry, cell);
    let state = &scene.state;
    let mut label = match state.value(cell) {
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
            label += &format!("; {digit}: {words}");
        }
    }
    label
}
