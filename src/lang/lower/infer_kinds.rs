//! Infers the kinds of names whose declarations give no kind: `let` names, names in set patterns such as `= {x, y}`,
//! and indexes of families. A kind may depend on the inferred kind of a name in a later line, so inference runs in
//! rounds until a round infers nothing.

use super::names::Lowering;
use super::typed_expr::{KindWord, Shape, binding_kind};
use crate::lang::ast::{
    Binding, Clause, Comparison, Condition, Expr, ExprKind, ForClause, Ident, Predicate, QualifierKind, Statement,
    StatementKind, Term, TermList, contents_of,
};
use crate::lang::codes::{Problem, RuleProblem};
use crate::lang::ir::{Cycles, Kind, MAX_LISTED_NAMES, VarShape, describe_cycle};
use crate::lang::words;
use petgraph::graphmap::DiGraphMap;
use serde::Serialize;

/// A pattern such as `digits(c) = {x, y}`, which may bind the names in braces.
struct SetPattern<'s> {
    left: LeftSide<'s>,
    members: Vec<&'s Ident>,
    /// The construct around the pattern (`or`, `not` or `for`), in which the pattern cannot bind names.
    enclosing: Option<&'static str>,
}

enum LeftSide<'s> {
    Terms(&'s TermList),
    /// The kind of the members, given by a binding such as `c: cell = {x, y}`.
    Members(Kind),
}

const LINE_WITH_FOR: &str = "a line that `for` repeats";

impl Lowering<'_> {
    pub fn infer_kinds(&mut self, bindings: &[&Binding], statements: &[&Statement]) {
        let mut patterns = Vec::new();
        let mut families: Vec<&Binding> = bindings.to_vec();
        let mut lets: Vec<(&Ident, &TermList)> = Vec::new();
        for binding in bindings {
            patterns_of_binding(binding, &mut patterns);
        }
        for statement in statements {
            match &statement.kind {
                StatementKind::Binding(binding) => {
                    patterns_of_binding(binding, &mut patterns);
                    families.push(binding);
                }
                StatementKind::Require(condition, clauses) => {
                    let start = patterns.len();
                    let enclosing = if clauses.is_empty() { None } else { Some(LINE_WITH_FOR) };
                    patterns_of_condition(condition, enclosing, &mut patterns);
                    remove_loop_vars(&mut patterns[start..], clauses);
                }
                StatementKind::Let(name, value) | StatementKind::Guardians(name, value) => lets.push((name, value)),
                _ => {}
            }
        }
        loop {
            let old_counts = (patterns.len(), lets.len(), families.len());
            families.retain(|family| !self.infer_family(family));
            patterns.retain(|pattern| !self.infer_pattern(pattern));
            lets.retain(|(name, value)| !self.infer_let(name, value));
            if old_counts == (patterns.len(), lets.len(), families.len()) {
                break;
            }
        }
        self.report_circular_lets(&lets);
        for pattern in &patterns {
            // The left side has an error that is reported later. The names in braces are not reported as unknown.
            self.suppressed_names.extend(pattern.members.iter().map(|ident| ident.name.clone()));
        }
    }

    /// Infers the kind of the index of a family. Returns true if the kind is now known.
    fn infer_family(&mut self, binding: &Binding) -> bool {
        let Some(clause) = &binding.for_clause else { return true };
        let Some(set) = self.try_silently(|lowering| lowering.expr(&clause.set)) else { return false };
        for symbol in &mut self.symbols {
            if symbol.span == clause.loop_var.span {
                symbol.kind = Some(set.kind);
            }
            if binding.names.iter().any(|(name, _)| name.span == symbol.span) {
                symbol.index_kind = Some(set.kind);
            }
        }
        true
    }

    /// Infers the kinds of the names that a pattern binds. Returns true if the kinds are known or an error is reported.
    fn infer_pattern(&mut self, pattern: &SetPattern) -> bool {
        let mut unbound = pattern.members.clone();
        unbound.retain(|ident| self.find(&ident.name).is_none() && !self.suppressed_names.contains(&ident.name));
        if unbound.is_empty() {
            return true;
        }
        let left = match &pattern.left {
            LeftSide::Members(kind) => Some(*kind),
            LeftSide::Terms(terms) => self.try_silently(|lowering| lowering.term_list(terms)).map(|value| value.kind),
        };
        let kind = left.and_then(|left| self.member_kind(left, &pattern.members));
        if let Some(place) = pattern.enclosing {
            self.report_unbindable(&unbound, place, kind);
            return true;
        }
        let Some(kind) = kind else { return false };
        for ident in unbound {
            self.bind(ident, kind);
        }
        true
    }

    /// Reports names that a pattern cannot bind. `place` is the construct around the pattern: `or`, `not` or `for`.
    fn report_unbindable(&mut self, unbound: &[&Ident], place: &'static str, kind: Option<Kind>) {
        for ident in unbound {
            let name = &ident.name;
            if self.missing_in_case.contains_key(name) || words::is_built_in(name) {
                continue;
            }
            let problem = RuleProblem::Unbindable { name: name.clone(), place, kind: kind.map(Kind::singular) };
            self.report(problem.at(&ident.span));
            self.suppressed_names.insert(name.clone());
        }
    }

    /// Infers the kind and the shape of a `let` name. Returns true if both are now known.
    fn infer_let(&mut self, name: &Ident, value: &TermList) -> bool {
        let Some(value) = self.try_silently(|lowering| lowering.let_value(value)) else { return false };
        if let Some(symbol) = self.symbols.iter_mut().find(|symbol| symbol.span == name.span) {
            symbol.kind = Some(value.kind);
            symbol.shape = if value.shape == Shape::Single { VarShape::Single } else { VarShape::Set };
        }
        true
    }

    /// Reports `let` names that depend on themselves. Each diagnostic shows the whole cycle.
    fn report_circular_lets(&mut self, lets: &[(&Ident, &TermList)]) {
        let mut graph = DiGraphMap::<&str, ()>::new();
        for (name, value) in lets {
            for used in names_in(value) {
                if let Some((used, _)) = lets.iter().find(|(other, _)| other.name == used) {
                    graph.add_edge(&name.name, &used.name, ());
                }
            }
        }
        let cycles = Cycles::find(&graph);
        for (name, _) in lets {
            let Some(cycle) = cycles.through(&name.name) else { continue };
            let names = words::quoted(&cycle);
            let cycle_text = match names.len() {
                1 => String::new(),
                length => format!(": {}", describe_cycle(&names, length)),
            };
            let others = lets.iter().map(|(other, _)| other);
            let others = others.filter(|other| other.span != name.span && cycle.contains(&other.name.as_str()));
            let problem = RuleProblem::DefinedByItself { name: name.name.clone(), cycle: cycle_text };
            self.report(problem.at_spans(&name.span, others.take(MAX_LISTED_NAMES).map(|other| other.span.clone())));
        }
    }
}

fn patterns_of_binding<'s>(binding: &'s Binding, patterns: &mut Vec<SetPattern<'s>>) {
    let enclosing = if binding.is_indexed() { Some(LINE_WITH_FOR) } else { None };
    let start = patterns.len();
    for qualifier in &binding.qualifiers {
        match &qualifier.kind {
            QualifierKind::Exactly(Expr { kind: ExprKind::Set(members), .. }) => {
                let kind = match binding_kind(binding) {
                    Some(KindWord { kind: Kind::Cell, is_plural: false }) => Kind::Digit,
                    Some(KindWord { kind, is_plural: true }) => kind,
                    _ => continue,
                };
                if let Some(members) = named_members(members) {
                    patterns.push(SetPattern { left: LeftSide::Members(kind), members, enclosing });
                }
            }
            QualifierKind::With(condition) => patterns_of_condition(condition, enclosing, patterns),
            _ => {}
        }
    }
    remove_loop_vars(&mut patterns[start..], binding.for_clause.as_slice());
}

/// Returns the members of a set of names; `None` if a member is neither a name nor a number. Skips numbers, which are
/// reported as errors later.
fn named_members(members: &[Expr]) -> Option<Vec<&Ident>> {
    members.iter().filter(|member| !matches!(member.kind, ExprKind::Number(_))).map(Expr::as_name).collect()
}

/// Removes loop variables from patterns, because a loop gives its loop variable the values.
fn remove_loop_vars(patterns: &mut [SetPattern], clauses: &[ForClause]) {
    for pattern in patterns {
        pattern.members.retain(|ident| clauses.iter().all(|clause| ident.name != clause.loop_var.name));
    }
}

fn patterns_of_condition<'s>(
    condition: &'s Condition,
    enclosing: Option<&'static str>,
    patterns: &mut Vec<SetPattern<'s>>,
) {
    match condition {
        Condition::And(parts) => {
            for part in parts {
                patterns_of_condition(part, enclosing, patterns);
            }
        }
        Condition::Or(parts) => {
            for part in parts {
                patterns_of_condition(part, enclosing.or(Some("one side of `or`")), patterns);
            }
        }
        Condition::Not(inner, _) => patterns_of_condition(inner, enclosing.or(Some("`not`")), patterns),
        Condition::Mixed(..) | Condition::LinkedBy(..) | Condition::GivensAllow(_) => {}
        Condition::Clause(clause) => patterns_of_clause(clause, enclosing, patterns),
    }
}

fn patterns_of_clause<'s>(clause: &'s Clause, enclosing: Option<&'static str>, patterns: &mut Vec<SetPattern<'s>>) {
    match &clause.predicate {
        None => {
            if let [Term { expr: Expr { kind: ExprKind::Paren(inner), .. }, place: None, .. }] =
                clause.subject.terms.as_slice()
            {
                patterns_of_condition(inner, enclosing, patterns);
            }
        }
        Some(Predicate::Compare(Comparison::Equal, right)) if right.place.is_none() => {
            let ExprKind::Set(members) = &right.expr.kind else { return };
            if let Some(members) = named_members(members) {
                patterns.push(SetPattern { left: LeftSide::Terms(&clause.subject), members, enclosing });
            }
        }
        Some(_) => {}
    }
}

/// Returns the names in a tree. A member `p[d]` of a family counts as `p`.
pub fn names_in(tree: &impl Serialize) -> Vec<String> {
    let members = contents_of::<(Ident, Ident)>(tree, "Member").into_iter().map(|(family, _)| family);
    contents_of::<Ident>(tree, "Name").into_iter().chain(members).map(|ident| ident.name).collect()
}
