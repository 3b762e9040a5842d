//! A compiled rule. In: the planner's choices. Out: [`Program`]: instructions, register counts and the tables
//! that instructions refer to, all plain data.

use super::class::Class;
use super::instr::{Instr, Noun, Reg, Set, Targets};
use super::operators::{Choice, Conclusion};
use super::spec::SupposeSpec;
use crate::lang::ir::{Length, WeakLinks};
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
    /// Picking cells: most digits together.
    Digits(u32),
    /// Picking digits: most places together among the cells (c).
    Places(Reg, u32),
    /// Picking cells: two that do not see each other share only digits of these (d), and at most this many others.
    Apart(Option<Reg>, u32),
    /// Picking cells: at least this many of these (c) see every one of them.
    SeenBy(Reg, u32),
    /// Picking houses: see [`Cover`].
    Cover(Cover),
}

/// Cells that the houses picked must hold, all but a few: the rest are guardians.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cover {
    /// The cells (c).
    pub cells: Reg,
    /// Cells (c) that are guardians in any case.
    pub aside: Reg,
    /// Most guardians.
    pub most: Option<u32>,
    /// Of these (c) one must be seen by every guardian, where there is one.
    pub targets: Option<Reg>,
}

/// A choice of all subsets of a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pick {
    /// From these.
    pub from: Set,
    /// Least number.
    pub low: u32,
    /// Most.
    pub high: u32,
    /// What cuts the search.
    pub bounds: Vec<Bound>,
}

/// Where the sets of a choice are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum AlsBase {
    /// Among all.
    All,
    /// Among those with a digit (v).
    With(Reg),
}

/// What a set must be to be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum AlsFilter {
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
    /// Every place of a digit (v) sees every place of the digit in the set of another choice. Both sets have the digit.
    LinkedTo(Reg, usize),
    /// It has a digit (v) in each of these cells (c) at least.
    Covers(Reg, Reg),
    /// It is not the set of another choice.
    Differs(usize),
    /// It comes after the set of another choice.
    After(usize),
    /// It comes before it.
    Before(usize),
    /// It can be in a row of sets whose two ends share a target.
    Triple(TripleRole),
    /// Its places of a digit (v) are the end of a link.
    End(Reg),
    /// Both digits (v) link it to another set, with `later` to one that comes after it.
    DoublyLinked { digits: [Reg; 2], later: bool },
}

/// A part in a row of two or three sets, each linked to the next by a digit, whose ends share a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum TripleRole {
    /// One of two, with a target of the digit (v).
    Linked(Reg),
    /// The first or last of three, with a target of the digit (v).
    Apart(Reg),
    /// The same, whatever the digit.
    End,
    /// The one between.
    Middle,
}

/// The sets of cells that are found once for each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum SetKind {
    /// Cells of one house with this many digits more than cells.
    Locked(u32),
    /// One unsolved cell, or all of those that a box and a line share.
    Group,
}

/// A choice of an almost locked set or of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AlsSpec {
    /// Of which sort.
    pub sort: SetKind,
    /// Least number of cells.
    pub low: u32,
    /// At most, if there is a bound.
    pub high: Option<u32>,
    /// Where to look.
    pub base: AlsBase,
    /// What is tested at once.
    pub filters: Vec<AlsFilter>,
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

/// What is looked for in the graph of nodes and links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GraphSpec {
    /// Digits (d) that nodes may have.
    pub on: Option<Reg>,
    /// Link sources, by their place in the engine's list, in the order of the rule.
    pub strong: Vec<usize>,
    /// How many strong links it has at least, and how they are counted.
    pub least: (u32, LinkCount),
    /// What it is.
    pub shape: GraphShape,
}

/// How strong links are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LinkCount {
    /// Each is one.
    Links,
    /// Each is as many as it has ends in different cells.
    Cells,
}

/// The patterns in the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum GraphShape {
    /// An open chain.
    Chain(ChainSpec),
    /// A closed one.
    Loop {
        /// All its candidates (p).
        name: Reg,
        /// Those of every other node, and those between them (p).
        colours: Option<[Reg; 2]>,
        /// Bounds.
        length: Length,
        /// Weak links.
        weak: WeakLinks,
    },
    /// A component in two colours (p).
    Cluster {
        /// The candidates of each.
        colours: [Reg; 2],
    },
    /// An odd ring (p) but for guardians (p).
    Ring {
        /// Its candidates.
        name: Reg,
        /// All guardians of its links.
        guardians: Reg,
        /// Least number of candidates.
        low: u32,
    },
}

/// An open chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChainSpec {
    /// The first node.
    pub from: EndSpec,
    /// The last node.
    pub to: EndSpec,
    /// Whether it goes back to its first node.
    pub back: bool,
    /// Whether its ends may change places: then the first has the smaller number.
    pub ordered: bool,
    /// Whether the rule says of it no more than that one end is true.
    pub plain: bool,
    /// Whether it is so, and its ends are nodes: then ends that exclude nothing together are no
    /// match.
    pub ends_only: bool,
    /// Bounds.
    pub length: Length,
    /// Weak links.
    pub weak: WeakLinks,
}

/// Where an end of a chain goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum EndSpec {
    /// A candidate.
    One(EndRegs),
    /// The candidates of any node (p).
    Node(Reg),
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

/// A choice of values for several names together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowsSpec {
    /// Lists the rows; its outputs are the columns, then the sets of cells that they make.
    pub program: Box<Program>,
    /// The columns: those that have their values before come first.
    pub columns: Vec<Column>,
}

/// One name of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Column {
    /// It has its value (v).
    Known(Reg),
    /// It gets one of these.
    Chosen(Set),
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
    /// Choices of values for several names.
    pub rows: Vec<RowsSpec>,
    /// Choices of subsets.
    pub picks: Vec<Pick>,
    /// Choices of almost locked sets.
    pub locked: Vec<AlsSpec>,
    /// Families.
    pub families: Vec<FamilySpec>,
    /// Patterns in the graph of nodes and links.
    pub graphs: Vec<GraphSpec>,
    /// Suppositions.
    pub supposes: Vec<SupposeSpec>,
    /// Nouns that names stand for.
    pub nouns: Vec<Vec<Noun>>,
    /// For each name of the variant where its value is.
    pub outputs: Vec<Output>,
    /// Whether a match needs an effect (link sources conclude nothing).
    pub effect: bool,
    /// Present where a sound rule finds nothing but what the ways to put one digit into every house tell; whether it
    /// may place that digit.
    pub one_digit: Option<bool>,
    /// The class by whose inferences every candidate that a match eliminates comes to a contradiction, if there is one:
    /// a search is only for those. Of a link source the class that infers by the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// Why the plan is as it is, a line each.
    pub notes: Vec<String>,
}

impl Program {
    /// Whether all that it concludes is of these.
    pub fn concludes_only(&self, by: impl Fn(&Conclusion) -> bool) -> bool {
        self.code.iter().all(|instr| match instr {
            Instr::Conclude(conclusion) => by(conclusion),
            _ => true,
        })
    }

    /// Whether all that it shows is shown by the links of a chain or loop.
    pub fn shows_by_links(&self) -> bool {
        let [graph] = self.graphs.as_slice() else { return false };
        match &graph.shape {
            GraphShape::Chain(chain) => chain.plain,
            GraphShape::Loop { .. } => self.concludes_only(|one| matches!(one, Conclusion::Links { .. })),
            GraphShape::Cluster { .. } | GraphShape::Ring { .. } => false,
        }
    }

    /// Whether its matches come shortest first: it looks for one pattern in the graph, before anything else is chosen.
    pub fn lists_by_length(&self) -> bool {
        let mut before = self.code.iter().take_while(|instr| !matches!(instr, Instr::Start(Choice::Graph { .. })));
        self.graphs.len() == 1 && before.all(|instr| !matches!(instr, Instr::Next { .. }))
    }
}
