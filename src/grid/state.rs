//! A position on the way to the solution: what is placed and what is still possible.
//!
//! In: givens or candidate lists, then placements and eliminations. Out: data that others read;
//! every index (places of a digit, bivalue cells …) is derived elsewhere and disposable.

use super::geometry::Geometry;
use super::ids::{Candidate, Cell, Digit, DigitSet, HouseId};
use serde::{Deserialize, Serialize};

/// Values and candidates of every cell. A solved cell has a value and no candidates.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    values: Vec<Option<Digit>>,
    candidates: Vec<DigitSet>,
    /// Digits that the puzzle itself leaves possible, before any deduction.
    #[serde(rename = "open")]
    initial_candidates: Vec<DigitSet>,
}

/// Visible reason why a state has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Contradiction {
    /// A cell that has neither value nor candidates.
    EmptyCell(Cell),
    /// A digit that has no place left in a house.
    NoPlace(Digit, HouseId),
    /// A digit that stands twice in a house.
    Repeated(Digit, HouseId),
    /// A digit that stands in two cells that see each other without sharing a house.
    SeenTwice(Digit, Cell, Cell),
}

impl State {
    /// Returns the empty board: every cell may hold every digit.
    pub fn empty(geometry: &Geometry) -> State {
        let cells = geometry.cell_count();
        let all = vec![DigitSet::all(geometry.size()); cells];
        State { values: vec![None; cells], candidates: all.clone(), initial_candidates: all }
    }

    /// Builds the position that a grid of candidates shows. `cells` has the digits of each cell, and true if it is solved. Solved
    /// digits are eliminated from peers; the puzzle is taken to leave exactly what is shown.
    pub fn from_candidate_grid(geometry: &Geometry, cells: &[(DigitSet, bool)]) -> State {
        let mut state = State::empty(geometry);
        for (cell, (digits, solved)) in geometry.cells().zip(cells) {
            match digits.first().filter(|_| *solved) {
                Some(value) => state.place(geometry, cell, value),
                None => state.restrict(cell, *digits & state.candidates(cell)),
            }
        }
        for cell in geometry.cells() {
            state.set_initial_candidates(cell, state.possible_digits(cell));
        }
        state
    }

    /// Returns the value of a solved cell.
    pub fn value(&self, cell: Cell) -> Option<Digit> {
        self.values[cell.index()]
    }

    /// Returns the candidates of a cell; none where it is solved.
    pub fn candidates(&self, cell: Cell) -> DigitSet {
        self.candidates[cell.index()]
    }

    /// Returns the digits that a grid of candidates shows: the candidates of a cell, or its value.
    pub fn possible_digits(&self, cell: Cell) -> DigitSet {
        self.candidates(cell) | DigitSet::single_of(self.value(cell))
    }

    /// Returns the digits that the puzzle itself, before any deduction, leaves possible in a cell: of a given its value, of an
    /// empty cell every digit, of a puzzle of candidate lists the cell's list.
    pub fn initial_candidates(&self, cell: Cell) -> DigitSet {
        self.initial_candidates[cell.index()]
    }

    /// Returns the [initial candidates](Self::initial_candidates) digits of all cells, row by row.
    pub fn all_initial_candidates(&self) -> &[DigitSet] {
        &self.initial_candidates
    }

    /// Sets the digits that the puzzle itself leaves possible in a cell.
    pub fn set_initial_candidates(&mut self, cell: Cell, digits: DigitSet) {
        self.initial_candidates[cell.index()] = digits;
    }

    /// Values and candidates, row by row.
    pub fn values_and_candidates(&self) -> (&[Option<Digit>], &[DigitSet]) {
        (&self.values, &self.candidates)
    }

    /// Returns true if the candidate is still there.
    pub fn has(&self, candidate: Candidate) -> bool {
        self.candidates(candidate.cell).has(candidate.digit)
    }

    /// Places a digit in a cell and eliminates it from every peer.
    pub fn place(&mut self, geometry: &Geometry, cell: Cell, digit: Digit) {
        self.values[cell.index()] = Some(digit);
        self.candidates[cell.index()] = DigitSet::EMPTY;
        for peer in geometry.peers(cell) {
            self.candidates[peer.index()].remove(digit);
        }
    }

    /// Eliminates a candidate. Returns true if it was there.
    pub fn eliminate(&mut self, candidate: Candidate) -> bool {
        let present = self.has(candidate);
        self.candidates[candidate.cell.index()].remove(candidate.digit);
        present
    }

    /// Eliminates all candidates of a cell but `digits`.
    pub fn restrict(&mut self, cell: Cell, digits: DigitSet) {
        let here = &mut self.candidates[cell.index()];
        *here = *here & digits;
    }

    /// Returns true if every cell has a value.
    pub fn is_solved(&self) -> bool {
        self.values.iter().all(Option::is_some)
    }

    /// Returns the number of cells without a value.
    pub fn unsolved_count(&self) -> usize {
        self.values.iter().filter(|value| value.is_none()).count()
    }

    /// Returns the first sign that no solution is left: an empty cell, a digit twice or without a place in a house.
    pub fn contradiction(&self, geometry: &Geometry) -> Option<Contradiction> {
        // This is called for every state, so value and candidates of a cell are packed into one word: each house takes one pass.
        let cells =
            self.values.iter().zip(&self.candidates).map(|(value, candidates)| {
                u64::from(DigitSet::single_of(*value).0) | u64::from(candidates.0) << u32::BITS
            });
        let cells: Vec<u64> = cells.collect();
        if let Some(empty) = cells.iter().position(|&cell| cell == 0) {
            return Some(Contradiction::EmptyCell(Cell(empty as u16)));
        }
        let all = DigitSet::all(geometry.size());
        for (id, house) in geometry.houses().iter().enumerate() {
            let (mut some, mut twice) = (0, 0);
            for cell in &house.cells {
                let here = cells[cell.index()];
                twice |= some & here;
                some |= here;
            }
            let [twice, seen, possible] = [twice, some, some >> u32::BITS].map(|digits| DigitSet(digits as u32));
            let id = HouseId(id as u16);
            if let Some(digit) = twice.first() {
                return Some(Contradiction::Repeated(digit, id));
            }
            if let Some(digit) = (all - seen - possible).first() {
                return Some(Contradiction::NoPlace(digit, id));
            }
        }
        geometry.has_extra_pairs().then(|| self.seen_twice(geometry))?
    }

    fn seen_twice(&self, geometry: &Geometry) -> Option<Contradiction> {
        geometry.cells().find_map(|cell| {
            let digit = self.value(cell)?;
            let other = geometry.peers(cell).iter().find(|&&peer| peer > cell && self.value(peer) == Some(digit))?;
            Some(Contradiction::SeenTwice(digit, cell, *other))
        })
    }
}
