//! The output stream. In: lines, tables, pictures, values. Out: text, JSON or RON on the standard output, in the form that was asked for.
//! Values come as trait objects, so that each form is compiled once and not for every kind of value.
//!
//! Text for people shows what is foreign in it as signs ([`signs`]). Data is written as it is, and on a terminal with signs as well.

use crate::cli::args::{Colour, OutputFormat};
use crate::cli::diagnostics::{self, Annotation};
use crate::cli::files::write;
use crate::cli::prelude::*;
use crate::cli::progress;
use crate::grid::formats::csv_field;
use crate::render::signs::{self, visible};
use crate::render::{Mark, Scene, drawing, svg};
use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, AnsiColor, Style};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};
use erased_serde::Serialize;
use std::ffi::OsStr;
use std::io::{self, IsTerminal, StderrLock, Stdout, Write, stderr};
use std::path::Path;
use std::sync::{LazyLock, OnceLock};
use std::{env, fmt};

/// The standard output.
pub struct Output {
    stream: WholeLines,
    format: OutputFormat,
    width: Option<usize>,
    colours: bool,
    is_terminal: bool,
}

impl Output {
    /// Opens the standard output.
    pub fn new(format: OutputFormat) -> Output {
        // On a terminal of unknown width as where there is none: nothing is wrapped.
        let width = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0).max(20));
        let width = width.filter(|_| format == OutputFormat::Text);
        let is_terminal = io::stdout().is_terminal();
        let colours = is_wanted(is_terminal);
        // Without colours nothing is made that had to be stripped, and data may hold anything.
        let choice = if colours { ColorChoice::Always } else { ColorChoice::AlwaysAnsi };
        let stream = AutoStream::new(io::stdout(), choice);
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

    /// Returns true if the output is text for people.
    pub fn is_text(&self) -> bool {
        self.format == OutputFormat::Text
    }

    /// Returns true if only findings are wanted, as annotations.
    pub fn annotates(&self) -> bool {
        self.format.annotates()
    }

    /// Writes all findings of the run as annotations.
    pub fn annotations(&mut self, all: &[Annotation]) -> io::Result<()> {
        self.stream.write_all(diagnostics::written(all, self.format).as_bytes())
    }

    /// Writes lines, coloured where the terminal has it, and not longer than it is wide.
    pub fn lines(&mut self, lines: &[Line]) -> io::Result<()> {
        for line in lines {
            let lines = self.width.map(|width| line.wrapped(width));
            for line in lines.as_deref().unwrap_or(std::slice::from_ref(line)) {
                writeln!(self.stream, "{}", paint(line, self.colours).trim_end())?;
            }
        }
        Ok(())
    }

    /// Writes lines for people, or the value for programs.
    pub fn answer(&mut self, value: &dyn Serialize, lines: impl FnOnce() -> Vec<Line>) -> io::Result<()> {
        if self.is_text() { self.lines(&lines()) } else { self.value(value) }
    }

    /// Writes text of several lines, ended by a newline.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.ended(&signs::visible_lines(text))
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

    /// Writes a value as JSON or RON on a line of its own, with control characters escaped on a terminal. The text is written while it is
    /// made, so a long one takes no more memory than a short one.
    pub fn value(&mut self, value: &dyn Serialize) -> io::Result<()> {
        match self.format {
            // These have no form for values.
            OutputFormat::Sarif | OutputFormat::Github | OutputFormat::Dot | OutputFormat::Graphml => return Ok(()),
            OutputFormat::Ron if self.is_terminal => {
                let text = ron::Options::default().to_string(value).map_err(io::Error::other)?;
                self.stream.write_all(signs::escaped_ron(&text).as_bytes())?;
            }
            OutputFormat::Json | OutputFormat::Text if self.is_terminal => {
                let text = serde_json::to_string(value)?;
                self.stream.write_all(signs::escaped_json(&text).as_bytes())?;
            }
            OutputFormat::Ron => {
                let mut text = TextStream { stream: &mut self.stream, error: None };
                let written = ron::Options::default().to_writer(&mut text, value);
                written.map_err(|error| text.error.unwrap_or_else(|| io::Error::other(error)))?;
            }
            OutputFormat::Json | OutputFormat::Text => serde_json::to_writer(&mut self.stream, value)?,
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

/// Creates a line that qualifies what is above it.
pub fn note(words: impl Into<String>) -> Line {
    Line::styled(Role::Failure, "Note: ").with(Role::Plain, words)
}

/// The standard output, whole lines at a time: a signal never leaves part of one. Only a line longer than [`HELD`] is written in
/// pieces. Whatever is written ends a silence.
struct WholeLines {
    shown: AutoStream<Stdout>,
    held: Vec<u8>,
}

/// Bytes that are held back before whole lines of them are written.
const HELD: usize = 64 * 1024;

impl WholeLines {
    fn pass(&mut self, bytes: usize) -> io::Result<()> {
        progress::shown();
        limits::line_begins();
        let written = self.shown.write_all(&self.held[..bytes]);
        let is_whole = bytes > 0 && self.held[bytes - 1] == b'\n';
        self.held.drain(..bytes);
        if is_whole || written.is_err() {
            limits::line_ends();
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
        limits::line_begins();
        let flushed = self.shown.flush();
        limits::line_ends();
        flushed
    }
}

/// A stream that takes text, and keeps the error that a writer of text has no word for.
struct TextStream<'s, W> {
    stream: &'s mut W,
    error: Option<io::Error>,
}

impl<W: Write> fmt::Write for TextStream<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.stream.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

/// The choice of the command line.
static ASKED: OnceLock<Colour> = OnceLock::new();

/// Keeps the choice of the command line, for all streams.
pub fn choose(colour: Colour) {
    let _ = ASKED.set(colour);
}

/// Returns true if a stream gets colours. An option decides, then `NO_COLOR`, then `CLICOLOR_FORCE` and `CLICOLOR`, of which 0 means
/// no, then whether it is a terminal that knows colours.
pub fn is_wanted(is_terminal: bool) -> bool {
    match ASKED.get().copied().unwrap_or_default() {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if is_set("NO_COLOR", |_| true) => false,
        Colour::Auto if is_set("CLICOLOR_FORCE", |value| value != "0") => true,
        Colour::Auto => {
            is_terminal && !is_set("CLICOLOR", |value| value == "0") && env::var("TERM").as_deref() != Ok("dumb")
        }
    }
}

/// Returns true if an environment variable has a value, and the value passes a test.
fn is_set(name: &str, test: impl Fn(&OsStr) -> bool) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty() && test(&value))
}

/// The error stream, for text with styles.
pub fn error_stream() -> AutoStream<StderrLock<'static>> {
    let choice = if is_wanted(stderr().is_terminal()) { ColorChoice::Always } else { ColorChoice::Never };
    AutoStream::new(stderr().lock(), choice)
}

/// Failures.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// Remarks.
pub const NOTE: Style = AnsiColor::Cyan.on_default().bold();
/// Less important.
pub const QUIET: Style = Style::new().dimmed();

/// Colours that people with red-green blindness can distinguish, bright enough on dark and dark enough on light; if a
/// terminal has only its own sixteen, the nearest of them.
fn mark(mark: Mark) -> Style {
    let (many, few) = match mark {
        Mark::Eliminated => (166, AnsiColor::Red),
        Mark::Placed => (36, AnsiColor::Green),
        Mark::On | Mark::OneOf => (32, AnsiColor::Blue),
        Mark::Off => (136, AnsiColor::Yellow),
        Mark::Guardian => (170, AnsiColor::Magenta),
        Mark::Supposed => (37, AnsiColor::Cyan),
        Mark::Support => return Style::new().bold(),
    };
    let style = if has_many() { Ansi256Color(many).on_default() } else { few.on_default() };
    match mark {
        Mark::OneOf => style.bold().underline(),
        Mark::Off => style,
        _ => style.bold(),
    }
}

/// Returns true if the terminal has 256 colours.
fn has_many() -> bool {
    static MANY: LazyLock<bool> = LazyLock::new(|| {
        let known: [(&str, &[&str]); 2] =
            [("TERM", &["256color", "kitty", "alacritty"]), ("COLORTERM", &["truecolor", "24bit"])];
        known
            .iter()
            .any(|(name, words)| env::var(name).is_ok_and(|value| words.iter().any(|word| value.contains(word))))
    });
    *MANY
}

fn style(role: Role) -> Style {
    match role {
        Role::Plain => Style::new(),
        Role::Name => Style::new().bold(),
        Role::Elimination => mark(Mark::Eliminated),
        Role::Placement => mark(Mark::Placed),
        Role::Pattern => mark(Mark::On),
        Role::Quiet => QUIET,
        Role::Success => AnsiColor::Green.on_default().bold(),
        // Yellow cannot be read on white.
        Role::Failure => mark(Mark::Eliminated),
        Role::Mark(one) | Role::Colour(one) => mark(one),
    }
}

/// A line with the styles of its roles, or without any; what is foreign in it is shown as signs.
pub fn paint(line: &Line, colours: bool) -> String {
    if !colours {
        return visible(&line.without_colours().to_string()).into_owned();
    }
    let mut out = String::new();
    for piece in &line.pieces {
        let (style, shown) = (style(piece.role), visible(&piece.text));
        let text = shown.trim_start();
        let blanks = &shown[..shown.len() - text.len()];
        out += &format!("{blanks}{style}{text}{style:#}");
    }
    out
}

/// A table; every column but the first holds numbers.
pub struct Sheet {
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// Creates a table with these headings.
    pub fn new(head: &[&'static str]) -> Sheet {
        Sheet { head: head.to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes the table, as comma separated values or for people.
    pub fn print(&self, csv: bool, out: &mut Output) -> io::Result<()> {
        if csv {
            let heads = self.head.iter().map(|word| word.to_string()).collect();
            let lines = std::iter::once(&heads).chain(&self.rows);
            return lines.map(|cells: &Vec<String>| csv_line(cells)).try_for_each(|line| out.data(&line));
        }
        let mut table = self.table();
        if let Some(first) = table.column_mut(0) {
            // Long names are broken between their words where the terminal is narrow.
            let any_width = ColumnConstraint::LowerBoundary(Width::Fixed(1));
            first.set_padding((0, 1)).set_delimiter('_').set_constraint(any_width);
        }
        table_to(&mut table, out)
    }

    /// Writes the table for people as wide as it is, whatever the terminal.
    pub fn print_unbroken(&self, out: &mut Output) -> io::Result<()> {
        self.table().to_string().lines().try_for_each(|line| out.text(line.trim_end()))
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(self.head.clone());
        self.rows.iter().for_each(|row| {
            table.add_row(row.iter().map(|cell| visible(cell)));
        });
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        table
    }
}

/// Writes a table; on a terminal not wider than that.
pub fn table_to(table: &mut Table, out: &mut Output) -> io::Result<()> {
    if let Some(width) = out.width() {
        whole_words(table);
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.min(usize::from(u16::MAX)) as u16);
    }
    table.to_string().lines().try_for_each(|line| out.text(line.trim_end()))
}

/// Columns of words without blanks are as wide as their words: nothing is broken inside of a word.
fn whole_words(table: &mut Table) {
    let broken: Vec<bool> = (0..table.column_count())
        .map(|at| table.row_iter().filter_map(|row| row.cell_iter().nth(at)).any(|cell| cell.content().contains(' ')))
        .collect();
    for (column, broken) in table.column_iter_mut().zip(broken) {
        if !broken && column.constraint().is_none() {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
}

fn csv_line(cells: &[String]) -> String {
    let mut fields = Vec::new();
    for cell in cells {
        // Numbers and the dash of an empty cell are no formulas.
        fields.push(if cell == "-" || cell.parse::<f64>().is_ok() { cell.clone() } else { csv_field(cell) });
    }
    fields.join(",")
}

/// Destination of pictures.
#[derive(Args, Clone, Debug, Default)]
pub struct PictureArg {
    /// Draw each step in the grid
    #[arg(long)]
    pub draw: bool,
    /// Write each step as a picture into this file; further ones into FILE-2 and so on
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Draws one scene after another.
pub struct Pictures {
    draw: bool,
    svg: Option<PathBuf>,
    width: Option<usize>,
    written: usize,
}

impl Pictures {
    /// As the options say. `always`: whether a terminal shows the drawing without being asked.
    pub fn new(args: &PictureArg, always: bool, out: &Output) -> Pictures {
        let draw = args.draw || always && out.width().is_some();
        Pictures { draw, svg: args.svg.clone(), width: out.width(), written: 0 }
    }

    /// The drawing as lines, if it is wanted; the picture goes into its file.
    pub fn show(&mut self, geometry: &Geometry, scene: &Scene, caption: &[Line]) -> Result<Vec<Line>, Failure> {
        if let Some(first) = &self.svg {
            self.written += 1;
            write(&numbered(first, self.written), &svg(geometry, scene, caption))?;
        }
        Ok(if self.draw { drawing(geometry, scene, self.width) } else { Vec::new() })
    }
}

/// `step.svg`, `step-2.svg` …
fn numbered(path: &Path, number: usize) -> PathBuf {
    let Some(stem) = path.file_stem().filter(|_| number > 1) else { return path.to_path_buf() };
    let mut name = stem.to_os_string();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
