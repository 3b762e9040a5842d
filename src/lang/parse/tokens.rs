//! Splits any text into tokens. The tokens cover everything except blanks. [`too_large`] refuses an item with too many
//! tokens before it is parsed, so that a huge file takes no longer than a small file.

use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::line_ends::lone_cr_as_lf;
use crate::lang::words::ITEMS;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// Letters, digits and `_`.
    Word,
    Number,
    /// `"…"` or `"""…"""`.
    Text,
    /// A string without closing quotes.
    OpenText,
    /// A punctuation mark, an operator or any other character.
    Mark,
    Newline,
    /// `// …`
    Comment,
    /// `/// …`
    Doc,
}

#[derive(Clone, Debug)]
pub struct Token<'s> {
    pub class: TokenClass,
    pub span: Range<usize>,
    pub text: &'s str,
}

/// Returns the text of a span; empty if the text has no such span.
pub fn text_at<'s>(source: &'s str, span: &Range<usize>) -> &'s str {
    source.get(span.clone()).unwrap_or("")
}

/// Marks of several bytes. Marks of other languages, such as `==`, are included so that a diagnostic can show the whole
/// mark.
const LONG_MARKS: &[&str] = &["...", "..", "!=", "<=", ">=", "<>", "==", "&&", "||", "=>", "->", ":="];

/// Returns all tokens of a text, with consecutive newlines joined into one token.
pub fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token> = Vec::new();
    for token in iter_tokens(source) {
        match tokens.last_mut() {
            Some(last) if last.class == TokenClass::Newline && token.class == TokenClass::Newline => {
                last.span.end = token.span.end;
                last.text = text_at(source, &last.span);
            }
            _ => tokens.push(token),
        }
    }
    tokens
}

pub fn iter_tokens(source: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = source.get(at..).filter(|rest| !rest.is_empty())?;
            let (class, length) = first_token(rest);
            at += length;
            if let Some(class) = class {
                return Some(Token { class, span: at - length..at, text: &rest[..length] });
            }
        }
    })
}

/// Returns the classes and spans of all tokens, for tools that examine unreadable text.
pub fn spans(source: &str) -> Vec<(TokenClass, Range<usize>)> {
    iter_tokens(&lone_cr_as_lf(source)).map(|token| (token.class, token.span)).collect()
}

/// Returns the class and the length of the token at the beginning of a text that is not empty; the class of a blank is
/// `None`.
fn first_token(rest: &str) -> (Option<TokenClass>, usize) {
    match rest.chars().next().unwrap_or('\n') {
        '\n' => (Some(TokenClass::Newline), 1),
        blank @ (' ' | '\t' | '\r' | '\u{feff}') => (None, blank.len_utf8()),
        '/' if rest.starts_with("///") => (Some(TokenClass::Doc), line_length(rest)),
        '/' if rest.starts_with("//") => (Some(TokenClass::Comment), line_length(rest)),
        '"' => string_token(rest),
        c if c.is_alphabetic() || c == '_' => {
            (Some(TokenClass::Word), rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()))
        }
        c if c.is_ascii_digit() => {
            (Some(TokenClass::Number), rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()))
        }
        c => {
            let long = LONG_MARKS.iter().find(|mark| rest.starts_with(**mark));
            (Some(TokenClass::Mark), long.map_or(c.len_utf8(), |mark| mark.len()))
        }
    }
}

fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// Returns the class and the length of the string at the beginning of a text. A string without closing quotes ends at
/// the end of its line, or before a `{` that opens a block there.
fn string_token(rest: &str) -> (Option<TokenClass>, usize) {
    if let Some(inside) = rest.strip_prefix("\"\"\"") {
        return match inside.find("\"\"\"") {
            Some(length) => (Some(TokenClass::Text), length + 2 * "\"\"\"".len()),
            None => (Some(TokenClass::OpenText), line_length(rest)),
        };
    }
    let inside = rest.get(1..).unwrap_or("");
    let end = inside.find(['"', '\n']).unwrap_or(inside.len());
    if inside[end..].starts_with('"') {
        return (Some(TokenClass::Text), end + "\"\"".len());
    }
    let line = inside[..end].trim_end();
    let text = line.strip_suffix('{').map_or(line, str::trim_end);
    (Some(TokenClass::OpenText), 1 + text.len())
}

/// Maximum number of words, marks and placeholders in an item. The largest built-in rule has 400.
const MAX_PARTS: usize = 10_000;

const MAX_COMMENTS: usize = 50_000;

/// Reports the first item with more than [`MAX_PARTS`] words, marks and placeholders, or more than [`MAX_COMMENTS`]
/// comments. An item begins with its keyword in the first column.
pub fn too_large(source: &str) -> Option<Diagnostic> {
    let mut parts = 0;
    let mut comments = 0;
    let mut line_start = 0;
    for token in iter_tokens(source) {
        match token.class {
            TokenClass::Newline => {
                line_start = token.span.end;
                continue;
            }
            TokenClass::Comment | TokenClass::Doc => comments += 1,
            TokenClass::Word if token.span.start == line_start && ITEMS.contains(&token.text) => {
                (parts, comments) = (1, 0)
            }
            _ => parts += weight(&token),
        }
        if parts > MAX_PARTS || comments > MAX_COMMENTS {
            let first_char = token.span.start..token.span.start + token.text.chars().next().map_or(0, char::len_utf8);
            let (most, parts) = match parts > MAX_PARTS {
                true => (MAX_PARTS, "words, marks and placeholders"),
                false => (MAX_COMMENTS, "lines of comment"),
            };
            return Some(SyntaxProblem::LargeItem { most, parts }.at(&first_char));
        }
    }
    None
}

/// Returns what a token adds to the size of an item: 1, and for a string also 1 for each placeholder and line end.
pub fn weight(token: &Token) -> usize {
    match token.class {
        TokenClass::Text | TokenClass::OpenText => 1 + token.text.matches(['{', '\n']).count(),
        _ => 1,
    }
}
