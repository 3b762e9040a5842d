//! The kinds of names that no line gives a kind. In: `let` lines, patterns such as `= {x, y}` and families, each
//! of which may need others first. Out: every name of them with its kind, in whatever order they stand.

use super::names::Rule;
use super::value::{Shape, binding_kind, describe};
use crate::lang::ast::{
    Binding, Clause, Comparison, Condition, Each, Expr, ExprKind, Ident, Noun, Predicate, QualifierKind, Span,
    Statement, StatementKind,
};
use crate::lang::codes::{Problem, RuleProblem};
use crate::lang::ir::{Circles, Kind, MOST_NAMED, VarShape, circle_words};
use crate::lang::words;
use petgraph::graphmap::DiGraphMap;

/// A pattern such as `= {x, y}` that may bind names: its left side and its members.
struct BindingPattern<'s> {
    left: Left<'s>,
    members: Vec<&'s Ident>,
    /// The construct around it (`or`, `not` or `for`) that forbids binding.
    shut: Option<&'static str>,
}

const SHUT_BY_FOR: &str = "a line that `for` repeats";

enum Left<'s> {
    Noun(&'s Noun),
    Kind(Kind),
}

impl Rule<'_> {
    /// Finds the kinds of `let` names and of names in patterns; each may need others first.
    pub fn settle(&mut self, bindings: &[&Binding], statements: &[&Statement]) {
        let mut patterns = Vec::new();
        let mut families: Vec<&Binding> = Vec::new();
        for binding in bindings {
            patterns_of_binding(binding, &mut patterns);
            families.push(binding);
        }
        let mut lets: Vec<(&Ident, &Noun)> = Vec::new();
        for statement in statements {
            match &statement.kind {
                StatementKind::Binding(binding) => {
                    patterns_of_binding(binding, &mut patterns);
                    families.push(binding);
                }
                StatementKind::Require(condition, each) => {
                    let start = patterns.len();
                    patterns_of(condition, (!each.is_empty()).then_some(SHUT_BY_FOR), &mut patterns);
                    each.iter().for_each(|each| without_index(&mut patterns[start..], Some(each)));
                }
                StatementKind::Let(name, noun) | StatementKind::Guardians(name, noun) => lets.push((name, noun)),
                _ => {}
            }
        }
        loop {
            let before = (patterns.len(), lets.len(), families.len());
            families.retain(|family| !self.settle_family(family));
            patterns.retain(|pattern| !self.settle_pattern(pattern));
            lets.retain(|(name, noun)| !self.settle_let(name, noun));
            if before == (patterns.len(), lets.len(), families.len()) {
                break;
            }
        }
        self.circles(&lets);
        for pattern in &patterns {
            // The error in the left side is reported there; do not report its names, too.
            self.doubtful.extend(pattern.members.iter().map(|ident| ident.name.clone()));
        }
    }

    /// Sets the kind of the index of a family.
    fn settle_family(&mut self, binding: &Binding) -> bool {
        let Some(each) = &binding.each else { return true };
        let Some(over) = self.attempt(|rule| rule.expr(&each.over)) else { return false };
        for symbol in &mut self.symbols {
            if symbol.span == each.index.span {
                symbol.kind = Some(over.kind);
            }
            if binding.names.iter().any(|(name, _)| name.span == symbol.span) {
                symbol.index = Some(over.kind);
            }
        }
        true
    }

    fn settle_pattern(&mut self, pattern: &BindingPattern) -> bool {
        let unknown =
            |rule: &Self, ident: &Ident| rule.find(&ident.name).is_none() && !rule.doubtful.contains(&ident.name);
        let unbound: Vec<&Ident> = pattern.members.iter().copied().filter(|ident| unknown(self, ident)).collect();
        if unbound.is_empty() {
            return true;
        }
        let left = match &pattern.left {
            Left::Kind(kind) => Some(*kind),
            Left::Noun(noun) => self.attempt(|rule| rule.noun(noun)).map(|value| value.kind),
        };
        if let Some(what) = pattern.shut {
            let kind = left.and_then(|left| self.member_kind(left, &pattern.members));
            return self.refuse(&unbound, what, kind);
        }
        let Some(kind) = left.and_then(|left| self.member_kind(left, &pattern.members)) else { return false };
        for ident in unbound {
            self.bind(ident, kind);
        }
        true
    }

    /// Reports names that a pattern would bind where it may not.
    fn refuse(&mut self, unbound: &[&Ident], what: &'static str, kind: Option<Kind>) -> bool {
        for ident in unbound {
            let name = &ident.name;
            if self.elsewhere.contains_key(name) || words::is_built_in(name) {
                continue;
            }
            let problem = RuleProblem::Unbindable { name: name.clone(), place: what, kind: kind.map(one_word) };
            self.note(problem.at(&ident.span));
            self.doubtful.insert(name.clone());
        }
        true
    }

    fn settle_let(&mut self, name: &Ident, noun: &Noun) -> bool {
        let Some(value) = self.attempt(|rule| rule.defined(noun)) else { return false };
        let shape = if value.shape == Shape::One { VarShape::Single } else { VarShape::Set };
        if let Some(symbol) = self.symbols.iter_mut().find(|symbol| symbol.span == name.span) {
            symbol.kind = Some(value.kind);
            symbol.shape = shape;
        }
        true
    }

    /// Reports names that are defined by one another, each with the whole circle.
    fn circles(&mut self, lets: &[(&Ident, &Noun)]) {
        let mut graph = DiGraphMap::<&str, ()>::new();
        for (name, noun) in lets {
            let mut names = Vec::new();
            names_of(noun, &mut names);
            names.retain(|used| lets.iter().any(|(other, _)| other.name == *used));
            names.into_iter().for_each(|used| _ = graph.add_edge(&name.name, used, ()));
        }
        let circles = Circles::of(&graph);
        for (name, _) in lets {
            let Some(circle) = circles.through(&name.name) else { continue };
            let names: Vec<String> = circle.iter().map(|name| format!("`{name}`")).collect();
            let words =
                if names.len() > 1 { format!(": {}", circle_words(&names, names.len())) } else { String::new() };
            let others =
                lets.iter().filter(|(other, _)| other.span != name.span && circle.contains(&other.name.as_str()));
            let others: Vec<Span> = others.take(MOST_NAMED).map(|(other, _)| other.span.clone()).collect();
            let problem = RuleProblem::DefinedByItself { name: name.name.clone(), circle: words };
            self.note(problem.at_places(&name.span, others));
        }
    }
}

fn patterns_of_binding<'s>(binding: &'s Binding, out: &mut Vec<BindingPattern<'s>>) {
    let family = binding.names.iter().any(|(_, index)| index.is_some());
    let shut = family.then_some(SHUT_BY_FOR);
    let start = out.len();
    for qualifier in &binding.qualifiers {
        match &qualifier.kind {
            QualifierKind::Exactly(Expr { kind: ExprKind::Set(members), .. }) => {
                let kind = match binding_kind(binding) {
                    Some((Kind::Cell, false)) => Kind::Digit,
                    Some((kind, true)) => kind,
                    _ => continue,
                };
                if let Some(members) = named_members(members) {
                    out.push(BindingPattern { left: Left::Kind(kind), members, shut });
                }
            }
            QualifierKind::With(condition) => patterns_of(condition, shut, out),
            _ => {}
        }
    }
    without_index(&mut out[start..], binding.each.as_ref());
}

/// Returns the members of a set of names. A number among them is reported elsewhere; the names beside it still count.
fn named_members(members: &[Expr]) -> Option<Vec<&Ident>> {
    members.iter().filter(|one| !matches!(one.kind, ExprKind::Number(_))).map(Expr::as_name).collect()
}

/// Removes the running name of a `for` from patterns: it has its value already.
fn without_index(patterns: &mut [BindingPattern], each: Option<&Each>) {
    let Some(each) = each else { return };
    for pattern in patterns {
        pattern.members.retain(|ident| ident.name != each.index.name);
    }
}

fn patterns_of<'s>(condition: &'s Condition, shut: Option<&'static str>, out: &mut Vec<BindingPattern<'s>>) {
    match condition {
        Condition::And(parts) => parts.iter().for_each(|part| patterns_of(part, shut, out)),
        Condition::Or(parts) => parts.iter().for_each(|part| patterns_of(part, shut.or(Some("one side of `or`")), out)),
        Condition::Not(inner, _) => patterns_of(inner, shut.or(Some("`not`")), out),
        Condition::Mixed(..) | Condition::LinkedBy(..) | Condition::GivensAllow(_) => {}
        Condition::Clause(clause) => pattern_of_clause(clause, shut, out),
    }
}

fn pattern_of_clause<'s>(clause: &'s Clause, shut: Option<&'static str>, out: &mut Vec<BindingPattern<'s>>) {
    match &clause.predicate {
        None => {
            if let [element] = clause.subject.elements.as_slice()
                && let (ExprKind::Paren(inner), None) = (&element.left.kind, &element.place)
            {
                patterns_of(inner, shut, out);
            }
        }
        Some(Predicate::Compare(Comparison::Equal, right)) if right.place.is_none() => {
            let ExprKind::Set(members) = &right.left.kind else { return };
            if let Some(members) = named_members(members) {
                out.push(BindingPattern { left: Left::Noun(&clause.subject), members, shut });
            }
        }
        Some(_) => {}
    }
}

/// Returns the word that declares one thing of a kind.
fn one_word(kind: Kind) -> &'static str {
    describe(kind, true).trim_start_matches("a ")
}

/// Collects every name in a list.
fn names_of<'s>(noun: &'s Noun, out: &mut Vec<&'s str>) {
    for element in &noun.elements {
        names_in(&element.left, out);
        if let Some(place) = &element.place {
            names_in(place, out);
        }
    }
}

pub fn names_in<'s>(expr: &'s Expr, out: &mut Vec<&'s str>) {
    match &expr.kind {
        ExprKind::Name(ident) | ExprKind::Member(ident, _) => out.push(&ident.name),
        ExprKind::Number(_) => {}
        ExprKind::Set(members) => members.iter().for_each(|member| names_in(member, out)),
        ExprKind::Count(inner) => names_in(inner, out),
        ExprKind::Call(_, noun) => names_of(noun, out),
        ExprKind::Seeing(_, _, seen) | ExprKind::Excluded(_, seen) => {
            for element in seen {
                names_in(&element.left, out);
                if let Some(place) = &element.place {
                    names_in(place, out);
                }
            }
        }
        ExprKind::Chain(first, rest) => {
            names_in(first, out);
            rest.iter().for_each(|binary| names_in(&binary.right, out));
        }
        ExprKind::Those(those) => names_in(&those.over, out),
        ExprKind::Paren(condition) => {
            if let Condition::Clause(clause) = condition.as_ref() {
                names_of(&clause.subject, out);
            }
        }
    }
}
