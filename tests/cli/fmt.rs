//! `pinion fmt`: files in place, `--check`, standard input, JSON, and large files.

use super::{exit_code, fresh_folder, json_output, pinion, run, run_with, transcript, write_file};
use crate::common::quick_or_full;

const RULE_WITH_ERROR: &str = "technique one \"One\" {\n    c : cell={d}\n  place d in c }\n";
const UNFORMATTED: &str = "/// Why.\n\n///more\ntechnique one \"One\" {\n    c : cell={d}\n\n\n  place d   in c\n}\n\nexample one {\n grid \"\"\"1   2  34 34\n    134 34 1  2\n    2   1  34 34\n    34  34 2  1\"\"\"\n finds r1c1=1\n  finds r2c3=1\n}\n";

#[test]
fn files_are_formatted_in_place() {
    let folder = fresh_folder("fmt");
    let path = write_file(&folder, "loose.pinion", UNFORMATTED);
    let check = pinion(&["fmt", "--check", "loose.pinion"]).current_dir(&folder).output().unwrap();
    insta::assert_snapshot!("fmt_check", transcript(&check));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), UNFORMATTED);
    let write = pinion(&["fmt"]).current_dir(&folder).output().unwrap();
    insta::assert_snapshot!("fmt_write", transcript(&write));
    insta::assert_snapshot!("fmt_written", std::fs::read_to_string(&path).unwrap());
    assert_eq!(exit_code(&run(&["fmt", "--check", &path])), 0);
}

#[test]
fn a_file_with_errors_is_unchanged_and_others_are_formatted() {
    let folder = fresh_folder("fmt_errors");
    let (with_error, unformatted) =
        (write_file(&folder, "odd.pinion", RULE_WITH_ERROR), write_file(&folder, "loose.pinion", UNFORMATTED));
    let output = pinion(&["fmt", "."]).current_dir(&folder).output().unwrap();
    insta::assert_snapshot!("fmt_errors", transcript(&output));
    assert_eq!(std::fs::read_to_string(&with_error).unwrap(), RULE_WITH_ERROR);
    assert_ne!(std::fs::read_to_string(&unformatted).unwrap(), UNFORMATTED);
}

#[test]
fn the_standard_input_is_formatted_to_the_standard_output() {
    let output = run_with(&["fmt", "-"], UNFORMATTED.as_bytes());
    assert_eq!(exit_code(&output), 0);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(exit_code(&run_with(&["fmt", "--check", "-"], text.as_bytes())), 0);
    assert_eq!(exit_code(&run_with(&["fmt", "--check", "-"], UNFORMATTED.as_bytes())), 1);
}

#[test]
fn the_formatted_standard_input_can_be_a_json_value() {
    let rule = "technique a(\n  n: 2..3\n) \"X\" {\n  h: house\n  s: cells[ n ] in h\n  require #digits( s ) = n\n  eliminate digits(\n    s\n  ) from h - s\n}\n";
    let record = json_output(&run_with(&["fmt", "-", "--format", "json"], rule.as_bytes()));
    assert_eq!(record["status"], "formatted");
    let text = record["text"].as_str().expect("a text");
    assert!(text.starts_with("technique a(n: 2..3) \"X\" {\n  h: house\n  s: cells[n] in h\n"), "{text}");
    let checked = json_output(&run_with(&["fmt", "-", "--check", "--format", "json"], text.as_bytes()));
    assert_eq!((&checked["status"], &checked["text"]), (&"unchanged".into(), &serde_json::Value::Null));
    let output = run_with(&["fmt", "-", "--check", "--format", "json"], rule.as_bytes());
    assert_eq!((exit_code(&output), &json_output(&output)["status"]), (1, &"would_change".into()));
    let broken = run_with(&["fmt", "-", "--format", "json"], b"fish");
    assert_eq!((exit_code(&broken), &json_output(&broken)["status"]), (1, &"errors".into()));
}

/// Files of some megabytes are formatted or refused within 120 megabytes, hardly more than the program needs for a small file.
#[cfg(target_os = "linux")]
#[test]
fn a_large_file_takes_little_memory() {
    let folder = fresh_folder("fmt_large");
    let item = |lines: &str| format!("technique b \"B\" {{\n  c: cell = {{d}}\n{lines}  place d in c\n}}\n");
    let texts = [
        item(&"  require #c = 1\n".repeat(200_000)),
        item(&format!("  because \"{}\"\n", "{c} x ".repeat(500_000))),
        item(&format!("  because \"\"\"{}\"\"\"\n", "x\n".repeat(1_000_000))),
        item(&"  called \"{c}\"\n".repeat(200_000)),
        format!("{}{}", "/// x\n".repeat(500_000), item("")),
        "\n".repeat(3_000_000),
        "// x\n".repeat(600_000),
    ];
    for text in texts.into_iter().step_by(quick_or_full(3, 1)) {
        let path = write_file(&folder, "large.pinion", &text);
        let output = run(&["fmt", "--check", &path, "--memory", "120"]);
        let message = transcript(&output);
        assert!(exit_code(&output) <= 1 && !message.contains("memory"), "{}: {message}", &text[..40]);
    }
}
