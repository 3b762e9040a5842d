//! A pipe or device. In: how it is opened. Out: its bytes, as they come; no more once the run was interrupted or a limit has
//! ended it, though nobody may ever write again.

use super::{interrupt, limits};
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// So often somebody looks whether there was an end.
const TICK: Duration = Duration::from_millis(50);
/// The most bytes that are read at a time.
const PIECE: usize = 64 * 1024;

/// What a thread of its own reads.
pub struct Pipe {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    /// So much of it was handed out.
    used: usize,
}

impl Pipe {
    /// Opens it, which may take until somebody writes.
    pub fn open<R: Read>(open: impl FnOnce() -> io::Result<R> + Send + 'static) -> Pipe {
        let (send, pieces) = sync_channel(1);
        thread::spawn(move || match open() {
            Ok(source) => read_all(source, &send),
            Err(error) => drop(send.send(Err(error))),
        });
        Pipe { pieces, piece: Vec::new(), used: 0 }
    }
}

fn read_all(mut source: impl Read, send: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut piece = vec![0; PIECE];
        let read = match source.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read,
        };
        piece.truncate(*read.as_ref().unwrap_or(&0));
        let last = piece.is_empty();
        if send.send(read.map(|_| piece)).is_err() || last {
            return;
        }
    }
}

impl Read for Pipe {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.used == self.piece.len() {
            match self.pieces.recv_timeout(TICK) {
                Ok(piece) => (self.piece, self.used) = (piece?, 0),
                Err(RecvTimeoutError::Timeout) if !(interrupt::asked() || limits::end_run()) => continue,
                Err(_) => return Ok(0),
            }
            if self.piece.is_empty() {
                return Ok(0);
            }
        }
        let read = (&self.piece[self.used..]).read(to)?;
        self.used += read;
        Ok(read)
    }
}
