//! One step by itself. In: what a step cites (candidates of cells, places of digits in houses) and what it
//! concludes. Out: whether the conclusion follows from that and nothing else.
//!
//! Never from the whole puzzle: where there is one solution every wrong candidate can be refuted somehow, which
//! says nothing about the step.

use super::circuit::Circuit;
use super::solver::{Answer, Lit};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use std::collections::BTreeMap;

/// What a step rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cited {
    /// Unsolved cells with all their candidates.
    pub cells: Vec<(Cell, DigitSet)>,
    /// Houses in which a digit has these places and no others.
    pub places: Vec<(HouseId, Digit, Vec<Cell>)>,
}

impl Cited {
    /// The facts about these cells and houses as they are in a state; solved cells and digits that stand in a
    /// house say nothing.
    pub fn of(geometry: &Geometry, state: &State, cells: &[Cell], houses: &[HouseId]) -> Cited {
        let unsolved = cells.iter().filter(|&&cell| state.value(cell).is_none());
        let mut cited =
            Cited { cells: unsolved.map(|&cell| (cell, state.candidates(cell))).collect(), places: Vec::new() };
        for &house in houses {
            for digit in DigitSet::all(geometry.size()).iter() {
                let here = &geometry.house(house).cells;
                if here.iter().any(|&cell| state.value(cell) == Some(digit)) {
                    continue;
                }
                let places = here.iter().copied().filter(|&cell| state.has(Candidate::new(digit, cell)));
                cited.places.push((house, digit, places.collect()));
            }
        }
        cited
    }
}

/// How hard one step may be, in conflicts.
const CONFLICTS: u64 = 200_000;

/// Whether all conclusions follow from what is cited. A step that cannot be decided does not count as shown.
pub fn check_step(geometry: &Geometry, cited: &Cited, eliminations: &[Candidate], placements: &[Candidate]) -> bool {
    let mut question = Question { circuit: Circuit::new(), at: BTreeMap::new() };
    question.state(cited);
    for &candidate in eliminations.iter().chain(placements) {
        question.lit(candidate);
    }
    question.exclude(geometry, cited);
    let eliminated = eliminations.iter().map(|&candidate| (candidate, true));
    let placed = placements.iter().map(|&candidate| (candidate, false));
    eliminated.chain(placed).all(|(candidate, value)| {
        let lit = question.lit(candidate);
        question.circuit.solve(&[if value { lit } else { !lit }], CONFLICTS) == Answer::No
    })
}

struct Question {
    circuit: Circuit,
    /// For each candidate spoken of whether it is the solution.
    at: BTreeMap<Candidate, Lit>,
}

impl Question {
    fn lit(&mut self, candidate: Candidate) -> Lit {
        let circuit = &mut self.circuit;
        *self.at.entry(candidate).or_insert_with(|| circuit.fresh())
    }

    /// A cell holds one of its candidates, a digit has one of its places.
    fn state(&mut self, cited: &Cited) {
        for &(cell, digits) in &cited.cells {
            let lits: Vec<Lit> = digits.iter().map(|digit| self.lit(Candidate::new(digit, cell))).collect();
            self.circuit.clause(&lits);
        }
        for (_, digit, cells) in &cited.places {
            let lits: Vec<Lit> = cells.iter().map(|&cell| self.lit(Candidate::new(*digit, cell))).collect();
            self.circuit.clause(&lits);
        }
    }

    /// No cell holds two digits, none that it does not have, and no two cells that see each other one digit.
    fn exclude(&mut self, geometry: &Geometry, cited: &Cited) {
        let all: Vec<(Candidate, Lit)> = self.at.iter().map(|(&candidate, &lit)| (candidate, lit)).collect();
        for (index, &(a, x)) in all.iter().enumerate() {
            for &(b, y) in &all[index + 1..] {
                if a.cell == b.cell || (a.digit == b.digit && geometry.sees(a.cell, b.cell)) {
                    self.circuit.clause(&[!x, !y]);
                }
            }
        }
        for &(candidate, lit) in &all {
            let missing =
                cited.cells.iter().any(|(cell, digits)| *cell == candidate.cell && !digits.has(candidate.digit));
            let elsewhere = cited.places.iter().any(|(house, digit, cells)| {
                *digit == candidate.digit
                    && geometry.houses_of(candidate.cell).contains(house)
                    && !cells.contains(&candidate.cell)
            });
            if missing || elsewhere {
                self.circuit.clause(&[!lit]);
            }
        }
    }
}
