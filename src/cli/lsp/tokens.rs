//! What each word is, for colours. In: a file. Out: tokens in the protocol's form: five numbers each, places relative to the token before.

use super::document::Document;
use crate::lang::words::{FUNCTIONS, KINDS, OTHER_KINDS, is_reserved};
use crate::lang::{TokenClass, token_spans};
use serde_json::{Value, json};
use std::ops::Range;

/// The sorts of tokens, by their numbers.
pub const TYPES: [&str; 7] = ["keyword", "type", "function", "variable", "number", "string", "comment"];

/// All tokens of a file.
pub fn tokens(document: &Document) -> Value {
    let mut data: Vec<u64> = Vec::new();
    let (mut line, mut character) = (0, 0);
    for (kind, span) in token_spans(&document.text).into_iter().filter_map(|token| sort(document, token)) {
        // A token of several lines is one for each of them.
        for piece in by_line(&document.text, span) {
            let place = document.position(piece.start);
            let number = |key: &str| place[key].as_u64().unwrap_or(0);
            let (row, column) = (number("line"), number("character"));
            let wide = document.text[piece].encode_utf16().count() as u64;
            let from = if row == line { column - character } else { column };
            data.extend([row - line, from, wide, kind, 0]);
            (line, character) = (row, column);
        }
    }
    json!({ "data": data })
}

fn sort(document: &Document, (class, span): (TokenClass, Range<usize>)) -> Option<(u64, Range<usize>)> {
    let kind = match class {
        TokenClass::Word => of_word(document, &span),
        TokenClass::Number => 4,
        TokenClass::Text | TokenClass::OpenText => 5,
        TokenClass::Comment | TokenClass::Doc => 6,
        TokenClass::Mark | TokenClass::Newline => return None,
    };
    Some((kind, span))
}

fn of_word(document: &Document, span: &Range<usize>) -> u64 {
    let word = &document.text[span.clone()];
    let called = document.text[span.end..].starts_with('(');
    let is_kind = KINDS.iter().any(|(one, many)| word == *one || word == *many) || OTHER_KINDS.contains(&word);
    match () {
        () if called && FUNCTIONS.contains(&word) => 2,
        () if is_kind => 1,
        () if is_reserved(word) => 0,
        () => 3,
    }
}

fn by_line(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut start = span.start;
    let mut out = Vec::new();
    for line in text[span].split_inclusive('\n') {
        let wide = line.trim_end_matches(['\r', '\n']).len();
        if wide > 0 {
            out.push(start..start + wide);
        }
        start += line.len();
    }
    out
}
