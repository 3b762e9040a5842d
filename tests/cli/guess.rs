//! `solve --guess` and `solve --verify`.

use super::{assert_prints, exit_code, fresh_folder, json_output, run, transcript, write_file};

const HARD: &str = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

/// A profile with hidden singles only, so that the puzzle needs guesses.
fn profile_with_one_technique(test: &str) -> String {
    let text = "(name: \"one\", about: \"one technique\", others: Off, rows: [(technique: \"hidden_single\", first: 1, again: 1)])";
    write_file(&fresh_folder(test), "one.ron", text)
}

#[test]
fn guesses_are_shown_and_counted() {
    let profile = profile_with_one_technique("guesses");
    let without_guesses = run(&["solve", HARD, "--profile", &profile]);
    assert_eq!(exit_code(&without_guesses), 1, "{}", transcript(&without_guesses));
    let with_guesses = run(&["solve", HARD, "--profile", &profile, "--guess", "--summary", "--verify"]);
    assert_eq!(exit_code(&with_guesses), 0, "{}", transcript(&with_guesses));
    insta::assert_snapshot!("guessing", transcript(&with_guesses));
    let record = json_output(&run(&["solve", HARD, "--profile", &profile, "--guess", "--verify", "--format", "json"]));
    let (steps, verified) = (&record["result"]["steps"], &record["result"]["verified"]);
    assert!(steps.as_array().expect("steps").iter().any(|step| step["guess"] == "taken back"));
    assert_eq!(verified["steps"].as_u64(), steps.as_array().map(|steps| steps.len() as u64));
    assert!(verified["guesses"].as_u64() > Some(0));
}

#[test]
fn hint_refuses_guess_and_steps_before_a_guess_do_not_rest_on_one() {
    let profile = profile_with_one_technique("no_guesses");
    assert_eq!(exit_code(&run(&["hint", HARD, "--guess"])), 2);
    let record = json_output(&run(&["solve", HARD, "--profile", &profile, "--guess", "--format", "json"]));
    let steps = record["result"]["steps"].as_array().expect("steps");
    let first_guess = steps.iter().position(|step| step["guess"] == "made").expect("a guess");
    assert!(steps[..first_guess].iter().all(|step| step["rests_on_guesses"].is_null()));
}

/// The verification counts steps that assume one solution; they are neither skipped nor wrong.
#[test]
fn verify_counts_the_steps_that_assume_one_solution() {
    let ids = ["full_house", "naked_single", "hidden_single", "locked_candidates", "naked_subset", "unique_rectangle"];
    let rows: Vec<String> = ids.iter().map(|id| format!("(technique: \"{id}\", first: 1, again: 1)")).collect();
    let text = format!("(name: \"few\", about: \"few techniques\", others: Off, rows: [{}])", rows.join(", "));
    let folder = fresh_folder("one_solution");
    let profile = write_file(&folder, "few.ron", text);
    let grid = write_file(&folder, "grid.txt", RECTANGLE);
    let output = run(&["solve", &grid, "--profile", &profile, "--verify", "--summary"]);
    assert_prints(&output, "on there being one solution");
}

/// With the techniques of the test above, the path of this grid has a step that assumes one solution.
const RECTANGLE: &str = "
18 3  2  568  9     568  15  7   4
89 7  4  1    358   2    359 59  6
19 6  5  37   37    4    139 2   8
25 49 3  457  4567  1    456 8   29
7  49 6  2    458   589  45  3   1
25 8  1  345  3456  359  7   456 29
3  12 78 9    148   78   246 46  5
6  12 78 3458 13458 3578 249 49  37
4  5  9  36   2     367  8   1   37
";
