//! Suppositions in a plan. In: a supposition's declaration. Out: the instruction that works it out and the one that hands
//! out what it comes to.
//!
//! A name of kind candidate is chosen before, like any other; a literal is chosen here, and so is what the cases agree
//! on. A literal lives in two sets of candidates, of which one is empty.

use super::build::{Operand, Refusal, Slot};
use super::compile::Compiler;
use super::instr::{Candidates, Instr, Reg, Set};
use super::order::names_of;
use crate::lang::ir::{Cases, Expr, Literal, Means, RuleRef, Shows, Suppose, VarId, Weak};
use serde::Serialize;

/// What is supposed: candidates (p).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum CaseRegs {
    /// The candidate is true.
    True(Reg),
    /// The candidate is false.
    False(Reg),
    /// A case for either.
    Either(Reg),
    /// A literal: the candidate if it is true, and if it is false; each in turn, unless one is known before.
    Literal {
        /// True.
        holds: Reg,
        /// False.
        fails: Reg,
        /// Whether it has its value before.
        known: bool,
    },
    /// A case for each of these.
    Each(Candidates),
}

/// What may be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum MeansSpec {
    /// Links.
    Links {
        /// Digits (d).
        on: Option<Reg>,
        /// Link sources, by their place in the engine's list.
        strong: Vec<usize>,
        /// Weak links.
        weak: Weak,
        /// Strong links at most.
        most: Option<u32>,
    },
    /// Last candidates and last places.
    Singles {
        /// Digits (d).
        on: Option<Reg>,
    },
    /// These too.
    Rules {
        /// As the rule names them.
        named: Vec<RuleRef>,
        /// Members of the engine, in order.
        members: Vec<usize>,
    },
}

impl MeansSpec {
    /// The link sources that it needs.
    pub fn sources(&self) -> impl Iterator<Item = usize> + '_ {
        let sources = match self {
            MeansSpec::Links { strong, .. } => strong.as_slice(),
            _ => &[],
        };
        sources.iter().copied()
    }
}

/// A supposition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SupposeSpec {
    /// What is supposed.
    pub cases: CaseRegs,
    /// By what means.
    pub by: MeansSpec,
    /// Where the literal goes that the cases agree on (both p); `None` where they must be contradictions.
    pub agree: Option<(Reg, Reg)>,
}

/// The names that must have a value before, and those that get one.
pub(super) fn names(suppose: &Suppose) -> (Vec<VarId>, Vec<VarId>) {
    let (mut needs, mut gives) = (Vec::new(), Vec::new());
    match &suppose.cases {
        Cases::Candidate(name) | Cases::Not(name) | Cases::Either(name) => needs.push(*name),
        Cases::Literal(Literal { holds, fails }) => gives.extend([*holds, *fails]),
        Cases::Each(of) => needs.extend(names_of(of)),
    }
    if let Means::Links { on: Some(on), .. } | Means::Singles { on: Some(on) } = &suppose.by {
        needs.extend(names_of(on));
    }
    if let Shows::Agree(Literal { holds, fails }) = suppose.shows {
        gives.extend([holds, fails]);
    }
    (needs, gives)
}

impl Compiler<'_> {
    /// Writes a supposition.
    pub fn suppose(&mut self, suppose: &Suppose) -> Result<(), Refusal> {
        let by = self.means(&suppose.by)?;
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
        let agree = match suppose.shows {
            Shows::Contradiction => None,
            Shows::Agree(literal) => Some(self.literal(literal)),
        };
        let number = self.builder.program.supposes.len();
        self.builder.program.supposes.push(SupposeSpec { cases, by, agree });
        self.builder.emit(Instr::Suppose { suppose: number });
        let next = self.builder.label();
        self.builder.set_label(next);
        let fail = self.builder.fail;
        self.builder.emit(Instr::NextSuppose { suppose: number, fail });
        self.builder.fail = next;
        let (_, gives) = names(suppose);
        gives.iter().for_each(|name| self.bound |= 1 << name.0);
        self.builder.note("supposition: what follows from each case is worked out once for a state".into());
        self.settle(gives.first().copied())
    }

    fn means(&mut self, means: &Means) -> Result<MeansSpec, Refusal> {
        let mut digits = |on: &Option<Expr>| on.as_ref().map(|on| self.builder.digits(on)).transpose();
        Ok(match means {
            Means::Links { on, strong, weak, most } => {
                let on = digits(on)?;
                let strong = strong.iter().map(|name| self.source(name)).collect::<Result<_, _>>()?;
                MeansSpec::Links { on, strong, weak: *weak, most: *most }
            }
            Means::Singles { on } => MeansSpec::Singles { on: digits(on)? },
            Means::Rules(named) => MeansSpec::Rules { named: named.clone(), members: Vec::new() },
        })
    }

    fn candidate(&mut self, name: VarId) -> Result<Reg, Refusal> {
        let operand = self.builder.expr(&Expr::Var(name))?;
        match self.builder.set_of(operand)? {
            Set::P(reg) => Ok(reg),
            _ => Err(format!("`{}` is supposed, so it must be a candidate", self.builder.variant.var(name).name)),
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

    fn known(&mut self, literal: Literal) -> Result<(Reg, Reg), Refusal> {
        Ok((self.candidate(literal.holds)?, self.candidate(literal.fails)?))
    }
}
