//! A scene in characters. In: a scene, perhaps a width. Out: the candidates with borders, each with the role of its mark, and a legend.
//!
//! Cells of the pattern are in brackets and signs stand before marked candidates, so the drawing reads without colours. If the width has no
//! room for lists of candidates, each cell is a block of several lines; if it has none for blocks, one character.

use super::line::{Line, Role};
use super::scene::{LegendKey, Mark, Scene, legend};
use crate::grid::draw::{LinePart, Spacing, layout};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry};

/// Draws a scene in the first form that fits the width, or else in the narrowest, with its legend.
pub fn drawing(geometry: &Geometry, scene: &Scene, width: Option<usize>) -> Vec<Line> {
    let across = (1..).find(|across| across * across >= geometry.size()).unwrap_or(1);
    let canvas = Canvas { geometry, scene, across, levels: geometry.size().div_ceil(across) };
    let mut lines = canvas.lists();
    for form in 0..4 {
        if width.is_none_or(|width| columns(&lines) <= width) {
            break;
        }
        let narrower = match form {
            0 => canvas.blocks(WIDE),
            1 => canvas.blocks(NARROW),
            2 => canvas.overview(Spacing::Narrow),
            _ => canvas.overview(Spacing::Tight),
        };
        if columns(&narrower) < columns(&lines) {
            lines = narrower;
        }
    }
    lines.iter_mut().for_each(|line| line.no_wrap = true);
    lines.extend(key(geometry, scene));
    lines
}

/// Returns the number of columns of the longest line.
pub(super) fn columns(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.to_string().chars().count()).max().unwrap_or(0)
}

/// Returns the character before a candidate, for marks that say what the step does.
fn sign(mark: Option<Mark>) -> Option<char> {
    match mark? {
        Mark::Eliminated => Some('-'),
        Mark::Placed => Some('='),
        Mark::Guardian => Some('*'),
        Mark::Supposed => Some('?'),
        Mark::OneOf | Mark::On | Mark::Off | Mark::Support => None,
    }
}

/// Columns of a candidate in a block, and the space between cells.
#[derive(Clone, Copy)]
struct BlockLayout {
    candidate: usize,
    spacing: Spacing,
}

/// Each candidate has room for its sign.
const WIDE: BlockLayout = BlockLayout { candidate: 2, spacing: Spacing::Wide };
/// The sign replaces the candidate; its place in the block says which one it is.
const NARROW: BlockLayout = BlockLayout { candidate: 1, spacing: Spacing::Narrow };

/// A scene to draw.
#[derive(Clone, Copy)]
struct Canvas<'a> {
    geometry: &'a Geometry,
    scene: &'a Scene,
    /// Candidates in a line of a block.
    across: usize,
    /// Lines of a block.
    levels: usize,
}

impl Canvas<'_> {
    /// Draws lists of candidates, a line for each row.
    fn lists(self) -> Vec<Line> {
        let rows = layout(self.geometry, &|cell| width(&self.cell_list(cell)), Spacing::Wide);
        rows.iter().map(|row| row.iter().fold(Line::default(), |line, part| self.list_part(line, part))).collect()
    }

    fn list_part(self, line: Line, part: &LinePart) -> Line {
        match part {
            LinePart::Border(text) => line.with(Role::Quiet, text),
            LinePart::Cell(cell, columns) => {
                let pieces = self.cell_list(*cell);
                let used = width(&pieces);
                let line = pieces.into_iter().fold(line, |line, (role, text)| line.with(role, text));
                line.with(Role::Plain, " ".repeat(columns - used))
            }
        }
    }

    /// Returns the pieces of a cell: its digit, or its candidates with their signs, in brackets if it belongs to the pattern.
    fn cell_list(self, cell: Cell) -> Vec<(Role, String)> {
        let Scene { state, cells, .. } = self.scene;
        if let Some(digit) = state.value(cell) {
            return vec![(Role::Plain, digit.to_string())];
        }
        let mut out: Vec<(Role, String)> =
            state.candidates(cell).iter().map(|digit| self.signed(cell, digit)).collect();
        if out.is_empty() {
            out.push((Role::Failure, ".".into()));
        }
        if cells.contains(&cell) {
            out.insert(0, (Role::Plain, "[".into()));
            out.push((Role::Plain, "]".into()));
        }
        out
    }

    /// Returns a candidate behind its sign, and its role.
    fn signed(self, cell: Cell, digit: Digit) -> (Role, String) {
        let mark = self.scene.mark_of(Candidate::new(digit, cell));
        let role = mark.map_or(Role::Quiet, Role::Mark);
        (role, sign(mark).into_iter().chain([digit.symbol()]).collect())
    }

    /// Draws one character for each cell: its digit, the sign of what the step does there, or `#` for a cell of the pattern.
    fn overview(self, spacing: Spacing) -> Vec<Line> {
        let rows = layout(self.geometry, &|_| 1, spacing);
        rows.iter().map(|row| row.iter().fold(Line::default(), |line, part| self.overview_part(line, part))).collect()
    }

    fn overview_part(self, line: Line, part: &LinePart) -> Line {
        let cell = match part {
            LinePart::Border(text) => return line.with(Role::Quiet, text),
            LinePart::Cell(cell, _) => *cell,
        };
        let candidates = self.scene.state.candidates(cell).iter().map(|digit| Candidate::new(digit, cell));
        // The order of marks is their weight.
        let mark =
            candidates.filter_map(|one| self.scene.mark_of(one)).filter(|mark| sign(Some(*mark)).is_some()).max();
        match (self.scene.state.value(cell), sign(mark)) {
            (Some(digit), _) => line.with(Role::Plain, digit.to_string()),
            (None, Some(sign)) => line.with(mark.map_or(Role::Plain, Role::Mark), sign),
            (None, None) if self.scene.cells.contains(&cell) => line.with(Role::Plain, "#"),
            (None, None) => line.with(Role::Quiet, "."),
        }
    }

    /// Draws each cell as a block of lines in which every candidate has a place of its own.
    fn blocks(self, block: BlockLayout) -> Vec<Line> {
        let rows = layout(self.geometry, &|_| block.candidate * self.across, block.spacing);
        let mut lines = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let levels = if has_cells(row) { self.levels } else { 1 };
            lines.extend((0..levels).map(|level| self.block_line(row, level, block)));
            // Between two rows of cells without a border, draw a blank line.
            if has_cells(row) && rows.get(at + 1).is_some_and(|next| has_cells(next)) {
                let blank = row.iter().map(|part| match part {
                    LinePart::Border(text) => text.clone(),
                    LinePart::Cell(_, columns) => " ".repeat(*columns),
                });
                lines.push(Line::styled(Role::Quiet, blank.collect::<String>()));
            }
        }
        lines
    }

    /// Draws one line of a row of blocks. Borders beside cells of the pattern are brackets.
    fn block_line(self, row: &[LinePart], level: usize, block: BlockLayout) -> Line {
        let mut line = Line::default();
        for (at, part) in row.iter().enumerate() {
            line = match part {
                LinePart::Border(text) if !has_cells(row) => line.with(Role::Quiet, text),
                LinePart::Border(text) => {
                    let close = if at > 0 && self.is_pattern(&row[at - 1]) { "]" } else { "" };
                    // Two cells of the pattern may share a border of one column.
                    let has_room = text.len() > close.len();
                    let next = row.get(at + 1).filter(|_| has_room);
                    let open = if next.is_some_and(|next| self.is_pattern(next)) { "[" } else { "" };
                    let rest = &text[close.len()..text.len() - open.len()];
                    line.with(Role::Plain, close).with(Role::Quiet, rest).with(Role::Plain, open)
                }
                LinePart::Cell(cell, columns) => self.block_cell(line, (*cell, *columns), level, block),
            };
        }
        line
    }

    fn is_pattern(self, part: &LinePart) -> bool {
        matches!(part, LinePart::Cell(cell, _) if self.scene.cells.contains(cell))
    }

    fn block_cell(self, line: Line, (cell, columns): (Cell, usize), level: usize, block: BlockLayout) -> Line {
        let candidates: DigitSet = match self.scene.state.value(cell) {
            Some(digit) if level == self.levels / 2 => return line.with(Role::Plain, format!("{digit:^columns$}")),
            Some(_) => return line.with(Role::Plain, " ".repeat(columns)),
            None => self.scene.state.candidates(cell),
        };
        let digits = (level * self.across..(level + 1) * self.across).map(|digit| Digit(digit as u8));
        digits.fold(line, |line, digit| match candidates.has(digit) {
            true => {
                let (role, text) = self.signed(cell, digit);
                let shown = text.get(..block.candidate).unwrap_or(&text);
                line.with(role, format!("{shown:>0$}", block.candidate))
            }
            false => line.with(Role::Plain, " ".repeat(block.candidate)),
        })
    }
}

/// Returns the number of columns of some pieces.
fn width(pieces: &[(Role, String)]) -> usize {
    pieces.iter().map(|(_, text)| text.len()).sum()
}

fn has_cells(row: &[LinePart]) -> bool {
    row.iter().any(|part| matches!(part, LinePart::Cell(..)))
}

/// Writes a one-line legend; marks without a sign appear in their colours.
fn key(geometry: &Geometry, scene: &Scene) -> Option<Line> {
    const GAP: &str = "  ";
    let pattern = (!scene.cells.is_empty()).then(|| Line::styled(Role::Quiet, "[ ] pattern"));
    let (mut signs, mut colours): (Vec<Line>, Vec<Line>) = (pattern.into_iter().collect(), Vec::new());
    for (key, words) in legend(geometry, scene) {
        let LegendKey::Mark(mark) = key else { continue };
        match sign(Some(mark)) {
            Some(sign) => signs.push(Line::styled(Role::Mark(mark), sign).with(Role::Quiet, format!(" {words}"))),
            None if mark == Mark::Support => {}
            None => colours.push(Line::styled(Role::Colour(mark), format!("{GAP}{words}"))),
        }
    }
    let signs = signs.into_iter().reduce(|line, entry| line.with(Role::Quiet, GAP).join(entry)).unwrap_or_default();
    let line = colours.into_iter().fold(signs, Line::join);
    (!line.pieces.is_empty()).then_some(line)
}
