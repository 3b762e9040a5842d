//! Premises of a rule. In: the link sources that it names, and the techniques it uses under assumptions. Out: whether each
//! of them holds, decided once for all rules that a prover is asked about.

use super::encode::{DIGITS, Refusal, node};
use super::ground::{Ground, Lemma};
use super::prover::{Outcome, Prover, Rule, Work};
use super::question::{Chains, Place, by_lemma, sources_of};
use super::solver::Answer;
use super::verdict::{Effort, Status};
use crate::lang::ir::{
    Claim, Conclusion, Condition, Expr, InferenceMethods, LinkShape, LinkSource, RuleRef, Statement, Technique,
    TrailNode, Variant,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
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
    pub(super) fn premises(&self, rule: Rule<'_>, work: &mut Work) -> Result<bool, Status> {
        let mut every_board = true;
        for statement in by_lemma(rule.variant).filter(|one| !matches!(one, Statement::Suppose(_))) {
            let shape = statement.graph().map(|graph| &graph.shape);
            let links = matches!(shape, Some(LinkShape::Loop(round)) if speaks_of_links(rule.variant, round.name));
            for source in sources_of(statement.strong(), self.sources)
                .map_err(|refusal| Status::Undecided(refusal.to_string()))?
            {
                let guarded = !source.pattern.guardians.is_empty();
                if guarded && !matches!(shape, Some(LinkShape::Ring(_))) {
                    let reason =
                        format!("`strong link {}` holds but for its guardians: only rings may use it", source.id);
                    return Err(Status::Undecided(reason));
                }
                let known = self.source(source, &mut work.effort);
                work.grounds.add(self.source_ground(source, known.ends, guarded));
                let Some(ends) = known.ends else { return Err(self.no_link(rule, source, work)) };
                every_board &= ends;
                if links && !source.pattern.conclusions.is_empty() {
                    work.grounds.add(self.conclusions_ground(source, known.concludes));
                    let Some(concludes) = known.concludes else {
                        let reason = "what it concludes may be false if exactly one end is true";
                        return Err(Status::Undecided(format!("`strong link {}`: {reason}", source.id)));
                    };
                    every_board &= concludes;
                }
            }
        }
        Ok(every_board)
    }

    fn no_link(&self, rule: Rule<'_>, source: &LinkSource, work: &mut Work) -> Status {
        let reason = format!("`strong link {}` is not proved: both ends may be false", source.id);
        match self.refute_links(rule, work) {
            Ok(Status::Refuted(example)) => Status::Refuted(example),
            _ => Status::Undecided(reason),
        }
    }

    fn source_ground(&self, source: &LinkSource, holds: Option<bool>, guarded: bool) -> Ground {
        let exception = if guarded { ", guardians aside" } else { "" };
        Ground {
            what: format!("strong link {}", source.id),
            verdict: Some(format!("{}{exception}", self.place(holds))),
            holds: holds.is_some(),
        }
    }

    fn conclusions_ground(&self, source: &LinkSource, holds: Option<bool>) -> Ground {
        Ground {
            what: format!("strong link {} with one true end", source.id),
            verdict: Some(self.place(holds)),
            holds: holds.is_some(),
        }
    }

    fn place(&self, holds: Option<bool>) -> String {
        match holds {
            Some(true) => "proved on every board".into(),
            Some(false) => format!("proved on {}", self.geometry.spec().name),
            None => "not proved".into(),
        }
    }

    /// Proves a link source, once.
    fn source(&self, source: &LinkSource, effort: &mut Effort) -> SourceProof {
        if let Some(known) = self.memo.0.borrow().sources.get(&source.id) {
            return *known;
        }
        let mut work = Work::default();
        let known = SourceProof {
            ends: self.source_holds(&as_rule(source, false), None, &mut work),
            concludes: self.source_holds(&as_rule(source, true), Some(source), &mut work),
        };
        effort.join(&work.effort);
        // A cancelled attempt says nothing about the source.
        if !self.halt.is_due() {
            self.memo.0.borrow_mut().sources.insert(source.id.clone(), known);
        }
        known
    }

    /// Returns true if the conclusions of a source, read as a rule, hold from its own facts or on the board. The link must
    /// be real even if it excludes nothing, because later links rest on it.
    fn source_holds(&self, variant: &Variant, one_end: Option<&LinkSource>, work: &mut Work) -> Option<bool> {
        let rule = Rule { variant, args: &[], unique: false };
        if let (None, Outcome::Proved(_)) = (one_end, self.anywhere(rule, work)) {
            return Some(true);
        }
        let limit = self.limits.board.max(self.limits.anywhere);
        let mut ask = |place: Place<'_>| -> Result<bool, Refusal> {
            let mut encoder = self.pose(place, rule, Chains::Ends)?;
            if let Some(source) = one_end {
                let both = [encoder.node_truth(source.left)?, encoder.node_truth(source.right)?];
                let same = encoder.circuit.same(both[0], both[1]);
                encoder.circuit.clause(&[!same]);
            }
            let wrong = encoder.violated(&variant.conclusions)?;
            let answer = encoder.solve(&[wrong], limit);
            work.effort.add(encoder.circuit.solver());
            Ok(answer == Answer::No)
        };
        if one_end.is_some() && matches!(ask(Place::Anywhere), Ok(true)) {
            return Some(true);
        }
        matches!(ask(Place::Board(self.geometry)), Ok(true)).then_some(false)
    }

    /// Records everything used under the assumptions of a rule, each with its own verdict, and returns true if all of it is
    /// proved on every board. `None` for a rule without assumptions.
    pub(super) fn means(&self, rule: Rule<'_>, work: &mut Work) -> Option<bool> {
        let mut every_board = None;
        for statement in &rule.variant.body {
            let Statement::Suppose(suppose) = statement else { continue };
            let here = match &suppose.by {
                InferenceMethods::Links { strong, .. } => self.links_hold(strong, work),
                InferenceMethods::Singles { .. } => {
                    work.grounds.lemmas(&BTreeSet::from([Lemma::Singles]));
                    true
                }
                InferenceMethods::Rules(rules) => {
                    work.grounds.lemmas(&BTreeSet::from([Lemma::Singles]));
                    let used: Vec<bool> = rules.iter().map(|one| self.rules_hold(one, rule.unique, work)).collect();
                    used.iter().all(|&every| every)
                }
            };
            every_board = Some(every_board.unwrap_or(true) && here);
        }
        every_board
    }

    fn links_hold(&self, strong: &[String], work: &mut Work) -> bool {
        let mut every_board = true;
        for name in strong {
            let known = match self.sources.iter().find(|source| source.id == *name) {
                Some(source) if source.pattern.guardians.is_empty() => {
                    let ends = self.source(source, &mut work.effort).ends;
                    work.grounds.add(self.source_ground(source, ends, false));
                    ends
                }
                found => {
                    let verdict = match found {
                        Some(_) => "holds but for its guardians: only rings may use it",
                        None => "is not declared",
                    };
                    let what = format!("strong link {name}");
                    work.grounds.add(Ground { what, verdict: Some(verdict.into()), holds: false });
                    None
                }
            };
            every_board &= known == Some(true);
        }
        every_board
    }

    fn rules_hold(&self, used: &RuleRef, unique: bool, work: &mut Work) -> bool {
        let missing = |verdict: &str| Ground {
            what: format!("technique {}", used.technique),
            verdict: Some(verdict.into()),
            holds: false,
        };
        let Some(technique) = self.rules.iter().find(|rule| rule.id == used.technique) else {
            work.grounds.add(missing("is not among the rules"));
            return false;
        };
        if technique.assumes_one_solution && !unique {
            work.grounds.add(missing("assumes one solution, which this rule does not say"));
            return false;
        }
        let named = |size: u32| -> Vec<Vec<u32>> {
            let wanted = |args: &Vec<u32>| used.args.as_ref().is_none_or(|wanted| wanted == args);
            technique.members(size).into_iter().filter(wanted).collect()
        };
        let members = named(self.geometry.size() as u32);
        if members.is_empty() {
            work.grounds.add(missing("has no such member on this board"));
        }
        // A larger board may have more members, of which nothing is asked here.
        let mut every_board = members == named(DIGITS as u32);
        for args in members {
            let proof = self.member_proof(technique, &args, &mut work.effort);
            every_board &= proof.every_board;
            work.grounds.add(proof.ground);
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
            let verdict = Some("inside itself, under one supposition more".into());
            return MemberProof { ground: Ground { what, verdict, holds: true }, every_board: false };
        }
        let mut worst: Option<(u8, MemberProof)> = None;
        for variant in 0..technique.variants.len() {
            let verdict = self.prove(technique, args, variant);
            effort.join(&verdict.effort);
            let holds = verdict.status.is_proved() || matches!(verdict.status, Status::Vacuous(_));
            let is_general = match &verdict.status {
                Status::Proved { every_board, .. } | Status::Supposed { every_board, sound: true } => *every_board,
                // The case may have matches on other boards.
                Status::Vacuous(_) => self.holds_anywhere(technique, args, variant),
                _ => false,
            };
            let rank = match (is_general, holds) {
                (true, _) => 0,
                (false, true) => 1,
                (false, false) => 2,
            };
            let mut words = verdict.status.words(self.geometry);
            if is_general && matches!(verdict.status, Status::Vacuous(_)) {
                words = format!("proved on every board, {words} on {}", self.geometry.spec().name);
            }
            let ground = Ground { what: what.clone(), verdict: Some(words), holds };
            if worst.as_ref().is_none_or(|(before, _)| *before < rank) {
                worst = Some((rank, MemberProof { ground, every_board: is_general }));
            }
        }
        let no_case = || Ground { what, verdict: Some("has no case".into()), holds: true };
        let proof = worst.map_or_else(|| MemberProof { ground: no_case(), every_board: false }, |(_, proof)| proof);
        let mut premises = self.memo.0.borrow_mut();
        if !premises.granted && !self.halt.is_due() {
            premises.members.insert(key, proof.clone());
        }
        proof
    }

    /// Returns true if the facts that a rule cites prove it, wherever it finds something.
    fn holds_anywhere(&self, technique: &Technique, args: &[u32], variant: usize) -> bool {
        let variant = &technique.variants[variant];
        let rule = Rule { variant, args, unique: technique.assumes_one_solution };
        let mut work = Work::default();
        self.means(rule, &mut work).is_none()
            && matches!(self.premises(rule, &mut work), Ok(true))
            && matches!(self.anywhere(rule, &mut work), Outcome::Proved(_))
    }
}

fn speaks_of_links(variant: &Variant, name: crate::lang::ir::VarId) -> bool {
    variant.conclusions.iter().any(|one| matches!(one.claim, Claim::Links { of, .. } if of == name))
}

/// A link source as a rule: both ends are there, and one is true, or what it concludes holds.
fn as_rule(source: &LinkSource, concludes: bool) -> Variant {
    let noun = |end: TrailNode| node(end.digit, end.cell);
    let mut variant = source.pattern.clone();
    for end in [source.left, source.right] {
        variant.body.push(Statement::Require(Condition::Some(noun(end))));
    }
    if !concludes {
        let ends = Expr::Union(vec![noun(source.left), noun(source.right)]);
        variant.conclusions = vec![Conclusion { claim: Claim::Some(ends), per: None }];
    }
    variant
}
