//! Fuzz targets: for each kind of foreign input a function that must neither panic nor hang, and its seeds. `tests/fuzz.rs` and cargo-fuzz
//! run the same functions.

use pinion::grid::formats::{self, FORMATS, Stream};
use pinion::grid::{BoardSpec, Geometry, notation};
use pinion::lang;
use pinion::lang::format::{FormatterError, format};
use pinion::solve::{Catalogue, Profile};
use pinion::workbench::snapshots::{contents, positions};

/// A kind of input with the function that reads it.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Folders of the project whose files the fuzzer mutates.
    pub seeds: &'static [&'static str],
}

pub const TARGETS: [Target; 11] = [
    Target { name: "rules", run: rules, seeds: &["rules", "tests/broken", "tests/lang"] },
    Target { name: "layout", run: layout, seeds: &["rules", "tests/broken"] },
    Target { name: "puzzles", run: puzzles, seeds: &["tests/grid", "tests/libraries", "tests/states", "docs"] },
    Target { name: "documents", run: line_ends, seeds: &["tests/fuzz/seeds/documents"] },
    Target { name: "drawings", run: line_ends, seeds: &["tests/fuzz/seeds/drawings"] },
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

/// Compiles rules. Each error has a position within the text.
fn rules(bytes: &[u8]) {
    let text = text(bytes);
    let (_, errors) = lang::compile(&text);
    for diagnostic in errors {
        assert!(text.get(diagnostic.start()..).is_some(), "the position of {} is not in the text", diagnostic.code);
    }
}

/// Formats rules. Formatting the result again changes nothing. The formatter itself checks that the meaning is kept.
fn layout(bytes: &[u8]) {
    let text = text(bytes);
    match format(&text) {
        Ok(formatted) => {
            assert_eq!(format(&formatted).ok().as_deref(), Some(formatted.as_str()), "formatting again changes it");
        }
        Err(FormatterError::Unreadable(errors)) => assert!(!errors.is_empty()),
        Err(_) => {}
    }
}

/// Reads puzzles line by line. Each format that can hold a puzzle writes it so that it can be read again.
fn puzzles(bytes: &[u8]) {
    let Ok(text) = formats::text_of(bytes) else { return };
    let mut stream = Stream::new(None);
    let mut results: Vec<_> = text.lines().flat_map(|line| stream.read_line(line)).collect();
    results.extend(stream.finish());
    for puzzle in results.into_iter().flatten().take(2) {
        for format in &FORMATS {
            let Ok(written) = formats::write(&puzzle, format) else { continue };
            let file = [format.header, Some(&written.text), format.footer].into_iter().flatten();
            let file = file.collect::<Vec<&str>>().join("\n");
            let again = formats::read_many(&file, Some(&puzzle.geometry));
            assert!(again.iter().any(Result::is_ok), "{} cannot be read again: {file}", format.name);
        }
    }
}

/// Reads puzzles with each kind of line end; the results are equal. No puzzle has more digits than the text, and if nothing is read or
/// reported, the text has no row of digits.
fn line_ends(bytes: &[u8]) {
    let text = text(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let expected_results = formats::read_many(&text, None);
    for end in ["\r\n", "\r"] {
        assert!(formats::read_many(&text.replace('\n', end), None) == expected_results, "another result with {end:?}");
    }
    let characters = text.chars().filter(|character| character.is_alphanumeric()).count();
    for puzzle in expected_results.iter().flatten() {
        assert!(
            puzzle.givens.iter().chain(&puzzle.placed).flatten().count() <= characters,
            "more digits than the text"
        );
    }
    let mut stream = Stream::new(None).with_lookahead();
    let mut results: Vec<_> = formats::lines_of(&text).flat_map(|line| stream.read_line(line)).collect();
    results.extend(stream.finish());
    if results.is_empty() && stream.take_remarks().is_empty() {
        let unreported_row = text.lines().find(|line| is_row(line));
        assert!(unreported_row.is_none(), "no puzzle, error or remark for {unreported_row:?}");
    }
}

/// Returns true if a line has at least nine digits and nothing else but blanks, dots and bars.
fn is_row(line: &str) -> bool {
    let line = line.trim();
    let digits = line.chars().filter(char::is_ascii_digit).count();
    digits >= 9 && line.chars().all(|character| character.is_ascii_digit() || " .|".contains(character))
}

/// Text in UTF-16 is decoded to the text in UTF-8. Damaged UTF-16 (no byte order mark, half a unit, other bytes after it) does not panic.
fn encodings(bytes: &[u8]) {
    let text = text(bytes).replace('\0', "");
    let text = text.trim_start_matches('\u{feff}').trim_end_matches('\u{1a}');
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        let utf_16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(unit).collect();
        assert_eq!(formats::text_of(&utf_16).ok().as_deref(), Some(text));
        let without_mark = &utf_16[2..];
        let without_last_byte = &utf_16[..utf_16.len() - usize::from(utf_16.len() > 3)];
        let mark_before_utf_8 = [&utf_16[..2], bytes].concat();
        for bytes in [without_mark, without_last_byte, &mark_before_utf_8] {
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

/// Reads a damaged stored rulebook. Three bytes of the input replace one byte of the book: two for the position, one for the value.
fn book(bytes: &[u8]) {
    let rule = "technique t \"T\" {\n  c: cell = {d}\n  place d in c\n}\n";
    let book = lang::book::Book::default().with_files([("t".to_owned(), rule.to_owned())]);
    let mut stored = lang::stored_book::write(&book).expect("the rule has no errors");
    for change in bytes.chunks_exact(3).take(8) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % stored.len();
        stored[at] = change[2];
    }
    let _ = lang::stored_book::read(&stored, &[("t", rule)]);
}

/// Runs the target with this name.
#[allow(dead_code, reason = "only cargo-fuzz asks by name")]
pub fn run(name: &str, bytes: &[u8]) {
    TARGETS.iter().filter(|target| target.name == name).for_each(|target| (target.run)(bytes));
}
