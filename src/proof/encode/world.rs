//! The subjects of a rule as literals: cells, digits, houses, visibility, a state and its solution.
//!
//! In: sizes, and known facts about visibility and houses. Out: a [`World`] that demands the laws of every state. Two
//! builders fill it: one from a board, where all visibility is constant, and one from the names of a rule alone, where
//! everything is open.

use crate::grid::{Cell, Geometry, HouseKind};
use crate::lang::ir::{Kind, VarId, VarShape, Variant};
use crate::proof::circuit::Circuit;
use crate::proof::solver::Lit;

/// A cell of the state.
#[derive(Clone, Debug)]
pub(crate) struct CellLits {
    /// Literal: the cell exists; always true on a board.
    pub exists: Lit,
    /// Literal: the cell has no value yet.
    pub unsolved: Lit,
    /// For each digit, a literal: it is a candidate. A solved cell has none.
    pub candidate: Vec<Lit>,
    /// For each digit, a literal: it is the solution.
    pub solution: Vec<Lit>,
    /// For each digit, a literal: the puzzle itself leaves it possible. Empty if no rule asks.
    pub open: Vec<Lit>,
}

/// A house of the state.
#[derive(Clone, Debug)]
pub(crate) struct HouseLits {
    /// Literal: the house exists; always true on a board. A house that doesn't exist has no cells and no class.
    pub exists: Lit,
    /// For each cell, a literal: the house holds it.
    pub holds: Vec<Lit>,
    /// Literal: the house is a row.
    pub row: Lit,
    /// Literal: the house is a column.
    pub column: Lit,
    /// Literal: the house is a box.
    pub boxed: Lit,
}

/// Cells, digits and houses with the literals that describe them.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// For each digit, a literal: the board has it.
    pub digits: Vec<Lit>,
    pub cells: Vec<CellLits>,
    /// For each pair of cells, a literal: they see each other.
    sees: Vec<Lit>,
    pub houses: Vec<HouseLits>,
    /// Literal: the board has boxes. Then each cell lies in one.
    pub boxes: Lit,
    /// For each pair of houses, a literal: they are one house; see [`World::same`].
    pub(super) same: Vec<Vec<Lit>>,
    /// For each house and digit, true if the digit's place in the solution is known to be one of `cells`.
    pub placed: Vec<Vec<bool>>,
    /// True if there may be unmodelled cells and houses.
    pub open: bool,
}

impl World {
    /// Makes a world without houses. Demands the laws of cells; those of houses come with [`World::add_house`].
    ///
    /// `sees` returns the literal for two different cells, the smaller index first.
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

    /// Number of cells.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// Literal that is true iff two cells see each other; no cell sees itself.
    pub fn sees(&self, a: usize, b: usize) -> Lit {
        self.sees[a * self.count() + b]
    }

    /// For each candidate, cell by cell, a literal: the cell has it.
    pub fn candidates(&self) -> impl Iterator<Item = Lit> {
        self.cells.iter().flat_map(|cell| cell.candidate.iter().copied())
    }

    /// For each candidate, cell by cell, a literal: the digit is the solution of the cell.
    pub fn solutions(&self) -> impl Iterator<Item = Lit> {
        self.cells.iter().flat_map(|cell| cell.solution.iter().copied())
    }

    /// For each cell, a literal: the digit is its solution.
    pub fn solutions_of(&self, digit: usize) -> impl Iterator<Item = Lit> + Clone {
        self.cells.iter().map(move |cell| cell.solution[digit])
    }

    /// Literal that is true iff two houses are one. Constantly false on a board.
    pub fn same(&self, a: usize, b: usize) -> Lit {
        if a == b {
            return Lit::TRUE;
        }
        let (low, high) = (a.min(b), a.max(b));
        self.same.get(high).and_then(|row| row.get(low)).copied().unwrap_or(Lit::FALSE)
    }

    /// Adds digits that the puzzle leaves possible: at least all candidates, all values and the solution.
    pub fn open_puzzle(&mut self, circuit: &mut Circuit) {
        for cell in &mut self.cells {
            for (&candidate, &solution) in cell.candidate.iter().zip(&cell.solution) {
                let lit = circuit.fresh();
                circuit.imply(candidate, lit);
                circuit.imply(solution, lit);
                cell.open.push(lit);
            }
        }
    }

    /// Literal that is true iff a cell holds this value.
    pub fn value(&self, circuit: &mut Circuit, cell: usize, digit: usize) -> Lit {
        let lits = &self.cells[cell];
        circuit.and([!lits.unsolved, lits.solution[digit]])
    }

    /// Literal that is true iff a digit is a candidate or the value of a cell.
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

    /// Adds a house whose cells see each other. If `among` has a number n for a digit, the digit's place is one of the first
    /// n cells.
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

/// One digit in every cell; it is a candidate as long as the cell is unsolved, and a solved cell has no candidates.
fn cell(circuit: &mut Circuit, digits: &[Lit], exists: Lit) -> CellLits {
    let unsolved = circuit.fresh();
    let [solution, candidate] = [digits.len(); 2].map(|count| circuit.fresh_set(count));
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

/// Builds the world and demands a valid state with its solution.
pub(crate) fn board_world(circuit: &mut Circuit, geometry: &Geometry) -> World {
    let digits = vec![Lit::TRUE; geometry.size()];
    let exists = vec![Lit::TRUE; geometry.cell_count()];
    let mut world = World::new(circuit, digits, &exists, false, &mut |_, a, b| {
        Lit::constant(geometry.sees(Cell(a as u16), Cell(b as u16)))
    });
    for house in geometry.houses() {
        let holds = geometry.cells().map(|cell| Lit::constant(house.cells.contains(&cell))).collect();
        let kinds = [HouseKind::Row, HouseKind::Column, HouseKind::Box];
        let [row, column, boxed] = kinds.map(|kind| Lit::constant(house.kind == kind));
        let lits = HouseLits { exists: Lit::TRUE, holds, row, column, boxed };
        if boxed == Lit::TRUE {
            world.boxes = Lit::TRUE;
        }
        // Only a house as large as the board holds every digit.
        let among = (house.cells.len() == geometry.size()).then(|| geometry.cell_count());
        world.add_house(circuit, lits, &vec![among; geometry.size()]);
    }
    world
}

/// Possible values of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    /// Exactly this one, chosen when the world was built.
    Fixed(usize),
    /// One (or some) of these.
    Among(Vec<usize>),
    /// Exactly these: a set whose members the world was made for.
    All(Vec<usize>),
    /// For each value of the index, one of these; some of these for a family of sets.
    PerIndex(Vec<Vec<usize>>),
    /// A set of any size: at least these modelled cells, if they exist, and unmodelled ones.
    Open(OpenSet),
    /// For each value of the index, such a set; values past the last one have cells of no interest.
    OpenPerIndex(Vec<OpenSet>),
    /// Names of digits and numbers: nothing to say.
    Nothing,
}

/// A set of any size in the open world. For some digits, the cell that holds the digit in the set in the solution is
/// modelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenSet {
    /// Pairs of a digit and its place in the set, unless that place is a cell picked before.
    pub places: Vec<(usize, usize)>,
    /// True if all cells share a house, so each digit occurs at most once.
    pub once: bool,
    /// True if the set may be empty.
    pub may_be_empty: bool,
    /// The named houses that the whole set lies in.
    pub inside: Vec<usize>,
}

/// On a board every name may stand for everything of its kind.
pub(crate) fn board_layout(variant: &Variant, cells: usize, houses: usize, digits: usize) -> Vec<Domain> {
    let domains = (0..variant.vars.len()).map(VarId).map(|id| match (variant.var(id).kind, variant.var(id).shape) {
        (Kind::Cell, VarShape::Family) => {
            let indices = if index_kind(variant, id) == Some(Kind::Cell) { cells } else { digits };
            Domain::PerIndex(vec![(0..cells).collect(); indices])
        }
        (Kind::Cell | Kind::Candidate, _) => Domain::Among((0..cells).collect()),
        (Kind::House(_), _) => Domain::Among((0..houses).collect()),
        _ => Domain::Nothing,
    });
    domains.collect()
}

/// Kind of the values that the index of a family takes.
pub(crate) fn index_kind(variant: &Variant, family: VarId) -> Option<Kind> {
    variant.choice(family)?.for_each.as_ref().map(|(index, _)| variant.var(*index).kind)
}
