//! Functions and `cells seeing …`. In: their arguments as written. Out: checked expressions.

use super::Checked;
use super::names::{MentionPlace, Rule};
use super::price;
use super::value::{Shape, Value, house_class};
use crate::lang::ast::{Determiner, Element, Ident, Noun, Span};
use crate::lang::codes::{KindProblem, NameProblem, Problem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Expr, Kind};
use crate::lang::words;

impl Rule<'_> {
    pub fn call(&mut self, function: &Ident, arguments: &Noun, span: Span) -> Checked<Value> {
        let name = function.name.as_str();
        if name == "times" {
            return self.times(arguments, span);
        }
        if name == price::ABOVE && self.pricing.is_some() {
            return self.above(arguments, span);
        }
        if (name == price::CELL || name == price::DIGIT) && self.pricing.is_some() {
            return self.nth(name == price::CELL, arguments, span);
        }
        if [price::FIRST, price::LARGEST, price::RANK].contains(&name) && self.pricing.is_some() {
            return self.of_cells(function, arguments, span);
        }
        if let Some(how) = price::FOLDS.into_iter().find(|how| how.word() == name && self.pricing.is_some()) {
            return self.fold(how, arguments, span);
        }
        if name == price::SINCE && self.pricing.is_some() {
            return self.since(arguments, span);
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
        match name {
            "digits" if value.kind == Kind::Candidate => {
                Ok(Value::new(Expr::Digits(Box::new(value.expr)), Kind::Digit, shape, span))
            }
            "digits" => {
                let cells = self.cells_of(&value, false, &who)?;
                Ok(Value::new(Expr::Digits(Box::new(cells)), Kind::Digit, shape, span))
            }
            "values" => {
                let cells = self.cells_of(&value, false, &who)?;
                Ok(Value::new(Expr::Values(Box::new(cells)), Kind::Digit, shape, span))
            }
            "cells" if value.kind == Kind::Candidate => {
                Ok(Value::new(Expr::Cells(Box::new(value.expr)), Kind::Cell, shape, span))
            }
            "cells" => {
                let cells = self.cells_of(&value, false, &who)?;
                Ok(Value::new(Expr::Cells(Box::new(cells)), Kind::Cell, shape, span))
            }
            "overlap" => self.overlap(value, span),
            "in_no_template" => {
                let digits = self.digits_of(&value, &who)?;
                Ok(Value::new(Expr::InNone(Box::new(digits)), Kind::Candidate, Shape::Many, span))
            }
            "in_every_template" => {
                let digits = self.digits_of(&value, &who)?;
                Ok(Value::new(Expr::InEvery(Box::new(digits)), Kind::Candidate, Shape::Many, span))
            }
            "in_no_combination" => {
                let cells = self.cells_of(&value, false, &who)?;
                Ok(Value::new(Expr::InNone(Box::new(cells)), Kind::Candidate, Shape::Many, span))
            }
            _ => self.houses(name, &value, &who, span),
        }
    }

    /// `overlap(base)`
    fn overlap(&mut self, value: Value, span: Span) -> Checked<Value> {
        if value.is_house() && value.shape != Shape::One {
            return Ok(Value::new(Expr::Overlap(Box::new(value.expr)), Kind::Cell, Shape::Many, span));
        }
        self.fail(KindProblem::OverlapOfOther { what: value.what() }.at(&value.span))
    }

    /// `row(c)`, `boxes(s)`
    fn houses(&mut self, name: &str, value: &Value, who: &str, span: Span) -> Checked<Value> {
        let Some(class) = house_class(name) else { return Err(super::ErrorReported) };
        let cells = self.cells_of(value, true, who)?;
        let one = matches!(name, "row" | "column" | "box");
        if one && (value.shape != Shape::One || value.is_house()) {
            let many = if name == "box" { "boxes".to_owned() } else { format!("{name}s") };
            let problem = KindProblem::HouseOfSet { name: name.to_owned(), many, what: value.what() };
            return self.fail(problem.at(&value.span));
        }
        let shape = if one { Shape::One } else { Shape::Many };
        Ok(Value::new(Expr::HousesOf(class, Box::new(cells)), Kind::House(class), shape, span))
    }

    /// `times(d, S)`
    fn times(&mut self, arguments: &Noun, span: Span) -> Checked<Value> {
        let is_list = arguments.elements.iter().all(|element| element.place.is_none());
        let (true, [digit, cells]) = (is_list, arguments.elements.as_slice()) else {
            return self.fail(KindProblem::TimesArguments.at(&arguments.span));
        };
        let (digit, cells) = (self.expr(&digit.left), self.expr(&cells.left));
        let (digit, cells) = (digit?, cells?);
        let digits = self.digits_of(&digit, "the first argument of `times`")?;
        if digit.shape != Shape::One {
            return self.fail(KindProblem::TimesOfSet.at(&digit.span));
        }
        let cells = self.cells_of(&cells, false, "the second argument of `times`")?;
        Ok(Value::new(Expr::Times(Box::new(digits), Box::new(cells)), Kind::Number, Shape::One, span))
    }

    /// `cells seeing every s`
    pub fn seeing(
        &mut self,
        word: &Ident,
        determiner: Option<&(Determiner, Span)>,
        seen: &[Element],
        span: Span,
    ) -> Checked<Value> {
        if word.name != "cells" {
            let name = self.find(&word.name).map(|_| word.name.clone());
            return self.fail(KindProblem::SeeingWithoutCells { name }.at(&word.span));
        }
        let end = seen.last().map_or(span.end, |last| last.span.end);
        let start = seen.first().map_or(span.start, |first| first.span.start);
        let of = self.noun(&Noun { span: start..end, elements: seen.to_vec() })?;
        let every = match determiner {
            Some((Determiner::No, place)) => {
                return self.fail(KindProblem::SeeingNo.at(place));
            }
            Some((determiner, place)) => {
                self.no_determiner_on_one(&of, place)?;
                *determiner == Determiner::Every
            }
            None => {
                self.determiner_on_many(&of)?;
                true
            }
        };
        let cells = self.cells_of(&of, true, "what is seen")?;
        Ok(Value::new(Expr::Seeing { every, of: Box::new(cells) }, Kind::Cell, Shape::Many, span))
    }

    /// `candidates excluded by every K`
    pub fn excluded(&mut self, how: Option<&(Determiner, Span)>, by: &[Element], span: Span) -> Checked<Value> {
        let end = by.last().map_or(span.end, |last| last.span.end);
        let start = by.first().map_or(span.start, |first| first.span.start);
        let of = self.noun(&Noun { span: start..end, elements: by.to_vec() })?;
        if of.kind != Kind::Candidate {
            return self.fail(KindProblem::ExcludedByOther { what: of.what() }.at(&of.span));
        }
        let every = match how {
            Some((Determiner::No, place)) => {
                return self.fail(KindProblem::ExcludedByNo.at(place));
            }
            Some((determiner, place)) => {
                self.no_determiner_on_one(&of, place)?;
                *determiner == Determiner::Every
            }
            None => {
                self.determiner_on_many(&of)?;
                true
            }
        };
        let expr = Expr::Excluded { every, of: Box::new(of.expr) };
        Ok(Value::new(expr, Kind::Candidate, Shape::Many, span))
    }

    /// Reports a set without `every` or `some`.
    pub fn determiner_on_many(&mut self, value: &Value) -> Checked<()> {
        if value.shape != Shape::Many {
            return Ok(());
        }
        self.fail(KindProblem::SetWithoutWord { what: value.what() }.at(&value.span))
    }

    /// Reports `every`, `some` or `no` before one thing.
    pub fn no_determiner_on_one(&mut self, value: &Value, place: &Span) -> Checked<()> {
        if value.shape != Shape::One {
            return Ok(());
        }
        self.fail(KindProblem::WordBeforeOne { what: value.what() }.at_both(place, &value.span))
    }
}

/// Returns the error for an unknown function.
fn no_function(function: &Ident) -> Diagnostic {
    let name = function.name.as_str();
    let instead = words::said_otherwise(name).map(str::to_owned);
    let near = words::nearest(name, words::FUNCTIONS.iter().copied()).map(str::to_owned);
    let functions = words::FUNCTIONS.iter().map(|known| format!("`{known}`")).collect();
    NameProblem::UnknownFunction { name: name.to_owned(), instead, near, functions }.at(&function.span)
}
