//! Checked puzzles. In: characters with their positions, or the [`Content`] of a document. Out: [`Puzzle`], which gives a [`State`].
//!
//! A puzzle whose digits repeat in a house is refused, whatever its format. Some texts write the digits 1 to n as the letters A, B, …,
//! or as 0 to n−1. These digits are translated if the text cannot be read as it is.

use super::TextPosition;
use super::boards::{BoardChoice, Features, SIZES, has_repetition, usual_box_numbers};
use super::error::{self, FormatError, broken};
use crate::grid::{BoardSpec, Cell, Digit, DigitSet, Geometry, HouseKind, State, notation};
use std::sync::Arc;

/// A puzzle (givens or candidate lists) and the progress in solving it (placed digits and eliminated candidates).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    pub geometry: Arc<Geometry>,
    /// The clues, row by row. In a candidate grid every solved cell is a clue.
    pub givens: Vec<Option<Digit>>,
    /// Placed digits, if the text distinguishes them from clues.
    pub placed: Vec<Option<Digit>>,
    /// Candidates of each cell, if the text lists them. A solved cell lists its digit.
    pub candidates: Option<Vec<DigitSet>>,
    /// True if the candidate lists are the puzzle itself. Otherwise the clues are the puzzle, and candidates missing from the lists
    /// were eliminated in the course of play.
    pub lists_are_puzzle: bool,
    /// Candidates of each cell in the author's puzzle, before candidates were eliminated. Set only if the author gave candidate lists;
    /// `candidates` then has the current candidates.
    pub initial_candidates: Option<Vec<DigitSet>>,
    /// Line of the text where the puzzle begins, from one.
    pub line: usize,
    /// Text after the puzzle on its line, or the path of the puzzle in a document with several puzzles.
    pub note: String,
    /// Sentences about text that was not read, and about readings that the user may want to check.
    pub remarks: Vec<String>,
}

impl Puzzle {
    pub(crate) fn empty(geometry: Arc<Geometry>, line: usize) -> Puzzle {
        let cells = geometry.cell_count();
        Puzzle {
            geometry,
            givens: vec![None; cells],
            placed: vec![None; cells],
            candidates: None,
            lists_are_puzzle: false,
            initial_candidates: None,
            line,
            note: String::new(),
            remarks: Vec::new(),
        }
    }

    /// Returns the position. Clues and placed digits are values. Unsolved cells have the listed candidates, without the values of
    /// their peers. The author's puzzle determines the [initial candidates](State::initial_candidates).
    pub fn state(&self) -> State {
        let mut state = State::empty(&self.geometry);
        for cell in self.geometry.cells() {
            if let Some(digit) = self.digit(cell) {
                state.place(&self.geometry, cell, digit);
            }
            if let Some(given) = self.givens[cell.index()] {
                state.set_initial_candidates(cell, DigitSet::single(given));
            }
        }
        for (cell, list) in self.geometry.cells().zip(self.candidates.iter().flatten()) {
            if self.digit(cell).is_none() {
                state.restrict(cell, *list);
                if self.lists_are_puzzle {
                    state.set_initial_candidates(cell, *list);
                }
            }
        }
        for (cell, initial) in self.geometry.cells().zip(self.initial_candidates.iter().flatten()) {
            state.set_initial_candidates(cell, *initial);
        }
        state
    }

    /// Returns the position without any progress: before digits were placed or candidates eliminated. Returns `None` if there is no
    /// progress.
    pub fn initial_state(&self) -> Option<State> {
        let has_progress =
            self.placed.iter().any(Option::is_some) || (self.candidates.is_some() && !self.lists_are_puzzle);
        if !has_progress {
            return None;
        }
        let initial = Puzzle {
            placed: vec![None; self.placed.len()],
            candidates: self.initial_candidates.clone(),
            lists_are_puzzle: self.initial_candidates.is_some(),
            initial_candidates: None,
            ..self.clone()
        };
        Some(initial.state())
    }

    /// Returns the puzzle with the progress of a later state: its values as placed digits, and its candidates.
    pub fn with_progress(&self, state: &State) -> Puzzle {
        let mut later = self.clone();
        if self.lists_are_puzzle {
            (later.lists_are_puzzle, later.initial_candidates) = (false, self.candidates.clone());
        }
        for cell in self.geometry.cells().filter(|&cell| self.digit(cell).is_none()) {
            later.placed[cell.index()] = state.value(cell);
        }
        let list_of = |cell| later.digit(cell).map_or_else(|| state.candidates(cell), DigitSet::single);
        later.candidates = Some(self.geometry.cells().map(list_of).collect());
        later
    }

    pub fn clue_count(&self) -> usize {
        self.givens.iter().flatten().count()
    }

    /// Returns the digit of a cell, given or placed.
    pub fn digit(&self, cell: Cell) -> Option<Digit> {
        self.givens[cell.index()].or(self.placed[cell.index()])
    }
}

/// The puzzle that a text holds, or the reason why it holds none.
pub(super) type Reading = Result<Puzzle, FormatError>;

/// One character of a puzzle, with its position in the text. A cell has several if it lists candidates or a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellMark {
    pub symbol: char,
    /// True if a `+` before the character marks the digit as placed.
    pub is_placed: bool,
    pub line: usize,
    pub column: usize,
}

impl CellMark {
    pub fn new(symbol: char, line: usize, column: usize) -> CellMark {
        CellMark { symbol, is_placed: false, line, column }
    }

    pub fn position(self) -> TextPosition {
        (self.line, self.column)
    }

    /// Returns the digit that the character stands for, on a board of any size.
    pub fn digit(self) -> Option<Digit> {
        Digit::from_symbol(self.symbol)
    }

    pub fn is_blank(&self) -> bool {
        is_blank(self.symbol)
    }
}

pub(super) fn start_of(marks: &[CellMark]) -> TextPosition {
    marks.first().map_or((1, 1), |mark| mark.position())
}

pub(super) fn text_of(marks: &[CellMark]) -> String {
    marks.iter().map(|mark| mark.symbol).collect()
}

/// Dots and squares outside of ASCII that stand for empty cells.
const FOREIGN_BLANKS: [char; 8] =
    ['\u{b7}', '\u{2022}', '\u{2219}', '\u{22c5}', '\u{25a1}', '\u{25a2}', '\u{2610}', '\u{2b1c}'];

/// Returns true if the character always stands for an empty cell.
pub(super) fn is_blank(symbol: char) -> bool {
    matches!(symbol, '.' | '0' | '*' | '_' | '-' | '?') || (!symbol.is_ascii() && FOREIGN_BLANKS.contains(&symbol))
}

/// Returns true for `x`. It stands for an empty cell if the puzzle has no other symbol for empty cells.
pub(super) fn is_x(symbol: char) -> bool {
    matches!(symbol, 'x' | 'X')
}

/// Returns true if the character can stand for a cell: a digit of a board of any size, or a symbol for an empty cell, including `x`.
pub(super) fn is_symbol(symbol: char) -> bool {
    is_blank(symbol) || is_x(symbol) || Digit::from_symbol(symbol).is_some()
}

/// Reads a puzzle of one character for each cell.
pub(super) fn from_marks(marks: &[CellMark], size: usize, boards: BoardChoice<'_>) -> Reading {
    let geometry = boards.board_at(size, start_of(marks))?;
    let translation = translation(marks, size)?;
    let marks = translation.as_ref().map_or(marks, |(translated, _)| translated);
    // An x beside another blank symbol is a typing error, because nobody writes empty cells in two ways.
    let x_is_blank = !marks.iter().any(CellMark::is_blank);
    let mut puzzle = Puzzle::empty(geometry, marks.first().map_or(1, |mark| mark.line));
    puzzle.remarks.extend(translation.iter().map(|(_, remark)| remark.clone()));
    for (index, mark) in marks.iter().enumerate() {
        if mark.is_blank() || (x_is_blank && is_x(mark.symbol)) {
            continue;
        }
        let digits = if mark.is_placed { &mut puzzle.placed } else { &mut puzzle.givens };
        digits[index] = Some(digit_of(*mark, size)?);
    }
    refuse_empty(&puzzle, start_of(marks))?;
    refuse_repeated_digits(&puzzle, |cell: Cell| marks[cell.index()].position())?;
    Ok(puzzle)
}

fn refuse_empty(puzzle: &Puzzle, position: TextPosition) -> Result<(), FormatError> {
    if puzzle.geometry.cells().any(|cell| puzzle.digit(cell).is_some()) {
        return Ok(());
    }
    Err(FormatError::new(error::NO_CLUE, position, "there is no digit in this puzzle"))
}

pub(super) fn digit_of(mark: CellMark, size: usize) -> Result<Digit, FormatError> {
    let digit = mark.digit().ok_or_else(|| unknown_character(mark))?;
    if digit.index() < size {
        return Ok(digit);
    }
    let last = Digit(size as u8 - 1);
    let message = format!("`{}` is not a digit of a {size}×{size} board", mark.symbol);
    let mut help = match size {
        0..=9 => format!("its digits are 1 to {last}"),
        10 => "its digits are 1 to 9 and A".to_string(),
        _ => format!("its digits are 1 to 9 and A to {last}"),
    };
    // From 16×16 on, most letters that the advice is about are digits.
    if size < 16
        && let Some(advice) = error::advice_for_letter(mark.symbol)
    {
        help = format!("{help}; {advice}");
    }
    Err(FormatError::new(error::TOO_LARGE, mark.position(), message).with_help(help))
}

pub(super) fn unknown_character(mark: CellMark) -> FormatError {
    let message = format!("{} means nothing in a puzzle", error::describe_character(mark.symbol));
    let help = error::advice_for(mark.symbol)
        .unwrap_or("write digits 1 to 9 and A to P, and one sign for an empty cell: . 0 * _ - ? or x");
    FormatError::new(error::CHARACTER, mark.position(), message).with_help(help)
}

/// Refuses a digit that repeats in a house, or in two cells that see each other.
pub(super) fn refuse_repeated_digits(
    puzzle: &Puzzle,
    position: impl Fn(Cell) -> TextPosition,
) -> Result<(), FormatError> {
    let geometry = &puzzle.geometry;
    let mut cell_of_digit = vec![None; geometry.size()];
    for house in geometry.houses() {
        cell_of_digit.fill(None);
        for &cell in &house.cells {
            let Some(digit) = puzzle.digit(cell) else { continue };
            let Some(earlier) = cell_of_digit[digit.index()].replace(cell) else { continue };
            let (a, b) = (notation::cell(geometry, earlier), notation::cell(geometry, cell));
            let message = format!("{digit} is twice in {house}: {a} and {b}");
            let error = FormatError::new(error::REPEATED_DIGIT, position(cell), message);
            let help = if house.kind == HouseKind::Box { advice_on_box_shape(puzzle) } else { None };
            return Err(FormatError { help, ..error });
        }
    }
    if !geometry.has_extra_pairs() {
        return Ok(());
    }
    for cell in geometry.cells() {
        let Some(digit) = puzzle.digit(cell) else { continue };
        let mut peers = geometry.peers(cell).iter().copied();
        if let Some(other) = peers.find(|&peer| peer > cell && puzzle.digit(peer) == Some(digit)) {
            let (a, b) = (notation::cell(geometry, cell), notation::cell(geometry, other));
            let message = format!("{digit} is in {a} and {b}, which see each other on this board");
            return Err(FormatError::new(error::REPEATED_DIGIT, position(other), message));
        }
    }
    Ok(())
}

/// Names a board of the same size with another box shape on which no digit repeats.
fn advice_on_box_shape(puzzle: &Puzzle) -> Option<String> {
    let spec = puzzle.geometry.spec();
    if !spec.extra.is_empty() || !spec.sees.is_empty() {
        return None;
    }
    let has_no_repetition = |cells: &[Cell]| {
        let digits: Vec<Digit> = cells.iter().filter_map(|&cell| puzzle.digit(cell)).collect();
        !has_repetition(&digits)
    };
    let mut boards = (2..spec.size)
        .filter_map(|rows| BoardSpec::with_boxes(spec.size, rows, spec.size / rows))
        .filter(|board| board.boxes() != spec.boxes());
    let board = boards.find(|board| {
        Geometry::new(board.clone())
            .is_ok_and(|geometry| geometry.houses().iter().all(|house| has_no_repetition(&house.cells)))
    })?;
    let (rows, columns) = board.boxes()?;
    let (size, name) = (spec.size, &board.name);
    Some(format!("as {size}×{size} with boxes of {rows} rows and {columns} columns it is a puzzle: --board {name}"))
}

/// The marks of a puzzle whose digits were translated to the standard notation, and a sentence about it for the user.
type Translation = (Vec<CellMark>, String);

/// Translates digits that are written as the letters A, B, …, or as 0 to n−1. Returns `None` if they need no translation, and an error if 0
/// may be a digit or an empty cell.
fn translation(marks: &[CellMark], size: usize) -> Result<Option<Translation>, FormatError> {
    if size > 9
        && let Some(translated) = letters_as_digits(marks, size)
    {
        return Ok(Some(translated));
    }
    digits_from_zero(marks, size)
}

/// Translates the letters A, B, … to the digits 1, 2, …, if all digits are letters and some letter is no digit in the standard notation.
fn letters_as_digits(marks: &[CellMark], size: usize) -> Option<Translation> {
    let x_is_blank = !marks.iter().any(CellMark::is_blank);
    let mut translated = marks.to_vec();
    let mut has_nonstandard_letter = false;
    for mark in translated.iter_mut().filter(|mark| !(mark.is_blank() || x_is_blank && is_x(mark.symbol))) {
        if !mark.symbol.is_ascii_alphabetic() {
            return None;
        }
        let index = mark.symbol.to_ascii_uppercase() as u8 - b'A';
        if usize::from(index) >= size {
            return None;
        }
        // In the standard notation, A is the tenth digit.
        has_nonstandard_letter |= usize::from(index) + 9 >= size;
        mark.symbol = Digit(index).symbol();
    }
    if !has_nonstandard_letter {
        return None;
    }
    let (last_letter, last_digit) = (char::from(b'A' + size as u8 - 1), Digit(size as u8 - 1));
    let remark = format!("the letters A to {last_letter} are read as the digits 1 to {last_digit}");
    Some((translated, remark))
}

/// Translates the digits 0 to n−1 to 1 to n. Three conditions must hold: another symbol stands for empty cells, the last standard digit is
/// absent, and no two zeros share a house. Returns an error if 0 may be a digit or an empty cell.
fn digits_from_zero(marks: &[CellMark], size: usize) -> Result<Option<Translation>, FormatError> {
    let zeros: Vec<usize> = (0..marks.len()).filter(|&cell| marks[cell].symbol == '0').collect();
    let is_below_last = |digit: Digit| digit.index() + 1 < size;
    let can_count_from_zero = marks.iter().all(|mark| mark.is_blank() || mark.digit().is_some_and(is_below_last));
    if zeros.is_empty() || !can_count_from_zero || share_a_house(&zeros, size) {
        return Ok(None);
    }
    let has_other_blanks = marks.iter().any(|mark| mark.is_blank() && mark.symbol != '0');
    let is_ambiguous = if has_other_blanks {
        // Digits from 0 (to F, in hexadecimal notation) are usual only above 10×10.
        size <= 10
    } else if size > 9 && zeros.len() >= size {
        // This may be a full grid with a zero in each row.
        true
    } else {
        // The zeros are the empty cells.
        return Ok(None);
    };
    if is_ambiguous {
        let position = marks[zeros[0]].position();
        return Err(error::ambiguous(position, "a grid where 0 is an empty cell", "one where it is a digit"));
    }
    let mut translated = marks.to_vec();
    for mark in &mut translated {
        if mark.symbol == '0' {
            mark.symbol = '1';
        } else if let Some(digit) = mark.digit() {
            mark.symbol = Digit(digit.0 + 1).symbol();
        }
    }
    let (last_written, last_digit) = (Digit(size as u8 - 2), Digit(size as u8 - 1));
    let remark = format!("the digits 0 to {last_written} are read as 1 to {last_digit}");
    Ok(Some((translated, remark)))
}

fn share_a_house(cells: &[usize], size: usize) -> bool {
    let boxes = usual_box_numbers(size);
    cells.iter().enumerate().any(|(index, &a)| {
        cells[..index].iter().any(|&b| {
            a / size == b / size || a % size == b % size || boxes.as_ref().is_some_and(|boxes| boxes[a] == boxes[b])
        })
    })
}

/// The puzzle of a document or link, before it is checked.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub size: usize,
    pub board: Features,
    pub givens: Vec<Option<Digit>>,
    pub placed: Vec<Option<Digit>>,
    /// Candidates of each cell; `None` if the document lists none for the cell.
    pub lists: Vec<Option<DigitSet>>,
    /// True if the lists are the puzzle itself.
    pub lists_are_puzzle: bool,
    /// Candidates of each cell in the author's puzzle, if the document lists them separately.
    pub initial_candidates: Option<Vec<DigitSet>>,
    pub note: String,
}

impl Content {
    /// Returns an empty grid, or an error if boards cannot have that size.
    pub fn new(size: usize) -> Result<Content, FormatError> {
        if !SIZES.contains(&size) {
            return Err(broken(format!("there is no board of {size} rows: boards have 4 to 25")));
        }
        let cells = size * size;
        Ok(Content {
            size,
            board: Features::default(),
            givens: vec![None; cells],
            placed: vec![None; cells],
            lists: vec![None; cells],
            lists_are_puzzle: false,
            initial_candidates: None,
            note: String::new(),
        })
    }

    /// Converts a number from one to a digit of this board.
    pub fn digit(&self, number: u64) -> Result<Digit, FormatError> {
        match usize::try_from(number) {
            Ok(number) if (1..=self.size).contains(&number) => Ok(Digit(number as u8 - 1)),
            _ => Err(broken(format!("{number} is not a digit of a {0}×{0} board", self.size))),
        }
    }

    /// Puts a digit into a cell, as a clue if `is_given`, otherwise as a placed digit.
    pub fn put(&mut self, cell: usize, number: u64, is_given: bool) -> Result<(), FormatError> {
        let digit = self.digit(number)?;
        let digits = if is_given { &mut self.givens } else { &mut self.placed };
        digits[cell] = Some(digit);
        Ok(())
    }

    /// Converts a bit mask, with bit 0 for the digit 1, to a set of digits of this board.
    pub fn digits_of_bits(&self, bits: u64) -> Result<DigitSet, FormatError> {
        match bits >> self.size {
            0 => Ok(DigitSet(bits as u32)),
            _ => Err(broken(format!("{bits} is not a set of candidates of a {0}×{0} board", self.size))),
        }
    }

    /// Reads one character for each cell: a digit, or a blank symbol.
    pub fn read_cells(&self, text: &str) -> Result<Vec<Option<Digit>>, FormatError> {
        let (count, cells) = (text.chars().count(), self.size * self.size);
        if count != cells {
            return Err(broken(format!("{count} cells are given; the board has {cells}")));
        }
        let digits = text.chars().map(|symbol| match Digit::from_symbol(symbol) {
            _ if is_blank(symbol) => Ok(None),
            Some(digit) if digit.index() < self.size => Ok(Some(digit)),
            _ => Err(broken(format!("`{symbol}` is not a digit of a {0}×{0} board", self.size))),
        });
        digits.collect()
    }

    /// Builds the board that the document describes, and checks the puzzle on it.
    pub fn into_puzzle(self, line: usize, boards: BoardChoice<'_>) -> Reading {
        let geometry = self.board.board(self.size, line, boards)?;
        let note = self.note.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut puzzle = Puzzle { givens: self.givens, placed: self.placed, note, ..Puzzle::empty(geometry, line) };
        let has_lists = self.lists.iter().any(Option::is_some);
        if !has_lists {
            refuse_empty(&puzzle, (line, 1))?;
        }
        refuse_repeated_digits(&puzzle, |_| (line, 1))?;
        if has_lists {
            let (all, cells) = (DigitSet::all(self.size), puzzle.geometry.cells().zip(self.lists));
            let lists = cells.map(|(cell, list)| puzzle.digit(cell).map_or(list.unwrap_or(all), DigitSet::single));
            puzzle.candidates = Some(lists.collect());
            puzzle.lists_are_puzzle = self.lists_are_puzzle;
            puzzle.initial_candidates = self.initial_candidates;
        }
        Ok(puzzle)
    }
}
