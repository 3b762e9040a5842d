//! Tokens of a rule file. In: any text. Out: spans with a class, covering everything but blanks; the layout
//! is read from them and errors name them ("found `;`").

use crate::lang::line_ends::lone_cr_as_lf;
use std::ops::Range;

/// Classes of tokens that layout and messages distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Letters, digits and `_`.
    Word,
    /// Digits.
    Number,
    /// `"…"` or `"""…"""`.
    Text,
    /// A string that does not end.
    OpenText,
    /// Anything else.
    Mark,
    /// The end of a line.
    Newline,
    /// `// …`
    Comment,
    /// `/// …`
    Doc,
}

/// A piece of the source.
#[derive(Clone, Debug)]
pub struct Token {
    pub class: Class,
    pub span: Range<usize>,
}

/// Marks of two bytes and more, also those of other languages, so that a message can name them whole.
const LONG_MARKS: &[&str] = &["...", "..", "!=", "<=", ">=", "<>", "==", "&&", "||", "=>", "->", ":="];

/// Cuts the whole text. Empty lines have no token of their own: the end of the line before them reaches over them.
pub fn tokens(source: &str) -> Vec<Token> {
    let mut all: Vec<Token> = Vec::new();
    for token in each(source) {
        match all.last_mut() {
            Some(last) if last.class == Class::Newline && token.class == Class::Newline => {
                last.span.end = token.span.end
            }
            _ => all.push(token),
        }
    }
    all
}

/// Cuts a text token by token.
pub fn each(source: &str) -> impl Iterator<Item = Token> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = source.get(at..).filter(|rest| !rest.is_empty())?;
            let (class, length) = next(rest);
            at += length;
            if let Some(class) = class {
                return Some(Token { class, span: at - length..at });
            }
        }
    })
}

/// Cuts a text into pairs, for tools that examine unreadable text.
pub fn spans(source: &str) -> Vec<(Class, Range<usize>)> {
    each(&lone_cr_as_lf(source)).map(|token| (token.class, token.span)).collect()
}

/// The token at the beginning of `rest` and its length; `None` for blanks.
fn next(rest: &str) -> (Option<Class>, usize) {
    let first = rest.chars().next().unwrap_or('\n');
    // Only where it is needed: a line of a million marks or texts would be read a million times.
    let line = || rest.find('\n').unwrap_or(rest.len());
    let while_ = |accept: fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
    match first {
        '\n' => (Some(Class::Newline), 1),
        ' ' | '\t' | '\r' | '\u{feff}' => (None, first.len_utf8()),
        '/' if rest.starts_with("///") => (Some(Class::Doc), line()),
        '/' if rest.starts_with("//") => (Some(Class::Comment), line()),
        '"' => text(rest, line),
        c if c.is_alphabetic() || c == '_' => (Some(Class::Word), while_(|c| c.is_alphanumeric() || c == '_')),
        c if c.is_ascii_digit() => (Some(Class::Number), while_(|c| c.is_ascii_digit())),
        c => {
            let long = LONG_MARKS.iter().find(|mark| rest.starts_with(**mark));
            (Some(Class::Mark), long.map_or(c.len_utf8(), |mark| mark.len()))
        }
    }
}

/// A string. One that is not closed ends with its line, before a `{` that opens a block.
fn text(rest: &str, line: impl Fn() -> usize) -> (Option<Class>, usize) {
    if let Some(inside) = rest.strip_prefix("\"\"\"") {
        return match inside.find("\"\"\"") {
            Some(end) => (Some(Class::Text), end + 6),
            None => (Some(Class::OpenText), line()),
        };
    }
    let inside = rest.get(1..).unwrap_or("");
    let end = inside.find(['"', '\n']).unwrap_or(inside.len());
    if inside[end..].starts_with('"') {
        return (Some(Class::Text), end + 2);
    }
    let shown = inside[..end].trim_end();
    let shown = shown.strip_suffix('{').map_or(shown, str::trim_end);
    (Some(Class::OpenText), 1 + shown.len())
}
