//! A walk over the instructions of a program. In: a program. Out: [`Trace`]: what each of its instructions reads of the
//! state, and its choices.

use super::super::instr::{Candidates, Instr, Noun, Reg, Set, SetOp};
use super::super::program::{Bound, LockedBase, LockedFilter, Program, Sort};
use super::atoms::{Atom, Cells, Pointwise, Reads, both, difference, either, union};
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
    cells: BTreeMap<Reg, Cells>,
    digits: BTreeMap<Reg, Reads>,
    houses: BTreeMap<Reg, Reads>,
    numbers: BTreeMap<Reg, Reads>,
    /// What is read for a value, and where it is a cell the register that holds it alone.
    values: BTreeMap<Reg, (Reads, Option<Reg>)>,
    marks: BTreeMap<Reg, Reads>,
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
        let lost: Vec<Reg> = code.filter(|(at, _)| inside(*at)).filter_map(|(_, instr)| written(instr)).collect();
        let kept = |atom: &Atom| match atom {
            Atom::Cells(reg) | Atom::Near(reg) | Atom::Spot(reg) if lost.contains(reg) => Atom::All,
            atom => *atom,
        };
        trace.read.iter_mut().for_each(|(_, reads)| *reads = reads.iter().map(kept).collect());
        trace.choices.retain(|choice| !inside(choice.start));
        trace
    }

    fn reads(&mut self, reads: Reads) {
        self.trace.read.push((self.at, reads));
    }

    /// Whether failing here is failing the choices made so far, not just going on with another part of the rule.
    fn ends(&self, fail: u16) -> bool {
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
            Instr::ConcludeSome { of } => {
                let read = self.told(of)?;
                self.reads(read);
            }
            Instr::Place { of } => {
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
                Bound::Digits(_) | Bound::Unrestricted(_) | Bound::Connected | Bound::Parallel => {}
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
                LockedFilter::Differs(_) | LockedFilter::After(_) | LockedFilter::Before(_) => Reads::new(),
            };
            read = union(&read, &more);
        }
        self.reads(read.clone());
        self.cells.insert(to, Cells::fixed(read, atom));
        self.trace.choices.push(Choice { start: self.at - 1, next: self.at, to });
        Some(())
    }

    /// Tests; what they read is read by every match.
    fn test(&mut self, instr: &Instr) -> Option<()> {
        let read = match instr {
            Instr::Compare { a, b, .. } => union(self.numbers.get(a)?, self.numbers.get(b)?),
            Instr::NonEmpty { set: Set::C(cells), want: true, fail } if self.ends(*fail) => self.cell(*cells)?.lasting(),
            Instr::NonEmpty { set, .. } => self.set(*set)?,
            Instr::Test { a, b, .. } => union(&self.set(*a)?, &self.set(*b)?),
            Instr::TestNouns { a, b, .. } => union(&self.nouns(a)?, &self.nouns(b)?),
            Instr::Options { cells, digits, .. } => union(&self.cell(*cells)?.contents(), self.digits.get(digits)?),
            Instr::Sees { a, b, .. } => union(&self.cell(*a)?.whole(), &self.cell(*b)?.whole()),
            Instr::AlmostLocked { cells, .. } => self.cell(*cells)?.contents(),
            Instr::Connected { cells, .. } | Instr::InOne { cells, .. } | Instr::Closed { cells, .. } => {
                self.cell(*cells)?.whole()
            }
            Instr::ClosedBetween { cells, k, l, .. } => {
                let houses = union(self.houses.get(k)?, self.houses.get(l)?);
                union(&self.cell(*cells)?.whole(), &houses)
            }
            Instr::OpenTo { cells, digits, .. } => union(&self.cell(*cells)?.whole(), self.digits.get(digits)?),
            Instr::Conjugate { digit, a, b, .. } => {
                let (a, b) = (self.cell(*a)?, self.cell(*b)?);
                let near: Reads = a.cover()?.iter().map(|atom| near(*atom)).collect();
                union(&union(&union(&a.whole(), &b.whole()), &near), self.value(*digit)?)
            }
            Instr::Less { a, b, .. } => union(self.value(*a)?, self.value(*b)?),
            Instr::Target { digit, cells, from, to, .. } | Instr::TargetOfSet { digit, cells, from, to, .. } => {
                let mut read = union(self.value(*digit)?, &self.cell(*cells)?.contents());
                if let Some((left, seen)) = from {
                    read = union(&read, &union(self.cell(*left)?.read(), self.cell(*seen)?.read()));
                }
                self.cells.insert(to.0, Cells::pointwise(read.clone(), true));
                let base = Reads::from([Atom::All]);
                self.cells.insert(to.1, Cells::Fixed { read: read.clone(), base });
                read
            }
            _ => return self.load(instr),
        };
        self.reads(read);
        Some(())
    }

    /// Instructions that write a register; what they read counts where the register is used.
    fn load(&mut self, instr: &Instr) -> Option<()> {
        match instr {
            Instr::AllDigits { to } => self.digits.insert(*to, Reads::new()),
            Instr::DigitsOf { to, cell } => {
                let (_, one) = self.values.get(cell)?;
                let read = self.cell((*one)?)?.contents();
                self.digits.insert(*to, read)
            }
            Instr::Digits { to, cells } | Instr::DigitsOfSet { to, cells, .. } | Instr::Values { to, cells } => {
                let read = self.cell(*cells)?.contents();
                self.digits.insert(*to, read)
            }
            Instr::DigitsIn { to, digits, cells } => {
                let read = union(self.digits.get(digits)?, &self.cell(*cells)?.contents());
                self.digits.insert(*to, read)
            }
            Instr::Houses { to, .. } => self.houses.insert(*to, Reads::new()),
            Instr::HousesOf { to, cells, .. } => {
                let read = self.cell(*cells)?.whole();
                self.houses.insert(*to, read)
            }
            Instr::Lines { to, houses, .. } => {
                let read = self.houses.get(houses)?.clone();
                self.houses.insert(*to, read)
            }
            Instr::Const { to, .. } => self.numbers.insert(*to, Reads::new()),
            Instr::Count { to, of } => {
                let read = self.set(*of)?;
                self.numbers.insert(*to, read)
            }
            Instr::CountIn { to, noun } => {
                let read = self.nouns(&[*noun])?;
                self.numbers.insert(*to, read)
            }
            Instr::Times { to, digits, cells } => {
                let read = union(self.digits.get(digits)?, &self.cell(*cells)?.contents());
                self.numbers.insert(*to, read)
            }
            Instr::Sum { to, a, b, .. } => {
                let read = union(self.numbers.get(a)?, self.numbers.get(b)?);
                self.numbers.insert(*to, read)
            }
            Instr::Marks { to, nouns } => {
                let read = self.nouns(nouns)?;
                self.marks.insert(*to, read)
            }
            Instr::DigitsOfMarks { to, of } => {
                let read = self.marks.get(of)?.clone();
                self.digits.insert(*to, read)
            }
            Instr::Op { op, to, a, b } => return self.operator(*op, *to, *a, *b),
            Instr::After { to, of, value } => return self.after(*to, *of, *value),
            _ => return self.load_cells(instr),
        };
        Some(())
    }

    fn load_cells(&mut self, instr: &Instr) -> Option<()> {
        let (to, cells) = match instr {
            Instr::Unsolved { to } => (*to, Cells::pointwise(Reads::new(), true)),
            Instr::Exact { to, .. } | Instr::AtMost { to, .. } => (*to, Cells::pointwise(Reads::new(), false)),
            Instr::Places { to, digit } => (*to, Cells::pointwise(self.value(*digit)?.clone(), true)),
            Instr::PlacesAny { to, digits } | Instr::PlacesAll { to, digits } => {
                (*to, Cells::pointwise(self.digits.get(digits)?.clone(), true))
            }
            Instr::CellsOf { to, houses } => (*to, Cells::fixed(self.houses.get(houses)?.clone(), Atom::Cells(*to))),
            Instr::Peers { to, cell } => (*to, Cells::fixed(self.value(*cell)?.clone(), Atom::Cells(*to))),
            Instr::OpenPlaces { to, digits } => {
                (*to, Cells::fixed(self.digits.get(digits)?.clone(), Atom::All))
            }
            Instr::Seeing { to, of, .. } | Instr::SeeingOfSet { to, places: of, .. } => (*to, Cells::fixed(self.cell(*of)?.whole(), Atom::Cells(*to))),
            Instr::CellsOfMarks { to, of } => (*to, Cells::fixed(self.marks.get(of)?.clone(), Atom::Cells(*to))),
            Instr::Overlap { to, houses } => (*to, Cells::fixed(self.houses.get(houses)?.clone(), Atom::Cells(*to))),
            Instr::Partners { to, digit, cell } => {
                let (read, one) = self.values.get(cell)?;
                let near = Reads::from([Atom::Near((*one)?)]);
                (*to, Cells::fixed(union(&union(read, self.value(*digit)?), &near), Atom::Cells(*to)))
            }
            Instr::Partnered { to, digit } => {
                let read = self.value(*digit)?.clone();
                (*to, Cells::Each(Pointwise { read, cover: None, near: true, shrinks: false }))
            }
            _ => return None,
        };
        self.cells.insert(to, cells);
        Some(())
    }

    fn operator(&mut self, op: SetOp, to: Set, a: Set, b: Set) -> Option<()> {
        match (to, a, b) {
            (Set::C(to), Set::C(a), Set::C(b)) => {
                let (a, b) = (self.cell(a)?, self.cell(b)?);
                let out = match op {
                    SetOp::And => both(a, b),
                    SetOp::Or => either(a, b),
                    SetOp::Minus => difference(a, b),
                };
                self.cells.insert(to, out);
            }
            (Set::D(to), ..) => {
                let read = union(&self.set(a)?, &self.set(b)?);
                self.digits.insert(to, read);
            }
            (Set::H(to), ..) => {
                let read = union(&self.set(a)?, &self.set(b)?);
                self.houses.insert(to, read);
            }
            (Set::P(to), ..) => {
                let read = union(&self.set(a)?, &self.set(b)?);
                self.marks.insert(to, read);
            }
            _ => return None,
        }
        Some(())
    }

    fn after(&mut self, to: Set, of: Set, value: Reg) -> Option<()> {
        let value = self.value(value)?.clone();
        match (to, of) {
            (Set::C(to), Set::C(of)) => {
                let mut cells = self.cell(of)?.clone();
                match &mut cells {
                    Cells::Fixed { read, .. } | Cells::Each(Pointwise { read, .. }) => read.extend(value),
                }
                self.cells.insert(to, cells);
            }
            (Set::D(to), Set::D(of)) => {
                let read = union(self.digits.get(&of)?, &value);
                self.digits.insert(to, read);
            }
            (Set::H(to), Set::H(of)) => {
                let read = union(self.houses.get(&of)?, &value);
                self.houses.insert(to, read);
            }
            _ => return None,
        }
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

    fn nouns(&self, nouns: &[Noun]) -> Option<Reads> {
        let mut read = Reads::new();
        for (digits, cells) in nouns {
            read = union(&read, &union(self.digits.get(digits)?, &self.cell(*cells)?.contents()));
        }
        Some(read)
    }

    fn cell(&self, reg: Reg) -> Option<&Cells> {
        self.cells.get(&reg)
    }

    fn value(&self, reg: Reg) -> Option<&Reads> {
        self.values.get(&reg).map(|(read, _)| read)
    }

    /// What is read where the whole value of a register is wanted.
    fn set(&self, set: Set) -> Option<Reads> {
        match set {
            Set::C(reg) => self.cell(reg).map(Cells::whole),
            Set::D(reg) => self.digits.get(&reg).cloned(),
            Set::H(reg) => self.houses.get(&reg).cloned(),
            Set::P(reg) => self.marks.get(&reg).cloned(),
        }
    }
}

/// The cell register that an instruction writes.
pub(super) fn written(instr: &Instr) -> Option<Reg> {
    match *instr {
        Instr::Unsolved { to }
        | Instr::Exact { to, .. }
        | Instr::AtMost { to, .. }
        | Instr::Places { to, .. }
        | Instr::PlacesAny { to, .. }
        | Instr::PlacesAll { to, .. }
        | Instr::CellsOf { to, .. }
        | Instr::Peers { to, .. }
        | Instr::Seeing { to, .. }
        | Instr::SeeingOfSet { to, .. }
        | Instr::OpenPlaces { to, .. }
        | Instr::Partners { to, .. }
        | Instr::Partnered { to, .. }
        | Instr::CellsOfMarks { to, .. }
        | Instr::Overlap { to, .. }
        | Instr::NextLocked { to, .. }
        | Instr::NextPick { to: Set::C(to), .. }
        | Instr::NextFamily { union: to, .. }
        | Instr::Member { to, .. }
        | Instr::After { to: Set::C(to), .. }
        | Instr::Op { to: Set::C(to), .. }
        | Instr::Next { one: Set::C(to), .. } => Some(to),
        _ => None,
    }
}

fn near(atom: Atom) -> Atom {
    match atom {
        Atom::Cells(reg) => Atom::Near(reg),
        other => other,
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
