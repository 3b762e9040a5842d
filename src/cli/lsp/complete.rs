//! What may come next. In: a place. Out: words that fit there: kinds behind a colon, rules behind words that name one, words that begin
//! a line at its beginning, else names of the rule, functions and words that join.

use super::Server;
use super::document::Document;
use super::names::identifier;
use crate::lang::ast::Item;
use crate::lang::words::{FUNCTIONS, ITEMS, KINDS, OTHER_KINDS, STATEMENTS, reserved};
use serde_json::{Value, json};

const KEYWORD: u8 = 14;
const FUNCTION: u8 = 3;
const VARIABLE: u8 = 6;
const KIND: u8 = 25;
const RULE: u8 = 18;

/// The list for a place.
pub fn complete(server: &Server, document: &Document, at: usize) -> Value {
    let line_start = document.text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = &document.text[line_start..at];
    let word = line.len() - line.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_').len();
    let before = line[..line.len() - word].trim_end();
    let list: Vec<(String, u8)> = match before.rsplit(|letter: char| letter.is_whitespace()).next().unwrap_or("") {
        _ if before.ends_with(':') => kinds(),
        "" if line.starts_with(' ') => words(STATEMENTS.iter().copied(), KEYWORD).chain(names(document, at)).collect(),
        "" => words(ITEMS.iter().copied(), KEYWORD).collect(),
        "example" | "near_miss" | "join" | "using" | "by" | "after" => rules(server, false),
        "uses" => rules(server, true),
        _ => {
            let joints = reserved().filter(|word| !ITEMS.contains(word) && !STATEMENTS.contains(word));
            names(document, at)
                .into_iter()
                .chain(words(FUNCTIONS.iter().copied(), FUNCTION))
                .chain(words(joints, KEYWORD))
                .collect()
        }
    };
    let item = |(label, kind): &(String, u8)| json!({ "label": label, "kind": kind });
    json!({ "isIncomplete": false, "items": list.iter().map(item).collect::<Vec<_>>() })
}

fn words<'w>(all: impl Iterator<Item = &'w str>, kind: u8) -> impl Iterator<Item = (String, u8)> {
    all.map(move |word| (word.to_string(), kind))
}

fn kinds() -> Vec<(String, u8)> {
    let all = KINDS.iter().flat_map(|(one, many)| [*one, *many]).chain(OTHER_KINDS.iter().copied());
    words(all, KIND).collect()
}

fn names(document: &Document, at: usize) -> Vec<(String, u8)> {
    let item = document.item_at(at);
    let all = item.map_or(Vec::new(), |item| document.names_in(&item));
    all.into_iter().map(|name| (name, VARIABLE)).collect()
}

/// Techniques and groups, or patterns.
fn rules(server: &Server, patterns: bool) -> Vec<(String, u8)> {
    let items = server.documents.values().flat_map(|document| &document.tree.items);
    let wanted = items.filter(|item| matches!(item, Item::Pattern(_)) == patterns);
    let mut all: Vec<String> = wanted.filter_map(identifier).map(|id| id.name.clone()).collect();
    if !patterns {
        all.extend(server.rulebook.techniques().iter().map(|one| one.id.clone()));
    }
    all.sort();
    all.dedup();
    all.into_iter().map(|name| (name, RULE)).collect()
}
