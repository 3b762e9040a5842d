//! Reads the bytes of pipes and devices, and converts UTF-16 to UTF-8. Reading stops at an interrupt, at the time limit of the run, or after
//! [`abandon`], even if the writer sends nothing.

use crate::cli::prelude::*;
use crate::grid::formats::Encoding;
use std::io::{self, Cursor, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};

/// Interval between two checks whether reading must stop.
const TICK: Duration = Duration::from_millis(50);
/// Maximum number of bytes that are read or decoded at a time.
const CHUNK_BYTES: usize = 64 * 1024;

static IS_ABANDONED: AtomicBool = AtomicBool::new(false);

/// Makes all pipes end, because no more input is wanted.
pub fn abandon() {
    IS_ABANDONED.store(true, Ordering::Relaxed);
}

/// The receiving end of a thread that reads. [`send_chunks`] is the other end.
struct Chunks {
    receiver: Receiver<io::Result<Vec<u8>>>,
    /// The last chunk received; its position is the number of bytes that were returned.
    chunk: Cursor<Vec<u8>>,
}

/// Opens a pipe with `open`, which may block until there is a writer. Another thread calls `open` and reads, so that the caller need not
/// wait longer than [`must_stop_reading`] allows; the first read returns the error of `open`. If the system refuses the thread, the caller opens and reads.
pub fn open_pipe<R, F>(open: F) -> io::Result<Box<dyn Read + Send>>
where
    R: Read + Send + 'static,
    F: FnOnce() -> io::Result<R> + Send + 'static,
{
    let (sender, receiver) = sync_channel(1);
    let refused = spawn_with(open, move |open| match open() {
        Ok(source) => send_chunks(source, &sender),
        Err(error) => drop(sender.send(Err(error))),
    });
    match refused {
        None => Ok(Box::new(Chunks { receiver, chunk: Cursor::default() })),
        Some(open) => Ok(Box::new(open()?)),
    }
}

/// Gives a value to a new thread, which works on it. Returns the value if the system refuses the thread.
pub fn spawn_with<T: Send + 'static>(value: T, work: impl FnOnce(T) + Send + 'static) -> Option<T> {
    // The value is sent after the thread has started: if the system refuses the thread, the closure is dropped with all that it captured.
    let (sender, receiver) = channel();
    match thread::Builder::new().spawn(move || receiver.recv().map(work)) {
        Ok(_) => sender.send(value).err().map(|error| error.0),
        Err(_) => Some(value),
    }
}

/// Sends the bytes of `source` in chunks, up to an empty chunk or an error.
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

impl Read for Chunks {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.chunk.read(out)?;
            if length > 0 || out.is_empty() {
                return Ok(length);
            }
            match self.receiver.recv_timeout(TICK) {
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) if !must_stop_reading() => continue,
                // The reading must stop, or the other thread has ended.
                Err(_) => return Ok(0),
            }
        }
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
    /// Decoded bytes; the position is the number of bytes that were returned.
    ready: Cursor<Vec<u8>>,
    /// The first byte of a UTF-16 unit whose second byte is not read yet.
    half_unit: Option<u8>,
}

impl<R: Read> Decoder<R> {
    pub fn new(source: R) -> Decoder<R> {
        Decoder { source, encoding: None, ready: Cursor::default(), half_unit: None }
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
        if encoding == Encoding::Utf8 {
            self.ready = Cursor::new(bytes.to_vec());
            return;
        }
        let mut units: Vec<u8> = self.half_unit.take().into_iter().chain(bytes.iter().copied()).collect();
        if units.len() % 2 == 1 {
            self.half_unit = units.pop();
        }
        self.ready = Cursor::new(encoding.decode(&units).into_bytes());
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None => self.detect_encoding()?,
        };
        loop {
            let length = self.ready.read(out)?;
            if length > 0 || out.is_empty() {
                return Ok(length);
            }
            if encoding == Encoding::Utf8 {
                return self.source.read(out);
            }
            let mut bytes = vec![0; CHUNK_BYTES];
            let length = self.source.read(&mut bytes)?;
            if length > 0 {
                self.decode(&bytes[..length], encoding);
            } else if self.half_unit.take().is_none() {
                return Ok(0);
            } else {
                self.ready = Cursor::new(char::REPLACEMENT_CHARACTER.to_string().into_bytes());
            }
        }
    }
}
