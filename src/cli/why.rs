//! `pinion why` and `pinion why-not`. In: a puzzle, a technique, perhaps the deduction that was expected. Out: one match with everything that
//! its rule demands, or what the rule nearly finds.

use crate::cli::args::LinesArg;
use crate::cli::batch::{PuzzleResult, each};
use crate::cli::find::rule_disabled;
use crate::cli::output::{PictureArg, Pictures};
use crate::cli::prelude::*;
use crate::engine::{Limits, MemberId};
use crate::grid::Candidate;
use crate::render::{Headlines, Scene, step_lines};
use crate::solve::{Meaning, Step, UnknownTechnique, apply};
use crate::workbench::{
    MatchedStep, Miss, NearMisses, Subject, Why, WhyNotQuery, judge_changes, longest_prefix, miss_lines, near_misses,
    prefix_lines, requirement_lines, why,
};
use std::num::NonZeroUsize;

/// Show why a technique matches: everything that its rule demands
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion why PUZZLE --technique NAME
  pinion why grid.txt --technique NAME --at 2 --rules my-rules/

Shows everything that the rule demands, with the cells and digits of the match. If there is no match on the puzzle as it
stands, Pinion solves it up to the first position with one. If you write rules: --lines shows the rule itself, too.")]
pub struct WhyArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    /// The technique, by its id or the name of its steps
    #[arg(short, long, value_name = "NAME")]
    technique: String,
    /// Which match, counted from 1
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
    /// The limit that ended the search early.
    limit: Option<String>,
}

/// The matches of a technique with the rules that made them.
pub struct RuleMatches {
    subjects: Vec<(Subject, Vec<MemberId>)>,
    meaning: Meaning,
}

impl RuleMatches {
    /// Finds the rules that a name stands for.
    pub fn new(solver: &Solver, rulebook: &Rulebook, name: &str) -> Result<RuleMatches, UnknownTechnique> {
        let members = solver.members_by_name(Some(name))?;
        let mut techniques: Vec<(usize, Vec<MemberId>)> = Vec::new();
        for member in members.into_iter().map(|at| solver.members()[at].clone()) {
            match techniques.iter_mut().find(|(technique, _)| *technique == member.technique) {
                Some((_, own)) => own.push(member),
                None => techniques.push((member.technique, vec![member])),
            }
        }
        let mut subjects = Vec::new();
        for (technique, own) in techniques {
            let all = rulebook.with_used(vec![solver.techniques()[technique].clone()]);
            let subject = Subject::new(all, rulebook.sources(), solver.geometry());
            subjects.extend(subject.map(|subject| (subject, own)));
        }
        Ok(RuleMatches { subjects, meaning: Meaning::new(name, solver.techniques()) })
    }

    /// Every match on a position, each with the number of its subject. If some have the very name, the others are left
    /// out; what several rules find in the same words counts once.
    fn on(&self, geometry: &Geometry, state: &State) -> Vec<(usize, MatchedStep)> {
        let mut out = Vec::new();
        for (number, (subject, members)) in self.subjects.iter().enumerate() {
            let limits = Limits { halt: limits::halt(), ..Limits::default() };
            let (found, _) = subject.matches_of(state, &limits, &|member| {
                let key = (&member.args, member.variant, member.space);
                members.iter().any(|own| (&own.args, own.variant, own.space) == key)
            });
            out.extend(found.into_iter().map(|seen| (number, seen)));
        }
        if out.iter().any(|one| self.has_the_name(one)) {
            out.retain(|one| self.has_the_name(one));
        }
        let mut headlines = Headlines::default();
        out.retain(|(_, seen)| headlines.add(geometry, &seen.step).is_none());
        out
    }

    fn has_the_name(&self, (number, seen): &(usize, MatchedStep)) -> bool {
        self.meaning.has_step(&seen.step, &self.subjects[*number].0.techniques[0])
    }
}

/// Explains a match.
pub fn run(args: &WhyArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let mut solvers = Solvers::new(global, &args.profile)?;
    let picture = PictureArg { draw: true, svg: args.svg.clone() };
    let mut pictures = Pictures::new(&picture, true, out);
    each(&args.puzzle, None, out, |puzzle, state, one| {
        let solver = solvers.on(&puzzle.geometry, one);
        let rulebook = solvers.rulebook();
        let looked = RuleMatches::new(&solver, rulebook, &args.technique)
            .map_err(|error| rule_disabled(&solvers, one, error))?;
        args.time.begin();
        let (steps, state, found) = match args.after {
            Some(steps) => {
                let (steps, state) = after(&solver, state, steps);
                let found = looked.on(solver.geometry(), &state);
                (steps, state, found)
            }
            None => first_found(&solver, state, &looked),
        };
        let Some((number, seen)) = found.get(args.at.get() - 1) else {
            return Ok(nothing(args, steps, &found));
        };
        let subject = &looked.subjects[*number].0;
        let why = why(rulebook, &subject.techniques, &puzzle.geometry, &state, seen);
        let place =
            if steps == 0 { "as it stands".to_string() } else { format!("after {}", count_phrase(steps, "step")) };
        let words = format!("Match {} of {} on the puzzle {place}.", args.at, found.len());
        let mut lines = vec![Line::styled(Role::Quiet, words)];
        lines.extend(short_of(args.after.unwrap_or(0), steps));
        let caption = step_lines(&puzzle.geometry, &seen.step, 2);
        lines.extend(caption.iter().cloned());
        lines.push(Line::default());
        lines.extend(requirement_lines(why.file.as_deref(), &why.names, &why.lines, args.lines.lines));
        lines.push(Line::default());
        let scene = Scene::of_step(&puzzle.geometry, &state, &seen.step);
        lines.extend(pictures.show(&puzzle.geometry, &scene, &caption)?);
        lines.extend(limits::sentence("there may be more matches"));
        let (matches, limit) = (found.len(), limits::words());
        let result = WhyRecord { after_steps: steps, matches, at: args.at.get(), why: Some(why), limit };
        Ok(PuzzleResult { status: "found", exit: Exit::Done, lines, result: Box::new(result) })
    })
}

/// Explains how a step meets each requirement of its rule. None if no rule made the step.
pub fn reasons(solver: &Solver, rulebook: &Rulebook, state: &State, step: &Step) -> Option<Vec<Line>> {
    let looked = RuleMatches::new(solver, rulebook, &step.technique).ok()?;
    let key = (&step.eliminations, &step.placements, &step.bindings);
    let (number, seen) = looked.on(solver.geometry(), state).into_iter().find(|(_, seen)| {
        let step = &seen.step;
        (&step.eliminations, &step.placements, &step.bindings) == key
    })?;
    let techniques = &looked.subjects[number].0.techniques;
    let why = why(rulebook, techniques, solver.geometry(), state, &seen);
    Some(requirement_lines(None, &[], &why.lines, false))
}

fn nothing(args: &WhyArgs, steps: usize, found: &[(usize, MatchedStep)]) -> PuzzleResult {
    let words = match found.len() {
        0 if limits::reached() => format!("No match of {} was found in time.", args.technique),
        0 => format!("{} matches nothing here; `pinion why-not` says what is missing.", args.technique),
        many => format!("There is no match {}: there are {many}.", args.at),
    };
    let (matches, limit) = (found.len(), limits::words());
    let result = WhyRecord { after_steps: steps, matches, at: args.at.get(), why: None, limit };
    let mut lines = vec![Line::styled(Role::Failure, words)];
    lines.extend(short_of(args.after.unwrap_or(0), steps));
    lines.extend(limits::sentence("there may be matches"));
    PuzzleResult { status: "nothing", exit: Exit::Short, lines, result: Box::new(result) }
}

/// Makes some steps of the path, or all of them if it has fewer. Returns their number and the position.
pub fn after(solver: &Arc<Solver>, start: &State, steps: usize) -> (usize, State) {
    let mut state = start.clone();
    for made in 0..steps {
        let Some(step) = solver.next(&state).step else { return (made, state) };
        apply(&step, solver.geometry(), &mut state);
    }
    (steps, state)
}

/// Says that the position is not the one that was asked for, if a limit ended the path early.
pub fn short_of(asked: usize, made: usize) -> Option<Line> {
    let steps = count_phrase(made, "step");
    let words = format!("the position is the one after {steps}, not after {asked}");
    if made < asked { limits::sentence(&words) } else { None }
}

/// The first position of the path with a match, the start first.
fn first_found(solver: &Arc<Solver>, start: &State, looked: &RuleMatches) -> (usize, State, Vec<(usize, MatchedStep)>) {
    let found = looked.on(solver.geometry(), start);
    if !found.is_empty() {
        return (0, start.clone(), found);
    }
    let positions = solver.solve(start.clone()).positions(solver.geometry());
    for (steps, state) in positions.into_iter().enumerate().skip(1) {
        let found = looked.on(solver.geometry(), &state);
        if !found.is_empty() {
            return (steps, state, found);
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

Pinion drops or weakens each requirement of the rule in turn and shows what it finds then, the nearest first: what is
missing, and the candidate to add or remove for a match. If you write rules: --lines also shows the requirement as the
rule has it, and how to change the rule, with a word on whether it would still be right.")]
pub struct WhyNotArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    /// The technique, by its id or the name of its steps
    #[arg(short, long, value_name = "NAME")]
    technique: String,
    /// Only patterns with all of these cells, as r4c7,r2c3
    #[arg(long, value_name = "CELLS")]
    on: Option<String>,
    /// Only patterns that would eliminate this, as r4c2<>9
    #[arg(long, value_name = "DEDUCTION")]
    elim: Option<String>,
    /// Only patterns that would place this, as r4c2=9
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
    /// Do not ask whether the changed rule would be right
    #[arg(long)]
    no_proof: bool,
    #[command(flatten)]
    lines: LinesArg,
    #[command(flatten)]
    picture: PictureArg,
    #[command(flatten)]
    profile: ProfileArg,
}

/// At most this many existing matches are listed.
const SHOWN: usize = 6;

/// The expected deductions and cells.
struct Expected {
    on: Vec<crate::grid::Cell>,
    eliminate: Vec<Candidate>,
    place: Vec<Candidate>,
}

/// Looks for near misses.
pub fn why_not(args: &WhyNotArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut pictures = Pictures::new(&args.picture, false, out);
    // The soundness of changed rules is for their authors and for programs.
    let judged = !args.no_proof && (args.lines.lines || !out.is_text());
    each(&args.puzzle, None, out, |puzzle, state, known| {
        let solver = solvers.on(&puzzle.geometry, known);
        let members =
            solver.members_by_name(Some(&args.technique)).map_err(|error| rule_disabled(&solvers, known, error))?;
        let members: Vec<MemberId> = members.into_iter().map(|at| solver.members()[at].clone()).collect();
        let wanted = wanted(args, &puzzle.geometry)?;
        limits::begin(Some(args.seconds));
        let (made, state) = after(&solver, state, args.after);
        let mut lines = Vec::from_iter(short_of(args.after, made));
        lines.extend(absent(&puzzle.geometry, &state, &wanted));
        let found = look(args, judged, (solvers.rulebook(), &solver), &state, &members, &wanted);
        lines.extend(near_miss_lines(args, &found, &mut |miss| match &miss.scene {
            Some(scene) => pictures.show(&puzzle.geometry, scene, &miss_lines(1, miss, false)[..1]),
            None => Ok(Vec::new()),
        })?);
        let short = found.misses.is_empty() && found.found.is_empty();
        let (status, exit) = if short { ("nothing", Exit::Short) } else { ("found", Exit::Done) };
        Ok(PuzzleResult { status, exit, lines, result: Box::new(found) })
    })
}

fn wanted(args: &WhyNotArgs, geometry: &Geometry) -> Result<Expected, Failure> {
    let on = args.on.as_ref().map_or(Ok(Vec::new()), |text| {
        let cells = notation::read_cells(geometry, text);
        cells.map_err(|_| unreadable(text, "--on takes cells, as r4c7 or r4c7,r23c1"))
    })?;
    let elim = (&args.elim, false, "--elim takes eliminations, as \"r4c2<>9\"");
    let place = (&args.place, true, "--place takes placements, as r4c2=9");
    Ok(Expected { on, eliminate: deductions(geometry, elim)?, place: deductions(geometry, place)? })
}

/// Reads the candidates of an option: all placed, or all eliminated.
fn deductions(
    geometry: &Geometry,
    (text, placed, help): (&Option<String>, bool, &str),
) -> Result<Vec<Candidate>, Failure> {
    let Some(text) = text else { return Ok(Vec::new()) };
    match notation::read_deductions(geometry, text) {
        Ok(all) if !all.is_empty() && all.iter().all(|(_, is_placed)| *is_placed == placed) => {
            Ok(all.into_iter().map(|(one, _)| one).collect())
        }
        _ => Err(unreadable(text, help)),
    }
}

fn unreadable(text: &str, help: &str) -> Failure {
    Failure::usage(format!("`{text}` cannot be read")).help(help)
}

/// Candidates that were expected to go and are not there.
fn absent(geometry: &Geometry, state: &State, wanted: &Expected) -> Vec<Line> {
    let mut lines = Vec::new();
    for one in wanted.eliminate.iter().chain(&wanted.place).filter(|one| !state.has(**one)) {
        let cell = notation::cell(geometry, one.cell);
        let words = match state.value(one.cell) {
            Some(digit) => format!("{cell} is solved: it is {digit}."),
            None => format!("{cell} has no candidate {}: nothing can be shown of it.", one.digit),
        };
        lines.push(Line::styled(Role::Failure, words));
    }
    lines
}

fn look(
    args: &WhyNotArgs,
    judged: bool,
    (rulebook, solver): (&Rulebook, &Arc<Solver>),
    state: &State,
    members: &[MemberId],
    wanted: &Expected,
) -> NearMisses {
    let mut out = NearMisses::default();
    let mut numbers: Vec<usize> = members.iter().map(|member| member.technique).collect();
    numbers.dedup();
    for number in numbers {
        let own: Vec<MemberId> = members.iter().filter(|member| member.technique == number).cloned().collect();
        let asked = WhyNotQuery {
            rulebook,
            geometry: solver.geometry(),
            state,
            technique: &solver.techniques()[number],
            members: &own,
            on: &wanted.on,
            eliminate: &wanted.eliminate,
            place: &wanted.place,
            most: args.most.get(),
            enough: &limits::reached,
            halt: limits::halt(),
        };
        let mut found = near_misses(&asked);
        if judged {
            judge_changes(&asked, &mut found, 3);
        }
        out.found.extend(found.found);
        out.seen += found.seen;
        out.cut |= found.cut;
        out.remark = out.remark.or(found.remark);
        out.furthest = longest_prefix(out.furthest.into_iter().chain(found.furthest));
        out.misses.extend(found.misses);
    }
    out.found.sort();
    out.found.dedup();
    out.misses.sort_by_key(|miss| (miss.grid_change.is_none(), miss.distance));
    out.misses.truncate(args.most.get());
    if !(out.found.is_empty() && out.misses.is_empty()) {
        out.furthest = None;
    }
    out
}

/// Draws a near miss.
type Draw<'d> = dyn FnMut(&Miss) -> Result<Vec<Line>, Failure> + 'd;

fn near_miss_lines(args: &WhyNotArgs, found: &NearMisses, draw: &mut Draw<'_>) -> Result<Vec<Line>, Failure> {
    let mut lines = Vec::new();
    lines.extend(found.remark.iter().map(|words| Line::styled(Role::Failure, format!("{words}."))));
    if !found.found.is_empty() {
        let shown = &found.found[..found.found.len().min(SHOWN)];
        let more = found.found.len() - shown.len();
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        let words = format!("{} does match: {}{more}", args.technique, shown.join("; "));
        lines.push(Line::styled(Role::Success, format!("{words}. `pinion why` explains it.")));
    }
    let shows: Vec<&str> = [&args.elim, &args.place].into_iter().flatten().map(String::as_str).collect();
    let shows = if shows.is_empty() { String::new() } else { format!(" that would show {}", shows.join(" and ")) };
    let on = args.on.as_ref().map_or(String::new(), |cells| format!(" with {cells}"));
    let what = on + &shows;
    let head = match found.seen {
        0 => format!("No pattern{what} is one requirement short."),
        1 => format!("One pattern{what} is one requirement short:"),
        many if many > found.misses.len() => {
            format!("{many} patterns{what} are one requirement short. The nearest {}:", found.misses.len())
        }
        many => format!("{many} patterns{what} are one requirement short, the nearest first:"),
    };
    lines.push(Line::styled(Role::Name, head));
    for (number, miss) in found.misses.iter().enumerate() {
        lines.push(Line::default());
        lines.extend(miss_lines(number + 1, miss, args.lines.lines));
        lines.extend(draw(miss)?);
    }
    if let Some(furthest) = &found.furthest {
        lines.extend(prefix_lines(furthest, args.lines.lines));
    }
    if found.cut {
        lines.push(Line::default());
        let other = Line::styled(Role::Quiet, "A limit ended the search early: there may be nearer ones.");
        lines.push(limits::sentence("there may be nearer ones").unwrap_or(other));
    }
    Ok(lines)
}
