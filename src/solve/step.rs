//! A step of a solution as data: [`Step`] has the values of the rule's names, the deductions, and the facts that prove
//! the deductions. `render` writes the sentences.

use super::proof_record::Soundness;
use crate::engine::{CaseEnd, ChainNode, ChainStep, MemberId, SourceMatch, Value};
use crate::grid::{Candidate, Cell, Contradiction, DigitSet, Geometry, HouseId, State};
use crate::proof::{Citation, CitedCase, CitedEnd, CitedInference, CitedStep};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub technique: String,
    /// The member of the technique that found the match.
    pub member: MemberId,
    /// Parameters of the rule with their values.
    pub args: Vec<(String, u32)>,
    /// Title of the rule's variant, if the variant has one.
    #[serde(rename = "case")]
    pub variant_title: Option<String>,
    /// Name of the rule, with its parameters.
    pub title: String,
    /// Name of this match: the title, or the name of its shape (`called` in the rule).
    pub name: String,
    /// Names of the rule with their values, in order of appearance.
    pub bindings: Vec<BoundName>,
    /// Conclusions of the rule, such as "one of these candidates is true". The eliminations follow from the conclusions.
    pub claims: Vec<Deduction>,
    /// The author's headline (`says`), filled in.
    pub says: Option<String>,
    /// The author's reason (`because`), filled in.
    pub because: Option<String>,
    /// Eliminated candidates, by cell, then digit.
    pub eliminations: Vec<Candidate>,
    /// Placed candidates, by cell.
    pub placements: Vec<Candidate>,
    /// Nodes of the chain from end to end; empty without a chain.
    pub chain: Vec<ChainStep>,
    /// The branches of a proof by cases; each supposes a literal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<CaseStep>,
    /// The steps that a rule with `join` combines; empty for other rules.
    #[serde(rename = "joined", default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Step>,
    /// Cells, houses and links that the step rests on.
    pub cites: Cites,
    /// Price, if the profile has one.
    pub cost: Option<u32>,
    /// True if the technique assumes that the puzzle has one solution.
    #[serde(default)]
    pub assumes_one_solution: bool,
    /// Soundness of the rule on this board.
    #[serde(default, skip_serializing_if = "Soundness::is_proved")]
    pub soundness: Soundness,
    /// Set if the step is a guess or takes a guess back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<Trial>,
    /// Number of guesses before the step that are not taken back. The step holds if these guesses are right.
    #[serde(default)]
    pub guesses: usize,
}

/// A step without a technique: a candidate is tried because no technique finds anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trial {
    Guess,
    /// Takes back the last guess after this contradiction: restores the position before the guess, without the guessed
    /// candidate.
    TakenBack(Contradiction),
}

/// A supposition with its inferences. An inference that is a step may have cases of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseStep {
    /// The candidate, and the truth value that is supposed for it.
    pub supposed: (Candidate, bool),
    /// Inferences in order. Each holds in the position after the inferences before it.
    pub inferences: Vec<InnerStep>,
    /// The contradiction, or the literal that the case shows.
    pub end: CaseEnd,
    /// Causes of the end; empty if the case uses links, because the printed chain shows the causes.
    #[serde(rename = "since")]
    pub causes: Causes,
}

impl CaseStep {
    /// Returns true if the case ends with a contradiction.
    pub fn is_contradiction(&self) -> bool {
        !matches!(self.end, CaseEnd::Shows(..))
    }

    fn cited(&self) -> CitedCase {
        let end = match &self.end {
            CaseEnd::Shows(candidate, holds) => CitedEnd::Shows(*candidate, *holds),
            CaseEnd::TrueAndFalse(node) => CitedEnd::TrueAndFalse(node.candidates().collect()),
            CaseEnd::EmptyCell(cell) => CitedEnd::EmptyCell(*cell),
            CaseEnd::EmptyHouse(house, digit) => CitedEnd::EmptyHouse(*house, *digit),
        };
        let inferences = self.inferences.iter().filter_map(InnerStep::cited).collect();
        CitedCase { supposed: self.supposed, inferences, end }
    }
}

/// Earlier literals of a case that eliminated candidates, in order. `true` marks a placed candidate. For example,
/// `r4c1 = 8` and `r7c7 = 2` are the causes if they leave r4c7 only one candidate.
pub type Causes = Vec<(Candidate, bool)>;

/// An inference under a supposition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InnerStep {
    /// Links from the supposition to the last node. The last node is true after a strong link and false after a weak
    /// link.
    Links {
        chain: Vec<ChainStep>,
        /// Cells, houses and links that the chain rests on, in the position of the supposition.
        cites: Cites,
    },
    /// The last candidate of its cell.
    Naked(Candidate, Causes),
    /// The last place of its digit in the house.
    Hidden(Candidate, HouseId, Causes),
    Step(Box<Step>),
}

impl InnerStep {
    fn cited(&self) -> Option<CitedInference> {
        Some(match self {
            InnerStep::Naked(candidate, _) => CitedInference::LastOfCell(*candidate),
            InnerStep::Hidden(candidate, house, _) => CitedInference::LastOfHouse(*candidate, *house),
            InnerStep::Step(step) => CitedInference::Step(Box::new(step.cited())),
            InnerStep::Links { chain, cites } => {
                let end = chain.last()?;
                CitedInference::Links(cites.cited(), (end.node.candidates().collect(), end.strong))
            }
        })
    }
}

/// A name of the rule with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundName {
    /// The name, as in the rule.
    pub name: String,
    pub value: Value,
    /// True if the rule chose the value; false if the value follows from other names.
    #[serde(rename = "free")]
    pub is_chosen: bool,
    /// True if the name stands in the rule's chain or loop. The printed chain then shows the value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_chain: bool,
    /// True for a set of guardians: if none of these candidates is true, the conclusion holds.
    #[serde(rename = "guards")]
    pub is_guardian: bool,
    /// True if the candidates form a ring: each is linked to the next, and the last to the first.
    #[serde(rename = "circle", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_ring: bool,
}

/// A conclusion with its candidates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deduction {
    /// At least one of the candidates is true.
    #[serde(rename = "Some")]
    AtLeastOne(Vec<Candidate>),
    /// All candidates are false.
    Eliminate(Vec<Candidate>),
    /// All candidates are true.
    Place(Vec<Candidate>),
}

/// The facts that a step rests on. The step can be checked from these facts alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cites {
    /// Cells with their candidates before the step, in board order.
    pub cells: Vec<(Cell, DigitSet)>,
    /// Houses, in board order.
    pub houses: Vec<HouseId>,
    pub links: Vec<CitedLink>,
}

/// A link of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitedLink {
    pub from: ChainNode,
    pub to: ChainNode,
    /// True for a strong link (not both false), false for a weak one (not both true).
    pub strong: bool,
    /// House of the link, if both nodes have the same digit in different cells.
    pub house: Option<HouseId>,
}

impl Cites {
    /// Strong links between sets are left out, because they follow from the cited cells and houses.
    fn cited(&self) -> Citation {
        let strong = self.links.iter().filter(|link| link.strong);
        let strong = strong.filter_map(|link| link.from.only().zip(link.to.only())).collect();
        Citation { cells: self.cells.clone(), houses: self.houses.clone(), strong }
    }
}

/// A link of a chain with the source that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcedLink<'s> {
    pub link: CitedLink,
    /// The match of the link source that makes the link, if the rule names its link sources (`strong: als`).
    pub source_match: Option<&'s SourceMatch>,
}

/// Returns true for a loop. Every node stores whether the link to it is strong. No link leads to the first node of an
/// open chain; a strong link leads from the last node of a loop to the first.
pub fn is_loop(chain: &[ChainStep]) -> bool {
    chain.first().is_some_and(|first| first.strong)
}

/// Returns consecutive nodes of a chain in pairs; for a loop also the last node with the first.
pub(super) fn chain_pairs(chain: &[ChainStep]) -> impl Iterator<Item = (&ChainStep, &ChainStep)> {
    let closing = if is_loop(chain) { chain.last().zip(chain.first()) } else { None };
    chain.windows(2).map(|pair| (&pair[0], &pair[1])).chain(closing)
}

/// Returns the links of a chain in order; for a loop also the link from the last node to the first. The houses come
/// from `cites`.
pub fn chain_links<'s>(chain: &'s [ChainStep], cites: &Cites) -> Vec<SourcedLink<'s>> {
    let links = chain_pairs(chain).map(|(from, to)| {
        let ends = (&from.node, &to.node, to.strong);
        let cited = cites.links.iter().find(|cited| (&cited.from, &cited.to, cited.strong) == ends);
        let house = cited.and_then(|cited| cited.house);
        let link = CitedLink { from: from.node.clone(), to: to.node.clone(), strong: to.strong, house };
        SourcedLink { link, source_match: to.source_match.as_ref() }
    });
    links.collect()
}

impl Step {
    /// Returns the placements, then the eliminations. `true` marks a placement.
    pub fn literals(&self) -> impl Iterator<Item = (Candidate, bool)> {
        let placements = self.placements.iter().map(|&candidate| (candidate, true));
        placements.chain(self.eliminations.iter().map(|&candidate| (candidate, false)))
    }

    /// Returns the candidates of a cited cell; empty for other cells.
    pub fn digits_of(&self, cell: Cell) -> DigitSet {
        let index = self.cites.cells.binary_search_by_key(&cell, |(cell, _)| *cell);
        index.map_or(DigitSet::EMPTY, |index| self.cites.cells[index].1)
    }

    /// Returns the step in the form that the proof checker reads.
    pub fn cited(&self) -> CitedStep {
        CitedStep {
            cites: self.cites.cited(),
            cases: self.cases.iter().map(CaseStep::cited).collect(),
            eliminations: self.eliminations.clone(),
            placements: self.placements.clone(),
            one_solution: self.assumes_one_solution,
        }
    }
}

/// Carries out the deductions of a step.
pub fn apply(step: &Step, geometry: &Geometry, state: &mut State) {
    carry_out(&step.eliminations, &step.placements, geometry, state);
}

pub(super) fn carry_out(eliminations: &[Candidate], placements: &[Candidate], geometry: &Geometry, state: &mut State) {
    for &candidate in eliminations {
        state.eliminate(candidate);
    }
    for candidate in placements {
        state.place(geometry, candidate.cell, candidate.digit);
    }
}
