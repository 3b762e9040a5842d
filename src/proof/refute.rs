//! Rules that rest on lemmas and do not follow from them. In: a rule whose question has a model. Out: an example
//! laid out link by link in which the rule is wrong, or why there is no answer.

use super::counterexample::{Counterexample, Named};
use super::encode::{Bound, Refusal};
use super::prover::{Posed, Prover, Rule, Work};
use super::question::{Chains, by_lemma};
use super::solver::{Answer, Lit};
use super::verdict::Status;
use crate::lang::ir::{LengthUnit, Shows, Statement, Variant};

/// So many examples are looked at whose clusters are parts of larger ones.
const TRIES: usize = 12;

impl Prover<'_> {
    /// Refutes what can be laid out link by link; of the rest says what does not follow from what.
    pub(super) fn refute_by_lemma(
        &self,
        rule: Rule<'_>,
        posed: &mut Posed<'_>,
        work: &mut Work,
    ) -> Result<Status, Refusal> {
        let laid_out = |one: &Statement| matches!(one, Statement::Chain(_) | Statement::Cluster(_));
        if !rule.unique && by_lemma(rule.variant).all(laid_out) {
            return self.refute_links(rule, work);
        }
        self.what_is_open(rule, posed).map(Status::Undecided)
    }

    /// Looks for chains and clusters, link by link, on which a conclusion is wrong.
    pub(super) fn refute_links(&self, rule: Rule<'_>, work: &mut Work) -> Result<Status, Refusal> {
        let laid_out = |one: &Statement| matches!(one, Statement::Chain(_) | Statement::Cluster(_));
        if rule.unique || !by_lemma(rule.variant).all(laid_out) {
            return Err("links of a pattern that is not laid out link by link".into());
        }
        for strong in lengths(rule.variant) {
            let mut posed = self.pose_board(rule, Chains::Links(strong))?;
            let found = self.whole_example(&mut posed);
            work.effort.add(posed.encoder.circuit.solver());
            if let Some(example) = found {
                return Ok(Status::Refuted(Box::new(example)));
            }
        }
        let what = match by_lemma(rule.variant).any(|one| matches!(one, Statement::Cluster(_))) {
            true => "the colours of the cluster, but no small cluster",
            false => "the ends of the chain, but no short chain",
        };
        Ok(Status::Undecided(format!("it does not follow from {what} refutes it")))
    }

    /// A counterexample whose clusters are whole.
    fn whole_example(&self, posed: &mut Posed<'_>) -> Option<Counterexample> {
        for _ in 0..TRIES {
            let Answer::Yes(model) = posed.encoder.circuit.solve(&[posed.wrong], self.limits.board) else {
                return None;
            };
            let example = self.example(posed, model);
            if self.is_whole(posed, &example) {
                return Some(example);
            }
        }
        None
    }

    /// Whether no candidate beyond the clusters belongs to one. If one does, the next example has not both it and the
    /// member that it is linked with.
    fn is_whole(&self, posed: &mut Posed<'_>, example: &Counterexample) -> bool {
        let fixed = fixed(posed, example);
        for grown in posed.encoder.grown.clone() {
            let mut assumed = fixed.clone();
            assumed.push(grown.is);
            match posed.encoder.circuit.solve(&assumed, self.limits.board) {
                Answer::No => {}
                Answer::Limit => return false,
                Answer::Yes(model) => {
                    let digits = posed.encoder.digits();
                    let holding = |bits: &[Lit]| bits.iter().position(|&bit| model.holds(bit)).unwrap_or(0);
                    let (inner, outer) = (holding(&grown.inner), holding(&grown.outer));
                    let candidate = posed.encoder.world.cells[outer / digits].candidate[outer % digits];
                    let (inner, outer) = (grown.members[inner], grown.members[outer]);
                    posed.encoder.circuit.clause(&[!inner, !candidate, outer]);
                    return false;
                }
            }
        }
        true
    }

    /// What the conclusions would have to follow from, and do not.
    fn what_is_open(&self, rule: Rule<'_>, posed: &mut Posed<'_>) -> Result<String, Refusal> {
        let mut known = Vec::new();
        for statement in by_lemma(rule.variant) {
            known.push(match statement {
                Statement::Suppose(suppose) => {
                    let cases = posed.encoder.cases(&suppose.cases)?;
                    let none: Vec<Lit> = cases.iter().map(|&case| !case).collect();
                    let left_out = posed.encoder.circuit.and(none);
                    let asked = [posed.wrong, left_out];
                    match suppose.shows {
                        Shows::Contradiction => "what is supposed is not so".to_string(),
                        Shows::Agree(_) if posed.encoder.circuit.solve(&asked, self.limits.board) == Answer::No => {
                            "what all cases agree on holds".to_string()
                        }
                        Shows::Agree(_) => "what all cases agree on holds (but none of them need be so)".to_string(),
                    }
                }
                Statement::Loop(_) => "of each link of a loop just one end is true".to_string(),
                Statement::Ring(_) => "a ring has a true guardian".to_string(),
                Statement::Cluster(_) => "one of two colours is true".to_string(),
                _ => "one end of a chain is true".to_string(),
            });
        }
        Ok(format!("what it concludes does not follow from this: {}", known.join("; ")))
    }
}

/// The state of an example and its sets of candidates, as assumptions.
fn fixed(posed: &Posed<'_>, example: &Counterexample) -> Vec<Lit> {
    let mut out = Vec::new();
    let signed = |lit: Lit, holds: bool| if holds { lit } else { !lit };
    for (at, lits) in posed.encoder.world.cells.iter().enumerate() {
        let cell = crate::grid::Cell(at as u16);
        let candidates = example.state.candidates(cell);
        out.push(signed(lits.unsolved, example.state.value(cell).is_none()));
        for (digit, &lit) in lits.candidate.iter().enumerate() {
            out.push(signed(lit, candidates.has(crate::grid::Digit(digit as u8))));
        }
    }
    let digits = posed.encoder.digits();
    for (var, bound) in posed.encoder.scope.variant.vars.iter().zip(&posed.encoder.scope.bound) {
        let named = example.names.iter().find(|(name, _)| *name == var.name);
        if let (Some(Bound::Candidates(set)), Some((_, Named::Candidates(all)))) = (bound, named) {
            let members: Vec<usize> = all.iter().map(|one| one.cell.index() * digits + one.digit.index()).collect();
            out.extend(set.bits.iter().enumerate().map(|(at, &bit)| signed(bit, members.contains(&at))));
        }
    }
    out
}

/// Numbers of strong links for which chains and clusters are tried link by link.
fn lengths(variant: &Variant) -> std::ops::RangeInclusive<usize> {
    let most = by_lemma(variant).map(|one| match one {
        Statement::Chain(chain) => match chain.length.unit {
            LengthUnit::StrongLinks | LengthUnit::Cells => chain.length.low as usize,
            LengthUnit::Links => chain.length.low as usize / 2 + 1,
        },
        _ => 2,
    });
    1..=most.max().unwrap_or(1).min(4) + 1
}
