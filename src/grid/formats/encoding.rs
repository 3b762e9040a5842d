//! Bytes to characters. In: bytes, or the first ones of a text. Out: its [`Encoding`], and its text. UTF-8 and UTF-16 are read;
//! anything else is refused by its name.

use super::error::{self, FormatError};

/// The encoding of a text: a mapping from bytes to characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
}

/// The bytes that begin files of other kinds, and what these are.
const OTHERS: [(&[u8], &str); 8] = [
    (b"\xff\xfe\0\0", "a text in UTF-32"),
    (b"\0\0\xfe\xff", "a text in UTF-32"),
    (b"PK\x03\x04", "a zip archive or an office document"),
    (b"\x1f\x8b", "a file that gzip packed"),
    (b"\xfd7zXZ", "a file that xz packed"),
    (b"(\xb5/\xfd", "a file that zstd packed"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
];

impl Encoding {
    /// The most bytes that [`Encoding::of`] looks at.
    pub const LOOKS_AT: usize = 64;

    /// The encoding of a text by its first bytes: its byte order mark, or else zeros in every other byte, which is how
    /// UTF-16 writes digits.
    pub fn of(first: &[u8]) -> Encoding {
        let first = &first[..first.len().min(Encoding::LOOKS_AT)];
        if other(first).is_some() {
            return Encoding::Utf8;
        }
        match first {
            [0xff, 0xfe, ..] => return Encoding::Utf16Le,
            [0xfe, 0xff, ..] => return Encoding::Utf16Be,
            _ => {}
        }
        let zeros = |from: usize| first.iter().skip(from).step_by(2).all(|&byte| byte == 0);
        let none = |from: usize| first.iter().skip(from).step_by(2).all(|&byte| byte != 0);
        // Lines and corners of drawings have the high byte 25.
        let drawn = |from: usize| first.iter().skip(from).step_by(2).all(|byte| matches!(byte, 0 | 0x25));
        let drawing = first.contains(&0x25) && first.contains(&0) && drawn(0) != drawn(1);
        match first.len() {
            0..=3 => Encoding::Utf8,
            _ if drawing && drawn(1) => Encoding::Utf16Le,
            _ if drawing => Encoding::Utf16Be,
            _ if zeros(1) && none(0) => Encoding::Utf16Le,
            _ if zeros(0) && none(1) => Encoding::Utf16Be,
            _ => Encoding::Utf8,
        }
    }

    /// The text of bytes in UTF-16; half a character becomes U+FFFD. Bytes in UTF-8 are taken as they are.
    pub fn decoded(self, bytes: &[u8]) -> String {
        let unit: fn([u8; 2]) -> u16 = match self {
            Encoding::Utf8 => return String::from_utf8_lossy(bytes).into_owned(),
            Encoding::Utf16Le => u16::from_le_bytes,
            Encoding::Utf16Be => u16::from_be_bytes,
        };
        let (pairs, odd) = bytes.as_chunks::<2>();
        let units = pairs.iter().map(|&pair| unit(pair));
        let text = char::decode_utf16(units).map(|symbol| symbol.unwrap_or(char::REPLACEMENT_CHARACTER));
        text.chain(odd.iter().map(|_| char::REPLACEMENT_CHARACTER)).collect()
    }
}

/// The text in these bytes, without the byte order mark that some editors begin a file with.
///
/// # Errors
/// When they hold a NUL or are neither UTF-8 nor UTF-16: then they are no text.
pub fn text_of(bytes: &[u8]) -> Result<String, FormatError> {
    let refuse = |at: usize, words: &str| {
        let before = &bytes[..at];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = at - before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1) + 1;
        FormatError::new(error::BINARY, (line, column), words).help("puzzles are plain text in UTF-8")
    };
    if let Some(kind) = other(bytes) {
        return Err(refuse(0, &format!("this is {kind}, which Pinion does not read")));
    }
    let encoding = Encoding::of(bytes);
    if encoding != Encoding::Utf8 {
        let text = encoding.decoded(bytes);
        return match text.find('\0') {
            Some(at) => {
                let line = text[..at].matches('\n').count() + 1;
                Err(FormatError { line, column: 1, ..refuse(0, "a zero character: this is not a text") })
            }
            None => Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_string()),
        };
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(refuse(at, "a zero byte: this is not a text"));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_string()),
        Err(error) => Err(refuse(error.valid_up_to(), "a byte that is not UTF-8: this is not a text")),
    }
}

/// The kind of a file that is no text, by its first bytes.
fn other(first: &[u8]) -> Option<&'static str> {
    OTHERS.iter().find(|(begins, _)| first.starts_with(begins)).map(|(_, kind)| *kind)
}

/// The lines of a text, without their ends: a line feed, a carriage return, or both.
pub fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take().filter(|text| !text.is_empty())?;
        let Some(end) = text.find(['\n', '\r']) else { return Some(text) };
        let after = &text[end..];
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..));
        Some(&text[..end])
    })
}
