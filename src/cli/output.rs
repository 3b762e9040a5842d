//! The output stream. In: lines or values. Out: text, JSON or RON on the standard output, in the form that
//! was asked for. Values come as trait objects, so that each form is compiled once and not for every kind of value.
//!
//! Text for people shows what is foreign in it as signs ([`signs`]). Data is written as it is, and on a terminal with signs as well.

use super::annotations::{self, Annotation};
use super::args::Format;
use super::colour;
use super::interrupt;
use super::progress;
use crate::render::{Line, signs};
use anstream::{AutoStream, ColorChoice};
use erased_serde::Serialize;
use std::fmt;
use std::io::{self, IsTerminal, StdoutLock, Write};

/// The standard output.
pub struct Output {
    stream: WholeLines,
    format: Format,
    width: Option<usize>,
    colours: bool,
    is_terminal: bool,
}

impl Output {
    /// Opens it.
    pub fn new(format: Format) -> Output {
        // On a terminal of unknown width as where there is none: nothing is wrapped.
        let width = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0).max(20));
        let width = width.filter(|_| format == Format::Text);
        let is_terminal = io::stdout().is_terminal();
        let colours = colour::is_wanted(is_terminal);
        // Without colours nothing is made that had to be stripped, and data may hold anything.
        let choice = if colours { ColorChoice::Always } else { ColorChoice::AlwaysAnsi };
        let stream = AutoStream::new(io::stdout().lock(), choice);
        Output { stream: WholeLines { shown: stream, held: Vec::new() }, format, width, colours, is_terminal }
    }

    /// The columns of the terminal that people read the output on, if it is one.
    pub fn width(&self) -> Option<usize> {
        self.width
    }

    /// Returns true if text gets colours.
    pub fn has_colours(&self) -> bool {
        self.colours
    }

    /// Whether a person reads it.
    pub fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    /// Whether only findings are wanted, as annotations.
    pub fn annotates(&self) -> bool {
        self.format.annotates()
    }

    /// Writes all findings of the run as annotations.
    pub fn annotations(&mut self, all: &[Annotation]) -> io::Result<()> {
        self.stream.write_all(annotations::written(all, self.format).as_bytes())
    }

    /// Writes lines, coloured where the terminal has it, and not longer than it is wide.
    pub fn lines(&mut self, lines: &[Line]) -> io::Result<()> {
        for line in lines {
            let lines = self.width.map(|width| line.wrapped(width));
            for line in lines.as_deref().unwrap_or(std::slice::from_ref(line)) {
                writeln!(self.stream, "{}", colour::paint(line, self.colours).trim_end())?;
            }
        }
        Ok(())
    }

    /// Writes text of several lines, ended by a newline.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.ended(&signs::visible_lines(text))
    }

    /// Writes text of several lines, if there is any.
    pub fn text_if_any(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() { Ok(()) } else { self.text(text) }
    }

    /// Writes text that has styles of its own, and signs in the place of what is foreign in it.
    pub fn styled(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() { Ok(()) } else { self.ended(text) }
    }

    /// Writes data, ended by a newline: as it is, unless a terminal would obey it.
    pub fn data(&mut self, text: &str) -> io::Result<()> {
        if self.is_terminal { self.text(text) } else { self.ended(text) }
    }

    fn ended(&mut self, text: &str) -> io::Result<()> {
        self.stream.write_all(text.as_bytes())?;
        if text.ends_with(['\n', '\r']) { Ok(()) } else { self.stream.write_all(b"\n") }
    }

    /// Writes a value on a line of its own, on a terminal with what it would obey escaped, JSON or RON: a list of puzzles is read line by line. It is written as it is made,
    /// so a long one takes no more memory than a short one.
    pub fn value(&mut self, value: &dyn Serialize) -> io::Result<()> {
        match self.format {
            // These have no form for values.
            Format::Sarif | Format::Github | Format::Dot | Format::Graphml => return Ok(()),
            Format::Ron if self.is_terminal => {
                let text = ron::Options::default().to_string(value).map_err(io::Error::other)?;
                self.stream.write_all(signs::escaped_ron(&text).as_bytes())?;
            }
            Format::Json | Format::Text if self.is_terminal => {
                let text = serde_json::to_string(value)?;
                self.stream.write_all(signs::escaped_json(&text).as_bytes())?;
            }
            Format::Ron => {
                let mut text = Text { stream: &mut self.stream, error: None };
                let written = ron::Options::default().to_writer(&mut text, value);
                written.map_err(|error| text.error.unwrap_or_else(|| io::Error::other(error)))?;
            }
            Format::Json | Format::Text => serde_json::to_writer(&mut self.stream, value)?,
        }
        self.stream.write_all(b"\n")
    }

    /// Writes one value: as RON over several lines for people to read, else as [`Output::value`] does.
    pub fn document(&mut self, value: &dyn Serialize) -> io::Result<()> {
        if !self.is_text() {
            return self.value(value);
        }
        let pretty = ron::ser::PrettyConfig::new().struct_names(true).depth_limit(12);
        let text = ron::ser::to_string_pretty(value, pretty).map_err(io::Error::other)?;
        if self.is_terminal { self.ended(&signs::escaped_ron(&text)) } else { self.ended(&text) }
    }

    /// Hands on what is still held back.
    pub fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// The standard output, whole lines at a time: a signal never leaves part of one. Only a line longer than [`HELD`] is written in
/// pieces. Whatever is written ends a silence.
struct WholeLines {
    shown: AutoStream<StdoutLock<'static>>,
    held: Vec<u8>,
}

/// Bytes that are held back before whole lines of them are written.
const HELD: usize = 64 * 1024;

impl WholeLines {
    fn pass(&mut self, bytes: usize) -> io::Result<()> {
        progress::shown();
        interrupt::line_begins();
        let written = self.shown.write_all(&self.held[..bytes]);
        let is_whole = bytes > 0 && self.held[bytes - 1] == b'\n';
        self.held.drain(..bytes);
        if is_whole || written.is_err() {
            interrupt::line_ends();
        }
        written
    }
}

impl Write for WholeLines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        if self.held.len() >= HELD {
            let lines = memchr::memrchr(b'\n', &self.held).map_or(self.held.len(), |last| last + 1);
            self.pass(lines)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.held.is_empty() {
            self.pass(self.held.len())?;
        }
        interrupt::line_begins();
        let flushed = self.shown.flush();
        interrupt::line_ends();
        flushed
    }
}

/// A stream that takes text, and keeps the error that a writer of text has no word for.
struct Text<'s, W> {
    stream: &'s mut W,
    error: Option<io::Error>,
}

impl<W: Write> fmt::Write for Text<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.stream.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}
