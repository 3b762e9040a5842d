//! The kinds of names that no line gives a kind. In: `let` lines, patterns such as `= {x, y}` and families, each
//! of which may need others first. Out: every name of them with its kind, in whatever order they stand.

use super::names::Lowering;
use super::value::{Shape, binding_kind, one_word};
use crate::lang::ast::{
    Binding, Clause, Comparison, Condition, Each, Element, Expr, ExprKind, Ident, Noun, Predicate, QualifierKind,
    Statement, StatementKind,
};
use crate::lang::codes::{Problem, RuleProblem};
use crate::lang::ir::{Cycles, Kind, MAX_LISTED_NAMES, VarShape, describe_cycle};
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

impl Lowering<'_> {
    /// Finds the kinds of `let` names and of names in patterns; each may need others first.
    pub fn settle(&mut self, bindings: &[&Binding], statements: &[&Statement]) {
        let mut patterns = Vec::new();
        let mut families: Vec<&Binding> = bindings.to_vec();
        let mut lets: Vec<(&Ident, &Noun)> = Vec::new();
        bindings.iter().for_each(|binding| patterns_of_binding(binding, &mut patterns));
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
        let mut unbound = pattern.members.clone();
        unbound.retain(|ident| self.find(&ident.name).is_none() && !self.doubtful.contains(&ident.name));
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
        if let Some(symbol) = self.symbols.iter_mut().find(|symbol| symbol.span == name.span) {
            symbol.kind = Some(value.kind);
            symbol.shape = if value.shape == Shape::One { VarShape::Single } else { VarShape::Set };
        }
        true
    }

    /// Reports names that are defined by one another, each with the whole circle.
    fn circles(&mut self, lets: &[(&Ident, &Noun)]) {
        let mut graph = DiGraphMap::<&str, ()>::new();
        for (name, noun) in lets {
            let used = names_of(&noun.elements).into_iter();
            for used in used.filter(|used| lets.iter().any(|(other, _)| other.name == *used)) {
                graph.add_edge(&name.name, used, ());
            }
        }
        let circles = Cycles::find(&graph);
        for (name, _) in lets {
            let Some(circle) = circles.through(&name.name) else { continue };
            let names = words::quoted(&circle);
            let words = match names.len() > 1 {
                true => format!(": {}", describe_cycle(&names, names.len())),
                false => String::new(),
            };
            let others = lets.iter().map(|(other, _)| other);
            let others = others.filter(|other| other.span != name.span && circle.contains(&other.name.as_str()));
            let problem = RuleProblem::DefinedByItself { name: name.name.clone(), circle: words };
            self.note(problem.at_places(&name.span, others.take(MAX_LISTED_NAMES).map(|other| other.span.clone())));
        }
    }
}

fn patterns_of_binding<'s>(binding: &'s Binding, out: &mut Vec<BindingPattern<'s>>) {
    let shut = binding.is_family().then_some(SHUT_BY_FOR);
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

/// Lists every name in a list.
fn names_of(elements: &[Element]) -> Vec<&str> {
    let exprs = elements.iter().flat_map(|element| std::iter::once(&element.left).chain(&element.place));
    exprs.flat_map(names_in).collect()
}

/// Lists the names in an expression, without those of conditions.
pub fn names_in(expr: &Expr) -> Vec<&str> {
    match &expr.kind {
        ExprKind::Name(ident) | ExprKind::Member(ident, _) => vec![&ident.name],
        ExprKind::Number(_) => Vec::new(),
        ExprKind::Set(members) => members.iter().flat_map(names_in).collect(),
        ExprKind::Count(inner) => names_in(inner),
        ExprKind::Call(_, noun) => names_of(&noun.elements),
        ExprKind::Seeing(_, _, seen) | ExprKind::Excluded(_, seen) => names_of(seen),
        ExprKind::Chain(first, rest) => {
            let others = rest.iter().map(|binary| &binary.right);
            std::iter::once(&**first).chain(others).flat_map(names_in).collect()
        }
        ExprKind::Those(those) => names_in(&those.over),
        ExprKind::Paren(condition) => match condition.as_ref() {
            Condition::Clause(clause) => names_of(&clause.subject.elements),
            _ => Vec::new(),
        },
    }
}
