//! Small words. In: digits, candidates, lists. Out: English with the field's notation in it.

use crate::grid::{Candidate, Contradiction, Digit, DigitSet, Geometry, HouseId, HouseKind, notation};
use crate::solve::Step;

/// `a`, `a and b`, `a, b and c`.
pub fn list(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

/// `1, 2 and 3`.
pub fn digits_and(digits: DigitSet) -> String {
    let symbols: Vec<String> = digits.iter().map(|digit| digit.to_string()).collect();
    list(&symbols, "and")
}

/// The columns where a digit stood in a row, the rows where it stood in a column, as the step saw it.
pub fn crossing(geometry: &Geometry, step: &Step, house: HouseId, digit: Digit) -> Vec<HouseId> {
    let house = geometry.house(house);
    let other = if house.kind == HouseKind::Row { HouseKind::Column } else { HouseKind::Row };
    let here = house.cells.iter().filter(|&&cell| step.digits_of(cell).has(digit));
    let crosses = |id: &&HouseId| geometry.house(**id).kind == other;
    here.filter_map(|&cell| geometry.houses_of(cell).iter().find(crosses)).copied().collect()
}

/// `5 in r1c1`.
pub fn place(geometry: &Geometry, candidate: Candidate) -> String {
    format!("{} in {}", candidate.digit, notation::cell(geometry, candidate.cell))
}

/// `1 step`, `2 steps`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// `1 guess`, `2 guesses`.
pub fn counted_as(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// `12,345`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A contradiction in words, without an end mark.
pub fn contradiction_words(geometry: &Geometry, contradiction: Contradiction) -> String {
    match contradiction {
        Contradiction::EmptyCell(cell) => format!("{} has no candidate left", notation::cell(geometry, cell)),
        Contradiction::NoPlace(digit, house) => format!("{} has no place left for {digit}", geometry.house(house)),
        Contradiction::Repeated(digit, house) => format!("{digit} is twice in {}", geometry.house(house)),
        Contradiction::Apart(digit, a, b) => {
            let (a, b) = (notation::cell(geometry, a), notation::cell(geometry, b));
            format!("{digit} is in both {a} and {b}, which see each other")
        }
    }
}
