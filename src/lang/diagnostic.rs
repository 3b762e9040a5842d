//! What is wrong with a rule file, as data. In: the checks of each stage. Out: [`Diagnostic`]s that the
//! command line draws. Every one has a code, a place in the source and words for the author of the rule.

use serde::Serialize;
use std::ops::Range;

/// How bad it is.
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
    /// What is there.
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
    /// Where; the first label is the place itself.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
}
