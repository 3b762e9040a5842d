//! `pinion audit`, as users meet it.

use super::{EASY, ONE_WING, exit_code, fresh_folder, run, transcript, write_file};
use serde_json::Value;

/// Takes every candidate of a digit away that it sees only once.
const WRONG: &str = r#"
technique hasty "Hasty" {
  d: digit
  h: house
  require d in h = {a, b}
  eliminate d from a
}
"#;

fn audit(args: &[&str]) -> (i32, Value) {
    let output = run(&[&["audit", "--format", "json"], args].concat());
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    (exit_code(&output), serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {}", transcript(&output))))
}

/// All but the time, which no two runs share.
fn counted(value: &Value) -> Value {
    let mut value = value.clone();
    value["path_seconds"].take();
    value["techniques"].as_array_mut().expect("a list").iter_mut().for_each(|row| {
        row["seconds"].take();
    });
    value
}

#[test]
fn nothing_of_the_rulebook_is_wrong() {
    let folder = fresh_folder("audit");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY}\n{ONE_WING}\n"));
    let small = write_file(&folder, "small.txt", "3.1......3.2....\n");
    let picked = ["-t", "naked_single", "-t", "w_wing", "-t", "Naked Pair"];
    let (exit, found) = audit(&[&[puzzles.as_str(), small.as_str()][..], &picked].concat());
    assert_eq!(exit, 0);
    assert_eq!((&found["puzzles"], &found["wrong"]), (&3.into(), &0.into()));
    let labels: Vec<&Value> =
        found["techniques"].as_array().expect("a list").iter().map(|row| &row["technique"]).collect();
    assert_eq!(labels, ["naked_single", "naked_subset(2)", "w_wing"]);
    assert!(found["techniques"][0]["matches"].as_u64() > Some(0) && found["matches"].as_u64() > Some(100));
    let threads = [&[puzzles.as_str(), small.as_str(), "--threads", "3"][..], &picked].concat();
    assert_eq!(counted(&audit(&threads).1), counted(&found));
    let sampled = [&[puzzles.as_str(), small.as_str(), "--every", "5"][..], &picked].concat();
    let (all, some) = (found["states"].as_u64(), audit(&sampled).1["states"].as_u64());
    assert!(some > Some(10) && some.map(|some| some * 4) < all, "{some:?} of {all:?}");
}

#[test]
fn wrong_steps_are_shown() {
    let folder = fresh_folder("audit_wrong");
    let rules = write_file(&folder, "wrong.pinion", WRONG);
    let output = run(&["audit", ONE_WING, "--rules", &rules, "-t", "hasty", "--threads", "1"]);
    assert_eq!(exit_code(&output), 1, "{}", transcript(&output));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = told.lines().last().expect("a last line");
    assert!(last.starts_with("1 puzzle, ") && !last.ends_with(" 0 wrong"), "{told}");
    assert!(told.contains("contradicts the solution"), "{told}");
    let (_, found) = audit(&[ONE_WING, "--rules", &rules, "-t", "hasty"]);
    let shown = &found["techniques"][0]["examples"][0];
    // The state that is shown has the wrong match.
    let state = shown["state"].as_str().expect("a state");
    let again = run(&["find", state, "--rules", &rules, "-t", "hasty"]);
    let says = shown["says"].as_str().expect("a deduction");
    assert!(super::transcript(&again).contains(says), "{says}: {}", super::transcript(&again));
}

#[test]
fn wrong_only_audits_find_wrong_steps() {
    let folder = fresh_folder("audit_wrong_only");
    let rules = write_file(&folder, "wrong.pinion", WRONG);
    let wrong = |found: &Value| (found["techniques"][0]["wrong"].clone(), found["techniques"][0]["examples"].clone());
    let usual = ["--rules", rules.as_str(), "-t", "hasty"];
    let (exit, only) = audit(&[&[ONE_WING, "--wrong-only"][..], &usual].concat());
    let (_, all) = audit(&[&[ONE_WING][..], &usual].concat());
    assert_eq!(exit, 1);
    assert!(
        only["wrong"].as_u64() > Some(0) && only["matches"].is_null() && only["searches"] == only["states"],
        "{only}"
    );
    assert_eq!(wrong(&only), wrong(&all));
    let output = run(&[&["audit", ONE_WING, "--wrong-only", "--threads", "1"][..], &usual].concat());
    let text = transcript(&output);
    assert!(text.contains("hasty: ") && text.contains("contradicts the solution"), "{text}");
    let good = run(&["audit", ONE_WING, "--wrong-only", "-t", "w_wing", "-t", "naked_single"]);
    let told = transcript(&good);
    let last = told.lines().last().expect("a last line");
    assert!(last.starts_with("1 puzzle, ") && last.ends_with(" searches, 0 wrong"), "{told}");
    assert_eq!(exit_code(&good), 0);
}

#[test]
fn an_audit_can_be_run_in_parts() {
    let folder = fresh_folder("audit_parts");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY}\n{ONE_WING}\n"));
    let part =
        |more: &[&str]| audit(&[&[puzzles.as_str(), puzzles.as_str(), "-t", "naked_single"][..], more].concat()).1;
    let whole = part(&[]);
    assert_eq!(whole["puzzles"], 4);
    let parts = [part(&["--first", "3"]), part(&["--skip", "3", "--first", "9"])];
    assert_eq!(parts.each_ref().map(|part| part["puzzles"].as_u64()), [Some(3), Some(1)]);
    let matches: u64 = parts.iter().filter_map(|part| part["matches"].as_u64()).sum();
    assert_eq!(Some(matches), whole["matches"].as_u64());
    assert_eq!(exit_code(&run(&["audit", EASY, "--skip", "1"])), 4, "a check of nothing is no good sign");
}

#[test]
fn invalid_puzzles_are_skipped() {
    let folder = fresh_folder("audit_skipped");
    let many = ".".repeat(79) + "12";
    let mixed = write_file(&folder, "mixed.txt", format!("{EASY}\n{many}\n12\n"));
    let output = run(&["audit", &mixed, "-t", "naked_single"]);
    assert_eq!(exit_code(&output), 3, "{}", transcript(&output));
    assert!(transcript(&output).contains("Skipped: 1 with several, 1 not readable"), "{}", transcript(&output));
    assert_eq!(exit_code(&run(&["audit", &many, "-t", "naked_single"])), 4, "a check of nothing is no good sign");
    for typed in [&["audit", EASY, "-t", "naked_singel"][..], &["audit", EASY, "--every", "0"], &["audit"]] {
        assert_eq!(exit_code(&run(typed)), 2);
    }
    assert_eq!(exit_code(&run(&["audit", "no-such-file.txt"])), 3);
}
