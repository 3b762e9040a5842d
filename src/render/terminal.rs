//! A scene in characters. In: a scene, perhaps a width. Out: the candidates with borders, each with the role of its mark; the
//! pattern's cells are in brackets, and marks stand before candidates, so that it reads without colours too. Where the width has no
//! room for lists of candidates, each cell is a block of several lines; where it has none for blocks, one character.

use super::line::{Line, Role};
use super::scene::{Key, Mark, Scene, legend};
use crate::grid::draw::{Part, Spacing, layout};
use crate::grid::{Candidate, Cell, Digit, Geometry};

/// The grid with its legend.
pub fn drawing(geometry: &Geometry, scene: &Scene, width: Option<usize>) -> Vec<Line> {
    let forms = [
        listed,
        |geometry: &Geometry, scene: &Scene| in_blocks(geometry, scene, WIDE),
        |geometry: &Geometry, scene: &Scene| in_blocks(geometry, scene, NARROW),
        |geometry: &Geometry, scene: &Scene| overview(geometry, scene, Spacing::Narrow),
        |geometry: &Geometry, scene: &Scene| overview(geometry, scene, Spacing::Tight),
    ];
    let mut lines = listed(geometry, scene);
    for form in &forms[1..] {
        if width.is_none_or(|width| columns(&lines) <= width) {
            break;
        }
        let other = form(geometry, scene);
        if columns(&other) < columns(&lines) {
            lines = other;
        }
    }
    lines.iter_mut().for_each(|line| line.fixed = true);
    lines.extend(key(geometry, scene));
    lines
}

/// The columns of the longest line.
pub(super) fn columns(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.to_string().chars().count()).max().unwrap_or(0)
}

/// A character before a candidate, where its mark decides what the step does.
fn sign(mark: Option<Mark>) -> Option<char> {
    match mark? {
        Mark::Goes => Some('-'),
        Mark::Placed => Some('='),
        Mark::Guardian => Some('*'),
        Mark::Supposed => Some('?'),
        Mark::OneOf | Mark::On | Mark::Off | Mark::Support => None,
    }
}

/// A candidate with its sign.
fn written(scene: &Scene, cell: Cell, digit: Digit) -> (Role, String) {
    let mark = scene.mark_of(Candidate::new(digit, cell));
    let role = mark.map_or(Role::Quiet, Role::Mark);
    (role, sign(mark).into_iter().chain([digit.symbol()]).collect())
}

/// A line for each row of the grid.
fn listed(geometry: &Geometry, scene: &Scene) -> Vec<Line> {
    let content = |cell: Cell| content(scene, cell);
    let width = |cell: Cell| content(cell).iter().map(|(_, text)| text.len()).sum();
    let put = |line: Line, part: &Part| match part {
        Part::Border(text) => line.and(Role::Quiet, text),
        Part::Cell(cell, wide) => {
            let blanks = " ".repeat(wide - width(*cell));
            let line = content(*cell).into_iter().fold(line, |line, (role, text)| line.and(role, text));
            line.and(Role::Plain, blanks)
        }
    };
    layout(geometry, &width, Spacing::Wide).iter().map(|row| row.iter().fold(Line::default(), put)).collect()
}

fn content(scene: &Scene, cell: Cell) -> Vec<(Role, String)> {
    if let Some(digit) = scene.state.value(cell) {
        return vec![(Role::Plain, digit.to_string())];
    }
    let mut out: Vec<(Role, String)> =
        scene.state.candidates(cell).iter().map(|digit| written(scene, cell, digit)).collect();
    if out.is_empty() {
        out.push((Role::Bad, ".".into()));
    }
    if scene.cells.contains(&cell) {
        out.insert(0, (Role::Plain, "[".into()));
        out.push((Role::Plain, "]".into()));
    }
    out
}

/// The room in blocks: columns for each candidate, and between cells.
#[derive(Clone, Copy)]
struct Room {
    candidate: usize,
    spacing: Spacing,
}

/// Room for a candidate with its sign.
const WIDE: Room = Room { candidate: 2, spacing: Spacing::Wide };
/// A sign stands in the place of the candidate, and the place says which one it is.
const NARROW: Room = Room { candidate: 1, spacing: Spacing::Narrow };

/// One character for each cell: its digit, the sign of what the step does there, or `#` for a cell of the pattern.
fn overview(geometry: &Geometry, scene: &Scene, spacing: Spacing) -> Vec<Line> {
    let put = |line: Line, part: &Part| match part {
        Part::Border(text) => line.and(Role::Quiet, text),
        Part::Cell(cell, _) => {
            let marks =
                || scene.state.candidates(*cell).iter().filter_map(|digit| scene.mark_of(Candidate::new(digit, *cell)));
            // Marks are in the order of what they do.
            let mark = marks().filter(|mark| sign(Some(*mark)).is_some()).max();
            match (scene.state.value(*cell), sign(mark)) {
                (Some(digit), _) => line.and(Role::Plain, digit.to_string()),
                (None, Some(sign)) => line.and(mark.map_or(Role::Plain, Role::Mark), sign),
                (None, None) if scene.cells.contains(cell) => line.and(Role::Plain, "#"),
                (None, None) => line.and(Role::Quiet, "."),
            }
        }
    };
    layout(geometry, &|_| 1, spacing).iter().map(|row| row.iter().fold(Line::default(), put)).collect()
}

/// Several lines for each row: every candidate has a place of its own.
fn in_blocks(geometry: &Geometry, scene: &Scene, room: Room) -> Vec<Line> {
    let wide = (1..).find(|wide| wide * wide >= geometry.size()).unwrap_or(1);
    let high = geometry.size().div_ceil(wide);
    let mut lines = Vec::new();
    let rows = layout(geometry, &|_| room.candidate * wide, room.spacing);
    for (at, row) in rows.iter().enumerate() {
        let cells = |part: &Part| matches!(part, Part::Cell(..));
        if !row.iter().any(cells) {
            lines.push(
                row.iter()
                    .fold(Line::default(), |line, part| block(scene, line, (part, None, None), (0, wide, high), room)),
            );
            continue;
        }
        for level in 0..high {
            let side = |place: Option<usize>| match row.get(place?) {
                Some(Part::Cell(cell, _)) => Some(*cell),
                _ => None,
            };
            let put = |line: Line, place: usize| {
                block(
                    scene,
                    line,
                    (&row[place], side(place.checked_sub(1)), side(Some(place + 1))),
                    (level, wide, high),
                    room,
                )
            };
            lines.push((0..row.len()).fold(Line::default(), put));
        }
        // Rows that no border parts have a line between them.
        if rows.get(at + 1).is_some_and(|next| next.iter().any(cells)) {
            let blank = |part: &Part| match part {
                Part::Border(text) => text.clone(),
                Part::Cell(_, width) => " ".repeat(*width),
            };
            lines.push(Line::of(Role::Quiet, row.iter().map(blank).collect::<String>()));
        }
    }
    lines
}

/// A part of a line of blocks; a border beside a cell of the pattern has its bracket.
fn block(
    scene: &Scene,
    line: Line,
    (part, before, after): (&Part, Option<Cell>, Option<Cell>),
    (level, wide, high): (usize, usize, usize),
    room: Room,
) -> Line {
    let inside = |cell: Option<Cell>| cell.is_some_and(|cell| scene.cells.contains(&cell));
    match part {
        Part::Border(text) => {
            let close = usize::from(inside(before));
            // Two cells of the pattern may share one column between them.
            let open = usize::from(inside(after)).min(text.len().saturating_sub(close));
            let line = line.and(Role::Plain, &"]"[..close]).and(Role::Quiet, &text[close..text.len() - open]);
            line.and(Role::Plain, &"["[..open])
        }
        Part::Cell(cell, width) => match scene.state.value(*cell) {
            Some(digit) if level == high / 2 => line.and(Role::Plain, format!("{digit:^width$}")),
            Some(_) => line.and(Role::Plain, " ".repeat(*width)),
            None => (level * wide..(level + 1) * wide).fold(line, |line, digit| {
                let digit = Digit(digit as u8);
                match scene.state.candidates(*cell).has(digit) {
                    true => {
                        let (role, text) = written(scene, *cell, digit);
                        let shown = text.get(..room.candidate).unwrap_or(&text);
                        line.and(role, format!("{shown:>0$}", room.candidate))
                    }
                    false => line.and(Role::Plain, " ".repeat(room.candidate)),
                }
            }),
        },
    }
}

/// What the signs mean, on one line; marks without a sign are told in their colours.
fn key(geometry: &Geometry, scene: &Scene) -> Option<Line> {
    const GAP: &str = "  ";
    let pattern = (!scene.cells.is_empty()).then(|| Line::of(Role::Quiet, "[ ] pattern"));
    let (mut signs, mut colours): (Vec<Line>, Vec<Line>) = (pattern.into_iter().collect(), Vec::new());
    for (key, words) in legend(geometry, scene) {
        let Key::Mark(mark) = key else { continue };
        match sign(Some(mark)) {
            Some(sign) => signs.push(Line::of(Role::Mark(mark), sign).and(Role::Quiet, format!(" {words}"))),
            None if mark == Mark::Support => {}
            None => colours.push(Line::of(Role::Colour(mark), format!("{GAP}{words}"))),
        }
    }
    let put = |line: Line, (at, entry)| line.and(Role::Quiet, if at == 0 { "" } else { GAP }).join(entry);
    let line = signs.into_iter().enumerate().fold(Line::default(), put);
    let line = colours.into_iter().fold(line, Line::join);
    (!line.pieces.is_empty()).then_some(line)
}
