//! Lowers predicates of sets: `closed between`, `givens allow`, and the qualifiers `disjoint` and `linking`.

use super::names::{Lowering, MentionPlace};
use super::typed_expr::{Shape, TypedExpr};
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{self, Span, TermList};
use crate::lang::codes::{KindProblem, Problem};
use crate::lang::ir::{Condition, Expr, HouseClass, Kind, Operand, PredicateId};

impl Lowering<'_> {
    /// Reports a single thing where a set is needed.
    pub fn require_set(&self, subject: &TypedExpr, needs: &'static str) -> LowerResult<()> {
        if subject.shape != Shape::Single {
            return Ok(());
        }
        self.fail(KindProblem::OneThing { needs }.at(&subject.span))
    }

    /// Lowers `S closed between k, l`.
    pub fn closed_between(
        &mut self,
        subject: &TypedExpr,
        first: &ast::Expr,
        second: &ast::Expr,
    ) -> LowerResult<Condition> {
        self.require_set(subject, "`closed between` needs a set of cells")?;
        let cells = self.require_cells(subject, "the left side of `closed between`")?;
        let (first, second) = (self.single_line(first), self.single_line(second));
        Ok(PredicateId::ClosedBetween.applied_to(vec![cells, first?, second?]))
    }

    /// Lowers an expression that must be one row or column.
    fn single_line(&mut self, line: &ast::Expr) -> LowerResult<Expr> {
        let line = self.expr(line)?;
        if line.is_house() && line.shape == Shape::Single && line.kind != Kind::House(HouseClass::Box) {
            return Ok(line.expr);
        }
        self.fail(KindProblem::ClosedBetweenWithoutLines { actual: line.description() }.at(&line.span))
    }

    /// Lowers `givens allow {x, y} in S`: each of the digits in each of the cells.
    pub fn givens_allow(&mut self, candidates: &ast::Term) -> LowerResult<Condition> {
        let digits = self.expr(&candidates.expr);
        let cells = match &candidates.place {
            Some(place) => self.expr(place),
            None => Err(ErrorReported),
        };
        let digits = digits.and_then(|digits| self.require_digits(&digits, "the left side of `in`"));
        let cells = cells.and_then(|cells| self.require_cells_or_candidates(&cells, "the right side of `in`"));
        Ok(Condition::GivensAllow(Operand::every(cells?), digits?))
    }

    /// Lowers `disjoint A, B` and `disjoint` alone, which is about the names of the line or the members of a family.
    pub fn disjoint_qualifier(
        &mut self,
        value: &TypedExpr,
        earlier: &[TypedExpr],
        from: Option<&TermList>,
        span: &Span,
    ) -> LowerResult<Condition> {
        if let Some(from) = from {
            let conditions = self.check_all(&from.terms, |lowering, term| {
                let other = lowering.term(term)?;
                lowering.disjoint_from(value, &other)
            })?;
            return Ok(Condition::And(conditions));
        }
        if let Expr::Member(family, _) = value.expr {
            // A family on both sides means that every two members of the family are disjoint.
            return Ok(Condition::And(vec![Condition::Disjoint(Expr::Var(family), Expr::Var(family))]));
        }
        if earlier.is_empty() && self.names_of_binding.len() < 2 {
            return self.fail(KindProblem::DisjointAlone.at(span));
        }
        let conditions = self.check_all(earlier, |lowering, other| lowering.disjoint_from(value, other))?;
        Ok(Condition::And(conditions))
    }

    fn disjoint_from(&self, value: &TypedExpr, other: &TypedExpr) -> LowerResult<Condition> {
        self.require_set(value, "different names stand for different things already; `disjoint` needs sets")?;
        self.disjoint_sets(value, other)
    }

    pub fn disjoint_sets(&self, value: &TypedExpr, other: &TypedExpr) -> LowerResult<Condition> {
        let (left, right) = self.same_kind_sides(value, other, "`disjoint`")?;
        if left == right {
            return self.fail(KindProblem::DisjointFromItself.at(&other.span));
        }
        Ok(Condition::Disjoint(left, right))
    }

    /// Lowers `x: digit linking A, B` and `petal[d]: als linking d to stem`.
    pub fn linking(&mut self, value: &TypedExpr, first: &TermList, to: Option<&TermList>) -> LowerResult<Condition> {
        let sides = self.check_all(&first.terms, |lowering, term| lowering.term(term));
        let to = to.map(|terms| self.term_list(terms)).transpose();
        let (sides, to) = (sides?, to?);
        // A linking digit must exist, even if no other line mentions its name. So the name counts as used.
        if let Some(id) = value.expr.as_var()
            && !self.is_silent
            && let Some(symbol) = self.symbols.get_mut(id.0)
        {
            symbol.mentions.insert(MentionPlace::Pattern);
        }
        match (value.kind, sides.as_slice(), &to) {
            (Kind::Digit, [a, b], None) => self.link(value, a, b),
            (Kind::Cell, [digit], Some(to)) => self.link(digit, value, to),
            (Kind::Digit, ..) => self.fail(KindProblem::LinkingDigit.at(&first.span)),
            (Kind::Cell, ..) => self.fail(KindProblem::LinkingCells.at(&first.span)),
            _ => self.fail(KindProblem::LinkingOfOtherKind.at(&first.span)),
        }
    }

    /// Returns the condition that a digit links two sets. Both sets must have the digit as a candidate, and every cell
    /// of one set with the digit must see every cell of the other set with the digit.
    fn link(&self, digit: &TypedExpr, a: &TypedExpr, b: &TypedExpr) -> LowerResult<Condition> {
        if digit.kind != Kind::Digit || digit.shape != Shape::Single {
            return self.fail(KindProblem::LinkingWithoutDigit { actual: digit.description() }.at(&digit.span));
        }
        let (a, b) = (self.require_cells(a, "each side of a link"), self.require_cells(b, "each side of a link"));
        let [a, b] = [a?, b?].map(|cells| Expr::CandidatesIn(Box::new(digit.expr.clone()), Box::new(cells)));
        let candidate_cells = |candidates: &Expr| Operand::every(Expr::CellsOf(Box::new(candidates.clone())));
        let sees = Condition::Sees(candidate_cells(&a), candidate_cells(&b));
        Ok(Condition::And(vec![Condition::NotEmpty(a), Condition::NotEmpty(b), sees]))
    }
}
