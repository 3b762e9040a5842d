//! Explains a match. In: a match. Out: [`Why`]: the rule line by line, each with its requirements in sentences.

use super::noun::is_self_evident;
use super::question::Seen;
use super::requirement::{SourceLine, lines_of, requirements};
use super::words::Wording;
use crate::engine::ChainNode;
use crate::grid::{Candidate, DigitSet, Geometry, State, notation};
use crate::lang::ir::{
    Claim, Conclusion, Condition, Expr, LinkShape, Node, Printer, Space, Statement, Technique, VarId,
};
use crate::solve::{CitedLink, Deduction, Rulebook, SourcedLink, Step, ViewContext, chain_links, claims_by_conclusion};
use serde::{Deserialize, Serialize};

/// A match explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Why {
    /// Name of the step.
    pub name: String,
    /// The file of the rule.
    pub file: Option<String>,
    /// Each name with what it stands for.
    pub names: Vec<(String, String)>,
    /// In the author's order.
    pub lines: Vec<Because>,
    /// Conclusion of the match.
    pub shows: String,
}

/// A line of the rule with what makes it true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Because {
    /// Line number in the file, if known.
    pub line: Option<usize>,
    /// The line, or the words of its requirement.
    pub text: String,
    /// A sentence for each thing that it demands, in the field's words and none of the rule's.
    pub facts: Vec<String>,
}

/// Explains a match on a position.
pub fn why(rulebook: &Rulebook, techniques: &[Technique], geometry: &Geometry, state: &State, seen: &Seen) -> Why {
    // A joined step is explained by the first of its parts.
    let part = seen.found.parts.first();
    let member = part.map_or(&seen.found.member, |part| &part.member);
    let bindings = part.map_or(&seen.found.bindings, |part| &part.bindings);
    let technique = &techniques[member.technique];
    let (variant, numbers) = (&technique.variants[member.variant], lines_of(rulebook, &technique.id, member.variant));
    let printer = Printer { variant, params: &technique.params };
    let context = ViewContext::new(geometry, state, member.space);
    let wording = Wording::new(variant, &member.args, &context, bindings);
    let mut lines = demanded((technique, member.variant), &wording, &numbers, || links(geometry, &seen.step));
    let said = part.is_none().then(|| claims_by_conclusion(&seen.found, technique, geometry, state));
    for (at, conclusion) in variant.conclusions.iter().enumerate() {
        let said = said.as_ref().map(|said| said[at].as_slice());
        let line = numbers.get(variant.body.len() + at).and_then(Option::as_ref);
        let facts = concluded(conclusion, said, &wording, seen, geometry);
        add(&mut lines, line, &printer.conclusion(conclusion), facts);
    }
    Why {
        name: seen.step.name.clone(),
        file: rulebook.file_of(&technique.id).map(|file| file.name.clone()),
        names: wording.names(),
        lines,
        shows: notation::deductions(geometry, &seen.found.eliminations, &seen.found.placements),
    }
}

/// Requirements of a case of a rule on the values of its names, line by line; `links` are those of the step.
pub fn demanded(
    (technique, case): (&Technique, usize),
    wording: &Wording<'_>,
    numbers: &[Option<SourceLine>],
    links: impl Fn() -> Vec<String>,
) -> Vec<Because> {
    let variant = &technique.variants[case];
    let printer = Printer { variant, params: &technique.params };
    let all = requirements(technique, case, numbers);
    let mut out = Vec::new();
    for (at, statement) in variant.body.iter().enumerate() {
        let line = numbers.get(at).and_then(Option::as_ref);
        let mut put = |words: &str, facts: Vec<String>| add(&mut out, line, words, facts);
        match statement {
            Statement::Let { var, value } => {
                let words = format!("let {} = {}", variant.var(*var).name, printer.expr(value));
                put(&words, defined(wording, at, *var, value));
            }
            Statement::Graph(graph) => match &graph.shape {
                LinkShape::Chain(_) | LinkShape::Loop(_) => put("the chain", links()),
                LinkShape::Cluster(cluster) => {
                    let [a, b] = cluster.colours.map(|colour| wording.quantified(true, &Expr::Var(colour)));
                    put("the cluster", vec![format!("just one is true: {a}, or {b}")]);
                }
                LinkShape::Ring(ring) => {
                    let [ring, guardians] = [ring.name, ring.guardians].map(|name| wording.value(&Expr::Var(name)));
                    let odd = format!("true and false would alternate around the odd loop {ring}, which is impossible");
                    put("the ring", vec![format!("without {guardians}, {odd}")]);
                }
            },
            Statement::Suppose(_) => put("suppose", Vec::new()),
            Statement::Choose(choose) => put(&variant.var(choose.var).name, Vec::new()),
            Statement::Require(_) | Statement::Trail(_) => {}
        }
        for one in all.iter().filter(|one| one.statement == at) {
            put(&one.text, wording.facts(&one.condition));
        }
    }
    out
}

/// Adds facts to a line; facts of the last line are added to it.
fn add(lines: &mut Vec<Because>, line: Option<&SourceLine>, words: &str, facts: Vec<String>) {
    let text = line.map_or(words, |line| &line.text).to_string();
    let line = line.map(|line| line.number);
    match lines.last_mut().filter(|last| last.line.is_some() && last.line == line) {
        Some(last) => last.facts.extend(facts),
        None => lines.push(Because { line, text, facts }),
    }
}

/// Definition of a name, if a requirement or conclusion uses the name and its value alone doesn't explain it.
fn defined(wording: &Wording<'_>, at: usize, name: VarId, value: &Expr) -> Vec<String> {
    let variant = wording.variant;
    let mut names: Vec<VarId> = variant.nodes().skip(at + 1).flat_map(Node::names).collect();
    names.extend(&variant.guardians);
    let (said, is) = (wording.noun(value).text, wording.value(value));
    match value {
        _ if is_self_evident(value) || !names.contains(&name) => Vec::new(),
        Expr::Those { .. } => wording.facts(&Condition::Within(Expr::Var(name), value.clone())),
        _ if said == is => Vec::new(),
        _ => vec![format!("{said}: {is}")],
    }
}

/// Conclusion in words; `said` is its effect in this match, if known.
fn concluded(
    conclusion: &Conclusion,
    said: Option<&[Deduction]>,
    wording: &Wording<'_>,
    seen: &Seen,
    geometry: &Geometry,
) -> Vec<String> {
    let (eliminated, placed) = (&seen.found.eliminations, &seen.found.placements);
    let noun = conclusion.claim.noun();
    let because = match (&conclusion.claim, &conclusion.per) {
        _ if seen.found.member.space != Space::Rc => String::new(),
        (Claim::Some(_), None) if wording.size(&noun) == 1 => format!("{} is true, ", wording.value(&noun)),
        (Claim::Some(_), None) => format!("one of {} is true, ", wording.value(&noun)),
        (Claim::Links { .. }, _) => "exactly one end of each link is true, ".into(),
        _ => String::new(),
    };
    let own = |one: &Candidate, place: bool| {
        said.is_none_or(|said| {
            said.iter().any(|said| match said {
                Deduction::Some(list) if place => list.as_slice() == [*one],
                Deduction::Some(list) => list.iter().all(|other| geometry.excludes(*other, *one)),
                Deduction::Eliminate(list) => list.contains(one) && !place,
                Deduction::Place(list) => list.contains(one) && place,
            })
        })
    };
    // The effects of a loop's strong links belong to no single conclusion.
    let all = matches!(conclusion.claim, Claim::Links { .. }) || !wording.variant.guardians.is_empty();
    let among =
        |list: &[Candidate], place| list.iter().copied().filter(|one| all || own(one, place)).collect::<Vec<_>>();
    let (eliminated, placed) = (among(eliminated, false), among(placed, true));
    if eliminated.is_empty() && placed.is_empty() {
        return Vec::new();
    }
    vec![format!("{because}so {}", notation::deductions(geometry, &eliminated, &placed))]
}

/// A chain link by link.
fn links(geometry: &Geometry, step: &Step) -> Vec<String> {
    let mut out = Vec::new();
    for told in chain_links(&step.chain, &step.cites) {
        let place = |node: &ChainNode| format!("({}){}", node.digit, notation::cells(geometry, &node.cells));
        let mark = if told.link.strong { '=' } else { '-' };
        let (from, to) = (place(&told.link.from), place(&told.link.to));
        out.push(format!("{from} {mark} {to}: {}", reason_of(geometry, step, &told)));
    }
    out
}

/// Why a link is one.
fn reason_of(geometry: &Geometry, step: &Step, told: &SourcedLink<'_>) -> String {
    let CitedLink { from, to, strong, house } = &told.link;
    let house = house.map(|house| geometry.house(house).to_string());
    let one_cell = (from.cells == to.cells && from.cells.len() == 1).then(|| notation::cell(geometry, from.cells[0]));
    match (strong, house, one_cell, told.via) {
        (true, Some(house), ..) => format!("not both false: the only places for {} in {house}", from.digit),
        (true, _, Some(cell), _) => format!("not both false: the only candidates of {cell}"),
        (true, _, _, Some(via)) => {
            let all = via.cells.iter().filter(|&&cell| step.digits_of(cell).has(from.digit));
            let ends = || from.cells.iter().chain(&to.cells);
            let houses = notation::houses_in_words(geometry, &via.houses);
            if from.digit == to.digit && via.houses.len() == 1 && all.clone().all(|cell| ends().any(|end| end == cell))
            {
                return format!("not both false: the only places for {} in {houses}", from.digit);
            }
            let digits = via.cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | step.digits_of(cell));
            let cells = format!("{} {{{}}}", notation::cells(geometry, &via.cells), notation::digits_short(digits));
            let parts = [cells, houses].into_iter().filter(|part| !part.is_empty() && part != " {}");
            format!("not both false: from {}", parts.collect::<Vec<_>>().join(" in "))
        }
        (true, ..) => "not both false".into(),
        (false, Some(house), ..) => format!("not both true: both in {house}"),
        (false, _, Some(cell), _) => format!("not both true: both in {cell}"),
        (false, ..) => "not both true: each sees the other".into(),
    }
}
