//! The field's notation, written and read. In: cells, digits, deductions, or their text. Out: the other.
//!
//! `r1c25` is r1c2 and r1c5; `r12c3<>47` takes 4 and 7 from r1c3 and r2c3; `r1c1=5` places. On boards over
//! 9×9 a row or column has up to two digits, so there every cell is written alone: `r10c12`. `r16b3` are rows 1 and 6 and
//! box 3.

use super::geometry::{Geometry, House, HouseKind};
use super::ids::{Candidate, Cell, Digit, DigitSet, HouseId};
use std::collections::{BTreeMap, BTreeSet};

/// Why a text is no list of cells or deductions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct NotationError {
    /// Character of the text, from one.
    pub column: usize,
    /// Message, without the place.
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
    let mut places: BTreeMap<Digit, Vec<Cell>> = BTreeMap::new();
    list.iter().for_each(|one| places.entry(one.digit).or_default().push(one.cell));
    places.iter().map(|(digit, at)| format!("({digit}){}", cells(geometry, at))).collect::<Vec<_>>().join(", ")
}

/// Writes candidates one by one, back to the first: `(4)r1c1 - (4)r1c5 - (4)r3c2 - (4)r1c1`.
pub fn circle(geometry: &Geometry, list: &[Candidate]) -> String {
    let round = list.iter().chain(list.first());
    round.map(|&one| candidates(geometry, &[one])).collect::<Vec<_>>().join(" - ")
}

/// Writes houses in short: `b8`, `r139`, `r16b3`; what the board has a name for by that name, after a comma.
pub fn houses(geometry: &Geometry, list: &[HouseId]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut last = None;
    for house in list.iter().map(|&id| geometry.house(id)) {
        let letter = match house.kind {
            _ if house.name.is_some() => None,
            HouseKind::Row => Some('r'),
            HouseKind::Column => Some('c'),
            HouseKind::Box => Some('b'),
            HouseKind::Extra => None,
        };
        let number = house.index + 1;
        match (letter, parts.last_mut().filter(|_| last.is_some())) {
            (None, _) => parts.push(house.to_string()),
            (Some(_), Some(part)) if letter == last && geometry.size() <= 9 => part.push_str(&number.to_string()),
            (Some(letter), Some(part)) => part.push_str(&format!("{letter}{number}")),
            (Some(letter), None) => parts.push(format!("{letter}{number}")),
        }
        last = letter;
    }
    parts.join(", ")
}

/// Writes houses in words: `box 8`, `rows 1, 3 and 9`, `columns 1 and 4 and box 9`.
pub fn houses_in_words(geometry: &Geometry, list: &[HouseId]) -> String {
    let houses: Vec<&House> = list.iter().map(|&id| geometry.house(id)).collect();
    let kinds = houses.chunk_by(|a, b| a.kind == b.kind && a.name.is_none() && b.name.is_none());
    let words = kinds.map(|kind| {
        let first = kind[0].to_string();
        let Some((noun, _)) = first.rsplit_once(' ').filter(|_| kind.len() > 1) else { return first };
        let plural = if noun.ends_with('x') { "es" } else { "s" };
        let numbers: Vec<String> = kind.iter().map(|house| (house.index + 1).to_string()).collect();
        format!("{noun}{plural} {}", and(&numbers))
    });
    and(&words.collect::<Vec<_>>())
}

/// Joins words: `1`, `1 and 2`, `1, 2 and 5`.
pub(super) fn and(words: &[String]) -> String {
    match words {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        _ => words.concat(),
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

/// Writes one candidate as a deduction: `r1c1=5` or `r1c1<>5`.
pub fn deduction(geometry: &Geometry, candidate: Candidate, place: bool) -> String {
    format!("{}{}{}", cell(geometry, candidate.cell), if place { "=" } else { "<>" }, candidate.digit)
}

/// Writes deductions in their canonical order and grouping: placements, then eliminations, cells with the same
/// digits together. Equal sets of deductions give equal text.
pub fn deductions(geometry: &Geometry, eliminations: &[Candidate], placements: &[Candidate]) -> String {
    let placements = BTreeSet::from_iter(placements);
    let mut words: Vec<String> = placements.into_iter().map(|&placed| deduction(geometry, placed, true)).collect();
    let mut digits_of: BTreeMap<Cell, DigitSet> = BTreeMap::new();
    for candidate in eliminations {
        digits_of.entry(candidate.cell).or_default().insert(candidate.digit);
    }
    while let Some((_, &set)) = digits_of.first_key_value() {
        let equal: Vec<Cell> = digits_of.iter().filter(|(_, other)| **other == set).map(|(cell, _)| *cell).collect();
        digits_of.retain(|_, other| *other != set);
        let symbols: String = set.iter().map(Digit::symbol).collect();
        words.extend(groups(geometry, &equal).into_iter().map(|group| format!("{group}<>{symbols}")));
    }
    words.join(" ")
}

/// Splits cells into groups that are written as one: part of a row, or part of a column where that is longer.
fn groups(geometry: &Geometry, cells: &[Cell]) -> Vec<String> {
    let mut rest = cells.to_vec();
    rest.sort_unstable();
    rest.dedup();
    if geometry.size() > 9 {
        return rest.into_iter().map(|one| cell(geometry, one)).collect();
    }
    let mut out = Vec::new();
    while let Some(&first) = rest.first() {
        let (row, column) = (geometry.row(first), geometry.column(first));
        let in_row: Vec<Cell> = rest.iter().copied().filter(|&other| geometry.row(other) == row).collect();
        let in_column: Vec<Cell> = rest.iter().copied().filter(|&other| geometry.column(other) == column).collect();
        let group = if in_row.len() >= in_column.len() {
            let columns: String = in_row.iter().map(|&one| (geometry.column(one) + 1).to_string()).collect();
            out.push(format!("r{}c{columns}", row + 1));
            in_row
        } else {
            let rows: String = in_column.iter().map(|&one| (geometry.row(one) + 1).to_string()).collect();
            out.push(format!("r{rows}c{}", column + 1));
            in_column
        };
        rest.retain(|one| !group.contains(one));
    }
    out
}

/// Reads cells: groups with commas or blanks between them. The cells come in board order, each once.
///
/// # Errors
/// When something else stands there, or a cell is not on the board.
pub fn read_cells(geometry: &Geometry, text: &str) -> Result<Vec<Cell>, NotationError> {
    let mut reader = NotationReader::new(geometry, text);
    let mut out = Vec::new();
    while reader.skip_gaps() {
        out.extend(reader.group()?);
    }
    out.sort_unstable();
    out.dedup();
    Ok(out)
}

/// Reads deductions with commas or blanks between them: each candidate with whether it is placed, in the
/// order of the text. `r1c1,r2c5<>3` takes the 3 from both cells.
///
/// # Errors
/// When something else stands there, or a cell or digit is not on the board.
pub fn read_deductions(geometry: &Geometry, text: &str) -> Result<Vec<(Candidate, bool)>, NotationError> {
    let mut reader = NotationReader::new(geometry, text);
    let mut out = Vec::new();
    while reader.skip_gaps() {
        let mut cells = reader.group()?;
        while reader.skip_gaps() && reader.next_is_group() {
            cells.extend(reader.group()?);
        }
        let place = reader.operator()?;
        let digits = reader.digits()?;
        for cell in cells {
            out.extend(digits.iter().map(|&digit| (Candidate::new(digit, cell), place)));
        }
    }
    Ok(out)
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

    /// Passes blanks and commas; says whether anything is left.
    fn skip_gaps(&mut self) -> bool {
        while self.peek().is_some_and(|c| c.is_whitespace() || c == ',') {
            self.at += 1;
        }
        self.at < self.text.len()
    }

    fn next_is_group(&self) -> bool {
        matches!(self.peek(), Some('r' | 'R'))
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, NotationError> {
        Err(NotationError { column: self.at + 1, message: message.into() })
    }

    fn expected<T>(&self, what: &str) -> Result<T, NotationError> {
        match self.peek() {
            Some(found) => self.fail(format!("`{found}` where {what} should be")),
            None => self.fail(format!("{what} is missing")),
        }
    }

    /// Reads `r12c3`: the cells of these rows and columns.
    fn group(&mut self) -> Result<Vec<Cell>, NotationError> {
        let rows = self.numbers('r')?;
        let columns = self.numbers('c')?;
        let cells = rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row, column)));
        Ok(cells.map(|(row, column)| self.geometry.cell(row, column)).collect())
    }

    /// Reads the numbers after a letter, from zero: one each digit, or one in all on boards over 9×9.
    fn numbers(&mut self, letter: char) -> Result<Vec<usize>, NotationError> {
        if !self.peek().is_some_and(|c| c.eq_ignore_ascii_case(&letter)) {
            return self.expected(&format!("`{letter}`"));
        }
        self.at += 1;
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let written: String = self.text[start..self.at].iter().collect();
        if written.is_empty() {
            return self.expected("a number");
        }
        let size = self.geometry.size();
        let numbers: Vec<usize> = match size {
            0..=9 => written.bytes().map(|byte| usize::from(byte - b'0')).collect(),
            _ => vec![written.parse().unwrap_or(usize::MAX)],
        };
        match numbers.iter().find(|number| !(1..=size).contains(number)) {
            Some(_) => {
                self.at = start;
                self.fail(format!("`{letter}{written}` is not on a {size}×{size} board"))
            }
            None => Ok(numbers.into_iter().map(|number| number - 1).collect()),
        }
    }

    /// Reads the operator. Returns true for `=`, which places; `<>` (or `≠`, `!=`) eliminates.
    fn operator(&mut self) -> Result<bool, NotationError> {
        let rest = &self.text[self.at..];
        let (length, place) = match rest {
            ['=', ..] => (1, true),
            ['<', '>', ..] | ['!', '=', ..] => (2, false),
            ['≠', ..] => (1, false),
            _ => return self.expected("`=` or `<>`"),
        };
        self.at += length;
        Ok(place)
    }

    fn digits(&mut self) -> Result<Vec<Digit>, NotationError> {
        let mut out = Vec::new();
        while let Some(symbol) = self.peek().filter(|c| !c.is_whitespace() && *c != ',') {
            match Digit::from_symbol(symbol).filter(|digit| digit.index() < self.geometry.size()) {
                Some(digit) => out.push(digit),
                None => return self.expected("a digit of the board"),
            }
            self.at += 1;
        }
        if out.is_empty() { self.expected("a digit") } else { Ok(out) }
    }
}
