//! Reads puzzles on one line: n² characters, or n³ for candidate lists, and a note. In: a line. Out: [`Puzzle`], or [`LibraryLine`].
//!
//! `+` marks a placed digit. Deleted candidates may follow the puzzle as triples of digit, row and column, such as `:532 733`. Lines of a
//! HoDoKu library are `:code:digits:cells:deleted:eliminations:placements:extra`.

use super::TextPosition;
use super::boards::{self, BoardChoice};
use super::cell_texts::{ListStyle, from_lists};
use super::columns::is_bar;
use super::encoding::is_decimal;
use super::error::{self, FormatError};
use super::link::all_digits;
use super::puzzle::{CellMark, Puzzle, Reading, from_marks, is_blank, is_symbol, start_of, unknown_character};
use super::{offset, position_at};
use crate::grid::{BoardSpec, Candidate, Digit, Geometry, notation};

/// The longest row of any board. A longer field must be a whole puzzle.
pub(super) const LONGEST_ROW: usize = 25;

/// Returns true if a line contains a whole puzzle: a library line, a field longer than any row, joined rows or blocks.
pub(super) fn is_one_line(text: &str) -> bool {
    let mut fields_between_bars = fields(text).flat_map(|field| field.split(is_bar));
    text.starts_with(':')
        || fields_between_bars.any(|field| cell_count(field) > LONGEST_ROW)
        || end_of_joined_rows(text).is_some()
        || end_of_blocks(text).is_some()
}

/// Returns the number of characters of a field without slashes, which may separate cells, and `+`, which may mark digits.
fn cell_count(field: &str) -> usize {
    field.chars().filter(|c| !matches!(c, '/' | '+')).count()
}

pub(super) fn read(line: usize, text: &str, board_choice: BoardChoice<'_>) -> Reading {
    refuse_leading_blank(line, text)?;
    let board_of_note = board_choice.board_of_note(line, text)?;
    let board_choice = board_of_note.as_ref().map_or(board_choice, |board| BoardChoice { required: Some(board) });
    if text.starts_with(':') {
        return Ok(read_library(line, text, board_choice)?.puzzle);
    }
    let Some(first) = fields(text).next() else {
        return Err(FormatError::new(error::EMPTY, (line, 1), "there is no puzzle on this line"));
    };
    let (mut cells, mut marks) = (first, marks_of(line, text, first));
    if !is_puzzle_length(marks.len(), board_choice) {
        cells = match end_of_joined_rows(text).or_else(|| end_of_blocks(text)) {
            Some(end) => &text[..end],
            None => puzzle_after_id(text, board_choice).unwrap_or(first),
        };
        marks = marks_of(line, text, cells);
    }
    let puzzle_after_solution = puzzle_of_solution(&marks, text);
    if let Some(puzzle) = puzzle_after_solution {
        (cells, marks) = (puzzle, marks_of(line, text, puzzle));
    }
    let mut end = offset(cells, text) + cells.len();
    let mut board_of_map = None;
    if board_of_note.is_none()
        && let Some((symbols, cell_count, length)) = boards::inline_region_map(&marks, &text[end..])
    {
        board_of_map = Some(board_choice.board_with_regions(position_at(line, text, end), &symbols)?);
        // The map is the next field, or else the second half of `marks`. For a field, `truncate` changes nothing.
        marks.truncate(cell_count);
        end += length;
    }
    let board_choice = board_of_map.as_ref().map_or(board_choice, |board| BoardChoice { required: Some(board) });
    let mut puzzle = read_characters(&marks, text, end, board_choice)?;
    refuse_more_cells(&puzzle, line, text, end)?;
    if puzzle_after_solution.is_some() {
        puzzle.remarks.push("the solution before the puzzle is not read".to_string());
    }
    let end = read_deleted_candidates(&mut puzzle, line, text, end)?;
    puzzle.note = text[end..].trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '"' | '\'')).to_string();
    Ok(puzzle)
}

/// Reads n² cells, or n³ candidates.
fn read_characters(marks: &[CellMark], text: &str, end: usize, board_choice: BoardChoice<'_>) -> Reading {
    let size_of_cells = board_choice.allowed_size_with_cells(marks.len());
    if let Some(size) = board_choice.size_with_candidates(marks.len())
        && (size_of_cells.is_none() || is_positional(marks, size))
    {
        let lists: Vec<&[CellMark]> = marks.chunks(size).collect();
        return from_lists(&lists, size, ListStyle::Positional, board_choice);
    }
    match size_of_cells {
        Some(size) => from_marks(marks, size, board_choice),
        None => Err(wrong_length(marks, text, end, board_choice)),
    }
}

/// Returns true if characters are candidate lists: the d-th character of each list is d or a blank, and there are at least as many digits
/// as lists. The test matters only for 64 characters, which may also be 8×8 cells. As 4×4 lists they have 16 digits or more; an 8×8 puzzle
/// has at most eight at such positions: the digits 1 to 4, in two columns each.
fn is_positional(marks: &[CellMark], size: usize) -> bool {
    let in_place = (0..size)
        .cycle()
        .zip(marks)
        .all(|(index, mark)| mark.is_blank() || mark.digit().is_some_and(|digit| digit.index() == index));
    in_place && marks.iter().filter(|mark| !mark.is_blank()).count() >= size * size
}

/// Error for a number of characters that no puzzle has. Names the first character that is no cell, because it may be the cause.
fn wrong_length(marks: &[CellMark], text: &str, end: usize, board_choice: BoardChoice<'_>) -> FormatError {
    let unknown: Vec<&CellMark> = marks.iter().filter(|mark| !is_symbol(mark.symbol)).collect();
    if unknown.len() * 3 > marks.len() && !unknown.iter().all(|mark| error::is_invisible(mark.symbol)) {
        return unknown_character(*unknown[0]).with_help("this is in no puzzle format that Pinion reads");
    }
    let (start, count) = (start_of(marks), marks.len());
    let plural = if count == 1 { "" } else { "s" };
    let message = format!("{count} character{plural}; {}", board_choice.explain_cell_count(count));
    // The cells also end at an unusual blank, such as a no-break space.
    let unusual_blank = text[end..].chars().next().filter(|next| next.is_whitespace() && !matches!(next, ' ' | '\t'));
    let end_column = position_at(0, text, end).1;
    let first_unknown = unknown.first().map(|mark| (mark.symbol, mark.column));
    let Some((symbol, column)) = first_unknown.or(unusual_blank.map(|symbol| (symbol, end_column))) else {
        return FormatError::new(error::LENGTH, start, message);
    };
    let message =
        format!("{message}; the first that is no cell is {} at column {column}", error::describe_character(symbol));
    let error = FormatError::new(error::LENGTH, (start.0, column), message);
    FormatError { help: error::advice_for(symbol).map(str::to_string), ..error }
}

/// Refuses a blank or byte order mark before a puzzle. The blank may be an empty cell.
fn refuse_leading_blank(line: usize, text: &str) -> Result<(), FormatError> {
    let (message, help) = match text.chars().next() {
        Some('\u{feff}') => ("there is a byte order mark before the puzzle", "save the text without it"),
        Some(first) if first.is_whitespace() => {
            ("there is a blank before the puzzle", "begin in column 1, and write empty cells as `.` or `0`")
        }
        _ => return Ok(()),
    };
    Err(FormatError::new(error::BEFORE_PUZZLE, (line, 1), message).with_help(help))
}

/// Refuses cells after a puzzle, because they may be a second puzzle or the rest of a larger puzzle. The solution of the puzzle is
/// allowed.
fn refuse_more_cells(puzzle: &Puzzle, line: usize, text: &str, end: usize) -> Result<(), FormatError> {
    let (rest, cells) = (&text[end..], puzzle.geometry.cell_count());
    if rest.starts_with(':') {
        return Ok(());
    }
    let fields: Vec<&str> = fields(rest).take_while(|field| field.chars().all(is_symbol)).collect();
    let Some(first) = fields.first() else { return Ok(()) };
    let position = position_at(line, text, offset(first, text));
    let lengths: Vec<usize> = fields.iter().map(|field| field.chars().count()).collect();
    let further_cells: usize = lengths.iter().sum();
    if lengths[0] == cells {
        // The map of the regions of a puzzle whose line begins with an id.
        if boards::is_region_map(first) {
            return Ok(());
        }
        let mut digits = puzzle.geometry.cells().zip(first.chars().map(Digit::from_symbol));
        let is_solution =
            digits.all(|(cell, digit)| digit.is_some() && puzzle.digit(cell).is_none_or(|given| digit == Some(given)));
        if is_solution {
            return Ok(());
        }
        let message = "a second puzzle begins here; one is expected on a line";
        return Err(FormatError::new(error::SECOND_PUZZLE, position, message)
            .with_help("write each puzzle on a line of its own"));
    }
    let is_larger_puzzle = BoardChoice { required: None }.allowed_size_with_cells(cells + further_cells).is_some()
        && lengths.iter().all(|&length| length >= 4);
    let are_cells = first.chars().all(|c| c.is_ascii_digit() || is_blank(c) || c == '+');
    if is_larger_puzzle || (lengths[0] >= boards::SMALLEST_PUZZLE && are_cells) {
        let message =
            format!("{cells} characters are a puzzle, but {further_cells} more follow that may be cells, too");
        let help = "write all cells of a puzzle without a gap; begin a note with a word such as `note`";
        return Err(FormatError::new(error::LENGTH, position, message).with_help(help));
    }
    Ok(())
}

fn fields(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '"' | '\''))
        .filter(|field| !field.is_empty())
}

/// Returns the byte offset of the end of rows of equal length that `,`, `|`, `/` or `"` join into one line.
fn end_of_joined_rows(text: &str) -> Option<usize> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let rows: Vec<&str> = text[..end].trim_matches(is_row_separator).split(is_row_separator).collect();
    let length = rows[0].chars().count();
    let have_row_length = (4..=LONGEST_ROW).contains(&length) && rows.iter().all(|row| row.chars().count() == length);
    let is_one_row = rows.len() == 1 || length * rows.len() <= LONGEST_ROW;
    // Numbers such as `5.00`, or lists such as `1478` and `1..4`, are the cells of one row.
    let are_cells = rows.iter().all(|row| is_decimal(row)) || rows.iter().all(|row| may_be_candidates(row, length));
    // A list has a candidate. So n rows of n characters, one of them empty, are a puzzle; a row of a table begins with a bar.
    let is_puzzle =
        rows.len() == length && !text.starts_with(is_row_separator) && rows.iter().any(|row| row.chars().all(is_blank));
    if have_row_length && !is_one_row && (is_puzzle || !are_cells) { Some(end) } else { None }
}

fn is_row_separator(c: char) -> bool {
    matches!(c, ',' | '|' | '/' | '"')
}

/// Returns the byte offset of the end of blocks of equal length that are a whole puzzle together, such as nine blocks of nine.
/// Returns `None` for blocks that may be candidate lists or decimal numbers.
fn end_of_blocks(text: &str) -> Option<usize> {
    let first = text.split_whitespace().next()?;
    let length = first.chars().count();
    if text.starts_with(char::is_whitespace) || length < 2 {
        return None;
    }
    let words = text.split_whitespace();
    let blocks: Vec<&str> =
        words.take_while(|word| word.chars().count() == length && word.chars().all(is_symbol)).collect();
    let cells = blocks.len() * length;
    // Up to 25 cells may be a row.
    let size = BoardSpec::standard_sizes().find(|size| size * size == cells && cells > LONGEST_ROW)?;
    if blocks.len() < 2 || blocks.iter().all(|block| may_be_candidates(block, size) || is_decimal(block)) {
        return None;
    }
    blocks.last().map(|last| offset(last, text) + last.len())
}

/// Returns true if a block may be the candidates of a cell: its digits ascend, or digit d is the d-th character. If several blocks of
/// `size` characters list the candidates of a cell, the digits in a block begin anew after each multiple of `size`.
fn may_be_candidates(block: &str, size: usize) -> bool {
    let digits: Vec<Option<usize>> = block.chars().map(|c| Digit::from_symbol(c).map(|digit| digit.index())).collect();
    let is_positional = digits.len() == size
        && digits.iter().enumerate().all(|(at, digit)| digit.is_none_or(|digit| digit % size == at));
    let ascends = digits.windows(2).all(|pair| matches!(pair, [Some(a), Some(b)] if a < b));
    is_positional || ascends
}

/// Returns a puzzle that follows a number or id in a table.
fn puzzle_after_id<'t>(text: &'t str, board_choice: BoardChoice<'_>) -> Option<&'t str> {
    let mut fields = fields(text);
    if fields.next()?.chars().count() > LONGEST_ROW {
        return None;
    }
    fields.find(|field| {
        let count = field.chars().count();
        count > LONGEST_ROW && is_puzzle_length(count, board_choice) && field.chars().all(is_symbol)
    })
}

/// Returns the field with the puzzle that these cells solve. Some tables have the solution before the puzzle.
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

fn is_puzzle_length(count: usize, board_choice: BoardChoice<'_>) -> bool {
    board_choice.allowed_size_with_cells(count).is_some() || board_choice.size_with_candidates(count).is_some()
}

/// Returns the characters of `part`, a slice of `text`, without separators and blanks. A `+` marks the digit after it as placed.
fn marks_of(line: usize, text: &str, part: &str) -> Vec<CellMark> {
    let mut is_placed = false;
    let mut marks = Vec::with_capacity(part.len());
    for (column, symbol) in (position_at(line, text, offset(part, text)).1..).zip(part.chars()) {
        if symbol == '+' {
            is_placed = true;
        } else if !is_row_separator(symbol) && !symbol.is_whitespace() {
            marks.push(CellMark { symbol, is_placed, line, column });
            is_placed = false;
        }
    }
    marks
}

/// A position and the deductions that a technique should find in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryLine {
    /// Code of the technique and its variant, such as `0606-x`.
    pub code: String,
    /// Digits that the technique uses, as in the text.
    pub digits: String,
    /// The position.
    pub puzzle: Puzzle,
    /// Candidates to eliminate, in the order of the text.
    pub eliminations: Vec<Candidate>,
    /// Digits to place, in the order of the text.
    pub placements: Vec<Candidate>,
    /// The last field, as in the text.
    pub extra: String,
}

/// Reads one line of a library.
///
/// # Errors
/// If a field is missing, the cells are no puzzle, or a triple is no candidate of the board.
pub fn read_library_line(text: &str, line: usize) -> Result<LibraryLine, FormatError> {
    read_library(line, text.trim_end(), BoardChoice { required: None })
}

fn read_library(line: usize, text: &str, board_choice: BoardChoice<'_>) -> Result<LibraryLine, FormatError> {
    let fields: Vec<&str> = text.split(':').collect();
    let ["", code, digits, cells, optional @ ..] = fields.as_slice() else {
        return Err(FormatError::new(error::LIBRARY, (line, 1), "a library line has parts that are missing here")
            .with_help("write :code:digits:cells:deleted:eliminations:placements:extra"));
    };
    let marks = marks_of(line, text, cells);
    let Some(size) = board_choice.allowed_size_with_cells(marks.len()) else {
        let message = format!("{} cells; {}", marks.len(), board_choice.explain_cell_count(marks.len()));
        return Err(FormatError::new(error::LENGTH, position_at(line, text, offset(cells, text)), message));
    };
    let mut puzzle = from_marks(&marks, size, board_choice)?;
    // A missing field is the empty end of `text`, so that its offset can be computed.
    let [deleted, eliminations, placements, extra] =
        [0, 1, 2, 3].map(|index| optional.get(index).copied().unwrap_or(&text[text.len()..]));
    let position = position_at(line, text, offset(deleted, text));
    puzzle.note = text[offset(eliminations, text)..].trim().to_string();
    let deleted = read_triples(&puzzle.geometry, line, text, deleted)?;
    let eliminations = read_triples(&puzzle.geometry, line, text, eliminations)?;
    let placements = read_triples(&puzzle.geometry, line, text, placements)?;
    delete_candidates(&mut puzzle, &deleted, position)?;
    Ok(LibraryLine {
        code: code.to_string(),
        digits: digits.to_string(),
        puzzle,
        eliminations,
        placements,
        extra: extra.trim().to_string(),
    })
}

/// Reads the deleted candidates of `puzzle:532 733 …` from the byte offset `end` on, and returns the offset after them. A single
/// number of at most two digits is a note, because it may count solutions. A single number before a colon is a note, too, unless the
/// puzzle has a `+`: HoDoKu marks placed digits with `+`, and writes deleted candidates between colons.
fn read_deleted_candidates(puzzle: &mut Puzzle, line: usize, text: &str, end: usize) -> Result<usize, FormatError> {
    let Some(rest) = text[end..].trim_start().strip_prefix(':') else {
        remark_on_triples(puzzle, &text[end..]);
        return Ok(end);
    };
    // ` jigsaw=` begins the board in a note.
    let rest = rest.split(" jigsaw=").next().unwrap_or_default();
    let field = rest.split(':').next().unwrap_or_default();
    let size = puzzle.geometry.size();
    let words: Vec<&str> = split_triples(field).collect();
    let Some(first) = words.first() else { return Ok(end) };
    let has_clear_notation = words.len() > 1 || puzzle.placed.iter().any(Option::is_some);
    // `read_triples` refuses words that only look like candidates.
    let looks_like_candidate = is_triple(first, size) || all_digits(first) || is_notation(first);
    let colon_follows = field.len() < rest.len();
    let is_count = words.len() == 1 && first.len() < 3;
    if !looks_like_candidate || (colon_follows && !has_clear_notation) || is_count {
        return Ok(end);
    }
    let last = words.iter().rfind(|word| is_triple(word, size) || all_digits(word)).unwrap_or(first);
    let length = offset(last, field) + last.len();
    let deleted = read_triples(&puzzle.geometry, line, text, &field[..length])?;
    delete_candidates(puzzle, &deleted, position_at(line, text, offset(field, text)))?;
    if !has_clear_notation {
        puzzle.remarks.push(format!("`:{last}` after a puzzle deletes a candidate: digit, row, column"));
    }
    let rest = text[offset(field, text) + length..].trim_start_matches([']', ')', '}']);
    Ok(offset(rest, text))
}

fn split_triples(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '/' | '[' | ']' | '(' | ')' | '{' | '}'))
        .filter(|word| !word.is_empty())
}

/// Returns true for an elimination in notation, such as `r1c3<>4`. Reading it as a triple gives an error that asks for triples.
fn is_notation(word: &str) -> bool {
    let column = word.strip_prefix(['r', 'R']).unwrap_or_default().trim_start_matches(|c: char| c.is_ascii_digit());
    column.starts_with(['c', 'C']) && word.contains(['<', '!', '=', '-'])
}

/// Returns true for three digits from 1 to 9, on boards over 9×9 also `A` to `P`. They may be too large for the board: [`read_triple`]
/// checks that.
fn is_triple(word: &str, size: usize) -> bool {
    word.len() == 3
        && word.bytes().all(|byte: u8| matches!(byte, b'1'..=b'9') || (size > 9 && matches!(byte, b'A'..=b'P')))
}

/// Adds a remark if several triples of unsolved cells follow a puzzle without a colon: they are a note, not deleted candidates.
fn remark_on_triples(puzzle: &mut Puzzle, rest: &str) {
    let geometry = &puzzle.geometry;
    let are_triples = split_triples(rest).all(|word| {
        is_triple(word, geometry.size())
            && read_triple(geometry, word).is_some_and(|candidate| puzzle.digit(candidate.cell).is_none())
    });
    if are_triples && split_triples(rest).count() > 1 {
        let message = "numbers after a puzzle are a note; to delete candidates, write a colon before them";
        puzzle.remarks.push(message.into());
    }
}

/// Deletes candidates from the puzzle. Returns an error if a candidate is the digit of its cell.
fn delete_candidates(puzzle: &mut Puzzle, deleted: &[Candidate], position: TextPosition) -> Result<(), FormatError> {
    if deleted.is_empty() {
        return Ok(());
    }
    if let Some(value) = deleted.iter().find(|candidate| puzzle.digit(candidate.cell) == Some(candidate.digit)) {
        let name = notation::cell(&puzzle.geometry, value.cell);
        let message = format!("{name} is {}: its digit can't be deleted", value.digit);
        return Err(FormatError::new(error::LIBRARY, position, message).with_help("write digit, row, column: 758"));
    }
    let mut state = puzzle.state();
    for &candidate in deleted {
        state.eliminate(candidate);
    }
    puzzle.candidates = Some(puzzle.geometry.cells().map(|cell| state.possible_digits(cell)).collect());
    Ok(())
}

/// Reads the candidates in `field`, a slice of `text`.
fn read_triples(geometry: &Geometry, line: usize, text: &str, field: &str) -> Result<Vec<Candidate>, FormatError> {
    let candidates = split_triples(field).map(|word| {
        read_triple(geometry, word).ok_or_else(|| {
            let message = format!("`{word}` is not a candidate of a {0}×{0} board", geometry.size());
            let position = position_at(line, text, offset(word, text));
            FormatError::new(error::LIBRARY, position, message).with_help("write digit, row, column: 758")
        })
    });
    candidates.collect()
}

/// Reads a candidate written as digit, row and column.
fn read_triple(geometry: &Geometry, word: &str) -> Option<Candidate> {
    let numbers: Option<Vec<Digit>> = word.chars().map(Digit::from_symbol).collect();
    let &[digit, row, column] = numbers?.as_slice() else { return None };
    let is_on_board = [digit, row, column].iter().all(|number| number.index() < geometry.size());
    is_on_board.then(|| Candidate::new(digit, geometry.cell(row.index(), column.index())))
}
