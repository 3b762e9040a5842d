//! Titles and prices of steps. A price, or the condition of a title, can refer to the names of a rule and to measures.
//! A measure is a value of a match, such as the candidates that the match eliminates. Patterns cannot refer to
//! measures.

use super::{Condition, Expr, Quantifier, Template, VAR_ID_END, VarId};
use serde::{Deserialize, Serialize};

impl VarId {
    /// Returns the id of the measure at `index` in the list of a variant or of a price. The ids of measures are larger
    /// than the ids of names.
    pub fn for_measure(index: usize) -> VarId {
        VarId(VAR_ID_END + index)
    }

    /// Returns the index of the measure; `None` for a name of a rule.
    pub fn measure_index(self) -> Option<usize> {
        self.0.checked_sub(VAR_ID_END)
    }
}

/// A value of a match. Its expressions can refer to earlier measures in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measure {
    /// `eliminated`: the candidates that the match eliminates and that are still present.
    Eliminated,
    /// `placed`: the candidates that the match places.
    Placed,
    /// `some link by als`: 1 if a strong link of the match comes from the named source, else 0. `every link by als`: 1
    /// if all strong links of the match come from the source, else 0.
    LinkedBy(Quantifier, String),
    /// `length`, `returns`: a number that belongs to the match.
    MatchNumber(MatchNumber),
    /// `above(x, 4, 6)`: the number of thresholds that are less than x.
    Above(Expr, Vec<u32>),
    /// `product(a, b)`, `least(a, b)`, `most(a, b)`: a function of two or more numbers.
    Fold(Fold, Vec<Expr>),
    /// `largest(C)`: the largest number of candidates that a cell of C has.
    Largest(Expr),
    /// `first(C)`: the first cell of C in row-major order.
    First(Expr),
    /// `rank(C)`: the number of the set C in an enumeration of all sets of cells that lie in one house.
    Rank(Expr),
    /// `cell(K, n)`, `digit(K, n)`: the number of the cell or of the digit of the n-th candidate of K. The candidates
    /// are ordered by digit and, within a digit, in row-major order. K may also be a set of cells. The result is 0 if K
    /// has fewer than n members.
    Nth {
        /// True for the number of the cell, false for the number of the digit.
        of_cell: bool,
        members: Expr,
        /// n, from 1.
        number: u32,
    },
    /// `since(D, C)`: the time when a digit of D was last removed from a cell of C, including solved cells. Time counts
    /// the candidates removed so far. The result is 0 if no digit of D was removed.
    Since(Expr, Expr),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Measures that `value` and `when` refer to.
    pub measures: Vec<Measure>,
    pub value: Expr,
    /// Condition under which the price applies; `None`: always.
    pub when: Option<Condition>,
}

/// A title that a step gets if a condition holds (`called`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepTitle {
    /// The title. Its placeholder `{name}` stands for the title of the variant or technique.
    pub title: Template,
    /// The condition, which can refer to [`Variant::measures`](super::Variant::measures); `None` for `otherwise`.
    pub when: Option<Condition>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Fold {
    Product,
    Least,
    Most,
}

impl Fold {
    pub const ALL: [Fold; 3] = [Fold::Product, Fold::Least, Fold::Most];

    pub fn word(self) -> &'static str {
        match self {
            Fold::Product => "product",
            Fold::Least => "least",
            Fold::Most => "most",
        }
    }

    pub fn apply(self, a: i64, b: i64) -> i64 {
        match self {
            Fold::Product => a.saturating_mul(b),
            Fold::Least => a.min(b),
            Fold::Most => a.max(b),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MatchNumber {
    /// `length`: the number of candidates that the chain or the suppositions of the match make true or false.
    Length,
    /// `returns`: the number of nodes that revisit a cell of an earlier node of the chain.
    Returns,
}

impl MatchNumber {
    pub const ALL: [MatchNumber; 2] = [MatchNumber::Length, MatchNumber::Returns];

    pub fn word(self) -> &'static str {
        match self {
            MatchNumber::Length => "length",
            MatchNumber::Returns => "returns",
        }
    }
}
