//! `pinion convert`: round trips, states of a path, reports of lost information, and long files.

use super::{
    EASY, ONE_WING, assert_output, exit_code, fresh_folder, json_output, piped, run, run_with, transcript, write_file,
};
use std::io::{BufRead, BufReader};

fn output_text(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn links_are_read_back() {
    for name in ["s9b", "sudokuwiki-url", "sudokuexchange-url", "sudokupad", "f-puzzles", "sudokucoach", "iss", "jsonl"]
    {
        let text = output_text(&["convert", EASY, "--to", name]);
        assert_eq!(output_text(&["convert", text.trim(), "--to", "81"]).trim(), EASY, "{text}");
    }
}

#[test]
fn a_position_after_some_steps_is_written() {
    let state = output_text(&["convert", ONE_WING, "--to", "susser", "--after", "12"]);
    assert_eq!(state.matches('+').count(), 12, "{state}");
    assert_eq!(
        output_text(&["convert", ONE_WING, "--to", "sdm", "--after", "0"]),
        output_text(&["convert", ONE_WING, "--to", "sdm"])
    );
    // The next step from the written position is step 13 of the path.
    let grid = output_text(&["convert", ONE_WING, "--to", "jsonl", "--after", "12"]);
    let hint = output_text(&["hint", grid.trim()]);
    let path = output_text(&["solve", ONE_WING]);
    let step = path.lines().find_map(|line| line.strip_prefix("13. ")).expect("a step");
    assert_eq!(hint.lines().next(), Some(step));
    let after_the_end = run(&["convert", ONE_WING, "--to", "sdm", "--after", "500"]);
    assert_output(&after_the_end, 0, "note: line 1: the path has");
    let ambiguous = run(&["convert", &EASY.replace("53", ".."), "--to", "sdm", "--after", "3"]);
    assert_eq!(exit_code(&ambiguous), 4, "{}", transcript(&ambiguous));
}

#[test]
fn losses_of_a_format_are_reported() {
    let folder = fresh_folder("convert");
    let jigsaw = format!("{EASY} jigsaw={}", "111222333".repeat(3) + &"444555666".repeat(3) + &"778889997".repeat(3));
    let list =
        format!("{EASY}:142 253\n{EASY}\n{}\n{EASY}:142 253\nnothing\n{jigsaw}\n", EASY.replacen("..", ".+4", 1));
    let path = write_file(&folder, "list.txt", list);
    for name in ["81", "opensudoku", "csv"] {
        insta::assert_snapshot!(
            format!("convert_{name}"),
            transcript(&run(&["convert", &path, "--to", name])).replace(&path, "list.txt")
        );
    }
    let one_clue = format!("5{}", ".".repeat(80));
    let refused = run(&["convert", &one_clue, "--board", "disjoint groups", "--to", "s9b"]);
    assert_output(&refused, 1, "[P16]");
    let unknown = run(&["convert", EASY, "--to", "xlsx"]);
    assert_eq!(exit_code(&unknown), 2);
}

#[test]
fn a_reader_that_closes_the_pipe_is_no_failure() {
    let folder = fresh_folder("convert_pipe");
    let path = write_file(&folder, "many.txt", format!("{EASY}\n").repeat(5000));
    let mut child = piped(&["convert", &path, "--to", "opensudoku"]);
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    output.read_line(&mut line).expect("the command writes");
    drop(output);
    let ended = child.wait_with_output().expect("the command ends");
    assert!(ended.status.success() && ended.stderr.is_empty(), "{}", transcript(&ended));
}

#[test]
fn files_with_many_puzzles_in_several_layouts_are_read() {
    let rows: String =
        EASY.as_bytes().chunks(9).map(|row| format!("{}\n", std::str::from_utf8(row).expect("text"))).collect();
    for (text, count) in [
        (format!("{rows}\n").repeat(40), 40),
        (rows.repeat(25), 25),
        (
            format!(
                "<opensudoku>\n{}</opensudoku>\n",
                format!("<game\n data=\"{}\"\n/>\n", EASY.replace('.', "0")).repeat(70)
            ),
            70,
        ),
        (format!("{{\n\"puzzle\":\n\"{EASY}\"\n}}\n").repeat(33), 33),
    ] {
        let output = run_with(&["convert", "-", "--to", "81"], text.as_bytes());
        let lines = String::from_utf8(output.stdout.clone()).expect("text");
        assert!(lines.lines().all(|line| line == EASY) && lines.lines().count() == count, "{}", transcript(&output));
    }
    let broken = run_with(&["convert", "-", "--to", "81"], format!("{EASY}\n\0x\n").as_bytes());
    assert_output(&broken, 3, "standard input:2:1");
    assert_eq!(exit_code(&run_with(&["convert", "-", "--to", "81"], b"")), 3);
}

#[test]
fn a_puzzle_without_a_digit_is_refused_without_naming_another_format() {
    let empty = "1234 1234 1234 1234\n".repeat(4);
    for format in ["jsonl", "81", "pm"] {
        let output = run(&["convert", &empty, "--to", format]);
        assert_output(&output, 1, "a puzzle without a digit cannot be written [P16]");
        let text = transcript(&output);
        assert!(!text.contains("jsonl holds every puzzle"), "{text}");
    }
}

#[test]
fn the_canonical_form_can_be_written_as_json() {
    let record = json_output(&run(&["convert", EASY, "--canonical", "--format", "json"]));
    let text = output_text(&["convert", EASY, "--canonical"]);
    assert_eq!(record["result"]["canonical"].as_str(), Some(text.trim()), "{record}");
}

#[test]
fn the_canonical_form_of_a_later_position_is_refused() {
    let output = run(&["convert", EASY, "--canonical", "--after", "3"]);
    assert_output(&output, 2, "leave out --after");
}

#[test]
fn a_format_of_records_is_refused_where_there_are_none() {
    for command in [&["convert", EASY, "--to", "jsonl"][..], &["man"], &["completions", "bash"]] {
        for format in ["json", "ron"] {
            assert_output(&run(&[command, &["--format", format]].concat()), 2, "leave out `--format`");
        }
    }
}
