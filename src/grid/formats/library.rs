//! Lines of a regression library, `:code:digits:cells:deleted:eliminations:placements:extra`, and the
//! deleted candidates that may follow a puzzle. In: a line. Out: [`LibraryLine`].
//!
//! `+` in the cells marks a placed digit; candidates are triples digit, row, column.

use super::boards::Boards;
use super::error::{self, FormatError};
use super::one_line::marks_of;
use super::puzzle::{Puzzle, from_marks};
use crate::grid::{Candidate, Digit, DigitSet, Geometry};

/// A position with what a technique is expected to find in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryLine {
    /// The technique's code with its variant, e.g. `0606-x`.
    pub code: String,
    /// The digits it is about, as written.
    pub digits: String,
    /// The position.
    pub puzzle: Puzzle,
    /// The candidates to eliminate, in the order of the text.
    pub eliminations: Vec<Candidate>,
    /// The digits to place.
    pub placements: Vec<Candidate>,
    /// The last part, as written.
    pub extra: String,
}

/// Reads one line of a library.
///
/// # Errors
/// When a part is missing, the cells are no puzzle, or a triple is no candidate of the board.
pub fn read_library_line(text: &str, line: usize) -> Result<LibraryLine, FormatError> {
    read_line(line, text.trim_end(), Boards { only: None })
}

pub(super) fn read_line(line: usize, text: &str, boards: Boards<'_>) -> Result<LibraryLine, FormatError> {
    let mut parts: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    for part in text.split(':') {
        parts.push((start, part));
        start += part.len() + 1;
    }
    let part = |index: usize| parts.get(index).copied().unwrap_or((text.len(), ""));
    if parts.len() < 4 || !part(0).1.is_empty() {
        return Err(FormatError::new(error::LIBRARY, (line, 1), "a library line has parts that are missing here")
            .help("write :code:digits:cells:deleted:eliminations:placements:extra"));
    }
    let marks = marks_of(line, text, part(3).0, part(3).1);
    let Some(size) = boards.with_cells(marks.len()) else {
        let column = text[..part(3).0].chars().count() + 1;
        let words = format!("{} cells; {}", marks.len(), boards.nearest(marks.len()));
        return Err(FormatError::new(error::LENGTH, (line, column), words));
    };
    let mut puzzle = from_marks(&marks, size, boards)?;
    let triples = |index: usize| triples(&puzzle.geometry, line, text, part(index).0, part(index).1);
    let (deleted, eliminations, placements) = (triples(4)?, triples(5)?, triples(6)?);
    delete(&mut puzzle, &deleted);
    puzzle.note = text[part(5).0.min(text.len())..].trim().to_string();
    Ok(LibraryLine {
        code: part(1).1.to_string(),
        digits: part(2).1.to_string(),
        puzzle,
        eliminations,
        placements,
        extra: part(7).1.trim().to_string(),
    })
}

/// Takes the deleted candidates of `puzzle:532 733 …` away. A number after a colon may also be a count
/// of solutions, so a lone one counts as a triple only where a `+` shows the notation.
/// Out: where they end.
pub(super) fn delete_after(puzzle: &mut Puzzle, line: usize, text: &str, end: usize) -> Result<usize, FormatError> {
    let Some(rest) = text[end..].strip_prefix(':') else {
        return Ok(end);
    };
    let rest = rest.split(" jigsaw=").next().unwrap_or_default();
    let words: Vec<&str> = rest.split_whitespace().collect();
    let large = puzzle.geometry.size() > 9;
    let is_digit = |byte: u8| byte.is_ascii_digit() || (large && matches!(byte, b'A'..=b'P'));
    let three_digits = |word: &&str| word.len() == 3 && word.bytes().all(is_digit);
    let shown = words.len() > 1 || puzzle.placed.iter().any(Option::is_some);
    if shown && !words.is_empty() && words.iter().all(three_digits) {
        let deleted = triples(&puzzle.geometry, line, text, end + 1, rest)?;
        delete(puzzle, &deleted);
        return Ok(end + 1 + rest.len());
    }
    Ok(end)
}

fn delete(puzzle: &mut Puzzle, deleted: &[Candidate]) {
    if deleted.is_empty() {
        return;
    }
    let mut state = puzzle.state();
    for &candidate in deleted {
        state.eliminate(candidate);
    }
    let lists = puzzle.geometry.cells().map(|cell| match puzzle.digit(cell) {
        Some(digit) => DigitSet::single(digit),
        None => state.candidates(cell),
    });
    puzzle.candidates = Some(lists.collect());
}

fn triples(
    geometry: &Geometry,
    line: usize,
    text: &str,
    start: usize,
    part: &str,
) -> Result<Vec<Candidate>, FormatError> {
    let mut out = Vec::new();
    let mut at = start;
    for word in part.split(' ') {
        if let Some(candidate) = triple(geometry, word.trim()) {
            out.push(candidate);
        } else if !word.trim().is_empty() {
            let column = text[..at].chars().count() + 1;
            let words = format!("`{word}` is not a candidate of a {0}×{0} board", geometry.size());
            return Err(FormatError::new(error::LIBRARY, (line, column), words).help("write digit, row, column: 758"));
        }
        at += word.len() + 1;
    }
    Ok(out)
}

fn triple(geometry: &Geometry, word: &str) -> Option<Candidate> {
    let mut numbers = word.chars().map(|symbol| Digit::from_symbol(symbol).filter(|n| n.index() < geometry.size()));
    let (digit, row, column) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let candidate = Candidate::new(digit, geometry.cell(row.index(), column.index()));
    numbers.next().is_none().then_some(candidate)
}
