//! A step that joins others, taken apart. In: one of the matches that were joined, which carries what all of them show.
//! Out: the match with what it shows itself, so that it can be told alone.

use super::claims::claims_of;
use super::step::Deduction;
use super::view::View;
use crate::engine::{Match, Value};
use crate::grid::Candidate;

/// A match that was joined, with what it shows itself of what all show together.
pub(super) fn shown_alone(view: &View) -> Match {
    let claims: Vec<Deduction> = claims_of(view).collect();
    let aside = view.variant.guardians.iter().filter_map(|var| view.found.bindings[var.0].as_ref());
    let aside: Vec<Candidate> = aside.flat_map(candidates_of).collect();
    let gone = |other: &Candidate| {
        let claimed = claims.iter().any(|claim| match claim {
            Deduction::Some(list) | Deduction::Place(list) => list.iter().all(|one| view.grid.excludes(*one, *other)),
            Deduction::Eliminate(list) => list.contains(other),
        });
        claimed && aside.iter().all(|one| view.grid.excludes(*one, *other))
    };
    let sure = |one: &Candidate| {
        let says = |claim: &Deduction| match claim {
            Deduction::Some(list) => list.as_slice() == [*one],
            Deduction::Place(list) => list.contains(one),
            Deduction::Eliminate(_) => false,
        };
        claims.iter().any(says)
    };
    Match {
        eliminations: view.found.eliminations.iter().copied().filter(gone).collect(),
        placements: view.found.placements.iter().copied().filter(sure).collect(),
        ..view.found.clone()
    }
}

fn candidates_of(value: &Value) -> Vec<Candidate> {
    match value {
        Value::Candidates(list) => list.clone(),
        _ => Vec::new(),
    }
}
