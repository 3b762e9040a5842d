//! `--verify`: every step of a path looked at again. In: a path and the solution. Out: how many steps were
//! checked, and the first that does not hold.
//!
//! The checker knows nothing of the engine: a step must follow from the cells, houses and links that it
//! cites, and agree with the solution. A step of a technique that assumes one solution follows from no part of the grid,
//! so it only agrees with the solution; a guess follows from nothing, and what rests on one agrees with nothing.

use crate::grid::{Candidate, Cell, Digit, Geometry, State, notation};
use crate::proof::{StepCheck, check_cited};
use crate::render::{Line, Role, VerifiedRecord, counted};
use crate::solve::{Path, Replay, Step, Trial};

/// What came of it.
#[derive(Default)]
pub struct Verification {
    checked: usize,
    one_solution: usize,
    guesses: usize,
    wrong: Option<String>,
}

/// Checks the steps of a path in order, up to the first that does not hold.
pub fn verify(geometry: &Geometry, path: &Path, solution: Option<&[Digit]>) -> Verification {
    let mut replay = Replay::new(path.start.clone());
    let mut out = Verification::default();
    for (number, step) in path.steps.iter().enumerate() {
        let trying = step.guesses > 0 || step.trial == Some(Trial::Guess);
        let compared = solution.filter(|_| !trying);
        let objection = match step.trial {
            None => unfounded(geometry, replay.state(), step),
            Some(_) => None,
        };
        if let Some(objection) = objection.or_else(|| untrue(geometry, step, compared?)) {
            out.wrong = Some(format!("step {}, {}: {objection}", number + 1, step.name));
            return out;
        }
        out.checked += 1;
        out.one_solution += usize::from(step.assumes_one_solution && !trying);
        out.guesses += usize::from(trying || step.trial.is_some());
        replay.apply(geometry, step);
    }
    out
}

/// Why the step does not follow from what it cites.
fn unfounded(geometry: &Geometry, state: &State, step: &Step) -> Option<String> {
    let node = |node: Candidate| format!("({}){}", node.digit, notation::cell(geometry, node.cell));
    match check_cited(geometry, state, &step.cited()) {
        StepCheck::Follows | StepCheck::OneSolution => None,
        StepCheck::DoesNotFollow(candidate) => {
            let placed = step.placements.contains(&candidate);
            Some(format!("{} does not follow from what it cites", notation::deduction(geometry, candidate, placed)))
        }
        StepCheck::WrongCase(number, why) => {
            let supposed = step.cases.get(number).map(|case| case.supposed);
            let case = supposed.map_or_else(String::new, |(one, holds)| notation::deduction(geometry, one, holds));
            Some(format!("the case {case} does not reach its end: {}", objection(geometry, &why, &node)))
        }
        other => Some(objection(geometry, &other, &node)),
    }
}

fn objection(geometry: &Geometry, check: &StepCheck, node: &dyn Fn(Candidate) -> String) -> String {
    let cell = |cell: Cell| notation::cell(geometry, cell);
    match check {
        StepCheck::Follows => String::new(),
        StepCheck::OneSolution => "a step inside rests on one solution, which the step itself does not assume".into(),
        StepCheck::WrongCell(at) => format!("{} has other candidates than it says", cell(*at)),
        StepCheck::WrongLink(a, b) => format!("{} and {} are not a strong link", node(*a), node(*b)),
        StepCheck::DoesNotFollow(candidate) => format!("{} does not follow", node(*candidate)),
        StepCheck::Undecided(candidate) => format!("no answer for {} within the limit", node(*candidate)),
        StepCheck::WrongCase(_, why) => objection(geometry, why, node),
        StepCheck::NotLast(candidate) => format!("{} is not the last one left", node(*candidate)),
        StepCheck::NotTheEnd => "its inferences end in something else".into(),
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
        if let Some(wrong) = &self.wrong {
            return Line::of(Role::Bad, "Not verified: ").and(Role::Plain, wrong.clone());
        }
        let rest = match (self.one_solution, self.guesses) {
            (0, 0) => String::new(),
            (one, 0) => format!(" But {}.", resting(one)),
            (0, guesses) => format!(" But {}.", trying(guesses)),
            (one, guesses) => format!(" But {}; {}.", resting(one), trying(guesses)),
        };
        let steps = counted(self.checked, "step");
        let words = format!("{steps}, each follows from what it cites and agrees with the solution.{rest}");
        Line::of(Role::Good, "Verified: ").and(Role::Plain, words)
    }

    /// The outcome for machines.
    pub fn record(&self) -> VerifiedRecord {
        let Verification { checked, one_solution, guesses, wrong } = self;
        VerifiedRecord { steps: *checked, one_solution: *one_solution, guesses: *guesses, wrong: wrong.clone() }
    }
}

/// Steps of techniques that assume one solution.
fn resting(steps: usize) -> String {
    let rest = if steps == 1 { "rests" } else { "rest" };
    format!(
        "{} {rest} on there being one solution, and only agree{} with it",
        counted(steps, "step"),
        if steps == 1 { "s" } else { "" }
    )
}

/// Guesses and what rests on them.
fn trying(steps: usize) -> String {
    let are = if steps == 1 { "is a guess" } else { "are guesses or rest on one" };
    format!("{} {are}, and not compared with the solution", counted(steps, "step"))
}
