//! Requests. In: a request of the editor. Out: an answer as JSON, or work that will have one.
//!
//! Places are converted here: an editor counts lines and UTF-16 units, Pinion bytes.

use crate::cli::files;
use crate::cli::lsp::server::{Server, address};
use crate::cli::lsp::wire::Found;
use crate::cli::lsp::{commands, findings, hints};
use crate::editor::{
    self, Class, Completion, CompletionKind, Document, FileSpan, ItemSymbol, LONGEST, Workspace, carried, complete,
    definition, hover, references, rename,
};
use crate::engine::Halt;
use lsp_server::{ErrorCode, Request};
use serde_json::{Value, json};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// The result of a request.
pub enum Answer {
    /// The answer.
    Now(Value),
    /// A refusal with its reason.
    Refused(ErrorCode, String),
    /// Work that will have the answer.
    Later(Work),
}

/// Work in the background.
pub type Work = Box<dyn FnOnce(Halt) -> Found + Send>;

/// Answers a request.
pub fn answer(server: &Server, request: &Request) -> Answer {
    let (params, workspace) = (&request.params, &server.workspace);
    let work = match request.method.as_str() {
        "workspace/executeCommand" => Some(commands::command(server, params)),
        "codeLens/resolve" => Some(commands::resolved_lens(server, params)),
        _ => None,
    };
    if let Some(work) = work {
        return match work {
            Ok(work) => Answer::Later(work),
            Err(words) => Answer::Refused(ErrorCode::InvalidParams, words),
        };
    }
    let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
    let document = workspace.documents.get(uri).filter(|document| document.text.len() <= LONGEST);
    let at = document.map_or(0, |document| offset(document, &params["position"]));
    let of = |answer: &dyn Fn(&Document) -> Value| Answer::Now(document.map_or(Value::Null, answer));
    match request.method.as_str() {
        "textDocument/hover" => document.map_or(Answer::Now(Value::Null), |document| hovered(server, document, at)),
        "textDocument/completion" => of(&|document| match document.is_blank {
            true => findings::complete_table(server, document, at),
            false => completions(&complete(workspace, document, at)),
        }),
        "textDocument/definition" => {
            of(&|document| definition_value(workspace, &definition(workspace, uri, document, at)))
        }
        "textDocument/references" => of(&|document| locations(workspace, &references(workspace, uri, document, at))),
        "textDocument/rename" => {
            let new = params["newName"].as_str().unwrap_or_default();
            match document.map(|document| rename(workspace, uri, document, at, new)) {
                Some(Ok(found)) => Answer::Now(renaming(workspace, &found, new)),
                Some(Err(words)) => Answer::Refused(ErrorCode::InvalidParams, words),
                None => Answer::Now(Value::Null),
            }
        }
        "textDocument/documentSymbol" => of(&symbols),
        "textDocument/formatting" => {
            of(&|document| if document.is_blank { Value::Null } else { findings::formatted(document) })
        }
        "textDocument/codeAction" => of(&|_| findings::actions(uri, params)),
        "textDocument/codeLens" => of(&|document| commands::lenses(uri, document)),
        "textDocument/inlayHint" => of(&|document| hints::hints(server, document, &params["range"])),
        "textDocument/semanticTokens/full" => {
            of(&|document| if document.is_blank { Value::Null } else { tokens(document) })
        }
        other => Answer::Refused(ErrorCode::MethodNotFound, format!("{other} is not known here")),
    }
}

/// Answers a hover. For a technique the first match of its examples is added, which takes a while.
fn hovered(server: &Server, document: &Document, at: usize) -> Answer {
    let Some((text, word)) = hover(&server.workspace, document, at) else { return Answer::Now(Value::Null) };
    let technique = server.book.techniques().iter().find(|one| one.id == document.text[word.clone()]);
    let technique = technique.filter(|_| text.starts_with("**technique "));
    let text = text + &technique.map_or_else(String::new, hints::members);
    let shown = hover_value(document, Some((text.clone(), word)));
    let example = technique.and_then(|one| one.examples.iter().find(|example| !example.near_miss));
    let (Some(technique), Some(example)) = (technique.cloned(), example.cloned()) else { return Answer::Now(shown) };
    let (book, pictures) = (Arc::clone(&server.book), server.pictures);
    Answer::Later(Box::new(move |halt| {
        let found = commands::drawn_matches(&book, &technique, &example, (1, halt));
        let mut value = shown;
        if let Some(drawn) = found.ok().as_ref().and_then(|(drawn, ..)| drawn.first()) {
            value["contents"]["value"] = format!("{text}\n\n{}", drawn.markdown(pictures)).into();
        }
        Found { value, ..Found::default() }
    }))
}

/// The sorts of tokens, by their numbers.
pub const TYPES: [&str; 7] = ["keyword", "type", "function", "variable", "number", "string", "comment"];

/// Converts a byte offset to the protocol's position.
pub fn position(document: &Document, at: usize) -> Value {
    let (line, character) = document.position(at);
    json!({ "line": line, "character": character })
}

/// Converts a byte range.
pub fn range(document: &Document, span: &Range<usize>) -> Value {
    json!({ "start": position(document, span.start), "end": position(document, span.end) })
}

/// Converts the protocol's position to a byte offset.
pub fn offset(document: &Document, position: &Value) -> usize {
    let number = |key: &str| position[key].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
    document.offset((number("line"), number("character")))
}

/// Converts the text for a word.
fn hover_value(document: &Document, found: Option<(String, Range<usize>)>) -> Value {
    found.map_or(
        Value::Null,
        |(text, word)| json!({ "contents": { "kind": "markdown", "value": text }, "range": range(document, &word) }),
    )
}

/// Converts completions.
pub fn completions(list: &[Completion]) -> Value {
    let number = |sort: CompletionKind| match sort {
        CompletionKind::Keyword => 14,
        CompletionKind::Function => 3,
        CompletionKind::Name => 6,
        CompletionKind::Kind => 25,
        CompletionKind::Rule => 18,
    };
    let item = |one: &Completion| json!({ "label": one.label, "kind": number(one.sort) });
    json!({ "isIncomplete": false, "items": list.iter().map(item).collect::<Vec<_>>() })
}

/// Converts places of a name.
pub fn locations(workspace: &Workspace, places: &[FileSpan]) -> Value {
    let one = |place: &FileSpan| {
        if let Some(document) = workspace.documents.get(&place.file) {
            return Some(json!({ "uri": place.file, "range": range(document, &place.span) }));
        }
        // A rule of the program is opened as a copy.
        let (_, document) = carried().iter().find(|(name, _)| *name == place.file)?;
        Some(json!({ "uri": address_of(&place.file)?, "range": range(document, &place.span) }))
    };
    Value::Array(places.iter().filter_map(one).collect())
}

/// Converts places of definition: a single place as it is, several as a list.
fn definition_value(workspace: &Workspace, places: &[FileSpan]) -> Value {
    match locations(workspace, places) {
        Value::Array(mut all) if all.len() < 2 => all.pop().unwrap_or_default(),
        all => all,
    }
}

/// Returns the edits that rename a name.
pub fn renaming(workspace: &Workspace, places: &[FileSpan], new: &str) -> Value {
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
    let one = |item: &ItemSymbol| {
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
        data.extend([row - line, from, wide, token_number(class), 0]);
        (line, character) = (row, column);
    }
    json!({ "data": data })
}

/// The place of a class in [`TYPES`].
fn token_number(class: Class) -> usize {
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

/// The address of a file of the program.
pub fn address_of(name: &str) -> Option<String> {
    let (_, document) = carried().iter().find(|(known, _)| *known == name)?;
    let digest = blake3::hash(document.text.as_bytes()).to_hex();
    let mut inside = PathBuf::from("rules").join(&digest[..12]);
    inside.extend(name.split('/'));
    let cache = files::cache_folder()?;
    let path = cache.join(&inside);
    if files::read(&path, document.text.len() as u64).ok().as_deref() != Some(&document.text) {
        files::put(&cache, &inside, document.text.as_bytes()).ok()?;
    }
    Some(address(&path.display().to_string()))
}
