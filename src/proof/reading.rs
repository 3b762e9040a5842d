//! A rule read on one state. In: a member of a technique and a state. Out: a [`Reading`]: whether the pattern is there, and whether
//! a conclusion contradicts a solution.
//!
//! No solver needs this. It is how the encoder is compared with the plain evaluator: both must say the same of every state.

use super::prover::{Prover, Rule};
use super::question::{Chains, Place};
use super::solver::{Answer, Lit};
use crate::grid::State;
use crate::lang::ir::Technique;

/// What the encoded rule says of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Whether the pattern is there.
    pub matches: bool,
    /// Whether a match eliminates or places what some solution of the state contradicts.
    pub wrong: bool,
}

impl Prover<'_> {
    /// Reads one member on a state of the prover's board that has a solution. `None` where a construct has no exact encoding, or
    /// where the limit on conflicts is reached.
    pub fn reading(&self, technique: &Technique, args: &[u32], variant: usize, state: &State) -> Option<Reading> {
        let variant = technique.variants.get(variant)?;
        let rule = Rule { variant, args, unique: false };
        let place = Place::State(self.geometry);
        let mut posed = self.pose_at(place, rule, Chains::Ends).ok()?;
        if posed.encoder.loose.is_some() {
            return None;
        }
        for (cell, lits) in self.geometry.cells().zip(&posed.encoder.world.cells) {
            let mut facts = vec![(lits.unsolved, state.value(cell).is_none())];
            for digit in 0..self.geometry.size() {
                let digits = [Some(state.candidates(cell)), (!lits.open.is_empty()).then(|| state.open(cell))];
                let known = [Some(lits.candidate[digit]), lits.open.get(digit).copied()];
                let both = known.into_iter().zip(digits).filter_map(|(lit, digits)| Some((lit?, digits?)));
                facts.extend(both.map(|(lit, digits)| (lit, digits.0 >> digit & 1 == 1)));
            }
            facts.extend(state.value(cell).map(|value| (lits.solution[value.index()], true)));
            for (lit, holds) in facts {
                posed.encoder.circuit.clause(&[if holds { lit } else { !lit }]);
            }
        }
        let mut asked = |assumed: &[Lit]| match posed.encoder.solve(assumed, self.limits.board) {
            Answer::Yes(_) => Some(true),
            Answer::No => Some(false),
            Answer::Limit => None,
        };
        Some(Reading { matches: asked(&[])?, wrong: asked(&[posed.wrong])? })
    }
}
