//! `pinion solve` and `pinion hint`. In: puzzles. Out: their paths, or the next step of each.
//!
//! `--verify` checks every step of a path without the engine: a step must follow from the cells, houses and links that it cites, and agree
//! with the solution. A step of a technique that assumes one solution follows from no part of the grid, so it is only compared with the
//! solution; a guess follows from nothing, and steps that rest on one are not compared.

use crate::cli::batch::{AboutArg, AboutRecord, PuzzleHalt, PuzzleResult, each};
use crate::cli::find::left_out;
use crate::cli::output::{PictureArg, Pictures};
use crate::cli::prelude::*;
use crate::cli::{progress, tour};
use crate::grid::{Candidate, Digit};
use crate::proof::{StepCheck, Uniqueness, check_cited, mistakes, uniqueness};
use crate::render::{
    PathOptions, PathRecord, Scene, StepRecord, StoryOptions, VerifiedRecord, candidate_grid, contradiction_words,
    cost_lines, cut_notes, missing_row_lines, path_lines, step_lines, story_lines,
};
use crate::solve::{Outcome, Path, Replay, Step, Trial};
use crate::workbench::{first_wrong_step, mistake_words};
use std::mem::ManuallyDrop;

/// Solve puzzles, step by step with reasons
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion solve 6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4
  pinion solve puzzles.txt --format json
  pinion solve puzzles.txt --profile classic --summary

The line of a step has the technique, the pattern and what follows; the reason is below it. On a terminal the path begins
and ends with the grid, and a run of singles is one line.
With --format json or ron there is one line for each puzzle, see docs/cli.md.")]
pub struct SolveArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: TimeArg,
    #[command(flatten)]
    guard: GuardArg,
    #[command(flatten)]
    about: AboutArg,
    /// Count the uses of each technique instead of printing the steps
    #[arg(long, visible_alias = "only-summary")]
    summary: bool,
    /// Guess when no technique finds anything, and take back what leads to a contradiction
    #[arg(long)]
    guess: bool,
    /// Draw the candidates before every step; on a terminal, draw each step that is not a single
    #[arg(short, long)]
    verbose: bool,
    /// On a terminal, print every step: otherwise a run of singles is one line
    #[arg(long)]
    all: bool,
    /// Step through the path on the terminal: forward, back, why, other matches
    #[arg(short, long, conflicts_with_all = ["summary", "verbose"])]
    interactive: bool,
    /// Check every step again without the engine: from what it cites, and with the solution
    #[arg(long)]
    verify: bool,
}

/// A path with answers about the puzzle.
#[derive(Serialize)]
struct WithAbout {
    #[serde(flatten)]
    path: PathRecord,
    about: AboutRecord,
}

/// Solves puzzles.
pub fn run(args: &SolveArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let mut solvers = Solvers::new(global, &args.profile)?;
    let width = out.width();
    let detail = PathOptions { steps: !args.summary, grids: args.verbose, cost: args.profile.profile.is_some(), width };
    let mut idle = Vec::new();
    if args.interactive && width.is_none() {
        return Err(Failure::usage("--interactive needs a terminal to show the path on").into());
    }
    let exit = each(&args.puzzle, Some(&args.guard), out, |puzzle, state, one| {
        let solver = solvers.on(&puzzle.geometry, one);
        args.time.begin();
        let found = if args.guess { solver.solve_guessing(state.clone()) } else { solver.solve(state.clone()) };
        let (status, mut exit) = match found.outcome {
            Outcome::Solved => ("solved", Exit::Done),
            Outcome::Stuck => ("stuck", Exit::Short),
            // A puzzle with a solution was broken by a rule.
            Outcome::Broken(_) if one => ("broken", Exit::Short),
            Outcome::Broken(_) => ("broken", Exit::Puzzle),
        };
        let mut lines = match width {
            Some(width) if detail.steps && !args.interactive => {
                let mut lines =
                    story_lines(&puzzle.geometry, &found, StoryOptions { all: args.all, grids: args.verbose, width });
                lines.extend(cut_notes(&found.cuts));
                lines.extend(if detail.cost { cost_lines(&found.cost) } else { Vec::new() });
                lines
            }
            _ => path_lines(&puzzle.geometry, &found, detail),
        };
        let wrong = first_wrong_step(&puzzle.geometry, &found);
        lines.extend(wrong.iter().map(|one| note(one.text.as_str())));
        if args.interactive {
            progress::end();
            tour::run(&solver, solvers.rulebook(), &found).map_err(Failure::from_io)?;
            lines.clear();
        }
        let mut result = PathRecord::new(&puzzle.geometry, &found);
        result.wrong_step = wrong;
        if args.summary {
            result.steps.clear();
        }
        if args.verify {
            let solution = match uniqueness(&puzzle.geometry, state) {
                Uniqueness::One(solution) => Some(solution),
                _ => None,
            };
            let verified = verify(&puzzle.geometry, &found, solution.as_deref());
            if verified.wrong.is_some() {
                exit = exit.max(Exit::Short);
            }
            lines.push(verified_line(&verified));
            result.verified = Some(verified);
        }
        if let (Outcome::Broken(_), Some(found)) = (&found.outcome, mistakes(puzzle, state)) {
            lines.push(Line::styled(Role::Failure, format!("{}.", mistake_words(&puzzle.geometry, &found))));
        }
        let mut about = None;
        if args.about.is_asked() {
            let (more, record) = args.about.answer(puzzle).map_err(PuzzleHalt::Here)?;
            lines.extend(more);
            about = Some(record);
        }
        idle = found.cost.missing;
        let result: Box<dyn erased_serde::Serialize> = match about {
            Some(about) => Box::new(WithAbout { path: result, about }),
            None => Box::new(result),
        };
        Ok(PuzzleResult { status, exit, lines, result })
    })?;
    if detail.cost && out.is_text() {
        out.lines(&missing_row_lines(&idle))?;
    }
    Ok(exit)
}

/// Show the next step only
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion hint 6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4
  pinion hint - < grid.txt

A grid of candidates is taken as it is, so you can ask at any point of a solution.")]
pub struct HintArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: TimeArg,
    #[command(flatten)]
    picture: PictureArg,
    #[command(flatten)]
    guard: GuardArg,
}

/// StepSearch the next step.
pub fn hint(args: &HintArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    // The process ends right after: to give the rulebook's memory back piece by piece would take a tenth of it.
    let mut solvers = ManuallyDrop::new(Solvers::new(global, &args.profile)?);
    let mut pictures = Pictures::new(&args.picture, true, out);
    let width = out.width();
    each(&args.puzzle, Some(&args.guard), out, |puzzle, state, one| {
        let geometry = &puzzle.geometry;
        if let Some(found) = state.contradiction(geometry) {
            let slips = mistakes(puzzle, state).map(|found| mistake_words(geometry, &found));
            let words = format!(": {}.", slips.unwrap_or_else(|| contradiction_words(geometry, found)));
            let lines = vec![Line::styled(Role::Failure, "Broken").with(Role::Plain, words)];
            return Ok(no_step("broken", Exit::Puzzle, lines));
        }
        if state.is_solved() {
            let lines =
                vec![Line::styled(Role::Success, "Solved").with(Role::Plain, ": there is nothing left to find.")];
            return Ok(no_step("solved", Exit::Done, lines));
        }
        args.time.begin();
        let next = solvers.on(geometry, one).next(state);
        Ok(match &next.step {
            Some(step) => {
                let mut lines = step_lines(geometry, step, 2);
                let scene = Scene::of_step(geometry, state, step);
                let drawn = pictures.show(geometry, &scene, &lines)?;
                lines.extend(drawn);
                let result = Box::new(Some(StepRecord::new(geometry, step)));
                PuzzleResult { status: "found", exit: Exit::Done, lines, result }
            }
            None => {
                let mut lines =
                    vec![Line::styled(Role::Failure, "Stuck").with(Role::Plain, ": no technique finds anything here.")];
                lines.extend(candidate_grid(geometry, state, width));
                lines.extend(cut_notes(&next.cuts));
                if !one {
                    lines.extend(left_out(&mut solvers, geometry, None));
                }
                no_step("stuck", Exit::Short, lines)
            }
        })
    })
}

/// The answer where there is no step to show.
fn no_step(status: &'static str, exit: Exit, lines: Vec<Line>) -> PuzzleResult {
    PuzzleResult { status, exit, lines, result: Box::new(None::<StepRecord>) }
}

/// Checks the steps of a path in order, up to the first that does not hold.
fn verify(geometry: &Geometry, path: &Path, solution: Option<&[Digit]>) -> VerifiedRecord {
    let mut replay = Replay::new(path.start.clone());
    let mut out = VerifiedRecord::default();
    for (number, step) in path.steps.iter().enumerate() {
        let trying = step.guesses > 0 || step.trial == Some(Trial::Guess);
        let compared = solution.filter(|_| !trying);
        let objection = match step.trial {
            None => unfounded(geometry, replay.state(), step),
            Some(_) => None,
        };
        if let Some(objection) = objection.or_else(|| untrue(geometry, step, compared?)) {
            out.wrong = Some(format!("step {}, {}: {objection}", number + 1, step.name));
            return out;
        }
        out.steps += 1;
        out.one_solution += usize::from(step.assumes_one_solution && !trying);
        out.guesses += usize::from(trying || step.trial.is_some());
        replay.apply(geometry, step);
    }
    out
}

/// Returns the reason why a step does not follow from what it cites.
fn unfounded(geometry: &Geometry, state: &State, step: &Step) -> Option<String> {
    match check_cited(geometry, state, &step.cited()) {
        StepCheck::Follows | StepCheck::OneSolution => None,
        StepCheck::DoesNotFollow(candidate) => {
            let placed = step.placements.contains(&candidate);
            Some(format!("{} does not follow from what it cites", notation::deduction(geometry, candidate, placed)))
        }
        StepCheck::WrongCase(number, why) => {
            let supposed = step.cases.get(number).map(|case| case.supposed);
            let case = supposed.map_or_else(String::new, |(one, holds)| notation::deduction(geometry, one, holds));
            Some(format!("the case {case} does not reach its end: {}", objection(geometry, &why)))
        }
        other => Some(objection(geometry, &other)),
    }
}

fn objection(geometry: &Geometry, check: &StepCheck) -> String {
    match check {
        StepCheck::Follows => String::new(),
        StepCheck::OneSolution => "a step inside rests on one solution, which the step itself does not assume".into(),
        StepCheck::WrongCell(at) => format!("{} has other candidates than it says", notation::cell(geometry, *at)),
        StepCheck::WrongLink(a, b) => {
            format!("{} and {} are not a strong link", node(geometry, *a), node(geometry, *b))
        }
        StepCheck::DoesNotFollow(candidate) => format!("{} does not follow", node(geometry, *candidate)),
        StepCheck::Undecided(candidate) => format!("no answer for {} within the limit", node(geometry, *candidate)),
        StepCheck::WrongCase(_, why) => objection(geometry, why),
        StepCheck::NotLast(candidate) => format!("{} is not the last one left", node(geometry, *candidate)),
        StepCheck::NotTheEnd => "its inferences end in something else".into(),
    }
}

/// `(5)r2c3`
fn node(geometry: &Geometry, node: Candidate) -> String {
    format!("({}){}", node.digit, notation::cell(geometry, node.cell))
}

/// Returns the first deduction of a step that contradicts the solution.
fn untrue(geometry: &Geometry, step: &Step, solution: &[Digit]) -> Option<String> {
    let eliminated = step.eliminations.iter().find(|one| solution[one.cell.index()] == one.digit);
    let placed = step.placements.iter().find(|one| solution[one.cell.index()] != one.digit);
    let (candidate, placed) = eliminated.map(|one| (one, false)).or(placed.map(|one| (one, true)))?;
    Some(format!("{} contradicts the solution", notation::deduction(geometry, *candidate, placed)))
}

/// The outcome of a verification in a line.
fn verified_line(verified: &VerifiedRecord) -> Line {
    if let Some(wrong) = &verified.wrong {
        return Line::styled(Role::Failure, "Not verified: ").with(Role::Plain, wrong.clone());
    }
    let rest = match (verified.one_solution, verified.guesses) {
        (0, 0) => String::new(),
        (one, 0) => format!(" But {}.", resting(one)),
        (0, guesses) => format!(" But {}.", trying(guesses)),
        (one, guesses) => format!(" But {}; {}.", resting(one), trying(guesses)),
    };
    let steps = count_phrase(verified.steps, "step");
    let words = format!("{steps}, each follows from what it cites and agrees with the solution.{rest}");
    Line::styled(Role::Success, "Verified: ").with(Role::Plain, words)
}

/// Steps of techniques that assume one solution.
fn resting(steps: usize) -> String {
    let (rest, agree) = if steps == 1 { ("rests", "agrees") } else { ("rest", "agree") };
    format!("{} {rest} on there being one solution, and only {agree} with it", count_phrase(steps, "step"))
}

/// Guesses and what rests on them.
fn trying(steps: usize) -> String {
    let are = if steps == 1 { "is a guess" } else { "are guesses or rest on one" };
    format!("{} {are}, and not compared with the solution", count_phrase(steps, "step"))
}
