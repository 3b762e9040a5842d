//! One step of a solution as data. In: nothing. Out: [`Step`]: which rule, what its names stand for, what
//! follows and what it rests on. Words come into being in the renderers.

use crate::engine::{ChainNode, ChainStep, MemberId, Value};
use crate::grid::{Candidate, Cell, DigitSet, HouseId};
use serde::{Deserialize, Serialize};

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Id of the technique.
    pub technique: String,
    /// The member it is of.
    pub member: MemberId,
    /// The values of the parameters with their names.
    pub args: Vec<(String, u32)>,
    /// The case, by its title.
    pub case: Option<String>,
    /// The rule's own name, parameters filled in.
    pub title: String,
    /// What this match is called: the title, or a name by shape.
    pub name: String,
    /// The names of the rule, in order of appearance.
    pub bindings: Vec<Binding>,
    /// What follows from the pattern, as the rule says it.
    pub claims: Vec<Deduction>,
    /// The author's sentence, filled in.
    pub because: Option<String>,
    /// Candidates shown false, in order of cell, then digit.
    pub eliminations: Vec<Candidate>,
    /// Candidates shown true, in order of cell.
    pub placements: Vec<Candidate>,
    /// The chain from end to end, if there is one.
    pub chain: Vec<ChainStep>,
    /// What the step rests on.
    pub cites: Cites,
    /// Its price, where the profile has one.
    pub cost: Option<u32>,
}

/// A name and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// As in the rule.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Whether the rule chose or bound it; the rest is worked out from other names.
    pub free: bool,
    /// Whether the rule concludes about it.
    pub concluded: bool,
}

/// A conclusion with its candidates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deduction {
    /// One of these is true.
    Some(Vec<Candidate>),
    /// All of these are false.
    Eliminate(Vec<Candidate>),
    /// All of these are true.
    Place(Vec<Candidate>),
}

/// What a step rests on: enough to check it without the rest of the puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cites {
    /// Cells with their candidates at the time, in board order.
    pub cells: Vec<(Cell, DigitSet)>,
    /// Houses, in board order.
    pub houses: Vec<HouseId>,
    /// Links of the chain, in its order.
    pub links: Vec<Link>,
}

/// A link of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// One end.
    pub from: ChainNode,
    /// The other.
    pub to: ChainNode,
    /// Whether not both are false (strong) or not both true (weak).
    pub strong: bool,
    /// The house it lies in, if both ends are one digit in different cells.
    pub house: Option<HouseId>,
}

impl Cites {
    /// The ends of the strong links of single candidates; a link of sets follows from the cells and houses that are cited
    /// with it.
    pub fn strong_pairs(&self) -> Vec<(Candidate, Candidate)> {
        let strong = self.links.iter().filter(|link| link.strong);
        strong.filter_map(|link| link.from.only().zip(link.to.only())).collect()
    }
}

impl Step {
    /// The candidates of a cited cell.
    pub fn digits_of(&self, cell: Cell) -> DigitSet {
        let cited = self.cites.cells.binary_search_by_key(&cell, |(cell, _)| *cell);
        cited.map_or(DigitSet::EMPTY, |at| self.cites.cells[at].1)
    }
}
