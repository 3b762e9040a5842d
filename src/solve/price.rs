//! Prices of matches. In: a price as a profile writes it: a number, or expressions of the match. Out: a number for each match.

use super::view::{View, ViewContext};
use crate::engine::{Match, MemberId};
use crate::grid::{Geometry, State};
use crate::lang::ir::{self, Technique};
use crate::lang::price;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// The price of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Price {
    /// One price for every match.
    Fixed(u32),
    /// Expressions of the match, `66 + #s` or `12 when #s = 2`; the first that applies is the price.
    Of(Vec<String>),
}

impl Price {
    /// Returns the expressions, unless the price is fixed.
    pub fn clauses(&self) -> Option<&[String]> {
        match self {
            Price::Fixed(_) => None,
            Price::Of(clauses) => Some(clauses),
        }
    }

    /// Returns the fixed price, if it is one.
    pub fn fixed(&self) -> Option<u32> {
        match self {
            Price::Fixed(number) => Some(*number),
            Price::Of(_) => None,
        }
    }
}

impl From<u32> for Price {
    fn from(number: u32) -> Price {
        Price::Fixed(number)
    }
}

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Price::Fixed(number) => number.serialize(serializer),
            Price::Of(clauses) => clauses.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Price, D::Error> {
        deserializer.deserialize_any(AsWritten)
    }
}

/// Reads a number, an expression or a list of expressions.
struct AsWritten;

impl<'de> Visitor<'de> for AsWritten {
    type Value = Price;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a price: a whole number, an expression in quotes, or a list of them")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Price, E> {
        u32::try_from(number).map(Price::Fixed).map_err(|_| E::custom("this price is too large"))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Price, E> {
        u32::try_from(number).map(Price::Fixed).map_err(|_| E::custom("a price is not below 0"))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Price, E> {
        Ok(Price::Of(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Price, A::Error> {
        let mut clauses = Vec::new();
        while let Some(clause) = list.next_element()? {
            clauses.push(clause);
        }
        Ok(Price::Of(clauses))
    }
}

/// Expressions of the match to sort by: the first decides, then the next. In RON one in quotes, or a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Order(pub Vec<String>);

impl Order {
    /// Returns true if there is no expression.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Order, D::Error> {
        match deserializer.deserialize_any(AsWritten)? {
            Price::Of(clauses) => Ok(Order(clauses)),
            Price::Fixed(_) => Err(de::Error::custom("an order is an expression in quotes, or a list of them")),
        }
    }
}

/// A compiled price: its clauses for each technique and case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula(BTreeMap<(usize, usize), Vec<ir::Price>>);

impl Formula {
    /// Compiles the clauses of a row for its members. Clauses that cannot be read are left out; see [`faults`](super::faults).
    pub fn new(
        clauses: &[String],
        named: &BTreeMap<String, String>,
        techniques: &[Technique],
        members: &[&MemberId],
    ) -> Formula {
        let mut out = BTreeMap::new();
        for member in members {
            let technique = &techniques[member.technique];
            let read = |text: &String| price(technique, member.variant, text, named).ok();
            out.entry((member.technique, member.variant)).or_insert_with(|| clauses.iter().filter_map(read).collect());
        }
        Formula(out)
    }

    /// Returns the clauses for the case of a member.
    pub(super) fn clauses(&self, member: &MemberId) -> Option<&[ir::Price]> {
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
        let view = View::new(found, &techniques[found.member.technique], &context);
        clauses.iter().find_map(|clause| {
            let evaluator = view.evaluator().measuring(&clause.measures);
            let applies = clause.when.as_ref().is_none_or(|when| evaluator.holds(when));
            applies.then(|| evaluator.number(&clause.value).clamp(0, u32::MAX.into()) as u32)
        })
    }
}
