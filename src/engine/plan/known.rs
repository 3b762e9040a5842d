//! What is known of almost locked sets since they were found. In: a program. Out: the same program, with instructions that
//! look up what others would work out again from the cells of a set.

use super::instr::{Instr, Reg, Set, SetOp};
use super::program::Program;
use std::collections::BTreeMap;

/// Replaces what asks for digits and places of a chosen set.
pub(super) fn look_up(program: &mut Program) {
    let chosen: BTreeMap<Reg, usize> = program
        .code
        .iter()
        .filter_map(|instr| match *instr {
            Instr::NextLocked { locked, to, .. } => Some((to, locked)),
            _ => None,
        })
        .collect();
    // Registers with the places of a digit, and with those in a chosen set.
    let mut places: BTreeMap<Reg, Reg> = BTreeMap::new();
    let mut within: BTreeMap<Reg, (Reg, usize)> = BTreeMap::new();
    for instr in &mut program.code {
        match *instr {
            Instr::Digits { to, cells } if chosen.contains_key(&cells) => {
                *instr = Instr::DigitsOfSet { to, cells, locked: chosen[&cells] };
            }
            Instr::Target { digit, cells, from, to, fail } if chosen.contains_key(&cells) => {
                *instr = Instr::TargetOfSet { digit, cells, locked: chosen[&cells], from, to, fail };
            }
            Instr::Places { to, digit } => {
                places.insert(to, digit);
            }
            Instr::Op { op: SetOp::And, to: Set::C(to), a: Set::C(a), b: Set::C(b) } => {
                for (a, b) in [(a, b), (b, a)] {
                    if let (Some(&digit), Some(&locked)) = (places.get(&a), chosen.get(&b)) {
                        within.insert(to, (digit, locked));
                    }
                }
            }
            Instr::Seeing { to, every: true, of } if within.contains_key(&of) => {
                let (digit, locked) = within[&of];
                *instr = Instr::SeeingOfSet { to, places: of, digit, locked };
            }
            _ => {}
        }
    }
}
