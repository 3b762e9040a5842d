//! Why a text is no puzzle. In: what a reader stumbled over. Out: a code, a place and words that say what to do.

use serde::Serialize;
use std::fmt;

/// A text that cannot be read as a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FormatError {
    /// Stable code, `P01` to `P17`.
    pub code: &'static str,
    /// Line of the text, from one.
    pub line: usize,
    /// Character of the line, from one.
    pub column: usize,
    /// What is wrong, in one line.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Nothing to read.
pub(super) const EMPTY: &str = "P01";
/// Not text.
pub(super) const BINARY: &str = "P02";
/// The wrong number of characters or cells.
pub(super) const LENGTH: &str = "P03";
/// A character that means nothing in a puzzle.
pub(super) const CHARACTER: &str = "P04";
/// A digit that the board does not have.
pub(super) const TOO_LARGE: &str = "P05";
/// A digit twice in a house.
pub(super) const TWICE: &str = "P06";
/// A puzzle without a single digit.
pub(super) const NO_CLUE: &str = "P07";
/// Rows of different lengths, or too few of them.
pub(super) const ROWS: &str = "P08";
/// A candidate list that is empty, repeats a digit or has one out of its place.
pub(super) const LIST: &str = "P09";
/// A library line or its triples.
pub(super) const LIBRARY: &str = "P10";
/// Something before the first character of a puzzle.
pub(super) const BEFORE: &str = "P11";
/// More than one puzzle where one is expected.
pub(super) const SEVERAL: &str = "P12";
/// Regions in the note of a puzzle that make no board.
pub(super) const REGIONS: &str = "P13";

/// A link or document that cannot be unpacked, or lacks something.
pub(super) const DOCUMENT: &str = "P14";
/// A constraint that no board has.
pub(super) const CONSTRAINT: &str = "P15";
/// A puzzle that a format cannot hold.
pub(super) const CANNOT_HOLD: &str = "P16";

/// A text that is a puzzle in two ways.
pub(super) const AMBIGUOUS: &str = "P17";

/// Every code with what is wrong.
pub const CODES: [(&str, &str); 17] = [
    (EMPTY, "nothing to read"),
    (BINARY, "not a text"),
    (LENGTH, "the wrong number of characters or cells"),
    (CHARACTER, "a character without a meaning in a puzzle"),
    (TOO_LARGE, "a digit that the board does not have"),
    (TWICE, "a digit is twice in a row, column or box"),
    (NO_CLUE, "no digit at all"),
    (ROWS, "rows of different lengths, or too few of them"),
    (LIST, "a candidate list is empty, repeats a digit, or has one in the wrong place"),
    (LIBRARY, "a library line lacks parts, or a triple is not a candidate"),
    (BEFORE, "a blank or a byte order mark before the puzzle (at the beginning of a file it is accepted)"),
    (SEVERAL, "a second puzzle where one is expected"),
    (REGIONS, "the regions of a puzzle do not make a board"),
    (DOCUMENT, "a damaged or incomplete link or document"),
    (CONSTRAINT, "a constraint that Pinion does not have"),
    (CANNOT_HOLD, "a puzzle that the output format cannot hold"),
    (AMBIGUOUS, "a text that can be read in two ways"),
];

/// Refuses a text that is a puzzle in two ways.
pub(super) fn ambiguous(place: (usize, usize), one: &str, other: &str) -> FormatError {
    FormatError::new(AMBIGUOUS, place, format!("this can be read in two ways: as {one}, or as {other}"))
        .help("write the puzzle as one line of characters, `.` for an empty cell")
}

impl FormatError {
    pub(super) fn new(code: &'static str, place: (usize, usize), message: impl Into<String>) -> FormatError {
        FormatError { code, line: place.0, column: place.1, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> FormatError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}, column {}: {}", self.code, self.line, self.column, self.message)?;
        self.help.iter().try_for_each(|help| write!(f, " ({help})"))
    }
}

impl std::error::Error for FormatError {}
