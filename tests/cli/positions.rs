//! `pinion test` with test files: snapshots of their positions are written, accepted, reviewed and deleted; library lines; mutants.

use super::{assert_output, assert_prints, exit_code, fresh_folder, pinion, run, run_with, transcript, write_file};
use std::path::{Path, PathBuf};
use std::process::Output;

const PUZZLES: &str = "\
# two positions, one of them with a name
12..3.......4..1 small
6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4
";

fn run_in(folder: &Path, args: &[&str]) -> Output {
    pinion(args).current_dir(folder).output().expect("the binary starts")
}

/// A folder with a new rule, `my_rule.pinion`, and a test file, `my_rule.test`.
fn folder_with_tests(name: &str, puzzles: &str) -> PathBuf {
    let folder = fresh_folder(name);
    assert_eq!(exit_code(&run_in(&folder, &["new", "my_rule"])), 0);
    write_file(&folder, "my_rule.test", puzzles);
    folder
}

/// The sorted names of the files in the folder `snapshots`.
fn snapshot_names(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder.join("snapshots")) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn snapshots_are_pending_until_they_are_accepted() {
    let folder = folder_with_tests("positions", PUZZLES);
    insta::assert_snapshot!("positions_new", transcript(&run_in(&folder, &["test", "my_rule.pinion"])));
    assert!(!folder.join("snapshots").exists(), "files are written only with --pending or --accept");
    assert_eq!(exit_code(&run_in(&folder, &["test", "my_rule.pinion", "--pending"])), 1);
    assert!(snapshot_names(&folder).iter().all(|name| name.ends_with(".snap.new")), "{:?}", snapshot_names(&folder));
    assert_eq!(exit_code(&run_in(&folder, &["test", "my_rule.pinion", "--accept"])), 0);
    insta::assert_snapshot!("positions_accepted", transcript(&run_in(&folder, &["test", "my_rule.pinion", "-v"])));
    let names = snapshot_names(&folder);
    assert_eq!(names.len(), 2);
    let larger_puzzle = names.iter().find(|name| !name.contains("small")).unwrap();
    insta::assert_snapshot!(
        "positions_file",
        std::fs::read_to_string(folder.join("snapshots").join(larger_puzzle)).unwrap()
    );
    // The changed rule finds less. The differences are shown, and the new snapshots are pending beside the accepted ones.
    let rule = folder.join("my_rule.pinion");
    let text = std::fs::read_to_string(&rule)
        .unwrap()
        .replace("  h: house\n", "  h: box\n")
        .replace("says \"{x}/{y}", "says \"{x} and {y}");
    std::fs::write(&rule, text).unwrap();
    insta::assert_snapshot!(
        "positions_changed",
        transcript(&run_in(&folder, &["test", "my_rule.pinion", "--pending"]))
    );
    assert_eq!(snapshot_names(&folder).len(), 4);
}

#[test]
fn insta_can_read_and_write_the_snapshots() {
    let folder = folder_with_tests("positions_insta", PUZZLES);
    assert_eq!(exit_code(&run_in(&folder, &["test", "my_rule.pinion", "--pending"])), 1);
    assert_eq!(snapshot_names(&folder).len(), 2);
    for name in snapshot_names(&folder) {
        let path = folder.join("snapshots").join(name);
        let snapshot = insta::Snapshot::from_file(&path).expect("insta reads the snapshot");
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(snapshot.metadata().source(), Some("my_rule.test"));
        assert_eq!(snapshot.metadata().expression(), Some("my_rule"));
        let contents = snapshot.as_text().expect("text").to_string();
        assert!(contents.lines().count() > 4 && text.ends_with(&format!("---\n{contents}\n")), "{contents}");
        // The snapshot that insta writes is accepted below.
        snapshot.save(&path.with_extension("")).unwrap();
        std::fs::remove_file(path).unwrap();
    }
    assert_eq!(exit_code(&run_in(&folder, &["test", "my_rule.pinion"])), 0);
    assert!(snapshot_names(&folder).iter().all(|name| name.ends_with(".snap")));
}

#[test]
fn snapshots_are_reviewed_one_at_a_time() {
    let folder = folder_with_tests("positions_review", PUZZLES);
    let path = folder.join("my_rule.pinion");
    let output = run_with(&["test", path.to_str().unwrap(), "--review"], b"what?\ns\na\n");
    let text = transcript(&output).replace(folder.to_str().unwrap(), "FOLDER");
    insta::assert_snapshot!("positions_review", text);
    let names = snapshot_names(&folder);
    assert!(names.len() == 1 && names[0].ends_with(".snap"), "{names:?}");
    let output = run_with(&["test", path.to_str().unwrap(), "--review"], b"r\n");
    assert_eq!(exit_code(&output), 1);
    assert_eq!(snapshot_names(&folder).len(), 1);
}

#[test]
fn unreferenced_snapshots_are_stale() {
    let folder = folder_with_tests("positions_stale", PUZZLES);
    assert_eq!(exit_code(&run_in(&folder, &["test", ".", "--accept"])), 0);
    let first_position: String = PUZZLES.lines().take(2).map(|line| format!("{line}\n")).collect();
    write_file(&folder, "my_rule.test", first_position);
    let output = run_in(&folder, &["test", "."]);
    insta::assert_snapshot!("positions_stale", transcript(&output));
    assert_eq!(exit_code(&run_in(&folder, &["test", ".", "--unreferenced", "reject"])), 1);
    assert_eq!(exit_code(&run_in(&folder, &["test", ".", "--unreferenced", "ignore"])), 0);
    assert_eq!(exit_code(&run_in(&folder, &["test", ".", "--unreferenced", "delete"])), 0);
    assert_eq!(snapshot_names(&folder).len(), 1);
}

/// A run of one file neither reports nor deletes the snapshots of other files.
#[test]
fn snapshots_of_rules_that_were_not_run_are_kept() {
    let folder = folder_with_tests("positions_part", PUZZLES);
    assert_eq!(exit_code(&run_in(&folder, &["new", "other"])), 0);
    // `other.pinion` gets an example of `my_rule`. That does not count as a run of `my_rule`.
    let other_rule = std::fs::read_to_string(folder.join("other.pinion")).unwrap();
    let my_rule = std::fs::read_to_string(folder.join("my_rule.pinion")).unwrap();
    let example = &my_rule[my_rule.find("example my_rule").expect("an example")..];
    write_file(&folder, "other.pinion", format!("{other_rule}\n{example}"));
    write_file(&folder, "other.test", PUZZLES);
    assert_eq!(exit_code(&run_in(&folder, &["test", ".", "--accept"])), 0);
    let accepted_names = snapshot_names(&folder);
    for path in ["other.pinion", "./other.pinion", "../positions_part/other.pinion"] {
        let output = run_in(&folder, &["test", path, "--unreferenced", "delete", "--rules", "my_rule.pinion"]);
        assert!(exit_code(&output) == 0 && !transcript(&output).contains("stale"), "{}", transcript(&output));
        let output = run_in(&folder, &["test", path, "--unreferenced", "delete"]);
        assert!(!transcript(&output).contains("deleted"), "{}", transcript(&output));
    }
    assert_eq!(snapshot_names(&folder), accepted_names);
    // `my_rule` is deleted, so the run covers all rules of the folder. The snapshots of `my_rule` are deleted.
    std::fs::remove_file(folder.join("my_rule.pinion")).unwrap();
    write_file(&folder, "other.pinion", other_rule);
    assert_eq!(exit_code(&run_in(&folder, &["test", "other.pinion", "--unreferenced", "delete"])), 0);
    assert!(snapshot_names(&folder).iter().all(|name| name.starts_with("other@")), "{:?}", snapshot_names(&folder));
}

#[test]
fn a_rule_with_an_accepted_snapshot_needs_no_example() {
    let folder = fresh_folder("positions_enough");
    write_file(&folder, "lone.pinion", "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n");
    write_file(&folder, "lone.test", "12..3.......4..1 first\n");
    let without_snapshot = run_in(&folder, &["test", "lone.pinion"]);
    assert_output(&without_snapshot, 1, "untested lone");
    let with_snapshot = run_in(&folder, &["test", "lone.pinion", "--accept"]);
    assert!(
        exit_code(&with_snapshot) == 0 && !transcript(&with_snapshot).contains("untested"),
        "{}",
        transcript(&with_snapshot)
    );
    // A snapshot without matches does not count.
    write_file(&folder, "lone.test", "1............... other\n");
    let without_matches = run_in(&folder, &["test", "lone.pinion", "--accept", "--unreferenced", "delete"]);
    assert_output(&without_matches, 1, "untested lone");
}

#[test]
fn a_renamed_position_keeps_its_snapshot() {
    let folder = folder_with_tests("positions_renamed", PUZZLES);
    assert_eq!(exit_code(&run_in(&folder, &["test", ".", "--accept"])), 0);
    let old_names = snapshot_names(&folder);
    write_file(&folder, "my_rule.test", PUZZLES.replace(" small", " tiny"));
    let output = run_in(&folder, &["test", ".", "--unreferenced", "reject"]);
    assert_prints(&output, "1 position with another name now");
    assert!(exit_code(&output) == 0 && snapshot_names(&folder) == old_names, "{}", transcript(&output));
    let output = run_in(&folder, &["test", ".", "--accept", "--unreferenced", "reject"]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    let new_names: Vec<String> = old_names.iter().map(|name| name.replace("@small_", "@tiny_")).collect();
    assert!(new_names != old_names && snapshot_names(&folder) == new_names, "{:?}", snapshot_names(&folder));
    // A copy of a position with a second name is a new position.
    write_file(&folder, "my_rule.test", PUZZLES.replace("\n6", "\n12..3.......4..1 again\n6"));
    let output = run_in(&folder, &["test", "."]);
    assert_prints(&output, "passed, 1 new");
}

#[test]
fn a_filter_without_a_matching_test_fails() {
    let folder = folder_with_tests("positions_filter", PUZZLES);
    assert_eq!(exit_code(&run_in(&folder, &["test", ".", "--filter", "MY-RULE", "--accept"])), 0);
    insta::assert_snapshot!("positions_filter", transcript(&run_in(&folder, &["test", ".", "--filter", "other"])));
}

#[test]
fn library_lines_in_test_files_are_expectations() {
    let puzzle = "6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4";
    let text = format!(
        ":0200:45:{puzzle}::416 516::\n:0200:45:{puzzle}::411::\n:0200-x:45:{puzzle}::416 516::\n:0200-x:12:{puzzle}:::::\n"
    );
    let folder = folder_with_tests("positions_library", &text);
    assert_eq!(exit_code(&run_in(&folder, &["test", ".", "--accept"])), 1);
    insta::assert_snapshot!("positions_library", transcript(&run_in(&folder, &["test", "."])));
}

#[test]
fn a_rule_that_finds_nothing_and_a_bad_puzzle_are_reported() {
    let folder = folder_with_tests("positions_silent", "1.....3..2.....4\n12..3.......4..\n");
    std::fs::rename(folder.join("my_rule.test"), folder.join("all.test")).unwrap();
    insta::assert_snapshot!("positions_silent", transcript(&run_in(&folder, &["test", "my_rule.pinion", "--accept"])));
}

#[test]
fn test_results_are_written_as_junit_and_json() {
    let folder = folder_with_tests("positions_ci", PUZZLES);
    let rule = "technique bare \"<Bare> & \" {\n  c: cell = {d}\n  place d in c\n}\n";
    write_file(&folder, "bare.pinion", rule);
    let output = run_in(&folder, &["test", ".", "--check", "--junit", "out.xml", "--format", "json"]);
    assert_eq!(exit_code(&output), 1);
    assert!(snapshot_names(&folder).is_empty());
    insta::assert_snapshot!("positions_junit", std::fs::read_to_string(folder.join("out.xml")).unwrap());
    insta::assert_snapshot!("positions_json", String::from_utf8(output.stdout).unwrap());
}

#[test]
fn requirements_that_no_test_needs_are_named() {
    let folder = folder_with_tests("positions_mutate", PUZZLES);
    assert_eq!(exit_code(&run_in(&folder, &["test", ".", "--accept"])), 0);
    insta::assert_snapshot!(
        "positions_mutate",
        transcript(&run_in(&folder, &["test", ".", "--mutate", "--coverage", "-v"]))
    );
    // The requirement excludes `n = 2` and `n = 3`, so it needs a near miss.
    let family = "\
technique few(n: 1..3) \"Few {n}\" {
  c: cell with n candidates
  require #digits(c) < 2
  place digits(c) in c
}

example few(1) {
  grid \"12..3.......4..1\"
  finds r2c2=4
  finds r3c1=2
  finds r4c2=3
}
";
    write_file(&folder, "few.pinion", family);
    insta::assert_snapshot!(
        "positions_coverage",
        transcript(&run_in(&folder, &["test", "few.pinion", "--coverage", "--mutate"]))
    );
}

/// A test that fails anyway would seem to detect every mutant.
#[test]
fn no_mutants_are_made_while_a_test_fails() {
    let folder = fresh_folder("mutate_failing");
    let rule = "\
technique lone \"Lone\" {
  c: cell = {d}
  place d in c
}

example lone {
  grid \"12..3.......4..1\"
  finds r2c2=3
}
";
    write_file(&folder, "lone.pinion", rule);
    let output = transcript(&run_in(&folder, &["test", "lone.pinion", "--mutate"]));
    assert!(output.starts_with("exit 1") && output.contains("mend the tests first"), "{output}");
    assert!(!output.contains("noticed by tests"), "{output}");
}

#[test]
fn a_changed_copy_of_a_built_in_rule_is_reported() {
    let folder = fresh_folder("replacing");
    let built_in = std::fs::read_to_string("rules/singles/naked_single.pinion").expect("a rule");
    let unchanged_copy = write_file(&folder, "same.pinion", &built_in);
    assert!(!transcript(&run(&["list", "--rules", &unchanged_copy])).contains("takes the place"));
    let changed_rule = "technique naked_single \"Naked Single\" {\n  c: cell = {d, e}\n  place d in c\n}\n";
    let changed_rule = write_file(&folder, "other.pinion", changed_rule);
    let output = transcript(&run(&["list", "--rules", &changed_rule]));
    let message = "other.pinion takes the place of rules/singles/naked_single.pinion";
    assert!(output.contains("`naked_single` of ") && output.contains(message), "{output}");
}

/// The rules and positions of a file with errors are unknown, so no snapshot is known to be unused.
#[test]
fn snapshots_are_kept_if_a_file_has_errors() {
    let folder = folder_with_tests("positions_kept", PUZZLES);
    assert_eq!(exit_code(&run_in(&folder, &["test", ".", "--accept"])), 0);
    let accepted_names = snapshot_names(&folder);
    assert!(!accepted_names.is_empty());
    let (rule, tests) = (folder.join("my_rule.pinion"), folder.join("my_rule.test"));
    let text = std::fs::read_to_string(&rule).unwrap();
    let with_error = text.replace("eliminate", "eliminat");
    assert_ne!(with_error, text);
    std::fs::write(&rule, with_error).unwrap();
    assert_ne!(exit_code(&run_in(&folder, &["test", ".", "--unreferenced", "delete"])), 0);
    assert_eq!(snapshot_names(&folder), accepted_names);
    std::fs::write(&rule, text).unwrap();
    let positions = std::fs::read(&tests).unwrap();
    std::fs::write(&tests, [b"12..3.......4..\xff\n".as_slice(), &positions].concat()).unwrap();
    assert_ne!(exit_code(&run_in(&folder, &["test", ".", "--unreferenced", "delete"])), 0);
    assert_eq!(snapshot_names(&folder), accepted_names);
    // Without errors, the snapshots of a removed position are deleted.
    let first_position = String::from_utf8(positions).unwrap().lines().take(2).collect::<Vec<_>>().join("\n") + "\n";
    std::fs::write(&tests, first_position).unwrap();
    run_in(&folder, &["test", ".", "--unreferenced", "delete"]);
    assert!(snapshot_names(&folder).len() < accepted_names.len());
}
