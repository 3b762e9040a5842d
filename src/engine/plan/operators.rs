//! The operators and tests of the shape machine, each declared once, and what its choices and conclusions are. In: nothing.
//! Out: the data types that instructions are made of.

use super::instr::{Candidates, Noun, Reg, Set, SetTest};
use crate::lang::ir::{Comparison, HouseClass};
use serde::Serialize;

/// Operators that give cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum CellOp {
    /// Every unsolved cell.
    Unsolved,
    /// Unsolved cells by the number of their candidates, least and most.
    Counting { range: (u32, u32) },
    /// Cells that have a digit (v) as a candidate.
    Places { digit: Reg },
    /// Cells that have one of the digits (d).
    PlacesAny { digits: Reg },
    /// Cells that have every one of the digits (d).
    PlacesAll { digits: Reg },
    /// Cells that the puzzle leaves open to every one of the digits (d), solved ones too.
    OpenPlaces { digits: Reg },
    /// All cells of houses (h), solved ones too.
    OfHouses { houses: Reg },
    /// Cells seen by a cell (v).
    Peers { cell: Reg },
    /// Cells that see every (some) one of the cells (c).
    Seeing { every: bool, of: Reg },
    /// The other of two places of a digit (v) in a house, seen from a cell (v).
    Partners { digit: Reg, cell: Reg },
    /// Cells that have such a partner for a digit (v).
    Partnered { digit: Reg },
    /// The cells of candidates (p).
    OfMarks { of: Reg },
    /// Cells that two or more of the houses (h) share.
    Overlap { houses: Reg },
    /// Candidates of the digit (v) that the search is for.
    Targets { digit: Reg },
}

/// Operators that give digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DigitOp {
    /// Every digit.
    All,
    /// Candidates of a cell (v).
    Of { cell: Reg },
    /// Candidates of cells (c), taken together.
    OfCells { cells: Reg },
    /// Values of the solved ones of these cells (c).
    Values { cells: Reg },
    /// Those of the digits (d) that are candidates somewhere in the cells (c).
    In { digits: Reg, cells: Reg },
    /// Digits by the number of their places among the cells (c), least and most.
    Counting { cells: Reg, range: (u32, u32) },
    /// Digits that have places among the cells (c), all of them within others (c).
    Within { cells: Reg, within: Reg },
    /// The digits of candidates (p).
    OfMarks { of: Reg },
    /// Digits of which some candidate is in no template, and where one is `placed` also those with one in every template.
    WithEliminations { placed: bool },
}

/// Operators that give houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum HouseOp {
    /// Houses by how many of the cells (c) they have, least and most.
    Counting { cells: Reg, range: (u32, u32) },
    /// All houses of a class.
    Class { class: HouseClass },
    /// The houses of a class that hold one (every one) of these cells (c).
    Of { class: HouseClass, every: bool, cells: Reg },
    /// The lines crossing (parallel to) each of these houses (h).
    Lines { parallel: bool, houses: Reg },
}

/// Operators that give a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum NumberOp {
    /// A constant.
    Const { value: i32 },
    /// How many members.
    Count { of: Set },
    /// How many candidates.
    CountIn { noun: Noun },
    /// How many of the cells (c) can hold a digit of `digits` together, summed over the digits.
    Times { digits: Reg, cells: Reg },
    /// A + b, or a - b.
    Sum { minus: bool, a: Reg, b: Reg },
}

/// Operators that give candidates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum MarkOp {
    /// Candidates that every (some) one of these excludes.
    Excluded { every: bool, of: Candidates },
    /// The candidates of nouns.
    Nouns { nouns: Vec<Noun> },
    /// Candidates that are in no template of digits (d), or in no combination of cells (c).
    InNone { of: Set },
    /// Candidates that are in every template of digits (d).
    InEvery { digits: Reg },
}

/// What can be asked of registers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Test {
    /// Whether two numbers compare so.
    Compare { a: Reg, op: Comparison, b: Reg },
    /// Whether the number of members of a set is in a range.
    CompareCount { of: Set, op: Comparison, limit: i32 },
    /// Whether the set has members (`want` false: has none).
    NonEmpty { set: Set, want: bool },
    /// Of two sets.
    Sets { test: SetTest, a: Set, b: Set },
    /// Of the candidates of nouns: the same cells are not enough, the digits count too.
    Nouns { test: SetTest, a: Vec<Noun>, b: Vec<Noun> },
    /// Whether each (some) of the cells (c) can hold every (`lacks`: none) of the digits (d), values included.
    Options { every: bool, cells: Reg, lacks: bool, digits: Reg },
    /// Whether each (some) cell of `a` sees each (some) cell of `b`.
    Sees { every_a: bool, a: Reg, every_b: bool, b: Reg },
    /// Whether the cells (c) are connected by seeing each other.
    Connected { cells: Reg },
    /// Whether in some house the places of the digit (v) are just those in these two sets of cells (c), which differ.
    Conjugate { digit: Reg, a: Reg, b: Reg },
    /// Whether a house of the class holds all these cells (c).
    InOne { cells: Reg, class: HouseClass },
    /// Whether the first value (v) is the smaller.
    Less { a: Reg, b: Reg },
    /// Whether the cells (c) lie in one house and have exactly this many digits more than cells.
    AlmostLocked { cells: Reg, over: u32 },
    /// Whether no house meets the cells (c) in just one.
    Closed { cells: Reg },
    /// Whether the cells (c) are closed between two parallel lines (h).
    ClosedBetween { cells: Reg, k: Reg, l: Reg },
    /// Whether the puzzle leaves the digits (d) possible in each (some) of the cells (c).
    GivensAllow { every: bool, cells: Reg, digits: Reg },
}

/// What can be chosen, one value after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Choice {
    /// Starts a loop: copies the set to its rest register.
    Each { set: Set, rest: Set },
    /// Starts a choice of values for several names: see [`RowsSpec`](super::RowsSpec).
    Rows { rows: usize },
    /// Starts a choice of subsets: see [`Pick`](super::Pick).
    Pick { pick: usize },
    /// Starts a choice of almost locked sets: see [`AlsSpec`](super::AlsSpec).
    Locked { locked: usize },
    /// Starts a family: no member yet.
    Family { family: usize },
    /// Starts a search in the graph of nodes and links: see [`GraphSpec`](super::GraphSpec).
    Graph { graph: usize },
    /// Works out a supposition: see [`SupposeSpec`](super::SupposeSpec).
    Suppose { suppose: usize },
}

/// The next value of a choice, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Next {
    /// Next member of a loop into `value` (v) and, as a set of one, into `one`; fails when there is none.
    Each { rest: Set, value: Reg, one: Set },
    /// Next row: for each name that is chosen its number (v) and the set of it alone; and the sets (c) that they make.
    Row { rows: usize, to: Vec<(Reg, Set)>, sets: Vec<Reg> },
    /// Next subset into `to`.
    Pick { pick: usize, to: Set },
    /// Next set into `to` (c).
    Locked { locked: usize, to: Reg },
    /// Next choice of all members; `union` (c) gets them.
    Family { family: usize, union: Reg },
    /// Next pattern into its registers.
    Graph { graph: usize },
    /// Next thing that it comes to, into the registers of its literals.
    Suppose { suppose: usize },
}

/// What follows, or what that hangs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Conclusion {
    /// These are put aside: from here on what is concluded holds, or one of them is true.
    Guard { of: Candidates },
    /// At least one of the candidates is true.
    Some { of: Candidates },
    /// The candidates are false.
    Eliminate { of: Candidates },
    /// The candidates are true.
    Place { of: Candidates },
    /// Of each link of a loop just one end is true.
    Links { graph: usize, outside: bool },
}
