//! Names and prices of steps. Both are rule expressions over the names of the rule and over measures: values that only a step has, or
//! that only a price asks for. A measure has a name of its own, so whatever reads rules never meets it.

use super::{Condition, Expr, Quantifier, Template, VarId};
use serde::{Deserialize, Serialize};

/// First id of the names that stand for measures.
const FIRST: usize = super::VAR_ID_END;

impl VarId {
    /// Returns the name of a measure, by its place in the list of a variant or of a price.
    pub fn for_measure(index: usize) -> VarId {
        VarId(FIRST + index)
    }

    /// Returns the place of the measure that the name stands for.
    pub fn measure_index(self) -> Option<usize> {
        self.0.checked_sub(FIRST)
    }
}

/// A value of a step, or of the position that it is made in. Its expressions can name the measures before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measure {
    /// `eliminated`: the candidates that the match eliminates and that are still there.
    Eliminated,
    /// `placed`: the candidates that the match shows true.
    Placed,
    /// `some link by als`, `every link by als`: 1 if some (each) of the strong links of the match is of the source, else 0.
    LinkedBy(Quantifier, String),
    /// `length` and others: a number that is known of a match.
    MatchNumber(MatchNumber),
    /// `above(x, 4, 6)`: how many of the numbers x is above.
    Above(Expr, Vec<u32>),
    /// `product(a, b)`, `least(a, b)`, `most(a, b)`: of two numbers or more.
    Fold(Fold, Vec<Expr>),
    /// `largest(C)`: how many candidates the cell of C with the most has.
    Largest(Expr),
    /// `first(C)`: the first of some cells, row by row.
    First(Expr),
    /// `rank(C)`: the number of some cells among all sets of cells that lie in one house.
    Rank(Expr),
    /// `cell(K, n)`, `digit(K, n)`: the number of the cell, or of the digit, of the n-th of some candidates, by digit and then row by
    /// row, or of some cells; 0 if there are fewer.
    Nth {
        /// True for the number of the cell, false for that of the digit.
        cell: bool,
        /// The candidates.
        of: Expr,
        /// From one.
        number: u32,
    },
    /// `since(D, C)`: the number of the last change that took a candidate of D in C.
    Since(Expr, Expr),
}

/// A price that a profile has for a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Measures that the number and the condition name.
    pub measures: Vec<Measure>,
    /// A number.
    pub value: Expr,
    /// When it is the price; `None` is always.
    pub when: Option<Condition>,
}

/// A name that a step gets when a condition holds; never decides whether the step exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepTitle {
    /// The name; `{name}` in it is the name so far.
    pub title: Template,
    /// When; `None` is `otherwise`. It can name [`Variant::measures`](super::Variant::measures).
    pub when: Option<Condition>,
}

/// A function of several numbers in a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Fold {
    /// `product(a, b)`
    Product,
    /// `least(a, b)`
    Least,
    /// `most(a, b)`
    Most,
}

impl Fold {
    /// Returns the word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Fold::Product => "product",
            Fold::Least => "least",
            Fold::Most => "most",
        }
    }

    /// Applies the function to two numbers.
    pub fn apply(self, a: i64, b: i64) -> i64 {
        match self {
            Fold::Product => a.saturating_mul(b),
            Fold::Least => a.min(b),
            Fold::Most => a.max(b),
        }
    }
}

/// A number that a price can take from a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MatchNumber {
    /// `length`: the number of candidates that its chain or its suppositions make true or false.
    Length,
    /// `returns`: how often its chain comes back to a cell that it has left.
    Returns,
}

impl MatchNumber {
    /// Every variant, in order.
    pub const ALL: [MatchNumber; 2] = [MatchNumber::Length, MatchNumber::Returns];

    /// Returns the word of the language.
    pub fn word(self) -> &'static str {
        match self {
            MatchNumber::Length => "length",
            MatchNumber::Returns => "returns",
        }
    }
}
