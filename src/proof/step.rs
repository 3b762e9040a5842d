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

/// Returns the first cited cell or link that the position does not have. Within a case, inferences are drawn from one position side by
/// side: if `inside`, an earlier one may have removed candidates that a later one cites, as long as what is cited still holds.
pub(super) fn cited_wrongly(
    geometry: &Geometry,
    state: &State,
    cited: Citation<'_>,
    inside: bool,
) -> Option<StepCheck> {
    let fits = |cell: Cell, digits: DigitSet| match inside {
        // Of a solved cell no digits are cited, and nothing follows from it.
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
