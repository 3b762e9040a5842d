//! A compiled rule. In: the planner's choices. Out: [`Program`]: instructions, register counts and the tables
//! that instructions refer to, all plain data.

use super::instr::{Instr, Noun, Reg, Set, Targets};
use super::suppose::SupposeSpec;
use crate::lang::ir::{Length, Weak};
use serde::Serialize;

/// How many registers of each type a program uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Registers {
    /// Cell sets.
    pub cells: Reg,
    /// Digit sets.
    pub digits: Reg,
    /// House sets.
    pub houses: Reg,
    /// Candidate sets.
    pub candidates: Reg,
    /// Numbers.
    pub numbers: Reg,
    /// Single values.
    pub values: Reg,
}

/// Where the value of a name is found when a match is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Output {
    /// A set register.
    Set(Set),
    /// A digit and a cell (both v).
    Candidate(Reg, Reg),
    /// Candidates, by their place in [`Program::nouns`].
    Nouns(usize),
    /// The members of a family.
    Family(usize),
    /// No value of its own (running names).
    Nothing,
}

/// A bound that holds for every part of a set that satisfies the rule: what violates it is not extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Bound {
    /// Picking cells: together at most so many digits.
    Digits(u32),
    /// Picking digits: together at most so many places among the cells (c).
    Places(Reg, u32),
    /// Picking cells: two that do not see each other share only these digits (d).
    Restricted(Reg),
    /// Picking cells: at most so many digits are shared by two that do not see each other.
    Unrestricted(u32),
    /// Picking cells: only sets that hang together by seeing.
    Connected,
    /// Picking houses: all rows, or all columns.
    Parallel,
    /// Picking houses: see [`Cover`].
    Cover(Cover),
    /// Picking houses: cells (c) that two of them share are guardians: at most so many, and where targets (c) are
    /// given, all of them see one.
    Shared { among: Reg, most: Option<u32>, targets: Option<Reg> },
}

/// Cells that the houses picked must hold, all but a few: the rest are guardians.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cover {
    /// The cells (c).
    pub cells: Reg,
    /// Cells (c) that are guardians in any case.
    pub aside: Reg,
    /// At most so many guardians.
    pub most: Option<u32>,
    /// Of these (c) one must be seen by every guardian, where there is one.
    pub targets: Option<Reg>,
}

/// A choice of all subsets of a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pick {
    /// From these.
    pub from: Set,
    /// At least so many.
    pub low: u32,
    /// At most so many.
    pub high: u32,
    /// What cuts the search.
    pub bounds: Vec<Bound>,
}

/// Where the sets of a choice are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LockedBase {
    /// Among all.
    All,
    /// Among those with a digit (v).
    With(Reg),
    /// Among those whose places of a digit (v) see all places of it in the set of another choice; both have it.
    Linked(Reg, usize),
}

/// What a set must be to be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LockedFilter {
    /// It has one of these digits (d).
    Meets(Reg),
    /// It has none of these digits (d).
    Avoids(Reg),
    /// It lies in these cells (c).
    Inside(Reg),
    /// It has none of these cells (c).
    Apart(Reg),
    /// Its places of a digit (v), if it has it, lie in these cells (c).
    Sees(Reg, Reg),
    /// It is not the set of another choice.
    Differs(usize),
    /// It comes after the set of another choice.
    After(usize),
    /// It comes before it.
    Before(usize),
}

/// A choice of an almost locked set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LockedSpec {
    /// How many digits more than cells.
    pub over: u32,
    /// At least so many cells.
    pub low: u32,
    /// At most, if there is a bound.
    pub high: Option<u32>,
    /// Where to look.
    pub base: LockedBase,
    /// What is tested at once.
    pub filters: Vec<LockedFilter>,
    /// The digit (v) whose running targets the set must leave, and the targets so far.
    pub target: Option<(Reg, Option<Targets>)>,
}

/// A family of almost locked sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SetFamily {
    /// The choice that each member is one of.
    pub locked: usize,
    /// Whether no two members may have a cell in common.
    pub apart: bool,
}

/// A choice of one cell per index, or of one set of cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FamilySpec {
    /// Whether the index is a cell rather than a digit.
    pub by_cell: bool,
    /// Present where each member is a set.
    pub sets: Option<SetFamily>,
    /// The digit (v) whose running targets every member narrows, if each surely has it, and the targets so far.
    pub target: Option<(Reg, Option<Targets>)>,
}

/// An open chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChainSpec {
    /// Digits (d) that nodes may have.
    pub on: Option<Reg>,
    /// Digit and cell (v, and their set registers d and c) of the first node.
    pub from: EndRegs,
    /// Of the last node.
    pub to: EndRegs,
    /// Bounds.
    pub length: Length,
    /// Link sources, by their place in the engine's list.
    pub strong: Vec<usize>,
    /// Weak links.
    pub weak: Weak,
}

/// The registers of a chain's end; a name that is bound before the chain must agree with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EndRegs {
    /// v and d.
    pub digit: (Reg, Reg),
    /// v and c.
    pub cell: (Reg, Reg),
    /// Whether the digit has its value before.
    pub digit_bound: bool,
    /// Whether the cell has its value before.
    pub cell_bound: bool,
}

/// A compiled member of a technique, or a compiled link source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Program {
    /// Instructions; the search starts at the first.
    pub code: Vec<Instr>,
    /// Where labels point.
    pub labels: Vec<u32>,
    /// Register counts.
    pub registers: Registers,
    /// Choices of subsets.
    pub picks: Vec<Pick>,
    /// Choices of almost locked sets.
    pub locked: Vec<LockedSpec>,
    /// Families.
    pub families: Vec<FamilySpec>,
    /// Chains.
    pub chains: Vec<ChainSpec>,
    /// Suppositions.
    pub supposes: Vec<SupposeSpec>,
    /// Nouns that names stand for.
    pub nouns: Vec<Vec<Noun>>,
    /// For each name of the variant where its value is.
    pub outputs: Vec<Output>,
    /// Whether a match needs an effect (link sources conclude nothing).
    pub effect: bool,
    /// Why the plan is as it is, a line each.
    pub notes: Vec<String>,
}
