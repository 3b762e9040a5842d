//! Findings about a rule file, as data. In: the checks of each stage. Out: [`Diagnostic`]s that the
//! command line draws. Every one has a code, a place in the source and words for the author of the rule.

use super::line_ends::lone_cr_as_lf;
use serde::Serialize;
use std::ops::Range;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Severity {
    /// The rule works but something looks unintended.
    Warning,
    /// The rule cannot be used.
    Error,
}

/// A place in the source with a few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    /// Bytes of the source.
    pub span: Range<usize>,
    /// Words shown at the place.
    pub text: String,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Stable code, `E0201` or `W0301`; see `docs/errors.md`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The finding in one line.
    pub message: String,
    /// Places with words; the first is the place of the finding.
    pub labels: Vec<Label>,
    /// Advice on how to fix it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Adds `by` to all spans, for a text that begins at this byte of a file.
    pub fn shifted(mut self, by: usize) -> Self {
        for label in &mut self.labels {
            label.span = label.span.start + by..label.span.end + by;
        }
        self
    }

    /// With advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With advice, if there is some.
    pub fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Adds a label for another place.
    pub fn label(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// First byte of the finding; findings are shown in this order.
    pub fn start(&self) -> usize {
        self.labels.first().map_or(0, |label| label.span.start)
    }
}

/// Returns true if a finding is an error.
pub fn has_errors(findings: &[Diagnostic]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// The line and the column of a byte of a text, from one; columns count characters.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    // Between CR and LF the line has not ended.
    let before =
        if text[before.len()..].starts_with('\n') { before.strip_suffix('\r').unwrap_or(before) } else { before };
    let before = lone_cr_as_lf(before);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}
