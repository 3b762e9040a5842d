//! Puzzles on one line: n² characters, or n³ for candidate lists, and a note. In: a line. Out: [`Puzzle`], or [`LibraryLine`].
//!
//! Deleted candidates may follow a puzzle as triples of digit, row and column, and `+` marks a placed digit. Lines of a regression
//! library are `:code:digits:cells:deleted:eliminations:placements:extra`.

use super::TextPosition;
use super::boards::{self, BoardChoice};
use super::cell_texts::{ListStyle, from_lists};
use super::columns::is_bar;
use super::encoding::is_decimal;
use super::error::{self, FormatError};
use super::link::all_digits;
use super::puzzle::{CellMark, Puzzle, Reading, from_marks, is_blank, is_symbol, start_of, unknown_character};
use super::{offset, position_at};
use crate::grid::{Candidate, Digit, Geometry, notation};

/// The longest row of any board: what is longer must be a whole puzzle.
pub(super) const LONGEST_ROW: usize = 25;

/// The sizes of puzzles that are written in blocks.
const BLOCK_SIZES: [usize; 8] = [4, 6, 8, 9, 10, 12, 16, 25];

/// Returns true if a line is a whole puzzle: it has a stretch longer than any row.
pub(super) fn is_one_line(text: &str) -> bool {
    let mut parts = fields(text).flat_map(|field| field.split(is_bar));
    text.starts_with(':')
        || parts.any(|part| part.chars().count() > LONGEST_ROW)
        || joined_rows(text).is_some()
        || blocks(text).is_some()
}

/// Reads a line that holds one puzzle.
pub(super) fn read(line: usize, text: &str, boards: BoardChoice<'_>) -> Reading {
    refuse_before(line, text)?;
    let jigsaw = boards.board_of_note(line, text)?;
    let boards = jigsaw.as_ref().map_or(boards, |board| BoardChoice { required: Some(board) });
    if text.starts_with(':') {
        return Ok(read_library(line, text, boards)?.puzzle);
    }
    let Some(first) = fields(text).next() else {
        return Err(FormatError::new(error::EMPTY, (line, 1), "there is no puzzle on this line"));
    };
    let (mut cells, mut marks) = (first, marks_of(line, text, first));
    if !fits(marks.len(), boards) {
        cells = match joined_rows(text).or_else(|| blocks(text)) {
            Some(end) => &text[..end],
            None => after_an_id(text, boards).unwrap_or(first),
        };
        marks = marks_of(line, text, cells);
    }
    let solved = puzzle_of_solution(&marks, text);
    if let Some(puzzle) = solved {
        (cells, marks) = (puzzle, marks_of(line, text, puzzle));
    }
    let mut end = offset(cells, text) + cells.len();
    let mut regions = None;
    if jigsaw.is_none()
        && let Some(found) = boards::inline_region_map(&marks, &text[end..])
    {
        regions = Some(boards.board_with_regions(position_at(line, text, end), &found.symbols)?);
        marks.truncate(found.cells);
        end += found.length;
    }
    let boards = regions.as_ref().map_or(boards, |board| BoardChoice { required: Some(board) });
    let mut puzzle = from_characters(&marks, text, end, boards)?;
    refuse_rest(&puzzle, line, text, end)?;
    puzzle.remarks.extend(solved.map(|_| "the solution before the puzzle is not read".to_string()));
    let end = delete_after(&mut puzzle, line, text, end)?;
    puzzle.note = text[end..].trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '"' | '\'')).to_string();
    Ok(puzzle)
}

/// Reads n² cells, or n³ places of candidates.
fn from_characters(marks: &[CellMark], text: &str, end: usize, boards: BoardChoice<'_>) -> Reading {
    let cells = boards.size_with_cells(marks.len());
    let lists = boards.size_with_candidates(marks.len());
    if let Some(size) = lists.filter(|&size| cells.is_none() || is_positional(marks, size)) {
        let lists: Vec<&[CellMark]> = marks.chunks(size).collect();
        return from_lists(&lists, size, ListStyle::Positional, boards);
    }
    match cells {
        Some(size) => from_marks(marks, size, boards),
        None => Err(wrong_length(marks, text, end, boards)),
    }
}

/// Returns true if 64 characters are 4×4 lists rather than 8×8 cells: every digit stands in its place of a list, and there are
/// more than an 8×8 puzzle could have so.
fn is_positional(marks: &[CellMark], size: usize) -> bool {
    let in_place = (0..size)
        .cycle()
        .zip(marks)
        .all(|(index, mark)| mark.is_blank() || mark.digit().is_some_and(|digit| digit.index() == index));
    in_place && marks.iter().filter(|mark| !mark.is_blank()).count() >= size * size
}

fn wrong_length(marks: &[CellMark], text: &str, end: usize, boards: BoardChoice<'_>) -> FormatError {
    let strange: Vec<&CellMark> = marks.iter().filter(|mark| !is_symbol(mark.symbol)).collect();
    if strange.len() * 3 > marks.len() && !strange.iter().all(|mark| error::is_hidden(mark.symbol)) {
        return unknown_character(*strange[0]).with_help("this is in no puzzle format that Pinion reads");
    }
    let (start, count) = (start_of(marks), marks.len());
    let plural = if count == 1 { "" } else { "s" };
    let message = format!("{count} character{plural}; {}", boards.describe_nearest_length(count));
    let ended = text[end..].chars().next().filter(|next| next.is_whitespace() && !matches!(next, ' ' | '\t'));
    let column = position_at(0, text, end).1;
    let first = strange.first().map(|mark| (mark.symbol, mark.column)).or(ended.map(|symbol| (symbol, column)));
    let Some((symbol, column)) = first else { return FormatError::new(error::LENGTH, start, message) };
    let message =
        format!("{message}; the first that is no cell is {} at column {column}", error::describe_character(symbol));
    let error = FormatError::new(error::LENGTH, (start.0, column), message);
    FormatError { help: error::advice_for(symbol).map(str::to_string), ..error }
}

/// Refuses blanks and marks before a puzzle: one may stand in place of a lost cell.
fn refuse_before(line: usize, text: &str) -> Result<(), FormatError> {
    let (words, help) = match text.chars().next() {
        Some('\u{feff}') => ("there is a byte order mark before the puzzle", "save the text without it"),
        Some(first) if first.is_whitespace() => {
            ("there is a blank before the puzzle", "begin in column 1, and write empty cells as `.` or `0`")
        }
        _ => return Ok(()),
    };
    Err(FormatError::new(error::BEFORE, (line, 1), words).with_help(help))
}

/// Refuses cells after a puzzle: they are a second puzzle, or the puzzle is a part of a longer one. A solution may follow.
fn refuse_rest(puzzle: &Puzzle, line: usize, text: &str, end: usize) -> Result<(), FormatError> {
    /// The fewest characters that no note has without a letter.
    const SURELY: usize = 16;
    let (rest, cells) = (&text[end..], puzzle.geometry.cell_count());
    let fields: Vec<&str> = fields(rest).take_while(|field| field.chars().all(is_symbol)).collect();
    let Some(first) = fields.first().filter(|_| !rest.starts_with(':')) else { return Ok(()) };
    let position = position_at(line, text, offset(first, text));
    let lengths: Vec<usize> = fields.iter().map(|field| field.chars().count()).collect();
    let more: usize = lengths.iter().sum();
    if lengths[0] == cells {
        let mut digits = puzzle.geometry.cells().zip(first.chars().map(Digit::from_symbol));
        if digits.all(|(cell, digit)| digit.is_some() && puzzle.digit(cell).is_none_or(|given| digit == Some(given))) {
            return Ok(());
        }
        let message = "a second puzzle begins here; one is expected on a line";
        return Err(
            FormatError::new(error::SEVERAL, position, message).with_help("write each puzzle on a line of its own")
        );
    }
    let of_larger = BoardChoice { required: None }.size_with_cells(cells + more).is_some()
        && lengths.iter().all(|&length| length >= 4);
    let are_signs = first.chars().all(|c| c.is_ascii_digit() || is_blank(c) || c == '+');
    if of_larger || (lengths[0] >= SURELY && are_signs) {
        let message = format!("{more} more characters follow {cells} that are a puzzle: they may be parts of one");
        let help = "write all cells of a puzzle without a gap, and letters into a note";
        return Err(FormatError::new(error::LENGTH, position, message).with_help(help));
    }
    Ok(())
}

/// Returns the stretches of a line without blanks, commas, colons or quotes.
fn fields(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '"' | '\''))
        .filter(|field| !field.is_empty())
}

/// Finds the end of rows of one length that `,`, `|` or `/` join into one line.
fn joined_rows(text: &str) -> Option<usize> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let rows: Vec<&str> = text[..end].trim_matches(is_joint).split(is_joint).collect();
    let length = rows[0].chars().count();
    let equal = rows.iter().all(|row| row.chars().count() == length);
    let are_rows = rows.len() > 1
        && (4..=LONGEST_ROW).contains(&length)
        && length * rows.len() > LONGEST_ROW
        && !rows.iter().all(|row| is_decimal(row))
        && !rows.iter().all(|row| all_digits(row) && is_list(row, 9));
    (equal && are_rows).then_some(end)
}

fn is_joint(c: char) -> bool {
    matches!(c, ',' | '|' | '/' | '"')
}

/// Finds the end of blocks of equal length that are a whole puzzle together, such as nine blocks of nine. Blocks that could be
/// lists of candidates don't count.
fn blocks(text: &str) -> Option<usize> {
    let first = text.split_whitespace().next()?;
    let length = first.chars().count();
    if text.starts_with(char::is_whitespace) || length < 2 {
        return None;
    }
    let words = text.split_whitespace();
    let words: Vec<&str> =
        words.take_while(|word| word.chars().count() == length && word.chars().all(is_symbol)).collect();
    let size = BLOCK_SIZES.into_iter().find(|size| size * size == words.len() * length && size * size > 25)?;
    if words.len() < 2 || words.iter().all(|word| is_list(word, size) || is_decimal(word)) {
        return None;
    }
    words.last().map(|last| offset(last, text) + last.len())
}

/// Returns true if a block could be the candidates of a cell: its digits ascend, or digit d is the d-th character.
fn is_list(word: &str, size: usize) -> bool {
    let digits: Vec<Option<usize>> = word.chars().map(|c| Digit::from_symbol(c).map(|digit| digit.index())).collect();
    let in_place =
        digits.len() == size && digits.iter().enumerate().all(|(at, digit)| digit.is_none_or(|digit| digit == at));
    let ascending = digits.windows(2).all(|pair| matches!(pair, [Some(a), Some(b)] if a < b));
    in_place || ascending
}

/// Returns a puzzle that follows a short number or id, as in tables.
fn after_an_id<'t>(text: &'t str, boards: BoardChoice<'_>) -> Option<&'t str> {
    let mut fields = fields(text);
    fields.next().filter(|first| first.chars().count() <= LONGEST_ROW)?;
    fields.find(|field| {
        let count = field.chars().count();
        count > LONGEST_ROW && fits(count, boards) && field.chars().all(is_symbol)
    })
}

/// Returns the field whose solution is in these cells: tables may have the solution before its puzzle.
fn puzzle_of_solution<'t>(solution: &[CellMark], text: &'t str) -> Option<&'t str> {
    if solution.len() <= LONGEST_ROW || solution.iter().any(CellMark::is_blank) {
        return None;
    }
    fields(text).find(|field| {
        let mut cells = field.chars().zip(solution);
        field.chars().count() == solution.len()
            && field.chars().any(is_blank)
            && cells.all(|(symbol, mark)| is_blank(symbol) || symbol.eq_ignore_ascii_case(&mark.symbol))
    })
}

fn fits(count: usize, boards: BoardChoice<'_>) -> bool {
    boards.size_with_cells(count).is_some() || boards.size_with_candidates(count).is_some()
}

/// Returns the characters of a stretch of the line, joints left out; a `+` marks the digit after it.
fn marks_of(line: usize, text: &str, stretch: &str) -> Vec<CellMark> {
    let mut placed = false;
    let mut marks = Vec::with_capacity(stretch.len());
    for (column, symbol) in (position_at(line, text, offset(stretch, text)).1..).zip(stretch.chars()) {
        if symbol == '+' {
            placed = true;
        } else if !is_joint(symbol) && !symbol.is_whitespace() {
            marks.push(CellMark { symbol, placed, line, column });
            placed = false;
        }
    }
    marks
}

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
    read_library(line, text.trim_end(), BoardChoice { required: None })
}

fn read_library(line: usize, text: &str, boards: BoardChoice<'_>) -> Result<LibraryLine, FormatError> {
    let parts: Vec<&str> = text.split(':').collect();
    let ["", code, digits, cells, rest @ ..] = parts.as_slice() else {
        return Err(FormatError::new(error::LIBRARY, (line, 1), "a library line has parts that are missing here")
            .with_help("write :code:digits:cells:deleted:eliminations:placements:extra"));
    };
    let marks = marks_of(line, text, cells);
    let Some(size) = boards.size_with_cells(marks.len()) else {
        let message = format!("{} cells; {}", marks.len(), boards.describe_nearest_length(marks.len()));
        return Err(FormatError::new(error::LENGTH, position_at(line, text, offset(cells, text)), message));
    };
    let mut puzzle = from_marks(&marks, size, boards)?;
    let [deleted, eliminations, placements, extra] =
        [0, 1, 2, 3].map(|part| rest.get(part).copied().unwrap_or(&text[text.len()..]));
    let position = position_at(line, text, offset(deleted, text));
    puzzle.note = text[offset(eliminations, text)..].trim().to_string();
    let deleted = triples(&puzzle.geometry, line, text, deleted)?;
    let eliminations = triples(&puzzle.geometry, line, text, eliminations)?;
    let placements = triples(&puzzle.geometry, line, text, placements)?;
    delete(&mut puzzle, &deleted, position)?;
    Ok(LibraryLine {
        code: code.to_string(),
        digits: digits.to_string(),
        puzzle,
        eliminations,
        placements,
        extra: extra.trim().to_string(),
    })
}

/// Takes the deleted candidates of `puzzle:532 733 …` away; returns where they end. Numbers after the colon are candidates, but for
/// one of at most two digits, which counts solutions, and one that a colon follows, where no `+` shows the notation.
fn delete_after(puzzle: &mut Puzzle, line: usize, text: &str, end: usize) -> Result<usize, FormatError> {
    let Some(rest) = text[end..].trim_start().strip_prefix(':') else {
        remark_on_triples(puzzle, &text[end..]);
        return Ok(end);
    };
    let rest = rest.split(" jigsaw=").next().unwrap_or_default();
    let part = rest.split(':').next().unwrap_or_default();
    let size = puzzle.geometry.size();
    let words: Vec<&str> = words_of(part).collect();
    let last = words.iter().rfind(|word| is_triple(word, size) || all_digits(word)).copied();
    let Some(first) = words.first() else { return Ok(end) };
    let shown = words.len() > 1 || puzzle.placed.iter().any(Option::is_some);
    if !(is_triple(first, size) || all_digits(first) || is_notation(first))
        || (part.len() < rest.len() && !shown)
        || (words.len() == 1 && first.len() < 3)
    {
        return Ok(end);
    }
    let last = last.unwrap_or(first);
    let length = offset(last, part) + last.len();
    let deleted = triples(&puzzle.geometry, line, text, &part[..length])?;
    delete(puzzle, &deleted, position_at(line, text, offset(part, text)))?;
    if !shown {
        puzzle.remarks.push(format!("`:{last}` after a puzzle deletes a candidate: digit, row, column"));
    }
    Ok(text.len() - text[offset(part, text) + length..].trim_start_matches([']', ')', '}']).len())
}

/// Returns the stretches between brackets, commas, slashes and blanks.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(between_triples).filter(|word| !word.is_empty())
}

/// Returns true for symbols between deleted candidates.
fn between_triples(symbol: char) -> bool {
    symbol.is_whitespace() || matches!(symbol, ',' | ';' | '/' | '[' | ']' | '(' | ')' | '{' | '}')
}

/// Returns true for `r1c3<>4` and the like.
fn is_notation(word: &str) -> bool {
    let after = word.strip_prefix(['r', 'R']).unwrap_or_default().trim_start_matches(|c: char| c.is_ascii_digit());
    after.starts_with(['c', 'C']) && word.contains(['<', '!', '=', '-'])
}

/// Returns true for three digits of a board.
fn is_triple(word: &str, size: usize) -> bool {
    word.len() == 3
        && word.bytes().all(|byte: u8| matches!(byte, b'1'..=b'9') || (size > 9 && matches!(byte, b'A'..=b'P')))
}

/// Remarks that several triples after a blank are taken for a note.
fn remark_on_triples(puzzle: &mut Puzzle, rest: &str) {
    let geometry = &puzzle.geometry;
    let are_open = words_of(rest).all(|word| {
        is_triple(word, geometry.size())
            && triple(geometry, word).is_some_and(|candidate| puzzle.digit(candidate.cell).is_none())
    });
    if are_open && words_of(rest).count() > 1 {
        let message = "numbers after a puzzle are a note; to delete candidates, write a colon before them";
        puzzle.remarks.push(message.into());
    }
}

/// Deletes candidates.
///
/// # Errors
/// When one is the digit of its cell.
fn delete(puzzle: &mut Puzzle, deleted: &[Candidate], position: TextPosition) -> Result<(), FormatError> {
    if deleted.is_empty() {
        return Ok(());
    }
    if let Some(own) = deleted.iter().find(|candidate| puzzle.digit(candidate.cell) == Some(candidate.digit)) {
        let name = notation::cell(&puzzle.geometry, own.cell);
        let message = format!("{name} is {}: its digit can't be deleted", own.digit);
        return Err(FormatError::new(error::LIBRARY, position, message).with_help("write digit, row, column: 758"));
    }
    let mut state = puzzle.state();
    for &candidate in deleted {
        state.eliminate(candidate);
    }
    puzzle.candidates = Some(puzzle.geometry.cells().map(|cell| state.possible_digits(cell)).collect());
    Ok(())
}

fn triples(geometry: &Geometry, line: usize, text: &str, part: &str) -> Result<Vec<Candidate>, FormatError> {
    let message = part.split(between_triples).filter(|word| !word.trim().is_empty());
    let candidates = message.map(|word| {
        triple(geometry, word.trim()).ok_or_else(|| {
            let message = format!("`{word}` is not a candidate of a {0}×{0} board", geometry.size());
            let position = position_at(line, text, offset(word, text));
            FormatError::new(error::LIBRARY, position, message).with_help("write digit, row, column: 758")
        })
    });
    candidates.collect()
}

fn triple(geometry: &Geometry, word: &str) -> Option<Candidate> {
    let mut numbers = word.chars().map(|symbol| Digit::from_symbol(symbol).filter(|n| n.index() < geometry.size()));
    let (digit, row, column) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let candidate = Candidate::new(digit, geometry.cell(row.index(), column.index()));
    numbers.next().is_none().then_some(candidate)
}
