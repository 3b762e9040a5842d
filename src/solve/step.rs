//! One step of a solution as data. In: nothing. Out: [`Step`]: which rule, what its names stand for, what
//! follows and what it rests on. Words come into being in the renderers.

use super::standing::Soundness;
use crate::engine::{CaseEnd, ChainNode, ChainStep, MemberId, Value, Via};
use crate::grid::{Candidate, Cell, Contradiction, DigitSet, Geometry, HouseId, State};
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
    /// What it says in its headline, where its rule puts that in words, filled in.
    pub says: Option<String>,
    /// The author's sentence for why it holds, filled in.
    pub because: Option<String>,
    /// Candidates shown false, in order of cell, then digit.
    pub eliminations: Vec<Candidate>,
    /// Candidates shown true, in order of cell.
    pub placements: Vec<Candidate>,
    /// The chain from end to end, if there is one.
    pub chain: Vec<ChainStep>,
    /// What follows under each supposition, if it makes any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<CaseStep>,
    /// The steps that it joins, if it joins some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<Step>,
    /// What the step rests on.
    pub cites: Cites,
    /// Its price, where the profile has one.
    pub cost: Option<u32>,
    /// Whether the technique assumes that there is one solution.
    #[serde(default)]
    pub assumes_one_solution: bool,
    /// The soundness of its rule on this board.
    #[serde(default, skip_serializing_if = "Soundness::is_proved")]
    pub soundness: Soundness,
    /// Whether it is a guess, or takes one back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<Trial>,
    /// How many guesses made before it are open: it holds if all of them are right.
    #[serde(default)]
    pub guesses: usize,
}

/// A guess is no deduction: where no technique finds anything, something is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trial {
    /// The placement is tried.
    Guess,
    /// The guess made last came to this contradiction: the position before it is there again, without its candidate.
    TakenBack(Contradiction),
}

/// A case of a supposition with its inferences, as a tree: a step inside may suppose something itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseStep {
    /// The candidate, and whether it is supposed true.
    pub supposed: (Candidate, bool),
    /// In order; each holds on the position as it is by then.
    pub inferences: Vec<InnerStep>,
    /// How they end.
    pub end: CaseEnd,
    /// What makes the end so; where links lead to it, they say it themselves.
    pub since: Since,
}

impl CaseStep {
    /// Returns true if the case ends with a contradiction.
    pub fn is_contradiction(&self) -> bool {
        !matches!(self.end, CaseEnd::Shows(..))
    }
}

/// What was supposed or inferred before and took candidates away, in that order: the reason of what is last left.
pub type Since = Vec<(Candidate, bool)>;

/// An inference under a supposition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InnerStep {
    /// Links from what is supposed to the last node: that is true behind a strong link, else false.
    Links {
        /// The nodes.
        chain: Vec<ChainStep>,
        /// What its links rest on: the position of the supposition.
        cites: Cites,
    },
    /// The last candidate of its cell.
    Naked(Candidate, Since),
    /// The last place of its digit in the house.
    Hidden(Candidate, HouseId, Since),
    /// A step of a technique.
    Step(Box<Step>),
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
    /// Whether it is a name of its rule's chain or loop, which shows its value.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_chain: bool,
    /// Whether the rule puts it aside: either what it concludes holds, or one of these candidates is true.
    pub guards: bool,
    /// Whether its candidates stand in a circle, each next to the one before it and the last next to the first.
    #[serde(default, skip_serializing_if = "is_false")]
    pub circle: bool,
}

fn is_false(value: &bool) -> bool {
    !value
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

/// A link of a chain as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTold<'s> {
    /// The link.
    pub link: Link,
    /// What makes it, if a source of strong links does.
    pub via: Option<&'s Via>,
}

/// The links of a chain from its first node to its last, and of a loop the one back to the first; houses as they are cited.
pub fn links_told<'s>(chain: &'s [ChainStep], cites: &Cites) -> Vec<LinkTold<'s>> {
    let closing = chain.first().filter(|first| first.strong).zip(chain.last());
    let pairs = chain.windows(2).map(|pair| (&pair[0], &pair[1]));
    let told = |(from, to): (&ChainStep, &'s ChainStep)| {
        let same = |link: &&Link| link.from == from.node && link.to == to.node && link.strong == to.strong;
        let house = cites.links.iter().find(same).and_then(|link| link.house);
        let link = Link { from: from.node.clone(), to: to.node.clone(), strong: to.strong, house };
        LinkTold { link, via: to.via.as_ref() }
    };
    pairs.chain(closing.map(|(first, last)| (last, first))).map(told).collect()
}

impl Step {
    /// The candidates of a cited cell.
    pub fn digits_of(&self, cell: Cell) -> DigitSet {
        let cited = self.cites.cells.binary_search_by_key(&cell, |(cell, _)| *cell);
        cited.map_or(DigitSet::EMPTY, |at| self.cites.cells[at].1)
    }
}

/// Carries out what a step shows.
pub fn apply(step: &Step, geometry: &Geometry, state: &mut State) {
    carry_out((&step.eliminations, &step.placements), geometry, state);
}

/// Carries out eliminations, then placements.
pub(super) fn carry_out(shown: (&[Candidate], &[Candidate]), geometry: &Geometry, state: &mut State) {
    for &candidate in shown.0 {
        state.eliminate(candidate);
    }
    for placement in shown.1 {
        state.place(geometry, placement.cell, placement.digit);
    }
}
