//! The prover. In: a technique, its arguments, link sources and a board. Out: a [`Verdict`].
//!
//! First the rule is read from its cited facts alone; what is proved there holds on every board. Then on the
//! board, where a model is a counterexample. A rule that is not refuted must also be able to conclude
//! something, or it is vacuous.

use super::counterexample::smallest;
use super::encode::{Concluded, Encoder, Refusal, Target, constant};
use super::question::{Chains, Place, chains_of, pose, sources_of};
use super::solver::{Answer, Lit};
use super::verdict::{Effort, Status, Verdict};
use crate::grid::Geometry;
use crate::lang::ir::{
    Claim, Conclusion, Condition, Expr, Join, LengthUnit, LinkSource, Operand, Statement, Technique, TrailNode, Variant,
};

/// How hard the solver may try, in conflicts for each question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofLimits {
    /// For the question without a board.
    pub anywhere: u64,
    /// For each question on the board.
    pub board: u64,
    /// For each step towards a smaller counterexample.
    pub shrink: u64,
}

impl Default for ProofLimits {
    fn default() -> Self {
        ProofLimits { anywhere: 200_000, board: 400_000, shrink: 1_000 }
    }
}

/// Proves techniques for one board.
pub struct Prover<'a> {
    pub(super) geometry: &'a Geometry,
    pub(super) sources: &'a [LinkSource],
    pub(super) limits: ProofLimits,
    /// Where a joined technique is looked up.
    pub(super) rules: &'a [Technique],
}

/// What came of one question.
pub(super) enum Outcome {
    /// It holds; with the second grids that were used, in words.
    Proved(Option<String>),
    /// It may not.
    Open,
}

/// A variant with its arguments.
#[derive(Clone, Copy)]
pub(super) struct Rule<'v> {
    pub variant: &'v Variant,
    pub args: &'v [u32],
    /// Whether the puzzle is known to have one solution.
    pub unique: bool,
}

impl<'a> Prover<'a> {
    /// A prover for a board; chains may use these link sources.
    pub fn new(geometry: &'a Geometry, sources: &'a [LinkSource]) -> Prover<'a> {
        Prover { geometry, sources, limits: ProofLimits::default(), rules: &[] }
    }

    /// The same, knowing these techniques: what joins steps of one holds where that one does.
    pub fn with_rules(self, rules: &'a [Technique]) -> Prover<'a> {
        Prover { rules, ..self }
    }

    /// The same with other limits.
    pub fn with_limits(self, limits: ProofLimits) -> Prover<'a> {
        Prover { limits, ..self }
    }

    /// Every member of a technique that fits the board: arguments and case.
    pub fn members(&self, technique: &Technique) -> Vec<(Vec<u32>, usize)> {
        let all = technique.members(self.geometry.size() as u32);
        let cases = technique.variants.len();
        all.into_iter().flat_map(|args| (0..cases).map(move |variant| (args.clone(), variant))).collect()
    }

    /// Proves or refutes one member.
    pub fn prove(&self, technique: &Technique, args: &[u32], variant: usize) -> Verdict {
        let mut effort = Effort::default();
        let status = match technique.variants.get(variant) {
            None => Status::Undecided(format!("there is no case {variant}")),
            Some(variant) => {
                let rule = Rule { variant, args, unique: technique.assumes_one_solution };
                match &variant.join {
                    Some(join) => self.joined(join, args, &mut effort),
                    None => self.in_views(technique, rule, &mut effort),
                }
            }
        };
        Verdict {
            technique: technique.id.clone(),
            args: args.to_vec(),
            variant,
            board: self.geometry.spec().name.clone(),
            status,
            effort,
        }
    }

    /// A joined step says what two steps of the other technique say, so it holds where every case of that one does.
    fn joined(&self, join: &Join, args: &[u32], effort: &mut Effort) -> Status {
        let Some(other) = self.rules.iter().find(|rule| rule.id == join.technique) else {
            return Status::Undecided(format!("it joins steps of `{}`, which is not among the rules", join.technique));
        };
        let values = join.args.iter().map(|arg| constant(arg, args).and_then(|value| u32::try_from(value).ok()));
        let Some(values) = values.collect::<Option<Vec<u32>>>() else {
            return Status::Undecided(format!("which member of `{}` it joins is no number", join.technique));
        };
        let mut all = Status::Proved { every_board: true, exchange: None };
        for variant in other.variants.iter().filter(|variant| variant.join.is_none()) {
            let status = self.status(Rule { variant, args: &values, unique: other.assumes_one_solution }, effort);
            match status {
                Status::Proved { every_board: true, .. } => {}
                Status::Proved { .. } => all = status,
                _ => return status,
            }
        }
        all
    }

    /// A rule with views must hold on the board without boxes as well, which is what a view is.
    fn in_views(&self, technique: &Technique, rule: Rule<'_>, effort: &mut Effort) -> Status {
        let status = self.status(rule, effort);
        if technique.views.is_empty() || !matches!(status, Status::Proved { every_board: false, .. }) {
            return status;
        }
        let latin = Geometry::latin(self.geometry.size());
        match (Prover { geometry: &latin, ..*self }).status(rule, effort) {
            Status::Proved { .. } => status,
            other => other,
        }
    }

    pub(super) fn status(&self, rule: Rule<'_>, effort: &mut Effort) -> Status {
        if let Err(status) = self.chain_sources(rule, effort) {
            return status;
        }
        if let Outcome::Proved(exchange) = self.anywhere(rule, effort) {
            return match self.vacuous(rule, effort) {
                Ok(Some(reason)) => Status::Vacuous(reason),
                _ => Status::Proved { every_board: true, exchange },
            };
        }
        self.on_board(rule, effort).unwrap_or_else(|construct| Status::Undecided(format!("construct: {construct}")))
    }

    /// Whether the facts that the rule cites are enough.
    pub(super) fn anywhere(&self, rule: Rule<'_>, effort: &mut Effort) -> Outcome {
        let mut ask = || -> Result<(Answer, Option<String>), Refusal> {
            let mut encoder = pose(Place::Anywhere, rule, self.sources, Chains::Ends)?;
            self.spend_budgets(&mut encoder)?;
            let wrong = encoder.violated(&rule.variant.conclusions)?;
            let mut answer = encoder.circuit.solve(&[wrong], self.limits.anywhere);
            // A pattern that contradicts itself proves everything; that is not for this question to say.
            if answer == Answer::No && encoder.circuit.solve(&[], self.limits.anywhere) == Answer::No {
                answer = Answer::Limit;
            }
            effort.add(encoder.circuit.solver());
            Ok((answer, words(&encoder)))
        };
        match ask() {
            Ok((Answer::No, exchange)) => Outcome::Proved(exchange),
            _ => Outcome::Open,
        }
    }

    /// Adds what counting gives, as far as its premise is proved; see [`super::encode::Budget`].
    fn spend_budgets(&self, encoder: &mut Encoder<'_>) -> Result<(), Refusal> {
        for budget in encoder.budgets()? {
            let within = |&over: &Lit| encoder.circuit.solve(&[over], self.limits.anywhere) == Answer::No;
            if budget.over.iter().all(within) {
                budget.demand(&mut encoder.circuit);
            }
        }
        Ok(())
    }

    fn on_board(&self, rule: Rule<'_>, effort: &mut Effort) -> Result<Status, Refusal> {
        let mut posed = self.pose_board(rule, Chains::Ends)?;
        let answer = posed.encoder.circuit.solve(&[posed.wrong], self.limits.board);
        let status = match answer {
            Answer::No => match self.no_effect(&mut posed) {
                Some(reason) => Status::Vacuous(reason),
                None => Status::Proved { every_board: false, exchange: words(&posed.encoder) },
            },
            Answer::Limit => Status::Undecided(self.limit_words()),
            Answer::Yes(_) if rule.unique => self.refute_unique(&mut posed),
            Answer::Yes(model) => match (posed.encoder.loose, chains_of(rule.variant).next()) {
                (Some(construct), _) => Status::Undecided(format!("construct: {construct}")),
                (None, Some(_)) => {
                    effort.add(posed.encoder.circuit.solver());
                    return self.refute_chain(rule, effort);
                }
                (None, None) => {
                    let example = smallest(
                        &mut posed.encoder,
                        self.geometry,
                        &posed.target,
                        &[posed.wrong],
                        model,
                        self.limits.shrink,
                    );
                    Status::Refuted(Box::new(example))
                }
            },
        };
        effort.add(posed.encoder.circuit.solver());
        Ok(status)
    }

    /// Looks for a chain, link by link, whose conclusion is wrong.
    fn refute_chain(&self, rule: Rule<'_>, effort: &mut Effort) -> Result<Status, Refusal> {
        for strong in lengths(rule.variant) {
            let mut posed = self.pose_board(rule, Chains::Links(strong))?;
            let answer = posed.encoder.circuit.solve(&[posed.wrong], self.limits.board);
            if let Answer::Yes(model) = answer {
                let example = smallest(
                    &mut posed.encoder,
                    self.geometry,
                    &posed.target,
                    &[posed.wrong],
                    model,
                    self.limits.shrink,
                );
                effort.add(posed.encoder.circuit.solver());
                return Ok(Status::Refuted(Box::new(example)));
            }
            effort.add(posed.encoder.circuit.solver());
        }
        Ok(Status::Undecided("it does not follow from the ends of the chain, but no short chain refutes it".into()))
    }

    /// Every strong link that the rule's chains use must be one.
    fn chain_sources(&self, rule: Rule<'_>, effort: &mut Effort) -> Result<(), Status> {
        for chain in chains_of(rule.variant) {
            let used = sources_of(chain, self.sources).map_err(Status::Undecided)?;
            for source in used {
                if self.source_holds(source, effort) {
                    continue;
                }
                let reason = format!("`strong link {}` is not proved: both ends may be false", source.id);
                let refuted = self.refute_chain(rule, effort);
                return Err(match refuted {
                    Ok(Status::Refuted(example)) => Status::Refuted(example),
                    _ => Status::Undecided(reason),
                });
            }
        }
        Ok(())
    }

    /// Whether the ends of a link source are never both false.
    fn source_holds(&self, source: &LinkSource, effort: &mut Effort) -> bool {
        let variant = as_rule(source);
        let rule = Rule { variant: &variant, args: &[], unique: false };
        if let Outcome::Proved(_) = self.anywhere(rule, effort) {
            return true;
        }
        let posed = self.pose_board(rule, Chains::Ends);
        let answer = posed.map(|mut posed| {
            // Also a link that excludes nothing must be one: later links rest on it.
            let wrong = posed.encoder.violated(&variant.conclusions);
            wrong.map(|wrong| posed.encoder.circuit.solve(&[wrong], self.limits.board))
        });
        matches!(answer, Ok(Ok(Answer::No)))
    }

    pub(super) fn pose_board<'r>(&'r self, rule: Rule<'r>, chains: Chains) -> Result<Posed<'r>, Refusal> {
        let mut encoder = pose(Place::Board(self.geometry), rule, self.sources, chains)?;
        let target = encoder.target();
        let concluded = encoder.concluded(&rule.variant.conclusions, &target)?;
        let out = encoder.circuit.and2(concluded.eliminated, target.is_true);
        let placed = encoder.circuit.and2(concluded.placed, !target.is_true);
        let wrong = encoder.circuit.or2(out, placed);
        Ok(Posed { encoder, target, concluded, wrong })
    }

    /// Why a rule that is not wrong says nothing, if so. A chain is looked at by its ends only, so that a
    /// reason found is one.
    pub(super) fn vacuous(&self, rule: Rule<'_>, effort: &mut Effort) -> Result<Option<String>, Refusal> {
        let mut posed = self.pose_board(rule, Chains::Ends)?;
        let reason = self.no_effect(&mut posed);
        effort.add(posed.encoder.circuit.solver());
        Ok(reason)
    }

    fn no_effect(&self, posed: &mut Posed<'_>) -> Option<String> {
        let Concluded { eliminated, placed } = posed.concluded;
        let effect = posed.encoder.circuit.or2(eliminated, placed);
        if posed.encoder.circuit.solve(&[effect], self.limits.board) != Answer::No {
            return None;
        }
        let board = &self.geometry.spec().name;
        Some(match posed.encoder.circuit.solve(&[], self.limits.board) {
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

/// How the second grids are made.
fn words(encoder: &Encoder<'_>) -> Option<String> {
    (!encoder.exchange.is_empty()).then(|| encoder.exchange.join(", or "))
}

/// A link source as a rule: of its two ends, when both are there, one is true.
fn as_rule(source: &LinkSource) -> Variant {
    let node = |end: TrailNode| Expr::In(Box::new(Expr::Var(end.digit)), Box::new(Expr::Var(end.cell)));
    let mut variant = source.pattern.clone();
    for end in [source.left, source.right] {
        let has = Condition::Has(Operand::every(Expr::Var(end.cell)), Expr::Var(end.digit));
        variant.body.push(Statement::Require(has));
    }
    let ends = Expr::Union(vec![node(source.left), node(source.right)]);
    variant.conclusions = vec![Conclusion { claim: Claim::Some(ends), per: None }];
    variant
}

/// Numbers of strong links for which a chain is tried link by link.
fn lengths(variant: &Variant) -> std::ops::RangeInclusive<usize> {
    let most = chains_of(variant).map(|chain| match chain.length.unit {
        LengthUnit::StrongLinks | LengthUnit::Cells => chain.length.low as usize,
        LengthUnit::Links => chain.length.low as usize / 2 + 1,
    });
    1..=most.max().unwrap_or(1).min(4) + 1
}
