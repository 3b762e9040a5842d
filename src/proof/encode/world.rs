//! Everything that a rule can mention, as literals: cells, digits, houses, visibility, a state and its solution.
//!
//! In: numbers of cells and digits, and known facts about visibility and houses. Out: a [`World`], with clauses for the
//! laws that hold in every state. Two builders fill it: `board_world` from a board, where all visibility is constant,
//! and [`open_world`](super::open_world) from the names of a rule alone, where visibility and houses are open.

use crate::grid::{Cell, Geometry, HouseKind};
use crate::lang::ir::{Kind, VarId, VarShape, Variant};
use crate::proof::circuit::Circuit;
use crate::proof::solver::Lit;

#[derive(Clone, Debug)]
pub(crate) struct CellLits {
    /// Literal: the cell exists; always true on a board.
    pub exists: Lit,
    /// Literal: the cell has no value yet.
    pub unsolved: Lit,
    /// For each digit, the literal "the digit is a candidate". A solved cell has no candidates.
    pub candidate: Vec<Lit>,
    /// For each digit, the literal "the digit is the solution".
    pub solution: Vec<Lit>,
    /// For each digit, the literal "the givens allow the digit in the cell". Empty unless the rule depends on the
    /// givens.
    pub allowed: Vec<Lit>,
}

#[derive(Clone, Debug)]
pub(crate) struct HouseLits {
    /// Literal: the house exists; always true on a board. A house that doesn't exist has no cells and no class.
    pub exists: Lit,
    /// For each cell, the literal "the house holds the cell".
    pub holds: Vec<Lit>,
    pub is_row: Lit,
    pub is_column: Lit,
    pub is_box: Lit,
}

/// Cells, digits and houses with the literals that describe them.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// For each digit, the literal "the board has the digit".
    pub digits: Vec<Lit>,
    pub cells: Vec<CellLits>,
    /// For each pair of cells, a literal: they see each other.
    sees: Vec<Lit>,
    pub houses: Vec<HouseLits>,
    /// Literal: the board has boxes. On a board with boxes, each cell lies in a box.
    pub has_boxes: Lit,
    /// For each house, a literal for each earlier house: both are the same house; see [`World::same_house`].
    pub(super) same_houses: Vec<Vec<Lit>>,
    /// For each house and digit, true if the digit's place in the solution is known to be a modelled cell (a cell of
    /// `cells`).
    pub modelled_places: Vec<Vec<bool>>,
    /// True if there may be unmodelled cells and houses.
    pub is_open: bool,
}

impl World {
    /// Makes a world without houses, and adds the clauses of the cells. [`World::add_house`] adds the clauses of a
    /// house.
    ///
    /// `sees` returns the visibility literal of two different cells, given by index, the smaller index first.
    pub fn new(
        circuit: &mut Circuit,
        digits: Vec<Lit>,
        exists: &[Lit],
        sees: &mut dyn FnMut(&mut Circuit, usize, usize) -> Lit,
    ) -> World {
        let count = exists.len();
        let cells = exists.iter().map(|&exists| cell_lits(circuit, &digits, exists)).collect();
        let mut world = World {
            digits,
            cells,
            sees: vec![Lit::FALSE; count * count],
            houses: Vec::new(),
            has_boxes: Lit::FALSE,
            same_houses: Vec::new(),
            modelled_places: Vec::new(),
            is_open: false,
        };
        for a in 0..count {
            for b in a + 1..count {
                let lit = sees(circuit, a, b);
                world.sees[a * count + b] = lit;
                world.sees[b * count + a] = lit;
                world.add_visibility(circuit, a, b, lit);
            }
        }
        world
    }

    pub fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// Returns the literal that is true iff two cells see each other; no cell sees itself.
    pub fn sees(&self, a: usize, b: usize) -> Lit {
        self.sees[a * self.cell_count() + b]
    }

    /// Returns, for each candidate, cell by cell, the literal "the candidate is present".
    pub fn candidates(&self) -> impl Iterator<Item = Lit> {
        self.cells.iter().flat_map(|cell| cell.candidate.iter().copied())
    }

    /// Returns, for each candidate, cell by cell, the literal "the digit is the solution of the cell".
    pub fn solutions(&self) -> impl Iterator<Item = Lit> {
        self.cells.iter().flat_map(|cell| cell.solution.iter().copied())
    }

    /// Returns, for each cell, the literal "the digit is the solution of the cell".
    pub fn solutions_of(&self, digit: usize) -> impl Iterator<Item = Lit> + Clone {
        self.cells.iter().map(move |cell| cell.solution[digit])
    }

    /// Returns the literal that is true iff two indices stand for the same house. On a board, different indices stand
    /// for different houses.
    pub fn same_house(&self, a: usize, b: usize) -> Lit {
        if a == b {
            return Lit::TRUE;
        }
        let low = a.min(b);
        let high = a.max(b);
        self.same_houses.get(high).and_then(|earlier| earlier.get(low)).copied().unwrap_or(Lit::FALSE)
    }

    /// Adds the literals of [`CellLits::allowed`]: the givens allow at least the candidates and the solution of each
    /// cell.
    pub fn add_allowed_digits(&mut self, circuit: &mut Circuit) {
        for cell in &mut self.cells {
            for (&candidate, &solution) in cell.candidate.iter().zip(&cell.solution) {
                let lit = circuit.fresh();
                circuit.imply(candidate, lit);
                circuit.imply(solution, lit);
                cell.allowed.push(lit);
            }
        }
    }

    pub fn has_value(&self, circuit: &mut Circuit, cell: usize, digit: usize) -> Lit {
        let lits = &self.cells[cell];
        circuit.and([!lits.unsolved, lits.solution[digit]])
    }

    /// Returns the literal that is true iff a digit is a candidate or the value of a cell.
    pub fn can_hold(&self, circuit: &mut Circuit, cell: usize, digit: usize) -> Lit {
        let value = self.has_value(circuit, cell, digit);
        circuit.or([self.cells[cell].candidate[digit], value])
    }

    /// Adds the clauses for two cells, which see each other if `sees` is true: the solutions of the cells differ, and
    /// the digit of a solved cell is no candidate of the other cell.
    fn add_visibility(&self, circuit: &mut Circuit, a: usize, b: usize, sees: Lit) {
        if sees == Lit::FALSE {
            return;
        }
        for digit in 0..self.digits.len() {
            let x = &self.cells[a];
            let y = &self.cells[b];
            circuit.add_clause(&[!sees, !x.solution[digit], !y.solution[digit]]);
            circuit.add_clause(&[!sees, x.unsolved, !x.solution[digit], !y.candidate[digit]]);
            circuit.add_clause(&[!sees, y.unsolved, !y.solution[digit], !x.candidate[digit]]);
        }
    }

    /// Adds a house whose cells see each other. If `first_cells` has a number n for a digit, the digit's place in the
    /// house is among the first n cells of the world.
    pub fn add_house(&mut self, circuit: &mut Circuit, house: HouseLits, first_cells: &[Option<usize>]) {
        for a in 0..self.cell_count() {
            for b in a + 1..self.cell_count() {
                circuit.add_clause(&[!house.holds[a], !house.holds[b], self.sees(a, b)]);
            }
        }
        for (digit, count) in first_cells.iter().enumerate() {
            let Some(count) = count else { continue };
            let mut places = vec![!self.digits[digit], !house.exists];
            for (cell, &holds) in self.cells.iter().zip(&house.holds).take(*count) {
                places.push(circuit.and([holds, cell.solution[digit]]));
            }
            circuit.add_clause(&places);
        }
        self.houses.push(house);
        self.modelled_places.push(first_cells.iter().map(Option::is_some).collect());
    }
}

/// Makes the literals of a cell. The cell has one digit as its solution. The solution is a candidate of an unsolved
/// cell; a solved cell has no candidates.
fn cell_lits(circuit: &mut Circuit, digits: &[Lit], exists: Lit) -> CellLits {
    let unsolved = circuit.fresh();
    let [solution, candidate] = [digits.len(); 2].map(|count| circuit.fresh_set(count));
    circuit.imply(unsolved, exists);
    let mut some_solution = solution.clone();
    some_solution.push(!exists);
    circuit.add_clause(&some_solution);
    circuit.at_most_one(&solution);
    for digit in 0..digits.len() {
        circuit.imply(solution[digit], exists);
        circuit.imply(solution[digit], digits[digit]);
        circuit.imply(candidate[digit], digits[digit]);
        circuit.imply(candidate[digit], unsolved);
        circuit.add_clause(&[!unsolved, !solution[digit], candidate[digit]]);
    }
    CellLits { exists, unsolved, candidate, solution, allowed: Vec::new() }
}

/// Builds the world of a board, with clauses for a valid state and its solution.
pub(crate) fn board_world(circuit: &mut Circuit, geometry: &Geometry) -> World {
    let digits = vec![Lit::TRUE; geometry.size()];
    let exists = vec![Lit::TRUE; geometry.cell_count()];
    let mut world = World::new(circuit, digits, &exists, &mut |_, a, b| {
        Lit::constant(geometry.sees(Cell(a as u16), Cell(b as u16)))
    });
    for house in geometry.houses() {
        let holds = geometry.cells().map(|cell| Lit::constant(house.cells.contains(&cell))).collect();
        let kinds = [HouseKind::Row, HouseKind::Column, HouseKind::Box];
        let [is_row, is_column, is_box] = kinds.map(|kind| Lit::constant(house.kind == kind));
        if is_box == Lit::TRUE {
            world.has_boxes = Lit::TRUE;
        }
        // Only a house as large as the board holds every digit.
        let holds_every_digit = house.cells.len() == geometry.size();
        let first_cells = if holds_every_digit { Some(geometry.cell_count()) } else { None };
        let lits = HouseLits { exists: Lit::TRUE, holds, is_row, is_column, is_box };
        world.add_house(circuit, lits, &vec![first_cells; geometry.size()]);
    }
    world
}

/// Possible values of a name, as indices of modelled cells or houses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    /// A single cell or house, for which the world has a slot.
    Fixed(usize),
    /// The possible values of a single name, or the possible members of a set.
    Among(Vec<usize>),
    /// A set with exactly these members, each of which has a slot in the world.
    All(Vec<usize>),
    /// A family: for each value of the index, the possible cells of the member. For a family of sets, the possible
    /// members of the set.
    PerIndex(Vec<Vec<usize>>),
    /// A set of any size, with unmodelled cells.
    Open(OpenSet),
    /// A family of sets of any size: for each value of the index, the set. Nothing is known about the sets of larger
    /// values.
    OpenPerIndex(Vec<OpenSet>),
    /// The domain of digits and numbers, which needs no slots.
    Nothing,
}

/// A set of any size in the open world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenSet {
    /// Pairs of a digit and the slot for the digit's place in the set. The slot stays empty if an earlier slot has the
    /// same cell.
    pub place_slots: Vec<(usize, usize)>,
    /// True if all cells share a house, so each digit occurs at most once.
    pub in_one_house: bool,
    pub may_be_empty: bool,
    /// The named houses that hold the whole set.
    pub houses: Vec<usize>,
}

/// Returns the domains of the names on a board: for each name, all elements of its kind.
pub(crate) fn board_layout(variant: &Variant, world: &World) -> Vec<Domain> {
    let (cells, houses, digits) = (world.cell_count(), world.houses.len(), world.digits.len());
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

/// Returns the kind of a family's index (digits or cells), or `None` if the name is not a family.
pub(crate) fn index_kind(variant: &Variant, family: VarId) -> Option<Kind> {
    variant.choice(family)?.for_each.as_ref().map(|(index, _)| variant.var(*index).kind)
}
