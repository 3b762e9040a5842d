//! What a search finds, as data. In: bindings of a plan. Out: [`Match`]: which rule, what its names stand
//! for, what follows. Words and names are made by others.

use crate::grid::{Candidate, Cell, Digit, DigitSet, HouseId};
use crate::lang::ir::Space;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// What a name stands for in a match.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Value {
    /// Digits; a single digit is a set of one.
    Digits(DigitSet),
    /// Cells in board order; a single cell is a list of one.
    Cells(Vec<Cell>),
    /// Houses in board order.
    Houses(Vec<HouseId>),
    /// Candidates in order of cell, then digit.
    Candidates(Vec<Candidate>),
    /// A number.
    Number(i64),
    /// The members of a family: each index with the cells of its member.
    Family(Vec<(FamilyIndex, Vec<Cell>)>),
    /// Digits in houses: what a cell is in a view of the grid.
    Places(Vec<(HouseId, Digit)>),
}

/// What a member of a family belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FamilyIndex {
    /// `for d in` digits.
    Digit(Digit),
    /// `for c in` cells.
    Cell(Cell),
}

/// One member of one technique: the technique by its place in the list that was compiled, the values of
/// its parameters, and which of its cases.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MemberId {
    /// Index of the technique.
    pub technique: usize,
    /// A value for each parameter.
    pub args: Vec<u32>,
    /// Index of the variant (case).
    pub variant: usize,
    /// The grid as it is, or a view of it.
    #[serde(default, skip_serializing_if = "is_plain")]
    pub space: Space,
}

fn is_plain(space: &Space) -> bool {
    *space == Space::Rc
}

/// A node of a chain: a digit in one cell or more, its candidates there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChainNode {
    /// Its digit.
    pub digit: Digit,
    /// The cells that have it, in board order.
    pub cells: Vec<Cell>,
}

/// What makes a strong link.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Via {
    /// The link source.
    pub source: String,
    /// The cells that its names stand for, in board order.
    pub cells: Vec<Cell>,
    /// The houses that its names stand for, in board order.
    pub houses: Vec<HouseId>,
}

/// A node and the link that led to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChainStep {
    /// Whether the link to this node is strong; of the first node it says nothing, unless the chain is a loop: then it is
    /// the link from the last node.
    pub strong: bool,
    /// The node.
    pub node: ChainNode,
    /// Of a strong link of an open chain or loop what makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
}

impl ChainNode {
    /// A node of one candidate.
    pub fn single(candidate: Candidate) -> ChainNode {
        ChainNode { digit: candidate.digit, cells: vec![candidate.cell] }
    }

    /// Its candidates.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.cells.iter().map(|&cell| Candidate::new(self.digit, cell))
    }

    /// The candidate, if it is one.
    pub fn only(&self) -> Option<Candidate> {
        match self.cells.as_slice() {
            [cell] => Some(Candidate::new(self.digit, *cell)),
            _ => None,
        }
    }
}

/// A match with its effect on the state it was found in: at least one elimination or placement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// Which rule.
    pub member: MemberId,
    /// A value for each name of the variant, by `VarId`; `None` for running names of a `for`. In a view they are in its
    /// terms: what the rule calls a cell is a digit in a house, see [`Lens`](super::Lens).
    pub bindings: Vec<Option<Value>>,
    /// Candidates shown false that were still present, in order of cell, then digit.
    pub eliminations: Vec<Candidate>,
    /// Candidates shown true, in order of cell. What a placement takes from its peers is not listed.
    pub placements: Vec<Candidate>,
    /// The chain, from its first to its last node, if the rule has one.
    pub chain: Vec<ChainStep>,
    /// What follows under each supposition, if the rule makes any.
    pub cases: Vec<Case>,
    /// The matches that this one was put together of, its own first; none where it is a single one.
    pub parts: Vec<Part>,
}

/// A case of a supposition: what is supposed, and what follows up to the end that the rule asks for. Only inferences that
/// the end needs are listed, each after those it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The candidate, and whether it is supposed true.
    pub supposed: (Candidate, bool),
    /// In order.
    pub inferences: Vec<Inference>,
    /// What the inferences come to.
    pub end: CaseEnd,
    /// How many candidates are told true or false on the way, where that was counted as they were told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<u32>,
}

/// What a case comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaseEnd {
    /// The candidate is true, or it is false.
    Shows(Candidate, bool),
    /// By one chain one of these candidates is true, by others each of them is false.
    Both(ChainNode),
    /// No candidate is left in a cell.
    EmptyCell(Cell),
    /// No place is left for a digit in a house.
    EmptyHouse(HouseId, Digit),
}

/// One inference under a supposition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Inference {
    /// A chain of links from what is supposed: the first node is it, and links lead from each to the next. A node behind a
    /// strong link is true, one behind a weak link false.
    Links(Vec<ChainStep>),
    /// The last candidate of a cell.
    Naked(Candidate),
    /// The last place of the digit in a house.
    Hidden(Candidate, HouseId),
    /// A match of a rule on the grid as it is then.
    Rule(Box<Match>),
}

impl Inference {
    /// How many inferences it is made of: each link is one, and what a match needs under its own suppositions counts too.
    pub fn count(&self) -> u32 {
        match self {
            Inference::Links(chain) => chain.len().saturating_sub(1) as u32,
            Inference::Naked(_) | Inference::Hidden(..) => 1,
            Inference::Rule(found) => 1 + found.inferences(),
        }
    }
}

impl Match {
    /// How many inferences its cases need, all together.
    pub fn inferences(&self) -> u32 {
        self.cases.iter().flat_map(|case| &case.inferences).map(Inference::count).sum()
    }
}

/// One of the matches that were put together to one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Which rule: of a join the rule that is joined.
    pub member: MemberId,
    /// A value for each of its names.
    pub bindings: Vec<Option<Value>>,
    /// Its chain.
    pub chain: Vec<ChainStep>,
    /// What follows under each of its suppositions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<Case>,
}

/// Flags that end searches on a state: once one is up, nothing more is looked for there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Halt {
    /// The time is over.
    pub time: Option<&'static AtomicBool>,
    /// There is no memory left.
    pub memory: Option<&'static AtomicBool>,
}

impl Halt {
    /// The limit whose flag is up.
    pub fn due(self) -> Option<LimitHit> {
        let is_up = |flag: Option<&AtomicBool>| flag.is_some_and(|flag| flag.load(Ordering::Relaxed));
        let memory = is_up(self.memory).then_some(LimitHit::Memory);
        memory.or_else(|| is_up(self.time).then_some(LimitHit::Time))
    }

    /// Whether one is up.
    pub fn is_due(self) -> bool {
        self.due().is_some()
    }
}

impl PartialEq for Halt {
    fn eq(&self, other: &Halt) -> bool {
        let place = |flag: Option<&'static AtomicBool>| flag.map(std::ptr::from_ref);
        (place(self.time), place(self.memory)) == (place(other.time), place(other.memory))
    }
}

impl Eq for Halt {}

/// How much a search may do; what is cut is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Matches of one member in one state.
    pub matches: usize,
    /// Machine instructions of one search.
    pub instructions: u64,
    /// Strong links in a chain.
    pub chain_links: usize,
    /// Cells of an almost locked set on boards of more than nine digits; smaller boards have no bound.
    pub locked_cells: usize,
    /// Steps of techniques under one supposition; placements that a cell or a house has room for alone do not count.
    pub suppositions: usize,
    /// Candidates that a chain tells. Who wants only shorter ones says so here: longer ones are left out, which is no cut.
    pub longest: u32,
    /// Whether everything is searched, what is out of reach of a rule's class, too: it takes longer and finds the same.
    pub in_full: bool,
    /// Whether suppositions tell the argument that is found first, one inference after the other, rather than the shortest.
    pub first_found: bool,
    /// Whether somebody has had enough.
    pub halt: Halt,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            matches: 100_000,
            instructions: 50_000_000,
            chain_links: 64,
            locked_cells: 6,
            suppositions: 200,
            longest: u32::MAX,
            in_full: false,
            first_found: false,
            halt: Halt::default(),
        }
    }
}

/// A limit that cut a search short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LimitHit {
    /// [`Limits::matches`].
    Matches,
    /// [`Limits::instructions`].
    Instructions,
    /// [`Limits::chain_links`].
    ChainLinks,
    /// Placements tried for the templates of a digit.
    Templates,
    /// [`Limits::locked_cells`].
    LockedCells,
    /// [`Limits::suppositions`].
    Suppositions,
    /// Loops through the same link, or rings that show the same.
    Loops,
    /// The time of [`Limits::halt`].
    Time,
    /// Its memory.
    Memory,
    /// Strong links of one state.
    Links,
    /// Nodes of chains on one state.
    Nodes,
}

/// How much a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The first match in canonical order.
    First,
    /// Every match.
    All,
    /// The same, and where matches differ in a house alone, each of them.
    Each,
    /// Some match: the first that comes to hand, however long its chains and trees are.
    Any,
    /// What some match eliminates and places, without what its suppositions come to.
    Effect,
    /// The same of every match, in no order of length.
    Effects,
}

impl Search {
    /// Whether one match is enough.
    pub fn one(self) -> bool {
        !matches!(self, Search::All | Search::Each | Search::Effects)
    }

    /// Whether what suppositions come to is told.
    pub fn tells(self) -> bool {
        !matches!(self, Search::Effect | Search::Effects)
    }
}

/// The outcome of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// In canonical order: shortest chain first, then the order of the plan.
    pub matches: Vec<Match>,
    /// Limits that were hit.
    pub limits: Vec<LimitHit>,
}
