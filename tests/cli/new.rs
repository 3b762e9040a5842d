//! `pinion new`: what it writes is complete, and nothing is overwritten.

use super::{exit_code, fresh_folder, pinion, transcript, write_file};
use std::path::Path;

/// Runs a command in a folder.
fn at(folder: &Path, args: &[&str]) -> std::process::Output {
    pinion(args).current_dir(folder).output().expect("the binary starts")
}

#[test]
fn a_new_file_is_clean_in_every_way() {
    let folder = fresh_folder("new");
    insta::assert_snapshot!("new", transcript(&at(&folder, &["new", "my_rule"])));
    insta::assert_snapshot!("new_file", std::fs::read_to_string(folder.join("my_rule.pinion")).unwrap());
    insta::assert_snapshot!("new_check", transcript(&at(&folder, &["check", "my_rule.pinion"])));
    insta::assert_snapshot!("new_test", transcript(&at(&folder, &["test", "my_rule.pinion", "--verbose"])));
    assert_eq!(exit_code(&at(&folder, &["fmt", "--check"])), 0);
    assert_eq!(exit_code(&at(&folder, &["prove", "my_rule.pinion", "--no-cache"])), 0);
    insta::assert_snapshot!("new_again", transcript(&at(&folder, &["new", "my_rule"])));
}

#[test]
fn a_technique_to_begin_with_brings_its_example_and_near_miss() {
    let folder = fresh_folder("new_like");
    for (id, like) in
        [("one", "pivot_wing"), ("two", "Two-String Kite"), ("sub/three", "naked_subset"), ("four", "0300")]
    {
        let output = at(&folder, &["new", id, "--like", like]);
        assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    }
    insta::assert_snapshot!("new_like", std::fs::read_to_string(folder.join("one.pinion")).unwrap());
    assert_eq!(exit_code(&at(&folder, &["check", "."])), 0);
    assert_eq!(exit_code(&at(&folder, &["fmt", "--check"])), 0);
    insta::assert_snapshot!("new_like_test", transcript(&at(&folder, &["test", "."])));
}

#[test]
fn lint_excuses_are_not_copied() {
    let folder = fresh_folder("new_excused");
    for (id, like) in [("five", "xyz_wing"), ("six", "avoidable_rectangle"), ("seven", "grouped_nice_loop")] {
        let output = at(&folder, &["new", id, "--like", like]);
        assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
        let text = std::fs::read_to_string(folder.join(format!("{id}.pinion"))).unwrap();
        assert!(!text.contains("allow L") && text.contains(&format!("technique {id} ")), "{text}");
    }
    assert_eq!(exit_code(&at(&folder, &["fmt", "--check"])), 0);
    assert_eq!(exit_code(&at(&folder, &["check", "."])), 0);
}

#[test]
fn names_that_cannot_be_are_refused() {
    let folder = fresh_folder("new_bad");
    let told: Vec<String> = [
        ["new", "XY-Loop"].as_slice(),
        &["new", "cell"],
        &["new", "xy_wing"],
        &["new", "..."],
        &["new", "fine", "--like", "xy_wang"],
    ]
    .iter()
    .map(|args| transcript(&at(&folder, args)))
    .collect();
    insta::assert_snapshot!("new_bad", told.join("\n"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_missing_file_names_the_one_that_was_meant() {
    let folder = fresh_folder("new_missing");
    write_file(&folder, "kite.pinion", "technique my_kite \"My Kite\" {\n  c: cell = {d}\n  place d in c\n}\n");
    write_file(&folder, "grid.txt", "12..3.......4..1\n");
    for (words, meant) in [
        (&["find", "gird.txt"][..], "did you mean `grid.txt`?"),
        (&["solve", "grid.txt", "--rules", "kite"], "did you mean `kite.pinion`?"),
        (&["prove", "kite"], "did you mean `kite.pinion`?"),
        (&["find", "grid.txt", "-t", "quite_another"], "`--rules FILE` adds rules of your own"),
    ] {
        let output = at(&folder, words);
        assert!(exit_code(&output) > 1 && transcript(&output).contains(meant), "{words:?}: {}", transcript(&output));
    }
}
