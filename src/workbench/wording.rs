//! Writes values and expressions as English phrases. In: a variant of a rule with a value for each name. Out: [`Wording`], which writes a
//! value (`4 and 6 in r7c4`) or a [`NounPhrase`] of an expression (`the places for 5 in row 4`). [`super::phrases`] makes sentences of
//! conditions.

use crate::engine::Value;
use crate::eval::Evaluator;
use crate::eval::elements::{Element, elements, value_of_kind};
use crate::grid::{Candidate, Cell, Digit, DigitSet, HouseId, HouseKind, notation};
use crate::lang::ir::{CaseResult, Cases, Expr, HouseClass, Kind, Origin, Statement, Suppose, VarId, Variant};
use crate::render::{digits_in_words, join_words};
use crate::solve::{ViewedPosition, value_text};
use std::collections::{BTreeMap, BTreeSet};

/// A variant of a rule with a value for each name.
pub struct Wording<'a> {
    pub variant: &'a Variant,
    pub(super) context: &'a ViewedPosition<'a>,
    pub evaluator: Evaluator<'a>,
}

impl<'a> Wording<'a> {
    /// Makes the wording of a variant. `bindings` has the value of each name, as in a match.
    pub fn new(
        variant: &'a Variant,
        args: &'a [u32],
        context: &'a ViewedPosition<'a>,
        bindings: &[Option<Value>],
    ) -> Wording<'a> {
        let evaluator = Evaluator::new(variant, args, context.geometry(), context.state(), bindings);
        Wording { variant, context, evaluator }
    }

    /// Returns the wording with a check that ends long evaluations; see [`Evaluator::with_cancellation`].
    pub fn with_cancellation(self, is_cancelled: &'a dyn Fn() -> bool) -> Wording<'a> {
        Wording { evaluator: self.evaluator.with_cancellation(is_cancelled), ..self }
    }

    /// Writes a value: `4 and 6 in r7c4`.
    pub(super) fn text(&self, value: &Value) -> String {
        let text = match self.context.lens.value_in_grid(value) {
            Value::Digits(digits) => digits_in_words(digits),
            Value::Houses(houses) => self.houses(&houses),
            Value::Candidates(candidates) => self.candidates(&candidates),
            value => value_text(&value, self.context.grid),
        };
        if text.is_empty() { "none".into() } else { text }
    }

    /// `4 and 6 in r7c4`. Digits with the same cells are grouped.
    fn candidates(&self, candidates: &[Candidate]) -> String {
        let mut cells_by_digit: BTreeMap<Digit, Vec<Cell>> = BTreeMap::new();
        candidates.iter().for_each(|candidate| cells_by_digit.entry(candidate.digit).or_default().push(candidate.cell));
        let mut groups: Vec<(DigitSet, Vec<Cell>)> = Vec::new();
        for (digit, cells) in cells_by_digit {
            match groups.iter_mut().find(|(_, group_cells)| *group_cells == cells) {
                Some((digits, _)) => *digits = *digits | DigitSet::single(digit),
                None => groups.push((DigitSet::single(digit), cells)),
            }
        }
        let phrases = groups.iter().map(|(digits, cells)| {
            format!("{} in {}", digits_in_words(*digits), notation::cells(self.context.grid, cells))
        });
        join_words(&phrases.collect::<Vec<_>>(), "and")
    }

    /// `row 4 and box 2`, `all rows`.
    pub(super) fn houses(&self, houses: &[HouseId]) -> String {
        let kinds = [(HouseKind::Row, "all rows"), (HouseKind::Column, "all columns"), (HouseKind::Box, "all boxes")];
        let mut phrases = Vec::new();
        let mut rest = houses.to_vec();
        for (kind, phrase) in kinds {
            if self.has_all_of_kind(houses, kind) {
                phrases.push(phrase.to_string());
                rest.retain(|&house| self.context.grid.house(house).kind != kind);
            }
        }
        if !rest.is_empty() {
            phrases.push(notation::houses_in_words(self.context.grid, &rest));
        }
        join_words(&phrases, "and")
    }

    /// Returns true if `houses` contains all houses of a kind, and at least two houses.
    fn has_all_of_kind(&self, houses: &[HouseId], kind: HouseKind) -> bool {
        let count = houses.iter().filter(|&&id| self.context.grid.house(id).kind == kind).count();
        count > 1 && count == self.context.grid.houses().iter().filter(|house| house.kind == kind).count()
    }

    pub fn value_text(&self, expr: &Expr) -> String {
        self.text(&self.evaluator.value(expr))
    }

    pub(super) fn size(&self, expr: &Expr) -> usize {
        self.evaluator.set(expr).len()
    }

    pub(super) fn cells(&self, expr: &Expr) -> Vec<Cell> {
        match self.evaluator.value(expr) {
            Value::Cells(cells) => cells,
            Value::Candidates(candidates) => candidates.iter().map(|candidate| candidate.cell).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns a wording for each value of a loop variable.
    pub(super) fn each(&self, variable: VarId, range: &Expr) -> Vec<Wording<'a>> {
        let evaluators = self.evaluator.for_each_member(variable, range).into_iter();
        evaluators.map(|evaluator| Wording { evaluator, ..*self }).collect()
    }

    /// Writes all values that the rule chose, grouped by kind: `5 and 6; r1c12; row 1`.
    pub(super) fn chosen_values(&self) -> String {
        let vars = self.variant.vars.iter();
        let chosen = self
            .evaluator
            .bindings()
            .iter()
            .zip(vars)
            .filter(|(_, var)| matches!(var.origin, Origin::Chosen | Origin::Pattern));
        let chosen_elements: BTreeSet<Element> = chosen.flat_map(|(value, _)| value).flat_map(elements).collect();
        let kinds = [Kind::Digit, Kind::Cell, Kind::House(HouseClass::Any), Kind::Candidate];
        let values =
            kinds.iter().map(|kind| value_of_kind(*kind, &chosen_elements)).filter(|value| !elements(value).is_empty());
        values.map(|value| self.text(&value)).collect::<Vec<_>>().join("; ")
    }

    /// Returns every name with a value, except loop variables, with the text of its value.
    pub fn names(&self) -> Vec<(String, String)> {
        let mut names = Vec::new();
        for (index, (var, value)) in self.variant.vars.iter().zip(self.evaluator.bindings()).enumerate() {
            let Some(value) = value else { continue };
            if var.origin == Origin::Index {
                continue;
            }
            let text = value_text(&self.context.lens.value_in_grid(value), self.context.grid);
            // A literal is two names, of which exactly one has a candidate.
            if text.is_empty() && self.is_literal(VarId(index)) {
                continue;
            }
            names.push((var.name.clone(), if text.is_empty() { "nothing".into() } else { text }));
        }
        names
    }

    fn is_literal(&self, name: VarId) -> bool {
        self.variant.body.iter().any(|statement| match statement {
            Statement::Suppose(Suppose { cases: Cases::Literal(literal), .. })
            | Statement::Suppose(Suppose {
                shows: CaseResult::AllImply(literal) | CaseResult::AllImplyWithoutContradiction(literal),
                ..
            }) => literal.holds == name || literal.fails == name,
            _ => false,
        })
    }
}

pub(super) struct NounPhrase {
    pub text: String,
    pub is_plural: bool,
}

impl NounPhrase {
    pub(super) fn new(text: impl Into<String>, is_plural: bool) -> NounPhrase {
        NounPhrase { text: text.into(), is_plural }
    }

    /// `r4c8 is`, `row 4 and box 2 are not`.
    pub(super) fn is(&self, yes: bool) -> String {
        let not = if yes { "" } else { " not" };
        format!("{} {}{not}", self.text, if self.is_plural { "are" } else { "is" })
    }

    /// `r4c8 sees`, `r4c78 do not see`.
    pub(super) fn does(&self, yes: bool, singular: &str, plural: &str) -> String {
        let verb = match (yes, self.is_plural) {
            (true, false) => singular.to_string(),
            (true, true) => plural.to_string(),
            (false, false) => format!("does not {plural}"),
            (false, true) => format!("do not {plural}"),
        };
        format!("{} {verb}", self.text)
    }

    pub(super) fn has(&self, yes: bool) -> String {
        self.does(yes, "has", "have")
    }
}

impl Wording<'_> {
    /// Returns the noun for the digits that a cell can have: `candidates`. In a view, where a cell is a digit in a house, the noun is `places`.
    pub(super) fn options(&self, count: usize) -> &'static str {
        match (self.context.lens.is_grid(), count == 1) {
            (true, true) => "candidate",
            (true, false) => "candidates",
            (false, true) => "place",
            (false, false) => "places",
        }
    }

    /// Returns the noun for `count` members of an expression: `cell`, `digits`.
    pub(super) fn member_noun(&self, expr: &Expr, count: usize) -> String {
        let singular = match self.evaluator.value(expr) {
            Value::Digits(_) => "digit",
            Value::Houses(_) => "house",
            Value::Candidates(_) => "candidate",
            _ => "cell",
        };
        format!("{singular}{}", if count == 1 { "" } else { "s" })
    }

    /// Returns the noun phrase of an expression. If no phrase fits, returns the value of the expression.
    pub(super) fn noun_phrase(&self, expr: &Expr) -> NounPhrase {
        self.noun_phrase_of(expr, self.size(expr))
    }

    /// Returns the noun phrase of an expression, in the singular if `size` is 1, otherwise in the plural.
    pub(super) fn noun_phrase_of(&self, expr: &Expr, size: usize) -> NounPhrase {
        let s = if size == 1 { "" } else { "s" };
        let text = match expr {
            Expr::Var(name) if size == 0 && self.variant.var(*name).kind != Kind::Number => {
                return self
                    .variant
                    .definition(*name)
                    .map_or_else(|| NounPhrase::new("none", false), |inner| self.noun_phrase(inner));
            }
            Expr::HouseCells(inner) => return self.noun_phrase(inner),
            Expr::CandidatesIn(digits, cells) if **digits != Expr::AllDigits => {
                let NounPhrase { text, is_plural } = self.noun_phrase(digits);
                return NounPhrase::new(format!("{text} in {}", self.phrase_text(cells)), is_plural);
            }
            Expr::Intersection(a, b) => return self.intersection_phrase(a, b),
            Expr::Count(_) | Expr::Add(..) | Expr::Subtract(..) => return NounPhrase::new(self.measure(expr), false),
            Expr::Digits(inner) if self.has_options(inner) => {
                format!("the {} of {}", self.options(size), self.phrase_text(inner))
            }
            Expr::Values(inner) => format!("the digit{s} solved in {}", self.phrase_text(inner)),
            Expr::CellsOf(inner) => match inner.as_ref() {
                Expr::CandidatesIn(digits, cells) if **digits != Expr::AllDigits => {
                    format!("the place{s} for {} in {}", self.phrase_text(digits), self.phrase_text(cells))
                }
                inner if self.is_region(inner) => format!("the unsolved cell{s} of {}", self.phrase_text(inner)),
                _ => self.value_text(expr),
            },
            Expr::CandidatesIn(_, cells) => format!("the candidate{s} of {}", self.phrase_text(cells)),
            Expr::Seeing { every, cells: inner } => {
                let see = if size == 1 { "sees" } else { "see" };
                format!("the cell{s} that {see} {}", self.quantified(*every, inner))
            }
            Expr::Excluded { every, candidates: inner } => {
                format!("the candidate{s} that {}", self.excluding(*every, inner, true))
            }
            Expr::AllDigits => "all digits".into(),
            Expr::AllCells => "the unsolved cells".into(),
            Expr::AllHouses(class) => Kind::House(*class).description(false).into(),
            Expr::Difference(a, b) => self.difference_text(a, b, s),
            Expr::Union(parts) => match self.evaluator.value(expr) {
                Value::Cells(_) if self.is_region(expr) => self.union_text(parts),
                Value::Digits(_) if !parts.iter().all(is_self_evident) => {
                    parts.iter().map(|part| self.phrase_text(part)).collect::<Vec<_>>().join(" with ")
                }
                value => self.text(&value),
            },
            _ => self.value_text(expr),
        };
        NounPhrase::new(text, size != 1)
    }

    pub(super) fn phrase_text(&self, expr: &Expr) -> String {
        self.noun_phrase(expr).text
    }

    /// `columns 1 and 3`, `row 4 or box 2`, `box 2 or in r4c8`.
    fn union_text(&self, parts: &[Expr]) -> String {
        let (mut houses, mut others): (Vec<HouseId>, Vec<String>) = Default::default();
        for part in parts.iter().filter(|part| self.size(part) > 0) {
            let house_expr = match part {
                Expr::HouseCells(houses) => houses.as_ref(),
                Expr::HousesOf(..) => part,
                _ => {
                    others.push(self.phrase_text(part));
                    continue;
                }
            };
            if let Value::Houses(part_houses) = self.context.lens.value_in_grid(&self.evaluator.value(house_expr)) {
                houses.extend(part_houses);
            }
        }
        houses.sort_unstable();
        let by_kind = houses.chunk_by(|a, b| self.context.grid.house(*a).kind == self.context.grid.house(*b).kind);
        let house_words = by_kind.map(|houses| self.houses(houses)).collect::<Vec<_>>().join(" or ");
        if !house_words.is_empty() {
            others.insert(0, house_words);
        }
        others.join(" or in ")
    }

    /// `row 4 outside box 2`, `digits other than 5`, `the digits missing in row 4`.
    fn difference_text(&self, a: &Expr, b: &Expr, s: &str) -> String {
        match (a, b) {
            (Expr::AllDigits, Expr::Values(inner)) => format!("the digit{s} missing in {}", self.phrase_text(inner)),
            (Expr::AllDigits, _) => format!("digits other than {}", self.phrase_text(b)),
            _ if self.is_region(b) => format!("{} outside {}", self.phrase_text(a), with_and(self.phrase_text(b))),
            _ => format!("{} apart from {}", self.phrase_text(a), self.phrase_text(b)),
        }
    }

    fn intersection_phrase(&self, a: &Expr, b: &Expr) -> NounPhrase {
        match (a, b, self.evaluator.value(a)) {
            (Expr::Digits(a), Expr::Digits(b), _) if self.has_options(a) && self.has_options(b) => NounPhrase::new(
                format!("the {} that {} and {} share", self.options(2), self.phrase_text(a), self.phrase_text(b)),
                true,
            ),
            (.., Value::Cells(_)) if self.is_region(a) && self.is_region(b) => {
                let (a, b) = (self.phrase_text(a), self.phrase_text(b));
                let conjunction = if a.contains(" and ") || b.contains(" and ") { "with" } else { "and" };
                let text = format!("the intersection of {} {conjunction} {}", with_and(a), with_and(b));
                NounPhrase::new(text, false)
            }
            _ => {
                let both = Expr::Intersection(Box::new(a.clone()), Box::new(b.clone()));
                NounPhrase::new(self.value_text(&both), self.size(&both) != 1)
            }
        }
    }

    /// `2 cells (r4c78)`; for a sum the list of its terms.
    fn measure(&self, expr: &Expr) -> String {
        match expr {
            Expr::Count(inner) => {
                let size = self.size(inner);
                format!("{size} {} ({})", self.member_noun(inner, size), self.value_text(inner))
            }
            Expr::Add(..) => join_words(&self.terms(expr), "and"),
            Expr::Subtract(a, b) => format!("{} less {}", self.measure(a), self.measure(b)),
            other => self.evaluator.number(other).to_string(),
        }
    }

    fn terms(&self, expr: &Expr) -> Vec<String> {
        match expr {
            Expr::Add(a, b) => [self.terms(a), self.terms(b)].concat(),
            other => vec![self.measure(other)],
        }
    }

    /// `r4c8`, `all of r4c78`, `one of r4c78`.
    pub(super) fn quantified(&self, every: bool, set: &Expr) -> String {
        let noun = self.phrase_text(set);
        match self.size(set) {
            0 | 1 => noun,
            _ if every => format!("all of {noun}"),
            _ => format!("one of {noun}"),
        }
    }

    /// `every 5 in r4c78 excludes`, `no 5 in r4c78 excludes`.
    pub(super) fn excluding(&self, every: bool, candidates: &Expr, yes: bool) -> String {
        let noun = self.phrase_text(candidates);
        let quantifier = match (self.size(candidates), every, yes) {
            (0 | 1, ..) => return NounPhrase::new(noun, false).does(yes, "excludes", "exclude"),
            (_, true, true) => "every",
            (_, true, false) => "not every",
            (_, false, true) => "some",
            (_, false, false) => "no",
        };
        format!("{quantifier} {noun} excludes")
    }

    /// Returns true if the value of an expression consists of cells or houses, so that its digits are candidates.
    pub(super) fn has_options(&self, set: &Expr) -> bool {
        !matches!(self.evaluator.value(set), Value::Candidates(_) | Value::Digits(_))
    }

    /// Returns true if the expression is a region of the board, such as a house or a part of a house.
    pub(super) fn is_region(&self, expr: &Expr) -> bool {
        match expr {
            Expr::HouseCells(_) | Expr::HousesOf(..) => true,
            Expr::Union(parts) => parts.iter().any(|part| self.is_region(part)),
            Expr::Intersection(a, _) | Expr::Difference(a, _) => self.is_region(a),
            Expr::Var(name) => matches!(self.variant.var(*name).kind, Kind::House(_)),
            _ => false,
        }
    }
}

/// Replaces `or` by `and` in the text of a union: `row 4 or box 2`.
fn with_and(union_text: String) -> String {
    union_text.replace(" or in ", " and ").replace(" or ", " and ")
}

/// Returns true if the value of the expression needs no explanation: names, numbers, and unions of them.
pub(super) fn is_self_evident(expr: &Expr) -> bool {
    match expr {
        Expr::Var(_) | Expr::Member(..) | Expr::Number(_) | Expr::Param(_) => true,
        Expr::AllDigits | Expr::AllCells | Expr::AllHouses(_) => true,
        Expr::HouseCells(inner) => is_self_evident(inner),
        Expr::Union(parts) => parts.iter().all(is_self_evident),
        _ => false,
    }
}
