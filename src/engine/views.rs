//! Views of the grid. In: a state, or a result in terms of a view. Out: the state in terms of the view, or the result
//! in terms of the grid.
//!
//! In view Rn, the cell in row r and column n stands for digit n in row r, and its candidates are the columns where n
//! can go in that row. In view Cn, the cell in row c and column n stands for digit n in column c, and its candidates
//! are the rows where n can go in that column.
//!
//! Both views are boards of rows and columns without boxes ([`Geometry::latin`]). For view Rn: a cell of the view has
//! one value, because digit n occurs once in row r. A value occurs once in a row of the view, because a cell of the
//! grid holds one digit. A value occurs once in a column of the view, because digit n occurs once in a column of the
//! grid.

use super::tables::index::CandidateSet;
use super::{FamilyIndex, Value};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use crate::lang::ir::Space;

/// Translates between the grid and a view of it. The lens of [`Space::Rc`], the grid itself, changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lens {
    size: usize,
    space: Space,
}

impl Lens {
    /// Makes the lens for a board with `size` digits.
    pub fn new(size: usize, space: Space) -> Lens {
        Lens { size, space }
    }

    /// Returns true if this is the grid itself.
    pub fn is_grid(self) -> bool {
        self.space == Space::Rc
    }

    /// Translates a state to the view.
    pub fn state_in_view(self, state: &State) -> State {
        if self.is_grid() {
            return state.clone();
        }
        self.state_on_board(&Geometry::latin(self.size), state)
    }

    /// Translates a state to the view; `board` is the board of the view.
    pub fn state_on_board(self, board: &Geometry, state: &State) -> State {
        let mut candidates = vec![DigitSet::EMPTY; board.cell_count()];
        let mut placed = Vec::new();
        for cell in board.cells() {
            if let Some(digit) = state.value(cell) {
                placed.push(self.candidate_in_view(Candidate::new(digit, cell)));
            }
            for digit in state.candidates(cell).iter() {
                let in_view = self.candidate_in_view(Candidate::new(digit, cell));
                candidates[in_view.cell.index()].insert(in_view.digit);
            }
        }
        let mut out = State::empty(board);
        board.cells().zip(candidates).for_each(|(cell, candidates)| out.restrict(cell, candidates));
        for Candidate { cell, digit } in placed {
            // In a contradictory state, a row or column may have a digit twice. The first counts.
            if out.value(cell).is_none() {
                out.place(board, cell, digit);
            }
        }
        out
    }

    /// Translates a candidate of the grid to the view.
    fn candidate_in_view(self, in_grid: Candidate) -> Candidate {
        let row = in_grid.cell.index() / self.size;
        let column = in_grid.cell.index() % self.size;
        let (line, value) = match self.space {
            Space::Rc => return in_grid,
            Space::Rn => (row, column),
            Space::Cn => (column, row),
        };
        Candidate::new(Digit(value as u8), Cell((line * self.size + in_grid.digit.index()) as u16))
    }

    /// Translates a candidate of the view to the grid.
    pub fn candidate_in_grid(self, in_view: Candidate) -> Candidate {
        let line = in_view.cell.index() / self.size;
        let digit = in_view.cell.index() % self.size;
        let other_line = in_view.digit.index();
        let (row, column) = match self.space {
            Space::Rc => return in_view,
            Space::Rn => (line, other_line),
            Space::Cn => (other_line, line),
        };
        Candidate::new(Digit(digit as u8), Cell((row * self.size + column) as u16))
    }

    /// Translates candidates of the grid to the view.
    pub(super) fn candidates_in_view<const W: usize>(self, candidates: &CandidateSet<W>) -> CandidateSet<W> {
        let mut out = CandidateSet::EMPTY;
        for (digit, cells) in candidates.0.iter().enumerate().take(self.size) {
            for cell in cells.iter() {
                let in_view = self.candidate_in_view(Candidate::new(Digit(digit as u8), Cell(cell as u16)));
                out.0[in_view.digit.index()].insert(in_view.cell.index());
            }
        }
        out
    }

    /// Translates a cell of the view to a digit in a row or column.
    pub fn place_in_grid(self, cell: Cell) -> (HouseId, Digit) {
        let line = cell.index() / self.size;
        let digit = cell.index() % self.size;
        (self.line(line), Digit(digit as u8))
    }

    /// Returns the line of the grid that a row of the view stands for: a row in view Rn, a column in view Cn.
    fn line(self, index: usize) -> HouseId {
        HouseId((index + if self.space == Space::Cn { self.size } else { 0 }) as u16)
    }

    /// Returns the line of the grid that a value of the view stands for: a column in view Rn, a row in view Cn.
    fn crossing_line(self, index: usize) -> HouseId {
        HouseId((index + if self.space == Space::Rn { self.size } else { 0 }) as u16)
    }

    /// Translates a house of the view. A row of the view is a line of the grid (`Ok`), a column is a digit (`Err`).
    pub fn house_in_grid(self, house: HouseId) -> Result<HouseId, Digit> {
        match house.index().checked_sub(self.size) {
            None => Ok(self.line(house.index())),
            Some(digit) => Err(Digit(digit as u8)),
        }
    }

    /// Translates the value of a name to the grid.
    ///
    /// - Cells, and the cells of all members of a family, become pairs of a house and a digit.
    /// - Digits become houses.
    /// - Rows become houses, columns become digits. A set of rows and columns becomes the pairs of house and digit that
    ///   its cells stand for.
    pub fn value_in_grid(self, value: &Value) -> Value {
        if self.is_grid() {
            return value.clone();
        }
        match value {
            Value::Cells(cells) => self.places_in_grid(cells.iter().copied()),
            Value::Family(members) => self.places_in_grid(members.iter().flat_map(|(_, cells)| cells).copied()),
            Value::Digits(values) => {
                Value::Houses(values.iter().map(|value| self.crossing_line(value.index())).collect())
            }
            Value::Houses(houses) => self.houses_in_grid(houses),
            Value::Candidates(candidates) => {
                let mut in_grid: Vec<Candidate> =
                    candidates.iter().map(|&candidate| self.candidate_in_grid(candidate)).collect();
                in_grid.sort_unstable();
                Value::Candidates(in_grid)
            }
            Value::Number(_) | Value::Places(_) => value.clone(),
        }
    }

    fn places_in_grid(self, cells: impl Iterator<Item = Cell>) -> Value {
        let mut places: Vec<(HouseId, Digit)> = cells.map(|cell| self.place_in_grid(cell)).collect();
        places.sort_unstable();
        places.dedup();
        Value::Places(places)
    }

    fn houses_in_grid(self, houses: &[HouseId]) -> Value {
        let in_grid: Vec<Result<HouseId, Digit>> = houses.iter().map(|&house| self.house_in_grid(house)).collect();
        if in_grid.iter().all(Result::is_ok) {
            return Value::Houses(in_grid.into_iter().flatten().collect());
        }
        if in_grid.iter().all(Result::is_err) {
            return Value::Digits(in_grid.into_iter().filter_map(Result::err).collect());
        }
        let board = Geometry::latin(self.size);
        self.places_in_grid(houses.iter().flat_map(|&house| board.house(house).cells.clone()))
    }

    /// Returns the houses and cells of the grid that a reader must check to verify a value of the view.
    pub fn citations(self, value: &Value, geometry: &Geometry, state: &State) -> (Vec<HouseId>, Vec<Cell>) {
        let mut houses = Vec::new();
        let mut cells = Vec::new();
        let mut cells_in_view: Vec<Cell> = Vec::new();
        match value {
            Value::Cells(bound) => cells_in_view.extend(bound),
            Value::Family(bound) => {
                for (index, members) in bound {
                    cells_in_view.extend(members);
                    if let FamilyIndex::Cell(cell) = index {
                        cells_in_view.push(*cell);
                    }
                }
            }
            Value::Houses(bound) => {
                for &house in bound {
                    match self.house_in_grid(house) {
                        // In the view, every value is in the row. In the grid, every cell of the house has a digit.
                        Ok(house) => {
                            let of_house = geometry.house(house).cells.iter();
                            cells.extend(of_house.filter(|&&cell| state.value(cell).is_none()));
                            houses.push(house);
                        }
                        // In the view, every value is in the column. In the grid, each crossing line has the digit.
                        Err(_) => houses.extend((0..self.size).map(|index| self.crossing_line(index))),
                    }
                }
            }
            Value::Candidates(bound) => {
                cells.extend(bound.iter().map(|&candidate| self.candidate_in_grid(candidate).cell))
            }
            Value::Digits(_) | Value::Number(_) | Value::Places(_) => {}
        }
        for cell in cells_in_view {
            let (house, digit) = self.place_in_grid(cell);
            let of_house = geometry.house(house).cells.iter().copied();
            cells.extend(of_house.filter(|&cell| state.has(Candidate::new(digit, cell))));
            houses.push(house);
        }
        (houses, cells)
    }
}
