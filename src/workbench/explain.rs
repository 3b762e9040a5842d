//! Which techniques justify a difference. In: a solver, a position, what is different in another. Out: one technique that
//! shows it alone, or the steps that show it together, and what is left over.

use crate::grid::{Candidate, Cell, Geometry, State};
use crate::solve::{Solver, Step, apply};
use std::collections::BTreeSet;

/// What is different: candidates that are gone, and values that are new.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Candidates that the first has and the second has not, but for those that a new value takes away.
    pub gone: Vec<Candidate>,
    /// Values that the second has and the first has not.
    pub placed: Vec<Candidate>,
    /// What the second has and the first has not, besides: no deduction makes it.
    pub added: Vec<Candidate>,
}

/// How a difference is explained.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// Steps that show all of it alone, the simplest first, one for each technique.
    pub alone: Vec<Step>,
    /// Where there is none: steps one after the other that show it together.
    pub together: Vec<Step>,
    /// What none of these shows.
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
        let gone = candidates(&reached, cell).into_iter().filter(|one| !after.has(*one));
        out.gone.extend(gone);
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
    let shows = |step: &Step, wanted: &Difference| {
        let placed = wanted.placed.iter().all(|one| step.placements.contains(one));
        let taken = |one: &Candidate| {
            let by = |placed: &Candidate| solver.geometry().excludes(*placed, *one);
            step.eliminations.contains(one) || step.placements.iter().any(by)
        };
        placed && wanted.gone.iter().all(taken)
    };
    let mut known = BTreeSet::new();
    let whole = !(wanted.gone.is_empty() && wanted.placed.is_empty());
    out.alone = found.steps;
    out.alone.retain(|step| whole && shows(step, wanted) && known.insert(step.name.clone()));
    // A step that shows just this explains it better than one that shows more.
    out.alone.sort_by_key(|step| strays(step, wanted) > 0);
    if out.alone.is_empty() {
        together(solver, before, wanted, &mut out);
    }
    out
}

/// How much a step shows that is no part of a difference.
fn strays(step: &Step, wanted: &Difference) -> usize {
    step.eliminations.iter().filter(|one| !wanted.gone.contains(one)).count()
        + step.placements.iter().filter(|one| !wanted.placed.contains(one)).count()
}

/// What of a difference is not yet so.
fn open(state: &State, wanted: &Difference) -> Difference {
    Difference {
        gone: wanted.gone.iter().copied().filter(|&one| state.has(one)).collect(),
        placed: wanted.placed.iter().copied().filter(|one| state.value(one.cell).is_none()).collect(),
        added: wanted.added.clone(),
    }
}

/// The simplest steps that show something of it and nothing else come first; where none does, the simplest that shows
/// something of it.
fn together(solver: &Solver, before: &State, wanted: &Difference, out: &mut Explained) {
    let mut state = before.clone();
    loop {
        let left = open(&state, wanted);
        if left.gone.is_empty() && left.placed.is_empty() {
            break;
        }
        let useful = |step: &Step| {
            step.eliminations.iter().any(|one| left.gone.contains(one))
                || step.placements.iter().any(|one| left.placed.contains(one))
        };
        let Ok(found) = solver.find_all(&state, None) else { break };
        let best = found
            .steps
            .into_iter()
            .enumerate()
            .filter(|(_, step)| useful(step))
            .min_by_key(|(at, step)| (strays(step, wanted) > 0, *at));
        let Some((_, step)) = best else { break };
        apply(&step, solver.geometry(), &mut state);
        out.together.push(step);
    }
    out.left = open(&state, wanted);
    dispensable(solver, before, wanted, out);
}

/// Drops steps without which the others show as much.
fn dispensable(solver: &Solver, before: &State, wanted: &Difference, out: &mut Explained) {
    let left = |steps: &[Step]| {
        let mut state = before.clone();
        for step in steps {
            apply(step, solver.geometry(), &mut state);
        }
        open(&state, wanted)
    };
    let mut at = 0;
    while at < out.together.len() {
        let mut fewer = out.together.clone();
        fewer.remove(at);
        // Later steps may rest on this one.
        let rests = fewer[at..].iter().any(|later| rests_on(later, &out.together[at]));
        if !rests && left(&fewer) == out.left {
            out.together = fewer;
        } else {
            at += 1;
        }
    }
}

/// Whether a step may rest on what another showed: it cites a cell that the other changed, or one in a house of it.
fn rests_on(later: &Step, earlier: &Step) -> bool {
    let changed: Vec<Cell> = earlier.eliminations.iter().chain(&earlier.placements).map(|one| one.cell).collect();
    !earlier.placements.is_empty()
        || !later.cites.houses.is_empty()
        || later.cites.cells.iter().any(|(cell, _)| changed.contains(cell))
}
