//! `pinion hint`. In: puzzles. Out: the next step of each.

use super::args::{Global, GuardArg, ProfileArg, PuzzleArg};
use super::batch::{Done, each};
use super::exit::{Exit, Stop};
use super::find::left_out;
use super::limits::TimeArg;
use super::output::Output;
use super::picture::{PictureArg, Pictures};
use super::rules::Solvers;
use crate::proof::mistakes;
use crate::render::{Line, Role, Scene, StepRecord, contradiction_words, cuts, explained, grid};
use crate::workbench::mistake_words;
use clap::Args;
use std::mem::ManuallyDrop;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion hint 6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4
  pinion hint - < grid.txt

A grid of candidates is taken as it is, so you can ask at any point of a solution.";

/// Options.
#[derive(Args, Debug)]
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

/// Finds the next step.
pub fn run(args: &HintArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    // The process ends right after: to give the rulebook's memory back piece by piece would take a tenth of it.
    let mut solvers = ManuallyDrop::new(Solvers::new(global, &args.profile)?);
    let mut pictures = Pictures::new(&args.picture, true, out);
    let width = out.width();
    each(&args.puzzle, Some(&args.guard), out, |puzzle, state, one| {
        let geometry = &puzzle.geometry;
        if let Some(found) = state.contradiction(geometry) {
            let slips = mistakes(puzzle, state).map(|found| mistake_words(geometry, &found));
            let words = format!(": {}.", slips.unwrap_or_else(|| contradiction_words(geometry, found)));
            let lines = vec![Line::of(Role::Bad, "Broken").and(Role::Plain, words)];
            return Ok(Done { status: "broken", exit: Exit::Puzzle, lines, result: Box::new(None::<StepRecord>) });
        }
        if state.is_solved() {
            let lines = vec![Line::of(Role::Good, "Solved").and(Role::Plain, ": there is nothing left to find.")];
            return Ok(Done { status: "solved", exit: Exit::Done, lines, result: Box::new(None::<StepRecord>) });
        }
        args.time.begin();
        let next = solvers.on(geometry, one).next(state);
        Ok(match &next.step {
            Some(step) => {
                let mut lines = explained(geometry, step, 2);
                let scene = Scene::of_step(geometry, state, step);
                let drawn = pictures.show(geometry, &scene, &lines)?;
                lines.extend(drawn);
                let result = Box::new(Some(StepRecord::new(geometry, step)));
                Done { status: "found", exit: Exit::Done, lines, result }
            }
            None => {
                let mut lines =
                    vec![Line::of(Role::Bad, "Stuck").and(Role::Plain, ": no technique finds anything here.")];
                lines.extend(grid(geometry, state, width));
                lines.extend(cuts(&next.cuts));
                if !one {
                    lines.extend(left_out(&mut solvers, geometry, None));
                }
                Done { status: "stuck", exit: Exit::Short, lines, result: Box::new(None::<StepRecord>) }
            }
        })
    })
}
