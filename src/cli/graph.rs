//! `pinion graph`. In: a puzzle. Out: its candidate graph as DOT.

use super::args::PuzzleArg;
use super::exit::{Exit, Stop};
use super::input::one_puzzle;
use super::output::Output;
use crate::render::dot;
use clap::Args;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion graph grid.txt > graph.dot
  pinion graph grid.txt | sfdp -Tsvg > graph.svg

Nodes are candidates. A dashed line joins two that cannot both be true, a bold line two of which exactly one is true.";

/// Options.
#[derive(Args, Debug)]
pub struct GraphArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
}

/// Draws the graph.
pub fn run(args: &GraphArgs, out: &mut Output) -> Result<Exit, Stop> {
    let board = args.puzzle.geometry()?;
    let puzzle = one_puzzle(&args.puzzle.puzzle, board.as_ref())?;
    let text = dot(&puzzle.geometry, &puzzle.state());
    if out.is_text() {
        out.data(&text)?
    } else {
        out.value(&text)?
    }
    Ok(Exit::Done)
}
