//! Explains why a technique does not match. In: a technique, a position, optionally the expected deduction. Out: [`NearMisses`], the
//! nearest first: the requirement that fails, the values of the names, and a small change of the grid or of the rule after which the rule
//! matches.
//!
//! For each requirement the engine searches the rule with the requirement dropped or weakened ([`weaker_rules`]).

use super::hunt::with_change;
use super::longest_prefix::{LongestPrefix, longest_prefix, prefix_of_member};
use super::question::{MatchKey, MatchedStep, Matches, WhyNotQuery, deduction_text, matches, only_member};
use super::weaken::{Weakening, WeakerRule, weaker_rules};
use super::why::{Requirement, SourceLine, lines_of, requirements};
use super::wording::Wording;
use crate::engine::{Engine, Limits, Match, MemberId, Value};
use crate::grid::{Candidate, Cell, DigitSet, Geometry, State, notation};
use crate::lang::ir::{LinkShape, Printer, Statement, Technique, Variant};
use crate::proof::{Uniqueness, uniqueness};
use crate::render::{Scene, headline, pattern};
use crate::solve::{ViewedPosition, false_deductions};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Clone, Debug, Default, Serialize)]
pub struct NearMisses {
    /// Deductions of the matches that answer the query; empty if the technique does not match.
    #[serde(rename = "found")]
    pub deductions: Vec<String>,
    /// Near misses, the nearest first, at most as many as the query wants.
    pub misses: Vec<Miss>,
    /// Number of near misses found, including those that `misses` omits.
    #[serde(rename = "seen")]
    pub count: usize,
    /// True if a limit or the clock ended the search early.
    #[serde(rename = "cut")]
    pub ended_early: bool,
    /// Reason why the query cannot be answered for this rule.
    pub remark: Option<String>,
    /// The longest satisfied prefix of requirements, if there is neither a match nor a near miss.
    #[serde(rename = "furthest")]
    pub longest_prefix: Option<LongestPrefix>,
}

/// A pattern that is one requirement short.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Miss {
    /// Name that the step would have.
    pub name: String,
    /// Headline of the pattern; empty if unknown.
    pub pattern: String,
    /// Names of the rule, each with the text of its value.
    pub names: Vec<(String, String)>,
    /// Number of requirements that hold, and number of all requirements.
    pub met: (usize, usize),
    /// The first requirement that fails, as rule text.
    pub requirement: String,
    pub line: Option<usize>,
    #[serde(rename = "fails")]
    pub failure: String,
    /// Conclusion of the match without the requirement; empty if it would have no effect.
    #[serde(rename = "would")]
    pub conclusion: String,
    /// Distance to a match: 1 is nearest.
    pub distance: usize,
    /// The change of one candidate with which the rule itself matches.
    #[serde(rename = "mend")]
    pub grid_change: Option<GridChange>,
    /// The change of the rule with which the rule would match, as a phrase for the author.
    #[serde(rename = "change")]
    pub rule_change: String,
    /// The changed rule, as a technique with one member and one variant.
    #[serde(skip)]
    pub changed_rule: Option<Box<Technique>>,
    #[serde(skip)]
    pub scene: Option<Box<Scene>>,
    /// Sentence about the soundness of the changed rule; see [`super::judge_changes()`].
    pub verdict: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GridChange {
    /// `without 7 in r2c8`, `with 5 in r4c2`.
    #[serde(rename = "words")]
    pub phrase: String,
    pub candidate: String,
    /// True to add the candidate, false to remove it.
    pub add: bool,
    #[serde(rename = "shows")]
    pub conclusion: String,
}

/// A near miss with the match of the weaker rule that shows it.
struct UnrankedMiss<'a> {
    miss: Miss,
    matched: MatchedStep,
    member_query: &'a MemberQuery<'a>,
    weakening: Weakening,
}

/// Searches for patterns that miss one requirement.
pub fn near_misses(query: &WhyNotQuery<'_>) -> NearMisses {
    let mut out = NearMisses::default();
    let sources: Vec<String> = query.rulebook.sources().iter().map(|source| source.id.clone()).collect();
    let mut members = Vec::new();
    for member in query.members {
        match &query.technique.variants[member.variant].join {
            Some(join) => {
                let (own, other) = (&query.technique.id, &join.technique);
                out.remark = Some(format!("`{own}` joins steps of `{other}`: ask why `{other}` does not match"));
            }
            None => members.push(MemberQuery::new(query, member)),
        }
    }
    let mut unranked: Vec<UnrankedMiss<'_>> = Vec::new();
    for member in &members {
        unranked.extend(misses_of_member(member, &sources, &mut out));
    }
    out.deductions.sort();
    out.deductions.dedup();
    out.count = unranked.len();
    out.misses = rank_misses(query, unranked);
    if out.deductions.is_empty() {
        let completed: Vec<Miss> =
            members.iter().flat_map(MemberQuery::completed_links).take(query.max_misses).collect();
        out.count += completed.len();
        out.misses.splice(0..0, completed);
        out.misses.truncate(query.max_misses);
        if out.misses.is_empty() {
            out.longest_prefix = longest_prefix(members.iter().filter_map(prefix_of_member));
        }
    }
    out
}

/// Finds the near misses of one member, unranked, and adds the member's own matches to `out`.
fn misses_of_member<'a>(
    member: &'a MemberQuery<'a>,
    sources: &[String],
    out: &mut NearMisses,
) -> Vec<UnrankedMiss<'a>> {
    let (query, mut misses) = (member.query, Vec::new());
    let Some(own_matches) = member.matches(member.variant().clone(), query.limits()) else { return misses };
    out.ended_early |= own_matches.is_cut;
    let answers = own_matches.steps.iter().filter(|matched| query.is_answered_by(matched));
    out.deductions.extend(answers.map(|matched| deduction_text(query.geometry, &matched.rule_match)));
    let own_values: BTreeSet<Vec<Value>> =
        own_matches.steps.iter().map(|matched| MatchKey::new(matched).values).collect();
    for weaker in weaker_rules(query.technique, member.member.variant, sources) {
        if (query.is_cancelled)() {
            out.ended_early = true;
            break;
        }
        let Some(matches) = member.matches(weaker.variant.clone(), query.limits()) else { continue };
        out.ended_early |= matches.is_cut;
        for matched in matches.steps {
            if (query.is_cancelled)() {
                break;
            }
            let answers_query = match weaker.weakening {
                Weakening::Requirement(_) => query.is_answered_by(&matched),
                // A chain without one of its nodes has no conclusion yet, so only its cells are compared with the query.
                Weakening::ChainNode(_) => query.has_cells(&matched),
                Weakening::Conclusions => query.has_cells(&matched) && !query.expects_deduction(),
            };
            if !answers_query || own_values.contains(&MatchKey::new(&matched).values) {
                continue;
            }
            if let Some(miss) = member.miss(&weaker, matched)
                && !(query.is_cancelled)()
            {
                misses.push(miss);
            }
        }
    }
    misses
}

/// Sorts near misses by distance, those with a grid change first, and keeps each pattern once.
fn rank_misses(query: &WhyNotQuery<'_>, mut unranked: Vec<UnrankedMiss<'_>>) -> Vec<Miss> {
    // A miss without effect, or against the solution, is probably not what the user expected, so it counts as farther away.
    const UNEXPECTED: usize = 2;
    // Misses with a grid change come first. To find them, this many times the wanted number of misses is examined.
    const EXAMINED_FACTOR: usize = 4;
    let solution = match uniqueness(query.geometry, query.state) {
        Uniqueness::One(solution) => Some(solution),
        _ => None,
    };
    for UnrankedMiss { miss, matched, .. } in &mut unranked {
        let Match { eliminations, placements, .. } = &matched.rule_match;
        let is_wrong =
            solution.as_ref().is_some_and(|solution| false_deductions(eliminations, placements, solution).is_some());
        miss.distance += if miss.conclusion.is_empty() || is_wrong { UNEXPECTED } else { 0 };
    }
    unranked.sort_by_key(|unranked| (unranked.miss.distance, MatchKey::new(&unranked.matched)));
    let mut listed_patterns = BTreeSet::new();
    let mut misses: Vec<Miss> = Vec::new();
    for mut unranked in unranked {
        let is_cancelled = (query.is_cancelled)();
        let factor = if is_cancelled { 1 } else { EXAMINED_FACTOR };
        if misses.len() >= query.max_misses.max(1) * factor {
            break;
        }
        // Two misses that differ only by interchangeable names count as one.
        if listed_patterns.insert((MatchKey::new(&unranked.matched).values, unranked.miss.conclusion.clone())) {
            unranked.miss.grid_change = if is_cancelled { None } else { grid_change(&unranked) };
            let step = &unranked.matched.step;
            unranked.miss.scene = Some(Box::new(Scene::of_step(query.geometry, query.state, step)));
            // A chain without one of its nodes concludes nothing, so it is kept only if the expected deductions follow in some other way.
            let is_kept = match unranked.weakening {
                Weakening::ChainNode(_) => {
                    unranked.miss.grid_change.is_some() || query.is_answered_by(&unranked.matched)
                }
                Weakening::Requirement(_) | Weakening::Conclusions => true,
            };
            if is_kept {
                misses.push(unranked.miss);
            }
        }
    }
    misses.sort_by_key(|miss| (miss.grid_change.is_none(), miss.distance));
    misses.truncate(query.max_misses);
    misses
}

const MAX_CHANGES: usize = 120;

/// Finds the first change of one candidate with which the rule matches with the same values and has the expected deductions.
fn grid_change(unranked: &UnrankedMiss<'_>) -> Option<GridChange> {
    let UnrankedMiss { matched, member_query, weakening, .. } = unranked;
    let (query, member) = (member_query.query, member_query.member);
    let (geometry, state) = (query.geometry, query.state);
    if *weakening == Weakening::Conclusions {
        return None;
    }
    let engine = member_query.compile(member_query.variant().clone())?;
    let limits = Limits { halt: query.halt, ..Limits::default() };
    let values = MatchKey::new(matched).values;
    for (candidate, add) in candidate_changes(geometry, state, matched).into_iter().take(MAX_CHANGES) {
        if (query.is_cancelled)() {
            return None;
        }
        let is_last = !add && state.candidates(candidate.cell).len() < 2;
        if is_last || query.eliminate.contains(&candidate) || query.place.contains(&candidate) {
            continue;
        }
        let changed_state = with_change(geometry, state, candidate, add);
        let context = ViewedPosition::new(geometry, &changed_state, member.space);
        let wording = member_query.wording(&context, &matched.rule_match.bindings);
        let mut requirements = member_query.requirements.iter();
        if !requirements.all(|requirement| wording.evaluator.holds(&requirement.condition)) {
            continue;
        }
        let found = member_query.search(&engine, &changed_state, &limits).steps;
        let repaired = found
            .iter()
            .find(|candidate| MatchKey::new(candidate).values == values && query.is_deduced_by(&candidate.rule_match));
        if let Some(repaired) = repaired {
            return Some(describe_change(geometry, candidate, add, repaired));
        }
    }
    None
}

/// Returns the size of a match: nodes of its chain, inferences of its cases, cited cells.
fn size(matched: &MatchedStep) -> (usize, u32, usize) {
    (matched.step.chain.len(), matched.rule_match.inferences(), matched.step.cites.cells.len())
}

/// Describes the change of a candidate. `matched` is the rule's match after the change.
fn describe_change(geometry: &Geometry, candidate: Candidate, add: bool, matched: &MatchedStep) -> GridChange {
    let candidate = format!("{} in {}", candidate.digit, notation::cell(geometry, candidate.cell));
    let phrase = format!("{} {candidate}", if add { "with" } else { "without" });
    GridChange { phrase, candidate, add, conclusion: deduction_text(geometry, &matched.rule_match) }
}

/// Returns candidates to remove (`false`), then candidates to add (`true`). Candidates to remove are in the pattern's cells, or have one of
/// its digits in the rest of its houses. Candidates to add are missing in the pattern's cells.
fn candidate_changes(geometry: &Geometry, state: &State, matched: &MatchedStep) -> Vec<(Candidate, bool)> {
    let cited_cells = matched.step.cites.cells.iter().map(|(cell, _)| *cell);
    let cells: Vec<Cell> = cited_cells.filter(|cell| state.value(*cell).is_none()).collect();
    let digits = matched.rule_match.bindings.iter().flatten().fold(DigitSet::EMPTY, |union, value| match value {
        Value::Digits(digits) => union | *digits,
        _ => union,
    });
    let house_cells = matched.step.cites.houses.iter().flat_map(|&house| geometry.house(house).cells.iter().copied());
    let other_cells = house_cells.filter(|cell| !cells.contains(cell));
    let in_cells = cells.iter().flat_map(|&cell| state.candidates(cell).in_cell(cell));
    let removed = in_cells.chain(other_cells.flat_map(|cell| (state.candidates(cell) & digits).in_cell(cell)));
    let all_digits = DigitSet::all(geometry.size());
    let absent = cells.iter().flat_map(|&cell| (all_digits - state.candidates(cell)).in_cell(cell));
    let added = absent.filter(|candidate| {
        geometry.peers(candidate.cell).iter().all(|&peer| state.value(peer) != Some(candidate.digit))
    });
    let mut listed_changes = BTreeSet::new();
    let changes = removed.map(|candidate| (candidate, false)).chain(added.map(|candidate| (candidate, true)));
    changes.filter(|change| listed_changes.insert(*change)).collect()
}

pub(super) struct MemberQuery<'a> {
    pub query: &'a WhyNotQuery<'a>,
    /// The member, with the board or view (`space`) on which it is searched.
    pub member: &'a MemberId,
    used: Vec<Technique>,
    pub lines: Vec<Option<SourceLine>>,
    pub requirements: Vec<Requirement>,
}

impl<'a> MemberQuery<'a> {
    fn new(query: &'a WhyNotQuery<'a>, member: &'a MemberId) -> MemberQuery<'a> {
        let lines = lines_of(query.rulebook, &query.technique.id, member.variant);
        let mut used = query.rulebook.with_dependencies(vec![query.technique.clone()]);
        // The first technique is the examined technique itself.
        used.remove(0);
        MemberQuery { used, requirements: requirements(query.technique, member.variant, &lines), query, member, lines }
    }

    /// Compiles the member with another variant in place of its own; `None` if the variant cannot be compiled.
    fn compile(&self, variant: Variant) -> Option<Engine> {
        let mut techniques = vec![only_member(self.query.technique, self.member, variant)];
        techniques.extend_from_slice(&self.used);
        Engine::new(Arc::clone(self.query.geometry), &techniques, self.query.rulebook.sources()).ok()
    }

    /// Searches the member with another variant in place of its own; `None` if the variant cannot be compiled.
    pub fn matches(&self, variant: Variant, limits: Limits) -> Option<Matches> {
        Some(self.search(&self.compile(variant)?, self.query.state, &limits))
    }

    fn search(&self, engine: &Engine, state: &State, limits: &Limits) -> Matches {
        matches(engine, state, limits, &|member| member.space == self.member.space)
    }

    pub fn variant(&self) -> &'a Variant {
        &self.query.technique.variants[self.member.variant]
    }

    pub fn wording<'w>(&'w self, context: &'w ViewedPosition<'w>, bindings: &[Option<Value>]) -> Wording<'w> {
        Wording::new(self.variant(), &self.member.args, context, bindings).with_cancellation(self.query.is_cancelled)
    }

    /// Describes the requirement that fails in a match of a weaker rule; `None` if several fail.
    fn miss(&'a self, weaker: &WeakerRule, matched: MatchedStep) -> Option<UnrankedMiss<'a>> {
        let geometry = self.query.geometry;
        let context = ViewedPosition::new(geometry, self.query.state, self.member.space);
        let wording = self.wording(&context, &matched.rule_match.bindings);
        let failed = self.failed_requirement(weaker, &wording)?;
        let count = self.requirement_count();
        let lacks_requirement = weaker.weakening != Weakening::Conclusions;
        let mut miss = Miss {
            name: matched.step.name.clone(),
            pattern: pattern(geometry, &matched.step).to_string(),
            names: wording.names(),
            met: (count - usize::from(lacks_requirement), count),
            rule_change: weaker.rule_phrase.clone(),
            ..failed
        };
        if lacks_requirement {
            let changed_variant = weaker.suggestion.as_ref().unwrap_or(&weaker.variant).clone();
            miss.conclusion = deduction_text(geometry, &matched.rule_match);
            miss.changed_rule = Some(Box::new(only_member(self.query.technique, self.member, changed_variant)));
        }
        Some(UnrankedMiss { miss, matched, member_query: self, weakening: weaker.weakening })
    }

    /// Counts the requirements of the rule. A chain or supposition counts as one requirement.
    fn requirement_count(&self) -> usize {
        self.requirements.len()
            + self.variant().body.iter().filter(|statement| is_chain_or_supposition(statement)).count()
    }

    /// Returns the text and the number of the line of a chain or supposition.
    pub fn chain_or_supposition_line(&self, statement_index: usize) -> (String, Option<usize>) {
        match self.lines.get(statement_index) {
            Some(Some(line)) => (line.text.clone(), Some(line.number)),
            _ => ("the chain".into(), None),
        }
    }

    /// Describes the requirement that fails in a match of a weaker rule. Sets only the fields of the [`Miss`] that
    /// [`Requirement::failed`] sets. `None` if a requirement fails that was not weakened.
    fn failed_requirement(&self, weaker: &WeakerRule, wording: &Wording<'_>) -> Option<Miss> {
        let failing: Vec<&Requirement> =
            self.requirements.iter().filter(|requirement| !wording.evaluator.holds(&requirement.condition)).collect();
        match (failing.as_slice(), weaker.weakening) {
            ([], Weakening::Conclusions) => Some(self.missing_effect()),
            // All conditions hold, so the weakened statement has none: it is a chain of open length or a supposition.
            ([], Weakening::Requirement(statement_index) | Weakening::ChainNode(statement_index)) => {
                self.failed_chain_or_supposition(statement_index, weaker.plain_phrase)
            }
            (_, Weakening::Conclusions) => None,
            ([only], _) => Some(only.failed(wording.failure(&only.condition))),
            // The links of a missing node fail with the node.
            ([first, ..], Weakening::ChainNode(statement_index))
                if failing.iter().all(|requirement| requirement.statement_index == statement_index) =>
            {
                Some(first.failed(wording.failure(&first.condition)))
            }
            _ => None,
        }
    }

    /// Describes the failure of a chain or supposition if the position has a weaker one; `None` for other statements. `plain_phrase` says how
    /// it is weaker: `that is longer`.
    fn failed_chain_or_supposition(&self, statement_index: usize, plain_phrase: &str) -> Option<Miss> {
        let statement = &self.variant().body[statement_index];
        if !is_chain_or_supposition(statement) {
            return None;
        }
        let (requirement, line) = self.chain_or_supposition_line(statement_index);
        let failure = format!("missing: such a {}; there is one {plain_phrase}", chain_or_supposition_noun(statement));
        Some(Miss { requirement, line, failure, distance: 2, ..Miss::default() })
    }

    /// Finds candidates whose removal completes a chain, loop, cluster, ring or supposition with the expected deductions, the simplest match
    /// first. The nodes are unknown beforehand, so each candidate is removed in turn.
    fn completed_links(&self) -> Vec<Miss> {
        let (variant, query) = (self.variant(), self.query);
        if !query.expects_deduction() {
            return Vec::new();
        }
        let Some(statement_index) = variant.body.iter().position(is_chain_or_supposition) else { return Vec::new() };
        let Some(engine) = self.compile(variant.clone()) else { return Vec::new() };
        let mut completed: Vec<(GridChange, MatchedStep)> = Vec::new();
        for candidate in query.geometry.cells().flat_map(|cell| query.state.candidates(cell).in_cell(cell)) {
            let is_last = query.state.candidates(candidate.cell).len() < 2;
            if is_last || query.eliminate.contains(&candidate) || query.place.contains(&candidate) {
                continue;
            }
            if (query.is_cancelled)() {
                break;
            }
            let changed_state = with_change(query.geometry, query.state, candidate, false);
            let found = self.search(&engine, &changed_state, &Limits::default()).steps;
            let answers = found.into_iter().filter(|matched| query.is_answered_by(matched));
            if let Some(simplest) = answers.min_by_key(size) {
                completed.push((describe_change(query.geometry, candidate, false, &simplest), simplest));
            }
        }
        completed.sort_by_key(|(_, matched)| size(matched));
        let count = self.requirement_count();
        let (requirement, line) = self.chain_or_supposition_line(statement_index);
        let misses = completed.into_iter().map(|(change, matched)| Miss {
            name: matched.step.name.clone(),
            met: (count - 1, count),
            requirement: requirement.clone(),
            line,
            failure: format!("missing: {}", headline(query.geometry, &matched.step)),
            conclusion: change.conclusion.clone(),
            distance: 1,
            grid_change: Some(change),
            ..Miss::default()
        });
        misses.collect()
    }

    fn missing_effect(&self) -> Miss {
        let printer = Printer { variant: self.variant(), params: &self.query.technique.params };
        let conclusions = self.variant().conclusions.iter().map(|conclusion| printer.conclusion(conclusion));
        let requirement = conclusions.collect::<Vec<String>>().join("; ");
        let failure = "missing: a candidate to eliminate or place; all conclusions hold already".to_string();
        Miss { requirement, failure, distance: 2, ..Miss::default() }
    }
}

impl Requirement {
    /// Returns a miss that has only the requirement, its line, the failure and the distance.
    pub(super) fn failed(&self, (failure, distance): (String, usize)) -> Miss {
        Miss { requirement: self.text.clone(), line: self.line, failure, distance, ..Miss::default() }
    }
}

pub(super) fn chain_or_supposition_noun(statement: &Statement) -> &'static str {
    match statement {
        Statement::Graph(graph) => match graph.shape {
            LinkShape::Chain(_) => "chain",
            LinkShape::Loop(_) => "loop",
            LinkShape::Cluster(_) => "cluster of strong links",
            LinkShape::Ring(_) => "odd loop",
        },
        _ => "supposition",
    }
}

pub(super) fn is_chain_or_supposition(statement: &Statement) -> bool {
    matches!(statement, Statement::Graph(_) | Statement::Suppose(_))
}
