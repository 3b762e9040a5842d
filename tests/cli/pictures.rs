//! Pictures and reports in files, and output that is fitted to a terminal.

use super::{
    EASY, MANY_WINGS, NEAR_WING, ONE_WING, assert_output, assert_prints, exit_code, fresh_folder, pinion, run,
    transcript, write_file,
};
use crate::common::quick_or_full;
use std::process::{Command, Stdio};

#[test]
fn pictures_of_several_matches_are_numbered() {
    let folder = fresh_folder("pictures");
    let name = folder.join("step.svg");
    let name = name.to_str().expect("a path in UTF-8");
    let output = run(&["find", ONE_WING, "--technique", "hidden_single", "--svg", name]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    for file_name in ["step.svg", "step-2.svg"] {
        let text = std::fs::read_to_string(folder.join(file_name)).expect("the file is written");
        assert!(text.starts_with("<svg ") && text.contains("Hidden Single"), "{file_name}");
    }
    let output = run(&["hint", EASY, "--svg", "/nowhere/step.svg"]);
    assert_output(&output, 3, "cannot be written");
}

#[test]
fn counterexamples_and_near_misses_have_pictures() {
    let folder = fresh_folder("wrong_pictures");
    let path = |name: &str| folder.join(name).to_str().expect("a path in UTF-8").to_string();
    let rule = "technique wrong \"Wrong\" {\n  c: cell = {x, y}\n  eliminate x from c\n}\n";
    let rule = write_file(&folder, "wrong.pinion", rule);
    run(&["prove", &rule, "--svg", &path("wrong.svg")]);
    let svg = std::fs::read_to_string(path("wrong.svg")).expect("the file is written");
    assert!(svg.contains("href=\"#goes\"") && svg.contains("that is wrong here"));
    let grid = write_file(&folder, "grid.txt", NEAR_WING);
    let output = run(&["why-not", &grid, "--technique", "xyz_wing", "--draw", "--svg", &path("near.svg")]);
    assert_prints(&output, "[ ] pattern");
    assert!(std::fs::read_to_string(path("near.svg")).expect("the file is written").contains("href=\"#goes\""));
}

#[test]
fn a_report_is_a_page_with_distinct_ids() {
    let folder = fresh_folder("report");
    let page = folder.join("all.html");
    let page = page.to_str().expect("a path in UTF-8");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY}\n{MANY_WINGS}\n"));
    let output = run(&["report", &puzzles, "-o", page]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    let text = std::fs::read_to_string(page).expect("the file is written");
    assert!(text.starts_with("<!doctype html>") && text.contains("2 puzzles, 2 solved"));
    assert_eq!(exit_code(&run(&["report", EASY])), 2, "the output file is missing");
    // Pictures refer to their marks by id, so no id may occur twice.
    let markup: String = text.split("<script").filter_map(|part| part.rsplit("</script>").next()).collect();
    let mut ids: Vec<&str> = markup.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let id_count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert!(id_count > 20 && ids.contains(&"on"), "{ids:?}");
    assert_eq!(ids.len(), id_count, "an id occurs twice: {ids:?}");
}

/// A file name and notes that contain `{data}`, `{js}` and other placeholders of the page's template.
#[test]
fn placeholders_in_foreign_text_do_not_damage_a_report() {
    let folder = fresh_folder("placeholders");
    let page = folder.join("page.html");
    let page = page.to_str().expect("a path in UTF-8");
    let note = "{data}{js}{css}{style}{title}{summary}{charts}{all}{rows}</script><!--<script>";
    let puzzles = write_file(&folder, "{data} {js} {title}.txt", format!("{EASY} {note}\n{MANY_WINGS} {note}\n"));
    assert_eq!(exit_code(&run(&["report", &puzzles, "-o", page])), 0);
    let text = std::fs::read_to_string(page).expect("the file is written");
    assert!(text.contains("<title>Paths of {data} {js} {title}.txt</title>"));
    assert_eq!((text.matches("<script").count(), text.matches("</script>").count()), (2, 2));
    let data = text.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("the data");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["puzzles"][1]["note"], note);
}

#[test]
fn a_profile_name_is_preferred_to_a_folder_of_that_name() {
    let folder = fresh_folder("profile_folder");
    std::fs::create_dir(folder.join("classic")).expect("a folder can be made");
    let mut command = pinion(&["solve", EASY, "--profile", "classic", "--summary"]);
    let output = command.current_dir(&folder).stdin(Stdio::null()).output().expect("the binary starts");
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    assert!(transcript(&output).contains("(profile classic)"));
}

/// The output on a dumb terminal. `None` if the program `script`, which makes a terminal, is absent.
fn output_on_terminal(columns: usize, args: &str) -> Option<String> {
    output_on_terminal_of_type("dumb", columns, args)
}

/// The output on a terminal of a type such as `xterm`. `None` if the program `script`, which makes a terminal, is absent.
pub fn output_on_terminal_of_type(term: &str, columns: usize, args: &str) -> Option<String> {
    let shell_command = format!("stty cols {columns} rows 60; {} {args}", env!("CARGO_BIN_EXE_pinion"));
    let mut command = Command::new("script");
    command.args(["-qec", &shell_command, "/dev/null"]).env("NO_COLOR", "1").env("TERM", term).stdin(Stdio::null());
    let Ok(output) = command.output() else {
        println!("skipped: there is no `script` here to make a terminal");
        return None;
    };
    Some(String::from_utf8(output.stdout).expect("the output is text").replace('\r', ""))
}

#[test]
fn the_table_of_stats_fits_a_terminal() {
    for puzzle in [ONE_WING, HARD] {
        let Some(output) = output_on_terminal(80, &format!("stats {puzzle} --no-leave-out")) else { return };
        assert!(output.contains("technique") && lines_longer_than(80, &output).is_empty(), "{output}");
        // The long name is wrapped.
        assert_eq!(output.contains("\ncontradiction\n"), puzzle == HARD, "{output}");
    }
    let Some(output) = output_on_terminal(80, &format!("compare dynamic_plus_contradiction xy_wing --on {ONE_WING}"))
    else {
        return;
    };
    assert!(lines_longer_than(80, &output).is_empty(), "{output}");
}

fn lines_longer_than(columns: usize, output: &str) -> Vec<&str> {
    output.lines().filter(|line| line.chars().count() > columns).collect()
}

/// A puzzle that needs a technique with a very long name.
const HARD: &str = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

/// Lines longer than 40 columns, except progress bars, which are overwritten.
fn lines_longer_than_40(output: &str) -> Vec<&str> {
    let mut lines = lines_longer_than(40, output);
    lines.retain(|line| !line.contains('\u{1b}'));
    lines
}

#[test]
fn boards_are_split_on_a_narrow_terminal() {
    for (name, size) in [("12x12", 12), ("16x16", 16), ("25x25", 25), ("windoku", 9)] {
        let Some(output) = output_on_terminal(40, &format!("board {name}")) else { return };
        assert!(lines_longer_than_40(&output).is_empty(), "{output}");
        let grid = output.lines().filter(|line| line.starts_with('|') || line.starts_with(' '));
        let regions = grid.flat_map(|line| line.split([' ', '|'])).filter(|word| !word.is_empty()).count();
        assert!(name == "windoku" || regions == size * size, "{name}: {regions} cells\n{output}");
        assert_eq!(output.contains("Columns 1 to "), size > 9, "{output}");
    }
    let Some(output) = output_on_terminal(80, "board 16x16") else { return };
    assert!(!output.contains("Columns"), "{output}");
}

#[test]
fn counterexamples_are_split_on_a_narrow_terminal() {
    let rule = write_file(&fresh_folder("narrow_proof"), "bad.pinion", WRONG);
    for board in quick_or_full(&["9x9"][..], &["9x9", "16x16"]) {
        let Some(output) = output_on_terminal(40, &format!("prove {rule} --board {board} --no-cache")) else { return };
        assert!(output.contains("The rule concludes"), "{output}");
        assert!(lines_longer_than_40(&output).is_empty(), "{output}");
    }
}

/// A wrong rule: two cells with three digits exclude all three.
const WRONG: &str = "technique bad \"Bad\" {\n  r: row\n  s: cells[2] in r\n  require #digits(s) = 3\n  \
                     eliminate digits(s) from r - s\n}\n";

#[test]
fn compare_names_the_proof_that_is_running() {
    let args = format!("compare xy_wing w_wing --on {ONE_WING}");
    let Some(output) = output_on_terminal_of_type("xterm", 80, &args) else { return };
    assert!(output.contains("what xy_wing is a special case of"), "{output:?}");
    assert!(output.contains("both show ") || output.contains("have no deduction in common"), "{output:?}");
}

#[test]
fn a_long_search_names_its_puzzle_after_two_seconds() {
    let (empty_cells, args) = (".".repeat(255), "-t dynamic_plus_contradiction --seconds 5");
    let Some(output) = output_on_terminal_of_type("xterm", 80, &format!("find 1{empty_cells} {args}")) else { return };
    // On a busy machine the first line may appear late.
    let is_named = ["2s", "3s", "4s"].iter().any(|time| output.contains(&format!("puzzle 1, line 1 {time}")));
    assert!(is_named && !output.contains("line 1 1s"), "{output}");
}

#[test]
fn no_text_is_yellow() {
    // Yellow is illegible on white.
    let mut find = pinion(&["find", "12..3.......4..1", "-t", "sue_de_coq", "--color", "always"]);
    let output = find.env_remove("NO_COLOR").env("TERM", "xterm-256color").output().expect("the binary starts");
    let output = String::from_utf8(output.stdout).expect("the output is text");
    assert!(
        output.contains("Nothing found") && output.contains("\u{1b}[") && !output.contains("\u{1b}[33m"),
        "{output:?}"
    );
}

#[test]
fn output_on_a_terminal_has_grids_and_fits_its_width() {
    let Some(output) = output_on_terminal(80, &format!("solve {ONE_WING}")) else { return };
    assert!(output.contains("singles (to step"), "{output}");
    assert!(output.contains("Hardest: ") && output.contains("Rating: "), "{output}");
    assert!(output.matches("+---------+---------+").count() >= 8, "two grids with four rules each: {output}");
    assert_eq!(lines_longer_than(80, &output), Vec::<&str>::new());
    let Some(list) = output_on_terminal(80, "list") else { return };
    assert_eq!(lines_longer_than(80, &list), Vec::<&str>::new());
    let Some(help) = output_on_terminal(70, "find --help") else { return };
    assert_eq!(lines_longer_than(70, &help), Vec::<&str>::new());
}

#[test]
fn interactive_solving_needs_a_terminal() {
    let output = run(&["solve", EASY, "--interactive"]);
    assert_output(&output, 2, "needs a terminal");
}

/// A grid is drawn with candidate lists, with blocks, or with one character for each cell, as the width allows.
#[test]
fn grids_fit_a_narrow_terminal() {
    let folder = fresh_folder("narrow");
    let empty = write_file(&folder, "empty.txt", format!("1{}", ".".repeat(255)));
    for (args, grid_part) in [
        (format!("solve {ONE_WING} --profile basic"), "+---------+---------+"),
        (format!("solve {ONE_WING} -v"), "+-----------+-----------+"),
        (format!("hint {ONE_WING}"), "["),
        (format!("find {ONE_WING} -t skyscraper --draw"), "-"),
        (format!("hint {empty} --unchecked --profile basic"), "|. . . .|"),
    ] {
        let Some(output) = output_on_terminal(40, &args) else { return };
        let mut long_lines = lines_longer_than(40, &output);
        long_lines.retain(|line| !line.starts_with("note:"));
        assert!(long_lines.is_empty() && output.contains(grid_part), "{args}: {long_lines:?} {output}");
    }
}
