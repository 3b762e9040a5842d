//! Lazy clauses: facts that are encoded only as far as a model violates them. In: models on a board. Out: correct models, or
//! the clauses that an incorrect model violates.
//!
//! Complete clauses for `times` and for templates would be more numerous than states. So their literals are free at first.
//! If a model contradicts the state, a clause with the reason is added and the question is asked again. Every such clause
//! holds in all states.

use super::Encoder;
use crate::proof::solver::{Answer, Lit, Model};

/// The most times that a question is asked again.
const ROUNDS: usize = 3_000;

/// Literals that stand for something which no clause says yet.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Owed {
    /// Literal: the value is needed, because the digit is the one meant.
    pub asked: Lit,
    /// Cells, and whether they are there and can hold the digit.
    pub able: Vec<(usize, Lit)>,
    /// For each of these cells, a literal: the digit is a candidate of it.
    pub candidate: Vec<Lit>,
    pub what: What,
}

/// Meaning of the literals.
#[derive(Clone, Debug)]
pub(in crate::proof) enum What {
    /// In place k - 1, that k of the cells can hold the digit together.
    Times(Vec<Lit>),
    /// The cells in no template, or in every template.
    Templates(Templates),
}

/// For each cell, a literal: it is in every template, or in none.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Templates {
    pub every: bool,
    pub bits: Vec<Lit>,
}

impl Encoder<'_> {
    /// Looks for a model in which all of `assumed` hold and all literals are what they stand for.
    pub fn solve(&mut self, assumed: &[Lit], conflicts: u64) -> Answer {
        for _ in 0..ROUNDS {
            let answer = self.circuit.solve(assumed, conflicts);
            let Answer::Yes(model) = &answer else { return answer };
            let broken: Vec<Vec<Lit>> = self.owed.iter().flat_map(|owed| self.broken(owed, model)).collect();
            if broken.is_empty() {
                return answer;
            }
            broken.iter().for_each(|clause| self.circuit.clause(clause));
        }
        Answer::Limit
    }

    /// Clauses that a model breaks.
    fn broken(&self, owed: &Owed, model: &Model) -> Vec<Vec<Lit>> {
        if !model.holds(owed.asked) {
            return Vec::new();
        }
        let held = |at: &usize| model.holds(owed.able[*at].1);
        let held: Vec<usize> = (0..owed.able.len()).filter(held).collect();
        let clauses: Vec<Vec<Lit>> = match &owed.what {
            What::Times(steps) => self.wrong_times(owed, steps, &held, model),
            What::Templates(ways) => self.wrong_templates(owed, ways, &held, model),
        };
        clauses.into_iter().map(|clause| clause.into_iter().chain([!owed.asked]).collect()).collect()
    }

    /// The clauses for the first wrong step: too many cells can hold the digit together, or too few.
    fn wrong_times(&self, owed: &Owed, steps: &[Lit], held: &[usize], model: &Model) -> Vec<Vec<Lit>> {
        for (at, &step) in steps.iter().enumerate() {
            let together = self.together(owed, held, at + 1);
            match (model.holds(step), together) {
                (false, Some(some)) => {
                    return vec![some.into_iter().map(|one| !owed.able[one].1).chain([step]).collect()];
                }
                (true, None) => {
                    // Add cells that change nothing, so that the clause is as strong as possible.
                    let mut most = held.to_vec();
                    for one in (0..owed.able.len()).filter(|one| !held.contains(one)) {
                        most.push(one);
                        if self.together(owed, &most, at + 1).is_some() {
                            most.pop();
                        }
                    }
                    let others = (0..owed.able.len()).filter(|one| !most.contains(one));
                    return vec![others.map(|one| owed.able[one].1).chain([!step]).collect()];
                }
                _ => {}
            }
        }
        Vec::new()
    }

    /// A number of these cells of which no two see each other, if there are that many.
    fn together(&self, owed: &Owed, from: &[usize], many: usize) -> Option<Vec<usize>> {
        if many == 0 {
            return Some(Vec::new());
        }
        if from.len() < many || self.most_lines(owed, from) < many {
            return None;
        }
        let (&first, rest) = from.split_first()?;
        let unseen: Vec<usize> =
            rest.iter().copied().filter(|&other| !self.see_each_other(owed, first, other)).collect();
        let with = self.together(owed, &unseen, many - 1).map(|mut others| {
            others.push(first);
            others
        });
        // If no remaining cell sees the first one, leaving it out gains nothing.
        if with.is_some() || unseen.len() == rest.len() { with } else { self.together(owed, rest, many) }
    }

    /// Number of rows, or of columns if that is less, that these cells touch: two cells of a line see each other.
    fn most_lines(&self, owed: &Owed, of: &[usize]) -> usize {
        let houses = &self.world.houses;
        let met = |house: usize| of.iter().any(|&one| houses[house].holds[owed.able[one].0] == Lit::TRUE);
        let rows = (0..houses.len()).filter(|&house| houses[house].row == Lit::TRUE && met(house)).count();
        let columns = (0..houses.len()).filter(|&house| houses[house].column == Lit::TRUE && met(house)).count();
        rows.min(columns)
    }

    /// The clause for the first candidate whose literal contradicts the templates.
    fn wrong_templates(&self, owed: &Owed, ways: &Templates, held: &[usize], model: &Model) -> Vec<Vec<Lit>> {
        let less = |way: Vec<usize>| way.into_iter().map(|one| !owed.able[one].1);
        for &at in held.iter().filter(|&&at| model.holds(owed.candidate[at])) {
            let is = ways.bits[at];
            // A template with the cell refutes "in none"; one without it refutes "in every".
            match (model.holds(is), self.way(owed, held, at, !ways.every)) {
                (true, Some(way)) => return vec![less(way).chain([!is]).collect()],
                (false, None) => {
                    let more = (0..owed.able.len()).filter(|one| !held.contains(one)).map(|one| owed.able[one].1);
                    let clause = more.chain([is, !owed.candidate[at]]);
                    // Without any template, no cell counts as in every one.
                    let one = if ways.every { self.way(owed, held, at, true) } else { Some(Vec::new()) };
                    let Some(one) = one else { continue };
                    return vec![clause.chain(less(one)).collect()];
                }
                _ => {}
            }
        }
        Vec::new()
    }

    /// Finds a template that uses a cell, or one that doesn't.
    fn way(&self, owed: &Owed, held: &[usize], at: usize, with: bool) -> Option<Vec<usize>> {
        let open = held.iter().copied().filter(|&one| match with {
            true => !self.see_each_other(owed, one, at),
            false => one != at,
        });
        let mut way = Vec::new();
        self.fill(&open.collect::<Vec<_>>(), owed, &mut way).then_some(way)
    }

    fn see_each_other(&self, owed: &Owed, a: usize, b: usize) -> bool {
        self.world.sees(owed.able[a].0, owed.able[b].0) == Lit::TRUE
    }

    /// Takes cells house by house, the one with the fewest first, until each has one.
    fn fill(&self, open: &[usize], owed: &Owed, way: &mut Vec<usize>) -> bool {
        let holds = |house: usize, one: usize| self.world.houses[house].holds[owed.able[one].0] == Lit::TRUE;
        let lacking = (0..self.world.houses.len()).filter(|&house| !way.iter().any(|&one| holds(house, one)));
        let places = |house: usize| open.iter().copied().filter(|&one| holds(house, one)).collect::<Vec<_>>();
        let Some(places) = lacking.map(places).min_by_key(Vec::len) else { return true };
        for one in places {
            let free = |&other: &usize| other != one && !self.see_each_other(owed, one, other);
            let rest: Vec<usize> = open.iter().copied().filter(free).collect();
            way.push(one);
            if self.fill(&rest, owed, way) {
                return true;
            }
            way.pop();
        }
        false
    }
}
