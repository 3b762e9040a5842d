//! `pinion lsp`. In: the language server protocol on the standard input. Out: answers on the standard output: what is wrong with a
//! rule file or a table while it is written, what a word is, where it comes from, what may come next; and what its examples, a proof
//! or a grid say, when a command asks for it.
//!
//! Messages are JSON values here; the crate of all their types would take longer to build than the rest of this.
//!
//! - `mod.rs`: the loop that takes events and sends answers.
//! - `wire.rs`: the streams, and work in the background.
//! - `server.rs`: files, rules and findings.
//! - `answer.rs`: requests about a place; inlay hints.
//! - `findings.rs`: findings of rule files and tables, fixes, completions of tables.
//! - `commands.rs`: lenses and commands: examples, proofs, matches, near misses.

mod answer;
mod commands;
mod findings;
mod server;
mod wire;

use crate::cli::lsp::answer::{Answer, answer};
use crate::cli::lsp::server::Server;
use crate::cli::lsp::wire::{Done, Event, Jobs, Wire};
use crate::cli::prelude::*;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// Serve an editor: errors and fixes while you type, hover, completion, definitions, rename
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion lsp

An editor starts it and speaks to it on the standard streams. It tells what is wrong while you type, with fixes; shows what a
word is; completes; finds definitions and uses, of rules and patterns of other files of the folder, too; renames; formats; runs
examples and proofs. Profiles and boards (.ron) are checked and completed as well. docs/editors.md says how to set up an editor.")]
pub struct LspArgs {
    /// Speak on the standard streams; there is no other way, so this changes nothing
    #[arg(long)]
    stdio: bool,
}

/// The keys are still for so long before other open files are looked at.
const STILL: Duration = Duration::from_millis(200);

/// Serves one editor.
pub fn run(_: &LspArgs, _: &Global, _: &mut Output) -> Result<Exit, CommandError> {
    let wire = Wire::stdio().map_err(|error| {
        let failure = Failure::input(format!("the system refuses the threads that serve an editor: {error}"));
        failure.help("end other programs, or raise the limit on processes (ulimit -u)")
    })?;
    let jobs = Jobs::new(wire.sender.clone());
    let mut talk = Talk { wire, jobs, server: None, queue: VecDeque::new(), closing: false, asked: 0 };
    let end = talk.serve();
    let written = talk.wire.close();
    let polite = end.map_err(|why| Failure::input(format!("the editor cannot be understood: {why}")))?;
    written?;
    Ok(if polite { Exit::Done } else { Exit::Unsuccessful })
}

/// One talk with an editor.
struct Talk {
    wire: Wire,
    jobs: Jobs,
    /// None until the editor has introduced itself.
    server: Option<Server>,
    /// Events that wait.
    queue: VecDeque<Event>,
    /// True after a request to shut down.
    closing: bool,
    /// Number of requests sent to the editor.
    asked: i32,
}

impl Talk {
    /// Answers until the end. Returns true if the editor announced it.
    ///
    /// # Errors
    /// When nothing can be heard any more, in words.
    fn serve(&mut self) -> Result<bool, String> {
        while let Some(event) = self.next() {
            match event {
                Event::Message(Message::Notification(note)) if note.method == "exit" => break,
                Event::Message(Message::Notification(note)) => self.note(&note),
                Event::Message(Message::Request(request)) => self.request(&request),
                // The editor's answers to edits change nothing.
                Event::Message(Message::Response(_)) => {}
                Event::Garbled(why) => self.garbled(&why),
                Event::Done(done) => self.done(done),
                Event::Lost(why) => return Err(why),
                Event::End => break,
            }
        }
        Ok(self.closing)
    }

    /// Returns the next event. Findings are computed when the queue is empty, so no event waits for them.
    fn next(&mut self) -> Option<Event> {
        loop {
            self.queue.extend(self.wire.hear.try_iter());
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            let Some(server) = &mut self.server else { return self.wire.hear.recv().ok() };
            server.findings().into_iter().for_each(|note| self.wire.send(note));
            if !server.others_wait {
                return self.wire.hear.recv().ok();
            }
            match self.wire.hear.recv_timeout(STILL) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {
                    server.all_findings().into_iter().for_each(|note| self.wire.send(note));
                }
            }
        }
    }

    fn note(&mut self, note: &Notification) {
        if let Some(id) = cancelled(note) {
            self.jobs.cancel(&id);
        } else if let Some(server) = &mut self.server {
            server.note(note);
        }
    }

    fn request(&mut self, request: &Request) {
        let id = request.id.clone();
        let answer = match self.answer(request) {
            Answer::Now(value) => Ok(value),
            Answer::Refused(code, words) => Err((code, words)),
            Answer::Later(job) => match self.jobs.begin(id.clone(), job) {
                Ok(()) => return,
                Err(words) => Err((ErrorCode::RequestFailed, words)),
            },
        };
        self.wire.send(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, words)) => Response::new_err(id, code as i32, words),
        });
    }

    fn answer(&mut self, request: &Request) -> Answer {
        // A request that waited may have been cancelled meanwhile.
        let is_cancelled = self.queue.iter().any(|event| match event {
            Event::Message(Message::Notification(note)) => cancelled(note).as_ref() == Some(&request.id),
            _ => false,
        });
        match (request.method.as_str(), &mut self.server) {
            ("initialize", None) => {
                self.server = Some(Server::new(&request.params));
                Answer::Now(introduction())
            }
            ("initialize", Some(_)) => Answer::Refused(ErrorCode::InvalidRequest, "it is initialized".into()),
            (_, None) => Answer::Refused(ErrorCode::ServerNotInitialized, "send `initialize` first".into()),
            ("shutdown", _) => {
                self.closing = true;
                Answer::Now(Value::Null)
            }
            _ if self.closing => Answer::Refused(ErrorCode::InvalidRequest, "it is shutting down".into()),
            _ if is_cancelled => Answer::Refused(ErrorCode::RequestCanceled, "cancelled".into()),
            (_, Some(server)) => {
                // A request is about the present text.
                server.findings().into_iter().for_each(|note| self.wire.send(note));
                answer(server, request)
            }
        }
    }

    /// A text that is no message is answered as such, and the talk goes on.
    fn garbled(&mut self, why: &str) {
        let error = json!({ "type": 1, "message": format!("a message cannot be understood: {why}") });
        self.wire.send(Notification::new("window/logMessage".into(), error));
    }

    fn done(&mut self, done: Done) {
        let cancelled = self.jobs.end(&done);
        let Some(server) = &mut self.server else { return };
        let Done { id, result, .. } = done;
        if let Some(code) = cancelled {
            return self.wire.send(Response::new_err(id, code as i32, "cancelled".into()));
        }
        if let Some(note) = result.findings.and_then(|found| server.report(found)) {
            self.wire.send(note);
        }
        if let Some(edit) = result.edit {
            self.asked += 1;
            let params = json!({ "label": "Pinion", "edit": edit });
            self.wire.send(Request::new(self.asked.into(), "workspace/applyEdit".into(), params));
        }
        if let Some((words, good)) = result.words.filter(|_| !server.outcomes) {
            let params = json!({ "type": if good { 3 } else { 2 }, "message": words });
            self.wire.send(Notification::new("window/showMessage".into(), params));
        }
        self.wire.send(Response::new_ok(id, result.value));
    }
}

/// The request that a notification cancels, if it is one that cancels.
fn cancelled(note: &Notification) -> Option<RequestId> {
    let id = Some(&note.params["id"]).filter(|_| note.method == "$/cancelRequest")?;
    serde_json::from_value(id.clone()).ok()
}

/// The name and the capabilities of the server.
fn introduction() -> Value {
    let capabilities = json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 1 },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": [":", "{", " ", "\"", "("] },
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": true,
        "documentSymbolProvider": true,
        "documentFormattingProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": { "resolveProvider": true },
        "inlayHintProvider": true,
        "executeCommandProvider": { "commands": commands::ALL },
        "semanticTokensProvider": { "legend": { "tokenTypes": answer::TYPES, "tokenModifiers": [] }, "full": true },
    });
    json!({ "capabilities": capabilities, "serverInfo": { "name": "pinion", "version": env!("CARGO_PKG_VERSION") } })
}
