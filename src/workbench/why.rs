//! Explains a match. In: a match, the text of the rule's file. Out: the [`Requirement`]s of the rule in the author's order, and
//! [`Why`]: the rule line by line, each with its requirements in sentences.

use super::question::{MatchedStep, shows};
use super::wording::{Wording, is_self_evident};
use crate::engine::Via;
use crate::grid::{Candidate, DigitSet, Geometry, State, notation};
use crate::lang::diagnostic::line_and_column;
use crate::lang::ir::{
    Choose, Claim, Conclusion, Condition, Expr, LinkShape, Node, Printer, Space, Statement, Technique, VarId, Variant,
};
use crate::solve::{CitedLink, Deduction, Rulebook, SourcedLink, Step, ViewContext, chain_links, claims_by_conclusion};
use serde::{Deserialize, Serialize};

/// A line of a rule file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLine {
    /// Counted from one.
    pub number: usize,
    /// Without the blanks around it.
    pub text: String,
}

/// One thing that must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Index of its statement in the body.
    pub statement: usize,
    /// Index among the conditions of that statement.
    pub part: usize,
    /// The condition; for a family, quantified over every index.
    pub condition: Condition,
    /// In the language's own words.
    pub text: String,
    /// Line of the requirement in the file.
    pub line: Option<SourceLine>,
}

/// The conditions of a statement, as parts that can be left out: none of a chain or a supposition, which are no
/// conditions on names.
pub fn parts(statement: &Statement, variant: &Variant) -> Vec<Condition> {
    statement.conditions(&variant.vars).into_owned()
}

/// Everything that a case of a technique demands of the names, in order.
pub fn requirements(technique: &Technique, case: usize, lines: &[Option<SourceLine>]) -> Vec<Requirement> {
    let variant = &technique.variants[case];
    let printer = Printer { variant, params: &technique.params };
    let mut out = Vec::new();
    for (statement, body) in variant.body.iter().enumerate() {
        for (part, condition) in parts(body, variant).into_iter().enumerate() {
            let text = printer.condition(&condition);
            let condition = match body {
                Statement::Choose(Choose { for_each: Some((index, of)), .. }) => {
                    Condition::ForAll(*index, of.clone(), Box::new(condition))
                }
                _ => condition,
            };
            out.push(Requirement { statement, part, condition, text, line: lines.get(statement).cloned().flatten() });
        }
    }
    out
}

/// The lines on which the statements of a case of a technique stand, in the order of its body, then its conclusions.
pub fn lines_of(rulebook: &Rulebook, technique: &str, case: usize) -> Vec<Option<SourceLine>> {
    let Some(file) = rulebook.file_of(technique) else { return Vec::new() };
    let places = rulebook.places(technique);
    places.get(case).map_or_else(Vec::new, |all| all.iter().map(|place| line_at(&file.text, place.start)).collect())
}

/// The line of a text on which a byte stands.
fn line_at(text: &str, at: usize) -> Option<SourceLine> {
    let (number, _) = line_and_column(text, at);
    let line = text.lines().nth(number - 1)?;
    // For a line that opens a block, only the line's own words.
    let text = line.trim().trim_end_matches('{').trim_end().to_string();
    Some(SourceLine { number, text })
}

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
    pub lines: Vec<ExplainedLine>,
    /// Conclusion of the match.
    pub shows: String,
}

/// A line of the rule with what makes it true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainedLine {
    /// Line number in the file, if known.
    pub line: Option<usize>,
    /// The line, or the words of its requirement.
    pub text: String,
    /// A sentence for each thing that it demands, in the field's words and none of the rule's.
    pub facts: Vec<String>,
}

/// Explains a match on a position.
pub fn why(
    rulebook: &Rulebook,
    techniques: &[Technique],
    geometry: &Geometry,
    state: &State,
    seen: &MatchedStep,
) -> Why {
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
        add(&mut lines, line, &printer.conclusion(conclusion), concluded(conclusion, said, &wording, seen, geometry));
    }
    Why {
        name: seen.step.name.clone(),
        file: rulebook.file_of(&technique.id).map(|file| file.name.clone()),
        names: wording.names(),
        lines,
        shows: shows(geometry, &seen.found),
    }
}

/// Requirements of a case of a rule on the values of its names, line by line; `links` are those of the step.
pub fn demanded(
    (technique, case): (&Technique, usize),
    wording: &Wording<'_>,
    numbers: &[Option<SourceLine>],
    links: impl Fn() -> Vec<String>,
) -> Vec<ExplainedLine> {
    let variant = &technique.variants[case];
    let printer = Printer { variant, params: &technique.params };
    let all = requirements(technique, case, numbers);
    let mut out = Vec::new();
    for (at, statement) in variant.body.iter().enumerate() {
        let line = numbers.get(at).and_then(Option::as_ref);
        let (words, facts) = match statement {
            Statement::Let { var, value } => {
                let words = format!("let {} = {}", variant.var(*var).name, printer.expr(value));
                (words, defined(wording, at, *var, value))
            }
            Statement::Graph(graph) => match &graph.shape {
                LinkShape::Chain(_) | LinkShape::Loop(_) => ("the chain".into(), links()),
                LinkShape::Cluster(cluster) => {
                    let [a, b] = cluster.colours.map(|colour| wording.quantified(true, &Expr::Var(colour)));
                    ("the cluster".into(), vec![format!("just one is true: {a}, or {b}")])
                }
                LinkShape::Ring(ring) => {
                    let [ring, guardians] = [ring.name, ring.guardians].map(|name| wording.value(&Expr::Var(name)));
                    let odd = format!("true and false would alternate around the odd loop {ring}, which is impossible");
                    ("the ring".into(), vec![format!("without {guardians}, {odd}")])
                }
            },
            Statement::Suppose(_) => ("suppose".into(), Vec::new()),
            Statement::Choose(choose) => (variant.var(choose.var).name.clone(), Vec::new()),
            Statement::Require(_) | Statement::Trail(_) => (String::new(), Vec::new()),
        };
        if !words.is_empty() {
            add(&mut out, line, &words, facts);
        }
        for one in all.iter().filter(|one| one.statement == at) {
            add(&mut out, line, &one.text, wording.facts(&one.condition));
        }
    }
    out
}

/// Adds facts to a line; facts of the last line are added to it.
fn add(lines: &mut Vec<ExplainedLine>, line: Option<&SourceLine>, words: &str, facts: Vec<String>) {
    let text = line.map_or(words, |line| &line.text).to_string();
    let line = line.map(|line| line.number);
    match lines.last_mut().filter(|last| last.line.is_some() && last.line == line) {
        Some(last) => last.facts.extend(facts),
        None => lines.push(ExplainedLine { line, text, facts }),
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
        Expr::Filter { .. } => wording.facts(&Condition::Within(Expr::Var(name), value.clone())),
        _ if said == is => Vec::new(),
        _ => vec![format!("{said}: {is}")],
    }
}

/// Conclusion in words; `said` is its effect in this match, if known.
fn concluded(
    conclusion: &Conclusion,
    said: Option<&[Deduction]>,
    wording: &Wording<'_>,
    seen: &MatchedStep,
    geometry: &Geometry,
) -> Vec<String> {
    let noun = conclusion.claim.candidates();
    let because = match (&conclusion.claim, &conclusion.for_each) {
        _ if seen.found.member.space != Space::Rc => String::new(),
        (Claim::Some(_), None) if wording.size(&noun) == 1 => format!("{} is true, ", wording.value(&noun)),
        (Claim::Some(_), None) => format!("one of {} is true, ", wording.value(&noun)),
        (Claim::Links { .. }, _) => "exactly one end of each link is true, ".into(),
        _ => String::new(),
    };
    // The effects of a loop's strong links belong to no single conclusion.
    let all = matches!(conclusion.claim, Claim::Links { .. }) || !wording.variant.guardians.is_empty();
    let said = said.filter(|_| !all);
    let [eliminated, placed] =
        [(&seen.found.eliminations, false), (&seen.found.placements, true)].map(|(list, place)| {
            let own = list.iter().copied().filter(|one| said.is_none_or(|said| claims(geometry, said, *one, place)));
            own.collect::<Vec<_>>()
        });
    if eliminated.is_empty() && placed.is_empty() {
        return Vec::new();
    }
    vec![format!("{because}so {}", notation::deductions(geometry, &eliminated, &placed))]
}

/// Returns true if one of the deductions eliminates or places a candidate.
fn claims(geometry: &Geometry, said: &[Deduction], one: Candidate, place: bool) -> bool {
    said.iter().any(|said| match said {
        Deduction::Some(list) if place => list.as_slice() == [one],
        Deduction::Some(list) => list.iter().all(|other| geometry.excludes(*other, one)),
        Deduction::Eliminate(list) => list.contains(&one) && !place,
        Deduction::Place(list) => list.contains(&one) && place,
    })
}

/// A chain link by link.
fn links(geometry: &Geometry, step: &Step) -> Vec<String> {
    let mut out = Vec::new();
    for sourced in chain_links(&step.chain, &step.cites) {
        let mark = if sourced.link.strong { '=' } else { '-' };
        let [from, to] = [&sourced.link.from, &sourced.link.to]
            .map(|node| format!("({}){}", node.digit, notation::cells(geometry, &node.cells)));
        out.push(format!("{from} {mark} {to}: {}", reason_of(geometry, step, &sourced)));
    }
    out
}

/// The reason why a link holds.
fn reason_of(geometry: &Geometry, step: &Step, sourced: &SourcedLink<'_>) -> String {
    let CitedLink { from, to, strong, house } = &sourced.link;
    let strength = if *strong { "not both false" } else { "not both true" };
    let one_cell = (from.cells == to.cells && from.cells.len() == 1).then(|| notation::cell(geometry, from.cells[0]));
    let reason = match (house.map(|house| geometry.house(house).to_string()), one_cell) {
        (Some(house), _) if *strong => format!("the only places for {} in {house}", from.digit),
        (Some(house), _) => format!("both in {house}"),
        (None, Some(cell)) if *strong => format!("the only candidates of {cell}"),
        (None, Some(cell)) => format!("both in {cell}"),
        (None, None) if *strong => match sourced.via {
            Some(via) => source_of(geometry, step, via, &sourced.link),
            None => return strength.into(),
        },
        (None, None) => "each sees the other".into(),
    };
    format!("{strength}: {reason}")
}

/// The cells and houses from which a strong link comes.
fn source_of(geometry: &Geometry, step: &Step, via: &Via, CitedLink { from, to, .. }: &CitedLink) -> String {
    let houses = notation::houses_in_words(geometry, &via.houses);
    let mut places = via.cells.iter().filter(|&&cell| step.digits_of(cell).has(from.digit));
    if from.digit == to.digit
        && via.houses.len() == 1
        && places.all(|cell| from.cells.contains(cell) || to.cells.contains(cell))
    {
        return format!("the only places for {} in {houses}", from.digit);
    }
    let digits = via.cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | step.digits_of(cell));
    let cells = format!("{} {{{}}}", notation::cells(geometry, &via.cells), notation::digits_short(digits));
    let parts = [cells, houses].into_iter().filter(|part| !part.is_empty() && part != " {}");
    format!("from {}", parts.collect::<Vec<_>>().join(" in "))
}
