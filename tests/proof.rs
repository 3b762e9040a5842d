//! The prover: correct rules are proved, wrong rules are refuted, and rules that can never match are reported as vacuous. Also
//! suggestions for weaker and stronger rules, and special cases among the rules.

use crate::common::files::{read_text, rule_files};
use crate::common::quick_or_full;
use pinion::engine::{Engine, Limits, SearchMode};
use pinion::grid::{Geometry, formats};
use pinion::lang::diagnostic::Severity;
use pinion::lang::ir::{LinkSource, Technique};
use pinion::lang::{Patterns, compile, compile_with, parse};
use pinion::proof::{Member, ProofLimits, Prover, Status, Verdict, direct_cases};
use pinion::solve::ProofRecord;
use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// Compiles rule files. Returns their techniques and link sources.
fn compile_files(files: &[PathBuf]) -> (Vec<Technique>, Vec<LinkSource>) {
    let (mut techniques, mut sources) = (Vec::new(), Vec::new());
    let mut patterns = Patterns::default();
    for file in files {
        patterns.add(&parse(&read_text(file)).0);
    }
    for file in files {
        let (lowered, found) = compile_with(&read_text(file), &patterns);
        let has_error = found.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        assert!(!has_error, "{}: {found:?}", file.display());
        techniques.extend(lowered.techniques);
        sources.extend(lowered.sources);
    }
    (techniques, sources)
}

/// Returns the rules of a test's file, with its link sources and those of the prelude.
fn compile_with_prelude(file: PathBuf) -> (Vec<Technique>, Vec<LinkSource>) {
    compile_files(&[PathBuf::from("rules/prelude.pinion"), file])
}

/// Proves every member of some techniques, which may use `known_techniques` under suppositions.
fn prove_all(
    techniques: &[Technique],
    known_techniques: &[Technique],
    sources: &[LinkSource],
    size: usize,
) -> Vec<Verdict> {
    let geometry = Geometry::standard(size).expect("a standard board");
    let limits = ProofLimits { shrink: 50, ..ProofLimits::default() };
    let prover = Prover::new(&geometry, sources).with_limits(limits).with_rules(known_techniques);
    let mut verdicts = Vec::new();
    for technique in techniques {
        for (args, variant) in prover.members(technique) {
            let start = Instant::now();
            let verdict = prover.prove(technique, &args, variant);
            println!(
                "{:>8.3} s {} {args:?} case {variant} {size}x{size}: {} {:?}",
                start.elapsed().as_secs_f64(),
                technique.id,
                verdict.status,
                verdict.effort
            );
            verdicts.push(verdict);
        }
    }
    verdicts
}

/// A prover gives the same verdict after a cancelled proof as a new prover.
#[test]
fn a_cancelled_proof_does_not_change_the_next() {
    let files = ["rules/prelude.pinion", "rules/chains/x_chain.pinion", "rules/forcing/forcing_chains.pinion"];
    let (techniques, sources) = compile_files(&files.map(PathBuf::from));
    assert!(techniques.len() >= 2);
    let geometry = Geometry::standard(6).expect("a standard board");
    let is_cancelled = Rc::new(Cell::new(true));
    let shared_flag = Rc::clone(&is_cancelled);
    let prover =
        Prover::new(&geometry, &sources).with_rules(&techniques).with_cancellation(Rc::new(move || shared_flag.get()));
    for technique in &techniques {
        is_cancelled.set(true);
        let cancelled = prover.prove(technique, &[], 0);
        assert!(matches!(cancelled.status, Status::Undecided(_)), "{}: {}", technique.id, cancelled.status);
        is_cancelled.set(false);
        let repeated = prover.prove(technique, &[], 0);
        let by_new_prover = Prover::new(&geometry, &sources).with_rules(&techniques).prove(technique, &[], 0);
        assert!(repeated.status.is_proved(), "{}: {}", technique.id, repeated.status);
        assert_eq!((repeated.status, repeated.rests_on), (by_new_prover.status, by_new_prover.rests_on));
    }
}

/// Proves the rulebook on 6×6. `proof_record` repeats proofs on other boards.
#[test]
fn every_rule_is_proved_or_idle_on_6x6() {
    let size = 6;
    let (techniques, sources) = compile_files(&rule_files("rules"));
    let sample: Vec<Technique> = techniques.iter().step_by(quick_or_full(20, 1)).cloned().collect();
    for verdict in prove_all(&sample, &techniques, &sources, size) {
        let technique = techniques.iter().find(|known| known.id == verdict.technique).expect("one of the techniques");
        let member = (technique, verdict.args.as_slice(), verdict.variant);
        // A fish with all lines of the board can eliminate nothing, and a record may say that a member finds nothing.
        let is_idle = verdict.args.contains(&(size as u32)) || ProofRecord::embedded().is_idle(member, Some("6x6"));
        let is_vacuous = matches!(verdict.status, Status::Vacuous(_));
        assert!(
            verdict.status.is_proved() || (is_idle && is_vacuous),
            "{} {:?}: {}",
            verdict.technique,
            verdict.args,
            verdict.status
        );
    }
}

/// Fails unless the engine draws the wrong conclusion of a counterexample. The grid is read from the printed text.
fn assert_engine_draws_wrong_conclusion(
    technique: &[Technique],
    sources: &[LinkSource],
    size: usize,
    verdict: &Verdict,
) {
    let Status::Refuted(example) = &verdict.status else { panic!("{}: {}", verdict.technique, verdict.status) };
    let geometry = Arc::new(Geometry::standard(size).expect("a standard board"));
    let puzzle = formats::read_one(example.grid(), Some(&geometry)).expect("the grid is readable");
    let state = puzzle.state();
    assert_eq!(
        state.values_and_candidates(),
        example.state.values_and_candidates(),
        "{}: the grid reads back as the state",
        verdict.technique
    );
    let engine = Engine::new(geometry, technique, sources).expect("the rule compiles");
    let mut position = engine.position(&state);
    let is_found = engine.members().iter().enumerate().any(|(index, member)| {
        member.args == verdict.args
            && member.variant == verdict.variant
            && position.find(index, SearchMode::All, &Limits::default()).matches.iter().any(|found| {
                let conclusions = if example.placed { &found.placements } else { &found.eliminations };
                conclusions.contains(&example.wrong)
            })
    });
    let plans: String = (0..engine.members().len()).map(|index| engine.plan(index).to_string()).collect();
    assert!(is_found, "{}: the engine does not conclude\n{example}\n{plans}", verdict.technique);
}

/// A mutant is a rule of the rulebook with one change that makes it wrong.
#[test]
fn mutants_are_refuted_by_examples_that_the_engine_confirms() {
    let files = rule_files("tests/mutants");
    assert!(files.len() >= 20);
    let mut failed = Vec::new();
    for file in files.into_iter().step_by(quick_or_full(12, 1)) {
        let (techniques, sources) = compile_with_prelude(file);
        for verdict in prove_all(&techniques, &techniques, &sources, 9) {
            match &verdict.status {
                Status::Refuted(_) => assert_engine_draws_wrong_conclusion(&techniques, &sources, 9, &verdict),
                other => failed.push(format!("{} {:?}: {other}", verdict.technique, verdict.args)),
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn rules_that_never_match_are_vacuous() {
    let files = rule_files("tests/vacuous");
    assert!(files.len() >= 10);
    let mut failed = Vec::new();
    for file in files.into_iter().step_by(quick_or_full(6, 1)) {
        let (techniques, sources) = compile_with_prelude(file);
        for verdict in prove_all(&techniques, &techniques, &sources, 9) {
            if !matches!(verdict.status, Status::Vacuous(_)) {
                failed.push(format!("{} {:?}: {}", verdict.technique, verdict.args, verdict.status));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// The rules are proved on 9×9. On 6×6 they are proved or vacuous.
#[test]
fn correct_rules_of_the_tests_are_proved() {
    let mut failed = Vec::new();
    for file in rule_files("tests/proved").into_iter().step_by(quick_or_full(16, 1)) {
        let (techniques, sources) = compile_with_prelude(file);
        for size in [9, 6] {
            for verdict in prove_all(&techniques, &techniques, &sources, size) {
                let may_be_vacuous = size == 6;
                let is_vacuous = matches!(verdict.status, Status::Vacuous(_));
                if !(verdict.status.is_proved() || may_be_vacuous && is_vacuous) {
                    failed.push(format!("{} {:?} {size}: {}", verdict.technique, verdict.args, verdict.status));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Returns the prover's suggestions for a rule: conditions that are not needed, and further conclusions.
fn suggestions(text: &str, args: &[u32]) -> Vec<String> {
    let sources = compile(&read_text("rules/prelude.pinion")).0.sources;
    let (lowered, found) = compile(text);
    assert!(found.iter().all(|diagnostic| diagnostic.severity != Severity::Error), "{found:?}");
    let geometry = Geometry::standard(9).expect("a standard board");
    let prover = Prover::new(&geometry, &sources);
    let technique = &lowered.techniques[0];
    let mut suggestions = prover.strengthen(technique, args, 0);
    suggestions.extend(prover.weaken(technique, args, 0));
    suggestions.into_iter().map(|suggestion| format!("{:?}: {}", suggestion.change, suggestion.line)).collect()
}

#[test]
fn unneeded_conditions_and_further_conclusions_are_suggested() {
    let expected: [(&str, &[u32], &[&str]); 12] = [
        ("chains/remote_pair", &[], &[]),
        ("wings/w_wing", &[], &["Conclude: conclude some y in P + Q"]),
        ("intersections/locked_candidates", &[], &["Drop: #(d in source) >= 2"]),
        ("wings/pivot_wing", &[3], &["Drop: #(digits(pivot) - z) = n - 1", "Relax: digits(pincer[d]) within d + z"]),
        ("chains/xy_chain", &[], &[]),
        ("subsets/naked_subset", &[3], &[]),
        ("subsets/hidden_subset", &[2], &[]),
        ("wings/pivot_wing", &[4], &["Drop: #(digits(pivot) - z) = n - 1", "Relax: digits(pincer[d]) within d + z"]),
        (
            "intersections/multiple_lines",
            &[],
            &[
                "Drop: r meeting a",
                "Drop: r meeting b",
                "Drop: s meeting a",
                "Drop: s meeting b",
                "Drop: r parallel s",
                "DropTogether: r meeting a; r meeting b; s meeting a; s meeting b; r parallel s",
            ],
        ),
        (
            "wings/xy_wing",
            &[],
            &[
                "Relax: digits(pivot) within x + y",
                "Relax: digits(pincer1) within x + z",
                "Relax: digits(pincer2) within y + z",
            ],
        ),
        (
            "wings/xyz_wing",
            &[],
            &[
                "Relax: digits(pivot) within x + y + z",
                "Relax: digits(pincer1) within x + z",
                "Relax: digits(pincer2) within y + z",
            ],
        ),
        (
            "wings/bent_set",
            &[4],
            &["Drop: s connected", "Drop: z within digits(s)", "DropTogether: s connected; z within digits(s)"],
        ),
    ];
    for (file, args, lines) in expected.into_iter().take(quick_or_full(4, 12)) {
        let text = read_text(format!("rules/{file}.pinion"));
        assert_eq!(suggestions(&text, args), lines, "{file} {args:?}");
    }
}

#[test]
fn pairs_of_special_cases_that_follow_from_others_are_indirect() {
    // A pair (0, 1) says that rule 0 is a special case of rule 1. Here each rule is a special case of all later rules.
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    assert_eq!(direct_cases(&pairs), [true, false, false, true, false, true]);
    // Rules 1 and 2 both lie between rules 0 and 3.
    assert_eq!(direct_cases(&[(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)]), [true, true, true, true, false]);
    // Rules 1 and 2 are special cases of each other, so neither of their pairs follows from the other.
    assert_eq!(direct_cases(&[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3), (0, 3)]), [true, true, true, true, true, false]);
    assert_eq!(direct_cases(&[]), [false; 0]);
}

#[test]
fn special_cases_are_found() {
    let (techniques, sources) = compile_files(&rule_files("rules"));
    let geometry = Geometry::standard(9).expect("a standard board");
    let prover = Prover::new(&geometry, &sources);
    let find = |id: &str| techniques.iter().find(|technique| technique.id == id).expect("in the rulebook");
    for (special, general, args, is_special_case) in [
        ("xy_wing", "pivot_wing", vec![3], true),
        ("xyz_wing", "pivot_wing", vec![3], true),
        ("xyz_wing", "pivot_wing", vec![4], false),
        ("xyz_wing", "xy_wing", vec![], false),
        ("xy_wing", "bent_set", vec![4], false),
    ] {
        let special_member = Member { technique: find(special), args: &[], variant: 0 };
        let general_member = Member { technique: find(general), args: &args, variant: 0 };
        let found = prover.implied_by(special_member, general_member).expect("rules that can be compared");
        assert_eq!(found.is_some(), is_special_case, "{special} in {general}: {found:?}");
    }
}

/// The rule `wide` names four cells one by one. It is a special case of `bent_set(4)`, which has a set of four cells, and not of
/// `bent_set(5)`.
#[test]
fn a_special_case_names_as_many_cells_as_the_general_set_has() {
    let text = "technique wide \"Wide\" {\n  pivot: cell = {a, b, c, z}\n  p: cell = {a, z} sees pivot\n  \
                q: cell = {b, z} sees pivot\n  r: cell = {b, c, z} sees pivot sees q\n  \
                conclude some z in pivot, p, q, r\n}\n";
    let wide = compile(text).0.techniques.remove(0);
    let (techniques, sources) = compile_files(&rule_files("rules"));
    let geometry = Geometry::standard(9).expect("a standard board");
    let prover = Prover::new(&geometry, &sources);
    let bent_set = techniques.iter().find(|technique| technique.id == "bent_set").expect("in the rulebook");
    let special = Member { technique: &wide, args: &[], variant: 0 };
    let assignment = |n: u32| prover.implied_by(special, Member { technique: bent_set, args: &[n], variant: 0 });
    let found = assignment(4).expect("rules that can be compared").expect("four cells with four digits");
    assert!(found.contains(&("s".to_string(), "pivot + p + q + r".to_string())), "{found:?}");
    assert_eq!(assignment(5), Ok(None));
}
