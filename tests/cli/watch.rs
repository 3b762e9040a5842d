//! `pinion watch`, completions and manual pages.

use super::{exit_code, fresh_folder, pinion, run, transcript};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

#[test]
fn one_round_checks_tests_and_proves() {
    let folder = fresh_folder("watch_once");
    let at = |args: &[&str]| {
        let mut command = pinion(args);
        command.current_dir(&folder).env("PINION_CACHE", folder.join("cache")).output().unwrap()
    };
    assert_eq!(exit_code(&at(&["new", "my_rule"])), 0);
    assert_eq!(exit_code(&at(&["watch", "my_rule.pinion", "--once"])), 0);
    // The second time the proof comes from the cache.
    insta::assert_snapshot!("watch_once", transcript(&at(&["watch", "my_rule.pinion", "--once"])));
}

#[test]
fn a_saved_file_is_looked_at_again() {
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
    let (tell, hear) = channel();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| tell.send(line)));
    let next = || hear.recv_timeout(Duration::from_secs(60));
    // A proof may take long, so it is told before it begins.
    assert_eq!(next().expect("the tests end"), "note: proving");
    let first = next().expect("the first round ends");
    assert!(first.contains("waiting for changes"), "{first}");
    let path = folder.join("my_rule.pinion");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("finds r2c6<>1", "finds r2c6<>2")).unwrap();
    let second = next();
    let mut out = String::new();
    if second.is_err() {
        child.kill().unwrap();
    }
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    let exit = child.wait().unwrap();
    assert!(second.is_ok(), "the change was not noticed:\n{out}");
    assert_eq!(exit.code(), Some(1));
    assert!(out.contains("2 of 2 tests passed") && out.contains("not found: r2c6<>2"), "{out}");
}

#[test]
fn shells_get_completions() {
    for (shell, has) in [("bash", "_pinion()"), ("zsh", "#compdef pinion"), ("fish", "complete -c pinion")] {
        let output = run(&["completions", shell]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(has) && text.contains("why-not"), "{shell}");
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
    // What stands further in goes on with a line.
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
