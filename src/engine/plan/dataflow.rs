//! What instructions read and write. In: an instruction. Out: its registers, where all that it does is to write one from
//! others, or to give a choice its next value.

use super::instr::{Instr, Reg, Set};

/// A register of any type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Place {
    /// Of a set.
    Set(u8, Reg),
    /// Of a number.
    Number(Reg),
    /// Of a single value.
    Value(Reg),
}

pub(super) fn set(set: Set) -> Place {
    match set {
        Set::C(reg) => cells(reg),
        Set::D(reg) => digits(reg),
        Set::H(reg) => houses(reg),
        Set::P(reg) => candidates(reg),
    }
}

fn cells(reg: Reg) -> Place {
    Place::Set(0, reg)
}

fn digits(reg: Reg) -> Place {
    Place::Set(1, reg)
}

fn houses(reg: Reg) -> Place {
    Place::Set(2, reg)
}

fn candidates(reg: Reg) -> Place {
    Place::Set(3, reg)
}

/// What an instruction writes and what it reads, if it is cheap and does nothing else.
pub(super) fn pure(instr: &Instr) -> Option<(Place, Vec<Place>)> {
    Some(match *instr {
        Instr::Unsolved { to } | Instr::CellsCounting { to, .. } => (cells(to), Vec::new()),
        Instr::AllDigits { to } => (digits(to), Vec::new()),
        Instr::Houses { to, .. } => (houses(to), Vec::new()),
        Instr::Const { to, .. } => (Place::Number(to), Vec::new()),
        Instr::Places { to, digit } => (cells(to), vec![Place::Value(digit)]),
        Instr::PlacesAny { to, digits: of }
        | Instr::PlacesAll { to, digits: of }
        | Instr::OpenPlaces { to, digits: of } => (cells(to), vec![digits(of)]),
        Instr::CellsOf { to, houses: of } => (cells(to), vec![houses(of)]),
        Instr::Peers { to, cell } => (cells(to), vec![Place::Value(cell)]),
        Instr::Seeing { to, of, .. } => (cells(to), vec![cells(of)]),
        Instr::DigitsOf { to, cell } => (digits(to), vec![Place::Value(cell)]),
        Instr::Digits { to, cells: of } | Instr::Values { to, cells: of } => (digits(to), vec![cells(of)]),
        Instr::DigitsWithin { to, cells: of, within } => (digits(to), vec![cells(of), cells(within)]),
        Instr::DigitsCounting { to, cells: of, .. } => (digits(to), vec![cells(of)]),
        Instr::HousesOf { to, cells: of, .. } | Instr::HousesCounting { to, cells: of, .. } => {
            (houses(to), vec![cells(of)])
        }
        Instr::Lines { to, houses: of, .. } => (houses(to), vec![houses(of)]),
        Instr::Op { to, a, b, .. } => (set(to), vec![set(a), set(b)]),
        Instr::After { to, of, value } => (set(to), vec![set(of), Place::Value(value)]),
        Instr::Count { to, of } => (Place::Number(to), vec![set(of)]),
        Instr::CountIn { to, noun } => (Place::Number(to), vec![digits(noun.0), cells(noun.1)]),
        Instr::Sum { to, a, b, .. } => (Place::Number(to), vec![Place::Number(a), Place::Number(b)]),
        _ => return None,
    })
}

/// What the next value of a choice is written to.
pub(super) fn chosen(instr: &Instr) -> Vec<Place> {
    match *instr {
        Instr::Next { value, one, .. } => vec![Place::Value(value), set(one)],
        Instr::NextRow { ref to, ref sets, .. } => {
            let names = to.iter().flat_map(|&(value, one)| [Place::Value(value), set(one)]);
            names.chain(sets.iter().map(|&reg| cells(reg))).collect()
        }
        Instr::NextPick { to, .. } => vec![set(to)],
        Instr::NextLocked { to, .. } => vec![cells(to)],
        _ => Vec::new(),
    }
}

/// Whether the second is the next value of the choice that the first begins.
pub(super) fn begins(start: &Instr, next: &Instr) -> bool {
    match (start, next) {
        (Instr::Each { rest: a, .. }, Instr::Next { rest: b, .. }) => a == b,
        (Instr::Rows { rows: a }, Instr::NextRow { rows: b, .. }) => a == b,
        (Instr::Pick { pick: a }, Instr::NextPick { pick: b, .. }) => a == b,
        (Instr::Locked { locked: a }, Instr::NextLocked { locked: b, .. }) => a == b,
        _ => false,
    }
}
