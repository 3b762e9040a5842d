//! Bounds on the number of members of a set.
//!
//! In: an expression or a condition. Out: [`Range`]s, from declarations and from conditions.
//!
//! A comparison of numbers is read as a sum of counts and constants against 0, so each count is bounded by the values of the
//! others. Bounds of a set are passed on to its parts: `#(digits(c) - z) = 2` leaves 2 or 3 candidates to c.

use super::RuleFacts;
use crate::lang::ir::{Comparison, Condition, Expr, Kind, Origin, VarId, VarShape};

/// A least and a most number, both included.
pub(crate) type Range = (u32, u32);

/// More than any set has: the candidates of the largest board.
pub(crate) const MOST: u32 = 25 * 25 * 25;

const ANY: Range = (0, MOST);

/// A bound that a condition puts on the number of members of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountClaim<'e> {
    pub of: &'e Expr,
    /// True if the bound is on the candidates of the cells `of`.
    pub digits: bool,
    pub range: Range,
    /// True if the bound is equivalent to the condition.
    pub whole: bool,
}

/// Numbers from one to another.
type Interval = (i64, i64);

impl RuleFacts<'_> {
    /// Bounds the number of members of a set by its structure.
    pub fn size(self, set: &Expr) -> Range {
        match set {
            Expr::Var(name) => self.declared(*name),
            Expr::Union(parts) => {
                let sizes = parts.iter().map(|part| self.size(part));
                sizes.fold((0, 0), |(least, most), one| (least.max(one.0), at_most(most + one.1)))
            }
            Expr::Intersection(a, b) => (0, self.size(a).1.min(self.size(b).1)),
            Expr::Difference(a, b) => {
                let (all, taken) = (self.size(a), self.size(b));
                (all.0.saturating_sub(taken.1), all.1)
            }
            Expr::UnsolvedCells(of) => (0, self.size(of).1),
            Expr::In(digits, cells) => (0, at_most(self.size(digits).1.saturating_mul(self.size(cells).1))),
            Expr::Filter { set: of, .. } => (0, self.size(of).1),
            _ => ANY,
        }
    }

    fn declared(self, name: VarId) -> Range {
        let var = self.variant.var(name);
        match var.shape {
            _ if var.origin == Origin::Let => ANY,
            // An end of a chain may be a node of several candidates.
            VarShape::Single if var.kind == Kind::Candidate => ANY,
            VarShape::Single => (1, 1),
            VarShape::Family => ANY,
            VarShape::Set => {
                let Some((low, high)) = self.choice(name).and_then(|choose| choose.size.as_ref()) else { return ANY };
                (self.count(low).unwrap_or(0), high.as_ref().and_then(|high| self.count(high)).unwrap_or(MOST))
            }
        }
    }

    /// The value of a number that names nothing, if a set can have as many members.
    fn count(self, expr: &Expr) -> Option<u32> {
        u32::try_from(self.constant(expr)?).ok().map(at_most)
    }

    /// The values that a number can have.
    fn number(self, expr: &Expr) -> Interval {
        match expr {
            Expr::Count(of) => interval(self.size(of)),
            Expr::Add(a, b) => sum(self.number(a), self.number(b)),
            Expr::Subtract(a, b) => sum(self.number(a), minus(self.number(b))),
            _ => self.constant(expr).map_or(interval(ANY), |value| (value, value)),
        }
    }

    /// Reports the bounds that follow from a condition.
    pub fn count_claims<'e>(self, condition: &'e Condition, report: &mut dyn FnMut(CountClaim<'e>)) {
        match condition {
            Condition::Compare(a, op, b) => self.compared(a, *op, b, report),
            Condition::Equal(a, b) => {
                self.say(a, self.size(b), false, report);
                self.say(b, self.size(a), false, report);
            }
            Condition::Within(a, b) => {
                let least = self.size(a).0.max(1);
                self.say(a, (least, self.size(b).1), false, report);
                self.say(b, (least, MOST), false, report);
            }
            Condition::Some(of) => self.say(of, (1, MOST), true, report),
            Condition::No(of) => self.say(of, (0, 0), true, report),
            _ => {}
        }
    }

    /// Reports a bound for each count in a comparison.
    fn compared<'e>(self, a: &'e Expr, op: Comparison, b: &'e Expr, report: &mut dyn FnMut(CountClaim<'e>)) {
        let mut terms = Vec::new();
        let mut all = sum(self.terms(a, true, &mut terms), self.terms(b, false, &mut terms));
        for &(plus, of) in &terms {
            all = sum(all, signed(plus, interval(self.size(of))));
        }
        for &(plus, of) in &terms {
            let own = signed(plus, interval(self.size(of)));
            let others = (all.0 - own.0, all.1 - own.1);
            let Some(values) = related(op, minus(others)) else { continue };
            let (least, most) = signed(plus, values);
            // An impossible range is left to the test of the condition.
            if least <= most && most >= 0 {
                let whole = terms.len() == 1 && others.0 == others.1;
                self.say(of, (clipped(least), clipped(most)), whole, report);
            }
        }
    }

    /// The counts in a number, each with its sign, and what else it is.
    fn terms<'e>(self, expr: &'e Expr, plus: bool, out: &mut Vec<(bool, &'e Expr)>) -> Interval {
        match expr {
            Expr::Count(of) => {
                out.push((plus, of));
                (0, 0)
            }
            Expr::Add(a, b) => sum(self.terms(a, plus, out), self.terms(b, plus, out)),
            Expr::Subtract(a, b) => sum(self.terms(a, plus, out), self.terms(b, !plus, out)),
            _ => signed(plus, self.number(expr)),
        }
    }

    /// Reports a bound of a set, and the bounds of its parts that follow.
    fn say<'e>(self, of: &'e Expr, range: Range, whole: bool, report: &mut dyn FnMut(CountClaim<'e>)) {
        let (least, most) = range;
        if range == ANY {
            return;
        }
        let of = in_cells(self, of);
        match of {
            Expr::Digits(cells) => {
                report(CountClaim { of: cells, digits: true, range, whole });
                // A part of the cells has at most as many digits as all of them.
                if let (Expr::Union(parts), ..MOST) = (cells.as_ref(), most) {
                    for part in parts {
                        report(CountClaim { of: part, digits: true, range: (0, most), whole: false });
                    }
                }
                return;
            }
            _ => report(CountClaim { of, digits: false, range, whole }),
        }
        match of {
            Expr::Difference(all, taken) => self.say(all, (least, at_most(most + self.size(taken).1)), false, report),
            Expr::Intersection(a, b) if least > 0 => {
                self.say(a, (least, MOST), false, report);
                self.say(b, (least, MOST), false, report);
            }
            Expr::Union(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
                    let others: u32 = others.map(|(_, other)| self.size(other).1).sum();
                    self.say(part, (least.saturating_sub(others), most), false, report);
                }
            }
            Expr::UnsolvedCells(of) | Expr::Filter { set: of, .. } if least > 0 => {
                self.say(of, (least.min(1), MOST), false, report)
            }
            _ => {}
        }
    }
}

/// For a single digit, replaces its candidates by their cells, which are equally many.
fn in_cells<'e>(known: RuleFacts<'_>, of: &'e Expr) -> &'e Expr {
    match of {
        Expr::UnsolvedCells(noun) if matches!(noun.as_ref(), Expr::In(digit, _) if known.is_one(digit)) => noun,
        other => other,
    }
}

/// The numbers that are in this relation to some number of these, if they are all from one to another.
fn related(op: Comparison, (low, high): Interval) -> Option<Interval> {
    let far = 4 * i64::from(MOST);
    Some(match op {
        Comparison::Equal => (low, high),
        Comparison::LessEqual => (-far, high),
        Comparison::Less => (-far, high - 1),
        Comparison::GreaterEqual => (low, far),
        Comparison::Greater => (low + 1, far),
        Comparison::NotEqual => return None,
    })
}

fn at_most(count: u32) -> u32 {
    count.min(MOST)
}

fn clipped(value: i64) -> u32 {
    value.clamp(0, i64::from(MOST)) as u32
}

fn interval((least, most): Range) -> Interval {
    (i64::from(least), i64::from(most))
}

fn sum(a: Interval, b: Interval) -> Interval {
    (a.0 + b.0, a.1 + b.1)
}

fn minus((low, high): Interval) -> Interval {
    (-high, -low)
}

fn signed(plus: bool, of: Interval) -> Interval {
    if plus { of } else { minus(of) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::ir::{Var, Variant};

    /// Two single names: cell 0 and digit 1.
    fn variant() -> Variant {
        let vars = [("c", Kind::Cell), ("z", Kind::Digit)].map(|(name, kind)| Var {
            name: name.into(),
            kind,
            shape: VarShape::Single,
            origin: Origin::Chosen,
        });
        Variant { vars: vars.into(), ..Variant::default() }
    }

    fn name(id: usize) -> Expr {
        Expr::Var(VarId(id))
    }

    /// Bounds that follow from a condition, each with true if it is on the digits of its cells.
    fn claims(condition: &Condition) -> Vec<(Expr, bool, Range, bool)> {
        let mut out = Vec::new();
        let facts = RuleFacts { variant: &variant(), args: &[] };
        facts.count_claims(condition, &mut |claim| {
            out.push((claim.of.clone(), claim.digits, claim.range, claim.whole));
        });
        out
    }

    fn count(of: Expr) -> Expr {
        Expr::Count(Box::new(of))
    }

    #[test]
    fn a_count_bounds_the_digits_of_a_cell() {
        let digits = Expr::Digits(Box::new(name(0)));
        let condition = Condition::Compare(count(digits), Comparison::Less, Expr::Number(4));
        assert_eq!(claims(&condition), [(name(0), true, (0, 3), true)]);
    }

    #[test]
    fn a_difference_leaves_room_for_what_it_takes() {
        let digits = Expr::Digits(Box::new(name(0)));
        let without_z = Expr::Difference(Box::new(digits), Box::new(name(1)));
        let condition = Condition::Compare(count(without_z.clone()), Comparison::Equal, Expr::Number(2));
        assert_eq!(claims(&condition), [(without_z, false, (2, 2), true), (name(0), true, (2, 3), false)]);
    }

    #[test]
    fn counts_of_a_sum_bound_each_other() {
        let [a, b] = [0, 1].map(|id| count(Expr::Intersection(Box::new(name(id)), Box::new(Expr::AllCells))));
        let condition = Condition::Compare(Expr::Number(2), Comparison::LessEqual, Expr::Add(Box::new(a), Box::new(b)));
        let ranges: Vec<Range> = claims(&condition).into_iter().map(|(_, _, range, _)| range).collect();
        assert_eq!(ranges[0], (1, MOST));
    }

    #[test]
    fn an_inequality_bounds_nothing() {
        let condition = Condition::Compare(count(name(0)), Comparison::NotEqual, Expr::Number(2));
        assert!(claims(&condition).is_empty());
    }
}
