//! Replaces a line such as `uses corners` by the lines of the pattern.
//!
//! The lowering identifies a declaration by its span. So the lines of each expanded pattern get spans of their own,
//! which lie beyond the bytes of any file. Diagnostics about these lines are moved back to spans that the author can
//! see.

use super::{ItemScope, Patterns};
use crate::lang::ast::{Ident, Pattern, RuleList, Span, Statement, StatementKind, shift_spans};
use crate::lang::codes::{NameProblem, Problem, RuleProblem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::ItemName;
use crate::lang::words;

/// Offset of the spans of the first expanded pattern, beyond the bytes of every file.
const FIRST_OFFSET: usize = 1 << 30;
/// Distance between the offsets of two expanded patterns. It is larger than every file.
const OFFSET_STEP: usize = 1 << 25;
/// Maximum number of expanded patterns in one rule. Patterns can use patterns, so few lines could expand to very many.
const MAX_EXPANSIONS: usize = 16;

/// A pattern that a `uses` line has inserted into a rule.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Number added to the spans of the pattern's lines.
    pub offset: usize,
    /// Bytes of the line of the rule that uses the pattern, directly or through another pattern.
    pub use_span: Span,
    id: String,
    /// True if the pattern is in the file of the rule.
    is_in_file: bool,
}

impl Expansion {
    /// Returns the span that the author sees. If the pattern is in the file of the rule, the span lies in the pattern.
    /// If the pattern is in another file, the span is the line that uses the pattern.
    fn visible_span(&self, span: &Span) -> Span {
        match self.is_in_file {
            true => span.start - self.offset..span.end.saturating_sub(self.offset),
            false => self.use_span.clone(),
        }
    }
}

/// Returns the expansion whose lines contain a span.
pub fn expansion_of<'a>(span: &Span, expansions: &'a [Expansion]) -> Option<&'a Expansion> {
    expansions.iter().rev().find(|expansion| expansion.offset <= span.start)
}

/// Returns true if a span lies in the lines of an expanded pattern.
pub fn is_from_pattern(span: &Span) -> bool {
    span.start >= FIRST_OFFSET
}

/// Returns the span that the author sees for any span in the expanded lines of a rule.
pub fn visible_span(span: Span, expansions: &[Expansion]) -> Span {
    match expansion_of(&span, expansions) {
        Some(expansion) => expansion.visible_span(&span),
        None => span,
    }
}

pub struct ExpandedLines {
    pub lines: Vec<Statement>,
    pub expansions: Vec<Expansion>,
    /// Errors about patterns that could not be expanded, at visible spans.
    pub diagnostics: Vec<Diagnostic>,
}

pub fn expand(lines: &[Statement], scope: &ItemScope) -> ExpandedLines {
    let mut expander = Expander { scope, expansions: Vec::new(), diagnostics: Vec::new() };
    let lines = expander.expand_lines(lines, None);
    let Expander { expansions, diagnostics, .. } = expander;
    let diagnostics = at_visible_spans(diagnostics, &expansions, Vec::new());
    ExpandedLines { lines, expansions, diagnostics }
}

struct Expander<'a> {
    scope: &'a ItemScope<'a>,
    expansions: Vec<Expansion>,
    diagnostics: Vec<Diagnostic>,
}

impl Expander<'_> {
    /// Expands the patterns in some lines. If these are the lines of a pattern, `outer` is the name of the pattern and
    /// the span of the line that uses the pattern.
    fn expand_lines(&mut self, lines: &[Statement], outer: Option<(&str, &Span)>) -> Vec<Statement> {
        let mut expanded = Vec::new();
        for line in lines {
            match &line.kind {
                StatementKind::Uses(id) => expanded.extend(self.expand_pattern(id, outer.unwrap_or(("", &line.span)))),
                _ => expanded.push(line.clone()),
            }
        }
        expanded
    }

    /// Returns the lines of the pattern `id`. Reports an error if the pattern cannot be used.
    fn expand_pattern(&mut self, id: &Ident, (outer, use_span): (&str, &Span)) -> Vec<Statement> {
        let Some((pattern, is_in_file)) = self.scope.pattern(&id.name) else {
            let in_file = self.scope.file.patterns().map(|pattern| &pattern.id.name);
            let near = words::nearest(&id.name, in_file.chain(self.scope.patterns.patterns.keys()));
            self.diagnostics.push(NameProblem::UnknownPattern { name: id.name.clone(), near }.at(&id.span));
            return Vec::new();
        };
        let user = ItemName::Pattern(outer);
        let used = ItemName::Pattern(&id.name);
        if self.scope.cycles.contain_both(user, used) {
            let diagnostic = RuleProblem::PatternInCircle { name: id.name.clone() }.at(&id.span);
            let cycle = self.scope.cycles.through(used).unwrap_or_default();
            self.diagnostics.push(self.scope.with_cycle(&cycle, user, diagnostic));
            return Vec::new();
        }
        if self.expansions.len() >= MAX_EXPANSIONS {
            self.diagnostics.push(SyntaxProblem::TooManyPatterns { most: MAX_EXPANSIONS }.at(&id.span));
            return Vec::new();
        }
        // Unreadable lines of a pattern in this file are reported at the pattern itself.
        if !is_in_file && (pattern.broken || pattern.body.iter().any(Statement::is_broken)) {
            self.diagnostics.push(NameProblem::BrokenPattern { name: id.name.clone() }.at(&id.span));
        }
        let offset = FIRST_OFFSET + self.expansions.len() * OFFSET_STEP;
        self.expansions.push(Expansion { offset, use_span: use_span.clone(), id: id.name.clone(), is_in_file });
        // Lines that cannot stand in a pattern are dropped. They are reported at the pattern itself.
        let mut lines = shift_spans(&pattern.body, offset);
        lines.retain(|line| forbidden_in_pattern(&line.kind).is_none());
        self.expand_lines(&lines, Some((&id.name, use_span)))
    }
}

/// Returns a description of a line that must not stand in a pattern or in a strong link, because the line concludes or
/// names steps. Returns `None` for other lines.
pub fn forbidden_in_pattern(kind: &StatementKind) -> Option<&'static str> {
    Some(match kind {
        StatementKind::Case(..) => "`case`",
        StatementKind::Called(..) => "`called`",
        StatementKind::Says(_) => "`says`",
        StatementKind::Because(_) => "`because`",
        StatementKind::OneStepPer(_) => "`one step per`",
        StatementKind::Join(..) => "`join`",
        StatementKind::Eliminate(..)
        | StatementKind::Place(..)
        | StatementKind::Conclude(..)
        | StatementKind::ConcludeLinks(..)
        | StatementKind::ConcludeLiteral(..) => "a conclusion",
        _ => return None,
    })
}

/// Codes of diagnostics about names that a missing pattern may declare.
const CODES_ABOUT_NAMES: [&str; 3] = ["E0202", "E0406", "W0201"];

/// Moves diagnostics about expanded lines to spans that the author can see, and appends `expand_errors`, the errors of
/// the expansion. After such an error, lines are missing. Diagnostics about names that these lines may declare are
/// dropped.
pub fn at_visible_spans(
    mut diagnostics: Vec<Diagnostic>,
    expansions: &[Expansion],
    expand_errors: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    if !expand_errors.is_empty() {
        diagnostics.retain(|diagnostic| !CODES_ABOUT_NAMES.contains(&diagnostic.code));
    }
    for diagnostic in &mut diagnostics {
        if let Some(label) = diagnostic.labels.first()
            && let Some(expansion) = expansion_of(&label.span, expansions)
            && !expansion.is_in_file
        {
            diagnostic.message = format!("in the pattern `{}`: {}", expansion.id, diagnostic.message);
        }
        for label in &mut diagnostic.labels {
            let Some(expansion) = expansion_of(&label.span, expansions) else { continue };
            label.span = expansion.visible_span(&label.span);
            if !expansion.is_in_file {
                label.text = format!("in its pattern: {}", label.text);
            }
        }
    }
    diagnostics.extend(expand_errors);
    diagnostics
}

impl<'a> ItemScope<'a> {
    /// Finds a pattern by its name; the bool is true if the pattern is in this file.
    fn pattern(&self, id: &str) -> Option<(&'a Pattern, bool)> {
        let in_file = self.file.patterns().find(|pattern| pattern.id.name == id);
        let loaded = || self.patterns.patterns.get(id).map(|pattern| (pattern, false));
        in_file.map(|pattern| (pattern, true)).or_else(loaded)
    }

    /// Finds a rule list by its name; the bool is true if the list is in this file.
    pub fn rule_list(&self, id: &str) -> Option<(&'a RuleList, bool)> {
        let in_file = self.file.rule_lists().find(|list| list.id.name == id);
        let loaded = || self.patterns.rule_lists.get(id).map(|list| (list, false));
        in_file.map(|list| (list, true)).or_else(loaded)
    }

    pub fn rule_list_names(&self) -> impl Iterator<Item = &'a str> {
        let in_file = self.file.rule_lists().map(|list| list.id.name.as_str());
        in_file.chain(self.patterns.rule_lists.keys().map(String::as_str))
    }
}

impl Patterns {
    /// Adds the patterns and rule lists of a file. An added item replaces an earlier item with the same name.
    pub fn add(&mut self, file: &crate::lang::ast::File) {
        self.patterns.extend(file.patterns().map(|pattern| (pattern.id.name.clone(), pattern.clone())));
        self.rule_lists.extend(file.rule_lists().map(|list| (list.id.name.clone(), list.clone())));
    }
}
