//! Explains a match. In: a match, the text of the rule file. Out: the [`Requirement`]s of the rule in the author's order, and [`Why`]: the
//! rule line by line, each line with sentences about its requirements.

use super::question::{MatchedStep, deduction_text};
use super::wording::{Wording, is_self_evident};
use crate::engine::SourceMatch;
use crate::grid::{Candidate, DigitSet, Geometry, State, notation};
use crate::lang::diagnostic::line_and_column;
use crate::lang::ir::{
    Choose, Claim, Conclusion, Condition, Expr, LinkShape, Node, Printer, Space, Statement, Technique, VarId, Variant,
};
use crate::solve::{
    CitedLink, Deduction, Rulebook, SourcedLink, Step, ViewedPosition, chain_links, claims_by_conclusion,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLine {
    pub number: usize,
    /// The text without surrounding blanks.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Index of the statement in the body of the variant.
    pub statement_index: usize,
    /// Index of the condition in [`conditions_of`] the statement.
    pub condition_index: usize,
    /// The condition. For a family, it is quantified over every index.
    pub condition: Condition,
    pub text: String,
    pub line: Option<usize>,
}

/// Returns the conditions of a statement that can be dropped one by one. Chains and suppositions have none.
pub fn conditions_of(statement: &Statement, variant: &Variant) -> Vec<Condition> {
    statement.conditions(&variant.vars).into_owned()
}

/// Returns the requirements of a variant of a technique, in order. `lines` are the source lines of its statements.
pub fn requirements(technique: &Technique, variant_index: usize, lines: &[Option<SourceLine>]) -> Vec<Requirement> {
    let variant = &technique.variants[variant_index];
    let printer = Printer { variant, params: &technique.params };
    let mut out = Vec::new();
    for (statement_index, statement) in variant.body.iter().enumerate() {
        for (condition_index, condition) in conditions_of(statement, variant).into_iter().enumerate() {
            let text = printer.condition(&condition);
            let condition = match statement {
                Statement::Choose(Choose { for_each: Some((index, range)), .. }) => {
                    Condition::ForAll(*index, range.clone(), Box::new(condition))
                }
                _ => condition,
            };
            let line = lines.get(statement_index).and_then(Option::as_ref).map(|line| line.number);
            out.push(Requirement { statement_index, condition_index, condition, text, line });
        }
    }
    out
}

/// Returns the source lines of a variant: of its statements in order, then of its conclusions.
pub fn lines_of(rulebook: &Rulebook, technique: &str, variant_index: usize) -> Vec<Option<SourceLine>> {
    let Some(file) = rulebook.file_of(technique) else { return Vec::new() };
    let spans_by_variant = rulebook.statement_spans(technique);
    let Some(spans) = spans_by_variant.get(variant_index) else { return Vec::new() };
    spans.iter().map(|span| line_at(&file.text, span.start)).collect()
}

fn line_at(text: &str, offset: usize) -> Option<SourceLine> {
    let (number, _) = line_and_column(text, offset);
    let line = text.lines().nth(number - 1)?;
    // The brace of a line that opens a block is dropped.
    let text = line.trim().trim_end_matches('{').trim_end().to_string();
    Some(SourceLine { number, text })
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Why {
    pub name: String,
    pub file: Option<String>,
    /// Names of the rule, each with the text of its value.
    pub names: Vec<(String, String)>,
    pub lines: Vec<ExplainedLine>,
    pub shows: String,
}

/// A line of the rule with the facts that satisfy it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainedLine {
    /// Line number in the file, if known.
    pub line: Option<usize>,
    /// Text of the line or, if the line is unknown, of its requirement.
    pub text: String,
    /// Sentences that contain values, but no names of the rule.
    pub facts: Vec<String>,
}

pub fn why(
    rulebook: &Rulebook,
    techniques: &[Technique],
    geometry: &Geometry,
    state: &State,
    matched: &MatchedStep,
) -> Why {
    // A step of several matches is explained by the first of them.
    let part = matched.rule_match.parts.first();
    let member = part.map_or(&matched.rule_match.member, |part| &part.member);
    let bindings = part.map_or(&matched.rule_match.bindings, |part| &part.bindings);
    let technique = &techniques[member.technique];
    let variant = &technique.variants[member.variant];
    let source_lines = lines_of(rulebook, &technique.id, member.variant);
    let printer = Printer { variant, params: &technique.params };
    let context = ViewedPosition::new(geometry, state, member.space);
    let wording = Wording::new(variant, &member.args, &context, bindings);
    let links = link_facts(geometry, &matched.step);
    let mut lines = explain_body(technique, member.variant, &wording, &source_lines, &links);
    // The effects of a match with several parts cannot be assigned to the conclusions of one part.
    let claims = match part {
        Some(_) => None,
        None => Some(claims_by_conclusion(&matched.rule_match, technique, geometry, state)),
    };
    for (index, conclusion) in variant.conclusions.iter().enumerate() {
        let claims = claims.as_ref().map(|claims| claims[index].as_slice());
        let line = source_lines.get(variant.body.len() + index).and_then(Option::as_ref);
        let facts = conclusion_facts(conclusion, claims, &wording, matched, geometry);
        add_facts(&mut lines, line, &printer.conclusion(conclusion), facts);
    }
    Why {
        name: matched.step.name.clone(),
        file: rulebook.file_of(&technique.id).map(|file| file.name.clone()),
        names: wording.names(),
        lines,
        shows: deduction_text(geometry, &matched.rule_match),
    }
}

/// Explains the body of a variant of a rule, line by line. `source_lines` are the lines of its statements; `links` are sentences about the
/// links of the match's chain.
pub(super) fn explain_body(
    technique: &Technique,
    variant_index: usize,
    wording: &Wording<'_>,
    source_lines: &[Option<SourceLine>],
    links: &[String],
) -> Vec<ExplainedLine> {
    let variant = &technique.variants[variant_index];
    let printer = Printer { variant, params: &technique.params };
    let requirements = requirements(technique, variant_index, source_lines);
    let mut lines = Vec::new();
    for (index, statement) in variant.body.iter().enumerate() {
        let line = source_lines.get(index).and_then(Option::as_ref);
        // `words` is used if the line is unknown.
        let (words, facts) = match statement {
            Statement::Let { var, value } => {
                let words = format!("let {} = {}", variant.var(*var).name, printer.expr(value));
                (words, definition_facts(wording, index, *var, value))
            }
            Statement::Graph(graph) => match &graph.shape {
                LinkShape::Chain(_) | LinkShape::Loop(_) => ("the chain".into(), links.to_vec()),
                LinkShape::Cluster(cluster) => {
                    let [a, b] = cluster.colours.map(|colour| wording.quantified(true, &Expr::Var(colour)));
                    ("the cluster".into(), vec![format!("just one is true: {a}, or {b}")])
                }
                LinkShape::Ring(ring) => {
                    let [ring, guardians] =
                        [ring.name, ring.guardians].map(|name| wording.value_text(&Expr::Var(name)));
                    let odd = format!("true and false would alternate around the odd loop {ring}, which is impossible");
                    ("the ring".into(), vec![format!("without {guardians}, {odd}")])
                }
            },
            Statement::Suppose(_) => ("suppose".into(), Vec::new()),
            Statement::Choose(choose) => (variant.var(choose.var).name.clone(), Vec::new()),
            Statement::Require(_) | Statement::FixedChain(_) => (String::new(), Vec::new()),
        };
        if !words.is_empty() {
            add_facts(&mut lines, line, &words, facts);
        }
        for requirement in requirements.iter().filter(|requirement| requirement.statement_index == index) {
            add_facts(&mut lines, line, &requirement.text, wording.facts(&requirement.condition));
        }
    }
    lines
}

/// Adds facts to the last line if they belong to its source line. If not, appends a line. `words` is the text of a line
/// without a known source line.
fn add_facts(lines: &mut Vec<ExplainedLine>, source: Option<&SourceLine>, words: &str, facts: Vec<String>) {
    if let (Some(source), Some(last)) = (source, lines.last_mut())
        && last.line == Some(source.number)
    {
        last.facts.extend(facts);
        return;
    }
    let text = source.map_or(words, |source| &source.text).to_string();
    lines.push(ExplainedLine { line: source.map(|source| source.number), text, facts });
}

/// Explains the definition of a name in a `let`. Empty if the rest of the rule does not use the name, or if the value explains itself.
fn definition_facts(wording: &Wording<'_>, statement_index: usize, name: VarId, definition: &Expr) -> Vec<String> {
    let variant = wording.variant;
    let mut later_names: Vec<VarId> = variant.nodes().skip(statement_index + 1).flat_map(Node::names).collect();
    later_names.extend(&variant.guardians);
    if is_self_evident(definition) || !later_names.contains(&name) {
        return Vec::new();
    }
    if matches!(definition, Expr::Filter { .. }) {
        return wording.facts(&Condition::Within(Expr::Var(name), definition.clone()));
    }
    let (noun, value) = (wording.noun_phrase(definition).text, wording.value_text(definition));
    if noun == value { Vec::new() } else { vec![format!("{noun}: {value}")] }
}

/// Writes the effects of a conclusion in one sentence; empty if the conclusion has no effect. `claims` are the deductions of the
/// conclusion; without claims, all effects of the match are listed.
fn conclusion_facts(
    conclusion: &Conclusion,
    claims: Option<&[Deduction]>,
    wording: &Wording<'_>,
    matched: &MatchedStep,
    geometry: &Geometry,
) -> Vec<String> {
    let candidates = conclusion.claim.candidates();
    let because = match (&conclusion.claim, &conclusion.for_each) {
        _ if matched.rule_match.member.space != Space::Rc => String::new(),
        (Claim::SomeTrue(_), None) if wording.size(&candidates) == 1 => {
            format!("{} is true, ", wording.value_text(&candidates))
        }
        (Claim::SomeTrue(_), None) => format!("one of {} is true, ", wording.value_text(&candidates)),
        (Claim::Links { .. }, _) => "exactly one end of each link is true, ".into(),
        _ => String::new(),
    };
    let (mut eliminations, mut placements) =
        (matched.rule_match.eliminations.clone(), matched.rule_match.placements.clone());
    // The claims of a loop or of a rule with guardians do not explain all effects of the match, so all effects are listed.
    let lists_all_effects = matches!(conclusion.claim, Claim::Links { .. }) || !wording.variant.guardians.is_empty();
    if let Some(claims) = claims
        && !lists_all_effects
    {
        eliminations.retain(|eliminated| claims.iter().any(|claim| eliminates_candidate(geometry, claim, *eliminated)));
        placements.retain(|placed| claims.iter().any(|claim| places_candidate(claim, *placed)));
    }
    if eliminations.is_empty() && placements.is_empty() {
        return Vec::new();
    }
    vec![format!("{because}so {}", notation::deductions(geometry, &eliminations, &placements))]
}

fn eliminates_candidate(geometry: &Geometry, claim: &Deduction, candidate: Candidate) -> bool {
    match claim {
        Deduction::AtLeastOne(causes) => causes.iter().all(|cause| geometry.excludes(*cause, candidate)),
        Deduction::Eliminate(candidates) => candidates.contains(&candidate),
        Deduction::Place(_) => false,
    }
}

fn places_candidate(claim: &Deduction, candidate: Candidate) -> bool {
    match claim {
        Deduction::AtLeastOne(candidates) => candidates.as_slice() == [candidate],
        Deduction::Eliminate(_) => false,
        Deduction::Place(candidates) => candidates.contains(&candidate),
    }
}

/// Returns a sentence for each link of a step's chain: `(5)r1c1 = (5)r1c7: not both false: the only places for 5 in row 1`.
fn link_facts(geometry: &Geometry, step: &Step) -> Vec<String> {
    let mut facts = Vec::new();
    for chain_link in chain_links(&step.chain, &step.cites) {
        let sign = if chain_link.link.strong { '=' } else { '-' };
        let [from, to] = [&chain_link.link.from, &chain_link.link.to]
            .map(|node| format!("({}){}", node.digit, notation::cells(geometry, &node.cells)));
        facts.push(format!("{from} {sign} {to}: {}", link_reason(geometry, step, &chain_link)));
    }
    facts
}

fn link_reason(geometry: &Geometry, step: &Step, chain_link: &SourcedLink<'_>) -> String {
    let CitedLink { from, to, strong, house } = &chain_link.link;
    let strength = if *strong { "not both false" } else { "not both true" };
    let is_in_cell = from.cells == to.cells && from.cells.len() == 1;
    let reason = if let Some(house) = house {
        let house = geometry.house(*house);
        if *strong { format!("the only places for {} in {house}", from.digit) } else { format!("both in {house}") }
    } else if is_in_cell {
        let cell = notation::cell(geometry, from.cells[0]);
        if *strong { format!("the only candidates of {cell}") } else { format!("both in {cell}") }
    } else if *strong {
        let Some(source_match) = chain_link.source_match else { return strength.into() };
        source_reason(geometry, step, source_match, &chain_link.link)
    } else {
        "each sees the other".into()
    };
    format!("{strength}: {reason}")
}

/// Names the cells and houses of the match of a link source: `from r1c12 {3/5/7} in row 1`.
fn source_reason(
    geometry: &Geometry,
    step: &Step,
    source_match: &SourceMatch,
    CitedLink { from, to, .. }: &CitedLink,
) -> String {
    let houses = notation::houses_in_words(geometry, &source_match.houses);
    let mut places = source_match.cells.iter().filter(|&&cell| step.digits_of(cell).has(from.digit));
    if from.digit == to.digit
        && source_match.houses.len() == 1
        && places.all(|cell| from.cells.contains(cell) || to.cells.contains(cell))
    {
        return format!("the only places for {} in {houses}", from.digit);
    }
    let digits = source_match.cells.iter().fold(DigitSet::EMPTY, |union, &cell| union | step.digits_of(cell));
    let mut parts = Vec::new();
    if !source_match.cells.is_empty() {
        parts.push(format!(
            "{} {{{}}}",
            notation::cells(geometry, &source_match.cells),
            notation::digits_short(digits)
        ));
    }
    if !houses.is_empty() {
        parts.push(houses);
    }
    format!("from {}", parts.join(" in "))
}
