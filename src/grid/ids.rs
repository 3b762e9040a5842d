//! Small numbers with names: cells, digits, houses, candidates.
//!
//! In: indices into a board. Out: typed ids that print in the field's notation (`r4c7`, `5`, `r4c7<>5`
//! is for the callers to compose). Digits count from zero inside and print as `1`–`9`, then `A`, `B` ….

use serde::{Deserialize, Serialize};
use std::fmt;

/// A cell of the board, numbered row by row from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell(pub u16);

/// A digit, from zero: `Digit(0)` is the digit 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Digit(pub u8);

/// A house of a geometry, an index into [`Geometry::houses`](super::Geometry::houses).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HouseId(pub u16);

/// A digit in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Candidate {
    /// The cell.
    pub cell: Cell,
    /// The digit.
    pub digit: Digit,
}

impl Cell {
    /// The index into a row-by-row list of cells.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl HouseId {
    /// The index into the geometry's houses.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Digit {
    /// The index from zero.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The printed form: `1`–`9`, then `A` for ten and so on.
    pub fn symbol(self) -> char {
        match self.0 {
            0..=8 => char::from(b'1' + self.0),
            n => char::from(b'A' + (n - 9)),
        }
    }

    /// Reads one symbol; letters may be small. `None` for anything else.
    pub fn from_symbol(symbol: char) -> Option<Digit> {
        match symbol {
            '1'..='9' => Some(Digit(symbol as u8 - b'1')),
            'A'..='P' => Some(Digit(symbol as u8 - b'A' + 9)),
            'a'..='p' => Some(Digit(symbol as u8 - b'a' + 9)),
            _ => None,
        }
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Width and alignment are those of the letter.
        fmt::Display::fmt(&self.symbol(), f)
    }
}

impl Candidate {
    /// A digit in a cell.
    pub fn new(digit: Digit, cell: Cell) -> Self {
        Candidate { cell, digit }
    }
}
