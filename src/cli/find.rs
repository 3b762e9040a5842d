//! `pinion find`. In: puzzles, perhaps a name. Out: every match on each as it stands.

use super::args::{Global, ProfileArg, PuzzleArg};
use super::batch::{Done, each};
use super::exit::{Exit, Failure, Stop};
use super::output::Output;
use super::rules::Solvers;
use crate::engine::Limits;
use crate::grid::{Geometry, State};
use crate::render::{Line, Role, StepRecord, cuts, drawing, explained};
use crate::solve::{Cut, Findings, Profile, Solver, UnknownTechnique};
use clap::Args;
use serde::Serialize;
use std::sync::Arc;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion find grid.txt
  pinion find grid.txt --technique NAME
  pinion find - --technique NAME --rules my-rules/ < grid.txt

NAME is the id of a rule or what a step is called, as `pinion list` shows them; small and capital letters,
blanks, - and _ make no difference. The puzzle is not solved first: what is found is there now.
With --draw the cells of a match are in brackets, - stands before a candidate that goes and = before one that is placed.
To look further on, put one of the grids that `pinion solve -v` draws into a file.";

/// Options.
#[derive(Args, Debug)]
pub struct FindArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    /// Only this technique, by its id or by what its steps are called
    #[arg(short, long, value_name = "NAME")]
    technique: Option<String>,
    /// Draw each match in the grid
    #[arg(long)]
    draw: bool,
    /// Show so many matches at most
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    #[command(flatten)]
    profile: ProfileArg,
}

#[derive(Serialize)]
struct FindRecord {
    steps: Vec<StepRecord>,
    cuts: Vec<Cut>,
}

/// Finds every match.
pub fn run(args: &FindArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let mut solvers = Solvers::new(global, &args.profile)?;
    each(&args.puzzle, None, out, |puzzle, state, one| {
        let found = solvers.on(&puzzle.geometry, one).find_all(state, args.technique.as_deref());
        let found = found.map_err(|error| refused(&solvers, one, &error).unwrap_or_else(|| unknown(error)))?;
        let (status, exit) = if found.steps.is_empty() { ("nothing", Exit::Short) } else { ("found", Exit::Done) };
        let lines = lines(&puzzle.geometry, state, args, &found);
        let steps = found
            .steps
            .iter()
            .take(args.most.unwrap_or(usize::MAX))
            .map(|step| StepRecord::new(&puzzle.geometry, step))
            .collect();
        Ok(Done { status, exit, lines, result: FindRecord { steps, cuts: found.cuts } })
    })
}

fn lines(geometry: &Geometry, state: &State, args: &FindArgs, found: &Findings) -> Vec<Line> {
    let shown = found.steps.len().min(args.most.unwrap_or(usize::MAX));
    let mut lines = Vec::new();
    for step in &found.steps[..shown] {
        lines.extend(explained(geometry, step, 2));
        if args.draw {
            lines.extend(drawing(geometry, state, step));
        }
    }
    let end = match found.steps.len() {
        0 => Line::of(Role::Bad, "Nothing found on the grid as it stands."),
        1 => Line::of(Role::Quiet, "1 match."),
        many if shown < many => Line::of(Role::Quiet, format!("{many} matches, {shown} shown.")),
        many => Line::of(Role::Quiet, format!("{many} matches.")),
    };
    lines.push(end);
    lines.extend(cuts(&found.cuts));
    lines
}

/// Why a technique that assumes one solution was not looked for, if the name is one's.
fn refused(solvers: &Solvers, one: bool, error: &UnknownTechnique) -> Option<Failure> {
    let geometry = Geometry::standard(9).map(Arc::new)?;
    let (typed, limits) = (&error.typed, Limits::default());
    let whole = Solver::new(solvers.rulebook(), &geometry, &Profile::default(), limits);
    if !whole.has_name(typed) {
        return None;
    }
    let reason = match (solvers.uniqueness(), one) {
        (false, _) => "it assumes one solution, and --no-uniqueness leaves such techniques out",
        (_, false) => "it assumes one solution, and this puzzle is not known to have just one",
        _ => "it is left out on this board",
    };
    Some(Failure::usage(format!("`{typed}` is not looked for: {reason}")))
}

/// Nothing has the name.
pub fn unknown(error: UnknownTechnique) -> Failure {
    let failure = Failure::usage(format!("no technique is called `{}`", error.typed));
    match error.nearest.as_slice() {
        [] => failure.help("`pinion list` shows them all"),
        near => failure.help(format!("did you mean {}? `pinion list` shows them all", near.join(" or "))),
    }
}
