//! Views of the grid. In: a state, or a result in terms of a view. Out: the state in terms of the view, or the result in
//! terms of the grid.
//!
//! In view Rn, the cell in row r and column n stands for digit n in row r, and its candidates are the columns where n can go
//! in that row; in view Cn, the cell in row c and column n stands for digit n in column c, and its candidates are rows. Both
//! are boards of rows and columns without boxes ([`Geometry::latin`]): n occurs once in r, so a cell has one value; a cell
//! of the grid holds one digit and a digit occurs once in a column, so a value occurs once in a row and once in a column.

use super::tables::index::CandidateSet;
use super::{FamilyIndex, Value};
use crate::grid::{Candidate, Cell, Digit, Geometry, HouseId, State};
use crate::lang::ir::Space;

/// Translates between the grid and a view of it; of [`Space::Rc`] it changes nothing.
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

    /// The state as the view shows it.
    pub fn state(self, state: &State) -> State {
        if self.is_grid() {
            return state.clone();
        }
        self.state_on(&Geometry::latin(self.size), state)
    }

    /// The state as the view shows it, on a given board of the view.
    pub fn state_on(self, board: &Geometry, state: &State) -> State {
        let mut out = State::empty(board);
        let mut placed = Vec::new();
        for cell in board.cells() {
            let values = (0..self.size).map(|value| Digit(value as u8));
            let seen = values.map(|value| (value, self.candidate(Candidate::new(value, cell))));
            match seen.clone().find(|(_, one)| state.value(one.cell) == Some(one.digit)) {
                Some((value, _)) => placed.push((cell, value)),
                None => {
                    let left = seen.filter(|(_, one)| state.has(*one));
                    out.restrict(cell, left.map(|(value, _)| value).collect());
                }
            }
        }
        placed.into_iter().for_each(|(cell, value)| out.place(board, cell, value));
        out
    }

    /// Translates a candidate of the view to the grid.
    pub fn candidate(self, seen: Candidate) -> Candidate {
        let (line, second, value) = (seen.cell.index() / self.size, seen.cell.index() % self.size, seen.digit.index());
        let (row, column) = match self.space {
            Space::Rc => return seen,
            Space::Rn => (line, value),
            Space::Cn => (value, line),
        };
        Candidate::new(Digit(second as u8), Cell((row * self.size + column) as u16))
    }

    /// Translates candidates of the grid to the view.
    pub(super) fn seen<const W: usize>(self, marks: &CandidateSet<W>) -> CandidateSet<W> {
        let mut out = CandidateSet::EMPTY;
        for (digit, cells) in marks.0.iter().enumerate().take(self.size) {
            for cell in cells.iter() {
                let (row, column) = (cell / self.size, cell % self.size);
                let (line, value) = if self.space == Space::Cn { (column, row) } else { (row, column) };
                match self.space {
                    Space::Rc => out.0[digit].insert(cell),
                    Space::Rn | Space::Cn => out.0[value].insert(line * self.size + digit),
                }
            }
        }
        out
    }

    /// Translates a cell of the view to a digit in a row or column.
    pub fn place(self, cell: Cell) -> (HouseId, Digit) {
        let (line, digit) = (cell.index() / self.size, cell.index() % self.size);
        (self.line(line, self.space == Space::Cn), Digit(digit as u8))
    }

    /// A row or a column of the grid.
    fn line(self, index: usize, column: bool) -> HouseId {
        HouseId((index + if column { self.size } else { 0 }) as u16)
    }

    /// Translates a house of the view: its rows are houses of the grid, its columns are digits.
    pub fn house(self, house: HouseId) -> Result<HouseId, Digit> {
        match house.index().checked_sub(self.size) {
            None => Ok(self.line(house.index(), self.space == Space::Cn)),
            Some(digit) => Err(Digit(digit as u8)),
        }
    }

    /// Translates the value of a name to the grid.
    ///
    /// Cells become digits in houses, digits become houses, houses become houses or digits (a mixed set becomes every digit
    /// in its houses), and a family becomes the union of its members.
    pub fn value(self, value: &Value) -> Value {
        if self.is_grid() {
            return value.clone();
        }
        match value {
            Value::Cells(cells) => self.places(cells.iter().copied()),
            Value::Family(members) => self.places(members.iter().flat_map(|(_, cells)| cells).copied()),
            Value::Digits(values) => {
                Value::Houses(values.iter().map(|value| self.line(value.index(), self.space == Space::Rn)).collect())
            }
            Value::Houses(houses) => self.houses(houses),
            Value::Candidates(list) => {
                let mut list: Vec<Candidate> = list.iter().map(|&one| self.candidate(one)).collect();
                list.sort_unstable();
                Value::Candidates(list)
            }
            Value::Number(_) | Value::Places(_) => value.clone(),
        }
    }

    fn places(self, cells: impl Iterator<Item = Cell>) -> Value {
        let mut places: Vec<(HouseId, Digit)> = cells.map(|cell| self.place(cell)).collect();
        places.sort_unstable();
        places.dedup();
        Value::Places(places)
    }

    fn houses(self, houses: &[HouseId]) -> Value {
        let seen: Vec<Result<HouseId, Digit>> = houses.iter().map(|&house| self.house(house)).collect();
        if seen.iter().all(Result::is_ok) {
            return Value::Houses(seen.into_iter().flatten().collect());
        }
        if seen.iter().all(Result::is_err) {
            return Value::Digits(seen.into_iter().filter_map(Result::err).collect());
        }
        let board = Geometry::latin(self.size);
        self.places(houses.iter().flat_map(|&house| board.house(house).cells.clone()))
    }

    /// The houses and cells of the grid that say what a value means in the view.
    pub fn cited(self, value: &Value, geometry: &Geometry, state: &State) -> (Vec<HouseId>, Vec<Cell>) {
        let (mut houses, mut cells) = (Vec::new(), Vec::new());
        let mut seen: Vec<Cell> = Vec::new();
        match value {
            Value::Cells(bound) => seen.extend(bound),
            Value::Family(bound) => {
                for (index, members) in bound {
                    seen.extend(members);
                    if let FamilyIndex::Cell(cell) = index {
                        seen.push(*cell);
                    }
                }
            }
            Value::Houses(bound) => {
                for &house in bound {
                    match self.house(house) {
                        // Every cell of the house holds some digit.
                        Ok(house) => {
                            cells.extend(
                                geometry.house(house).cells.iter().filter(|&&cell| state.value(cell).is_none()),
                            );
                            houses.push(house);
                        }
                        // The digit stands in each of the crossing lines.
                        Err(_) => houses.extend((0..self.size).map(|at| self.line(at, self.space == Space::Rn))),
                    }
                }
            }
            Value::Candidates(bound) => cells.extend(bound.iter().map(|&one| self.candidate(one).cell)),
            Value::Digits(_) | Value::Number(_) | Value::Places(_) => {}
        }
        for cell in seen {
            let (house, digit) = self.place(cell);
            let here = geometry.house(house).cells.iter().copied();
            cells.extend(here.filter(|&cell| state.has(Candidate::new(digit, cell))));
            houses.push(house);
        }
        (houses, cells)
    }
}
