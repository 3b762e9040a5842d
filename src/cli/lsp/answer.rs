//! Requests. In: a request of the editor. Out: an answer as JSON, or work that will have one. Inlay hints are at the end.
//!
//! Places are converted here: an editor counts lines and UTF-16 units, Pinion bytes.

use crate::cli::files;
use crate::cli::lsp::server::{Server, address};
use crate::cli::lsp::wire::JobResult;
use crate::cli::lsp::{commands, findings};
use crate::editor::{
    self, Completion, CompletionKind, Document, FileSpan, ItemSymbol, MAX_ANALYZED_BYTES, TokenKind, Workspace,
    built_in_documents, complete, definition, hover, references, rename,
};
use crate::engine::Halt;
use crate::lang::ast::{self, Item};
use crate::lang::ir::{HouseClass, Kind, Origin, Space, Technique, Var, VarShape};
use crate::lang::words::KINDS;
use crate::solve::member_names;
use lsp_server::{ErrorCode, Request};
use serde_json::{Value, json};
use std::collections::BTreeMap;
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
    Later(Job),
}

/// Work in the background.
pub type Job = Box<dyn FnOnce(Halt) -> JobResult + Send>;

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
    let document = workspace.documents.get(uri).filter(|document| document.text.len() <= MAX_ANALYZED_BYTES);
    let at = document.map_or(0, |document| offset(document, &params["position"]));
    match request.method.as_str() {
        "textDocument/hover" => document.map_or(Answer::Now(Value::Null), |document| hovered(server, document, at)),
        "textDocument/completion" => now(document, |document| match document.is_plain_text {
            true => findings::complete_table(server, document, at),
            false => completions(&complete(workspace, document, at)),
        }),
        "textDocument/definition" => {
            now(document, |document| definition_value(workspace, &definition(workspace, uri, document, at)))
        }
        "textDocument/references" => {
            now(document, |document| locations(workspace, &references(workspace, uri, document, at)))
        }
        "textDocument/rename" => {
            let new = params["newName"].as_str().unwrap_or_default();
            match document.map(|document| rename(workspace, uri, document, at, new)) {
                Some(Ok(found)) => Answer::Now(renaming(workspace, &found, new)),
                Some(Err(words)) => Answer::Refused(ErrorCode::InvalidParams, words),
                None => Answer::Now(Value::Null),
            }
        }
        "textDocument/documentSymbol" => now(document, symbols),
        "textDocument/formatting" => {
            now(document, |document| if document.is_plain_text { Value::Null } else { findings::formatted(document) })
        }
        "textDocument/codeAction" => now(document, |_| findings::actions(uri, params)),
        "textDocument/codeLens" => now(document, |document| commands::lenses(uri, document)),
        "textDocument/inlayHint" => now(document, |document| hints(server, document, &params["range"])),
        "textDocument/semanticTokens/full" => {
            now(document, |document| if document.is_plain_text { Value::Null } else { tokens(document) })
        }
        other => Answer::Refused(ErrorCode::MethodNotFound, format!("{other} is not known here")),
    }
}

/// Answers about a document at once; with nothing if it is not known.
fn now(document: Option<&Document>, value: impl FnOnce(&Document) -> Value) -> Answer {
    Answer::Now(document.map_or(Value::Null, value))
}

/// Answers a hover. For a technique the first match of its examples is added, which takes a while.
fn hovered(server: &Server, document: &Document, at: usize) -> Answer {
    let Some((text, word)) = hover(&server.workspace, document, at) else { return Answer::Now(Value::Null) };
    let technique = server.book.techniques().iter().find(|one| one.id == document.text[word.clone()]);
    let technique = technique.filter(|_| text.starts_with("**technique "));
    let text = text + &technique.map_or_else(String::new, members);
    let contents = json!({ "kind": "markdown", "value": text });
    let shown = json!({ "contents": contents, "range": range(document, &word) });
    let example = technique.and_then(|one| one.examples.iter().find(|example| !example.near_miss));
    let (Some(technique), Some(example)) = (technique.cloned(), example.cloned()) else { return Answer::Now(shown) };
    let (book, pictures) = (Arc::clone(&server.book), server.pictures);
    Answer::Later(Box::new(move |halt| {
        let found = commands::drawn_matches(&book, &technique, &example, (1, halt));
        let mut value = shown;
        if let Some(drawn) = found.ok().as_ref().and_then(|(drawn, ..)| drawn.first()) {
            value["contents"]["value"] = format!("{text}\n\n{}", drawn.markdown(pictures)).into();
        }
        JobResult { value, ..JobResult::default() }
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
    let [line, character] = ["line", "character"].map(|key| position[key].as_u64().unwrap_or(0) as usize);
    document.offset((line, character))
}

/// Converts completions.
pub fn completions(list: &[Completion]) -> Value {
    let mut items = Vec::new();
    for one in list {
        let kind = match one.kind {
            CompletionKind::Keyword => 14,
            CompletionKind::Function => 3,
            CompletionKind::Name => 6,
            CompletionKind::Kind => 25,
            CompletionKind::Rule => 18,
        };
        items.push(json!({ "label": one.label, "kind": kind }));
    }
    json!({ "isIncomplete": false, "items": items })
}

/// Converts places of a name.
pub fn locations(workspace: &Workspace, places: &[FileSpan]) -> Value {
    places.iter().filter_map(|place| location(workspace, place)).collect()
}

fn location(workspace: &Workspace, place: &FileSpan) -> Option<Value> {
    if let Some(document) = workspace.documents.get(&place.file) {
        return Some(json!({ "uri": place.file, "range": range(document, &place.span) }));
    }
    // A rule of the program is opened as a copy.
    let (_, document) = built_in_documents().iter().find(|(name, _)| *name == place.file)?;
    Some(json!({ "uri": address_of(&place.file)?, "range": range(document, &place.span) }))
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
    let mut all = Vec::new();
    for ItemSymbol { name, sort, span, id } in editor::symbols(document) {
        let kind = match sort {
            "technique" => 12,
            "list" => 3,
            "example" => 24,
            _ => 11,
        };
        let (whole, id) = (range(document, &span), range(document, &id));
        all.push(json!({ "name": name, "kind": kind, "range": whole, "selectionRange": id }));
    }
    Value::Array(all)
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
fn token_number(class: TokenKind) -> usize {
    match class {
        TokenKind::Keyword => 0,
        TokenKind::Kind => 1,
        TokenKind::Function => 2,
        TokenKind::Name => 3,
        TokenKind::Number => 4,
        TokenKind::Text => 5,
        TokenKind::Comment => 6,
    }
}

/// The address of a file of the program.
pub fn address_of(name: &str) -> Option<String> {
    let (_, document) = built_in_documents().iter().find(|(known, _)| *known == name)?;
    let digest = blake3::hash(document.text.as_bytes()).to_hex();
    let mut inside = PathBuf::from("rules").join(&digest[..12]);
    inside.extend(name.split('/'));
    let cache = files::cache_folder()?;
    let path = cache.join(&inside);
    if files::read_limited(&path, document.text.len() as u64).ok().as_deref() != Some(&document.text) {
        files::write_to_cache(&cache, &inside, document.text.as_bytes()).ok()?;
    }
    Some(address(&path.display().to_string()))
}

/// A hint behind a word, as the protocol numbers them.
const KIND: u8 = 1;
/// A hint before a value.
const PARAMETER: u8 = 2;
/// The board that is spoken of: the common one.
const SIZE: u32 = 9;

/// The hints of a part of a file.
pub fn hints(server: &Server, document: &Document, range: &Value) -> Value {
    let part = offset(document, &range["start"])..offset(document, &range["end"]);
    let mut all = Vec::new();
    let words = document.words();
    for item in &document.tree.items {
        match item {
            Item::Technique(one) if meet(&one.span, &part) => {
                all.extend(one.params.iter().filter_map(open_range));
                let known = server.book.techniques().iter().find(|known| known.id == one.id.name);
                all.extend(known.into_iter().flat_map(|known| kinds(document, &words, &one.span, known)));
            }
            Item::Example(one) if meet(&one.span, &part) => {
                let known = server.book.techniques().iter().find(|known| known.id == one.id.name);
                let params = known.into_iter().flat_map(|known| &known.params);
                let args = one.args.iter().zip(params);
                all.extend(args.map(|(arg, param)| (arg.span.start, format!("{}: ", param.name), PARAMETER)));
            }
            _ => {}
        }
    }
    all.retain(|(at, ..)| part.start <= *at && *at <= part.end);
    all.into_iter()
        .map(|(at, label, kind)| json!({ "position": position(document, at), "label": label, "kind": kind }))
        .collect()
}

fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// `n: 2..` ends at half of the board's size.
fn open_range(param: &ast::Param) -> Option<(usize, String, u8)> {
    let open = param.high.is_none();
    open.then(|| (param.span.end, format!("{} on {SIZE}×{SIZE}", SIZE / 2), KIND))
}

/// The members of a family on the common board with the names of their steps, as a list.
pub fn members(technique: &Technique) -> String {
    const FEW: usize = 9;
    let [param] = technique.params.as_slice() else { return String::new() };
    let mut list = String::from("\n");
    for args in technique.members(SIZE).into_iter().take(FEW) {
        let names = member_names(technique, 0, &args, Space::Rc);
        let names: Vec<&str> = names.all().skip(usize::from(!names.can_be_title)).map(String::as_str).collect();
        list += &format!("\n- `{} = {}`: {}", param.name, args[0], names.join(", "));
    }
    list
}

/// Kinds behind the first place of each name that has none written behind it.
fn kinds(
    document: &Document,
    words: &[Range<usize>],
    item: &Range<usize>,
    technique: &Technique,
) -> Vec<(usize, String, u8)> {
    let mut names: BTreeMap<&str, Option<String>> = BTreeMap::new();
    for var in technique.variants.iter().flat_map(|variant| &variant.vars) {
        let kind = (var.origin != Origin::Chosen).then(|| word(var)).flatten();
        let known = names.entry(&var.name).or_insert_with(|| kind.clone());
        // A name that means other things in other cases has no one kind.
        if *known != kind {
            *known = None;
        }
    }
    let mut out = Vec::new();
    for place in words.iter().filter(|word| item.start <= word.start && word.end <= item.end) {
        let name = &document.text[place.clone()];
        if document.text[place.end..].trim_start().starts_with(':') {
            names.remove(name);
        } else if let Some(Some(kind)) = names.remove(name) {
            out.push((place.end, format!(": {kind}"), KIND));
        }
    }
    out
}

/// The kind of a name as a rule would write it.
fn word(var: &Var) -> Option<String> {
    let one = match var.kind {
        Kind::Digit => "digit",
        Kind::Cell => "cell",
        Kind::Candidate => "candidate",
        Kind::House(HouseClass::Any) => "house",
        Kind::House(HouseClass::Row) => "row",
        Kind::House(HouseClass::Column) => "column",
        Kind::House(HouseClass::Box) => "box",
        Kind::House(HouseClass::Line) => "line",
        Kind::Number => return Some("number".into()),
    };
    let (_, many) = KINDS.iter().find(|(word, _)| *word == one)?;
    Some(if var.shape == VarShape::Single { one } else { *many }.into())
}
