//! `pinion test PATH` runs the examples and near misses of rule files.

use super::{NEAR_WING, assert_output, exit_code, fresh_folder, pinion, run, transcript, write_file};
use ::pinion::solve::Rulebook;

const RULE: &str = "technique last \"Last\" {\n  c: cell = {d}\n  place d in c\n}\n";
const GRID: &str = "  grid \"\"\"\n    1   2  34 34\n    134 34 1  2\n    2   1  34 34\n    34  34 2  1\n  \"\"\"\n";

/// The example begins after all full houses are placed. The near miss begins when no naked single is left.
const WITH_AFTER: &str = "\
technique two \"Two\" {
  c: cell = {d}
  place d in c
}

example two \"two cells are left with one candidate\" {
  grid \"12..3.......4..1\"
  after full_house
  finds r2c4=2
  finds r4c2=3
}

near_miss two {
  grid \"12..3.......4..1\"
  after full_house, naked_single
}
";

/// The transcript of a command that runs in a fresh folder with these files.
fn run_in_folder(name: &str, files: &[(&str, &str)], args: &[&str]) -> String {
    let folder = fresh_folder(name);
    for (name, text) in files {
        write_file(&folder, name, text);
    }
    transcript(&pinion(args).current_dir(&folder).output().expect("the binary starts"))
}

#[test]
fn failed_examples_and_near_misses_are_explained() {
    let text = format!(
        "{RULE}\nexample last \"right\" {{\n{GRID}  finds r2c3=1\n  finds r1c1=1\n}}\n\nexample last \"one too few\" {{\n{GRID}  finds r1c1=1\n}}\n\nexample last \"another\" {{\n{GRID}  finds r1c1=1\n  finds r2c3=1\n  finds r4c1=3\n}}\n\nnear_miss last {{\n{GRID}}}\n\nexample last \"no grid\" {{\n  grid \"12..\"\n  finds r1c3=3\n}}\n"
    );
    insta::assert_snapshot!(
        "examples_failed",
        run_in_folder("examples", &[("last.pinion", &text)], &["test", "last.pinion"])
    );
}

#[test]
fn one_bad_file_does_not_block_the_others() {
    let good = format!("{RULE}\nexample last {{\n{GRID}  finds r1c1=1\n  finds r2c3=1\n}}\n");
    let files = [
        ("bad.pinion", "technique bad {\n  c: cel\n}\n"),
        ("good.pinion", &good),
        ("untested.pinion", &RULE.replace("last", "other")),
    ];
    insta::assert_snapshot!(
        "examples_bad_file",
        run_in_folder("examples_bad", &files, &["test", ".", "missing", "--verbose"])
    );
}

#[test]
fn an_example_with_after_begins_when_those_techniques_find_nothing() {
    insta::assert_snapshot!(
        "examples_after",
        run_in_folder("examples_after", &[("two.pinion", WITH_AFTER)], &["test", "two.pinion"])
    );
    let unknown = WITH_AFTER.replace("full_house,", "full_house, hiden_single,");
    insta::assert_snapshot!(
        "examples_after_unknown",
        run_in_folder("examples_after_unknown", &[("two.pinion", &unknown)], &["test", "two.pinion"])
    );
}

/// A library line: a position and the eliminations of one match, 6 in r7c5 and in r9c5.
const LIBRARY: &str =
    ":0100:6:6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4::675 695::";

#[test]
fn a_library_line_can_be_the_grid_of_an_example() {
    let text = |technique: &str, line: &str| {
        format!("example {technique} {{\n  grid \"{line}\"\n}}\n\nnear_miss full_house {{\n  grid \"{line}\"\n}}\n")
    };
    let found = text("locked_candidates", LIBRARY);
    insta::assert_snapshot!(
        "examples_library",
        run_in_folder("examples_library", &[("a.pinion", &found)], &["test", "a.pinion"])
    );
    let wrong = text("locked_candidates", &LIBRARY.replace("695", "694"));
    let output = run_in_folder("examples_library_wrong", &[("a.pinion", &wrong)], &["test", "a.pinion"]);
    assert!(output.starts_with("exit 1") && output.contains("not found: r7c5<>6 r9c4<>6"), "{output}");
}

#[test]
fn test_results_are_written_as_json() {
    let text = format!("{RULE}\nexample last \"one too few\" {{\n{GRID}  finds r1c1=1\n}}\n");
    let output =
        run_in_folder("examples_json", &[("last.pinion", &text)], &["test", "last.pinion", "--format", "json"]);
    insta::assert_snapshot!("examples_json", output);
}

#[test]
fn the_rulebook_passes_its_own_tests() {
    let output = run(&["test"]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    let text = transcript(&output);
    let summary = text.lines().last().expect("a summary");
    let (passed, total) = summary.split_once(": ").and_then(|(_, counts)| counts.split_once(" of ")).expect("counts");
    assert_eq!(total, format!("{passed} tests passed"), "{text}");
    // Each technique has at least an example and a near miss.
    let fewest = 2 * Rulebook::embedded().techniques().len();
    assert!(passed.parse::<usize>().is_ok_and(|count| count >= fewest), "{text}");
}

#[test]
fn a_folder_without_rules_is_an_error() {
    let empty = fresh_folder("examples_none");
    assert_eq!(exit_code(&run(&["test", empty.to_str().unwrap()])), 3);
}

#[test]
fn a_failed_example_shows_how_close_the_rule_came() {
    let grid: String = NEAR_WING.lines().map(|line| format!("    {line}\n")).collect();
    let rule = "\
technique three_cells \"Three Cells\" {
  pivot: cell = {x, y, z}
  first: cell = {x, z} sees pivot
  second: cell = {y, z} sees pivot
  conclude some z in pivot, first, second
}

example three_cells \"the pivot has a fourth candidate\" {
  grid \"\"\"
GRID  \"\"\"
  finds r3c4<>2
}
"
    .replace("GRID", &grid);
    insta::assert_snapshot!(
        "examples_nearly",
        run_in_folder("examples_nearly", &[("three_cells.pinion", &rule)], &["test", "three_cells.pinion"])
    );
}

/// A rule with a chain node `s` that need not lie in one box, and a chain node `P` that is a group.
const TWO_NODES: &str = r#"/// Two cells and a group have all places of a digit in a row.
technique two_parts "Two Parts" {
  d: digit
  r: row
  s: cells[2] in r has d
  P: group
  chain (d)s = (d)P
  conclude some d in s, P
}

example two_parts {
  grid """
    123    123    123    456    456    456
    123456 123456 123456 123456 123456 123456
    123456 123456 123456 123456 123456 123456
    123456 123456 123456 123456 123456 123456
    123456 123456 123456 123456 123456 123456
    123456 123456 123456 123456 123456 123456
  """
  finds r2c123<>1
  finds r2c123<>2
  finds r2c123<>3
  finds r2c456<>4
  finds r2c456<>5
  finds r2c456<>6
}
"#;

#[test]
fn a_chain_node_may_be_any_set_of_cells() {
    let folder = fresh_folder("parts");
    let rule = write_file(&folder, "two_parts.pinion", TWO_NODES);
    let output = run(&["test", &rule]);
    assert_output(&output, 0, "1 of 1 test passed");
}
