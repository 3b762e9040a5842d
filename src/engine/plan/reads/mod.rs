//! What a match reads of a state. In: a program. Out: the same program with checks that leave out what was there before.
//!
//! Candidates only ever go. So a match that was not there some steps ago reads a cell that has changed since: where
//! nothing that it reads has changed, the same choices satisfied the rule before, with at least the same effect. A search
//! that follows one that found nothing need only look at what reads a changed cell. What a match reads is worked out here
//! from the instructions: the cells chosen, and the cells whose candidates a condition looks at. Where that cannot be
//! told as sets of cells, as with chains, the program is searched in full every time.

mod atoms;
mod insert;
mod load;
mod trace;

use super::program::Program;

/// Adds the checks to a program, if what its matches read can be told.
pub(super) fn prepare(program: &mut Program) {
    if let Some(read) = trace::of(program) {
        insert::checks(program, &read);
    }
}
