//! A step with suppositions, checked without the engine. In: a board, a position, what the step says. Out: whether each
//! case reaches its end by inferences that hold, and whether the conclusion follows from the cases.
//!
//! In each case what is supposed is done on a copy of the position, and each inference is checked there as it is by then,
//! steps inside with their own citations. Links are looked for in the position of the supposition: they hold whatever is
//! supposed. What a case shows is then a fact (not the supposed, or: if the supposed, then the end), and the conclusion
//! must follow from these facts and from what the step itself cites. That one of the cases is true need not be said: if it
//! does not follow, nothing else does.

use super::solver::Lit;
use super::step::{Citation, Facts, StepCheck, cited_wrongly, options, proved};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};

/// What a step says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepCited {
    /// Cells with the candidates that the step saw there.
    pub cells: Vec<(Cell, DigitSet)>,
    /// Houses.
    pub houses: Vec<HouseId>,
    /// Pairs of candidates of which one is true.
    pub strong: Vec<(Candidate, Candidate)>,
    /// Its suppositions.
    pub cases: Vec<CaseCited>,
    /// What it shows false.
    pub eliminations: Vec<Candidate>,
    /// What it shows true.
    pub placements: Vec<Candidate>,
    /// Whether it rests on there being one solution.
    pub one_solution: bool,
}

/// A case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseCited {
    /// The candidate, and whether it is supposed true.
    pub supposed: (Candidate, bool),
    /// In order.
    pub inferences: Vec<InferenceCited>,
    /// How they end.
    pub end: EndCited,
}

/// An inference of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InferenceCited {
    /// The last candidate of its cell.
    LastOfCell(Candidate),
    /// The last place of its digit in the house.
    LastOfHouse(Candidate, HouseId),
    /// A step.
    Step(Box<StepCited>),
    /// From what is supposed, by links that are there before: one of these candidates is true, or all are false.
    Links {
        /// Cells of the links.
        cells: Vec<(Cell, DigitSet)>,
        /// Houses of the links.
        houses: Vec<HouseId>,
        /// Strong links.
        strong: Vec<(Candidate, Candidate)>,
        /// The end.
        end: (Vec<Candidate>, bool),
    },
}

/// How a case ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndCited {
    /// The candidate is true, or false.
    Shows(Candidate, bool),
    /// One of these is true, and each of them is false.
    Both(Vec<Candidate>),
    /// A cell without candidates.
    EmptyCell(Cell),
    /// A house without a place for a digit.
    EmptyHouse(HouseId, Digit),
}

/// Checks a step on the position it was found in.
pub fn check_cited(geometry: &Geometry, state: &State, step: &StepCited) -> StepCheck {
    check(geometry, state, step, false)
}

/// Checks a step; `inside` is true within a case.
fn check(geometry: &Geometry, state: &State, step: &StepCited, inside: bool) -> StepCheck {
    let cited = Citation { cells: &step.cells, houses: &step.houses, strong: &step.strong };
    if let Some(wrong) = cited_wrongly(geometry, state, cited, inside) {
        return wrong;
    }
    if step.one_solution {
        return StepCheck::OneSolution;
    }
    for (number, case) in step.cases.iter().enumerate() {
        if let Err(why) = Position::new(geometry, state, case).and_then(|position| position.check(case)) {
            return StepCheck::WrongCase(number, Box::new(why));
        }
    }
    let mut facts = Facts::new(geometry, state);
    let concluded = step.eliminations.iter().chain(&step.placements).copied();
    let shown = step.cases.iter().filter_map(|case| match case.end {
        EndCited::Shows(candidate, _) => Some(candidate),
        _ => None,
    });
    facts.add(cited, concluded.chain(step.cases.iter().map(|case| case.supposed.0)).chain(shown));
    for case in &step.cases {
        let mut clause = vec![!literal(&mut facts, case.supposed)];
        if let EndCited::Shows(candidate, holds) = case.end {
            clause.push(literal(&mut facts, (candidate, holds)));
        }
        facts.solver.add(&clause);
    }
    proved(&mut facts, &step.eliminations, &step.placements)
}

fn literal(facts: &mut Facts<'_>, (candidate, holds): (Candidate, bool)) -> Lit {
    let lit = facts.lit(candidate.cell, candidate.digit);
    if holds { lit } else { !lit }
}

/// A case on the way.
struct Position<'a> {
    geometry: &'a Geometry,
    /// Before anything was supposed.
    before: &'a State,
    supposed: (Candidate, bool),
    now: State,
    /// What links led to.
    ends: Vec<(Vec<Candidate>, bool)>,
    /// Candidates that were shown true after they were shown false.
    clashes: Vec<Candidate>,
}

impl<'a> Position<'a> {
    fn new(geometry: &'a Geometry, before: &'a State, case: &CaseCited) -> Result<Self, StepCheck> {
        let (candidate, holds) = case.supposed;
        if !before.has(candidate) {
            return Err(StepCheck::DoesNotFollow(candidate));
        }
        let ends = vec![(vec![candidate], holds)];
        let (supposed, now) = (case.supposed, before.clone());
        let mut position = Position { geometry, before, supposed, now, ends, clashes: Vec::new() };
        position.set(candidate, holds);
        Ok(position)
    }

    fn set(&mut self, candidate: Candidate, holds: bool) {
        if holds {
            if !self.now.has(candidate) && self.now.value(candidate.cell) != Some(candidate.digit) {
                self.clashes.push(candidate);
            }
            self.now.place(self.geometry, candidate.cell, candidate.digit);
        } else {
            self.now.eliminate(candidate);
        }
    }

    fn check(mut self, case: &CaseCited) -> Result<(), StepCheck> {
        case.inferences.iter().try_for_each(|inference| self.infer(inference))?;
        if self.has_come_to(&case.end) { Ok(()) } else { Err(StepCheck::NotTheEnd) }
    }

    fn infer(&mut self, inference: &InferenceCited) -> Result<(), StepCheck> {
        match inference {
            InferenceCited::LastOfCell(candidate) => {
                let is_last = options(&self.now, candidate.cell).within(DigitSet::single(candidate.digit));
                self.last(*candidate, is_last)
            }
            InferenceCited::LastOfHouse(candidate, house) => {
                let cells = &self.geometry.house(*house).cells;
                let mut others = cells.iter().filter(|&&cell| cell != candidate.cell);
                let is_last = !others.any(|&cell| options(&self.now, cell).has(candidate.digit));
                self.last(*candidate, is_last && cells.contains(&candidate.cell))
            }
            InferenceCited::Step(step) => match check(self.geometry, &self.now, step, true) {
                StepCheck::Follows => {
                    step.eliminations.iter().for_each(|&gone| self.set(gone, false));
                    step.placements.iter().for_each(|&put| self.set(put, true));
                    Ok(())
                }
                wrong => Err(wrong),
            },
            InferenceCited::Links { cells, houses, strong, end } => {
                self.links(Citation { cells, houses, strong }, end)?;
                match end {
                    (list, true) if list.len() == 1 => self.set(list[0], true),
                    (_, true) => {}
                    (list, false) => list.iter().for_each(|&gone| self.set(gone, false)),
                }
                self.ends.push(end.clone());
                Ok(())
            }
        }
    }

    /// Sets the last candidate of a cell or house. It may have been shown false before: both hold side by side, and the case ends there.
    fn last(&mut self, candidate: Candidate, holds: bool) -> Result<(), StepCheck> {
        if !holds {
            return Err(StepCheck::NotLast(candidate));
        }
        self.set(candidate, true);
        Ok(())
    }

    /// The end follows from what is supposed and from the links, as they are before.
    fn links(&self, cited: Citation<'_>, end: &(Vec<Candidate>, bool)) -> Result<(), StepCheck> {
        if let Some(wrong) = cited_wrongly(self.geometry, self.before, cited, false) {
            return Err(wrong);
        }
        let mut facts = Facts::new(self.geometry, self.before);
        facts.add(cited, end.0.iter().copied().chain([self.supposed.0]));
        let supposed = literal(&mut facts, self.supposed);
        facts.solver.add(&[supposed]);
        let checked = match end {
            (list, true) => {
                let one: Vec<Lit> = list.iter().map(|&one| literal(&mut facts, (one, true))).collect();
                facts.follows(&one, self.supposed.0)
            }
            (list, false) => proved(&mut facts, list, &[]),
        };
        if checked == StepCheck::Follows { Ok(()) } else { Err(checked) }
    }

    /// Returns true if a candidate was shown true and false: itself, or because it is true and so is one that it excludes.
    fn is_both(&self, one: Candidate) -> bool {
        let excludes = |other: &Candidate| other.digit == one.digit && self.geometry.sees(other.cell, one.cell);
        let is_true = self.now.value(one.cell) == Some(one.digit);
        self.clashes.contains(&one) || (is_true && self.clashes.iter().any(excludes))
    }

    fn has_come_to(&self, end: &EndCited) -> bool {
        match end {
            EndCited::Shows(candidate, true) => self.now.value(candidate.cell) == Some(candidate.digit),
            EndCited::Shows(candidate, false) => {
                !self.now.has(*candidate) && self.now.value(candidate.cell) != Some(candidate.digit)
            }
            EndCited::Both(node) => {
                let gone = |one: &Candidate| self.ends.iter().any(|(list, holds)| !holds && list.contains(one));
                let by_links = self.ends.iter().any(|(list, holds)| *holds && list == node) && node.iter().all(gone);
                by_links || matches!(node.as_slice(), [one] if self.is_both(*one))
            }
            EndCited::EmptyCell(cell) => self.now.value(*cell).is_none() && self.now.candidates(*cell).is_empty(),
            EndCited::EmptyHouse(house, digit) => {
                let can = |cell: &Cell| self.now.value(*cell) == Some(*digit) || self.now.candidates(*cell).has(*digit);
                !self.geometry.house(*house).cells.iter().any(can)
            }
        }
    }
}
