//! `pinion report`. In: puzzles. Out: one HTML file with the pictures of their paths.

use super::args::{Global, ProfileArg, board};
use super::exit::{Exit, Failure, Stop};
use super::input::{format_failure, puzzles};
use super::output::Output;
use super::parallel::{each, processors};
use super::picture::write;
use super::rules::Solvers;
use crate::grid::draw;
use crate::grid::formats::Puzzle;
use crate::proof::{Uniqueness, uniqueness};
use crate::render::{Line, Reported, Role, counted, page};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion report PUZZLE -o path.html
  pinion report puzzles.txt -o puzzles.html

The page needs no network and no other file. It shows each step in the grid with its reason; keys step through it. Of several
puzzles it begins with a table and charts, and each row leads to the path of its puzzle.";

/// Options.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// A puzzle, a file with puzzles, or - for the standard input
    #[arg(value_name = "PUZZLE|FILE|-", allow_hyphen_values = true)]
    puzzle: String,
    /// The page to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Only the first N puzzles
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    /// Puzzles that are worked on at a time; without it, as many as there are processors
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Read puzzles for this board only: a size such as 16x16, a name such as windoku, or a board file
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Option<String>,
    #[command(flatten)]
    profile: ProfileArg,
}

/// Writes the page.
pub fn run(args: &ReportArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let asked = args.board.as_deref().map(board).transpose()?;
    let source = puzzles(&args.puzzle, asked.as_ref())?;
    let (mut list, mut exit): (Vec<Puzzle>, Exit) = (Vec::new(), Exit::Done);
    for puzzle in source.list {
        match puzzle {
            Ok(puzzle) => list.push(puzzle),
            Err(error) => {
                let failure = format_failure(source.file.as_deref(), &error);
                failure.tell();
                exit = exit.max(failure.exit);
            }
        }
    }
    let Some(first) = list.first() else { return Err(Failure::input("there is no puzzle to report on").into()) };
    let geometry = Arc::clone(&first.geometry);
    let before = list.len();
    list.retain(|puzzle| puzzle.geometry.spec() == geometry.spec());
    let others = before - list.len();
    list.truncate(args.first.unwrap_or(usize::MAX));
    let mut solvers = Solvers::new(global, &args.profile)?;
    let (one, several) = (solvers.on(&geometry, true), solvers.on(&geometry, false));
    let work = |_, puzzle: &Puzzle| {
        let state = puzzle.state();
        let found = uniqueness(&geometry, &state);
        let solver = if matches!(found, Uniqueness::One(_)) { &one } else { &several };
        Reported::new(&geometry, &solver.solve(state), draw::givens_line(puzzle), puzzle.note.clone())
    };
    let mut told = Vec::new();
    each(&list, args.threads.map_or_else(processors, NonZeroUsize::get), work, |one| told.push(one));
    let title = match (&source.file, told.len()) {
        (Some(file), 2..) => format!("Paths of {}", Path::new(file).file_name().unwrap_or_default().display()),
        _ => "The path of a puzzle".to_string(),
    };
    write(&args.output, &page(&geometry, &title, &one.profile().name, &told))?;
    let place = args.output.display().to_string();
    let mut lines = vec![
        Line::of(Role::Good, "Written: ").and(Role::Plain, format!("{place}, {}.", counted(told.len(), "puzzle"))),
    ];
    if others > 0 {
        let words = format!("{} of other boards left out; --board chooses one.", counted(others, "puzzle"));
        lines.push(Line::of(Role::Bad, words));
    }
    if out.is_text() {
        out.lines(&lines)?;
    }
    Ok(exit)
}
