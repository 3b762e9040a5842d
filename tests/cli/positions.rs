//! `pinion test` with test files: snapshots beside rule files, accepted, reviewed, stale.

use super::{exit_code, fresh_folder, pinion, run, run_with, transcript, write_file};
use std::path::{Path, PathBuf};
use std::process::Output;

const PUZZLES: &str = "\
# two positions, one of them with a name
12..3.......4..1 small
6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4
";

fn at(folder: &Path, args: &[&str]) -> Output {
    pinion(args).current_dir(folder).output().expect("the binary starts")
}

/// A folder with a new rule and a test file.
fn with_tests(name: &str, puzzles: &str) -> PathBuf {
    let folder = fresh_folder(name);
    assert_eq!(exit_code(&at(&folder, &["new", "my_rule"])), 0);
    write_file(&folder, "my_rule.test", puzzles);
    folder
}

/// The names of the snapshots there are.
fn snapshots(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder.join("snapshots")) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn snapshots_wait_until_they_are_accepted() {
    let folder = with_tests("positions", PUZZLES);
    insta::assert_snapshot!("positions_new", transcript(&at(&folder, &["test", "my_rule.pinion"])));
    assert!(!folder.join("snapshots").exists(), "nothing is written without being asked for");
    assert_eq!(exit_code(&at(&folder, &["test", "my_rule.pinion", "--pending"])), 1);
    assert!(snapshots(&folder).iter().all(|name| name.ends_with(".snap.new")), "{:?}", snapshots(&folder));
    assert_eq!(exit_code(&at(&folder, &["test", "my_rule.pinion", "--accept"])), 0);
    insta::assert_snapshot!("positions_accepted", transcript(&at(&folder, &["test", "my_rule.pinion", "-v"])));
    let names = snapshots(&folder);
    assert_eq!(names.len(), 2);
    let large = names.iter().find(|name| !name.contains("small")).unwrap();
    insta::assert_snapshot!("positions_file", std::fs::read_to_string(folder.join("snapshots").join(large)).unwrap());
    // The rule finds less: what is no longer found is said, and waits beside what was accepted.
    let rule = folder.join("my_rule.pinion");
    let text = std::fs::read_to_string(&rule)
        .unwrap()
        .replace("  h: house\n", "  h: box\n")
        .replace("says \"{x}/{y}", "says \"{x} and {y}");
    std::fs::write(&rule, text).unwrap();
    insta::assert_snapshot!("positions_changed", transcript(&at(&folder, &["test", "my_rule.pinion", "--pending"])));
    assert_eq!(snapshots(&folder).len(), 4);
}

#[test]
fn insta_reads_what_is_written() {
    let folder = with_tests("positions_insta", PUZZLES);
    assert_eq!(exit_code(&at(&folder, &["test", "my_rule.pinion", "--pending"])), 1);
    assert_eq!(snapshots(&folder).len(), 2);
    for name in snapshots(&folder) {
        let path = folder.join("snapshots").join(name);
        let read = insta::Snapshot::from_file(&path).expect("insta reads it");
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(read.metadata().source(), Some("my_rule.test"));
        assert_eq!(read.metadata().expression(), Some("my_rule"));
        let contents = read.as_text().expect("it is text").to_string();
        assert!(contents.lines().count() > 4 && text.ends_with(&format!("---\n{contents}\n")), "{contents}");
        // And what insta writes is read back.
        read.save(&path.with_extension("")).unwrap();
        std::fs::remove_file(path).unwrap();
    }
    assert_eq!(exit_code(&at(&folder, &["test", "my_rule.pinion"])), 0);
    assert!(snapshots(&folder).iter().all(|name| name.ends_with(".snap")));
}

#[test]
fn snapshots_are_reviewed_one_at_a_time() {
    let folder = with_tests("positions_review", PUZZLES);
    let path = folder.join("my_rule.pinion");
    let output = run_with(&["test", path.to_str().unwrap(), "--review"], b"what?\ns\na\n");
    let shown = transcript(&output).replace(folder.to_str().unwrap(), "FOLDER");
    insta::assert_snapshot!("positions_review", shown);
    let names = snapshots(&folder);
    assert!(names.len() == 1 && names[0].ends_with(".snap"), "{names:?}");
    let output = run_with(&["test", path.to_str().unwrap(), "--review"], b"r\n");
    assert_eq!(exit_code(&output), 1);
    assert_eq!(snapshots(&folder).len(), 1);
}

#[test]
fn unreferenced_snapshots_are_stale() {
    let folder = with_tests("positions_stale", PUZZLES);
    assert_eq!(exit_code(&at(&folder, &["test", ".", "--accept"])), 0);
    let fewer: String = PUZZLES.lines().take(2).map(|line| format!("{line}\n")).collect();
    write_file(&folder, "my_rule.test", fewer);
    let warned = at(&folder, &["test", "."]);
    insta::assert_snapshot!("positions_stale", transcript(&warned));
    assert_eq!(exit_code(&at(&folder, &["test", ".", "--unreferenced", "reject"])), 1);
    assert_eq!(exit_code(&at(&folder, &["test", ".", "--unreferenced", "ignore"])), 0);
    assert_eq!(exit_code(&at(&folder, &["test", ".", "--unreferenced", "delete"])), 0);
    assert_eq!(snapshots(&folder).len(), 1);
}

/// A run over part of a folder neither judges nor touches what it did not run.
#[test]
fn snapshots_of_rules_that_were_not_run_are_kept() {
    let folder = with_tests("positions_part", PUZZLES);
    assert_eq!(exit_code(&at(&folder, &["new", "other"])), 0);
    // It has an example of a rule of another file, which is not run for that.
    let other = std::fs::read_to_string(folder.join("other.pinion")).unwrap();
    let lent = std::fs::read_to_string(folder.join("my_rule.pinion")).unwrap();
    let lent = &lent[lent.find("example my_rule").expect("an example")..];
    write_file(&folder, "other.pinion", format!("{other}\n{lent}"));
    write_file(&folder, "other.test", PUZZLES);
    assert_eq!(exit_code(&at(&folder, &["test", ".", "--accept"])), 0);
    let accepted = snapshots(&folder);
    for path in ["other.pinion", "./other.pinion", "../positions_part/other.pinion"] {
        let output = at(&folder, &["test", path, "--unreferenced", "delete", "--rules", "my_rule.pinion"]);
        assert!(exit_code(&output) == 0 && !transcript(&output).contains("stale"), "{}", transcript(&output));
        let output = at(&folder, &["test", path, "--unreferenced", "delete"]);
        assert!(!transcript(&output).contains("deleted"), "{}", transcript(&output));
    }
    assert_eq!(snapshots(&folder), accepted);
    // All of the folder, by its files: what is left of a rule that is gone does go.
    std::fs::remove_file(folder.join("my_rule.pinion")).unwrap();
    write_file(&folder, "other.pinion", other);
    assert_eq!(exit_code(&at(&folder, &["test", "other.pinion", "--unreferenced", "delete"])), 0);
    assert!(snapshots(&folder).iter().all(|name| name.starts_with("other@")), "{:?}", snapshots(&folder));
}

/// Without an example, but with a snapshot that somebody looked at.
#[test]
fn an_accepted_snapshot_shows_what_a_rule_finds() {
    let folder = fresh_folder("positions_enough");
    write_file(&folder, "lone.pinion", "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n");
    write_file(&folder, "lone.test", "12..3.......4..1 first\n");
    let new = at(&folder, &["test", "lone.pinion"]);
    assert!(exit_code(&new) == 1 && transcript(&new).contains("untested lone"), "{}", transcript(&new));
    let accepted = at(&folder, &["test", "lone.pinion", "--accept"]);
    assert!(exit_code(&accepted) == 0 && !transcript(&accepted).contains("untested"), "{}", transcript(&accepted));
    // A snapshot on which nothing is found shows nothing.
    write_file(&folder, "lone.test", "1............... other\n");
    let nothing = at(&folder, &["test", "lone.pinion", "--accept", "--unreferenced", "delete"]);
    assert!(exit_code(&nothing) == 1 && transcript(&nothing).contains("untested lone"), "{}", transcript(&nothing));
}

/// What is found is the same, whatever a position is called.
#[test]
fn a_position_may_get_another_name() {
    let folder = with_tests("positions_renamed", PUZZLES);
    assert_eq!(exit_code(&at(&folder, &["test", ".", "--accept"])), 0);
    let before = snapshots(&folder);
    write_file(&folder, "my_rule.test", PUZZLES.replace(" small", " tiny"));
    let output = at(&folder, &["test", ".", "--unreferenced", "reject"]);
    assert!(transcript(&output).contains("1 position with another name now"), "{}", transcript(&output));
    assert!(exit_code(&output) == 0 && snapshots(&folder) == before, "{}", transcript(&output));
    let output = at(&folder, &["test", ".", "--accept", "--unreferenced", "reject"]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    let after: Vec<String> = before.iter().map(|name| name.replace("@small_", "@tiny_")).collect();
    assert!(after != before && snapshots(&folder) == after, "{:?}", snapshots(&folder));
    // One position more is no other name.
    write_file(&folder, "my_rule.test", PUZZLES.replace("\n6", "\n12..3.......4..1 again\n6"));
    let output = at(&folder, &["test", "."]);
    assert!(
        transcript(&output).contains("new my_rule.test") || transcript(&output).contains("1 new"),
        "{}",
        transcript(&output)
    );
}

#[test]
fn a_filter_that_picks_nothing_fails() {
    let folder = with_tests("positions_filter", PUZZLES);
    assert_eq!(exit_code(&at(&folder, &["test", ".", "--filter", "MY-RULE", "--accept"])), 0);
    insta::assert_snapshot!("positions_filter", transcript(&at(&folder, &["test", ".", "--filter", "other"])));
}

#[test]
fn lines_of_a_library_say_what_must_and_must_not_be_found() {
    let line = "6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4";
    let text = format!(
        ":0200:45:{line}::416 516::\n:0200:45:{line}::411::\n:0200-x:45:{line}::416 516::\n:0200-x:12:{line}:::::\n"
    );
    let folder = with_tests("positions_library", &text);
    assert_eq!(exit_code(&at(&folder, &["test", ".", "--accept"])), 1);
    insta::assert_snapshot!("positions_library", transcript(&at(&folder, &["test", "."])));
}

#[test]
fn a_rule_that_finds_nothing_and_a_bad_puzzle_are_reported() {
    let folder = with_tests("positions_silent", "1.....3..2.....4\n12..3.......4..\n");
    std::fs::rename(folder.join("my_rule.test"), folder.join("all.test")).unwrap();
    insta::assert_snapshot!("positions_silent", transcript(&at(&folder, &["test", "my_rule.pinion", "--accept"])));
}

#[test]
fn continuous_integration_gets_xml_and_json() {
    let folder = with_tests("positions_ci", PUZZLES);
    let bare = "technique bare \"<Bare> & \\u{22}\" {\n  c: cell = {d}\n  place d in c\n}\n".replace("\\u{22}", "");
    write_file(&folder, "bare.pinion", bare);
    let output = at(&folder, &["test", ".", "--check", "--junit", "out.xml", "--format", "json"]);
    assert_eq!(exit_code(&output), 1);
    assert!(snapshots(&folder).is_empty());
    insta::assert_snapshot!("positions_junit", std::fs::read_to_string(folder.join("out.xml")).unwrap());
    insta::assert_snapshot!("positions_json", String::from_utf8(output.stdout).unwrap());
}

#[test]
fn requirements_that_no_test_needs_are_named() {
    let folder = with_tests("positions_mutate", PUZZLES);
    assert_eq!(exit_code(&at(&folder, &["test", ".", "--accept"])), 0);
    insta::assert_snapshot!(
        "positions_mutate",
        transcript(&at(&folder, &["test", ".", "--mutate", "--coverage", "-v"]))
    );
    // A near miss that the requirement is about is missed.
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
        transcript(&at(&folder, &["test", "few.pinion", "--coverage", "--mutate"]))
    );
}

/// Where a test fails every changed rule would seem to be noticed.
#[test]
fn nothing_is_changed_while_a_test_fails() {
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
    let output = transcript(&at(&folder, &["test", "lone.pinion", "--mutate"]));
    assert!(output.starts_with("exit 1") && output.contains("mend the tests first"), "{output}");
    assert!(!output.contains("noticed by tests"), "{output}");
}

#[test]
fn a_rule_that_takes_the_place_of_another_is_named() {
    let folder = fresh_folder("replacing");
    let carried = std::fs::read_to_string("rules/singles/naked_single.pinion").expect("a rule");
    let same = write_file(&folder, "same.pinion", &carried);
    assert!(!transcript(&run(&["list", "--rules", &same])).contains("takes the place"));
    let other = "technique naked_single \"Naked Single\" {\n  c: cell = {d, e}\n  place d in c\n}\n";
    let other = write_file(&folder, "other.pinion", other);
    let output = transcript(&run(&["list", "--rules", &other]));
    let said = "other.pinion takes the place of rules/singles/naked_single.pinion";
    assert!(output.contains("`naked_single` of ") && output.contains(said), "{output}");
}

/// A file that cannot be read may make any snapshot.
#[test]
fn snapshots_of_files_with_errors_are_kept() {
    let folder = with_tests("positions_kept", PUZZLES);
    assert_eq!(exit_code(&at(&folder, &["test", ".", "--accept"])), 0);
    let accepted = snapshots(&folder);
    assert!(!accepted.is_empty());
    let rules: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|one| one.unwrap().path()).collect();
    let rule = rules.iter().find(|path| path.extension().is_some_and(|one| one == "pinion")).expect("a rule file");
    let (tests, text) = (rule.with_extension("test"), std::fs::read_to_string(rule).unwrap());
    std::fs::write(rule, text.replace("conclude", "conclud").replace("eliminate", "eliminat")).unwrap();
    assert_ne!(exit_code(&at(&folder, &["test", ".", "--unreferenced", "delete"])), 0);
    assert_eq!(snapshots(&folder), accepted);
    std::fs::write(rule, text).unwrap();
    let positions = std::fs::read(&tests).unwrap();
    std::fs::write(&tests, [b"12..3.......4..\xff\n".as_slice(), &positions].concat()).unwrap();
    assert_ne!(exit_code(&at(&folder, &["test", ".", "--unreferenced", "delete"])), 0);
    assert_eq!(snapshots(&folder), accepted);
    // What no test makes any more does go.
    let one = String::from_utf8(positions).unwrap().lines().take(2).collect::<Vec<_>>().join("\n") + "\n";
    std::fs::write(&tests, one).unwrap();
    at(&folder, &["test", ".", "--unreferenced", "delete"]);
    assert!(snapshots(&folder).len() < accepted.len());
}
