//! Foreign text: output for people shows visible symbols in place of control characters; data such as JSON keeps the characters.

use super::pictures::output_on_terminal_of_type;
use super::{EASY, exit_code, fresh_folder, json_lines, json_output, pinion, run, run_with, transcript, write_file};

/// Escape sequences, a bell, a C1 control sequence, a right-to-left override, a zero-width space, a delete character.
const FOREIGN: &str = "\u{1b}]0;title\u{7}\u{1b}[31mred\u{9b}2J\u{202e}back\u{200b}end\u{7f}";
const VISIBLE: &str = "␛]0;title␇␛[31mred<U+009B>2J<U+202E>back<U+200B>end␡";

/// A rule whose texts contain control characters.
fn rule_text() -> String {
    format!(
        "technique foreign \"F {FOREIGN}\" {{\n  c: cell = {{d}}\n  place d in c\n  says \"s {FOREIGN}\"\n  because \"b {FOREIGN}\"\n}}\n\n\
         example foreign \"t {FOREIGN}\" {{\n  grid \"12..3.......4..1\"\n  finds r1c1=4\n}}\n"
    )
}

/// The characters of a text that control a terminal, change the direction of writing or are invisible.
fn harmful_characters(text: &str) -> Vec<char> {
    let is_harmful = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(is_harmful).collect()
}

#[test]
fn messages_show_control_characters_as_symbols() {
    let folder = fresh_folder("foreign_people");
    let rule = write_file(&folder, "foreign.pinion", rule_text());
    let broken = write_file(
        &folder,
        "broken.pinion",
        format!("technique broken \"B {FOREIGN}\" {{\n  // {FOREIGN}\n  {FOREIGN} c: cell = {{d}}\n}}\n"),
    );
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY} {FOREIGN}\nbad {FOREIGN}\n"));
    let profile = write_file(&folder, "profile.ron", format!("(name: \"P {}\", rows: [])", FOREIGN.escape_unicode()));
    let with_strange_name = write_file(&folder, "odd \u{1b}[31m.pinion", UNFORMATTED);
    let missing = folder.join("missing \u{1b}[31m.pinion").to_str().expect("a path in UTF-8").to_owned();
    let commands: Vec<Vec<&str>> = vec![
        vec!["solve", EASY, "--rules", &rule],
        vec!["solve", &puzzles],
        vec!["solve", &puzzles, "--profile", &profile],
        vec!["find", EASY, "--rules", &rule, "-t", "foreign"],
        vec!["why", EASY, "--rules", &rule, "-t", "foreign"],
        vec!["hint", EASY, "--rules", &rule],
        vec!["list", "--rules", &rule],
        vec!["check", &rule],
        vec!["check", &broken],
        vec!["check", &with_strange_name],
        vec!["check", &missing],
        vec!["lint", &rule],
        vec!["test", &rule],
        vec!["test", &rule, "-v"],
        vec!["prove", &rule],
        vec!["emit", "plan", &rule],
        vec!["fmt", "--check", &rule],
        vec!["fmt", "--check", &broken],
        vec!["fmt", "--check", &with_strange_name],
        vec!["stats", &puzzles, "--no-leave-out", "--rules", &rule],
        vec!["rate", &puzzles],
        vec!["solve", "\u{1b}[31m"],
        vec!["solve", EASY, "--\u{1b}[31m"],
        vec!["\u{1b}[31m"],
        vec!["find", EASY, "-t", "\u{1b}[31m"],
        vec!["explain", "\u{1b}[31m"],
        vec!["solve", EASY, "--board", "\u{1b}[31m"],
    ];
    for args in commands {
        let output = run(&args);
        let text = transcript(&output);
        assert_eq!(harmful_characters(&text), [], "{args:?}: {text:?}");
    }
    let text = transcript(&run(&["find", EASY, "--rules", &rule, "-t", "foreign"]));
    assert!(text.contains(&format!("s {VISIBLE}")) && text.contains(&format!("B {VISIBLE}")), "{text}");
    assert!(transcript(&run(&["check", &broken])).contains(VISIBLE));
    assert!(transcript(&run(&["solve", &puzzles])).contains(VISIBLE));
}

/// Many marks on one letter would cover the lines around it.
#[test]
fn marks_beyond_a_few_and_invisible_characters_are_shown_as_codes() {
    let output =
        |note: &str| transcript(&run_with(&["solve", "-", "--summary"], format!("{EASY} # {note}\n").as_bytes()));
    let with_many_marks = output(&format!("e{}x", "\u{301}".repeat(400)));
    assert!(
        with_many_marks.matches('\u{301}').count() <= 4 && with_many_marks.matches("<U+0301>").count() >= 396,
        "{with_many_marks}"
    );
    let with_mixed_marks = output(&"\u{301}\u{316}\u{20dd}\u{489}".repeat(50));
    assert!(with_mixed_marks.matches("<U+").count() >= 196, "{with_mixed_marks}");
    for (foreign, code) in
        [("a\u{2800}b", "<U+2800>"), ("a\u{fe0f}b", "<U+FE0F>"), ("\u{2764}\u{fe0f}\u{fe0f}", "<U+FE0F>")]
    {
        assert!(output(foreign).contains(code), "{foreign:?}: {}", output(foreign));
    }
    // Letters with their usual marks, emoji and keycaps are unchanged.
    for text in [
        "e\u{301} a\u{302}\u{301} n\u{303}",
        "\u{2764}\u{fe0f} 1\u{fe0f}\u{20e3}",
        "\u{e17}\u{e35}\u{e48} \u{5d1}\u{5bc}\u{5b0}",
    ] {
        assert!(output(text).contains(text), "{text:?}: {}", output(text));
    }
}

const UNFORMATTED: &str = "technique t \"T\" {\n    c:   cell = {d}\n place   d in c\n}\n";

#[test]
fn github_annotations_show_control_characters_as_symbols() {
    let folder = fresh_folder("foreign_github \u{1b}]0;x\u{7}");
    let rule_with_error = format!("technique t \"T\" {{\n  c: cell {FOREIGN} = {{d}}\n}}\n");
    let files = [write_file(&folder, "error.pinion", rule_with_error), write_file(&folder, "rule.pinion", rule_text())];
    for file in &files {
        for command in ["check", "lint", "test"] {
            let annotations = transcript(&run(&[command, file, "--format", "github"]));
            assert_eq!(harmful_characters(&annotations), [], "{command}: {annotations:?}");
        }
    }
    assert!(transcript(&run(&["check", &files[0], "--format", "github"])).contains("::error file="));
    assert!(transcript(&run(&["test", &files[1], "--format", "github"])).contains("::error file="));
}

/// The marks under a line take into account that a symbol is wider than the character that it replaces.
#[test]
fn marks_under_a_line_allow_for_the_width_of_symbols() {
    let folder = fresh_folder("foreign_places");
    let source = "technique t \"\u{1b}\u{202e}\" {\n  /* \u{9b} */ c: celll = {d}\n  place d in c\n}\n";
    let plain = source.replace('\u{1b}', "x").replace(['\u{202e}', '\u{9b}'], "xxxxxxxx");
    let marks = |text: &str| {
        let output = transcript(&run(&["check", &write_file(&folder, "t.pinion", text)]));
        output.lines().filter(|line| line.contains(['┬', '╰', '─'])).map(str::to_owned).collect::<Vec<_>>()
    };
    let (marks_of_source, marks_of_plain) = (marks(source), marks(&plain));
    assert!(!marks_of_source.is_empty());
    // The first line names the column in the source, which may differ.
    assert_eq!(marks_of_source[1..], marks_of_plain[1..]);
}

#[test]
fn data_in_pipes_keeps_control_characters() {
    let folder = fresh_folder("foreign_data");
    let note = FOREIGN.replace('\u{200b}', "");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY} {note}\n"));
    for format in ["csv", "81"] {
        let output = run(&["convert", &puzzles, "--to", format]);
        assert!(transcript(&output).contains(&note), "{format}: {:?}", transcript(&output));
    }
    for format in ["json", "ron"] {
        let rule = write_file(&folder, "foreign.pinion", rule_text());
        let output = run(&["find", EASY, "--rules", &rule, "-t", "foreign", "--format", format]);
        assert!(exit_code(&output) == 0 && !transcript(&output).contains('␛'), "{}", transcript(&output));
        if format == "json" {
            let text = json_lines(&output)[0]["result"]["steps"][0]["reason"].to_string();
            assert!(text.contains("\\u001b]0;title") && text.contains('\u{202e}'), "{text}");
        }
    }
    let rule = format!("// {FOREIGN}\ntechnique t \"T\" {{\n  c: cell = {{d}}\n  place d in c\n}}\n");
    let output = run_with(&["fmt", "-"], rule.as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stdout), rule);
}

#[test]
fn data_on_a_terminal_shows_symbols_or_escapes() {
    let folder = fresh_folder("foreign_terminal");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY} {FOREIGN}\n"));
    let Some(output) = output_on_terminal_of_type("dumb", 200, &format!("convert {puzzles} --to csv")) else { return };
    assert!(output.contains(VISIBLE) && harmful_characters(&output).is_empty(), "{output:?}");
    let output =
        output_on_terminal_of_type("dumb", 200, &format!("solve {puzzles} --format json")).expect("a terminal");
    assert!(harmful_characters(&output).is_empty(), "{output:?}");
    let value: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!(value["note"], FOREIGN);
}

#[test]
fn pictures_and_pages_show_symbols() {
    let folder = fresh_folder("foreign_pages");
    let rule = write_file(&folder, "foreign.pinion", rule_text());
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY} {FOREIGN}\n{EASY} {FOREIGN}\n"));
    let (svg, page, chart) = (folder.join("a.svg"), folder.join("a.html"), folder.join("b.svg"));
    let path = |path: &std::path::Path| path.to_str().expect("a path in UTF-8").to_owned();
    assert_eq!(exit_code(&run(&["find", EASY, "--rules", &rule, "-t", "foreign", "--svg", &path(&svg)])), 0);
    run(&["report", &puzzles, "--rules", &rule, "-o", &path(&page)]);
    run(&["stats", &puzzles, "--rules", &rule, "--no-leave-out", "--svg", &path(&chart)]);
    for picture in [&svg, &chart] {
        let text = std::fs::read_to_string(picture).expect("the file is written");
        roxmltree::Document::parse(&text).expect("XML");
        assert_eq!(harmful_characters(&text), []);
    }
    assert!(std::fs::read_to_string(&svg).expect("a picture").contains("␛]0;title␇"));
    let text = std::fs::read_to_string(&page).expect("the file is written");
    assert!(harmful_characters(&text).is_empty() && text.contains("\\u003cU+202E>"), "{:?}", harmful_characters(&text));
}

#[test]
fn a_junit_file_with_control_characters_is_xml() {
    let folder = fresh_folder("foreign_junit");
    let rule = write_file(&folder, "foreign.pinion", rule_text());
    let results = folder.join("results.xml");
    run(&["test", &rule, "--junit", results.to_str().expect("a path in UTF-8")]);
    let text = std::fs::read_to_string(&results).expect("the file is written");
    let document = roxmltree::Document::parse(&text).expect("XML");
    let name = document.descendants().find_map(|node| node.attribute("name").filter(|name| name.contains("title")));
    assert!(name.is_some_and(|name| name.contains("␛]0;title␇␛[31mred\u{9b}2J\u{202e}back")), "{name:?}");
}

#[test]
fn csv_tables_contain_no_formulas() {
    let folder = fresh_folder("foreign_formulas");
    for note in ["=1+1", "+1", "-1+1", "@SUM(A1)", "=cmd|' /C calc'!A0, \"x\" y", "plain, \"x\" y", "it's"] {
        let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY} {note}\n"));
        let output = run(&["convert", &puzzles, "--to", "csv"]);
        let table = String::from_utf8(output.stdout).expect("text");
        let field = table.lines().nth(1).and_then(|line| line.splitn(5, ',').nth(4)).expect("a note");
        let field = field.trim_start_matches('"');
        assert!(!field.starts_with(['=', '+', '-', '@']), "{note}: {table}");
        // The note is read back unchanged from the table.
        let back = run_with(&["convert", "-", "--to", "jsonl"], table.as_bytes());
        let value = json_output(&back);
        assert_eq!(value["note"], *note, "{table}");
    }
    let rule = "technique foreign \"=1+1\" {\n  c: cell = {d}\n  place d in c\n}\n";
    let rule = write_file(&folder, "foreign.pinion", rule);
    let output = transcript(&run(&["stats", EASY, "--rules", &rule, "--no-leave-out", "--csv"]));
    assert!(!output.lines().any(|line| line.starts_with('=')), "{output}");
}

#[test]
fn environment_variables_decide_about_colours() {
    let has_colours = |variables: &[(&str, &str)], args: &[&str]| {
        let mut command = pinion(args);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR").env("TERM", "xterm");
        command.envs(variables.iter().copied());
        transcript(&command.output().expect("the binary starts")).contains('\u{1b}')
    };
    for args in [&["solve", EASY][..], &["solve", "what?"], &["check", "nowhere.pinion"], &["--help"], &["solve"]] {
        assert!(!has_colours(&[], args) && !has_colours(&[("CLICOLOR_FORCE", "0")], args), "{args:?}");
        assert!(!has_colours(&[("CLICOLOR_FORCE", "")], args) && !has_colours(&[("CLICOLOR", "1")], args), "{args:?}");
        assert!(has_colours(&[("CLICOLOR_FORCE", "1")], args), "{args:?}");
        assert!(!has_colours(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], args), "{args:?}");
        assert!(has_colours(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], args), "{args:?}");
    }
    assert!(has_colours(&[("CLICOLOR_FORCE", "0"), ("NO_COLOR", "1")], &["solve", EASY, "--color", "always"]));
}
