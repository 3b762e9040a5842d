//! Why a technique does not match: what it nearly finds. In: a technique, a position, perhaps the deduction that was
//! expected. Out: [`NearMisses`], the nearest first: the requirement that fails, the values that make it fail, and the
//! smallest change of the grid or of the rule with which it would match.
//!
//! For each requirement the rule is searched with that requirement dropped or weakened ([`weaker`]), so every kind of rule
//! is answered by the same engine that runs it.

use super::hunt::with_candidates;
use super::longest_prefix::{LongestPrefix, furthest, longest_prefix};
use super::question::{MatchedStep, Subject, WhyNotQuery, key, only_member, shows};
use super::weaken::{WeakerRule, weaker};
use super::why::{Requirement, SourceLine, lines_of, requirements};
use super::wording::Wording;
use crate::engine::{Limits, MemberId, Value};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State, notation};
use crate::lang::ir::{LinkShape, Printer, Statement, Technique, Variant};
use crate::proof::{Uniqueness, uniqueness};
use crate::render::{Scene, headline, pattern};
use crate::solve::ViewContext;
use serde::Serialize;
use std::collections::BTreeSet;

/// Near misses of a technique in a position.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NearMisses {
    /// Matches there are, as deductions: the rule does find something.
    pub found: Vec<String>,
    /// The nearest misses, the nearest first.
    pub misses: Vec<Miss>,
    /// Number of matches found.
    pub seen: usize,
    /// True if a limit or the clock ended the search early.
    pub cut: bool,
    /// Part of the question that cannot be answered for this rule.
    pub remark: Option<String>,
    /// The longest satisfied prefix of requirements, if there is neither a match nor a near miss.
    pub furthest: Option<LongestPrefix>,
}

/// A pattern that is one requirement short.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Miss {
    /// Name of the step it would be.
    pub name: String,
    /// Headline of the pattern; empty if unknown.
    pub pattern: String,
    /// Values that the names would have.
    pub names: Vec<(String, String)>,
    /// Number of requirements that hold, and of all.
    pub met: (usize, usize),
    /// The first requirement that fails, in the language's words.
    pub requirement: String,
    /// Line of that requirement in the file.
    pub line: Option<usize>,
    /// Reason why it fails.
    pub fails: String,
    /// Conclusion of the match without the requirement; empty if it would have no effect.
    pub would: String,
    /// Distance to a match: 1 is nearest.
    pub distance: usize,
    /// The change of one candidate with which the rule itself matches.
    #[serde(rename = "mend")]
    pub grid_change: Option<GridChange>,
    /// The change of the rule, as an author would make it.
    pub change: String,
    /// The changed rule as a technique of its own: only member, only case.
    #[serde(skip)]
    pub changed: Option<Box<Technique>>,
    /// The pattern as it would be, in the grid.
    #[serde(skip)]
    pub scene: Option<Box<Scene>>,
    /// Soundness of the changed rule in a few words; see [`super::judge_changes()`].
    pub verdict: Option<String>,
}

/// A change of one candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GridChange {
    /// `without 7 in r2c8`, `with 5 in r4c2`.
    pub words: String,
    /// The candidate, as text.
    pub candidate: String,
    /// True to add the candidate, false to remove it.
    pub add: bool,
    /// Conclusion of the rule after the change.
    pub shows: String,
}

/// A near miss with the match of the weaker rule that shows it.
struct UnrankedMiss<'a> {
    miss: Miss,
    seen: MatchedStep,
    one: &'a OneMember<'a>,
    /// True if a requirement fails, and not just an effect.
    is_short: bool,
    /// True if several conditions of a chain may fail together.
    together: bool,
}

/// Looks for patterns that are one requirement short.
pub fn near_misses(asked: &WhyNotQuery<'_>) -> NearMisses {
    let mut out = NearMisses::default();
    let sources: Vec<String> = asked.rulebook.sources().iter().map(|source| source.id.clone()).collect();
    let mut members = Vec::new();
    for member in asked.members {
        match &asked.technique.variants[member.variant].join {
            Some(join) => {
                let (own, other) = (&asked.technique.id, &join.technique);
                out.remark = Some(format!("`{own}` joins steps of `{other}`: ask of that one"));
            }
            None => members.push(OneMember::new(asked, member)),
        }
    }
    let mut near: Vec<UnrankedMiss<'_>> = Vec::new();
    for one in &members {
        near.extend(of_member(one, &sources, &mut out));
    }
    out.found.sort();
    out.found.dedup();
    out.seen = near.len();
    out.misses = ranked(asked, near);
    if out.found.is_empty() {
        let completed: Vec<Miss> = members.iter().flat_map(OneMember::completed).take(asked.most).collect();
        out.seen += completed.len();
        out.misses.splice(0..0, completed);
        out.misses.truncate(asked.most);
        if out.misses.is_empty() {
            out.furthest = longest_prefix(members.iter().filter_map(furthest));
        }
    }
    out
}

/// Finds the near misses of one member, unranked, and adds its matches to `out`.
fn of_member<'a>(one: &'a OneMember<'a>, sources: &[String], out: &mut NearMisses) -> Vec<UnrankedMiss<'a>> {
    let (asked, mut near) = (one.asked, Vec::new());
    let Some((exact, cut)) = one.matches(one.variant().clone(), asked.limits()) else { return near };
    out.cut |= cut;
    let matching = exact.iter().filter(|seen| asked.fits(seen, true));
    out.found.extend(matching.map(|seen| shows(asked.geometry, &seen.found)));
    let known: BTreeSet<_> = exact.iter().map(|seen| key(seen).3).collect();
    for weaker in weaker(asked.technique, one.member.variant, sources) {
        if (asked.enough)() {
            out.cut = true;
            break;
        }
        let Some((seen, cut)) = one.matches(weaker.near.clone(), asked.limits()) else { continue };
        out.cut |= cut;
        for seen in seen {
            if (asked.enough)() {
                break;
            }
            // The conclusions of a chain that lacks a node are known only after the repair.
            let fits = weaker.together && asked.is_about(&seen) || asked.fits(&seen, weaker.statement.is_some());
            if !known.contains(&key(&seen).3) && fits {
                near.extend(one.miss(&weaker, seen).filter(|_| !(asked.enough)()));
            }
        }
    }
    near
}

/// Sorts by distance, those repaired by a single candidate first, and keeps each pattern once.
fn ranked(asked: &WhyNotQuery<'_>, mut all: Vec<UnrankedMiss<'_>>) -> Vec<Miss> {
    // Near misses that contradict the solution are hardly what the user expected.
    let solution = match uniqueness(asked.geometry, asked.state) {
        Uniqueness::One(solution) => Some(solution),
        _ => None,
    };
    for UnrankedMiss { miss, seen, .. } in &mut all {
        let is_wrong = solution.as_ref().is_some_and(|solution| is_wrong(seen, solution));
        miss.distance += if miss.would.is_empty() || is_wrong { 2 } else { 0 };
    }
    all.sort_by_key(|near| (near.miss.distance, key(&near.seen)));
    let mut known = BTreeSet::new();
    let mut out: Vec<Miss> = Vec::new();
    // More than are wanted are tried, since a miss that can be mended comes first.
    for mut near in all {
        let late = (asked.enough)();
        if out.len() >= asked.most.max(1) * if late { 1 } else { 4 } {
            break;
        }
        // Equal values in other roles are the same miss.
        if known.insert((key(&near.seen).3, near.miss.would.clone())) {
            near.miss.grid_change = if late { None } else { mend(&near) };
            near.miss.scene = Some(Box::new(Scene::of_step(asked.geometry, asked.state, &near.seen.step)));
            if !near.together || near.miss.grid_change.is_some() || asked.fits(&near.seen, true) {
                out.push(near.miss);
            }
        }
    }
    out.sort_by_key(|miss| (miss.grid_change.is_none(), miss.distance));
    out.truncate(asked.most);
    out
}

/// Returns true if a match contradicts the solution.
fn is_wrong(seen: &MatchedStep, solution: &[Digit]) -> bool {
    seen.found.eliminations.iter().any(|one| solution[one.cell.index()] == one.digit)
        || seen.found.placements.iter().any(|one| solution[one.cell.index()] != one.digit)
}

/// At most this many changes are tried for a pattern.
const MOST: usize = 120;

/// The first change with which the rule matches with the same values, and shows what is wanted.
fn mend(UnrankedMiss { seen, one, is_short, .. }: &UnrankedMiss<'_>) -> Option<GridChange> {
    let (asked, geometry, state) = (one.asked, one.asked.geometry, one.asked.state);
    if !is_short {
        return None;
    }
    let subject = one.subject(one.variant().clone())?;
    let limits = Limits { halt: asked.halt, ..Limits::default() };
    for (candidate, add) in changes(geometry, state, seen).into_iter().take(MOST) {
        if (asked.enough)() {
            return None;
        }
        let here = state.candidates(candidate.cell);
        let digit = DigitSet::single(candidate.digit);
        let digits = if add { here | digit } else { here - digit };
        if digits.is_empty() || asked.eliminate.contains(&candidate) || asked.place.contains(&candidate) {
            continue;
        }
        let changed = with_candidates(geometry, state, candidate.cell, digits);
        let context = ViewContext::new(geometry, &changed, one.member.space);
        let wording = one.wording(&context, &seen.found.bindings);
        if !one.requirements.iter().all(|one| wording.evaluator.holds(&one.condition)) {
            continue;
        }
        let (found, _) = subject.matches_of(&changed, &limits, &|member| member.space == one.member.space);
        let same = found.iter().find(|other| key(other).3 == key(seen).3 && asked.has_effects(&other.found));
        if let Some(found) = same {
            return Some(described(geometry, candidate, add, found));
        }
    }
    None
}

/// Size of a match: nodes of its chain, inferences of its cases.
fn size(seen: &MatchedStep) -> (usize, u32, usize) {
    (seen.step.chain.len(), seen.found.inferences(), seen.step.cites.cells.len())
}

fn described(geometry: &Geometry, one: Candidate, add: bool, seen: &MatchedStep) -> GridChange {
    let candidate = format!("{} in {}", one.digit, notation::cell(geometry, one.cell));
    let words = format!("{} {candidate}", if add { "with" } else { "without" });
    GridChange { words, candidate, add, shows: shows(geometry, &seen.found) }
}

/// Candidates to remove, then candidates to add: those of the pattern's cells, and of its digits in its houses.
fn changes(geometry: &Geometry, state: &State, seen: &MatchedStep) -> Vec<(Candidate, bool)> {
    let cells: Vec<Cell> =
        seen.step.cites.cells.iter().map(|(cell, _)| *cell).filter(|cell| state.value(*cell).is_none()).collect();
    let digits = seen.found.bindings.iter().flatten().fold(DigitSet::EMPTY, |all, value| match value {
        Value::Digits(digits) => all | *digits,
        _ => all,
    });
    let all = DigitSet::all(geometry.size());
    let houses = seen.step.cites.houses.iter().flat_map(|&house| geometry.house(house).cells.iter().copied());
    let beside = houses.filter(|cell| !cells.contains(cell));
    let own = cells.iter().flat_map(|&cell| candidates(cell, state.candidates(cell)));
    let removed = own.chain(beside.flat_map(|cell| candidates(cell, state.candidates(cell) & digits)));
    let free = cells
        .iter()
        .flat_map(|&cell| candidates(cell, all - state.candidates(cell)))
        .filter(|one| geometry.peers(one.cell).iter().all(|&peer| state.value(peer) != Some(one.digit)));
    let mut seen = BTreeSet::new();
    let changes = removed.map(|one| (one, false)).chain(free.map(|one| (one, true)));
    changes.filter(|change| seen.insert(*change)).collect()
}

fn candidates(cell: Cell, digits: DigitSet) -> impl Iterator<Item = Candidate> {
    digits.iter().map(move |digit| Candidate::new(digit, cell))
}

/// One member of the technique.
pub(super) struct OneMember<'a> {
    pub asked: &'a WhyNotQuery<'a>,
    pub member: &'a MemberId,
    used: Vec<Technique>,
    pub lines: Vec<Option<SourceLine>>,
    pub requirements: Vec<Requirement>,
}

/// The requirement that fails: in the language's words, its line, the reason, and the distance to holding.
pub(super) struct Failing {
    pub requirement: String,
    pub line: Option<usize>,
    pub fails: String,
    pub distance: usize,
}

impl<'a> OneMember<'a> {
    fn new(asked: &'a WhyNotQuery<'a>, member: &'a MemberId) -> OneMember<'a> {
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
    fn subject(&self, variant: Variant) -> Option<Subject> {
        let own = only_member(self.asked.technique, self.member, variant);
        let techniques = std::iter::once(own).chain(self.used.iter().cloned()).collect();
        Subject::new(techniques, self.asked.rulebook.sources(), self.asked.geometry)
    }

    /// Matches of the member with another pattern in place of its own, and whether a limit cut the search short.
    pub fn matches(&self, variant: Variant, limits: Limits) -> Option<(Vec<MatchedStep>, bool)> {
        let subject = self.subject(variant)?;
        Some(subject.matches_of(self.asked.state, &limits, &|member| member.space == self.member.space))
    }

    pub fn variant(&self) -> &'a Variant {
        &self.asked.technique.variants[self.member.variant]
    }

    pub fn wording<'w>(&'w self, context: &'w ViewContext<'w>, bindings: &[Option<Value>]) -> Wording<'w> {
        Wording::new(self.variant(), &self.member.args, context, bindings).until(self.asked.enough)
    }

    /// Describes the requirement that fails in a match of a weaker rule; `None` if several fail.
    fn miss(&'a self, weaker: &WeakerRule, seen: MatchedStep) -> Option<UnrankedMiss<'a>> {
        let geometry = self.asked.geometry;
        let context = ViewContext::new(geometry, self.asked.state, self.member.space);
        let wording = self.wording(&context, &seen.found.bindings);
        let Failing { requirement, line, fails, distance } = self.failing(weaker, &wording)?;
        let all = self.demands();
        let is_short = weaker.statement.is_some();
        let changed = weaker.change.as_ref().unwrap_or(&weaker.near);
        let would = if is_short { shows(geometry, &seen.found) } else { String::new() };
        let miss = Miss {
            name: seen.step.name.clone(),
            pattern: pattern(geometry, &seen.step).to_string(),
            names: wording.names(),
            met: (all - usize::from(is_short), all),
            requirement,
            line,
            fails,
            would,
            distance,
            change: weaker.words.clone(),
            changed: is_short.then(|| Box::new(only_member(self.asked.technique, self.member, changed.clone()))),
            ..Miss::default()
        };
        Some(UnrankedMiss { miss, seen, one: self, is_short, together: weaker.together })
    }

    /// Counts the requirements of the rule.
    fn demands(&self) -> usize {
        self.requirements.len() + self.variant().body.iter().filter(|one| is_graph(one)).count()
    }

    /// The line of a chain or supposition, as text and by its number.
    pub fn graph_line(&self, statement: usize) -> (String, Option<usize>) {
        match self.lines.get(statement) {
            Some(Some(line)) => (line.text.clone(), Some(line.number)),
            _ => ("the chain".into(), None),
        }
    }

    /// Finds the failing requirement in a match of a weaker rule; `None` if others fail than the dropped one.
    fn failing(&self, weaker: &WeakerRule, wording: &Wording<'_>) -> Option<Failing> {
        let failing: Vec<&Requirement> =
            self.requirements.iter().filter(|one| !wording.evaluator.holds(&one.condition)).collect();
        let together = weaker.together && failing.iter().all(|one| Some(one.statement) == weaker.statement);
        match (failing.as_slice(), weaker.statement) {
            ([one, rest @ ..], Some(_)) if rest.is_empty() || together => {
                Some(one.failing(wording.fails(&one.condition)))
            }
            ([], Some(at)) => {
                let graph = Some(&self.variant().body[at]).filter(|body| is_graph(body))?;
                let (requirement, line) = self.graph_line(at);
                let fails = format!("missing: such a {}; there is one {}", graph_word(graph), weaker.plainly);
                Some(Failing { requirement, line, fails, distance: 2 })
            }
            ([], None) => Some(self.no_effect()),
            _ => None,
        }
    }

    /// Finds candidates whose removal would complete a chain, loop, cluster or ring with a given conclusion, the simplest match
    /// first. The nodes are unknown beforehand, so each candidate is removed in turn.
    fn completed(&self) -> Vec<Miss> {
        let (variant, asked) = (self.variant(), self.asked);
        let graph = variant.body.iter().position(is_graph).filter(|_| asked.wants_effect());
        let Some(at) = graph else { return Vec::new() };
        let Some(subject) = self.subject(variant.clone()) else { return Vec::new() };
        let mut found = Vec::new();
        let all = asked.geometry.cells().flat_map(|cell| candidates(cell, asked.state.candidates(cell)));
        for candidate in all {
            let here = asked.state.candidates(candidate.cell);
            if here.len() < 2 || asked.eliminate.contains(&candidate) || asked.place.contains(&candidate) {
                continue;
            }
            if (asked.enough)() {
                break;
            }
            let digits = here - DigitSet::single(candidate.digit);
            let changed = with_candidates(asked.geometry, asked.state, candidate.cell, digits);
            let (matches, _) =
                subject.matches_of(&changed, &Limits::default(), &|member| member.space == self.member.space);
            let simplest = matches.into_iter().filter(|seen| asked.fits(seen, true)).min_by_key(size);
            found.extend(simplest.map(|seen| (described(asked.geometry, candidate, false, &seen), seen)));
        }
        found.sort_by_key(|(_, seen)| size(seen));
        let all = self.demands();
        let (requirement, line) = self.graph_line(at);
        let misses = found.into_iter().map(|(mend, seen)| Miss {
            name: seen.step.name.clone(),
            met: (all - 1, all),
            requirement: requirement.clone(),
            line,
            fails: format!("missing: {}", headline(asked.geometry, &seen.step)),
            would: mend.shows.clone(),
            distance: 1,
            grid_change: Some(mend),
            ..Miss::default()
        });
        misses.collect()
    }

    /// The pattern is there and shows nothing.
    fn no_effect(&self) -> Failing {
        let printer = Printer { variant: self.variant(), params: &self.asked.technique.params };
        let all: Vec<String> = self.variant().conclusions.iter().map(|one| printer.conclusion(one)).collect();
        let fails = "missing: a candidate to eliminate or place; what follows is so already".to_string();
        Failing { requirement: all.join("; "), line: None, fails, distance: 2 }
    }
}

impl Requirement {
    pub(super) fn failing(&self, (fails, distance): (String, usize)) -> Failing {
        let line = self.line.as_ref().map(|line| line.number);
        Failing { requirement: self.text.clone(), line, fails, distance }
    }
}

/// The word for a chain, loop, cluster or ring.
pub(super) fn graph_word(statement: &Statement) -> &'static str {
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

pub(super) fn is_graph(statement: &Statement) -> bool {
    matches!(statement, Statement::Graph(_) | Statement::Suppose(_))
}
