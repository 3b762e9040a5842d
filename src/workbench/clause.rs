//! Clauses of one kind of condition each. In: its expressions, whether it is so. Out: the clause, with the values in place.

use super::noun::{Noun, is_self_evident};
use super::words::Wording;
use crate::engine::Value;
use crate::grid::{Digit, DigitSet};
use crate::lang::ir::{Comparison, Condition, Expr, Operand, Quantifier, VarId, class_word};

impl Wording<'_> {
    /// `r2c39 have 2 candidates together`; of what is no count, what is on either side.
    pub(super) fn compared(&self, a: &Expr, how: Comparison, b: &Expr, yes: bool) -> String {
        let how = if yes { how } else { opposite(how) };
        let number = self.evaluator.number(b);
        let simple = |expr: &Expr| matches!(expr, Expr::Number(_) | Expr::Param(_));
        match (a, b) {
            (Expr::Count(of), _) => self.counted(of, how, number),
            (Expr::Times(digit, cells), _) => {
                let times = match (how, number) {
                    (Comparison::Equal, 1) => "only once".to_string(),
                    _ => amount(how, number, "time", "times"),
                };
                format!("{} fits {times} into {}", self.noun(digit).text, self.noun(cells).text)
            }
            (_, Expr::Count(of)) => self.counted(of, turned(how), self.evaluator.number(a)),
            _ if simple(b) => format!("{} are {}", self.noun(a).text, amount(how, number, "", "")).trim_end().into(),
            _ => {
                let how = match how {
                    Comparison::Equal => "as many as",
                    Comparison::NotEqual => "not as many as",
                    Comparison::Less => "fewer than",
                    Comparison::LessEqual => "at most as many as",
                    Comparison::Greater => "more than",
                    Comparison::GreaterEqual => "at least as many as",
                };
                format!("{} are {how} {}", self.noun(a).text, self.noun(b).text)
            }
        }
    }

    /// States the number of members of a set.
    pub(super) fn counted(&self, of: &Expr, how: Comparison, number: i64) -> String {
        let x = |expr: &Expr| self.noun(expr);
        let of_thing = |one: &str, several: &str| amount(how, number, one, several);
        match of {
            Expr::Digits(cells) if self.has_options(cells) => {
                let together = if self.size(cells) > 1 { " together" } else { "" };
                let options = of_thing(self.options(1), self.options(2));
                let noun = x(cells);
                format!("{} {options}", Noun { text: noun.text + together, ..noun }.has(true))
            }
            Expr::Digits(of) => format!("{} {}", x(of).has(true), of_thing("digit", "digits")),
            Expr::Values(cells) => format!("{} {}", x(cells).has(true), of_thing("solved digit", "solved digits")),
            Expr::In(digits, cells) if **digits == Expr::AllDigits => {
                format!("{} {}", x(cells).has(true), of_thing("candidate", "candidates"))
            }
            Expr::In(digits, cells) => {
                format!("{} {} for {}", x(cells).has(true), of_thing("place", "places"), x(digits).text)
            }
            Expr::Cells(of) if matches!(of.as_ref(), Expr::In(..)) => self.counted(of, how, number),
            Expr::Cells(of) if self.is_region(of) => {
                format!("{} {}", x(of).has(true), of_thing("unsolved cell", "unsolved cells"))
            }
            Expr::Difference(a, b) if matches!(a.as_ref(), Expr::In(..) | Expr::Digits(_)) => match self.size(b) {
                0 => self.counted(a, how, number),
                _ => format!("{} apart from {}", self.counted(a, how, number), x(b).text),
            },
            Expr::Intersection(a, b) if self.is_region(a) && !self.is_region(b) => {
                format!("{} {} of {}", x(a).has(true), of_thing("cell", "cells"), x(b).text)
            }
            _ => {
                let amount = of_thing(&self.thing(of, 1), &self.thing(of, 2));
                match is_self_evident(of) {
                    true => format!("there {} {amount}", if number == 1 { "is" } else { "are" }),
                    false => format!("{} {amount}", x(of).is(true)),
                }
            }
        }
    }

    /// `r4c8 has only 5, 6 and 9`, `the only places for 5 in row 4 are r4c78`.
    pub(super) fn exactly(&self, set: &Expr, names: &[VarId], yes: bool) -> String {
        let named = self.value(&Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect()));
        match set {
            Expr::Digits(of) if self.has_options(of) => match self.lens.is_grid() {
                true => format!("{} only {named}", self.noun(of).has(yes)),
                false => format!("{} only in {named}", self.noun(of).is(yes)),
            },
            Expr::Digits(of) => format!("{} only {named}", self.noun(of).has(yes)),
            _ => {
                let noun = self.noun_of(set, names.len());
                let only = noun.text.strip_prefix("the ").map_or(noun.text.clone(), |rest| format!("the only {rest}"));
                format!("{} {named}", Noun::new(only, names.len() != 1).is(yes))
            }
        }
    }

    /// States that one set is within another.
    pub(super) fn within(&self, a: &Expr, b: &Expr, yes: bool) -> String {
        let x = |expr: &Expr| self.noun(expr);
        let mut noun = x(a);
        if noun.many && noun.text.starts_with("the ") {
            noun.text.insert_str(0, "all ");
        }
        match b {
            _ if self.size(a) == 0 => format!("there {} {}", if yes { "is" } else { "is no" }, x(a).text),
            Expr::Intersection(p, q) if !self.is_region(b) => {
                let parts = [p, q].map(|part| Condition::Within(a.clone(), (**part).clone()));
                self.said(&Condition::And(parts.to_vec()), yes)
            }
            Expr::Those { var, of, when } => {
                let among = Condition::Within(a.clone(), (**of).clone());
                let each = Condition::ForAll(*var, a.clone(), when.clone());
                let all = if is_self_evident(of) { each } else { Condition::And(vec![among, each]) };
                self.said(&all, yes)
            }
            Expr::Seeing { every, of } => format!("{} {}", noun.does(yes, "sees", "see"), self.quantified(*every, of)),
            Expr::Excluded { every, of } => format!("{} {}", self.excluding(*every, of, yes), noun.text),
            Expr::Digits(of) if self.has_options(of) => match a {
                Expr::Digits(a) => format!("{} only candidates of {}", x(a).has(yes), x(of).text),
                _ => format!("{} {}", x(of).has(yes), noun.text),
            },
            Expr::Digits(of) => format!("{} the digit {}", x(of).has(yes), noun.text),
            Expr::AllCells => format!("{} unsolved", noun.is(yes)),
            _ => match self.evaluator.value(b) {
                Value::Cells(_) => format!("{} in {}", noun.is(yes), x(b).text),
                Value::Digits(_) => format!("{} among {}", noun.is(yes), self.value(b)),
                _ => format!("{} among {}", noun.is(yes), x(b).text),
            },
        }
    }

    pub(super) fn disjoint(&self, a: &Expr, b: &Expr, yes: bool) -> String {
        let x = |expr: &Expr| self.noun(expr);
        let no = if yes { "no" } else { "a" };
        match (a, b) {
            _ if a == b => format!("no two of {} share a cell", x(a).text),
            (Expr::Digits(p), Expr::Digits(q)) if self.has_options(p) && self.has_options(q) => {
                format!("{} and {} have {no} candidate in common", x(p).text, x(q).text)
            }
            (_, Expr::Excluded { .. }) => self.within(a, b, !yes),
            (Expr::Digits(p), _) if self.has_options(p) => {
                format!("{} {} of {}", x(p).has(true), if yes { "none" } else { "one" }, self.value(b))
            }
            (_, Expr::Union(parts)) if !parts.iter().all(is_self_evident) && !self.is_region(b) => {
                let each = parts.iter().map(|part| Condition::Disjoint(a.clone(), part.clone())).collect();
                self.said(&Condition::And(each), yes)
            }
            _ if !self.is_region(b) && matches!(self.evaluator.value(a), Value::Cells(_) | Value::Candidates(_)) => {
                format!("{} and {} have {no} {} in common", x(a).text, x(b).text, self.thing(a, 1))
            }
            _ => self.within(a, b, !yes),
        }
    }

    pub(super) fn some(&self, of: &Expr, yes: bool) -> String {
        let x = |expr: &Expr| self.noun(expr);
        match of {
            Expr::In(digits, cells) => {
                let none = !yes && self.size(digits) != 1;
                let what = match (self.size(digits), is_self_evident(digits)) {
                    (1, _) => x(digits).text,
                    _ if none => format!("none of {}", x(digits).text),
                    (_, true) => format!("one of {}", x(digits).text),
                    _ => x(digits).text,
                };
                match cells.as_ref() {
                    Expr::Intersection(a, b) if self.is_region(a) && self.is_region(b) => {
                        format!("{} {what} in {}", x(a).has(yes || none), x(b).text)
                    }
                    _ => format!("{} {what}", x(cells).has(yes || none)),
                }
            }
            Expr::Those { var, of, when } => self.said(&Condition::Exists(*var, (**of).clone(), when.clone()), yes),
            Expr::Intersection(a, b) => match (a.as_ref(), b.as_ref()) {
                (a, Expr::Excluded { every, of }) => {
                    let which = match a == of.as_ref() {
                        true => "another of them".into(),
                        false if self.size(a) == 1 => x(a).text,
                        false => format!("some {}", x(a).text),
                    };
                    format!("{} {which}", self.excluding(*every, of, yes))
                }
                (Expr::AllHouses(class), other) => {
                    format!("{} a {}", x(other).does(yes, "includes", "include"), class_word(*class))
                }
                (a, b) => format!("{} and {} {}", x(a).text, x(b).text, if yes { "overlap" } else { "do not overlap" }),
            },
            Expr::Difference(a, b) if yes && matches!(self.evaluator.value(a), Value::Cells(_)) => {
                format!("{} not only in {}", x(a).is(true), x(b).text)
            }
            Expr::Difference(a, b) => {
                let a = x(a);
                format!("{} not only among {}", a.is(true), x(b).text)
            }
            _ => match self.size(of) {
                0 => format!("there is {} {}", if yes { "such a" } else { "no such" }, self.thing(of, 1)),
                _ => format!("there is {}{}", if yes { "" } else { "no " }, x(of).text),
            },
        }
    }

    /// In a view two digits of houses that see each other exclude each other's places.
    pub(super) fn sees(&self, a: &Operand, b: &Operand, yes: bool) -> String {
        if self.lens.is_grid() {
            return format!("{} {}", self.side(a).does(yes, "sees", "see"), self.side(b).text);
        }
        let line = self.text(&Value::Digits(DigitSet::single(Digit(0))));
        let line = line.split(' ').next().unwrap_or_default();
        let can = if yes { "cannot" } else { "can" };
        format!("{} and {} {can} be in the same {line}", self.side(a).text, self.side(b).text)
    }

    /// `r4c8`, `each of r4c78`, `every 5 in r4c78`.
    pub(super) fn side(&self, side: &Operand) -> Noun {
        match (&side.of, side.quantifier, self.size(&side.of)) {
            (Expr::Cells(of), Quantifier::Every, _) if matches!(of.as_ref(), Expr::In(..)) => {
                Noun::new(format!("every {}", self.noun(of).text), false)
            }
            (of, _, 0 | 1) => self.noun(of),
            (of, Quantifier::Every, _) => Noun::new(format!("each of {}", self.noun(of).text), false),
            (of, Quantifier::Some, _) => Noun::new(format!("one of {}", self.noun(of).text), false),
        }
    }

    pub(super) fn almost_locked(&self, cells: &Expr, over: u32, yes: bool) -> String {
        let digits = self.value(&Expr::Digits(Box::new(cells.clone())));
        let count = self.size(cells) + over as usize;
        match over {
            1 if yes && self.evaluator.holds(&Condition::AlmostLocked(cells.clone(), over)) => {
                format!("{} is an almost locked set with {digits}", self.noun(cells).text)
            }
            1 => format!("{} {} an almost locked set", self.noun(cells).text, if yes { "is" } else { "is not" }),
            _ => {
                let together = if self.size(cells) > 1 { " together, in one house" } else { "" };
                format!("{} {count} candidates{together}", self.noun(cells).has(yes))
            }
        }
    }
}

/// `2 candidates`, `at most 1 place`.
fn amount(how: Comparison, number: i64, one: &str, several: &str) -> String {
    let how = match how {
        Comparison::Equal => "",
        Comparison::NotEqual => "other than ",
        Comparison::Less => "fewer than ",
        Comparison::LessEqual => "at most ",
        Comparison::Greater => "more than ",
        Comparison::GreaterEqual => "at least ",
    };
    match number {
        0 if how.is_empty() => format!("no {one}"),
        1 => format!("{how}1 {one}"),
        _ => format!("{how}{number} {several}"),
    }
}

fn opposite(how: Comparison) -> Comparison {
    match how {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}

/// Returns the comparison with its sides exchanged.
fn turned(how: Comparison) -> Comparison {
    match how {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        same => same,
    }
}
