//! A puzzle as it was read. In: characters with their places, or the [`Content`] of a text with a symbol of its format. Out: [`Puzzle`],
//! which makes a [`State`].
//!
//! A digit that stands twice in a house is refused here, whatever the format. Digits may also be letters from A on, or count from 0:
//! they are read so if no other reading is possible.

use super::TextPosition;
use super::boards::{BoardChoice, Features, SIZES, has_twice};
use super::error::{self, FormatError, broken};
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
    pub initial_candidates: Option<Vec<DigitSet>>,
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
    /// [initial candidates](State::initial_candidates).
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
                if self.lists_only {
                    state.set_initial_candidates(cell, *list);
                }
            }
        }
        for (cell, initial) in self.geometry.cells().zip(self.initial_candidates.iter().flatten()) {
            state.set_initial_candidates(cell, *initial);
        }
        state
    }

    /// Returns the position as the author of the puzzle left it, where something was placed or taken away since.
    pub fn initial_state(&self) -> Option<State> {
        let changed = self.placed.iter().any(Option::is_some) || (self.candidates.is_some() && !self.lists_only);
        let clues = changed.then(|| Puzzle {
            placed: vec![None; self.placed.len()],
            candidates: self.initial_candidates.clone(),
            lists_only: self.initial_candidates.is_some(),
            initial_candidates: None,
            ..self.clone()
        });
        clues.map(|clues| clues.state())
    }

    /// Returns the puzzle at a later state: new digits are placed, and the candidates are those of the state.
    pub fn with_progress(&self, state: &State) -> Puzzle {
        let mut later = self.clone();
        if self.lists_only {
            (later.lists_only, later.initial_candidates) = (false, self.candidates.clone());
        }
        for cell in self.geometry.cells().filter(|&cell| self.digit(cell).is_none()) {
            later.placed[cell.index()] = state.value(cell);
        }
        let lists = self.geometry.cells();
        let lists = lists.map(|cell| later.digit(cell).map_or_else(|| state.candidates(cell), DigitSet::single));
        later.candidates = Some(lists.collect());
        later
    }

    /// Returns the number of clues.
    pub fn clue_count(&self) -> usize {
        self.givens.iter().flatten().count()
    }

    /// Returns the digit that stands in a cell, given or placed.
    pub fn digit(&self, cell: Cell) -> Option<Digit> {
        self.givens[cell.index()].or(self.placed[cell.index()])
    }
}

/// A text read as a puzzle.
pub(super) type Reading = Result<Puzzle, FormatError>;

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
    pub fn new(symbol: char, line: usize, column: usize) -> CellMark {
        CellMark { symbol, placed: false, line, column }
    }

    /// Returns line and column.
    pub fn position(self) -> TextPosition {
        (self.line, self.column)
    }

    /// Returns the digit of some board that the character is.
    pub fn digit(self) -> Option<Digit> {
        Digit::from_symbol(self.symbol)
    }

    /// Returns true if the character always means an empty cell.
    pub fn is_blank(&self) -> bool {
        is_blank(self.symbol)
    }
}

/// Returns the place of the first mark.
pub(super) fn start_of(marks: &[CellMark]) -> TextPosition {
    marks.first().map_or((1, 1), |mark| mark.position())
}

/// Returns the characters of marks.
pub(super) fn text_of(marks: &[CellMark]) -> String {
    marks.iter().map(|mark| mark.symbol).collect()
}

/// Signs for empty cells that are not in ASCII: dots and squares.
const FOREIGN_BLANKS: [char; 8] =
    ['\u{b7}', '\u{2022}', '\u{2219}', '\u{22c5}', '\u{25a1}', '\u{25a2}', '\u{2610}', '\u{2b1c}'];

/// Returns true if the character always means an empty cell.
pub(super) fn is_blank(symbol: char) -> bool {
    matches!(symbol, '.' | '0' | '*' | '_' | '-' | '?') || (!symbol.is_ascii() && FOREIGN_BLANKS.contains(&symbol))
}

/// Returns true for `x`, which is an empty cell if no other symbol is.
pub(super) fn is_x(symbol: char) -> bool {
    matches!(symbol, 'x' | 'X')
}

/// Returns true if the character can stand for a cell: a digit of some board, or a symbol for an empty cell, including `x`.
pub(super) fn is_symbol(symbol: char) -> bool {
    is_blank(symbol) || is_x(symbol) || Digit::from_symbol(symbol).is_some()
}

/// Reads one character for each cell.
pub(super) fn from_marks(marks: &[CellMark], size: usize, boards: BoardChoice<'_>) -> Reading {
    let geometry = boards.board_at(size, start_of(marks))?;
    let (own, remark) = in_usual_signs(marks, size)?.unzip();
    let marks = own.as_deref().unwrap_or(marks);
    // An x next to another blank is a typing error: nobody writes empty cells in two ways.
    let x_is_blank = !marks.iter().any(CellMark::is_blank);
    let mut puzzle = empty(geometry, marks.first().map_or(1, |mark| mark.line));
    puzzle.remarks.extend(remark);
    for (index, mark) in marks.iter().enumerate() {
        if mark.is_blank() || (x_is_blank && is_x(mark.symbol)) {
            continue;
        }
        let here = if mark.placed { &mut puzzle.placed } else { &mut puzzle.givens };
        here[index] = Some(digit_of(*mark, size)?);
    }
    refuse_blank(&puzzle, start_of(marks))?;
    refuse_twice(&puzzle, |cell: Cell| marks[cell.index()].position())?;
    Ok(puzzle)
}

/// Refuses a puzzle without a digit.
fn refuse_blank(puzzle: &Puzzle, position: TextPosition) -> Result<(), FormatError> {
    let mut digits = puzzle.geometry.cells().map(|cell| puzzle.digit(cell));
    let found = digits.any(|digit| digit.is_some());
    found.then_some(()).ok_or_else(|| FormatError::new(error::NO_CLUE, position, "there is no digit in this puzzle"))
}

pub(super) fn empty(geometry: Arc<Geometry>, line: usize) -> Puzzle {
    let cells = geometry.cell_count();
    Puzzle {
        geometry,
        givens: vec![None; cells],
        placed: vec![None; cells],
        candidates: None,
        lists_only: false,
        initial_candidates: None,
        line,
        note: String::new(),
        remarks: Vec::new(),
    }
}

/// Reads a digit of a board of this size.
pub(super) fn digit_of(mark: CellMark, size: usize) -> Result<Digit, FormatError> {
    let digit = mark.digit().ok_or_else(|| unknown(mark))?;
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
    if let Some(advice) = error::advice_for_letter(mark.symbol).filter(|_| size < 16) {
        help = format!("{help}; {advice}");
    }
    Err(FormatError::new(error::TOO_LARGE, mark.position(), message).with_help(help))
}

pub(super) fn unknown(mark: CellMark) -> FormatError {
    let message = format!("{} means nothing in a puzzle", error::describe_character(mark.symbol));
    let help = error::advice_for(mark.symbol)
        .unwrap_or("write digits 1 to 9 and A to P, and one sign for an empty cell: . 0 * _ - ? or x");
    FormatError::new(error::CHARACTER, mark.position(), message).with_help(help)
}

/// Refuses a digit that stands twice in a house.
pub(super) fn refuse_twice(puzzle: &Puzzle, position: impl Fn(Cell) -> TextPosition) -> Result<(), FormatError> {
    let geometry = &puzzle.geometry;
    let mut first = vec![None; geometry.size()];
    for house in geometry.houses() {
        first.fill(None);
        for &cell in &house.cells {
            let Some(digit) = puzzle.digit(cell) else { continue };
            let Some(earlier) = first[digit.index()].replace(cell) else { continue };
            let (a, b) = (notation::cell(geometry, earlier), notation::cell(geometry, cell));
            let message = format!("{digit} is twice in {house}: {a} and {b}");
            let error = FormatError::new(error::TWICE, position(cell), message);
            let help = if house.kind == HouseKind::Box { help_with_boxes(puzzle) } else { None };
            return Err(FormatError { help, ..error });
        }
    }
    refuse_seen_twice(puzzle, position)
}

/// Names the board of other boxes, or of other houses in place of boxes, on which no digit is twice.
fn help_with_boxes(puzzle: &Puzzle) -> Option<String> {
    let spec = puzzle.geometry.spec();
    if !spec.extra.is_empty() || !spec.sees.is_empty() {
        return None;
    }
    let mut others = BoardSpec::all_with_boxes(spec.size).filter(|other| other.boxes() != spec.boxes());
    let other = others.find(|other| {
        Geometry::new(other.clone()).is_ok_and(|geometry| {
            geometry
                .houses()
                .iter()
                .all(|house| !has_twice(&house.cells.iter().filter_map(|&cell| puzzle.digit(cell)).collect::<Vec<_>>()))
        })
    })?;
    let (rows, columns) = other.boxes()?;
    let (size, name) = (spec.size, &other.name);
    Some(format!("as {size}×{size} with boxes of {rows} rows and {columns} columns it is a puzzle: --board {name}"))
}

/// Refuses a digit in two cells that see each other without sharing a house.
fn refuse_seen_twice(puzzle: &Puzzle, position: impl Fn(Cell) -> TextPosition) -> Result<(), FormatError> {
    let geometry = &puzzle.geometry;
    for cell in geometry.cells().filter(|_| geometry.has_extra_pairs()) {
        let Some(digit) = puzzle.digit(cell) else { continue };
        let mut peers = geometry.peers(cell).iter().copied();
        if let Some(other) = peers.find(|&peer| peer > cell && puzzle.digit(peer) == Some(digit)) {
            let (a, b) = (notation::cell(geometry, cell), notation::cell(geometry, other));
            let message = format!("{digit} is in {a} and {b}, which see each other on this board");
            return Err(FormatError::new(error::TWICE, position(other), message));
        }
    }
    Ok(())
}

/// Cells in usual symbols, and a remark on how they were read.
pub(super) type SignReading = (Vec<CellMark>, String);

/// Returns the cells in usual symbols if they are in others.
///
/// # Errors
/// If 0 may be a digit or an empty cell.
pub(super) fn in_usual_signs(marks: &[CellMark], size: usize) -> Result<Option<SignReading>, FormatError> {
    match if size > 9 { letters(marks, size) } else { None } {
        None => from_zero(marks, size),
        letters => Ok(letters),
    }
}

/// Reads letters from A on for all digits: there is no other symbol, and a letter that the usual symbols do not have.
fn letters(marks: &[CellMark], size: usize) -> Option<SignReading> {
    let x_is_blank = !marks.iter().any(CellMark::is_blank);
    let (mut usual, mut beyond) = (marks.to_vec(), false);
    for mark in usual.iter_mut().filter(|mark| !(mark.is_blank() || x_is_blank && is_x(mark.symbol))) {
        let letter = Some(mark.symbol.to_ascii_uppercase()).filter(char::is_ascii_uppercase)?;
        let index = Some(letter as u8 - b'A').filter(|&index| usize::from(index) < size)?;
        beyond |= usize::from(index) + 9 >= size;
        mark.symbol = Digit(index).symbol();
    }
    let (last, own) = (char::from(b'A' + size as u8 - 1), Digit(size as u8 - 1));
    beyond.then(|| (usual, format!("the letters A to {last} are read as the digits 1 to {own}")))
}

/// Reads digits from 0 on: another symbol stands for empty cells, the last usual digit is absent, and no 0 sees another.
fn from_zero(marks: &[CellMark], size: usize) -> Result<Option<SignReading>, FormatError> {
    let zeros: Vec<usize> = (0..marks.len()).filter(|&at| marks[at].symbol == '0').collect();
    let empty = marks.iter().filter(|mark| mark.is_blank() && mark.symbol != '0').count();
    let digits = marks.iter().filter(|mark| mark.digit().is_some_and(|digit| digit.index() + 1 < size)).count();
    if zeros.is_empty() || digits + empty + zeros.len() != marks.len() || sees_itself(&zeros, size) {
        return Ok(None);
    }
    if empty == 0 && (zeros.len() < size || size <= 9) {
        return Ok(None);
    }
    if empty == 0 || size <= 10 {
        let position = marks[zeros[0]].position();
        return Err(error::ambiguous(position, "a grid where 0 is an empty cell", "one where it is a digit"));
    }
    let mut usual = marks.to_vec();
    for mark in &mut usual {
        match mark.digit() {
            _ if mark.symbol == '0' => mark.symbol = '1',
            Some(digit) => mark.symbol = Digit(digit.0 + 1).symbol(),
            None => {}
        }
    }
    let (last, own) = (Digit(size as u8 - 2), Digit(size as u8 - 1));
    Ok(Some((usual, format!("the digits 0 to {last} are read as 1 to {own}"))))
}

/// Returns true if two of these cells share a row, column or box.
fn sees_itself(cells: &[usize], size: usize) -> bool {
    let (height, width) = BoardSpec::usual_box_shape(size).unwrap_or((1, size));
    let mut seen = vec![[false; 3]; size];
    cells.iter().any(|&cell| {
        let (row, column) = (cell / size, cell % size);
        let houses = [row, column, row / height * height + column / width];
        (0..3).any(|kind| std::mem::replace(&mut seen[houses[kind]][kind], true))
    })
}

/// A puzzle as one of the formats with a symbol of their own gives it, before it is checked.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub size: usize,
    pub board: Features,
    pub givens: Vec<Option<Digit>>,
    pub placed: Vec<Option<Digit>>,
    pub lists: Vec<Option<DigitSet>>,
    /// True if the lists are the puzzle itself.
    pub lists_only: bool,
    /// Digits that the puzzle left possible, if listed separately.
    pub initial_candidates: Option<Vec<DigitSet>>,
    pub note: String,
}

impl Content {
    /// Returns an empty grid.
    ///
    /// # Errors
    /// When there is no board of that size.
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
            lists_only: false,
            initial_candidates: None,
            note: String::new(),
        })
    }

    /// Returns a digit of this board.
    pub fn digit(&self, number: u64) -> Result<Digit, FormatError> {
        match usize::try_from(number) {
            Ok(number) if (1..=self.size).contains(&number) => Ok(Digit(number as u8 - 1)),
            _ => Err(broken(format!("{number} is not a digit of a {0}×{0} board", self.size))),
        }
    }

    /// Puts a digit into a cell, as a clue or as a digit placed since.
    pub fn put(&mut self, cell: usize, number: u64, given: bool) -> Result<(), FormatError> {
        let digit = self.digit(number)?;
        let cells = if given { &mut self.givens } else { &mut self.placed };
        cells[cell] = Some(digit);
        Ok(())
    }

    /// Returns the digits whose bits are set, the lowest for 1.
    pub fn bits(&self, bits: u64) -> Result<DigitSet, FormatError> {
        match bits >> self.size {
            0 => Ok(DigitSet(bits as u32)),
            _ => Err(broken(format!("{bits} is not a set of candidates of a {0}×{0} board", self.size))),
        }
    }

    /// Returns one character for each cell: digits, or a blank.
    pub fn characters(&self, text: &str) -> Result<Vec<Option<Digit>>, FormatError> {
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

    /// Checks the puzzle on the board that it asks for.
    pub fn into_puzzle(self, line: usize, boards: BoardChoice<'_>) -> Reading {
        let geometry = self.board.board(self.size, line, boards)?;
        let note = self.note.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut puzzle = Puzzle { givens: self.givens, placed: self.placed, note, ..empty(geometry, line) };
        let listed = self.lists.iter().any(Option::is_some);
        if !listed {
            refuse_blank(&puzzle, (line, 1))?;
        }
        refuse_twice(&puzzle, |_| (line, 1))?;
        if listed {
            let (all, cells) = (DigitSet::all(self.size), puzzle.geometry.cells().zip(self.lists));
            let lists = cells.map(|(cell, list)| puzzle.digit(cell).map_or(list.unwrap_or(all), DigitSet::single));
            puzzle.candidates = Some(lists.collect());
            puzzle.lists_only = self.lists_only;
            puzzle.initial_candidates = self.initial_candidates;
        }
        Ok(puzzle)
    }
}
