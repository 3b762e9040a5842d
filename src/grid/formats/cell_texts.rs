//! Texts of cells to a puzzle: digits, decimal numbers, candidate lists, and every symbol for an empty cell. In: one text for each
//! cell. Out: [`Puzzle`], with solved and unsolved cells distinguished (docs/decisions/0003-candidate-grids.md).

use super::boards::BoardChoice;
use super::error::{self, FormatError};
use super::link::all_digits;
use super::puzzle::{
    self, CellMark, Puzzle, Reading, digit_of, from_marks, is_blank, is_x, start_of, text_of, unknown_character,
};
use crate::grid::{Digit, DigitSet, Geometry, notation};
use std::sync::Arc;

/// The words of programs for an empty cell, in small letters.
#[rustfmt::skip]
pub(super) const EMPTY_WORDS: [&str; 17] = [
    "none", "null", "nil", "na", "n/a", "<na>", "#n/a", "nan", "undefined", "undef", "false", "nothing", "missing",
    "empty", "-1", "[]", "()",
];

/// Returns true if a text stands for an empty cell: nothing, one symbol several times, or a word of a program.
pub(super) fn is_empty(text: &str) -> bool {
    let text = text.trim().trim_matches(['"', '\'', '`', '\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}']).trim();
    let Some(symbol) = text.chars().next() else { return true };
    is_blank(symbol) && text.chars().count() <= 3 && text.chars().all(|c| c == symbol)
        || EMPTY_WORDS.contains(&&*text.to_lowercase())
}

/// Reads one text for each cell. Numbers of two digits are digits of larger boards, unless they can only be lists.
pub(super) fn read(cells: &[Vec<CellMark>], size: usize, boards: BoardChoice<'_>) -> Reading {
    if let Some(mark) = cells.iter().find_map(|cell| footnote(cell)) {
        let error = FormatError::new(error::LIST, mark.position(), "a footnote in brackets, or a candidate?");
        return Err(error.with_help("write the candidates of a cell in order, and no footnotes"));
    }
    let texts: Vec<Vec<CellMark>> = cells.iter().map(|cell| content(cell, size)).collect();
    if texts.iter().all(|text| text.len() == 1) {
        return from_marks(&texts.concat(), size, boards);
    }
    let lists: Vec<&[CellMark]> = texts.iter().map(Vec::as_slice).collect();
    let numbers: Option<Vec<CellMark>> = texts.iter().map(|text| number(text, size)).collect();
    let Some(numbers) = numbers else { return from_lists(&lists, size, false, boards) };
    let puzzle = from_marks(&numbers, size, boards);
    if !texts.iter().all(|text| could_be_list(text)) {
        return puzzle;
    }
    match (puzzle, from_lists(&lists, size, false, boards)) {
        (puzzle, Err(_)) => puzzle,
        (Err(_), lists) => lists,
        (Ok(_), Ok(_)) => Err(error::ambiguous(numbers[0].position(), "two-digit numbers", "lists of candidates")),
    }
}

/// Finds a bracket that may hold the number of a footnote: it stands beside digits, and those inside break their order.
fn footnote(cell: &[CellMark]) -> Option<CellMark> {
    let bracket = cell.iter().position(|mark| matches!(mark.symbol, '[' | '('))?;
    let digits: Vec<Digit> = cell.iter().filter_map(|mark| mark.digit()).collect();
    let (before, inside) = cell.split_at(bracket);
    let beside = [before, inside].iter().all(|part| part.iter().any(|mark| mark.symbol.is_ascii_digit()));
    (beside && digits.windows(2).any(|pair| pair[0] >= pair[1])).then(|| cell[bracket])
}

/// Removes quotes, decoration and decimal places from the text of a cell; an empty cell becomes one blank symbol.
fn content(cell: &[CellMark], size: usize) -> Vec<CellMark> {
    let first = cell.first().copied().unwrap_or(CellMark::new('.', 1, 1));
    let empty = vec![CellMark { symbol: '.', ..first }];
    if cell.len() == 1 && first.symbol != '"' {
        return cell.to_vec();
    }
    if is_empty(&text_of(cell)) {
        return empty;
    }
    let mut marks = cell.to_vec();
    marks.retain(|mark| !matches!(mark.symbol, '"' | '\'' | '`' | '\u{2018}'..='\u{201d}'));
    if let Some(whole) = whole_part(&marks) {
        marks.truncate(whole);
    }
    if marks.len() == 2 && marks[0].symbol == '0' && marks[1].symbol.is_ascii_digit() {
        marks.remove(0);
    }
    if in_braces(&marks).is_none() {
        undecorated(&mut marks, size);
    }
    if marks.iter().all(|mark| mark.symbol == '0') { empty } else { marks }
}

/// Returns the length of the number before decimal places that are all zero: 1 for `5.0`.
fn whole_part(marks: &[CellMark]) -> Option<usize> {
    let point = marks.iter().position(|mark| matches!(mark.symbol, '.'))?;
    let (whole, places) = (&marks[..point], &marks[point + 1..]);
    let is_number = (1..=2).contains(&whole.len()) && whole.iter().all(|mark| mark.symbol.is_ascii_digit());
    (is_number && (1..=6).contains(&places.len()) && places.iter().all(|mark| mark.symbol == '0')).then_some(point)
}

/// The most letters of a mark at one end of a cell.
const LONGEST_MARK: usize = 2;

/// Removes the symbols by which people mark candidates, and the `u` or `+` before a placed digit. Where a letter is no digit of
/// the board, one or two at either end are a mark.
fn undecorated(marks: &mut Vec<CellMark>, size: usize) {
    if !marks.iter().any(|mark| mark.digit().is_some_and(|digit| digit.index() < size)) {
        return;
    }
    marks.retain(|mark| {
        !matches!(mark.symbol, '#' | '@' | '~' | '^' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '&' | '\u{b0}')
    });
    strip(marks, usize::MAX, |c| matches!(c, '*' | '!' | '='));
    if marks.len() > 1 && matches!(marks[0].symbol, 'u' | 'U' | '+') && marks[1].symbol.is_ascii_alphanumeric() {
        marks.remove(0);
        marks[0].placed = true;
    }
    if size <= 9 {
        strip(marks, LONGEST_MARK, |c| c.is_ascii_alphabetic());
    }
}

/// Removes up to `most` symbols at each end, but not the last mark.
fn strip(marks: &mut Vec<CellMark>, most: usize, is_sign: fn(char) -> bool) {
    let count = marks.iter().take(most).take_while(|mark| is_sign(mark.symbol)).count();
    marks.drain(..count.min(marks.len().saturating_sub(1)));
    let count = marks.iter().rev().take(most).take_while(|mark| is_sign(mark.symbol)).count();
    marks.truncate(marks.len() - count.min(marks.len().saturating_sub(1)));
}

/// Returns a decimal number, or a blank, as one symbol.
pub(super) fn number(text: &[CellMark], size: usize) -> Option<CellMark> {
    let first = *text.first()?;
    if text.len() == 1 && first.is_blank() {
        return Some(first);
    }
    let digits = Some(text_of(text)).filter(|digits| size > 9 && digits.len() <= 2 && all_digits(digits))?;
    let value: u8 = digits.parse().ok().filter(|value| (1..=size).contains(&usize::from(*value)))?;
    Some(CellMark { symbol: Digit(value - 1).symbol(), ..first })
}

/// Returns true if a text could list candidates: its digits ascend.
fn could_be_list(text: &[CellMark]) -> bool {
    let digits: Option<Vec<Digit>> = text.iter().map(|mark| mark.digit()).collect();
    digits.is_some_and(|digits| digits.is_sorted_by(|a, b| a < b))
}

/// Reads one list for each cell. With `in_place` the digit d can only stand as the d-th character.
pub(super) fn from_lists(lists: &[&[CellMark]], size: usize, in_place: bool, boards: BoardChoice<'_>) -> Reading {
    let start = start_of(lists.first().copied().unwrap_or_default());
    let geometry = boards.board_at(size, start)?;
    let mut candidates = Vec::with_capacity(lists.len());
    let mut unsolved = Vec::with_capacity(lists.len());
    let mut placed = vec![None; lists.len()];
    for (cell, list) in geometry.cells().zip(lists) {
        let name = notation::cell(&geometry, cell);
        let inside = in_braces(list);
        candidates.push(list_of(inside.unwrap_or(list), size, in_place, &name)?);
        unsolved.push(inside.is_some());
        if let Some(mark) = list.first().filter(|mark| mark.placed) {
            if list.len() > 1 {
                let message = format!("{name} has a placed digit and more candidates");
                return Err(FormatError::new(error::LIST, mark.position(), message));
            }
            placed[cell.index()] = Some(digit_of(*mark, size)?);
        }
    }
    let mut puzzle = with_solved_cells(geometry, candidates, &unsolved, start.0);
    if placed.iter().any(Option::is_some) {
        let given = puzzle.givens.iter_mut().zip(&placed);
        given.filter(|(_, placed)| placed.is_some()).for_each(|(given, _)| *given = None);
        (puzzle.placed, puzzle.lists_only) = (placed, false);
    }
    Ok(puzzle)
}

/// Returns the list inside braces: `{5}` is an unsolved cell, whatever its peers list.
pub(super) fn in_braces(list: &[CellMark]) -> Option<&[CellMark]> {
    match list {
        [first, inside @ .., last] if first.symbol == '{' && last.symbol == '}' && !inside.is_empty() => Some(inside),
        _ => None,
    }
}

fn list_of(list: &[CellMark], size: usize, in_place: bool, cell: &str) -> Result<DigitSet, FormatError> {
    let mut digits = DigitSet::EMPTY;
    for (index, mark) in list.iter().enumerate() {
        if mark.is_blank() {
            continue;
        }
        if is_x(mark.symbol) {
            return Err(unknown_character(*mark));
        }
        let digit = digit_of(*mark, size)?;
        if in_place && digit.index() != index {
            let message = format!("`{}` is in place {} of {cell}", mark.symbol, index + 1);
            let help = "in a candidate line digit d is the d-th character of its cell; `.` where it is absent";
            return Err(FormatError::new(error::LIST, mark.position(), message).with_help(help));
        }
        if digits.has(digit) {
            let message = format!("{digit} is listed twice in {cell}");
            return Err(FormatError::new(error::LIST, mark.position(), message));
        }
        digits.insert(digit);
    }
    if digits.is_empty() {
        return Err(FormatError::new(error::LIST, start_of(list), format!("{cell} lists no candidate"))
            .with_help("list every digit that the cell may still hold"));
    }
    Ok(digits)
}

/// Marks solved cells: a cell that shows one digit is solved if no peer lists that digit, unless the text says that it is unsolved.
/// Placing it changes nothing else.
fn with_solved_cells(geometry: Arc<Geometry>, candidates: Vec<DigitSet>, unsolved: &[bool], line: usize) -> Puzzle {
    let mut puzzle = puzzle::empty(Arc::clone(&geometry), line);
    for cell in geometry.cells() {
        let list = candidates[cell.index()];
        let Some(digit) = list.first().filter(|_| list.len() == 1 && !unsolved[cell.index()]) else { continue };
        if !geometry.peers(cell).iter().any(|peer| candidates[peer.index()].has(digit)) {
            puzzle.givens[cell.index()] = Some(digit);
        }
    }
    puzzle.candidates = Some(candidates);
    puzzle.lists_only = true;
    puzzle
}
