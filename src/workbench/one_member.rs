//! One member of a technique, searched as it is and with its requirements weakened. In: what is asked, a member, a
//! match of a weaker rule. Out: the [`Miss`] that this match is, and what its mending needs.

use super::asked::{Asked, shows};
use super::mend::{Near, without_one};
use super::miss::Miss;
use super::requirement::{Requirement, SourceLine, lines_of, requirements};
use super::subject::{Seen, Subject, only_member};
use super::weaken::Weaker;
use super::words::Told;
use crate::engine::MemberId;
use crate::lang::ir::{Printer, Statement, Technique, Variant};
use crate::render::{headline, pattern};
use crate::solve::ViewContext;

/// One member of the technique.
pub(super) struct OneMember<'a> {
    pub(super) asked: &'a Asked<'a>,
    pub(super) member: &'a MemberId,
    used: Vec<Technique>,
    pub(super) lines: Vec<Option<SourceLine>>,
    pub(super) requirements: Vec<Requirement>,
}

impl<'a> OneMember<'a> {
    pub(super) fn new(asked: &'a Asked<'a>, member: &'a MemberId) -> OneMember<'a> {
        let lines = lines_of(asked.rulebook, &asked.technique.id, member.variant);
        OneMember {
            used: asked.rulebook.with_used(vec![asked.technique.clone()]).split_off(1),
            requirements: requirements(asked.technique, member.variant, &lines),
            asked,
            member,
            lines,
        }
    }

    /// The member with another pattern in place of its own.
    pub(super) fn subject(&self, variant: Variant) -> Option<Subject> {
        let own = only_member(self.asked.technique, self.member, variant);
        let techniques = std::iter::once(own).chain(self.used.iter().cloned()).collect();
        Subject::new(techniques, self.asked.rulebook.sources(), self.asked.geometry)
    }

    pub(super) fn wanted(&self) -> impl Fn(&MemberId) -> bool + use<'a> {
        let space = self.member.space;
        move |member: &MemberId| member.space == space
    }

    pub(super) fn variant(&self) -> &'a Variant {
        &self.asked.technique.variants[self.member.variant]
    }

    /// What is missing in a match of a weaker rule; nothing where more than one requirement fails.
    pub(super) fn miss(&self, weaker: &Weaker, seen: Seen) -> Option<(Miss, Seen, Near)> {
        let (variant, geometry) = (self.variant(), self.asked.geometry);
        let context = ViewContext::new(geometry, self.asked.state, self.member.space);
        let told = Told::new(variant, &self.member.args, &context, &seen.found.bindings).until(self.asked.enough);
        let failing = self.failing(weaker, &told)?;
        let all = self.demands();
        let changed = weaker.change.as_ref().unwrap_or(&weaker.near).clone();
        let changed = weaker.statement.map(|_| Box::new(only_member(self.asked.technique, self.member, changed)));
        let would = if weaker.statement.is_some() { shows(geometry, &seen) } else { String::new() };
        let miss = Miss {
            name: seen.step.name.clone(),
            pattern: pattern(geometry, &seen.step).to_string(),
            names: told.names(),
            met: (all - usize::from(weaker.statement.is_some()), all),
            requirement: failing.text,
            line: failing.line.map(|line| line.number),
            fails: failing.words,
            would,
            distance: failing.distance,
            mend: None,
            change: weaker.words.clone(),
            changed,
            scene: None,
            verdict: None,
        };
        Some((miss, seen, self.near(weaker)))
    }

    /// What the mending has to know of a weaker rule.
    fn near(&self, weaker: &Weaker) -> Near {
        Near {
            technique: only_member(self.asked.technique, self.member, self.variant().clone()),
            member: self.member.clone(),
            requirements: self.requirements.clone(),
            by: weaker.statement.map(|at| (at, weaker.part)),
            together: weaker.together,
        }
    }

    /// How many things the rule demands.
    fn demands(&self) -> usize {
        self.requirements.len() + self.variant().body.iter().filter(|one| is_graph(one)).count()
    }

    /// What fails in a match of a weaker rule; nothing where more than what it dropped does.
    fn failing(&self, weaker: &Weaker, told: &Told<'_>) -> Option<Failing> {
        let failing: Vec<&Requirement> =
            self.requirements.iter().filter(|one| !told.evaluator.holds(&one.condition)).collect();
        let graph = weaker.statement.filter(|&at| is_graph(&self.variant().body[at]));
        let together = |at: usize| weaker.together && failing.iter().all(|one| one.statement == at);
        match (failing.as_slice(), weaker.statement) {
            ([one, rest @ ..], Some(at)) if rest.is_empty() || together(at) => {
                let (words, distance) = told.fails(&one.condition);
                Some(Failing { text: one.text.clone(), line: one.line.clone(), words, distance })
            }
            ([], Some(_)) => {
                let line = self.lines.get(graph?).cloned().flatten();
                let text = line.as_ref().map_or_else(|| "the chain".into(), |line| line.text.clone());
                let what = graph_word(&self.variant().body[graph?]);
                let words = format!("missing: such a {what}; there is one {}", weaker.plainly);
                Some(Failing { text, line, words, distance: 2 })
            }
            ([], None) => Some(self.no_effect()),
            _ => None,
        }
    }

    /// Of a chain and its like, where a deduction is asked for: the candidates without which it would be there. What its
    /// nodes would be is not known before, so each candidate is taken away in turn.
    pub(super) fn closed(&self) -> Vec<Miss> {
        let (variant, asked) = (self.variant(), self.asked);
        let graph = variant.body.iter().position(is_graph);
        let wanted = !(asked.eliminate.is_empty() && asked.place.is_empty());
        let (Some(at), true) = (graph, wanted) else { return Vec::new() };
        let Some(subject) = self.subject(variant.clone()) else { return Vec::new() };
        let line = self.lines.get(at).cloned().flatten();
        let all = self.demands();
        let mut out = Vec::new();
        for (mend, seen) in without_one(asked, &subject, &self.wanted()) {
            out.push(Miss {
                name: seen.step.name.clone(),
                pattern: String::new(),
                names: Vec::new(),
                met: (all - 1, all),
                requirement: line.as_ref().map_or_else(|| "the chain".into(), |line| line.text.clone()),
                line: line.as_ref().map(|line| line.number),
                fails: format!("missing: {}", headline(asked.geometry, &seen.step)),
                would: mend.shows.clone(),
                distance: 1,
                mend: Some(mend),
                change: String::new(),
                changed: None,
                scene: None,
                verdict: None,
            });
        }
        out
    }

    /// The pattern is there and shows nothing.
    fn no_effect(&self) -> Failing {
        let printer = Printer { variant: self.variant(), params: &self.asked.technique.params };
        let all: Vec<String> = self.variant().conclusions.iter().map(|one| printer.conclusion(one)).collect();
        let words = "missing: a candidate to eliminate or place; what follows is so already".to_string();
        Failing { text: all.join("; "), line: None, words, distance: 2 }
    }
}

/// The requirement that fails: its words, its line, what makes it fail, and how far off it is.
struct Failing {
    text: String,
    line: Option<SourceLine>,
    words: String,
    distance: usize,
}

/// What it is called.
pub(super) fn graph_word(statement: &Statement) -> &'static str {
    match statement {
        Statement::Chain(_) => "chain",
        Statement::Loop(_) => "loop",
        Statement::Cluster(_) => "cluster of strong links",
        Statement::Ring(_) => "odd loop",
        _ => "supposition",
    }
}

pub(super) fn is_graph(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Chain(_) | Statement::Loop(_) | Statement::Cluster(_) | Statement::Ring(_) | Statement::Suppose(_)
    )
}
