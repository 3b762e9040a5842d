//! One candidate more or less. In: a pattern that is nearly there. Out: a change of the grid with which the rule matches.

use super::asked::{Asked, fits};
use super::hunt::with_candidates;
use super::requirement::Requirement;
use super::subject::{Seen, Subject, key};
use super::words::Told;
use crate::engine::{Limits, MemberId, Value};
use crate::grid::{Candidate, Cell, DigitSet, Geometry, State, notation};
use crate::lang::ir::Technique;
use crate::solve::ViewContext;
use serde::Serialize;

/// At most this many changes are tried for a pattern.
const MOST: usize = 120;

/// A change of one candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mend {
    /// `without 7 in r2c8`, `with 5 in r4c2`.
    pub words: String,
    /// The candidate, as text.
    pub candidate: String,
    /// Whether it is to be added.
    pub add: bool,
    /// What the rule then shows.
    pub shows: String,
}

/// A way to be near, for the mending.
pub(super) struct Near {
    pub technique: Technique,
    pub member: MemberId,
    pub requirements: Vec<Requirement>,
    pub by: Option<(usize, usize)>,
    pub together: bool,
}

/// The first change with which the rule matches with the same values, and shows what is wanted.
pub(super) fn mend(asked: &Asked<'_>, near: &Near, seen: &Seen) -> Option<Mend> {
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
            return Some(told(geometry, candidate, add, found));
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
            out.push((told(geometry, candidate, false, &seen), seen));
        }
    }
    out.sort_by_key(|(_, seen)| size(seen));
    out
}

/// How much there is to a match: nodes of its chain, inferences of its cases.
fn size(seen: &Seen) -> (usize, u32, usize) {
    (seen.step.chain.len(), seen.found.inferences(), seen.step.cites.cells.len())
}

fn told(geometry: &Geometry, candidate: Candidate, add: bool, seen: &Seen) -> Mend {
    let place = format!("{} in {}", candidate.digit, notation::cell(geometry, candidate.cell));
    Mend {
        words: format!("{} {place}", if add { "with" } else { "without" }),
        candidate: place,
        add,
        shows: notation::deductions(geometry, &seen.found.eliminations, &seen.found.placements),
    }
}

/// Whether every requirement holds for the same values on another position.
fn all_hold(asked: &Asked<'_>, state: &State, near: &Near, seen: &Seen) -> bool {
    let context = ViewContext::new(asked.geometry, state, near.member.space);
    let technique = &near.technique;
    let told = Told::new(&technique.variants[0], &near.member.args, &context, &seen.found.bindings).until(asked.enough);
    near.requirements.iter().all(|one| told.evaluator.holds(&one.condition))
}

/// Candidates to take away, then those to add: of the cells of the pattern, and of its houses those of its digits.
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
