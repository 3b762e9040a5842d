//! Converts the texts of cells to a puzzle. In: for each cell a digit, a decimal number, a list of candidates, or a symbol for an empty
//! cell. Out: [`Puzzle`], with solved and unsolved cells distinguished (docs/decisions/0003-candidate-grids.md).

use super::boards::BoardChoice;
use super::error::{self, FormatError};
use super::link::all_digits;
use super::puzzle::{
    CellMark, Puzzle, Reading, digit_of, from_marks, is_blank, is_x, start_of, text_of, unknown_character,
};
use crate::grid::{Digit, DigitSet, notation};
use std::sync::Arc;

/// Words and numbers that programs write for an empty cell, in lower case.
#[rustfmt::skip]
pub(super) const EMPTY_WORDS: [&str; 17] = [
    "none", "null", "nil", "na", "n/a", "<na>", "#n/a", "nan", "undefined", "undef", "false", "nothing", "missing",
    "empty", "-1", "[]", "()",
];

/// Returns true if a text stands for an empty cell: nothing, one blank symbol up to three times, or one of [`EMPTY_WORDS`].
pub(super) fn is_empty(text: &str) -> bool {
    let text = text.trim().trim_matches(['"', '\'', '`', '\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}']).trim();
    let Some(symbol) = text.chars().next() else { return true };
    let repeats_a_blank = is_blank(symbol) && text.chars().count() <= 3 && text.chars().all(|c| c == symbol);
    repeats_a_blank || EMPTY_WORDS.contains(&&*text.to_lowercase())
}

/// Reads one text for each cell: a list of marks. A [`CellMark`] is one character with its position. On boards over 9×9, two digits may
/// be a decimal number or two candidates; both readings are tried.
pub(super) fn read(cells: &[Vec<CellMark>], size: usize, board_choice: BoardChoice<'_>) -> Reading {
    if let Some(mark) = cells.iter().find_map(|cell| footnote(cell)) {
        let error = FormatError::new(error::CANDIDATE_LIST, mark.position(), "a footnote in brackets, or a candidate?");
        return Err(error.with_help("write the candidates of a cell in order, and no footnotes"));
    }
    if let Some(mark) = range(cells, size) {
        return Err(error::ambiguous(mark.position(), "a range of candidates", "two candidates"));
    }
    let texts: Vec<Vec<CellMark>> = cells.iter().map(|cell| without_decoration(cell, size)).collect();
    if texts.iter().all(|text| text.len() == 1) {
        return from_marks(&texts.concat(), size, board_choice);
    }
    let lists: Vec<&[CellMark]> = texts.iter().map(Vec::as_slice).collect();
    let numbers: Option<Vec<CellMark>> = texts.iter().map(|text| number_as_mark(text, size)).collect();
    let Some(numbers) = numbers else { return from_lists(&lists, size, ListStyle::Any, board_choice) };
    let puzzle = from_marks(&numbers, size, board_choice);
    // The digits of a list of candidates ascend.
    let could_be_lists = texts.iter().all(|text| {
        let digits: Option<Vec<Digit>> = text.iter().map(|mark| mark.digit()).collect();
        digits.is_some_and(|digits| digits.is_sorted_by(|a, b| a < b))
    });
    if !could_be_lists {
        return puzzle;
    }
    match (puzzle, from_lists(&lists, size, ListStyle::Any, board_choice)) {
        (puzzle, Err(_)) => puzzle,
        (Err(_), lists) => lists,
        (Ok(_), Ok(_)) => Err(error::ambiguous(numbers[0].position(), "two-digit numbers", "lists of candidates")),
    }
}

/// Returns the opening bracket of a footnote, as in `35(1)`, if the cell may have a footnote: digits stand before and after the bracket,
/// and the digits do not ascend. Ascending digits, as in `35(7)`, are a list of candidates with one of them in brackets.
fn footnote(cell: &[CellMark]) -> Option<CellMark> {
    let bracket = cell.iter().position(|mark| matches!(mark.symbol, '[' | '('))?;
    let digits: Vec<Digit> = cell.iter().filter_map(|mark| mark.digit()).collect();
    let (before, after) = cell.split_at(bracket);
    let has_digits_on_both_sides =
        [before, after].iter().all(|side| side.iter().any(|mark| mark.symbol.is_ascii_digit()));
    let are_ascending = digits.windows(2).all(|pair| pair[0] < pair[1]);
    if has_digits_on_both_sides && !are_ascending { Some(cell[bracket]) } else { None }
}

/// Returns the first digit of a possible range: one digit, a dash and one larger digit, such as `2-4`. A grid with `1-2-4` or `234-8` has
/// no ranges: there, dashes separate or mark candidates. In a cell of n characters, dashes stand for absent candidates.
fn range(cells: &[Vec<CellMark>], size: usize) -> Option<CellMark> {
    let cells = || cells.iter().filter(|cell| cell.len() != size);
    let has_other_dashes = cells().any(|cell| {
        let several_before =
            |marks: &[CellMark]| marks[0].digit().is_some() && marks[1].digit().is_some() && marks[2].symbol == '-';
        cell.iter().filter(|mark| mark.symbol == '-').count() > 1 || cell.windows(3).any(several_before)
    });
    if has_other_dashes {
        return None;
    }
    let ranges = cells().filter(|cell| cell.iter().filter(|mark| mark.digit().is_some()).count() == 2);
    let marks = ranges.flat_map(|cell| cell.windows(3)).find(|marks| {
        let (first, last) = (marks[0].digit(), marks[2].digit());
        marks[1].symbol == '-' && first.zip(last).is_some_and(|(first, last)| first.index() + 1 < last.index())
    });
    marks.map(|marks| marks[0])
}

/// Removes quotes, decoration and decimal places from the text of a cell. An empty cell becomes one blank symbol.
fn without_decoration(cell: &[CellMark], size: usize) -> Vec<CellMark> {
    let first = cell.first().copied().unwrap_or(CellMark::new('.', 1, 1));
    let empty = vec![CellMark { symbol: '.', ..first }];
    // A single character is a cell as it stands, except `"`, which is an empty cell in quotes.
    if cell.len() == 1 && first.symbol != '"' {
        return cell.to_vec();
    }
    if is_empty(&text_of(cell)) {
        return empty;
    }
    let mut marks = cell.to_vec();
    marks.retain(|mark| !matches!(mark.symbol, '"' | '\'' | '`' | '\u{2018}'..='\u{201d}'));
    if let Some(length) = integer_length(&marks) {
        marks.truncate(length);
    }
    if marks.len() == 2 && marks[0].symbol == '0' && marks[1].symbol.is_ascii_digit() {
        marks.remove(0);
    }
    if in_braces(&marks).is_none() {
        remove_decoration(&mut marks, size);
    }
    if marks.iter().all(|mark| mark.symbol == '0') { empty } else { marks }
}

/// Returns the length of the integer before decimal places that are all zero: 1 for `5.0`.
fn integer_length(marks: &[CellMark]) -> Option<usize> {
    let point = marks.iter().position(|mark| matches!(mark.symbol, '.'))?;
    let (integer, decimals) = (&marks[..point], &marks[point + 1..]);
    let is_integer = (1..=2).contains(&integer.len()) && integer.iter().all(|mark| mark.symbol.is_ascii_digit());
    let are_zeros = (1..=6).contains(&decimals.len()) && decimals.iter().all(|mark| mark.symbol == '0');
    (is_integer && are_zeros).then_some(point)
}

/// Maximum number of letters of decoration at one end of a cell.
const LONGEST_DECORATION: usize = 2;

/// Removes symbols that decorate candidates, and the `u` or `+` before a placed digit. Up to 9×9, where letters are no digits, also
/// removes up to two letters at each end.
fn remove_decoration(marks: &mut Vec<CellMark>, size: usize) {
    if !marks.iter().any(|mark| mark.digit().is_some_and(|digit| digit.index() < size)) {
        return;
    }
    marks.retain(|mark| {
        !matches!(mark.symbol, '#' | '@' | '~' | '^' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '&' | '\u{b0}')
    });
    let count = marks.len();
    strip_decoration(marks, count, |c| matches!(c, '*' | '!' | '='));
    if marks.len() > 1 && matches!(marks[0].symbol, 'u' | 'U' | '+') && marks[1].symbol.is_ascii_alphanumeric() {
        marks.remove(0);
        marks[0].is_placed = true;
    }
    if size <= 9 {
        strip_decoration(marks, LONGEST_DECORATION, |c| c.is_ascii_alphabetic());
    }
}

/// Removes up to `max_count` symbols of decoration at each end; one mark always remains.
fn strip_decoration(marks: &mut Vec<CellMark>, max_count: usize, is_decoration: fn(char) -> bool) {
    let count = marks.iter().take(max_count).take_while(|mark| is_decoration(mark.symbol)).count();
    marks.drain(..count.min(marks.len().saturating_sub(1)));
    let count = marks.iter().rev().take(max_count).take_while(|mark| is_decoration(mark.symbol)).count();
    marks.truncate(marks.len() - count.min(marks.len().saturating_sub(1)));
}

/// Returns the mark of a blank, or one mark for a decimal number on a board over 9×9: `C` for 12. Returns `None` for any other text.
pub(super) fn number_as_mark(text: &[CellMark], size: usize) -> Option<CellMark> {
    let first = *text.first()?;
    if text.len() == 1 && first.is_blank() {
        return Some(first);
    }
    let digits = text_of(text);
    if size <= 9 || digits.len() > 2 || !all_digits(&digits) {
        return None;
    }
    let value: u8 = digits.parse().ok()?;
    if !(1..=size).contains(&usize::from(value)) {
        return None;
    }
    Some(CellMark { symbol: Digit(value - 1).symbol(), ..first })
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ListStyle {
    /// Candidates in any order.
    Any,
    /// The digit d, or a blank symbol in its place, is the d-th character of the list.
    Positional,
}

pub(super) fn from_lists(
    lists: &[&[CellMark]],
    size: usize,
    style: ListStyle,
    board_choice: BoardChoice<'_>,
) -> Reading {
    let start = start_of(lists.first().copied().unwrap_or_default());
    let geometry = board_choice.board_at(size, start)?;
    let mut candidates = Vec::with_capacity(lists.len());
    let mut is_unsolved = Vec::with_capacity(lists.len());
    let mut placed = vec![None; lists.len()];
    for (cell, list) in geometry.cells().zip(lists) {
        let name = notation::cell(&geometry, cell);
        let inside = in_braces(list);
        candidates.push(read_list(inside.unwrap_or(list), size, style, &name)?);
        is_unsolved.push(inside.is_some());
        if let Some(mark) = list.first()
            && mark.is_placed
        {
            if list.len() > 1 {
                let message = format!("{name} has a placed digit and more candidates");
                return Err(FormatError::new(error::CANDIDATE_LIST, mark.position(), message));
            }
            placed[cell.index()] = Some(digit_of(*mark, size)?);
        }
    }
    let mut puzzle = Puzzle::empty(Arc::clone(&geometry), start.0);
    for cell in geometry.cells() {
        let list = candidates[cell.index()];
        // A cell with one candidate is solved if no peer lists that digit, so that placing the digit eliminates nothing.
        if let Some(digit) = list.first()
            && list.len() == 1
            && !is_unsolved[cell.index()]
            && placed[cell.index()].is_none()
            && !geometry.peers(cell).iter().any(|peer| candidates[peer.index()].has(digit))
        {
            puzzle.givens[cell.index()] = Some(digit);
        }
    }
    // A placed digit shows that candidates may already be eliminated. Otherwise the lists are taken for the author's puzzle.
    puzzle.lists_are_puzzle = placed.iter().all(Option::is_none);
    Ok(Puzzle { placed, candidates: Some(candidates), ..puzzle })
}

/// Returns the list inside braces. `{5}` is an unsolved cell, even if no peer lists the 5.
pub(super) fn in_braces(list: &[CellMark]) -> Option<&[CellMark]> {
    match list {
        [first, inside @ .., last] if first.symbol == '{' && last.symbol == '}' && !inside.is_empty() => Some(inside),
        _ => None,
    }
}

/// Reads the candidates of the cell that messages call `cell`.
fn read_list(list: &[CellMark], size: usize, style: ListStyle, cell: &str) -> Result<DigitSet, FormatError> {
    let mut digits = DigitSet::EMPTY;
    for (index, mark) in list.iter().enumerate() {
        if mark.is_blank() {
            continue;
        }
        if is_x(mark.symbol) {
            return Err(unknown_character(*mark));
        }
        let digit = digit_of(*mark, size)?;
        if style == ListStyle::Positional && digit.index() != index {
            let message = format!("`{}` is in place {} of {cell}", mark.symbol, index + 1);
            let help = "in a candidate line digit d is the d-th character of its cell; `.` where it is absent";
            return Err(FormatError::new(error::CANDIDATE_LIST, mark.position(), message).with_help(help));
        }
        if digits.has(digit) {
            let message = format!("{digit} is listed twice in {cell}");
            return Err(FormatError::new(error::CANDIDATE_LIST, mark.position(), message));
        }
        digits.insert(digit);
    }
    if digits.is_empty() {
        return Err(FormatError::new(error::CANDIDATE_LIST, start_of(list), format!("{cell} lists no candidate"))
            .with_help("list every digit that the cell may still hold"));
    }
    Ok(digits)
}
