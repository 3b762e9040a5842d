//! A scene for a page. In: a scene. Out: SVG without the shapes and the style that all pictures of a page share, a legend, and a label
//! of each cell for screen readers.

use crate::grid::{Candidate, Cell, Geometry, notation};
use crate::render::{LegendKey, Picture, Scene, board_svg, keys, legend};
use serde::Serialize;

/// A picture of a grid.
#[derive(Debug, Serialize)]
pub struct PictureRecord {
    svg: String,
    /// HTML.
    legend: String,
    /// A label for each cell, row by row.
    labels: Vec<String>,
}

impl PictureRecord {
    /// Draws a scene.
    pub fn new(geometry: &Geometry, scene: &Scene) -> PictureRecord {
        let words = legend(geometry, scene);
        PictureRecord {
            svg: board_svg(geometry, &Picture::new(geometry, scene)),
            legend: keys(geometry, scene),
            labels: geometry.cells().map(|cell| label(geometry, scene, &words, cell)).collect(),
        }
    }
}

/// `r4c2, candidates 2 5 9; 9 goes; pattern`.
fn label(geometry: &Geometry, scene: &Scene, legend: &[(LegendKey, String)], cell: Cell) -> String {
    let name = notation::cell(geometry, cell);
    let state = &scene.state;
    let mut out = match state.value(cell) {
        Some(digit) if state.open(cell).len() == 1 => return format!("{name}, {digit}, given"),
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
            out += &format!("; {digit}: {words}");
        }
    }
    out
}
