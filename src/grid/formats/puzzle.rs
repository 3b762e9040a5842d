//! A puzzle as it was read. In: characters with their places, or candidate lists. Out: [`Puzzle`], which
//! makes a [`State`]; a digit that stands twice in a house is refused here, for every format alike.

use super::boards::Boards;
use super::characters;
use super::error::{self, FormatError};
use super::signs;
use crate::grid::{BoardSpec, Cell, Digit, DigitSet, Geometry, HouseKind, State};
use std::sync::Arc;

/// A puzzle: what its author put on the board, and what was found since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The board.
    pub geometry: Arc<Geometry>,
    /// The clues, row by row. In candidate grids every solved cell counts as one.
    pub givens: Vec<Option<Digit>>,
    /// Placed digits, where the text tells them from clues.
    pub placed: Vec<Option<Digit>>,
    /// What each cell may hold, where the text says so; of a solved cell, its digit.
    pub candidates: Option<Vec<DigitSet>>,
    /// Whether these lists are all that the text says, so that they are the puzzle itself. Otherwise clues are, and
    /// what the lists lack was taken away since.
    pub lists_only: bool,
    /// What the puzzle itself left possible in each cell, where neither its clues nor its lists say so: of a puzzle that
    /// was lists, once candidates were taken away.
    pub open: Option<Vec<DigitSet>>,
    /// The line of the text where it begins, from one.
    pub line: usize,
    /// What follows the puzzle on its line; of one among others in a document, its path there.
    pub note: String,
    /// Parts of the text that were not read, and readings that a reader may want to check: a sentence for each.
    pub remarks: Vec<String>,
}

impl Puzzle {
    /// The position: clues and placed digits stand and their peers cannot hold them; where there are
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

    /// The position as the author of the puzzle left it, where something was placed or taken away since.
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

    /// The same puzzle at a later state: digits that stand now and did not are placed, and the candidates are those of the state.
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

    /// How many clues.
    pub fn clues(&self) -> usize {
        self.givens.iter().flatten().count()
    }

    /// The digit that stands in a cell, given or placed.
    pub fn digit(&self, cell: Cell) -> Option<Digit> {
        self.givens[cell.index()].or(self.placed[cell.index()])
    }
}

/// One character of a puzzle and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub symbol: char,
    /// Whether a `+` before it marks it as placed.
    pub placed: bool,
    pub line: usize,
    pub column: usize,
}

impl Mark {
    /// Line and column.
    pub(super) fn place(self) -> (usize, usize) {
        (self.line, self.column)
    }
}

/// Whether the character always means an empty cell.
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

/// Whether the character can stand for a cell: a digit of some board, or a blank (`x` among them).
pub(super) fn is_symbol(symbol: char) -> bool {
    is_blank(symbol) || matches!(symbol, 'x' | 'X') || Digit::from_symbol(symbol).is_some()
}

/// Reads one character for each cell.
pub(super) fn from_marks(marks: &[Mark], size: usize, boards: Boards<'_>) -> Result<Puzzle, FormatError> {
    let Some(geometry) = boards.board(size) else {
        let words = format!("there is no {size}×{size} board to read this on");
        return Err(FormatError::new(error::LENGTH, marks.first().map_or((1, 1), |mark| mark.place()), words));
    };
    let (own, remark) = signs::in_usual_signs(marks, size)?.unzip();
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
pub(super) fn digit_of(mark: Mark, size: usize) -> Result<Digit, FormatError> {
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
    let help = match characters::mistaken(mark.symbol).filter(|_| size < 16) {
        Some(advice) => format!("{help}; {advice}"),
        None => help,
    };
    Err(FormatError::new(error::TOO_LARGE, mark.place(), words).help(help))
}

pub(super) fn unknown(mark: Mark) -> FormatError {
    let words = format!("{} means nothing in a puzzle", characters::named(mark.symbol));
    let help = characters::advice(mark.symbol)
        .unwrap_or("write digits 1 to 9 and A to P, and one sign for an empty cell: . 0 * _ - ? or x");
    FormatError::new(error::CHARACTER, mark.place(), words).help(help)
}

/// The first digit that stands twice in a house.
pub(super) fn refuse_twice(puzzle: &Puzzle, place: impl Fn(Cell) -> (usize, usize)) -> Result<(), FormatError> {
    let geometry = &puzzle.geometry;
    let mut first = vec![None; geometry.size()];
    for house in geometry.houses() {
        first.fill(None);
        for &cell in &house.cells {
            let Some(digit) = puzzle.digit(cell) else { continue };
            let Some(earlier) = first[digit.index()].replace(cell) else { continue };
            let (a, b) = (cell_name(geometry, earlier), cell_name(geometry, cell));
            let words = format!("{digit} is twice in {house}: {a} and {b}");
            let error = FormatError::new(error::TWICE, place(cell), words);
            let help = if house.kind == HouseKind::Box { help_with_boxes(puzzle) } else { None };
            return Err(FormatError { help, ..error });
        }
    }
    refuse_apart(puzzle, place)
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

/// The first digit that stands in two cells that see each other without sharing a house.
fn refuse_apart(puzzle: &Puzzle, place: impl Fn(Cell) -> (usize, usize)) -> Result<(), FormatError> {
    let geometry = &puzzle.geometry;
    for cell in geometry.cells().filter(|_| geometry.has_extra_pairs()) {
        let Some(digit) = puzzle.digit(cell) else { continue };
        let same = |peer: &&Cell| **peer > cell && puzzle.digit(**peer) == Some(digit);
        if let Some(&other) = geometry.peers(cell).iter().find(same) {
            let (a, b) = (cell_name(geometry, cell), cell_name(geometry, other));
            let words = format!("{digit} is in {a} and {b}, which see each other on this board");
            return Err(FormatError::new(error::TWICE, place(other), words));
        }
    }
    Ok(())
}

pub(super) fn cell_name(geometry: &Geometry, cell: Cell) -> String {
    format!("r{}c{}", geometry.row(cell) + 1, geometry.column(cell) + 1)
}
