//! What a loop does not change is computed before it. In: a program. Out: the same, with instructions that only compute moved
//! out of the loops that write none of the registers that they read.

use super::instr::{Candidates, Instr, Noun, Reg, Set};
use super::operators::{CellOp, Choice, DigitOp, HouseOp, MarkOp, Next, NumberOp};
use super::program::Program;
use rustc_hash::FxHashMap;

/// A register: one of a set, a number or a single value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Register {
    Set(Set),
    Number(Reg),
    Value(Reg),
}

/// A loop: where its choice starts, and the last instruction that may come back to it.
struct Loop {
    start: usize,
    last: usize,
}

/// Moves every instruction that only computes before the outermost loop around it that does not write what it reads.
pub(super) fn hoist(program: &mut Program) {
    let loops = loops(program);
    let mut written: FxHashMap<Register, Vec<usize>> = FxHashMap::default();
    for (at, instr) in program.code.iter().enumerate() {
        writes(instr, &mut |register| written.entry(register).or_default().push(at));
    }
    // Twice the index, so that there is a place before each instruction.
    let mut place: Vec<usize> = (0..program.code.len()).map(|at| 2 * at + 1).collect();
    for (at, instr) in program.code.iter().enumerate() {
        // What is written in several places is gathered in a loop.
        let once = |register: Register| written.get(&register).filter(|all| all.len() == 1).map(|all| all[0]);
        let mut sources = Vec::new();
        if !reads(instr, &mut |register| sources.push(once(register))) {
            continue;
        }
        let mut alone = true;
        writes(instr, &mut |register| alone &= once(register).is_some());
        let Some(sources) = sources.into_iter().collect::<Option<Vec<usize>>>().filter(|_| alone) else { continue };
        let free = |one: &&Loop| {
            let inside = |place: usize| place > 2 * one.start && place <= 2 * one.last + 1;
            inside(2 * at + 1) && !sources.iter().any(|&source| inside(place[source]))
        };
        if let Some(outermost) = loops.iter().filter(free).min_by_key(|one| one.start) {
            place[at] = 2 * outermost.start;
        }
    }
    move_to(program, &place);
}

/// Puts each instruction into its place; those of one place stay in order.
fn move_to(program: &mut Program, place: &[usize]) {
    let mut order: Vec<usize> = (0..place.len()).collect();
    order.sort_by_key(|&at| place[at]);
    for label in program.labels.iter_mut().filter(|label| **label != u32::MAX) {
        *label = order.partition_point(|&at| place[at] < 2 * *label as usize) as u32;
    }
    program.code = order.into_iter().map(|at| program.code[at].clone()).collect();
}

/// The loops of a program. A loop that starts in another ends in it.
fn loops(program: &Program) -> Vec<Loop> {
    let mut loops = Vec::new();
    // The inner ones first.
    for (start, instr) in program.code.iter().enumerate().rev() {
        let Instr::Start(choice) = instr else { continue };
        let next =
            program.code[start..].iter().position(|instr| matches!(instr, Instr::Next { of, .. } if of.takes(choice)));
        let Some(next) = next.map(|next| start + next) else { continue };
        let back =
            |instr: &Instr| instr.goes_to().is_some_and(|label| program.labels[usize::from(label)] as usize == next);
        let mut last = program.code.iter().rposition(back).unwrap_or(next).max(next);
        for inner in loops.iter().rev().filter(|inner: &&Loop| inner.start > start) {
            if inner.start <= last {
                last = last.max(inner.last);
            }
        }
        loops.push(Loop { start, last });
    }
    loops
}

impl Next {
    /// Whether it takes the values of a choice.
    fn takes(&self, choice: &Choice) -> bool {
        match (self, choice) {
            (Next::Each { rest, .. }, Choice::Each { rest: of, .. }) => rest == of,
            (Next::Row { rows, .. }, Choice::Rows { rows: of }) => rows == of,
            (Next::Pick { pick, .. }, Choice::Pick { pick: of }) => pick == of,
            (Next::Locked { locked, .. }, Choice::Locked { locked: of }) => locked == of,
            (Next::Family { family, .. }, Choice::Family { family: of }) => family == of,
            (Next::Graph { graph }, Choice::Graph { graph: of }) => graph == of,
            (Next::Suppose { suppose }, Choice::Suppose { suppose: of }) => suppose == of,
            _ => false,
        }
    }
}

/// The registers that an instruction writes; those of a graph's ends and of what is supposed are not told, so nothing that
/// reads them is moved.
fn writes(instr: &Instr, take: &mut dyn FnMut(Register)) {
    match instr {
        Instr::Cells { to, .. } | Instr::Member { to, .. } => take(Register::Set(Set::C(*to))),
        Instr::Digits { to, .. } => take(Register::Set(Set::D(*to))),
        Instr::Houses { to, .. } => take(Register::Set(Set::H(*to))),
        Instr::Number { to, .. } => take(Register::Number(*to)),
        Instr::Marks { to, .. } => take(Register::Set(Set::P(*to))),
        Instr::Combine { to, .. } | Instr::After { to, .. } => take(Register::Set(*to)),
        Instr::Target { to, .. } => [to.0, to.1].into_iter().for_each(|to| take(Register::Set(Set::C(to)))),
        Instr::Start(Choice::Each { rest, .. }) => take(Register::Set(*rest)),
        Instr::Next { of, .. } => match of {
            Next::Each { rest, value, one } => {
                take(Register::Set(*rest));
                take(Register::Value(*value));
                take(Register::Set(*one));
            }
            Next::Row { to, sets, .. } => {
                to.iter().for_each(|(value, one)| {
                    take(Register::Value(*value));
                    take(Register::Set(*one));
                });
                sets.iter().for_each(|&to| take(Register::Set(Set::C(to))));
            }
            Next::Pick { to, .. } => take(Register::Set(*to)),
            Next::Locked { to, .. } => take(Register::Set(Set::C(*to))),
            Next::Family { union, .. } => take(Register::Set(Set::C(*union))),
            Next::Graph { .. } | Next::Suppose { .. } => {}
        },
        _ => {}
    }
}

/// The registers that an instruction reads; `false` where it does more than compute.
fn reads(instr: &Instr, take: &mut dyn FnMut(Register)) -> bool {
    match instr {
        Instr::Cells { op, .. } => read_by_cells(*op, take),
        Instr::Digits { op, .. } => match *op {
            DigitOp::All | DigitOp::WithEliminations { .. } => {}
            DigitOp::Of { cell } => take(Register::Value(cell)),
            DigitOp::OfCells { cells } | DigitOp::Values { cells } | DigitOp::Counting { cells, .. } => {
                take(Register::Set(Set::C(cells)));
            }
            DigitOp::In { digits, cells } => {
                take(Register::Set(Set::D(digits)));
                take(Register::Set(Set::C(cells)));
            }
            DigitOp::Within { cells, within } => {
                [cells, within].into_iter().for_each(|reg| take(Register::Set(Set::C(reg))))
            }
            DigitOp::OfMarks { of } => take(Register::Set(Set::P(of))),
        },
        Instr::Houses { op, .. } => match *op {
            HouseOp::Class { .. } => {}
            HouseOp::Counting { cells, .. } | HouseOp::Of { cells, .. } => take(Register::Set(Set::C(cells))),
            HouseOp::Lines { houses, .. } => take(Register::Set(Set::H(houses))),
        },
        Instr::Number { op, .. } => match *op {
            NumberOp::Const { .. } => {}
            NumberOp::Count { of } => take(Register::Set(of)),
            NumberOp::CountIn { noun: (digits, cells) } | NumberOp::Times { digits, cells } => {
                take(Register::Set(Set::D(digits)));
                take(Register::Set(Set::C(cells)));
            }
            NumberOp::Sum { a, b, .. } => [a, b].into_iter().for_each(|reg| take(Register::Number(reg))),
        },
        Instr::Marks { op, .. } => match op {
            MarkOp::Excluded { of: Candidates::Set(of), .. } => take(Register::Set(Set::P(*of))),
            MarkOp::Excluded { of: Candidates::Nouns(nouns), .. } | MarkOp::Nouns { nouns } => read_nouns(nouns, take),
            MarkOp::InNone { of } => take(Register::Set(*of)),
            MarkOp::InEvery { digits } => take(Register::Set(Set::D(*digits))),
        },
        Instr::Combine { a, b, .. } => [a, b].into_iter().for_each(|of| take(Register::Set(*of))),
        Instr::After { of, value, .. } => {
            take(Register::Set(*of));
            take(Register::Value(*value));
        }
        _ => return false,
    }
    true
}

fn read_by_cells(op: CellOp, take: &mut dyn FnMut(Register)) {
    match op {
        CellOp::Unsolved | CellOp::Counting { .. } => {}
        CellOp::Places { digit: value }
        | CellOp::Partnered { digit: value }
        | CellOp::Targets { digit: value }
        | CellOp::Peers { cell: value } => take(Register::Value(value)),
        CellOp::PlacesAny { digits } | CellOp::PlacesAll { digits } | CellOp::OpenPlaces { digits } => {
            take(Register::Set(Set::D(digits)));
        }
        CellOp::OfHouses { houses } | CellOp::Overlap { houses } => take(Register::Set(Set::H(houses))),
        CellOp::Seeing { of, .. } => take(Register::Set(Set::C(of))),
        CellOp::Partners { digit, cell } => [digit, cell].into_iter().for_each(|value| take(Register::Value(value))),
        CellOp::OfMarks { of } => take(Register::Set(Set::P(of))),
    }
}

fn read_nouns(nouns: &[Noun], take: &mut dyn FnMut(Register)) {
    for &(digits, cells) in nouns {
        take(Register::Set(Set::D(digits)));
        take(Register::Set(Set::C(cells)));
    }
}
