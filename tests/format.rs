//! The formatter's laws: the rulebook is in canonical layout, formatting twice changes nothing, and a file has one
//! layout however its blanks and lines were.

use pinion::lang::diagnostic::Severity;
use pinion::lang::format::{FormatterError, format};
use pinion::lang::parse;
use std::path::{Path, PathBuf};

/// Every rule text in these folders, with its path.
fn texts(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    let mut out = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pinion") {
                let text = std::fs::read_to_string(&path).unwrap();
                out.push((path, text));
            }
        }
    }
    out.sort();
    out
}

#[test]
fn the_rulebook_is_in_canonical_layout() {
    let texts = texts(&["rules", "tests/rules"]);
    assert!(texts.len() > 80);
    for (path, text) in texts {
        assert_eq!(format(&text).unwrap(), text, "{}: run `pinion fmt rules tests/rules`", path.display());
    }
}

#[test]
fn formatting_twice_changes_nothing_and_errors_are_left_alone() {
    for (path, text) in texts(&["rules", "tests"]) {
        let readable = parse(&text).1.iter().all(|finding| finding.severity != Severity::Error);
        match format(&text) {
            Ok(once) => assert_eq!(format(&once).unwrap(), once, "{}", path.display()),
            Err(FormatterError::Unreadable(_)) => assert!(!readable, "{}", path.display()),
            Err(FormatterError::Changed) => panic!("{} would change its meaning", path.display()),
        }
    }
}

/// Chance from a number: the same odd layouts in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Returns the file with different white space: tabs, several blanks, blanks at line ends, lines broken after commas and
/// in brackets, more empty lines, other line ends. Texts and comments are unchanged.
fn odd(text: &str, chance: &mut Chance) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in text.lines() {
        let quotes = line.matches("\"\"\"").count();
        let header = ["technique", "ring"].iter().any(|word| line.trim_start().starts_with(word));
        if inside || quotes > 0 || line.trim_start().starts_with("//") {
            // A grid moves as a whole; here it is pushed two columns to the right.
            out.push_str(&format!("  {line}"));
        } else {
            let indent = ["", "   ", "\t"][chance.below(3) as usize];
            // An item begins in column 1; a brace that closes a block must not seem to close its item.
            let keep = line.starts_with(|c: char| !c.is_whitespace());
            out.push_str(if keep { "" } else { "  " });
            out.push_str(if keep { "" } else { indent });
            let mut in_text = false;
            for (at, part) in line.trim_start().split(' ').enumerate() {
                let breaks = !in_text && !header && at > 0 && out.ends_with(',') && chance.below(4) == 0;
                let rest = line.trim_start().split(' ').skip(at).collect::<String>();
                if at > 0 && breaks && !rest.contains(':') {
                    out.push_str(" \n      ");
                } else if at > 0 {
                    out.push_str(if in_text { " " } else { [" ", "  ", "\t"][chance.below(3) as usize] });
                }
                in_text ^= part.matches('"').count() % 2 == 1;
                out.push_str(part);
            }
            out.push_str(["", " ", "\t "][chance.below(3) as usize]);
        }
        inside ^= quotes % 2 == 1;
        out.push_str(["\n", "\r\n"][chance.below(2) as usize]);
        if line.is_empty() && !inside {
            out.push_str("\n  \n");
        }
    }
    out
}

#[test]
fn a_file_has_one_layout() {
    let mut chance = Chance(7);
    for (path, text) in texts(&["rules", "tests/rules"]) {
        for _ in 0..3 {
            let odd = odd(&text, &mut chance);
            assert_ne!(odd, text);
            let laid_out = format(&odd).unwrap_or_else(|error| panic!("{error:?}\n{odd}"));
            assert_eq!(laid_out.replace("\r\n", "\n"), text, "{}", path.display());
        }
    }
}

#[test]
fn comments_keep_their_place() {
    let text = "\u{feff}//first\n\n\n\n//second\ntechnique a \"A\"   {// at the head\n\n  // above\n\n\n    c:cell = {x,y}   // beside\n  require #digits(c)=2 and // why\n      // and why not\n  x in c\n\n  place x in c\n  // last\n\n}\nrules   r=a,\n  a\nrules s = a\n// end";
    insta::assert_snapshot!(format(text).unwrap().trim_start_matches('\u{feff}'));
}

#[test]
fn long_lines_are_broken_at_the_loosest_joint() {
    let name = "a_name_that_is_rather_long_for_a_name";
    let list = (0..9).map(|n| format!("{name}_{n}")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "technique a \"A\" {{\n  a: cell\n  require {name}_1 sees {name}_2 and ({name}_3 sees {name}_4 or {name}_5 sees {name}_6)\n  conclude some x in {list}\n  let s = ({name}_1 + {name}_2) & ({name}_3 - ({name}_4 + {name}_5 + {name}_6 + {name}_7))\n}}\n"
    );
    let text = format(&text).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    insta::assert_snapshot!(text);
}
