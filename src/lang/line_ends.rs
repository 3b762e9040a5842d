//! Line ends. In: a text with LF, CR LF or CR at the end of its lines. Out: the same text in the form that the parser
//! reads, and the line end that a text mostly has.

use std::borrow::Cow;

/// A line ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// `\n`.
    Lf,
    /// `\r\n`.
    CrLf,
    /// `\r` alone.
    Cr,
}

impl LineEnd {
    /// Returns the line end that most lines of a text have; of several equally common ones the first in the order of the type.
    pub fn of(text: &str) -> LineEnd {
        let [lf, crlf, cr] = counts(text);
        if lf >= crlf && lf >= cr {
            LineEnd::Lf
        } else if crlf >= cr {
            LineEnd::CrLf
        } else {
            LineEnd::Cr
        }
    }

    /// The characters.
    pub fn text(self) -> &'static str {
        match self {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
            LineEnd::Cr => "\r",
        }
    }

    /// The name for messages.
    pub fn name(self) -> &'static str {
        match self {
            LineEnd::Lf => "LF",
            LineEnd::CrLf => "CR LF",
            LineEnd::Cr => "CR",
        }
    }

    /// Gives every line of a text with LF this end.
    pub fn put_into(self, text: String) -> String {
        if self == LineEnd::Lf { text } else { text.replace('\n', self.text()) }
    }
}

/// Returns true if lines of a text end in different ways.
pub fn are_mixed(text: &str) -> bool {
    counts(text).iter().filter(|count| **count > 0).count() > 1
}

/// Counts the lines that end in LF, in CR LF and in CR.
fn counts(text: &str) -> [usize; 3] {
    let bytes = text.as_bytes();
    let mut out = [0; 3];
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' if at > 0 && bytes[at - 1] == b'\r' => out[1] += 1,
            b'\n' => out[0] += 1,
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => out[2] += 1,
            _ => {}
        }
    }
    out
}

/// Turns each CR that alone ends a line into LF; every byte keeps its place.
pub fn lone_cr_as_lf(text: &str) -> Cow<'_, str> {
    if counts(text)[2] == 0 {
        return Cow::Borrowed(text);
    }
    let mut letters = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        out.push(if letter == '\r' && letters.peek() != Some(&'\n') { '\n' } else { letter });
    }
    Cow::Owned(out)
}

/// Turns every line end into LF.
pub fn all_as_lf(text: &str) -> Cow<'_, str> {
    match lone_cr_as_lf(text) {
        text if text.contains("\r\n") => Cow::Owned(text.replace("\r\n", "\n")),
        text => text,
    }
}
