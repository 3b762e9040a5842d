//! Writers of the formats that are recognised by their shape: characters on a line, rows, lists. In: a puzzle. Out: text that
//! the readers of this room read back.

use super::features::{Shape, signs};
use super::hold::View;
use crate::grid::draw::{candidate_grid, candidate_line, puzzle_line};
use crate::grid::{Cell, Digit};

/// `81`: the digits, then the regions of a jigsaw.
pub(super) fn line(view: &View<'_>) -> Result<String, String> {
    let note = if view.puzzle.note.is_empty() { String::new() } else { format!(" {}", view.puzzle.note) };
    let regions = match &view.features.shape {
        Shape::Regions(numbers) if !view.puzzle.note.contains("jigsaw=") => format!(" {}", signs(numbers)),
        _ => String::new(),
    };
    Ok(view.digits('.') + &regions + &note)
}

/// `sdm`.
pub(super) fn zeros(view: &View<'_>) -> Result<String, String> {
    Ok(view.digits('0'))
}

/// `sudokuexchange-url`.
pub(super) fn exchange(view: &View<'_>) -> Result<String, String> {
    Ok(format!("https://sudokuexchange.com/play/?s={}", view.digits('0')))
}

/// `729`.
pub(super) fn candidates(view: &View<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    Ok(candidate_line(&view.puzzle.geometry, &view.state) + &jigsaw(view))
}

/// `susser`.
pub(super) fn susser(view: &View<'_>) -> Result<String, String> {
    Ok(position(view)? + &jigsaw(view))
}

/// `hodoku`.
pub(super) fn library(view: &View<'_>) -> Result<String, String> {
    let text = position(view)?;
    let (cells, deleted) = text.split_once(':').unwrap_or((&text, ""));
    Ok(format!(":0000:x:{cells}:{deleted}:::"))
}

/// Digits, `+` before placed ones, and after a colon the candidates that were taken away.
fn position(view: &View<'_>) -> Result<String, String> {
    if view.cells().all(|cell| view.digit(cell).is_none()) {
        return Err("it has no digit".into());
    }
    let mut state = view.state.clone();
    for cell in view.cells() {
        let open = view.puzzle.givens[cell.index()]
            .map_or(crate::grid::DigitSet::all(view.size()), crate::grid::DigitSet::single);
        state.set_open(cell, open);
    }
    Ok(puzzle_line(&view.puzzle.geometry, &state))
}

fn jigsaw(view: &View<'_>) -> String {
    match &view.features.shape {
        Shape::Regions(numbers) => format!(" jigsaw={}", signs(numbers)),
        _ => String::new(),
    }
}

/// `rows`.
pub(super) fn rows(view: &View<'_>) -> Result<String, String> {
    Ok(rows_of(view, view.size(), |cell| view.digit(cell)))
}

fn rows_of(view: &View<'_>, size: usize, digit: impl Fn(Cell) -> Option<Digit>) -> String {
    let row = |row: usize| -> String {
        (0..size).map(|column| digit(view.puzzle.geometry.cell(row, column)).map_or('.', Digit::symbol)).collect()
    };
    (0..size).map(row).collect::<Vec<_>>().join("\n")
}

/// `pm`.
pub(super) fn pencilmarks(view: &View<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    Ok(candidate_grid(&view.puzzle.geometry, &view.state).trim_end().to_string())
}

/// `ss`.
pub(super) fn simple(view: &View<'_>) -> Result<String, String> {
    let rows = rows_of(view, 9, |cell| view.digit(cell));
    let parted: Vec<String> = rows.lines().map(|row| format!("{}|{}|{}", &row[..3], &row[3..6], &row[6..])).collect();
    Ok(parted.chunks(3).map(|band| band.join("\n")).collect::<Vec<_>>().join("\n-----------\n"))
}

/// `sdk`.
pub(super) fn sdk(view: &View<'_>) -> Result<String, String> {
    let clues = rows_of(view, 9, |cell| view.puzzle.givens[cell.index()]);
    let heading = if view.puzzle.note.is_empty() { String::new() } else { format!("#D{}\n", view.puzzle.note) };
    let state = match view.puzzle.placed.iter().any(Option::is_some) {
        true => format!("\n[State]\n{}", rows_of(view, 9, |cell| view.digit(cell))),
        false => String::new(),
    };
    Ok(format!("{heading}[Puzzle]\n{clues}{state}"))
}

/// `sdx`.
pub(super) fn sdx(view: &View<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    let shown = |cell| match view.digit(cell) {
        Some(digit) if view.is_given(cell) => digit.to_string(),
        Some(digit) => format!("u{digit}"),
        None => view.state.candidates(cell).iter().map(Digit::symbol).collect(),
    };
    let row =
        |row: usize| (0..9).map(|column| shown(view.puzzle.geometry.cell(row, column))).collect::<Vec<_>>().join(" ");
    Ok((0..9).map(row).collect::<Vec<_>>().join("\n"))
}
