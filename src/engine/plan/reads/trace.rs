//! A walk over the instructions of a program. In: a program. Out: [`Trace`]: what each of its instructions reads of the
//! state, and its choices.

use super::super::instr::{Candidates, Instr, Noun, Reg, Set};
use super::super::program::{Bound, LockedBase, LockedFilter, Program, Sort};
use super::atoms::{Atom, Cells, Pointwise, Reads, union};
use std::collections::BTreeMap;

/// What was learnt of a program.
pub(super) struct Trace {
    /// What is read, by the place of the instruction.
    pub read: Vec<(usize, Reads)>,
    /// Choices of one cell, of an almost locked set or of a subset of cells, in order.
    pub choices: Vec<Choice>,
}

/// A choice that the search comes back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// Where it starts.
    pub start: usize,
    /// Where the next one is taken.
    pub next: usize,
    /// The cells chosen.
    pub to: Reg,
}

/// What is known of the registers.
pub(super) struct Walk<'p> {
    program: &'p Program,
    at: usize,
    pub cells: BTreeMap<Reg, Cells>,
    pub digits: BTreeMap<Reg, Reads>,
    pub houses: BTreeMap<Reg, Reads>,
    pub numbers: BTreeMap<Reg, Reads>,
    /// What is read for a value, and where it is a cell the register that holds it alone.
    pub values: BTreeMap<Reg, (Reads, Option<Reg>)>,
    pub marks: BTreeMap<Reg, Reads>,
    /// What a loop goes over, by its rest, and where it starts.
    loops: BTreeMap<(u8, Reg), (Set, usize)>,
    /// What the members of the family at hand are told by, and the register of all of them.
    family: Reads,
    members: BTreeMap<usize, Reg>,
    /// Where loops over every member of something begin and end.
    every: Vec<(usize, usize)>,
    trace: Trace,
}

/// Walks over a program; nothing where what it reads cannot be told.
pub(super) fn of(program: &Program) -> Option<Trace> {
    if !program.effect || !program.graphs.is_empty() || !program.supposes.is_empty() || program.hope.is_some() {
        return None;
    }
    let mut walk = Walk {
        program,
        at: 0,
        cells: BTreeMap::new(),
        digits: BTreeMap::new(),
        houses: BTreeMap::new(),
        numbers: BTreeMap::new(),
        values: BTreeMap::new(),
        marks: BTreeMap::new(),
        loops: BTreeMap::new(),
        family: Reads::new(),
        members: BTreeMap::new(),
        every: Vec::new(),
        trace: Trace { read: Vec::new(), choices: Vec::new() },
    };
    for (at, instr) in program.code.iter().enumerate() {
        walk.at = at;
        walk.control(instr)?;
    }
    Some(walk.lasting())
}

impl Walk<'_> {
    /// What is written in a loop over every member of something holds its last value afterwards: it stands for nothing.
    fn lasting(self) -> Trace {
        let Walk { program, every, mut trace, .. } = self;
        let inside = |at: usize| every.iter().any(|&(from, to)| from <= at && at < to);
        let code = program.code.iter().enumerate();
        let lost: Vec<Reg> =
            code.filter(|(at, _)| inside(*at)).filter_map(|(_, instr)| super::load::written(instr)).collect();
        let kept = |atom: &Atom| match atom {
            Atom::Cells(reg) | Atom::Near(reg) | Atom::Spot(reg) if lost.contains(reg) => Atom::All,
            atom => *atom,
        };
        trace.read.iter_mut().for_each(|(_, reads)| *reads = reads.iter().map(kept).collect());
        trace.choices.retain(|choice| !inside(choice.start));
        trace
    }

    pub(super) fn reads(&mut self, reads: Reads) {
        self.trace.read.push((self.at, reads));
    }

    /// Whether failing here is failing the choices made so far, not just going on with another part of the rule.
    pub(super) fn ends(&self, fail: u16) -> bool {
        let to = self.program.labels[usize::from(fail)] as usize;
        to <= self.at || to + 1 == self.program.code.len()
    }

    fn control(&mut self, instr: &Instr) -> Option<()> {
        match instr {
            Instr::Halt | Instr::Emit { .. } | Instr::Begin | Instr::Jump { .. } => {}
            Instr::Each { set, rest } => {
                self.loops.insert(key(*rest), (*set, self.at));
            }
            Instr::Next { rest, value, one, fail } => self.next(*rest, *value, *one, *fail)?,
            Instr::Pick { .. } | Instr::Locked { .. } => {}
            Instr::NextPick { pick, to, fail } => self.next_pick(*pick, *to, *fail)?,
            Instr::NextLocked { locked, to, fail } => self.next_locked(*locked, *to, *fail)?,
            Instr::Family { .. } => self.family.clear(),
            Instr::AddMember { domain, .. } => {
                let domain = self.cell(*domain)?;
                if matches!(domain, Cells::Each(Pointwise { near: true, .. })) {
                    return None;
                }
                self.family = union(&self.family, domain.read());
            }
            Instr::NextFamily { family, union: to, fail } => {
                if !self.ends(*fail) {
                    return None;
                }
                let mut read = self.family.clone();
                read.insert(Atom::Cells(*to));
                self.reads(read.clone());
                self.members.insert(*family, *to);
                self.cells.insert(*to, Cells::fixed(read, Atom::Cells(*to)));
            }
            Instr::Member { family, to, .. } => {
                let all = *self.members.get(family)?;
                let read = self.cell(all)?.read().clone();
                self.cells.insert(*to, Cells::fixed(read, Atom::Cells(all)));
            }
            Instr::ConcludeSome { of } | Instr::Place { of } => {
                let read = self.told(of)?;
                self.reads(read);
            }
            Instr::Eliminate { of } => self.eliminated(of)?,
            _ => self.test(instr)?,
        }
        Some(())
    }

    fn next(&mut self, rest: Set, value: Reg, one: Set, fail: u16) -> Option<()> {
        let (set, start) = *self.loops.get(&key(rest))?;
        let chosen = self.ends(fail);
        if !chosen {
            self.every.push((start, self.program.labels[usize::from(fail)] as usize));
        }
        let read = match (set, one) {
            (Set::C(of), Set::C(one)) => {
                let of = self.cell(of)?.clone();
                let read = if chosen { of.chosen(one) } else { of.whole() };
                let base = match of.cover() {
                    Some(cover) if !chosen => cover.clone(),
                    _ => Reads::from([Atom::Cells(one)]),
                };
                self.cells.insert(one, Cells::Fixed { read: read.clone(), base });
                self.values.insert(value, (read.clone(), Some(one)));
                if chosen {
                    self.trace.choices.push(Choice { start, next: self.at, to: one });
                }
                read
            }
            (Set::D(of), Set::D(one)) => {
                let read = self.digits.get(&of)?.clone();
                self.digits.insert(one, read.clone());
                self.values.insert(value, (read.clone(), None));
                read
            }
            (Set::H(of), Set::H(one)) => {
                let read = self.houses.get(&of)?.clone();
                self.houses.insert(one, read.clone());
                self.values.insert(value, (read.clone(), None));
                read
            }
            _ => return None,
        };
        self.reads(read);
        Some(())
    }

    fn next_pick(&mut self, pick: usize, to: Set, fail: u16) -> Option<()> {
        let spec = &self.program.picks[pick];
        if !self.ends(fail) {
            return None;
        }
        let mut read = Reads::new();
        for bound in &spec.bounds {
            match bound {
                Bound::Digits(_) | Bound::Unrestricted(_) | Bound::Aimed | Bound::Connected | Bound::Parallel => {}
                Bound::Places(within, _) => read = union(&read, &self.cell(*within)?.contents()),
                Bound::Restricted(digits) => read = union(&read, self.digits.get(digits)?),
                Bound::Cover(_) | Bound::Shared { .. } => return None,
            }
        }
        match (spec.from, to) {
            (Set::C(from), Set::C(to)) => {
                let from = self.cell(from)?.chosen(to);
                read = union(&union(&read, &from), &Reads::from([Atom::Cells(to)]));
                self.cells.insert(to, Cells::fixed(read.clone(), Atom::Cells(to)));
                let start = self.at - 1;
                self.trace.choices.push(Choice { start, next: self.at, to });
            }
            (Set::D(from), Set::D(to)) => {
                read = union(&read, self.digits.get(&from)?);
                self.digits.insert(to, read.clone());
            }
            (Set::H(from), Set::H(to)) => {
                read = union(&read, self.houses.get(&from)?);
                self.houses.insert(to, read.clone());
            }
            _ => return None,
        }
        self.reads(read);
        Some(())
    }

    fn next_locked(&mut self, locked: usize, to: Reg, fail: u16) -> Option<()> {
        let spec = &self.program.locked[locked];
        if !self.ends(fail) {
            return None;
        }
        let (atom, mut read) = match spec.sort {
            Sort::Locked(_) => (Atom::Cells(to), Reads::new()),
            Sort::Spot => (Atom::Spot(to), Reads::new()),
        };
        read.insert(atom);
        match spec.base {
            LockedBase::All => {}
            LockedBase::With(digit) | LockedBase::Linked(digit, _) => read = union(&read, self.value(digit)?),
        }
        for filter in &spec.filters {
            let more = match *filter {
                LockedFilter::Meets(digits) | LockedFilter::Avoids(digits) => self.digits.get(&digits)?.clone(),
                LockedFilter::Inside(cells) | LockedFilter::Apart(cells) => self.cell(cells)?.whole(),
                LockedFilter::Sees(digit, cells) | LockedFilter::Covers(digit, cells) => {
                    union(self.value(digit)?, &self.cell(cells)?.whole())
                }
                LockedFilter::Linked(digit, _) => self.value(digit)?.clone(),
                // What is in a house elsewhere counts as well; of which house, only the two together say.
                LockedFilter::Conjugate { .. } | LockedFilter::Partnered { .. } => return None,
                LockedFilter::Differs(_)
                | LockedFilter::After(_)
                | LockedFilter::Before(_)
                | LockedFilter::Bridge(_)
                | LockedFilter::Twice { .. } => Reads::new(),
            };
            read = union(&read, &more);
        }
        self.reads(read.clone());
        self.cells.insert(to, Cells::fixed(read, atom));
        self.trace.choices.push(Choice { start: self.at - 1, next: self.at, to });
        Some(())
    }

    /// What is eliminated need only have been in the set before: what goes cannot be eliminated again.
    fn eliminated(&mut self, of: &Candidates) -> Option<()> {
        let read = match of {
            Candidates::Set(marks) => self.marks.get(marks)?.clone(),
            Candidates::Nouns(nouns) => {
                let mut read = Reads::new();
                for (digits, cells) in nouns {
                    read = union(&read, &union(self.digits.get(digits)?, &self.cell(*cells)?.lasting()));
                }
                read
            }
        };
        self.reads(read);
        Some(())
    }

    fn told(&self, of: &Candidates) -> Option<Reads> {
        match of {
            Candidates::Nouns(nouns) => self.nouns(nouns),
            Candidates::Set(marks) => self.marks.get(marks).cloned(),
        }
    }

    pub(super) fn nouns(&self, nouns: &[Noun]) -> Option<Reads> {
        let mut read = Reads::new();
        for (digits, cells) in nouns {
            read = union(&read, &union(self.digits.get(digits)?, &self.cell(*cells)?.contents()));
        }
        Some(read)
    }

    pub(super) fn cell(&self, reg: Reg) -> Option<&Cells> {
        self.cells.get(&reg)
    }

    pub(super) fn value(&self, reg: Reg) -> Option<&Reads> {
        self.values.get(&reg).map(|(read, _)| read)
    }

    /// What is read where the whole value of a register is wanted.
    pub(super) fn set(&self, set: Set) -> Option<Reads> {
        match set {
            Set::C(reg) => self.cell(reg).map(Cells::whole),
            Set::D(reg) => self.digits.get(&reg).cloned(),
            Set::H(reg) => self.houses.get(&reg).cloned(),
            Set::P(reg) => self.marks.get(&reg).cloned(),
        }
    }
}

/// Registers of different types have the same numbers.
fn key(set: Set) -> (u8, Reg) {
    match set {
        Set::C(reg) => (0, reg),
        Set::D(reg) => (1, reg),
        Set::H(reg) => (2, reg),
        Set::P(reg) => (3, reg),
    }
}
