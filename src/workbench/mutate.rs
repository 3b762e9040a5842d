//! Is every requirement of a rule tested? In: a technique, the positions of its tests. Out: the technique with each
//! requirement dropped or weakened in turn, and what notices: a test, a proof, or nothing.

use super::examples::{ExamplePosition, boards, example_position};
use super::lint::superfluous;
use super::question::{Engines, is_of, searches, shows};
use super::snapshots::TestPosition;
use super::weaken::{WeakerRule, weaker};
use super::why::{lines_of, parts};
use crate::engine::{Engine, Limits};
use crate::grid::State;
use crate::lang::ir::{Condition, Expr, Statement, Technique};
use crate::proof::{Member, ProofLimits, Prover, Status};
use crate::solve::Rulebook;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Machine instructions and matches of one search: a rule that lacks something may find very much.
const LIMITS: (u64, usize) = (5_000_000, 5_000);
/// At most this many members of a family are proved.
const MEMBERS: usize = 2;

/// A technique with one requirement less.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Id of the technique.
    pub technique: String,
    /// The change, in the words of the language.
    pub words: String,
    /// The line of the requirement in its file.
    pub line: Option<usize>,
    /// Check that detects the change.
    pub fate: Fate,
    changed: Technique,
    case: usize,
    fewer: bool,
}

/// The check that detects a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A test: another result on its position, described in words.
    Test(String),
    /// The changed rule cannot be compiled: a name lost its only requirement.
    Unbuildable,
    /// A proof does: the changed rule is refuted, or can never say anything.
    Proof,
    /// None, and the mutant is sound too: it concludes more than the rule.
    Sound,
    /// None, and the mutant is sound too, but concludes more only in positions with a candidate or place already missing.
    DegenerateOnly,
    /// None, and none can: the mutant and the rule find equal matches.
    Equivalent,
    /// None, and the soundness of the mutant was not decided with little effort.
    Undecided,
}

impl Fate {
    /// Returns true if a test or the compiler detects the mutant.
    pub fn is_tested(&self) -> bool {
        matches!(self, Fate::Test(_) | Fate::Unbuildable)
    }

    /// Returns true if no check detects the mutant.
    pub fn survives(&self) -> bool {
        matches!(self, Fate::Sound | Fate::Undecided)
    }
}

/// A position with what the rule as it is finds there.
struct TestCase {
    name: String,
    args: Vec<u32>,
    position: ExamplePosition,
}

/// Changes every requirement in turn and runs the tests on each mutant; `positions` are those of the test files. Mutants
/// that no test detects stay [`Fate::Undecided`] until [`decide_by_proof`] asks the prover.
pub fn mutants(rulebook: &Rulebook, technique: &Technique, positions: &[TestPosition]) -> Vec<Mutant> {
    let trials = trials(rulebook, technique, positions);
    let mut out = Vec::new();
    for case in 0..technique.variants.len() {
        if technique.variants[case].join.is_some() {
            continue;
        }
        let lines = lines_of(rulebook, &technique.id, case);
        for one in weaker(technique, case, &[]) {
            let WeakerRule { statement: Some(statement), words, near, change, together: false, part, fewer, .. } = one
            else {
                continue;
            };
            let body = &technique.variants[case].body[statement];
            // Without what others say anyway the rule is the same.
            let conditions = parts(body, &technique.variants[case]);
            let unwritten = conditions.get(part).is_some_and(|condition| is_unwritten(body, condition));
            if words.starts_with("without") && (unwritten || superfluous(&conditions, part)) {
                continue;
            }
            let mut changed = technique.clone();
            changed.variants[case] = change.unwrap_or(near);
            let line = lines.get(statement).cloned().flatten().map(|line| line.number);
            let fate = tried(rulebook, &changed, &trials);
            out.push(Mutant { technique: technique.id.clone(), words, line, fate, changed, case, fewer });
        }
    }
    out
}

/// Returns true if the author did not write the condition: different names of sets stand for different sets.
fn is_unwritten(statement: &Statement, condition: &Condition) -> bool {
    matches!(statement, Statement::Choose(_))
        && matches!(condition, Condition::Not(inner)
            if matches!(inner.as_ref(), Condition::Equal(Expr::Var(_), Expr::Var(_))))
}

/// Asks the prover, with little effort, about changed rules that no test noticed.
pub fn decide_by_proof(rulebook: &Rulebook, mutants: &mut [Mutant]) {
    let board = mutants.first().and_then(|one| boards(&one.changed).first().map(|board| rulebook.board(board)));
    let Some(Ok(geometry)) = board else { return };
    let limits = ProofLimits { anywhere: 10_000, board: 10_000, shrink: 0, ..ProofLimits::default() };
    let prover = Prover::new(&geometry, rulebook.sources()).with_rules(rulebook.techniques()).with_limits(limits);
    for one in mutants.iter_mut().filter(|one| one.fate == Fate::Undecided) {
        let mut all_hold = true;
        for args in one.changed.members(geometry.size() as u32).iter().take(MEMBERS) {
            let status = prover.prove(&one.changed, args, one.case).status;
            if matches!(status, Status::Refuted(_) | Status::Vacuous(_)) {
                one.fate = Fate::Proof;
            }
            all_hold &= status.is_proved();
        }
        if all_hold {
            one.fate = match () {
                () if one.fewer => Fate::DegenerateOnly,
                () if is_same(rulebook, &prover, one) => Fate::Equivalent,
                () => Fate::Sound,
            };
        }
    }
}

/// Returns true if the mutant finds no more than the rule, in every member that fits the board.
fn is_same(rulebook: &Rulebook, prover: &Prover<'_>, one: &Mutant) -> bool {
    let Some(before) = rulebook.techniques().iter().find(|other| other.id == one.technique) else { return false };
    let members = prover.members(&one.changed);
    members.iter().filter(|(_, case)| *case == one.case).all(|(args, _)| {
        let [changed, before] = [&one.changed, before].map(|technique| Member { technique, args, variant: one.case });
        prover.only_narrows(changed, before)
    })
}

/// Every position of the tests of a technique.
fn trials(rulebook: &Rulebook, technique: &Technique, positions: &[TestPosition]) -> Vec<TestCase> {
    let mut out = Vec::new();
    for example in &technique.examples {
        let Ok(position) = example_position(rulebook, example) else { continue };
        let kind = if example.near_miss { "near miss" } else { "example" };
        let title = example.title.as_ref().map_or(String::new(), |title| format!(" \"{title}\""));
        out.push(TestCase { name: format!("{kind}{title}"), args: example.args.clone(), position });
    }
    let mut engines = Engines::new(rulebook, technique);
    for TestPosition { key, geometry, state, .. } in positions {
        let Ok(engine) = engines.on(geometry) else { continue };
        let (wanted, _) = found(engine, state, &[], &Limits::default());
        let (geometry, state) = (Arc::clone(geometry), state.clone());
        let position = ExamplePosition { geometry, state, wanted, open: false };
        out.push(TestCase { name: format!("position \"{key}\""), args: Vec::new(), position });
    }
    out
}

/// Runs the tests on a mutant.
fn tried(rulebook: &Rulebook, changed: &Technique, trials: &[TestCase]) -> Fate {
    let limits = Limits { instructions: LIMITS.0, matches: LIMITS.1, ..Limits::default() };
    let mut engines = Engines::new(rulebook, changed);
    for TestCase { name, args, position } in trials {
        let Ok(engine) = engines.on(&position.geometry) else { return Fate::Unbuildable };
        let (found, cut) = found(engine, &position.state, args, &limits);
        let more = !position.open && !found.is_subset(&position.wanted);
        let less = !cut && !position.wanted.is_subset(&found);
        if more || less {
            return Fate::Test(name.clone());
        }
    }
    Fate::Undecided
}

/// Deductions of every match of one member, or of all; and whether a limit cut the search short.
fn found(engine: &Engine, state: &State, args: &[u32], limits: &Limits) -> (BTreeSet<String>, bool) {
    let (mut all, mut cut) = (BTreeSet::new(), false);
    for (_, found) in searches(engine, state, limits, |member| is_of(args, member)) {
        cut |= !found.limits.is_empty();
        all.extend(found.matches.iter().map(|one| shows(engine.geometry(), one)));
    }
    (all, cut)
}
