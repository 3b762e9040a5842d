//! The catalogue of diagnostics: each code with its explanation and an example, and below it the findings that carry the code,
//! each with its message, its label and its advice. In: a finding with the values that it names. Out: a [`Diagnostic`].
//!
//! A family of codes is one enum, declared by `problems!`; parser and lowering name a variant and its place, and no words.
//! `docs/errors.md` is written from the explanations.

/// Declares a family of findings. An entry is `[CODE] "title and explanation" { "lines with the fault" => "corrected lines" }`,
/// followed by its findings: `Name { field: Type } = message, label, help + label of the second place;`. Help and second
/// label may be absent. A text is a literal with fields in braces, or a block that computes a string from the fields.
macro_rules! problems {
    (@text $text:literal) => { format!($text) };
    (@text $text:expr) => { String::from($text) };
    ($(#[$doc:meta])* $family:ident {
        $([$code:ident] $text:literal { $bad:literal => $good:literal }
            $($problem:ident $({ $($field:ident: $type:ty),+ })? =
                $message:tt, $label:tt $(, $help:tt)? $(+ $second:tt)?;)*)*
    }) => {
        $(#[$doc])*
        pub(crate) enum $family {
            $($($problem $({ $($field: $type),+ })?,)*)*
        }

        #[allow(clippy::useless_format)]
        impl super::Problem for $family {
            const CODES: &'static [super::Code] =
                &[$(super::Code { code: stringify!($code), text: $text, bad: $bad, good: $good }),*];

            fn words(self) -> super::ProblemWords {
                match self {
                    $($($family::$problem $({ $($field),+ })? => super::ProblemWords {
                        code: stringify!($code),
                        message: problems!(@text $message),
                        label: problems!(@text $label),
                        help: [$(problems!(@text $help))?].into_iter().next(),
                        second: [$(problems!(@text $second))?].into_iter().next(),
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
    /// `E0201`
    pub code: &'static str,
    /// The first line is a title, the rest a paragraph.
    pub text: &'static str,
    /// Lines that have the fault: statements of a technique, or whole items.
    pub bad: &'static str,
    /// Corrected lines.
    pub good: &'static str,
}

/// The words of a finding.
pub(crate) struct ProblemWords {
    pub code: &'static str,
    /// The finding in one line.
    pub message: String,
    /// Text at the place.
    pub label: String,
    pub help: Option<String>,
    /// Text at each further place.
    pub second: Option<String>,
}

/// A finding that a code of the catalogue explains.
pub(crate) trait Problem: Sized {
    /// The codes of the family, in order.
    const CODES: &'static [Code];

    /// Returns the words of the finding.
    fn words(self) -> ProblemWords;

    /// Returns the diagnostic at a place.
    fn at(self, place: &Range<usize>) -> Diagnostic {
        self.at_places(place, [])
    }

    /// Returns the diagnostic at a place, with a label at a second one.
    fn at_both(self, place: &Range<usize>, second: &Range<usize>) -> Diagnostic {
        self.at_places(place, [second.clone()])
    }

    /// Returns the diagnostic at a place, with a label at each further one.
    fn at_places(self, place: &Range<usize>, further: impl IntoIterator<Item = Range<usize>>) -> Diagnostic {
        let ProblemWords { code, message, label, help, second } = self.words();
        let second = second.unwrap_or_default();
        let mut labels = vec![Label { span: place.clone(), text: label }];
        labels.extend(further.into_iter().map(|span| Label { span, text: second.clone() }));
        let severity = if code.starts_with('E') { Severity::Error } else { Severity::Warning };
        Diagnostic { code, severity, message, labels, help }
    }
}

/// Returns the question after a word like a known one, else another advice.
fn did_you_mean(near: Option<String>, otherwise: impl Into<String>) -> String {
    near.map_or_else(|| otherwise.into(), |near| format!("did you mean `{near}`?"))
}

/// The highest value of a parameter, in words.
fn highest(high: Option<u32>) -> String {
    high.map_or("half of the board's size".to_owned(), |high| high.to_string())
}

/// Every code, in order.
pub fn all() -> impl Iterator<Item = &'static Code> {
    let rules = [SyntaxProblem::CODES, NameProblem::CODES, KindProblem::CODES, RuleProblem::CODES, ChainProblem::CODES];
    let others = [ExampleProblem::CODES, PriceProblem::CODES, LintProblem::CODES];
    rules.into_iter().chain(others).flatten()
}

/// Returns the title and the paragraph about a code.
pub fn explain(code: &str) -> Option<&'static str> {
    all().find(|entry| entry.code.eq_ignore_ascii_case(code)).map(|entry| entry.text)
}
