//! Prices of a profile. In: a technique in its checked form, a price as written. Out: the price in its checked form.

use super::names::{Role, Rule, Symbol};
use super::value::{Shape, Value};
use super::{Checked, ErrorReported};
use crate::lang::ast::{self, ExprKind, Ident, Noun, Span};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Expr, Kind, Price, Technique, Var};
use crate::lang::words;

/// What only prices can ask for.
pub const LENGTH: &str = "length";
pub const PLACED: &str = "placed";
pub const ABOVE: &str = "above";

/// Checks a price for one of the technique's cases.
pub fn price(technique: &Technique, variant: usize, written: &ast::Price) -> (Option<Price>, Vec<Diagnostic>) {
    let params: Vec<ast::Param> = technique.params.iter().map(|param| known(&param.name, param.low)).collect();
    let mut rule = Rule::new(&params);
    rule.naming = true;
    rule.pricing = true;
    rule.symbols = technique.variants[variant].vars.iter().map(symbol).collect();
    let value = rule.expr(&written.value).and_then(|value| rule.price_of(value));
    let when = written.when.as_ref().map(|when| rule.condition(when)).transpose();
    let price = value.ok().zip(when.ok()).map(|(value, when)| Price { value, when });
    if price.is_none() && rule.found.is_empty() {
        let message = "a price has no names of its own: no `for`, no `those`";
        let help = "ask for what the rule names, as `#s` or `digits(c)`";
        let span = written.value.span.clone();
        rule.note(Diagnostic::error("E0702", span, message, "not in a price").help(help));
    }
    (price, rule.found)
}

fn known(name: &str, low: u32) -> ast::Param {
    ast::Param { span: 0..0, name: Ident { name: name.to_owned(), span: 0..0 }, low, high: None }
}

/// A name as the checked form knows it.
fn symbol(var: &Var) -> Symbol {
    Symbol {
        name: var.name.clone(),
        // No place in a price is empty: running names of the rule are not found by theirs.
        span: 0..0,
        kind: Some(var.kind),
        shape: var.shape,
        origin: var.origin,
        role: Role::Plain,
        index: None,
        in_pattern: true,
        in_conclusion: true,
        in_text: true,
    }
}

impl Rule<'_> {
    fn price_of(&mut self, value: Value) -> Checked<Expr> {
        if value.kind == Kind::Number {
            return Ok(value.expr);
        }
        let message = format!("a price is a number; this is {}", value.what());
        let help = "`#` before a set counts it: `#digits(s)`, `#eliminated`; `above(#s, 2, 4)` counts the thresholds that it exceeds";
        self.fail(Diagnostic::error("E0701", value.span.clone(), message, value.what()).help(help))
    }

    /// `length`, `placed`: known of a match, not of a pattern.
    pub fn of_the_match(&self, name: &str, span: &Span) -> Option<Value> {
        match name {
            LENGTH if self.pricing => Some(Value::new(Expr::Length, Kind::Number, Shape::One, span.clone())),
            PLACED if self.pricing => Some(Value::new(Expr::Placed, Kind::Candidate, Shape::Many, span.clone())),
            _ => None,
        }
    }

    /// The words that only prices have.
    pub fn price_words(&self) -> impl Iterator<Item = String> {
        let words: &[&str] = if self.pricing { &[LENGTH, PLACED, words::ELIMINATED] } else { &[] };
        words.iter().map(|word| (*word).to_owned())
    }

    /// `above(x, 4, 6)`
    pub fn above(&mut self, arguments: &Noun, span: Span) -> Checked<Value> {
        let refusal = |span: Span| {
            let message = "`above` takes a number and thresholds";
            let help = "write `above(length, 4, 6, 8)`: how many of 4, 6 and 8 the length exceeds";
            Diagnostic::error("E0703", span, message, "not a number and marks").help(help)
        };
        let plain = arguments.elements.iter().all(|element| element.place.is_none());
        let [of, marks @ ..] = arguments.elements.as_slice() else { return Err(ErrorReported) };
        let marks: Option<Vec<u32>> = marks
            .iter()
            .map(|mark| match mark.left.kind {
                ExprKind::Number(number) => Some(number),
                _ => None,
            })
            .collect();
        let Some(marks) = marks.filter(|marks| plain && !marks.is_empty()) else {
            return self.fail(refusal(arguments.span.clone()));
        };
        let of = self.expr(&of.left)?;
        if of.kind != Kind::Number {
            return self.fail(refusal(of.span));
        }
        Ok(Value::new(Expr::Above(Box::new(of.expr), marks), Kind::Number, Shape::One, span))
    }
}
