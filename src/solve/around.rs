//! Why some combinations of cells fail. In: a position, cells, candidates of them that are in no way. Out: cells that hold,
//! for each way with one of these candidates, a set around them that would have fewer digits than cells.

use crate::grid::{Candidate, Cell, DigitSet, Geometry, State};
use std::collections::BTreeSet;

/// The largest set that is looked at.
const AROUND: usize = 4;

/// A set of cells of one house, and its digits.
struct Set {
    cells: Vec<Cell>,
    digits: DigitSet,
}

/// The cells of the sets that forbid all combinations of `cells` with one of `gone`: sets that were taken already first, then
/// small ones.
pub(super) fn blocking(grid: &Geometry, state: &State, cells: &[Cell], gone: &[Candidate]) -> BTreeSet<Cell> {
    let mut sets: Vec<Set> = Vec::new();
    for house in grid.houses() {
        let open: Vec<Cell> = house.cells.iter().copied().filter(|&cell| state.value(cell).is_none()).collect();
        grow(state, &open, cells.len(), &mut Vec::new(), DigitSet::EMPTY, &mut sets);
    }
    sets.sort_by(|a, b| (a.cells.len(), &a.cells).cmp(&(b.cells.len(), &b.cells)));
    let mut taken: Vec<&Set> = Vec::new();
    for way in ways(grid, state, cells) {
        let forbids = |set: &&&Set| is_short(grid, state, set, &way);
        if way.iter().any(|one| gone.contains(one)) && !taken.iter().any(|set| forbids(&set)) {
            taken.extend(sets.iter().find(|set| forbids(&set)));
        }
    }
    taken.iter().flat_map(|set| set.cells.iter().copied()).collect()
}

/// All sets of cells after those chosen, with fewer surplus digits than there are cells to fill.
fn grow(state: &State, rest: &[Cell], fill: usize, chosen: &mut Vec<Cell>, digits: DigitSet, sets: &mut Vec<Set>) {
    for (at, &cell) in rest.iter().enumerate() {
        let more = digits | state.candidates(cell);
        chosen.push(cell);
        if (chosen.len()..chosen.len() + fill).contains(&more.len()) {
            sets.push(Set { cells: chosen.clone(), digits: more });
        }
        if chosen.len() < AROUND && more.len() < AROUND + fill {
            grow(state, &rest[at + 1..], fill, chosen, more, sets);
        }
        chosen.pop();
    }
}

/// The combinations of cells in which no two see each other with one digit.
fn ways(grid: &Geometry, state: &State, cells: &[Cell]) -> Vec<Vec<Candidate>> {
    let mut ways: Vec<Vec<Candidate>> = vec![Vec::new()];
    for &cell in cells.iter().filter(|&&cell| state.value(cell).is_none()) {
        let fits = |way: &Vec<Candidate>, digit| {
            way.iter().all(|one| one.digit != digit || !grid.peers(cell).contains(&one.cell))
        };
        let longer = ways.iter().flat_map(|way| {
            let digits = state.candidates(cell).iter().filter(move |&digit| fits(way, digit));
            digits.map(move |digit| way.iter().copied().chain([Candidate::new(digit, cell)]).collect::<Vec<_>>())
        });
        ways = longer.collect();
    }
    ways
}

/// Whether a combination leaves a set fewer digits than it has cells.
fn is_short(grid: &Geometry, state: &State, set: &Set, way: &[Candidate]) -> bool {
    let takes = |one: &Candidate| {
        let mut holders = set.cells.iter().filter(|&&cell| state.candidates(cell).has(one.digit)).peekable();
        holders.peek().is_some() && holders.all(|cell| grid.peers(one.cell).contains(cell))
    };
    let lost: DigitSet = way.iter().filter(|one| takes(one)).map(|one| one.digit).collect();
    set.digits.len() - lost.len() < set.cells.len()
}
