//! Instructions about sets of candidates, templates and combinations, and closed sets of cells. In: registers and facts. Out: a
//! register written, or whether a test holds.

use super::super::matches::LimitHit;
use super::super::plan::{Candidates, Conclusion, Instr, MarkOp, Noun, Reg, Set};
use super::super::tables::index::CandidateSet;
use super::super::tables::templates::TemplateSummary;
use super::Machine;
use crate::grid::{Bits, DigitSet, HouseSet};
use crate::lang::ir::HouseClass;

impl<const W: usize> Machine<'_, W> {
    /// Returns the candidates that an operator gives, or `None` if a limit ends the search before; `to` is where they go.
    pub(super) fn marks_by(&mut self, to: Reg, op: &MarkOp) -> Option<CandidateSet<W>> {
        Some(match *op {
            MarkOp::Nouns { ref nouns } => self.marks(nouns),
            MarkOp::InNone { of } => {
                let aimed = !self.context.facts.trusts_rules() && self.is_eliminated(to);
                return self.in_none(of, aimed);
            }
            MarkOp::InEvery { digits } => self.filled(digits, |templates| templates.in_every),
            MarkOp::Excluded { every, ref of } => self.excluded(every, of),
        })
    }

    /// Whether a register (p) is written once, and then its candidates are eliminated at once.
    fn is_eliminated(&self, marks: Reg) -> bool {
        let code = &self.program.code;
        let written = |instr: &Instr| matches!(instr, Instr::Marks { to, .. } if *to == marks);
        let after = code.iter().position(written).map_or(0, |at| at + 1);
        let gone = Instr::Conclude(Conclusion::Eliminate { of: Candidates::Set(marks) });
        matches!(&code[after..], [one, Instr::Emit { .. }, Instr::Halt] if *one == gone)
    }

    /// The candidates of nouns.
    pub(super) fn marks(&self, nouns: &[Noun]) -> CandidateSet<W> {
        let mut marks = CandidateSet::EMPTY;
        for &(digits, cells) in nouns {
            for digit in self.regs.d(digits).iter() {
                marks.0[digit.index()] |= self.context.facts.places[digit.index()] & *self.regs.c(cells);
            }
        }
        marks
    }

    /// Candidates that are in no template or combination. Where the rule does nothing with them but eliminate them, only those count
    /// that the search is aimed at.
    fn in_none(&mut self, of: Set, eliminated: bool) -> Option<CandidateSet<W>> {
        let (tables, facts) = (self.context.tables, self.context.facts);
        match of {
            Set::C(reg) => {
                let cells = *self.regs.c(reg);
                let counts = if eliminated { &self.context.scope.eliminations.0 } else { &facts.places };
                let work = (&mut self.budget, self.limits.halt);
                let in_none = facts.exclusions.in_none(tables, facts, (&cells, counts), work);
                if in_none.is_none() {
                    self.note(self.limits.halt.due().unwrap_or(LimitHit::Instructions));
                }
                in_none
            }
            Set::D(reg) => Some(self.filled(reg, |templates| templates.in_none)),
            // No plan fills anything else: `Instr::fits`.
            Set::H(_) | Set::P(_) => Some(CandidateSet::EMPTY),
        }
    }

    /// A part of what the templates of these digits have in common.
    fn filled(&mut self, digits: Reg, part: impl Fn(&TemplateSummary<W>) -> Bits<W>) -> CandidateSet<W> {
        let facts = self.context.facts;
        let mut marks = CandidateSet::EMPTY;
        for (digit, templates) in facts.templates.joint_summaries(self.context.tables, facts, self.regs.d(digits)) {
            match templates {
                Some(templates) => marks.0[digit.index()] = part(&templates),
                None => self.note(LimitHit::Templates),
            }
        }
        marks
    }

    /// In some house where every digit stands, the places of a digit are just those in two sets that differ.
    pub(super) fn conjugate(&self, digit: usize, a: &Bits<W>, b: &Bits<W>) -> bool {
        let (tables, places) = (self.context.tables, self.context.facts.places[digit]);
        let (a, b) = (*a & places, *b & places);
        let (Some(first), false) = (a.first(), b.is_empty() || a == b) else { return false };
        tables.whole_houses_of[first].iter().any(|house| tables.cells_of_house[house] & places == a | b)
    }

    /// The candidates that every (some) one of these excludes.
    pub(super) fn excluded(&self, every: bool, of: &Candidates) -> CandidateSet<W> {
        let (tables, facts) = (self.context.tables, self.context.facts);
        let members = super::conclude::members(facts, &self.candidates(of));
        if every {
            return if members.is_empty() {
                CandidateSet::EMPTY
            } else {
                super::conclude::excluded(tables, facts, &members)
            };
        }
        let mut out = CandidateSet::EMPTY;
        for digit in 0..tables.size {
            let others = (0..tables.size).filter(|&other| other != digit);
            let elsewhere = others.fold(Bits::EMPTY, |cells, other| cells | members.0[other]);
            out.0[digit] = facts.places[digit] & (tables.seeing_some(&members.0[digit]) | elsewhere);
        }
        out
    }

    /// No house, and no two cells that see each other otherwise, holds just one of the cells.
    pub(super) fn closed(&self, cells: Bits<W>) -> bool {
        let tables = self.context.tables;
        let (mut once, mut twice) = (HouseSet::EMPTY, HouseSet::EMPTY);
        for cell in cells.iter() {
            twice |= once & tables.houses_of[cell];
            once |= tables.houses_of[cell];
        }
        once == twice && !tables.extra_peer_pairs.iter().any(|pair| (*pair & cells).is_one())
    }

    /// The cells lie in two parallel lines, each with its partner, and all other houses hold both or neither.
    pub(super) fn closed_between(&self, cells: Bits<W>, k: u16, l: u16) -> bool {
        let tables = self.context.tables;
        let (Some(k), Some(l)) = (self.regs.h(k).first(), self.regs.h(l).first()) else { return false };
        let parallel = [HouseClass::Row, HouseClass::Column].iter().any(|&class| {
            let lines = tables.class(class);
            lines.has(k) && lines.has(l)
        });
        if k == l || !parallel || !(cells - tables.cells_of_house[k] - tables.cells_of_house[l]).is_empty() {
            return false;
        }
        let others =
            || tables.cells_of_house.iter().enumerate().filter(|&(house, _)| house != k && house != l).map(|(_, c)| c);
        tables.cells_of_house[k].iter().zip(tables.cells_of_house[l].iter()).all(|(p, q)| {
            let both = |unit: &Bits<W>| unit.has(p) == unit.has(q);
            cells.has(p) == cells.has(q) && (!cells.has(p) || others().chain(&tables.extra_peer_pairs).all(both))
        })
    }

    pub(super) fn givens_allow(&self, every: bool, cells: Bits<W>, digits: DigitSet) -> bool {
        let open = |cell: usize| digits.within(self.context.facts.allowed[cell]);
        if every { cells.iter().all(open) } else { cells.iter().any(open) }
    }
}
