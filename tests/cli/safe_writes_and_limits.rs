//! A file is written whole or not at all, also on a full disk and after a kill. Commands end at their limits.

use super::{
    EASY, ONE_WING, assert_output, exit_code, file_names, fresh_folder, json_output, pinion, run, run_with_open_pipe,
    transcript, write_file,
};
use std::process::{Command, Output, Stdio};

const UNFORMATTED: &str = "technique t \"T\" {\n    c:   cell = {d}\n place   d in c\n}\n";

/// Runs the program with a size limit of 0 bytes for files, which acts like a full disk.
#[cfg(unix)]
fn on_a_full_disk(args: &[&str]) -> Output {
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_pinion")]).args(args).output().expect("sh starts")
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_old_files_are_unchanged() {
    let folder = fresh_folder("full_disk");
    let path = write_file(&folder, "loose.pinion", UNFORMATTED);
    let puzzles = write_file(&folder, "one.txt", EASY);
    let chart = write_file(&folder, "chart.svg", "an old chart");
    let new_file = folder.join("new.pinion").to_str().expect("a path in UTF-8").to_owned();
    let commands: [(&[&str], &str); 4] = [
        (&["fmt", &path], &path),
        (&["stats", &puzzles, "--no-leave-out", "--svg", &chart], &chart),
        (&["bench", &puzzles, "--digests", &chart], &chart),
        (&["new", &new_file], &new_file),
    ];
    for (args, name) in commands {
        let output = on_a_full_disk(args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(exit_code(&output) == 3 && error.contains(name), "{args:?}: {}", transcript(&output));
    }
    assert_eq!(std::fs::read_to_string(&path).expect("a rule"), UNFORMATTED);
    assert_eq!(std::fs::read_to_string(&chart).expect("a chart"), "an old chart");
    assert_eq!(file_names(&folder), ["chart.svg", "loose.pinion", "one.txt"], "a temporary file is left");
}

#[test]
fn an_output_does_not_replace_an_input() {
    let folder = fresh_folder("input_as_output");
    let puzzles = write_file(&folder, "one.txt", format!("{ONE_WING}\n"));
    let rule = write_file(&folder, "rule.pinion", UNFORMATTED);
    let board = write_file(&folder, "board.ron", "(name: \"mine\", size: 9)");
    let name_from_here = format!("{}/../input_as_output/one.txt", folder.display());
    let commands: [&[&str]; 8] = [
        &["report", &puzzles, "-o", &name_from_here],
        &["bench", &puzzles, "--digests", &puzzles],
        &["bench", EASY, &puzzles, "--digests", &puzzles],
        &["find", &puzzles, "-t", "naked_single", "--svg", &puzzles],
        &["stats", &puzzles, "--no-leave-out", "--svg", &puzzles],
        &["test", &rule, "--junit", &rule],
        &["bench", EASY, "--rules", &rule, "--digests", &rule],
        &["bench", EASY, "--board", &board, "--digests", &board],
    ];
    for command in commands {
        let output = run(command);
        let text = transcript(&output);
        assert!(exit_code(&output) == 2 && text.contains("the command reads this file"), "{command:?}: {text}");
    }
    assert_eq!(std::fs::read_to_string(&puzzles).expect("a puzzle"), format!("{ONE_WING}\n"));
    assert_eq!(std::fs::read_to_string(&rule).expect("a rule"), UNFORMATTED);
}

#[cfg(unix)]
#[test]
fn an_output_does_not_replace_an_input_behind_a_link_or_a_redirection() {
    let folder = fresh_folder("linked_input_as_output");
    let puzzles = write_file(&folder, "one.txt", EASY);
    let link = folder.join("link.txt");
    std::os::unix::fs::symlink(&puzzles, &link).expect("a link");
    let link = link.to_str().expect("a path in UTF-8");
    for [input, output] in [[link, &puzzles], [&puzzles, link], ["-", &puzzles]] {
        let standard_input = std::fs::File::open(&puzzles).expect("a puzzle");
        let output =
            pinion(&["report", input, "-o", output]).stdin(standard_input).output().expect("the binary starts");
        assert_output(&output, 2, "the command reads this file");
    }
    assert_eq!(std::fs::read_to_string(&puzzles).expect("a puzzle"), EASY);
}

#[cfg(target_os = "linux")]
#[test]
fn the_error_names_a_full_device() {
    let output = run(&["bench", EASY, "--digests", "/dev/full"]);
    assert_output(&output, 3, "/dev/full cannot be written");
    let full_device = std::fs::File::options().write(true).open("/dev/full").expect("the path exists");
    let output = pinion(&["solve", EASY]).stdout(full_device).output().expect("the binary starts");
    assert_output(&output, 3, "the output cannot be written");
}

/// A file that the shell has opened is written, not replaced, so nothing that the program prints is lost.
#[cfg(target_os = "linux")]
#[test]
fn a_file_can_be_the_standard_output() {
    let path = fresh_folder("standard_output").join("both.txt");
    let file = std::fs::File::create(&path).expect("a new file");
    let output = pinion(&["bench", EASY, "--digests", "/dev/stdout"]).stdout(file).output().expect("the binary starts");
    assert_eq!(exit_code(&output), 0);
    let text = std::fs::read_to_string(&path).expect("the output");
    assert!(text.contains("1 puzzle") && text.lines().any(|line| line.contains("solved")), "{text}");
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_the_old_snapshot_is_kept() {
    let folder = fresh_folder("accept_on_a_full_disk");
    let rule = "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n";
    let path = write_file(&folder, "t.pinion", rule);
    write_file(&folder, "t.test", format!("{EASY} one\n"));
    assert_eq!(exit_code(&run(&["test", &path, "--accept"])), 0);
    let snapshots = folder.join("snapshots");
    let snapshot = snapshots.join(&file_names(&snapshots)[0]);
    let old_contents = std::fs::read_to_string(&snapshot).expect("a snapshot");
    write_file(&folder, "t.pinion", rule.replace("\"T\"", "\"Another\""));
    let output = on_a_full_disk(&["test", &path, "--accept"]);
    assert_output(&output, 3, "cannot be written");
    assert_eq!(std::fs::read_to_string(&snapshot).expect("the snapshot"), old_contents);
    assert_eq!(file_names(&snapshots).len(), 1, "{:?}", file_names(&snapshots));
}

#[test]
fn a_killed_fmt_leaves_the_old_or_the_new_file() {
    let folder = fresh_folder("killed");
    let unformatted = format!("{}{UNFORMATTED}", "// a comment\n".repeat(20_000));
    let path = write_file(&folder, "loose.pinion", &unformatted);
    assert_eq!(exit_code(&run(&["fmt", &path])), 0);
    let formatted = std::fs::read_to_string(&path).expect("a rule");
    for wait in 0..12 {
        std::fs::write(&path, &unformatted).expect("a file can be written");
        let mut child = pinion(&["fmt", &path]).stdout(Stdio::null()).spawn().expect("the binary starts");
        std::thread::sleep(std::time::Duration::from_millis(5 * wait));
        child.kill().expect("the command can be killed");
        child.wait().expect("the command ends");
        let contents = std::fs::read_to_string(&path).expect("a rule");
        assert!(contents == unformatted || contents == formatted, "killed after {} ms: {contents:.200}", 5 * wait);
    }
}

#[test]
fn a_rule_with_too_many_cases_or_lists_is_refused() {
    let folder = fresh_folder("too_much");
    let cases: String = (0..65).map(|number| format!("  case \"C{number}\": c: cell = {{d}}\n")).collect();
    let lists: String = (0..300).map(|number| format!("rules g{number} = g{}\n", number + 1)).collect();
    for (name, text, limit) in [
        ("cases.pinion", format!("technique t \"T\" {{\n{cases}  place d in c\n}}\n"), "more than 64 with this one"),
        ("lists.pinion", lists, "more than 256 rule lists in one file"),
    ] {
        let output = run(&["check", &write_file(&folder, name, text)]);
        let message = transcript(&output);
        assert!(exit_code(&output) == 1 && message.contains("E0107") && message.contains(limit), "{message}");
    }
}

#[test]
fn a_proof_ends_at_its_time_limit() {
    let folder = fresh_folder("long_proof");
    let nested = "technique t \"T\" {\n  c: cell = {d}\n  require a sees b or b sees e or e sees f for a in cells for b in \
        cells for e in cells for f in cells\n  place d in c\n}\n";
    let path = write_file(&folder, "nested.pinion", nested);
    let output = run(&["prove", &path, "--no-cache", "--seconds", "1"]);
    assert_output(&output, 1, "not decided");
}

/// A rule whose bounded proof takes long.
const SLOW_PROOF: &str = "technique slow \"Slow\" {\n  p: literal\n  suppose p using rules many, all imply q\n  conclude q\n}\n\
    rules many = naked_single, hidden_single, naked_subset, hidden_subset, basic_fish, grouped_aic, als_aic\n";

#[test]
fn a_search_by_name_proves_only_the_added_rules_that_it_needs() {
    let folder = fresh_folder("slow_proof_of_another_rule");
    let path = write_file(&folder, "slow.pinion", SLOW_PROOF);
    let args = ["find", EASY, "-t", "naked_single", "--rules", &path];
    let output = pinion(&args).env("PINION_CACHE", folder.join("cache")).output().expect("the binary starts");
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    assert!(!folder.join("cache").exists(), "the other rule was proved");
}

#[test]
fn proofs_of_added_rules_end_at_the_time_limit_of_the_command() {
    let folder = fresh_folder("slow_proof");
    let path = write_file(&folder, "slow.pinion", SLOW_PROOF);
    for command in
        [&["find", EASY][..], &["solve", EASY], &["why", EASY, "-t", "slow"], &["why-not", EASY, "-t", "slow"]]
    {
        let args = [command, &["--rules", &path, "--seconds", "0"]].concat();
        let output = pinion(&args).env("PINION_CACHE", folder.join("cache")).output().expect("the binary starts");
        assert!(exit_code(&output) == 1, "{command:?}: {}", transcript(&output));
        assert!(!folder.join("cache").exists(), "{command:?}: the rule was proved");
    }
}

#[test]
fn searches_end_at_their_time_limit() {
    let output = run(&["find", ONE_WING, "--seconds", "0"]);
    assert_output(&output, 1, "the limit on time");
    let record = json_output(&run(&["solve", ONE_WING, "--seconds", "0", "--format", "json"]));
    assert_eq!(record["status"], "stuck", "{record}");
    assert_eq!(record["result"]["cuts"].as_array().map(Vec::len), Some(1), "{record}");
    let text = transcript(&run(&["solve", ONE_WING, "--seconds", "0"]));
    assert!(text.contains("open: nothing more was found within the limits."), "{text}");
    assert_eq!(exit_code(&run(&["solve", ONE_WING, "--seconds", "1000"])), 0);
}

#[test]
fn other_commands_end_at_their_time_limit() {
    let folder = fresh_folder("no_time");
    let page = folder.join("page.html").to_str().expect("a path in UTF-8").to_owned();
    let commands: [&[&str]; 8] = [
        &["audit", EASY, "-t", "naked_single"],
        &["bench", EASY],
        &["stats", EASY],
        &["compare", "naked_single", "hidden_single", "--on", EASY],
        &["rate", EASY],
        &["report", EASY, "-o", &page],
        &["lint"],
        &["test", "--filter", "naked single"],
    ];
    for command in commands {
        let output = run(&[command, &["--seconds", "0"]].concat());
        assert_output(&output, 1, "the limit of 0 s was reached");
        assert!(command[0] == "lint" || exit_code(&run(command)) == 0, "{command:?}");
    }
}

/// The program needs more than 1 MiB from the start, so it ends while it waits for a puzzle.
#[test]
fn a_run_ends_at_its_memory_limit() {
    let output = run_with_open_pipe(&["solve", "-", "--memory", "1"]);
    assert_output(&output, 1, "the limit on memory (1 MiB");
}

/// Three million empty strings on one line and a string that is not closed must not be scanned again for each string.
#[test]
fn a_line_of_many_strings_is_scanned_once() {
    let path = write_file(&fresh_folder("texts"), "texts.pinion", "\"".repeat(6_000_001));
    assert_eq!(exit_code(&run(&["check", &path])), 1);
}

/// The exit code is 1, not the code for an invalid puzzle.
#[test]
fn a_path_that_a_wrong_rule_breaks_has_exit_code_1() {
    let folder = fresh_folder("wrong_rule");
    let rule =
        "technique hasty \"Hasty\" {\n  d: digit\n  h: house\n  require d in h = {a, b}\n  eliminate d from a\n}\n";
    let rules = write_file(&folder, "hasty.pinion", rule);
    let profile = "(name: \"hasty\", about: \"\", others: Off, rows: [(technique: \"hasty\", first: 1, again: 1), \
        (technique: \"naked_single\", first: 1, again: 1)])";
    let profile = write_file(&folder, "hasty.ron", profile);
    let args = ["solve", ONE_WING, "--rules", &rules, "--profile", &profile, "--trust", "--summary"];
    for options in [&[][..], &["--verify"]] {
        let output = run(&[&args, options].concat());
        assert_output(&output, 1, "Broken");
    }
}
