//! Folders of strangers: nothing is written through their links, and nothing without being asked for.
#![cfg(unix)]

use super::{EASY, exit_code, fresh_folder, json_output, pinion, run, transcript, write_file};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;

const RULE: &str = "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n";
const LOOSE: &str = "technique t \"T\" {\n    c:   cell = {d}\n place   d in c\n}\n";
const SECRET: &str = "alias ls='ls -l'\n";

/// A project with a rule and a position for it, beside a file that nobody may touch.
fn project(name: &str) -> (PathBuf, PathBuf) {
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

fn at(folder: &Path, args: &[&str]) -> Output {
    pinion(args).current_dir(folder).output().expect("the binary starts")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("it is there").flatten();
    let mut names: Vec<String> = entries.map(|one| one.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The name of the snapshot that the project makes.
fn snapshot(project: &Path) -> String {
    assert_eq!(exit_code(&at(project, &["test", "t.pinion", "--accept"])), 0);
    let name = names(&project.join("snapshots")).remove(0);
    std::fs::remove_dir_all(project.join("snapshots")).expect("it can be deleted");
    name
}

/// Nothing but the one file, as it was.
fn assert_untouched(secret: &Path) {
    assert_eq!(names(secret), [".bashrc"]);
    assert_eq!(std::fs::read_to_string(secret.join(".bashrc")).expect("it is there"), SECRET);
}

#[test]
fn tests_write_nothing_without_being_asked_to() {
    let (project, _) = project("strange_silent");
    for args in [&["test", "t.pinion"][..], &["test", ".", "-v"], &["watch", "t.pinion", "--once", "--no-proof"]] {
        let output = at(&project, args);
        assert!(exit_code(&output) == 1 && transcript(&output).contains("1 new"), "{}", transcript(&output));
        assert_eq!(names(&project), ["t.pinion", "t.test"], "{args:?}");
    }
}

#[test]
fn links_in_the_place_of_snapshots_are_replaced() {
    let (project, secret) = project("strange_links");
    let name = snapshot(&project);
    let kept = project.join("snapshots");
    std::fs::create_dir(&kept).expect("a folder can be made");
    for (target, option) in
        [(".bashrc", "--accept"), (".bashrc", "--pending"), ("nobody", "--accept"), ("nobody", "--pending")]
    {
        let path = kept.join(if option == "--pending" { format!("{name}.new") } else { name.clone() });
        let _ = std::fs::remove_file(&path);
        symlink(secret.join(target), &path).expect("a link can be made");
        let ran = at(&project, &["test", "t.pinion"]);
        assert!(exit_code(&ran) == 1 && path.is_symlink(), "{}", transcript(&ran));
        let output = at(&project, &["test", "t.pinion", option]);
        assert_eq!(exit_code(&output), i32::from(option == "--pending"), "{}", transcript(&output));
        assert!(path.symlink_metadata().expect("it is there").is_file(), "{option}");
        assert_untouched(&secret);
        std::fs::remove_file(&path).expect("it can be deleted");
    }
}

#[test]
fn a_pipe_in_the_place_of_a_snapshot_is_not_opened() {
    let (project, _) = project("strange_pipe");
    let name = snapshot(&project);
    std::fs::create_dir(project.join("snapshots")).expect("a folder can be made");
    let path = project.join("snapshots").join(&name);
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("there is mkfifo");
    assert!(made.success());
    let words = transcript(&at(&project, &["test", "t.pinion"]));
    assert!(words.contains("1 new") && words.contains(".snap is not a file of text, so it is no snapshot"), "{words}");
    assert_eq!(exit_code(&at(&project, &["test", "t.pinion", "--accept"])), 0);
    assert!(path.is_file());
}

#[test]
fn what_is_no_file_in_the_place_of_tests_is_named() {
    let (project, _) = project("strange_tests");
    let path = project.join("t.test");
    std::fs::remove_file(&path).expect("it can be deleted");
    let kinds: [&dyn Fn(); 4] = [
        &|| assert!(std::process::Command::new("mkfifo").arg(&path).status().expect("there is mkfifo").success()),
        &|| std::fs::create_dir(&path).expect("a folder can be made"),
        &|| symlink("/dev/zero", &path).expect("a link can be made"),
        &|| symlink("nowhere", &path).expect("a link can be made"),
    ];
    for make in kinds {
        make();
        let output = at(&project, &["test", "t.pinion"]);
        let words = transcript(&output);
        assert!(exit_code(&output) == 3 && words.contains("t.test is not a file: its tests were not run"), "{words}");
        std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path)).expect("it can be deleted");
    }
    let name = snapshot_of(&project);
    for make in [&(|path: &Path| std::fs::create_dir(path)) as &dyn Fn(&Path) -> _, &|path| symlink("/dev/zero", path)]
    {
        let path = project.join("snapshots").join(&name);
        make(&path).expect("it can be made");
        let words = transcript(&at(&project, &["test", "t.pinion"]));
        assert!(words.contains(".snap is not a file of text, so it is no snapshot"), "{words}");
        std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path)).expect("it can be deleted");
    }
}

/// The name of the snapshot of a project without its test file, whose folder is left empty.
fn snapshot_of(project: &Path) -> String {
    write_file(project, "t.test", format!("{EASY} one\n"));
    let name = snapshot(project);
    std::fs::create_dir(project.join("snapshots")).expect("a folder can be made");
    name
}

/// A folder that the user may not read keeps nothing else from being checked.
#[test]
fn folders_without_permission_stop_nothing_else() {
    use std::os::unix::process::CommandExt;
    let (project, _) = project("strange_closed");
    write_file(&project, "loose.pinion", LOOSE.replace("technique t", "technique loose"));
    let closed = project.join("closed");
    std::fs::create_dir(&closed).expect("a folder can be made");
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o0)).expect("they can be set");
    for (args, words) in [
        (&["check", "."][..], "2 techniques: no errors"),
        (&["test", "."], "2 files, 2 techniques"),
        (&["lint", "."], "2 files, 2 techniques"),
        (&["fmt", "--check", "."], "1 file would be formatted"),
    ] {
        let mut command = pinion(args);
        if std::fs::read_dir(&closed).is_ok() {
            // The superuser may read every folder.
            command.uid(65_534);
        }
        let output = command.current_dir(&project).output().expect("the binary starts");
        let told = transcript(&output);
        assert!(
            exit_code(&output) == 3 && told.contains("closed cannot be read") && told.contains(words),
            "{args:?}: {told}"
        );
    }
}

#[test]
fn the_current_folder_is_no_cache() {
    let (project, _) = project("strange_home");
    let prove = |variables: &[(&str, &str)]| {
        let mut command = pinion(&["prove", "t.pinion"]);
        command.env_remove("PINION_CACHE").env_remove("XDG_CACHE_HOME").envs(variables.iter().copied());
        command.current_dir(&project).output().expect("the binary starts")
    };
    assert_eq!(exit_code(&prove(&[("HOME", "relative")])), 0);
    assert_eq!(names(&project), ["t.pinion", "t.test"]);
    let output = prove(&[("XDG_CACHE_HOME", "/dev/null")]);
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains("proofs cannot be kept in /dev/null") && words.lines().count() == 1, "{words}");
}

/// `-` is the standard output, and no message names the file that is written first.
#[test]
fn pages_go_where_they_are_meant_to_go() {
    let (project, _) = project("strange_page");
    let output = at(&project, &["report", EASY, "--profile", "basic", "-o", "-"]);
    let page = String::from_utf8(output.stdout).expect("text");
    assert!(page.starts_with("<!") && page.ends_with("</html>\n"), "{page}");
    assert_eq!(names(&project), ["t.pinion", "t.test"]);
    let output = at(&project, &["stats", EASY, "--no-leave-out", "--profile", "basic", "--svg", "-"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("</svg>"), "{}", transcript(&output));
    assert_eq!(names(&project), ["t.pinion", "t.test"]);
    for args in [&["report", EASY, "-o", "nowhere/x.html"][..], &["hint", EASY, "--svg", "nowhere/x.svg"]] {
        let output = at(&project, args);
        let words = transcript(&output);
        assert!(exit_code(&output) == 3 && words.contains("nowhere/x.") && !words.contains(".tmp"), "{words}");
    }
}

/// A limit on the size of files is an error, and leaves nothing behind.
#[test]
fn a_limit_on_files_is_an_error() {
    let (project, _) = project("strange_limit");
    let script = "ulimit -f 1; exec \"$0\" report \"$1\" --profile basic -o page.html";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_pinion"), EASY]).current_dir(&project);
    let output = command.output().expect("there is a shell");
    assert!(
        exit_code(&output) == 3 && transcript(&output).contains("page.html cannot be written: File too large"),
        "{}",
        transcript(&output)
    );
    assert_eq!(names(&project), ["t.pinion", "t.test"]);
}

#[test]
fn snapshot_folders_that_are_links_are_refused() {
    let (project, secret) = project("strange_folder");
    std::fs::create_dir(project.join("inside")).expect("a folder can be made");
    let absolute = project.join("t.pinion").to_str().expect("a plain path").to_owned();
    for target in [secret.clone(), "../home".into(), "/nowhere".into(), "inside".into(), "..".into()] {
        symlink(&target, project.join("snapshots")).expect("a link can be made");
        for args in [
            &["test", "t.pinion", "--accept"][..],
            &["test", "t.pinion", "--pending"],
            &["test", ".", "--accept"],
            &["test", &absolute, "--accept"],
        ] {
            let output = at(&project, args);
            assert_eq!(exit_code(&output), 3, "{args:?} {}", transcript(&output));
            let words = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(words.contains("snapshots is a link") && words.matches("error:").count() == 1, "{words}");
            assert!(String::from_utf8_lossy(&output.stdout).contains("t.test:1: snapshot"), "{}", transcript(&output));
            assert!(names(&project.join("inside")).is_empty());
        }
        let elsewhere = pinion(&["test", &absolute, "--accept"]).current_dir("/").output().expect("it starts");
        assert_eq!(exit_code(&elsewhere), 3, "{}", transcript(&elsewhere));
        assert_untouched(&secret);
        std::fs::remove_file(project.join("snapshots")).expect("it can be deleted");
    }
    assert_eq!(exit_code(&at(&project, &["test", "t.pinion", "--accept"])), 0);
}

/// Rules that are found through a link are run; nothing is written or deleted beside them.
#[test]
fn folders_behind_links_are_left_alone() {
    let (project, secret) = project("strange_behind");
    let theirs = secret.parent().expect("a folder").join("theirs");
    std::fs::create_dir(&theirs).expect("a folder can be made");
    write_file(&theirs, "other.pinion", LOOSE.replace("technique t", "technique other"));
    write_file(&theirs, "other.test", format!("{EASY} one\n"));
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
        let output = at(&project, args);
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(exit_code(&output) == 3 && words.contains("rules is a link to"), "{args:?} {}", transcript(&output));
        assert!(words.contains("name the folder itself"), "{words}");
        assert_eq!(names(&theirs), ["other.pinion", "other.test"], "{args:?}");
        assert!(std::fs::read_to_string(theirs.join("other.pinion")).expect("a rule").contains("c:   cell"));
    }
    // The folder itself is no link.
    assert_eq!(exit_code(&at(&project, &["fmt", "../theirs"])), 0);
}

#[test]
fn links_in_the_place_of_named_files_are_replaced() {
    let (project, secret) = project("strange_outputs");
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
        let loose = write_file(&secret, "loose.pinion", LOOSE);
        symlink(
            if args[0] == "fmt" { loose.clone() } else { secret.join(".bashrc").to_str().expect("plain").into() },
            &path,
        )
        .expect("a link can be made");
        let output = at(&project, args);
        assert!(exit_code(&output) <= 1, "{args:?} {}", transcript(&output));
        assert!(!path.is_symlink() && path.is_file(), "{args:?}");
        assert_eq!(std::fs::read_to_string(&loose).expect("a rule"), LOOSE);
        std::fs::remove_file(&loose).expect("it can be deleted");
        assert_untouched(&secret);
        std::fs::remove_file(&path).expect("it can be deleted");
    }
    // A file that is made must not be there, and a link is.
    for target in [secret.join(".bashrc"), secret.join("nobody")] {
        symlink(target, project.join("fresh.pinion")).expect("a link can be made");
        let output = at(&project, &["new", "fresh"]);
        assert!(exit_code(&output) == 2 && transcript(&output).contains("exists already"), "{}", transcript(&output));
        assert_untouched(&secret);
        std::fs::remove_file(project.join("fresh.pinion")).expect("it can be deleted");
    }
}

#[test]
fn the_cache_follows_no_links() {
    let (project, secret) = project("strange_cache");
    let cache = secret.parent().expect("a folder").join("cache");
    let prove = |args: &[&str]| {
        let mut command = pinion(&[&["prove", "t.pinion", "--format", "json"], args].concat());
        command.env("PINION_CACHE", &cache).current_dir(&project).output().expect("the binary starts")
    };
    assert_eq!(json_output(&prove(&[]))["status"], "proved");
    let record = cache.join("proofs").join(&names(&cache.join("proofs"))[0]);
    std::fs::remove_file(&record).expect("it can be deleted");
    symlink(secret.join(".bashrc"), &record).expect("a link can be made");
    assert_eq!(json_output(&prove(&[]))["status"], "proved");
    assert!(!record.is_symlink());
    assert_untouched(&secret);
    std::fs::remove_dir_all(cache.join("proofs")).expect("it can be deleted");
    symlink(&secret, cache.join("proofs")).expect("a link can be made");
    let output = prove(&[]);
    assert!(exit_code(&output) == 0 && transcript(&output).contains("cannot be kept"), "{}", transcript(&output));
    assert_untouched(&secret);
}

/// The file that replaces another has its permissions, and a new one those that the user's mask leaves.
#[test]
fn permissions_are_kept() {
    let (project, _) = project("strange_modes");
    for mode in [0o600, 0o640, 0o644, 0o400] {
        let path = write_file(&project, "loose.pinion", LOOSE);
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("they can be set");
        assert_eq!(exit_code(&at(&project, &["fmt", "loose.pinion"])), 0);
        assert_eq!(std::fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, mode);
        std::fs::remove_file(&path).expect("it can be deleted");
    }
}

/// The results come first, then one message.
#[test]
fn results_are_shown_where_snapshots_cannot_be_written() {
    let (project, _) = project("strange_unwritable");
    write_file(&project, "t.test", format!("{EASY} one\n12..3.......4..1 two\n"));
    write_file(&project, "snapshots", "a file in the place of the folder");
    let plain = at(&project, &["test", "t.pinion"]);
    assert!(
        exit_code(&plain) == 1 && transcript(&plain).contains("2 new") && plain.stderr.is_empty(),
        "{}",
        transcript(&plain)
    );
    for option in ["--accept", "--pending"] {
        let output = at(&project, &["test", "t.pinion", option]);
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(exit_code(&output) == 3 && words.lines().count() == 1, "{}", transcript(&output));
        assert!(words.contains("cannot be written") && words.contains("(and 1 more file)"), "{words}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("2 new"), "{}", transcript(&output));
    }
    let output = run(&["test", &write_file(&project, "t.pinion", RULE), "--junit", "/nowhere/results.xml"]);
    assert!(exit_code(&output) == 3 && transcript(&output).contains("2 new"), "{}", transcript(&output));
}
