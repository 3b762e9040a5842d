//! Matches put together. In: matches of one member, or of the members of another technique. Out: one match for those
//! that agree on some names; one for each two that agree on some names and show different things.

use super::matches::{Match, MemberId, Part, Value};
use crate::grid::Candidate;
use crate::lang::ir::VarId;
use std::collections::BTreeMap;

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
        return vec![Part { member: found.member, bindings: found.bindings, chain: found.chain }];
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

/// `join … by`: every two matches that agree on the names and of which neither eliminates all that the other does; at
/// most `most` of them. `found` has each match with its names.
pub(super) fn joined(found: &[(Match, Vec<VarId>)], member: &MemberId, most: usize) -> Vec<Match> {
    let mut groups: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (at, (one, names)) in found.iter().enumerate() {
        groups.entry(key(one, names)).or_default().push(at);
    }
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for group in groups.values() {
        for (place, &a) in group.iter().enumerate() {
            let differ = |&&b: &&usize| !contains(&found[a].0, &found[b].0) && !contains(&found[b].0, &found[a].0);
            pairs.extend(group[place + 1..].iter().filter(differ).map(|&b| (a, b)));
        }
    }
    pairs.sort_unstable();
    pairs.truncate(most);
    pairs.into_iter().map(|(a, b)| join(&found[a].0, &found[b].0, member)).collect()
}

/// Whether one match eliminates all that another does.
fn contains(a: &Match, b: &Match) -> bool {
    b.eliminations.iter().all(|gone| a.eliminations.binary_search(gone).is_ok())
}

/// Whether one match shows all that another does.
fn shows(a: &Match, b: &Match) -> bool {
    contains(a, b) && b.placements.iter().all(|put| a.placements.contains(put))
}

fn join(a: &Match, b: &Match, member: &MemberId) -> Match {
    let mut both = parts(a.clone());
    both.extend(parts(b.clone()));
    Match {
        member: member.clone(),
        bindings: Vec::new(),
        eliminations: united(a.eliminations.clone(), b.eliminations.clone()),
        placements: united(a.placements.clone(), b.placements.clone()),
        chain: a.chain.clone(),
        parts: both,
    }
}
