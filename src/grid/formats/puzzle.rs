//! A puzzle as it was read. In: characters with their places. Out: [`Puzzle`], which makes a [`State`].
//!
//! A digit that stands twice in a house is refused here, whatever the format. Digits may also be letters from A on, or count from 0:
//! they are read so if no other reading is possible.

use super::boards::BoardChoice;
use super::error::{self, FormatError};
use crate::grid::{BoardSpec, Cell, Digit, DigitSet, Geometry, HouseKind, State, notation};
use std::sync::Arc;

/// A puzzle: what its author put on the board, and what was found since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The board.
    pub geometry: Arc<Geometry>,
    /// The clues, row by row. In candidate grids every solved cell counts as one.
    pub givens: Vec<Option<Digit>>,
    /// Placed digits, if the text distinguishes them from clues.
    pub placed: Vec<Option<Digit>>,
    /// Candidates of each cell, if the text lists them; a solved cell lists its digit.
    pub candidates: Option<Vec<DigitSet>>,
    /// True if the lists are the puzzle itself. Otherwise the clues are, and candidates missing from the lists were eliminated
    /// in the course of play.
    pub lists_only: bool,
    /// Digits that the puzzle itself left possible in each cell. Set if the puzzle was candidate lists and candidates were
    /// eliminated since; otherwise clues or lists say it.
    pub open: Option<Vec<DigitSet>>,
    /// The line of the text where it begins, from one.
    pub line: usize,
    /// Text after the puzzle on its line; for one of several puzzles in a document, its path there.
    pub note: String,
    /// Parts of the text that were not read, and readings that a reader may want to check: a sentence for each.
    pub remarks: Vec<String>,
}

impl Puzzle {
    /// Returns the position: clues and placed digits stand and their peers cannot hold them; where there are
    /// candidate lists, the other cells keep what is listed. What was placed or taken away later stays
    /// [open](State::open).
    pub fn state(&self) -> State {
        let mut state = State::empty(&self.geometry);
        for cell in self.geometry.cells() {
            if let Some(digit) = self.digit(cell) {
                state.place(&self.geometry, cell, digit);
            }
            if let Some(given) = self.givens[cell.index()] {
                state.set_open(cell, DigitSet::single(given));
            }
        }
        for (cell, list) in self.geometry.cells().zip(self.candidates.iter().flatten()) {
            if self.digit(cell).is_none() {
                state.restrict(cell, *list);
                if self.lists_only {
                    state.set_open(cell, *list);
                }
            }
        }
        for (cell, open) in self.geometry.cells().zip(self.open.iter().flatten()) {
            state.set_open(cell, *open);
        }
        state
    }

    /// Returns the position as the author of the puzzle left it, where something was placed or taken away since.
    pub fn beginning(&self) -> Option<State> {
        let changed = self.placed.iter().any(Option::is_some) || (self.candidates.is_some() && !self.lists_only);
        let lists_only = self.open.is_some();
        let clues = || Puzzle {
            placed: vec![None; self.placed.len()],
            candidates: self.open.clone(),
            lists_only,
            open: None,
            ..self.clone()
        };
        changed.then(|| clues().state())
    }

    /// Returns the puzzle at a later state: new digits are placed, and the candidates are those of the state.
    pub fn at(&self, state: &State) -> Puzzle {
        let mut later = self.clone();
        if self.lists_only {
            (later.lists_only, later.open) = (false, self.candidates.clone());
        }
        for cell in self.geometry.cells().filter(|&cell| self.digit(cell).is_none()) {
            later.placed[cell.index()] = state.value(cell);
        }
        let list = |cell| later.digit(cell).map_or_else(|| state.candidates(cell), DigitSet::single);
        later.candidates = Some(self.geometry.cells().map(list).collect());
        later
    }

    /// Returns the number of clues.
    pub fn clues(&self) -> usize {
        self.givens.iter().flatten().count()
    }

    /// Returns the digit that stands in a cell, given or placed.
    pub fn digit(&self, cell: Cell) -> Option<Digit> {
        self.givens[cell.index()].or(self.placed[cell.index()])
    }
}

/// One character of a puzzle and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellMark {
    pub symbol: char,
    /// True if a `+` before it marks it as placed.
    pub placed: bool,
    pub line: usize,
    pub column: usize,
}

impl CellMark {
    /// Returns line and column.
    pub(super) fn place(self) -> (usize, usize) {
        (self.line, self.column)
    }
}

/// Returns true if the character always means an empty cell.
pub(super) fn is_blank(symbol: char) -> bool {
    matches!(
        symbol,
        '.' | '0'
            | '*'
            | '_'
            | '-'
            | '?'
            | '\u{b7}'
            | '\u{2022}'
            | '\u{2219}'
            | '\u{22c5}'
            | '\u{25a1}'
            | '\u{25a2}'
            | '\u{2610}'
            | '\u{2b1c}'
    )
}

/// Returns true if the character can stand for a cell: a digit of some board, or a sign for an empty cell, including `x`.
pub(super) fn is_symbol(symbol: char) -> bool {
    is_blank(symbol) || matches!(symbol, 'x' | 'X') || Digit::from_symbol(symbol).is_some()
}

/// Reads one character for each cell.
pub(super) fn from_marks(marks: &[CellMark], size: usize, boards: BoardChoice<'_>) -> Result<Puzzle, FormatError> {
    let Some(geometry) = boards.board(size) else {
        let words = format!("there is no {size}×{size} board to read this on");
        return Err(FormatError::new(error::LENGTH, marks.first().map_or((1, 1), |mark| mark.place()), words));
    };
    let (own, remark) = in_usual_signs(marks, size)?.unzip();
    let marks = own.as_deref().unwrap_or(marks);
    // An x next to another blank is a typing error: nobody writes empty cells in two ways.
    let x_is_blank = !marks.iter().any(|mark| is_blank(mark.symbol));
    let mut puzzle = empty(geometry, marks.first().map_or(1, |mark| mark.line));
    puzzle.remarks.extend(remark);
    for (index, mark) in marks.iter().enumerate() {
        if is_blank(mark.symbol) || (x_is_blank && matches!(mark.symbol, 'x' | 'X')) {
            continue;
        }
        let digit = digit_of(*mark, size)?;
        let here = if mark.placed { &mut puzzle.placed } else { &mut puzzle.givens };
        here[index] = Some(digit);
    }
    if puzzle.geometry.cells().all(|cell| puzzle.digit(cell).is_none()) {
        let place = marks.first().map_or((1, 1), |mark| mark.place());
        return Err(FormatError::new(error::NO_CLUE, place, "there is no digit in this puzzle"));
    }
    refuse_twice(&puzzle, |cell: Cell| marks[cell.index()].place())?;
    Ok(puzzle)
}

pub(super) fn empty(geometry: Arc<Geometry>, line: usize) -> Puzzle {
    let cells = geometry.cell_count();
    Puzzle {
        geometry,
        givens: vec![None; cells],
        placed: vec![None; cells],
        candidates: None,
        lists_only: false,
        open: None,
        line,
        note: String::new(),
        remarks: Vec::new(),
    }
}

/// Reads a digit of a board of this size.
pub(super) fn digit_of(mark: CellMark, size: usize) -> Result<Digit, FormatError> {
    let Some(digit) = Digit::from_symbol(mark.symbol) else {
        return Err(unknown(mark));
    };
    if digit.index() < size {
        return Ok(digit);
    }
    let last = Digit(size as u8 - 1);
    let words = format!("`{}` is not a digit of a {size}×{size} board", mark.symbol);
    let help = match size {
        0..=9 => format!("its digits are 1 to {last}"),
        10 => "its digits are 1 to 9 and A".to_string(),
        _ => format!("its digits are 1 to 9 and A to {last}"),
    };
    let help = match error::mistaken(mark.symbol).filter(|_| size < 16) {
        Some(advice) => format!("{help}; {advice}"),
        None => help,
    };
    Err(FormatError::new(error::TOO_LARGE, mark.place(), words).help(help))
}

pub(super) fn unknown(mark: CellMark) -> FormatError {
    let words = format!("{} means nothing in a puzzle", error::named(mark.symbol));
    let help = error::advice(mark.symbol)
        .unwrap_or("write digits 1 to 9 and A to P, and one sign for an empty cell: . 0 * _ - ? or x");
    FormatError::new(error::CHARACTER, mark.place(), words).help(help)
}

/// Refuses a digit that stands twice in a house.
pub(super) fn refuse_twice(puzzle: &Puzzle, place: impl Fn(Cell) -> (usize, usize)) -> Result<(), FormatError> {
    let geometry = &puzzle.geometry;
    let mut first = vec![None; geometry.size()];
    for house in geometry.houses() {
        first.fill(None);
        for &cell in &house.cells {
            let Some(digit) = puzzle.digit(cell) else { continue };
            let Some(earlier) = first[digit.index()].replace(cell) else { continue };
            let (a, b) = (notation::cell(geometry, earlier), notation::cell(geometry, cell));
            let words = format!("{digit} is twice in {house}: {a} and {b}");
            let error = FormatError::new(error::TWICE, place(cell), words);
            let help = if house.kind == HouseKind::Box { help_with_boxes(puzzle) } else { None };
            return Err(FormatError { help, ..error });
        }
    }
    refuse_seen_twice(puzzle, place)
}

/// Names the board of other boxes, or of other houses in place of boxes, on which no digit is twice.
fn help_with_boxes(puzzle: &Puzzle) -> Option<String> {
    let spec = puzzle.geometry.spec();
    if !spec.extra.is_empty() || !spec.sees.is_empty() {
        return None;
    }
    let others = BoardSpec::all_with_boxes(spec.size).filter(|other| other.boxes() != spec.boxes());
    let fits = |other: &BoardSpec| {
        let Ok(geometry) = Geometry::new(other.clone()) else { return false };
        geometry.houses().iter().all(|house| {
            let digits: Vec<Digit> = house.cells.iter().filter_map(|&cell| puzzle.digit(cell)).collect();
            digits.iter().enumerate().all(|(at, digit)| !digits[..at].contains(digit))
        })
    };
    let other = others.into_iter().find(fits)?;
    let (rows, columns) = other.boxes()?;
    let size = spec.size;
    Some(format!(
        "as {size}×{size} with boxes of {rows} rows and {columns} columns it is a puzzle: --board {}",
        other.name
    ))
}

/// Refuses a digit in two cells that see each other without sharing a house.
fn refuse_seen_twice(puzzle: &Puzzle, place: impl Fn(Cell) -> (usize, usize)) -> Result<(), FormatError> {
    let geometry = &puzzle.geometry;
    for cell in geometry.cells().filter(|_| geometry.has_extra_pairs()) {
        let Some(digit) = puzzle.digit(cell) else { continue };
        let same = |peer: &&Cell| **peer > cell && puzzle.digit(**peer) == Some(digit);
        if let Some(&other) = geometry.peers(cell).iter().find(same) {
            let (a, b) = (notation::cell(geometry, cell), notation::cell(geometry, other));
            let words = format!("{digit} is in {a} and {b}, which see each other on this board");
            return Err(FormatError::new(error::TWICE, place(other), words));
        }
    }
    Ok(())
}

/// Cells in usual signs, and a remark on how they were read.
pub(super) type SignReading = (Vec<CellMark>, String);

/// Returns the cells in usual signs if they are in others.
///
/// # Errors
/// If 0 may be a digit or an empty cell.
pub(super) fn in_usual_signs(marks: &[CellMark], size: usize) -> Result<Option<SignReading>, FormatError> {
    match if size > 9 { letters(marks, size) } else { None } {
        None => from_zero(marks, size),
        letters => Ok(letters),
    }
}

/// Reads letters from A on for all digits: there is no other sign, and a letter that the usual signs do not have.
fn letters(marks: &[CellMark], size: usize) -> Option<SignReading> {
    let x_is_blank = !marks.iter().any(|mark| is_blank(mark.symbol));
    let is_empty = |sign: char| is_blank(sign) || (x_is_blank && matches!(sign, 'x' | 'X'));
    let place = |sign: char| sign.is_ascii_alphabetic().then(|| usize::from(sign.to_ascii_uppercase() as u8 - b'A'));
    let mut beyond = false;
    for sign in marks.iter().map(|mark| mark.symbol).filter(|&sign| !is_empty(sign)) {
        let place = place(sign).filter(|&place| place < size)?;
        beyond |= place + 9 >= size;
    }
    let usual = |mark: &CellMark| match place(mark.symbol).filter(|_| !is_empty(mark.symbol)) {
        Some(place) => CellMark { symbol: Digit(place as u8).symbol(), ..*mark },
        None => *mark,
    };
    let (last, own) = (char::from(b'A' + size as u8 - 1), Digit(size as u8 - 1).symbol());
    let words = format!("the letters A to {last} are read as the digits 1 to {own}");
    beyond.then(|| (marks.iter().map(usual).collect(), words))
}

/// Reads digits from 0 on: another sign stands for empty cells, the last usual digit is absent, and no 0 sees another.
fn from_zero(marks: &[CellMark], size: usize) -> Result<Option<SignReading>, FormatError> {
    let zeros: Vec<usize> = (0..marks.len()).filter(|&at| marks[at].symbol == '0').collect();
    let empty = marks.iter().filter(|mark| is_blank(mark.symbol) && mark.symbol != '0').count();
    let below_last = |mark: &&CellMark| Digit::from_symbol(mark.symbol).is_some_and(|digit| digit.index() + 1 < size);
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
    let usual = |mark: &CellMark| {
        let index =
            if mark.symbol == '0' { Some(0) } else { Digit::from_symbol(mark.symbol).map(|digit| digit.index() + 1) };
        index.map_or(*mark, |index| CellMark { symbol: Digit(index as u8).symbol(), ..*mark })
    };
    let (last, own) = (Digit(size as u8 - 2).symbol(), Digit(size as u8 - 1).symbol());
    Ok(Some((marks.iter().map(usual).collect(), format!("the digits 0 to {last} are read as 1 to {own}"))))
}

/// Returns true if two of these cells share a row, column or box.
fn sees_itself(cells: &[usize], size: usize) -> bool {
    let (height, width) = BoardSpec::standard(size).and_then(|spec| spec.boxes()).unwrap_or((1, size));
    let houses = |cell: usize| {
        let (row, column) = (cell / size, cell % size);
        [row, column, row / height * height + column / width]
    };
    let mut seen = vec![[false; 3]; size];
    cells.iter().any(|&cell| {
        houses(cell).into_iter().enumerate().any(|(kind, house)| std::mem::replace(&mut seen[house][kind], true))
    })
}
