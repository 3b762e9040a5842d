//! Failed requirements in sentences. In: a condition that does not hold and the values of its names. Out: the missing part
//! as a sentence, and its distance: 1 is nearest.

use super::words::Wording;
use crate::engine::Value;
use crate::grid::Cell;
use crate::lang::ir::{Comparison, Condition, Expr, PredicateId, VarId};
use std::collections::BTreeSet;

/// Reason for a pattern that matches but does not conclude what was asked.
pub(super) const HOLDS: &str = "it holds, and the pattern does not show what was asked for";

impl Wording<'_> {
    /// Describes the failure of a condition, and its distance: 1 is nearest.
    pub fn fails(&self, condition: &Condition) -> (String, usize) {
        let (missing, by) = self.lacks(condition);
        (format!("missing: {}", missing.join("; and ")), by.max(1))
    }

    /// Every missing part: the demand and what the position has instead.
    fn lacks(&self, condition: &Condition) -> (Vec<String>, usize) {
        let all = |each: &[(&Wording<'_>, &Condition)]| {
            let failing = each.iter().filter(|(wording, part)| !wording.evaluator.holds(part));
            let (words, by): (Vec<_>, Vec<_>) = failing.map(|(wording, part)| wording.lacks(part)).unzip();
            (words.concat(), by.iter().sum())
        };
        match condition {
            Condition::And(parts) => all(&parts.iter().map(|part| (self, part)).collect::<Vec<_>>()),
            Condition::ForAll(index, of, part) => {
                let each = self.each(*index, of);
                all(&each.iter().map(|one| (one, part.as_ref())).collect::<Vec<_>>())
            }
            Condition::Within(a, Expr::Those { var, of, when }) if self.size(a) > 0 => {
                let among = Condition::Within(a.clone(), (**of).clone());
                let each = Condition::ForAll(*var, a.clone(), when.clone());
                all(&[(self, &among), (self, &each)])
            }
            _ => {
                let (but, by) = self.instead(condition);
                let but = but.map_or_else(String::new, |but| format!("; {but}"));
                (vec![self.said(condition, true) + &but], by)
            }
        }
    }

    /// Returns what the position has in place of the condition's demand, and the distance between the two.
    fn instead(&self, condition: &Condition) -> (Option<String>, usize) {
        let less = |a: &Expr, b: &Expr| Expr::Difference(Box::new(a.clone()), Box::new(b.clone()));
        match condition {
            Condition::Exactly(set, names) => {
                let named = Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect());
                self.difference(set, &less(set, &named), &less(&named, set))
            }
            Condition::Compare(a, how, b) => self.off(a, *how, b),
            Condition::Has(side, _) => (self.candidates_of(&side.of), 2),
            Condition::Lacks(..) => (None, 1),
            Condition::Within(a, b) => {
                let outside = less(a, b);
                let value = self.value(&outside);
                let but = match b {
                    Expr::Digits(of) if self.has_options(of) => Some(format!("there is no {value}")),
                    _ if self.size(a) < 2 => None,
                    _ => Some(format!("{value} {} not", if self.size(&outside) == 1 { "is" } else { "are" })),
                };
                (but, self.size(&outside).max(1))
            }
            Condition::Disjoint(a, b) => {
                let both = Expr::Intersection(Box::new(a.clone()), Box::new(b.clone()));
                let value = self.value(&both);
                let but = match (a, b) {
                    (_, Expr::Excluded { .. }) => None,
                    (Expr::Digits(of), _) if self.has_options(of) => Some(format!("there is {value}")),
                    _ => Some(format!("{value} {}", if self.size(&both) == 1 { "is" } else { "are" })),
                };
                (but.filter(|_| self.size(a) > 1), 2)
            }
            Condition::No(of) => (Some(format!("there is {}", self.value(of))), self.size(of)),
            Condition::Equal(a, b) => {
                let words = (!self.is_shown(a) || !self.is_shown(b))
                    .then(|| format!("these are {} and {}", self.value(a), self.value(b)));
                (words, self.size(&less(a, b)) + self.size(&less(b, a)))
            }
            Condition::AlmostLocked(cells, _) => {
                let digits = Expr::Digits(Box::new(cells.clone()));
                let (count, of) = (self.size(&digits), self.size(cells));
                let (s, cells) = (if of == 1 { "" } else { "s" }, self.value(&digits));
                (Some(format!("found: {of} cell{s} with {count} candidates ({cells})")), 1)
            }
            Condition::Holds(PredicateId::Conjugate, args, _) => self.not_conjugate(&args[0], &args[1], &args[2]),
            _ => (None, 3),
        }
    }

    /// Returns true if the noun phrase of the expression is its value.
    fn is_shown(&self, expr: &Expr) -> bool {
        self.noun(expr).text == self.value(expr)
    }

    fn candidates_of(&self, cells: &Expr) -> Option<String> {
        let list = self.cells(cells);
        match list.as_slice() {
            [cell] if self.state.value(*cell).is_some() => Some("it is solved".into()),
            [_] => Some(format!("it has {}", self.value(&Expr::Digits(Box::new(cells.clone()))))),
            _ => Some(format!("they have {}", self.value(&Expr::Digits(Box::new(cells.clone()))))),
        }
    }

    /// Describes extra and missing members: `it also has 8`, `it does not have 2`; for places, their cells.
    fn difference(&self, set: &Expr, extra: &Expr, missing: &Expr) -> (Option<String>, usize) {
        let of = match set {
            Expr::Digits(of) if self.has_options(of) => Some(of),
            _ => None,
        };
        let one = of.is_some_and(|of| self.size(of) == 1);
        let (also, lacks) = match (of, one) {
            (Some(_), _) if !self.lens.is_grid() => ("it is also in", "it is not in"),
            (Some(_), true) => ("it also has", "it does not have"),
            (Some(_), false) => ("they also have", "they do not have"),
            _ => ("there is also", "there is no"),
        };
        let words = [(also, extra), (lacks, missing)].into_iter().filter(|(_, set)| self.size(set) > 0);
        let words: Vec<String> = words.map(|(words, set)| format!("{words} {}", self.value(set))).collect();
        let by = self.size(extra) + 2 * self.size(missing);
        (Some(words.join(" and ")).filter(|words| !words.is_empty()), by)
    }

    /// The actual number, and the things counted.
    fn off(&self, a: &Expr, how: Comparison, b: &Expr) -> (Option<String>, usize) {
        let (left, right) = (self.evaluator.number(a), self.evaluator.number(b));
        let words = match (a, left) {
            _ if how == Comparison::NotEqual => None,
            (Expr::Count(_), 0) => Some("found: none".to_string()),
            (Expr::Count(of), _) => Some(format!("found: {left} ({})", self.value(of))),
            (Expr::Times(..), _) => Some(format!("it fits {left} times")),
            _ => Some(format!("they are {left}")),
        };
        (words, left.abs_diff(right).clamp(1, 99) as usize)
    }

    /// For a set whose members have no names yet: the actual number of members and the required one.
    pub(super) fn other_count(&self, set: &Expr, names: &[VarId], known: &BTreeSet<VarId>) -> (String, usize) {
        let named: Vec<Expr> = names.iter().filter(|name| known.contains(name)).map(|&name| Expr::Var(name)).collect();
        let lacks = Expr::Difference(Box::new(Expr::Union(named)), Box::new(set.clone()));
        let (here, missing) = (self.size(set), self.size(&lacks));
        if here == names.len() && missing == 0 {
            return (HOLDS.into(), 99);
        }
        let mut demanded = self.counted(set, Comparison::Equal, names.len() as i64);
        if missing > 0 {
            demanded = format!("{demanded}, among them {}", self.value(&lacks));
        }
        (format!("missing: {demanded}; found: {}", self.value(set)), (here.abs_diff(names.len()) + 2 * missing).max(1))
    }

    /// Other places of the digit in the houses that hold both cells.
    fn not_conjugate(&self, digit: &Expr, a: &Expr, b: &Expr) -> (Option<String>, usize) {
        let ends = [self.cells(a), self.cells(b)].concat();
        let Value::Digits(digits) = self.evaluator.value(digit) else { return (None, 4) };
        let has = |cell: &Cell| !(self.state.candidates(*cell) & digits).is_empty();
        if let Some(cell) = ends.iter().find(|cell| !has(cell)) {
            return (Some(format!("{} does not have it", self.text(&Value::Cells(vec![*cell])))), 1);
        }
        let others = self.houses_of(&ends).into_iter().map(|house| {
            let house = self.geometry.house(house);
            let other: Vec<Cell> =
                house.cells.iter().copied().filter(|cell| has(cell) && !ends.contains(cell)).collect();
            (other.len(), format!("{house} has it in {} too", self.text(&Value::Cells(other))))
        });
        match others.min() {
            Some((count, why)) => (Some(why), count),
            None => (Some("no house holds both".into()), 4),
        }
    }
}
