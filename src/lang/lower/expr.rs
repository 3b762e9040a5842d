//! Expressions. In: expressions as written. Out: checked expressions, every one of one kind, with houses
//! turned into their cells where cells are meant.

use super::names::Rule;
use super::value::{Shape, Value, common};
use super::{Checked, ErrorReported};
use crate::lang::ast::{self, Binary, Condition, ExprKind, Ident, Noun, Operator, Span};
use crate::lang::codes::{KindProblem, Problem, RuleProblem, SyntaxProblem};
use crate::lang::ir::{Expr, HouseClass, Kind, VarShape};

/// Terms of one chain of `&` or of numbers, at most: they nest in the checked form.
const MOST_TERMS: usize = 32;

impl Rule<'_> {
    pub fn expr(&mut self, expr: &ast::Expr) -> Checked<Value> {
        let span = expr.span.clone();
        match &expr.kind {
            ExprKind::Name(ident) => self.name(ident),
            ExprKind::Member(name, index) => self.member(name, index, span),
            ExprKind::Number(number) => Ok(Value::new(Expr::Number(*number), Kind::Number, Shape::One, span)),
            ExprKind::Set(members) => {
                let values = self.each_of(members, Self::expr)?;
                let shape =
                    if values.iter().all(|value| value.shape != Shape::Many) { Shape::Listed } else { Shape::Many };
                let joined = self.join(values, span)?;
                let expr = if members.len() == 1 { Expr::Union(vec![joined.expr]) } else { joined.expr };
                Ok(Value { expr, shape, ..joined })
            }
            ExprKind::Count(inner) => self.count(inner, span),
            ExprKind::Call(function, arguments) => self.call(function, arguments, span),
            ExprKind::Seeing(word, determiner, seen) => self.seeing(word, determiner.as_ref(), seen, span),
            ExprKind::Excluded(determiner, by) => self.excluded(determiner.as_ref(), by, span),
            ExprKind::Chain(first, rest) => self.chain_of(first, rest, span),
            ExprKind::Paren(condition) => self.in_parentheses(condition, span),
            ExprKind::Those(those) => self.those(those, span),
        }
    }

    /// Checks all members before it fails, so that every error is reported.
    pub fn each_of<A, T>(&mut self, all: &[A], mut check: impl FnMut(&mut Self, &A) -> Checked<T>) -> Checked<Vec<T>> {
        let results: Vec<Checked<T>> = all.iter().map(|one| check(self, one)).collect();
        results.into_iter().collect()
    }

    fn member(&mut self, name: &ast::Ident, index: &ast::Ident, span: Span) -> Checked<Value> {
        let Some(id) = self.find(&name.name) else { return self.unknown(name) };
        self.mention(id);
        let symbol = &self.symbols[id.0];
        let declared = symbol.span.clone();
        if symbol.shape != VarShape::Family {
            let problem = KindProblem::NoMembers { name: name.name.clone(), index: index.name.clone() };
            return self.fail(problem.at_both(&span, &declared));
        }
        let Some(kind) = symbol.kind else { return Err(ErrorReported) };
        let (whole, over) = (symbol.is_whole(), symbol.index.unwrap_or(Kind::Digit));
        let index = self.single(index, over, true)?;
        let shape = if whole { Shape::Many } else { Shape::One };
        Ok(Value { whole, ..Value::new(Expr::Member(id, index), kind, shape, span) })
    }

    /// `those c in X with C`
    fn those(&mut self, those: &ast::Those, span: Span) -> Checked<Value> {
        let over = self.expr(&those.over);
        let Some(var) = self.index_at(&those.index.span) else { return Err(ErrorReported) };
        let over = over?;
        if over.kind == Kind::Number || (over.is_house() && over.shape == Shape::One) {
            self.symbols[var.0].kind = None;
            return self.fail(KindProblem::ThoseOfOne { what: over.what() }.at(&over.span));
        }
        self.symbols[var.0].kind = None;
        self.no_cells_of_houses(&over, &those.index)?;
        self.running(&those.index)?;
        self.symbols[var.0].kind = Some(over.kind);
        let when = self.in_loop(Some(var), |rule| rule.repeated(&those.when, &those.each))?;
        let expr = Expr::Those { var, of: Box::new(over.expr), when: Box::new(when) };
        Ok(Value::new(expr, over.kind, Shape::Many, span))
    }

    fn count(&mut self, inner: &ast::Expr, span: Span) -> Checked<Value> {
        let value = self.expr(inner)?;
        if value.kind == Kind::Number {
            return self.fail(KindProblem::CountOfNumber.at(&value.span));
        }
        if value.is_house() && value.shape == Shape::One {
            return self.fail(KindProblem::CountOfHouse.at(&value.span));
        }
        Ok(Value::new(Expr::Count(Box::new(value.expr)), Kind::Number, Shape::One, span))
    }

    /// Lowers an expression in parentheses; a condition there is an error.
    fn in_parentheses(&mut self, condition: &Condition, span: Span) -> Checked<Value> {
        match condition {
            Condition::Clause(clause) if clause.determiner.is_none() && clause.predicate.is_none() => {
                let value = self.noun(&clause.subject)?;
                Ok(Value { span, ..value })
            }
            Condition::Mixed(and, or) => self.mixed(and, or),
            _ => self.fail(KindProblem::NoValue.at(&span)),
        }
    }

    pub fn mixed<T>(&mut self, and: &Span, or: &Span) -> Checked<T> {
        let (first, second) = if and.start < or.start { (and, or) } else { (or, and) };
        self.fail(SyntaxProblem::AndBesideOr.at_both(second, first))
    }

    fn chain_of(&mut self, first: &ast::Expr, rest: &[Binary], span: Span) -> Checked<Value> {
        let operator = rest.first().map_or(Operator::Plus, |binary| binary.operator);
        if let Some(other) = rest.iter().find(|binary| binary.operator != operator) {
            let sign = rest.first().map_or(&span, |binary| &binary.sign);
            return self.fail(SyntaxProblem::MixedOperators.at_both(&other.sign, sign));
        }
        let terms: Vec<&ast::Expr> = std::iter::once(first).chain(rest.iter().map(|binary| &binary.right)).collect();
        let mut values = self.each_of(&terms, |rule, term| rule.expr(term))?;
        let numbers = values.iter().filter(|value| value.kind == Kind::Number).count();
        if values.len() > MOST_TERMS && (numbers > 0 || operator == Operator::And) {
            return self.fail(SyntaxProblem::LongExpression { most: MOST_TERMS }.at(&span));
        }
        if numbers == values.len() && operator != Operator::And {
            return Ok(Value::new(sum_of_numbers(values, operator), Kind::Number, Shape::One, span));
        }
        if operator == Operator::Plus {
            let shape = Shape::Many;
            return Ok(Value { shape, ..self.join(values, span)? });
        }
        // `-` and `&` of sets of houses give houses; with a single house they give cells.
        let houses = values.iter().all(|value| value.is_house() && !value.singles);
        let from_houses = !houses && values.first().is_some_and(|first| first.is_house() && !first.singles);
        if !houses && values.iter().any(Value::is_house) {
            for value in &mut values {
                if let Some(expr) = value.as_cells(false) {
                    *value = Value { expr, kind: Kind::Cell, ..value.clone() };
                }
            }
        }
        self.same_kind(&values, if operator == Operator::Minus { "`-`" } else { "`&`" })?;
        let first = values.first().map_or(Kind::Cell, |value| value.kind);
        // `base & rows` are rows.
        let narrow = values.iter().map(|value| value.kind).find(|kind| *kind != Kind::House(HouseClass::Any));
        let kind = if operator == Operator::And { narrow.unwrap_or(first) } else { first };
        Ok(Value { from_houses, ..Value::new(cut(values, operator), kind, Shape::Many, span) })
    }

    /// Reports a running name over cells that look like houses: `-` or `&` has turned a set of houses into cells.
    pub fn no_cells_of_houses(&mut self, over: &Value, index: &Ident) -> Checked<()> {
        if !over.from_houses {
            return Ok(());
        }
        self.fail(RuleProblem::CellsOfHouses { name: index.name.clone() }.at(&over.span))
    }

    /// Checks that values are sets of one kind.
    fn same_kind(&mut self, values: &[Value], who: &'static str) -> Checked<Kind> {
        let mut kind: Option<Kind> = None;
        for value in values {
            let joined = match kind {
                None => Some(value.kind),
                Some(kind) => common(kind, value.kind),
            };
            match (joined, values.first()) {
                (Some(joined), _) => kind = Some(joined),
                (None, Some(first)) => {
                    let problem = KindProblem::MixedJoin { who, first: first.what(), what: value.what() };
                    let help = kind_help(first.kind, value.kind);
                    return self.fail(problem.at_both(&value.span, &first.span).help_if(help));
                }
                (None, None) => {}
            }
        }
        kind.ok_or(ErrorReported)
    }

    /// Joins values into one union; houses become their cells if there are cells among the values.
    pub fn join(&mut self, mut values: Vec<Value>, span: Span) -> Checked<Value> {
        if values.len() == 1 {
            return values.pop().map(|value| Value { span, ..value }).ok_or(ErrorReported);
        }
        if values.iter().any(|value| value.kind == Kind::Cell) {
            for value in &mut values {
                if let Some(expr) = value.as_cells(false) {
                    *value = Value { expr, kind: Kind::Cell, ..value.clone() };
                }
            }
        }
        if let Some(number) = values.iter().find(|value| value.kind == Kind::Number && values.len() > 1) {
            return self.fail(KindProblem::NumberInList.at(&number.span));
        }
        let kind = self.same_kind(&values, "a list or `+`")?;
        let shape = if values.iter().all(|value| value.shape != Shape::Many) { Shape::Listed } else { Shape::Many };
        let singles = values.iter().any(|value| value.singles);
        let parts = values.into_iter().map(|value| value.expr).collect();
        Ok(Value { singles, ..Value::new(Expr::Union(parts), kind, shape, span) })
    }

    /// A comma list: `z in A, B`, `pivot, pincer`, `p, z in A`.
    pub fn noun(&mut self, noun: &Noun) -> Checked<Value> {
        let mut done: Vec<Value> = Vec::new();
        let mut waiting: Vec<Value> = Vec::new();
        let mut open: Option<(Value, Vec<Value>)> = None;
        let mut failed = self.unknown_names(noun);
        for element in &noun.elements {
            let (Ok(left), place) =
                (self.expr(&element.left), element.place.as_ref().map(|place| self.expr(place)).transpose())
            else {
                failed = true;
                continue;
            };
            let Ok(place) = place else {
                failed = true;
                continue;
            };
            match (place, &mut open) {
                (Some(place), _) => {
                    done.extend(self.candidates(open.take())?);
                    let same = |value: &Value| common(value.kind, left.kind).is_some();
                    let (mut digits, others): (Vec<_>, Vec<_>) = waiting.drain(..).partition(same);
                    done.extend(others);
                    let span = digits.first().map_or(left.span.clone(), |first| first.span.start..left.span.end);
                    digits.push(left);
                    open = Some((self.join(digits, span)?, vec![place]));
                }
                // `d in s, G`: the candidates of `G` with the digit.
                (None, Some((_, places))) if left.kind != Kind::Digit && left.kind != Kind::Number => places.push(left),
                (None, _) => waiting.push(left),
            }
        }
        if failed {
            return Err(ErrorReported);
        }
        done.extend(self.candidates(open)?);
        done.extend(waiting);
        self.join(done, noun.span.clone())
    }

    /// `D in C`
    fn candidates(&mut self, open: Option<(Value, Vec<Value>)>) -> Checked<Option<Value>> {
        let Some((digits, places)) = open else { return Ok(None) };
        let span = digits.span.start..places.last().map_or(digits.span.end, |last| last.span.end);
        // The first counts as a place even if it is candidates; that is reported as an error.
        let listed = |at: usize, value: &Value| at > 0 && value.kind == Kind::Candidate;
        let (groups, places): (Vec<_>, Vec<_>) = places.into_iter().enumerate().partition(|(at, v)| listed(*at, v));
        let places: Vec<Value> = places.into_iter().map(|(_, value)| value).collect();
        let place_span = places.first().map_or(span.clone(), |first| first.span.start..span.end);
        let cells = self.join(places, place_span)?;
        let mut all = vec![self.digits_in(digits.clone(), &cells, span.clone())?];
        for (_, group) in groups {
            let cells = Expr::Cells(Box::new(group.expr.clone()));
            let there = Expr::In(Box::new(digits.expr.clone()), Box::new(cells));
            let expr = Expr::Intersection(Box::new(there), Box::new(group.expr));
            all.push(Value::new(expr, Kind::Candidate, Shape::Many, group.span));
        }
        self.join(all, span).map(Some)
    }

    pub fn digits_in(&mut self, digits: Value, cells: &Value, span: Span) -> Checked<Value> {
        let place = self.cells_of(cells, false, "the place of candidates")?;
        if digits.kind != Kind::Digit {
            let (number, count) = (digits.kind == Kind::Number, matches!(digits.expr, Expr::Count(_)));
            let problem = KindProblem::NotDigitsInPlace { what: digits.what(), number, count };
            return self.fail(problem.at(&digits.span));
        }
        let expr = Expr::In(Box::new(digits.expr), Box::new(place));
        Ok(Value::new(expr, Kind::Candidate, Shape::Many, span))
    }

    /// Returns the value as cells; the error names `who` needs them.
    pub fn cells_of(&mut self, value: &Value, candidates: bool, who: &str) -> Checked<Expr> {
        match value.as_cells(candidates) {
            Some(expr) => Ok(expr),
            None => {
                let (who, what) = (who.to_owned(), value.what());
                self.fail(match value.kind {
                    Kind::Candidate => KindProblem::CandidatesForCells { who, what }.at(&value.span),
                    Kind::Digit => KindProblem::DigitsForCells { who, what }.at(&value.span),
                    _ => KindProblem::NotCells { who, what }.at(&value.span),
                })
            }
        }
    }

    /// Returns the value as digits.
    pub fn digits_of(&mut self, value: &Value, who: &str) -> Checked<Expr> {
        if value.kind == Kind::Digit {
            return Ok(value.expr.clone());
        }
        let (who, number) = (who.to_owned(), value.kind == Kind::Number);
        self.fail(KindProblem::NotDigits { who, what: value.what(), number }.at(&value.span))
    }

    /// Returns the value as a number.
    pub fn number_of(&mut self, value: &Value, who: &str) -> Checked<Expr> {
        if value.kind == Kind::Number {
            return Ok(value.expr.clone());
        }
        self.fail(KindProblem::NotNumber { who: who.to_owned(), what: value.what() }.at(&value.span))
    }
}

/// Returns advice for two kinds that do not mix.
pub fn kind_help(a: Kind, b: Kind) -> Option<String> {
    use Kind::{Candidate, Cell, Digit, House, Number};
    Some(match (a, b) {
        (Digit, Cell | House(_)) | (Cell | House(_), Digit) => {
            "`digits(c)` gives the digits of a cell, `d in c` a candidate".to_owned()
        }
        (Candidate, Cell | House(_)) | (Cell | House(_), Candidate) => {
            "`cells(…)` gives the cells of candidates".to_owned()
        }
        (Candidate, Digit) | (Digit, Candidate) => "`digits(…)` gives the digits of candidates".to_owned(),
        (Number, _) | (_, Number) => "`#` before a set counts it: `#digits(s)`".to_owned(),
        _ => return None,
    })
}

fn sum_of_numbers(values: Vec<Value>, operator: Operator) -> Expr {
    let mut exprs = values.into_iter().map(|value| value.expr);
    let first = exprs.next().unwrap_or(Expr::Number(0));
    exprs.fold(first, |sum, next| match operator {
        Operator::Plus => Expr::Add(Box::new(sum), Box::new(next)),
        _ => Expr::Subtract(Box::new(sum), Box::new(next)),
    })
}

/// `a & b & c`, `a - b - c` (the last as `a` without the union of the others).
fn cut(values: Vec<Value>, operator: Operator) -> Expr {
    let mut exprs = values.into_iter().map(|value| value.expr);
    let first = exprs.next().unwrap_or(Expr::Union(Vec::new()));
    if operator == Operator::And {
        return exprs.fold(first, |all, next| Expr::Intersection(Box::new(all), Box::new(next)));
    }
    let mut others: Vec<Expr> = exprs.collect();
    let right = if others.len() == 1 { others.remove(0) } else { Expr::Union(others) };
    Expr::Difference(Box::new(first), Box::new(right))
}
