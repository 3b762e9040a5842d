//! Deductions that contradict the solution. In: a path, or a position with what a rule concludes there. Out: the first wrong step of the
//! path, or a sentence about each wrong deduction.

use crate::grid::{Candidate, Digit, Geometry, State, notation};
use crate::proof::{Uniqueness, solutions, uniqueness};
use crate::render::WrongRecord;
use crate::solve::{Outcome, Path, Soundness, Untrue, untrue};
use std::collections::BTreeSet;

/// Boards above this size are searched for the first wrong step only if the puzzle has one solution.
const LARGEST: usize = 10;

/// The first step of a path that contradicts the solution. A path without rules that are not proved is not examined unless it is broken.
pub fn first_wrong(geometry: &Geometry, path: &Path) -> Option<WrongRecord> {
    let suspect = path.steps.iter().any(|step| !step.soundness.is_proved());
    if !suspect && !matches!(path.outcome, Outcome::Broken(_)) {
        return None;
    }
    // Steps after a guess may be wrong although every rule is right.
    let last = path.steps.iter().position(|step| step.trial.is_some()).unwrap_or(path.steps.len());
    match uniqueness(geometry, &path.start) {
        Uniqueness::None => None,
        Uniqueness::One(solution) => {
            let wrong = |at: usize| {
                let step = &path.steps[at];
                Some((at, wrong_of((&step.eliminations, &step.placements), &solution).next()?))
            };
            let (at, (candidate, placed)) = (0..last).find_map(wrong)?;
            Some(record(path, at, &format!("concludes {}", contrast(geometry, (candidate, placed), &solution))))
        }
        Uniqueness::Many(..) if geometry.size() > LARGEST => None,
        Uniqueness::Many(..) => {
            let states = path.positions(geometry);
            let solvable = states[..=last].partition_point(|state| !solutions(geometry, state, 1).is_empty());
            let at = (1..=last).contains(&solvable).then(|| solvable - 1)?;
            Some(record(path, at, "leaves a position without a solution"))
        }
    }
}

/// Sentences about the deductions that contradict the one solution of a position, each deduction once. There are none if the position
/// has several solutions or none. Each item of `shown` has eliminations, then placements.
pub fn contradictions<'d>(
    geometry: &Geometry,
    state: &State,
    shown: impl Iterator<Item = Conclusions<'d>>,
) -> Vec<String> {
    let Uniqueness::One(solution) = uniqueness(geometry, state) else { return Vec::new() };
    let wrong: BTreeSet<(Candidate, bool)> = shown.flat_map(|one| wrong_of(one, &solution)).collect();
    wrong.iter().map(|one| contrast(geometry, *one, &solution)).collect()
}

/// Candidates that are eliminated, and candidates that are placed.
type Conclusions<'d> = (&'d [Candidate], &'d [Candidate]);

/// Wrong conclusions, each with `true` if it is a placement.
fn wrong_of(
    (eliminated, placed): Conclusions<'_>,
    solution: &[Digit],
) -> impl Iterator<Item = (Candidate, bool)> + use<> {
    let Untrue { eliminations, placements } = untrue(eliminated, placed, solution).unwrap_or_default();
    let eliminated = eliminations.into_iter().map(|one| (one, false));
    eliminated.chain(placements.into_iter().map(|one| (one, true)))
}

/// `r1c2<>3, but in the solution r1c2 is 3`.
fn contrast(geometry: &Geometry, (candidate, placed): (Candidate, bool), solution: &[Digit]) -> String {
    let concluded = notation::deduction(geometry, candidate, placed);
    let (place, truth) = (notation::cell(geometry, candidate.cell), solution[candidate.cell.index()]);
    format!("{concluded}, but in the solution {place} is {truth}")
}

fn record(path: &Path, at: usize, does: &str) -> WrongRecord {
    let step = &path.steps[at];
    let standing = match step.soundness {
        Soundness::Proved if step.assumes_one_solution => "It assumes that the puzzle has one solution.",
        Soundness::Proved => "It is proved, so this is a fault of the program: please report it.",
        Soundness::Unproved => "The rule is not proved on this board; `pinion prove` may show why it is wrong.",
        Soundness::Refuted => "The rule is refuted on this board; `pinion prove` shows why.",
    };
    let text = format!("step {} is wrong: `{}` {does}. {standing}", at + 1, step.technique);
    WrongRecord { step: at + 1, technique: step.technique.clone(), text }
}
