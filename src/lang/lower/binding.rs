//! Bindings. In: `a, b: cell … for d in D`. Out: one choice for each name, its relations as conditions.

use super::LowerResult;
use super::names::{Lowering, NameRole};
use super::value::{Shape, TypedExpr, binding_kind, describe, one_word};
use crate::lang::ast::{
    self, Binding, Expr as Written, ExprKind, Ident, Predicate, Qualifier, QualifierKind, Relation, Size,
};
use crate::lang::codes::{KindProblem, Problem, RuleProblem};
use crate::lang::ir::{Choose, Comparison, Condition, Expr, Incidence, Kind, PredicateId, Statement, VarId, VarShape};
use crate::lang::words;

impl Lowering<'_> {
    /// The choices of one line; none if something is wrong with it.
    pub fn binding(&mut self, binding: &Binding, out: &mut Vec<Statement>) -> LowerResult<()> {
        let number = self.check_number(binding);
        let size = binding.size.as_ref().map(|size| self.size(size)).transpose();
        let for_each = self.for_clause(binding);
        let outer = for_each.as_ref().ok().and_then(|for_each| for_each.as_ref()).map(|(index, _)| *index);
        let mut chosen: Vec<TypedExpr> = Vec::new();
        let mut statements = Vec::new();
        let mut failed = false;
        self.own = binding.names.iter().filter_map(|(name, _)| self.introduced(name).ok()).collect();
        for (name, index) in &binding.names {
            // A name that was declared before keeps its first declaration; this line is wrong.
            let Ok(id) = self.introduced(name) else {
                failed = true;
                continue;
            };
            let Some(value) = self.chosen(id, name, index.as_ref().and(outer)) else {
                failed = true;
                continue;
            };
            failed |= index.as_ref().is_some_and(|index| self.wrong_index(binding, index));
            let locked = self.locked(&value);
            let conditions = self.in_loop(outer, |rule| rule.qualifiers(binding, &value, &chosen));
            let conditions = conditions.map(|more| locked.into_iter().chain(more).collect::<Vec<_>>());
            chosen.push(value);
            match conditions {
                Ok(such_that) => statements.push((id, such_that)),
                Err(_) => failed = true,
            }
        }
        self.own.clear();
        let (size, for_each) = (size?, for_each?);
        number?;
        // Any size; an almost locked set is found by its digits.
        let any = matches!(binding.kind.name.as_str(), words::ALS | words::GROUP);
        let size = if any { Some((Expr::Number(1), None)) } else { size };
        if failed {
            return Err(super::ErrorReported);
        }
        if binding.kind.name == words::LITERAL {
            // The supposition that takes it gives it its value.
            return self.alone(binding);
        }
        for (var, such_that) in statements {
            out.push(Statement::Choose(Choose { var, size: size.clone(), for_each: for_each.clone(), such_that }));
        }
        Ok(())
    }

    /// The loop that gives one choice for each of its members.
    fn for_clause(&mut self, binding: &Binding) -> LowerResult<Option<(VarId, Expr)>> {
        match (&binding.each, binding.names.iter().find(|(_, index)| index.is_some())) {
            (Some(each), Some(_)) => self.each(each, &[Kind::Digit, Kind::Cell]).map(Some),
            (Some(each), None) => self.without_index(binding, &each.index),
            (None, Some((name, Some(index)))) => self.without_for(name, index),
            (None, _) => Ok(None),
        }
    }

    /// The name as what its relations speak of: of a family one member.
    fn chosen(&self, id: VarId, name: &Ident, index: Option<VarId>) -> Option<TypedExpr> {
        let symbol = &self.symbols[id.0];
        let (kind, span, whole) = (symbol.kind?, name.span.clone(), symbol.is_whole());
        let shape = if whole || symbol.shape == VarShape::Set { Shape::Many } else { Shape::One };
        let expr = index.map_or(Expr::Var(id), |index| Expr::Member(id, index));
        Some(TypedExpr { whole, ..TypedExpr::new(expr, kind, shape, span) })
    }

    /// Returns the conditions that make a set an almost locked set or a group, and different from those chosen before.
    fn locked(&mut self, value: &TypedExpr) -> Vec<Condition> {
        let (Expr::Var(id) | Expr::Member(id, _)) = value.expr else { return Vec::new() };
        let role = self.symbols[id.0].role;
        let mut out = match role {
            NameRole::Als(over) => vec![Condition::AlmostLocked(value.expr.clone(), over)],
            NameRole::Group => vec![PredicateId::Group.applied_to(vec![value.expr.clone()])],
            _ => return Vec::new(),
        };
        if let Expr::Var(id) = value.expr {
            for &other in &self.wholes {
                let is_group = self.symbols[other.0].role == NameRole::Group;
                if is_group == (role == NameRole::Group) {
                    out.push(Condition::Not(Box::new(Condition::Equal(Expr::Var(other), Expr::Var(id)))));
                }
            }
            self.wholes.push(id);
        }
        out
    }

    /// `cells[2]` and `cell`, not `cells` and `cell[2]`.
    fn check_number(&mut self, binding: &Binding) -> LowerResult<()> {
        let Some((kind, many)) = binding_kind(binding) else { return Err(super::ErrorReported) };
        let span = binding.kind.span.clone();
        let word = &binding.kind.name;
        if words::OTHER_KINDS.contains(&word.as_str()) || binding.excess.is_some() {
            return self.check_excess(binding);
        }
        match (&binding.size, many) {
            (None, true) => self.fail(KindProblem::NoSize { word: word.clone(), one: one_word(kind) }.at(&span)),
            (_, false) if kind != Kind::Cell && binding.is_family() => self.no_family(binding),
            (Some(size), false) => {
                let problem = KindProblem::SizeOfOne { word: word.clone(), many: describe(kind, false) };
                self.fail(problem.at_both(&size.span, &span))
            }
            (Some(_), true) if kind == Kind::Candidate => self.fail(KindProblem::CandidateSet.at(&span)),
            (Some(size), true) if binding.each.is_some() || binding.is_family() => {
                self.fail(KindProblem::FamilyOfSets { one: one_word(kind) }.at(&size.span))
            }
            _ => Ok(()),
        }
    }

    /// `als` and `als(2)`, not `als[2]` and `cells(2)`.
    fn check_excess(&mut self, binding: &Binding) -> LowerResult<()> {
        let word = &binding.kind.name;
        match (&binding.size, &binding.excess) {
            (Some(size), _) => self.fail(match word.as_str() {
                words::LITERAL => KindProblem::LiteralSize.at(&size.span),
                words::GROUP => KindProblem::GroupSize.at(&size.span),
                _ => KindProblem::AlsSize.at(&size.span),
            }),
            (None, Some(number)) if word != words::ALS => {
                let problem = KindProblem::SizeInParentheses { word: word.clone(), size: number.value };
                self.fail(problem.at(&number.span))
            }
            (None, Some(number)) if number.value == 0 => self.fail(RuleProblem::AlsDegree.at(&number.span)),
            _ if word != words::ALS && binding.is_family() => self.no_family(binding),
            _ => Ok(()),
        }
    }

    fn no_family<T>(&mut self, binding: &Binding) -> LowerResult<T> {
        let problem = match binding_kind(binding) {
            Some((kind @ Kind::House(_), _)) => KindProblem::FamilyOfHouses { many: describe(kind, false) },
            _ => KindProblem::FamilyOfOthers { word: binding.kind.name.clone() },
        };
        self.fail(problem.at(&binding.kind.span))
    }

    fn size(&mut self, size: &Size) -> LowerResult<(Expr, Option<Expr>)> {
        let low = self.expr(&size.low);
        let high = size.high.as_ref().map(|high| self.expr(high)).transpose();
        let (low, high) = (low?, high?);
        let low = self.number_of(&low, "the size of a set")?;
        let high = high.map(|high| self.number_of(&high, "the size of a set")).transpose()?;
        match (&low, &high) {
            (Expr::Number(low), Some(Expr::Number(high))) if low > high => {
                self.fail(RuleProblem::EmptyRange { low: *low, high: *high }.at(&size.span))
            }
            (Expr::Number(0), _) if !size.range => self.fail(RuleProblem::EmptySet.at(&size.span)),
            _ if size.range => Ok((low, high)),
            _ => Ok((low.clone(), Some(low))),
        }
    }

    fn without_index<T>(&mut self, binding: &Binding, index: &Ident) -> LowerResult<T> {
        let Some((name, _)) = binding.names.first() else { return Err(super::ErrorReported) };
        let problem = KindProblem::NoIndex { name: name.name.clone(), index: index.name.clone() };
        self.fail(problem.at_both(&name.span, &index.span))
    }

    fn without_for<T>(&mut self, name: &Ident, index: &Ident) -> LowerResult<T> {
        self.doubtful.insert(index.name.clone());
        let problem = KindProblem::NoFor { name: name.name.clone(), index: index.name.clone() };
        self.fail(problem.at(&index.span))
    }

    fn wrong_index(&mut self, binding: &Binding, index: &Ident) -> bool {
        let Some(each) = binding.each.as_ref().filter(|each| each.index.name != index.name) else { return false };
        let problem = KindProblem::OtherIndex { index: index.name.clone(), running: each.index.name.clone() };
        self.note(problem.at_both(&index.span, &each.index.span));
        true
    }

    fn qualifiers(
        &mut self,
        binding: &Binding,
        value: &TypedExpr,
        before: &[TypedExpr],
    ) -> LowerResult<Vec<Condition>> {
        let several = binding.names.len() > 1;
        let last = before.len() + 1 == binding.names.len();
        let all: Vec<TypedExpr> = before.iter().chain([value]).cloned().collect();
        let mut out = Vec::new();
        let mut failed = false;
        for qualifier in &binding.qualifiers {
            let condition = match &qualifier.kind {
                // `parallel` applies to all names of the line together.
                QualifierKind::Is(Predicate::Relation { relation: Relation::Parallel, to: None, .. }) if several => {
                    self.pairs(value, before).map(Some)
                }
                QualifierKind::Is(predicate) if together(predicate) && several && value.shape == Shape::One => {
                    if !last {
                        continue;
                    }
                    let joined = self.join(all.clone(), qualifier.span.clone());
                    joined.and_then(|joined| self.predicate(&joined, None, predicate)).map(Some)
                }
                _ => self.qualifier(qualifier, value, before).map(Some),
            };
            match condition {
                Ok(Some(Condition::And(parts))) => out.extend(parts),
                Ok(condition) => out.extend(condition),
                Err(_) => failed = true,
            }
        }
        if failed { Err(super::ErrorReported) } else { Ok(out) }
    }

    /// `a, b, c: line parallel`: each two of them.
    fn pairs(&mut self, value: &TypedExpr, before: &[TypedExpr]) -> LowerResult<Condition> {
        // A set runs in one direction itself.
        let own = (value.shape == Shape::Many).then_some(value);
        let others: Vec<&TypedExpr> = before.iter().chain(own).collect();
        let pairs = self.each_of(&others, |rule, other| rule.lie(value, Incidence::Parallel, other))?;
        Ok(Condition::And(pairs))
    }

    fn qualifier(&mut self, qualifier: &Qualifier, value: &TypedExpr, before: &[TypedExpr]) -> LowerResult<Condition> {
        match &qualifier.kind {
            QualifierKind::Exactly(set) => self.exactly(value, set),
            QualifierKind::In(place) => {
                self.in_a_kind(place)?;
                let place = self.expr(place)?;
                if value.kind == Kind::Candidate && (place.kind == Kind::Cell || place.is_house()) {
                    let right = self.cells_of(&place, false, "the place of a candidate")?;
                    return Ok(Condition::Within(Expr::UnsolvedCells(Box::new(value.expr.clone())), right));
                }
                self.membership(value, &place)
            }
            QualifierKind::Is(predicate) => {
                // The relations of a set are said of each of its members.
                let shape =
                    if value.shape == Shape::Many && !together(predicate) { Shape::Listed } else { value.shape };
                self.predicate(&TypedExpr { shape, ..value.clone() }, None, predicate)
            }
            QualifierKind::With(condition) => {
                if value.kind == Kind::Cell {
                    self.no_bare_list(condition)?;
                }
                self.condition(condition)
            }
            QualifierKind::Disjoint(from) => self.disjoint_from(value, before, from.as_ref(), &qualifier.span),
            QualifierKind::Linking(first, to) => self.linking(value, first, to.as_ref()),
            QualifierKind::Count(number) => {
                let number = self.expr(number)?;
                let number = self.number_of(&number, "the number of candidates")?;
                let cells = self.cells_of(value, false, "what has candidates")?;
                let count = Expr::Count(Box::new(Expr::Digits(Box::new(cells))));
                Ok(Condition::Compare(count, Comparison::Equal, number))
            }
        }
    }

    /// `cell with x, y` says nothing of x and y; what is meant is that they are its candidates.
    fn no_bare_list(&mut self, condition: &ast::Condition) -> LowerResult<()> {
        let ast::Condition::Clause(clause) = condition else { return Ok(()) };
        let elements = clause.subject.elements.iter();
        let names: Option<Vec<String>> =
            elements.map(|element| element.as_name().map(|name| name.name.clone())).collect();
        let Some(names) = names.filter(|_| clause.predicate.is_none() && clause.determiner.is_none()) else {
            return Ok(());
        };
        let list = names.join(", ");
        // Here they were to be introduced, so other lines that use them are right.
        self.doubtful.extend(names);
        self.fail(KindProblem::WithNames { list }.at(&clause.span))
    }

    /// `pivot: cell = {x, y}`
    fn exactly(&mut self, value: &TypedExpr, set: &Written) -> LowerResult<Condition> {
        let one_cell = value.kind == Kind::Cell && value.shape == Shape::One;
        let ExprKind::Set(members) = &set.kind else {
            let right = self.expr(set)?;
            if one_cell && right.kind == Kind::Digit {
                let left = Expr::Digits(Box::new(value.expr.clone()));
                return Ok(Condition::Equal(left, right.expr));
            }
            if value.shape == Shape::Many {
                return self.compare(value.clone(), ast::Comparison::Equal, right);
            }
            return self.no_exactly(value, set);
        };
        if one_cell {
            let digits = Expr::Digits(Box::new(value.expr.clone()));
            let left = TypedExpr::new(digits, Kind::Digit, Shape::Many, value.span.clone());
            return self.pattern(Ok(left), members, &set.span);
        }
        let lists_digits = value.kind == Kind::Cell && members.iter().any(|member| self.is_digit(member));
        if value.shape == Shape::One || lists_digits {
            return self.no_exactly(value, set);
        }
        self.pattern(Ok(value.clone()), members, &set.span)
    }

    fn is_digit(&mut self, member: &Written) -> bool {
        self.attempt(|rule| rule.expr(member)).is_some_and(|value| value.kind == Kind::Digit)
    }

    fn no_exactly<T>(&mut self, value: &TypedExpr, set: &Written) -> LowerResult<T> {
        let name = self.own.first().map_or("x".to_owned(), |id| self.symbols[id.0].name.clone());
        let problem = match value.kind {
            Kind::Cell if value.shape == Shape::Many => KindProblem::CandidatesOfSet { name },
            Kind::Cell => KindProblem::CandidatesOfCell,
            Kind::House(_) => KindProblem::CellsOfHouse { name },
            _ => KindProblem::NoCandidates { what: describe(value.kind, true), name },
        };
        self.fail(problem.at(&set.span))
    }
}

/// Relations that are said of several names together, and of a set as a whole.
fn together(predicate: &Predicate) -> bool {
    use Predicate::{Closed, ClosedBetween, Connected, InOne};
    matches!(predicate, InOne(_) | Connected(_) | Closed | ClosedBetween(..))
}
