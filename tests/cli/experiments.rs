//! Comparing techniques on puzzles, counting what they do, and explaining what others did.

use super::{EASY, WINGED, WINGS, code, file, folder, mended, run, told, value};

#[test]
fn techniques_are_compared() {
    let folder = folder("compare");
    let (puzzles, chart) = (file(&folder, "two.txt", format!("{WINGS}\n{WINGED}\n")), folder.join("chart.svg"));
    let chart = chart.to_str().expect("a plain path");
    let asked = ["compare", "xy_wing", "xyz_wing", "--on", &puzzles, "--every", "5"];
    let record = value(&run(&[&asked[..], &["--no-proof", "--format", "json", "--svg", chart]].concat()));
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
    let csv = told(&run(&[&asked[..], &["--no-proof", "--csv", "--first", "1"]].concat()));
    let lines: Vec<&str> = csv.lines().skip(2).map(|line| line.rsplit_once(',').expect("columns").0).collect();
    insta::assert_snapshot!("compare_csv", lines.join("\n"));
}

#[test]
fn special_cases_are_proved() {
    let output = told(&run(&["compare", "xy_wing", "bent_set(4)", "xyz_wing", "--on", EASY, "--every", "99"]));
    assert!(!output.contains("Every xy_wing is a xyz_wing"), "{output}");
    let output = told(&run(&["compare", "xy_wing", "pivot_wing(3)", "--on", EASY, "--every", "99"]));
    assert!(output.contains("Every xy_wing is a pivot_wing(3):"), "{output}");
    assert!(!output.contains("Every pivot_wing(3) is"), "{output}");
    let record =
        value(&run(&["compare", "xy_wing", "pivot_wing(3)", "--on", EASY, "--every", "99", "--format", "json"]));
    assert_eq!(record["special_cases"][0]["direct"], true, "{record}");
    assert_eq!(code(&run(&["compare", "no such thing", "--on", EASY])), 2);
}

#[test]
fn a_rulebook_is_counted() {
    let record = value(&run(&["stats", WINGS, "--format", "json"]));
    assert_eq!((&record["puzzles"], &record["solved"]), (&1.into(), &1.into()));
    let rows = record["techniques"].as_array().expect("rows");
    let sum: u64 = rows.iter().filter_map(|row| row["steps"].as_u64()).sum();
    assert_eq!(Some(sum), record["steps"].as_u64(), "each step is some technique's");
    let csv = told(&run(&["stats", EASY, "--profile", "basic", "--csv", "--no-leave-out"]));
    let lines: Vec<&str> = csv.lines().skip(2).map(|line| line.rsplit_once(',').expect("columns").0).collect();
    insta::assert_snapshot!("stats_csv", lines.join("\n"));
    let alone = value(&run(&["stats", WINGED, "--profile", "basic", "--format", "json"]));
    let rows = alone["techniques"].as_array().expect("rows");
    let without = |row: &serde_json::Value| row["unlocks"].as_u64() > row["puzzles"].as_u64();
    assert!(!rows.iter().any(without), "only what is used can unlock");
}

#[test]
fn a_move_is_explained() {
    let folder = folder("explain_move");
    let position = mended();
    let before = file(&folder, "before.txt", &position);
    let after = file(&folder, "after.txt", position.replace("12 4  6  28 ", "12 4  6  8  "));
    let output = run(&["explain-move", &before, &after, "--most", "1"]);
    assert_eq!(code(&output), 0);
    let lines: Vec<String> = told(&output).lines().map(|line| line.chars().take(60).collect()).collect();
    insta::assert_snapshot!("explain_move", lines.join("\n"));
    let two = file(
        &folder,
        "two.txt",
        position.replace("12 4  6  28 ", "12 4  6  8  ").replace("12 7  89 234", "12 7  89 24 "),
    );
    let together = value(&run(&["explain-move", &before, &two, "--format", "json"]));
    let steps =
        together["together"].as_array().expect("steps").len() + together["alone"].as_array().expect("steps").len();
    assert!(steps > 0 && together["left"] == "", "{together}");
    let short = run(&["explain-move", &before, &after, "--profile", "basic"]);
    assert_eq!(code(&short), 1);
    assert!(told(&short).contains("No technique of the profile shows r3c4<>2."), "{}", told(&short));
    let back = run(&["explain-move", &after, &before]);
    assert!(code(&back) == 1 && told(&back).contains("Only the second grid has these candidates: 2 in r3c4."));
    assert!(told(&run(&["explain-move", &before, &before])).contains("Nothing is different."));
}

#[test]
fn a_technique_is_hunted_where_it_is_needed() {
    let folder = folder("hunt");
    let puzzles = file(&folder, "puzzles.txt", format!("{EASY}\n{WINGED}\n{WINGS}\n"));
    let asked = ["hunt", "--technique", "xy_wing", &puzzles, "--count", "9", "--most", "9"];
    let singles = ["--only-with", "full_house,naked_single,hidden_single", "--needed"];
    let found = value(&run(&[&asked[..], &singles, &["--format", "json"]].concat()));
    for one in found.as_array().expect("finds") {
        let grid = file(&folder, "found.txt", one["grid"].as_str().expect("a grid"));
        for single in ["full_house", "naked_single", "hidden_single"] {
            assert_eq!(code(&run(&["find", &grid, "--technique", single])), 1, "{single} goes on: {one}");
        }
        assert_eq!(code(&run(&["find", &grid, "--technique", "xy_wing"])), 0, "{one}");
    }
    assert!(!found.as_array().expect("finds").is_empty());
    assert_eq!(code(&run(&["hunt", "--technique", "xy_wing", "--only-with", "no such thing"])), 2);
    assert_eq!(code(&run(&["hunt", "--technique", "xy_wing", "--called", "no such thing"])), 2);
    let named = told(&run(&["hunt", "--technique", "naked pair", &puzzles, "--most", "9"]));
    assert!(named.contains("example naked_subset(2) \"Naked Pair\" {"), "{named}");
    let twice = run(&["hunt", "--technique", "Skyscraper", &puzzles]);
    assert!(code(&twice) != 2 || told(&twice).contains("name one of them"), "{}", told(&twice));
    // What was found and refused is said.
    let none = told(&run(&["hunt", "--technique", "hidden_single", &puzzles, "--most", "0"]));
    assert!(none.starts_with("exit 1") && none.contains("refused on") && none.contains("(--most)"), "{none}");
    assert_eq!(code(&run(&["hunt", "--technique", "xy_wing", "--only-with", "xyz_wing", "--walk", "basic"])), 2);
}

/// What cannot be read is said in the exit code, too.
#[test]
fn unreadable_puzzles_count() {
    let folder = folder("experiments_unreadable");
    let puzzles = file(&folder, "puzzles.txt", format!("{EASY}\n{}\n", &EASY[..80]));
    assert_eq!(code(&run(&["stats", &puzzles, "--no-leave-out", "--profile", "basic"])), 3);
    assert_eq!(code(&run(&["compare", "naked_single", "--on", &puzzles, "--no-proof"])), 3);
    assert_eq!(code(&run(&["explain-move", EASY, &puzzles])), 3, "two grids where one is meant");
}

#[test]
fn an_example_without_a_near_miss_says_so() {
    let folder = folder("hunt_always");
    // Whatever candidates come or go, each unsolved cell is found.
    let rule = "technique open_cell \"Open Cell\" {\n  c: cell\n  require #digits(c) > 0\n  place digits(c) in c\n}\n";
    let rule = file(&folder, "open_cell.pinion", rule);
    let puzzle = file(&folder, "puzzle.txt", "12..3.......4..1\n");
    let hunt = ["hunt", "--technique", "open_cell", &puzzle, "--rules", &rule, "--most", "99"];
    insta::assert_snapshot!("hunt_no_near_miss", told(&run(&hunt)));
}
