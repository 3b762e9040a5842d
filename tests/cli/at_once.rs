//! A talk over pipes: each puzzle is answered before the next one is written, by every command that answers puzzle by puzzle. A
//! signal loses no answer and leaves no part of a line.

use super::{EASY, ONE_WING, exit_code, piped, transcript};
use crate::common::share;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Far longer than an answer takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// A command that is asked line by line.
pub struct Talk {
    pub child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Talk {
    pub fn new(args: &[&str]) -> Talk {
        let mut child = piped(args);
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (tell, answers) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        let input = child.stdin.take();
        Talk { child, input, answers }
    }

    pub fn write(&mut self, text: &str) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).expect("it reads");
    }

    pub fn answer(&self) -> Option<String> {
        self.answers.recv_timeout(PATIENCE).ok()
    }

    /// The next line with a text in it.
    fn answer_with(&self, text: &str) -> bool {
        std::iter::from_fn(|| self.answer()).any(|line| line.contains(text))
    }

    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let killed = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(killed.expect("there is a kill").success());
    }

    /// Closes the input; what is left of the answers, and the exit code.
    pub fn end(mut self) -> (Vec<String>, Option<i32>) {
        drop(self.input.take());
        let rest = std::iter::from_fn(|| self.answer()).collect();
        (rest, self.child.wait().expect("it ends").code())
    }
}

/// Every command that answers puzzle by puzzle, with a text that each of its answers has.
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
        let mut talk = Talk::new(args);
        for number in 1..=4 {
            talk.write(&format!("{EASY}\n"));
            assert!(talk.answer_with(answer), "{args:?}: no answer to puzzle {number}");
        }
        talk.end();
    }
}

/// Half of the next line, received together with a whole one, holds up no answer either.
#[test]
fn every_line_end_is_the_end_of_a_line() {
    for (args, answer) in COMMANDS {
        for end in ["\r\n", "\r"] {
            let mut talk = Talk::new(args);
            for number in 1..=2 {
                talk.write(&format!("{EASY}{end}"));
                assert!(talk.answer_with(answer), "{args:?}, {end:?}: no answer to puzzle {number}");
            }
            talk.write(&format!("{EASY}{end}{}", &EASY[..40]));
            assert!(talk.answer_with(answer), "{args:?}, {end:?}: held up by half of a line");
            talk.write(&format!("{}{end}", &EASY[40..]));
            assert!(talk.answer_with(answer), "{args:?}, {end:?}: two halves of a line");
            talk.end();
        }
    }
}

#[test]
fn what_cannot_be_read_is_answered_as_well() {
    for command in ["solve", "hint", "find", "rate"] {
        let mut talk = Talk::new(&[command, "-", "--profile", "basic", "--format", "json"]);
        for (line, answer) in [
            (&EASY[1..], "unreadable"),
            (EASY, "\"53..7"),
            (EASY.replacen('.', "3", 1).as_str(), "\"line\":3"),
            (EASY, "\"line\":4"),
        ] {
            talk.write(&format!("{line}\n"));
            assert!(talk.answer_with(answer), "{command}: {line}");
        }
        talk.end();
    }
}

/// Puzzles on one line that can't be part of a grid.
#[test]
fn a_puzzle_on_one_line_is_answered_in_any_format() {
    let zeros = EASY.replace('.', "0");
    let apart: String = zeros.chars().map(|c| format!("{c} ")).collect();
    let lines = [
        format!("{EASY} a note"),
        format!("1,{zeros},2"),
        format!("\"{EASY}\""),
        format!("{{\"puzzle\":\"{EASY}\"}}"),
        format!(":0000:x:{EASY}:::"),
        format!("https://www.sudokuwiki.org/sudoku.htm?bd={zeros}"),
        apart.trim().to_owned(),
        apart.trim().replace(' ', ","),
        apart.trim().replace(' ', "\t"),
        EASY.replace('.', "*"),
    ];
    let mut talk = Talk::new(&["rate", "-", "--profile", "basic"]);
    for line in lines {
        talk.write(&format!("{line}\n"));
        assert!(talk.answer_with("53..7....6"), "{line}");
    }
    talk.end();
    let mut small = Talk::new(&["solve", "-", "--board", "4x4", "--format", "json"]);
    for _ in 0..2 {
        small.write("3.1......3.2....\n");
        assert!(small.answer_with("solved"), "a small board that was asked for");
    }
    small.end();
}

/// Words that might be the beginning of a grid are none once a whole puzzle follows.
#[test]
fn words_before_a_puzzle_do_not_hold_it_up() {
    let mut talk = Talk::new(&["rate", "-", "--profile", "basic", "--format", "json"]);
    for words in ["hello", "Puzzle 1", "my best one:", "12 13 14"] {
        talk.write(&format!("{words}\n{EASY}\n"));
        assert!(talk.answer_with("\"status\":\"solved\""), "{words}");
    }
    talk.end();
}

/// The line after it may be long in coming, too.
#[test]
fn the_end_of_a_line_is_all_that_is_waited_for() {
    let mut talk = Talk::new(&["rate", "-", "--profile", "basic", "--format", "json"]);
    talk.write(&format!("{EASY}\n{}", &ONE_WING[..40]));
    assert!(talk.answer_with("solved"), "the rest of the second line is not there yet");
    talk.write(&format!("{}\n", &ONE_WING[40..]));
    assert!(talk.answer_with("\"line\":2"));
    talk.end();
}

#[cfg(unix)]
#[test]
fn a_signal_loses_no_answer() {
    for signal in ["-INT", "-TERM"] {
        let mut talk = Talk::new(&["rate", "-", "--profile", "basic", "--format", "json"]);
        talk.write(&format!("{EASY}\n").repeat(3));
        for number in 1..=3 {
            assert!(talk.answer_with(&format!("\"line\":{number},")), "{signal}: answer {number}");
        }
        talk.signal(signal);
        // The input stays open: the signal alone ends it.
        let rest: Vec<String> = std::iter::from_fn(|| talk.answer()).collect();
        assert!(rest.is_empty(), "{rest:?}");
        let mut words = String::new();
        talk.child.stderr.take().expect("piped").read_to_string(&mut words).expect("text");
        assert_eq!(talk.child.wait().expect("it ends").code(), Some(130), "{words}");
        assert!(words.contains("interrupted"), "{words}");
    }
}

/// More is found than a pipe holds, so the signal comes while the line is written.
#[cfg(unix)]
#[test]
fn a_signal_leaves_no_part_of_a_line() {
    let rule = super::write_file(&super::fresh_folder("half_a_line"), "pairs.pinion", PAIRS);
    let args = ["find", ONE_WING, "--rules", &rule, "-t", "every_pair", "--format", "json"];
    let mut child = piped(&args);
    let mut output = child.stdout.take().expect("piped");
    let mut text = vec![0; 1000];
    output.read_exact(&mut text).expect("it begins to answer");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("there is a kill").success());
    output.read_to_end(&mut text).expect("it ends");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(text.last(), Some(&b'\n'), "{}", String::from_utf8_lossy(&text[text.len() - 200..]));
    for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        assert!(serde_json::from_slice::<serde_json::Value>(line).is_ok(), "{}", String::from_utf8_lossy(line));
    }
}

/// Says nothing, of each two cells.
const PAIRS: &str = "technique every_pair \"Every Pair\" {\n  d: digit\n  a, b: cell has {d}\n  \
                     eliminate d from cells seeing a, b\n}\n";

/// A stream of `PINION_STREAM` lines (500): the first answer comes at once, the last one before the input is closed, and memory
/// does not grow with the lines.
#[cfg(target_os = "linux")]
#[test]
fn a_long_stream_takes_no_more_memory_than_a_short_one() {
    let count = std::env::var("PINION_STREAM").ok().and_then(|text| text.parse().ok()).unwrap_or(share(100, 500));
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
        let mut talk = Talk::new(args);
        let clock = std::time::Instant::now();
        talk.write(&format!("{EASY}\n"));
        assert!(talk.answer().is_some(), "{args:?}: no first answer");
        let first = clock.elapsed();
        let mut before = 0;
        let mut input = talk.input.take().expect("piped");
        let (some, written) = channel();
        let writer = thread::spawn(move || {
            for _ in 1..count {
                writeln!(input, "{EASY}").expect("it reads");
            }
            some.send(()).expect("somebody hears");
            // Closed once the last answer was read.
            input
        });
        for number in 1..count {
            assert!(talk.answer().is_some(), "{args:?}: no answer {number}");
            if number == count / 10 {
                before = resident(talk.child.id());
            }
        }
        written.recv().expect("all is written");
        let after = resident(talk.child.id());
        println!(
            "{args:?}: {count} lines, first answer {first:?}, all {:?}, {before} kB then {after} kB",
            clock.elapsed()
        );
        drop(writer.join().expect("it writes"));
        assert!(after < before + before / 4 + 8 * 1024, "{args:?}: {before} kB after a tenth, {after} kB at the end");
        talk.end();
    }
}

/// Kilobytes of memory that a process ever held.
#[cfg(target_os = "linux")]
fn resident(process: u32) -> usize {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = text.lines().find(|line| line.starts_with("VmHWM")).expect("a line");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn an_answer_that_nobody_reads_ends_it() {
    let mut child = piped(&["rate", "-", "--profile", "basic"]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("piped");
    let _ = writeln!(input, "{EASY}");
    // The input stays open, and nothing more is written to it.
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
}
