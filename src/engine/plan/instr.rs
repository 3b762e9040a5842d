//! The instructions of the shape machine. In: nothing. Out: the data type that the planner writes and the
//! machine reads.
//!
//! Registers are of five types: cell sets `c`, digit sets `d`, house sets `h`, candidate sets `p`, numbers `n`; and
//! single values `v` (the number of a cell, digit, house or candidate). A name that stands for one thing lives in a `v` and, as a set of
//! one, in the register of its type. Nesting is static: a test that fails jumps to the label of the
//! innermost loop around it.

use crate::lang::ir::{Comparison, HouseClass};
use serde::Serialize;

/// A register number of any type.
pub type Reg = u16;

/// An index into [`Program::labels`](super::Program::labels).
pub type Label = u16;

/// A set register of one of the four types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Set {
    /// Cells.
    C(Reg),
    /// Digits.
    D(Reg),
    /// Houses.
    H(Reg),
    /// Candidates.
    P(Reg),
}

/// Set operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SetOp {
    /// Union.
    Or,
    /// Intersection.
    And,
    /// Difference.
    Minus,
}

/// Tests of two sets of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SetTest {
    /// The left is not empty and lies in the right.
    Within,
    /// Equal.
    Equal,
    /// No common member.
    Disjoint,
}

/// A noun: candidates with a digit of the first register in a cell of the second.
pub type Noun = (Reg, Reg);

/// Candidates: of nouns, or of a register (p).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Candidates {
    /// All candidates of these.
    Nouns(Vec<Noun>),
    /// A set.
    Set(Reg),
}

/// Running targets of a digit: what can still be eliminated, and the cells that must all be seen (both c).
pub type Targets = (Reg, Reg);

/// One instruction. `to` is the register written; a `fail` is where to go when the test is false.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[repr(u8)]
pub enum Instr {
    /// c: every unsolved cell.
    Unsolved { to: Reg },
    /// c: unsolved cells with so many candidates, at least and at most.
    CellsCounting { to: Reg, range: (u32, u32) },
    /// c: cells that have a digit (v) as a candidate.
    Places { to: Reg, digit: Reg },
    /// c: cells that have one of the digits (d).
    PlacesAny { to: Reg, digits: Reg },
    /// c: cells that have every one of the digits (d).
    PlacesAll { to: Reg, digits: Reg },
    /// c: cells that the puzzle leaves open to every one of the digits (d), solved ones too.
    OpenPlaces { to: Reg, digits: Reg },
    /// c: all cells of houses (h), solved ones too.
    CellsOf { to: Reg, houses: Reg },
    /// c: cells seen by a cell (v).
    Peers { to: Reg, cell: Reg },
    /// c: cells that see every (some) one of the cells (c).
    Seeing { to: Reg, every: bool, of: Reg },
    /// c: the other of two places of a digit (v) in a house, seen from a cell (v).
    Partners { to: Reg, digit: Reg, cell: Reg },
    /// c: cells that have such a partner for a digit (v).
    Partnered { to: Reg, digit: Reg },
    /// c: cells of `of` after the cell (v); the same for digits and houses.
    After { to: Set, of: Set, value: Reg },
    /// d: every digit.
    AllDigits { to: Reg },
    /// d: candidates of a cell (v).
    DigitsOf { to: Reg, cell: Reg },
    /// d: candidates of cells (c), taken together.
    Digits { to: Reg, cells: Reg },
    /// d: values of the solved ones of these cells (c).
    Values { to: Reg, cells: Reg },
    /// d: those of the digits (d) that are candidates somewhere in the cells (c).
    DigitsIn { to: Reg, digits: Reg, cells: Reg },
    /// d: digits with so many places among the cells (c), at least and at most.
    DigitsCounting { to: Reg, cells: Reg, range: (u32, u32) },
    /// d: digits that have places among the cells (c), all of them within others (c).
    DigitsWithin { to: Reg, cells: Reg, within: Reg },
    /// h: houses with so many of the cells (c), at least and at most.
    HousesCounting { to: Reg, cells: Reg, range: (u32, u32) },
    /// h: all houses of a class.
    Houses { to: Reg, class: HouseClass },
    /// h: the houses of a class that hold one (every one) of these cells (c).
    HousesOf { to: Reg, class: HouseClass, every: bool, cells: Reg },
    /// h: the lines crossing (parallel to) each of these houses (h).
    Lines { to: Reg, parallel: bool, houses: Reg },
    /// Set operators on registers of one type.
    Op { op: SetOp, to: Set, a: Set, b: Set },
    /// n: a constant.
    Const { to: Reg, value: i32 },
    /// n: how many members.
    Count { to: Reg, of: Set },
    /// n: how many candidates.
    CountIn { to: Reg, noun: Noun },
    /// n: how many of the cells (c) can hold a digit of `digits` together, summed over the digits.
    Times { to: Reg, digits: Reg, cells: Reg },
    /// n: a + b, or a - b.
    Sum { to: Reg, minus: bool, a: Reg, b: Reg },
    /// Compares numbers.
    Compare { a: Reg, op: Comparison, b: Reg, fail: Label },
    /// Compares how many members a set has with a number.
    CompareCount { of: Set, op: Comparison, limit: i32, fail: Label },
    /// Fails where the set is empty (`want` false: where it is not).
    NonEmpty { set: Set, want: bool, fail: Label },
    /// Tests two sets.
    Test { test: SetTest, a: Set, b: Set, fail: Label },
    /// Tests the candidates of nouns: the same cells are not enough, the digits count too.
    TestNouns { test: SetTest, a: Vec<Noun>, b: Vec<Noun>, fail: Label },
    /// Fails unless each (some) of the cells (c) can hold every (`lacks`: none) of the digits (d), values included.
    Options { every: bool, cells: Reg, lacks: bool, digits: Reg, fail: Label },
    /// Fails unless each (some) cell of `a` sees each (some) cell of `b`.
    Sees { every_a: bool, a: Reg, every_b: bool, b: Reg, fail: Label },
    /// Fails unless the cells (c) hang together by seeing.
    Connected { cells: Reg, fail: Label },
    /// Fails unless in some house the places of the digit (v) are just those in these two sets of cells (c), which differ.
    Conjugate { digit: Reg, a: Reg, b: Reg, fail: Label },
    /// Fails unless a house of the class holds all these cells (c).
    InOne { cells: Reg, class: HouseClass, fail: Label },
    /// Fails unless the first value (v) is the smaller.
    Less { a: Reg, b: Reg, fail: Label },
    /// Goes on elsewhere.
    Jump { label: Label },
    /// Starts a loop: copies the set to its rest register.
    Each { set: Set, rest: Set },
    /// Next member of a loop into `value` (v) and, as a set of one, into `one`; fails when there is none.
    Next { rest: Set, value: Reg, one: Set, fail: Label },
    /// Starts a choice of values for several names: see [`RowsSpec`](super::RowsSpec).
    Rows { rows: usize },
    /// Next row: for each name that is chosen its number (v) and the set of it alone; and the sets (c) that they make.
    NextRow { rows: usize, to: Vec<(Reg, Set)>, sets: Vec<Reg>, fail: Label },
    /// Starts a choice of subsets: see [`Pick`](super::Pick).
    Pick { pick: usize },
    /// Next subset into `to`.
    NextPick { pick: usize, to: Set, fail: Label },
    /// Starts a choice of almost locked sets: see [`LockedSpec`](super::LockedSpec).
    Locked { locked: usize },
    /// Next set into `to` (c).
    NextLocked { locked: usize, to: Reg, fail: Label },
    /// Fails unless the cells (c) lie in one house and have just so many digits more than cells.
    AlmostLocked { cells: Reg, over: u32, fail: Label },
    /// Adds a member of a family of sets: its index (v), and the sets that a choice admits now; fails where there are none.
    AddSets { family: usize, index: Reg, locked: usize, fail: Label },
    /// Starts a family: no member yet.
    Family { family: usize },
    /// Adds a member: its index (v) and the cells (c) it may be; fails where there are none.
    AddMember { family: usize, index: Reg, domain: Reg, fail: Label },
    /// Next way to choose all members; `union` (c) gets them.
    NextFamily { family: usize, union: Reg, fail: Label },
    /// c: the member of a family with the index (v); fails where there is none.
    Member { family: usize, to: Reg, index: Reg, fail: Label },
    /// Starts a search in the graph of nodes and links: see [`GraphSpec`](super::GraphSpec).
    Graph { graph: usize },
    /// Next pattern into its registers.
    NextGraph { graph: usize, fail: Label },
    /// Works out a supposition: see [`SupposeSpec`](super::SupposeSpec).
    Suppose { suppose: usize },
    /// Next thing that it comes to, into the registers of its literals.
    NextSuppose { suppose: usize, fail: Label },
    /// p: candidates that every (some) one of these excludes.
    Excluded { to: Reg, every: bool, of: Candidates },
    /// Of each link of a loop just one end is true.
    ConcludeLinks { graph: usize, outside: bool },
    /// Narrows the running targets: candidates of the digit (v) that see all cells (c) that have it; fails when
    /// two or more such cells leave no target.
    Target { digit: Reg, cells: Reg, from: Option<Targets>, to: Targets, fail: Label },
    /// p: the candidates of nouns.
    Marks { to: Reg, nouns: Vec<Noun> },
    /// d: the digits of candidates (p).
    DigitsOfMarks { to: Reg, of: Reg },
    /// c: the cells of candidates (p).
    CellsOfMarks { to: Reg, of: Reg },
    /// c: cells that two or more of the houses (h) share.
    Overlap { to: Reg, houses: Reg },
    /// p: candidates of digits (d) or cells (c) that are in no way to fill.
    Impossible { to: Reg, of: Set },
    /// p: candidates of digits (d) that are in every way to fill the houses.
    Certain { to: Reg, digits: Reg },
    /// d: digits of which some candidate is impossible, and where one is `placed` also those with a certain one.
    Hopeful { to: Reg, placed: bool },
    /// c: candidates of the digit (v) that the search is for.
    Targets { to: Reg, digit: Reg },
    /// Fails unless no house meets the cells (c) in just one.
    Closed { cells: Reg, fail: Label },
    /// Fails unless the cells (c) are closed between two parallel lines (h).
    ClosedBetween { cells: Reg, k: Reg, l: Reg, fail: Label },
    /// Fails unless the puzzle leaves the digits (d) possible in each (some) of the cells (c).
    OpenTo { every: bool, cells: Reg, digits: Reg, fail: Label },
    /// Clears what was concluded.
    Begin,
    /// These are put aside: from here on what is concluded holds, or one of them is true.
    Guard { of: Candidates },
    /// At least one of the candidates is true.
    ConcludeSome { of: Candidates },
    /// The candidates are false.
    Eliminate { of: Candidates },
    /// The candidates are true.
    Place { of: Candidates },
    /// Reports the match if it has an effect, then fails.
    Emit { fail: Label },
    /// The search is over.
    Halt,
}

impl Instr {
    /// Whether it says what follows, or what that hangs on.
    pub fn concludes(&self) -> bool {
        matches!(
            self,
            Instr::Guard { .. }
                | Instr::ConcludeSome { .. }
                | Instr::ConcludeLinks { .. }
                | Instr::Eliminate { .. }
                | Instr::Place { .. }
        )
    }

    /// Whether the search comes back to it for another choice.
    pub fn chooses(&self) -> bool {
        matches!(
            self,
            Instr::Next { .. }
                | Instr::NextRow { .. }
                | Instr::NextPick { .. }
                | Instr::NextLocked { .. }
                | Instr::NextFamily { .. }
                | Instr::NextGraph { .. }
                | Instr::NextSuppose { .. }
        )
    }
}
