//! Prices of matches. In: a price as a profile writes it: a number, or expressions of the match. Out: a number for each match, and lower
//! bounds: a price that no match of a length (number of candidates) undercuts, and the largest length whose price can stay below a limit.

use super::ranking::Rank;
use super::view::{MatchView, ViewContext};
use crate::engine::{Match, MemberId};
use crate::grid::{Geometry, State};
use crate::lang::ir::{self, Expr, MatchNumber, Measure, Technique};
use crate::lang::price;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The price of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum RowPrice {
    /// One price for every match.
    Fixed(u32),
    /// Expressions of the match, `66 + #s` or `12 when #s = 2`; the first that applies is the price.
    Of(Vec<String>),
}

impl RowPrice {
    /// Returns the expressions, unless the price is fixed.
    pub fn clauses(&self) -> Option<&[String]> {
        match self {
            RowPrice::Fixed(_) => None,
            RowPrice::Of(clauses) => Some(clauses),
        }
    }

    /// Returns the fixed price, if it is one.
    pub fn fixed(&self) -> Option<u32> {
        match self {
            RowPrice::Fixed(number) => Some(*number),
            RowPrice::Of(_) => None,
        }
    }
}

impl From<u32> for RowPrice {
    fn from(number: u32) -> RowPrice {
        RowPrice::Fixed(number)
    }
}

impl<'de> Deserialize<'de> for RowPrice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RowPrice, D::Error> {
        deserializer.deserialize_any(AsWritten)
    }
}

/// Reads a number, an expression or a list of expressions.
struct AsWritten;

impl<'de> Visitor<'de> for AsWritten {
    type Value = RowPrice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a price: a whole number, an expression in quotes, or a list of them")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<RowPrice, E> {
        u32::try_from(number).map(RowPrice::Fixed).map_err(|_| E::custom("this price is too large"))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<RowPrice, E> {
        u32::try_from(number).map(RowPrice::Fixed).map_err(|_| E::custom("a price is not below 0"))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<RowPrice, E> {
        Ok(RowPrice::Of(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RowPrice, A::Error> {
        let mut clauses = Vec::new();
        while let Some(clause) = list.next_element()? {
            clauses.push(clause);
        }
        Ok(RowPrice::Of(clauses))
    }
}

/// Reads expressions of the match to sort by: one in quotes, or a list. The first decides, then the next.
pub(super) fn read_order<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    match deserializer.deserialize_any(AsWritten)? {
        RowPrice::Of(clauses) => Ok(clauses),
        RowPrice::Fixed(_) => Err(de::Error::custom("an order is an expression in quotes, or a list of them")),
    }
}

/// A compiled price: its clauses for each technique and case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula(BTreeMap<(usize, usize), Vec<ir::Price>>);

impl Formula {
    /// Compiles the clauses of a row for its members. Clauses that cannot be read are left out; see [`price_faults`](super::price_faults).
    pub fn new(
        clauses: &[String],
        named: &BTreeMap<String, String>,
        techniques: &[Technique],
        members: &[&MemberId],
    ) -> Formula {
        let mut out = BTreeMap::new();
        for member in members {
            let technique = &techniques[member.technique];
            out.entry((member.technique, member.variant)).or_insert_with(|| {
                clauses.iter().filter_map(|text| price(technique, member.variant, text, named).ok()).collect()
            });
        }
        Formula(out)
    }

    /// Returns the clauses for the case of a member.
    fn clauses(&self, member: &MemberId) -> Option<&[ir::Price]> {
        self.0.get(&(member.technique, member.variant)).map(Vec::as_slice)
    }

    /// Returns the value of the first clause that applies to a match. `changes` are the times of eliminations.
    pub fn of(
        &self,
        found: &Match,
        techniques: &[Technique],
        (board, state): (&Geometry, &State),
        changes: &[u32],
    ) -> Option<u32> {
        let clauses = self.clauses(&found.member)?;
        let context = ViewContext::new(board, state, found.member.space).after(changes);
        let view = MatchView::new(found, &techniques[found.member.technique], &context);
        clauses.iter().find_map(|clause| {
            let evaluator = view.evaluator().with_measures(&clause.measures);
            let applies = clause.when.as_ref().is_none_or(|when| evaluator.holds(when));
            applies.then(|| evaluator.number(&clause.value).clamp(0, u32::MAX.into()) as u32)
        })
    }
}

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
    clause: &'a ir::Price,
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
                let measure = name.measure_index().and_then(|index| self.clause.measures.get(index));
                measure.map_or(0, |measure| self.of_measure(measure))
            }
            // Counted numbers are not negative.
            _ => 0,
        }
    }

    fn of_measure(&self, measure: &Measure) -> i64 {
        match measure {
            Measure::MatchNumber(MatchNumber::Length) => self.length,
            Measure::Above(of, marks) => {
                let of = self.of(of);
                marks.iter().filter(|&&mark| of > i64::from(mark)).count() as i64
            }
            // Parts of a product may be negative.
            Measure::Fold(..) => i64::MIN,
            Measure::MatchNumber(MatchNumber::Returns)
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
