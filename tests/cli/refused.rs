//! A system that refuses threads, descriptors or time: less is done at a time, and nothing is aborted.

use super::lsp::Editor;
use super::{EASY, ONE_WING, exit_code, fresh_folder, json_output, pinion, run, transcript, write_file};
use serde_json::json;
use std::io::{Read, Write};
use std::process::{Output, Stdio};

/// With stacks larger than any memory, so that the system refuses each thread.
fn without_threads(args: &[&str], input: &str) -> Output {
    let mut command = pinion(args);
    command.env("RUST_MIN_STACK", (1_u64 << 60).to_string());
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("the binary starts");
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

#[test]
fn without_threads_everything_is_done_by_one() {
    let folder = fresh_folder("no_threads");
    let page = folder.join("page.html").to_str().expect("a plain path").to_owned();
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
    for (args, words) in commands {
        let output = without_threads(args, &text);
        assert!(exit_code(&output) == 0 && transcript(&output).contains(words), "{args:?}: {}", transcript(&output));
    }
}

/// Nothing can be watched, or asked by an editor, without threads: both say so.
#[test]
fn who_needs_threads_says_so() {
    let rule = write_file(
        &fresh_folder("no_watcher"),
        "a.pinion",
        "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n",
    );
    for args in [&["lsp"][..], &["watch", &rule]] {
        let output = without_threads(args, "");
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
fn few_descriptors_are_enough() {
    let folder = fresh_folder("few_descriptors");
    let puzzles = write_file(&folder, "two.txt", format!("{EASY}\n{EASY}\n"));
    let page = folder.join("page.html").to_str().expect("a plain path").to_owned();
    for args in [
        &["stats", &puzzles, "--profile", "basic", "--no-leave-out"][..],
        &["bench", &puzzles, "--profile", "basic", "--threads", "4"],
        &["audit", &puzzles, "-t", "naked_single"],
        &["report", &puzzles, "--profile", "basic", "-o", &page],
    ] {
        let script = "ulimit -n 8; exec \"$0\" \"$@\"";
        let program = env!("CARGO_BIN_EXE_pinion");
        let output = std::process::Command::new("sh").args(["-c", script, program]).args(args).output();
        let output = output.expect("there is a shell");
        assert_eq!(exit_code(&output), 0, "{args:?}: {}", transcript(&output));
    }
}

/// A page with its data, whatever ended it.
fn paths_of(page: &str) -> usize {
    let text = std::fs::read_to_string(page).expect("a page");
    assert!(text.ends_with("</html>\n"), "it has an end");
    let data = text.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("the data");
    let data: serde_json::Value = serde_json::from_str(data).expect("it is JSON");
    data["puzzles"].as_array().expect("a list").len()
}

#[cfg(unix)]
#[test]
fn a_report_that_is_interrupted_is_a_page() {
    let page = fresh_folder("report_interrupted").join("page.html").to_str().expect("a plain path").to_owned();
    for (more, expected) in [(&[][..], 130), (&["--seconds", "2"], 1)] {
        let args = ["report", "-", "-o", &page, "--profile", "basic", "--board", "4x4"];
        let mut command = pinion(&[&args, more].concat());
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().expect("the binary starts");
        let mut input = child.stdin.take().expect("piped");
        // More than a pipe holds, so that some was read when all is written.
        for _ in 0..640 {
            // A slow machine may reach the limit before all is written.
            let _ = writeln!(input, "3.1......3.2....\n# {}", "-".repeat(4000));
        }
        if more.is_empty() {
            let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            assert!(killed.expect("there is a kill").success());
        }
        let output = child.wait_with_output().expect("it ends");
        drop(input);
        assert_eq!(exit_code(&output), expected, "{}", transcript(&output));
        assert!(paths_of(&page) > 0 || !more.is_empty(), "{}", transcript(&output));
    }
}

#[test]
fn a_report_without_time_is_a_page() {
    let page = fresh_folder("report_without_time").join("page.html").to_str().expect("a plain path").to_owned();
    let output = run(&["report", EASY, "-o", &page, "--seconds", "0"]);
    assert_eq!((exit_code(&output), paths_of(&page)), (1, 0), "{}", transcript(&output));
}

#[test]
fn every_search_has_a_limit_on_time() {
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
    for (args, words) in commands {
        let output = run(&[args, &["--seconds", "0"]].concat());
        assert!(exit_code(&output) == 1 && transcript(&output).contains(words), "{args:?}: {}", transcript(&output));
    }
    let found = json_output(&run(&["why", ONE_WING, "-t", "xy_wing", "--seconds", "0", "--format", "json"]));
    assert!(found["result"]["limit"].as_str().is_some_and(|words| words.contains("0 s")), "{found}");
}

/// A rule that has more to choose from than a search may.
const LONG: &str = "technique long \"Long\" {\n  A, B, C, D, E: cell\n  require #(digits(A) + digits(B) + digits(C) + \
                    digits(D) + digits(E)) > 9\n  eliminate digits(A) from cells seeing A, B\n}\n";

#[test]
fn searches_that_were_cut_short_are_told() {
    let folder = fresh_folder("cut_short");
    let rule = write_file(&folder, "long.pinion", LONG);
    let profile = "(name: \"long\", about: \"\", others: Off, rows: [(technique: \"naked_single\", first: 1, again: 1), \
        (technique: \"long\", first: 2, again: 2)])";
    let profile = write_file(&folder, "long.ron", profile);
    let args =
        ["compare", "long", "--on", ONE_WING, "--rules", &rule, "--profile", &profile, "--every", "99", "--no-proof"];
    let words = transcript(&run(&args));
    assert!(words.contains("long was cut short on 1 position by the limit on work"), "{words}");
    assert!(words.contains("Solving 1 puzzle was cut short by the limit on work"), "{words}");
    let args = ["stats", ONE_WING, "--rules", &rule, "--profile", &profile, "--no-leave-out"];
    let record = json_output(&run(&[&args[..], &["--format", "json"]].concat()));
    let row = record["techniques"].as_array().and_then(|rows| rows.iter().find(|row| row["technique"] == "long"));
    let row = row.expect("a row");
    assert_eq!((&row["cut"], &row["limits"]), (&json!(1), &json!(["Instructions"])), "{record}");
    let table = transcript(&run(&[&args[..], &["--csv"]].concat()));
    assert!(table.lines().any(|line| line.starts_with("technique,") && line.contains(",cut,")), "{table}");
    assert!(table.lines().any(|line| line.starts_with("long,0,")), "it is a row, not a technique never used: {table}");
    let puzzle = write_file(&folder, "one.txt", ONE_WING);
    let hunted = run(&["hunt", "-t", "long", "--rules", &rule, &puzzle, "--only-with", "naked_single", "--needed"]);
    assert!(transcript(&hunted).contains("cut short on 1 position by the limit on work"), "{}", transcript(&hunted));
}

/// Two and three of the five places of a digit in a box and a line: on a large empty board 125,000 different ends.
const ENDS: &str = "strong link in_a_crossing (d)P = (d)Q {\n  d: digit\n  h: line\n  b: box\n  P: cells[2] in h & b\n  \
                    Q: cells[3] in h & b\n  require (d in h & b) = (d in P, Q)\n}\n\ntechnique crossed \"Crossed\" {\n  \
                    A: cell = {x, y}\n  chain from (x)A to (z)B, 2.. strong links, shortest {\n    strong: in_a_crossing\n    \
                    weak: any\n  }\n  eliminate x from cells seeing A, B\n}\n";

#[test]
fn the_limit_on_nodes_of_chains_has_a_name() {
    let rule = write_file(&fresh_folder("many_nodes"), "crossing.pinion", ENDS);
    let board = format!("1{}", ".".repeat(624));
    let words = transcript(&run(&["find", &board, "--rules", &rule, "-t", "crossed"]));
    assert!(words.contains("cut short by the limit on nodes of chains"), "{words}");
}

/// Far longer than it takes; a time that grows with the square of the techniques is longer still.
const LONG_AFTER: std::time::Duration = std::time::Duration::from_secs(60);

#[test]
fn many_techniques_of_a_file_are_soon_linted() {
    let folder = fresh_folder("lint_many");
    let rules: String =
        (0..800).map(|n| format!("technique t{n} \"T{n}\" {{\n  c: cell = {{d}}\n  place d in c\n}}\n")).collect();
    let clock = std::time::Instant::now();
    let output = run(&["lint", &write_file(&folder, "many.pinion", rules)]);
    assert!(transcript(&output).contains("1600 findings"), "{}", transcript(&output));
    assert!(clock.elapsed() < LONG_AFTER, "{:?}", clock.elapsed());
}

#[test]
fn a_folder_of_rules_is_soon_opened() {
    let folder = fresh_folder("lsp_many");
    let rule = |n: usize| format!("technique t{n} \"T{n}\" {{\n  c: cell = {{d}}\n  place d in c\n}}\n");
    let names: Vec<String> = (0..400).map(|n| write_file(&folder, &format!("r{n}.pinion"), rule(n))).collect();
    let clock = std::time::Instant::now();
    let mut editor = Editor::new(&folder);
    for (n, name) in names.iter().enumerate() {
        assert_eq!(editor.write(&format!("file://{name}"), &rule(n)), Vec::<serde_json::Value>::new());
    }
    editor.end();
    assert!(clock.elapsed() < LONG_AFTER, "{:?}", clock.elapsed());
}

/// Below this, memory would be refused in the middle of the work.
#[cfg(target_os = "linux")]
#[test]
fn too_little_address_space_is_named_at_once() {
    let rule = write_file(
        &fresh_folder("few_addresses"),
        "a.pinion",
        "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n",
    );
    for args in [&["check", &rule][..], &["lint", &rule], &["watch", "--once", &rule], &["rate", EASY]] {
        let script = "ulimit -v 300000; exec \"$0\" \"$@\"";
        let output =
            std::process::Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_pinion")]).args(args).output();
        let output = output.expect("there is a shell");
        let words = transcript(&output);
        assert!(exit_code(&output) == 1 && words.contains("gives it 292 MiB"), "{args:?}: {words}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 2, "{words}");
    }
}

/// Matches of one technique are shown before the next technique is searched.
#[test]
fn matches_are_shown_before_the_next_search_ends() {
    let folder = fresh_folder("find_early");
    let quick =
        write_file(&folder, "quick.pinion", "technique quick \"Quick\" {\n  c: cell = {d}\n  place d in c\n}\n");
    let slow = (0..40).map(|n| LONG.replace("technique long \"Long\"", &format!("technique long{n} \"Long\"")));
    let slow = write_file(&folder, "slow.pinion", slow.collect::<Vec<_>>().join("\n"));
    let rows: String = (0..40).map(|n| format!("(technique: \"long{n}\", first: {}, again: 1),", n + 2)).collect();
    let profile =
        format!("(name: \"p\", about: \"\", others: Off, rows: [(technique: \"quick\", first: 1, again: 1),{rows}])");
    let profile = write_file(&folder, "p.ron", profile);
    let mut command =
        pinion(&["find", ONE_WING, "--rules", &quick, "--rules", &slow, "--profile", &profile, "--trust"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary starts");
    let mut line = String::new();
    let output = child.stdout.take().expect("piped");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).expect("text");
    let is_running = child.try_wait().expect("a state").is_none();
    child.kill().expect("it can be ended");
    child.wait().expect("it ends");
    assert!(line.contains("Quick") && is_running, "{line}");
}

/// A connection that sends a byte now and then is closed, and one after many of the kind is answered.
#[cfg(unix)]
#[test]
fn slow_connections_end_and_others_are_answered() {
    let folder = fresh_folder("play_slow");
    write_file(&folder, "index.html", "<p>here</p>");
    let script = "ulimit -n 24; exec \"$0\" play --port 0 --folder \"$1\"";
    let mut server = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_pinion"), folder.to_str().expect("a plain path")])
        .stdout(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let mut line = String::new();
    let output = server.stdout.take().expect("piped");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).expect("it says where it is");
    let address = line.trim().trim_start_matches("The playground: http://").trim_end_matches('/').to_owned();
    let connect = || std::net::TcpStream::connect(&address).expect("it listens");
    let mut slow: Vec<_> = (0..40).map(|_| connect()).collect();
    // None of them is done within ten seconds, and none is silent for as long.
    let dripping = std::thread::spawn(move || {
        for _ in 0..120 {
            slow.retain_mut(|one| one.write_all(b"G").is_ok());
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
    });
    let mut stream = connect();
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    stream.set_read_timeout(Some(std::time::Duration::from_secs(50))).expect("a time");
    let mut answer = [0; 15];
    stream.read_exact(&mut answer).expect("it answers once the slow ones are closed");
    assert_eq!(&answer, b"HTTP/1.1 200 OK");
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    drop(dripping);
}
