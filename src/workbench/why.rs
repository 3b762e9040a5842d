//! Why a technique matches. In: a match. Out: [`Why`]: the rule line by line, each with what makes it true.

use super::requirement::{Requirement, SourceLine, lines_of, requirements};
use super::subject::Seen;
use super::words::{Told, is_shown, value_text};
use crate::engine::{ChainNode, Lens, Value};
use crate::grid::{Candidate, DigitSet, Geometry, State, notation};
use crate::lang::ir::{Cases, Claim, Conclusion, Expr, Printer, Shows, Statement, Suppose, Technique, VarId, Variant};
use crate::render::eureka;
use crate::solve::{Deduction, Link, LinkTold, Rulebook, Step, ViewContext, claims_by_conclusion, links_told};
use serde::Serialize;
use std::collections::BTreeSet;

/// A match explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Why {
    /// What the match is called.
    pub name: String,
    /// The file of the rule.
    pub file: Option<String>,
    /// What the names stand for.
    pub names: Vec<(String, String)>,
    /// In the author's order.
    pub lines: Vec<Because>,
    /// What follows.
    pub shows: String,
}

/// A line of the rule with what makes it true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Because {
    /// Its number in the file, where it is known.
    pub line: Option<usize>,
    /// The line, or the words of its requirement.
    pub text: String,
    /// One for each thing that it demands.
    pub facts: Vec<String>,
}

/// Explains a match on a position.
pub fn why(rulebook: &Rulebook, techniques: &[Technique], geometry: &Geometry, state: &State, seen: &Seen) -> Why {
    // A joined step is explained by the first of those it joins.
    let part = seen.found.parts.first();
    let member = part.map_or(&seen.found.member, |part| &part.member);
    let bindings = part.map_or(&seen.found.bindings, |part| &part.bindings);
    let technique = &techniques[member.technique];
    let (variant, lines) = (&technique.variants[member.variant], lines_of(rulebook, &technique.id, member.variant));
    let lens = Lens::new(geometry.size(), member.space);
    let context = ViewContext::new(geometry, state, member.space);
    let told = Told::new((variant, &technique.params), &member.args, &context, bindings);
    let all = requirements(technique, member.variant, &lines);
    let printer = Printer { variant, params: &technique.params };
    let mut out = Lines { told: &told, printer: &printer, lines: Vec::new() };
    for (at, statement) in variant.body.iter().enumerate() {
        let line = lines.get(at).and_then(Option::as_ref);
        let mine: Vec<_> = all.iter().filter(|one| one.statement == at).collect();
        out.statement(statement, line, &mine, || links(geometry, &seen.step));
    }
    let said = part.is_none().then(|| claims_by_conclusion(&seen.found, technique, geometry, state));
    for (at, conclusion) in variant.conclusions.iter().enumerate() {
        let said = said.as_ref().map(|said| said[at].as_slice());
        let line = lines.get(variant.body.len() + at).and_then(Option::as_ref);
        out.add(line, &printer.conclusion(conclusion), vec![concluded(conclusion, said, &told, seen, geometry)]);
    }
    let names = (0..variant.vars.len()).map(VarId).filter(|&name| is_shown(variant, name));
    let named = |name: VarId| {
        let value = lens.value(bindings.get(name.0)?.as_ref()?);
        // Of the two names of a literal just one has a candidate.
        if value == Value::Candidates(Vec::new()) && is_literal(variant, name) {
            return None;
        }
        Some((variant.var(name).name.clone(), value_text(&value, geometry)))
    };
    Why {
        name: seen.step.name.clone(),
        file: rulebook.file_of(&technique.id).map(|file| file.name.clone()),
        names: names.filter_map(named).collect(),
        lines: out.lines,
        shows: notation::deductions(geometry, &seen.found.eliminations, &seen.found.placements),
    }
}

/// What has been explained so far.
struct Lines<'a> {
    told: &'a Told<'a>,
    printer: &'a Printer<'a>,
    lines: Vec<Because>,
}

impl Lines<'_> {
    /// Adds what makes a line true; what belongs to the line before is put there.
    fn add(&mut self, line: Option<&SourceLine>, words: &str, facts: Vec<String>) {
        let text = line.map_or(words, |line| &line.text).to_string();
        let line = line.map(|line| line.number);
        match self.lines.last_mut().filter(|last| last.line.is_some() && last.line == line) {
            Some(last) => last.facts.extend(facts),
            None => self.lines.push(Because { line, text, facts }),
        }
    }

    /// Adds a statement, whose requirements are `mine`; `links`: those of the step.
    fn statement(
        &mut self,
        statement: &Statement,
        line: Option<&SourceLine>,
        mine: &[&Requirement],
        links: impl Fn() -> Vec<String>,
    ) {
        let told = self.told;
        match statement {
            Statement::Let { var, value } => {
                let name = &told.variant.var(*var).name;
                let words = format!("let {name} = {}", self.printer.expr(value));
                self.add(line, &words, vec![format!("{name} is {}", told.value(value))]);
            }
            Statement::Chain(_) | Statement::Loop(_) => self.add(line, "the chain", links()),
            Statement::Cluster(cluster) => {
                self.add(line, "the cluster", cluster.colours.map(named_as(told)).to_vec());
            }
            Statement::Ring(ring) => {
                let some = "without them true and false would alternate, which is impossible around an odd loop";
                let guardians = format!("{}: {some}", named_as(told)(ring.guardians));
                self.add(line, "the ring", vec![named_as(told)(ring.name), guardians]);
            }
            Statement::Suppose(_) => self.add(line, "suppose", vec!["the cases are shown above".into()]),
            Statement::Choose(choose) if mine.is_empty() => {
                let fact = named_as(told)(choose.var);
                self.add(line, &told.variant.var(choose.var).name, vec![fact]);
            }
            _ => mine.iter().for_each(|one| self.add(line, &one.text, told.facts(&one.condition))),
        }
    }
}

/// Whether a name says what a literal says, or its opposite.
fn is_literal(variant: &Variant, name: VarId) -> bool {
    variant.body.iter().any(|line| match line {
        Statement::Suppose(Suppose { cases: Cases::Literal(one), .. })
        | Statement::Suppose(Suppose { shows: Shows::AllImply(one) | Shows::AllImplyWithout(one), .. }) => {
            one.holds == name || one.fails == name
        }
        _ => false,
    })
}

/// A name with what it stands for.
fn named_as<'t>(told: &'t Told<'_>) -> impl Fn(VarId) -> String + 't {
    |name| format!("{} is {}", told.variant.var(name).name, told.value(&Expr::Var(name)))
}

/// What a conclusion speaks of, and what follows; `said`: what it says of this match, if that is known.
fn concluded(
    conclusion: &Conclusion,
    said: Option<&[Deduction]>,
    told: &Told<'_>,
    seen: &Seen,
    geometry: &Geometry,
) -> String {
    let shows = notation::deductions(geometry, &seen.found.eliminations, &seen.found.placements);
    if let Some(said) = said.filter(|_| matches!(conclusion.claim, Claim::Eliminate(_) | Claim::Place(_))) {
        let lists = said.iter().flat_map(|one| match one {
            Deduction::Some(list) | Deduction::Eliminate(list) | Deduction::Place(list) => list,
        });
        let own: BTreeSet<Candidate> = lists.copied().collect();
        let among = |all: &[Candidate]| all.iter().copied().filter(|one| own.contains(one)).collect::<Vec<_>>();
        let (gone, placed) = (among(&seen.found.eliminations), among(&seen.found.placements));
        return match (gone.as_slice(), placed.as_slice()) {
            ([], []) => "here there is nothing of it".to_string(),
            _ => format!("so {}", notation::deductions(geometry, &gone, &placed)),
        };
    }
    let noun = conclusion.claim.noun();
    match (&conclusion.claim, &conclusion.per) {
        _ if seen.found.member.space != crate::lang::ir::Space::Rc => format!("so {shows}"),
        (Claim::Some(_), None) => format!("one of {} is true, so {shows}", told.value(&noun)),
        (Claim::Links { .. }, _) => format!("exactly one end of each link is true, so {shows}"),
        _ => format!("so {shows}"),
    }
}

/// A chain link by link.
fn links(geometry: &Geometry, step: &Step) -> Vec<String> {
    let mut out = Vec::new();
    if !step.chain.is_empty() {
        out.push(eureka(geometry, &step.chain));
    }
    for told in links_told(&step.chain, &step.cites) {
        let place = |node: &ChainNode| format!("({}){}", node.digit, notation::cells(geometry, &node.cells));
        let mark = if told.link.strong { '=' } else { '-' };
        let (from, to) = (place(&told.link.from), place(&told.link.to));
        out.push(format!("{from} {mark} {to}: {}", reason_of(geometry, step, &told)));
    }
    out
}

/// Why a link is one.
fn reason_of(geometry: &Geometry, step: &Step, told: &LinkTold<'_>) -> String {
    let Link { from, to, strong, house } = &told.link;
    let house = house.map(|house| geometry.house(house).to_string());
    let one_cell = (from.cells == to.cells && from.cells.len() == 1).then(|| notation::cell(geometry, from.cells[0]));
    match (strong, house, one_cell, told.via) {
        (true, Some(house), ..) => format!("not both false: the only places for {} in {house}", from.digit),
        (true, _, Some(cell), _) => format!("not both false: the only candidates of {cell}"),
        (true, _, _, Some(via)) => {
            let houses = via.houses.iter().map(|&one| geometry.house(one).to_string());
            let digits = via.cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | step.digits_of(cell));
            let cells = (!via.cells.is_empty())
                .then(|| format!("{} {{{}}}", notation::cells(geometry, &via.cells), notation::digits(digits)));
            format!("not both false: {} of {}", via.source, houses.chain(cells).collect::<Vec<_>>().join(", "))
        }
        (true, ..) => "not both false".into(),
        (false, Some(house), ..) => format!("not both true: both in {house}"),
        (false, _, Some(cell), _) => format!("not both true: both in {cell}"),
        (false, ..) => "not both true: each sees the other".into(),
    }
}
