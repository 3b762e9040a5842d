//! One line through the grammar. In: a masked line and the rule it must follow. Out: its parse tree as [`ParseNode`]s, from which [`Build`]
//! makes syntax trees, or a diagnostic in the words of the language.

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

/// A node of the parse tree of a text that begins at a byte of the file.
#[derive(Clone)]
pub struct ParseNode<'a> {
    pair: Pair<'a, Rule>,
    offset: usize,
}

/// A part that the grammar promises and the tree lacks; only a bug leads here.
pub struct Mismatch;

/// A syntax tree, if the node has the parts that the builder expects.
pub type BuildResult<T> = Result<T, Mismatch>;

/// A syntax tree that is built from a node.
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
        // A rule that ends in optional parts includes the blanks before them.
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

    /// Lists the children that a rule has made.
    pub fn all(&self, rule: Rule) -> impl Iterator<Item = ParseNode<'a>> {
        self.children().filter(move |node| node.rule() == rule)
    }

    pub fn has(&self, rule: Rule) -> bool {
        self.all(rule).next().is_some()
    }

    /// Returns the place of a word that may be absent.
    pub fn place(&self, rule: Rule) -> Option<Span> {
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
            inner.map(|pair| ParseNode { pair, offset: line.span.start }).ok_or_else(|| unread(line))
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
