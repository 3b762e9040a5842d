//! Parses one line by a rule of the grammar: into a tree of [`ParseNode`]s, or into a diagnostic. [`Build`] converts
//! parse trees to syntax trees.

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

#[derive(Clone)]
pub struct ParseNode<'a> {
    pair: Pair<'a, Rule>,
    /// First byte of the line in the file.
    offset: usize,
}

/// The parse tree lacks a child that the grammar requires. Only a bug can cause this error.
pub struct Mismatch;

pub type BuildResult<T> = Result<T, Mismatch>;

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
        // pest includes the blanks before optional children that are absent at the end.
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

    pub fn children_of(&self, rule: Rule) -> impl Iterator<Item = ParseNode<'a>> {
        self.children().filter(move |node| node.rule() == rule)
    }

    pub fn has(&self, rule: Rule) -> bool {
        self.child(rule).is_ok()
    }

    pub fn child(&self, rule: Rule) -> BuildResult<ParseNode<'a>> {
        self.children_of(rule).next().ok_or(Mismatch)
    }

    /// Returns the span of the first child of a rule; `None` without such a child.
    pub fn span_of(&self, rule: Rule) -> Option<Span> {
        self.child(rule).ok().map(|node| node.span())
    }

    pub fn build<T: Build>(&self, rule: Rule) -> BuildResult<T> {
        T::build(self.child(rule)?)
    }

    /// Builds the first child of a rule; `None` without such a child.
    pub fn build_optional<T: Build>(&self, rule: Rule) -> BuildResult<Option<T>> {
        self.children_of(rule).next().map(T::build).transpose()
    }

    /// Builds the first child of a rule and the second child, which may be absent.
    pub fn build_one_or_two<T: Build>(&self, rule: Rule) -> BuildResult<(T, Option<T>)> {
        Ok((self.build(rule)?, self.children_of(rule).nth(1).map(T::build).transpose()?))
    }

    pub fn build_list<T: Build>(&self, rule: Rule) -> BuildResult<Vec<T>> {
        self.children_of(rule).map(T::build).collect()
    }
}

/// Parses a line by a rule such as `let_line`, and returns the only child of that rule, such as `let_`.
pub fn read<'a>(rule: Rule, masked: &'a str, line: &LogicalLine) -> Result<ParseNode<'a>, Diagnostic> {
    let text = masked.get(line.span.clone()).unwrap_or("");
    read_text(rule, text, line)
}

/// Parses a text that begins at the first byte of a line, as [`read`] does.
pub fn read_text<'a>(rule: Rule, text: &'a str, line: &LogicalLine) -> Result<ParseNode<'a>, Diagnostic> {
    match Grammar::parse(rule, text) {
        Ok(mut pairs) => {
            let inner = pairs.next().and_then(|pair| pair.into_inner().next());
            inner.map(|pair| ParseNode { pair, offset: line.span.start }).ok_or_else(|| unreadable(line))
        }
        Err(error) => {
            let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
            match error.variant {
                ErrorVariant::ParsingError { positives, .. } => {
                    Err(expected::diagnostic(line, line.span.start + at, &positives))
                }
                ErrorVariant::CustomError { .. } => Err(unreadable(line)),
            }
        }
    }
}

/// Returns the diagnostic for a [`Mismatch`] in a line.
pub fn unreadable(line: &LogicalLine) -> Diagnostic {
    SyntaxProblem::Unreadable.at(&line.span)
}

/// Returns true if the grammar's rule for whole files accepts a text. Comments and continued newlines are masked.
pub fn accepts_file(masked: &str) -> bool {
    Grammar::parse(Rule::file, masked).is_ok()
}
