//! Rows of a profile. In: RON. Out: [`Row`]: the matches that it takes, and their price.

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
    /// Expressions of the match; matches with equal values are alike.
    pub by: Order,
    /// Order among equally short matches; then the first that is found counts.
    #[serde(default, skip_serializing_if = "Order::is_empty")]
    pub order: Order,
}

/// One line of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Name in the profile, if it differs from the rule's own name.
    #[serde(default)]
    pub title: Option<String>,
    /// Id of the technique, or its name or code in another program.
    pub technique: String,
    /// Members of a family: a range for each parameter; all members if empty.
    #[serde(default)]
    pub args: Vec<ArgRange>,
    /// Only this case.
    #[serde(default)]
    pub case: Option<String>,
    /// Only matches with this name.
    #[serde(default)]
    pub called: Option<String>,
    /// Rows of one group count their uses together.
    #[serde(default)]
    pub group: Option<String>,
    /// Neighbouring rows of one list are searched together: the match with the smallest price is taken; among equal prices, the one with the
    /// smallest `order`, then the shortest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    /// Expressions of the match that choose among equally cheap ones: the smallest first value, then the smallest second value, and so on.
    #[serde(default, skip_serializing_if = "Order::is_empty")]
    pub order: Order,
    /// Matches of which only one counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alike: Option<Alike>,
    /// Lowest level of a puzzle that uses the row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// True if its steps place nothing: they eliminate the other candidates of the cell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub eliminates: bool,
    /// Cost of the first use: a number, or an expression of the match.
    #[serde(default)]
    pub first: Option<Price>,
    /// Cost of each further use; by default as the first.
    #[serde(default)]
    pub again: Option<u32>,
    /// A row that is off excludes its matches.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// In a profile that builds on another: the row follows the last row of this technique there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Row {
    /// Returns a row for some members, without a price.
    pub fn of(technique: String, args: Vec<ArgRange>) -> Row {
        Row { technique, args, enabled: true, ..Row::default() }
    }

    /// Returns true if it takes only matches to which a clause of its price applies.
    pub fn is_conditional(&self) -> bool {
        let clauses = self.first.as_ref().and_then(Price::clauses);
        clauses.is_some_and(|clauses| clauses.iter().all(|clause| clause.contains(" when ")))
    }

    /// Returns true if it takes all matches of its members.
    pub fn takes_all(&self) -> bool {
        self.called.is_none() && !self.is_conditional()
    }

    /// Returns true if it takes the same matches as another row.
    pub(super) fn is_about(&self, other: &Row) -> bool {
        (&self.technique, &self.args, &self.case, &self.called)
            == (&other.technique, &other.args, &other.case, &other.called)
    }

    /// Returns true if the row is about a member, whatever the names of its matches.
    pub fn speaks_of(&self, technique: &Technique, member: &MemberId) -> bool {
        let is_case = |case: &String| names_of(technique, member).case.is_some_and(|own| folded(&own) == folded(case));
        self.technique == technique.id
            && (self.args.is_empty() || self.args.len() == member.args.len())
            && self.args.iter().zip(&member.args).all(|(range, &value)| range.has(value))
            && self.case.as_ref().is_none_or(is_case)
    }

    /// Returns the name of the row in tables.
    pub fn label(&self) -> String {
        let shape = self.title.as_ref().or(self.called.as_ref()).or(self.case.as_ref());
        shape.cloned().unwrap_or_else(|| member_label(&self.technique, &self.args))
    }

    /// Returns a row for each target of its name, all with its price and title.
    pub(super) fn meaning(&self, means: &[Target]) -> Vec<Row> {
        let mut rows = Vec::new();
        for target in means {
            let row = Row {
                title: self.title.clone().or_else(|| Some(self.technique.clone())),
                technique: target.technique.clone(),
                args: if self.args.is_empty() { target.args.clone() } else { self.args.clone() },
                case: self.case.clone().or_else(|| target.case.clone()),
                group: self.group.clone().or_else(|| Some(self.technique.clone())),
                ..self.clone()
            };
            if target.called.is_empty() {
                rows.push(row.clone());
            }
            for called in &target.called {
                rows.push(Row { called: self.called.clone().or_else(|| Some(called.clone())), ..row.clone() });
            }
        }
        rows
    }

    /// Returns the key by which uses are counted: the group, or the row alone.
    pub fn counted_as(&self, index: usize) -> String {
        self.group.clone().unwrap_or_else(|| format!("#{index}"))
    }
}

/// Writes the name of a member or of several: `id`, `id(4)`, `id(5..)`.
pub fn member_label<T: fmt::Display>(technique: &str, args: &[T]) -> String {
    if args.is_empty() {
        return technique.into();
    }
    let args: Vec<String> = args.iter().map(T::to_string).collect();
    format!("{technique}({})", args.join(", "))
}

fn yes() -> bool {
    true
}

/// A range of values of a parameter, written as in a rule: `"4"`, `"3..6"`, `"5.."`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ArgRange {
    /// Smallest value.
    pub low: u32,
    /// Largest value, if there is one.
    pub high: Option<u32>,
}

impl ArgRange {
    /// Returns true if the value lies in the range.
    pub fn has(self, value: u32) -> bool {
        value >= self.low && self.high.is_none_or(|high| value <= high)
    }
}

impl TryFrom<String> for ArgRange {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = |part: &str| part.trim().parse::<u32>().ok();
        let range = match text.split_once("..") {
            None => number(&text).map(|low| ArgRange { low, high: Some(low) }),
            Some((low, "")) => number(low).map(|low| ArgRange { low, high: None }),
            Some((low, high)) => number(low).zip(number(high)).map(|(low, high)| ArgRange { low, high: Some(high) }),
        };
        range.ok_or_else(|| format!("`{text}` is not a range of numbers; write \"4\", \"3..6\" or \"5..\""))
    }
}

impl From<ArgRange> for String {
    fn from(range: ArgRange) -> String {
        range.to_string()
    }
}

impl fmt::Display for ArgRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.high {
            Some(high) if high == self.low => write!(f, "{high}"),
            Some(high) => write!(f, "{}..{high}", self.low),
            None => write!(f, "{}..", self.low),
        }
    }
}
