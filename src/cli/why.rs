//! `pinion why` prints a match with the requirements of its rule. `pinion why-not` prints the near misses of a technique: patterns that
//! would match without one requirement.

use crate::cli::args::LinesArg;
use crate::cli::batch::{PuzzleResult, for_each_puzzle};
use crate::cli::find::technique_not_searched;
use crate::cli::prelude::*;
use crate::engine::{Engine, Limits, MemberId};
use crate::grid::{Candidate, Cell};
use crate::render::{Headlines, Scene, step_lines};
use crate::solve::{Step, TypedName, UnknownTechnique, apply};
use crate::workbench::{
    self, MatchedStep, NearMisses, Why, WhyNotQuery, compiled, judge_changes, longest_prefix, miss_lines, near_misses,
    prefix_lines, requirement_lines, why,
};

/// Show why a technique matches: everything that its rule demands
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion why PUZZLE --technique NAME
  pinion why grid.txt --technique NAME --at 2 --rules my-rules/

Pinion shows everything that the rule demands, with the cells and digits of the match. If there is no match on the puzzle as
it stands, Pinion solves the puzzle up to the first position with a match. If you write rules: --lines shows the rule, too.")]
pub struct WhyArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    /// The technique, by its id or the name of its steps
    #[arg(short, long, value_name = "NAME")]
    technique: String,
    /// The number of the match, from 1
    #[arg(long, value_name = "N", default_value = "1")]
    at: NonZeroUsize,
    /// Look at the position after N steps of the solution path
    #[arg(long, value_name = "N")]
    after: Option<usize>,
    /// Write the match as a picture into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    lines: LinesArg,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: TimeArg,
}

#[derive(Serialize)]
struct WhyRecord {
    after_steps: usize,
    matches: usize,
    at: usize,
    why: Option<Why>,
    limit: Option<String>,
}

/// A search for the matches of all techniques that a typed name selects. Unlike a step of a solver, each match keeps the values of the
/// rule's names (its bindings), which the explanation needs.
struct MatchSearch {
    /// Each with the members of the technique that the typed name selects.
    rules: Vec<(Engine, Vec<MemberId>)>,
    typed_name: TypedName,
}

/// A match, with the index of its rule in [`MatchSearch::rules`].
struct RuleMatch {
    rule: usize,
    matched: MatchedStep,
}

impl MatchSearch {
    /// Creates the search for the techniques that `name` selects: one for an id, perhaps several for a name of steps.
    fn new(solver: &Solver, rulebook: &Rulebook, name: &str) -> Result<MatchSearch, UnknownTechnique> {
        let mut rules = Vec::new();
        for (technique, members) in members_by_technique(solver, name)? {
            // A technique that cannot be compiled for the board has no matches.
            if let Some(engine) = compiled(rulebook, &solver.techniques()[technique], solver.geometry()) {
                rules.push((engine, members));
            }
        }
        Ok(MatchSearch { rules, typed_name: TypedName::new(name, solver.techniques()) })
    }

    /// Finds the matches on a position. If the steps of some matches have the typed name, returns only these matches. Of matches with
    /// equal headlines, returns only the first.
    fn run(&self, geometry: &Geometry, state: &State) -> Vec<RuleMatch> {
        let mut matches = Vec::new();
        for (rule, (engine, members)) in self.rules.iter().enumerate() {
            let limits = Limits { halt: limits::halt(), ..Limits::default() };
            // The index of the technique is not compared: in `member` it refers to the techniques of `engine`, in `members` to those of
            // the solver.
            let found = workbench::matches(engine, state, &limits, &|member| {
                let key = (&member.args, member.variant, member.space);
                members.iter().any(|other| (&other.args, other.variant, other.space) == key)
            });
            matches.extend(found.steps.into_iter().map(|matched| RuleMatch { rule, matched }));
        }
        if matches.iter().any(|found| self.has_typed_name(found)) {
            matches.retain(|found| self.has_typed_name(found));
        }
        let mut headlines = Headlines::default();
        matches.retain(|found| headlines.add(geometry, &found.matched.step).is_none());
        matches
    }

    /// Returns true if the typed name is the name of the step, not only of its technique.
    fn has_typed_name(&self, found: &RuleMatch) -> bool {
        let technique = &self.rules[found.rule].0.techniques()[0];
        self.typed_name.covers_step(&found.matched.step, technique)
    }

    fn explain(&self, rulebook: &Rulebook, geometry: &Geometry, state: &State, found: &RuleMatch) -> Why {
        let techniques = self.rules[found.rule].0.techniques();
        why(rulebook, techniques, geometry, state, &found.matched)
    }
}

/// Returns the members that a name selects, by the index of their technique.
fn members_by_technique(solver: &Solver, name: &str) -> Result<BTreeMap<usize, Vec<MemberId>>, UnknownTechnique> {
    let mut members_by_technique: BTreeMap<usize, Vec<MemberId>> = BTreeMap::new();
    for index in solver.members_by_name(Some(name))? {
        let member = solver.members()[index].clone();
        members_by_technique.entry(member.technique).or_default().push(member);
    }
    Ok(members_by_technique)
}

pub fn run(args: &WhyArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let mut solvers = Solvers::new(global, &args.profile)?;
    if args.after == Some(0) {
        solvers = solvers.only_for(&args.technique);
    }
    let picture = PictureArg { draw: true, svg: args.svg.clone() };
    let mut pictures = Pictures::on_terminal(&picture, out);
    for_each_puzzle(&args.puzzle, None, out, |puzzle, state, is_unique| {
        let geometry = &puzzle.geometry;
        args.time.begin();
        let solver = solvers.on(geometry, is_unique);
        let rulebook = &solvers.rulebook;
        let search = match MatchSearch::new(&solver, rulebook, &args.technique) {
            Ok(search) => search,
            Err(error) => return Err(technique_not_searched(&solvers, is_unique, error)),
        };
        let (steps, state, matches) = match args.after {
            Some(steps) => {
                let (steps, state) = advance(&solver, state, steps);
                let matches = search.run(geometry, &state);
                (steps, state, matches)
            }
            None => first_with_matches(&solver, state, &search),
        };
        let Some(found) = matches.get(args.at.get() - 1) else {
            return Ok(no_match(args, steps, matches.len()));
        };
        let step = &found.matched.step;
        let why = search.explain(rulebook, geometry, &state, found);
        let position =
            if steps == 0 { "as it stands".to_owned() } else { format!("after {}", count_phrase(steps, "step")) };
        let heading = format!("Match {} of {} on the puzzle {position}.", args.at, matches.len());
        let mut lines = vec![Line::styled(Role::Quiet, heading)];
        lines.extend(early_end_note(args.after.unwrap_or(0), steps));
        let caption = step_lines(geometry, step, 2);
        lines.extend(caption.iter().cloned());
        lines.push(Line::default());
        lines.extend(requirement_lines(why.file.as_deref(), &why.names, &why.lines, args.lines.lines));
        lines.push(Line::default());
        let scene = Scene::of_step(geometry, &state, step);
        lines.extend(pictures.draw(geometry, &scene, &caption)?);
        lines.extend(limits::limit_note("there may be more matches"));
        let (matches, limit) = (matches.len(), limits::reached_limit());
        let record = WhyRecord { after_steps: steps, matches, at: args.at.get(), why: Some(why), limit };
        Ok(PuzzleResult { status: "found", exit: Exit::Done, lines, result: Box::new(record) })
    })
}

/// Explains how a step meets each requirement of its rule. Returns `None` if no rule has a match with the effects and bindings of the step.
pub fn reasons(solver: &Solver, rulebook: &Rulebook, state: &State, step: &Step) -> Option<Vec<Line>> {
    let search = MatchSearch::new(solver, rulebook, &step.technique).ok()?;
    let matches = search.run(solver.geometry(), state);
    let found = matches.iter().find(|found| {
        let Step { eliminations, placements, bindings, .. } = &found.matched.step;
        (eliminations, placements, bindings) == (&step.eliminations, &step.placements, &step.bindings)
    })?;
    let why = search.explain(rulebook, solver.geometry(), state, found);
    Some(requirement_lines(None, &[], &why.lines, false))
}

/// Returns the answer if there are only `matches` matches, fewer than the number of `--at`.
fn no_match(args: &WhyArgs, steps: usize, matches: usize) -> PuzzleResult {
    let message = match matches {
        0 if limits::is_reached() => format!("No match of {} was found in time.", args.technique),
        0 => format!("{} matches nothing here; `pinion why-not` says what is missing.", args.technique),
        _ => format!("There is no match {}: there are {matches}.", args.at),
    };
    let limit = limits::reached_limit();
    let record = WhyRecord { after_steps: steps, matches, at: args.at.get(), why: None, limit };
    let mut lines = vec![Line::styled(Role::Failure, message)];
    lines.extend(early_end_note(args.after.unwrap_or(0), steps));
    lines.extend(limits::limit_note("there may be matches"));
    PuzzleResult { status: "nothing", exit: Exit::Unsuccessful, lines, result: Box::new(record) }
}

/// Makes up to `max_steps` steps of the path. Returns the number of steps made, and the position after them.
pub fn advance(solver: &Arc<Solver>, start: &State, max_steps: usize) -> (usize, State) {
    let mut state = start.clone();
    for steps in 0..max_steps {
        let Some(step) = solver.next(&state).step else { return (steps, state) };
        apply(&step, solver.geometry(), &mut state);
    }
    (max_steps, state)
}

/// Returns a note if a limit ended the path after `steps` of `wanted_steps` steps.
pub fn early_end_note(wanted_steps: usize, steps: usize) -> Option<Line> {
    if steps >= wanted_steps {
        return None;
    }
    let steps = count_phrase(steps, "step");
    limits::limit_note(&format!("the position is the one after {steps}, not after {wanted_steps}"))
}

/// Finds the first position of the path with a match. Returns the number of steps before it, the position and its matches.
fn first_with_matches(solver: &Arc<Solver>, start: &State, search: &MatchSearch) -> (usize, State, Vec<RuleMatch>) {
    let matches = search.run(solver.geometry(), start);
    if !matches.is_empty() {
        return (0, start.clone(), matches);
    }
    let positions = solver.solve(start.clone()).positions(solver.geometry());
    for (steps, state) in positions.into_iter().enumerate().skip(1) {
        let matches = search.run(solver.geometry(), &state);
        if !matches.is_empty() {
            return (steps, state, matches);
        }
    }
    (0, start.clone(), Vec::new())
}

/// Show what a technique nearly finds, and what is missing
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion why-not grid.txt --technique NAME
  pinion why-not grid.txt --technique NAME --elim \"r4c2<>9\" --rules my-rules/
  pinion why-not grid.txt --technique NAME --on r4c7,r2c3

Pinion drops or weakens one requirement of the rule at a time, and lists the patterns that then match, the nearest first.
For each pattern it shows the requirement that fails and, if there is one, the candidate to add or remove for a match.
If you write rules: --lines also quotes the requirement, shows how to change the rule, and says whether the changed rule
would be sound.")]
pub struct WhyNotArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    /// The technique, by its id or the name of its steps
    #[arg(short, long, value_name = "NAME")]
    technique: String,
    /// Only patterns with all of these cells, as r4c7,r2c3
    #[arg(long, value_name = "CELLS")]
    on: Option<String>,
    /// Only patterns that would eliminate this candidate, as r4c2<>9
    #[arg(long, value_name = "DEDUCTION")]
    elim: Option<String>,
    /// Only patterns that would place this digit, as r4c2=9
    #[arg(long, value_name = "DEDUCTION")]
    place: Option<String>,
    /// Look at the position after N steps of the solution path
    #[arg(long, value_name = "N", default_value = "0")]
    after: usize,
    /// Show at most this many near misses
    #[arg(long, value_name = "N", default_value = "3")]
    most: NonZeroUsize,
    /// Stop after S seconds
    #[arg(long, value_name = "S", default_value = "20")]
    seconds: u64,
    /// Do not check whether the changed rule would be sound
    #[arg(long)]
    no_proof: bool,
    #[command(flatten)]
    lines: LinesArg,
    #[command(flatten)]
    picture: PictureArg,
    #[command(flatten)]
    profile: ProfileArg,
}

const MAX_LISTED: usize = 6;

/// Maximum number of changed rules of a technique that are given to the prover.
const MAX_JUDGED: usize = 3;

/// The options `--on`, `--elim` and `--place`. An empty list is no restriction.
struct Restrictions {
    cells: Vec<Cell>,
    eliminations: Vec<Candidate>,
    placements: Vec<Candidate>,
}

pub fn why_not(args: &WhyNotArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let mut solvers = Solvers::new(global, &args.profile)?;
    if args.after == 0 {
        solvers = solvers.only_for(&args.technique);
    }
    let mut pictures = Pictures::on_request(&args.picture, out);
    // Only authors and programs need to know if a changed rule is sound.
    let judges_changes = !args.no_proof && (args.lines.lines || !out.is_text());
    for_each_puzzle(&args.puzzle, None, out, |puzzle, state, is_unique| {
        let geometry = &puzzle.geometry;
        limits::start_clock(Some(args.seconds));
        let solver = solvers.on(geometry, is_unique);
        let members = match members_by_technique(&solver, &args.technique) {
            Ok(members) => members,
            Err(error) => return Err(technique_not_searched(&solvers, is_unique, error)),
        };
        let restrictions = Restrictions::read(args, geometry)?;
        let (steps, state) = advance(&solver, state, args.after);
        let mut lines = Vec::from_iter(early_end_note(args.after, steps));
        lines.extend(absent_candidates(geometry, &state, &restrictions));
        let rules = (&solvers.rulebook, &*solver, &members);
        let near_misses = search_near_misses(args, judges_changes, rules, &state, &restrictions);
        lines.extend(near_miss_lines(args, &near_misses, geometry, &mut pictures)?);
        let is_empty = near_misses.misses.is_empty() && near_misses.deductions.is_empty();
        let (status, exit) = if is_empty { ("nothing", Exit::Unsuccessful) } else { ("found", Exit::Done) };
        Ok(PuzzleResult { status, exit, lines, result: Box::new(near_misses) })
    })
}

impl Restrictions {
    fn read(args: &WhyNotArgs, geometry: &Geometry) -> Result<Restrictions, Failure> {
        let cells = args.on.as_ref().map(|text| {
            notation::read_cells(geometry, text)
                .map_err(|_| unreadable_option(text, "--on takes cells, as r4c7 or r4c7,r23c1"))
        });
        let (elim_help, place_help) =
            ("--elim takes eliminations, as \"r4c2<>9\"", "--place takes placements, as r4c2=9");
        Ok(Restrictions {
            cells: cells.transpose()?.unwrap_or_default(),
            eliminations: read_candidates(geometry, args.elim.as_deref(), false, elim_help)?,
            placements: read_candidates(geometry, args.place.as_deref(), true, place_help)?,
        })
    }
}

/// Reads an option with deductions, which must all be placements, or all be eliminations.
fn read_candidates(
    geometry: &Geometry,
    option: Option<&str>,
    are_placements: bool,
    help: &str,
) -> Result<Vec<Candidate>, Failure> {
    let Some(text) = option else { return Ok(Vec::new()) };
    let deductions = notation::read_deductions(geometry, text).unwrap_or_default();
    if deductions.is_empty() || deductions.iter().any(|(_, is_placement)| *is_placement != are_placements) {
        return Err(unreadable_option(text, help));
    }
    Ok(deductions.into_iter().map(|(candidate, _)| candidate).collect())
}

fn unreadable_option(text: &str, help: &str) -> Failure {
    Failure::usage(format!("`{text}` cannot be read")).help(help)
}

/// Returns a line for each candidate of `--elim` and `--place` that the position does not have.
fn absent_candidates(geometry: &Geometry, state: &State, restrictions: &Restrictions) -> Vec<Line> {
    let mut lines = Vec::new();
    for &candidate in restrictions.eliminations.iter().chain(&restrictions.placements) {
        if state.has(candidate) {
            continue;
        }
        let cell = notation::cell(geometry, candidate.cell);
        let message = match state.value(candidate.cell) {
            Some(digit) => format!("{cell} is solved: it is {digit}."),
            None => format!("{cell} has no candidate {}, so no rule can conclude anything about it.", candidate.digit),
        };
        lines.push(Line::styled(Role::Failure, message));
    }
    lines
}

/// Returns the near misses of all techniques that the typed name selects, the nearest first. `rules` has the rulebook, the solver, and the
/// selected members by the index of their technique. If `judges_changes`, the changed rules are given to the prover.
fn search_near_misses(
    args: &WhyNotArgs,
    judges_changes: bool,
    (rulebook, solver, members): (&Rulebook, &Solver, &BTreeMap<usize, Vec<MemberId>>),
    state: &State,
    restrictions: &Restrictions,
) -> NearMisses {
    let max_misses = args.most.get();
    let mut merged = NearMisses::default();
    for (&technique, members) in members {
        let query = WhyNotQuery {
            rulebook,
            geometry: solver.geometry(),
            state,
            technique: &solver.techniques()[technique],
            members,
            cells: &restrictions.cells,
            eliminate: &restrictions.eliminations,
            place: &restrictions.placements,
            max_misses,
            is_cancelled: &limits::is_reached,
            halt: limits::halt(),
        };
        let mut found = near_misses(&query);
        if judges_changes {
            judge_changes(&query, &mut found, MAX_JUDGED);
        }
        merged.deductions.extend(found.deductions);
        merged.count += found.count;
        merged.ended_early |= found.ended_early;
        merged.remark = merged.remark.or(found.remark);
        merged.longest_prefix = longest_prefix(merged.longest_prefix.into_iter().chain(found.longest_prefix));
        merged.misses.extend(found.misses);
    }
    merged.deductions.sort();
    merged.deductions.dedup();
    // Near misses that one more or one less candidate would complete come first.
    merged.misses.sort_by_key(|miss| (miss.grid_change.is_none(), miss.distance));
    merged.misses.truncate(max_misses);
    // The longest prefix is shown only if there is nothing else.
    if !merged.deductions.is_empty() || !merged.misses.is_empty() {
        merged.longest_prefix = None;
    }
    merged
}

fn near_miss_lines(
    args: &WhyNotArgs,
    near_misses: &NearMisses,
    geometry: &Geometry,
    pictures: &mut Pictures,
) -> Result<Vec<Line>, CommandError> {
    let mut lines = Vec::new();
    if let Some(remark) = &near_misses.remark {
        lines.push(Line::styled(Role::Failure, format!("{remark}.")));
    }
    if !near_misses.deductions.is_empty() {
        let (listed, rest) = near_misses.deductions.split_at(near_misses.deductions.len().min(MAX_LISTED));
        let more = if rest.is_empty() { String::new() } else { format!("; and {} more", rest.len()) };
        let matches = format!("{} does match: {}{more}", args.technique, listed.join("; "));
        lines.push(Line::styled(Role::Success, format!("{matches}. `pinion why` explains it.")));
    }
    let deductions: Vec<&str> = [&args.elim, &args.place].into_iter().flatten().map(String::as_str).collect();
    let mut restriction = args.on.as_ref().map_or(String::new(), |cells| format!(" with {cells}"));
    if !deductions.is_empty() {
        restriction += &format!(" that would show {}", deductions.join(" and "));
    }
    let shown = near_misses.misses.len();
    let heading = match near_misses.count {
        0 => format!("No pattern{restriction} is one requirement short."),
        1 => format!("One pattern{restriction} is one requirement short:"),
        count if count > shown => {
            format!("{count} patterns{restriction} are one requirement short. The nearest {shown}:")
        }
        count => format!("{count} patterns{restriction} are one requirement short, the nearest first:"),
    };
    lines.push(Line::styled(Role::Name, heading));
    for (index, miss) in near_misses.misses.iter().enumerate() {
        lines.push(Line::default());
        lines.extend(miss_lines(index + 1, miss, args.lines.lines));
        if let Some(scene) = &miss.scene {
            // The first line of a near miss names its pattern.
            lines.extend(pictures.draw(geometry, scene, &miss_lines(1, miss, false)[..1])?);
        }
    }
    if let Some(prefix) = &near_misses.longest_prefix {
        lines.extend(prefix_lines(prefix, args.lines.lines));
    }
    if near_misses.ended_early {
        let default = Line::styled(Role::Quiet, "A limit ended the search early: there may be nearer ones.");
        lines.push(Line::default());
        lines.push(limits::limit_note("there may be nearer ones").unwrap_or(default));
    }
    Ok(lines)
}
