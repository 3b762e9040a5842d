//! Solutions by a SAT solver: for positions where a search would take too long.
//!
//! In: a board and the candidates of every cell. Out: solutions; the solver is deterministic, so their order
//! is too.

use super::solver::{Answer, Lit, Solver};
use crate::grid::{Cell, Geometry};

/// Up to `at_most` solutions.
pub(super) fn solve(geometry: &Geometry, cells: &[u32], at_most: usize) -> Vec<Vec<u32>> {
    let mut solver = Solver::new();
    let at = Literals::new(geometry, &mut solver);
    demand(geometry, cells, &at, &mut solver);
    let mut found = Vec::new();
    while found.len() < at_most {
        let Answer::Yes(model) = solver.solve(&[], u64::MAX) else { break };
        let (mut solution, mut differs) = (vec![0; cells.len()], Vec::new());
        for (cell, digit) in present(cells).filter(|&(cell, digit)| model.holds(at.lit(cell, digit))) {
            solution[cell] = 1 << digit;
            differs.push(!at.lit(cell, digit));
        }
        found.push(solution);
        solver.add(&differs);
    }
    found
}

/// One for each digit in each cell.
struct Literals {
    size: usize,
    all: Vec<Lit>,
}

impl Literals {
    fn new(geometry: &Geometry, solver: &mut Solver) -> Literals {
        let size = geometry.size();
        Literals { size, all: (0..size.pow(3)).map(|_| Lit::positive(solver.variable())).collect() }
    }

    fn lit(&self, cell: usize, digit: usize) -> Lit {
        self.all[cell * self.size + digit]
    }
}

fn present(cells: &[u32]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let digits = |mask: u32| (0..32).filter(move |digit| mask >> digit & 1 == 1);
    cells.iter().enumerate().flat_map(move |(cell, &mask)| digits(mask).map(move |digit| (cell, digit)))
}

/// One digit in each cell, each digit in each house, no digit twice where two cells see each other.
fn demand(geometry: &Geometry, cells: &[u32], at: &Literals, solver: &mut Solver) {
    let has = |cell: usize, digit: usize| cells[cell] >> digit & 1 == 1;
    for (cell, &mask) in cells.iter().enumerate() {
        let digits = (0..geometry.size()).filter(|digit| mask >> digit & 1 == 1);
        let lits: Vec<Lit> = digits.map(|digit| at.lit(cell, digit)).collect();
        solver.add(&lits);
        for (index, &a) in lits.iter().enumerate() {
            lits[index + 1..].iter().for_each(|&b| solver.add(&[!a, !b]));
        }
    }
    for house in geometry.houses().iter().filter(|house| house.cells.len() == geometry.size()) {
        for digit in 0..geometry.size() {
            let places = house.cells.iter().map(|cell| cell.index()).filter(|&cell| has(cell, digit));
            solver.add(&places.map(|cell| at.lit(cell, digit)).collect::<Vec<Lit>>());
        }
    }
    for (cell, digit) in present(cells) {
        let later = geometry.peers(Cell(cell as u16)).iter().map(|peer| peer.index()).filter(|&peer| peer > cell);
        later
            .filter(|&peer| has(peer, digit))
            .for_each(|peer| solver.add(&[!at.lit(cell, digit), !at.lit(peer, digit)]));
    }
}
