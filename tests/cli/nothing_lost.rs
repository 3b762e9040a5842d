//! Files that are written are the old ones or the new ones, whatever happens; and what has a limit ends at it.

use super::{EASY, ONE_WING, exit_code, fresh_folder, json_output, pinion, run, transcript, write_file};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const LOOSE: &str = "technique t \"T\" {\n    c:   cell = {d}\n place   d in c\n}\n";

/// With a limit of no bytes on the size of files: a disk that is full.
#[cfg(unix)]
fn on_a_full_disk(args: &[&str]) -> Output {
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_pinion")]).args(args).output().expect("there is a shell")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("it is there").flatten();
    let mut names: Vec<String> = entries.map(|one| one.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_what_was_there() {
    let folder = fresh_folder("full_disk");
    let path = write_file(&folder, "loose.pinion", LOOSE);
    let puzzles = write_file(&folder, "one.txt", EASY);
    let chart = write_file(&folder, "chart.svg", "an old chart");
    let new = folder.join("new.pinion").to_str().expect("a plain path").to_owned();
    let commands: [(&[&str], &str); 4] = [
        (&["fmt", &path], &path),
        (&["stats", &puzzles, "--no-leave-out", "--svg", &chart], &chart),
        (&["bench", &puzzles, "--digests", &chart], &chart),
        (&["new", &new], &new),
    ];
    for (args, name) in commands {
        let output = on_a_full_disk(args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(exit_code(&output) == 3 && error.contains(name), "{args:?}: {}", transcript(&output));
    }
    assert_eq!(std::fs::read_to_string(&path).expect("a rule"), LOOSE);
    assert_eq!(std::fs::read_to_string(&chart).expect("a chart"), "an old chart");
    assert_eq!(names(&folder), ["chart.svg", "loose.pinion", "one.txt"], "nothing is left beside");
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_that_is_full_is_named() {
    let output = run(&["bench", EASY, "--digests", "/dev/full"]);
    assert!(
        exit_code(&output) == 3 && transcript(&output).contains("/dev/full cannot be written"),
        "{}",
        transcript(&output)
    );
    let full = std::fs::File::options().write(true).open("/dev/full").expect("it is there");
    let output = pinion(&["solve", EASY]).stdout(full).output().expect("it starts");
    assert!(
        exit_code(&output) == 3 && transcript(&output).contains("the output cannot be written"),
        "{}",
        transcript(&output)
    );
}

#[cfg(unix)]
#[test]
fn a_snapshot_is_the_old_or_the_new_one() {
    let folder = fresh_folder("accept_on_a_full_disk");
    let rule = "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n";
    let path = write_file(&folder, "t.pinion", rule);
    write_file(&folder, "t.test", format!("{EASY} one\n"));
    assert_eq!(exit_code(&run(&["test", &path, "--accept"])), 0);
    let kept = folder.join("snapshots");
    let snapshot = kept.join(&names(&kept)[0]);
    let before = std::fs::read_to_string(&snapshot).expect("a snapshot");
    write_file(&folder, "t.pinion", rule.replace("\"T\"", "\"Another\""));
    let output = on_a_full_disk(&["test", &path, "--accept"]);
    assert!(exit_code(&output) == 3 && transcript(&output).contains("cannot be written"), "{}", transcript(&output));
    assert_eq!(std::fs::read_to_string(&snapshot).expect("the snapshot"), before);
    assert_eq!(names(&kept).len(), 1, "{:?}", names(&kept));
}

#[test]
fn whoever_is_killed_leaves_no_half() {
    let folder = fresh_folder("killed");
    let loose = format!("{}{LOOSE}", "// a comment\n".repeat(20_000));
    let path = write_file(&folder, "loose.pinion", &loose);
    assert_eq!(exit_code(&run(&["fmt", &path])), 0);
    let whole = std::fs::read_to_string(&path).expect("a rule");
    for wait in 0..12 {
        std::fs::write(&path, &loose).expect("a file can be written");
        let mut child = pinion(&["fmt", &path]).stdout(Stdio::null()).spawn().expect("the binary starts");
        std::thread::sleep(std::time::Duration::from_millis(5 * wait));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let now = std::fs::read_to_string(&path).expect("a rule");
        assert!(now == loose || now == whole, "after {wait}: {} bytes", now.len());
    }
}

#[test]
fn two_at_once_do_no_harm() {
    let folder = fresh_folder("at_once");
    let rule = write_file(&folder, "t.pinion", LOOSE);
    let cache = folder.join("cache");
    let prove = || {
        let mut command = pinion(&["prove", &rule, "--format", "json"]);
        command.env("PINION_CACHE", &cache).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the binary starts")
    };
    let all: Vec<_> = (0..4).map(|_| prove()).collect();
    for child in all {
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    }
    let again = json_output(&prove().wait_with_output().expect("it ends"));
    assert_eq!((&again["status"], &again["cached"]), (&"proved".into(), &true.into()), "{again}");
    assert_eq!(names(&cache.join("proofs")).len(), 1);
}

#[test]
fn what_would_take_for_ever_is_refused_by_name() {
    let folder = fresh_folder("too_much");
    let cases: String = (0..65).map(|number| format!("  case \"C{number}\": c: cell = {{d}}\n")).collect();
    let lists: String = (0..300).map(|number| format!("rules g{number} = g{}\n", number + 1)).collect();
    for (name, text, limit) in [
        ("cases.pinion", format!("technique t \"T\" {{\n{cases}  place d in c\n}}\n"), "more than 64 with this one"),
        ("lists.pinion", lists, "more than 256 rule lists in one file"),
    ] {
        let output = run(&["check", &write_file(&folder, name, text)]);
        let words = transcript(&output);
        assert!(exit_code(&output) == 1 && words.contains("E0107") && words.contains(limit), "{words}");
    }
}

#[test]
fn a_proof_heeds_its_time_and_its_size() {
    let folder = fresh_folder("long_proof");
    let nested = "technique t \"T\" {\n  c: cell = {d}\n  require a sees b or b sees e or e sees f for a in cells for b in \
        cells for e in cells for f in cells\n  place d in c\n}\n";
    let path = write_file(&folder, "nested.pinion", nested);
    let output = run(&["prove", &path, "--no-cache", "--seconds", "1"]);
    assert!(exit_code(&output) == 1 && transcript(&output).contains("not decided"), "{}", transcript(&output));
}

#[test]
fn searches_end_when_the_time_is_over() {
    let output = run(&["find", ONE_WING, "--seconds", "0"]);
    assert!(exit_code(&output) == 1 && transcript(&output).contains("the limit on time"), "{}", transcript(&output));
    let solved = json_output(&run(&["solve", ONE_WING, "--seconds", "0", "--format", "json"]));
    assert_eq!(solved["status"], "stuck", "{solved}");
    assert_eq!(solved["result"]["cuts"].as_array().map(Vec::len), Some(1), "{solved}");
    assert_eq!(exit_code(&run(&["solve", ONE_WING, "--seconds", "1000"])), 0);
}

#[test]
fn runs_end_when_their_time_is_over() {
    let folder = fresh_folder("no_time");
    let page = folder.join("page.html").to_str().expect("a plain path").to_owned();
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
        assert!(
            exit_code(&output) == 1 && transcript(&output).contains("the limit of 0 s was reached"),
            "{}",
            transcript(&output)
        );
        assert!(command[0] == "lint" || exit_code(&run(command)) == 0, "{command:?}");
    }
}

/// It waits for puzzles, and takes more than this from the beginning.
#[test]
fn a_run_that_takes_too_much_memory_ends_by_name() {
    let mut command = pinion(&["solve", "-", "--memory", "1"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let input = child.stdin.take().expect("piped");
    let output = child.wait_with_output().expect("it ends");
    drop(input);
    assert!(
        exit_code(&output) == 1 && transcript(&output).contains("the limit on memory (1 MiB"),
        "{}",
        transcript(&output)
    );
}

/// Three million texts on one line, and one that is not closed.
#[test]
fn a_line_of_texts_is_read_once() {
    let path = write_file(&fresh_folder("texts"), "texts.pinion", "\"".repeat(6_000_001));
    assert_eq!(exit_code(&run(&["check", &path])), 1);
}

/// The exit code says that a check found something, not that the puzzle is invalid.
#[test]
fn a_wrong_rule_is_no_fault_of_the_puzzle() {
    let folder = fresh_folder("wrong_rule");
    let rule =
        "technique hasty \"Hasty\" {\n  d: digit\n  h: house\n  require d in h = {a, b}\n  eliminate d from a\n}\n";
    let rules = write_file(&folder, "hasty.pinion", rule);
    let profile = "(name: \"hasty\", about: \"\", others: Off, rows: [(technique: \"hasty\", first: 1, again: 1), \
        (technique: \"naked_single\", first: 1, again: 1)])";
    let profile = write_file(&folder, "hasty.ron", profile);
    let args = ["solve", ONE_WING, "--rules", &rules, "--profile", &profile, "--trust", "--summary"];
    for more in [&[][..], &["--verify"]] {
        let output = run(&[&args, more].concat());
        assert!(exit_code(&output) == 1 && transcript(&output).contains("Broken"), "{}", transcript(&output));
    }
}
