//! Lines of text whose pieces have roles. In: pieces of text; texts that contain drawn grids. Out: [`Line`]s without styles (a terminal or
//! a page chooses a colour for each role), wrapped to a width; a grid that is too wide comes in parts, one below the other, each with the
//! numbers of its columns. For web pages HTML in which every text is escaped.

use super::scene::Mark;
use super::svg::escaped;
use std::fmt;
use std::ops::Range;

/// The role of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Ordinary text.
    Plain,
    /// A heading or the name of a step.
    Name,
    /// Eliminated candidates.
    Elimination,
    /// Placed candidates.
    Placement,
    /// The pattern of a step: a chain, cells, houses.
    Pattern,
    /// Less important text.
    Quiet,
    /// A success.
    Success,
    /// A failure or a warning.
    Failure,
    /// A candidate in a drawing, by its mark.
    Mark(Mark),
    /// Words of a legend in the colour that they explain; left out if there are no colours.
    Colour(Mark),
}

/// A piece of text with one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The role.
    pub role: Role,
    /// The words.
    pub text: String,
}

/// A line of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The pieces, in order.
    pub pieces: Vec<Piece>,
    /// True for a line of a drawing, which is never wrapped.
    pub no_wrap: bool,
}

impl Line {
    /// Makes a line of one piece.
    pub fn styled(role: Role, text: impl Into<String>) -> Line {
        Line::default().with(role, text)
    }

    /// Makes a line of ordinary text.
    pub fn text(text: impl Into<String>) -> Line {
        Line::styled(Role::Plain, text)
    }

    /// Makes a line that begins with `columns` blanks.
    pub(super) fn indent(columns: usize) -> Line {
        Line::text(" ".repeat(columns))
    }

    /// Makes a line of a drawing.
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

    /// Returns the line for output without colours.
    pub fn without_colours(&self) -> Line {
        let pieces = self.pieces.iter().filter(|piece| !matches!(piece.role, Role::Colour(_))).cloned().collect();
        Line { pieces, no_wrap: self.no_wrap }
    }

    /// Appends the pieces of another line.
    pub fn join(mut self, other: Line) -> Line {
        self.pieces.extend(other.pieces);
        self
    }

    /// Wraps the line to a width in columns. Continuation lines are indented to the text behind the number of a numbered line, else by two
    /// columns more than the line.
    pub fn wrapped(&self, width: usize) -> Vec<Line> {
        let text = self.to_string();
        if self.no_wrap || text.chars().count() <= width {
            return vec![self.clone()];
        }
        let hang = hang(&text).min(width / 2);
        let (mut lines, mut line, mut used) = (Vec::new(), Line::default(), 0);
        for (role, word) in self.words() {
            let long = word.chars().count();
            if used > hang && used + word.trim_end().chars().count() > width {
                lines.push(std::mem::take(&mut line).trimmed());
                line = Line::text(" ".repeat(hang));
                used = hang;
            }
            line = line.with(role, word);
            used += long;
        }
        lines.push(line);
        lines
    }

    /// Removes trailing blanks: a terminal of exactly this width would begin another line for them.
    fn trimmed(mut self) -> Line {
        if let Some(last) = self.pieces.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        self
    }

    /// Returns the words, each with the blanks behind it; leading blanks are a word of their own.
    fn words(&self) -> impl Iterator<Item = (Role, &str)> {
        self.pieces.iter().flat_map(|piece| piece.text.split_inclusive(' ').map(|word| (piece.role, word)))
    }
}

/// Returns the indentation of continuation lines.
fn hang(text: &str) -> usize {
    let words = text.trim_start();
    let indent = text.len() - words.len();
    let number = words.find(". ").filter(|&end| end > 0 && words[..end].bytes().all(|byte| byte.is_ascii_digit()));
    indent + number.map_or(2, |end| end + 2)
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| f.write_str(&piece.text))
    }
}

/// Writes lines without styles, each with a line end.
pub fn unstyled(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.without_colours())).collect()
}

/// Writes each line as a paragraph.
pub fn html_lines(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("<p class=\"line\">{}</p>", html_pieces(line))).collect()
}

/// Writes the pieces of a line, with their roles as classes.
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

/// Returns the lines of a text, indented, with the grids in it cut to a width.
pub fn split_to_width(text: &str, indent: usize, width: Option<usize>) -> Vec<Line> {
    let all: Vec<&str> = text.lines().collect();
    let mut out = Vec::new();
    for block in all.chunk_by(|a, b| is_drawn(a) == is_drawn(b)) {
        let drawn = is_drawn(block[0]);
        match width.map(|width| width.saturating_sub(indent)).filter(|_| drawn) {
            Some(width) if columns(block) > width => out.extend(parts(block, indent, width)),
            _ => out.extend(block.iter().map(|line| Line { no_wrap: drawn, ..indented(line, indent) })),
        }
    }
    out
}

/// Returns true for a line of a drawn grid.
fn is_drawn(line: &str) -> bool {
    line.starts_with(['|', '+']) && line.ends_with(['|', '+'])
}

fn indented(text: &str, indent: usize) -> Line {
    if text.is_empty() { Line::default() } else { Line::text(" ".repeat(indent) + text) }
}

/// Returns the number of columns of the longest line.
fn columns(grid: &[&str]) -> usize {
    grid.iter().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// Cuts a grid into parts: each as many boxes as fit or, if a box does not fit, as many cells.
fn parts(grid: &[&str], indent: usize, width: usize) -> Vec<Line> {
    let signs: Vec<Vec<char>> = grid.iter().map(|line| line.chars().collect()).collect();
    let end = columns(grid) - 1;
    let (mut out, mut start, mut cells) = (Vec::new(), 0, 0);
    while start < end {
        let cut = next_cut(&signs, start, width).min(end);
        let shown = cells_in(&signs, start..cut);
        let words = match shown {
            1 => format!("Column {}:", cells + 1),
            count => format!("Columns {} to {}:", cells + 1, cells + count),
        };
        out.push(Line::styled(Role::Quiet, " ".repeat(indent) + &words));
        for line in &signs {
            let text: String = line.iter().skip(start).take(cut + 1 - start).collect();
            out.push(Line { no_wrap: true, ..indented(text.trim_end(), indent) });
        }
        (start, cells) = (cut, cells + shown);
    }
    out
}

/// Returns the last column at which a part that begins at `start` may end: a border of all rows, or else a blank between cells.
fn next_cut(signs: &[Vec<char>], start: usize, width: usize) -> usize {
    let last = start + width.max(2) - 1;
    let end = signs.iter().map(Vec::len).max().unwrap_or(1) - 1;
    if last >= end {
        return end;
    }
    const GAP: [char; 4] = [' ', '-', '|', '+'];
    let mut columns = (start + 1..=last).rev();
    let border = columns.clone().find(|&at| is_all(signs, at, &['|', '+']));
    border.or_else(|| columns.find(|&at| is_all(signs, at, &GAP) && !is_all(signs, at + 1, &GAP))).unwrap_or(last)
}

/// Returns true if a column has only some characters; shorter lines don't count.
fn is_all(signs: &[Vec<char>], column: usize, of: &[char]) -> bool {
    signs.iter().all(|line| line.get(column).is_none_or(|sign| of.contains(sign)))
}

/// Counts the cells of a row between two columns of the text.
fn cells_in(signs: &[Vec<char>], range: Range<usize>) -> usize {
    let row = signs.iter().find(|line| line.first() == Some(&'|'));
    let text: String = row.into_iter().flatten().skip(range.start).take(range.len()).collect();
    text.split([' ', '|']).filter(|word| !word.is_empty()).count()
}
