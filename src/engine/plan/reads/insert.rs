//! The checks. In: a program and what it reads. Out: the program with a check right after the last choice where that alone
//! is left to decide, or else before the conclusion.

use super::super::instr::{Instr, Reg};
use super::super::program::{Program, Reading};
use super::atoms::{Atom, Reads};
use super::trace::{Choice, Trace};

pub(super) fn checks(program: &mut Program, trace: &Trace) {
    let Some(conclusion) = program.code.iter().position(|instr| *instr == Instr::Begin) else { return };
    let before = |at: usize| -> Reads {
        trace.read.iter().filter(|(place, _)| *place < at).flat_map(|(_, reads)| reads.iter().copied()).collect()
    };
    let all = before(usize::MAX);
    if all.contains(&Atom::All) || !known(program, &all, conclusion) {
        return;
    }
    program.follows = true;
    program.notes.push("after a search in vain only what reads a changed cell is looked at".into());
    let own = |choice: &&Choice| {
        let so_far = before(choice.next);
        all.difference(&so_far).all(|atom| *atom == Atom::Cells(choice.to))
    };
    match trace.choices.last().filter(own) {
        Some(choice) => {
            let so_far = reading(program, &before(choice.next));
            at_choice(program, choice, so_far);
        }
        None => {
            let reads = reading(program, &all);
            let Some(fail) = fail(program) else { return };
            insert(program, conclusion, Instr::New { reads, fail }, false);
        }
    }
}

/// Whether every register has its value before the conclusion.
fn known(program: &Program, reads: &Reads, conclusion: usize) -> bool {
    let late: Vec<Reg> = program.code[conclusion..].iter().filter_map(super::load::written).collect();
    reads.iter().all(|atom| match atom {
        Atom::Cells(reg) | Atom::Near(reg) | Atom::Spot(reg) => !late.contains(reg),
        Atom::All => false,
    })
}

/// Where a match without effect goes on.
fn fail(program: &Program) -> Option<u16> {
    program.code.iter().find_map(|instr| match instr {
        Instr::Emit { fail } => Some(*fail),
        _ => None,
    })
}

fn reading(program: &mut Program, reads: &Reads) -> usize {
    let pick = |of: fn(&Atom) -> Option<Reg>| reads.iter().filter_map(of).collect();
    program.reads.push(Reading {
        cells: pick(|atom| if let Atom::Cells(reg) = atom { Some(*reg) } else { None }),
        near: pick(|atom| if let Atom::Near(reg) = atom { Some(*reg) } else { None }),
        spots: pick(|atom| if let Atom::Spot(reg) = atom { Some(*reg) } else { None }),
    });
    program.reads.len() - 1
}

fn at_choice(program: &mut Program, choice: &Choice, reads: usize) {
    match program.code[choice.start].clone() {
        Instr::Locked { locked } => program.locked[locked].new = Some(reads),
        Instr::Pick { pick } => program.picks[pick].new = Some(reads),
        Instr::Each { rest, .. } => insert(program, choice.start + 1, Instr::OnlyNew { rest, reads }, true),
        _ => {}
    }
}

/// Puts an instruction at a place; what jumped there comes after it, or meets it.
fn insert(program: &mut Program, at: usize, instr: Instr, skipped: bool) {
    program.code.insert(at, instr);
    for label in program.labels.iter_mut().filter(|label| **label != u32::MAX) {
        let place = *label as usize;
        if place > at || skipped && place == at {
            *label += 1;
        }
    }
}
