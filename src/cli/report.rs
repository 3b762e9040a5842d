//! `pinion report`. In: puzzles. Out: one HTML file with the pictures of their paths.

use super::admission::admitted;
use super::args::{Global, ProfileArg, board};
use super::corpus::Corpus;
use super::exit::{Exit, Stop};
use super::files::write;
use super::interrupt;
use super::limits::RunTimeArg;
use super::output::Output;
use super::parallel::{each, processors};
use super::rules::Solvers;
use crate::grid::draw;
use crate::grid::formats::Puzzle;
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
    #[command(flatten)]
    time: RunTimeArg,
}

/// Writes the page.
pub fn run(args: &ReportArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    args.time.begin();
    let asked = args.board.as_deref().map(board).transpose()?;
    let source = [args.puzzle.clone()];
    let mut corpus = Corpus::read(&source, asked.as_ref(), args.first.unwrap_or(usize::MAX))?;
    let geometry = Arc::clone(&corpus.geometry);
    let mut solvers = Solvers::new(global, &args.profile)?;
    let (one, several) = (solvers.on(&geometry, true), solvers.on(&geometry, false));
    let work = |_, puzzle: Puzzle| {
        let state = puzzle.state();
        let solver = if admitted(&puzzle, &state, None).unwrap_or(false) { &one } else { &several };
        Reported::new(&geometry, &solver.solve(state), draw::givens_line(&puzzle), puzzle.note.clone())
    };
    let mut told = Vec::new();
    each(&mut corpus, args.threads.map_or_else(processors, NonZeroUsize::get), work, |one| told.push(one));
    let title = match told.len() {
        2.. => format!("Paths of {}", Path::new(&args.puzzle).file_name().unwrap_or_default().display()),
        _ => "The path of a puzzle".to_string(),
    };
    write(&args.output, &page(&geometry, &title, &one.profile().name, &told))?;
    let place = args.output.display().to_string();
    let mut lines = vec![
        Line::of(Role::Good, "Written: ").and(Role::Plain, format!("{place}, {}.", counted(told.len(), "puzzle"))),
    ];
    if corpus.skipped > 0 {
        let words = format!(
            "{} skipped: not readable, or of another board (--board chooses one).",
            counted(corpus.skipped, "puzzle")
        );
        lines.push(Line::of(Role::Bad, words));
    }
    if out.is_text() {
        out.lines(&lines)?;
    }
    Ok(corpus.exit.max(interrupt::exit(told.len())))
}
