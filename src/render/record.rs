//! Steps and paths for machines. In: the same data that the text is made of. Out: records that serialize to
//! JSON and RON and back: the field's notation as text, and the same as numbers (all counted from one).

use super::case_record::CaseRecord;
use super::eureka::eureka;
use super::reason::reason;
use super::text::headline;
use super::words::contradiction_words;
use crate::engine::{ChainStep, FamilyIndex, Value, Via};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State, draw, notation};
use crate::solve::{Binding, Cites, Cost, Cut, Link, Outcome, Path, Step, Trial, links_told};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A digit in a cell, or what is shown of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkRecord {
    /// `r5c6<>1`, `r5c6=1` or `(1)r5c6`.
    pub text: String,
    /// `r5c6`.
    pub cell: String,
    /// From one.
    pub row: usize,
    /// From one.
    pub column: usize,
    /// From one; 10 is written `A`.
    pub digit: usize,
}

/// A cell with its candidates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellRecord {
    /// `r5c6`.
    pub cell: String,
    /// From one.
    pub row: usize,
    /// From one.
    pub column: usize,
    /// Its candidates before the step.
    pub candidates: Vec<usize>,
}

/// A name of the rule and what it stands for: the fields that its kind has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BindingRecord {
    /// As in the rule.
    pub name: String,
    /// The value in the field's notation.
    pub text: String,
    /// Digits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub digits: Vec<usize>,
    /// Cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellRecord>,
    /// Houses by name, `row 5`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub houses: Vec<String>,
    /// Candidates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<MarkRecord>,
}

/// A link of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRecord {
    /// One end: the candidates of the node.
    pub from: Vec<MarkRecord>,
    /// The other.
    pub to: Vec<MarkRecord>,
    /// Strong: not both false. Weak: not both true.
    pub strong: bool,
    /// The house it lies in; none within a cell.
    pub house: Option<String>,
    /// Of a strong link the source that has it, where a rule names sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The cells that it rests on, `r12c3`, where it rests on cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The name of the step.
    pub name: String,
    /// Id of the rule.
    pub technique: String,
    /// The rule's parameters.
    pub args: BTreeMap<String, u32>,
    /// The rule's case.
    pub case: Option<String>,
    /// The step in one line.
    pub text: String,
    /// Why it holds.
    pub reason: String,
    /// Its placements and eliminations, such as `r5c46<>3`.
    pub deductions: String,
    /// Candidates that are placed.
    pub placements: Vec<MarkRecord>,
    /// Candidates that are eliminated.
    pub eliminations: Vec<MarkRecord>,
    /// What the rule's names stand for.
    pub bindings: Vec<BindingRecord>,
    /// The chain in Eureka notation.
    pub chain: Option<String>,
    /// The links of the chain.
    pub links: Vec<LinkRecord>,
    /// Cells that the step rests on.
    pub cells: Vec<CellRecord>,
    /// Houses that the step rests on.
    pub houses: Vec<String>,
    /// Its price in the profile.
    pub cost: Option<u32>,
    /// What follows under each supposition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<CaseRecord>,
    /// The steps that it joins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<StepRecord>,
    /// Whether it assumes that the puzzle has one solution.
    #[serde(default, skip_serializing_if = "is_false")]
    pub one_solution: bool,
    /// `unproved` or `refuted`, of a rule that is not proved on this board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soundness: Option<String>,
    /// `made` or `taken back`, if it is a guess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<String>,
    /// How many guesses it rests on.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rests_on_guesses: usize,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &usize) -> bool {
    *value == 0
}

/// A path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathRecord {
    /// `solved`, `stuck` or `broken`.
    pub outcome: String,
    /// What is wrong with a broken grid.
    pub contradiction: Option<String>,
    /// The values at the start, row by row, `.` where there is none.
    pub start: String,
    /// The values at the end.
    pub end: String,
    /// The candidates at the end, row by row; a solved cell has its value. Only where it is not solved.
    pub candidates: Option<Vec<String>>,
    /// The steps.
    pub steps: Vec<StepRecord>,
    /// What it cost.
    pub cost: Cost,
    /// Searches that a limit cut short.
    pub cuts: Vec<Cut>,
    /// The first step that contradicts the solution, if a wrong rule made one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_step: Option<WrongRecord>,
    /// What checking every step again gave, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<VerifiedRecord>,
}

/// A step that contradicts the solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongRecord {
    /// Its number, from 1.
    pub step: usize,
    /// Id of its rule.
    pub technique: String,
    /// A sentence about it.
    pub text: String,
}

/// The steps of a path checked without the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifiedRecord {
    /// How many steps hold, from the first on.
    pub steps: usize,
    /// How many of them rest on one solution: what they cite is there, and they agree with the solution.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub one_solution: usize,
    /// How many of them are guesses, taken back or not, or rest on a guess: those are not compared with the solution.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub guesses: usize,
    /// What is wrong with the one after them.
    pub wrong: Option<String>,
}

impl StepRecord {
    /// The record of a step.
    pub fn new(geometry: &Geometry, step: &Step) -> StepRecord {
        let see = Records { geometry, step };
        StepRecord {
            name: step.name.clone(),
            technique: step.technique.clone(),
            args: step.args.iter().cloned().collect(),
            case: step.case.clone(),
            text: headline(geometry, step).to_string(),
            reason: reason(geometry, step),
            deductions: notation::deductions(geometry, &step.eliminations, &step.placements),
            placements: step.placements.iter().map(|&candidate| see.shown(candidate, true)).collect(),
            eliminations: step.eliminations.iter().map(|&candidate| see.shown(candidate, false)).collect(),
            bindings: step.bindings.iter().map(|binding| see.binding(binding)).collect(),
            chain: (!step.chain.is_empty()).then(|| eureka(geometry, &step.chain)),
            links: links(geometry, &step.chain, &step.cites),
            cells: step.cites.cells.iter().map(|(cell, _)| see.cell(*cell)).collect(),
            houses: see.houses(&step.cites.houses),
            cost: step.cost,
            cases: step.cases.iter().map(|case| CaseRecord::new(geometry, case)).collect(),
            joined: step.joined.iter().map(|part| StepRecord::new(geometry, part)).collect(),
            one_solution: step.assumes_one_solution,
            soundness: (!step.soundness.is_proved()).then(|| step.soundness.word().into()),
            guess: step.trial.map(|trial| if trial == Trial::Guess { "made" } else { "taken back" }.into()),
            rests_on_guesses: step.guesses,
        }
    }
}

impl PathRecord {
    /// The record of a path.
    pub fn new(geometry: &Geometry, path: &Path) -> PathRecord {
        let (outcome, contradiction) = match path.outcome {
            Outcome::Solved => ("solved", None),
            Outcome::Stuck => ("stuck", None),
            Outcome::Broken(found) => ("broken", Some(contradiction_words(geometry, found))),
        };
        PathRecord {
            outcome: outcome.into(),
            contradiction,
            start: draw::line(geometry, &path.start),
            end: draw::line(geometry, &path.end),
            candidates: (path.outcome != Outcome::Solved).then(|| candidates(geometry, &path.end)),
            steps: path.steps.iter().map(|step| StepRecord::new(geometry, step)).collect(),
            cost: path.cost.clone(),
            cuts: path.cuts.clone(),
            wrong_step: None,
            verified: None,
        }
    }
}

fn candidates(geometry: &Geometry, state: &State) -> Vec<String> {
    let cell = |cell| state.value(cell).map_or(state.candidates(cell), DigitSet::single);
    geometry.cells().map(|at| cell(at).iter().map(Digit::symbol).collect()).collect()
}

fn mark(geometry: &Geometry, text: String, candidate: Candidate) -> MarkRecord {
    MarkRecord {
        text,
        cell: notation::cell(geometry, candidate.cell),
        row: geometry.row(candidate.cell) + 1,
        column: geometry.column(candidate.cell) + 1,
        digit: candidate.digit.index() + 1,
    }
}

/// A candidate of which nothing is shown.
pub(super) fn candidate(geometry: &Geometry, candidate: Candidate) -> MarkRecord {
    mark(geometry, notation::candidates(geometry, &[candidate]), candidate)
}

/// A candidate that is shown true or false.
pub(super) fn shown(geometry: &Geometry, candidate: Candidate, place: bool) -> MarkRecord {
    mark(geometry, notation::deduction(geometry, candidate, place), candidate)
}

fn node(geometry: &Geometry, candidate: Candidate) -> MarkRecord {
    mark(geometry, format!("({}){}", candidate.digit, notation::cell(geometry, candidate.cell)), candidate)
}

/// The links of a chain, then others that are cited: where a step was put together of two, those of the second.
pub(super) fn links(geometry: &Geometry, chain: &[ChainStep], cites: &Cites) -> Vec<LinkRecord> {
    let record = |link: &Link, via: Option<&Via>| LinkRecord {
        from: link.from.candidates().map(|one| node(geometry, one)).collect(),
        to: link.to.candidates().map(|one| node(geometry, one)).collect(),
        strong: link.strong,
        house: link.house.map(|id| geometry.house(id).to_string()),
        source: via.map(|via| via.source.clone()),
        over: via.filter(|via| !via.cells.is_empty()).map(|via| notation::cells(geometry, &via.cells)),
    };
    let told = links_told(chain, cites);
    let others = cites.links.iter().filter(|link| told.iter().all(|one| one.link != **link));
    told.iter().map(|one| record(&one.link, one.via)).chain(others.map(|link| record(link, None))).collect()
}

struct Records<'a> {
    geometry: &'a Geometry,
    step: &'a Step,
}

impl Records<'_> {
    fn shown(&self, candidate: Candidate, place: bool) -> MarkRecord {
        shown(self.geometry, candidate, place)
    }

    fn node(&self, candidate: Candidate) -> MarkRecord {
        node(self.geometry, candidate)
    }

    fn cell(&self, cell: Cell) -> CellRecord {
        CellRecord {
            cell: notation::cell(self.geometry, cell),
            row: self.geometry.row(cell) + 1,
            column: self.geometry.column(cell) + 1,
            candidates: numbers(self.step.digits_of(cell)),
        }
    }

    fn houses(&self, houses: &[HouseId]) -> Vec<String> {
        houses.iter().map(|&id| self.geometry.house(id).to_string()).collect()
    }

    fn binding(&self, binding: &Binding) -> BindingRecord {
        let text = crate::solve::text_of(&binding.value, self.geometry);
        let mut record = BindingRecord { name: binding.name.clone(), text, ..BindingRecord::default() };
        match &binding.value {
            Value::Digits(digits) => record.digits = numbers(*digits),
            Value::Cells(cells) => record.cells = cells.iter().map(|&cell| self.cell(cell)).collect(),
            Value::Houses(houses) => record.houses = self.houses(houses),
            Value::Candidates(candidates) => {
                record.candidates = candidates.iter().map(|&candidate| self.node(candidate)).collect();
            }
            Value::Family(members) => {
                let digit = |index: &FamilyIndex| match index {
                    FamilyIndex::Digit(digit) => Some(digit.index() + 1),
                    FamilyIndex::Cell(_) => None,
                };
                record.digits = members.iter().filter_map(|(index, _)| digit(index)).collect();
                record.cells = members.iter().flat_map(|(_, cells)| cells).map(|&cell| self.cell(cell)).collect();
            }
            Value::Places(places) => {
                record.digits = places.iter().map(|(_, digit)| digit.index() + 1).collect();
                record.houses = places.iter().map(|(house, _)| self.geometry.house(*house).to_string()).collect();
            }
            Value::Number(_) => {}
        }
        record
    }
}

fn numbers(digits: DigitSet) -> Vec<usize> {
    digits.iter().map(|digit| digit.index() + 1).collect()
}
