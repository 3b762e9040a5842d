//! Conditions of the IR. A condition is true or false once its names have values.

use super::{Expr, PredicateId, VarId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
        }
    }
}

/// `every` or `some`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Quantifier {
    Every,
    Some,
}

/// A quantified set of cells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Operand {
    /// The quantifier; `Every` for a single cell.
    pub quantifier: Quantifier,
    pub cells: Expr,
}

impl Operand {
    pub fn every(cells: Expr) -> Operand {
        Operand { quantifier: Quantifier::Every, cells }
    }
}

/// A relation between two houses, or between a house and cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Incidence {
    /// `meeting`: the house and the right side share a cell.
    Meeting,
    /// `avoiding`: the house and the right side share no cell.
    Avoiding,
    /// `through`: the left house contains every cell of the right side.
    Through,
    /// `crossing`: one house is a row and the other house is a column.
    Crossing,
    /// `parallel`: both houses are rows, or both houses are columns.
    Parallel,
}

impl Incidence {
    pub fn word(self) -> &'static str {
        match self {
            Incidence::Meeting => "meeting",
            Incidence::Avoiding => "avoiding",
            Incidence::Through => "through",
            Incidence::Crossing => "crossing",
            Incidence::Parallel => "parallel",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Condition {
    Compare(Expr, Comparison, Expr),
    Equal(Expr, Expr),
    /// `X = {a, b}`: the set consists of the values of these names, and the values differ. Names without a value are
    /// bound by the condition.
    Exactly(Expr, Vec<VarId>),
    /// Every member of the left set is in the right set. **False if the left set is empty.**
    Within(Expr, Expr),
    Disjoint(Expr, Expr),
    NotEmpty(Expr),
    No(Expr),
    /// The cells on the left see the cells on the right. Each side is quantified by `every` or `some`. A cell does not
    /// see itself.
    Sees(Operand, Operand),
    /// `C has D`: every cell of C (with `some`: at least one cell) has every digit of D as a candidate or as its value.
    Has(Operand, Expr),
    /// `C lacks D`: every cell of C (with `some`: at least one cell) has no digit of D as a candidate or as its value.
    Lacks(Operand, Expr),
    /// `h meeting C`: every house on the left has the relation to the right side, which is a set of cells or of houses.
    /// For `crossing` and `parallel`, the relation holds to each house on the right. A line is parallel to itself.
    Incident(Expr, Incidence, Expr),
    /// `connected`: a path joins every two cells of the set. All cells of the path are in the set, and consecutive
    /// cells see each other.
    Connected(Expr),
    /// `als(2)`: the cells lie in one house. They have as many digits as cells, plus exactly this number.
    AlmostLocked(Expr, u32),
    /// `givens allow D in C`: before any deduction, the clues of the puzzle leave every digit of D possible in every
    /// cell of C (with `some`: in at least one cell). The cell of a clue allows only the digit of the clue.
    GivensAllow(Operand, Expr),
    /// A named predicate, the arguments, and the definition of the predicate for these arguments. Only
    /// [`PredicateId::applied_to`] creates this variant.
    Predicate(PredicateId, Vec<Expr>, Box<Condition>),
    /// The condition holds for every member of the set, bound to the loop variable.
    ForAll(VarId, Expr, Box<Condition>),
    /// The condition holds for some member of the set, bound to the loop variable.
    Exists(VarId, Expr, Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
}
