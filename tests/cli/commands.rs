//! Every command, present and future: it is explained, has its place on the pages, and is run by some test.

use super::{exit_code, run, transcript};
use std::path::Path;

fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The commands as the program itself knows them.
fn commands() -> Vec<String> {
    let help = transcript(&run(&["--help"]));
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<String> = names.filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect();
    assert!(names.len() > 20 && names.contains(&"why-not".to_string()), "{help}");
    names.into_iter().filter(|name| name != "help").collect()
}

/// The sections of the page on the command line, each with its text.
fn sections(page: &str) -> Vec<(Vec<&str>, &str)> {
    let parts = page.split("\n## ").skip(1).filter_map(|part| part.split_once('\n'));
    parts.map(|(title, text)| (title.split(", ").collect(), text)).collect()
}

#[test]
fn each_has_a_help_with_an_example() {
    for name in commands() {
        let output = run(&[&name, "--help"]);
        assert_eq!(exit_code(&output), 0, "{name}");
        let help = transcript(&output);
        let example = help.lines().skip_while(|line| *line != "Example:").nth(1).unwrap_or_default();
        assert!(example.starts_with(&format!("  pinion {name}")), "the help of {name} has no example:\n{help}");
    }
}

#[test]
fn each_has_its_place_on_the_pages() {
    let (page, readme) = (read("docs/cli.md"), read("README.md"));
    for name in commands() {
        assert!(page.contains(&format!("\n| `{name}` | ")), "docs/cli.md does not list {name}");
        assert!(readme.contains(&format!("`pinion {name}")), "README.md does not name {name}");
        let section = sections(&page).into_iter().find(|(names, _)| names.contains(&name.as_str()));
        let (_, text) = section.unwrap_or_else(|| panic!("docs/cli.md has no section on {name}"));
        assert!(text.contains(&format!("pinion {name}")), "the section on {name} shows no example");
    }
}

#[test]
fn options_of_a_command_come_before_those_of_all() {
    let help = transcript(&run(&["why-not", "-h"]));
    let (own, every) = help.split_once("Options of every command:").expect("a heading");
    assert!(own.contains("--technique") && own.contains("--after"), "{help}");
    assert!(["--rules", "--format", "--color", "--memory"].iter().all(|word| every.contains(word)), "{help}");
}

#[test]
fn each_option_is_explained_in_its_help() {
    for name in commands() {
        let help = transcript(&run(&[&name, "-h"]));
        let options = help.lines().skip_while(|line| *line != "Options:").take_while(|line| *line != "Example:");
        for line in options.filter(|line| line.trim_start().starts_with('-') && !line.starts_with("        ")) {
            // An option and its meaning are two blanks apart, or the meaning stands on the next line.
            let meaning = line.trim_start().split("  ").skip(1).any(|rest| !rest.trim().is_empty());
            let next = help.lines().skip_while(|other| *other != line).nth(1).unwrap_or_default();
            assert!(meaning || next.starts_with("      "), "{name}: {line}");
        }
    }
}

#[test]
fn each_is_run_by_a_test_of_its_output() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("tests").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "rs") && !file.ends_with("commands.rs"));
    let files = files.iter().map(|file| std::fs::read_to_string(file).expect("text"));
    let text: String = files.chain([read("tests/cli.rs")]).collect();
    for name in commands() {
        assert!(
            text.contains(&format!("\"{name}\", ")) || text.contains(&format!("\"{name}\"]")),
            "no test runs {name}"
        );
    }
}
