//! Small texts that would grow large are refused by name, whatever grows and in whichever order it is written.

use pinion::lang::compile;

/// Lines that define names, each twice the one before.
fn doubling(first: &str, operator: &str, lines: usize) -> Vec<String> {
    let line = |n: usize| match operator {
        "those" => format!("  let x{} = those v{n} in x{n} with #(x{n} - v{n}) > 1", n + 1),
        _ => format!("  let x{} = x{n} {operator} x{n}", n + 1),
    };
    std::iter::once(format!("  let x0 = {first}")).chain((0..lines).map(line)).collect()
}

fn rule(lets: &[String], last: &str) -> String {
    let lets = lets.join("\n");
    format!(
        "technique large \"Large\" {{\n  h: house\n  s: cells[2] in h\n  d: digit in digits(s)\n{lets}\n  require {last}\n  eliminate d from h - s\n}}\n"
    )
}

#[test]
fn names_that_double_are_refused() {
    for (first, operator, last) in [
        ("#digits(s)", "+", "x27 > 3"),
        ("s", "+", "#x27 > 1"),
        ("d in s", "+", "#x27 > 1"),
        ("digits(s)", "+", "#x27 > 1"),
        ("rows(s)", "+", "#x27 > 1"),
        ("s", "those", "#x27 > 1"),
    ] {
        let mut lets = doubling(first, operator, 27);
        for _ in 0..2 {
            let found = compile(&rule(&lets, last)).1;
            let codes: Vec<&str> = found.iter().map(|one| one.code).collect();
            assert!(codes.contains(&"E0112"), "{first}, {operator}: {codes:?}");
            // A name may be defined below those that mention it.
            lets.reverse();
        }
    }
}

#[test]
fn names_that_double_a_few_times_are_not() {
    let (lowered, found) = compile(&rule(&doubling("#digits(s)", "+", 5), "x5 > 3"));
    assert_eq!((lowered.techniques.len(), found), (1, vec![]));
}

#[test]
fn lines_that_are_too_large_together_are_refused() {
    let mut lets = doubling("#digits(s)", "+", 8);
    lets.extend((0..100).map(|_| "  require x8 > 3".to_owned()));
    let (lowered, found) = compile(&rule(&lets, "x8 > 3"));
    assert!(lowered.techniques.is_empty());
    assert_eq!(found.iter().map(|one| one.code).collect::<Vec<_>>(), ["E0112"]);
    assert!(found[0].message.contains("this rule is too large"));
}

#[test]
fn a_running_name_is_no_cell_without_a_word() {
    let rule = |over: &str| {
        format!(
            "technique t \"T\" {{\n  h: row\n  s: cells[2] in h\n  d: digit in digits(s)\n  require #(d in b) = 1 for some b in {over}\n  eliminate d from h - s\n}}\n"
        )
    };
    for over in [
        "houses - h",
        "(rows - h)",
        "rows & h",
        "houses - s",
        "houses - s - h",
        "(those b in rows - h with some d in b)",
    ] {
        let found = compile(&rule(over)).1;
        assert_eq!(found.iter().map(|one| one.code).collect::<Vec<_>>(), ["E0404"], "{over}: {found:?}");
    }
    for over in ["(those k in houses with k != h)", "cells(houses - h)", "h - s", "rows - lines", "houses & rows"] {
        let found = compile(&rule(over)).1;
        assert_eq!(found, vec![], "{over}");
    }
}

#[test]
fn sets_of_candidates_are_refused_by_name() {
    let text = "technique t \"T\" {\n  s: cells[2]\n  t: candidates[2] in candidates excluded by some digits in s\n  eliminate t\n}\n";
    let found = compile(text).1;
    assert_eq!(found.iter().map(|one| one.code).collect::<Vec<_>>(), ["E0311"]);
}

/// An item of many lines, texts or comments costs no more than one that is read.
#[test]
fn items_that_are_too_large_as_written_are_refused() {
    let item = |lines: &str| format!("technique b \"B\" {{\n  c: cell = {{d}}\n{lines}  place d in c\n}}\n");
    let many = |line: &str| item(&line.repeat(10_000));
    let text = |part: &str| item(&format!("  because \"\"\"{}\"\"\"\n", part.repeat(3_000)));
    for (large, code) in [
        (many("  require #c = 1\n"), "E0112"),
        (many("  called \"{c}\"\n"), "E0112"),
        (item(&"  // a\n".repeat(50_001)), "E0112"),
        (format!("{}{}", "/// a\n".repeat(50_001), item("")), "E0112"),
        (";".repeat(10_001), "E0112"),
        (text("{c} "), "E0107"),
        (text("c\n"), "E0107"),
    ] {
        let start = &large[..40];
        let found = compile(&large).1;
        assert_eq!(found.iter().map(|one| one.code).collect::<Vec<_>>(), [code], "{start}");
        let unformatted = pinion::lang::format::format(&large).expect_err(start);
        let pinion::lang::format::FormatterError::Unreadable(found) = unformatted else { panic!("{start}: not read") };
        assert_eq!(found[0].code, code, "{start}");
    }
    let file: String =
        (0..50).map(|n| item(&"  require #c = 1\n".repeat(500)).replace(" b ", &format!(" b{n} "))).collect();
    assert!(compile(&file).1.is_empty(), "each item is counted alone");
    let blank = item(&"\n".repeat(100_000));
    assert!(compile(&blank).1.is_empty(), "empty lines are no part of an item");
}
