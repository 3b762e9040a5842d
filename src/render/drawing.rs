//! A step in its grid. In: a position, a step. Out: the candidates with borders; the cells that the step rests on are in
//! brackets, `-` stands before a candidate that goes and `=` before one that is placed.

use super::scene::{Line, Role};
use crate::engine::CaseEnd;
use crate::grid::{Candidate, Cell, Digit, Geometry, State, draw};
use crate::solve::{InnerStep, Step};
use std::collections::BTreeSet;

/// The grid with the step in it.
pub fn drawing(geometry: &Geometry, state: &State, step: &Step) -> Vec<Line> {
    let mut cells = BTreeSet::new();
    rests_on(step, &mut cells);
    let text = |cell: Cell| {
        if let Some(digit) = state.value(cell) {
            return digit.to_string();
        }
        let mark = |digit: Digit| {
            let one = Candidate::new(digit, cell);
            match (step.eliminations.contains(&one), step.placements.contains(&one)) {
                (true, _) => format!("-{digit}"),
                (_, true) => format!("={digit}"),
                _ => digit.to_string(),
            }
        };
        let digits: String = state.candidates(cell).iter().map(mark).collect();
        if cells.contains(&cell) { format!("[{digits}]") } else { digits }
    };
    draw::bordered(geometry, &text).lines().map(coloured).collect()
}

/// The cells that a step cites, and those of what is inferred in its cases.
fn rests_on(step: &Step, cells: &mut BTreeSet<Cell>) {
    cells.extend(step.cites.cells.iter().map(|(cell, _)| *cell));
    for case in &step.cases {
        cells.insert(case.supposed.0.cell);
        for inner in &case.inferences {
            match inner {
                InnerStep::Naked(one, _) | InnerStep::Hidden(one, ..) => cells.extend([one.cell]),
                InnerStep::Links { cites, .. } => cells.extend(cites.cells.iter().map(|(cell, _)| *cell)),
                InnerStep::Step(step) => rests_on(step, cells),
            }
        }
        match &case.end {
            CaseEnd::Shows(one, _) => cells.extend([one.cell]),
            CaseEnd::EmptyCell(cell) => cells.extend([*cell]),
            CaseEnd::Both(node) => cells.extend(node.cells.iter().copied()),
            CaseEnd::EmptyHouse(..) => {}
        }
    }
}

/// What changes has the colours that it has in words; the marks stand for themselves where there are none.
fn coloured(drawn: &str) -> Line {
    // A border has `-` of its own.
    if !drawn.contains(char::is_alphanumeric) {
        return Line::plain(drawn);
    }
    let (mut line, mut plain) = (Line::default(), String::new());
    let mut rest = drawn.chars().peekable();
    while let Some(mark) = rest.next() {
        let role = match mark {
            '-' => Role::Elimination,
            '=' => Role::Placement,
            _ => {
                plain.push(mark);
                continue;
            }
        };
        line = line.and(Role::Plain, std::mem::take(&mut plain));
        line = line.and(role, [Some(mark), rest.next()].into_iter().flatten().collect::<String>());
    }
    line.and(Role::Plain, plain)
}
