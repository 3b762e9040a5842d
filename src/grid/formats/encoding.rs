//! Decodes bytes and cleans lines. UTF-8 and UTF-16 are decoded; files such as PDFs are refused by name. A cleaned line has none of the
//! quotes, bullets, names and operators around a row in program text, and no `>` of a quoted mail. It has ASCII digits for full-width
//! digits, and `5` for `5.0`.

use super::boards::{SHORTEST_ROW, SMALLEST_PUZZLE};
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
    /// UTF-16 with the low byte first.
    Utf16Le,
    /// UTF-16 with the high byte first.
    Utf16Be,
}

/// The first bytes of files that are not read, and descriptions of these files.
const OTHER_FILES: [(&[u8], &str); 8] = [
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
    /// Number of bytes that [`Encoding::detect`] examines.
    pub const EXAMINED_BYTES: usize = 64;

    /// Detects the encoding of a text from its first bytes: by a byte order mark, or by zeros in every other byte, because digits have
    /// a zero byte in UTF-16.
    pub fn detect(first: &[u8]) -> Encoding {
        let first = &first[..first.len().min(Encoding::EXAMINED_BYTES)];
        match first {
            _ if other_file(first).is_some() => return Encoding::Utf8,
            [0xff, 0xfe, ..] => return Encoding::Utf16Le,
            [0xfe, 0xff, ..] => return Encoding::Utf16Be,
            _ if first.len() < 4 => return Encoding::Utf8,
            _ => {}
        }
        let even_bytes: Vec<u8> = first.iter().step_by(2).copied().collect();
        let odd_bytes: Vec<u8> = first.iter().skip(1).step_by(2).copied().collect();
        // The high byte is 0 for ASCII and 0x25 for the lines and corners of drawings (U+25xx).
        let [even_are_high, odd_are_high] =
            [&even_bytes, &odd_bytes].map(|bytes| bytes.iter().all(|byte| matches!(byte, 0 | 0x25)));
        if first.contains(&0x25) && first.contains(&0) && even_are_high != odd_are_high {
            return if odd_are_high { Encoding::Utf16Le } else { Encoding::Utf16Be };
        }
        if odd_bytes.iter().all(|&byte| byte == 0) && !even_bytes.contains(&0) {
            Encoding::Utf16Le
        } else if even_bytes.iter().all(|&byte| byte == 0) && !odd_bytes.contains(&0) {
            Encoding::Utf16Be
        } else {
            Encoding::Utf8
        }
    }

    /// Decodes bytes. Invalid bytes, and half a UTF-16 unit at the end, become U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> String {
        let unit: fn([u8; 2]) -> u16 = match self {
            Encoding::Utf8 => return String::from_utf8_lossy(bytes).into_owned(),
            Encoding::Utf16Le => u16::from_le_bytes,
            Encoding::Utf16Be => u16::from_be_bytes,
        };
        let (pairs, odd) = bytes.as_chunks::<2>();
        let units = pairs.iter().map(|&pair| unit(pair));
        let characters = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
        characters.chain(odd.iter().map(|_| char::REPLACEMENT_CHARACTER)).collect()
    }
}

/// Characters that old programs leave at the end of a file.
const PADDING: [char; 2] = ['\0', '\u{1a}'];

/// Decodes the content of a file, without a byte order mark at its beginning and without padding at its end.
///
/// # Errors
/// If the bytes are no text: they are neither UTF-8 nor UTF-16, or contain a NUL before the padding.
pub fn text_of(bytes: &[u8]) -> Result<String, FormatError> {
    if let Some(kind) = other_file(bytes) {
        return Err(no_text(bytes, 0, &format!("this is {kind}, which Pinion does not read")));
    }
    let encoding = Encoding::detect(bytes);
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
        decoded = encoding.decode(bytes);
        let text = decoded.trim_end_matches(PADDING);
        if let Some(at) = text.find('\0') {
            let error = no_text(text.as_bytes(), at, "a zero character: this is not a text");
            return Err(FormatError { column: 1, ..error });
        }
        text
    };
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_string())
}

/// Error for bytes that are no text because of the byte at `at`.
fn no_text(bytes: &[u8], at: usize, message: &str) -> FormatError {
    let mut lines = bytes[..at].split(|&byte| byte == b'\n');
    let column = lines.next_back().unwrap_or_default().len() + 1;
    FormatError::new(error::BINARY, (lines.count() + 1, column), message).with_help("puzzles are plain text in UTF-8")
}

fn other_file(first: &[u8]) -> Option<&'static str> {
    OTHER_FILES.iter().find(|(beginning, _)| first.starts_with(beginning)).map(|(_, description)| *description)
}

/// Returns the lines of a text, without their ends. A line ends with a line feed, a carriage return, or both.
pub fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let mut remaining = text;
    std::iter::from_fn(move || {
        if remaining.is_empty() {
            return None;
        }
        let end = remaining.find(['\n', '\r']).unwrap_or(remaining.len());
        let (line, after) = remaining.split_at(end);
        remaining = after.strip_prefix("\r\n").or_else(|| after.get(1..)).unwrap_or_default();
        Some(line)
    })
}

/// Returns the cleaned line, and the number of characters removed from its beginning. In a document, quotes and names are kept.
pub(super) fn clean_line(line: &str, is_in_document: bool) -> (String, usize) {
    // A tab at the end may separate an empty cell.
    let mut text = line.trim_end_matches(|c: char| c.is_whitespace() && c != '\t' || matches!(c, '\0' | '\u{1a}'));
    if bare_cells(text).is_some() {
        return (text.to_string(), 0);
    }
    // A line of blanks or of at least three tabs may be a row of empty cells.
    if text.trim().is_empty() && !text.contains("\t\t\t") {
        let is_row = line.len() >= SHORTEST_ROW && line.bytes().all(|byte| byte == b' ');
        return (if is_row { line.to_string() } else { String::new() }, 0);
    }
    // A `>` at the beginning quotes mail, except in a puzzle with relations.
    if !has_relations(line) {
        while let Some(rest) = text.strip_prefix('>') {
            text = rest.strip_prefix(' ').unwrap_or(rest);
        }
    }
    let cells = if is_in_document {
        None
    } else {
        quoted_row(text).or_else(|| bulleted_row(text)).or_else(|| named_puzzle(text))
    };
    let shift = if text.is_empty() { 0 } else { line[..offset(cells.unwrap_or(text), line)].chars().count() };
    if let Some(cells) = cells {
        return (cells.to_string(), shift);
    }
    let mut text = with_ascii_digits(text);
    // The sudoku package of LaTeX ends its rows with a point.
    if text.len() > 2 && text.starts_with('|') && text.ends_with("|.") {
        text.pop();
    }
    (latex_row(&text).or_else(|| with_integers(&text)).unwrap_or(text), shift)
}

/// Operators that join a text in quotes to the text of the next line.
const STRING_OPERATORS: [&str; 9] = ["+", "\\", ".", "..", "&", "++", "<>", "\\n\\", "~"];

/// Returns the row in quotes on a line of program text: `s = "53..7...." +`, `s = """53..7....`, `- "53..7...."`.
fn quoted_row(text: &str) -> Option<&str> {
    let start = text.find(['"', '\'', '`'])?;
    let (before, rest) = (text[..start].trim_end(), &text[start..]);
    let is_bullet = matches!(before.trim_start(), "-" | "*");
    let is_after_operator = before.ends_with(['=', '(', ':', '+', '.']) || before.ends_with("<-");
    if !before.is_empty() && !is_bullet && !is_after_operator {
        // The last line of a text in quotes, such as `....8..79"""`.
        let text = text.trim_end_matches([';', ')']);
        let last_row = ["\"\"\"", "\'\'\'", "`"].iter().find_map(|quote| text.strip_suffix(quote))?;
        return is_row(last_row).then_some(last_row);
    }
    let quote = ["\"\"\"", "\'\'\'", "\"", "\'", "`"].into_iter().find(|quote| rest.starts_with(quote))?;
    let inside = &rest[quote.len()..];
    let Some((cells, after)) = inside.split_once(quote) else {
        let may_span_lines = quote.len() == 3 || quote == "`";
        return (may_span_lines && is_row(inside)).then_some(inside);
    };
    let after = after.trim();
    let continues = STRING_OPERATORS.contains(&after) || is_bullet && matches!(after, "" | ",");
    let cells = cells.strip_suffix("\\n").unwrap_or(cells);
    (continues && is_row(cells)).then_some(cells)
}

/// Returns true if the text has only cells, without blanks between them, and at least as many as the shortest row.
fn is_row(text: &str) -> bool {
    text.chars().count() >= SHORTEST_ROW && text.chars().all(is_symbol)
}

/// Returns the row after a bullet of a list in YAML or Markdown.
fn bulleted_row(text: &str) -> Option<&str> {
    let inside = text.trim_start();
    let row = inside.strip_prefix("- ").or_else(|| inside.strip_prefix("* "))?.trim_start();
    is_row(row).then_some(row)
}

/// Returns the puzzle after a name: `grid: 53..7…`, `- puzzle: "53..7…"`, `grid = "53..7…".split("")`.
fn named_puzzle(text: &str) -> Option<&str> {
    const LONGEST_NAME: usize = 15;
    let inside = text.trim_start().trim_start_matches("- ");
    let value = inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let name = &inside[..inside.len() - value.len()];
    let value = value.trim_start().strip_prefix([':', '='])?.trim();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''));
    let (cells, after) = quote.and_then(|quote| value[1..].split_once(quote)).unwrap_or((value, ""));
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() <= LONGEST_NAME;
    let ends = matches!(after, "" | ";" | ")") || after.starts_with(".split");
    let count = cells.bytes().filter(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let is_puzzle =
        count >= SMALLEST_PUZZLE && cells.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b' '));
    (is_name && ends && is_puzzle).then_some(cells)
}

/// Converts a row of a LaTeX table, such as `5 & 3 & & \\ \hline`, to cells between bars.
fn latex_row(text: &str) -> Option<String> {
    const FEWEST_SEPARATORS: usize = 3;
    if text.matches('&').count() < FEWEST_SEPARATORS {
        return None;
    }
    let text = text.trim().trim_start_matches("\\hline").trim_start();
    let (cells, after) = text.split_once("\\\\").unwrap_or((text, ""));
    let ends_row = after.trim().is_empty() || after.trim_start().starts_with(['\\', '[']);
    (ends_row && cells.chars().all(|c: char| is_symbol(c) || c.is_whitespace() || c == '&'))
        .then(|| format!("|{}|", cells.replace('&', "|")))
}

/// Returns true if a line has relations between cells, as in `5<3`. A `<` or `^` that stands before a digit but after none decorates
/// the cell and is no relation.
fn has_relations(text: &str) -> bool {
    let symbols: Vec<char> = text.chars().collect();
    let has_relation = (0..symbols.len()).filter(|&at| matches!(symbols[at], '<' | '^')).any(|at| {
        let is_after_cell = at > 0 && symbols[at - 1].is_alphanumeric();
        let is_before_cell = symbols.get(at + 1).is_some_and(|symbol| symbol.is_alphanumeric());
        is_after_cell || !is_before_cell
    });
    has_relation || text.contains("v>") || text.contains(">v")
}

/// Replaces full-width digits, blanks and bars by their ASCII forms. A single full-width digit in a long line is kept, because the
/// reader reports it as a typing error.
fn with_ascii_digits(text: &str) -> String {
    const LONG_LINE: usize = 36;
    let full_width = text.chars().filter(|c| ('\u{ff10}'..='\u{ff19}').contains(c)).count();
    let has_ascii_digits = text.chars().any(|c| c.is_ascii_digit());
    if full_width == 0 || has_ascii_digits || (full_width == 1 && text.chars().count() >= LONG_LINE) {
        return text.to_string();
    }
    let ascii = text.chars().map(|c| match c {
        // Full-width forms have the order of ASCII.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        other => other,
    });
    ascii.collect()
}

const LARGEST_DIGIT: f64 = 25.0;

/// Replaces decimal numbers by integers, if the line has only decimal numbers and empty cells, perhaps after a label.
fn with_integers(text: &str) -> Option<String> {
    if !text.contains('.') || bare_cells(text).is_some() {
        return None;
    }
    let fields = text.split(|c: char| c.is_whitespace() || is_bar(c) || matches!(c, ',' | ';' | '"' | '\''));
    let tokens: Vec<&str> = fields.filter(|token| !token.is_empty()).collect();
    let cells = if tokens.first().is_some_and(|token| is_cell(token)) { &tokens[..] } else { tokens.get(1..)? };
    let numbers: Vec<(&str, f64)> = cells.iter().filter_map(|token| Some((*token, whole_number(token)?))).collect();
    let has_decimals = cells.iter().any(|token| is_decimal(token));
    // `12. 3..` may be cells of a row, so `5.` is a number only if all cells are such numbers.
    let all_end_with_point = numbers.len() == cells.len()
        && numbers.iter().all(|(token, value)| token.ends_with('.') && *value <= cells.len() as f64);
    let is_row = cells.len() >= SHORTEST_ROW && cells.iter().all(|token| is_cell(token));
    if !is_row || !(has_decimals || all_end_with_point) {
        return None;
    }
    let (mut replaced, mut end) = (String::with_capacity(text.len()), 0);
    for (token, value) in numbers {
        let at = offset(token, text);
        replaced += &text[end..at];
        replaced += &format!("{:<1$}", value, token.len());
        end = at + token.len();
    }
    Some(replaced + &text[end..])
}

fn is_cell(token: &str) -> bool {
    whole_number(token).is_some() || cell_texts::is_empty(token)
}

/// Returns true for a decimal number with one or two digits before the point: `0.00`, `5.5`, `1.0e+00`.
pub(super) fn is_decimal(token: &str) -> bool {
    token.split_once('.').is_some_and(|(integer, decimals)| {
        let decimals = decimals.split(['e', 'E']).next().unwrap_or_default();
        (1..=2).contains(&integer.len()) && !decimals.is_empty() && all_digits(integer) && all_digits(decimals)
    })
}

/// Returns the value of a token such as `5`, `5.` or `5.0`, if it is an integer up to the largest digit.
pub(super) fn whole_number(token: &str) -> Option<f64> {
    let is_integer = token.len() <= 2 && all_digits(token);
    let ends_with_point =
        token.strip_suffix('.').is_some_and(|integer| (1..=2).contains(&integer.len()) && all_digits(integer));
    if !(is_integer || ends_with_point || is_decimal(token)) {
        return None;
    }
    token.parse::<f64>().ok().filter(|value| value.fract() == 0.0 && *value <= LARGEST_DIGIT)
}
