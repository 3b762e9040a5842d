//! The rows of a profile. In: RON. Out: [`Row`]: which matches it takes, and what they cost.

use super::arg_range::ArgRange;
use super::catalogue::Target;
use super::names::{folded, names_of};
use super::price::{Order, Price};
use crate::engine::MemberId;
use crate::lang::ir::Technique;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Matches of a list of which only the shortest counts, whether it has a price or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alike {
    /// Expressions of the match: those with the same numbers are alike.
    pub by: Order,
    /// Of equally short ones that counts which is first by this, then the first that is found.
    #[serde(default, skip_serializing_if = "Order::is_empty")]
    pub order: Order,
}

/// One line of a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// What the profile calls it, where that differs from the rule's own name.
    #[serde(default)]
    pub title: Option<String>,
    /// Id of the technique, or a name or code that a program has for it.
    pub technique: String,
    /// Members of a family: a range for each parameter, all members where it is empty.
    #[serde(default)]
    pub args: Vec<ArgRange>,
    /// Only this case.
    #[serde(default)]
    pub case: Option<String>,
    /// Only matches that are called so.
    #[serde(default)]
    pub called: Option<String>,
    /// Rows of one group count their uses together.
    #[serde(default)]
    pub group: Option<String>,
    /// Rows of one list that stand together are looked through together: of all their matches the one of the smallest price
    /// is taken, of equal ones that with the smallest `order`, then the shortest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    /// Expressions of the match: of equally cheap matches the one is taken where the first of them is smallest, then the next.
    #[serde(default, skip_serializing_if = "Order::is_empty")]
    pub order: Order,
    /// Of which matches only one counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alike: Option<Alike>,
    /// The level that a puzzle has at least if it is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Whether its steps put nothing: instead of a digit the others of its cell are taken.
    #[serde(default, skip_serializing_if = "is_false")]
    pub eliminates: bool,
    /// Cost of the first use: a number, or an expression of the match.
    #[serde(default)]
    pub first: Option<Price>,
    /// Cost of each further use; as the first if it is missing.
    #[serde(default)]
    pub again: Option<u32>,
    /// A row that is off takes its matches out of the game.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// In a profile that changes another: it comes behind the last row of this technique there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Row {
    /// A row that takes some members as they are, without a price.
    pub fn of(technique: String, args: Vec<ArgRange>) -> Row {
        Row {
            title: None,
            technique,
            args,
            case: None,
            called: None,
            group: None,
            list: None,
            order: Order::default(),
            alike: None,
            level: None,
            eliminates: false,
            first: None,
            again: None,
            enabled: true,
            after: None,
        }
    }

    /// Whether it takes only matches that its price applies to.
    pub fn is_conditional(&self) -> bool {
        let clauses = self.first.as_ref().and_then(Price::clauses);
        clauses.is_some_and(|clauses| clauses.iter().all(|clause| clause.contains(" when ")))
    }

    /// Whether it takes all matches of the members that it speaks of.
    pub fn takes_all(&self) -> bool {
        self.called.is_none() && !self.is_conditional()
    }

    /// Whether it takes the same matches as another.
    pub(super) fn is_about(&self, other: &Row) -> bool {
        let parts = |row: &Row| (row.technique.clone(), row.args.clone(), row.case.clone(), row.called.clone());
        parts(self) == parts(other)
    }
}

fn yes() -> bool {
    true
}

fn is_false(it: &bool) -> bool {
    !it
}

impl Row {
    /// Whether it speaks of a member, whatever its matches are called.
    pub fn speaks_of(&self, technique: &Technique, member: &MemberId) -> bool {
        let is_case = |case: &String| names_of(technique, member).case.is_some_and(|own| folded(&own) == folded(case));
        self.technique == technique.id
            && (self.args.is_empty() || self.args.len() == member.args.len())
            && self.args.iter().zip(&member.args).all(|(range, &value)| range.has(value))
            && self.case.as_ref().is_none_or(is_case)
    }

    /// What it is called in tables.
    pub fn label(&self) -> String {
        let shape = self.title.as_ref().or(self.called.as_ref()).or(self.case.as_ref());
        shape.cloned().unwrap_or_else(|| member_label(&self.technique, &self.args))
    }

    /// One row for each thing that its name means, all with its price and its title.
    pub(super) fn meaning(&self, means: &[Target]) -> Vec<Row> {
        let names = |target: &Target| match target.called.as_slice() {
            [] => vec![None],
            called => called.iter().cloned().map(Some).collect(),
        };
        let one = |(target, called): (&Target, Option<String>)| Row {
            title: self.title.clone().or_else(|| Some(self.technique.clone())),
            technique: target.technique.clone(),
            args: if self.args.is_empty() { target.args.clone() } else { self.args.clone() },
            case: self.case.clone().or_else(|| target.case.clone()),
            called: self.called.clone().or(called),
            group: self.group.clone().or_else(|| Some(self.technique.clone())),
            ..self.clone()
        };
        means.iter().flat_map(|target| names(target).into_iter().map(move |called| (target, called))).map(one).collect()
    }

    /// What the price depends on: uses are counted per key.
    pub fn counted_as(&self, index: usize) -> String {
        self.group.clone().unwrap_or_else(|| format!("#{index}"))
    }
}

/// `id` or `id(4)`, `id(5..)`.
pub fn member_label<T: fmt::Display>(technique: &str, args: &[T]) -> String {
    if args.is_empty() {
        return technique.into();
    }
    let args: Vec<String> = args.iter().map(T::to_string).collect();
    format!("{technique}({})", args.join(", "))
}
