//! The end of a program. In: what the builder wrote. Out: the program, with what need not be done again and again before
//! its loops; no program where an instruction has registers of kinds that it cannot have.

use super::build::{Builder, NoPlan};
use super::instr::Instr;
use super::program::Program;

/// The program that was written, with what need not be done again and again before its loops.
pub(super) fn finished(mut builder: Builder<'_>) -> Result<Program, NoPlan> {
    builder.set_label(0);
    builder.emit(Instr::Halt);
    super::hoist::hoist(&mut builder.program);
    match builder.program.code.iter().find(|instr| !instr.fits()) {
        Some(instr) => Err(NoPlan::WrongRegisters(format!("{instr:?}"))),
        None => Ok(builder.program),
    }
}
