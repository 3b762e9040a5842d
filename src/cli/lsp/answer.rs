//! Requests. In: what the editor asks. Out: an answer, or work that will have one.

use super::jobs::Found;
use super::server::Server;
use super::{commands, drawn, findings, hints, lenses, places, tables};
use crate::editor::{Document, LONGEST, complete, definition, hover, references, rename};
use crate::engine::Halt;
use lsp_server::{ErrorCode, Request};
use serde_json::Value;
use std::sync::Arc;

/// The result of a request.
pub enum Answer {
    /// This.
    Now(Value),
    /// Nothing, for this reason.
    Refused(ErrorCode, String),
    /// What this finds.
    Later(Work),
}

/// What is done in the background.
pub type Work = Box<dyn FnOnce(Halt) -> Found + Send>;

/// Answers.
pub fn answer(server: &Server, request: &Request) -> Answer {
    let (params, workspace) = (&request.params, &server.workspace);
    let work = match request.method.as_str() {
        "workspace/executeCommand" => Some(commands::command(server, params)),
        "codeLens/resolve" => Some(lenses::resolved(server, params)),
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
    let at = document.map_or(0, |document| places::offset(document, &params["position"]));
    let of = |answer: &dyn Fn(&Document) -> Value| Answer::Now(document.map_or(Value::Null, answer));
    match request.method.as_str() {
        "textDocument/hover" => document.map_or(Answer::Now(Value::Null), |document| hovered(server, document, at)),
        "textDocument/completion" => of(&|document| match document.plain {
            true => tables::complete(server, document, at),
            false => places::completions(&complete(workspace, document, at)),
        }),
        "textDocument/definition" => {
            of(&|document| places::definition(workspace, &definition(workspace, uri, document, at)))
        }
        "textDocument/references" => {
            of(&|document| places::locations(workspace, &references(workspace, uri, document, at)))
        }
        "textDocument/rename" => {
            let new = params["newName"].as_str().unwrap_or_default();
            match document.map(|document| rename(workspace, uri, document, at, new)) {
                Some(Ok(found)) => Answer::Now(places::renaming(workspace, &found, new)),
                Some(Err(words)) => Answer::Refused(ErrorCode::InvalidParams, words),
                None => Answer::Now(Value::Null),
            }
        }
        "textDocument/documentSymbol" => of(&places::symbols),
        "textDocument/formatting" => {
            of(&|document| if document.plain { Value::Null } else { findings::formatted(document) })
        }
        "textDocument/codeAction" => of(&|_| findings::actions(uri, params)),
        "textDocument/codeLens" => of(&|document| lenses::lenses(uri, document)),
        "textDocument/inlayHint" => of(&|document| hints::hints(server, document, &params["range"])),
        "textDocument/semanticTokens/full" => {
            of(&|document| if document.plain { Value::Null } else { places::tokens(document) })
        }
        other => Answer::Refused(ErrorCode::MethodNotFound, format!("{other} is not known here")),
    }
}

/// What a word is; for a technique with the first match of its examples, which takes a while.
fn hovered(server: &Server, document: &Document, at: usize) -> Answer {
    let Some((text, word)) = hover(&server.workspace, document, at) else { return Answer::Now(Value::Null) };
    let technique = server.book.techniques().iter().find(|one| one.id == document.text[word.clone()]);
    let technique = technique.filter(|_| text.starts_with("**technique "));
    let text = text + &technique.map_or_else(String::new, hints::members);
    let shown = places::hover(document, Some((text.clone(), word)));
    let example = technique.and_then(|one| one.examples.iter().find(|example| !example.near_miss));
    let (Some(technique), Some(example)) = (technique.cloned(), example.cloned()) else { return Answer::Now(shown) };
    let (book, pictures) = (Arc::clone(&server.book), server.pictures);
    Answer::Later(Box::new(move |halt| {
        let found = drawn::matches(&book, &technique, &example, (1, halt));
        let mut value = shown;
        if let Some(drawn) = found.ok().as_ref().and_then(|(drawn, ..)| drawn.first()) {
            value["contents"]["value"] = format!("{text}\n\n{}", drawn.markdown(pictures)).into();
        }
        Found { value, ..Found::default() }
    }))
}
