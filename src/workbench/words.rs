//! Values in the field's words. In: a case of a rule with a value for each name. Out: [`Wording`], which renders them: `r4c8`,
//! `4 and 6 in r7c4`. [`super::noun`] makes noun phrases of expressions, [`super::sentence`] sentences of conditions.

use crate::engine::{Lens, Value};
use crate::eval::Evaluator;
use crate::eval::things::{Thing, of_kind, things};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, HouseKind, State, notation};
use crate::lang::ir::{Cases, Expr, HouseClass, Kind, Origin, Shows, Statement, Suppose, VarId, Variant};
use crate::render::{digits_and, list};
use crate::solve::{ViewContext, text_of};
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

    /// Returns the case with a question to end long evaluations by; see [`Evaluator::until`].
    pub fn until(self, asked: &'a dyn Fn() -> bool) -> Wording<'a> {
        Wording { evaluator: self.evaluator.until(asked), ..self }
    }

    /// A value in words.
    pub(super) fn text(&self, value: &Value) -> String {
        let text = match self.lens.value(value) {
            Value::Digits(digits) => digits_and(digits),
            Value::Houses(houses) => self.houses(&houses),
            Value::Candidates(all) => self.candidates(&all),
            other => text_of(&other, self.grid),
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
        let one = |(digits, cells): &(DigitSet, Vec<Cell>)| {
            format!("{} in {}", digits_and(*digits), notation::cells(self.grid, cells))
        };
        list(&groups.iter().map(one).collect::<Vec<_>>(), "and")
    }

    /// `row 4 and box 2`, `all rows`.
    pub(super) fn houses(&self, houses: &[HouseId]) -> String {
        let of = |kind, all: &[HouseId]| all.iter().filter(|&&id| self.grid.house(id).kind == kind).count();
        let whole = |kind| {
            of(kind, houses) > 1 && of(kind, houses) == self.grid.houses().iter().filter(|one| one.kind == kind).count()
        };
        let kinds = [(HouseKind::Row, "all rows"), (HouseKind::Column, "all columns"), (HouseKind::Box, "all boxes")];
        let (all, few): (Vec<HouseId>, Vec<HouseId>) = houses.iter().partition(|&&id| whole(self.grid.house(id).kind));
        let mut words: Vec<String> =
            kinds.iter().filter(|(kind, _)| of(*kind, &all) > 0).map(|(_, words)| words.to_string()).collect();
        words.extend((!few.is_empty()).then(|| notation::houses_in_words(self.grid, &few)));
        list(&words, "and")
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
        self.variant.body.iter().find_map(|line| match line {
            Statement::Let { var, value } if *var == name => Some(value),
            _ => None,
        })
    }

    /// One copy for each value of a running name.
    pub(super) fn each(&self, index: VarId, of: &Expr) -> Vec<Wording<'a>> {
        let &Wording { variant, geometry, grid, lens, state, .. } = self;
        let all = self.evaluator.each(index, of).into_iter();
        all.map(|evaluator| Wording { variant, geometry, grid, lens, state, evaluator }).collect()
    }

    /// The digits, cells, houses and candidates that the names stand for, without the names.
    pub(super) fn cast(&self) -> String {
        let chosen = |at: &usize| matches!(self.variant.vars[*at].origin, Origin::Chosen | Origin::Pattern);
        let values = self.evaluator.bindings().iter().enumerate().filter(|(at, _)| chosen(at));
        let all: BTreeSet<Thing> = values.flat_map(|(_, value)| value).flat_map(things).collect();
        let kinds = [Kind::Digit, Kind::Cell, Kind::House(HouseClass::Any), Kind::Candidate];
        let texts = kinds.iter().map(|kind| of_kind(*kind, &all)).filter(|value| !things(value).is_empty());
        texts.map(|value| self.text(&value)).collect::<Vec<_>>().join("; ")
    }

    /// Every name that has a value, with its value in the field's notation.
    pub fn names(&self) -> Vec<(String, String)> {
        let named = |(at, value): (usize, &Option<Value>)| {
            let text = text_of(&self.lens.value(value.as_ref()?), self.grid);
            // Exactly one of the two names of a literal has a candidate.
            let other = text.is_empty() && self.is_literal(VarId(at));
            let text = if text.is_empty() { "nothing".into() } else { text };
            Some((self.variant.vars[at].name.clone(), text)).filter(|_| !other)
        };
        let all = self.evaluator.bindings().iter().enumerate();
        all.filter(|(at, _)| self.variant.vars[*at].origin != Origin::Index).filter_map(named).collect()
    }

    /// Returns true if a name stands for a literal or its negation.
    fn is_literal(&self, name: VarId) -> bool {
        self.variant.body.iter().any(|line| match line {
            Statement::Suppose(Suppose { cases: Cases::Literal(one), .. })
            | Statement::Suppose(Suppose { shows: Shows::AllImply(one) | Shows::AllImplyWithout(one), .. }) => {
                one.holds == name || one.fails == name
            }
            _ => false,
        })
    }
}
