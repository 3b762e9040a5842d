//! Values and expressions in the field's words. In: a case of a rule with a value for each name. Out: [`Wording`], which renders
//! values (`4 and 6 in r7c4`) and makes a [`NounPhrase`] of an expression, such as `the places for 5 in row 4`. [`super::phrases`] makes
//! sentences of conditions.

use crate::engine::{Lens, Value};
use crate::eval::Evaluator;
use crate::eval::elements::{Element, elements, value_of_kind};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, HouseKind, State, notation};
use crate::lang::ir::{
    CaseResult, Cases, Expr, HouseClass, Kind, Origin, Statement, Suppose, VarId, Variant, class_plural,
};
use crate::render::{digits_and, join_words};
use crate::solve::{ViewContext, value_text};
use std::collections::{BTreeMap, BTreeSet};

/// A case of a rule with a value for each name.
pub struct Wording<'a> {
    /// The rule.
    pub variant: &'a Variant,
    /// The board that the rule sees, and the board as it is.
    pub(super) geometry: &'a Geometry,
    pub(super) grid: &'a Geometry,
    pub(super) lens: Lens,
    pub(super) state: &'a State,
    /// Able to judge conditions.
    pub evaluator: Evaluator<'a>,
}

impl<'a> Wording<'a> {
    /// Takes a value for each name, as in a match.
    pub fn new(
        variant: &'a Variant,
        args: &'a [u32],
        context: &'a ViewContext<'a>,
        bindings: &[Option<Value>],
    ) -> Wording<'a> {
        let (geometry, state) = (context.geometry(), context.state());
        let evaluator = Evaluator::new(variant, args, geometry, state, bindings);
        Wording { variant, geometry, grid: context.grid, lens: context.lens, state, evaluator }
    }

    /// Returns the case with a question to end long evaluations by; see [`Evaluator::with_halt_check`].
    pub fn until(self, asked: &'a dyn Fn() -> bool) -> Wording<'a> {
        Wording { evaluator: self.evaluator.with_halt_check(asked), ..self }
    }

    /// A value in words.
    pub(super) fn text(&self, value: &Value) -> String {
        let text = match self.lens.value(value) {
            Value::Digits(digits) => digits_and(digits),
            Value::Houses(houses) => self.houses(&houses),
            Value::Candidates(all) => self.candidates(&all),
            other => value_text(&other, self.grid),
        };
        if text.is_empty() { "none".into() } else { text }
    }

    /// `4 and 6 in r7c4`: digits that are in the same cells together.
    fn candidates(&self, all: &[Candidate]) -> String {
        let mut places: BTreeMap<Digit, Vec<Cell>> = BTreeMap::new();
        all.iter().for_each(|one| places.entry(one.digit).or_default().push(one.cell));
        let mut groups: Vec<(DigitSet, Vec<Cell>)> = Vec::new();
        for (digit, cells) in places {
            match groups.iter_mut().find(|(_, known)| *known == cells) {
                Some((digits, _)) => *digits = *digits | DigitSet::single(digit),
                None => groups.push((DigitSet::single(digit), cells)),
            }
        }
        let words = groups
            .iter()
            .map(|(digits, cells)| format!("{} in {}", digits_and(*digits), notation::cells(self.grid, cells)));
        join_words(&words.collect::<Vec<_>>(), "and")
    }

    /// `row 4 and box 2`, `all rows`.
    pub(super) fn houses(&self, houses: &[HouseId]) -> String {
        let kinds = [(HouseKind::Row, "all rows"), (HouseKind::Column, "all columns"), (HouseKind::Box, "all boxes")];
        let whole: Vec<(HouseKind, &str)> =
            kinds.into_iter().filter(|&(kind, _)| self.has_all_of_several(houses, kind)).collect();
        let mut words: Vec<String> = whole.iter().map(|(_, words)| words.to_string()).collect();
        let few: Vec<HouseId> = houses
            .iter()
            .copied()
            .filter(|&id| whole.iter().all(|(kind, _)| self.grid.house(id).kind != *kind))
            .collect();
        words.extend((!few.is_empty()).then(|| notation::houses_in_words(self.grid, &few)));
        join_words(&words, "and")
    }

    /// Returns true if `houses` has every house of a kind, and that kind has at least two.
    fn has_all_of_several(&self, houses: &[HouseId], kind: HouseKind) -> bool {
        let count = houses.iter().filter(|&&id| self.grid.house(id).kind == kind).count();
        count > 1 && count == self.grid.houses().iter().filter(|house| house.kind == kind).count()
    }

    /// The value of an expression, in words.
    pub fn value(&self, expr: &Expr) -> String {
        self.text(&self.evaluator.value(expr))
    }

    pub(super) fn size(&self, expr: &Expr) -> usize {
        self.evaluator.set(expr).len()
    }

    pub(super) fn cells(&self, expr: &Expr) -> Vec<Cell> {
        match self.evaluator.value(expr) {
            Value::Cells(cells) => cells,
            Value::Candidates(list) => list.iter().map(|one| one.cell).collect(),
            _ => Vec::new(),
        }
    }

    /// The expression that defines a name.
    pub(super) fn definition(&self, name: VarId) -> Option<&'a Expr> {
        self.variant.definition(name)
    }

    /// One copy for each value of a running name.
    pub(super) fn each(&self, index: VarId, of: &Expr) -> Vec<Wording<'a>> {
        let &Wording { variant, geometry, grid, lens, state, .. } = self;
        let all = self.evaluator.for_each_member(index, of).into_iter();
        all.map(|evaluator| Wording { variant, geometry, grid, lens, state, evaluator }).collect()
    }

    /// The digits, cells, houses and candidates that the names stand for, without the names.
    pub(super) fn cast(&self) -> String {
        let vars = self.variant.vars.iter();
        let chosen = self
            .evaluator
            .bindings()
            .iter()
            .zip(vars)
            .filter(|(_, var)| matches!(var.origin, Origin::Chosen | Origin::Pattern));
        let all: BTreeSet<Element> = chosen.flat_map(|(value, _)| value).flat_map(elements).collect();
        let kinds = [Kind::Digit, Kind::Cell, Kind::House(HouseClass::Any), Kind::Candidate];
        let values = kinds.iter().map(|kind| value_of_kind(*kind, &all)).filter(|value| !elements(value).is_empty());
        values.map(|value| self.text(&value)).collect::<Vec<_>>().join("; ")
    }

    /// Every name that has a value, with its value in the field's notation.
    pub fn names(&self) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for (at, (var, value)) in self.variant.vars.iter().zip(self.evaluator.bindings()).enumerate() {
            let Some(value) = value.as_ref().filter(|_| var.origin != Origin::Index) else { continue };
            let text = value_text(&self.lens.value(value), self.grid);
            // Exactly one of the two names of a literal has a candidate.
            if text.is_empty() && self.is_literal(VarId(at)) {
                continue;
            }
            out.push((var.name.clone(), if text.is_empty() { "nothing".into() } else { text }));
        }
        out
    }

    /// Returns true if a name stands for a literal or its negation.
    fn is_literal(&self, name: VarId) -> bool {
        self.variant.body.iter().any(|line| match line {
            Statement::Suppose(Suppose { cases: Cases::Literal(one), .. })
            | Statement::Suppose(Suppose {
                shows: CaseResult::AllImply(one) | CaseResult::AllImplyWithout(one), ..
            }) => one.holds == name || one.fails == name,
            _ => false,
        })
    }
}

/// Subject or object of a sentence.
pub(super) struct NounPhrase {
    pub text: String,
    /// True if its verb is in the plural.
    pub many: bool,
}

impl NounPhrase {
    pub(super) fn new(text: impl Into<String>, many: bool) -> NounPhrase {
        NounPhrase { text: text.into(), many }
    }

    /// `r4c8 is`, `row 4 and box 2 are not`.
    pub(super) fn is(&self, yes: bool) -> String {
        let not = if yes { "" } else { " not" };
        format!("{} {}{not}", self.text, if self.many { "are" } else { "is" })
    }

    /// `r4c8 sees`, `r4c78 do not see`.
    pub(super) fn does(&self, yes: bool, one: &str, several: &str) -> String {
        let verb = match (yes, self.many) {
            (true, false) => one.to_string(),
            (true, true) => several.to_string(),
            (false, false) => format!("does not {several}"),
            (false, true) => format!("do not {several}"),
        };
        format!("{} {verb}", self.text)
    }

    pub(super) fn has(&self, yes: bool) -> String {
        self.does(yes, "has", "have")
    }
}

impl Wording<'_> {
    /// `candidates`: what a cell has. In a view a digit of a house has places.
    pub(super) fn options(&self, count: usize) -> &'static str {
        match (self.lens.is_grid(), count == 1) {
            (true, true) => "candidate",
            (true, false) => "candidates",
            (false, true) => "place",
            (false, false) => "places",
        }
    }

    /// The word for one member of an expression: cell, digit, house or candidate.
    pub(super) fn thing(&self, expr: &Expr, count: usize) -> String {
        let one = match self.evaluator.value(expr) {
            Value::Digits(_) => "digit",
            Value::Houses(_) => "house",
            Value::Candidates(_) => "candidate",
            _ => "cell",
        };
        format!("{one}{}", if count == 1 { "" } else { "s" })
    }

    /// The noun phrase of an expression with the values in place, or its own value if no phrase fits.
    pub(super) fn noun(&self, expr: &Expr) -> NounPhrase {
        self.noun_of(expr, self.size(expr))
    }

    /// The noun phrase in the singular or plural that a number requires.
    pub(super) fn noun_of(&self, expr: &Expr, size: usize) -> NounPhrase {
        let s = if size == 1 { "" } else { "s" };
        let text = match expr {
            Expr::Var(name) if size == 0 && self.variant.var(*name).kind != Kind::Number => {
                return self.definition(*name).map_or_else(|| NounPhrase::new("none", false), |of| self.noun(of));
            }
            Expr::HouseCells(of) => return self.noun(of),
            Expr::In(digits, cells) if **digits != Expr::AllDigits => {
                let NounPhrase { text, many } = self.noun(digits);
                return NounPhrase::new(format!("{text} in {}", self.words(cells)), many);
            }
            Expr::Intersection(a, b) => return self.both(a, b),
            Expr::Count(_) | Expr::Add(..) | Expr::Subtract(..) => return NounPhrase::new(self.measure(expr), false),
            Expr::Digits(of) if self.has_options(of) => format!("the {} of {}", self.options(size), self.words(of)),
            Expr::Values(of) => format!("the digit{s} solved in {}", self.words(of)),
            Expr::UnsolvedCells(of) => match of.as_ref() {
                Expr::In(digits, cells) if **digits != Expr::AllDigits => {
                    format!("the place{s} for {} in {}", self.words(digits), self.words(cells))
                }
                of if self.is_region(of) => format!("the unsolved cell{s} of {}", self.words(of)),
                _ => self.value(expr),
            },
            Expr::In(_, cells) => format!("the candidate{s} of {}", self.words(cells)),
            Expr::Seeing { every, cells: of } => {
                let see = if size == 1 { "sees" } else { "see" };
                format!("the cell{s} that {see} {}", self.quantified(*every, of))
            }
            Expr::Excluded { every, candidates: of } => {
                format!("the candidate{s} that {}", self.excluding(*every, of, true))
            }
            Expr::AllDigits => "all digits".into(),
            Expr::AllCells => "the unsolved cells".into(),
            Expr::AllHouses(class) => class_plural(*class),
            Expr::Difference(a, b) => self.less(a, b, s),
            Expr::Union(parts) => match self.evaluator.value(expr) {
                Value::Cells(_) if self.is_region(expr) => self.union(parts),
                Value::Digits(_) if !parts.iter().all(is_self_evident) => {
                    parts.iter().map(|part| self.words(part)).collect::<Vec<_>>().join(" with ")
                }
                value => self.text(&value),
            },
            _ => self.value(expr),
        };
        NounPhrase::new(text, size != 1)
    }

    /// The noun phrase of an expression as text.
    pub(super) fn words(&self, expr: &Expr) -> String {
        self.noun(expr).text
    }

    /// `columns 1 and 3`, `row 4 or box 2`, `box 2 or in r4c8`.
    fn union(&self, parts: &[Expr]) -> String {
        let there = parts.iter().filter(|part| self.size(part) > 0);
        let (houses, others): (Vec<&Expr>, Vec<&Expr>) =
            there.partition(|part| matches!(part, Expr::HouseCells(_) | Expr::HousesOf(..)));
        let mut ids: Vec<HouseId> = Vec::new();
        for part in houses {
            let of = if let Expr::HouseCells(of) = part { of.as_ref() } else { part };
            if let Value::Houses(houses) = self.lens.value(&self.evaluator.value(of)) {
                ids.extend(houses);
            }
        }
        ids.sort_unstable();
        let by_kind = ids.chunk_by(|a, b| self.grid.house(*a).kind == self.grid.house(*b).kind);
        let houses = by_kind.map(|ids| self.houses(ids)).collect::<Vec<_>>().join(" or ");
        let others = others.into_iter().map(|part| self.words(part));
        Some(houses).filter(|text| !text.is_empty()).into_iter().chain(others).collect::<Vec<_>>().join(" or in ")
    }

    /// `row 4 outside box 2`, `digits other than 5`, `the digits missing in row 4`.
    fn less(&self, a: &Expr, b: &Expr, s: &str) -> String {
        match (a, b) {
            (Expr::AllDigits, Expr::Values(of)) => format!("the digit{s} missing in {}", self.words(of)),
            (Expr::AllDigits, _) => format!("digits other than {}", self.words(b)),
            _ if self.is_region(b) => format!("{} outside {}", self.words(a), all(self.words(b))),
            _ => format!("{} apart from {}", self.words(a), self.words(b)),
        }
    }

    fn both(&self, a: &Expr, b: &Expr) -> NounPhrase {
        match (a, b, self.evaluator.value(a)) {
            (Expr::Digits(a), Expr::Digits(b), _) if self.has_options(a) && self.has_options(b) => NounPhrase::new(
                format!("the {} that {} and {} share", self.options(2), self.words(a), self.words(b)),
                true,
            ),
            (.., Value::Cells(_)) if self.is_region(a) && self.is_region(b) => {
                let with =
                    if self.words(a).contains(" and ") || self.words(b).contains(" and ") { "with" } else { "and" };
                NounPhrase::new(
                    format!("the intersection of {} {with} {}", all(self.words(a)), all(self.words(b))),
                    false,
                )
            }
            _ => {
                let both = Expr::Intersection(Box::new(a.clone()), Box::new(b.clone()));
                NounPhrase::new(self.value(&both), self.size(&both) != 1)
            }
        }
    }

    /// A number in words: `2 cells (r4c78)`, of a sum what it adds.
    fn measure(&self, expr: &Expr) -> String {
        match expr {
            Expr::Count(of) => {
                let size = self.size(of);
                format!("{size} {} ({})", self.thing(of, size), self.value(of))
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
    pub(super) fn quantified(&self, every: bool, of: &Expr) -> String {
        let noun = self.words(of);
        match self.size(of) {
            0 | 1 => noun,
            _ if every => format!("all of {noun}"),
            _ => format!("one of {noun}"),
        }
    }

    /// `every 5 in r4c78 excludes`, `no 5 in r4c78 excludes`.
    pub(super) fn excluding(&self, every: bool, of: &Expr, yes: bool) -> String {
        let noun = self.words(of);
        let which = match (self.size(of), every, yes) {
            (0 | 1, ..) => return NounPhrase::new(noun, false).does(yes, "excludes", "exclude"),
            (_, true, true) => "every",
            (_, true, false) => "not every",
            (_, false, true) => "some",
            (_, false, false) => "no",
        };
        format!("{which} {noun} excludes")
    }

    /// Returns true if an expression is about cells, so that its digits are candidates.
    pub(super) fn has_options(&self, of: &Expr) -> bool {
        !matches!(self.evaluator.value(of), Value::Candidates(_) | Value::Digits(_))
    }

    /// Returns true if the expression is a part of the board rather than a list of cells.
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

/// Adds `all` to places of which every one is meant.
fn all(places: String) -> String {
    places.replace(" or in ", " and ").replace(" or ", " and ")
}

/// Returns true if the value of the expression says everything: a name, a number.
pub(super) fn is_self_evident(expr: &Expr) -> bool {
    match expr {
        Expr::Var(_) | Expr::Member(..) | Expr::Number(_) | Expr::Param(_) => true,
        Expr::AllDigits | Expr::AllCells | Expr::AllHouses(_) => true,
        Expr::HouseCells(of) => is_self_evident(of),
        Expr::Union(parts) => parts.iter().all(is_self_evident),
        _ => false,
    }
}
