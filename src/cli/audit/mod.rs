//! `pinion audit`. In: files of puzzles. Out: what every technique finds on every state of the solution paths, held
//! against the solutions, as a table; the exit code says whether anything was wrong.

mod count;
mod report;
mod work;

use super::args::{Global, ProfileArg, board};
use super::exit::{Exit, Failure, Stop};
use super::find::unknown;
use super::input::{format_failure, puzzles};
use super::output::Output;
use super::parallel::processors;
use super::rules::Solvers;
use crate::grid::Geometry;
use clap::Args;
use count::Count;
use std::num::NonZeroUsize;
use std::sync::Arc;
use work::{Task, Wanted, all};

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion audit puzzles.txt
  pinion audit *.txt --every 10 --threads 4
  pinion audit *.txt --wrong-only --skip 20000 --first 10000
  pinion audit puzzles.txt --technique NAME --rules my-rules/

Pinion solves each puzzle with the profile and compares all matches of its techniques (or of those you name), on every
state of the path, with the solution. Puzzles without exactly one solution are skipped. A wrong match is printed with its
state; paste that into `pinion find`. The exit code is 1 if anything was wrong.";

/// Options.
#[derive(Args, Debug)]
pub struct AuditArgs {
    /// Files with puzzles, puzzles, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Read puzzles for this board only: a size such as 16x16, a name such as windoku, or a board file (otherwise the
    /// length tells)
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Option<String>,
    /// Only this technique, whether the profile uses it or not; repeatable
    #[arg(short, long, value_name = "NAME")]
    technique: Vec<String>,
    /// Look at every Nth state of a path only, from a different first one in each puzzle
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// Look only for matches that contradict the solution: many times faster, but right ones are not counted
    #[arg(long)]
    wrong_only: bool,
    /// Skip the first N puzzles
    #[arg(long, value_name = "N", default_value = "0")]
    skip: usize,
    /// Only the first N puzzles (of the rest)
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    /// Work on N puzzles at a time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    profile: ProfileArg,
}

/// Audits.
pub fn run(args: &AuditArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let geometry = args.board.as_deref().map(board).transpose()?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut count = Count::default();
    let mut tasks = tasks(&args.files, geometry.as_ref(), &mut count)?;
    tasks.drain(..args.skip.min(tasks.len()));
    tasks.truncate(args.first.unwrap_or(usize::MAX));
    if let Some(task) = tasks.first() {
        known(&mut solvers, &task.puzzle.geometry, &args.technique)?;
    }
    let threads = args.threads.map_or_else(processors, NonZeroUsize::get);
    let (every, skipped, wrong_only) = (args.every.get(), args.skip, args.wrong_only);
    let wanted = Wanted { names: &args.technique, every, skipped, wrong_only };
    count.add(all(&tasks, solvers, wanted, threads));
    report::tell(&count, &tasks, args.wrong_only, out)?;
    let nothing = count.puzzles == 0;
    let of = |is: bool, exit: Exit| if is { exit } else { Exit::Done };
    let exits = [of(count.wrong() > 0, Exit::Short), of(count.unreadable > 0, Exit::Input), of(nothing, Exit::Puzzle)];
    Ok(exits.into_iter().max().unwrap_or_default())
}

/// The puzzles of all files; what cannot be read is told and counted.
fn tasks(files: &[String], geometry: Option<&Arc<Geometry>>, count: &mut Count) -> Result<Vec<Task>, Failure> {
    let mut tasks = Vec::new();
    for file in files {
        let source = puzzles(file, geometry)?;
        for puzzle in source.list {
            match puzzle {
                Ok(puzzle) => tasks.push(Task { file: source.file.clone().unwrap_or_default(), puzzle }),
                Err(error) => {
                    format_failure(source.file.as_deref(), &error).tell();
                    count.unreadable += 1;
                }
            }
        }
    }
    Ok(tasks)
}

/// Whether every name is known on the first board or on the usual one: a typing error must not cost a run. On other
/// boards a technique may be left out.
fn known(solvers: &mut Solvers, first: &Arc<Geometry>, names: &[String]) -> Result<(), Failure> {
    for name in names {
        if solvers.on(first, true).members_asked(Some(name)).is_ok() {
            continue;
        }
        let Some(usual) = Geometry::standard(9).map(Arc::new) else { continue };
        solvers.on(&usual, true).members_asked(Some(name)).map_err(unknown)?;
    }
    Ok(())
}
