//! Candidate lists to a puzzle. In: the digits of every cell. Out: [`Puzzle`] with the solved cells told from
//! the unsolved (docs/decisions/0003-candidate-grids.md).

use super::boards::Boards;
use super::error::{self, FormatError};
use super::puzzle::{self, Mark, Puzzle, cell_name, digit_of, is_blank, unknown};
use crate::grid::{DigitSet, Geometry};
use std::sync::Arc;

/// Reads one list for each cell. With `in_place` the digit d can only stand as the d-th character.
pub(super) fn from_lists(
    lists: &[&[Mark]],
    size: usize,
    in_place: bool,
    boards: Boards<'_>,
) -> Result<Puzzle, FormatError> {
    let start = lists.first().and_then(|list| list.first()).map_or((1, 1), |mark| (mark.line, mark.column));
    let Some(geometry) = boards.board(size) else {
        return Err(FormatError::new(error::LENGTH, start, format!("there is no {size}×{size} board to read this on")));
    };
    let mut candidates = Vec::with_capacity(lists.len());
    let mut unsolved = Vec::with_capacity(lists.len());
    let mut placed = vec![None; lists.len()];
    for (cell, list) in geometry.cells().zip(lists) {
        let name = cell_name(&geometry, cell);
        let inside = in_braces(list);
        candidates.push(list_of(inside.unwrap_or(list), size, in_place, &name)?);
        unsolved.push(inside.is_some());
        if let Some(mark) = list.first().filter(|mark| mark.placed) {
            if list.len() > 1 {
                let words = format!("{name} has a placed digit and more candidates");
                return Err(FormatError::new(error::LIST, (mark.line, mark.column), words));
            }
            placed[cell.index()] = Some(digit_of(*mark, size)?);
        }
    }
    let mut puzzle = solved_apart(geometry, candidates, &unsolved, start.0);
    if placed.iter().any(Option::is_some) {
        puzzle
            .givens
            .iter_mut()
            .zip(&placed)
            .filter(|(_, placed)| placed.is_some())
            .for_each(|(given, _)| *given = None);
        (puzzle.placed, puzzle.lists_only) = (placed, false);
    }
    Ok(puzzle)
}

/// What stands in braces, if the list does: `{5}` is an unsolved cell, whatever its peers list.
pub(super) fn in_braces(list: &[Mark]) -> Option<&[Mark]> {
    match list {
        [first, inside @ .., last] if first.symbol == '{' && last.symbol == '}' && !inside.is_empty() => Some(inside),
        _ => None,
    }
}

fn list_of(list: &[Mark], size: usize, in_place: bool, cell: &str) -> Result<DigitSet, FormatError> {
    let mut digits = DigitSet::EMPTY;
    for (index, mark) in list.iter().enumerate() {
        if is_blank(mark.symbol) {
            continue;
        }
        if matches!(mark.symbol, 'x' | 'X') {
            return Err(unknown(*mark));
        }
        let digit = digit_of(*mark, size)?;
        if in_place && digit.index() != index {
            let words = format!("`{}` is in place {} of {cell}", mark.symbol, index + 1);
            let help = "in a candidate line digit d is the d-th character of its cell; `.` where it is absent";
            return Err(FormatError::new(error::LIST, (mark.line, mark.column), words).help(help));
        }
        if digits.has(digit) {
            let words = format!("{digit} is listed twice in {cell}");
            return Err(FormatError::new(error::LIST, (mark.line, mark.column), words));
        }
        digits.insert(digit);
    }
    if digits.is_empty() {
        let place = list.first().map_or((1, 1), |mark| (mark.line, mark.column));
        return Err(FormatError::new(error::LIST, place, format!("{cell} lists no candidate"))
            .help("list every digit that the cell may still hold"));
    }
    Ok(digits)
}

/// A cell that shows one digit is solved if no peer lists that digit, unless the text says that it is unsolved; placing it then
/// changes nothing else.
fn solved_apart(geometry: Arc<Geometry>, candidates: Vec<DigitSet>, unsolved: &[bool], line: usize) -> Puzzle {
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
