//! The instructions of the shape machine. In: nothing. Out: the data type that the planner writes and the
//! machine reads.
//!
//! Registers are of five types: cell sets `c`, digit sets `d`, house sets `h`, candidate sets `p`, numbers `n`; and
//! single values `v` (the number of a cell, digit, house or candidate). A name that stands for one thing lives in a `v` and, as a set of
//! one, in the register of its type. Nesting is static: a test that fails jumps to the label of the
//! innermost loop around it.

use super::operators::{CellOp, Choice, Conclusion, DigitOp, HouseOp, MarkOp, Next, NumberOp, Test};
use serde::Serialize;

/// A register number of any type.
pub type Reg = u16;

/// An index into [`Program::labels`](super::Program::labels).
pub type Label = u16;

/// A set register of one of the four types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
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

impl Set {
    /// Its number among those of its type.
    pub fn reg(self) -> Reg {
        match self {
            Set::C(reg) | Set::D(reg) | Set::H(reg) | Set::P(reg) => reg,
        }
    }
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

/// One instruction. `to` is the register written; a `fail` is where to go when a test is false or there is nothing more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Instr {
    /// Computes cells (c).
    Cells { to: Reg, op: CellOp },
    /// Computes digits (d).
    Digits { to: Reg, op: DigitOp },
    /// Computes houses (h).
    Houses { to: Reg, op: HouseOp },
    /// Computes a number (n).
    Number { to: Reg, op: NumberOp },
    /// Computes candidates (p).
    Marks { to: Reg, op: MarkOp },
    /// Set operators on registers of one type.
    Combine { op: SetOp, to: Set, a: Set, b: Set },
    /// The members of a set after a single value (v).
    After { to: Set, of: Set, value: Reg },
    /// Fails unless a test holds.
    Test { test: Test, fail: Label },
    /// Narrows the running targets: candidates of the digit (v) that see all cells (c) that have it; fails when
    /// two or more such cells leave no target.
    Target { digit: Reg, cells: Reg, from: Option<Targets>, to: Targets, fail: Label },
    /// Goes on elsewhere.
    Jump { label: Label },
    /// Starts a choice.
    Start(Choice),
    /// Takes the next value of a choice; fails when there is none.
    Next { of: Next, fail: Label },
    /// Adds a member of a family of sets: its index (v), and the sets that a choice admits now; fails where there are none.
    AddSets { family: usize, index: Reg, locked: usize, fail: Label },
    /// Adds a member: its index (v) and the cells (c) it may be; fails where there are none.
    AddMember { family: usize, index: Reg, domain: Reg, fail: Label },
    /// c: the member of a family with the index (v); fails where there is none.
    Member { family: usize, to: Reg, index: Reg, fail: Label },
    /// Clears what was concluded.
    Begin,
    /// Says what follows.
    Conclude(Conclusion),
    /// Reports the match if it has an effect, then fails.
    Emit { fail: Label },
    /// The search is over.
    Halt,
}

impl Instr {
    /// Whether its registers are of the types that it takes.
    pub fn fits(&self) -> bool {
        let alike = |a: &Set, b: &Set| std::mem::discriminant(a) == std::mem::discriminant(b);
        match self {
            Instr::After { to, of, .. } => alike(to, of) && !matches!(to, Set::P(_)),
            Instr::Combine { to, a, b, .. } => alike(to, a) && alike(a, b),
            Instr::Test { test: Test::Sets { a, b, .. }, .. } => alike(a, b),
            Instr::Start(Choice::Each { set, rest }) => alike(set, rest),
            Instr::Next { of: Next::Each { rest, one, .. }, .. } => alike(rest, one),
            Instr::Next { of: Next::Pick { to, .. }, .. } => !matches!(to, Set::P(_)),
            Instr::Marks { op: MarkOp::InNone { of }, .. } => matches!(of, Set::C(_) | Set::D(_)),
            _ => true,
        }
    }

    /// The label that it may go to.
    pub fn goes_to(&self) -> Option<Label> {
        match self {
            Instr::Test { fail, .. }
            | Instr::Target { fail, .. }
            | Instr::Jump { label: fail }
            | Instr::Next { fail, .. }
            | Instr::AddSets { fail, .. }
            | Instr::AddMember { fail, .. }
            | Instr::Member { fail, .. }
            | Instr::Emit { fail } => Some(*fail),
            _ => None,
        }
    }
}
