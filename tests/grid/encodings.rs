//! UTF-16, line ends, and the characters that an error names because they are no cells.

use super::{EASY, read_puzzle};
use pinion::grid::draw::givens_line;
use pinion::grid::formats::{lines_of, read_many, text_of};

#[test]
fn utf_16_is_read_and_archives_and_utf_32_are_named() {
    let units: Vec<u16> = format!("{EASY}\r\n").encode_utf16().collect();
    let little_endian: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big_endian: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let with_byte_order_mark = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
    for bytes in [
        little_endian.clone(),
        big_endian.clone(),
        with_byte_order_mark(b"\xff\xfe", &little_endian),
        with_byte_order_mark(b"\xfe\xff", &big_endian),
    ] {
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
fn cr_lf_and_cr_lf_pairs_end_lines() {
    assert_eq!(lines_of("a\rb\nc\r\n\r\nd").collect::<Vec<_>>(), ["a", "b", "c", "", "d"]);
    for end in ["\n", "\r", "\r\n"] {
        assert_eq!(read_many(&format!("{EASY}{end}{EASY}{end}"), None).len(), 2, "{end:?}");
        let rows: Vec<&str> = (0..9).map(|row| &EASY[row * 9..][..9]).collect();
        assert_eq!(givens_line(&read_puzzle(&rows.join(end))), EASY.replace('0', "."));
    }
}

#[test]
fn an_error_names_the_first_character_that_is_no_cell() {
    let with_inserted = |at: usize, character: &str| format!("{}{character}{}", &EASY[..at], &EASY[at..]);
    for (text, name, column) in [
        (with_inserted(39, "\u{200b}"), "U+200B, a zero-width space,", 40),
        (with_inserted(10, "\u{ad}"), "U+00AD, a soft hyphen,", 11),
        (with_inserted(39, "\u{a0}"), "U+00A0, a no-break space,", 40),
        (EASY.replacen("000", "\u{2026}", 1), "U+2026, an ellipsis,", 6),
        (EASY.replacen('0', "\u{2013}", 1), "U+2013, an en dash,", 3),
        (EASY.replacen('5', "\u{665}", 1), "an Arabic-Indic 5", 1),
        (EASY.replacen('5', "\u{ff15}", 1), "a full-width 5", 1),
    ] {
        let error = read_many(&text, None).remove(0).expect_err("a strange character");
        assert!(error.message.contains(name) && error.column == column, "{error}");
    }
    let error = read_many(&EASY.replace('0', "O"), None).remove(0).expect_err("letters for digits");
    assert!(error.help.is_some_and(|help| help.contains("the letter O")));
}
