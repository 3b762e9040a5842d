//! `pinion bench`. In: files of puzzles. Out: how fast they are solved, and what each technique costs.

mod measure;
mod report;

use super::args::{Global, ProfileArg, board};
use super::exit::{Exit, Failure, Stop};
use super::input::{format_failure, puzzles};
use super::output::Output;
use super::rules::Solvers;
use crate::grid::Geometry;
use clap::Args;
use measure::Task;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion bench puzzles.txt
  pinion bench puzzles.txt --threads 2 --profile hodoku
  pinion bench puzzles.txt --rules my-rules/ --format json
  pinion bench puzzles.txt --digests before.txt

Each puzzle is solved once. The table has a line for each technique: searches, searches that found something, total time,
time a search and share of the time. Puzzles are taken to have one solution. With several threads the times of techniques
are added up. Two runs with equal paths write equal digests.";

/// Options.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Files with puzzles, puzzles, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Read puzzles for this board only: a size such as 16x16, a name such as windoku, or a board file (otherwise the
    /// length tells)
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Option<String>,
    /// Work on N puzzles at a time
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Show the N slowest puzzles
    #[arg(long, value_name = "N", default_value = "5")]
    slowest: usize,
    /// Only the first N puzzles
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    /// Write a digest of each puzzle's path to this file
    #[arg(long, value_name = "FILE")]
    digests: Option<PathBuf>,
    #[command(flatten)]
    profile: ProfileArg,
}

/// Measures.
pub fn run(args: &BenchArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let geometry = args.board.as_deref().map(board).transpose()?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let (tasks, unreadable) = tasks(args, geometry.as_ref(), &mut solvers)?;
    let sums = measure::all(&tasks, args.threads.get(), args.digests.is_some());
    if let Some(file) = &args.digests {
        let lines: String = sums
            .puzzles
            .iter()
            .map(|one| format!("{} {}\n", one.digest.as_deref().unwrap_or_default(), one.outcome))
            .collect();
        std::fs::write(file, lines)
            .map_err(|error| Failure::input(format!("{} cannot be written: {error}", file.display())))?;
    }
    report::tell(&sums, &tasks, args.threads.get(), args.slowest, out)?;
    Ok(match (sums.puzzles.is_empty(), unreadable) {
        (true, _) => Exit::Puzzle,
        (_, true) => Exit::Input,
        _ => Exit::Done,
    })
}

/// The puzzles of all files, each with its solver, compiled before any clock runs; what cannot be read is told.
fn tasks(
    args: &BenchArgs,
    geometry: Option<&Arc<Geometry>>,
    solvers: &mut Solvers,
) -> Result<(Vec<Task>, bool), Failure> {
    let (mut tasks, mut unreadable) = (Vec::new(), false);
    for file in &args.files {
        let source = puzzles(file, geometry)?;
        for puzzle in source.list {
            match puzzle {
                Ok(puzzle) => {
                    let solver = solvers.on(&puzzle.geometry, true);
                    tasks.push(Task { file: source.file.clone().unwrap_or_default(), puzzle, solver });
                }
                Err(error) => {
                    format_failure(source.file.as_deref(), &error).tell();
                    unreadable = true;
                }
            }
        }
    }
    tasks.truncate(args.first.unwrap_or(usize::MAX));
    Ok((tasks, unreadable))
}
