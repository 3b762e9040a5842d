//! `pinion why`. In: a puzzle, a technique. Out: one match, with everything that its rule demands, and a drawing.

use super::args::{Global, LinesArg, ProfileArg, PuzzleArg};
use super::batch::{Done, each};
use super::exit::{Exit, Stop};
use super::find::rule_disabled;
use super::limits::{self, TimeArg};
use super::output::Output;
use super::picture::{PictureArg, Pictures};
use super::rules::Solvers;
use crate::engine::{Limits, MemberId};
use crate::grid::{Geometry, State};
use crate::lang::ir::Technique;
use crate::render::{Headlines, Line, Role, Scene, counted, explained};
use crate::solve::{Meaning, Rulebook, Solver, Step, UnknownTechnique, apply};
use crate::workbench::{Seen, Subject, Why, because, why};
use clap::Args;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion why PUZZLE --technique NAME
  pinion why grid.txt --technique NAME --at 2 --rules my-rules/

Shows everything that the rule demands, with the cells and digits of the match. If there is no match on the puzzle as it
stands, Pinion solves it up to the first position with one. If you write rules: --lines shows the rule itself, too.";

/// Options.
#[derive(Args, Debug)]
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
pub struct Looked {
    subjects: Vec<(Subject, Vec<MemberId>)>,
    meaning: Meaning,
}

impl Looked {
    /// What a name stands for.
    pub fn new(solver: &Solver, rulebook: &Rulebook, name: &str) -> Result<Looked, UnknownTechnique> {
        let members = solver.members_asked(Some(name))?;
        let members: Vec<MemberId> = members.into_iter().map(|at| solver.members()[at].clone()).collect();
        let mut techniques: Vec<usize> = Vec::new();
        for member in &members {
            if !techniques.contains(&member.technique) {
                techniques.push(member.technique);
            }
        }
        let subject = |number: usize| {
            let technique: &Technique = &solver.techniques()[number];
            let all = rulebook.with_used(vec![technique.clone()]);
            let own = members.iter().filter(|member| member.technique == number).cloned().collect();
            Subject::new(all, rulebook.sources(), solver.geometry()).map(|subject| (subject, own))
        };
        let meaning = Meaning::new(name, solver.techniques());
        Ok(Looked { subjects: techniques.into_iter().filter_map(subject).collect(), meaning })
    }

    /// Every match on a position, each with the number of its subject. If some have the very name, the others are left
    /// out; what several rules find in the same words counts once.
    fn on(&self, geometry: &Geometry, state: &State) -> Vec<(usize, Seen)> {
        let mut out = Vec::new();
        for (number, (subject, members)) in self.subjects.iter().enumerate() {
            let wanted = |member: &MemberId| {
                let same = |own: &MemberId| {
                    own.args == member.args && own.variant == member.variant && own.space == member.space
                };
                members.iter().any(same)
            };
            let limits = Limits { halt: limits::halt(), ..Limits::default() };
            let (found, _) = subject.matches_of(state, &limits, &wanted);
            out.extend(found.into_iter().map(|seen| (number, seen)));
        }
        let named =
            |(number, seen): &(usize, Seen)| self.meaning.has_step(&seen.step, &self.subjects[*number].0.techniques[0]);
        if out.iter().any(named) {
            out.retain(named);
        }
        let mut headlines = Headlines::default();
        out.retain(|(_, seen)| headlines.add(geometry, &seen.step).is_none());
        out
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
        let looked =
            Looked::new(&solver, rulebook, &args.technique).map_err(|error| rule_disabled(&solvers, one, error))?;
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
        let mut lines = heading(args.at.get(), found.len(), steps);
        lines.extend(short_of(args.after.unwrap_or(0), steps));
        lines.extend(explained(&puzzle.geometry, &seen.step, 2));
        lines.push(Line::default());
        lines.extend(because(why.file.as_deref(), &why.names, &why.lines, args.lines.lines));
        lines.push(Line::default());
        let (scene, caption) =
            (Scene::of_step(&puzzle.geometry, &state, &seen.step), explained(&puzzle.geometry, &seen.step, 2));
        lines.extend(pictures.show(&puzzle.geometry, &scene, &caption)?);
        lines.extend(limits::sentence("there may be more matches"));
        let (matches, limit) = (found.len(), limits::words());
        let result = WhyRecord { after_steps: steps, matches, at: args.at.get(), why: Some(why), limit };
        Ok(Done { status: "found", exit: Exit::Done, lines, result: Box::new(result) })
    })
}

/// What the rule of a step of a path demands, and how it is met; nothing where no rule made it.
pub fn reasons(solver: &Solver, rulebook: &Rulebook, state: &State, step: &Step) -> Option<Vec<Line>> {
    let looked = Looked::new(solver, rulebook, &step.technique).ok()?;
    let same = |seen: &Seen| {
        seen.step.eliminations == step.eliminations
            && seen.step.placements == step.placements
            && seen.step.bindings == step.bindings
    };
    let (number, seen) = looked.on(solver.geometry(), state).into_iter().find(|(_, seen)| same(seen))?;
    let techniques = &looked.subjects[number].0.techniques;
    let why = why(rulebook, techniques, solver.geometry(), state, &seen);
    Some(because(None, &[], &why.lines, false))
}

fn nothing(args: &WhyArgs, steps: usize, found: &[(usize, Seen)]) -> Done {
    let words = match found.len() {
        0 if limits::reached() => format!("No match of {} was found in time.", args.technique),
        0 => format!("{} matches nothing here; `pinion why-not` says what is missing.", args.technique),
        many => format!("There is no match {}: there are {many}.", args.at),
    };
    let (matches, limit) = (found.len(), limits::words());
    let result = WhyRecord { after_steps: steps, matches, at: args.at.get(), why: None, limit };
    let mut lines = vec![Line::of(Role::Bad, words)];
    lines.extend(short_of(args.after.unwrap_or(0), steps));
    lines.extend(limits::sentence("there may be matches"));
    Done { status: "nothing", exit: Exit::Short, lines, result: Box::new(result) }
}

/// The position after some steps of the path, or after all of them if it has fewer; how many were made.
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
    let steps = counted(made, "step");
    let words = format!("the position is the one after {steps}, not after {asked}");
    if made < asked { limits::sentence(&words) } else { None }
}

/// The first position of the path with a match, the start first.
fn first_found(solver: &Arc<Solver>, start: &State, looked: &Looked) -> (usize, State, Vec<(usize, Seen)>) {
    let found = looked.on(solver.geometry(), start);
    if !found.is_empty() {
        return (0, start.clone(), found);
    }
    let mut state = start.clone();
    for (number, step) in solver.solve(start.clone()).steps.iter().enumerate() {
        apply(step, solver.geometry(), &mut state);
        let found = looked.on(solver.geometry(), &state);
        if !found.is_empty() {
            return (number + 1, state, found);
        }
    }
    (0, start.clone(), Vec::new())
}

fn heading(at: usize, of: usize, steps: usize) -> Vec<Line> {
    let place = if steps == 0 { "as it stands".to_string() } else { format!("after {}", counted(steps, "step")) };
    vec![Line::of(Role::Quiet, format!("Match {at} of {of} on the puzzle {place}."))]
}
