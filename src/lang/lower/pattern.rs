//! `… = {x, y}`. In: a set and a list in braces. Out: the condition that the set holds exactly these, each
//! once; names that nobody declares are bound by it.

use super::Checked;
use super::expr::LETTERS;
use super::names::Rule;
use super::value::{Value, common};
use crate::lang::ast::{self, Ident, Span};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Condition, Expr, Kind, VarId, VarShape};

impl Rule<'_> {
    /// The condition of a pattern; its names were declared before.
    pub fn pattern(&mut self, left: Checked<Value>, members: &[ast::Expr], span: &Span) -> Checked<Condition> {
        let values = self.each_of(members, Self::expr);
        let (left, values) = (left?, values?);
        if let Some(number) = values.iter().find(|value| value.kind == Kind::Number) {
            let message = "numbers cannot be members of a set";
            return self.fail(Diagnostic::error("E0301", number.span.clone(), message, "a number").help(LETTERS));
        }
        let first = values.first().map_or(Kind::Cell, |value| value.kind);
        let set = self.left_of_pattern(&left, first, span)?;
        match self.plain_names(members) {
            Some(names) => {
                self.check_members(&left, &values, set.1)?;
                if let Some(at) = repeated(&names) {
                    let place = values.get(at).map_or(span.clone(), |value| value.span.clone());
                    let message = "this name is in the set twice";
                    return self
                        .fail(Diagnostic::error("E0312", place, message, "again").help("a set holds each thing once"));
                }
                Ok(Condition::Exactly(set.0, names))
            }
            None => {
                let joined = self.join(values, span.clone())?;
                self.check_members(&left, std::slice::from_ref(&joined), set.1)?;
                let right = joined.expr;
                let right = if members.len() == 1 { Expr::Union(vec![right]) } else { right };
                Ok(Condition::Equal(set.0, right))
            }
        }
    }

    /// The left side as a set of what the braces hold, and its kind.
    fn left_of_pattern(&mut self, left: &Value, member: Kind, span: &Span) -> Checked<(Expr, Kind)> {
        match (left.kind, member) {
            (Kind::Number, _) => {
                let message = "a number is compared with a set";
                self.fail(
                    Diagnostic::error("E0301", span.clone(), message, "a set").label(left.span.clone(), "a number"),
                )
            }
            (Kind::Candidate, Kind::Cell) => Ok((Expr::Cells(Box::new(left.expr.clone())), Kind::Cell)),
            (Kind::House(_), Kind::Cell) => {
                let message = "a house is compared with cells";
                let help = "say which of its cells: `cells(h) = {…}` its unsolved ones, `d in h = {…}` the places of d";
                self.fail(Diagnostic::error("E0307", left.span.clone(), message, "all cells of a house").help(help))
            }
            (Kind::Cell, Kind::Digit) => {
                let message = "cells are compared with digits";
                let help = "`digits(c) = {…}` is about the candidates of c";
                self.fail(Diagnostic::error("E0307", left.span.clone(), message, "cells").help(help))
            }
            (kind, _) => Ok((left.expr.clone(), kind)),
        }
    }

    fn check_members(&mut self, left: &Value, values: &[Value], kind: Kind) -> Checked<()> {
        match values.iter().find(|value| common(value.kind, kind).is_none()) {
            None => Ok(()),
            Some(value) => {
                let what = super::value::describe(kind, false);
                let message = format!("a set of {what} cannot hold {}", value.what());
                let diagnostic = Diagnostic::error("E0301", value.span.clone(), message, value.what());
                self.fail(diagnostic.label(left.span.clone(), what.to_owned()))
            }
        }
    }

    /// The members as names of single things, if all are.
    fn plain_names(&self, members: &[ast::Expr]) -> Option<Vec<VarId>> {
        let name = |member: &ast::Expr| {
            let id = self.find(&member.as_name()?.name)?;
            (self.symbols[id.0].shape == VarShape::Single).then_some(id)
        };
        members.iter().map(name).collect()
    }

    /// Kind of the members of a pattern, for names that it binds.
    pub fn member_kind(&self, left: Kind, members: &[&Ident]) -> Option<Kind> {
        let known = members.iter().find_map(|ident| self.symbols[self.find(&ident.name)?.0].kind);
        match (left, known) {
            (Kind::Candidate, Some(Kind::Candidate)) => Some(Kind::Candidate),
            (Kind::Candidate, _) => Some(Kind::Cell),
            (Kind::Number, _) => None,
            (kind, _) => Some(kind),
        }
    }
}

/// The place of the first name that stood before.
fn repeated(names: &[VarId]) -> Option<usize> {
    (1..names.len()).find(|at| names[..*at].contains(&names[*at]))
}
