//! The streams. In: bytes of the standard input. Out: messages as events for the loop, none of them longer than a program should
//! believe; what cannot be read as a message is an event, too, and ends nothing. What the loop sends is written by a thread of its
//! own, so that a slow reader does not hold it up.

use super::jobs::Done;
use lsp_server::Message;
use std::io::{self, BufRead, Cursor, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// What the loop hears of.
pub enum Event {
    /// The editor says something.
    Message(Message),
    /// The editor says something that cannot be understood; why.
    Garbled(String),
    /// The input cannot be followed any further; why.
    Lost(String),
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
    ///
    /// # Errors
    /// If the system refuses the two threads.
    pub fn stdio() -> io::Result<Wire> {
        let (tell, hear) = channel();
        let events = tell.clone();
        thread::Builder::new().spawn(move || read(&events))?;
        let (out, messages) = channel();
        let writer = thread::Builder::new().spawn(move || write(&messages))?;
        Ok(Wire { hear, tell, out, writer })
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
