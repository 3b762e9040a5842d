//! The cases of a step. In: cases of a match, and the state it was found in. Out: [`CaseStep`]s, each inference with its citations in the
//! position where it holds; and citations in the form that the proof checker reads.

use super::build::{cite_chain, step_of};
use super::step::{CaseStep, Cites, InnerStep, Since, Step, apply};
use crate::engine::{Case, CaseEnd, ChainStep, Inference};
use crate::grid::{Candidate, Cell, Digit, Geometry, HouseId, State};
use crate::lang::ir::Technique;
use crate::proof::{CaseCited, EndCited, InferenceCited, StepCited};
use std::collections::BTreeSet;

/// Turns the cases of a match into cases of a step.
pub(super) fn cases_of(cases: &[Case], techniques: &[Technique], geometry: &Geometry, state: &State) -> Vec<CaseStep> {
    cases.iter().map(|case| case_of(case, techniques, geometry, state)).collect()
}

fn case_of(case: &Case, techniques: &[Technique], geometry: &Geometry, state: &State) -> CaseStep {
    let mut position = CasePosition { geometry, start: state, now: state.clone(), literals: Vec::new() };
    position.suppose(case.supposed);
    let mut inferences = Vec::new();
    for inference in &case.inferences {
        let inner = match inference {
            Inference::Naked(one) => InnerStep::Naked(*one, position.since_cell(one.cell, Some(*one))),
            Inference::Hidden(one, house) => {
                InnerStep::Hidden(*one, *house, position.since_house(*house, one.digit, Some(*one)))
            }
            Inference::Rule(found) => InnerStep::Step(Box::new(step_of(found, techniques, geometry, &position.now))),
            Inference::Links(chain) => {
                InnerStep::Links { chain: chain.clone(), cites: cites_of_chain(chain, geometry, state) }
            }
        };
        position.carry_out(&inner);
        inferences.push(inner);
    }
    let linked = inferences.iter().any(|inner| matches!(inner, InnerStep::Links { .. }));
    let since = if linked { Since::new() } else { position.since_end(&case.end) };
    CaseStep { supposed: case.supposed, inferences, end: case.end.clone(), since }
}

/// The position under a supposition, with all literals so far.
struct CasePosition<'a> {
    geometry: &'a Geometry,
    start: &'a State,
    now: State,
    /// Literals that were supposed or inferred, in order.
    literals: Since,
}

impl CasePosition<'_> {
    fn suppose(&mut self, (candidate, holds): (Candidate, bool)) {
        if holds {
            self.now.place(self.geometry, candidate.cell, candidate.digit);
        } else {
            self.now.eliminate(candidate);
        }
        self.literals.push((candidate, holds));
    }

    /// Carries out the deductions of an inference.
    fn carry_out(&mut self, inner: &InnerStep) {
        match inner {
            InnerStep::Naked(candidate, _) | InnerStep::Hidden(candidate, ..) => self.suppose((*candidate, true)),
            InnerStep::Step(step) => {
                apply(step, self.geometry, &mut self.now);
                self.literals.extend(step.placements.iter().map(|&one| (one, true)));
                self.literals.extend(step.eliminations.iter().map(|&one| (one, false)));
            }
            InnerStep::Links { chain, .. } => {
                let Some(end) = chain.last() else { return };
                match (end.strong, end.node.only()) {
                    (true, Some(one)) => self.suppose((one, true)),
                    (true, None) => {}
                    (false, _) => end.node.candidates().for_each(|one| self.suppose((one, false))),
                }
            }
        }
    }

    /// Returns the literals that eliminated the candidates of a cell, except one.
    fn since_cell(&self, cell: Cell, but: Option<Candidate>) -> Since {
        let here = self.start.candidates(cell).iter().map(|digit| Candidate::new(digit, cell));
        self.since(here.filter(|&one| Some(one) != but))
    }

    /// Returns the literals that eliminated the places of a digit in a house, except one.
    fn since_house(&self, house: HouseId, digit: Digit, but: Option<Candidate>) -> Since {
        let places = self.geometry.house(house).cells.iter().map(|&cell| Candidate::new(digit, cell));
        self.since(places.filter(|&one| Some(one) != but && self.start.has(one)))
    }

    fn since_end(&self, end: &CaseEnd) -> Since {
        match end {
            CaseEnd::EmptyCell(cell) => self.since_cell(*cell, None),
            CaseEnd::EmptyHouse(house, digit) => self.since_house(*house, *digit, None),
            // An inferred literal needs no other reason.
            CaseEnd::Shows(one, false) if !self.literals.contains(&(*one, false)) => self.since(std::iter::once(*one)),
            CaseEnd::Shows(..) | CaseEnd::Both(_) => Since::new(),
        }
    }

    /// Returns the first literal that eliminates each of these candidates, in order.
    fn since(&self, eliminated: impl Iterator<Item = Candidate>) -> Since {
        let reasons =
            eliminated.filter_map(|one| self.literals.iter().position(|&literal| self.excludes(literal, one)));
        reasons.collect::<BTreeSet<usize>>().into_iter().map(|at| self.literals[at]).collect()
    }

    /// Returns true if a literal excludes a candidate.
    fn excludes(&self, (known, holds): (Candidate, bool), one: Candidate) -> bool {
        let other_digit = known.cell == one.cell && known.digit != one.digit;
        let other_cell = known.digit == one.digit && self.geometry.sees(known.cell, one.cell);
        if holds { other_digit || other_cell } else { known == one }
    }
}

/// Returns the citations of a chain. Its links hold in the position of the supposition, whatever was inferred before.
fn cites_of_chain(chain: &[ChainStep], geometry: &Geometry, state: &State) -> Cites {
    let (mut cells, mut houses, mut links) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    cite_chain(geometry, state, chain, &mut cells, &mut houses, &mut links);
    houses.extend(links.iter().filter(|link| link.strong).filter_map(|link| link.house));
    Cites {
        cells: cells.into_iter().map(|cell| (cell, state.candidates(cell))).collect(),
        houses: houses.into_iter().collect(),
        links,
    }
}

impl Step {
    /// Returns the step in the form that the proof checker reads.
    pub fn cited(&self) -> StepCited {
        StepCited {
            cells: self.cites.cells.clone(),
            houses: self.cites.houses.clone(),
            strong: self.cites.strong_pairs(),
            cases: self.cases.iter().map(CaseStep::cited).collect(),
            eliminations: self.eliminations.clone(),
            placements: self.placements.clone(),
            one_solution: self.assumes_one_solution,
        }
    }
}

impl CaseStep {
    fn cited(&self) -> CaseCited {
        let end = match &self.end {
            CaseEnd::Shows(candidate, holds) => EndCited::Shows(*candidate, *holds),
            CaseEnd::Both(node) => EndCited::Both(node.candidates().collect()),
            CaseEnd::EmptyCell(cell) => EndCited::EmptyCell(*cell),
            CaseEnd::EmptyHouse(house, digit) => EndCited::EmptyHouse(*house, *digit),
        };
        let inferences = self.inferences.iter().filter_map(InnerStep::cited).collect();
        CaseCited { supposed: self.supposed, inferences, end }
    }
}

impl InnerStep {
    fn cited(&self) -> Option<InferenceCited> {
        Some(match self {
            InnerStep::Naked(candidate, _) => InferenceCited::LastOfCell(*candidate),
            InnerStep::Hidden(candidate, house, _) => InferenceCited::LastOfHouse(*candidate, *house),
            InnerStep::Step(step) => InferenceCited::Step(Box::new(step.cited())),
            InnerStep::Links { chain, cites } => {
                let end = chain.last()?;
                InferenceCited::Links {
                    cells: cites.cells.clone(),
                    houses: cites.houses.clone(),
                    strong: cites.strong_pairs(),
                    end: (end.node.candidates().collect(), end.strong),
                }
            }
        })
    }
}
