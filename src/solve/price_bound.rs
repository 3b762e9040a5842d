//! Lower bounds of prices. In: the price of a row, a member, a length (number of candidates of a match). Out: a price that no match of that
//! length undercuts, and the largest length whose price can stay below a limit.

use super::ranking::Rank;
use crate::engine::MemberId;
use crate::lang::ir::{Expr, Measure, OfMatch, Price};

/// The largest length that bounds distinguish.
const LONG: u32 = 1 << 12;

impl Rank {
    /// Returns a lower bound for the price of matches of `length` or more candidates.
    pub(super) fn least(&self, member: &MemberId, length: u32) -> u32 {
        let clauses = self.formula.iter().filter_map(|formula| formula.clauses(member)).flatten();
        let each = clauses.map(|clause| {
            Least { clause, member, length: length.into() }.of(&clause.value).clamp(0, u32::MAX.into()) as u32
        });
        each.chain(self.fixed()).min().unwrap_or(0)
    }

    /// Returns the largest length whose lower bound is at most `price`; `None` if every match costs more.
    pub(super) fn longest(&self, member: &MemberId, price: u32) -> Option<u32> {
        // The bound never falls as the length grows.
        let (mut low, mut high) = (0, LONG);
        if self.least(member, high) <= price {
            return Some(u32::MAX);
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if self.least(member, middle) <= price {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.checked_sub(1)
    }

    /// Returns true if longer matches cost more.
    pub(super) fn grows(&self, member: &MemberId) -> bool {
        self.least(member, LONG) > self.least(member, 0)
    }

    /// Returns a price for matches without a price of their own: the fixed price of the row, or the highest if it has none. `None` if the
    /// row has a price by expressions: then such a match does not belong to it.
    pub(super) fn fixed(&self) -> Option<u32> {
        self.price.map(|(first, _)| first).or(self.formula.is_none().then_some(u32::MAX))
    }
}

/// Bounds from below for a clause, if a match of the member has `length` candidates or more.
struct Least<'a> {
    clause: &'a Price,
    member: &'a MemberId,
    length: i64,
}

impl Least<'_> {
    /// Returns the least value of an expression.
    fn of(&self, value: &Expr) -> i64 {
        match value {
            Expr::Number(number) => i64::from(*number),
            Expr::Param(at) => self.member.args.get(*at).map_or(0, |&arg| arg.into()),
            Expr::Add(a, b) => self.of(a).saturating_add(self.of(b)),
            Expr::Subtract(a, b) => match **b {
                Expr::Number(number) => self.of(a).saturating_sub(number.into()),
                _ => i64::MIN,
            },
            Expr::Var(name) => {
                let measure = name.as_measure().and_then(|index| self.clause.measures.get(index));
                measure.map_or(0, |measure| self.of_measure(measure))
            }
            // Counted numbers are not negative.
            _ => 0,
        }
    }

    fn of_measure(&self, measure: &Measure) -> i64 {
        match measure {
            Measure::OfMatch(OfMatch::Length) => self.length,
            Measure::Above(of, marks) => {
                let of = self.of(of);
                marks.iter().filter(|&&mark| of > i64::from(mark)).count() as i64
            }
            // Parts of a product may be negative.
            Measure::Fold(..) => i64::MIN,
            Measure::OfMatch(OfMatch::Returns)
            | Measure::Eliminated
            | Measure::Placed
            | Measure::LinkedBy(..)
            | Measure::Largest(_)
            | Measure::First(_)
            | Measure::Rank(_)
            | Measure::Nth { .. }
            | Measure::Since(..) => 0,
        }
    }
}
