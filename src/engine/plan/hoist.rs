//! What never changes during a search is computed once. In: a program. Out: the same program with such instructions at its
//! beginning, each result in one register.

use super::instr::Instr;
use super::program::Program;

/// Moves instructions that depend on the state alone to the front.
pub(super) fn constants(program: &mut Program) {
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
        Instr::Const { .. }
            | Instr::Unsolved { .. }
            | Instr::AllDigits { .. }
            | Instr::Houses { .. }
            | Instr::Exact { .. }
            | Instr::AtMost { .. }
    )
}
