//! What a search has and what it reports. In: what was derived from a state. Out: [`SearchContext`], which the machine reads, and
//! [`Report`]s, which it makes.

use super::suppose::Hit;
use crate::engine::chain::Links;
use crate::engine::matches::{ChainStep, Value};
use crate::engine::suppose::Supposing;
use crate::engine::tables::BoardMasks;
use crate::engine::tables::board::RowTable;
use crate::engine::tables::facts::Facts;
use crate::engine::tables::facts::Wanted;
use crate::grid::Candidate;

/// What the machine works on.
pub(in crate::engine) struct SearchContext<'a, const W: usize> {
    pub tables: &'a BoardMasks<W>,
    pub facts: &'a Facts<'a, W>,
    /// Present where the program searches chains.
    pub links: Option<&'a Links<W>>,
    /// Present where the program may suppose something.
    pub supposing: Option<&'a Supposing<'a, W>>,
    /// The tables of the program.
    pub rows: &'a [RowTable],
    /// What counts.
    pub scope: &'a Wanted<W>,
    /// Whether what suppositions come to is counted.
    pub ranked: Ranked,
}

/// Which matches are counted, so that the shortest can be told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum Ranked {
    /// None of them.
    No,
    /// Each of them.
    Each,
    /// Those that may be the shortest: longer ones are not reported.
    Shortest,
}

/// One way to satisfy a rule.
pub(in crate::engine) struct Report {
    pub bindings: Vec<Option<Value>>,
    pub eliminations: Vec<Candidate>,
    pub placements: Vec<Candidate>,
    pub chain: Vec<ChainStep>,
    /// What its suppositions come to.
    pub supposed: Vec<Hit>,
    /// Order among the reports of one search: length and links of the chain; inferences under suppositions count as both.
    pub rank: (u32, u32),
}
