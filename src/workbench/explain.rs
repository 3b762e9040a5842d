//! Explains the difference of two positions by techniques. In: a solver, a position, the difference. Out: single steps that explain the
//! whole difference, or consecutive steps that explain it together; the unexplained rest.

use crate::grid::{Candidate, Cell, Geometry, State};
use crate::solve::{Solver, Step, apply};
use std::collections::BTreeSet;

/// Difference between two positions: eliminated candidates and new values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Candidates of the first position that the second position lacks, except candidates that a new value excludes.
    pub eliminated: Vec<Candidate>,
    /// Values of the second position that the first position lacks.
    pub placed: Vec<Candidate>,
    /// Candidates that only the second position has. No deduction can add candidates.
    pub added: Vec<Candidate>,
}

impl Difference {
    fn is_empty(&self) -> bool {
        self.eliminated.is_empty() && self.placed.is_empty()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// Steps that each explain the whole difference, one for each name, the simplest first.
    pub single_steps: Vec<Step>,
    /// Consecutive steps that explain the difference together, if no single step does.
    pub consecutive_steps: Vec<Step>,
    pub unexplained: Difference,
}

pub fn difference(geometry: &Geometry, before: &State, after: &State) -> Difference {
    let mut difference = Difference::default();
    let mut with_new_values = before.clone();
    for cell in geometry.cells() {
        match (before.value(cell), after.value(cell)) {
            (None, Some(digit)) => {
                difference.placed.push(Candidate::new(digit, cell));
                with_new_values.place(geometry, cell, digit);
            }
            (Some(old), new) if new != Some(old) => difference.added.extend(after.candidates(cell).in_cell(cell)),
            _ => {}
        }
    }
    for cell in geometry.cells().filter(|&cell| after.value(cell).is_none() && before.value(cell).is_none()) {
        let eliminated = with_new_values.candidates(cell) - after.candidates(cell);
        difference.eliminated.extend(eliminated.in_cell(cell));
        difference.added.extend((after.candidates(cell) - before.candidates(cell)).in_cell(cell));
    }
    difference
}

pub fn explain(solver: &Solver, before: &State, difference: &Difference) -> Explained {
    let mut explained = Explained::default();
    if difference.is_empty() {
        explained.unexplained = difference.clone();
        return explained;
    }
    let Ok(found) = solver.find_all(before, None) else { return explained };
    let mut names = BTreeSet::new();
    for step in found.steps {
        if covers(solver.geometry(), &step, difference) && names.insert(step.name.clone()) {
            explained.single_steps.push(step);
        }
    }
    // A step without other effects explains the difference better than a step with other effects.
    explained.single_steps.sort_by_key(|step| other_effects(step, difference) > 0);
    if explained.single_steps.is_empty() {
        explain_together(solver, before, difference, &mut explained);
    }
    explained
}

/// Returns true if a step has all effects of a difference.
fn covers(geometry: &Geometry, step: &Step, difference: &Difference) -> bool {
    difference.placed.iter().all(|placed| step.placements.contains(placed))
        && difference.eliminated.iter().all(|eliminated| {
            let mut placements = step.placements.iter();
            step.eliminations.contains(eliminated) || placements.any(|placed| geometry.excludes(*placed, *eliminated))
        })
}

fn other_effects(step: &Step, difference: &Difference) -> usize {
    step.eliminations.iter().filter(|eliminated| !difference.eliminated.contains(eliminated)).count()
        + step.placements.iter().filter(|placed| !difference.placed.contains(placed)).count()
}

/// Returns the part of a difference that the state does not have yet.
fn remaining(state: &State, difference: &Difference) -> Difference {
    Difference {
        eliminated: difference.eliminated.iter().copied().filter(|&eliminated| state.has(eliminated)).collect(),
        placed: difference.placed.iter().copied().filter(|placed| state.value(placed.cell).is_none()).collect(),
        added: difference.added.clone(),
    }
}

/// Collects steps that explain a difference together. Each step has some effect of the difference. Takes the simplest
/// step without other effects, or else the simplest step.
fn explain_together(solver: &Solver, before: &State, difference: &Difference, explained: &mut Explained) {
    let mut state = before.clone();
    explained.unexplained = remaining(&state, difference);
    while !explained.unexplained.is_empty() {
        let Ok(found) = solver.find_all(&state, None) else { break };
        let useful = found.steps.into_iter().filter(|step| {
            step.eliminations.iter().any(|eliminated| explained.unexplained.eliminated.contains(eliminated))
                || step.placements.iter().any(|placed| explained.unexplained.placed.contains(placed))
        });
        // `min_by_key` returns the first of equal steps, which is the simplest.
        let Some(step) = useful.min_by_key(|step| other_effects(step, difference) > 0) else { break };
        apply(&step, solver.geometry(), &mut state);
        explained.consecutive_steps.push(step);
        explained.unexplained = remaining(&state, difference);
    }
    drop_dispensable_steps(solver, before, difference, explained);
}

/// Drops a step if no later step rests on the step, and if the remaining steps explain as much.
fn drop_dispensable_steps(solver: &Solver, before: &State, difference: &Difference, explained: &mut Explained) {
    let mut index = 0;
    while index < explained.consecutive_steps.len() {
        let mut fewer = explained.consecutive_steps.clone();
        let dropped = fewer.remove(index);
        let mut state = before.clone();
        fewer.iter().for_each(|step| apply(step, solver.geometry(), &mut state));
        let is_needed_later = fewer[index..].iter().any(|later| may_rest_on(later, &dropped));
        if !is_needed_later && remaining(&state, difference) == explained.unexplained {
            explained.consecutive_steps = fewer;
        } else {
            index += 1;
        }
    }
}

/// Returns true if a step may rest on an earlier step: the earlier step places a digit, or the later step cites a house
/// or a changed cell.
fn may_rest_on(later: &Step, earlier: &Step) -> bool {
    let changed: Vec<Cell> =
        earlier.eliminations.iter().chain(&earlier.placements).map(|candidate| candidate.cell).collect();
    !earlier.placements.is_empty()
        || !later.cites.houses.is_empty()
        || later.cites.cells.iter().any(|(cell, _)| changed.contains(cell))
}
