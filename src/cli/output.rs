//! The standard output: lines, tables, pictures and values, as text, JSON or RON. Values are passed as trait objects, so that the serializers
//! are compiled only once.
//!
//! In text for people, control characters become visible symbols ([`signs`]). Data is written unchanged, except on a terminal.

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
use std::sync::{LazyLock, OnceLock};
use std::{env, fmt};

pub struct Output {
    stream: LineStream,
    format: OutputFormat,
    width: Option<usize>,
    has_colours: bool,
    is_terminal: bool,
}

impl Output {
    pub fn new(format: OutputFormat) -> Output {
        // Text is wrapped only on a terminal with a known width, of at least 20 columns.
        let size = if format == OutputFormat::Text { terminal_size::terminal_size_of(io::stdout()) } else { None };
        let width = size.map(|(width, _)| usize::from(width.0).max(20));
        let is_terminal = io::stdout().is_terminal();
        let has_colours = wants_colours(is_terminal);
        // `AlwaysAnsi` writes bytes unchanged: without colours there are no styles to strip, and data must stay as it is.
        let choice = if has_colours { ColorChoice::Always } else { ColorChoice::AlwaysAnsi };
        let stream = LineStream { stdout: AutoStream::new(io::stdout(), choice), buffer: Vec::new() };
        Output { stream, format, width, has_colours, is_terminal }
    }

    /// Returns the number of columns for text, and `None` if lines are not wrapped.
    pub fn width(&self) -> Option<usize> {
        self.width
    }

    pub fn has_colours(&self) -> bool {
        self.has_colours
    }

    pub fn is_text(&self) -> bool {
        self.format == OutputFormat::Text
    }

    pub fn is_for_diagnostics(&self) -> bool {
        self.format.is_for_diagnostics()
    }

    pub fn annotations(&mut self, annotations: &[Annotation]) -> io::Result<()> {
        self.stream.write_all(diagnostics::annotations_text(annotations, self.format).as_bytes())
    }

    /// Writes lines, with colours and wrapped to the width of the terminal.
    pub fn lines(&mut self, lines: &[Line]) -> io::Result<()> {
        for line in lines {
            let wrapped = match self.width {
                Some(width) => line.wrapped(width),
                None => vec![line.clone()],
            };
            for line in &wrapped {
                writeln!(self.stream, "{}", paint(line, self.has_colours).trim_end())?;
            }
        }
        Ok(())
    }

    /// Writes `lines` if the output is text, else `value`.
    pub fn answer(&mut self, value: &dyn Serialize, lines: impl FnOnce() -> Vec<Line>) -> io::Result<()> {
        if self.is_text() { self.lines(&lines()) } else { self.value(value) }
    }

    /// Writes text of several lines. Adds a newline if the text does not end with one.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.write_lines(&signs::visible_lines(text))
    }

    /// Writes text that contains escape sequences for colours. The caller has made other control characters visible.
    pub fn styled_text(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() { Ok(()) } else { self.write_lines(text) }
    }

    /// Writes data unchanged, except that a terminal gets no control characters. Adds a newline if the data does not end with one.
    pub fn data(&mut self, text: &str) -> io::Result<()> {
        if self.is_terminal { self.text(text) } else { self.write_lines(text) }
    }

    fn write_lines(&mut self, text: &str) -> io::Result<()> {
        self.stream.write_all(text.as_bytes())?;
        if text.ends_with(['\n', '\r']) { Ok(()) } else { self.stream.write_all(b"\n") }
    }

    /// Writes a value as JSON or RON on a line of its own. On a terminal, control characters are escaped. Elsewhere the value is written
    /// while it is serialized, so that memory does not grow with its size.
    pub fn value(&mut self, value: &dyn Serialize) -> io::Result<()> {
        match self.format {
            // These formats hold only diagnostics or graphs.
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
                if let Err(error) = ron::Options::default().to_writer(&mut text, value) {
                    return Err(text.error.unwrap_or_else(|| io::Error::other(error)));
                }
            }
            OutputFormat::Json | OutputFormat::Text => serde_json::to_writer(&mut self.stream, value)?,
        }
        self.stream.write_all(b"\n")
    }

    /// Writes a value as RON on several lines if the output is text, else like [`Output::value`].
    pub fn document(&mut self, value: &dyn Serialize) -> io::Result<()> {
        if !self.is_text() {
            return self.value(value);
        }
        let pretty = ron::ser::PrettyConfig::new().struct_names(true).depth_limit(12);
        let text = ron::ser::to_string_pretty(value, pretty).map_err(io::Error::other)?;
        if self.is_terminal { self.write_lines(&signs::escaped_ron(&text)) } else { self.write_lines(&text) }
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Creates the line `Note: …`, which qualifies the answer above.
pub fn note(text: impl Into<String>) -> Line {
    Line::styled(Role::Failure, "Note: ").with(Role::Plain, text)
}

/// The standard output, written in whole lines, so that a signal leaves no partial line. Only lines longer than [`BUFFER_BYTES`] are split.
struct LineStream {
    stdout: AutoStream<Stdout>,
    buffer: Vec<u8>,
}

/// Number of bytes that are buffered before the complete lines among them are written.
const BUFFER_BYTES: usize = 64 * 1024;

impl LineStream {
    fn write_buffered(&mut self, count: usize) -> io::Result<()> {
        progress::clear_line();
        limits::begin_line();
        let result = self.stdout.write_all(&self.buffer[..count]);
        let ends_line = count > 0 && self.buffer[count - 1] == b'\n';
        self.buffer.drain(..count);
        if ends_line || result.is_err() {
            limits::end_line();
        }
        result
    }
}

impl Write for LineStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER_BYTES {
            let end_of_lines = memchr::memrchr(b'\n', &self.buffer).map_or(self.buffer.len(), |newline| newline + 1);
            self.write_buffered(end_of_lines)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            self.write_buffered(self.buffer.len())?;
        }
        limits::begin_line();
        let result = self.stdout.flush();
        limits::end_line();
        result
    }
}

/// Adapter that writes text to a stream of bytes. It keeps the I/O error, which [`fmt::Error`] cannot carry.
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

static COLOUR_CHOICE: OnceLock<Colour> = OnceLock::new();

pub fn set_colour_choice(colour: Colour) {
    let _ = COLOUR_CHOICE.set(colour);
}

/// Returns true if a stream gets colours. The option `--color` decides first, then `NO_COLOR`, then `CLICOLOR_FORCE`. If none of them is
/// set, a terminal gets colours unless `CLICOLOR` is 0 or `TERM` is `dumb`.
pub fn wants_colours(is_terminal: bool) -> bool {
    match COLOUR_CHOICE.get().copied().unwrap_or_default() {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if is_set("NO_COLOR", |_| true) => false,
        Colour::Auto if is_set("CLICOLOR_FORCE", |value| value != "0") => true,
        Colour::Auto => {
            is_terminal && !is_set("CLICOLOR", |value| value == "0") && env::var("TERM").as_deref() != Ok("dumb")
        }
    }
}

/// Returns true if an environment variable has a value that is not empty and passes `test`.
fn is_set(name: &str, test: impl Fn(&OsStr) -> bool) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty() && test(&value))
}

/// Locks the error stream, for text with styles.
pub fn error_stream() -> AutoStream<StderrLock<'static>> {
    let choice = if wants_colours(stderr().is_terminal()) { ColorChoice::Always } else { ColorChoice::Never };
    AutoStream::new(stderr().lock(), choice)
}

pub const ERROR_STYLE: Style = AnsiColor::Red.on_default().bold();
pub const NOTE_STYLE: Style = AnsiColor::Cyan.on_default().bold();
pub const QUIET_STYLE: Style = Style::new().dimmed();

/// Returns the style of a mark. The colours are readable on dark and light backgrounds, and people with red-green
/// blindness can distinguish them. A terminal with 16 colours gets the nearest of its own colours.
fn mark_style(mark: Mark) -> Style {
    let (colour_256, colour_16) = match mark {
        Mark::Eliminated => (166, AnsiColor::Red),
        Mark::Placed => (36, AnsiColor::Green),
        Mark::On | Mark::OneOf => (32, AnsiColor::Blue),
        Mark::Off => (136, AnsiColor::Yellow),
        Mark::Guardian => (170, AnsiColor::Magenta),
        Mark::Supposed => (37, AnsiColor::Cyan),
        Mark::Support => return Style::new().bold(),
    };
    let style = if has_256_colours() { Ansi256Color(colour_256).on_default() } else { colour_16.on_default() };
    match mark {
        Mark::OneOf => style.bold().underline(),
        Mark::Off => style,
        _ => style.bold(),
    }
}

fn has_256_colours() -> bool {
    static HAS_256_COLOURS: LazyLock<bool> = LazyLock::new(|| {
        variable_contains("TERM", &["256color", "kitty", "alacritty"])
            || variable_contains("COLORTERM", &["truecolor", "24bit"])
    });
    *HAS_256_COLOURS
}

fn variable_contains(variable: &str, words: &[&str]) -> bool {
    env::var(variable).is_ok_and(|value| words.iter().any(|word| value.contains(word)))
}

fn role_style(role: Role) -> Style {
    match role {
        Role::Plain => Style::new(),
        Role::Name => Style::new().bold(),
        Role::Elimination => mark_style(Mark::Eliminated),
        Role::Placement => mark_style(Mark::Placed),
        Role::Pattern => mark_style(Mark::On),
        Role::Quiet => QUIET_STYLE,
        Role::Success => AnsiColor::Green.on_default().bold(),
        // Not yellow, which is unreadable on white.
        Role::Failure => mark_style(Mark::Eliminated),
        Role::Mark(mark) | Role::Colour(mark) => mark_style(mark),
    }
}

/// Converts a line to text, with control characters made visible. With colours, each piece has the style of its role.
pub fn paint(line: &Line, has_colours: bool) -> String {
    if !has_colours {
        return visible(&line.without_colours().to_string()).into_owned();
    }
    let mut out = String::new();
    for piece in &line.pieces {
        let style = role_style(piece.role);
        let padded = visible(&piece.text);
        let text = padded.trim_start();
        // Leading blanks get no style, because an underline would show.
        let blanks = &padded[..padded.len() - text.len()];
        out += &format!("{blanks}{style}{text}{style:#}");
    }
    out
}

/// A table whose columns hold numbers, except the first.
pub struct NumberTable {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl NumberTable {
    pub fn new(headings: &[&'static str]) -> NumberTable {
        NumberTable { headings: headings.to_vec(), rows: Vec::new() }
    }

    pub fn add_row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub fn print_csv(&self, out: &mut Output) -> io::Result<()> {
        out.data(&csv_line(&self.headings))?;
        for row in &self.rows {
            out.data(&csv_line(row))?;
        }
        Ok(())
    }

    /// Writes the table for people, at most as wide as the terminal.
    pub fn print(&self, out: &mut Output) -> io::Result<()> {
        let mut table = self.table();
        if let Some(names) = table.column_mut(0) {
            // On a narrow terminal, long names are wrapped between their words.
            let any_width = ColumnConstraint::LowerBoundary(Width::Fixed(1));
            names.set_padding((0, 1)).set_delimiter('_').set_constraint(any_width);
        }
        print_table(&mut table, out)
    }

    pub fn print_unwrapped(&self, out: &mut Output) -> io::Result<()> {
        print_lines(&self.table(), out)
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(self.headings.clone());
        for row in &self.rows {
            table.add_row(row.iter().map(|cell| visible(cell)));
        }
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        table
    }
}

/// Writes a table, at most as wide as the terminal.
pub fn print_table(table: &mut Table, out: &mut Output) -> io::Result<()> {
    if let Some(width) = out.width() {
        keep_words_whole(table);
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.min(usize::from(u16::MAX)) as u16);
    }
    print_lines(table, out)
}

/// Writes a table without wrapping.
pub fn print_lines(table: &Table, out: &mut Output) -> io::Result<()> {
    table.to_string().lines().try_for_each(|line| out.text(line.trim_end()))
}

/// Makes columns whose cells are single words as wide as these words.
fn keep_words_whole(table: &mut Table) {
    let mut has_blanks = vec![false; table.column_count()];
    for row in table.row_iter() {
        for (column, cell) in row.cell_iter().enumerate() {
            has_blanks[column] |= cell.content().contains(' ');
        }
    }
    for (column, has_blanks) in table.column_iter_mut().zip(has_blanks) {
        if !has_blanks && column.constraint().is_none() {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
}

fn csv_line<T: AsRef<str>>(cells: &[T]) -> String {
    let mut fields = Vec::new();
    for cell in cells.iter().map(AsRef::as_ref) {
        // `csv_field` protects cells that begin like a formula. `-5`, and `-` for an empty cell, need no protection.
        let is_number_or_dash = cell == "-" || cell.parse::<f64>().is_ok();
        fields.push(if is_number_or_dash { cell.to_owned() } else { csv_field(cell) });
    }
    fields.join(",")
}

/// Options for pictures of steps.
#[derive(Args, Clone, Debug, Default)]
pub struct PictureArg {
    /// Draw each step in the grid
    #[arg(long)]
    pub draw: bool,
    /// Write each step as a picture: the first into this file, the next into FILE-2 and so on
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Draws scenes as lines, as numbered SVG files, or both, as the options say.
pub struct Pictures {
    draws_lines: bool,
    svg: Option<PathBuf>,
    width: Option<usize>,
    svg_count: usize,
}

impl Pictures {
    /// Creates pictures that are drawn as lines only with `--draw`.
    pub fn on_request(args: &PictureArg, out: &Output) -> Pictures {
        Pictures { draws_lines: args.draw, svg: args.svg.clone(), width: out.width(), svg_count: 0 }
    }

    /// Creates pictures that are drawn as lines with `--draw`, and always on a terminal.
    pub fn on_terminal(args: &PictureArg, out: &Output) -> Pictures {
        let draws_lines = args.draw || out.width().is_some();
        Pictures { draws_lines, ..Pictures::on_request(args, out) }
    }

    /// Writes the scene to the next SVG file if the options name a file. Returns the drawing as lines, or no lines if
    /// none are wanted.
    pub fn draw(&mut self, geometry: &Geometry, scene: &Scene, caption: &[Line]) -> Result<Vec<Line>, CommandError> {
        if let Some(path) = &self.svg {
            self.svg_count += 1;
            write(&numbered(path, self.svg_count), &svg(geometry, scene, caption))?;
        }
        Ok(if self.draws_lines { drawing(geometry, scene, self.width) } else { Vec::new() })
    }
}

/// Returns `step.svg` for 1, `step-2.svg` for 2, and so on.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let Some(stem) = path.file_stem() else { return path.to_owned() };
    if number == 1 {
        return path.to_owned();
    }
    let mut name = stem.to_os_string();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
