//! Foreign folders: nothing is written through links in them, pipes and devices are not opened, and tests write only on request.
#![cfg(unix)]

use super::{
    EASY, assert_output, exit_code, file_names, fresh_folder, json_output, pinion, run, transcript, write_file,
};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;

const RULE: &str = "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n";
const UNFORMATTED: &str = "technique t \"T\" {\n    c:   cell = {d}\n place   d in c\n}\n";
const SECRET: &str = "alias ls='ls -l'\n";

/// A project folder with a rule and a test file, and a folder with the file `.bashrc`, which no command may change.
fn project_and_secret(name: &str) -> (PathBuf, PathBuf) {
    let folder = fresh_folder(name);
    let project = folder.join("project");
    std::fs::create_dir(&project).expect("a folder can be made");
    write_file(&project, "t.pinion", RULE);
    write_file(&project, "t.test", format!("{EASY} one\n"));
    let secret = folder.join("home");
    std::fs::create_dir(&secret).expect("a folder can be made");
    write_file(&secret, ".bashrc", SECRET);
    (project, secret)
}

fn run_in(folder: &Path, args: &[&str]) -> Output {
    pinion(args).current_dir(folder).output().expect("the binary starts")
}

/// Finds out the file name of the project's snapshot. Afterwards there is no snapshot.
fn snapshot_name(project: &Path) -> String {
    assert_eq!(exit_code(&run_in(project, &["test", "t.pinion", "--accept"])), 0);
    let name = file_names(&project.join("snapshots")).remove(0);
    std::fs::remove_dir_all(project.join("snapshots")).expect("the path can be deleted");
    name
}

/// Checks that the folder has only `.bashrc`, and that the file is unchanged.
fn assert_untouched(secret: &Path) {
    assert_eq!(file_names(secret), [".bashrc"]);
    assert_eq!(std::fs::read_to_string(secret.join(".bashrc")).expect("the path exists"), SECRET);
}

#[test]
fn tests_write_nothing_without_accept_or_pending() {
    let (project, _) = project_and_secret("strange_silent");
    for args in [&["test", "t.pinion"][..], &["test", ".", "-v"], &["watch", "t.pinion", "--once", "--no-proof"]] {
        let output = run_in(&project, args);
        assert_output(&output, 1, "1 new");
        assert_eq!(file_names(&project), ["t.pinion", "t.test"], "{args:?}");
    }
}

#[test]
fn links_in_place_of_snapshots_are_replaced() {
    let (project, secret) = project_and_secret("strange_links");
    let name = snapshot_name(&project);
    let snapshots = project.join("snapshots");
    std::fs::create_dir(&snapshots).expect("a folder can be made");
    for (target, option) in
        [(".bashrc", "--accept"), (".bashrc", "--pending"), ("nobody", "--accept"), ("nobody", "--pending")]
    {
        let path = snapshots.join(if option == "--pending" { format!("{name}.new") } else { name.clone() });
        let _ = std::fs::remove_file(&path);
        symlink(secret.join(target), &path).expect("a link can be made");
        let tested = run_in(&project, &["test", "t.pinion"]);
        assert!(exit_code(&tested) == 1 && path.is_symlink(), "{}", transcript(&tested));
        let output = run_in(&project, &["test", "t.pinion", option]);
        assert_eq!(exit_code(&output), i32::from(option == "--pending"), "{}", transcript(&output));
        assert!(path.symlink_metadata().expect("the path exists").is_file(), "{option}");
        assert_untouched(&secret);
        std::fs::remove_file(&path).expect("the path can be deleted");
    }
}

#[test]
fn a_pipe_in_place_of_a_snapshot_is_not_opened() {
    let (project, _) = project_and_secret("strange_pipe");
    let name = snapshot_name(&project);
    std::fs::create_dir(project.join("snapshots")).expect("a folder can be made");
    let path = project.join("snapshots").join(&name);
    let status = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo starts");
    assert!(status.success());
    let text = transcript(&run_in(&project, &["test", "t.pinion"]));
    assert!(text.contains("1 new") && text.contains(".snap is not a file of text, so it is no snapshot"), "{text}");
    assert_eq!(exit_code(&run_in(&project, &["test", "t.pinion", "--accept"])), 0);
    assert!(path.is_file());
}

#[test]
fn pipes_folders_and_devices_in_place_of_test_files_are_reported() {
    let (project, _) = project_and_secret("strange_tests");
    let path = project.join("t.test");
    std::fs::remove_file(&path).expect("the path can be deleted");
    let kinds: [&dyn Fn(); 4] = [
        &|| assert!(std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo starts").success()),
        &|| std::fs::create_dir(&path).expect("a folder can be made"),
        &|| symlink("/dev/zero", &path).expect("a link can be made"),
        &|| symlink("nowhere", &path).expect("a link can be made"),
    ];
    for make in kinds {
        make();
        let output = run_in(&project, &["test", "t.pinion"]);
        let text = transcript(&output);
        assert!(exit_code(&output) == 3 && text.contains("t.test is not a file: its tests were not run"), "{text}");
        std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path)).expect("the path can be deleted");
    }
    write_file(&project, "t.test", format!("{EASY} one\n"));
    let name = snapshot_name(&project);
    std::fs::create_dir(project.join("snapshots")).expect("a folder can be made");
    for make in [&(|path: &Path| std::fs::create_dir(path)) as &dyn Fn(&Path) -> _, &|path| symlink("/dev/zero", path)]
    {
        let path = project.join("snapshots").join(&name);
        make(&path).expect("the path can be made");
        let text = transcript(&run_in(&project, &["test", "t.pinion"]));
        assert!(text.contains(".snap is not a file of text, so it is no snapshot"), "{text}");
        std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path)).expect("the path can be deleted");
    }
}

#[test]
fn other_files_are_checked_beside_a_folder_without_permission() {
    use std::os::unix::process::CommandExt;
    let (project, _) = project_and_secret("strange_closed");
    write_file(&project, "loose.pinion", UNFORMATTED.replace("technique t", "technique loose"));
    let unreadable = project.join("closed");
    std::fs::create_dir(&unreadable).expect("a folder can be made");
    std::fs::set_permissions(&unreadable, PermissionsExt::from_mode(0o0)).expect("permissions can be set");
    for (args, part) in [
        (&["check", "."][..], "2 techniques: no errors"),
        (&["test", "."], "2 files, 2 techniques"),
        (&["lint", "."], "2 files, 2 techniques"),
        (&["fmt", "--check", "."], "1 file would be formatted"),
    ] {
        let mut command = pinion(args);
        if std::fs::read_dir(&unreadable).is_ok() {
            // The superuser can read every folder, so another user runs the command.
            command.uid(65_534);
        }
        let output = command.current_dir(&project).output().expect("the binary starts");
        let text = transcript(&output);
        assert!(
            exit_code(&output) == 3 && text.contains("closed cannot be read") && text.contains(part),
            "{args:?}: {text}"
        );
    }
}

#[test]
fn a_relative_home_does_not_put_the_cache_into_the_current_folder() {
    let (project, _) = project_and_secret("strange_home");
    let prove = |variables: &[(&str, &str)]| {
        let mut command = pinion(&["prove", "t.pinion"]);
        command.env_remove("PINION_CACHE").env_remove("XDG_CACHE_HOME").envs(variables.iter().copied());
        command.current_dir(&project).output().expect("the binary starts")
    };
    assert_eq!(exit_code(&prove(&[("HOME", "relative")])), 0);
    assert_eq!(file_names(&project), ["t.pinion", "t.test"]);
    let output = prove(&[("XDG_CACHE_HOME", "/dev/null")]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("proofs cannot be kept in /dev/null") && errors.lines().count() == 1, "{errors}");
}

/// `-` is the standard output. Errors name the file that was asked for, not the temporary file.
#[test]
fn pages_go_to_the_standard_output_or_the_given_file() {
    let (project, _) = project_and_secret("strange_page");
    let output = run_in(&project, &["report", EASY, "--profile", "basic", "-o", "-"]);
    let page = String::from_utf8(output.stdout).expect("text");
    assert!(page.starts_with("<!") && page.ends_with("</html>\n"), "{page}");
    assert_eq!(file_names(&project), ["t.pinion", "t.test"]);
    let output = run_in(&project, &["stats", EASY, "--no-leave-out", "--profile", "basic", "--svg", "-"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("</svg>"), "{}", transcript(&output));
    assert_eq!(file_names(&project), ["t.pinion", "t.test"]);
    for args in [&["report", EASY, "-o", "nowhere/x.html"][..], &["hint", EASY, "--svg", "nowhere/x.svg"]] {
        let output = run_in(&project, args);
        let error = transcript(&output);
        assert!(exit_code(&output) == 3 && error.contains("nowhere/x.") && !error.contains(".tmp"), "{error}");
    }
}

#[test]
fn a_report_over_the_file_size_limit_leaves_no_file() {
    let (project, _) = project_and_secret("strange_limit");
    let script = "ulimit -f 1; exec \"$0\" report \"$1\" --profile basic -o page.html";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_pinion"), EASY]).current_dir(&project);
    let output = command.output().expect("sh starts");
    assert_output(&output, 3, "page.html cannot be written: File too large");
    assert_eq!(file_names(&project), ["t.pinion", "t.test"]);
}

#[test]
fn snapshot_folders_that_are_links_are_refused() {
    let (project, secret) = project_and_secret("strange_folder");
    std::fs::create_dir(project.join("inside")).expect("a folder can be made");
    let absolute = project.join("t.pinion").to_str().expect("a path in UTF-8").to_owned();
    for target in [secret.clone(), "../home".into(), "/nowhere".into(), "inside".into(), "..".into()] {
        symlink(&target, project.join("snapshots")).expect("a link can be made");
        for args in [
            &["test", "t.pinion", "--accept"][..],
            &["test", "t.pinion", "--pending"],
            &["test", ".", "--accept"],
            &["test", &absolute, "--accept"],
        ] {
            let output = run_in(&project, args);
            assert_eq!(exit_code(&output), 3, "{args:?} {}", transcript(&output));
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(errors.contains("snapshots is a link") && errors.matches("error:").count() == 1, "{errors}");
            assert!(String::from_utf8_lossy(&output.stdout).contains("t.test:1: snapshot"), "{}", transcript(&output));
            assert!(file_names(&project.join("inside")).is_empty());
        }
        let from_root = pinion(&["test", &absolute, "--accept"]).current_dir("/").output().expect("the binary starts");
        assert_eq!(exit_code(&from_root), 3, "{}", transcript(&from_root));
        assert_untouched(&secret);
        std::fs::remove_file(project.join("snapshots")).expect("the path can be deleted");
    }
    assert_eq!(exit_code(&run_in(&project, &["test", "t.pinion", "--accept"])), 0);
}

/// Rules in a linked folder are run, but no command writes into that folder.
#[test]
fn nothing_is_written_into_linked_folders() {
    let (project, secret) = project_and_secret("strange_behind");
    let linked_folder = secret.parent().expect("a folder").join("theirs");
    std::fs::create_dir(&linked_folder).expect("a folder can be made");
    write_file(&linked_folder, "other.pinion", UNFORMATTED.replace("technique t", "technique other"));
    write_file(&linked_folder, "other.test", format!("{EASY} one\n"));
    symlink("../theirs", project.join("rules")).expect("a link can be made");
    for args in [
        &["test", "rules", "--accept"][..],
        &["test", ".", "--accept"],
        &["test", "rules/other.pinion", "--accept"],
        &["fmt"],
        &["fmt", "rules/other.pinion"],
        &["new", "rules/more"],
        &["man", "--out", "rules"],
        &["report", EASY, "-o", "rules/page.html"],
        &["test", "t.pinion", "--junit", "rules/results.xml"],
    ] {
        let output = run_in(&project, args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(exit_code(&output) == 3 && error.contains("rules is a link to"), "{args:?} {}", transcript(&output));
        assert!(error.contains("name the folder itself"), "{error}");
        assert_eq!(file_names(&linked_folder), ["other.pinion", "other.test"], "{args:?}");
        assert!(std::fs::read_to_string(linked_folder.join("other.pinion")).expect("a rule").contains("c:   cell"));
    }
    // Under its own name the folder can be written.
    assert_eq!(exit_code(&run_in(&project, &["fmt", "../theirs"])), 0);
}

#[test]
fn links_in_place_of_output_files_are_replaced() {
    let (project, secret) = project_and_secret("strange_outputs");
    let puzzles = write_file(&project, "one.txt", EASY);
    std::fs::create_dir(project.join("pages")).expect("a folder can be made");
    let commands: [(&[&str], &str); 7] = [
        (&["fmt", "loose.pinion"], "loose.pinion"),
        (&["report", EASY, "-o", "out"], "out"),
        (&["hint", EASY, "--svg", "out"], "out"),
        (&["stats", &puzzles, "--no-leave-out", "--svg", "out"], "out"),
        (&["bench", &puzzles, "--digests", "out"], "out"),
        (&["test", "t.pinion", "--junit", "out"], "out"),
        (&["man", "--out", "pages"], "pages/pinion-solve.1"),
    ];
    for (args, name) in commands {
        let path = project.join(name);
        let unformatted = write_file(&secret, "loose.pinion", UNFORMATTED);
        let target = if args[0] == "fmt" { PathBuf::from(&unformatted) } else { secret.join(".bashrc") };
        symlink(target, &path).expect("a link can be made");
        let output = run_in(&project, args);
        assert!(exit_code(&output) <= 1, "{args:?} {}", transcript(&output));
        assert!(!path.is_symlink() && path.is_file(), "{args:?}");
        assert_eq!(std::fs::read_to_string(&unformatted).expect("a rule"), UNFORMATTED);
        std::fs::remove_file(&unformatted).expect("the path can be deleted");
        assert_untouched(&secret);
        std::fs::remove_file(&path).expect("the path can be deleted");
    }
    // `new` refuses a file that exists, and a link counts as a file.
    for target in [secret.join(".bashrc"), secret.join("nobody")] {
        symlink(target, project.join("fresh.pinion")).expect("a link can be made");
        let output = run_in(&project, &["new", "fresh"]);
        assert_output(&output, 2, "exists already");
        assert_untouched(&secret);
        std::fs::remove_file(project.join("fresh.pinion")).expect("the path can be deleted");
    }
}

#[test]
fn the_cache_follows_no_links() {
    let (project, secret) = project_and_secret("strange_cache");
    let cache = secret.parent().expect("a folder").join("cache");
    let prove = |args: &[&str]| {
        let mut command = pinion(&[&["prove", "t.pinion", "--format", "json"], args].concat());
        command.env("PINION_CACHE", &cache).current_dir(&project).output().expect("the binary starts")
    };
    assert_eq!(json_output(&prove(&[]))["status"], "proved");
    let record = cache.join("proofs").join(&file_names(&cache.join("proofs"))[0]);
    std::fs::remove_file(&record).expect("the path can be deleted");
    symlink(secret.join(".bashrc"), &record).expect("a link can be made");
    assert_eq!(json_output(&prove(&[]))["status"], "proved");
    assert!(!record.is_symlink());
    assert_untouched(&secret);
    std::fs::remove_dir_all(cache.join("proofs")).expect("the path can be deleted");
    symlink(&secret, cache.join("proofs")).expect("a link can be made");
    let output = prove(&[]);
    assert_output(&output, 0, "cannot be kept");
    assert_untouched(&secret);
}

/// A formatted file has the permissions of the file that it replaces.
#[test]
fn fmt_keeps_the_permissions_of_a_file() {
    let (project, _) = project_and_secret("strange_modes");
    for mode in [0o600, 0o640, 0o644, 0o400] {
        let path = write_file(&project, "loose.pinion", UNFORMATTED);
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("permissions can be set");
        assert_eq!(exit_code(&run_in(&project, &["fmt", "loose.pinion"])), 0);
        assert_eq!(std::fs::metadata(&path).expect("the path exists").permissions().mode() & 0o777, mode);
        std::fs::remove_file(&path).expect("the path can be deleted");
    }
}

#[test]
fn results_are_shown_before_the_error_that_snapshots_cannot_be_written() {
    let (project, _) = project_and_secret("strange_unwritable");
    write_file(&project, "t.test", format!("{EASY} one\n12..3.......4..1 two\n"));
    write_file(&project, "snapshots", "a file in the place of the folder");
    let tested = run_in(&project, &["test", "t.pinion"]);
    assert!(
        exit_code(&tested) == 1 && transcript(&tested).contains("2 new") && tested.stderr.is_empty(),
        "{}",
        transcript(&tested)
    );
    for option in ["--accept", "--pending"] {
        let output = run_in(&project, &["test", "t.pinion", option]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(exit_code(&output) == 3 && errors.lines().count() == 1, "{}", transcript(&output));
        assert!(errors.contains("cannot be written") && errors.contains("(and 1 more file)"), "{errors}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("2 new"), "{}", transcript(&output));
    }
    let output = run(&["test", &write_file(&project, "t.pinion", RULE), "--junit", "/nowhere/results.xml"]);
    assert_output(&output, 3, "2 new");
}
