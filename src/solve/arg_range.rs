//! Values of a parameter in profiles and tables. In: a text such as `3..6`. Out: [`ArgRange`].

use serde::{Deserialize, Serialize};
use std::fmt;

/// Values of a parameter, written as in a rule: `"4"`, `"3..6"`, `"5.."`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ArgRange {
    /// The smallest.
    pub low: u32,
    /// The largest, if there is one.
    pub high: Option<u32>,
}

impl ArgRange {
    /// Whether the value lies in the range.
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
