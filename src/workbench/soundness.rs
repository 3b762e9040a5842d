//! Soundness of rules and of their deductions.
//!
//! - [`prove_or_refute`] tries positions, then the prover, then random states. [`quick_verdict`] does a bounded amount of work; its result
//!   depends on the rule, the rules that it uses, and the board, never on a clock.
//! - [`first_wrong_step`] finds the first step of a path that contradicts the solution. [`contradictions`] writes a sentence about each wrong
//!   deduction in a position.

use super::near_miss::NearMisses;
use super::question::WhyNotQuery;
use super::refute;
use crate::grid::{Candidate, Digit, Geometry, State, notation};
use crate::lang::ir::{LinkSource, Technique};
use crate::proof::{Member, ProofLimits, Prover, Status, Uniqueness, Verdict, solutions, uniqueness};
use crate::render::WrongRecord;
use crate::solve::{AddedRuleSoundness, FalseDeductions, Outcome, Path, Rulebook, Soundness, false_deductions};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// Proves or refutes a member. `usable_rules` are the techniques and link sources that the member may use; `halt` cancels the attempt.
pub fn prove_or_refute(
    prover: &Prover<'_>,
    geometry: &Arc<Geometry>,
    member: Member<'_>,
    usable_rules: (&[Technique], &[LinkSource]),
    halt: &Rc<dyn Fn() -> bool>,
) -> Verdict {
    let Member { technique, args, variant } = member;
    let Some(found) = refute::by_positions(geometry, member, usable_rules, &**halt) else {
        let mut verdict = prover.prove(technique, args, variant);
        if matches!(verdict.status, Status::Undecided(_)) {
            let found = refute::by_search(geometry, member, usable_rules, &**halt);
            verdict.status = found.map_or(verdict.status, |example| Status::Refuted(Box::new(example)));
        }
        return verdict;
    };
    // The prover may find a smaller counterexample quickly.
    let mut verdict = bounded_prover(geometry, usable_rules, SMALLER_LIMITS, halt).prove(technique, args, variant);
    if !matches!(verdict.status, Status::Refuted(_)) {
        verdict.status = Status::Refuted(Box::new(found));
    }
    verdict
}

/// Limits for a counterexample that is smaller than the one from a position.
const SMALLER_LIMITS: ProofLimits = ProofLimits { anywhere: 1_000, board: 2_000, shrink: 200, literals: 600_000 };

const QUICK_LIMITS: ProofLimits = ProofLimits { anywhere: 5_000, board: 5_000, shrink: 0, literals: 2_000_000 };

/// Returns a verdict with a bounded amount of work. The verdict is the same in every run, unless `halt` ends it early.
pub fn quick_verdict(
    geometry: &Arc<Geometry>,
    member: Member<'_>,
    usable_rules: (&[Technique], &[LinkSource]),
    halt: &Rc<dyn Fn() -> bool>,
) -> Verdict {
    let mut verdict =
        bounded_prover(geometry, usable_rules, QUICK_LIMITS, halt).prove(member.technique, member.args, member.variant);
    if matches!(verdict.status, Status::Undecided(_) | Status::Conditional { sound: false, .. }) {
        let found = refute::by_positions(geometry, member, usable_rules, &**halt);
        verdict.status = found.map_or(verdict.status, |example| Status::Refuted(Box::new(example)));
    }
    verdict
}

/// Returns changes that make a refuted member sound, found with a bounded amount of work.
pub fn repairs(
    geometry: &Geometry,
    Member { technique, args, variant }: Member<'_>,
    usable_rules: (&[Technique], &[LinkSource]),
    halt: &Rc<dyn Fn() -> bool>,
) -> Vec<String> {
    bounded_prover(geometry, usable_rules, QUICK_LIMITS, halt).repairs(technique, args, variant)
}

fn bounded_prover<'a>(
    geometry: &'a Geometry,
    (rules, sources): (&'a [Technique], &'a [LinkSource]),
    limits: ProofLimits,
    halt: &Rc<dyn Fn() -> bool>,
) -> Prover<'a> {
    Prover::new(geometry, sources).with_rules(rules).with_limits(limits).with_cancellation(Rc::clone(halt))
}

/// Returns the soundness of all added rules of a rulebook on a board, each from a [`quick_verdict`].
pub fn soundness_of_added_rules(rulebook: &Rulebook, geometry: &Arc<Geometry>) -> AddedRuleSoundness {
    let mut soundness = AddedRuleSoundness::default();
    let usable_rules = (rulebook.techniques(), rulebook.sources());
    let added: Vec<&Technique> =
        rulebook.techniques().iter().filter(|technique| !rulebook.is_built_in(&technique.id)).collect();
    let never: Rc<dyn Fn() -> bool> = Rc::new(|| false);
    for technique in &added {
        for (args, variant) in technique.member_variants(geometry.size() as u32) {
            let verdict = quick_verdict(geometry, Member { technique, args: &args, variant }, usable_rules, &never);
            let sound = matches!(verdict.status, Status::Conditional { sound: true, .. });
            soundness.add(technique, (&args, variant), soundness_of(verdict.status.name(), Some(sound)));
        }
    }
    soundness.spread_refutations(&added, geometry.size() as u32);
    soundness
}

/// Returns the soundness for the word of a status ([`Status::name`]). `sound` matters only for the status `supposed`,
/// and is true if every rule that is used under the suppositions is proved. A vacuous rule never matches, so it
/// concludes nothing wrong.
pub fn soundness_of(status: &str, sound: Option<bool>) -> Soundness {
    match status {
        "refuted" => Soundness::Refuted,
        "proved" | "vacuous" => Soundness::Proved,
        "supposed" if sound == Some(true) => Soundness::Proved,
        _ => Soundness::Unproved,
    }
}

/// Writes the soundness of changed rules into their near misses. Asks the prover, with little effort, about at most `max_judged` changes.
pub fn judge_changes(query: &WhyNotQuery<'_>, near_misses: &mut NearMisses, max_judged: usize) {
    let limits = ProofLimits { anywhere: 20_000, board: 20_000, shrink: 0, ..ProofLimits::default() };
    let (geometry, sources) = (query.geometry.as_ref(), query.rulebook.sources());
    let prover = Prover::new(geometry, sources).with_rules(query.rulebook.techniques()).with_limits(limits);
    // Verdicts by change and line.
    let mut verdicts: BTreeMap<(String, Option<usize>), String> = BTreeMap::new();
    for miss in &mut near_misses.misses {
        let Some(changed_rule) = &miss.changed_rule else { continue };
        let change = (miss.rule_change.clone(), miss.line);
        if !verdicts.contains_key(&change) && (verdicts.len() >= max_judged || (query.is_cancelled)()) {
            continue;
        }
        let args: Vec<u32> = changed_rule.params.iter().map(|param| param.low).collect();
        let verdict = verdicts.entry(change).or_insert_with(|| match prover.prove(changed_rule, &args, 0).status {
            Status::Proved { every_board: true, .. } | Status::Conditional { every_board: true, sound: true } => {
                "that rule would be right, on every board".into()
            }
            status if status.is_proved() => format!("that rule would be right on {}", geometry.spec().name),
            Status::Refuted(_) => "that rule would be wrong: there are grids on which it fails".into(),
            _ => "whether that rule would be right was not settled in a short time".into(),
        });
        miss.verdict = Some(verdict.clone());
    }
}

/// On larger boards, the first wrong step is searched only if the puzzle has a unique solution, because solving every position is slow.
const LARGEST_SIZE: usize = 10;

/// Finds the first step of a path that contradicts the solution. A path is examined only if it is broken, or if some of its rules are not
/// proved.
pub fn first_wrong_step(geometry: &Geometry, path: &Path) -> Option<WrongRecord> {
    let is_suspect = path.steps.iter().any(|step| !step.soundness.is_proved());
    if !is_suspect && !matches!(path.outcome, Outcome::Broken(_)) {
        return None;
    }
    // Steps after a guess may be wrong although every rule is sound.
    let end = path.steps.iter().position(|step| step.trial.is_some()).unwrap_or(path.steps.len());
    match uniqueness(geometry, &path.start) {
        Uniqueness::None => None,
        Uniqueness::One(solution) => {
            for (index, step) in path.steps[..end].iter().enumerate() {
                if let Some(wrong) = wrong_literals((&step.eliminations, &step.placements), &solution).next() {
                    let contradiction = contradiction(geometry, wrong, &solution);
                    return Some(wrong_record(path, index, &format!("concludes {contradiction}")));
                }
            }
            None
        }
        Uniqueness::Many(..) if geometry.size() > LARGEST_SIZE => None,
        Uniqueness::Many(..) => {
            let states = path.positions(geometry);
            // Binary search: once a position has no solution, all later positions have none.
            let solvable = states[..=end].partition_point(|state| !solutions(geometry, state, 1).is_empty());
            if solvable == 0 || solvable > end {
                return None;
            }
            Some(wrong_record(path, solvable - 1, "leaves a position without a solution"))
        }
    }
}

/// Returns a sentence about each deduction that contradicts the unique solution of a position, each deduction once. Empty if the position
/// has no unique solution.
pub fn contradictions<'d>(
    geometry: &Geometry,
    state: &State,
    conclusions: impl Iterator<Item = Conclusions<'d>>,
) -> Vec<String> {
    let Uniqueness::One(solution) = uniqueness(geometry, state) else { return Vec::new() };
    let wrong: BTreeSet<(Candidate, bool)> =
        conclusions.flat_map(|conclusions| wrong_literals(conclusions, &solution)).collect();
    wrong.iter().map(|literal| contradiction(geometry, *literal, &solution)).collect()
}

type Conclusions<'d> = (&'d [Candidate], &'d [Candidate]);

/// Returns the wrong conclusions. `true` marks a placement.
fn wrong_literals(
    (eliminated, placed): Conclusions<'_>,
    solution: &[Digit],
) -> impl Iterator<Item = (Candidate, bool)> + use<> {
    let FalseDeductions { eliminations, placements } =
        false_deductions(eliminated, placed, solution).unwrap_or_default();
    let eliminations = eliminations.into_iter().map(|candidate| (candidate, false));
    eliminations.chain(placements.into_iter().map(|candidate| (candidate, true)))
}

/// `r1c2<>3, but in the solution r1c2 is 3`.
fn contradiction(geometry: &Geometry, (candidate, placed): (Candidate, bool), solution: &[Digit]) -> String {
    let concluded = notation::deduction(geometry, candidate, placed);
    let (cell, truth) = (notation::cell(geometry, candidate.cell), solution[candidate.cell.index()]);
    format!("{concluded}, but in the solution {cell} is {truth}")
}

/// Records a wrong step. `fault` continues the sentence that begins with the rule.
fn wrong_record(path: &Path, index: usize, fault: &str) -> WrongRecord {
    let step = &path.steps[index];
    let remark = match step.soundness {
        Soundness::Proved if step.assumes_one_solution => "It assumes that the puzzle has one solution.",
        Soundness::Proved => "It is proved, so this is a fault of the program: please report it.",
        Soundness::Unproved => "The rule is not proved on this board; `pinion prove` may show why it is wrong.",
        Soundness::Refuted => "The rule is refuted on this board; `pinion prove` shows why.",
    };
    let text = format!("step {} is wrong: `{}` {fault}. {remark}", index + 1, step.technique);
    WrongRecord { step: index + 1, technique: step.technique.clone(), text }
}
