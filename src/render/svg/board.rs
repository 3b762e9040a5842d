//! Draws the board and its digits as SVG. In: a board, a position. Out: coordinates of cells and candidates, in pixels from the upper left;
//! lines, numbers of rows and columns, shapes of marks; digits as rows of text.
//!
//! The characters of a row of text have fixed coordinates. To show another position, a page replaces only the texts.

use crate::grid::{Candidate, Cell, Digit, Geometry, State};

/// Side of the square for one candidate, in pixels.
const SLOT: f64 = 20.0;
/// Space between the candidates and the border of their cell, for outlines, in pixels.
const RIM: f64 = 4.0;
/// Space for the numbers of rows and columns, in pixels.
const EDGE: f64 = 20.0;
/// Font size of candidates.
const SMALL: f64 = 13.0;
/// Font size of placed digits.
const LARGE: f64 = 30.0;

pub struct BoardLayout<'g> {
    pub geometry: &'g Geometry,
    /// Number of candidates side by side in a cell.
    pub wide: usize,
    /// Number of rows of candidates in a cell.
    pub high: usize,
    /// Side of a cell, in pixels.
    pub cell: f64,
}

/// The x and y coordinate of a point, in pixels from the upper left.
pub type PixelPoint = (f64, f64);

impl<'g> BoardLayout<'g> {
    pub fn new(geometry: &'g Geometry) -> BoardLayout<'g> {
        let size = geometry.size();
        let wide = (1..).find(|wide| wide * wide >= size).unwrap_or(1);
        BoardLayout { geometry, wide, high: size.div_ceil(wide), cell: wide as f64 * SLOT + 2.0 * RIM }
    }

    /// Returns the side of the picture, with the numbers of rows and columns.
    pub fn side(&self) -> f64 {
        self.line(self.geometry.size()) + 3.0
    }

    /// Returns the coordinate of the line before the row or column with this index.
    pub fn line(&self, index: usize) -> f64 {
        EDGE + index as f64 * self.cell
    }

    pub fn corner(&self, cell: Cell) -> PixelPoint {
        (self.line(self.geometry.column(cell)), self.line(self.geometry.row(cell)))
    }

    pub fn centre(&self, cell: Cell) -> PixelPoint {
        let (x, y) = self.corner(cell);
        (x + self.cell / 2.0, y + self.cell / 2.0)
    }

    pub fn candidate(&self, candidate: Candidate) -> PixelPoint {
        let ((x, y), digit) = (self.corner(candidate.cell), candidate.digit.index());
        (x + self.slot_x(digit % self.wide), y + self.slot_y(digit / self.wide))
    }

    /// Returns the centre of a column of candidates, from the left of the cell.
    pub fn slot_x(&self, column: usize) -> f64 {
        RIM + (column as f64 + 0.5) * SLOT
    }

    /// Returns the centre of a row of candidates, from the top of the cell.
    pub fn slot_y(&self, row: usize) -> f64 {
        RIM + (row as f64 + 0.5) * (self.cell - 2.0 * RIM) / self.high as f64
    }
}

/// Writes a number with at most one decimal.
pub fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// A blank that XML does not collapse.
const BLANK: char = '\u{a0}';
/// Distance from the centre of a letter to its base line, as a fraction of its font size.
const BASE_LINE: f64 = 0.36;

/// Shapes of marks, each around the point (0, 0).
pub const SHAPES: &str = concat!(
    "<defs>",
    "<pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">",
    "<path class=\"hl\" d=\"M0 0V7\"/></pattern>",
    "<marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"4\" markerHeight=\"4\" orient=\"auto\">",
    "<path d=\"M0 0L8 4L0 8z\" fill=\"context-stroke\"/></marker>",
    "<g id=\"support\"><rect x=\"-8.5\" y=\"-8.5\" width=\"17\" height=\"17\" rx=\"5\" fill=\"var(--plain)\"/></g>",
    "<g id=\"on\"><circle r=\"9\" fill=\"var(--onfill)\" stroke=\"var(--on)\" stroke-width=\"2\"/></g>",
    "<g id=\"off\"><circle r=\"9\" fill=\"var(--offfill)\" stroke=\"var(--off)\" stroke-width=\"2\" ",
    "stroke-dasharray=\"3 2.5\"/></g>",
    "<g id=\"oneof\"><circle r=\"9.2\" fill=\"var(--onfill)\" stroke=\"var(--on)\" stroke-width=\"1.4\"/>",
    "<circle r=\"6.6\" fill=\"none\" stroke=\"var(--on)\" stroke-width=\"1.2\"/></g>",
    "<g id=\"supposed\"><path d=\"M0-10.5L10.5 0L0 10.5L-10.5 0z\" fill=\"var(--offfill)\" stroke=\"var(--ink)\" ",
    "stroke-width=\"1.8\"/></g>",
    "<g id=\"guardian\">",
    "<path d=\"M-4-9.5H4L9.5-4V4L4 9.5H-4L-9.5 4V-4z\" fill=\"var(--asidefill)\" stroke=\"var(--aside)\" ",
    "stroke-width=\"2\"/></g>",
    "<g id=\"goes\"><circle r=\"9\" fill=\"var(--goesfill)\"/>",
    "<path d=\"M-7 7L7-7\" stroke=\"var(--goes)\" stroke-width=\"2.4\"/></g>",
    "<g id=\"placed\"><rect x=\"-9\" y=\"-9\" width=\"18\" height=\"18\" rx=\"2\" fill=\"var(--placedfill)\" ",
    "stroke=\"var(--placed)\" stroke-width=\"2.6\"/></g>",
    "</defs>",
);

/// Draws the lines of the board, and the numbers of rows and columns.
pub fn lines(layout: &BoardLayout) -> String {
    let size = layout.geometry.size();
    let low = short(layout.line(0));
    let high = short(layout.line(size));
    let inner = (1..size).map(|index| short(layout.line(index)));
    let thin: String = inner.map(|line| format!("M{low} {line}H{high}M{line} {low}V{high}")).collect();
    let mut out = format!("<path class=\"thin\" d=\"{thin}\"/><path class=\"thick\" d=\"{}\"/>", borders(layout));
    for index in 0..size {
        let number = index + 1;
        let centre = layout.line(index) + layout.cell / 2.0;
        let x = short(centre);
        let y = short(layout.line(0) - 6.0);
        out += &format!("<text class=\"axis\" x=\"{x}\" y=\"{y}\">{number}</text>");
        let x = short(layout.line(0) - 9.0);
        let y = short(centre + 4.0);
        out += &format!("<text class=\"axis\" x=\"{x}\" y=\"{y}\">{number}</text>");
    }
    out
}

fn borders(layout: &BoardLayout) -> String {
    let (board, size) = (layout.geometry, layout.geometry.size());
    let lines: Vec<String> = (0..=size).map(|index| short(layout.line(index))).collect();
    let start = &lines[0];
    let end = &lines[size];
    let mut out = format!("M{start} {start}H{end}V{end}H{start}z");
    for border in 1..size {
        for index in 0..size {
            let line = &lines[border];
            let from = &lines[index];
            let to = &lines[index + 1];
            // The line between two rows, in the column `index`.
            if board.region(board.cell(border - 1, index)) != board.region(board.cell(border, index)) {
                out += &format!("M{from} {line}H{to}");
            }
            // The line between two columns, in the row `index`.
            if board.region(board.cell(index, border - 1)) != board.region(board.cell(index, border)) {
                out += &format!("M{line} {from}V{to}");
            }
        }
    }
    out
}

/// Writes the rows of text that [`digits`] returns, at their coordinates.
pub fn rows(layout: &BoardLayout, texts: &[String]) -> String {
    let size = layout.geometry.size();
    let slots = (0..size).flat_map(|column| (0..layout.wide).map(move |slot| (column, slot)));
    let small_x = coordinates(slots.map(|(column, slot)| layout.line(column) + layout.slot_x(slot)));
    let large_x = coordinates((0..size).map(|column| layout.line(column) + layout.cell / 2.0));
    // Class (candidates, givens, placed values), x coordinates and y coordinate of each row of text.
    let mut positions: Vec<(&str, &str, f64)> = Vec::new();
    for row in 0..size {
        for candidate_row in 0..layout.high {
            positions.push(("c", &small_x, layout.line(row) + layout.slot_y(candidate_row) + SMALL * BASE_LINE));
        }
    }
    for class in ["g", "v"] {
        let centres = (0..size).map(|row| layout.line(row) + layout.cell / 2.0);
        positions.extend(centres.map(|y| (class, large_x.as_str(), y + LARGE * BASE_LINE)));
    }
    let mut out = String::new();
    for ((class, x, y), text) in positions.into_iter().zip(texts) {
        if !text.is_empty() {
            out += &format!("<text class=\"{class}\" x=\"{x}\" y=\"{}\">{text}</text>", short(y));
        }
    }
    out
}

fn coordinates(numbers: impl Iterator<Item = f64>) -> String {
    numbers.map(short).collect::<Vec<_>>().join(" ")
}

/// Returns the rows of text of a position: all rows of candidates, then the givens of each row of the board, then the placed digits of each
/// row of the board. A row of text without digits is empty.
pub fn digits(layout: &BoardLayout, state: &State) -> Vec<String> {
    let board = layout.geometry;
    let size = board.size();
    let rows: Vec<Vec<Cell>> = (0..size).map(|row| (0..size).map(|column| board.cell(row, column)).collect()).collect();
    let mut out = Vec::new();
    for row in &rows {
        for candidate_row in 0..layout.high {
            let slots = row.iter().flat_map(|&cell| (0..layout.wide).map(move |slot| (cell, slot)));
            out.push(text_row(slots.map(|(cell, slot)| {
                let digit = Digit((candidate_row * layout.wide + slot) as u8);
                state.has(Candidate::new(digit, cell)).then_some(digit)
            })));
        }
    }
    for given in [true, false] {
        out.extend(rows.iter().map(|row| {
            text_row(row.iter().map(|&cell| {
                let is_given = state.initial_candidates(cell).len() == 1;
                if is_given == given { state.value(cell) } else { None }
            }))
        }));
    }
    out
}

/// Writes digits and blanks, without trailing blanks.
fn text_row(digits: impl Iterator<Item = Option<Digit>>) -> String {
    let text: String = digits.map(|digit| digit.map_or(BLANK, Digit::symbol)).collect();
    text.trim_end_matches(BLANK).to_string()
}

/// Draws the digit of a marked candidate, above its mark.
pub fn bold(layout: &BoardLayout, candidate: Candidate) -> String {
    let (x, y) = layout.candidate(candidate);
    format!("<text class=\"b\" x=\"{}\" y=\"{}\">{}</text>", short(x), short(y + SMALL * BASE_LINE), candidate.digit)
}
