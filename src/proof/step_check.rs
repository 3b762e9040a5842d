//! Checks single steps without the engine.
//!
//! In: a board, a position, the citations and conclusions of a step. Out: a [`StepCheck`]: "the conclusions follow from
//! the cited facts alone", or the first fault.
//!
//! Facts are: the candidates of the cited cells; for each cited house, the places left for each digit and its solved
//! digits; the cited strong links, after a check that they exist; and visibility between cells. The other cells of the
//! puzzle are left out: in a puzzle with one solution, all cells together prove every true elimination, so the check
//! would accept every step with true conclusions.
//!
//! For a step with assumptions, each case is replayed on a copy of the position. Each inference is checked against the
//! position after the earlier inferences.

use super::solver::{Lit, SatAnswer, SatSolver};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use std::collections::BTreeMap;

/// The facts that a step or a chain cites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Citation {
    /// Cells, each with its candidates according to the step.
    pub cells: Vec<(Cell, DigitSet)>,
    /// Houses.
    pub houses: Vec<HouseId>,
    /// Strong links: pairs of candidates of which one is true.
    pub strong: Vec<(Candidate, Candidate)>,
}

/// The result of checking a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepCheck {
    /// All conclusions follow from the citations.
    Follows,
    /// The candidates of this cell differ from the candidates that the step cites.
    WrongCell(Cell),
    /// A cited strong link does not exist: these candidates are neither the only two of a cell nor the only two places
    /// of a digit in a house.
    WrongLink(Candidate, Candidate),
    /// A conclusion about this candidate does not follow from the citations.
    DoesNotFollow(Candidate),
    /// The solver gave no answer about this candidate within its limit on conflicts.
    Undecided(Candidate),
    /// The step assumes one solution. Its citations are correct, but without this assumption they don't prove the
    /// conclusions.
    OneSolution,
    /// The case with this index does not reach its stated end, for the given reason.
    WrongCase(usize, Box<StepCheck>),
    /// In a case, this candidate is not the last candidate of its cell, or its cell is not the last place of the digit
    /// in the house.
    NotLast(Candidate),
    /// The inferences of a case do not reach its stated end.
    NotTheEnd,
}

/// Maximum number of conflicts for each conclusion. In practice no check reaches this limit, because a step cites only
/// a handful of cells.
const MAX_CONFLICTS: u64 = 200_000;

/// A position that steps cite.
#[derive(Clone, Copy)]
struct CitedPosition<'a> {
    geometry: &'a Geometry,
    state: &'a State,
    /// True within a case. The engine may draw several inferences of a case from one position, so an earlier inference
    /// may have removed candidates that a later inference cites. Within a case, a cell may therefore have fewer
    /// candidates than cited, and an end of a link may be gone.
    is_within_case: bool,
}

impl<'a> CitedPosition<'a> {
    /// Returns an error for the first cited cell or link that the position does not have.
    fn check_citations(self, cited: &Citation) -> Result<(), StepCheck> {
        for &(cell, digits) in &cited.cells {
            let fits = if self.is_within_case {
                // A solved cell is cited without digits; nothing follows from such a citation.
                digits.is_empty() || self.state.possible_digits(cell).within(digits)
            } else {
                self.state.candidates(cell) == digits
            };
            if !fits {
                return Err(StepCheck::WrongCell(cell));
            }
        }
        for &(a, b) in &cited.strong {
            let are_present = self.is_within_case || self.state.has(a) && self.state.has(b);
            if !are_present || !self.one_must_be_true(a, b) {
                return Err(StepCheck::WrongLink(a, b));
            }
        }
        Ok(())
    }

    /// Returns true if a cell has no other options than two candidates, or a house has no other places for their digit.
    fn one_must_be_true(self, a: Candidate, b: Candidate) -> bool {
        if a.cell == b.cell {
            return self.state.possible_digits(a.cell).within(DigitSet::single(a.digit) | DigitSet::single(b.digit));
        }
        a.digit == b.digit
            && self.geometry.houses_of(a.cell).iter().any(|&house| {
                let cells = &self.geometry.house(house).cells;
                let mut others = cells.iter().filter(|&&cell| cell != a.cell && cell != b.cell);
                cells.contains(&b.cell) && !others.any(|&cell| self.state.possible_digits(cell).has(a.digit))
            })
    }

    fn check_step(self, step: &CitedStep) -> Result<(), StepCheck> {
        self.check_citations(&step.cites)?;
        if step.one_solution {
            return Err(StepCheck::OneSolution);
        }
        for (index, case) in step.cases.iter().enumerate() {
            let result = CaseReplay::new(self.geometry, self.state, case).and_then(|replay| replay.check(case));
            result.map_err(|reason| StepCheck::WrongCase(index, Box::new(reason)))?;
        }
        let mut candidates = [&step.eliminations[..], &step.placements].concat();
        candidates.extend(step.cases.iter().map(|case| case.supposed.0));
        candidates.extend(step.cases.iter().filter_map(|case| Some(case.end.shown()?.0)));
        let mut facts = CitedFacts::new(self, &step.cites, &candidates);
        // Clause of a case: the assumption is false, or the end of the case holds.
        for case in &step.cases {
            let mut clause = vec![!facts.literal(case.supposed)];
            clause.extend(case.end.shown().map(|shown| facts.literal(shown)));
            facts.solver.add_clause(&clause);
        }
        facts.check_all_follow(&step.eliminations, &step.placements)
    }
}

/// Cited facts as clauses.
struct CitedFacts<'a> {
    position: CitedPosition<'a>,
    solver: SatSolver,
    /// For each cited or concluded candidate, the literal that the candidate is true.
    literals: BTreeMap<(Cell, Digit), Lit>,
}

impl<'a> CitedFacts<'a> {
    /// Makes clauses of citations. The candidates in `candidates` get literals even if they are not cited.
    fn new(position: CitedPosition<'a>, cited: &Citation, candidates: &[Candidate]) -> Self {
        let mut facts = CitedFacts { position, solver: SatSolver::default(), literals: BTreeMap::new() };
        for &(cell, digits) in &cited.cells {
            if !digits.is_empty() {
                facts.add_one_true(digits.iter().map(|digit| Candidate::new(digit, cell)));
            }
        }
        cited.houses.iter().for_each(|&house| facts.add_house(house));
        cited.strong.iter().for_each(|&(a, b)| facts.add_one_true([a, b].into_iter()));
        for &candidate in candidates {
            facts.literal((candidate, true));
        }
        facts.add_exclusions();
        facts
    }

    /// Literal of a fact: with `holds`, "the candidate is true", otherwise "the candidate is false".
    fn literal(&mut self, (candidate, holds): CandidateTruth) -> Lit {
        let solver = &mut self.solver;
        let lit = self.literals.entry((candidate.cell, candidate.digit));
        lit.or_insert_with(|| Lit::positive(solver.new_variable())).signed(holds)
    }

    fn add_one_true(&mut self, candidates: impl Iterator<Item = Candidate>) {
        let clause: Vec<Lit> = candidates.map(|candidate| self.literal((candidate, true))).collect();
        self.solver.add_clause(&clause);
    }

    /// Adds, for each digit not yet placed in the house, the clause that one of the digit's places in the house is
    /// true.
    fn add_house(&mut self, house: HouseId) {
        let CitedPosition { geometry, state, .. } = self.position;
        let cells = &geometry.house(house).cells;
        let values: DigitSet = cells.iter().filter_map(|&cell| state.value(cell)).collect();
        for digit in (DigitSet::all(geometry.size()) - values).iter() {
            let places = cells.iter().filter(|&&cell| state.candidates(cell).has(digit));
            self.add_one_true(places.map(|&cell| Candidate::new(digit, cell)));
        }
    }

    /// Adds the clauses that a cell has at most one digit and that peers have different digits.
    fn add_exclusions(&mut self) {
        let literals: Vec<(Candidate, Lit)> =
            self.literals.iter().map(|(&(cell, digit), &lit)| (Candidate::new(digit, cell), lit)).collect();
        for (index, &(a, a_lit)) in literals.iter().enumerate() {
            for &(b, b_lit) in &literals[index + 1..] {
                if self.position.geometry.excludes(a, b) {
                    self.solver.add_clause(&[!a_lit, !b_lit]);
                }
            }
        }
    }

    /// Checks that at least one of `lits` must be true. An error names `candidate`.
    fn check_some_follows(&mut self, lits: &[Lit], candidate: Candidate) -> Result<(), StepCheck> {
        let none: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        match self.solver.solve(&none, MAX_CONFLICTS) {
            SatAnswer::No => Ok(()),
            SatAnswer::Yes(_) => Err(StepCheck::DoesNotFollow(candidate)),
            SatAnswer::Limit => Err(StepCheck::Undecided(candidate)),
        }
    }

    fn check_all_follow(&mut self, eliminations: &[Candidate], placements: &[Candidate]) -> Result<(), StepCheck> {
        let eliminated = eliminations.iter().map(|&candidate| (candidate, false));
        for fact in eliminated.chain(placements.iter().map(|&candidate| (candidate, true))) {
            let lit = self.literal(fact);
            self.check_some_follows(&[lit], fact.0)?;
        }
        Ok(())
    }
}

/// A candidate with its truth value.
pub type CandidateTruth = (Candidate, bool);

/// A step: citations, the cases of an assumption (empty without an assumption), and conclusions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CitedStep {
    /// Cited facts.
    pub cites: Citation,
    /// Cases of the assumption.
    pub cases: Vec<CitedCase>,
    /// Eliminations that the step concludes.
    pub eliminations: Vec<Candidate>,
    /// Placements that the step concludes.
    pub placements: Vec<Candidate>,
    /// True if the step assumes that the puzzle has one solution.
    pub one_solution: bool,
}

/// A case of an assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedCase {
    /// The assumption.
    pub supposed: CandidateTruth,
    /// The inferences in order.
    pub inferences: Vec<CitedInference>,
    /// The end of the case.
    pub end: CitedEnd,
}

/// An inference of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CitedInference {
    /// The last candidate of a cell is true.
    LastOfCell(Candidate),
    /// The last place of a digit in the house is true.
    LastOfHouse(Candidate, HouseId),
    /// A step on the position of the case.
    Step(Box<CitedStep>),
    /// A chain from the assumption to its end. Its links exist in the position before the assumption.
    Links(Citation, NodeTruth),
}

/// The candidates of a node with the node's truth value: true if one candidate is true, false if all candidates are
/// false.
pub type NodeTruth = (Vec<Candidate>, bool);

/// The end of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CitedEnd {
    /// The candidate is true (`true`) or false (`false`).
    Shows(Candidate, bool),
    /// A contradiction: one of these candidates is true, and all these candidates are false.
    TrueAndFalse(Vec<Candidate>),
    /// A cell without candidates.
    EmptyCell(Cell),
    /// A house without a place for a digit.
    EmptyHouse(HouseId, Digit),
}

impl CitedEnd {
    /// Returns the fact that the case shows, or `None` if the case ends in a contradiction.
    fn shown(&self) -> Option<CandidateTruth> {
        match self {
            &CitedEnd::Shows(candidate, holds) => Some((candidate, holds)),
            CitedEnd::TrueAndFalse(_) | CitedEnd::EmptyCell(_) | CitedEnd::EmptyHouse(..) => None,
        }
    }
}

/// Checks a step against the position in which the step was found.
pub fn check_cited(geometry: &Geometry, state: &State, step: &CitedStep) -> StepCheck {
    let check = CitedPosition { geometry, state, is_within_case: false }.check_step(step);
    check.err().unwrap_or(StepCheck::Follows)
}

/// The position of a case while its inferences are replayed.
struct CaseReplay<'a> {
    geometry: &'a Geometry,
    before: &'a State,
    supposed: CandidateTruth,
    /// The position after the replayed inferences.
    state: State,
    /// Nodes derived by links, the assumption first.
    derived_nodes: Vec<NodeTruth>,
    /// Candidates that were shown both true and false.
    contradictory: Vec<Candidate>,
}

impl<'a> CaseReplay<'a> {
    fn new(geometry: &'a Geometry, before: &'a State, case: &CitedCase) -> Result<Self, StepCheck> {
        let (candidate, holds) = case.supposed;
        if !before.has(candidate) {
            return Err(StepCheck::DoesNotFollow(candidate));
        }
        let mut replay = CaseReplay {
            geometry,
            before,
            supposed: case.supposed,
            state: before.clone(),
            derived_nodes: vec![(vec![candidate], holds)],
            contradictory: Vec::new(),
        };
        replay.set(candidate, holds);
        Ok(replay)
    }

    fn set(&mut self, candidate: Candidate, holds: bool) {
        if holds {
            if !self.state.has(candidate) && !self.is_placed(candidate) {
                self.contradictory.push(candidate);
            }
            self.state.place(self.geometry, candidate.cell, candidate.digit);
        } else {
            if self.is_placed(candidate) {
                self.contradictory.push(candidate);
            }
            self.state.eliminate(candidate);
        }
    }

    fn is_placed(&self, candidate: Candidate) -> bool {
        self.state.value(candidate.cell) == Some(candidate.digit)
    }

    /// Returns true if the cell can still have the digit of the candidate and the candidate was not shown both true and
    /// false.
    fn is_possible(&self, candidate: Candidate) -> bool {
        self.state.possible_digits(candidate.cell).has(candidate.digit) && !self.contradictory.contains(&candidate)
    }

    fn check(mut self, case: &CitedCase) -> Result<(), StepCheck> {
        for inference in &case.inferences {
            self.infer(inference)?;
        }
        if self.has_reached(&case.end) { Ok(()) } else { Err(StepCheck::NotTheEnd) }
    }

    /// Checks an inference and applies it to the position.
    fn infer(&mut self, inference: &CitedInference) -> Result<(), StepCheck> {
        match inference {
            CitedInference::LastOfCell(candidate) => {
                let is_last = self.state.possible_digits(candidate.cell).within(DigitSet::single(candidate.digit));
                self.set_last(*candidate, is_last)
            }
            CitedInference::LastOfHouse(candidate, house) => {
                let cells = &self.geometry.house(*house).cells;
                let mut others = cells.iter().filter(|&&cell| cell != candidate.cell);
                let is_last = !others.any(|&cell| self.state.possible_digits(cell).has(candidate.digit));
                self.set_last(*candidate, is_last && cells.contains(&candidate.cell))
            }
            CitedInference::Step(step) => {
                let position = CitedPosition { geometry: self.geometry, state: &self.state, is_within_case: true };
                position.check_step(step)?;
                step.eliminations.iter().for_each(|&candidate| self.set(candidate, false));
                step.placements.iter().for_each(|&candidate| self.set(candidate, true));
                Ok(())
            }
            CitedInference::Links(cited, end) => {
                self.check_links(cited, end)?;
                match (end.0.as_slice(), end.1) {
                    (&[candidate], true) => self.set(candidate, true),
                    // Nothing follows for a single one of several candidates.
                    (_, true) => {}
                    (candidates, false) => candidates.iter().for_each(|&candidate| self.set(candidate, false)),
                }
                self.derived_nodes.push(end.clone());
                Ok(())
            }
        }
    }

    /// Makes the last candidate of a cell or house true. If the candidate is already false, [`CaseReplay::set`] records
    /// a contradiction.
    fn set_last(&mut self, candidate: Candidate, is_last: bool) -> Result<(), StepCheck> {
        if !is_last {
            return Err(StepCheck::NotLast(candidate));
        }
        self.set(candidate, true);
        Ok(())
    }

    /// Checks that the end of a chain follows from the assumption and from the cited links, which must exist in the
    /// position before the assumption.
    fn check_links(&self, cited: &Citation, (candidates, holds): &NodeTruth) -> Result<(), StepCheck> {
        let position = CitedPosition { geometry: self.geometry, state: self.before, is_within_case: false };
        position.check_citations(cited)?;
        let mut facts = CitedFacts::new(position, cited, &[&candidates[..], &[self.supposed.0]].concat());
        let supposed = facts.literal(self.supposed);
        facts.solver.add_clause(&[supposed]);
        if !holds {
            return facts.check_all_follow(candidates, &[]);
        }
        let lits: Vec<Lit> = candidates.iter().map(|&candidate| facts.literal((candidate, true))).collect();
        facts.check_some_follows(&lits, self.supposed.0)
    }

    /// Returns true if a candidate was shown both true and false. Also returns true if the candidate is true and a
    /// peer's candidate of the same digit was shown both true and false.
    fn is_contradictory(&self, candidate: Candidate) -> bool {
        let mut of_digit = self.contradictory.iter().filter(|other| other.digit == candidate.digit);
        self.contradictory.contains(&candidate)
            || self.is_placed(candidate) && of_digit.any(|other| self.geometry.sees(other.cell, candidate.cell))
    }

    fn has_reached(&self, end: &CitedEnd) -> bool {
        match end {
            CitedEnd::Shows(candidate, true) => self.is_placed(*candidate),
            CitedEnd::Shows(candidate, false) => !self.state.has(*candidate) && !self.is_placed(*candidate),
            CitedEnd::TrueAndFalse(node) => {
                let nodes = &self.derived_nodes;
                let is_true = nodes.iter().any(|(candidates, holds)| *holds && candidates == node);
                let is_false = node
                    .iter()
                    .all(|candidate| nodes.iter().any(|(candidates, holds)| !holds && candidates.contains(candidate)));
                is_true && is_false || matches!(node.as_slice(), [candidate] if self.is_contradictory(*candidate))
            }
            CitedEnd::EmptyCell(cell) => {
                let mut digits = self.state.possible_digits(*cell).iter();
                !digits.any(|digit| self.is_possible(Candidate { cell: *cell, digit }))
            }
            CitedEnd::EmptyHouse(house, digit) => {
                let mut places = self.geometry.house(*house).cells.iter();
                !places.any(|&cell| self.is_possible(Candidate { cell, digit: *digit }))
            }
        }
    }
}
