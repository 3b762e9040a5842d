//! Expressions of the IR. Lowering has checked their kinds: each node is a set of one [`Kind`], or a number.

use super::{Condition, VarId};
use serde::{Deserialize, Serialize};

/// The kind of the members of a set, or the kind of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    Digit,
    Cell,
    House(HouseClass),
    /// Candidates: digits in cells.
    Candidate,
    Number,
}

/// The kinds that names can have, in words: singular with its article, plural.
pub const KIND_WORDS: [(Kind, &str, &str); 8] = [
    (Kind::Digit, "a digit", "digits"),
    (Kind::Cell, "a cell", "cells"),
    (Kind::Candidate, "a candidate", "candidates"),
    (Kind::House(HouseClass::Any), "a house", "houses"),
    (Kind::House(HouseClass::Row), "a row", "rows"),
    (Kind::House(HouseClass::Column), "a column", "columns"),
    (Kind::House(HouseClass::Box), "a box", "boxes"),
    (Kind::House(HouseClass::Line), "a line", "lines"),
];

impl Kind {
    /// Returns the kind in words: `a digit` if `is_single`, else `digits`.
    pub fn description(self, is_single: bool) -> &'static str {
        let words = KIND_WORDS.iter().find(|(known, ..)| *known == self);
        words.map_or("a number", |(_, singular, plural)| if is_single { singular } else { plural })
    }

    /// Returns the word that declares one thing of the kind: `digit`.
    pub fn singular(self) -> &'static str {
        self.description(true).trim_start_matches("a ")
    }
}

/// The classes of houses that a rule can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum HouseClass {
    /// Any house.
    Any,
    Row,
    Column,
    Box,
    /// Rows and columns.
    Line,
}

/// An expression. A single digit, cell, house or candidate is a set with one member.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Expr {
    /// The value of a name; for a family, the union of its members.
    Var(VarId),
    /// `pincer[d]`: the member of a family for the value of an index.
    Member(VarId, VarId),
    AllDigits,
    /// Every unsolved cell.
    AllCells,
    AllHouses(HouseClass),
    /// `a + b`, `a, b` and `{a, b}`: the union of sets of one kind.
    Union(Vec<Expr>),
    /// `a & b`.
    Intersection(Box<Expr>, Box<Expr>),
    /// `a - b`.
    Difference(Box<Expr>, Box<Expr>),
    /// `digits(X)`: the digits that the cells X have as candidates, or the digits of the candidates X.
    Digits(Box<Expr>),
    /// `values(C)`: the digits placed in the solved cells of C.
    Values(Box<Expr>),
    /// All cells of a set of houses, including solved cells.
    HouseCells(Box<Expr>),
    /// `cells(X)`: the unsolved cells among the cells X, or the cells of the candidates X.
    CellsOf(Box<Expr>),
    /// `D in C`: the candidates with a digit of D in a cell of C.
    #[serde(rename = "In")]
    CandidatesIn(Box<Expr>, Box<Expr>),
    /// `cells seeing every C`: the unsolved cells that see all cells of C. `cells seeing some C`: the unsolved cells
    /// that see at least one cell of C.
    Seeing {
        /// True for `every`, false for `some`.
        every: bool,
        cells: Box<Expr>,
    },
    /// `row(c)`, `column(c)`, `box(c)`, `boxes(C)`: the houses of a class that contain a cell of the set.
    HousesOf(HouseClass, Box<Expr>),
    Number(u32),
    /// A parameter of the technique, by its index.
    Param(usize),
    /// `#X`: the number of members.
    Count(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
    /// The difference of two numbers, which may be negative.
    Subtract(Box<Expr>, Box<Expr>),
    /// `times(d, C)`: the maximum number of cells of C that can hold d at the same time.
    MaxOccurrences(Box<Expr>, Box<Expr>),
    /// `those c in X with C`: the members of a set for which a condition holds.
    Filter {
        /// The loop variable, of the kind of the set.
        var: VarId,
        /// The set of digits, cells, houses or candidates.
        set: Box<Expr>,
        condition: Box<Condition>,
    },
    /// `overlap(H)`: the cells that lie in two or more houses of H.
    Overlap(Box<Expr>),
    /// `in_no_template(D)` if the argument is a set of digits, `in_no_combination(C)` if the argument is a set of cells.
    ///
    /// `in_no_template(D)`: the candidates of the digits D that are in no template. A template of a digit is a set of
    /// cells with exactly one cell in each house. A digit with too many templates to enumerate contributes no
    /// candidates, and the search reports the omission.
    ///
    /// If D has several digits, templates are removed first. A template is removed if it contains a cell that every
    /// remaining template of another digit contains. This is repeated until no template is removed.
    ///
    /// `in_no_combination(C)`: the candidates of the cells C that are in no combination. A combination gives each
    /// unsolved cell of C one of its candidates. No two candidates of a combination exclude each other.
    ///
    /// A combination takes digits from locked and almost locked sets, and must leave each set at least as many digits as
    /// cells. These sets have one to four unsolved cells of one house (cells of C as well), and at most #C − 1 digits more
    /// than cells. The digit of a cell of C is taken from a set if the cell sees all cells of the set that have the digit
    /// as a candidate.
    InNoTemplate(Box<Expr>),
    /// `in_every_template(D)`: the candidates of the digits D that are in every template of their digit. A digit
    /// without templates contributes no candidates. Several digits restrict one another as in `in_no_template(D)`.
    InEveryTemplate(Box<Expr>),
    /// `candidates excluded by every K`: the candidates that every candidate of K excludes. `candidates excluded by
    /// some K`: the candidates that at least one candidate of K excludes. A candidate excludes the other digits of its
    /// cell, and its own digit in the cells that its cell sees. The result is empty if K is empty.
    Excluded {
        /// True for `every`, false for `some`.
        every: bool,
        candidates: Box<Expr>,
    },
}
