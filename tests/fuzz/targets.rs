//! Inputs from strangers, by kind: a name, a reader that must neither panic nor hang, and seeds. The plain
//! tests and cargo-fuzz run the same functions.

use pinion::grid::formats::{self, FORMATS, Stream};
use pinion::grid::{BoardSpec, Geometry, notation};
use pinion::lang;
use pinion::lang::format::{FormatterError, format};
use pinion::solve::{Catalogue, Profile};
use pinion::workbench::snapshots::{contents, positions};

/// A kind of input.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Folders of the project whose files are good examples of it.
    pub seeds: &'static [&'static str],
}

/// Every kind.
pub const TARGETS: [Target; 11] = [
    Target { name: "rules", run: rules, seeds: &["rules", "tests/broken", "tests/lang"] },
    Target { name: "layout", run: layout, seeds: &["rules", "tests/broken"] },
    Target { name: "puzzles", run: puzzles, seeds: &["tests/grid", "tests/libraries", "tests/states", "docs"] },
    Target { name: "documents", run: alike, seeds: &["tests/fuzz/seeds/documents"] },
    Target { name: "drawings", run: alike, seeds: &["tests/fuzz/seeds/drawings"] },
    Target { name: "encodings", run: encodings, seeds: &["tests/fuzz/seeds"] },
    Target { name: "boards", run: boards, seeds: &["rules/boards"] },
    Target { name: "profiles", run: profiles, seeds: &["rules/profiles", "rules/catalogues"] },
    Target { name: "deductions", run: deductions, seeds: &["tests/snapshots"] },
    Target { name: "snapshots", run: snapshots, seeds: &["tests/snapshots", "tests/states"] },
    Target { name: "book", run: book, seeds: &["rules/boards"] },
];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Parsed and checked; findings lie in the text.
fn rules(bytes: &[u8]) {
    let text = text(bytes);
    let (_, found) = lang::compile(&text);
    for diagnostic in found {
        assert!(text.get(diagnostic.start()..).is_some(), "{} points out of the text", diagnostic.code);
    }
}

/// Formatted text has the meaning of the original, and formatting it again changes nothing.
fn layout(bytes: &[u8]) {
    let text = text(bytes);
    match format(&text) {
        Ok(once) => assert_eq!(format(&once).ok().as_deref(), Some(once.as_str()), "a second layout differs"),
        Err(FormatterError::Unreadable(found)) => assert!(!found.is_empty()),
        Err(_) => {}
    }
}

/// Read line by line; whatever is read can be written in each format that holds it, and is read again.
fn puzzles(bytes: &[u8]) {
    let Ok(text) = formats::text_of(bytes) else { return };
    let mut stream = Stream::new(None);
    let mut found: Vec<_> = text.lines().flat_map(|line| stream.read_line(line)).collect();
    found.extend(stream.finish());
    for puzzle in found.into_iter().flatten().take(2) {
        for format in &FORMATS {
            let Ok(written) = formats::write(&puzzle, format) else { continue };
            let file = [format.header, Some(&written.text), format.footer].into_iter().flatten();
            let file = file.collect::<Vec<&str>>().join("\n");
            let again = formats::read_many(&file, Some(&puzzle.geometry));
            assert!(again.iter().any(Result::is_ok), "{} cannot be read again: {file}", format.name);
        }
    }
}

/// Read with each line end: what is found is the same, has no more digits than the text, and nothing that may be a puzzle goes unnamed.
fn alike(bytes: &[u8]) {
    let text = text(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let found = formats::read_many(&text, None);
    for end in ["\r\n", "\r"] {
        assert!(formats::read_many(&text.replace('\n', end), None) == found, "another result with {end:?}");
    }
    let signs = text.chars().filter(|sign| sign.is_alphanumeric()).count();
    for puzzle in found.iter().flatten() {
        assert!(puzzle.givens.iter().chain(&puzzle.placed).flatten().count() <= signs, "more digits than the text");
    }
    let mut stream = Stream::new(None).with_lookahead();
    let streamed: Vec<_> = formats::lines_of(&text).flat_map(|line| stream.read_line(line)).collect();
    if streamed.is_empty() && stream.finish().is_empty() && stream.take_remarks().is_empty() {
        let lost = text.lines().find(|line| is_row(line));
        assert!(lost.is_none(), "nothing is said of {lost:?}");
    }
}

/// Returns true if a line has the digits of a row and is no comment and no markup.
fn is_row(line: &str) -> bool {
    let line = line.trim();
    let digits = line.chars().filter(char::is_ascii_digit).count();
    digits >= 9 && line.chars().all(|sign| sign.is_ascii_digit() || " .|".contains(sign))
}

/// Text in UTF-16 is read as it is in UTF-8, without padding at its end; bytes that only begin like it are read, too, or refused.
fn encodings(bytes: &[u8]) {
    let text = text(bytes).replace('\0', "");
    let text = text.trim_start_matches('\u{feff}').trim_end_matches('\u{1a}');
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(unit).collect();
        assert_eq!(formats::text_of(&wide).ok().as_deref(), Some(text));
        for bytes in [&wide[2..], &wide[..wide.len() - usize::from(wide.len() > 3)], &[&wide[..2], bytes].concat()] {
            if let Ok(text) = formats::text_of(bytes) {
                let _ = formats::read_many(&text, None);
            }
        }
    }
}

fn boards(bytes: &[u8]) {
    if let Ok(spec) = BoardSpec::read("fuzz", &text(bytes)) {
        let _ = Geometry::new(spec);
    }
}

fn profiles(bytes: &[u8]) {
    let text = text(bytes);
    let _ = (Profile::read("fuzz", &text), Catalogue::read("fuzz", &text));
}

fn deductions(bytes: &[u8]) {
    let text = text(bytes);
    for geometry in [4, 9, 16].into_iter().filter_map(Geometry::standard) {
        for line in text.lines().take(64) {
            let _ = (notation::read_cells(&geometry, line), notation::read_deductions(&geometry, line));
        }
    }
}

fn snapshots(bytes: &[u8]) {
    let text = text(bytes);
    let _ = (contents(&text), positions(&text));
}

/// A checked book as bytes, of which each three bytes of the input damage one: what is read is a book, or nothing is.
fn book(bytes: &[u8]) {
    let rule = "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n";
    let whole = lang::book::Book::default().with_files([("t".to_owned(), rule.to_owned())]);
    let mut kept = lang::stored_book::write(&whole).expect("it has no findings");
    for part in bytes.chunks_exact(3).take(8) {
        let at = usize::from(u16::from_le_bytes([part[0], part[1]])) % kept.len();
        kept[at] = part[2];
    }
    let _ = lang::stored_book::read(&kept, &[("t", rule)]);
}

/// Runs one of them by its name.
#[allow(dead_code, reason = "only cargo-fuzz asks by name")]
pub fn run(name: &str, bytes: &[u8]) {
    TARGETS.iter().filter(|target| target.name == name).for_each(|target| (target.run)(bytes));
}
