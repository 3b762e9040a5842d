//! Names. In: a place. Out: where what stands there is defined, where it is used, the edits that rename it, the items of a file. A name
//! of a rule means something inside of its item; items are known to all files.

use super::Server;
use super::document::Document;
use crate::lang::ast::{Item, Technique};
use crate::lang::words::{is_built_in, is_place, is_reserved};
use serde_json::{Value, json};
use std::ops::Range;

/// The name of an item and where it stands.
pub fn identifier(item: &Item) -> Option<&crate::lang::ast::Ident> {
    match item {
        Item::Technique(one) => Some(&one.id),
        Item::Pattern(one) => Some(&one.id),
        Item::Source(one) => Some(&one.id),
        Item::RuleList(one) => Some(&one.id),
        Item::Example(_) => None,
    }
}

/// What a word means.
struct Meaning {
    name: String,
    /// The file and item that it is known in; nothing for the name of an item.
    inside: Option<(String, Range<usize>)>,
}

fn meaning(server: &Server, uri: &str, document: &Document, at: usize) -> Option<Meaning> {
    let word = document.word_at(at)?;
    let name = document.text[word.clone()].to_string();
    if is_reserved(&name) || is_built_in(&name) {
        return None;
    }
    let items = server.documents.values().flat_map(|document| &document.tree.items);
    let is_item = items.filter_map(identifier).any(|id| id.name == name);
    let inside = document.item_at(word.start).map(|item| (uri.to_string(), item));
    Some(Meaning { name, inside: inside.filter(|_| !is_item) })
}

/// Every place of a name, by file.
fn places<'s>(server: &'s Server, meaning: &Meaning) -> Vec<(&'s String, &'s Document, Range<usize>)> {
    let mut out = Vec::new();
    for (uri, document) in &server.documents {
        for word in document.words() {
            let here = meaning
                .inside
                .as_ref()
                .is_none_or(|(file, item)| file == uri && item.start <= word.start && word.end <= item.end);
            if here && document.text[word.clone()] == meaning.name {
                out.push((uri, document, word));
            }
        }
    }
    out
}

fn location(uri: &str, document: &Document, span: &Range<usize>) -> Value {
    json!({ "uri": uri, "range": document.range(span) })
}

/// Where a name is defined: the item of that name, else its first place in its rule.
pub fn definition(server: &Server, uri: &str, document: &Document, at: usize) -> Value {
    let Some(meaning) = meaning(server, uri, document, at) else { return Value::Null };
    if meaning.inside.is_some() {
        let first = places(server, &meaning).into_iter().next();
        return first.map_or(Value::Null, |(uri, document, span)| location(uri, document, &span));
    }
    let defined = server.documents.iter().flat_map(|(uri, document)| {
        let ids = document.tree.items.iter().filter_map(identifier);
        ids.filter(|id| id.name == meaning.name).map(move |id| location(uri, document, &id.span))
    });
    Value::Array(defined.collect())
}

/// Every place of a name.
pub fn references(server: &Server, uri: &str, document: &Document, at: usize) -> Value {
    let Some(meaning) = meaning(server, uri, document, at) else { return Value::Null };
    let all = places(server, &meaning);
    Value::Array(all.iter().map(|(uri, document, span)| location(uri, document, span)).collect())
}

/// The edits that give a name another.
pub fn rename(server: &Server, uri: &str, document: &Document, at: usize, new: &Value) -> Result<Value, String> {
    let meaning = meaning(server, uri, document, at).ok_or("there is no name here")?;
    let new = new.as_str().unwrap_or_default();
    let letters = |text: &str| text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if !new.starts_with(|letter: char| letter.is_alphabetic()) || !letters(new) {
        return Err(format!("`{new}` is not a name: letters, digits and _, a letter first"));
    }
    if is_reserved(new) || is_built_in(new) || is_place(new) {
        return Err(format!("`{new}` is a word of the language"));
    }
    if let Some((_, item)) = &meaning.inside
        && document.names_in(item).iter().any(|known| known == new)
    {
        return Err(format!("the rule has the name `{new}` already"));
    }
    let mut changes = serde_json::Map::new();
    for (uri, document, span) in places(server, &meaning) {
        let edit = json!({ "range": document.range(&span), "newText": new });
        let list = changes.entry(uri.clone()).or_insert_with(|| json!([]));
        list.as_array_mut().map(|list| list.push(edit)).unwrap_or_default();
    }
    Ok(json!({ "changes": changes }))
}

/// The items of a file.
pub fn symbols(document: &Document) -> Value {
    let one = |item: &Item| {
        let (name, span, id, kind) = match item {
            Item::Technique(one) => (one.id.name.clone(), &one.span, &one.id.span, 12),
            Item::Pattern(one) => (one.id.name.clone(), &one.span, &one.id.span, 11),
            Item::Source(one) => (one.id.name.clone(), &one.span, &one.id.span, 11),
            Item::RuleList(one) => (one.id.name.clone(), &one.span, &one.id.span, 3),
            Item::Example(one) => {
                let kind = if one.near_miss { "near miss" } else { "example" };
                let title = one.title.as_ref().map_or(String::new(), |title| format!(": {}", title.text));
                (format!("{kind} of {}{title}", one.id.name), &one.span, &one.id.span, 24)
            }
        };
        json!({ "name": name, "kind": kind, "range": document.range(span), "selectionRange": document.range(id) })
    };
    Value::Array(document.tree.items.iter().map(one).collect())
}

/// The technique of a name in any file.
pub fn technique<'s>(server: &'s Server, name: &str) -> Option<&'s Technique> {
    server.documents.values().flat_map(|document| &document.tree.items).find_map(|item| match item {
        Item::Technique(one) if one.id.name == name => Some(one),
        _ => None,
    })
}
