//! `pinion prove`, as authors meet it: true rules, wrong rules, and rules that take too long.

use super::{code, file, folder, pinion, told, value};
use std::path::Path;

const TRUE: &str = "technique last \"Last\" {\n  c: cell = {d}\n  place d in c\n}\n";
const WRONG: &str = "technique hasty \"Hasty\" {\n  c: cell = {a, b}\n  place a in c\n}\n";

/// With a cache of its own, in a folder of its own.
fn at(folder: &Path, args: &[&str]) -> std::process::Output {
    pinion(args).current_dir(folder).env("PINION_CACHE", folder.join("cache")).output().expect("the binary starts")
}

/// All but how long it took.
fn without_sizes(told: &str) -> String {
    let cut = |line: &str| line.split("  (").next().unwrap_or("").to_string();
    told.lines().map(cut).collect::<Vec<_>>().join("\n")
}

#[test]
fn true_rules_and_wrong_ones() {
    let folder = folder("prove");
    file(&folder, "true.pinion", TRUE);
    file(&folder, "wrong.pinion", WRONG);
    let first = at(&folder, &["prove", "true.pinion"]);
    assert_eq!(code(&first), 0);
    insta::assert_snapshot!("prove", without_sizes(&told(&first)));
    assert!(told(&at(&folder, &["prove", "true.pinion"])).contains("(as before)"));
    insta::assert_snapshot!("prove_wrong", without_sizes(&told(&at(&folder, &["prove", "wrong.pinion"]))));
}

#[test]
fn what_takes_too_long_is_given_up_and_not_kept() {
    let folder = folder("prove_limit");
    file(&folder, "true.pinion", TRUE);
    let short = at(&folder, &["prove", "true.pinion", "--seconds", "0"]);
    assert_eq!(code(&short), 1);
    insta::assert_snapshot!("prove_limit", without_sizes(&told(&short)));
    let json = value(&at(&folder, &["prove", "true.pinion", "--time-limit", "0", "--format", "json"]));
    assert_eq!((&json["status"], &json["cached"]), (&"undecided".into(), &false.into()));
    // With the time that it needs it is proved, and then known, however little time there is.
    assert_eq!(code(&at(&folder, &["prove", "true.pinion", "--seconds", "600"])), 0);
    assert_eq!(code(&at(&folder, &["prove", "true.pinion", "--seconds", "0"])), 0);
    let more = at(&folder, &["prove", "true.pinion", "--seconds", "600", "--strengthen", "--implied-by"]);
    assert!(!told(&more).contains("limit"), "{}", told(&more));
}

#[test]
fn what_suppositions_rest_on_is_given_up_too() {
    let folder = folder("prove_limit_means");
    let output = at(&folder, &["prove", "nested_chains", "xy_chain", "--seconds", "0"]);
    assert_eq!(code(&output), 1);
    let told = told(&output);
    assert!(told.contains("0 proved, 0 refuted, 2 not decided"), "{told}");
    assert_eq!(told.matches("the limit of 0 s was reached").count(), 2, "{told}");
}
