//! Line ends and byte order marks: every text says the same with LF, CR LF or CR, and with or without a mark.

use super::lsp::Editor;
use super::{ONE_WING, exit_code, fresh_folder, pinion, run, run_with, transcript, write_file};
use pinion::lang::diagnostic::line_and_column;
use pinion::lang::format::format;
use pinion::lang::line_ends::{LineEnd, all_as_lf, are_mixed, lone_cr_as_lf};
use std::process::Output;

/// A comment first: where CR ends no line, all of the file is part of it.
const RULE: &str = "// A pair of a row\n/// Two cells.\ntechnique my_pair \"My Pair\" {\n  r: row\n  s: cells[2] in r\n  require #digits(s) = 2\n  eliminate digits(s) from r - s\n  because \"Two cells share two digits.\"\n}\n\n/// Shown.\nexample my_pair \"in four\" {\n  grid \"\"\"\n    12 12 34 1234\n    3 4 12 12\n    124 3 124 124\n    124 12 1234 3\n  \"\"\"\n  finds r1c4<>12\n}\n";
const SLIP: &str = "// First\ntechnique slip \"Slip\" {\n  c: cell = {d}\n  place e in c\n}\n";
const PROFILE: &str = "// Prices\n(\n  name: \"mine\",\n  // The first\n  rows: [(technique: \"naked_single\"), (technique: \"hidden_single\")],\n)\n";

const ENDS: [&str; 3] = ["\n", "\r\n", "\r"];

/// Runs a command on a file with each line end, with and without a mark.
fn every_way(test: &str, text: &str, name: &str, args: &[&str]) -> Vec<Output> {
    let folder = fresh_folder(test);
    let mut out = Vec::new();
    for mark in ["", "\u{feff}"] {
        for end in ENDS {
            write_file(&folder, name, format!("{mark}{}", text.replace('\n', end)));
            out.push(pinion(args).current_dir(&folder).output().unwrap());
        }
    }
    out
}

fn all_alike(outputs: &[Output]) -> String {
    let first = transcript(&outputs[0]);
    for output in outputs {
        assert_eq!(transcript(output), first);
    }
    first
}

#[test]
fn rules_are_read_alike() {
    let checked = all_alike(&every_way("ends_check", RULE, "a.pinion", &["check", "a.pinion"]));
    assert!(checked.contains("1 file, 1 technique: no errors"), "{checked}");
    let tested = all_alike(&every_way("ends_test", RULE, "a.pinion", &["test", "a.pinion"]));
    assert!(tested.contains("1 of 1 test passed"), "{tested}");
    let list = all_alike(&every_way("ends_list", RULE, "a.pinion", &["list", "--rules", "a.pinion"]));
    assert!(list.contains("My Pair"), "{list}");
    let ir = all_alike(&every_way("ends_ir", RULE, "a.pinion", &["emit", "ir", "a.pinion"]));
    assert!(ir.contains("share two digits"), "{ir}");
}

#[test]
fn a_comment_first_does_not_hide_the_rest_from_the_formatter() {
    let written = all_alike(&every_way("ends_fmt", RULE, "a.pinion", &["fmt", "a.pinion"]));
    assert!(!written.contains("W0103") && written.contains("1 unchanged"), "{written}");
}

#[test]
fn places_of_errors_are_the_same() {
    let drawn = all_alike(&every_way("ends_slip", SLIP, "a.pinion", &["check", "a.pinion"]));
    assert!(drawn.contains("a.pinion:4:9"), "{drawn}");
    let json = all_alike(&every_way("ends_json", SLIP, "a.pinion", &["check", "a.pinion", "--format", "github"]));
    assert!(json.contains("line=4"), "{json}");
    assert_eq!(line_and_column("a\r\nb\rc", 5), (3, 1));
    assert_eq!(line_and_column("a\r\nb\rc", 2), (1, 2));
}

#[test]
fn profiles_and_test_files_are_read_alike() {
    let rated = all_alike(&every_way("ends_profile", PROFILE, "mine.ron", &["check", "mine.ron"]));
    assert!(rated.contains("2 rows"), "{rated}");
    let folder = fresh_folder("ends_tests");
    write_file(&folder, "a.pinion", RULE);
    let mut all = Vec::new();
    for end in ENDS {
        write_file(&folder, "a.test", format!("# one{end}{ONE_WING} winged{end}"));
        all.push(pinion(&["test", "a.pinion", "--check"]).current_dir(&folder).output().unwrap());
    }
    assert!(all_alike(&all).contains("a.test:2"), "{}", transcript(&all[0]));
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
fn utf_16_is_named_by_every_reader() {
    let folder = fresh_folder("ends_utf_16");
    let board = "(name: \"mine\", size: 9, extra: [(name: \"window\", cells: \"r234c234\")])\n";
    write_file(&folder, "good.pinion", RULE);
    for (mark, bytes) in [
        ("\u{feff}", u16::to_le_bytes as fn(u16) -> [u8; 2]),
        ("", u16::to_le_bytes),
        ("\u{feff}", u16::to_be_bytes),
        ("", u16::to_be_bytes),
    ] {
        let wide = |text: &str| -> Vec<u8> { format!("{mark}{text}").encode_utf16().flat_map(bytes).collect() };
        let tests = format!("{ONE_WING} winged\n");
        for (name, text) in [("a.pinion", RULE), ("good.test", &tests), ("mine.ron", PROFILE), ("board.ron", board)] {
            write_file(&folder, name, wide(text));
        }
        for args in READERS {
            let output = pinion(args).current_dir(&folder).output().unwrap();
            let words = transcript(&output);
            assert!(exit_code(&output) == 3 && words.contains("is a text in UTF-16"), "{args:?}: {words}");
            assert!(words.contains("save the file as UTF-8"), "{args:?}: {words}");
        }
        write_file(&folder, "puzzle.txt", wide(&tests));
        assert_eq!(exit_code(&pinion(&["solve", "puzzle.txt"]).current_dir(&folder).output().unwrap()), 0);
    }
}

#[test]
fn other_encodings_and_files_are_named() {
    let folder = fresh_folder("ends_other");
    let wide: Vec<u8> = "\u{feff}technique".chars().flat_map(|sign| u32::from(sign).to_le_bytes()).collect();
    for (bytes, words) in [
        (wide, "UTF-32"),
        (b"PK\x03\x04\0\0".to_vec(), "does not read"),
        (b"a\n\0".to_vec(), ":2:1"),
        (b"// \xe9\n".to_vec(), ":1:4"),
    ] {
        let path = write_file(&folder, "a.pinion", bytes);
        let output = run(&["check", &path]);
        assert!(exit_code(&output) == 3 && transcript(&output).contains(words), "{}", transcript(&output));
    }
}

#[test]
fn a_formatted_file_keeps_its_line_ends_and_its_mark() {
    let folder = fresh_folder("ends_formatted");
    let loose = RULE.replace("  r: row", "    r :row");
    for mark in ["", "\u{feff}"] {
        for end in ENDS {
            let (right, odd) = (RULE.replace('\n', end), loose.replace('\n', end));
            let path = write_file(&folder, "a.pinion", format!("{mark}{right}"));
            let check = run(&["fmt", "--check", &path]);
            assert_eq!(exit_code(&check), 0, "{}", transcript(&check));
            write_file(&folder, "a.pinion", format!("{mark}{odd}"));
            assert_eq!(exit_code(&run(&["fmt", &path])), 0);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{mark}{right}"));
            let piped = run_with(&["fmt", "-"], format!("{mark}{odd}").as_bytes());
            assert_eq!(String::from_utf8(piped.stdout).unwrap(), format!("{mark}{right}"));
        }
    }
}

#[test]
fn mixed_line_ends_are_one_line_of_a_check() {
    let folder = fresh_folder("ends_mixed");
    let mixed = RULE.replace('\n', "\r\n").replacen("\r\n", "\n", 1);
    let path = write_file(&folder, "a.pinion", &mixed);
    let check = run(&["fmt", "--check", &path]);
    let text = transcript(&check);
    assert!(exit_code(&check) == 1 && text.contains("most end in CR LF") && text.lines().count() == 4, "{text}");
    assert_eq!(format(&mixed).unwrap(), RULE.replace('\n', "\r\n"));
}

#[test]
fn editors_count_lines_as_they_are() {
    for end in ENDS {
        let folder = fresh_folder("ends_lsp");
        let mut editor = Editor::new(&folder);
        let found = editor.write("file:///slip.pinion", &SLIP.replace('\n', end));
        assert_eq!(found[0]["range"]["start"], serde_json::json!({ "line": 3, "character": 8 }));
        editor.end();
    }
}

#[test]
fn the_most_common_line_end_counts() {
    assert_eq!(LineEnd::most_common("a\nb\n"), LineEnd::Lf);
    assert_eq!(LineEnd::most_common("a\r\nb\r\nc\n"), LineEnd::CrLf);
    assert_eq!(LineEnd::most_common("a\rb\r\nc\r"), LineEnd::Cr);
    assert!(are_mixed("a\rb\n") && !are_mixed("a\r\nb\r\n"));
}

#[test]
fn bytes_keep_their_places_where_cr_becomes_lf() {
    assert_eq!(lone_cr_as_lf("a\r\r\nb\rc"), "a\n\r\nb\nc");
    assert_eq!(all_as_lf("a\r\r\nb\rc"), "a\n\nb\nc");
}
