//! Bytes of files, pipes and devices. In: how a source is opened. Out: its bytes as they come, UTF-16 as UTF-8.
//!
//! A pipe gives no more once the run was interrupted, a limit has ended it or nobody wants more, though nobody may ever write to it again.

use crate::cli::limits;
use crate::grid::formats::Encoding;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Interval between two looks at whether the run has ended.
const TICK: Duration = Duration::from_millis(50);
/// The most bytes that are read at a time.
const PIECE: usize = 64 * 1024;

/// True once no more of any pipe is wanted.
static ABANDONED: AtomicBool = AtomicBool::new(false);

/// Ends all pipes: no more input is wanted.
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
    /// Number of bytes of it that were handed out.
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
    limits::interrupted() || limits::end_run() || ABANDONED.load(Ordering::Relaxed)
}

/// The most bytes that are decoded at a time; an even number.
const DECODED: usize = 64 * 1024;

/// A source whose bytes are UTF-8, or as they were.
pub struct Decoder<R> {
    source: R,
    /// None until the first bytes are read.
    encoding: Option<Encoding>,
    /// Bytes to hand out before more is read, and how many of them were handed out.
    ready: Vec<u8>,
    used: usize,
    /// The first half of a character.
    half: Option<u8>,
}

impl<R: Read> Decoder<R> {
    /// Begins; nothing is read yet.
    pub fn new(source: R) -> Decoder<R> {
        Decoder { source, encoding: None, ready: Vec::new(), used: 0, half: None }
    }

    /// Reads as much as the encoding shows in. Only bytes that can begin UTF-16 make it wait for more.
    fn begin(&mut self) -> io::Result<Encoding> {
        let (mut first, mut have) = (vec![0; DECODED], 0);
        loop {
            let read = match self.source.read(&mut first[have..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted && have > 0 => continue,
                read => read?,
            };
            have += read;
            let wide = first[..have].contains(&0) || matches!(first[0], 0xfe | 0xff);
            if read == 0 || have >= 4 || !wide {
                break;
            }
        }
        first.truncate(have);
        let encoding = Encoding::of(&first);
        self.encoding = Some(encoding);
        self.fill(&first, encoding);
        Ok(encoding)
    }

    fn fill(&mut self, bytes: &[u8], encoding: Encoding) {
        self.used = 0;
        if encoding == Encoding::Utf8 {
            self.ready = bytes.to_vec();
            return;
        }
        let mut whole: Vec<u8> = self.half.take().into_iter().chain(bytes.iter().copied()).collect();
        if whole.len() % 2 == 1 {
            self.half = whole.pop();
        }
        self.ready = encoding.decoded(&whole).into_bytes();
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None => self.begin()?,
        };
        while self.used == self.ready.len() {
            if encoding == Encoding::Utf8 {
                return self.source.read(out);
            }
            let mut piece = vec![0; DECODED];
            let read = self.source.read(&mut piece)?;
            if read == 0 && self.half.is_none() {
                return Ok(0);
            }
            if read == 0 {
                self.half = None;
                self.ready = char::REPLACEMENT_CHARACTER.to_string().into_bytes();
                self.used = 0;
                break;
            }
            self.fill(&piece[..read], encoding);
        }
        let count = out.len().min(self.ready.len() - self.used);
        out[..count].copy_from_slice(&self.ready[self.used..self.used + count]);
        self.used += count;
        Ok(count)
    }
}
