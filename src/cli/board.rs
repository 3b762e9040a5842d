//! `pinion board`. In: the name or the file of a board. Out: the board drawn, or the boards that Pinion carries.

use super::args::board;
use super::exit::{Exit, Stop};
use super::output::Output;
use crate::grid::{BoardSpec, draw};
use crate::render::{Line, Role, in_parts};
use clap::Args;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion board
  pinion board windoku
  pinion board my-board.ron
  pinion solve puzzle.txt --board my-board.ron

With --format ron the board is written as a board file, with --format json as JSON. docs/formats.md explains the format.";

/// Options.
#[derive(Args, Debug)]
pub struct BoardArgs {
    /// A size such as 9x9, the name of a board, or a board file
    #[arg(value_name = "NAME|FILE")]
    name: Option<String>,
}

/// Draws a board, or lists those that have a name.
pub fn run(args: &BoardArgs, out: &mut Output) -> Result<Exit, Stop> {
    let Some(name) = &args.name else {
        for spec in known() {
            if out.is_text() {
                let (houses, pairs) = (spec.extra.len(), spec.sees.len());
                let more = match (houses, pairs) {
                    (0, 0) => String::new(),
                    (_, 0) => format!("  {houses} more houses"),
                    _ => format!("  {houses} more houses, {pairs} offsets that see each other"),
                };
                let size = format!("  {0}×{0}", spec.size);
                out.lines(&[Line::of(Role::Name, spec.name).and(Role::Plain, size).and(Role::Quiet, more)])?;
            } else {
                out.value(&spec)?;
            }
        }
        return Ok(Exit::Done);
    };
    let geometry = board(name)?;
    if out.is_text() {
        let lines = in_parts(&draw::board(&geometry), 0, out.width());
        out.lines(&lines)?
    } else {
        out.value(geometry.spec())?
    }
    Ok(Exit::Done)
}

/// The plain boards, then the variants.
fn known() -> impl Iterator<Item = BoardSpec> {
    BoardSpec::standard_sizes().filter_map(BoardSpec::standard).chain(BoardSpec::variants())
}
