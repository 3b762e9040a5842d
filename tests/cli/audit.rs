//! `pinion audit`: counts, wrong matches, sampling, threads, and runs in parts.

use super::{EASY, ONE_WING, assert_output, exit_code, fresh_folder, json_output, run, transcript, write_file};
use serde_json::Value;

/// A wrong rule: it eliminates one of the last two candidates of a digit in a house.
const WRONG: &str = r#"
technique hasty "Hasty" {
  d: digit
  h: house
  require d in h = {a, b}
  eliminate d from a
}
"#;

/// Exit code and JSON record of an audit.
fn audit(args: &[&str]) -> (i32, Value) {
    let output = run(&[&["audit", "--format", "json"], args].concat());
    (exit_code(&output), json_output(&output))
}

/// A copy of the record without times, for the comparison of two runs.
fn without_times(record: &Value) -> Value {
    let mut record = record.clone();
    record["path_seconds"].take();
    for row in record["techniques"].as_array_mut().expect("a list") {
        row["seconds"].take();
    }
    record
}

#[test]
fn an_audit_of_the_rulebook_finds_nothing_wrong() {
    let folder = fresh_folder("audit");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY}\n{ONE_WING}\n"));
    let small_puzzle = write_file(&folder, "small.txt", "3.1......3.2....\n");
    let techniques = ["-t", "naked_single", "-t", "w_wing", "-t", "Naked Pair"];
    let (exit, record) = audit(&[&[puzzles.as_str(), small_puzzle.as_str()][..], &techniques].concat());
    assert_eq!(exit, 0);
    assert_eq!((&record["puzzles"], &record["wrong"]), (&3.into(), &0.into()));
    let labels: Vec<&Value> =
        record["techniques"].as_array().expect("a list").iter().map(|row| &row["technique"]).collect();
    assert_eq!(labels, ["naked_single", "naked_subset(2)", "w_wing"]);
    assert!(record["techniques"][0]["matches"].as_u64() > Some(0) && record["matches"].as_u64() > Some(100));
    let with_threads = [&[puzzles.as_str(), small_puzzle.as_str(), "--threads", "3"][..], &techniques].concat();
    assert_eq!(without_times(&audit(&with_threads).1), without_times(&record));
    let every_fifth = [&[puzzles.as_str(), small_puzzle.as_str(), "--every", "5"][..], &techniques].concat();
    let (all, sampled) = (record["states"].as_u64(), audit(&every_fifth).1["states"].as_u64());
    assert!(sampled > Some(10) && sampled.map(|sampled| sampled * 4) < all, "{sampled:?} of {all:?}");
}

#[test]
fn a_wrong_match_is_shown_with_its_state() {
    let folder = fresh_folder("audit_wrong");
    let rules = write_file(&folder, "wrong.pinion", WRONG);
    let output = run(&["audit", ONE_WING, "--rules", &rules, "-t", "hasty", "--threads", "1"]);
    assert_eq!(exit_code(&output), 1, "{}", transcript(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last_line = text.lines().last().expect("a last line");
    assert!(last_line.starts_with("1 puzzle, ") && !last_line.ends_with(" 0 wrong"), "{text}");
    assert!(text.contains("contradicts the solution"), "{text}");
    let (_, record) = audit(&[ONE_WING, "--rules", &rules, "-t", "hasty"]);
    let example = &record["techniques"][0]["examples"][0];
    // `find` finds the wrong match in the state of the example.
    let state = example["state"].as_str().expect("a state");
    let found = transcript(&run(&["find", state, "--rules", &rules, "-t", "hasty"]));
    let deduction = example["says"].as_str().expect("a deduction");
    assert!(found.contains(deduction), "{deduction}: {found}");
}

#[test]
fn an_audit_with_wrong_only_finds_the_same_wrong_matches() {
    let folder = fresh_folder("audit_wrong_only");
    let rules = write_file(&folder, "wrong.pinion", WRONG);
    let wrong =
        |record: &Value| (record["techniques"][0]["wrong"].clone(), record["techniques"][0]["examples"].clone());
    let hasty_rule = ["--rules", rules.as_str(), "-t", "hasty"];
    let (exit, wrong_only) = audit(&[&[ONE_WING, "--wrong-only"][..], &hasty_rule].concat());
    let (_, without_wrong_only) = audit(&[&[ONE_WING][..], &hasty_rule].concat());
    assert_eq!(exit, 1);
    assert!(
        wrong_only["wrong"].as_u64() > Some(0)
            && wrong_only["matches"].is_null()
            && wrong_only["searches"] == wrong_only["states"],
        "{wrong_only}"
    );
    assert_eq!(wrong(&wrong_only), wrong(&without_wrong_only));
    let output = run(&[&["audit", ONE_WING, "--wrong-only", "--threads", "1"][..], &hasty_rule].concat());
    let text = transcript(&output);
    assert!(text.contains("hasty: ") && text.contains("contradicts the solution"), "{text}");
    let audit_of_sound_rules = run(&["audit", ONE_WING, "--wrong-only", "-t", "w_wing", "-t", "naked_single"]);
    let text_without_wrong = transcript(&audit_of_sound_rules);
    let last_line = text_without_wrong.lines().last().expect("a last line");
    assert!(last_line.starts_with("1 puzzle, ") && last_line.ends_with(" searches, 0 wrong"), "{text_without_wrong}");
    assert_eq!(exit_code(&audit_of_sound_rules), 0);
}

#[test]
fn an_audit_can_be_run_in_parts() {
    let folder = fresh_folder("audit_parts");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY}\n{ONE_WING}\n"));
    let run_part = |options: &[&str]| {
        audit(&[&[puzzles.as_str(), puzzles.as_str(), "-t", "naked_single"][..], options].concat()).1
    };
    let whole = run_part(&[]);
    assert_eq!(whole["puzzles"], 4);
    let parts = [run_part(&["--first", "3"]), run_part(&["--skip", "3", "--first", "9"])];
    assert_eq!(parts.each_ref().map(|part| part["puzzles"].as_u64()), [Some(3), Some(1)]);
    let matches: u64 = parts.iter().filter_map(|part| part["matches"].as_u64()).sum();
    assert_eq!(Some(matches), whole["matches"].as_u64());
    assert_eq!(exit_code(&run(&["audit", EASY, "--skip", "1"])), 4, "an audit without puzzles is a failure");
}

#[test]
fn unreadable_and_ambiguous_puzzles_are_skipped() {
    let folder = fresh_folder("audit_skipped");
    let ambiguous = ".".repeat(79) + "12";
    let puzzles = write_file(&folder, "mixed.txt", format!("{EASY}\n{ambiguous}\n12\n"));
    let output = run(&["audit", &puzzles, "-t", "naked_single"]);
    assert_output(&output, 3, "Skipped: 1 with several, 1 not readable");
    assert_eq!(
        exit_code(&run(&["audit", &ambiguous, "-t", "naked_single"])),
        4,
        "an audit without puzzles is a failure"
    );
    for args in [&["audit", EASY, "-t", "naked_singel"][..], &["audit", EASY, "--every", "0"], &["audit"]] {
        assert_eq!(exit_code(&run(args)), 2);
    }
    assert_eq!(exit_code(&run(&["audit", "no-such-file.txt"])), 3);
}
