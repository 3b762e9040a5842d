//! Prices of matches. In: the price of a profile row: a number, or expressions of the match. Out: the price of each
//! match, and two bounds: the lowest price of matches of some length (number of candidates), and the largest length that
//! a price allows.

use super::ranking::Rank;
use super::view::{MatchContext, ViewedPosition};
use crate::engine::{Match, MemberId};
use crate::grid::{Geometry, State};
use crate::lang::ir::{self, Expr, MatchNumber, Measure, Technique};
use crate::lang::price;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum RowPrice {
    /// One price for every match.
    Fixed(u32),
    /// Expressions of the match, `66 + #s` or `12 when #s = 2`. The first expression whose condition holds is the
    /// price.
    Clauses(Vec<String>),
}

impl RowPrice {
    /// Returns the expressions, unless the price is fixed.
    pub fn clauses(&self) -> Option<&[String]> {
        match self {
            RowPrice::Fixed(_) => None,
            RowPrice::Clauses(clauses) => Some(clauses),
        }
    }

    pub fn fixed(&self) -> Option<u32> {
        match self {
            RowPrice::Fixed(number) => Some(*number),
            RowPrice::Clauses(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for RowPrice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RowPrice, D::Error> {
        deserializer.deserialize_any(PriceVisitor)
    }
}

struct PriceVisitor;

impl<'de> Visitor<'de> for PriceVisitor {
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
        Ok(RowPrice::Clauses(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RowPrice, A::Error> {
        let mut clauses = Vec::new();
        while let Some(clause) = list.next_element()? {
            clauses.push(clause);
        }
        Ok(RowPrice::Clauses(clauses))
    }
}

/// Reads sort keys: one expression in quotes, or a list of expressions.
pub(super) fn read_order<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    match deserializer.deserialize_any(PriceVisitor)? {
        RowPrice::Clauses(clauses) => Ok(clauses),
        RowPrice::Fixed(_) => Err(de::Error::custom("an order is an expression in quotes, or a list of them")),
    }
}

/// A compiled price. The map gives the clauses for each technique and variant, by the indexes of both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula(BTreeMap<(usize, usize), Vec<ir::Price>>);

impl Formula {
    /// Compiles the clauses of a row for its members. Clauses with errors are omitted;
    /// [`price_faults`](super::price_faults) reports them.
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

    fn clauses(&self, member: &MemberId) -> Option<&[ir::Price]> {
        self.0.get(&(member.technique, member.variant)).map(Vec::as_slice)
    }

    /// Returns the value of the first clause that applies to a match; `None` if no clause applies. `elimination_times` is
    /// empty if the times are unknown.
    pub fn evaluate(
        &self,
        rule_match: &Match,
        techniques: &[Technique],
        (board, state): (&Geometry, &State),
        elimination_times: &[u32],
    ) -> Option<u32> {
        let clauses = self.clauses(&rule_match.member)?;
        let position =
            ViewedPosition::new(board, state, rule_match.member.space).with_elimination_times(elimination_times);
        let context = MatchContext::new(rule_match, &techniques[rule_match.member.technique], &position);
        clauses.iter().find_map(|clause| {
            let mut evaluator = context.evaluator();
            evaluator.measures = &clause.measures;
            let applies = clause.when.as_ref().is_none_or(|when| evaluator.holds(when));
            applies.then(|| clamped(evaluator.number(&clause.value)))
        })
    }
}

fn clamped(number: i64) -> u32 {
    number.clamp(0, u32::MAX.into()) as u32
}

/// Lower bounds for this length count as bounds for every larger length.
const LONGEST: u32 = 1 << 12;

impl Rank {
    /// Returns a lower bound for the price of matches of `length` or more candidates.
    pub(super) fn lower_bound(&self, member: &MemberId, length: u32) -> u32 {
        let clauses = self.formula.iter().filter_map(|formula| formula.clauses(member)).flatten();
        let bounds = clauses.map(|clause| {
            let bound = ClauseBound { clause, member, length: length.into() };
            clamped(bound.of_expression(&clause.value))
        });
        bounds.chain(self.fallback_price()).min().unwrap_or(0)
    }

    /// Returns the largest length whose lower bound is at most `price`; `None` if every match costs more.
    pub(super) fn longest(&self, member: &MemberId, price: u32) -> Option<u32> {
        if self.lower_bound(member, LONGEST) <= price {
            return Some(u32::MAX);
        }
        // Binary search: the bound never falls as the length grows_with_length.
        let mut low = 0;
        let mut high = LONGEST;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.lower_bound(member, middle) <= price {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.checked_sub(1)
    }

    /// Returns true if longer matches cost more.
    pub(super) fn price_grows_with_length(&self, member: &MemberId) -> bool {
        self.lower_bound(member, LONGEST) > self.lower_bound(member, 0)
    }

    /// Returns the price of a match to which no formula applies: the fixed price of the row, or the highest price if
    /// the row has no price. `None` if the row's price is a formula: a match to which no clause applies does not belong
    /// to the row.
    pub(super) fn fallback_price(&self) -> Option<u32> {
        match self.price {
            Some((first, _)) => Some(first),
            None if self.formula.is_none() => Some(u32::MAX),
            None => None,
        }
    }
}

/// Computes the lower bound of a clause for matches of a member with `length` or more candidates.
struct ClauseBound<'a> {
    clause: &'a ir::Price,
    member: &'a MemberId,
    length: i64,
}

impl ClauseBound<'_> {
    fn of_expression(&self, value: &Expr) -> i64 {
        match value {
            Expr::Number(number) => i64::from(*number),
            Expr::Param(index) => self.member.args.get(*index).map_or(0, |&arg| arg.into()),
            Expr::Add(a, b) => self.of_expression(a).saturating_add(self.of_expression(b)),
            Expr::Subtract(a, b) => match **b {
                Expr::Number(number) => self.of_expression(a).saturating_sub(number.into()),
                // Nothing limits the subtrahend.
                _ => i64::MIN,
            },
            Expr::Var(name) => {
                let measure = name.measure_index().and_then(|index| self.clause.measures.get(index));
                measure.map_or(0, |measure| self.of_measure(measure))
            }
            // Every other number is a count, which is never negative.
            _ => 0,
        }
    }

    fn of_measure(&self, measure: &Measure) -> i64 {
        match measure {
            Measure::MatchNumber(MatchNumber::Length) => self.length,
            Measure::Above(value, thresholds) => {
                let value = self.of_expression(value);
                thresholds.iter().filter(|&&threshold| value > i64::from(threshold)).count() as i64
            }
            // A factor of a product may be negative.
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
