//! Finds and explains matches of the rules of a text on a grid. [`look`] returns the parts of the page that change with a
//! keystroke: diagnostics, tokens, matches, a picture. Other functions explain a match, find near misses about a
//! candidate, and return the steps of a solution. A step is computed when the page first requests the step.

use super::Playground;
use super::grid::{GridRecord, PictureRecord, PuzzleGrid};
use super::text::{RuleRecord, TextDiagnostic};
use crate::editor::TokenKind;
use crate::engine::{Halt, Limits, MemberId};
use crate::grid::{Candidate, State, draw, notation};
use crate::lang::ir::Technique;
use crate::render::{
    Headlines, Scene, contradiction_words, count_phrase, headline, html_lines, html_pieces, is_single, step_lines,
};
use crate::solve::{AddedSoundness, Profile, Solver, Soundness, Step, apply};
use crate::workbench::{
    self, CompiledTechnique, MatchedStep, NearMisses, Why, WhyNotQuery, judge_changes, miss_lines, near_misses,
    prefix_lines,
};
use serde::Serialize;

/// Maximum number of matches in a response.
const MOST_LISTED: usize = 200;
/// Maximum number of matches of one search. The search runs at each keystroke.
const MOST_MATCHES: usize = 1_000;
/// Maximum number of instructions of one search.
const MOST_INSTRUCTIONS: u64 = 20_000_000;
/// Indent of the reason of a step, in columns.
const REASON_INDENT: usize = 2;
/// Maximum number of changed rules that are given to the prover for each search for near misses.
const MAX_JUDGED_CHANGES: usize = 1;
/// Maximum number of near misses for each rule.
const MAX_NEAR_MISSES: usize = 3;
/// Time limit of the search for near misses of all rules, in milliseconds.
const NEAR_MISS_TIME: f64 = 3_000.0;

/// The matches of the last [`look`].
#[derive(Default)]
pub struct MatchList {
    /// The id of the only rule that was searched; `None` if all were searched.
    only: Option<String>,
    has_searched: bool,
    /// The searched rules, compiled.
    compiled_rules: Vec<CompiledTechnique>,
    /// The matches, each with the index of the compiled rule that matches.
    matches: Vec<(usize, MatchedStep)>,
    /// True if a limit ended a search.
    is_cut: bool,
    /// A sentence for each rule that was not searched, with the reason.
    remarks: Vec<String>,
}

/// The response to a `Look` request.
#[derive(Debug, Serialize)]
pub struct LookRecord {
    findings: Vec<TextDiagnostic>,
    /// Start, end and kind of each token, in UTF-16 units.
    tokens: Vec<(usize, usize, TokenKind)>,
    rules: Vec<RuleRecord>,
    /// The grid, if it can be read.
    grid: Option<GridRecord>,
    /// The reason why the grid cannot be read.
    grid_error: Option<String>,
    matches: Vec<MatchRecord>,
    /// Number of all matches, including those that are not listed.
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
    /// The headline, as HTML.
    head: String,
    /// The deductions: the number of the cell, the digit counted from one, and true for a placement.
    shows: Vec<(usize, usize, bool)>,
}

/// The explanation of a match.
#[derive(Debug, Serialize)]
pub struct MatchExplanation {
    /// The reason of the step, as HTML.
    #[serde(rename = "told")]
    reason: String,
    /// The lines of the rule, each with the way in which the match satisfies it.
    why: Why,
}

/// The reasons why the rules conclude nothing about a candidate.
#[derive(Debug, Serialize)]
pub struct WhyNotRecord {
    /// The candidate, such as `5 in r1c2`.
    about: String,
    rules: Vec<RuleMisses>,
}

/// Near misses of one rule.
#[derive(Debug, Serialize)]
struct RuleMisses {
    id: String,
    misses: Vec<MissRecord>,
    /// The longest prefix of the rule that the position satisfies, as HTML. Set only if the rule has no near miss.
    furthest: Option<String>,
    remark: Option<String>,
    /// True if a limit ended the search.
    cut: bool,
}

/// A near miss of a rule.
#[derive(Debug, Serialize)]
struct MissRecord {
    /// The description, as HTML.
    #[serde(rename = "told")]
    description: String,
    picture: Option<PictureRecord>,
}

/// Searches for matches and returns everything that the page shows after a keystroke. `grid_result` is the result of
/// reading the grid.
pub fn look(
    playground: &mut Playground,
    grid_result: Result<(), String>,
    only: Option<&str>,
    chosen: Option<usize>,
) -> LookRecord {
    if grid_result.is_ok() {
        search(playground, only);
    }
    let grid = if grid_result.is_ok() { playground.grid.as_ref() } else { None };
    let (findings, tokens, rules) = playground
        .text
        .as_ref()
        .map_or_else(Default::default, |text| (text.diagnostics(), text.tokens(), text.rules()));
    let list = &playground.match_list;
    let mut matches = Vec::new();
    for (_, MatchedStep { step, .. }) in list.matches.iter().take(MOST_LISTED) {
        let Some(grid) = grid else { break };
        let mut shows = Vec::new();
        for (candidates, is_placement) in [(&step.eliminations, false), (&step.placements, true)] {
            shows.extend(
                candidates.iter().map(|candidate| (candidate.cell.index(), candidate.digit.index() + 1, is_placement)),
            );
        }
        let head = html_pieces(&headline(grid.geometry(), step));
        matches.push(MatchRecord { technique: step.technique.clone(), head, shows });
    }
    LookRecord {
        findings,
        tokens,
        rules,
        grid: grid.map(PuzzleGrid::record),
        grid_error: grid_result.err(),
        matches,
        count: list.matches.len(),
        cut: list.is_cut,
        remarks: list.remarks.clone(),
        picture: if grid.is_some() { draw_match(playground, chosen).ok() } else { None },
    }
}

/// Searches for matches, unless the last search had the same rules and the same grid.
fn search(playground: &mut Playground, only: Option<&str>) {
    if playground.match_list.has_searched && playground.match_list.only.as_deref() == only {
        return;
    }
    let Ok((text, grid)) = playground.text_and_grid() else { return };
    let mut list = MatchList { only: only.map(str::to_string), has_searched: true, ..MatchList::default() };
    let limits = Limits { matches: MOST_MATCHES, instructions: MOST_INSTRUCTIONS, ..Limits::default() };
    let book = text.rulebook();
    let mut headlines = Headlines::default();
    for technique in text.techniques(only) {
        if technique.assumes_one_solution && !grid.has_one_solution() {
            let words = "assumes one solution, and this grid is not known to have just one";
            list.remarks.push(format!("`{}` is not looked for: it {words}.", technique.id));
            continue;
        }
        let techniques = book.with_dependencies(vec![technique.clone()]);
        let Some(compiled) = CompiledTechnique::new(techniques, book.sources(), grid.geometry()) else {
            list.remarks.push(format!("`{}` cannot be used on this board.", technique.id));
            continue;
        };
        let matches = compiled.matches(&grid.state, &limits);
        list.is_cut |= matches.is_cut;
        for matched in matches.steps {
            // Two rules may find the same step.
            if headlines.add(grid.geometry(), &matched.step).is_none() {
                list.matches.push((list.compiled_rules.len(), matched));
            }
        }
        list.compiled_rules.push(compiled);
    }
    playground.match_list = list;
}

/// Draws the grid. If `chosen` is given, draws the match with this number, too.
pub fn draw_match(playground: &Playground, chosen: Option<usize>) -> Result<PictureRecord, String> {
    let (_, grid) = playground.text_and_grid()?;
    let scene = match chosen.and_then(|at| playground.match_list.matches.get(at)) {
        Some((_, matched)) => Scene::of_step(grid.geometry(), &grid.state, &matched.step),
        None => Scene::of_state(grid.state.clone()),
    };
    Ok(PictureRecord::new(grid.geometry(), &scene))
}

/// Explains a match of the last [`look`].
pub fn why(playground: &Playground, chosen: usize) -> Result<MatchExplanation, String> {
    let (text, grid) = playground.text_and_grid()?;
    let (number, matched) = playground.match_list.matches.get(chosen).ok_or("there is no such match")?;
    let techniques = &playground.match_list.compiled_rules[*number].techniques;
    let why = workbench::why(text.rulebook(), techniques, grid.geometry(), &grid.state, matched);
    Ok(MatchExplanation { reason: html_lines(&step_lines(grid.geometry(), &matched.step, REASON_INDENT)), why })
}

/// Finds near misses of the rules of the text that concern one candidate.
pub fn why_not(
    playground: &Playground,
    only: Option<&str>,
    (cell, digit): (usize, usize),
) -> Result<WhyNotRecord, String> {
    let (text, grid) = playground.text_and_grid()?;
    let candidate = Candidate::new(grid.digit(digit)?, grid.cell(cell)?);
    let name = notation::cell(grid.geometry(), candidate.cell);
    if !grid.state.has(candidate) {
        return Err(match grid.state.value(candidate.cell) {
            Some(value) => format!("{name} is solved: it is {value}."),
            None => format!("{name} has no candidate {}: nothing can be shown of it.", candidate.digit),
        });
    }
    let end = (playground.clock)() + NEAR_MISS_TIME;
    let rules = text.techniques(only).map(|technique| misses_of(playground, technique, candidate, end));
    let rules = rules.collect::<Result<Vec<RuleMisses>, String>>()?;
    Ok(WhyNotRecord { about: format!("{} in {name}", candidate.digit), rules })
}

/// Finds near misses of one rule until the clock shows `end`. Searches first for near misses that would eliminate the
/// candidate, and second for near misses that would place the candidate.
fn misses_of(
    playground: &Playground,
    technique: &Technique,
    candidate: Candidate,
    end: f64,
) -> Result<RuleMisses, String> {
    let (text, grid) = playground.text_and_grid()?;
    let geometry = grid.geometry();
    let members = MemberId::all_of(technique, geometry.size() as u32);
    let mut query = WhyNotQuery {
        rulebook: text.rulebook(),
        geometry,
        state: &grid.state,
        technique,
        members: &members,
        cells: &[],
        eliminate: &[candidate],
        place: &[],
        max_misses: MAX_NEAR_MISSES,
        is_cancelled: &|| (playground.clock)() >= end,
        halt: Halt::default(),
    };
    let mut found = near_misses(&query);
    judge_changes(&query, &mut found, MAX_JUDGED_CHANGES);
    if found.misses.is_empty() {
        (query.eliminate, query.place) = (&[], std::slice::from_ref(&candidate));
        let mut placing = near_misses(&query);
        judge_changes(&query, &mut placing, MAX_JUDGED_CHANGES);
        if !placing.misses.is_empty() || prefix_rank(&placing) > prefix_rank(&found) {
            found = placing;
        }
    }
    let for_author = true;
    let misses = (1..).zip(&found.misses).map(|(number, miss)| MissRecord {
        description: html_lines(&miss_lines(number, miss, for_author)),
        picture: miss.scene.as_ref().map(|scene| PictureRecord::new(geometry, scene)),
    });
    Ok(RuleMisses {
        id: technique.id.clone(),
        misses: misses.collect(),
        furthest: found.longest_prefix.as_ref().map(|prefix| html_lines(&prefix_lines(prefix, for_author))),
        remark: found.remark,
        cut: found.ended_early,
    })
}

/// Ranks a result without near misses; better results rank higher. The rank is true if the longest satisfied prefix of the
/// rule concerns the candidate itself, followed by the number of requirements in the prefix.
fn prefix_rank(found: &NearMisses) -> Option<(bool, usize)> {
    found.longest_prefix.as_ref().map(|prefix| (!prefix.elsewhere, prefix.met.0))
}

/// The steps of a path that were computed so far.
pub struct PathSoFar {
    solver: Solver,
    /// Rules of the text, compiled.
    own_rules: Vec<CompiledTechnique>,
    /// True if rules of the text are tried before all other rules.
    own_first: bool,
    soundness: AddedSoundness,
    /// The position before each step, and the position after the last step.
    states: Vec<State>,
    steps: Vec<Step>,
}

/// A step as the page shows it.
#[derive(Debug, Serialize)]
pub struct PathStepRecord {
    /// Index of the step. At the end of the path, the number of steps.
    at: usize,
    /// The headline of the step, as HTML.
    head: String,
    /// The reason of the step, as HTML.
    #[serde(rename = "told")]
    reason: String,
    /// The rule of the step.
    technique: Option<String>,
    single: bool,
    /// True if the path has no further step.
    end: bool,
    picture: PictureRecord,
    /// The grid after the step, as text that the page can read back.
    line: String,
}

/// Returns a step by its number, from zero. If `own_first` is true, rules of the text are tried before all other rules.
pub fn step(playground: &mut Playground, at: usize, own_first: bool) -> Result<PathStepRecord, String> {
    let mut path = match playground.path.take_if(|path| path.own_first == own_first) {
        Some(path) => path,
        None => {
            let soundness = playground.soundness()?;
            new_path(playground, own_first, soundness)?
        }
    };
    let step = path.show(at);
    playground.path = Some(path);
    Ok(step)
}

/// Creates a path without steps. Rules that assume one solution are used only if the grid has one solution.
fn new_path(playground: &Playground, own_first: bool, soundness: AddedSoundness) -> Result<PathSoFar, String> {
    let (text, grid) = playground.text_and_grid()?;
    let is_unique = grid.has_one_solution();
    let book = text.rulebook();
    let usable = text.techniques(None).filter(|technique| is_unique || !technique.assumes_one_solution);
    let own_rules = usable.filter_map(|rule| {
        CompiledTechnique::new(book.with_dependencies(vec![rule.clone()]), book.sources(), grid.geometry())
    });
    let own_rules = own_rules.collect();
    let book = if is_unique { book.clone() } else { book.clone().without_uniqueness() };
    let solver = Solver::with_soundness(&soundness, &book, grid.geometry(), &Profile::default(), Limits::default());
    Ok(PathSoFar { solver, own_rules, own_first, soundness, states: vec![grid.state.clone()], steps: Vec::new() })
}

impl PathSoFar {
    fn show(&mut self, at: usize) -> PathStepRecord {
        while self.steps.len() <= at && self.advance() {}
        let geometry = self.solver.geometry();
        let at = at.min(self.steps.len());
        let state = &self.states[at];
        let line = draw::puzzle_line(geometry, self.states.get(at + 1).unwrap_or(state));
        match self.steps.get(at) {
            Some(step) => PathStepRecord {
                at,
                head: html_pieces(&headline(geometry, step)),
                reason: html_lines(&step_lines(geometry, step, REASON_INDENT)),
                technique: Some(step.technique.clone()),
                single: is_single(geometry, state, step),
                end: false,
                picture: PictureRecord::new(geometry, &Scene::of_step(geometry, state, step)),
                line,
            },
            None => PathStepRecord {
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
            Some(contradiction) => {
                format!("A contradiction: {}.", contradiction_words(self.solver.geometry(), contradiction))
            }
            None if state.is_solved() => format!("Solved after {steps}."),
            None => format!("Stuck after {steps}: no technique finds anything more."),
        }
    }

    /// Returns the first match of a rule of the text whose member is not refuted.
    fn first_step(&self, compiled: &CompiledTechnique, state: &State) -> Option<Step> {
        for MatchedStep { step, .. } in compiled.matches(state, &Limits::default()).steps {
            let soundness = self.soundness.get(&compiled.techniques[0], (&step.member.args, step.member.variant));
            if soundness != Soundness::Refuted {
                return Some(Step { soundness, ..step });
            }
        }
        None
    }

    /// Adds a step. Returns false if the path ends at the last position.
    fn advance(&mut self) -> bool {
        let Some(state) = self.states.last().cloned() else { return false };
        if state.is_solved() || state.contradiction(self.solver.geometry()).is_some() {
            return false;
        }
        let own_step = if self.own_first {
            self.own_rules.iter().find_map(|compiled| self.first_step(compiled, &state))
        } else {
            None
        };
        let Some(step) = own_step.or_else(|| self.solver.next(&state).step) else { return false };
        let mut next = state;
        apply(&step, self.solver.geometry(), &mut next);
        self.states.push(next);
        self.steps.push(step);
        true
    }
}
