//! Finds and explains matches of the rules of a text on a grid. [`page_data`] returns the parts of the page that
//! change with a keystroke: diagnostics, tokens, matches, a picture. Other functions explain a match, find near misses about a
//! candidate, and return the steps of a solution. A step is computed when the page first requests the step.

use super::Playground;
use super::grid::{PuzzleGrid, picture};
use super::text::RuleText;
use crate::engine::{Engine, Halt, Limits, MemberId};
use crate::grid::{Candidate, State, draw, notation};
use crate::lang::ir::Technique;
use crate::render::{
    Headlines, Scene, contradiction_words, count_phrase, headline, html_lines, html_pieces, is_single, step_lines,
};
use crate::solve::{AddedRuleSoundness, Profile, Solver, Soundness, Step, apply};
use crate::workbench::{
    self, MatchedStep, NearMisses, WhyNotQuery, compiled, judge_changes, matches, miss_lines, near_misses, prefix_lines,
};
use serde_json::{Value, json};

const MAX_LISTED: usize = 200;
/// Maximum number of matches of one search. The search runs at each keystroke.
const MAX_MATCHES: usize = 1_000;
const MAX_INSTRUCTIONS: u64 = 20_000_000;
/// Indent of the reason of a step, in columns.
const REASON_INDENT: usize = 2;
/// Maximum number of proposed rule changes that are proved for each search for near misses.
const MAX_JUDGED_CHANGES: usize = 1;
const MAX_NEAR_MISSES: usize = 3;
/// Time limit of the search for near misses of all rules, in milliseconds.
const NEAR_MISS_TIME: f64 = 3_000.0;

/// The matches of the last [`page_data`].
#[derive(Default)]
pub struct MatchList {
    /// The id of the only rule that was searched; `None` if all were searched.
    only: Option<String>,
    has_searched: bool,
    compiled_rules: Vec<Engine>,
    /// The matches, each with the index of the compiled rule that matches.
    matches: Vec<(usize, MatchedStep)>,
    is_cut: bool,
    /// A sentence for each rule that was not searched, with the reason.
    remarks: Vec<String>,
}

/// Searches for matches and returns everything that the page shows after a keystroke. `grid_result` is the result of
/// reading the grid.
pub fn page_data(
    playground: &mut Playground,
    grid_result: Result<(), String>,
    only: Option<&str>,
    chosen: Option<usize>,
) -> Value {
    if grid_result.is_ok() {
        search(playground, only);
    }
    let grid = if grid_result.is_ok() { playground.grid.as_ref() } else { None };
    let text = playground.text.as_ref();
    let list = &playground.match_list;
    let listed: Vec<Value> = match grid {
        Some(grid) => {
            list.matches.iter().take(MAX_LISTED).map(|(_, matched)| match_json(grid, &matched.step)).collect()
        }
        None => Vec::new(),
    };
    json!({
        "findings": text.map_or_else(Vec::new, RuleText::diagnostics),
        "tokens": text.map_or_else(Vec::new, RuleText::tokens),
        "rules": text.map_or_else(Vec::new, RuleText::rules),
        "grid": grid.map(PuzzleGrid::json),
        "grid_error": grid_result.err(),
        "matches": listed,
        "count": list.matches.len(),
        "cut": list.is_cut,
        "remarks": list.remarks,
        "picture": grid.and_then(|_| draw_match(playground, chosen).ok()),
    })
}

/// Returns the headline of a match and its deductions: the number of the cell, the digit, and true for a placement.
fn match_json(grid: &PuzzleGrid, step: &Step) -> Value {
    let mut shows = Vec::new();
    for (candidates, is_placement) in [(&step.eliminations, false), (&step.placements, true)] {
        shows.extend(
            candidates.iter().map(|candidate| (candidate.cell.index(), candidate.digit.index() + 1, is_placement)),
        );
    }
    let head = html_pieces(&headline(grid.geometry(), step));
    json!({ "technique": step.technique, "head": head, "shows": shows })
}

/// Searches for matches, unless the match list already has them. A change of the text or the grid resets the match list, so
/// only `only` is compared.
fn search(playground: &mut Playground, only: Option<&str>) {
    if playground.match_list.has_searched && playground.match_list.only.as_deref() == only {
        return;
    }
    let Ok((text, grid)) = playground.text_and_grid() else { return };
    let mut list = MatchList { only: only.map(str::to_string), has_searched: true, ..MatchList::default() };
    let limits = Limits { matches: MAX_MATCHES, instructions: MAX_INSTRUCTIONS, ..Limits::default() };
    let book = text.rulebook();
    let mut headlines = Headlines::default();
    for technique in text.techniques(only) {
        if technique.assumes_one_solution && !grid.has_one_solution() {
            let words = "assumes one solution, and this grid is not known to have just one";
            list.remarks.push(format!("`{}` is not looked for: it {words}.", technique.id));
            continue;
        }
        let Some(engine) = compiled(book, technique, grid.geometry()) else {
            list.remarks.push(format!("`{}` cannot be used on this board.", technique.id));
            continue;
        };
        let found = matches(&engine, &grid.state, &limits, &|_| true);
        list.is_cut |= found.is_cut;
        for matched in found.steps {
            // Two rules may find the same step.
            if headlines.add(grid.geometry(), &matched.step).is_none() {
                list.matches.push((list.compiled_rules.len(), matched));
            }
        }
        list.compiled_rules.push(engine);
    }
    playground.match_list = list;
}

/// Draws the grid. If `chosen` is given, draws the match with this number, too.
pub fn draw_match(playground: &Playground, chosen: Option<usize>) -> Result<Value, String> {
    let (_, grid) = playground.text_and_grid()?;
    let scene = match chosen.and_then(|at| playground.match_list.matches.get(at)) {
        Some((_, matched)) => Scene::of_step(grid.geometry(), &grid.state, &matched.step),
        None => Scene::of_state(grid.state.clone()),
    };
    Ok(picture(grid.geometry(), &scene))
}

/// Explains a match of the last [`page_data`].
pub fn why(playground: &Playground, chosen: usize) -> Result<Value, String> {
    let (text, grid) = playground.text_and_grid()?;
    let (number, matched) = playground.match_list.matches.get(chosen).ok_or("there is no such match")?;
    let techniques = playground.match_list.compiled_rules[*number].techniques();
    let why = workbench::why(text.rulebook(), techniques, grid.geometry(), &grid.state, matched);
    let reason = html_lines(&step_lines(grid.geometry(), &matched.step, REASON_INDENT));
    Ok(json!({ "reason": reason, "why": why }))
}

pub fn why_not(playground: &Playground, only: Option<&str>, (cell, digit): (usize, usize)) -> Result<Value, String> {
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
    let rules = rules.collect::<Result<Vec<Value>, String>>()?;
    Ok(json!({ "about": format!("{} in {name}", candidate.digit), "rules": rules }))
}

/// Finds near misses of one rule until the clock shows `end`. Searches first for near misses that would eliminate the
/// candidate, and second for near misses that would place the candidate.
fn misses_of(playground: &Playground, technique: &Technique, candidate: Candidate, end: f64) -> Result<Value, String> {
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
    let misses = (1..).zip(&found.misses).map(|(number, miss)| {
        let picture = miss.scene.as_ref().map(|scene| picture(geometry, scene));
        json!({ "description": html_lines(&miss_lines(number, miss, for_author)), "picture": picture })
    });
    Ok(json!({
        "id": technique.id,
        "misses": misses.collect::<Vec<_>>(),
        "furthest": found.longest_prefix.as_ref().map(|prefix| html_lines(&prefix_lines(prefix, for_author))),
        "remark": found.remark,
        "cut": found.ended_early,
    }))
}

/// Ranks a result without near misses; better results rank higher. Compares first whether the longest satisfied prefix of
/// the rule concerns the candidate itself, then the number of requirements in the prefix.
fn prefix_rank(found: &NearMisses) -> Option<(bool, usize)> {
    found.longest_prefix.as_ref().map(|prefix| (!prefix.elsewhere, prefix.met.0))
}

pub struct PathSoFar {
    solver: Solver,
    own_rules: Vec<Engine>,
    /// True if rules of the text are tried before all other rules.
    own_first: bool,
    soundness: AddedRuleSoundness,
    /// The position before each step, and the position after the last step.
    states: Vec<State>,
    steps: Vec<Step>,
}

/// Returns a step by its number, from zero. If `own_first` is true, rules of the text are tried before all other rules.
pub fn step(playground: &mut Playground, at: usize, own_first: bool) -> Result<Value, String> {
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
fn new_path(playground: &Playground, own_first: bool, soundness: AddedRuleSoundness) -> Result<PathSoFar, String> {
    let (text, grid) = playground.text_and_grid()?;
    let is_unique = grid.has_one_solution();
    let book = text.rulebook();
    let usable = text.techniques(None).filter(|technique| is_unique || !technique.assumes_one_solution);
    let own_rules = usable.filter_map(|rule| compiled(book, rule, grid.geometry())).collect();
    let book = if is_unique { book.clone() } else { book.clone().without_uniqueness() };
    let solver = Solver::with_soundness(&soundness, &book, grid.geometry(), &Profile::default(), Limits::default());
    Ok(PathSoFar { solver, own_rules, own_first, soundness, states: vec![grid.state.clone()], steps: Vec::new() })
}

impl PathSoFar {
    /// Returns a step, or the end of the path if the path has fewer steps.
    fn show(&mut self, at: usize) -> Value {
        while self.steps.len() <= at && self.advance() {}
        let geometry = self.solver.geometry();
        let at = at.min(self.steps.len());
        let state = &self.states[at];
        let step = self.steps.get(at);
        let scene = match step {
            Some(step) => Scene::of_step(geometry, state, step),
            None => Scene::of_state(state.clone()),
        };
        let reason = step.map(|step| html_lines(&step_lines(geometry, step, REASON_INDENT)));
        json!({
            "at": at,
            "head": step.map_or_else(|| self.end_words(state), |step| html_pieces(&headline(geometry, step))),
            "reason": reason.unwrap_or_default(),
            "technique": step.map(|step| &step.technique),
            "single": step.is_some_and(|step| is_single(geometry, state, step)),
            "end": step.is_none(),
            "picture": picture(geometry, &scene),
            "line": draw::puzzle_line(geometry, self.states.get(at + 1).unwrap_or(state)),
        })
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

    /// Returns the step of the first match that belongs to a member that is not refuted. `engine` is compiled from one rule of
    /// the text.
    fn first_step(&self, engine: &Engine, state: &State) -> Option<Step> {
        for MatchedStep { step, .. } in matches(engine, state, &Limits::default(), &|_| true).steps {
            let soundness = self.soundness.get(&engine.techniques()[0], (&step.member.args, step.member.variant));
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
            self.own_rules.iter().find_map(|engine| self.first_step(engine, &state))
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
