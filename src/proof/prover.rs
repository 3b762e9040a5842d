//! The prover. In: a technique, its arguments, link sources and a board. Out: a [`Verdict`].
//!
//! A rule is read first from its cited facts alone; a proof found there holds on every board. Then it is read on the board,
//! where a model is a counterexample. A rule that is not refuted must also be able to conclude something, otherwise it is
//! vacuous.

use super::counterexample::smallest;
use super::encode::{Concluded, Encoder, Refusal, Target, constant};
use super::ground::{Ground, Grounds};
use super::premises::Memo;
use super::question::{Chains, Place, by_lemma};
use super::solver::{Answer, Lit};
use super::solver::{GIVEN_UP, Halt};
use super::solver::{Listener, Transcripts};
use super::verdict::{Effort, Status, Verdict};
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
    /// When an attempt is given up.
    pub(super) halt: Halt,
    /// Receivers of everything the solvers do.
    pub(super) transcripts: Transcripts,
}

/// Effort and premises of an attempt.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    pub effort: Effort,
    pub grounds: Grounds,
}

/// Outcome of one question.
pub(super) enum Outcome {
    /// The rule holds; with the second grids used in the proof, in words.
    Proved(Option<String>),
    /// Open: the rule may be wrong.
    Open,
}

/// A variant with its arguments.
#[derive(Clone, Copy)]
pub(super) struct Rule<'v> {
    pub variant: &'v Variant,
    pub args: &'v [u32],
    /// True if the puzzle counts as having one solution.
    pub unique: bool,
}

impl<'a> Prover<'a> {
    /// A prover for a board; chains may use these link sources.
    pub fn new(geometry: &'a Geometry, sources: &'a [LinkSource]) -> Prover<'a> {
        let (limits, memo, halt) = (ProofLimits::for_board(geometry), Memo::default(), Halt::default());
        Prover { geometry, sources, limits, rules: &[], memo, halt, transcripts: Transcripts::default() }
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
    pub fn until(self, asked: Rc<dyn Fn() -> bool>) -> Prover<'a> {
        Prover { halt: Halt::when(asked), ..self }
    }

    /// Reports all clauses, learnt clauses and refutations of the solvers, each with the solver's number, so that a listener
    /// can check every answer that a proof rests on.
    pub fn heard_by(self, listener: Listener) -> Prover<'a> {
        Prover { transcripts: Transcripts::to(listener), ..self }
    }

    /// Every member of a technique that fits the board: arguments and case.
    pub fn members(&self, technique: &Technique) -> Vec<(Vec<u32>, usize)> {
        technique.cases(self.geometry.size() as u32)
    }

    /// Proves or refutes one member.
    pub fn prove(&self, technique: &Technique, args: &[u32], variant: usize) -> Verdict {
        let mut work = Work::default();
        let mut status = self.memo.inside(&technique.id, || self.decide(technique, args, variant, &mut work));
        let open = matches!(status, Status::Undecided(_) | Status::Supposed { sound: false, .. });
        if open && self.halt.is_due() {
            status = Status::Undecided(GIVEN_UP.into());
        }
        Verdict {
            technique: technique.id.clone(),
            args: args.to_vec(),
            variant,
            board: self.geometry.spec().name.clone(),
            status,
            rests_on: work.grounds.list(),
            effort: work.effort,
        }
    }

    fn decide(&self, technique: &Technique, args: &[u32], variant: usize, work: &mut Work) -> Status {
        let Some(variant) = technique.variants.get(variant) else {
            return Status::Undecided(format!("there is no case {variant}"));
        };
        let rule = Rule { variant, args, unique: technique.assumes_one_solution };
        match &variant.join {
            Some(join) => self.joined(join, args, work),
            None => self.in_views(technique, rule, work),
        }
    }

    /// Proves a joined rule. A joined step concludes what its two parts conclude, so it holds if every case of the other
    /// technique does.
    fn joined(&self, join: &Join, args: &[u32], work: &mut Work) -> Status {
        let Some(other) = self.rules.iter().find(|rule| rule.id == join.technique) else {
            return Status::Undecided(format!("it joins steps of `{}`, which is not among the rules", join.technique));
        };
        let values = join.args.iter().map(|arg| constant(arg, args).and_then(|value| u32::try_from(value).ok()));
        let Some(values) = values.collect::<Option<Vec<u32>>>() else {
            return Status::Undecided(format!("which member of `{}` it joins is not a number", join.technique));
        };
        let mut all = Status::Proved { every_board: true, exchange: None };
        for variant in other.variants.iter().filter(|variant| variant.join.is_none()) {
            let rule = Rule { variant, args: &values, unique: other.assumes_one_solution };
            let status = self.in_views(other, rule, work);
            let (what, holds) = (format!("technique {}", join.technique), status.is_proved());
            work.grounds.add(Ground { what, verdict: Some(status.words(self.geometry)), holds });
            match status {
                Status::Proved { every_board: true, .. } => {}
                Status::Proved { .. } | Status::Supposed { .. } => all = status,
                _ => return status,
            }
        }
        all
    }

    /// A rule with views must hold on the board without boxes as well, which is what a view is.
    fn in_views(&self, technique: &Technique, rule: Rule<'_>, work: &mut Work) -> Status {
        let status = self.status(rule, work);
        let here =
            matches!(status, Status::Proved { every_board: false, .. } | Status::Supposed { every_board: false, .. });
        if technique.views.is_empty() || !here {
            return status;
        }
        let latin = Geometry::latin(self.geometry.size());
        let flat = Prover { memo: Memo::default(), geometry: &latin, ..self.clone() };
        match flat.status(rule, work) {
            Status::Proved { .. } | Status::Supposed { .. } => status,
            other => other,
        }
    }

    pub(super) fn status(&self, rule: Rule<'_>, work: &mut Work) -> Status {
        let premises = match self.premises(rule, work) {
            Ok(every_board) => every_board,
            Err(status) => return status,
        };
        let own = self.own_status(rule, work);
        if own.is_proved()
            && let Ok(Some(reason)) = self.linkless(rule, work)
        {
            return Status::Vacuous(reason);
        }
        match self.means(rule, work) {
            Some(means) if own.is_proved() => {
                let every_board = means && premises && matches!(own, Status::Proved { every_board: true, .. });
                Status::Supposed { every_board, sound: work.grounds.all_hold() }
            }
            _ => match own {
                Status::Proved { every_board, exchange } => {
                    Status::Proved { every_board: every_board && premises, exchange }
                }
                other => other,
            },
        }
    }

    /// The status of a rule, provided that its link sources hold and everything used under assumptions is sound.
    fn own_status(&self, rule: Rule<'_>, work: &mut Work) -> Status {
        if let Outcome::Proved(exchange) = self.anywhere(rule, work) {
            return match self.vacuous(rule, work) {
                Ok(Some(reason)) => Status::Vacuous(reason),
                _ => Status::Proved { every_board: true, exchange },
            };
        }
        self.on_board(rule, work).unwrap_or_else(|refusal| {
            Status::Undecided(match refusal {
                Refusal::TooLarge { .. } => refusal.to_string(),
                _ => format!("construct: {refusal}"),
            })
        })
    }

    /// Decides whether the facts that the rule cites imply its conclusions.
    pub(super) fn anywhere(&self, rule: Rule<'_>, work: &mut Work) -> Outcome {
        let mut ask = || -> Result<(Answer, Option<String>), Refusal> {
            let mut encoder = self.pose(Place::Anywhere, rule, Chains::Ends)?;
            self.spend_budgets(&mut encoder)?;
            let wrong = encoder.violated(&rule.variant.conclusions)?;
            let mut answer = encoder.solve(&[wrong], self.limits.anywhere);
            // A contradictory pattern would imply everything; the question of vacuity decides about it.
            if answer == Answer::No && encoder.solve(&[], self.limits.anywhere) == Answer::No {
                answer = Answer::Limit;
            }
            work.effort.add(encoder.circuit.solver());
            if answer == Answer::No {
                work.grounds.lemmas(&encoder.lemmas);
            }
            Ok((answer, words(&encoder)))
        };
        match ask() {
            Ok((Answer::No, exchange)) => Outcome::Proved(exchange),
            _ => Outcome::Open,
        }
    }

    /// Adds the counting lemma, as far as its premise is proved; see [`super::encode::Budget`].
    fn spend_budgets(&self, encoder: &mut Encoder<'_>) -> Result<(), Refusal> {
        for budget in encoder.budgets()? {
            let within = |&over: &Lit| encoder.solve(&[over], self.limits.anywhere) == Answer::No;
            if budget.over.iter().all(within) {
                budget.demand(&mut encoder.circuit);
                encoder.lemmas.insert(super::ground::Lemma::Numbers);
            }
        }
        Ok(())
    }

    fn on_board(&self, rule: Rule<'_>, work: &mut Work) -> Result<Status, Refusal> {
        let mut posed = self.pose_board(rule, Chains::Ends)?;
        let answer = posed.encoder.solve(&[posed.wrong], self.limits.board);
        work.grounds.lemmas(&posed.encoder.lemmas);
        let status = match answer {
            Answer::No => match self.no_effect(&mut posed) {
                Some(reason) => Status::Vacuous(reason),
                None => Status::Proved { every_board: false, exchange: words(&posed.encoder) },
            },
            Answer::Limit => Status::Undecided(self.limit_words()),
            Answer::Yes(_) if posed.encoder.loose.is_some() && !rule.unique => {
                Status::Undecided(format!("construct: {}", posed.encoder.loose.unwrap_or_default()))
            }
            Answer::Yes(_) if by_lemma(rule.variant).next().is_some() => {
                work.effort.add(posed.encoder.circuit.solver());
                return self.refute_by_lemma(rule, &mut posed, work);
            }
            Answer::Yes(_) if rule.unique => self.refute_unique(&mut posed),
            Answer::Yes(model) => Status::Refuted(Box::new(self.example(&mut posed, model))),
        };
        work.effort.add(posed.encoder.circuit.solver());
        Ok(status)
    }

    /// Shrinks a model to a small counterexample.
    pub(super) fn example(&self, posed: &mut Posed<'_>, model: super::solver::Model) -> super::Counterexample {
        let Posed { encoder, target, wrong, .. } = posed;
        smallest(encoder, self.geometry, target, &[*wrong], model, self.limits.shrink)
    }

    pub(super) fn pose_board<'r>(&'r self, rule: Rule<'r>, chains: Chains) -> Result<Posed<'r>, Refusal> {
        self.pose_at(Place::Board(self.geometry), rule, chains)
    }

    /// Encodes a variant on the board, with a target.
    pub(super) fn pose_at<'r>(
        &'r self,
        place: Place<'_>,
        rule: Rule<'r>,
        chains: Chains,
    ) -> Result<Posed<'r>, Refusal> {
        let mut encoder = self.pose(place, rule, chains)?;
        let target = encoder.target();
        let concluded = encoder.concluded(&rule.variant.conclusions, &target)?;
        let out = encoder.circuit.and2(concluded.eliminated, target.is_true);
        let placed = encoder.circuit.and2(concluded.placed, !target.is_true);
        let wrong = encoder.circuit.or2(out, placed);
        Ok(Posed { encoder, target, concluded, wrong })
    }

    /// Reason why a sound rule never concludes anything, or `None`. Chains are represented by their ends only, so every
    /// reason found is valid.
    pub(super) fn vacuous(&self, rule: Rule<'_>, work: &mut Work) -> Result<Option<String>, Refusal> {
        let mut posed = self.pose_board(rule, Chains::Ends)?;
        let reason = self.no_effect(&mut posed);
        work.effort.add(posed.encoder.circuit.solver());
        Ok(reason)
    }

    fn no_effect(&self, posed: &mut Posed<'_>) -> Option<String> {
        let Concluded { eliminated, placed } = posed.concluded;
        let effect = posed.encoder.circuit.or2(eliminated, placed);
        if posed.encoder.solve(&[effect], self.limits.board) != Answer::No {
            return None;
        }
        let board = &self.geometry.spec().name;
        Some(match posed.encoder.solve(&[], self.limits.board) {
            Answer::No => format!("its pattern cannot occur on {board}"),
            _ => format!("its conclusion never removes or places anything on {board}"),
        })
    }

    fn limit_words(&self) -> String {
        format!("the limit of {} conflicts was reached", self.limits.board)
    }
}

/// A rule read on the board, with a freely chosen candidate.
pub(super) struct Posed<'r> {
    pub encoder: Encoder<'r>,
    pub target: Target,
    pub concluded: Concluded,
    /// The target is wrongly concluded.
    pub wrong: Lit,
}

/// Describes the second grids in words.
fn words(encoder: &Encoder<'_>) -> Option<String> {
    (!encoder.exchange.is_empty()).then(|| encoder.exchange.join(", or "))
}
