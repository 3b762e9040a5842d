//! Why a technique does not match: what it nearly finds. In: a technique, a position, perhaps the deduction that was
//! expected. Out: [`NearMisses`], the nearest first: the requirement that fails, the values that make it fail, and the
//! smallest change of the grid or of the rule with which it would match.
//!
//! For each requirement the rule is searched with that requirement dropped or weakened ([`weaker`]), so every kind of rule
//! is answered by the same engine that runs it.

use super::asked::{Asked, about, fits, limits, shows};
use super::furthest::{Furthest, best, furthest};
use super::mend::{Near, mend};
use super::miss::Miss;
use super::one_member::OneMember;
use super::subject::{Seen, key};
use super::weaken::weaker;
use crate::engine::MemberId;
use crate::grid::Candidate;
use crate::proof::{Uniqueness, uniqueness};
use crate::render::Scene;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What came of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NearMisses {
    /// Matches there are, as deductions: the rule does find something.
    pub found: Vec<String>,
    /// The nearest misses, the nearest first.
    pub misses: Vec<Miss>,
    /// How many were seen.
    pub seen: usize,
    /// Whether a limit or the clock ended the search early.
    pub cut: bool,
    /// What cannot be asked of this rule.
    pub remark: Option<String>,
    /// Where there is neither a match nor a near miss: how far the pattern gets.
    pub furthest: Option<Furthest>,
}

/// Looks for patterns that are one requirement short.
pub fn near_misses(asked: &Asked<'_>) -> NearMisses {
    let mut out = NearMisses::default();
    let sources: Vec<String> = asked.rulebook.sources().iter().map(|source| source.id.clone()).collect();
    let mut near: Vec<(Miss, Seen, Near)> = Vec::new();
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

/// The misses of one member, unranked; its matches are noted in `out`.
fn of_member(one: &OneMember<'_>, sources: &[String], out: &mut NearMisses) -> Vec<(Miss, Seen, Near)> {
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
            // Of a chain with a node missing what it would show is known once it is mended.
            let fits = weaker.together && about(asked, &seen) || fits(asked, &seen, weaker.statement.is_some());
            if !known.contains(&key(&seen).3) && fits {
                near.extend(one.miss(&weaker, seen).filter(|_| !(asked.enough)()));
            }
        }
    }
    near
}

/// The nearest first; those that one candidate more or less would make a match before others. Each pattern once.
fn ranked(asked: &Asked<'_>, mut near: Vec<(Miss, Seen, Near)>) -> Vec<Miss> {
    // What contradicts the solution is hardly what was expected.
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
        // The same things in other roles are no second miss.
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
