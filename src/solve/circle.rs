//! The order of a ring. In: a match with a ring, as its rule sees it. Out: the candidates of the ring as they follow one
//! another, each linked to the next and the last to the first.
//!
//! A ring is bound as a set. Its links are what a player goes along, so they are looked for again: two candidates are
//! neighbours where, but for the guardians, a cell has no others or a house no other place.

use super::view::View;
use crate::engine::Value;
use crate::grid::{Candidate, Cell, Digit};
use crate::lang::ir::{Statement, VarId};

/// The ring that a name stands for, in order: from its first candidate to the smaller of the two next to it. Nothing where
/// the name is no ring, or its links are of another kind.
pub(super) fn in_order(view: &View, name: VarId) -> Option<Vec<Candidate>> {
    let ring = view.variant.body.iter().find_map(|statement| match statement {
        Statement::Ring(ring) if ring.name == name => Some(ring),
        _ => None,
    })?;
    let list = |of: VarId| match view.found.bindings[of.0].as_ref()? {
        Value::Candidates(list) => Some(list),
        _ => None,
    };
    let (all, aside) = (list(ring.name)?, list(ring.guardians)?);
    let linked: Vec<Vec<usize>> = all
        .iter()
        .map(|a| (0..all.len()).filter(|&b| *a != all[b] && are_linked(view, *a, all[b], aside)).collect())
        .collect();
    let mut way = vec![0];
    closes(&linked, &mut way).then(|| way.into_iter().map(|at| all[at]).collect())
}

/// Whether of two candidates just one is true, if the guardians are false.
fn are_linked(view: &View, a: Candidate, b: Candidate, aside: &[Candidate]) -> bool {
    let is_else = |one: &Candidate| ![a, b].contains(one) && view.state.has(*one) && !aside.contains(one);
    if a.cell == b.cell {
        return !view.state.candidates(a.cell).iter().any(|digit: Digit| is_else(&Candidate::new(digit, a.cell)));
    }
    let place = |&cell: &Cell| Candidate::new(a.digit, cell);
    let shared = view.grid.houses_of(a.cell).iter().filter(|house| view.grid.houses_of(b.cell).contains(house));
    a.digit == b.digit
        && shared.into_iter().any(|&house| !view.grid.house(house).cells.iter().map(place).any(|one| is_else(&one)))
}

/// Whether a way can be gone on with through everything and back to its start; it is then the whole way.
fn closes(linked: &[Vec<usize>], way: &mut Vec<usize>) -> bool {
    let (first, last) = (way[0], way[way.len() - 1]);
    if way.len() == linked.len() {
        return linked[last].contains(&first);
    }
    for &next in &linked[last] {
        if !way.contains(&next) {
            way.push(next);
            if closes(linked, way) {
                return true;
            }
            way.pop();
        }
    }
    false
}
