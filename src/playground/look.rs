//! What the rules of a text find on a grid. In: both. Out: everything that changes with a keystroke: findings, tokens, matches, the
//! grid with one match lit; and of one match why it is one.

use super::grid::GridRecord;
use super::picture::Drawn;
use super::text::{Finding, RuleRecord};
use super::{Playground, Refusal};
use crate::editor::Class;
use crate::engine::Limits;
use crate::render::{Headlines, Scene, explained, headline, html, pieces};
use crate::workbench::{self, Seen, Subject, Why};
use serde::Serialize;

/// Matches that are listed, and what one search may take: somebody waits between two keys.
const LISTED: usize = 200;
const MATCHES: usize = 1_000;
const INSTRUCTIONS: u64 = 20_000_000;

/// Matches of the last look, with what found each.
#[derive(Default)]
pub struct Found {
    /// For which rule they were looked for, if not for all.
    only: Option<String>,
    looked: bool,
    subjects: Vec<Subject>,
    /// Each with the number of its subject.
    pub matches: Vec<(usize, Seen)>,
    cut: bool,
    /// Why a rule was not looked for.
    remarks: Vec<String>,
}

/// What a look shows.
#[derive(Debug, Serialize)]
pub struct Looked {
    findings: Vec<Finding>,
    tokens: Vec<(usize, usize, Class)>,
    rules: Vec<RuleRecord>,
    /// Nothing where the grid cannot be read.
    grid: Option<GridRecord>,
    /// Why it cannot.
    grid_error: Option<String>,
    matches: Vec<MatchRecord>,
    /// How many there are in all.
    count: usize,
    /// Whether a limit ended a search.
    cut: bool,
    remarks: Vec<String>,
    /// The grid with the chosen match.
    picture: Option<Drawn>,
}

/// A match in a list.
#[derive(Debug, Serialize)]
struct MatchRecord {
    technique: String,
    /// HTML.
    head: String,
    /// What it eliminates and places: cell, digit, whether it is placed.
    shows: Vec<(usize, usize, bool)>,
}

/// A match, explained.
#[derive(Debug, Serialize)]
pub struct Explained {
    /// HTML.
    told: String,
    why: Why,
}

/// Looks; `read` says whether there is a grid.
pub fn look(here: &mut Playground, read: Result<(), Refusal>, only: Option<&str>, chosen: Option<usize>) -> Looked {
    if read.is_ok() {
        search(here, only);
    }
    let position = here.position.as_ref().filter(|_| read.is_ok());
    let (findings, tokens, rules) =
        here.text.as_ref().map_or_else(Default::default, |text| (text.findings(), text.tokens(), text.rules()));
    let record = |(_, seen): &(usize, Seen)| MatchRecord {
        technique: seen.step.technique.clone(),
        head: position.map_or_else(String::new, |position| pieces(&headline(position.geometry(), &seen.step))),
        shows: shows(seen),
    };
    let found = &here.found;
    let listed = if position.is_some() { found.matches.iter().take(LISTED).map(record).collect() } else { Vec::new() };
    let chosen = chosen.filter(|&at| at < found.matches.len());
    Looked {
        findings,
        tokens,
        rules,
        grid: position.map(super::grid::Position::record),
        grid_error: read.err(),
        matches: listed,
        count: found.matches.len(),
        cut: found.cut,
        remarks: found.remarks.clone(),
        picture: position.and_then(|_| draw(here, chosen).ok()),
    }
}

fn shows(seen: &Seen) -> Vec<(usize, usize, bool)> {
    let told = |placed: bool| move |one: &crate::grid::Candidate| (one.cell.index(), one.digit.index() + 1, placed);
    let gone = seen.step.eliminations.iter().map(told(false));
    gone.chain(seen.step.placements.iter().map(told(true))).collect()
}

/// Looks for matches, unless that was done.
fn search(here: &mut Playground, only: Option<&str>) {
    if here.found.looked && here.found.only.as_deref() == only {
        return;
    }
    let Ok((text, position)) = here.both() else { return };
    let mut found = Found { only: only.map(str::to_string), looked: true, ..Found::default() };
    let limits = Limits { matches: MATCHES, instructions: INSTRUCTIONS, ..Limits::default() };
    let book = text.rulebook();
    let mut headlines = Headlines::default();
    for technique in text.techniques(only) {
        if technique.assumes_one_solution && !position.has_one_solution() {
            let words = "assumes one solution, and this grid is not known to have just one";
            found.remarks.push(format!("`{}` is not looked for: it {words}.", technique.id));
            continue;
        }
        let all = book.with_used(vec![technique.clone()]);
        match Subject::new(all, book.sources(), position.geometry()) {
            None => found.remarks.push(format!("`{}` cannot be used on this board.", technique.id)),
            Some(subject) => {
                let (mut matches, cut) = subject.matches(&position.state, &limits);
                matches.retain(|seen| headlines.add(position.geometry(), &seen.step).is_none());
                found.cut |= cut;
                let number = found.subjects.len();
                found.matches.extend(matches.into_iter().map(|seen| (number, seen)));
                found.subjects.push(subject);
            }
        }
    }
    here.found = found;
}

/// A match in the grid, or the grid alone.
pub fn draw(here: &Playground, chosen: Option<usize>) -> Result<Drawn, Refusal> {
    let (_, position) = here.both()?;
    let geometry = position.geometry();
    let scene = match chosen.and_then(|at| here.found.matches.get(at)) {
        Some((_, seen)) => Scene::of_step(geometry, &position.state, &seen.step),
        None => Scene::of_state(position.state.clone()),
    };
    Ok(Drawn::new(geometry, &scene))
}

/// Why a match is one.
pub fn why(here: &Playground, chosen: usize) -> Result<Explained, Refusal> {
    let (text, position) = here.both()?;
    let (number, seen) = here.found.matches.get(chosen).ok_or("there is no such match")?;
    let geometry = position.geometry();
    let techniques = &here.found.subjects[*number].techniques;
    let why = workbench::why(text.rulebook(), techniques, geometry, &position.state, seen);
    Ok(Explained { told: html(&explained(geometry, &seen.step, 2)), why })
}
