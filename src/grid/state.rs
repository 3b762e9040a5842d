//! A position during the solution of a puzzle: the value or the candidates of each cell.
//!
//! In: givens or candidate lists, then placements and eliminations. Out: plain data. The engine derives its indices (cells of a
//! digit in a house, bivalue cells …) from it.

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

/// A direct violation of the rules, so that the state has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Contradiction {
    /// A cell that has neither value nor candidates.
    EmptyCell(Cell),
    /// A digit that no cell of a house can hold.
    NoPlace(Digit, HouseId),
    /// A digit that is the value of two cells of a house.
    Repeated(Digit, HouseId),
    /// A digit that is the value of two peers that share no house.
    SeenTwice(Digit, Cell, Cell),
}

impl State {
    /// Returns the empty board: every cell may hold every digit.
    pub fn empty(geometry: &Geometry) -> State {
        let cells = geometry.cell_count();
        let all = vec![DigitSet::all(geometry.size()); cells];
        State { values: vec![None; cells], candidates: all.clone(), initial_candidates: all }
    }

    /// Builds the position of a candidate grid. `cells` has the digits of each cell, and true if the cell is solved. Solved digits are
    /// eliminated from their peers. The remaining digits become the initial candidates as well.
    pub fn from_candidate_grid(geometry: &Geometry, cells: &[(DigitSet, bool)]) -> State {
        let mut state = State::empty(geometry);
        for (cell, (digits, solved)) in geometry.cells().zip(cells) {
            match digits.first() {
                Some(value) if *solved => state.place(geometry, cell, value),
                _ => state.restrict(cell, *digits),
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

    /// Returns the candidates of a cell. A solved cell has none.
    pub fn candidates(&self, cell: Cell) -> DigitSet {
        self.candidates[cell.index()]
    }

    /// Returns the candidates of an unsolved cell, or the value of a solved one.
    pub fn possible_digits(&self, cell: Cell) -> DigitSet {
        self.candidates(cell) | DigitSet::from_option(self.value(cell))
    }

    /// Returns the digits that the puzzle itself leaves possible in a cell, before any deduction: the value of a given, every digit for
    /// an empty cell, or the cell's list if the puzzle consists of candidate lists.
    pub fn initial_candidates(&self, cell: Cell) -> DigitSet {
        self.initial_candidates[cell.index()]
    }

    /// Returns the [initial candidates](Self::initial_candidates) of all cells, row by row.
    pub fn all_initial_candidates(&self) -> &[DigitSet] {
        &self.initial_candidates
    }

    /// Sets the digits that the puzzle itself leaves possible in a cell.
    pub fn set_initial_candidates(&mut self, cell: Cell, digits: DigitSet) {
        self.initial_candidates[cell.index()] = digits;
    }

    /// Returns the values and the candidates of all cells, row by row.
    pub fn values_and_candidates(&self) -> (&[Option<Digit>], &[DigitSet]) {
        (&self.values, &self.candidates)
    }

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

    /// Eliminates a candidate. Returns true if it was present.
    pub fn eliminate(&mut self, candidate: Candidate) -> bool {
        let present = self.has(candidate);
        self.candidates[candidate.cell.index()].remove(candidate.digit);
        present
    }

    /// Eliminates all candidates of a cell except `digits`.
    pub fn restrict(&mut self, cell: Cell, digits: DigitSet) {
        let candidates = &mut self.candidates[cell.index()];
        *candidates = *candidates & digits;
    }

    pub fn is_solved(&self) -> bool {
        self.values.iter().all(Option::is_some)
    }

    /// Returns the number of cells without a value.
    pub fn unsolved_count(&self) -> usize {
        self.values.iter().filter(|value| value.is_none()).count()
    }

    /// Returns the first contradiction: an empty cell, then a digit that is repeated or has no place in a house, then a digit that is
    /// repeated in peers without a common house.
    pub fn contradiction(&self, geometry: &Geometry) -> Option<Contradiction> {
        // This is called for every state, so the value (low half) and the candidates (high half) of a cell are packed into one word:
        // each house takes one pass.
        let words = self.values.iter().zip(&self.candidates).map(|(value, candidates)| {
            u64::from(DigitSet::from_option(*value).0) | u64::from(candidates.0) << u32::BITS
        });
        let cells: Vec<u64> = words.collect();
        if let Some(empty) = cells.iter().position(|&cell| cell == 0) {
            return Some(Contradiction::EmptyCell(Cell(empty as u16)));
        }
        let all = DigitSet::all(geometry.size());
        for (id, house) in geometry.houses().iter().enumerate() {
            let mut union = 0;
            let mut repeated = 0;
            for cell in &house.cells {
                let word = cells[cell.index()];
                repeated |= union & word;
                union |= word;
            }
            let [repeated, values, candidates] =
                [repeated, union, union >> u32::BITS].map(|digits| DigitSet(digits as u32));
            let id = HouseId(id as u16);
            if let Some(digit) = repeated.first() {
                return Some(Contradiction::Repeated(digit, id));
            }
            if let Some(digit) = (all - values - candidates).first() {
                return Some(Contradiction::NoPlace(digit, id));
            }
        }
        if geometry.has_extra_pairs() { self.repeated_in_peers(geometry) } else { None }
    }

    fn repeated_in_peers(&self, geometry: &Geometry) -> Option<Contradiction> {
        geometry.cells().find_map(|cell| {
            let digit = self.value(cell)?;
            let peer = geometry.peers(cell).iter().find(|&&peer| peer > cell && self.value(peer) == Some(digit))?;
            Some(Contradiction::SeenTwice(digit, cell, *peer))
        })
    }
}
