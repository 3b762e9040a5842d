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

use super::solver::{Answer, Lit, Solver};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use std::collections::BTreeMap;

/// Citations of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Citation<'a> {
    /// Cells with the candidates that the step saw there.
    pub cells: &'a [(Cell, DigitSet)],
    /// Houses.
    pub houses: &'a [HouseId],
    /// Pairs of candidates of which one is true.
    pub strong: &'a [(Candidate, Candidate)],
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

/// Returns the first cited cell or link that the position does not have. Within a case, inferences are drawn from one position side by
/// side: if `inside`, an earlier one may have removed candidates that a later one cites, as long as what is cited still holds.
pub(super) fn cited_wrongly(
    geometry: &Geometry,
    state: &State,
    cited: Citation<'_>,
    inside: bool,
) -> Option<StepCheck> {
    let fits = |cell: Cell, digits: DigitSet| match inside {
        // A solved cell is cited without digits, and nothing follows from it.
        true => digits.is_empty() || options(state, cell).within(digits),
        false => state.candidates(cell) == digits,
    };
    let wrong_cell = cited.cells.iter().find(|(cell, digits)| !fits(*cell, *digits));
    let is_link =
        |a: Candidate, b: Candidate| is_strong(geometry, state, a, b) || (inside && is_left(geometry, state, a, b));
    let wrong_link = || cited.strong.iter().find(|(a, b)| !is_link(*a, *b));
    let wrong_cell = wrong_cell.map(|(cell, _)| StepCheck::WrongCell(*cell));
    wrong_cell.or_else(|| wrong_link().map(|(a, b)| StepCheck::WrongLink(*a, *b)))
}

/// The digits that a cell can still have: its value, or else its candidates.
pub(super) fn options(state: &State, cell: Cell) -> DigitSet {
    state.value(cell).map_or_else(|| state.candidates(cell), DigitSet::single)
}

/// Checks that all conclusions follow from the facts.
pub(super) fn proved(facts: &mut Facts<'_>, eliminations: &[Candidate], placements: &[Candidate]) -> StepCheck {
    let concluded =
        eliminations.iter().map(|&eliminated| (eliminated, false)).chain(placements.iter().map(|&put| (put, true)));
    for (candidate, holds) in concluded {
        let lit = facts.lit(candidate.cell, candidate.digit);
        let checked = facts.follows(&[if holds { lit } else { !lit }], candidate);
        if checked != StepCheck::Follows {
            return checked;
        }
    }
    StepCheck::Follows
}

/// Returns true if two candidates are the only two of a cell, or of a digit in a house.
fn is_strong(geometry: &Geometry, state: &State, a: Candidate, b: Candidate) -> bool {
    if a.cell == b.cell {
        return state.candidates(a.cell) == DigitSet::single(a.digit) | DigitSet::single(b.digit);
    }
    let only_two = |house: &HouseId| {
        let cells = geometry.house(*house).cells.iter();
        let places: Vec<Cell> = cells.copied().filter(|&cell| state.candidates(cell).has(a.digit)).collect();
        places.len() == 2 && places.contains(&a.cell) && places.contains(&b.cell)
    };
    a.digit == b.digit && geometry.houses_of(a.cell).iter().any(only_two)
}

/// Returns true if nothing but one of two candidates is left for a cell, or for a digit in a house.
fn is_left(geometry: &Geometry, state: &State, a: Candidate, b: Candidate) -> bool {
    if a.cell == b.cell {
        return options(state, a.cell).within(DigitSet::single(a.digit) | DigitSet::single(b.digit));
    }
    let in_house = |house: &HouseId| {
        let cells = &geometry.house(*house).cells;
        let others = || cells.iter().filter(|&&cell| cell != a.cell && cell != b.cell);
        cells.contains(&b.cell) && !others().any(|&cell| options(state, cell).has(a.digit))
    };
    a.digit == b.digit && geometry.houses_of(a.cell).iter().any(in_house)
}

/// Cited facts as clauses.
pub(super) struct Facts<'a> {
    geometry: &'a Geometry,
    state: &'a State,
    pub solver: Solver,
    at: BTreeMap<(Cell, Digit), Lit>,
}

impl<'a> Facts<'a> {
    pub fn new(geometry: &'a Geometry, state: &'a State) -> Facts<'a> {
        Facts { geometry, state, solver: Solver::new(), at: BTreeMap::new() }
    }

    /// Checks that one of the literals follows; a negative answer names `about`.
    pub fn follows(&mut self, one: &[Lit], about: Candidate) -> StepCheck {
        let none: Vec<Lit> = one.iter().map(|&lit| !lit).collect();
        match self.solver.solve(&none, LIMIT) {
            Answer::No => StepCheck::Follows,
            Answer::Yes(_) => StepCheck::DoesNotFollow(about),
            Answer::Limit => StepCheck::Undecided(about),
        }
    }

    pub fn lit(&mut self, cell: Cell, digit: Digit) -> Lit {
        if let Some(&known) = self.at.get(&(cell, digit)) {
            return known;
        }
        let lit = Lit::positive(self.solver.variable());
        self.at.insert((cell, digit), lit);
        lit
    }

    pub fn add(&mut self, cited: Citation<'_>, concluded: impl Iterator<Item = Candidate>) {
        for &(cell, digits) in cited.cells.iter().filter(|(_, digits)| !digits.is_empty()) {
            let one: Vec<Lit> = digits.iter().map(|digit| self.lit(cell, digit)).collect();
            self.solver.add(&one);
        }
        for &house in cited.houses {
            self.house(house);
        }
        for &(a, b) in cited.strong {
            let link = [self.lit(a.cell, a.digit), self.lit(b.cell, b.digit)];
            self.solver.add(&link);
        }
        concluded.for_each(|candidate| {
            self.lit(candidate.cell, candidate.digit);
        });
        self.exclusions();
    }

    /// Every digit that the house lacks goes to one of its places there.
    fn house(&mut self, house: HouseId) {
        let cells = self.geometry.house(house).cells.clone();
        let values: DigitSet = cells.iter().filter_map(|&cell| self.state.value(cell)).collect();
        for digit in (DigitSet::all(self.geometry.size()) - values).iter() {
            let places = cells.iter().filter(|&&cell| self.state.candidates(cell).has(digit));
            let one: Vec<Lit> = places.map(|&cell| self.lit(cell, digit)).collect();
            self.solver.add(&one);
        }
    }

    /// Adds that a cell has one digit, and peers have different digits.
    fn exclusions(&mut self) {
        let all: Vec<((Cell, Digit), Lit)> = self.at.iter().map(|(&at, &lit)| (at, lit)).collect();
        for (i, &((cell, digit), lit)) in all.iter().enumerate() {
            for &((other, same), second) in &all[i + 1..] {
                if cell == other || (digit == same && self.geometry.sees(cell, other)) {
                    self.solver.add(&[!lit, !second]);
                }
            }
        }
    }
}

/// A step with assumptions: citations, cases and conclusions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepCited {
    /// Cells with the candidates that the step saw there.
    pub cells: Vec<(Cell, DigitSet)>,
    /// Houses.
    pub houses: Vec<HouseId>,
    /// Pairs of candidates of which one is true.
    pub strong: Vec<(Candidate, Candidate)>,
    /// Cases of the assumption.
    pub cases: Vec<CaseCited>,
    /// Concluded eliminations.
    pub eliminations: Vec<Candidate>,
    /// Concluded placements.
    pub placements: Vec<Candidate>,
    /// True if the step assumes that the puzzle has one solution.
    pub one_solution: bool,
}

/// A case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseCited {
    /// The candidate, and whether it is supposed true.
    pub supposed: (Candidate, bool),
    /// In order.
    pub inferences: Vec<InferenceCited>,
    /// End of the case.
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

/// End of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndCited {
    /// The candidate is true, or false.
    Shows(Candidate, bool),
    /// A node of which one candidate is true and each one is false.
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

/// The position of a case as far as its inferences have been replayed.
struct Position<'a> {
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
                    step.eliminations.iter().for_each(|&eliminated| self.set(eliminated, false));
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
                let eliminated = |one: &Candidate| self.ends.iter().any(|(list, holds)| !holds && list.contains(one));
                let by_links =
                    self.ends.iter().any(|(list, holds)| *holds && list == node) && node.iter().all(eliminated);
                by_links || matches!(node.as_slice(), [one] if self.is_both(*one))
            }
            EndCited::EmptyCell(cell) => {
                !options(&self.now, *cell).iter().any(|digit| self.is_possible(Candidate { cell: *cell, digit }))
            }
            EndCited::EmptyHouse(house, digit) => {
                let mut places = self.geometry.house(*house).cells.iter();
                !places.any(|&cell| self.is_possible(Candidate { cell, digit: *digit }))
            }
        }
    }
}
