//! Laws of the formatter: the rulebook is formatted, formatting twice changes nothing, and the layout of a formatted file
//! does not depend on the white space of the original.

use crate::common::files::texts_below;
use crate::common::{next_random, quick_or_full};
use pinion::lang::diagnostic::Severity;
use pinion::lang::format::{FormatterError, format};
use pinion::lang::parse;
use std::path::PathBuf;

/// Returns path and text of the rulebook's files and of the formatted files among the tests.
fn formatted_files() -> Vec<(PathBuf, String)> {
    let mut files = texts_below("rules", "pinion");
    files.extend(texts_below("tests/rules", "pinion"));
    files
}

#[test]
fn the_rulebook_is_formatted() {
    let files = formatted_files();
    assert!(files.len() > 80);
    for (path, text) in files {
        assert_eq!(format(&text).unwrap(), text, "{}: run `pinion fmt rules tests/rules`", path.display());
    }
}

#[test]
fn formatting_twice_changes_nothing_and_files_with_errors_are_refused() {
    for (path, text) in texts_below("rules", "pinion").into_iter().chain(texts_below("tests", "pinion")) {
        let has_error = parse(&text).1.iter().any(|finding| finding.severity == Severity::Error);
        match format(&text) {
            Ok(once) => assert_eq!(format(&once).unwrap(), once, "{}", path.display()),
            Err(FormatterError::Unreadable(_)) => assert!(has_error, "{}", path.display()),
            Err(FormatterError::Changed) => panic!("formatting changes the meaning of {}", path.display()),
        }
    }
}

/// Pieces of text that can stand between two tokens.
const PIECES: [&str; 8] = [" // c\n", " /// d\n", "\n", "\n\n\n", " ", "", "// c", "}\n"];

/// Returns a text in which some blanks and newlines are replaced by other pieces of text.
fn with_random_pieces(text: &str, random: &mut u64) -> String {
    let gaps: Vec<usize> = text.match_indices([' ', '\n', '}']).map(|(position, _)| position).collect();
    let mut out = text.to_owned();
    for _ in 0..=next_random(random) % 2 {
        let gap = gaps[next_random(random) % gaps.len()];
        // An earlier piece may have removed a character of the text.
        if out.is_char_boundary(gap) && out.is_char_boundary(gap + 1) {
            let end = gap + usize::from(!out[gap..].starts_with('}'));
            out.replace_range(gap..end, PIECES[next_random(random) % PIECES.len()]);
        }
    }
    out
}

#[test]
fn formatting_twice_changes_nothing_wherever_comments_and_newlines_stand() {
    let mut random = 20;
    let mut formatted_count = 0;
    let comment_after_brace =
        "technique a \"A\" {\n  place d in c\n} /// note\ntechnique b \"B\" {\n  place d in c\n}\n";
    let mut texts = vec![comment_after_brace.to_owned()];
    for (_, text) in formatted_files() {
        texts.extend((0..quick_or_full(8, 50)).map(|_| with_random_pieces(&text, &mut random)));
    }
    for text in texts {
        if let Ok(once) = format(&text) {
            formatted_count += 1;
            assert_eq!(format(&once).as_ref(), Ok(&once), "the text before:\n{text}");
        }
    }
    assert!(formatted_count > 100, "{formatted_count}");
}

/// Returns a rule text with other white space: tabs, several blanks, blanks at line ends, line breaks after commas, more
/// empty lines, other line ends. Strings and comments are unchanged.
fn with_other_white_space(text: &str, random: &mut u64) -> String {
    let mut out = String::new();
    let mut in_grid = false;
    for line in text.lines() {
        let triple_quotes = line.matches("\"\"\"").count();
        if in_grid || triple_quotes > 0 || line.trim_start().starts_with("//") {
            // The lines of a grid must move by the same number of columns.
            out.push_str(&format!("  {line}"));
        } else {
            push_code_line(line, random, &mut out);
        }
        in_grid ^= triple_quotes % 2 == 1;
        out.push_str(["\n", "\r\n"][next_random(random) % 2]);
        if line.is_empty() && !in_grid {
            out.push_str("\n  \n");
        }
    }
    out
}

/// Appends a line outside of grids and comments, with other white space.
fn push_code_line(line: &str, random: &mut u64, out: &mut String) {
    // An item begins in column 1. All other lines are indented, because a `}` in column 1 closes the item.
    if !line.starts_with(|c: char| !c.is_whitespace()) {
        out.push_str("  ");
        out.push_str(["", "   ", "\t"][next_random(random) % 3]);
    }
    let is_header = ["technique", "ring"].iter().any(|word| line.trim_start().starts_with(word));
    let parts: Vec<&str> = line.trim_start().split(' ').collect();
    let mut in_string = false;
    for (at, part) in parts.iter().enumerate() {
        // A line may break after a comma, except in a header and in a list of declared names, such as `a, b: cell`.
        let may_break = out.ends_with(',') && !in_string && !is_header && !parts[at..].concat().contains(':');
        if at == 0 {
            // The line has its indentation.
        } else if may_break && next_random(random).is_multiple_of(4) {
            out.push_str(" \n      ");
        } else if in_string {
            out.push(' ');
        } else {
            out.push_str([" ", "  ", "\t"][next_random(random) % 3]);
        }
        in_string ^= part.matches('"').count() % 2 == 1;
        out.push_str(part);
    }
    out.push_str(["", " ", "\t "][next_random(random) % 3]);
}

#[test]
fn the_layout_does_not_depend_on_the_original_white_space() {
    let mut random = 7;
    for (path, text) in formatted_files() {
        for _ in 0..3 {
            let changed = with_other_white_space(&text, &mut random);
            assert_ne!(changed, text);
            let formatted = format(&changed).unwrap_or_else(|error| panic!("{error:?}\n{changed}"));
            assert_eq!(formatted.replace("\r\n", "\n"), text, "{}", path.display());
        }
    }
}

#[test]
fn comments_stay_with_their_lines() {
    let text = "\u{feff}//first\n\n\n\n//second\ntechnique a \"A\"   {// at the head\n\n  // above\n\n\n    c:cell = {x,y}   // beside\n  require #digits(c)=2 and // why\n      // and why not\n  x in c\n\n  place x in c\n  // last\n\n}\nrules   r=a,\n  a\nrules s = a\n// end";
    insta::assert_snapshot!(format(text).unwrap().trim_start_matches('\u{feff}'));
}

#[test]
fn long_lines_are_broken_where_the_operator_binds_least() {
    let name = "a_name_that_is_rather_long_for_a_name";
    let list = (0..9).map(|n| format!("{name}_{n}")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "technique a \"A\" {{\n  a: cell\n  require {name}_1 sees {name}_2 and ({name}_3 sees {name}_4 or {name}_5 sees {name}_6)\n  conclude some x in {list}\n  let s = ({name}_1 + {name}_2) & ({name}_3 - ({name}_4 + {name}_5 + {name}_6 + {name}_7))\n}}\n"
    );
    let text = format(&text).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    insta::assert_snapshot!(text);
}
