//! Why a rule shows nothing of a candidate. In: the candidate that somebody points at. Out: what the rules nearly find, in words and
//! in the grid.

use super::picture::Drawn;
use super::{Playground, Refusal};
use crate::engine::{Halt, MemberId};
use crate::grid::{Candidate, notation};
use crate::lang::ir::{Space, Technique};
use crate::render::html;
use crate::workbench::{Asked, Miss, NearMisses, begun, judge, missed, near_misses};
use serde::Serialize;

/// Near misses that are shown of each rule.
const SHOWN: usize = 3;
/// Milliseconds that the search for near misses of all rules may take.
const PATIENCE: f64 = 3_000.0;

/// What is said of a candidate.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The candidate in words.
    about: String,
    rules: Vec<RuleAnswer>,
}

/// What is said of one rule.
#[derive(Debug, Serialize)]
struct RuleAnswer {
    id: String,
    misses: Vec<MissRecord>,
    /// How far it gets, where nothing is nearly found; HTML.
    furthest: Option<String>,
    remark: Option<String>,
    cut: bool,
}

/// A near miss.
#[derive(Debug, Serialize)]
struct MissRecord {
    /// HTML.
    told: String,
    picture: Option<Drawn>,
}

/// Asks the rules of the text.
pub fn why_not(here: &Playground, only: Option<&str>, (cell, digit): (usize, usize)) -> Result<Answer, Refusal> {
    let (text, position) = here.both()?;
    let candidate = Candidate::new(position.digit(digit)?, position.cell(cell)?);
    let geometry = position.geometry();
    let place = notation::cell(geometry, candidate.cell);
    if !position.state.has(candidate) {
        return Err(match position.state.value(candidate.cell) {
            Some(value) => format!("{place} is solved: it is {value}."),
            None => format!("{place} has no candidate {}: nothing can be shown of it.", candidate.digit),
        });
    }
    let end = (here.clock)() + PATIENCE;
    let enough = || (here.clock)() >= end;
    let answer = |technique: &Technique| {
        let members = members(technique, geometry.size());
        let asked = |eliminate: &[Candidate], place: &[Candidate]| {
            let asked = Asked {
                rulebook: text.rulebook(),
                geometry,
                state: &position.state,
                technique,
                members: &members,
                on: &[],
                eliminate,
                place,
                most: SHOWN,
                enough: &enough,
                halt: Halt::default(),
            };
            let mut found = near_misses(&asked);
            judge(&asked, &mut found, 1);
            found
        };
        let gone = asked(&[candidate], &[]);
        let found = if gone.misses.is_empty() { better(gone, asked(&[], &[candidate])) } else { gone };
        let miss = |(number, miss): (usize, &Miss)| MissRecord {
            told: html(&missed(number + 1, miss, true)),
            picture: miss.scene.as_ref().map(|scene| Drawn::new(geometry, scene)),
        };
        RuleAnswer {
            id: technique.id.clone(),
            misses: found.misses.iter().enumerate().map(miss).collect(),
            furthest: found.furthest.as_ref().map(|furthest| html(&begun(furthest, true))),
            remark: found.remark,
            cut: found.cut,
        }
    };
    let rules = text.techniques(only).map(answer).collect();
    Ok(Answer { about: format!("{} in {place}", candidate.digit), rules })
}

/// Of two answers that which says more.
fn better(gone: NearMisses, placed: NearMisses) -> NearMisses {
    let met = |found: &NearMisses| found.furthest.as_ref().map(|one| (!one.elsewhere, one.met.0));
    if !placed.misses.is_empty() || met(&placed) > met(&gone) { placed } else { gone }
}

/// Every member of a technique, on the grid as it is and in its views.
fn members(technique: &Technique, size: usize) -> Vec<MemberId> {
    let spaces: Vec<Space> = [Space::Rc].into_iter().chain(technique.views.iter().map(|view| view.space)).collect();
    let all = technique.cases(size as u32).into_iter();
    let member = |(args, variant): (Vec<u32>, usize)| {
        let one = move |space: &Space| MemberId { technique: 0, args: args.clone(), variant, space: *space };
        spaces.iter().map(one).collect::<Vec<_>>()
    };
    all.flat_map(member).collect()
}
