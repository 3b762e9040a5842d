//! The prover. In: a technique, its arguments, link sources and a board. Out: a [`Verdict`].
//!
//! A rule is first encoded without a board, from the facts of the rule alone; a proof in this encoding holds on every
//! board. If there is no such proof, the rule is encoded on the board, where a model is a counterexample. A proved rule
//! that can never conclude anything on the board is vacuous.

use super::encode::{Encoder, TargetEffects};
use super::premises::Memo;
use super::question::{ChainEncoding, Query, WorldKind, lemma_statements};
use super::solver::{Cancellation, Listener, SatAnswer, Transcript};
use super::verdict::{Attempt, Lemma, Premise, Refusal, Status, Verdict};
use crate::grid::Geometry;
use crate::lang::ir::{Join, LinkSource, Technique, Variant};
use std::rc::Rc;

/// The work that a proof may take: conflicts of the solver for each question, and the size of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofLimits {
    /// Maximum number of conflicts for each question without a board.
    pub anywhere: u64,
    /// Maximum number of conflicts for each question on the board.
    pub board: u64,
    /// Maximum number of conflicts for each step towards a smaller counterexample.
    pub shrink: u64,
    /// Maximum number of literals in the clauses of one question. The default is ten times the size of the largest
    /// question of the built-in rules. A rule about all sets of several cells can exceed every practical limit.
    pub literals: u64,
}

impl Default for ProofLimits {
    fn default() -> Self {
        ProofLimits { anywhere: 200_000, board: 400_000, shrink: 1_000, literals: 6_000_000 }
    }
}

impl ProofLimits {
    /// Returns the default limits for a board. On boards larger than 9×9, the size of a question grows in proportion to
    /// the candidates.
    fn for_board(geometry: &Geometry) -> ProofLimits {
        const CANDIDATES_OF_9X9: u64 = 729;
        const MAX_LITERALS: u64 = 20_000_000;
        let limits = ProofLimits::default();
        let candidates = ((geometry.cell_count() * geometry.size()) as u64).max(CANDIDATES_OF_9X9);
        let literals = (limits.literals * candidates / CANDIDATES_OF_9X9).min(MAX_LITERALS);
        ProofLimits { literals, ..limits }
    }
}

/// Proves techniques for one board.
#[derive(Clone)]
pub struct Prover<'a> {
    pub(super) geometry: &'a Geometry,
    pub(super) sources: &'a [LinkSource],
    pub(super) limits: ProofLimits,
    /// The techniques to which joins and assumptions may refer.
    pub(super) rules: &'a [Technique],
    /// Verdicts of link sources and techniques used so far.
    pub(super) memo: Memo,
    pub(super) cancellation: Cancellation,
    pub(super) transcript: Transcript,
}

/// A variant of a rule, with a value for each parameter.
#[derive(Clone, Copy)]
pub(super) struct RuleVariant<'v> {
    pub variant: &'v Variant,
    pub args: &'v [u32],
    /// True if the proof may use that the puzzle has one solution.
    pub assumes_one_solution: bool,
}

impl<'v> RuleVariant<'v> {
    pub fn new(technique: &Technique, variant: &'v Variant, args: &'v [u32]) -> RuleVariant<'v> {
        RuleVariant { variant, args, assumes_one_solution: technique.assumes_one_solution }
    }
}

impl<'a> Prover<'a> {
    /// Makes a prover for a board. Chains may use the link sources `sources`.
    pub fn new(geometry: &'a Geometry, sources: &'a [LinkSource]) -> Prover<'a> {
        Prover {
            geometry,
            sources,
            limits: ProofLimits::for_board(geometry),
            rules: &[],
            memo: Memo::default(),
            cancellation: Cancellation::default(),
            transcript: Transcript::default(),
        }
    }

    /// Sets the techniques to which joins and assumptions may refer.
    pub fn with_rules(self, rules: &'a [Technique]) -> Prover<'a> {
        Prover { rules, ..self }
    }

    /// Replaces the default limits.
    pub fn with_limits(self, limits: ProofLimits) -> Prover<'a> {
        Prover { limits, ..self }
    }

    /// Cancels an attempt once `is_cancelled` returns true; the verdict of a cancelled attempt is undecided. The
    /// function must keep returning true until the attempt has ended. Without cancellation, equal questions always get
    /// equal answers.
    pub fn with_cancellation(self, is_cancelled: Rc<dyn Fn() -> bool>) -> Prover<'a> {
        Prover { cancellation: Cancellation(Some(is_cancelled)), ..self }
    }

    /// Passes all clauses, learnt clauses and refutations of the solvers to a listener, each with the number of the
    /// solver. With these lines, the listener can check every answer of a solver.
    pub fn with_listener(self, listener: Listener) -> Prover<'a> {
        Prover { transcript: Transcript::for_listener(listener), ..self }
    }

    /// Lists the members of a technique that fit the board, as pairs of the arguments and the index of the variant.
    pub fn members(&self, technique: &Technique) -> Vec<(Vec<u32>, usize)> {
        technique.member_variants(self.geometry.size() as u32)
    }

    /// Proves or refutes one member.
    pub fn prove(&self, technique: &Technique, args: &[u32], variant: usize) -> Verdict {
        let mut attempt = Attempt::default();
        let mut status = self.memo.while_proving(&technique.id, || self.decide(technique, args, variant, &mut attempt));
        let is_open = matches!(status, Status::Undecided(_) | Status::Conditional { sound: false, .. });
        if is_open && self.cancellation.is_requested() {
            status = Status::Undecided(Refusal::Cancelled.to_string());
        }
        Verdict {
            technique: technique.id.clone(),
            args: args.to_vec(),
            variant,
            board: self.geometry.spec().name.clone(),
            status,
            effort: attempt.effort,
            rests_on: attempt.rests_on(),
        }
    }

    fn decide(&self, technique: &Technique, args: &[u32], variant: usize, attempt: &mut Attempt) -> Status {
        let Some(variant) = technique.variants.get(variant) else {
            return Status::Undecided(format!("there is no case {variant}"));
        };
        match &variant.join {
            Some(join) => self.prove_join(join, args, attempt),
            None => self.prove_with_views(technique, RuleVariant::new(technique, variant, args), attempt),
        }
    }

    /// Proves a rule that joins steps of a technique. A joined step has the conclusions of two steps of the technique,
    /// so the rule is sound if every variant of the technique is sound.
    fn prove_join(&self, join: &Join, args: &[u32], attempt: &mut Attempt) -> Status {
        let id = &join.technique;
        let Some(technique) = self.rules.iter().find(|rule| rule.id == *id) else {
            return Status::Undecided(format!("it joins steps of `{id}`, which is not among the rules"));
        };
        let joined_args = join.args.iter().map(|arg| arg.constant(args).and_then(|value| u32::try_from(value).ok()));
        let Some(joined_args) = joined_args.collect::<Option<Vec<u32>>>() else {
            return Status::Undecided(format!("an argument of the joined technique `{id}` is not a number"));
        };
        // The status of a variant that concludes nothing; it counts only if no variant concludes anything.
        let mut vacuous = None;
        let mut concludes = false;
        let (mut every_board, mut exchange) = (true, None);
        let (mut is_conditional, mut premises_hold) = (false, true);
        if technique.variants.iter().any(|variant| variant.join.is_some()) {
            return Status::Undecided(format!("it joins steps of `{id}`, which joins steps itself"));
        }
        for variant in &technique.variants {
            let rule = RuleVariant::new(technique, variant, &joined_args);
            let status = self.prove_with_views(technique, rule, attempt);
            let is_vacuous = matches!(status, Status::Vacuous(_));
            let holds = is_vacuous || status.is_proved();
            attempt.premises.insert(Premise::new(format!("technique {id}"), status.summary(self.geometry), holds));
            concludes |= !is_vacuous;
            match status {
                Status::Proved { every_board: of_variant, exchange: exchange_of_variant } => {
                    every_board &= of_variant;
                    exchange = exchange.or(exchange_of_variant);
                }
                Status::Conditional { every_board: of_variant, sound } => {
                    every_board &= of_variant;
                    (is_conditional, premises_hold) = (true, premises_hold && sound);
                }
                // On other boards, the variant may conclude something.
                Status::Vacuous(_) => (every_board, vacuous) = (false, Some(status)),
                Status::Refuted(_) | Status::Undecided(_) => return status,
            }
        }
        match vacuous {
            Some(vacuous) if !concludes => vacuous,
            _ if is_conditional => Status::Conditional { every_board, sound: premises_hold },
            _ => Status::Proved { every_board, exchange },
        }
    }

    /// Proves a rule. Boxes mean nothing in a view, so a rule with views must also hold on the board without boxes.
    fn prove_with_views(&self, technique: &Technique, rule: RuleVariant<'_>, attempt: &mut Attempt) -> Status {
        let status = self.prove_rule(rule, attempt);
        let is_proved_here_only = matches!(
            status,
            Status::Proved { every_board: false, .. } | Status::Conditional { every_board: false, .. }
        );
        if technique.views.is_empty() || !is_proved_here_only {
            return status;
        }
        let latin = Geometry::latin(self.geometry.size());
        let without_boxes = Prover { memo: Memo::default(), geometry: &latin, ..self.clone() };
        match without_boxes.prove_rule(rule, attempt) {
            Status::Proved { .. } | Status::Conditional { .. } => status,
            // On a board without boxes the rule is wrong, undecided, or finds nothing.
            not_proved => not_proved,
        }
    }

    pub(super) fn prove_rule(&self, rule: RuleVariant<'_>, attempt: &mut Attempt) -> Status {
        let sources_on_every_board = match self.prove_sources(rule, attempt) {
            Ok(on_every_board) => on_every_board,
            Err(status) => return status,
        };
        let own = self.prove_conclusions(rule, attempt);
        if own.is_proved()
            && let Ok(Some(reason)) = self.lack_of_links(rule, attempt)
        {
            return Status::Vacuous(reason);
        }
        // A rule without assumptions has no methods of inference.
        match (self.prove_inference_methods(rule, attempt), own) {
            (Some(methods_on_every_board), Status::Proved { every_board, .. }) => Status::Conditional {
                every_board: methods_on_every_board && sources_on_every_board && every_board,
                sound: attempt.premises_hold(),
            },
            (None, Status::Proved { every_board, exchange }) => {
                Status::Proved { every_board: every_board && sources_on_every_board, exchange }
            }
            (_, unproved) => unproved,
        }
    }

    /// Proves the conclusions of a rule, provided that its link sources hold and everything used under assumptions is
    /// sound.
    fn prove_conclusions(&self, rule: RuleVariant<'_>, attempt: &mut Attempt) -> Status {
        if let Some(proved) = self.prove_anywhere(rule, attempt) {
            return match self.vacuity(rule, attempt) {
                Ok(Some(reason)) => Status::Vacuous(reason),
                _ => proved,
            };
        }
        self.prove_on_board(rule, attempt).unwrap_or_else(|refusal| {
            Status::Undecided(match refusal {
                Refusal::TooLarge { .. } => refusal.to_string(),
                _ => format!("construct: {refusal}"),
            })
        })
    }

    /// Tries to prove that the facts of the rule imply its conclusions on every board. `None` if this is not proved.
    pub(super) fn prove_anywhere(&self, rule: RuleVariant<'_>, attempt: &mut Attempt) -> Option<Status> {
        let mut encoder = self.encode_pattern(WorldKind::Anywhere, rule, ChainEncoding::ByLemma).ok()?;
        self.add_counting_lemma(&mut encoder).ok()?;
        let wrong = encoder.violated(&rule.variant.conclusions).ok()?;
        // A contradictory pattern implies every conclusion. The check for vacuity reports such a rule.
        let is_proved = encoder.solve(&[wrong], self.limits.anywhere) == SatAnswer::No
            && encoder.solve(&[], self.limits.anywhere) != SatAnswer::No;
        attempt.effort.add_solver(&encoder.circuit.solver);
        if !is_proved {
            return None;
        }
        attempt.lemmas.extend(&encoder.lemmas);
        Some(Status::Proved { every_board: true, exchange: describe_second_grids(&encoder) })
    }

    /// Examines each equation between counts. If no digit can occur more often than the equation counts it, the counting
    /// lemma holds, and its consequences are added.
    fn add_counting_lemma(&self, encoder: &mut Encoder<'_>) -> Result<(), Refusal> {
        for equation in encoder.count_equations()? {
            let mut more_often = equation.more_often.iter();
            if more_often.all(|&lit| encoder.solve(&[lit], self.limits.anywhere) == SatAnswer::No) {
                equation.add_consequences(&mut encoder.circuit);
                encoder.lemmas.insert(Lemma::Numbers);
            }
        }
        Ok(())
    }

    fn prove_on_board(&self, rule: RuleVariant<'_>, attempt: &mut Attempt) -> Result<Status, Refusal> {
        let mut query = self.query(WorldKind::Board(self.geometry), rule, ChainEncoding::ByLemma)?;
        let answer = query.encoder.solve(&[query.wrong_conclusion], self.limits.board);
        attempt.lemmas.extend(&query.encoder.lemmas);
        let status = match answer {
            SatAnswer::No => match self.vacuity_of(&mut query) {
                Some(reason) => Status::Vacuous(reason),
                None => Status::Proved { every_board: false, exchange: describe_second_grids(&query.encoder) },
            },
            SatAnswer::Limit => Status::Undecided(format!("the limit of {} conflicts was reached", self.limits.board)),
            SatAnswer::Yes(model) => {
                // The order matters: where the encoding is inexact, the model may be no counterexample. A uniqueness
                // rule is exempt, because `refute_unique` checks its examples on grids.
                if let Some(construct) = query.encoder.inexact
                    && !rule.assumes_one_solution
                {
                    Status::Undecided(format!("construct: {construct}"))
                } else if lemma_statements(rule.variant).next().is_some() {
                    attempt.effort.add_solver(&query.encoder.circuit.solver);
                    return self.refute_by_lemma(rule, &mut query, attempt);
                } else if rule.assumes_one_solution {
                    self.refute_unique(&mut query)
                } else {
                    Status::Refuted(Box::new(self.shrunk_example(&mut query, model)))
                }
            }
        };
        attempt.effort.add_solver(&query.encoder.circuit.solver);
        Ok(status)
    }

    /// Returns the reason why a sound rule never concludes anything, or `None` if no reason is found. The encoding
    /// keeps only the ends of a chain, so it allows more matches than the rule has. Every reason found is therefore
    /// valid.
    fn vacuity(&self, rule: RuleVariant<'_>, attempt: &mut Attempt) -> Result<Option<String>, Refusal> {
        let mut query = self.query(WorldKind::Board(self.geometry), rule, ChainEncoding::ByLemma)?;
        let reason = self.vacuity_of(&mut query);
        attempt.effort.add_solver(&query.encoder.circuit.solver);
        Ok(reason)
    }

    fn vacuity_of(&self, query: &mut Query<'_>) -> Option<String> {
        let TargetEffects { eliminated, placed } = query.concluded;
        let has_effect = query.encoder.circuit.or2(eliminated, placed);
        if query.encoder.solve(&[has_effect], self.limits.board) != SatAnswer::No {
            return None;
        }
        let board = &self.geometry.spec().name;
        Some(match query.encoder.solve(&[], self.limits.board) {
            SatAnswer::No => format!("its pattern cannot occur on {board}"),
            _ => format!("its conclusion never removes or places anything on {board}"),
        })
    }
}

/// Describes the second grids of a proof that assumes one solution; `None` if the proof uses no second grid.
fn describe_second_grids(encoder: &Encoder<'_>) -> Option<String> {
    (!encoder.second_grids.is_empty()).then(|| encoder.second_grids.join(", or "))
}
