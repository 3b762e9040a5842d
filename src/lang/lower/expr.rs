//! Lowers expressions. Each expression gets one kind, and houses are converted to cells where cells are needed.

use super::condition::DeterminerWord;
use super::names::{Lowering, MentionPlace};
use super::typed_expr::{Shape, TypedExpr, common_kind, house_class};
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{self, Condition, Determiner, ExprKind, Ident, Infix, Operator, Span, Term, TermList};
use crate::lang::codes::{KindProblem, NameProblem, Problem, RuleProblem, SyntaxProblem};
use crate::lang::ir::{Expr, HouseClass, Kind, VarShape};
use crate::lang::words;

/// Maximum number of operands of `&` and of numbers in a sum. Operands are nested in the IR, so a higher number could
/// overflow the stack.
const MAX_OPERANDS: usize = 32;

impl Lowering<'_> {
    pub fn expr(&mut self, expr: &ast::Expr) -> LowerResult<TypedExpr> {
        let span = expr.span.clone();
        match &expr.kind {
            ExprKind::Name(ident) => self.name_value(ident),
            ExprKind::Member(name, index) => self.family_member(name, index, span),
            ExprKind::Number(number) => Ok(TypedExpr::new(Expr::Number(*number), Kind::Number, Shape::Single, span)),
            ExprKind::Set(members) => {
                let values = self.check_all(members, Self::expr)?;
                let shape = list_shape(&values);
                let union = self.union(values, span)?;
                // `{c}` is a set, although it has one element.
                let expr = if members.len() == 1 { Expr::Union(vec![union.expr]) } else { union.expr };
                Ok(TypedExpr { expr, shape, ..union })
            }
            ExprKind::Count(inner) => self.count(inner, span),
            ExprKind::Call(function, arguments) => self.call(function, arguments, span),
            ExprKind::Seeing(word, determiner, seen) => self.seeing(word, determiner.as_ref(), seen, span),
            ExprKind::Excluded(determiner, excluding) => self.excluded(determiner.as_ref(), excluding, span),
            ExprKind::Infix(first, rest) => self.infix(first, rest, span),
            ExprKind::Paren(condition) => self.parenthesized(condition, span),
            ExprKind::Filter(filter) => self.filter(filter, span),
        }
    }

    /// Lowers all items, so that the errors of all items are reported. Fails if at least one item has an error.
    pub fn check_all<A, T>(
        &mut self,
        items: &[A],
        mut lower: impl FnMut(&mut Self, &A) -> LowerResult<T>,
    ) -> LowerResult<Vec<T>> {
        let results: Vec<LowerResult<T>> = items.iter().map(|item| lower(self, item)).collect();
        results.into_iter().collect()
    }

    /// Lowers `pincer[d]`.
    fn family_member(&mut self, name: &Ident, index: &Ident, span: Span) -> LowerResult<TypedExpr> {
        let id = self.mentioned_var(name)?;
        let symbol = &self.symbols[id.0];
        if symbol.shape != VarShape::Family {
            let problem = KindProblem::NoMembers { name: name.name.clone(), index: index.name.clone() };
            return self.fail(problem.at_both(&span, &symbol.span));
        }
        let kind = symbol.kind.ok_or(ErrorReported)?;
        let (is_als_or_group, index_kind) = (symbol.is_als_or_group(), symbol.index_kind.unwrap_or(Kind::Digit));
        let index = self.single_name(index, index_kind, |name, actual, wanted| RuleProblem::IndexKind {
            name,
            actual,
            wanted,
        })?;
        let shape = if is_als_or_group { Shape::Set } else { Shape::Single };
        Ok(TypedExpr { is_als_or_group, ..TypedExpr::new(Expr::Member(id, index), kind, shape, span) })
    }

    /// Lowers `those c in X with C`.
    fn filter(&mut self, filter: &ast::Filter, span: Span) -> LowerResult<TypedExpr> {
        let set = self.expr(&filter.set);
        let var = self.loop_var_at(&filter.loop_var.span)?;
        let set = set?;
        // The loop variable gets its kind once the set is accepted. Without a kind, its uses report no further errors.
        self.symbols[var.0].kind = None;
        if set.kind == Kind::Number || (set.is_house() && set.shape == Shape::Single) {
            return self.fail(KindProblem::ThoseWithoutSet { actual: set.description() }.at(&set.span));
        }
        self.refuse_loop_over_converted_houses(&set, &filter.loop_var)?;
        self.refuse_shadowing(&filter.loop_var)?;
        self.symbols[var.0].kind = Some(set.kind);
        let condition =
            self.in_loop(Some(var), |lowering| lowering.quantified(&filter.condition, &filter.for_clauses))?;
        let expr = Expr::Filter { var, set: Box::new(set.expr), condition: Box::new(condition) };
        Ok(TypedExpr::new(expr, set.kind, Shape::Set, span))
    }

    fn count(&mut self, inner: &ast::Expr, span: Span) -> LowerResult<TypedExpr> {
        let value = self.expr(inner)?;
        if value.kind == Kind::Number {
            return self.fail(KindProblem::CountOfNumber.at(&value.span));
        }
        if value.is_house() && value.shape == Shape::Single {
            return self.fail(KindProblem::CountOfHouse.at(&value.span));
        }
        Ok(TypedExpr::new(Expr::Count(Box::new(value.expr)), Kind::Number, Shape::Single, span))
    }

    /// Lowers an expression in parentheses. A condition in parentheses is an error.
    fn parenthesized(&mut self, condition: &Condition, span: Span) -> LowerResult<TypedExpr> {
        match condition {
            Condition::Clause(clause) if clause.determiner.is_none() && clause.predicate.is_none() => {
                let value = self.term_list(&clause.subject)?;
                Ok(TypedExpr { span, ..value })
            }
            Condition::Mixed(and, or) => self.fail_mixed(and, or),
            _ => self.fail(KindProblem::NoValue.at(&span)),
        }
    }

    /// Reports `and` and `or` without parentheses, and returns an error.
    pub fn fail_mixed<T>(&self, and: &Span, or: &Span) -> LowerResult<T> {
        let (first, second) = if and.start < or.start { (and, or) } else { (or, and) };
        self.fail(SyntaxProblem::AndBesideOr.at_both(second, first))
    }

    /// Lowers operands joined by one operator.
    fn infix(&mut self, first: &ast::Expr, rest: &[Infix], span: Span) -> LowerResult<TypedExpr> {
        let operator = rest.first().map_or(Operator::Plus, |infix| infix.operator);
        if let Some(other) = rest.iter().find(|infix| infix.operator != operator) {
            let sign = rest.first().map_or(&span, |infix| &infix.sign);
            return self.fail(SyntaxProblem::MixedOperators.at_both(&other.sign, sign));
        }
        let operands: Vec<&ast::Expr> = std::iter::once(first).chain(rest.iter().map(|infix| &infix.right)).collect();
        let mut values = self.check_all(&operands, |lowering, operand| lowering.expr(operand))?;
        let number_count = values.iter().filter(|value| value.kind == Kind::Number).count();
        if values.len() > MAX_OPERANDS && (number_count > 0 || operator == Operator::And) {
            return self.fail(SyntaxProblem::LongExpression { most: MAX_OPERANDS }.at(&span));
        }
        if number_count == values.len() && operator != Operator::And {
            return Ok(TypedExpr::new(sum_of_numbers(values, operator), Kind::Number, Shape::Single, span));
        }
        if operator == Operator::Plus {
            return Ok(TypedExpr { shape: Shape::Set, ..self.union(values, span)? });
        }
        // The result of `-` or `&` is a set of houses if all operands are sets of houses, and a set of cells if an
        // operand is a single house.
        let are_house_sets = values.iter().all(|value| value.is_house() && !value.has_single_house);
        let is_from_houses =
            !are_house_sets && values.first().is_some_and(|first| first.is_house() && !first.has_single_house);
        if !are_house_sets && values.iter().any(TypedExpr::is_house) {
            houses_as_cells(&mut values);
        }
        self.require_same_kind(&values, if operator == Operator::Minus { "`-`" } else { "`&`" })?;
        let first_kind = values.first().map_or(Kind::Cell, |value| value.kind);
        let kind = match operator {
            // The result has the class of the narrower operand: `base & rows` is a set of rows.
            Operator::And => {
                let mut kinds = values.iter().map(|value| value.kind);
                kinds.find(|kind| *kind != Kind::House(HouseClass::Any)).unwrap_or(first_kind)
            }
            _ => first_kind,
        };
        let expr = intersection_or_difference(values, operator);
        Ok(TypedExpr { is_from_houses, ..TypedExpr::new(expr, kind, Shape::Set, span) })
    }

    /// Reports a loop over the value of `cover - h`. The author expects houses, but `-` has converted them to cells.
    pub fn refuse_loop_over_converted_houses(&self, set: &TypedExpr, loop_var: &Ident) -> LowerResult<()> {
        if !set.is_from_houses {
            return Ok(());
        }
        self.fail(RuleProblem::CellsOfHouses { name: loop_var.name.clone() }.at(&set.span))
    }

    /// Returns the common kind of values. If there is none, the error mentions `operator`.
    fn require_same_kind(&self, values: &[TypedExpr], operator: &'static str) -> LowerResult<Kind> {
        let first = values.first().ok_or(ErrorReported)?;
        let mut kind = first.kind;
        for value in values {
            let Some(common) = common_kind(kind, value.kind) else {
                let problem =
                    KindProblem::MixedJoin { operator, first: first.description(), actual: value.description() };
                let help = kind_help(first.kind, value.kind);
                return self.fail(problem.at_both(&value.span, &first.span).help_if(help));
            };
            kind = common;
        }
        Ok(kind)
    }

    /// Returns the union of values. Houses are converted to cells if some values are cells.
    pub fn union(&self, mut values: Vec<TypedExpr>, span: Span) -> LowerResult<TypedExpr> {
        if values.len() == 1 {
            return values.pop().map(|value| TypedExpr { span, ..value }).ok_or(ErrorReported);
        }
        if values.iter().any(|value| value.kind == Kind::Cell) {
            houses_as_cells(&mut values);
        }
        if let Some(number) = values.iter().find(|value| value.kind == Kind::Number) {
            return self.fail(KindProblem::NumberInList.at(&number.span));
        }
        let kind = self.require_same_kind(&values, "a list or `+`")?;
        let shape = list_shape(&values);
        let has_single_house = values.iter().any(|value| value.has_single_house);
        let parts = values.into_iter().map(|value| value.expr).collect();
        Ok(TypedExpr { has_single_house, ..TypedExpr::new(Expr::Union(parts), kind, shape, span) })
    }

    /// Lowers a comma list: `z in A, B`, `pivot, pincer`, `p, z in A`.
    ///
    /// An `in` applies to the digits after the previous `in`, and to the places up to the next digit. If `p` is a candidate
    /// and `x`, `y`, `z` are digits, the list `p, x, y in A, B, z in C` consists of p, of x and y in A and B, and of z in C.
    pub fn term_list(&mut self, list: &TermList) -> LowerResult<TypedExpr> {
        let mut finished: Vec<TypedExpr> = Vec::new();
        // Values without `in`, which may be digits of a later `in`.
        let mut pending: Vec<TypedExpr> = Vec::new();
        let mut open: Option<OpenCandidates> = None;
        let mut failed = self.report_unknown_names(list);
        for term in &list.terms {
            let value = self.expr(&term.expr);
            let place = term.place.as_ref().map(|place| self.expr(place)).transpose();
            let (Ok(value), Ok(place)) = (value, place) else {
                failed = true;
                continue;
            };
            if let Some(place) = place {
                if let Some(candidates) = open.take() {
                    finished.push(self.close_candidates(candidates)?);
                }
                let (mut digits, others): (Vec<_>, Vec<_>) =
                    pending.drain(..).partition(|earlier| common_kind(earlier.kind, value.kind).is_some());
                finished.extend(others);
                let span = digits.first().map_or(value.span.start, |first| first.span.start)..value.span.end;
                digits.push(value);
                open = Some(OpenCandidates { digits: self.union(digits, span)?, places: vec![place] });
                continue;
            }
            match &mut open {
                Some(candidates) if !matches!(value.kind, Kind::Digit | Kind::Number) => candidates.places.push(value),
                _ => pending.push(value),
            }
        }
        if failed {
            return Err(ErrorReported);
        }
        if let Some(candidates) = open {
            finished.push(self.close_candidates(candidates)?);
        }
        finished.extend(pending);
        self.union(finished, list.span.clone())
    }

    /// Lowers `D in C` with all its places. In `d in s, G`, a set G of candidates stands for its candidates of digit d.
    fn close_candidates(&self, open: OpenCandidates) -> LowerResult<TypedExpr> {
        let OpenCandidates { digits, places } = open;
        let span = digits.span.start..places.last().map_or(digits.span.end, |last| last.span.end);
        let mut cells = Vec::new();
        let mut candidate_sets = Vec::new();
        for (index, place) in places.into_iter().enumerate() {
            // If the first place consists of candidates, `digits_in` reports an error.
            if index > 0 && place.kind == Kind::Candidate { candidate_sets.push(place) } else { cells.push(place) }
        }
        let cells_start = cells.first().map_or(span.start, |first| first.span.start);
        let cells = self.union(cells, cells_start..span.end)?;
        let mut all = vec![self.digits_in(digits.clone(), &cells, span.clone())?];
        for candidates in candidate_sets {
            let cells = Expr::CellsOf(Box::new(candidates.expr.clone()));
            let same_cells = Expr::CandidatesIn(Box::new(digits.expr.clone()), Box::new(cells));
            let expr = Expr::Intersection(Box::new(same_cells), Box::new(candidates.expr));
            all.push(TypedExpr::new(expr, Kind::Candidate, Shape::Set, candidates.span));
        }
        self.union(all, span)
    }

    pub fn digits_in(&self, digits: TypedExpr, cells: &TypedExpr, span: Span) -> LowerResult<TypedExpr> {
        let cells = self.require_cells(cells, "the place of candidates")?;
        if digits.kind != Kind::Digit {
            let is_number = digits.kind == Kind::Number;
            let is_count = matches!(digits.expr, Expr::Count(_));
            let problem = KindProblem::NotDigitsInPlace { actual: digits.description(), is_number, is_count };
            return self.fail(problem.at(&digits.span));
        }
        let expr = Expr::CandidatesIn(Box::new(digits.expr), Box::new(cells));
        Ok(TypedExpr::new(expr, Kind::Candidate, Shape::Set, span))
    }

    /// Returns an expression for the cells of a value: of cells or of houses. `role` is the subject of the error for other kinds: `the place of
    /// candidates`.
    pub fn require_cells(&self, value: &TypedExpr, role: &str) -> LowerResult<Expr> {
        value.cells().map_or_else(|| self.fail_cells(value, role), Ok)
    }

    /// Returns an expression for the cells of a value: of cells, houses or candidates. `role` is the subject of the error for other kinds.
    pub fn require_cells_or_candidates(&self, value: &TypedExpr, role: &str) -> LowerResult<Expr> {
        value.cells_or_candidate_cells().map_or_else(|| self.fail_cells(value, role), Ok)
    }

    fn fail_cells<T>(&self, value: &TypedExpr, role: &str) -> LowerResult<T> {
        let (role, actual) = (role.to_owned(), value.description());
        let problem = match value.kind {
            Kind::Candidate => KindProblem::CandidatesForCells { role, actual },
            Kind::Digit => KindProblem::DigitsForCells { role, actual },
            _ => KindProblem::NotCells { role, actual },
        };
        self.fail(problem.at(&value.span))
    }

    /// Returns the expression of a value of digits. `role` is the subject of the error for other kinds.
    pub fn require_digits(&self, value: &TypedExpr, role: &str) -> LowerResult<Expr> {
        if value.kind == Kind::Digit {
            return Ok(value.expr.clone());
        }
        let (role, is_number) = (role.to_owned(), value.kind == Kind::Number);
        self.fail(KindProblem::NotDigits { role, actual: value.description(), is_number }.at(&value.span))
    }

    /// Returns the expression of a number. `role` is the subject of the error for other kinds.
    pub fn require_number(&self, value: &TypedExpr, role: &str) -> LowerResult<Expr> {
        if value.kind == Kind::Number {
            return Ok(value.expr.clone());
        }
        self.fail(KindProblem::NotNumber { role: role.to_owned(), actual: value.description() }.at(&value.span))
    }

    fn call(&mut self, function: &Ident, arguments: &TermList, span: Span) -> LowerResult<TypedExpr> {
        let name = function.name.as_str();
        if name == "times" {
            return self.times(arguments, span);
        }
        if let Some(value) = self.price_function(function, arguments, &span) {
            return value;
        }
        if !words::FUNCTIONS.contains(&name) {
            return self.fail_unknown_function(function);
        }
        // `in_no_template(d)` tests the grid like a condition, so its argument counts as mentioned in the pattern, also
        // if the call stands in a conclusion.
        let mention_place = self.mention_place;
        if matches!(name, "in_no_template" | "in_every_template" | "in_no_combination") {
            self.mention_place = MentionPlace::Pattern;
        }
        let value = self.term_list(arguments);
        self.mention_place = mention_place;
        let value = value?;
        let role = format!("the argument of `{name}`");
        // One candidate has one digit and one cell.
        let is_one_candidate = value.kind == Kind::Candidate && value.shape == Shape::Single;
        let shape = if is_one_candidate { Shape::Single } else { Shape::Set };
        let argument = match name {
            "digits" | "cells" if value.kind == Kind::Candidate => value.expr,
            "digits" | "cells" | "values" | "in_no_combination" => self.require_cells(&value, &role)?,
            "in_no_template" | "in_every_template" => self.require_digits(&value, &role)?,
            "overlap" => return self.overlap(value, span),
            _ => return self.houses(name, &value, &role, span),
        };
        let argument = Box::new(argument);
        Ok(match name {
            "digits" => TypedExpr::new(Expr::Digits(argument), Kind::Digit, shape, span),
            "values" => TypedExpr::new(Expr::Values(argument), Kind::Digit, shape, span),
            "cells" => TypedExpr::new(Expr::CellsOf(argument), Kind::Cell, shape, span),
            "in_every_template" => TypedExpr::new(Expr::InEveryTemplate(argument), Kind::Candidate, Shape::Set, span),
            // `in_no_template` and `in_no_combination` are one expression; the kind of the argument tells which is meant.
            _ => TypedExpr::new(Expr::InNoTemplate(argument), Kind::Candidate, Shape::Set, span),
        })
    }

    /// Lowers `overlap(base)`.
    fn overlap(&self, houses: TypedExpr, span: Span) -> LowerResult<TypedExpr> {
        if houses.is_house() && houses.shape != Shape::Single {
            return Ok(TypedExpr::new(Expr::Overlap(Box::new(houses.expr)), Kind::Cell, Shape::Set, span));
        }
        self.fail(KindProblem::OverlapWithoutHouses { actual: houses.description() }.at(&houses.span))
    }

    /// Lowers `row(c)` and `boxes(s)`; `function` is the name of the function.
    fn houses(&self, function: &str, value: &TypedExpr, role: &str, span: Span) -> LowerResult<TypedExpr> {
        let class = house_class(function).ok_or(ErrorReported)?;
        let cells = self.require_cells_or_candidates(value, role)?;
        let is_singular = matches!(function, "row" | "column" | "box");
        if is_singular && (value.shape != Shape::Single || value.is_house()) {
            let plural = if function == "box" { "boxes".to_owned() } else { format!("{function}s") };
            let problem = KindProblem::HouseOfSet { name: function.to_owned(), plural, actual: value.description() };
            return self.fail(problem.at(&value.span));
        }
        let shape = if is_singular { Shape::Single } else { Shape::Set };
        Ok(TypedExpr::new(Expr::HousesOf(class, Box::new(cells)), Kind::House(class), shape, span))
    }

    /// Lowers `times(d, S)`.
    fn times(&mut self, arguments: &TermList, span: Span) -> LowerResult<TypedExpr> {
        let Some(&[digit, cells]) = arguments.exprs().as_deref() else {
            return self.fail(KindProblem::TimesArguments.at(&arguments.span));
        };
        let (digit, cells) = (self.expr(digit), self.expr(cells));
        let (digit, cells) = (digit?, cells?);
        let digits = self.require_digits(&digit, "the first argument of `times`")?;
        if digit.shape != Shape::Single {
            return self.fail(KindProblem::TimesOfSet.at(&digit.span));
        }
        let cells = self.require_cells(&cells, "the second argument of `times`")?;
        let expr = Expr::MaxOccurrences(Box::new(digits), Box::new(cells));
        Ok(TypedExpr::new(expr, Kind::Number, Shape::Single, span))
    }

    /// Lowers `cells seeing every s`; `word` is the word before `seeing`.
    fn seeing(
        &mut self,
        word: &Ident,
        determiner: Option<&DeterminerWord>,
        seen: &[Term],
        span: Span,
    ) -> LowerResult<TypedExpr> {
        if word.name != "cells" {
            let name = if self.find(&word.name).is_some() { Some(word.name.clone()) } else { None };
            return self.fail(KindProblem::SeeingWithoutCells { name }.at(&word.span));
        }
        let seen = self.term_list(&as_list(seen, &span))?;
        let every = self.is_every(&seen, determiner, KindProblem::SeeingNo)?;
        let cells = self.require_cells_or_candidates(&seen, "the right side of `seeing`")?;
        Ok(TypedExpr::new(Expr::Seeing { every, cells: Box::new(cells) }, Kind::Cell, Shape::Set, span))
    }

    /// Lowers `candidates excluded by every K`.
    fn excluded(
        &mut self,
        determiner: Option<&DeterminerWord>,
        excluding: &[Term],
        span: Span,
    ) -> LowerResult<TypedExpr> {
        let excluding = self.term_list(&as_list(excluding, &span))?;
        if excluding.kind != Kind::Candidate {
            let problem = KindProblem::ExcludedWithoutCandidates { actual: excluding.description() };
            return self.fail(problem.at(&excluding.span));
        }
        let every = self.is_every(&excluding, determiner, KindProblem::ExcludedByNo)?;
        let expr = Expr::Excluded { every, candidates: Box::new(excluding.expr) };
        Ok(TypedExpr::new(expr, Kind::Candidate, Shape::Set, span))
    }

    /// Returns true for `every` and for a list without a determiner, false for `some`. `no` is reported as
    /// `problem_of_no`.
    fn is_every(
        &self,
        value: &TypedExpr,
        determiner: Option<&DeterminerWord>,
        problem_of_no: KindProblem,
    ) -> LowerResult<bool> {
        if let Some((Determiner::No, span)) = determiner {
            return self.fail(problem_of_no.at(span));
        }
        self.check_determiner(value, determiner)?;
        Ok(determiner.is_none_or(|(determiner, _)| *determiner == Determiner::Every))
    }

    /// Reports a set without a determiner, and a determiner before a single thing.
    pub fn check_determiner(&self, value: &TypedExpr, determiner: Option<&DeterminerWord>) -> LowerResult<()> {
        match determiner {
            Some((_, span)) => self.refuse_determiner_of_single(value, span),
            None if value.shape == Shape::Set => {
                self.fail(KindProblem::SetWithoutWord { actual: value.description() }.at(&value.span))
            }
            None => Ok(()),
        }
    }

    /// Reports a determiner before a single thing; `span` are the bytes of the determiner.
    pub fn refuse_determiner_of_single(&self, value: &TypedExpr, span: &Span) -> LowerResult<()> {
        if value.shape != Shape::Single {
            return Ok(());
        }
        self.fail(KindProblem::WordBeforeOne { actual: value.description() }.at_both(span, &value.span))
    }

    fn fail_unknown_function<T>(&self, function: &Ident) -> LowerResult<T> {
        let name = function.name.as_str();
        let phrase = words::foreign_word("function", name).map(str::to_owned);
        let near = words::nearest(name, words::FUNCTIONS);
        let functions = words::quoted(words::FUNCTIONS);
        let problem = NameProblem::UnknownFunction { name: name.to_owned(), phrase, near, functions };
        self.fail(problem.at(&function.span))
    }
}

/// The digits and places of an `in`. Further places may follow in the list.
struct OpenCandidates {
    digits: TypedExpr,
    places: Vec<TypedExpr>,
}

fn list_shape(values: &[TypedExpr]) -> Shape {
    if values.iter().all(|value| value.shape != Shape::Set) { Shape::List } else { Shape::Set }
}

fn houses_as_cells(values: &mut [TypedExpr]) {
    for value in values {
        if let Some(cells) = value.cells() {
            (value.expr, value.kind) = (cells, Kind::Cell);
        }
    }
}

/// Returns advice for two kinds that cannot be combined.
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

/// Returns `a & b & c` as nested intersections, and `a - b - c` as `a` without the union of `b` and `c`.
fn intersection_or_difference(values: Vec<TypedExpr>, operator: Operator) -> Expr {
    let mut exprs = values.into_iter().map(|value| value.expr);
    let first = exprs.next().unwrap_or(Expr::Union(Vec::new()));
    if operator == Operator::And {
        return exprs.fold(first, |left, right| Expr::Intersection(Box::new(left), Box::new(right)));
    }
    let mut subtracted: Vec<Expr> = exprs.collect();
    let right = if subtracted.len() == 1 { subtracted.remove(0) } else { Expr::Union(subtracted) };
    Expr::Difference(Box::new(first), Box::new(right))
}

/// Returns the terms after `seeing` or `excluded by` as a list; `whole` are the bytes of the whole expression.
fn as_list(terms: &[Term], whole: &Span) -> TermList {
    let start = terms.first().map_or(whole.start, |first| first.span.start);
    let end = terms.last().map_or(whole.end, |last| last.span.end);
    TermList { span: start..end, terms: terms.to_vec() }
}
