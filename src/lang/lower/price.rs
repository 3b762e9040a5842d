//! Prices of a profile. In: a technique in its checked form, a price as written. Out: the price in its checked form.

use super::LowerResult;
use super::names::{Lowering, Symbol};
use super::value::{Shape, TypedExpr};
use crate::lang::ast::{self, ExprKind, Ident, Noun, Span};
use crate::lang::codes::{PriceProblem, Problem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Expr, Fold, Kind, MatchNumber, Measure, Price, Technique, Var, VarId};
use crate::lang::parse;
use crate::lang::words::{self, word_list};
use std::collections::BTreeMap;

/// Words that only prices have, besides those of [`Fold`] and [`MatchNumber`].
const OWN: &[&str] = word_list! { placed above cell digit first largest since rank };

const FOLDS: [Fold; 3] = [Fold::Product, Fold::Least, Fold::Most];

/// Returns true if a word has a meaning in prices, even if the rule has a name of this spelling.
pub fn is_price_word(name: &str) -> bool {
    words::is_reserved(name)
        || words::is_built_in(name)
        || OWN.contains(&name)
        || FOLDS.iter().any(|how| how.word() == name)
        || MatchNumber::ALL.iter().any(|what| what.word() == name)
}

/// Checks a price for one of the technique's cases.
pub fn price(
    technique: &Technique,
    variant: usize,
    written: &ast::PriceLine,
    named: &BTreeMap<String, String>,
) -> (Option<Price>, Vec<Diagnostic>) {
    let params: Vec<ast::Param> = technique.params.iter().map(|param| known(&param.name, param.low)).collect();
    let mut rule = Lowering::new(&params);
    rule.naming = true;
    rule.pricing = Some(named);
    rule.symbols = technique.variants[variant].vars.iter().map(symbol).collect();
    let value = rule.expr(&written.value).and_then(|value| rule.price_of(value));
    let when = written.when.as_ref().map(|when| rule.condition(when)).transpose();
    let measures = std::mem::take(&mut rule.measures);
    let price = value.ok().zip(when.ok()).map(|(value, when)| Price { measures, value, when });
    if price.is_none() && rule.found.is_empty() {
        rule.note(PriceProblem::OwnName.at(&written.value.span));
    }
    (price, rule.found)
}

fn known(name: &str, low: u32) -> ast::Param {
    ast::Param { span: 0..0, name: Ident { name: name.to_owned(), span: 0..0 }, low, high: None }
}

/// A name as the checked form knows it.
fn symbol(var: &Var) -> Symbol {
    // No place in a price is empty: running names of the rule are not found by theirs.
    Symbol::new(var.name.clone(), 0..0, Some(var.kind), var.shape, var.origin)
}

impl Lowering<'_> {
    /// Gives a measure a name, and returns the name as a value.
    pub fn measured(&mut self, measure: Measure, kind: Kind, shape: Shape, span: Span) -> TypedExpr {
        self.measures.push(measure);
        TypedExpr::new(Expr::Var(VarId::for_measure(self.measures.len() - 1)), kind, shape, span)
    }

    fn number(&mut self, measure: Measure, span: Span) -> TypedExpr {
        self.measured(measure, Kind::Number, Shape::One, span)
    }

    fn price_of(&mut self, value: TypedExpr) -> LowerResult<Expr> {
        if value.kind == Kind::Number {
            return Ok(value.expr);
        }
        self.fail(PriceProblem::NoNumber { what: value.what() }.at(&value.span))
    }

    /// `length`, `placed`: known of a match, not of a pattern.
    pub fn of_the_match(&mut self, name: &str, span: &Span) -> Option<TypedExpr> {
        self.pricing?;
        if name == "placed" {
            return Some(self.measured(Measure::Placed, Kind::Candidate, Shape::Many, span.clone()));
        }
        let what = MatchNumber::ALL.into_iter().find(|what| what.word() == name)?;
        Some(self.number(Measure::MatchNumber(what), span.clone()))
    }

    /// The words that only prices have.
    pub fn price_words(&self) -> impl Iterator<Item = String> {
        let words = MatchNumber::ALL.map(MatchNumber::word).into_iter().chain(["placed", words::ELIMINATED]);
        let named = self.pricing.into_iter().flatten().map(|(name, _)| name.clone());
        words.filter(|_| self.pricing.is_some()).map(str::to_owned).chain(named)
    }

    /// The value of an expression that the profile has given a name; `None` if it has not.
    pub fn named_in_profile(&mut self, ident: &Ident) -> Option<LowerResult<TypedExpr>> {
        let named = self.pricing?;
        let (read, mut found) = parse::price(named.get(&ident.name)?);
        // It uses no other names of the profile, so none can stand for itself.
        let others = self.pricing.replace(const { &BTreeMap::new() });
        let (before, doubtful) = (std::mem::take(&mut self.found), self.doubtful.clone());
        let value = read.as_ref().map(|read| self.expr(&read.value));
        found.append(&mut self.found);
        (self.pricing, self.found, self.doubtful) = (others, before, doubtful);
        let (code, message) = match (found.first(), read.and_then(|read| read.when)) {
            (Some(first), _) => (first.code, first.message.clone()),
            (None, Some(_)) => ("E0702", "an expression with a name has no `when`".to_owned()),
            (None, None) => {
                let span = ident.span.clone();
                return value.map(|value| value.map(|value| TypedExpr { span, ..value }));
            }
        };
        let problem = PriceProblem::NameOfProfile { name: ident.name.clone(), reason: message };
        Some(self.fail(Diagnostic { code, ..problem.at(&ident.span) }))
    }

    /// Lowers a function that only prices have; `None` for others.
    pub fn price_function(
        &mut self,
        function: &Ident,
        arguments: &Noun,
        span: &Span,
    ) -> Option<LowerResult<TypedExpr>> {
        self.pricing?;
        let span = span.clone();
        Some(match function.name.as_str() {
            "above" => self.above(arguments, span),
            "cell" => self.nth(true, arguments, span),
            "digit" => self.nth(false, arguments, span),
            "first" | "largest" | "rank" => self.of_cells(function, arguments, span),
            "since" => self.since(arguments, span),
            name => {
                let how = FOLDS.into_iter().find(|how| how.word() == name)?;
                self.fold(how, arguments, span)
            }
        })
    }

    /// `cell(K, 2)`, `digit(K, 2)`
    fn nth(&mut self, cell: bool, arguments: &Noun, span: Span) -> LowerResult<TypedExpr> {
        if let Some(&[of, ast::Expr { kind: ExprKind::Number(number), .. }]) = arguments.exprs().as_deref() {
            let of = self.expr(of)?;
            if of.kind == Kind::Candidate || (cell && of.kind == Kind::Cell) {
                return Ok(self.number(Measure::Nth { of_cell: cell, members: of.expr, number: *number }, span));
            }
        }
        let name = if cell { "cell" } else { "digit" };
        self.fail(PriceProblem::Nth { name, cells: cell }.at(&arguments.span))
    }

    /// `first(C)`, `largest(C)`, `rank(C)`
    fn of_cells(&mut self, function: &Ident, arguments: &Noun, span: Span) -> LowerResult<TypedExpr> {
        let value = self.noun(arguments)?;
        let cells = match value.kind {
            Kind::Candidate => Expr::UnsolvedCells(Box::new(value.expr)),
            _ => self.cells_of(&value, false, &format!("the argument of `{}`", function.name))?,
        };
        Ok(match function.name.as_str() {
            "first" => self.measured(Measure::First(cells), Kind::Cell, Shape::One, span),
            "rank" => self.number(Measure::Rank(cells), span),
            _ => self.number(Measure::Largest(cells), span),
        })
    }

    /// `product(a, b)`, `least(a, b)`, `most(a, b)`
    fn fold(&mut self, how: Fold, arguments: &Noun, span: Span) -> LowerResult<TypedExpr> {
        let is_list = arguments.exprs().is_some_and(|exprs| exprs.len() > 1);
        let values =
            arguments.elements.iter().map(|element| self.expr(&element.left)).collect::<LowerResult<Vec<_>>>()?;
        if !is_list || values.iter().any(|value| value.kind != Kind::Number) {
            return self.fail(PriceProblem::Fold { word: how.word() }.at(&arguments.span));
        }
        let of = values.into_iter().map(|value| value.expr).collect();
        Ok(self.number(Measure::Fold(how, of), span))
    }

    /// `since(D, C)`
    fn since(&mut self, arguments: &Noun, span: Span) -> LowerResult<TypedExpr> {
        let Some(&[digits, cells]) = arguments.exprs().as_deref() else {
            return self.fail(PriceProblem::Since.at(&arguments.span));
        };
        let (digits, cells) = (self.expr(digits), self.expr(cells));
        let (digits, cells) = (digits?, cells?);
        let digits = self.digits_of(&digits, "the first argument of `since`")?;
        let cells = self.cells_of(&cells, true, "the second argument of `since`")?;
        Ok(self.number(Measure::Since(digits, cells), span))
    }

    /// `above(x, 4, 6)`
    fn above(&mut self, arguments: &Noun, span: Span) -> LowerResult<TypedExpr> {
        let exprs = arguments.exprs();
        let Some([of, marks @ ..]) = exprs.as_deref() else {
            return self.fail(PriceProblem::Above.at(&arguments.span));
        };
        let marks = marks.iter().map(|mark| match mark.kind {
            ExprKind::Number(number) => Some(number),
            _ => None,
        });
        let Some(marks) = marks.collect::<Option<Vec<u32>>>().filter(|marks| !marks.is_empty()) else {
            return self.fail(PriceProblem::Above.at(&arguments.span));
        };
        let of = self.expr(of)?;
        if of.kind != Kind::Number {
            return self.fail(PriceProblem::Above.at(&of.span));
        }
        Ok(self.number(Measure::Above(of.expr, marks), span))
    }
}
