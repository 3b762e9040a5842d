//! Lines of text whose pieces have roles; a terminal or a page chooses a style for each role. In: pieces of text; texts that contain drawn
//! grids. Out: [`Line`]s, wrapped to a width, or HTML with escaped text.
//!
//! A drawn grid that is too wide is cut into parts, which stand one below the other. Above each part stand the numbers of its columns.

use super::scene::Mark;
use super::svg::escaped;
use std::fmt;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Plain,
    /// A heading or the name of a step.
    Name,
    Elimination,
    Placement,
    /// The pattern of a step: a chain, cells, houses.
    Pattern,
    Quiet,
    Success,
    /// A failure or a warning.
    Failure,
    /// A candidate in a drawing, by its mark.
    Mark(Mark),
    /// Words of a legend, in the colour of a mark. Output without colours omits these words.
    Colour(Mark),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub role: Role,
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub pieces: Vec<Piece>,
    /// True for a line of a drawing, which is never wrapped.
    pub no_wrap: bool,
}

impl Line {
    pub fn styled(role: Role, text: impl Into<String>) -> Line {
        Line::default().with(role, text)
    }

    pub fn text(text: impl Into<String>) -> Line {
        Line::styled(Role::Plain, text)
    }

    pub(super) fn indent(columns: usize) -> Line {
        Line::text(" ".repeat(columns))
    }

    pub fn drawing(text: &str) -> Line {
        Line { no_wrap: true, ..Line::text(text) }
    }

    /// Appends a piece, unless its text is empty.
    pub fn with(mut self, role: Role, text: impl Into<String>) -> Line {
        let text = text.into();
        if !text.is_empty() {
            self.pieces.push(Piece { role, text });
        }
        self
    }

    /// Returns the line without the pieces that only explain a colour.
    pub fn without_colours(&self) -> Line {
        let pieces = self.pieces.iter().filter(|piece| !matches!(piece.role, Role::Colour(_))).cloned().collect();
        Line { pieces, no_wrap: self.no_wrap }
    }

    pub fn join(mut self, other: Line) -> Line {
        self.pieces.extend(other.pieces);
        self
    }

    /// Wraps the line to a width in columns. After a line with a number (`12. Name`), continuation lines begin below the
    /// text behind the number. After any other line, they are indented by two columns more than the line.
    pub fn wrapped(&self, width: usize) -> Vec<Line> {
        let text = self.to_string();
        if self.no_wrap || text.chars().count() <= width {
            return vec![self.clone()];
        }
        let indent = continuation_indent(&text).min(width / 2);
        let mut lines = Vec::new();
        let mut line = Line::default();
        let mut used = 0;
        for (role, word) in self.words() {
            if used > indent && used + word.trim_end().chars().count() > width {
                lines.push(std::mem::take(&mut line).without_trailing_blanks());
                line = Line::indent(indent);
                used = indent;
            }
            line = line.with(role, word);
            used += word.chars().count();
        }
        lines.push(line);
        lines
    }

    /// Removes trailing blanks: if the text fills the width, a terminal would begin a new line for the blanks.
    fn without_trailing_blanks(mut self) -> Line {
        if let Some(last) = self.pieces.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        self
    }

    /// Returns the words with their roles. A word includes one blank behind it; every further blank is a word of its own.
    fn words(&self) -> impl Iterator<Item = (Role, &str)> {
        self.pieces.iter().flat_map(|piece| piece.text.split_inclusive(' ').map(|word| (piece.role, word)))
    }
}

fn continuation_indent(text: &str) -> usize {
    let words = text.trim_start();
    let indent = text.len() - words.len();
    match words.find(". ") {
        Some(end) if end > 0 && words[..end].bytes().all(|byte| byte.is_ascii_digit()) => indent + end + 2,
        _ => indent + 2,
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| f.write_str(&piece.text))
    }
}

/// Writes lines as plain text, each with a line end.
pub fn unstyled(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.without_colours())).collect()
}

/// Writes each line as a paragraph of HTML.
pub fn html_lines(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("<p class=\"line\">{}</p>", html_pieces(line))).collect()
}

/// Writes the pieces of a line as HTML, with their roles as classes.
pub fn html_pieces(line: &Line) -> String {
    let pieces = line.pieces.iter().map(|piece| {
        let class = match piece.role {
            Role::Name => "name",
            Role::Pattern => "pattern",
            Role::Placement => "placement",
            Role::Elimination => "elimination",
            Role::Plain | Role::Quiet | Role::Success | Role::Failure | Role::Mark(_) | Role::Colour(_) => {
                return escaped(&piece.text);
            }
        };
        format!("<span class=\"{class}\">{}</span>", escaped(&piece.text))
    });
    pieces.collect()
}

/// Returns the indented lines of a text. Drawn grids in the text that exceed the width are cut into parts.
pub fn split_to_width(text: &str, indent: usize, width: Option<usize>) -> Vec<Line> {
    let texts: Vec<&str> = text.lines().collect();
    let available = width.map_or(usize::MAX, |width| width.saturating_sub(indent));
    let mut lines = Vec::new();
    for block in texts.chunk_by(|a, b| is_grid_line(a) == is_grid_line(b)) {
        let is_grid = is_grid_line(block[0]);
        if is_grid && column_count(block) > available {
            lines.extend(grid_parts(block, indent, available));
        } else {
            lines.extend(block.iter().map(|line| Line { no_wrap: is_grid, ..indented(line, indent) }));
        }
    }
    lines
}

fn is_grid_line(line: &str) -> bool {
    line.starts_with(['|', '+']) && line.ends_with(['|', '+'])
}

fn indented(text: &str, indent: usize) -> Line {
    if text.is_empty() { Line::default() } else { Line::text(" ".repeat(indent) + text) }
}

fn column_count(grid: &[&str]) -> usize {
    grid.iter().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// Cuts a grid into parts. A part has as many boxes as fit the width. If not even one box fits, a part has as many
/// cells as fit. The border between two parts is drawn in both.
fn grid_parts(grid: &[&str], indent: usize, width: usize) -> Vec<Line> {
    let rows: Vec<Vec<char>> = grid.iter().map(|line| line.chars().collect()).collect();
    let end = column_count(grid) - 1;
    let mut lines = Vec::new();
    let mut start = 0;
    let mut first_cell = 1;
    while start < end {
        let cut = last_cut(&rows, start, width).min(end);
        let cell_count = count_cells(&rows, start..cut);
        let heading = match cell_count {
            1 => format!("Column {first_cell}:"),
            count => format!("Columns {first_cell} to {}:", first_cell + count - 1),
        };
        lines.push(Line::styled(Role::Quiet, " ".repeat(indent) + &heading));
        for row in &rows {
            let text: String = row.iter().skip(start).take(cut + 1 - start).collect();
            lines.push(Line { no_wrap: true, ..indented(text.trim_end(), indent) });
        }
        (start, first_cell) = (cut, first_cell + cell_count);
    }
    lines
}

/// Returns the last text column of the part that begins at `start`: the last border that fits the width, or else the last
/// blank between cells.
fn last_cut(rows: &[Vec<char>], start: usize, width: usize) -> usize {
    let last = start + width.max(2) - 1;
    let end = rows.iter().map(Vec::len).max().unwrap_or(1) - 1;
    if last >= end {
        return end;
    }
    const BORDER: [char; 2] = ['|', '+'];
    const GAP: [char; 4] = [' ', '-', '|', '+'];
    let mut columns = (start + 1..=last).rev();
    if let Some(border) = columns.clone().find(|&column| column_has_only(rows, column, &BORDER)) {
        return border;
    }
    let gap_end =
        columns.find(|&column| column_has_only(rows, column, &GAP) && !column_has_only(rows, column + 1, &GAP));
    gap_end.unwrap_or(last)
}

/// Returns true if a text column contains only `allowed` characters. Lines that end before the column are ignored.
fn column_has_only(rows: &[Vec<char>], column: usize, allowed: &[char]) -> bool {
    rows.iter().all(|row| row.get(column).is_none_or(|c| allowed.contains(c)))
}

fn count_cells(rows: &[Vec<char>], range: Range<usize>) -> usize {
    let row_of_cells = rows.iter().find(|row| row.first() == Some(&'|'));
    let text: String = row_of_cells.into_iter().flatten().skip(range.start).take(range.len()).collect();
    text.split([' ', '|']).filter(|word| !word.is_empty()).count()
}
