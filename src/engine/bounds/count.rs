//! Bounds on the number of members of a set.
//!
//! In: an expression or a condition. Out: the [`Range`] of a set's size by its declaration, and [`CountClaim`]s: the
//! bounds that follow from a condition.
//!
//! A comparison is read as a sum of counts and constants that is compared with 0. Each count is bounded by the ranges
//! of all other terms. A bound on a set also bounds its operands: by `#(digits(c) - z) = 2`, c has 2 or 3 candidates.

use super::RuleFacts;
use crate::lang::ir::{Comparison, Condition, Expr, Kind, Origin, VarId, VarShape};

/// The least and the greatest number of members of a set, both included.
pub(crate) type Range = (u32, u32);

/// The greatest number of a range without an upper bound: the number of candidates of the largest board.
pub(crate) const NO_LIMIT: u32 = 25 * 25 * 25;

const ANY: Range = (0, NO_LIMIT);

/// A bound that a condition puts on the number of members of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountClaim<'e> {
    pub set: &'e Expr,
    /// True if the bound is on the number of digits that are candidates in the cells of `set`.
    pub counts_candidates: bool,
    pub range: Range,
    /// True if the condition holds for every set within the bound.
    pub implies_condition: bool,
}

/// The least and the greatest value of a number, both included.
type Interval = (i64, i64);

/// A callback that receives each bound.
type Report<'r, 'e> = &'r mut dyn FnMut(CountClaim<'e>);

impl RuleFacts<'_> {
    /// Bounds the number of members of a set by the sizes that its names are declared with.
    pub fn size(self, set: &Expr) -> Range {
        match set {
            Expr::Var(name) => self.declared_size(*name),
            Expr::Union(parts) => {
                let sizes = parts.iter().map(|part| self.size(part));
                sizes.fold((0, 0), |(least, most), (low, high)| (least.max(low), limited(most + high)))
            }
            Expr::Intersection(a, b) => (0, self.size(a).1.min(self.size(b).1)),
            Expr::Difference(a, b) => {
                let (a, b) = (self.size(a), self.size(b));
                (a.0.saturating_sub(b.1), a.1)
            }
            Expr::CellsOf(set) | Expr::Filter { set, .. } => (0, self.size(set).1),
            Expr::CandidatesIn(digits, cells) => (0, limited(self.size(digits).1.saturating_mul(self.size(cells).1))),
            _ => ANY,
        }
    }

    fn declared_size(self, name: VarId) -> Range {
        let var = self.variant.var(name);
        match var.shape {
            _ if var.origin == Origin::Let => ANY,
            // An end of a chain may be a node of several candidates.
            VarShape::Single if var.kind == Kind::Candidate => ANY,
            VarShape::Single => (1, 1),
            VarShape::Family => ANY,
            VarShape::Set => {
                let Some((low, high)) = self.choice(name).and_then(|choose| choose.size.as_ref()) else { return ANY };
                (self.count(low).unwrap_or(0), high.as_ref().and_then(|high| self.count(high)).unwrap_or(NO_LIMIT))
            }
        }
    }

    /// Returns the value of a constant expression if a set can have this number of members.
    fn count(self, expr: &Expr) -> Option<u32> {
        u32::try_from(self.constant(expr)?).ok().map(limited)
    }

    /// Returns the interval of the values that a number can have.
    fn number(self, expr: &Expr) -> Interval {
        match expr {
            Expr::Count(set) => interval(self.size(set)),
            Expr::Add(a, b) => sum(self.number(a), self.number(b)),
            Expr::Subtract(a, b) => sum(self.number(a), negated(self.number(b))),
            _ => self.constant(expr).map_or(interval(ANY), |value| (value, value)),
        }
    }

    /// Reports the bounds that follow from a condition.
    pub fn count_claims<'e>(self, condition: &'e Condition, report: Report<'_, 'e>) {
        match condition {
            Condition::Compare(a, op, b) => self.comparison_claims(a, *op, b, report),
            Condition::Equal(a, b) => {
                self.report_bounds(a, self.size(b), false, report);
                self.report_bounds(b, self.size(a), false, report);
            }
            Condition::Within(a, b) => {
                let least = self.size(a).0.max(1);
                self.report_bounds(a, (least, self.size(b).1), false, report);
                self.report_bounds(b, (least, NO_LIMIT), false, report);
            }
            Condition::NotEmpty(set) => self.report_bounds(set, (1, NO_LIMIT), true, report),
            Condition::No(set) => self.report_bounds(set, (0, 0), true, report),
            _ => {}
        }
    }

    /// Reports a bound for each count in a comparison.
    fn comparison_claims<'e>(self, a: &'e Expr, op: Comparison, b: &'e Expr, report: Report<'_, 'e>) {
        let mut counts = Vec::new();
        let constants = sum(self.add_terms(a, true, &mut counts), self.add_terms(b, false, &mut counts));
        let terms: Vec<Interval> =
            counts.iter().map(|&(is_positive, set)| signed(is_positive, interval(self.size(set)))).collect();
        let total = terms.iter().fold(constants, |total, &term| sum(total, term));
        for (&(is_positive, set), own) in counts.iter().zip(terms) {
            let others = (total.0 - own.0, total.1 - own.1);
            let Some(values) = related(op, negated(others)) else { continue };
            let (least, most) = signed(is_positive, values);
            if most >= 0 {
                let implies_condition = counts.len() == 1 && others.0 == others.1;
                self.report_bounds(set, (clamped(least), clamped(most)), implies_condition, report);
            }
        }
    }

    /// Appends to `counts` the sets that are counted in an expression, each with true if its count is added, false if
    /// it is subtracted. Returns the interval of all other terms.
    fn add_terms<'e>(self, expr: &'e Expr, is_positive: bool, counts: &mut Vec<(bool, &'e Expr)>) -> Interval {
        match expr {
            Expr::Count(set) => {
                counts.push((is_positive, set));
                (0, 0)
            }
            Expr::Add(a, b) => sum(self.add_terms(a, is_positive, counts), self.add_terms(b, is_positive, counts)),
            Expr::Subtract(a, b) => {
                sum(self.add_terms(a, is_positive, counts), self.add_terms(b, !is_positive, counts))
            }
            _ => signed(is_positive, self.number(expr)),
        }
    }

    /// Reports a bound on a set, and the bounds on its operands that follow.
    fn report_bounds<'e>(self, set: &'e Expr, range: Range, implies_condition: bool, report: Report<'_, 'e>) {
        let (least, most) = range;
        // An impossible range is not reported: the test of the condition fails.
        if range == ANY || least > most {
            return;
        }
        let set = without_cells(self, set);
        if let Expr::Digits(cells) = set {
            report(CountClaim { set: cells, counts_candidates: true, range, implies_condition });
            // Some of the cells have at most as many digits as all cells together.
            if let (Expr::Union(parts), ..NO_LIMIT) = (cells.as_ref(), most) {
                for part in parts {
                    report(CountClaim {
                        set: part,
                        counts_candidates: true,
                        range: (0, most),
                        implies_condition: false,
                    });
                }
            }
            return;
        }
        report(CountClaim { set, counts_candidates: false, range, implies_condition });
        match set {
            Expr::Difference(a, b) => {
                self.report_bounds(a, (least, limited(most + self.size(b).1)), false, report);
            }
            Expr::Intersection(a, b) if least > 0 => {
                self.report_bounds(a, (least, NO_LIMIT), false, report);
                self.report_bounds(b, (least, NO_LIMIT), false, report);
            }
            Expr::Union(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let others = parts.iter().enumerate().filter(|(other, _)| *other != index);
                    let others: u32 = others.map(|(_, other)| self.size(other).1).sum();
                    self.report_bounds(part, (least.saturating_sub(others), most), false, report);
                }
            }
            Expr::CellsOf(inner) | Expr::Filter { set: inner, .. } if least > 0 => {
                self.report_bounds(inner, (least.min(1), NO_LIMIT), false, report);
            }
            _ => {}
        }
    }
}

/// Replaces `cells(x in S)` by the candidates `x in S` if x is a single digit: there are as many candidates as cells.
fn without_cells<'e>(facts: RuleFacts<'_>, set: &'e Expr) -> &'e Expr {
    match set {
        Expr::CellsOf(candidates) if matches!(candidates.as_ref(), Expr::CandidatesIn(digit, _) if facts.is_single_name(digit)) => {
            candidates
        }
        _ => set,
    }
}

/// Returns the interval of all numbers that are in a relation to some number from `low` to `high`; `None` if these
/// numbers form no interval.
fn related(op: Comparison, (low, high): Interval) -> Option<Interval> {
    // Sums of counts in rules stay far below this.
    let infinity = 4 * i64::from(NO_LIMIT);
    Some(match op {
        Comparison::Equal => (low, high),
        Comparison::LessEqual => (-infinity, high),
        Comparison::Less => (-infinity, high - 1),
        Comparison::GreaterEqual => (low, infinity),
        Comparison::Greater => (low + 1, infinity),
        Comparison::NotEqual => return None,
    })
}

fn limited(count: u32) -> u32 {
    count.min(NO_LIMIT)
}

fn clamped(value: i64) -> u32 {
    value.clamp(0, i64::from(NO_LIMIT)) as u32
}

fn interval((least, most): Range) -> Interval {
    (i64::from(least), i64::from(most))
}

fn sum(a: Interval, b: Interval) -> Interval {
    (a.0 + b.0, a.1 + b.1)
}

fn negated((low, high): Interval) -> Interval {
    (-high, -low)
}

fn signed(is_positive: bool, interval: Interval) -> Interval {
    if is_positive { interval } else { negated(interval) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::ir::{Var, Variant};

    /// A variant with two names: cell 0 and digit 1.
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

    /// Returns the bounds that follow from a condition: set, `counts_candidates`, range, `implies_condition`.
    fn claims(condition: &Condition) -> Vec<(Expr, bool, Range, bool)> {
        let mut out = Vec::new();
        let facts = RuleFacts { variant: &variant(), args: &[] };
        facts.count_claims(condition, &mut |claim| {
            out.push((claim.set.clone(), claim.counts_candidates, claim.range, claim.implies_condition));
        });
        out
    }

    fn count(set: Expr) -> Expr {
        Expr::Count(Box::new(set))
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
        assert_eq!(ranges[0], (1, NO_LIMIT));
    }

    /// The empty set cannot contain the digits of a cell.
    #[test]
    fn an_impossible_range_is_not_reported() {
        let digits = Expr::Digits(Box::new(name(0)));
        let empty = Expr::Union(Vec::new());
        let within = Condition::Within(digits.clone(), empty.clone());
        assert_eq!(claims(&within), [(empty, false, (1, NO_LIMIT), false)]);
        assert_eq!(claims(&Condition::Compare(count(digits), Comparison::Less, Expr::Number(0))), []);
    }

    #[test]
    fn an_inequality_bounds_nothing() {
        let condition = Condition::Compare(count(name(0)), Comparison::NotEqual, Expr::Number(2));
        assert!(claims(&condition).is_empty());
    }
}
