//! What makes a requirement fail. In: a condition that does not hold, with what the names stand for. Out: a sentence with
//! the values, and how far off they are: 1 is nearest.

use super::requirement::is_plain;
use super::words::Told;
use crate::engine::Value;
use crate::grid::{Cell, DigitSet};
use crate::lang::ir::{Comparison, Condition, Expr, Operand, Quantifier, VarId, VarShape};
use std::collections::BTreeSet;

/// Nothing else is left: the pattern is there, about other things.
pub(super) const HOLDS: &str = "it holds, and the pattern does not show what was asked for";

impl Told<'_> {
    /// What makes a condition fail, and by how much: 1 is nearest.
    pub fn fails(&self, condition: &Condition) -> (String, usize) {
        let x = |expr: &Expr| self.printer().expr(expr);
        match condition {
            Condition::Exactly(set, names) => self.not_exactly(set, names),
            Condition::Compare(a, how, b) => self.not_compared(a, *how, b),
            Condition::Sees(a, b) => (format!("{} does not see {}", self.side(a), self.side(b)), 3),
            Condition::Has(cells, digits) => (self.lacking(cells, digits, true), 2),
            Condition::Lacks(cells, digits) => (self.lacking(cells, digits, false), 1),
            Condition::Within(a, b) => self.not_within(a, b),
            Condition::Disjoint(a, b) => {
                let shared = Expr::Intersection(Box::new(a.clone()), Box::new(b.clone()));
                (format!("{} and {} share {}", x(a), x(b), self.value(&shared)), 2)
            }
            Condition::Some(of) => (format!("there is no {}", x(of)), 3),
            Condition::No(of) => (format!("there is {}: {}", x(of), self.value(of)), self.size(of)),
            Condition::Equal(a, b) => {
                let words = format!("{} is {}, and {} is {}", x(a), self.value(a), x(b), self.value(b));
                let less = |a: &Expr, b: &Expr| Expr::Difference(Box::new(a.clone()), Box::new(b.clone()));
                (words, (self.size(&less(a, b)) + self.size(&less(b, a))).max(1))
            }
            Condition::Conjugate(digit, a, b) => self.not_conjugate(digit, a, b),
            Condition::ForAll(index, of, part) => self.not_for_all(*index, of, part),
            Condition::And(parts) => {
                let failing: Vec<_> =
                    parts.iter().filter(|part| !self.evaluator.holds(part)).map(|part| self.fails(part)).collect();
                let words: Vec<&str> = failing.iter().map(|(words, _)| words.as_str()).collect();
                (words.join("; "), failing.iter().map(|(_, by)| by).sum())
            }
            Condition::AlmostLocked(cells, _) => {
                let digits = Expr::Digits(Box::new(cells.clone()));
                (format!("{} has {}", x(cells), self.value(&digits)), 1)
            }
            other => {
                let values = self.values(other);
                let why = if values.is_empty() { String::new() } else { format!(": {}", values.join("; ")) };
                (format!("not true: {}{why}", self.printer().condition(other)), 3)
            }
        }
    }

    /// `#(1 in row 2) is 3, not 2`.
    fn not_compared(&self, a: &Expr, how: Comparison, b: &Expr) -> (String, usize) {
        let (left, right) = (self.evaluator.number(a), self.evaluator.number(b));
        let word = match how {
            Comparison::Equal => "not ",
            Comparison::NotEqual => "and so is ",
            Comparison::Less => "not less than ",
            Comparison::LessEqual => "more than ",
            Comparison::Greater => "not more than ",
            Comparison::GreaterEqual => "less than ",
        };
        let side = if is_plain(b) { String::new() } else { format!("{}, which is ", self.printer().expr(b)) };
        let words = format!("{} is {left}, {word}{side}{right}", self.printer().expr(a));
        (words, left.abs_diff(right).clamp(1, 99) as usize)
    }

    fn size(&self, expr: &Expr) -> usize {
        usize::try_from(self.evaluator.number(expr)).unwrap_or(0)
    }

    fn side(&self, side: &Operand) -> String {
        let single = self.cells(&side.of).len() == 1;
        let word = match side.quantifier {
            _ if single => "",
            Quantifier::Every => "every ",
            Quantifier::Some => "some ",
        };
        format!("{word}{}", self.printer().expr(&side.of))
    }

    /// `pincer2 would be r2c8, which has 3, 5, 7: one candidate too many`.
    fn not_exactly(&self, set: &Expr, names: &[VarId]) -> (String, usize) {
        let wanted = Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect());
        let less = |a: &Expr, b: &Expr| Expr::Difference(Box::new(a.clone()), Box::new(b.clone()));
        let (extra, missing) = (self.size(&less(set, &wanted)), self.size(&less(&wanted, set)));
        let thing = match (set, self.evaluator.value(set)) {
            (Expr::Digits(of), _) if matches!(**of, Expr::Var(_) | Expr::Member(..)) => "candidate",
            (_, Value::Digits(_)) => "digit",
            (_, Value::Cells(_)) => "place",
            _ => "member",
        };
        let mut words = Vec::new();
        if extra > 0 {
            words.push(format!("{} too many ({})", counted(extra, thing), self.value(&less(set, &wanted))));
        }
        if missing > 0 {
            words.push(format!("{} missing ({})", counted(missing, thing), self.value(&less(&wanted, set))));
        }
        let what = match set {
            Expr::Digits(of) => match of.as_ref() {
                Expr::Var(name) if self.variant.var(*name).shape != VarShape::Set => {
                    let name = self.name(*name);
                    format!("{name} would be {}, which has {}", self.value(of), self.value(set))
                }
                of => format!("{} has {}", self.value(of), self.value(set)),
            },
            _ => format!("{} is {}", self.printer().expr(set), self.value(set)),
        };
        (format!("{what}: {}", words.join(", ")), (extra + 2 * missing).max(1))
    }

    /// Of a set whose members have no names yet: how many it has, and how many it should have.
    pub(super) fn not_so_many(&self, set: &Expr, names: &[VarId], known: &BTreeSet<VarId>) -> (String, usize) {
        let named: Vec<Expr> = names.iter().filter(|name| known.contains(name)).map(|&name| Expr::Var(name)).collect();
        let lacks = Expr::Difference(Box::new(Expr::Union(named)), Box::new(set.clone()));
        let (here, missing) = (self.size(set), self.size(&lacks));
        let who = match set {
            Expr::Digits(of) if matches!(of.as_ref(), Expr::Var(_)) => match of.as_ref() {
                Expr::Var(name) => {
                    format!("{} would be {}, which has {}", self.name(*name), self.value(of), self.value(set))
                }
                of => self.value(of),
            },
            _ => format!("{} is {}", self.printer().expr(set), self.value(set)),
        };
        let mut words = Vec::new();
        if here != names.len() {
            words.push(format!("{here}, not {}", names.len()));
        }
        if missing > 0 {
            words.push(format!("without {}", self.value(&lacks)));
        }
        if words.is_empty() {
            return (HOLDS.into(), 99);
        }
        (format!("{who}: {}", words.join(", ")), (here.abs_diff(names.len()) + 2 * missing).max(1))
    }

    fn lacking(&self, cells: &Operand, digits: &Expr, has: bool) -> String {
        let digits = self.value(digits);
        let side = self.side(cells);
        let words = match has {
            true => format!("{side} does not have {digits}"),
            false => format!("{side} does not lack {digits}"),
        };
        match self.digits_in(&cells.of) {
            Some(here) => format!("{words}: {here}"),
            None => words,
        }
    }

    fn not_within(&self, a: &Expr, b: &Expr) -> (String, usize) {
        let x = |expr: &Expr| self.printer().expr(expr);
        if self.size(a) == 0 {
            return (format!("there is no {}", x(a)), 3);
        }
        let outside = Expr::Difference(Box::new(a.clone()), Box::new(b.clone()));
        let words = match is_plain(a) {
            true => format!("{} is not in {}", x(a), x(b)),
            false => format!("of {} {} is not in {}", x(a), self.value(&outside), x(b)),
        };
        (words, self.size(&outside).max(1))
    }

    /// Where else the digit stands in the houses that hold both cells.
    fn not_conjugate(&self, digit: &Expr, a: &Expr, b: &Expr) -> (String, usize) {
        let ends = [self.cells(a), self.cells(b)].concat();
        let digit_set = match self.evaluator.value(digit) {
            Value::Digits(digits) => digits,
            _ => DigitSet::EMPTY,
        };
        let has = |cell: &Cell| !(self.state.candidates(*cell) & digit_set).is_empty();
        let holds_both = |house: &&crate::grid::House| ends.iter().all(|cell| house.cells.contains(cell));
        let others = self.geometry.houses().iter().filter(holds_both).map(|house| {
            let other: Vec<Cell> =
                house.cells.iter().copied().filter(|cell| has(cell) && !ends.contains(cell)).collect();
            let words = format!("{house} has {} in {} too", self.value(digit), self.text(&Value::Cells(other.clone())));
            (other.len(), words)
        });
        let words = self.printer().condition(&Condition::Conjugate(digit.clone(), a.clone(), b.clone()));
        if let Some(cell) = ends.iter().find(|cell| !has(cell)) {
            let cell = self.text(&Value::Cells(vec![*cell]));
            return (format!("{words} is not a strong link: {cell} has no {}", self.value(digit)), 1);
        }
        match others.min() {
            Some((count, why)) => (format!("{words} is not a strong link: {why}"), count.max(1)),
            None => (format!("{words} is not a strong link: no house holds both"), 4),
        }
    }

    fn not_for_all(&self, index: VarId, of: &Expr, part: &Condition) -> (String, usize) {
        let (mut words, mut by) = (Vec::new(), 0);
        for one in self.each(index, of, part) {
            if !one.told.evaluator.holds(&one.part) {
                let (why, how_far) = one.told.fails(&one.part);
                words.push(format!("for {} = {}: {why}", self.name(index), one.index));
                by += how_far;
            }
        }
        (words.join("; "), by.max(1))
    }
}

/// `1 candidate`, `2 candidates`.
fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("one {thing}") } else { format!("{count} {thing}s") }
}
