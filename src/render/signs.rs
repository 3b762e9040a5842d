//! Replaces misleading characters in foreign text, such as notes, titles and file names. In: text. Out: text in which visible signs replace
//! control characters, invisible characters, changes of the reading direction, and long runs of combining marks.

use std::borrow::Cow;
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// Replaces misleading characters of a text for one line. Line ends and tabs become signs, too.
pub fn visible(text: &str) -> Cow<'_, str> {
    with_signs(text, |_, _| false)
}

/// Replaces misleading characters of a text with several lines. Line ends and tabs stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    with_signs(text, |c, next| matches!(c, '\n' | '\t') || (c == '\r' && next == Some('\n')))
}

/// Limit on combining marks (characters without a width) in a row. Letters of some scripts carry three or four.
const MAX_MARKS: usize = 4;

/// Returns true if a character is misleading between its neighbours. `marks` is the number of combining marks right before it.
fn is_misleading(previous: Option<char>, c: char, next: Option<char>, marks: usize) -> bool {
    match c {
        // Joiners belong in emoji and in some scripts. Beside an ASCII character, a joiner is misleading.
        '\u{200c}' | '\u{200d}' => [previous, next].iter().any(|neighbour| neighbour.is_none_or(|c| c.is_ascii())),
        // A variation selector changes the glyph of the previous character, which is no ASCII character. Exception: the
        // emoji of a telephone key is an ASCII digit, a selector and U+20E3.
        '\u{fe00}'..='\u{fe0f}' => {
            previous.is_none_or(|c| c.is_ascii() && next != Some('\u{20e3}') || is_variation_selector(c))
        }
        _ => is_invisible(c) || (is_mark(c) && (marks >= MAX_MARKS || previous.is_none_or(char::is_control))),
    }
}

fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}')
}

/// Returns true for combining marks, which are drawn over the character before them.
fn is_mark(c: char) -> bool {
    c.width() == Some(0)
}

/// Returns true for control characters and other characters without a glyph.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        // Soft hyphen, grapheme joiner, direction marks, fillers, blank Braille pattern.
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
        // Zero-width characters, line separators, direction embeddings, overrides and isolates, invisible operators.
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        // Tags, and selectors that can carry hidden text.
        | '\u{e0000}'..='\u{e0fff}')
}

fn with_signs(text: &str, is_kept: impl Fn(char, Option<char>) -> bool) -> Cow<'_, str> {
    replace_misleading(text, is_kept, |out, c| out.push_str(&sign(c)))
}

/// Replaces each misleading character by the output of `write`, unless `is_kept` returns true for the character and the next character.
fn replace_misleading(
    text: &str,
    is_kept: impl Fn(char, Option<char>) -> bool,
    write: impl Fn(&mut String, char),
) -> Cow<'_, str> {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut previous = None;
    let mut marks = 0;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let next = characters.peek().copied();
        if is_misleading(previous, c, next, marks) && !is_kept(c, next) {
            write(&mut out, c);
        } else {
            out.push(c);
        }
        previous = Some(c);
        marks = if is_mark(c) { marks + 1 } else { 0 };
    }
    Cow::Owned(out)
}

/// Returns the sign for a character: a control picture such as `␛`, or `<U+202E>` if Unicode has no picture for the character.
pub fn sign(c: char) -> String {
    /// First code point of the Unicode block of control pictures.
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
    replace_misleading(
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
    replace_misleading(
        text,
        |c, _| c == '\n',
        |out, c| {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        },
    )
}
