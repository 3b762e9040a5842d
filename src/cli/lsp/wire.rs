//! The streams of the language server, and its background jobs. Both send events to the main loop.
//!
//! One thread reads messages, another thread writes messages, so that a slow editor does not block the loop. Text that is not a message is an
//! event as well. Each job has a thread of its own, and a flag that cancels the job.

use crate::engine::Halt;
use lsp_server::{ErrorCode, Message, RequestId};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{self, BufRead, Cursor, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

pub enum Event {
    Message(Message),
    /// Text that is not a message, with the reason.
    Malformed(String),
    /// The input cannot be read any further, with the reason.
    InputError(String),
    JobFinished(FinishedJob),
    EndOfInput,
}

pub struct Wire {
    pub events: Receiver<Event>,
    pub event_sender: Sender<Event>,
    messages: Sender<Message>,
    writer: JoinHandle<io::Result<()>>,
}

impl Wire {
    /// Starts the threads that read and write. Fails if the system refuses them.
    pub fn stdio() -> io::Result<Wire> {
        let (event_sender, events) = channel();
        let sender = event_sender.clone();
        thread::Builder::new().spawn(move || read_messages(&sender))?;
        let (messages, receiver) = channel();
        let writer = thread::Builder::new().spawn(move || write_messages(&receiver))?;
        Ok(Wire { events, event_sender, messages, writer })
    }

    /// Sends a message. Errors are ignored: if the editor no longer reads, the input ends as well.
    pub fn send(&self, message: impl Into<Message>) {
        let _ = self.messages.send(message.into());
    }

    pub fn close(self) -> io::Result<()> {
        drop(self.messages);
        self.writer.join().unwrap_or(Ok(()))
    }
}

fn read_messages(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let event = match read_message_bytes(&mut input) {
            Ok(Some(bytes)) => match Message::read(&mut Cursor::new(bytes)) {
                Ok(Some(message)) => Event::Message(message),
                Ok(None) => Event::Malformed("it has no end".into()),
                // The error contains the whole message.
                Err(error) => Event::Malformed(error.to_string().chars().take(200).collect()),
            },
            Ok(None) => Event::EndOfInput,
            Err(error) => Event::InputError(error.to_string()),
        };
        let is_last = matches!(event, Event::EndOfInput | Event::InputError(_));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Maximum number of bytes of a message; enough for a rule file of the maximum size.
const MAX_MESSAGE: u64 = 64 * 1024 * 1024;
const MAX_HEADER: u64 = 4096;

/// Reads the next message with its header. Returns `None` at the end of the input.
fn read_message_bytes(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let mut content_length = 0;
    loop {
        let line_start = bytes.len();
        if input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&bytes[line_start..]);
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            content_length = value.trim().parse().map_err(|_| {
                io::Error::other(format!("the Content-Length `{}` is not a number of bytes", value.trim()))
            })?;
        }
        if bytes.len() as u64 > MAX_HEADER {
            return Err(io::Error::other(format!("a header of more than {MAX_HEADER} bytes")));
        }
        if content_length > MAX_MESSAGE {
            return Err(io::Error::other(format!("a message of more than {MAX_MESSAGE} bytes")));
        }
        // An empty line ends the header.
        if line.trim().is_empty() {
            break;
        }
    }
    input.take(content_length).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

fn write_messages(messages: &Receiver<Message>) -> io::Result<()> {
    let mut output = io::stdout().lock();
    for message in messages {
        message.write(&mut output)?;
        output.flush()?;
    }
    Ok(())
}

const MAX_JOBS: usize = 8;

pub struct FinishedJob {
    pub id: RequestId,
    pub result: JobResult,
    flag: CancelFlag,
}

/// The result of a job: the response, and changes in the editor.
#[derive(Default)]
pub struct JobResult {
    pub value: Value,
    pub diagnostics: Option<FileDiagnostics>,
    pub edit: Option<Value>,
}

pub struct FileDiagnostics {
    pub uri: String,
    /// Text of the file. The diagnostics are dropped if the text has changed meanwhile.
    pub text: String,
    /// Name of the tool. The new diagnostics replace earlier ones of this tool.
    pub source: &'static str,
    pub diagnostics: Vec<Value>,
}

/// A flag that cancels a job. [`Halt`] needs a static reference, so a flag is leaked, and used again for later jobs.
type CancelFlag = &'static AtomicBool;

pub struct Jobs {
    events: Sender<Event>,
    running: HashMap<RequestId, CancelFlag>,
    free_flags: Vec<CancelFlag>,
}

impl Jobs {
    pub fn new(events: Sender<Event>) -> Jobs {
        Jobs { events, running: HashMap::new(), free_flags: Vec::new() }
    }

    /// Starts a job. Fails with a message if too many jobs are running or the system refuses a thread.
    pub fn start(&mut self, id: RequestId, job: Box<dyn FnOnce(Halt) -> JobResult + Send>) -> Result<(), String> {
        if self.running.len() >= MAX_JOBS {
            return Err(format!("{MAX_JOBS} commands are running; wait for one, or cancel it"));
        }
        let flag = self.free_flags.pop().unwrap_or_else(|| Box::leak(Box::new(AtomicBool::new(false))));
        flag.store(false, Ordering::Relaxed);
        let (events, job_id) = (self.events.clone(), id.clone());
        let thread = thread::Builder::new().spawn(move || {
            let result = job(Halt { time: Some(flag), memory: None });
            let _ = events.send(Event::JobFinished(FinishedJob { id: job_id, result, flag }));
        });
        if let Err(error) = thread {
            self.free_flags.push(flag);
            return Err(format!("the system refuses a thread for this command: {error}; try again later"));
        }
        self.running.insert(id, flag);
        Ok(())
    }

    pub fn cancel(&self, id: &RequestId) {
        if let Some(flag) = self.running.get(id) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Removes a finished job. Returns the error code if the job was cancelled.
    pub fn finish(&mut self, job: &FinishedJob) -> Option<ErrorCode> {
        self.running.remove(&job.id);
        self.free_flags.push(job.flag);
        if job.flag.load(Ordering::Relaxed) { Some(ErrorCode::RequestCanceled) } else { None }
    }
}
