//! Writes positions as text: candidate grids with borders around boxes or regions, and single lines. The puzzle reader can read
//! all these texts. Also draws the regions and houses of a board.

use super::formats::Puzzle;
use super::geometry::{Geometry, HouseKind};
use super::ids::{Cell, Digit, DigitSet};
use super::notation;
use super::state::State;

/// Draws the candidates of every cell. A solved cell shows its digit, a cell without candidates shows `.`. The only candidate of an
/// unsolved cell is in braces, `{5}`, if no peer lists the digit: a bare `5` would be read as a solved cell.
pub fn candidate_grid(geometry: &Geometry, state: &State) -> String {
    bordered_grid(geometry, &|cell| cell_text(geometry, state, cell))
}

/// Draws candidates like [`candidate_grid`], but puts the only candidate of every unsolved cell in braces.
pub fn grid_with_braces(geometry: &Geometry, state: &State) -> String {
    bordered_grid(geometry, &|cell| text_of(state, cell, true))
}

/// Returns the text of a cell in [`candidate_grid`].
pub fn cell_text(geometry: &Geometry, state: &State, cell: Cell) -> String {
    let is_listed_by_a_peer = state
        .candidates(cell)
        .first()
        .is_some_and(|digit| geometry.peers(cell).iter().any(|&peer| state.possible_digits(peer).has(digit)));
    text_of(state, cell, !is_listed_by_a_peer)
}

/// Returns the text of a cell, with or without braces around the only candidate of an unsolved cell.
fn text_of(state: &State, cell: Cell, with_braces: bool) -> String {
    let digits: String = state.possible_digits(cell).iter().map(Digit::symbol).collect();
    match (digits.len(), state.value(cell)) {
        (0, _) => ".".to_string(),
        (1, None) if with_braces => format!("{{{digits}}}"),
        _ => digits,
    }
}

/// Draws a text for every cell, with borders where one box or region ends and the next begins.
pub fn bordered_grid(geometry: &Geometry, text: &dyn Fn(Cell) -> String) -> String {
    let mut drawing = String::new();
    for line in layout(geometry, &|cell| text(cell).len(), Spacing::Wide) {
        for part in line {
            match part {
                LinePart::Border(border) => drawing += &border,
                LinePart::Cell(cell, width) => drawing += &format!("{:<width$}", text(cell)),
            }
        }
        drawing.push('\n');
    }
    drawing
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
    /// Nothing. If some row has a border at this place, that row has the border, and the other rows a blank.
    Tight,
}

/// Lays out a grid as lines of parts: a line for each row, and lines of borders. Each column is as wide as its widest cell.
pub fn layout(geometry: &Geometry, width: &dyn Fn(Cell) -> usize, spacing: Spacing) -> Vec<Vec<LinePart>> {
    let size = geometry.size();
    let width_of_column = |column| (0..size).map(|row| width(geometry.cell(row, column))).max().unwrap_or(1);
    let widths: Vec<usize> = (0..size).map(width_of_column).collect();
    let mut lines = Vec::new();
    for row in 0..size {
        lines.extend(border_above(geometry, row, &widths, spacing));
        let mut line = Vec::new();
        for (column, width) in widths.iter().enumerate() {
            let separator = separator_before(geometry, row, column, spacing);
            line.push(LinePart::Border(separator.to_string()));
            line.push(LinePart::Cell(geometry.cell(row, column), *width));
        }
        line.push(LinePart::Border(if spacing == Spacing::Wide { " |" } else { "|" }.to_string()));
        lines.push(line);
    }
    lines.extend(border_above(geometry, size, &widths, spacing));
    lines
}

/// Returns the characters before a cell in its row.
fn separator_before(geometry: &Geometry, row: usize, column: usize, spacing: Spacing) -> &'static str {
    let has_border = has_border_left(geometry, row, column);
    let column_has_border = column_has_border(geometry, column);
    match spacing {
        Spacing::Wide if column == 0 => "| ",
        Spacing::Wide if has_border => " | ",
        Spacing::Wide if column_has_border => "   ",
        Spacing::Wide => "  ",
        Spacing::Narrow | Spacing::Tight if has_border => "|",
        Spacing::Tight if !column_has_border => "",
        Spacing::Narrow | Spacing::Tight => " ",
    }
}

/// Returns true if some row has a border before the column. Then every row has a character at that place.
fn column_has_border(geometry: &Geometry, column: usize) -> bool {
    (0..geometry.size()).any(|row| has_border_left(geometry, row, column))
}

/// Returns true if a border lies left of the cell. `column` may be the size, for the right edge of the board.
fn has_border_left(geometry: &Geometry, row: usize, column: usize) -> bool {
    column == 0
        || column == geometry.size()
        || geometry.region(geometry.cell(row, column - 1)) != geometry.region(geometry.cell(row, column))
}

/// Returns true if a border lies above the cell. `row` may be the size, for the lower edge of the board.
fn has_border_above(geometry: &Geometry, row: usize, column: usize) -> bool {
    row == 0
        || row == geometry.size()
        || geometry.region(geometry.cell(row - 1, column)) != geometry.region(geometry.cell(row, column))
}

/// Draws the borders above a row as one line. Returns `None` if no cell of the row has a border above it.
fn border_above(geometry: &Geometry, row: usize, widths: &[usize], spacing: Spacing) -> Option<Vec<LinePart>> {
    let size = geometry.size();
    let horizontal: Vec<bool> = (0..size).map(|column| has_border_above(geometry, row, column)).collect();
    if !horizontal.contains(&true) {
        return None;
    }
    // The rows above and below the line; at the edges of the board only one.
    let adjacent_rows = row.saturating_sub(1)..size.min(row + 1);
    let mut line = String::new();
    for (column, width) in widths.iter().enumerate() {
        let column_has_border = column_has_border(geometry, column);
        if column_has_border {
            let touches_vertical = adjacent_rows.clone().any(|row| has_border_left(geometry, row, column));
            let touches_horizontal = horizontal[column] || column > 0 && horizontal[column - 1];
            line.push(match (touches_vertical, touches_horizontal) {
                (true, true) => '+',
                (true, false) => '|',
                (false, true) => '-',
                (false, false) => ' ',
            });
        }
        let padding = match spacing {
            Spacing::Wide => 2,
            Spacing::Narrow if !column_has_border => 1,
            Spacing::Narrow | Spacing::Tight => 0,
        };
        line.push_str(&if horizontal[column] { "-" } else { " " }.repeat(width + padding));
    }
    line.push(if horizontal[size - 1] { '+' } else { '|' });
    Some(vec![LinePart::Border(line)])
}

/// Draws a board: a grid with the number of the region in every cell, then the extra houses with their cells, then the offsets of
/// cells that see each other.
pub fn board(geometry: &Geometry) -> String {
    let region_number = |cell| geometry.region(cell).map_or(".".to_string(), |index| (index + 1).to_string());
    let mut text = bordered_grid(geometry, &region_number);
    for house in geometry.houses().iter().filter(|house| house.kind == HouseKind::Extra) {
        text += &format!("{house}: {}\n", notation::cells(geometry, &house.cells));
    }
    for &(rows, columns) in &geometry.spec().sees {
        let vertical = if rows < 0 { "up" } else { "down" };
        let horizontal = if columns < 0 { "left" } else { "right" };
        let (rows, columns) = (rows.unsigned_abs(), columns.unsigned_abs());
        text += &format!("a cell and the one {rows} {vertical} and {columns} {horizontal} of it see each other\n");
    }
    text
}

/// Writes the values in one line; an unsolved cell is `.`.
pub fn values_line(geometry: &Geometry, state: &State) -> String {
    geometry.cells().map(|cell| state.value(cell).map_or('.', Digit::symbol)).collect()
}

/// Returns true if a candidate grid of the state reads back as the same state: the initial candidates of each cell must equal the
/// digits that the grid shows.
pub fn reads_back_from_candidates(geometry: &Geometry, state: &State) -> bool {
    geometry.cells().all(|cell| state.initial_candidates(cell) == state.possible_digits(cell))
}

/// Writes the values in one line, with `+` before placed digits. The eliminated candidates follow a colon, each as digit, row and
/// column: `:523 124` for 5 in r2c3 and 1 in r2c4. If the puzzle has no candidate lists, the line reads back as the same state.
pub fn puzzle_line(geometry: &Geometry, state: &State) -> String {
    let line = line_with_placed(geometry, |cell| {
        state.value(cell).map(|digit| (digit, state.initial_candidates(cell) == DigitSet::single(digit)))
    });
    let mut eliminated = Vec::new();
    for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
        let (row, column) = (Digit(geometry.row(cell) as u8), Digit(geometry.column(cell) as u8));
        let seen: DigitSet = geometry.peers(cell).iter().filter_map(|&peer| state.value(peer)).collect();
        let digits = DigitSet::all(geometry.size()) - state.candidates(cell) - seen;
        eliminated.extend(digits.iter().map(|digit| format!("{digit}{row}{column}")));
    }
    // A single number after a colon is read as a note, unless the line has a `+`. So a single elimination is written twice.
    if eliminated.len() == 1 && !line.contains('+') {
        eliminated.push(eliminated[0].clone());
    }
    if eliminated.is_empty() { line } else { format!("{line}:{}", eliminated.join(" ")) }
}

/// Writes the digits of cells in one line, with `+` before placed digits. `digit_of` returns the digit of a cell, and true for a clue.
pub fn line_with_placed(geometry: &Geometry, digit_of: impl Fn(Cell) -> Option<(Digit, bool)>) -> String {
    let mut line = String::new();
    for cell in geometry.cells() {
        match digit_of(cell) {
            None => line.push('.'),
            Some((digit, is_clue)) => {
                if !is_clue {
                    line.push('+');
                }
                line.push(digit.symbol());
            }
        }
    }
    line
}

/// Writes the clues of a puzzle in one line.
pub fn givens_line(puzzle: &Puzzle) -> String {
    puzzle.givens.iter().map(|given| given.map_or('.', Digit::symbol)).collect()
}

/// Writes a puzzle in one line that reads back as the same puzzle: clues, placed digits and eliminated candidates. If the author
/// gave candidate lists, writes n³ characters.
pub fn lossless_line(puzzle: &Puzzle, state: &State) -> String {
    match &puzzle.candidates {
        Some(lists) if puzzle.lists_are_puzzle => lists_line(&puzzle.geometry, |cell| lists[cell.index()]),
        _ if puzzle.initial_candidates.is_some() => candidate_line(&puzzle.geometry, state),
        _ => puzzle_line(&puzzle.geometry, state),
    }
}

/// Writes the candidates in one line of n³ characters. Each cell has n; the d-th is d, or `.` if d is no candidate.
pub fn candidate_line(geometry: &Geometry, state: &State) -> String {
    lists_line(geometry, |cell| state.possible_digits(cell))
}

/// Writes a set of digits for each cell in one line of n³ characters, as in [`candidate_line`].
pub fn lists_line(geometry: &Geometry, digits_of: impl Fn(Cell) -> DigitSet) -> String {
    let mut line = String::new();
    for list in geometry.cells().map(digits_of) {
        let digits = DigitSet::all(geometry.size()).iter();
        line.extend(digits.map(|digit| if list.has(digit) { digit.symbol() } else { '.' }));
    }
    line
}
