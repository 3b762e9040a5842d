//! `--verify`: every step of a path looked at again. In: a path and the solution. Out: how many steps were
//! checked, and the first that does not hold.
//!
//! The checker knows nothing of the engine: a step must follow from the cells, houses and links that it
//! cites, and agree with the solution.

use crate::grid::{Candidate, Cell, Digit, Geometry, State, notation};
use crate::proof::{Citation, StepCheck, check_step};
use crate::render::{Line, Role};
use crate::solve::{Path, Step, apply};

/// What came of it.
pub struct Verification {
    checked: usize,
    wrong: Option<String>,
}

/// Checks the steps of a path in order, up to the first that does not hold.
pub fn verify(geometry: &Geometry, path: &Path, solution: Option<&[Digit]>) -> Verification {
    let mut state = path.start.clone();
    for (number, step) in path.steps.iter().enumerate() {
        let objection = unfounded(geometry, &state, step).or_else(|| untrue(geometry, step, solution?));
        if let Some(objection) = objection {
            let wrong = format!("step {}, {}: {objection}", number + 1, step.name);
            return Verification { checked: number, wrong: Some(wrong) };
        }
        apply(step, geometry, &mut state);
    }
    Verification { checked: path.steps.len(), wrong: None }
}

/// Why the step does not follow from what it cites.
fn unfounded(geometry: &Geometry, state: &State, step: &Step) -> Option<String> {
    let strong = step.cites.strong_pairs();
    let cited = Citation { cells: &step.cites.cells, houses: &step.cites.houses, strong: &strong };
    let cell = |cell: Cell| notation::cell(geometry, cell);
    let node = |node: Candidate| format!("({}){}", node.digit, cell(node.cell));
    match check_step(geometry, state, cited, &step.eliminations, &step.placements) {
        StepCheck::Follows => None,
        StepCheck::WrongCell(at) => Some(format!("{} has other candidates than it says", cell(at))),
        StepCheck::WrongLink(a, b) => Some(format!("{} and {} are no strong link", node(a), node(b))),
        StepCheck::DoesNotFollow(candidate) => {
            let placed = step.placements.contains(&candidate);
            Some(format!("{} does not follow from what it cites", notation::deduction(geometry, candidate, placed)))
        }
        StepCheck::Undecided(candidate) => Some(format!("no answer for {} within the limit", node(candidate))),
    }
}

/// What the step says against the solution.
fn untrue(geometry: &Geometry, step: &Step, solution: &[Digit]) -> Option<String> {
    let truth = |candidate: &&Candidate| solution[candidate.cell.index()] == candidate.digit;
    let gone = step.eliminations.iter().find(truth).map(|&gone| (gone, false));
    let put = step.placements.iter().find(|put| !truth(put)).map(|&put| (put, true));
    let (candidate, placed) = gone.or(put)?;
    Some(format!("{} contradicts the solution", notation::deduction(geometry, candidate, placed)))
}

impl Verification {
    /// Whether every step holds.
    pub fn holds(&self) -> bool {
        self.wrong.is_none()
    }

    /// The outcome in a line.
    pub fn line(&self) -> Line {
        match &self.wrong {
            None => {
                let steps = crate::render::counted(self.checked, "step");
                Line::of(Role::Good, "Verified: ")
                    .and(Role::Plain, format!("{steps}, each follows from what it cites and agrees with the solution."))
            }
            Some(wrong) => Line::of(Role::Bad, "Not verified: ").and(Role::Plain, wrong.clone()),
        }
    }

    /// What is wrong, if anything.
    pub fn wrong(&self) -> Option<String> {
        self.wrong.clone()
    }

    /// How many steps held.
    pub fn checked(&self) -> usize {
        self.checked
    }
}
