//! Reads and writes puzzle texts of all common formats. In: bytes or text. Out: [`Puzzle`]s or [`FormatError`]s. Does no IO.
//!
//! Data flow: bytes → `encoding` (text, clean lines) → [`Stream`] → a reader for each kind of line → [`Puzzle`]. Writing: [`Puzzle`] →
//! [`write`] → text. Files in reading order:
//!
//! - `puzzle`: puzzles, and characters with their positions; `error`: error codes; `boards`: boards and regions.
//! - `encoding`, `lines`, `stream`: texts line by line. A line is a comment, a whole puzzle, a row, or the beginning of a document.
//! - `one_line`: puzzles and library lines on one line.
//! - `drawing`, `columns`, `cell_texts`: grids on several lines, in any style; `borders`: the regions that a drawing shows.
//! - `values`, `documents`, `arrays`, `cell_entry`, `cell_objects`, `variant_keys`: JSON and arrays of programming languages.
//! - `link`, `records`, `sudokupad`, `solver_sites`, `markup`: formats that are recognized by their beginning, each with its writer.
//! - `table`: [`FORMATS`], the capabilities of each format, and the writers of the other formats.

mod arrays;
mod boards;
mod borders;
mod cell_entry;
mod cell_objects;
mod cell_texts;
mod columns;
mod documents;
mod drawing;
mod encoding;
mod error;
mod lines;
mod link;
mod markup;
mod one_line;
mod puzzle;
mod records;
mod solver_sites;
mod stream;
mod sudokupad;
mod table;
mod values;
mod variant_keys;

pub use boards::Feature;
pub use encoding::{Encoding, lines_of, text_of};
pub use error::{CODES, FormatError};
pub use link::{LONGEST_LINK, LONGEST_TEXT};
pub use one_line::{LibraryLine, read_library_line};
pub use puzzle::Puzzle;
pub use records::csv_field;
pub use stream::{LONGEST_LINE, Stream};
pub use table::{
    CandidateSupport, Capabilities, DetectedBy, FORMATS, Format, LoneCandidates, RegionSupport, WrittenPuzzle, write,
};

use super::Geometry;
use std::sync::Arc;

/// Reads a text that contains one puzzle. With a board, only puzzles for that board are read.
///
/// # Errors
/// If the text contains no puzzle, more than one, or an invalid one.
pub fn read_one(text: &str, board: Option<&Arc<Geometry>>) -> Result<Puzzle, FormatError> {
    // A text block of a rule file begins with an empty line and may be indented. In other texts, a blank before the first character
    // is an error to report.
    let is_block = lines_of(text).next().is_some_and(|first| first.trim().is_empty());
    let trimmed = is_block.then(|| lines_of(text).map(str::trim_start).collect::<Vec<_>>().join("\n"));
    let mut readings = read_many(trimmed.as_deref().unwrap_or(text), board).into_iter();
    let first = readings.next().unwrap_or_else(|| {
        Err(FormatError::new(error::EMPTY, (1, 1), "there is no puzzle in this text")
            .with_help("write the cells row by row, `.` or `0` for an empty one"))
    });
    let first = first.map_err(|error| {
        let line = lines_of(text).nth(error.line - 1).filter(|_| is_block).unwrap_or_default();
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        link::step_error(text).unwrap_or(FormatError { column: error.column + indent, ..error })
    })?;
    let Some(second) = readings.next() else { return Ok(first) };
    let line = second.map_or_else(|error| error.line, |puzzle| puzzle.line);
    Err(FormatError::new(error::SECOND_PUZZLE, (line, 1), "a second puzzle begins here; one is expected"))
}

/// Reads all puzzles of a text, in order. An invalid puzzle gives an error, and the others are still read.
pub fn read_many(text: &str, board: Option<&Arc<Geometry>>) -> Vec<Result<Puzzle, FormatError>> {
    let mut stream = Stream::new(board).with_lookahead();
    let mut readings: Vec<_> = lines_of(text).flat_map(|line| stream.read_line(line)).collect();
    readings.extend(stream.finish());
    if let Some(last) = readings.iter_mut().rev().find_map(|reading| reading.as_mut().ok()) {
        last.remarks.extend(stream.take_remarks());
    }
    readings
}

/// Line and character of a text, both from one.
type TextPosition = (usize, usize);

/// Returns the byte offset of `part`, which is a slice of `text`.
fn offset(part: &str, text: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Returns the position of the byte offset `at` in `text`, which is the line with number `line`.
fn position_at(line: usize, text: &str, at: usize) -> TextPosition {
    (line, text[..at].chars().count() + 1)
}
