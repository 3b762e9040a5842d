//! Lines and legends for web pages. In: lines, scenes. Out: HTML in which every text is escaped.

use super::line::{Line, Role};
use super::scene::{Scene, legend};
use super::svg::{escaped, sample};
use crate::grid::Geometry;

/// Writes each line as a paragraph.
pub fn html(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("<p class=\"line\">{}</p>", pieces(line))).collect()
}

/// Writes the pieces of a line, with their roles as classes.
pub fn pieces(line: &Line) -> String {
    let pieces = line.pieces.iter().map(|piece| match class(piece.role) {
        "" => escaped(&piece.text),
        class => format!("<span class=\"{class}\">{}</span>", escaped(&piece.text)),
    });
    pieces.collect()
}

fn class(role: Role) -> &'static str {
    match role {
        Role::Name => "name",
        Role::Pattern => "pattern",
        Role::Placement => "placement",
        Role::Elimination => "elimination",
        Role::Plain | Role::Quiet | Role::Good | Role::Bad | Role::Mark(_) | Role::Colour(_) => "",
    }
}

/// Writes the legend of a scene: for each entry a sample and its words.
pub fn keys(geometry: &Geometry, scene: &Scene) -> String {
    let entries = legend(geometry, scene).into_iter().map(|(key, words)| {
        let (sample, words) = (sample(key), escaped(&words));
        format!(
            "<span><svg class=\"pinion\" viewBox=\"-3 -11 26 22\" aria-hidden=\"true\">{sample}</svg>{words}</span>"
        )
    });
    entries.collect()
}
