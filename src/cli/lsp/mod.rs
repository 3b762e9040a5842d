//! `pinion lsp`: a language server on the standard streams. It serves rule files and tables (profiles, boards, catalogues): diagnostics, hovers,
//! completions, definitions, and commands that run examples, proofs and searches.
//!
//! Messages are JSON values, because a crate with all types of the protocol would take longer to build than the rest of the server.
//!
//! - `mod.rs`: the main loop, which takes events and sends responses.
//! - `wire.rs`: the streams, and background jobs.
//! - `server.rs`: files, the rulebook of all files, and their diagnostics.
//! - `answer.rs`: requests, and the conversion of positions; `hints.rs`: inlay hints.
//! - `diagnostics.rs`: diagnostics of rule files, fixes and formatting; `tables.rs`: diagnostics and completions of tables.
//! - `commands.rs`: code lenses and commands: examples, proofs, matches, near misses.

mod answer;
mod commands;
mod diagnostics;
mod hints;
mod server;
mod tables;
mod wire;

use crate::cli::lsp::answer::{Answer, answer};
use crate::cli::lsp::server::Server;
use crate::cli::lsp::wire::{Event, FinishedJob, Jobs, Wire};
use crate::cli::prelude::*;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::mpsc::RecvTimeoutError;

/// Serve an editor: errors and fixes while you type, hover, completion, definitions, rename
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion lsp

An editor starts this command and talks to it on the standard streams. While you type, the editor then shows errors with
fixes. It explains the word under the cursor, completes, finds definitions and uses in all files of the folder, renames,
formats, and runs examples and proofs. Profiles and boards (.ron) are checked and completed as well. docs/editors.md says how
to set up an editor.")]
pub struct LspArgs {
    /// Use the standard streams, as always: some editors give this option
    #[arg(long)]
    stdio: bool,
}

/// Time without events after which the diagnostics of all open files are updated.
const IDLE_TIME: Duration = Duration::from_millis(200);

pub fn run(_: &LspArgs, _: &Global, _: &mut Output) -> Result<Exit, CommandError> {
    let wire = Wire::stdio().map_err(|error| {
        let failure = Failure::input(format!("the system refuses the threads that serve an editor: {error}"));
        failure.help("end other programs, or raise the limit on processes (ulimit -u)")
    })?;
    let jobs = Jobs::new(wire.event_sender.clone());
    let mut session =
        Session { wire, jobs, server: None, queue: VecDeque::new(), is_shutting_down: false, sent_request_count: 0 };
    let serve_result = session.serve();
    let write_result = session.wire.close();
    serve_result.map_err(|reason| Failure::input(format!("the editor cannot be understood: {reason}")))?;
    write_result?;
    // The protocol demands an exit code of 1 if the editor did not ask for the shutdown.
    Ok(if session.is_shutting_down { Exit::Done } else { Exit::Unsuccessful })
}

struct Session {
    wire: Wire,
    jobs: Jobs,
    /// `None` until the editor has sent `initialize`.
    server: Option<Server>,
    queue: VecDeque<Event>,
    is_shutting_down: bool,
    sent_request_count: i32,
}

impl Session {
    /// Handles events until the end of the session. Fails with the reason if the input cannot be read any further.
    fn serve(&mut self) -> Result<(), String> {
        while let Some(event) = self.next_event() {
            match event {
                Event::Message(Message::Notification(notification)) if notification.method == "exit" => break,
                Event::Message(Message::Notification(notification)) => self.handle_notification(&notification),
                Event::Message(Message::Request(request)) => self.handle_request(&request),
                // Responses to edits need no reaction.
                Event::Message(Message::Response(_)) => {}
                Event::Malformed(reason) => self.report_malformed(&reason),
                Event::JobFinished(job) => self.finish_job(job),
                Event::InputError(reason) => return Err(reason),
                Event::EndOfInput => break,
            }
        }
        Ok(())
    }

    /// Returns the next event. Diagnostics are computed when the queue is empty, so that no event waits for them.
    fn next_event(&mut self) -> Option<Event> {
        loop {
            self.queue.extend(self.wire.events.try_iter());
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            let Some(server) = &mut self.server else { return self.wire.events.recv().ok() };
            for notification in server.diagnostics_of_changed_files() {
                self.wire.send(notification);
            }
            if !server.needs_idle_update {
                return self.wire.events.recv().ok();
            }
            match self.wire.events.recv_timeout(IDLE_TIME) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {
                    for notification in server.diagnostics_of_open_files() {
                        self.wire.send(notification);
                    }
                }
            }
        }
    }

    fn handle_notification(&mut self, notification: &Notification) {
        if let Some(id) = cancelled_request(notification) {
            self.jobs.cancel(&id);
        } else if let Some(server) = &mut self.server {
            server.handle_notification(notification);
        }
    }

    fn handle_request(&mut self, request: &Request) {
        let id = request.id.clone();
        let (code, message) = match self.answer(request) {
            Answer::Now(value) => return self.wire.send(Response::new_ok(id, value)),
            Answer::Refused(code, message) => (code, message),
            Answer::Later(job) => match self.jobs.start(id.clone(), job) {
                Ok(()) => return,
                Err(message) => (ErrorCode::RequestFailed, message),
            },
        };
        self.wire.send(Response::new_err(id, code as i32, message));
    }

    fn answer(&mut self, request: &Request) -> Answer {
        // The queue may contain the cancellation of this request.
        let is_cancelled = self.queue.iter().any(|event| match event {
            Event::Message(Message::Notification(notification)) => {
                cancelled_request(notification).as_ref() == Some(&request.id)
            }
            _ => false,
        });
        match (request.method.as_str(), &mut self.server) {
            ("initialize", None) => {
                self.server = Some(Server::new(&request.params));
                Answer::Now(capabilities())
            }
            ("initialize", Some(_)) => Answer::Refused(ErrorCode::InvalidRequest, "already initialized".into()),
            (_, None) => Answer::Refused(ErrorCode::ServerNotInitialized, "send `initialize` first".into()),
            ("shutdown", _) => {
                self.is_shutting_down = true;
                Answer::Now(Value::Null)
            }
            _ if self.is_shutting_down => Answer::Refused(ErrorCode::InvalidRequest, "shutting down".into()),
            _ if is_cancelled => Answer::Refused(ErrorCode::RequestCanceled, "cancelled".into()),
            (_, Some(server)) => {
                // This call also updates the rulebook, so that the answer is about the present text.
                for notification in server.diagnostics_of_changed_files() {
                    self.wire.send(notification);
                }
                answer(server, request)
            }
        }
    }

    fn report_malformed(&mut self, reason: &str) {
        let error = json!({ "type": 1, "message": format!("a message cannot be understood: {reason}") });
        self.wire.send(Notification::new("window/logMessage".into(), error));
    }

    fn finish_job(&mut self, job: FinishedJob) {
        let cancelled = self.jobs.finish(&job);
        let Some(server) = &mut self.server else { return };
        let FinishedJob { id, result, .. } = job;
        if let Some(code) = cancelled {
            return self.wire.send(Response::new_err(id, code as i32, "cancelled".into()));
        }
        if let Some(diagnostics) = result.diagnostics
            && let Some(notification) = server.add_tool_diagnostics(diagnostics)
        {
            self.wire.send(notification);
        }
        if let Some(edit) = result.edit {
            self.sent_request_count += 1;
            let params = json!({ "label": "Pinion", "edit": edit });
            self.wire.send(Request::new(self.sent_request_count.into(), "workspace/applyEdit".into(), params));
        }
        if let Some(summary) = result.value["summary"].as_str()
            && !server.shows_outcomes
        {
            // In the protocol, type 3 is an information, and type 2 a warning.
            let params = json!({ "type": if result.value["good"] == true { 3 } else { 2 }, "message": summary });
            self.wire.send(Notification::new("window/showMessage".into(), params));
        }
        self.wire.send(Response::new_ok(id, result.value));
    }
}

fn cancelled_request(notification: &Notification) -> Option<RequestId> {
    if notification.method != "$/cancelRequest" {
        return None;
    }
    serde_json::from_value(notification.params["id"].clone()).ok()
}

fn capabilities() -> Value {
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
        "semanticTokensProvider": { "legend": { "tokenTypes": answer::TOKEN_TYPES, "tokenModifiers": [] }, "full": true },
    });
    json!({ "capabilities": capabilities, "serverInfo": { "name": "pinion", "version": env!("CARGO_PKG_VERSION") } })
}
