//! Conditions of the IR: true or false once the names in them have values.

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

impl Comparison {
    /// Returns the sign of the language.
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
    /// Each member.
    Every,
    /// At least one member.
    Some,
}

/// A quantified set of cells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Operand {
    /// `Every` if the set is a single cell.
    pub quantifier: Quantifier,
    /// The set of cells.
    pub cells: Expr,
}

impl Operand {
    /// Returns the operand `every C`.
    pub fn every(cells: Expr) -> Operand {
        Operand { quantifier: Quantifier::Every, cells }
    }
}

/// A relation between two houses, or between a house and cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Incidence {
    /// `meeting`: they share a cell.
    Meeting,
    /// `avoiding`: they share no cell.
    Avoiding,
    /// `through`: the left house contains every cell of the right side.
    Through,
    /// `crossing`: one is a row and the other a column.
    Crossing,
    /// `parallel`: both are rows, or both are columns.
    Parallel,
}

impl Incidence {
    /// Returns the word of the language.
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

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Condition {
    /// A comparison of two numbers.
    Compare(Expr, Comparison, Expr),
    /// The two sets are equal.
    Equal(Expr, Expr),
    /// `X = {a, b}`: the set consists of the values of these names, which differ. Names without a value get one.
    Exactly(Expr, Vec<VarId>),
    /// Every member of the left set is in the right set. **False if the left set is empty.**
    Within(Expr, Expr),
    /// The two sets have no common member.
    Disjoint(Expr, Expr),
    /// The set has at least one member.
    NotEmpty(Expr),
    /// The set is empty.
    No(Expr),
    /// Each (some) cell on the left sees each (some) cell on the right. A cell does not see itself.
    Sees(Operand, Operand),
    /// `C has D`: every digit of D is a candidate or the value of each (some) cell.
    Has(Operand, Expr),
    /// `C lacks D`: no digit of D is a candidate or the value of any cell (`every`), or of a certain cell (`some`).
    Lacks(Operand, Expr),
    /// Every house on the left has a relation to the right side, which is a set of cells or of houses. `crossing` and
    /// `parallel` apply to every house on the right; a line is parallel to itself.
    Incident(Expr, Incidence, Expr),
    /// `connected`: a path along cells of the set that see each other joins every two cells of the set.
    Connected(Expr),
    /// `als`: the cells lie in one house and have exactly this many digits more than cells.
    AlmostLocked(Expr, u32),
    /// `givens allow D in C`: the clues of the puzzle, before any deduction, leave every digit of D possible in each
    /// (some) cell of C. The cell of a clue allows only the digit of the clue.
    GivensAllow(Operand, Expr),
    /// A named predicate, its arguments, and its definition for these arguments. Made by [`PredicateId::applied_to`]
    /// only.
    Predicate(PredicateId, Vec<Expr>, Box<Condition>),
    /// The condition holds for every member of the set, bound to the loop variable.
    ForAll(VarId, Expr, Box<Condition>),
    /// The condition holds for some member of the set, bound to the loop variable.
    Exists(VarId, Expr, Box<Condition>),
    /// All conditions hold.
    And(Vec<Condition>),
    /// At least one condition holds.
    Or(Vec<Condition>),
    /// The condition does not hold.
    Not(Box<Condition>),
}
