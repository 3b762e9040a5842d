//! `pinion new`: the new file passes all checks, and no file is overwritten. Also: suggestions for misspelt file names.

use super::{exit_code, fresh_folder, pinion, transcript, write_file};
use std::path::Path;

fn run_in(folder: &Path, args: &[&str]) -> std::process::Output {
    pinion(args).current_dir(folder).output().expect("the binary starts")
}

#[test]
fn a_new_file_passes_all_checks_and_is_not_overwritten() {
    let folder = fresh_folder("new");
    insta::assert_snapshot!("new", transcript(&run_in(&folder, &["new", "my_rule"])));
    insta::assert_snapshot!("new_file", std::fs::read_to_string(folder.join("my_rule.pinion")).unwrap());
    insta::assert_snapshot!("new_check", transcript(&run_in(&folder, &["check", "my_rule.pinion"])));
    insta::assert_snapshot!("new_test", transcript(&run_in(&folder, &["test", "my_rule.pinion", "--verbose"])));
    assert_eq!(exit_code(&run_in(&folder, &["fmt", "--check"])), 0);
    assert_eq!(exit_code(&run_in(&folder, &["prove", "my_rule.pinion", "--no-cache"])), 0);
    insta::assert_snapshot!("new_again", transcript(&run_in(&folder, &["new", "my_rule"])));
}

#[test]
fn like_copies_a_technique_with_its_example_and_near_miss() {
    let folder = fresh_folder("new_like");
    for (id, like) in
        [("one", "pivot_wing"), ("two", "Two-String Kite"), ("sub/three", "naked_subset"), ("four", "0300")]
    {
        let output = run_in(&folder, &["new", id, "--like", like]);
        assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    }
    insta::assert_snapshot!("new_like", std::fs::read_to_string(folder.join("one.pinion")).unwrap());
    assert_eq!(exit_code(&run_in(&folder, &["check", "."])), 0);
    assert_eq!(exit_code(&run_in(&folder, &["fmt", "--check"])), 0);
    insta::assert_snapshot!("new_like_test", transcript(&run_in(&folder, &["test", "."])));
}

#[test]
fn like_does_not_copy_allowed_lints() {
    let folder = fresh_folder("new_excused");
    for (id, like) in [("five", "xyz_wing"), ("six", "avoidable_rectangle"), ("seven", "grouped_nice_loop")] {
        let output = run_in(&folder, &["new", id, "--like", like]);
        assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
        let text = std::fs::read_to_string(folder.join(format!("{id}.pinion"))).unwrap();
        assert!(!text.contains("allow L") && text.contains(&format!("technique {id} ")), "{text}");
    }
    assert_eq!(exit_code(&run_in(&folder, &["fmt", "--check"])), 0);
    assert_eq!(exit_code(&run_in(&folder, &["check", "."])), 0);
}

#[test]
fn bad_names_are_refused() {
    let folder = fresh_folder("new_bad");
    let outputs: Vec<String> = [
        ["new", "XY-Loop"].as_slice(),
        &["new", "cell"],
        &["new", "xy_wing"],
        &["new", "..."],
        &["new", "fine", "--like", "xy_wang"],
    ]
    .iter()
    .map(|args| transcript(&run_in(&folder, args)))
    .collect();
    insta::assert_snapshot!("new_bad", outputs.join("\n"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn the_error_for_a_missing_file_suggests_a_similar_name() {
    let folder = fresh_folder("new_missing");
    write_file(&folder, "kite.pinion", "technique my_kite \"My Kite\" {\n  c: cell = {d}\n  place d in c\n}\n");
    write_file(&folder, "grid.txt", "12..3.......4..1\n");
    for (args, suggestion) in [
        (&["find", "gird.txt"][..], "did you mean `grid.txt`?"),
        (&["solve", "grid.txt", "--rules", "kite"], "did you mean `kite.pinion`?"),
        (&["prove", "kite"], "did you mean `kite.pinion`?"),
        (&["find", "grid.txt", "-t", "quite_another"], "`--rules FILE` adds rules of your own"),
    ] {
        let output = run_in(&folder, args);
        assert!(
            exit_code(&output) > 1 && transcript(&output).contains(suggestion),
            "{args:?}: {}",
            transcript(&output)
        );
    }
}
