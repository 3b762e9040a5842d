//! Text of strangers: control characters are shown as signs to people, and kept in data.

use super::pictures::on_a_terminal_of;
use super::{EASY, exit_code, fresh_folder, json_lines, pinion, run, run_with, transcript, write_file};

/// Escape sequences, a bell, a carriage return, a C1 control sequence, an override of direction, a zero-width space.
const FOREIGN: &str = "\u{1b}]0;title\u{7}\u{1b}[31mred\u{9b}2J\u{202e}back\u{200b}end\u{7f}";
const SHOWN: &str = "␛]0;title␇␛[31mred<U+009B>2J<U+202E>back<U+200B>end␡";

/// A rule whose texts hold what a terminal would obey.
fn rule() -> String {
    format!(
        "technique foreign \"F {FOREIGN}\" {{\n  c: cell = {{d}}\n  place d in c\n  says \"s {FOREIGN}\"\n  because \"b {FOREIGN}\"\n}}\n\n\
         example foreign \"t {FOREIGN}\" {{\n  grid \"12..3.......4..1\"\n  finds r1c1=4\n}}\n"
    )
}

/// Returns the characters of a text that a terminal obeys or that hide something.
fn obeyed(text: &str) -> Vec<char> {
    let bad = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(bad).collect()
}

#[test]
fn people_see_signs_in_pipes() {
    let folder = fresh_folder("foreign_people");
    let rule = write_file(&folder, "foreign.pinion", rule());
    let broken = write_file(
        &folder,
        "broken.pinion",
        format!("technique broken \"B {FOREIGN}\" {{\n  // {FOREIGN}\n  {FOREIGN} c: cell = {{d}}\n}}\n"),
    );
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY} {FOREIGN}\nbad {FOREIGN}\n"));
    let profile = write_file(&folder, "profile.ron", format!("(name: \"P {}\", rows: [])", FOREIGN.escape_unicode()));
    let odd = write_file(&folder, "odd \u{1b}[31m.pinion", LOOSE);
    let missing = folder.join("missing \u{1b}[31m.pinion").to_str().expect("a plain path").to_owned();
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
        vec!["check", &odd],
        vec!["check", &missing],
        vec!["lint", &rule],
        vec!["test", &rule],
        vec!["test", &rule, "-v"],
        vec!["prove", &rule],
        vec!["emit", "plan", &rule],
        vec!["fmt", "--check", &rule],
        vec!["fmt", "--check", &broken],
        vec!["fmt", "--check", &odd],
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
        let words = transcript(&output);
        assert_eq!(obeyed(&words), [], "{args:?}: {words:?}");
    }
    let words = transcript(&run(&["find", EASY, "--rules", &rule, "-t", "foreign"]));
    assert!(words.contains(&format!("s {SHOWN}")) && words.contains(&format!("B {SHOWN}")), "{words}");
    assert!(transcript(&run(&["check", &broken])).contains(SHOWN));
    assert!(transcript(&run(&["solve", &puzzles])).contains(SHOWN));
}

/// Marks that pile up over the lines around them, and characters that show nothing.
#[test]
fn floods_of_marks_are_cut() {
    let shown =
        |note: &str| transcript(&run_with(&["solve", "-", "--summary"], format!("{EASY} # {note}\n").as_bytes()));
    let marks = shown(&format!("e{}x", "\u{301}".repeat(400)));
    assert!(marks.matches('\u{301}').count() <= 4 && marks.matches("<U+0301>").count() >= 396, "{marks}");
    let mixed = shown(&"\u{301}\u{316}\u{20dd}\u{489}".repeat(50));
    assert!(mixed.matches("<U+").count() >= 196, "{mixed}");
    for (foreign, sign) in
        [("a\u{2800}b", "<U+2800>"), ("a\u{fe0f}b", "<U+FE0F>"), ("\u{2764}\u{fe0f}\u{fe0f}", "<U+FE0F>")]
    {
        assert!(shown(foreign).contains(sign), "{foreign:?}: {}", shown(foreign));
    }
    // Letters with their marks, emoji and keys stay as they are.
    for fine in [
        "e\u{301} a\u{302}\u{301} n\u{303}",
        "\u{2764}\u{fe0f} 1\u{fe0f}\u{20e3}",
        "\u{e17}\u{e35}\u{e48} \u{5d1}\u{5bc}\u{5b0}",
    ] {
        assert!(shown(fine).contains(fine), "{fine:?}: {}", shown(fine));
    }
}

const LOOSE: &str = "technique t \"T\" {\n    c:   cell = {d}\n place   d in c\n}\n";

#[test]
fn annotations_hold_signs() {
    let folder = fresh_folder("foreign_github \u{1b}]0;x\u{7}");
    let loose = format!("technique t \"T\" {{\n  c: cell {FOREIGN} = {{d}}\n}}\n");
    let texts = [write_file(&folder, "loose.pinion", loose), write_file(&folder, "rule.pinion", rule())];
    for text in &texts {
        for command in ["check", "lint", "test"] {
            let words = transcript(&run(&[command, text, "--format", "github"]));
            assert_eq!(obeyed(&words), [], "{command}: {words:?}");
        }
    }
    assert!(transcript(&run(&["check", &texts[0], "--format", "github"])).contains("::error file="));
    assert!(transcript(&run(&["test", &texts[1], "--format", "github"])).contains("::error file="));
}

/// The place that a diagnostic marks is still the one that is meant.
#[test]
fn places_are_marked_behind_signs() {
    let folder = fresh_folder("foreign_places");
    let source = "technique t \"\u{1b}\u{202e}\" {\n  /* \u{9b} */ c: celll = {d}\n  place d in c\n}\n";
    let plain = source.replace('\u{1b}', "x").replace(['\u{202e}', '\u{9b}'], "xxxxxxxx");
    let marks = |text: &str| {
        let words = transcript(&run(&["check", &write_file(&folder, "t.pinion", text)]));
        words.lines().filter(|line| line.contains(['┬', '╰', '─'])).map(str::to_owned).collect::<Vec<_>>()
    };
    let (of_source, of_plain) = (marks(source), marks(&plain));
    assert!(!of_source.is_empty());
    // Only the columns that the heading names may differ.
    assert_eq!(of_source[1..], of_plain[1..]);
}

#[test]
fn data_is_the_same_in_pipes() {
    let folder = fresh_folder("foreign_data");
    let note = FOREIGN.replace('\u{200b}', "");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY} {note}\n"));
    for format in ["csv", "81"] {
        let output = run(&["convert", &puzzles, "--to", format]);
        assert!(transcript(&output).contains(&note), "{format}: {:?}", transcript(&output));
    }
    for format in ["json", "ron"] {
        let rule = write_file(&folder, "foreign.pinion", rule());
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
fn data_is_shown_as_signs_on_a_terminal() {
    let folder = fresh_folder("foreign_terminal");
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY} {FOREIGN}\n"));
    let Some(shown) = on_a_terminal_of("dumb", 200, &format!("convert {puzzles} --to csv")) else { return };
    assert!(shown.contains(SHOWN) && obeyed(&shown).is_empty(), "{shown:?}");
    let shown = on_a_terminal_of("dumb", 200, &format!("solve {puzzles} --format json")).expect("a terminal");
    assert!(obeyed(&shown).is_empty(), "{shown:?}");
    let value: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(value["note"], FOREIGN);
}

#[test]
fn pictures_and_pages_hold_signs() {
    let folder = fresh_folder("foreign_pages");
    let rule = write_file(&folder, "foreign.pinion", rule());
    let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY} {FOREIGN}\n{EASY} {FOREIGN}\n"));
    let (svg, page, chart) = (folder.join("a.svg"), folder.join("a.html"), folder.join("b.svg"));
    let path = |path: &std::path::Path| path.to_str().expect("a plain path").to_owned();
    assert_eq!(exit_code(&run(&["find", EASY, "--rules", &rule, "-t", "foreign", "--svg", &path(&svg)])), 0);
    run(&["report", &puzzles, "--rules", &rule, "-o", &path(&page)]);
    run(&["stats", &puzzles, "--rules", &rule, "--no-leave-out", "--svg", &path(&chart)]);
    for one in [&svg, &chart] {
        let text = std::fs::read_to_string(one).expect("it was written");
        roxmltree::Document::parse(&text).expect("it is XML");
        assert_eq!(obeyed(&text), []);
    }
    assert!(std::fs::read_to_string(&svg).expect("a picture").contains("␛]0;title␇"));
    let text = std::fs::read_to_string(&page).expect("it was written");
    assert!(obeyed(&text).is_empty() && text.contains("\\u003cU+202E>"), "{:?}", obeyed(&text));
}

#[test]
fn junit_stays_xml() {
    let folder = fresh_folder("foreign_junit");
    let rule = write_file(&folder, "foreign.pinion", rule());
    let results = folder.join("results.xml");
    run(&["test", &rule, "--junit", results.to_str().expect("a plain path")]);
    let text = std::fs::read_to_string(&results).expect("it was written");
    let document = roxmltree::Document::parse(&text).expect("it is XML");
    let name = document.descendants().find_map(|node| node.attribute("name").filter(|name| name.contains("title")));
    assert!(name.is_some_and(|name| name.contains("␛]0;title␇␛[31mred\u{9b}2J\u{202e}back")), "{name:?}");
}

#[test]
fn tables_for_spreadsheets_hold_no_formulas() {
    let folder = fresh_folder("foreign_formulas");
    for note in ["=1+1", "+1", "-1+1", "@SUM(A1)", "=cmd|' /C calc'!A0, \"x\" y", "plain, \"x\" y", "it's"] {
        let puzzles = write_file(&folder, "puzzles.txt", format!("{EASY} {note}\n"));
        let output = run(&["convert", &puzzles, "--to", "csv"]);
        let table = String::from_utf8(output.stdout).expect("text");
        let field = table.lines().nth(1).and_then(|line| line.splitn(5, ',').nth(4)).expect("a note");
        let field = field.trim_start_matches('"');
        assert!(!field.starts_with(['=', '+', '-', '@']), "{note}: {table}");
        // The table reads back as the note that it was.
        let back = run_with(&["convert", "-", "--to", "jsonl"], table.as_bytes());
        let value: serde_json::Value = serde_json::from_slice(&back.stdout).expect("JSON");
        assert_eq!(value["note"], *note, "{table}");
    }
    let rule = "technique foreign \"=1+1\" {\n  c: cell = {d}\n  place d in c\n}\n";
    let rule = write_file(&folder, "foreign.pinion", rule);
    let output = transcript(&run(&["stats", EASY, "--rules", &rule, "--no-leave-out", "--csv"]));
    assert!(!output.lines().any(|line| line.starts_with('=')), "{output}");
}

#[test]
fn zero_forces_no_colours() {
    let coloured = |variables: &[(&str, &str)], args: &[&str]| {
        let mut command = pinion(args);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR").env("TERM", "xterm");
        variables.iter().for_each(|(name, value)| {
            command.env(name, value);
        });
        transcript(&command.output().expect("the binary starts")).contains('\u{1b}')
    };
    for args in [&["solve", EASY][..], &["solve", "what?"], &["check", "nowhere.pinion"], &["--help"], &["solve"]] {
        assert!(!coloured(&[], args) && !coloured(&[("CLICOLOR_FORCE", "0")], args), "{args:?}");
        assert!(!coloured(&[("CLICOLOR_FORCE", "")], args) && !coloured(&[("CLICOLOR", "1")], args), "{args:?}");
        assert!(coloured(&[("CLICOLOR_FORCE", "1")], args), "{args:?}");
        assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], args), "{args:?}");
        assert!(coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], args), "{args:?}");
    }
    assert!(coloured(&[("CLICOLOR_FORCE", "0"), ("NO_COLOR", "1")], &["solve", EASY, "--color", "always"]));
}
