//! Rules that would expand to a huge size are refused with an error. Also: errors for set names and variables of the wrong kind.

use pinion::lang::compile;

/// Lines that define `x0` as `first` and each further name as twice the name before: `let x1 = x0 + x0`.
fn doubling(first: &str, operator: &str, lines: usize) -> Vec<String> {
    let line = |n: usize| match operator {
        "those" => format!("  let x{} = those v{n} in x{n} with #(x{n} - v{n}) > 1", n + 1),
        _ => format!("  let x{} = x{n} {operator} x{n}", n + 1),
    };
    std::iter::once(format!("  let x0 = {first}")).chain((0..lines).map(line)).collect()
}

/// The codes of the errors of a rule text.
fn error_codes(text: &str) -> Vec<&'static str> {
    compile(text).1.iter().map(|error| error.code).collect()
}

/// A rule with these definitions and a last condition.
fn rule(lets: &[String], condition: &str) -> String {
    let lets = lets.join("\n");
    format!(
        "technique large \"Large\" {{\n  h: house\n  s: cells[2] in h\n  d: digit in digits(s)\n{lets}\n  require {condition}\n  eliminate d from h - s\n}}\n"
    )
}

#[test]
fn names_that_double_27_times_are_refused() {
    for (first, operator, condition) in [
        ("#digits(s)", "+", "x27 > 3"),
        ("s", "+", "#x27 > 1"),
        ("d in s", "+", "#x27 > 1"),
        ("digits(s)", "+", "#x27 > 1"),
        ("rows(s)", "+", "#x27 > 1"),
        ("s", "those", "#x27 > 1"),
    ] {
        let mut lets = doubling(first, operator, 27);
        for _ in 0..2 {
            let codes = error_codes(&rule(&lets, condition));
            assert!(codes.contains(&"E0112"), "{first}, {operator}: {codes:?}");
            // In the second round, each name is defined below the line that uses it.
            lets.reverse();
        }
    }
}

#[test]
fn names_that_double_5_times_are_accepted() {
    let (lowered, errors) = compile(&rule(&doubling("#digits(s)", "+", 5), "x5 > 3"));
    assert_eq!((lowered.techniques.len(), errors), (1, vec![]));
}

#[test]
fn conditions_that_are_too_large_together_are_refused() {
    let mut lines = doubling("#digits(s)", "+", 8);
    lines.extend((0..100).map(|_| "  require x8 > 3".to_owned()));
    let (lowered, errors) = compile(&rule(&lines, "x8 > 3"));
    assert!(lowered.techniques.is_empty());
    assert_eq!(errors.iter().map(|error| error.code).collect::<Vec<_>>(), ["E0112"]);
    assert!(errors[0].message.contains("this rule is too large"));
}

#[test]
fn a_range_of_houses_has_no_cells_without_the_word_cells() {
    // In `for some b in {over}`, `{over}` ranges over houses or over cells, but not over a mixture.
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
        assert_eq!(error_codes(&rule(over)), ["E0404"], "{over}");
    }
    for over in ["(those k in houses with k != h)", "cells(houses - h)", "h - s", "rows - lines", "houses & rows"] {
        assert_eq!(error_codes(&rule(over)), Vec::<&str>::new(), "{over}");
    }
}

#[test]
fn a_variable_for_a_set_of_candidates_is_refused() {
    let text = "technique t \"T\" {\n  s: cells[2]\n  t: candidates[2] in candidates excluded by some digits in s\n  eliminate t\n}\n";
    assert_eq!(error_codes(text), ["E0311"]);
}

/// The error of an oversized item is found before the item is checked or formatted.
#[test]
fn items_with_too_many_lines_comments_or_placeholders_are_refused() {
    let item = |lines: &str| format!("technique b \"B\" {{\n  c: cell = {{d}}\n{lines}  place d in c\n}}\n");
    let with_repeated_line = |line: &str| item(&line.repeat(10_000));
    let with_repeated_text = |part: &str| item(&format!("  because \"\"\"{}\"\"\"\n", part.repeat(3_000)));
    for (item_text, code) in [
        (with_repeated_line("  require #c = 1\n"), "E0112"),
        (with_repeated_line("  called \"{c}\"\n"), "E0112"),
        (item(&"  // a\n".repeat(50_001)), "E0112"),
        (format!("{}{}", "/// a\n".repeat(50_001), item("")), "E0112"),
        (";".repeat(10_001), "E0112"),
        (with_repeated_text("{c} "), "E0107"),
        (with_repeated_text("c\n"), "E0107"),
    ] {
        let start = &item_text[..40];
        assert_eq!(error_codes(&item_text), [code], "{start}");
        let unformatted = pinion::lang::format::format(&item_text).expect_err(start);
        let pinion::lang::format::FormatterError::Unreadable(errors) = unformatted else { panic!("{start}: not read") };
        assert_eq!(errors[0].code, code, "{start}");
    }
    let file: String =
        (0..50).map(|n| item(&"  require #c = 1\n".repeat(500)).replace(" b ", &format!(" b{n} "))).collect();
    assert!(compile(&file).1.is_empty(), "each item has a limit of its own");
    let with_empty_lines = item(&"\n".repeat(100_000));
    assert!(compile(&with_empty_lines).1.is_empty(), "empty lines are not counted");
}
