//! Rules on which the engine, the evaluator and the prover once differed.

use super::boards::BOARDS;
use super::choices::Choices;
use super::laws::{Effects, Tally, check_on_states, check_proofs, compile_accepted};
use super::rule::{Rule, Wording};
use crate::common::quick_or_full;
use pinion::engine::{Engine, Limits, SearchMode};
use pinion::grid::formats::read_one;
use pinion::grid::{Candidate, notation};
use pinion::lang::compile;
use pinion::lang::diagnostic::Severity;
use std::collections::BTreeSet;

/// Asserts that a rule keeps the laws of [`laws`](super::laws): those about states on several boards, those about proofs on
/// one board.
fn assert_keeps_laws(text: &str) -> Tally {
    let rule = Rule::read(text);
    let technique =
        compile_accepted(&rule.text(Wording::Unchanged)).unwrap_or_else(|| panic!("the compiler refuses\n{text}"));
    let mut tally = Tally::default();
    // The seed chooses the board, so twice as many seeds as boards reach nearly every board.
    for seed in 0..2 * BOARDS.len() as u64 {
        let mut choices = Choices::from_seed(seed);
        let mut result = check_on_states(&rule, &technique, &mut choices, &mut tally);
        if seed == 0 && result.is_ok() {
            result = check_proofs(&technique, &mut choices, &mut tally);
        }
        result.unwrap_or_else(|violation| panic!("{text}{violation}"));
    }
    assert!(tally.searches > 0 && tally.rewordings > 0, "{text}");
    tally
}

/// Declarations of a set that may be empty, in a rule with `c: cell`, `r: row` and `d: digit`.
const POSSIBLY_EMPTY_SETS: [&str; 32] = [
    "s: cells[0..1] in row(c)",
    "s: cells[0..] in row(c)",
    "s: cells[0..1] in cells seeing c",
    "s: cells[0..1] in r - c",
    "s: cells[0..1] in cells(digits in c)",
    "s: cells[0..2] in one house",
    "s: cells[0..1] connected",
    "s: cells[0..1] sees c",
    "s: cells[0..1] has d",
    "s: cells[0..1] lacks d",
    "s: cells[0..1] disjoint c",
    "s: cells[0..1] with some s",
    "s: cells[0..1]\n  require s within row(c)",
    "s: cells[0..1]\n  require (s within r) or (s within c)",
    "s: cells[0..1]\n  require s within c + r",
    "s: cells[0..1]\n  require every s sees c",
    "s: cells[0..1]\n  require some s sees c",
    "s: cells[0..1]\n  require digits(s) within digits(c)",
    "s: cells[0..2]\n  require #digits(s) = #s",
    "s: digits[0..1] in digits(c)",
    "s: digits[0..1] in digits - d",
    "s: digits[0..1]\n  require s within digits(c)",
    "s: digits[0..1]\n  require c has every s",
    "s: digits[0..1]\n  require no s in c",
    "s: houses[0..1] in rows",
    "s: lines[0..1] crossing r",
    "s: lines[0..1] parallel r",
    "s: houses[0..1] meeting r",
    "s: houses[0..1] avoiding r",
    "s: houses[0..1] through c",
    "s: houses[0..1]\n  require s within houses(c)",
    "s: houses[0..1]\n  require (s meeting r) or (s meeting r)",
];

#[test]
fn rules_with_an_empty_set_keep_the_laws() {
    let conditions = ["no s or #digits(c) = 1", "#s = 0", "some s or #digits(c) = 1"];
    for (set, condition) in POSSIBLY_EMPTY_SETS.iter().zip(conditions.iter().cycle()).step_by(quick_or_full(8, 1)) {
        let text = format!(
            "technique g \"G\" {{\n  c: cell\n  r: row\n  d: digit in digits(c)\n  {set}\n  require some r & c\n  \
             require {condition}\n  place d in c\n}}\n"
        );
        assert_keeps_laws(&text);
    }
    // The parameter 0 makes a set empty, too.
    for size in ["n", "n..1", "n.."] {
        assert_keeps_laws(&format!(
            "technique g(n: 0..1) \"G\" {{\n  c: cell = {{d}}\n  s: cells[{size}] in row(c)\n  \
             require no s or #digits(c) = 1\n  place d in c\n}}\n"
        ));
    }
}

/// Conditions that can hold although some digit of D has no place. The rule has a house h with a cell c and two cells X.
const CONDITIONS_ON_SOME_DIGIT: [&str; 16] = [
    "some D in c",
    "#(D in X) = 2",
    "#(D in h) >= 1",
    "#(D in c) = 1",
    "D in h within X",
    "D in c within h",
    "cells(D in h) within X",
    "cells(D in h) = X",
    "#cells(D in h) = 1",
    "#cells(D in X) = 2",
    "some D & digits(c)",
    "cells(D in h) = {c}",
    "digits(c) within D",
    "(D in c) disjoint (D in h - c)",
    "no D in c",
    "D in X within D in h",
];

#[test]
fn conditions_on_some_digit_of_a_set_lose_no_match() {
    for condition in CONDITIONS_ON_SOME_DIGIT.into_iter().step_by(quick_or_full(8, 1)) {
        let mut found = 0;
        for second_condition in ["", "  require D within digits(h)\n"] {
            let text = format!(
                "technique g \"G\" {{\n  h: house\n  c: cell in h\n  X: cells[2] in h\n  D: digits[2]\n\
                 {second_condition}  require {condition}\n  eliminate D from cells - X\n}}\n"
            );
            found += assert_keeps_laws(&text).found;
        }
        assert!(found > 0 || condition.starts_with("no "), "no match with {condition}");
    }
}

#[test]
fn the_box_of_a_cell_is_empty_on_boards_without_boxes() {
    for cells in ["box(c) - c", "cells(box(c)) - c", "cells(boxes(c)) - c"] {
        assert_keeps_laws(&format!(
            "technique g \"G\" {{\n  c: cell\n  d: digit in digits(c)\n  require no d in {cells}\n  place d in c\n}}\n"
        ));
    }
}

/// `every f has d` is true of an empty family f.
#[test]
fn a_family_without_members_has_every_digit() {
    assert_keeps_laws(
        "technique g \"G\" {\n  d: digit\n  f[i]: cell has i for i in values(cells)\n  require every f has d\n  \
         eliminate d from cells\n}\n",
    );
}

/// The rule places the only candidate of a cell and eliminates it, too.
#[test]
fn a_contradiction_is_found_in_views_as_in_the_grid() {
    assert_keeps_laws(
        "technique g \"G\" also in rn \"R\" {\n  c: cell\n  require #digits(c) = 1\n  eliminate digits from c\n  \
         conclude some digits in c\n}\n",
    );
}

#[test]
fn givens_allow_can_be_a_condition_of_a_filter() {
    for set in ["those e in c with givens allow digits in e", "(those e in cells with givens allow digits in e) & c"] {
        assert_keeps_laws(&format!(
            "technique g \"G\" {{\n  c: cell\n  let v = {set}\n  require #v = 1\n  eliminate digits from v\n}}\n"
        ));
    }
}

/// Returns the effects of each technique of a text on a 4×4 grid.
fn effects(text: &str, grid: &str) -> Vec<Effects> {
    let (lowered, diagnostics) = compile(text);
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error), "{diagnostics:?}");
    let puzzle = read_one(grid, None).expect("a good grid");
    let engine = Engine::new(puzzle.geometry.clone(), &lowered.techniques, &lowered.sources).expect("good rules");
    let state = puzzle.state();
    let mut position = engine.position(&state);
    let mut effects_of = |member| {
        let outcome = position.find(member, SearchMode::All, &Limits::default());
        outcome.matches.into_iter().map(|found| (found.eliminations, found.placements)).collect()
    };
    (0..engine.members().len()).map(&mut effects_of).collect()
}

/// A grid in which r1c1 and r1c2 have the candidates 1 and 2.
const NAKED_PAIR: &str = "12 12 1234 1234\n1234 1234 1234 1234\n1234 1234 1234 1234\n1234 1234 1234 1234";

/// Returns a rule about chains with the strong links of one source.
fn chain_rule(id: &str, source: &str, conclusion: &str) -> String {
    let chain = format!("chain from p to q, 1.. strong links {{\n    strong: {source}\n    weak: any\n  }}");
    format!("technique {id} \"{id}\" {{\n  {chain}\n  conclude {conclusion}\n}}\n\n")
}

/// The names x and y of the link source are interchangeable in its conditions, but not in its ends: both digits are linked.
#[test]
fn a_source_links_each_digit_of_a_naked_pair() {
    let source = "strong link twin (x)A = (x)B {\n  A, B: cell = {x, y}\n  require A sees B\n}\n";
    let effects = effects(&(chain_rule("linked", "twin", "some p, q") + source), NAKED_PAIR);
    assert_eq!(effects.len(), 1);
    let eliminated: BTreeSet<Candidate> =
        effects[0].iter().flat_map(|(eliminations, _)| eliminations.iter().copied()).collect();
    let text = notation::deductions(&BOARDS[0].geometry, &Vec::from_iter(eliminated), &[]);
    assert_eq!(text, "r1c34<>12 r2c12<>12");
}

/// `conclude some p, p` names one end of the chain, not both ends.
#[test]
fn an_end_that_is_named_twice_is_one_end() {
    let rules = chain_rule("once", "inside", "some p") + &chain_rule("twice", "inside", "some p, p");
    let source = "strong link inside (x)A = (y)A {\n  A: cell = {x, y}\n}\n";
    let effects = effects(&(rules + source), NAKED_PAIR);
    assert!(!effects[0].is_empty());
    assert_eq!(effects[0], effects[1]);
}
