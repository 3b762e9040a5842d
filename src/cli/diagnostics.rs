//! Diagnostics with their places. In: a file's text and its diagnostics. Out: text with the places marked; SARIF 2.1.0, which code
//! scanning reads; or the commands that make a GitHub workflow annotate a change.

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

/// Findings of a file that are drawn, at most; nobody reads more, and a drawing is slow.
const MOST: usize = 100;

/// The diagnostics of a file, one below the other.
pub fn draw(file_name: &str, source: &str, diagnostics: &[Diagnostic], color: bool, width: usize) -> String {
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false).with_context_lines(1);
    let source = &*lone_cr_as_lf(source);
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(MOST) {
        let (diagnostic, view) = clip(diagnostic, source);
        let (diagnostic, view) = with_signs(diagnostic, view);
        let report = Report::new(convert(&diagnostic, &view, width))
            .with_source_code(NamedSource::new(visible(file_name), view));
        if handler.render_report(&mut out, report.as_ref()).is_err() {
            out.push_str(&diagnostic.message);
        }
        out.push('\n');
    }
    if let Some(more) = diagnostics.len().checked_sub(MOST).filter(|more| *more > 0) {
        out.push_str(&format!("{more} more findings in {} are not shown\n", visible(file_name)));
    }
    out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned() + "\n"
}

fn convert(diagnostic: &Diagnostic, source: &str, width: usize) -> MietteDiagnostic {
    let severity = match diagnostic.severity {
        Severity::Warning => miette::Severity::Warning,
        Severity::Error => miette::Severity::Error,
    };
    let mut out = MietteDiagnostic::new(diagnostic.message.clone()).with_code(diagnostic.code).with_severity(severity);
    if let Some(help) = &diagnostic.help {
        out = out.with_help(help.clone());
    }
    let labels = diagnostic.labels.iter().enumerate().map(|(at, label)| {
        let start = label.span.start.min(source.len());
        let span = (start, label.span.end.min(source.len()).saturating_sub(start));
        let room = width.saturating_sub(BESIDE + column(source, start));
        let text = Some(if width < WIDE { broken(&label.text, room) } else { label.text.clone() });
        match at {
            0 => LabeledSpan::new_primary_with_span(text, span),
            _ => LabeledSpan::new_with_span(text, span),
        }
    });
    out.with_labels(labels.collect::<Vec<_>>())
}

/// From this width on, the text of a label is one line.
const WIDE: usize = 100;
/// Columns that a drawing needs beside the text of a label.
const BESIDE: usize = 14;
/// The least width of a label's text, wherever its place is.
const NARROWEST: usize = 24;

/// The characters before a byte in its line.
fn column(source: &str, at: usize) -> usize {
    let before = source.get(..at).unwrap_or("");
    before[before.rfind('\n').map_or(0, |end| end + 1)..].chars().count()
}

/// A text in lines of a width: the drawing breaks none of them by itself.
fn broken(text: &str, room: usize) -> String {
    let room = room.max(NARROWEST);
    let (mut out, mut used) = (String::new(), 0);
    for word in text.split(' ') {
        let wide = word.chars().count();
        let breaks = used > 0 && used + 1 + wide > room;
        out.push_str(if breaks {
            "\n"
        } else if used > 0 {
            " "
        } else {
            ""
        });
        used = if breaks { wide } else { used + usize::from(used > 0) + wide };
        out.push_str(word);
    }
    out
}

/// Lines longer than this are not shown whole.
const LONGEST: usize = 300;
/// Characters shown on each side of a marked place.
const AROUND: usize = 60;

/// The source with very long lines cut to what is near a marked place, and the places in it.
fn clip(diagnostic: &Diagnostic, source: &str) -> (Diagnostic, String) {
    let mut out = diagnostic.clone();
    if source.lines().all(|line| line.len() <= LONGEST) {
        return (out, source.to_owned());
    }
    let mut view = String::new();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let here = start..start + line.len();
        let marked: Vec<usize> =
            (0..diagnostic.labels.len()).filter(|at| here.contains(&diagnostic.labels[*at].span.start)).collect();
        let first = marked.iter().map(|at| diagnostic.labels[*at].span.start - start).min().unwrap_or(0);
        let from = if line.len() > LONGEST { floor(line, first.saturating_sub(AROUND)) } else { 0 };
        let to = if line.len() > LONGEST { floor(line, (first + AROUND * 2).min(line.len())) } else { line.len() };
        let shown = line.get(from..to).unwrap_or("").trim_end_matches('\n');
        for at in marked {
            let span = &diagnostic.labels[at].span;
            let [first, last] =
                [span.start, span.end].map(|byte| view.len() + (byte.saturating_sub(start + from)).min(shown.len()));
            out.labels[at].span = first..last;
        }
        view.push_str(shown);
        view.push_str(if line.ends_with('\n') { "\n" } else { "" });
        start = here.end;
    }
    (out, view)
}

/// Shows what is foreign in the source and in what is said about it as signs, and moves the places with it.
fn with_signs(mut diagnostic: Diagnostic, source: String) -> (Diagnostic, String) {
    let view = visible_lines(&source).into_owned();
    diagnostic.message = visible_lines(&diagnostic.message).into_owned();
    diagnostic.help = diagnostic.help.map(|help| visible_lines(&help).into_owned());
    for label in &mut diagnostic.labels {
        label.text = visible_lines(&label.text).into_owned();
        if view != source {
            let [start, end] = [label.span.start, label.span.end]
                .map(|byte| visible_lines(&source[..floor(&source, byte.min(source.len()))]).len());
            label.span = start..end;
        }
    }
    (diagnostic, view)
}

/// The beginning of the character at a byte.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A finding at a place of a file.
pub struct Annotation {
    /// Kind of finding: a code of a message, or a name such as `failed-example`.
    pub code: String,
    /// True for an error, false for a warning.
    pub is_error: bool,
    /// The file, as it was named.
    pub file: String,
    /// The place; none if it is about the whole file.
    pub region: Option<Region>,
    /// Description, and what to do about it.
    pub message: String,
    /// Other places of the file, with what is there.
    pub others: Vec<(Region, String)>,
}

/// A part of a file: lines and characters from one, the end behind the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    start: (usize, usize),
    end: (usize, usize),
}

impl Region {
    /// Converts a byte range of a text.
    pub fn new(text: &str, span: &Range<usize>) -> Region {
        Region { start: line_and_column(text, span.start), end: line_and_column(text, span.end.max(span.start)) }
    }

    /// A whole line, from one.
    pub fn line(number: usize) -> Region {
        Region { start: (number, 1), end: (number + 1, 1) }
    }

    fn sarif(self) -> Value {
        json!({ "startLine": self.start.0, "startColumn": self.start.1, "endLine": self.end.0, "endColumn": self.end.1 })
    }
}

impl Annotation {
    /// Creates an error that is about a whole file.
    pub fn of_file(code: &str, file: &str, message: String) -> Annotation {
        let (code, file) = (code.to_owned(), file.to_owned());
        Annotation { code, is_error: true, file, region: None, message, others: Vec::new() }
    }

    /// Converts a diagnostic in the text of a file.
    pub fn new(file: &str, text: &str, found: &Diagnostic) -> Annotation {
        let mut labels = found.labels.iter();
        let first = labels.next();
        let mut message = found.message.clone();
        let label = first.map(|label| &label.text).filter(|text| !text.is_empty());
        label.into_iter().chain(&found.help).for_each(|more| message += &format!("\n{more}"));
        Annotation {
            code: found.code.to_owned(),
            is_error: found.severity == Severity::Error,
            file: file.to_owned(),
            region: first.map(|label| Region::new(text, &label.span)),
            message,
            others: labels.map(|label| (Region::new(text, &label.span), label.text.clone())).collect(),
        }
    }

    /// A workflow command: `::error file=a.pinion,line=1::message`.
    fn github(&self) -> String {
        let level = if self.is_error { "error" } else { "warning" };
        let place = self.region.map_or(String::new(), |Region { start, end }| {
            // An annotation of several lines has no columns.
            let columns =
                if start.0 == end.0 { format!(",col={},endColumn={}", start.1, end.1) } else { String::new() };
            let last = if end.1 == 1 && end.0 > start.0 { end.0 - 1 } else { end.0 };
            format!(",line={},endLine={last}{columns}", start.0)
        });
        let (file, title) = (property(&self.file), property(&format!("pinion {}", self.code)));
        format!("::{level} file={file}{place},title={title}::{}\n", data(&self.message))
    }

    fn place(&self, region: Option<Region>) -> Value {
        let mut place = json!({ "artifactLocation": { "uri": uri(&self.file) } });
        if let Some(region) = region {
            place["region"] = region.sarif();
        }
        json!({ "physicalLocation": place })
    }

    fn sarif(&self, codes: &BTreeSet<&str>) -> Value {
        let mut related = Vec::new();
        for (region, text) in &self.others {
            let mut place = self.place(Some(*region));
            place["message"] = json!({ "text": text });
            related.push(place);
        }
        json!({
            "ruleId": self.code,
            "ruleIndex": codes.iter().position(|code| *code == self.code),
            "level": if self.is_error { "error" } else { "warning" },
            "message": { "text": self.message },
            "locations": [self.place(self.region)],
            "relatedLocations": related,
        })
    }
}

/// All findings of a run in a form that annotates.
pub fn written(all: &[Annotation], format: OutputFormat) -> String {
    match format {
        OutputFormat::Github => all.iter().map(Annotation::github).collect(),
        _ => format!("{:#}\n", sarif(all)),
    }
}

fn sarif(all: &[Annotation]) -> Value {
    let codes: BTreeSet<&str> = all.iter().map(|one| one.code.as_str()).collect();
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
            "results": all.iter().map(|one| one.sarif(&codes)).collect::<Vec<_>>(),
        }],
    })
}

/// Characters that the path of an address keeps, besides letters and digits.
pub const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The file as an address: as it was named, so that a relative one is found from where the run began.
fn uri(file: &str) -> String {
    let path = file.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    format!("{scheme}{}", utf8_percent_encode(path, KEPT))
}

/// Text of a workflow command, with signs for what is foreign in it: logs and terminals show it.
fn data(text: &str) -> String {
    visible_lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text of a property of one.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
