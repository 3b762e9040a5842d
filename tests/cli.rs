//! Runs the binary as users do, and checks both output streams and the exit code.

#[path = "cli/annotations.rs"]
mod annotations;
#[path = "cli/answers.rs"]
mod answers;
#[path = "cli/audit.rs"]
mod audit;
#[path = "cli/bench.rs"]
mod bench;
#[path = "cli/boards.rs"]
mod boards;
#[path = "cli/commands.rs"]
mod commands;
#[path = "cli/convert.rs"]
mod convert;
#[path = "cli/examples.rs"]
mod examples;
#[path = "cli/exhausted_resources.rs"]
mod exhausted_resources;
#[path = "cli/experiments.rs"]
mod experiments;
#[path = "cli/fmt.rs"]
mod fmt;
#[path = "cli/foreign_folders.rs"]
mod foreign_folders;
#[path = "cli/foreign_text.rs"]
mod foreign_text;
#[path = "cli/graphs.rs"]
mod graphs;
#[path = "cli/guess.rs"]
mod guess;
#[path = "cli/interactive_pipes.rs"]
mod interactive_pipes;
#[path = "cli/line_ends.rs"]
mod line_ends;
#[path = "cli/lint.rs"]
mod lint;
#[path = "cli/lsp.rs"]
mod lsp;
#[path = "cli/lsp_server.rs"]
mod lsp_server;
#[path = "cli/named_files.rs"]
mod named_files;
#[path = "cli/new.rs"]
mod new;
#[path = "cli/pictures.rs"]
mod pictures;
#[path = "cli/play.rs"]
mod play;
#[path = "cli/positions.rs"]
mod positions;
#[path = "cli/prove.rs"]
mod prove;
#[path = "cli/rate.rs"]
mod rate;
#[path = "cli/safe_writes_and_limits.rs"]
mod safe_writes_and_limits;
#[path = "cli/streams.rs"]
mod streams;
#[path = "cli/trust.rs"]
mod trust;
#[path = "cli/watch.rs"]
mod watch;
#[path = "cli/why.rs"]
mod why;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// Singles alone solve this puzzle.
const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// Singles and one XY-Wing solve this puzzle.
const ONE_WING: &str = "6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4";

/// Several wings match after the singles of this puzzle.
const MANY_WINGS: &str = "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5";

/// A position without an XYZ-Wing, because the pivot r2c4 has a fourth candidate. See [`wing_position`].
pub const NEAR_WING: &str = "\
58 59 3  7    69 68 4 2 1
12 7  89 2348 14 23 5 6 89
12 4  6  28   19 5  3 7 89
4  6  1  38   7  38 9 5 2
58 59 89 6    2  4  7 1 3
3  2  7  9    5  1  6 8 4
6  3  4  1    8  7  2 9 5
9  1  5  24   46 26 8 3 7
7  8  2  5    3  9  1 4 6
";

/// Returns [`NEAR_WING`] with only 2, 3 and 4 in the pivot r2c4.
fn wing_position() -> String {
    NEAR_WING.replace("2348", "234 ")
}

fn pinion(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pinion"));
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
    command
}

fn run(args: &[&str]) -> Output {
    pinion(args).stdin(Stdio::null()).output().expect("the binary starts")
}

/// Starts the binary with pipes for its input and its two outputs.
fn piped(args: &[&str]) -> Child {
    let mut command = pinion(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary starts")
}

fn run_with(args: &[&str], input: &[u8]) -> Output {
    let mut child = piped(args);
    child.stdin.take().expect("piped").write_all(input).expect("it reads its input");
    child.wait_with_output().expect("it ends")
}

/// Runs a command whose standard input is an empty pipe that stays open.
fn run_with_open_pipe(args: &[&str]) -> Output {
    let mut child = piped(args);
    let input = child.stdin.take().expect("piped");
    let output = child.wait_with_output().expect("it ends");
    drop(input);
    output
}

/// Returns the JSON value on the standard output.
fn json_output(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", transcript(output)))
}

/// Returns the JSON values on the standard output, one for each line.
fn json_lines(output: &Output) -> Vec<serde_json::Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("one value for each line")).collect()
}

/// Returns the exit code, the standard output and the error stream as one text.
fn transcript(output: &Output) -> String {
    let mut transcript = format!("exit {}\n", exit_code(output));
    for (name, bytes) in [("standard output", &output.stdout), ("error stream", &output.stderr)] {
        let text = str::from_utf8(bytes).expect("the output is text");
        if !text.is_empty() {
            transcript.push_str(&format!("--- {name}\n{text}"));
        }
    }
    transcript
}

/// Checks the exit code, and that the [`transcript`] contains `part`.
#[track_caller]
fn assert_output(output: &Output, expected_exit_code: i32, part: &str) {
    assert_eq!(exit_code(output), expected_exit_code, "{}", transcript(output));
    assert_prints(output, part);
}

/// Checks that the [`transcript`] contains `part`.
#[track_caller]
fn assert_prints(output: &Output, part: &str) {
    assert!(transcript(output).contains(part), "{}", transcript(output));
}

fn exit_code(output: &Output) -> i32 {
    output.status.code().expect("it was not killed")
}

/// Creates an empty folder for one test. Deletes what an earlier run left there.
fn fresh_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// Writes a file and returns its path.
fn write_file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("a file can be written");
    path.to_str().expect("a path in UTF-8").to_string()
}

/// Returns the names of the entries of a folder, sorted.
fn file_names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the path exists").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Sends a signal, such as `-INT`, to a command.
fn send_signal(child: &Child, name: &str) {
    let killed = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(killed.expect("kill starts").success());
}

#[test]
fn a_puzzle_is_solved_with_reasons() {
    let output = run(&["solve", ONE_WING]);
    assert_eq!(exit_code(&output), 0);
    insta::assert_snapshot!("solve", transcript(&output));
}

#[test]
fn a_profile_prices_the_path() {
    insta::assert_snapshot!(
        "solve_profile",
        transcript(&run(&["solve", ONE_WING, "--summary", "--profile", "classic"]))
    );
}

#[test]
fn hint_prints_the_next_step() {
    insta::assert_snapshot!("hint", transcript(&run(&["hint", EASY])));
}

#[test]
fn find_prints_every_match_of_a_technique() {
    insta::assert_snapshot!("find", transcript(&run(&["find", ONE_WING, "--technique", "hidden_SINGLE"])));
}

#[test]
fn similar_names_are_suggested_for_an_unknown_technique() {
    insta::assert_snapshot!("find_unknown", transcript(&run(&["find", EASY, "--technique", "hiden single"])));
}

#[test]
fn list_prints_a_table_of_the_rulebook() {
    insta::assert_snapshot!("list", transcript(&run(&["list", "--profile", "classic"])));
}

#[test]
fn results_are_printed_as_json_and_ron() {
    let hint = json_output(&run(&["hint", EASY, "--format", "json"]));
    insta::assert_snapshot!("hint_json", serde_json::to_string_pretty(&hint).expect("JSON"));
    let output = run(&["hint", EASY, "--format", "ron"]);
    let text = String::from_utf8(output.stdout).expect("text");
    ron::from_str::<ron::Value>(&text).expect("RON");
    let solved = json_output(&run(&["solve", ONE_WING, "--format", "json"]));
    assert_eq!(solved["status"], "solved");
    let path: pinion::render::PathRecord = serde_json::from_value(solved["result"].clone()).expect("a path");
    assert_eq!(path.outcome, "solved");
}

#[test]
fn puzzles_after_an_unreadable_line_are_solved() {
    let text = format!("# two puzzles and a mistake\n{EASY} easy\n{}\n{EASY}\n", &EASY[..80]);
    let file = write_file(&fresh_folder("many"), "puzzles.txt", &text);
    let text_output = run(&["solve", "--summary", &file]);
    insta::assert_snapshot!("many", transcript(&text_output).replace(&file, "puzzles.txt"));
    let json = run(&["solve", "--summary", "--format", "json", &file]);
    assert_eq!(exit_code(&json), 3);
    let lines = json_lines(&json);
    let statuses: Vec<&str> = lines.iter().map(|line| line["status"].as_str().expect("a word")).collect();
    assert_eq!(statuses, ["solved", "unreadable", "solved"]);
    assert_eq!(lines[1]["line"], 3);
    assert!(lines[1]["code"].as_str().is_some_and(|code| code.starts_with('P')), "{}", lines[1]);
}

#[test]
fn standard_input_with_byte_order_mark_and_crlf_is_read() {
    let text = format!("\u{feff}{EASY}\r\n{ONE_WING}\r\n");
    assert_eq!(exit_code(&run_with(&["solve", "-", "--summary"], text.as_bytes())), 0);
}

#[test]
fn thousands_of_errors_are_reported_within_30_seconds() {
    let folder = fresh_folder("mistakes");
    for (name, text) in [("many", "technique x \"x\" {\n".repeat(5_000)), ("long", "(".repeat(200_000))] {
        let started = std::time::Instant::now();
        let output = run(&["check", &write_file(&folder, &format!("{name}.pinion"), text)]);
        assert_eq!(exit_code(&output), 1, "{name}");
        assert!(started.elapsed().as_secs() < 30, "{name}: {:?}", started.elapsed());
    }
}

#[test]
fn a_rule_that_cannot_be_compiled_is_reported_in_json() {
    // More names than a program can hold.
    let names: String = (0..61).map(|number| format!("  c{number}: cell\n")).collect();
    let rule = format!("technique c \"C\" {{\n{names}  d: digit\n  eliminate d from c0\n}}\n");
    let output = run(&["check", "--format", "json", &write_file(&fresh_folder("refused"), "c.pinion", rule)]);
    assert_eq!(exit_code(&output), 1);
    let record = json_output(&output);
    let has_reports = |list: &str| record[list].as_array().is_some_and(|reports| !reports.is_empty());
    assert!(has_reports("findings") || has_reports("refused"), "{record}");
}

#[test]
fn unusable_input_is_refused() {
    let folder = fresh_folder("bad");
    let empty = write_file(&folder, "empty.txt", "");
    let binary = write_file(&folder, "binary.txt", [0x7f, b'E', b'L', b'F', 0, 1, 2, 255]);
    let comment = write_file(&folder, "words.txt", "# only a comment\n");
    let missing = folder.join("none.txt").to_str().expect("a path in UTF-8").to_string();
    let dir = folder.to_str().expect("a path in UTF-8").to_string();
    let short = &EASY[..80];
    let repeated_digit = format!("55{}", &EASY[2..]);
    let unknown_character = EASY.replacen('.', "%", 1);
    let inputs: [(&str, &str); 9] = [
        ("wrong length", short),
        ("equal digits in a row", &repeated_digit),
        ("unknown character", &unknown_character),
        ("nothing", ""),
        ("empty file", &empty),
        ("binary file", &binary),
        ("file without puzzles", &comment),
        ("missing file", &missing),
        ("folder", &dir),
    ];
    let mut all = String::new();
    for (name, argument) in inputs {
        let output = run(&["solve", argument]);
        assert_eq!(exit_code(&output), 3, "{name}: {}", transcript(&output));
        assert!(output.stdout.is_empty(), "{name}: {}", transcript(&output));
        all.push_str(&format!("=== {name}\n{}", transcript(&output)));
    }
    insta::assert_snapshot!("bad_input", all.replace(&format!("{dir}/"), "").replace(&dir, "FOLDER"));
}

#[test]
fn puzzles_without_a_unique_solution_are_refused() {
    let without_solution = "..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..";
    let many_solutions = "........................................1........................................";
    let mut all = String::new();
    for puzzle in [without_solution, many_solutions] {
        let output = run(&["solve", puzzle]);
        assert_eq!(exit_code(&output), 4);
        all.push_str(&transcript(&output));
    }
    insta::assert_snapshot!("no_one_solution", all);
    let unchecked = run(&["solve", many_solutions, "--unchecked"]);
    assert_eq!(exit_code(&unchecked), 1, "{}", transcript(&unchecked));
}

#[test]
fn added_rules_are_searched_and_listed() {
    let folder = fresh_folder("rules");
    let rule = "technique my_rule \"My Rule\" {\n  c: cell = {d}\n  place d in c\n}\n";
    let path = write_file(&folder, "mine.pinion", rule);
    let output = run(&["find", ONE_WING, "--technique", "my rule", "--rules", &path]);
    assert!(matches!(exit_code(&output), 0 | 1), "{}", transcript(&output));
    let list = run(&["list", "--rules", folder.to_str().expect("a path in UTF-8")]);
    assert_prints(&list, "my_rule");
}

#[test]
fn broken_rules_are_reported_and_nothing_is_solved() {
    let path = write_file(
        &fresh_folder("broken"),
        "broken.pinion",
        "technique t \"T\" {\n  c: cel = {d}\n  place d in c\n}\n",
    );
    let output = run(&["solve", EASY, "--rules", &path]);
    assert_eq!(exit_code(&output), 3);
    assert!(output.stdout.is_empty());
    insta::assert_snapshot!("broken_rules", transcript(&output).replace(&path, "broken.pinion"));
    let output = run(&["check", &path]);
    assert_eq!(exit_code(&output), 1);
    insta::assert_snapshot!("check", transcript(&output).replace(&path, "broken.pinion"));
    let output = run(&["check", concat!(env!("CARGO_MANIFEST_DIR"), "/rules")]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
}

#[test]
fn a_profile_can_be_a_file() {
    let folder = fresh_folder("profiles");
    let good =
        write_file(&folder, "good.ron", "(name: \"good\", rows: [(technique: \"hidden_single\", first: 7, again: 1)])");
    let output = run(&["solve", EASY, "--summary", "--profile", &good]);
    assert_prints(&output, "(profile good)");
    let bad = write_file(&folder, "bad.ron", "(name: \"bad\",\n rows: [(tecnique: \"hidden_single\")])");
    let output = run(&["solve", EASY, "--profile", &bad]);
    assert_eq!(exit_code(&output), 3);
    insta::assert_snapshot!("bad_profile", transcript(&output).replace(&bad, "bad.ron"));
    let output = run(&["solve", EASY, "--profile", "nonsense"]);
    assert_eq!(exit_code(&output), 2);
}

#[test]
fn usage_errors_have_exit_code_2() {
    assert_eq!(exit_code(&run(&[])), 2);
    assert_eq!(exit_code(&run(&["--help"])), 0);
    assert_eq!(exit_code(&run(&["solve", EASY, "--nonsense"])), 2);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = pinion(&["graph", ONE_WING]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(transcript(&output), "exit 0\n");
}

#[test]
fn no_colour_in_a_pipe_and_colour_on_demand() {
    const ESCAPE: u8 = 0x1b;
    assert!(!run(&["hint", EASY]).stdout.contains(&ESCAPE));
    assert!(run(&["hint", EASY, "--color", "always"]).stdout.contains(&ESCAPE));
}

#[test]
fn the_graph_is_dot() {
    let output = transcript(&run(&["graph", "...14.3..4..1...", "--board", "4x4"]));
    insta::assert_snapshot!("graph", output);
}

#[test]
fn emit_prints_each_stage() {
    let rule = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/singles/hidden_single.pinion");
    for (stage, word) in [("ast", "items"), ("ir", "techniques"), ("plan", "hidden_single")] {
        let output = run(&["emit", stage, rule]);
        assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
        assert_prints(&output, word);
    }
}

#[test]
fn emit_plan_prints_link_sources() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/prelude.pinion");
    let output = run(&["emit", "plan", file]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    let plans = transcript(&output);
    let links: Vec<&str> = plans.lines().filter(|line| line.starts_with("// strong link ")).collect();
    assert!(links.contains(&"// strong link als") && links.contains(&"// strong link house"), "{links:?}");
    assert!(plans.contains("; S: a set with 1 more digits than cells"), "{plans}");
    let json = transcript(&run(&["emit", "plan", file, "--format", "json"]));
    let sources = json.lines().filter(|line| line.contains("\"source\"")).count();
    assert_eq!(sources, links.len());
}
