//! Puzzles of marked formats before they are checked. In: digits, candidate lists and features of a board.
//! Out: [`Puzzle`], or an error that names the format.

use super::boards::{BoardChoice, Features};
use super::error::{self, FormatError};
use super::puzzle::{Puzzle, empty, refuse_twice};
use crate::grid::{Digit, DigitSet};

/// A puzzle as one of the marked formats gives it.
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
    pub open: Option<Vec<DigitSet>>,
    pub note: String,
}

/// Fault in a text of a marked format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    code: &'static str,
    words: String,
    help: Option<String>,
}

impl Wrong {
    /// Makes the error for a damaged or incomplete text.
    pub fn broken(words: impl Into<String>) -> Wrong {
        Wrong { code: error::DOCUMENT, words: words.into(), help: None }
    }

    /// Makes the error for a text that can be read in two ways.
    pub fn ambiguous(words: impl Into<String>) -> Wrong {
        Wrong { code: error::AMBIGUOUS, words: words.into(), help: None }
    }

    /// Makes the error for a constraint that no board of Pinion has.
    pub fn constraint(name: &str) -> Wrong {
        let help = "Pinion's boards have regions, extra houses and cells that see each other, and no other constraints";
        Wrong { code: error::CONSTRAINT, words: format!("it has the constraint `{name}`"), help: Some(help.into()) }
    }

    pub fn help(mut self, help: impl Into<String>) -> Wrong {
        self.help = Some(help.into());
        self
    }

    /// Returns the error, with the name of the format that the text resembles.
    pub fn at(self, line: usize, format: &str) -> FormatError {
        let error = FormatError::new(self.code, (line, 1), format!("this looks like {format}, but {}", self.words));
        FormatError { help: self.help, ..error }
    }

    /// Returns the error, with the path of the puzzle in its document.
    pub fn at_path(self, line: usize, format: &str, path: &str) -> FormatError {
        let words = format!("this looks like {format}, but in `{path}`: {}", self.words);
        FormatError { help: self.help, ..FormatError::new(self.code, (line, 1), words) }
    }
}

impl Content {
    /// Returns an empty grid.
    ///
    /// # Errors
    /// When there is no board of that size.
    pub fn new(size: usize) -> Result<Content, Wrong> {
        if !(4..=25).contains(&size) {
            return Err(Wrong::broken(format!("there is no board of {size} rows: boards have 4 to 25")));
        }
        let cells = size * size;
        Ok(Content {
            size,
            board: Features::default(),
            givens: vec![None; cells],
            placed: vec![None; cells],
            lists: vec![None; cells],
            lists_only: false,
            open: None,
            note: String::new(),
        })
    }

    /// Returns a digit of this board.
    pub fn digit(&self, number: u64) -> Result<Digit, Wrong> {
        match usize::try_from(number) {
            Ok(number) if (1..=self.size).contains(&number) => Ok(Digit(number as u8 - 1)),
            _ => Err(Wrong::broken(format!("{number} is not a digit of a {0}×{0} board", self.size))),
        }
    }

    /// Returns the digits whose bits are set, the lowest for 1.
    pub fn bits(&self, bits: u64) -> Result<DigitSet, Wrong> {
        if bits >> self.size != 0 {
            return Err(Wrong::broken(format!("{bits} is not a set of candidates of a {0}×{0} board", self.size)));
        }
        Ok(DigitSet(bits as u32))
    }

    /// Returns one character for each cell: digits, or a blank.
    pub fn characters(&self, text: &str) -> Result<Vec<Option<Digit>>, Wrong> {
        let count = text.chars().count();
        if count != self.size * self.size {
            return Err(Wrong::broken(format!("{count} cells are given; the board has {}", self.size * self.size)));
        }
        let digit = |symbol: char| match Digit::from_symbol(symbol) {
            _ if super::puzzle::is_blank(symbol) => Ok(None),
            Some(digit) if digit.index() < self.size => Ok(Some(digit)),
            _ => Err(Wrong::broken(format!("`{symbol}` is not a digit of a {0}×{0} board", self.size))),
        };
        text.chars().map(digit).collect()
    }

    /// Checks the puzzle on the board that it asks for.
    pub fn into_puzzle(self, line: usize, boards: BoardChoice<'_>) -> Result<Puzzle, FormatError> {
        let geometry = self.board.board(self.size, line, boards)?;
        let mut puzzle = empty(geometry, line);
        puzzle.givens = self.givens;
        puzzle.placed = self.placed;
        puzzle.note = one_line(&self.note);
        let listed = self.lists.iter().any(Option::is_some);
        if !listed && puzzle.geometry.cells().all(|cell| puzzle.digit(cell).is_none()) {
            return Err(FormatError::new(error::NO_CLUE, (line, 1), "there is no digit in this puzzle"));
        }
        refuse_twice(&puzzle, |_| (line, 1))?;
        if listed {
            let all = DigitSet::all(self.size);
            let list = |cell| puzzle.digit(cell).map_or(self.lists[cell.index()].unwrap_or(all), DigitSet::single);
            puzzle.candidates = Some(puzzle.geometry.cells().map(list).collect());
            puzzle.lists_only = self.lists_only;
            puzzle.open = self.open;
        }
        Ok(puzzle)
    }
}

/// Puts a note on one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
