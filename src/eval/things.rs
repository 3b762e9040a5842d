//! Values as sets of single things. In: [`Value`]s. Out: ordered sets of [`Thing`]s, and back.

use crate::engine::Value;
use crate::grid::{Candidate, Cell, Digit, DigitSet, HouseId};
use crate::lang::ir::Kind;
use std::collections::BTreeSet;

/// One member of a set, whatever its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    Digit(Digit),
    Cell(Cell),
    House(HouseId),
    Candidate(Candidate),
}

/// The members of a value; a number has none.
pub fn things(value: &Value) -> BTreeSet<Thing> {
    match value {
        Value::Digits(digits) => digits.iter().map(Thing::Digit).collect(),
        Value::Cells(cells) => cells.iter().copied().map(Thing::Cell).collect(),
        Value::Houses(houses) => houses.iter().copied().map(Thing::House).collect(),
        Value::Candidates(candidates) => candidates.iter().copied().map(Thing::Candidate).collect(),
        Value::Family(members) => members.iter().flat_map(|(_, cells)| cells).copied().map(Thing::Cell).collect(),
        Value::Number(_) | Value::Places(_) => BTreeSet::new(),
    }
}

/// A set of things as a value of the same kind as another.
pub fn like(model: &Value, set: &BTreeSet<Thing>) -> Value {
    let kind = match model {
        Value::Digits(_) => Kind::Digit,
        Value::Cells(_) | Value::Family(_) => Kind::Cell,
        Value::Houses(_) => Kind::House(crate::lang::ir::HouseClass::Any),
        Value::Candidates(_) => Kind::Candidate,
        Value::Number(_) | Value::Places(_) => Kind::Number,
    };
    of_kind(kind, set)
}

/// A set of things as a value of a kind; things of other kinds are left out.
pub fn of_kind(kind: Kind, set: &BTreeSet<Thing>) -> Value {
    match kind {
        Kind::Digit => Value::Digits(digits_in(set)),
        Kind::Cell => Value::Cells(cells_in(set)),
        Kind::House(_) => Value::Houses(houses_in(set)),
        Kind::Candidate => Value::Candidates(candidates_in(set)),
        Kind::Number => Value::Number(set.len() as i64),
    }
}

pub fn digits_in(set: &BTreeSet<Thing>) -> DigitSet {
    set.iter().filter_map(|thing| if let Thing::Digit(digit) = thing { Some(*digit) } else { None }).collect()
}

pub fn cells_in(set: &BTreeSet<Thing>) -> Vec<Cell> {
    set.iter().filter_map(|thing| if let Thing::Cell(cell) = thing { Some(*cell) } else { None }).collect()
}

pub fn houses_in(set: &BTreeSet<Thing>) -> Vec<HouseId> {
    set.iter().filter_map(|thing| if let Thing::House(house) = thing { Some(*house) } else { None }).collect()
}

pub fn candidates_in(set: &BTreeSet<Thing>) -> Vec<Candidate> {
    set.iter().filter_map(|thing| if let Thing::Candidate(one) = thing { Some(*one) } else { None }).collect()
}
