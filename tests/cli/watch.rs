//! `pinion watch`, `pinion completions` and `pinion man`.

use super::{exit_code, fresh_folder, pinion, run, transcript};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

#[test]
fn one_round_checks_tests_and_proves() {
    let folder = fresh_folder("watch_once");
    let run_there = |args: &[&str]| {
        let mut command = pinion(args);
        command.current_dir(&folder).env("PINION_CACHE", folder.join("cache")).output().unwrap()
    };
    assert_eq!(exit_code(&run_there(&["new", "my_rule"])), 0);
    assert_eq!(exit_code(&run_there(&["watch", "my_rule.pinion", "--once"])), 0);
    // In the second run the proof comes from the cache.
    insta::assert_snapshot!("watch_once", transcript(&run_there(&["watch", "my_rule.pinion", "--once"])));
}

#[test]
fn a_changed_file_is_checked_again() {
    let folder = fresh_folder("watch");
    assert_eq!(exit_code(&pinion(&["new", "my_rule"]).current_dir(&folder).output().unwrap()), 0);
    let mut child = pinion(&["watch", "my_rule.pinion", "--rounds", "2"])
        .current_dir(&folder)
        .env("PINION_CACHE", folder.join("cache"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let (sender, receiver) = channel();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let next_line = || receiver.recv_timeout(Duration::from_secs(60));
    // A proof may take long, so it is announced.
    assert_eq!(next_line().expect("the tests end"), "note: proving");
    let end_of_round = next_line().expect("the first round ends");
    assert!(end_of_round.contains("waiting for changes"), "{end_of_round}");
    let path = folder.join("my_rule.pinion");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("finds r2c6<>1", "finds r2c6<>2")).unwrap();
    let second_round = next_line();
    if second_round.is_err() {
        child.kill().unwrap();
    }
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    let status = child.wait().unwrap();
    assert!(second_round.is_ok(), "the change was not noticed:\n{output}");
    assert_eq!(status.code(), Some(1));
    assert!(output.contains("2 of 2 tests passed") && output.contains("not found: r2c6<>2"), "{output}");
}

#[test]
fn completions_are_written_for_each_shell() {
    for (shell, part) in [("bash", "_pinion()"), ("zsh", "#compdef pinion"), ("fish", "complete -c pinion")] {
        let output = run(&["completions", shell]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(part) && text.contains("why-not"), "{shell}");
    }
    assert_eq!(exit_code(&run(&["completions", "cobol"])), 2);
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = fresh_folder("man");
    let output = run(&["man", "--out", folder.to_str().unwrap()]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    let help = String::from_utf8(run(&["--help"]).stdout).unwrap();
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A line with a deeper indentation continues the description above.
    let commands = commands.filter(|line| !line.starts_with("   "));
    let mut count = 0;
    for name in commands.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        let page = std::fs::read_to_string(folder.join(format!("pinion-{name}.1"))).unwrap();
        assert!(page.contains("Example"), "{name} has no example");
        count += 1;
    }
    assert!(count > 15, "{help}");
    assert!(String::from_utf8(run(&["man"]).stdout).unwrap().contains(".SH SYNOPSIS"));
}
