//! Values as sets of single elements. In: [`Value`]s. Out: ordered sets of [`Element`]s, and back.

use crate::engine::Value;
use crate::grid::{Candidate, Cell, Digit, DigitSet, HouseId};
use crate::lang::ir::Kind;
use std::collections::BTreeSet;

/// One member of a set, whatever its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    Digit(Digit),
    Cell(Cell),
    House(HouseId),
    Candidate(Candidate),
}

/// Returns the elements of a value. A number has none, nor have places, which no condition mentions.
pub fn elements(value: &Value) -> BTreeSet<Element> {
    match value {
        Value::Digits(digits) => digits.iter().map(Element::Digit).collect(),
        Value::Cells(cells) => cells.iter().copied().map(Element::Cell).collect(),
        Value::Houses(houses) => houses.iter().copied().map(Element::House).collect(),
        Value::Candidates(candidates) => candidates.iter().copied().map(Element::Candidate).collect(),
        Value::Family(members) => members.iter().flat_map(|(_, cells)| cells).copied().map(Element::Cell).collect(),
        Value::Number(_) | Value::Places(_) => BTreeSet::new(),
    }
}

/// Makes a value of a set of elements, of the same kind as `model`.
pub fn value_of_same_kind(model: &Value, set: &BTreeSet<Element>) -> Value {
    let kind = match model {
        Value::Digits(_) => Kind::Digit,
        Value::Cells(_) | Value::Family(_) => Kind::Cell,
        Value::Houses(_) => Kind::House(crate::lang::ir::HouseClass::Any),
        Value::Candidates(_) => Kind::Candidate,
        Value::Number(_) | Value::Places(_) => Kind::Number,
    };
    value_of_kind(kind, set)
}

/// Collects the elements of this kind into a value. For [`Kind::Number`], the value is the number of elements.
pub fn value_of_kind(kind: Kind, set: &BTreeSet<Element>) -> Value {
    match kind {
        Kind::Digit => Value::Digits(digits_in(set)),
        Kind::Cell => Value::Cells(cells_in(set)),
        Kind::House(_) => Value::Houses(houses_in(set)),
        Kind::Candidate => Value::Candidates(candidates_in(set)),
        Kind::Number => Value::Number(set.len() as i64),
    }
}

pub fn digits_in(set: &BTreeSet<Element>) -> DigitSet {
    set.iter().filter_map(|element| if let Element::Digit(digit) = element { Some(*digit) } else { None }).collect()
}

pub fn cells_in(set: &BTreeSet<Element>) -> Vec<Cell> {
    set.iter().filter_map(|element| if let Element::Cell(cell) = element { Some(*cell) } else { None }).collect()
}

pub fn houses_in(set: &BTreeSet<Element>) -> Vec<HouseId> {
    set.iter().filter_map(|element| if let Element::House(house) = element { Some(*house) } else { None }).collect()
}

pub fn candidates_in(set: &BTreeSet<Element>) -> Vec<Candidate> {
    set.iter()
        .filter_map(|element| if let Element::Candidate(candidate) = element { Some(*candidate) } else { None })
        .collect()
}
