//! Messages on the standard streams. In: what an editor writes. Out: messages, none of them longer than a program should
//! believe; and the way back.

use lsp_server::{Connection, Message};
use std::io::{self, BufRead, Cursor, Read, Write};
use std::thread::{self, JoinHandle};

/// The most bytes of a message; a rule file of the most that is read fits in.
const LONGEST: u64 = 64 * 1024 * 1024;
/// The most bytes of a line before it.
const LONGEST_LINE: u64 = 4096;

/// The two threads that read and write.
pub struct Wire {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Wire {
    /// Begins to read and write.
    pub fn open() -> (Connection, Wire) {
        let (server, editor) = Connection::memory();
        let Connection { sender, receiver } = editor;
        let reader = thread::spawn(move || {
            let mut input = io::stdin().lock();
            while let Some(message) = message(&mut input)? {
                let last = matches!(&message, Message::Notification(note) if note.method == "exit");
                if sender.send(message).is_err() || last {
                    break;
                }
            }
            Ok(())
        });
        let writer = thread::spawn(move || {
            let mut output = io::stdout().lock();
            receiver.into_iter().try_for_each(|message| message.write(&mut output).and_then(|()| output.flush()))
        });
        (server, Wire { reader, writer })
    }

    /// Waits for both; what went wrong.
    pub fn close(self) -> io::Result<()> {
        let ended = |thread: JoinHandle<io::Result<()>>| thread.join().unwrap_or(Ok(()));
        ended(self.reader).and(ended(self.writer))
    }
}

/// The next message; none at the end.
fn message(input: &mut impl BufRead) -> io::Result<Option<Message>> {
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
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a message of more than {LONGEST} bytes")));
        }
        if line.trim().is_empty() {
            break;
        }
    }
    input.take(size).read_to_end(&mut whole)?;
    Message::read(&mut Cursor::new(whole))
}
