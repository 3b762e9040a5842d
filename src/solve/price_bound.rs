//! Lower bounds of prices. In: the price of a row, a member, a length (number of candidates of a match). Out: a price that no match of that
//! length undercuts, and the largest length whose price can stay below a limit.

use super::ranking::Rank;
use crate::engine::MemberId;
use crate::lang::ir::{Expr, OfMatch};

/// The largest length that bounds distinguish.
const LONG: u32 = 1 << 12;

impl Rank {
    /// Returns a lower bound for the price of matches of `length` or more candidates.
    pub(super) fn least(&self, member: &MemberId, length: u32) -> u32 {
        let clauses = self.formula.iter().filter_map(|formula| formula.clauses(member)).flatten();
        let each = clauses.map(|clause| least(&clause.value, member, length.into()).clamp(0, u32::MAX.into()) as u32);
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

/// Returns a lower bound for an expression, for matches of `length` or more candidates.
fn least(value: &Expr, member: &MemberId, length: i64) -> i64 {
    let go = |part: &Expr| least(part, member, length);
    match value {
        Expr::Number(number) => i64::from(*number),
        Expr::Param(at) => member.args.get(*at).map_or(0, |&arg| arg.into()),
        Expr::OfMatch(OfMatch::Length) => length,
        Expr::Add(a, b) => go(a).saturating_add(go(b)),
        Expr::Subtract(a, b) => match **b {
            Expr::Number(number) => go(a).saturating_sub(number.into()),
            _ => i64::MIN,
        },
        Expr::Above(of, marks) => {
            let of = go(of);
            marks.iter().filter(|&&mark| of > i64::from(mark)).count() as i64
        }
        // Numbers that are counted are not negative, but parts of a product may be.
        Expr::Fold(..) => i64::MIN,
        _ => 0,
    }
}
