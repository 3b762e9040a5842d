//! Lines and legends for web pages. In: lines, scenes. Out: HTML in which every text is escaped.

use super::line::{Line, Role};
use super::scene::{Scene, legend};
use super::svg::{escaped, sample};
use crate::grid::Geometry;

/// Lines as paragraphs.
pub fn html(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("<p class=\"line\">{}</p>", pieces(line))).collect()
}

/// A line as text with its roles.
pub fn pieces(line: &Line) -> String {
    let piece = |(role, text): (Role, &str)| match class(role) {
        "" => escaped(text),
        class => format!("<span class=\"{class}\">{}</span>", escaped(text)),
    };
    line.pieces.iter().map(|one| piece((one.role, &one.text))).collect()
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

/// The legend of a scene: each entry a sample and its words.
pub fn keys(geometry: &Geometry, scene: &Scene) -> String {
    let key = |(key, words): &(_, String)| {
        let sample = sample(*key);
        format!(
            "<span><svg class=\"pinion\" viewBox=\"-3 -11 26 22\" aria-hidden=\"true\">{sample}</svg>{}</span>",
            escaped(words)
        )
    };
    legend(geometry, scene).iter().map(key).collect()
}
