//! `pinion find`. In: puzzles, perhaps a name. Out: every match on each as it stands.

use super::args::{Global, ProfileArg, PuzzleArg};
use super::batch::{Done, Halt, each};
use super::exit::{Exit, Failure, Stop};
use super::output::Output;
use super::picture::{PictureArg, Pictures};
use super::rules::Solvers;
use super::why::after;
use crate::engine::Limits;
use crate::grid::{Geometry, State};
use crate::render::{Line, Role, Scene, StepRecord, cuts, explained};
use crate::solve::{Cut, Findings, Profile, Solver, Step, UnknownTechnique};
use clap::Args;
use serde::Serialize;
use std::sync::Arc;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion find grid.txt
  pinion find grid.txt --technique NAME
  pinion find - --technique NAME --rules my-rules/ < grid.txt

NAME is the id of a rule or the name of its steps, as `pinion list` shows them; case, blanks, - and _ make no
difference. The puzzle is not solved first. --draw draws each match, with a legend below it; --svg writes pictures. With
--after N Pinion looks at the position after N steps of `pinion solve`.";

/// Options.
#[derive(Args, Debug)]
pub struct FindArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    /// Only this technique, by its id or the name of its steps
    #[arg(short, long, value_name = "NAME")]
    technique: Option<String>,
    #[command(flatten)]
    picture: PictureArg,
    /// Look at the position after N steps of the solution path
    #[arg(long, value_name = "N", default_value = "0")]
    after: usize,
    /// Show at most N matches
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
    let mut pictures = Pictures::new(&args.picture, false, out);
    each(&args.puzzle, None, out, |puzzle, state, one| {
        let solver = solvers.on(&puzzle.geometry, one);
        let state = &if args.after == 0 { state.clone() } else { after(&solver, state, args.after) };
        let found = solver.find_all(state, args.technique.as_deref());
        let found = found.map_err(|error| rule_disabled(&solvers, one, error))?;
        let (status, exit) = if found.steps.is_empty() { ("nothing", Exit::Short) } else { ("found", Exit::Done) };
        let mut lines = lines(&puzzle.geometry, state, args, &found, &mut pictures)?;
        lines.extend(unproved(&solver, &found.steps));
        if found.steps.is_empty() && !one {
            lines.extend(left_out(&mut solvers, &puzzle.geometry, args.technique.as_deref()));
        }
        let steps = found
            .steps
            .iter()
            .take(args.most.unwrap_or(usize::MAX))
            .map(|step| StepRecord::new(&puzzle.geometry, step))
            .collect();
        Ok(Done { status, exit, lines, result: Box::new(FindRecord { steps, cuts: found.cuts }) })
    })
}

fn lines(
    geometry: &Geometry,
    state: &State,
    args: &FindArgs,
    found: &Findings,
    pictures: &mut Pictures,
) -> Result<Vec<Line>, Failure> {
    let shown = found.steps.len().min(args.most.unwrap_or(usize::MAX));
    let mut lines = Vec::new();
    for step in &found.steps[..shown] {
        let told = explained(geometry, step, 2);
        let drawn = pictures.show(geometry, &Scene::of_step(geometry, state, step), &told)?;
        lines.extend(told.into_iter().chain(drawn));
    }
    let end = match found.steps.len() {
        0 => Line::of(Role::Bad, "Nothing found on the grid as it stands."),
        1 => Line::of(Role::Quiet, "1 match."),
        many if shown < many => Line::of(Role::Quiet, format!("{many} matches, {shown} shown.")),
        many => Line::of(Role::Quiet, format!("{many} matches.")),
    };
    lines.push(end);
    lines.extend(cuts(&found.cuts));
    Ok(lines)
}

/// That what was asked for by name may be wrong, where it is not proved on this board.
fn unproved(solver: &Solver, steps: &[Step]) -> Option<Line> {
    let doubtful = solver.unproved().iter().map(|&at| &solver.members()[at]);
    let mut labels: Vec<String> = doubtful
        .filter(|member| steps.iter().any(|step| step.member == **member))
        .map(|member| solver.member_label(member))
        .collect();
    labels.dedup();
    let name = &solver.geometry().spec().name;
    let words = format!("Not proved on the board {name}: {}. What it concludes may be wrong.", labels.join(", "));
    (!labels.is_empty()).then(|| Line::of(Role::Bad, words))
}

/// That techniques were not looked for because the puzzle is not known to have one solution, if there are any.
pub fn left_out(solvers: &mut Solvers, geometry: &Arc<Geometry>, name: Option<&str>) -> Option<Line> {
    if !solvers.uniqueness() || geometry.has_extra_pairs() {
        return None;
    }
    let whole = solvers.on(geometry, true);
    let members = whole.members_asked(name).unwrap_or_default();
    let mut techniques: Vec<usize> = members.into_iter().map(|at| whole.members()[at].technique).collect();
    techniques.retain(|&at| whole.techniques()[at].assumes_one_solution);
    techniques.sort_unstable();
    techniques.dedup();
    let words = match techniques.len() {
        0 => return None,
        1 => "One technique that assumes one solution was".to_string(),
        many => format!("{many} techniques that assume one solution were"),
    };
    Some(Line::of(Role::Quiet, format!("{words} not looked for: this puzzle is not known to have just one.")))
}

/// Why a name is not looked for: nothing has it, or what has it assumes one solution.
pub fn rule_disabled(solvers: &Solvers, one: bool, error: UnknownTechnique) -> Halt {
    refused(solvers, one, &error).map_or_else(|| Halt::All(unknown(error)), Halt::Here)
}

/// Why a technique that assumes one solution was not looked for, if the name is one's.
fn refused(solvers: &Solvers, one: bool, error: &UnknownTechnique) -> Option<Failure> {
    let geometry = Geometry::standard(9).map(Arc::new)?;
    let (typed, limits) = (&error.typed, Limits::default());
    let whole = Solver::new(solvers.rulebook(), &geometry, &Profile::default(), limits);
    if !whole.has_name(typed) && whole.members_asked(Some(typed)).is_err() {
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
