//! Search results as data. A [`Match`] has the rule, the values of the rule's names, and the effects. [`Limits`] bound
//! the work of a search.

use crate::grid::{Candidate, Cell, Digit, DigitSet, HouseId};
use crate::lang::ir::{Space, Technique};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// Value of a name in a match.
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
    /// A family, a name declared with `for`: for each index, the cells that were chosen for the index.
    Family(Vec<(FamilyIndex, Vec<Cell>)>),
    /// For a match in a view: the grid's name for each cell of the view, a row or column and a digit.
    Places(Vec<(HouseId, Digit)>),
}

/// Index of a family member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FamilyIndex {
    /// `for d in` digits.
    Digit(Digit),
    /// `for c in` cells.
    Cell(Cell),
}

/// A technique with a value for each parameter, one of its variants, and the grid or one view of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MemberId {
    /// Index of the technique in the list that was compiled.
    pub technique: usize,
    /// A value for each parameter.
    pub args: Vec<u32>,
    /// Index of the variant.
    pub variant: usize,
    /// The grid, or the view of the grid in which the rule is searched.
    #[serde(default, skip_serializing_if = "is_grid")]
    pub space: Space,
}

impl MemberId {
    /// Returns all members of a technique on a board with `size` digits, on the grid itself and in the views of the rule. The
    /// index of the technique is 0.
    pub fn all_of(technique: &Technique, size: u32) -> Vec<MemberId> {
        let members = technique.member_variants(size).into_iter().flat_map(|(args, variant)| {
            technique.spaces().map(move |space| MemberId { technique: 0, args: args.clone(), variant, space })
        });
        members.collect()
    }
}

fn is_grid(space: &Space) -> bool {
    *space == Space::Rc
}

/// A node of a chain: the candidates of a digit in one or more cells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChainNode {
    /// The digit of every candidate of the node.
    pub digit: Digit,
    /// The cells of the candidates, in board order.
    pub cells: Vec<Cell>,
}

/// The reason why two nodes are strongly linked: a link source, with the cells and houses where the pattern of the
/// source matches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceMatch {
    /// Id of the link source.
    pub source: String,
    /// The cells that the names of the source stand for, in board order.
    pub cells: Vec<Cell>,
    /// The houses that the names of the source stand for, in board order.
    pub houses: Vec<HouseId>,
}

/// A node and the link that led to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChainStep {
    /// True if the link to this node is strong. The first node is marked strong only if the chain is a loop; the mark
    /// then describes the link from the last node.
    pub strong: bool,
    /// The node.
    pub node: ChainNode,
    /// For strong links of open chains and loops: the match of the link source.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "via")]
    pub source_match: Option<SourceMatch>,
}

impl ChainNode {
    /// Makes a node of one candidate.
    pub fn single(candidate: Candidate) -> ChainNode {
        ChainNode { digit: candidate.digit, cells: vec![candidate.cell] }
    }

    /// Returns the candidates of this node.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.cells.iter().map(|&cell| Candidate::new(self.digit, cell))
    }

    /// Returns the candidate of a node of one cell; `None` for larger nodes.
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
    /// The member that matched.
    pub member: MemberId,
    /// A value for each name of the variant, by `VarId`; `None` for loop variables. Values of a match in a view are in
    /// terms of the view, see [`Lens`](super::Lens).
    pub bindings: Vec<Option<Value>>,
    /// Present candidates that the match shows false, in order of cell, then digit.
    pub eliminations: Vec<Candidate>,
    /// Candidates shown true, in order of cell. Eliminations that follow from a placement are not listed.
    pub placements: Vec<Candidate>,
    /// The chain, from its first to its last node, if the rule has one.
    pub chain: Vec<ChainStep>,
    /// The cases, if the rule argues by cases.
    pub cases: Vec<Case>,
    /// Matches merged into this one, in order; empty for a single match.
    pub parts: Vec<Part>,
}

/// One case of an argument by cases: the assumed literal, and the inferences from this literal to the end of the case.
///
/// Lists only inferences that the end needs. Each inference comes after the inferences on which it rests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The candidate, and the truth value that is assumed for it.
    pub supposed: (Candidate, bool),
    /// The inferences in order.
    pub inferences: Vec<Inference>,
    /// The result of the inferences.
    pub end: CaseEnd,
    /// Length of the case's argument (see [`Match::length`]), if the derivation already computed the length.
    #[serde(rename = "told", default, skip_serializing_if = "Option::is_none")]
    pub known_length: Option<u32>,
}

/// End of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaseEnd {
    /// The candidate is true (`true`) or false (`false`).
    Shows(Candidate, bool),
    /// A contradiction: inferences show both that one of these candidates is true and that all these candidates are
    /// false.
    #[serde(rename = "Both")]
    TrueAndFalse(ChainNode),
    /// A cell without candidates.
    EmptyCell(Cell),
    /// A house without places for a digit.
    EmptyHouse(HouseId, Digit),
}

/// One inference under an assumption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Inference {
    /// A chain of links from the assumption, which is the first node. A node after a strong link is true, a node after
    /// a weak link false.
    Links(Vec<ChainStep>),
    /// The last candidate of a cell.
    Naked(Candidate),
    /// The last place of the digit in a house.
    Hidden(Candidate, HouseId),
    /// A match of a rule on the grid as the earlier inferences leave it.
    Rule(Box<Match>),
}

impl Inference {
    /// Counts elementary inferences: one for each link or single; for a match, one plus the inferences of its cases.
    pub fn count(&self) -> u32 {
        match self {
            Inference::Links(chain) => chain.len().saturating_sub(1) as u32,
            Inference::Naked(_) | Inference::Hidden(..) => 1,
            Inference::Rule(found) => 1 + found.inferences(),
        }
    }
}

impl Match {
    /// Counts the inferences of all cases.
    pub fn inferences(&self) -> u32 {
        self.cases.iter().flat_map(|case| &case.inferences).map(Inference::count).sum()
    }
}

/// One of the matches that were merged into a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The member that matched. In a part of a `join`, the member of the rule that was joined.
    pub member: MemberId,
    /// A value for each name of the rule.
    pub bindings: Vec<Option<Value>>,
    /// The chain of this part.
    pub chain: Vec<ChainStep>,
    /// The cases of this part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<Case>,
}

/// Flags that end all searches in a state as soon as one flag is set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Halt {
    /// Set once the time is over.
    pub time: Option<&'static AtomicBool>,
    /// Set when there is no memory left.
    pub memory: Option<&'static AtomicBool>,
}

impl Halt {
    /// Returns the limit whose flag is set; the memory limit if both flags are set.
    pub fn due(self) -> Option<LimitHit> {
        for (flag, limit) in [(self.memory, LimitHit::Memory), (self.time, LimitHit::Time)] {
            if flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Some(limit);
            }
        }
        None
    }

    /// Returns true if a flag is set.
    pub fn is_due(self) -> bool {
        self.due().is_some()
    }

    fn addresses(self) -> [Option<*const AtomicBool>; 2] {
        [self.time, self.memory].map(|flag| flag.map(std::ptr::from_ref))
    }
}

impl PartialEq for Halt {
    /// Returns true if both values refer to the same flags.
    fn eq(&self, other: &Halt) -> bool {
        self.addresses() == other.addresses()
    }
}

impl Eq for Halt {}

/// Limits on the work of a search. The search reports each limit that was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of matches of one member in one state.
    pub matches: usize,
    /// Maximum number of machine instructions of one search.
    pub instructions: u64,
    /// Maximum number of strong links in a chain.
    pub chain_links: usize,
    /// Maximum number of cells of an almost locked set on boards of more than nine digits. Smaller boards have no
    /// limit.
    pub locked_cells: usize,
    /// Maximum number of steps of techniques under one assumption. Singles do not count.
    pub steps_per_assumption: usize,
    /// Maximum length of a chain, in candidates. Longer chains are not wanted, so no [`LimitHit`] is reported for them.
    pub max_length: u32,
    /// True to try also candidates that no chain of links can eliminate. This is slower and finds the same matches.
    pub ignore_reach: bool,
    /// True to report, for each assumption, the argument that was found first; false to report the shortest argument.
    pub first_found: bool,
    /// Flags that cancel the search.
    pub halt: Halt,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            matches: 100_000,
            instructions: 50_000_000,
            chain_links: 64,
            locked_cells: 6,
            steps_per_assumption: 200,
            max_length: u32::MAX,
            ignore_reach: false,
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
    /// The number of placements tried for the templates of a digit.
    Templates,
    /// [`Limits::locked_cells`].
    LockedCells,
    /// [`Limits::steps_per_assumption`].
    Suppositions,
    /// The number of loops through one link, or of rings with equal conclusions.
    Loops,
    /// The time of [`Limits::halt`].
    Time,
    /// The memory of [`Limits::halt`].
    Memory,
    /// The number of strong links of one state.
    Links,
    /// The number of nodes of chains in one state.
    Nodes,
}

/// The matches that a search returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// The first match in canonical order (see [`SearchOutcome::matches`]).
    First,
    /// Every match; of matches that differ only in a house, the first.
    All,
    /// Every match, including matches that differ from another match only in a house.
    AllWithDuplicates,
    /// The match that the search finds first, which need not have the shortest chain.
    AnyMatch,
    /// The effects of the match that the search finds first, without the inferences of its cases.
    AnyEffects,
    /// The effects of every match, in the order in which the search finds them, without the inferences of cases.
    AllEffects,
}

impl SearchMode {
    /// Returns true if one match is enough.
    pub fn wants_one(self) -> bool {
        !matches!(self, SearchMode::All | SearchMode::AllWithDuplicates | SearchMode::AllEffects)
    }

    /// Returns true if the inferences of cases are wanted.
    pub fn wants_cases(self) -> bool {
        !matches!(self, SearchMode::AnyEffects | SearchMode::AllEffects)
    }
}

/// The outcome of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchOutcome {
    /// The matches in canonical order: by length of the chain, shortest first, then in the order of the plan.
    pub matches: Vec<Match>,
    /// Limits that were hit.
    pub limits: Vec<LimitHit>,
}
