//! Findings for tools that show them beside the text. In: findings with their places. Out: SARIF 2.1.0, which code scanning reads, or the
//! commands that make a GitHub workflow annotate a change.

use super::args::Format;
use crate::lang::diagnostic::{Diagnostic, Severity, line_and_column};
use crate::lang::explain;
use crate::render::signs::visible_lines;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use std::ops::Range;

/// A finding at a place of a file.
pub struct Annotation {
    /// What kind of finding: a code of a message, or a name such as `failed-example`.
    pub code: String,
    /// Whether it is an error; else a warning.
    pub is_error: bool,
    /// The file, as it was named.
    pub file: String,
    /// Where; nothing if it is about the whole file.
    pub region: Option<Region>,
    /// What is wrong, and what to do about it.
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
    /// Of bytes of a text.
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
    /// Of a finding in the text of a file.
    pub fn new(file: &str, text: &str, found: &Diagnostic) -> Annotation {
        let region = |span: &Range<usize>| Region::new(text, span);
        let mut labels = found.labels.iter();
        let first = labels.next();
        let mut message = found.message.clone();
        let label = first.map(|label| &label.text).filter(|text| !text.is_empty());
        label.into_iter().chain(&found.help).for_each(|more| message += &format!("\n{more}"));
        Annotation {
            code: found.code.to_owned(),
            is_error: found.severity == Severity::Error,
            file: file.to_owned(),
            region: first.map(|label| region(&label.span)),
            message,
            others: labels.map(|label| (region(&label.span), label.text.clone())).collect(),
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

    fn sarif(&self, rules: &[&str]) -> Value {
        let related = |(region, text): &(Region, String)| {
            let mut place = self.place(Some(*region));
            place["message"] = json!({ "text": text });
            place
        };
        json!({
            "ruleId": self.code,
            "ruleIndex": rules.iter().position(|code| *code == self.code),
            "level": if self.is_error { "error" } else { "warning" },
            "message": { "text": self.message },
            "locations": [self.place(self.region)],
            "relatedLocations": self.others.iter().map(related).collect::<Vec<_>>(),
        })
    }
}

/// All findings of a run in a form that annotates.
pub fn written(all: &[Annotation], format: Format) -> String {
    match format {
        Format::Github => all.iter().map(Annotation::github).collect(),
        _ => format!("{:#}\n", sarif(all)),
    }
}

fn sarif(all: &[Annotation]) -> Value {
    let mut rules: Vec<&str> = all.iter().map(|one| one.code.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let rule = |code: &&str| match explain(code) {
        Some(text) => json!({ "id": code, "fullDescription": { "text": text }, "help": { "text": text } }),
        None => json!({ "id": code }),
    };
    let driver = json!({
        "name": "pinion",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules.iter().map(rule).collect::<Vec<_>>(),
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "results": all.iter().map(|one| one.sarif(&rules)).collect::<Vec<_>>(),
        }],
    })
}

/// What the path of an address leaves as it is, besides letters and digits.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

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
