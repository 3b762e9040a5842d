//! Added rules that are refuted: they are used only on request, their steps are marked, and their results cannot be accepted.

use super::{assert_prints, exit_code, fresh_folder, json_output, pinion, transcript, write_file};
use std::path::Path;
use std::process::Output;

/// A wrong rule with almost locked sets.
const STEM: &str = r#"technique v53 "v53" {
  stem: als
  z, e: digit
  petal[d]: als has z linking d to stem for d in digits(stem) - (e + z)
  conclude some z in petal, stem
}
"#;

/// A wrong rule with suppositions.
const KRAKEN: &str = r#"pattern almost_wing {
  pivot: cell has x, y
  a: cell has x, z sees pivot
  b: cell has y, z sees pivot
  x, y, z: digit
  let G = ((digits - {x, y} in pivot) + (digits - {x, z} in a)) + (digits - {y, z} in b)
}
technique kraken_xy_wing "Kraken XY-Wing" {
  uses almost_wing
  require #G = 1
  let K = G + (z in a)
  suppose each of K using singles, all imply q
  conclude q
}
"#;

/// A wrong rule: it places the first of two candidates, on nearly every grid a wrong digit.
const WRONG: &str = "technique hasty \"Hasty\" {\n  c: cell = {a, b}\n  place a in c\n}\n";

/// An easy puzzle with a cell of two candidates at the start, so that the wrong rule matches.
const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Runs a command in a folder, with a proof cache in that folder.
fn run_in(folder: &Path, args: &[&str]) -> Output {
    pinion(args).current_dir(folder).env("PINION_CACHE", folder.join("cache")).output().expect("the binary starts")
}

#[test]
fn wrong_rules_with_sets_and_suppositions_are_refuted() {
    let folder = fresh_folder("trust_refuted");
    for (name, rule) in [("stem.pinion", STEM), ("kraken.pinion", KRAKEN)] {
        write_file(&folder, name, rule);
        let record = json_output(&run_in(&folder, &["prove", name, "--format", "json"]));
        assert_eq!(record["status"], "refuted", "{record}");
        assert!(record["counterexample"].is_object(), "{record}");
    }
}

#[test]
fn refuted_rules_are_used_only_on_request() {
    let folder = fresh_folder("trust_solve");
    write_file(&folder, "wrong.pinion", WRONG);
    let solve = |options: &[&str]| {
        run_in(&folder, &[&["solve", PUZZLE, "--rules", "wrong.pinion", "--format", "json"], options].concat())
    };
    let without_trust = solve(&[]);
    let note = String::from_utf8_lossy(&without_trust.stderr).into_owned();
    assert_eq!(exit_code(&without_trust), 0, "{note}");
    assert!(note.contains("`hasty` is refuted on the board 9x9 and used only if you name it"), "{note}");
    let steps = json_output(&without_trust)["result"]["steps"].as_array().expect("steps").clone();
    assert!(steps.iter().all(|step| step["technique"] != "hasty"));
    let with_trust = solve(&["--trust"]);
    let note = String::from_utf8_lossy(&with_trust.stderr).into_owned();
    assert!(note.contains("`hasty` is refuted on the board 9x9 and used because of --trust"), "{note}");
}

#[test]
fn steps_of_refuted_rules_are_marked() {
    let folder = fresh_folder("trust_marks");
    write_file(&folder, "wrong.pinion", WRONG);
    let matches =
        transcript(&run_in(&folder, &["find", PUZZLE, "--rules", "wrong.pinion", "-t", "hasty", "--limit", "1"]));
    assert!(matches.contains("(refuted)"), "{matches}");
    assert!(matches.contains("Refuted on the board 9x9: hasty."), "{matches}");
}

/// Writes the wrong rule with an example, and a test file for it.
fn write_wrong_rule_and_tests(folder: &Path) {
    let example = format!("\nexample hasty \"First\" {{\n  grid \"{PUZZLE}\"\n  finds r1c3=1\n}}\n");
    write_file(folder, "wrong.pinion", format!("{WRONG}{example}"));
    write_file(folder, "wrong.test", PUZZLE);
}

#[test]
fn deductions_that_contradict_the_solution_cannot_be_accepted() {
    let folder = fresh_folder("trust_accept");
    write_wrong_rule_and_tests(&folder);
    for options in [&["--accept"][..], &[], &["--pending"]] {
        let output = run_in(&folder, &[&["test", "wrong.pinion"], options].concat());
        let text = transcript(&output);
        assert_eq!(exit_code(&output), 1, "{text}");
        assert!(text.contains("cannot be accepted: r1c4=2, but in the solution r1c4 is 6"), "{text}");
        assert!(text.contains("0 of 2 tests passed, 2 failed"), "{text}");
        assert!(!folder.join("snapshots").exists());
    }
    // An existing snapshot is not replaced by results that contradict the solution.
    write_file(&folder, "right.pinion", WRONG.replace("hasty", "right").replace("place a in c", "place b in c"));
    let snapshot = "---\nsource: right.test\nexpression: right\n---\nnothing is found\n";
    std::fs::create_dir(folder.join("snapshots")).expect("a folder");
    write_file(&folder, "right.test", PUZZLE);
    write_file(&folder, "snapshots/right@a97791.snap", snapshot);
    let output = run_in(&folder, &["test", "right.pinion", "--accept"]);
    assert_eq!(exit_code(&output), 1, "{}", transcript(&output));
    let unchanged = std::fs::read_to_string(folder.join("snapshots/right@a97791.snap")).expect("a file");
    assert_eq!(unchanged, snapshot);
}

#[test]
fn on_a_position_with_several_solutions_any_result_can_be_accepted() {
    let folder = fresh_folder("trust_several");
    write_file(&folder, "wrong.pinion", WRONG);
    write_file(&folder, "wrong.test", PUZZLE.replace("..419..5....8..79", "................."));
    let output = run_in(&folder, &["test", "wrong.pinion", "--accept"]);
    assert_prints(&output, "1 of 1 test passed");
    assert_eq!(std::fs::read_dir(folder.join("snapshots")).expect("a folder").count(), 1);
}

/// A rule about the three boxes of a band, which is wrong where regions have other shapes.
fn band_rule() -> String {
    let text = include_str!("../../rules/wings/chute_remote_pair.pinion");
    let (rule, _) = text.split_once("\nexample").expect("an example");
    rule.replace("chute_remote_pair", "band_pair")
}

/// A jigsaw with one solution.
const JIGSAW: &str = ".2...49.....1..7...89.5.3......2....5.......2............5...........5.4...6..... jigsaw=\
    111111112344122222334442225336644445336666655377776655388877755888889775899999999";

#[test]
fn a_rule_that_is_proved_on_one_board_can_be_refuted_on_another() {
    let folder = fresh_folder("trust_jigsaw");
    write_file(&folder, "band.pinion", band_rule());
    let solve = |puzzle: &str| run_in(&folder, &["solve", puzzle, "--rules", "band.pinion", "--summary"]);
    let standard = solve(PUZZLE);
    assert!(!String::from_utf8_lossy(&standard.stderr).contains("band_pair"), "`band_pair` is proved on the 9×9 board");
    let jigsaw = solve(JIGSAW);
    let note = String::from_utf8_lossy(&jigsaw.stderr).into_owned();
    assert_eq!(exit_code(&jigsaw), 0, "{note}");
    assert!(note.contains("`band_pair` is refuted on the board 9x9 jigsaw and used only if you name it"), "{note}");
}

#[test]
fn the_error_for_a_broken_path_names_step_and_rule() {
    let folder = fresh_folder("trust_broken");
    write_file(&folder, "wrong.pinion", WRONG);
    write_file(&folder, "mine.ron", "(name: \"mine\", rows: [(technique: \"hasty\"), (technique: \"hidden_single\")])");
    let args = ["solve", PUZZLE, "--rules", "wrong.pinion", "--profile", "mine.ron", "--trust"];
    let output = run_in(&folder, &args);
    let text = transcript(&output);
    assert!(text.contains("1. Hasty: 2/6 in r1c4 => r1c4=2 (refuted)"), "{text}");
    let message =
        "step 1 is wrong: `hasty` concludes r1c4=2, but in the solution r1c4 is 6. The rule is refuted on this board";
    assert!(text.contains(message), "{text}");
    let record = json_output(&run_in(&folder, &[&args[..], &["--format", "json"]].concat()));
    assert_eq!(record["result"]["wrong_step"]["technique"], "hasty", "{record}");
    let rating = transcript(&run_in(&folder, &[&["rate"], &args[1..]].concat()));
    assert!(rating.contains(message), "{rating}");
}

#[test]
fn the_list_shows_refuted_and_proved_rules() {
    let folder = fresh_folder("trust_list");
    write_file(&folder, "wrong.pinion", WRONG);
    write_file(&folder, "band.pinion", band_rule());
    let list = json_output(&run_in(
        &folder,
        &["list", "--rules", "wrong.pinion", "--rules", "band.pinion", "--format", "json"],
    ));
    let soundness = |id: &str| {
        let rows = list["rules"].as_array().expect("rows").iter();
        rows.filter(|row| row["technique"] == id).map(|row| row["soundness"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(soundness("hasty"), ["refuted"]);
    assert_eq!(soundness("band_pair"), ["proved"]);
}

#[test]
fn a_rule_that_uses_a_refuted_rule_is_refuted() {
    let folder = fresh_folder("trust_users");
    write_file(&folder, "wrong.pinion", WRONG);
    let user = "rules mine = hasty\ntechnique user \"User\" {\n  a: cell = {x, y}\n  \
        suppose each of digits(a) in a using rules mine, all imply q\n  conclude q\n}\n";
    write_file(&folder, "user.pinion", user);
    let list = run_in(&folder, &["list", "--rules", "wrong.pinion", "--rules", "user.pinion"]);
    let line = transcript(&list).lines().find(|line| line.contains(" user ")).unwrap_or_default().to_owned();
    assert!(line.trim_start().starts_with("refuted"), "{}", transcript(&list));
}
