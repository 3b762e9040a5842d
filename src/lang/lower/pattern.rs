//! `… = {x, y}`. In: a set and a list in braces. Out: the condition that the set holds exactly these, each
//! once; names that nobody declares are bound by it.

use super::Checked;
use super::names::Rule;
use super::value::{Value, common};
use crate::lang::ast::{self, Ident, Span};
use crate::lang::codes::{KindProblem, Problem};
use crate::lang::ir::{Condition, Expr, Kind, VarId, VarShape};

impl Rule<'_> {
    /// Lowers a pattern; its names were declared before.
    pub fn pattern(&mut self, left: Checked<Value>, members: &[ast::Expr], span: &Span) -> Checked<Condition> {
        let values = self.each_of(members, Self::expr);
        let (left, values) = (left?, values?);
        if let Some(number) = values.iter().find(|value| value.kind == Kind::Number) {
            return self.fail(KindProblem::NumberInSet.at(&number.span));
        }
        let first = values.first().map_or(Kind::Cell, |value| value.kind);
        let set = self.left_of_pattern(&left, first, span)?;
        match self.single_names(members) {
            Some(names) => {
                self.check_members(&left, &values, set.1)?;
                if let Some(at) = repeated(&names) {
                    let place = values.get(at).map_or(span.clone(), |value| value.span.clone());
                    return self.fail(KindProblem::TwiceInSet.at(&place));
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

    /// Returns the left side as a set of the kind that the braces hold, and that kind.
    fn left_of_pattern(&mut self, left: &Value, member: Kind, span: &Span) -> Checked<(Expr, Kind)> {
        match (left.kind, member) {
            (Kind::Number, _) => self.fail(KindProblem::NumberWithSet.at_both(span, &left.span)),
            (Kind::Candidate, Kind::Cell) => Ok((Expr::Cells(Box::new(left.expr.clone())), Kind::Cell)),
            (Kind::House(_), Kind::Cell) => self.fail(KindProblem::HouseWithCells.at(&left.span)),
            (Kind::Cell, Kind::Digit) => self.fail(KindProblem::CellsWithDigits.at(&left.span)),
            (kind, _) => Ok((left.expr.clone(), kind)),
        }
    }

    fn check_members(&mut self, left: &Value, values: &[Value], kind: Kind) -> Checked<()> {
        match values.iter().find(|value| common(value.kind, kind).is_none()) {
            None => Ok(()),
            Some(value) => {
                let problem = KindProblem::OtherMember { set: super::value::describe(kind, false), what: value.what() };
                self.fail(problem.at_both(&value.span, &left.span))
            }
        }
    }

    /// Returns the members as names, if all are names of single things.
    fn single_names(&self, members: &[ast::Expr]) -> Option<Vec<VarId>> {
        let name = |member: &ast::Expr| {
            let id = self.find(&member.as_name()?.name)?;
            (self.symbols[id.0].shape == VarShape::Single).then_some(id)
        };
        members.iter().map(name).collect()
    }

    /// Returns the kind of the members of a pattern, for names that it binds.
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

/// Finds the first name that occurs a second time.
fn repeated(names: &[VarId]) -> Option<usize> {
    (1..names.len()).find(|at| names[..*at].contains(&names[*at]))
}
