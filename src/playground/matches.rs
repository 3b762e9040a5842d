//! Matches of the rules of a text on a grid. In: both, perhaps the number of a match, a candidate or a step. Out: all that changes with a
//! keystroke (diagnostics, tokens, matches, the grid with one match lit), why a match is one, and near misses about a candidate; a solution
//! step by step, whose steps are found when they are first requested.

use super::Playground;
use super::grid::{GridRecord, PictureRecord, PuzzleGrid};
use super::text::{RuleRecord, TextDiagnostic};
use crate::editor::TokenKind;
use crate::engine::{Halt, Limits, MemberId};
use crate::grid::{Candidate, State, draw, notation};
use crate::lang::ir::{Space, Technique};
use crate::render::{
    Headlines, Scene, contradiction_words, count_phrase, headline, html_lines, html_pieces, is_single, step_lines,
};
use crate::solve::{AddedSoundness, Profile, Solver, Soundness, Step, apply};
use crate::workbench::{
    self, MatchedStep, NearMisses, Subject, Why, WhyNotQuery, judge_changes, miss_lines, near_misses, prefix_lines,
};
use serde::Serialize;

/// The most matches that an answer lists.
const LISTED: usize = 200;
/// Limits of one search; somebody waits between two keys.
const LIMITS: (usize, u64) = (1_000, 20_000_000);
/// The most near misses shown for each rule.
const MISSES: usize = 3;
/// Milliseconds that the search for near misses of all rules may take.
const PATIENCE: f64 = 3_000.0;

/// Matches of the last look, each with the rule that found it.
#[derive(Default)]
pub struct MatchList {
    /// The id of the only rule that was searched; `None` for all.
    only: Option<String>,
    /// True once a search has run.
    searched: bool,
    subjects: Vec<Subject>,
    /// Each match with the index of its subject.
    matches: Vec<(usize, MatchedStep)>,
    /// True if a limit ended a search.
    cut: bool,
    /// Why rules were not searched.
    remarks: Vec<String>,
}

/// The answer to a look.
#[derive(Debug, Serialize)]
pub struct LookRecord {
    findings: Vec<TextDiagnostic>,
    /// Start and end of each token, in UTF-16 units, and its class.
    tokens: Vec<(usize, usize, TokenKind)>,
    rules: Vec<RuleRecord>,
    /// The grid, if it can be read.
    grid: Option<GridRecord>,
    /// Why the grid cannot be read.
    grid_error: Option<String>,
    matches: Vec<MatchRecord>,
    /// Number of matches, listed or not.
    count: usize,
    /// True if a limit ended a search.
    cut: bool,
    remarks: Vec<String>,
    /// The grid with the chosen match.
    picture: Option<PictureRecord>,
}

/// A match in a list.
#[derive(Debug, Serialize)]
struct MatchRecord {
    technique: String,
    /// HTML.
    head: String,
    /// Each deduction as cell, digit, and true if the digit is placed.
    shows: Vec<(usize, usize, bool)>,
}

/// Why a match is one.
#[derive(Debug, Serialize)]
pub struct MatchExplanation {
    /// HTML.
    #[serde(rename = "told")]
    reason: String,
    why: Why,
}

/// Why rules show nothing about a candidate.
#[derive(Debug, Serialize)]
pub struct WhyNotRecord {
    /// The candidate in words.
    about: String,
    rules: Vec<RuleMisses>,
}

/// Near misses of one rule.
#[derive(Debug, Serialize)]
struct RuleMisses {
    id: String,
    misses: Vec<MissRecord>,
    /// The longest prefix of the rule that can be satisfied, if there is no near miss; HTML.
    furthest: Option<String>,
    remark: Option<String>,
    /// True if a limit ended the search.
    cut: bool,
}

/// A near miss.
#[derive(Debug, Serialize)]
struct MissRecord {
    /// HTML.
    #[serde(rename = "told")]
    words: String,
    picture: Option<PictureRecord>,
}

/// Answers a look; `read` says why the grid cannot be read.
pub fn look(here: &mut Playground, read: Result<(), String>, only: Option<&str>, chosen: Option<usize>) -> LookRecord {
    if read.is_ok() {
        search(here, only);
    }
    let grid = here.grid.as_ref().filter(|_| read.is_ok());
    let (findings, tokens, rules) =
        here.text.as_ref().map_or_else(Default::default, |text| (text.findings(), text.tokens(), text.rules()));
    let found = &here.found;
    let mut matches = Vec::new();
    for (_, MatchedStep { step, .. }) in found.matches.iter().take(LISTED) {
        let Some(grid) = grid else { break };
        let eliminated = step.eliminations.iter().map(|one| (one, false));
        let shown = eliminated.chain(step.placements.iter().map(|one| (one, true)));
        matches.push(MatchRecord {
            technique: step.technique.clone(),
            head: html_pieces(&headline(grid.geometry(), step)),
            shows: shown.map(|(one, placed)| (one.cell.index(), one.digit.index() + 1, placed)).collect(),
        });
    }
    let chosen = chosen.filter(|&at| at < found.matches.len());
    LookRecord {
        findings,
        tokens,
        rules,
        grid: grid.map(PuzzleGrid::record),
        grid_error: read.err(),
        matches,
        count: found.matches.len(),
        cut: found.cut,
        remarks: found.remarks.clone(),
        picture: grid.and_then(|_| drawn(here, chosen).ok()),
    }
}

/// Searches for matches, unless the last search was for the same.
fn search(here: &mut Playground, only: Option<&str>) {
    if here.found.searched && here.found.only.as_deref() == only {
        return;
    }
    let Ok((text, grid)) = here.text_and_grid() else { return };
    let mut found = MatchList { only: only.map(str::to_string), searched: true, ..MatchList::default() };
    let limits = Limits { matches: LIMITS.0, instructions: LIMITS.1, ..Limits::default() };
    let book = text.rulebook();
    let mut headlines = Headlines::default();
    for technique in text.techniques(only) {
        if technique.assumes_one_solution && !grid.has_one_solution() {
            let words = "assumes one solution, and this grid is not known to have just one";
            found.remarks.push(format!("`{}` is not looked for: it {words}.", technique.id));
            continue;
        }
        let techniques = book.with_used(vec![technique.clone()]);
        let Some(subject) = Subject::new(techniques, book.sources(), grid.geometry()) else {
            found.remarks.push(format!("`{}` cannot be used on this board.", technique.id));
            continue;
        };
        let mut matches = subject.matches(&grid.state, &limits);
        matches.steps.retain(|seen| headlines.add(grid.geometry(), &seen.step).is_none());
        found.cut |= matches.is_cut;
        let number = found.subjects.len();
        found.matches.extend(matches.steps.into_iter().map(|seen| (number, seen)));
        found.subjects.push(subject);
    }
    here.found = found;
}

/// Draws a match in the grid, or the grid alone.
pub fn drawn(here: &Playground, chosen: Option<usize>) -> Result<PictureRecord, String> {
    let (_, grid) = here.text_and_grid()?;
    let scene = match chosen.and_then(|at| here.found.matches.get(at)) {
        Some((_, seen)) => Scene::of_step(grid.geometry(), &grid.state, &seen.step),
        None => Scene::of_state(grid.state.clone()),
    };
    Ok(PictureRecord::new(grid.geometry(), &scene))
}

/// Explains a match of the last look.
pub fn why(here: &Playground, chosen: usize) -> Result<MatchExplanation, String> {
    let (text, grid) = here.text_and_grid()?;
    let (number, seen) = here.found.matches.get(chosen).ok_or("there is no such match")?;
    let techniques = &here.found.subjects[*number].techniques;
    let why = workbench::why(text.rulebook(), techniques, grid.geometry(), &grid.state, seen);
    Ok(MatchExplanation { reason: html_lines(&step_lines(grid.geometry(), &seen.step, 2)), why })
}

/// Finds near misses of the rules of the text about one candidate.
pub fn why_not(here: &Playground, only: Option<&str>, (cell, digit): (usize, usize)) -> Result<WhyNotRecord, String> {
    let (text, grid) = here.text_and_grid()?;
    let candidate = Candidate::new(grid.digit(digit)?, grid.cell(cell)?);
    let place = notation::cell(grid.geometry(), candidate.cell);
    if !grid.state.has(candidate) {
        return Err(match grid.state.value(candidate.cell) {
            Some(value) => format!("{place} is solved: it is {value}."),
            None => format!("{place} has no candidate {}: nothing can be shown of it.", candidate.digit),
        });
    }
    let end = (here.clock)() + PATIENCE;
    let rules = text.techniques(only).map(|technique| misses_of(here, technique, candidate, end));
    let rules = rules.collect::<Result<Vec<RuleMisses>, String>>()?;
    Ok(WhyNotRecord { about: format!("{} in {place}", candidate.digit), rules })
}

/// Finds near misses of one rule until the clock shows `end`: first those that would eliminate the candidate, then those that would
/// place it.
fn misses_of(here: &Playground, technique: &Technique, candidate: Candidate, end: f64) -> Result<RuleMisses, String> {
    let (text, grid) = here.text_and_grid()?;
    let geometry = grid.geometry();
    let members = members(technique, geometry.size());
    let mut asked = WhyNotQuery {
        rulebook: text.rulebook(),
        geometry,
        state: &grid.state,
        technique,
        members: &members,
        on: &[],
        eliminate: &[candidate],
        place: &[],
        most: MISSES,
        is_cancelled: &|| (here.clock)() >= end,
        halt: Halt::default(),
    };
    let mut found = near_misses(&asked);
    judge_changes(&asked, &mut found, 1);
    if found.misses.is_empty() {
        (asked.eliminate, asked.place) = (&[], std::slice::from_ref(&candidate));
        let mut placing = near_misses(&asked);
        judge_changes(&asked, &mut placing, 1);
        if !placing.misses.is_empty() || reach(&placing) > reach(&found) {
            found = placing;
        }
    }
    let misses = found.misses.iter().enumerate().map(|(number, miss)| MissRecord {
        words: html_lines(&miss_lines(number + 1, miss, true)),
        picture: miss.scene.as_ref().map(|scene| PictureRecord::new(geometry, scene)),
    });
    Ok(RuleMisses {
        id: technique.id.clone(),
        misses: misses.collect(),
        furthest: found.furthest.as_ref().map(|furthest| html_lines(&prefix_lines(furthest, true))),
        remark: found.remark,
        cut: found.cut,
    })
}

/// Orders results without a near miss: those about the candidate itself first, then by the number of satisfied requirements.
fn reach(found: &NearMisses) -> Option<(bool, usize)> {
    found.furthest.as_ref().map(|furthest| (!furthest.elsewhere, furthest.met.0))
}

/// Every member of a technique, on the grid as it is and in its views.
fn members(technique: &Technique, size: usize) -> Vec<MemberId> {
    let mut out = Vec::new();
    for (args, variant) in technique.member_variants(size as u32) {
        for space in [Space::Rc].into_iter().chain(technique.views.iter().map(|view| view.space)) {
            out.push(MemberId { technique: 0, args: args.clone(), variant, space });
        }
    }
    out
}

/// The part of a path that is known so far.
pub struct PathSoFar {
    solver: Solver,
    /// Rules of the text.
    own: Vec<Subject>,
    /// True if rules of the text are tried before all others.
    own_first: bool,
    knowledge: AddedSoundness,
    /// The position before each step, then the last one.
    states: Vec<State>,
    steps: Vec<Step>,
}

/// A step as the page shows it.
#[derive(Debug, Serialize)]
pub struct StepView {
    /// Index of the step; at the end of the path the number of steps.
    at: usize,
    /// HTML.
    head: String,
    /// HTML.
    #[serde(rename = "told")]
    reason: String,
    /// The rule of the step.
    technique: Option<String>,
    single: bool,
    /// True if the path ends here.
    end: bool,
    picture: PictureRecord,
    /// The grid after the step, as text that the page can read back.
    line: String,
}

/// Returns a step by its number, from zero. If `own_first`, rules of the text are tried before all others.
pub fn step(here: &mut Playground, at: usize, own_first: bool) -> Result<StepView, String> {
    let mut path = match here.path.take().filter(|path| path.own_first == own_first) {
        Some(path) => path,
        None => {
            let knowledge = here.knowledge()?;
            begin(here, own_first, knowledge)?
        }
    };
    let step = path.show(at);
    here.path = Some(path);
    Ok(step)
}

/// Begins a path. Rules that assume one solution are used only if the grid has one.
fn begin(here: &Playground, own_first: bool, knowledge: AddedSoundness) -> Result<PathSoFar, String> {
    let (text, grid) = here.text_and_grid()?;
    let is_unique = grid.has_one_solution();
    let book = text.rulebook();
    let usable = text.techniques(None).filter(|technique| is_unique || !technique.assumes_one_solution);
    let own =
        usable.filter_map(|rule| Subject::new(book.with_used(vec![rule.clone()]), book.sources(), grid.geometry()));
    let own = own.collect();
    let restricted = (!is_unique).then(|| book.clone().without_uniqueness());
    let book = restricted.as_ref().unwrap_or(book);
    let solver = Solver::with_soundness(&knowledge, book, grid.geometry(), &Profile::default(), Limits::default());
    Ok(PathSoFar { solver, own, own_first, knowledge, states: vec![grid.state.clone()], steps: Vec::new() })
}

impl PathSoFar {
    fn show(&mut self, at: usize) -> StepView {
        while self.steps.len() <= at && self.advance() {}
        let geometry = self.solver.geometry();
        let at = at.min(self.steps.len());
        let state = &self.states[at];
        let line = draw::puzzle_line(geometry, self.states.get(at + 1).unwrap_or(state));
        match self.steps.get(at) {
            Some(step) => StepView {
                at,
                head: html_pieces(&headline(geometry, step)),
                reason: html_lines(&step_lines(geometry, step, 2)),
                technique: Some(step.technique.clone()),
                single: is_single(geometry, state, step),
                end: false,
                picture: PictureRecord::new(geometry, &Scene::of_step(geometry, state, step)),
                line,
            },
            None => StepView {
                at,
                head: self.end_words(state),
                reason: String::new(),
                technique: None,
                single: false,
                end: true,
                picture: PictureRecord::new(geometry, &Scene::of_state(state.clone())),
                line,
            },
        }
    }

    fn end_words(&self, state: &State) -> String {
        let steps = count_phrase(self.steps.len(), "step");
        match state.contradiction(self.solver.geometry()) {
            Some(found) => format!("A contradiction: {}.", contradiction_words(self.solver.geometry(), found)),
            None if state.is_solved() => format!("Solved after {steps}."),
            None => format!("Stuck after {steps}: no technique finds anything more."),
        }
    }

    /// Finds the first match of a rule of the text, unless its member is refuted.
    fn first(&self, subject: &Subject, state: &State) -> Option<Step> {
        let mut steps = subject.matches(state, &Limits::default()).steps.into_iter().map(|seen| seen.step);
        steps.find_map(|step| {
            let soundness = self.knowledge.get(&subject.techniques[0], (&step.member.args, step.member.variant));
            (soundness != Soundness::Refuted).then_some(Step { soundness, ..step })
        })
    }

    /// Adds a step; returns false if the path ends here.
    fn advance(&mut self) -> bool {
        let Some(state) = self.states.last().cloned() else { return false };
        if state.is_solved() || state.contradiction(self.solver.geometry()).is_some() {
            return false;
        }
        let own = if self.own_first { self.own.iter().find_map(|subject| self.first(subject, &state)) } else { None };
        let Some(step) = own.or_else(|| self.solver.next(&state).step) else { return false };
        let mut next = state;
        apply(&step, self.solver.geometry(), &mut next);
        self.states.push(next);
        self.steps.push(step);
        true
    }
}
