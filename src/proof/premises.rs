//! Premises of a rule. In: the link sources that it names, and the techniques it uses under assumptions. Out: whether each
//! of them holds, decided once for all rules that a prover is asked about.

use super::encode::{DIGITS, noun};
use super::prover::{Prover, RuleCase};
use super::question::{Chains, WorldKind, by_lemma};
use super::solver::SatAnswer;
use super::verdict::{Attempt, Effort, Ground, Lemma, Refusal, Status, proved_words};
use crate::lang::ir::{
    Claim, Conclusion, Condition, Expr, InferenceMethods, LinkShape, LinkSource, RuleRef, Statement, Technique, Variant,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Proofs of link sources and techniques that others use, shared by copies of a prover.
#[derive(Clone, Default)]
pub(super) struct Memo(Rc<RefCell<Premises>>);

#[derive(Default)]
struct Premises {
    sources: BTreeMap<String, SourceProof>,
    members: BTreeMap<(String, Vec<u32>), MemberProof>,
    /// Techniques that are being proved.
    running: Vec<String>,
    /// True if the proof under way relies on a technique of `running`.
    granted: bool,
}

/// The proofs of a link source: `Some(true)` on every board, `Some(false)` on the board asked for.
#[derive(Clone, Copy, Debug)]
struct SourceProof {
    /// Verdict on "the two ends are never both false unless a guardian is true".
    ends: Option<bool>,
    /// Verdict on "the conclusions hold if exactly one end is true".
    concludes: Option<bool>,
}

/// The proof of one member of a technique, all cases together.
#[derive(Clone, Debug)]
struct MemberProof {
    /// The entry for the list of what a verdict rests on.
    ground: Ground,
    /// True if every case is proved on every board.
    every_board: bool,
}

impl Memo {
    /// Runs a proof of a technique, which counts as being proved meanwhile.
    pub fn inside<T>(&self, technique: &str, run: impl FnOnce() -> T) -> T {
        self.0.borrow_mut().running.push(technique.to_string());
        let made = run();
        let mut premises = self.0.borrow_mut();
        premises.running.pop();
        premises.granted &= !premises.running.is_empty();
        made
    }
}

impl Prover<'_> {
    /// Proves the sources of all strong links of a pattern, and returns true if they hold on every board. Sources used only
    /// under assumptions are not included.
    pub(super) fn premises(&self, rule: RuleCase<'_>, attempt: &mut Attempt) -> Result<bool, Status> {
        let mut every_board = true;
        for statement in by_lemma(rule.variant).filter(|one| one.supposition().is_none()) {
            let shape = statement.graph().map(|graph| &graph.shape);
            let loop_name =
                shape.and_then(|shape| if let LinkShape::Loop(round) = shape { Some(round.name) } else { None });
            let mut claims = rule.variant.conclusions.iter().map(|one| &one.claim);
            let links = claims.any(|claim| matches!(claim, Claim::Links { of, .. } if Some(*of) == loop_name));
            let sources = self.sources_of(statement.strong_sources());
            for source in sources.map_err(|refusal| Status::Undecided(refusal.to_string()))? {
                let name = format!("`strong link {}`", source.id);
                if is_guarded(source) && !matches!(shape, Some(LinkShape::Ring(_))) {
                    let reason = format!("{name} holds but for its guardians: only rings may use it");
                    return Err(Status::Undecided(reason));
                }
                let SourceProof { ends, concludes } = self.source(source, &mut attempt.effort);
                attempt.premises.insert(self.source_ground(source, ends));
                let Some(ends) = ends else {
                    return Err(match self.refute_links(rule, attempt) {
                        Ok(Status::Refuted(example)) => Status::Refuted(example),
                        _ => Status::Undecided(format!("{name} is not proved: both ends may be false")),
                    });
                };
                every_board &= ends;
                if links && !source.pattern.conclusions.is_empty() {
                    let (what, verdict) = (
                        format!("strong link {} with one true end", source.id),
                        proved_words(concludes, self.geometry),
                    );
                    attempt.premises.insert(Ground::new(what, verdict, concludes.is_some()));
                    every_board &= concludes.ok_or_else(|| {
                        let reason = "what it concludes may be false if exactly one end is true";
                        Status::Undecided(format!("{name}: {reason}"))
                    })?;
                }
            }
        }
        Ok(every_board)
    }

    fn source_ground(&self, source: &LinkSource, proved: Option<bool>) -> Ground {
        let exception = if is_guarded(source) { ", guardians aside" } else { "" };
        let verdict = format!("{}{exception}", proved_words(proved, self.geometry));
        Ground::new(format!("strong link {}", source.id), verdict, proved.is_some())
    }

    /// Proves a link source, once.
    fn source(&self, source: &LinkSource, effort: &mut Effort) -> SourceProof {
        if let Some(known) = self.memo.0.borrow().sources.get(&source.id) {
            return *known;
        }
        let mut attempt = Attempt::default();
        let known = SourceProof {
            ends: self.source_holds(&as_rule(source, false), None, &mut attempt),
            concludes: self.source_holds(&as_rule(source, true), Some(source), &mut attempt),
        };
        effort.join(&attempt.effort);
        // A cancelled attempt says nothing about the source.
        if !self.cancellation.is_requested() {
            self.memo.0.borrow_mut().sources.insert(source.id.clone(), known);
        }
        known
    }

    /// Returns true if the conclusions of a source, read as a rule, hold from its own facts or on the board. The link must
    /// be real even if it excludes nothing, because later links rest on it.
    fn source_holds(&self, variant: &Variant, one_end: Option<&LinkSource>, attempt: &mut Attempt) -> Option<bool> {
        let rule = RuleCase { variant, args: &[], unique: false };
        let anywhere = match one_end {
            None => self.anywhere(rule, attempt).is_some(),
            Some(_) => self.source_holds_in(WorldKind::Anywhere, rule, one_end, attempt) == Ok(true),
        };
        if anywhere {
            return Some(true);
        }
        let on_board = self.source_holds_in(WorldKind::Board(self.geometry), rule, one_end, attempt);
        (on_board == Ok(true)).then_some(false)
    }

    fn source_holds_in(
        &self,
        kind: WorldKind<'_>,
        rule: RuleCase<'_>,
        one_end: Option<&LinkSource>,
        attempt: &mut Attempt,
    ) -> Result<bool, Refusal> {
        let mut encoder = self.pose(kind, rule, Chains::Ends)?;
        if let Some(source) = one_end {
            let both = [encoder.node_truth(source.left)?, encoder.node_truth(source.right)?];
            let same = encoder.circuit.same(both[0], both[1]);
            encoder.circuit.clause(&[!same]);
        }
        let wrong = encoder.violated(&rule.variant.conclusions)?;
        let answer = encoder.solve(&[wrong], self.limits.board.max(self.limits.anywhere));
        attempt.effort.add(&encoder.circuit.solver);
        Ok(answer == SatAnswer::No)
    }

    /// Records everything used under the assumptions of a rule, each with its own verdict, and returns true if all of it is
    /// proved on every board. `None` for a rule without assumptions.
    pub(super) fn means(&self, rule: RuleCase<'_>, attempt: &mut Attempt) -> Option<bool> {
        let mut every_board = None;
        for suppose in rule.variant.suppositions() {
            if !matches!(suppose.methods, InferenceMethods::Links { .. }) {
                attempt.lemmas.insert(Lemma::Singles);
            }
            let mut here = true;
            match &suppose.methods {
                InferenceMethods::Links { strong, .. } => {
                    strong.iter().for_each(|name| here &= self.link_holds(name, attempt));
                }
                InferenceMethods::Singles { .. } => {}
                InferenceMethods::Rules(rules) => {
                    rules.iter().for_each(|one| here &= self.rules_hold(one, rule.unique, attempt));
                }
            }
            every_board = Some(every_board.unwrap_or(true) && here);
        }
        every_board
    }

    /// Records a strong link used under assumptions, and returns true if it is proved on every board.
    fn link_holds(&self, name: &str, attempt: &mut Attempt) -> bool {
        let verdict = match self.source_named(name) {
            Some(source) if !is_guarded(source) => {
                let ends = self.source(source, &mut attempt.effort).ends;
                attempt.premises.insert(self.source_ground(source, ends));
                return ends == Some(true);
            }
            Some(_) => "holds but for its guardians: only rings may use it",
            None => "is not declared",
        };
        attempt.premises.insert(Ground::new(format!("strong link {name}"), verdict, false));
        false
    }

    /// Records the members of a technique used under assumptions, and returns true if they are proved on every board.
    fn rules_hold(&self, used: &RuleRef, unique: bool, attempt: &mut Attempt) -> bool {
        let technique = self.rules.iter().find(|rule| rule.id == used.technique);
        let usable = technique.filter(|technique| unique || !technique.assumes_one_solution);
        let members = usable.map_or_else(Vec::new, |technique| named(used, technique, self.geometry.size()));
        if members.is_empty() {
            let verdict = match (technique, usable) {
                (None, _) => "is not among the rules",
                (Some(_), None) => "assumes one solution, which this rule does not say",
                (Some(_), Some(_)) => "has no such member on this board",
            };
            attempt.premises.insert(Ground::new(format!("technique {}", used.technique), verdict, false));
        }
        let Some(technique) = usable else { return false };
        // A larger board may have more members, of which nothing is asked here.
        let mut every_board = members == named(used, technique, DIGITS);
        for args in members {
            let proof = self.member_proof(technique, &args, &mut attempt.effort);
            every_board &= proof.every_board;
            attempt.premises.insert(proof.ground);
        }
        every_board
    }

    /// Proves all cases of a member. A technique that uses itself is taken for granted inside its own proof: there it is one
    /// assumption deeper, and the depth of assumptions is bounded.
    fn member_proof(&self, technique: &Technique, args: &[u32], effort: &mut Effort) -> MemberProof {
        let key = (technique.id.clone(), args.to_vec());
        if let Some(known) = self.memo.0.borrow().members.get(&key) {
            return known.clone();
        }
        let numbers: Vec<String> = args.iter().map(ToString::to_string).collect();
        let numbers = if args.is_empty() { String::new() } else { format!("({})", numbers.join(", ")) };
        let what = format!("technique {}{numbers}", technique.id);
        if self.memo.0.borrow().running.contains(&technique.id) {
            self.memo.0.borrow_mut().granted = true;
            let ground = Ground::new(what, "inside itself, under one supposition more", true);
            return MemberProof { ground, every_board: false };
        }
        let mut proof = MemberProof { ground: Ground::new(what.clone(), "has no case", true), every_board: false };
        for variant in 0..technique.variants.len() {
            let verdict = self.prove(technique, args, variant);
            effort.join(&verdict.effort);
            let is_vacuous = matches!(verdict.status, Status::Vacuous(_));
            let holds = verdict.status.is_proved() || is_vacuous;
            // A case that says nothing here may have matches on other boards.
            let every_board = verdict.status.every_board().unwrap_or(false)
                || is_vacuous && self.holds_anywhere(technique, args, variant);
            let mut words = verdict.status.words(self.geometry);
            if every_board && is_vacuous {
                words = format!("proved on every board, {words} on {}", self.geometry.spec().name);
            }
            // The worst case stands for all: one that does not hold, then one that holds on this board only.
            if variant == 0 || (every_board, holds) < (proof.every_board, proof.ground.holds) {
                proof = MemberProof { ground: Ground::new(what.clone(), words, holds), every_board };
            }
        }
        let mut premises = self.memo.0.borrow_mut();
        if !premises.granted && !self.cancellation.is_requested() {
            premises.members.insert(key, proof.clone());
        }
        proof
    }

    /// Returns true if the facts that a rule cites prove it, wherever it finds something.
    fn holds_anywhere(&self, technique: &Technique, args: &[u32], variant: usize) -> bool {
        let rule = RuleCase { variant: &technique.variants[variant], args, unique: technique.assumes_one_solution };
        let mut attempt = Attempt::default();
        self.means(rule, &mut attempt).is_none()
            && matches!(self.premises(rule, &mut attempt), Ok(true))
            && self.anywhere(rule, &mut attempt).is_some()
    }
}

/// Returns true if a source's link holds only without true guardians.
fn is_guarded(source: &LinkSource) -> bool {
    !source.pattern.guardians.is_empty()
}

/// The members of a technique that a reference means on a board of this size.
fn named(used: &RuleRef, technique: &Technique, size: usize) -> Vec<Vec<u32>> {
    let mut members = technique.members(size as u32);
    members.retain(|args| used.args.as_ref().is_none_or(|wanted| wanted == args));
    members
}

/// Returns a link source as a rule: both ends exist, and the rule claims that one is true, or the conclusions of the source.
fn as_rule(source: &LinkSource, concludes: bool) -> Variant {
    let ends = [source.left, source.right].map(|end| noun(end.digit, end.cell));
    let mut variant = source.pattern.clone();
    variant.body.extend(ends.clone().map(|end| Statement::Require(Condition::Some(end))));
    if !concludes {
        variant.conclusions = vec![Conclusion { claim: Claim::Some(Expr::Union(ends.to_vec())), for_each: None }];
    }
    variant
}
