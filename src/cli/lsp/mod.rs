//! `pinion lsp`. In: the language server protocol on the standard input. Out: answers on the standard output: what is wrong with a
//! rule file while it is written, what a word is, where it comes from, what may come next.
//!
//! Messages are JSON values here; the crate of all their types would take longer to build than the rest of this.

mod findings;
mod places;
mod wire;

use super::exit::{Exit, Failure, Stop};
use super::input::rule_files;
use crate::editor::{Document, Workspace, complete, definition, hover, references, rename};
use crate::solve::Rulebook;
use clap::Args;
use lsp_server::{Message, Notification, Request, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Value, json};
use std::path::PathBuf;
use wire::Wire;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion lsp

An editor starts it and speaks to it on the standard streams. It tells what is wrong while you type, with fixes; shows what a
word is; completes; finds definitions and uses, of rules and patterns of other files of the folder, too; renames; formats.";

/// Options.
#[derive(Args, Debug)]
pub struct LspArgs {
    /// Speak on the standard streams; there is no other way, so this changes nothing
    #[arg(long)]
    stdio: bool,
}

/// Serves one editor.
pub fn run(_: &LspArgs) -> Result<Exit, Stop> {
    let (connection, wire) = Wire::open();
    let broken = |error: String| Failure::input(format!("the editor cannot be understood: {error}"));
    let started = match connection.initialize(capabilities()) {
        Ok(started) => started,
        Err(error) => {
            drop(connection);
            let error = wire.close().err().map_or_else(|| error.to_string(), |error| error.to_string());
            return Err(broken(error).into());
        }
    };
    let mut server = Server::new(&started);
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(|error| broken(error.to_string()))? {
                    break;
                }
                let answer = server.answer(request);
                connection.sender.send(answer.into()).map_err(|error| broken(error.to_string()))?;
            }
            Message::Notification(note) => {
                for told in server.note(note) {
                    connection.sender.send(told.into()).map_err(|error| broken(error.to_string()))?;
                }
            }
            Message::Response(_) => {}
        }
    }
    drop(connection);
    wire.close().map_err(|error| broken(error.to_string()))?;
    Ok(Exit::Done)
}

/// What the server can do.
fn capabilities() -> Value {
    json!({
        "textDocumentSync": 1,
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": [":", "{", " "] },
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": true,
        "documentSymbolProvider": true,
        "documentFormattingProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "semanticTokensProvider": { "legend": { "tokenTypes": places::TYPES, "tokenModifiers": [] }, "full": true },
    })
}

/// What it knows: the files of the folder and what the editor has open, which counts more.
struct Server(Workspace);

impl Server {
    /// With the rule files of the folders that the editor works in.
    fn new(started: &Value) -> Server {
        let root = started["workspaceFolders"][0]["uri"].as_str().or(started["rootUri"].as_str());
        let files = root.and_then(path_of).and_then(|path| rule_files(&path).ok()).unwrap_or_default();
        let documents = files.into_iter().map(|(name, text)| (address(&name), Document::new(text))).collect();
        Server(Workspace { rulebook: Rulebook::embedded(), documents })
    }

    /// What follows from what the editor tells: findings of every open file, since they may use each other.
    fn note(&mut self, note: Notification) -> Vec<Notification> {
        let uri = note.params["textDocument"]["uri"].as_str().unwrap_or_default().to_string();
        let text = match note.method.as_str() {
            "textDocument/didOpen" => note.params["textDocument"]["text"].as_str(),
            "textDocument/didChange" => {
                note.params["contentChanges"].as_array().and_then(|all| all.last()).and_then(|one| one["text"].as_str())
            }
            "textDocument/didClose" => {
                self.0.documents.entry(uri).and_modify(|document| document.open = false);
                return Vec::new();
            }
            _ => None,
        };
        let Some(text) = text else { return Vec::new() };
        let mut document = Document::new(text.to_string());
        document.open = true;
        self.0.documents.insert(uri, document);
        let all = self.0.documents.iter().map(|(uri, document)| (uri.clone(), document.text.clone()));
        let book = self.0.rulebook.clone().with(all);
        let open = self.0.documents.iter().filter(|(_, document)| document.open);
        let found = open.map(|(uri, document)| {
            let file = book.files().iter().rfind(|file| file.name == *uri);
            let list = file.map_or(Vec::new(), |file| findings::findings(uri, document, &file.diagnostics));
            json!({ "uri": uri, "diagnostics": list })
        });
        found.map(|params| Notification::new("textDocument/publishDiagnostics".into(), params)).collect()
    }

    fn answer(&self, request: Request) -> Response {
        let params = &request.params;
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let Some(document) = self.0.documents.get(uri) else { return Response::new_ok(request.id, Value::Null) };
        let (at, workspace) = (places::offset(document, &params["position"]), &self.0);
        let result = match request.method.as_str() {
            "textDocument/hover" => places::hover(document, hover(workspace, document, at)),
            "textDocument/completion" => places::completions(&complete(workspace, document, at)),
            "textDocument/definition" => places::definition(workspace, &definition(workspace, uri, document, at)),
            "textDocument/references" => places::locations(workspace, &references(workspace, uri, document, at)),
            "textDocument/rename" => {
                let new = params["newName"].as_str().unwrap_or_default();
                match rename(workspace, uri, document, at, new) {
                    Ok(found) => places::renaming(workspace, &found, new),
                    Err(words) => {
                        return Response::new_err(request.id, lsp_server::ErrorCode::InvalidParams as i32, words);
                    }
                }
            }
            "textDocument/documentSymbol" => places::symbols(document),
            "textDocument/formatting" => findings::formatted(document),
            "textDocument/codeAction" => findings::actions(uri, params),
            "textDocument/semanticTokens/full" => places::tokens(document),
            other => {
                let words = format!("{other} is not known here");
                return Response::new_err(request.id, lsp_server::ErrorCode::MethodNotFound as i32, words);
            }
        };
        Response::new_ok(request.id, result)
    }
}

/// What an address of a file leaves as it is, besides letters and digits.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The address of a file, as an editor has it: a file that is opened must be the one that was read.
fn address(path: &str) -> String {
    format!("file://{}", utf8_percent_encode(path, KEPT))
}

/// The path of a file's address.
fn path_of(uri: &str) -> Option<PathBuf> {
    let path = percent_decode_str(uri.strip_prefix("file://")?).decode_utf8().ok()?;
    Some(PathBuf::from(path.into_owned()))
}
