//! Suppositions at run time. In: registers with what is supposed. Out: one after the other what it comes to, in the
//! registers of its literals.

use super::super::plan::{Candidates, CaseRegs, Instr, MeansSpec};
use super::super::suppose::{By, Literal};
use super::Machine;
use super::conclude::members;
use crate::engine::marks::Marks;
use crate::grid::{Bits, Candidate, Cell, Digit};
use std::rc::Rc;

pub(in crate::engine) use super::super::suppose::Hit;

/// What a supposition comes to, and how far the program has looked at it.
pub(super) struct Hits<const W: usize> {
    by: Option<Rc<By>>,
    /// What is still to be supposed.
    cases: std::vec::IntoIter<Vec<Literal>>,
    /// What the cases before come to.
    hits: Vec<Hit>,
    /// What of it counts, where that is known before: what is true for each digit, then what is false.
    counts: Option<Rc<[Bits<W>]>>,
    /// Candidates that were looked at, and those of them from which nothing that counts follows.
    looked: Marks<W>,
    idle: Marks<W>,
    next: usize,
    current: Option<usize>,
}

impl<const W: usize> Default for Hits<W> {
    fn default() -> Self {
        let (cases, hits, none) = (Vec::new().into_iter(), Vec::new(), Marks::EMPTY);
        Hits { by: None, cases, hits, counts: None, looked: none, idle: none, next: 0, current: None }
    }
}

impl<const W: usize> Machine<'_, W> {
    pub(super) fn start_supposing(&mut self, number: usize) {
        let spec = &self.program.supposes[number];
        let by = self.by(&spec.by);
        let before = std::mem::take(&mut self.supposes[number]);
        let mut state = match before.by {
            Some(same) if *same == by => Hits { by: Some(same), hits: Vec::new(), next: 0, current: None, ..before },
            _ => Hits { by: Some(Rc::new(by)), counts: self.counting(number).map(Rc::from), ..Hits::default() },
        };
        let vain = self.is_vain(&mut state, &spec.cases);
        state.cases = if vain { Vec::new().into_iter() } else { self.cases(&spec.cases).into_iter() };
        self.supposes[number] = state;
    }

    /// Whether nothing that counts follows from one of the cases. Those are looked at of which the opposite counts: against
    /// the solution these are what it holds, from which nothing else follows.
    fn is_vain(&mut self, state: &mut Hits<W>, cases: &CaseRegs) -> bool {
        let (Some(counts), Some(by), Some(supposing)) = (&state.counts, &state.by, self.board.supposing) else {
            return false;
        };
        let (CaseRegs::Each(of), Some(aimed)) = (cases, &self.board.facts.aim) else { return false };
        let cases = members(self.board.facts, &self.candidates(of));
        if cases.meets(&state.idle) {
            return true;
        }
        let cell_count = self.board.tables.cell_count;
        let mut left = cases.zip(&aimed.gone, |cases, gone| cases & gone).zip(&state.looked, |new, old| new - old);
        while let Some(number) = left.pop(cell_count) {
            let one = Marks::single(number, cell_count);
            state.looked = state.looked.zip(&one, |all, one| all | one);
            let candidate = Candidate::new(Digit((number / cell_count) as u8), Cell((number % cell_count) as u16));
            let (idle, limits) = supposing.is_idle(by, (candidate, true), counts, self.limits);
            limits.into_iter().for_each(|limit| self.note(limit));
            if idle {
                state.idle = state.idle.zip(&one, |all, one| all | one);
                return true;
            }
        }
        false
    }

    /// What counts of what the cases agree on, where the search has an aim and the rule concludes just this.
    fn counting(&self, number: usize) -> Option<Vec<Bits<W>>> {
        let (aimed, (holds, fails)) = (self.board.facts.aim.as_ref()?, self.program.supposes[number].agree?);
        let (put, gone) = (Candidates::Set(holds), Candidates::Set(fails));
        let (put, gone) = (Instr::Place { of: put }, Instr::Eliminate { of: gone });
        let size = self.board.tables.size;
        let counts = || aimed.put.0[..size].iter().chain(&aimed.gone.0[..size]).copied().collect();
        self.program.concludes_only(|one| *one == put || *one == gone).then(counts)
    }

    /// Whether a case may be left out: it must come to a contradiction, and nothing that counts would follow.
    fn is_idle(&mut self, number: usize, case: &[Literal]) -> bool {
        let spec = &self.program.supposes[number];
        if self.board.facts.trusted() || spec.agree.is_some() {
            return false;
        }
        if let (CaseRegs::Literal { holds, fails, known: false }, [literal]) = (&spec.cases, case) {
            self.set_literal((*holds, *fails), *literal);
        }
        let here = |instr: &Instr| matches!(instr, Instr::NextSuppose { suppose, .. } if *suppose == number);
        self.program.code.iter().position(here).is_some_and(|at| !self.may_count(at))
    }

    /// Whether something that counts may follow from what is chosen, if all else is as the rule wants it.
    fn may_count(&mut self, start: usize) -> bool {
        let mut at = start + 1;
        while let Some(instr) = self.program.code.get(at).filter(|_| at > start) {
            if let Instr::Emit { .. } = instr {
                return self.conclusions.has_effect(self.board.facts);
            }
            if instr.chooses() {
                return true;
            }
            at = match self.step(instr) {
                None => at + 1,
                Some(label) => self.program.labels[usize::from(label)] as usize,
            };
        }
        false
    }

    /// Supposes what comes next, until something comes of it.
    fn suppose_on(&mut self, number: usize) {
        let (Some(supposing), spec) = (self.board.supposing, &self.program.supposes[number]) else { return };
        let mut state = std::mem::take(&mut self.supposes[number]);
        state.next = 0;
        state.hits.clear();
        while state.hits.is_empty()
            && let (Some(by), Some(cases)) = (&state.by, state.cases.next())
        {
            if self.is_idle(number, &cases) {
                continue;
            }
            let wanted = (spec.agree.is_some(), state.counts.as_deref());
            let (found, limits) = supposing.hits(by, &cases, wanted, self.limits);
            state.hits = found;
            limits.into_iter().for_each(|limit| self.note(limit));
        }
        self.supposes[number] = state;
    }

    fn by(&self, spec: &MeansSpec) -> By {
        let digits = |on: Option<u16>| on.map(|reg| self.regs.d(reg));
        match spec {
            MeansSpec::Links { on, strong, weak, most } => By::Links(digits(*on), strong.clone(), *weak, *most),
            MeansSpec::Singles { on } => By::Singles(digits(*on)),
            MeansSpec::Rules { members, .. } => By::Rules(members.clone()),
        }
    }

    /// The cases that are looked at together, in order of candidates.
    fn cases(&self, spec: &CaseRegs) -> Vec<Vec<Literal>> {
        let list = |reg: u16, holds: bool| self.regs.p(reg).list().into_iter().map(move |one| (one, holds));
        match spec {
            CaseRegs::True(reg) => list(*reg, true).map(|one| vec![one]).collect(),
            CaseRegs::False(reg) => list(*reg, false).map(|one| vec![one]).collect(),
            CaseRegs::Either(reg) => list(*reg, true).map(|(one, _)| vec![(one, true), (one, false)]).collect(),
            CaseRegs::Literal { holds, fails, known: true } => {
                list(*holds, true).chain(list(*fails, false)).map(|one| vec![one]).collect()
            }
            CaseRegs::Literal { .. } => {
                self.present().into_iter().flat_map(|one| [vec![(one, true)], vec![(one, false)]]).collect()
            }
            CaseRegs::Each(of) => {
                let mut all: Vec<Candidate> = Vec::new();
                for (digits, cells) in self.candidates(of) {
                    for digit in digits.iter() {
                        let here = self.board.facts.places[digit.index()] & cells;
                        all.extend(here.cells().map(|cell| Candidate::new(digit, cell)));
                    }
                }
                all.sort_unstable();
                all.dedup();
                vec![all.into_iter().map(|one| (one, true)).collect()]
            }
        }
    }

    /// Every candidate of the state.
    fn present(&self) -> Vec<Candidate> {
        let cells = self.board.facts.candidates.iter().enumerate();
        let of = |(cell, digits): (usize, &crate::grid::DigitSet)| {
            digits.iter().map(move |digit: Digit| Candidate::new(digit, Cell(cell as u16)))
        };
        cells.flat_map(of).collect()
    }

    pub(super) fn next_supposed(&mut self, number: usize, fail: u16) -> Option<u16> {
        if self.supposes[number].next >= self.supposes[number].hits.len() {
            self.suppose_on(number);
        }
        let state = &mut self.supposes[number];
        let Some(hit) = state.hits.get(state.next).cloned() else {
            state.current = None;
            return Some(fail);
        };
        state.current = Some(state.next);
        state.next += 1;
        let spec = &self.program.supposes[number];
        if let (CaseRegs::Literal { holds, fails, known: false }, [literal]) = (&spec.cases, hit.cases.as_slice()) {
            self.set_literal((*holds, *fails), *literal);
        }
        if let (Some(to), Some(literal)) = (spec.agree, hit.shows) {
            self.set_literal(to, literal);
        }
        None
    }

    fn set_literal(&mut self, (holds, fails): (u16, u16), (candidate, value): Literal) {
        let mut one = Marks::EMPTY;
        one.0[candidate.digit.index()].insert(candidate.cell.index());
        let (full, empty) = if value { (holds, fails) } else { (fails, holds) };
        self.regs.candidates[usize::from(full)] = one;
        self.regs.candidates[usize::from(empty)] = Marks::EMPTY;
    }

    /// What the suppositions of the present match come to.
    pub(super) fn supposed(&self) -> Vec<Hit> {
        self.supposes.iter().filter_map(|state| state.hits.get(state.current?).cloned()).collect()
    }
}
