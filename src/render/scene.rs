//! Words with their roles. In: pieces of text. Out: [`Line`]s: plain when printed, and a terminal (or a page)
//! may colour each role as it likes.

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
    /// A chain.
    Chain,
    /// Less important.
    Quiet,
    /// A good end.
    Good,
    /// A bad end.
    Bad,
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
}

impl Line {
    /// A line of one role.
    pub fn of(role: Role, text: impl Into<String>) -> Line {
        Line::default().and(role, text)
    }

    /// A plain line.
    pub fn plain(text: impl Into<String>) -> Line {
        Line::of(Role::Plain, text)
    }

    /// Goes on with another piece.
    pub fn and(mut self, role: Role, text: impl Into<String>) -> Line {
        let text = text.into();
        if !text.is_empty() {
            self.pieces.push(Piece { role, text });
        }
        self
    }

    /// Goes on with another line.
    pub fn join(mut self, other: Line) -> Line {
        self.pieces.extend(other.pieces);
        self
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| f.write_str(&piece.text))
    }
}

/// Lines as plain text, each ended.
pub fn plain(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}
