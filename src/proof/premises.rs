//! Premises of a rule. In: the link sources that the rule names, and the techniques that the rule uses under
//! assumptions. Out: proofs of these sources and techniques. A prover makes each proof once and reuses the proof for
//! all rules.
//!
//! A proof returns `Option<bool>`: `Some(true)` for a proof on every board, `Some(false)` for a proof on the prover's
//! board only, and `None` if nothing is proved. The exception is [`Prover::prove_inference_methods`].

use super::encode::{MOST_DIGITS, node_expr};
use super::prover::{Prover, RuleVariant};
use super::question::{ChainEncoding, WorldKind, lemma_statements};
use super::solver::SatAnswer;
use super::verdict::{Attempt, Effort, Lemma, Premise, Refusal, Status, proved_words};
use crate::lang::ir::{
    Claim, Conclusion, Condition, Expr, InferenceMethods, LinkShape, LinkSource, RuleRef, Statement, Technique,
    Variant, member_label,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Proofs of link sources and of techniques used under assumptions. Copies of a prover share one memo.
#[derive(Clone, Default)]
pub(super) struct Memo(Rc<RefCell<Premises>>);

#[derive(Default)]
struct Premises {
    sources: BTreeMap<String, SourceProof>,
    members: BTreeMap<(String, Vec<u32>), MemberProof>,
    /// Stack of the techniques that are being proved, by id.
    in_progress: Vec<String>,
    /// True if the current proof assumes that a technique of `in_progress` is sound.
    assumes_soundness: bool,
}

#[derive(Clone, Copy, Debug)]
struct SourceProof {
    /// Proof of "the two ends are never both false unless a guardian is true".
    ends: Option<bool>,
    /// Proof of "the conclusions hold if exactly one end is true".
    conclusions: Option<bool>,
}

/// The proof of a technique with parameter values, all variants together.
#[derive(Clone, Debug)]
struct MemberProof {
    /// The entry for the list of premises of a verdict.
    premise: Premise,
    /// True if every variant is proved on every board.
    every_board: bool,
}

impl Memo {
    /// Runs a proof of a technique, and lists the technique in `in_progress` while the proof runs.
    pub fn while_proving<T>(&self, technique: &str, prove: impl FnOnce() -> T) -> T {
        self.0.borrow_mut().in_progress.push(technique.to_string());
        let result = prove();
        let mut premises = self.0.borrow_mut();
        premises.in_progress.pop();
        if premises.in_progress.is_empty() {
            premises.assumes_soundness = false;
        }
        result
    }
}

const ONLY_FOR_RINGS: &str = "holds only if its guardians are false, so only rings may use it";

impl Prover<'_> {
    /// Proves the sources of all strong links of a pattern, and returns true if all sources hold on every board.
    /// Sources that the rule uses only under assumptions are not included.
    ///
    /// # Errors
    /// The status of the rule if some source is not proved.
    pub(super) fn prove_sources(&self, rule: RuleVariant<'_>, attempt: &mut Attempt) -> Result<bool, Status> {
        let mut every_board = true;
        for statement in lemma_statements(rule.variant) {
            if statement.supposition().is_some() {
                continue;
            }
            let shape = statement.graph().map(|graph| &graph.shape);
            let sources = self.sources_of(statement.strong_sources());
            for source in sources.map_err(|refusal| Status::Undecided(refusal.to_string()))? {
                let name = format!("`strong link {}`", source.id);
                if is_guarded(source) && !matches!(shape, Some(LinkShape::Ring(_))) {
                    return Err(Status::Undecided(format!("{name} {ONLY_FOR_RINGS}")));
                }
                let SourceProof { ends, conclusions } = self.source_proof(source, &mut attempt.effort);
                attempt.premises.insert(self.source_premise(source, ends));
                let Some(ends) = ends else {
                    return Err(match self.refute_links(rule, attempt) {
                        Ok(Status::Refuted(example)) => Status::Refuted(example),
                        _ => Status::Undecided(format!("{name} is not proved: both ends may be false")),
                    });
                };
                every_board &= ends;
                if concludes_links_of(rule.variant, shape) && !source.pattern.conclusions.is_empty() {
                    let premise = format!("strong link {} with one true end", source.id);
                    let verdict = proved_words(conclusions, self.geometry);
                    attempt.premises.insert(Premise::new(premise, verdict, conclusions.is_some()));
                    let Some(conclusions) = conclusions else {
                        let reason = "what it concludes may be false if exactly one end is true";
                        return Err(Status::Undecided(format!("{name}: {reason}")));
                    };
                    every_board &= conclusions;
                }
            }
        }
        Ok(every_board)
    }

    fn source_premise(&self, source: &LinkSource, proof: Option<bool>) -> Premise {
        let exception = if is_guarded(source) { " if its guardians are false" } else { "" };
        let verdict = format!("{}{exception}", proved_words(proof, self.geometry));
        Premise::new(format!("strong link {}", source.id), verdict, proof.is_some())
    }

    /// Returns the proof of a link source. The proof is made on the first call and kept in the memo.
    fn source_proof(&self, source: &LinkSource, effort: &mut Effort) -> SourceProof {
        if let Some(proof) = self.memo.0.borrow().sources.get(&source.id) {
            return *proof;
        }
        let mut attempt = Attempt::default();
        let proof = SourceProof {
            ends: self.prove_ends(source, &mut attempt),
            conclusions: self.prove_source_conclusions(source, &mut attempt),
        };
        effort.add(&attempt.effort);
        // Don't keep the result of a cancelled attempt, because it says nothing about the source.
        if !self.cancellation.is_requested() {
            self.memo.0.borrow_mut().sources.insert(source.id.clone(), proof);
        }
        proof
    }

    /// Proves that every link of a source has a true end. This includes links whose ends no other candidate sees, because a
    /// chain may consist of such links.
    fn prove_ends(&self, source: &LinkSource, attempt: &mut Attempt) -> Option<bool> {
        let ends = [source.left, source.right].map(|end| node_expr(end.digit, end.cells));
        let claim = Claim::SomeTrue(Expr::Union(ends.to_vec()));
        let variant = Variant { conclusions: vec![Conclusion { claim, for_each: None }], ..with_both_ends(source) };
        let rule = RuleVariant { variant: &variant, args: &[], assumes_one_solution: false };
        if self.prove_anywhere(rule, attempt).is_some() {
            return Some(true);
        }
        let board = WorldKind::Board(self.geometry);
        if self.source_holds_in(board, rule, None, attempt) == Ok(true) { Some(false) } else { None }
    }

    /// Proves the conclusions of a link source for links of which exactly one end is true.
    fn prove_source_conclusions(&self, source: &LinkSource, attempt: &mut Attempt) -> Option<bool> {
        let variant = with_both_ends(source);
        let rule = RuleVariant { variant: &variant, args: &[], assumes_one_solution: false };
        let mut holds_in = |kind| self.source_holds_in(kind, rule, Some(source), attempt) == Ok(true);
        if holds_in(WorldKind::Anywhere) {
            Some(true)
        } else if holds_in(WorldKind::Board(self.geometry)) {
            Some(false)
        } else {
            None
        }
    }

    /// Returns true if the conclusions of a rule made of a link source hold in a world. With `one_true_end`, only links
    /// with exactly one true end are examined.
    fn source_holds_in(
        &self,
        kind: WorldKind<'_>,
        rule: RuleVariant<'_>,
        one_true_end: Option<&LinkSource>,
        attempt: &mut Attempt,
    ) -> Result<bool, Refusal> {
        let mut encoder = self.encode_pattern(kind, rule, ChainEncoding::ByLemma)?;
        if let Some(source) = one_true_end {
            let (left, right) = (encoder.node_truth(source.left)?, encoder.node_truth(source.right)?);
            let are_equal = encoder.circuit.iff(left, right);
            encoder.circuit.add_clause(&[!are_equal]);
        }
        let wrong = encoder.violated(&rule.variant.conclusions)?;
        // Sources are small, so they get the larger limit in both worlds.
        let answer = encoder.solve(&[wrong], self.limits.board.max(self.limits.anywhere));
        attempt.effort.add_solver(&encoder.circuit.solver);
        Ok(answer == SatAnswer::No)
    }

    /// Records every link source and technique used under the assumptions of a rule, with its verdict. Returns true if
    /// all of these sources and techniques are proved on every board. Returns `None` for a rule without assumptions.
    pub(super) fn prove_inference_methods(&self, rule: RuleVariant<'_>, attempt: &mut Attempt) -> Option<bool> {
        let mut every_board = None;
        for suppose in rule.variant.suppositions() {
            let mut all_proved = every_board.unwrap_or(true);
            if let InferenceMethods::Links { strong, .. } = &suppose.methods {
                strong.iter().for_each(|name| all_proved &= self.prove_used_link(name, attempt));
            } else {
                attempt.lemmas.insert(Lemma::Singles);
            }
            if let InferenceMethods::Rules(rules) = &suppose.methods {
                for used in rules {
                    all_proved &= self.prove_used_technique(used, rule.assumes_one_solution, attempt);
                }
            }
            every_board = Some(all_proved);
        }
        every_board
    }

    /// Records a link source used under assumptions. Returns true if the source is proved on every board.
    fn prove_used_link(&self, name: &str, attempt: &mut Attempt) -> bool {
        let verdict = match self.source_named(name) {
            Some(source) if !is_guarded(source) => {
                let ends = self.source_proof(source, &mut attempt.effort).ends;
                attempt.premises.insert(self.source_premise(source, ends));
                return ends == Some(true);
            }
            Some(_) => ONLY_FOR_RINGS,
            None => "is not declared",
        };
        attempt.premises.insert(Premise::new(format!("strong link {name}"), verdict, false));
        false
    }

    /// Records the members of a technique used under assumptions. Returns true if these members are proved on every
    /// board.
    fn prove_used_technique(&self, used: &RuleRef, assumes_one_solution: bool, attempt: &mut Attempt) -> bool {
        let Some(technique) = self.rules.iter().find(|rule| rule.id == used.technique) else {
            attempt.premises.insert(unusable(used, "is not among the rules"));
            return false;
        };
        if technique.assumes_one_solution && !assumes_one_solution {
            attempt.premises.insert(unusable(used, "assumes one solution, which this rule does not say"));
            return false;
        }
        let members = referenced_members(used, technique, self.geometry.size());
        if members.is_empty() {
            attempt.premises.insert(unusable(used, "has no such member on this board"));
        }
        // A larger board may have more members, and this proof covers only the members of the prover's board.
        let mut every_board = members == referenced_members(used, technique, MOST_DIGITS);
        for args in members {
            let proof = self.member_proof(technique, &args, &mut attempt.effort);
            every_board &= proof.every_board;
            attempt.premises.insert(proof.premise);
        }
        every_board
    }

    /// Proves all variants of a technique. Inside its own proof, the technique counts as sound. This is an induction on
    /// the depth of assumptions: the inner use is one assumption deeper, and the depth is bounded.
    fn member_proof(&self, technique: &Technique, args: &[u32], effort: &mut Effort) -> MemberProof {
        let key = (technique.id.clone(), args.to_vec());
        if let Some(proof) = self.memo.0.borrow().members.get(&key) {
            return proof.clone();
        }
        let premise = premise_name(technique, args);
        if self.memo.0.borrow().in_progress.contains(&technique.id) {
            self.memo.0.borrow_mut().assumes_soundness = true;
            let premise = Premise::new(premise, "inside itself, one supposition deeper", true);
            return MemberProof { premise, every_board: false };
        }
        let mut proof = MemberProof { premise: Premise::new(premise.clone(), "has no case", true), every_board: false };
        for variant in 0..technique.variants.len() {
            let verdict = self.prove(technique, args, variant);
            effort.add(&verdict.effort);
            let is_vacuous = matches!(verdict.status, Status::Vacuous(_));
            let holds = verdict.status.is_proved() || is_vacuous;
            // A variant that is vacuous on this board may have matches on other boards.
            let every_board = verdict.status.every_board().unwrap_or(false)
                || is_vacuous && self.holds_anywhere(technique, args, variant);
            let mut words = verdict.status.summary(self.geometry);
            if every_board && is_vacuous {
                words = format!("proved on every board, {words} on {}", self.geometry.spec().name);
            }
            // The premise of the worst variant stands for the technique. Worst are variants that do not hold, then
            // variants that hold on this board only.
            if variant == 0 || (holds, every_board) < (proof.premise.holds, proof.every_board) {
                proof = MemberProof { premise: Premise::new(premise.clone(), words, holds), every_board };
            }
        }
        let mut premises = self.memo.0.borrow_mut();
        if !premises.assumes_soundness && !self.cancellation.is_requested() {
            premises.members.insert(key, proof.clone());
        }
        proof
    }

    /// Returns true if a rule's own facts prove it on every board.
    fn holds_anywhere(&self, technique: &Technique, args: &[u32], variant: usize) -> bool {
        let rule = RuleVariant::new(technique, &technique.variants[variant], args);
        let mut attempt = Attempt::default();
        self.prove_inference_methods(rule, &mut attempt).is_none()
            && matches!(self.prove_sources(rule, &mut attempt), Ok(true))
            && self.prove_anywhere(rule, &mut attempt).is_some()
    }
}

/// Returns the premise for a reference to a technique that cannot be used.
fn unusable(used: &RuleRef, verdict: &str) -> Premise {
    Premise::new(format!("technique {}", used.technique), verdict, false)
}

/// Returns the name of a member in the list of premises: `technique id(2, 3)`.
fn premise_name(technique: &Technique, args: &[u32]) -> String {
    format!("technique {}", member_label(&technique.id, args))
}

/// Returns true if `shape` is a loop and the rule concludes the links of the loop.
fn concludes_links_of(variant: &Variant, shape: Option<&LinkShape>) -> bool {
    let Some(LinkShape::Loop(link_loop)) = shape else { return false };
    let mut conclusions = variant.conclusions.iter();
    conclusions
        .any(|conclusion| matches!(conclusion.claim, Claim::Links { loop_name, .. } if loop_name == link_loop.name))
}

/// Returns true if the links of a source have guardians: such a link holds only if all guardians are false.
fn is_guarded(source: &LinkSource) -> bool {
    !source.pattern.guardians.is_empty()
}

/// Returns the arguments of the members of a technique that a reference selects on a board with `size` digits.
fn referenced_members(used: &RuleRef, technique: &Technique, size: usize) -> Vec<Vec<u32>> {
    let mut members = technique.members(size as u32);
    members.retain(|args| used.args.as_ref().is_none_or(|wanted| wanted == args));
    members
}

/// Returns the pattern of a link source with the requirement that both ends have candidates.
fn with_both_ends(source: &LinkSource) -> Variant {
    let mut variant = source.pattern.clone();
    for end in [source.left, source.right] {
        variant.body.push(Statement::Require(Condition::NotEmpty(node_expr(end.digit, end.cells))));
    }
    variant
}
