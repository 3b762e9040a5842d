//! The streams. In: bytes of the standard input. Out: messages as events for the loop; what cannot be read as a message is an event,
//! too, and ends nothing. What the loop sends is written by a thread of its own, so that a slow reader does not hold it up.

use super::jobs::Done;
use lsp_server::Message;
use std::io::{self, BufReader, ErrorKind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// What the loop hears of.
pub enum Event {
    /// The editor says something.
    Message(Message),
    /// The editor says something that cannot be understood; why.
    Garbled(String),
    /// Work in the background has ended.
    Done(Done),
    /// The editor is gone.
    End,
}

/// Both ends of the talk.
pub struct Wire {
    /// What comes.
    pub hear: Receiver<Event>,
    /// For what ends in the background.
    pub tell: Sender<Event>,
    out: Sender<Message>,
    writer: JoinHandle<io::Result<()>>,
}

impl Wire {
    /// The standard streams.
    pub fn stdio() -> Wire {
        let (tell, hear) = channel();
        let events = tell.clone();
        thread::spawn(move || read(&events));
        let (out, messages) = channel();
        let writer = thread::spawn(move || write(&messages));
        Wire { hear, tell, out, writer }
    }

    /// Sends; where nobody reads any more, the end of the input will follow.
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
    let mut input = BufReader::new(io::stdin());
    loop {
        let event = match Message::read(&mut input) {
            Ok(Some(message)) => Event::Message(message),
            Err(error) if error.kind() == ErrorKind::InvalidData => Event::Garbled(short(&error.to_string())),
            Ok(None) | Err(_) => Event::End,
        };
        let last = matches!(event, Event::End);
        if events.send(event).is_err() || last {
            return;
        }
    }
}

/// The beginning of a text: the error has the whole message in it.
fn short(words: &str) -> String {
    words.chars().take(200).collect()
}

fn write(messages: &Receiver<Message>) -> io::Result<()> {
    let mut output = io::stdout();
    messages.iter().try_for_each(|message| message.write(&mut output))
}
