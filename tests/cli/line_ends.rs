//! Line ends and byte order marks: a text means the same with LF, CR LF or CR, and with or without a mark. UTF-16 is refused.

use super::lsp::Editor;
use super::{ONE_WING, assert_output, exit_code, fresh_folder, pinion, run, run_with, transcript, write_file};
use pinion::lang::diagnostic::line_and_column;
use pinion::lang::format::format;
use pinion::lang::line_ends::{LineEnd, all_as_lf, are_mixed, lone_cr_as_lf};
use std::process::Output;

/// A file that begins with a comment: if CR did not end a line, the whole file would be that comment.
const RULE: &str = "// A pair of a row\n/// Two cells.\ntechnique my_pair \"My Pair\" {\n  r: row\n  s: cells[2] in r\n  require #digits(s) = 2\n  eliminate digits(s) from r - s\n  because \"Two cells share two digits.\"\n}\n\n/// Shown.\nexample my_pair \"in four\" {\n  grid \"\"\"\n    12 12 34 1234\n    3 4 12 12\n    124 3 124 124\n    124 12 1234 3\n  \"\"\"\n  finds r1c4<>12\n}\n";
const RULE_WITH_ERROR: &str = "// First\ntechnique slip \"Slip\" {\n  c: cell = {d}\n  place e in c\n}\n";
const PROFILE: &str = "// Prices\n(\n  name: \"mine\",\n  // The first\n  rows: [(technique: \"naked_single\"), (technique: \"hidden_single\")],\n)\n";

const LINE_ENDS: [&str; 3] = ["\n", "\r\n", "\r"];

/// Runs a command on a file with each line end, with and without a byte order mark.
fn run_with_each_line_end(test: &str, text: &str, name: &str, args: &[&str]) -> Vec<Output> {
    let folder = fresh_folder(test);
    let mut outputs = Vec::new();
    for mark in ["", "\u{feff}"] {
        for end in LINE_ENDS {
            write_file(&folder, name, format!("{mark}{}", text.replace('\n', end)));
            outputs.push(pinion(args).current_dir(&folder).output().unwrap());
        }
    }
    outputs
}

/// Checks that all outputs are equal and returns one of them.
fn common_transcript(outputs: &[Output]) -> String {
    let first = transcript(&outputs[0]);
    for output in outputs {
        assert_eq!(transcript(output), first);
    }
    first
}

#[test]
fn rules_are_read_with_any_line_end() {
    let check = common_transcript(&run_with_each_line_end("ends_check", RULE, "a.pinion", &["check", "a.pinion"]));
    assert!(check.contains("1 file, 1 technique: no errors"), "{check}");
    let test = common_transcript(&run_with_each_line_end("ends_test", RULE, "a.pinion", &["test", "a.pinion"]));
    assert!(test.contains("1 of 1 test passed"), "{test}");
    let list =
        common_transcript(&run_with_each_line_end("ends_list", RULE, "a.pinion", &["list", "--rules", "a.pinion"]));
    assert!(list.contains("My Pair"), "{list}");
    let ir = common_transcript(&run_with_each_line_end("ends_ir", RULE, "a.pinion", &["emit", "ir", "a.pinion"]));
    assert!(ir.contains("share two digits"), "{ir}");
}

#[test]
fn the_formatter_reads_a_file_that_begins_with_a_comment() {
    let formatted = common_transcript(&run_with_each_line_end("ends_fmt", RULE, "a.pinion", &["fmt", "a.pinion"]));
    assert!(!formatted.contains("W0103") && formatted.contains("1 unchanged"), "{formatted}");
}

#[test]
fn errors_have_the_same_position_with_any_line_end() {
    let text =
        common_transcript(&run_with_each_line_end("ends_slip", RULE_WITH_ERROR, "a.pinion", &["check", "a.pinion"]));
    assert!(text.contains("a.pinion:4:9"), "{text}");
    let annotations = common_transcript(&run_with_each_line_end(
        "ends_json",
        RULE_WITH_ERROR,
        "a.pinion",
        &["check", "a.pinion", "--format", "github"],
    ));
    assert!(annotations.contains("line=4"), "{annotations}");
    assert_eq!(line_and_column("a\r\nb\rc", 5), (3, 1));
    assert_eq!(line_and_column("a\r\nb\rc", 2), (1, 2));
}

#[test]
fn profiles_and_test_files_are_read_with_any_line_end() {
    let checked =
        common_transcript(&run_with_each_line_end("ends_profile", PROFILE, "mine.ron", &["check", "mine.ron"]));
    assert!(checked.contains("2 rows"), "{checked}");
    let folder = fresh_folder("ends_tests");
    write_file(&folder, "a.pinion", RULE);
    let mut outputs = Vec::new();
    for end in LINE_ENDS {
        write_file(&folder, "a.test", format!("# one{end}{ONE_WING} winged{end}"));
        outputs.push(pinion(&["test", "a.pinion", "--check"]).current_dir(&folder).output().unwrap());
    }
    assert!(common_transcript(&outputs).contains("a.test:2"), "{}", transcript(&outputs[0]));
}

/// Every command that reads a rule, a test file, a profile or a board.
const READERS: [&[&str]; 23] = [
    &["check", "a.pinion"],
    &["lint", "a.pinion"],
    &["fmt", "a.pinion"],
    &["fmt", "--check", "a.pinion"],
    &["test", "a.pinion"],
    &["test", "good.pinion"],
    &["prove", "a.pinion"],
    &["emit", "ir", "a.pinion"],
    &["list", "--rules", "a.pinion"],
    &["solve", ONE_WING, "--rules", "a.pinion"],
    &["find", ONE_WING, "--rules", "a.pinion"],
    &["rate", ONE_WING, "--rules", "a.pinion"],
    &["why", ONE_WING, "-t", "my_pair", "--rules", "a.pinion"],
    &["why-not", ONE_WING, "-t", "my_pair", "--rules", "a.pinion"],
    &["compare", "my_pair", "--on", ONE_WING, "--rules", "a.pinion"],
    &["stats", ONE_WING, "--rules", "a.pinion"],
    &["audit", ONE_WING, "--rules", "a.pinion"],
    &["check", "mine.ron"],
    &["solve", ONE_WING, "--profile", "mine.ron"],
    &["check", "board.ron"],
    &["board", "board.ron"],
    &["solve", ONE_WING, "--board", "board.ron"],
    &["convert", ONE_WING, "--board", "board.ron", "--to", "81"],
];

#[test]
fn each_command_says_that_a_file_is_utf_16() {
    let folder = fresh_folder("ends_utf_16");
    let board = "(name: \"mine\", size: 9, extra: [(name: \"window\", cells: \"r234c234\")])\n";
    write_file(&folder, "good.pinion", RULE);
    for (mark, bytes) in [
        ("\u{feff}", u16::to_le_bytes as fn(u16) -> [u8; 2]),
        ("", u16::to_le_bytes),
        ("\u{feff}", u16::to_be_bytes),
        ("", u16::to_be_bytes),
    ] {
        let utf_16 = |text: &str| -> Vec<u8> { format!("{mark}{text}").encode_utf16().flat_map(bytes).collect() };
        let tests = format!("{ONE_WING} winged\n");
        for (name, text) in [("a.pinion", RULE), ("good.test", &tests), ("mine.ron", PROFILE), ("board.ron", board)] {
            write_file(&folder, name, utf_16(text));
        }
        for args in READERS {
            let output = pinion(args).current_dir(&folder).output().unwrap();
            let message = transcript(&output);
            assert!(exit_code(&output) == 3 && message.contains("is a text in UTF-16"), "{args:?}: {message}");
            assert!(message.contains("save the file as UTF-8"), "{args:?}: {message}");
        }
        write_file(&folder, "puzzle.txt", utf_16(&tests));
        assert_eq!(exit_code(&pinion(&["solve", "puzzle.txt"]).current_dir(&folder).output().unwrap()), 0);
    }
}

#[test]
fn an_error_names_utf_32_archives_and_bad_bytes() {
    let folder = fresh_folder("ends_other");
    let utf_32: Vec<u8> =
        "\u{feff}technique".chars().flat_map(|character| u32::from(character).to_le_bytes()).collect();
    for (bytes, message_part) in [
        (utf_32, "UTF-32"),
        (b"PK\x03\x04\0\0".to_vec(), "does not read"),
        (b"a\n\0".to_vec(), ":2:1"),
        (b"// \xe9\n".to_vec(), ":1:4"),
    ] {
        let path = write_file(&folder, "a.pinion", bytes);
        let output = run(&["check", &path]);
        assert_output(&output, 3, message_part);
    }
}

#[test]
fn a_formatted_file_keeps_its_line_ends_and_its_byte_order_mark() {
    let folder = fresh_folder("ends_formatted");
    let unformatted_rule = RULE.replace("  r: row", "    r :row");
    for mark in ["", "\u{feff}"] {
        for end in LINE_ENDS {
            let (formatted, unformatted) = (RULE.replace('\n', end), unformatted_rule.replace('\n', end));
            let path = write_file(&folder, "a.pinion", format!("{mark}{formatted}"));
            let check = run(&["fmt", "--check", &path]);
            assert_eq!(exit_code(&check), 0, "{}", transcript(&check));
            write_file(&folder, "a.pinion", format!("{mark}{unformatted}"));
            assert_eq!(exit_code(&run(&["fmt", &path])), 0);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{mark}{formatted}"));
            let piped = run_with(&["fmt", "-"], format!("{mark}{unformatted}").as_bytes());
            assert_eq!(String::from_utf8(piped.stdout).unwrap(), format!("{mark}{formatted}"));
        }
    }
}

#[test]
fn fmt_check_reports_mixed_line_ends_in_one_line() {
    let folder = fresh_folder("ends_mixed");
    let mixed = RULE.replace('\n', "\r\n").replacen("\r\n", "\n", 1);
    let path = write_file(&folder, "a.pinion", &mixed);
    let check = run(&["fmt", "--check", &path]);
    let text = transcript(&check);
    assert!(exit_code(&check) == 1 && text.contains("most end in CR LF") && text.lines().count() == 4, "{text}");
    assert_eq!(format(&mixed).unwrap(), RULE.replace('\n', "\r\n"));
}

#[test]
fn the_language_server_counts_lines_with_any_line_end() {
    for end in LINE_ENDS {
        let folder = fresh_folder("ends_lsp");
        let mut editor = Editor::new(&folder);
        let diagnostics = editor.write("file:///slip.pinion", &RULE_WITH_ERROR.replace('\n', end));
        assert_eq!(diagnostics[0]["range"]["start"], serde_json::json!({ "line": 3, "character": 8 }));
        editor.end();
    }
}

#[test]
fn the_most_common_line_end_is_found() {
    assert_eq!(LineEnd::most_common("a\nb\n"), LineEnd::Lf);
    assert_eq!(LineEnd::most_common("a\r\nb\r\nc\n"), LineEnd::CrLf);
    assert_eq!(LineEnd::most_common("a\rb\r\nc\r"), LineEnd::Cr);
    assert!(are_mixed("a\rb\n") && !are_mixed("a\r\nb\r\n"));
}

#[test]
fn cr_is_replaced_by_lf() {
    assert_eq!(lone_cr_as_lf("a\r\r\nb\rc"), "a\n\r\nb\nc");
    assert_eq!(all_as_lf("a\r\r\nb\rc"), "a\n\nb\nc");
}
