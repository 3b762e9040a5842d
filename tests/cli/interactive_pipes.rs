//! Commands between two pipes: each puzzle is answered before the next one is written. A signal loses no answer and cuts no line, and
//! memory does not grow with the number of puzzles.

use super::{EASY, ONE_WING, exit_code, fresh_folder, piped, send_signal, transcript, write_file};
use crate::common::quick_or_full;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Time limit for an answer, far longer than any answer takes.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);

/// A running command that gets lines and returns lines. Its output is read by a thread.
struct PipedCommand {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl PipedCommand {
    fn start(args: &[&str]) -> PipedCommand {
        let mut child = piped(args);
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, answers) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let input = child.stdin.take();
        PipedCommand { child, input, answers }
    }

    fn write(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).expect("the command reads");
    }

    /// The next line of output. `None` at the end of the output, and if there is no line in time.
    fn answer(&self) -> Option<String> {
        self.answers.recv_timeout(ANSWER_TIMEOUT).ok()
    }

    /// Reads lines until one contains `text`; returns false if none does.
    fn has_answer(&self, text: &str) -> bool {
        std::iter::from_fn(|| self.answer()).any(|line| line.contains(text))
    }

    /// Closes the input and waits for the end of the command.
    fn end(mut self) {
        drop(self.input.take());
        self.child.wait().expect("the command ends");
    }
}

/// Every command that answers puzzle by puzzle, with a text that each answer contains.
const COMMANDS: [(&[&str], &str); 16] = [
    (&["solve", "-", "--format", "json"], "\"status\":\"solved\""),
    (&["solve", "-", "--format", "ron", "--summary"], "\"solved\""),
    (&["solve", "-", "--summary"], "Solved after"),
    (&["solve", "-", "--verify"], "Verified: "),
    (&["hint", "-", "--format", "json"], "\"status\":\"found\""),
    (&["hint", "-"], " => "),
    (&["find", "-", "--profile", "basic", "--format", "json"], "\"status\":\"found\""),
    (&["find", "-", "-t", "hidden_single"], " matches."),
    (&["rate", "-", "--profile", "basic"], "53..7"),
    (&["rate", "-", "--profile", "basic", "--format", "json"], "\"status\":\"solved\""),
    (&["rate", "-", "--profile", "basic", "--why"], "first"),
    (&["convert", "-", "--to", "81"], "53..7"),
    (&["convert", "-", "--to", "csv", "--after", "1", "--profile", "basic"], "53..7"),
    (&["convert", "-", "--to", "jsonl"], "\"53..7"),
    (&["why", "-", "-t", "hidden_single", "--format", "json"], "\"status\":\"found\""),
    (&["why-not", "-", "-t", "hidden_single", "--no-proof", "--format", "json"], "\"status\":"),
];

#[test]
fn every_puzzle_is_answered_before_the_next_is_written() {
    for (args, answer) in COMMANDS {
        let mut command = PipedCommand::start(args);
        for number in 1..=4 {
            command.write(&format!("{EASY}\n"));
            assert!(command.has_answer(answer), "{args:?}: no answer to puzzle {number}");
        }
        command.end();
    }
}

/// After `\r`, a command does not wait for `\n`. Half of the next line does not delay the answer.
#[test]
fn a_line_is_answered_at_any_line_end() {
    for (args, answer) in COMMANDS {
        for line_end in ["\r\n", "\r"] {
            let mut command = PipedCommand::start(args);
            for number in 1..=2 {
                command.write(&format!("{EASY}{line_end}"));
                assert!(command.has_answer(answer), "{args:?}, {line_end:?}: no answer to puzzle {number}");
            }
            command.write(&format!("{EASY}{line_end}{}", &EASY[..40]));
            assert!(command.has_answer(answer), "{args:?}, {line_end:?}: no answer, because half of a line follows");
            command.write(&format!("{}{line_end}", &EASY[40..]));
            assert!(
                command.has_answer(answer),
                "{args:?}, {line_end:?}: no answer to a line that was written in two halves"
            );
            command.end();
        }
    }
}

#[test]
fn an_unreadable_line_is_answered_at_once() {
    for name in ["solve", "hint", "find", "rate"] {
        let mut command = PipedCommand::start(&[name, "-", "--profile", "basic", "--format", "json"]);
        for (line, answer) in [
            (&EASY[1..], "unreadable"),
            (EASY, "\"53..7"),
            (EASY.replacen('.', "3", 1).as_str(), "\"line\":3"),
            (EASY, "\"line\":4"),
        ] {
            command.write(&format!("{line}\n"));
            assert!(command.has_answer(answer), "{name}: {line}");
        }
        command.end();
    }
}

#[test]
fn a_puzzle_on_one_line_is_answered_in_any_format() {
    let zeros = EASY.replace('.', "0");
    let spaced: String = zeros.chars().map(|c| format!("{c} ")).collect();
    let lines = [
        format!("{EASY} a note"),
        format!("1,{zeros},2"),
        format!("\"{EASY}\""),
        format!("{{\"puzzle\":\"{EASY}\"}}"),
        format!(":0000:x:{EASY}:::"),
        format!("https://www.sudokuwiki.org/sudoku.htm?bd={zeros}"),
        spaced.trim().to_owned(),
        spaced.trim().replace(' ', ","),
        spaced.trim().replace(' ', "\t"),
        EASY.replace('.', "*"),
    ];
    let mut command = PipedCommand::start(&["rate", "-", "--profile", "basic"]);
    for line in lines {
        command.write(&format!("{line}\n"));
        assert!(command.has_answer("53..7....6"), "{line}");
    }
    command.end();
    let mut small = PipedCommand::start(&["solve", "-", "--board", "4x4", "--format", "json"]);
    for _ in 0..2 {
        small.write("3.1......3.2....\n");
        assert!(small.has_answer("solved"), "no answer to a 4×4 puzzle");
    }
    small.end();
}

/// A line such as `12 13 14` could begin a grid. A command does not wait for more rows once a whole puzzle follows.
#[test]
fn other_text_before_a_puzzle_does_not_delay_the_answer() {
    let mut command = PipedCommand::start(&["rate", "-", "--profile", "basic", "--format", "json"]);
    for text in ["hello", "Puzzle 1", "my best one:", "12 13 14"] {
        command.write(&format!("{text}\n{EASY}\n"));
        assert!(command.has_answer("\"status\":\"solved\""), "{text}");
    }
    command.end();
}

#[test]
fn half_of_the_next_puzzle_does_not_delay_the_answer() {
    let mut command = PipedCommand::start(&["rate", "-", "--profile", "basic", "--format", "json"]);
    command.write(&format!("{EASY}\n{}", &ONE_WING[..40]));
    assert!(command.has_answer("solved"), "no answer to the first line");
    command.write(&format!("{}\n", &ONE_WING[40..]));
    assert!(command.has_answer("\"line\":2"));
    command.end();
}

#[cfg(unix)]
#[test]
fn a_signal_loses_no_answer() {
    for signal in ["-INT", "-TERM"] {
        let mut command = PipedCommand::start(&["rate", "-", "--profile", "basic", "--format", "json"]);
        command.write(&format!("{EASY}\n").repeat(3));
        for number in 1..=3 {
            assert!(command.has_answer(&format!("\"line\":{number},")), "{signal}: answer {number}");
        }
        send_signal(&command.child, signal);
        // The input stays open, so only the signal can end the command.
        let further_answers: Vec<String> = std::iter::from_fn(|| command.answer()).collect();
        assert!(further_answers.is_empty(), "{further_answers:?}");
        let mut message = String::new();
        command.child.stderr.take().expect("piped").read_to_string(&mut message).expect("text");
        assert_eq!(command.child.wait().expect("the command ends").code(), Some(130), "{message}");
        assert!(message.contains("interrupted"), "{message}");
    }
}

/// The answer is longer than a pipe holds, so the signal comes while the command writes a line.
#[cfg(unix)]
#[test]
fn a_signal_cuts_no_line() {
    let rule = write_file(&fresh_folder("half_a_line"), "pairs.pinion", PAIRS);
    let args = ["find", ONE_WING, "--rules", &rule, "-t", "every_pair", "--format", "json"];
    let mut child = piped(&args);
    let mut output = child.stdout.take().expect("piped");
    let mut text = vec![0; 1000];
    output.read_exact(&mut text).expect("the command begins to answer");
    send_signal(&child, "-INT");
    output.read_to_end(&mut text).expect("the command ends");
    assert_eq!(child.wait().expect("the command ends").code(), Some(130));
    assert_eq!(text.last(), Some(&b'\n'), "{}", String::from_utf8_lossy(&text[text.len() - 200..]));
    for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        assert!(serde_json::from_slice::<serde_json::Value>(line).is_ok(), "{}", String::from_utf8_lossy(line));
    }
}

/// A rule with very many matches: each pair of cells with a common candidate.
const PAIRS: &str = "technique every_pair \"Every Pair\" {\n  d: digit\n  a, b: cell has {d}\n  \
                     eliminate d from cells seeing a, b\n}\n";

/// Writes as many lines as `PINION_STREAM` says, or a few hundred. The last answer comes before the input is closed, and after the first
/// tenth of the lines memory hardly grows.
#[cfg(target_os = "linux")]
#[test]
fn a_long_stream_takes_no_more_memory_than_a_short_one() {
    let count =
        std::env::var("PINION_STREAM").ok().and_then(|text| text.parse().ok()).unwrap_or(quick_or_full(100, 500));
    let commands: [&[&str]; 8] = [
        &["solve", "-", "--profile", "basic", "--summary", "--format", "json"],
        &["hint", "-", "--profile", "basic", "--format", "json"],
        &["find", "-", "--profile", "basic", "-t", "full_house", "--format", "json"],
        &["rate", "-", "--profile", "basic", "--format", "json"],
        &["convert", "-", "--to", "81"],
        &["convert", "-", "--to", "jsonl", "--after", "1", "--profile", "basic"],
        &["why", "-", "--profile", "basic", "-t", "full_house", "--format", "json"],
        &["why-not", "-", "--profile", "basic", "-t", "full_house", "--no-proof", "--format", "json"],
    ];
    for args in commands {
        let mut command = PipedCommand::start(args);
        let start = std::time::Instant::now();
        command.write(&format!("{EASY}\n"));
        assert!(command.answer().is_some(), "{args:?}: no first answer");
        let first_answer_time = start.elapsed();
        let mut early_memory = 0;
        let mut input = command.input.take().expect("piped");
        let (all_written, is_written) = channel();
        let writer = thread::spawn(move || {
            for _ in 1..count {
                writeln!(input, "{EASY}").expect("the command reads");
            }
            all_written.send(()).expect("the test waits for it");
            // The test closes the input after the last answer.
            input
        });
        for number in 1..count {
            assert!(command.answer().is_some(), "{args:?}: no answer {number}");
            if number == count / 10 {
                early_memory = peak_memory(command.child.id());
            }
        }
        is_written.recv().expect("the writer sends it");
        let late_memory = peak_memory(command.child.id());
        println!(
            "{args:?}: {count} lines, first answer {first_answer_time:?}, all {:?}, {early_memory} kB then {late_memory} kB",
            start.elapsed()
        );
        drop(writer.join().expect("the writer ends"));
        assert!(
            late_memory < early_memory + early_memory / 4 + 8 * 1024,
            "{args:?}: {early_memory} kB after a tenth, {late_memory} kB at the end"
        );
        command.end();
    }
}

/// The highest memory use of a process so far, in kilobytes.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> usize {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process runs");
    let line = text.lines().find(|line| line.starts_with("VmHWM")).expect("a line");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn a_command_ends_without_error_if_nobody_reads_its_output() {
    let mut child = piped(&["rate", "-", "--profile", "basic"]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("piped");
    let _ = writeln!(input, "{EASY}");
    // The input stays open, and nothing more is written to it.
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
}
