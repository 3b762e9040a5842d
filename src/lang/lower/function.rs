//! Functions and `cells seeing …`. In: their arguments as written. Out: checked expressions.

use super::Checked;
use super::names::{Place, Rule};
use super::price;
use super::value::{Shape, Value, house_class};
use crate::lang::ast::{Determiner, Element, Ident, Noun, Span};
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
            self.place = Place::Pattern;
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
        let message = format!("`overlap` is of a set of houses; this is {}", value.what());
        let help = "`overlap(base)` are the cells that two or more houses of base share; for two houses write `h & k`";
        self.fail(Diagnostic::error("E0302", value.span.clone(), message, value.what()).help(help))
    }

    /// `row(c)`, `boxes(s)`
    fn houses(&mut self, name: &str, value: &Value, who: &str, span: Span) -> Checked<Value> {
        let Some(class) = house_class(name) else { return Err(super::ErrorReported) };
        let cells = self.cells_of(value, true, who)?;
        let one = matches!(name, "row" | "column" | "box");
        if one && (value.shape != Shape::One || value.is_house()) {
            let many = if name == "box" { "boxes".to_owned() } else { format!("{name}s") };
            let message = format!("`{name}(…)` is of one cell; this is {}", value.what());
            let help = format!("`{many}(…)` gives the {many} of all of them");
            return self.fail(Diagnostic::error("E0308", value.span.clone(), message, "not one cell").help(help));
        }
        let shape = if one { Shape::One } else { Shape::Many };
        Ok(Value::new(Expr::HousesOf(class, Box::new(cells)), Kind::House(class), shape, span))
    }

    /// `times(d, S)`
    fn times(&mut self, arguments: &Noun, span: Span) -> Checked<Value> {
        let plain = arguments.elements.iter().all(|element| element.place.is_none());
        let (true, [digit, cells]) = (plain, arguments.elements.as_slice()) else {
            let message = "`times` needs two things: a digit and cells";
            let help = "write `times(d, s)`: how many cells of s can have d at the same time, at most";
            return self.fail(Diagnostic::error("E0310", arguments.span.clone(), message, "not two").help(help));
        };
        let (digit, cells) = (self.expr(&digit.left), self.expr(&cells.left));
        let (digit, cells) = (digit?, cells?);
        let digits = self.digits_of(&digit, "the first argument of `times`")?;
        if digit.shape != Shape::One {
            let message = "`times` is of one digit; this is a set of digits";
            let help = "write `for d in …` at the end of the line and `times(d, …)` here";
            return self.fail(Diagnostic::error("E0308", digit.span, message, "not one digit").help(help));
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
            let message = "`seeing` follows the word `cells`";
            let help = match self.find(&word.name) {
                Some(_) => format!(
                    "as a condition write `{} sees …`; for a set, `{} & (cells seeing …)`",
                    word.name, word.name
                ),
                None => "write `cells seeing …`".to_owned(),
            };
            return self.fail(Diagnostic::error("E0302", word.span.clone(), message, "not `cells`").help(help));
        }
        let end = seen.last().map_or(span.end, |last| last.span.end);
        let start = seen.first().map_or(span.start, |first| first.span.start);
        let of = self.noun(&Noun { span: start..end, elements: seen.to_vec() })?;
        let every = match determiner {
            Some((Determiner::No, place)) => {
                let help = "write `cells - (cells seeing some …)`";
                return self.fail(
                    Diagnostic::error("E0304", place.clone(), "`seeing no` is not a set", "not here").help(help),
                );
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
            let message = format!("only candidates exclude candidates; this is {}", of.what());
            let help = "write `candidates excluded by d in c`; of cells it is `cells seeing c`";
            return self.fail(Diagnostic::error("E0302", of.span.clone(), message, of.what()).help(help));
        }
        let every = match how {
            Some((Determiner::No, place)) => {
                let message = "`excluded by no` is not a set";
                let help = "say `every …` or `some …` after `by`";
                return self.fail(Diagnostic::error("E0304", place.clone(), message, "not here").help(help));
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

    /// A set stands with `every` or `some`.
    pub fn determiner_on_many(&mut self, value: &Value) -> Checked<()> {
        if value.shape != Shape::Many {
            return Ok(());
        }
        let message = format!("these are {}: all of them, or at least one?", value.what());
        let place = value.span.clone();
        self.fail(Diagnostic::error("E0303", place, message, "a set").help("say `every …` or `some …` before it"))
    }

    /// One thing stands without.
    pub fn no_determiner_on_one(&mut self, value: &Value, place: &Span) -> Checked<()> {
        if value.shape != Shape::One {
            return Ok(());
        }
        let message = format!("this is {}, not a set", value.what());
        let diagnostic = Diagnostic::error("E0304", place.clone(), message, "leave this word out");
        let help = "where several things are meant, put them in parentheses: `some (a + b)`";
        self.fail(diagnostic.label(value.span.clone(), value.what()).help(help))
    }
}

/// A call of what there is not.
fn no_function(function: &Ident) -> Diagnostic {
    let name = function.name.as_str();
    let help = match (words::said_otherwise(name), words::nearest(name, words::FUNCTIONS.iter().copied())) {
        (Some(way), _) => format!("write {way}"),
        (None, Some(near)) => format!("did you mean `{near}(…)`?"),
        (None, None) => {
            let known: Vec<String> = words::FUNCTIONS.iter().map(|known| format!("`{known}`")).collect();
            format!("there are {}", words::either(&known).replace(" or ", " and "))
        }
    };
    let message = format!("there is no function `{name}`");
    Diagnostic::error("E0205", function.span.clone(), message, "not a function").help(help)
}
