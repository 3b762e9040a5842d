//! The least that a price can be. In: the price of a row, a member, and how many candidates a match tells. Out: no match of
//! the member that tells as many is cheaper; and how many one may tell that is no dearer than another.

use super::order::Rank;
use crate::engine::MemberId;
use crate::lang::ir::{Expr, OfMatch};

/// Longer chains are not told apart.
const LONG: u32 = 1 << 12;

impl Rank {
    /// The least price of a match that tells `length` candidates or more.
    pub(super) fn least(&self, member: &MemberId, length: u32) -> u32 {
        let clauses = self.formula.iter().filter_map(|formula| formula.clauses(member)).flatten();
        let each = clauses.map(|clause| least(&clause.value, member, length.into()).clamp(0, u32::MAX.into()) as u32);
        each.chain(self.fixed()).min().unwrap_or(0)
    }

    /// How many candidates a match may tell that is no dearer than `price`; none where every match is dearer.
    pub(super) fn longest(&self, member: &MemberId, price: u32) -> Option<u32> {
        // What is least never falls where the length grows.
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

    /// Whether longer matches cost more.
    pub(super) fn grows(&self, member: &MemberId) -> bool {
        self.least(member, LONG) > self.least(member, 0)
    }

    /// The price that does not depend on the match. Where a price is asked of the match and there is none, the match is not of
    /// this row.
    pub(super) fn fixed(&self) -> Option<u32> {
        self.price.map(|(first, _)| first).or(self.formula.is_none().then_some(u32::MAX))
    }
}

/// The least value of an expression where a match tells `length` candidates or more.
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
