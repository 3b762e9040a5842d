//! Searches that limits cut short, over many puzzles. In: the limits that were reached, puzzle by puzzle. Out: how often, and
//! a sentence about it.

use crate::engine::LimitHit;
use crate::render::{Line, Role, counted, limit_words};
use serde::Serialize;
use std::collections::BTreeSet;

/// The places at which limits cut a search short.
#[derive(Clone, Default, Serialize)]
pub struct CutShort {
    /// Number of positions or puzzles.
    #[serde(rename = "cut")]
    pub count: usize,
    /// The limits that were reached there.
    pub limits: BTreeSet<LimitHit>,
}

impl CutShort {
    /// Adds what limits did at some places, if they did anything.
    pub fn add(&mut self, count: usize, limits: impl IntoIterator<Item = LimitHit>) {
        self.count += count;
        self.limits.extend(limits);
    }

    /// The limits in words.
    pub fn by(&self) -> String {
        self.limits.iter().map(|&limit| limit_words(limit)).collect::<Vec<_>>().join(", ")
    }

    /// A note that searches for a technique were cut short, if they were.
    pub fn search_note(&self, technique: &str, noun: &str) -> Option<Line> {
        let (places, by) = (counted(self.count, noun), self.by());
        let words = format!("The search for {technique} was cut short on {places} by {by}; there may be more.");
        (self.count > 0).then(|| note(words))
    }
}

/// A note below a table.
pub fn note(words: String) -> Line {
    Line::of(Role::Bad, "Note: ").and(Role::Plain, words)
}
