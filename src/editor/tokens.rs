//! Semantic tokens, for colouring. In: a file. Out: its tokens in order, split at ends of lines.

use super::document::Document;
use crate::lang::words::{FUNCTIONS, KINDS, OTHER_KINDS, is_reserved};
use crate::lang::{TokenClass, token_spans};
use serde::Serialize;
use std::ops::Range;

/// Token type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// A word of the language.
    Keyword,
    /// A kind.
    Kind,
    /// A function.
    Function,
    /// A name.
    Name,
    /// A number.
    Number,
    /// A text in quotes.
    Text,
    /// A comment.
    Comment,
}

/// All tokens of a file but marks.
pub fn tokens(document: &Document) -> Vec<(Class, Range<usize>)> {
    let sorted = token_spans(&document.text).into_iter().filter_map(|token| sort(document, token));
    // A token of several lines is one for each of them.
    sorted
        .flat_map(|(class, span)| by_line(&document.text, span).into_iter().map(move |piece| (class, piece)))
        .collect()
}

fn sort(document: &Document, (class, span): (TokenClass, Range<usize>)) -> Option<(Class, Range<usize>)> {
    let kind = match class {
        TokenClass::Word => of_word(document, &span),
        TokenClass::Number => Class::Number,
        TokenClass::Text | TokenClass::OpenText => Class::Text,
        TokenClass::Comment | TokenClass::Doc => Class::Comment,
        TokenClass::Mark | TokenClass::Newline => return None,
    };
    Some((kind, span))
}

fn of_word(document: &Document, span: &Range<usize>) -> Class {
    let word = &document.text[span.clone()];
    let called = document.text[span.end..].starts_with('(');
    let is_kind = KINDS.iter().any(|(one, many)| word == *one || word == *many) || OTHER_KINDS.contains(&word);
    match () {
        () if called && FUNCTIONS.contains(&word) => Class::Function,
        () if is_kind => Class::Kind,
        () if is_reserved(word) => Class::Keyword,
        () => Class::Name,
    }
}

fn by_line(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut start = span.start;
    let mut out = Vec::new();
    for line in text[span].split_inclusive(['\n', '\r']) {
        let wide = line.trim_end_matches(['\r', '\n']).len();
        if wide > 0 {
            out.push(start..start + wide);
        }
        start += line.len();
    }
    out
}
