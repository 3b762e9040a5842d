//! `solve --guess` and `solve --verify`, as users meet them.

use super::{code, file, folder, run, told};

const HARD: &str = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

/// A rulebook's own folder cannot take rules away, so a profile leaves all but one out.
fn profile() -> String {
    let text = "Profile(name: \"one\", rows: [Row(technique: \"hidden_single\")], others: Leave)";
    file(&folder("guessing"), "one.ron", text)
}

#[test]
fn guesses_are_told_and_counted() {
    let profile = profile();
    let stuck = run(&["solve", HARD, "--profile", &profile]);
    assert_eq!(code(&stuck), 1, "{}", told(&stuck));
    let solved = run(&["solve", HARD, "--profile", &profile, "--guess", "--summary", "--verify"]);
    assert_eq!(code(&solved), 0, "{}", told(&solved));
    insta::assert_snapshot!("guessing", told(&solved));
    let json = run(&["solve", HARD, "--profile", &profile, "--guess", "--verify", "--format", "json"]);
    let record: serde_json::Value = serde_json::from_slice(&json.stdout).expect("one value");
    let (steps, verified) = (&record["steps"], &record["verified"]);
    assert!(steps.as_array().expect("steps").iter().any(|step| step["guess"] == "taken back"));
    assert_eq!(verified["steps"].as_u64(), steps.as_array().map(|steps| steps.len() as u64));
    assert!(verified["guesses"].as_u64() > Some(0));
}

#[test]
fn a_hint_is_never_a_guess() {
    let profile = profile();
    assert_eq!(code(&run(&["hint", HARD, "--guess"])), 2);
    let first = run(&["solve", HARD, "--profile", &profile, "--guess", "--format", "json"]);
    let record: serde_json::Value = serde_json::from_slice(&first.stdout).expect("one value");
    let steps = record["steps"].as_array().expect("steps");
    let before = steps.iter().position(|step| step["guess"] == "made").expect("a guess");
    assert!(steps[..before].iter().all(|step| step["rests_on_guesses"].is_null()));
}

/// Steps that rest on one solution are counted, not passed over and not found wrong.
#[test]
fn steps_that_rest_on_one_solution_are_told() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/rules/profiles/default.ron"));
    let only = text.expect("it is readable").lines().filter(|line| line.contains("unique_rectangle")).count();
    assert!(only > 0, "the profile knows a technique that assumes one solution");
    let output = run(&["solve", RECTANGLE, "--verify", "--summary"]);
    assert!(told(&output).contains("on there being one solution"), "{}", told(&output));
}

/// Its path has a step of a technique that assumes one solution.
const RECTANGLE: &str = "..8..5..6.3.......6.2.4.5.7...384.59..65..2.39..7...4...4.5.8.....2.8...8.946....";
