//! Mutation tests of rules. In: a technique, the positions of its tests. Out: mutants of the technique, each with one
//! requirement dropped or weakened, and the check that detects the mutant: a test, a proof, or none.

use super::examples::{ExamplePosition, boards, example_position};
use super::lint::is_redundant;
use super::question::{Engines, deduction_text, is_selected, searches};
use super::snapshots::TestPosition;
use super::weaken::{Weakening, weaker_rules};
use super::why::{conditions_of, lines_of};
use crate::engine::{Engine, Limits};
use crate::grid::State;
use crate::lang::ir::{Condition, Expr, Statement, Technique};
use crate::proof::{Member, ProofLimits, Prover, Status};
use crate::solve::Rulebook;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Limits of one search, because a mutant may have very many matches.
const MAX_INSTRUCTIONS: u64 = 5_000_000;
const MAX_MATCHES: usize = 5_000;
const MAX_MEMBERS: usize = 2;

/// A technique with one requirement less.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub technique: String,
    /// The change, as a phrase about the rule text.
    pub words: String,
    pub line: Option<usize>,
    pub fate: Fate,
    changed: Technique,
    variant: usize,
    /// True if the mutant adds only degenerate patterns, with fewer candidates or places than the rule requires.
    adds_only_degenerate: bool,
}

/// The check that detects a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A test: the mutant has another result on its position. The string names the test.
    Test(String),
    /// The compiler: a name lost its only requirement.
    Unbuildable,
    /// The prover: the mutant is refuted, or it can never conclude anything.
    Proof,
    /// No check. The mutant is sound and concludes more than the rule.
    Sound,
    /// No check. The mutant is sound, and it concludes more only from degenerate patterns, which lack a candidate or
    /// place.
    DegenerateOnly,
    /// No check can detect the mutant: mutant and rule find equal matches.
    Equivalent,
    /// No check. The prover did not decide the soundness of the mutant within its limits.
    Undecided,
}

impl Fate {
    /// Returns true if a test or the compiler detects the mutant.
    pub fn is_tested(&self) -> bool {
        matches!(self, Fate::Test(_) | Fate::Unbuildable)
    }

    /// Returns true if the mutant is a gap in the tests: no check detects it, and the mutant is neither equivalent nor
    /// only degenerate.
    pub fn survives(&self) -> bool {
        matches!(self, Fate::Sound | Fate::Undecided)
    }
}

struct TestCase {
    name: String,
    args: Vec<u32>,
    position: ExamplePosition,
}

/// Changes every requirement in turn and runs the tests on each mutant. `positions` are those of the test files.
/// Mutants that no test detects stay [`Fate::Undecided`] until [`decide_by_proof`] asks the prover.
pub fn mutants(rulebook: &Rulebook, technique: &Technique, positions: &[TestPosition]) -> Vec<Mutant> {
    let test_cases = test_cases(rulebook, technique, positions);
    let mut mutants = Vec::new();
    for (variant, original) in technique.variants.iter().enumerate() {
        if original.join.is_some() {
            continue;
        }
        let lines = lines_of(rulebook, &technique.id, variant);
        for weaker in weaker_rules(technique, variant, &[]) {
            let Weakening::Requirement(statement) = weaker.weakening else { continue };
            let conditions = conditions_of(&original.body[statement], original);
            let index = weaker.condition_index;
            // Without a condition that the language or another condition implies, the rule is the same.
            if weaker.drops_condition
                && (is_implicit_condition(&original.body[statement], &conditions[index])
                    || is_redundant(&conditions, index))
            {
                continue;
            }
            let mut changed = technique.clone();
            // The suggestion is what an author would write. A dropped condition needs no suggestion: the variant lacks it
            // already. All other variants find only near misses.
            changed.variants[variant] = weaker.suggestion.unwrap_or(weaker.variant);
            mutants.push(Mutant {
                technique: technique.id.clone(),
                words: weaker.rule_phrase,
                line: lines.get(statement).cloned().flatten().map(|line| line.number),
                fate: fate_by_tests(rulebook, &changed, &test_cases),
                changed,
                variant,
                adds_only_degenerate: weaker.adds_only_degenerate,
            });
        }
    }
    mutants
}

/// Returns true if the language itself adds the condition: two names of sets stand for different sets.
fn is_implicit_condition(statement: &Statement, condition: &Condition) -> bool {
    matches!(statement, Statement::Choose(_))
        && matches!(condition, Condition::Not(inner)
            if matches!(inner.as_ref(), Condition::Equal(Expr::Var(_), Expr::Var(_))))
}

/// Asks the prover, with little effort, about mutants that no test detected.
pub fn decide_by_proof(rulebook: &Rulebook, mutants: &mut [Mutant]) {
    let Some(first) = mutants.first() else { return };
    let Some(board) = boards(&first.changed).first().copied() else { return };
    let Ok(geometry) = rulebook.board(board) else { return };
    let limits = ProofLimits { anywhere: 10_000, board: 10_000, shrink: 0, ..ProofLimits::default() };
    let prover = Prover::new(&geometry, rulebook.sources()).with_rules(rulebook.techniques()).with_limits(limits);
    for mutant in mutants.iter_mut().filter(|mutant| mutant.fate == Fate::Undecided) {
        let mut all_proved = true;
        for args in mutant.changed.members(geometry.size() as u32).iter().take(MAX_MEMBERS) {
            let status = prover.prove(&mutant.changed, args, mutant.variant).status;
            if matches!(status, Status::Refuted(_) | Status::Vacuous(_)) {
                mutant.fate = Fate::Proof;
            }
            all_proved &= status.is_proved();
        }
        if all_proved {
            mutant.fate = if mutant.adds_only_degenerate {
                Fate::DegenerateOnly
            } else if is_equivalent(rulebook, &prover, mutant) {
                Fate::Equivalent
            } else {
                Fate::Sound
            };
        }
    }
}

/// Returns true if the mutant finds what the rule finds, in every member on the prover's board. A mutant is weaker than
/// the rule, so only one direction has to be proved: the mutant finds nothing else.
fn is_equivalent(rulebook: &Rulebook, prover: &Prover<'_>, mutant: &Mutant) -> bool {
    let original = rulebook.techniques().iter().find(|technique| technique.id == mutant.technique);
    let Some(original) = original else { return false };
    let variant = mutant.variant;
    let members = prover.members(&mutant.changed);
    members.iter().filter(|(_, member_variant)| *member_variant == variant).all(|(args, _)| {
        let [changed, unchanged] = [&mutant.changed, original].map(|technique| Member { technique, args, variant });
        prover.only_narrows(changed, unchanged)
    })
}

fn test_cases(rulebook: &Rulebook, technique: &Technique, positions: &[TestPosition]) -> Vec<TestCase> {
    let mut out = Vec::new();
    for example in &technique.examples {
        let Ok(position) = example_position(rulebook, example) else { continue };
        let kind = if example.near_miss { "near miss" } else { "example" };
        let title = example.title.as_ref().map_or(String::new(), |title| format!(" \"{title}\""));
        out.push(TestCase { name: format!("{kind}{title}"), args: example.args.clone(), position });
    }
    let mut engines = Engines::new(rulebook, technique);
    for TestPosition { key, geometry, state, .. } in positions {
        let Ok(engine) = engines.for_board(geometry) else { continue };
        let (expected, _) = find_deductions(engine, state, &[], &Limits::default());
        let (geometry, state) = (Arc::clone(geometry), state.clone());
        let position = ExamplePosition { geometry, state, expected, allows_extra: false };
        out.push(TestCase { name: format!("position \"{key}\""), args: Vec::new(), position });
    }
    out
}

fn fate_by_tests(rulebook: &Rulebook, changed: &Technique, test_cases: &[TestCase]) -> Fate {
    let limits = Limits { instructions: MAX_INSTRUCTIONS, matches: MAX_MATCHES, ..Limits::default() };
    let mut engines = Engines::new(rulebook, changed);
    for TestCase { name, args, position } in test_cases {
        let Ok(engine) = engines.for_board(&position.geometry) else { return Fate::Unbuildable };
        let (texts, is_cut) = find_deductions(engine, &position.state, args, &limits);
        let has_extra = !position.allows_extra && !texts.is_subset(&position.expected);
        let lacks_expected = !is_cut && !position.expected.is_subset(&texts);
        if has_extra || lacks_expected {
            return Fate::Test(name.clone());
        }
    }
    Fate::Undecided
}

/// Returns the deductions of each match, as text; and true if a limit cut a search short. Searches the member with these
/// arguments, or all members if `args` is empty.
fn find_deductions(engine: &Engine, state: &State, args: &[u32], limits: &Limits) -> (BTreeSet<String>, bool) {
    let (mut texts, mut is_cut) = (BTreeSet::new(), false);
    for (_, found) in searches(engine, state, limits, |member| is_selected(args, member)) {
        is_cut |= !found.limits.is_empty();
        texts.extend(found.matches.iter().map(|rule_match| deduction_text(engine.geometry(), rule_match)));
    }
    (texts, is_cut)
}
