//! Solutions and mistakes in words. In: counts of solutions, mistakes of a player. Out: pieces of sentences, for the command
//! line and the playground.

use crate::grid::{Candidate, Geometry, notation};
use crate::proof::{Count, Mistakes, Slips};
use crate::render::thousands;

/// Number of solutions in words: `10 solutions`, `more than 1,000 solutions`.
pub fn solutions_words(count: Count) -> String {
    match (count.number, count.is_exact) {
        (0, true) => "no solution".to_string(),
        (1, true) => "1 solution".to_string(),
        (number, true) => format!("{} solutions", thousands(number as u64)),
        (0..=2, false) => "several solutions".to_string(),
        (number, false) => format!("more than {} solutions", thousands(number as u64 - 1)),
    }
}

/// Wrong digits and wrongly removed candidates, one after the other.
pub fn slip_words(geometry: &Geometry, slips: &Slips) -> String {
    let wrong = |one: &Candidate| format!("{} is not {}", notation::cell(geometry, one.cell), one.digit);
    let removed = |one: &Candidate| {
        let cell = notation::cell(geometry, one.cell);
        format!("{cell} is {}, but {} was removed there", one.digit, one.digit)
    };
    let words = slips.digits.iter().map(wrong).chain(slips.removed.iter().map(removed));
    words.collect::<Vec<_>>().join("; ")
}

/// Mistakes of a player, as the reason why a position has no solution.
pub fn mistake_words(geometry: &Geometry, mistakes: &Mistakes) -> String {
    match mistakes {
        Mistakes::Against(slips) => format!("{} (the clues alone have one solution)", slip_words(geometry, slips)),
        Mistakes::InNone(slips) if slips.is_empty() => {
            "the clues alone have several; each change of yours fits some of them, but no solution fits all".to_string()
        }
        Mistakes::InNone(slips) => format!("{} (in every solution of the clues alone)", slip_words(geometry, slips)),
        Mistakes::Clues => "the clues alone have none".to_string(),
    }
}
