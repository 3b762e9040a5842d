//! A rule proved on every board holds on every board: boards without boxes, houses that coincide, sets that are
//! empty or larger than the names of a rule. Each rule here is wrong somewhere, or right just because of what it says.

use pinion::engine::{Engine, Limits, SearchMode};
use pinion::grid::Geometry;
use pinion::lang::compile;
use pinion::lang::diagnostic::Severity;
use pinion::lang::ir::{LinkSource, Technique};
use pinion::proof::{ProofLimits, Prover, Status};
use std::sync::Arc;

fn rules(text: &str) -> (Vec<Technique>, Vec<LinkSource>) {
    let (lowered, found) = compile(text);
    assert!(found.iter().all(|one| one.severity != Severity::Error), "{text}\n{found:?}");
    (lowered.techniques, lowered.sources)
}

/// The verdict on the first member of the first technique.
fn on(geometry: &Geometry, text: &str) -> Status {
    let (techniques, sources) = rules(text);
    let limits = ProofLimits { shrink: 50, ..ProofLimits::default() };
    let prover = Prover::new(geometry, &sources).with_limits(limits).with_rules(&techniques);
    let (args, variant) = prover.members(&techniques[0]).remove(0);
    prover.prove(&techniques[0], &args, variant).status
}

fn on_4x4(text: &str) -> Status {
    on(&Geometry::standard(4).expect("a standard board"), text)
}

fn on_every_board(status: &Status) -> bool {
    matches!(status, Status::Proved { every_board: true, .. })
}

/// A rule of one technique from its lines.
fn rule(lines: &[&str]) -> String {
    format!("technique it \"It\" {{\n  {}\n}}\n", lines.join("\n  "))
}

/// The rule is wrong: it is refuted, and the engine draws the wrong conclusion on the example.
fn refuted(geometry: &Geometry, text: &str) {
    let status = on(geometry, text);
    let Status::Refuted(example) = &status else { panic!("{text}\n{status}") };
    let (techniques, sources) = rules(text);
    let engine = Engine::new(Arc::new(geometry.clone()), &techniques, &sources).expect("the rule compiles");
    let mut position = engine.position(&example.state);
    let found = position.find(0, SearchMode::All, &Limits::default());
    let list = |found: &pinion::engine::Match| match example.placed {
        true => found.placements.clone(),
        false => found.eliminations.clone(),
    };
    assert!(found.matches.iter().any(|found| list(found).contains(&example.wrong)), "{text}\n{example}");
}

#[test]
fn a_cell_may_have_no_box() {
    let text = rule(&["c: cell", "d: digit in digits(c)", "require no d in box(c) - c", "place d in c"]);
    let here = on(&Geometry::standard(9).expect("a standard board"), &text);
    assert!(matches!(here, Status::Proved { every_board: false, .. }), "{here}");
    refuted(&Geometry::latin(4), &text);
    // A rule that speaks of a box elsewhere, or asks for one, is safe.
    for extra in ["b: box avoiding c", "require some boxes", "require some boxes(c)", "require c in box(c)"] {
        let lines = [extra, "c: cell", "d: digit in digits(c)", "require no d in box(c) - c", "place d in c"];
        let status = on_4x4(&rule(&lines));
        assert!(on_every_board(&status), "{extra}: {status}");
    }
}

#[test]
fn lines_of_cells_are_on_every_board() {
    for class in ["row", "column"] {
        let require = format!("require no d in {class}(c) - c");
        let status = on_4x4(&rule(&["c: cell", "d: digit in digits(c)", &require, "place d in c"]));
        assert!(on_every_board(&status), "{status}");
    }
}

/// Conclusions about every member of a family include members without a name.
#[test]
fn conclusions_reach_beyond_what_is_named() {
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
        refuted(&board, &rule(lines));
    }
}

/// Two names for one house are the same house in every condition.
#[test]
fn a_house_with_two_names_is_one() {
    let board = Geometry::standard(4).expect("a standard board");
    for require in ["row(c) = r", "rows(c) = {r}", "no rows(c) - r", "r within rows(c)"] {
        let require = format!("require {require} or no d in row(c) - c");
        refuted(&board, &rule(&["c: cell", "d: digit in digits(c)", "r: row", &require, "place d in c"]));
    }
}

/// Nothing is required of the members of an empty set.
#[test]
fn empty_sets_are_read_as_they_are_searched() {
    let board = Geometry::standard(4).expect("a standard board");
    for require in [
        "H: houses[0..1] meeting c avoiding c",
        "H: lines[0..1] crossing row(c) parallel row(c)",
        "H: lines[0..1] through c avoiding c",
        "S: cells[0..1] with every S sees c and every S has d and every S lacks d",
    ] {
        refuted(&board, &rule(&["c: cell", "d: digit in digits(c)", require, "eliminate d from c"]));
    }
    let none =
        ["c: cell", "d: digit in digits(c)", "S: cells[0..]", "require no S or no d in row(c) - c", "place d in c"];
    refuted(&board, &rule(&none));
    let apart = "require b avoiding c and b meeting box(c)";
    let none =
        rule(&["c: cell", "d: digit in digits(c)", "b: row", apart, "require no b & box(c)", "eliminate d from c"]);
    let status = on(&Geometry::latin(4), &none);
    assert!(matches!(status, Status::Refuted(_)), "{status}");
}

/// Either what is concluded holds or a guardian is true, also where nothing is left of what is concluded.
#[test]
fn guardians_alone() {
    let board = Geometry::standard(4).expect("a standard board");
    let nothing = ["c, e: cell", "d: digit", "require no d in c", "guardians G = d in e", "conclude some d in c"];
    refuted(&board, &rule(&nothing));
    refuted(&board, &rule(&["h: house", "d: digit", "guardians G = d in h - h", "place d in h"]));
}

/// A family that has more members on larger boards is asked here for those of one board only.
#[test]
fn members_of_larger_boards_are_not_asked_for() {
    let text = |range: &str| {
        format!(
            "technique over \"Over\" {{\n  p: candidate\n  suppose p using rules sets, reaches contradiction\n  eliminate p\n}}\n\n\
             technique sets(n: {range}) \"{{n}} Cells\" {{\n  h: house\n  s: cells[n] in h\n  \
             require #digits(s) = n\n  eliminate digits(s) from h - s\n}}\n"
        )
    };
    for (range, every) in [("2..", false), ("2..5", false), ("2..2", true), ("2..3", true)] {
        let status = on_4x4(&text(range));
        let Status::Supposed { every_board, sound: true } = status else { panic!("{range}: {status}") };
        assert_eq!(every_board, every, "{range}");
    }
}

/// A rule whose steps are joined is proved in every view in which it is searched.
#[test]
fn joined_views_are_asked_for() {
    let text = "technique twice \"Twice\" {\n  join once by c\n}\n\n\
                technique once \"Once\" also in rn \"Once in a Row\" {\n  c: cell\n  d: digit in digits(c)\n  \
                require (#cells = 16 and #(cells seeing c) = 6) or no d in row(c) - c\n  place d in c\n}\n";
    let status = on_4x4(text);
    assert!(!status.is_proved(), "{status}");
    let alone = on_4x4(&text.replace(" also in rn \"Once in a Row\"", ""));
    assert!(alone.is_proved(), "{alone}");
}
