//! Puzzle texts of every common kind. In: bytes or text. Out: [`Puzzle`]s or [`FormatError`]s; no IO.
//!
//! [`FORMATS`] lists them all, with what each can hold. Some are recognised by their shape (`lines`, `one_line`, `drawing`),
//! the others by what they begin with (`link`). [`Stream`] reads files of many, with comments (`#`, `;`, `//`), titles and
//! `[Puzzle]` headings between them.

mod boards;
mod cell_texts;
mod cells;
mod characters;
mod coach;
mod columns;
mod content;
mod csv;
mod decimals;
mod documents;
mod drawing;
mod encoding;
mod error;
mod features;
mod fpuzzles;
mod hold;
mod iss;
mod json;
mod killer;
mod labels;
mod library;
mod lines;
mod link;
mod lists;
mod one_line;
mod opensudoku;
mod packed;
mod puzzle;
mod s9b;
mod signs;
mod step;
mod stream;
mod sudokupad;
mod table;
mod text;
mod values;
mod variants;

pub use csv::field as csv_field;
pub use encoding::{Encoding, lines_of, text_of};
pub use error::{CODES, FormatError};
pub use hold::{Format, Holds, Lists, Lone, Shapes, ToldBy, Variant, Written, write};
pub use library::{LibraryLine, read_library_line};
pub use packed::{LONGEST_LINK, LONGEST_TEXT};
pub use puzzle::Puzzle;
pub use stream::{LONGEST_LINE, Stream};
pub use table::FORMATS;

use super::Geometry;
use std::sync::Arc;

/// Reads a text that holds one puzzle. With a board only puzzles for it are read.
///
/// # Errors
/// When the text holds no puzzle, more than one, or one with a mistake.
pub fn read_one(text: &str, board: Option<&Arc<Geometry>>) -> Result<Puzzle, FormatError> {
    let mut found = read_many(&unindented(text), board).into_iter();
    let first = found.next().unwrap_or_else(|| {
        Err(FormatError::new(error::EMPTY, (1, 1), "there is no puzzle in this text")
            .help("write the cells row by row, `.` or `0` for an empty one"))
    });
    let moved = |error: FormatError| FormatError { column: error.column + indent_of(text, error.line), ..error };
    let first = first.map_err(|error| step::refused(text).unwrap_or_else(|| moved(error)))?;
    match found.next() {
        None => Ok(first),
        Some(second) => {
            let line = second.map_or_else(|error| error.line, |puzzle| puzzle.line);
            Err(FormatError::new(error::SEVERAL, (line, 1), "a second puzzle begins here; one is expected"))
        }
    }
}

/// Reads every puzzle of a text, in order; one that is wrong gives an error and the others are still read.
pub fn read_many(text: &str, board: Option<&Arc<Geometry>>) -> Vec<Result<Puzzle, FormatError>> {
    let mut stream = Stream::new(board).patient();
    let mut out: Vec<_> = lines_of(text).flat_map(|line| stream.line(line)).collect();
    out.extend(stream.end());
    let last = out.iter_mut().rev().find_map(|result| result.as_mut().ok());
    last.into_iter().for_each(|puzzle| puzzle.remarks.extend(stream.remarks()));
    out
}

/// Takes the indent away that a text block in a rule file gives to all its lines. Such a block begins
/// with an empty line; where the first line has characters, a blank before them is a mistake to report.
fn unindented(text: &str) -> String {
    match is_block(text) {
        true => lines_of(text).map(str::trim_start).collect::<Vec<_>>().join("\n"),
        false => text.to_string(),
    }
}

/// How many characters [`unindented`] takes from a line.
fn indent_of(text: &str, line: usize) -> usize {
    let line = lines_of(text).nth(line - 1).filter(|_| is_block(text)).unwrap_or_default();
    line.chars().take_while(|c| c.is_whitespace()).count()
}

fn is_block(text: &str) -> bool {
    lines_of(text).next().is_some_and(|first| first.trim().is_empty())
}
