//! Every file that is named is run: no rule takes the place of another of the user's in silence, and no file is passed over.

use super::{exit_code, fresh_folder, pinion, transcript, write_file};
use std::path::Path;
use std::process::Output;

const WRONG: &str = "/// Wrong: a cell may have others.\ntechnique only \"Only\" {\n  d: digit\n  c: cell has d\n  place d in c\n}\n\nexample only \"fails\" {\n  grid \"12..3.......4..1\"\n  finds r1c1=1\n}\n";
const RIGHT: &str = "technique only \"Only\" {\n  c: cell = {d}\n  place d in c\n}\n\nexample only \"holds\" {\n  grid \"12..3.......4..1\"\n  finds r2c2=4\n  finds r3c1=2\n  finds r4c2=3\n}\n";

fn at(folder: &Path, args: &[&str]) -> Output {
    pinion(args).current_dir(folder).env("PINION_CACHE", folder.join("cache")).output().unwrap()
}

fn two_of_one_name(name: &str) -> std::path::PathBuf {
    let folder = fresh_folder(name);
    for (name, text) in [("a", WRONG), ("b", RIGHT)] {
        std::fs::create_dir(folder.join(name)).unwrap();
        write_file(&folder, &format!("{name}/only.pinion"), text);
    }
    folder
}

#[test]
fn two_files_with_a_rule_of_one_name_are_refused() {
    let folder = two_of_one_name("clash");
    let puzzle = "12..3.......4..1";
    write_file(&folder, "puzzles.txt", puzzle);
    let all: [&[&str]; 11] = [
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
    for args in all {
        let output = at(&folder, args);
        let text = transcript(&output);
        assert_ne!(exit_code(&output), 0, "{args:?}: {text}");
        assert!(text.contains("two files have a technique `only`"), "{args:?}: {text}");
        assert!(text.contains("a/only.pinion:2:11") && text.contains("b/only.pinion:1:11"), "{args:?}: {text}");
    }
}

#[test]
fn links_of_one_name_are_refused_too() {
    let folder = fresh_folder("clash_links");
    let link = "strong link twin (d)A (d)B {\n  h: house\n  A, B: cell in h has d\n  d in h within A + B\n}\n";
    write_file(&folder, "a.pinion", link);
    write_file(&folder, "b.pinion", link);
    let text = transcript(&at(&folder, &["check", "."]));
    let read = !text.contains("E01");
    assert!(!read || text.contains("two files have a strong link `twin`"), "{text}");
}

#[test]
fn a_file_that_is_named_twice_is_run_once() {
    let folder = two_of_one_name("twice");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("b/only.pinion"), folder.join("link.pinion")).unwrap();
    #[cfg(not(unix))]
    write_file(&folder, "link.pinion", "// nothing\n");
    for args in [
        ["test", "b", "b/only.pinion", "link.pinion"],
        ["test", "b", "--rules", "b/only.pinion"],
        ["prove", "b/only.pinion", "--rules", "b"],
    ] {
        let output = at(&folder, &args);
        assert_eq!(exit_code(&output), 0, "{args:?}: {}", transcript(&output));
    }
}

#[test]
fn a_built_in_rule_may_be_replaced_and_that_is_said() {
    let folder = fresh_folder("replaced");
    write_file(&folder, "mine.pinion", RIGHT.replace("only", "naked_single"));
    let output = at(&folder, &["list", "--rules", "mine.pinion"]);
    assert!(exit_code(&output) == 0 && transcript(&output).contains("takes the place of"), "{}", transcript(&output));
    assert_eq!(exit_code(&at(&folder, &["test", "mine.pinion"])), 0);
}

#[test]
fn a_file_without_a_technique_is_named() {
    for text in ["", "\n\n", "// technique x \"X\" {\n// }\n", "\u{feff}", "/// Only this.\n"] {
        let folder = fresh_folder("no_technique");
        write_file(&folder, "empty.pinion", text);
        write_file(&folder, "only.pinion", RIGHT);
        for args in [["check", "."], ["lint", "."], ["test", "."], ["prove", "."], ["fmt", "--check"]] {
            let said = transcript(&at(&folder, &args));
            assert!(said.contains("empty.pinion"), "{text:?}, {args:?}: {said}");
            assert!(said.contains("no technique") || said.contains("W0101"), "{text:?}, {args:?}: {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf_8_is_named() {
    use std::os::unix::ffi::OsStrExt;
    let folder = fresh_folder("not_utf_8");
    let odd = folder.join(std::ffi::OsStr::from_bytes(b"d\xff"));
    std::fs::create_dir(&odd).unwrap();
    std::fs::write(odd.join("only.pinion"), RIGHT).unwrap();
    write_file(&folder, "wrong.pinion", WRONG);
    for command in ["check", "test", "prove", "lint", "fmt"] {
        let output = at(&folder, &[command, "."]);
        let text = transcript(&output);
        assert!(exit_code(&output) == 3 && text.contains("is not UTF-8"), "{command}: {text}");
    }
    assert!(transcript(&at(&folder, &["test", "."])).contains("\"fails\""), "the other file is run");
}

#[test]
fn a_test_file_without_its_rules_is_named() {
    let folder = two_of_one_name("orphan");
    write_file(&folder, "b/onyl.test", "12..3.......4..1\n");
    let text = transcript(&at(&folder, &["test", "b"]));
    assert!(text.contains("b/onyl.test was not run") && text.contains("b/onyl.pinion"), "{text}");
}
