//! Writes and reads the usual Sudoku notation of cells, candidates, houses and deductions.
//!
//! `r1c25` is r1c2 and r1c5; `r12c3<>47` eliminates 4 and 7 from r1c3 and r2c3; `r1c1=5` places a 5. On boards over 9×9, row and
//! column numbers may have two digits, so every cell is written separately: `r10c12`. `r16b3` is rows 1 and 6 and box 3.

use super::geometry::{Geometry, House, HouseKind};
use super::ids::{Candidate, Cell, Digit, DigitSet, HouseId};
use std::collections::{BTreeMap, BTreeSet};

/// Error for a text that is no list of cells or deductions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct NotationError {
    /// Number of the character at fault, from one.
    pub column: usize,
    /// Message, without the column.
    pub message: String,
}

/// Writes one cell: `r4c7`.
pub fn cell(geometry: &Geometry, cell: Cell) -> String {
    format!("r{}c{}", geometry.row(cell) + 1, geometry.column(cell) + 1)
}

/// Writes cells in groups, in board order of their first cells: `r1c25,r45c6`.
pub fn cells(geometry: &Geometry, cells: &[Cell]) -> String {
    groups(geometry, cells).join(",")
}

/// Writes candidates in groups, each digit with its cells: `(5)r1c25, (7)r5c5`.
pub fn candidates(geometry: &Geometry, list: &[Candidate]) -> String {
    let mut cells_of_digits: BTreeMap<Digit, Vec<Cell>> = BTreeMap::new();
    for candidate in list {
        cells_of_digits.entry(candidate.digit).or_default().push(candidate.cell);
    }
    let groups = cells_of_digits.iter().map(|(digit, list)| format!("({digit}){}", cells(geometry, list)));
    groups.collect::<Vec<_>>().join(", ")
}

/// Writes a closed chain of candidates, with the first repeated at the end: `(4)r1c1 - (4)r1c5 - (4)r3c2 - (4)r1c1`.
pub fn closed_chain(geometry: &Geometry, list: &[Candidate]) -> String {
    let closed = list.iter().chain(list.first());
    closed.map(|&candidate| candidates(geometry, &[candidate])).collect::<Vec<_>>().join(" - ")
}

/// Writes houses in short: `b8`, `r139`, `r16b3`. A house with a name of its own is written by that name, between commas:
/// `r1, diagonal 1, c2`.
pub fn houses(geometry: &Geometry, list: &[HouseId]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut previous_letter = None;
    for house in list.iter().map(|&id| geometry.house(id)) {
        let Some(letter) = letter_of(house) else {
            parts.push(house.to_string());
            previous_letter = None;
            continue;
        };
        let number = house.index + 1;
        let continues_numbers = previous_letter == Some(letter) && geometry.size() <= 9;
        let text = if continues_numbers { number.to_string() } else { format!("{letter}{number}") };
        match parts.last_mut() {
            Some(part) if previous_letter.is_some() => part.push_str(&text),
            _ => parts.push(text),
        }
        previous_letter = Some(letter);
    }
    parts.join(", ")
}

/// Returns the letter of a row, column or box that has no name of its own.
fn letter_of(house: &House) -> Option<char> {
    match house.kind {
        _ if house.name.is_some() => None,
        HouseKind::Row => Some('r'),
        HouseKind::Column => Some('c'),
        HouseKind::Box => Some('b'),
        HouseKind::Extra => None,
    }
}

/// Writes houses in words: `box 8`, `rows 1, 3 and 9`, `columns 1 and 4 and box 9`.
pub fn houses_in_words(geometry: &Geometry, list: &[HouseId]) -> String {
    let houses: Vec<&House> = list.iter().map(|&id| geometry.house(id)).collect();
    let runs = houses.chunk_by(|a, b| a.kind == b.kind && a.name.is_none() && b.name.is_none());
    let phrases = runs.map(|run| {
        let first = run[0].to_string();
        match first.rsplit_once(' ') {
            Some((noun, _)) if run.len() > 1 => {
                let plural = if noun.ends_with('x') { "es" } else { "s" };
                let numbers: Vec<String> = run.iter().map(|house| (house.index + 1).to_string()).collect();
                format!("{noun}{plural} {}", join_with_and(&numbers))
            }
            _ => first,
        }
    });
    join_with_and(&phrases.collect::<Vec<_>>())
}

/// Joins phrases: `1`, `1 and 2`, `1, 2 and 5`.
pub(super) fn join_with_and(phrases: &[String]) -> String {
    match phrases {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => phrases.concat(),
    }
}

/// Writes digits with commas: `1,2,5`.
pub fn digits(digits: DigitSet) -> String {
    digits.iter().map(|digit| digit.to_string()).collect::<Vec<_>>().join(",")
}

/// Writes digits in short: `1/2/5`.
pub fn digits_short(digits: DigitSet) -> String {
    self::digits(digits).replace(',', "/")
}

/// Writes one deduction: `r1c1=5` if `is_placement`, otherwise `r1c1<>5`.
pub fn deduction(geometry: &Geometry, candidate: Candidate, is_placement: bool) -> String {
    let operator = if is_placement { "=" } else { "<>" };
    format!("{}{operator}{}", cell(geometry, candidate.cell), candidate.digit)
}

/// Writes deductions such as `r1c1=5 r2c37<>48`: placements in board order, then eliminations, grouped by equal digits. Equal sets
/// of deductions give equal text.
pub fn deductions(geometry: &Geometry, eliminations: &[Candidate], placements: &[Candidate]) -> String {
    let placements = BTreeSet::from_iter(placements);
    let mut texts: Vec<String> = placements.into_iter().map(|&placed| deduction(geometry, placed, true)).collect();
    let mut digits_of: BTreeMap<Cell, DigitSet> = BTreeMap::new();
    for candidate in eliminations {
        digits_of.entry(candidate.cell).or_default().insert(candidate.digit);
    }
    while let Some((_, &digits)) = digits_of.first_key_value() {
        let same = digits_of.iter().filter(|(_, cell_digits)| **cell_digits == digits);
        let cells: Vec<Cell> = same.map(|(cell, _)| *cell).collect();
        digits_of.retain(|_, cell_digits| *cell_digits != digits);
        let symbols: String = digits.iter().map(Digit::symbol).collect();
        texts.extend(groups(geometry, &cells).into_iter().map(|group| format!("{group}<>{symbols}")));
    }
    texts.join(" ")
}

/// Splits cells into groups that share a row or a column, and writes each group. A group has the first remaining cell, with the
/// remaining cells of its row or of its column, whichever are more.
fn groups(geometry: &Geometry, cells: &[Cell]) -> Vec<String> {
    let mut remaining = cells.to_vec();
    remaining.sort_unstable();
    remaining.dedup();
    if geometry.size() > 9 {
        return remaining.into_iter().map(|single| cell(geometry, single)).collect();
    }
    let mut groups = Vec::new();
    while let Some(&first) = remaining.first() {
        let (row, column) = (geometry.row(first), geometry.column(first));
        let in_row: Vec<Cell> = remaining.iter().copied().filter(|&cell| geometry.row(cell) == row).collect();
        let in_column: Vec<Cell> = remaining.iter().copied().filter(|&cell| geometry.column(cell) == column).collect();
        let group = if in_row.len() >= in_column.len() {
            let columns: String = in_row.iter().map(|&cell| (geometry.column(cell) + 1).to_string()).collect();
            groups.push(format!("r{}c{columns}", row + 1));
            in_row
        } else {
            let rows: String = in_column.iter().map(|&cell| (geometry.row(cell) + 1).to_string()).collect();
            groups.push(format!("r{rows}c{}", column + 1));
            in_column
        };
        remaining.retain(|cell| !group.contains(cell));
    }
    groups
}

/// Reads groups of cells with commas or blanks between them. Returns the cells in board order, without repetitions.
///
/// # Errors
/// If the text has anything other than cells of the board.
pub fn read_cells(geometry: &Geometry, text: &str) -> Result<Vec<Cell>, NotationError> {
    let mut reader = NotationReader::new(geometry, text);
    let mut cells = Vec::new();
    while reader.skip_gaps() {
        cells.extend(reader.read_cell_group()?);
    }
    cells.sort_unstable();
    cells.dedup();
    Ok(cells)
}

/// Reads deductions with commas or blanks between them. Returns the candidates in the order of the text, each with true if it is
/// placed and false if it is eliminated. `r1c1,r2c5<>3` eliminates 3 from both cells.
///
/// # Errors
/// If the text has anything other than deductions, or a cell or digit is not on the board.
pub fn read_deductions(geometry: &Geometry, text: &str) -> Result<Vec<(Candidate, bool)>, NotationError> {
    let mut reader = NotationReader::new(geometry, text);
    let mut deductions = Vec::new();
    while reader.skip_gaps() {
        let mut cells = reader.read_cell_group()?;
        while reader.skip_gaps() && matches!(reader.peek(), Some('r' | 'R')) {
            cells.extend(reader.read_cell_group()?);
        }
        let is_placement = reader.read_operator()?;
        let digits = reader.read_digits()?;
        for cell in cells {
            deductions.extend(digits.iter().map(|&digit| (Candidate::new(digit, cell), is_placement)));
        }
    }
    Ok(deductions)
}

struct NotationReader<'g> {
    geometry: &'g Geometry,
    text: Vec<char>,
    at: usize,
}

impl<'g> NotationReader<'g> {
    fn new(geometry: &'g Geometry, text: &str) -> NotationReader<'g> {
        NotationReader { geometry, text: text.chars().collect(), at: 0 }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    /// Skips blanks and commas. Returns true if more text follows.
    fn skip_gaps(&mut self) -> bool {
        while self.peek().is_some_and(|c| c.is_whitespace() || c == ',') {
            self.at += 1;
        }
        self.at < self.text.len()
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, NotationError> {
        Err(NotationError { column: self.at + 1, message: message.into() })
    }

    fn expected_error<T>(&self, expectation: &str) -> Result<T, NotationError> {
        match self.peek() {
            Some(symbol) => self.error(format!("`{symbol}` where {expectation} should be")),
            None => self.error(format!("{expectation} is missing")),
        }
    }

    /// Reads `r12c3`. Returns the cells where one of the rows crosses one of the columns.
    fn read_cell_group(&mut self) -> Result<Vec<Cell>, NotationError> {
        let rows = self.read_numbers('r')?;
        let columns = self.read_numbers('c')?;
        let cells = rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row, column)));
        Ok(cells.map(|(row, column)| self.geometry.cell(row, column)).collect())
    }

    /// Reads the row or column numbers after a letter. Up to 9×9 each digit is a number; on larger boards all digits are one number.
    /// The returned numbers count from zero.
    fn read_numbers(&mut self, letter: char) -> Result<Vec<usize>, NotationError> {
        if !self.peek().is_some_and(|c| c.eq_ignore_ascii_case(&letter)) {
            return self.expected_error(&format!("`{letter}`"));
        }
        self.at += 1;
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let digits: String = self.text[start..self.at].iter().collect();
        if digits.is_empty() {
            return self.expected_error("a number");
        }
        let size = self.geometry.size();
        let numbers: Vec<usize> = match size {
            0..=9 => digits.bytes().map(|byte| usize::from(byte - b'0')).collect(),
            // A number too large for `usize` is on no board.
            _ => vec![digits.parse().unwrap_or(usize::MAX)],
        };
        if numbers.iter().all(|number| (1..=size).contains(number)) {
            return Ok(numbers.into_iter().map(|number| number - 1).collect());
        }
        self.at = start;
        self.error(format!("`{letter}{digits}` is not on a {size}×{size} board"))
    }

    /// Reads the operator. Returns true for `=` (a placement), false for `<>`, `≠` or `!=` (an elimination).
    fn read_operator(&mut self) -> Result<bool, NotationError> {
        let (length, is_placement) = match &self.text[self.at..] {
            ['=', ..] => (1, true),
            ['<', '>', ..] | ['!', '=', ..] => (2, false),
            ['≠', ..] => (1, false),
            _ => return self.expected_error("`=` or `<>`"),
        };
        self.at += length;
        Ok(is_placement)
    }

    fn read_digits(&mut self) -> Result<Vec<Digit>, NotationError> {
        let mut digits = Vec::new();
        while let Some(symbol) = self.peek().filter(|c| !c.is_whitespace() && *c != ',') {
            match Digit::from_symbol(symbol) {
                Some(digit) if digit.index() < self.geometry.size() => digits.push(digit),
                _ => return self.expected_error("a digit of the board"),
            }
            self.at += 1;
        }
        if digits.is_empty() { self.expected_error("a digit") } else { Ok(digits) }
    }
}
