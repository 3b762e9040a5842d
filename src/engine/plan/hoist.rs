//! What never changes during a search is computed once, and what does not depend on a choice before it. In: a program. Out:
//! the same program with such instructions at its beginning, or before the choice, each result in one register.

use super::dataflow::{Place, begins, chosen, pure};
use super::instr::Instr;
use super::program::Program;

/// Moves what does not depend on a choice out of its loop, if the loop would compute it each time.
pub(super) fn invariants(program: &mut Program) {
    let mut written: Vec<Vec<Place>> = program.code.iter().map(writes).collect();
    let mut at = 0;
    while at < program.code.len() {
        match earlier(&program.code, &written, at) {
            Some(start) => {
                program.code[start..=at].rotate_right(1);
                written[start..=at].rotate_right(1);
                for label in program.labels.iter_mut().filter(|label| **label != u32::MAX) {
                    let target = *label as usize;
                    *label += u32::from(start < target && target <= at);
                }
                // It may have left more loops, and what comes after it too.
                at = start;
            }
            None => at += 1,
        }
    }
}

/// The beginning of the innermost loop around an instruction, if it can be moved there.
fn earlier(code: &[Instr], written: &[Vec<Place>], at: usize) -> Option<usize> {
    let (to, from) = pure(&code[at])?;
    // Nothing but choices and what is always computed lies between the choice and the instruction.
    let plain = |instr: &&Instr| pure(instr).is_some() || starts(instr);
    let next = code[..at].iter().rposition(|instr| !plain(&instr))?;
    if chosen(&code[next]).is_empty() {
        return None;
    }
    let start = (0..next).rev().find(|&start| begins(&code[start], &code[next]))?;
    let writer = |place: &Place| {
        let mut all = (0..code.len()).filter(|&at| written[at].contains(place));
        all.next().filter(|_| all.next().is_none())
    };
    let known = |place: &Place| writer(place).is_some_and(|one| one < start);
    (writer(&to).is_some() && from.iter().all(known)).then_some(start)
}

fn starts(instr: &Instr) -> bool {
    matches!(instr, Instr::Each { .. } | Instr::Rows { .. } | Instr::Pick { .. } | Instr::Locked { .. })
}

/// The registers that an instruction writes, as far as that is known.
fn writes(instr: &Instr) -> Vec<Place> {
    pure(instr).map(|(to, _)| to).into_iter().chain(chosen(instr)).collect()
}

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
            | Instr::CellsCounting { .. }
    )
}
