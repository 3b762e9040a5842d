//! Puzzles of files for experiments. In: options. Out: the puzzles of one board, and how many of them to take.

use super::args::board;
use super::exit::{Exit, Failure};
use super::input::{format_failure, puzzles};
use super::parallel::processors;
use super::picture::write;
use crate::grid::Geometry;
use crate::grid::formats::Puzzle;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

/// Options of commands that work on collections.
#[derive(Args, Clone, Debug)]
pub struct CorpusArgs {
    /// Only the first N puzzles
    #[arg(long, value_name = "N")]
    pub first: Option<usize>,
    /// Work on N puzzles at a time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Read puzzles for this board only: a size such as 16x16, a name such as windoku, or a board file
    #[arg(long, value_name = "NxN|NAME|FILE")]
    pub board: Option<String>,
    /// Write the table as comma separated values
    #[arg(long)]
    pub csv: bool,
    /// Draw a chart into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Puzzles of one board.
pub struct Corpus {
    /// The board.
    pub geometry: Arc<Geometry>,
    /// In order.
    pub puzzles: Vec<Puzzle>,
    /// How many could not be read, or are of another board.
    pub skipped: usize,
    /// What the run ends with, if nothing else is wrong.
    pub exit: Exit,
}

impl CorpusArgs {
    /// Reads the files.
    pub fn read(&self, files: &[String]) -> Result<Corpus, Failure> {
        let asked = self.board.as_deref().map(board).transpose()?;
        let (mut list, mut skipped, mut exit) = (Vec::new(), 0, Exit::Done);
        for file in files {
            let source = puzzles(file, asked.as_ref())?;
            for puzzle in source.list {
                match puzzle {
                    Ok(puzzle) => list.push(puzzle),
                    Err(error) => {
                        let failure = format_failure(source.file.as_deref(), &error);
                        failure.tell();
                        exit = exit.max(failure.exit);
                        skipped += 1;
                    }
                }
            }
        }
        let Some(first) = list.first() else { return Err(Failure::input("there is no puzzle to work on")) };
        let geometry = Arc::clone(&first.geometry);
        let before = list.len();
        list.retain(|puzzle| puzzle.geometry.spec() == geometry.spec());
        skipped += before - list.len();
        list.truncate(self.first.unwrap_or(usize::MAX));
        Ok(Corpus { geometry, puzzles: list, skipped, exit })
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(processors, NonZeroUsize::get)
    }

    /// Writes a chart, if one is wanted.
    pub fn draw(&self, chart: impl FnOnce() -> String) -> Result<(), Failure> {
        let Some(file) = &self.svg else { return Ok(()) };
        write(file, &chart())
    }
}
