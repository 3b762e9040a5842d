//! `pinion prove`, as authors meet it: true rules, wrong rules, and rules that take too long.

use super::{exit_code, fresh_folder, json_output, pinion, transcript, write_file};
use crate::common::share;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

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
    let folder = fresh_folder("prove");
    write_file(&folder, "true.pinion", TRUE);
    write_file(&folder, "wrong.pinion", WRONG);
    let first = at(&folder, &["prove", "true.pinion"]);
    assert_eq!(exit_code(&first), 0);
    insta::assert_snapshot!("prove", without_sizes(&transcript(&first)));
    assert!(transcript(&at(&folder, &["prove", "true.pinion"])).contains("(as before)"));
    insta::assert_snapshot!("prove_wrong", without_sizes(&transcript(&at(&folder, &["prove", "wrong.pinion"]))));
}

#[test]
fn timed_out_proofs_are_not_cached() {
    let folder = fresh_folder("prove_limit");
    write_file(&folder, "true.pinion", TRUE);
    let short = at(&folder, &["prove", "true.pinion", "--seconds", "0"]);
    assert_eq!(exit_code(&short), 1);
    insta::assert_snapshot!("prove_limit", without_sizes(&transcript(&short)));
    let json = json_output(&at(&folder, &["prove", "true.pinion", "--time-limit", "0", "--format", "json"]));
    assert_eq!((&json["status"], &json["cached"]), (&"undecided".into(), &false.into()));
    // With the time that it needs it is proved, and then known, however little time there is.
    assert_eq!(exit_code(&at(&folder, &["prove", "true.pinion", "--seconds", "600"])), 0);
    assert_eq!(exit_code(&at(&folder, &["prove", "true.pinion", "--seconds", "0"])), 0);
    let more = at(&folder, &["prove", "true.pinion", "--seconds", "600", "--strengthen", "--implied-by"]);
    assert!(!transcript(&more).contains("limit"), "{}", transcript(&more));
}

#[test]
fn premises_of_suppositions_are_given_up_too() {
    let folder = fresh_folder("prove_limit_means");
    let output = at(&folder, &["prove", "nested_chains", "xy_chain", "--seconds", "0"]);
    assert_eq!(exit_code(&output), 1);
    let told = transcript(&output);
    assert!(told.contains("0 proved, 2 not decided"), "{told}");
    assert_eq!(told.matches("the limit of 0 s was reached").count(), 2, "{told}");
}

/// Each change that is named was tried and proved.
#[test]
fn repairs_of_wrong_rules_are_named() {
    let folder = fresh_folder("prove_repairs");
    let rule = |conclusion: &str| {
        format!(
            "technique three \"Three\" {{\n  pivot: cell = {{x, y, z}}\n  first: cell = {{x, z}} sees pivot\n  \
             second: cell = {{y, z}} sees pivot\n  {conclusion}\n}}\n"
        )
    };
    for (number, conclusion) in
        ["conclude some z in first, second", "eliminate z from cells seeing first, second"].into_iter().enumerate()
    {
        let file = write_file(&folder, &format!("three{number}.pinion"), rule(conclusion));
        let output = transcript(&at(&folder, &["prove", &file, "--lines"]));
        let said: Vec<&str> =
            output.lines().filter_map(|line| line.trim().strip_prefix("proved if you change this: ")).collect();
        assert_eq!(said.len(), 1, "{output}");
        let mended = file.replace("three", "mended");
        fs::write(&mended, rule(said[0])).expect("written");
        let output = at(&folder, &["prove", &mended]);
        assert!(exit_code(&output) == 0, "{}", transcript(&output));
    }
    // Nothing of this kind helps.
    let wrong = write_file(&folder, "wrong.pinion", WRONG);
    assert!(!transcript(&at(&folder, &["prove", &wrong, "--lines"])).contains("proved if you change this"));
}

/// A solved cell and an unsolved one with one candidate are told apart.
#[test]
fn unsolved_cells_with_one_candidate_are_named() {
    let folder = fresh_folder("prove_last");
    let rule = "technique last \"Last\" {\n  c: cell = {x}\n  e: cell = {y, z} sees c\n  eliminate y from e\n}\n";
    let rule = write_file(&folder, "last.pinion", rule);
    let output = transcript(&at(&folder, &["prove", &rule]));
    assert!(output.contains("In braces: an unsolved cell with one candidate."), "{output}");
}

#[test]
fn joint_drops_are_told_from_single_ones() {
    let folder = fresh_folder("prove_together");
    let rule = "technique most \"Most\" {\n  a: cell = {x, y}\n  b: cell = {x, y} sees a\n  c: cell sees a sees b\n  \
                require #digits(c) > 2 and some x in c\n  eliminate {x, y} from c\n}\n";
    let rule = write_file(&folder, "most.pinion", rule);
    let output = transcript(&at(&folder, &["prove", &rule, "--strengthen"]));
    insta::assert_snapshot!("prove_together", without_sizes(&output));
}

#[test]
fn incomparable_rules_are_named() {
    let folder = fresh_folder("prove_compared");
    let rule = share("hidden_subset", "xyz_wing");
    let output = transcript(&at(&folder, &["prove", rule, "--implied-by"]));
    assert!(rule != "xyz_wing" || output.contains("a special case of pivot_wing(3)"), "{output}");
    let refused = output.lines().find(|line| line.trim().starts_with("not compared: ") && line.contains("xy_chain"));
    assert!(refused.is_some_and(|line| line.ends_with("a chain of open length")), "{output}");
    // Open chains are compared link by link.
    let chains = |rule: &str| transcript(&at(&folder, &["prove", rule, "--implied-by"]));
    let (one_digit, pairs) = (chains("x_chain"), chains("remote_pair"));
    assert!(one_digit.contains("a special case of aic, chain by chain"), "{one_digit}");
    assert!(!one_digit.contains("a special case of xy_chain"), "{one_digit}");
    assert!(pairs.contains("a special case of xy_chain, chain by chain"), "{pairs}");
    assert!(!chains("aic").contains("x_chain, chain by chain"));
    // What follows from others comes after them, and in JSON everything is there.
    assert!(pairs.contains("    and so of aic, chain by chain"), "{pairs}");
    let record = json_output(&at(&folder, &["prove", "remote_pair", "--implied-by", "--format", "json"]));
    let list = |name: &str| record[name].as_array().expect("a list").len();
    assert_eq!((list("implied_directly_by"), list("implied_by") > 3), (1, true), "{record}");
}

/// What is kept of a rule that was proved just now, the only one in a folder of its own.
fn kept(name: &str, rule: &str) -> (PathBuf, PathBuf) {
    let folder = fresh_folder(name);
    write_file(&folder, "rule.pinion", rule);
    at(&folder, &["prove", "rule.pinion"]);
    let mut records = records(&folder);
    assert_eq!(records.len(), 1, "{records:?}");
    (folder, records.remove(0))
}

fn records(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("cache/proofs")).expect("proofs are kept there");
    entries.map(|entry| entry.expect("readable").path()).collect()
}

/// Status, whether it was known before, and the remarks.
fn again(folder: &Path) -> (String, bool, String) {
    let output = at(folder, &["prove", "rule.pinion", "--format", "json"]);
    let (json, remarks) = (json_output(&output), String::from_utf8(output.stderr.clone()).expect("text"));
    let known = json["cached"].as_bool().expect("it says so");
    (json["status"].as_str().expect("a word").to_string(), known, remarks)
}

/// What lies in the place of a record is not taken for one: the rule is proved anew, and that is kept.
fn is_proved_anew(folder: &Path, status: &str) {
    let (found, known, remarks) = again(folder);
    assert_eq!((found.as_str(), known), (status, false));
    assert!(remarks.contains("is not a record of this proof: it is proved again"), "{remarks}");
    assert_eq!(again(folder), (status.to_string(), true, String::new()));
    assert_eq!(records(folder).len(), 1);
}

#[test]
fn an_edited_record_is_not_believed() {
    let (folder, record) = kept("prove_edited", WRONG);
    let text = fs::read_to_string(&record).expect("text");
    let edited = text.replace("\"refuted\"", "\"proved\"");
    assert_ne!(edited, text);
    fs::write(&record, edited).expect("written");
    is_proved_anew(&folder, "refuted");
}

#[test]
fn a_record_without_a_seal_is_not_believed() {
    let (folder, record) = kept("prove_bare", WRONG);
    let text = fs::read_to_string(&record).expect("text");
    let (_, content) = text.split_once('\n').expect("seal and content");
    fs::write(&record, content.replace("\"refuted\"", "\"proved\"")).expect("written");
    is_proved_anew(&folder, "refuted");
}

#[test]
fn a_record_of_another_rule_is_not_believed() {
    let (_, of_true) = kept("prove_true", TRUE);
    let (folder, of_wrong) = kept("prove_swapped", WRONG);
    fs::copy(of_true, of_wrong).expect("copied");
    is_proved_anew(&folder, "refuted");
}

#[test]
fn half_a_record_and_too_long_a_one_are_not_believed() {
    let (folder, record) = kept("prove_half", TRUE);
    let text = fs::read_to_string(&record).expect("text");
    for wrong in [&text[..text.len() / 2], &text[..text.len() - 1], "", &text.repeat(5000)] {
        fs::write(&record, wrong).expect("written");
        is_proved_anew(&folder, "proved");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_record_is_not_waited_for() {
    let (folder, record) = kept("prove_pipe", TRUE);
    fs::remove_file(&record).expect("removed");
    assert!(Command::new("mkfifo").arg(&record).status().expect("mkfifo starts").success());
    let mut child = pinion(&["prove", "rule.pinion"])
        .current_dir(&folder)
        .env("PINION_CACHE", folder.join("cache"))
        .spawn()
        .expect("the binary starts");
    let start = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it can be ended");
            panic!("it waits for the pipe");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(fs::metadata(&record).expect("kept").is_file(), "the record has taken the place of the pipe");
    assert_eq!(again(&folder), ("proved".to_string(), true, String::new()));
}

#[test]
fn unwritable_caches_are_reported() {
    let (folder, record) = kept("prove_folder", TRUE);
    fs::remove_file(&record).expect("removed");
    fs::create_dir(&record).expect("made");
    let (status, known, remarks) = again(&folder);
    assert_eq!((status.as_str(), known), ("proved", false));
    assert!(
        remarks.contains("is not a record of this proof") && remarks.contains("proofs cannot be kept in"),
        "{remarks}"
    );
    assert_eq!(records(&folder), [record], "nothing is left behind");
    // Nor is it a failure where there can be no folder.
    fs::remove_dir_all(folder.join("cache")).expect("removed");
    fs::write(folder.join("cache"), "in the way").expect("written");
    let output = at(&folder, &["prove", "rule.pinion"]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    assert!(transcript(&output).contains("proofs cannot be kept in"), "{}", transcript(&output));
}

#[test]
fn runs_side_by_side_keep_one_record() {
    let (folder, record) = kept("prove_side_by_side", TRUE);
    for _ in 0..5 {
        fs::remove_file(&record).expect("removed");
        let start = || {
            let mut command = pinion(&["prove", "rule.pinion", "--format", "json"]);
            command.current_dir(&folder).env("PINION_CACHE", folder.join("cache"));
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
            command.spawn().expect("the binary starts")
        };
        let running: Vec<_> = (0..6).map(|_| start()).collect();
        for child in running {
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(json_output(&output)["status"], "proved");
            assert_eq!(output.stderr, b"", "{}", transcript(&output));
        }
        assert_eq!(again(&folder), ("proved".to_string(), true, String::new()));
        assert_eq!(records(&folder), std::slice::from_ref(&record));
    }
}

/// A rule of one digit, as it should be and without what makes it true.
fn fish(guarded: bool) -> String {
    let covered = if guarded { "  require d in base within cover\n" } else { "" };
    format!(
        "technique my_fish \"My Fish\" {{\n  d: digit\n  base: rows[2]\n  cover: columns[2]\n  require some d in h for h in base\n  require some d in h & base for h in cover\n{covered}  eliminate d from cover - base\n}}\n"
    )
}

#[test]
fn cached_verdicts_match_fresh_ones() {
    const GRID: &str = "1.....569492.561.8.561.924...964.8.1.64.1....218.356.4.4.5...169.5.614.2621.....5";
    let folder = fresh_folder("prove_find");
    for (guarded, verdict) in [(true, 0), (false, 1)] {
        write_file(&folder, "rule.pinion", fish(guarded));
        let find = || transcript(&at(&folder, &["find", GRID, "--technique", "my_fish", "--rules", "rule.pinion"]));
        let before = find();
        assert!(before.contains("My Fish"), "{before}");
        assert_eq!(exit_code(&at(&folder, &["prove", "rule.pinion"])), verdict);
        assert_eq!(find(), before);
    }
}

/// Five cells of the board in each sentence: more than a question has room for, long before memory runs out.
#[test]
fn nested_quantifiers_are_undecided_soon() {
    let rule = "technique nested \"Nested\" {\n  a: cell = {d, e}\n  require digits(b + c) = digits(x + y) for b in cells seeing a \
                for some c in cells seeing b for some y in cells seeing c for x in cells seeing y\n  \
                eliminate d from cells seeing a\n}\n";
    let path = write_file(&fresh_folder("prove_nested"), "nested.pinion", rule);
    let output = pinion(&["prove", &path, "--no-cache", "--memory", "300"]).output().expect("the binary starts");
    let words = transcript(&output);
    assert!(words.contains("not decided") && words.contains("the limit on the size of a question"), "{words}");
}
