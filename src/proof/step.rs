//! A single step, checked without the engine. In: a board, a position, what a step cites and concludes. Out:
//! whether the conclusion follows from the cited facts alone.
//!
//! The facts are: the candidates of the cited cells; for each cited house where each digit can still go, and
//! which digits it has; the cited strong links, after a look that they are there; and who sees whom. The rest
//! of the puzzle is left out: in a puzzle with one solution every wrong candidate is "provably" false, which
//! says nothing about the step.

use super::solver::{Answer, Lit, Solver};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use std::collections::BTreeMap;

/// What a step rests on.
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
    /// This does not follow from what is cited.
    DoesNotFollow(Candidate),
    /// The solver gave no answer within its limit on conflicts.
    Undecided(Candidate),
    /// It rests on there being one solution: what it cites is there, but alone it proves nothing.
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

/// What is cited and not there.
pub(super) fn cited_wrongly(
    geometry: &Geometry,
    state: &State,
    cited: Citation<'_>,
    inside: bool,
) -> Option<StepCheck> {
    // Inferences of a case are drawn from one position side by side, so an earlier one may have taken away what a later one cites.
    let has_others = |(cell, digits): &&(Cell, DigitSet)| {
        let listed = state.candidates(*cell);
        if inside { !listed.within(*digits) } else { listed != *digits }
    };
    let cell = cited.cells.iter().find(has_others);
    let link = || cited.strong.iter().find(|(a, b)| !is_strong(geometry, state, *a, *b));
    cell.map(|(cell, _)| StepCheck::WrongCell(*cell)).or_else(|| link().map(|(a, b)| StepCheck::WrongLink(*a, *b)))
}

/// Whether all of this follows from the facts.
pub(super) fn proved(facts: &mut Facts<'_>, eliminations: &[Candidate], placements: &[Candidate]) -> StepCheck {
    let concluded = eliminations.iter().map(|&gone| (gone, false)).chain(placements.iter().map(|&put| (put, true)));
    for (candidate, holds) in concluded {
        let lit = facts.lit(candidate.cell, candidate.digit);
        let checked = facts.follows(&[if holds { lit } else { !lit }], candidate);
        if checked != StepCheck::Follows {
            return checked;
        }
    }
    StepCheck::Follows
}

/// Returns true if one of two candidates must be true: a cell has no others, or a house has no other place for the digit.
fn is_strong(geometry: &Geometry, state: &State, a: Candidate, b: Candidate) -> bool {
    if a.cell == b.cell {
        return state.candidates(a.cell).within(DigitSet::single(a.digit) | DigitSet::single(b.digit));
    }
    let only_two = |house: &HouseId| {
        let cells = &geometry.house(*house).cells;
        let mut others = cells.iter().filter(|&&cell| cell != a.cell && cell != b.cell);
        cells.contains(&b.cell) && !others.any(|&cell| state.candidates(cell).has(a.digit))
    };
    a.digit == b.digit && geometry.houses_of(a.cell).iter().any(only_two)
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

    /// Whether one of these follows; `about` is what the answer names.
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

    /// No two digits in a cell, no digit in two cells that see each other.
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
