//! Encodings, ends of lines, and characters that are no cells.

use super::{EASY, one};
use pinion::grid::draw::givens_line;
use pinion::grid::formats::{lines_of, read_many, text_of};

#[test]
fn utf_16_is_read_and_other_files_are_named() {
    let units: Vec<u16> = format!("{EASY}\r\n").encode_utf16().collect();
    let low: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let high: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let marked = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
    for bytes in [low.clone(), high.clone(), marked(b"\xff\xfe", &low), marked(b"\xfe\xff", &high)] {
        assert_eq!(text_of(&bytes).expect("UTF-16"), format!("{EASY}\r\n"));
    }
    for (bytes, kind) in
        [(&b"PK\x03\x04\0\0"[..], "a zip archive"), (b"\x1f\x8b\x08", "gzip"), (b"\xff\xfe\0\x001\0\0\0", "UTF-32")]
    {
        let error = text_of(bytes).expect_err("no text");
        assert!(error.message.contains(kind), "{error}");
    }
}

#[test]
fn every_end_of_a_line_is_one() {
    assert_eq!(lines_of("a\rb\nc\r\n\r\nd").collect::<Vec<_>>(), ["a", "b", "c", "", "d"]);
    for end in ["\n", "\r", "\r\n"] {
        assert_eq!(read_many(&format!("{EASY}{end}{EASY}{end}"), None).len(), 2, "{end:?}");
        let rows: Vec<&str> = (0..9).map(|row| &EASY[row * 9..][..9]).collect();
        assert_eq!(givens_line(&one(&rows.join(end))), EASY.replace('0', "."));
    }
}

#[test]
fn the_first_character_that_is_no_cell_is_named() {
    let with = |at: usize, sign: &str| format!("{}{sign}{}", &EASY[..at], &EASY[at..]);
    for (text, named, column) in [
        (with(39, "\u{200b}"), "U+200B, a zero-width space,", 40),
        (with(10, "\u{ad}"), "U+00AD, a soft hyphen,", 11),
        (with(39, "\u{a0}"), "U+00A0, a no-break space,", 40),
        (EASY.replacen("000", "\u{2026}", 1), "U+2026, an ellipsis,", 6),
        (EASY.replacen('0', "\u{2013}", 1), "U+2013, an en dash,", 3),
        (EASY.replacen('5', "\u{665}", 1), "an Arabic-Indic 5", 1),
        (EASY.replacen('5', "\u{ff15}", 1), "a full-width 5", 1),
    ] {
        let error = read_many(&text, None).remove(0).expect_err("a strange character");
        assert!(error.message.contains(named) && error.column == column, "{error}");
    }
    let error = read_many(&EASY.replace('0', "O"), None).remove(0).expect_err("letters for digits");
    assert!(error.help.is_some_and(|help| help.contains("the letter O")));
}
