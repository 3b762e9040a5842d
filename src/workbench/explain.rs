//! Explains a difference by techniques. In: a solver, a position, its difference to another. Out: one technique that
//! explains all of it, or steps that do so together, and what remains unexplained.

use crate::grid::{Candidate, Cell, Geometry, State};
use crate::solve::{Solver, Step, apply};
use std::collections::BTreeSet;

/// Difference between two positions: eliminated candidates and new values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Candidates of the first position that the second lacks, except those that a new value excludes.
    pub eliminated: Vec<Candidate>,
    /// Values that the second has and the first has not.
    pub placed: Vec<Candidate>,
    /// Values and candidates that only the second position has although no deduction can add them.
    pub added: Vec<Candidate>,
}

impl Difference {
    /// Returns true if nothing is eliminated or placed.
    fn is_empty(&self) -> bool {
        self.eliminated.is_empty() && self.placed.is_empty()
    }
}

/// Explanation of a difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// Steps that show all of it alone, the simplest first, one for each technique.
    pub alone: Vec<Step>,
    /// Consecutive steps that explain it together, if no single technique does.
    pub together: Vec<Step>,
    /// The unexplained remainder.
    pub left: Difference,
}

/// Compares two positions.
pub fn difference(geometry: &Geometry, before: &State, after: &State) -> Difference {
    let mut out = Difference::default();
    let mut reached = before.clone();
    for cell in geometry.cells() {
        match (before.value(cell), after.value(cell)) {
            (None, Some(digit)) => {
                out.placed.push(Candidate::new(digit, cell));
                reached.place(geometry, cell, digit);
            }
            (Some(digit), other) if other != Some(digit) => out.added.extend(candidates(after, cell)),
            _ => {}
        }
    }
    for cell in geometry.cells().filter(|&cell| after.value(cell).is_none() && before.value(cell).is_none()) {
        let eliminated = candidates(&reached, cell).into_iter().filter(|one| !after.has(*one));
        out.eliminated.extend(eliminated);
        out.added.extend(candidates(after, cell).into_iter().filter(|one| !before.has(*one)));
    }
    out
}

fn candidates(state: &State, cell: Cell) -> Vec<Candidate> {
    state.candidates(cell).iter().map(|digit| Candidate::new(digit, cell)).collect()
}

/// Explains a difference with the techniques of the solver's profile.
pub fn explain(solver: &Solver, before: &State, wanted: &Difference) -> Explained {
    let mut out = Explained::default();
    let Ok(found) = solver.find_all(before, None) else { return out };
    let mut known = BTreeSet::new();
    let whole = !wanted.is_empty();
    out.alone = found.steps;
    out.alone.retain(|step| whole && shows(solver.geometry(), step, wanted) && known.insert(step.name.clone()));
    // A step that shows just this explains it better than one that shows more.
    out.alone.sort_by_key(|step| strays(step, wanted) > 0);
    if out.alone.is_empty() {
        together(solver, before, wanted, &mut out);
    }
    out
}

/// Returns true if a step has all effects of a difference.
fn shows(geometry: &Geometry, step: &Step, wanted: &Difference) -> bool {
    wanted.placed.iter().all(|one| step.placements.contains(one))
        && wanted.eliminated.iter().all(|one| {
            step.eliminations.contains(one) || step.placements.iter().any(|placed| geometry.excludes(*placed, *one))
        })
}

/// Counts the effects of a step that are not part of a difference.
fn strays(step: &Step, wanted: &Difference) -> usize {
    step.eliminations.iter().filter(|one| !wanted.eliminated.contains(one)).count()
        + step.placements.iter().filter(|one| !wanted.placed.contains(one)).count()
}

/// The part of a difference that the state does not have yet.
fn open(state: &State, wanted: &Difference) -> Difference {
    Difference {
        eliminated: wanted.eliminated.iter().copied().filter(|&one| state.has(one)).collect(),
        placed: wanted.placed.iter().copied().filter(|one| state.value(one.cell).is_none()).collect(),
        added: wanted.added.clone(),
    }
}

/// Collects steps that explain the difference: the simplest one with no other effect, or else the simplest with some effect
/// in it.
fn together(solver: &Solver, before: &State, wanted: &Difference, out: &mut Explained) {
    let mut state = before.clone();
    out.left = open(&state, wanted);
    while !out.left.is_empty() {
        let Ok(found) = solver.find_all(&state, None) else { break };
        let useful = found.steps.into_iter().filter(|step| {
            step.eliminations.iter().any(|one| out.left.eliminated.contains(one))
                || step.placements.iter().any(|one| out.left.placed.contains(one))
        });
        // `min_by_key` takes the first of equal steps.
        let Some(step) = useful.min_by_key(|step| strays(step, wanted) > 0) else { break };
        apply(&step, solver.geometry(), &mut state);
        out.together.push(step);
        out.left = open(&state, wanted);
    }
    dispensable(solver, before, wanted, out);
}

/// Drops steps without which the others show as much.
fn dispensable(solver: &Solver, before: &State, wanted: &Difference, out: &mut Explained) {
    let mut at = 0;
    while at < out.together.len() {
        let mut fewer = out.together.clone();
        let dropped = fewer.remove(at);
        let mut state = before.clone();
        fewer.iter().for_each(|step| apply(step, solver.geometry(), &mut state));
        // Later steps may rest on this one.
        if fewer[at..].iter().all(|later| !rests_on(later, &dropped)) && open(&state, wanted) == out.left {
            out.together = fewer;
        } else {
            at += 1;
        }
    }
}

/// Returns true if a step may rest on another one: it cites a cell that the other changed, or a cell in a house of one.
fn rests_on(later: &Step, earlier: &Step) -> bool {
    let changed: Vec<Cell> = earlier.eliminations.iter().chain(&earlier.placements).map(|one| one.cell).collect();
    !earlier.placements.is_empty()
        || !later.cites.houses.is_empty()
        || later.cites.cells.iter().any(|(cell, _)| changed.contains(cell))
}
