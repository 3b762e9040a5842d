//! The candidate graph as DOT. In: a state. Out: text for Graphviz: candidates as nodes, two that cannot both be true
//! joined by a dashed line, by a bold one where one of them must be.

use crate::grid::{Candidate, Geometry, State, notation};
use std::fmt::Write;

/// The graph as DOT, the same text for the same state.
pub fn dot(geometry: &Geometry, state: &State) -> String {
    let digits = |cell| state.candidates(cell).iter().map(move |digit| Candidate::new(digit, cell));
    let all: Vec<Candidate> = geometry.cells().flat_map(digits).collect();
    let mut out = String::from(
        "// nodes: candidates; dashed: weak (not both true); bold: strong as well (one of them is true)\n",
    );
    out.push_str("graph {\n");
    for (number, candidate) in all.iter().enumerate() {
        let cell = notation::cell(geometry, candidate.cell);
        let _ = writeln!(out, "    {number} [ label=\"({}){cell}\"]", candidate.digit);
    }
    for (from, &a) in all.iter().enumerate() {
        for (to, &b) in all.iter().enumerate().skip(from + 1) {
            if let Some(style) = link(geometry, state, a, b) {
                let _ = writeln!(out, "    {from} -- {to} [ style=\"{style}\"]");
            }
        }
    }
    out + "}\n"
}

/// How two candidates are joined.
fn link(geometry: &Geometry, state: &State, a: Candidate, b: Candidate) -> Option<&'static str> {
    let strong = if a.cell == b.cell {
        state.candidates(a.cell).len() == 2
    } else if a.digit == b.digit && geometry.sees(a.cell, b.cell) {
        two_places(geometry, state, a, b)
    } else {
        return None;
    };
    Some(if strong { "bold" } else { "dashed" })
}

fn two_places(geometry: &Geometry, state: &State, a: Candidate, b: Candidate) -> bool {
    geometry.houses_of(a.cell).iter().filter(|id| geometry.houses_of(b.cell).contains(id)).any(|&id| {
        let cells = &geometry.house(id).cells;
        cells.iter().filter(|&&cell| state.has(Candidate::new(a.digit, cell))).count() == 2
    })
}
