//! Expressions. In: expressions, functions and `cells seeing …` as written. Out: checked expressions, every one of one kind, with
//! houses turned into their cells where cells are meant.

use super::names::{Lowering, MentionPlace};
use super::value::{Shape, TypedExpr, common, house_class};
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{self, Binary, Condition, Determiner, Element, ExprKind, Ident, Noun, Operator, Span};
use crate::lang::codes::{KindProblem, NameProblem, Problem, RuleProblem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Expr, HouseClass, Kind, VarShape};
use crate::lang::words;

/// Terms of one chain of `&` or of numbers, at most: they nest in the checked form.
const MOST_TERMS: usize = 32;

impl Lowering<'_> {
    pub fn expr(&mut self, expr: &ast::Expr) -> LowerResult<TypedExpr> {
        let span = expr.span.clone();
        match &expr.kind {
            ExprKind::Name(ident) => self.name(ident),
            ExprKind::Member(name, index) => self.member(name, index, span),
            ExprKind::Number(number) => Ok(TypedExpr::new(Expr::Number(*number), Kind::Number, Shape::One, span)),
            ExprKind::Set(members) => {
                let values = self.each_of(members, Self::expr)?;
                let shape =
                    if values.iter().all(|value| value.shape != Shape::Many) { Shape::Listed } else { Shape::Many };
                let joined = self.join(values, span)?;
                let expr = if members.len() == 1 { Expr::Union(vec![joined.expr]) } else { joined.expr };
                Ok(TypedExpr { expr, shape, ..joined })
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
    pub fn each_of<A, T>(
        &mut self,
        all: &[A],
        mut check: impl FnMut(&mut Self, &A) -> LowerResult<T>,
    ) -> LowerResult<Vec<T>> {
        let results: Vec<LowerResult<T>> = all.iter().map(|one| check(self, one)).collect();
        results.into_iter().collect()
    }

    fn member(&mut self, name: &ast::Ident, index: &ast::Ident, span: Span) -> LowerResult<TypedExpr> {
        let id = self.mentioned(name)?;
        let symbol = &self.symbols[id.0];
        let declared = symbol.span.clone();
        if symbol.shape != VarShape::Family {
            let problem = KindProblem::NoMembers { name: name.name.clone(), index: index.name.clone() };
            return self.fail(problem.at_both(&span, &declared));
        }
        let kind = symbol.kind.ok_or(ErrorReported)?;
        let (whole, over) = (symbol.is_whole(), symbol.index.unwrap_or(Kind::Digit));
        let index = self.single(index, over, true)?;
        let shape = if whole { Shape::Many } else { Shape::One };
        Ok(TypedExpr { whole, ..TypedExpr::new(Expr::Member(id, index), kind, shape, span) })
    }

    /// `those c in X with C`
    fn those(&mut self, those: &ast::Those, span: Span) -> LowerResult<TypedExpr> {
        let over = self.expr(&those.over);
        let var = self.index_at(&those.index.span).ok_or(ErrorReported)?;
        let over = over?;
        self.symbols[var.0].kind = None;
        if over.kind == Kind::Number || (over.is_house() && over.shape == Shape::One) {
            return self.fail(KindProblem::ThoseOfOne { what: over.what() }.at(&over.span));
        }
        self.no_cells_of_houses(&over, &those.index)?;
        self.running(&those.index)?;
        self.symbols[var.0].kind = Some(over.kind);
        let when = self.in_loop(Some(var), |rule| rule.repeated(&those.when, &those.each))?;
        let expr = Expr::Filter { var, set: Box::new(over.expr), condition: Box::new(when) };
        Ok(TypedExpr::new(expr, over.kind, Shape::Many, span))
    }

    fn count(&mut self, inner: &ast::Expr, span: Span) -> LowerResult<TypedExpr> {
        let value = self.expr(inner)?;
        if value.kind == Kind::Number {
            return self.fail(KindProblem::CountOfNumber.at(&value.span));
        }
        if value.is_house() && value.shape == Shape::One {
            return self.fail(KindProblem::CountOfHouse.at(&value.span));
        }
        Ok(TypedExpr::new(Expr::Count(Box::new(value.expr)), Kind::Number, Shape::One, span))
    }

    /// Lowers an expression in parentheses; a condition there is an error.
    fn in_parentheses(&mut self, condition: &Condition, span: Span) -> LowerResult<TypedExpr> {
        match condition {
            Condition::Clause(clause) if clause.determiner.is_none() && clause.predicate.is_none() => {
                let value = self.noun(&clause.subject)?;
                Ok(TypedExpr { span, ..value })
            }
            Condition::Mixed(and, or) => self.mixed(and, or),
            _ => self.fail(KindProblem::NoValue.at(&span)),
        }
    }

    pub fn mixed<T>(&mut self, and: &Span, or: &Span) -> LowerResult<T> {
        let (first, second) = if and.start < or.start { (and, or) } else { (or, and) };
        self.fail(SyntaxProblem::AndBesideOr.at_both(second, first))
    }

    fn chain_of(&mut self, first: &ast::Expr, rest: &[Binary], span: Span) -> LowerResult<TypedExpr> {
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
            return Ok(TypedExpr::new(sum_of_numbers(values, operator), Kind::Number, Shape::One, span));
        }
        if operator == Operator::Plus {
            let shape = Shape::Many;
            return Ok(TypedExpr { shape, ..self.join(values, span)? });
        }
        // `-` and `&` of sets of houses give houses; with a single house they give cells.
        let houses = values.iter().all(|value| value.is_house() && !value.singles);
        let from_houses = !houses && values.first().is_some_and(|first| first.is_house() && !first.singles);
        if !houses && values.iter().any(TypedExpr::is_house) {
            houses_as_cells(&mut values);
        }
        self.same_kind(&values, if operator == Operator::Minus { "`-`" } else { "`&`" })?;
        let first = values.first().map_or(Kind::Cell, |value| value.kind);
        // `base & rows` are rows.
        let narrow = values.iter().map(|value| value.kind).find(|kind| *kind != Kind::House(HouseClass::Any));
        let kind = if operator == Operator::And { narrow.unwrap_or(first) } else { first };
        Ok(TypedExpr { from_houses, ..TypedExpr::new(cut(values, operator), kind, Shape::Many, span) })
    }

    /// Reports a running name over cells that look like houses: `-` or `&` has turned a set of houses into cells.
    pub fn no_cells_of_houses(&mut self, over: &TypedExpr, index: &Ident) -> LowerResult<()> {
        if !over.from_houses {
            return Ok(());
        }
        self.fail(RuleProblem::CellsOfHouses { name: index.name.clone() }.at(&over.span))
    }

    /// Checks that values are sets of one kind.
    fn same_kind(&mut self, values: &[TypedExpr], who: &'static str) -> LowerResult<Kind> {
        let first = values.first().ok_or(ErrorReported)?;
        let mut kind = first.kind;
        for value in values {
            let Some(joined) = common(kind, value.kind) else {
                let problem = KindProblem::MixedJoin { who, first: first.what(), what: value.what() };
                let help = kind_help(first.kind, value.kind);
                return self.fail(problem.at_both(&value.span, &first.span).help_if(help));
            };
            kind = joined;
        }
        Ok(kind)
    }

    /// Joins values into one union; houses become their cells if there are cells among the values.
    pub fn join(&mut self, mut values: Vec<TypedExpr>, span: Span) -> LowerResult<TypedExpr> {
        if values.len() == 1 {
            return values.pop().map(|value| TypedExpr { span, ..value }).ok_or(ErrorReported);
        }
        if values.iter().any(|value| value.kind == Kind::Cell) {
            houses_as_cells(&mut values);
        }
        if let Some(number) = values.iter().find(|value| value.kind == Kind::Number && values.len() > 1) {
            return self.fail(KindProblem::NumberInList.at(&number.span));
        }
        let kind = self.same_kind(&values, "a list or `+`")?;
        let shape = if values.iter().all(|value| value.shape != Shape::Many) { Shape::Listed } else { Shape::Many };
        let singles = values.iter().any(|value| value.singles);
        let parts = values.into_iter().map(|value| value.expr).collect();
        Ok(TypedExpr { singles, ..TypedExpr::new(Expr::Union(parts), kind, shape, span) })
    }

    /// A comma list: `z in A, B`, `pivot, pincer`, `p, z in A`.
    pub fn noun(&mut self, noun: &Noun) -> LowerResult<TypedExpr> {
        let mut done: Vec<TypedExpr> = Vec::new();
        let mut waiting: Vec<TypedExpr> = Vec::new();
        let mut open: Option<(TypedExpr, Vec<TypedExpr>)> = None;
        let mut failed = self.unknown_names(noun);
        for element in &noun.elements {
            let left = self.expr(&element.left);
            let place = element.place.as_ref().map(|place| self.expr(place)).transpose();
            let (Ok(left), Ok(place)) = (left, place) else {
                failed = true;
                continue;
            };
            match (place, &mut open) {
                (Some(place), _) => {
                    done.extend(self.candidates(open.take())?);
                    let (mut digits, others): (Vec<_>, Vec<_>) =
                        waiting.drain(..).partition(|value| common(value.kind, left.kind).is_some());
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
    fn candidates(&mut self, open: Option<(TypedExpr, Vec<TypedExpr>)>) -> LowerResult<Option<TypedExpr>> {
        let Some((digits, places)) = open else { return Ok(None) };
        let span = digits.span.start..places.last().map_or(digits.span.end, |last| last.span.end);
        let mut places = places.into_iter();
        // The first counts as a place even if it is candidates; that is reported as an error.
        let first = places.next();
        let (groups, others): (Vec<_>, Vec<_>) = places.partition(|value| value.kind == Kind::Candidate);
        let places: Vec<TypedExpr> = first.into_iter().chain(others).collect();
        let place_span = places.first().map_or(span.clone(), |first| first.span.start..span.end);
        let cells = self.join(places, place_span)?;
        let mut all = vec![self.digits_in(digits.clone(), &cells, span.clone())?];
        for group in groups {
            let cells = Expr::UnsolvedCells(Box::new(group.expr.clone()));
            let there = Expr::In(Box::new(digits.expr.clone()), Box::new(cells));
            let expr = Expr::Intersection(Box::new(there), Box::new(group.expr));
            all.push(TypedExpr::new(expr, Kind::Candidate, Shape::Many, group.span));
        }
        self.join(all, span).map(Some)
    }

    pub fn digits_in(&mut self, digits: TypedExpr, cells: &TypedExpr, span: Span) -> LowerResult<TypedExpr> {
        let place = self.cells_of(cells, false, "the place of candidates")?;
        if digits.kind != Kind::Digit {
            let (number, count) = (digits.kind == Kind::Number, matches!(digits.expr, Expr::Count(_)));
            let problem = KindProblem::NotDigitsInPlace { what: digits.what(), number, count };
            return self.fail(problem.at(&digits.span));
        }
        let expr = Expr::In(Box::new(digits.expr), Box::new(place));
        Ok(TypedExpr::new(expr, Kind::Candidate, Shape::Many, span))
    }

    /// Returns the value as cells; the error names `who` needs them.
    pub fn cells_of(&mut self, value: &TypedExpr, candidates: bool, who: &str) -> LowerResult<Expr> {
        if let Some(expr) = value.as_cells(candidates) {
            return Ok(expr);
        }
        let (who, what) = (who.to_owned(), value.what());
        let problem = match value.kind {
            Kind::Candidate => KindProblem::CandidatesForCells { who, what },
            Kind::Digit => KindProblem::DigitsForCells { who, what },
            _ => KindProblem::NotCells { who, what },
        };
        self.fail(problem.at(&value.span))
    }

    /// Returns the value as digits.
    pub fn digits_of(&mut self, value: &TypedExpr, who: &str) -> LowerResult<Expr> {
        if value.kind == Kind::Digit {
            return Ok(value.expr.clone());
        }
        let (who, number) = (who.to_owned(), value.kind == Kind::Number);
        self.fail(KindProblem::NotDigits { who, what: value.what(), number }.at(&value.span))
    }

    /// Returns the value as a number.
    pub fn number_of(&mut self, value: &TypedExpr, who: &str) -> LowerResult<Expr> {
        if value.kind == Kind::Number {
            return Ok(value.expr.clone());
        }
        self.fail(KindProblem::NotNumber { who: who.to_owned(), what: value.what() }.at(&value.span))
    }
}

fn houses_as_cells(values: &mut [TypedExpr]) {
    for value in values {
        if let Some(expr) = value.as_cells(false) {
            (value.expr, value.kind) = (expr, Kind::Cell);
        }
    }
}

/// Returns advice for two kinds that do not mix.
pub fn kind_help(a: Kind, b: Kind) -> Option<String> {
    use Kind::{Candidate, Cell, Digit, House, Number};
    let help = match (a, b) {
        (Digit, Cell | House(_)) | (Cell | House(_), Digit) => {
            "`digits(c)` gives the digits of a cell, `d in c` a candidate"
        }
        (Candidate, Cell | House(_)) | (Cell | House(_), Candidate) => "`cells(…)` gives the cells of candidates",
        (Candidate, Digit) | (Digit, Candidate) => "`digits(…)` gives the digits of candidates",
        (Number, _) | (_, Number) => "`#` before a set counts it: `#digits(s)`",
        _ => return None,
    };
    Some(help.to_owned())
}

fn sum_of_numbers(values: Vec<TypedExpr>, operator: Operator) -> Expr {
    let mut exprs = values.into_iter().map(|value| value.expr);
    let first = exprs.next().unwrap_or(Expr::Number(0));
    exprs.fold(first, |sum, next| match operator {
        Operator::Plus => Expr::Add(Box::new(sum), Box::new(next)),
        _ => Expr::Subtract(Box::new(sum), Box::new(next)),
    })
}

/// `a & b & c`, `a - b - c` (the last as `a` without the union of the others).
fn cut(values: Vec<TypedExpr>, operator: Operator) -> Expr {
    let mut exprs = values.into_iter().map(|value| value.expr);
    let first = exprs.next().unwrap_or(Expr::Union(Vec::new()));
    if operator == Operator::And {
        return exprs.fold(first, |all, next| Expr::Intersection(Box::new(all), Box::new(next)));
    }
    let mut others: Vec<Expr> = exprs.collect();
    let right = if others.len() == 1 { others.remove(0) } else { Expr::Union(others) };
    Expr::Difference(Box::new(first), Box::new(right))
}

impl Lowering<'_> {
    pub fn call(&mut self, function: &Ident, arguments: &Noun, span: Span) -> LowerResult<TypedExpr> {
        let name = function.name.as_str();
        if name == "times" {
            return self.times(arguments, span);
        }
        if let Some(value) = self.price_function(function, arguments, &span) {
            return value;
        }
        if !words::FUNCTIONS.contains(&name) {
            return self.fail(no_function(function));
        }
        // Templates are properties of the position: names in the argument are restricted by them.
        let place = self.place;
        if matches!(name, "in_no_template" | "in_every_template" | "in_no_combination") {
            self.place = MentionPlace::Pattern;
        }
        let value = self.noun(arguments);
        self.place = place;
        let value = value?;
        let who = format!("the argument of `{name}`");
        // One candidate has one digit and one cell.
        let one_candidate = value.kind == Kind::Candidate && value.shape == Shape::One;
        let shape = if one_candidate { Shape::One } else { Shape::Many };
        let argument = match name {
            "digits" | "cells" if value.kind == Kind::Candidate => value.expr,
            "digits" | "cells" | "values" | "in_no_combination" => self.cells_of(&value, false, &who)?,
            "in_no_template" | "in_every_template" => self.digits_of(&value, &who)?,
            "overlap" => return self.overlap(value, span),
            _ => return self.houses(name, &value, &who, span),
        };
        let argument = Box::new(argument);
        Ok(match name {
            "digits" => TypedExpr::new(Expr::Digits(argument), Kind::Digit, shape, span),
            "values" => TypedExpr::new(Expr::Values(argument), Kind::Digit, shape, span),
            "cells" => TypedExpr::new(Expr::UnsolvedCells(argument), Kind::Cell, shape, span),
            "in_every_template" => TypedExpr::new(Expr::InEveryTemplate(argument), Kind::Candidate, Shape::Many, span),
            _ => TypedExpr::new(Expr::InNoTemplate(argument), Kind::Candidate, Shape::Many, span),
        })
    }

    /// `overlap(base)`
    fn overlap(&mut self, value: TypedExpr, span: Span) -> LowerResult<TypedExpr> {
        if value.is_house() && value.shape != Shape::One {
            return Ok(TypedExpr::new(Expr::Overlap(Box::new(value.expr)), Kind::Cell, Shape::Many, span));
        }
        self.fail(KindProblem::OverlapOfOther { what: value.what() }.at(&value.span))
    }

    /// `row(c)`, `boxes(s)`
    fn houses(&mut self, name: &str, value: &TypedExpr, who: &str, span: Span) -> LowerResult<TypedExpr> {
        let class = house_class(name).ok_or(super::ErrorReported)?;
        let cells = self.cells_of(value, true, who)?;
        let one = matches!(name, "row" | "column" | "box");
        if one && (value.shape != Shape::One || value.is_house()) {
            let many = if name == "box" { "boxes".to_owned() } else { format!("{name}s") };
            let problem = KindProblem::HouseOfSet { name: name.to_owned(), many, what: value.what() };
            return self.fail(problem.at(&value.span));
        }
        let shape = if one { Shape::One } else { Shape::Many };
        Ok(TypedExpr::new(Expr::HousesOf(class, Box::new(cells)), Kind::House(class), shape, span))
    }

    /// `times(d, S)`
    fn times(&mut self, arguments: &Noun, span: Span) -> LowerResult<TypedExpr> {
        let Some(&[digit, cells]) = arguments.exprs().as_deref() else {
            return self.fail(KindProblem::TimesArguments.at(&arguments.span));
        };
        let (digit, cells) = (self.expr(digit), self.expr(cells));
        let (digit, cells) = (digit?, cells?);
        let digits = self.digits_of(&digit, "the first argument of `times`")?;
        if digit.shape != Shape::One {
            return self.fail(KindProblem::TimesOfSet.at(&digit.span));
        }
        let cells = self.cells_of(&cells, false, "the second argument of `times`")?;
        Ok(TypedExpr::new(Expr::MaxOccurrences(Box::new(digits), Box::new(cells)), Kind::Number, Shape::One, span))
    }

    /// `cells seeing every s`
    pub fn seeing(
        &mut self,
        word: &Ident,
        determiner: Option<&(Determiner, Span)>,
        seen: &[Element],
        span: Span,
    ) -> LowerResult<TypedExpr> {
        if word.name != "cells" {
            let name = self.find(&word.name).map(|_| word.name.clone());
            return self.fail(KindProblem::SeeingWithoutCells { name }.at(&word.span));
        }
        let of = self.noun(&listed(seen, &span))?;
        let every = self.means_every(&of, determiner, KindProblem::SeeingNo)?;
        let cells = self.cells_of(&of, true, "what is seen")?;
        Ok(TypedExpr::new(Expr::Seeing { every, cells: Box::new(cells) }, Kind::Cell, Shape::Many, span))
    }

    /// `candidates excluded by every K`
    pub fn excluded(&mut self, how: Option<&(Determiner, Span)>, by: &[Element], span: Span) -> LowerResult<TypedExpr> {
        let of = self.noun(&listed(by, &span))?;
        if of.kind != Kind::Candidate {
            return self.fail(KindProblem::ExcludedByOther { what: of.what() }.at(&of.span));
        }
        let every = self.means_every(&of, how, KindProblem::ExcludedByNo)?;
        let expr = Expr::Excluded { every, candidates: Box::new(of.expr) };
        Ok(TypedExpr::new(expr, Kind::Candidate, Shape::Many, span))
    }

    /// Returns true if all of a list are meant, false if some are; `no` is an error.
    fn means_every(&mut self, of: &TypedExpr, how: Option<&(Determiner, Span)>, no: KindProblem) -> LowerResult<bool> {
        if let Some((Determiner::No, place)) = how {
            return self.fail(no.at(place));
        }
        self.check_determiner(of, how)?;
        Ok(how.is_none_or(|(determiner, _)| *determiner == Determiner::Every))
    }

    /// Reports a set without `every` or `some`, and one thing with such a word.
    pub fn check_determiner(&mut self, value: &TypedExpr, how: Option<&(Determiner, Span)>) -> LowerResult<()> {
        match how {
            Some((_, place)) => self.no_determiner_on_one(value, place),
            None if value.shape == Shape::Many => {
                self.fail(KindProblem::SetWithoutWord { what: value.what() }.at(&value.span))
            }
            None => Ok(()),
        }
    }

    /// Reports `every`, `some` or `no` before one thing.
    pub fn no_determiner_on_one(&mut self, value: &TypedExpr, place: &Span) -> LowerResult<()> {
        if value.shape != Shape::One {
            return Ok(());
        }
        self.fail(KindProblem::WordBeforeOne { what: value.what() }.at_both(place, &value.span))
    }
}

/// Returns the list after `seeing` or `excluded by`.
fn listed(elements: &[Element], whole: &Span) -> Noun {
    let start = elements.first().map_or(whole.start, |first| first.span.start);
    let end = elements.last().map_or(whole.end, |last| last.span.end);
    Noun { span: start..end, elements: elements.to_vec() }
}

/// Returns the error for an unknown function.
fn no_function(function: &Ident) -> Diagnostic {
    let name = function.name.as_str();
    let instead = words::said_otherwise(name).map(str::to_owned);
    let near = words::nearest(name, words::FUNCTIONS);
    let functions = words::quoted(words::FUNCTIONS);
    NameProblem::UnknownFunction { name: name.to_owned(), instead, near, functions }.at(&function.span)
}
