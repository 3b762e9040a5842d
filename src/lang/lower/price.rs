//! Lowers the prices of a profile. A price is the cost of a step: a number that is computed from the names of a checked
//! rule and from *measures*, which are values of a match ([`Measure`]).

use super::LowerResult;
use super::names::{Lowering, Symbol};
use super::typed_expr::{Shape, TypedExpr};
use crate::lang::ast::{self, ExprKind, Ident, Span, TermList};
use crate::lang::codes::{PriceProblem, Problem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Expr, Fold, Kind, MatchNumber, Measure, Price, Technique, VarId};
use crate::lang::parse;
use crate::lang::words::{self, word_list};
use std::collections::BTreeMap;

/// Words that have a meaning only in prices, besides the words of [`Fold`] and [`MatchNumber`].
const PRICE_WORDS: &[&str] = word_list! { placed above cell digit first largest since rank };

/// Returns true if a word has a meaning in prices, even if the rule has a name with this spelling.
pub fn is_price_word(word: &str) -> bool {
    words::is_reserved(word)
        || words::is_built_in(word)
        || PRICE_WORDS.contains(&word)
        || Fold::ALL.iter().any(|fold| fold.word() == word)
        || MatchNumber::ALL.iter().any(|number| number.word() == word)
}

/// Parses and checks a price such as `45 + #s`, which a profile gives to the steps of one variant of a technique.
/// `profile_names` are the named expressions of the profile.
///
/// # Errors
/// Returns all diagnostics, with positions in the text of the price, if the price has errors.
pub fn price(
    technique: &Technique,
    variant: usize,
    source: &str,
    profile_names: &BTreeMap<String, String>,
) -> Result<Price, Vec<Diagnostic>> {
    let (line, diagnostics) = parse::price(source);
    let Some(line) = line else { return Err(diagnostics) };
    let no_span = || 0..0;
    let params = technique.params.iter().map(|param| {
        let name = Ident { name: param.name.clone(), span: no_span() };
        ast::Param { span: no_span(), name, low: param.low, high: None }
    });
    let params: Vec<ast::Param> = params.collect();
    let mut lowering = Lowering::new(&params);
    lowering.allows_measures = true;
    lowering.profile_names = Some(profile_names);
    // A loop finds its variable by the span of the variable. All names of the rule get the span 0..0, so that a loop in
    // the price finds none of them.
    let symbols = technique.variants[variant]
        .vars
        .iter()
        .map(|var| Symbol::new(var.name.clone(), no_span(), Some(var.kind), var.shape, var.origin));
    lowering.symbols = symbols.collect();
    let value = lowering.price_value(&line.value);
    let when = line.when.as_ref().map(|condition| lowering.condition(condition)).transpose();
    let measures = std::mem::take(&mut lowering.measures);
    if let (Ok(value), Ok(when)) = (value, when)
        && lowering.diagnostics.borrow().is_empty()
    {
        return Ok(Price { measures, value, when });
    }
    // In a price, `for` and `those` fail without a diagnostic, because their loop variables are not declared.
    if lowering.diagnostics.borrow().is_empty() {
        lowering.report(PriceProblem::DeclaresName.at(&line.value.span));
    }
    Err(lowering.diagnostics.into_inner())
}

impl Lowering<'_> {
    fn is_in_price(&self) -> bool {
        self.profile_names.is_some()
    }

    /// Adds a measure and returns its value as an expression.
    pub fn measured(&mut self, measure: Measure, kind: Kind, shape: Shape, span: Span) -> TypedExpr {
        self.measures.push(measure);
        TypedExpr::new(Expr::Var(VarId::for_measure(self.measures.len() - 1)), kind, shape, span)
    }

    fn measured_number(&mut self, measure: Measure, span: Span) -> TypedExpr {
        self.measured(measure, Kind::Number, Shape::Single, span)
    }

    fn price_value(&mut self, expr: &ast::Expr) -> LowerResult<Expr> {
        let value = self.expr(expr)?;
        if value.kind == Kind::Number {
            return Ok(value.expr);
        }
        self.fail(PriceProblem::NoNumber { actual: value.description() }.at(&value.span))
    }

    /// Lowers `length`, `returns` and `placed`; `None` outside of prices and for other words.
    pub fn match_value(&mut self, word: &str, span: &Span) -> Option<TypedExpr> {
        if !self.is_in_price() {
            return None;
        }
        if word == "placed" {
            return Some(self.measured(Measure::Placed, Kind::Candidate, Shape::Set, span.clone()));
        }
        let number = MatchNumber::ALL.into_iter().find(|number| number.word() == word)?;
        Some(self.measured_number(Measure::MatchNumber(number), span.clone()))
    }

    /// Returns the names that only a price can use: values of the match and names of the profile. Empty outside of
    /// prices.
    pub fn price_words(&self) -> Vec<String> {
        let Some(profile_names) = self.profile_names else { return Vec::new() };
        let words = MatchNumber::ALL.map(MatchNumber::word).into_iter().chain(["placed", words::ELIMINATED]);
        words.map(str::to_owned).chain(profile_names.keys().cloned()).collect()
    }

    /// Lowers a named expression of the profile; `None` if the profile has no such name.
    pub fn profile_value(&mut self, ident: &Ident) -> Option<LowerResult<TypedExpr>> {
        let text = self.profile_names?.get(&ident.name)?;
        let (line, mut diagnostics) = parse::price(text);
        // A named expression cannot refer to other names of the profile, which rules out cycles.
        let profile_names = self.profile_names.replace(const { &BTreeMap::new() });
        let suppressed_names = self.suppressed_names.clone();
        let outer_diagnostics = self.diagnostics.take();
        let value = line.as_ref().map(|line| self.expr(&line.value));
        diagnostics.extend(self.diagnostics.replace(outer_diagnostics));
        self.profile_names = profile_names;
        self.suppressed_names = suppressed_names;
        let has_condition = line.is_some_and(|line| line.when.is_some());
        let first_error = diagnostics.first();
        if first_error.is_none() && !has_condition {
            // The value has the span of the name, because the text of the named expression is not part of the price.
            return value.map(|result| Ok(TypedExpr { span: ident.span.clone(), ..result? }));
        }
        let reason = match first_error {
            Some(error) => error.message.clone(),
            None => "an expression with a name has no `when`".to_owned(),
        };
        let mut diagnostic = PriceProblem::NameOfProfile { name: ident.name.clone(), reason }.at(&ident.span);
        if let Some(error) = first_error {
            diagnostic.code = error.code;
        }
        Some(self.fail(diagnostic))
    }

    /// Lowers a function that only prices have; `None` outside of prices and for other functions.
    pub fn price_function(
        &mut self,
        function: &Ident,
        arguments: &TermList,
        span: &Span,
    ) -> Option<LowerResult<TypedExpr>> {
        if !self.is_in_price() {
            return None;
        }
        let span = span.clone();
        Some(match function.name.as_str() {
            "above" => self.above(arguments, span),
            "cell" | "digit" => self.nth(function, arguments, span),
            "first" | "largest" | "rank" => self.measure_of_cells(function, arguments, span),
            "since" => self.since(arguments, span),
            name => {
                let fold = Fold::ALL.into_iter().find(|fold| fold.word() == name)?;
                self.fold(fold, arguments, span)
            }
        })
    }

    /// Lowers `cell(K, 2)` and `digit(K, 2)`: the number of the cell, or of the digit, of the second member of K.
    fn nth(&mut self, function: &Ident, arguments: &TermList, span: Span) -> LowerResult<TypedExpr> {
        let of_cell = function.name == "cell";
        if let Some(&[set, ast::Expr { kind: ExprKind::Number(number), .. }]) = arguments.exprs().as_deref() {
            let members = self.expr(set)?;
            if members.kind == Kind::Candidate || (of_cell && members.kind == Kind::Cell) {
                let measure = Measure::Nth { of_cell, members: members.expr, number: *number };
                return Ok(self.measured_number(measure, span));
            }
        }
        self.fail(PriceProblem::Nth { name: function.name.clone(), allows_cells: of_cell }.at(&arguments.span))
    }

    /// Lowers `first(C)`, the first cell of C in row-major order; `largest(C)`, the largest number of candidates of a
    /// cell of C; and `rank(C)`, the number of the set C in an enumeration of all sets of cells of a house.
    fn measure_of_cells(&mut self, function: &Ident, arguments: &TermList, span: Span) -> LowerResult<TypedExpr> {
        let value = self.term_list(arguments)?;
        let cells = self.require_cells_or_candidates(&value, &format!("the argument of `{}`", function.name))?;
        Ok(match function.name.as_str() {
            "first" => self.measured(Measure::First(cells), Kind::Cell, Shape::Single, span),
            "rank" => self.measured_number(Measure::Rank(cells), span),
            _ => self.measured_number(Measure::Largest(cells), span),
        })
    }

    /// Lowers `product(a, b)`, `least(a, b)` and `most(a, b)`.
    fn fold(&mut self, fold: Fold, arguments: &TermList, span: Span) -> LowerResult<TypedExpr> {
        let has_several_arguments = arguments.exprs().is_some_and(|exprs| exprs.len() > 1);
        let mut numbers = Vec::new();
        let mut are_numbers = true;
        for term in &arguments.terms {
            let value = self.expr(&term.expr)?;
            are_numbers &= value.kind == Kind::Number;
            numbers.push(value.expr);
        }
        if !has_several_arguments || !are_numbers {
            return self.fail(PriceProblem::Fold { word: fold.word() }.at(&arguments.span));
        }
        Ok(self.measured_number(Measure::Fold(fold, numbers), span))
    }

    /// Lowers `since(D, C)`: the time of the last removal of a digit of D from a cell of C, in removed candidates.
    fn since(&mut self, arguments: &TermList, span: Span) -> LowerResult<TypedExpr> {
        let Some(&[digits, cells]) = arguments.exprs().as_deref() else {
            return self.fail(PriceProblem::Since.at(&arguments.span));
        };
        let (digits, cells) = (self.expr(digits), self.expr(cells));
        let (digits, cells) = (digits?, cells?);
        let digits = self.require_digits(&digits, "the first argument of `since`")?;
        let cells = self.require_cells_or_candidates(&cells, "the second argument of `since`")?;
        Ok(self.measured_number(Measure::Since(digits, cells), span))
    }

    /// Lowers `above(x, 4, 6)`: the number of thresholds (4 and 6) that x exceeds.
    fn above(&mut self, arguments: &TermList, span: Span) -> LowerResult<TypedExpr> {
        let exprs = arguments.exprs().unwrap_or_default();
        let thresholds = exprs.iter().skip(1).map_while(|threshold| match threshold.kind {
            ExprKind::Number(number) => Some(number),
            _ => None,
        });
        let thresholds: Vec<u32> = thresholds.collect();
        let (Some(number), true) = (exprs.first(), thresholds.len() + 1 == exprs.len() && !thresholds.is_empty())
        else {
            return self.fail(PriceProblem::Above.at(&arguments.span));
        };
        let number = self.expr(number)?;
        if number.kind != Kind::Number {
            return self.fail(PriceProblem::Above.at(&number.span));
        }
        Ok(self.measured_number(Measure::Above(number.expr, thresholds), span))
    }
}
