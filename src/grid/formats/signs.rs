//! Signs for the digits of boards. In: the characters of all cells. Out: the same in the usual signs (1 to 9, then A and so on),
//! if letters alone or digits from 0 on are the only way to read them.

use super::error::{self, FormatError};
use super::puzzle::{Mark, is_blank};
use crate::grid::{BoardSpec, Digit};

/// Cells in usual signs, and a remark on how they were read.
pub(super) type Reading = (Vec<Mark>, String);

/// Returns the cells in usual signs if they are in others.
///
/// # Errors
/// If 0 may be a digit or an empty cell.
pub(super) fn in_usual_signs(marks: &[Mark], size: usize) -> Result<Option<Reading>, FormatError> {
    match if size > 9 { letters(marks, size) } else { None } {
        None => from_zero(marks, size),
        letters => Ok(letters),
    }
}

/// Letters from A on for all digits: there is no other sign, and a letter that the usual signs do not have.
fn letters(marks: &[Mark], size: usize) -> Option<Reading> {
    let x_is_blank = !marks.iter().any(|mark| is_blank(mark.symbol));
    let is_empty = |sign: char| is_blank(sign) || (x_is_blank && matches!(sign, 'x' | 'X'));
    let place = |sign: char| sign.is_ascii_alphabetic().then(|| usize::from(sign.to_ascii_uppercase() as u8 - b'A'));
    let mut beyond = false;
    for sign in marks.iter().map(|mark| mark.symbol).filter(|&sign| !is_empty(sign)) {
        let place = place(sign).filter(|&place| place < size)?;
        beyond |= place + 9 >= size;
    }
    let usual = |mark: &Mark| match place(mark.symbol).filter(|_| !is_empty(mark.symbol)) {
        Some(place) => Mark { symbol: Digit(place as u8).symbol(), ..*mark },
        None => *mark,
    };
    let (last, own) = (char::from(b'A' + size as u8 - 1), Digit(size as u8 - 1).symbol());
    let words = format!("the letters A to {last} are read as the digits 1 to {own}");
    beyond.then(|| (marks.iter().map(usual).collect(), words))
}

/// Digits from 0 on: another sign stands for empty cells, the last usual digit is absent, and no 0 sees another.
fn from_zero(marks: &[Mark], size: usize) -> Result<Option<Reading>, FormatError> {
    let zeros: Vec<usize> = (0..marks.len()).filter(|&at| marks[at].symbol == '0').collect();
    let empty = marks.iter().filter(|mark| is_blank(mark.symbol) && mark.symbol != '0').count();
    let below_last = |mark: &&Mark| Digit::from_symbol(mark.symbol).is_some_and(|digit| digit.index() + 1 < size);
    let digits = marks.iter().filter(below_last).count();
    if zeros.is_empty() || digits + empty + zeros.len() != marks.len() || sees_itself(&zeros, size) {
        return Ok(None);
    }
    if empty == 0 && (zeros.len() < size || size <= 9) {
        return Ok(None);
    }
    if empty == 0 || size <= 10 {
        return Err(error::ambiguous(
            marks[zeros[0]].place(),
            "a grid where 0 is an empty cell",
            "one where it is a digit",
        ));
    }
    let usual = |mark: &Mark| {
        let index =
            if mark.symbol == '0' { Some(0) } else { Digit::from_symbol(mark.symbol).map(|digit| digit.index() + 1) };
        index.map_or(*mark, |index| Mark { symbol: Digit(index as u8).symbol(), ..*mark })
    };
    let (last, own) = (Digit(size as u8 - 2).symbol(), Digit(size as u8 - 1).symbol());
    Ok(Some((marks.iter().map(usual).collect(), format!("the digits 0 to {last} are read as 1 to {own}"))))
}

/// Returns true if two of these cells share a row, column or box.
fn sees_itself(cells: &[usize], size: usize) -> bool {
    let (height, width) = BoardSpec::plain(size).and_then(|spec| spec.boxes()).unwrap_or((1, size));
    let houses = |cell: usize| {
        let (row, column) = (cell / size, cell % size);
        [row, column, row / height * height + column / width]
    };
    let mut seen = vec![[false; 3]; size];
    cells.iter().any(|&cell| {
        houses(cell).into_iter().enumerate().any(|(kind, house)| std::mem::replace(&mut seen[house][kind], true))
    })
}
