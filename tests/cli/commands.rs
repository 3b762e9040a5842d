//! Every command has a help with an example, a section in `docs/cli.md`, and a test that runs it.

use super::{assert_output, exit_code, fresh_folder, run, transcript, write_file};
use std::path::Path;

fn read_project_file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of all commands, as `pinion --help` lists them.
fn commands() -> Vec<String> {
    let help = transcript(&run(&["--help"]));
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<String> = names.filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect();
    assert!(names.len() > 20 && names.contains(&"why-not".to_string()), "{help}");
    names.into_iter().filter(|name| name != "help").collect()
}

/// The sections of `docs/cli.md`: the commands in the title and the text.
fn sections(page: &str) -> Vec<(Vec<&str>, &str)> {
    let parts = page.split("\n## ").skip(1).filter_map(|part| part.split_once('\n'));
    parts.map(|(title, text)| (title.split(", ").collect(), text)).collect()
}

#[test]
fn each_command_has_a_help_with_an_example() {
    for name in commands() {
        let output = run(&[&name, "--help"]);
        assert_eq!(exit_code(&output), 0, "{name}");
        let help = transcript(&output);
        let example = help.lines().skip_while(|line| *line != "Example:").nth(1).unwrap_or_default();
        assert!(example.starts_with(&format!("  pinion {name}")), "the help of {name} has no example:\n{help}");
    }
}

#[test]
fn the_pages_list_each_command() {
    let (page, readme) = (read_project_file("docs/cli.md"), read_project_file("README.md"));
    for name in commands() {
        assert!(page.contains(&format!("\n| `{name}` | ")), "docs/cli.md does not list {name}");
        assert!(readme.contains(&format!("`pinion {name}")), "README.md does not name {name}");
        let section = sections(&page).into_iter().find(|(names, _)| names.contains(&name.as_str()));
        let (_, text) = section.unwrap_or_else(|| panic!("docs/cli.md has no section on {name}"));
        assert!(text.contains(&format!("pinion {name}")), "the section on {name} shows no example");
    }
}

#[test]
fn a_help_lists_the_options_of_its_command_first() {
    let help = transcript(&run(&["why-not", "-h"]));
    let (own_options, common_options) = help.split_once("Options of every command:").expect("a heading");
    assert!(own_options.contains("--technique") && own_options.contains("--after"), "{help}");
    assert!(
        ["--rules", "--format", "--color", "--memory"].iter().all(|option| common_options.contains(option)),
        "{help}"
    );
}

#[test]
fn each_help_explains_its_options() {
    for name in commands() {
        let help = transcript(&run(&[&name, "-h"]));
        let options = help.lines().skip_while(|line| *line != "Options:").take_while(|line| *line != "Example:");
        for line in options.filter(|line| line.trim_start().starts_with('-') && !line.starts_with("        ")) {
            // The explanation follows the option after two blanks, or on the next line.
            let has_explanation = line.trim_start().split("  ").skip(1).any(|rest| !rest.trim().is_empty());
            let next_line = help.lines().skip_while(|other| *other != line).nth(1).unwrap_or_default();
            assert!(has_explanation || next_line.starts_with("      "), "{name}: {line}");
        }
    }
}

#[test]
fn a_test_runs_each_command() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("tests").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs") && !file.ends_with("commands.rs"));
    let files = files.iter().map(|file| std::fs::read_to_string(file).expect("text"));
    let text: String = files.chain([read_project_file("tests/cli.rs")]).collect();
    for name in commands() {
        assert!(
            text.contains(&format!("\"{name}\", ")) || text.contains(&format!("\"{name}\"]")),
            "no test runs {name}"
        );
    }
}

#[test]
fn a_negative_count_in_a_rule_without_parameters_is_explained() {
    let rule = "technique t \"T\" {\n  h: house\n  s: cells[9 - 20] in h\n  require #digits(s) = 4\n  eliminate digits(s) from h - s\n}\n";
    let path = write_file(&fresh_folder("negative_count"), "t.pinion", rule);
    let text = transcript(&run(&["check", &path]));
    assert!(text.contains("how many `s` holds would be -11, but a count is 0 or more"), "{text}");
}

#[test]
fn a_quote_that_was_meant_as_escaped_and_a_negative_number_have_a_help() {
    let folder = fresh_folder("line_helps");
    for (line, help) in [
        ("says \"the \\\"last\\\" digit\"", "a text ends at the next `\"`, even after `\\`: write `'` inside a text"),
        ("s: cells[-1]", "a number is 0 or more"),
    ] {
        let rule = format!("technique t \"T\" {{\n  c: cell = {{d}}\n  place d in c\n  {line}\n}}\n");
        let text = transcript(&run(&["check", &write_file(&folder, "t.pinion", rule)]));
        assert!(text.contains(help), "{text}");
    }
}

#[test]
fn an_empty_range_of_arguments_is_an_error_of_the_profile() {
    let profile = "(name: \"mine\", rows: [(technique: \"naked_subset\", args: [\"9..2\"])])";
    let output = run(&["check", &write_file(&fresh_folder("empty_range"), "mine.ron", profile)]);
    assert_output(&output, 1, "`9..2` is an empty range");
}

#[test]
fn a_word_of_letters_that_can_be_digits_is_taken_for_a_missing_file() {
    let text = transcript(&run(&["solve", "LOOPED_LINK"]));
    assert!(text.contains("there is no file `LOOPED_LINK`, and it is not a puzzle either"), "{text}");
}
