//! Relations that make shapes: `closed`, `givens allow`, `linking`, `disjoint` after a kind. In: what they are said
//! of. Out: checked conditions.

use super::LowerResult;
use super::names::Lowering;
use super::value::{Shape, TypedExpr};
use crate::lang::ast::{self, Noun, Span};
use crate::lang::codes::{KindProblem, Problem};
use crate::lang::ir::{Condition, Expr, HouseClass, Kind, Operand, PredicateId, VarId};

impl Lowering<'_> {
    /// Reports a predicate of sets with a single thing as its subject.
    pub fn several(&mut self, subject: &TypedExpr, needs: &'static str) -> LowerResult<()> {
        if subject.shape != Shape::One {
            return Ok(());
        }
        self.fail(KindProblem::OneThing { needs }.at(&subject.span))
    }

    /// `S closed between k, l`
    pub fn closed_between(
        &mut self,
        subject: &TypedExpr,
        first: &ast::Expr,
        second: &ast::Expr,
    ) -> LowerResult<Condition> {
        self.several(subject, "`closed between` needs a set of cells")?;
        let cells = self.cells_of(subject, false, "what is closed")?;
        let lines = self.each_of(&[first, second], |rule, line| {
            let line = rule.expr(line)?;
            let fits = line.is_house() && line.shape == Shape::One && line.kind != Kind::House(HouseClass::Box);
            if fits {
                return Ok(line.expr);
            }
            rule.fail(KindProblem::ClosedBetweenOther { what: line.what() }.at(&line.span))
        })?;
        let mut lines = lines.into_iter();
        match (lines.next(), lines.next()) {
            (Some(k), Some(l)) => Ok(PredicateId::ClosedBetween.applied_to(vec![cells, k, l])),
            _ => Err(super::ErrorReported),
        }
    }

    /// `givens allow {x, y} in S`: each of the digits in each of the cells.
    pub fn givens_allow(&mut self, candidates: &ast::Element) -> LowerResult<Condition> {
        let digits = self.expr(&candidates.left);
        let cells = match &candidates.place {
            Some(place) => self.expr(place),
            None => Err(super::ErrorReported),
        };
        let digits = digits.and_then(|digits| self.digits_of(&digits, "what the givens allow"));
        let cells = cells.and_then(|cells| self.cells_of(&cells, true, "where the givens allow it"));
        Ok(Condition::GivensAllow(Operand::every(cells?), digits?))
    }

    /// `disjoint A, B` and, among several names or the members of a family, `disjoint`.
    pub fn disjoint_from(
        &mut self,
        value: &TypedExpr,
        before: &[TypedExpr],
        from: Option<&Noun>,
        place: &Span,
    ) -> LowerResult<Condition> {
        let all = match from {
            Some(noun) => self.each_of(&noun.elements, |rule, element| {
                let other = rule.element(element)?;
                rule.disjoint(value, &other)
            })?,
            None => match (&value.expr, before) {
                (Expr::Member(family, _), _) => vec![pairwise(*family)],
                (_, []) if self.own.len() < 2 => {
                    return self.fail(KindProblem::DisjointAlone.at(place));
                }
                _ => self.each_of(before, |rule, other| rule.disjoint(value, other))?,
            },
        };
        Ok(Condition::And(all))
    }

    fn disjoint(&mut self, value: &TypedExpr, other: &TypedExpr) -> LowerResult<Condition> {
        self.several(value, "different names stand for different things already; `disjoint` needs sets")?;
        self.without_common(value, other)
    }

    /// No common member of two sets.
    pub fn without_common(&mut self, value: &TypedExpr, other: &TypedExpr) -> LowerResult<Condition> {
        let (left, right) = self.comparable(value, other, "`disjoint`")?;
        if left == right {
            return self.fail(KindProblem::DisjointFromItself.at(&other.span));
        }
        Ok(Condition::Disjoint(left, right))
    }

    /// `x in A`, `x in B`, and each of these cells sees each of those.
    fn link(&mut self, digit: &TypedExpr, a: &TypedExpr, b: &TypedExpr) -> LowerResult<Condition> {
        if digit.kind != Kind::Digit || digit.shape != Shape::One {
            return self.fail(KindProblem::LinkingByOther { what: digit.what() }.at(&digit.span));
        }
        let places = self.each_of(&[a, b], |rule, side| {
            let cells = rule.cells_of(side, false, "what a digit links")?;
            Ok(Expr::In(Box::new(digit.expr.clone()), Box::new(cells)))
        })?;
        let sides = places.iter().map(|place| Operand::every(Expr::UnsolvedCells(Box::new(place.clone()))));
        let mut sides = sides.collect::<Vec<_>>().into_iter();
        let (Some(left), Some(right)) = (sides.next(), sides.next()) else { return Err(super::ErrorReported) };
        let mut all: Vec<Condition> = places.into_iter().map(Condition::Some).collect();
        all.push(Condition::Sees(left, right));
        Ok(Condition::And(all))
    }

    /// `x: digit linking A, B`, `petal[d]: als linking d to stem`
    pub fn linking(&mut self, value: &TypedExpr, first: &Noun, to: Option<&Noun>) -> LowerResult<Condition> {
        let sides = self.each_of(&first.elements, |rule, element| rule.element(element));
        let to = to.map(|noun| self.noun(noun)).transpose();
        let (sides, to) = (sides?, to?);
        // A digit that links two places says something by being there.
        if let (Expr::Var(id), false) = (&value.expr, self.trial)
            && let Some(symbol) = self.symbols.get_mut(id.0)
        {
            symbol.in_pattern = true;
        }
        match (value.kind, sides.as_slice(), &to) {
            (Kind::Digit, [a, b], None) => self.link(value, a, b),
            (Kind::Cell, [digit], Some(to)) => self.link(digit, value, to),
            (Kind::Digit, ..) => self.fail(KindProblem::LinkingDigit.at(&first.span)),
            (Kind::Cell, ..) => self.fail(KindProblem::LinkingCells.at(&first.span)),
            _ => self.fail(KindProblem::LinkingOther.at(&first.span)),
        }
    }
}

/// Each two members of a family.
fn pairwise(family: VarId) -> Condition {
    Condition::Disjoint(Expr::Var(family), Expr::Var(family))
}
