//! Parses one line by a rule of the grammar. The result is a tree of [`ParseNode`]s or a diagnostic. [`Build`] makes
//! syntax trees from the nodes.

use super::expected;
use super::layout::LogicalLine;
use crate::lang::ast::Span;
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;

#[derive(pest_derive::Parser)]
#[grammar = "../grammar/pinion.pest"]
struct Grammar;

/// A node of the parse tree of a line.
#[derive(Clone)]
pub struct ParseNode<'a> {
    pair: Pair<'a, Rule>,
    /// First byte of the line in the file.
    offset: usize,
}

/// An error that only a bug can cause: the parse tree lacks a part that the grammar requires.
pub struct Mismatch;

/// A syntax tree, or the error of a parse tree with unexpected parts.
pub type BuildResult<T> = Result<T, Mismatch>;

/// A syntax tree that can be built from a node.
pub trait Build: Sized {
    fn build(node: ParseNode) -> BuildResult<Self>;
}

impl<'a> ParseNode<'a> {
    pub fn rule(&self) -> Rule {
        self.pair.as_rule()
    }

    pub fn text(&self) -> &'a str {
        self.pair.as_str().trim()
    }

    pub fn span(&self) -> Span {
        let start = self.offset + self.pair.as_span().start();
        // If a rule ends in absent optional parts, pest includes the blanks before them.
        start..start + self.pair.as_str().trim_end().len()
    }

    pub fn children(&self) -> impl DoubleEndedIterator<Item = ParseNode<'a>> {
        let offset = self.offset;
        self.pair.clone().into_inner().map(move |pair| ParseNode { pair, offset })
    }

    pub fn first(&self) -> BuildResult<ParseNode<'a>> {
        self.children().next().ok_or(Mismatch)
    }

    pub fn last(&self) -> BuildResult<ParseNode<'a>> {
        self.children().next_back().ok_or(Mismatch)
    }

    /// Returns the children of a rule.
    pub fn all(&self, rule: Rule) -> impl Iterator<Item = ParseNode<'a>> {
        self.children().filter(move |node| node.rule() == rule)
    }

    pub fn has(&self, rule: Rule) -> bool {
        self.all(rule).next().is_some()
    }

    /// Returns the span of the first child of a rule, if there is one.
    pub fn span_of(&self, rule: Rule) -> Option<Span> {
        self.all(rule).next().map(|node| node.span())
    }

    pub fn child(&self, rule: Rule) -> BuildResult<ParseNode<'a>> {
        self.all(rule).next().ok_or(Mismatch)
    }

    /// Builds the first child of a rule.
    pub fn one<T: Build>(&self, rule: Rule) -> BuildResult<T> {
        T::build(self.child(rule)?)
    }

    /// Builds the first child of a rule, if there is one.
    pub fn maybe<T: Build>(&self, rule: Rule) -> BuildResult<Option<T>> {
        self.all(rule).next().map(T::build).transpose()
    }

    /// Builds the first child of a rule, and the second if there is one.
    pub fn one_or_two<T: Build>(&self, rule: Rule) -> BuildResult<(T, Option<T>)> {
        Ok((self.one(rule)?, self.all(rule).nth(1).map(T::build).transpose()?))
    }

    /// Builds every child of a rule.
    pub fn list<T: Build>(&self, rule: Rule) -> BuildResult<Vec<T>> {
        self.all(rule).map(T::build).collect()
    }
}

/// Parses a line by a `…_line` rule and returns the node inside that rule.
pub fn read<'a>(rule: Rule, masked: &'a str, source: &str, line: &LogicalLine) -> Result<ParseNode<'a>, Diagnostic> {
    let text = masked.get(line.span.clone()).unwrap_or("");
    read_text(rule, text, source, line)
}

/// Parses a text that begins at the start of the line's span.
pub fn read_text<'a>(rule: Rule, text: &'a str, source: &str, line: &LogicalLine) -> Result<ParseNode<'a>, Diagnostic> {
    match Grammar::parse(rule, text) {
        Ok(mut pairs) => {
            let inner = pairs.next().and_then(|whole| whole.into_inner().next());
            inner.map(|pair| ParseNode { pair, offset: line.span.start }).ok_or_else(|| unreadable(line))
        }
        Err(error) => {
            let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
            match error.variant {
                ErrorVariant::ParsingError { positives, .. } => {
                    Err(expected::diagnostic(source, line, line.span.start + at, &positives))
                }
                ErrorVariant::CustomError { .. } => Err(unreadable(line)),
            }
        }
    }
}

/// Returns the diagnostic for a line that the grammar accepts and a builder rejects, which only a bug can cause.
pub fn unreadable(line: &LogicalLine) -> Diagnostic {
    SyntaxProblem::Unreadable.at(&line.span)
}

/// Returns true if the grammar's rule for whole files accepts a text with masked comments and joined lines.
pub fn accepts_file(masked: &str) -> bool {
    Grammar::parse(Rule::file, masked).is_ok()
}
