//! `pinion solve`. In: puzzles. Out: their paths.

use super::about::{AboutArg, AboutRecord};
use super::args::{Global, GuardArg, ProfileArg, PuzzleArg};
use super::batch::{Done, Halt, each};
use super::exit::{Exit, Failure, Stop};
use super::limits::TimeArg;
use super::output::Output;
use super::progress;
use super::rules::Solvers;
use super::tour;
use super::verify::verify;
use crate::proof::{Uniqueness, mistakes, uniqueness};
use crate::render::{Detail, Line, PathRecord, Role, Telling, cost, cuts, missing, path, story};
use crate::solve::Outcome;
use crate::workbench::{first_wrong, mistake_words};
use clap::Args;
use serde::Serialize;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion solve 6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4
  pinion solve puzzles.txt --format json
  pinion solve puzzles.txt --profile classic --summary

The line of a step has the technique, the pattern and what follows; the reason is below it. On a terminal the path begins
and ends with the grid, and a run of singles is one line.
With --format json or ron there is one line for each puzzle, see docs/cli.md.";

/// Options.
#[derive(Args, Debug)]
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

/// Solves.
pub fn run(args: &SolveArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let mut solvers = Solvers::new(global, &args.profile)?;
    let width = out.width();
    let detail = Detail { steps: !args.summary, grids: args.verbose, cost: args.profile.profile.is_some(), width };
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
            // What had a solution was broken by a rule.
            Outcome::Broken(_) if one => ("broken", Exit::Short),
            Outcome::Broken(_) => ("broken", Exit::Puzzle),
        };
        let mut lines = match width {
            Some(width) if detail.steps && !args.interactive => {
                let mut lines = story(&puzzle.geometry, &found, Telling { all: args.all, grids: args.verbose, width });
                lines.extend(cuts(&found.cuts));
                lines.extend(if detail.cost { cost(&found.cost) } else { Vec::new() });
                lines
            }
            _ => path(&puzzle.geometry, &found, detail),
        };
        let wrong = first_wrong(&puzzle.geometry, &found);
        lines.extend(wrong.iter().map(|one| Line::of(Role::Bad, "Note: ").and(Role::Plain, one.text.as_str())));
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
            let verification = verify(&puzzle.geometry, &found, solution.as_deref());
            if !verification.holds() {
                exit = exit.max(Exit::Short);
            }
            lines.push(verification.line());
            result.verified = Some(verification.record());
        }
        if let (Outcome::Broken(_), Some(found)) = (&found.outcome, mistakes(puzzle, state)) {
            lines.push(Line::of(Role::Bad, format!("{}.", mistake_words(&puzzle.geometry, &found))));
        }
        let mut about = None;
        if args.about.is_asked() {
            let (more, record) = args.about.answer(puzzle).map_err(Halt::Here)?;
            lines.extend(more);
            about = Some(record);
        }
        idle = found.cost.missing;
        let result: Box<dyn erased_serde::Serialize> = match about {
            Some(about) => Box::new(WithAbout { path: result, about }),
            None => Box::new(result),
        };
        Ok(Done { status, exit, lines, result })
    })?;
    if detail.cost && out.is_text() {
        out.lines(&missing(&idle))?;
    }
    Ok(exit)
}
