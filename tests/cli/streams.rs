//! Endless, slow and damaged input: each puzzle is answered as it comes, a bad line does not affect the others, and special files are
//! refused. Also: how many matches `find` shows.

use super::{
    EASY, ONE_WING, assert_output, assert_prints, exit_code, fresh_folder, json_output, piped, run, run_with,
    run_with_open_pipe, send_signal, transcript, write_file,
};
use std::io::{BufRead, BufReader, Write};
use std::process::Child;

/// A 4×4 puzzle that is solved quickly.
const SMALL: &str = "3.1......3.2....";

#[test]
fn the_first_answer_comes_before_the_second_puzzle() {
    let commands: [&[&str]; 4] =
        [&["solve", "-"], &["hint", "-"], &["find", "-", "--profile", "basic"], &["convert", "-", "--to", "rows"]];
    for command in commands {
        let mut child = piped(command);
        let mut input = child.stdin.take().expect("piped");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        writeln!(input, "{EASY}").expect("the command reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("the command answers");
        assert!(line.contains("53..7"), "{command:?}: {line}");
        writeln!(input, "{EASY}").expect("the command reads");
        drop(input);
        assert!(output.lines().count() > 0, "{command:?}");
        assert!(child.wait().expect("the command ends").success(), "{command:?}");
    }
}

#[test]
fn a_closed_standard_output_is_no_error() {
    for command in [&["report", EASY, "-o", "-"][..], &["bench", EASY, "--digests", "-"], &["solve", EASY]] {
        let mut child = piped(command);
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(exit_code(&output), 0, "{command:?}: {}", transcript(&output));
    }
}

/// Writes a line again and again until the command closes its input.
fn write_endlessly(child: &mut Child, line: &str) -> std::thread::JoinHandle<()> {
    let (mut input, text) = (child.stdin.take().expect("piped"), format!("{line}\n").repeat(64));
    std::thread::spawn(move || while input.write_all(text.as_bytes()).is_ok() {})
}

#[test]
fn commands_with_first_stop_reading_an_endless_input() {
    let commands: [&[&str]; 4] = [
        &["bench", "-", "--first", "3"],
        &["audit", "-", "--first", "3", "-t", "naked_single"],
        &["stats", "-", "--first", "3"],
        &["compare", "naked_single", "hidden_single", "--on", "-", "--first", "3", "--no-proof"],
    ];
    for command in commands {
        let mut child = piped(command);
        let writer = write_endlessly(&mut child, SMALL);
        let output = child.wait_with_output().expect("the command ends");
        writer.join().expect("the writer ends");
        assert!(
            exit_code(&output) == 0 && transcript(&output).contains("3 puzzles"),
            "{command:?}: {}",
            transcript(&output)
        );
    }
}

#[test]
fn solving_ends_if_nobody_reads_the_output() {
    for format in ["text", "json", "ron"] {
        let mut child = piped(&["solve", "-", "--format", format]);
        let writer = write_endlessly(&mut child, SMALL);
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("the command answers");
        writer.join().expect("the writer ends");
        assert!(child.wait().expect("the command ends").success(), "{format}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_audit_prints_its_results_so_far() {
    let mut child = piped(&["audit", "-", "-t", "naked_single", "--threads", "1"]);
    let mut input = child.stdin.take().expect("piped");
    // The text is more than a pipe holds, so the command has read some puzzles once all is written.
    let text = format!("{SMALL}\n# {}\n", "-".repeat(4000));
    let (sender, written_count) = std::sync::mpsc::channel();
    let writer = std::thread::spawn(move || {
        let mut count = 0;
        while input.write_all(text.as_bytes()).is_ok() {
            count += 1;
            let _ = sender.send(count);
        }
    });
    while written_count.recv().expect("the writer sends it") < 64 {}
    send_signal(&child, "-INT");
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    let text = transcript(&output);
    assert_eq!(exit_code(&output), 130, "{text}");
    assert!(text.contains(" matches, 0 wrong") && text.contains("interrupted after "), "{text}");
}

/// The input stays open, but nothing more is written.
#[cfg(unix)]
#[test]
fn an_audit_of_a_silent_pipe_ends_at_an_interrupt_or_its_time_limit() {
    for (time_limit, expected_exit_code, reason) in
        [(&[][..], 130, "interrupted after "), (&["--seconds", "2"], 1, "the limit of 2 s")]
    {
        let mut child = piped(&[&["audit", "-", "-t", "naked_single"], time_limit].concat());
        let mut input = child.stdin.take().expect("piped");
        // The text is more than a pipe holds, so the command has read some puzzles once all is written.
        for _ in 0..64 {
            writeln!(input, "{SMALL}\n# {}", "-".repeat(4000)).expect("the command reads");
        }
        // Without a time limit, an interrupt ends the command.
        if time_limit.is_empty() {
            send_signal(&child, "-INT");
        }
        let output = child.wait_with_output().expect("the command ends");
        drop(input);
        assert_output(&output, expected_exit_code, reason);
        assert_prints(&output, " matches, 0 wrong");
    }
}

#[test]
fn a_command_with_an_empty_pipe_ends_at_its_time_limit() {
    let commands: [&[&str]; 5] = [
        &["audit", "-"],
        &["bench", "-"],
        &["stats", "-"],
        &["compare", "naked_single", "hidden_single", "--on", "-"],
        &["rate", "-"],
    ];
    for command in commands {
        let output = run_with_open_pipe(&[command, &["--seconds", "0"]].concat());
        assert_output(&output, 1, "the limit of 0 s");
    }
}

#[test]
fn lines_may_end_with_lf_crlf_or_cr() {
    for end in ["\n", "\r\n", "\r"] {
        let text = [EASY, "# a comment", ONE_WING, ""].join(end);
        let output = run_with(&["convert", "-", "--to", "81"], text.as_bytes());
        assert_eq!(output.stdout, format!("{EASY}\n{ONE_WING}\n").as_bytes(), "{end:?}: {}", transcript(&output));
    }
}

#[test]
fn a_bad_line_does_not_affect_the_others() {
    let long_line = "1".repeat(5_000_000);
    let bad_lines: [(&[u8], i32); 3] = [(b"a \0 zero", 3), (b"# caf\xe9, no unicode", 0), (long_line.as_bytes(), 3)];
    for (line, expected_exit_code) in bad_lines {
        let text = [EASY.as_bytes(), line, ONE_WING.as_bytes(), b""].join(&b'\n');
        let output = run_with(&["convert", "-", "--to", "81"], &text);
        let start_of_line = String::from_utf8_lossy(line).chars().take(20).collect::<String>();
        assert_eq!(output.stdout, format!("{EASY}\n{ONE_WING}\n").as_bytes(), "{start_of_line}");
        assert_eq!(exit_code(&output), expected_exit_code, "{start_of_line}");
    }
    let note = [EASY.as_bytes(), b" caf\xe9\n"].concat();
    assert_eq!(exit_code(&run_with(&["solve", "-"], &note)), 0, "a note in Latin-1");
}

#[test]
fn an_endless_text_without_puzzles_is_given_up() {
    let mut child = piped(&["solve", "-"]);
    let writer = write_endlessly(&mut child, &format!("# {}", "-".repeat(200_000)));
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    assert_output(&output, 3, "16777216 bytes without a puzzle");
}

#[test]
fn rule_and_profile_files_have_a_size_limit() {
    let folder = fresh_folder("long_files");
    let path = write_file(&folder, "long.pinion", vec![b' '; 16 * 1024 * 1024 + 1]);
    for args in [&["check", &path][..], &["solve", EASY, "--rules", &path], &["solve", EASY, "--profile", &path]] {
        let output = run(args);
        assert_eq!(exit_code(&output), 3, "{args:?}: {}", transcript(&output));
        assert_prints(&output, "longer than 16777216 bytes");
    }
}

#[cfg(unix)]
#[test]
fn devices_are_refused_and_pipes_in_a_folder_are_skipped() {
    for args in [&["check", "/dev/zero"][..], &["solve", EASY, "--board", "/dev/zero"], &["solve", "/dev/zero"]] {
        let output = run(args);
        assert!(matches!(exit_code(&output), 2 | 3), "{args:?}: {}", transcript(&output));
    }
    let folder = fresh_folder("pipe_in_a_folder");
    let rule = write_file(&folder, "a.pinion", "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n");
    let pipe = folder.join("b.pinion");
    let status = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(status.expect("mkfifo starts").success());
    let checked_folder = run(&["check", folder.to_str().expect("a path in UTF-8")]);
    assert_eq!(transcript(&checked_folder), transcript(&run(&["check", &rule])));
}

#[cfg(unix)]
#[test]
fn links_to_their_own_folder_are_followed_once() {
    let folder = fresh_folder("links_that_lead_back");
    let rule = write_file(&folder, "a.pinion", "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n");
    for name in ["one", "two"] {
        std::os::unix::fs::symlink(".", folder.join(name)).expect("a link can be made");
    }
    let checked_folder = run(&["check", folder.to_str().expect("a path in UTF-8")]);
    assert_eq!(transcript(&checked_folder), transcript(&run(&["check", &rule])));
}

#[test]
fn find_without_a_technique_shows_three_matches_of_each_name() {
    let without_technique = transcript(&run(&["find", ONE_WING, "--profile", "basic"]));
    let count = |name: &str| without_technique.lines().filter(|line| line.starts_with(&format!("{name}:"))).count();
    assert_eq!(count("Hidden Single"), 3, "{without_technique}");
    assert!(without_technique.contains("at most 3 of each name"), "{without_technique}");
    let with_technique = transcript(&run(&["find", ONE_WING, "--technique", "hidden_single"]));
    assert!(with_technique.matches("Hidden Single:").count() > 3, "{with_technique}");
}

#[test]
fn find_reports_the_searches_that_ended_at_the_limit() {
    let output = run(&["find", ONE_WING, "--limit", "3", "--profile", "basic"]);
    let text = transcript(&output);
    assert_eq!(text.matches("Hidden Single: ").count(), 3, "{text}");
    assert!(text.contains("The search for hidden_single ended at the limit of 3 matches (--limit)"), "{text}");
    let limited = json_output(&run(&["find", ONE_WING, "--limit", "3", "--format", "json"]));
    assert_eq!(limited["result"]["not_searched"].as_array().map(Vec::len), Some(0));
    assert!(limited["result"]["cuts"].as_array().is_some_and(|cuts| cuts.len() > 5), "{limited}");
    let unlimited = json_output(&run(&["find", EASY, "--profile", "basic", "--format", "json"]));
    assert_eq!(unlimited["result"]["not_searched"].as_array().map(Vec::len), Some(0), "{unlimited}");
}
