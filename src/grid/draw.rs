//! Positions as text. In: [`State`] or [`Puzzle`]. Out: candidate grids with borders around the boxes, and
//! one line of n² characters. The puzzle reader reads all of them back.

use super::formats::Puzzle;
use super::geometry::Geometry;
use super::ids::{Cell, Digit};
use super::state::State;

/// The candidates of every cell in a bordered grid; a solved cell shows its digit, an impossible one `.`.
pub fn candidate_grid(geometry: &Geometry, state: &State) -> String {
    let text = |cell: Cell| match state.value(cell) {
        Some(digit) => digit.to_string(),
        None if state.candidates(cell).is_empty() => ".".to_string(),
        None => state.candidates(cell).iter().map(Digit::symbol).collect(),
    };
    let size = geometry.size();
    let widths: Vec<usize> = (0..size)
        .map(|column| (0..size).map(|row| text(geometry.cell(row, column)).len()).max().unwrap_or(1))
        .collect();
    let (box_rows, box_columns) = (geometry.spec().box_rows, geometry.spec().box_columns);
    let border = border(&widths, box_columns);
    let mut out = String::new();
    for row in 0..size {
        if row % box_rows == 0 {
            out.push_str(&border);
        }
        for (column, width) in widths.iter().enumerate() {
            out.push_str(if column % box_columns == 0 { "| " } else { " " });
            out.push_str(&format!("{:<width$} ", text(geometry.cell(row, column))));
        }
        out.push_str("|\n");
    }
    out.push_str(&border);
    out
}

fn border(widths: &[usize], box_columns: usize) -> String {
    let boxes = widths.chunks(box_columns).map(|chunk| "-".repeat(chunk.iter().map(|width| width + 2).sum::<usize>()));
    format!("+{}+\n", boxes.collect::<Vec<_>>().join("+"))
}

/// The digits that stand on the board, in one line; `.` is an unsolved cell.
pub fn line(geometry: &Geometry, state: &State) -> String {
    geometry.cells().map(|cell| state.value(cell).map_or('.', Digit::symbol)).collect()
}

/// The clues of a puzzle in one line.
pub fn givens_line(puzzle: &Puzzle) -> String {
    puzzle.givens.iter().map(|given| given.map_or('.', Digit::symbol)).collect()
}

/// The candidates in one line of n³ characters: digit d is the d-th of its cell's, `.` where it is absent.
pub fn candidate_line(geometry: &Geometry, state: &State) -> String {
    let shown = |cell: Cell, digit: Digit| state.value(cell) == Some(digit) || state.candidates(cell).has(digit);
    let digits = || (0..geometry.size()).map(|digit| Digit(digit as u8));
    let symbols = geometry.cells().flat_map(|cell| digits().map(move |digit| (cell, digit)));
    symbols.map(|(cell, digit)| if shown(cell, digit) { digit.symbol() } else { '.' }).collect()
}
