//! Comparing techniques on puzzles, counting what they do, and explaining what others did.

use super::{
    EASY, MANY_WINGS, ONE_WING, exit_code, fresh_folder, json_output, run, transcript, wing_position, write_file,
};

#[test]
fn techniques_are_compared() {
    let folder = fresh_folder("compare");
    let (puzzles, chart) =
        (write_file(&folder, "two.txt", format!("{MANY_WINGS}\n{ONE_WING}\n")), folder.join("chart.svg"));
    let chart = chart.to_str().expect("a plain path");
    let asked = ["compare", "xy_wing", "xyz_wing", "--on", &puzzles, "--every", "5"];
    let record = json_output(&run(&[&asked[..], &["--no-proof", "--format", "json", "--svg", chart]].concat()));
    let row = |at: usize, name: &str| record["techniques"][at][name].as_u64().expect("a number");
    assert_eq!(record["puzzles"], 2);
    for at in 0..2 {
        assert!(row(at, "only") <= row(at, "deductions") && row(at, "matches") >= row(at, "positions"));
        assert!(row(at, "unlocked") <= row(at, "solved"));
    }
    assert!(record["solved_with_all"].as_u64() >= record["solved_without"].as_u64());
    let both = record["both"][0]["deductions"].as_u64().expect("a number");
    assert_eq!(both, row(0, "deductions") - row(0, "only"), "with two techniques, what not only one shows both show");
    let picture = std::fs::read_to_string(chart).expect("a chart");
    assert!(picture.starts_with("<svg") && picture.contains("xyz_wing"), "{picture}");
    let csv = transcript(&run(&[&asked[..], &["--no-proof", "--csv", "--first", "1"]].concat()));
    let lines: Vec<&str> = csv.lines().skip(2).map(|line| line.rsplit_once(',').expect("columns").0).collect();
    insta::assert_snapshot!("compare_csv", lines.join("\n"));
}

#[test]
fn special_cases_are_proved() {
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
fn a_rulebook_is_counted() {
    let record = json_output(&run(&["stats", MANY_WINGS, "--format", "json"]));
    assert_eq!((&record["puzzles"], &record["solved"]), (&1.into(), &1.into()));
    let rows = record["techniques"].as_array().expect("rows");
    let sum: u64 = rows.iter().filter_map(|row| row["steps"].as_u64()).sum();
    assert_eq!(Some(sum), record["steps"].as_u64(), "each step is some technique's");
    let csv = transcript(&run(&["stats", EASY, "--profile", "basic", "--csv", "--no-leave-out"]));
    let lines: Vec<&str> = csv.lines().skip(2).map(|line| line.rsplit_once(',').expect("columns").0).collect();
    insta::assert_snapshot!("stats_csv", lines.join("\n"));
    let alone = json_output(&run(&["stats", ONE_WING, "--profile", "basic", "--format", "json"]));
    let rows = alone["techniques"].as_array().expect("rows");
    let without = |row: &serde_json::Value| row["unlocks"].as_u64() > row["puzzles"].as_u64();
    assert!(!rows.iter().any(without), "only what is used can unlock");
}

#[test]
fn a_move_is_explained() {
    let folder = fresh_folder("explain_move");
    let position = wing_position();
    let before = write_file(&folder, "before.txt", &position);
    let after = write_file(&folder, "after.txt", position.replace("12 4  6  28 ", "12 4  6  8  "));
    let output = run(&["explain-move", &before, &after, "--most", "1"]);
    assert_eq!(exit_code(&output), 0);
    let lines: Vec<String> = transcript(&output).lines().map(|line| line.chars().take(60).collect()).collect();
    insta::assert_snapshot!("explain_move", lines.join("\n"));
    let two = write_file(
        &folder,
        "two.txt",
        position.replace("12 4  6  28 ", "12 4  6  8  ").replace("12 7  89 234", "12 7  89 24 "),
    );
    let together = json_output(&run(&["explain-move", &before, &two, "--format", "json"]));
    let steps =
        together["together"].as_array().expect("steps").len() + together["alone"].as_array().expect("steps").len();
    assert!(steps > 0 && together["left"] == "", "{together}");
    let short = run(&["explain-move", &before, &after, "--profile", "basic"]);
    assert_eq!(exit_code(&short), 1);
    assert!(transcript(&short).contains("No technique of the profile shows r3c4<>2."), "{}", transcript(&short));
    let back = run(&["explain-move", &after, &before]);
    assert!(
        exit_code(&back) == 1 && transcript(&back).contains("Only the second grid has these candidates: 2 in r3c4.")
    );
    assert!(transcript(&run(&["explain-move", &before, &before])).contains("Nothing is different."));
}

#[test]
fn a_technique_is_hunted_where_it_is_needed() {
    let folder = fresh_folder("hunt");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY}\n{ONE_WING}\n{MANY_WINGS}\n"));
    let asked = ["hunt", "--technique", "xy_wing", &puzzles, "--count", "9", "--most", "9"];
    let singles = ["--only-with", "full_house,naked_single,hidden_single", "--needed"];
    let found = json_output(&run(&[&asked[..], &singles, &["--format", "json"]].concat()));
    for one in found.as_array().expect("finds") {
        let grid = write_file(&folder, "found.txt", one["grid"].as_str().expect("a grid"));
        for single in ["full_house", "naked_single", "hidden_single"] {
            assert_eq!(exit_code(&run(&["find", &grid, "--technique", single])), 1, "{single} goes on: {one}");
        }
        assert_eq!(exit_code(&run(&["find", &grid, "--technique", "xy_wing"])), 0, "{one}");
    }
    assert!(!found.as_array().expect("finds").is_empty());
    assert_eq!(exit_code(&run(&["hunt", "--technique", "xy_wing", "--only-with", "no such thing"])), 2);
    assert_eq!(exit_code(&run(&["hunt", "--technique", "xy_wing", "--called", "no such thing"])), 2);
    let named = transcript(&run(&["hunt", "--technique", "naked pair", &puzzles, "--most", "9"]));
    assert!(named.contains("example naked_subset(2) \"Naked Pair\" {"), "{named}");
    let twice = run(&["hunt", "--technique", "Skyscraper", &puzzles]);
    assert!(exit_code(&twice) != 2 || transcript(&twice).contains("name one of them"), "{}", transcript(&twice));
    // What was found and refused is said.
    let none = transcript(&run(&["hunt", "--technique", "hidden_single", &puzzles, "--most", "0"]));
    assert!(none.starts_with("exit 1") && none.contains("refused on") && none.contains("(--most)"), "{none}");
    assert_eq!(exit_code(&run(&["hunt", "--technique", "xy_wing", "--only-with", "xyz_wing", "--walk", "basic"])), 2);
}

/// What cannot be read is said in the exit code, too.
#[test]
fn unreadable_puzzles_count() {
    let folder = fresh_folder("experiments_unreadable");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY}\n{}\n", &EASY[..80]));
    assert_eq!(exit_code(&run(&["stats", &puzzles, "--no-leave-out", "--profile", "basic"])), 3);
    assert_eq!(exit_code(&run(&["compare", "naked_single", "--on", &puzzles, "--no-proof"])), 3);
    assert_eq!(exit_code(&run(&["explain-move", EASY, &puzzles])), 3, "two grids where one is meant");
}

#[test]
fn an_example_without_a_near_miss_says_so() {
    let folder = fresh_folder("hunt_always");
    // Whatever candidates come or go, each unsolved cell is found.
    let rule = "technique open_cell \"Open Cell\" {\n  c: cell\n  require #digits(c) > 0\n  place digits(c) in c\n}\n";
    let rule = write_file(&folder, "open_cell.pinion", rule);
    let puzzle = write_file(&folder, "puzzle.txt", "12..3.......4..1\n");
    let hunt = ["hunt", "--technique", "open_cell", &puzzle, "--rules", &rule, "--most", "99"];
    insta::assert_snapshot!("hunt_no_near_miss", transcript(&run(&hunt)));
}
