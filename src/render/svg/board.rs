//! The board as SVG, and the digits on it. In: a board, a position. Out: points of cells and candidates in pixels from the upper left; lines,
//! numbers of rows and columns, shapes of marks; digits as rows of text whose characters have fixed coordinates, so that a page can show
//! another position by exchanging the texts.

use crate::grid::{Candidate, Cell, Digit, Geometry, State};

/// Side of the room for one candidate.
const SLOT: f64 = 20.0;
/// Room between the candidates and the border of their cell, for outlines.
const RIM: f64 = 4.0;
/// Room for the numbers of rows and columns.
const EDGE: f64 = 20.0;

/// Measures of a board's pictures, in pixels.
pub struct BoardLayout<'g> {
    /// The board.
    pub geometry: &'g Geometry,
    /// Candidates in a row of a cell.
    pub wide: usize,
    /// Rows of candidates in a cell.
    pub high: usize,
    /// Side of a cell.
    pub cell: f64,
}

/// A point: across, down.
pub type PixelPoint = (f64, f64);

impl<'g> BoardLayout<'g> {
    /// Measures a board.
    pub fn new(geometry: &'g Geometry) -> BoardLayout<'g> {
        let size = geometry.size();
        let wide = (1..).find(|wide| wide * wide >= size).unwrap_or(1);
        BoardLayout { geometry, wide, high: size.div_ceil(wide), cell: wide as f64 * SLOT + 2.0 * RIM }
    }

    /// Returns the side of the picture, with the numbers of rows and columns.
    pub fn side(&self) -> f64 {
        self.line(self.geometry.size()) + 3.0
    }

    /// Returns the coordinate of the line before a row or column.
    pub fn line(&self, before: usize) -> f64 {
        EDGE + before as f64 * self.cell
    }

    /// Returns the upper left corner of a cell.
    pub fn corner(&self, cell: Cell) -> PixelPoint {
        (self.line(self.geometry.column(cell)), self.line(self.geometry.row(cell)))
    }

    /// Returns the centre of a cell.
    pub fn centre(&self, cell: Cell) -> PixelPoint {
        let (x, y) = self.corner(cell);
        (x + self.cell / 2.0, y + self.cell / 2.0)
    }

    /// Returns the centre of a candidate.
    pub fn candidate(&self, candidate: Candidate) -> PixelPoint {
        let ((x, y), at) = (self.corner(candidate.cell), candidate.digit.index());
        (x + self.across(at % self.wide), y + self.down(at / self.wide))
    }

    /// Returns the centre of a column of candidates, from the left of the cell.
    pub fn across(&self, column: usize) -> f64 {
        RIM + (column as f64 + 0.5) * SLOT
    }

    /// Returns the centre of a row of candidates, from the top of the cell.
    pub fn down(&self, row: usize) -> f64 {
        RIM + (row as f64 + 0.5) * (self.cell - 2.0 * RIM) / self.high as f64
    }
}

/// Writes a number with at most one decimal.
pub fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// A blank that XML does not fold.
const BLANK: char = '\u{a0}';
/// Distance from the centre of a letter to its base line, as a fraction of its size.
const DROP: f64 = 0.36;

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
    let (low, high) = (short(layout.line(0)), short(layout.line(size)));
    let inner = (1..size).map(|at| short(layout.line(at)));
    let thin: String = inner.map(|at| format!("M{low} {at}H{high}M{at} {low}V{high}")).collect();
    let mut out = format!("<path class=\"thin\" d=\"{thin}\"/><path class=\"thick\" d=\"{}\"/>", borders(layout));
    let places: Vec<f64> = (0..size).map(|at| layout.line(at) + layout.cell / 2.0).collect();
    for (at, place) in places.iter().enumerate() {
        let (along, edge) = (short(*place), short(layout.line(0) - 6.0));
        let along_y = short(place + 4.0);
        out += &format!("<text class=\"axis\" x=\"{along}\" y=\"{edge}\">{}</text>", at + 1);
        out += &format!("<text class=\"axis\" x=\"{}\" y=\"{along_y}\">{}</text>", short(layout.line(0) - 9.0), at + 1);
    }
    out
}

/// Returns the path of the borders between regions and around the board.
fn borders(layout: &BoardLayout) -> String {
    let (board, size) = (layout.geometry, layout.geometry.size());
    let lines: Vec<String> = (0..=size).map(|at| short(layout.line(at))).collect();
    let end = &lines[size];
    let mut out = format!("M{0} {0}H{end}V{end}H{0}z", lines[0]);
    for at in 1..size {
        for along in 0..size {
            let (from, to) = (&lines[along], &lines[along + 1]);
            if board.region(board.cell(at - 1, along)) != board.region(board.cell(at, along)) {
                out += &format!("M{from} {0}H{to}", lines[at]);
            }
            if board.region(board.cell(along, at - 1)) != board.region(board.cell(along, at)) {
                out += &format!("M{0} {from}V{to}", lines[at]);
            }
        }
    }
    out
}

/// Places rows of text: those of [`digits`], candidates first, then givens, then placed digits.
pub fn rows(layout: &BoardLayout, texts: &[String]) -> String {
    let size = layout.geometry.size();
    let slots = (0..size).flat_map(|column| (0..layout.wide).map(move |at| (column, at)));
    let small = coordinates(slots.map(|(column, at)| layout.line(column) + layout.across(at)));
    let large = coordinates((0..size).map(|column| layout.line(column) + layout.cell / 2.0));
    let mut out = String::new();
    let levels = (0..size).flat_map(|row| (0..layout.high).map(move |level| (row, level)));
    let small_rows = levels.map(|(row, level)| ("c", &small, layout.line(row) + layout.down(level) + 13.0 * DROP));
    let large_rows = ["g", "v"].into_iter().flat_map(|class| (0..size).map(move |row| (class, row)));
    let large_rows = large_rows.map(|(class, row)| (class, &large, layout.line(row) + layout.cell / 2.0 + 30.0 * DROP));
    for ((class, places, y), text) in small_rows.chain(large_rows).zip(texts) {
        if text.is_empty() {
            continue;
        }
        out += &format!("<text class=\"{class}\" x=\"{places}\" y=\"{}\">{text}</text>", short(y));
    }
    out
}

fn coordinates(places: impl Iterator<Item = f64>) -> String {
    places.map(short).collect::<Vec<_>>().join(" ")
}

/// Returns the rows of text of a position: candidates, givens, placed digits. A row without digits is empty.
pub fn digits(layout: &BoardLayout, state: &State) -> Vec<String> {
    let board = layout.geometry;
    let size = board.size();
    let rows: Vec<Vec<Cell>> = (0..size).map(|row| (0..size).map(|column| board.cell(row, column)).collect()).collect();
    let mut out = Vec::new();
    for (row, level) in rows.iter().flat_map(|row| (0..layout.high).map(move |level| (row, level))) {
        let slots = row.iter().flat_map(|&cell| (0..layout.wide).map(move |slot| (cell, slot)));
        out.push(text_row(slots.map(|(cell, slot)| {
            let digit = Digit((level * layout.wide + slot) as u8);
            state.has(Candidate::new(digit, cell)).then_some(digit)
        })));
    }
    for given in [true, false] {
        out.extend(rows.iter().map(|row| {
            text_row(
                row.iter()
                    .map(|&cell| state.value(cell).filter(|_| (state.initial_candidates(cell).len() == 1) == given)),
            )
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
    format!("<text class=\"b\" x=\"{}\" y=\"{}\">{}</text>", short(x), short(y + 13.0 * DROP), candidate.digit)
}
