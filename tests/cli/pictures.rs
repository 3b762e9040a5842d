//! Pictures in files and what only a terminal gets.

use super::{EASY, MANY_WINGS, NEAR_WING, ONE_WING, exit_code, fresh_folder, pinion, run, transcript, write_file};
use crate::common::share;
use std::process::{Command, Stdio};

#[test]
fn pictures_of_several_matches_are_numbered() {
    let folder = fresh_folder("pictures");
    let name = folder.join("step.svg");
    let name = name.to_str().expect("a plain path");
    let output = run(&["find", ONE_WING, "--technique", "hidden_single", "--svg", name]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    for one in ["step.svg", "step-2.svg"] {
        let text = std::fs::read_to_string(folder.join(one)).expect("it was written");
        assert!(text.starts_with("<svg ") && text.contains("Hidden Single"), "{one}");
    }
    let output = run(&["hint", EASY, "--svg", "/nowhere/step.svg"]);
    assert_eq!(exit_code(&output), 3);
    assert!(transcript(&output).contains("cannot be written"), "{}", transcript(&output));
}

#[test]
fn counterexamples_and_near_misses_have_pictures() {
    let folder = fresh_folder("wrong_pictures");
    let picture = |name: &str| folder.join(name).to_str().expect("a plain path").to_string();
    let rule = "technique wrong \"Wrong\" {\n  c: cell = {x, y}\n  eliminate x from c\n}\n";
    let rule = write_file(&folder, "wrong.pinion", rule);
    run(&["prove", &rule, "--svg", &picture("wrong.svg")]);
    let drawn = std::fs::read_to_string(picture("wrong.svg")).expect("it was written");
    assert!(drawn.contains("href=\"#goes\"") && drawn.contains("that is wrong here"));
    let grid = write_file(&folder, "grid.txt", NEAR_WING);
    let output = run(&["why-not", &grid, "--technique", "xyz_wing", "--draw", "--svg", &picture("near.svg")]);
    assert!(transcript(&output).contains("[ ] pattern"), "{}", transcript(&output));
    assert!(std::fs::read_to_string(picture("near.svg")).expect("it was written").contains("href=\"#goes\""));
}

#[test]
fn a_report_is_written() {
    let folder = fresh_folder("report");
    let page = folder.join("all.html");
    let page = page.to_str().expect("a plain path");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY}\n{MANY_WINGS}\n"));
    let output = run(&["report", &puzzles, "-o", page]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    let text = std::fs::read_to_string(page).expect("it was written");
    assert!(text.starts_with("<!doctype html>") && text.contains("2 puzzles, 2 solved"));
    assert_eq!(exit_code(&run(&["report", EASY])), 2, "where to is asked for");
    // The marks of the pictures are found by their ids.
    let markup: String = text.split("<script").filter_map(|part| part.rsplit("</script>").next()).collect();
    let mut ids: Vec<&str> = markup.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert!(all > 20 && ids.contains(&"on"), "{ids:?}");
    assert_eq!(ids.len(), all, "an id is given twice: {ids:?}");
}

/// Texts of others may hold the names of the placeholders of the page.
#[test]
fn placeholders_in_names_leave_a_report_whole() {
    let folder = fresh_folder("placeholders");
    let page = folder.join("page.html");
    let page = page.to_str().expect("a plain path");
    let signs = "{data}{js}{css}{style}{title}{summary}{charts}{all}{rows}</script><!--<script>";
    let puzzles = write_file(&folder, "{data} {js} {title}.txt", format!("{EASY} {signs}\n{MANY_WINGS} {signs}\n"));
    assert_eq!(exit_code(&run(&["report", &puzzles, "-o", page])), 0);
    let text = std::fs::read_to_string(page).expect("it was written");
    assert!(text.contains("<title>Paths of {data} {js} {title}.txt</title>"));
    assert_eq!((text.matches("<script").count(), text.matches("</script>").count()), (2, 2));
    let data = text.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("the data");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["puzzles"][1]["note"], signs);
}

#[test]
fn the_name_of_a_profile_wins_over_a_folder() {
    let folder = fresh_folder("profile_folder");
    std::fs::create_dir(folder.join("classic")).expect("a folder can be made");
    let mut command = pinion(&["solve", EASY, "--profile", "classic", "--summary"]);
    let output = command.current_dir(&folder).stdin(Stdio::null()).output().expect("the binary starts");
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    assert!(transcript(&output).contains("(profile classic)"));
}

/// What the binary prints on a terminal of a given width; nothing where there is no `script` to make one.
fn on_a_terminal(columns: usize, words: &str) -> Option<String> {
    on_a_terminal_of("dumb", columns, words)
}

pub fn on_a_terminal_of(term: &str, columns: usize, words: &str) -> Option<String> {
    let line = format!("stty cols {columns} rows 60; {} {words}", env!("CARGO_BIN_EXE_pinion"));
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).env("NO_COLOR", "1").env("TERM", term).stdin(Stdio::null());
    let Ok(output) = command.output() else {
        println!("skipped: there is no `script` here to make a terminal");
        return None;
    };
    Some(String::from_utf8(output.stdout).expect("the output is text").replace('\r', ""))
}

#[test]
fn the_table_of_stats_fits_a_terminal() {
    // The second needs a technique with a long name.
    for puzzle in [ONE_WING, HARD] {
        let Some(told) = on_a_terminal(80, &format!("stats {puzzle} --no-leave-out")) else { return };
        let wide: Vec<&str> = told.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(told.contains("technique") && wide.is_empty(), "{told}");
        assert_eq!(told.contains("\ncontradiction\n"), puzzle == HARD, "{told}");
    }
    let Some(told) = on_a_terminal(80, &format!("compare dynamic_plus_contradiction xy_wing --on {ONE_WING}")) else {
        return;
    };
    assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
}

/// Needs nets that look for patterns.
const HARD: &str = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

/// Lines wider than a terminal of 40 columns, without those of progress bars.
fn too_wide(told: &str) -> Vec<&str> {
    told.lines().filter(|line| !line.contains('\u{1b}') && line.chars().count() > 40).collect()
}

#[test]
fn boards_are_cut_to_a_narrow_terminal() {
    for (name, size) in [("12x12", 12), ("16x16", 16), ("25x25", 25), ("windoku", 9)] {
        let Some(told) = on_a_terminal(40, &format!("board {name}")) else { return };
        assert!(too_wide(&told).is_empty(), "{told}");
        let grid = told.lines().filter(|line| line.starts_with('|') || line.starts_with(' '));
        let regions = grid.flat_map(|line| line.split([' ', '|'])).filter(|word| !word.is_empty()).count();
        assert!(name == "windoku" || regions == size * size, "{name}: {regions} cells\n{told}");
        assert_eq!(told.contains("Columns 1 to "), size > 9, "{told}");
    }
    let Some(told) = on_a_terminal(80, "board 16x16") else { return };
    assert!(!told.contains("Columns"), "{told}");
}

#[test]
fn counterexamples_are_cut_to_a_narrow_terminal() {
    let rule = super::write_file(&super::fresh_folder("narrow_proof"), "bad.pinion", WRONG);
    for board in share(&["9x9"][..], &["9x9", "16x16"]) {
        let Some(told) = on_a_terminal(40, &format!("prove {rule} --board {board} --no-cache")) else { return };
        assert!(told.contains("The rule concludes"), "{told}");
        assert!(too_wide(&told).is_empty(), "{told}");
    }
}

/// Two cells with three digits.
const WRONG: &str = "technique bad \"Bad\" {\n  r: row\n  s: cells[2] in r\n  require #digits(s) = 3\n  \
                     eliminate digits(s) from r - s\n}\n";

/// Proofs that take long say which one is under way.
#[test]
fn a_comparison_shows_what_it_proves() {
    let words = format!("compare xy_wing w_wing --on {ONE_WING}");
    let Some(told) = on_a_terminal_of("xterm", 80, &words) else { return };
    assert!(told.contains("what xy_wing is a special case of"), "{told:?}");
    assert!(told.contains("both show ") || told.contains("have no deduction in common"), "{told:?}");
}

#[test]
fn silent_work_is_named_on_a_terminal() {
    let (almost_empty, words) = (".".repeat(255), "-t dynamic_plus_contradiction --seconds 5");
    let Some(told) = on_a_terminal_of("xterm", 80, &format!("find 1{almost_empty} {words}")) else { return };
    // On a busy machine the first line may come late.
    let named = ["2s", "3s", "4s"].iter().any(|time| told.contains(&format!("puzzle 1, line 1 {time}")));
    assert!(named && !told.contains("line 1 1s"), "after two seconds it is said what is under way: {told}");
}

#[test]
fn nothing_is_written_in_yellow() {
    // Nobody can read it on white.
    let mut find = pinion(&["find", "12..3.......4..1", "-t", "sue_de_coq", "--color", "always"]);
    let output = find.env_remove("NO_COLOR").env("TERM", "xterm-256color").output().expect("the binary starts");
    let told = String::from_utf8(output.stdout).expect("the output is text");
    assert!(told.contains("Nothing found") && told.contains("\u{1b}[") && !told.contains("\u{1b}[33m"), "{told:?}");
}

#[test]
fn a_terminal_gets_grids_and_short_lines() {
    let Some(told) = on_a_terminal(80, &format!("solve {ONE_WING}")) else { return };
    assert!(told.contains("singles (to step"), "{told}");
    assert!(told.contains("Hardest: ") && told.contains("Rating: "), "{told}");
    assert!(told.matches("+---------+---------+").count() >= 8, "a grid at the beginning and at the end: {told}");
    let long: Vec<&str> = told.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(long.is_empty(), "{long:#?}");
    let Some(list) = on_a_terminal(80, "list") else { return };
    let long: Vec<&str> = list.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(long.is_empty(), "{long:#?}");
    let Some(help) = on_a_terminal(70, "find --help") else { return };
    let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > 70).collect();
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn without_a_terminal_nobody_can_step_through() {
    let output = run(&["solve", EASY, "--interactive"]);
    assert_eq!(exit_code(&output), 2);
    assert!(transcript(&output).contains("needs a terminal"), "{}", transcript(&output));
}

/// Lists of candidates, blocks, or one character for each cell: whatever there is room for.
#[test]
fn grids_fit_a_narrow_terminal() {
    let folder = fresh_folder("narrow");
    let empty = write_file(&folder, "empty.txt", format!("1{}", ".".repeat(255)));
    for (words, sign) in [
        (format!("solve {ONE_WING} --profile basic"), "+---------+---------+"),
        (format!("solve {ONE_WING} -v"), "+-----------+-----------+"),
        (format!("hint {ONE_WING}"), "["),
        (format!("find {ONE_WING} -t skyscraper --draw"), "-"),
        (format!("hint {empty} --unchecked --profile basic"), "|. . . .|"),
    ] {
        let Some(told) = on_a_terminal(40, &words) else { return };
        let long: Vec<&str> =
            told.lines().filter(|line| line.chars().count() > 40 && !line.starts_with("note:")).collect();
        assert!(long.is_empty() && told.contains(sign), "{words}: {long:?} {told}");
    }
}
