//! Bytes to tidy lines. In: bytes, or a line. Out: the [`Encoding`] and text of the bytes (UTF-8 and UTF-16; other files are refused
//! by name); a line without the quotation marks of a mail, and without the quotes, bullets, names and symbols by which programs
//! hold rows together, with usual digits for wide ones and whole numbers for `5.0`.

use super::cell_texts;
use super::columns::is_bar;
use super::error::{self, FormatError};
use super::lines::bare_cells;
use super::link::all_digits;
use super::offset;
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
        match first {
            _ if other(first).is_some() => return Encoding::Utf8,
            [0xff, 0xfe, ..] => return Encoding::Utf16Le,
            [0xfe, 0xff, ..] => return Encoding::Utf16Be,
            _ if first.len() < 4 => return Encoding::Utf8,
            _ => {}
        }
        let [even, odd] = [0, 1].map(|from| first.iter().skip(from).step_by(2));
        // Lines and corners of drawings have the high byte 25.
        let [drawn_even, drawn_odd] = [&even, &odd].map(|bytes| bytes.clone().all(|byte| matches!(byte, 0 | 0x25)));
        if first.contains(&0x25) && first.contains(&0) && drawn_even != drawn_odd {
            return if drawn_odd { Encoding::Utf16Le } else { Encoding::Utf16Be };
        }
        let [(even_zero, even_none), (odd_zero, odd_none)] =
            [even, odd].map(|bytes| (bytes.clone().all(|byte| *byte == 0), bytes.clone().all(|byte| *byte != 0)));
        match () {
            () if odd_zero && even_none => Encoding::Utf16Le,
            () if even_zero && odd_none => Encoding::Utf16Be,
            () => Encoding::Utf8,
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
    if let Some(kind) = other(bytes) {
        return Err(no_text(bytes, 0, &format!("this is {kind}, which Pinion does not read")));
    }
    let encoding = Encoding::of(bytes);
    let decoded;
    let text = if encoding == Encoding::Utf8 {
        let length = bytes.iter().rposition(|&byte| !matches!(byte, 0 | 0x1a)).map_or(0, |last| last + 1);
        let bytes = &bytes[..length];
        if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
            return Err(no_text(bytes, at, "a zero byte: this is not a text"));
        }
        std::str::from_utf8(bytes)
            .map_err(|error| no_text(bytes, error.valid_up_to(), "a byte that is not UTF-8: this is not a text"))?
    } else {
        decoded = encoding.decoded(bytes);
        let text = decoded.trim_end_matches(PADDING);
        if let Some(at) = text.find('\0') {
            let error = no_text(text.as_bytes(), at, "a zero character: this is not a text");
            return Err(FormatError { column: 1, ..error });
        }
        text
    };
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_string())
}

/// Refuses bytes of which one is no part of a text.
fn no_text(bytes: &[u8], at: usize, words: &str) -> FormatError {
    let mut lines = bytes[..at].split(|&byte| byte == b'\n');
    let column = lines.next_back().unwrap_or_default().len() + 1;
    FormatError::new(error::BINARY, (lines.count() + 1, column), words).with_help("puzzles are plain text in UTF-8")
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
    let cells = quoted_row(text).or_else(|| bulleted(text)).or_else(|| named_puzzle(text));
    let cells = cells.filter(|_| !is_in_document());
    let shift = if text.is_empty() { 0 } else { line[..offset(cells.unwrap_or(text), line)].chars().count() };
    if let Some(cells) = cells {
        return (cells.to_string(), shift);
    }
    let mut text = narrow(text);
    // The sudoku package of LaTeX ends its rows with a point.
    if text.len() > 2 && text.starts_with('|') && text.ends_with("|.") {
        text.pop();
    }
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

/// Returns true if a line has symbols that compare cells. Before a digit and after none, `<` and `^` are marks of its cell.
fn has_relations(text: &str) -> bool {
    let symbols: Vec<char> = text.chars().collect();
    let compares = (0..symbols.len()).filter(|&at| matches!(symbols[at], '<' | '^')).any(|at| {
        let after_cell = at > 0 && symbols[at - 1].is_alphanumeric();
        after_cell || !symbols.get(at + 1).is_some_and(|symbol| symbol.is_alphanumeric())
    });
    compares || text.contains("v>") || text.contains(">v")
}

/// Returns wide digits, blanks and bars as usual ones. A lone wide digit in a long line is a slip of the hand, and stays.
fn narrow(text: &str) -> String {
    const LONG: usize = 36;
    let wide = text.chars().filter(|c| ('\u{ff10}'..='\u{ff19}').contains(c)).count();
    let mixed = text.chars().any(|c| c.is_ascii_digit());
    if wide == 0 || mixed || (wide == 1 && text.chars().count() >= LONG) {
        return text.to_string();
    }
    let usual = text.chars().map(|c| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        other => other,
    });
    usual.collect()
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
    let parts = text.split(|c: char| c.is_whitespace() || is_bar(c) || matches!(c, ',' | ';' | '"' | '\''));
    let tokens: Vec<&str> = parts.filter(|token| !token.is_empty()).collect();
    let cells = if tokens.first().is_some_and(|token| is_cell(token)) { &tokens[..] } else { tokens.get(1..)? };
    let numbers: Vec<(&str, f64)> = cells.iter().filter_map(|token| Some((*token, whole_number(token)?))).collect();
    let places = cells.iter().any(|token| is_decimal(token));
    // `12. 3..` may be a part of a row: there `5.` is a number only if all are.
    let points = numbers.len() == cells.len()
        && numbers.iter().all(|(token, value)| token.ends_with('.') && *value <= cells.len() as f64);
    if cells.len() < SHORTEST || !cells.iter().all(|token| is_cell(token)) || !(places || points) {
        return None;
    }
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for (token, value) in numbers {
        let at = offset(token, text);
        out += &text[end..at];
        out += &format!("{:<1$}", value, token.len());
        end = at + token.len();
    }
    Some(out + &text[end..])
}

/// Returns true for a whole number, or an empty cell.
fn is_cell(token: &str) -> bool {
    whole_number(token).is_some() || cell_texts::is_empty(token)
}

/// Returns true for digits, a point and digits: `0.00`, `5.5`, `1.0e+00`.
pub(super) fn is_decimal(token: &str) -> bool {
    token.split_once('.').is_some_and(|(whole, places)| {
        let places = places.split(['e', 'E']).next().unwrap_or_default();
        (1..=2).contains(&whole.len()) && !places.is_empty() && all_digits(whole) && all_digits(places)
    })
}

/// Returns the value of a token that is a whole number of at most two digits.
pub(super) fn whole_number(token: &str) -> Option<f64> {
    let digits = token.len() <= 2 && all_digits(token);
    let point = token.strip_suffix('.').is_some_and(|whole| (1..=2).contains(&whole.len()) && all_digits(whole));
    if !(digits || point || is_decimal(token)) {
        return None;
    }
    token.parse::<f64>().ok().filter(|value| value.fract() == 0.0 && *value <= LARGEST)
}
