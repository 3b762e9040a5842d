//! Foreign text made safe to show. In: text from outside, such as notes, titles, file names and lines of rules. Out: text in which every
//! character that moves the cursor, hides something, changes the direction of reading or is painted far over its neighbours is a visible
//! sign.

use std::borrow::Cow;
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// Makes text visible on one line: line ends and tabs become signs, too.
pub fn visible(text: &str) -> Cow<'_, str> {
    with_signs(text, |_, _| false)
}

/// Makes text of several lines visible: line ends and tabs stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    with_signs(text, |c, after| matches!(c, '\n' | '\t') || (c == '\r' && after == Some('\n')))
}

/// The most marks (characters without a width) in a row: letters of some scripts carry three or four.
const MOST_MARKS: usize = 4;

/// Returns true if a character misleads a reader between its neighbours. `marks` is the number of marks right before it.
fn misleads(before: Option<char>, c: char, after: Option<char>, marks: usize) -> bool {
    match c {
        // Joiners belong to some scripts and to emoji.
        '\u{200c}' | '\u{200d}' => [before, after].iter().any(|one| one.is_none_or(|c| c.is_ascii())),
        // A selector changes the look of the one character before it; the key of a telephone has a digit there.
        '\u{fe00}'..='\u{fe0f}' => {
            before.is_none_or(|one| one.is_ascii() && after != Some('\u{20e3}') || is_selector(one))
        }
        _ => is_hidden(c) || (is_mark(c) && (marks >= MOST_MARKS || before.is_none_or(char::is_control))),
    }
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}')
}

/// Returns true for characters that are drawn over the one before them.
fn is_mark(c: char) -> bool {
    c.width() == Some(0)
}

/// Returns true for control characters, and for characters without a shape of their own.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        // Soft hyphen, joiner of graphemes, marks of direction, fillers, the empty pattern of Braille.
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
        // Zero-width characters, separators of lines, embeddings, overrides and isolates, invisible operators.
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        // Tags, and selectors that can carry hidden text.
        | '\u{e0000}'..='\u{e0fff}')
}

fn with_signs(text: &str, stays: impl Fn(char, Option<char>) -> bool) -> Cow<'_, str> {
    replaced(text, stays, |out, c| out.push_str(&sign(c)))
}

/// Returns the text with `write` in place of each misleading character, except those for which `stays` (the character, the next one) is
/// true.
fn replaced(text: &str, stays: impl Fn(char, Option<char>) -> bool, write: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let (mut before, mut marks) = (None, 0);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let after = characters.peek().copied();
        if misleads(before, c, after, marks) && !stays(c, after) {
            write(&mut out, c);
        } else {
            out.push(c);
        }
        before = Some(c);
        marks = if is_mark(c) { marks + 1 } else { 0 };
    }
    Cow::Owned(out)
}

/// Returns the sign for a character: `␛` for the escape character, `<U+202E>` if Unicode has no picture.
pub fn sign(c: char) -> String {
    const PICTURES: u32 = 0x2400;
    let picture = match c {
        '\0'..='\u{1f}' => char::from_u32(PICTURES + u32::from(c)),
        '\u{7f}' => Some('\u{2421}'),
        _ => None,
    };
    picture.map_or_else(|| format!("<U+{:04X}>", u32::from(c)), String::from)
}

/// Escapes the misleading characters of JSON, without changing its meaning.
pub fn escaped_json(text: &str) -> Cow<'_, str> {
    replaced(
        text,
        |_, _| false,
        |out, c| {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let _ = write!(out, "\\u{unit:04x}");
            });
        },
    )
}

/// Escapes the misleading characters of RON, without changing its meaning.
pub fn escaped_ron(text: &str) -> Cow<'_, str> {
    replaced(
        text,
        |c, _| c == '\n',
        |out, c| {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        },
    )
}
