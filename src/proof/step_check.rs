//! Checks single steps without the engine.
//!
//! In: a board, a position, the citations and conclusions of a step. Out: whether the conclusion follows from the cited
//! facts alone.
//!
//! Facts are: the candidates of the cited cells; for each cited house, the places left for each digit and its solved digits;
//! the cited strong links, after a check that they exist; and visibility between cells. The rest of the puzzle is left out:
//! in a puzzle with one solution every wrong candidate is "provably" false, which says nothing about the step.
//!
//! For a step with assumptions, each case is replayed on a copy of the position, and each inference is checked against the
//! position it has reached.

use super::solver::{Lit, SatAnswer, SatSolver};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use std::collections::BTreeMap;

/// Citations of a step.
#[derive(Clone, Copy, Debug)]
struct Citation<'a> {
    /// Cells with the candidates that the step saw there.
    cells: &'a [(Cell, DigitSet)],
    houses: &'a [HouseId],
    /// Pairs of candidates of which one is true.
    strong: &'a [(Candidate, Candidate)],
}

/// The outcome for a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepCheck {
    /// Everything it concludes follows from what it cites.
    Follows,
    /// A cited cell has other candidates than the step says.
    WrongCell(Cell),
    /// A cited strong link does not exist: neither a cell with these two candidates nor a house with these two places.
    WrongLink(Candidate, Candidate),
    /// A conclusion that does not follow from the citations.
    DoesNotFollow(Candidate),
    /// The solver gave no answer within its limit on conflicts.
    Undecided(Candidate),
    /// A step that assumes one solution: its citations are correct, but alone they prove nothing.
    OneSolution,
    /// The case of this number does not reach its end, and why.
    WrongCase(usize, Box<StepCheck>),
    /// Under a supposition: it is not the last candidate of its cell, or the last place in the house.
    NotLast(Candidate),
    /// Under a supposition: the inferences do not reach the stated end.
    NotTheEnd,
}

/// Conflicts for each conclusion; a step cites a handful of cells.
const LIMIT: u64 = 200_000;

/// The digits that a cell can still have: its value, or else its candidates.
pub(super) fn options(state: &State, cell: Cell) -> DigitSet {
    state.value(cell).map_or_else(|| state.candidates(cell), DigitSet::single)
}

/// A position that steps cite.
#[derive(Clone, Copy)]
struct CitedPosition<'a> {
    geometry: &'a Geometry,
    state: &'a State,
    /// True within a case. There, inferences are drawn from one position side by side: an earlier one may have removed
    /// candidates that a later one cites, as long as what is cited still holds.
    inside: bool,
}

impl<'a> CitedPosition<'a> {
    /// Fails with the first cited cell or link that the position does not have.
    fn check_citations(self, cited: Citation<'_>) -> Result<(), StepCheck> {
        for &(cell, digits) in cited.cells {
            let fits = match self.inside {
                // A solved cell is cited without digits, and nothing follows from it.
                true => digits.is_empty() || options(self.state, cell).within(digits),
                false => self.state.candidates(cell) == digits,
            };
            if !fits {
                return Err(StepCheck::WrongCell(cell));
            }
        }
        let wrong = cited.strong.iter().find(|(a, b)| !(self.is_strong(*a, *b) || self.inside && self.is_left(*a, *b)));
        wrong.map_or(Ok(()), |(a, b)| Err(StepCheck::WrongLink(*a, *b)))
    }

    /// Returns true if two candidates are the only two of a cell, or of a digit in a house.
    fn is_strong(self, a: Candidate, b: Candidate) -> bool {
        if a.cell == b.cell {
            return self.state.candidates(a.cell) == DigitSet::single(a.digit) | DigitSet::single(b.digit);
        }
        a.digit == b.digit
            && self.geometry.houses_of(a.cell).iter().any(|&house| {
                let cells = self.geometry.house(house).cells.iter();
                let places: Vec<Cell> =
                    cells.copied().filter(|&cell| self.state.candidates(cell).has(a.digit)).collect();
                places.len() == 2 && places.contains(&a.cell) && places.contains(&b.cell)
            })
    }

    /// Returns true if nothing but one of two candidates is left for a cell, or for a digit in a house.
    fn is_left(self, a: Candidate, b: Candidate) -> bool {
        if a.cell == b.cell {
            return options(self.state, a.cell).within(DigitSet::single(a.digit) | DigitSet::single(b.digit));
        }
        a.digit == b.digit
            && self.geometry.houses_of(a.cell).iter().any(|&house| {
                let cells = &self.geometry.house(house).cells;
                let mut others = cells.iter().filter(|&&cell| cell != a.cell && cell != b.cell);
                cells.contains(&b.cell) && !others.any(|&cell| options(self.state, cell).has(a.digit))
            })
    }

    /// Checks a step.
    fn check(self, step: &CitedStep) -> Result<(), StepCheck> {
        let cited = Citation { cells: &step.cells, houses: &step.houses, strong: &step.strong };
        self.check_citations(cited)?;
        if step.one_solution {
            return Err(StepCheck::OneSolution);
        }
        for (number, case) in step.cases.iter().enumerate() {
            let checked = CaseReplay::new(self.geometry, self.state, case).and_then(|replay| replay.check(case));
            checked.map_err(|why| StepCheck::WrongCase(number, Box::new(why)))?;
        }
        let shown = step.cases.iter().map(|case| match case.end {
            CitedEnd::Shows(candidate, holds) => Some((candidate, holds)),
            _ => None,
        });
        let concluded = step.eliminations.iter().chain(&step.placements).copied();
        let supposed = step.cases.iter().map(|case| case.supposed.0);
        let candidates = concluded.chain(supposed).chain(shown.clone().flatten().map(|(candidate, _)| candidate));
        let mut facts = CitedFacts::new(self, cited, candidates);
        for (case, shown) in step.cases.iter().zip(shown) {
            let clause = [!facts.literal(case.supposed)].into_iter().chain(shown.map(|shown| facts.literal(shown)));
            let clause: Vec<Lit> = clause.collect();
            facts.solver.add(&clause);
        }
        facts.all_follow(&step.eliminations, &step.placements)
    }
}

/// Cited facts as clauses.
struct CitedFacts<'a> {
    position: CitedPosition<'a>,
    solver: SatSolver,
    at: BTreeMap<(Cell, Digit), Lit>,
}

impl<'a> CitedFacts<'a> {
    /// Makes clauses of citations; `candidates` are others that literals are needed for.
    fn new(position: CitedPosition<'a>, cited: Citation<'_>, candidates: impl Iterator<Item = Candidate>) -> Self {
        let mut facts = CitedFacts { position, solver: SatSolver::default(), at: BTreeMap::new() };
        for &(cell, digits) in cited.cells.iter().filter(|(_, digits)| !digits.is_empty()) {
            facts.add(digits.iter().map(|digit| Candidate::new(digit, cell)));
        }
        cited.houses.iter().for_each(|&house| facts.add_house(house));
        cited.strong.iter().for_each(|&(a, b)| facts.add([a, b].into_iter()));
        candidates.for_each(|candidate| _ = facts.literal((candidate, true)));
        facts.add_exclusions();
        facts
    }

    /// Literal: a candidate is true, or false.
    fn literal(&mut self, (candidate, holds): (Candidate, bool)) -> Lit {
        let solver = &mut self.solver;
        let lit = self.at.entry((candidate.cell, candidate.digit)).or_insert_with(|| Lit::positive(solver.variable()));
        lit.signed(holds)
    }

    /// Adds that one of these is true.
    fn add(&mut self, candidates: impl Iterator<Item = Candidate>) {
        let one: Vec<Lit> = candidates.map(|candidate| self.literal((candidate, true))).collect();
        self.solver.add(&one);
    }

    /// Every digit that the house lacks goes to one of its places there.
    fn add_house(&mut self, house: HouseId) {
        let CitedPosition { geometry, state, .. } = self.position;
        let cells = &geometry.house(house).cells;
        let values: DigitSet = cells.iter().filter_map(|&cell| state.value(cell)).collect();
        for digit in (DigitSet::all(geometry.size()) - values).iter() {
            let places = cells.iter().filter(|&&cell| state.candidates(cell).has(digit));
            self.add(places.map(|&cell| Candidate::new(digit, cell)));
        }
    }

    /// Adds that a cell has one digit, and peers have different digits.
    fn add_exclusions(&mut self) {
        let all: Vec<((Cell, Digit), Lit)> = self.at.iter().map(|(&at, &lit)| (at, lit)).collect();
        for (i, &((cell, digit), lit)) in all.iter().enumerate() {
            for &((other, same), second) in &all[i + 1..] {
                if cell == other || (digit == same && self.position.geometry.sees(cell, other)) {
                    self.solver.add(&[!lit, !second]);
                }
            }
        }
    }

    /// Checks that one of the literals follows; a negative answer names `about`.
    fn follows(&mut self, one: &[Lit], about: Candidate) -> Result<(), StepCheck> {
        let none: Vec<Lit> = one.iter().map(|&lit| !lit).collect();
        match self.solver.solve(&none, LIMIT) {
            SatAnswer::No => Ok(()),
            SatAnswer::Yes(_) => Err(StepCheck::DoesNotFollow(about)),
            SatAnswer::Limit => Err(StepCheck::Undecided(about)),
        }
    }

    /// Checks that all conclusions follow.
    fn all_follow(&mut self, eliminations: &[Candidate], placements: &[Candidate]) -> Result<(), StepCheck> {
        let eliminated = eliminations.iter().map(|&candidate| (candidate, false));
        for concluded in eliminated.chain(placements.iter().map(|&candidate| (candidate, true))) {
            let lit = self.literal(concluded);
            self.follows(&[lit], concluded.0)?;
        }
        Ok(())
    }
}

/// A step with assumptions: citations, cases and conclusions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CitedStep {
    /// Cells with the candidates that the step saw there.
    pub cells: Vec<(Cell, DigitSet)>,
    /// Houses.
    pub houses: Vec<HouseId>,
    /// Pairs of candidates of which one is true.
    pub strong: Vec<(Candidate, Candidate)>,
    /// Cases of the assumption.
    pub cases: Vec<CitedCase>,
    /// Concluded eliminations.
    pub eliminations: Vec<Candidate>,
    /// Concluded placements.
    pub placements: Vec<Candidate>,
    /// True if the step assumes that the puzzle has one solution.
    pub one_solution: bool,
}

/// A case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedCase {
    /// The candidate, and whether it is supposed true.
    pub supposed: (Candidate, bool),
    /// In order.
    pub inferences: Vec<CitedInference>,
    /// End of the case.
    pub end: CitedEnd,
}

/// An inference of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CitedInference {
    /// The last candidate of its cell.
    LastOfCell(Candidate),
    /// The last place of its digit in the house.
    LastOfHouse(Candidate, HouseId),
    /// A step.
    Step(Box<CitedStep>),
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

/// End of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CitedEnd {
    /// The candidate is true, or false.
    Shows(Candidate, bool),
    /// A contradiction: one of these candidates is true, and all are false.
    Both(Vec<Candidate>),
    /// A cell without candidates.
    EmptyCell(Cell),
    /// A house without a place for a digit.
    EmptyHouse(HouseId, Digit),
}

/// Checks a step on the position it was found in.
pub fn check_cited(geometry: &Geometry, state: &State, step: &CitedStep) -> StepCheck {
    CitedPosition { geometry, state, inside: false }.check(step).err().unwrap_or(StepCheck::Follows)
}

/// The position of a case as far as its inferences have been replayed.
struct CaseReplay<'a> {
    geometry: &'a Geometry,
    /// Before anything was supposed.
    before: &'a State,
    supposed: (Candidate, bool),
    now: State,
    /// Nodes derived by links, with their truth.
    ends: Vec<(Vec<Candidate>, bool)>,
    /// Candidates that were shown both true and false.
    clashes: Vec<Candidate>,
}

impl<'a> CaseReplay<'a> {
    fn new(geometry: &'a Geometry, before: &'a State, case: &CitedCase) -> Result<Self, StepCheck> {
        let (candidate, holds) = case.supposed;
        if !before.has(candidate) {
            return Err(StepCheck::DoesNotFollow(candidate));
        }
        let ends = vec![(vec![candidate], holds)];
        let (supposed, now) = (case.supposed, before.clone());
        let mut replay = CaseReplay { geometry, before, supposed, now, ends, clashes: Vec::new() };
        replay.set(candidate, holds);
        Ok(replay)
    }

    fn set(&mut self, candidate: Candidate, holds: bool) {
        if holds {
            if !self.now.has(candidate) && self.now.value(candidate.cell) != Some(candidate.digit) {
                self.clashes.push(candidate);
            }
            self.now.place(self.geometry, candidate.cell, candidate.digit);
        } else {
            if self.now.value(candidate.cell) == Some(candidate.digit) {
                self.clashes.push(candidate);
            }
            self.now.eliminate(candidate);
        }
    }

    /// Returns true if the candidate is neither refuted nor left out by a value.
    fn is_possible(&self, candidate: Candidate) -> bool {
        options(&self.now, candidate.cell).has(candidate.digit) && !self.clashes.contains(&candidate)
    }

    fn check(mut self, case: &CitedCase) -> Result<(), StepCheck> {
        case.inferences.iter().try_for_each(|inference| self.infer(inference))?;
        if self.has_come_to(&case.end) { Ok(()) } else { Err(StepCheck::NotTheEnd) }
    }

    fn infer(&mut self, inference: &CitedInference) -> Result<(), StepCheck> {
        match inference {
            CitedInference::LastOfCell(candidate) => {
                let is_last = options(&self.now, candidate.cell).within(DigitSet::single(candidate.digit));
                self.last(*candidate, is_last)
            }
            CitedInference::LastOfHouse(candidate, house) => {
                let cells = &self.geometry.house(*house).cells;
                let mut others = cells.iter().filter(|&&cell| cell != candidate.cell);
                let is_last = !others.any(|&cell| options(&self.now, cell).has(candidate.digit));
                self.last(*candidate, is_last && cells.contains(&candidate.cell))
            }
            CitedInference::Step(step) => {
                CitedPosition { geometry: self.geometry, state: &self.now, inside: true }.check(step)?;
                step.eliminations.iter().for_each(|&candidate| self.set(candidate, false));
                step.placements.iter().for_each(|&candidate| self.set(candidate, true));
                Ok(())
            }
            CitedInference::Links { cells, houses, strong, end } => {
                self.links(Citation { cells, houses, strong }, end)?;
                match end {
                    (list, true) if list.len() == 1 => self.set(list[0], true),
                    (_, true) => {}
                    (list, false) => list.iter().for_each(|&eliminated| self.set(eliminated, false)),
                }
                self.ends.push(end.clone());
                Ok(())
            }
        }
    }

    /// Sets the last candidate of a cell or house. The candidate may already be false; then the case has its contradiction.
    fn last(&mut self, candidate: Candidate, holds: bool) -> Result<(), StepCheck> {
        if !holds {
            return Err(StepCheck::NotLast(candidate));
        }
        self.set(candidate, true);
        Ok(())
    }

    /// The end follows from what is supposed and from the links, as they are before.
    fn links(&self, cited: Citation<'_>, end: &(Vec<Candidate>, bool)) -> Result<(), StepCheck> {
        let position = CitedPosition { geometry: self.geometry, state: self.before, inside: false };
        position.check_citations(cited)?;
        let candidates = end.0.iter().copied().chain([self.supposed.0]);
        let mut facts = CitedFacts::new(position, cited, candidates);
        let supposed = facts.literal(self.supposed);
        facts.solver.add(&[supposed]);
        match end {
            (list, true) => {
                let one: Vec<Lit> = list.iter().map(|&one| facts.literal((one, true))).collect();
                facts.follows(&one, self.supposed.0)
            }
            (list, false) => facts.all_follow(list, &[]),
        }
    }

    /// Returns true if a candidate was shown true and false: itself, or because it is true and so is one that it excludes.
    fn is_both(&self, one: Candidate) -> bool {
        let is_true = self.now.value(one.cell) == Some(one.digit);
        let mut of_digit = self.clashes.iter().filter(|other| other.digit == one.digit);
        self.clashes.contains(&one) || (is_true && of_digit.any(|other| self.geometry.sees(other.cell, one.cell)))
    }

    fn has_come_to(&self, end: &CitedEnd) -> bool {
        match end {
            CitedEnd::Shows(candidate, true) => self.now.value(candidate.cell) == Some(candidate.digit),
            CitedEnd::Shows(candidate, false) => {
                !self.now.has(*candidate) && self.now.value(candidate.cell) != Some(candidate.digit)
            }
            CitedEnd::Both(node) => {
                let ends = &self.ends;
                let by_links = ends.iter().any(|(list, holds)| *holds && list == node)
                    && node.iter().all(|one| ends.iter().any(|(list, holds)| !holds && list.contains(one)));
                by_links || matches!(node.as_slice(), [one] if self.is_both(*one))
            }
            CitedEnd::EmptyCell(cell) => {
                !options(&self.now, *cell).iter().any(|digit| self.is_possible(Candidate { cell: *cell, digit }))
            }
            CitedEnd::EmptyHouse(house, digit) => {
                let mut places = self.geometry.house(*house).cells.iter();
                !places.any(|&cell| self.is_possible(Candidate { cell, digit: *digit }))
            }
        }
    }
}
