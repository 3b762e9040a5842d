//! Patterns without links. In: a rule that is not wrong. Out: why its clusters or rings can have no link on the board, if so:
//! such a rule says nothing, and what is known of colours and circles by a lemma does not show it.

use super::circuit::Circuit;
use super::encode::Refusal;
use super::prover::{Prover, Rule, Work};
use super::question::{Place, begin, by_lemma, sources_of, strong_of};
use super::solver::Answer;
use crate::lang::ir::Statement;

impl Prover<'_> {
    /// Why a cluster or ring of the rule cannot be, whatever else the rule says.
    pub(super) fn linkless(&self, rule: Rule<'_>, work: &mut Work) -> Result<Option<String>, Refusal> {
        for statement in by_lemma(rule.variant) {
            let (what, on) = match statement {
                Statement::Cluster(cluster) => ("cluster", cluster.on.as_ref()),
                Statement::Ring(ring) => ("ring", ring.on.as_ref()),
                _ => continue,
            };
            let circuit = Circuit::until(self.halt.clone(), self.transcripts.begin(), self.limits.literals);
            let mut encoder = begin(Place::Board(self.geometry), rule, circuit)?;
            let sources = sources_of(strong_of(statement), self.sources)?;
            let link = encoder.conjugate_link(&sources, on)?;
            let answer = encoder.solve(&[link], self.limits.board);
            work.effort.add(encoder.circuit.solver());
            if answer == Answer::No {
                let (names, board) = (strong_of(statement).join(", "), &self.geometry.spec().name);
                return Ok(Some(format!(
                    "its {what} has no links on {board}: no strong link of {names} is weak at once"
                )));
            }
        }
        Ok(None)
    }
}
