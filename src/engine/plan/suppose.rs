//! Suppositions in a plan. In: a supposition's declaration. Out: the instruction that works it out and the one that hands
//! out what it comes to.
//!
//! A name of kind candidate is chosen before, like any other; a literal is chosen here, and so is what the cases agree
//! on. A literal lives in two sets of candidates, of which one is empty.

use super::build::{NoPlan, Operand, Slot};
use super::compile::Compiler;
use super::constraints::suppose_names;
use super::instr::{Instr, Reg, Set};
use super::operators::{Choice, Next};
use super::spec::{CaseRegs, MeansSpec, SupposeSpec};
use crate::lang::ir::{CaseResult, Cases, Expr, InferenceMethods, Literal, Suppose, VarId};

impl Compiler<'_> {
    /// Writes a supposition.
    pub fn suppose(&mut self, suppose: &Suppose) -> Result<(), NoPlan> {
        let by = self.means(&suppose.methods)?;
        let cases = match &suppose.cases {
            Cases::Candidate(name) => CaseRegs::True(self.candidate(*name)?),
            Cases::Not(name) => CaseRegs::False(self.candidate(*name)?),
            Cases::Either(name) => CaseRegs::Either(self.candidate(*name)?),
            Cases::Literal(literal) => {
                let known = self.is_bound(literal.holds);
                let (holds, fails) = if known { self.known(*literal)? } else { self.literal(*literal) };
                CaseRegs::Literal { holds, fails, known }
            }
            Cases::Each(of) => CaseRegs::Each(self.builder.candidates(of)?),
        };
        let agree = suppose.shows.literal().map(|literal| self.literal(literal));
        let all_stand = matches!(suppose.shows, CaseResult::AllImplyWithoutContradiction(_));
        let number = self.builder.program.supposes.len();
        self.builder.program.supposes.push(SupposeSpec { cases, by, agree, all_stand });
        self.builder.emit(Instr::Start(Choice::Suppose { suppose: number }));
        let next = self.builder.label();
        self.builder.set_label(next);
        let fail = self.builder.fail;
        self.builder.emit(Instr::Next { of: Next::Suppose { suppose: number }, fail });
        self.builder.fail = next;
        let (_, gives) = suppose_names(suppose);
        gives.iter().for_each(|name| self.bound |= 1 << name.0);
        self.builder.note("supposition: what follows from each case is worked out once for a state".into());
        self.settle(gives.first().copied())
    }

    fn means(&mut self, means: &InferenceMethods) -> Result<MeansSpec, NoPlan> {
        let mut digits = |on: &Option<Expr>| on.as_ref().map(|on| self.builder.digits(on)).transpose();
        Ok(match means {
            InferenceMethods::Links { digits: on, strong, weak, most } => {
                let on = digits(on)?;
                let strong = strong.iter().map(|name| self.source(name)).collect::<Result<_, _>>()?;
                MeansSpec::Links { on, strong, weak: *weak, most: *most }
            }
            InferenceMethods::Singles { digits: on } => MeansSpec::Singles { on: digits(on)? },
            InferenceMethods::Rules(named) => MeansSpec::Rules { named: named.clone(), members: Vec::new() },
        })
    }

    fn candidate(&mut self, name: VarId) -> Result<Reg, NoPlan> {
        let operand = self.builder.expr(&Expr::Var(name))?;
        match self.builder.set_of(operand)? {
            Set::P(reg) => Ok(reg),
            _ => Err(NoPlan::SupposedKind(self.builder.variant.var(name).name.clone())),
        }
    }

    /// Registers for a literal that gets its value here.
    fn literal(&mut self, literal: Literal) -> (Reg, Reg) {
        let mut reg = |name: VarId| {
            let reg = self.builder.candidate_reg();
            self.builder.slots[name.0] = Some(Slot::Many(Operand::Set(Set::P(reg))));
            reg
        };
        (reg(literal.holds), reg(literal.fails))
    }

    fn known(&mut self, literal: Literal) -> Result<(Reg, Reg), NoPlan> {
        Ok((self.candidate(literal.holds)?, self.candidate(literal.fails)?))
    }
}
