//! Suppositions at run time. In: registers with what is supposed. Out: one after the other what it comes to, in the
//! registers of its literals.

use super::super::plan::{Candidates, CaseRegs, Conclusion, Instr, MeansSpec, Next};
use super::super::suppose::{By, Literal, WantedEnd};
use super::{Flow, Machine};
use crate::engine::tables::index::CandidateSet;
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
    /// What is known of candidates that were looked at for themselves.
    idle: Option<Box<Idle<W>>>,
    next: usize,
    current: Option<usize>,
}

/// Candidates that were looked at, and those of them from which nothing that counts follows.
struct Idle<const W: usize> {
    looked: CandidateSet<W>,
    found: CandidateSet<W>,
}

impl<const W: usize> Default for Idle<W> {
    fn default() -> Self {
        Idle { looked: CandidateSet::EMPTY, found: CandidateSet::EMPTY }
    }
}

impl<const W: usize> Default for Hits<W> {
    fn default() -> Self {
        let (cases, hits) = (Vec::new().into_iter(), Vec::new());
        Hits { by: None, cases, hits, counts: None, idle: None, next: 0, current: None }
    }
}

impl<const W: usize> Machine<'_, W> {
    pub(super) fn start_supposing(&mut self, number: usize) {
        let spec = &self.program.supposes[number];
        if !self.supposes[number].by.as_deref().is_some_and(|by| self.is_by(&spec.by, by)) {
            let (by, counts) = (Some(Rc::new(self.by(&spec.by))), self.counting(number).map(Rc::from));
            self.supposes[number] = Hits { by, counts, ..Hits::default() };
        }
        let without_effect = self.cannot_have_effect(number, &spec.cases);
        let cases = if without_effect { Vec::new() } else { self.cases(&spec.cases) };
        let state = &mut self.supposes[number];
        (state.cases, state.next, state.current) = (cases.into_iter(), 0, None);
        state.hits.clear();
    }

    /// Whether nothing that counts follows from one of the cases. Those are looked at of which the opposite counts: against
    /// the solution these are what it holds, from which nothing else follows.
    fn cannot_have_effect(&mut self, number: usize, cases: &CaseRegs) -> bool {
        let state = &self.supposes[number];
        let (Some(counts), Some(by), Some(supposing)) = (&state.counts, &state.by, self.context.supposing) else {
            return false;
        };
        let (CaseRegs::Each(of), Some(aimed)) = (cases, &self.context.facts.aim) else { return false };
        let nouns = self.candidates(of);
        let each = || nouns.iter().flat_map(|(digits, cells)| digits.iter().map(move |digit| (digit.index(), *cells)));
        if state.idle.as_ref().is_some_and(|idle| each().any(|(digit, cells)| idle.found.0[digit].meets(&cells))) {
            return true;
        }
        let (counts, by) = (Rc::clone(counts), Rc::clone(by));
        let mut known = self.supposes[number].idle.take().unwrap_or_default();
        let mut without_effect = false;
        'cases: for (digit, cells) in each() {
            let new = aimed.eliminations.0[digit] & (cells - known.looked.0[digit]);
            for cell in new.iter() {
                let candidate = Candidate::new(Digit(digit as u8), Cell(cell as u16));
                let (idle, limits) = supposing.proves_nothing(&by, (candidate, true), &counts, self.limits);
                limits.into_iter().for_each(|limit| self.note(limit));
                known.looked.0[digit].insert(cell);
                if idle {
                    known.found.0[digit].insert(cell);
                    without_effect = true;
                    break 'cases;
                }
            }
        }
        self.supposes[number].idle = Some(known);
        without_effect
    }

    /// What counts of what the cases agree on, where the search has an aim and the rule concludes just this.
    fn counting(&self, number: usize) -> Option<Vec<Bits<W>>> {
        let (aimed, (holds, fails)) = (self.context.facts.aim.as_ref()?, self.program.supposes[number].agree?);
        let (put, gone) = (Candidates::Set(holds), Candidates::Set(fails));
        let (put, gone) = (Conclusion::Place { of: put }, Conclusion::Eliminate { of: gone });
        let size = self.context.tables.size;
        let counts = || aimed.placements.0[..size].iter().chain(&aimed.eliminations.0[..size]).copied().collect();
        self.program.concludes_only(|one| *one == put || *one == gone).then(counts)
    }

    /// Whether a case may be left out: it must come to a contradiction, and nothing that counts would follow.
    fn proves_nothing(&mut self, number: usize, case: &[Literal]) -> bool {
        let spec = &self.program.supposes[number];
        if self.context.facts.trusts_rules() || spec.agree.is_some() {
            return false;
        }
        if let (CaseRegs::Literal { holds, fails, known: false }, [literal]) = (&spec.cases, case) {
            self.set_literal((*holds, *fails), *literal);
        }
        let here =
            |instr: &Instr| matches!(instr, Instr::Next { of: Next::Suppose { suppose }, .. } if *suppose == number);
        self.program.code.iter().position(here).is_some_and(|at| !self.may_count(at))
    }

    /// Whether something that counts may follow from what is chosen, if all else is as the rule wants it.
    fn may_count(&mut self, start: usize) -> bool {
        let mut at = start + 1;
        while let Some(instr) = self.program.code.get(at).filter(|_| at > start) {
            if let Instr::Next { .. } = instr {
                return true;
            }
            at = match self.step(instr) {
                Flow::On => at + 1,
                Flow::To(label) => self.program.labels[usize::from(label)] as usize,
                Flow::Report(_) => return self.conclusions.has_effect(self.context.facts),
                Flow::End => return false,
            };
        }
        false
    }

    /// Supposes what comes next, until something comes of it.
    fn suppose_on(&mut self, number: usize) {
        let (Some(supposing), spec) = (self.context.supposing, &self.program.supposes[number]) else { return };
        let mut state = std::mem::take(&mut self.supposes[number]);
        state.next = 0;
        state.hits.clear();
        while state.hits.is_empty()
            && let (Some(by), Some(cases)) = (&state.by, state.cases.next())
        {
            if self.proves_nothing(number, &cases) {
                continue;
            }
            let wanted = match spec.agree {
                None => WantedEnd::Contradiction,
                Some(_) => WantedEnd::Agreement { all_stand: spec.all_stand, counts: state.counts.as_deref() },
            };
            let (found, limits) = supposing.hits(by, &cases, wanted, self.limits);
            state.hits = found;
            limits.into_iter().for_each(|limit| self.note(limit));
        }
        self.supposes[number] = state;
    }

    fn is_by(&self, spec: &MeansSpec, by: &By) -> bool {
        let digits = |on: Option<u16>| on.map(|reg| self.regs.d(reg));
        match (spec, by) {
            (MeansSpec::Links { on, strong, weak, most }, By::Links(same_on, same_strong, same_weak, same_most)) => {
                (digits(*on), weak, most) == (*same_on, same_weak, same_most) && strong == same_strong
            }
            (MeansSpec::Singles { on }, By::Singles(same)) => digits(*on) == *same,
            (MeansSpec::Rules { members, .. }, By::Rules(same)) => members == same,
            _ => false,
        }
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
                        let here = self.context.facts.places[digit.index()] & cells;
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
        let cells = self.context.facts.candidates.iter().enumerate();
        let of = |(cell, digits): (usize, &crate::grid::DigitSet)| {
            digits.iter().map(move |digit: Digit| Candidate::new(digit, Cell(cell as u16)))
        };
        cells.flat_map(of).collect()
    }

    pub(super) fn next_supposed(&mut self, number: usize) -> bool {
        if self.supposes[number].next >= self.supposes[number].hits.len() {
            self.suppose_on(number);
        }
        let state = &mut self.supposes[number];
        let Some(hit) = state.hits.get(state.next).cloned() else {
            state.current = None;
            return false;
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
        true
    }

    fn set_literal(&mut self, (holds, fails): (u16, u16), (candidate, value): Literal) {
        let mut one = CandidateSet::EMPTY;
        one.0[candidate.digit.index()].insert(candidate.cell.index());
        let (full, empty) = if value { (holds, fails) } else { (fails, holds) };
        self.regs.candidates[usize::from(full)] = one;
        self.regs.candidates[usize::from(empty)] = CandidateSet::EMPTY;
    }

    /// What the suppositions of the present match come to.
    pub(super) fn supposed(&self) -> Vec<Hit> {
        self.supposes.iter().filter_map(|state| state.hits.get(state.current?).cloned()).collect()
    }
}
