//! Values as headlines have them. In: a value. Out: `5/6/9`, `r4c78`, `r139`, `(5)r1c25`.

use super::view::text_of;
use crate::engine::{FamilyIndex, Value};
use crate::grid::{Cell, DigitSet, Geometry, notation};

/// A value in short. A family of sets is told set by set, with the `digits` of their cells: it is not plain which belongs
/// to what.
pub fn short(geometry: &Geometry, value: &Value, digits: &dyn Fn(Cell) -> DigitSet) -> String {
    match value {
        Value::Digits(digits) => notation::digits_short(*digits),
        Value::Houses(houses) => notation::houses(geometry, houses),
        Value::Family(members) if members.iter().any(|(_, cells)| cells.len() > 1) => {
            let member = |(index, cells): &(FamilyIndex, Vec<Cell>)| match index {
                FamilyIndex::Digit(digit) => format!("{digit}: {}", with_digits(geometry, cells, digits)),
                FamilyIndex::Cell(cell) => {
                    format!("{}: {}", notation::cell(geometry, *cell), with_digits(geometry, cells, digits))
                }
            };
            members.iter().map(member).collect::<Vec<_>>().join(", ")
        }
        other => text_of(other, geometry),
    }
}

/// Cells with their candidates: `r1c12 {3/5/7}`.
pub fn with_digits(geometry: &Geometry, cells: &[Cell], digits: &dyn Fn(Cell) -> DigitSet) -> String {
    let all = cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | digits(cell));
    format!("{} {{{}}}", notation::cells(geometry, cells), notation::digits_short(all))
}
