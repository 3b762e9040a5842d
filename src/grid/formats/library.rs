//! Lines of a regression library, `:code:digits:cells:deleted:eliminations:placements:extra`, and the
//! deleted candidates that may follow a puzzle. In: a line. Out: [`LibraryLine`].
//!
//! `+` in the cells marks a placed digit; candidates are triples digit, row, column.

use super::boards::Boards;
use super::error::{self, FormatError};
use super::one_line::marks_of;
use super::puzzle::{Puzzle, cell_name, from_marks};
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
    delete(&mut puzzle, &deleted, (line, text[..part(4).0].chars().count() + 1))?;
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

/// Takes the deleted candidates of `puzzle:532 733 …` away; returns where they end. Numbers after the colon are candidates, but for
/// one of at most two digits, which counts solutions, and one that a colon follows, where no `+` shows the notation.
pub(super) fn delete_after(puzzle: &mut Puzzle, line: usize, text: &str, end: usize) -> Result<usize, FormatError> {
    let Some(rest) = text[end..].trim_start().strip_prefix(':') else {
        remark_on_triples(puzzle, &text[end..]);
        return Ok(end);
    };
    let start = text.len() - rest.len();
    let rest = rest.split(" jigsaw=").next().unwrap_or_default();
    let part = rest.split(':').next().unwrap_or_default();
    let words: Vec<&str> = part.split(between_triples).filter(|word| !word.is_empty()).collect();
    let is_number =
        |word: &&str| is_triple(word, puzzle.geometry.size()) || word.bytes().all(|byte| byte.is_ascii_digit());
    let Some(first) = words.first().filter(|word| is_number(word) || is_notation(word)) else { return Ok(end) };
    let shown = words.len() > 1 || puzzle.placed.iter().any(Option::is_some);
    if (part.len() < rest.len() && !shown) || (words.len() == 1 && first.len() < 3) {
        return Ok(end);
    }
    let last = words.iter().rev().find(|word| is_number(word)).unwrap_or(first);
    let length = last.as_ptr() as usize - part.as_ptr() as usize + last.len();
    let deleted = triples(&puzzle.geometry, line, text, start, &part[..length])?;
    delete(puzzle, &deleted, (line, text[..start].chars().count() + 1))?;
    if !shown {
        puzzle.remarks.push(format!("`:{last}` after a puzzle deletes a candidate: digit, row, column"));
    }
    let closing = part[length..].len() - part[length..].trim_start_matches([']', ')', '}']).len();
    Ok(start + length + closing)
}

/// Signs between deleted candidates.
fn between_triples(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, ',' | ';' | '/' | '[' | ']' | '(' | ')' | '{' | '}')
}

/// Returns true for `r1c3<>4` and the like.
fn is_notation(word: &str) -> bool {
    let after = word.strip_prefix(['r', 'R']).unwrap_or_default().trim_start_matches(|c: char| c.is_ascii_digit());
    after.starts_with(['c', 'C']) && word.contains(['<', '!', '=', '-'])
}

/// Returns true for three digits of a board.
fn is_triple(word: &str, size: usize) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'1'..=b'9') || (size > 9 && matches!(byte, b'A'..=b'P'));
    word.len() == 3 && word.bytes().all(is_digit)
}

/// Remarks that several triples after a blank are taken for a note.
fn remark_on_triples(puzzle: &mut Puzzle, rest: &str) {
    let words: Vec<&str> = rest.split(between_triples).filter(|word| !word.is_empty()).collect();
    let size = puzzle.geometry.size();
    let open =
        |word: &&str| triple(&puzzle.geometry, word).is_some_and(|candidate| puzzle.digit(candidate.cell).is_none());
    if words.len() > 1 && words.iter().all(|word| is_triple(word, size)) && words.iter().all(open) {
        puzzle
            .remarks
            .push("numbers after a puzzle are a note; to delete candidates, write a colon before them".into());
    }
}

/// Deletes candidates.
///
/// # Errors
/// When one is the digit of its cell.
fn delete(puzzle: &mut Puzzle, deleted: &[Candidate], place: (usize, usize)) -> Result<(), FormatError> {
    if deleted.is_empty() {
        return Ok(());
    }
    if let Some(own) = deleted.iter().find(|candidate| puzzle.digit(candidate.cell) == Some(candidate.digit)) {
        let name = cell_name(&puzzle.geometry, own.cell);
        let words = format!("{name} is {}: its digit can't be deleted", own.digit);
        return Err(FormatError::new(error::LIBRARY, place, words).help("write digit, row, column: 758"));
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
    Ok(())
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
    for word in part.split(between_triples) {
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
