//! Draws a scene in characters. In: a scene, optionally a width. Out: lines with borders, cells and a legend; the pieces of a line have
//! roles, from which a terminal chooses colours.
//!
//! The drawing can be read without colours: cells of the pattern stand in brackets, and a sign stands before a marked candidate (`-5` is
//! eliminated). A cell is drawn as a list of its candidates. If the lists are too wide, a cell is drawn as a block of several lines. If the
//! blocks are too wide, a cell is drawn as one character.

use super::line::{Line, Role};
use super::scene::{LegendKey, Mark, Scene, legend};
use crate::grid::draw::{LinePart, Spacing, layout};
use crate::grid::{Candidate, Cell, Digit, Geometry};

/// Draws a scene with its legend: as lists, blocks or single characters, whichever fits the width first. If nothing fits, the narrowest
/// drawing is returned.
pub fn drawing(geometry: &Geometry, scene: &Scene, width: Option<usize>) -> Vec<Line> {
    let block_columns = (1..).find(|columns| columns * columns >= geometry.size()).unwrap_or(1);
    let block_lines = geometry.size().div_ceil(block_columns);
    let canvas = Canvas { geometry, scene, block_columns, block_lines };
    let mut lines = canvas.lists();
    let narrow_forms: [fn(Canvas<'_>) -> Vec<Line>; 4] = [
        |canvas| canvas.blocks(WIDE),
        |canvas| canvas.blocks(NARROW),
        |canvas| canvas.overview(Spacing::Narrow),
        |canvas| canvas.overview(Spacing::Tight),
    ];
    for form in narrow_forms {
        if width.is_none_or(|width| text_width(&lines) <= width) {
            break;
        }
        let narrower = form(canvas);
        if text_width(&narrower) < text_width(&lines) {
            lines = narrower;
        }
    }
    lines.iter_mut().for_each(|line| line.no_wrap = true);
    lines.extend(legend_line(geometry, scene));
    lines
}

pub(super) fn text_width(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.to_string().chars().count()).max().unwrap_or(0)
}

/// Returns the sign before a candidate; `None` for marks that only a colour shows.
fn sign(mark: Option<Mark>) -> Option<char> {
    match mark? {
        Mark::Eliminated => Some('-'),
        Mark::Placed => Some('='),
        Mark::Guardian => Some('*'),
        Mark::Supposed => Some('?'),
        Mark::OneOf | Mark::On | Mark::Off | Mark::Support => None,
    }
}

#[derive(Clone, Copy)]
struct BlockLayout {
    /// Number of characters for a candidate and its sign.
    candidate_width: usize,
    spacing: Spacing,
}

/// Blocks with room for the sign before each candidate.
const WIDE: BlockLayout = BlockLayout { candidate_width: 2, spacing: Spacing::Wide };
/// Blocks in which the sign replaces the digit. The position in the block shows which digit is meant.
const NARROW: BlockLayout = BlockLayout { candidate_width: 1, spacing: Spacing::Narrow };

#[derive(Clone, Copy)]
struct Canvas<'a> {
    geometry: &'a Geometry,
    scene: &'a Scene,
    block_columns: usize,
    block_lines: usize,
}

impl Canvas<'_> {
    /// Draws one line for each row, with the list of candidates of each cell.
    fn lists(self) -> Vec<Line> {
        self.rows(Spacing::Wide, &|cell| self.cell_list(cell))
    }

    /// Draws one line for each row. `pieces` returns the pieces of a cell.
    fn rows(self, spacing: Spacing, pieces: &dyn Fn(Cell) -> Vec<(Role, String)>) -> Vec<Line> {
        let rows = layout(self.geometry, &|cell| width(&pieces(cell)), spacing);
        let lines = rows.iter().map(|row| {
            row.iter().fold(Line::default(), |line, part| match part {
                LinePart::Border(text) => line.with(Role::Quiet, text),
                LinePart::Cell(cell, cell_width) => {
                    let pieces = pieces(*cell);
                    let blanks = " ".repeat(cell_width - width(&pieces));
                    let line = pieces.into_iter().fold(line, |line, (role, text)| line.with(role, text));
                    line.with(Role::Plain, blanks)
                }
            })
        });
        lines.collect()
    }

    /// Returns the pieces of a cell: `5`, `1-37` (candidates with signs), `[1-37]` (a cell of the pattern).
    fn cell_list(self, cell: Cell) -> Vec<(Role, String)> {
        let Scene { state, cells, .. } = self.scene;
        if let Some(digit) = state.value(cell) {
            return vec![(Role::Plain, digit.to_string())];
        }
        let mut pieces: Vec<(Role, String)> =
            state.candidates(cell).iter().map(|digit| self.candidate_with_sign(cell, digit)).collect();
        if pieces.is_empty() {
            pieces.push((Role::Failure, ".".into()));
        }
        if cells.contains(&cell) {
            pieces.insert(0, (Role::Plain, "[".into()));
            pieces.push((Role::Plain, "]".into()));
        }
        pieces
    }

    fn candidate_with_sign(self, cell: Cell, digit: Digit) -> (Role, String) {
        let mark = self.scene.mark_of(Candidate::new(digit, cell));
        let role = mark.map_or(Role::Quiet, Role::Mark);
        (role, sign(mark).into_iter().chain([digit.symbol()]).collect())
    }

    /// Draws one character for each cell: its digit, the sign of its most important mark (the last in `Mark`), `#` for a cell of the pattern, or `.`.
    fn overview(self, spacing: Spacing) -> Vec<Line> {
        self.rows(spacing, &|cell| vec![self.cell_sign(cell)])
    }

    fn cell_sign(self, cell: Cell) -> (Role, String) {
        if let Some(digit) = self.scene.state.value(cell) {
            return (Role::Plain, digit.to_string());
        }
        let candidates = self.scene.state.candidates(cell).in_cell(cell);
        let marks = candidates.filter_map(|candidate| self.scene.mark_of(candidate));
        let greatest = marks.filter_map(|mark| Some((mark, sign(Some(mark))?))).max();
        match greatest {
            Some((mark, sign)) => (Role::Mark(mark), sign.to_string()),
            None if self.scene.cells.contains(&cell) => (Role::Plain, "#".into()),
            None => (Role::Quiet, ".".into()),
        }
    }

    /// Draws each cell as a block of lines in which every candidate has a fixed position.
    fn blocks(self, block: BlockLayout) -> Vec<Line> {
        let rows = layout(self.geometry, &|_| block.candidate_width * self.block_columns, block.spacing);
        let mut lines = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let line_count = if has_cells(row) { self.block_lines } else { 1 };
            lines.extend((0..line_count).map(|line_index| self.block_line(row, line_index, block)));
            // Between two rows of cells without a border, draw a blank line.
            if has_cells(row) && rows.get(index + 1).is_some_and(|next| has_cells(next)) {
                let blank = row.iter().map(|part| match part {
                    LinePart::Border(text) => text.clone(),
                    LinePart::Cell(_, cell_width) => " ".repeat(*cell_width),
                });
                lines.push(Line::styled(Role::Quiet, blank.collect::<String>()));
            }
        }
        lines
    }

    /// Draws one line of a row of blocks. Borders beside cells of the pattern are brackets.
    fn block_line(self, row: &[LinePart], line_index: usize, block: BlockLayout) -> Line {
        let mut line = Line::default();
        for (index, part) in row.iter().enumerate() {
            line = match part {
                LinePart::Border(text) if !has_cells(row) => line.with(Role::Quiet, text),
                LinePart::Border(text) => {
                    let follows_pattern = index > 0 && self.is_pattern(&row[index - 1]);
                    let close = if follows_pattern { "]" } else { "" };
                    // A border of one column has room for one bracket only.
                    let has_room = text.len() > close.len();
                    let precedes_pattern = row.get(index + 1).is_some_and(|next| self.is_pattern(next));
                    let open = if has_room && precedes_pattern { "[" } else { "" };
                    let middle = &text[close.len()..text.len() - open.len()];
                    line.with(Role::Plain, close).with(Role::Quiet, middle).with(Role::Plain, open)
                }
                LinePart::Cell(cell, cell_width) => self.block_cell(line, *cell, *cell_width, line_index, block),
            };
        }
        line
    }

    fn is_pattern(self, part: &LinePart) -> bool {
        matches!(part, LinePart::Cell(cell, _) if self.scene.cells.contains(cell))
    }

    fn block_cell(self, line: Line, cell: Cell, cell_width: usize, line_index: usize, block: BlockLayout) -> Line {
        if let Some(digit) = self.scene.state.value(cell) {
            let is_middle = line_index == self.block_lines / 2;
            let text = if is_middle { format!("{digit:^cell_width$}") } else { " ".repeat(cell_width) };
            return line.with(Role::Plain, text);
        }
        let candidates = self.scene.state.candidates(cell);
        let first = line_index * self.block_columns;
        let digits = (first..first + self.block_columns).map(|digit| Digit(digit as u8));
        let width = block.candidate_width;
        digits.fold(line, |line, digit| {
            if !candidates.has(digit) {
                return line.with(Role::Plain, " ".repeat(width));
            }
            let (role, text) = self.candidate_with_sign(cell, digit);
            let fitting = text.get(..width).unwrap_or(&text);
            line.with(role, format!("{fitting:>width$}"))
        })
    }
}

/// Returns the number of columns of some pieces. The pieces are ASCII.
fn width(pieces: &[(Role, String)]) -> usize {
    pieces.iter().map(|(_, text)| text.len()).sum()
}

fn has_cells(row: &[LinePart]) -> bool {
    row.iter().any(|part| matches!(part, LinePart::Cell(..)))
}

/// Writes the legend in one line: marks with a sign, then the other marks in their colours. `None` if the legend is empty.
fn legend_line(geometry: &Geometry, scene: &Scene) -> Option<Line> {
    const GAP: &str = "  ";
    let mut signs = Vec::new();
    let mut colours = Vec::new();
    if !scene.cells.is_empty() {
        signs.push(Line::styled(Role::Quiet, "[ ] pattern"));
    }
    for (key, words) in legend(geometry, scene) {
        let LegendKey::Mark(mark) = key else { continue };
        match sign(Some(mark)) {
            Some(sign) => signs.push(Line::styled(Role::Mark(mark), sign).with(Role::Quiet, format!(" {words}"))),
            // The brackets show the pattern.
            None if mark == Mark::Support => {}
            None => colours.push(Line::styled(Role::Colour(mark), format!("{GAP}{words}"))),
        }
    }
    let signs = signs.into_iter().reduce(|line, entry| line.with(Role::Quiet, GAP).join(entry)).unwrap_or_default();
    let line = colours.into_iter().fold(signs, Line::join);
    if line.pieces.is_empty() { None } else { Some(line) }
}
