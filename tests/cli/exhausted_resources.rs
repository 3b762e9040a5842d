//! Too few threads, file descriptors, addresses or seconds: commands do less at a time or end with a message, and never abort.

use super::lsp::Editor;
use super::{
    EASY, ONE_WING, assert_prints, exit_code, fresh_folder, json_output, pinion, piped, run, send_signal, transcript,
    write_file,
};
use serde_json::json;
use std::io::{Read, Write};
use std::process::{Output, Stdio};

/// Runs a command with a stack size larger than any memory, so that the system refuses each new thread.
fn run_without_threads(args: &[&str], input: &str) -> Output {
    let mut command = pinion(args);
    command.env("RUST_MIN_STACK", (1_u64 << 60).to_string());
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("the binary starts");
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the command ends")
}

#[test]
fn commands_work_without_additional_threads() {
    let folder = fresh_folder("no_threads");
    let page = folder.join("page.html").to_str().expect("a path in UTF-8").to_owned();
    let text = format!("{EASY}\n{EASY}\n");
    let commands: [(&[&str], &str); 10] = [
        (&["solve", "-", "--summary"], "2 puzzles: 2 solved"),
        (&["convert", "-", "--to", "81"], "53..7"),
        (&["rate", "-", "--profile", "basic"], "53..7"),
        (&["stats", "-", "--profile", "basic", "--no-leave-out", "--threads", "4"], "2 puzzles, 2 solved"),
        (&["audit", "-", "-t", "naked_single", "--threads", "4"], "2 puzzles"),
        (&["bench", "-", "--profile", "basic", "--threads", "4"], "2 puzzles in"),
        (&["report", "-", "--profile", "basic", "-o", &page, "--threads", "4"], "2 puzzles"),
        (&["compare", "naked_single", "hidden_single", "--on", "-", "--no-proof", "--threads", "4"], "2 puzzles"),
        (&["solve", "3.1......3.2....", "--summary"], "Solved after"),
        (&["hunt", "-t", "naked_single", "--seconds", "60"], "example naked_single"),
    ];
    for (args, part) in commands {
        let output = run_without_threads(args, &text);
        assert!(exit_code(&output) == 0 && transcript(&output).contains(part), "{args:?}: {}", transcript(&output));
    }
}

#[test]
fn commands_that_need_threads_report_that_there_are_none() {
    let rule = write_file(
        &fresh_folder("no_watcher"),
        "a.pinion",
        "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n",
    );
    for args in [&["lsp"][..], &["watch", &rule]] {
        let output = run_without_threads(args, "");
        assert!(
            exit_code(&output) == 3 && transcript(&output).contains("error: "),
            "{args:?}: {}",
            transcript(&output)
        );
    }
}

/// The limit on descriptors leaves room for the standard streams and one file.
#[cfg(unix)]
#[test]
fn a_few_file_descriptors_are_enough() {
    let folder = fresh_folder("few_descriptors");
    let puzzles = write_file(&folder, "two.txt", format!("{EASY}\n{EASY}\n"));
    let page = folder.join("page.html").to_str().expect("a path in UTF-8").to_owned();
    for args in [
        &["stats", &puzzles, "--profile", "basic", "--no-leave-out"][..],
        &["bench", &puzzles, "--profile", "basic", "--threads", "4"],
        &["audit", &puzzles, "-t", "naked_single"],
        &["report", &puzzles, "--profile", "basic", "-o", &page],
    ] {
        let script = "ulimit -n 8; exec \"$0\" \"$@\"";
        let program = env!("CARGO_BIN_EXE_pinion");
        let output = std::process::Command::new("sh").args(["-c", script, program]).args(args).output();
        let output = output.expect("sh starts");
        assert_eq!(exit_code(&output), 0, "{args:?}: {}", transcript(&output));
    }
}

/// Checks that a report is a whole page and returns the number of its puzzles.
fn check_page(page: &str) -> usize {
    let text = std::fs::read_to_string(page).expect("a page");
    assert!(text.ends_with("</html>\n"), "the page is cut");
    let data = text.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("the data");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    data["puzzles"].as_array().expect("a list").len()
}

#[cfg(unix)]
#[test]
fn an_interrupted_report_is_a_whole_page() {
    let page = fresh_folder("report_interrupted").join("page.html").to_str().expect("a path in UTF-8").to_owned();
    for (time_limit, expected_exit_code) in [(&[][..], 130), (&["--seconds", "2"], 1)] {
        let args = ["report", "-", "-o", &page, "--profile", "basic", "--board", "4x4"];
        let mut child = piped(&[&args, time_limit].concat());
        let mut input = child.stdin.take().expect("piped");
        // The text is more than a pipe holds, so the command has read some puzzles once all is written.
        for _ in 0..640 {
            // On a slow machine the command may end before all is written.
            let _ = writeln!(input, "3.1......3.2....\n# {}", "-".repeat(4000));
        }
        // Without a time limit, an interrupt ends the command.
        if time_limit.is_empty() {
            send_signal(&child, "-INT");
        }
        let output = child.wait_with_output().expect("the command ends");
        drop(input);
        assert_eq!(exit_code(&output), expected_exit_code, "{}", transcript(&output));
        assert!(check_page(&page) > 0 || !time_limit.is_empty(), "{}", transcript(&output));
    }
}

#[test]
fn a_report_without_time_is_a_whole_page() {
    let page = fresh_folder("report_without_time").join("page.html").to_str().expect("a path in UTF-8").to_owned();
    let output = run(&["report", EASY, "-o", &page, "--seconds", "0"]);
    assert_eq!((exit_code(&output), check_page(&page)), (1, 0), "{}", transcript(&output));
}

#[test]
fn why_explain_move_and_convert_end_at_their_time_limit() {
    let folder = fresh_folder("seconds");
    let (before, after) =
        (write_file(&folder, "a.txt", ONE_WING), write_file(&folder, "b.txt", ONE_WING.replacen("..", "8.", 1)));
    let commands: [(&[&str], &str); 5] = [
        (&["why", ONE_WING, "-t", "xy_wing"], "The limit of 0 s was reached"),
        (&["why", ONE_WING, "-t", "naked_single", "--after", "3"], "not after 3"),
        (&["why-not", ONE_WING, "-t", "xy_wing", "--after", "3"], "not after 3"),
        (&["explain-move", &before, &after], "The limit of 0 s was reached"),
        (&["convert", ONE_WING, "--to", "81", "--after", "3"], "the limit of 0 s was reached after 0 steps"),
    ];
    for (args, part) in commands {
        let output = run(&[args, &["--seconds", "0"]].concat());
        assert!(exit_code(&output) == 1 && transcript(&output).contains(part), "{args:?}: {}", transcript(&output));
    }
    let record = json_output(&run(&["why", ONE_WING, "-t", "xy_wing", "--seconds", "0", "--format", "json"]));
    assert!(record["result"]["limit"].as_str().is_some_and(|part| part.contains("0 s")), "{record}");
}

/// A rule with more combinations of cells than a search may try.
const UNBOUNDED_SEARCH: &str = "technique long \"Long\" {\n  A, B, C, D, E: cell\n  require #(digits(A) + digits(B) + digits(C) + \
                    digits(D) + digits(E)) > 9\n  eliminate digits(A) from cells seeing A, B\n}\n";

#[test]
fn searches_that_end_at_a_limit_are_reported() {
    let folder = fresh_folder("cut_short");
    let rule = write_file(&folder, "long.pinion", UNBOUNDED_SEARCH);
    let profile = "(name: \"long\", about: \"\", others: Off, rows: [(technique: \"naked_single\", first: 1, again: 1), \
        (technique: \"long\", first: 2, again: 2)])";
    let profile = write_file(&folder, "long.ron", profile);
    let args =
        ["compare", "long", "--on", ONE_WING, "--rules", &rule, "--profile", &profile, "--every", "99", "--no-proof"];
    let comparison = transcript(&run(&args));
    assert!(comparison.contains("long was cut short on 1 position by the limit on work"), "{comparison}");
    assert!(comparison.contains("Solving 1 puzzle was cut short by the limit on work"), "{comparison}");
    let args = ["stats", ONE_WING, "--rules", &rule, "--profile", &profile, "--no-leave-out"];
    let record = json_output(&run(&[&args[..], &["--format", "json"]].concat()));
    let row = record["techniques"].as_array().and_then(|rows| rows.iter().find(|row| row["technique"] == "long"));
    let row = row.expect("a row");
    assert_eq!((&row["cut"], &row["limits"]), (&json!(1), &json!(["Instructions"])), "{record}");
    let table = transcript(&run(&[&args[..], &["--csv"]].concat()));
    assert!(table.lines().any(|line| line.starts_with("technique,") && line.contains(",cut,")), "{table}");
    assert!(table.lines().any(|line| line.starts_with("long,0,")), "a technique that was cut short has a row: {table}");
    let puzzle = write_file(&folder, "one.txt", ONE_WING);
    let hunt = run(&["hunt", "-t", "long", "--rules", &rule, &puzzle, "--only-with", "naked_single", "--needed"]);
    assert_prints(&hunt, "cut short on 1 position by the limit on work");
}

/// A strong link for a digit with five places where a line crosses a box. Its nodes are two of the places and the other three. An empty
/// 25×25 board has 125,000 such nodes.
const MANY_NODES: &str = "strong link in_a_crossing (d)P = (d)Q {\n  d: digit\n  h: line\n  b: box\n  P: cells[2] in h & b\n  \
                    Q: cells[3] in h & b\n  require (d in h & b) = (d in P, Q)\n}\n\ntechnique crossed \"Crossed\" {\n  \
                    A: cell = {x, y}\n  chain from (x)A to (z)B, 2.. strong links, shortest {\n    strong: in_a_crossing\n    \
                    weak: any\n  }\n  eliminate x from cells seeing A, B\n}\n";

#[test]
fn the_limit_on_nodes_of_chains_is_reported() {
    let rule = write_file(&fresh_folder("many_nodes"), "crossing.pinion", MANY_NODES);
    let board = format!("1{}", ".".repeat(624));
    let output = transcript(&run(&["find", &board, "--rules", &rule, "-t", "crossed"]));
    assert!(output.contains("cut short by the limit on nodes of chains"), "{output}");
}

/// Far longer than needed, but too short for a time that grows with the square of the number of techniques.
const GENEROUS_TIME: std::time::Duration = std::time::Duration::from_secs(60);

#[test]
fn the_time_of_lint_is_linear_in_the_number_of_techniques() {
    let folder = fresh_folder("lint_many");
    let rules: String =
        (0..800).map(|n| format!("technique t{n} \"T{n}\" {{\n  c: cell = {{d}}\n  place d in c\n}}\n")).collect();
    let start = std::time::Instant::now();
    let output = run(&["lint", &write_file(&folder, "many.pinion", rules)]);
    assert_prints(&output, "1600 findings");
    assert!(start.elapsed() < GENEROUS_TIME, "{:?}", start.elapsed());
}

#[test]
fn the_time_to_open_many_rule_files_is_linear() {
    let folder = fresh_folder("lsp_many");
    let rule = |n: usize| format!("technique t{n} \"T{n}\" {{\n  c: cell = {{d}}\n  place d in c\n}}\n");
    let names: Vec<String> = (0..400).map(|n| write_file(&folder, &format!("r{n}.pinion"), rule(n))).collect();
    let start = std::time::Instant::now();
    let mut editor = Editor::new(&folder);
    for (n, name) in names.iter().enumerate() {
        assert_eq!(editor.write(&format!("file://{name}"), &rule(n)), Vec::<serde_json::Value>::new());
    }
    editor.end();
    assert!(start.elapsed() < GENEROUS_TIME, "{:?}", start.elapsed());
}

/// With less address space, an allocation could fail in the middle of the work.
#[cfg(target_os = "linux")]
#[test]
fn too_little_address_space_is_reported_at_once() {
    let rule = write_file(
        &fresh_folder("few_addresses"),
        "a.pinion",
        "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n",
    );
    for args in [&["check", &rule][..], &["lint", &rule], &["watch", "--once", &rule], &["rate", EASY]] {
        let script = "ulimit -v 300000; exec \"$0\" \"$@\"";
        let output =
            std::process::Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_pinion")]).args(args).output();
        let output = output.expect("sh starts");
        let message = transcript(&output);
        assert!(exit_code(&output) == 1 && message.contains("gives it 292 MiB"), "{args:?}: {message}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 2, "{message}");
    }
}

#[test]
fn matches_of_a_technique_are_shown_before_the_next_search_ends() {
    let folder = fresh_folder("find_early");
    let quick_rule =
        write_file(&folder, "quick.pinion", "technique quick \"Quick\" {\n  c: cell = {d}\n  place d in c\n}\n");
    let slow_rules =
        (0..40).map(|n| UNBOUNDED_SEARCH.replace("technique long \"Long\"", &format!("technique long{n} \"Long\"")));
    let slow_rules = write_file(&folder, "slow.pinion", slow_rules.collect::<Vec<_>>().join("\n"));
    let rows: String = (0..40).map(|n| format!("(technique: \"long{n}\", first: {}, again: 1),", n + 2)).collect();
    let profile =
        format!("(name: \"p\", about: \"\", others: Off, rows: [(technique: \"quick\", first: 1, again: 1),{rows}])");
    let profile = write_file(&folder, "p.ron", profile);
    let mut command =
        pinion(&["find", ONE_WING, "--rules", &quick_rule, "--rules", &slow_rules, "--profile", &profile, "--trust"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary starts");
    let mut line = String::new();
    let output = child.stdout.take().expect("piped");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).expect("text");
    let is_running = child.try_wait().expect("a state").is_none();
    child.kill().expect("the command can be killed");
    child.wait().expect("the command ends");
    assert!(line.contains("Quick") && is_running, "{line}");
}

/// Forty clients send a byte now and then and use up all file descriptors. They are closed in time, so another client is answered.
#[cfg(unix)]
#[test]
fn play_closes_slow_connections_and_answers_others() {
    let folder = fresh_folder("play_slow");
    write_file(&folder, "index.html", "<p>here</p>");
    let script = "ulimit -n 24; exec \"$0\" play --port 0 --folder \"$1\"";
    let mut server = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_pinion"), folder.to_str().expect("a path in UTF-8")])
        .stdout(Stdio::piped())
        .spawn()
        .expect("sh starts");
    let mut line = String::new();
    let output = server.stdout.take().expect("piped");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line)
        .expect("the server prints its address");
    let address = line.trim().trim_start_matches("The playground: http://").trim_end_matches('/').to_owned();
    let connect = || std::net::TcpStream::connect(&address).expect("the server listens");
    let mut slow_connections: Vec<_> = (0..40).map(|_| connect()).collect();
    // No client completes its request. None is silent for ten seconds, because then its connection would be closed.
    let writer = std::thread::spawn(move || {
        for _ in 0..120 {
            slow_connections.retain_mut(|stream| stream.write_all(b"G").is_ok());
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
    });
    let mut stream = connect();
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("the command reads");
    stream.set_read_timeout(Some(std::time::Duration::from_secs(50))).expect("a time");
    let mut response = [0; 15];
    stream.read_exact(&mut response).expect("a response once the slow connections are closed");
    assert_eq!(&response, b"HTTP/1.1 200 OK");
    server.kill().expect("the process runs");
    server.wait().expect("the command ends");
    drop(writer);
}
