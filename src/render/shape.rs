//! What a step says where its rule has no words for it. In: a step. Out: `5/6/9 in r4c78,r9c8`, made of the kinds of
//! things that its rule names, never of their names: digits, the cells of the pattern, houses, candidates.

use super::words::crossing;
use crate::engine::Value;
use crate::grid::{Cell, Digit, DigitSet, Geometry, HouseId, notation};
use crate::solve::{Binding, Step, short, with_digits};

/// The things that a rule names, by kind.
#[derive(Default)]
struct Things<'s> {
    digits: Vec<Digit>,
    cells: Vec<&'s [Cell]>,
    houses: Vec<&'s [HouseId]>,
    /// Families, and digits in houses.
    others: Vec<String>,
    candidates: Vec<String>,
}

/// What a step rests on that its chain does not show.
pub fn shape(geometry: &Geometry, step: &Step) -> String {
    let things = things(geometry, step);
    let digits = |cell: Cell| step.digits_of(cell);
    let all = |cells: &[Cell]| cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | digits(cell));
    let mut named: Vec<Digit> = things.digits;
    if let ([only], true, true) = (things.cells.as_slice(), named.is_empty(), things.others.is_empty()) {
        named = all(only).iter().collect();
    }
    let known: DigitSet = named.iter().copied().collect();
    let plain = |cells: &[Cell]| (all(cells) - known).is_empty();
    let mut places: Vec<String> = Vec::new();
    // Cells that hold only digits that are named anyway play the same part.
    let alike = things.cells.iter().all(|cells| plain(cells));
    let single: Vec<Cell> =
        things.cells.iter().filter(|cells| alike && cells.len() == 1).map(|cells| cells[0]).collect();
    places.extend((!single.is_empty()).then(|| notation::cells(geometry, &single)));
    let apart = things.cells.iter().filter(|cells| !alike || cells.len() > 1);
    places.extend(apart.map(|cells| match plain(cells) {
        true => notation::cells(geometry, cells),
        false => with_digits(geometry, cells, &digits),
    }));
    places.extend(things.others);
    places.extend(things.houses.iter().map(|houses| notation::houses(geometry, houses)));
    let named: Vec<String> = named.iter().map(Digit::to_string).collect();
    let found = [named.join("/"), places.join(", ")].into_iter().filter(|part| !part.is_empty());
    let found = [found.collect::<Vec<_>>().join(" in "), things.candidates.join(" / ")];
    found.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ") + &aside(geometry, step)
}

/// What is put aside.
fn aside(geometry: &Geometry, step: &Step) -> String {
    let aside = step.bindings.iter().filter(|binding| binding.guards).filter_map(|binding| match &binding.value {
        Value::Candidates(list) if !list.is_empty() => Some(notation::candidates(geometry, list)),
        _ => None,
    });
    aside.map(|list| format!(" but for {list}")).collect()
}

fn things<'s>(geometry: &Geometry, step: &'s Step) -> Things<'s> {
    let mut out = Things::default();
    let open = step.bindings.iter().filter(|binding| binding.free && !is_told(geometry, step, binding));
    let (mut named, mut spoken) = (Vec::new(), DigitSet::EMPTY);
    for binding in open {
        match &binding.value {
            Value::Digits(digits) => named.extend(digits.iter()),
            Value::Cells(cells) => out.cells.push(cells),
            Value::Houses(houses) => out.houses.push(houses),
            Value::Candidates(list) => {
                spoken = list.iter().fold(spoken, |all, one| all | DigitSet::single(one.digit));
                out.candidates.push(candidates(geometry, step, binding));
            }
            Value::Family(_) => out.others.push(short(geometry, &binding.value, &|cell| step.digits_of(cell))),
            Value::Places(places) => {
                let stands = |&(house, digit): &(HouseId, Digit)| {
                    let mut houses = crossing(geometry, step, house, digit);
                    houses.push(house);
                    houses.sort_unstable();
                    format!("{digit} in {}", notation::houses(geometry, &houses))
                };
                out.others.extend(places.iter().map(stands));
            }
            Value::Number(_) => {}
        }
    }
    for digit in named {
        if !spoken.has(digit) && !out.digits.contains(&digit) {
            out.digits.push(digit);
        }
    }
    out.cells.dedup();
    // A placement names its cell itself.
    let placed = |cells: &&[Cell]| cells.iter().all(|cell| step.placements.iter().any(|one| one.cell == *cell));
    let more = !out.houses.is_empty() || !out.others.is_empty() || !out.candidates.is_empty();
    if more || !out.cells.iter().all(placed) {
        out.cells.retain(|cells| !placed(cells));
    }
    out
}

fn candidates(geometry: &Geometry, step: &Step, binding: &Binding) -> String {
    match &binding.value {
        Value::Candidates(list) if binding.circle => notation::circle(geometry, list),
        value => short(geometry, value, &|cell| step.digits_of(cell)),
    }
}

/// Whether there is nothing to tell, or what is told anyway shows it: the chain, its ends, cases and what follows.
fn is_told(geometry: &Geometry, step: &Step, binding: &Binding) -> bool {
    let ends = || step.chain.first().into_iter().chain(step.chain.last());
    match &binding.value {
        _ if binding.in_chain && !step.chain.is_empty() => true,
        Value::Cells(cells) => cells.is_empty(),
        Value::Digits(digits) => digits.iter().all(|digit| ends().any(|end| end.node.digit == digit)),
        Value::Houses(houses) => houses.iter().all(|house| is_crossing(geometry, step, *house)),
        Value::Candidates(list) => {
            let shown = |one| step.eliminations.iter().chain(&step.placements).any(|known| known == one);
            list.iter().all(|one| !step.cases.is_empty() && shown(one))
        }
        Value::Family(_) | Value::Places(_) | Value::Number(_) => false,
    }
}

/// Whether a line stands with the digits in houses that cross it there.
fn is_crossing(geometry: &Geometry, step: &Step, line: HouseId) -> bool {
    let places = step.bindings.iter().filter(|binding| binding.free).filter_map(|binding| match &binding.value {
        Value::Places(places) => Some(places),
        _ => None,
    });
    let stands = |&(house, digit): &(HouseId, Digit)| crossing(geometry, step, house, digit).contains(&line);
    places.flatten().any(stands)
}
