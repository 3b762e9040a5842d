//! Words with their roles. In: pieces of text. Out: [`Line`]s: plain when printed, and a terminal (or a page)
//! may colour each role as it likes.

use super::scene::Mark;
use std::fmt;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing special.
    Plain,
    /// A heading or the name of a step.
    Name,
    /// Candidates shown false.
    Elimination,
    /// Candidates shown true.
    Placement,
    /// What a step rests on: a chain, cells, houses.
    Pattern,
    /// Less important.
    Quiet,
    /// A good end.
    Good,
    /// A bad end.
    Bad,
    /// A candidate in a drawing, by what it is there for.
    Mark(Mark),
    /// Words of a legend in the colour that they explain: without colours they say nothing and are left out.
    Colour(Mark),
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub role: Role,
    /// The words.
    pub text: String,
}

/// A line of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// In order.
    pub pieces: Vec<Piece>,
    /// Whether it belongs to a drawing: such a line is never wrapped.
    pub fixed: bool,
}

impl Line {
    /// A line of one role.
    pub fn of(role: Role, text: impl Into<String>) -> Line {
        Line::default().and(role, text)
    }

    /// A line of ordinary text.
    pub fn text(text: impl Into<String>) -> Line {
        Line::of(Role::Plain, text)
    }

    /// A line of a drawing.
    pub fn drawn(text: &str) -> Line {
        Line { fixed: true, ..Line::text(text) }
    }

    /// Goes on with another piece.
    pub fn and(mut self, role: Role, text: impl Into<String>) -> Line {
        let text = text.into();
        if !text.is_empty() {
            self.pieces.push(Piece { role, text });
        }
        self
    }

    /// The line where there are no colours.
    pub fn without_colours(&self) -> Line {
        let pieces = self.pieces.iter().filter(|piece| !matches!(piece.role, Role::Colour(_))).cloned().collect();
        Line { pieces, fixed: self.fixed }
    }

    /// Goes on with another line.
    pub fn join(mut self, other: Line) -> Line {
        self.pieces.extend(other.pieces);
        self
    }
}

impl Line {
    /// The line on as many lines as a width asks for. What goes on stands below the words that it goes on with: behind the number of
    /// a numbered line, else two further in.
    pub fn wrapped(&self, width: usize) -> Vec<Line> {
        let text = self.to_string();
        if self.fixed || text.chars().count() <= width {
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
            line = line.and(role, word);
            used += long;
        }
        lines.push(line);
        lines
    }

    /// Without the blanks behind its last word: a terminal that is just so wide would begin another line for them.
    fn trimmed(mut self) -> Line {
        if let Some(last) = self.pieces.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        self
    }

    /// The words, each with the blanks behind it; those at the beginning are a word of their own.
    fn words(&self) -> impl Iterator<Item = (Role, &str)> {
        self.pieces.iter().flat_map(|piece| piece.text.split_inclusive(' ').map(|word| (piece.role, word)))
    }
}

/// Where a line goes on that is too long.
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
