//! The prover. In: a technique, its arguments, link sources and a board. Out: a [`Verdict`].
//!
//! A rule is read first from its cited facts alone; a proof found there holds on every board. Then it is read on the board,
//! where a model is a counterexample. A rule that is not refuted must also be able to conclude something, otherwise it is
//! vacuous.

use super::Counterexample;
use super::counterexample::smallest;
use super::encode::{Concluded, Encoder};
use super::premises::Memo;
use super::question::{Chains, Posed, WorldKind, by_lemma};
use super::solver::{Cancellation, Listener, Model, SatAnswer, Transcript};
use super::verdict::{Attempt, Ground, Lemma, Refusal, Status, Verdict};
use crate::grid::Geometry;
use crate::lang::ir::{Join, LinkSource, Technique, Variant};
use std::rc::Rc;

/// The work that a proof may take: conflicts of the solver for each question, and the size of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofLimits {
    /// Conflicts for the question without a board.
    pub anywhere: u64,
    /// Conflicts for each question on the board.
    pub board: u64,
    /// Conflicts for each step towards a smaller counterexample.
    pub shrink: u64,
    /// Literals in the clauses of one question. The largest question of a rulebook's rule has a tenth of the default; a rule that
    /// asks about all sets of several cells of the board has no end.
    pub literals: u64,
}

impl Default for ProofLimits {
    fn default() -> Self {
        ProofLimits { anywhere: 200_000, board: 400_000, shrink: 1_000, literals: 6_000_000 }
    }
}

impl ProofLimits {
    /// The usual limits for a board: larger ones than 9×9 have larger questions, in proportion to their candidates.
    fn for_board(geometry: &Geometry) -> ProofLimits {
        const USUAL: u64 = 729;
        const LARGEST: u64 = 20_000_000;
        let (limits, candidates) = (ProofLimits::default(), (geometry.cell_count() * geometry.size()) as u64);
        ProofLimits { literals: (limits.literals * candidates.max(USUAL) / USUAL).min(LARGEST), ..limits }
    }
}

/// Proves techniques for one board.
#[derive(Clone)]
pub struct Prover<'a> {
    pub(super) geometry: &'a Geometry,
    pub(super) sources: &'a [LinkSource],
    pub(super) limits: ProofLimits,
    /// Techniques that joins may refer to.
    pub(super) rules: &'a [Technique],
    /// Verdicts of link sources and techniques used so far.
    pub(super) memo: Memo,
    pub(super) cancellation: Cancellation,
    /// Receivers of everything the solvers do.
    pub(super) transcript: Transcript,
}

/// One case of a rule, with its arguments.
#[derive(Clone, Copy)]
pub(super) struct RuleCase<'v> {
    pub variant: &'v Variant,
    pub args: &'v [u32],
    /// True if the puzzle counts as having one solution.
    pub unique: bool,
}

impl<'a> Prover<'a> {
    /// A prover for a board; chains may use these link sources.
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

    /// Adds the techniques that joins may refer to: a joined step holds if its parts do.
    pub fn with_rules(self, rules: &'a [Technique]) -> Prover<'a> {
        Prover { rules, ..self }
    }

    /// Sets the limits.
    pub fn with_limits(self, limits: ProofLimits) -> Prover<'a> {
        Prover { limits, ..self }
    }

    /// Lets `asked` cancel attempts, which are then undecided. Once it returns true it must do so until the attempt has
    /// ended. Without it, equal questions always get equal answers.
    pub fn with_cancellation(self, asked: Rc<dyn Fn() -> bool>) -> Prover<'a> {
        Prover { cancellation: Cancellation(Some(asked)), ..self }
    }

    /// Reports all clauses, learnt clauses and refutations of the solvers, each with the solver's number, so that a listener
    /// can check every answer that a proof rests on.
    pub fn with_listener(self, listener: Listener) -> Prover<'a> {
        Prover { transcript: Transcript::to(listener), ..self }
    }

    /// Every member of a technique that fits the board: arguments and case.
    pub fn members(&self, technique: &Technique) -> Vec<(Vec<u32>, usize)> {
        technique.member_variants(self.geometry.size() as u32)
    }

    /// Proves or refutes one member.
    pub fn prove(&self, technique: &Technique, args: &[u32], variant: usize) -> Verdict {
        let mut attempt = Attempt::default();
        let mut status = self.memo.inside(&technique.id, || self.decide(technique, args, variant, &mut attempt));
        let open = matches!(status, Status::Undecided(_) | Status::Supposed { sound: false, .. });
        if open && self.cancellation.is_requested() {
            status = Status::Undecided(Refusal::GivenUp.to_string());
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
        let rule = RuleCase { variant, args, unique: technique.assumes_one_solution };
        match &variant.join {
            Some(join) => self.joined(join, args, attempt),
            None => self.in_views(technique, rule, attempt),
        }
    }

    /// Proves a joined rule. A joined step concludes what its two parts conclude, so it holds if every case of the other
    /// technique does.
    fn joined(&self, join: &Join, args: &[u32], attempt: &mut Attempt) -> Status {
        let Some(other) = self.rules.iter().find(|rule| rule.id == join.technique) else {
            return Status::Undecided(format!("it joins steps of `{}`, which is not among the rules", join.technique));
        };
        let values = join.args.iter().map(|arg| arg.constant(args).and_then(|value| u32::try_from(value).ok()));
        let Some(values) = values.collect::<Option<Vec<u32>>>() else {
            return Status::Undecided(format!("which member of `{}` it joins is not a number", join.technique));
        };
        let mut all = Status::Proved { every_board: true, exchange: None };
        for variant in other.variants.iter().filter(|variant| variant.join.is_none()) {
            let rule = RuleCase { variant, args: &values, unique: other.assumes_one_solution };
            let status = self.in_views(other, rule, attempt);
            let (what, verdict) = (format!("technique {}", join.technique), status.words(self.geometry));
            attempt.premises.insert(Ground::new(what, verdict, status.is_proved()));
            match status {
                Status::Proved { every_board: true, .. } => {}
                Status::Proved { .. } | Status::Supposed { .. } => all = status,
                _ => return status,
            }
        }
        all
    }

    /// Proves a rule; one with views must hold on the board without boxes as well, which is what a view is.
    fn in_views(&self, technique: &Technique, rule: RuleCase<'_>, attempt: &mut Attempt) -> Status {
        let status = self.status(rule, attempt);
        let here =
            matches!(status, Status::Proved { every_board: false, .. } | Status::Supposed { every_board: false, .. });
        if technique.views.is_empty() || !here {
            return status;
        }
        let latin = Geometry::latin(self.geometry.size());
        let without_boxes = Prover { memo: Memo::default(), geometry: &latin, ..self.clone() };
        match without_boxes.status(rule, attempt) {
            Status::Proved { .. } | Status::Supposed { .. } => status,
            other => other,
        }
    }

    pub(super) fn status(&self, rule: RuleCase<'_>, attempt: &mut Attempt) -> Status {
        let premises = match self.premises(rule, attempt) {
            Ok(every_board) => every_board,
            Err(status) => return status,
        };
        let own = self.own_status(rule, attempt);
        if own.is_proved()
            && let Ok(Some(reason)) = self.linkless(rule, attempt)
        {
            return Status::Vacuous(reason);
        }
        match (self.means(rule, attempt), own) {
            (Some(means), Status::Proved { every_board, .. }) => {
                Status::Supposed { every_board: means && premises && every_board, sound: attempt.premises_hold() }
            }
            (None, Status::Proved { every_board, exchange }) => {
                Status::Proved { every_board: every_board && premises, exchange }
            }
            (_, other) => other,
        }
    }

    /// The status of a rule, provided that its link sources hold and everything used under assumptions is sound.
    fn own_status(&self, rule: RuleCase<'_>, attempt: &mut Attempt) -> Status {
        if let Some(proved) = self.anywhere(rule, attempt) {
            return match self.vacuous(rule, attempt) {
                Ok(Some(reason)) => Status::Vacuous(reason),
                _ => proved,
            };
        }
        self.on_board(rule, attempt).unwrap_or_else(|refusal| {
            Status::Undecided(match refusal {
                Refusal::TooLarge { .. } => refusal.to_string(),
                _ => format!("construct: {refusal}"),
            })
        })
    }

    /// Proves that the facts that the rule cites imply its conclusions; `None` if that stays open.
    pub(super) fn anywhere(&self, rule: RuleCase<'_>, attempt: &mut Attempt) -> Option<Status> {
        let (is_proved, exchange) = self.ask_anywhere(rule, attempt).ok()?;
        is_proved.then_some(Status::Proved { every_board: true, exchange })
    }

    fn ask_anywhere(&self, rule: RuleCase<'_>, attempt: &mut Attempt) -> Result<(bool, Option<String>), Refusal> {
        let mut encoder = self.pose(WorldKind::Anywhere, rule, Chains::Ends)?;
        self.spend_budgets(&mut encoder)?;
        let wrong = encoder.violated(&rule.variant.conclusions)?;
        // A contradictory pattern would imply everything; the question of vacuity decides about it.
        let is_proved = encoder.solve(&[wrong], self.limits.anywhere) == SatAnswer::No
            && encoder.solve(&[], self.limits.anywhere) != SatAnswer::No;
        attempt.effort.add(&encoder.circuit.solver);
        if is_proved {
            attempt.lemmas.extend(&encoder.lemmas);
        }
        Ok((is_proved, exchange_words(&encoder)))
    }

    /// Adds the counting lemma, as far as its premise is proved; see [`super::encode::Budget`].
    fn spend_budgets(&self, encoder: &mut Encoder<'_>) -> Result<(), Refusal> {
        for budget in encoder.budgets()? {
            if budget.over.iter().all(|&over| encoder.solve(&[over], self.limits.anywhere) == SatAnswer::No) {
                budget.demand(&mut encoder.circuit);
                encoder.lemmas.insert(Lemma::Numbers);
            }
        }
        Ok(())
    }

    fn on_board(&self, rule: RuleCase<'_>, attempt: &mut Attempt) -> Result<Status, Refusal> {
        let mut posed = self.pose_board(rule, Chains::Ends)?;
        let answer = posed.encoder.solve(&[posed.wrong], self.limits.board);
        attempt.lemmas.extend(&posed.encoder.lemmas);
        let status = match (answer, posed.encoder.loose) {
            (SatAnswer::No, _) => match self.no_effect(&mut posed) {
                Some(reason) => Status::Vacuous(reason),
                None => Status::Proved { every_board: false, exchange: exchange_words(&posed.encoder) },
            },
            (SatAnswer::Limit, _) => {
                Status::Undecided(format!("the limit of {} conflicts was reached", self.limits.board))
            }
            (SatAnswer::Yes(_), Some(loose)) if !rule.unique => Status::Undecided(format!("construct: {loose}")),
            (SatAnswer::Yes(_), _) if by_lemma(rule.variant).next().is_some() => {
                attempt.effort.add(&posed.encoder.circuit.solver);
                return self.refute_by_lemma(rule, &mut posed, attempt);
            }
            (SatAnswer::Yes(_), _) if rule.unique => self.refute_unique(&mut posed),
            (SatAnswer::Yes(model), _) => Status::Refuted(Box::new(self.example(&mut posed, model))),
        };
        attempt.effort.add(&posed.encoder.circuit.solver);
        Ok(status)
    }

    /// Shrinks a model to a small counterexample.
    pub(super) fn example(&self, posed: &mut Posed<'_>, model: Model) -> Counterexample {
        smallest(posed, self.geometry, model, self.limits.shrink)
    }

    /// Reason why a sound rule never concludes anything, or `None`. Chains are represented by their ends only, so every
    /// reason found is valid.
    fn vacuous(&self, rule: RuleCase<'_>, attempt: &mut Attempt) -> Result<Option<String>, Refusal> {
        let mut posed = self.pose_board(rule, Chains::Ends)?;
        let reason = self.no_effect(&mut posed);
        attempt.effort.add(&posed.encoder.circuit.solver);
        Ok(reason)
    }

    fn no_effect(&self, posed: &mut Posed<'_>) -> Option<String> {
        let Concluded { eliminated, placed } = posed.concluded;
        let effect = posed.encoder.circuit.or2(eliminated, placed);
        if posed.encoder.solve(&[effect], self.limits.board) != SatAnswer::No {
            return None;
        }
        let board = &self.geometry.spec().name;
        Some(match posed.encoder.solve(&[], self.limits.board) {
            SatAnswer::No => format!("its pattern cannot occur on {board}"),
            _ => format!("its conclusion never removes or places anything on {board}"),
        })
    }
}

/// Describes the second grids in words.
fn exchange_words(encoder: &Encoder<'_>) -> Option<String> {
    (!encoder.exchange.is_empty()).then(|| encoder.exchange.join(", or "))
}
