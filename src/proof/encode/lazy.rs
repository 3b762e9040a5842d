//! Lazy clauses, which are added only if a model violates them. In: models on a board. Out: a model that satisfies all
//! lazy facts, or clauses that exclude the model.
//!
//! The complete clauses for `times` and for templates would be too many, so the literals of `times` and of templates
//! are free at first. If a model contradicts the meaning of such a literal, a clause that excludes the contradiction is
//! added, and the solver is asked again. Each added clause is true in all states.

use super::Encoder;
use super::sets::TemplateTest;
use super::world::HouseLits;
use crate::proof::solver::{Lit, Model, SatAnswer};

/// Maximum number of rounds (models examined) for one question.
const MAX_ROUNDS: usize = 3_000;

/// Free literals about one digit; clauses for their meaning are added on demand.
#[derive(Clone, Debug)]
pub(crate) struct LazyFact {
    /// Literal: the rule uses this digit. If this literal is false, the free literals need
    /// not have their meaning.
    pub needed: Lit,
    /// Cells, each with the literal "the cell is in the set and can hold the digit". The methods of this module
    /// identify a cell by its position in this list.
    pub can_hold: Vec<(usize, Lit)>,
    /// For each cell of `can_hold`, the literal "the digit is a candidate of the cell".
    pub candidate: Vec<Lit>,
    pub meaning: LazyMeaning,
}

/// The free literals of a lazy fact, and their meaning.
#[derive(Clone, Debug)]
pub(crate) enum LazyMeaning {
    /// The literal at index k says that k + 1 of the cells can hold the digit at the same time.
    Times(Vec<Lit>),
    /// For each cell, the literal "the digit's candidate in the cell passes `test`".
    Templates { test: TemplateTest, bits: Vec<Lit> },
}

impl LazyFact {
    fn can_hold(&self, position: usize) -> Lit {
        self.can_hold[position].1
    }

    /// For each position in the list, the literal "the cell cannot hold the digit".
    fn cannot_hold(&self, positions: Vec<usize>) -> impl Iterator<Item = Lit> {
        positions.into_iter().map(|position| !self.can_hold(position))
    }

    /// For each position that is not in the list, the literal "the cell can hold the digit".
    fn can_hold_elsewhere(&self, positions: &[usize]) -> impl Iterator<Item = Lit> {
        let others = (0..self.can_hold.len()).filter(|position| !positions.contains(position));
        others.map(|position| self.can_hold(position))
    }
}

impl Encoder<'_> {
    /// Searches for a model in which all of `assumed` are true and all lazy literals have their meaning.
    pub fn solve(&mut self, assumed: &[Lit], conflicts: u64) -> SatAnswer {
        for _ in 0..MAX_ROUNDS {
            let answer = self.circuit.solve(assumed, conflicts);
            let SatAnswer::Yes(model) = &answer else { return answer };
            let violated: Vec<Vec<Lit>> =
                self.lazy_facts.iter().filter_map(|fact| self.violated_clause(fact, model)).collect();
            if violated.is_empty() {
                return answer;
            }
            violated.iter().for_each(|clause| self.circuit.add_clause(clause));
        }
        SatAnswer::Limit
    }

    /// Returns a clause that follows from a lazy fact and is false in a model; `None` if the model fits the fact.
    fn violated_clause(&self, fact: &LazyFact, model: &Model) -> Option<Vec<Lit>> {
        if !model.holds(fact.needed) {
            return None;
        }
        let holders: Vec<usize> =
            (0..fact.can_hold.len()).filter(|&position| model.holds(fact.can_hold(position))).collect();
        let mut clause = match &fact.meaning {
            LazyMeaning::Times(steps) => self.violated_times(fact, steps, &holders, model),
            LazyMeaning::Templates { test, bits } => self.violated_templates(fact, *test, bits, &holders, model),
        }?;
        clause.push(!fact.needed);
        Some(clause)
    }

    /// Returns the clause for the first literal of `steps` that is wrong in the model. The literal at index k is wrong
    /// if it disagrees with "k + 1 of the cells `holders` can hold the digit at the same time".
    fn violated_times(&self, fact: &LazyFact, steps: &[Lit], holders: &[usize], model: &Model) -> Option<Vec<Lit>> {
        for (index, &step) in steps.iter().enumerate() {
            let count = index + 1;
            match (model.holds(step), self.independent_cells(fact, holders, count)) {
                (false, Some(cells)) => return Some(fact.cannot_hold(cells).chain([step]).collect()),
                (true, None) => {
                    // To make the clause as strong as possible, add every cell with which the count is still not
                    // reached.
                    let mut cells = holders.to_vec();
                    for position in (0..fact.can_hold.len()).filter(|position| !holders.contains(position)) {
                        cells.push(position);
                        if self.independent_cells(fact, &cells, count).is_some() {
                            cells.pop();
                        }
                    }
                    return Some(fact.can_hold_elsewhere(&cells).chain([!step]).collect());
                }
                _ => {}
            }
        }
        None
    }

    /// Returns `count` of `cells` such that no two see each other, or `None` if there is no such choice.
    fn independent_cells(&self, fact: &LazyFact, cells: &[usize], count: usize) -> Option<Vec<usize>> {
        if count == 0 {
            return Some(Vec::new());
        }
        if cells.len() < count || self.max_lines(fact, cells) < count {
            return None;
        }
        let (&first, rest) = cells.split_first()?;
        let unseen = self.unseen(fact, rest, first);
        if let Some(mut cells) = self.independent_cells(fact, &unseen, count - 1) {
            cells.push(first);
            return Some(cells);
        }
        // If no cell of `rest` sees `first`, a choice without `first` is no better than a choice with `first`.
        if unseen.len() == rest.len() {
            return None;
        }
        self.independent_cells(fact, rest, count)
    }

    /// Returns the number of rows or the number of columns that `cells` touch, whichever is smaller. Cells that don't
    /// see each other lie in different rows and columns, so at most this number of cells can be chosen.
    fn max_lines(&self, fact: &LazyFact, cells: &[usize]) -> usize {
        let mut rows = 0;
        let mut columns = 0;
        for house in &self.world.houses {
            if cells.iter().any(|&position| holds(house, fact, position)) {
                rows += usize::from(house.is_row == Lit::TRUE);
                columns += usize::from(house.is_column == Lit::TRUE);
            }
        }
        rows.min(columns)
    }

    /// Returns the clause for the first candidate whose literal contradicts the templates.
    fn violated_templates(
        &self,
        fact: &LazyFact,
        test: TemplateTest,
        bits: &[Lit],
        holders: &[usize],
        model: &Model,
    ) -> Option<Vec<Lit>> {
        for &position in holders {
            if !model.holds(fact.candidate[position]) {
                continue;
            }
            let passes = bits[position];
            // A template with the cell refutes "in none"; a template without the cell refutes "in every".
            let refuting = match test {
                TemplateTest::InNone => self.template_with(fact, holders, position),
                TemplateTest::InEvery => {
                    let others: Vec<usize> = holders.iter().copied().filter(|&other| other != position).collect();
                    self.template(fact, &others)
                }
            };
            match (model.holds(passes), refuting) {
                (true, Some(template)) => return Some(fact.cannot_hold(template).chain([!passes]).collect()),
                (false, None) => {
                    let mut clause: Vec<Lit> =
                        fact.can_hold_elsewhere(holders).chain([passes, !fact.candidate[position]]).collect();
                    if test == TemplateTest::InEvery {
                        // If there is no template at all, no cell counts as being in every template.
                        let Some(template) = self.template_with(fact, holders, position) else { continue };
                        clause.extend(fact.cannot_hold(template));
                    }
                    return Some(clause);
                }
                _ => {}
            }
        }
        None
    }

    /// Finds a template of the cells `holders` that uses a cell.
    fn template_with(&self, fact: &LazyFact, holders: &[usize], position: usize) -> Option<Vec<usize>> {
        self.template(fact, &self.unseen(fact, holders, position))
    }

    fn template(&self, fact: &LazyFact, cells: &[usize]) -> Option<Vec<usize>> {
        let mut template = Vec::new();
        self.fill(cells, fact, &mut template).then_some(template)
    }

    /// Returns the cells of a list that don't see the cell `from`. If `from` is in the list, the result contains
    /// `from`.
    fn unseen(&self, fact: &LazyFact, cells: &[usize], from: usize) -> Vec<usize> {
        let from = fact.can_hold[from].0;
        let mut unseen = cells.to_vec();
        unseen.retain(|&position| self.world.sees(from, fact.can_hold[position].0) != Lit::TRUE);
        unseen
    }

    /// Extends `template` by cells of `open` until each house has a cell of the template. Begins with the house that
    /// has the fewest cells of `open`. Returns false if there is no such extension.
    fn fill(&self, open: &[usize], fact: &LazyFact, template: &mut Vec<usize>) -> bool {
        let mut fewest: Option<Vec<usize>> = None;
        for house in &self.world.houses {
            if template.iter().any(|&position| holds(house, fact, position)) {
                continue;
            }
            let places: Vec<usize> = open.iter().copied().filter(|&position| holds(house, fact, position)).collect();
            if fewest.as_ref().is_none_or(|fewest| places.len() < fewest.len()) {
                fewest = Some(places);
            }
        }
        let Some(places) = fewest else { return true };
        for place in places {
            let mut rest = self.unseen(fact, open, place);
            rest.retain(|&other| other != place);
            template.push(place);
            if self.fill(&rest, fact, template) {
                return true;
            }
            template.pop();
        }
        false
    }
}

/// Returns true if a house of the board holds the cell at a position of a lazy fact.
fn holds(house: &HouseLits, fact: &LazyFact, position: usize) -> bool {
    house.holds[fact.can_hold[position].0] == Lit::TRUE
}
