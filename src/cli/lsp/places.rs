//! Answers about places in the protocol's form. In: what an editor shows of a place. Out: JSON.

use crate::editor::{self, Class, Completion, Document, Place, Sort, Symbol, Workspace};
use serde_json::{Value, json};
use std::ops::Range;

/// The sorts of tokens, by their numbers.
pub const TYPES: [&str; 7] = ["keyword", "type", "function", "variable", "number", "string", "comment"];

/// A place as the protocol says it.
fn position(document: &Document, at: usize) -> Value {
    let (line, character) = document.position(at);
    json!({ "line": line, "character": character })
}

/// Two places.
pub fn range(document: &Document, span: &Range<usize>) -> Value {
    json!({ "start": position(document, span.start), "end": position(document, span.end) })
}

/// The byte of a place.
pub fn offset(document: &Document, position: &Value) -> usize {
    let number = |key: &str| position[key].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
    document.offset((number("line"), number("character")))
}

/// What a word is.
pub fn hover(document: &Document, found: Option<(String, Range<usize>)>) -> Value {
    found.map_or(
        Value::Null,
        |(text, word)| json!({ "contents": { "kind": "markdown", "value": text }, "range": range(document, &word) }),
    )
}

/// What may come next.
pub fn completions(list: &[Completion]) -> Value {
    let number = |sort: Sort| match sort {
        Sort::Keyword => 14,
        Sort::Function => 3,
        Sort::Name => 6,
        Sort::Kind => 25,
        Sort::Rule => 18,
    };
    let item = |one: &Completion| json!({ "label": one.label, "kind": number(one.sort) });
    json!({ "isIncomplete": false, "items": list.iter().map(item).collect::<Vec<_>>() })
}

/// Where a name stands.
pub fn locations(workspace: &Workspace, places: &[Place]) -> Value {
    let known = places.iter().filter_map(|place| Some((place, workspace.documents.get(&place.file)?)));
    let one =
        |(place, document): (&Place, &Document)| json!({ "uri": place.file, "range": range(document, &place.span) });
    Value::Array(known.map(one).collect())
}

/// Where a name is defined: of a name of a rule just one place.
pub fn definition(workspace: &Workspace, places: &[Place]) -> Value {
    match locations(workspace, places) {
        Value::Array(mut all) if all.len() < 2 => all.pop().unwrap_or_default(),
        all => all,
    }
}

/// The edits that give a name another.
pub fn renaming(workspace: &Workspace, places: &[Place], new: &str) -> Value {
    let mut changes = serde_json::Map::new();
    for place in places {
        let Some(document) = workspace.documents.get(&place.file) else { continue };
        let edit = json!({ "range": range(document, &place.span), "newText": new });
        let list = changes.entry(place.file.clone()).or_insert_with(|| json!([]));
        list.as_array_mut().map(|list| list.push(edit)).unwrap_or_default();
    }
    json!({ "changes": changes })
}

/// The items of a file.
pub fn symbols(document: &Document) -> Value {
    let number = |sort: &str| match sort {
        "technique" => 12,
        "list" => 3,
        "example" => 24,
        _ => 11,
    };
    let one = |item: &Symbol| {
        let (whole, id) = (range(document, &item.span), range(document, &item.id));
        json!({ "name": item.name, "kind": number(item.sort), "range": whole, "selectionRange": id })
    };
    Value::Array(editor::symbols(document).iter().map(one).collect())
}

/// All tokens of a file: five numbers each, places relative to the token before.
pub fn tokens(document: &Document) -> Value {
    let mut data: Vec<usize> = Vec::new();
    let (mut line, mut character) = (0, 0);
    for (class, span) in editor::tokens(document) {
        let (row, column) = document.position(span.start);
        let wide = document.text[span].encode_utf16().count();
        let from = if row == line { column - character } else { column };
        data.extend([row - line, from, wide, number(class), 0]);
        (line, character) = (row, column);
    }
    json!({ "data": data })
}

/// The place of a class in [`TYPES`].
fn number(class: Class) -> usize {
    match class {
        Class::Keyword => 0,
        Class::Kind => 1,
        Class::Function => 2,
        Class::Name => 3,
        Class::Number => 4,
        Class::Text => 5,
        Class::Comment => 6,
    }
}
