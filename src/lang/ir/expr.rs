//! Expressions of the checked form. In: terms of a rule. Out: a tree whose every node has one [`Kind`].

use super::{Condition, VarId};
use serde::{Deserialize, Serialize};

/// The kind of an expression: of the members of its set, or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// Digits.
    Digit,
    /// Cells.
    Cell,
    /// Houses of a class.
    House(HouseClass),
    /// Candidates: digits in cells.
    Candidate,
    /// A number.
    Number,
}

/// The classes of houses that a rule can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum HouseClass {
    /// Any house.
    Any,
    /// Rows.
    Row,
    /// Columns.
    Column,
    /// Boxes.
    Box,
    /// Rows and columns.
    Line,
}

/// An expression. Single things are sets of one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Expr {
    /// The value of a name (of a family: the union of its members).
    Var(VarId),
    /// `pincer[d]`.
    Member(VarId, VarId),
    /// Every digit of the board.
    AllDigits,
    /// Every unsolved cell.
    AllCells,
    /// Every house of a class.
    AllHouses(HouseClass),
    /// `+`, `,` and `{a, b}`: the union of these, all of one kind.
    Union(Vec<Expr>),
    /// `&`.
    Intersection(Box<Expr>, Box<Expr>),
    /// `-`.
    Difference(Box<Expr>, Box<Expr>),
    /// `digits(X)`: candidates' digits of cells, or the digits of candidates.
    Digits(Box<Expr>),
    /// `values(C)`: the digits placed in the solved cells of C.
    Values(Box<Expr>),
    /// A house or houses as the set of all their cells, solved ones too.
    HouseCells(Box<Expr>),
    /// `cells(X)`: the unsolved ones of these cells; of candidates, the cells that hold one.
    UnsolvedCells(Box<Expr>),
    /// `D in C`: the candidates with a digit of D in a cell of C.
    In(Box<Expr>, Box<Expr>),
    /// `cells seeing every X` / `some X`: the unsolved cells that see all (some) of these cells.
    Seeing {
        /// `every` or `some`.
        every: bool,
        /// Cells.
        of: Box<Expr>,
    },
    /// `row(c)`, `column(c)`, `box(c)`, `boxes(S)`: the houses of a class that hold a cell of these.
    HousesOf(HouseClass, Box<Expr>),
    /// A number.
    Number(u32),
    /// A parameter of the technique, by its index.
    Param(usize),
    /// `#X`.
    Count(Box<Expr>),
    /// Sum of numbers.
    Add(Box<Expr>, Box<Expr>),
    /// Difference of numbers; may be negative.
    Subtract(Box<Expr>, Box<Expr>),
    /// `times(d, S)`: how many cells of S can hold d together at most.
    MaxOccurrences(Box<Expr>, Box<Expr>),
    /// `those c in X with C`: the members of a set for which a condition holds.
    Filter {
        /// The running name, of the kind of the set.
        var: VarId,
        /// The set: digits, cells, houses or candidates.
        of: Box<Expr>,
        /// The condition on one member.
        when: Box<Condition>,
    },
    /// `overlap(H)`: the cells that two or more of these houses share.
    Overlap(Box<Expr>),
    /// `in_no_template(D)`: the candidates of these digits that are in no template, a way to put the digit once into every
    /// house; none of a digit with too many templates to follow, and then the search says so.
    ///
    /// For several digits, templates are struck out in rounds, for all digits at once, until nothing changes: a template goes if it takes a
    /// cell that every remaining template of another digit takes.
    ///
    /// `in_no_combination(S)`: the candidates of these cells that are in no combination. One gives each unsolved
    /// cell of S one of its candidates, no two of which exclude each other, and leaves every almost locked set with at
    /// least as many digits as it has cells. Such a set is one to four unsolved cells of one house with k digits more
    /// than cells, 0 <= k < #S; it loses a digit where a cell of S that is filled with it sees all cells of the set
    /// that have it. The set may share cells with S.
    InNoTemplate(Box<Expr>),
    /// `in_every_template(D)`: the candidates of these digits that are in every template; none where there is no
    /// template. Templates of several digits count as for `in_no_template(D)`.
    InEveryTemplate(Box<Expr>),
    /// `candidates excluded by every K` / `some K`: the candidates that are false if each (some) one of these is true: in
    /// its cell with another digit, or of its digit in a cell that sees it. None where K is empty.
    Excluded {
        /// `every` or `some`.
        every: bool,
        /// Candidates.
        of: Box<Expr>,
    },
}
