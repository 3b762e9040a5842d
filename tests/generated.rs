//! Random rules of the whole language, and the laws that every rule keeps: `laws.rs` states them.
//!
//! Environment variables: `PINION_SEED` is the first seed. `PINION_RULES` and `PINION_SECONDS` limit the ignored tests.
//! `PINION_SHRINK_SECONDS` limits the search for the simplest rule that breaks a law, and `PINION_SHOWN` is the number of
//! such rules in the report.

#[path = "generated/boards.rs"]
mod boards;
#[path = "generated/choices.rs"]
mod choices;
#[path = "generated/declarations.rs"]
mod declarations;
#[path = "generated/laws.rs"]
mod laws;
#[path = "generated/maker.rs"]
mod maker;
#[path = "generated/regressions.rs"]
mod regressions;
#[path = "generated/rule.rs"]
mod rule;
#[path = "generated/writer.rs"]
mod writer;

use crate::common::states::in_parallel;
use crate::common::{env_number, is_full_run, quick_or_full};
use boards::{Board, four_by_four};
use choices::{Choices, shrink};
use laws::{Tally, check_on_every_solution, check_on_states, check_proofs, compile_accepted, has_negative_size};
use maker::{any_rule, guarded_rule};
use pinion::grid::Geometry;
use rule::{Rule, Wording};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A random rule, and the violation of a law if it breaks one. `None` if the compiler refuses the rule.
type Outcome = Option<(Rule, Result<(), String>)>;

/// Makes a rule and checks every law on it.
fn check_random_rule(choices: &mut Choices, tally: &mut Tally) -> Outcome {
    let rule = if choices.chance(1, 3) { guarded_rule(choices) } else { any_rule(choices) };
    let technique =
        compile_accepted(&rule.text(Wording::Unchanged)).filter(|technique| !has_negative_size(technique))?;
    tally.rules += 1;
    let result = catch_unwind(AssertUnwindSafe(|| {
        check_on_states(&rule, &technique, choices, tally)?;
        check_proofs(&technique, choices, tally)
    }));
    let outcome = result.unwrap_or_else(|_| Err("panics".into()));
    Some((rule, outcome))
}

/// The seed of a rule, and the law that the rule breaks.
struct Violation {
    seed: u64,
    /// Begins with the name of the law, such as `(a)`.
    message: String,
}

/// Returns the simplest rule that breaks the same law, with its violation.
fn simplest_violation(violation: &Violation) -> String {
    let seed = violation.seed;
    // The first three characters of a message name the law, such as `(a)`.
    let law: String = violation.message.chars().take(3).collect();
    let mut choices = Choices::from_seed(seed);
    check_random_rule(&mut choices, &mut Tally::default());
    // Some rules take seconds to check. When the time is over, the simplest rule so far is the result.
    let end = Instant::now() + Duration::from_secs(env_number("PINION_SHRINK_SECONDS").unwrap_or(60));
    let mut breaks_law = |made: &[u32]| {
        if Instant::now() > end {
            return false;
        }
        let outcome = check_random_rule(&mut Choices::replay(made), &mut Tally::default());
        matches!(outcome, Some((_, Err(message))) if message.starts_with(&law))
    };
    let made = shrink(choices.made(), &mut breaks_law);
    match check_random_rule(&mut Choices::replay(&made), &mut Tally::default()) {
        Some((rule, Err(message))) => format!("seed {seed}\n{}{message}\n", rule.text(Wording::Unchanged)),
        _ => format!("seed {seed}: {}\n", violation.message),
    }
}

/// Number of seeds that are checked before the next look at the clock.
const SEEDS_PER_ROUND: u64 = 64;

/// Checks the laws on random rules, until `rules` of them were accepted or the time is over.
fn check_laws(first_seed: u64, rules: usize, seconds: u64) -> (Tally, Vec<Violation>) {
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut total, mut violations, mut seed) = (Tally::default(), Vec::new(), first_seed);
    while total.rules < rules && Instant::now() < end {
        let seeds: Vec<u64> = (seed..seed + SEEDS_PER_ROUND).collect();
        seed += SEEDS_PER_ROUND;
        let results = in_parallel(&seeds, |&seed| {
            let mut tally = Tally::default();
            let outcome = check_random_rule(&mut Choices::from_seed(seed), &mut tally);
            (seed, tally, outcome)
        });
        for (seed, tally, outcome) in results {
            total.add(&tally);
            if let Some((_, Err(message))) = outcome {
                violations.push(Violation { seed, message });
            }
        }
    }
    println!("seeds {first_seed} to {seed}: {total:?}");
    for Violation { seed, message } in &violations {
        println!("seed {seed}: {}", message.lines().next().unwrap_or_default());
    }
    (total, violations)
}

/// Fails if there are violations, and shows the simplest rules for the first of them.
fn assert_none(violations: &[Violation]) {
    if !violations.is_empty() {
        let shown = env_number("PINION_SHOWN").unwrap_or(3);
        let simplest: Vec<String> = violations.iter().take(shown).map(simplest_violation).collect();
        panic!("{} rules break a law\n{}", violations.len(), simplest.join("\n"));
    }
}

#[test]
fn generated_rules_keep_the_laws() {
    let (tally, violations) = check_laws(env_number("PINION_SEED").unwrap_or(1), quick_or_full(12, 200), 600);
    assert_none(&violations);
    // The laws had enough to check.
    assert!(tally.rules >= quick_or_full(12, 200), "{tally:?}");
    assert!(tally.found > quick_or_full(2, 50) && tally.readings > quick_or_full(2, 50), "{tally:?}");
    assert!(tally.rewordings > quick_or_full(5, 100), "{tally:?}");
    if is_full_run() {
        assert!(tally.proved > 5 && tally.proved_on_every_board > 2, "{tally:?}");
        assert!(tally.proved_matches > 20 && tally.refuted > 20, "{tally:?}");
    }
}

/// On an irregular board a group may have more than half of the cells of a house. The printed form of such a match is read
/// back.
#[test]
fn large_groups_on_an_irregular_board_keep_the_laws() {
    let (tally, violations) = check_laws(270_002_472, 1, 600);
    assert_none(&violations);
    assert!(tally.readings > 0, "{tally:?}");
}

#[test]
fn a_counterexample_without_a_digit_is_read_back() {
    let (tally, violations) = check_laws(210_011_558, 1, 600);
    assert_none(&violations);
    assert!(tally.refuted > 0, "{tally:?}");
}

/// Proves random rules and checks the proved ones on all 288 solved 4×4 grids, and on some solved 6×6 and 9×9 grids.
fn check_proved_rules(first_seed: u64, rules: usize, seconds: u64) -> Tally {
    let end = Instant::now() + Duration::from_secs(seconds);
    let four = four_by_four();
    assert_eq!(four.solutions.len(), 288);
    let others = [6, 9].map(|size| Board::new(Geometry::standard(size).expect("a standard board")));
    let check_seed = |&seed: &u64| {
        let (mut choices, mut tally) = (Choices::from_seed(seed), Tally::default());
        let rule = guarded_rule(&mut choices);
        if let Some(technique) = compile_accepted(&rule.text(Wording::Unchanged))
            && !has_negative_size(&technique)
        {
            tally.rules = 1;
            let outcome = check_on_every_solution(&technique, &four, &others, &mut choices, &mut tally);
            assert!(outcome.is_ok(), "seed {seed}\n{}{outcome:?}", rule.text(Wording::Unchanged));
        }
        tally
    };
    let (mut total, mut seed) = (Tally::default(), first_seed);
    while total.rules < rules && Instant::now() < end {
        let seeds: Vec<u64> = (seed..seed + SEEDS_PER_ROUND).collect();
        in_parallel(&seeds, check_seed).iter().for_each(|tally| total.add(tally));
        seed += SEEDS_PER_ROUND;
    }
    println!("seeds {first_seed} to {seed}: {total:?}");
    total
}

#[test]
fn proved_rules_hold_on_every_4x4_grid() {
    let tally = check_proved_rules(env_number("PINION_SEED").unwrap_or(1), quick_or_full(6, 100), 600);
    assert!(tally.rules >= quick_or_full(6, 100) && tally.proved > quick_or_full(0, 10), "{tally:?}");
    assert!(tally.proved_matches > quick_or_full(20, 500) && tally.readings > quick_or_full(1, 20), "{tally:?}");
}

#[test]
#[ignore = "twenty minutes"]
fn many_proved_rules_hold_on_every_4x4_grid() {
    let rules = env_number("PINION_RULES").unwrap_or(20_000);
    let tally = check_proved_rules(
        env_number("PINION_SEED").unwrap_or(2_000_000),
        rules,
        env_number("PINION_SECONDS").unwrap_or(1_200),
    );
    assert!(tally.proved > 0 && tally.proved_matches > 0, "{tally:?}");
}

#[test]
#[ignore = "twenty minutes"]
fn many_generated_rules_keep_the_laws() {
    let rules = env_number("PINION_RULES").unwrap_or(20_000);
    let (tally, violations) = check_laws(
        env_number("PINION_SEED").unwrap_or(1_000_000),
        rules,
        env_number("PINION_SECONDS").unwrap_or(1_200),
    );
    assert_none(&violations);
    assert!(tally.rules > 0 && tally.found > 0 && tally.proved > 0 && tally.refuted > 0, "{tally:?}");
}
