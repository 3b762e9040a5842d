//! Reads the bytes of pipes and devices, and converts UTF-16 to UTF-8. A pipe ends when the run ends, even if its writer is silent.

use crate::cli::prelude::*;
use crate::grid::formats::Encoding;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};

/// Interval between two checks whether the run has ended.
const TICK: Duration = Duration::from_millis(50);
/// Maximum number of bytes that are read or decoded at a time.
const CHUNK_BYTES: usize = 64 * 1024;

static IS_ABANDONED: AtomicBool = AtomicBool::new(false);

/// Ends all pipes, because no more input is wanted.
pub fn abandon() {
    IS_ABANDONED.store(true, Ordering::Relaxed);
}

/// A source of bytes that may block.
pub enum Pipe {
    /// Another thread reads, so that the caller can stop waiting when the run ends.
    Watched(Chunks),
    /// The caller reads, because the system refused a thread.
    Direct(Box<dyn Read + Send>),
}

/// The receiving end of a thread that reads. [`send_chunks`] is the other end.
pub struct Chunks {
    receiver: Receiver<io::Result<Vec<u8>>>,
    /// The last chunk received.
    chunk: Vec<u8>,
    /// Number of bytes of `chunk` that were returned.
    used: usize,
}

impl Pipe {
    /// Opens a pipe with `open`, which may block until there is a writer. Another thread calls `open`, and the first read of the pipe
    /// returns its error.
    ///
    /// # Errors
    /// If the system refuses the thread, and `open` fails in this thread.
    pub fn open<R, F>(open: F) -> io::Result<Pipe>
    where
        R: Read + Send + 'static,
        F: FnOnce() -> io::Result<R> + Send + 'static,
    {
        let (sender, receiver) = sync_channel(1);
        // `open` is shared, so that this thread can call it if the new thread does not start.
        let open = Arc::new(Mutex::new(Some(open)));
        let thread_open = Arc::clone(&open);
        let reader = thread::Builder::new().spawn(move || match take_value(&thread_open).map(|open| open()) {
            Some(Ok(source)) => send_chunks(source, &sender),
            Some(Err(error)) => drop(sender.send(Err(error))),
            None => {}
        });
        if reader.is_ok() {
            return Ok(Pipe::Watched(Chunks { receiver, chunk: Vec::new(), used: 0 }));
        }
        match take_value(&open) {
            Some(open) => Ok(Pipe::Direct(Box::new(open()?))),
            None => Err(io::Error::other("the system refuses a thread")),
        }
    }
}

/// Takes the value out of the mutex. The lock is released before the caller uses the value.
fn take_value<T>(mutex: &Mutex<Option<T>>) -> Option<T> {
    lock(mutex).take()
}

/// Sends the bytes of `source` in chunks. An empty chunk means the end.
fn send_chunks(mut source: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut chunk = vec![0; CHUNK_BYTES];
        let result = match source.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
            Ok(length) => {
                chunk.truncate(length);
                Ok(chunk)
            }
        };
        let is_last = result.as_ref().map_or(true, Vec::is_empty);
        if sender.send(result).is_err() || is_last {
            return;
        }
    }
}

impl Read for Pipe {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Pipe::Watched(chunks) => chunks.read(out),
            Pipe::Direct(source) => source.read(out),
        }
    }
}

impl Read for Chunks {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.used == self.chunk.len() {
            match self.receiver.recv_timeout(TICK) {
                Ok(chunk) => (self.chunk, self.used) = (chunk?, 0),
                Err(RecvTimeoutError::Timeout) if !must_stop_reading() => continue,
                // The reading must stop, or the other thread has ended.
                Err(_) => return Ok(0),
            }
            if self.chunk.is_empty() {
                return Ok(0);
            }
        }
        let length = (&self.chunk[self.used..]).read(out)?;
        self.used += length;
        Ok(length)
    }
}

fn must_stop_reading() -> bool {
    limits::is_interrupted() || limits::is_run_limit_reached() || IS_ABANDONED.load(Ordering::Relaxed)
}

/// Converts UTF-16 to UTF-8, and passes other bytes unchanged.
pub struct Decoder<R> {
    source: R,
    /// `None` until the first bytes are read.
    encoding: Option<Encoding>,
    /// Decoded bytes.
    ready: Vec<u8>,
    /// Number of bytes of `ready` that were returned.
    used: usize,
    /// The first byte of a UTF-16 unit whose second byte is not read yet.
    half_unit: Option<u8>,
}

impl<R: Read> Decoder<R> {
    pub fn new(source: R) -> Decoder<R> {
        Decoder { source, encoding: None, ready: Vec::new(), used: 0, half_unit: None }
    }

    /// Reads the first bytes and detects the encoding. Four bytes suffice. If fewer bytes are available and may be UTF-16, the function
    /// waits for more.
    fn detect_encoding(&mut self) -> io::Result<Encoding> {
        let mut first = vec![0; CHUNK_BYTES];
        let mut length = 0;
        loop {
            let read = match self.source.read(&mut first[length..]) {
                // Callers repeat an interrupted read, but the bytes read before would be lost.
                Err(error) if error.kind() == io::ErrorKind::Interrupted && length > 0 => continue,
                read => read?,
            };
            length += read;
            // A zero byte, or the first byte of a byte order mark.
            let may_be_utf16 = first[..length].contains(&0) || matches!(first[0], 0xfe | 0xff);
            if read == 0 || length >= 4 || !may_be_utf16 {
                break;
            }
        }
        first.truncate(length);
        let encoding = Encoding::detect(&first);
        self.encoding = Some(encoding);
        self.decode(&first, encoding);
        Ok(encoding)
    }

    fn decode(&mut self, bytes: &[u8], encoding: Encoding) {
        self.used = 0;
        if encoding == Encoding::Utf8 {
            self.ready = bytes.to_vec();
            return;
        }
        let mut units: Vec<u8> = self.half_unit.take().into_iter().chain(bytes.iter().copied()).collect();
        if units.len() % 2 == 1 {
            self.half_unit = units.pop();
        }
        self.ready = encoding.decode(&units).into_bytes();
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None => self.detect_encoding()?,
        };
        while self.used == self.ready.len() {
            if encoding == Encoding::Utf8 {
                return self.source.read(out);
            }
            let mut bytes = vec![0; CHUNK_BYTES];
            let length = self.source.read(&mut bytes)?;
            if length > 0 {
                self.decode(&bytes[..length], encoding);
                continue;
            }
            if self.half_unit.take().is_none() {
                return Ok(0);
            }
            self.ready = char::REPLACEMENT_CHARACTER.to_string().into_bytes();
            self.used = 0;
        }
        let length = out.len().min(self.ready.len() - self.used);
        out[..length].copy_from_slice(&self.ready[self.used..self.used + length]);
        self.used += length;
        Ok(length)
    }
}
