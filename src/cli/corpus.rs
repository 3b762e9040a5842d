//! Puzzles of files for experiments. In: options. Out: the puzzles of one board, and how many of them to take.

use super::args::board;
use super::exit::{Exit, Failure};
use super::files;
use super::interrupt;
use super::parallel::processors;
use super::source::Sources;
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

/// Puzzles of one board, as they are read: that of the first.
pub struct Corpus<'b> {
    /// The board.
    pub geometry: Arc<Geometry>,
    first: Option<Puzzle>,
    sources: Sources<'b>,
    /// How many are to come.
    left: usize,
    /// How many could not be read, or are of another board.
    pub skipped: usize,
    /// What the run ends with, if nothing else is wrong.
    pub exit: Exit,
}

impl<'b> Corpus<'b> {
    /// Reads files up to their first puzzle; takes at most `most` puzzles.
    pub fn read(files: &'b [String], board: Option<&'b Arc<Geometry>>, most: usize) -> Result<Corpus<'b>, Failure> {
        let mut sources = Sources::open(files, board)?;
        let (mut skipped, mut exit) = (0, Exit::Done);
        let first = loop {
            match sources.next() {
                None => return Err(no_puzzle()),
                Some((_, Ok(puzzle))) => break puzzle,
                Some((_, Err(error))) => unread(&error.failure, &mut skipped, &mut exit),
            }
        };
        Ok(Corpus { geometry: Arc::clone(&first.geometry), first: Some(first), sources, left: most, skipped, exit })
    }
}

impl Iterator for Corpus<'_> {
    type Item = Puzzle;

    fn next(&mut self) -> Option<Puzzle> {
        self.left = self.left.checked_sub(1)?;
        if let Some(puzzle) = self.first.take() {
            return Some(puzzle);
        }
        loop {
            match self.sources.next()?.1 {
                Ok(puzzle) if puzzle.geometry.spec() == self.geometry.spec() => return Some(puzzle),
                Ok(_) => self.skipped += 1,
                Err(error) => unread(&error.failure, &mut self.skipped, &mut self.exit),
            }
        }
    }
}

fn no_puzzle() -> Failure {
    match interrupt::why() {
        Some((why, exit)) => Failure { exit, message: format!("{why} before there was a puzzle"), help: None },
        None => Failure::input("there is no puzzle to work on"),
    }
}

/// Tells and counts what is no puzzle.
fn unread(failure: &Failure, skipped: &mut usize, exit: &mut Exit) {
    failure.tell();
    *exit = (*exit).max(failure.exit);
    *skipped += 1;
}

impl CorpusArgs {
    /// The board that was asked for.
    pub fn board(&self) -> Result<Option<Arc<Geometry>>, Failure> {
        self.board.as_deref().map(board).transpose()
    }

    /// Reads the files up to their first puzzle.
    pub fn read<'b>(&self, files: &'b [String], board: Option<&'b Arc<Geometry>>) -> Result<Corpus<'b>, Failure> {
        Corpus::read(files, board, self.first.unwrap_or(usize::MAX))
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(processors, NonZeroUsize::get)
    }

    /// Writes a chart, if one is wanted.
    pub fn draw(&self, chart: impl FnOnce() -> String) -> Result<(), Failure> {
        self.svg.as_ref().map_or(Ok(()), |file| files::write(file, &chart()))
    }
}
