//! `pinion prove`: verdicts, limits, repairs of wrong rules, special cases, and the cache of proofs.

use super::{assert_output, exit_code, fresh_folder, json_output, pinion, transcript, write_file};
use crate::common::quick_or_full;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const SOUND: &str = "technique last \"Last\" {\n  c: cell = {d}\n  place d in c\n}\n";
const WRONG: &str = "technique hasty \"Hasty\" {\n  c: cell = {a, b}\n  place a in c\n}\n";

/// Runs a command in a folder, with a proof cache in that folder.
fn run_in(folder: &Path, args: &[&str]) -> std::process::Output {
    pinion(args).current_dir(folder).env("PINION_CACHE", folder.join("cache")).output().expect("the binary starts")
}

/// Cuts the sizes and times in parentheses off each line.
fn without_sizes(output: &str) -> String {
    let cut = |line: &str| line.split("  (").next().unwrap_or("").to_string();
    output.lines().map(cut).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_sound_rule_is_proved_and_a_wrong_rule_is_refuted() {
    let folder = fresh_folder("prove");
    write_file(&folder, "sound.pinion", SOUND);
    write_file(&folder, "wrong.pinion", WRONG);
    let output = run_in(&folder, &["prove", "sound.pinion"]);
    assert_eq!(exit_code(&output), 0);
    insta::assert_snapshot!("prove", without_sizes(&transcript(&output)));
    assert!(transcript(&run_in(&folder, &["prove", "sound.pinion"])).contains("(as before)"));
    insta::assert_snapshot!("prove_wrong", without_sizes(&transcript(&run_in(&folder, &["prove", "wrong.pinion"]))));
}

#[test]
fn timed_out_proofs_are_not_cached() {
    let folder = fresh_folder("prove_limit");
    write_file(&folder, "sound.pinion", SOUND);
    let without_time = run_in(&folder, &["prove", "sound.pinion", "--seconds", "0"]);
    assert_eq!(exit_code(&without_time), 1);
    insta::assert_snapshot!("prove_limit", without_sizes(&transcript(&without_time)));
    let record = json_output(&run_in(&folder, &["prove", "sound.pinion", "--time-limit", "0", "--format", "json"]));
    assert_eq!((&record["status"], &record["cached"]), (&"undecided".into(), &false.into()));
    // Once the rule is proved, the cache answers even without time for a proof.
    assert_eq!(exit_code(&run_in(&folder, &["prove", "sound.pinion", "--seconds", "600"])), 0);
    assert_eq!(exit_code(&run_in(&folder, &["prove", "sound.pinion", "--seconds", "0"])), 0);
    let with_suggestions =
        run_in(&folder, &["prove", "sound.pinion", "--seconds", "600", "--strengthen", "--implied-by"]);
    assert!(!transcript(&with_suggestions).contains("limit"), "{}", transcript(&with_suggestions));
}

#[test]
fn a_time_limit_also_holds_for_techniques_under_suppositions() {
    let folder = fresh_folder("prove_limit_means");
    let output = run_in(&folder, &["prove", "nested_chains", "xy_chain", "--seconds", "0"]);
    assert_eq!(exit_code(&output), 1);
    let output_text = transcript(&output);
    assert!(output_text.contains("0 proved, 2 not decided"), "{output_text}");
    assert_eq!(output_text.matches("the limit of 0 s was reached").count(), 2, "{output_text}");
}

#[test]
fn suggested_repairs_of_wrong_rules_are_proved() {
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
        let output = transcript(&run_in(&folder, &["prove", &file, "--lines"]));
        let repairs: Vec<&str> =
            output.lines().filter_map(|line| line.trim().strip_prefix("proved if you change this: ")).collect();
        assert_eq!(repairs.len(), 1, "{output}");
        let repaired_file = file.replace("three", "repaired");
        fs::write(&repaired_file, rule(repairs[0])).expect("the file can be written");
        let output = run_in(&folder, &["prove", &repaired_file]);
        assert!(exit_code(&output) == 0, "{}", transcript(&output));
    }
    // No change of the conclusion repairs this rule.
    let wrong_rule = write_file(&folder, "wrong.pinion", WRONG);
    assert!(!transcript(&run_in(&folder, &["prove", &wrong_rule, "--lines"])).contains("proved if you change this"));
}

/// In a counterexample, `5` is a solved cell and `{5}` an unsolved cell with one candidate.
#[test]
fn counterexamples_mark_unsolved_cells_with_one_candidate() {
    let folder = fresh_folder("prove_last");
    let rule = "technique last \"Last\" {\n  c: cell = {x}\n  e: cell = {y, z} sees c\n  eliminate y from e\n}\n";
    let rule = write_file(&folder, "last.pinion", rule);
    let output = transcript(&run_in(&folder, &["prove", &rule]));
    assert!(output.contains("In braces: an unsolved cell with one candidate."), "{output}");
}

#[test]
fn conditions_that_can_be_dropped_together_are_listed_separately() {
    let folder = fresh_folder("prove_together");
    let rule = "technique most \"Most\" {\n  a: cell = {x, y}\n  b: cell = {x, y} sees a\n  c: cell sees a sees b\n  \
                require #digits(c) > 2 and some x in c\n  eliminate {x, y} from c\n}\n";
    let rule = write_file(&folder, "most.pinion", rule);
    let output = transcript(&run_in(&folder, &["prove", &rule, "--strengthen"]));
    insta::assert_snapshot!("prove_together", without_sizes(&output));
}

#[test]
fn implied_by_lists_special_cases_and_rules_it_cannot_compare() {
    let folder = fresh_folder("prove_compared");
    let rule = quick_or_full("hidden_subset", "xyz_wing");
    let output = transcript(&run_in(&folder, &["prove", rule, "--implied-by"]));
    assert!(rule != "xyz_wing" || output.contains("a special case of pivot_wing(3)"), "{output}");
    let refusal = output.lines().find(|line| line.trim().starts_with("not compared: ") && line.contains("xy_chain"));
    assert!(refusal.is_some_and(|line| line.ends_with("a chain of open length")), "{output}");
    // Chains of open length are compared link by link.
    let implied_by = |rule: &str| transcript(&run_in(&folder, &["prove", rule, "--implied-by"]));
    let (x_chain, remote_pair) = (implied_by("x_chain"), implied_by("remote_pair"));
    assert!(x_chain.contains("a special case of aic, chain by chain"), "{x_chain}");
    assert!(!x_chain.contains("a special case of xy_chain"), "{x_chain}");
    assert!(remote_pair.contains("a special case of xy_chain, chain by chain"), "{remote_pair}");
    assert!(!implied_by("aic").contains("x_chain, chain by chain"));
    // In the text, a rule that is implied through another rule stands below that rule. JSON lists direct implications and all implications.
    assert!(remote_pair.contains("    and so of aic, chain by chain"), "{remote_pair}");
    let record = json_output(&run_in(&folder, &["prove", "remote_pair", "--implied-by", "--format", "json"]));
    let list_length = |name: &str| record[name].as_array().expect("a list").len();
    assert_eq!((list_length("implied_directly_by"), list_length("implied_by") > 3), (1, true), "{record}");
}

/// Proves a rule in a fresh folder. Returns the folder and the file of the cached proof.
fn proved_in_fresh_folder(name: &str, rule: &str) -> (PathBuf, PathBuf) {
    let folder = fresh_folder(name);
    write_file(&folder, "rule.pinion", rule);
    run_in(&folder, &["prove", "rule.pinion"]);
    let mut records = record_files(&folder);
    assert_eq!(records.len(), 1, "{records:?}");
    (folder, records.remove(0))
}

fn record_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("cache/proofs")).expect("proofs are kept there");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

/// Proves the rule again. Returns the status, true if the cache has answered, and the remarks on the error stream.
fn prove_again(folder: &Path) -> (String, bool, String) {
    let output = run_in(folder, &["prove", "rule.pinion", "--format", "json"]);
    let (record, remarks) = (json_output(&output), String::from_utf8(output.stderr.clone()).expect("text"));
    let is_cached = record["cached"].as_bool().expect("true or false");
    (record["status"].as_str().expect("a word").to_string(), is_cached, remarks)
}

/// Checks that a damaged record is reported and replaced: the rule is proved again, and then the cache answers.
fn check_damaged_record_is_replaced(folder: &Path, status: &str) {
    let (actual_status, is_cached, remarks) = prove_again(folder);
    assert_eq!((actual_status.as_str(), is_cached), (status, false));
    assert!(remarks.contains("is not a record of this proof: it is proved again"), "{remarks}");
    assert_eq!(prove_again(folder), (status.to_string(), true, String::new()));
    assert_eq!(record_files(folder).len(), 1);
}

#[test]
fn an_edited_record_is_not_trusted() {
    let (folder, record) = proved_in_fresh_folder("prove_edited", WRONG);
    let text = fs::read_to_string(&record).expect("text");
    let edited_text = text.replace("\"refuted\"", "\"proved\"");
    assert_ne!(edited_text, text);
    fs::write(&record, edited_text).expect("the file can be written");
    check_damaged_record_is_replaced(&folder, "refuted");
}

#[test]
fn a_record_without_a_seal_is_not_trusted() {
    let (folder, record) = proved_in_fresh_folder("prove_bare", WRONG);
    let text = fs::read_to_string(&record).expect("text");
    let (_, content) = text.split_once('\n').expect("seal and content");
    fs::write(&record, content.replace("\"refuted\"", "\"proved\"")).expect("the file can be written");
    check_damaged_record_is_replaced(&folder, "refuted");
}

#[test]
fn a_record_of_another_rule_is_not_trusted() {
    let (_, record_of_sound_rule) = proved_in_fresh_folder("prove_true", SOUND);
    let (folder, record_of_wrong_rule) = proved_in_fresh_folder("prove_swapped", WRONG);
    fs::copy(record_of_sound_rule, record_of_wrong_rule).expect("the path can be copied");
    check_damaged_record_is_replaced(&folder, "refuted");
}

#[test]
fn a_cut_or_oversized_record_is_not_trusted() {
    let (folder, record) = proved_in_fresh_folder("prove_half", SOUND);
    let text = fs::read_to_string(&record).expect("text");
    for damaged_text in [&text[..text.len() / 2], &text[..text.len() - 1], "", &text.repeat(5000)] {
        fs::write(&record, damaged_text).expect("the file can be written");
        check_damaged_record_is_replaced(&folder, "proved");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_record_is_replaced() {
    let (folder, record) = proved_in_fresh_folder("prove_pipe", SOUND);
    fs::remove_file(&record).expect("the path can be removed");
    assert!(Command::new("mkfifo").arg(&record).status().expect("mkfifo starts").success());
    let mut child = pinion(&["prove", "rule.pinion"])
        .current_dir(&folder)
        .env("PINION_CACHE", folder.join("cache"))
        .spawn()
        .expect("the binary starts");
    let start = Instant::now();
    while child.try_wait().expect("the state of the command").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().expect("the command can be killed");
            panic!("the command waits for data from the pipe");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(fs::metadata(&record).expect("a record").is_file(), "the pipe is still there");
    assert_eq!(prove_again(&folder), ("proved".to_string(), true, String::new()));
}

#[test]
fn unwritable_caches_are_reported() {
    let (folder, record) = proved_in_fresh_folder("prove_folder", SOUND);
    fs::remove_file(&record).expect("the path can be removed");
    fs::create_dir(&record).expect("the path can be made");
    let (status, is_cached, remarks) = prove_again(&folder);
    assert_eq!((status.as_str(), is_cached), ("proved", false));
    assert!(
        remarks.contains("is not a record of this proof") && remarks.contains("proofs cannot be kept in"),
        "{remarks}"
    );
    assert_eq!(record_files(&folder), [record], "a temporary file is left");
    // A cache folder that cannot be made is no failure either.
    fs::remove_dir_all(folder.join("cache")).expect("the path can be removed");
    fs::write(folder.join("cache"), "in the way").expect("the file can be written");
    let output = run_in(&folder, &["prove", "rule.pinion"]);
    assert_output(&output, 0, "proofs cannot be kept in");
}

#[test]
fn parallel_proofs_leave_one_record() {
    let (folder, record) = proved_in_fresh_folder("prove_side_by_side", SOUND);
    for _ in 0..5 {
        fs::remove_file(&record).expect("the path can be removed");
        let start = || {
            let mut command = pinion(&["prove", "rule.pinion", "--format", "json"]);
            command.current_dir(&folder).env("PINION_CACHE", folder.join("cache"));
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
            command.spawn().expect("the binary starts")
        };
        let children: Vec<_> = (0..6).map(|_| start()).collect();
        for child in children {
            let output = child.wait_with_output().expect("the command ends");
            assert_eq!(json_output(&output)["status"], "proved");
            assert_eq!(output.stderr, b"", "{}", transcript(&output));
        }
        assert_eq!(prove_again(&folder), ("proved".to_string(), true, String::new()));
        assert_eq!(record_files(&folder), std::slice::from_ref(&record));
    }
}

/// A fish rule; without the guarding condition the rule is wrong.
fn fish(is_sound: bool) -> String {
    let covered = if is_sound { "  require d in base within cover\n" } else { "" };
    format!(
        "technique my_fish \"My Fish\" {{\n  d: digit\n  base: rows[2]\n  cover: columns[2]\n  require some d in h for h in base\n  require some d in h & base for h in cover\n{covered}  eliminate d from cover - base\n}}\n"
    )
}

#[test]
fn a_cached_verdict_does_not_change_what_find_finds() {
    const GRID: &str = "1.....569492.561.8.561.924...964.8.1.64.1....218.356.4.4.5...169.5.614.2621.....5";
    let folder = fresh_folder("prove_find");
    for (is_sound, prove_exit_code) in [(true, 0), (false, 1)] {
        write_file(&folder, "rule.pinion", fish(is_sound));
        let find = || transcript(&run_in(&folder, &["find", GRID, "--technique", "my_fish", "--rules", "rule.pinion"]));
        let matches_before_proof = find();
        assert!(matches_before_proof.contains("My Fish"), "{matches_before_proof}");
        assert_eq!(exit_code(&run_in(&folder, &["prove", "rule.pinion"])), prove_exit_code);
        assert_eq!(find(), matches_before_proof);
    }
}

/// The condition ranges over five cells, so the question for the SAT solver exceeds its size limit long before memory runs out.
#[test]
fn a_proof_ends_at_the_size_limit_of_a_question() {
    let rule = "technique nested \"Nested\" {\n  a: cell = {d, e}\n  require digits(b + c) = digits(x + y) for b in cells seeing a \
                for some c in cells seeing b for some y in cells seeing c for x in cells seeing y\n  \
                eliminate d from cells seeing a\n}\n";
    let path = write_file(&fresh_folder("prove_nested"), "nested.pinion", rule);
    let output = pinion(&["prove", &path, "--no-cache", "--memory", "300"]).output().expect("the binary starts");
    let text = transcript(&output);
    assert!(text.contains("not decided") && text.contains("the limit on the size of a question"), "{text}");
}
