//! Positions as text. In: [`State`] or [`Puzzle`]. Out: candidate grids with borders around boxes or regions, and
//! one line of n² characters. The puzzle reader reads all of them back. Also boards: their regions and houses.

use super::formats::Puzzle;
use super::geometry::{Geometry, HouseKind};
use super::ids::{Cell, Digit, DigitSet};
use super::notation;
use super::state::State;

/// Draws the candidates of every cell in a bordered grid; a solved cell shows its digit, an impossible one `.`. An unsolved cell that
/// would be read as solved, since none of its peers lists its only candidate, is in braces.
pub fn candidate_grid(geometry: &Geometry, state: &State) -> String {
    bordered(geometry, &|cell| cell_text(geometry, state, cell))
}

/// Draws candidates like [`candidate_grid`], with every unsolved cell of one candidate in braces.
pub fn marked_grid(geometry: &Geometry, state: &State) -> String {
    bordered(geometry, &|cell| text_of(state, cell, &|_| true))
}

/// Returns the text of a cell in [`candidate_grid`].
pub fn cell_text(geometry: &Geometry, state: &State, cell: Cell) -> String {
    text_of(state, cell, &|digit| !listed_by_a_peer(geometry, state, cell, digit))
}

fn text_of(state: &State, cell: Cell, in_braces: &dyn Fn(Digit) -> bool) -> String {
    let list: String = state.candidates(cell).iter().map(Digit::symbol).collect();
    match (state.value(cell), state.candidates(cell).first()) {
        (Some(digit), _) => digit.to_string(),
        (None, None) => ".".to_string(),
        (None, Some(digit)) if list.len() == 1 && in_braces(digit) => format!("{{{digit}}}"),
        _ => list,
    }
}

/// Returns true if a peer of a cell shows a digit, as its value or as a candidate.
fn listed_by_a_peer(geometry: &Geometry, state: &State, cell: Cell, digit: Digit) -> bool {
    let shows = |peer: &Cell| state.value(*peer) == Some(digit) || state.candidates(*peer).has(digit);
    geometry.peers(cell).iter().any(shows)
}

/// Draws a text for every cell, with borders where one box or region ends and the next begins.
pub fn bordered(geometry: &Geometry, text: &dyn Fn(Cell) -> String) -> String {
    let part = |part: &Part| match part {
        Part::Border(line) => line.clone(),
        Part::Cell(cell, width) => format!("{:<width$}", text(*cell)),
    };
    let line = |row: &Vec<Part>| row.iter().map(part).chain(["\n".to_string()]).collect::<String>();
    layout(geometry, &|cell| text(cell).len(), Spacing::Wide).iter().map(line).collect()
}

/// A piece of a line of a drawn grid.
pub enum Part {
    /// Borders and blanks.
    Border(String),
    /// The text of a cell, padded to a width.
    Cell(Cell, usize),
}

/// The columns between two cells of a drawn grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Two blanks, or a border with a blank on each side.
    Wide,
    /// One blank or border.
    Narrow,
    /// A border, where one lies in some row.
    Tight,
}

/// Lays out a drawn grid: a line for each row, and borders. Columns are as wide as their widest cell.
pub fn layout(geometry: &Geometry, width: &dyn Fn(Cell) -> usize, spacing: Spacing) -> Vec<Vec<Part>> {
    let size = geometry.size();
    let widths: Vec<usize> =
        (0..size).map(|column| (0..size).map(|row| width(geometry.cell(row, column))).max().unwrap_or(1)).collect();
    let mut out = Vec::new();
    for row in 0..size {
        out.extend(border(geometry, row, &widths, spacing));
        let mut line = Vec::new();
        for (column, width) in widths.iter().enumerate() {
            let parted = parted(geometry, row, column, false);
            let before = match (spacing, parted, gap(geometry, column)) {
                (Spacing::Wide, ..) if column == 0 => "| ",
                (Spacing::Wide, true, _) => " | ",
                (Spacing::Wide, false, true) => "   ",
                (Spacing::Wide, false, false) => "  ",
                (_, true, _) => "|",
                (Spacing::Narrow, ..) | (_, _, true) => " ",
                (Spacing::Tight, ..) => "",
            };
            line.push(Part::Border(before.to_string()));
            line.push(Part::Cell(geometry.cell(row, column), *width));
        }
        line.push(Part::Border(if spacing == Spacing::Wide { " |" } else { "|" }.to_string()));
        out.push(line);
    }
    out.extend(border(geometry, size, &widths, spacing));
    out
}

/// Returns true if some row has a border before a column: then every row keeps room for it.
fn gap(geometry: &Geometry, column: usize) -> bool {
    (0..geometry.size()).any(|row| parted(geometry, row, column, false))
}

/// Returns true if a border lies above a cell (`above`), or left of it. Row or column may be one past the last.
fn parted(geometry: &Geometry, row: usize, column: usize, above: bool) -> bool {
    let size = geometry.size();
    let line = if above { row } else { column };
    if line == 0 || line == size {
        return true;
    }
    let (before, here) = match above {
        true => (geometry.cell(row - 1, column), geometry.cell(row, column)),
        false => (geometry.cell(row, column - 1), geometry.cell(row, column)),
    };
    geometry.region(before) != geometry.region(here)
}

/// Draws the line above a row. Returns `None` if no border lies in it.
fn border(geometry: &Geometry, row: usize, widths: &[usize], spacing: Spacing) -> Option<Vec<Part>> {
    let size = geometry.size();
    let above = |column: usize| parted(geometry, row, column, true);
    if !(0..size).any(above) {
        return None;
    }
    let beside = |column: usize| {
        let rows = [row.checked_sub(1), (row < size).then_some(row)];
        rows.into_iter().flatten().any(|row| parted(geometry, row, column, false))
    };
    let mut out = String::new();
    for (column, width) in widths.iter().enumerate() {
        let drawn = above(column) || column > 0 && above(column - 1);
        let more = match spacing {
            Spacing::Wide => 2,
            Spacing::Narrow if !gap(geometry, column) => 1,
            _ => 0,
        };
        if gap(geometry, column) {
            out.push(match (beside(column), drawn) {
                (true, true) => '+',
                (true, false) => '|',
                (false, true) => '-',
                (false, false) => ' ',
            });
        }
        out.push_str(&if above(column) { "-" } else { " " }.repeat(width + more));
    }
    out.push(if above(size - 1) { '+' } else { '|' });
    Some(vec![Part::Border(out)])
}

/// Draws a board: the number of its region in every cell, then its other houses with their cells, and who sees whom.
pub fn board(geometry: &Geometry) -> String {
    let region = |cell: Cell| geometry.region(cell).map_or(".".to_string(), |index| (index + 1).to_string());
    let mut out = bordered(geometry, &region);
    for house in geometry.houses().iter().filter(|house| house.kind == HouseKind::Extra) {
        out.push_str(&format!("{house}: {}\n", notation::cells(geometry, &house.cells)));
    }
    let way = |by: i8, on: &str, back: &str| format!("{} {}", by.unsigned_abs(), if by < 0 { back } else { on });
    for &(rows, columns) in &geometry.spec().sees {
        let (rows, columns) = (way(rows, "down", "up"), way(columns, "right", "left"));
        out.push_str(&format!("a cell and the one {rows} and {columns} of it see each other\n"));
    }
    out
}

/// Writes the digits that stand on the board in one line; `.` is an unsolved cell.
pub fn line(geometry: &Geometry, state: &State) -> String {
    geometry.cells().map(|cell| state.value(cell).map_or('.', Digit::symbol)).collect()
}

/// Returns true if a candidate grid of the state reads back as it: each cell is open to the candidates it shows, and no others.
pub fn leaves_what_it_shows(geometry: &Geometry, state: &State) -> bool {
    geometry.cells().all(|cell| {
        let value = state.value(cell).map_or(DigitSet::EMPTY, DigitSet::single);
        state.open(cell) == state.candidates(cell) | value
    })
}

/// Writes the puzzle in one line, `+` before a placed digit, and after a colon each candidate that was taken away: digit,
/// row, column. It reads back as the state where the puzzle leaves every cell open but its givens.
pub fn puzzle_line(geometry: &Geometry, state: &State) -> String {
    let shown = |cell: Cell| match state.value(cell) {
        None => ".".to_string(),
        Some(digit) if state.open(cell) == DigitSet::single(digit) => digit.to_string(),
        Some(digit) => format!("+{digit}"),
    };
    let line: String = geometry.cells().map(shown).collect();
    let number = |index: usize| Digit(index as u8);
    let mut removed = Vec::new();
    for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
        let (row, column) = (number(geometry.row(cell)), number(geometry.column(cell)));
        for digit in (0..geometry.size()).map(number).filter(|&digit| !state.candidates(cell).has(digit)) {
            let held = geometry.peers(cell).iter().any(|&peer| state.value(peer) == Some(digit));
            removed.extend((!held).then(|| format!("{digit}{row}{column}")));
        }
    }
    // A lone number after a colon would be read as a note.
    if removed.len() == 1 && !line.contains('+') {
        removed.push(removed[0].clone());
    }
    if removed.is_empty() { line } else { format!("{line}:{}", removed.join(" ")) }
}

/// Writes the clues of a puzzle in one line.
pub fn givens_line(puzzle: &Puzzle) -> String {
    puzzle.givens.iter().map(|given| given.map_or('.', Digit::symbol)).collect()
}

/// Writes the puzzle in one line that reads back as it: its clues, placed digits and removed candidates, or n³ characters if
/// candidate lists are the puzzle.
pub fn identity_line(puzzle: &Puzzle, state: &State) -> String {
    match &puzzle.candidates {
        Some(lists) if puzzle.lists_only => lists_line(&puzzle.geometry, |cell| lists[cell.index()]),
        _ if puzzle.open.is_some() => candidate_line(&puzzle.geometry, state),
        _ => puzzle_line(&puzzle.geometry, state),
    }
}

/// Writes the candidates in one line of n³ characters: digit d is the d-th of its cell's, `.` where it is absent.
pub fn candidate_line(geometry: &Geometry, state: &State) -> String {
    let value = |cell: Cell| state.value(cell).map_or(DigitSet::EMPTY, DigitSet::single);
    lists_line(geometry, |cell| state.candidates(cell) | value(cell))
}

/// Writes the digits of each cell in one line of n³ characters.
pub fn lists_line(geometry: &Geometry, of: impl Fn(Cell) -> DigitSet) -> String {
    let digits = || (0..geometry.size()).map(|digit| Digit(digit as u8));
    let symbols = geometry.cells().flat_map(|cell| digits().map(move |digit| (cell, digit)));
    symbols.map(|(cell, digit)| if of(cell).has(digit) { digit.symbol() } else { '.' }).collect()
}
