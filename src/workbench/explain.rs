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
    let shows = |step: &Step, wanted: &Difference| {
        let placed = wanted.placed.iter().all(|one| step.placements.contains(one));
        let taken = |one: &Candidate| {
            let by = |placed: &Candidate| solver.geometry().excludes(*placed, *one);
            step.eliminations.contains(one) || step.placements.iter().any(by)
        };
        placed && wanted.eliminated.iter().all(taken)
    };
    let mut known = BTreeSet::new();
    let whole = !(wanted.eliminated.is_empty() && wanted.placed.is_empty());
    out.alone = found.steps;
    out.alone.retain(|step| whole && shows(step, wanted) && known.insert(step.name.clone()));
    // A step that shows just this explains it better than one that shows more.
    out.alone.sort_by_key(|step| strays(step, wanted) > 0);
    if out.alone.is_empty() {
        together(solver, before, wanted, &mut out);
    }
    out
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
    loop {
        let left = open(&state, wanted);
        if left.eliminated.is_empty() && left.placed.is_empty() {
            break;
        }
        let useful = |step: &Step| {
            step.eliminations.iter().any(|one| left.eliminated.contains(one))
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

/// Returns true if a step may rest on another one: it cites a cell that the other changed, or a cell in a house of one.
fn rests_on(later: &Step, earlier: &Step) -> bool {
    let changed: Vec<Cell> = earlier.eliminations.iter().chain(&earlier.placements).map(|one| one.cell).collect();
    !earlier.placements.is_empty()
        || !later.cites.houses.is_empty()
        || later.cites.cells.iter().any(|(cell, _)| changed.contains(cell))
}
