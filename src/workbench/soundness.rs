//! Soundness of rules and of their deductions.
//!
//! - In: a member, a prover, a board. Out: one [`Verdict`] from all that can decide a rule. Positions come before the prover, states made by
//!   chance after it. A verdict with a bounded amount of work depends on the rule, what it uses and the board alone: neither clocks nor
//!   earlier proofs have a part in it.
//! - In: a path, or a position with the conclusions of a rule. Out: the first step of the path that contradicts the solution, or a sentence
//!   about each wrong deduction.

use super::near_miss::NearMisses;
use super::question::WhyNotQuery;
use super::refute;
use crate::grid::{Candidate, Digit, Geometry, State, notation};
use crate::lang::ir::{LinkSource, Technique};
use crate::proof::{Member, ProofLimits, Prover, Status, Uniqueness, Verdict, solutions, uniqueness};
use crate::render::WrongRecord;
use crate::solve::{AddedSoundness, FalseDeductions, Outcome, Path, Rulebook, Soundness, false_deductions};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// Proves or refutes a member. `known` are the techniques and link sources it may use; `halt` cancels the attempt.
pub fn prove_or_refute(
    prover: &Prover<'_>,
    geometry: &Arc<Geometry>,
    member: Member<'_>,
    known: (&[Technique], &[LinkSource]),
    halt: &Rc<dyn Fn() -> bool>,
) -> Verdict {
    let Member { technique, args, variant } = member;
    let Some(found) = refute::by_positions(geometry, member, known, &**halt) else {
        let mut verdict = prover.prove(technique, args, variant);
        if matches!(verdict.status, Status::Undecided(_)) {
            let found = refute::by_search(geometry, member, known, &**halt);
            verdict.status = found.map_or(verdict.status, |example| Status::Refuted(Box::new(example)));
        }
        return verdict;
    };
    // The prover may know a smaller grid, if it finds it soon.
    let mut verdict = bounded(geometry, known, SMALLER, halt).prove(technique, args, variant);
    if !matches!(verdict.status, Status::Refuted(_)) {
        verdict.status = Status::Refuted(Box::new(found));
    }
    verdict
}

/// Work for a smaller counterexample than the one that a position gave.
const SMALLER: ProofLimits = ProofLimits { anywhere: 1_000, board: 2_000, shrink: 200, literals: 600_000 };

/// Work for a verdict that nobody waits for long.
const QUICK: ProofLimits = ProofLimits { anywhere: 5_000, board: 5_000, shrink: 0, literals: 2_000_000 };

/// A verdict with a bounded amount of work, the same in every run. `halt` is for an end of the program only.
pub fn quick_verdict(
    geometry: &Arc<Geometry>,
    member: Member<'_>,
    known: (&[Technique], &[LinkSource]),
    halt: &Rc<dyn Fn() -> bool>,
) -> Verdict {
    let mut verdict = bounded(geometry, known, QUICK, halt).prove(member.technique, member.args, member.variant);
    if matches!(verdict.status, Status::Undecided(_) | Status::Supposed { sound: false, .. }) {
        let found = refute::by_positions(geometry, member, known, &**halt);
        verdict.status = found.map_or(verdict.status, |example| Status::Refuted(Box::new(example)));
    }
    verdict
}

/// Changes that make a refuted member sound, as far as a bounded amount of work finds them.
pub fn repairs(
    geometry: &Geometry,
    Member { technique, args, variant }: Member<'_>,
    known: (&[Technique], &[LinkSource]),
    halt: &Rc<dyn Fn() -> bool>,
) -> Vec<String> {
    bounded(geometry, known, QUICK, halt).repairs(technique, args, variant)
}

fn bounded<'a>(
    geometry: &'a Geometry,
    (rules, sources): (&'a [Technique], &'a [LinkSource]),
    limits: ProofLimits,
    halt: &Rc<dyn Fn() -> bool>,
) -> Prover<'a> {
    Prover::new(geometry, sources).with_rules(rules).with_limits(limits).with_cancellation(Rc::clone(halt))
}

/// The soundness of all added rules of a rulebook on a board, each from a [`quick_verdict`].
pub fn added_soundness(rulebook: &Rulebook, geometry: &Arc<Geometry>) -> AddedSoundness {
    let mut out = AddedSoundness::default();
    let known = (rulebook.techniques(), rulebook.sources());
    let added: Vec<&Technique> = known.0.iter().filter(|one| !rulebook.is_built_in(&one.id)).collect();
    let never: Rc<dyn Fn() -> bool> = Rc::new(|| false);
    for technique in &added {
        for (args, variant) in technique.member_variants(geometry.size() as u32) {
            let verdict = quick_verdict(geometry, Member { technique, args: &args, variant }, known, &never);
            let sound = matches!(verdict.status, Status::Supposed { sound: true, .. });
            out.add(technique, (&args, variant), soundness_of(verdict.status.word(), Some(sound)));
        }
    }
    out.spread_refutations(&added, geometry.size() as u32);
    out
}

/// The soundness that a verdict means, by the word of its status; `sound` is for rules with assumptions: true if all that they use under
/// them is proved. A rule that never matches concludes nothing wrong.
pub fn soundness_of(status: &str, sound: Option<bool>) -> Soundness {
    match status {
        "refuted" => Soundness::Refuted,
        "proved" | "vacuous" => Soundness::Proved,
        "supposed" if sound == Some(true) => Soundness::Proved,
        _ => Soundness::Unproved,
    }
}

/// Asks the prover, with little time, whether the changed rules would be sound: of each change once, for the first few.
pub fn judge_changes(asked: &WhyNotQuery<'_>, found: &mut NearMisses, most: usize) {
    let limits = ProofLimits { anywhere: 20_000, board: 20_000, shrink: 0, ..ProofLimits::default() };
    let (geometry, sources) = (asked.geometry.as_ref(), asked.rulebook.sources());
    let prover = Prover::new(geometry, sources).with_rules(asked.rulebook.techniques()).with_limits(limits);
    let mut known: BTreeMap<(String, Option<usize>), String> = BTreeMap::new();
    for miss in &mut found.misses {
        let Some(changed) = &miss.changed else { continue };
        let change = (miss.change.clone(), miss.line);
        if !known.contains_key(&change) && (known.len() >= most || (asked.enough)()) {
            continue;
        }
        let args: Vec<u32> = changed.params.iter().map(|param| param.low).collect();
        let verdict = known.entry(change).or_insert_with(|| match prover.prove(changed, &args, 0).status {
            Status::Proved { every_board: true, .. } | Status::Supposed { every_board: true, sound: true } => {
                "that rule would be right, on every board".into()
            }
            status if status.is_proved() => format!("that rule would be right on {}", geometry.spec().name),
            Status::Refuted(_) => "that rule would be wrong: there are grids on which it fails".into(),
            _ => "whether that rule would be right was not settled in a short time".into(),
        });
        miss.verdict = Some(verdict.clone());
    }
}

/// Boards above this size are searched for the first wrong step only if the puzzle has one solution.
const LARGEST: usize = 10;

/// The first step of a path that contradicts the solution. A path without rules that are not proved is not examined unless it is broken.
pub fn first_wrong_step(geometry: &Geometry, path: &Path) -> Option<WrongRecord> {
    let suspect = path.steps.iter().any(|step| !step.soundness.is_proved());
    if !suspect && !matches!(path.outcome, Outcome::Broken(_)) {
        return None;
    }
    // Steps after a guess may be wrong although every rule is right.
    let last = path.steps.iter().position(|step| step.trial.is_some()).unwrap_or(path.steps.len());
    match uniqueness(geometry, &path.start) {
        Uniqueness::None => None,
        Uniqueness::One(solution) => {
            let wrong = path.steps[..last]
                .iter()
                .enumerate()
                .find_map(|(at, step)| Some((at, wrong_of((&step.eliminations, &step.placements), &solution).next()?)));
            let (at, wrong) = wrong?;
            Some(record(path, at, &format!("concludes {}", contrast(geometry, wrong, &solution))))
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
    let FalseDeductions { eliminations, placements } =
        false_deductions(eliminated, placed, solution).unwrap_or_default();
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
