//! Every file that is given to a command is run once. Two rules of one name are refused, and a file that is not run is reported.

use super::{assert_output, exit_code, fresh_folder, pinion, transcript, write_file};
use std::path::Path;
use std::process::Output;

const WRONG: &str = "/// Wrong: a cell may have others.\ntechnique only \"Only\" {\n  d: digit\n  c: cell has d\n  place d in c\n}\n\nexample only \"fails\" {\n  grid \"12..3.......4..1\"\n  finds r1c1=1\n}\n";
const RIGHT: &str = "technique only \"Only\" {\n  c: cell = {d}\n  place d in c\n}\n\nexample only \"holds\" {\n  grid \"12..3.......4..1\"\n  finds r2c2=4\n  finds r3c1=2\n  finds r4c2=3\n}\n";

fn run_in(folder: &Path, args: &[&str]) -> Output {
    pinion(args).current_dir(folder).env("PINION_CACHE", folder.join("cache")).output().unwrap()
}

/// A folder with two files `a/only.pinion` and `b/only.pinion` that both have a technique `only`.
fn folder_with_two_rules_of_one_name(name: &str) -> std::path::PathBuf {
    let folder = fresh_folder(name);
    for (name, text) in [("a", WRONG), ("b", RIGHT)] {
        std::fs::create_dir(folder.join(name)).unwrap();
        write_file(&folder, &format!("{name}/only.pinion"), text);
    }
    folder
}

#[test]
fn two_files_with_techniques_of_one_name_are_refused() {
    let folder = folder_with_two_rules_of_one_name("clash");
    let puzzle = "12..3.......4..1";
    write_file(&folder, "puzzles.txt", puzzle);
    let commands: [&[&str]; 11] = [
        &["check", "a", "b"],
        &["check", "."],
        &["test", "b/only.pinion", "a/only.pinion"],
        &["test", "a", "--rules", "b"],
        &["lint", "a", "b"],
        &["prove", "a", "b"],
        &["watch", "a", "b", "--once", "--no-proof"],
        &["list", "--rules", "a", "--rules", "b"],
        &["find", puzzle, "--technique", "only", "--rules", "."],
        &["solve", puzzle, "--rules", "a", "--rules", "b"],
        &["compare", "only", "--on", "puzzles.txt", "--rules", "."],
    ];
    for args in commands {
        let output = run_in(&folder, args);
        let text = transcript(&output);
        assert_ne!(exit_code(&output), 0, "{args:?}: {text}");
        assert!(text.contains("two files have a technique `only`"), "{args:?}: {text}");
        assert!(text.contains("a/only.pinion:2:11") && text.contains("b/only.pinion:1:11"), "{args:?}: {text}");
    }
}

#[test]
fn two_files_with_strong_links_of_one_name_are_refused() {
    let folder = fresh_folder("clash_links");
    let link = "strong link twin (d)A = (d)B {\n  h: house\n  require d in h = {A, B}\n}\n";
    write_file(&folder, "a.pinion", link);
    write_file(&folder, "b.pinion", link);
    let text = transcript(&run_in(&folder, &["check", "."]));
    assert!(text.contains("two files have a strong link `twin`"), "{text}");
}

#[test]
fn a_file_that_is_given_twice_is_run_once() {
    let folder = folder_with_two_rules_of_one_name("twice");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("b/only.pinion"), folder.join("link.pinion")).unwrap();
    #[cfg(not(unix))]
    write_file(&folder, "link.pinion", "// nothing\n");
    for args in [
        ["test", "b", "b/only.pinion", "link.pinion"],
        ["test", "b", "--rules", "b/only.pinion"],
        ["prove", "b/only.pinion", "--rules", "b"],
    ] {
        let output = run_in(&folder, &args);
        assert_eq!(exit_code(&output), 0, "{args:?}: {}", transcript(&output));
    }
}

#[test]
fn replacing_a_built_in_rule_is_allowed_and_reported() {
    let folder = fresh_folder("replaced");
    write_file(&folder, "mine.pinion", RIGHT.replace("only", "naked_single"));
    let output = run_in(&folder, &["list", "--rules", "mine.pinion"]);
    assert_output(&output, 0, "takes the place of");
    assert_eq!(exit_code(&run_in(&folder, &["test", "mine.pinion"])), 0);
}

#[test]
fn a_file_without_a_technique_is_reported() {
    for text in ["", "\n\n", "// technique x \"X\" {\n// }\n", "\u{feff}", "/// Only this.\n"] {
        let folder = fresh_folder("no_technique");
        write_file(&folder, "empty.pinion", text);
        write_file(&folder, "only.pinion", RIGHT);
        for args in [["check", "."], ["lint", "."], ["test", "."], ["prove", "."], ["fmt", "--check"]] {
            let output = transcript(&run_in(&folder, &args));
            assert!(output.contains("empty.pinion"), "{text:?}, {args:?}: {output}");
            assert!(output.contains("no technique") || output.contains("W0101"), "{text:?}, {args:?}: {output}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_name_that_is_not_utf_8_is_reported() {
    use std::os::unix::ffi::OsStrExt;
    let folder = fresh_folder("not_utf_8");
    let folder_with_bad_name = folder.join(std::ffi::OsStr::from_bytes(b"d\xff"));
    std::fs::create_dir(&folder_with_bad_name).unwrap();
    std::fs::write(folder_with_bad_name.join("only.pinion"), RIGHT).unwrap();
    write_file(&folder, "wrong.pinion", WRONG);
    for command in ["check", "test", "prove", "lint", "fmt"] {
        let output = run_in(&folder, &[command, "."]);
        let text = transcript(&output);
        assert!(exit_code(&output) == 3 && text.contains("is not UTF-8"), "{command}: {text}");
    }
    assert!(transcript(&run_in(&folder, &["test", "."])).contains("\"fails\""), "the other file is not run");
}

#[test]
fn a_test_file_without_a_rule_file_is_reported() {
    let folder = folder_with_two_rules_of_one_name("orphan");
    write_file(&folder, "b/onyl.test", "12..3.......4..1\n");
    let text = transcript(&run_in(&folder, &["test", "b"]));
    assert!(text.contains("b/onyl.test was not run") && text.contains("b/onyl.pinion"), "{text}");
}
