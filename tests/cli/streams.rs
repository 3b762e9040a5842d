//! Texts without an end, slow ones and odd ones: each puzzle is answered as it comes, and what cannot be read keeps nothing
//! else from being read.

use super::{EASY, ONE_WING, exit_code, fresh_folder, pinion, run, run_with, transcript, write_file};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

/// Solved in no time.
const SMALL: &str = "3.1......3.2....";

fn begun(args: &[&str]) -> Child {
    let child = pinion(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    child.expect("the binary starts")
}

#[test]
fn the_first_answer_comes_before_the_second_puzzle() {
    let commands: [&[&str]; 4] =
        [&["solve", "-"], &["hint", "-"], &["find", "-", "--profile", "basic"], &["convert", "-", "--to", "rows"]];
    for command in commands {
        let mut child = begun(command);
        let mut input = child.stdin.take().expect("piped");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        writeln!(input, "{EASY}").expect("it reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("it answers");
        assert!(line.contains("53..7"), "{command:?}: {line}");
        writeln!(input, "{EASY}").expect("it reads on");
        drop(input);
        assert!(output.lines().count() > 0, "{command:?}");
        assert!(child.wait().expect("it ends").success(), "{command:?}");
    }
}

/// Writes a line again and again, until nobody reads.
fn endless(child: &mut Child, line: &str) -> std::thread::JoinHandle<()> {
    let (mut input, text) = (child.stdin.take().expect("piped"), format!("{line}\n").repeat(64));
    std::thread::spawn(move || while input.write_all(text.as_bytes()).is_ok() {})
}

#[test]
fn no_more_is_read_than_is_wanted() {
    let commands: [&[&str]; 4] = [
        &["bench", "-", "--first", "3"],
        &["audit", "-", "--first", "3", "-t", "naked_single"],
        &["stats", "-", "--first", "3"],
        &["compare", "naked_single", "hidden_single", "--on", "-", "--first", "3", "--no-proof"],
    ];
    for command in commands {
        let mut child = begun(command);
        let writer = endless(&mut child, SMALL);
        let output = child.wait_with_output().expect("it ends");
        writer.join().expect("nobody reads");
        assert!(
            exit_code(&output) == 0 && transcript(&output).contains("3 puzzles"),
            "{command:?}: {}",
            transcript(&output)
        );
    }
}

#[test]
fn who_reads_no_further_ends_it() {
    for form in ["text", "json", "ron"] {
        let mut child = begun(&["solve", "-", "--format", form]);
        let writer = endless(&mut child, SMALL);
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("it answers");
        writer.join().expect("nobody reads");
        assert!(child.wait().expect("it ends").success(), "{form}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_what_was_done() {
    let mut child = begun(&["audit", "-", "-t", "naked_single", "--threads", "1"]);
    let mut input = child.stdin.take().expect("piped");
    // More than the pipe holds, so that some was read when all is written.
    let text = format!("{SMALL}\n# {}\n", "-".repeat(4000));
    let (some, read) = std::sync::mpsc::channel();
    let writer = std::thread::spawn(move || {
        let mut times = 0;
        while input.write_all(text.as_bytes()).is_ok() {
            times += 1;
            let _ = some.send(times);
        }
    });
    while read.recv().expect("it reads") < 64 {}
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("there is a kill").success());
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("nobody reads");
    let words = transcript(&output);
    assert_eq!(exit_code(&output), 130, "{words}");
    assert!(words.contains(" matches, 0 wrong") && words.contains("interrupted after "), "{words}");
}

/// Some puzzles came, and nobody writes any more.
#[cfg(unix)]
#[test]
fn a_silent_pipe_outlasts_neither_an_interrupt_nor_the_time() {
    for (more, expected, words) in [(&[][..], 130, "interrupted after "), (&["--seconds", "2"], 1, "the limit of 2 s")]
    {
        let mut child = begun(&[&["audit", "-", "-t", "naked_single"], more].concat());
        let mut input = child.stdin.take().expect("piped");
        // More than the pipe holds, so that some was read when all is written.
        for _ in 0..64 {
            writeln!(input, "{SMALL}\n# {}", "-".repeat(4000)).expect("it reads");
        }
        if more.is_empty() {
            let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            assert!(killed.expect("there is a kill").success());
        }
        let output = child.wait_with_output().expect("it ends");
        drop(input);
        assert!(exit_code(&output) == expected && transcript(&output).contains(words), "{}", transcript(&output));
        assert!(transcript(&output).contains(" matches, 0 wrong"), "{}", transcript(&output));
    }
}

#[test]
fn a_pipe_without_puzzles_does_not_outlast_the_time() {
    let commands: [&[&str]; 5] = [
        &["audit", "-"],
        &["bench", "-"],
        &["stats", "-"],
        &["compare", "naked_single", "hidden_single", "--on", "-"],
        &["rate", "-"],
    ];
    for command in commands {
        let mut child = begun(&[command, &["--seconds", "0"]].concat());
        let input = child.stdin.take().expect("piped");
        let output = child.wait_with_output().expect("it ends");
        drop(input);
        assert!(
            exit_code(&output) == 1 && transcript(&output).contains("the limit of 0 s"),
            "{command:?}: {}",
            transcript(&output)
        );
    }
}

#[test]
fn lines_end_as_any_system_ends_them() {
    for end in ["\n", "\r\n", "\r"] {
        let text = [EASY, "# a comment", ONE_WING, ""].join(end);
        let output = run_with(&["convert", "-", "--to", "81"], text.as_bytes());
        assert_eq!(output.stdout, format!("{EASY}\n{ONE_WING}\n").as_bytes(), "{end:?}: {}", transcript(&output));
    }
}

#[test]
fn one_bad_line_costs_no_other() {
    let long = "1".repeat(5_000_000);
    let bad: [(&[u8], i32); 3] = [(b"a \0 zero", 3), (b"# caf\xe9, no unicode", 0), (long.as_bytes(), 3)];
    for (line, expected) in bad {
        let text = [EASY.as_bytes(), line, ONE_WING.as_bytes(), b""].join(&b'\n');
        let output = run_with(&["convert", "-", "--to", "81"], &text);
        let shown = String::from_utf8_lossy(line).chars().take(20).collect::<String>();
        assert_eq!(output.stdout, format!("{EASY}\n{ONE_WING}\n").as_bytes(), "{shown}");
        assert_eq!(exit_code(&output), expected, "{shown}");
    }
    let note = [EASY.as_bytes(), b" caf\xe9\n"].concat();
    assert_eq!(exit_code(&run_with(&["solve", "-"], &note)), 0, "a note in an old encoding");
}

#[test]
fn a_text_without_puzzles_has_an_end() {
    let mut child = begun(&["solve", "-"]);
    let writer = endless(&mut child, &format!("# {}", "-".repeat(200_000)));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("nobody reads");
    assert_eq!(exit_code(&output), 3);
    assert!(transcript(&output).contains("16777216 bytes without a puzzle"), "{}", transcript(&output));
}

#[test]
fn what_is_read_whole_has_a_limit() {
    let folder = fresh_folder("long_files");
    let long = write_file(&folder, "long.pinion", vec![b' '; 16 * 1024 * 1024 + 1]);
    for args in [&["check", &long][..], &["solve", EASY, "--rules", &long], &["solve", EASY, "--profile", &long]] {
        let output = run(args);
        assert_eq!(exit_code(&output), 3, "{args:?}: {}", transcript(&output));
        assert!(transcript(&output).contains("longer than 16777216 bytes"), "{}", transcript(&output));
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_no_rule_file() {
    for args in [&["check", "/dev/zero"][..], &["solve", EASY, "--board", "/dev/zero"], &["solve", "/dev/zero"]] {
        let output = run(args);
        assert!(matches!(exit_code(&output), 2 | 3), "{args:?}: {}", transcript(&output));
    }
    let folder = fresh_folder("pipe_in_a_folder");
    let rule = write_file(&folder, "a.pinion", "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n");
    let pipe = folder.join("b.pinion");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("there is a mkfifo").success() || pipe.exists());
    let whole = run(&["check", folder.to_str().expect("a plain path")]);
    assert_eq!(transcript(&whole), transcript(&run(&["check", &rule])), "nobody writes into the pipe");
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_are_followed_once() {
    let folder = fresh_folder("links_that_lead_back");
    let rule = write_file(&folder, "a.pinion", "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n");
    for name in ["one", "two"] {
        let made = std::os::unix::fs::symlink(".", folder.join(name));
        assert!(made.is_ok() || folder.join(name).exists());
    }
    let whole = run(&["check", folder.to_str().expect("a plain path")]);
    assert_eq!(transcript(&whole), transcript(&run(&["check", &rule])));
}

#[test]
fn without_a_technique_a_few_matches_of_each_name_are_shown() {
    let some = transcript(&run(&["find", ONE_WING, "--profile", "basic"]));
    let count = |name: &str| some.lines().filter(|line| line.starts_with(&format!("{name}:"))).count();
    assert_eq!(count("Hidden Single"), 3, "{some}");
    assert!(some.contains("at most 3 of each name"), "{some}");
    let all = transcript(&run(&["find", ONE_WING, "--technique", "hidden_single"]));
    assert!(all.matches("Hidden Single:").count() > 3, "{all}");
}

#[test]
fn matches_have_a_limit_that_is_told() {
    let output = run(&["find", ONE_WING, "--limit", "3", "--profile", "basic"]);
    let words = transcript(&output);
    assert_eq!(words.matches("Hidden Single: ").count(), 3, "{words}");
    assert!(words.contains("The search for hidden_single ended at the limit of 3 matches (--limit)"), "{words}");
    let value = super::json_output(&run(&["find", ONE_WING, "--limit", "3", "--format", "json"]));
    assert_eq!(value["result"]["not_searched"].as_array().map(Vec::len), Some(0));
    assert!(value["result"]["cuts"].as_array().is_some_and(|cuts| cuts.len() > 5), "{value}");
    let all = super::json_output(&run(&["find", EASY, "--profile", "basic", "--format", "json"]));
    assert_eq!(all["result"]["not_searched"].as_array().map(Vec::len), Some(0), "{all}");
}
