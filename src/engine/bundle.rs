//! Matches put together. In: matches of one member, or of the members of another technique. Out: one match for those
//! that agree on some names; one for each two that agree on some names and show different things; those that are
//! alike once.

use super::matches::{Match, MemberId, Part, Value};
use crate::grid::{Candidate, Cell, DigitSet};
use crate::lang::ir::VarId;
use std::collections::{BTreeMap, BTreeSet};

/// A join for one board: the members of the other technique, each with the names that must agree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct JoinPlan {
    pub members: Vec<(usize, Vec<VarId>)>,
}

type Key = Vec<Option<Value>>;

/// The values of names.
fn key(found: &Match, names: &[VarId]) -> Key {
    names.iter().map(|name| found.bindings[name.0].clone()).collect()
}

fn parts(found: Match) -> Vec<Part> {
    if found.parts.is_empty() {
        return vec![Part { member: found.member, bindings: found.bindings, chain: found.chain, cases: found.cases }];
    }
    found.parts
}

fn united(mut a: Vec<Candidate>, b: Vec<Candidate>) -> Vec<Candidate> {
    a.extend(b);
    a.sort_unstable();
    a.dedup();
    a
}

/// `one step per`: matches that agree on these names are one, in the place of the first.
pub(super) fn bundled(matches: Vec<Match>, names: &[VarId]) -> Vec<Match> {
    let mut place: BTreeMap<Key, usize> = BTreeMap::new();
    let mut out: Vec<Match> = Vec::new();
    for found in matches {
        match place.get(&key(&found, names)) {
            None => {
                place.insert(key(&found, names), out.len());
                out.push(found);
            }
            Some(&at) => {
                let first = &mut out[at];
                if shows(first, &found) {
                    continue;
                }
                if first.parts.is_empty() {
                    first.parts = parts(first.clone());
                }
                first.eliminations = united(std::mem::take(&mut first.eliminations), found.eliminations.clone());
                first.placements = united(std::mem::take(&mut first.placements), found.placements.clone());
                first.parts.extend(parts(found));
            }
        }
    }
    out
}

/// `join … by`: every two matches that agree on the names and show different things, the first two of those that
/// show the same together; at most `most` of them. `found` has each match with its names.
pub(super) fn joined(found: &[(Match, Vec<VarId>)], member: &MemberId, most: usize) -> Vec<Match> {
    let mut groups: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (at, (one, names)) in found.iter().enumerate() {
        groups.entry(key(one, names)).or_default().push(at);
    }
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for group in groups.values() {
        let mut shown = BTreeSet::new();
        for (place, &a) in group.iter().enumerate() {
            for &b in &group[place + 1..] {
                if effect(&found[a].0) != effect(&found[b].0) && shown.insert(both(&found[a].0, &found[b].0)) {
                    pairs.push((a, b));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.truncate(most);
    pairs.into_iter().map(|(a, b)| join(&found[a].0, &found[b].0, member)).collect()
}

fn effect(found: &Match) -> (&[Candidate], &[Candidate]) {
    (&found.eliminations, &found.placements)
}

/// What two matches eliminate and place together.
fn both(a: &Match, b: &Match) -> (Vec<Candidate>, Vec<Candidate>) {
    let eliminations = united(a.eliminations.clone(), b.eliminations.clone());
    (eliminations, united(a.placements.clone(), b.placements.clone()))
}

/// Whether one match shows all that another does.
fn shows(a: &Match, b: &Match) -> bool {
    let gone = b.eliminations.iter().all(|gone| a.eliminations.binary_search(gone).is_ok());
    gone && b.placements.iter().all(|put| a.placements.contains(put))
}

fn join(a: &Match, b: &Match, member: &MemberId) -> Match {
    let (eliminations, placements) = both(a, b);
    let parts = [a, b].into_iter().flat_map(|one| parts(one.clone())).collect();
    let (chain, cases) = (a.chain.clone(), a.cases.clone());
    Match { member: member.clone(), bindings: Vec::new(), eliminations, placements, chain, cases, parts }
}

/// Matches that agree in effect, cells, digits and sets of candidates, in sets of houses and in the values of `apart`, are
/// one, the first of them. One house more that holds the same cells makes no other match; another base or cover does, and
/// may have another name.
pub(super) fn distinct(matches: Vec<Match>, apart: &[VarId]) -> Vec<Match> {
    if matches.len() < 2 {
        return matches;
    }
    let mut seen = BTreeSet::new();
    let mut new = |found: &Match| {
        let mut cells: Vec<Cell> = Vec::new();
        let mut digits = DigitSet::EMPTY;
        let (mut houses, mut candidates) = (Vec::new(), Vec::new());
        for value in found.bindings.iter().flatten() {
            match value {
                Value::Cells(more) => cells.extend(more),
                Value::Family(pairs) => cells.extend(pairs.iter().flat_map(|(_, cells)| cells)),
                Value::Candidates(list) => candidates.push(list.clone()),
                Value::Digits(more) => digits = digits | *more,
                Value::Houses(list) if list.len() > 1 => houses.push(list.clone()),
                Value::Houses(_) | Value::Number(_) | Value::Places(_) => {}
            }
        }
        cells.sort_unstable();
        cells.dedup();
        candidates.sort_unstable();
        let effect = (found.eliminations.clone(), found.placements.clone());
        seen.insert((effect, cells, digits, candidates, houses, key(found, apart)))
    };
    matches.into_iter().filter(|found| new(found)).collect()
}
