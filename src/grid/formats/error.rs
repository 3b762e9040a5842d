//! Errors of the puzzle reader: [`FormatError`], its codes, and names of characters and advice for messages.

use super::TextPosition;
use serde::Serialize;
use std::fmt;

/// A text that cannot be read as a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FormatError {
    /// Stable code, `P01` to `P17`.
    pub code: &'static str,
    /// Line of the text, from one.
    pub line: usize,
    /// Character of the line, from one.
    pub column: usize,
    /// Description of the fault, without line ends.
    pub message: String,
    /// Advice to the user.
    pub help: Option<String>,
}

/// Defines a constant for each code, and the table of all codes.
macro_rules! codes {
    ($($name:ident $code:literal $description:literal,)*) => {
        $(#[doc = $description] pub(super) const $name: &str = $code;)*

        /// Every code with a description of its fault.
        pub const CODES: [(&str, &str); 17] = [$(($name, $description)),*];
    };
}

codes! {
    EMPTY "P01" "nothing to read",
    BINARY "P02" "not a text",
    LENGTH "P03" "the wrong number of characters or cells",
    CHARACTER "P04" "a character without a meaning in a puzzle",
    TOO_LARGE "P05" "a digit that the board does not have",
    REPEATED_DIGIT "P06" "a digit is twice in a row, column or box",
    NO_CLUE "P07" "no digit at all",
    ROWS "P08" "rows of different lengths, or too few of them",
    CANDIDATE_LIST "P09" "a candidate list is empty, repeats a digit, or has one in the wrong place",
    LIBRARY "P10" "a library line lacks parts, or a triple is not a candidate",
    BEFORE_PUZZLE "P11" "a blank or a byte order mark before the puzzle (at the beginning of a file, a byte order mark is accepted)",
    SECOND_PUZZLE "P12" "a second puzzle where one is expected",
    REGIONS "P13" "the regions of a puzzle do not make a board",
    DOCUMENT "P14" "a damaged or incomplete link or document",
    CONSTRAINT "P15" "a constraint that Pinion does not support",
    CANNOT_HOLD "P16" "a puzzle that the output format cannot store",
    AMBIGUOUS "P17" "a text that can be read in two ways",
}

pub(super) fn ambiguous(position: TextPosition, reading: &str, other_reading: &str) -> FormatError {
    FormatError::new(AMBIGUOUS, position, format!("this can be read in two ways: as {reading}, or as {other_reading}"))
        .with_help("write the puzzle as one line of characters, `.` for an empty cell")
}

/// Error for a damaged or incomplete text. [`FormatError::in_format`] adds the line, and puts `this looks like …, but` before the
/// message, so that `it` in a message stands for the text.
pub(super) fn broken(message: impl Into<String>) -> FormatError {
    FormatError::new(DOCUMENT, (1, 1), message)
}

/// Error for a document or code that can be read in two ways, with the line and format as in [`broken`].
pub(super) fn unclear(message: impl Into<String>, help: impl Into<String>) -> FormatError {
    FormatError::new(AMBIGUOUS, (1, 1), message).with_help(help)
}

/// Error for a constraint that no board of Pinion has. [`FormatError::in_format`] adds the line and the name of the format.
pub(super) fn constraint(name: &str) -> FormatError {
    FormatError::new(CONSTRAINT, (1, 1), format!("it has the constraint `{name}`"))
        .with_help("Pinion's boards have regions, extra houses and cells that see each other, and no other constraints")
}

impl FormatError {
    pub(super) fn new(code: &'static str, position: TextPosition, message: impl Into<String>) -> FormatError {
        FormatError { code, line: position.0, column: position.1, message: message.into(), help: None }
    }

    pub(super) fn with_help(mut self, help: impl Into<String>) -> FormatError {
        self.help = Some(help.into());
        self
    }

    /// Sets the line, and adds to the message the name of the format that the text resembles and the path of the puzzle in its
    /// document.
    pub(super) fn in_format(self, line: usize, format: &str, path: &str) -> FormatError {
        let inside = if path.is_empty() { String::new() } else { format!("in `{path}`: ") };
        let message = format!("this looks like {format}, but {inside}{}", self.message);
        FormatError { line, column: 1, message, ..self }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}, column {}: {}", self.code, self.line, self.column, self.message)?;
        self.help.iter().try_for_each(|help| write!(f, " ({help})"))
    }
}

impl std::error::Error for FormatError {}

/// Names of characters that are invisible, or are easily taken for a blank or for an empty cell.
#[rustfmt::skip]
const CHARACTER_NAMES: [(char, &str); 46] = [
    ('\t', "a tab"), ('\u{a0}', "a no-break space"), ('\u{ad}', "a soft hyphen"), ('\u{b2}', "a superscript 2"),
    ('\u{b3}', "a superscript 3"), ('\u{b7}', "a middle dot"), ('\u{b9}', "a superscript 1"),
    ('\u{d7}', "a multiplication sign"), ('\u{34f}', "a grapheme joiner"), ('\u{61c}', "a mark of writing direction"),
    ('\u{180e}', "a vowel separator"), ('\u{2002}', "an en space"), ('\u{2003}', "an em space"),
    ('\u{2007}', "a figure space"), ('\u{2009}', "a thin space"), ('\u{200a}', "a hair space"),
    ('\u{200b}', "a zero-width space"), ('\u{200c}', "a zero-width non-joiner"), ('\u{200d}', "a zero-width joiner"),
    ('\u{200e}', "a mark of writing direction"), ('\u{200f}', "a mark of writing direction"),
    ('\u{2010}', "a hyphen"), ('\u{2011}', "a no-break hyphen"), ('\u{2012}', "a figure dash"),
    ('\u{2013}', "an en dash"), ('\u{2014}', "an em dash"), ('\u{2015}', "a horizontal bar"),
    ('\u{2018}', "a curly quote"), ('\u{2019}', "a curly quote"), ('\u{201c}', "a curly quote"),
    ('\u{201d}', "a curly quote"), ('\u{2022}', "a bullet"), ('\u{2024}', "a one dot leader"),
    ('\u{2025}', "a two dot leader"), ('\u{2026}', "an ellipsis"), ('\u{2028}', "a line separator"),
    ('\u{2029}', "a paragraph separator"), ('\u{202f}', "a narrow no-break space"), ('\u{2060}', "a word joiner"),
    ('\u{20e3}', "the frame of a key"), ('\u{2212}', "a minus sign"), ('\u{25a1}', "a white square"),
    ('\u{3000}', "a wide space"), ('\u{fe0f}', "a mark of how a character is drawn"),
    ('\u{feff}', "a byte order mark"), ('\u{fffd}', "a character that could not be decoded"),
];

/// The digit 0 of other scripts, and the name of the script. In Unicode, the digits 1 to 9 of a script follow its 0.
#[rustfmt::skip]
const FOREIGN_ZEROS: [(char, &str); 8] = [
    ('\u{660}', "an Arabic-Indic"), ('\u{6f0}', "a Persian"), ('\u{966}', "a Devanagari"), ('\u{9e6}', "a Bengali"),
    ('\u{e50}', "a Thai"), ('\u{2070}', "a superscript"), ('\u{2080}', "a subscript"), ('\u{ff10}', "a full-width"),
];

pub(super) fn describe_character(symbol: char) -> String {
    let code = symbol as u32;
    if symbol.is_ascii_graphic() {
        format!("`{symbol}`")
    } else if let Some((_, name)) = CHARACTER_NAMES.iter().find(|(named, _)| *named == symbol) {
        format!("U+{code:04X}, {name},")
    } else if let Some((digit, script)) = foreign_digit(symbol) {
        format!("`{symbol}` (U+{code:04X}, {script} {digit})")
    } else if symbol.is_control() {
        format!("the control character U+{code:04X}")
    } else {
        format!("`{symbol}` (U+{code:04X})")
    }
}

pub(super) fn is_invisible(symbol: char) -> bool {
    matches!(
        symbol,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe0f}' | '\u{feff}'
    )
}

pub(super) fn advice_for(symbol: char) -> Option<&'static str> {
    match symbol {
        _ if is_invisible(symbol) => Some("it can't be seen; delete it"),
        '\u{2024}'..='\u{2026}' => Some("an editor made it of dots; write a dot for each empty cell"),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => {
            Some("an editor made it of hyphens; write `-` or `.` for each empty cell")
        }
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => {
            Some("write `.` or `0` for an empty cell, and an ordinary blank between cells")
        }
        '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' => Some("write straight quotes, or none"),
        _ if foreign_digit(symbol).is_some() => Some("write 0 to 9"),
        _ => advice_for_letter(symbol),
    }
}

/// Advises what to write instead of a letter that is often typed or scanned in place of a digit.
pub(super) fn advice_for_letter(symbol: char) -> Option<&'static str> {
    match symbol {
        'O' | 'o' => Some("this is the letter O; write the digit 0 for an empty cell"),
        'l' | 'I' | 'i' => Some("this is a letter; write the digit 1 if you mean it"),
        _ => None,
    }
}

/// Returns the value of a digit of another script, and the name of the script.
fn foreign_digit(symbol: char) -> Option<(u32, &'static str)> {
    FOREIGN_ZEROS.iter().find_map(|&(zero, script)| {
        let value = (symbol as u32).checked_sub(zero as u32)?;
        if value < 10 { Some((value, script)) } else { None }
    })
}
