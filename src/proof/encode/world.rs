//! What a rule speaks about, as literals: cells, digits, houses, who sees whom, a state and its solution.
//!
//! In: sizes and what is known of seeing and of houses. Out: a [`World`] with the laws of every state
//! demanded. Two builders fill it: one from a board (everything about seeing is a constant), one from
//! nothing but the names of a rule (everything is open).

use crate::proof::circuit::Circuit;
use crate::proof::solver::Lit;

/// A cell of the state.
#[derive(Clone, Debug)]
pub(in crate::proof) struct CellLits {
    /// Whether the cell is there at all; always on a board.
    pub exists: Lit,
    /// Whether it has no value yet.
    pub unsolved: Lit,
    /// For each digit whether it is a candidate. A solved cell has none.
    pub candidate: Vec<Lit>,
    /// For each digit whether it is the solution.
    pub solution: Vec<Lit>,
    /// For each digit whether the puzzle itself leaves it possible; empty where no rule asks.
    pub open: Vec<Lit>,
}

/// A house of the state.
#[derive(Clone, Debug)]
pub(in crate::proof) struct HouseLits {
    /// Whether there is such a house; always on a board. One that is not there holds nothing and is of no class.
    pub exists: Lit,
    /// For each cell whether it lies in it.
    pub holds: Vec<Lit>,
    /// Whether it is a row.
    pub row: Lit,
    /// Whether it is a column.
    pub column: Lit,
    /// Whether it is a box.
    pub boxed: Lit,
}

/// Cells, digits and houses with the literals that describe them.
#[derive(Clone, Debug)]
pub(in crate::proof) struct World {
    /// For each digit whether the board has it.
    pub digits: Vec<Lit>,
    pub cells: Vec<CellLits>,
    /// For each two cells whether they see each other.
    sees: Vec<Lit>,
    pub houses: Vec<HouseLits>,
    /// Whether the board has boxes. Then each cell lies in one.
    pub boxes: Lit,
    /// For each two houses whether they are one; see [`World::same`].
    pub(super) same: Vec<Vec<Lit>>,
    /// For each house and digit whether the digit's place in the solution is known to be one of `cells`.
    pub placed: Vec<Vec<bool>>,
    /// Whether there may be cells and houses besides these.
    pub open: bool,
}

impl World {
    /// A world without houses; the laws of cells are demanded, those of houses come with [`World::add_house`].
    ///
    /// `sees` says of two different cells (the smaller first) whether they see each other.
    pub fn new(
        circuit: &mut Circuit,
        digits: Vec<Lit>,
        exists: &[Lit],
        open: bool,
        sees: &mut dyn FnMut(&mut Circuit, usize, usize) -> Lit,
    ) -> World {
        let count = exists.len();
        let cells = exists.iter().map(|&exists| cell(circuit, &digits, exists)).collect();
        let mut world = World {
            digits,
            cells,
            sees: vec![Lit::FALSE; count * count],
            houses: Vec::new(),
            boxes: Lit::FALSE,
            same: Vec::new(),
            placed: Vec::new(),
            open,
        };
        for a in 0..count {
            for b in a + 1..count {
                let lit = sees(circuit, a, b);
                world.sees[a * count + b] = lit;
                world.sees[b * count + a] = lit;
                world.exclude(circuit, a, b, lit);
            }
        }
        world
    }

    /// How many cells.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// Whether two cells see each other; no cell sees itself.
    pub fn sees(&self, a: usize, b: usize) -> Lit {
        self.sees[a * self.count() + b]
    }

    /// Whether two houses are one. On a board no two are.
    pub fn same(&self, a: usize, b: usize) -> Lit {
        if a == b {
            return Lit::TRUE;
        }
        let (low, high) = (a.min(b), a.max(b));
        self.same.get(high).and_then(|row| row.get(low)).copied().unwrap_or(Lit::FALSE)
    }

    /// Lets the puzzle leave digits possible: everything that is possible now, every value, the solution.
    pub fn open_puzzle(&mut self, circuit: &mut Circuit) {
        for cell in 0..self.count() {
            for digit in 0..self.digits.len() {
                let lit = circuit.fresh();
                circuit.imply(self.cells[cell].candidate[digit], lit);
                circuit.imply(self.cells[cell].solution[digit], lit);
                self.cells[cell].open.push(lit);
            }
        }
    }

    /// Whether a cell holds this value.
    pub fn value(&self, circuit: &mut Circuit, cell: usize, digit: usize) -> Lit {
        let lits = &self.cells[cell];
        circuit.and([!lits.unsolved, lits.solution[digit]])
    }

    /// Whether a digit is a candidate or the value.
    pub fn option(&self, circuit: &mut Circuit, cell: usize, digit: usize) -> Lit {
        let value = self.value(circuit, cell, digit);
        circuit.or([self.cells[cell].candidate[digit], value])
    }

    /// Two cells that see each other differ, and a solved one takes its digit from the other.
    fn exclude(&self, circuit: &mut Circuit, a: usize, b: usize, sees: Lit) {
        if sees == Lit::FALSE {
            return;
        }
        for digit in 0..self.digits.len() {
            let (x, y) = (&self.cells[a], &self.cells[b]);
            circuit.clause(&[!sees, !x.solution[digit], !y.solution[digit]]);
            circuit.clause(&[!sees, x.unsolved, !x.solution[digit], !y.candidate[digit]]);
            circuit.clause(&[!sees, y.unsolved, !y.solution[digit], !x.candidate[digit]]);
        }
    }

    /// Adds a house. Two cells of it see each other; where `among` has a number for a digit, the digit's place
    /// is one of the first cells, this many.
    pub fn add_house(&mut self, circuit: &mut Circuit, house: HouseLits, among: &[Option<usize>]) {
        for a in 0..self.count() {
            for b in a + 1..self.count() {
                circuit.clause(&[!house.holds[a], !house.holds[b], self.sees(a, b)]);
            }
        }
        for (digit, among) in among.iter().enumerate() {
            let Some(among) = among else { continue };
            let mut places = vec![!self.digits[digit], !house.exists];
            for (cell, &holds) in self.cells.iter().zip(&house.holds).take(*among) {
                places.push(circuit.and([holds, cell.solution[digit]]));
            }
            circuit.clause(&places);
        }
        self.houses.push(house);
        self.placed.push(among.iter().map(Option::is_some).collect());
    }
}

/// One digit in every cell; while it is unsolved the digit is a candidate, afterwards there is none.
fn cell(circuit: &mut Circuit, digits: &[Lit], exists: Lit) -> CellLits {
    let unsolved = circuit.fresh();
    let solution: Vec<Lit> = digits.iter().map(|_| circuit.fresh()).collect();
    let candidate: Vec<Lit> = digits.iter().map(|_| circuit.fresh()).collect();
    circuit.imply(unsolved, exists);
    let mut some = solution.clone();
    some.push(!exists);
    circuit.clause(&some);
    circuit.at_most_one(&solution);
    for digit in 0..digits.len() {
        circuit.imply(solution[digit], exists);
        circuit.imply(solution[digit], digits[digit]);
        circuit.imply(candidate[digit], digits[digit]);
        circuit.imply(candidate[digit], unsolved);
        circuit.clause(&[!unsolved, !solution[digit], candidate[digit]]);
    }
    CellLits { exists, unsolved, candidate, solution, open: Vec::new() }
}
