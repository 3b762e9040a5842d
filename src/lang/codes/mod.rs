//! The catalogue of diagnostics. A code such as `E0201` has an explanation and an example. A problem belongs to a code
//! and has its own message, label and advice.
//!
//! `problems!` declares an enum of problems for each family of codes. The parser, the lowering and the lints report
//! problems; only this folder contains the wording. `docs/errors.md` is generated from the explanations.

/// Declares a family of problems. An entry is `[CODE] "title and explanation" { "faulty lines" => "corrected lines" }`,
/// followed by the problems of the code: `Name { field: Type } = message, label, help + label at further positions;`.
/// Help and further label may be absent. Each text is a literal with fields in braces, or a block that computes a
/// string from the fields.
macro_rules! problems {
    (@text $text:literal) => { format!($text) };
    (@text $text:expr) => { String::from($text) };
    ($(#[$doc:meta])* $family:ident {
        $([$code:ident] $text:literal { $bad:literal => $good:literal }
            $($problem:ident $({ $($field:ident: $type:ty),+ })? =
                $message:tt, $label:tt $(, $help:tt)? $(+ $further:tt)?;)*)*
    }) => {
        $(#[$doc])*
        pub(crate) enum $family {
            $($($problem $({ $($field: $type),+ })?,)*)*
        }

        #[allow(clippy::useless_format)]
        impl super::Problem for $family {
            const CODES: &'static [super::Code] =
                &[$(super::Code { code: stringify!($code), text: $text, bad: $bad, good: $good }),*];

            fn text(self) -> super::ProblemText {
                match self {
                    $($($family::$problem $({ $($field),+ })? => super::ProblemText {
                        code: stringify!($code),
                        message: problems!(@text $message),
                        label: problems!(@text $label),
                        // Without a help text, the array is empty and `next` returns `None`.
                        help: [$(problems!(@text $help))?].into_iter().next(),
                        further_label: [$(problems!(@text $further))?].into_iter().next(),
                    },)*)*
                }
            }
        }
    };
}

mod examples;
mod kinds;
mod lint;
mod names;
mod prices;
mod rules;
mod syntax;

pub(crate) use examples::ExampleProblem;
pub(crate) use kinds::KindProblem;
pub(crate) use lint::LintProblem;
pub(crate) use names::NameProblem;
pub(crate) use prices::PriceProblem;
pub(crate) use rules::{ChainProblem, RuleProblem};
pub(crate) use syntax::SyntaxProblem;

use super::diagnostic::{Diagnostic, Label, Severity};
use std::ops::Range;

/// The explanation of a code.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Code {
    /// The code: `E0201`.
    pub code: &'static str,
    /// A title in the first line, followed by a paragraph.
    pub text: &'static str,
    /// Lines that show the problem: statements of a technique, or whole items.
    pub bad: &'static str,
    /// The lines of `bad` without the problem.
    pub good: &'static str,
}

/// The wording of a problem.
pub(crate) struct ProblemText {
    pub code: &'static str,
    /// The problem in one line.
    pub message: String,
    /// Text at the main position.
    pub label: String,
    pub help: Option<String>,
    /// Text at each further position.
    pub further_label: Option<String>,
}

/// A problem that a code of the catalogue explains.
pub(crate) trait Problem: Sized {
    /// The codes of the family, in order.
    const CODES: &'static [Code];

    fn text(self) -> ProblemText;

    /// Returns the diagnostic at `span`.
    fn at(self, span: &Range<usize>) -> Diagnostic {
        self.at_spans(span, [])
    }

    /// Returns the diagnostic at `span`, with a further label at the span `second`.
    fn at_both(self, span: &Range<usize>, second: &Range<usize>) -> Diagnostic {
        self.at_spans(span, [second.clone()])
    }

    /// Returns the diagnostic at `span`, with a further label at each span of `further`.
    fn at_spans(self, span: &Range<usize>, further: impl IntoIterator<Item = Range<usize>>) -> Diagnostic {
        let ProblemText { code, message, label, help, further_label } = self.text();
        let further_label = further_label.unwrap_or_default();
        let mut labels = vec![Label { span: span.clone(), text: label }];
        labels.extend(further.into_iter().map(|span| Label { span, text: further_label.clone() }));
        let severity = if code.starts_with('E') { Severity::Error } else { Severity::Warning };
        Diagnostic { code, severity, message, labels, help }
    }
}

/// Returns "did you mean …?" with the similar word `near`. Without a similar word, returns `otherwise`.
fn did_you_mean(near: Option<String>, otherwise: impl Into<String>) -> String {
    near.map_or_else(|| otherwise.into(), |near| format!("did you mean `{near}`?"))
}

/// Returns the maximum of a parameter in words: `4`, or `half of the board's size` for an open range.
fn maximum(high: Option<u32>) -> String {
    high.map_or("half of the board's size".to_owned(), |high| high.to_string())
}

/// Returns every code, in order.
pub fn catalogue() -> impl Iterator<Item = &'static Code> {
    let rules = [SyntaxProblem::CODES, NameProblem::CODES, KindProblem::CODES, RuleProblem::CODES, ChainProblem::CODES];
    let others = [ExampleProblem::CODES, PriceProblem::CODES, LintProblem::CODES];
    rules.into_iter().chain(others).flatten()
}

/// Returns the title and the explanation of a code.
pub fn explain(code: &str) -> Option<&'static str> {
    catalogue().find(|entry| entry.code.eq_ignore_ascii_case(code)).map(|entry| entry.text)
}
