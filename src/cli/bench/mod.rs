//! `pinion bench`. In: files of puzzles. Out: how fast they are solved, and what each technique costs.

mod measure;
mod report;

use super::args::{Global, ProfileArg, board};
use super::exit::{Exit, Stop};
use super::files;
use super::interrupt;
use super::limits::{self, RunTimeArg};
use super::output::Output;
use super::rules::Solvers;
use super::source::Sources;
use clap::Args;
use measure::Task;
use std::num::NonZeroUsize;
use std::path::PathBuf;

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
    #[command(flatten)]
    time: RunTimeArg,
}

/// Measures.
pub fn run(args: &BenchArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    interrupt::heed();
    args.time.begin();
    let geometry = args.board.as_deref().map(board).transpose()?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut unreadable = false;
    let puzzles = Sources::open(&args.files, geometry.as_ref())?.filter_map(|(file, puzzle)| match puzzle {
        Ok(puzzle) => Some(Task { file, solver: solvers.on(&puzzle.geometry, true), puzzle }),
        Err(error) => {
            error.failure.tell();
            unreadable = true;
            None
        }
    });
    let mut tasks = puzzles.take(args.first.unwrap_or(usize::MAX)).peekable();
    // What is compiled for the first board is ready before any clock runs.
    tasks.peek();
    let mut digests = String::new();
    let sums = measure::all(tasks, args.threads.get(), args.slowest, args.digests.is_some().then_some(&mut digests));
    if let Some(file) = &args.digests {
        files::write(file, &digests)?;
    }
    report::tell(&sums, args.threads.get(), out)?;
    let exit = match (sums.times.is_empty(), unreadable) {
        (true, _) if !limits::reached() => Exit::Puzzle,
        (_, true) => Exit::Input,
        _ => Exit::Done,
    };
    Ok(exit.max(interrupt::exit(sums.times.len())))
}
