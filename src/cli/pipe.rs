//! A pipe or device. In: how it is opened. Out: its bytes, as they come; no more once the run was interrupted, a limit has
//! ended it or nobody wants more, though nobody may ever write again.

use super::{interrupt, limits};
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// So often somebody looks whether there was an end.
const TICK: Duration = Duration::from_millis(50);
/// The most bytes that are read at a time.
const PIECE: usize = 64 * 1024;

/// True once no more of any pipe is wanted.
static ABANDONED: AtomicBool = AtomicBool::new(false);

/// Ends all pipes: what they would still give is not wanted.
pub fn abandon() {
    ABANDONED.store(true, Ordering::Relaxed);
}

/// Bytes of a pipe, read by a thread of its own; by the reader itself if the system refuses the thread.
pub enum Pipe {
    Watched(Pieces),
    Direct(Box<dyn Read + Send>),
}

/// Pieces that another thread reads.
pub struct Pieces {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    /// So much of it was handed out.
    used: usize,
}

impl Pipe {
    /// Opens it, which may take until somebody writes.
    ///
    /// # Errors
    /// If the system refuses a thread and the pipe cannot be opened without one.
    pub fn open<R, F>(open: F) -> io::Result<Pipe>
    where
        R: Read + Send + 'static,
        F: FnOnce() -> io::Result<R> + Send + 'static,
    {
        let (send, pieces) = sync_channel(1);
        let open = Arc::new(Mutex::new(Some(open)));
        let own = Arc::clone(&open);
        let reader = thread::Builder::new().spawn(move || match taken(&own).map(|open| open()) {
            Some(Ok(source)) => read_all(source, &send),
            Some(Err(error)) => drop(send.send(Err(error))),
            None => {}
        });
        match reader.is_ok() {
            true => Ok(Pipe::Watched(Pieces { pieces, piece: Vec::new(), used: 0 })),
            false => match taken(&open) {
                Some(open) => Ok(Pipe::Direct(Box::new(open()?))),
                None => Err(io::Error::other("the system refuses a thread")),
            },
        }
    }
}

fn taken<F>(open: &Mutex<Option<F>>) -> Option<F> {
    open.lock().unwrap_or_else(PoisonError::into_inner).take()
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
        match self {
            Pipe::Watched(pieces) => pieces.read(to),
            Pipe::Direct(source) => source.read(to),
        }
    }
}

impl Read for Pieces {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.used == self.piece.len() {
            match self.pieces.recv_timeout(TICK) {
                Ok(piece) => (self.piece, self.used) = (piece?, 0),
                Err(RecvTimeoutError::Timeout) if !is_ended() => continue,
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

fn is_ended() -> bool {
    interrupt::asked() || limits::end_run() || ABANDONED.load(Ordering::Relaxed)
}
