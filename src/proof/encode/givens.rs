//! The puzzle behind a state. In: cells with what the puzzle leaves open in each. Out: a literal for each cell, whether it is a
//! given.

use super::Encoder;
use crate::proof::solver::Lit;

/// For each cell whether it is a given, where it is `wanted` that the others are allowed every digit.
pub(in crate::proof) fn givens(encoder: &mut Encoder<'_>, wanted: Lit) -> Vec<Lit> {
    let mut out = Vec::new();
    for cell in 0..encoder.world.count() {
        let given = encoder.circuit.fresh();
        let lits = encoder.world.cells[cell].clone();
        encoder.circuit.imply(given, !lits.unsolved);
        for (&open, &solution) in lits.open.iter().zip(&lits.solution) {
            encoder.circuit.clause(&[!wanted, !given, solution, !open]);
            encoder.circuit.clause(&[!wanted, given, open]);
        }
        out.push(given);
    }
    out
}
