//! Conditions of the checked form. In: expressions. Out: a tree that is true or false once its names have values.

use super::{Expr, PredicateId, VarId};
use serde::{Deserialize, Serialize};

/// A comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// `every` or `some`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Quantifier {
    /// Each member.
    Every,
    /// At least one member.
    Some,
}

/// A quantified set of cells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Operand {
    /// `every` where the set is one thing.
    pub quantifier: Quantifier,
    /// The members.
    pub cells: Expr,
}

/// A relation between two houses, or a house and cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Incidence {
    /// `meeting`: they share a cell.
    Meeting,
    /// `missing`: they share no cell.
    Avoiding,
    /// `through`: the left contains every cell of the right.
    Through,
    /// `crossing`: two lines, one a row and one a column.
    Crossing,
    /// `parallel`: two rows, or two columns.
    Parallel,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Condition {
    /// Numbers.
    Compare(Expr, Comparison, Expr),
    /// The two sets are equal.
    Equal(Expr, Expr),
    /// `X = {a, b}`: the set holds exactly these names, each once; names without a value get one.
    Exactly(Expr, Vec<VarId>),
    /// Every member of the left is in the right. **False where the left is empty.**
    Within(Expr, Expr),
    /// No member in common.
    Disjoint(Expr, Expr),
    /// At least one member.
    Some(Expr),
    /// No member.
    No(Expr),
    /// Cells that see cells: different, and in one house.
    Sees(Operand, Operand),
    /// `C has D`: every digit of D is a candidate (or the value) of each (some) cell.
    Has(Operand, Expr),
    /// `C lacks D`: no digit of D is a candidate (or the value) of any cell (every) or of some cell.
    Lacks(Operand, Expr),
    /// A relation of every house on the left to the right side, which may be cells or houses. `crossing` and
    /// `parallel` apply to every house on the right; a line is parallel to itself.
    Incident(Expr, Incidence, Expr),
    /// `connected`: each two of these cells are joined by a way along cells of the set that see each other.
    Connected(Expr),
    /// `als`: these cells lie in one house and have exactly this many digits more than cells.
    AlmostLocked(Expr, u32),
    /// `givens allow D in S`: the puzzle itself, before any deduction, leaves every one of these digits possible in each (some)
    /// of the cells. A given allows its own digit alone.
    GivensAllow(Operand, Expr),
    /// A named predicate of some arguments, and its definition. Only [`PredicateId::applied_to`] makes one.
    Predicate(PredicateId, Vec<Expr>, Box<Condition>),
    /// For every member.
    ForAll(VarId, Expr, Box<Condition>),
    /// For some member.
    Exists(VarId, Expr, Box<Condition>),
    /// True if all parts are.
    And(Vec<Condition>),
    /// True if at least one part is.
    Or(Vec<Condition>),
    /// Not this.
    Not(Box<Condition>),
}
