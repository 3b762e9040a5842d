//! Where things are in a picture. In: a board. Out: coordinates of cells and candidates, in pixels from the upper left.

use crate::grid::{Candidate, Cell, Geometry};

/// Room for one candidate.
const SLOT: f64 = 20.0;
/// Room between candidates and the border of their cell, for outlines.
const RIM: f64 = 4.0;
/// Room for the numbers of rows and columns.
const EDGE: f64 = 20.0;

/// The measures of a board.
pub struct Layout<'g> {
    /// The board.
    pub geometry: &'g Geometry,
    /// Candidates side by side in a cell.
    pub wide: usize,
    /// Rows of candidates in a cell.
    pub high: usize,
    /// The side of a cell.
    pub cell: f64,
}

/// A point.
pub type Point = (f64, f64);

impl<'g> Layout<'g> {
    /// Of a board.
    pub fn new(geometry: &'g Geometry) -> Layout<'g> {
        let size = geometry.size();
        let wide = (1..).find(|wide| wide * wide >= size).unwrap_or(1);
        Layout { geometry, wide, high: size.div_ceil(wide), cell: wide as f64 * SLOT + 2.0 * RIM }
    }

    /// The side of the whole board with its numbers.
    pub fn side(&self) -> f64 {
        EDGE + self.span() + 3.0
    }

    /// The side of the board.
    pub fn span(&self) -> f64 {
        self.cell * self.geometry.size() as f64
    }

    /// Where a line before a row or column runs.
    pub fn line(&self, before: usize) -> f64 {
        EDGE + before as f64 * self.cell
    }

    /// The upper left corner of a cell.
    pub fn corner(&self, cell: Cell) -> Point {
        (self.line(self.geometry.column(cell)), self.line(self.geometry.row(cell)))
    }

    /// The middle of a candidate.
    pub fn place(&self, candidate: Candidate) -> Point {
        let ((x, y), at) = (self.corner(candidate.cell), candidate.digit.index());
        (x + self.across(at % self.wide), y + self.down(at / self.wide))
    }

    /// The middle of a candidate's column in its cell.
    pub fn across(&self, column: usize) -> f64 {
        RIM + (column as f64 + 0.5) * SLOT
    }

    /// The middle of a candidate's row in its cell.
    pub fn down(&self, row: usize) -> f64 {
        RIM + (row as f64 + 0.5) * (self.cell - 2.0 * RIM) / self.high as f64
    }
}

/// A number as short as it can be said.
pub fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}
