//! Techniques and link sources. In: one item. Out: its checked form, one variant for each case.

use super::names::Rule;
use super::template::Use;
use crate::lang::ast::{self, Binding, Span, Statement, StatementKind, Text};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Called, LinkSource, Param, Technique, Variant};
use std::collections::BTreeMap;

/// A case: its title and its bindings.
type Case<'s> = (&'s Statement, &'s Text, &'s [Binding]);

pub fn technique(item: &ast::Technique) -> (Option<Technique>, Vec<Diagnostic>) {
    let mut found = check_header(item);
    let cases: Vec<Case> = item.body.iter().filter_map(as_case).collect();
    let mut header = Rule::new(&item.params);
    let title = item.title.as_ref().map(|title| header.template(title, Use::Title)).transpose();
    found.append(&mut header.found);
    let mut params_used = header.params_used;
    let mut variants = Vec::new();
    let all: Vec<Option<Case>> =
        if cases.is_empty() { vec![None] } else { cases.iter().map(|case| Some(*case)).collect() };
    for case in all {
        let mut rule = Rule::new(&item.params);
        rule.elsewhere = elsewhere(&cases, case);
        let variant = rule.variant(item, case);
        for (used, now) in params_used.iter_mut().zip(&rule.params_used) {
            *used |= now;
        }
        found.append(&mut rule.found);
        variants.extend(variant);
    }
    let whole = !item.broken && item.body.iter().all(|line| !matches!(line.kind, StatementKind::Broken(_)));
    if whole {
        found.extend(unused_params(item, &params_used));
    }
    let params =
        item.params.iter().map(|param| Param { name: param.name.name.clone(), low: param.low, high: param.high });
    let technique = title.ok().filter(|_| whole).map(|title| Technique {
        id: item.id.name.clone(),
        doc: doc(&item.doc),
        title,
        params: params.collect(),
        assumes_one_solution: item.assuming.is_some(),
        variants,
        views: Vec::new(),
        examples: Vec::new(),
    });
    (technique, found)
}

pub fn source(item: &ast::Source) -> (Option<LinkSource>, Vec<Diagnostic>) {
    let mut rule = Rule::new(&[]);
    let statements: Vec<&Statement> = item.body.iter().collect();
    for line in &item.body {
        let word = match &line.kind {
            StatementKind::Binding(_)
            | StatementKind::Let(..)
            | StatementKind::Require(..)
            | StatementKind::Broken(_) => continue,
            StatementKind::Trail(_) | StatementKind::Chain(_) => "a chain",
            StatementKind::Case(..) => "`case`",
            StatementKind::Called(..) => "`called`",
            StatementKind::Because(_) => "`because`",
            _ => "a conclusion",
        };
        let message = format!("{word} cannot stand in a strong link");
        let help = "its lines say when not both nodes are false: names, `let` and `require`";
        rule.note(Diagnostic::error("E0410", line.span.clone(), message, "not here").help(help));
    }
    if item.broken {
        return (None, rule.found);
    }
    let bindings = bindings_of(&statements);
    rule.declare(&[], &statements, &[&item.left, &item.right]);
    let mut pattern = Variant::default();
    let mut whole = true;
    for line in &statements {
        whole &= rule.statement(line, &mut pattern.body).is_ok() && !matches!(line.kind, StatementKind::Broken(_));
    }
    let (left, right) = (rule.node(&item.left), rule.node(&item.right));
    if whole && pattern.body.is_empty() {
        let message = "nothing says when this link holds";
        let help = "add `require` lines: not both nodes may be false where they hold";
        rule.note(Diagnostic::error("E0403", item.id.span.clone(), message, "no line in its block").help(help));
    }
    if whole {
        rule.check_names(&bindings);
    }
    pattern.vars = rule.vars();
    let link = match (left, right) {
        (Ok(left), Ok(right)) if whole => {
            Some(LinkSource { id: item.id.name.clone(), doc: doc(&item.doc), left, right, pattern })
        }
        _ => None,
    };
    (link, rule.found)
}

impl Rule<'_> {
    fn variant(&mut self, item: &ast::Technique, case: Option<Case>) -> Option<Variant> {
        let statements: Vec<&Statement> = item.body.iter().collect();
        let of_case: Vec<&Binding> = case.map(|(_, _, bindings)| bindings.iter().collect()).unwrap_or_default();
        self.declare(&of_case, &statements, &[]);
        let mut out = Variant::default();
        let mut whole = !item.broken;
        if let Some((_, title, _)) = case {
            match self.template(title, Use::Title) {
                Ok(title) => out.title = Some(title),
                Err(_) => whole = false,
            }
        }
        self.place = super::names::Place::Pattern;
        for binding in &of_case {
            whole &= self.binding(binding, &mut out.body).is_ok();
        }
        for line in &statements {
            whole &= self.statement(line, &mut out.body).is_ok() && !matches!(line.kind, StatementKind::Broken(_));
            match self.conclusion(line) {
                Some(Ok(conclusion)) => out.conclusions.push(conclusion),
                Some(Err(_)) => whole = false,
                None => {}
            }
        }
        whole &= self.names_and_reason(&statements, &mut out);
        let mut bindings = bindings_of(&statements);
        bindings.extend(of_case);
        if whole {
            self.check_conclusions(item, &out);
            self.check_names(&bindings);
        }
        out.vars = self.vars();
        whole.then_some(out)
    }

    /// `called` and `because` lines.
    fn names_and_reason(&mut self, statements: &[&Statement], out: &mut Variant) -> bool {
        let mut whole = true;
        let mut reason: Option<&Statement> = None;
        for line in statements {
            match &line.kind {
                StatementKind::Called(text, when) => {
                    let title = self.template(text, Use::Called);
                    let when = when.as_ref().map(|when| self.condition(when)).transpose();
                    match (title, when) {
                        (Ok(title), Ok(when)) => out.called.push(Called { title, when }),
                        _ => whole = false,
                    }
                }
                StatementKind::Because(text) => {
                    if let Some(first) = reason {
                        self.second_because(first, line);
                    }
                    reason = Some(line);
                    match self.template(text, Use::Because) {
                        Ok(template) => out.because = Some(template),
                        Err(_) => whole = false,
                    }
                }
                _ => {}
            }
        }
        whole
    }

    fn check_conclusions(&mut self, item: &ast::Technique, out: &Variant) {
        let place = item.id.span.clone();
        if out.conclusions.is_empty() {
            let message = format!("`{}` concludes nothing", item.id.name);
            let help = "end it with `eliminate …`, `place …` or `conclude some …`";
            self.note(Diagnostic::error("E0401", place.clone(), message, "no conclusion").help(help));
        }
        if item.title.is_none() && out.title.is_none() && out.called.is_empty() {
            let message = format!("`{}` has no name for people", item.id.name);
            let help = format!("write `technique {} \"Name\" {{`, or name its shapes with `called`", item.id.name);
            self.note(Diagnostic::error("E0411", place, message, "no title").help(help));
        }
    }
}

fn as_case(statement: &Statement) -> Option<Case<'_>> {
    match &statement.kind {
        StatementKind::Case(title, bindings) => Some((statement, title, bindings)),
        _ => None,
    }
}

fn bindings_of<'s>(statements: &[&'s Statement]) -> Vec<&'s Binding> {
    let binding = |statement: &&'s Statement| match &statement.kind {
        StatementKind::Binding(binding) => Some(binding),
        _ => None,
    };
    statements.iter().filter_map(binding).collect()
}

/// Names that only other cases bind, with the place of the case that lacks them.
fn elsewhere(cases: &[Case], this: Option<Case>) -> BTreeMap<String, Span> {
    let Some((statement, _, own)) = this else { return BTreeMap::new() };
    let names = |bindings: &[Binding]| -> Vec<String> {
        bindings.iter().flat_map(|binding| &binding.names).map(|(name, _)| name.name.clone()).collect()
    };
    let own = names(own);
    let others = cases.iter().flat_map(|(_, _, bindings)| names(bindings));
    others.filter(|name| !own.contains(name)).map(|name| (name, statement.span.clone())).collect()
}

fn doc(lines: &[ast::DocLine]) -> Vec<String> {
    lines.iter().map(|line| line.text.clone()).collect()
}

fn check_header(item: &ast::Technique) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for (at, param) in item.params.iter().enumerate() {
        if let Some(high) = param.high.filter(|high| *high < param.low) {
            let message = format!("there is no number from {} to {high}", param.low);
            out.push(Diagnostic::error("E0408", param.span.clone(), message, "an empty range"));
        }
        if let Some(first) = item.params[..at].iter().find(|other| other.name.name == param.name.name) {
            let message = format!("`{}` is declared twice", param.name.name);
            let diagnostic = Diagnostic::error("E0203", param.name.span.clone(), message, "declared again");
            out.push(diagnostic.label(first.name.span.clone(), "declared here first"));
        }
        if crate::lang::words::is_built_in(&param.name.name) {
            let message = format!("`{}` has a meaning of its own and cannot be a name", param.name.name);
            out.push(Diagnostic::error("E0204", param.name.span.clone(), message, "choose another name"));
        }
    }
    out
}

fn unused_params(item: &ast::Technique, used: &[bool]) -> Vec<Diagnostic> {
    let unused = item.params.iter().zip(used).filter(|(_, used)| !**used);
    let warn = |(param, _): (&ast::Param, &bool)| {
        let message = format!("the parameter `{}` is not used", param.name.name);
        Diagnostic::warning("W0202", param.span.clone(), message, "every value would give the same rule")
            .help("use it, for example as a size `cells[n]`, or delete it")
    };
    unused.map(warn).collect()
}
