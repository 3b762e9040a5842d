//! Wrong rules that the prover cannot decide are refuted by a search for a counterexample. The rule matches on the printed
//! grid of the counterexample.

use crate::common::geometry;
use pinion::engine::{Engine, Limits, Match, SearchMode};
use pinion::grid::formats::read_one;
use pinion::lang::compile;
use pinion::lang::diagnostic::Severity;
use pinion::proof::{Member, Prover, Status};
use pinion::solve::Rulebook;
use pinion::workbench::refute::by_search;
use std::sync::Arc;

/// Wrong rules, each with the fact that it gets wrong: a loop, a ring, suppositions of each kind, and templates.
const WRONG_RULES: [(&str, &str); 8] = [
    (
        "one end of each link of a loop is true, so its nodes are not all false",
        "loop K, 2.. strong links, shortest {\n    strong: cell, house\n    weak: any\n  }\n  eliminate K",
    ),
    (
        "one of a ring's guardians is true, but not all of them",
        "d: digit\n  ring K on d, 5.. candidates, odd, guardians G {\n    strong: open_house\n  }\n  place G",
    ),
    (
        "a supposition that leads to a contradiction is false",
        "p: candidate\n  suppose p using links, reaches contradiction {\n    strong: cell, house\n    weak: any\n  }\n  place p",
    ),
    (
        "a supposition that singles refute is false",
        "p: candidate\n  suppose p using singles, reaches contradiction\n  place p",
    ),
    (
        "a consequence of one case alone need not hold",
        "p: candidate\n  suppose p using singles, all imply q\n  conclude q",
    ),
    (
        "a consequence of both cases holds, and its opposite does not",
        "p: candidate\n  suppose p, or not p using singles, all imply q\n  conclude not q",
    ),
    ("a candidate in no template is false", "D: digits[2]\n  place in_no_template(D)"),
    ("a candidate in every template is true", "D: digits[2]\n  eliminate in_every_template(D)"),
];

#[test]
fn a_search_finds_counterexamples_that_the_engine_confirms() {
    let (board, rulebook) = (geometry(6), Rulebook::embedded());
    for (fact, body) in WRONG_RULES {
        let text = format!("technique wrong \"Wrong\" {{\n  {body}\n}}\n");
        let (lowered, found) = compile(&text);
        assert!(found.iter().all(|diagnostic| diagnostic.severity != Severity::Error), "{text}{found:?}");
        let technique = &lowered.techniques[0];
        let prover = Prover::new(&board, rulebook.sources()).with_rules(rulebook.techniques());
        let status = prover.prove(technique, &[], 0).status;
        assert!(matches!(status, Status::Undecided(_) | Status::Refuted(_)), "{text}{status}");
        let suspect = Member { technique, args: &[], variant: 0 };
        let usable_rules = (rulebook.techniques(), rulebook.sources());
        let example = by_search(&board, suspect, usable_rules, &|| false)
            .unwrap_or_else(|| panic!("{fact}: no counterexample\n{text}"));
        let state = read_one(example.grid(), Some(&board)).expect("the grid is readable").state();
        assert_eq!(state.values_and_candidates(), example.state.values_and_candidates(), "{fact}");
        let engine =
            Engine::new(Arc::clone(&board), std::slice::from_ref(technique), rulebook.sources()).expect("a plan");
        let matches = engine.position(&state).find(0, SearchMode::All, &Limits::default()).matches;
        let is_true = example.solution[example.wrong.cell.index()] == example.wrong.digit;
        assert_ne!(is_true, example.placed, "{fact}: the conclusion agrees with the solution");
        let has_wrong_conclusion = |found: &Match| {
            let conclusions = if example.placed { &found.placements } else { &found.eliminations };
            conclusions.contains(&example.wrong)
        };
        assert!(matches.iter().any(has_wrong_conclusion), "{fact}: the engine finds no match\n{example}");
    }
}

/// The last rule assumes a unique solution. A search for counterexamples does not apply to such rules.
#[test]
fn correct_rules_are_not_refuted() {
    let (board, rulebook) = (geometry(4), Rulebook::embedded());
    let usable_rules = (rulebook.techniques(), rulebook.sources());
    for id in ["x_chain", "nishio", "template_delete", "unique_rectangle"] {
        let technique = rulebook.techniques().iter().find(|technique| technique.id == id).expect("in the rulebook");
        let suspect = Member { technique, args: &[], variant: 0 };
        assert!(by_search(&board, suspect, usable_rules, &|| false).is_none(), "{id}");
    }
}
