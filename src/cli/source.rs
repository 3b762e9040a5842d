//! Puzzles as they are read. In: `-`, a file, or a puzzle itself. Out: one puzzle after the other, in order; what is kept does
//! not grow with the text, and what cannot be read keeps nothing else from being read.
//!
//! Below the puzzles are the bytes of files, pipes and devices, UTF-16 as UTF-8. A pipe gives no more once the run was interrupted, a limit
//! has ended it or nobody wants more, though nobody may ever write to it again.

use crate::cli::input::{format_failure, looks_like_path, unreadable, with_similar};
use crate::cli::prelude::*;
use crate::grid::formats::{Encoding, FormatError, LONGEST_LINE, Stream, read_one, text_of};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// The most bytes without a puzzle: what has more is no text of puzzles, but a device or an endless pipe.
pub const BARREN: u64 = 16 * 1024 * 1024;

/// The most bytes of a line that is too long that are skipped to find its end.
const SKIPPED: usize = 256 * 1024 * 1024;

/// A text that is no puzzle, with the reason.
#[derive(Clone, Debug)]
pub struct Unread {
    /// The line, from one; none where it is not about a line.
    pub line: usize,
    /// The reason.
    pub failure: Failure,
}

impl From<Failure> for Unread {
    fn from(failure: Failure) -> Unread {
        Unread { line: 0, failure }
    }
}

/// A puzzle, or a text that is none.
pub type ReadPuzzle = Result<Puzzle, Unread>;

/// Puzzles from one place.
pub struct PuzzleSource<'b> {
    /// Name of the file, for messages; none for the argument itself.
    pub name: Option<Arc<str>>,
    /// None once all is read.
    lines: Option<Lines>,
    stream: Stream<'b>,
    waiting: VecDeque<ReadPuzzle>,
    /// Number of puzzles and errors that were handed out.
    count: usize,
    /// True if one of them was a puzzle; bytes read since the last puzzle.
    some: bool,
    barren: u64,
    /// True if only blanks were read.
    blank: bool,
    /// Remarks that were shown: each is shown once.
    remarked: Vec<String>,
}

/// The most different remarks about one text.
const MOST_REMARKS: usize = 20;

impl<'b> PuzzleSource<'b> {
    /// Opens what an argument stands for.
    pub fn open(argument: &str, board: Option<&'b Arc<Geometry>>) -> Result<PuzzleSource<'b>, Failure> {
        let path = Path::new(argument);
        if argument == "-" {
            let stdin = io::stdin();
            let lines = match is_file(&stdin) {
                true => Lines::new(Box::new(stdin), true),
                false => {
                    let pipe = Pipe::open(move || Ok(stdin));
                    Lines::new(Box::new(pipe.map_err(|error| unreadable("standard input", &error))?), false)
                }
            };
            return Ok(PuzzleSource::new("standard input", lines, board));
        }
        if path.is_dir() {
            return Err(Failure::input(format!("{argument} is a folder")).help("give a file of it, or a puzzle"));
        }
        if path.exists() {
            let own = path.to_owned();
            let lines = match path.is_file() {
                true => File::open(path).map(|file| Lines::new(Box::new(file), true)),
                false => Pipe::open(move || File::open(own)).map(|pipe| Lines::new(Box::new(pipe), false)),
            };
            return Ok(PuzzleSource::new(argument, lines.map_err(|error| unreadable(argument, &error))?, board));
        }
        let puzzle = match read_one(argument, board) {
            Err(error) if looks_like_path(argument) && !matches!(error.code, "P14" | "P15") => {
                let failure = Failure::input(format!("there is no file `{argument}`, and it is not a puzzle either"));
                return Err(with_similar(failure, path));
            }
            puzzle => puzzle.map_err(|error| unread(None, &error)),
        };
        let mut source = PuzzleSource { waiting: VecDeque::from([puzzle]), ..PuzzleSource::nothing(board) };
        if let Some(Ok(puzzle)) = source.waiting.front().cloned() {
            source.remark_on(&puzzle.remarks, puzzle.line);
        }
        Ok(source)
    }

    fn new(name: &str, lines: Lines, board: Option<&'b Arc<Geometry>>) -> PuzzleSource<'b> {
        let nothing = PuzzleSource::nothing(board);
        let stream = if lines.at_hand { Stream::new(board).patient() } else { Stream::new(board) };
        PuzzleSource { name: Some(name.into()), lines: Some(lines), stream, ..nothing }
    }

    fn nothing(board: Option<&'b Arc<Geometry>>) -> PuzzleSource<'b> {
        let (stream, waiting) = (Stream::new(board), VecDeque::new());
        PuzzleSource {
            name: None,
            lines: None,
            stream,
            waiting,
            count: 0,
            some: false,
            barren: 0,
            blank: true,
            remarked: Vec::new(),
        }
    }

    /// Returns true if the next puzzle is not known without waiting for someone to write it.
    pub fn must_wait(&self) -> bool {
        self.waiting.is_empty() && self.lines.as_ref().is_some_and(|lines| !lines.holds_line())
    }

    /// Returns true if the puzzle that was handed out is known to be the only one. A file is read on to find out; of a pipe only what
    /// was read counts, for its next line may be long in coming.
    pub fn is_alone(&mut self) -> bool {
        while self.waiting.is_empty() && self.lines.as_ref().is_some_and(|lines| lines.at_hand) {
            self.read_on();
        }
        self.count == 1 && self.waiting.is_empty() && self.lines.is_none()
    }

    /// Reads a line and collects the puzzles that it completes.
    fn read_on(&mut self) {
        let Some(lines) = &mut self.lines else { return };
        let name = self.name.as_deref().unwrap_or_default();
        let read = lines.read();
        let found = match read {
            Err(error) => self.stop(unreadable(name, &error).into()),
            Ok(0) => Vec::new(),
            Ok(_) => {
                self.barren += lines.line.len() as u64 + 1;
                match text_of_line(&lines.line, lines.number) {
                    // A source that begins like this is no text.
                    Err(error) if !self.some => self.stop(unread(Some(name), &error)),
                    Err(error) => {
                        let mut found = self.convert(|stream| stream.line(""));
                        found.push(Err(unread(self.name.as_deref(), &error)));
                        found
                    }
                    Ok(text) => {
                        self.blank &= text.trim().is_empty();
                        self.convert(|stream| stream.line(&text))
                    }
                }
            }
        };
        self.waiting.extend(found);
        if self.lines.as_ref().is_some_and(|lines| lines.finished) {
            let found = self.end();
            self.waiting.extend(found);
        }
        if self.barren > BARREN && self.lines.is_some() {
            let words = format!("{BARREN} bytes without a puzzle, the rest is not read");
            let failure = Failure::input(format!("{}: {words}", self.name.as_deref().unwrap_or_default()));
            let found = self.stop(failure.into());
            self.waiting.extend(found);
        }
    }

    /// Converts the stream's results; lines that are no puzzle become messages.
    fn convert(&mut self, read: impl FnOnce(&mut Stream<'b>) -> Vec<Result<Puzzle, FormatError>>) -> Vec<ReadPuzzle> {
        let found = read(&mut self.stream);
        if found.iter().any(Result::is_ok) {
            (self.some, self.barren) = (true, 0);
        }
        for puzzle in found.iter().flatten() {
            self.remark_on(&puzzle.remarks, puzzle.line);
        }
        let name = self.name.as_deref();
        found.into_iter().map(|puzzle| puzzle.map_err(|error| unread(name, &error))).collect()
    }

    /// Shows what the reader of a puzzle remarks, each remark at its first puzzle.
    fn remark_on(&mut self, remarks: &[String], line: usize) {
        for words in remarks {
            if self.remarked.len() < MOST_REMARKS && !self.remarked.contains(words) {
                let place = self.name.as_deref().map_or(String::new(), |name| format!("{name}:{line}: "));
                remark(&format!("{place}{words}"));
                self.remarked.push(words.clone());
            }
        }
    }

    /// The end of the text.
    fn end(&mut self) -> Vec<ReadPuzzle> {
        self.lines = None;
        let found = self.convert(Stream::end);
        let line = self.stream.lines_read();
        let after = self.stream.remarks();
        self.remark_on(&after, line);
        if found.is_empty() && self.count == 0 && self.waiting.is_empty() && limits::why_ended().is_none() {
            return vec![Err(no_puzzle(self.name.as_deref().unwrap_or_default(), self.blank).into())];
        }
        found
    }

    /// Nothing more is read.
    fn stop(&mut self, why: Unread) -> Vec<ReadPuzzle> {
        self.lines = None;
        let mut found = self.convert(Stream::end);
        found.push(Err(why));
        found
    }
}

impl Iterator for PuzzleSource<'_> {
    type Item = ReadPuzzle;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(puzzle) = self.waiting.pop_front() {
                self.count += 1;
                return Some(puzzle);
            }
            self.lines.as_ref()?;
            self.read_on();
        }
    }
}

/// The lines of a text, ended by a line feed, a carriage return, or both.
struct Lines {
    reader: BufReader<Box<dyn Read + Send>>,
    /// True if reading never waits for a writer.
    at_hand: bool,
    /// True if a line feed belongs to the line before.
    returned: bool,
    /// True once the end was read.
    finished: bool,
    /// The last line without its end, as much of it as is looked at, and its number.
    line: Vec<u8>,
    number: usize,
}

impl Lines {
    fn new(source: Box<dyn Read + Send>, at_hand: bool) -> Lines {
        let reader = BufReader::with_capacity(64 * 1024, Box::new(Decoder::new(source)) as Box<dyn Read + Send>);
        Lines { reader, at_hand, returned: false, finished: false, line: Vec::new(), number: 0 }
    }

    /// Returns true if the end of the next line was received: more than the LF that belongs to the line before.
    fn holds_line(&self) -> bool {
        let bytes = self.reader.buffer();
        let rest = if self.returned { bytes.strip_prefix(b"\n").unwrap_or(bytes) } else { bytes };
        memchr::memchr2(b'\n', b'\r', rest).is_some()
    }

    /// Reads the next line; how many bytes it took, none at the end.
    fn read(&mut self) -> io::Result<usize> {
        self.line.clear();
        self.number += 1;
        let mut read = 0;
        loop {
            let bytes = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if bytes.is_empty() {
                self.finished = true;
                return Ok(read);
            }
            let skipped = usize::from(self.returned && bytes[0] == b'\n');
            let rest = &bytes[skipped..];
            let end = memchr::memchr2(b'\n', b'\r', rest);
            let part = &rest[..end.unwrap_or(rest.len())];
            let room = (LONGEST_LINE + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            self.returned = end.is_some_and(|end| rest[end] == b'\r');
            let used = part.len() + usize::from(end.is_some());
            read += used;
            self.reader.consume(skipped + used);
            if end.is_some() || read > SKIPPED {
                return Ok(read);
            }
        }
    }
}

/// The text of a line. The mark of byte order where a file begins is no part of it; letters of an old encoding are no
/// reason to refuse a line, for they stand in names and notes.
fn text_of_line(bytes: &[u8], number: usize) -> Result<String, FormatError> {
    if memchr::memchr(0, bytes).is_some() {
        return text_of(bytes).map_err(|error| FormatError { line: number, ..error });
    }
    let text = String::from_utf8_lossy(bytes);
    let marked = text.strip_prefix('\u{feff}').filter(|_| number == 1);
    Ok(marked.map_or_else(|| text.to_string(), str::to_string))
}

fn unread(name: Option<&str>, error: &FormatError) -> Unread {
    Unread { line: error.line, failure: format_failure(name, error) }
}

fn no_puzzle(name: &str, empty: bool) -> Failure {
    let message = if empty { format!("{name} is empty") } else { format!("there is no puzzle in {name}") };
    Failure::input(message).help("a puzzle is 81 characters on a line, `.` or `0` for an empty cell")
}

/// Returns true if the standard input is a file, so that all of it is available.
#[cfg(unix)]
fn is_file(stdin: &io::Stdin) -> bool {
    use std::os::fd::AsFd;
    let file = stdin.as_fd().try_clone_to_owned().map(File::from);
    file.and_then(|file| file.metadata()).is_ok_and(|found| found.is_file())
}

/// Returns false: the kind of the standard input is not known here.
#[cfg(not(unix))]
fn is_file(_: &io::Stdin) -> bool {
    false
}

/// Puzzles of several places, one place after the other.
pub struct Sources<'b> {
    rest: std::slice::Iter<'b, String>,
    board: Option<&'b Arc<Geometry>>,
    now: Option<PuzzleSource<'b>>,
}

impl<'b> Sources<'b> {
    /// Looks whether each place is there; what it holds is read when its turn comes.
    pub fn open(arguments: &'b [String], board: Option<&'b Arc<Geometry>>) -> Result<Sources<'b>, Failure> {
        for argument in arguments.iter().filter(|argument| argument.as_str() != "-" && !Path::new(argument).is_file()) {
            // A pipe is opened once only.
            if !Path::new(argument).exists() || Path::new(argument).is_dir() {
                PuzzleSource::open(argument, board)?;
            }
        }
        Ok(Sources { rest: arguments.iter(), board, now: None })
    }
}

impl Iterator for Sources<'_> {
    /// Name of the file, and the puzzle.
    type Item = (Arc<str>, ReadPuzzle);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(source) = &mut self.now
                && let Some(puzzle) = source.next()
            {
                return Some((source.name.clone().unwrap_or_else(|| "".into()), puzzle));
            }
            let next = self.rest.next()?;
            match PuzzleSource::open(next, self.board) {
                Ok(source) => self.now = Some(source),
                Err(failure) => {
                    self.now = None;
                    return Some((next.as_str().into(), Err(failure.into())));
                }
            }
        }
    }
}

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
    locked(open).take()
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
    limits::interrupted() || limits::must_end_run() || ABANDONED.load(Ordering::Relaxed)
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
        let encoding = Encoding::detect(&first);
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
        self.ready = encoding.decode(&whole).into_bytes();
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
