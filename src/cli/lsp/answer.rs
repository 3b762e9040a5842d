//! Answers requests of the editor, at once or by a background job.
//!
//! Positions are converted here: the protocol counts lines and UTF-16 units, Pinion counts bytes.

use crate::cli::files;
use crate::cli::lsp::server::{Server, uri_of};
use crate::cli::lsp::wire::JobResult;
use crate::cli::lsp::{commands, diagnostics, hints, tables};
use crate::editor::{
    self, Completion, CompletionKind, Document, FileSpan, ItemSymbol, MAX_ANALYZED_BYTES, Workspace,
    built_in_documents, complete, definition, hover, references, rename,
};
use crate::engine::Halt;
use lsp_server::{ErrorCode, Request};
use serde_json::{Map, Value, json};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

pub enum Answer {
    Now(Value),
    Refused(ErrorCode, String),
    Later(Job),
}

pub type Job = Box<dyn FnOnce(Halt) -> JobResult + Send>;

pub fn answer(server: &Server, request: &Request) -> Answer {
    let params = &request.params;
    let job = match request.method.as_str() {
        "workspace/executeCommand" => commands::command(server, params),
        "codeLens/resolve" => commands::resolve_lens(server, params),
        _ => return answer_about_document(server, &request.method, params),
    };
    match job {
        Ok(job) => Answer::Later(job),
        Err(message) => Answer::Refused(ErrorCode::InvalidParams, message),
    }
}

fn answer_about_document(server: &Server, method: &str, params: &Value) -> Answer {
    let workspace = &server.workspace;
    let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
    if !METHODS.contains(&method) {
        return Answer::Refused(ErrorCode::MethodNotFound, format!("{method} is not known here"));
    }
    let document = match workspace.documents.get(uri) {
        Some(document) if document.text.len() <= MAX_ANALYZED_BYTES => document,
        _ => return Answer::Now(Value::Null),
    };
    let at = offset(document, &params["position"]);
    Answer::Now(match method {
        "textDocument/hover" => return answer_hover(server, document, at),
        "textDocument/completion" if !document.has_syntax_tree => tables::complete_table(server, document, at),
        "textDocument/completion" => completions(&complete(workspace, document, at)),
        "textDocument/definition" => definition_value(workspace, &definition(workspace, uri, document, at)),
        "textDocument/references" => locations(workspace, &references(workspace, uri, document, at)),
        "textDocument/rename" => {
            let new_name = params["newName"].as_str().unwrap_or_default();
            match rename(workspace, uri, document, at, new_name) {
                Ok(occurrences) => rename_edit(workspace, &occurrences, new_name),
                Err(message) => return Answer::Refused(ErrorCode::InvalidParams, message),
            }
        }
        "textDocument/documentSymbol" => symbols(document),
        "textDocument/formatting" if document.has_syntax_tree => diagnostics::formatting(document),
        "textDocument/codeAction" => diagnostics::fixes(uri, params),
        "textDocument/codeLens" => commands::lenses(uri, document),
        "textDocument/inlayHint" => hints::hints(server, document, &params["range"]),
        "textDocument/semanticTokens/full" if document.has_syntax_tree => semantic_tokens(document),
        // Tables have no formatting and no semantic tokens.
        _ => Value::Null,
    })
}

/// The supported methods about documents.
const METHODS: [&str; 11] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/formatting",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/semanticTokens/full",
];

/// Answers a hover. For a technique, a job adds the first match of its first example.
fn answer_hover(server: &Server, document: &Document, at: usize) -> Answer {
    let Some((mut text, word)) = hover(&server.workspace, document, at) else { return Answer::Now(Value::Null) };
    let id = &document.text[word.clone()];
    // The hover text of a technique's id begins so.
    let technique = match text.starts_with("**technique ") {
        true => server.rulebook.techniques().iter().find(|technique| technique.id == id),
        false => None,
    };
    if let Some(technique) = technique {
        text += &hints::members(technique);
    }
    let contents = json!({ "kind": "markdown", "value": text });
    let mut value = json!({ "contents": contents, "range": range(document, &word) });
    let example = technique.and_then(|technique| technique.examples.iter().find(|example| !example.near_miss));
    let (Some(technique), Some(example)) = (technique.cloned(), example.cloned()) else { return Answer::Now(value) };
    let (rulebook, has_pictures) = (Arc::clone(&server.rulebook), server.has_pictures);
    Answer::Later(Box::new(move |halt| {
        if let Ok(matches) = commands::draw_matches(&rulebook, &technique, &example, 1, halt)
            && let Some(first) = matches.drawn.first()
        {
            value["contents"]["value"] = format!("{text}\n\n{}", first.markdown(has_pictures)).into();
        }
        JobResult { value, ..JobResult::default() }
    }))
}

pub fn position(document: &Document, offset: usize) -> Value {
    let (line, character) = document.position(offset);
    json!({ "line": line, "character": character })
}

pub fn range(document: &Document, span: &Range<usize>) -> Value {
    json!({ "start": position(document, span.start), "end": position(document, span.end) })
}

pub fn offset(document: &Document, position: &Value) -> usize {
    let [line, character] = ["line", "character"].map(|key| position[key].as_u64().unwrap_or(0) as usize);
    document.offset((line, character))
}

fn completions(list: &[Completion]) -> Value {
    let items = list.iter().map(|completion| {
        // Numbers of the protocol.
        let kind = match completion.kind {
            CompletionKind::Keyword => 14,
            CompletionKind::Function => 3,
            CompletionKind::Name => 6,
            CompletionKind::Kind => 25,
            CompletionKind::Rule => 18,
        };
        json!({ "label": completion.label, "kind": kind })
    });
    json!({ "isIncomplete": false, "items": Value::from_iter(items) })
}

fn locations(workspace: &Workspace, spans: &[FileSpan]) -> Value {
    spans.iter().filter_map(|span| location(workspace, span)).collect()
}

fn location(workspace: &Workspace, FileSpan { file, span }: &FileSpan) -> Option<Value> {
    if let Some(document) = workspace.documents.get(file) {
        return Some(json!({ "uri": file, "range": range(document, span) }));
    }
    let (_, document) = built_in_documents().iter().find(|(name, _)| name == file)?;
    Some(json!({ "uri": uri_of_built_in(file, document)?, "range": range(document, span) }))
}

/// Returns the URI of a copy of a built-in file. The copy is written to the cache folder, so that the editor can open it.
fn uri_of_built_in(name: &str, document: &Document) -> Option<String> {
    // The digest separates the files of different versions.
    let digest = blake3::hash(document.text.as_bytes()).to_hex();
    let mut relative_path = PathBuf::from("rules").join(&digest[..12]);
    relative_path.extend(name.split('/'));
    let cache = files::cache_folder()?;
    let path = cache.join(&relative_path);
    if files::read_limited(&path, document.text.len() as u64).ok().as_deref() != Some(&document.text) {
        files::write_to_cache(&cache, &relative_path, document.text.as_bytes()).ok()?;
    }
    Some(uri_of(&path.display().to_string()))
}

/// Converts the spans of a definition: no span to null, one span to a location, several spans to a list.
fn definition_value(workspace: &Workspace, spans: &[FileSpan]) -> Value {
    match locations(workspace, spans) {
        Value::Array(mut list) if list.len() < 2 => list.pop().unwrap_or_default(),
        list => list,
    }
}

fn rename_edit(workspace: &Workspace, occurrences: &[FileSpan], new_name: &str) -> Value {
    let mut changes = Map::new();
    for FileSpan { file, span } in occurrences {
        let Some(document) = workspace.documents.get(file) else { continue };
        let edit = json!({ "range": range(document, span), "newText": new_name });
        if let Value::Array(edits) = changes.entry(file.clone()).or_insert_with(|| json!([])) {
            edits.push(edit);
        }
    }
    json!({ "changes": changes })
}

fn symbols(document: &Document) -> Value {
    let symbols = editor::symbols(document).into_iter().map(|ItemSymbol { name, kind, span, name_span }| {
        // Numbers of the protocol: function, namespace, event, interface.
        let symbol_kind = match kind {
            "technique" => 12,
            "list" => 3,
            "example" => 24,
            _ => 11,
        };
        let (range, selection) = (range(document, &span), range(document, &name_span));
        json!({ "name": name, "kind": symbol_kind, "range": range, "selectionRange": selection })
    });
    symbols.collect()
}

/// Names of the token types, in the order of [`editor::TokenKind`]. The protocol uses the index of a name as its number.
pub const TOKEN_TYPES: [&str; 7] = ["keyword", "type", "function", "variable", "number", "string", "comment"];

/// Returns all tokens of a file in the encoding of the protocol: five numbers for each token, with the position relative to the previous token.
fn semantic_tokens(document: &Document) -> Value {
    let mut data: Vec<usize> = Vec::new();
    let mut previous_line = 0;
    let mut previous_character = 0;
    for (kind, span) in editor::tokens(document) {
        let (line, character) = document.position(span.start);
        let length = document.text[span].encode_utf16().count();
        let start = if line == previous_line { character - previous_character } else { character };
        data.extend([line - previous_line, start, length, kind as usize, 0]);
        (previous_line, previous_character) = (line, character);
    }
    json!({ "data": data })
}
