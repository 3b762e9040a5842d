//! Whether two texts say the same. In: tokens or trees. Out: whether they differ in more than blanks and places.

use crate::lang::ast::File;
use crate::lang::parse::tokens::{Class, tokens as cut};
use serde_json::Value;

/// Words, marks, texts and comments in order.
fn tokens_of(source: &str) -> Vec<(Class, String)> {
    let all = cut(source).into_iter().filter(|token| token.class != Class::Newline);
    let text = |span| trimmed(source.get(span).unwrap_or(""));
    all.map(|token| match token.class {
        // The blank after the slashes may have been put there.
        Class::Comment | Class::Doc => (token.class, text(token.span).replace(' ', "")),
        Class::Text => (token.class, inside(source.get(token.span).unwrap_or(""))),
        class => (class, text(token.span)),
    })
    .collect()
}

/// A text of several lines without its quotes: empty lines beside them say nothing.
fn inside(text: &str) -> String {
    match text.strip_prefix("\"\"\"") {
        Some(rest) => format!("\"\"\"{}", trimmed(rest.trim_end_matches('"'))),
        None => text.to_owned(),
    }
}

/// Whether two texts have the same tokens.
pub fn tokens(before: &str, after: &str) -> bool {
    tokens_of(before) == tokens_of(after)
}

/// Whether two trees differ in nothing but places, and blanks around the lines of texts.
pub fn trees(before: &File, after: &File) -> bool {
    let plain = |file: &File| serde_json::to_value(&file.items).ok().map(without_places);
    let plain = (plain(before), plain(after));
    plain.0.is_some() && plain.0 == plain.1
}

/// The tree without places: a place is all that has a start and an end.
fn without_places(value: Value) -> Value {
    match value {
        Value::Object(fields) if fields.len() == 2 && fields.contains_key("start") && fields.contains_key("end") => {
            Value::Null
        }
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, without_places(value))).collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(without_places).collect()),
        Value::String(text) => Value::String(trimmed(&text)),
        other => other,
    }
}

/// Without blanks around its lines, and without the empty lines around all.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join("\n").trim().to_owned()
}
