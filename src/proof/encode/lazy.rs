//! Lazy clauses: facts that are encoded only as far as a model violates them. In: models on a board. Out: correct models, or
//! the clauses that an incorrect model violates.
//!
//! Complete clauses for `times` and for templates would be more numerous than states. So their literals are free at first.
//! If a model contradicts the state, a clause with the reason is added and the question is asked again. Every such clause
//! holds in all states.

use super::Encoder;
use super::world::HouseLits;
use crate::proof::solver::{Lit, Model, SatAnswer};

/// The most times that a question is asked again.
const ROUNDS: usize = 3_000;

/// Literals that stand for something which no clause says yet.
#[derive(Clone, Debug)]
pub(crate) struct Owed {
    /// Literal: the value is needed, because the digit is the one meant.
    pub asked: Lit,
    /// Cells, and whether they are there and can hold the digit.
    pub able: Vec<(usize, Lit)>,
    /// For each of these cells, a literal: the digit is a candidate of it.
    pub candidate: Vec<Lit>,
    pub value: OwedValue,
}

/// Meaning of the literals.
#[derive(Clone, Debug)]
pub(crate) enum OwedValue {
    /// In place k - 1, that k of the cells can hold the digit together.
    Times(Vec<Lit>),
    /// For each cell, that it is in every template, or in none.
    Templates { every: bool, bits: Vec<Lit> },
}

impl Owed {
    /// Literal: a cell, given by its place in the list, can hold the digit.
    fn able(&self, at: usize) -> Lit {
        self.able[at].1
    }

    /// Literals that a set of these cells is not all able to hold the digit.
    fn unable(&self, cells: Vec<usize>) -> impl Iterator<Item = Lit> {
        cells.into_iter().map(|at| !self.able(at))
    }

    /// Literals that a cell outside of a set is able to hold the digit.
    fn able_outside(&self, cells: &[usize]) -> impl Iterator<Item = Lit> {
        (0..self.able.len()).filter(|at| !cells.contains(at)).map(|at| self.able(at))
    }
}

impl Encoder<'_> {
    /// Looks for a model in which all of `assumed` hold and all literals are what they stand for.
    pub fn solve(&mut self, assumed: &[Lit], conflicts: u64) -> SatAnswer {
        for _ in 0..ROUNDS {
            let answer = self.circuit.solve(assumed, conflicts);
            let SatAnswer::Yes(model) = &answer else { return answer };
            let broken: Vec<Vec<Lit>> = self.owed.iter().filter_map(|owed| self.broken(owed, model)).collect();
            if broken.is_empty() {
                return answer;
            }
            broken.iter().for_each(|clause| self.circuit.clause(clause));
        }
        SatAnswer::Limit
    }

    /// A clause that a model breaks.
    fn broken(&self, owed: &Owed, model: &Model) -> Option<Vec<Lit>> {
        if !model.holds(owed.asked) {
            return None;
        }
        let held: Vec<usize> = (0..owed.able.len()).filter(|&at| model.holds(owed.able(at))).collect();
        let mut clause = match &owed.value {
            OwedValue::Times(steps) => self.wrong_times(owed, steps, &held, model),
            OwedValue::Templates { every, bits } => self.wrong_templates(owed, *every, bits, &held, model),
        }?;
        clause.push(!owed.asked);
        Some(clause)
    }

    /// The clause for the first wrong step: too many cells can hold the digit together, or too few.
    fn wrong_times(&self, owed: &Owed, steps: &[Lit], held: &[usize], model: &Model) -> Option<Vec<Lit>> {
        for (at, &step) in steps.iter().enumerate() {
            match (model.holds(step), self.together(owed, held, at + 1)) {
                (false, Some(some)) => return Some(owed.unable(some).chain([step]).collect()),
                (true, None) => {
                    // Add cells that change nothing, so that the clause is as strong as possible.
                    let mut most = held.to_vec();
                    for one in (0..owed.able.len()).filter(|one| !held.contains(one)) {
                        most.push(one);
                        if self.together(owed, &most, at + 1).is_some() {
                            most.pop();
                        }
                    }
                    return Some(owed.able_outside(&most).chain([!step]).collect());
                }
                _ => {}
            }
        }
        None
    }

    /// Returns `many` of these cells such that no two see each other, if there are that many.
    fn together(&self, owed: &Owed, from: &[usize], many: usize) -> Option<Vec<usize>> {
        if many == 0 {
            return Some(Vec::new());
        }
        if from.len() < many || self.most_lines(owed, from) < many {
            return None;
        }
        let (&first, rest) = from.split_first()?;
        let unseen = self.unseen(owed, rest, first);
        let with = self.together(owed, &unseen, many - 1).map(|mut others| {
            others.push(first);
            others
        });
        // If no remaining cell sees the first one, leaving it out gains nothing.
        if with.is_some() || unseen.len() == rest.len() { with } else { self.together(owed, rest, many) }
    }

    /// Number of rows, or of columns if that is less, that these cells touch: two cells of a line see each other.
    fn most_lines(&self, owed: &Owed, of: &[usize]) -> usize {
        let met = self.world.houses.iter().filter(|house| of.iter().any(|&one| holds(house, owed, one)));
        let (mut rows, mut columns) = (0, 0);
        for house in met {
            rows += usize::from(house.row == Lit::TRUE);
            columns += usize::from(house.column == Lit::TRUE);
        }
        rows.min(columns)
    }

    /// The clause for the first candidate whose literal contradicts the templates.
    fn wrong_templates(
        &self,
        owed: &Owed,
        every: bool,
        bits: &[Lit],
        held: &[usize],
        model: &Model,
    ) -> Option<Vec<Lit>> {
        for &at in held.iter().filter(|&&at| model.holds(owed.candidate[at])) {
            let is = bits[at];
            // A template with the cell refutes "in none"; one without it refutes "in every".
            match (model.holds(is), self.template(owed, held, at, !every)) {
                (true, Some(template)) => return Some(owed.unable(template).chain([!is]).collect()),
                (false, None) => {
                    // Without any template, no cell counts as in every one.
                    let Some(with) = (if every { self.template(owed, held, at, true) } else { Some(Vec::new()) })
                    else {
                        continue;
                    };
                    let clause = owed.able_outside(held).chain([is, !owed.candidate[at]]);
                    return Some(clause.chain(owed.unable(with)).collect());
                }
                _ => {}
            }
        }
        None
    }

    /// Finds a template that uses a cell, or one that doesn't.
    fn template(&self, owed: &Owed, held: &[usize], at: usize, with: bool) -> Option<Vec<usize>> {
        let open = match with {
            true => self.unseen(owed, held, at),
            false => held.iter().copied().filter(|&one| one != at).collect(),
        };
        let mut template = Vec::new();
        self.fill(&open, owed, &mut template).then_some(template)
    }

    /// The cells of a list that don't see one cell.
    fn unseen(&self, owed: &Owed, of: &[usize], by: usize) -> Vec<usize> {
        let by = owed.able[by].0;
        of.iter().copied().filter(|&at| self.world.sees(by, owed.able[at].0) != Lit::TRUE).collect()
    }

    /// Takes cells house by house, the one with the fewest first, until each has one.
    fn fill(&self, open: &[usize], owed: &Owed, template: &mut Vec<usize>) -> bool {
        let lacking = self.world.houses.iter().filter(|house| !template.iter().any(|&one| holds(house, owed, one)));
        let places = lacking.map(|house| open.iter().copied().filter(|&one| holds(house, owed, one)).collect());
        let Some(places) = places.min_by_key(Vec::len) else { return true };
        for one in places {
            let mut rest = self.unseen(owed, open, one);
            rest.retain(|&other| other != one);
            template.push(one);
            if self.fill(&rest, owed, template) {
                return true;
            }
            template.pop();
        }
        false
    }
}

/// Returns true if a house of the board holds a cell.
fn holds(house: &HouseLits, owed: &Owed, at: usize) -> bool {
    house.holds[owed.able[at].0] == Lit::TRUE
}
