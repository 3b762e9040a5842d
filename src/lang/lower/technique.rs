//! Lowers techniques, with one variant for each case, and link sources; checks patterns.

use super::checks::{check_header, check_member_count, unused_params};
use super::example::param;
use super::expand::{ExpandedLines, at_visible_spans, expand, forbidden_in_pattern, visible_span};
use super::names::{Lowering, MentionPlace};
use super::statement::TextUse;
use super::views::refuse_uniqueness;
use super::{ItemScope, LowerResult};
use crate::lang::ast::{self, Binding, Span, Statement, StatementKind, Text, TextPart};
use crate::lang::codes::{NameProblem, Problem, RuleProblem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{LinkSource, StepTitle, Technique, Variant};
use std::collections::BTreeMap;

/// Maximum number of cases of a technique. Each case is checked, compiled and searched separately, and is compared with
/// all other cases.
const MAX_CASES: usize = 64;

#[derive(Clone, Copy)]
struct Case<'s> {
    line: &'s Statement,
    title: Option<&'s Text>,
    bindings: &'s [Binding],
}

/// A technique, if it has no errors, and the spans of each case without errors: spans of the statements of the body,
/// then spans of the conclusions. A line of a pattern has the span of the line that uses the pattern.
pub struct LoweredTechnique {
    pub technique: Option<Technique>,
    pub spans: Vec<Vec<Span>>,
    pub diagnostics: Vec<Diagnostic>,
}

pub fn technique(item: &ast::Technique, scope: &ItemScope) -> LoweredTechnique {
    let ExpandedLines { lines, expansions, diagnostics: expand_errors } = expand(&item.body, scope);
    let is_expanded = expand_errors.is_empty();
    let item = &ast::Technique { body: lines, ..item.clone() };
    let mut diagnostics = check_header(item);
    let cases = cases(item);
    if let Some(Some(case)) = cases.get(MAX_CASES) {
        let problem = SyntaxProblem::TooManyCases { id: item.id.name.clone(), cases: cases.len(), most: MAX_CASES };
        let diagnostics = vec![problem.at(&case.line.span)];
        return LoweredTechnique { technique: None, spans: Vec::new(), diagnostics };
    }
    let mut header = Lowering::new(&item.params);
    let is_join = item.body.iter().any(|line| matches!(line.kind, StatementKind::Join(..)));
    let title_use = if is_join { TextUse::Called } else { TextUse::Title };
    let title = item.title.as_ref().map(|title| header.template(title, title_use)).transpose();
    let views = header.views(&item.views);
    diagnostics.append(header.diagnostics.get_mut());
    let mut params_used = header.params_used;
    let (mut variants, mut spans) = (Vec::new(), Vec::new());
    for case in &cases {
        let mut lowering = Lowering::new(&item.params).with_scope(expansions.clone(), scope);
        lowering.missing_in_case = missing_in_case(&cases, *case);
        let variant = lowering.variant(item, *case);
        if let Some(variant) = &variant {
            lowering.check_views(&item.views, variant);
            let case_spans = lowering.statement_spans.drain(..).chain(lowering.conclusion_spans.drain(..));
            spans.push(case_spans.map(|span| visible_span(span, &expansions)).collect());
        }
        for (used, used_in_case) in params_used.iter_mut().zip(&lowering.params_used) {
            *used |= used_in_case;
        }
        diagnostics.append(lowering.diagnostics.get_mut());
        variants.extend(variant);
    }
    let is_readable = is_expanded && !item.broken && !item.body.iter().any(Statement::is_broken);
    if is_readable {
        diagnostics.extend(unused_params(item, &params_used));
    }
    diagnostics.extend(check_member_count(item));
    diagnostics.extend(refuse_uniqueness(item));
    let technique = match (title, views) {
        (Ok(title), Ok(views)) if is_readable => Some(Technique {
            id: item.id.name.clone(),
            doc: doc(&item.doc),
            title,
            params: item.params.iter().map(param).collect(),
            assumes_one_solution: item.uniqueness_span.is_some(),
            variants,
            views,
            examples: Vec::new(),
        }),
        _ => None,
    };
    let diagnostics = at_visible_spans(diagnostics, &expansions, expand_errors);
    LoweredTechnique { technique, spans, diagnostics }
}

/// Checks a pattern independently of the rules.
pub fn check_pattern(pattern: &ast::Pattern, scope: &ItemScope) -> Vec<Diagnostic> {
    let ExpandedLines { lines, expansions, diagnostics: expand_errors } = expand(&pattern.body, scope);
    let mut lowering = Lowering::new(&[]).with_scope(expansions, scope);
    for line in &pattern.body {
        if let Some(construct) = forbidden_in_pattern(&line.kind) {
            lowering.report(RuleProblem::NotInPattern { construct }.at(&line.span));
        }
    }
    let statements: Vec<&Statement> = lines.iter().collect();
    lowering.declare(&[], &statements, &[]);
    let mut lowered = Vec::new();
    for line in &statements {
        // Lowering reports the errors; its result is not needed.
        let _ = lowering.statement(line, &mut lowered);
    }
    at_visible_spans(lowering.diagnostics.into_inner(), &lowering.expansions, expand_errors)
}

pub fn link_source(item: &ast::StrongLink, scope: &ItemScope) -> (Option<LinkSource>, Vec<Diagnostic>) {
    let ExpandedLines { lines, expansions, diagnostics: expand_errors } = expand(&item.body, scope);
    let item = &ast::StrongLink { body: lines, ..item.clone() };
    let mut lowering = Lowering::new(&[]).with_scope(expansions, scope);
    let source = lowering.link_source(item);
    let source = if expand_errors.is_empty() { source } else { None };
    (source, at_visible_spans(lowering.diagnostics.into_inner(), &lowering.expansions, expand_errors))
}

impl Lowering<'_> {
    fn link_source(&mut self, item: &ast::StrongLink) -> Option<LinkSource> {
        let statements: Vec<&Statement> = item.body.iter().collect();
        for line in &item.body {
            if let Some(construct) = forbidden_in_link(&line.kind) {
                self.report(RuleProblem::NotInLink { construct }.at(&line.span));
            }
        }
        if item.broken {
            return None;
        }
        self.declare(&[], &statements, &[&item.left, &item.right]);
        let mut pattern = Variant::default();
        let mut is_valid = true;
        for line in &statements {
            is_valid &= self.statement(line, &mut pattern.body).is_ok() && !line.is_broken();
            is_valid &= self.append_conclusions(line, &mut pattern).is_ok();
        }
        self.check_size(&pattern, &item.id.span);
        pattern.guardians = std::mem::take(&mut self.guardians);
        let (left, right) = (self.node(&item.left), self.node(&item.right));
        if is_valid && pattern.body.is_empty() {
            self.report(RuleProblem::LinkWithoutCondition.at(&item.id.span));
        }
        if is_valid {
            self.check_names(&bindings_of(&statements));
        }
        self.check_name_count();
        pattern.vars = self.vars();
        match (left, right) {
            (Ok(left), Ok(right)) if is_valid => {
                Some(LinkSource { id: item.id.name.clone(), doc: doc(&item.doc), left, right, pattern })
            }
            _ => None,
        }
    }

    /// Lowers a technique in one of its cases; `None` if it has errors.
    fn variant(&mut self, item: &ast::Technique, case: Option<Case>) -> Option<Variant> {
        let statements: Vec<&Statement> = item.body.iter().collect();
        let case_bindings: Vec<&Binding> = case.map_or(Vec::new(), |case| case.bindings.iter().collect());
        self.declare(&case_bindings, &statements, &[]);
        let mut variant = Variant::default();
        let mut is_valid = !item.broken;
        if let Some(title) = case.and_then(|case| case.title) {
            match self.template(title, TextUse::Title) {
                Ok(title) => variant.title = Some(title),
                Err(_) => is_valid = false,
            }
        }
        self.mention_place = MentionPlace::Pattern;
        for binding in &case_bindings {
            is_valid &= self.binding(binding, &mut variant.body).is_ok();
        }
        let case_span = case.map_or(0..0, |case| case.line.span.clone());
        self.statement_spans.resize(variant.body.len(), case_span);
        for line in &statements {
            is_valid &= self.statement(line, &mut variant.body).is_ok() && !line.is_broken();
            self.statement_spans.resize(variant.body.len(), line.span.clone());
            is_valid &= self.append_conclusions(line, &mut variant).is_ok();
            self.conclusion_spans.resize(variant.conclusions.len(), line.span.clone());
        }
        for line in &statements {
            is_valid &= self.step_line(line, &mut variant).is_ok();
        }
        variant.measures = std::mem::take(&mut self.measures);
        self.report_second_lines(&statements);
        self.check_size(&variant, &item.id.span);
        variant.guardians = std::mem::take(&mut self.guardians);
        let mut bindings = bindings_of(&statements);
        bindings.extend(case_bindings);
        if is_valid && variant.join.is_some() {
            is_valid = self.check_join_alone(&statements);
        } else if is_valid {
            self.check_conclusions(item, &variant);
            self.check_literals(&bindings);
            // The missing conclusion is reported already, so unused names are not reported as well.
            if !variant.conclusions.is_empty() {
                self.check_names(&bindings);
            }
        }
        self.check_name_count();
        variant.vars = self.vars();
        if is_valid { Some(variant) } else { None }
    }

    fn append_conclusions(&mut self, line: &Statement, variant: &mut Variant) -> LowerResult<()> {
        if let Some(conclusions) = self.conclusion(line) {
            variant.conclusions.extend(conclusions?);
        }
        Ok(())
    }

    /// Lowers a line that names, explains, merges or joins steps. Ignores other lines.
    fn step_line(&mut self, line: &Statement, variant: &mut Variant) -> LowerResult<()> {
        match &line.kind {
            StatementKind::Called(text, condition) => {
                let title = self.template(text, TextUse::Called);
                self.allows_measures = true;
                let when =
                    condition.as_ref().map(|(condition, clauses)| self.quantified(condition, clauses)).transpose();
                self.allows_measures = false;
                variant.step_titles.push(StepTitle { title: title?, when: when? });
            }
            StatementKind::Says(text) => variant.says = Some(self.template(text, TextUse::Sentence)?),
            StatementKind::Because(text) => variant.because = Some(self.template(text, TextUse::Sentence)?),
            StatementKind::OneStepPer(names) => variant.merge_by = self.merge_key(names)?,
            StatementKind::Join(id, args, by) => variant.join = Some(self.join_line(id, args, by)?),
            _ => {}
        }
        Ok(())
    }

    /// Reports further lines with a keyword that a rule has only once.
    fn report_second_lines(&self, statements: &[&Statement]) {
        let mut first_lines: BTreeMap<&str, &Span> = BTreeMap::new();
        for line in statements {
            let keyword = match line.kind {
                StatementKind::Says(_) => "says",
                StatementKind::Because(_) => "because",
                StatementKind::OneStepPer(_) => "one step per",
                StatementKind::Join(..) => "join",
                _ => continue,
            };
            match first_lines.get(keyword) {
                Some(first) => self.report(NameProblem::SecondLine { keyword }.at_both(&line.span, first)),
                None => {
                    first_lines.insert(keyword, &line.span);
                }
            }
        }
    }

    /// Checks that a technique with a `join` has no other lines. Returns false if the technique has another line.
    fn check_join_alone(&self, statements: &[&Statement]) -> bool {
        let (joins, others): (Vec<&Statement>, Vec<&Statement>) =
            statements.iter().partition(|line| matches!(line.kind, StatementKind::Join(..)));
        let Some(other) = others.first() else { return true };
        let join_span = joins.first().map(|line| line.span.clone());
        self.report(RuleProblem::LineBesideJoin.at_spans(&other.span, join_span));
        false
    }

    fn check_conclusions(&self, item: &ast::Technique, variant: &Variant) {
        if variant.conclusions.is_empty() {
            self.report(RuleProblem::NoConclusion { id: item.id.name.clone() }.at(&item.id.span));
        }
        match &item.title {
            Some(title) if title.parts.iter().all(TextPart::is_blank) => {
                self.report(RuleProblem::EmptyTitle.at(&title.span));
            }
            None if variant.title.is_none() && variant.step_titles.is_empty() => {
                self.report(RuleProblem::NoTitle { id: item.id.name.clone() }.at(&item.id.span));
            }
            _ => {}
        }
    }
}

/// Returns a description of a line that must not stand in a strong link; `None` for other lines.
fn forbidden_in_link(kind: &StatementKind) -> Option<&'static str> {
    Some(match kind {
        StatementKind::Binding(_)
        | StatementKind::Let(..)
        | StatementKind::Require(..)
        | StatementKind::Guardians(..)
        | StatementKind::Conclude(..)
        | StatementKind::Broken(_) => return None,
        StatementKind::Eliminate(..) => "`eliminate`",
        StatementKind::Place(..) => "`place`",
        StatementKind::FixedChain(_) | StatementKind::Chain(_) => "a chain",
        StatementKind::Loop(_) => "a loop",
        StatementKind::Cluster(_) => "a cluster",
        StatementKind::Ring(_) => "a ring",
        StatementKind::Suppose(_) => "a supposition",
        other => forbidden_in_pattern(other).unwrap_or("this line"),
    })
}

/// Returns the cases of a technique; a single `None` if it has no `case` lines.
fn cases(item: &ast::Technique) -> Vec<Option<Case<'_>>> {
    let cases = item.body.iter().filter_map(|line| match &line.kind {
        StatementKind::Case(title, bindings) => Some(Some(Case { line, title: title.as_ref(), bindings })),
        _ => None,
    });
    let cases: Vec<_> = cases.collect();
    if cases.is_empty() { vec![None] } else { cases }
}

fn bindings_of<'s>(statements: &[&'s Statement]) -> Vec<&'s Binding> {
    let bindings = statements.iter().filter_map(|line| match &line.kind {
        StatementKind::Binding(binding) => Some(binding),
        _ => None,
    });
    bindings.collect()
}

/// Returns the names that cases declare, but not this case. The value of each name is the span of this case's line.
fn missing_in_case(cases: &[Option<Case>], this_case: Option<Case>) -> BTreeMap<String, Span> {
    let Some(this_case) = this_case else { return BTreeMap::new() };
    let own_names: Vec<&str> = declared_names(this_case.bindings).collect();
    let mut names: BTreeMap<String, Span> = BTreeMap::new();
    for name in cases.iter().flatten().flat_map(|case| declared_names(case.bindings)) {
        if !own_names.contains(&name) {
            names.insert(name.to_owned(), this_case.line.span.clone());
        }
    }
    names
}

fn declared_names(bindings: &[Binding]) -> impl Iterator<Item = &str> {
    bindings.iter().flat_map(|binding| &binding.names).map(|(name, _)| name.name.as_str())
}

fn doc(lines: &[ast::DocLine]) -> Vec<String> {
    lines.iter().map(|line| line.text.clone()).collect()
}
