//! Why a technique does not match: what it nearly finds. In: a technique, a position, perhaps the deduction that was
//! expected. Out: [`NearMisses`], the nearest first: the requirement that fails, the values that make it fail, and the
//! smallest change of the grid or of the rule with which it would match.
//!
//! For each requirement the rule is searched with that requirement dropped or weakened ([`weaker`]), so every kind of rule
//! is answered by the same engine that runs it.

use super::hunt::with_candidates;
use super::longest_prefix::{Furthest, best, furthest};
use super::question::{Asked, Seen, Subject, about, fits, key, limits, only_member, shows};
use super::requirement::{Requirement, SourceLine, lines_of, requirements};
use super::weaken::{Weaker, weaker};
use super::words::Wording;
use crate::engine::{Limits, MemberId, Value};
use crate::grid::{Candidate, Cell, DigitSet, Geometry, State, notation};
use crate::lang::ir::{LinkShape, Printer, Statement, Technique, Variant};
use crate::proof::{Uniqueness, uniqueness};
use crate::render::{Scene, headline, pattern};
use crate::solve::ViewContext;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// RepairInput misses of a technique in a position.
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
    pub furthest: Option<Furthest>,
}

/// Looks for patterns that are one requirement short.
pub fn near_misses(asked: &Asked<'_>) -> NearMisses {
    let mut out = NearMisses::default();
    let sources: Vec<String> = asked.rulebook.sources().iter().map(|source| source.id.clone()).collect();
    let mut near: Vec<(Miss, Seen, RepairInput)> = Vec::new();
    for member in asked.members {
        if let Some(join) = &asked.technique.variants[member.variant].join {
            let (own, other) = (&asked.technique.id, &join.technique);
            out.remark = Some(format!("`{own}` joins steps of `{other}`: ask of that one"));
            continue;
        }
        near.extend(of_member(&OneMember::new(asked, member), &sources, &mut out));
    }
    out.found.sort();
    out.found.dedup();
    out.seen = near.len();
    out.misses = ranked(asked, near);
    if out.found.is_empty() {
        let closed = asked.members.iter().flat_map(|member| OneMember::new(asked, member).closed());
        let closed: Vec<Miss> = closed.take(asked.most).collect();
        out.seen += closed.len();
        out.misses.splice(0..0, closed);
        out.misses.truncate(asked.most);
    }
    if out.found.is_empty() && out.misses.is_empty() {
        let whole = |member: &&MemberId| asked.technique.variants[member.variant].join.is_none();
        let members = asked.members.iter().filter(whole);
        out.furthest = best(members.filter_map(|member| furthest(&OneMember::new(asked, member))));
    }
    out
}

/// Finds the near misses of one member, unranked, and adds its matches to `out`.
fn of_member(one: &OneMember<'_>, sources: &[String], out: &mut NearMisses) -> Vec<(Miss, Seen, RepairInput)> {
    let (asked, mut near) = (one.asked, Vec::new());
    let Some(subject) = one.subject(one.variant().clone()) else { return near };
    let (exact, cut) = subject.matches_of(asked.state, &limits(asked), &one.wanted());
    out.cut |= cut;
    out.found.extend(exact.iter().filter(|seen| fits(asked, seen, true)).map(|seen| shows(asked.geometry, seen)));
    let known: BTreeSet<_> = exact.iter().map(|seen| key(seen).3).collect();
    for weaker in weaker(asked.technique, one.member.variant, sources) {
        if (asked.enough)() {
            out.cut = true;
            break;
        }
        let Some(subject) = one.subject(weaker.near.clone()) else { continue };
        let (seen, cut) = subject.matches_of(asked.state, &limits(asked), &one.wanted());
        out.cut |= cut;
        for seen in seen {
            if (asked.enough)() {
                break;
            }
            // The conclusions of a chain that lacks a node are known only after the repair.
            let fits = weaker.together && about(asked, &seen) || fits(asked, &seen, weaker.statement.is_some());
            if !known.contains(&key(&seen).3) && fits {
                near.extend(one.miss(&weaker, seen).filter(|_| !(asked.enough)()));
            }
        }
    }
    near
}

/// Sorts by distance, those repaired by a single candidate first, and keeps each pattern once.
fn ranked(asked: &Asked<'_>, mut near: Vec<(Miss, Seen, RepairInput)>) -> Vec<Miss> {
    // RepairInput misses that contradict the solution are hardly what the user expected.
    let solution = match uniqueness(asked.geometry, asked.state) {
        Uniqueness::One(solution) => Some(solution),
        _ => None,
    };
    let wrong = |seen: &Seen| {
        let is = |one: &Candidate| solution.as_ref().is_some_and(|solution| solution[one.cell.index()] == one.digit);
        seen.found.eliminations.iter().any(is) || solution.is_some() && seen.found.placements.iter().any(|one| !is(one))
    };
    for (miss, seen, _) in &mut near {
        miss.distance += if miss.would.is_empty() || wrong(seen) { 2 } else { 0 };
    }
    near.sort_by_key(|(miss, seen, _)| (miss.distance, key(seen)));
    let mut known = BTreeMap::new();
    let mut out: Vec<Miss> = Vec::new();
    // More than are wanted are tried, since a miss that can be mended comes first.
    for (mut miss, seen, near) in near {
        let late = (asked.enough)();
        if out.len() >= asked.most.max(1) * if late { 1 } else { 4 } {
            break;
        }
        // Equal values in other roles are the same miss.
        let same = (key(&seen).3, miss.would.clone());
        if known.insert(same, ()).is_none() {
            miss.mend = if late { None } else { mend(asked, &near, &seen) };
            miss.scene = Some(Box::new(Scene::of_step(asked.geometry, asked.state, &seen.step)));
            if near.together && miss.mend.is_none() && !fits(asked, &seen, true) {
                continue;
            }
            out.push(miss);
        }
    }
    out.sort_by_key(|miss| (miss.mend.is_none(), miss.distance));
    out.truncate(asked.most);
    out
}

/// A pattern that is one requirement short.
#[derive(Clone, Debug, Serialize)]
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
    pub mend: Option<Mend>,
    /// The change of the rule, as an author would make it.
    pub change: String,
    /// The changed rule as a technique of its own: only member, only case.
    #[serde(skip)]
    pub changed: Option<Box<Technique>>,
    /// The pattern as it would be, in the grid.
    #[serde(skip)]
    pub scene: Option<Box<Scene>>,
    /// Soundness of the changed rule in a few words; see [`super::judge()`].
    pub verdict: Option<String>,
}

/// At most this many changes are tried for a pattern.
const MOST: usize = 120;

/// A change of one candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mend {
    /// `without 7 in r2c8`, `with 5 in r4c2`.
    pub words: String,
    /// The candidate, as text.
    pub candidate: String,
    /// True to add the candidate, false to remove it.
    pub add: bool,
    /// Conclusion of the rule after the change.
    pub shows: String,
}

/// A near miss, as the repair needs it.
pub(super) struct RepairInput {
    pub technique: Technique,
    pub member: MemberId,
    pub requirements: Vec<Requirement>,
    pub by: Option<(usize, usize)>,
    pub together: bool,
}

/// The first change with which the rule matches with the same values, and shows what is wanted.
pub(super) fn mend(asked: &Asked<'_>, near: &RepairInput, seen: &Seen) -> Option<Mend> {
    near.by?;
    let (geometry, state) = (asked.geometry, asked.state);
    let mut techniques = asked.rulebook.with_used(vec![asked.technique.clone()]);
    techniques[0] = near.technique.clone();
    let subject = Subject::new(techniques, asked.rulebook.sources(), geometry)?;
    let values = key(seen).3;
    let limits = Limits { halt: asked.halt, ..Limits::default() };
    for (candidate, add) in changes(geometry, state, seen).into_iter().take(MOST) {
        if (asked.enough)() {
            return None;
        }
        let here = state.candidates(candidate.cell);
        let one = DigitSet::single(candidate.digit);
        let digits = if add { here | one } else { here - one };
        if digits.is_empty() || asked.eliminate.contains(&candidate) || asked.place.contains(&candidate) {
            continue;
        }
        let changed = with_candidates(geometry, state, candidate.cell, digits);
        if !all_hold(asked, &changed, near, seen) {
            continue;
        }
        let space = near.member.space;
        let (found, _) = subject.matches_of(&changed, &limits, &|member| member.space == space);
        let same = |other: &&Seen| {
            let shown = |wanted: &[Candidate], list: &[Candidate]| wanted.iter().all(|one| list.contains(one));
            key(other).3 == values
                && shown(asked.eliminate, &other.found.eliminations)
                && shown(asked.place, &other.found.placements)
        };
        if let Some(found) = found.iter().find(same) {
            return Some(described(geometry, candidate, add, found));
        }
    }
    None
}

/// The candidates without which the rule shows what is asked for, the simplest match first.
pub(super) fn without_one(
    asked: &Asked<'_>,
    subject: &Subject,
    wanted: &dyn Fn(&MemberId) -> bool,
) -> Vec<(Mend, Seen)> {
    let (geometry, state) = (asked.geometry, asked.state);
    let candidates =
        geometry.cells().flat_map(|cell| state.candidates(cell).iter().map(move |digit| Candidate::new(digit, cell)));
    let mut out = Vec::new();
    for candidate in candidates {
        let asked_for = asked.eliminate.contains(&candidate) || asked.place.contains(&candidate);
        if asked_for || state.candidates(candidate.cell).len() < 2 {
            continue;
        }
        if (asked.enough)() {
            break;
        }
        let changed = with_candidates(
            geometry,
            state,
            candidate.cell,
            state.candidates(candidate.cell) - DigitSet::single(candidate.digit),
        );
        let (found, _) = subject.matches_of(&changed, &Limits::default(), wanted);
        if let Some(seen) = found.into_iter().filter(|seen| fits(asked, seen, true)).min_by_key(size) {
            out.push((described(geometry, candidate, false, &seen), seen));
        }
    }
    out.sort_by_key(|(_, seen)| size(seen));
    out
}

/// Size of a match: nodes of its chain, inferences of its cases.
fn size(seen: &Seen) -> (usize, u32, usize) {
    (seen.step.chain.len(), seen.found.inferences(), seen.step.cites.cells.len())
}

fn described(geometry: &Geometry, candidate: Candidate, add: bool, seen: &Seen) -> Mend {
    let place = format!("{} in {}", candidate.digit, notation::cell(geometry, candidate.cell));
    Mend {
        words: format!("{} {place}", if add { "with" } else { "without" }),
        candidate: place,
        add,
        shows: notation::deductions(geometry, &seen.found.eliminations, &seen.found.placements),
    }
}

/// Returns true if every requirement holds in another position, with equal values.
fn all_hold(asked: &Asked<'_>, state: &State, near: &RepairInput, seen: &Seen) -> bool {
    let context = ViewContext::new(asked.geometry, state, near.member.space);
    let technique = &near.technique;
    let wording =
        Wording::new(&technique.variants[0], &near.member.args, &context, &seen.found.bindings).until(asked.enough);
    near.requirements.iter().all(|one| wording.evaluator.holds(&one.condition))
}

/// Candidates to remove, then candidates to add: those of the pattern's cells, and of its digits in its houses.
fn changes(geometry: &Geometry, state: &State, seen: &Seen) -> Vec<(Candidate, bool)> {
    let cells: Vec<Cell> =
        seen.step.cites.cells.iter().map(|(cell, _)| *cell).filter(|cell| state.value(*cell).is_none()).collect();
    let digits = seen.found.bindings.iter().flatten().fold(DigitSet::EMPTY, |all, value| match value {
        Value::Digits(digits) => all | *digits,
        _ => all,
    });
    let all = DigitSet::all(geometry.size());
    let of = |cell: Cell, digits: DigitSet| digits.iter().map(move |digit| Candidate::new(digit, cell));
    let mut out: Vec<(Candidate, bool)> =
        cells.iter().flat_map(|&cell| of(cell, state.candidates(cell))).map(|one| (one, false)).collect();
    let houses = seen.step.cites.houses.iter().flat_map(|&house| geometry.house(house).cells.iter().copied());
    let beside = houses.filter(|cell| !cells.contains(cell)).flat_map(|cell| of(cell, state.candidates(cell) & digits));
    out.extend(beside.map(|one| (one, false)));
    let free = |one: &Candidate| geometry.peers(one.cell).iter().all(|&peer| state.value(peer) != Some(one.digit));
    let more = cells.iter().flat_map(|&cell| of(cell, all - state.candidates(cell))).filter(free);
    out.extend(more.map(|one| (one, true)));
    let mut known = std::collections::BTreeSet::new();
    out.retain(|change| known.insert(*change));
    out
}

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

    /// Describes the requirement that fails in a match of a weaker rule; `None` if several fail.
    pub(super) fn miss(&self, weaker: &Weaker, seen: Seen) -> Option<(Miss, Seen, RepairInput)> {
        let (variant, geometry) = (self.variant(), self.asked.geometry);
        let context = ViewContext::new(geometry, self.asked.state, self.member.space);
        let wording = Wording::new(variant, &self.member.args, &context, &seen.found.bindings).until(self.asked.enough);
        let failing = self.failing(weaker, &wording)?;
        let all = self.demands();
        let changed = weaker.change.as_ref().unwrap_or(&weaker.near).clone();
        let changed = weaker.statement.map(|_| Box::new(only_member(self.asked.technique, self.member, changed)));
        let would = if weaker.statement.is_some() { shows(geometry, &seen) } else { String::new() };
        let miss = Miss {
            name: seen.step.name.clone(),
            pattern: pattern(geometry, &seen.step).to_string(),
            names: wording.names(),
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

    /// Data of a weaker rule that the repair needs.
    fn near(&self, weaker: &Weaker) -> RepairInput {
        RepairInput {
            technique: only_member(self.asked.technique, self.member, self.variant().clone()),
            member: self.member.clone(),
            requirements: self.requirements.clone(),
            by: weaker.statement.map(|at| (at, weaker.part)),
            together: weaker.together,
        }
    }

    /// Counts the requirements of the rule.
    fn demands(&self) -> usize {
        self.requirements.len() + self.variant().body.iter().filter(|one| is_graph(one)).count()
    }

    /// Finds the failing requirement in a match of a weaker rule; `None` if others fail than the dropped one.
    fn failing(&self, weaker: &Weaker, wording: &Wording<'_>) -> Option<Failing> {
        let failing: Vec<&Requirement> =
            self.requirements.iter().filter(|one| !wording.evaluator.holds(&one.condition)).collect();
        let graph = weaker.statement.filter(|&at| is_graph(&self.variant().body[at]));
        let together = |at: usize| weaker.together && failing.iter().all(|one| one.statement == at);
        match (failing.as_slice(), weaker.statement) {
            ([one, rest @ ..], Some(at)) if rest.is_empty() || together(at) => {
                let (words, distance) = wording.fails(&one.condition);
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

    /// Finds candidates whose removal would complete a chain, loop, cluster or ring with a given conclusion. The nodes are
    /// unknown beforehand, so each candidate is removed in turn.
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
