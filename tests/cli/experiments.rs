//! The commands `compare`, `stats`, `explain-move` and `hunt`.

use super::{
    EASY, MANY_WINGS, ONE_WING, assert_output, exit_code, fresh_folder, json_output, run, transcript, wing_position,
    write_file,
};

#[test]
fn compare_counts_deductions_and_draws_a_chart() {
    let folder = fresh_folder("compare");
    let (puzzles, chart) =
        (write_file(&folder, "two.txt", format!("{MANY_WINGS}\n{ONE_WING}\n")), folder.join("chart.svg"));
    let chart = chart.to_str().expect("a path in UTF-8");
    let args = ["compare", "xy_wing", "xyz_wing", "--on", &puzzles, "--every", "5"];
    let record = json_output(&run(&[&args[..], &["--no-proof", "--format", "json", "--svg", chart]].concat()));
    let count = |at: usize, name: &str| record["techniques"][at][name].as_u64().expect("a number");
    assert_eq!(record["puzzles"], 2);
    for at in 0..2 {
        assert!(count(at, "only") <= count(at, "deductions") && count(at, "matches") >= count(at, "positions"));
        assert!(count(at, "unlocked") <= count(at, "solved"));
    }
    assert!(record["solved_with_all"].as_u64() >= record["solved_without"].as_u64());
    let found_by_both = record["both"][0]["deductions"].as_u64().expect("a number");
    assert_eq!(
        found_by_both,
        count(0, "deductions") - count(0, "only"),
        "a deduction that not only one of the two finds is found by both"
    );
    let svg = std::fs::read_to_string(chart).expect("a chart");
    assert!(svg.starts_with("<svg") && svg.contains("xyz_wing"), "{svg}");
    let csv = transcript(&run(&[&args[..], &["--no-proof", "--csv", "--first", "1"]].concat()));
    let lines: Vec<&str> = csv.lines().skip(2).map(|line| line.rsplit_once(',').expect("columns").0).collect();
    insta::assert_snapshot!("compare_csv", lines.join("\n"));
}

#[test]
fn compare_proves_special_cases() {
    let output = transcript(&run(&["compare", "xy_wing", "bent_set(4)", "xyz_wing", "--on", EASY, "--every", "99"]));
    assert!(!output.contains("Every xy_wing is a xyz_wing"), "{output}");
    let output = transcript(&run(&["compare", "xy_wing", "pivot_wing(3)", "--on", EASY, "--every", "99"]));
    assert!(output.contains("Every xy_wing is a pivot_wing(3):"), "{output}");
    assert!(!output.contains("Every pivot_wing(3) is"), "{output}");
    let record =
        json_output(&run(&["compare", "xy_wing", "pivot_wing(3)", "--on", EASY, "--every", "99", "--format", "json"]));
    assert_eq!(record["special_cases"][0]["direct"], true, "{record}");
    assert_eq!(exit_code(&run(&["compare", "no such thing", "--on", EASY])), 2);
}

#[test]
fn stats_count_the_steps_of_each_technique() {
    let record = json_output(&run(&["stats", MANY_WINGS, "--format", "json"]));
    assert_eq!((&record["puzzles"], &record["solved"]), (&1.into(), &1.into()));
    let rows = record["techniques"].as_array().expect("rows");
    let sum: u64 = rows.iter().filter_map(|row| row["steps"].as_u64()).sum();
    assert_eq!(Some(sum), record["steps"].as_u64(), "the steps of all techniques are not all steps");
    let csv = transcript(&run(&["stats", EASY, "--profile", "basic", "--csv", "--no-leave-out"]));
    let lines: Vec<&str> = csv.lines().skip(2).map(|line| line.rsplit_once(',').expect("columns").0).collect();
    insta::assert_snapshot!("stats_csv", lines.join("\n"));
    let basic = json_output(&run(&["stats", ONE_WING, "--profile", "basic", "--format", "json"]));
    let rows = basic["techniques"].as_array().expect("rows");
    // A technique can unlock only puzzles in which it is used.
    assert!(rows.iter().all(|row| row["unlocks"].as_u64() <= row["puzzles"].as_u64()), "{basic}");
}

#[test]
fn explain_move_finds_the_steps_between_two_grids() {
    let folder = fresh_folder("explain_move");
    let position = wing_position();
    let before = write_file(&folder, "before.txt", &position);
    let after = write_file(&folder, "after.txt", position.replace("12 4  6  28 ", "12 4  6  8  "));
    let output = run(&["explain-move", &before, &after, "--most", "1"]);
    assert_eq!(exit_code(&output), 0);
    let lines: Vec<String> = transcript(&output).lines().map(|line| line.chars().take(60).collect()).collect();
    insta::assert_snapshot!("explain_move", lines.join("\n"));
    let after_two_steps = write_file(
        &folder,
        "two.txt",
        position.replace("12 4  6  28 ", "12 4  6  8  ").replace("12 7  89 234", "12 7  89 24 "),
    );
    let record = json_output(&run(&["explain-move", &before, &after_two_steps, "--format", "json"]));
    let steps = record["together"].as_array().expect("steps").len() + record["alone"].as_array().expect("steps").len();
    assert!(steps > 0 && record["left"] == "", "{record}");
    let without_wings = run(&["explain-move", &before, &after, "--profile", "basic"]);
    assert_output(&without_wings, 1, "No technique of the profile shows r3c4<>2.");
    let in_reverse = run(&["explain-move", &after, &before]);
    assert!(
        exit_code(&in_reverse) == 1
            && transcript(&in_reverse).contains("Only the second grid has these candidates: 2 in r3c4.")
    );
    assert!(transcript(&run(&["explain-move", &before, &before])).contains("Nothing is different."));
}

#[test]
fn hunt_finds_examples_that_need_the_technique() {
    let folder = fresh_folder("hunt");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY}\n{ONE_WING}\n{MANY_WINGS}\n"));
    let args = ["hunt", "--technique", "xy_wing", &puzzles, "--count", "9", "--most", "9"];
    let needed_after_singles = ["--only-with", "full_house,naked_single,hidden_single", "--needed"];
    let examples = json_output(&run(&[&args[..], &needed_after_singles, &["--format", "json"]].concat()));
    for example in examples.as_array().expect("finds") {
        let grid = write_file(&folder, "found.txt", example["grid"].as_str().expect("a grid"));
        for single in ["full_house", "naked_single", "hidden_single"] {
            assert_eq!(exit_code(&run(&["find", &grid, "--technique", single])), 1, "{single} has a match: {example}");
        }
        assert_eq!(exit_code(&run(&["find", &grid, "--technique", "xy_wing"])), 0, "{example}");
    }
    assert!(!examples.as_array().expect("finds").is_empty());
    assert_eq!(exit_code(&run(&["hunt", "--technique", "xy_wing", "--only-with", "no such thing"])), 2);
    assert_eq!(exit_code(&run(&["hunt", "--technique", "xy_wing", "--called", "no such thing"])), 2);
    let by_title = transcript(&run(&["hunt", "--technique", "naked pair", &puzzles, "--most", "9"]));
    assert!(by_title.contains("example naked_subset(2) \"Naked Pair\" {"), "{by_title}");
    let by_display_name = transcript(&run(&["hunt", "--technique", "Skyscraper", &puzzles]));
    assert!(by_display_name.contains("example skyscraper \"Skyscraper\" {"), "{by_display_name}");
    // Without an example, the output says why the matches were refused.
    let without_example = transcript(&run(&["hunt", "--technique", "hidden_single", &puzzles, "--most", "0"]));
    assert!(
        without_example.starts_with("exit 1")
            && without_example.contains("refused on")
            && without_example.contains("(--most)"),
        "{without_example}"
    );
    assert_eq!(exit_code(&run(&["hunt", "--technique", "xy_wing", "--only-with", "xyz_wing", "--walk", "basic"])), 2);
}

#[test]
fn the_exit_code_reports_unreadable_puzzles() {
    let folder = fresh_folder("experiments_unreadable");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY}\n{}\n", &EASY[..80]));
    assert_eq!(exit_code(&run(&["stats", &puzzles, "--no-leave-out", "--profile", "basic"])), 3);
    assert_eq!(exit_code(&run(&["compare", "naked_single", "--on", &puzzles, "--no-proof"])), 3);
    assert_eq!(exit_code(&run(&["explain-move", EASY, &puzzles])), 3, "the second argument must be one grid");
}

#[test]
fn hunt_says_that_an_example_has_no_near_miss() {
    let folder = fresh_folder("hunt_always");
    // The rule matches each unsolved cell, so no change of candidates makes a near miss.
    let rule = "technique open_cell \"Open Cell\" {\n  c: cell\n  require #digits(c) > 0\n  place digits(c) in c\n}\n";
    let rule = write_file(&folder, "open_cell.pinion", rule);
    let puzzle = write_file(&folder, "puzzle.txt", "12..3.......4..1\n");
    let hunt = ["hunt", "--technique", "open_cell", &puzzle, "--rules", &rule, "--most", "99"];
    insta::assert_snapshot!("hunt_no_near_miss", transcript(&run(&hunt)));
}

#[test]
fn a_hunt_for_no_example_is_refused() {
    for option in ["--of", "--count"] {
        assert_eq!(exit_code(&run(&["hunt", "--technique", "naked_single", option, "0"])), 2, "{option}");
    }
}

#[test]
fn equal_grids_are_not_searched() {
    // A search on a large grid with one clue takes very long.
    let grid = format!("1{}", ".".repeat(255));
    let output = run(&["explain-move", &grid, &grid]);
    assert!(transcript(&output).contains("Nothing is different."), "{}", transcript(&output));
}
