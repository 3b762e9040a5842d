//! Streams and background work. In: bytes of the standard input, closures. Out: events for the loop.
//!
//! Messages are no longer than a program should believe; a text that is no message is an event, too, and ends nothing. The loop's messages are
//! written by a thread of its own, so that a slow reader does not hold it up. Work that takes a while runs in threads of its own, too; it looks
//! at a flag that a cancelled request sets.

use crate::engine::Halt;
use lsp_server::{ErrorCode, Message, RequestId};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{self, BufRead, Cursor, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// An event for the loop.
pub enum Event {
    /// A message of the editor.
    Message(Message),
    /// A text that is no message, with the reason.
    Garbled(String),
    /// The input cannot be read any further, with the reason.
    Lost(String),
    /// Work in the background has ended.
    Done(Done),
    /// The input has ended.
    End,
}

/// The two streams.
pub struct Wire {
    /// Incoming events.
    pub hear: Receiver<Event>,
    /// Sender for work that ends in the background.
    pub sender: Sender<Event>,
    out: Sender<Message>,
    writer: JoinHandle<io::Result<()>>,
}

impl Wire {
    /// The standard streams.
    ///
    /// # Errors
    /// If the system refuses the two threads.
    pub fn stdio() -> io::Result<Wire> {
        let (sender, hear) = channel();
        let events = sender.clone();
        thread::Builder::new().spawn(move || read(&events))?;
        let (out, messages) = channel();
        let writer = thread::Builder::new().spawn(move || write(&messages))?;
        Ok(Wire { hear, sender, out, writer })
    }

    /// Sends a message. If the editor no longer reads, the end of the input will follow.
    pub fn send(&self, message: impl Into<Message>) {
        let _ = self.out.send(message.into());
    }

    /// Waits until all is written.
    pub fn close(self) -> io::Result<()> {
        drop(self.out);
        self.writer.join().unwrap_or(Ok(()))
    }
}

fn read(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let event = match bytes(&mut input) {
            Ok(Some(whole)) => match Message::read(&mut Cursor::new(whole)) {
                Ok(Some(message)) => Event::Message(message),
                Ok(None) => Event::Garbled("it has no end".into()),
                Err(error) => Event::Garbled(short(&error.to_string())),
            },
            Ok(None) => Event::End,
            Err(error) => Event::Lost(error.to_string()),
        };
        let last = matches!(event, Event::End | Event::Lost(_));
        if events.send(event).is_err() || last {
            return;
        }
    }
}

/// The most bytes of a message; a rule file of the most that is read fits in.
const LONGEST: u64 = 64 * 1024 * 1024;
/// The most bytes of a line before it.
const LONGEST_LINE: u64 = 4096;

/// The next message with the lines before it; none at the end.
fn bytes(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let (mut whole, mut size) = (Vec::new(), 0);
    loop {
        let begin = whole.len();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut whole)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&whole[begin..]);
        let length = line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("Content-Length"));
        if let Some((_, length)) = length {
            size = length.trim().parse().unwrap_or(u64::MAX);
        }
        if whole.len() as u64 > LONGEST_LINE || size > LONGEST {
            return Err(io::Error::other(format!("a message of more than {LONGEST} bytes")));
        }
        if line.trim().is_empty() {
            break;
        }
    }
    input.take(size).read_to_end(&mut whole)?;
    Ok(Some(whole))
}

/// The beginning of a text: the error has the whole message in it.
fn short(words: &str) -> String {
    words.chars().take(200).collect()
}

fn write(messages: &Receiver<Message>) -> io::Result<()> {
    let mut output = io::stdout().lock();
    messages.iter().try_for_each(|message| message.write(&mut output).and_then(|()| output.flush()))
}

/// The most that run side by side.
const MOST: usize = 8;

/// The result of a job.
pub struct Done {
    /// The request that it answers.
    pub id: RequestId,
    /// The answer.
    pub result: JobResult,
    flag: CancelFlag,
}

/// Results of a job: the answer, and changes for the editor to show.
#[derive(Default)]
pub struct JobResult {
    /// The answer to the request.
    pub value: Value,
    /// A line for the user, and whether all is well, if the editor does not show the answer itself.
    pub words: Option<(String, bool)>,
    /// Findings to show in a file.
    pub findings: Option<FileFindings>,
    /// An edit to make.
    pub edit: Option<Value>,
}

/// Findings of a test or a proof.
pub struct FileFindings {
    /// The file.
    pub uri: String,
    /// The text that they are about; they are dropped where it has changed meanwhile.
    pub text: String,
    /// Source: findings of an equal source are replaced.
    pub source: &'static str,
    /// As the protocol has them.
    pub list: Vec<Value>,
}

/// A flag that says stop. Searches want it to live for ever, so flags are used again.
type CancelFlag = &'static AtomicBool;

/// Running jobs.
pub struct Jobs {
    sender: Sender<Event>,
    running: HashMap<RequestId, CancelFlag>,
    free: Vec<CancelFlag>,
}

impl Jobs {
    /// Creates the list, without a job.
    pub fn new(sender: Sender<Event>) -> Jobs {
        Jobs { sender, running: HashMap::new(), free: Vec::new() }
    }

    /// Begins a job.
    ///
    /// # Errors
    /// When too many run, or the system refuses a thread.
    pub fn begin(&mut self, id: RequestId, work: Box<dyn FnOnce(Halt) -> JobResult + Send>) -> Result<(), String> {
        if self.running.len() >= MOST {
            return Err(format!("{MOST} commands are running; wait for one, or cancel it"));
        }
        let flag = self.free.pop().unwrap_or_else(|| Box::leak(Box::new(AtomicBool::new(false))));
        flag.store(false, Ordering::Relaxed);
        let (sender, own) = (self.sender.clone(), id.clone());
        let started = thread::Builder::new().spawn(move || {
            let result = work(Halt { time: Some(flag), memory: None });
            let _ = sender.send(Event::Done(Done { id: own, result, flag }));
        });
        if let Err(error) = started {
            self.free.push(flag);
            return Err(format!("the system refuses a thread for this command: {error}; try again later"));
        }
        self.running.insert(id, flag);
        Ok(())
    }

    /// Asks a job to stop.
    pub fn cancel(&self, id: &RequestId) {
        if let Some(flag) = self.running.get(id) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Removes a finished job. Returns the error if it was cancelled.
    pub fn end(&mut self, done: &Done) -> Option<ErrorCode> {
        self.running.remove(&done.id);
        self.free.push(done.flag);
        done.flag.load(Ordering::Relaxed).then_some(ErrorCode::RequestCanceled)
    }
}
