//! Rules by hand on which the machine, the evaluator or the prover once differed.

use super::boards::BOARDS;
use super::choices::Choices;
use super::laws::{Tally, check_on_states, check_proofs, compile_accepted};
use super::rule::{Rule, Wording};
use crate::common::share;
use pinion::engine::{Engine, Limits, SearchMode};
use pinion::grid::formats::read_one;
use pinion::grid::{Candidate, notation};
use pinion::lang::compile;
use pinion::lang::diagnostic::Severity;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Every law of a rule, on states of every board.
fn keeps_the_laws(text: &str) -> Tally {
    let rule = Rule::read(text);
    let technique =
        compile_accepted(&rule.text(Wording::Unchanged)).unwrap_or_else(|| panic!("the checks refuse\n{text}"));
    let mut tally = Tally::default();
    for seed in 0..2 * BOARDS.len() as u64 {
        let mut choices = Choices::from_seed(seed);
        let outcome = check_on_states(&rule, &technique, &mut choices, &mut tally)
            .and_then(|()| if seed < 1 { check_proofs(&technique, &mut choices, &mut tally) } else { Ok(()) });
        outcome.unwrap_or_else(|words| panic!("{text}{words}"));
    }
    assert!(tally.searches > 0 && tally.rewordings > 0, "{text}");
    tally
}

/// Declarations of a set that may be empty; `c: cell` and `r: row` are known.
const OF_SETS: [&str; 32] = [
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
fn sets_without_members_mean_one_thing() {
    let whens = ["no s or #digits(c) = 1", "#s = 0", "some s or #digits(c) = 1"];
    for (of, when) in OF_SETS.iter().zip(whens.iter().cycle()).step_by(share(8, 1)) {
        let text = format!(
            "technique g \"G\" {{\n  c: cell\n  r: row\n  d: digit in digits(c)\n  {of}\n  require some r & c\n  \
             require {when}\n  place d in c\n}}\n"
        );
        keeps_the_laws(&text);
    }
    // A parameter may make a set empty, too.
    for size in ["n", "n..1", "n.."] {
        keeps_the_laws(&format!(
            "technique g(n: 0..1) \"G\" {{\n  c: cell = {{d}}\n  s: cells[{size}] in row(c)\n  \
             require no s or #digits(c) = 1\n  place d in c\n}}\n"
        ));
    }
}

/// Conditions on a set of digits, or of cells, of which one member need be there.
const OF_SOME: [&str; 16] = [
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
fn conditions_on_some_member_of_a_set_lose_no_match() {
    for when in OF_SOME.into_iter().step_by(share(8, 1)) {
        let mut found = 0;
        for also in ["", "  require D within digits(h)\n"] {
            let text = format!(
                "technique g \"G\" {{\n  h: house\n  c: cell in h\n  X: cells[2] in h\n  D: digits[2]\n{also}  \
                 require {when}\n  eliminate D from cells - X\n}}\n"
            );
            found += keeps_the_laws(&text).found;
        }
        assert!(found > 0 || when.starts_with("no "), "nothing is found where {when}");
    }
}

#[test]
fn boards_without_boxes_have_none() {
    for of in ["box(c) - c", "cells(box(c)) - c", "cells(boxes(c)) - c"] {
        keeps_the_laws(&format!(
            "technique g \"G\" {{\n  c: cell\n  d: digit in digits(c)\n  require no d in {of}\n  place d in c\n}}\n"
        ));
    }
}

/// "Each has the digit" is true of an empty set of cells.
#[test]
fn a_family_without_members_has_every_digit() {
    keeps_the_laws(
        "technique g \"G\" {\n  d: digit\n  f[i]: cell has i for i in values(cells)\n  require every f has d\n  \
         eliminate d from cells\n}\n",
    );
}

/// A view tells as well that a candidate which is placed is gone.
#[test]
fn views_tell_contradictions() {
    keeps_the_laws(
        "technique g \"G\" also in rn \"R\" {\n  c: cell\n  require #digits(c) = 1\n  eliminate digits from c\n  \
         conclude some digits in c\n}\n",
    );
}

/// `givens allow` may be used inside an expression.
#[test]
fn open_cells_may_be_asked_of_anywhere() {
    for of in ["those e in c with givens allow digits in e", "(those e in cells with givens allow digits in e) & c"] {
        keeps_the_laws(&format!(
            "technique g \"G\" {{\n  c: cell\n  let v = {of}\n  require #v = 1\n  eliminate digits from v\n}}\n"
        ));
    }
}

/// Returns the eliminations of the techniques of a text on a grid, one list each.
fn eliminated(text: &str, grid: &str) -> Vec<String> {
    let (lowered, found) = compile(text);
    assert!(found.iter().all(|one| one.severity != Severity::Error), "{found:?}");
    let puzzle = read_one(grid, None).expect("a good grid");
    let state = puzzle.state();
    let engine = Engine::new(Arc::clone(&puzzle.geometry), &lowered.techniques, &lowered.sources).expect("good rules");
    let mut position = engine.position(&state);
    let members = 0..engine.members().len();
    let all = members.map(|member| position.find(member, SearchMode::All, &Limits::default()).matches);
    all.map(|matches| {
        let gone: BTreeSet<Candidate> = matches.into_iter().flat_map(|one| one.eliminations).collect();
        notation::deductions(&puzzle.geometry, &gone.into_iter().collect::<Vec<_>>(), &[])
    })
    .collect()
}

/// Two cells of a box with 1 and 2, and cells that see both.
const TWINS: &str = "12 12 1234 1234\n1234 1234 1234 1234\n1234 1234 1234 1234\n1234 1234 1234 1234";

/// Names that a source could exchange, but for its ends, are no one name.
#[test]
fn a_source_links_each_digit_of_two_alike_cells() {
    let text = "technique linked \"Linked\" {\n  chain from p to q, 1.. strong links {\n    strong: twin\n    weak: any\n  }\n  \
                conclude some p, q\n}\n\nstrong link twin (x)A = (x)B {\n  A, B: cell = {x, y}\n  require A sees B\n}\n";
    assert_eq!(eliminated(text, TWINS), ["r1c34<>12 r2c12<>12"]);
}

/// Saying an end twice is not saying both ends.
#[test]
fn an_end_that_is_named_twice_is_one_end() {
    let rule = |name: &str, conclusion: &str| {
        format!(
            "technique {name} \"T\" {{\n  chain from p to q, 1.. strong links {{\n    strong: inside\n    weak: any\n  }}\n  \
             {conclusion}\n}}\n\n"
        )
    };
    let source = "strong link inside (x)A = (y)A {\n  A: cell = {x, y}\n}\n";
    let text = rule("once", "conclude some p") + &rule("twice", "conclude some p, p") + source;
    let (lowered, _) = compile(&text);
    let board = &BOARDS[0].geometry;
    let engine = Engine::new(Arc::clone(board), &lowered.techniques, &lowered.sources).expect("good rules");
    let state = read_one(TWINS, None).expect("a good grid").state();
    let mut position = engine.position(&state);
    let mut effects = |member: usize| -> BTreeSet<_> {
        let found = position.find(member, SearchMode::All, &Limits::default());
        found.matches.into_iter().map(|one| (one.eliminations, one.placements)).collect()
    };
    let (once, twice) = (effects(0), effects(1));
    assert!(!once.is_empty());
    assert_eq!(once, twice);
}
