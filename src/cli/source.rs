//! Reads puzzles one after the other. In: `-`, a file, or a puzzle itself. Out: puzzles and errors in order. An error does not end the
//! reading. Memory does not grow with the length of the text.

use super::files::note_input;
use super::pipe::{Decoder, open_pipe};
use crate::cli::input::{format_failure, looks_like_path, suggest_similar_file, unreadable};
use crate::cli::prelude::*;
use crate::grid::formats::{FormatError, LONGEST_LINE, Stream, read_one, text_of};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

/// Maximum number of bytes without a puzzle. Longer input is a device or an endless pipe, not a text of puzzles.
const MAX_BYTES_WITHOUT_PUZZLE: u64 = 16 * 1024 * 1024;

/// Maximum number of bytes that are skipped to find the end of a line that is too long.
const MAX_SKIPPED: usize = 256 * 1024 * 1024;

#[derive(Clone, Debug)]
pub struct ReadError {
    /// Line number from 1, or 0 if the error does not concern a line.
    pub line: usize,
    /// Code such as `P03`; `None` if the error does not concern the text of a puzzle.
    pub code: Option<&'static str>,
    pub failure: Failure,
}

impl From<Failure> for ReadError {
    fn from(failure: Failure) -> ReadError {
        ReadError { line: 0, code: None, failure }
    }
}

pub type ReadPuzzle = Result<Puzzle, ReadError>;

pub struct PuzzleSource<'b> {
    /// Name of the file; `None` if the argument is a puzzle itself.
    pub name: Option<Arc<str>>,
    /// `None` after the end of the text.
    lines: Option<Lines>,
    stream: Stream<'b>,
    queue: VecDeque<ReadPuzzle>,
    returned_count: usize,
    has_puzzle: bool,
    bytes_since_puzzle: u64,
    is_blank: bool,
    /// Remarks printed so far, because a remark is printed only once.
    printed_remarks: Vec<String>,
}

const MAX_REMARKS: usize = 20;

/// Codes of the errors in documents and web addresses, and in puzzles with constraints that Pinion does not support. An argument with
/// such an error is meant as a puzzle, even if it looks like a path.
const PUZZLE_ERRORS: [&str; 2] = ["P14", "P15"];

impl<'b> PuzzleSource<'b> {
    pub fn open(argument: &str, board: Option<&'b Arc<Geometry>>) -> Result<PuzzleSource<'b>, Failure> {
        let path = Path::new(argument);
        note_input(path);
        if argument == "-" {
            let stdin = io::stdin();
            let lines = if is_file(&stdin) {
                Lines::new(Box::new(stdin), true)
            } else {
                let pipe = open_pipe(move || Ok(stdin)).map_err(|error| unreadable("standard input", &error))?;
                Lines::new(pipe, false)
            };
            return Ok(PuzzleSource::of_lines("standard input", lines, board));
        }
        if path.is_dir() {
            return Err(Failure::input(format!("{argument} is a folder")).help("give a file of it, or a puzzle"));
        }
        if path.exists() {
            let lines = if path.is_file() {
                File::open(path).map(|file| Lines::new(Box::new(file), true))
            } else {
                let path = path.to_owned();
                open_pipe(move || File::open(path)).map(|pipe| Lines::new(pipe, false))
            };
            let lines = lines.map_err(|error| unreadable(argument, &error))?;
            return Ok(PuzzleSource::of_lines(argument, lines, board));
        }
        let mut source = PuzzleSource::empty(board);
        match read_one(argument, board) {
            Ok(puzzle) => {
                source.print_remarks(&puzzle.remarks, puzzle.line);
                source.queue.push_back(Ok(puzzle));
            }
            Err(error) if looks_like_path(argument) && !PUZZLE_ERRORS.contains(&error.code) => {
                let failure = Failure::input(format!("there is no file `{argument}`, and it is not a puzzle either"));
                return Err(suggest_similar_file(failure, path));
            }
            Err(error) => source.queue.push_back(Err(read_error(None, &error))),
        }
        Ok(source)
    }

    fn of_lines(name: &str, lines: Lines, board: Option<&'b Arc<Geometry>>) -> PuzzleSource<'b> {
        // A stream with lookahead reads further lines before it returns a puzzle. In a pipe, further lines may never come.
        let stream = if lines.never_blocks { Stream::new(board).with_lookahead() } else { Stream::new(board) };
        PuzzleSource { name: Some(name.into()), lines: Some(lines), stream, ..PuzzleSource::empty(board) }
    }

    fn empty(board: Option<&'b Arc<Geometry>>) -> PuzzleSource<'b> {
        PuzzleSource {
            name: None,
            lines: None,
            stream: Stream::new(board),
            queue: VecDeque::new(),
            returned_count: 0,
            has_puzzle: false,
            bytes_since_puzzle: 0,
            is_blank: true,
            printed_remarks: Vec::new(),
        }
    }

    /// Returns true if the next puzzle may have to wait for the writer of a pipe.
    pub fn may_block(&self) -> bool {
        self.queue.is_empty() && self.lines.as_ref().is_some_and(|lines| !lines.has_full_line())
    }

    /// Returns true if the returned puzzle is known to be the only puzzle. Reads more of a file to find out, but not of
    /// a pipe, because the next line of a pipe may never come.
    pub fn is_alone(&mut self) -> bool {
        while self.queue.is_empty() && self.lines.as_ref().is_some_and(|lines| lines.never_blocks) {
            self.read_line();
        }
        self.returned_count == 1 && self.queue.is_empty() && self.lines.is_none()
    }

    /// Reads a line, and appends the puzzles that the line completes to the queue.
    fn read_line(&mut self) {
        let Some(lines) = &mut self.lines else { return };
        let name = self.name.as_deref().unwrap_or_default();
        match lines.read() {
            Err(error) => self.stop(unreadable(name, &error).into()),
            Ok(0) => {}
            Ok(_) => {
                self.bytes_since_puzzle += lines.line.len() as u64 + 1;
                match text_of_line(&lines.line, lines.number) {
                    // A source with an unreadable line before its first puzzle is not a text.
                    Err(error) if !self.has_puzzle => self.stop(read_error(Some(name), &error)),
                    Err(error) => {
                        let error = read_error(Some(name), &error);
                        // The empty line ends the previous puzzle.
                        self.enqueue(|stream| stream.read_line(""));
                        self.queue.push_back(Err(error));
                    }
                    Ok(text) => {
                        self.is_blank &= text.trim().is_empty();
                        self.enqueue(|stream| stream.read_line(&text));
                    }
                }
            }
        }
        if self.lines.as_ref().is_some_and(|lines| lines.is_finished) {
            self.finish();
        }
        if self.bytes_since_puzzle > MAX_BYTES_WITHOUT_PUZZLE && self.lines.is_some() {
            let name = self.name.as_deref().unwrap_or_default();
            let message = format!("{name}: {MAX_BYTES_WITHOUT_PUZZLE} bytes without a puzzle, the rest is not read");
            self.stop(Failure::input(message).into());
        }
    }

    /// Appends the puzzles and errors that `read` returns to the queue, and prints the remarks of the puzzles.
    fn enqueue(&mut self, read: impl FnOnce(&mut Stream<'b>) -> Vec<Result<Puzzle, FormatError>>) {
        for result in read(&mut self.stream) {
            let result = match result {
                Ok(puzzle) => {
                    (self.has_puzzle, self.bytes_since_puzzle) = (true, 0);
                    self.print_remarks(&puzzle.remarks, puzzle.line);
                    Ok(puzzle)
                }
                Err(error) => Err(read_error(self.name.as_deref(), &error)),
            };
            self.queue.push_back(result);
        }
    }

    /// Prints the remarks about a puzzle. A remark that several puzzles share is printed only for the first puzzle.
    fn print_remarks(&mut self, remarks: &[String], line: usize) {
        for message in remarks {
            if self.printed_remarks.len() < MAX_REMARKS && !self.printed_remarks.contains(message) {
                let location = self.name.as_deref().map_or(String::new(), |name| format!("{name}:{line}: "));
                remark(&format!("{location}{message}"));
                self.printed_remarks.push(message.clone());
            }
        }
    }

    /// Ends the text: appends the last puzzle, or an error if the text had no puzzle.
    fn finish(&mut self) {
        self.lines = None;
        self.enqueue(Stream::finish);
        let line = self.stream.lines_read();
        let remarks = self.stream.take_remarks();
        self.print_remarks(&remarks, line);
        if self.queue.is_empty() && self.returned_count == 0 && limits::early_end().is_none() {
            let name = self.name.as_deref().unwrap_or_default();
            let message =
                if self.is_blank { format!("{name} is empty") } else { format!("there is no puzzle in {name}") };
            let failure =
                Failure::input(message).help("a puzzle is 81 characters on a line, `.` or `0` for an empty cell");
            self.queue.push_back(Err(failure.into()));
        }
    }

    fn stop(&mut self, error: ReadError) {
        self.lines = None;
        self.enqueue(Stream::finish);
        self.queue.push_back(Err(error));
    }
}

impl Iterator for PuzzleSource<'_> {
    type Item = ReadPuzzle;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(puzzle) = self.queue.pop_front() {
                self.returned_count += 1;
                return Some(puzzle);
            }
            self.lines.as_ref()?;
            self.read_line();
        }
    }
}

/// The lines of a text, ended by a line feed, a carriage return, or both.
struct Lines {
    reader: BufReader<Box<dyn Read + Send>>,
    /// True for a file, false for a pipe, whose writer may be slow.
    never_blocks: bool,
    /// True if the last line ended with a carriage return. A line feed that follows belongs to the same line end.
    ended_with_cr: bool,
    is_finished: bool,
    /// The last line without its end, cut to [`LONGEST_LINE`] + 1 bytes.
    line: Vec<u8>,
    number: usize,
}

impl Lines {
    fn new(source: Box<dyn Read + Send>, never_blocks: bool) -> Lines {
        let reader = BufReader::with_capacity(64 * 1024, Box::new(Decoder::new(source)) as Box<dyn Read + Send>);
        Lines { reader, never_blocks, ended_with_cr: false, is_finished: false, line: Vec::new(), number: 0 }
    }

    /// Returns true if the buffer contains a line and its line end.
    fn has_full_line(&self) -> bool {
        let bytes = self.reader.buffer();
        let rest = if self.ended_with_cr { bytes.strip_prefix(b"\n").unwrap_or(bytes) } else { bytes };
        memchr::memchr2(b'\n', b'\r', rest).is_some()
    }

    /// Reads the next line into `line`. Returns the number of bytes read, or 0 at the end of the text.
    fn read(&mut self) -> io::Result<usize> {
        self.line.clear();
        self.number += 1;
        let mut length = 0;
        loop {
            let bytes = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if bytes.is_empty() {
                self.is_finished = true;
                return Ok(length);
            }
            let skipped = usize::from(self.ended_with_cr && bytes[0] == b'\n');
            let rest = &bytes[skipped..];
            let end = memchr::memchr2(b'\n', b'\r', rest);
            let content = &rest[..end.unwrap_or(rest.len())];
            let room = (LONGEST_LINE + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(&content[..content.len().min(room)]);
            self.ended_with_cr = end.is_some_and(|end| rest[end] == b'\r');
            let used = content.len() + usize::from(end.is_some());
            length += used;
            self.reader.consume(skipped + used);
            if end.is_some() || length > MAX_SKIPPED {
                return Ok(length);
            }
        }
    }
}

/// Decodes a line. Removes the byte order mark of the first line. Replaces bytes that are not UTF-8, because old files have such bytes in
/// names and notes. Fails for a zero byte, except in another encoding such as UTF-16.
fn text_of_line(bytes: &[u8], number: usize) -> Result<String, FormatError> {
    if memchr::memchr(0, bytes).is_some() {
        return text_of(bytes).map_err(|error| FormatError { line: number, ..error });
    }
    let text = String::from_utf8_lossy(bytes);
    match text.strip_prefix('\u{feff}') {
        Some(rest) if number == 1 => Ok(rest.to_owned()),
        _ => Ok(text.into_owned()),
    }
}

fn read_error(name: Option<&str>, error: &FormatError) -> ReadError {
    ReadError { line: error.line, code: Some(error.code), failure: format_failure(name, error) }
}

#[cfg(unix)]
fn is_file(stdin: &io::Stdin) -> bool {
    use std::os::fd::AsFd;
    let file = stdin.as_fd().try_clone_to_owned().map(File::from);
    file.and_then(|file| file.metadata()).is_ok_and(|metadata| metadata.is_file())
}

/// Returns false, because std has no way to find out on other systems.
#[cfg(not(unix))]
fn is_file(_: &io::Stdin) -> bool {
    false
}
