//! What a match costs. In: a price as a profile writes it: a number, or expressions of the match in the rule language. Out: a
//! number for each match.

use super::view::{View, ViewContext};
use crate::engine::{Match, MemberId, Value};
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
    /// The same for every match.
    Fixed(u32),
    /// Expressions of the match, `66 + #s` or `12 when #s = 2`: the first that applies.
    Of(Vec<String>),
}

impl Price {
    /// The expressions, if it is made of some.
    pub fn clauses(&self) -> Option<&[String]> {
        match self {
            Price::Fixed(_) => None,
            Price::Of(clauses) => Some(clauses),
        }
    }

    /// The number, if it is one.
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

/// Expressions of the match, the first of which decides, then the next: one in quotes, or a list of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Order(pub Vec<String>);

impl Order {
    /// Whether it says nothing.
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

/// A price made ready: clauses for each technique and case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula(BTreeMap<(usize, usize), Vec<ir::Price>>);

impl Formula {
    /// Reads the clauses of a row for every member that it speaks of; what cannot be read is left out, see [`faults`](super::faults).
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

    /// The clauses for the case that a member is of.
    pub(super) fn clauses(&self, member: &MemberId) -> Option<&[ir::Price]> {
        self.0.get(&(member.technique, member.variant)).map(Vec::as_slice)
    }

    /// The price of a match: that of the first clause that applies; `changes` says when candidates went.
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
        let clause = clauses.iter().find(|clause| clause.when.as_ref().is_none_or(|when| view.holds(when)))?;
        match view.value(&clause.value) {
            Value::Number(number) => Some(number.clamp(0, u32::MAX.into()) as u32),
            _ => None,
        }
    }
}
