//! One line through the grammar. In: a masked line and the rule it must follow. Out: its parse tree, or a
//! diagnostic in the words of the language.

use super::expected;
use super::layout::LogicalLine;
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;

#[derive(pest_derive::Parser)]
#[grammar = "../grammar/pinion.pest"]
struct Grammar;

/// A node of the parse tree.
pub type ParseNode<'a> = Pair<'a, Rule>;

/// Parses a line and returns the node inside of the rule for lines.
pub fn read<'a>(rule: Rule, masked: &'a str, source: &str, line: &LogicalLine) -> Result<ParseNode<'a>, Diagnostic> {
    let text = masked.get(line.span.clone()).unwrap_or("");
    read_text(rule, text, source, line)
}

/// Parses a text that begins at the start of the line's span.
pub fn read_text<'a>(rule: Rule, text: &'a str, source: &str, line: &LogicalLine) -> Result<ParseNode<'a>, Diagnostic> {
    match Grammar::parse(rule, text) {
        Ok(mut pairs) => {
            let inner = pairs.next().and_then(|whole| whole.into_inner().next());
            inner.ok_or_else(|| unread(line))
        }
        Err(error) => {
            let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
            match error.variant {
                ErrorVariant::ParsingError { positives, .. } => {
                    Err(expected::diagnostic(source, line, line.span.start + at, &positives))
                }
                ErrorVariant::CustomError { .. } => Err(unread(line)),
            }
        }
    }
}

/// Returns the error for a line that the grammar accepts and the builders do not; only a bug leads here.
pub fn unread(line: &LogicalLine) -> Diagnostic {
    SyntaxProblem::Unreadable.at(&line.span)
}

/// Returns true if the grammar rule for whole files accepts a text whose lines are already joined.
pub fn accepts_file(masked: &str) -> bool {
    Grammar::parse(Rule::file, masked).is_ok()
}
