//! Values and what is spoken of, in the field's words. In: a case of a rule with a value for each name. Out: [`Told`], which puts
//! them in words: `r4c8`, `the places for 5 in row 4`. No word of it is one of the rule. [`super::sentence`] makes sentences of them.

use crate::engine::{Lens, Value};
use crate::eval::Evaluator;
use crate::eval::things::{Thing, of_kind, things};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, HouseKind, State, notation};
use crate::lang::ir::{Cases, Expr, HouseClass, Kind, Origin, Shows, Statement, Suppose, VarId, Variant};
use crate::render::{digits_and, list};
use crate::solve::{ViewContext, text_of};
use std::collections::{BTreeMap, BTreeSet};

/// A case of a rule with a value for each name.
pub struct Told<'a> {
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

/// What a sentence is about.
pub(super) struct Noun {
    pub text: String,
    /// Whether its verb is in the plural.
    pub many: bool,
}

impl Noun {
    pub(super) fn new(text: impl Into<String>, many: bool) -> Noun {
        Noun { text: text.into(), many }
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

impl<'a> Told<'a> {
    /// Takes a value for each name, as in a match.
    pub fn new(
        variant: &'a Variant,
        args: &'a [u32],
        context: &'a ViewContext<'a>,
        bindings: &[Option<Value>],
    ) -> Told<'a> {
        let (geometry, state) = (context.geometry(), context.state());
        let evaluator = Evaluator::new(variant, args, geometry, state, bindings);
        Told { variant, geometry, grid: context.grid, lens: context.lens, state, evaluator }
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
    fn houses(&self, houses: &[HouseId]) -> String {
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

    /// What an expression stands for, in words.
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

    /// `candidates`: what a cell has. In a view a digit of a house has places.
    pub(super) fn options(&self, count: usize) -> &'static str {
        match (self.lens.is_plain(), count == 1) {
            (true, true) => "candidate",
            (true, false) => "candidates",
            (false, true) => "place",
            (false, false) => "places",
        }
    }

    /// What a thing of an expression is called.
    pub(super) fn thing(&self, expr: &Expr, count: usize) -> String {
        let one = match self.evaluator.value(expr) {
            Value::Digits(_) => "digit",
            Value::Houses(_) => "house",
            Value::Candidates(_) => "candidate",
            _ => "cell",
        };
        format!("{one}{}", if count == 1 { "" } else { "s" })
    }

    /// What an expression speaks of: what it says of values, with the values in place; where that cannot be said, its own value.
    pub(super) fn noun(&self, expr: &Expr) -> Noun {
        let (size, x) = (self.size(expr), |expr: &Expr| self.noun(expr).text);
        let s = if size == 1 { "" } else { "s" };
        let many = |text: String| Noun::new(text, size != 1);
        match expr {
            Expr::Var(name) if size == 0 && self.variant.var(*name).kind != Kind::Number => {
                self.definition(*name).map_or_else(|| Noun::new("none", false), |of| self.noun(of))
            }
            Expr::Digits(of) if self.has_options(of) => many(format!("the {} of {}", self.options(size), x(of))),
            Expr::Values(of) => many(format!("the digit{s} solved in {}", x(of))),
            Expr::CellsOf(of) => self.noun(of),
            Expr::Cells(of) => match of.as_ref() {
                Expr::In(digits, cells) if **digits != Expr::AllDigits => {
                    many(format!("the place{s} for {} in {}", x(digits), x(cells)))
                }
                of if self.is_region(of) => many(format!("the unsolved cell{s} of {}", x(of))),
                _ => many(self.value(expr)),
            },
            Expr::In(digits, cells) if **digits == Expr::AllDigits => many(format!("the candidate{s} of {}", x(cells))),
            Expr::In(digits, cells) => Noun::new(format!("{} in {}", x(digits), x(cells)), self.noun(digits).many),
            Expr::Seeing { every, of } => {
                let see = if size == 1 { "sees" } else { "see" };
                many(format!("the cell{s} that {see} {}", self.quantified(*every, of)))
            }
            Expr::Excluded { every, of } => many(format!("the candidate{s} that {}", self.excluding(*every, of, true))),
            Expr::AllDigits => many("all digits".into()),
            Expr::AllCells => many("the unsolved cells".into()),
            Expr::AllHouses(class) => many(format!("{}s", class_word(*class)).replace("boxs", "boxes")),
            Expr::Difference(a, b) => many(self.less(a, b)),
            Expr::Intersection(a, b) => self.both(a, b),
            Expr::Union(parts) if !parts.iter().all(is_plain) || self.is_region(expr) => {
                let there = parts.iter().filter(|part| self.size(part) > 0).map(x).collect::<Vec<_>>();
                many(there.join(if self.is_region(expr) { " or in " } else { " with " }))
            }
            Expr::Count(_) | Expr::Add(..) | Expr::Subtract(..) => Noun::new(self.measure(expr), false),
            _ => many(self.value(expr)),
        }
    }

    /// `row 4 outside box 2`, `digits other than 5`, `the digits missing in row 4`.
    fn less(&self, a: &Expr, b: &Expr) -> String {
        let x = |expr: &Expr| self.noun(expr).text;
        match (a, b) {
            (Expr::AllDigits, Expr::Values(of)) => format!("the digits missing in {}", x(of)),
            (Expr::AllDigits, _) => format!("digits other than {}", x(b)),
            _ if self.is_region(b) => format!("{} outside {}", x(a), x(b).replace(" or in ", " and ")),
            _ => format!("{} apart from {}", x(a), x(b)),
        }
    }

    fn both(&self, a: &Expr, b: &Expr) -> Noun {
        let x = |expr: &Expr| self.noun(expr).text;
        match (a, b, self.evaluator.value(a)) {
            (Expr::Digits(a), Expr::Digits(b), _) if self.has_options(a) && self.has_options(b) => {
                Noun::new(format!("the {} that {} and {} share", self.options(2), x(a), x(b)), true)
            }
            (.., Value::Cells(_)) if self.is_region(a) && self.is_region(b) => {
                Noun::new(format!("the intersection of {} and {}", x(a), x(b)), false)
            }
            _ => {
                let both = Expr::Intersection(Box::new(a.clone()), Box::new(b.clone()));
                Noun::new(self.value(&both), self.size(&both) != 1)
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
            Expr::Add(..) => list(&self.terms(expr), "and"),
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
        let noun = self.noun(of).text;
        match self.size(of) {
            0 | 1 => noun,
            _ if every => format!("all of {noun}"),
            _ => format!("one of {noun}"),
        }
    }

    /// `every 5 in r4c78 excludes`, `no 5 in r4c78 excludes`.
    pub(super) fn excluding(&self, every: bool, of: &Expr, yes: bool) -> String {
        let noun = self.noun(of).text;
        let which = match (self.size(of), every, yes) {
            (0 | 1, ..) => return Noun::new(noun, false).does(yes, "excludes", "exclude"),
            (_, true, true) => "every",
            (_, true, false) => "not every",
            (_, false, true) => "some",
            (_, false, false) => "no",
        };
        format!("{which} {noun} excludes")
    }

    /// Whether an expression is about cells, so that its digits are candidates.
    pub(super) fn has_options(&self, of: &Expr) -> bool {
        !matches!(self.evaluator.value(of), Value::Candidates(_) | Value::Digits(_))
    }

    /// Whether it is a part of the board rather than a list of cells.
    pub(super) fn is_region(&self, expr: &Expr) -> bool {
        match expr {
            Expr::CellsOf(_) | Expr::HousesOf(..) => true,
            Expr::Union(parts) => parts.iter().any(|part| self.is_region(part)),
            Expr::Intersection(a, _) | Expr::Difference(a, _) => self.is_region(a),
            Expr::Var(name) => matches!(self.variant.var(*name).kind, Kind::House(_)),
            _ => false,
        }
    }

    /// What a name is defined as.
    pub(super) fn definition(&self, name: VarId) -> Option<&'a Expr> {
        self.variant.body.iter().find_map(|line| match line {
            Statement::Let { var, value } if *var == name => Some(value),
            _ => None,
        })
    }

    /// The same with a running name bound to each of its values in turn.
    pub(super) fn each(&self, index: VarId, of: &Expr) -> Vec<Told<'a>> {
        let &Told { variant, geometry, grid, lens, state, .. } = self;
        let all = self.evaluator.each(index, of).into_iter();
        all.map(|evaluator| Told { variant, geometry, grid, lens, state, evaluator }).collect()
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
            // Of the two names of a literal just one has a candidate.
            let other = text.is_empty() && self.is_literal(VarId(at));
            let text = if text.is_empty() { "nothing".into() } else { text };
            Some((self.variant.vars[at].name.clone(), text)).filter(|_| !other)
        };
        let all = self.evaluator.bindings().iter().enumerate();
        all.filter(|(at, _)| self.variant.vars[*at].origin != Origin::Index).filter_map(named).collect()
    }

    /// Whether a name says what a literal says, or its opposite.
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

/// Whether an expression says nothing that its value does not: a name, a number.
pub(super) fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Var(_) | Expr::Member(..) | Expr::Number(_) | Expr::Param(_) => true,
        Expr::AllDigits | Expr::AllCells | Expr::AllHouses(_) => true,
        Expr::CellsOf(of) => is_plain(of),
        Expr::Union(parts) => parts.iter().all(is_plain),
        _ => false,
    }
}

pub(super) fn class_word(class: HouseClass) -> &'static str {
    match class {
        HouseClass::Any => "house",
        HouseClass::Row => "row",
        HouseClass::Column => "column",
        HouseClass::Box => "box",
        HouseClass::Line => "line",
    }
}
