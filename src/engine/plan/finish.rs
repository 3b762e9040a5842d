//! The end of a program. In: what the builder wrote. Out: the program, with what need not be done again and again at its
//! beginning.

use super::build::Builder;
use super::instr::Instr;
use super::program::Program;
use super::{hoist, known};

/// The program that was written, with what need not be done again and again at its beginning.
pub(super) fn finished(mut builder: Builder<'_>) -> Program {
    builder.set_label(0);
    builder.emit(Instr::Halt);
    hoist::constants(&mut builder.program);
    hoist::invariants(&mut builder.program);
    known::look_up(&mut builder.program);
    builder.program
}
