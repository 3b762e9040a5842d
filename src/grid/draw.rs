//! Positions as text. In: [`State`] or [`Puzzle`]. Out: candidate grids with borders around boxes or regions, and
//! one line of n² characters. The puzzle reader reads all of them back. Also boards: their regions and houses.

use super::formats::Puzzle;
use super::geometry::{Geometry, HouseKind};
use super::ids::{Cell, Digit, DigitSet};
use super::notation;
use super::state::State;

/// Draws the candidates of every cell in a bordered_grid grid; a solved cell shows its digit, an impossible one `.`. An unsolved cell with
/// one candidate is in braces if none of its peers lists the digit: it would be read as solved.
pub fn candidate_grid(geometry: &Geometry, state: &State) -> String {
    bordered_grid(geometry, &|cell| cell_text(geometry, state, cell))
}

/// Draws candidates like [`candidate_grid`], with every unsolved cell of one candidate in braces.
pub fn grid_with_braces(geometry: &Geometry, state: &State) -> String {
    bordered_grid(geometry, &|cell| text_of(state, cell, &|_| true))
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
    geometry.peers(cell).iter().any(|&peer| state.possible_digits(peer).has(digit))
}

/// Draws a text for every cell, with borders where one box or region ends and the next begins.
pub fn bordered_grid(geometry: &Geometry, text: &dyn Fn(Cell) -> String) -> String {
    let mut out = String::new();
    for line in layout(geometry, &|cell| text(cell).len(), Spacing::Wide) {
        for part in line {
            match part {
                LinePart::Border(line) => out += &line,
                LinePart::Cell(cell, width) => out += &format!("{:<width$}", text(cell)),
            }
        }
        out.push('\n');
    }
    out
}

/// A piece of a line of a drawn grid.
pub enum LinePart {
    /// Borders and blanks.
    Border(String),
    /// The text of a cell, padded to a width.
    Cell(Cell, usize),
}

/// The characters between two neighbouring cells of a drawn row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Two blanks, or a border with a blank on each side.
    Wide,
    /// One blank or border.
    Narrow,
    /// Only borders: in columns where some row has one, the others have a blank.
    Tight,
}

/// Lays out a drawn grid: a line for each row, and borders. Columns are as wide as their widest cell.
pub fn layout(geometry: &Geometry, width: &dyn Fn(Cell) -> usize, spacing: Spacing) -> Vec<Vec<LinePart>> {
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
            line.push(LinePart::Border(before.to_string()));
            line.push(LinePart::Cell(geometry.cell(row, column), *width));
        }
        line.push(LinePart::Border(if spacing == Spacing::Wide { " |" } else { "|" }.to_string()));
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
    let before = if above { geometry.cell(row - 1, column) } else { geometry.cell(row, column - 1) };
    geometry.region(before) != geometry.region(geometry.cell(row, column))
}

/// Draws the line above a row. Returns `None` if no border lies in it.
fn border(geometry: &Geometry, row: usize, widths: &[usize], spacing: Spacing) -> Option<Vec<LinePart>> {
    let size = geometry.size();
    let above: Vec<bool> = (0..size).map(|column| parted(geometry, row, column, true)).collect();
    if !above.contains(&true) {
        return None;
    }
    let mut out = String::new();
    for (column, width) in widths.iter().enumerate() {
        let beside = (row.saturating_sub(1)..size.min(row + 1)).any(|row| parted(geometry, row, column, false));
        let drawn = above[column] || column > 0 && above[column - 1];
        let more = match spacing {
            Spacing::Wide => 2,
            Spacing::Narrow if !gap(geometry, column) => 1,
            _ => 0,
        };
        if gap(geometry, column) {
            out.push(match (beside, drawn) {
                (true, true) => '+',
                (true, false) => '|',
                (false, true) => '-',
                (false, false) => ' ',
            });
        }
        out.push_str(&if above[column] { "-" } else { " " }.repeat(width + more));
    }
    out.push(if above[size - 1] { '+' } else { '|' });
    Some(vec![LinePart::Border(out)])
}

/// Draws a board: the number of its region in every cell, then its other houses with their cells, and who sees whom.
pub fn board(geometry: &Geometry) -> String {
    let mut out =
        bordered_grid(geometry, &|cell| geometry.region(cell).map_or(".".to_string(), |index| (index + 1).to_string()));
    for house in geometry.houses().iter().filter(|house| house.kind == HouseKind::Extra) {
        out.push_str(&format!("{house}: {}\n", notation::cells(geometry, &house.cells)));
    }
    for &(rows, columns) in &geometry.spec().sees {
        let (down, right) = (if rows < 0 { "up" } else { "down" }, if columns < 0 { "left" } else { "right" });
        let (rows, columns) = (rows.unsigned_abs(), columns.unsigned_abs());
        out += &format!("a cell and the one {rows} {down} and {columns} {right} of it see each other\n");
    }
    out
}

/// Writes the digits that stand on the board in one line; `.` is an unsolved cell.
pub fn values_line(geometry: &Geometry, state: &State) -> String {
    geometry.cells().map(|cell| state.value(cell).map_or('.', Digit::symbol)).collect()
}

/// Returns true if a candidate grid loses nothing of the state: the puzzle leaves each cell exactly the digits that the grid shows.
pub fn reads_back_from_candidates(geometry: &Geometry, state: &State) -> bool {
    geometry.cells().all(|cell| state.initial_candidates(cell) == state.possible_digits(cell))
}

/// Writes the puzzle in one line, `+` before a placed digit, and after a colon each candidate that was taken away: digit,
/// row, column. It reads back as the state if the puzzle restricts no cell but by its clues.
pub fn puzzle_line(geometry: &Geometry, state: &State) -> String {
    let line = line_with_placed(geometry, |cell| {
        state.value(cell).map(|digit| (digit, state.initial_candidates(cell) == DigitSet::single(digit)))
    });
    let mut removed = Vec::new();
    for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
        let (row, column) = (Digit(geometry.row(cell) as u8), Digit(geometry.column(cell) as u8));
        let seen: DigitSet = geometry.peers(cell).iter().filter_map(|&peer| state.value(peer)).collect();
        let open = state.candidates(cell) | seen;
        removed.extend((DigitSet::all(geometry.size()) - open).iter().map(|digit| format!("{digit}{row}{column}")));
    }
    // A lone number after a colon would be read as a note.
    if removed.len() == 1 && !line.contains('+') {
        removed.push(removed[0].clone());
    }
    if removed.is_empty() { line } else { format!("{line}:{}", removed.join(" ")) }
}

/// Writes the digits of cells in one line, `+` before those that are no clues. `of` returns the digit of a cell and true for a clue.
pub fn line_with_placed(geometry: &Geometry, of: impl Fn(Cell) -> Option<(Digit, bool)>) -> String {
    let mut line = String::new();
    for digit in geometry.cells().map(of) {
        if let Some((_, false)) = digit {
            line.push('+');
        }
        line.push(digit.map_or('.', |(digit, _)| digit.symbol()));
    }
    line
}

/// Writes the clues of a puzzle in one line.
pub fn givens_line(puzzle: &Puzzle) -> String {
    puzzle.givens.iter().map(|given| given.map_or('.', Digit::symbol)).collect()
}

/// Writes the puzzle in one line that reads back as it: its clues, placed digits and removed candidates, or n³ characters if
/// candidate lists are the puzzle.
pub fn lossless_line(puzzle: &Puzzle, state: &State) -> String {
    match &puzzle.candidates {
        Some(lists) if puzzle.lists_only => lists_line(&puzzle.geometry, |cell| lists[cell.index()]),
        _ if puzzle.initial_candidates.is_some() => candidate_line(&puzzle.geometry, state),
        _ => puzzle_line(&puzzle.geometry, state),
    }
}

/// Writes the candidates in one line of n³ characters, n for each cell: the d-th is d, or `.` if d is no candidate.
pub fn candidate_line(geometry: &Geometry, state: &State) -> String {
    lists_line(geometry, |cell| state.possible_digits(cell))
}

/// Writes the digits of each cell in one line of n³ characters.
pub fn lists_line(geometry: &Geometry, of: impl Fn(Cell) -> DigitSet) -> String {
    let mut line = String::new();
    for list in geometry.cells().map(of) {
        let digits = DigitSet::all(geometry.size()).iter();
        line.extend(digits.map(|digit| if list.has(digit) { digit.symbol() } else { '.' }));
    }
    line
}
