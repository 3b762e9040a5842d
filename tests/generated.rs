//! Rules made at random over the whole language, and the laws that every rule must keep.
//!
//! `PINION_SEED` says where to begin, `PINION_RULES` how many rules the long test makes, `PINION_SECONDS` how long at most;
//! `PINION_SHRINK_SECONDS` how long a rule that breaks a law is made simpler.

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
use crate::common::{is_full_run, share};
use boards::{Board, four_by_four};
use choices::{Choices, shrink};
use laws::{Tally, check_on_every_solution, check_on_states, check_proofs, compile_accepted, has_negative_size};
use maker::{any_rule, guarded_rule};
use pinion::grid::Geometry;
use rule::{Rule, Wording};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Result of the laws on one rule; `None` if the checks refuse it.
type Outcome = Option<(Rule, Result<(), String>)>;

/// Makes a rule and asks every law of it.
fn trial(choices: &mut Choices, tally: &mut Tally) -> Outcome {
    let rule = if choices.chance(1, 3) { guarded_rule(choices) } else { any_rule(choices) };
    let technique =
        compile_accepted(&rule.text(Wording::Unchanged)).filter(|technique| !has_negative_size(technique))?;
    tally.rules += 1;
    let asked = catch_unwind(AssertUnwindSafe(|| {
        check_on_states(&rule, &technique, choices, tally)?;
        check_proofs(&technique, choices, tally)
    }));
    let outcome = asked.unwrap_or_else(|_| Err("panics".into()));
    Some((rule, outcome))
}

/// The simplest rule for which the law breaks that broke for this seed.
fn simplest(seed: u64, first: &str) -> String {
    let law: String = first.chars().take(3).collect();
    let mut choices = Choices::from_seed(seed);
    trial(&mut choices, &mut Tally::default());
    // Some rules take seconds to try; what is simplest by then will do.
    let until = Instant::now() + Duration::from_secs(number("PINION_SHRINK_SECONDS", 60));
    let mut fails = |made: &[u32]| {
        if Instant::now() > until {
            return false;
        }
        let outcome = trial(&mut Choices::replay(made), &mut Tally::default());
        matches!(outcome, Some((_, Err(words))) if words.starts_with(&law))
    };
    let made = shrink(choices.made(), &mut fails);
    match trial(&mut Choices::replay(&made), &mut Tally::default()) {
        Some((rule, Err(words))) => format!("seed {seed}\n{}{words}\n", rule.text(Wording::Unchanged)),
        _ => format!("seed {seed}: {first}\n"),
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Asks the laws of this many rules that the checks accept; what was seen, and the seeds for which a law broke.
fn asked(first_seed: u64, rules: usize, seconds: u64) -> (Tally, Vec<(u64, String)>) {
    let until = Instant::now() + Duration::from_secs(seconds);
    let (mut seen, mut broken, mut seed) = (Tally::default(), Vec::new(), first_seed);
    while seen.rules < rules && Instant::now() < until {
        let seeds: Vec<u64> = (seed..seed + 64).collect();
        seed += 64;
        let outcomes = in_parallel(&seeds, |&seed| {
            let mut seen = Tally::default();
            let outcome = trial(&mut Choices::from_seed(seed), &mut seen);
            (seed, seen, outcome)
        });
        for (seed, more, outcome) in outcomes {
            seen.add(&more);
            if let Some((_, Err(words))) = outcome {
                broken.push((seed, words));
            }
        }
    }
    println!("seeds {first_seed} to {seed}: {seen:?}");
    for (seed, words) in &broken {
        println!("seed {seed}: {}", words.lines().next().unwrap_or_default());
    }
    (seen, broken)
}

fn report(broken: &[(u64, String)]) -> String {
    let simplest = broken.iter().take(number("PINION_SHOWN", 3) as usize).map(|(seed, words)| simplest(*seed, words));
    format!("{} rules break a law\n{}", broken.len(), simplest.collect::<Vec<_>>().join("\n"))
}

#[test]
fn generated_rules_keep_the_laws() {
    let (seen, broken) = asked(number("PINION_SEED", 1), share(12, 200), 600);
    assert!(broken.is_empty(), "{}", report(&broken));
    // The laws were tried on enough cases.
    assert!(
        seen.rules >= share(12, 200)
            && seen.found > share(2, 50)
            && seen.readings > share(2, 50)
            && seen.rewordings > share(5, 100),
        "{seen:?}"
    );
    assert!(
        !is_full_run()
            || seen.proved > 5 && seen.proved_on_every_board > 2 && seen.proved_matches > 20 && seen.refuted > 20,
        "{seen:?}"
    );
}

/// On an irregular board a group may have more than half of the cells of a house.
#[test]
fn large_groups_are_read_as_they_are_found() {
    let (seen, broken) = asked(270_002_472, 1, 600);
    assert!(broken.is_empty(), "{}", report(&broken));
    assert!(seen.readings > 0, "{seen:?}");
}

#[test]
fn a_counterexample_without_a_digit_reads_back() {
    let (seen, broken) = asked(210_011_558, 1, 600);
    assert!(broken.is_empty(), "{}", report(&broken));
    assert!(seen.refuted > 0, "{seen:?}");
}

/// Rules on all 288 grids of four rows, and on some of six and nine.
fn on_every_grid(first_seed: u64, rules: usize, seconds: u64) -> Tally {
    let until = Instant::now() + Duration::from_secs(seconds);
    let four = four_by_four();
    assert_eq!(four.solutions.len(), 288);
    let others = [6, 9].map(|size| Board::new(Geometry::standard(size).expect("a standard board")));
    let trial = |&seed: &u64| {
        let (mut choices, mut seen) = (Choices::from_seed(seed), Tally::default());
        let rule = guarded_rule(&mut choices);
        let Some(technique) = compile_accepted(&rule.text(Wording::Unchanged)).filter(|one| !has_negative_size(one))
        else {
            return seen;
        };
        let outcome = check_on_every_solution(&technique, (&four, &others), &mut choices, &mut seen);
        assert!(outcome.is_ok(), "seed {seed}\n{}{outcome:?}", rule.text(Wording::Unchanged));
        Tally { rules: 1, ..seen }
    };
    let (mut all, mut seed) = (Tally::default(), first_seed);
    while all.rules < rules && Instant::now() < until {
        let seeds: Vec<u64> = (seed..seed + 64).collect();
        in_parallel(&seeds, trial).iter().for_each(|seen| all.add(seen));
        seed += 64;
    }
    println!("seeds {first_seed} to {seed}: {all:?}");
    all
}

#[test]
fn proved_rules_hold_on_every_grid_of_four_rows() {
    let seen = on_every_grid(number("PINION_SEED", 1), share(6, 100), 600);
    assert!(
        seen.rules >= share(6, 100)
            && seen.proved > share(0, 10)
            && seen.proved_matches > share(20, 500)
            && seen.readings > share(1, 20),
        "{seen:?}"
    );
}

#[test]
#[ignore = "twenty minutes"]
fn many_proved_rules_hold_on_every_grid_of_four_rows() {
    let rules = number("PINION_RULES", 20_000) as usize;
    let seen = on_every_grid(number("PINION_SEED", 2_000_000), rules, number("PINION_SECONDS", 1_200));
    assert!(seen.proved > 0 && seen.proved_matches > 0, "{seen:?}");
}

#[test]
#[ignore = "twenty minutes"]
fn many_generated_rules_keep_the_laws() {
    let rules = number("PINION_RULES", 20_000) as usize;
    let (seen, broken) = asked(number("PINION_SEED", 1_000_000), rules, number("PINION_SECONDS", 1_200));
    assert!(broken.is_empty(), "{}", report(&broken));
    assert!(seen.rules > 0 && seen.found > 0 && seen.proved > 0 && seen.refuted > 0, "{seen:?}");
}
