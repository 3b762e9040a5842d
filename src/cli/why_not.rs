//! `pinion why-not`. In: a puzzle, a technique, perhaps the deduction that was expected. Out: what it nearly finds.

use super::args::{Global, LinesArg, ProfileArg, PuzzleArg};
use super::batch::{Done, each};
use super::exit::{Exit, Failure, Stop};
use super::find::rule_disabled;
use super::limits;
use super::output::Output;
use super::picture::{PictureArg, Pictures};
use super::rules::Solvers;
use super::why::{after, short_of};
use crate::engine::MemberId;
use crate::grid::{Candidate, Geometry, State, notation};
use crate::render::{Line, Role};
use crate::solve::{Rulebook, Solver};
use crate::workbench::{Asked, Miss, NearMisses, begun, furthest_of as best, judge, missed, near_misses};
use clap::Args;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion why-not grid.txt --technique NAME
  pinion why-not grid.txt --technique NAME --elim \"r4c2<>9\" --rules my-rules/
  pinion why-not grid.txt --technique NAME --on r4c7,r2c3

Pinion drops or weakens each requirement of the rule in turn and shows what it finds then, the nearest first: what is
missing, and the candidate to add or remove for a match. If you write rules: --lines also shows the requirement as the
rule has it, and how to change the rule, with a word on whether it would still be right.";

/// Options.
#[derive(Args, Debug)]
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
    /// How many near misses to show
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

/// What was expected.
struct Wanted {
    on: Vec<crate::grid::Cell>,
    eliminate: Vec<Candidate>,
    place: Vec<Candidate>,
}

/// Looks for near misses.
pub fn run(args: &WhyNotArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut pictures = Pictures::new(&args.picture, false, out);
    // Whether a changed rule would be right is told to its author, and to programs.
    let judged = !args.no_proof && (args.lines.lines || !out.is_text());
    each(&args.puzzle, None, out, |puzzle, state, known| {
        let solver = solvers.on(&puzzle.geometry, known);
        let members =
            solver.members_asked(Some(&args.technique)).map_err(|error| rule_disabled(&solvers, known, error))?;
        let members: Vec<MemberId> = members.into_iter().map(|at| solver.members()[at].clone()).collect();
        let wanted = wanted(args, &puzzle.geometry)?;
        limits::begin(Some(args.seconds));
        let (made, state) = after(&solver, state, args.after);
        let mut lines = Vec::from_iter(short_of(args.after, made));
        lines.extend(absent(&puzzle.geometry, &state, &wanted));
        let found = look(args, judged, (solvers.rulebook(), &solver), &state, &members, &wanted);
        lines.extend(told(args, &found, &mut |miss| match &miss.scene {
            Some(scene) => pictures.show(&puzzle.geometry, scene, &missed(1, miss, false)[..1]),
            None => Ok(Vec::new()),
        })?);
        let short = found.misses.is_empty() && found.found.is_empty();
        let (status, exit) = if short { ("nothing", Exit::Short) } else { ("found", Exit::Done) };
        Ok(Done { status, exit, lines, result: Box::new(found) })
    })
}

fn wanted(args: &WhyNotArgs, geometry: &Geometry) -> Result<Wanted, Failure> {
    let bad = |option: &str, text: &str| {
        Failure::usage(format!("`{text}` cannot be read")).help(format!(
            "{option} takes {}",
            match option {
                "--on" => "cells, as r4c7 or r4c7,r23c1",
                "--elim" => "eliminations, as \"r4c2<>9\"",
                _ => "placements, as r4c2=9",
            }
        ))
    };
    let on = match &args.on {
        Some(text) => notation::read_cells(geometry, text).map_err(|_| bad("--on", text))?,
        None => Vec::new(),
    };
    let list = |option: &str, text: &Option<String>, place: bool| match text {
        None => Ok(Vec::new()),
        Some(text) => match notation::read_deductions(geometry, text) {
            Ok(all) if !all.is_empty() && all.iter().all(|(_, placed)| *placed == place) => {
                Ok(all.into_iter().map(|(one, _)| one).collect())
            }
            _ => Err(bad(option, text)),
        },
    };
    Ok(Wanted { on, eliminate: list("--elim", &args.elim, false)?, place: list("--place", &args.place, true)? })
}

/// Candidates that were expected to go and are not there.
fn absent(geometry: &Geometry, state: &State, wanted: &Wanted) -> Vec<Line> {
    let gone = wanted.eliminate.iter().chain(&wanted.place).filter(|one| !state.has(**one));
    let words = |one: &Candidate| {
        let cell = notation::cell(geometry, one.cell);
        match state.value(one.cell) {
            Some(digit) => format!("{cell} is solved: it is {digit}."),
            None => format!("{cell} has no candidate {}: nothing can be shown of it.", one.digit),
        }
    };
    gone.map(|one| Line::of(Role::Bad, words(one))).collect()
}

fn look(
    args: &WhyNotArgs,
    judged: bool,
    (rulebook, solver): (&Rulebook, &Arc<Solver>),
    state: &State,
    members: &[MemberId],
    wanted: &Wanted,
) -> NearMisses {
    let (clock, limit) = (Instant::now(), Duration::from_secs(args.seconds));
    let enough = || clock.elapsed() >= limit;
    let mut out = NearMisses::default();
    let mut numbers: Vec<usize> = members.iter().map(|member| member.technique).collect();
    numbers.dedup();
    for number in numbers {
        let own: Vec<MemberId> = members.iter().filter(|member| member.technique == number).cloned().collect();
        let asked = Asked {
            rulebook,
            geometry: solver.geometry(),
            state,
            technique: &solver.techniques()[number],
            members: &own,
            on: &wanted.on,
            eliminate: &wanted.eliminate,
            place: &wanted.place,
            most: args.most.get(),
            enough: &enough,
            halt: limits::halt(),
        };
        let mut found = near_misses(&asked);
        if judged {
            judge(&asked, &mut found, 3);
        }
        out.found.extend(found.found);
        out.seen += found.seen;
        out.cut |= found.cut;
        out.remark = out.remark.or(found.remark);
        out.furthest = best(out.furthest.into_iter().chain(found.furthest));
        out.misses.extend(found.misses);
    }
    out.found.sort();
    out.found.dedup();
    out.misses.sort_by_key(|miss| (miss.mend.is_none(), miss.distance));
    out.misses.truncate(args.most.get());
    if !(out.found.is_empty() && out.misses.is_empty()) {
        out.furthest = None;
    }
    out
}

/// How a near miss is drawn, if it is.
type Draw<'d> = dyn FnMut(&Miss) -> Result<Vec<Line>, Failure> + 'd;

fn told(args: &WhyNotArgs, found: &NearMisses, draw: &mut Draw<'_>) -> Result<Vec<Line>, Failure> {
    let mut lines = Vec::new();
    lines.extend(found.remark.iter().map(|words| Line::of(Role::Bad, format!("{words}."))));
    if !found.found.is_empty() {
        let shown = &found.found[..found.found.len().min(SHOWN)];
        let more = found.found.len() - shown.len();
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        let words = format!("{} does match: {}{more}", args.technique, shown.join("; "));
        lines.push(Line::of(Role::Good, format!("{words}. `pinion why` explains it.")));
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
    lines.push(Line::of(Role::Name, head));
    for (number, miss) in found.misses.iter().enumerate() {
        lines.push(Line::default());
        lines.extend(missed(number + 1, miss, args.lines.lines));
        lines.extend(draw(miss)?);
    }
    if let Some(furthest) = &found.furthest {
        lines.extend(begun(furthest, args.lines.lines));
    }
    if found.cut {
        lines.push(Line::default());
        let other = || Line::of(Role::Quiet, "A limit ended the search early: there may be nearer ones.");
        lines.push(limits::sentence("there may be nearer ones").unwrap_or_else(other));
    }
    Ok(lines)
}
