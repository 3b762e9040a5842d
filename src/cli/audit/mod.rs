//! `pinion audit`. In: files of puzzles. Out: what every technique finds on every state of the solution paths, compared
//! with the solutions, as a table; the exit code says whether anything was wrong.

mod count;
mod report;
mod work;

use super::args::{Global, ProfileArg, board};
use super::exit::{Exit, Failure, Stop};
use super::find::unknown;
use super::interrupt;
use super::limits::{self, RunTimeArg};
use super::output::Output;
use super::parallel::processors;
use super::rules::Solvers;
use super::source::Sources;
use crate::grid::Geometry;
use clap::Args;
use std::num::NonZeroUsize;
use std::sync::Arc;
use work::{Wanted, all};

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
    #[command(flatten)]
    time: RunTimeArg,
}

/// Audits.
pub fn run(args: &AuditArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    interrupt::heed();
    args.time.begin();
    let geometry = args.board.as_deref().map(board).transpose()?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut unreadable = 0;
    let sources = Sources::open(&args.files, geometry.as_ref())?;
    let puzzles = sources.filter_map(|(file, puzzle)| match puzzle {
        Ok(puzzle) => Some((file, puzzle)),
        Err(error) => {
            error.failure.tell();
            unreadable += 1;
            None
        }
    });
    let mut tasks = puzzles.skip(args.skip).take(args.first.unwrap_or(usize::MAX)).peekable();
    if let Some((_, puzzle)) = tasks.peek() {
        known(&mut solvers, &puzzle.geometry, &args.technique)?;
    }
    let threads = args.threads.map_or_else(processors, NonZeroUsize::get);
    let (every, skipped, wrong_only) = (args.every.get(), args.skip, args.wrong_only);
    let wanted = Wanted { names: &args.technique, every, skipped, wrong_only };
    let mut count = all(tasks, solvers, wanted, threads);
    count.unreadable = unreadable;
    report::tell(&count, args.wrong_only, out)?;
    let nothing = count.puzzles == 0 && !limits::reached();
    let of = |is: bool, exit: Exit| if is { exit } else { Exit::Done };
    let exits = [of(count.wrong() > 0, Exit::Short), of(count.unreadable > 0, Exit::Input), of(nothing, Exit::Puzzle)];
    Ok(exits.into_iter().max().unwrap_or_default().max(interrupt::exit(count.puzzles)))
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
