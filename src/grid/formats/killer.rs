//! Killer puzzles: sums of cages are no constraint of Pinion's boards, so these are told and refused. In: a line. Out: the
//! name of what it asks for.

use super::content::{Content, Wrong};

/// The signs by which a cell of the compact form points to the cell with the sum of its cage.
const POINTERS: [char; 7] = ['<', '>', '^', 'v', '`', '\'', ','];

/// Whether a line can only be meant as one.
pub(super) fn is_one(line: &str) -> bool {
    line.starts_with("3x3:") || line.starts_with("SumoCue") || is_compact(line)
}

/// 81 signs, sums and pointers.
fn is_compact(line: &str) -> bool {
    let pointers = line.chars().filter(|c| matches!(c, '<' | '>' | '^' | 'v')).count();
    let is_sign = |c: char| c.is_ascii_alphanumeric() || c == '.' || POINTERS.contains(&c);
    pointers >= 9 && line.chars().count() == 81 && line.chars().all(is_sign)
}

/// Says what is asked for.
pub(super) fn read(text: &str) -> Result<Content, Wrong> {
    let jigsaw = text.starts_with("SumoCue") && text.contains('J');
    Err(Wrong::constraint(if jigsaw { "cages of a killer jigsaw" } else { "killer cages" }))
}
