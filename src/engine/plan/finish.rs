//! The end of a program. In: what the builder wrote. Out: the program, with what need not be done again and again at its
//! beginning; no program where an instruction has registers of kinds that it cannot have.

use super::build::Builder;
use super::instr::Instr;
use super::operators::{CellOp, DigitOp, HouseOp, NumberOp};
use super::program::Program;

/// The program that was written, with what need not be done again and again at its beginning.
pub(super) fn finished(mut builder: Builder<'_>) -> Result<Program, String> {
    builder.set_label(0);
    builder.emit(Instr::Halt);
    constants(&mut builder.program);
    match builder.program.code.iter().find(|instr| !instr.fits()) {
        Some(instr) => Err(format!("its plan takes things of one kind for another, a fault of Pinion: {instr:?}")),
        None => Ok(builder.program),
    }
}

/// Moves instructions that read no register to the front.
fn constants(program: &mut Program) {
    let code = std::mem::take(&mut program.code);
    let (mut front, mut rest) = (Vec::new(), Vec::with_capacity(code.len()));
    let mut place = Vec::with_capacity(code.len() + 1);
    for instr in code {
        place.push(rest.len());
        if fixed(&instr) { front.push(instr) } else { rest.push(instr) }
    }
    place.push(rest.len());
    for label in program.labels.iter_mut().filter(|label| **label != u32::MAX) {
        *label = (place[*label as usize] + front.len()) as u32;
    }
    front.append(&mut rest);
    program.code = front;
}

/// Whether it reads no register. Each of these writes a register that nothing else writes.
fn fixed(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::Number { op: NumberOp::Const { .. }, .. }
            | Instr::Cells { op: CellOp::Unsolved | CellOp::Counting { .. }, .. }
            | Instr::Digits { op: DigitOp::All, .. }
            | Instr::Houses { op: HouseOp::Class { .. }, .. }
    )
}
