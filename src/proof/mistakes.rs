//! Mistakes of a player. In: a puzzle with placed digits or removed candidates. Out: those that contradict its solution, or
//! the number of solutions if its clues don't have exactly one.

use super::solutions::{Uniqueness, solutions, uniqueness};
use crate::grid::formats::Puzzle;
use crate::grid::{Candidate, Cell, Digit, State};

/// The reason why a position has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistakes {
    /// The clues alone have one solution, and these contradict it.
    Against(Slips),
    /// The clues alone have several solutions, and these are in none of them. If there are none, each fits some solution,
    /// but they do not all fit the same.
    InNone(Slips),
    /// The clues alone have no solution.
    Clues,
}

/// Wrong digits and wrongly removed candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slips {
    /// Digits that are placed and wrong.
    pub digits: Vec<Candidate>,
    /// Candidates that were removed and are true.
    pub removed: Vec<Candidate>,
}

impl Slips {
    /// Returns true if nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.digits.is_empty() && self.removed.is_empty()
    }

    /// Compares a position with a solution, a digit for each cell.
    pub fn against(puzzle: &Puzzle, state: &State, solution: &[Digit]) -> Slips {
        let mut slips = Slips::default();
        for cell in puzzle.geometry.cells() {
            let right = Candidate::new(solution[cell.index()], cell);
            match puzzle.digit(cell).or_else(|| state.value(cell)) {
                Some(digit) if digit != right.digit => slips.digits.push(Candidate::new(digit, cell)),
                None if is_removed(puzzle, right) => slips.removed.push(right),
                _ => {}
            }
        }
        slips
    }
}

/// Finds the mistakes of a position that has no solution. `None` if the puzzle is as its author left it: then there is nothing to
/// compare it with.
pub fn mistakes(puzzle: &Puzzle, state: &State) -> Option<Mistakes> {
    let clues = puzzle.beginning()?;
    Some(match uniqueness(&puzzle.geometry, &clues) {
        Uniqueness::None => Mistakes::Clues,
        Uniqueness::One(solution) => Mistakes::Against(Slips::against(puzzle, state, &solution)),
        Uniqueness::Many(..) => Mistakes::InNone(in_none(puzzle, &clues)),
    })
}

/// Finds the digits and removed candidates that no solution of the clues agrees with.
fn in_none(puzzle: &Puzzle, clues: &State) -> Slips {
    let geometry = &puzzle.geometry;
    let is_possible = |one: Candidate| {
        let mut with = clues.clone();
        with.place(geometry, one.cell, one.digit);
        clues.has(one) && !solutions(geometry, &with, 1).is_empty()
    };
    let mut slips = Slips::default();
    for cell in geometry.cells().filter(|&cell| puzzle.givens[cell.index()].is_none()) {
        match puzzle.placed[cell.index()].map(|digit| Candidate::new(digit, cell)) {
            Some(placed) if !is_possible(placed) => slips.digits.push(placed),
            Some(_) => {}
            None => slips.removed.extend(only_removed(puzzle, cell, clues, &is_possible)),
        }
    }
    slips
}

/// Returns the removed candidate of a cell that has this digit in all solutions, if there is one.
fn only_removed(
    puzzle: &Puzzle,
    cell: Cell,
    clues: &State,
    is_possible: &impl Fn(Candidate) -> bool,
) -> Option<Candidate> {
    let all = || clues.candidates(cell).iter().map(|digit| Candidate::new(digit, cell));
    let removed: Vec<Candidate> = all().filter(|&one| is_removed(puzzle, one)).collect();
    if removed.is_empty() || all().any(|one| !removed.contains(&one) && is_possible(one)) {
        return None;
    }
    let mut possible = removed.into_iter().filter(|&one| is_possible(one));
    possible.next().filter(|_| possible.next().is_none())
}

/// Returns true if the text lists the candidates of a cell, and this one is not among them.
fn is_removed(puzzle: &Puzzle, one: Candidate) -> bool {
    puzzle.candidates.as_ref().is_some_and(|lists| !lists[one.cell.index()].has(one.digit))
}
