//! Wrong rules to which the prover has no answer are refuted by a search, and fire on the grid that is printed.

use crate::common::geometry;
use pinion::engine::{Engine, Limits, SearchMode};
use pinion::grid::formats::read_one;
use pinion::lang::compile;
use pinion::lang::diagnostic::Severity;
use pinion::proof::{Member, Prover, Status};
use pinion::solve::Rulebook;
use pinion::workbench::refute::by_search;
use std::sync::Arc;

/// One wrong rule each for a loop, a ring, suppositions of each kind and templates.
const WRONG: [(&str, &str); 8] = [
    (
        "a loop says of each link that one end is true, not that all are false",
        "loop K, 2.. strong links, shortest {\n    strong: cell, house\n    weak: any\n  }\n  eliminate K",
    ),
    (
        "of a ring's guardians one is true, not each",
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
        "what follows from one case alone need not be so",
        "p: candidate\n  suppose p using singles, all imply q\n  conclude q",
    ),
    (
        "all that both cases agree on is so, not its opposite",
        "p: candidate\n  suppose p, or not p using singles, all imply q\n  conclude not q",
    ),
    ("what no template has is false", "D: digits[2]\n  place in_no_template(D)"),
    ("what every template has is true", "D: digits[2]\n  eliminate in_every_template(D)"),
];

#[test]
fn wrong_rules_that_are_not_decided_are_refuted_by_a_search() {
    let (board, rulebook) = (geometry(6), Rulebook::embedded());
    for (why, body) in WRONG {
        let text = format!("technique wrong \"Wrong\" {{\n  {body}\n}}\n");
        let (lowered, found) = compile(&text);
        assert!(found.iter().all(|one| one.severity != Severity::Error), "{text}{found:?}");
        let technique = &lowered.techniques[0];
        let prover = Prover::new(&board, rulebook.sources()).with_rules(rulebook.techniques());
        let status = prover.prove(technique, &[], 0).status;
        assert!(matches!(status, Status::Undecided(_) | Status::Refuted(_)), "{text}{status}");
        let suspect = Member { technique, args: &[], variant: 0 };
        let known = (rulebook.techniques(), rulebook.sources());
        let example =
            by_search(&board, suspect, known, &|| false).unwrap_or_else(|| panic!("{why}: not found\n{text}"));
        let state = read_one(example.grid(), Some(&board)).expect("the grid is readable").state();
        assert_eq!(state.values_and_candidates(), example.state.values_and_candidates(), "{why}");
        let engine =
            Engine::new(Arc::clone(&board), std::slice::from_ref(technique), rulebook.sources()).expect("a plan");
        let matches = engine.position(&state).find(0, SearchMode::All, &Limits::default()).matches;
        let truth = example.solution[example.wrong.cell.index()] == example.wrong.digit;
        assert_eq!(truth, !example.placed, "{why}: the solution agrees");
        let list = |one: &pinion::engine::Match| {
            if example.placed { one.placements.clone() } else { one.eliminations.clone() }
        };
        assert!(matches.iter().any(|one| list(one).contains(&example.wrong)), "{why}: it does not fire\n{example}");
    }
}

/// A right rule is not refuted, and one that assumes one solution is not asked.
#[test]
fn right_rules_stand() {
    let (board, rulebook) = (geometry(4), Rulebook::embedded());
    let known = (rulebook.techniques(), rulebook.sources());
    for id in ["x_chain", "nishio", "template_delete", "unique_rectangle"] {
        let technique = rulebook.techniques().iter().find(|one| one.id == id).expect("in the rulebook");
        let suspect = Member { technique, args: &[], variant: 0 };
        assert!(by_search(&board, suspect, known, &|| false).is_none(), "{id}");
    }
}
