//! `pinion report`. In: puzzles. Out: one HTML file with the pictures of their paths.

use crate::cli::admission::admitted;
use crate::cli::corpus::{Corpus, each, processors};
use crate::cli::files::{self, FileDraft};
use crate::cli::prelude::*;
use crate::grid::draw;
use crate::render::{Page, Reported};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;

/// Write a page with the pictures of every step, for one puzzle or a collection
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion report PUZZLE -o path.html
  pinion report puzzles.txt -o puzzles.html

The page needs no network and no other file. It shows each step in the grid with its reason; keys step through it. Of several
puzzles it begins with a table and charts, and each row leads to the path of its puzzle.")]
pub struct ReportArgs {
    /// A puzzle, a file with puzzles, or - for the standard input
    #[arg(value_name = "PUZZLE|FILE|-", allow_hyphen_values = true)]
    puzzle: String,
    /// The page to write, or - for the standard output
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
    limits::heed_interrupts();
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
    let mut writer =
        PageWriter { draft: FileDraft::open(&args.output)?, page: None, first: None, written: 0, error: None };
    let name = Path::new(&args.puzzle).file_name().unwrap_or_default().display().to_string();
    let (board, profile) = (Arc::clone(&geometry), one.profile().name.clone());
    let begin = |title: &str| Page::new(&board, title, &profile);
    each(&mut corpus, args.threads.map_or_else(processors, NonZeroUsize::get), work, |one| {
        writer.take(one, || begin(&format!("Paths of {name}")));
    });
    let written = writer.end(&args.output, || begin("The path of a puzzle"))?;
    let place = args.output.display().to_string();
    let mut lines =
        vec![Line::of(Role::Good, "Written: ").and(Role::Plain, format!("{place}, {}.", counted(written, "puzzle")))];
    if corpus.skipped() > 0 {
        let words = format!(
            "{} skipped: not readable, or of another board (--board chooses one).",
            counted(corpus.skipped(), "puzzle")
        );
        lines.push(Line::of(Role::Bad, words));
    }
    if out.is_text() && !files::is_standard_output(&args.output) {
        out.lines(&lines)?;
    }
    Ok(corpus.exit(written))
}

/// The page on its way to the file. Nothing of it is kept, but the first path until it is known whether there is another.
struct PageWriter<'p> {
    draft: FileDraft,
    page: Option<Page<'p>>,
    first: Option<Reported>,
    written: usize,
    error: Option<io::Error>,
}

impl<'p> PageWriter<'p> {
    /// Takes a path; `begin` makes the page of several.
    fn take(&mut self, one: Reported, begin: impl FnOnce() -> Page<'p>) {
        if self.written == 0 {
            self.first = Some(one);
        } else {
            self.head(begin);
            self.row(&one);
        }
        self.written += 1;
    }

    /// Writes the head and the path that waited for it, once.
    fn head(&mut self, begin: impl FnOnce() -> Page<'p>) {
        if self.page.is_none() {
            let page = begin();
            self.write(&page.head());
            self.page = Some(page);
            if let Some(first) = self.first.take() {
                self.row(&first);
            }
        }
    }

    fn row(&mut self, one: &Reported) {
        if let Some(page) = &mut self.page {
            let text = page.row(one);
            self.write(&text);
        }
    }

    fn write(&mut self, text: &str) {
        if self.error.is_none() {
            self.error = self.draft.write_all(text.as_bytes()).err();
        }
    }

    /// Writes the foot and puts the page in its place; how many paths it has. `begin` makes the page of one.
    fn end(mut self, path: &Path, begin: impl FnOnce() -> Page<'p>) -> Result<usize, Failure> {
        self.head(begin);
        if let Some(page) = self.page.take() {
            self.write(&page.foot());
        }
        match self.error {
            Some(error) => Err(files::unwritten(path, &error)),
            None => self.draft.keep().map(|()| self.written),
        }
    }
}
