//! Rules that assume one solution and are wrong. In: a rule read on a board, with an open question. Out: a puzzle
//! with one solution and a state of it in which the rule concludes something false, or word that none was
//! found.
//!
//! The solver proposes a puzzle; a second solution of it is made a clause, and it proposes again. Few empty
//! cells come first: such puzzles have few second solutions.

use super::counterexample::read;
use super::encode::givens;
use super::prover::{Posed, Prover};
use super::solutions::solutions;
use super::solver::{Answer, Lit, Model};
use super::verdict::Status;
use crate::grid::{Digit, Geometry, State};

/// Conflicts for each proposal: that no puzzle with so few empty cells will do can be hard to see, and need not be.
const PROPOSAL: u64 = 5_000;

/// How many cells may be empty, and how many puzzles are tried with each number.
const TRIES: [(i64, usize); 5] = [(6, 40), (10, 80), (16, 120), (30, 120), (60, 120)];

impl Prover<'_> {
    /// Looks for a puzzle with one solution that refutes the rule.
    pub(super) fn refute_unique(&self, posed: &mut Posed<'_>) -> Status {
        let given = givens(&mut posed.encoder, Lit::TRUE);
        let empty: Vec<Lit> = given.iter().map(|&lit| !lit).collect();
        for (most, tries) in TRIES {
            let few = !posed.encoder.circuit.at_least(&empty, most + 1);
            for _ in 0..tries {
                let assumed = [posed.wrong, few];
                let Answer::Yes(model) = posed.encoder.solve(&assumed, PROPOSAL) else { break };
                match another_solution(posed, self.geometry, &given, &model) {
                    None => {
                        let example = read(&posed.encoder, self.geometry, &posed.target, &model).of_one_solution();
                        return Status::Refuted(Box::new(example));
                    }
                    Some(other) => exclude(posed, &other),
                }
            }
        }
        let reason = match posed.encoder.exchange.as_slice() {
            [] => "no second grid is known to try: the rule says of no set that it is closed".to_string(),
            tried => format!("{} proves nothing, and no puzzle with one solution refutes it", tried.join(", or ")),
        };
        Status::Undecided(reason)
    }
}

fn solution(posed: &Posed<'_>, model: &Model) -> Vec<Digit> {
    let cells = posed.encoder.world.cells.iter();
    cells.map(|cell| Digit(cell.solution.iter().position(|&lit| model.holds(lit)).unwrap_or(0) as u8)).collect()
}

/// A solution of the puzzle other than the model's.
fn another_solution(posed: &Posed<'_>, geometry: &Geometry, given: &[Lit], model: &Model) -> Option<Vec<Digit>> {
    let truth = solution(posed, model);
    let mut puzzle = State::empty(geometry);
    for (cell, &given) in geometry.cells().zip(given) {
        if model.holds(given) {
            puzzle.place(geometry, cell, truth[cell.index()]);
        }
    }
    solutions(geometry, &puzzle, 2).into_iter().find(|other| *other != truth)
}

/// A grid is the solution, or the puzzle does not leave it open.
fn exclude(posed: &mut Posed<'_>, other: &[Digit]) {
    let encoder = &mut posed.encoder;
    let cells: Vec<_> =
        encoder.world.cells.iter().zip(other).map(|(lits, digit)| (lits.clone(), digit.index())).collect();
    let same: Vec<Lit> = cells.iter().map(|(lits, digit)| lits.solution[*digit]).collect();
    let mut clause = vec![encoder.circuit.and(same)];
    clause.extend(cells.iter().map(|(lits, digit)| !lits.open[*digit]));
    encoder.circuit.clause(&clause);
}
