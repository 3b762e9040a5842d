//! Steps and paths as records, for JSON and RON. In: steps and paths. Out: records with texts in Sudoku notation. Rows,
//! columns and digits are counted from one. A step inside a case is an ordinary [`StepRecord`].

use super::names::BoardNames;
use super::text::StepWords;
use crate::engine::{CaseEnd, ChainStep, FamilyIndex, SourceMatch, Value};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State, draw};
use crate::solve::{
    BoundName, CaseStep, CitedLink, Cites, Cut, InnerStep, Outcome, Path, PathCost, Step, Trial, chain_links,
    value_text,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A candidate, or a deduction about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CandidateRecord {
    /// `r5c6<>1`, `r5c6=1` or `(1)r5c6`.
    pub text: String,
    /// `r5c6`.
    pub cell: String,
    /// Row, from one.
    pub row: usize,
    /// Column, from one.
    pub column: usize,
    /// Digit, from one; texts write 10 as `A`.
    pub digit: usize,
}

/// A cell with its candidates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellRecord {
    /// `r5c6`.
    pub cell: String,
    /// Row, from one.
    pub row: usize,
    /// Column, from one.
    pub column: usize,
    /// Candidates before the step, from one.
    pub candidates: Vec<usize>,
}

/// A name of the rule with its value. The fields for other kinds of values are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BindingRecord {
    /// The name, as in the rule.
    pub name: String,
    /// The value in Sudoku notation.
    pub text: String,
    /// Digits, from one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub digits: Vec<usize>,
    /// Cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellRecord>,
    /// Names of houses: `row 5`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub houses: Vec<String>,
    /// Candidates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<CandidateRecord>,
}

/// A link of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRecord {
    /// Candidates of the first node.
    pub from: Vec<CandidateRecord>,
    /// Candidates of the second node.
    pub to: Vec<CandidateRecord>,
    /// True for a strong link (not both false), false for a weak one (not both true).
    pub strong: bool,
    /// The house of the link; `None` within a cell.
    pub house: Option<String>,
    /// Name of the link source that makes a strong link, if the rule names its link sources (`strong: als`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Cells in which the link source matched: `r12c3`.
    #[serde(rename = "over", default, skip_serializing_if = "Option::is_none")]
    pub source_cells: Option<String>,
}

/// A step of a solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The name of the step.
    pub name: String,
    /// Id of the rule.
    pub technique: String,
    /// Parameters of the rule.
    pub args: BTreeMap<String, u32>,
    /// Title of the rule's variant.
    #[serde(rename = "case")]
    pub variant_title: Option<String>,
    /// Headline of the step.
    pub text: String,
    /// Reason of the step.
    pub reason: String,
    /// Placements and eliminations: `r5c46<>3`.
    pub deductions: String,
    /// Placed candidates.
    pub placements: Vec<CandidateRecord>,
    /// Eliminated candidates.
    pub eliminations: Vec<CandidateRecord>,
    /// Values of the rule's names.
    pub bindings: Vec<BindingRecord>,
    /// The chain in Eureka notation.
    pub chain: Option<String>,
    /// The links of the chain.
    pub links: Vec<LinkRecord>,
    /// Cells that the step rests on.
    pub cells: Vec<CellRecord>,
    /// Houses that the step rests on.
    pub houses: Vec<String>,
    /// Price in the profile.
    pub cost: Option<u32>,
    /// Cases under suppositions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<CaseRecord>,
    /// Steps that a rule with `join` combines.
    #[serde(rename = "joined", default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<StepRecord>,
    /// True if the rule assumes that the puzzle has one solution.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_solution: bool,
    /// `unproved` or `refuted`, if the rule is not proved on this board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soundness: Option<String>,
    /// `made` or `taken back`, if the step is a guess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<String>,
    /// Number of guesses that the step rests on.
    #[serde(rename = "rests_on_guesses", default, skip_serializing_if = "is_zero")]
    pub guess_count: usize,
}

/// A supposition with its inferences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// The supposition: `r4c5=3` or `r4c5<>3`.
    pub supposed: CandidateRecord,
    /// Inferences in order. Each holds in the position after the inferences before it.
    pub inferences: Vec<InferenceRecord>,
    /// The end of the case, in words.
    pub end: String,
    /// True if the case ends with a contradiction.
    pub contradiction: bool,
    /// The conclusion of a case without contradiction.
    pub shows: Option<CandidateRecord>,
    /// Earlier literals of the case that lead to its end.
    #[serde(rename = "since", default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<CandidateRecord>,
}

/// An inference under a supposition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InferenceRecord {
    /// `links`, `last candidate`, `last place` or `step`.
    pub kind: String,
    /// The inference in one line.
    pub text: String,
    /// Deductions of the inference.
    pub shows: Vec<CandidateRecord>,
    /// For a last candidate or a last place: earlier literals that eliminate the other candidates or places.
    #[serde(rename = "since", default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<CandidateRecord>,
    /// For `links`: the chain in Eureka notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<String>,
    /// For `links`: each link.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkRecord>,
    /// For `step`: the step of a technique.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Box<StepRecord>>,
}

/// A solution path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathRecord {
    /// `solved`, `stuck` or `broken`.
    pub outcome: String,
    /// Reason why the grid has no solution, if that was found.
    pub contradiction: Option<String>,
    /// Values at the start, row by row; `.` for an empty cell.
    pub start: String,
    /// Values at the end.
    pub end: String,
    /// Candidates at the end, row by row, unless the grid is solved; a solved cell lists its value.
    pub candidates: Option<Vec<String>>,
    /// Steps, in order.
    pub steps: Vec<StepRecord>,
    /// Price of the path.
    pub cost: PathCost,
    /// Searches that a limit cut short.
    pub cuts: Vec<Cut>,
    /// First step that contradicts the solution, if a wrong rule made such a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_step: Option<WrongRecord>,
    /// Result of checking every step again, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<VerifiedRecord>,
}

/// A step that contradicts the solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongRecord {
    /// Number of the step, from 1.
    pub step: usize,
    /// Id of its rule.
    pub technique: String,
    /// A sentence about the step.
    pub text: String,
}

/// Result of checking the steps of a path without the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifiedRecord {
    /// Number of correct steps before the first wrong step.
    pub steps: usize,
    /// Number of correct steps that assume one solution. Such a step does not follow from its cited facts, so the step is
    /// only compared with the solution.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub one_solution: usize,
    /// Number of correct steps that are guesses or rest on a guess. These steps are not compared with the solution.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub guesses: usize,
    /// The fault of the first wrong step; `None` if all steps are correct.
    pub wrong: Option<String>,
}

fn is_zero(value: &usize) -> bool {
    *value == 0
}

impl StepRecord {
    /// Records a step.
    pub fn new(geometry: &Geometry, step: &Step) -> StepRecord {
        let words = StepWords::new(geometry, step);
        let names = words.names;
        StepRecord {
            name: step.name.clone(),
            technique: step.technique.clone(),
            args: step.args.iter().cloned().collect(),
            variant_title: step.variant_title.clone(),
            text: words.headline().to_string(),
            reason: words.reason(),
            deductions: names.deductions(&step.eliminations, &step.placements),
            placements: names.literal_records(step.placements.iter().map(|&candidate| (candidate, true))),
            eliminations: names.literal_records(step.eliminations.iter().map(|&candidate| (candidate, false))),
            bindings: step.bindings.iter().map(|binding| words.binding_record(binding)).collect(),
            chain: (!step.chain.is_empty()).then(|| names.chain(&step.chain)),
            links: names.link_records(&step.chain, &step.cites),
            cells: step.cites.cells.iter().map(|(cell, _)| words.cell_record(*cell)).collect(),
            houses: step.cites.houses.iter().map(|&house| names.house(house)).collect(),
            cost: step.cost,
            cases: step.cases.iter().map(|case| names.case_record(case)).collect(),
            parts: step.parts.iter().map(|part| StepRecord::new(geometry, part)).collect(),
            one_solution: step.assumes_one_solution,
            soundness: (!step.soundness.is_proved()).then(|| step.soundness.word().into()),
            guess: step.trial.map(|trial| if trial == Trial::Guess { "made" } else { "taken back" }.into()),
            guess_count: step.guesses,
        }
    }
}

impl PathRecord {
    /// Records a path, without `wrong_step` and `verified`.
    pub fn new(geometry: &Geometry, path: &Path) -> PathRecord {
        let (outcome, contradiction) = match path.outcome {
            Outcome::Solved => ("solved", None),
            Outcome::Stuck => ("stuck", None),
            Outcome::Broken(contradiction) => ("broken", Some(BoardNames::new(geometry).contradiction(contradiction))),
        };
        PathRecord {
            outcome: outcome.into(),
            contradiction,
            start: draw::values_line(geometry, &path.start),
            end: draw::values_line(geometry, &path.end),
            candidates: (path.outcome != Outcome::Solved).then(|| candidate_lists(geometry, &path.end)),
            steps: path.steps.iter().map(|step| StepRecord::new(geometry, step)).collect(),
            cost: path.cost.clone(),
            cuts: path.cuts.clone(),
            wrong_step: None,
            verified: None,
        }
    }
}

fn candidate_lists(geometry: &Geometry, state: &State) -> Vec<String> {
    let digits = geometry.cells().map(|cell| state.value(cell).map_or(state.candidates(cell), DigitSet::single));
    digits.map(|digits| digits.iter().map(Digit::symbol).collect()).collect()
}

fn numbers(digits: DigitSet) -> Vec<usize> {
    digits.iter().map(number).collect()
}

fn number(digit: Digit) -> usize {
    digit.index() + 1
}

impl StepWords<'_> {
    fn cell_record(self, cell: Cell) -> CellRecord {
        CellRecord {
            cell: self.names.cell(cell),
            row: self.names.board.row(cell) + 1,
            column: self.names.board.column(cell) + 1,
            candidates: numbers(self.step.digits_of(cell)),
        }
    }

    fn binding_record(self, binding: &BoundName) -> BindingRecord {
        let text = value_text(&binding.value, self.names.board);
        let mut record = BindingRecord { name: binding.name.clone(), text, ..BindingRecord::default() };
        match &binding.value {
            Value::Digits(digits) => record.digits = numbers(*digits),
            Value::Cells(cells) => record.cells = cells.iter().map(|&cell| self.cell_record(cell)).collect(),
            Value::Houses(houses) => record.houses = houses.iter().map(|&house| self.names.house(house)).collect(),
            Value::Candidates(list) => {
                record.candidates = list.iter().map(|&candidate| self.names.candidate_record(candidate)).collect();
            }
            Value::Family(members) => {
                for (index, cells) in members {
                    if let FamilyIndex::Digit(digit) = index {
                        record.digits.push(number(*digit));
                    }
                    record.cells.extend(cells.iter().map(|&cell| self.cell_record(cell)));
                }
            }
            Value::Places(places) => {
                record.digits = places.iter().map(|(_, digit)| number(*digit)).collect();
                record.houses = places.iter().map(|(house, _)| self.names.house(*house)).collect();
            }
            Value::Number(_) => {}
        }
        record
    }
}

impl BoardNames<'_> {
    fn record_with_text(self, text: String, candidate: Candidate) -> CandidateRecord {
        CandidateRecord {
            text,
            cell: self.cell(candidate.cell),
            row: self.board.row(candidate.cell) + 1,
            column: self.board.column(candidate.cell) + 1,
            digit: number(candidate.digit),
        }
    }

    /// Records a candidate, named `(5)r1c1`.
    pub fn candidate_record(self, candidate: Candidate) -> CandidateRecord {
        self.record_with_text(self.candidates(&[candidate]), candidate)
    }

    /// Records a deduction, `r1c1=5` or `r1c1<>5`.
    fn literal_record(self, (candidate, placed): (Candidate, bool)) -> CandidateRecord {
        self.record_with_text(self.deduction(candidate, placed), candidate)
    }

    fn literal_records(self, literals: impl IntoIterator<Item = (Candidate, bool)>) -> Vec<CandidateRecord> {
        literals.into_iter().map(|literal| self.literal_record(literal)).collect()
    }

    /// Records the links of a chain, then the other cited links. A step of several matches cites the links of all their
    /// chains.
    fn link_records(self, chain: &[ChainStep], cites: &Cites) -> Vec<LinkRecord> {
        let chain_links = chain_links(chain, cites);
        let mut records: Vec<LinkRecord> =
            chain_links.iter().map(|chain_link| self.link_record(&chain_link.link, chain_link.source_match)).collect();
        let other_links =
            cites.links.iter().filter(|link| chain_links.iter().all(|chain_link| chain_link.link != **link));
        records.extend(other_links.map(|link| self.link_record(link, None)));
        records
    }

    fn link_record(self, link: &CitedLink, source_match: Option<&SourceMatch>) -> LinkRecord {
        LinkRecord {
            from: link.from.candidates().map(|candidate| self.candidate_record(candidate)).collect(),
            to: link.to.candidates().map(|candidate| self.candidate_record(candidate)).collect(),
            strong: link.strong,
            house: link.house.map(|house: HouseId| self.house(house)),
            source: source_match.map(|source_match| source_match.source.clone()),
            source_cells: match source_match {
                Some(source_match) if !source_match.cells.is_empty() => Some(self.cells(&source_match.cells)),
                _ => None,
            },
        }
    }

    fn case_record(self, case: &CaseStep) -> CaseRecord {
        CaseRecord {
            supposed: self.literal_record(case.supposed),
            inferences: case.inferences.iter().map(|inner| self.inference_record(inner)).collect(),
            end: self.case_end(case),
            contradiction: case.is_contradiction(),
            shows: match case.end {
                CaseEnd::Shows(candidate, holds) => Some(self.literal_record((candidate, holds))),
                _ => None,
            },
            causes: self.literal_records(case.causes.iter().copied()),
        }
    }

    fn inference_record(self, inner: &InnerStep) -> InferenceRecord {
        let mut record = InferenceRecord { text: self.inference(inner), ..InferenceRecord::default() };
        match inner {
            InnerStep::Naked(placed, causes) | InnerStep::Hidden(placed, _, causes) => {
                let kind = if matches!(inner, InnerStep::Naked(..)) { "last candidate" } else { "last place" };
                record.kind = kind.into();
                record.shows = vec![self.literal_record((*placed, true))];
                record.causes = self.literal_records(causes.iter().copied());
            }
            InnerStep::Links { chain, cites } => {
                record.kind = "links".into();
                record.chain = Some(self.chain(chain));
                record.links = self.link_records(chain, cites);
                // A strong link to a node of several candidates does not show which of them is true.
                if let Some(end) = chain.last()
                    && (!end.strong || end.node.cells.len() == 1)
                {
                    let literals = end.node.candidates().map(|candidate| (candidate, end.strong));
                    record.shows = self.literal_records(literals);
                }
            }
            InnerStep::Step(step) => {
                record.kind = "step".into();
                record.shows = self.literal_records(step.literals());
                record.step = Some(Box::new(StepRecord::new(self.board, step)));
            }
        }
        record
    }
}
