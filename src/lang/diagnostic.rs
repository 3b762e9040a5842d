//! Diagnostics about rule files, as data: a code, positions in the text, and messages for the author of the rule.

use super::line_ends::lone_cr_as_lf;
use serde::Serialize;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Severity {
    /// The rule works but something looks unintended.
    Warning,
    /// The rule cannot be used.
    Error,
}

/// A position in the text, with a short text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    /// Bytes of the file.
    pub span: Range<usize>,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Stable code, `E0201` or `W0301`; see `docs/errors.md`.
    pub code: &'static str,
    pub severity: Severity,
    /// The problem in one line.
    pub message: String,
    /// Positions with texts; the first is the main position.
    pub labels: Vec<Label>,
    /// Advice on how to solve the problem.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Adds `offset` to all spans. Converts positions in a text that begins at byte `offset` of a file to positions in
    /// the file.
    pub fn shifted(mut self, offset: usize) -> Self {
        for label in &mut self.labels {
            label.span = label.span.start + offset..label.span.end + offset;
        }
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    pub fn label(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Returns the first byte of the main position.
    pub fn start(&self) -> usize {
        self.labels.first().map_or(0, |label| label.span.start)
    }
}

pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// Returns the line and the column of a byte of a text, counted from 1. Columns count characters.
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let mut prefix = text.get(..byte).unwrap_or(text);
    if text[prefix.len()..].starts_with('\n') {
        // Between CR and LF, the column is the column of the CR.
        prefix = prefix.strip_suffix('\r').unwrap_or(prefix);
    }
    let prefix = lone_cr_as_lf(prefix);
    let line_start = prefix.rfind('\n').map_or(0, |newline| newline + 1);
    (prefix.matches('\n').count() + 1, prefix[line_start..].chars().count() + 1)
}
