//! What a supposition of a program is. In: registers. Out: [`SupposeSpec`], plain data.

use super::instr::{Candidates, Reg};
use crate::lang::ir::{RuleRef, WeakLinks};
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
        weak: WeakLinks,
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
    /// Whether none of the cases may be a contradiction then.
    pub all_stand: bool,
}
