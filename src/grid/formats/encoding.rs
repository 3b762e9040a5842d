//! Bytes to tidy lines. In: bytes, or a line. Out: the [`Encoding`] and text of the bytes (UTF-8 and UTF-16; other files are refused
//! by name); a line without the quotation marks of a mail, and without the quotes, bullets, names and signs by which programs
//! hold rows together, with usual digits for wide ones and whole numbers for `5.0`.

use super::cell_texts;
use super::columns::is_bar;
use super::error::{self, FormatError};
use super::lines::bare_cells;
use super::puzzle::is_symbol;

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

    /// Returns the encoding of a text by its first bytes: its byte order mark, or else zeros in every other byte, which is how
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

    /// Returns the text of bytes in UTF-16; half a character becomes U+FFFD. Bytes in UTF-8 are taken as they are.
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

/// Characters that old programs leave at the end of a file.
const PADDING: [char; 2] = ['\0', '\u{1a}'];

/// Returns the text in these bytes, without the byte order mark that some editors begin a file with, and without NULs at its end.
///
/// # Errors
/// When they hold a NUL among the text or are neither UTF-8 nor UTF-16: then they are no text.
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
        let text = text.trim_end_matches(PADDING);
        return match text.find('\0') {
            Some(at) => {
                let line = text[..at].matches('\n').count() + 1;
                Err(FormatError { line, column: 1, ..refuse(0, "a zero character: this is not a text") })
            }
            None => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_string()),
        };
    }
    let length = bytes.iter().rposition(|&byte| !matches!(byte, 0 | 0x1a)).map_or(0, |last| last + 1);
    let bytes = &bytes[..length];
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(refuse(at, "a zero byte: this is not a text"));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_string()),
        Err(error) => Err(refuse(error.valid_up_to(), "a byte that is not UTF-8: this is not a text")),
    }
}

/// Returns the kind of a file that is no text, by its first bytes.
fn other(first: &[u8]) -> Option<&'static str> {
    OTHERS.iter().find(|(begins, _)| first.starts_with(begins)).map(|(_, kind)| *kind)
}

/// Returns the lines of a text, without their ends: a line feed, a carriage return, or both.
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

/// Returns the tidy line, and the number of characters removed from its beginning. In a document, quotes and names stay.
pub(super) fn tidied(line: &str, is_in_document: impl Fn() -> bool) -> (String, usize) {
    // A tab at the end may come before an empty cell; a line of tabs may be a row of them.
    let mut text = line.trim_end_matches(|c: char| c.is_whitespace() && c != '\t' || matches!(c, '\0' | '\u{1a}'));
    if bare_cells(text).is_some() {
        return (text.to_string(), 0);
    }
    // A line of blanks may be an empty row.
    if text.trim().is_empty() && !text.contains("\t\t\t") {
        let is_row = line.len() >= SHORTEST && line.bytes().all(|byte| byte == b' ');
        return (if is_row { line.to_string() } else { String::new() }, 0);
    }
    while let Some(rest) = text.strip_prefix('>').filter(|_| !has_relations(line)) {
        text = rest.strip_prefix(' ').unwrap_or(rest);
    }
    let shift = |part: &str| line[..part.as_ptr() as usize - line.as_ptr() as usize].chars().count();
    let cells = || quoted_row(text).or_else(|| bulleted(text)).or_else(|| named_puzzle(text));
    if let Some(cells) = cells().filter(|_| !is_in_document()) {
        return (cells.to_string(), shift(cells));
    }
    let shift = if text.is_empty() { 0 } else { shift(text) };
    let text = narrow(text);
    // The sudoku package of LaTeX ends its rows with a point.
    let text = text.strip_suffix("|.").filter(|row| row.starts_with('|')).map_or(text.clone(), |row| format!("{row}|"));
    (table_row(&text).or_else(|| whole(&text)).unwrap_or(text), shift)
}

/// Signs after a text in quotes that join it to the next.
const JOINTS: [&str; 9] = ["+", "\\", ".", "..", "&", "++", "<>", "\\n\\", "~"];

/// Returns the row in quotes on a line that goes on below: `s = "53..7...." +`, `s = """53..7....`, `- "53..7...."`.
fn quoted_row(text: &str) -> Option<&str> {
    let start = text.find(['"', '\'', '`'])?;
    let (before, rest) = (text[..start].trim_end(), &text[start..]);
    let is_bullet = matches!(before.trim_start(), "-" | "*");
    if !(before.is_empty() || is_bullet || before.ends_with(['=', '(', ':', '+', '.']) || before.ends_with("<-")) {
        let end =
            ["\"\"\"", "\'\'\'", "`"].iter().find_map(|quote| text.trim_end_matches([';', ')']).strip_suffix(quote))?;
        return is_glued(end).then_some(end);
    }
    let quote = ["\"\"\"", "\'\'\'", "\"", "\'", "`"].into_iter().find(|quote| rest.starts_with(quote))?;
    let inside = &rest[quote.len()..];
    let Some((cells, after)) = inside.split_once(quote) else {
        return (quote.len() == 3 || quote == "`").then_some(inside).filter(|cells| is_glued(cells));
    };
    let after = after.trim();
    let goes_on = JOINTS.contains(&after) || is_bullet && matches!(after, "" | ",");
    let cells = cells.strip_suffix("\\n").unwrap_or(cells);
    (goes_on && is_glued(cells)).then_some(cells)
}

/// Returns true for cells alone, without blanks, at least as many as the shortest row has.
fn is_glued(text: &str) -> bool {
    text.chars().count() >= SHORTEST && text.chars().all(is_symbol)
}

/// Returns the row after a bullet, as lists in YAML and Markdown have it.
fn bulleted(text: &str) -> Option<&str> {
    let inside = text.trim_start();
    let row = inside.strip_prefix("- ").or_else(|| inside.strip_prefix("* "))?.trim_start();
    is_glued(row).then_some(row)
}

/// Returns the puzzle after a name: `grid: 53..7…`, `grid=53..7…`, `- puzzle: "53..7…"`.
fn named_puzzle(text: &str) -> Option<&str> {
    const LONGEST_NAME: usize = 15;
    const SMALLEST: usize = 16;
    let inside = text.trim_start().trim_start_matches("- ");
    let value = inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let name = &inside[..inside.len() - value.len()];
    let value = value.trim_start().strip_prefix([':', '='])?.trim();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''));
    let (cells, after) = quote.and_then(|quote| value[1..].split_once(quote)).unwrap_or((value, ""));
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() <= LONGEST_NAME;
    let ends = matches!(after, "" | ";" | ")") || after.starts_with(".split");
    let count = cells.bytes().filter(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let is_puzzle = count >= SMALLEST && cells.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b' '));
    (is_name && ends && is_puzzle).then_some(cells)
}

/// Returns the row of a table in LaTeX, with bars between its cells: `5 & 3 & & \\\\ \\hline`.
fn table_row(text: &str) -> Option<String> {
    const FEWEST: usize = 3;
    if text.matches('&').count() < FEWEST {
        return None;
    }
    let text = text.trim().trim_start_matches("\\hline").trim_start();
    let (cells, after) = text.split_once("\\\\").unwrap_or((text, ""));
    let is_rule = after.trim().is_empty() || after.trim_start().starts_with(['\\', '[']);
    (is_rule && cells.chars().all(|c: char| is_symbol(c) || c.is_whitespace() || c == '&'))
        .then(|| format!("|{}|", cells.replace('&', "|")))
}

/// Returns true if a line has signs that compare cells. Before a digit and after none, `<` and `^` are marks of its cell.
fn has_relations(text: &str) -> bool {
    let signs: Vec<char> = text.chars().collect();
    let is_cell = |at: Option<usize>| at.and_then(|at| signs.get(at)).is_some_and(|sign| sign.is_alphanumeric());
    let compares = |at: usize| matches!(signs[at], '<' | '^') && (is_cell(at.checked_sub(1)) || !is_cell(Some(at + 1)));
    (0..signs.len()).any(compares) || text.contains("v>") || text.contains(">v")
}

/// Returns wide digits, blanks and bars as usual ones. A lone wide digit in a long line is a slip of the hand, and stays.
fn narrow(text: &str) -> String {
    const LONG: usize = 36;
    let wide = text.chars().filter(|c| ('\u{ff10}'..='\u{ff19}').contains(c)).count();
    let mixed = text.chars().any(|c| c.is_ascii_digit());
    if wide == 0 || mixed || (wide == 1 && text.chars().count() >= LONG) {
        return text.to_string();
    }
    text.chars().map(usual).collect()
}

/// Returns the usual form of a wide character.
fn usual(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        other => other,
    }
}

/// The fewest numbers of a row.
const SHORTEST: usize = 4;

/// The largest digit of any board.
const LARGEST: f64 = 25.0;

/// Returns the line with whole numbers, if it holds decimal numbers and empty cells only, perhaps after a label.
fn whole(text: &str) -> Option<String> {
    if !text.contains('.') || bare_cells(text).is_some() {
        return None;
    }
    let tokens: Vec<&str> = text.split(parts).filter(|token| !token.is_empty()).collect();
    let is_cell = |token: &&str| value(token).is_some() || cell_texts::is_empty(token);
    let cells = if tokens.first().is_some_and(is_cell) { &tokens[..] } else { tokens.get(1..)? };
    let values: Vec<f64> = cells.iter().filter_map(|token| value(token)).collect();
    let places = cells.iter().any(|token| is_decimal(token));
    // `12. 3..` may be a part of a row: there `5.` is a number only if all are.
    let points = || {
        let all = cells.iter().all(|token| token.ends_with('.') && value(token).is_some());
        all && values.iter().all(|&value| value <= cells.len() as f64)
    };
    if cells.len() < SHORTEST || !cells.iter().all(is_cell) || !(places || points()) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    for token in cells.iter().filter(|token| value(token).is_some()) {
        let at = token.as_ptr() as usize - rest.as_ptr() as usize;
        let number = value(token).unwrap_or_default().to_string();
        out.push_str(&rest[..at]);
        out.push_str(&number);
        out.push_str(&" ".repeat(token.len().saturating_sub(number.len())));
        rest = &rest[at + token.len()..];
    }
    out.push_str(rest);
    Some(out)
}

/// Returns true for digits, a point and digits: `0.00`, `5.5`, `1.0e+00`.
pub(super) fn is_decimal(token: &str) -> bool {
    token.split_once('.').is_some_and(|(whole, places)| {
        is_digits(whole) && whole.len() <= 2 && is_digits(places.split(['e', 'E']).next().unwrap_or_default())
    })
}

/// Returns true for one digit or more.
fn is_digits(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the value of a token that is a whole number of at most two digits.
pub(super) fn value(token: &str) -> Option<f64> {
    let digits = token.len() <= 2 && token.bytes().all(|byte| byte.is_ascii_digit());
    let point = token.strip_suffix('.').is_some_and(|whole| is_decimal(&format!("{whole}.0")));
    if !(digits || point || is_decimal(token)) {
        return None;
    }
    token.parse::<f64>().ok().filter(|value| value.fract() == 0.0 && *value <= LARGEST)
}

fn parts(sign: char) -> bool {
    sign.is_whitespace() || is_bar(sign) || matches!(sign, ',' | ';' | '"' | '\'')
}
