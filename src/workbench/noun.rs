//! Noun phrases for expressions. In: an expression with the values of its names. Out: a [`Noun`] that describes it in terms
//! of these values, such as `the places for 5 in row 4`, or its own value if that is impossible.

use super::words::Wording;
use crate::engine::Value;
use crate::grid::HouseId;
use crate::lang::ir::{Expr, Kind, class_words};
use crate::render::list;

/// Subject or object of a sentence.
pub(super) struct Noun {
    pub text: String,
    /// True if its verb is in the plural.
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
    pub(super) fn noun(&self, expr: &Expr) -> Noun {
        self.noun_of(expr, self.size(expr))
    }

    /// The noun phrase in the singular or plural that a number requires.
    pub(super) fn noun_of(&self, expr: &Expr, size: usize) -> Noun {
        let x = |expr: &Expr| self.noun(expr).text;
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
            Expr::AllHouses(class) => many(class_words(*class)),
            Expr::Difference(a, b) => many(self.less(a, b, s)),
            Expr::Intersection(a, b) => self.both(a, b),
            Expr::Union(parts) => match self.evaluator.value(expr) {
                Value::Cells(_) if self.is_region(expr) => many(self.union(parts)),
                Value::Digits(_) if !parts.iter().all(is_self_evident) => {
                    many(parts.iter().map(x).collect::<Vec<_>>().join(" with "))
                }
                value => many(self.text(&value)),
            },
            Expr::Count(_) | Expr::Add(..) | Expr::Subtract(..) => Noun::new(self.measure(expr), false),
            _ => many(self.value(expr)),
        }
    }

    /// `columns 1 and 3`, `row 4 or box 2`, `box 2 or in r4c8`.
    fn union(&self, parts: &[Expr]) -> String {
        let there = parts.iter().filter(|part| self.size(part) > 0);
        let (houses, others): (Vec<&Expr>, Vec<&Expr>) =
            there.partition(|part| matches!(part, Expr::CellsOf(_) | Expr::HousesOf(..)));
        let of = |part: &&Expr| match part {
            Expr::CellsOf(of) => self.evaluator.value(of),
            part => self.evaluator.value(part),
        };
        let mut ids: Vec<HouseId> = Vec::new();
        for value in houses.iter().map(of) {
            if let Value::Houses(houses) = self.lens.value(&value) {
                ids.extend(houses);
            }
        }
        ids.sort_unstable();
        let by_kind = ids.chunk_by(|a, b| self.grid.house(*a).kind == self.grid.house(*b).kind);
        let houses = by_kind.map(|ids| self.houses(ids)).collect::<Vec<_>>().join(" or ");
        let others = others.iter().map(|part| self.noun(part).text);
        Some(houses).filter(|text| !text.is_empty()).into_iter().chain(others).collect::<Vec<_>>().join(" or in ")
    }

    /// `row 4 outside box 2`, `digits other than 5`, `the digits missing in row 4`.
    fn less(&self, a: &Expr, b: &Expr, s: &str) -> String {
        let x = |expr: &Expr| self.noun(expr).text;
        match (a, b) {
            (Expr::AllDigits, Expr::Values(of)) => format!("the digit{s} missing in {}", x(of)),
            (Expr::AllDigits, _) => format!("digits other than {}", x(b)),
            _ if self.is_region(b) => format!("{} outside {}", x(a), all(x(b))),
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
                let with = if x(a).contains(" and ") || x(b).contains(" and ") { "with" } else { "and" };
                Noun::new(format!("the intersection of {} {with} {}", all(x(a)), all(x(b))), false)
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

    /// Returns true if an expression is about cells, so that its digits are candidates.
    pub(super) fn has_options(&self, of: &Expr) -> bool {
        !matches!(self.evaluator.value(of), Value::Candidates(_) | Value::Digits(_))
    }

    /// Returns true if the expression is a part of the board rather than a list of cells.
    pub(super) fn is_region(&self, expr: &Expr) -> bool {
        match expr {
            Expr::CellsOf(_) | Expr::HousesOf(..) => true,
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
        Expr::CellsOf(of) => is_self_evident(of),
        Expr::Union(parts) => parts.iter().all(is_self_evident),
        _ => false,
    }
}
