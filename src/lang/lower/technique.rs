//! Techniques and link sources. In: one item. Out: its checked form, one variant for each case.

use super::ItemScope;
use super::checks::{check_header, too_many_members, unused_params};
use super::example::param;
use super::names::Lowering;
use super::statement::TextUse;
use super::uses::{brought_back, expand, located, not_in_pattern};
use super::views::alone_in_views;
use crate::lang::ast::{self, Binding, Span, Statement, StatementKind, Text, TextPart};
use crate::lang::codes::{NameProblem, Problem, RuleProblem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{LinkSource, StepTitle, Technique, Variant};
use std::collections::BTreeMap;

/// Cases of a technique, at most: each is checked, compiled and searched on its own, and against all others.
const MOST_CASES: usize = 64;

/// A case: its title and its bindings.
type WrittenCase<'s> = (&'s Statement, Option<&'s Text>, &'s [Binding]);

pub fn technique(written: &ast::Technique, known: &ItemScope) -> (Option<Technique>, Vec<Diagnostic>) {
    let (body, expansions, unread) = expand(&written.body, known);
    let sound = unread.is_empty();
    let item = &ast::Technique { body, ..written.clone() };
    let mut found = check_header(item);
    let cases = cases(item);
    if let Some(Some((line, ..))) = cases.get(MOST_CASES) {
        let problem = SyntaxProblem::TooManyCases { id: item.id.name.clone(), cases: cases.len(), most: MOST_CASES };
        return (None, vec![problem.at(&line.span)]);
    }
    let mut header = Lowering::new(&item.params);
    let joins = item.body.iter().any(|line| matches!(line.kind, StatementKind::Join(..)));
    let purpose = if joins { TextUse::Called } else { TextUse::Title };
    let title = item.title.as_ref().map(|title| header.template(title, purpose)).transpose();
    let views = header.views(&item.views);
    found.append(&mut header.found);
    let mut params_used = header.params_used;
    let mut variants = Vec::new();
    for case in &cases {
        let mut rule = Lowering::new(&item.params).among(expansions.clone(), known);
        rule.elsewhere = elsewhere(&cases, *case);
        let variant = rule.variant(item, *case);
        if let Some(variant) = &variant {
            rule.check_views(&item.views, variant);
        }
        for (used, now) in params_used.iter_mut().zip(&rule.params_used) {
            *used |= now;
        }
        found.append(&mut rule.found);
        variants.extend(variant);
    }
    let whole = sound && !item.broken && !item.body.iter().any(Statement::is_broken);
    if whole {
        found.extend(unused_params(item, &params_used));
    }
    found.extend(too_many_members(item));
    found.extend(alone_in_views(item));
    let technique = title.ok().zip(views.ok()).filter(|_| whole).map(|(title, views)| Technique {
        id: item.id.name.clone(),
        doc: doc(&item.doc),
        title,
        params: item.params.iter().map(param).collect(),
        assumes_one_solution: item.assuming.is_some(),
        variants,
        views,
        examples: Vec::new(),
    });
    (technique, located(found, &expansions, unread))
}

/// Returns, for each case of a technique, the line that each statement of its body comes from, then that of each conclusion; for a
/// pattern's lines, the line that uses it.
pub fn places(written: &ast::Technique, known: &ItemScope) -> Vec<Vec<Span>> {
    let (body, expansions, _) = expand(&written.body, known);
    let item = &ast::Technique { body, ..written.clone() };
    let cases = cases(item);
    let mut out = Vec::new();
    for case in &cases {
        let mut rule = Lowering::new(&item.params).among(expansions.clone(), known);
        rule.elsewhere = elsewhere(&cases, *case);
        if rule.variant(item, *case).is_some() {
            let places = rule.places.into_iter().chain(rule.concluding);
            out.push(places.map(|place| brought_back(place, &expansions)).collect());
        }
    }
    out
}

/// Checks a pattern on its own; it becomes part of the rules that use it.
pub fn pattern(written: &ast::Pattern, known: &ItemScope) -> Vec<Diagnostic> {
    let (body, expansions, unread) = expand(&written.body, known);
    let mut rule = Lowering::new(&[]).among(expansions, known);
    for line in &written.body {
        let Some(word) = not_in_pattern(&line.kind) else { continue };
        rule.note(RuleProblem::NotInPattern { word }.at(&line.span));
    }
    let statements: Vec<&Statement> = body.iter().collect();
    rule.declare(&[], &statements, &[]);
    let mut lines = Vec::new();
    for line in &statements {
        // Errors are noted in the rule.
        let _ = rule.statement(line, &mut lines);
    }
    located(rule.found, &rule.expansions, unread)
}

pub fn source(written: &ast::StrongLink, known: &ItemScope) -> (Option<LinkSource>, Vec<Diagnostic>) {
    let (body, expansions, unread) = expand(&written.body, known);
    let sound = unread.is_empty();
    let item = &ast::StrongLink { body, ..written.clone() };
    let mut rule = Lowering::new(&[]).among(expansions, known);
    let link = rule.source(item).filter(|_| sound);
    (link, located(rule.found, &rule.expansions, unread))
}

impl Lowering<'_> {
    fn source(&mut self, item: &ast::StrongLink) -> Option<LinkSource> {
        let statements: Vec<&Statement> = item.body.iter().collect();
        item.body.iter().for_each(|line| self.not_in_link(line));
        if item.broken {
            return None;
        }
        let bindings = bindings_of(&statements);
        self.declare(&[], &statements, &[&item.left, &item.right]);
        let mut pattern = Variant::default();
        let mut whole = true;
        for line in &statements {
            whole &= self.statement(line, &mut pattern.body).is_ok() && !line.is_broken();
            whole &= self.concluded(line, &mut pattern);
        }
        self.check_size(&pattern, &item.id.span);
        pattern.guardians = std::mem::take(&mut self.guardians);
        let (left, right) = (self.node(&item.left), self.node(&item.right));
        if whole && pattern.body.is_empty() {
            self.note(RuleProblem::LinkWithoutCondition.at(&item.id.span));
        }
        if whole {
            self.check_names(&bindings);
        }
        self.check_count();
        pattern.vars = self.vars();
        match (left, right) {
            (Ok(left), Ok(right)) if whole => {
                Some(LinkSource { id: item.id.name.clone(), doc: doc(&item.doc), left, right, pattern })
            }
            _ => None,
        }
    }

    /// Reports a line that cannot stand in a strong link.
    fn not_in_link(&mut self, line: &Statement) {
        let word = match &line.kind {
            StatementKind::Binding(_)
            | StatementKind::Let(..)
            | StatementKind::Require(..)
            | StatementKind::Guardians(..)
            | StatementKind::Conclude(..)
            | StatementKind::Broken(_) => return,
            StatementKind::Eliminate(..) => "`eliminate`",
            StatementKind::Place(..) => "`place`",
            StatementKind::Trail(_) | StatementKind::Chain(_) => "a chain",
            StatementKind::Loop(_) => "a loop",
            StatementKind::Cluster(_) => "a cluster",
            StatementKind::Ring(_) => "a ring",
            StatementKind::Suppose(_) => "a supposition",
            other => not_in_pattern(other).unwrap_or("this line"),
        };
        self.note(RuleProblem::NotInLink { word }.at(&line.span));
    }

    fn variant(&mut self, item: &ast::Technique, case: Option<WrittenCase>) -> Option<Variant> {
        let statements: Vec<&Statement> = item.body.iter().collect();
        let of_case: Vec<&Binding> = case.map(|(_, _, bindings)| bindings.iter().collect()).unwrap_or_default();
        self.declare(&of_case, &statements, &[]);
        let mut out = Variant::default();
        let mut whole = !item.broken;
        if let Some((_, Some(title), _)) = case {
            match self.template(title, TextUse::Title) {
                Ok(title) => out.title = Some(title),
                Err(_) => whole = false,
            }
        }
        self.place = super::names::MentionPlace::Pattern;
        for binding in &of_case {
            whole &= self.binding(binding, &mut out.body).is_ok();
        }
        let line = case.map_or(0..0, |(line, ..)| line.span.clone());
        self.places.resize(out.body.len(), line);
        for line in &statements {
            whole &= self.statement(line, &mut out.body).is_ok() && !line.is_broken();
            self.places.resize(out.body.len(), line.span.clone());
            whole &= self.concluded(line, &mut out);
            self.concluding.resize(out.conclusions.len(), line.span.clone());
        }
        whole &= self.names_and_sentences(&statements, &mut out);
        whole &= self.bundling(&statements, &mut out);
        self.check_size(&out, &item.id.span);
        out.guardians = std::mem::take(&mut self.guardians);
        let mut bindings = bindings_of(&statements);
        bindings.extend(of_case);
        if whole && out.join.is_some() {
            whole = self.check_join(&statements);
        } else if whole {
            self.check_conclusions(item, &out);
            self.check_literals(&bindings);
            // Without a conclusion, names are not yet used.
            if !out.conclusions.is_empty() {
                self.check_names(&bindings);
            }
        }
        self.check_count();
        out.vars = self.vars();
        whole.then_some(out)
    }

    /// Adds the conclusions of a line, if it concludes; false if it has errors.
    fn concluded(&mut self, line: &Statement, out: &mut Variant) -> bool {
        let Some(conclusions) = self.conclusion(line) else { return true };
        let sound = conclusions.is_ok();
        out.conclusions.extend(conclusions.into_iter().flatten());
        sound
    }

    /// Lowers `one step per` and `join` lines.
    fn bundling(&mut self, statements: &[&Statement], out: &mut Variant) -> bool {
        let mut whole = true;
        let (mut per, mut join) = (None, None);
        for line in statements {
            match &line.kind {
                StatementKind::Per(names) => {
                    let names = self.merge_key(names);
                    whole &= names.is_ok();
                    out.merge_by = names.unwrap_or_default();
                    self.check_single("one step per", line, &mut per);
                }
                StatementKind::Join(id, members, by) => {
                    out.join = self.join_of(id, members, by).ok();
                    whole &= out.join.is_some();
                    self.check_single("join", line, &mut join);
                }
                _ => {}
            }
        }
        whole
    }

    /// Reports a second line of which a rule has one.
    fn check_single<'s>(&mut self, word: &str, line: &'s Statement, first: &mut Option<&'s Statement>) {
        match first {
            Some(first) => {
                self.note(NameProblem::SecondLine { word: word.to_owned() }.at_both(&line.span, &first.span));
            }
            None => *first = Some(line),
        }
    }

    /// Reports lines beside a `join`: the joined technique says everything else.
    fn check_join(&mut self, statements: &[&Statement]) -> bool {
        let (joins, others): (Vec<&Statement>, Vec<&Statement>) =
            statements.iter().partition(|line| matches!(line.kind, StatementKind::Join(..)));
        if let Some(other) = others.first() {
            self.note(RuleProblem::BesideJoin.at_places(&other.span, joins.first().map(|line| line.span.clone())));
        }
        others.is_empty()
    }

    /// Lowers `called`, `says` and `because` lines.
    fn names_and_sentences(&mut self, statements: &[&Statement], out: &mut Variant) -> bool {
        let mut whole = true;
        let (mut headline, mut reason) = (None, None);
        for line in statements {
            match &line.kind {
                StatementKind::Called(text, when) => {
                    let title = self.template(text, TextUse::Called);
                    self.naming = true;
                    let when = when.as_ref().map(|(when, each)| self.repeated(when, each)).transpose();
                    self.naming = false;
                    match (title, when) {
                        (Ok(title), Ok(when)) => out.step_titles.push(StepTitle { title, when }),
                        _ => whole = false,
                    }
                }
                StatementKind::Says(text) => {
                    self.check_single("says", line, &mut headline);
                    out.says = self.template(text, TextUse::Sentence).ok();
                    whole &= out.says.is_some();
                }
                StatementKind::Because(text) => {
                    self.check_single("because", line, &mut reason);
                    out.because = self.template(text, TextUse::Sentence).ok();
                    whole &= out.because.is_some();
                }
                _ => {}
            }
        }
        out.measures = std::mem::take(&mut self.measures);
        whole
    }

    fn check_conclusions(&mut self, item: &ast::Technique, out: &Variant) {
        let place = item.id.span.clone();
        if out.conclusions.is_empty() {
            self.note(RuleProblem::NoConclusion { id: item.id.name.clone() }.at(&place));
        }
        if let Some(title) = item.title.as_ref().filter(|title| title.parts.iter().all(TextPart::is_blank)) {
            self.note(RuleProblem::EmptyTitle.at(&title.span));
        }
        if item.title.is_none() && out.title.is_none() && out.step_titles.is_empty() {
            self.note(RuleProblem::NoTitle { id: item.id.name.clone() }.at(&place));
        }
    }
}

/// Lists the cases of a technique; without cases, it has one without a line.
fn cases(item: &ast::Technique) -> Vec<Option<WrittenCase<'_>>> {
    let cases = item.body.iter().filter_map(|line| match &line.kind {
        StatementKind::Case(title, bindings) => Some(Some((line, title.as_ref(), bindings.as_slice()))),
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

/// Returns names that only other cases bind, with the place of the case that lacks them.
fn elsewhere(cases: &[Option<WrittenCase>], this: Option<WrittenCase>) -> BTreeMap<String, Span> {
    let Some((line, _, own)) = this else { return BTreeMap::new() };
    let own: Vec<&str> = names_of(own).collect();
    let others = cases.iter().flatten().flat_map(|(_, _, bindings)| names_of(bindings));
    others.filter(|name| !own.contains(name)).map(|name| (name.to_owned(), line.span.clone())).collect()
}

fn names_of(bindings: &[Binding]) -> impl Iterator<Item = &str> {
    bindings.iter().flat_map(|binding| &binding.names).map(|(name, _)| name.name.as_str())
}

fn doc(lines: &[ast::DocLine]) -> Vec<String> {
    lines.iter().map(|line| line.text.clone()).collect()
}
