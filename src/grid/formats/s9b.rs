//! The grids of sudokuwiki.org: a kind, the size, a version, then two or three base 36 digits for each cell. In: such a
//! text. Out: [`Content`], and the way back.
//!
//! A cell is 0 if it is empty, 1 to 9 a clue, 10 to 18 a placed digit, and from 19 on 18 and the bits of its
//! candidates. A jigsaw has the number of its region above these ten bits.

use super::content::{Content, Wrong};
use super::features::{self, Shape};
use super::hold::View;
use crate::grid::DigitSet;

const SIZE: u64 = 9;
/// The bits of a cell's content, below those of its region.
const BITS: u32 = 10;

/// Kinds that are no boards of Pinion, by their letters.
const OTHER_KINDS: [(&str, &str); 5] = [
    ("L", "killer cages"),
    ("M", "killer cages"),
    ("K", "cages with a result"),
    ("D", "cages with a result"),
    ("T", "straights"),
];

/// Whether a text can only be meant as one.
pub(super) fn is_one(text: &str) -> bool {
    let mut signs = text.chars();
    let head = [signs.next(), signs.next(), signs.next()];
    let [Some(kind), Some(size), Some(version)] = head else { return false };
    "SXWJLMKDT".contains(kind)
        && "3456789GP".contains(size)
        && "ABC".contains(version)
        && text.chars().count() > 3
        && text.chars().all(|sign| sign.is_ascii_alphanumeric())
        && !(text.chars().all(super::puzzle::is_symbol) && (4..=25).any(|size: usize| size * size == text.len()))
}

/// Reads a whole text.
pub(super) fn read(text: &str) -> Result<Content, Wrong> {
    let (Some(kind), Some(size), Some(version), Some(cells)) =
        (text.get(..1), text.get(1..2), text.get(2..3), text.get(3..))
    else {
        return Err(Wrong::broken("it ends too soon"));
    };
    if let Some((_, name)) = OTHER_KINDS.iter().find(|(letter, _)| *letter == kind) {
        return Err(Wrong::constraint(name));
    }
    if size != "9" || version != "B" {
        return Err(Wrong::broken(format!(
            "it is of size {size} and version {version}; size 9 and version B are read"
        )));
    }
    let width = if kind == "J" { 3 } else { 2 };
    if cells.len() != width * 81 || !cells.is_ascii() {
        return Err(Wrong::broken(format!(
            "it has {} characters for 81 cells; {} are needed",
            cells.len(),
            width * 81
        )));
    }
    let mut content = Content::new(9)?;
    match kind {
        "X" => (content.board.rising, content.board.falling) = (true, true),
        "W" => content.board.windows = true,
        _ => {}
    }
    let mut regions = Vec::new();
    for index in 0..81 {
        let text = &cells[index * width..(index + 1) * width];
        let value = u64::from_str_radix(text, 36).map_err(|_| Wrong::broken(format!("`{text}` is not a cell")))?;
        if kind == "J" {
            regions.push((value >> BITS) as usize);
        }
        match if kind == "J" { value & ((1 << BITS) - 1) } else { value } {
            0 => {}
            clue @ 1..=SIZE => content.givens[index] = Some(content.digit(clue)?),
            placed if placed <= 2 * SIZE => content.placed[index] = Some(content.digit(placed - SIZE)?),
            list => content.lists[index] = Some(content.bits(list - 2 * SIZE)?),
        }
    }
    if kind == "J" {
        content.board.shape = features::shape(9, regions);
    }
    // Where no digit stands, the lists are all there is.
    content.lists_only = content.givens.iter().chain(&content.placed).all(Option::is_none);
    Ok(content)
}

/// The text.
pub(super) fn write(view: &View<'_>) -> Result<String, String> {
    if view.has_lists() {
        view.refuse_empty_cells()?;
    }
    let board = &view.features;
    let diagonals = board.rising && board.falling;
    if board.rising != board.falling {
        return Err("one of two diagonals cannot be told".into());
    }
    let (kind, regions) = match (&board.shape, diagonals, board.windows) {
        (Shape::Usual, false, false) => ('S', None),
        (Shape::Usual, true, false) => ('X', None),
        (Shape::Usual, false, true) => ('W', None),
        (Shape::Regions(numbers), false, false) => ('J', Some(numbers)),
        _ => return Err("only one of regions, diagonals and windows can be told".into()),
    };
    let bits = |list: DigitSet| list.iter().map(|digit| 1_u64 << digit.0).sum::<u64>();
    let cells = view.cells().map(|cell| {
        let value = match view.digit(cell).map(|digit| u64::from(digit.0) + 1) {
            Some(digit) if view.is_given(cell) => digit,
            Some(digit) => digit + SIZE,
            None => view.list(cell).map_or(0, |list| 2 * SIZE + bits(list)),
        };
        match regions {
            Some(numbers) => base36((numbers[cell.index()] as u64) << BITS | value, 3),
            None => base36(value, 2),
        }
    });
    Ok(format!("{kind}9B{}", cells.collect::<String>()))
}

/// The link to the page that opens it.
pub(super) fn write_link(view: &View<'_>) -> Result<String, String> {
    let text = write(view)?;
    let page = if text.starts_with('J') { "jigsaw" } else { "sudoku" };
    Ok(format!("https://www.sudokuwiki.org/{page}.htm?bd={text}"))
}

fn base36(mut value: u64, width: usize) -> String {
    let mut digits = vec!['0'; width];
    for place in digits.iter_mut().rev() {
        *place = char::from_digit((value % 36) as u32, 36).unwrap_or('0');
        value /= 36;
    }
    digits.into_iter().collect()
}
