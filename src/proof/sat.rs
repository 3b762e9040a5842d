//! Solutions by a SAT solver: for positions where a search would take too long.
//!
//! In: a board and the candidates of every cell. Out: solutions; the solver is deterministic, so their order
//! is too.

use crate::grid::{Cell, Geometry};
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Clause, Lit, TernaryVal, Var};
use rustsat_batsat::BasicSolver;

/// Up to `at_most` solutions. `None` when the solver gave no answer.
pub(super) fn solve(geometry: &Geometry, cells: &[u32], at_most: usize) -> Option<Vec<Vec<u32>>> {
    let mut solver = BasicSolver::default();
    let at = Literals { size: geometry.size() };
    for clause in clauses(geometry, cells, &at) {
        solver.add_clause(clause).ok()?;
    }
    let mut found = Vec::new();
    while found.len() < at_most {
        match solver.solve().ok()? {
            SolverResult::Sat => {}
            SolverResult::Unsat => break,
            SolverResult::Interrupted => return None,
        }
        let mut solution = vec![0; cells.len()];
        let mut differs = Clause::new();
        for (cell, digit) in present(cells) {
            if solver.var_val(at.lit(cell, digit).var()).ok()? == TernaryVal::True {
                solution[cell] = 1 << digit;
                differs.add(!at.lit(cell, digit));
            }
        }
        found.push(solution);
        solver.add_clause(differs).ok()?;
    }
    Some(found)
}

struct Literals {
    size: usize,
}

impl Literals {
    fn lit(&self, cell: usize, digit: usize) -> Lit {
        Var::new((cell * self.size + digit) as u32).pos_lit()
    }
}

fn present(cells: &[u32]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let digits = |mask: u32| (0..32).filter(move |digit| mask >> digit & 1 == 1);
    cells.iter().enumerate().flat_map(move |(cell, &mask)| digits(mask).map(move |digit| (cell, digit)))
}

/// One digit in each cell, each digit in each house, no digit twice where two cells see each other.
fn clauses(geometry: &Geometry, cells: &[u32], at: &Literals) -> Vec<Clause> {
    let mut out: Vec<Clause> = Vec::new();
    let has = |cell: usize, digit: usize| cells[cell] >> digit & 1 == 1;
    for (cell, &mask) in cells.iter().enumerate() {
        let digits: Vec<usize> = (0..geometry.size()).filter(|digit| mask >> digit & 1 == 1).collect();
        out.push(digits.iter().map(|&digit| at.lit(cell, digit)).collect());
        for (index, &a) in digits.iter().enumerate() {
            out.extend(digits[index + 1..].iter().map(|&b| [!at.lit(cell, a), !at.lit(cell, b)].into_iter().collect()));
        }
    }
    for house in geometry.houses().iter().filter(|house| house.cells.len() == geometry.size()) {
        for digit in 0..geometry.size() {
            let places = house.cells.iter().map(|cell| cell.index()).filter(|&cell| has(cell, digit));
            out.push(places.map(|cell| at.lit(cell, digit)).collect());
        }
    }
    for (cell, digit) in present(cells) {
        let later = geometry.peers(Cell(cell as u16)).iter().map(|peer| peer.index()).filter(|&peer| peer > cell);
        let clashing = later.filter(|&peer| has(peer, digit));
        out.extend(clashing.map(|peer| [!at.lit(cell, digit), !at.lit(peer, digit)].into_iter().collect()));
    }
    out
}
