//! The cases of a step. In: cases of a match, and the state it was found in. Out: [`CaseStep`]s: each inference with what
//! it rests on, on the position as it is then; and what the checker of steps is told of them.

use super::build::{cite_chain, step_of};
use super::solver::apply;
use super::step::{CaseStep, Cites, InnerStep, Step};
use crate::engine::{Case, CaseEnd, ChainStep, Inference};
use crate::grid::{Candidate, Geometry, State};
use crate::lang::ir::Technique;
use crate::proof::{CaseCited, EndCited, InferenceCited, StepCited};
use std::collections::BTreeSet;

/// The cases of a match.
pub(super) fn cases_of(cases: &[Case], techniques: &[Technique], geometry: &Geometry, state: &State) -> Vec<CaseStep> {
    cases.iter().map(|case| case_of(case, techniques, geometry, state)).collect()
}

fn case_of(case: &Case, techniques: &[Technique], geometry: &Geometry, state: &State) -> CaseStep {
    let mut at = state.clone();
    suppose(geometry, &mut at, case.supposed);
    let mut inferences = Vec::new();
    for inference in &case.inferences {
        let inner = match inference {
            Inference::Naked(candidate) => InnerStep::Naked(*candidate),
            Inference::Hidden(candidate, house) => InnerStep::Hidden(*candidate, *house),
            Inference::Rule(found) => InnerStep::Step(Box::new(step_of(found, techniques, geometry, &at))),
            Inference::Links(chain) => {
                InnerStep::Links { chain: chain.clone(), cites: cites_of_chain(chain, geometry, state) }
            }
        };
        carry_out(&inner, geometry, &mut at);
        inferences.push(inner);
    }
    CaseStep { supposed: case.supposed, inferences, end: case.end.clone() }
}

fn suppose(geometry: &Geometry, state: &mut State, (candidate, holds): (Candidate, bool)) {
    if holds {
        state.place(geometry, candidate.cell, candidate.digit);
    } else {
        state.eliminate(candidate);
    }
}

/// Does on the board what an inference shows.
fn carry_out(inner: &InnerStep, geometry: &Geometry, state: &mut State) {
    match inner {
        InnerStep::Naked(candidate) | InnerStep::Hidden(candidate, _) => suppose(geometry, state, (*candidate, true)),
        InnerStep::Step(step) => apply(step, geometry, state),
        InnerStep::Links { chain, .. } => {
            let Some(end) = chain.last() else { return };
            match (end.strong, end.node.only()) {
                (true, Some(one)) => suppose(geometry, state, (one, true)),
                (true, None) => {}
                (false, _) => end.node.candidates().for_each(|one| suppose(geometry, state, (one, false))),
            }
        }
    }
}

/// The links of a chain hold in the position of the supposition, whatever was inferred before.
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
    /// What the step says, for the checker of steps.
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
            InnerStep::Naked(candidate) => InferenceCited::LastOfCell(*candidate),
            InnerStep::Hidden(candidate, house) => InferenceCited::LastOfHouse(*candidate, *house),
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
