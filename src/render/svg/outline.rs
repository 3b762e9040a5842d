//! Outlines of sets of cells. In: cells, how far inside their borders. Out: the path of a line around them; cells side by side have
//! one line around them all.

use super::layout::{Layout, short};
use crate::grid::Cell;

/// The path around a set of cells.
pub fn outline(layout: &Layout, cells: &[Cell], inset: f64) -> String {
    let size = layout.geometry.size() as isize;
    let has = |row: isize, column: isize| {
        let inside = (0..size).contains(&row) && (0..size).contains(&column);
        inside && cells.contains(&layout.geometry.cell(row as usize, column as usize))
    };
    let mut out = String::new();
    for &cell in cells {
        let (row, column) = (layout.geometry.row(cell) as isize, layout.geometry.column(cell) as isize);
        let (x, y) = layout.corner(cell);
        let (right, low) = (x + layout.cell, y + layout.cell);
        // Towards a neighbour of the set a side runs to the border of the cell, and where the neighbour has one beyond its own
        // side, as far again.
        let end = |beside: bool, beyond: bool| match (beside, beyond) {
            (false, _) => inset,
            (true, false) => 0.0,
            (true, true) => -inset,
        };
        for (up, edge) in [(-1, y + inset), (1, low - inset)] {
            if !has(row + up, column) {
                let from = x + end(has(row, column - 1), has(row + up, column - 1));
                let to = right - end(has(row, column + 1), has(row + up, column + 1));
                out += &format!("M{} {}H{}", short(from), short(edge), short(to));
            }
        }
        for (left, edge) in [(-1, x + inset), (1, right - inset)] {
            if !has(row, column + left) {
                let from = y + end(has(row - 1, column), has(row - 1, column + left));
                let to = low - end(has(row + 1, column), has(row + 1, column + left));
                out += &format!("M{} {}V{}", short(edge), short(from), short(to));
            }
        }
    }
    out
}
