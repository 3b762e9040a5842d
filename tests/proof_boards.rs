//! A rule that is proved on every board holds on every board. The rules here are wrong on unusual boards or states (cells without
//! a box, one house with two names, empty sets), or have a condition that excludes just these.

use pinion::engine::{Engine, Limits, Match, SearchMode};
use pinion::grid::Geometry;
use pinion::lang::compile;
use pinion::lang::diagnostic::Severity;
use pinion::lang::ir::{LinkSource, Technique};
use pinion::proof::{ProofLimits, Prover, Status};
use std::sync::Arc;

fn compile_rules(text: &str) -> (Vec<Technique>, Vec<LinkSource>) {
    let (lowered, found) = compile(text);
    assert!(found.iter().all(|diagnostic| diagnostic.severity != Severity::Error), "{text}\n{found:?}");
    (lowered.techniques, lowered.sources)
}

/// Returns the result of proving the first member of the first technique.
fn prove_on(geometry: &Geometry, text: &str) -> Status {
    let (techniques, sources) = compile_rules(text);
    let limits = ProofLimits { shrink: 50, ..ProofLimits::default() };
    let prover = Prover::new(geometry, &sources).with_limits(limits).with_rules(&techniques);
    let (args, variant) = prover.members(&techniques[0]).remove(0);
    prover.prove(&techniques[0], &args, variant).status
}

fn prove_on_4x4(text: &str) -> Status {
    prove_on(&Geometry::standard(4).expect("a standard board"), text)
}

fn is_proved_on_every_board(status: &Status) -> bool {
    matches!(status, Status::Proved { every_board: true, .. })
}

/// Returns the text of a technique with these lines.
fn rule(lines: &[&str]) -> String {
    format!("technique it \"It\" {{\n  {}\n}}\n", lines.join("\n  "))
}

/// Fails unless the prover refutes the rule and the engine draws the wrong conclusion on the counterexample.
fn assert_refuted(geometry: &Geometry, text: &str) {
    let status = prove_on(geometry, text);
    let Status::Refuted(example) = &status else { panic!("{text}\n{status}") };
    let (techniques, sources) = compile_rules(text);
    let engine = Engine::new(Arc::new(geometry.clone()), &techniques, &sources).expect("the rule compiles");
    let mut position = engine.position(&example.state);
    let found = position.find(0, SearchMode::All, &Limits::default());
    let has_wrong_conclusion = |found: &Match| {
        let conclusions = if example.placed { &found.placements } else { &found.eliminations };
        conclusions.contains(&example.wrong)
    };
    assert!(found.matches.iter().any(has_wrong_conclusion), "{text}\n{example}");
}

#[test]
fn a_cell_may_have_no_box() {
    let text = rule(&["c: cell", "d: digit in digits(c)", "require no d in box(c) - c", "place d in c"]);
    let status = prove_on(&Geometry::standard(9).expect("a standard board"), &text);
    assert!(matches!(status, Status::Proved { every_board: false, .. }), "{status}");
    // A Latin square has no boxes.
    assert_refuted(&Geometry::latin(4), &text);
    // With one of these lines the rule matches only on boards with boxes, and there it holds.
    for extra in ["b: box avoiding c", "require some boxes", "require some boxes(c)", "require c in box(c)"] {
        let lines = [extra, "c: cell", "d: digit in digits(c)", "require no d in box(c) - c", "place d in c"];
        let status = prove_on_4x4(&rule(&lines));
        assert!(is_proved_on_every_board(&status), "{extra}: {status}");
    }
}

#[test]
fn every_cell_has_a_row_and_a_column() {
    for class in ["row", "column"] {
        let require = format!("require no d in {class}(c) - c");
        let status = prove_on_4x4(&rule(&["c: cell", "d: digit in digits(c)", &require, "place d in c"]));
        assert!(is_proved_on_every_board(&status), "{status}");
    }
}

/// `eliminate d from x` concerns every member of the family x. A family has one member for each cell, and the rule names none of
/// these cells.
#[test]
fn conclusions_about_families_include_members_without_a_name() {
    let board = Geometry::standard(4).expect("a standard board");
    for lines in [
        ["h: house", "d: digit", "x[c]: cell sees c for c in cells(d in h)", "eliminate d from x"].as_slice(),
        &[
            "h: house",
            "d: digit",
            "require some d in h",
            "x[c]: cell sees c for c in cells(d in h)",
            "require #x = 2",
            "eliminate d from x",
        ],
    ] {
        assert_refuted(&board, &rule(lines));
    }
}

/// If r is the row of c, each of these conditions is true, and the rule is wrong.
#[test]
fn two_names_may_stand_for_one_house() {
    let board = Geometry::standard(4).expect("a standard board");
    for require in ["row(c) = r", "rows(c) = {r}", "no rows(c) - r", "r within rows(c)"] {
        let require = format!("require {require} or no d in row(c) - c");
        assert_refuted(&board, &rule(&["c: cell", "d: digit in digits(c)", "r: row", &require, "place d in c"]));
    }
}

/// Conditions on the members of an empty set are true. The conditions here exclude all other sets.
#[test]
fn conditions_on_an_empty_set_are_true() {
    let board = Geometry::standard(4).expect("a standard board");
    for require in [
        "H: houses[0..1] meeting c avoiding c",
        "H: lines[0..1] crossing row(c) parallel row(c)",
        "H: lines[0..1] through c avoiding c",
        "S: cells[0..1] with every S sees c and every S has d and every S lacks d",
    ] {
        assert_refuted(&board, &rule(&["c: cell", "d: digit in digits(c)", require, "eliminate d from c"]));
    }
    let with_empty_set =
        ["c: cell", "d: digit in digits(c)", "S: cells[0..]", "require no S or no d in row(c) - c", "place d in c"];
    assert_refuted(&board, &rule(&with_empty_set));
    // On a Latin square `box(c)` is empty.
    let with_empty_box = rule(&[
        "c: cell",
        "d: digit in digits(c)",
        "b: row",
        "require b avoiding c and b meeting box(c)",
        "require no b & box(c)",
        "eliminate d from c",
    ]);
    let status = prove_on(&Geometry::latin(4), &with_empty_box);
    assert!(matches!(status, Status::Refuted(_)), "{status}");
}

/// A rule with guardians says that its conclusion holds or a guardian is true. The first rule concludes nothing, the second has
/// no guardian.
#[test]
fn empty_conclusions_and_empty_guardians_are_not_true() {
    let board = Geometry::standard(4).expect("a standard board");
    let without_conclusion =
        ["c, e: cell", "d: digit", "require no d in c", "guardians G = d in e", "conclude some d in c"];
    assert_refuted(&board, &rule(&without_conclusion));
    assert_refuted(&board, &rule(&["h: house", "d: digit", "guardians G = d in h - h", "place d in h"]));
}

/// With the parameter ranges `2..` and `2..5` the used technique has more members on larger boards than on 4×4. A proof on 4×4 then
/// does not cover every board.
#[test]
fn a_technique_with_more_members_on_larger_boards_is_not_proved_on_every_board() {
    let text = |range: &str| {
        format!(
            "technique over \"Over\" {{\n  p: candidate\n  suppose p using rules sets, reaches contradiction\n  eliminate p\n}}\n\n\
             technique sets(n: {range}) \"{{n}} Cells\" {{\n  h: house\n  s: cells[n] in h\n  \
             require #digits(s) = n\n  eliminate digits(s) from h - s\n}}\n"
        )
    };
    for (range, is_on_every_board) in [("2..", false), ("2..5", false), ("2..2", true), ("2..3", true)] {
        let status = prove_on_4x4(&text(range));
        let Status::Conditional { every_board, sound: true } = status else { panic!("{range}: {status}") };
        assert_eq!(every_board, is_on_every_board, "{range}");
    }
}

/// A join is proved only if the joined technique is proved in every space. In rn space of a 4×4 board each cell sees six others,
/// so the condition of `once` holds for every cell, and the conclusion is wrong.
#[test]
fn a_join_is_proved_in_every_space_of_the_joined_technique() {
    let text = "technique twice \"Twice\" {\n  join once by c\n}\n\n\
                technique once \"Once\" also in rn \"Once in a Row\" {\n  c: cell\n  d: digit in digits(c)\n  \
                require (#cells = 16 and #(cells seeing c) = 6) or no d in row(c) - c\n  place d in c\n}\n";
    let status = prove_on_4x4(text);
    assert!(!status.is_proved(), "{status}");
    let without_rn = prove_on_4x4(&text.replace(" also in rn \"Once in a Row\"", ""));
    assert!(without_rn.is_proved(), "{without_rn}");
}
