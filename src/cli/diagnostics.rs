//! Renders diagnostics. In: the text of a file and its diagnostics. Out: text with underlined spans, SARIF 2.1.0 for code scanners, or
//! workflow commands for GitHub, which annotate a change.

use crate::cli::args::OutputFormat;
use crate::lang::diagnostic::{Diagnostic, Severity, line_and_column};
use crate::lang::explain;
use crate::lang::line_ends::lone_cr_as_lf;
use crate::render::signs::{visible, visible_lines};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource, Report};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::Range;

/// Returns the message of a diagnostic, the text of its first label, and the help, each on a line.
pub fn message_with_advice(diagnostic: &Diagnostic) -> String {
    let mut message = diagnostic.message.clone();
    if let Some(label) = diagnostic.labels.first()
        && !label.text.is_empty()
    {
        message += &format!("\n{}", label.text);
    }
    if let Some(help) = &diagnostic.help {
        message += &format!("\n{help}");
    }
    message
}

/// Maximum number of diagnostics of a file that are drawn, because drawing is slow.
const MAX_DRAWN: usize = 100;

/// Draws the diagnostics of a file, each with its source lines. `width` is in columns.
pub fn draw(file_name: &str, source: &str, diagnostics: &[Diagnostic], has_colours: bool, width: usize) -> String {
    let theme = if has_colours { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false).with_context_lines(1);
    let source = &*lone_cr_as_lf(source);
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(MAX_DRAWN) {
        let (diagnostic, excerpt) = clip(diagnostic, source);
        let (diagnostic, excerpt) = make_visible(diagnostic, excerpt);
        let report = Report::new(miette_diagnostic(&diagnostic, &excerpt, width))
            .with_source_code(NamedSource::new(visible(file_name), excerpt));
        if handler.render_report(&mut out, report.as_ref()).is_err() {
            out.push_str(&diagnostic.message);
        }
        out.push('\n');
    }
    if diagnostics.len() > MAX_DRAWN {
        let rest = diagnostics.len() - MAX_DRAWN;
        out.push_str(&format!("{rest} more findings in {} are not shown\n", visible(file_name)));
    }
    out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned() + "\n"
}

fn miette_diagnostic(diagnostic: &Diagnostic, source: &str, width: usize) -> MietteDiagnostic {
    let severity = match diagnostic.severity {
        Severity::Warning => miette::Severity::Warning,
        Severity::Error => miette::Severity::Error,
    };
    let mut out = MietteDiagnostic::new(diagnostic.message.clone()).with_code(diagnostic.code).with_severity(severity);
    if let Some(help) = &diagnostic.help {
        out = out.with_help(help.clone());
    }
    let mut labels = Vec::new();
    for label in &diagnostic.labels {
        let start = label.span.start.min(source.len());
        let span = (start, label.span.end.min(source.len()).saturating_sub(start));
        let room = width.saturating_sub(MARGIN + line_and_column(source, start).1 - 1);
        let text = Some(if width < MIN_UNWRAPPED_WIDTH { wrap(&label.text, room) } else { label.text.clone() });
        labels.push(match labels.is_empty() {
            true => LabeledSpan::new_primary_with_span(text, span),
            false => LabeledSpan::new_with_span(text, span),
        });
    }
    out.with_labels(labels)
}

/// Minimum width of the drawing in which labels are not wrapped.
const MIN_UNWRAPPED_WIDTH: usize = 100;
/// Number of columns that the drawing needs to the left of the source and beside a label.
const MARGIN: usize = 14;
/// Minimum width of a wrapped label, even if its span is far to the right.
const MIN_LABEL_WIDTH: usize = 24;

/// Wraps the text of a label, which the drawing does not do itself.
fn wrap(text: &str, width: usize) -> String {
    let width = width.max(MIN_LABEL_WIDTH);
    let mut out = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            out.push('\n');
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    out
}

/// Lines longer than this number of bytes are clipped.
const MAX_LINE: usize = 300;
/// Number of bytes of a clipped line that are shown before the first span. Twice this number is shown after the start
/// of the span.
const CONTEXT: usize = 60;

/// Clips very long lines to the text near their first span. Returns the diagnostic, with spans in the clipped source, and the clipped source.
fn clip(diagnostic: &Diagnostic, source: &str) -> (Diagnostic, String) {
    let mut clipped = diagnostic.clone();
    if source.lines().all(|line| line.len() <= MAX_LINE) {
        return (clipped, source.to_owned());
    }
    let mut excerpt = String::new();
    let mut line_start = 0;
    for line in source.split_inclusive('\n') {
        let line_range = line_start..line_start + line.len();
        let mut shown = 0..line.len();
        if line.len() > MAX_LINE {
            let starts = diagnostic.labels.iter().map(|label| label.span.start);
            let first = starts.filter(|start| line_range.contains(start)).min().map_or(0, |start| start - line_start);
            let end = (first + CONTEXT * 2).min(line.len());
            shown = char_start(line, first.saturating_sub(CONTEXT))..char_start(line, end);
        }
        let text = line[shown.clone()].trim_end_matches('\n');
        for (label, clipped_label) in diagnostic.labels.iter().zip(&mut clipped.labels) {
            if line_range.contains(&label.span.start) {
                let [start, end] = [label.span.start, label.span.end]
                    .map(|byte| excerpt.len() + byte.saturating_sub(line_start + shown.start).min(text.len()));
                clipped_label.span = start..end;
            }
        }
        excerpt.push_str(text);
        if line.ends_with('\n') {
            excerpt.push('\n');
        }
        line_start = line_range.end;
    }
    (clipped, excerpt)
}

/// Makes control characters of the source and of the texts visible. Returns the diagnostic, with spans in the new source, and the new source.
fn make_visible(mut diagnostic: Diagnostic, source: String) -> (Diagnostic, String) {
    let visible_source = visible_lines(&source).into_owned();
    diagnostic.message = visible_lines(&diagnostic.message).into_owned();
    diagnostic.help = diagnostic.help.map(|help| visible_lines(&help).into_owned());
    for label in &mut diagnostic.labels {
        label.text = visible_lines(&label.text).into_owned();
        if visible_source != source {
            let [start, end] = [label.span.start, label.span.end]
                .map(|byte| visible_lines(&source[..char_start(&source, byte.min(source.len()))]).len());
            label.span = start..end;
        }
    }
    (diagnostic, visible_source)
}

fn char_start(text: &str, mut byte: usize) -> usize {
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

/// A diagnostic of a file, for code scanners and GitHub.
pub struct Annotation {
    /// Code of the diagnostic, or a name such as `failed-example`.
    pub code: String,
    pub is_error: bool,
    /// Path of the file, as given on the command line.
    pub file: String,
    /// The region in the file; `None` if the diagnostic concerns the whole file.
    pub region: Option<Region>,
    pub message: String,
    /// Further regions of the file, each with its label.
    pub related: Vec<(Region, String)>,
}

/// A range of a file. Positions are (line, character), both from 1; the end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    start: (usize, usize),
    end: (usize, usize),
}

impl Region {
    pub fn new(text: &str, span: &Range<usize>) -> Region {
        Region { start: line_and_column(text, span.start), end: line_and_column(text, span.end.max(span.start)) }
    }

    /// Returns the region of a whole line; lines count from 1.
    pub fn line(number: usize) -> Region {
        Region { start: (number, 1), end: (number + 1, 1) }
    }

    fn sarif(self) -> Value {
        json!({ "startLine": self.start.0, "startColumn": self.start.1, "endLine": self.end.0, "endColumn": self.end.1 })
    }
}

impl Annotation {
    pub fn of_file(code: &str, file: &str, message: String) -> Annotation {
        let (code, file) = (code.to_owned(), file.to_owned());
        Annotation { code, is_error: true, file, region: None, message, related: Vec::new() }
    }

    pub fn new(file: &str, text: &str, diagnostic: &Diagnostic) -> Annotation {
        let mut labels = diagnostic.labels.iter();
        let first = labels.next();
        Annotation {
            code: diagnostic.code.to_owned(),
            is_error: diagnostic.severity == Severity::Error,
            file: file.to_owned(),
            region: first.map(|label| Region::new(text, &label.span)),
            message: message_with_advice(diagnostic),
            related: labels.map(|label| (Region::new(text, &label.span), label.text.clone())).collect(),
        }
    }

    /// Returns the workflow command: `::error file=a.pinion,line=1::message`.
    fn github(&self) -> String {
        let level = if self.is_error { "error" } else { "warning" };
        let mut location = String::new();
        if let Some(Region { start: (first_line, column), end: (end_line, end_column) }) = self.region {
            // The end is exclusive, so a region that ends at column 1 of a line includes only the lines before.
            let last_line = if end_column == 1 && end_line > first_line { end_line - 1 } else { end_line };
            location += &format!(",line={first_line},endLine={last_line}");
            // GitHub allows columns only within one line.
            if first_line == end_line {
                location += &format!(",col={column},endColumn={end_column}");
            }
        }
        let (file, title) = (property(&self.file), property(&format!("pinion {}", self.code)));
        format!("::{level} file={file}{location},title={title}::{}\n", data(&self.message))
    }

    fn sarif_location(&self, region: Option<Region>) -> Value {
        let mut location = json!({ "artifactLocation": { "uri": uri(&self.file) } });
        if let Some(region) = region {
            location["region"] = region.sarif();
        }
        json!({ "physicalLocation": location })
    }

    /// Returns the SARIF result. `codes` has the codes of all results, in the order of the SARIF rules.
    fn sarif(&self, codes: &BTreeSet<&str>) -> Value {
        let mut related = Vec::new();
        for (region, text) in &self.related {
            let mut location = self.sarif_location(Some(*region));
            location["message"] = json!({ "text": text });
            related.push(location);
        }
        json!({
            "ruleId": self.code,
            "ruleIndex": codes.iter().position(|code| *code == self.code),
            "level": if self.is_error { "error" } else { "warning" },
            "message": { "text": self.message },
            "locations": [self.sarif_location(self.region)],
            "relatedLocations": related,
        })
    }
}

/// Renders the annotations of a run as GitHub workflow commands, or as SARIF for any other format.
pub fn annotations_text(annotations: &[Annotation], format: OutputFormat) -> String {
    match format {
        OutputFormat::Github => annotations.iter().map(Annotation::github).collect(),
        _ => format!("{:#}\n", sarif(annotations)),
    }
}

fn sarif(annotations: &[Annotation]) -> Value {
    let codes: BTreeSet<&str> = annotations.iter().map(|annotation| annotation.code.as_str()).collect();
    let mut rules = Vec::new();
    for code in &codes {
        rules.push(match explain(code) {
            Some(text) => json!({ "id": code, "fullDescription": { "text": text }, "help": { "text": text } }),
            None => json!({ "id": code }),
        });
    }
    let driver = json!({
        "name": "pinion",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules,
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "results": annotations.iter().map(|annotation| annotation.sarif(&codes)).collect::<Vec<_>>(),
        }],
    })
}

/// Characters that are percent-encoded in the path of a URI.
pub const URI_ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Converts a path to a URI. A relative path stays relative to the current folder.
fn uri(file: &str) -> String {
    let path = file.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    format!("{scheme}{}", utf8_percent_encode(path, URI_ENCODED))
}

/// Escapes the message of a workflow command. Control characters become visible, because logs and terminals show the command.
fn data(text: &str) -> String {
    visible_lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
